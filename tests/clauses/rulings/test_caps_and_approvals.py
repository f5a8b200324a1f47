"""Rulings 24 to 32: ceilings on winnings, how they are shared, who must see a payoff."""

import pytest
from msgspec.structs import replace

from pitboss import rulebook
from pitboss.money import Cents, Odds
from pitboss.rulebook import Rulebook
from pitboss.settle.approvals import label, missing, needed
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA, hand, line, settled

MAIN = ("ante", "raise-1", "raise-2", "raise-3")
BIG = (3, 3, 3)
BOARD = "Qh Jh Th"
ROYAL, STRAIGHT_FLUSH = "Ah Kh", "9h 8h"
CALL, FLOOR, VERIFY = "call-out", "floor-supervisor", "surveillance-or-shift-manager"


def wins(result, seat=1):
    return sum(line(result, spot, seat).won_cents for spot in MAIN)


def with_cap(book: Rulebook, **changes: object) -> Rulebook:
    return replace(book, cap=(replace(book.cap[0], **changes),))


@pytest.mark.parametrize(
    ("minimum", "cap"),
    [(1_00, 25_000_00), (5_00, 25_000_00), (10_00, 50_000_00), (15_00, 75_000_00)],
)
def test_r24__the_cap_is_ten_minimum_units_at_500_to_1(minimum, cap):
    assert cap == max(25_000_00, minimum * 10 * 500)
    royal = hand(DIAMOND_JO, ROYAL, BIG, ante=100_00)
    assert wins(settled(DIAMOND_JO, royal, minimum=minimum, board=BOARD)) == cap


def test_r25__the_cap_is_the_tables_and_leaves_out_50_to_1_and_less_and_side_wagers():
    royal = hand(DIAMOND_JO, ROYAL, BIG, seat=1, ante=20_00, side={"board-bonus": 50_00})
    runner_up = hand(DIAMOND_JO, STRAIGHT_FLUSH, BIG, seat=2, ante=25_00)
    pair = hand(DIAMOND_JO, "Qd 3c", BIG, seat=3, ante=100_00)
    result = settled(DIAMOND_JO, royal, runner_up, pair, board=BOARD)
    # 500 x 200.00 and 100 x 250.00 are 125,000.00: four parts and one part of 25,000.00.
    assert [wins(result, seat) for seat in (1, 2, 3)] == [20_000_00, 5_000_00, 1_000_00]
    assert line(result, "board-bonus").won_cents == 2_000_00
    # Winnings, not stakes: those go back on top.
    assert result.seats[1].returned_cents == 5_000_00 + 250_00


def test_r25__it_binds_a_single_winner_too():
    assert wins(settled(DIAMOND_JO, hand(DIAMOND_JO, ROYAL, BIG), board=BOARD)) == 25_000_00


@pytest.mark.parametrize(("above", "won"), [(40, 40_000_00), (39, 25_000_00)])
def test_r25__only_odds_of_more_than_the_named_ones_count(above, won):
    book = with_cap(DIAMOND_JO, above=Odds(above))
    quads = hand(book, "8h 8d", BIG, ante=100_00)
    assert wins(settled(book, quads, board="8s 8c Th")) == won


def test_r26__hollywoods_cap_is_each_players_own_at_all_odds():
    royal = hand(HOLLYWOOD, ROYAL, BIG, seat=1, ante=20_00)
    runner_up = hand(HOLLYWOOD, STRAIGHT_FLUSH, BIG, seat=2, ante=60_00)
    queens = hand(HOLLYWOOD, "Qd 3c", BIG, seat=3, ante=5_100_00)
    result = settled(HOLLYWOOD, royal, runner_up, queens, board=BOARD)
    # 100,000.00, 60,000.00 and 51,000.00, each cut to 50,000.00.
    assert [wins(result, seat) for seat in (1, 2, 3)] == [50_000_00] * 3


def test_r27__senecas_cap_is_on_the_bet_not_on_the_ante_or_the_jackpot():
    flush = hand(SENECA, "Qh 8h 6h 4h 3h", (2,), ante=6_000_00, side={"progressive": 1_00})
    result = settled(SENECA, flush, dealer="Ad Kc 9d 7s 2h", meter=50_000_00)
    won = {each.spot: each.won_cents for each in result.seats[0].lines}
    assert won == {"ante": 6_000_00, "bet": 5_000_00, "progressive": 50_00}


def test_r28__players_share_to_the_cent_by_largest_remainder_and_then_their_wagers_do():
    royal = hand(DIAMOND_JO, ROYAL, (1, 1, 1), seat=1, ante=10_00)
    runner_up = hand(DIAMOND_JO, STRAIGHT_FLUSH, (1, 1, 1), seat=2, ante=25_00)
    result = settled(DIAMOND_JO, royal, runner_up, board=BOARD)
    # Claims of 20,000.00 and 10,000.00: 16,666.666... and 8,333.333... A quarter of 16,666.67 is
    # 4,166.6675, a quarter of 8,333.33 is 2,083.3325.
    assert [line(result, spot, 1).won_cents for spot in MAIN] == [4_166_67] * 3 + [4_166_66]
    assert [line(result, spot, 2).won_cents for spot in MAIN] == [2_083_34] + [2_083_33] * 3
    assert (wins(result, 1), wins(result, 2)) == (16_666_67, 8_333_33)


def test_r28__a_house_may_share_in_whole_dollars():
    book = with_cap(DIAMOND_JO, unit=Cents(1_00))
    royal = hand(book, ROYAL, (1, 1, 1), seat=1, ante=10_00)
    runner_up = hand(book, STRAIGHT_FLUSH, (1, 1, 1), seat=2, ante=25_00)
    result = settled(book, royal, runner_up, board=BOARD)
    assert (wins(result, 1), wins(result, 2)) == (16_667_00, 8_333_00)
    assert [line(result, spot, 1).won_cents for spot in MAIN] == [4_167_00] * 3 + [4_166_00]


def test_r29__quads_may_be_paid_more_than_a_capped_royal_and_the_check_warns():
    quads = hand(DIAMOND_JO, "8h 8d", BIG, ante=100_00)
    assert wins(settled(DIAMOND_JO, quads, board="8s 8c Th")) == 40_000_00
    royal = hand(DIAMOND_JO, ROYAL, BIG, ante=100_00)
    assert wins(settled(DIAMOND_JO, royal, board=BOARD)) == 25_000_00
    warnings = [each.message for each in rulebook.check(DIAMOND_JO) if each.level == "warning"]
    # 25,000.00 / (10 x 40).
    assert any("62.50" in each and "Four of a kind" in each for each in warnings)
    assert rulebook.check(HOLLYWOOD) == []


def test_r30__nominal_then_cap_then_approval_then_tax_then_pay():
    royal = hand(DIAMOND_JO, ROYAL, BIG, ante=25_00)
    result = settled(DIAMOND_JO, royal, minimum=15_00, board=BOARD)
    seat, ante = result.seats[0], line(result, "ante")
    assert [each.code for each in ante.reasons] == ["row-win", "cap", "form"]
    # 500 x 25.00; a tenth of the 75,000.00 cap; 24% of 75,000.00 withheld.
    assert (ante.nominal_cents, ante.won_cents) == (12_500_00, 7_500_00)
    assert [label(each) for each in seat.approvals][-1] == "surveillance-or-shift-manager"
    assert seat.paid_cents == 75_000_00 + 250_00 - 18_000_00


def test_r30__approval_looks_at_what_is_paid_not_at_what_the_table_says():
    book = with_cap(DIAMOND_JO, most=Cents(1_000_00), growth=None)
    seat = settled(book, hand(book, ROYAL, BIG), board=BOARD).seats[0]
    assert seat.won_cents == 1_000_00
    assert [label(each) for each in seat.approvals] == [CALL, FLOOR]


@pytest.mark.parametrize(("rounding", "won"), [("down", 37_57), ("up", 37_58), ("nearest", 37_58)])
def test_r30__a_fraction_of_a_cent_is_rounded_once_for_the_whole_stack(rounding, won):
    # Two pair at 3 to 2 on 5.01 x 5 = 25.05 is 37.575.
    book = replace(HOLLYWOOD, rounding=rounding)
    seat = hand(book, "3h 3d", (1, 1, 2), ante=5_01)
    assert settled(book, seat, board="2s 2c 9h").seats[0].won_cents == won


@pytest.mark.parametrize(
    ("ante", "wanted"),
    [
        pytest.param(25_00, [], id="100.00"),
        pytest.param(25_01, [CALL], id="100.04"),
        pytest.param(75_00, [CALL], id="300.00"),
        pytest.param(75_01, [CALL, FLOOR], id="300.04"),
        pytest.param(250_00, [CALL, FLOOR], id="1,000.00"),
        pytest.param(250_01, [CALL, FLOOR, VERIFY], id="1,000.04"),
    ],
)
def test_r31__payoffs_strictly_over_the_thresholds_need_more_and_more_people(ante, wanted):
    jacks = hand(DIAMOND_JO, "Jh Jd", (1, 1, 1), ante=ante)
    result = settled(DIAMOND_JO, jacks, board="2s 9c 3h")
    assert [label(each) for each in result.seats[0].approvals] == wanted


def test_r31__the_players_total_counts_side_wagers_included():
    seat = hand(DIAMOND_JO, "Jh Jd", (1, 1, 1), ante=20_00, side={"pocket-bonus": 5_00})
    result = settled(DIAMOND_JO, seat, board="2s 9c 3h")
    # 80.00 on the main wagers and 5 x 5.00.
    assert result.seats[0].won_cents == 105_00
    assert [label(each) for each in result.seats[0].approvals] == [CALL]


@pytest.mark.parametrize(
    ("given", "left"),
    [
        pytest.param([], [CALL, FLOOR, VERIFY], id="nobody yet"),
        pytest.param(
            [("dealer", "dan"), ("floor-supervisor", "flo"), ("surveillance", "sue")], [], id="all"
        ),
        pytest.param(
            [("floor-supervisor", "dan"), ("shift-manager", "sam")],
            [CALL, FLOOR],
            id="nobody approves what they dealt",
        ),
        pytest.param(
            [("dealer", "dan"), ("floor-supervisor", "flo"), ("shift-manager", "flo")],
            [VERIFY],
            id="one person is not two approvers",
        ),
        pytest.param(
            [
                ("dealer", "dan"),
                *((role, "flo") for role in (FLOOR, "shift-manager")),
                (FLOOR, "sue"),
            ],
            [],
            id="each acts where they are needed",
        ),
    ],
)
def test_r31__who_has_approved(given, left):
    rules = needed(DIAMOND_JO, 1_000_01)
    assert [label(each) for each in missing(DIAMOND_JO, rules, given, dealer="dan")] == left


def test_r32__use_of_the_cap_is_told_to_general_manager_and_director():
    capped = settled(DIAMOND_JO, hand(DIAMOND_JO, ROYAL, BIG), board=BOARD)
    assert set(capped.notify) == {"general-manager", "director-of-table-games"}
    exact = settled(DIAMOND_JO, hand(DIAMOND_JO, ROYAL, BIG, ante=5_00), board=BOARD)
    assert (wins(exact), exact.notify) == (25_000_00, ())
