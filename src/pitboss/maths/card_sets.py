"""Sets of cards, and classes of them that differ only in the names of suits."""

from functools import cache
from math import comb

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.maths.hand_states import Ints, choices

Sets = npt.NDArray[np.uint8]
"""(set, card): the highest card first."""
CardNumbers = npt.NDArray[np.int32]
Masks = npt.NDArray[np.int16]
"""(suit, set): the ranks in each suit, as bits."""

LARGEST = 6
"""Sets of at most so many cards."""

CHOOSE: CardNumbers = np.array(
    [[comb(card, many) for card in range(53)] for many in range(LARGEST + 1)], np.int32
)
"""(how many, of how many): in how many ways; its sum over a set's cards is the set's place."""


def place(sets: Sets) -> CardNumbers:
    """Return the place of each set among all of so many cards, as ``choices`` orders them.

    >>> place(choices(52, 3)[[0, 700, 22_099]]).tolist()
    [0, 700, 22099]
    """
    many = sets.shape[1]
    found = np.zeros(len(sets), np.int32)
    for at in range(many):
        found += CHOOSE[many - at][sets[:, at]]
    return found


class Classes(msgspec.Struct, frozen=True):
    """The classes of all sets of so many cards."""

    sets: Sets
    """One of each class."""
    suits: Masks
    """The same, with suits in a rising order where they are not told apart."""
    ways: Ints
    """How many sets are of it."""
    number: CardNumbers
    """By the place of a set: its class."""


@cache
def classes(many: int, told_apart: int = 0) -> Classes:
    """Return the classes, while the first so many suits are told apart from the others.

    >>> [len(classes(many).ways) for many in range(5)]
    [1, 13, 169, 1755, 16432]
    >>> len(classes(2, told_apart=1).ways)
    416
    """
    sets = choices(52, many)
    bits = np.left_shift(1, 13 * (np.arange(52) & 3) + (np.arange(52) >> 2))
    every = np.zeros(len(sets), np.int64)
    for column in sets.T:
        every += bits[column]
    suits = [every >> 13 * suit & 0x1FFF for suit in range(4)]
    ordered = np.stack([*suits[:told_apart], *_sorted(suits[told_apart:])])
    _, first, number, ways = np.unique(
        names(ordered), return_index=True, return_inverse=True, return_counts=True
    )
    held = ordered[:, first].astype(np.int16)
    return Classes(sets[first], held, ways, number.astype(np.int32))


def names(suits: npt.NDArray[np.signedinteger]) -> Ints:
    """Return one number for what is in the four suits: classes are in its order."""
    found = np.zeros(suits.shape[1], np.int64)
    for suit in suits:
        found = found << 13 | suit
    return found


def _sorted(columns: list[Ints]) -> list[Ints]:
    """Sort a few long columns against each other, place by place: quicker than numpy's own."""
    found = list(columns)
    for last in range(len(found) - 1, 0, -1):
        for at in range(last):
            pair = found[at], found[at + 1]
            found[at], found[at + 1] = np.minimum(*pair), np.maximum(*pair)
    return found
