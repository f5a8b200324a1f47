"""58 Pa. Code 653a: two houses that differ only by the paytable that each has chosen for Trips."""

import pytest

from pitboss import rulebook
from pitboss.errors import Unreadable
from pitboss.money import odds
from pitboss.round import actions
from pitboss.rulebook import loader
from pitboss.rulebook.check import errors
from pitboss.rulebook.variants import diff, with_pays
from tests.helpers import hand, line, opened, refused, settled, stacked, started

A = rulebook.load("pennsylvania/ultimate-texas-holdem-a")
C = rulebook.load("pennsylvania/ultimate-texas-holdem-c")
both = pytest.mark.parametrize("book", [A, C], ids=lambda book: book.id)
EQUAL = {"ante": 10_00, "blind": 10_00}


@both
def test_653a_1__a_hand_is_the_best_five_of_two_cards_and_the_board(book):
    result = settled(book, hand(book, "2s 3d", [1]), dealer="Qs 8c", board="Ah Kh Qd Jc Ts")
    assert line(result, "play").outcome == "push"  # both play the straight on the board


@both
def test_653a_2__up_to_six_play(book):
    assert refused(opened(book, {1: {}}), actions.Bet(7, EQUAL)).code == "seat/not-in-round"
    assert book.seats.most == 6


@both
def test_653a_3__one_deck_is_enough_for_all(book):
    assert book.cards_needed == 6 * 2 + 2 + 5 <= 52


@both
def test_653a_6__a_royal_flush_is_the_highest_hand(book):
    result = settled(book, hand(book, "Ah Kh", [4]), dealer="9h 8h", board="Qh Jh Th 2c 3d")
    assert line(result, "blind").won_cents == 500 * 10_00


@both
def test_653a_7__the_blind_is_as_much_as_the_ante_within_posted_limits(book):
    game = opened(book, {1: {}})
    assert refused(game, actions.Bet(1, {"ante": 10_00})).code == "bet/not-equal"
    small = {"ante": 1_00, "blind": 1_00}
    assert "653a.7" in refused(game, actions.Bet(1, small)).clause


@both
def test_653a_9__two_cards_each_and_five_in_the_middle(book):
    game = started(book, {1: EQUAL}, stacked())
    assert {place: len(pile) for place, pile in game.state.piles.items()} == {
        "dealer": 2,
        "board": 5,
    }


@both
def test_653a_11__one_play_wager(book):
    game = started(book, {1: EQUAL}, stacked())
    assert [each.times or each.action for each in game.legal(1)] == [3, 4, "check"]


@both
def test_653a_11__without_a_pair_the_ante_alone_goes_back(book):
    result = settled(book, hand(book, "As Kd", [4]), dealer="Qs 8c", board="Th 9h 5d 3s 2c")
    assert [line(result, spot).won_cents for spot in ("ante", "blind", "play")] == [0, 0, 40_00]
    assert line(result, "ante").returned_cents == 10_00


@both
def test_653a_12_a__ante_and_play_pay_even_money(book):
    result = settled(book, hand(book, "As Kd", [4]), dealer="Qs 8c", board="Ah 8h 5d 3s 2c")
    assert [line(result, spot).won_cents for spot in ("ante", "play")] == [10_00, 40_00]


@both
def test_653a_12_b__the_house_has_chosen_paytable_a_for_the_blind(book):
    result = settled(book, hand(book, "4s 6d", [4]), dealer="Qs 8c", board="Ah 8h 5d 3s 2c")
    assert line(result, "blind").won_cents == 10_00
    chosen = with_pays(book, {"blind.straight": odds("push")}).menu[0]
    assert (chosen.table, chosen.choice) == ("blind", "B")


def test_653a_12_c__the_two_houses_differ_by_one_choice():
    found = {each.path: (each.ours, each.theirs) for each in diff(A, C) if each.path != "house"}
    assert found == {
        "menu.trips.choice": ("A", "C"),
        "table.trips.rows.full-house.odds": ("9 to 1", "8 to 1"),
    }
    for book, won in ((A, 45_00), (C, 40_00)):
        seat = hand(book, "As 8d", [4], side={"trips": 5_00})
        result = settled(book, seat, dealer="Qs 8c", board="Ah Ad 8h 3s 2c")
        assert line(result, "trips").won_cents == won


def test_653a_12_c__a_table_that_is_not_the_chosen_one_is_refused():
    text = (loader.HOUSES / f"{A.id}.toml").read_text("utf-8")
    with pytest.raises(Unreadable, match=r"does not pay as its choice 'A' says") as caught:
        rulebook.parse(
            text.replace('hand = "full-house", odds = "9', 'hand = "full-house", odds = "8')
        )
    assert "it pays as 'C' does [653a.12(c)]" in caught.value.message
    with pytest.raises(Unreadable, match=r"'E' is not on the menu: A, B, C, D"):
        rulebook.parse(
            text.replace('table = "trips"\nchoice = "A"', 'table = "trips"\nchoice = "E"')
        )


def test_653a_12_c__a_what_if_chooses_anew_or_leaves_the_menu():
    changed = with_pays(A, {"trips.full-house": odds("8 to 1")})
    assert [(menu.table, menu.choice) for menu in changed.menu] == [("blind", "A"), ("trips", "C")]
    assert not errors(changed)
    odd = with_pays(A, {"trips.full-house": odds("50 to 1")})
    assert [menu.table for menu in odd.menu] == ["blind"]


@both
def test_653a_13__a_floor_supervisor_calls_a_misdeal(book):
    game = started(book, {1: EQUAL}, stacked())
    game.do(actions.CallMisdeal("order-or-count", "floor-supervisor", "flo"))
    assert game.state.phase == "misdealt"
