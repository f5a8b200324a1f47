"""The dealer's hands where the longest suit is the hand: counted as a product over the four suits.

A dealer's hand is below another if each of its suits is: it has fewer cards than the other's
longest suit, or as many and lower ones. How many holdings of one suit are like that depends only on
what the player holds in it, and of how many cards they are is all that the suits have to agree on.
So the suits' counts by number of cards are multiplied like polynomials.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, groupby
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from pitboss.hands import ranking
from pitboss.maths.hand_states import Ints

HeldSuits = tuple[Ints, Ints, Ints, Ints]
"""The ranks held in each suit, as bits; the longest suit first, and of equals the highest."""
Lengths = npt.NDArray[np.int16]


def suits_of(held: int) -> Iterator[tuple[HeldSuits, Ints]]:
    """Yield all hands of so many cards up to the names of suits, and how many each stands for.

    They come in parts: those with as many cards in their longest suit, their next, and so on.
    """
    for lengths in _lengths(held, 4, held):
        parts = [_together(length, len(list(many))) for length, many in groupby(lengths)]
        each = np.indices([len(repeats) for _, repeats in parts]).reshape(len(parts), -1)
        suits = [
            column[at] for (columns, _), at in zip(parts, each, strict=True) for column in columns
        ]
        alike = np.ones(each.shape[1], np.int64)
        for (_, repeats), at in zip(parts, each, strict=True):
            alike *= repeats[at]
        yield (suits[0], suits[1], suits[2], suits[3]), factorial(4) // alike


def _lengths(cards: int, suits: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to share cards out over suits, the longest first."""
    if suits == 1:
        if cards <= min(most, 13):
            yield (cards,)
        return
    for longest in range(min(cards, most, 13), -(-cards // suits) - 1, -1):
        for rest in _lengths(cards - longest, suits - 1, longest):
            yield (longest, *rest)


@cache
def holdings(length: int) -> Ints:
    """Return every set of so many ranks, as bits, in rising order: of equal length the better."""
    every: Ints = np.arange(1 << 13)
    found: Ints = every[np.bitwise_count(every) == length]
    return found


def _together(length: int, many: int) -> tuple[Ints, Ints]:
    """Return suits of equal length side by side, falling, and by how much their orders repeat."""
    some = holdings(length)
    pairs = combinations_with_replacement(range(len(some) - 1, -1, -1), many)
    at = np.array(list(pairs))
    runs = np.ones(len(at), np.int64)
    repeats = np.ones(len(at), np.int64)
    for column in range(1, many):
        runs = np.where(at[:, column] == at[:, column - 1], runs + 1, 1)
        repeats *= runs
    return some[at].T, repeats


ShownCard = tuple[int, int]
"""A card that is known to be the dealer's: the place of its suit, and its rank."""


def below(
    suits: Sequence[Ints],
    dealt: int,
    limit: Ints,
    *,
    upto: bool = False,
    shown: ShownCard | None = None,
) -> Ints:
    """Count the dealer's hands of so many cards in which each suit is below the limit.

    Those of suits all have equally many cards. A limit is a set of ranks as bits, one for each hand
    or for all; with ``upto`` suits may also be equal to it. Hands may be those with a card shown.
    """
    longest = int(np.bitwise_count(limit.reshape(-1)[0]))
    held = [int(np.bitwise_count(suit[0])) for suit in suits]
    suit_shown, rank_shown = shown or (None, None)
    at = _place(longest)[limit]
    ways = []
    for place, (many, suit) in enumerate(zip(held, suits, strict=True)):
        table = _lower(longest, many, rank_shown if place == suit_shown else None)[upto]
        ways.append(table[_place(many)[suit], at])
    found = np.zeros(len(suits[0]), np.int64)
    for chosen in range(min(len(suits), dealt // longest) + 1):
        for those in combinations(range(len(suits)), chosen):
            others = tuple(
                (many, place == suit_shown) for place, many in enumerate(held) if place not in those
            )
            shorter = _shorter(others, longest, dealt - chosen * longest)
            if shorter:
                found += shorter * prod((ways[suit] for suit in those), start=np.int64(1))
    return found


@cache
def _place(length: int) -> Ints:
    """By a set of so many ranks, as bits: its place among them."""
    found = np.zeros(1 << 13, np.int64)
    found[holdings(length)] = np.arange(len(holdings(length)))
    return found


@lru_cache(maxsize=32)  # of those with a rank shown each is wanted for a while only
def _lower(longest: int, held: int, shown: int | None) -> tuple[Lengths, Lengths]:
    """Return (what is held, limit): sets as long as the limit without what is held, below it.

    And the same with those up to it; all of them may have a rank that is shown.
    """
    limits, mine = holdings(longest), holdings(held)
    free = ((mine[:, None] & limits) == 0) & (shown is None or limits >> shown & 1 == 1)
    upto = np.cumsum(free, axis=1, dtype=np.int16)
    return upto - free, upto


@cache
def _shorter(suits: tuple[tuple[int, bool], ...], longest: int, cards: int) -> int:
    """Return in how many ways suits get these cards, all shorter.

    Of each some are held, and one may be shown.
    """
    found = [1] + [0] * cards
    for held, shown in suits:
        few = [_ways(13 - held, length, shown) for length in range(longest)]
        found = [
            sum(few[length] * found[at - length] for length in range(min(longest, at + 1)))
            for at in range(cards + 1)
        ]
    return found[cards]


def _ways(left: int, length: int, shown: bool) -> int:
    if not shown:
        return comb(left, length)
    return comb(left - 1, length - 1) if length else 0


# Strengths --------------------------------------------------------------------------------------


@cache
def by_suit(order: str) -> npt.NDArray[np.int16]:
    """Return the strength of every set of ranks that one suit may hold; 0 for none or too many."""
    found = np.zeros(1 << 13, np.int16)
    for ranks, strength in ranking(order).by_suit.items():
        found[ranks] = strength
    return found


def ways_by_strength(order: str, cards: int) -> tuple[int, ...]:
    """Return in how many ways the best suit of so many cards has each strength; 0 is unused."""
    worth, length = by_suit(order), np.bitwise_count(np.arange(1 << 13))
    most = len(ranking(order).classes) + 1
    single = np.zeros((most, cards + 1), np.int64)
    few = length <= cards
    np.add.at(single, (worth[few], length[few]), 1)
    one = np.cumsum(single, axis=0)
    two = _product(one, one)
    upto = _product(two, two)[:, cards]
    return (0, *np.diff(upto).tolist())


def _product(one: Ints, other: Ints) -> Ints:
    """Multiply polynomials, a row each, up to their length."""
    found = np.zeros_like(one)
    for at in range(one.shape[1]):
        found[:, at:] += one[:, [at]] * other[:, : one.shape[1] - at]
    return found
