"""Boards of real cards up to the names of suits, with every hole that may be held beside them.

A player decides with cards in hand, so that what was summed up by kinds is put together here: as
if there were no flushes, and then what each suit in reach changes. Boards that differ only in which
suit is which are one: 1,755 of three cards, 16,432 of four.
"""

from functools import cache, cached_property
from itertools import combinations, permutations

import msgspec
import numpy as np

from pitboss.maths.board_kinds import EVERY_RANK, SUITS, Bools, marked, plain
from pitboss.maths.hand_states import Ints

_SUIT_ORDERS = np.array(list(permutations(range(SUITS))))


class Boards(msgspec.Struct, frozen=True, dict=True):
    """All boards of so many cards; a card is four times its rank's place in the deck plus suit."""

    ranks: tuple[int, ...]
    cards: Ints
    """(board, card)."""
    ways: Ints
    """(board): how many boards it stands for."""

    @cached_property
    def holes(self) -> Ints:
        """(hole, 2)."""
        return np.array(list(combinations(range(SUITS * len(self.ranks)), 2)))

    @cached_property
    def free(self) -> Bools:
        """(board, hole): whether no card of the hole lies on the board."""
        taken = np.zeros((len(self.cards), SUITS * len(self.ranks)), np.bool_)
        np.put_along_axis(taken, self.cards, values=True, axis=1)
        return ~(taken[:, self.holes[:, 0]] | taken[:, self.holes[:, 1]])

    @cached_property
    def by_rank(self) -> tuple[Ints, Ints]:
        """(board), (hole): the place of each among kinds of ranks alone."""
        kinds, hole = plain(self.ranks), self.holes // SUITS
        return kinds.find(self.cards // SUITS), kinds.hole_at[hole[:, 0], hole[:, 1]]

    @cached_property
    def by_suit(self) -> tuple[tuple[Ints, Ints], ...]:
        """The same for each suit as the mark; a board that leaves it out of reach is past the last."""
        return tuple(self._marked(suit) for suit in range(SUITS))

    def _marked(self, suit: int) -> tuple[Ints, Ints]:
        kinds = marked(self.ranks)
        cards, hole = (
            sets // SUITS + np.where(sets % SUITS == suit, 0, len(self.ranks))
            for sets in (self.cards, self.holes)
        )
        return kinds.find(cards), kinds.hole_at[hole[:, 0], hole[:, 1]]

    def together(self, plainly: Ints, change: Ints, boards: slice = slice(None)) -> Ints:
        """(board, hole): put together what is worth how much by ranks, and what a mark changes."""
        rows, holes = self.by_rank
        found = plainly[rows[boards]][:, holes]
        change = np.vstack([change, np.zeros_like(change[:1])])
        for rows, holes in self.by_suit:
            some = np.flatnonzero(rows[boards] < len(change) - 1)
            found[some] += change[rows[boards][some]][:, holes]
        return found

    def apart(self, ways: Ints) -> tuple[Ints, Ints]:
        """Take ways to come to boards and holes apart again: by ranks, and by each mark."""
        kinds, marks = plain(self.ranks), marked(self.ranks)
        cards = self.cards.shape[1]
        by_rank = _summed(ways, *self.by_rank, len(kinds.boards[cards]), len(kinds.holes))
        by_mark = [
            _summed(ways, *each, len(marks.boards[cards]), len(marks.holes))
            for each in self.by_suit
        ]
        return by_rank, sum(by_mark[1:], by_mark[0])


def _summed(ways: Ints, rows: Ints, holes: Ints, many_rows: int, many_holes: int) -> Ints:
    """Sum ways by the rows that boards are and the holes that holes are; rows past the last fall."""
    return group(group(ways, rows, many_rows + 1)[:-1].T, holes, many_holes).T


def group(values: Ints, rows: Ints, many: int) -> Ints:
    """Sum the rows of a table that belong together: one row for each of so many groups."""
    order = np.argsort(rows, kind="stable")
    groups, first = np.unique(rows[order], return_index=True)
    found = np.zeros((many, *values.shape[1:]), values.dtype)
    found[groups] = np.add.reduceat(values[order], first, axis=0)
    return found


def _least_names(cards: Ints) -> tuple[Ints, Ints]:
    """Return the least name that suits can give each board, and the order of suits that does."""
    weights = (SUITS * len(EVERY_RANK)) ** np.arange(cards.shape[1])
    names = np.stack(
        [
            np.sort(cards // SUITS * SUITS + order[cards % SUITS], axis=1) @ weights
            for order in _SUIT_ORDERS
        ]
    )
    return names.min(axis=0), names.argmin(axis=0)


@cache
def boards(cards: int, ranks: tuple[int, ...]) -> Boards:
    every = np.array(list(combinations(range(SUITS * len(ranks)), cards)))
    names, ways = np.unique(_least_names(every)[0], return_counts=True)
    deck = SUITS * len(EVERY_RANK)
    return Boards(ranks, names[:, None] // deck ** np.arange(cards) % deck, ways)


class Growth(msgspec.Struct, frozen=True):
    """How a board becomes one of one card more."""

    board: Ints
    """(board, card): which board then; -1 where the card is there already."""
    order: Ints
    """(board, card): the order of suits in which it is that board."""
    hole: Ints
    """(order, hole): what a hole becomes in that order."""


@cache
def growth(cards: int, ranks: tuple[int, ...]) -> Growth:
    """Return how boards of so many cards grow by one."""
    now, then, deck = boards(cards, ranks), boards(cards + 1, ranks), SUITS * len(ranks)
    names, _ = _least_names(then.cards)
    more = np.hstack(
        [np.repeat(now.cards, deck, axis=0), np.tile(np.arange(deck), len(now.cards))[:, None]]
    )
    least, order = _least_names(more)
    place = np.searchsorted(names, least)
    taken = (more[:, :-1] == more[:, -1:]).any(axis=1)
    at = np.zeros((deck, deck), np.int64)
    first, second = now.holes.T
    at[first, second] = at[second, first] = np.arange(len(first))
    turned = now.holes // SUITS * SUITS + _SUIT_ORDERS[:, now.holes % SUITS]
    return Growth(
        board=np.where(taken, -1, place).reshape(-1, deck),
        order=order.reshape(-1, deck),
        hole=at[turned[..., 0], turned[..., 1]],
    )
