"""What becomes of choices, best or not, where player and dealer share a board.

Every deal is followed once, forward: at each decision the ways that lead there part, and at the end
it is counted which strengths they have and how many of the dealer's holes those meet.
"""

from collections import Counter

import msgspec
import numpy as np

from pitboss.hands import ranking
from pitboss.maths.board_cards import Boards, boards, group, turned_holes, with_one_less
from pitboss.maths.board_hands import Names, on_flop, on_whole_board
from pitboss.maths.board_kinds import BOARD, FLOP, marked, plain
from pitboss.maths.board_levels import meetings
from pitboss.maths.board_play import TURN, BoardChoices, BoardGame, Shown, plainly
from pitboss.maths.board_showdowns import BoardShowdowns
from pitboss.maths.decisions import OUT
from pitboss.maths.hand_states import Ints
from pitboss.maths.qualifiers import levels

Ways = dict[int, Ints]
"""By column: the ways to come to each situation."""


class Course(msgspec.Struct, frozen=True):
    """How often what happens; turn and river in their order."""

    ends: Ints
    """(final column, 4, strength): the ways to get there, and the dealer's holes that are below,
    are level and do not qualify then."""
    met: Ints
    """(final column, level, level): the ways in which such a hand meets such a one of the
    dealer's."""
    taken: dict[tuple[int, int, int], int]
    """By decision, column and place of the choice: in how many deals."""
    held: dict[tuple[int, int, int], int]
    """By decision, name of the hand and place of the choice: the same, where hands have names."""


def follow(game: BoardGame, shown: Shown, choices: BoardChoices) -> Course:
    """Follow choices through every deal."""
    walk, every = _Walk(game, shown, choices), boards(FLOP, game.ranks)
    ways = walk.split(0, {0: np.ones(len(every.holes), np.int64)})
    spread = every.ways[:, None] * every.free
    ways = walk.split(FLOP, {column: spread * each for column, each in ways.items()})
    last = every
    if game.at(TURN) is not None:
        last = boards(TURN, game.ranks)
        ways = walk.split(TURN, {column: _grown(game, each) for column, each in ways.items()})
    finals = len(game.gains)
    ends = np.zeros((finals, 4, len(ranking("five-card").classes) + 1), np.int64)
    met = np.zeros((finals, *2 * [len(levels("five-card"))]), np.int64)
    for column, each in ways.items():
        for mark, many in enumerate(_to_whole_board(game, last, each)):
            parts = walk.split(BOARD, {column: many}, mark=bool(mark))
            kinds = (marked if mark else plain)(game.ranks)
            for final, some in parts.items():
                ends[final] += _ending(shown[mark], some)
            for final, some in meetings(kinds, shown[mark].strength, parts).items():
                met[final] += some
    return Course(ends, met, dict(walk.taken), dict(walk.held))


def _to_whole_board(game: BoardGame, last: Boards, ways: Ints) -> tuple[Ints, Ints]:
    """Return the ways to whole boards without a mark, by ranks alone, and to those with one."""
    kinds, marks = plain(game.ranks), marked(game.ranks)
    ranked, suited = last.apart(ways)
    for cards in range(last.cards.shape[1], BOARD):
        ranked, suited = kinds.forth(cards, ranked), marks.forth(cards, suited)
    rows, holes = plainly(game)
    few = group(suited, rows, len(ranked))
    return ranked - group(few.T, holes, ranked.shape[1]).T, suited


def _grown(game: BoardGame, ways: Ints) -> Ints:
    """Spread the ways to boards of three cards over the fourth."""
    then = boards(TURN, game.ranks)
    came, turned = with_one_less(TURN, game.ranks), turned_holes(game.ranks)
    # All boards that one stands for are played alike, and so is each of the four that it was.
    goes = (ways > 0).astype(np.int8)
    found = np.zeros(then.free.shape, np.int8)
    for before, orders in zip(came.board.T, came.order.T, strict=True):
        found += goes[before[:, None], turned[orders]]
    return found * then.free * then.ways[:, None]


class _Walk:
    """One way through all decisions, counting who takes which."""

    def __init__(self, game: BoardGame, shown: Shown, choices: BoardChoices) -> None:
        self.game, self.shown, self.choices = game, shown, choices
        self.taken: Counter[tuple[int, int, int]] = Counter()
        self.held: Counter[tuple[int, int, int]] = Counter()

    def names(self, board: int, *, mark: bool) -> Names | None:
        """Return what hands are called in situations with so many cards, where they have names."""
        if board == FLOP:
            return on_flop(self.game.ranks)
        if board == BOARD:
            kinds = (marked if mark else plain)(self.game.ranks)
            return on_whole_board(kinds, self.shown[mark], self.game.ranks)
        return None

    def split(self, board: int, ways: Ways, *, mark: bool = False) -> Ways:
        """Divide the ways to each column among those of the next decision, or of the end."""
        street = self.game.at(board)
        if street is None:
            return ways
        found: Ways = {}
        asks = any(street.asked[column] for column in ways)
        names = self.names(board, mark=mark) if asks else None
        number = self.game.streets.index(street)
        further = self.game.endings(board)
        for column, many in ways.items():
            asked, after = street.asked[column], street.after[column]
            for place, to in enumerate(after if asked else after[:1]):
                part = many
                if asked:
                    part = np.where(self.choices[board, mark][column] == place, many, 0)
                    self.taken[number, column, place] += int(part.sum()) * further
                    for name, many_named in _by_name(names, part):
                        self.held[number, name, place] += many_named * further
                if to != OUT and part.any():
                    found[to] = found[to] + part if to in found else part
        return found


def _by_name(names: Names | None, ways: Ints) -> list[tuple[int, int]]:
    """Sum ways by what the hands are called."""
    if names is None:
        return []
    # Every count is far below 2**53, so that sums of floats are exact.
    found = np.bincount(names.ravel(), ways.ravel())
    return [(int(name), int(found[name])) for name in np.flatnonzero(found)]


def _ending(shown: BoardShowdowns, ways: Ints) -> Ints:
    there = np.nonzero(ways)
    strength, many = shown.strength[there], ways[there]
    most = len(ranking("five-card").classes) + 1
    meets = (1, shown.below[there], shown.level[there], shown.low[there])
    # Every count is far below 2**53, so that sums of floats are exact.
    return np.stack([np.bincount(strength, many * each, most).astype(np.int64) for each in meets])
