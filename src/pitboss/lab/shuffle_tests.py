"""Is this shuffle fair? Decks are counted in many ways, and each is compared with what is exact.

Only counts are kept, so any number of decks can be looked at, in parts and anywhere:

>>> import random
>>> from pitboss.lab.random_deals import decks
>>> chance = random.Random(7)
>>> counted = [count(decks(chance.randbytes, 5_000)) for _ in range(2)]
>>> judge(add(*counted)).fair
True
>>> twice = np.repeat(decks(chance.randbytes, 5_000), 2, axis=1)
>>> "next deal" in [result.test for result in judge(count(twice)).failed]
True
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import asdict

from pitboss.hands import ranking
from pitboss.lab.chi_square import Fit, of_classes, of_cycles, of_permutations
from pitboss.lab.random_deals import Decks
from pitboss.maths.hand_states import KEYS, Ints, strength

CARDS = 52
CONFIDENCE = 0.99
"""How often a fair shuffle passes all tests together."""


class DeckCounts(msgspec.Struct, frozen=True):
    """What was counted in some decks."""

    deals: int
    counts: dict[str, Ints]
    """By the test's name."""


class ShuffleTest(msgspec.Struct, frozen=True):
    """One way of looking at decks."""

    name: str
    what: str
    """What is counted, for people."""
    count: Callable[[Decks], Ints]
    judge: Callable[[Ints], Fit]


class Result(msgspec.Struct, frozen=True):
    """What one test found."""

    test: str
    what: str
    statistic: float
    freedom: int
    p: float
    fair: bool


class Verdict(msgspec.Struct, frozen=True):
    """What all tests found together."""

    deals: int
    needed: float
    """The smallest p-value that passes: one per cent, shared out over the tests."""
    results: tuple[Result, ...]

    @property
    def failed(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if not result.fair)

    @property
    def fair(self) -> bool:
        return not self.failed


def count(decks: Decks) -> DeckCounts:
    """Look at decks, in the order in which they were dealt, in every way."""
    return DeckCounts(decks.shape[1], {test.name: test.count(decks) for test in BATTERY})


def add(one: DeckCounts, other: DeckCounts) -> DeckCounts:
    counts = {name: counted + other.counts[name] for name, counted in one.counts.items()}
    return DeckCounts(one.deals + other.deals, counts)


def judge(tally: DeckCounts) -> Verdict:
    needed = (1 - CONFIDENCE) / len(BATTERY)
    results = []
    for test in BATTERY:
        fit = test.judge(tally.counts[test.name])
        named = {"test": test.name, "what": test.what, **asdict(fit)}
        results.append(Result(**named, p=fit.p, fair=fit.p >= needed))
    return Verdict(tally.deals, needed, tuple(results))


# What is counted --------------------------------------------------------------------------------

_PLACES = np.arange(CARDS, dtype=np.uint8)[:, None]


def _pairs(one: Decks, other: Decks) -> Ints:
    """Count each pair of values, as a table of 52 by 52."""
    numbers = one * np.uint16(CARDS) + other
    return np.bincount(numbers.ravel(), minlength=CARDS * CARDS).reshape(CARDS, CARDS)


def _by_position(decks: Decks) -> Ints:
    return _pairs(_PLACES, decks)


def _neighbours(decks: Decks) -> Ints:
    """The bottom card is followed by the top one, so that each card is followed by another."""
    return _pairs(decks, np.roll(decks, -1, axis=0))


def _next_deal(decks: Decks) -> Ints:
    return _pairs(decks[:, :-1], decks[:, 1:])


def _how_many(found: npt.NDArray[np.bool_]) -> Ints:
    """Count the deals in which something is so 0, 1, 2 ... times."""
    return np.bincount(found.sum(axis=0, dtype=np.uint8), minlength=CARDS + 1)


def _falls(rows: Decks) -> Ints:
    return _how_many(rows[1:] < rows[:-1])


def _inverse(decks: Decks) -> Decks:
    """Return where each card lies, a row for each card."""
    count = decks.shape[1]
    found = np.empty_like(decks)
    found.reshape(-1)[decks * np.intp(count) + np.arange(count)] = _PLACES
    return found


def _rising(decks: Decks) -> Ints:
    return _falls(_inverse(decks))


def _in_place(decks: Decks) -> Ints:
    return _how_many(decks == _PLACES)


def _repeated(decks: Decks) -> Ints:
    return _how_many(decks[:, 1:] == decks[:, :-1])


def _cycles(decks: Decks) -> Ints:
    """Follow each card to its place, the card there to its own: how many rings of cards are there?

    Twice as far in each step, every card learns of the lowest card in its ring.
    """
    count = decks.shape[1]
    leads = (decks * np.intp(count) + np.arange(count)).ravel()
    lowest = np.repeat(_PLACES, count, axis=1).ravel()
    for _ in range(CARDS.bit_length()):
        lowest = np.minimum(lowest, lowest[leads])
        leads = leads[leads]
    return _how_many(lowest.reshape(decks.shape) == _PLACES)


def _colours(decks: Decks) -> Ints:
    """Clubs and spades are 0 and 3, diamonds and hearts 1 and 2."""
    red = (decks + 1) & 2
    return _how_many(red[1:] != red[:-1])


def _first_ace(decks: Decks) -> Ints:
    return np.bincount((decks >= CARDS - 4).argmax(axis=0), minlength=CARDS - 3)


def _hands(name: str, places: slice) -> Callable[[Decks], Ints]:
    def counted(decks: Decks) -> Ints:
        found = strength(KEYS[decks[places]].sum(axis=0), name)
        return np.bincount(_categories(name)[found], minlength=len(ranking(name).categories))

    return counted


@cache
def _categories(name: str) -> npt.NDArray[np.uint8]:
    """Return the category of each strength; index 0 is unused."""
    kind = ranking(name)
    return np.array([0, *(kind.categories.index(hand.category) for hand in kind.classes)], np.uint8)


# What is exact: in how many orders of the deck, up to a common factor -----------------------------


def orders_by_falls() -> list[int]:
    """Count orders by how often a card is lower than the one before it: Eulerian numbers."""
    row = [1]
    for n in range(2, CARDS + 1):
        longer = [0, *row, 0]
        row = [(k + 1) * longer[k + 1] + (n - k) * longer[k] for k in range(n)]
    return [*row, 0]


def orders_by_cycles() -> list[int]:
    """Count orders by their rings of cards: Stirling numbers of the first kind."""
    row = [1]
    for n in range(CARDS):
        row = [low + n * high for low, high in zip([0, *row], [*row, 0], strict=True)]
    return row


def orders_by_matches() -> list[int]:
    """Count orders by how many cards agree with another order: rencontres numbers."""
    none = [1, 0]
    for n in range(2, CARDS + 1):
        none.append((n - 1) * (none[-1] + none[-2]))
    return [comb(CARDS, k) * none[CARDS - k] for k in range(CARDS + 1)]


def orders_by_colours() -> list[int]:
    """Count orders by changes between red and black, 26 cards of each."""
    half = CARDS // 2 - 1
    return [comb(half, k // 2) * comb(half, (k - 1) // 2) if k else 0 for k in range(CARDS + 1)]


def orders_by_first_ace() -> list[int]:
    """Count places of four aces by the first of them."""
    return [comb(CARDS - 1 - place, 3) for place in range(CARDS - 3)]


FIVE_CARDS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
"""Of 2,598,960 hands, by category from high card to royal flush."""

THREE_CARDS = (16440, 3744, 1096, 720, 52, 44, 4)
"""Of 22,100 hands, by category from high card to mini-royal."""


def _like(weights: Sequence[int]) -> Callable[[Ints], Fit]:
    return lambda counts: of_classes(counts, weights)


_BY_FALLS, _BY_CYCLES = _like(orders_by_falls()), _like(orders_by_cycles())
_BY_MATCHES, _BY_COLOURS = _like(orders_by_matches()), _like(orders_by_colours())
_BY_ACE, _FIVE, _THREE = _like(orders_by_first_ace()), _like(FIVE_CARDS), _like(THREE_CARDS)

BATTERY = (
    ShuffleTest("card by position", "each card at each place", _by_position, of_permutations),
    ShuffleTest("neighbours", "each card after each other card", _neighbours, of_cycles),
    ShuffleTest("next deal", "which card takes each card's place", _next_deal, of_permutations),
    ShuffleTest("next deal, same", "cards that lie where they lay before", _repeated, _BY_MATCHES),
    ShuffleTest("runs up", "runs of ascending cards", _falls, _BY_FALLS),
    ShuffleTest("rising sequences", "what is left of the order of a new deck", _rising, _BY_FALLS),
    ShuffleTest("runs of colour", "runs of red and black", _colours, _BY_COLOURS),
    ShuffleTest("cycles", "rings of cards that took each other's places", _cycles, _BY_CYCLES),
    ShuffleTest("in place", "cards where a new deck has them", _in_place, _BY_MATCHES),
    ShuffleTest("gap", "cards before the first ace", _first_ace, _BY_ACE),
    ShuffleTest("first five", "five-card hands off the top", _hands("five-card", slice(5)), _FIVE),
    ShuffleTest(
        "last five", "five-card hands off the bottom", _hands("five-card", slice(-5, None)), _FIVE
    ),
    ShuffleTest(
        "first three", "three-card hands off the top", _hands("three-card", slice(3)), _THREE
    ),
)
"""Every test. They may depend on each other: one per cent can be shared out over them even so."""
