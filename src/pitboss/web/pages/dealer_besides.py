"""What is done at a table besides dealing: patrons and their chips, dead hands, cards and tokes."""

import msgspec

from pitboss.house.people.permissions import PIT, may
from pitboss.house.table.deck_handling import decks_wanted
from pitboss.house.table.seats import BEFORE_THE_DEAL
from pitboss.house.table.state import Table
from pitboss.round import refusal
from pitboss.round.actions import KillHand
from pitboss.rulebook import Rulebook
from pitboss.rulebook.pit_rules import DeadHand
from pitboss.web.pages.dealer_prompt import entered

COLOURS = ("red", "blue", "green", "black")
"""That new cards usually have."""

Death = tuple[DeadHand, str]
"""Why a hand may be dead now, and in which role somebody may say so."""


class Besides(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may do here now, apart from the next step."""

    voids: tuple[int, ...]
    """At which seats to take a buy-in back."""
    handles: bool
    """Let patrons leave."""
    patrons: bool
    """Seat somebody without an account, or sell them chips."""
    free: int
    """The first seat that nobody holds; 0, if there is none."""
    chips: tuple[int, ...]
    """What the house's chips are worth, the least first."""
    calls: bool
    """Call the floor."""
    answers: bool
    cards: bool
    """Replace and retire cards that are in use, and change how they are shuffled."""
    colours: tuple[str, ...]
    """Of new cards, as they are proposed."""
    replaces: str
    """The role in which a card is replaced; empty, if they may not."""
    tokes: bool
    """Take the tokes off the table."""
    deaths: dict[int, tuple[Death, ...]]
    """By seat: why its hand may be dead."""


def _voids(table: Table, person: str) -> tuple[int, ...]:
    return tuple(
        seat
        for seat, each in table.patrons.items()
        if 0 < sum(each.bought) <= each.chips_cents
        and (table.practice or person not in (*each.sold_by, table.dealer))
    )


def besides(book: Rulebook, table: Table, person: str, roles: set[str]) -> Besides:
    deals = table.dealer == person
    handles = deals or may(roles - {"dealer"}, "seat-patron")
    before = table.round.phase in BEFORE_THE_DEAL
    between = table.open and table.round.phase == "new" and not table.betting
    free = (seat for seat in range(1, book.seats.most + 1) if seat not in table.sitters)
    able = (role for role in PIT if role in roles and book.allows(role, book.deck.replaced_by))
    handles = handles and table.open and entered(table) and not table.seat_of(person)
    return Besides(
        voids=_voids(table, person) if handles and before and may(roles, "void-buy-in") else (),
        handles=handles,
        patrons=handles and before,
        free=next(free, 0),
        chips=tuple(sorted(map(int, book.chips))),
        calls=deals and table.call is None,
        answers=table.call is not None and may(roles, "answer-floor"),
        cards=between and bool(table.cards.decks) and may(roles, "bring-cards"),
        colours=COLOURS[: decks_wanted(book.deck, table)],
        replaces=next(able, ""),
        tokes=between and bool(table.tokes_cents) and may(roles, "drop-tokes"),
        deaths={
            seat: found
            for seat in table.round.seats
            if seat not in table.paid and (found := _deaths(book, table, seat, person, roles))
        },
    )


def _deaths(
    book: Rulebook, table: Table, seat: int, person: str, roles: set[str]
) -> tuple[Death, ...]:
    """Return the causes for which somebody may call a hand dead now."""
    pit = [role for role in PIT if role in roles]
    found = (
        (rule, role)
        for rule in book.dead
        if not (rule.real_cards and table.locked)
        for role in [each for each in pit if book.allows(each, rule.by)][:1]
    )
    return tuple(
        (rule, role)
        for rule, role in found
        if refusal(book, table.round, KillHand(seat, rule.cause, role, person)) is None
        and not (person in table.dealers and not table.practice)
    )
