"""Best play, or any other, where player and dealer share a board: backward for the choices, forward
for what becomes of them.

Every situation is a board of real cards with a hole, up to the names of suits; only at the whole
board situations stay told apart by kinds. Turn and river are counted in their order throughout.
"""

from collections.abc import Iterator, Sequence
from math import comb

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.maths.board_cards import SUITS, boards, group, growth
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLOP, marked, plain
from pitboss.maths.board_showdowns import Showdowns
from pitboss.maths.decisions import OUT, Street
from pitboss.maths.hand_states import Ints

HOLE = 2
TURN = 4

Picks = npt.NDArray[np.int8]
"""The place of the choice made in each situation."""
Worths = list[Ints]
"""One for each column of stakes."""
ByKinds = tuple[Worths, Worths]
"""By ranks alone, and with a mark."""


class Game(msgspec.Struct, frozen=True):
    """All that the cards need to know of a game."""

    streets: tuple[Street, ...]
    """The decisions; what is seen are the two cards of a hole and the board's."""
    units: int
    """How many an ante is."""
    gains: Ints
    """(final column, 4, strength): the net of each hole of the dealer's below, level and unqualified
    besides, and of any."""
    ranks: tuple[int, ...] = EVERY_RANK
    """The deck's."""

    def at(self, board: int) -> tuple[int, Street] | None:
        """Return the decision made with so many cards on the board, and its number."""
        found = [(n, s) for n, s in enumerate(self.streets) if s.seen - HOLE == board]
        return found[0] if found else None

    def endings(self, board: int) -> int:
        """Return how many ways there are on from a situation with so many cards on the board."""
        left = SUITS * len(self.ranks) - HOLE
        ways = comb(left - BOARD, HOLE)
        for cards in range(max(board, FLOP), BOARD):
            ways *= left - cards
        return ways * (comb(left, FLOP) if board < FLOP else 1)


Choices = dict[int, list[Picks] | tuple[list[Picks], list[Picks]]]
"""By board, for each column: what is chosen; on the whole board by ranks alone and with a mark."""


def _decide(street: Street, worths: Worths, ways: int, ante: int) -> tuple[Worths, list[Picks]]:
    """Return what the best choice is worth in each column, and which it is."""
    best, picks = [], []
    for column, after in enumerate(street.after):
        if not street.asked[column]:
            best.append(worths[after[0]])
            picks.append(np.zeros(1, np.int8))
            continue
        lost = -street.stakes[column] * ante * ways
        options = [lost if to == OUT else worths[to] for to in after]
        most = np.broadcast_to(options[0], worths[0].shape).copy()
        picked = np.zeros(most.shape, np.int8)
        for place, option in enumerate(options[1:], start=1):
            picked[option > most] = place
            np.maximum(most, option, out=most)
        best.append(most)
        picks.append(picked)
    return best, picks


class Solved(msgspec.Struct, frozen=True):
    """The best choices, and what each is worth before the board."""

    choices: Choices
    first: Worths
    """Column by column (hole): the worth of each after the first decision, or the only one."""


def best_play(game: Game, shown: tuple[Showdowns, Showdowns]) -> Solved:
    """Work back from the showdown to the first decision."""
    choices: Choices = {}
    by_kinds = _whole_board(game, shown, choices)
    turn = _back(game, BOARD, *by_kinds)
    if game.at(TURN) is None:
        flop = _together(game, FLOP, *_back(game, TURN, *turn))
    else:
        flop = _through_turn(game, turn, choices)
    flop = _decided(game, FLOP, flop, choices)
    every = boards(FLOP, game.ranks)
    hole = [(np.where(every.free, each, 0) * every.ways[:, None]).sum(axis=0) for each in flop]
    alike = hole_classes(game.ranks)
    many = np.bincount(alike)
    first = [group(each, alike, len(many))[alike] // many[alike] for each in hole]
    _decided(game, 0, first, choices)
    return Solved(choices, first)


def hole_classes(ranks: tuple[int, ...]) -> Ints:
    """(hole): what is alike up to suits: pairs, suited and unsuited."""
    holes = boards(FLOP, ranks).holes
    low, high = holes.T // SUITS
    suited = (holes[:, 0] % SUITS) == (holes[:, 1] % SUITS)
    return np.unique(np.where(suited, low * len(ranks) + high, high * len(ranks) + low), return_inverse=True)[1]


def _decided(game: Game, board: int, worths: Worths, choices: Choices) -> Worths:
    found = game.at(board)
    if found is None:
        return worths
    best, choices[board] = _decide(found[1], worths, game.endings(board), game.units)
    return best


def _whole_board(game: Game, shown: tuple[Showdowns, Showdowns], choices: Choices) -> ByKinds:
    worths = tuple([_worth(game, each, final) for final in range(len(game.gains))] for each in shown)
    found = game.at(BOARD)
    if found is None:
        return worths[0], worths[1]
    decided = [_decide(found[1], each, game.endings(BOARD), game.units) for each in worths]
    choices[BOARD] = (decided[0][1], decided[1][1])
    return decided[0][0], decided[1][0]


def _worth(game: Game, shown: Showdowns, final: int) -> Ints:
    below, level, low, every = game.gains[final]
    found: Ints = below[shown.strength] * shown.below
    found += level[shown.strength] * shown.level
    found += low[shown.strength] * shown.low
    found += every[shown.strength] * game.endings(BOARD)
    return found


def _plainly(game: Game) -> tuple[Ints, Ints]:
    """Return where the marked boards and holes are among those of ranks alone."""
    kinds, marks, many = plain(game.ranks), marked(game.ranks), len(game.ranks)
    holes = marks.holes % many
    return kinds.find(marks.boards[BOARD] % many), kinds.hole_at[holes[:, 0], holes[:, 1]]


def _back(game: Game, cards: int, ranked: Worths, suited: Worths) -> ByKinds:
    """Sum over the card that comes last; on the whole board a mark's worth becomes its change."""
    kinds, marks = plain(game.ranks), marked(game.ranks)
    if cards == BOARD:
        rows, holes = _plainly(game)
        suited = [s - r[rows][:, holes] for r, s in zip(ranked, suited, strict=True)]
    return [kinds.back(cards, each) for each in ranked], [marks.back(cards, each) for each in suited]


def _together(game: Game, cards: int, ranked: Worths, change: Worths) -> Worths:
    every = boards(cards, game.ranks)
    return [every.together(r, c) for r, c in zip(ranked, change, strict=True)]


def _through_turn(game: Game, turn: ByKinds, choices: Choices) -> Worths:
    """Decide at four cards, and sum over the fourth."""
    worths = _decided(game, TURN, _together(game, TURN, *turn), choices)
    now, grows = boards(FLOP, game.ranks), growth(FLOP, game.ranks)
    then = boards(TURN, game.ranks).free
    found = [np.zeros(now.free.shape, np.int64) for _ in worths]
    for summed, worth in zip(found, worths, strict=True):
        worth = np.where(then, worth, 0)
        for board, (to, order) in enumerate(zip(grows.board, grows.order, strict=True)):
            comes = to >= 0
            summed[board] = worth[to[comes, None], grows.hole[order[comes]]].sum(axis=0)
    return found


# Forward -----------------------------------------------------------------------------------------


class Course(msgspec.Struct, frozen=True):
    """What becomes of choices."""

    ends: Ints
    """(final column, 4, strength): in how many deals, and the dealer's holes below, level and not
    qualified in them."""
    folds: dict[tuple[int, int], int]
    """By decision and column: how many deals."""
    taken: dict[tuple[int, int], int]
    """By decision and choice: how many deals."""


def follow(game: Game, shown: tuple[Showdowns, Showdowns], choices: Choices) -> Course:
    """Follow choices through every deal."""
    walk = _Walk(game, choices)
    every = boards(FLOP, game.ranks)
    ways = walk.split(0, [np.ones(len(every.holes), np.int64)])
    spread = every.ways[:, None] * every.free
    ways = walk.split(FLOP, [spread * each for each in ways])
    if game.at(TURN) is not None:
        ways = walk.split(TURN, _grown(game, ways))
        parts = [boards(TURN, game.ranks).apart(each) for each in ways]
    else:
        parts = [_forth(game, FLOP, *every.apart(each)) for each in ways]
    parts = [_forth(game, TURN, *each) for each in parts]
    ends = walk.ends(shown, parts)
    return Course(ends, walk.folds, walk.taken)


def _grown(game: Game, ways: Worths) -> Worths:
    grows, then = growth(FLOP, game.ranks), boards(TURN, game.ranks)
    found = [np.zeros(then.free.shape, np.int64) for _ in ways]
    for summed, each in zip(found, ways, strict=True):
        for board, (to, order) in enumerate(zip(grows.board, grows.order, strict=True)):
            for card in np.flatnonzero(to >= 0):
                summed[to[card], grows.hole[order[card]]] += each[board]
        summed *= then.free
    return found


def _forth(game: Game, cards: int, ranked: Ints, suited: Ints) -> tuple[Ints, Ints]:
    return plain(game.ranks).forth(cards, ranked), marked(game.ranks).forth(cards, suited)


class _Walk:
    def __init__(self, game: Game, choices: Choices) -> None:
        self.game, self.choices = game, choices
        self.folds: dict[tuple[int, int], int] = {}
        self.taken: dict[tuple[int, int], int] = {}

    def split(self, board: int, ways: Worths) -> Worths:
        found = self.game.at(board)
        if found is None:
            return ways
        picks = self.choices[board]
        assert isinstance(picks, list)
        return self._split(*found, ways, picks)

    def _split(self, number: int, street: Street, ways: Worths, picks: Sequence[Picks]) -> Worths:
        """Divide the ways of each column among those of the next decision, or of the end."""
        further = self.game.endings(street.seen - HOLE)
        columns = 1 + max(to for after in street.after for to in after)
        found = [np.zeros_like(ways[0]) for _ in range(columns)]
        for column, (many, picked) in enumerate(zip(ways, picks, strict=True)):
            for place, to in enumerate(street.after[column]):
                part = np.where(picked == place, many, 0)
                if to == OUT:
                    self._count(self.folds, (number, column), part, further)
                else:
                    found[to] += part
                if street.asked[column]:
                    self._count(self.taken, (number, street.choices[place]), part, further)
        return found

    @staticmethod
    def _count(into: dict[tuple[int, int], int], key: tuple[int, int], part: Ints, each: int) -> None:
        into[key] = into.get(key, 0) + int(part.sum()) * each

    def ends(self, shown: tuple[Showdowns, Showdowns], parts: Sequence[tuple[Ints, Ints]]) -> Ints:
        """Count what the last columns meet, after the last decision if it has the whole board."""
        rows, holes = _plainly(self.game)
        kinds = plain(self.game.ranks)
        ranked, suited = [], []
        for by_rank, by_mark in parts:
            few = group(by_mark, rows, len(kinds.boards[BOARD]))
            ranked.append(by_rank - group(few.T, holes, len(kinds.holes)).T)
            suited.append(by_mark)
        found = self.game.at(BOARD)
        for place, (ways, each) in enumerate(zip((ranked, suited), shown, strict=True)):
            if found is not None:
                ways = self._split(*found, ways, self.choices[BOARD][place])
            counted = np.stack([_ending(each, many) for many in ways])
            total = counted if place == 0 else total + counted
        return total


def _ending(shown: Showdowns, ways: Ints) -> Ints:
    """(4, strength): all ways, and those times the dealer's holes below, level and unqualified."""
    there = np.nonzero(ways)
    strength, many = shown.strength[there], ways[there]
    # Every count is far below 2**53, so that sums of floats are exact.
    return np.stack(
        [
            np.bincount(strength, many * each, 7463).astype(np.int64)
            for each in (1, shown.below[there], shown.level[there], shown.low[there])
        ]
    )
