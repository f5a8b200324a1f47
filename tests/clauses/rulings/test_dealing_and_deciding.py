"""Rulings 14 to 22: who gets cards, who decides when, what a fold leaves alive."""

import pytest
from msgspec.structs import replace

from pitboss.cards import text
from pitboss.round import Round, actions, events
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.settle import of_round, settle
from tests.helpers import (
    BOOKS,
    DIAMOND_JO,
    HOLLYWOOD,
    SENECA,
    line,
    opened,
    refused,
    stacked,
    started,
)

TWO = {1: {"ante": 10_00}, 2: {"ante": 10_00}}
DECK = stacked("Qh 7c", "2d 9s", "Qd 3c 5h")


def dealt(happened: list[events.Event]) -> list[tuple[str, int, str, bool]]:
    return [
        (each.place, each.seat, text(each.cards), each.up)
        for each in happened
        if isinstance(each, events.CardsDealt)
    ]


def dealing(book: Rulebook) -> list[tuple[str, int, str, bool]]:
    game = opened(book, TWO)
    game.do(actions.CloseBets())
    return dealt(game.deal(DECK))


def street(game: Round, decisions: dict[int, int]) -> list[events.Event]:
    for seat, times in decisions.items():
        game.do(actions.Raise(seat, times) if times else actions.Fold(seat))
    return game.deal(DECK)


def test_r14__diamond_jo_deals_the_pockets_and_then_each_board_card_as_it_is_turned():
    game = opened(DIAMOND_JO, TWO)
    game.do(actions.CloseBets())
    assert dealt(game.deal(DECK)) == [
        ("seats", 1, "Qh 7c", False),
        ("seats", 2, "2d 9s", False),
    ]
    for card in ("Qd", "3c", "5h"):
        assert dealt(street(game, {1: 1, 2: 1})) == [("board", 0, card, True)]


def test_r15__hollywood_deals_board_and_all_six_card_first_even_when_nobody_bet_on_it():
    assert dealing(HOLLYWOOD) == [
        ("board", 0, "Qh 7c 2d", False),
        ("all-six", 0, "9s", False),
        ("seats", 1, "Qd 3c", False),
        ("seats", 2, "5h 2c", False),
    ]


def test_r16__the_dealers_last_card_is_up_and_five_come_at_once():
    deck = stacked("Ac 3c 4c 5c 6c", "Ad 3d 4d 5d 6d", "Ah 3h 4h 5h 6h")
    game = started(SENECA, TWO, deck)
    assert [text(seat.cards) for seat in game.state.seats.values()] == [
        "Ac 3c 4c 5c 6c",
        "Ad 3d 4d 5d 6d",
    ]
    assert text(game.view(None).piles["dealer"]) == "?? ?? ?? ?? 6h"


def test_r16__both_are_fields_that_a_house_may_change():
    deal, *rest = SENECA.script
    assert isinstance(deal, DealStep)
    book = replace(SENECA, script=(replace(deal, packet=1, up={"dealer": (1,)}), *rest))
    game = started(book, TWO, stacked("Ac Ad Ah", "3c 3d 3h", "4c 4d 4h", "5c 5d 5h", "6c 6d 6h"))
    assert text(game.state.seats[1].cards) == "Ac 3c 4c 5c 6c"
    assert text(game.view(None).piles["dealer"]) == "Ah ?? ?? ?? ??"


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=lambda book: book.id)
def test_r17__a_raise_is_one_two_or_three_whole_antes(book):
    game = started(book, {1: {"ante": 7_50}}, DECK)
    offered = [each.cents for each in game.legal(1) if each.action == "raise"]
    assert offered == [7_50, 15_00, 22_50]
    for times in (0, 4):
        assert refused(game, actions.Raise(1, times)).code == "raise/not-a-multiple"


@pytest.mark.parametrize(
    ("raises", "lost"), [((0,), 10_00), ((3, 0), 40_00), ((3, 2, 0), 60_00)], ids=str
)
def test_r18__a_later_fold_loses_the_ante_and_every_raise_so_far(raises, lost):
    game = started(DIAMOND_JO, {1: {"ante": 10_00}}, DECK)
    for times in raises:
        street(game, {1: times})
    seat = settle(DIAMOND_JO, of_round(game.state)).seats[0]
    assert (seat.staked_cents, seat.returned_cents) == (lost, 0)


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=lambda book: book.id)
@pytest.mark.parametrize("raises", [(0,), (1, 0), (1, 1, 0)], ids=["first", "second", "third"])
def test_r19__side_wagers_live_on_after_a_fold_on_any_street(book, raises):
    bets = {1: {"ante": 10_00, "lo-ball": 1_00, "pocket-bonus": 1_00}}
    # Pocket sevens; the same cards serve both dealing orders.
    deck = stacked("7h 7c 2d 9s 7d 7s") if book is HOLLYWOOD else stacked("7d 7s 7h 7c 2d")
    game = started(book, bets, deck)
    for times in raises:
        game.do(actions.Raise(1, times) if times else actions.Fold(1))
        game.deal(deck)
    assert game.state.seats[1].tucked == "pocket-bonus"
    result = settle(book, of_round(game.state))
    odds = {DIAMOND_JO.id: 5, HOLLYWOOD.id: 4}[book.id]
    assert line(result, "pocket-bonus").won_cents == odds * 1_00
    assert line(result, "ante").returned_cents == 0


@pytest.mark.parametrize("side", ["board-bonus", "pocket-bonus", "lo-ball"])
def test_r19__each_side_wager_needs_an_ante_and_comes_before_the_deal(side):
    game = opened(DIAMOND_JO, {1: {"ante": 10_00}})
    assert refused(game, actions.Bet(1, {side: 1_00})).code == "bet/no-ante"
    game.do(actions.CloseBets())
    assert refused(game, actions.Bet(1, {"ante": 10_00, side: 1_00})).code == "bet/closed"


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)], ids=str)
def test_r20__seats_decide_in_any_order_within_a_street_but_once(book, order):
    game = started(book, {seat: {"ante": 10_00} for seat in (1, 2, 3)}, stacked())
    for index, seat in enumerate(order):
        assert sorted(game.due()) == sorted(order[index:])
        game.do(actions.Raise(seat, 2))
        if index < 2:
            assert refused(game, actions.Raise(seat, 2)).code == "decide/already"


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_r20__hands_are_settled_from_the_dealers_right(book):
    game = started(book, {seat: {"ante": 10_00} for seat in (2, 5, 3)}, stacked())
    while game.due():
        for seat in game.due():
            game.do(actions.Raise(seat, 2))
        game.deal(stacked())
    shown = [each.seat for each in game.events if isinstance(each, events.HandShown)]
    assert shown == [5, 3, 2]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_r20a__when_all_have_folded_and_nothing_lives_nothing_more_is_turned(book):
    game = started(book, TWO, stacked())
    game.do(actions.Fold(1))
    game.do(actions.Fold(2))
    assert game.state.phase == "settling"
    assert game.deal(stacked()) == []
    assert [each.returned_cents for each in settle(book, of_round(game.state)).seats] == [0, 0]


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD], ids=lambda book: book.id)
def test_r20a__a_side_wager_that_lives_keeps_the_round_going(book):
    game = started(book, {1: {"ante": 10_00}, 2: {"ante": 10_00, "board-bonus": 1_00}}, stacked())
    game.do(actions.Fold(1))
    game.do(actions.Fold(2))
    game.deal(stacked())
    assert game.state.up["board"] == (True, True, True)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_r21__a_seat_that_does_not_answer_folds_and_the_fold_is_marked(book):
    game = started(book, TWO, stacked())
    assert game.do(actions.TimeOut(2)) == (events.Folded(2, 1, timed_out=True),)
    game.do(actions.Fold(1))
    assert [seat.timed_out for seat in game.state.seats.values()] == [False, True]
    assert refused(game, actions.TimeOut(2)).code == "seat/folded"


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_r22__one_person_holds_one_seat(book):
    meter = None if book.progressive is None else 0
    twice = actions.Open({1: "ann", 2: "bob", 4: "ann"}, 5_00, 50_00, meter)
    assert refused(Round(book), twice).code == "seat/one-hand-each"
    Round(book).do(actions.Open({1: "ann", 2: "bob"}, 5_00, 50_00, meter))
