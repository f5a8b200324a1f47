"""A: one deck, an ante, three decisions, and a pay table to beat."""

import pytest

from pitboss.cards import cards
from pitboss.round import actions, events
from pitboss.settle import of_round, settle
from pitboss.web.pages.rule_page import posted
from tests.helpers import DIAMOND_JO, hand, line, played, refused, settled, stacked, started


def test_a_1__two_own_and_three_community_cards_make_the_hand():
    done = settled(DIAMOND_JO, hand(DIAMOND_JO, "9s 9c", (1, 1, 1)), board="2c 2d 9h")
    assert done.seats[0].hand == "full house, nines over twos"


def test_a_1__a_player_plays_the_pay_table_and_no_other_hand():
    pair = hand(DIAMOND_JO, "As Kd", (1, 1, 1), seat=1)  # with the board: a pair of aces
    quads = hand(DIAMOND_JO, "Ac Ad", (1, 1, 1), seat=2)
    alone = settled(DIAMOND_JO, pair, board="Ah 7c 2d").seats[0]
    beaten = settled(DIAMOND_JO, pair, quads, board="Ah 7c 2d").seats[0]
    assert alone == beaten
    assert alone.won_cents == 40_00  # $10 four times, 1 to 1
    assert DIAMOND_JO.qualifier is None
    assert set(DIAMOND_JO.dealt) == {"seats", "board"}


def test_a_1__one_deck_holds_no_card_twice():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, stacked("As Kd"), maximum=100_00)
    game.do(actions.Raise(1, 1))
    assert refused(game, actions.Deal(cards("As"))).code == "deal/card-twice"


def test_a_2__an_ante_then_three_raises_as_the_board_is_turned_one_by_one():
    deck = stacked("Jh Jd", "2c 7d Ts")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck, maximum=100_00)
    assert game.state.seats[1].cards == cards("Jh Jd")
    assert game.state.piles == {}
    played(game, deck, {1: 3})
    assert game.state.piles == {"board": cards("2c")}
    played(game, deck, {1: 1})
    assert game.state.piles == {"board": cards("2c 7d")}
    played(game, deck, {1: 2})
    assert game.state.piles == {"board": cards("2c 7d Ts")}
    assert game.state.phase == "settling"
    assert game.state.seats[1].stakes == {
        "ante": 5_00,
        "raise-1": 15_00,
        "raise-2": 5_00,
        "raise-3": 10_00,
    }
    [paid] = settle(DIAMOND_JO, of_round(game.state)).seats
    assert paid.won_cents == 35_00  # jacks: 1 to 1 on 5 + 15 + 5 + 10
    assert paid.paid_cents == 70_00


def test_a_2__no_cards_without_an_ante():
    deck = stacked("Jh Jd")
    game = started(DIAMOND_JO, {1: {}, 2: {"ante": 5_00}}, deck, maximum=100_00)
    assert list(game.state.seats) == [2]
    assert game.state.seats[2].cards == cards("Jh Jd")


def test_a_2__the_first_two_cards_come_face_down():
    deck = stacked("Jh Jd", "As Ks")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, deck, maximum=100_00)
    assert game.view(1).seats[1].cards == cards("Jh Jd")
    assert game.view(1).seats[2].cards == (None, None)
    assert game.view(None).seats[1].cards == (None, None)
    assert events.CardsDealt("seats", 1, cards("Jh Jd"), up=False) in game.events


@pytest.mark.parametrize(
    ("decisions", "lost"),
    [((0,), 5_00), ((2, 0), 15_00), ((2, 3, 0), 30_00)],
    ids=["first street", "second street", "third street"],
)
def test_a_2__a_fold_forfeits_every_wager_on_the_hand_so_far(decisions, lost):
    deck = stacked("Ah Kh", "Th Jh Qh")  # it would have been a royal
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck, maximum=100_00)
    played(game, deck, *({1: times} for times in decisions))
    [paid] = settle(DIAMOND_JO, of_round(game.state)).seats
    assert paid.staked_cents == lost
    assert paid.returned_cents == 0


def test_a_2__side_wagers_of_a_folded_hand_wait_for_the_whole_board():
    deck = stacked("7c 5d", "2h 3s 4c")
    bets = {"ante": 5_00, "board-bonus": 1_00, "pocket-bonus": 1_00, "lo-ball": 1_00}
    game = started(DIAMOND_JO, {1: bets}, deck, maximum=100_00)
    played(game, deck, {1: 0})
    assert game.state.piles["board"] == cards("2h 3s 4c")
    done = settle(DIAMOND_JO, of_round(game.state))
    assert line(done, "ante").returned_cents == 0
    assert line(done, "board-bonus").returned_cents == 7_00  # 2-3-4 is a straight, 6 to 1
    assert line(done, "pocket-bonus").returned_cents == 0
    assert line(done, "lo-ball").returned_cents == 101_00  # seven high, 100 to 1


@pytest.mark.parametrize(
    ("pair", "outcome", "returned"),
    [
        ("5h 5d", "lose", 0),
        ("6h 6d", "push", 40_00),
        ("Th Td", "push", 40_00),
        ("Jh Jd", "win", 80_00),
    ],
    ids=["fives lose", "sixes push", "tens push", "jacks win"],
)
def test_a_3__jacks_win_sixes_to_tens_push_and_less_loses(pair, outcome, returned):
    done = settled(DIAMOND_JO, hand(DIAMOND_JO, pair, (1, 1, 1)), board="2c 8s Kc")
    assert {each.outcome for each in done.seats[0].lines} == {outcome}
    assert done.seats[0].returned_cents == returned


def test_a_3__the_posted_aggregate_limit_is_announced_and_binds():
    [notice] = [each for each in DIAMOND_JO.notice if "A.3" in each.clause.split()]
    assert "aggregate limit" in notice.text
    assert notice.where == ("sign", "table", "lobby")
    royal = hand(DIAMOND_JO, "Ah Kh", (3, 3, 3), ante=100_00)
    done = settled(DIAMOND_JO, royal, board="Th Jh Qh")
    assert done.seats[0].won_cents == 25_000_00  # and not 500 times $1,000


def test_a_3__the_odds_are_on_the_sign_and_at_the_table():
    sign = posted(DIAMOND_JO, 5_00, 25_00, None, None)
    tables = {table.title: {(hand, pays) for hand, pays, _ in table.rows} for table in sign.tables}
    assert len(tables) == len(DIAMOND_JO.table) == 4
    main = next(iter(tables.values()))
    assert {("Royal flush", "500 to 1"), ("Two pair", "2 to 1")} <= main
    assert {"push", "lose"} <= {pays.lower() for _, pays in main}
