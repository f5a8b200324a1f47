"""The jackpot: who wins which part of it, and what happens to the token and the meter."""

import pytest

from pitboss.cards import cards
from pitboss.round import actions, events
from tests.helpers import SENECA, hand, line, opened, refused, settled, stacked, started

ROYAL, ROYAL_TOO = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts"
STRAIGHT_FLUSH, STRAIGHT_FLUSH_TOO = "9d 8d 7d 6d 5d", "9c 8c 7c 6c 5c"
QUADS, FULL_HOUSE, FLUSH = "4h 4d 4c 4s 9h", "8h 8s 8c 6s 6h", "Jd Td 4d 3d 2d"
LOW_DEALER, ACE_KING = "Qc Jc 7s 5s 3h", "Ac Kc 7s 5s 3h"
TOKEN = {"progressive": 1_00}


def token(held, seat=1, times=2):
    return hand(SENECA, held, (times,), seat=seat, side=TOKEN)


def jackpot(*held, meter, dealer=LOW_DEALER):
    """The awards by seat, and where the meter stands afterwards."""
    seats = [token(each, seat) for seat, each in enumerate(held, start=1)]
    result = settled(SENECA, *seats, dealer=dealer, meter=meter)
    awards = [line(result, "progressive", seat.seat).won_cents for seat in seats]
    return awards, result.meter_after_cents


@pytest.mark.parametrize(
    ("held", "won", "meter_after"),
    [
        pytest.param(ROYAL, 50_000_00, 10_000_00, id="royal flush, all, and the meter restarts"),
        pytest.param(STRAIGHT_FLUSH, 5_000_00, 45_000_00, id="straight flush, a tenth"),
        pytest.param(QUADS, 500_00, 49_500_00, id="four of a kind, 500"),
        pytest.param(FULL_HOUSE, 100_00, 49_900_00, id="full house, 100"),
        pytest.param(FLUSH, 50_00, 49_950_00, id="flush, 50"),
        pytest.param("8h 7s 6c 5h 4d", 0, 50_000_00, id="a straight, nothing"),
    ],
)
def test_progressive__each_hand_wins_its_part(held, won, meter_after):
    assert jackpot(held, meter=50_000_00) == ([won], meter_after)


@pytest.mark.parametrize("held", [ROYAL, STRAIGHT_FLUSH, FLUSH])
def test_progressive__the_token_does_not_come_back(held):
    result = settled(SENECA, token(held), dealer=LOW_DEALER, meter=50_000_00)
    award = line(result, "progressive")
    assert award.returned_cents == award.won_cents > 0


@pytest.mark.parametrize(
    ("held", "dealer", "main"),
    [
        pytest.param(FLUSH, "8h 8s 8c 6s 6h", ["lose", "lose"], id="the dealer wins"),
        pytest.param(FLUSH, "Jh Th 4h 3h 2h", ["push", "push"], id="the hands tie"),
        pytest.param(FLUSH, LOW_DEALER, ["win", "push"], id="the dealer does not qualify"),
        pytest.param(FLUSH, ACE_KING, ["win", "win"], id="the player wins"),
    ],
)
def test_progressive__it_pays_whatever_the_dealer_holds(held, dealer, main):
    result = settled(SENECA, token(held), dealer=dealer, meter=50_000_00)
    assert [line(result, spot).outcome for spot in ("ante", "bet")] == main
    assert line(result, "progressive").won_cents == 50_00


@pytest.mark.parametrize("held", ["Kh Kd Ks 5c 2d", "9s 8d 7c 6h 5s", "Ah Qd 9s 5c 2d"])
def test_progressive__a_hand_below_a_flush_loses_the_token(held):
    result = settled(SENECA, token(held), dealer=LOW_DEALER, meter=50_000_00)
    assert line(result, "progressive").returned_cents == 0
    assert result.meter_after_cents == 50_000_00


def test_progressive__without_a_token_nothing_is_won():
    result = settled(SENECA, hand(SENECA, ROYAL, (2,)), dealer=LOW_DEALER, meter=50_000_00)
    assert [each.spot for each in result.seats[0].lines] == ["ante", "bet"]
    assert result.meter_after_cents == 50_000_00


def test_progressive__a_fold_forfeits_it():
    result = settled(SENECA, token(ROYAL, times=0), dealer=LOW_DEALER, meter=50_000_00)
    assert line(result, "progressive").returned_cents == 0
    assert result.meter_after_cents == 50_000_00


@pytest.mark.parametrize(
    ("held", "side", "asks"),
    [
        pytest.param(FLUSH, TOKEN, True, id="a flush with a token"),
        pytest.param(FLUSH, {}, False, id="a flush without a token"),
        pytest.param("Kh Kd 9s 5c 2d", TOKEN, False, id="a pair with a token"),
    ],
)
def test_progressive__folding_an_award_asks_for_confirmation(held, side, asks):
    game = started(SENECA, {1: {"ante": 10_00, **side}}, stacked(held, ACE_KING))
    if asks:
        assert refused(game, actions.Fold(1)).code == "fold/confirm"
    assert game.do(actions.Fold(1, confirmed=asks)) == (events.Folded(1, 1),)


def test_progressive__two_straight_flushes_win_a_tenth_each():
    # Both tenths are of the meter as it was locked: 5,000.00 twice.
    awards = jackpot(STRAIGHT_FLUSH, STRAIGHT_FLUSH_TOO, meter=50_000_00)
    assert awards == ([5_000_00, 5_000_00], 40_000_00)


def test_progressive__two_royals_halve_the_meter_and_the_odd_cent_goes_to_the_first():
    assert jackpot(ROYAL, ROYAL_TOO, meter=50_000_01) == ([25_000_01, 25_000_00], 10_000_00)


def test_progressive__a_royal_and_a_straight_flush_share_it_110_ways():
    # 100/110 of 50,000.00 is 45,454.5454..., 10/110 is 4,545.4545...: the cent goes to the
    # larger remainder.
    awards, after = jackpot(ROYAL, STRAIGHT_FLUSH, meter=50_000_00)
    assert awards == [45_454_55, 4_545_45]
    assert (sum(awards), after) == (50_000_00, 10_000_00)


def test_progressive__three_claims_share_it_120_ways():
    # 60,000.00 in twelfths: ten, one and one.
    awards, _ = jackpot(STRAIGHT_FLUSH, ROYAL, STRAIGHT_FLUSH_TOO, meter=60_000_00)
    assert awards == [5_000_00, 50_000_00, 5_000_00]


def test_progressive__fixed_awards_are_paid_in_full_to_each_from_what_is_left():
    seats = [token(STRAIGHT_FLUSH, 1), token(FULL_HOUSE, 2), token(QUADS, 3)]
    result = settled(SENECA, *seats, dealer=LOW_DEALER, meter=20_000_00)
    won = [line(result, "progressive", seat).won_cents for seat in (1, 2, 3)]
    assert won == [2_000_00, 100_00, 500_00]
    assert result.meter_after_cents == 20_000_00 - 2_600_00


def test_progressive__where_the_pool_is_short_the_house_pays_the_rest():
    result = settled(SENECA, token(QUADS), dealer=LOW_DEALER, meter=120_00)
    facts = line(result, "progressive").reasons[-1].facts
    assert facts == {"won_cents": 500_00, "pool_cents": 120_00, "house_cents": 380_00}
    # It was emptied, so it starts again.
    assert result.meter_after_cents == 10_000_00


def test_progressive__after_a_royal_the_house_pays_the_fixed_awards():
    seats = [token(FULL_HOUSE, 1), token(ROYAL, 2)]
    result = settled(SENECA, *seats, dealer=LOW_DEALER, meter=50_000_00)
    assert [line(result, "progressive", seat).won_cents for seat in (1, 2)] == [100_00, 50_000_00]
    assert line(result, "progressive", 1).reasons[-1].facts["house_cents"] == 100_00


def test_progressive__the_meter_is_locked_with_this_rounds_tokens_when_betting_closes():
    bets = {seat: {"ante": 10_00, **TOKEN} for seat in (1, 2, 3)}
    game = opened(SENECA, {**bets, 4: {"ante": 10_00}}, meter=50_000_00)
    assert game.state.meter_cents == 50_000_00
    # 70% of three tokens of 1.00.
    assert game.do(actions.CloseBets()) == (events.BettingClosed(50_002_10),)
    game.do(actions.Deal(cards(ROYAL)))
    assert refused(game, actions.Bet(4, {"ante": 10_00, **TOKEN})).code == "bet/closed"
    assert game.state.meter_cents == 50_002_10
