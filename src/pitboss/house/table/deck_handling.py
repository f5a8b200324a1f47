"""The care of real cards: what a house wants done with each deck, from its coming to its going.

A deck is brought, looked at by the people the house names, washed, shuffled, dealt from and in the
end retired; a card of it may be replaced, and then it is looked at again. What the rulebook does
not ask for is not asked for here.
"""

import datetime
from collections.abc import Collection
from itertools import permutations

import msgspec

from pitboss.errors import Refusal, Refused, refuse
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.payoffs import PIT_ROLES
from pitboss.house.table.state import DeckRecord, Table
from pitboss.house.table.unit_of_work import UnitOfWork, between_rounds, unless
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import DeckCare, Inspection
from pitboss.wording import counted, listed

IN_ORDER = "in-order"

# What is done with cards ------------------------------------------------------------------------


def bring(unit: UnitOfWork, command: c.BringCards) -> None:
    """All decks are new, or those that are lacking are."""
    _between(unit)
    care, new = unit.book.deck, command.colours
    wanted = decks_wanted(care, unit.table)
    stay = () if len(new) == wanted else unit.table.cards.colours
    different = {colour.strip().casefold() for colour in (*stay, *new)}
    if not len(different) == len(stay) + len(new) == wanted:
        raise Refused(_number_refusal(care, wanted))
    if not stay:
        _retired(unit, unit.table.cards.colours, "new cards take their place")
    unit.add(h.CardsBrought(new, unit.now.day))


def inspect(unit: UnitOfWork, command: c.InspectCards) -> None:
    decks = _named(unit, command.colour)
    rule = unit.book.deck.inspection
    if rule is None:
        raise refuse("cards/no-inspection", "this house asks nobody to look", unit.book.deck.cited)
    everybody = tuple(role for group in rule.one_of_each for role in group)
    _has_role(unit, command.role, everybody, rule.cited)
    if command.found != IN_ORDER:
        decks = (_one(unit, decks),)
    else:
        for deck in decks:
            unless(_fault_refusal(rule, deck))
        decks = tuple(deck for deck in decks if not _has_looked(unit, command.role, deck))
        if not decks:
            raise refuse("cards/inspected-twice", "another person looks too", rule.cited)
    role, person = command.role, unit.who.person
    unit.add(*(h.CardsInspected(role, person, deck.colour, command.found) for deck in decks))


def wash(unit: UnitOfWork, command: c.WashCards) -> None:
    decks = _named(unit, command.colour)
    for deck in decks:
        unless(_inspection_refusal(unit.book, deck, practice=unit.table.practice))
    unit.add(*(h.CardsWashed(deck.colour) for deck in decks))


def shuffle(unit: UnitOfWork) -> None:
    """The dealer ticks that the cards were shuffled by hand, and cut where the house has it so."""
    _between(unit)
    care = unit.book.deck
    if unit.table.shuffler:
        message = "the shuffler shuffles here, and its green light says so"
        raise refuse("cards/shuffler", message, care.clause_on("shuffler") or care.cited)
    unless(_decks_refusal(unit.book, unit.table, unit.now.day))
    unit.add(h.CardsShuffled(cut=care.cut))


def replace(unit: UnitOfWork, command: c.ReplaceCard) -> None:
    decks = _named(unit, command.colour)
    care = unit.book.deck
    _has_role(unit, command.role, care.replaced_by, care.clause_on("replaced_by") or care.cited)
    colour = _one(unit, decks).colour
    unit.add(h.CardReplaced(command.card, command.role, unit.who.person, command.why, colour))


def retire(unit: UnitOfWork, command: c.RetireCards) -> None:
    decks = _named(unit, command.colour)
    _retired(unit, tuple(deck.colour for deck in decks), command.why)


def change_shuffler(unit: UnitOfWork, command: c.ChangeShuffler) -> None:
    """The cards in use leave with the old way of shuffling: the new one wants its own number of
    decks, each looked at as new cards are."""
    _between(unit)
    table, care = unit.table, unit.book.deck
    unless(shuffler_refusal(unit.book, command, practice=table.practice))
    new = (command.shuffler, command.shuffler_device, command.shuffler_approval)
    if new == (table.shuffler, table.shuffler_device, table.shuffler_approval):
        message = "cards are shuffled in this way already"
        raise refuse("table/same-shuffler", message, care.cited)
    unit.add(h.ShufflerChanged(*new, command.why))
    _retired(unit, table.cards.colours, command.why)


def _retired(unit: UnitOfWork, colours: tuple[str, ...], why: str) -> None:
    if colours:
        unit.add(h.CardsRetired(colours, why))


# What is asked of cards -------------------------------------------------------------------------


def cards_refusal(book: Rulebook, table: Table, day: datetime.date) -> Refusal | None:
    """Say why no betting is opened with these cards yet."""
    care = book.deck
    unfit = _decks_refusal(book, table, day)
    if unfit is not None or table.cards.shuffled or table.shuffler or not care.shuffle:
        return unfit
    done = "shuffled and cut" if care.cut else "shuffled"
    message = f"the cards are {done} for each round"
    return Refusal("cards/not-shuffled", message, care.clause_on("shuffle") or care.cited)


def first_card_refusal(book: Rulebook, table: Table, day: datetime.date) -> Refusal | None:
    """Say why no card of a round is dealt, though its betting was opened: the day has turned."""
    refusal = cards_refusal(book, table, day)
    if refusal is None:
        return None
    message = f"{refusal.message}: have the round called off and see to it first"
    return msgspec.structs.replace(refusal, message=message)


def shuffler_refusal(
    book: Rulebook, asked: c.OpenTable | c.ChangeShuffler, *, practice: bool
) -> Refusal | None:
    """Say why a table is not dealt with this shuffler; for practice nobody asks which it is."""
    care = book.deck
    clause = care.clause_on("shuffler") or care.cited
    device, approval = asked.shuffler_device.strip(), asked.shuffler_approval.strip()
    if asked.shuffler and not care.shuffler:
        return Refusal("light/no-shuffler", "this house deals without a shuffler", clause)
    if not asked.shuffler and (device or approval):
        message = "a shuffler is named, and cards are shuffled by hand"
        return Refusal("light/no-shuffler", message, clause, "shuffler_device")
    if asked.shuffler and care.shuffler_approved and not practice and not (device and approval):
        message = "a shuffler is an approved one: name the device and the number of its approval"
        place = "shuffler_approval" if device else "shuffler_device"
        clause = care.clause_on("shuffler_approved") or clause
        return Refusal("table/shuffler-unnamed", message, clause, place)
    return None


def _decks_refusal(book: Rulebook, table: Table, day: datetime.date) -> Refusal | None:
    """Say what is still to be done with the decks themselves, in the order in which it is done."""
    care, decks = book.deck, table.cards.decks
    wanted = decks_wanted(care, table)
    daily = care.new_each == "gaming-day"
    if daily and (not decks or any(deck.day != day for deck in decks)):
        message = "new cards come each gaming day"
        return Refusal("cards/new-day", message, care.clause_on("new_each"))
    if (decks or care.inspection is not None or care.wash) and len(decks) != wanted:
        return _number_refusal(care, wanted)
    for deck in decks:
        refusal = _inspection_refusal(book, deck, practice=table.practice)
        if refusal is not None:
            return refusal
    if care.wash and not all(deck.washed for deck in decks):
        return Refusal("cards/not-washed", "new cards are washed first", care.clause_on("wash"))
    return None


def decks_wanted(care: DeckCare, table: Table) -> int:
    """Return how many decks a house uses here."""
    return care.colours_with_shuffler if table.shuffler else care.colours_by_hand


def _number_refusal(care: DeckCare, wanted: int) -> Refusal:
    colours = "one colour" if wanted == 1 else f"{wanted} colours"
    clause = care.clause_on("colours_by_hand") or care.cited
    return Refusal("cards/colours", f"cards of {colours} are used here", clause)


def _inspection_refusal(book: Rulebook, deck: DeckRecord, *, practice: bool) -> Refusal | None:
    rule = book.deck.inspection
    if rule is None:
        return None
    # At a practice table one person may stand for both.
    people = 0 if practice else rule.people
    if deck.fault:
        return _fault_refusal(rule, deck)
    if not _inspected_enough(book, rule, people, deck.inspected):
        groups = " and ".join(" or ".join(group) for group in rule.one_of_each)
        message = f"{rule.people} people look through new cards: {groups}"
        return Refusal("cards/not-inspected", message, rule.cited)
    return None


def _fault_refusal(rule: Inspection, deck: DeckRecord) -> Refusal | None:
    if not deck.fault:
        return None
    message = f"a card of the {deck.colour} deck is {deck.fault}: replace the card or the deck"
    return Refusal("cards/faulty", message, rule.cited)


def _inspected_enough(
    book: Rulebook, rule: Inspection, people: int, who: tuple[tuple[str, str], ...]
) -> bool:
    """Whether different people stand for every group."""
    enough = len({person for _, person in who}) >= people
    return enough and any(
        all(
            book.allows(role, group)
            for group, (role, _) in zip(rule.one_of_each, several, strict=True)
        )
        for several in permutations(who, len(rule.one_of_each))
    )


def to_inspect(
    book: Rulebook, table: Table, person: str, roles: Collection[str]
) -> tuple[str, str]:
    """Return the first deck through which somebody must still look, and the role in which; nothing,
    where that is for others."""
    rule = book.deck.inspection
    if rule is None:
        return "", ""
    for deck in table.cards.decks:
        looked = not table.practice and any(who == person for _, who in deck.inspected)
        for group in () if deck.fault or looked else rule.one_of_each:
            done = any(book.allows(role, group) for role, _ in deck.inspected)
            mine = (role for role in PIT_ROLES if role in roles and book.allows(role, group))
            role = "" if done else next(mine, "")
            if role:
                return role, deck.colour
    return "", ""


# Who, which and when ----------------------------------------------------------------------------


def _between(unit: UnitOfWork) -> None:
    """Cards are handled between rounds, and not while bets are taken on what they will be."""
    clause = unit.book.deck.cited
    between_rounds(unit, clause)
    if unit.table.dealing != "entered":
        raise refuse("cards/none", "no real cards are used at this table", clause)
    if unit.table.betting:
        message = "betting is open: close it first, while nobody has bet"
        raise refuse("cards/betting-open", message, clause)


def _named(unit: UnitOfWork, colour: str) -> tuple[DeckRecord, ...]:
    """Return the deck of this colour; all that are here, where none is named."""
    _between(unit)
    care, decks = unit.book.deck, unit.table.cards.decks
    if not decks:
        clause = care.clause_on("new_each") or care.cited
        raise refuse("cards/none", "no cards are here: bring some first", clause)
    found = tuple(deck for deck in decks if colour in ("", deck.colour))
    if not found:
        raise _which(unit)
    return found


def _one(unit: UnitOfWork, decks: tuple[DeckRecord, ...]) -> DeckRecord:
    if len(decks) > 1:
        raise _which(unit)
    return decks[0]


def _which(unit: UnitOfWork) -> Refused:
    here = unit.table.cards.colours
    message = f"{counted(len(here), 'deck')} in use here, {listed(here)}: say which it is"
    return refuse("cards/which-deck", message, unit.book.deck.cited, "colour")


def _has_looked(unit: UnitOfWork, role: str, deck: DeckRecord) -> bool:
    # At a practice table one person may stand for several, once for each.
    same = (as_role for as_role, person in deck.inspected if person == unit.who.person)
    return any(as_role == role or not unit.table.practice for as_role in same)


def _has_role(unit: UnitOfWork, role: str, by: tuple[str, ...], clause: str) -> None:
    if role not in unit.who.roles or not unit.book.allows(role, by):
        raise refuse("role/not-yours", f"this is done by {' or '.join(by) or 'nobody'}", clause)
