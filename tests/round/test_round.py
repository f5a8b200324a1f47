"""The machine where no house's clause speaks: moments, take-backs, unread cards, text and JSON."""

import pytest

from pitboss.cards import DECK, cards
from pitboss.errors import Unreadable
from pitboss.round import Round, actions, codec, events, next_action, notation
from pitboss.settle import of_round, settle
from tests.helpers import (
    DIAMOND_JO,
    HOLLYWOOD,
    MISSISSIPPI,
    SENECA,
    line,
    opened,
    refused,
    stacked,
    started,
)
from tests.small_books import TAKE_BACK

RIDE = {"ante": 5_00, "first": 5_00, "second": 5_00}


def riding(held: str = "As Kd 2c", board: str = "Ah 9s", seats: int = 1) -> Round:
    bets = dict.fromkeys(range(1, seats + 1), RIDE)
    return started(TAKE_BACK, bets, stacked(held, board) if seats == 1 else DECK)


def test_every_choice_names_its_clause_and_a_fold_its_own():
    deck = stacked()
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    cited = {option.action: option.clause for option in game.legal(1)}
    assert cited == {"raise": "C.1.i(2), R17, R20, R21", "fold": "C.1.j, C.1.i(1)"}
    game.do(actions.Raise(1, 1))
    game.deal(deck)
    assert game.legal(1)[-1].clause == "C.1.m, C.1.l(1), R18"
    assert [option.clause for option in riding().legal(1)] == ["2", "2"]


def test_a_wager_is_taken_back_or_rides():
    game = riding()
    assert [option.action for option in game.legal(1)] == ["check", "take-back"]
    assert game.legal(1)[1].cents == 5_00
    nothing_to_raise = refused(game, actions.Raise(1, 1))
    assert nothing_to_raise.code == "raise/not-offered"
    assert nothing_to_raise.message == "the choices here are check, take-back"
    assert refused(game, actions.Fold(1)).code == "fold/not-offered"
    assert game.do(actions.TakeBack(1)) == (events.WagerTakenBack(1, "first", 5_00),)
    assert game.state.seats[1].stakes == {"ante": 5_00, "second": 5_00}
    game.deal(stacked("As Kd 2c", "Ah 9s"))
    assert refused(game, actions.TakeBack(2)).code == "seat/not-in-round"
    game.do(actions.Check(1))
    game.deal(stacked("As Kd 2c", "Ah 9s"))
    assert refused(game, actions.TakeBack(1)).code == "take-back/not-offered"
    game.do(actions.Raise(1, 1))
    game.deal(stacked("As Kd 2c", "Ah 9s"))
    done = settle(TAKE_BACK, of_round(game.state))
    # A pair of aces pays 3 to 2 on three wagers of 5.00.
    assert [each.won_cents for each in done.seats[0].lines] == [7_50, 7_50, 7_50]


def test_a_seat_that_times_out_does_what_the_step_says():
    game = riding()
    assert game.do(actions.TimeOut(1)) == (events.Checked(1, timed_out=True),)
    game.deal(stacked("As Kd 2c", "Ah 9s"))
    (event,) = game.do(actions.TimeOut(1))
    assert event == events.WagerTakenBack(1, "second", 5_00, timed_out=True)
    assert refused(game, actions.TimeOut(9)).code == "seat/not-in-round"


def test_hands_are_shown_in_the_order_of_the_house():
    game = riding(seats=3)
    while game.due():
        for seat in game.due():
            game.do(actions.Check(seat))
        game.deal(DECK)
    shown = [event.seat for event in game.events if isinstance(event, events.HandShown)]
    assert shown == [1, 2, 3]


def test_moments():
    new = Round(DIAMOND_JO)
    for action, code in (
        (actions.Bet(1, {}), "bet/closed"),
        (actions.CloseBets(), "bet/closed"),
        (actions.Deal(DECK[:2]), "deal/not-now"),
        (actions.Turn(), "turn/not-now"),
        (actions.Light("green"), "light/no-shuffler"),
        (actions.Pay(), "pay/not-now"),
        (actions.AcceptLate(1, "ante", 1, "shift-manager", "x"), "late/not-now"),
        (actions.CallMisdeal("other", "shift-manager", "x"), "misdeal/not-now"),
    ):
        assert refused(new, action).code == code
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}})
    assert refused(game, actions.Open({1: "x"}, 5_00, 25_00)).code == "round/already-open"
    assert refused(game, actions.Raise(1, 1)).code == "decide/not-now"
    assert refused(game, actions.Bet(2, {"ante": 5_00})).code == "seat/not-in-round"
    assert refused(game, actions.Bet(1, {"raise-1": 5_00})).code == "bet/not-before-the-deal"
    assert refused(game, actions.Bet(1, {"ante": 5_00}, -1)).code == "toke/nothing"
    offered = {o.spot: (o.least_cents, o.most_cents) for o in game.legal(1)}
    assert offered["ante"] == (5_00, 100_00)
    assert offered["lo-ball"] == (1_00, 100_00)
    assert "raise-1" not in offered
    game.do(actions.Bet(1, {}))
    assert refused(game, actions.CloseBets()).code == "bet/nobody"
    assert game.legal(2) == ()


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (actions.Open({}, 5_00, 25_00), "seat/unknown"),
        (actions.Open({7: "x"}, 5_00, 25_00), "seat/unknown"),
        (actions.Open({1: "x"}, 5_00, 25_00, partners=((1, 2),)), "seat/unknown"),
        (actions.Open({1: "x"}, 5_00, 25_00, meter_cents=1), "meter/mismatch"),
        (actions.Open({1: "x"}, 15_00, None), "limits/out-of-range"),
        (actions.Open({1: "x", 2: "x"}, 5_00, 25_00), "seat/one-hand-each"),
    ],
)
def test_what_cannot_be_opened(action, code):
    assert refused(Round(DIAMOND_JO), action).code == code


def test_a_meter_is_not_below_nothing():
    assert refused(Round(SENECA), actions.Open({1: "x"}, 5_00)).code == "meter/mismatch"
    opening = actions.Open({1: "x"}, 5_00, meter_cents=-1)
    assert refused(Round(SENECA), opening).code == "meter/mismatch"


def test_no_shuffler_where_the_house_has_none():
    opening = actions.Open({1: "x"}, 5_00, shuffler=True)
    assert refused(Round(HOLLYWOOD), opening).code == "light/no-shuffler"


def test_cards_are_entered_one_by_one_in_the_order_of_the_script():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}, 4: {"ante": 5_00}})
    game.do(actions.CloseBets())
    for card in cards("As Kd 7c 2h"):
        game.do(actions.Deal((card,)))
    assert game.state.seats[1].cards == cards("As Kd")
    assert game.state.seats[4].cards == cards("7c 2h")
    assert game.due() == [1, 4]


def test_a_card_is_not_entered_twice_and_not_too_many():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}})
    game.do(actions.CloseBets())
    assert refused(game, actions.Deal(())).code == "deal/wrong-count"
    assert refused(game, actions.Deal(DECK[:3])).code == "deal/wrong-count"
    game.do(actions.Deal(cards("As")))
    assert refused(game, actions.Deal(cards("As"))).code == "deal/card-twice"


def test_cards_that_are_too_many_or_too_few_are_counted_in_words():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}})
    game.do(actions.CloseBets())
    assert refused(game, actions.Deal(DECK[:5])).message == "this step deals four more cards"
    game.do(actions.Deal((*cards("As Kd 7c"), None)))
    for card in cards("Th Jh Qh"):
        for seat in (1, 2):
            game.do(actions.Raise(seat, 1))
        assert refused(game, actions.Deal(DECK[:3])).message == "this step deals one more card"
        game.do(actions.Deal((card,)))
    one = "what is turned next is not read yet: enter one card"
    assert refused(game, actions.Turn()).message == one
    assert refused(game, actions.Turn(cards("2c 3c"))).message == one
    game.do(actions.Turn(cards("2c")))
    assert game.state.phase == "settling"
    known = opened(MISSISSIPPI, {1: {"ante": 5_00}})
    known.do(actions.CloseBets())
    known.deal(DECK)
    for _ in range(3):
        known.do(actions.Raise(1, 1))
        said = refused(known, actions.Turn(cards("2c"))).message
        assert said == "what is turned next was read already: no card is entered"
        known.do(actions.Turn())


def test_real_cards_are_read_when_they_are_turned():
    game = opened(HOLLYWOOD, {1: {"ante": 5_00}, 2: {"ante": 5_00, "all-six": 1_00}})
    game.do(actions.CloseBets())
    game.do(actions.Deal((None,) * 3))
    game.do(actions.Deal((None,)))
    game.do(actions.Deal((None,) * 4))
    for street, card in enumerate(("Th", "Jh", "Qh")):
        game.do(actions.Raise(1, 1))
        if not street:
            game.do(actions.Fold(2))
        assert refused(game, actions.Turn()).code == "turn/wrong-count"
        assert refused(game, actions.Turn(cards("2c 3c"))).code == "turn/wrong-count"
        game.do(actions.Turn(cards(card)))
    assert refused(game, actions.Turn(cards("Qh"))).code == "deal/card-twice"
    game.do(actions.Turn(cards("2c")))
    # The hands are turned from the dealer's right, as many as are read.
    game.do(actions.Turn(cards("Kh Ah")))
    assert game.state.seats[2].cards == cards("Kh Ah")
    assert game.state.phase == "playing"
    game.do(actions.Turn(cards("2d 3d")))
    done = settle(HOLLYWOOD, of_round(game.state))
    assert line(done, "all-six", seat=2).won_cents == 1_000_00
    assert line(done, "ante", seat=2).outcome == "lose"
    assert line(done, "ante", seat=1).outcome == "lose"


def test_a_card_that_lies_face_up_is_read_at_once():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, DECK)
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Deal((None,))).code == "deal/unread"


def test_lights():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}}, shuffler=True)
    assert refused(game, actions.Light("blue")).code == "light/unknown"
    (event,) = game.do(actions.Light("red"))
    assert event == events.LightSeen("red", reshuffle=True)
    game.do(actions.CloseBets())
    assert refused(game, actions.Deal(DECK[:2])).code == "deal/red-light"
    assert next_action(DIAMOND_JO, game.state, DECK) is None
    game.do(actions.Light("green"))
    game.do(actions.Deal(DECK[:2]))
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Deal(DECK[2:3])).code == "deal/no-green-light"
    assert next_action(DIAMOND_JO, game.state, DECK) is None
    game.do(actions.Light("green"))
    assert next_action(DIAMOND_JO, game.state, DECK) == actions.Deal(DECK[2:3])


def test_a_red_light_stops_the_turn_and_the_payment():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, DECK, shuffler=True)
    for at in range(2, 5):
        game.do(actions.Raise(1, 1))
        game.do(actions.Light("green"))
        game.do(actions.Deal(DECK[at : at + 1]))
    game.do(actions.Light("red"))
    assert refused(game, actions.Turn()).code == "deal/red-light"
    game.do(actions.LetStand("shuffler", "shift-manager", "sam"))
    game.do(actions.Turn())
    game.do(actions.Pay())
    assert game.state.phase == "paying"
    folded = started(DIAMOND_JO, {1: {"ante": 5_00}}, DECK, shuffler=True)
    folded.do(actions.Light("red"))
    folded.do(actions.Fold(1))
    assert refused(folded, actions.Pay()).code == "light/grounds"


def test_late_finds():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, DECK)

    def late(seat: int, spot: str, cents: int, role: str = "floor-supervisor"):
        return actions.AcceptLate(seat, spot, cents, role, "flo")

    assert refused(game, late(1, "ante", 500_00, "dealer")).code == "role/not-yours"
    assert refused(game, late(2, "ante", 500_00)).code == "seat/not-in-round"
    assert refused(game, late(1, "lo-ball", 500_00)).code == "late/no-wager"
    assert refused(game, late(1, "ante", 0)).code == "bet/nothing"
    assert refused(game, late(1, "ante", 10**30)).code == "bet/above-maximum"
    assert refused(game, late(1, "ante", 90_00)).code == "late/within-limits"
    nobody = actions.AcceptLate(1, "ante", 500_00, "floor-supervisor", "")
    assert refused(game, nobody).code == "role/not-yours"
    game.do(late(1, "ante", 500_00))
    assert game.legal(1)[0].cents == 500_00
    game.do(actions.Fold(1))
    assert refused(game, late(1, "ante", 600_00)).code == "seat/folded"


def test_late_finds_of_raises_and_tokes():
    bets = {1: {"ante": 10_00, "lo-ball": 5_00}}
    game = started(DIAMOND_JO, bets, DECK, tokes={1: 2_00}, maximum=50_00)

    def late(spot: str, cents: int):
        return actions.AcceptLate(1, spot, cents, "floor-supervisor", "flo")

    assert refused(game, late("raise-1", 10_00)).code == "late/no-wager"
    game.do(actions.Raise(1, 2))
    odd = refused(game, late("raise-1", 25_00))
    assert (odd.code, odd.place) == ("raise/not-a-multiple", "raise-1")
    assert odd.message == "a raise here is 1, 2 or 3 times the ante, not $25"
    assert refused(game, late("raise-1", 20_00)).code == "late/as-it-lies"
    assert refused(game, late("raise-2", 20_00)).code == "late/no-wager"
    game.do(late("raise-1", 30_00))
    assert game.state.seats[1].raises == (3,)
    assert refused(game, late("toke", 5_00)).code == "late/within-limits"
    assert refused(game, late("toke", -1)).code == "toke/nothing"
    assert refused(game, late("toke", 10**30)).code == "toke/above-own-bet"
    game.do(late("toke", 5_01))
    assert game.state.seats[1].toke_cents == 5_01
    assert game.state.seats[1].late == ("raise-1", "toke")


def test_a_token_has_its_size_however_late_it_is_found():
    game = started(SENECA, {1: {"ante": 5_00, "progressive": 1_00}}, DECK)
    late = actions.AcceptLate(1, "progressive", 2_00, "floor-supervisor", "flo")
    assert refused(game, late).code == "bet/not-the-token"


def test_a_folded_hand_that_nobody_saw_is_not_named():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, DECK)
    game.do(actions.Fold(1))
    for _ in range(3):
        game.do(actions.Raise(2, 1))
        game.deal(DECK)
    done = settle(DIAMOND_JO, of_round(game.state))
    assert [seat.hand for seat in done.seats] == ["", "full house, threes over twos"]


def test_dead_hands():
    game = started(SENECA, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, DECK)
    dead = actions.KillHand(1, "count", "floor-supervisor", "flo")
    assert refused(Round(SENECA), dead).code == "dead/not-now"
    assert refused(game, actions.KillHand(3, "count", "shift-manager", "s")).code == (
        "seat/not-in-round"
    )
    assert refused(game, actions.KillHand(1, "count", "dealer", "d")).code == "role/not-yours"
    game.do(dead)
    assert refused(game, dead).code == "seat/dead"
    assert refused(game, actions.Raise(1, 2)).code == "seat/dead"
    assert refused(game, actions.KillHand(1, "boredom", "x", "x")).code == "dead/unknown-cause"
    game.do(actions.Fold(2))
    assert game.state.phase == "settling"
    assert refused(game, actions.Raise(2, 2)).code == "seat/folded"


def test_an_award_cannot_be_folded_by_mistake_when_the_cards_are_unread():
    game = opened(SENECA, {1: {"ante": 5_00, "progressive": 1_00}})
    game.do(actions.CloseBets())
    game.do(actions.Deal((None,) * 9))
    game.do(actions.Deal(cards("2s")))
    game.do(actions.Fold(1))
    assert game.state.seats[1].folded == 1


def test_actions_and_events_as_json():
    action = actions.Deal(cards("As Td"))
    assert codec.encode(action) == b'{"action":"deal","cards":["As","Td"]}'
    assert codec.action(codec.encode(action)) == action
    assert codec.action('{"action":"fold","seat":1}') == actions.Fold(1)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "nonsense",
        '{"action":"fly","seat":1}',
        '{"action":"fold","seat":"1"}',
        '{"action":"fold","seat":1,"more":2}',
        '{"action":"deal","cards":["1s"]}',
        '{"action":"deal","cards":[3]}',
        "[" * 100_000,
    ],
    ids=range(8),
)
def test_unreadable_json(written):
    with pytest.raises(Unreadable):
        codec.action(written)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("seat 1 flies", "line 1: 'seat 1 flies' is not a line of a round"),
        ("\n# words\ndeal board: 1x", "line 3: '1x' is not a card"),
        ('round a/b rules 0f minimum 5.00 seats 1 "\\x"', "line 1: cannot read"),
        ("bets closed, meter 9,9.00", "line 1: '9,9.00' is not money"),
    ],
)
def test_unreadable_notation(written, says):
    with pytest.raises(Unreadable) as error:
        notation.read(written)
    assert str(error.value).startswith(says)
