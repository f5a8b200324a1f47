"""What people call a hand on a shared board, in all situations at once, to tell how it is played.

A hand is its category, and whether a card in hand has a part in it or the board alone makes it; on
the flop also whether it is four to a flush.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from pitboss.hands import ORDERS, ranking
from pitboss.maths.board_cards import boards
from pitboss.maths.board_kinds import BOARD, FLOP, SUITS, Kinds, plain
from pitboss.maths.board_showdowns import BoardShowdowns, flush_strengths, rank_strengths
from pitboss.maths.hand_states import KEYS, Ints, strength

Names = npt.NDArray[np.int8]
"""Numbers that :func:`hand_name` says in words."""

_, CATEGORIES = ORDERS["five-card"]
_DRAWS, _OWN = 2 * len(CATEGORIES), len(CATEGORIES)


def hand_name(place: int) -> str:
    """Say what hand it is.

    >>> hand_name(1), hand_name(11), hand_name(20)
    ('pair of the board', 'pair with a card in hand', 'high card, four to a flush')
    """
    draws, rest = divmod(place, _DRAWS)
    own, category = divmod(rest, _OWN)
    made = CATEGORIES[category].replace("-", " ")
    if category:
        made += " with a card in hand" if own else " of the board"
    return made + ", four to a flush" * draws


@cache
def _category() -> Ints:
    """(strength): the place of its category."""
    return np.array(
        [0, *(CATEGORIES.index(hand.category) for hand in ranking("five-card").classes)]
    )


def on_flop(ranks: tuple[int, ...]) -> Names:
    """(board, hole): what each is called with three cards on the board."""
    every, deck = boards(FLOP, ranks), np.array(ranks)
    lie, held = (
        SUITS * deck[cards // SUITS] + cards % SUITS for cards in (every.cards, every.holes)
    )
    made = _category()[strength(KEYS[lie].sum(axis=1)[:, None] + KEYS[held].sum(axis=1))]
    low, high = held.T // SUITS
    own = np.broadcast_to(low == high, made.shape)
    for card in lie.T[..., None] // SUITS:
        own = own | (card == low) | (card == high)
    own = own | (made >= CATEGORIES.index("straight"))
    draws = np.zeros(made.shape, np.bool_)
    for suit in range(SUITS):
        draws |= (lie % SUITS == suit).sum(axis=1)[:, None] + (held % SUITS == suit).sum(
            axis=1
        ) == 4
    return np.asarray(made + _OWN * (own & (made > 0)) + _DRAWS * draws, np.int8)


def on_whole_board(kinds: Kinds, shown: BoardShowdowns, ranks: tuple[int, ...]) -> Names:
    """(board, hole): what each is called with all cards on the board."""
    cards = kinds.boards[BOARD]
    alone = rank_strengths(ranks, 0)[plain(ranks).find(cards % len(ranks))]
    bits = np.where(kinds.mark, 1 << kinds.rank, 0)[cards].sum(axis=1)[:, None]
    board = _category()[np.maximum(alone, flush_strengths()[bits])]
    made = _category()[shown.strength]
    return np.asarray(made + _OWN * ((made > board) & (made > 0)), np.int8)
