"""The odds of the Bet, the ceiling on its starred rows, and the table's limits."""

import pytest

from pitboss.round import actions
from pitboss.rulebook.sign import sign, sign_text
from tests.helpers import SENECA, hand, line, opened, refused, settled

ACE_KING = "Ad Kc 9d 7s 2h"

STARRED = [
    pytest.param("Ah Kh Qh Jh Th", 100, id="royal flush"),
    pytest.param("9h 8h 7h 6h 5h", 50, id="straight flush"),
    pytest.param("8h 8c 8d 8s 6c", 20, id="four of a kind"),
    pytest.param("8h 8c 8d 6s 6c", 7, id="full house"),
    pytest.param("Qh 8h 6h 4h 3h", 5, id="flush"),
    pytest.param("8h 7c 6d 5s 4c", 4, id="straight"),
    pytest.param("8h 8c 8d 5s 4c", 3, id="three of a kind"),
    pytest.param("8h 8c 5d 5s 4c", 2, id="two pair"),
]
UNSTARRED = [
    pytest.param("8h 8c Td 5s 4c", id="one pair"),
    pytest.param("Ah Kh Td 5s 4c", id="ace-king against a lower ace-king"),
]


def played(held, ante, dealer=ACE_KING):
    return settled(SENECA, hand(SENECA, held, (2,), ante=ante), dealer=dealer)


@pytest.mark.parametrize(("held", "odds"), STARRED)
def test_odds__the_bet_is_paid_by_the_schedule_and_the_ante_at_even_money(held, odds):
    result = played(held, 10_00)
    assert line(result, "bet").won_cents == 20_00 * odds
    assert line(result, "ante").won_cents == 10_00
    assert result.seats[0].returned_cents == 10_00 + 10_00 + 20_00 + 20_00 * odds


@pytest.mark.parametrize("held", UNSTARRED)
def test_odds__a_pair_or_less_is_paid_even_money(held):
    result = played(held, 10_00)
    assert (line(result, "bet").won_cents, line(result, "ante").won_cents) == (20_00, 10_00)


@pytest.mark.parametrize(("held", "odds"), STARRED)
def test_odds__a_starred_row_wins_at_most_5_000_on_the_bet(held, odds):
    # An Ante of 2,500.01: the Bet of 5,000.02 would win more on every starred row.
    result = played(held, 2_500_01)
    bet = line(result, "bet")
    assert (bet.nominal_cents, bet.won_cents) == (5_000_02 * odds, 5_000_00)
    assert bet.returned_cents == 5_000_02 + 5_000_00
    assert line(result, "ante").won_cents == 2_500_01


def test_odds__exactly_5_000_is_paid_in_full():
    assert line(played("8h 8c 5d 5s 4c", 1_250_00), "bet").won_cents == 5_000_00
    assert line(played("8h 8c 5d 5s 4c", 1_250_01), "bet").won_cents == 5_000_00


@pytest.mark.parametrize("held", UNSTARRED)
def test_odds__a_pair_or_less_carries_no_star_and_no_ceiling(held):
    result = played(held, 3_000_00)
    assert line(result, "bet").won_cents == 6_000_00
    assert line(result, "ante").won_cents == 3_000_00


def test_odds__each_player_has_a_ceiling_of_their_own():
    first = hand(SENECA, "9h 8h 7h 6h 5h", (2,), seat=1, ante=100_00)
    second = hand(SENECA, "Qs 8s 6s 4s 3s", (2,), seat=2, ante=1_000_00)
    result = settled(SENECA, first, second, dealer=ACE_KING)
    # 50 x 200.00 and 5 x 2,000.00 are 10,000.00 each.
    assert [line(result, "bet", seat).won_cents for seat in (1, 2)] == [5_000_00, 5_000_00]


def test_odds__a_royal_still_wins_the_whole_meter_above_the_ceiling():
    seat = hand(SENECA, "Ah Kh Qh Jh Th", (2,), ante=100_00, side={"progressive": 1_00})
    result = settled(SENECA, seat, dealer=ACE_KING, meter=40_000_00)
    won = {each.spot: each.won_cents for each in result.seats[0].lines}
    assert won == {"ante": 100_00, "bet": 5_000_00, "progressive": 40_000_00}


def test_limits__the_posted_minimum_and_maximum_bound_the_ante():
    game = opened(SENECA, {1: {"ante": 15_00}}, minimum=15_00, maximum=300_00)
    assert refused(game, actions.Bet(1, {"ante": 14_99})).code == "bet/below-minimum"
    assert refused(game, actions.Bet(1, {"ante": 300_01})).code == "bet/above-maximum"
    game.do(actions.Bet(1, {"ante": 300_00}))


@pytest.mark.parametrize("cents", [99, 1_01, 2_00])
def test_limits__the_house_sets_the_value_of_the_token(cents):
    game = opened(SENECA, {1: {"ante": 15_00}})
    wagers = {"ante": 15_00, "progressive": cents}
    assert refused(game, actions.Bet(1, wagers)).code == "bet/not-the-token"
    game.do(actions.Bet(1, {"ante": 15_00, "progressive": 1_00}))


def test_limits__partners_stay_within_the_maximum_together():
    bets = {1: {"ante": 60_00}, 2: {"ante": 100_00}, 3: {"ante": 40_00}}
    game = opened(SENECA, bets, maximum=100_00, partners=((1, 3),))
    assert refused(game, actions.Bet(3, {"ante": 40_01})).code == "bet/partners"
    # A bet replaces the earlier one, so the partners may shift it between them.
    game.do(actions.Bet(1, {"ante": 10_00}))
    game.do(actions.Bet(3, {"ante": 90_00}))
    assert refused(game, actions.Bet(1, {"ante": 10_01})).code == "bet/partners"


def test_limits__the_sign_posts_them_asks_for_good_hands_and_warns_partners():
    posted = sign_text(sign(SENECA, 15_00, 300_00, {}))
    assert "ANTE $15 TO $300" in posted
    assert "MAXIMUM AGGREGATE $5,000 A ROUND FOR EACH PLAYER" in posted
    assert "dealer of a flush or better" in posted
    assert "Partners may not exceed the table maximum" in posted
