"""What rounds come to: closed forms, a naive second computation, and the error that is stated."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.lab.distributions import (
    MOST_ROUNDS,
    Distribution,
    after,
    moments,
    one_round,
)
from pitboss.maths.outcomes import statistics
from pitboss.maths.side_wagers import side_wager
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA

ALL = Fraction(1)
GAMES = (DIAMOND_JO, HOLLYWOOD, SENECA)


def rounds_of(book, ante_cents=None) -> Distribution:
    solution = maths.solve(book, ante_cents)
    return one_round(solution.outcomes, solution.units)


def added_up(one: Distribution, rounds: int) -> Counter[int]:
    """The naive way: every sum of every two."""
    found = Counter({0: 1})
    for _ in range(rounds):
        more: Counter[int] = Counter()
        for net, ways in found.items():
            for step, many in zip(one.nets, one.ways, strict=True):
                more[net + step] += ways * int(many)
        found = more
    return found


some_rounds = st.dictionaries(st.integers(-9, 30), st.integers(1, 50), min_size=2, max_size=6).map(
    lambda held: Distribution(
        1, tuple(sorted(held)), tuple(held[net] for net in sorted(held)), sum(held.values())
    )
)


@pytest.mark.parametrize("book", GAMES, ids=lambda book: book.id)
def test_one_round_is_its_outcomes(book):
    solution, found = maths.solve(book), after(rounds_of(book), 1, told=ALL)
    expected: Counter[int] = Counter()
    for each in solution.outcomes:
        expected[each.net_units] += each.deals
    assert dict(zip(found.nets, found.ways, strict=True)) == {
        net: Fraction(deals * int(found.whole), solution.deals) for net, deals in expected.items()
    }


@settings(deadline=None, max_examples=60)  # exact sums: a busy machine takes its time
@given(some_rounds, st.integers(1, 6))
def test_many_rounds_are_all_sums(one, rounds):
    found = after(one, rounds, told=ALL)
    assert Counter(dict(zip(found.nets, found.ways, strict=True))) == added_up(one, rounds)
    assert list(found.nets) == sorted(found.nets)
    assert sum(found.ways) == found.whole == one.whole**rounds


@pytest.mark.parametrize("book", GAMES, ids=lambda book: book.id)
def test_mean_and_variance_are_so_many_times_a_rounds(book):
    one = rounds_of(book)
    mean, variance = moments(one)
    assert mean == maths.solve(book).value * one.units
    whole = after(one, 3, told=ALL)
    assert sum(whole.ways) == whole.whole
    assert moments(whole) == (3 * mean, 3 * variance)


def test_a_wager_with_two_ends_is_binomial():
    """A bonus of which only the pair is looked at: 3 ends in 51."""
    rows = side_wager(HOLLYWOOD, HOLLYWOOD.spots["pocket-bonus"]).rows
    pairs = sum(row.ways for row in rows if row.hand in ("aces", "pair"))
    assert Fraction(pairs, 1326) == Fraction(3, 51)
    one = Distribution(1, (-1, 4), (1326 - pairs, pairs), 1326)
    found = after(one, 40, told=ALL)
    assert found.nets == tuple(5 * won - 40 for won in range(41))
    assert found.ways == tuple(
        comb(40, won) * pairs**won * (1326 - pairs) ** (40 - won) for won in range(41)
    )


def test_what_is_asked_of_a_distribution():
    one = rounds_of(SENECA, 10_00)
    found, every = after(one, 5), added_up(one, 5)
    whole = one.whole**5
    assert found.ahead == sum(ways for net, ways in every.items() if net > 0) / whole
    assert found.below(-30_00) == sum(ways for net, ways in every.items() if net < -30_00) / whole
    assert found.below(found.nets[0]) == 0
    for part in (Fraction(1, 100), Fraction(1, 2), Fraction(95, 100)):
        net = found.quantile(part)
        assert net is not None
        upto = sum(ways for each, ways in every.items() if each <= net)
        assert upto >= part * whole > upto - every[net]
    worst = Fraction(1, 20) * whole
    summed = left = Fraction(0)
    for net in sorted(every):
        ways = Fraction(every[net])
        ways = min(ways, Fraction(worst - left))
        summed, left = summed + net * ways, left + ways
    assert found.shortfall(Fraction(1, 20)) == float(summed / worst)
    assert found.quantile(Fraction(9999, 10_000)) is None


def test_an_award_of_odd_size_lies_between_the_others():
    one = Distribution(10, (-10, 10, 12_345), (600, 399, 1), 1000)
    found = after(one, 7, told=ALL)
    assert Counter(dict(zip(found.nets, found.ways, strict=True))) == added_up(one, 7)


@pytest.mark.parametrize(
    ("book", "ante"), [(DIAMOND_JO, 25_00), (HOLLYWOOD, None), (SENECA, 10_00)]
)
def test_sixty_four_bits_are_off_by_no_more_than_they_say(book, ante):
    one = rounds_of(book, ante)
    exact, close = after(one, 160, exact=True), after(one, 160, exact=False)
    assert exact.error == 0 < close.error < 1e-11
    chances = dict(zip(exact.nets, exact.chances(), strict=True))
    upto = 0.0
    for net, chance in zip(close.nets, close.chances(), strict=True):
        assert abs(chance - chances[net]) <= close.error
        upto += chance
        assert abs(upto - exact.below(net + 1)) <= close.error + 1e-15
    assert abs(close.ahead - exact.ahead) <= close.error
    for part in (Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)):
        assert close.quantile(part) == exact.quantile(part)


def test_what_would_take_too_long_is_refused():
    one = rounds_of(SENECA)
    for rounds in (0, MOST_ROUNDS + 1):
        with pytest.raises(Unreadable, match="rounds are added up"):
            after(one, rounds)
    fine = Distribution(10**7, tuple(range(-(10**7), 10**7, 99_991)), (1,) * 201, 201)
    with pytest.raises(Unreadable, match="too long"):
        after(fine, 5_000)


def test_n0_and_kurtosis():
    found = maths.solve(SENECA).statistics
    rounds = found.n0
    assert rounds is not None
    assert (rounds * found.value) ** 2 == rounds * found.variance
    coin = statistics(maths.solve(SENECA).outcomes, maths.solve(SENECA).deals, 1)
    assert coin.n0 == rounds
    one = rounds_of(SENECA)
    mean = float(moments(one)[0])
    fourth = sum((net - mean) ** 4 * p for net, p in zip(one.nets, one.chances(), strict=True))
    assert found.excess_kurtosis == pytest.approx(fourth / float(moments(one)[1]) ** 2 - 3)
