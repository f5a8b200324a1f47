"""Bots: they play what their strategy says of what their seat sees, and only with a person."""

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import maths
from pitboss.cards import Card, cards
from pitboss.errors import Refused, Unreadable
from pitboss.house import bots
from pitboss.house.books.ledger import chips
from pitboss.house.people import persons
from pitboss.house.table import commands as c
from pitboss.house.table.state import Table
from pitboss.maths import Seen
from pitboss.maths.strategies import MADE, NAMED
from pitboss.round import actions as a
from pitboss.round import due, legal
from pitboss.round import events as e
from pitboss.rulebook import Rulebook, load
from tests.helpers import (
    BOOKS,
    DIAMOND_JO,
    FOUR_CARD,
    HOLLYWOOD,
    MORE_BOOKS,
    SENECA,
    THREE_CARD,
    ULTIMATE,
)
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.house.floor import Floor
from tests.small_books import TAKE_BACK


def with_bots(book: Rulebook, strategy: str = "best", seed: int = 1, count: int = 3) -> Floor:
    """Ann at seat 1, bots at those after it."""
    floor = Floor(book, seed, practice=True).sit("ann")
    for seat in range(2, 2 + count):
        floor.do(c.SeatBot(seat, strategy), "own")
    return floor


def step(floor: Floor) -> Any:
    """Let one bot do something; what it did."""
    found = bots.move(floor.book, floor.table)
    if found is not None:
        seat, action = found
        floor.do(action, floor.table.sitters[seat].person)
    return found


def face_up(floor: Floor, place: str) -> tuple[Card, ...]:
    state = floor.table.round
    pile, faces = state.piles.get(place, ()), state.up.get(place, ())
    return tuple(card for card, up in zip(pile, faces, strict=True) if up and card is not None)


def known_to(floor: Floor, seat: int) -> Seen:
    """What a seat may know, worked out from the whole state and without the bots' own code."""
    held = floor.table.round.seats[seat]
    own = tuple(card for card in held.cards if card is not None)
    if floor.book.qualifier is not None:
        return Seen(own, (), face_up(floor, "dealer")[0])
    return Seen(own, face_up(floor, "board"), None, held.raises)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_the_best_bots_choose_what_the_exact_solution_says(book):
    solution = maths.solve(book)
    chosen = set()
    for seed in range(12):
        floor = with_bots(book, seed=seed)
        floor.bet(1)
        while floor.table.number == 1:
            waiting = due(book, floor.table.round)
            if waiting and waiting[0] == 1:
                floor.folds(1)
                continue
            if not waiting:
                assert isinstance(step(floor)[1], a.Bet)
                continue
            wanted = solution.choice(known_to(floor, waiting[0]))
            seat, action = step(floor)
            assert seat == waiting[0]
            assert action == (a.Raise(seat, wanted) if wanted else a.Fold(seat, confirmed=True))
            chosen.add(wanted)
    assert 0 in chosen
    assert len(chosen) > 1


def test_bots_bet_the_minimum_and_on_nothing_else():
    floor = with_bots(SENECA)
    floor.bet(1)
    while floor.table.round.phase == "betting":
        step(floor)
    stakes = [seat.stakes for seat in floor.table.round.seats.values()]
    assert stakes == [{"ante": 5_00}] * 4


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD, SENECA], ids=lambda book: book.house)
def test_a_bot_decides_the_same_whatever_lies_face_down(book):
    floor = with_bots(book, count=1)
    floor.bet(1)
    step(floor)
    floor.folds(1)
    before = bots.move(book, floor.table)
    hidden = tuple(
        replace(event, cards=(None,) * len(event.cards))
        if isinstance(event, e.CardsDealt) and not event.up and event.seat != 2
        else event
        for event in floor.table.happened
    )
    assert hidden != floor.table.happened
    assert bots.move(book, replace(floor.table, happened=hidden)) == before


@pytest.mark.parametrize("book", [*BOOKS, TAKE_BACK], ids=lambda book: book.house)
def test_every_strategy_that_fits_plays_every_round_to_its_end(book):
    played = set()
    for strategy in (bots.BEST, "blind") if book is TAKE_BACK else (bots.BEST, *NAMED):
        try:
            bots.chooser(book, strategy)
        except Unreadable:
            continue
        played.add(strategy)
        floor = with_bots(book, strategy)
        while floor.table.number < 4:
            if floor.table.round.phase == "new":
                floor.do(bots.bet(book, 1, 5_00), "ann")
            elif 1 in due(book, floor.table.round):
                option = legal(book, floor.table.round, 1)[-1]
                action = a.TakeBack(1) if option.action == "take-back" else a.Fold(1, True)
                floor.do(a.Check(1) if option.action == "check" else action, "ann")
            else:
                assert step(floor) is not None
    assert {bots.BEST, "blind"} <= played
    assert ("three-rules" in played) == (book.qualifier is not None)
    assert ("points" in played) == (book.qualifier is None and book is not TAKE_BACK)


@pytest.mark.parametrize(
    ("book", "fitting"),
    [
        (THREE_CARD, {"blind", "q-6-4", "never-fold", "mimic"}),
        (
            FOUR_CARD,
            {"blind", "any-pair", "three-rules", "basic", "k-q-8-4", "never-fold", "mimic"},
        ),
        (ULTIMATE, {"blind", "simple"}),
        (SENECA, {"blind", "any-pair", "three-rules", "never-fold", "mimic"}),
    ],
    ids=lambda each: getattr(each, "game", ""),
)
def test_bots_play_the_strategies_that_are_made_for_their_game(book, fitting):
    for strategy in (*NAMED, *MADE):
        if strategy in fitting:
            bots.chooser(book, strategy)
        else:
            with pytest.raises(Unreadable) as caught:
                bots.chooser(book, strategy)
            assert caught.value.place == "strategy"


def test_a_strategy_that_nobody_knows_names_the_others():
    with pytest.raises(Unreadable, match="best, blind, any-pair"):
        bots.chooser(DIAMOND_JO, "lucky")


def test_a_game_that_is_not_solved_has_no_best_bot():
    script = tuple(
        replace(step, otherwise=("fold", "check")) if step in SENECA.streets else step
        for step in SENECA.script
    )
    with pytest.raises(Unreadable, match="solved so far"):
        bots.chooser(replace(SENECA, script=script), bots.BEST)


# Before a game is solved ------------------------------------------------------------------------


@pytest.fixture
def unsolved(tmp_path, monkeypatch):
    """Nothing is kept of what takes long to solve, and no bot may begin with it."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(bots, "_known", {})
    monkeypatch.setattr(maths, "solve", lambda _: pytest.fail("somebody waits for minutes"))


MEANWHILE = {
    "common/four-card-poker": "basic",
    "common/crazy-4-poker": "k-q-8-4",
    "common/high-card-flush": "t-8-6",
    "common/ultimate-texas-holdem": "simple",
    "pennsylvania/ultimate-texas-holdem-a": "simple",
    "pennsylvania/ultimate-texas-holdem-c": "simple",
    "common/casino-holdem": "",
    "common/texas-holdem-bonus": "",
}
"""What is played; nothing where no strategy that has a name fits."""


@pytest.mark.usefixtures("unsolved")
def test_meanwhile_every_game_that_takes_long_is_played_by_what_needs_no_solution():
    found = {}
    for book in MORE_BOOKS:
        if maths.takes_long(book):
            choose = bots.chooser(book, bots.BEST)
            found[book.id] = next((name for name, each in NAMED.items() if each is choose), "")
    assert found == MEANWHILE


@pytest.mark.usefixtures("unsolved")
@pytest.mark.parametrize("name", ["common/high-card-flush", "common/texas-holdem-bonus"])
def test_meanwhile_a_round_is_played_to_its_end(name):
    floor = with_bots(load(name), count=1)
    floor.bet(1)
    decided = 0
    while floor.table.number == 1:
        if 1 in due(floor.book, floor.table.round):
            floor.folds(1)
        else:
            decided += isinstance(step(floor)[1], a.Raise | a.Check | a.Fold)
    assert decided == len(floor.book.streets)


@pytest.mark.usefixtures("unsolved")
@pytest.mark.parametrize(
    ("held", "board", "said"),
    [
        ("As Kd", "Ah 7d 2c", 2),
        ("3c 2d", "Kh Js 8h", 0),  # nothing, and two cards to come
    ],
)
def test_meanwhile_what_comes_to_a_board_is_counted_out(held, board, said):
    choose = bots.chooser(load("common/casino-holdem"), bots.BEST)
    assert choose(Seen(cards(held), cards(board))) == said


@pytest.mark.usefixtures("unsolved")
def test_once_it_is_solved_the_best_is_played(monkeypatch):
    book = load("common/four-card-poker")
    assert bots.chooser(book, bots.BEST) is NAMED["basic"]
    solved = SimpleNamespace(choice=lambda _: 3)
    monkeypatch.setattr(maths, "at_hand", lambda _: True)
    monkeypatch.setattr(maths, "solve", lambda _: solved)
    assert bots.chooser(book, bots.BEST) is solved.choice


@pytest.mark.parametrize(
    ("book", "strategy"),
    [
        ("common/three-card-poker", "any-pair"),  # no card of the dealer's is seen
        ("common/four-card-poker", "q-6-4"),
        ("common/texas-holdem-bonus", "simple"),  # it knows nothing of a turn
        ("common/high-card-flush", "simple"),
    ],
)
def test_what_would_be_at_a_loss_in_the_middle_of_a_round_is_refused_at_once(book, strategy):
    with pytest.raises(Unreadable) as caught:
        bots.chooser(load(book), strategy)
    assert caught.value.place == "strategy"


def test_a_bot_that_sits_down_while_bets_are_made_plays_along():
    floor = with_bots(DIAMOND_JO, count=1)
    floor.do(c.Sit(6), "bob")
    floor.bet(1)
    floor.do(c.SeatBot(4), "own")
    assert {step(floor)[0], step(floor)[0]} == {2, 4}
    floor.bet(6)
    assert list(floor.table.round.seats) == [1, 2, 4, 6]


def test_bots_alone_have_nothing_to_do():
    floor = with_bots(DIAMOND_JO)
    assert bots.move(DIAMOND_JO, floor.table) is None
    floor.do(c.Leave(), "ann")
    assert bots.move(DIAMOND_JO, floor.table) is None


# In a house -----------------------------------------------------------------------------------


def over(number: int, table: Table) -> bool:
    return table.number > number


async def bots_in(here: ClockedHouse, book: str) -> Any:
    ann = await here.person("ann", "guest")
    await here.open(ann, book, practice=True)
    await here.do(ann, c.Sit(1))
    for seat in (2, 3, 4):
        await here.do(ann, c.SeatBot(seat, "best"))
    return ann


@pytest.mark.parametrize("book", [DIAMOND_JO.id, SENECA.id])
def test_the_house_plays_its_bots_after_a_person_bets(quick_path, book):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            ann = await bots_in(here, book)
            for number in (1, 2):
                await here.do(ann, a.Bet(1, {"ante": here.table.minimum_cents}))
                await here.until(lambda table: table.round.phase != "betting")
                assert list(here.table.round.seats) == [1, 2, 3, 4]
                await here.do(ann, a.Fold(1, confirmed=True))
                await here.until(partial(over, number))
                assert here.table.last is not None
                assert [paid.seat for paid in here.table.last.seats] == [1, 2, 3, 4]

    asyncio.run(play())


def test_a_table_of_bots_alone_is_quiet(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            ann = await bots_in(here, DIAMOND_JO.id)
            await here.do(ann, c.Leave())
            live = await here.house.table(here.name)
            await asyncio.sleep(0.3)
            assert await here.house.table(here.name) is live

    asyncio.run(play())


def test_a_bot_without_chips_gets_more_of_the_same(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            ann = await bots_in(here, DIAMOND_JO.id)
            account = chips(f"bot-{here.name}-2", practice=True)
            assert await here.house.in_thread(here.house.store.balance, account) == 0
            await here.do(ann, a.Bet(1, {"ante": 5_00}))
            await here.until(lambda table: table.round.phase == "playing")
            assert await here.house.in_thread(here.house.store.balance, account) > 0

    asyncio.run(play())


def test_a_strategy_for_another_game_is_refused_at_the_door(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            ann = await bots_in(here, DIAMOND_JO.id)
            for strategy in ("three-rules", "lucky"):
                with pytest.raises(Unreadable) as caught:
                    await here.do(ann, c.SeatBot(5, strategy))
                assert caught.value.place == "strategy"

    asyncio.run(play())


def test_a_bot_that_was_seated_is_seated_again_by_the_same_key_whatever_its_sender_is_by_now(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            ann = await here.person("ann", "guest")
            flo = await here.person("flo", "floor-supervisor")
            await here.person("boss", "administrator")
            await here.open(ann, DIAMOND_JO.id, practice=True)
            first = await here.house.command(here.name, flo.id, c.SeatBot(2), "bot")
            await here.house.record("boss", "flo", "", persons.RolesSet(("guest",), "left us"))
            again = await here.house.command(here.name, flo.id, c.SeatBot(2), "bot")
            assert (again.entry, again.again) == (first.entry, True)
            with pytest.raises(Refused) as caught:
                await here.house.command(here.name, flo.id, c.SeatBot(3, "lucky"), "another")
            assert caught.value.refusal.code == "table/unknown"

    asyncio.run(play())
