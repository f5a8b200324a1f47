"""Rounds on a shared board as a kernel: hands are valued, and each decision is looked up.

Which cards come is all that is counted here; choices, strengths and payoffs are the solver's own.
"""

from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np

from pitboss.hands import RANK_KEYS
from pitboss.lab.random_deals import Bytes, Numbers
from pitboss.lab.showdown_kernel import suits_of
from pitboss.maths.board_cards import (
    find_boards,
    hole_places,
    turned_cards,
    turned_holes,
    with_one_more,
)
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLOP, FLUSH, SUITS, marked, plain
from pitboss.maths.board_play import HOLE, TURN, BoardChoices, Picks
from pitboss.maths.board_showdowns import BoardCounts, flush_strengths, rank_strengths
from pitboss.maths.decisions import Street
from pitboss.maths.hand_states import Ints

_DECK = SUITS * len(EVERY_RANK)


class BoardKernel(msgspec.Struct, frozen=True):
    """Two cards against the dealer's two, with five on the board for both."""

    seats: int
    streets: tuple[Street, ...]
    after: tuple[Ints, ...]
    """For each decision (column, choice): the next column, or ``~`` the ending of a fold."""
    choices: BoardChoices
    weakest: int
    """The dealer qualifies with this strength."""
    ended: Numbers
    """(final column, ending, strength): the ending's number."""

    @property
    def cards(self) -> int:
        """The board, the dealer's, and each seat's."""
        return BOARD + HOLE * (1 + self.seats)

    def settle(self, cards: Bytes) -> list[Numbers]:
        """Return how each seat's rounds end; the board leads the deck, then the dealer's cards."""
        board, own = cards[:BOARD], range(BOARD, self.cards, HOLE)
        dealer, *holes = (cards[at : at + HOLE] for at in own)
        theirs, *mine = strengths(board, (dealer, *holes))
        return [
            self._against(theirs, strength, self._columns(board, hole))
            for hole, strength in zip(holes, mine, strict=True)
        ]

    def _against(self, theirs: Numbers, mine: Numbers, column: Ints) -> Numbers:
        better = np.where(mine > theirs, 0, np.where(mine == theirs, 1, 2))
        ending = better + 3 * (theirs >= self.weakest)
        shown = self.ended[np.maximum(column, 0), ending, mine]
        return np.where(column < 0, ~column, shown).astype(np.int16)

    def _columns(self, board: Bytes, hole: Bytes) -> Ints:
        """Return where the decisions of each round lead."""
        column = np.zeros(board.shape[1], np.int64)
        for street, after in zip(self.streets, self.after, strict=True):
            place = np.zeros_like(column)
            for number in np.flatnonzero(street.asked).tolist():
                here = np.flatnonzero(column == number)
                seen = board[:, here], hole[:, here]
                place[here] = self._picked(street.seen - HOLE, number, *seen)
            column = np.where(column < 0, column, after[column, place])
        return column

    def _picked(self, cards: int, column: int, board: Bytes, hole: Bytes) -> Picks:
        """Return the place of what is chosen with so many cards on the board."""
        if cards < BOARD:
            return self.choices[cards, False][column][_up_to_turn(cards, board, hole)]
        plainly, marks = (self.choices[BOARD, mark][column] for mark in (False, True))
        found = plainly[_rank_boards(board), _rank_holes(hole)]
        mark = _mark(board)
        here = np.flatnonzero(mark >= 0)
        found[here] = marks[_with_mark(board[:, here], hole[:, here], mark[here])]
        return found


def strengths(board: Bytes, holes: Sequence[Bytes]) -> list[Numbers]:
    """Return the strength of the best five of the board and each of these holes."""
    place, suits = _rank_boards(board), suits_of(board)
    return [
        np.maximum(
            _by_rank()[place, _rank_holes(hole)],
            flush_strengths()[suits | suits_of(hole)].max(axis=0),
        )
        for hole in holes
    ]


# Where situations are in the solver's tables ------------------------------------------------------


def _up_to_turn(cards: int, board: Bytes, hole: Bytes) -> tuple[Ints, ...]:
    """Return the place of each hole, beside that of its board where there is one."""
    held = hole_places(EVERY_RANK)[hole[0], hole[1]]
    if cards == 0:
        return (held,)
    places, orders = _flops()
    place, order = places[tuple(board[:FLOP])], orders[tuple(board[:FLOP])]
    held = turned_holes(EVERY_RANK)[order, held]
    if cards == TURN:
        more, comes = with_one_more(FLOP, EVERY_RANK), turned_cards()[order, board[FLOP]]
        held = turned_holes(EVERY_RANK)[more.order[place, comes], held]
        place = more.board[place, comes]
    return place, held


@cache
def _flops() -> tuple[Ints, Ints]:
    """(card, card, card): which board of three they are, and in which order of suits."""
    every = np.indices((_DECK,) * FLOP).reshape(FLOP, -1).T
    place, order = find_boards(every, EVERY_RANK)
    return place.reshape((_DECK,) * FLOP), order.reshape((_DECK,) * FLOP)


def _rank_boards(board: Bytes) -> Ints:
    """Return the place of each whole board among those of ranks alone."""
    found: Ints = _by_keys()[_KEYS[board >> 2].sum(axis=0)]
    return found


def _rank_holes(hole: Bytes) -> Ints:
    first, second = hole >> 2
    found: Ints = plain(EVERY_RANK).hole_at[first, second]
    return found


_KEYS = np.array(RANK_KEYS)


@cache
def _by_keys() -> Ints:
    """By the sum of five ranks' keys: the place of the board."""
    sums = _KEYS[plain(EVERY_RANK).boards[BOARD]].sum(axis=1)
    found = np.zeros(sums.max() + 1, np.int64)
    found[sums] = np.arange(len(sums))
    return found


@cache
def _by_rank() -> BoardCounts:
    return rank_strengths(EVERY_RANK)


def _mark(board: Bytes) -> Ints:
    """Return the suit of which three cards or more lie on each whole board, or -1."""
    found = np.full(board.shape[1], -1)
    for suit in range(SUITS):
        found[(board & 3 == suit).sum(axis=0) >= FLUSH] = suit
    return found


def _with_mark(board: Bytes, hole: Bytes, mark: Ints) -> tuple[Ints, Ints]:
    """Return the places of whole boards and holes where this suit is marked."""
    kinds = marked(EVERY_RANK)
    lie, held = ((each >> 2) + len(EVERY_RANK) * (each & 3 != mark) for each in (board, hole))
    return kinds.find(lie.T), kinds.hole_at[held[0], held[1]]
