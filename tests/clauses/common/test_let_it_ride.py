"""Let It Ride by its file's numbered headings, money worked out by hand."""

import pytest

from pitboss.round import actions
from pitboss.settle import of_round, settle
from tests.helpers import LET_IT_RIDE, hand, line, opened, refused, settled, stacked, started

BETS = {"bet-1": 10_00, "bet-2": 10_00, "bet-3": 10_00}


@pytest.mark.parametrize(
    "wagers",
    [{"bet-3": 10_00}, {**BETS, "bet-1": 5_00}, {**BETS, "bet-2": 15_00}],
)
def test_2__three_bets_are_equal(wagers):
    said = refused(opened(LET_IT_RIDE, {1: {}}), actions.Bet(1, wagers))
    assert said.code == "bet/not-equal"
    assert "takes exactly what lies on Bet 3, which is $10" in said.message
    one = refused(opened(LET_IT_RIDE, {1: {}}), actions.Bet(1, {"bet-1": 10_00}))
    assert one.code == "bet/no-ante"


def test_3__the_first_bet_is_taken_back_and_then_the_second():
    game = started(LET_IT_RIDE, {1: BETS}, stacked("Ts 7d 2c", "3h 4d"))
    assert [(each.action, each.spot) for each in game.legal(1)] == [
        ("check", ""),
        ("take-back", "bet-1"),
    ]
    assert refused(game, actions.Fold(1)).code == "fold/not-offered"
    game.do(actions.TakeBack(1))
    game.deal(stacked("Ts 7d 2c", "3h 4d"))
    assert [each.spot for each in game.legal(1)] == ["", "bet-2"]
    game.do(actions.TimeOut(1))  # silence leaves a bet where it lies
    game.deal(stacked("Ts 7d 2c", "3h 4d"))
    assert game.state.seats[1].stakes == {"bet-2": 10_00, "bet-3": 10_00}
    result = settle(LET_IT_RIDE, of_round(game.state))
    assert [(each.spot, each.returned_cents) for each in result.seats[0].lines] == [
        ("bet-2", 0),
        ("bet-3", 0),
    ]


def test_3__a_late_find_on_one_is_a_find_on_all_that_are_left():
    game = started(LET_IT_RIDE, {1: BETS}, stacked("Ts 7d 2c", "3h 4d"), maximum=50_00)
    game.do(actions.TakeBack(1))
    game.do(actions.AcceptLate(1, "bet-2", 60_00, "floor-supervisor", "flo"))
    assert game.state.seats[1].stakes == {"bet-2": 60_00, "bet-3": 60_00}


@pytest.mark.parametrize(
    ("held", "board", "times"),
    [
        ("As Ks Qs", "Js Ts", 1000),
        ("9s 8s 7s", "6s 5s", 200),
        ("9s 9d 9c", "9h 5s", 50),
        ("9s 9d 9c", "5h 5s", 11),
        ("Ks 9s 7s", "4s 2s", 8),
        ("As 2d 3c", "4h 5s", 5),
        ("9s 9d 9c", "4h 5s", 3),
        ("9s 9d 4c", "4h 5s", 2),
        ("Ts Td 4c", "3h 5s", 1),
    ],
)
def test_4__every_bet_that_is_left_is_paid_by_the_hand(held, board, times):
    result = settled(LET_IT_RIDE, hand(LET_IT_RIDE, held), board=board)
    assert [each.won_cents for each in result.seats[0].lines] == [times * 10_00] * 3


def test_4__nines_lose():
    result = settled(LET_IT_RIDE, hand(LET_IT_RIDE, "9s 9d 4c"), board="3h 5s")
    assert result.seats[0].returned_cents == 0


def test_5__the_bonus_is_on_the_players_own_three_cards():
    side = {"three-card-bonus": 5_00}
    result = settled(LET_IT_RIDE, hand(LET_IT_RIDE, "As Ks Qs", side=side), board="2h 3d")
    assert line(result, "three-card-bonus").won_cents == 250_00
