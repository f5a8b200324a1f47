"""Strategies on a shared board, as rules over all situations at once: there are too many to ask."""

from collections import Counter
from collections.abc import Callable
from functools import cache

import msgspec
import numpy as np

from pitboss.errors import Unreadable
from pitboss.maths import kept
from pitboss.maths.board_cards import boards
from pitboss.maths.board_course import follow
from pitboss.maths.board_games import BoardSolution, course_counted, priced, readied
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLOP, FLUSH, SUITS, Kinds, marked, plain
from pitboss.maths.board_play import HOLE, BoardChoices, BoardGame, showdowns
from pitboss.maths.board_showdowns import BoardCounts, flush_strengths, rank_strengths, strengths
from pitboss.maths.decisions import CHECK, FOLD
from pitboss.maths.hand_states import KEYS, Ints
from pitboss.maths.hand_states import strength as strength_of
from pitboss.maths.seen import Seen
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import weakest

_TEN = 8
"""A ten's rank, counted from a two."""
_OUTS = 21


class BoardRules(msgspec.Struct, frozen=True):
    """What to do in every situation: a multiple, 0 folds, -1 checks."""

    holes: Callable[[Ints], Ints]
    """By two cards, (hole, 2)."""
    flop: Callable[[Ints, Ints], Ints]
    """By three cards of the board and two: (board, hole)."""
    whole: Callable[[Kinds, Ints, BoardCounts], Ints]
    """By kinds of cards on the whole board and the strength of each hand: (board, hole)."""
    name: str = ""
    """By which what it comes to is kept; nothing is kept of rules without one."""

    def __call__(self, seen: Seen) -> int:
        """Answer for one situation."""
        if seen.upcard is not None or len(seen.cards) != HOLE:
            raise Unreadable("this strategy is made for two cards and a shared board")
        hole, board = np.array([sorted(seen.cards)]), np.array([seen.board], np.int64)
        if not seen.board:
            return int(self.holes(hole)[0])
        if len(seen.board) == FLOP:
            return int(self.flop(board, hole)[0, 0])
        if len(seen.board) != BOARD:
            raise Unreadable("this strategy says nothing about this decision")
        suit, many = Counter(card & 3 for card in seen.board).most_common(1)[0]
        kinds = (marked if many >= FLUSH else plain)(EVERY_RANK)
        one, two, *lie = (
            card // SUITS + (len(EVERY_RANK) if many >= FLUSH and card % SUITS != suit else 0)
            for card in (*hole[0], *board[0])
        )
        place = kinds.find(np.array([lie]))
        strong = strengths(kinds, place, rank_strengths(EVERY_RANK), EVERY_RANK)
        return int(
            self.whole(kinds, kinds.boards[BOARD][place], strong)[0, kinds.hole_at[one, two]]
        )


def played(
    book: Rulebook, rules: BoardRules, ante_cents: int | None, minimum_cents: int
) -> BoardSolution:
    """Follow rules through every deal, and price what becomes of them."""
    planned, game, pay = readied(book, ante_cents, minimum_cents, "stay")

    def count() -> kept.Arrays:
        return course_counted(game, follow(game, showdowns(game), choices(game, rules)))

    of = [rules.name, msgspec.to_builtins(game.streets), game.weakest]
    counted = kept.arrays("rules", of, count) if rules.name else count()
    return priced(planned, game, pay, counted)


def choices(game: BoardGame, rules: BoardRules) -> BoardChoices:
    """Return what rules say in every situation."""
    every = boards(FLOP, game.ranks)
    said: dict[tuple[int, bool], Callable[[], Ints]] = {
        (0, False): lambda: rules.holes(every.holes),
        (FLOP, False): lambda: rules.flop(every.cards, every.holes),
        (BOARD, False): lambda: _whole(rules, plain(game.ranks), game.ranks),
        (BOARD, True): lambda: _whole(rules, marked(game.ranks), game.ranks),
    }
    found: BoardChoices = {}
    for at, rule in said.items():
        street = game.at(at[0])
        if street is not None:
            answers = rule()
            picks = np.full(answers.shape, -1, np.int8)
            for place, choice in enumerate(street.choices):
                picks[answers == choice] = place
            if (picks < 0).any():
                raise Unreadable(f"a strategy answers one of {street.choices}")
            found[at] = [picks for _ in street.after]
    if {street.seen - HOLE for street in game.streets} - {board for board, _ in said}:
        raise Unreadable("this strategy says nothing about one of the decisions")
    return found


def _whole(rules: BoardRules, kinds: Kinds, ranks: tuple[int, ...]) -> Ints:
    cards, by_rank = kinds.boards[BOARD], rank_strengths(ranks)
    return np.concatenate(
        [
            rules.whole(kinds, cards[part], strengths(kinds, part, by_rank, ranks))
            for part in np.array_split(np.arange(len(cards)), 40)
        ]
    )


# Raise early or not at all -----------------------------------------------------------------------

_LEAST = {12: (0, 0), 11: (0, 3), 10: (4, 6), 9: (6, 8)}
"""By the higher card: the lowest that is raised with it, suited and not."""


def _simple_holes(holes: Ints) -> Ints:
    """Any ace, K2s, K5, Q6s, Q8, J8s, JT and better; threes and better."""
    low, high = holes.T // SUITS
    suited = holes[:, 0] % SUITS == holes[:, 1] % SUITS
    raised = (low == high) & (low > 0)
    for top, (together, apart) in _LEAST.items():
        raised |= (high == top) & (low < high) & (low >= np.where(suited, together, apart))
    return np.where(raised, 4, CHECK)


def _simple_flop(board: Ints, holes: Ints) -> Ints:
    """Two pair or better; a hidden pair, but twos in hand; four to a flush with a hidden ten."""
    sums = KEYS[board].sum(axis=1)[:, None] + KEYS[holes].sum(axis=1)
    raised = np.asarray(strength_of(sums) >= weakest("five-card", "two-pair"))
    low, high = holes.T // SUITS
    raised |= (low == high) & (low > 0)
    for card in board.T // SUITS:
        raised |= (card[:, None] == low) | (card[:, None] == high)
    for suit in range(SUITS):
        mine = holes % SUITS == suit
        many = (board % SUITS == suit).sum(axis=1)[:, None] + mine.sum(axis=1)
        raised |= (many >= 4) & (mine & (holes // SUITS >= _TEN)).any(axis=1)
    return np.where(raised, 2, CHECK)


def _simple_whole(kinds: Kinds, cards: Ints, strength: BoardCounts) -> Ints:
    """A hidden pair or better, or fewer than 21 cards that would beat it if the dealer had them."""
    low, high = kinds.rank[kinds.holes].T
    raised = np.broadcast_to(low == high, strength.shape)
    for card in kinds.rank[cards].T[..., None]:
        raised = raised | (card == low) | (card == high)
    own = _with_board(kinds, cards, 0)
    raised |= (strength >= weakest("five-card", "straight")) & (strength > own)
    return np.where(raised | (_outs(kinds, cards, strength) < _OUTS), 1, FOLD)


def _outs(kinds: Kinds, cards: Ints, strength: BoardCounts) -> Ints:
    """(board, hole): how many cards would make a better hand with the board than this one is."""
    theirs, left = _with_board(kinds, cards, 1), kinds.copies - kinds.counted(cards)
    found = np.zeros(strength.shape, np.int64)
    for kind in range(len(kinds.rank)):
        there = left[:, kind, None] - kinds.held[:, kind]
        found += (theirs[:, kind, None] > strength) * there
    return found


def _with_board(kinds: Kinds, cards: Ints, more: int) -> Ints:
    """(board, kind): the strength of a board alone, or with one more card of each kind."""
    every = plain(EVERY_RANK)
    found = _by_ranks(more)[every.find(kinds.rank[cards])]
    bits = np.where(kinds.mark, 1 << kinds.rank, 0)
    suited = bits[cards].sum(axis=1)[:, None]
    if more:
        found, suited = found[:, kinds.rank], suited | bits
    return np.array(np.maximum(found, flush_strengths()[suited]))


@cache
def _by_ranks(more: int) -> Ints:
    return rank_strengths(EVERY_RANK, more).astype(np.int64)


SIMPLE = BoardRules(_simple_holes, _simple_flop, _simple_whole, "simple")
"""As it is commonly taught for three chances to raise once."""
