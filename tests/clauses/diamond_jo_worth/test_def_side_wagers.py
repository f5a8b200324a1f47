"""D, E and F: Board Bonus, Pocket Bonus and Lo Ball."""

import pytest

from pitboss.round import actions
from pitboss.settle import of_round, settle
from tests.helpers import (
    DIAMOND_JO,
    hand,
    line,
    opened,
    played,
    refused,
    settled,
    stacked,
    started,
)


def needs_an_ante_before_the_deal(spot: str, clause: str) -> None:
    """The spot takes nothing without an ante, nothing after the deal, and both together before."""
    game = opened(DIAMOND_JO, {1: {}, 2: {"ante": 5_00}}, maximum=100_00)
    alone = refused(game, actions.Bet(1, {spot: 1_00}))
    assert alone.code == "bet/no-ante"
    assert alone.clause.split(",")[0] == clause
    game.do(actions.Bet(1, {"ante": 5_00, spot: 1_00}))
    game.do(actions.CloseBets())
    assert refused(game, actions.Bet(2, {"ante": 5_00, spot: 1_00})).code == "bet/closed"
    game.deal(stacked())
    assert refused(game, actions.Bet(2, {"ante": 5_00, spot: 1_00})).code == "bet/closed"
    assert game.state.seats[2].stakes == {"ante": 5_00}


def returned(spot: str, held: str, board: str, *, folded: bool = False) -> int:
    """What comes back for $10 on this side wager."""
    seat = hand(DIAMOND_JO, held, (0,) if folded else (1, 1, 1), side={spot: 10_00})
    return line(settled(DIAMOND_JO, seat, board=board), spot).returned_cents


def test_d__the_board_bonus_needs_an_ante_and_comes_before_the_deal():
    needs_an_ante_before_the_deal("board-bonus", "D")


@pytest.mark.parametrize(
    ("held", "board", "back"),
    [
        ("3h 4s", "2c 2d 9h", 20_00),  # the lowest pair wins, 1 to 1
        ("Ah Ad", "2c 7d Ts", 0),  # the player's own pair does not count
        ("Ah Ad", "As 7d Ts", 0),  # nor does one that a player's card makes
        ("2h 3h", "Ah Kd Js", 0),
    ],
    ids=["pair on the board", "pocket pair", "pair with the board", "ace high"],
)
def test_d__the_board_bonus_wins_from_a_pair_among_the_community_cards(held, board, back):
    assert returned("board-bonus", held, board) == back


def test_d__the_board_bonus_of_a_folded_hand_is_paid():
    assert returned("board-bonus", "3h 4s", "2c 2d 9h", folded=True) == 20_00


def test_e_a__the_pocket_bonus_needs_an_ante_and_comes_before_the_deal():
    needs_an_ante_before_the_deal("pocket-bonus", "E.a")


@pytest.mark.parametrize(
    ("held", "back"),
    [
        ("2h 2d", 60_00),
        ("Ah Jd", 110_00),
        ("Ah Td", 0),
        ("Ah Th", 0),
        ("Kh Qh", 0),
        ("Kh Jd", 0),
    ],
    ids=["pair", "ace-jack", "ace-ten", "ace-ten suited", "king-queen suited", "king-jack"],
)
def test_e_a__the_pocket_bonus_wins_from_a_pair_or_an_ace_with_a_face(held, back):
    assert returned("pocket-bonus", held, "3c 7d 9s") == back


def test_e_a__a_pair_made_with_the_board_is_not_in_the_pocket():
    assert returned("pocket-bonus", "Kh 2d", "Kc Kd 2s") == 0


def test_e_a__the_pocket_bonus_of_a_folded_hand_is_paid():
    assert returned("pocket-bonus", "2h 2d", "3c 7d 9s", folded=True) == 60_00


def test_f_a__the_lo_ball_needs_an_ante_and_comes_before_the_deal():
    needs_an_ante_before_the_deal("lo-ball", "F.a")


@pytest.mark.parametrize(
    ("held", "board", "back"),
    [
        ("Jh 9d", "2c 5d 7s", 20_00),
        ("Qh 9d", "2c 5d 7s", 0),
        ("Ah 3d", "2c 5d 7s", 0),
        ("2h 3d", "2c 5d 7s", 0),
    ],
    ids=["jack high", "queen high", "ace high", "pair of twos"],
)
def test_f_a__the_lo_ball_wins_with_a_five_card_hand_of_jack_high_or_less(held, board, back):
    assert returned("lo-ball", held, board) == back


def test_f_a__the_lo_ball_of_a_folded_hand_is_paid():
    assert returned("lo-ball", "Jh 9d", "2c 5d 7s", folded=True) == 20_00


def test_f_a__all_three_are_paid_to_a_hand_folded_at_the_last_moment():
    deck = stacked("2h 2d", "7c 7d 9s")
    bets = {"ante": 5_00, "board-bonus": 5_00, "pocket-bonus": 5_00, "lo-ball": 5_00}
    game = started(DIAMOND_JO, {1: bets}, deck, maximum=100_00)
    played(game, deck, {1: 1}, {1: 1}, {1: 0})
    done = settle(DIAMOND_JO, of_round(game.state))
    assert line(done, "board-bonus").returned_cents == 10_00  # sevens, 1 to 1
    assert line(done, "pocket-bonus").returned_cents == 30_00  # twos, 5 to 1
    assert line(done, "lo-ball").returned_cents == 0  # two pair
    assert done.seats[0].returned_cents == 40_00  # ante and two raises are gone
