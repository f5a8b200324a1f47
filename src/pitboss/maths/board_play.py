"""Best play where player and dealer share a board: back from the showdown to the first decision.

A situation is a board of real cards with a hole, up to the names of suits; only on the whole board
kinds of cards are enough. Turn and river are counted in their order throughout.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import comb

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import Card
from pitboss.maths.board_cards import boards, group, turned_holes, with_one_more
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLOP, SUITS, marked, plain
from pitboss.maths.board_showdowns import BoardShowdowns, every_showdown
from pitboss.maths.decisions import OUT, Street
from pitboss.maths.hand_states import Ints
from pitboss.maths.side_by_side import each

HOLE = 2
TURN = 4
_ROWS = 1000
"""Boards of four cards at a time."""

Picks = npt.NDArray[np.int8]
"""The place of the choice made in each situation."""
Worths = list[Ints]
"""One for each column of stakes."""
BoardChoices = dict[tuple[int, bool], list[Picks]]
"""By the cards on the board and whether it has a mark, for each column: what is chosen.

Only the whole board may have one.
"""
Shown = tuple[BoardShowdowns, BoardShowdowns]
"""By ranks alone, and with a mark."""


class BoardGame(msgspec.Struct, frozen=True):
    """All that the cards need to know of a game."""

    streets: tuple[Street, ...]
    """The decisions; what is seen are the two cards of a hole and the board's."""
    units: int
    """How many an ante is."""
    weakest: int
    """The dealer qualifies with this strength."""
    gains: Ints
    """(final column, 4, strength): what each hole of the dealer's adds, and each of them that is
    below, is level, and does not qualify."""
    ranks: tuple[int, ...] = EVERY_RANK
    """The deck's."""
    known: int = 0
    """How many of the dealer's cards the player knows."""

    def at(self, board: int) -> Street | None:
        """Return the decision made with so many cards on the board."""
        return next((each for each in self.streets if each.seen - HOLE == board), None)

    def endings(self, board: int) -> int:
        """Return how many ways there are on from a situation with so many cards on the board."""
        left = SUITS * len(self.ranks) - HOLE - self.known
        ways = comb(left - BOARD, HOLE - self.known)
        for cards in range(max(board, FLOP), BOARD):
            ways *= left - cards
        return ways * (comb(left, FLOP) if board < FLOP else 1)


def showdowns(game: BoardGame) -> Shown:
    """Count all showdowns of the game."""
    ranks, weakest = game.ranks, game.weakest
    return every_showdown(plain(ranks), weakest, ranks), every_showdown(
        marked(ranks), weakest, ranks
    )


def best_play(game: BoardGame, shown: Shown) -> tuple[BoardChoices, Worths]:
    """Return the best choices, and column by column (hole) what the first of them leads to."""
    choices: BoardChoices = {}
    turn, every = _from_whole_board(game, shown, choices), boards(FLOP, game.ranks)
    if game.at(TURN) is None:
        flop = [every.together(*_back(game, TURN, *each)) for each in turn]
    else:
        flop, choices[TURN, False] = from_turn(game, turn)
    flop = _decided(game, FLOP, flop, choices)
    first = [_before(game, each) for each in flop]
    _decided(game, 0, first, choices)
    return choices, first


def _before(game: BoardGame, worth: Ints) -> Ints:
    """(hole): what each is worth over all boards of three cards."""
    every, (alike, many) = boards(FLOP, game.ranks), hole_classes(game.ranks)
    summed = (np.where(every.free, worth, 0) * every.ways[:, None]).sum(axis=0)
    # A board stands for those with other names of suits, and so only holes alike up to these, taken
    # together, have met them all.
    together = group(summed, alike, len(many)) // many
    return np.array(together[alike])


def hole_class(cards: tuple[Card, ...]) -> int:
    """Return which of the 169 classes these two cards are in."""
    found = np.flatnonzero((boards(FLOP, EVERY_RANK).holes == sorted(cards)).all(axis=1))
    return int(hole_classes(EVERY_RANK)[0][found[0]])


@cache
def hole_classes(ranks: tuple[int, ...]) -> tuple[Ints, Ints]:
    """(hole), (class): which are alike up to suits, of pairs, suited and unsuited; how many are."""
    holes, deck = boards(FLOP, ranks).holes, len(ranks)
    low, high = holes.T // SUITS
    suited = holes[:, 0] % SUITS == holes[:, 1] % SUITS
    names = np.where(suited, low * deck + high, high * deck + low)
    _, alike, many = np.unique(names, return_inverse=True, return_counts=True)
    return alike, many


def _decided(game: BoardGame, board: int, worths: Worths, choices: BoardChoices) -> Worths:
    """Return what the best choices are worth, if there is a decision, and note them down."""
    street = game.at(board)
    if street is None:
        return worths
    made = [best(game, street, column, worths.__getitem__) for column in range(len(street.after))]
    choices[board, False] = [picked for _, picked in made]
    return [worth for worth, _ in made]


def best(
    game: BoardGame, street: Street, column: int, worth: Callable[[int], Ints]
) -> tuple[Ints, Picks]:
    """Return what the best choice in a column is worth, and which it is."""
    after = street.after[column]
    if not street.asked[column]:
        return worth(after[0]), np.zeros(1, np.int8)
    lost = -street.stakes[column] * game.units * game.endings(street.seen - HOLE)
    shape = worth(next(to for to in after if to != OUT)).shape
    most = np.full(shape, np.iinfo(np.int64).min)
    picked = np.zeros(shape, np.int8)
    for place, to in enumerate(after):
        option = lost if to == OUT else worth(to)
        picked[option > most] = place
        np.maximum(most, option, out=most)
    return most, picked


def _from_whole_board(
    game: BoardGame, shown: Shown, choices: BoardChoices
) -> list[tuple[Ints, Ints]]:
    """Return for each column what boards of four are worth: by ranks, and what a mark changes."""
    street, (rows, holes) = game.at(BOARD), plainly(game)

    def column(number: int) -> tuple[tuple[Ints, Ints], list[Picks]]:
        worths, picks = [], []
        for some in shown:
            ending = partial(worth_of, game, some)
            if street is None:
                worths.append(ending(number))
            else:
                worth, picked = best(game, street, number, ending)
                worths.append(worth)
                picks.append(picked)
        ranked, suited = worths
        suited -= ranked[rows][:, holes]
        return _back(game, BOARD, ranked, suited), picks

    many = len(game.gains) if street is None else len(street.after)
    made = list(each("best play", column, range(many)))
    if street is not None:
        for mark in (False, True):
            choices[BOARD, mark] = [picks[mark] for _, picks in made]
    return [worth for worth, _ in made]


def worth_of(game: BoardGame, shown: BoardShowdowns, final: int) -> Ints:
    """(board, hole): what ending in a column comes to against every hole of the dealer's."""
    every, below, level, low = game.gains[final]
    found: Ints = every[shown.strength] * game.endings(BOARD)
    found += below[shown.strength] * shown.below
    found += level[shown.strength] * shown.level
    found += low[shown.strength] * shown.low
    return found


def plainly(game: BoardGame) -> tuple[Ints, Ints]:
    """Return where the marked boards and holes are among those of ranks alone."""
    kinds, marks, many = plain(game.ranks), marked(game.ranks), len(game.ranks)
    holes = marks.holes % many
    return kinds.find(marks.boards[BOARD] % many), kinds.hole_at[holes[:, 0], holes[:, 1]]


def _back(game: BoardGame, cards: int, ranked: Ints, suited: Ints) -> tuple[Ints, Ints]:
    return plain(game.ranks).back(cards, ranked), marked(game.ranks).back(cards, suited)


def from_turn(
    game: BoardGame, turn: Sequence[tuple[Ints, ...]], away: int | None = None
) -> tuple[Worths, list[Picks]]:
    """Decide with four cards on the board, and sum over the fourth.

    A card may be away: one of the first suit, which then is fixed.
    """
    fixed = away is not None
    every, street = boards(TURN, game.ranks, fixed=fixed), game.at(TURN)
    assert street is not None
    # What is kept of so many situations takes no more room than it needs.
    lost = max(street.stakes) * game.units
    largest = (int(np.abs(game.gains).sum(axis=1).max()) + lost) * game.endings(TURN)
    room = np.min_scalar_type(-largest)
    worths = [np.zeros(every.free.shape, room) for _ in street.after]
    picks = [np.zeros(every.free.shape, np.int8) for _ in street.after]
    for start in range(0, len(every.cards), _ROWS):
        some = slice(start, start + _ROWS)
        then = [every.together(*each, boards=some) for each in turn]
        for column in range(len(street.after)):
            most, picks[column][some] = best(game, street, column, then.__getitem__)
            worths[column][some] = np.where(every.free[some], most, 0)
    after, turned = with_one_more(FLOP, game.ranks, fixed=fixed), turned_holes(game.ranks)
    found = [np.zeros((len(after.board), len(turned[0])), np.int64) for _ in worths]
    for board, (to, order) in enumerate(zip(after.board, after.order, strict=True)):
        comes = np.flatnonzero(to >= 0)
        comes = comes[comes != away]
        for summed, worth in zip(found, worths, strict=True):
            summed[board] = worth[to[comes, None], turned[order[comes]]].sum(axis=0)
    return found, picks
