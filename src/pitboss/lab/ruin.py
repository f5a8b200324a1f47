"""How a bankroll fares: the chance of ruin and of a goal, in so many rounds or sooner or later.

Who holds less than an ante is ruined, and a round once begun is finished: as the simulated sessions
have it. In so many rounds chances are carried on from bankroll to bankroll; sooner or later they
solve a linear system, or lie between two powers of a root.

>>> coin = Distribution(1, (-1, 1), (1, 1), 2)
>>> within(coin, bankroll=2, ante=1, rounds=2).ruined
Fraction(1, 4)
>>> round(forever(coin, bankroll=2, ante=1, goal=5).ruined, 9)
0.6
"""

from fractions import Fraction
from math import exp
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.lab.distributions import MOST_ROUNDS, ROUNDING, Distribution, moments, step_of

MOST_STEPS = 1_000_000
"""Bankrolls that are told apart, at most, over so many rounds."""
MOST_EQUATIONS = 3_000
"""Bankrolls between ruin and a goal, at most, where play goes on until one of them."""

_EXACT_WORK = 5 * 10**9
"""Bits that may be gone through for an exact answer: a few seconds."""
_WORK = 10**10
"""Additions that may be made for an answer in sixty-four bits."""


class Fate(msgspec.Struct, frozen=True):
    """What becomes of a bankroll in so many rounds."""

    rounds: int
    ruined: Fraction | float
    """A fraction where it is exact."""
    reached: Fraction | float | None
    """The goal; None where there is none."""
    curve: tuple[tuple[int, float], ...]
    """After how many rounds, how likely ruin has come by then."""
    error: float = 0.0
    """No chance is further off than this; 0 where they are exact."""


class LongRun(msgspec.Struct, frozen=True):
    """What becomes of a bankroll if play goes on until ruin, or a goal."""

    ruined: float
    """At most so likely; as likely, but for the tolerance."""
    tolerance: float
    """It is no less than ruin less this."""
    reached: float | None
    rounds: tuple[float, float] | None
    """How long that takes on average: at least, and at most; None where it may never end."""


MARKS = 48
"""At most so many looks on the way."""


def within(
    one: Distribution,
    *,
    bankroll: int,
    ante: int,
    rounds: int,
    goal: int | None = None,
    exact: bool | None = None,
) -> Fate:
    """Follow a bankroll for so many rounds, all in units; whoever reaches the goal stops there."""
    _check(bankroll, ante, goal)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Unreadable(f"a bankroll is followed for 1 to {MOST_ROUNDS:,} rounds, not {rounds:,}")
    worst = max(0, -one.nets[0])
    enough = goal - ante if goal is not None else rounds * worst + 1
    rungs = _rungs(one, bankroll, ante, enough)
    # From here up nobody can be ruined in the rounds that are left, or is at the goal.
    ends = (ante + left * worst if goal is None else goal for left in range(rounds, -1, -1))
    tops = [rungs.upto(end) for end in ends]
    work = sum(tops) * len(rungs.steps)
    if exact is None:
        exact = work * rounds * int(one.whole).bit_length() // 2 < _EXACT_WORK
    if tops[0] > MOST_STEPS or (work > _WORK and not exact):
        raise Unreadable(
            f"{rounds:,} rounds with so many different bankrolls take too long to follow; "
            "ask for fewer rounds, a nearer goal or a rounder ante"
        )
    ways = list(one.ways) if exact else one.chances()
    whole: Any = one.whole if exact else 1.0
    held: npt.NDArray[Any] = np.zeros(tops[0], object if exact else np.float64)
    ruined: Any = 0
    over: Any = int(rungs.start >= tops[0])  # safe, or at the goal
    if not over:
        held[rungs.start] = 1
    curve = []
    looks = {*range(1, rounds, -(-rounds // MARKS)), rounds}
    for number in range(1, rounds + 1):
        lost, held, won = _played(held, rungs.steps, ways, tops[number])
        ruined, over = ruined * whole + lost, over * whole + won
        if number in looks:
            curve.append((number, float(ruined / whole**number)))
    told = [Fraction(each, whole**rounds) if exact else float(each) for each in (ruined, over)]
    return Fate(
        rounds=rounds,
        ruined=told[0],
        reached=None if goal is None else told[1],
        curve=tuple(curve),
        error=0.0 if exact else rounds * (len(ways) + 2) * ROUNDING,
    )


class _Rungs(msgspec.Struct, frozen=True):
    """The bankrolls that can come about, as steps from the least that can still play."""

    step: int
    bottom: int
    start: int
    steps: list[int]
    """How many of them each net goes."""

    def upto(self, bankroll: int) -> int:
        """Return how many there are below a bankroll."""
        return -((self.bottom - bankroll) // self.step)


def _rungs(one: Distribution, bankroll: int, ante: int, enough: int) -> _Rungs:
    """Return the rungs, where a single win of so much is enough for good, however large it is."""
    step = step_of([0, *(net for net in one.nets if net < enough)])
    bottom = ante + (bankroll - ante) % step
    far = -(-max(enough, 0) // step) + 1
    steps = [net // step if net < enough else far for net in one.nets]
    return _Rungs(step, bottom, (bankroll - bottom) // step, steps)


def _check(bankroll: int, ante: int, goal: int | None) -> None:
    if bankroll < ante:
        raise Unreadable("a bankroll covers at least one ante")
    if goal is not None and goal <= bankroll:
        raise Unreadable("a goal is more than the bankroll")


def _played(
    held: npt.NDArray[Any], steps: list[int], ways: list[Any], top: int
) -> tuple[Any, npt.NDArray[Any], Any]:
    """Play one round: what falls below the first bankroll, what is between, what is at the top."""
    found = np.zeros(top, held.dtype)
    lost: Any = 0
    won: Any = 0
    for step, many in zip(steps, ways, strict=True):
        low, high = max(0, -step), max(0, min(len(held), top - step))
        if low:
            lost += many * held[:low].sum()
        if high < len(held):
            won += many * held[max(high, low) :].sum()
        if low < high:
            found[low + step : high + step] += many * held[low:high]
    return lost, found, won


# As long as it takes ----------------------------------------------------------------------------


def forever(one: Distribution, *, bankroll: int, ante: int, goal: int | None = None) -> LongRun:
    """Follow a bankroll until ruin or the goal, all in units."""
    _check(bankroll, ante, goal)
    mean, variance = moments(one)
    if not variance or one.nets[0] >= 0:
        raise Unreadable("nothing is lost here by chance")
    if goal is not None:
        return _until(one, bankroll, ante, goal)
    if mean > 0:
        return _beaten(one, bankroll - ante)
    if not mean:
        return LongRun(1.0, 0.0, None, None)
    # Sooner or later. What is lost by then is known, but for how short the last round leaves one.
    lost = bankroll - ante + 1, bankroll - ante - one.nets[0]
    return LongRun(1.0, 0.0, None, (float(lost[0] / -mean), float(lost[1] / -mean)))


def _until(one: Distribution, bankroll: int, ante: int, goal: int) -> LongRun:
    rungs = _rungs(one, bankroll, ante, goal - ante)
    states, start = rungs.upto(goal), rungs.start
    if states > MOST_EQUATIONS:
        raise Unreadable(
            f"{states:,} different bankrolls lie between ruin and this goal, and at most "
            f"{MOST_EQUATIONS:,} are told apart; ask for a nearer goal or a rounder ante"
        )
    matrix, lost = np.eye(states), np.zeros(states)
    for by, chance in zip(rungs.steps, one.chances(), strict=True):
        low, high = max(0, -by), max(0, min(states, states - by))
        places = np.arange(low, high)
        matrix[places, places + by] -= chance
        lost[:low] += chance
    wanted = np.stack([lost, np.ones(states)], axis=1)
    found = np.linalg.solve(matrix, wanted)
    # What is left over of an equation counts once for every round that is still played.
    off = float(np.abs(matrix @ found - wanted)[:, 0].max() + states * ROUNDING)
    ruined, rounds = float(found[start, 0]), float(found[start, 1])
    return LongRun(ruined, off * float(found[:, 1].max()), 1 - ruined, (rounds, rounds))


def _beaten(one: Distribution, over: int) -> LongRun:
    """Bound the ruin of who has the edge: by the root below one of what a round multiplies.

    With chances p of nets x and z the root of sum p z**x = 1, z**bankroll stays what it is on
    average; at ruin the bankroll is short of an ante by no more than the largest loss.
    """
    pairs = list(zip(one.nets, one.chances(), strict=True))

    def excess(rate: float) -> float:
        return sum(chance * exp(-rate * net) for net, chance in pairs) - 1

    low, high = 0.0, 600.0 / -one.nets[0]
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    most = exp(-low * (over + 1))
    least = exp(-high * (over - one.nets[0]))
    return LongRun(min(1.0, most), min(1.0, most) - least, None, None)
