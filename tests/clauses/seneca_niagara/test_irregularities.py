"""Wrong counts, shared information, ties."""

import pytest

from pitboss.round import Round, actions
from pitboss.rulebook.sign import sign, sign_text
from pitboss.settle import Settlement, of_round, settle
from tests.helpers import SENECA, hand, line, refused, settled, stacked, started

FIRST, SECOND, DEALER = "Kh Kd 9s 5c 2d", "Ac Qd 8h 6s 3c", "Ad Ks 7h 4c 2s"
DECK = stacked(FIRST, SECOND, DEALER)
BETS = {1: {"ante": 10_00, "progressive": 1_00}, 2: {"ante": 20_00, "progressive": 1_00}}


def called() -> Round:
    game = started(SENECA, BETS, DECK)
    game.do(actions.Raise(1, 2))
    return game


def finished(game: Round) -> Settlement:
    for seat in game.due():
        game.do(actions.Raise(seat, 2))
    game.deal(DECK)
    return settle(SENECA, of_round(game.state))


def test_irregularities__a_wrong_count_kills_that_players_hand_only():
    game = called()
    game.do(actions.KillHand(1, "count", "floor-supervisor", "flo"))
    result = finished(game)
    # Seat 1's money goes back, token and Bet included; seat 2 loses to ace-king all the same.
    assert result.seats[0].returned_cents == 10_00 + 20_00 + 1_00
    assert result.seats[1].returned_cents == 0
    assert result.seats[0].won_cents == 0


def test_irregularities__a_dead_hand_decides_nothing_more_and_is_not_shown():
    game = started(SENECA, BETS, DECK)
    game.do(actions.KillHand(1, "count", "floor-supervisor", "flo"))
    assert refused(game, actions.Raise(1, 2)).code == "seat/dead"
    assert game.due() == [2]
    finished(game)
    assert (game.state.seats[1].shown, game.state.seats[2].shown) == (False, True)


def test_irregularities__exchanging_information_forfeits_ante_and_bet():
    game = called()
    game.do(actions.KillHand(1, "information", "floor-supervisor", "flo"))
    result = finished(game)
    # Kings would have beaten the dealer's ace-king.
    assert [each.returned_cents for each in result.seats[0].lines] == [0, 0, 0]
    assert {each.reasons[0].code for each in result.seats[0].lines} == {"dead-forfeit"}


def test_irregularities__the_sign_says_that_information_is_not_exchanged():
    [notice] = [each for each in SENECA.notice if each.clause == "irregularities"]
    assert notice.text == "Players may not exchange information about their hands."
    posted = " ".join(sign_text(sign(SENECA, 15_00, 300_00, {})).split())
    assert notice.text in posted


def test_irregularities__a_dead_hand_wins_no_jackpot():
    royal = hand(SENECA, "Ah Kh Qh Jh Th", (2,), side={"progressive": 1_00}, dead="information")
    result = settled(SENECA, royal, dealer=DEALER, meter=50_000_00)
    assert result.seats[0].won_cents == 0
    assert result.meter_after_cents == 50_000_00


@pytest.mark.parametrize("cause", ["count", "information"])
def test_irregularities__a_dealer_does_not_call_a_hand_dead(cause):
    game = called()
    assert refused(game, actions.KillHand(1, cause, "dealer", "dan")).code == "role/not-yours"


def test_irregularities__both_players_who_talked_lose_and_the_round_is_over():
    game = started(SENECA, BETS, DECK)
    for seat in (1, 2):
        game.do(actions.KillHand(seat, "information", "shift-manager", "sam"))
    assert game.state.phase == "settling"
    result = settle(SENECA, of_round(game.state))
    assert [each.returned_cents for each in result.seats] == [0, 0]


def test_irregularities__a_wrong_dealer_hand_voids_the_round():
    game = called()
    game.do(actions.Fold(2))
    game.do(actions.CallMisdeal("dealer-count", "floor-supervisor", "flo"))
    result = settle(SENECA, of_round(game.state))
    # Everything goes back, the folded Ante too.
    assert [each.returned_cents for each in result.seats] == [31_00, 21_00]
    assert result.meter_after_cents == 100_001_40


@pytest.mark.parametrize(
    ("held", "dealer", "outcome"),
    [
        pytest.param("Ah Kh Jd 7s 4c", "As Kd Tc 9h 8s", "win", id="the third card"),
        pytest.param("Ah Kh Jd 7s 4c", "As Kd Jc 8h 2s", "lose", id="the fourth card"),
        pytest.param("Ah Kh Jd 7s 4c", "As Kd Jc 7h 3s", "win", id="the fifth card"),
        pytest.param("Ah Kh Jd 7s 4c", "As Kd Jc 7h 4s", "push", id="all five alike"),
    ],
)
def test_irregularities__ace_king_against_ace_king_goes_by_the_next_card(held, dealer, outcome):
    result = settled(SENECA, hand(SENECA, held, (2,)), dealer=dealer)
    assert [line(result, spot).outcome for spot in ("ante", "bet")] == [outcome, outcome]


@pytest.mark.parametrize(
    ("held", "dealer"),
    [
        pytest.param("8h 8c 5d 5s 4c", "8d 8s 5c 5h 4h", id="two pair"),
        pytest.param("Ah Kc 4d 3s 2h", "As Kd 4c 3h 2s", id="ace-king"),
        pytest.param("9h 8h 7h 6h 5h", "9d 8d 7d 6d 5d", id="straight flush"),
    ],
)
def test_irregularities__identical_hands_push_ante_and_bet(held, dealer):
    result = settled(SENECA, hand(SENECA, held, (2,)), dealer=dealer)
    lines = [(each.spot, each.won_cents, each.returned_cents) for each in result.seats[0].lines]
    assert lines == [("ante", 0, 10_00), ("bet", 0, 20_00)]
