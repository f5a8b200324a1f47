"""What a dealer may have to have to qualify: the levels at which showdowns are counted at once."""

from functools import cache

import numpy as np

from pitboss.hands import ranking
from pitboss.maths.hand_states import Ints

_ACE = 14
_LOW = 4
"""So many of the lowest categories are what dealers qualify with a rank of."""


@cache
def levels(order: str) -> Ints:
    """Return the strengths at which a category begins, and in the low ones each first rank.

    With an ace in the lowest each second rank, too.

    >>> [ranking("five-card").classes[each - 1].name for each in levels("five-card")[[0, 20, -1]]]
    ['seven high', 'pair of sevens', 'royal flush']
    """
    found: dict[tuple[int, ...], int] = {}
    for hand in ranking(order).classes:
        place = ranking(order).categories.index(hand.category)
        many = 2 if (place, hand.ranks[0]) == (0, _ACE) else 1 if place < _LOW else 0
        found.setdefault((place, *hand.ranks[:many]), hand.strength)
    return np.array([*found.values()])


@cache
def level_of(order: str) -> Ints:
    """Return the level of each strength; of 0, which is no hand, the lowest."""
    every = np.arange(len(ranking(order).classes) + 1)
    return np.maximum(np.searchsorted(levels(order), every, "right") - 1, 0)
