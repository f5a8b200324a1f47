"""The bots of the terminal: what they bet, and what they decide by."""

import pytest

from pitboss.cli.terminal import simple_bots
from pitboss.round import actions
from tests.helpers import BOOKS, DIAMOND_JO, SENECA, opened, stacked, started
from tests.small_books import TAKE_BACK


@pytest.mark.parametrize(
    ("held", "board", "choice"),
    [
        ("Kh Kd", "", "raise 3"),
        ("6h 6d", "", "raise 3"),
        ("2h 2d", "", "raise 1"),
        ("Jh 2d", "", "raise 1"),
        ("7h 8d", "", "raise 1"),
        ("7h 5d", "", "fold"),
        ("2h 5h", "9h", "raise 1"),
        ("2h 5h", "9h Kh", "raise 3"),
        ("Jh 2d", "3c", "fold"),
        ("Jh Qd", "3c", "raise 1"),
    ],
)
def test_a_bot_raises_on_what_the_pay_table_is_worth(held, board, choice):
    deck = stacked(held, board)
    game = started(DIAMOND_JO, {1: {"ante": 500}}, deck)
    for _ in board.split():
        game.do(actions.Raise(1, 1))
        game.deal(deck)
    option = simple_bots.decide(DIAMOND_JO, game.view(1), 1, game.legal(1))
    assert f"{option.action} {option.times or ''}".strip() == choice


@pytest.mark.parametrize(
    ("held", "choice"),
    [("Ah Kd 2c 3d 4h", "raise"), ("2h 2d 3c 4d 6s", "raise"), ("Ah Qd Jc Td 8h", "fold")],
)
def test_a_bot_plays_against_the_dealer_with_what_would_qualify(held, choice):
    game = started(SENECA, {1: {"ante": 500}}, stacked(held))
    assert simple_bots.decide(SENECA, game.view(1), 1, game.legal(1)).action == choice


@pytest.mark.parametrize(
    ("held", "choice"), [("Th Td 2c", "check"), ("9h 9d 2c", "check"), ("2h 5d 8c", "take-back")]
)
def test_a_bot_takes_back_what_it_does_not_believe_in(held, choice):
    game = started(TAKE_BACK, {1: {"ante": 500, "first": 500}}, stacked(held))
    assert simple_bots.decide(TAKE_BACK, game.view(1), 1, game.legal(1)).action == choice


def test_some_bots_place_side_wagers_and_all_bet_the_least():
    for book in BOOKS:
        game = opened(book, {seat: {} for seat in range(1, 7)}, minimum=5_00)
        bets = [simple_bots.bet(book, game.view(seat), seat).wagers for seat in range(1, 7)]
        assert {bet[book.ante.name] for bet in bets} == {5_00}
        assert {len(bet) for bet in bets} == {1, 2}
