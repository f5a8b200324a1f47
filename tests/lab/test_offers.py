"""Bonuses: round by round the naive way, and the rule of thumb where nobody goes broke."""

from collections import defaultdict
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.lab.offers import MOST_TURNOVER, offer
from pitboss.maths.outcomes import Outcome
from tests.helpers import DIAMOND_JO, SENECA

some_outcomes = st.lists(
    st.tuples(st.integers(1, 3), st.integers(-3, 8), st.integers(1, 9)), min_size=2, max_size=5
).map(
    lambda held: tuple(
        Outcome(str(at), stake, max(net, -stake) * 2, deals)
        for at, (stake, net, deals) in enumerate(held)
    )
)


def played_through(outcomes, units, bonus, deposit, turnover, counts):
    """The naive way: every bankroll with what is still to be wagered."""
    whole = sum(each.deals for each in outcomes)
    held: dict[tuple[int, int], Fraction] = {(bonus + deposit, 0): Fraction(1)}
    ends: dict[int, Fraction] = defaultdict(Fraction)
    broke = rounds = Fraction(0)
    while held:
        more: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (cents, done), chance in held.items():
            rounds += chance
            for each in outcomes:
                part = chance * Fraction(each.deals, whole)
                now = done + (each.stake if counts == "all" else 1)
                if now >= turnover:
                    ends[cents + each.net_units] += part
                elif cents + each.net_units < units:
                    ends[cents + each.net_units] += part
                    broke += part
                else:
                    more[cents + each.net_units, now] += part
        held = more
    mean = sum(cents * chance for cents, chance in ends.items())
    square = sum(cents**2 * chance for cents, chance in ends.items())
    ahead = sum(chance for cents, chance in ends.items() if cents > deposit)
    return mean - deposit, square - mean**2, ahead, broke, rounds


@settings(deadline=None, max_examples=60)  # exact sums: a busy machine takes its time
@example((Outcome("", 1, 0, 1), Outcome("", 1, -2, 1)), 3, 0, 1, "all")
@given(
    some_outcomes,
    st.integers(2, 12),
    st.integers(0, 12),
    st.integers(1, 6),
    st.sampled_from(("all", "ante")),
)
def test_every_course_is_followed(outcomes, bonus, deposit, turnover, counts):
    worth, variance, ahead, broke, rounds = played_through(
        outcomes, 2, bonus, deposit, turnover, counts
    )
    found = offer(outcomes, 2, bonus=bonus, deposit=deposit, turnover_antes=turnover, counts=counts)
    assert found.worth == pytest.approx(float(worth))
    assert found.deviation == pytest.approx(sqrt(variance), abs=1e-5)
    assert found.ahead == pytest.approx(float(ahead))
    assert found.broke == pytest.approx(float(broke))
    assert found.rounds == pytest.approx(float(rounds))


@pytest.mark.parametrize("book", [DIAMOND_JO, SENECA], ids=lambda book: book.id)
def test_turnover_times_edge_where_nobody_goes_broke(book):
    solution = maths.solve(book, 10_00)
    figures = solution.statistics
    rich = {"bonus": 100_00, "deposit": 50_000_00, "turnover_antes": 300}
    found = offer(solution.outcomes, solution.units, **rich, counts="ante")
    assert found.rule_of_thumb == 100_00 + 300 * 10_00 * solution.value
    assert found.broke == 0
    assert found.worth == pytest.approx(float(found.rule_of_thumb))
    assert found.deviation == pytest.approx(10_00 * sqrt(300 * figures.variance))
    found = offer(solution.outcomes, solution.units, **rich, counts="all")
    assert found.rule_of_thumb == 100_00 - 300 * 10_00 * figures.element_of_risk
    # The last round may go beyond the turnover, by less than what is wagered in it.
    beyond = found.rounds * float(figures.average_wager) - 300
    assert 0 < beyond < max(each.stake for each in solution.outcomes)
    assert found.worth == pytest.approx(100_00 + found.rounds * 10_00 * float(solution.value))


def test_who_goes_broke_wagers_less():
    solution = maths.solve(SENECA, 10_00)
    poor = offer(solution.outcomes, solution.units, bonus=50_00, deposit=50_00, turnover_antes=300)
    assert poor.broke > 0.7
    assert poor.worth > poor.rule_of_thumb


def test_what_makes_no_sense_is_refused():
    outcomes = maths.solve(SENECA).outcomes
    for bonus, deposit, turnover, why in (
        (0, 0, 5, "at least an ante"),
        (-5, 9, 5, "at least an ante"),
        (5, 9, 0, "1 to 5,000 antes"),
        (5, 9, MOST_TURNOVER + 1, "1 to 5,000 antes"),
    ):
        with pytest.raises(Unreadable, match=why):
            offer(outcomes, 1, bonus=bonus, deposit=deposit, turnover_antes=turnover)
