"""Rulings 41 to 47: misdeals, dead hands, mistakes found late, the shuffler's lights."""

import pytest

from pitboss.cards import cards
from pitboss.round import Round, actions, events
from pitboss.settle import of_round, settle
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA, opened, refused, stacked, started

LISTED = ["order-or-count", "out-of-sight", "information", "shuffler", "exposed-card"]
ABOVE = ["floor-supervisor", "shift-manager", "director-of-table-games", "general-manager"]
TWO = {1: {"ante": 10_00}, 2: {"ante": 10_00}}
DECK = stacked("Qh 7c", "2d 9s", "Qd 3c 5h")
HANDS = stacked("Kh Kd 9s 5c 2d", "Ac Qd 8h 6s 3c", "Ad Ks 7h 4c 2s")
TOKENS = {seat: {"ante": 10_00, "progressive": 1_00} for seat in (1, 2)}


def misdeal(cause: str, role: str) -> actions.CallMisdeal:
    return actions.CallMisdeal(cause, role, "flo")


def returned(game: Round) -> list[int]:
    return [each.returned_cents for each in settle(game.book, of_round(game.state)).seats]


@pytest.mark.parametrize("cause", LISTED)
@pytest.mark.parametrize("role", ABOVE)
def test_r41__a_supervisor_or_above_calls_the_listed_causes(cause, role):
    game = started(DIAMOND_JO, TWO, DECK, shuffler=True)
    assert game.do(misdeal(cause, role)) == (events.MisdealCalled(cause, role, "flo"),)
    assert game.state.phase == "misdealt"


@pytest.mark.parametrize("cause", ["integrity", "other"])
def test_r41__integrity_and_what_is_not_listed_are_the_shift_managers(cause):
    game = started(DIAMOND_JO, TWO, DECK)
    assert refused(game, misdeal(cause, "floor-supervisor")).code == "role/not-yours"
    game.do(misdeal(cause, "shift-manager"))


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD, SENECA], ids=lambda book: book.id)
def test_r41__a_dealer_never_calls_one(book):
    game = started(book, TWO, stacked())
    for rule in book.misdeal:
        assert refused(game, misdeal(rule.cause, "dealer")).code == "role/not-yours"
    assert refused(game, misdeal("bad-luck", "shift-manager")).code == "misdeal/unknown-cause"


def test_r42__letting_the_hand_stand_is_recorded_with_cause_and_person():
    game = started(DIAMOND_JO, TWO, DECK)
    happened = game.do(actions.LetStand("exposed-card", "floor-supervisor", "flo"))
    assert happened == (events.IrregularityStood("exposed-card", "floor-supervisor", "flo"),)
    assert game.state.stood == ("exposed-card",)
    assert game.due() == [1, 2]
    dealers = actions.LetStand("exposed-card", "dealer", "dan")
    assert refused(game, dealers).code == "role/not-yours"


def test_r43__on_a_misdeal_every_wager_goes_back_folded_ones_and_side_wagers_too():
    bets = {1: {"ante": 10_00, "lo-ball": 5_00}, 2: {"ante": 20_00}}
    game = started(DIAMOND_JO, bets, DECK)
    game.do(actions.Raise(1, 3))
    game.do(actions.Fold(2))
    game.do(misdeal("out-of-sight", "floor-supervisor"))
    assert returned(game) == [10_00 + 5_00 + 30_00, 20_00]


def test_r43__the_token_goes_back_and_the_meter_keeps_what_it_had():
    game = started(SENECA, TOKENS, HANDS, meter=50_000_00)
    game.do(misdeal("other", "shift-manager"))
    assert returned(game) == [11_00, 11_00]
    assert settle(SENECA, of_round(game.state)).meter_after_cents == 50_001_40


def test_r44__a_player_with_a_wrong_count_gets_the_money_back():
    game = started(SENECA, TOKENS, HANDS)
    game.do(actions.Raise(1, 2))
    game.do(actions.KillHand(1, "count", "floor-supervisor", "flo"))
    game.do(actions.Fold(2))
    assert returned(game) == [10_00 + 20_00 + 1_00, 0]


def test_r44__a_wrong_dealer_hand_voids_the_round():
    game = started(SENECA, TOKENS, HANDS)
    game.do(actions.Raise(1, 2))
    game.do(misdeal("dealer-count", "floor-supervisor"))
    assert returned(game) == [31_00, 11_00]


def test_r45__at_seneca_those_who_talk_forfeit_ante_and_bet():
    game = started(SENECA, TWO, HANDS)
    game.do(actions.Raise(1, 2))
    game.do(actions.KillHand(1, "information", "floor-supervisor", "flo"))
    game.do(actions.Raise(2, 2))
    game.deal(HANDS)
    assert returned(game) == [0, 0]
    reasons = [each.lines[0].reasons[0].code for each in settle(SENECA, of_round(game.state)).seats]
    assert reasons == ["dead-forfeit", "dealer-wins"]


def test_r45__at_diamond_jo_it_is_grounds_for_a_misdeal():
    game = started(DIAMOND_JO, TWO, DECK)
    kill = actions.KillHand(1, "information", "floor-supervisor", "flo")
    assert refused(game, kill).code == "dead/unknown-cause"
    game.do(misdeal("information", "floor-supervisor"))
    assert returned(game) == [10_00, 10_00]


def test_r46__once_paying_has_begun_nothing_is_edited():
    game = started(SENECA, TWO, HANDS)
    assert refused(game, actions.Pay()).code == "pay/not-now"
    for seat in (1, 2):
        game.do(actions.Raise(seat, 2))
    game.deal(HANDS)
    game.do(actions.Pay())
    for action, code in (
        (misdeal("other", "shift-manager"), "misdeal/paid"),
        (actions.LetStand("other", "shift-manager", "sam"), "misdeal/paid"),
        (actions.KillHand(1, "count", "shift-manager", "sam"), "dead/not-now"),
        (actions.AcceptLate(1, "ante", 20_00, "shift-manager", "sam"), "late/not-now"),
        (actions.Bet(1, {"ante": 20_00}), "bet/closed"),
        (actions.Pay(), "pay/not-now"),
    ):
        assert refused(game, action).code == code


def shuffling() -> Round:
    game = opened(DIAMOND_JO, TWO, shuffler=True)
    game.do(actions.CloseBets())
    return game


def test_r47__red_before_any_card_is_out_means_another_shuffle():
    game = shuffling()
    assert game.do(actions.Light("red")) == (events.LightSeen("red", reshuffle=True),)
    assert refused(game, actions.Deal(DECK[:4])).code == "deal/red-light"
    no_grounds = misdeal("shuffler", "floor-supervisor")
    assert refused(game, no_grounds).code == "misdeal/no-grounds"
    game.do(actions.Light("green"))
    game.do(actions.Deal(DECK[:4]))


def test_r47__red_after_that_is_grounds_for_a_misdeal():
    game = shuffling()
    game.do(actions.Deal(DECK[:2]))
    assert game.do(actions.Light("red")) == (events.LightSeen("red", reshuffle=False),)
    assert refused(game, actions.Deal(DECK[2:4])).code == "deal/red-light"
    assert refused(game, actions.Light("green")).code == "light/grounds"
    game.do(misdeal("shuffler", "floor-supervisor"))
    assert returned(game) == [10_00, 10_00]


def test_r47__or_it_is_let_stand_and_the_deal_goes_on():
    game = shuffling()
    game.do(actions.Deal(DECK[:2]))
    game.do(actions.Light("red"))
    game.do(actions.LetStand("shuffler", "floor-supervisor", "flo"))
    game.do(actions.Deal(DECK[2:4]))
    assert game.due() == [1, 2]


def test_r47__no_community_card_before_the_green_light():
    game = shuffling()
    game.do(actions.Light("green"))  # says nothing yet of the deal that follows
    game.do(actions.Deal(DECK[:4]))
    for seat in (1, 2):
        game.do(actions.Raise(seat, 1))
    assert refused(game, actions.Deal(cards("Qd"))).code == "deal/no-green-light"
    game.do(actions.Light("green"))
    game.do(actions.Deal(cards("Qd")))
