"""Ruin: gambler's closed forms, a naive second computation, and the simulated sessions."""

from collections import defaultdict
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.lab import simulate as sim
from pitboss.lab.distributions import Distribution, moments, one_round
from pitboss.lab.ruin import MOST_EQUATIONS, forever, within
from tests.helpers import DIAMOND_JO, SENECA
from tests.lab.test_distributions import some_rounds

FAIR = Distribution(1, (-1, 1), (1, 1), 2)
GOOD = Distribution(1, (-1, 1), (2, 3), 5)
BAD = Distribution(1, (-1, 1), (3, 2), 5)


def followed(one, bankroll, ante, rounds, goal=None) -> tuple[Fraction, Fraction]:
    """The naive way, bankroll by bankroll, without any cut."""
    held: dict[int, Fraction] = {bankroll: Fraction(1)}
    ruined = reached = Fraction(0)
    for _ in range(rounds):
        more: dict[int, Fraction] = defaultdict(Fraction)
        for cents, chance in held.items():
            for net, ways in zip(one.nets, one.ways, strict=True):
                part = chance * Fraction(ways, one.whole)
                if cents + net < ante:
                    ruined += part
                elif goal is not None and cents + net >= goal:
                    reached += part
                else:
                    more[cents + net] += part
        held = more
    return ruined, reached


@settings(deadline=None, max_examples=60)  # exact sums: a busy machine takes its time
@given(some_rounds, st.integers(3, 25), st.integers(1, 3), st.integers(1, 6), st.integers(0, 30))
def test_every_bankroll_is_followed(one, bankroll, ante, rounds, more):
    goal = bankroll + more if more else None
    ruined, reached = followed(one, bankroll, ante, rounds, goal)
    known = {"bankroll": bankroll, "ante": ante, "rounds": rounds, "goal": goal}
    found = within(one, **known)
    assert found.ruined == ruined
    assert found.reached == (reached if more else None)
    assert found.error == 0
    assert found.curve[-1] == (rounds, float(ruined))
    close = within(one, **known, exact=False)
    assert abs(close.ruined - float(ruined)) <= close.error


@pytest.mark.parametrize("coin", [FAIR, GOOD, BAD])
def test_the_gamblers_ruin(coin):
    """A coin from 7 to 0 or 12: by the fair share, or by the ratio of its sides."""
    ratio = Fraction(coin.ways[0], coin.ways[1])
    share = Fraction(7, 12) if ratio == 1 else (1 - ratio**7) / (1 - ratio**12)
    found = forever(coin, bankroll=7, ante=1, goal=12)
    assert abs(found.ruined - float(1 - share)) <= found.tolerance < 1e-12
    assert found.reached == 1 - found.ruined
    mean = moments(coin)[0]
    rounds = 7 * (12 - 7) if ratio == 1 else (12 * share - 7) / mean
    assert found.rounds == pytest.approx((float(rounds), float(rounds)))
    # And so it comes out if many rounds are followed.
    long = within(coin, bankroll=7, ante=1, goal=12, rounds=1500, exact=False)
    assert long.ruined == pytest.approx(found.ruined)


def test_without_a_goal():
    assert forever(FAIR, bankroll=9, ante=1).ruined == 1
    bad = forever(BAD, bankroll=9, ante=1)
    assert (bad.ruined, bad.rounds) == (1, (45.0, 45.0))  # nine are lost, a fifth of one a round
    good = forever(GOOD, bankroll=9, ante=1)
    assert good.ruined == pytest.approx((2 / 3) ** 9)
    assert good.tolerance < 1e-12
    mixed = Distribution(1, (-3, 1, 4), (30, 50, 20), 100)
    loose = forever(mixed, bankroll=20, ante=2)
    long = within(mixed, bankroll=20, ante=2, rounds=2000, exact=False)
    assert loose.ruined - loose.tolerance <= long.ruined <= loose.ruined
    assert loose.tolerance < loose.ruined


@pytest.mark.parametrize(("book", "ante"), [(DIAMOND_JO, 10_00), (SENECA, 10_00)])
def test_simulated_sessions_agree(book, ante):
    job = sim.prepare(
        book,
        rounds=1_000_000,
        seed=16,
        ante_cents=ante,
        session_rounds=80,
        bankroll_cents=300_00,
    )
    done = sim.total(job, (sim.run(job, block) for block in range(job.blocks)))
    solution = maths.solve(book, ante)
    one = one_round(solution.outcomes, solution.units)
    found = within(one, bankroll=300_00, ante=ante, rounds=80)
    many, chance = done.rounds // 80, float(found.ruined)
    assert found.error == 0
    assert 0.01 < chance < 0.9
    assert abs(done.ruined[-1] / many - chance) < 4 * sqrt(chance * (1 - chance) / many)


def test_what_makes_no_sense_is_refused():
    for known, why in (
        ({"bankroll": 1, "ante": 2}, "at least one ante"),
        ({"bankroll": 5, "ante": 2, "goal": 5}, "more than the bankroll"),
        ({"bankroll": 5, "ante": 1, "goal": MOST_EQUATIONS + 9}, "nearer goal"),
    ):
        with pytest.raises(Unreadable, match=why):
            forever(FAIR, **known)
    with pytest.raises(Unreadable, match="1 to 10,000 rounds"):
        within(FAIR, bankroll=5, ante=1, rounds=0)
    with pytest.raises(Unreadable, match="too long to follow"):
        within(FAIR, bankroll=5, ante=1, rounds=10, goal=10**9)
    with pytest.raises(Unreadable, match="nothing is lost"):
        forever(Distribution(1, (1, 2), (1, 1), 2), bankroll=5, ante=1)
