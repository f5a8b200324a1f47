"""Cards of two hands and a board, told apart only as far as it matters.

While a board has fewer than three cards of every suit nobody makes a flush, and only ranks count:
13 kinds of cards with four copies each. Otherwise one suit matters, the mark, and there are 26:
each rank marked, once, and unmarked, three times. So instead of 2,598,960 boards there are 6,175 of
ranks and 36,608 with a mark, and 91 and 351 pairs of kinds to be held with them.

What depends on a whole board is summed up over the cards still to come in these terms: first as if
there were no flushes, then, for each suit that the cards seen leave in reach, what the mark
changes.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import combinations_with_replacement

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.maths.hand_states import Ints

SUITS = 4
BOARD = 5
"""How many cards the board has in the end."""
FLUSH = 3
"""How many cards of a suit it needs for anybody to make a flush."""
FLOP = 3
"""The fewest cards of a board that anything is summed up for."""
EVERY_RANK = tuple(range(13))


class Kinds(msgspec.Struct, frozen=True, dict=True):
    """A deck by kinds of cards; get it from :func:`plain` or :func:`marked`."""

    rank: Ints
    """(kind): 0 for a two."""
    mark: npt.NDArray[np.bool_]
    """(kind): whether it is of the suit that matters."""
    copies: Ints
    """(kind): how many cards are of it."""

    @cached_property
    def holes(self) -> Ints:
        """(hole, 2): every two kinds, also those of which there are not two."""
        return kind_sets(len(self.rank), 2)

    @cached_property
    def hole_at(self) -> Ints:
        """(kind, kind): the place of the hole."""
        first, second = self.holes.T
        found = np.zeros((len(self.rank), len(self.rank)), np.int64)
        found[first, second] = found[second, first] = np.arange(len(first))
        return found

    @cached_property
    def held(self) -> Ints:
        """(hole, kind): how many cards of the kind it holds."""
        return self.counted(self.holes)

    def counted(self, sets: Ints) -> Ints:
        """(set, kind): how many cards of the kind are in each set."""
        return np.stack([(sets == kind).sum(axis=1) for kind in range(len(self.rank))], axis=1)

    @cached_property
    def boards(self) -> dict[int, Ints]:
        """By how many cards they have, (board, card): every board.

        Where there is a mark, only those that have three of it in the end, or still can.
        """
        return {cards: self._boards(cards) for cards in range(FLOP, BOARD + 1)}

    def _boards(self, cards: int) -> Ints:
        every = kind_sets(len(self.rank), cards)
        fits = (self.counted(every) <= self.copies).all(axis=1)
        if self.mark.any():
            fits &= self.mark[every].sum(axis=1) >= cards - (BOARD - FLUSH)
        return every[fits]

    def _names(self, sets: Ints) -> Ints:
        """Return a number for each set, larger for a later one."""
        places = len(self.rank) ** np.arange(sets.shape[1] - 1, -1, -1)
        return np.array(np.sort(sets, axis=1) @ places)

    def find(self, sets: Ints) -> Ints:
        """Return the place of each board; where it is none of ours, one past the last."""
        names, wanted = self._names(self.boards[sets.shape[1]]), self._names(sets)
        place = np.searchsorted(names, wanted)
        return np.where(names[np.minimum(place, len(names) - 1)] == wanted, place, len(names))

    @cached_property
    def after(self) -> dict[int, Ints]:
        """By how many cards there are, (board, kind): the board of one more, as ``find`` has it."""
        found = {}
        for cards in range(FLOP, BOARD):
            boards, every = self.boards[cards], np.arange(len(self.rank))
            more = np.repeat(boards, len(every), axis=0)
            kinds = np.tile(every, len(boards))[:, None]
            found[cards] = self.find(np.hstack([more, kinds])).reshape(len(boards), -1)
        return found

    def _moves(
        self, cards: int, away: int | None = None
    ) -> Iterator[tuple[Ints, Ints, Ints, Ints, Ints]]:
        """Yield, kind by kind, boards of so many cards that it can come to, and which they become.

        And how many cards of it each leaves, which holes have some, and how many.
        """
        for kind in range(len(self.rank)):
            to = self.after[cards][:, kind]
            copies = self.copies[kind] - (kind == away)
            left = copies - (self.boards[cards] == kind).sum(axis=1)
            some = np.flatnonzero((to < len(self.boards[cards + 1])) & (left > 0))
            mine = np.flatnonzero(self.held[:, kind])
            yield some, to[some], left[some, None], mine, self.held[mine, kind]

    def back(self, cards: int, worth: Ints, away: int | None = None) -> Ints:
        """Sum what boards of so many cards are worth over the one that comes last.

        One card of a kind may be away.
        """
        found = np.zeros((len(self.boards[cards - 1]), worth.shape[1]), worth.dtype)
        for boards, after, left, mine, held in self._moves(cards - 1, away):
            there = worth[after]
            part = there * left
            part[:, mine] -= there[:, mine] * held
            found[boards] += part
        return found

    def forth(self, cards: int, ways: Ints) -> Ints:
        """Spread the ways to boards of so many cards over the one that comes next."""
        found = np.zeros((len(self.boards[cards + 1]), ways.shape[1]), ways.dtype)
        for boards, after, left, mine, held in self._moves(cards):
            here = ways[boards]
            part = here * left
            part[:, mine] -= here[:, mine] * held
            found[after] += part
        return found


def kind_sets(kinds: int, cards: int) -> Ints:
    """(set, card): every set of so many cards of so many kinds."""
    found = list(combinations_with_replacement(range(kinds), cards))
    return np.array(found, np.int64).reshape(len(found), cards)


@cache
def plain(ranks: tuple[int, ...]) -> Kinds:
    """Return the deck by ranks alone."""
    rank = np.array(ranks)
    return Kinds(rank, np.zeros(len(rank), np.bool_), np.full(len(rank), SUITS))


@cache
def marked(ranks: tuple[int, ...]) -> Kinds:
    """Return the deck with one suit marked."""
    rank, mark = np.tile(ranks, 2), np.repeat([True, False], len(ranks))
    return Kinds(rank, mark, np.where(mark, 1, SUITS - 1))
