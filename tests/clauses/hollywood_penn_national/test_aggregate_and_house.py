"""The ceiling on one player's round, the helpline, and what this document leaves out."""

import pytest

from pitboss.round import actions
from pitboss.rulebook.sign import sign, sign_text
from tests.helpers import HOLLYWOOD, hand, line, opened, refused, settled

MAIN = ("ante", "raise-1", "raise-2", "raise-3")
BIG = (3, 3, 3)


def main_won(result, seat=1):
    return sum(line(result, spot, seat).won_cents for spot in MAIN)


def test_aggregate__one_player_wins_at_most_50_000_on_ante_and_raises():
    # 20.00 and three raises of 60.00 make 200.00; at 500 to 1 that is 100,000.00.
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, "Ah Kh", BIG, ante=20_00), board="Qh Jh Th")
    assert sum(line(result, spot).nominal_cents for spot in MAIN) == 100_000_00
    assert [line(result, spot).won_cents for spot in MAIN] == [5_000_00, *[15_000_00] * 3]
    # The stakes go back on top: the ceiling is on winnings.
    assert result.seats[0].returned_cents == 50_000_00 + 200_00


def test_aggregate__exactly_50_000_is_not_touched():
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, "Ah Kh", BIG, ante=10_00), board="Qh Jh Th")
    assert main_won(result) == 50_000_00
    assert not [each for each in line(result, "ante").reasons if each.code.startswith("cap")]


def test_aggregate__one_cent_more_is_cut():
    jacks = hand(HOLLYWOOD, "Jh Jd", ante=50_000_01)
    ante = line(settled(HOLLYWOOD, jacks, board="2s 9c 3h"), "ante")
    assert (ante.nominal_cents, ante.won_cents) == (50_000_01, 50_000_00)


def test_aggregate__a_players_own_wagers_share_it_to_the_cent():
    # 30, 30, 60 and 90 dollars: 50,000.00 in seven parts, largest remainders first:
    # 7,142.857 twice, 14,285.714, 21,428.571.
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, "Ah Kh", (1, 2, 3), ante=30_00), board="Qh Jh Th")
    shares = [line(result, spot).won_cents for spot in MAIN]
    assert shares == [7_142_86, 7_142_86, 14_285_71, 21_428_57]
    assert sum(shares) == 50_000_00


@pytest.mark.parametrize(
    ("held", "board", "ante"),
    [
        pytest.param("9h Kh", "Qh Jh Th", 60_00, id="100 to 1 on 600.00"),
        pytest.param("8h 8d", "8s 8c Th", 200_00, id="40 to 1 on 2,000.00"),
        pytest.param("8h 8d", "8s 2c 2h", 500_00, id="11 to 1 on 5,000.00"),
        pytest.param("3h 3d", "2s 2c 9h", 4_000_00, id="3 to 2 on 40,000.00"),
        pytest.param("Jh Jd", "2s 9c 3h", 6_000_00, id="even money on 60,000.00"),
    ],
)
def test_aggregate__it_binds_at_every_odds(held, board, ante):
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, held, BIG, ante=ante), board=board)
    assert main_won(result) == 50_000_00


def test_aggregate__two_players_are_bound_each_for_themselves():
    royal = hand(HOLLYWOOD, "Ah Kh", BIG, seat=1, ante=100_00)
    straight_flush = hand(HOLLYWOOD, "9h 8h", BIG, seat=2, ante=100_00)
    quiet = hand(HOLLYWOOD, "Qd 3c", BIG, seat=3, ante=100_00)
    result = settled(HOLLYWOOD, royal, straight_flush, quiet, board="Qh Jh Th")
    # Nominally 500,000.00, 100,000.00 and, for queens, 1,000.00.
    assert [main_won(result, seat) for seat in (1, 2, 3)] == [50_000_00, 50_000_00, 1_000_00]


def test_aggregate__side_wagers_are_outside_it():
    side = {"board-bonus": 2_000_00, "pocket-bonus": 3_000_00, "all-six": 100_00}
    seat = hand(HOLLYWOOD, "Ah Kh", BIG, ante=20_00, side=side)
    result = settled(HOLLYWOOD, seat, board="Qh Jh Th", all_six="2c")
    assert main_won(result) == 50_000_00
    # Suited Q-J-10 at 40 to 1, suited ace-king at 20 to 1, the royal at 1,000 to 1.
    assert [line(result, spot).won_cents for spot in side] == [80_000_00, 60_000_00, 100_000_00]
    assert result.seats[0].won_cents == 290_000_00


def test_aggregate__the_explanation_names_the_ceiling():
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, "Ah Kh", BIG, ante=20_00), board="Qh Jh Th")
    capped = line(result, "ante").reasons[-1]
    assert (capped.code, capped.facts["cap_cents"]) == ("cap", 50_000_00)
    assert "aggregate" in capped.clause
    assert result.cap_cents == 50_000_00


@pytest.mark.parametrize("place", ["sign", "table", "lobby", "receipt", "replay"])
def test_helpline__its_number_is_shown(place):
    assert any("1-800-GAMBLER" in each for each in HOLLYWOOD.notices(place))


def test_helpline__the_printed_sign_carries_it():
    assert "1-800-GAMBLER" in sign_text(sign(HOLLYWOOD, 10_00, None, {}))


def test_no_wagers_for_the_dealers_are_taken():
    game = opened(HOLLYWOOD, {1: {"ante": 10_00}})
    assert refused(game, actions.Bet(1, {"ante": 10_00}, toke_cents=1_00)).code == "toke/none"


def test_no_payoff_needs_an_approval_and_nobody_need_be_told_of_the_ceiling():
    result = settled(HOLLYWOOD, hand(HOLLYWOOD, "Ah Kh", BIG, ante=20_00), board="Qh Jh Th")
    assert result.seats[0].approvals == ()
    assert result.notify == ()
