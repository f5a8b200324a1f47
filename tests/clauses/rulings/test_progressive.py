"""Rulings 36 to 40: the jackpot where the document says little."""

import pytest
from msgspec.structs import replace

from pitboss.round import actions, events
from pitboss.settle import of_round, settle
from tests.helpers import SENECA, hand, line, opened, refused, settled, stacked, started

ROYAL, ROYAL_TOO = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts"
STRAIGHT_FLUSH, STRAIGHT_FLUSH_TOO = "9d 8d 7d 6d 5d", "9c 8c 7c 6c 5c"
QUADS, FULL_HOUSE, FLUSH = "4h 4d 4c 4s 9h", "8h 8s 8c 6s 6h", "Jd Td 4d 3d 2d"
LOW_DEALER = "Qc Jc 7s 5s 3h"
TOKEN = {"progressive": 1_00}


def shared(*held, meter, book=SENECA):
    seats = [hand(book, each, (2,), seat=seat, side=TOKEN) for seat, each in enumerate(held, 1)]
    return settled(book, *seats, dealer=LOW_DEALER, meter=meter)


def awards(result):
    return [line(result, "progressive", each.seat).won_cents for each in result.seats]


@pytest.mark.parametrize(
    ("held", "meter", "won"),
    [
        pytest.param((ROYAL, ROYAL_TOO), 30_000_00, [15_000_00, 15_000_00], id="two royals"),
        pytest.param(
            (STRAIGHT_FLUSH, STRAIGHT_FLUSH_TOO),
            30_000_00,
            [3_000_00, 3_000_00],
            id="two straight flushes",
        ),
        pytest.param(
            (ROYAL, STRAIGHT_FLUSH), 33_000_00, [30_000_00, 3_000_00], id="royal and straight flush"
        ),
        pytest.param(
            (STRAIGHT_FLUSH, ROYAL, ROYAL_TOO),
            21_000_00,
            [1_000_00, 10_000_00, 10_000_00],
            id="two royals and a straight flush",
        ),
    ],
)
def test_r36__claims_of_more_than_the_whole_meter_are_scaled_to_it(held, meter, won):
    assert awards(shared(*held, meter=meter)) == won


@pytest.mark.parametrize("meter", [10_000_00, 10_000_05, 12_345_67, 98_765_43, 100_000_09])
def test_r36__a_royal_gets_100_of_110_parts_to_the_cent(meter):
    royal, straight_flush = divmod(meter * 100, 110), divmod(meter * 10, 110)
    won = [royal[0], straight_flush[0]]
    if sum(won) < meter:  # the last cent goes where the larger remainder is
        won[0 if royal[1] >= straight_flush[1] else 1] += 1
    assert awards(shared(ROYAL, STRAIGHT_FLUSH, meter=meter)) == won


def test_r36__a_part_of_the_meter_rounds_down():
    assert awards(shared(STRAIGHT_FLUSH, meter=10_000_09)) == [1_000_00]


def test_r37__fixed_awards_come_in_full_from_the_pool_and_then_from_the_house():
    result = shared(STRAIGHT_FLUSH, QUADS, FULL_HOUSE, meter=600_00)
    assert awards(result) == [60_00, 500_00, 100_00]
    # 540.00 are left after the straight flush: 500.00 for the quads, 40.00 for the full house.
    paid_by = [
        (each["pool_cents"], each["house_cents"])
        for seat in (2, 3)
        for each in [line(result, "progressive", seat).reasons[-1].facts]
    ]
    assert paid_by == [(500_00, 0), (40_00, 60_00)]


def test_r37__a_house_may_pay_them_itself():
    assert SENECA.progressive is not None
    book = replace(SENECA, progressive=replace(SENECA.progressive, awards_from="house"))
    result = shared(QUADS, meter=50_000_00, book=book)
    assert (awards(result), result.meter_after_cents) == ([500_00], 50_000_00)
    assert shared(QUADS, meter=50_000_00).meter_after_cents == 49_500_00


def test_r38__a_token_is_1_dollar_and_70_cents_of_it_go_to_the_meter():
    bets = {1: {"ante": 10_00, **TOKEN}, 2: {"ante": 10_00, **TOKEN}, 3: {"ante": 10_00}}
    game = opened(SENECA, bets, meter=12_345_67)
    assert game.do(actions.CloseBets()) == (events.BettingClosed(12_347_07),)


def test_r38__an_emptied_meter_starts_again_at_10_000():
    assert shared(ROYAL, meter=50_000_00).meter_after_cents == 10_000_00
    assert shared(FLUSH, meter=50_000_00).meter_after_cents == 49_950_00


def test_r38__the_token_drops_and_stays_there():
    result = shared(FLUSH, "Kh Kd 9s 5c 2s", meter=50_000_00)
    returned = [line(result, "progressive", seat).returned_cents for seat in (1, 2)]
    assert returned == [50_00, 0]


@pytest.mark.parametrize(
    "dealer", ["8h 8s 8c 6s 6h", "Jh Th 4h 3h 2h", LOW_DEALER], ids=["loss", "tie", "no hand"]
)
def test_r39__it_pays_on_a_loss_a_tie_and_a_dealer_who_does_not_qualify(dealer):
    seat = hand(SENECA, FLUSH, (2,), side=TOKEN)
    result = settled(SENECA, seat, dealer=dealer, meter=50_000_00)
    assert line(result, "progressive").won_cents == 50_00


def test_r39__a_fold_forfeits_it_once_the_player_has_confirmed():
    game = started(SENECA, {1: {"ante": 10_00, **TOKEN}}, stacked(FLUSH, LOW_DEALER))
    refusal = refused(game, actions.Fold(1))
    assert (refusal.code, refusal.clause) == ("fold/confirm", "R39")
    game.do(actions.Fold(1, confirmed=True))
    result = settle(SENECA, of_round(game.state))
    assert (result.seats[0].returned_cents, result.meter_after_cents) == (0, 100_000_70)


def test_r40__nobody_loses_an_award_for_silence():
    deck = stacked(FLUSH, LOW_DEALER)
    game = started(SENECA, {1: {"ante": 10_00, **TOKEN}}, deck)
    game.do(actions.Raise(1, 2))
    game.deal(deck)
    result = settle(SENECA, of_round(game.state))
    assert line(result, "progressive").won_cents == 50_00
