"""Five-card strength of many hands at once: a sum of keys and one look-up."""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pitboss.hands import CARD_KEYS, SUIT_SHIFT, ranking
from pitboss.maths.hand_states import SIZE, Ints

KEYS: Ints = np.array(CARD_KEYS, np.int64)
"""The key of each card: its rank's in the low bits, its suit's above."""

_RANK_MASK = (1 << SUIT_SHIFT) - 1


@cache
def _tables() -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    """Return strength by (suited, sum of rank keys), and which suit sums are flushes."""
    five = ranking("five-card")
    found = np.zeros((2, 1 << (SUIT_SHIFT - 1)), np.int16)
    for suited in (False, True):
        for key, strength in five.by_ranks(suited=suited).items():
            found[int(suited), key] = strength
    flush = np.zeros(1 << 16, np.bool_)
    flush[[five.size << (4 * suit) for suit in range(4)]] = True
    return found, flush


def strength(sums: Ints) -> npt.NDArray[np.int16]:
    """Return the strength of hands whose cards' keys sum to these.

    >>> from pitboss.cards import cards
    >>> int(strength(KEYS[list(cards("As Ks Qs Js Ts"))].sum()))
    7462
    """
    table, flush = _tables()
    found: npt.NDArray[np.int16] = table[
        flush[sums >> SUIT_SHIFT].astype(np.int8), sums & _RANK_MASK
    ]
    return found


def best(keys: Sequence[Ints]) -> npt.NDArray[np.int16]:
    """Return the strength of the best five of several cards: one array of keys for each card."""
    sums = (sum(chosen[1:], chosen[0]) for chosen in combinations(keys, SIZE))
    found: npt.NDArray[np.int16] = reduce(np.maximum, map(strength, sums))
    return found
