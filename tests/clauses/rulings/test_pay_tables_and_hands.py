"""Rulings 1 to 13: how the printed pay tables are read, and what hands are worth."""

import pytest

from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA, hand, line, settled

CAJUN = pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=["diamond jo", "hollywood"])
EVERYTHING = (1, 1, 1)


def main_won(book, held, board, raises=EVERYTHING):
    """Winnings of Ante and raises, at 10.00 each."""
    return settled(book, hand(book, held, raises), board=board).seats[0].won_cents


def side_won(book, spot, held, board, all_six=""):
    """Winnings of 1.00 on a side wager."""
    seat = hand(book, held, EVERYTHING, side={spot: 1_00})
    return line(settled(book, seat, board=board, all_six=all_six), spot).won_cents


def test_r1__the_straight_flush_that_is_printed_twice_is_a_straight_flush_and_a_straight():
    assert main_won(HOLLYWOOD, "9h Kh", "Qh Jh Th") == 100 * 40_00
    assert main_won(HOLLYWOOD, "9c Kh", "Qh Jh Th") == 4 * 40_00


def test_r2__every_table_belongs_to_the_section_that_it_stands_in():
    # On one hand the five tables say five different things: quad aces, a pair on the board,
    # pocket aces, no low hand, quad aces again.
    sides = {"board-bonus": 1_00, "pocket-bonus": 1_00, "lo-ball": 1_00, "all-six": 1_00}
    seat = hand(HOLLYWOOD, "Ah Ad", EVERYTHING, side=sides)
    result = settled(HOLLYWOOD, seat, board="As Ac 3d", all_six="9s")
    assert {spot: line(result, spot).won_cents for spot in ("ante", *sides)} == {
        "ante": 400_00,
        "board-bonus": 1_00,
        "pocket-bonus": 30_00,
        "lo-ball": 0,
        "all-six": 50_00,
    }


@pytest.mark.parametrize(
    ("held", "board", "hollywood", "diamond_jo"),
    [
        pytest.param("3h 3d", "2s 2c 9h", 60_00, 80_00, id="two pair 3 to 2, not 2 to 1"),
        pytest.param("Ah 2h", "9h 7h 3h", 280_00, 240_00, id="flush 7, not 6"),
        pytest.param("8h 8d", "8s 2c 2h", 440_00, 400_00, id="full house 11, not 10"),
    ],
)
def test_r3__hollywoods_odds_are_taken_as_printed(held, board, hollywood, diamond_jo):
    assert main_won(HOLLYWOOD, held, board) == hollywood
    assert main_won(DIAMOND_JO, held, board) == diamond_jo


@CAJUN
@pytest.mark.parametrize(
    ("pair", "won", "returned"),
    [(rank, 0, 0) for rank in "2345"]
    + [(rank, 0, 40_00) for rank in "6789T"]
    + [(rank, 40_00, 80_00) for rank in "JQKA"],
)
def test_r4__sixes_to_tens_push_lower_pairs_lose_higher_win(book, pair, won, returned):
    board = "3c 4h 9h" if pair in "2578" else "2c 5h 7h"
    seat = settled(book, hand(book, f"{pair}s {pair}d", EVERYTHING), board=board).seats[0]
    assert (seat.won_cents, seat.returned_cents) == (won, returned)


@CAJUN
@pytest.mark.parametrize("high", ["Q", "K", "A"])
def test_r5__lo_ball_loses_with_queen_high_or_higher(book, high):
    assert side_won(book, "lo-ball", f"{high}s 7d", "2c 5d 9h") == 0
    assert side_won(book, "lo-ball", "Js 7d", "2c 5d 9h") == 1_00


@CAJUN
@pytest.mark.parametrize(
    "held",
    [
        pytest.param("As 6d", id="an ace is high"),
        pytest.param("As 5d", id="A-2-3-4-5 is a straight"),
        pytest.param("6s 5d", id="6-5-4-3-2 is a straight"),
        pytest.param("7h 5h", id="suited 7-5-4-3-2 is a flush"),
    ],
)
def test_r6__lo_ball_goes_by_the_ordinary_five_card_hand(book, held):
    assert side_won(book, "lo-ball", held, "4h 3h 2h") == 0
    assert side_won(book, "lo-ball", "7s 5d", "4h 3h 2h") == 100_00


def test_r7__a_royal_flush_of_three_cards_is_suited_ace_king_queen():
    assert side_won(DIAMOND_JO, "board-bonus", "9c 4d", "Qs As Ks") == 50_00
    assert side_won(DIAMOND_JO, "board-bonus", "9c 4d", "Qs Js Ks") == 40_00
    assert side_won(DIAMOND_JO, "board-bonus", "9c 4d", "Qs Ah Ks") == 6_00


@CAJUN
@pytest.mark.parametrize(
    ("board", "odds"), [("Ac 2d 3h", 6), ("Qc Kd Ah", 6), ("Kc Ad 2h", 0)], ids=str
)
def test_r8__the_ace_ends_a_board_straight_low_or_high_but_never_joins_the_ends(book, board, odds):
    assert side_won(book, "board-bonus", "9c 7s", board) == odds * 1_00


@CAJUN
@pytest.mark.parametrize(
    ("held", "board", "won"),
    [("Ac 2d", "3h 4s 5c", 160_00), ("Ac Kd", "Qh Js Tc", 160_00), ("Qc Kd", "Ah 2s 3c", 0)],
    ids=["A-2-3-4-5", "10-J-Q-K-A", "Q-K-A-2-3"],
)
def test_r8__the_same_holds_for_five_cards(book, held, board, won):
    assert main_won(book, held, board) == won


def test_r8__suits_never_rank():
    for held, dealer in (
        ("9h 8h 7h 6h 5h", "9s 8s 7s 6s 5s"),
        ("9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h"),
    ):
        result = settled(SENECA, hand(SENECA, held, (2,)), dealer=dealer)
        assert line(result, "bet").outcome == "push"


@CAJUN
def test_r9__a_ten_is_not_a_face(book):
    assert [
        side_won(book, "pocket-bonus", held, "2c 5d 7h")
        for held in ("As Ks", "As Qs", "As Js", "As Ts", "As Kd", "As Qd", "As Jd", "As Td")
    ] == [20_00, 20_00, 20_00, 0, 10_00, 10_00, 10_00, 0]


def test_r10__all_six_takes_the_best_five_of_six():
    # Six cards that hold a straight and a flush, and six that hold three of a kind twice.
    assert side_won(HOLLYWOOD, "all-six", "9h 8h", "7h 6h 2h", all_six="5c") == 15_00
    assert side_won(HOLLYWOOD, "all-six", "9h 9c", "9d 6h 6c", all_six="6d") == 25_00
    assert side_won(HOLLYWOOD, "all-six", "9h 9c", "8d 8h 6c", all_six="6d") == 0


@CAJUN
def test_r11__one_row_pays_the_highest(book):
    # Aces are also a pair, a royal is also a flush and a straight.
    aces = {DIAMOND_JO.id: 25_00, HOLLYWOOD.id: 30_00}
    assert side_won(book, "pocket-bonus", "As Ad", "2c 5d 7h") == aces[book.id]
    assert main_won(book, "Ah Kh", "Qh Jh Th") == 20_000_00
    assert side_won(book, "board-bonus", "9c 4d", "As Ks Qs") == 50_00


def test_r12__a_winning_ace_king_is_paid_even_money_on_the_bet():
    result = settled(SENECA, hand(SENECA, "Ah Kd 9c 5s 3h", (2,)), dealer="As Kc 8c 7d 6h")
    assert (line(result, "ante").won_cents, line(result, "bet").won_cents) == (10_00, 20_00)


@pytest.mark.parametrize(
    ("dealer", "ante", "bet"),
    [
        pytest.param("Ah Kc 4d 3s 2h", "win", "win", id="A-K-4-3-2 qualifies"),
        pytest.param("Ah Qc Jd Ts 9h", "win", "push", id="A-Q-J-10-9 does not"),
        pytest.param("7h 7c Kd 8s 4h", "lose", "lose", id="a better fifth card wins"),
        pytest.param("7h 7c Kd 8s 3h", "push", "push", id="all five alike push"),
        pytest.param("7h 7c Kd 8s 2h", "win", "win", id="a worse fifth card loses"),
    ],
)
def test_r13__the_dealer_qualifies_with_ace_king_and_hands_compare_with_all_five_cards(
    dealer, ante, bet
):
    result = settled(SENECA, hand(SENECA, "7d 7s Ks 8c 3d", (2,)), dealer=dealer)
    assert (line(result, "ante").outcome, line(result, "bet").outcome) == (ante, bet)
