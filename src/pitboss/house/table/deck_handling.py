"""The care of real cards: new ones each gaming day, looked through, washed, replaced."""

import datetime
from itertools import permutations

from pitboss.errors import Refusal, refuse
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import UnitOfWork, between_rounds
from pitboss.rulebook.model import Rulebook


def _real_cards(unit: UnitOfWork, *, brought: bool = True) -> None:
    care = unit.book.deck
    between_rounds(unit, care.cited)
    if unit.table.dealing != "entered":
        raise refuse("cards/none", "no real cards are used at this table", care.cited)
    if brought and not unit.table.cards.colours:
        clause = care.clause_on("new_each") or care.cited
        raise refuse("cards/none", "no cards are here: bring some first", clause)


def _has_role(unit: UnitOfWork, role: str, by: tuple[str, ...], clause: str) -> None:
    if role not in unit.who.roles or role not in by:
        raise refuse("role/not-yours", f"this is done by {' or '.join(by) or 'nobody'}", clause)


def bring(unit: UnitOfWork, command: c.BringCards) -> None:
    _real_cards(unit, brought=False)
    care = unit.book.deck
    wanted = care.colours_with_shuffler if unit.table.shuffler else care.colours_by_hand
    if len(set(command.colours)) != wanted or len(command.colours) != wanted:
        colours = "one colour" if wanted == 1 else f"{wanted} colours"
        message = f"cards of {colours} are used here"
        raise refuse("cards/colours", message, care.clause_on("colours_by_hand"))
    unit.add(h.CardsBrought(command.colours, unit.now.day))


def inspect(unit: UnitOfWork, command: c.InspectCards) -> None:
    _real_cards(unit)
    rule = unit.book.deck.inspection
    if rule is None:
        raise refuse("cards/no-inspection", "this house asks nobody to look", unit.book.deck.cited)
    everybody = tuple(role for group in rule.one_of_each for role in group)
    _has_role(unit, command.role, everybody, rule.cited)
    practice, looked = unit.table.practice, unit.table.cards.inspected
    # At a practice table one person may stand for several, once for each.
    same = (role for role, person in looked if person == unit.who.person)
    if any(role == command.role or not practice for role in same):
        raise refuse("cards/inspected-twice", "another person looks too", rule.cited)
    unit.add(h.CardsInspected(command.role, unit.who.person))


def wash(unit: UnitOfWork) -> None:
    _real_cards(unit)
    unit.add(h.CardsWashed())


def replace(unit: UnitOfWork, command: c.ReplaceCard) -> None:
    _real_cards(unit)
    care = unit.book.deck
    _has_role(unit, command.role, care.replaced_by, care.clause_on("replaced_by"))
    unit.add(h.CardReplaced(command.card, command.role, unit.who.person, command.why))


def cards_refusal(book: Rulebook, table: Table, day: datetime.date) -> Refusal | None:
    """Say why no betting is opened with these cards yet."""
    care, cards = book.deck, table.cards
    if not cards.colours or (care.new_each == "gaming-day" and cards.day != day):
        message = "new cards come each gaming day"
        return Refusal("cards/new-day", message, care.clause_on("new_each"))
    rule = care.inspection
    # At a practice table one person may stand for both.
    people = rule.people if rule is not None and not table.practice else 0
    if rule is not None and not _inspected_enough(rule.one_of_each, people, cards.inspected):
        groups = " and ".join(" or ".join(group) for group in rule.one_of_each)
        message = f"{rule.people} people look through new cards: {groups}"
        return Refusal("cards/not-inspected", message, rule.cited)
    if care.wash and not cards.washed:
        return Refusal("cards/not-washed", "new cards are washed first", care.clause_on("wash"))
    return None


def _inspected_enough(
    groups: tuple[tuple[str, ...], ...], people: int, who: tuple[tuple[str, str], ...]
) -> bool:
    """Whether different people stand for every group."""
    enough = len({person for _, person in who}) >= people
    return enough and any(
        all(role in group for group, (role, _) in zip(groups, several, strict=True))
        for several in permutations(who, len(groups))
    )
