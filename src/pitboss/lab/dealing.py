"""Cards dealt as arrays, a column for each round, and hands followed through tables."""

from collections.abc import Callable, Sequence
from math import prod

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.maths.hand_states import SIZE, Ints, levels

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int16]

CHUNK = 1 << 16
"""Rounds worked on at once: small enough for the processor's cache."""


def chance_of(seed: int, block: int) -> np.random.Generator:
    """Return the randomness of one block, which no other block has a part in."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=(block,))))


def deal(chance: np.random.Generator, rounds: int, count: int) -> Bytes:
    """Deal so many cards to so many rounds: (card, round), the cards of a round all different.

    One number stands for several cards at once: which of 52 x 51 x 50 x 49 x 48 deals it is.
    """
    places = np.empty((count, rounds), np.uint8)
    at = 0
    while at < count:
        sizes = _sizes(at, count)
        left = chance.integers(0, prod(sizes), rounds, np.uint32)
        for place, size in enumerate(sizes, start=at):
            rest = left // np.uint32(size)
            places[place] = left - rest * np.uint32(size)
            left = rest
        at += len(sizes)
    return _lifted(places)


def _sizes(dealt: int, count: int) -> list[int]:
    """Return how large the deck is before each next card, for as many as one number can tell."""
    sizes: list[int] = []
    for size in range(52 - dealt, 52 - count, -1):
        if prod(sizes) * size >= 1 << 32:
            break
        sizes.append(size)
    return sizes


def _lifted(places: Bytes) -> Bytes:
    """Turn places in what is left of the deck into cards: step over each card dealt before."""
    gone: list[Bytes] = []
    for card in places:
        for each in gone:
            card += (card >= each).view(np.uint8)
        last = card.copy()
        for index, each in enumerate(gone):
            gone[index], last = np.minimum(each, last), np.maximum(each, last)
        gone.append(last)
    return places


class Walk(msgspec.Struct, frozen=True):
    """Where each card leads, as tables: three cards at once, then one after the other."""

    first: Ints
    """By the first three cards: the place in the next table."""
    middle: tuple[Ints, ...]
    """By place plus card: the place in the next table."""
    last: Numbers
    """By place plus card: what it comes to."""

    def follow(self, rows: Sequence[Bytes]) -> Numbers:
        """Return what each round's five cards come to, in the order in which they are seen."""
        at = rows[0].astype(np.intp)
        for row in rows[1:_LEAD]:
            at *= 52
            at += row
        at = self.first.take(at, mode="wrap")
        for table, row in zip(self.middle, rows[_LEAD:], strict=False):
            at += row
            at = table.take(at, mode="wrap")
        at += rows[-1]
        return self.last.take(at, mode="wrap")


_LEAD = 3


class Nodes(msgspec.Struct, frozen=True):
    """Situations of a hand: state of the ladder, suit while it has one, stake; or how it ended."""

    state: Ints
    suit: Ints
    column: Ints
    over: Ints
    """The ending, or -1."""

    def unique(self) -> tuple["Nodes", Ints]:
        """Return each situation once, and where each of these went."""
        rows = np.stack([self.state, self.suit, self.column, self.over])
        rows[:3, self.over >= 0] = 0
        names = np.ravel_multi_index(tuple(rows + 1), (8192, 8, 128, 4096))
        _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
        return Nodes(*rows[:, first]), inverse


def walk(decide: Callable[[int, Nodes], Nodes], end: Callable[[Nodes], Ints]) -> Walk:
    """Make the tables: ``decide`` is asked after each number of cards, ``end`` after the last."""
    nodes = decide(0, Nodes(*(np.array([each]) for each in (0, -1, 0, -1))))
    tables: list[Ints] = []
    for seen in range(SIZE):
        grown = decide(seen + 1, _grown(seen, nodes))
        if seen + 1 == SIZE:
            tables.append(end(grown))
        else:
            nodes, after = grown.unique()
            tables.append(after * 52)
    lead = tables[0]
    for table in tables[1:_LEAD]:
        lead = table[(lead[:, None] + np.arange(52)).ravel()]
    return Walk(lead, tuple(tables[_LEAD:-1]), tables[-1].astype(np.int16))


def _grown(seen: int, nodes: Nodes) -> Nodes:
    level, card = levels()[seen], np.arange(52)
    state, suit, column, over = (
        np.repeat(each, 52) for each in (nodes.state, nodes.suit, nodes.column, nodes.over)
    )
    rank, mine = (np.tile(each, len(nodes.state)) for each in (card >> 2, card & 3))
    state = np.where(over >= 0, 0, state)
    same = level.suited[state] & ((suit == mine) | (seen == 0))
    return Nodes(level.after[state, 2 * rank + same], np.where(same, mine, -1), column, over)
