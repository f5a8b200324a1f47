"""How far counts are from what is expected, and how often chance alone goes so far."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from pitboss.maths.hand_states import Ints

FEWEST = 10
"""Classes expected less often than this are counted together with their neighbours."""


class Fit(msgspec.Struct, frozen=True):
    """A sum of squares that is distributed as chi-square if all is fair."""

    statistic: float
    freedom: int
    """Degrees of freedom, which are also the statistic's mean."""

    @property
    def p(self) -> float:
        """How often chance alone is as far from the middle as this, too far or too close.

        >>> round(Fit(3.841459, 1).p / 2, 4), round(Fit(2601.0, 2601).p, 2)
        (0.05, 0.99)
        """
        below, above = _gamma(self.freedom / 2, self.statistic / 2)
        return min(1.0, 2 * min(below, above))


def of_classes(counts: Ints, weights: Sequence[int]) -> Fit:
    """Compare counts of things that exclude each other with whole numbers they should be like."""
    deals, total = int(counts.sum()), sum(weights)
    pooled: list[list[float]] = []
    for count, weight in zip(counts.tolist(), weights, strict=True):
        if not pooled or pooled[-1][1] >= FEWEST:
            pooled.append([0, 0])
        pooled[-1][0] += count
        pooled[-1][1] += deals * weight / total
    if len(pooled) > 1 and pooled[-1][1] < FEWEST:
        count, expected = pooled.pop()
        pooled[-1][0] += count
        pooled[-1][1] += expected
    return Fit(sum((found - due) ** 2 / due for found, due in pooled), len(pooled) - 1)


def of_permutations(table: Ints) -> Fit:
    """Judge a table that is a sum of permutations: in each, every row and column has a single one.

    That takes a degree of freedom for each row and each column, and what is left varies together
    as though each cell alone had a variance of 1 / (n - 1) for each permutation.
    """
    n, deals = len(table), int(table[0].sum())
    return Fit(float(((table - deals / n) ** 2).sum()) * (n - 1) / deals, (n - 1) ** 2)


def of_cycles(table: Ints) -> Fit:
    """Judge a table that is a sum of cycles of all n cards: which follows which, around the deck.

    Nothing follows itself, and if B follows A then A does not follow B. So what a pair has in
    common in both directions varies less than the difference of its two directions: by
    1 / (n - 1), and by 1 / (n - 1) + 2 / (n - 1)(n - 2).
    """
    n, deals = len(table), int(table[0].sum())
    off = table - deals / (n - 1) * (1 - np.eye(n))
    common, difference = (off + off.T) / 2, (off - off.T) / 2
    variance = 1 / (n - 1)
    statistic = (common**2).sum() / variance + (difference**2).sum() / (variance * n / (n - 2))
    return Fit(float(statistic) / deals, n * n - 3 * n + 1)


def _gamma(a: float, x: float) -> tuple[float, float]:
    """Return both regularised incomplete gamma functions, lower and upper: they sum to one."""
    if x <= 0:
        return 0.0, 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        lower = front * _series(a, x)
        return lower, 1 - lower
    upper = front * _fraction(a, x)
    return 1 - upper, upper


def _series(a: float, x: float) -> float:
    """Sum 1/a + x/a(a+1) + x²/a(a+1)(a+2) + ..."""
    term = total = 1 / a
    while term > total * 1e-16:
        a += 1
        term *= x / a
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Work out the continued fraction 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...)))."""
    bottom = x + 1 - a
    over, under = math.inf, 1 / bottom
    found, step, change = under, 0, 0.0
    while abs(change - 1) > 1e-15:
        step += 1
        top = step * (a - step)
        bottom += 2
        under = 1 / (bottom + top * under)
        over = bottom + top / over
        change = over * under
        found *= change
    return found
