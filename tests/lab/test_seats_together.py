"""Seats that share a board: counted pair by pair, against brute force and rounds that are dealt."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pitboss import maths
from pitboss.errors import Unreadable, Unsolved
from pitboss.lab import seats_together
from pitboss.lab.distributions import moments
from pitboss.lab.random_deals import chance_of, deal
from pitboss.lab.seats_together import pairs_of_seats, seated, two_seats
from pitboss.lab.simulation_tables import tabulated
from tests.helpers import HOLLYWOOD, LET_IT_RIDE, SENECA


@pytest.fixture(scope="module")
def solution():
    return maths.solve(HOLLYWOOD)


@pytest.fixture(scope="module")
def pairs(solution):
    return two_seats(solution)


def test_each_seat_is_dealt_the_game(solution, pairs):
    assert sum(pairs.values()) == pairs_of_seats()
    times, left = divmod(pairs_of_seats(), solution.deals)
    assert left == 0
    one: Counter[int] = Counter()
    other: Counter[int] = Counter()
    due: Counter[int] = Counter()
    for (a, b), ways in pairs.items():
        one[a] += ways
        other[b] += ways
    for each in solution.outcomes:
        due[each.net_units] += times * each.deals
    assert one == other == due
    assert all(pairs[b, a] == ways for (a, b), ways in pairs.items())


def test_hands_with_a_card_in_common_are_taken_away():
    """Eight cards left, hands of two, three ways to end: every two hands, one by one."""
    holes = np.array(list(combinations(range(8), 2)))
    ended = np.random.default_rng(7).integers(0, 3, len(holes))
    due = np.zeros((3, 3), int)
    for a, mine in enumerate(holes):
        for b, theirs in enumerate(holes):
            if not set(mine) & set(theirs):
                due[ended[a], ended[b]] += 1
    assert (seats_together._apart(ended, holes, 8, 3) == due).all()


def test_two_seats_and_six(solution):
    alone = solution.statistics.variance
    two = seated(solution, 2)
    assert (two.sampled, two.exact_variance) == (0, True)
    assert moments(two.distribution)[0] == 2 * solution.value * solution.units
    assert moments(two.distribution)[1] == two.variance * solution.units**2
    assert two.variance == 2 * alone * (1 + two.correlation)
    six = seated(solution, 6, sample=1 << 16)
    assert (six.sampled, six.exact_variance) == (1 << 16, True)
    assert six.variance == 6 * alone * (1 + 5 * two.correlation)


def test_rounds_that_are_dealt_come_out_the_same(solution, pairs):
    """By the mean product of the nets, cut where a straight flush would drown the rest."""
    most = 200
    whole = sum(pairs.values())

    def product(power: int) -> Fraction:
        cut = (((min(a, most) * min(b, most)) ** power, ways) for (a, b), ways in pairs.items())
        return Fraction(sum(value * ways for value, ways in cut), whole)

    kernel, outcomes = tabulated(solution, None, 2)
    nets = np.minimum([each.net_units for each in outcomes], most)
    rounds, total = 1 << 18, 0
    for block in range(4):
        chance = chance_of(16, block)
        ended = kernel.settle(deal(chance, rounds // 4, kernel.cards))
        total += int((nets[ended[0]] * nets[ended[1]]).sum())
    error = float((product(2) - product(1) ** 2) / rounds) ** 0.5
    assert abs(total / rounds - float(product(1))) < 4 * error
    assert float(product(1)) > 5 * error  # which independent seats would not come to


def test_against_a_dealer_they_are_dealt_and_it_is_said():
    solution = maths.solve(SENECA)
    with pytest.raises(Unsolved):
        two_seats(solution)
    with pytest.raises(Unsolved):
        two_seats(maths.solve(LET_IT_RIDE))
    found = seated(solution, 6, sample=1 << 17)
    assert (found.sampled, found.exact_variance) == (1 << 17, False)
    assert 0.05 < found.correlation < 0.2
    assert found.variance > 6 * solution.statistics.variance


def test_a_table_has_so_many_seats():
    solution = maths.solve(SENECA)
    for seats in (0, 7):
        with pytest.raises(Unreadable, match="1 to 6 seats"):
            seated(solution, seats)
    assert seated(solution, 1).variance == solution.statistics.variance
