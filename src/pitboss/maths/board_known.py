"""What a game on a shared board is worth to a player who knows one of the dealer's two cards.

One rank after the other is known, in a suit of its own: the counts are those of the whole game with
this card away and only the other to come, so that a mark is the known card's suit, or is not.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from math import comb

import numpy as np
from msgspec.structs import replace

from pitboss.maths.board_cards import Boards, boards, group, least_names
from pitboss.maths.board_kinds import BOARD, FLOP, SUITS, Kinds, marked, plain
from pitboss.maths.board_play import HOLE, TURN, BoardGame, best, from_turn, plainly, worth_of
from pitboss.maths.board_showdowns import (
    BATCH,
    BoardCounts,
    BoardShowdowns,
    rank_strengths,
    strengths,
)
from pitboss.maths.hand_states import Ints
from pitboss.maths.side_by_side import each

_AT_ONCE = 2
"""Of the known card's ranks: each takes up to 1.5 GB where something is decided on the turn."""


def one_known(game: BoardGame) -> Fraction:
    """Return the value, in units."""
    game = replace(game, known=1)
    ranks, by_rank = game.ranks, rank_strengths(game.ranks)
    strength = [
        strengths(kinds, np.arange(len(kinds.boards[BOARD])), by_rank, ranks)
        for kinds in (plain(ranks), marked(ranks))
    ]
    work = partial(_known, game, strength)
    total = sum(each("one card known", work, range(len(ranks)), _AT_ONCE))
    deals = len(ranks) * comb(SUITS * len(ranks) - 1, HOLE) * game.endings(0)
    return Fraction(total, deals)


def _known(game: BoardGame, strength: list[BoardCounts], rank: int) -> int:
    """Return what all deals with this card known are worth."""
    away = (
        (plain(game.ranks), rank),
        (marked(game.ranks), rank),
        (marked(game.ranks), rank + len(game.ranks)),
    )
    turn, flops = _turns(game, strength, away), boards(FLOP, game.ranks, fixed=True)
    if game.at(TURN) is None:
        worths = [flops.together(*_back(TURN, away, each)) for each in turn]
    else:
        worths, _ = from_turn(game, turn, SUITS * rank)
    return _decided(game, flops, rank, worths)


Away = Sequence[tuple[Kinds, int]]
"""The known card: by ranks alone, as one of the mark, and as one of another suit."""


def _back(cards: int, away: Away, worths: Sequence[Ints]) -> tuple[Ints, ...]:
    pairs = zip(away, worths, strict=True)
    return tuple(kinds.back(cards, worth, kind) for (kinds, kind), worth in pairs)


def _turns(game: BoardGame, strength: list[BoardCounts], away: Away) -> list[tuple[Ints, ...]]:
    """Return for each column what boards of four are worth: by ranks, and what a mark changes."""
    rows, holes = plainly(game)
    shown = [
        _beside(kinds, strength[bool(kinds.mark.any())], kind, game.weakest) for kinds, kind in away
    ]
    found, river = [], game.at(BOARD)
    for column in range(len(game.gains) if river is None else len(river.after)):
        worths = [
            worth_of(game, some, column)
            if river is None
            else best(game, river, column, partial(worth_of, game, some))[0]
            for some in shown
        ]
        changes = [worth - worths[0][rows][:, holes] for worth in worths[1:]]
        found.append(_back(BOARD, away, [worths[0], *changes]))
    return found


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
def _alike(ranks: tuple[int, ...]) -> Ints:
    """(hole): which are alike up to the names of all suits but the first."""
    holes = boards(FLOP, ranks).holes
    return np.unique(least_names(holes, fixed=True)[0], return_inverse=True)[1]
