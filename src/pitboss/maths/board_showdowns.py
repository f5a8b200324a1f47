"""Who wins with which hole on which board, counted over every hole that the dealer may have.

For a board every hole is valued once. Sorted by strength, running sums say how many of the dealer's
holes lie below a hand or level with it; those that need a card of the player's are the same sums
over the holes with that card, and are taken off.
"""

from functools import cache
from itertools import combinations

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import astuple

from pitboss.hands import RANK_KEYS, ranking
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, Kinds, kind_sets, plain
from pitboss.maths.hand_states import SIZE, Ints
from pitboss.maths.side_by_side import each

BoardCounts = npt.NDArray[np.int16]

BATCH = 400
"""Boards at a time: enough for numpy, little enough for a processor's own memory."""


class BoardShowdowns(msgspec.Struct, frozen=True):
    """(board, hole): what a hand is worth and how many of the dealer's holes it meets."""

    strength: BoardCounts
    below: BoardCounts
    level: BoardCounts
    low: BoardCounts
    """How many of them do not qualify."""


def rank_strengths(ranks: tuple[int, ...], held: int = 2) -> BoardCounts:
    """(board, cards held beside it) by ranks alone: the strength of the best five, but flushes."""
    kinds = plain(ranks)
    by_sum = np.zeros(max(RANK_KEYS) * SIZE + 1, np.int16)
    for total, strength in ranking("five-card").by_ranks(suited=False).items():
        by_sum[total] = strength
    keys = np.array(RANK_KEYS)[kinds.rank]
    boards, holes = keys[kinds.boards[BOARD]], keys[kind_sets(len(ranks), held)]
    best = np.zeros((len(boards), len(holes)), np.int16)
    for own in range(held + 1):
        for mine in combinations(range(held), own):
            for theirs in combinations(range(BOARD), SIZE - own):
                sums = boards[:, theirs].sum(axis=1)[:, None] + holes[:, mine].sum(axis=1)
                np.maximum(best, by_sum[sums], out=best)
    return best


@cache
def flush_strengths() -> BoardCounts:
    """Return by the ranks held in a suit, as bits, the strength of the best five of them, or 0."""
    best = np.zeros(1 << len(EVERY_RANK), np.int16)
    by_ranks = ranking("five-card").by_ranks(suited=True)
    for five in combinations(EVERY_RANK, SIZE):
        best[sum(1 << rank for rank in five)] = by_ranks[sum(RANK_KEYS[rank] for rank in five)]
    for rank in EVERY_RANK:
        there = np.flatnonzero(np.arange(len(best)) >> rank & 1)
        best[there] = np.maximum(best[there], best[there ^ (1 << rank)])
    return best


def strengths(
    kinds: Kinds, boards: Ints, by_rank: BoardCounts, ranks: tuple[int, ...]
) -> BoardCounts:
    """(board, hole): the strength of the best five of these boards and every hole."""
    if not kinds.mark.any():
        return by_rank[boards]
    every = plain(ranks)
    cards, holes = kinds.boards[BOARD][boards], kinds.holes
    place = every.find(cards % len(ranks))
    hole = every.hole_at[holes[:, 0] % len(ranks), holes[:, 1] % len(ranks)]
    bits = np.where(kinds.mark, 1 << kinds.rank, 0)
    suited = bits[cards].sum(axis=1)[:, None] | np.bitwise_or.reduce(bits[holes], axis=1)
    found: BoardCounts = np.maximum(by_rank[place[:, None], hole], flush_strengths()[suited])
    return found


def below_and_level(strength: BoardCounts, ways: BoardCounts) -> tuple[BoardCounts, BoardCounts]:
    """Return for each entry of a row the ways of those below it and of those level with it."""
    order = np.argsort(strength, axis=1, kind="stable")
    ranked = np.take_along_axis(strength, order, axis=1)
    total = np.cumsum(np.take_along_axis(ways, order, axis=1), axis=1, dtype=np.int16)
    new = ranked[:, 1:] != ranked[:, :-1]
    # A running total never falls: a group's own begins with the greatest that came before it.
    before = np.zeros_like(total)
    before[:, 1:] = np.maximum.accumulate(np.where(new, total[:, :-1], 0), axis=1)
    last = np.full_like(total, np.iinfo(np.int16).max)
    last[:, :-1] = np.where(new, total[:, :-1], last[:, :-1])
    last[:, -1] = total[:, -1]
    upto = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    below, level = np.empty_like(total), np.empty_like(total)
    np.put_along_axis(below, order, before, axis=1)
    np.put_along_axis(level, order, upto - before, axis=1)
    return below, level


def dealers_holes(kinds: Kinds, boards: Ints | slice) -> tuple[BoardCounts, BoardCounts]:
    """(board, kind), (board, hole): the cards that boards leave, and holes made of these."""
    first, second = kinds.holes.T
    left = (kinds.copies - kinds.counted(kinds.boards[BOARD][boards])).astype(np.int16)
    pairs = left[:, first] * (left[:, first] - 1) // 2
    return left, np.where(first == second, pairs, left[:, first] * left[:, second])


def beside(left: BoardCounts) -> BoardCounts:
    """(board, kind, kind): with a card of the first, how many of the second make a hole."""
    found: BoardCounts = np.maximum(left[:, None] - np.eye(left.shape[1], dtype=np.int16), 0)
    return found


def showdowns(kinds: Kinds, boards: Ints, strength: BoardCounts, weakest: int) -> BoardShowdowns:
    """Count the dealer's holes on these boards, for every hole of the player's."""
    many = len(kinds.rank)
    first, second = kinds.holes.T
    left, ways = dealers_holes(kinds, boards)
    below, level = below_and_level(strength, ways)
    low = ((strength < weakest) * ways).sum(axis=1, dtype=np.int16)
    # (board, card held, card beside it): the dealer's holes that would need the card held.
    table = strength[:, kinds.hole_at]
    more = beside(left)
    flat = (len(boards) * many, many)
    under, equal = below_and_level(table.reshape(flat), more.reshape(flat))
    under, equal = under.reshape(table.shape), equal.reshape(table.shape)
    weak = ((table < weakest) * more).sum(axis=2, dtype=np.int16)
    return BoardShowdowns(
        strength=strength,
        below=below - under[:, first, second] - under[:, second, first],
        # The player's own hole was taken off twice, once with each of its cards.
        level=level - equal[:, first, second] - equal[:, second, first] + 1,
        low=low[:, None] - weak[:, first] - weak[:, second] + (strength < weakest),
    )


def every_showdown(kinds: Kinds, weakest: int, ranks: tuple[int, ...]) -> BoardShowdowns:
    """Count them on all boards, batches of these side by side."""
    by_rank, many = rank_strengths(ranks), len(kinds.boards[BOARD])

    def batch(start: int) -> BoardShowdowns:
        boards = np.arange(start, min(start + BATCH, many))
        return showdowns(kinds, boards, strengths(kinds, boards, by_rank, ranks), weakest)

    found = list(each("showdowns", batch, range(0, many, BATCH)))
    columns = zip(*(astuple(some) for some in found), strict=True)
    return BoardShowdowns(*(np.concatenate(column) for column in columns))
