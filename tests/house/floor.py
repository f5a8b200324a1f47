"""A table under the eyes of its test: every chip followed, every event folded a second time."""

import datetime
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit import resettle
from pitboss.audit.claim_checks import Claims
from pitboss.audit.money_checks import AdjustedMoney, MeterStory, TokesStory, adjusted_difference
from pitboss.audit.promises import Findings
from pitboss.cards import Card, cards
from pitboss.errors import Refusal, Refused
from pitboss.house.books import ledger
from pitboss.house.books.ledger import Posting
from pitboss.house.deck_safe import DeckSafe
from pitboss.house.people.permissions import PIT
from pitboss.house.storage import codec
from pitboss.house.storage.past_rounds import adjusted
from pitboss.house.storage.signing import SigningKey
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import records
from pitboss.house.table.evolve import asked, evolve
from pitboss.house.table.fair import Sealed, seal
from pitboss.house.table.postings import postings
from pitboss.house.table.procedure import VERSION, do
from pitboss.house.table.state import PATRON, Table
from pitboss.house.table.unit_of_work import (
    OWNER,
    Actor,
    Context,
    PastRound,
    UnitOfWork,
    players,
)
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.redo import story
from pitboss.rulebook import Rulebook
from pitboss.settle import Player
from tests.helpers import DIAMOND_JO, SENECA, stacked
from tests.house.papers import complete

DAY = datetime.date(2026, 11, 15)
NOON = 1_794_744_000_000

ROLES: dict[str, set[str]] = {
    "dan": {"dealer"},
    "eve": {"dealer", "floor-supervisor"},
    "flo": {"floor-supervisor"},
    "fay": {"floor-supervisor", "shift-manager"},
    "max": {"shift-manager"},
    "sue": {"surveillance"},
    "ros": {"shift-manager", "surveillance"},
    "gus": {"general-manager"},
    "dot": {"director-of-table-games"},
    "cay": {"cage"},
    "own": {OWNER, *PIT},
    "pip": {"player", "floor-supervisor", "shift-manager"},
}
"""Who works here; everybody else is a player."""


SHUFFLER = {"shuffler_device": "a shuffler", "shuffler_approval": "no. 1"}
"""What a house wants on record of one."""


def actor(who: str, player: Player | None = None) -> Actor:
    roles = frozenset(ROLES.get(who, {"player"}))
    return Actor(who, who.title(), roles, player or Player())


class Floor:
    """One table, the moment, and all that its events moved."""

    def __init__(self, book: Rulebook, seed: int = 1, **opening: Any) -> None:
        self.book, self.table, self.at, self.day = book, Table("t"), NOON, DAY
        self.random = random.Random(seed)
        self.safe = DeckSafe(SigningKey(bytes(32), 0), self._shuffled)
        self.next: list[tuple[Card, ...]] = []
        self.players: dict[str, Player] = {}
        self.accounts: Counter[str] = Counter()
        self.events: list[h.TableEvent] = []
        self.entries: list[tuple[str, str]] = []
        """Who asked, and what is written of it."""
        self.rounds: dict[int, PastRound] = {}
        """Rounds that were paid, as they stand."""
        self.story: list[e.Event] = []
        """The events of the round."""
        self.early: dict[int, resettle.RetoldSeat] = {}
        """Seats that were paid while another waited, as they were settled then."""
        self.findings = Findings()
        self.claims, self.meter = Claims(self.findings), MeterStory()
        if opening.get("shuffler"):
            opening = {**SHUFFLER, **opening}
        if book.limits.maximum_required:
            opening.setdefault("maximum_cents", 500_00)
        if opening.pop("opened", True):
            self.do(c.OpenTable(book.id, **opening), "own" if opening.get("practice") else "max")

    # What a test does -------------------------------------------------------------------------

    def deck(self, *first: str) -> "Floor":
        """The next deck to be sealed deals these cards first."""
        self.next.append(stacked(*first))
        return self

    def do(self, command: Any, who: str) -> UnitOfWork:
        """Do it, and see that everything still adds up and was settled rightly."""
        unit = do(self.book, self.table, command, self._actor(who), self._now(command))
        self._follow(unit)
        return unit

    def strikes(self) -> UnitOfWork:
        """Let the clock that runs run out."""
        return self.do(c.Tick(self.table.until), "clock")

    def refused(self, command: Any, who: str) -> Refusal:
        """See that it is refused in words, and that nothing changed."""
        before = codec.text(self.table)
        with pytest.raises(Refused) as caught:
            do(self.book, self.table, command, self._actor(who), self._now(command))
        assert codec.text(self.table) == before
        assert caught.value.refusal.code
        assert caught.value.refusal.message
        return caught.value.refusal

    def sit(self, *people: str) -> "Floor":
        """Let these people sit down, from seat 1 on."""
        for seat, who in enumerate(people, start=1):
            self.do(c.Sit(seat), who)
        return self

    def bet(self, seat: int, who: str = "", toke: int = 0, **wagers: int) -> UnitOfWork:
        """Bet: ``ante=5_00, lo_ball=1_00``; the posted minimum where nothing is said."""
        down = {spot.replace("_", "-"): cents for spot, cents in wagers.items()}
        down = down or self.book.with_equal({self.book.ante.name: self.table.minimum_cents})
        return self.do(a.Bet(seat, down, toke), who or self.table.sitters[seat].person)

    def raises(self, *seats: int, times: int | None = None) -> None:
        for seat in seats:
            step: Any = self.book.script[self.table.round.step]
            self.do(a.Raise(seat, times or step.times[-1]), self.table.sitters[seat].person)

    def folds(self, *seats: int) -> None:
        for seat in seats:
            self.do(a.Fold(seat, confirmed=True), self.table.sitters[seat].person)

    def pays_everybody_who_stays(self, *seats: int) -> None:
        """Raise the most on every street."""
        while self.table.round.phase == "playing":
            self.raises(*seats)

    def papers(self) -> "Floor":
        """Let everybody whose payoff waits for a form show papers at the cage."""
        for seat in [*self.table.forms]:
            self.do(complete(seat, self.table.sitters[seat]), "cay")
        return self

    def chips(self, who: str) -> int:
        return self.accounts[ledger.chips(who, practice=self.table.practice)]

    @property
    def bank(self) -> int:
        return self.accounts[ledger.bank("t")]

    @property
    def pool(self) -> int:
        return self.accounts[ledger.pool("t")]

    @property
    def lies(self) -> int:
        return self.accounts[ledger.layout("t")]

    # What always holds ------------------------------------------------------------------------

    def _actor(self, who: str) -> Actor:
        return actor(who, self.players.get(who))

    def _now(self, command: Any) -> Context:
        return Context(
            at=self.at,
            day=self.day,
            seal=self.safe.seal,
            unlock=self.safe.unlock,
            entry=len(self.events) + 1,
            players=self.players,
            past=self.rounds.get(command.round) if isinstance(command, c.CorrectPaid) else None,
        )

    def _shuffled(self) -> Sealed:
        deck = seal(self.random.randbytes)
        return Sealed(self.next.pop(0), deck.seed) if self.next else deck

    def _follow(self, unit: UnitOfWork) -> None:
        assert unit.events, "something is done, or it is refused"
        written = codec.text(codec.Body(VERSION, tuple(unit.events)))
        folded = asked(self.table, unit.who.person)
        for event in codec.body(written).events:
            moved = postings(self.book, folded, event)
            assert sum(cents for _, cents in moved) == 0
            self.accounts.update(dict(sums(moved)))
            self._settles_twice(folded, event, moved)
            self.meter.cents = self.pool
            folded = evolve(self.book, folded, event)
            self._adds_up(folded)
        assert folded == unit.table, "the journal's events lead to the same table"
        assert sums(unit.postings) == sums(
            posting for posting in self._posted(self.table, unit.events)
        )
        self.table = unit.table
        self.events.extend(unit.events)
        self.entries.append((unit.who.person, written))

    def _posted(self, table: Table, events: Iterable[h.TableEvent]) -> Iterable[tuple[str, int]]:
        for event in events:
            yield from postings(self.book, table, event)
            table = evolve(self.book, table, event)

    def _settles_twice(self, table: Table, event: h.TableEvent, moved: list[Posting]) -> None:
        """See that a second settlement of the events so far agrees with what was paid, and that an
        audit tells what is owed of it like the table."""
        if isinstance(event, e.Event):
            self.story.append(event)
        elif isinstance(event, h.Redone):
            self.story[:] = event.events
        elif isinstance(event, h.RoundPaid):
            again = resettle.settled(self.book, self.story, players(table), event.date)
            assert resettle.difference(again, event) == ""
            self.claims.paid(f"t-{event.round}", again, self.early, practice=table.practice)
            self.early = {}
            people = {n: seat.person for n, seat in table.round.seats.items()}
            self.rounds[event.round] = PastRound(
                book=self.book,
                events=story(self.story),
                first=event,
                paid=event,
                entered=table.dealing == "entered",
                dealers=frozenset(table.dealers),
                entry=len(self.events) + 1,
                papers=table.papers,
                owed=records.claims_when_paid(table, event, people, self.at),
            )
            self.story.clear()
        elif isinstance(event, h.SeatsPaid):
            again = resettle.settled(self.book, self.story, players(table), self.day)
            self.early |= {each.seat: again.seats[each.seat] for each in event.seats}
        elif isinstance(event, h.RoundAdjusted):
            past = self.rounds[event.round]
            again = resettle.settled(past.book, event.events, past.paid.players, past.paid.date)
            assert resettle.difference(again, event.paid) == ""
            assert self._audited(table, past, again, event, moved) == ""
            owed = {**past.owed, **records.claims_after(table, past, event, self.at)}
            self.rounds[event.round] = replace(adjusted(past, event, past.entry), owed=owed)

    def _audited(
        self,
        table: Table,
        past: PastRound,
        again: resettle.RetoldRound,
        event: h.RoundAdjusted,
        moved: list[Posting],
    ) -> str:
        before = resettle.settled(past.book, past.events, past.paid.players, past.paid.date)
        known = AdjustedMoney(
            table="t",
            practice=table.practice,
            seated=[each.person for each in table.patrons.values()],
            meter=self.meter,
            tokes=TokesStory(dict(table.toke_debts.owed), dict(table.toke_debts.written_off)),
            claims=self.claims,
            released={},
        )
        return adjusted_difference(known, past, (before, again), event, moved)

    def _adds_up(self, table: Table) -> None:
        assert sum(self.accounts.values()) == 0
        assert self.bank == table.bank_cents >= 0
        assert self.accounts[ledger.tokes("t")] == table.tokes_cents >= 0
        assert self.pool == (table.meter_cents or 0)
        here = {each.person: each for each in table.sitters.values()}
        for account, cents in self.accounts.items():
            person = account.removeprefix("chips:").removeprefix("play:")
            if person.startswith(PATRON):
                assert cents == (here[person].chips_cents if person in here else 0)
        seats = table.round.seats.values()
        down = sum(sum(seat.stakes.values()) + seat.toke_cents for seat in seats)
        assert self.lies == down - table.dropped_cents - table.cleared_cents
        assert table.under_way or self.lies == 0


def sums(postings: Iterable[tuple[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for account, cents in postings:
        found[account] += cents
    return found


def happened(unit: UnitOfWork, kind: type[Any]) -> list[Any]:
    return [event for event in unit.events if isinstance(event, kind)]


def entered(written: str) -> tuple[Card, ...]:
    return cards(written)


BOSS = "max"
"""The shift manager."""


def seneca(**opening: Any) -> Floor:
    return Floor(SENECA, minimum_cents=10_00, maximum_cents=100_00, **opening)


def dealt_by(book: Any = DIAMOND_JO, **opening: Any) -> Floor:
    floor = Floor(book, dealing="dealer", **opening)
    floor.do(c.StartDealing(), "dan")
    return floor


def new_cards(floor: Floor) -> Floor:
    floor.do(c.BringCards(("red", "blue") if floor.table.shuffler else ("red",)), "flo")
    floor.do(c.InspectCards("dealer"), "dan")
    floor.do(c.InspectCards("floor-supervisor"), "flo")
    floor.do(c.WashCards(), "dan")
    return floor


def opens_betting(floor: Floor, who: str = "dan") -> UnitOfWork:
    """Shuffle by hand, where no shuffler does it, and open the betting."""
    if not floor.table.shuffler:
        floor.do(c.ShuffleCards(), who)
    return floor.do(c.OpenBetting(), who)


def with_real_cards(*people: str, book: Rulebook = DIAMOND_JO, **opening: Any) -> Floor:
    floor = Floor(book, dealing="entered", **opening).sit(*people)
    new_cards(floor) if book.deck.inspection else floor.do(c.BringCards(("red",)), "flo")
    floor.do(c.StartDealing(), "dan")
    opens_betting(floor)
    return floor
