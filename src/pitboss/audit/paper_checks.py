"""Forms and winnings that are kept, told a second time: from events and the second settlement."""

import datetime
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.audit import resettle
from pitboss.audit.claim_checks import Claims
from pitboss.audit.promises import CONSERVED, ROLES, SETTLED, Findings
from pitboss.house.books import ledger
from pitboss.house.books.ledger import Posting
from pitboss.house.books.papers import LEFT, FormRecord, Papers
from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.table import events as h
from pitboss.house.table.unit_of_work import PastRound
from pitboss.rulebook import Rulebook
from pitboss.settle import Player
from pitboss.settle.finished_round import Share


class SeenPapers:
    """What winners of a round showed, and which payoffs were held for want of it."""

    def __init__(self, papers: Mapping[int, Papers] | None = None) -> None:
        self.papers = dict(papers or {})
        self.holds: set[int] = set()
        self.due: dict[int, list[str]] = {}

    def hear(self, event: h.PaperEvent) -> None:
        if isinstance(event, h.FormsDue):
            self.due[event.seat] = [form.form for form in event.forms]
        elif isinstance(event, h.PapersTaken):
            self.papers[event.seat] = event.shown
            self.holds.discard(event.seat)
        else:
            self.holds.add(event.seat)

    def redone(self, seats: Collection[int]) -> None:
        """Forget what is asked for again; who of these seats had no papers has none still."""
        self.holds, self.due = self.holds & {*seats}, {}

    def players(self, known: Mapping[int, Player]) -> dict[int, Player]:
        """Return what the tax desk knew of everybody when they were paid."""
        found = dict(known)
        for seat, papers in self.papers.items():
            who = papers.payee
            found[seat] = Player(
                residence=who.residence,
                identified=True,
                tin=who.tin != "",
                barred=known[seat].barred,
                shared=tuple(
                    Share(each.parts, each.payee.residence, each.payee.tin != "")
                    for each in papers.winners
                ),
            )
        for seat in self.holds:
            found[seat] = replace(found[seat], identified=False)
        return found

    def later(self, players: Mapping[int, Player]) -> dict[int, Player]:
        """Return what may be known of them once it is put right: nothing without papers."""
        without = {n: replace(each, identified=False) for n, each in players.items()}
        return {**without, **{n: players[n] for n in self.papers}}

    def difference(
        self,
        told: resettle.RetoldRound,
        paid: h.RoundPaid | h.SeatsPaid,
        players: Mapping[int, Player],
        early: Collection[int] = (),
    ) -> str:
        """Say where a payoff that needs a form was made without one; what was paid before is said
        already."""
        for number in (each.seat for each in paid.seats if each.seat not in early):
            needs = [form.form for form in told.seats[number].papers]
            if players[number].barred or told.misdeal:
                continue
            if self.due.get(number, []) != needs:
                return f"seat {number} needs {needs}, and {self.due.get(number)} was said"
            if needs and number not in self.papers and number not in self.holds:
                return f"seat {number} was paid without its form"
        return self.filed_difference(told, paid)

    def filed_difference(self, told: resettle.RetoldRound, paid: h.RoundPaid | h.SeatsPaid) -> str:
        for each in paid.seats:
            seat = told.seats[each.seat]
            papers = self.papers.get(each.seat)
            ought = seat.papers if papers is not None and not seat.held_cents else []
            filed = [resettle.RetoldForm(**_same(form)) for form in each.filed]
            if filed != ought:
                return f"seat {each.seat}: filed {filed}, a second settlement says {ought}"
            for form in filed:
                assert papers is not None
                who = papers.winners[form.winner - 1].payee if form.winner else papers.payee
                if form.withheld_cents and len(who.proofs) < 2:
                    return f"seat {each.seat}: something was withheld with one proof of identity"
        return ""


def _same(form: Any) -> dict[str, Any]:
    return {name: getattr(form, name) for name in resettle.RetoldForm.__struct_fields__}


class _Kept(msgspec.Struct):
    """Winnings that are kept for somebody."""

    round: str
    seat: int
    entry: int
    """That put the round right, so that it is kept besides; nothing, where its payment did."""
    person: str
    book: Rulebook
    held: resettle.RetoldHeld
    set_off: int = 0
    """What was taken of it for another round's debt."""


class _Released(msgspec.Struct):
    """Winnings that were kept and paid out with a form, or turned over."""

    name: str
    kept: _Kept
    paid: int
    cents: int
    """What of it was won, as far as is known by now."""
    tax: int = 0
    paid_to: tuple[Player, datetime.date] | None = None
    """Who was paid, and on which day; None, where it was turned over."""


class PaperChecks:
    """What is kept for everybody in the house; ``only`` is how the names of one table's rounds
    begin, where no others are heard."""

    def __init__(self, findings: Findings, only: str = "") -> None:
        self._check, self._count, self._only = findings.check, findings.count, only
        self.kept: dict[str, _Kept] = {}
        self.released: list[_Released] = []
        self.claims = Claims(findings, only)

    # At the tables ------------------------------------------------------------------------------

    def paid(
        self,
        book: Rulebook,
        name: str,
        told: resettle.RetoldRound,
        early: Mapping[int, resettle.RetoldSeat],
    ) -> None:
        """Keep what is held; what a seat that was paid before had kept too much stays kept."""
        for number, seat in told.seats.items():
            now = {held.wager: held for held in seat.kept}
            then = {held.wager: held for held in early[number].kept} if number in early else {}
            left = max(0, sum(x.cents for x in then.values()) - sum(x.cents for x in seat.kept))
            for wager, was in then.items():
                cents = now[wager].cents if wager in now else 0
                more = min(left, max(0, was.cents - cents))
                left -= more
                if more:
                    now[wager] = replace(now.get(wager, was), cents=cents + more)
            for wager, held in now.items():
                kept = _Kept(name, number, 0, seat.person, book, held)
                self.kept[f"{name}-{number}-{wager}"] = kept

    def adjusted(
        self,
        past: PastRound,
        name: str,
        both: tuple[resettle.RetoldRound, resettle.RetoldRound],
        posted: Sequence[Posting],
        entry: int,
    ) -> None:
        """Keep what is held besides: less than before is a claim, and stays kept until then. What
        is kept of no wager's is what somebody who has left was paid too little."""
        (first, second), book = both, past.book
        for number, person in past.people.items():
            before, seat = first.seats.get(number), second.seats.get(number)
            was = {each.wager: each.cents for each in before.kept} if before is not None else {}
            account = ledger.held(person, practice=False)
            left = sum(cents for each, cents in posted if each == account)
            for held in seat.kept if seat is not None else ():
                cents = min(left, max(0, held.cents - was.get(held.wager, 0)))
                left -= cents
                if cents:
                    besides = replace(held, cents=cents)
                    item = _Kept(name, number, entry, person, book, besides)
                    self.kept[f"{name}-{number}-{held.wager}-{entry}"] = item
            if left:
                staked = sum(seat.stakes.values()) if seat is not None else 0
                gone = resettle.RetoldHeld(LEFT, left, left, staked, 0)
                item = _Kept(name, number, entry, person, book, gone)
                self.kept[f"{name}-{number}-{LEFT}-{entry}"] = item

    def released_again(
        self,
        name: str,
        both: tuple[resettle.RetoldRound, resettle.RetoldRound],
        event: h.RoundAdjusted,
    ) -> dict[int, Counter[str]]:
        """Tell again what was kept of a round and has left since, now that it is put right: what
        more of it was won by whom it was paid to, what more of that is tax, and what more was won
        of what was turned over, of what was held or of who had left, by seat."""
        first, second = both
        left: dict[tuple[int, str], int] = {}
        moved: dict[int, Counter[str]] = {}
        ought = []
        theirs = (each for each in self.released if each.kept.round == name)
        for each in sorted(theirs, key=lambda one: one.kept.entry):
            number, wager = each.kept.seat, each.kept.held.wager
            if wager == LEFT:
                more = moved.setdefault(number, Counter())
                grown = paid_out(second, number) - paid_out(first, number) - more["gone"]
                cents = min(each.paid, max(0, each.cents + grown))
                more["gone"] += cents - each.cents
                each.cents = cents
                ought.append((each.name, cents))
                continue
            seats = [second.seats[number]] if number in second.seats else []
            now = [held for seat in seats for held in seat.kept if held.wager == wager]
            rest = left.get((number, wager), sum(held.cents for held in now))
            cents = min(rest, each.paid)
            left[number, wager] = rest - cents
            form, tax = "", 0
            paid_to = each.paid_to
            for held in now:
                if paid_to is None:
                    break
                won = replace(held, cents=cents)
                form, tax = resettle.due_on(each.kept.book, won, *paid_to)
            more = moved.setdefault(number, Counter())
            more["out" if paid_to is not None else "over"] += cents - each.cents
            more["tax"] += tax - each.tax
            each.cents, each.tax = cents, tax
            paper = (f"{each.name}-0", cents if form else 0, tax)
            ought.append((each.name, cents, *(paper if paid_to is not None else ())))
        said = [
            (one.id, one.cents)
            if one.form is None
            else (
                one.id,
                one.cents,
                one.form.id,
                one.form.reportable_cents,
                one.form.withheld_cents,
            )
            for one in event.released
        ]
        right = sorted(said) == sorted(ought)
        self._check(SETTLED, right, f"released winnings are {said} now, not {ought}")
        return moved

    # At the cage --------------------------------------------------------------------------------

    def hear(self, who: Person, event: persons.PersonEvent, day: datetime.date, actor: str) -> None:
        """Hear what happens to somebody's record, who is still as they were before it."""
        if isinstance(event, persons.HeldReleased):
            self._released(who, event, day, actor)
        elif isinstance(event, persons.HeldTurnedOver):
            self._turned_over(who, event)
        elif isinstance(event, persons.ClaimEvent):
            closed = self.claims.closed(who.id, event)
            if isinstance(event, persons.ClaimCollected) and event.source == "held":
                self._collected(who, event, closed)
        elif isinstance(event, persons.Identified):
            self._identified(who, event)

    def _identified(self, who: Person, event: persons.Identified) -> None:
        """See that what is known of somebody is what their papers say, old or new."""
        papers = event.payee or (who.payee if event.identified else None)
        right = papers is None or (
            event.identified
            and papers.residence == event.residence
            and (papers.tin != "") == event.tin
            and (papers.residence == "us" or papers.country != "")
        )
        self._check(ROLES, right, f"what was written of {who.id} contradicts their papers")

    def _taken(self, who: Person, event: persons.HeldEvent) -> list[tuple[str, _Kept]]:
        """Take out what leaves; a finding where it was not there for them, or is another sum."""
        self._count(SETTLED)
        named = [name for name in event.of if name.startswith(self._only)]
        found = [(name, self.kept.pop(name)) for name in named if name in self.kept]
        theirs = len(found) == len(named) and all(it.person == who.id for _, it in found)
        self._check(SETTLED, theirs, f"winnings that are not kept for {who.id} left")
        total = sum(it.held.cents for _, it in found)
        why = f"{event.cents} left for {who.id}, and {total} was kept"
        self._check(SETTLED, total == event.cents or len(named) < len(event.of), why)
        owed = self.claims.of(who.id)
        why = f"winnings left for {who.id}, who owed {owed}"
        self._check(SETTLED, not owed, why)
        return found

    def _released(
        self, who: Person, event: persons.HeldReleased, day: datetime.date, actor: str
    ) -> None:
        player = who.player
        allowed = player.identified and not player.barred
        self._check(ROLES, allowed, f"{who.id} was paid who may not be")
        self._check(SETTLED, event.day == day, f"it was paid by the rules of {event.day}")
        ought = []
        for name, item in self._taken(who, event):
            if item.held.wager == LEFT:  # it stands on the forms of its round
                continue
            won = item.held.cents + item.set_off
            form, taken = resettle.due_on(item.book, replace(item.held, cents=won), player, day)
            if form:
                ought.append((f"{name}-0", form, won, taken))
                self.released.append(_Released(name, item, won, won, taken, (player, day)))
        forms = [form for form in event.forms if form.id.startswith(self._only)]
        made = [(f.id, f.form, f.reportable_cents, f.withheld_cents) for f in forms]
        self._check(SETTLED, made == ought, f"forms {made}, not {ought}")
        withheld = sum(each[3] for each in ought)
        whole = len(forms) == len(event.forms)
        why = f"{event.withheld_cents} was withheld, not {withheld}"
        self._check(SETTLED, event.withheld_cents == withheld or not whole, why)
        right = all(self._made_out(form, who, actor) for form in event.forms)
        self._check(ROLES, right, f"a form of {who.id} is not made out by their papers")

    def _made_out(self, form: FormRecord, who: Person, actor: str) -> bool:
        proofs = 2 if form.withheld_cents else 1
        return form.payee == who.payee and len(form.payee.proofs) >= proofs and form.by == actor

    def _turned_over(self, who: Person, event: persons.HeldTurnedOver) -> None:
        found = self._taken(who, event)
        said = [(each.id, each.cents) for each in event.left if each.id.startswith(self._only)]
        ought = [(name, item.held.cents) for name, item in found]
        # Entries of 0.2 do not say it.
        self._check(SETTLED, said in ([], ought), f"{said} was turned over, not {ought}")
        for name, item in found:
            if said:
                self.released.append(_Released(name, item, item.held.cents, item.held.cents))
            rule = item.book.tax
            sends = (rule.turned_over_to, rule.clause_on("turned_over_to"))
            named = rule.turned_over_to != "" and (event.to, event.clause) == sends
            self._check(ROLES, named, f"no rule sends what is kept to {event.to}")

    def _collected(self, who: Person, event: persons.ClaimCollected, closed: Counter[str]) -> None:
        """Take out what was collected; ``closed`` are the debts by round. What is taken for another
        round's was won all the same, and stays on the form."""
        taken, whole = 0, True
        for each in event.left:
            if not each.id.startswith(self._only):
                whole = False
                continue
            item = self.kept.get(each.id)
            if item is None or item.person != who.id or not 0 <= each.cents < item.held.cents:
                self._check(SETTLED, False, f"{each.id} is not kept for {who.id}")
                continue
            part = item.held.cents - each.cents
            own = min(part, closed[item.round])
            closed[item.round] -= own
            item.set_off += part - own
            same = each.set_off_cents == item.set_off
            self._check(SETTLED, same, f"another debt than its round's lowers {each.id}")
            taken += part
            item.held = replace(item.held, cents=each.cents)
            if not each.cents:
                del self.kept[each.id]
        why = f"{event.cents} was collected of what is kept, and {taken} taken"
        self._check(SETTLED, taken == event.cents or not whole, why)

    def balances(self, sums: Mapping[str, int]) -> None:
        """See that all that is kept lies in its accounts, and nothing else."""
        ought: Counter[str] = Counter()
        for item in self.kept.values():
            ought[ledger.held(item.person, practice=False)] += item.held.cents
        for claim in self.claims.known.values():
            ought[ledger.claims(claim.person, practice=claim.practice)] += claim.cents
        accounts = {each for each in sums if each.startswith(("held:", "claims:", "claims-play:"))}
        for account in sorted(accounts | {*ought}):
            if ledger.tokes("") in account:
                continue  # a table's own claim, which its story tells
            held = sums.get(account, 0)
            why = f"holds {held}, and {ought[account]} is kept or owed"
            self._check(CONSERVED, held == ought[account], why, account)


def paid_out(told: resettle.RetoldRound, number: int) -> int:
    """Return what a seat was paid in chips beyond what it wagered."""
    seat = told.seats.get(number)
    return seat.paid_cents - seat.staked_cents if seat is not None else 0
