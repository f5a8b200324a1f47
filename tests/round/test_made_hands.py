"""What cards are already worth, whatever comes after them."""

import pytest

from pitboss.cards import cards
from pitboss.hands import ranking
from pitboss.round import made_hands
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("Kh Kd", "pair of kings"),
        ("2h 3h 4h 5h", "seven high"),
        ("2h 2d 2c 2s", "four of a kind, twos"),
        ("2h 2d 2c 5s 7h 7d", "full house, twos over sevens"),
    ],
)
def test_cards_are_worth_the_weakest_hand_they_can_become(held, name):
    hand = made_hands.made(ranking("five-card"), cards(held))
    assert hand is not None
    assert hand.name == name


@pytest.mark.parametrize(
    ("book", "table", "held", "row"),
    [
        (DIAMOND_JO, "main", "2h 3d", ""),
        (DIAMOND_JO, "lo-ball", "2h 3d 4c 5s", ""),
        (DIAMOND_JO, "lo-ball", "2h 3d 4c 5s 7h", "seven-high"),
        (DIAMOND_JO, "board-bonus", "", ""),
        (HOLLYWOOD, "all-six", "2h 2d 2c 5s 7h", "three-of-a-kind"),
        (MISSISSIPPI, "main", "7h 7d", "sixes-to-tens"),
        (SENECA, "bet", "2h 3d 4c 5s 7h", "nothing"),
    ],
)
def test_a_row_is_made_when_no_card_can_unmake_it(book, table, held, row):
    found = made_hands.made_row(book, book.tables[table], cards(held))
    assert (found.row if found else "") == row
