"""The sign on the table: each idea of the vocabulary that a player must know of before betting."""

import pytest

from pitboss import rulebook
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.rule_card import WIDTH
from pitboss.rulebook.sign import Sign, sign, sign_text
from tests.helpers import CASINO_HOLDEM, CRAZY_4, FOUR_CARD, LET_IT_RIDE, MORE_BOOKS, THREE_CARD


def posted(book: Rulebook) -> Sign:
    wagers = {name: bounds(spot, 5_00, 100_00) for name, spot in book.opening.items()}
    return sign(book, 5_00, 100_00, wagers)


@pytest.mark.parametrize("book", MORE_BOOKS, ids=lambda book: book.id)
def test_every_line_fits(book: Rulebook) -> None:
    text = sign_text(posted(book))
    assert max(map(len, text.splitlines())) <= WIDTH + 2


def test_wagers_that_lie_equal_and_one_that_may_lie_alone() -> None:
    assert dict(posted(LET_IT_RIDE).wagers)["Bet 1"] == "as much as Bet 3"
    assert dict(posted(CRAZY_4).wagers)["Super Bonus"] == "as much as Ante"
    assert dict(posted(THREE_CARD).wagers)["Pair Plus"] == "$1 to $25, also without Ante"


def test_beside_a_wager_nothing_is_lost() -> None:
    beside, alone = posted(THREE_CARD).tables
    assert [row[1] for row in beside.rows] == ["5 to 1", "4 to 1", "1 to 1"]
    assert alone.rows[-1][:2] == ("Nothing", "lose")


@pytest.mark.parametrize(
    ("book", "table", "said"),
    [
        (CRAZY_4, "Queens Up", "Pair of queens or better"),
        (FOUR_CARD, "Aces Up", "Pair of aces"),
        (CASINO_HOLDEM, "AA Bonus", "Pair of aces"),
    ],
    ids=lambda each: getattr(each, "game", each),
)
def test_a_row_for_some_pairs_says_which(book: Rulebook, table: str, said: str) -> None:
    [rows] = [each.rows for each in posted(book).tables if each.title == table]
    assert said in [row[0] for row in rows]
    assert "Pair" not in [row[0] for row in rows]


def test_awards_to_others_stand_under_their_row() -> None:
    lines = sign_text(posted(rulebook.load("common/caribbean-stud-envy"))).splitlines()
    at = next(at for at, line in enumerate(lines) if line.rstrip().endswith("1000 for 1   6"))
    assert lines[at + 1].strip() == "$1,000 to everybody else with it"


def test_the_house_says_which_pay_table_it_has_chosen() -> None:
    book = rulebook.load("pennsylvania/ultimate-texas-holdem-c")
    assert [each.title for each in posted(book).tables] == [
        "Blind (choice A of A and B)",
        "Trips (choice C of A, B, C and D)",
    ]
