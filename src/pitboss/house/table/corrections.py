"""Corrections of a round that is played with real cards, before and after it is paid.

Two people in two roles say the same of what lay on the table, and the round is done again from
that. Once it is paid it is settled again beside the first payment, and the difference moves. The
dealer alone takes back the last thing entered while nobody has acted on it.
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused, refuse
from pitboss.house.books.papers import ReleasedWinnings
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import patrons
from pitboss.house.table.evolve import evolve
from pitboss.house.table.payoffs import fill_for, seat_paid
from pitboss.house.table.postings import SeatOutcome, difference
from pitboss.house.table.records import released_again
from pitboss.house.table.smallest_chip import PostedLimits, PostedThen, facts_of_chips
from pitboss.house.table.state import Table, is_patron, unknown_round
from pitboss.house.table.unit_of_work import (
    PastRound,
    UnitOfWork,
    between_rounds,
    has_role,
    is_dealer,
    rules_on,
    settled,
    takes_no_part,
)
from pitboss.round import Seat
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.redo import Facts, Named, redone, same_round
from pitboss.round.state import TOKE
from pitboss.rulebook.base import PitRole, codes
from pitboss.rulebook.deal_script import SEATS, DealStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.settle import SeatSettlement, of_round, settle


def sealed(clause: str) -> Refused:
    message = "nothing is entered at this table: its cards and its wagers are what they are"
    return refuse("correction/sealed", message, clause)


def nothing_changes(clause: str) -> Refused:
    return refuse("correction/nothing", "nothing is put right by this", clause)


def nothing_lies(clause: str) -> Refused:
    return refuse("correction/not-now", "nothing lies here that could be put right", clause)


def cards_to_come(book: Rulebook, table: Table, spot: str) -> bool:
    """Whether a card is still to be dealt or turned on which this wager hangs: until then nobody
    knows whether it wins, and a supervisor alone records what is found late."""
    left = book.script[table.round.step :] if table.round.phase == "playing" else ()
    wager = book.spots.get(spot, book.ante)
    hangs = {*book.tables[wager.table].cards} if wager.table else set()
    if wager.against or not hangs - {SEATS}:  # on the dealer's hand, or its own: to the last card
        return any(isinstance(step, DealStep | TurnStep) for step in left)
    places = (
        step.to if isinstance(step, DealStep) else (step.place,)
        for step in left
        if isinstance(step, DealStep | TurnStep)
    )
    return any(not hangs.isdisjoint(each) for each in places)


def late_refusal(book: Rulebook, table: Table, action: a.AcceptLate) -> Refusal | None:
    """Say why a late find is a correction, which takes two people."""
    clause = ", ".join(codes(book.limits.clause_on("late_by"), book.rulings.corrections))
    seat = table.round.seats.get(action.seat)
    if table.round.phase in ("playing", "settling") and not cards_to_come(book, table, action.spot):
        message = "every card lies open: what is found now is put right by two (correct)"
        return Refusal("late/shown", message, clause)
    if seat is not None and action.cents < {**seat.stakes, TOKE: seat.toke_cents}.get(
        action.spot, 0
    ):
        message = "a late find takes nothing down: that is put right by two (correct)"
        return Refusal("late/lower", message, clause, "cents")
    return None


def _entered(unit: UnitOfWork, *phases: str) -> None:
    clause = unit.book.rulings.corrections
    if unit.table.dealing != "entered":
        raise sealed(clause)
    if unit.table.round.phase not in phases:
        raise nothing_lies(clause)


def posted_then(past: PastRound) -> PostedThen:
    """Return what a table had posted when a round was played."""
    return PostedThen(past.paid.smallest_chip_cents, past.opened.maximum_cents)


class _Case(msgspec.Struct, frozen=True):
    """A round that somebody puts right: as it was recorded, by whose agreement, what they ask for,
    and who has asked before."""

    book: Rulebook
    events: tuple[e.Event, ...]
    groups: tuple[tuple[PitRole, ...], ...]
    clause: str
    posted: PostedLimits
    """When it was played."""
    asked: h.CorrectionAsked | h.AdjustmentAsked
    first: h.CorrectionAsked | h.AdjustmentAsked | None
    dealt: tuple[str, ...] = ()
    """Who deals in it: what they asked for before in another role stands for nothing any more."""

    @property
    def stands(self) -> h.CorrectionAsked | h.AdjustmentAsked | None:
        """What another has asked for, where that can be agreed to."""
        first = self.first
        if first is None or (first.role != "dealer" and first.person in self.dealt):
            return None
        return first

    @property
    def by(self) -> tuple[Named, ...]:
        """Who puts it right, if this is agreed to; the last of them asks now."""
        several = (self.stands, self.asked) if self.stands is not None else (self.asked,)
        return tuple((each.role, each.person) for each in several)


def correct(unit: UnitOfWork, command: c.Correct) -> None:
    """Note what somebody puts right, or do it where another has asked for the same."""
    _entered(unit, "playing", "settling")
    table, clause = unit.table, unit.book.rulings.corrections
    case = _Case(
        book=unit.book,
        events=table.happened,
        groups=unit.book.corrections.before,
        clause=clause,
        posted=table,
        asked=h.CorrectionAsked(command.facts, command.role, unit.who.person, command.why),
        first=table.correction if not table.practice else None,
        dealt=table.dealers,
    )
    _group(unit, case)
    if command.role != "dealer":
        takes_no_part(unit, clause)
    elif not table.practice:
        is_dealer(unit)
    happened = _redone(unit, case)
    if not happened:
        return
    seats = rounds.Round(unit.book, happened).state.seats
    here = {number: each.person for number, each in table.sitters.items()}
    _nobody_who_left(seats, [n for n, each in seats.items() if here.get(n) == each.person], clause)
    if gone := {*table.paid} - {*seats}:
        message = f"seat {min(gone)} was paid: that it was not in the round is put right later"
        raise refuse("correction/paid-seat", message, unit.book.rulings.paying)
    patrons_can_pay(unit.book, table, happened, command.facts)
    if _agreed(unit, case):
        event = h.RoundCorrected(happened, (), command.facts, case.by, command.why)
        event = replace(event, void=_void(unit, event))
        fill_for(unit, event)
        unit.add(event)


def patrons_can_pay(
    book: Rulebook, table: Table, happened: tuple[e.Event, ...], facts: Facts
) -> None:
    """Refuse what takes more of a patron than lay before them, before anybody asks for it: nobody
    could agree."""
    patrons.can_pay(book, evolve(book, table, h.RoundCorrected(happened, (), facts, (), "")))


def correct_paid(unit: UnitOfWork, command: c.CorrectPaid) -> None:
    """The same for a round that was paid, which comes as an argument."""
    table, clause = unit.table, unit.book.rulings.adjustments
    past, first = unit.now.past, table.adjustment
    if past is None or past.paid.round != command.round:
        raise unknown_round(f"{table.id}-{command.round}")
    if not past.entered:
        raise sealed(clause)
    between_rounds(unit, clause)
    who = unit.who.person
    case = _Case(
        book=past.book,
        events=past.events,
        groups=past.book.corrections.after,
        clause=clause,
        posted=posted_then(past),
        asked=h.AdjustmentAsked(command.round, command.facts, command.role, who, command.why),
        first=first if first and first.round == command.round and not table.practice else None,
    )
    _group(unit, case)
    rules_on(unit, [*past.people.values(), *past.dealers], clause)
    happened = _redone(unit, case)
    if not happened:
        return
    paid = paid_again(past, happened, clause)
    if _agreed(unit, case):
        meter, lent = _meter(unit, past, paid)
        unit.add(
            h.RoundAdjusted(
                round=command.round,
                events=happened,
                date=unit.now.day,
                paid=paid,
                seats=moved(table, past, paid),
                meter_cents=meter,
                facts=command.facts,
                by=case.by,
                why=command.why,
                before=past.entry,
                lent_cents=lent,
                released=released_again(past, paid.seats),
            )
        )


def _redone(unit: UnitOfWork, case: _Case) -> tuple[e.Event, ...]:
    """Return the round as these facts have it; none, where what was asked for is taken back."""
    if case.asked.facts == Facts():
        if case.first is None:
            raise nothing_changes(case.clause)
        unit.add(case.asked)
        return ()
    happened = redone(case.book, case.events, case.asked.facts, _records_late(case))
    if same_round(happened, case.events):
        raise nothing_changes(case.clause)
    facts_of_chips(case.book, case.posted, case.asked.facts)
    return happened


def _agreed(unit: UnitOfWork, case: _Case) -> bool:
    """Whether another in another role has asked for the same; note what is asked for where none
    has. At a practice table one is enough."""
    first, asked = case.stands, case.asked
    if unit.table.practice:
        return True
    if first is None or not first.facts.same(asked.facts):
        unit.add(asked)
        return False
    if asked.person == first.person or first.role in _group(unit, case):
        message = f"besides {first.role} it takes another person in another role to agree"
        raise refuse("correction/second-role", message, case.clause)
    return True


def paid_again(past: PastRound, happened: tuple[e.Event, ...], clause: str) -> h.RoundPaid:
    """Settle it on the day of the first payment, with what was known of the players then."""
    state = rounds.Round(past.book, happened).state
    if state.phase not in ("paying", "misdealt"):
        message = "the round would not have ended like this: say what else was done and dealt"
        raise refuse("correction/unfinished", message, clause)
    _nobody_who_left(state.seats, past.paid.players, clause)
    again = settle(past.book, of_round(state, past.paid.players, past.paid.date))
    return replace(
        past.paid,
        seats=tuple(_seat_again(past, each) for each in again.seats),
        meter_cents=again.meter_after_cents if past.paid.meter_cents is not None else None,
        notify=again.notify,
    )


def _nobody_who_left(seats: Mapping[int, Seat], known: Collection[int], clause: str) -> None:
    """Refuse wagers of somebody who gave the seat up before the deal: their chips have left with
    them, and the tax desk knows nothing of them."""
    for number, seat in seats.items():
        if seat.stakes and number not in known:
            message = f"who held seat {number} left before the deal: no wager of theirs lay there"
            raise refuse("correction/left", message, clause)


def _seat_again(past: PastRound, settled: SeatSettlement) -> h.SeatPaid:
    """Return a seat as it would have been paid; its forms are those of the papers of then."""
    filed = settled.forms if settled.seat in past.papers and not settled.held_cents else ()
    return replace(seat_paid(past.book, settled), filed=filed)


def moved(table: Table, past: PastRound, paid: h.RoundPaid) -> tuple[h.SeatAdjusted, ...]:
    """Return what moves at each seat, by who still sits there now."""
    return tuple(_kept_for_who_is_gone(table, each) for each in _differences(past, paid))


def _differences(past: PastRound, paid: h.RoundPaid) -> tuple[h.SeatAdjusted, ...]:
    before = _versions(past.paid, past.released)
    after = _versions(paid, released_again(past, paid.seats))
    found = (
        difference(
            past.people[seat],
            before.get(seat, (h.SeatPaid(seat, "", (), 0), ())),
            after.get(seat, (h.SeatPaid(seat, "", (), 0), ())),
            past.owed.get(seat),
        )
        for seat in sorted({*before, *after})
    )
    return tuple(each for each in found if each != h.SeatAdjusted(each.seat, each.person))


def _versions(paid: h.RoundPaid, released: Sequence[ReleasedWinnings]) -> dict[int, SeatOutcome]:
    seats = {each.seat: each for each in paid.seats}
    left = {each.seat for each in released}  # also of a seat that has no wager any more
    return {
        seat: (
            seats.get(seat, h.SeatPaid(seat, "", (), 0)),
            [one for one in released if one.seat == seat],
        )
        for seat in {*seats, *left}
    }


def _kept_for_who_is_gone(table: Table, seat: h.SeatAdjusted) -> h.SeatAdjusted:
    """A patron who has no account and sits here no more cannot be given chips: they are kept."""
    if not is_patron(seat.person) or table.seat_of(seat.person) is not None:
        return seat
    return replace(seat, chips_cents=0, held_cents=seat.held_cents + seat.chips_cents)


def _meter(unit: UnitOfWork, past: PastRound, paid: h.RoundPaid) -> tuple[int | None, int]:
    """Return where the meter stands now, and what the house has put up on it for this round: what
    was won since is won, and it does not fall below what it would start again with. What rises
    later gives the house that back first, so that a correction and its opposite are nothing."""
    now, lent, rule = unit.table.meter_cents, past.lent_cents, past.book.progressive
    if now is None or rule is None:
        return now, lent
    more = (paid.meter_cents or 0) - (past.paid.meter_cents or 0)
    if more >= 0:
        back = min(more, lent)
        return now + more - back, lent - back
    after = max(now + more, min(now, int(rule.reseed)))
    return after, lent + after - (now + more)


def _group(unit: UnitOfWork, case: _Case) -> tuple[PitRole, ...]:
    """Return for which group of roles somebody stands; raises where they may not."""
    has_role(unit, case.asked.role, case.clause)
    for group in case.groups:
        if case.asked.role in group:
            return group
    by = " and ".join(" or ".join(each) for each in case.groups)
    raise refuse("role/not-yours", f"this is put right by {by} together", case.clause)


def _records_late(case: _Case) -> Named:
    """Return who records a wager that nobody had found: one of those who put it right, or, while
    they are not all known, one who would have to."""
    may = case.book.limits.late_by
    known = (each for each in case.by if each[0] in may)
    return next(known, (may[0] if may else "", case.asked.person))


def _void(unit: UnitOfWork, event: h.RoundCorrected) -> tuple[int, ...]:
    """Return the announced payoffs that a correction touches."""
    after = evolve(unit.book, unit.table, event)
    if after.round.phase != "settling":
        return tuple(unit.table.announced)
    before = {each.seat: each for each in unit.settled().seats} if unit.table.announced else {}
    now = {each.seat: each for each in settled(unit.book, after, unit.now.day).seats}
    return tuple(seat for seat in unit.table.announced if before[seat] != now.get(seat))


def can_undo(table: Table, person: str) -> bool:
    """Whether the last thing done in the round was this person's entry."""
    return table.under_way and table.entering == person and table.undo != table.happened


def undo(unit: UnitOfWork) -> None:
    """Take back the last thing done at the table, if the dealer entered it; and nothing before it,
    since what was decided then may have been decided otherwise with what is known by now."""
    _entered(unit, "betting", "playing", "settling")
    before, table = unit.before, unit.table
    if not can_undo(before, unit.who.person):
        message = "the last thing done here was no entry of yours: ask for a correction"
        raise refuse("undo/nothing", message, unit.book.rulings.corrections)
    event = h.EntryUndone(before.undo, tuple(table.announced))
    fill_for(unit, event)
    unit.add(event)
