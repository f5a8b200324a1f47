"""K: several winners share the aggregate pro rata."""

import pytest

from pitboss.money import divide, odds, times
from pitboss.round import actions
from pitboss.settle import Reason, of_round, settle
from pitboss.settle.caps import apply_cap
from pitboss.settle.lines import Draft
from tests.helpers import DIAMOND_JO, hand, line, played, settled, stacked, started

TOLD = ("general-manager", "director-of-table-games")


def won(stake: int, at: str) -> Draft:
    """A stack that has won at these odds, before any ceiling."""
    draft = Draft("ante", stake, "win", [Reason("row-win", "I.2")], odds(at))
    draft.wins(times(stake, odds(at)))
    return draft


def test_k_1__the_documents_example_with_four_players():
    players = [won(40_00, "500 to 1"), won(100_00, "100 to 1")]
    players += [won(5_00, "100 to 1"), won(50_00, "40 to 1")]
    assert [each.won_cents for each in players] == [20_000_00, 10_000_00, 500_00, 2_000_00]
    assert apply_cap(DIAMOND_JO, 0, 5_00, [[each] for each in players])
    assert [each.won_cents for each in players] == [16_393_44, 8_196_72, 409_84, 2_000_00]
    assert 16_393_44 + 8_196_72 + 409_84 == 25_000_00
    assert [each.nominal_cents for each in players] == [20_000_00, 10_000_00, 500_00, 2_000_00]


def test_k_1__the_examples_division():
    claims = [20_000_00, 10_000_00, 500_00]
    assert sum(claims) == 30_500_00
    assert divide(25_000_00, claims) == [16_393_44, 8_196_72, 409_84]
    # 16,393.4426, 8,196.7213 and 409.8360: the last remainder is the largest and gets the cent
    assert [25_000_00 * each // 30_500_00 for each in claims] == [16_393_44, 8_196_72, 409_83]


def test_k_1__a_royal_and_a_straight_flush_on_one_board_share_25_000():
    deck = stacked("Ah Kh", "9h 8h", "Th Jh Qh")
    bets = {1: {"ante": 10_00}, 2: {"ante": 10_00}}
    game = started(DIAMOND_JO, bets, deck, maximum=100_00)
    played(game, deck, *[{1: 1, 2: 3}] * 3)
    done = settle(DIAMOND_JO, of_round(game.state))
    one, two = done.seats
    # $40 at 500 to 1 is 20,000, $100 at 100 to 1 is 10,000: two thirds and one third of 25,000
    assert (one.won_cents, two.won_cents) == (16_666_67, 8_333_33)
    assert (one.returned_cents, two.returned_cents) == (16_706_67, 8_433_33)
    # and within a stack by the same rule: a quarter each, the spare cents from the left
    assert [each.won_cents for each in one.lines] == [4_166_67, 4_166_67, 4_166_67, 4_166_66]
    # 833.333 and three times 2,499.999: the three largest remainders get the cents
    assert [each.won_cents for each in two.lines] == [833_33, 2_500_00, 2_500_00, 2_500_00]
    assert done.notify == TOLD
    for each in (*one.lines, *two.lines):
        [shared] = [reason for reason in each.reasons if reason.code == "cap-shared"]
        assert "K.1" in shared.clause.replace(",", " ").split()
    game.do(actions.Pay())


def test_k_1__two_straight_flushes_share_it():
    big = hand(DIAMOND_JO, "Kh Qh", (3, 3, 3), seat=1, ante=40_00)  # $400: 40,000
    small = hand(DIAMOND_JO, "8h 7h", (3, 3, 3), seat=2, ante=10_00)  # $100: 10,000
    done = settled(DIAMOND_JO, big, small, board="9h Th Jh")
    assert [each.won_cents for each in done.seats] == [20_000_00, 5_000_00]


def test_k_1__together_within_the_aggregate_nobody_is_cut():
    one = hand(DIAMOND_JO, "Ah Kh", (1, 1, 1), seat=1)  # $40 at 500 to 1
    two = hand(DIAMOND_JO, "9h 8h", (2, 1, 1), seat=2)  # $50 at 100 to 1
    done = settled(DIAMOND_JO, one, two, board="Th Jh Qh")
    assert [each.won_cents for each in done.seats] == [20_000_00, 5_000_00]  # exactly 25,000
    assert done.notify == ()


def test_k_1__winners_at_50_to_1_or_less_neither_share_nor_shrink_it():
    royal = hand(DIAMOND_JO, "Ah Kh", (3, 3, 3), seat=1)  # $100 at 500 to 1: 50,000
    flush = hand(DIAMOND_JO, "2h 3h", (3, 3, 3), seat=2, ante=100_00)  # $1,000 at 6 to 1
    straight = hand(DIAMOND_JO, "9c 8c", (3, 3, 3), seat=3, ante=100_00)  # $1,000 at 4 to 1
    done = settled(DIAMOND_JO, royal, flush, straight, board="Th Jh Qh")
    assert [each.won_cents for each in done.seats] == [25_000_00, 6_000_00, 4_000_00]


def test_k_1__a_folded_winner_has_no_share():
    royal = hand(DIAMOND_JO, "Ah Kh", (3, 3, 0), seat=1)
    other = hand(DIAMOND_JO, "9h 8h", (3, 3, 3), seat=2, ante=30_00)  # $300 at 100 to 1: 30,000
    done = settled(DIAMOND_JO, royal, other, board="Th Jh Qh")
    assert [each.won_cents for each in done.seats] == [0, 25_000_00]
    assert line(done, "ante", 2).reasons[-1].code == "cap"


@pytest.mark.parametrize(
    ("ante", "told"), [(10_00, ()), (30_00, TOLD)], ids=["not used", "used pro rata"]
)
def test_k_2__a_pro_rata_payout_is_told_to_general_manager_and_director(ante, told):
    one = hand(DIAMOND_JO, "Kh Qh", (3, 3, 3), seat=1, ante=ante)
    two = hand(DIAMOND_JO, "8h 7h", (3, 3, 3), seat=2, ante=ante)
    done = settled(DIAMOND_JO, one, two, board="9h Th Jh")
    assert done.notify == told
    assert "K.2" in DIAMOND_JO.cap[0].clauses["notify"].split()
