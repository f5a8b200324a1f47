"""What is drawn in the terminal: every card that the player may see, and no other."""

import io
import random
import re

import pytest
from rich.console import Console

from pitboss import settle
from pitboss.cards import DECK, shuffled
from pitboss.cli.play import BELOW
from pitboss.cli.terminal import layout, simple_bots
from pitboss.round import actions
from tests.helpers import BOOKS, DIAMOND_JO, THREE_CARD, opened, stacked, started

CARD = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
KNOWN = {layout.corner(card, layout.Look()): card for card in DECK}

each_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)


def drawn(scene, height=50, *, tables=False):
    console = Console(width=100, record=True, file=io.StringIO())
    look = layout.Look()
    console.print(layout.felt(scene, look, console, height))
    if tables:
        console.print(layout.all_tables(scene, look))
    if scene.settlement is not None:
        console.print(layout.receipt(scene, look, 100, 1))
    console.file.close()
    return console.export_text()


def found(said):
    return {"".join(pair) for pair in CARD.findall(said)}


def scenes(book, seed):
    """What every seat sees at each decision of a round, and at its end."""
    chance = random.Random(seed)
    seats = range(1, book.seats.most + 1)
    deck = shuffled(chance)
    game = opened(book, {seat: {} for seat in seats})
    for seat in seats:
        game.do(simple_bots.bet(book, game.view(seat), seat))
    game.do(actions.CloseBets())
    game.deal(deck)
    while waiting := game.due():
        yield from (layout.Scene(book, game.view(seat), seat, 100_00) for seat in seats)
        for seat in waiting:
            option = simple_bots.decide(book, game.view(seat), seat, game.legal(seat))
            game.do(simple_bots.act(seat, option, confirmed=True))
        game.deal(deck)
    for seat in seats:
        view = game.view(seat)
        yield layout.Scene(book, view, seat, 0, settle.settle(book, settle.of_round(view)))


def seen_by(scene):
    """The cards that lie open to a seat."""
    piles = [card for pile in scene.view.piles.values() for card in pile]
    hands = [card for seat in scene.view.seats.values() for card in seat.cards]
    return {card for card in piles + hands if card is not None}


@each_book
def test_no_card_is_drawn_that_the_player_may_not_see(book):
    for seed in range(6):
        for scene in scenes(book, seed):
            said = drawn(scene, tables=seed == 0)  # drawn without cards, and slowly
            assert {KNOWN[name] for name in found(said)} == seen_by(scene)


@pytest.mark.parametrize("height", [24, 32])
@each_book
def test_a_short_screen_still_shows_every_card_at_the_end(book, height):
    for scene in scenes(book, 8):
        said = drawn(scene, height)
        assert {KNOWN[name] for name in found(said)} == seen_by(scene)


@each_book
def test_b22__a_full_table_fits_a_screen_of_80_by_24(book):
    """With two rows of keys, the coach and the prompt under it, and with the receipt in the end."""
    look = layout.Look()
    for seed in range(3):
        for scene in scenes(book, seed):
            below = [layout.receipt(scene, look, 80, 1)] if scene.settlement else []
            left = 24 - BELOW - sum(len(printed(each)) for each in below)
            table = printed(layout.felt(scene, look, Console(width=80), left))
            assert len(table) <= left
            assert book.game in table[0]


def printed(renderable):
    """The lines that are printed: counted there, not as the layout counts them."""
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(renderable)
    return console.export_text().splitlines()


def test_a_tucked_hand_lies_under_its_wager():
    game = started(DIAMOND_JO, {1: {"ante": 500, "lo-ball": 100}, 2: {"ante": 500}}, stacked())
    game.do(actions.Fold(1))
    said = drawn(layout.Scene(DIAMOND_JO, game.view(2), 2, 0))
    assert re.search(r"1 player 1 .*▒▒●1 .*folded", said)


def test_the_row_that_is_made_is_marked():
    game = started(DIAMOND_JO, {1: {"ante": 500}}, stacked("Kh Kd"))
    assert "▸ Pair of jacks or better" in drawn(layout.Scene(DIAMOND_JO, game.view(1), 1, 0))
    game = started(DIAMOND_JO, {1: {"ante": 500}}, stacked("2h 7d"))
    assert "▸ " not in drawn(layout.Scene(DIAMOND_JO, game.view(1), 1, 0)).split("Cards")[0]


def test_a_table_that_pays_beside_a_wager_is_drawn_with_it():
    game = started(THREE_CARD, {1: {"ante": 10_00}}, stacked("9s 8d 7c"))
    said = drawn(layout.Scene(THREE_CARD, game.view(1), 1, 100_00))
    assert "Ante Bonus" in said
    assert "Pair Plus" not in said.partition("Ante Bonus")[2]
