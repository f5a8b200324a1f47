"""Boards of real cards up to the names of suits, with every hole that may be held beside them.

A player decides with cards in hand, so that what was summed up by kinds is put together here: as
if there were no flushes, and then what each suit in reach changes. Boards that differ only in which
suit is which are one: 1,755 of three cards, 16,432 of four.
"""

from functools import cache, cached_property
from itertools import combinations, permutations

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.maths.board_kinds import EVERY_RANK, SUITS, marked, plain
from pitboss.maths.hand_states import Ints

_SUIT_ORDERS = np.array(list(permutations(range(SUITS))))
"""Those that leave the first suit alone come first."""


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
    def free(self) -> npt.NDArray[np.bool_]:
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
        """The same with each suit as the mark; boards out of its reach are past the last."""
        return tuple(self._marked(suit) for suit in range(SUITS))

    def _marked(self, suit: int) -> tuple[Ints, Ints]:
        kinds = marked(self.ranks)
        cards, hole = (
            sets // SUITS + np.where(sets % SUITS == suit, 0, len(self.ranks))
            for sets in (self.cards, self.holes)
        )
        return kinds.find(cards), kinds.hole_at[hole[:, 0], hole[:, 1]]

    def together(
        self,
        plainly: Ints,
        change: Ints,
        others: Ints | None = None,
        *,
        boards: slice = slice(None),
    ) -> Ints:
        """(board, hole): put together what is worth how much by ranks, and what a mark changes.

        Other suits than the first may change something else.
        """
        rows, holes = self.by_rank
        found = plainly[rows[boards]][:, holes]
        for suit, (rows, holes) in enumerate(self.by_suit):
            by_mark = change if suit == 0 or others is None else others
            some = np.flatnonzero(rows[boards] < len(by_mark))
            found[some] += by_mark[rows[boards][some]][:, holes]
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
    """Sum ways by rows and holes of kinds; what is past the last row falls."""
    some = np.flatnonzero(rows < many_rows)
    places = rows[some, None] * many_holes + holes
    # Every count is far below 2**53, so that sums of floats are exact.
    found = np.bincount(places.ravel(), ways[some].ravel(), many_rows * many_holes)
    return found.astype(np.int64).reshape(many_rows, many_holes)


def group(values: Ints, rows: Ints, many: int) -> Ints:
    """Sum the rows of a table that belong together: one row for each of so many groups."""
    order = np.argsort(rows, kind="stable")
    groups, first = np.unique(rows[order], return_index=True)
    found = np.zeros((many, *values.shape[1:]), values.dtype)
    found[groups] = np.add.reduceat(values[order], first, axis=0)
    return found


def least_names(cards: Ints, *, fixed: bool = False) -> tuple[Ints, Ints]:
    """Return the least name that suits can give each board, and the order of suits that does.

    The first suit may be fixed.
    """
    weights = (SUITS * len(EVERY_RANK)) ** np.arange(cards.shape[1])
    names = np.stack(
        [
            np.sort(cards // SUITS * SUITS + order[cards % SUITS], axis=1) @ weights
            for order in (_SUIT_ORDERS[_SUIT_ORDERS[:, 0] == 0] if fixed else _SUIT_ORDERS)
        ]
    )
    return names.min(axis=0), names.argmin(axis=0)


@cache
def boards(cards: int, ranks: tuple[int, ...], *, fixed: bool = False) -> Boards:
    """Return all boards of so many cards up to the names of suits; the first may be fixed."""
    every = np.array(list(combinations(range(SUITS * len(ranks)), cards)))
    names, ways = np.unique(least_names(every, fixed=fixed)[0], return_counts=True)
    deck = SUITS * len(EVERY_RANK)
    return Boards(ranks, names[:, None] // deck ** np.arange(cards) % deck, ways)


class Neighbours(msgspec.Struct, frozen=True):
    """Which boards others become, each in some order of suits."""

    board: Ints
    """(board, card): which board then; -1 where there is none."""
    order: Ints
    """(board, card): the order of suits in which it is that board."""


@cache
def with_one_more(cards: int, ranks: tuple[int, ...], *, fixed: bool = False) -> Neighbours:
    """Return what boards of so many cards become by each card of the deck."""
    now, deck = boards(cards, ranks, fixed=fixed), SUITS * len(ranks)
    coming = np.tile(np.arange(deck), len(now.cards))[:, None]
    more = np.hstack([np.repeat(now.cards, deck, axis=0), coming])
    found, order = find_boards(more, ranks, fixed=fixed)
    taken = (more[:, :-1] == coming).any(axis=1)
    return Neighbours(np.where(taken, -1, found).reshape(-1, deck), order.reshape(-1, deck))


@cache
def with_one_less(cards: int, ranks: tuple[int, ...]) -> Neighbours:
    """Return what boards of so many cards were before each of their cards came."""
    now = boards(cards, ranks).cards
    found = [find_boards(np.delete(now, card, axis=1), ranks) for card in range(cards)]
    return Neighbours(*(np.stack(each, axis=1) for each in zip(*found, strict=True)))


def find_boards(sets: Ints, ranks: tuple[int, ...], *, fixed: bool = False) -> tuple[Ints, Ints]:
    """Return which board each set of cards is, and the order of suits in which it is."""
    names, _ = least_names(boards(sets.shape[1], ranks, fixed=fixed).cards, fixed=fixed)
    least, order = least_names(sets, fixed=fixed)
    return np.searchsorted(names, least), order


@cache
def hole_places(ranks: tuple[int, ...]) -> Ints:
    """(card, card): the place of the hole."""
    holes, deck = boards(3, ranks).holes, SUITS * len(ranks)
    found = np.zeros((deck, deck), np.int64)
    first, second = holes.T
    found[first, second] = found[second, first] = np.arange(len(first))
    return found


@cache
def turned_cards() -> Ints:
    """(order of suits, card): what a card becomes in that order."""
    cards = np.arange(SUITS * len(EVERY_RANK))
    return np.array(cards // SUITS * SUITS + _SUIT_ORDERS[:, cards % SUITS])


@cache
def turned_holes(ranks: tuple[int, ...]) -> Ints:
    """(order of suits, hole): what a hole becomes in that order."""
    turned = turned_cards()[:, boards(3, ranks).holes]
    return np.array(hole_places(ranks)[turned[..., 0], turned[..., 1]])
