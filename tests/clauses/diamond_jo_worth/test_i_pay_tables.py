"""I: every line of the four pay tables, to the cent."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from pitboss.cards import DECK
from tests.helpers import DIAMOND_JO, hand, line, settled


def main(held: str, board: str) -> tuple[str, list[int], int]:
    """Clause, winnings of ante 5 and raises 5, 10, 15, and all that comes back."""
    done = settled(DIAMOND_JO, hand(DIAMOND_JO, held, (1, 2, 3), ante=5_00), board=board)
    won = [line(done, spot).won_cents for spot in ("ante", "raise-1", "raise-2", "raise-3")]
    [clause] = {each.clause for each in done.seats[0].lines}
    return clause, won, done.seats[0].returned_cents


def side(spot: str, held: str, board: str) -> tuple[str, int]:
    """Clause, and what comes back for $4 on this side wager."""
    seat = hand(DIAMOND_JO, held, (1, 1, 1), ante=5_00, side={spot: 4_00})
    found = line(settled(DIAMOND_JO, seat, board=board), spot)
    return found.clause, found.returned_cents


@pytest.mark.parametrize(
    ("held", "board"),
    [("Ah Kd", "Qc Js 9d"), ("2h 2d", "Ac Ks Qd"), ("5h 5d", "Ac Ks Qd"), ("Qh Kh", "Ah 2c 3h")],
    ids=["ace high", "twos", "fives", "Q-K-A-2-3 is no straight"],
)
def test_i_1__less_than_jacks_does_not_win(held, board):
    clause, won, returned = main(held, board)
    assert clause == "I.1"
    assert won == [0, 0, 0, 0]
    assert returned == 0


def test_i_2__each_hand_is_paid_by_one_line_only():
    # A full house holds trips and two pair: 10 to 1, and nothing on top.
    assert main("Kh Kd", "Ks 6c 6d") == ("I.2.d", [50_00, 50_00, 100_00, 150_00], 385_00)


def test_i_2__every_class_of_hands_falls_on_one_line():
    table = DIAMOND_JO.tables["main"]
    classes = Counter(table.row_for(each.strength).row for each in table.order.classes)
    five_ranks, kickers = comb(13, 5), comb(12, 3)
    assert classes == {
        "royal-flush": 1,
        "straight-flush": 9,
        "four-of-a-kind": 13 * 12,
        "full-house": 13 * 12,
        "flush": five_ranks - 10,
        "straight": 10,
        "three-of-a-kind": 13 * comb(12, 2),
        "two-pair": comb(13, 2) * 11,
        "jacks-or-better": 4 * kickers,
        "sixes-to-tens": 5 * kickers,
        "nothing": 4 * kickers + five_ranks - 10,
    }


def test_i_2_a__a_royal_flush_pays_500_to_1():
    won = [2_500_00, 2_500_00, 5_000_00, 7_500_00]
    assert main("Ah Kh", "Th Jh Qh") == ("I.2.a", won, 17_500_00 + 35_00)


@pytest.mark.parametrize("held", ["9h 8h", "Kh 9h"])
def test_i_2_b__a_straight_flush_pays_100_to_1(held):
    won = [500_00, 500_00, 1_000_00, 1_500_00]
    assert main(held, "Th Jh Qh") == ("I.2.b", won, 3_500_00 + 35_00)


def test_i_2_b__five_high_suited_is_a_straight_flush():
    assert main("Ah 2h", "3h 4h 5h")[0] == "I.2.b"


def test_i_2_c__four_of_a_kind_pays_40_to_1():
    won = [200_00, 200_00, 400_00, 600_00]
    assert main("2h 2d", "2c 2s 3d") == ("I.2.c", won, 1_400_00 + 35_00)


def test_i_2_d__a_full_house_pays_10_to_1():
    assert main("3h 3d", "3c 2s 2d") == ("I.2.d", [50_00, 50_00, 100_00, 150_00], 385_00)


def test_i_2_e__a_flush_pays_6_to_1():
    assert main("2h 3h", "4h 5h 7h") == ("I.2.e", [30_00, 30_00, 60_00, 90_00], 245_00)


@pytest.mark.parametrize(
    ("held", "board"),
    [("Ah 2d", "3c 4s 5d"), ("Th Jd", "Qc Ks Ad"), ("5h 7d", "6c 9s 8d")],
    ids=["A-2-3-4-5", "10-J-Q-K-A", "5-6-7-8-9"],
)
def test_i_2_f__a_straight_pays_4_to_1(held, board):
    assert main(held, board) == ("I.2.f", [20_00, 20_00, 40_00, 60_00], 175_00)


@pytest.mark.parametrize("board", ["Ac 2s 3d", "2c 3s 4d"], ids=["Q-K-A-2-3", "K-Q and 2-3-4"])
def test_i_2_f__a_straight_does_not_run_around_the_ace(board):
    assert main("Qh Kd", board)[0] == "I.1"


def test_i_2_g__three_of_a_kind_pays_3_to_1():
    assert main("2h 2d", "2c 3s 4d") == ("I.2.g", [15_00, 15_00, 30_00, 45_00], 140_00)


def test_i_2_h__two_pair_pays_2_to_1():
    assert main("2h 2d", "3c 3s 4d") == ("I.2.h", [10_00, 10_00, 20_00, 30_00], 105_00)


@pytest.mark.parametrize("rank", "JQKA")
def test_i_2_i__jacks_or_better_pay_1_to_1(rank):
    assert main(f"{rank}h 2d", f"{rank}c 3s 8d") == ("I.2.i", [5_00, 5_00, 10_00, 15_00], 70_00)


@pytest.mark.parametrize("rank", "6789T")
def test_i_2_j__sixes_to_tens_push_every_wager_on_the_hand(rank):
    assert main(f"{rank}h 2d", f"{rank}c 3s Ad") == ("I.2.j", [0, 0, 0, 0], 35_00)


def test_i_3__all_22100_boards_fall_on_these_lines():
    table = DIAMOND_JO.tables["board-bonus"]
    boards = Counter(table.row_for(table.order.strength(b)).row for b in combinations(DECK, 3))
    assert boards == {
        "mini-royal": 4,
        "straight-flush": 44,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "nothing": 16_440,
    }


def test_i_3__a_board_is_paid_by_one_line_only():
    # Suited A-K-Q is a straight and a flush as well: 50 to 1 on $4, and nothing on top.
    assert side("board-bonus", "2c 2d", "Ah Kh Qh")[1] == 204_00


@pytest.mark.parametrize(
    "board", ["Kh Ad 2c", "Ah Kd Js"], ids=["K-A-2 is no straight", "ace high"]
)
def test_i_3__less_than_a_pair_loses(board):
    assert side("board-bonus", "As 7s", board) == ("D", 0)


def test_i_3_a__a_suited_ace_king_queen_pays_50_to_1():
    assert side("board-bonus", "2c 7d", "Ah Kh Qh") == ("I.3.a", 204_00)


@pytest.mark.parametrize("board", ["Kh Qh Jh", "Ah 2h 3h"])
def test_i_3_b__a_straight_flush_board_pays_40_to_1(board):
    assert side("board-bonus", "2c 7d", board) == ("I.3.b", 164_00)


def test_i_3_c__three_of_a_kind_on_the_board_pays_30_to_1():
    assert side("board-bonus", "3c 7d", "2c 2d 2h") == ("I.3.c", 124_00)


@pytest.mark.parametrize("board", ["Kh Qd Jc", "Ah 2d 3c", "Qh Kd Ac"])
def test_i_3_d__a_straight_board_pays_6_to_1(board):
    assert side("board-bonus", "2c 7d", board) == ("I.3.d", 28_00)


def test_i_3_e__a_flush_board_pays_3_to_1():
    assert side("board-bonus", "3c 7d", "2h 7h 9h") == ("I.3.e", 16_00)


def test_i_3_f__a_pair_on_the_board_pays_1_to_1():
    assert side("board-bonus", "3c 7d", "2c 2d 9h") == ("I.3.f", 8_00)
