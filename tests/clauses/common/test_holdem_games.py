"""Three games on one board, by their files' numbered headings, money worked out by hand."""

import pytest

from pitboss.round import actions
from pitboss.settle import of_round, settle
from tests.helpers import (
    CASINO_HOLDEM,
    HOLDEM_BONUS,
    ULTIMATE,
    hand,
    line,
    opened,
    refused,
    settled,
    stacked,
    started,
)

# Ultimate: seat 1 gets Ah Kh, the dealer Qs 9c.
DECK = stacked("Ah Qs Kh 9c", "Qh Jh Th 3s 4d")
EQUAL = {"ante": 10_00, "blind": 10_00}


def test_2__the_blind_is_as_much_as_the_ante():
    game = opened(ULTIMATE, {1: {}})
    assert refused(game, actions.Bet(1, {"ante": 10_00})).code == "bet/not-equal"
    assert refused(game, actions.Bet(1, {"ante": 10_00, "blind": 5_00})).code == "bet/not-equal"
    game.do(actions.Bet(1, EQUAL))


def test_3__play_is_bet_once_four_three_two_or_one_times():
    game = started(ULTIMATE, {1: EQUAL}, DECK)
    offered = []
    while game.due():
        offered.append([each.times or each.action for each in game.legal(1)])
        if len(offered) < 3:
            game.do(actions.Check(1))
            game.deal(DECK)
        else:
            game.do(actions.Raise(1, 1))
    assert offered == [[3, 4, "check"], [2, "check"], [1, "fold"]]
    early = started(ULTIMATE, {1: EQUAL}, DECK)
    early.do(actions.Raise(1, 4))
    early.deal(DECK)
    assert early.state.phase == "settling"
    assert early.state.seats[1].stakes["play"] == 40_00


def test_3__a_late_find_keeps_the_multiple_of_the_street_it_was_raised_on():
    game = started(ULTIMATE, {1: EQUAL}, DECK, maximum=50_00)
    game.do(actions.Check(1))
    game.deal(DECK)
    game.do(actions.Raise(1, 2))
    refusal = refused(game, actions.AcceptLate(1, "play", 40_00, "floor-supervisor", "flo"))
    assert refusal.code == "raise/not-a-multiple"
    game.do(actions.AcceptLate(1, "ante", 60_00, "floor-supervisor", "flo"))
    assert game.state.seats[1].stakes == {"ante": 60_00, "blind": 60_00, "play": 120_00}


@pytest.mark.parametrize(
    ("held", "dealer", "board", "ante", "blind", "play"),
    [
        # The dealer has no pair: the Ante goes back, Blind and Play are decided all the same.
        ("Ks Jd", "Qs 8c", "Ah 9h 5d 3s 2c", 10_00, 10_00, 80_00),
        ("Js 8d", "Qs Kc", "Ah 9h 5d 3s 2c", 10_00, 0, 0),
        ("As Kd", "Qs 8c", "Ah 8h 5d 3s 2c", 20_00, 10_00, 80_00),  # a pair is below a straight
        ("4s 6d", "Qs 8c", "Ah 8h 5d 3s 2c", 20_00, 20_00, 80_00),  # a straight pays even money
        ("Kh Jh", "Qs 8c", "Ah 8h 5h 3s 2c", 20_00, 25_00, 80_00),  # a flush pays 3 to 2
        ("As 8d", "Qs 8c", "Ah Ad 8h 3s 2c", 20_00, 40_00, 80_00),  # a full house pays 3 to 1
        ("Qd 8d", "Qs 8c", "Ah Ad 7h 3s 2c", 10_00, 10_00, 40_00),  # equal hands push
        ("Kd Jd", "Qs 8c", "Ah Ad 8h 3s 2c", 0, 0, 0),
    ],
)
def test_4__best_five_of_seven_and_the_dealer_needs_a_pair(held, dealer, board, ante, blind, play):
    seat = hand(ULTIMATE, held, [4])
    result = settled(ULTIMATE, seat, dealer=dealer, board=board)
    paid = [line(result, spot).returned_cents for spot in ("ante", "blind", "play")]
    assert paid == [ante, blind, play]


def test_5__the_blind_pays_five_hundred_for_a_royal_flush_that_wins():
    result = settled(ULTIMATE, hand(ULTIMATE, "Ah Kh", [4]), dealer="Qs 9c", board="Qh Jh Th 3s 4d")
    assert line(result, "blind").won_cents == 5_000_00


def test_6__trips_is_paid_whatever_becomes_of_the_hand():
    seat = hand(ULTIMATE, "3d 2c", side={"trips": 5_00})
    folded = hand(ULTIMATE, "3d 2c", side={"trips": 5_00}, seat=2)
    folded = type(folded)(2, folded.cards, folded.stakes, folded=3)
    result = settled(ULTIMATE, seat, folded, dealer="As Ac", board="9h 9d 9c Ks 4d")
    assert [line(result, "trips", n).won_cents for n in (1, 2)] == [15_00, 15_00]


@pytest.mark.parametrize(
    ("held", "dealer", "board", "ante", "call"),
    [
        ("As Ks", "Qd 7c", "Qs Js Ts", 1_010_00, 20_00 * 2),
        ("As 9s", "3d 7c", "Qs Js 4s", 30_00, 20_00),  # no pair of fours: by the table, Call back
        ("2h 5d", "3d 7c", "Qs Js 4s", 20_00, 20_00),  # whoever is better
        ("2h 5d", "4d 7c", "Qs Js 4s", 0, 0),
        ("Qh 5d", "4d 7c", "Qs Js 4s", 20_00, 40_00),
    ],
)
def test_4__a_pair_of_fours_qualifies(held, dealer, board, ante, call):
    """Casino Hold'em: the Ante is paid by its table also when the dealer does not qualify."""
    result = settled(
        CASINO_HOLDEM,
        hand(CASINO_HOLDEM, held, [2]),
        dealer=dealer,
        flop=board,
        turn_and_river="Kd 8c",
    )
    assert [line(result, spot).returned_cents for spot in ("ante", "call")] == [ante, call]


def test_6__the_aa_bonus_looks_at_two_cards_and_the_flop():
    seat = hand(CASINO_HOLDEM, "Ah 5d", [2], side={"aa-bonus": 5_00})
    pays = settled(CASINO_HOLDEM, seat, dealer="Qd 7c", flop="As Js 4s", turn_and_river="Kd 8c")
    assert line(pays, "aa-bonus").won_cents == 35_00
    late = settled(CASINO_HOLDEM, seat, dealer="Qd 7c", flop="Ks Js 4s", turn_and_river="Ad Ac")
    assert line(late, "aa-bonus").returned_cents == 0


@pytest.mark.parametrize(
    ("held", "dealer", "ante", "flop"),
    [
        ("Ks Kd", "Jc Jd", 10_00, 40_00),  # three of a kind wins: the Ante goes back
        ("6s 5d", "Jc Jd", 20_00, 40_00),  # a straight wins: the Ante is paid
        ("6s 5d", "6c 5c", 10_00, 20_00),
        ("As Qd", "Jc Jd", 0, 0),
    ],
)
def test_5__the_ante_pays_from_a_straight_on(held, dealer, ante, flop):
    result = settled(
        HOLDEM_BONUS, hand(HOLDEM_BONUS, held, [2]), dealer=dealer, board="Kh 9s 4d 3c 7h"
    )
    assert [line(result, spot).returned_cents for spot in ("ante", "flop")] == [ante, flop]


def test_3__turn_and_river_are_bet_or_checked():
    deck = stacked("Ks Jc Kd Jd", "Kh 9s 4d 2c 7h")
    game = started(HOLDEM_BONUS, {1: {"ante": 10_00}}, deck)
    assert [each.times or each.action for each in game.legal(1)] == [2, "fold"]
    game.do(actions.Raise(1, 2))
    game.deal(deck)
    assert [each.times or each.action for each in game.legal(1)] == [1, "check"]
    game.do(actions.Check(1))
    game.deal(deck)
    game.do(actions.Raise(1, 1))
    game.deal(deck)
    result = settle(HOLDEM_BONUS, of_round(game.state))
    assert {each.spot: each.returned_cents for each in result.seats[0].lines} == {
        "ante": 10_00,
        "flop": 40_00,
        "river": 20_00,
    }


@pytest.mark.parametrize(
    ("held", "won"), [("Ah Ad", 150_00), ("Ah Kh", 125_00), ("Ah Jd", 25_00), ("2c 2d", 15_00)]
)
def test_6__the_bonus_is_paid_by_two_cards(held, won):
    seat = hand(HOLDEM_BONUS, held, [2], side={"bonus": 5_00})
    result = settled(HOLDEM_BONUS, seat, dealer="Jc Js", board="Ks 9s 4d 3c 7h")
    assert line(result, "bonus").won_cents == won
