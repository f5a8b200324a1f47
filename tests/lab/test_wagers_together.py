"""Side wagers beside the game: exact means, the game's own outcomes, and rounds that are dealt."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace

from pitboss import maths, rulebook
from pitboss.cards import DECK, cards
from pitboss.errors import Unreadable, Unsolved
from pitboss.hands import ranking
from pitboss.lab import wagers_together
from pitboss.lab.chi_square import of_classes
from pitboss.lab.distributions import moments, one_round
from pitboss.lab.wagers_together import together
from pitboss.maths.price import At, expected_value
from pitboss.maths.side_wagers import rows_counted
from tests.helpers import (
    CASINO_HOLDEM,
    DIAMOND_JO,
    HOLLYWOOD,
    LET_IT_RIDE,
    SENECA,
    THREE_CARD,
    ULTIMATE,
)

ANTE = 10_00
ENVY = rulebook.load("common/caribbean-stud-envy")
CASES = (
    (HOLLYWOOD, {"board-bonus": 2_00, "pocket-bonus": 3_00, "lo-ball": 5_00, "all-six": 1_00}),
    (SENECA, {"progressive": 1_00}),
    (ENVY, {"five-card-bonus": 5_00}),
    (LET_IT_RIDE, {"three-card-bonus": 7_00}),
    (THREE_CARD, {"pair-plus": 15_00}),
)


@pytest.mark.parametrize(("book", "stakes"), CASES, ids=lambda each: getattr(each, "id", ""))
def test_counted_together_they_are_worth_what_each_is_alone(book, stakes):
    """Means add up whatever the cards have to do with each other; and the game stays the game."""
    solution = maths.solve(book, ANTE)
    found = together(solution, stakes)
    assert found.sampled == 0
    each = sum(expected_value(book, spot) * stake for spot, stake in stakes.items())
    assert found.statistics.value * ANTE == solution.value * ANTE + each
    main: Counter[tuple[str, int]] = Counter()
    for outcome in found.outcomes:
        main[outcome.event, outcome.stake] += outcome.deals
    times = sum(main.values()) // solution.deals
    alone: Counter[tuple[str, int]] = Counter()
    for outcome in solution.outcomes:
        alone[outcome.event, outcome.stake] += times * outcome.deals
    assert main == alone
    # The same cards settle them, so that variances do not add up.
    apart = [_variance(book, spot, stake) for spot, stake in stakes.items()]
    assert found.statistics.variance > solution.statistics.variance + sum(apart) / ANTE**2


def _variance(book, spot: str, stake: int) -> Fraction:
    """Of a side wager alone, in square cents."""
    table = book.tables[book.spots[spot].table]
    counted, whole = rows_counted(book, table)
    nets = wagers_together.row_nets(book, table, stake, At().meter(book))
    pairs = [(net, counted[row.row]) for net, row in zip(nets, table.rows, strict=True)]
    mean, square = (Fraction(sum(n**k * ways for n, ways in pairs), whole) for k in (1, 2))
    return square - mean**2


@pytest.mark.parametrize(
    ("book", "stakes"), [CASES[0], CASES[1], CASES[4]], ids=lambda each: getattr(each, "id", "")
)
def test_rounds_that_are_dealt_come_out_the_same(book, stakes):
    solution = maths.solve(book, ANTE)
    tables = [book.tables[book.spots[name].table] for name in stakes]
    dealt, due = (
        Counter({(rows, each.event, each.stake, each.net_units): each.deals for rows, each in some})
        for some in (
            wagers_together._dealt(solution, tables, 1 << 18, 16),
            wagers_together._counted(solution, tables),
        )
    )
    assert sum(dealt.values()) == 1 << 18
    assert dealt.keys() <= due.keys()
    order = sorted(due, key=lambda key: due[key])
    fit = of_classes(np.array([dealt[key] for key in order]), [due[key] for key in order])
    assert fit.p > 1e-4


def test_what_a_token_and_the_game_have_in_common():
    """By hand: a royal flush wins the meter, whatever the dealer has, and is never folded."""
    solution = maths.solve(SENECA, ANTE)
    found = together(solution, {"progressive": 1_00}, meter_cents=123_456_70)
    royals = Counter(
        {o.event: o.deals for o in found.outcomes if o.net_units > 123_456_70 - 200_00}
    )
    deals = sum(each.deals for each in found.outcomes)
    assert Fraction(sum(royals.values()), deals) == Fraction(1, 649_740)
    assert "fold-1" not in royals
    assert found.statistics.value * ANTE == solution.value * ANTE + 1_00 * expected_value(
        SENECA, "progressive", At(meter_cents=123_456_70)
    )
    folds = [each for each in found.outcomes if each.event == "fold-1"]
    assert {each.net_units for each in folds} == {-ANTE - 1_00}


def test_what_is_not_counted_is_dealt_and_says_so():
    """A wager on one's own cards and one that is not of the game."""
    table = HOLLYWOOD.tables["board-bonus"]
    part = replace(table, cards=("seats", "all-six"))
    solution = maths.solve(HOLLYWOOD, ANTE)
    with pytest.raises(Unsolved):
        list(wagers_together._counted(solution, [part]))
    some = list(wagers_together._dealt(solution, [part], 1 << 16, 7))
    assert sum(each.deals for _, each in some) == 1 << 16
    # Seat and one further card are any three: a pair, or better, as often as on the board.
    rows: Counter[int] = Counter()
    for (row,), each in some:
        rows[row] += each.deals
    three, whole = rows_counted(HOLLYWOOD, table)
    due = [three[row.row] for row in table.rows]
    fit = of_classes(np.array([rows[at] for at in range(len(due))]), due)
    assert (sum(due), fit.p > 1e-4) == (whole, True)


def test_on_a_shared_board_the_cards_lie_as_they_are_simulated():
    """The board leads the deck, then the dealer's cards, then the seat's."""
    lies = dict(wagers_together._places(ULTIMATE))
    assert lies == {"board": range(5), "dealer": range(5, 7), "seats": range(7, 9)}
    turned = dict(wagers_together._places(CASINO_HOLDEM))
    assert (turned["flop"], turned["turn-and-river"]) == (range(3), range(3, 5))


def test_without_side_wagers_it_is_the_game():
    solution = maths.solve(DIAMOND_JO)
    assert together(solution, {}).outcomes == solution.outcomes
    one = one_round(solution.outcomes, solution.units)
    assert moments(one)[0] == solution.value * solution.units


@pytest.mark.parametrize(
    ("book", "stakes", "why"),
    [
        (HOLLYWOOD, {"high-ball": 5_00}, "there are board-bonus"),
        (HOLLYWOOD, {"ante": 5_00}, "no side wager 'ante'"),
        (HOLLYWOOD, {"lo-ball": 50}, r"takes \$1 or more, not \$0.50"),
        (SENECA, {"progressive": 5_00}, r"takes \$1, not \$5"),
        (LET_IT_RIDE, {"three-card-bonus": 26_00}, r"takes \$25, not \$26"),
    ],
)
def test_wagers_that_cannot_be_placed_are_refused(book, stakes, why):
    with pytest.raises(Unreadable, match=why):
        together(maths.solve(book, ANTE), stakes)


def test_side_wagers_need_an_ante():
    with pytest.raises(Unreadable, match="beside an ante"):
        together(maths.solve(SENECA), {"progressive": 1_00})


def test_one_further_card_by_brute_force():
    """Five given cards and each of the other 47."""
    table = HOLLYWOOD.tables["all-six"]
    kinds, of_five = wagers_together._with_one_more(table)
    assert (kinds.sum(axis=1) == 47).all()
    order = ranking("five-card")
    for written in ("As Ks Qs Js 2d", "7c 7d 7h 2s 3s", "2c 5d 9h Jc Ks"):
        five = cards(written)
        counts: Counter[str] = Counter()
        for card in set(DECK) - set(five):
            best = max(order.strength(hand) for hand in combinations((*five, card), 5))
            counts[table.row_for(best).row] += 1
        own, board = (np.array(part, np.uint8)[:, None] for part in (five[:2], five[2:]))
        found = kinds[of_five[wagers_together._fives(own, board)[0]]]
        assert dict(zip((row.row for row in table.rows), found.tolist(), strict=True)) == {
            row.row: counts[row.row] for row in table.rows
        }
