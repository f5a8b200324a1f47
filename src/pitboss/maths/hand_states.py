"""What is seen of a growing hand, card by card, with suits kept only while they can make a flush.

Of a hand that grows to five cards or more, of which the best five count, all that matters is the
multiset of its ranks and, for each suit that can still fill up to five cards, the ranks held in it.
For five cards that makes 1, 13, 169, 741, 2,535 and 7,462 states for none to five cards seen, for
seven up to 190,346, and whole integers for the ways from one to the next.
"""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache, reduce
from itertools import chain, combinations
from math import comb, factorial
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import Card
from pitboss.hands import CARD_KEYS, RANK_KEYS, SUIT_SHIFT, ranking

Ints = npt.NDArray[np.int64]

SIZE = 5
"""How many cards make a hand."""
LARGEST = 7
"""The best five of at most so many cards."""

_WIDE_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""The sum of these over up to seven cards names the multiset of their ranks."""

SAFE = 1 << 62
"""Sums below this have room in sixty-four bits."""


class Level(msgspec.Struct, frozen=True, dict=True):
    """All states after so many cards of a hand that grows to a given size."""

    size: int
    """How many cards the hand grows to."""
    seen: int
    """How many there are now."""
    names: Ints
    """Each state's name, sorted: the sum of its rank keys, then the suits that count."""
    counts: Ints
    """(state, rank): how many cards of each rank."""
    suits: Ints
    """(state, slot): the ranks held in each suit that counts, as bits, largest first."""
    after: Ints
    """(state, way): the state of the next level; ways by rank and then any other suit, each slot.

    With five cards that is 26 ways, by rank and then unsuited, suited.
    """
    ways: Ints
    """(state, way): how many cards lead there."""

    @cached_property
    def keys(self) -> Ints:
        """Names for hands of five: twice the sum of the rank keys, plus one while it is suited."""
        found: Ints = 2 * (self.counts @ np.array(RANK_KEYS)) + self.suited
        return found

    @cached_property
    def suited(self) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = np.bitwise_count(self.suits).max(axis=1) == self.seen
        return found

    def find(self, ranks: tuple[int, ...], *, suited: bool) -> int:
        """Return the state of a hand of five that these ranks (2 to 14) are in."""
        key = 2 * sum(RANK_KEYS[rank - 2] for rank in ranks) + suited
        return int(np.searchsorted(self.keys, key))

    def state(self, cards: Sequence[Card]) -> int:
        rank_keys, least = _rank_keys(self.size), _least(self.size, self.seen)
        name, held = 0, [0, 0, 0, 0]
        for card in cards:
            name += rank_keys[card >> 2]
            held[card & 3] |= 1 << (card >> 2)
        kept = [suit for suit in held if suit.bit_count() >= least]
        slots = (*sorted(kept, reverse=True), 0, 0, 0, 0)[: self.suits.shape[1]]
        return self._places[_named(name, slots)]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {name: place for place, name in enumerate(self.names.tolist())}

    def ranks(self, state: int) -> tuple[int, ...]:
        held = self.counts[state]
        return tuple(rank + 2 for rank in range(12, -1, -1) for _ in range(held[rank]))


def _rank_keys(size: int) -> tuple[int, ...]:
    return RANK_KEYS if size == SIZE else _WIDE_KEYS


def _least(size: int, seen: int) -> int:
    """Return how many cards a suit has at least that can still make a flush."""
    return SIZE - (size - seen)


def _named(rank_sum: Any, slots: Iterable[Any]) -> Any:
    for slot in slots:
        rank_sum = rank_sum << 13 | slot
    return rank_sum


def levels(size: int = SIZE) -> tuple[Level, ...]:
    """Return the levels for none to all cards of a hand that grows to so many."""
    return _levels(size)


@cache
def _levels(size: int) -> tuple[Level, ...]:
    rank_keys = np.array(_rank_keys(size), np.int64)
    sums = names = np.zeros(1, np.int64)
    counts, suits = np.zeros((1, 13), np.int64), np.zeros((1, 1), np.int64)
    found = []
    for seen in range(size):
        ways = _ways(counts, suits, empty=_least(size, seen) <= 0)
        there = ways > 0
        grown, sums_after = _grown(suits, _least(size, seen + 1)), sums[:, None] + rank_keys
        width = int((grown > 0).sum(axis=3)[there].max())
        # While suits without cards can fill up too, they share one more slot.
        width = min(4, width + (_least(size, seen + 1) <= 0)) or 1
        grown = np.pad(grown, ((0, 0),) * 3 + ((0, 1),))[..., :width]
        names_after = _named(sums_after[:, :, None], np.moveaxis(grown, 3, 0))
        next_names, first = np.unique(names_after[there], return_index=True)
        after = np.where(there, np.searchsorted(next_names, names_after), 0)
        found.append(
            Level(
                size=size,
                seen=seen,
                names=names,
                counts=counts,
                suits=suits,
                after=after.reshape(len(names), -1),
                ways=ways.reshape(len(names), -1),
            )
        )
        # Any one way into a state tells its ranks and suits.
        source, rank, way = (index[first] for index in np.nonzero(there))
        names, sums = next_names, sums_after[source, rank]
        counts, suits = counts[source], grown[source, rank, way]
        counts[np.arange(len(names)), rank] += 1
    none = np.zeros((len(names), 0), np.int64)
    last = Level(
        size=size, seen=size, names=names, counts=counts, suits=suits, after=none, ways=none
    )
    return (*found, last)


def _ways(counts: Ints, suits: Ints, *, empty: bool) -> Ints:
    """Return (state, rank, way): how many cards of a rank are in other suits, and in each slot."""
    many = (suits > 0).astype(np.int64)
    if empty:
        held = many.sum(axis=1)
        some = held < suits.shape[1]
        many[some, held[some]] = 4 - held[some]
    slots = np.where(suits[:, None, :] >> np.arange(13)[:, None] & 1, 0, many[:, None, :])
    return np.concatenate([(4 - counts - slots.sum(axis=2))[:, :, None], slots], axis=2)


def _grown(suits: Ints, least: int) -> Ints:
    """Return (state, rank, way, slot): the suits with one more card, without those that are out."""
    slots = suits.shape[1]
    found = np.tile(suits[:, None, None, :], (1, 13, 1 + slots, 1))
    for slot in range(slots):
        found[:, :, 1 + slot, slot] |= 1 << np.arange(13)
    found[np.bitwise_count(found) < least] = 0
    return -np.sort(-found, axis=3) if slots > 1 else found


def strengths(size: int = SIZE) -> Ints:
    """Return the five-card strength of each state of the last level: of the best five."""
    return _strengths(size)


@cache
def _strengths(size: int) -> Ints:
    last, ((plain, suited), _) = levels(size)[size], _tables("five-card")
    every = np.arange(1 << 13)
    flush = np.zeros(len(every), np.int64)
    sets = np.array(list(combinations(range(13), SIZE)))
    flush[(1 << sets).sum(axis=1)] = suited[np.array(RANK_KEYS)[sets].sum(axis=1)]
    for many in range(SIZE + 1, size + 1):
        more = every[np.bitwise_count(every) == many]
        flush[more] = np.max([flush[more & ~(1 << rank)] for rank in range(13)], axis=0)
    found = flush[last.suits[:, 0]]
    held = np.nonzero(np.arange(4) < last.counts[:, :, None])[1].reshape(-1, size)
    keys = np.array(RANK_KEYS)[held].T
    for chosen in combinations(keys, SIZE):
        found = np.maximum(found, plain[np.sum(chosen, axis=0)])
    return found


def whole(numbers: Sequence[Any], times: int = 1) -> Ints:
    """Return whole numbers, however large, as an array with room for sums of so many of them.

    >>> whole([1, -2]).dtype, whole([10**15, -2], times=10**6).dtype
    (dtype('int64'), dtype('O'))
    """
    found = np.array(numbers, object)
    return found.astype(np.int64) if int(np.abs(found).max()) * times < SAFE else found


def roomy(worth: Ints, times: int) -> Ints:
    """Return these as integers that have room for sums of so many of them."""
    if int(np.abs(worth).max()) * times < SAFE:
        return worth
    return worth.astype(object)  # Python's own integers have no limit


def step_back(level: Level, worth: Ints) -> Ints:
    """Sum the worth of the next level's states over the cards that lead there."""
    worth = roomy(worth, 52 - level.seen)
    summed = np.zeros((len(level.after), worth.shape[1]), worth.dtype)
    for after, ways in zip(level.after.T, level.ways.T, strict=True):
        summed += worth[after] * ways[:, None]
    return summed


def back_to(ladder: Sequence[Level], to: int, at: int, worth: Ints) -> Ints:
    """Step back from where ``at`` cards are seen to where ``to`` are."""
    for level in reversed(ladder[to:at]):
        worth = step_back(level, worth)
    return worth


def on_to(ladder: Sequence[Level], to: int, at: int, held: Ints) -> Ints:
    """Carry how often each state is reached on from ``at`` cards to where ``to`` are seen."""
    for level in ladder[at:to]:
        into = level.after.ravel()
        # Every count is far below 2**53, so that sums of floats are exact.
        columns = [np.bincount(into, (each[:, None] * level.ways).ravel()) for each in held.T]
        held = np.stack(columns, axis=1).astype(np.int64)
    return held


@cache
def hands(size: int) -> Ints:
    """Return how many hands of so many cards are in each state of the last level."""
    return on_to(levels(size), size, 0, np.ones((1, 1), np.int64))[:, 0] // factorial(size)


# Many hands at once: a sum of keys and one look-up ----------------------------------------------

KEYS: Ints = np.array(CARD_KEYS, np.int64)
"""The key of each card: its rank's in the low bits, its suit's above."""

RANK_MASK = (1 << SUIT_SHIFT) - 1


@cache
def _tables(order: str) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    """Return strength by (suited, sum of rank keys), and which suit sums are of one suit."""
    kind = ranking(order)
    found = np.zeros((2, 1 << (SUIT_SHIFT - 1)), np.int16)
    for suited in (False, True):
        for key, strength in kind.by_ranks(suited=suited).items():
            found[int(suited), key] = strength
    flush = np.zeros(1 << 16, np.bool_)
    flush[[kind.size << (4 * suit) for suit in range(4)]] = True
    return found, flush


def strength(sums: Ints, order: str = "five-card") -> npt.NDArray[np.int16]:
    """Return the strength of hands whose cards' keys sum to these.

    >>> from pitboss.cards import cards
    >>> int(strength(KEYS[list(cards("As Ks Qs Js Ts"))].sum()))
    7462
    """
    table, flush = _tables(order)
    found: npt.NDArray[np.int16] = table[
        flush[sums >> SUIT_SHIFT].astype(np.int8), sums & RANK_MASK
    ]
    return found


@lru_cache(maxsize=8)
def choices(cards: int, many: int) -> npt.NDArray[np.uint8]:
    """Return every choice of so many cards, a row each: highest first, and rows in rising order."""
    every = chain.from_iterable(combinations(range(cards - 1, -1, -1), many))
    found = np.fromiter(every, np.uint8, comb(cards, many) * many)
    return found.reshape(comb(cards, many), many)[::-1]


def best(keys: Sequence[Ints]) -> npt.NDArray[np.int16]:
    """Return the strength of the best five of several cards: one array of keys for each card."""
    sums = (sum(chosen[1:], chosen[0]) for chosen in combinations(keys, SIZE))
    found: npt.NDArray[np.int16] = reduce(np.maximum, map(strength, sums))
    return found
