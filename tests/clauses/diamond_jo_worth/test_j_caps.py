"""J: the aggregate payout, what it binds and what it leaves alone."""

import pytest

from pitboss import rulebook
from pitboss.round import actions
from pitboss.rulebook.loader import HOUSES
from pitboss.settle import of_round, settle
from tests.helpers import (
    DIAMOND_JO,
    hand,
    line,
    opened,
    played,
    refused,
    settled,
    stacked,
    started,
)

TOLD = ("general-manager", "director-of-table-games")
ROYAL = {"held": "Ah Kh", "board": "Th Jh Qh"}


def royal(ante, raises, minimum=5_00):
    """A royal flush alone at a table."""
    seat = hand(DIAMOND_JO, ROYAL["held"], raises, ante=ante)
    return settled(DIAMOND_JO, seat, minimum=minimum, board=ROYAL["board"])


def test_j_1__side_wagers_are_paid_in_full_beyond_the_aggregate():
    # Three players with seven high, $100 each at 100 to 1: $30,000 on a $25,000 table.
    low = [
        hand(DIAMOND_JO, held, (1, 1, 1), seat=seat, side={"lo-ball": 100_00})
        for seat, held in enumerate(("7s 5c", "7h 5d", "7d 5h"), start=1)
    ]
    done = settled(DIAMOND_JO, *low, board="2c 3d 4h")
    assert [line(done, "lo-ball", seat).won_cents for seat in (1, 2, 3)] == [10_000_00] * 3
    assert done.notify == ()


def test_j_1__side_wagers_take_nothing_from_the_aggregate():
    """A straight flush and, beside it on the same board, a Lo Ball at 100 to 1."""
    capped = hand(DIAMOND_JO, "5h 6h", (3, 3, 3), ante=100_00, side={"board-bonus": 100_00})
    low = hand(DIAMOND_JO, "7c 5d", (1, 1, 1), seat=2, side={"lo-ball": 100_00})
    done = settled(DIAMOND_JO, capped, low, board="2h 3h 4h")
    assert line(done, "board-bonus").won_cents == 4_000_00  # 40 to 1
    assert line(done, "lo-ball", 2).won_cents == 10_000_00
    assert done.seats[0].won_cents == 25_000_00 + 4_000_00


@pytest.mark.parametrize(
    ("minimum", "cap"), [(5_00, 25_000_00), (10_00, 50_000_00), (15_00, 75_000_00)]
)
def test_j_2__the_most_a_round_pays_follows_the_minimum_and_binds_a_single_winner(minimum, cap):
    done = royal(100_00, (3, 3, 3), minimum)  # $1,000 at 500 to 1 would be $500,000
    assert done.cap_cents == cap
    assert done.seats[0].won_cents == cap
    assert done.seats[0].returned_cents == cap + 1_000_00  # stakes are not payout


def test_j_2__a_win_of_exactly_the_maximum_is_paid_as_it_is():
    done = royal(5_00, (3, 3, 3))  # $50 at 500 to 1
    assert done.seats[0].won_cents == 25_000_00
    assert [each.won_cents for each in done.seats[0].lines] == [
        5_00 * 500,
        15_00 * 500,
        15_00 * 500,
        15_00 * 500,
    ]
    assert done.notify == ()


def test_j_2__a_win_just_over_the_maximum_is_cut_to_it():
    done = royal(12_51, (1, 1, 1))  # $50.04 at 500 to 1 would be $25,020
    assert done.seats[0].won_cents == 25_000_00
    assert [each.nominal_cents for each in done.seats[0].lines] == [6_255_00] * 4
    assert [each.won_cents for each in done.seats[0].lines] == [6_250_00] * 4


def test_j_2__the_table_is_marked_with_the_maximum():
    [notice] = [each for each in DIAMOND_JO.notice if "J.2" in each.clause.split()]
    assert "sign" in notice.where


def test_j_3__four_of_a_kind_at_40_to_1_is_paid_in_full():
    quads = hand(DIAMOND_JO, "2h 2d", (3, 3, 3), ante=100_00)
    done = settled(DIAMOND_JO, quads, board="2c 2s 3d")
    assert done.seats[0].won_cents == 40_000_00  # $1,000 at 40 to 1, on a $25,000 table
    assert done.notify == ()


@pytest.mark.parametrize(
    ("odds", "won", "told"),
    [("50 to 1", 50_000_00, ()), ("51 to 1", 25_000_00, TOLD), ("101 to 2", 25_000_00, TOLD)],
)
def test_j_3__the_aggregate_begins_above_50_to_1(odds, won, told):
    written = (HOUSES / "diamond-jo-worth/cajun-stud.toml").read_text("utf-8")
    changed = written.replace('"40 to 1", clause = "I.2.c"', f'"{odds}", clause = "I.2.c"')
    assert changed != written
    book = rulebook.parse(changed)
    done = settled(book, hand(book, "2h 2d", (3, 3, 3), ante=100_00), board="2c 2s 3d")
    assert done.seats[0].won_cents == won
    assert done.notify == told


@pytest.mark.parametrize(
    ("maximum", "ante", "toke", "code"),
    [
        (25_00, 25_00, 2_50, ""),
        (25_00, 25_00, 2_51, "toke/above-maximum"),
        (100_00, 100_00, 10_00, ""),
        (100_00, 100_00, 10_01, "toke/above-maximum"),
        (100_00, 5_00, 5_00, ""),
        (100_00, 5_00, 5_01, "toke/above-own-bet"),
    ],
)
def test_j_4__a_toke_is_at_most_a_tenth_of_the_maximum_and_the_players_own_bet(
    maximum, ante, toke, code
):
    game = opened(DIAMOND_JO, {1: {}}, maximum=maximum)
    bet = actions.Bet(1, {"ante": ante}, toke)
    if code:
        no = refused(game, bet)
        assert no.code == code
        assert no.clause.split(",")[0] == "J.4"
    else:
        game.do(bet)
        assert game.state.seats[1].toke_cents == toke


def test_j_4__a_toke_without_a_bet_is_refused():
    game = opened(DIAMOND_JO, {1: {}}, maximum=100_00)
    assert refused(game, actions.Bet(1, {}, 1_00)).code == "toke/above-own-bet"


def test_j_4__a_toke_is_paid_in_full_beside_a_capped_hand():
    seat = hand(DIAMOND_JO, ROYAL["held"], (3, 3, 3), ante=100_00, toke_cents=10_00)
    done = settled(DIAMOND_JO, seat, board=ROYAL["board"])
    assert line(done, "toke").won_cents == 5_000_00  # $10 at 500 to 1
    assert done.seats[0].won_cents == 25_000_00


def test_j_4__a_toke_takes_nothing_from_the_aggregate():
    seat = hand(DIAMOND_JO, ROYAL["held"], (3, 3, 3), ante=5_00, toke_cents=5_00)
    done = settled(DIAMOND_JO, seat, board=ROYAL["board"])
    assert line(done, "toke").won_cents == 2_500_00
    assert done.seats[0].won_cents == 25_000_00  # exactly the maximum: nothing was cut
    assert done.notify == ()


@pytest.mark.parametrize(
    ("held", "streets", "returned"),
    [("Jh Jd", 3, 4_00), ("6h 6d", 3, 2_00), ("5h 5d", 3, 0), ("Jh Jd", 0, 0)],
    ids=["win", "push", "loss", "fold"],
)
def test_j_4__a_toke_rides_the_ante_of_its_player(held, streets, returned):
    deck = stacked(held, "2c 8s Kc")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck, maximum=100_00, tokes={1: 2_00})
    played(game, deck, *([{1: 1}] * streets or [{1: 0}]))
    done = settle(DIAMOND_JO, of_round(game.state))
    assert line(done, "toke").returned_cents == returned


def test_j_5__use_of_the_aggregate_is_told_to_general_manager_and_director():
    assert royal(100_00, (3, 3, 3)).notify == TOLD
    assert royal(5_00, (1, 1, 1)).notify == ()
    assert "J.5" in DIAMOND_JO.cap[0].clauses["notify"].split()
