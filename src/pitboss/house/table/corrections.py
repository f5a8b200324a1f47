"""Corrections of a round that is played with real cards, before and after it is paid.

Two people in two roles say the same of what lay on the table, and the round is done again from
that. Once it is paid it is settled again beside the first payment, and the difference moves. The
dealer alone takes back the last thing entered while nobody has acted on it.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.errors import Refused, refuse
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import evolve
from pitboss.house.table.payoffs import fill_for, seat_paid
from pitboss.house.table.postings import difference
from pitboss.house.table.state import Table, unknown_round
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
from pitboss.round import events as e
from pitboss.round.redo import Facts, Named, redone
from pitboss.rulebook.base import PitRole
from pitboss.settle import of_round, settle


def _sealed(clause: str) -> Refused:
    message = "nothing is entered at this table: its cards and its wagers are what they are"
    return refuse("correction/sealed", message, clause)


def _nothing(clause: str) -> Refused:
    return refuse("correction/nothing", "nothing is put right by this", clause)


def _entered(unit: UnitOfWork, *phases: str) -> None:
    clause = unit.book.rulings.corrections
    if unit.table.dealing != "entered":
        raise _sealed(clause)
    if unit.table.round.phase not in phases:
        raise refuse("correction/not-now", "nothing lies here that could be put right", clause)


def correct(unit: UnitOfWork, command: c.Correct) -> None:
    """Note what somebody puts right, or do it where another has asked for the same."""
    _entered(unit, "playing", "settling")
    table, facts, clause = unit.table, command.facts, unit.book.rulings.corrections
    acts = (command.role, unit.who.person)
    group = _group(unit, command.role, unit.book.corrections.before, clause)
    if command.role != "dealer":
        takes_no_part(unit, clause)
    elif not table.practice:
        is_dealer(unit)
    first = table.correction
    asked = h.CorrectionAsked(facts, *acts, command.why)
    if facts == Facts():
        if first is None:
            raise _nothing(clause)
        unit.add(asked)
        return
    by = (acts,) if first is None or table.practice else ((first.role, first.person), acts)
    happened = redone(unit.book, table.happened, facts, _records_late(unit, by))
    if happened == table.happened:
        raise _nothing(clause)
    if not table.practice:
        if first is None or first.facts != facts:
            unit.add(asked)
            return
        _second_role(first, unit.who.person, group, clause)
    event = h.RoundCorrected(happened, (), facts, by, command.why)
    event = replace(event, void=_void(unit, event))
    fill_for(unit, event)
    unit.add(event)


def correct_paid(unit: UnitOfWork, command: c.CorrectPaid) -> None:
    """The same for a round that was paid, which comes as an argument."""
    table, facts, clause = unit.table, command.facts, unit.book.rulings.adjustments
    past = unit.now.past
    if past is None or past.paid.round != command.round:
        raise unknown_round(f"{table.id}-{command.round}")
    if not past.entered:
        raise _sealed(clause)
    between_rounds(unit, clause)
    acts = (command.role, unit.who.person)
    group = _group(unit, command.role, unit.book.corrections.after, clause)
    rules_on(unit, [*past.people.values(), *past.dealers], clause)
    first = table.adjustment
    asked = h.AdjustmentAsked(command.round, facts, *acts, command.why)
    if facts == Facts():
        if first is None or first.round != command.round:
            raise _nothing(clause)
        unit.add(asked)
        return
    by = (acts,) if first is None or table.practice else ((first.role, first.person), acts)
    happened = redone(past.book, past.events, facts, _records_late(unit, by))
    if happened == past.events:
        raise _nothing(clause)
    paid = _paid_again(past, happened, clause)
    if not table.practice:
        if first is None or (first.round, first.facts) != (command.round, facts):
            unit.add(asked)
            return
        _second_role(first, unit.who.person, group, clause)
    unit.add(
        h.RoundAdjusted(
            round=command.round,
            events=happened,
            date=unit.now.day,
            paid=paid,
            seats=_differences(past, paid),
            meter_cents=_meter(unit, past, paid),
            facts=facts,
            by=by,
            why=command.why,
            before=past.entry,
        )
    )


def _paid_again(past: PastRound, happened: tuple[e.Event, ...], clause: str) -> h.RoundPaid:
    """Settle it on the day of the first payment, with what was known of the players then."""
    state = rounds.Round(past.book, happened).state
    if state.phase not in ("paying", "misdealt"):
        message = "the round would not have ended like this: say what else was done and dealt"
        raise refuse("correction/unfinished", message, clause)
    again = settle(past.book, of_round(state, past.paid.players, past.paid.date))
    return replace(
        past.paid,
        seats=tuple(seat_paid(past.book, each) for each in again.seats),
        meter_cents=again.meter_after_cents if past.paid.meter_cents is not None else None,
        notify=again.notify,
    )


def _differences(past: PastRound, paid: h.RoundPaid) -> tuple[h.SeatAdjusted, ...]:
    before, after = ({each.seat: each for each in one.seats} for one in (past.paid, paid))
    found = (
        difference(
            past.people[seat],
            before.get(seat, h.SeatPaid(seat, "", (), 0)),
            after.get(seat, h.SeatPaid(seat, "", (), 0)),
        )
        for seat in sorted({*before, *after})
    )
    return tuple(each for each in found if each != h.SeatAdjusted(each.seat, each.person))


def _meter(unit: UnitOfWork, past: PastRound, paid: h.RoundPaid) -> int | None:
    """Return where the meter stands now: what was won since is won, and the house puts up what it
    would start again with."""
    now, rule = unit.table.meter_cents, past.book.progressive
    if now is None or rule is None:
        return now
    more = (paid.meter_cents or 0) - (past.paid.meter_cents or 0)
    return max(now + more, min(now, int(rule.reseed)))


def _group(
    unit: UnitOfWork, role: str, groups: tuple[tuple[PitRole, ...], ...], clause: str
) -> tuple[PitRole, ...]:
    """Return for which group of roles somebody stands; raises where they may not."""
    has_role(unit, role, clause)
    for group in groups:
        if role in group:
            return group
    by = " and ".join(" or ".join(each) for each in groups)
    raise refuse("role/not-yours", f"this is put right by {by} together", clause)


def _second_role(
    first: h.CorrectionAsked | h.AdjustmentAsked, person: str, group: Sequence[str], clause: str
) -> None:
    if person == first.person or first.role in group:
        message = f"besides {first.role} it takes another person in another role to agree"
        raise refuse("correction/second-role", message, clause)


def _records_late(unit: UnitOfWork, by: tuple[Named, ...]) -> Named:
    """Return who records a wager that nobody had found: one of those who put it right, or, while
    they are not all known, one who would have to."""
    may = unit.book.limits.late_by
    known = (each for each in by if each[0] in may)
    return next(known, (may[0] if may else "", unit.who.person))


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
