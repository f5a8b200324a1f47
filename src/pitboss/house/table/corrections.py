"""Corrections of a round that is played with real cards, until it is paid.

Two people in two roles say the same of what lay on the table, and the round is done again from
that; the dealer alone takes back the last thing entered while nobody has acted on it.
"""

from msgspec.structs import replace

from pitboss.errors import refuse
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import evolve
from pitboss.house.table.payoffs import fill_for
from pitboss.house.table.unit_of_work import UnitOfWork, has_role, is_dealer, settled, takes_no_part
from pitboss.round.redo import Facts, Named, redone
from pitboss.rulebook.base import PitRole


def _entered(unit: UnitOfWork, *phases: str) -> None:
    clause = unit.book.rulings.corrections
    if unit.table.dealing != "entered":
        message = "nothing is entered at this table: its cards and its wagers are what they are"
        raise refuse("correction/sealed", message, clause)
    if unit.table.round.phase not in phases:
        raise refuse("correction/not-now", "nothing lies here that could be put right", clause)


def correct(unit: UnitOfWork, command: c.Correct) -> None:
    """Note what somebody puts right, or do it where another has asked for the same."""
    _entered(unit, "playing", "settling")
    table, facts, clause = unit.table, command.facts, unit.book.rulings.corrections
    acts = (command.role, unit.who.person)
    group = may_correct(unit, command.role, unit.book.corrections.before, clause)
    first = table.correction
    asked = h.CorrectionAsked(facts, *acts, command.why)
    if facts == Facts():
        if first is None:
            raise refuse("correction/nothing", "nothing is put right by this", clause)
        unit.add(asked)
        return
    by = (acts,) if first is None or table.practice else ((first.role, first.person), acts)
    happened = redone(unit.book, table.happened, facts, records_late(unit, by))
    if happened == table.happened:
        raise refuse("correction/nothing", "that is what was recorded", clause)
    if not table.practice and (first is None or first.facts != facts):
        unit.add(asked)
        return
    if not table.practice:
        assert first is not None
        second_role(first, acts, group, clause)
    event = h.RoundCorrected(happened, (), facts, by, command.why)
    event = replace(event, void=_void(unit, event))
    fill_for(unit, event)
    unit.add(event)


def may_correct(
    unit: UnitOfWork, role: str, groups: tuple[tuple[PitRole, ...], ...], clause: str
) -> tuple[PitRole, ...]:
    """Return for which group of roles somebody stands; raises where they may not."""
    has_role(unit, role, clause)
    group = next((each for each in groups if role in each), None)
    if group is None:
        by = " and ".join(" or ".join(each) for each in groups)
        raise refuse("role/not-yours", f"this is put right by {by} together", clause)
    if role != "dealer":
        takes_no_part(unit, clause)
    elif not unit.table.practice:
        is_dealer(unit)
    return group


def second_role(
    first: h.CorrectionAsked, second: Named, group: tuple[PitRole, ...], clause: str
) -> None:
    if second[1] == first.person or first.role in group:
        message = f"besides {first.role} it takes another person in another role to agree"
        raise refuse("correction/second-role", message, clause)


def records_late(unit: UnitOfWork, by: tuple[Named, ...]) -> Named:
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


def undo(unit: UnitOfWork) -> None:
    """Take back the last entry of the dealer that changed the round."""
    _entered(unit, "betting", "playing", "settling")
    table = unit.table
    before = [each for each in table.undo if each != table.happened]
    if not before:
        message = "nothing that you entered was the last thing done here: ask for a correction"
        raise refuse("undo/nothing", message, unit.book.rulings.corrections)
    event = h.EntryUndone(before[-1], tuple(table.announced))
    fill_for(unit, event)
    unit.add(event)
