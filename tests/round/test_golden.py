"""Whole rounds as text, one file a rulebook, to be read as well as compared.

``PITBOSS_GOLDEN=write ./pit test tests/round/test_golden.py`` writes them anew; read the difference
before you keep it.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.cards import Card, shuffled, text
from pitboss.cli.settle import receipt
from pitboss.money import text as money
from pitboss.round import Option, Round, State, actions, notation
from pitboss.rulebook import Rulebook
from pitboss.settle import of_round, settle
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MORE_BOOKS, SENECA, opened, stacked
from tests.round.more_playthroughs import PLAYTHROUGHS, with_equal

HERE = Path(__file__).parents[1] / "golden"

FLOOR = ("floor-supervisor", "flo")

DIAMOND_JO_BETS = {
    1: {"ante": 100_00, "board-bonus": 5_00},
    2: {"ante": 5_00, "board-bonus": 1_00, "pocket-bonus": 1_00, "lo-ball": 1_00},
    3: {"ante": 100_00},
    4: {"ante": 10_00, "lo-ball": 2_00},
}


def rounds(
    book: Rulebook,
) -> Iterator[tuple[str, Round, tuple[Card, ...], list[dict[int, Any] | actions.Action]]]:
    """Title, a round with its bets down, the deck, and what happens: decisions by seat."""
    if book.id in PLAYTHROUGHS:
        title, bets, deck, decisions = PLAYTHROUGHS[book.id]
        yield title, opened(book, with_equal(book, bets), maximum=100_00), deck, [*decisions]
    elif book is DIAMOND_JO:
        yield (
            "A royal and a straight flush share the ceiling; a folded hand keeps its side wagers",
            opened(book, DIAMOND_JO_BETS, maximum=100_00, tokes={1: 10_00}),
            stacked("Ah Kh", "Kd Ac", "8h 9h", "2c 7d", "Qh Jh Th"),
            [{1: 3, 2: 1, 3: 3, 4: 0}, {3: 3, 1: 3, 2: 0}, {1: 3, 3: 3}],
        )
        yield (
            "The shuffler shows red after the deal: a misdeal, and everything goes back",
            opened(book, DIAMOND_JO_BETS, maximum=100_00, shuffler=True),
            shuffled(random.Random(1)),
            [
                {1: 1, 2: 0, 3: 1, 4: 0},
                actions.Light("red"),
                actions.CallMisdeal("shuffler", *FLOOR),
            ],
        )
        yield (
            "Nobody stays and no side wager lives: the board is not turned",
            opened(book, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, maximum=100_00),
            shuffled(random.Random(2)),
            [{2: 0, 1: "time-out"}],
        )
    elif book is HOLLYWOOD:
        yield (
            "Two pair at 3 to 2, an All Six win with a folded hand, quads over the ceiling",
            opened(
                book,
                {
                    1: {"ante": 25_00, "all-six": 5_00},
                    2: {"ante": 10_01, "pocket-bonus": 5_00},
                    3: {"ante": 2000_00, "board-bonus": 10_00},
                },
            ),
            stacked("9s 9h Kd", "9c", "4c 4d", "Kh 2s", "9d 8s"),
            [{1: 1, 2: 1, 3: 2}, {1: 0, 2: 2, 3: 3}, {2: 3, 3: 1}],
        )
        yield (
            "A quiet round, dealt at random",
            opened(book, {n: {"ante": 10_00, "lo-ball": 1_00} for n in (2, 4, 5)}),
            shuffled(random.Random(3)),
            [{2: 1, 4: 1, 5: "time-out"}, {2: 2, 4: 0}, {2: 3}],
        )
    elif book is SENECA:
        token = {"progressive": 1_00}
        yield (
            "The dealer qualifies with ace-king; the jackpot is shared",
            opened(
                book,
                {
                    1: {"ante": 10_00, **token},
                    2: {"ante": 500_00, **token},
                    3: {"ante": 25_00},
                    4: {"ante": 25_00},
                },
                meter=150_000_00,
            ),
            stacked(
                "Ah Kh Qh Jh Th",
                "5c 6c 7c 8c 9c",
                "2d 2h 7s 9d Jd",
                "Kc Qs Js 8s 4d",
                "As Kd 4s 3h 2s",
            ),
            [{1: 2, 2: 2, 3: 2, 4: 0}],
        )
        yield (
            "The dealer does not qualify: Antes are paid, Bets go back, the flush is awarded",
            opened(book, {1: {"ante": 10_00, **token}, 2: {"ante": 15_00}, 5: {"ante": 5_00}}),
            stacked("2h 5h 9h Jh Kh", "2s 2d 5c 9c Jd", "3s 4s 6d 8d Tc", "As Qd Js Td 9s"),
            [
                actions.KillHand(5, "count", *FLOOR),
                {1: 2, 2: 2},
            ],
        )
    else:
        yield (
            "A full table",
            opened(
                book,
                {
                    n: {"ante": 5_00 * n, **({"three-card-bonus": 5_00} if n % 2 else {})}
                    for n in range(1, 8)
                },
                maximum=100_00,
            ),
            shuffled(random.Random(4)),
            [
                {1: 3, 2: 1, 3: 0, 4: 1, 5: 1, 6: 0, 7: 2},
                {7: 1, 5: 0, 4: 1, 2: 1, 1: 3},
                {1: 3, 2: 0, 4: 1, 7: 3},
            ],
        )


def option_text(option: Option) -> str:
    return f"{option.times}x {money(option.cents)}" if option.action == "raise" else option.action


def look(game: Round) -> Iterator[str]:
    """What everybody sees while the round waits for decisions."""
    state = game.view(None)
    yield f"# the table sees {table_text(state)}"
    for seat in game.due():
        mine = game.view(seat).seats[seat]
        options = ", ".join(map(option_text, game.legal(seat)))
        yield f"# seat {seat} holds {text(mine.cards)} and may {options}"


def table_text(state: State) -> str:
    piles = (f"{place} {text(pile)}" for place, pile in state.piles.items())
    return ", ".join(piles) or "no cards yet"


WORDS: dict[Any, Any] = {"check": actions.Check, "take-back": actions.TakeBack}


def act(game: Round, decisions: dict[int, Any]) -> None:
    for seat, decision in decisions.items():
        if decision == "time-out":
            game.do(actions.TimeOut(seat))
        elif decision in WORDS:
            game.do(WORDS[decision](seat))
        elif decision == 0:
            game.do(actions.Fold(seat))
        else:
            game.do(actions.Raise(seat, decision))


def told(book: Rulebook) -> str:
    out = []
    for title, game, deck, happens in rounds(book):
        out += [f"## {title}", ""]
        at = 0
        game.do(actions.CloseBets())
        for each in [None, *happens]:
            if isinstance(each, dict):
                act(game, each)
            elif each is not None:
                game.do(each)
            game.deal(deck)
            out += notation.write(game.events[at:]).splitlines()
            at = len(game.events)
            out += look(game) if game.due() else ()
        settlement = settle(book, of_round(game.state))
        out += ["", *(f"  {line}".rstrip() for line in receipt(book, settlement).splitlines()), ""]
        assert notation.read(notation.write(game.events)) == game.events
    return "\n".join(out)


@pytest.mark.parametrize("book", [*BOOKS, *MORE_BOOKS], ids=lambda book: book.id)
def test_playthrough(book):
    path = HERE / f"{book.id.replace('/', '.')}.txt"
    written = told(book)
    if os.environ.get("PITBOSS_GOLDEN") == "write":
        path.write_text(written, "utf-8")
    assert path.read_text("utf-8") == written
