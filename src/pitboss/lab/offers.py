"""What a bonus is worth that must be played through: turnover times edge, and how it spreads.

A bonus is paid on top of a deposit, and both are the player's once so much has been wagered. The
rule of thumb is the bonus less the house's part of the turnover; whoever goes broke on the way
wagers less, so the true worth is more. Both are here, with the chances of either end.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.lab.distributions import ROUNDING, step_of
from pitboss.maths.outcomes import Outcome, statistics

MOST_TURNOVER = 5_000
"""In antes."""
_WORK = 2 * 10**9
"""Additions that may be made."""

Chances = npt.NDArray[np.float64]
"""A number for each bankroll."""
Counts = Literal["all", "ante"]
"""What of a round counts as turnover: all main wagers, or the ante alone."""


class OfferWorth(msgspec.Struct, frozen=True):
    """What a bonus offer comes to, in units of the outcomes."""

    rule_of_thumb: Fraction
    """The bonus less the turnover times the house's part of it."""
    worth: float
    """What it is worth on average, with all who go broke on the way."""
    deviation: float
    ahead: float
    """How likely one ends with more than the deposit."""
    broke: float
    """How likely less than an ante is left before the turnover is done."""
    rounds: float
    """How many are played on average."""
    error: float
    """No chance is further off than this."""


class _Ended:
    """Sums over those who have ended: their chance, and their bankroll's first two moments."""

    def __init__(self) -> None:
        self.chance = self.first = self.second = 0.0

    def add(
        self, chances: Chances, bankrolls: Chances, mean: float = 0.0, square: float = 0.0
    ) -> None:
        """Add some at these bankrolls, to which what is still to come adds this mean and square."""
        self.chance += float(chances.sum())
        self.first += float(chances @ (bankrolls + mean))
        self.second += float(chances @ (bankrolls**2 + 2.0 * bankrolls * mean + square))


def offer(
    outcomes: Iterable[Outcome],
    units: int,
    *,
    bonus: int,
    deposit: int,
    turnover_antes: int,
    counts: Counts = "all",
) -> OfferWorth:
    """Return what a bonus is worth, all sums in units, played at one ante by these outcomes."""
    every = tuple(outcomes)
    if not 1 <= turnover_antes <= MOST_TURNOVER:
        raise Unreadable(f"a turnover is 1 to {MOST_TURNOVER:,} antes, not {turnover_antes:,}")
    if bonus < 0 or deposit < 0 or bonus + deposit < units:
        raise Unreadable("bonus and deposit are at least an ante together")
    whole = sum(each.deals for each in every)
    terms: dict[tuple[int, int], float] = {}
    for each in every:
        key = (each.stake if counts == "all" else 1), each.net_units
        terms[key] = terms.get(key, 0.0) + each.deals / whole
    found = statistics(every, whole, units)
    part = found.value / found.average_wager if counts == "all" else found.value
    ahead = _Ahead(terms, turnover_antes)
    step = step_of([0, *(net for _, net in terms)])
    start = bonus + deposit
    bottom = units + (start - units) % step  # the least bankroll that can still play
    # Above this one can neither go broke any more nor end with the deposit or less.
    least = max(units, deposit + step)
    tops = [max(0, -((bottom - least - lost) // step)) for lost in ahead.lost]
    if sum(tops) * len(terms) > _WORK:
        raise Unreadable(
            "this turnover takes too long to follow; ask for less of it or a rounder ante"
        )
    broke, done = _Ended(), _Ended()
    ends_ahead = rounds = 0.0
    waiting = {0: np.append(np.zeros((start - bottom) // step), 1.0)}
    for at in range(turnover_antes):
        held = waiting.pop(at, np.zeros(0))
        bankrolls, top = _bankrolls(held, bottom, step), tops[at]
        safe = held[top:]
        done.add(safe, bankrolls[top:], ahead.mean[at], ahead.square[at])
        ends_ahead += float(safe.sum())
        rounds += float(safe.sum()) * ahead.rounds[at] + float(held[:top].sum())
        held = held[:top]
        for (counted, net), chance in terms.items():
            to, by = min(at + counted, turnover_antes), net // step
            low, size = max(0, min(len(held), -by)), len(held) + by
            ended = broke if to < turnover_antes else done
            left = bankrolls[:low] + net
            ended.add(chance * held[:low], left)
            # Less than an ante may still be more than the deposit.
            ends_ahead += chance * float(held[:low][left > deposit].sum())
            if low < len(held):
                into = waiting.get(to, np.zeros(0))
                waiting[to] = into = np.pad(into, (0, max(0, size - len(into))))
                into[low + by : size] += chance * held[low:]
    last = waiting.get(turnover_antes, np.zeros(0))
    bankrolls = _bankrolls(last, bottom, step)
    done.add(last, bankrolls)
    ends_ahead += float(last[bankrolls > deposit].sum())
    mean, square = broke.first + done.first, broke.second + done.second
    return OfferWorth(
        rule_of_thumb=bonus + turnover_antes * units * part,
        worth=mean - deposit,
        deviation=sqrt(max(0.0, square - mean**2)),
        ahead=ends_ahead,
        broke=broke.chance,
        rounds=rounds,
        error=turnover_antes * (len(terms) + 3) * ROUNDING,
    )


def _bankrolls(held: Chances, bottom: int, step: int) -> Chances:
    return bottom + step * np.arange(len(held), dtype=np.float64)


class _Ahead:
    """What is still to come with so much of the turnover done, for who cannot go broke."""

    def __init__(self, terms: Mapping[tuple[int, int], float], turnover: int) -> None:
        self.lost = [0] * (turnover + 1)
        """At most."""
        self.mean, self.square, self.rounds = ([0.0] * (turnover + 1) for _ in range(3))
        """Of the net, and how many rounds, on average."""
        for at in range(turnover - 1, -1, -1):
            self.rounds[at] = 1.0
            for (counted, net), chance in terms.items():
                to = min(at + counted, turnover)
                self.lost[at] = max(self.lost[at], self.lost[to] - net)
                self.mean[at] += chance * (net + self.mean[to])
                self.square[at] += chance * (net**2 + 2 * net * self.mean[to] + self.square[to])
                self.rounds[at] += chance * self.rounds[to]
