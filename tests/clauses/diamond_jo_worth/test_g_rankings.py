"""G: the order of hands."""

from itertools import pairwise

from pitboss.cards import cards
from pitboss.hands import ranking
from tests.helpers import DIAMOND_JO, hand, settled

BEST_FIRST = [
    ("Ah Kh", "Th Jh Qh"),  # royal flush
    ("9h 8h", "Th Jh Qh"),  # straight flush
    ("2h 2d", "2c 2s 3d"),  # four of a kind
    ("3h 3d", "3c 2s 2d"),  # full house
    ("2h 3h", "4h 5h 7h"),  # flush
    ("Ah 2d", "3c 4s 5d"),  # straight
    ("2h 2d", "2c 3s 4d"),  # three of a kind
    ("2h 2d", "3c 3s 4d"),  # two pair
    ("Jh Jd", "2c 3s 4d"),  # jacks or better
    ("Th Td", "Ac Ks Qd"),  # sixes to tens
    ("5h 5d", "Ac Ks Qd"),  # anything less
]


def test_g_1__hands_rank_in_the_printed_order():
    five = ranking("five-card")
    strengths = [five.strength(cards(f"{held} {board}")) for held, board in BEST_FIRST]
    assert all(better > worse for better, worse in pairwise(strengths))


def test_g_1__and_a_better_hand_never_pays_less():
    returned = [
        settled(DIAMOND_JO, hand(DIAMOND_JO, held, (1, 1, 1), ante=5_00), board=board)
        .seats[0]
        .returned_cents
        for held, board in BEST_FIRST
    ]
    assert all(better > worse for better, worse in pairwise(returned))
    assert returned[0] == 20_00 * 501
    assert returned[-1] == 0


def test_g_1__suits_never_rank():
    five = ranking("five-card")
    assert len({five.strength(cards(f"A{s} K{s} Q{s} 9{s} 2{s}")) for s in "cdhs"}) == 1
