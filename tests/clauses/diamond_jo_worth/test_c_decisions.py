"""C.1.i to C.1.p: on each street a player folds or raises; folded cards are racked or tucked."""

import pytest

from pitboss.cards import cards
from pitboss.round import Round, actions, events
from pitboss.settle import of_round, settle
from tests.helpers import DIAMOND_JO, line, played, refused, stacked, started

DECK = stacked("Ah Kd", "9c 8c", "2c 7d Ts")
SIDES = {"board-bonus": 1_00, "pocket-bonus": 2_00, "lo-ball": 3_00}


def on_street(street: int, *, side: dict[str, int] | None = None, ante: int = 10_00) -> Round:
    """Seats 1 and 2 in play on this street, after raises of 3x; seat 1 may have side wagers."""
    bets = {1: {"ante": ante, **(side or {})}, 2: {"ante": ante}}
    game = started(DIAMOND_JO, bets, DECK, maximum=100_00)
    return played(game, DECK, *[{1: 3, 2: 3}] * (street - 1))


def folds_losing(street: int, lost: int, clause: str) -> None:
    """Seat 1 folds here and loses exactly this, under this clause; seat 2 plays on."""
    game = on_street(street)
    assert game.do(actions.Fold(1)) == (events.Folded(1, street, tucked=""),)
    assert refused(game, actions.Raise(1, 1)).code == "seat/folded"
    played(game, DECK, *[{2: 1}] * (4 - street))
    done = settle(DIAMOND_JO, of_round(game.state))
    folded = done.seats[0]
    assert folded.staked_cents == lost
    assert folded.returned_cents == 0
    for each in folded.lines:
        assert each.outcome == "lose"
        assert [reason.code for reason in each.reasons] == ["folded"]
        assert clause in each.reasons[0].clause.split(", ")


def raises_by(street: int, clause: str) -> None:
    """On this street 1, 2 or 3 antes go into its own raise spot, and nothing else does."""
    for times in (1, 2, 3):
        game = on_street(street)
        spot = f"raise-{street}"
        assert game.do(actions.Raise(1, times)) == (
            events.RaisePlaced(1, spot, times, times * 10_00),
        )
        assert game.state.seats[1].stakes[spot] == times * 10_00
    for times in (0, 4):
        wrong = refused(on_street(street), actions.Raise(1, times))
        assert wrong.code == "raise/not-a-multiple"
        assert clause in wrong.clause
    assert refused(on_street(street), actions.Check(1)).code == "check/not-offered"


def tucks(street: int, clause: str) -> None:
    """A fold here takes the main wagers and tucks under the first side wager, which live on."""
    game = on_street(street, side={"lo-ball": 3_00, "pocket-bonus": 2_00})
    assert game.do(actions.Fold(1)) == (events.Folded(1, street, tucked="pocket-bonus"),)
    played(game, DECK, *[{2: 1}] * (4 - street))
    done = settle(DIAMOND_JO, of_round(game.state))
    assert line(done, "ante").clause == clause
    assert line(done, "pocket-bonus").returned_cents == 22_00  # ace-king unsuited, 10 to 1 on $2
    assert line(done, "lo-ball").returned_cents == 0  # ace high
    assert done.seats[0].returned_cents == 22_00


def test_c_1_i_1__a_first_fold_surrenders_the_ante():
    folds_losing(1, 10_00, "C.1.i(1)")


def test_c_1_i_2__the_first_raise_is_one_to_three_antes():
    raises_by(1, "C.1.i(2)")


def test_c_1_j__a_hand_without_side_wagers_is_racked_and_not_seen_again():
    game = played(on_street(1), DECK, {1: 0, 2: 1}, {2: 1}, {2: 1})
    assert [each.seat for each in game.events if isinstance(each, events.HandShown)] == [2]


def test_c_1_j__folded_cards_are_spread_face_down_and_verified():
    [reminder] = [each for each in DIAMOND_JO.procedure if each.when == "fold"]
    assert reminder.clause == "C.1.j C.1.m C.1.p"
    for word in ("face down", "verify two cards", "rack", "tuck"):
        assert word in reminder.says


@pytest.mark.parametrize("side", [*SIDES])
def test_c_1_j__side_wagers_are_active_until_the_board_is_out(side):
    game = on_street(1, side={side: SIDES[side]})
    played(game, DECK, {1: 0, 2: 0})
    assert game.state.piles["board"] == cards("2c 7d Ts")
    assert game.state.seats[1].shown
    tucks(1, "C.1.j")


def test_c_1_j__when_all_have_folded_without_side_wagers_the_board_stays_in_the_deck():
    game = played(on_street(1), DECK, {1: 0, 2: 0})
    assert game.state.phase == "settling"
    assert game.state.piles == {}
    assert game.state.dealt == 4
    done = settle(DIAMOND_JO, of_round(game.state))
    assert [each.returned_cents for each in done.seats] == [0, 0]
    game.do(actions.Pay())


def tucked_under(*spots: str) -> str:
    """Where seat 1's folded cards go when it has bet these."""
    game = on_street(1, side={spot: SIDES[spot] for spot in spots})
    game.do(actions.Fold(1))
    return game.state.seats[1].tucked


@pytest.mark.parametrize(
    "spots",
    [
        ("board-bonus", "pocket-bonus", "lo-ball"),
        ("lo-ball", "pocket-bonus", "board-bonus"),
        ("lo-ball", "board-bonus"),
        ("board-bonus",),
    ],
    ids="+".join,
)
def test_c_1_j_1__cards_tuck_under_the_board_bonus_when_it_is_bet(spots):
    assert tucked_under(*spots) == "board-bonus"


@pytest.mark.parametrize("spots", [("lo-ball", "pocket-bonus"), ("pocket-bonus",)], ids="+".join)
def test_c_1_j_2__cards_tuck_under_the_pocket_bonus_when_there_is_no_board_bonus(spots):
    assert tucked_under(*spots) == "pocket-bonus"


def test_c_1_j_3__cards_tuck_under_the_lo_ball_when_it_is_the_only_side_wager():
    assert tucked_under("lo-ball") == "lo-ball"
    assert tucked_under() == ""


def test_c_1_k__the_first_community_card_comes_when_all_have_decided():
    game = on_street(1)
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Deal(DECK[4:5])).code == "deal/not-now"
    game.do(actions.Raise(2, 1))
    assert game.deal(DECK) == [events.CardsDealt("board", 0, cards("2c"), up=True)]
    assert game.due() == [1, 2]


def test_c_1_l_1__a_second_fold_surrenders_ante_and_raise():
    folds_losing(2, 10_00 + 30_00, "C.1.l(1)")


def test_c_1_l_2__the_second_raise_is_one_to_three_antes_whatever_the_first_was():
    raises_by(2, "C.1.l(2)")


def test_c_1_m__a_hand_folded_after_one_card_is_tucked_and_its_side_wagers_live():
    tucks(2, "C.1.m")


def test_c_1_n__the_second_community_card_comes_when_all_have_decided_again():
    game = on_street(2)
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Deal(DECK[5:6])).code == "deal/not-now"
    game.do(actions.Fold(2))
    assert game.deal(DECK) == [events.CardsDealt("board", 0, cards("7d"), up=True)]
    assert game.due() == [1]


def test_c_1_o_1__a_third_fold_surrenders_ante_and_both_raises():
    folds_losing(3, 10_00 + 30_00 + 30_00, "C.1.o(1)")


def test_c_1_o_2__the_final_raise_is_one_to_three_antes():
    raises_by(3, "C.1.o(2)")


def test_c_1_p__a_hand_folded_after_two_cards_is_tucked_and_its_side_wagers_live():
    tucks(3, "C.1.p")
