"""I.4 and I.5: what Pocket Bonus and Lo Ball pay, to the cent."""

from collections import Counter
from itertools import combinations

import pytest

from pitboss.cards import DECK
from tests.helpers import DIAMOND_JO, hand, line, settled


def pays(spot: str, held: str, board: str = "3c 7d 9s") -> tuple[str, int]:
    """Clause, and what comes back for $4 on this side wager."""
    seat = hand(DIAMOND_JO, held, (1, 1, 1), ante=5_00, side={spot: 4_00})
    found = line(settled(DIAMOND_JO, seat, board=board), spot)
    return found.clause, found.returned_cents


def test_i_4__all_1326_pockets_fall_on_these_lines():
    table = DIAMOND_JO.tables["pocket-bonus"]
    pockets = Counter(table.row_for(table.order.strength(p)).row for p in combinations(DECK, 2))
    assert pockets == {
        "aces": 6,
        "ace-face-suited": 12,
        "ace-face-unsuited": 36,
        "pair": 72,
        "nothing": 1_200,
    }


@pytest.mark.parametrize("held", ["Ah Th", "Ah Td", "Kh Qh", "Kh Jd", "3h 2d"])
def test_i_4__anything_else_loses(held):
    assert pays("pocket-bonus", held) == ("E.a", 0)


def test_i_4_a__a_pair_of_aces_pays_25_to_1_and_not_5_more():
    assert pays("pocket-bonus", "Ah Ad") == ("I.4.a", 104_00)


@pytest.mark.parametrize("face", "KQJ")
def test_i_4_b__a_suited_ace_with_a_face_pays_20_to_1(face):
    assert pays("pocket-bonus", f"{face}h Ah") == ("I.4.b", 84_00)


@pytest.mark.parametrize("face", "KQJ")
def test_i_4_c__an_unsuited_ace_with_a_face_pays_10_to_1(face):
    assert pays("pocket-bonus", f"Ah {face}d") == ("I.4.c", 44_00)


@pytest.mark.parametrize("rank", "23456789TJQK")
def test_i_4_d__any_other_pair_pays_5_to_1(rank):
    assert pays("pocket-bonus", f"{rank}h {rank}d", "4s 8s As") == ("I.4.d", 24_00)


def test_i_5__all_2598960_hands_fall_on_these_lines():
    table = DIAMOND_JO.tables["lo-ball"]
    classes = Counter(table.row_for(each.strength).row for each in table.order.classes)
    # Five ranks that make no straight come in 4**5 suits, of which 4 are flushes.
    low = {row: count * 1_020 for row, count in classes.items() if row != "queen-high-or-higher"}
    assert low == {
        "seven-high": 4_080,
        "eight-high": 14_280,
        "nine-high": 34_680,
        "ten-high": 70_380,
        "jack-high": 127_500,
    }


def test_i_5_a__seven_high_pays_100_to_1():
    assert pays("lo-ball", "7c 5d", "2h 3s 4c") == ("I.5.a", 404_00)


def test_i_5_b__eight_high_pays_50_to_1():
    assert pays("lo-ball", "8c 5d", "2h 3s 4c") == ("I.5.b", 204_00)


def test_i_5_c__nine_high_pays_15_to_1():
    assert pays("lo-ball", "9c 5d", "2h 3s 4c") == ("I.5.c", 64_00)


def test_i_5_d__ten_high_pays_5_to_1():
    assert pays("lo-ball", "Tc 5d", "2h 3s 4c") == ("I.5.d", 24_00)


def test_i_5_e__jack_high_pays_1_to_1():
    assert pays("lo-ball", "Jc 5d", "2h 3s 4c") == ("I.5.e", 8_00)


@pytest.mark.parametrize(
    ("held", "board"),
    [
        ("Qc 5d", "2h 3s 4c"),
        ("Kc 5d", "2h 3s 4c"),
        ("Ac 6d", "2h 3s 4c"),
        ("2c 5d", "2h 3s 4c"),
        ("7c 6d", "5h 3s 4c"),
        ("Ac 5d", "2h 3s 4c"),
        ("7h 5h", "2h 3h 4h"),
    ],
    ids=["queen", "king", "the ace is high", "pair", "straight", "wheel", "flush"],
)
def test_i_5_f__queen_high_or_higher_loses_and_so_does_any_made_hand(held, board):
    assert pays("lo-ball", held, board) == ("I.5.f", 0)
