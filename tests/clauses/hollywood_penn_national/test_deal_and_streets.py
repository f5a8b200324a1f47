"""Clauses 1 to 10: who gets which cards, who decides what, what a fold costs."""

import pytest

from pitboss.cards import card, cards, text
from pitboss.round import Round, actions, events
from pitboss.settle import Settlement, of_round, settle
from tests.helpers import HOLLYWOOD, line, opened, refused, stacked, started

SIDES = ("pocket-bonus", "board-bonus", "lo-ball", "all-six")
BOARD, ALL_SIX, FIRST, SECOND = "Qh 7c 2d", "9s", "Qd 3c", "Kd Kc"
DECK = stacked(BOARD, ALL_SIX, FIRST, SECOND)
ALONE = {1: {"ante": 10_00}}
TWO = {1: {"ante": 10_00}, 2: {"ante": 20_00}}


def street(game: Round, decisions: dict[int, int]) -> list[events.Event]:
    """Every seat raises by its multiple, 0 folds; then the dealer goes on."""
    for seat, times in decisions.items():
        game.do(actions.Raise(seat, times) if times else actions.Fold(seat))
    return game.deal(DECK)


def paid(game: Round) -> Settlement:
    return settle(HOLLYWOOD, of_round(game.state))


def test_game_description__one_deck_so_no_card_comes_twice():
    game = opened(HOLLYWOOD, ALONE)
    game.do(actions.CloseBets())
    game.do(actions.Deal(cards(BOARD)))
    assert refused(game, actions.Deal((card("Qh"),))).code == "deal/card-twice"
    assert len(set(DECK)) == 52


@pytest.mark.parametrize("side", SIDES)
def test_1__a_bonus_wager_needs_an_ante(side):
    game = opened(HOLLYWOOD, ALONE)
    assert refused(game, actions.Bet(1, {side: 5_00})).code == "bet/no-ante"
    game.do(actions.Bet(1, {"ante": 10_00, side: 5_00}))
    assert game.state.seats[1].stakes == {"ante": 10_00, side: 5_00}


def test_1__who_antes_nothing_gets_no_cards():
    game = opened(HOLLYWOOD, {1: {"ante": 10_00}, 2: {}})
    game.do(actions.CloseBets())
    game.deal(DECK)
    assert list(game.state.seats) == [1]


def test_2__the_first_four_cards_are_the_board_and_the_all_six_card():
    game = opened(HOLLYWOOD, TWO)
    game.do(actions.CloseBets())
    dealt = [each for each in game.deal(DECK) if isinstance(each, events.CardsDealt)]
    assert [(each.place, each.seat, text(each.cards), each.up) for each in dealt] == [
        ("board", 0, BOARD, False),
        ("all-six", 0, ALL_SIX, False),
        ("seats", 1, FIRST, False),
        ("seats", 2, SECOND, False),
    ]


def test_2__they_lie_face_down_for_everyone():
    game = started(HOLLYWOOD, TWO, DECK)
    for watcher in (1, 2, None):
        piles = game.view(watcher).piles
        assert text(piles["board"]) == "?? ?? ??"
        assert text(piles["all-six"]) == "??"


def test_3__a_player_sees_only_their_own_two_hole_cards():
    game = started(HOLLYWOOD, TWO, DECK)
    assert text(game.view(1).seats[1].cards) == FIRST
    assert text(game.view(1).seats[2].cards) == "?? ??"
    assert text(game.view(2).seats[2].cards) == SECOND


def test_3__all_players_share_the_three_community_cards():
    game = started(HOLLYWOOD, TWO, DECK)
    for _ in range(3):
        street(game, {1: 1, 2: 1})
    first, second = paid(game).seats
    assert (first.hand, second.hand) == ("pair of queens", "pair of kings")
    # Jacks or better pay even money: 4 x 10.00 and 4 x 20.00.
    assert (first.won_cents, second.won_cents) == (40_00, 80_00)


@pytest.mark.parametrize(("times", "cents"), [(1, 10_00), (2, 20_00), (3, 30_00)])
def test_4_a__the_first_raise_is_one_two_or_three_antes(times, cents):
    game = started(HOLLYWOOD, ALONE, DECK)
    happened = game.do(actions.Raise(1, times))
    assert happened == (events.RaisePlaced(1, "raise-1", times, cents),)


@pytest.mark.parametrize("times", [0, 4, -1])
def test_4_a__nothing_else_is_a_raise(times):
    refusal = refused(started(HOLLYWOOD, ALONE, DECK), actions.Raise(1, times))
    assert refusal.code == "raise/not-a-multiple"
    assert "4.a" in refusal.clause


def test_4_b__a_fold_loses_the_ante_and_tucks_the_cards():
    game = started(
        HOLLYWOOD, {1: {"ante": 10_00, "pocket-bonus": 5_00}}, stacked(BOARD, "9s Ac Jc")
    )
    assert game.do(actions.Fold(1)) == (events.Folded(1, 1, tucked="pocket-bonus"),)
    game.deal(stacked(BOARD, "9s Ac Jc"))
    assert game.events[-1] == events.HandShown(1, cards("Ac Jc"))
    assert line(paid(game), "ante").returned_cents == 0
    # Ace and jack of one suit: 20 x 5.00 and the 5.00 itself.
    assert line(paid(game), "pocket-bonus").returned_cents == 105_00


@pytest.mark.parametrize(
    ("sides", "tucked"),
    [
        (("all-six", "lo-ball", "pocket-bonus", "board-bonus"), "board-bonus"),
        (("all-six", "lo-ball", "pocket-bonus"), "pocket-bonus"),
        (("all-six", "lo-ball"), "lo-ball"),
        (("all-six",), "all-six"),
        ((), ""),
    ],
    ids=["all four", "without board", "lo-ball and all-six", "all-six alone", "no side wager"],
)
def test_4_b__the_cards_wait_under_the_first_side_wager(sides, tucked):
    bets = {1: {"ante": 10_00, **dict.fromkeys(sides, 1_00)}}
    game = started(HOLLYWOOD, bets, DECK)
    game.do(actions.Fold(1))
    assert game.state.seats[1].tucked == tucked
    assert game.state.phase == ("playing" if sides else "settling")


def test_5__then_the_first_community_card_is_turned():
    game = started(HOLLYWOOD, TWO, DECK)
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Turn()).code == "turn/not-now"
    assert street(game, {2: 3}) == [events.CardsTurned("board", cards("Qh"))]
    assert text(game.view(1).piles["board"]) == "Qh ?? ??"


@pytest.mark.parametrize(("times", "cents"), [(1, 10_00), (2, 20_00), (3, 30_00)])
def test_6_a__the_second_raise_is_measured_by_the_ante_not_by_the_first_raise(times, cents):
    game = started(HOLLYWOOD, ALONE, DECK)
    street(game, {1: 3})
    assert game.do(actions.Raise(1, times)) == (events.RaisePlaced(1, "raise-2", times, cents),)


def test_6_b__a_fold_now_loses_the_ante_and_the_first_raise():
    game = started(HOLLYWOOD, ALONE, DECK)
    street(game, {1: 3})
    street(game, {1: 0})
    assert [
        (each.spot, each.stake_cents, each.returned_cents) for each in paid(game).seats[0].lines
    ] == [
        ("ante", 10_00, 0),
        ("raise-1", 30_00, 0),
    ]


def test_7__then_the_second_community_card_is_turned():
    game = started(HOLLYWOOD, ALONE, DECK)
    street(game, {1: 1})
    assert street(game, {1: 1}) == [events.CardsTurned("board", cards("7c"))]
    assert text(game.view(None).piles["board"]) == "Qh 7c ??"


@pytest.mark.parametrize(("times", "cents"), [(1, 10_00), (2, 20_00), (3, 30_00)])
def test_8_a__the_third_raise_is_one_two_or_three_antes(times, cents):
    game = started(HOLLYWOOD, ALONE, DECK)
    street(game, {1: 1})
    street(game, {1: 1})
    assert game.do(actions.Raise(1, times)) == (events.RaisePlaced(1, "raise-3", times, cents),)


def test_8_b__a_fold_now_loses_the_ante_and_both_raises_but_not_the_side_wager():
    game = started(HOLLYWOOD, {1: {"ante": 10_00, "all-six": 5_00}}, DECK)
    for times in (2, 1, 0):
        street(game, {1: times})
    lines = paid(game).seats[0].lines
    assert [(each.spot, each.stake_cents) for each in lines if each.outcome == "lose"][:3] == [
        ("ante", 10_00),
        ("raise-1", 20_00),
        ("raise-2", 10_00),
    ]
    # The board was completed for the side wager's sake: a pair of queens in six cards loses.
    assert game.state.up == {"board": (True, True, True), "all-six": (True,)}
    assert [reason.code for reason in line(paid(game), "all-six").reasons] == ["row-lose"]


def test_9__then_the_third_and_last_community_card_is_turned():
    game = started(HOLLYWOOD, ALONE, DECK)
    street(game, {1: 1})
    street(game, {1: 1})
    assert street(game, {1: 1})[0] == events.CardsTurned("board", cards("2d"))


def test_10__the_all_six_card_and_the_hands_are_shown_last():
    game = started(HOLLYWOOD, TWO, DECK)
    for _ in range(2):
        street(game, {1: 1, 2: 1})
    assert street(game, {1: 1, 2: 1})[1:] == [
        events.CardsTurned("all-six", cards(ALL_SIX)),
        events.HandShown(2, cards(SECOND)),
        events.HandShown(1, cards(FIRST)),
    ]
    assert game.state.phase == "settling"


def test_10__main_and_side_wagers_are_all_paid_by_their_own_tables():
    bets = {1: {"ante": 10_00, "board-bonus": 1_00, "pocket-bonus": 2_00, "all-six": 3_00}}
    deck = stacked("Kh 7c 7d", "7s", "Kd Kc")
    game = started(HOLLYWOOD, bets, deck)
    for _ in range(3):
        game.do(actions.Raise(1, 2))
        game.deal(deck)
    # Kings full on 10.00 + 3 x 20.00 at 11 to 1; a pair on the board; a pocket pair; kings full.
    won = {each.spot: each.won_cents for each in paid(game).seats[0].lines}
    assert won == {
        "ante": 110_00,
        "raise-1": 220_00,
        "raise-2": 220_00,
        "raise-3": 220_00,
        "board-bonus": 1_00,
        "pocket-bonus": 8_00,
        "all-six": 75_00,
    }


def reminder(clause: str) -> tuple[str, str]:
    """When the dealer is told something under this clause, and what."""
    (found,) = (each for each in HOLLYWOOD.procedure if clause in each.clause.split())
    return found.when, found.says


def test_2__the_dealer_is_told_to_slide_three_cards():
    when, says = reminder("2")
    assert when == "deal"
    assert "slide three" in says


def test_4_a__the_dealer_is_told_where_a_hand_that_stays_lies():
    when, says = reminder("4.a")
    assert when == "raise"
    assert "face down in front of its wagers" in says
