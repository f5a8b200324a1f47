"""C.1.q to C.1.u: the last card, hands from right to left, stacks, approvals, the rack."""

import pytest

from pitboss.cards import cards
from pitboss.round import actions, events
from pitboss.settle import of_round, settle
from pitboss.settle.approvals import label, missing, needed
from tests.helpers import DIAMOND_JO, hand, line, played, refused, settled, stacked, started

DECK = stacked("Jh Jd", "9c 8c", "Ah Kd", "2c 7d Ts")
CALL_OUT, SUPERVISOR, VERIFY = "call-out", "floor-supervisor", "surveillance-or-shift-manager"


def reminders(clause: str) -> list[tuple[str, str]]:
    """What the dealer is reminded of under this clause: when, and what."""
    cited = [each for each in DIAMOND_JO.procedure if clause in each.clause.split()]
    return [(each.when, each.says) for each in cited]


def test_c_1_q__the_third_community_card_follows_the_last_decision_and_the_stub_is_racked():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, DECK, maximum=100_00)
    played(game, DECK, {1: 1}, {1: 1})
    assert refused(game, actions.Deal(DECK[4:5])).code == "deal/not-now"
    happened = played(game, DECK, {1: 1}).events
    assert events.CardsDealt("board", 0, cards("Ah"), up=True) in happened
    assert refused(game, actions.Deal(DECK[5:6])).code == "deal/not-now"
    [(when, says)] = reminders("C.1.q")
    assert when == "board-complete"
    assert "stub" in says


def test_c_1_r__hands_are_revealed_from_right_to_left_after_the_final_card():
    bets = {1: {"ante": 5_00}, 2: {"ante": 5_00, "lo-ball": 1_00}, 3: {"ante": 5_00}}
    game = started(DIAMOND_JO, bets, DECK, maximum=100_00)
    played(game, DECK, {1: 1, 2: 0, 3: 1}, {1: 1, 3: 1})
    assert not any(isinstance(each, events.HandShown) for each in game.events)
    played(game, DECK, {1: 1, 3: 1})
    assert game.events[-4:] == [
        events.CardsDealt("board", 0, cards("Ts"), up=True),
        events.HandShown(3, cards("Ah Kd")),
        events.HandShown(2, cards("9c 8c")),  # tucked under its Lo Ball
        events.HandShown(1, cards("Jh Jd")),
    ]
    assert game.state.phase == "settling"


def test_c_1_s_1__the_hand_is_cleared_before_the_bet_is_touched():
    [(when, says)] = reminders("C.1.s(1)")
    assert when == "settle"
    assert says.startswith("Rack the hand first")


def test_c_1_s_2__ante_and_raises_are_one_stack_that_is_paid_together():
    # 5 + 5 + 10 + 15 = 35 on three of a kind, 3 to 1
    trips = hand(DIAMOND_JO, "7h 7s", (1, 2, 3), ante=5_00)
    done = settled(DIAMOND_JO, trips, board="2c 7d Ts")
    assert done.seats[0].won_cents == 105_00
    assert done.seats[0].returned_cents == 140_00
    [(when, says)] = reminders("C.1.s(2)")
    assert when == "win"
    assert "Ante and raises" in says


def test_c_1_s_3__the_stack_is_proved_when_converting_or_sized_into():
    [(when, says)] = reminders("C.1.s(3)")
    assert when == "win"
    assert "Prove the stack" in says
    assert "size into" in says


@pytest.mark.parametrize(
    ("ante", "raises", "bonus", "won", "wanted"),
    [
        (24_75, (1, 1, 1), 1_00, 100_00, []),
        (24_75, (1, 1, 1), 1_01, 100_01, [CALL_OUT]),
        (74_75, (1, 1, 1), 1_00, 300_00, [CALL_OUT]),
        (74_75, (1, 1, 1), 1_01, 300_01, [CALL_OUT, SUPERVISOR]),
        (99_90, (3, 3, 3), 1_00, 1_000_00, [CALL_OUT, SUPERVISOR]),
        (99_90, (3, 3, 3), 1_01, 1_000_01, [CALL_OUT, SUPERVISOR, VERIFY]),
    ],
    ids=["100.00", "100.01", "300.00", "300.01", "1000.00", "1000.01"],
)
def test_c_1_t__only_what_is_over_a_threshold_needs_its_approval(ante, raises, bonus, won, wanted):
    # A pair of jacks on the board pays 1 to 1 on the stack and on the Board Bonus.
    jacks = hand(DIAMOND_JO, "3h 4s", raises, ante=ante, side={"board-bonus": bonus})
    done = settled(DIAMOND_JO, jacks, board="Jc Jd 8h").seats[0]
    assert done.won_cents == won
    assert [label(each) for each in done.approvals] == wanted


def test_c_1_t__approval_looks_at_what_is_paid_after_the_cap():
    royal = hand(DIAMOND_JO, "Ah Kh", (3, 3, 3), ante=100_00)
    done = settled(DIAMOND_JO, royal, board="Th Jh Qh").seats[0]
    assert done.won_cents == 25_000_00
    assert [label(each) for each in done.approvals] == [CALL_OUT, SUPERVISOR, VERIFY]


CALLED = ("dealer", "dan")
APPROVED = ("floor-supervisor", "flo")


@pytest.mark.parametrize(
    ("given", "unmet"),
    [
        ([], [CALL_OUT, SUPERVISOR, VERIFY]),
        ([CALLED, APPROVED], [VERIFY]),
        ([CALLED, APPROVED, ("surveillance", "sid")], []),
        ([CALLED, APPROVED, ("shift-manager", "sue")], []),
        ([CALLED, ("surveillance", "sid"), ("shift-manager", "sue")], []),
        ([CALLED, ("surveillance", "sid"), ("surveillance", "sue")], [SUPERVISOR]),
        ([CALLED, APPROVED, ("shift-manager", "flo")], [VERIFY]),
        ([CALLED, ("floor-supervisor", "dan"), ("surveillance", "sid")], [SUPERVISOR]),
        ([("floor-supervisor", "dan"), ("surveillance", "sid")], [CALL_OUT, SUPERVISOR]),
        ([("dealer", "eve"), APPROVED, ("surveillance", "sid")], [CALL_OUT]),
    ],
    ids=[
        "nobody",
        "no verification",
        "Surveillance verified",
        "shift manager verified",
        "the shift manager stands for the supervisor",
        "no supervisor",
        "one person is not two",
        "the dealer approves nothing",
        "nor in another role",
        "another dealer called out",
    ],
)
def test_c_1_t__each_approval_comes_from_its_own_person(given, unmet):
    rules = needed(DIAMOND_JO, 1_000_01)
    assert [label(each) for each in missing(DIAMOND_JO, rules, given, dealer="dan")] == unmet


def test_c_1_t__two_people_who_can_share_the_approvals_between_them_do():
    # fay approves as supervisor and flo verifies as shift manager, though flo was asked first
    given = [CALLED, APPROVED, ("floor-supervisor", "fay"), ("shift-manager", "flo")]
    assert missing(DIAMOND_JO, needed(DIAMOND_JO, 1_000_01), given, dealer="dan") == ()


def test_c_1_u__the_community_cards_go_to_the_rack_last():
    [(when, says)] = reminders("C.1.u")
    assert when == "end"
    assert DIAMOND_JO.procedure[-1].clause == "C.1.u"
    assert "on top" in says
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, DECK, maximum=100_00)
    played(game, DECK, {1: 1}, {1: 1}, {1: 1})
    game.do(actions.Pay())
    assert game.state.piles["board"] == cards("9c 8c Ah")  # still there while hands are paid
    assert line(settle(DIAMOND_JO, of_round(game.state)), "ante").returned_cents == 10_00


def test_c_1_s__losing_bets_are_taken_and_the_hand_is_racked():
    done = settled(DIAMOND_JO, hand(DIAMOND_JO, "2c 7d", [1, 2, 3]), board="9h Js 4d")
    assert [(each.outcome, each.returned_cents) for each in done.seats[0].lines] == [
        ("lose", 0)
    ] * 4
    (reminder,) = [each for each in DIAMOND_JO.procedure if each.when == "lose"]
    assert reminder.clause == "C.1.s"
