"""What the five pay tables of the document pay."""

import pytest

from pitboss.round import actions
from tests.helpers import HOLLYWOOD, hand, line, opened, refused, settled, stacked, started

MAIN = ("ante", "raise-1", "raise-2", "raise-3")


@pytest.mark.parametrize(
    ("held", "board", "won"),
    [
        pytest.param("Ah Kh", "Qh Jh Th", 35_000_00, id="royal flush 500 to 1"),
        pytest.param("9h Kh", "Qh Jh Th", 7_000_00, id="straight flush 100 to 1"),
        pytest.param("8h 8d", "8s 8c Th", 2_800_00, id="four of a kind 40 to 1"),
        pytest.param("8h 8d", "8s 2c 2h", 770_00, id="full house 11 to 1"),
        pytest.param("Ah 2h", "9h 7h 3h", 490_00, id="flush 7 to 1"),
        pytest.param("9c Kh", "Qh Jh Th", 280_00, id="straight 4 to 1"),
        pytest.param("8h 8d", "8s 2c 3h", 210_00, id="three of a kind 3 to 1"),
        pytest.param("3h 3d", "2s 2c 9h", 105_00, id="two pair 3 to 2"),
        pytest.param("Ah Ad", "2s 9c 3h", 70_00, id="aces even money"),
        pytest.param("Jh Jd", "2s 9c 3h", 70_00, id="jacks even money"),
    ],
)
def test_ante_and_raise_wagers__winning_hands(held, board, won):
    # Ante 10.00 with raises of one, two and three Antes: 70.00 in all.
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, held, (1, 2, 3)), board=board)
    assert sum(line(result, spot).won_cents for spot in MAIN) == won
    assert result.seats[0].returned_cents == 70_00 + won


@pytest.mark.parametrize(
    ("held", "returned"),
    [
        pytest.param("Td Ts", 70_00, id="tens push"),
        pytest.param("6d 6s", 70_00, id="sixes push"),
        pytest.param("5d 5s", 0, id="fives lose"),
        pytest.param("Ad Ks", 0, id="ace high loses"),
    ],
)
def test_ante_and_raise_wagers__pushes_and_losses(held, returned):
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, held, (1, 2, 3)), board="2h 4c 9d")
    assert (result.seats[0].won_cents, result.seats[0].returned_cents) == (0, returned)


def test_ante_and_raise_wagers__odd_cents_round_once_for_the_whole_stack():
    # Two pair on 5.01 x (1 + 1 + 1 + 2) = 25.05: 3 to 2 is 37.575, so 37.57 is paid. Wager by
    # wager it would have been 7.51 + 7.51 + 7.51 + 15.03 = 37.56.
    seat = hand(HOLLYWOOD, "3h 3d", (1, 1, 2), ante=5_01)
    result = settled(HOLLYWOOD, seat, board="2s 2c 9h")
    assert [line(result, spot).won_cents for spot in MAIN] == [7_52, 7_51, 7_51, 15_03]
    assert result.seats[0].won_cents == 37_57


@pytest.mark.parametrize(
    ("board", "won"),
    [
        pytest.param("Ah Kh Qh", 250_00, id="mini-royal 50 to 1"),
        pytest.param("Ah 2h 3h", 200_00, id="straight flush 40 to 1"),
        pytest.param("7h 7c 7s", 150_00, id="three of a kind 30 to 1"),
        pytest.param("Ah Kc Qh", 30_00, id="straight 6 to 1"),
        pytest.param("Ah 9h 2h", 15_00, id="flush 3 to 1"),
        pytest.param("2h 2c 9h", 5_00, id="pair even money"),
        pytest.param("Ah Kc Jh", 0, id="ace high loses"),
        pytest.param("Kh Ac 2h", 0, id="no straight around the corner"),
    ],
)
def test_board_bonus__is_paid_by_the_three_community_cards(board, won):
    seat = hand(HOLLYWOOD, "8d 4c", (1, 1, 1), side={"board-bonus": 5_00})
    bonus = line(settled(HOLLYWOOD, seat, board=board), "board-bonus")
    assert (bonus.won_cents, bonus.returned_cents) == (won, 5_00 + won if won else 0)


@pytest.mark.parametrize(
    ("held", "won"),
    [
        pytest.param("Ah Ac", 150_00, id="aces 30 to 1"),
        pytest.param("Ah Kh", 100_00, id="ace-king suited 20 to 1"),
        pytest.param("Qs As", 100_00, id="ace-queen suited 20 to 1"),
        pytest.param("Ah Jh", 100_00, id="ace-jack suited 20 to 1"),
        pytest.param("Ah Kc", 50_00, id="ace-king unsuited 10 to 1"),
        pytest.param("Jc Ah", 50_00, id="ace-jack unsuited 10 to 1"),
        pytest.param("Kh Kc", 20_00, id="kings 4 to 1"),
        pytest.param("2h 2c", 20_00, id="twos 4 to 1"),
        pytest.param("Ah Th", 0, id="ace-ten loses"),
        pytest.param("Kh Qh", 0, id="king-queen loses"),
    ],
)
def test_pocket_bonus__is_paid_by_the_first_two_cards(held, won):
    seat = hand(HOLLYWOOD, held, (1, 1, 1), side={"pocket-bonus": 5_00})
    bonus = line(settled(HOLLYWOOD, seat, board="4d 6s 9d"), "pocket-bonus")
    assert (bonus.won_cents, bonus.returned_cents) == (won, 5_00 + won if won else 0)


@pytest.mark.parametrize(
    ("held", "board", "won"),
    [
        pytest.param("7h 5d", "4s 3c 2h", 500_00, id="seven high 100 to 1"),
        pytest.param("8h 5d", "4s 3c 2h", 250_00, id="eight high 50 to 1"),
        pytest.param("9h 5d", "4s 3c 2h", 75_00, id="nine high 15 to 1"),
        pytest.param("Th 5d", "4s 3c 2h", 25_00, id="ten high 5 to 1"),
        pytest.param("Jh 5d", "4s 3c 2h", 5_00, id="jack high even money"),
        pytest.param("Qh 5d", "4s 3c 2h", 0, id="queen high loses"),
        pytest.param("2d 5d", "4s 3c 2h", 0, id="a pair loses"),
        pytest.param("6d 5d", "4s 3c 2h", 0, id="a straight loses"),
        pytest.param("7h 5h", "4h 3h 2h", 0, id="a flush loses"),
    ],
)
def test_lo_ball__is_paid_by_the_five_card_hand(held, board, won):
    seat = hand(HOLLYWOOD, held, (1, 1, 1), side={"lo-ball": 5_00})
    low = line(settled(HOLLYWOOD, seat, board=board), "lo-ball")
    assert (low.won_cents, low.returned_cents) == (won, 5_00 + won if won else 0)


@pytest.mark.parametrize(
    ("held", "board", "sixth", "won"),
    [
        pytest.param("Ah Kh", "Qh Jh 2c", "Th", 5_000_00, id="royal flush 1000 to 1"),
        pytest.param("9h Kh", "Qh Jh 2c", "Th", 1_000_00, id="straight flush 200 to 1"),
        pytest.param("8h 8d", "8s 2c 2h", "8c", 250_00, id="four of a kind 50 to 1"),
        pytest.param("8h 8d", "8s 2c 2h", "2d", 125_00, id="two times three: full house 25 to 1"),
        pytest.param("Ah 2h", "9h 7h 3c", "3h", 75_00, id="flush 15 to 1"),
        pytest.param("9h 8h", "7h 6h 2h", "5c", 75_00, id="flush before straight"),
        pytest.param("9c Kh", "Qh Jh 2c", "Th", 50_00, id="straight 10 to 1"),
        pytest.param("8h 8d", "Ks 2c 3h", "8c", 25_00, id="three of a kind 5 to 1"),
        pytest.param("8h 8d", "Ks Kc 3h", "3c", 0, id="three pairs lose"),
    ],
)
def test_all_six__is_paid_by_the_best_five_of_six_cards(held, board, sixth, won):
    seat = hand(HOLLYWOOD, held, (1, 1, 1), side={"all-six": 5_00})
    bonus = line(settled(HOLLYWOOD, seat, board=board, all_six=sixth), "all-six")
    assert (bonus.won_cents, bonus.returned_cents) == (won, 5_00 + won if won else 0)


def test_all_six__the_sixth_card_never_helps_the_main_wagers_or_lo_ball():
    seat = hand(HOLLYWOOD, "Ah Kh", (1, 1, 1), side={"all-six": 1_00, "lo-ball": 1_00})
    result = settled(HOLLYWOOD, seat, board="Qh Jh 2c", all_six="Th")
    assert [each.spot for each in result.seats[0].lines if each.won_cents] == ["all-six"]


@pytest.mark.parametrize("side", ["board-bonus", "pocket-bonus", "lo-ball", "all-six"])
def test_optional_bonus_wagers__are_made_before_the_round_starts(side):
    deck = stacked("Qh 7c 2d 9s Qd 3c")
    wagers = {"ante": 10_00, side: 1_00}
    game = opened(HOLLYWOOD, {1: {"ante": 10_00}})
    assert game.refusal(actions.Bet(1, wagers)) is None
    late = started(HOLLYWOOD, {1: {"ante": 10_00}}, deck)
    assert refused(late, actions.Bet(1, wagers)).code == "bet/closed"


def test_optional_bonus_wagers__nobody_has_to_make_one():
    game = opened(HOLLYWOOD, {1: {"ante": 10_00}})
    game.do(actions.CloseBets())
    assert game.state.seats[1].stakes == {"ante": 10_00}
