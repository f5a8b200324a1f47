"""Patrons without an account, told again from events alone: who handled their chips and when, what
lay before them, and that nothing is left of it where they are gone."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pitboss.audit.promises import CONSERVED, ROLES, Findings
from pitboss.house.books import ledger
from pitboss.house.books.ledger import Posting
from pitboss.house.table import events as h
from pitboss.settle import Player

NAMELESS = "patron-"


class PatronChecks:
    """Those who have sat at one table."""

    def __init__(self, table: str, findings: Findings) -> None:
        self._table, self._check, self._count = table, findings.check, findings.count
        self.seated: dict[int, str] = {}
        self._known: set[str] = set()
        self._bought: dict[str, tuple[int, int]] = {}
        """The last buy-in of each since a round was paid, while it stands."""
        self._sold_by: dict[str, set[str]] = {}
        """Who entered it, and who has dealt since."""
        self._before: Counter[str] = Counter()
        """What lies before each."""

    def hear(
        self,
        happened: Sequence[h.TableEvent],
        posted: Sequence[Posting],
        *,
        practice: bool,
        handles: bool,
        above: bool,
        actor: str,
        dealer: str,
        dealt: bool,
    ) -> Counter[str]:
        """Hear one entry; return what it moved besides a round: handled by who may, before the deal
        where chips come or change."""
        moved: Counter[str] = Counter()
        for event in happened:
            if isinstance(event, h.RoundPaid):
                self._bought.clear()
            if isinstance(event, h.DealerChanged):
                dealer = event.person
                for people in self._sold_by.values():
                    people.add(dealer)
            if isinstance(event, h.SeatTaken) and event.person.startswith(NAMELESS):
                self._sits(event, practice=practice, handles=handles)
            elif isinstance(event, h.PatronEvent):
                self._count(CONSERVED)
                right = self.seated.get(event.seat) == event.person
                self._check(ROLES, right, f"{event.person} does not sit at seat {event.seat}")
                if isinstance(event, h.PatronBoughtIn):
                    self._sold_by[event.person] = {actor, dealer}
                    self._check(ROLES, event.by == actor, f"{event.by} entered no buy-in")
                if not isinstance(event, h.PatronLeft):
                    other = practice or actor not in {dealer, *self._sold_by.get(event.person, ())}
                    may = above and other if isinstance(event, h.BuyInVoided) else handles
                    self._check(ROLES, may, "who handled chips neither deals nor is above")
                    self._check(CONSERVED, not dealt, "chips came in the middle of a round")
                self._moves(event, moved, practice=practice)
        self._follow(happened, posted, moved, practice=practice)
        return moved

    def _sits(self, event: h.SeatTaken, *, practice: bool, handles: bool) -> None:
        self._check(ROLES, handles, "who seated a patron neither deals nor is above")
        self._check(ROLES, event.person not in self._known, f"{event.person} sits down again")
        known = Player() if practice else Player(identified=False, tin=False)
        self._check(ROLES, event.player == known, f"nobody has seen papers of {event.person}")
        self._known.add(event.person)
        self.seated[event.seat] = event.person

    def _moves(self, event: Any, moved: Counter[str], *, practice: bool) -> None:
        pocket, own = ledger.outstanding(practice=practice), _own(event.person, practice=practice)
        if isinstance(event, h.PatronBoughtIn):
            same = not event.given or _worth(event.given) == event.cash_cents
            self._check(CONSERVED, same, "the chips given are not worth the cash")
            moved[ledger.drop(self._table)] += event.cash_cents
            moved[pocket] -= event.chips_cents
            moved[own] += event.cash_cents + event.chips_cents
            self._bought[event.person] = event.cash_cents, event.chips_cents
        elif isinstance(event, h.BuyInVoided):
            back = event.cash_cents, event.chips_cents
            stood = self._bought.pop(event.person, None) == back
            self._check(CONSERVED, stood, "a buy-in was taken back that did not stand")
            moved[ledger.drop(self._table)] -= event.cash_cents
            moved[pocket] += event.chips_cents
            moved[own] -= sum(back)
        elif isinstance(event, h.ChipsChanged):
            same = _worth(event.taken) == _worth(event.given)
            self._check(CONSERVED, same, "chips were changed for others of another worth")
        else:
            moved[own] -= event.cents
            moved[pocket] += event.cents

    def _follow(
        self,
        happened: Sequence[h.TableEvent],
        posted: Sequence[Posting],
        moved: Counter[str],
        *,
        practice: bool,
    ) -> None:
        """See that the ledger says the same, and that who is gone has nothing left at the table."""
        sums: Counter[str] = Counter()
        for account, cents in posted:
            sums[account] += cents
        doors = {ledger.drop(self._table), *(() if practice else (ledger.OUTSTANDING,))}
        for account in doors:
            why = f"{account} moved by {sums[account]}, patrons by {moved[account]}"
            self._check(CONSERVED, sums[account] == moved[account], why)
        for event in happened:
            if isinstance(event, h.PatronLeft):
                self.seated.pop(event.seat, None)
        seated = {*self.seated.values()}
        for account, cents in sums.items():
            person = account.partition(":")[2]
            if person.startswith(NAMELESS) and account == _own(person, practice=practice):
                self._before[person] += cents
                left = self._before[person]
                right = left >= 0 if person in seated else not left
                self._check(CONSERVED, right, f"{left} lie before {person}, who may be gone")


def _own(person: str, *, practice: bool) -> str:
    return ledger.chips(person, practice=practice)


def _worth(stacks: dict[int, int]) -> int:
    return sum(worth * count for worth, count in stacks.items())
