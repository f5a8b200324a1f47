"""Our own book: the seven numbered headings of its file."""

import pytest

from pitboss.cards import text
from pitboss.round import Round, actions, events
from pitboss.settle import of_round, settle
from tests.helpers import MISSISSIPPI, hand, line, opened, refused, settled, stacked, started

MAIN = ("ante", "third-street", "fourth-street", "fifth-street")
TWO = {1: {"ante": 10_00}, 2: {"ante": 10_00}}
# The board, then one card at a time: seat 1 gets Jh and Jd, seat 2 gets 8s and 3c.
DECK = stacked("9h 9c 2d", "Jh 8s Jd 3c")


def street(game: Round, decisions: dict[int, int]) -> list[events.Event]:
    for seat, times in decisions.items():
        game.do(actions.Raise(seat, times) if times else actions.Fold(seat))
    return game.deal(DECK)


def test_1__up_to_seven_play_one_hand_each():
    everyone = {seat: {"ante": 5_00} for seat in range(1, 8)}
    assert len(started(MISSISSIPPI, everyone, stacked()).state.seats) == 7
    for seats, code in (({8: "ann"}, "seat/unknown"), ({1: "ann", 2: "ann"}, "seat/one-hand-each")):
        assert refused(Round(MISSISSIPPI), actions.Open(seats, 5_00, 50_00)).code == code


def test_1__who_plays_antes():
    game = opened(MISSISSIPPI, {1: {}})
    assert refused(game, actions.Bet(1, {"three-card-bonus": 5_00})).code == "bet/no-ante"
    assert refused(game, actions.CloseBets()).code == "bet/nobody"


def test_2__three_face_down_and_then_two_to_each_player_one_at_a_time():
    game = opened(MISSISSIPPI, TWO)
    game.do(actions.CloseBets())
    dealt = [each for each in game.deal(DECK) if isinstance(each, events.CardsDealt)]
    assert [(each.place, each.seat, text(each.cards), each.up) for each in dealt] == [
        ("board", 0, "9h 9c 2d", False),
        ("seats", 1, "Jh", False),
        ("seats", 2, "8s", False),
        ("seats", 1, "Jd", False),
        ("seats", 2, "3c", False),
    ]


def test_3__each_street_takes_one_to_three_antes_or_the_hand():
    game = started(MISSISSIPPI, TWO, DECK)
    for step, times in zip(MISSISSIPPI.streets, (1, 2, 3), strict=True):
        assert [each.cents for each in game.legal(1) if each.action == "raise"] == [
            10_00,
            20_00,
            30_00,
        ]
        assert refused(game, actions.Raise(1, 4)).code == "raise/not-a-multiple"
        street(game, dict.fromkeys(game.due(), times))
        assert game.state.seats[1].stakes[step.into] == 10_00 * times


def test_3__one_card_is_turned_after_each_decision_and_the_hands_at_the_end():
    game = started(MISSISSIPPI, TWO, DECK)
    turned = [
        [
            text(each.cards)
            for each in street(game, {1: 1, 2: 1})
            if isinstance(each, events.CardsTurned | events.HandShown)
        ]
        for _ in range(3)
    ]
    assert turned == [["9h"], ["9c"], ["2d", "8s 3c", "Jh Jd"]]


def test_3__a_fold_loses_every_main_wager_so_far():
    game = started(MISSISSIPPI, TWO, DECK)
    street(game, {1: 3, 2: 3})
    street(game, {1: 3, 2: 0})
    street(game, {1: 1})
    result = settle(MISSISSIPPI, of_round(game.state))
    # Jacks and nines: 2 to 1 on 10 + 30 + 30 + 10; seat 2's 10 + 30 are gone.
    assert [each.won_cents for each in result.seats] == [160_00, 0]
    assert result.seats[1].returned_cents == 0


@pytest.mark.parametrize(
    ("held", "board", "won", "back"),
    [
        pytest.param("Ah Kh", "Qh Jh Th", 20_000_00, 40_00, id="royal flush 500 to 1"),
        pytest.param("9h Kh", "Qh Jh Th", 4_000_00, 40_00, id="straight flush 100 to 1"),
        pytest.param("8h 8d", "8s 8c Th", 1_600_00, 40_00, id="four of a kind 40 to 1"),
        pytest.param("8h 8d", "8s 2c 2h", 400_00, 40_00, id="full house 10 to 1"),
        pytest.param("Ah 2h", "9h 7h 3h", 240_00, 40_00, id="flush 6 to 1"),
        pytest.param("9c Kh", "Qh Jh Th", 160_00, 40_00, id="straight 4 to 1"),
        pytest.param("8h 8d", "8s 2c 3h", 120_00, 40_00, id="three of a kind 3 to 1"),
        pytest.param("3h 3d", "2s 2c 9h", 80_00, 40_00, id="two pair 2 to 1"),
        pytest.param("Jh Jd", "2s 9c 3h", 40_00, 40_00, id="jacks even money"),
        pytest.param("Th Td", "2s 9c 3h", 0, 40_00, id="tens push"),
        pytest.param("6h 6d", "2s 9c 3h", 0, 40_00, id="sixes push"),
        pytest.param("5h 5d", "2s 9c 3h", 0, 0, id="fives lose"),
    ],
)
def test_4__all_main_wagers_are_paid_by_the_five_card_hand(held, board, won, back):
    result = settled(MISSISSIPPI, hand(MISSISSIPPI, held, (1, 1, 1)), board=board)
    assert sum(line(result, spot).won_cents for spot in MAIN) == won
    assert result.seats[0].returned_cents == back + won


@pytest.mark.parametrize(
    ("board", "won"),
    [
        pytest.param("Ah Kh Qh", 250_00, id="mini-royal 50 to 1"),
        pytest.param("9h 8h 7h", 200_00, id="straight flush 40 to 1"),
        pytest.param("7h 7c 7s", 150_00, id="three of a kind 30 to 1"),
        pytest.param("Ah 2c 3h", 30_00, id="straight 6 to 1"),
        pytest.param("Ah 9h 2h", 15_00, id="flush 3 to 1"),
        pytest.param("2h 2c 9h", 5_00, id="pair even money"),
        pytest.param("Ah Kc Jh", 0, id="anything less"),
    ],
)
def test_5__the_bonus_is_paid_by_the_board_though_the_hand_was_folded(board, won):
    seat = hand(MISSISSIPPI, "Ts 4c", (0,), side={"three-card-bonus": 5_00})
    result = settled(MISSISSIPPI, seat, board=board)
    assert line(result, "three-card-bonus").won_cents == won
    assert line(result, "ante").returned_cents == 0


def test_5__the_bonus_takes_1_to_25_dollars():
    game = opened(MISSISSIPPI, {1: {"ante": 50_00}}, maximum=200_00)
    for cents, code in ((99, "bet/below-minimum"), (25_01, "bet/above-maximum")):
        wagers = {"ante": 50_00, "three-card-bonus": cents}
        assert refused(game, actions.Bet(1, wagers)).code == code
    for cents in (1_00, 25_00):
        game.do(actions.Bet(1, {"ante": 50_00, "three-card-bonus": cents}))


@pytest.mark.parametrize(
    ("minimum", "maximum"), [(4_99, 50_00), (25_01, 200_00), (5_00, 49_99), (5_00, 200_01)]
)
def test_6__other_limits_are_not_posted(minimum, maximum):
    opening = actions.Open({1: "ann"}, minimum, maximum)
    assert refused(Round(MISSISSIPPI), opening).code == "limits/out-of-range"


@pytest.mark.parametrize(("minimum", "maximum"), [(5_00, 50_00), (25_00, 200_00)])
def test_6__the_posted_limits_bound_the_ante(minimum, maximum):
    game = opened(MISSISSIPPI, {1: {"ante": minimum}}, minimum=minimum, maximum=maximum)
    assert refused(game, actions.Bet(1, {"ante": minimum - 1})).code == "bet/below-minimum"
    assert refused(game, actions.Bet(1, {"ante": maximum + 1})).code == "bet/above-maximum"
    game.do(actions.Bet(1, {"ante": maximum}))


@pytest.mark.parametrize(
    ("cause", "role", "may"),
    [
        ("order-or-count", "floor-supervisor", True),
        ("order-or-count", "shift-manager", True),
        ("order-or-count", "dealer", False),
        ("other", "shift-manager", True),
        ("other", "floor-supervisor", False),
    ],
)
def test_7__who_calls_a_misdeal(cause, role, may):
    game = started(MISSISSIPPI, TWO, DECK)
    call = actions.CallMisdeal(cause, role, "flo")
    if not may:
        assert refused(game, call).code == "role/not-yours"
        return
    game.do(call)
    returned = [each.returned_cents for each in settle(MISSISSIPPI, of_round(game.state)).seats]
    assert returned == [10_00, 10_00]
