"""How often the player's hand meets which of the dealer's on a shared board, level by level.

Who knows that of some play knows what it comes to under any qualifier. As for showdowns, the
dealer's holes are counted board by board, and those with a card of the player's taken off.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.maths.board_kinds import Kinds
from pitboss.maths.board_showdowns import BoardCounts, beside, dealers_holes
from pitboss.maths.hand_states import Ints
from pitboss.maths.qualifiers import level_of, levels

_BATCH = 200
"""Boards at a time: as many as stay near the processor."""


def meetings(kinds: Kinds, strength: BoardCounts, finals: Mapping[int, Ints]) -> dict[int, Ints]:
    """(level of the player's, level of the dealer's) for each final, by its ways (board, hole)."""
    many, kind = len(levels("five-card")), len(kinds.rank)
    found = {final: np.zeros((many, many)) for final in finals}
    for start in range(0, len(strength), _BATCH):
        part = slice(start, start + _BATCH)
        level, (left, ways) = level_of("five-card")[strength[part]], dealers_holes(kinds, part)
        board, with_card = (
            np.arange(len(level) * each).reshape(len(level), -1, 1) for each in (1, kind)
        )
        here = many * board[:, 0] + level
        mine = np.concatenate([many * with_card[:, card, 0] + level for card in kinds.holes.T])

        def counted(at: Ints, weights: Ints | BoardCounts, rows: Ints) -> npt.NDArray[Any]:
            # Every count is far below 2**53, so that sums and products of floats are exact.
            return np.bincount(at.ravel(), weights.ravel(), rows.size * many).reshape(-1, many)

        every = counted(here, ways, board)
        needed = counted(many * with_card + level[:, kinds.hole_at], beside(left), with_card)
        for final, ends in finals.items():
            some = ends[part]
            own = counted(here, some, board)
            found[final] += own.T @ every
            found[final] -= counted(mine, np.concatenate([some, some]), with_card).T @ needed
            # The player's own hole was taken off twice, once with each of its cards.
            found[final] += np.diag(own.sum(axis=0))
    return {final: met.astype(np.int64) for final, met in found.items()}
