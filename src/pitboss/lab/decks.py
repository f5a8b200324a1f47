"""Whole decks by the million, each as ``cards.shuffled_from`` makes it from the same bytes."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, DRAWS, LIMITS, SHUFFLE_BYTES

Decks = npt.NDArray[np.uint8]
"""A row for each place, the top of the deck first, and a column for each deal."""

_LARGEST = np.array([limit - 1 for limit in LIMITS], np.uint16)


def decks(random_bytes: Callable[[int], bytes], count: int) -> Decks:
    """Shuffle so many decks.

    >>> import random
    >>> from pitboss.cards import shuffled_from
    >>> decks(random.Random(7).randbytes, 1)[:, 0].tolist() == list(
    ...     shuffled_from(random.Random(7).randbytes)
    ... )
    True
    """
    numbers = np.empty((0, len(DRAWS)), np.uint16)
    while missing := count - len(numbers):
        drawn = np.frombuffer(random_bytes(missing * SHUFFLE_BYTES), "<u2").reshape(missing, -1)
        kept = (drawn <= _LARGEST).all(axis=1)
        numbers = np.concatenate((numbers, drawn[kept]))
    return _swapped(numbers.T.copy())


def _swapped(numbers: npt.NDArray[np.uint16]) -> Decks:
    """Make every deck's swaps, one draw after the other."""
    count = numbers.shape[1]
    found = np.repeat(np.arange(len(DECK), dtype=np.uint8)[:, None], count, axis=1)
    flat, columns = found.reshape(-1), np.arange(count)
    for places, drawn in zip(DRAWS, numbers, strict=True):
        # The remainder, by a division that numpy does many at a time.
        drawn -= drawn // np.uint16(places) * np.uint16(places)
        at = drawn * np.intp(count) + columns
        last = flat[at]
        flat[at] = found[places - 1]
        found[places - 1] = last
    return found
