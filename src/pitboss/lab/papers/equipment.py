"""What a table needs to stand: the equipment that a rulebook asks for, each with its clause."""

from collections.abc import Iterator

import msgspec

from pitboss.cards import DECK
from pitboss.rulebook.base import codes
from pitboss.rulebook.model import Rulebook
from pitboss.wording import capital, counted, listed


class Equipment(msgspec.Struct, frozen=True):
    """One thing that a table needs."""

    what: str
    says: str
    clauses: tuple[str, ...]


def equipment(book: Rulebook) -> Iterator[Equipment]:
    """List what a table of this book needs."""
    wagers = listed(spot.title for spot in book.spot)
    yield _thing("Table and layout", f"{_seats(book)}, with marks for {wagers}.", book.seats.cited)
    deck = book.deck
    yield _thing("Cards", _cards(book), deck.cited)
    if deck.shuffler:
        approved = ", of a make that the regulator approved" if deck.shuffler_approved else ""
        says = f"May be used: an automatic shuffler with lights{approved}."
        yield _thing("Shuffler", says, deck.clause_on("shuffler") or deck.cited)
    if deck.cut:
        yield _thing("Cut card", "Cards that were shuffled by hand are cut.", deck.cited)
    chips = listed(book.money(worth) for worth in book.chips)
    least = f"Every wager is a whole number of {book.money(book.smallest_chip)} chips."
    yield _thing("Chips", f"{chips}. {least}", book.limits.clause_on("smallest_chip"))
    if book.progressive is not None:
        rule, spot = book.progressive, book.spots[book.progressive.spot]
        fixed = "" if spot.fixed is None else f" of {book.money(spot.fixed)}"
        meter = f"A meter in sight that starts at {book.money(rule.reseed)}; tokens{fixed}, each"
        yield _thing("Meter", f"{meter} adding {rule.contribution} to it.", rule.cited)
    cap = ", payout cap" if book.cap else ""
    sign = f"Limits{cap} and pay tables, as pitboss rules sign prints them."
    yield _thing("Sign", sign, book.limits.cited)


def _thing(what: str, says: str, cited: str) -> Equipment:
    return Equipment(what, says, codes(cited))


def _seats(book: Rulebook) -> str:
    return f"{capital(counted(book.seats.most, 'seat'))}"


def _cards(book: Rulebook) -> str:
    deck, whole = book.deck, f"{len(DECK)} cards"
    by_hand = counted(deck.colours_by_hand, "deck")
    says = f"{capital(by_hand)} of {whole}"
    if deck.shuffler and deck.colours_with_shuffler != deck.colours_by_hand:
        says += f"; with a shuffler {counted(deck.colours_with_shuffler, 'deck')} of other colours"
    new = ", new every gaming day" if deck.new_each else ""
    return f"{says}{new}. A full table takes {book.cards_needed} of them."
