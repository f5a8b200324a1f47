"""L: who may call a misdeal, for what, and where the money goes."""

import pytest

from pitboss.round import Round, actions, events
from pitboss.rulebook.sign import sign, sign_text
from pitboss.settle import of_round, settle
from tests.helpers import DIAMOND_JO, line, opened, played, refused, stacked, started

ABOVE = ("floor-supervisor", "shift-manager", "director-of-table-games", "general-manager")
NEVER = ("dealer", "surveillance", "player", "")
DECK = stacked("Ah Kh", "9c 8c", "Th Jh Qh")


def dealt(**more) -> Round:
    """Two players on the first street."""
    bets = {1: {"ante": 5_00}, 2: {"ante": 5_00}}
    return started(DIAMOND_JO, bets, DECK, maximum=100_00, **more)


def is_called_by(cause: str, clause: str, allowed: tuple[str, ...]) -> None:
    """Exactly these roles may call the misdeal or let the hand stand, and it gives all back."""
    with_one = cause == DIAMOND_JO.deck.red_light
    for role in {*ABOVE, *NEVER} - set(allowed):
        for action in (actions.CallMisdeal, actions.LetStand):
            no = refused(dealt(shuffler=with_one), action(cause, role, "pat"))
            assert no.code == "role/not-yours", role
            assert no.clause.split(",")[0] == clause
    for role in allowed:
        game = played(dealt(shuffler=with_one), DECK, {1: 3, 2: 0})
        called = game.do(actions.CallMisdeal(cause, role, "pat"))
        assert called == (events.MisdealCalled(cause, role, "pat"),)
        done = settle(DIAMOND_JO, of_round(game.state))
        assert [each.returned_cents for each in done.seats] == [20_00, 5_00]
        assert {each.clause for s in done.seats for each in s.lines} == {clause}


def test_l_1_a__cards_out_of_order_or_in_wrong_number():
    is_called_by("order-or-count", "L.1.a", ABOVE)


def test_l_1_a__everything_goes_back_folded_wagers_side_wagers_and_tokes_too():
    side = {"board-bonus": 1_00, "pocket-bonus": 2_00, "lo-ball": 3_00}
    bets = {1: {"ante": 5_00, **side}, 2: {"ante": 10_00, **side}}
    game = started(DIAMOND_JO, bets, DECK, maximum=100_00, tokes={1: 5_00, 2: 10_00})
    played(game, DECK, {1: 3, 2: 1}, {1: 3, 2: 0})
    game.do(actions.CallMisdeal("order-or-count", "floor-supervisor", "flo"))
    done = settle(DIAMOND_JO, of_round(game.state))
    assert [each.returned_cents for each in done.seats] == [
        5_00 + 15_00 + 15_00 + 1_00 + 2_00 + 3_00 + 5_00,
        10_00 + 10_00 + 1_00 + 2_00 + 3_00 + 10_00,
    ]
    assert [line(done, "toke", seat).returned_cents for seat in (1, 2)] == [5_00, 10_00]
    assert [each.won_cents for each in done.seats] == [0, 0]  # ace-king suited won nothing
    assert {each.outcome for s in done.seats for each in s.lines} == {"push"}


def test_l_1_a__a_wrong_number_of_cards_cannot_be_entered_as_dealt():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}}, maximum=100_00)
    game.do(actions.CloseBets())
    assert refused(game, actions.Deal(DECK[:3])).code == "deal/wrong-count"
    assert refused(game, actions.Deal(())).code == "deal/wrong-count"


def test_l_1_b__cards_out_of_sight():
    is_called_by("out-of-sight", "L.1.b", ABOVE)


def test_l_1_c__players_spoke_of_their_hands():
    is_called_by("information", "L.1.c", ABOVE)


def test_l_1_c__it_is_grounds_for_a_misdeal_and_not_for_a_dead_hand():
    assert DIAMOND_JO.dead == ()
    kill = actions.KillHand(1, "information", "shift-manager", "sue")
    assert refused(dealt(), kill).code == "dead/unknown-cause"


def test_l_1_c__the_sign_says_that_nobody_speaks_of_hands_or_in_a_foreign_language():
    [notice] = [each for each in DIAMOND_JO.notice if each.clause == "L.1.c"]
    assert "speaks of their hand" in notice.text
    assert "foreign language" in notice.text
    posted = " ".join(sign_text(sign(DIAMOND_JO, 5_00, 100_00, {})).split())
    assert notice.text in posted


def test_l_1_d__the_shuffler_failed_after_cards_were_out():
    assert DIAMOND_JO.deck.red_light == "shuffler"
    is_called_by("shuffler", "L.1.d", ABOVE)


def red_on_street(street: int) -> Round:
    """The shuffler shows red when both players have raised on this street."""
    game = dealt(shuffler=True)
    for each in range(1, street + 1):
        game.do(actions.Raise(1, 1))
        game.do(actions.Raise(2, 1))
        if each < street:
            game.do(actions.Light("green"))
            game.do(actions.Deal(DECK[3 + each : 4 + each]))
    game.do(actions.Light("red"))
    return game


def test_l_1_d__a_red_light_after_the_deal_waits_for_a_decision():
    game = red_on_street(1)
    assert refused(game, actions.Deal(DECK[4:5])).code == "deal/red-light"
    assert refused(game, actions.Light("green")).code == "light/grounds"
    game.do(actions.CallMisdeal("shuffler", "floor-supervisor", "flo"))
    done = settle(DIAMOND_JO, of_round(game.state))
    assert [each.returned_cents for each in done.seats] == [10_00, 10_00]


@pytest.mark.parametrize("street", [1, 2, 3])
def test_l_1_d__a_red_light_that_is_let_stand_still_needs_green_for_the_board(street):
    game = red_on_street(street)
    turned = DECK[3 + street : 4 + street]
    game.do(actions.LetStand("shuffler", "floor-supervisor", "flo"))
    assert refused(game, actions.Deal(turned)).code == "deal/no-green-light"
    game.do(actions.Light("green"))
    game.do(actions.Deal(turned))
    assert game.state.piles["board"] == DECK[4 : 4 + street]
    assert game.state.stood == ("shuffler",)


def test_l_1_d__a_red_light_before_any_card_is_out_is_no_grounds_for_a_misdeal():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}}, maximum=100_00, shuffler=True)
    game.do(actions.Light("red"))
    refused(game, actions.CallMisdeal("shuffler", "floor-supervisor", "flo"))


def test_l_1_e__a_community_card_was_exposed_too_soon():
    is_called_by("exposed-card", "L.1.e", ABOVE)


def test_l_1_e__the_script_turns_none_before_bets_are_final():
    game = dealt()
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Deal(DECK[4:5])).code == "deal/not-now"


def test_l_1_f__integrity_is_for_the_shift_manager_or_above():
    is_called_by("integrity", "L.1.f", ABOVE[1:])


def test_l_2__what_is_not_listed_is_for_the_shift_manager_or_above():
    is_called_by("other", "L.2", ABOVE[1:])


def test_l_2__the_shift_manager_may_let_a_hand_stand_and_it_is_recorded():
    game = dealt()
    stood = game.do(actions.LetStand("other", "shift-manager", "sue"))
    assert stood == (events.IrregularityStood("other", "shift-manager", "sue"),)
    assert game.state.stood == ("other",)
    played(game, DECK, *[{1: 1, 2: 1}] * 3)
    done = settle(DIAMOND_JO, of_round(game.state))
    assert [each.won_cents for each in done.seats] == [10_000_00, 80_00]  # royal, straight


@pytest.mark.parametrize("streets", [0, 1, 2, 3])
def test_l_2__a_misdeal_is_called_at_any_time_until_paying_begins(streets):
    game = played(dealt(), DECK, *[{1: 1, 2: 1}] * streets)
    game.do(actions.CallMisdeal("other", "shift-manager", "sue"))
    done = settle(DIAMOND_JO, of_round(game.state))
    assert [each.returned_cents for each in done.seats] == [5_00 * (streets + 1)] * 2
    assert refused(game, actions.Pay()).code == "pay/not-now"
    assert refused(game, actions.Raise(1, 1)).code == "decide/not-now"
    again = refused(game, actions.CallMisdeal("other", "shift-manager", "sue"))
    assert again.code == "misdeal/not-now"


def test_l_2__nothing_is_undone_once_paying_began():
    game = played(dealt(), DECK, *[{1: 1, 2: 1}] * 3)
    game.do(actions.Pay())
    for cause in [each.cause for each in DIAMOND_JO.misdeal]:
        call = actions.CallMisdeal(cause, "shift-manager", "sue")
        assert refused(game, call).code == "misdeal/paid"
        assert refused(game, actions.LetStand(cause, "shift-manager", "sue")).code == "misdeal/paid"


def test_l_2__an_unknown_cause_is_refused():
    unknown = actions.CallMisdeal("bad-luck", "shift-manager", "sue")
    assert refused(dealt(), unknown).code == "misdeal/unknown-cause"
