"""Rulings 48 to 51: which winnings need a form, what is withheld, what is held."""

import datetime
from collections.abc import Sequence
from typing import Any

import pytest

from pitboss.cards import cards
from pitboss.rulebook import Rulebook
from pitboss.settle import Play, Player, SeatPlay, SeatSettlement, settle
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, hand

ROYAL, BOARD = "Ah Kh", "Qh Jh Th"
ONES, THREES = (1, 1, 1), (3, 3, 3)
BEFORE, SINCE = datetime.date(2025, 12, 31), datetime.date(2026, 1, 1)
UNKNOWN, BARRED = Player(identified=False), Player(barred=True)


def royal(book: Rulebook, ante: int, raises: Sequence[int] = ONES, **more: Any) -> SeatPlay:
    return hand(book, ROYAL, raises, ante=ante, **more)


def paid(
    book: Rulebook, seat: SeatPlay, *, minimum: int = 5_00, date: datetime.date | None = None
) -> SeatSettlement:
    piles = {"board": cards(BOARD), "all-six": cards("2c")}
    return settle(book, Play((seat,), minimum, piles, date=date)).seats[0]


def reported(seat: SeatSettlement) -> list[tuple[str, int]]:
    return [(form.wager, form.reportable_cents) for form in seat.forms]


@pytest.mark.parametrize(
    ("ante", "forms"),
    [
        pytest.param(25_00, [("main", 75_000_00)], id="75,000.00 for 250.00 is 300 times"),
        pytest.param(26_00, [], id="75,000.00 for 260.00 is less"),
    ],
)
def test_r48__what_was_paid_after_the_cap_is_measured_by_ante_and_raises_together(ante, forms):
    seat = paid(DIAMOND_JO, royal(DIAMOND_JO, ante, THREES), minimum=15_00)
    assert seat.won_cents == 75_000_00
    assert reported(seat) == forms


def test_r48__each_side_wager_is_measured_alone():
    # The royal pays 1,000 to 1 on All Six; suited Q-J-10 pays 40 to 1 on the board.
    side = {"all-six": 5_00, "board-bonus": 100_00}
    seat = paid(HOLLYWOOD, royal(HOLLYWOOD, 10_00, side=side))
    assert reported(seat) == [("main", 20_000_00), ("all-six", 5_000_00)]


@pytest.mark.parametrize(
    ("book", "ante", "date", "forms"),
    [
        pytest.param(HOLLYWOOD, 30, BEFORE, 1, id="federal, 600.00 in 2025"),
        pytest.param(HOLLYWOOD, 29, BEFORE, 0, id="federal, 580.00 in 2025"),
        pytest.param(DIAMOND_JO, 30, BEFORE, 0, id="diamond jo, 600.00 does not exceed 600"),
        pytest.param(DIAMOND_JO, 31, BEFORE, 1, id="diamond jo, 620.00 does"),
        pytest.param(DIAMOND_JO, 99, SINCE, 0, id="diamond jo, 1,980.00 in 2026"),
        pytest.param(DIAMOND_JO, 1_00, SINCE, 1, id="diamond jo, 2,000.00 in 2026"),
        pytest.param(MISSISSIPPI, 99, None, 0, id="1,980.00 without a date"),
        pytest.param(MISSISSIPPI, 1_00, None, 1, id="2,000.00 without a date"),
    ],
)
def test_r49__the_floor_is_the_houses_and_the_dated_federal_one(book, ante, date, forms):
    # Four times the Ante at 500 to 1.
    seat = paid(book, royal(book, ante), date=date)
    assert seat.won_cents == ante * 4 * 500
    assert len(seat.forms) == forms


@pytest.mark.parametrize(
    ("player", "ante", "form", "withheld"),
    [
        pytest.param(Player(), 2_50, "W-2G", 0, id="5,000.00 does not exceed 5,000"),
        pytest.param(Player(), 2_51, "W-2G", 1_204_80, id="24% of 5,020.00"),
        pytest.param(Player(tin=False), 2_50, "W-2G", 1_200_00, id="24% of 5,000.00 without TIN"),
        pytest.param(Player("foreign"), 2_50, "1042-S", 1_500_00, id="30% of 5,000.00"),
    ],
)
def test_r50__forms_and_withholding(player, ante, form, withheld):
    seat = paid(HOLLYWOOD, royal(HOLLYWOOD, ante, player=player))
    assert [(each.form, each.withheld_cents) for each in seat.forms] == [(form, withheld)]
    assert seat.paid_cents == 4 * ante + 4 * ante * 500 - withheld


def test_r50__below_300_times_nothing_is_withheld():
    # Straight flush on 200.00 at 100 to 1.
    seat = paid(HOLLYWOOD, hand(HOLLYWOOD, "9h 8h", ONES, ante=50_00))
    assert (seat.won_cents, seat.forms, seat.withheld_cents) == (20_000_00, (), 0)


@pytest.mark.parametrize(
    ("player", "form", "withheld"),
    [
        pytest.param(Player(), "W-2G", 2_399_76, id="24% of 9,999.00"),
        pytest.param(Player("foreign"), "1042-S", 3_000_00, id="30% of 10,000.00"),
    ],
)
def test_r50__a_token_that_dropped_is_part_of_the_wager(player, form, withheld):
    # A straight flush wins a tenth of 100,000.00 for a token of 1.00.
    held = hand(SENECA, "9d 8d 7d 6d 5d", (2,), side={"progressive": 1_00}, player=player)
    play = Play((held,), 5_00, {"dealer": cards("Qc Jc 7s 5s 3h")}, 100_000_00)
    seat = settle(SENECA, play).seats[0]
    assert reported(seat) == [("progressive", 10_000_00)]
    assert [(each.form, each.withheld_cents) for each in seat.forms] == [(form, withheld)]


@pytest.mark.parametrize(
    ("player", "held", "now"),
    [
        pytest.param(UNKNOWN, 5_000_00, 215_00, id="without identification"),
        pytest.param(BARRED, 5_200_00, 15_00, id="barred"),
        pytest.param(Player(), 0, 5_215_00, id="anyone else"),
    ],
)
def test_r51__what_needs_a_form_is_held_or_everything_that_a_barred_person_won(player, held, now):
    # The royal wins 5,000.00 on 10.00; suited Q-J-10 wins 200.00 on 5.00.
    seat = paid(HOLLYWOOD, royal(HOLLYWOOD, 2_50, side={"board-bonus": 5_00}, player=player))
    assert seat.won_cents == 5_200_00
    assert (seat.held_cents, seat.withheld_cents, seat.paid_cents) == (held, 0, now)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_r51__what_needs_no_form_is_paid_without_identification(book):
    if book is SENECA:
        held = hand(book, "Kh Kd 9s 5c 2d", (2,), player=UNKNOWN)
        play = Play((held,), 5_00, {"dealer": cards("Ad Ks 7h 4c 2s")}, 0)
    else:
        held = hand(book, "Kc Kd", ONES, player=UNKNOWN)
        play = Play((held,), 5_00, {"board": cards("2h 7d 9s")})
    seat = settle(book, play).seats[0]
    assert seat.won_cents > 0
    assert (seat.held_cents, seat.paid_cents) == (0, seat.returned_cents)
