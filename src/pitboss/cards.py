"""A card, a deck, a shuffle.

A card is a small integer, 0 to 51, that knows its rank (2 to 14) and suit and reads and writes
itself as text:

>>> card("As"), card("10h").rank, card("Td") == card("10d")
(As, 10, True)
>>> text(cards("As Kd 7c"))
'As Kd 7c'
"""

from collections.abc import Callable, Iterable, Sequence
from operator import mod
from struct import Struct
from typing import Protocol, TypeVar

from pitboss.errors import Unreadable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
HIDDEN = "??"
"""How a card that may not be seen is written."""


_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)


class Card(int):
    """One of the 52 cards: ``4 * (rank - 2) + suit``."""

    @property
    def rank(self) -> int:
        """2 to 14; the ace is 14."""
        return (self >> 2) + 2

    @property
    def suit(self) -> str:
        """One of ``c d h s``."""
        return SUITS[self & 3]

    def __repr__(self) -> str:
        return _TEXTS[self]

    __str__ = __repr__


DECK: tuple[Card, ...] = tuple(Card(index) for index in range(52))
"""All 52 cards, deuce of clubs first, ace of spades last."""

_BY_TEXT = dict(zip(_TEXTS, DECK, strict=True))
_WRITTEN: dict[Card | None, str] = {**dict(zip(DECK, _TEXTS, strict=True)), None: HIDDEN}


def card(written: str) -> Card:
    """Read one card: ``As``, ``Td``, ``10h``; capitals do not matter.

    >>> card("1s")
    Traceback (most recent call last):
    pitboss.errors.Unreadable: '1s' is not a card; write rank and suit, such as As, Td or 10h
    """
    tidy = written.strip()
    tidy = "T" + tidy[2:] if tidy.startswith("10") else tidy
    found = _BY_TEXT.get(tidy[:1].upper() + tidy[1:].lower())
    if found is None:
        raise Unreadable(
            f"{written[:20]!r} is not a card; write rank and suit, such as As, Td or 10h"
        )
    return found


def cards(written: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas; the same card twice is refused."""
    found = tuple(card(each) for each in written.replace(",", " ").split())
    for index, each in enumerate(found):
        if each in found[:index]:
            raise Unreadable(f"{each} appears twice")
    return found


def text(several: Iterable[Card | None]) -> str:
    """Write cards separated by spaces; a hidden card is ``??``."""
    return " ".join(map(_WRITTEN.__getitem__, several))


T = TypeVar("T")


class Chance(Protocol):
    """Where randomness comes from: ``random.SystemRandom()`` or a seeded ``random.Random``."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Pick ``k`` of them, in random order."""


def shuffled(chance: Chance) -> tuple[Card, ...]:
    """Return a whole deck in an order drawn from ``chance``."""
    return tuple(chance.sample(DECK, len(DECK)))


DRAWS = range(len(DECK), 1, -1)
"""A shuffle draws one of 52 places, then one of 51, and so on down to one of 2."""

_LASTS = tuple(places - 1 for places in DRAWS)

LIMITS = tuple(0x10000 - 0x10000 % places for places in DRAWS)
"""Sixteen bits from here up are refused, so that every place has equally many numbers."""

_NUMBERS = Struct(f"<{len(DRAWS)}H")

SHUFFLE_BYTES = _NUMBERS.size
"""What one try at a shuffle takes: sixteen bits for each draw, the low byte first."""


def shuffled_from(random_bytes: Callable[[int], bytes]) -> tuple[Card, ...]:
    """Return a whole deck in an order drawn from a stream of bytes, such as ``os.urandom``.

    Every order is exactly equally likely if every byte is: the last card changes places with any of
    the 52, the one before it with any of the 51 left, and so on. If one number of a shuffle is
    refused, all are, and the next bytes are taken; that happens to one in a hundred.

    >>> text(shuffled_from(bytes)[:5])  # all bytes zero
    '2d 2h 2s 3c 3d'
    """
    while True:
        numbers = _NUMBERS.unpack(random_bytes(SHUFFLE_BYTES))
        if all(map(int.__lt__, numbers, LIMITS)):
            break
    deck = list(DECK)
    for last, place in zip(_LASTS, map(mod, numbers, DRAWS), strict=True):
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)
