"""What is seen of a five-card hand, card by card, with suits counted and not kept.

While a hand grows to five cards, all that matters is the multiset of its ranks and whether it is
still of one suit. That makes 1, 13, 169, 741, 2,535 and 7,462 states for none to five cards seen,
and whole integers for the ways from one to the next.
"""

from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.hands import RANK_KEYS, ranking

Ints = npt.NDArray[np.int64]

SIZE = 5


class Level(msgspec.Struct, frozen=True):
    """All states after so many cards."""

    seen: int
    """How many cards."""
    keys: Ints
    """Each state's name, sorted: twice the sum of its rank keys, plus one while it is suited."""
    counts: Ints
    """(state, rank): how many cards of each rank."""
    suited: npt.NDArray[np.bool_]
    """Whether all cards are of one suit."""
    after: Ints
    """(state, way): the state of the next level; 26 ways, by rank and then unsuited, suited."""
    ways: Ints
    """(state, way): how many cards lead there."""

    def find(self, ranks: tuple[int, ...], *, suited: bool) -> int:
        """Return the state that these ranks (2 to 14) are in."""
        key = 2 * sum(RANK_KEYS[rank - 2] for rank in ranks) + suited
        return int(np.searchsorted(self.keys, key))

    def ranks(self, state: int) -> tuple[int, ...]:
        """Return the ranks of a state, highest first."""
        held = self.counts[state]
        return tuple(rank + 2 for rank in range(12, -1, -1) for _ in range(held[rank]))


@cache
def levels() -> tuple[Level, ...]:
    """Return the levels for none to five cards."""
    found = []
    counts = np.zeros((1, 13), np.int64)
    suited = np.ones(1, np.bool_)
    keys = np.ones(1, np.int64)
    rank_keys = 2 * np.array(RANK_KEYS, np.int64)
    for seen in range(SIZE + 1):
        same = np.where(suited[:, None] & (counts == 0), 4 if seen == 0 else 1, 0)
        ways = np.stack([4 - counts - same, same], axis=2)
        towards = (keys - suited)[:, None, None] + rank_keys[None, :, None] + np.array([0, 1])
        flat_ways, flat_towards = ways.reshape(-1, 26), towards.reshape(-1, 26)
        next_keys = np.unique(flat_towards[flat_ways > 0])
        after = np.where(flat_ways > 0, np.searchsorted(next_keys, flat_towards), 0)
        found.append(Level(seen, keys, counts, suited, after, flat_ways))
        # Any one way into a state tells its counts.
        source, way = np.nonzero(flat_ways > 0)
        into, first = np.unique(after[source, way], return_index=True)
        next_counts = counts[source[first]]
        next_counts[into, way[first] // 2] += 1
        keys, counts, suited = next_keys, next_counts, (next_keys & 1).astype(np.bool_)
    return tuple(found)


@cache
def strengths() -> Ints:
    """Return the five-card strength of each state of the last level."""
    five = ranking("five-card")
    keys = levels()[SIZE].keys
    return np.array([five.of_ranks(int(key) >> 1, suited=bool(key & 1)) for key in keys], np.int64)


def step_back(level: Level, worth: Ints) -> Ints:
    """Sum the worth of the next level's states over the cards that lead there."""
    summed: Ints = (worth[level.after] * level.ways[:, :, None]).sum(axis=1)
    return summed


def step_on(level: Level, held: Ints) -> Ints:
    """Carry how often each state is reached on to the next level."""
    reached = np.zeros((int(level.after.max()) + 1, held.shape[1]), np.int64)
    np.add.at(reached, level.after, held[:, None, :] * level.ways[:, :, None])
    return reached
