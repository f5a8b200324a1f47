"""Simulation on a shared board: every look-up as the machine plays it, without solving a game."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pitboss import maths
from pitboss.hands import ranking
from pitboss.lab import simulation_tables
from pitboss.maths import board_games
from pitboss.maths.board_cards import boards
from pitboss.maths.board_kinds import BOARD, EVERY_RANK, FLUSH, Kinds, marked, plain
from pitboss.maths.board_play import HOLE, BoardChoices, BoardGame
from pitboss.rulebook.model import Rulebook
from tests.helpers import CASINO_HOLDEM, HOLDEM_BONUS, ULTIMATE
from tests.lab.machine import ANTE, ends_alike

Numbers = npt.NDArray[Any]


def odd(board: Numbers, hole: Numbers) -> Numbers:
    """A number that depends on all that is seen, but neither on suits' names nor on any order."""
    found: Numbers = 2 * (hole >> 2).max(axis=-1) + 7 * (hole[..., 0] & 3 == hole[..., 1] & 3)
    for card in np.moveaxis(board, -1, 0):
        found = found + (card >> 2)
        for mine in np.moveaxis(hole, -1, 0):
            found = found + np.where(card & 3 == mine & 3, 1 + (mine >> 2), 0)
    return found


def odd_whole(board: Numbers, hole: Numbers, mine: Numbers) -> Numbers:
    """The same of ranks, and of which cards in hand are of the suit that matters."""
    found: Numbers = 2 * hole.max(axis=-1) + board.sum(axis=-1)
    found += np.where(mine, 1 + hole, 0).sum(axis=-1)
    return found


def oddly(game: BoardGame) -> BoardChoices:
    """Choices of no sense in every situation that the solver tells apart."""
    found: BoardChoices = {}
    for street in game.streets:
        cards, many = street.seen - HOLE, len(street.choices)
        if cards == 0:
            told = {False: odd(np.zeros((1, 0), int), boards(3, EVERY_RANK).holes)}
        elif cards < BOARD:
            every = boards(cards, EVERY_RANK)
            small = every.cards.astype(np.int16), every.holes.astype(np.int16)
            told = {False: odd(small[0][:, None], small[1][None])}
        else:
            told = {False: whole(plain(EVERY_RANK)), True: whole(marked(EVERY_RANK))}
        for mark, number in told.items():
            picks = (number % many).astype(np.int8)
            found[cards, mark] = [(picks + column) % many for column in range(len(street.after))]
    return found


def whole(kinds: Kinds) -> Numbers:
    board, hole = (kinds.rank[each] for each in (kinds.boards[BOARD], kinds.holes))
    return odd_whole(board[:, None], hole, kinds.mark[kinds.holes])


@pytest.mark.parametrize(
    "book", [ULTIMATE, CASINO_HOLDEM, HOLDEM_BONUS], ids=lambda value: getattr(value, "id", value)
)
def test_the_machine_settles_every_deal_as_the_kernel_does(book: Rulebook) -> None:
    planned, game, pay = board_games.readied(book, ANTE, ANTE, "stay")
    finals, strengths = len(planned.finals), len(ranking("five-card").classes) + 1
    nothing = {
        "ends": np.zeros((finals, 6, strengths), np.int64),
        "taken": np.zeros((0, 4), np.int64),
    }
    unsolved = board_games.priced(planned, game, pay, nothing)
    kernel, endings = simulation_tables.on_board(unsolved, oddly(game), 2)
    asked: Counter[tuple[int, int]] = Counter()

    def choose(seen: maths.Seen) -> int:
        number, column = planned.plan.at(seen.raises, HOLE + len(seen.board))
        board, hole = np.array(seen.board, int), np.array(seen.cards)
        if len(board) == BOARD:
            suit, many = Counter(board & 3).most_common(1)[0]
            mine = (hole & 3 == suit) & (many >= FLUSH)
            told = odd_whole(board >> 2, hole >> 2, mine)
        else:
            told = odd(board, hole)
        choices = planned.plan.streets[number].choices
        choice = choices[(int(told) + column) % len(choices)]
        asked[number, choice] += 1
        return choice

    ends_alike(book, 300, choose, kernel, endings)
    every = {(n, each) for n, street in enumerate(planned.plan.streets) for each in street.choices}
    assert asked.keys() == every
