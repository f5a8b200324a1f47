"""The second settlement against the first: two pieces of code that share nothing must agree."""

import ast
import contextlib
import datetime
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss import rulebook
from pitboss.audit import hands, resettle
from pitboss.cards import Card, cards, shuffled
from pitboss.errors import Refused
from pitboss.hands import ranking
from pitboss.house.table.events import RoundPaid
from pitboss.house.table.payoffs import seat_paid
from pitboss.money import odds
from pitboss.round import Round, actions, due
from pitboss.rulebook import Rulebook
from pitboss.settle import Player, of_round, settle
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MORE_BOOKS, SENECA, stacked
from tests.small_books import TAKE_BACK

DAY = datetime.date(2026, 3, 1)
ROUNDS = 1_500
"""Random rounds of each book."""


def paid(book: Rulebook, game: Round, players: dict[int, Player], day: datetime.date) -> RoundPaid:
    """What the first settlement says, as the journal would hold it."""
    settlement = settle(book, of_round(game.state, players, day))
    seats = tuple(seat_paid(book, each) for each in settlement.seats)
    return RoundPaid(1, day, seats, settlement.meter_after_cents, settlement.notify)


def agree(
    book: Rulebook,
    game: Round,
    players: dict[int, Player] | None = None,
    day: datetime.date = DAY,
) -> RoundPaid:
    """Settle twice, and see that nothing differs."""
    known = {seat: (players or {}).get(seat, Player()) for seat in game.state.seats}
    first = paid(book, game, known, day)
    told = resettle.settled(book, game.events, known, day)
    assert resettle.difference(told, first) == ""
    return first


# Random rounds ----------------------------------------------------------------------------------


def rich(chance: random.Random) -> list[Card]:
    """A deck, often with what makes good hands near the top: so that caps and awards are met."""
    deck = list(shuffled(chance))
    kind = chance.random()
    if kind < 0.2:
        suit = chance.choice("cdhs")
        royal = [c for c in deck if c.suit == suit and c.rank >= 10]
        deck = royal + [c for c in deck if c not in royal]
    elif kind < 0.6:
        suit, least = chance.choice("cdhs"), chance.randint(2, 10)
        wanted = [c for c in deck if (c.suit == suit and c.rank >= least) or c.rank >= 13]
        deck = wanted + [c for c in deck if c not in wanted]
        # Good cards first, but not always to the first seat.
        top = deck[:24]
        chance.shuffle(top)
        deck[:24] = top
    return deck


def somebody(chance: random.Random) -> Player:
    return Player(
        chance.choice(["us", "us", "foreign"]),
        identified=chance.random() < 0.8,
        tin=chance.random() < 0.8,
        barred=chance.random() < 0.1,
    )


def wagers(book: Rulebook, chance: random.Random, minimum: int, maximum: int) -> dict[str, int]:
    found = {}
    for spot in book.opening.values():
        if spot.fixed is not None:
            stake = int(spot.fixed)
        elif spot.required:
            stake = chance.choice([minimum, chance.randrange(minimum, maximum + 1)])
        else:
            stake = chance.randint(int(spot.least or minimum), int(spot.most or maximum))
        if spot.required or chance.random() < 0.6:
            found[spot.name] = stake
    alone = {name: stake for name, stake in found.items() if book.spots[name].alone}
    return alone if alone and chance.random() < 0.2 else book.with_equal(found)


def attempt(game: Round, action: actions.Action) -> None:
    """Do it if the rules allow it."""
    with contextlib.suppress(Refused):
        game.do(action)


def random_round(book: Rulebook, chance: random.Random) -> tuple[Round, dict[int, Player]]:
    """Play one round to its end: odd stakes, folds, dead hands, misdeals, tokes, late wagers."""
    game = Round(book)
    minimum = int(book.limits.minimum.highest or chance.choice([500, 1_000, 10_000]))
    maximum = int(book.limits.maximum.highest or 20 * minimum)
    meter = chance.choice([1, 70, 99_999_77, 10_000_00]) if book.progressive else None
    numbers = chance.sample(range(1, book.seats.most + 1), chance.randint(1, book.seats.most))
    game.do(actions.Open({n: f"p{n}" for n in numbers}, minimum, maximum, meter))
    for number in numbers[: chance.randint(1, len(numbers))]:
        down = wagers(book, chance, minimum, maximum)
        game.do(actions.Bet(number, down))
        toke = chance.randint(1, 250)
        if chance.random() < 0.3:
            attempt(game, actions.Bet(number, down, toke_cents=toke))
    game.do(actions.CloseBets())
    deck = rich(chance)
    boss = {"role": "shift-manager", "person": "sam"}
    folds = chance.random() < 0.5
    while game.state.phase == "playing":
        game.deal(deck)
        if chance.random() < 0.03:
            cause = chance.choice(["count", "information"])
            number = chance.choice(list(game.state.seats))
            attempt(game, actions.KillHand(number, cause, boss["role"], boss["person"]))
        if chance.random() < 0.03:
            number = chance.choice(list(game.state.seats))
            spot = chance.choice([book.ante.name, *book.spots, "toke"])
            for stake in (3 * maximum + 1, maximum, minimum):
                attempt(game, actions.AcceptLate(number, spot, stake, **boss))
        if chance.random() < 0.02 and book.misdeal:
            cause = chance.choice(book.misdeal).cause
            attempt(game, actions.CallMisdeal(cause, **boss))
        waiting = due(book, game.state)
        if waiting:
            decide(book, game, chance.choice(waiting), chance, folds=folds)
    return game, {number: somebody(chance) for number in numbers}


def decide(book: Rulebook, game: Round, seat: int, chance: random.Random, *, folds: bool) -> None:
    step: Any = book.script[game.state.step]
    others = [each for each in step.otherwise if each != "fold" or folds]
    times = [each.times for each in game.legal(seat) if each.action == "raise"]
    choices = [*times, *others] or list(step.otherwise)
    if folds and chance.random() < 0.1:
        game.do(actions.TimeOut(seat))
        return
    choice = chance.choice(choices)
    if isinstance(choice, int):
        game.do(actions.Raise(seat, choice))
    elif choice == "fold":
        game.do(actions.Fold(seat, confirmed=True))
    else:
        game.do(actions.Check(seat) if choice == "check" else actions.TakeBack(seat))


@pytest.mark.parametrize("book", [*BOOKS, *MORE_BOOKS, TAKE_BACK], ids=lambda book: book.id)
def test_both_settlements_agree_on_random_rounds(book):
    chance = random.Random(book.id)
    seen = set[str]()
    for _ in range(ROUNDS if book is not TAKE_BACK else 200):
        game, players = random_round(book, chance)
        first = agree(book, game, players, chance.choice([DAY, datetime.date(2025, 5, 1)]))
        seen |= {line.outcome for seat in first.seats for line in seat.lines}
        seen |= {"held" for seat in first.seats if seat.held_cents}
        seen |= {"withheld" for seat in first.seats if seat.withheld_cents}
        lines = [line for seat in first.seats for line in seat.lines]
        seen |= {"bonus" for line in lines if line.spot in book.bonuses}
        seen |= {"toke" for seat in first.seats for line in seat.lines if line.spot == "toke"}
        seen |= {"capped"} if first.notify else set()
        seen |= {"misdeal"} if game.state.misdeal else set()
        seen |= {"dead" for seat in game.state.seats.values() if seat.dead}
        seen |= {"folded" for seat in game.state.seats.values() if seat.folded}
    # A test that never meets these tests little.
    assert seen >= {"win", "lose", "push"}
    if book is not TAKE_BACK:
        assert seen >= {"held", "misdeal"}
    if book in BOOKS:
        assert "withheld" in seen
    assert ("folded" in seen) == any("fold" in street.otherwise for street in book.streets)
    if book.bonuses:
        assert "bonus" in seen
    assert ("toke" in seen) == (book.toke is not None)
    assert ("dead" in seen) == bool(book.dead)
    assert ("capped" in seen) == any(cap.notify for cap in book.cap)


@pytest.mark.parametrize("rounding", ["down", "up", "nearest"])
def test_they_agree_however_the_house_rounds(rounding):
    book = msgspec.structs.replace(HOLLYWOOD, rounding=rounding)
    chance = random.Random(rounding)
    for _ in range(200):
        game, players = random_round(book, chance)
        agree(book, game, players)


@pytest.mark.parametrize("unit", [1, 100, 7_77])
def test_they_agree_on_a_ceiling_shared_in_coarse_pieces(unit):
    cap = msgspec.structs.replace(
        DIAMOND_JO.cap[0], unit=unit, most=1_000_01, growth=None, above=odds("1 to 1")
    )
    book = msgspec.structs.replace(DIAMOND_JO, cap=(cap,))
    chance = random.Random(unit)
    shared = 0
    for _ in range(300):
        game, players = random_round(book, chance)
        shared += bool(agree(book, game, players).notify)
    assert shared > 15


# Rounds that are known --------------------------------------------------------------------------


def finished(
    book: Rulebook, bets: dict[int, dict[str, int]], deck: tuple[Card, ...], **more: Any
) -> Round:
    """A round in which every seat raises the most, every time."""
    game = Round(book)
    people = {seat: f"p{seat}" for seat in bets}
    game.do(actions.Open(people, more.pop("minimum", 500), more.pop("maximum", 10_000), **more))
    for seat, down in bets.items():
        game.do(actions.Bet(seat, down))
    game.do(actions.CloseBets())
    while game.state.phase == "playing":
        game.deal(deck)
        for seat in due(book, game.state):
            step: Any = book.script[game.state.step]
            game.do(actions.Raise(seat, max(step.times)))
    return game


def test_two_winners_share_a_ceiling():
    """A royal and a straight flush over one board: $25,000 for both, by what each would win."""
    deck = stacked("As Ks 9s 8s Qs Js Ts")
    ante = DIAMOND_JO.ante.name
    game = finished(DIAMOND_JO, {1: {ante: 2_500}, 2: {ante: 2_500}}, deck)
    first = agree(DIAMOND_JO, game)
    wins = [sum(line.won_cents for line in seat.lines) for seat in first.seats]
    assert sum(wins) == 25_000_00
    assert wins[0] > wins[1] > 0
    assert first.notify


def test_royal_and_straight_flush_share_the_jackpot():
    """100% and 10% of one meter: 100/110 and 10/110 of it; then it starts again."""
    book = SENECA
    spots = {book.ante.name: 500, "progressive": 100}
    deck = stacked("As Ks Qs Js Ts", "9h 8h 7h 6h 5h", "2c 3d 4c 7d 9c")
    game = finished(book, {1: spots, 2: spots}, deck, meter_cents=10_000_00)
    first = agree(book, game)
    lines = [line for seat in first.seats for line in seat.lines if line.spot == "progressive"]
    locked = 10_000_00 + 140
    assert sum(line.won_cents for line in lines) == locked
    assert lines[0].won_cents == round(locked / 1.1)
    assert first.meter_cents == int(book.progressive.reseed) if book.progressive else None


def test_a_difference_is_named():
    deck = stacked("As Ks Qs Js Ts", "2c 3d 4c 7d 9c")
    game = finished(SENECA, {1: {SENECA.ante.name: 500, "progressive": 100}}, deck, meter_cents=99)
    known = {1: Player()}
    told = resettle.settled(SENECA, game.events, known, DAY)
    right = paid(SENECA, game, known, DAY)
    assert resettle.difference(told, right) == ""
    seat = right.seats[0]
    line = seat.lines[0]
    wrong_line = msgspec.structs.replace(line, won_cents=line.won_cents + 1)
    wrong = [
        msgspec.structs.replace(right, meter_cents=1),
        msgspec.structs.replace(right, notify=("general-manager",)),
        msgspec.structs.replace(right, seats=()),
        *(
            msgspec.structs.replace(right, seats=(msgspec.structs.replace(seat, **change),))
            for change in (
                {"paid_cents": seat.paid_cents - 1},
                {"held_cents": 1},
                {"withheld_cents": seat.withheld_cents + 1},
                {"forms": ("W-2G", "1042-S")},
                {"lines": seat.lines[:-1]},
                {"lines": (wrong_line, *seat.lines[1:])},
            )
        ),
    ]
    said = [resettle.difference(told, each) for each in wrong]
    assert all(said)
    assert len(set(said)) == len(said)


# Hands ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("five-card", 7),
        ("four-card", 6),
        ("three-card", 3),
        ("two-card", 2),
        ("flush-length", 7),
        ("straight-flush-length", 7),
    ],
)
def test_hands_are_read_alike(name, most):
    chance = random.Random(name)
    order = ranking(name)
    for _ in range(2_000):
        held = shuffled(chance)[: chance.randint(order.size, most)]
        hand = order.best(held)
        value, category, ranks = hands.best(held, name)
        assert (category, tuple(ranks)) == (hand.category, hand.ranks)
        other = shuffled(chance)[: order.size]
        stronger = order.strength(other) > hand.strength
        assert (hands.best(other, name)[0] > value) == stronger


def test_the_wheel_is_a_straight_with_the_ace_below():
    assert hands.name_and_ranks(cards("As 2d 3h 4c 5s")) == ("straight", [5, 4, 3, 2, 1])
    assert hands.name_and_ranks(cards("Ks As 2d 3h 4c"))[0] == "high-card"


# Independence -----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [resettle, hands])
def test_nothing_of_the_first_settlement_is_used(module):
    tree = ast.parse(Path(module.__file__).read_text("utf-8"))
    used = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    used |= {
        each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names
    }
    forbidden = ("pitboss.settle", "pitboss.hands", "pitboss.money", "pitboss.round.state")
    assert not [each for each in used if each.startswith(forbidden)]
    assert "pitboss" not in used


def test_every_shipped_book_is_tried():
    assert {book.id for book in (*BOOKS, *MORE_BOOKS)} == set(rulebook.ids())
