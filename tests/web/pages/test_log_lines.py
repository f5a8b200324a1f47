"""The log: a line for each act, every card that may be seen and no other, streets as headings."""

import datetime

import pytest

from pitboss.cards import Card, cards
from pitboss.house.table import events as h
from pitboss.round import events as e
from pitboss.round import visible
from pitboss.rulebook import Rulebook
from pitboss.settle import Line
from pitboss.web.pages import narration
from pitboss.web.pages.log_lines import LogLine, log_lines
from pitboss.wording import TIMES
from tests.helpers import BOOKS, DIAMOND_JO, SENECA
from tests.small_books import TAKE_BACK
from tests.web.pages.test_narration import NAMES, a_round

BY_EVENT = (e.CardsDealt, e.CardsTurned, e.HandShown)


@pytest.mark.parametrize("book", [*BOOKS, TAKE_BACK], ids=lambda book: book.id)
@pytest.mark.parametrize("seed", range(8))
def test_each_line_has_its_sentence_and_the_cards_of_its_own_event(
    book: Rulebook, seed: int
) -> None:
    happened = a_round(book, seed)
    for me in (None, *NAMES):
        shown = [visible(event, me) for event in happened]
        lines = list(log_lines(book, shown, NAMES, me, 3))
        assert [each.says for each in lines] == list(narration.story(book, shown, NAMES, me))
        for event, line in zip(shown, lines, strict=True):
            drawn = [part for part in line.parts if isinstance(part, Card)]
            seen = [each for each in getattr(event, "cards", ()) if each is not None]
            assert drawn == (seen if isinstance(event, BY_EVENT) else []), line
            assert not line.says or line.heading or line.parts, event
            words = [part for part in line.parts if isinstance(part, str)]
            assert all(each and each == each.strip() for each in words)


@pytest.mark.parametrize(
    ("book", "streets"),
    [
        (DIAMOND_JO, ["First Raise", "Second Raise", "Third Raise", "Showdown"]),
        (SENECA, ["Bet", "Showdown"]),
    ],
)
def test_each_street_begins_once_with_its_cards(book: Rulebook, streets: list[str]) -> None:
    rounds = [a_round(book, seed) for seed in range(1, 40)]
    whole = [each for each in rounds if not any(isinstance(x, e.MisdealCalled) for x in each)]
    for happened in whole:
        lines = list(log_lines(book, happened, NAMES, 1, 12))
        headed = [each.heading for each in lines if each.heading]
        assert headed == ["Round 12", *streets[: len(headed) - 1]]
        for event, line in zip(happened, lines, strict=True):
            if line.heading in streets[1:]:
                assert isinstance(event, e.CardsDealt | e.CardsTurned)
    assert any(len(each) > len(streets) for each in whole)


WON = Line("ante", 5_00, "win", None, 5_00, 5_00, 10_00, "", ())


@pytest.mark.parametrize(
    ("book", "event", "parts"),
    [
        (
            DIAMOND_JO,
            e.BetPlaced(2, {"ante": 25_00, "lo-ball": 5_50}, 1_00),
            ("Bob bets $5.50 Lo Ball, $25 Ante, $1 for the dealers",),
        ),
        (DIAMOND_JO, e.BetPlaced(1, {}, 0), ("You have no bet down.",)),
        (SENECA, e.BettingClosed(10_000_70), ("Progressive meter $10,000.70",)),
        (DIAMOND_JO, e.CardsDealt("seats", 1, cards("8s 5h")), ("You", *cards("8s 5h"))),
        (DIAMOND_JO, e.CardsDealt("seats", 2, (None, None)), ("Bob", "two cards face down")),
        (DIAMOND_JO, e.CardsDealt("board", 0, cards("3s"), up=True), ("Board", *cards("3s"))),
        (DIAMOND_JO, e.RaisePlaced(2, "raise-1", 3, 15_00), (f"Bob raises 3{TIMES} $15",)),
        (DIAMOND_JO, e.RaisePlaced(1, "raise-1", 1, 5_00), (f"You raise 1{TIMES} $5",)),
        (DIAMOND_JO, e.Folded(2, 1), ("Bob folds",)),
        (
            DIAMOND_JO,
            e.Folded(1, 1, tucked="board-bonus"),
            ("You fold, cards under Board Bonus",),
        ),
        (DIAMOND_JO, e.Folded(2, 1, timed_out=True), ("Time is up: Bob folds.",)),
        (
            SENECA,
            e.CardsTurned("dealer", cards("Ks Jd 4c 9c 2c")),
            ("Dealer", *cards("Ks Jd 4c 9c 2c"), "king high, which does not qualify"),
        ),
        (DIAMOND_JO, e.HandShown(2, cards("8s 5h")), ("Bob shows", *cards("8s 5h"))),
    ],
)
def test_in_so_few_words(book: Rulebook, event: e.Event, parts: tuple[str | Card, ...]) -> None:
    (line,) = log_lines(book, [event], NAMES, 1, 1)
    assert line.parts == parts


def test_a_player_reads_their_own_net_and_whoever_watches_all() -> None:
    paid = [
        h.SeatPaid(seat=1, hand="pair of kings", lines=(WON,), paid_cents=10_00),
        h.SeatPaid(seat=2, hand="", lines=(WON,), paid_cents=0),
    ]
    event = h.RoundPaid(4, datetime.date(2026, 11, 16), tuple(paid))
    told: list[LogLine] = [
        line for me in (1, None) for line in log_lines(DIAMOND_JO, [event], NAMES, me, 4)
    ]
    assert [each.parts for each in told] == [
        ("You +$5 pair of kings",),
        ("Ann +$5 pair of kings · Bob -$5",),
    ]
    assert {each.heading for each in told} == {"Paid"}
