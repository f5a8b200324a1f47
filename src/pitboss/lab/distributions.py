"""What rounds come to together: the distribution of the net, exact to the last deal.

A round's outcomes are the terms of a polynomial: a net is an exponent, its deals are a coefficient.
So many rounds are that polynomial's power, and its coefficients are whole numbers. They come from
the worst net up, each from earlier ones, so nothing beyond what is asked for is ever worked out.
Where whole numbers would take too long, chances are added up in sixty-four bits and the error is
bounded: only numbers that are not negative are ever added and multiplied.

>>> coin = Distribution(1, (-1, 1), (1, 1), 2)
>>> after(coin, 4)
Distribution(units=1, nets=(-4, -2, 0, 2, 4), ways=(1, 4, 6, 4, 1), whole=16, error=0.0)
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from math import gcd, sqrt
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.maths.outcomes import Outcome

MOST_ROUNDS = 10_000
"""Rounds that are added up at most."""
TOLD = Fraction(99, 100)
"""The part of all that can happen, from the worst up, that is told net by net."""
RARE = (0.0, 1e-6, 1e-5, 1e-4)
"""A net that comes less often is no usual one: from the narrowest sense of it to the widest."""
ROUNDING = 2.0**-53
"""What one step in sixty-four bits is off at most, of what comes out."""

_EXACT_WORK = 10**10
"""Bits that may be gone through for an exact answer: a few seconds."""
_WORK = 10**10
"""Additions that may be made for an answer in sixty-four bits."""
_CELLS = 1 << 22
"""Nets that may be told apart."""
_DROPPED = 1e-12
"""Of all chances at most so much may be left out at either end."""


class Distribution(msgspec.Struct, frozen=True, dict=True):
    """How often each net comes about, from the worst up."""

    units: int
    """How many units an ante is."""
    nets: tuple[int, ...]
    """Rising, in units. What is better than the last may be left out."""
    ways: tuple[int, ...] | tuple[float, ...]
    whole: int | float
    """Ways of all nets, also of those left out."""
    error: float = 0.0
    """No chance is further off than this; 0 where it is exact."""

    @cached_property
    def upto(self) -> list[int | float]:
        """In how many ways each net or a worse one comes about."""
        return list(accumulate(self.ways))

    def below(self, net: int) -> float:
        """Return the chance to end worse than this, in units."""
        at = bisect_left(self.nets, net)
        return self.upto[at - 1] / self.whole if at else 0.0

    @property
    def ahead(self) -> float:
        """The chance to end ahead."""
        return (self.whole - self.upto[at - 1]) / self.whole if (at := self._even) else 1.0

    @property
    def _even(self) -> int:
        return bisect_left(self.nets, 1)

    def quantile(self, part: Fraction) -> int | None:
        """Return the net that this part of all ends do not exceed; None where it is left out."""
        wanted = part * self.whole
        return next((n for n, u in zip(self.nets, self.upto, strict=True) if u >= wanted), None)

    def shortfall(self, part: Fraction) -> float:
        """Return the mean net of the worst part of all ends, in units.

        >>> Distribution(1, (-4, -2, 0), (1, 4, 11), 16).shortfall(Fraction(1, 8))
        -3.0
        """
        wanted = part * Fraction(self.whole)
        summed = before = Fraction(0)
        for net, upto in zip(self.nets, self.upto, strict=True):
            here = min(wanted, Fraction(upto))
            summed, before = summed + net * (here - before), here
            if here == wanted:
                return float(summed / wanted)
        raise Unreadable("the worst part asked for is more than what is told")

    def chances(self) -> list[float]:
        """Return the chance of each net."""
        return [ways / self.whole for ways in self.ways]


def one_round(outcomes: Iterable[Outcome], units: int) -> Distribution:
    """Return what one round comes to, in lowest terms."""
    found: Counter[int] = Counter()
    for each in outcomes:
        found[each.net_units] += each.deals
    common = gcd(*found.values())
    nets = tuple(sorted(net for net, ways in found.items() if ways))
    ways = tuple(found[net] // common for net in nets)
    return Distribution(units, nets, ways, sum(ways))


def moments(one: Distribution) -> tuple[Fraction, Fraction]:
    """Return mean and variance of an exact distribution, in units."""
    pairs = list(zip(one.nets, one.ways, strict=True))
    mean, square = (
        Fraction(sum(net**power * int(ways) for net, ways in pairs), int(one.whole))
        for power in (1, 2)
    )
    return mean, square - mean**2


def step_of(nets: Iterable[int]) -> int:
    """Return the largest step that leads from each net to every other.

    >>> step_of([-20, 10, 15])
    5
    """
    return reduce(gcd, (b - a for a, b in pairwise(sorted(nets))), 0) or 1


def after(
    one: Distribution, rounds: int, *, told: Fraction = TOLD, exact: bool | None = None
) -> Distribution:
    """Return what so many rounds come to, up to the part that is told.

    Unless it is said, whether the answer is exact follows from how long that would take.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Unreadable(f"1 to {MOST_ROUNDS:,} rounds are added up, not {rounds:,}")
    if not 0 < told <= 1:
        raise Unreadable(f"a part from 0 to 1 is told, not {told}")
    reach = _reach(one, rounds, told)
    if exact is None:
        # What is rare may lie between the others, but adds few nets.
        exact = reach // step_of(_usual(one, RARE[-1]).nets) * _work(one, rounds) < _EXACT_WORK
    if not exact:
        return _in_floats(one, rounds, told, reach)
    nets, ways, whole, upto = [], [], int(one.whole) ** rounds, 0
    for net, many in _power(one, rounds):
        nets.append(net)
        ways.append(many)
        upto += many
        if upto * told.denominator >= whole * told.numerator:
            break
        if len(nets) * _work(one, rounds) > 10 * _EXACT_WORK:
            return _in_floats(one, rounds, told, reach)
    return Distribution(one.units, tuple(nets), tuple(ways), whole)


def _work(one: Distribution, rounds: int) -> int:
    """Return how many bits are gone through for each net."""
    return len(one.nets) * rounds * int(one.whole).bit_length()


def _usual(one: Distribution, rare: float) -> Distribution:
    """Return what a round comes to where nothing rare happens; all of it where all is rare."""
    pairs = [(n, w) for n, w in zip(one.nets, one.ways, strict=True) if w / one.whole > rare]
    if not pairs:
        return one
    ways = tuple(int(each) for _, each in pairs)
    return Distribution(one.units, tuple(net for net, _ in pairs), ways, sum(ways))


def _reach(one: Distribution, rounds: int, told: Fraction) -> int:
    """Return how far above the worst net the part that is told can reach.

    By Cantelli's inequality, which holds whatever the distribution: of all rounds, or of those in
    which nothing rare happens, where these are enough.
    """
    found = [rounds * (one.nets[-1] - one.nets[0])]
    for some in (_usual(one, rare) for rare in RARE):
        part = float(told) / (some.whole / one.whole) ** rounds
        if part < 1:
            mean, variance = moments(some)
            above = sqrt(float(variance) * rounds * part / (1 - part))
            found.append(int(rounds * float(mean - one.nets[0]) + above) + 1)
    return min(found)


def _power(one: Distribution, rounds: int) -> Iterator[tuple[int, int]]:
    """Yield each net and its ways, from the worst up.

    The power q of a polynomial p has p q' = rounds p' q: a coefficient follows from earlier ones.
    """
    least, lowest = one.nets[0], int(one.ways[0])
    terms = [(net - least, int(w)) for net, w in zip(one.nets, one.ways, strict=True)][1:]
    steps = [(step, (rounds + 1) * step * ways, ways) for step, ways in terms]
    found = {0: lowest**rounds}
    waiting, last = [0], -1
    while waiting:
        at = heappop(waiting)
        if at == last:
            continue
        last = at
        if at:
            total = 0
            for step, weight, ways in steps:
                before = found.get(at - step)
                if before is not None:
                    total += (weight - at * ways) * before
            if not total:
                continue
            found[at] = total // (at * lowest)
        yield rounds * least + at, found[at]
        for step, _, _ in steps:
            if at + step not in found:
                heappush(waiting, at + step)


def _in_floats(one: Distribution, rounds: int, told: Fraction, reach: int) -> Distribution:
    """Add up chances round by round, and leave out the rarest at both ends.

    Counted from the worst net so far, nothing ever comes down: what is beyond reach stays there.
    """
    least = one.nets[0]
    low = [net for net in one.nets if net - least <= reach]
    step = step_of(low)
    terms = [(net - least) // step for net in low]
    chances, most = one.chances()[: len(low)], reach // step + 1
    cells, first, missing = np.ones(1), 0, 0.0
    # So many nets lie within five deviations of the mean: what is to come is no less.
    wide = min(most, int(10 * sqrt(moments(_usual(one, RARE[-1]))[1] * rounds)) // step)
    work = 0
    for number in range(rounds):
        work += len(cells) * len(terms)
        if work + (rounds - number) * wide * len(terms) // 2 > _WORK or len(cells) > _CELLS:
            raise Unreadable(
                f"{rounds:,} rounds whose nets differ by as little as {step} of {one.units} to an "
                "ante take too long to add up; ask for fewer rounds or a rounder ante"
            )
        grown = np.zeros(min(len(cells) + terms[-1], most - first))
        for at, chance in zip(terms, chances, strict=True):
            into = grown[at : at + len(cells)]
            into += chance * cells[: len(into)]
        cells, cut, dropped = _trimmed(grown, _DROPPED / rounds)
        first, missing = first + cut, missing + dropped
    upto = np.searchsorted(cells.cumsum(), float(told)) + 1
    there = np.flatnonzero(cells[:upto])
    nets = tuple((rounds * least + (first + there) * step).tolist())
    # Each chance went through so many roundings, each round's and its own.
    error = missing + rounds * (len(terms) + 2) * ROUNDING
    return Distribution(one.units, nets, tuple(cells[there].tolist()), 1.0, error)


def _trimmed(cells: npt.NDArray[Any], most: float) -> tuple[npt.NDArray[Any], int, float]:
    """Return the cells without the rarest at the ends, how many went first, and all chance gone."""
    low = int(np.searchsorted(cells.cumsum(), most))
    high = len(cells) - int(np.searchsorted(cells[::-1].cumsum(), most))
    return cells[low:high], low, float(cells[:low].sum() + cells[high:].sum())
