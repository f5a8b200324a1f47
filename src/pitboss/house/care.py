"""The care of real cards: new ones each gaming day, looked through, washed, replaced."""

from collections.abc import Callable
from typing import Any

from pitboss.errors import Refusal
from pitboss.house import commands as c
from pitboss.house import events as h
from pitboss.house.deed import Deed, between_rounds, no


def _real_cards(deed: Deed, *, brought: bool = True) -> None:
    care = deed.book.deck
    between_rounds(deed, care.cited)
    if deed.table.dealing != "entered":
        raise no("cards/none", "no real cards are used at this table", care.cited)
    if brought and not deed.table.cards.colours:
        raise no("cards/none", "no cards are here: bring some first", care.new_clause or care.cited)


def _has_role(deed: Deed, role: str, by: tuple[str, ...], clause: str) -> None:
    if role not in deed.who.roles or role not in by:
        raise no("role/not-yours", f"this is done by {' or '.join(by) or 'nobody'}", clause)


def _bring(deed: Deed, command: c.BringCards) -> None:
    _real_cards(deed, brought=False)
    care = deed.book.deck
    wanted = care.colours_with_shuffler if deed.table.shuffler else care.colours_by_hand
    if len(set(command.colours)) != wanted or len(command.colours) != wanted:
        colours = "one colour" if wanted == 1 else f"{wanted} colours"
        raise no("cards/colours", f"cards of {colours} are used here", care.colours_clause)
    deed.add(h.CardsBrought(command.colours, deed.now.day))


def _inspect(deed: Deed, command: c.InspectCards) -> None:
    _real_cards(deed)
    rule = deed.book.deck.inspection
    if rule is None:
        raise no("cards/no-inspection", "this house asks nobody to look", deed.book.deck.cited)
    everybody = tuple(role for group in rule.one_of_each for role in group)
    _has_role(deed, command.role, everybody, rule.cited)
    practice, looked = deed.table.practice, deed.table.cards.inspected
    if any(person == deed.who.person and not practice for _, person in looked):
        raise no("cards/inspected-twice", "another person looks too", rule.cited)
    deed.add(h.CardsInspected(command.role, deed.who.person))


def _wash(deed: Deed, _command: c.WashCards) -> None:
    _real_cards(deed)
    deed.add(h.CardsWashed())


def _replace_card(deed: Deed, command: c.ReplaceCard) -> None:
    _real_cards(deed)
    care = deed.book.deck
    _has_role(deed, command.role, care.replaced_by, care.replaced_clause)
    deed.add(h.CardReplaced(command.card, command.role, deed.who.person, command.why))


def cards_refusal(deed: Deed) -> Refusal | None:
    """Why real cards may not be used for the next round."""
    care, cards = deed.book.deck, deed.table.cards
    if not cards.colours or (care.new_each == "gaming-day" and cards.day != deed.now.day):
        return Refusal("cards/new-day", "new cards come each gaming day", care.new_clause)
    rule = care.inspection
    # At a practice table one person may stand for both.
    people = rule.people if rule is not None and not deed.table.practice else 0
    if rule is not None and not _inspected_enough(rule.one_of_each, people, cards.inspected):
        groups = " and ".join(" or ".join(group) for group in rule.one_of_each)
        message = f"{rule.people} people look through new cards: {groups}"
        return Refusal("cards/not-inspected", message, rule.cited)
    if care.wash and not cards.washed:
        return Refusal("cards/not-washed", "new cards are washed first", care.wash_clause)
    return None


def _inspected_enough(
    groups: tuple[tuple[str, ...], ...], people: int, who: tuple[tuple[str, str], ...]
) -> bool:
    """Whether different people stand for every group."""
    if len({person for _, person in who}) < people:
        return False
    if not groups:
        return True
    return any(
        role in groups[0] and _inspected_enough(groups[1:], 0, (*who[:at], *who[at + 1 :]))
        for at, (role, _) in enumerate(who)
    )


CARE: dict[type[Any], Callable[[Deed, Any], None]] = {
    c.BringCards: _bring,
    c.InspectCards: _inspect,
    c.WashCards: _wash,
    c.ReplaceCard: _replace_card,
}
"""What each of these commands does."""
