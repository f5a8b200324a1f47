"""Cards dealt at random by the million, as arrays with a column for each deal."""

from collections.abc import Callable
from math import prod

import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, DRAWS, LIMITS, SHUFFLE_BYTES

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


Decks = Bytes
"""A row for each place, the top of the deck first, and a column for each deal."""

_LARGEST = np.array([limit - 1 for limit in LIMITS], np.uint16)


def decks(random_bytes: Callable[[int], bytes], count: int) -> Decks:
    """Shuffle so many whole decks, each as ``cards.shuffled_from`` makes it from the same bytes.

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
