"""How many hands contain given cards and are below a strength: one table for each number of cards.

Whoever knows that can count hands that have none of some cards, by inclusion and exclusion over
them. Cards that differ only in the names of suits share an entry, and each table is had from the
next larger one: a hand that contains some cards contains one more of its others.
"""

from functools import reduce
from itertools import combinations

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.hands import ranking
from pitboss.maths.card_sets import CardNumbers, classes, place
from pitboss.maths.hand_states import KEYS, Ints, strength
from pitboss.maths.side_by_side import each

_SLICE = 64
"""Levels that are worked on at once."""


class Containing(msgspec.Struct, frozen=True):
    """Hands of so many cards by a ranking."""

    ranking: str
    cards: int
    levels: Ints
    """Strengths, rising: all that such hands can have, or some."""
    below: tuple[npt.NDArray[np.signedinteger], ...]
    """For each number of cards contained, all but the last: (level, class of them), hands below;
    where there are all levels, a row for what is above them comes last."""


def containing(order: str, cards: int) -> Containing:
    """Count them for the best of so many cards by a ranking."""
    levels, counts = _with_one_more(order, cards)
    tables: list[npt.NDArray[np.signedinteger]] = [counts]
    for many in range(cards - 2, -1, -1):
        tables.append(_with_fewer(tables[-1], many, cards - many))
    return Containing(order, cards, levels, tuple(reversed(tables)))


def best_of(keys: list[Ints], order: str, fixed: int = 0) -> npt.NDArray[np.int16]:
    """Return the strength of the best of some cards, given by their keys; the last so many count.

    That is, only hands are looked at that have all of these.
    """
    size = ranking(order).size - fixed
    rest, last = (keys[:-fixed], keys[-fixed:]) if fixed else (keys, [])
    sums = (sum((*chosen[1:], *last), chosen[0]) for chosen in combinations(rest, size))
    found: npt.NDArray[np.int16] = reduce(np.maximum, (strength(each, order) for each in sums))
    return found


def _with_one_more(order: str, cards: int) -> tuple[Ints, npt.NDArray[np.int8]]:
    """Return the levels, and the table for all but one of the cards."""
    sets = classes(cards - 1).sets.astype(np.int64)
    keys = list(KEYS[sets].T)
    before = best_of(keys, order) if cards > ranking(order).size else None

    def with_card(card: int) -> npt.NDArray[np.int16]:
        """Return the strength with this card; 0 where it is among the others."""
        found = best_of([*keys, KEYS[card]], order, fixed=1)
        found = found if before is None else np.maximum(found, before)
        return np.where((sets == card).any(axis=1), 0, found)

    found = list(each("hands", with_card, range(52)))
    there = np.zeros(len(ranking(order).classes) + 1, np.bool_)
    for strengths in found:
        there[strengths] = True
    there[0] = False
    levels = np.flatnonzero(there)
    at = np.cumsum(there)  # below no level is everything that is not there
    counts = np.zeros((len(levels) + 1, len(sets)), np.int8)
    flat, which = counts.reshape(-1), np.arange(len(sets))
    for strengths in found:
        flat[at[strengths] * len(sets) + which] += 1
    counts[0] = 0
    for level in range(1, len(counts)):
        counts[level] += counts[level - 1]
    return levels, counts


def _with_fewer(table: npt.NDArray[np.signedinteger], many: int, left: int) -> CardNumbers:
    """Return the table for this many cards from that for one more; so many of a hand are left."""
    sets, number = classes(many).sets, classes(many + 1).number
    cards = np.broadcast_to(np.arange(52, dtype=np.uint8), (len(sets), 52))
    free = (sets[:, :, None] != cards[:, None, :]).all(axis=1)
    one_more = cards[free].reshape(len(sets), 52 - many, 1)
    grown = np.concatenate([np.repeat(sets[:, None], 52 - many, axis=1), one_more], axis=2)
    grown = grown.reshape(-1, many + 1)
    grown.sort(axis=1)
    larger = number[place(grown[:, ::-1])].reshape(len(sets), 52 - many).T.astype(np.intp)
    found = np.zeros((len(table), len(sets)), np.int32)

    def some(first: int) -> None:
        for level in range(first, min(first + _SLICE, len(table))):
            row = table[level].astype(np.int32)
            for each_one in larger:
                found[level] += row.take(each_one, mode="wrap")

    for _ in each("hands", some, range(0, len(table), _SLICE)):
        pass
    found //= left
    return found
