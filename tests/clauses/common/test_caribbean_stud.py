"""Caribbean Stud's common variants, and an award to everybody else, money worked out by hand."""

import pytest

from pitboss import rulebook
from tests.helpers import hand, line, settled

PLAIN = rulebook.load("common/caribbean-stud")
RICH = rulebook.load("common/caribbean-stud-royal")
ENVY = rulebook.load("common/caribbean-stud-envy")
DEALER = "As Kc 9d 7c 2s"
SIDE = {"five-card-bonus": 5_00}
FLUSH, ROYAL, NOTHING = "9h 8h 7h 6h 5h", "Ad Kd Qd Jd Td", "Ac Jc 8c 4s 3d"


@pytest.mark.parametrize(("book", "times"), [(PLAIN, 100), (RICH, 200), (ENVY, 100)])
def test_5__what_a_bet_that_wins_pays(book, times):
    result = settled(book, hand(book, ROYAL, [2]), dealer=DEALER)
    assert line(result, "bet").won_cents == times * 20_00
    less = settled(book, hand(book, FLUSH, [2]), dealer=DEALER)
    assert line(less, "bet").won_cents == 50 * 20_00


def test_4__without_ace_king_the_ante_is_paid_and_the_bet_goes_back():
    result = settled(PLAIN, hand(PLAIN, "2c 3d 5h 7s 8d", [2]), dealer="Qs Kc 9d 7c 2s")
    assert [line(result, spot).returned_cents for spot in ("ante", "bet")] == [20_00, 20_00]


def test_6__odds_for_one_count_the_stake():
    result = settled(PLAIN, hand(PLAIN, FLUSH, [2], side=SIDE), dealer=DEALER)
    paid = line(result, "five-card-bonus")
    assert (str(paid.odds), paid.won_cents, paid.returned_cents) == ("200 for 1", 995_00, 1_000_00)


def test_6__everybody_else_with_the_wager_is_paid_too():
    seats = [
        hand(ENVY, FLUSH, [2], seat=1, side=SIDE),
        hand(ENVY, ROYAL, [2], seat=2, side=SIDE),
        hand(ENVY, NOTHING, [0], seat=3, side=SIDE),
        hand(ENVY, "2h 3h 5c 7d 8s", [2], seat=4),
    ]
    result = settled(ENVY, *seats, dealer="Qs Kc 9d 7c 2s")
    paid = [line(result, "five-card-bonus", seat) for seat in (1, 2, 3)]
    assert [each.won_cents for each in paid] == [
        995_00 + 1_000_00,  # its own straight flush, and the other's royal
        4_995_00 + 300_00,
        300_00 + 1_000_00,  # though its own stake is lost, and the hand folded
    ]
    assert [each.returned_cents - each.won_cents for each in paid] == [5_00, 5_00, 0]
    assert [each.spot for each in result.seats[3].lines] == ["ante", "bet"]
    assert result.seats[2].paid_cents == 1_300_00


def test_6__nobody_is_paid_for_the_own_hand():
    result = settled(ENVY, hand(ENVY, FLUSH, [2], side=SIDE), dealer=DEALER)
    assert line(result, "five-card-bonus").won_cents == 995_00
