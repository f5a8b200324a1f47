"""What a game on a shared board is worth to a player who knows one of the dealer's two cards.

One rank after the other is known, in a suit of its own: the counts are those of the whole game with
this card away and only the other to come, so that a mark is the known card's suit, or is not.
"""

from fractions import Fraction
from functools import cache, partial
from math import comb

import numpy as np
from msgspec.structs import replace

from pitboss.maths.board_cards import Boards, canonical, group, least_names
from pitboss.maths.board_kinds import BOARD, FLOP, SUITS, Kinds, marked, plain
from pitboss.maths.board_play import HOLE, TURN, BoardGame, best, plainly, worth_of
from pitboss.maths.board_showdowns import (
    BATCH,
    BoardCounts,
    BoardShowdowns,
    rank_strengths,
    strengths,
)
from pitboss.maths.hand_states import Ints
from pitboss.maths.side_by_side import each


def one_known(game: BoardGame) -> Fraction:
    """Return the value, in units, of a game without a decision on the turn."""
    assert game.at(TURN) is None
    game = replace(game, known=1)
    ranks, by_rank = game.ranks, rank_strengths(game.ranks)
    strength = [
        strengths(kinds, np.arange(len(kinds.boards[BOARD])), by_rank, ranks)
        for kinds in (plain(ranks), marked(ranks))
    ]
    total = sum(each("one card known", partial(_known, game, strength), range(len(ranks))))
    deals = len(ranks) * comb(SUITS * len(ranks) - 1, HOLE) * game.endings(0)
    return Fraction(total, deals)


def _known(game: BoardGame, strength: list[BoardCounts], rank: int) -> int:
    """Return what all deals with this card known are worth."""
    kinds, marks, (rows, holes) = plain(game.ranks), marked(game.ranks), plainly(game)
    away = ((kinds, rank), (marks, rank), (marks, rank + len(game.ranks)))
    shown = [_beside(every, strength[every is marks], kind, game.weakest) for every, kind in away]
    river, flops = game.at(BOARD), _flops(game.ranks)
    flop = []
    for column in range(len(game.gains) if river is None else len(river.after)):
        worths = [
            worth_of(game, some, column)
            if river is None
            else best(game, river, column, partial(worth_of, game, some))[0]
            for some in shown
        ]
        changes = [worth - worths[0][rows][:, holes] for worth in worths[1:]]
        found = [
            every.back(TURN, every.back(BOARD, worth, kind), kind)
            for (every, kind), worth in zip(away, [worths[0], *changes], strict=True)
        ]
        flop.append(flops.together(found[0], found[1], found[2]))
    return _decided(game, flops, rank, flop)


def _decided(game: BoardGame, flops: Boards, rank: int, worths: list[Ints]) -> int:
    """Decide on the flop and before, where that is asked, and sum up."""
    street, card = game.at(FLOP), SUITS * rank
    if street is not None:
        worths = [
            best(game, street, column, worths.__getitem__)[0] for column in range(len(street.after))
        ]
    free = flops.free & (flops.cards != card).all(axis=1)[:, None]
    alike = _alike(game.ranks)
    here = (flops.holes != card).all(axis=1)
    first = []
    for worth in worths:
        summed = (np.where(free & here, worth, 0) * flops.ways[:, None]).sum(axis=0)
        first.append(group(summed, alike, int(alike.max()) + 1))
    street, many = game.at(0), np.bincount(alike, here)
    if street is None:
        return int(first[0].sum())
    lost = -street.stakes[0] * game.units * game.endings(0) * many.astype(np.int64)
    options = [lost if to < 0 else first[to] for to in street.after[0]]
    return int(np.max(options, axis=0).sum())


def _beside(kinds: Kinds, strength: BoardCounts, known: int, weakest: int) -> BoardShowdowns:
    """Count the dealer's other card, for every hole of the player's."""
    parts = [
        _batch(
            kinds,
            kinds.boards[BOARD][start : start + BATCH],
            strength[start : start + BATCH],
            known,
            weakest,
        )
        for start in range(0, len(strength), BATCH)
    ]
    return BoardShowdowns(strength, *(np.concatenate(each) for each in zip(*parts, strict=True)))


def _batch(
    kinds: Kinds, cards: Ints, strength: BoardCounts, known: int, weakest: int
) -> tuple[BoardCounts, BoardCounts, BoardCounts]:
    left = (kinds.copies - kinds.counted(cards)).astype(np.int16)
    left[:, known] -= 1
    theirs = strength[:, kinds.hole_at[known]]
    below, level = np.zeros_like(strength), np.zeros_like(strength)
    for kind in range(len(kinds.rank)):
        # The player's own cards are none that the dealer can have.
        many = left[:, kind, None] - kinds.held[:, kind].astype(np.int16)
        below += many * (theirs[:, kind, None] < strength)
        level += many * (theirs[:, kind, None] == strength)
    weak = (theirs < weakest).astype(np.int16)
    low = (left * weak).sum(axis=1, dtype=np.int16)[:, None] - weak @ kinds.held.T.astype(np.int16)
    return below, level, low


@cache
def _flops(ranks: tuple[int, ...]) -> Boards:
    """Return boards of three cards up to the names of all suits but the first."""
    return canonical(FLOP, ranks, fixed=True)


@cache
def _alike(ranks: tuple[int, ...]) -> Ints:
    """(hole): which are alike up to the names of all suits but the first."""
    holes = _flops(ranks).holes
    return np.unique(least_names(holes, fixed=True)[0], return_inverse=True)[1]
