"""How a hand is played: Ante and token, five cards each, fold or Bet, the dealer's hand."""

import random

import pytest

from pitboss.cards import card, cards, shuffled, text
from pitboss.house.table.commands import OpenBetting, ShuffleCards, StartDealing
from pitboss.house.table.events import CardsShuffled
from pitboss.round import Round, actions, events
from pitboss.settle import Settlement, of_round, settle
from tests.helpers import SENECA, hand, line, opened, refused, settled, stacked, started
from tests.house.floor import Floor

FIRST, SECOND, DEALER = "Kh Kd 9s 5c 2d", "Ac Qd 8h 6s 3c", "Ad Ks 7h 4c 2s"
DECK = stacked(FIRST, SECOND, DEALER)
TWO = {1: {"ante": 10_00}, 2: {"ante": 20_00}}

QUALIFIES, FAILS = "Ah Kc 4d 3s 2h", "Ah Qc Jd Ts 9h"


def paid(game: Round) -> Settlement:
    return settle(SENECA, of_round(game.state))


def played(held: str, dealer: str, times: int = 2, ante: int = 10_00) -> Settlement:
    return settled(SENECA, hand(SENECA, held, (times,), ante=ante), dealer=dealer)


def test_play__an_ante_comes_first_and_the_token_is_optional():
    game = opened(SENECA, TWO)
    assert refused(game, actions.Bet(1, {"progressive": 1_00})).code == "bet/no-ante"
    game.do(actions.Bet(1, {"ante": 10_00, "progressive": 1_00}))
    assert game.state.seats[2].stakes == {"ante": 20_00}


def test_play__five_cards_at_a_time_from_the_dealers_left_and_the_dealer_last():
    game = opened(SENECA, TWO)
    game.do(actions.CloseBets())
    dealt = [each for each in game.deal(DECK) if isinstance(each, events.CardsDealt)]
    assert [(each.place, each.seat, text(each.cards), each.up) for each in dealt] == [
        ("seats", 1, FIRST, False),
        ("seats", 2, SECOND, False),
        ("dealer", 0, "Ad Ks 7h 4c", False),
        ("dealer", 0, "2s", True),
    ]


def test_play__one_dealer_card_is_up_and_no_player_sees_another_hand():
    game = started(SENECA, TWO, DECK)
    assert text(game.view(1).piles["dealer"]) == "?? ?? ?? ?? 2s"
    assert text(game.view(1).seats[1].cards) == FIRST
    assert text(game.view(1).seats[2].cards) == "?? ?? ?? ?? ??"


def test_play__a_call_is_exactly_twice_the_ante():
    game = started(SENECA, TWO, DECK)
    assert [(each.action, each.cents) for each in game.legal(2)] == [("raise", 40_00), ("fold", 0)]
    for times in (1, 3):
        assert refused(game, actions.Raise(2, times)).code == "raise/not-a-multiple"
    assert game.do(actions.Raise(2, 2)) == (events.RaisePlaced(2, "bet", 2, 40_00),)


def test_play__a_fold_loses_the_ante_whatever_the_dealer_holds():
    game = started(SENECA, TWO, DECK)
    game.do(actions.Fold(1))
    game.do(actions.Raise(2, 2))
    game.deal(DECK)
    folded = paid(game).seats[0]
    assert [(each.spot, each.returned_cents) for each in folded.lines] == [("ante", 0)]
    assert not game.state.seats[1].shown


def test_play__the_dealer_turns_four_cards_after_the_last_decision():
    game = started(SENECA, TWO, DECK)
    game.do(actions.Raise(1, 2))
    assert refused(game, actions.Turn()).code == "turn/not-now"
    game.do(actions.Raise(2, 2))
    assert game.deal(DECK) == [
        events.CardsTurned("dealer", cards("Ad Ks 7h 4c")),
        events.HandShown(2, cards(SECOND)),
        events.HandShown(1, cards(FIRST)),
    ]


def test_play__hands_are_compared_from_the_dealers_right():
    bets = {seat: {"ante": 5_00} for seat in (4, 1, 6)}
    deck = stacked(FIRST, SECOND, "9c 9d 8c 8d 5s", DEALER)
    game = started(SENECA, bets, deck)
    for seat in (1, 4, 6):
        game.do(actions.Raise(seat, 2))
    shown = [each.seat for each in game.deal(deck) if isinstance(each, events.HandShown)]
    assert shown == [6, 4, 1]


@pytest.mark.parametrize("held", ["Kh Kd 9s 5c 2d", "7h 5d 4c 3s 2d"], ids=["kings", "seven high"])
def test_play__a_dealer_who_does_not_qualify_pays_the_ante_and_returns_the_bet(held):
    result = played(held, FAILS)
    ante, bet = line(result, "ante"), line(result, "bet")
    assert (ante.outcome, ante.won_cents, ante.returned_cents) == ("win", 10_00, 20_00)
    assert (bet.outcome, bet.won_cents, bet.returned_cents) == ("push", 0, 20_00)


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        pytest.param("Ah Kc 4d 3s 2h", True, id="A-K-4-3-2"),
        pytest.param("2h 2c 3d 4s 5h", True, id="a pair of twos"),
        pytest.param("Ah 2c 3d 4s 5h", True, id="A-2-3-4-5, a straight"),
        pytest.param("Ah Qc Jd Ts 9h", False, id="A-Q-J-10-9"),
        pytest.param("Kh Qc Jd Ts 8h", False, id="K-Q-J-10-8"),
    ],
)
def test_play__the_dealer_needs_ace_and_king_or_better(dealer, qualifies):
    # Quad eights beat all of these: the Bet wins 20 x 20.00 only against a qualifying dealer.
    bet = line(played("8h 8c 8d 8s 6c", dealer), "bet")
    assert bet.won_cents == (400_00 if qualifies else 0)


def test_play__a_better_dealer_takes_ante_and_bet():
    result = played("Qh Qd 9s 5c 2d", "Kh Kd 9c 5h 3d")
    assert [each.returned_cents for each in result.seats[0].lines] == [0, 0]
    assert {each.reasons[0].code for each in result.seats[0].lines} == {"dealer-wins"}


def test_play__a_better_player_wins_the_ante_at_even_money_and_the_bet_by_the_odds():
    result = played("Qh Qd 9s 9c 2d", "Kh Kd 9h 5h 3d")
    # Two pair at 2 to 1 on a Bet of 20.00.
    assert (line(result, "ante").won_cents, line(result, "bet").won_cents) == (10_00, 40_00)
    assert result.seats[0].returned_cents == 80_00


def test_object__nobody_draws_or_discards():
    game = started(SENECA, TWO, DECK)
    assert refused(game, actions.Deal((card("6d"),))).code == "deal/not-now"
    assert len(game.state.seats[1].cards) == 5


def test_object__each_player_plays_the_dealer_alone():
    winner = hand(SENECA, "Kh Kd 9s 5c 2d", (2,), seat=1)
    loser = hand(SENECA, "Ac Kc 8h 6s 3c", (2,), seat=2)
    best = hand(SENECA, "9c 9d 9h 5h 5s", (2,), seat=3)
    both = settled(SENECA, winner, loser, best, dealer="Qh Qd 7s 4c 2s")
    alone = settled(SENECA, winner, dealer="Qh Qd 7s 4c 2s")
    assert both.seats[0] == alone.seats[0]
    # Kings: 10.00 + 20.00. A-K loses. Nines full: 10.00 + 7 x 20.00.
    assert [each.won_cents for each in both.seats] == [30_00, 0, 150_00]


def test_object__the_higher_hand_wins():
    rising = [
        "Ah Kc 4d 3s 2h",
        "2h 2c 5d 4s 3h",
        "3h 3c 2d 2s 4h",
        "2h 2c 2d 4s 3h",
        "Ah 2c 3d 4s 5h",
        "7h 5h 4h 3h 2h",
        "2h 2c 2d 3s 3h",
        "2h 2c 2d 2s 3h",
        "5h 4h 3h 2h Ah",
    ]
    spare = "As Ks Qs Js Ts"
    for lower, higher in zip(rising, [*rising[1:], spare], strict=True):
        assert line(played(higher, lower), "ante").outcome == "win"
        assert line(played(lower, higher), "ante").outcome == "lose"


def test_play__real_cards_are_shuffled_and_cut_for_every_round():
    floor = Floor(SENECA, dealing="entered").sit("ann")
    floor.do(StartDealing(), "dan")
    assert floor.refused(OpenBetting(), "dan").clause == "play"
    assert floor.do(ShuffleCards(), "dan").events == [CardsShuffled(cut=True)]
    floor.do(OpenBetting(), "dan")
    floor.bet(1)
    floor.do(actions.CallMisdeal("other", "shift-manager"), "max")
    assert floor.refused(OpenBetting(), "dan").code == "cards/not-shuffled"


def test_play__a_full_table_is_dealt_from_one_shuffled_deck():
    bets = {seat: {"ante": 5_00} for seat in range(1, 7)}
    game = started(SENECA, bets, shuffled(random.Random(7)))
    out = [each for seat in game.state.seats.values() for each in seat.cards]
    assert len({*out, *game.state.piles["dealer"]}) == 6 * 5 + 5


def test_play__folded_and_lost_cards_go_back_to_the_dealer():
    told = {each.when: each.says for each in SENECA.procedure if each.clause == "play"}
    assert "Take back the folded cards" in told["fold"]
    assert "cards" in told["lose"]
