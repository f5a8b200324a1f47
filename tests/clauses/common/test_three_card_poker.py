"""Three Card Poker by its file's numbered headings, money worked out by hand."""

import pytest

from pitboss.round import actions, events
from pitboss.settle import of_round, settle
from tests.helpers import THREE_CARD, hand, line, opened, refused, settled, stacked, started

BETS = {"ante": 10_00, "pair-plus": 5_00}
LOW, HIGH = "Jd 9h 4s", "Qd 9h 4s"
"""The dealer without and with a hand that qualifies."""


def test_2__three_cards_each_face_down():
    game = started(THREE_CARD, {1: BETS, 2: BETS}, stacked())
    dealt = [each for each in game.events if isinstance(each, events.CardsDealt)]
    assert [(e.place, e.seat, len(e.cards), e.up) for e in dealt] == [
        ("seats", 1, 3, False),
        ("seats", 2, 3, False),
        ("dealer", 0, 3, False),
    ]


def test_3__play_is_one_ante_or_the_hand_is_folded():
    game = started(THREE_CARD, {1: BETS}, stacked())
    assert [(each.action, each.cents) for each in game.legal(1)] == [("raise", 10_00), ("fold", 0)]
    assert refused(game, actions.Raise(1, 2)).code == "raise/not-a-multiple"


@pytest.mark.parametrize(
    ("held", "dealer", "ante", "play"),
    [
        ("Kd 9c 4d", LOW, 20_00, 10_00),  # not qualified: the Ante is paid, Play goes back
        ("2c 4d 5h", LOW, 20_00, 10_00),  # even by a worse hand
        ("Kd 9c 4d", HIGH, 20_00, 20_00),
        ("2c 4d 5h", HIGH, 0, 0),
        ("Qc 9c 4d", HIGH, 10_00, 10_00),  # equal hands push
    ],
)
def test_4__queen_high_qualifies(held, dealer, ante, play):
    result = settled(THREE_CARD, hand(THREE_CARD, held, [1]), dealer=dealer)
    assert [line(result, spot).returned_cents for spot in ("ante", "play")] == [ante, play]


@pytest.mark.parametrize(
    ("held", "times"),
    [("As Ks Qs", 5), ("4s 3s 2s", 5), ("2c 2d 2h", 4), ("As 2d 3h", 1), ("As Js 9s", 0)],
)
@pytest.mark.parametrize("dealer", [LOW, HIGH, "Ac Ad Ah"])
def test_5__the_bonus_is_paid_whatever_the_dealer_has(held, times, dealer):
    """Others lost the bonus with the hand, or paid it only against a dealer who qualifies."""
    result = settled(THREE_CARD, hand(THREE_CARD, held, [1]), dealer=dealer)
    bonus = [each.won_cents for each in result.seats[0].lines if each.spot == "ante-bonus"]
    assert bonus == [times * 10_00] * bool(times)
    assert sum(each.returned_cents for each in result.seats[0].lines) == result.seats[0].paid_cents


def test_5__a_folded_hand_has_no_bonus():
    result = settled(THREE_CARD, hand(THREE_CARD, "4s 3s 2s", [0]), dealer=HIGH)
    assert [(each.spot, each.returned_cents) for each in result.seats[0].lines] == [("ante", 0)]


@pytest.mark.parametrize(
    ("held", "won"),
    [("4s 3s 2s", 200_00), ("2c 2d 2h", 150_00), ("Ks 7s 2s", 20_00), ("3c 3d 9h", 5_00)],
)
@pytest.mark.parametrize("dealer", [LOW, HIGH, "Ac Ad Ah"])
@pytest.mark.parametrize("raises", [[1], [0]])
def test_6__pair_plus_is_paid_whatever_the_dealer_has_and_the_hand_does(held, won, dealer, raises):
    """Others did not pay it when the dealer does not qualify."""
    side = {"pair-plus": 5_00}
    result = settled(THREE_CARD, hand(THREE_CARD, held, raises, side=side), dealer=dealer)
    paid = line(result, "pair-plus")
    assert (paid.won_cents, paid.returned_cents) == (won, won + 5_00)
    # What is shown is credited.
    assert result.seats[0].paid_cents == sum(each.returned_cents for each in result.seats[0].lines)


def test_6__pair_plus_alone_is_dealt_shown_and_asked_nothing():
    deck = stacked("8h 8d 2c", "Ks 7d 2s", LOW)
    game = started(THREE_CARD, {1: {"pair-plus": 5_00}, 2: {"ante": 10_00}}, deck)
    assert game.due() == [2]
    assert refused(game, actions.Raise(1, 1)).code == "decide/already"
    game.do(actions.Raise(2, 1))
    game.deal(deck)
    assert game.state.seats[1].shown
    result = settle(THREE_CARD, of_round(game.state))
    assert [(each.spot, each.returned_cents) for each in result.seats[0].lines] == [
        ("pair-plus", 10_00)
    ]
    assert result.seats[0].hand == "pair of eights"


def test_6__only_pair_plus_at_the_table_needs_no_decision():
    game = started(THREE_CARD, {1: {"pair-plus": 5_00}}, stacked("8h 8d 2c", LOW))
    assert game.state.phase == "settling"


def test_7__the_limits_are_posted():
    assert refused(opened(THREE_CARD, {1: {}}), actions.Bet(1, {"ante": 1_00})).clause == "4, 7"


def test_8__a_floor_supervisor_calls_a_misdeal():
    game = started(THREE_CARD, {1: BETS}, stacked())
    game.do(actions.CallMisdeal("order-or-count", "floor-supervisor", "flo"))
    lines = settle(THREE_CARD, of_round(game.state)).seats[0].lines
    assert [each.returned_cents for each in lines] == [10_00, 5_00]
