"""Simulation: rounds dealt by the million, as a check on how the solvers count.

What is independent is the counting: which cards come, and so how often each ending comes about.
What an ending pays, how strong a hand is and which choice is best are taken from the solvers.
Cards are dealt as arrays, a column for each round. A hand is followed card by card through tables
that hold where each card leads, decisions included, so that a round comes down to a few look-ups.
Nothing is summed but how often each ending came about: whole numbers, in whatever order.

>>> from pitboss import rulebook
>>> job = prepare(rulebook.load("diamond-jo-worth/cajun-stud"), rounds=100_000, seed=7)
>>> found = agreement(job, total(job, [run(job, block) for block in range(job.blocks)]))
>>> abs(found.z) < 4
True
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import sqrt
from typing import TypeVar

import msgspec
import numpy as np

from pitboss.errors import Unreadable
from pitboss.lab.random_deals import CHUNK, Numbers, chance_of, deal
from pitboss.lab.simulation_tables import Kernel, tabulated
from pitboss.maths.decisions import five_cards
from pitboss.maths.evaluation import Strategy
from pitboss.maths.outcomes import Outcome, statistics
from pitboss.maths.solution import solve
from pitboss.rulebook.model import Rulebook

T = TypeVar("T", int, Counter[int])

BLOCK = 1 << 18
"""Rounds in a block: what one seed deals, and what one worker does at a time."""


class PlayerSession(msgspec.Struct, frozen=True):
    """One player's visit."""

    rounds: int
    bankroll_cents: int
    ante_cents: int
    """With less than this the player is ruined, but a round once begun is finished."""
    marks: tuple[int, ...]
    """After how many rounds the bankroll is looked at."""


class Job(msgspec.Struct, frozen=True):
    """A simulation, ready to be run block by block, anywhere."""

    kernel: Kernel
    outcomes: tuple[Outcome, ...]
    """Every way to end, as the kernel numbers them; deals are exact counts, not simulated."""
    units: int
    """How many units an ante is."""
    rounds: int
    seed: int
    block_rounds: int = BLOCK
    session: PlayerSession | None = None

    @property
    def blocks(self) -> int:
        return -(-self.rounds // self.block_rounds)

    @property
    def deals(self) -> int:
        return sum(outcome.deals for outcome in self.outcomes)

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.event for each in self.outcomes))


class RoundCounts(msgspec.Struct, frozen=True):
    """What came about: sums that can be added in any order."""

    rounds: int
    counts: tuple[int, ...]
    """By ending, over all seats."""
    squares: int = 0
    """Of several seats' common net in a round, in units."""
    twins: tuple[int, ...] = ()
    """By event: how often two of several seats met with it in one round."""
    ruined: tuple[int, ...] = ()
    """By mark of a session."""
    bankrolls: tuple[dict[int, int], ...] = ()
    """By mark of a session: how many ended with so many cents."""


MARKS = 48
"""At most so many looks at the bankroll in a session."""


def prepare(
    book: Rulebook,
    *,
    rounds: int,
    seed: int,
    strategy: Strategy | None = None,
    seats: int = 1,
    ante_cents: int | None = None,
    minimum_cents: int | None = None,
    session_rounds: int | None = None,
    bankroll_cents: int = 0,
) -> Job:
    """Make a simulation of best play, or of a strategy; of sessions, if they have rounds."""
    if not 1 <= seats <= book.seats.most:
        raise Unreadable(f"a table here has 1 to {book.seats.most} seats, not {seats}")
    if rounds < 1 or seed < 0:
        raise Unreadable("a simulation has at least one round, and a seed that is not negative")
    if book.qualifier is None:
        five_cards(book, "stay")  # or it says at once, before a long solution, that it cannot
    solution = solve(book, ante_cents, minimum_cents)
    kernel, outcomes = tabulated(solution, strategy, seats)
    if kernel.cards > 52:
        raise Unreadable(f"{seats} seats need more cards than a deck has")
    if session_rounds is None:
        return Job(kernel, outcomes, solution.units, rounds, seed)
    if ante_cents is None or seats > 1:
        raise Unreadable("a session is one player's, at a given ante")
    if not 1 <= session_rounds <= BLOCK:
        raise Unreadable(f"a session has 1 to {BLOCK:,} rounds, not {session_rounds:,}")
    if rounds < session_rounds:
        raise Unreadable(
            f"one session alone has {session_rounds:,} rounds; simulate more than that"
        )
    if bankroll_cents < ante_cents:
        raise Unreadable(f"a bankroll covers at least one ante of {book.money(ante_cents)}")
    step = -(-session_rounds // MARKS)
    marks = (*range(step, session_rounds, step), session_rounds)
    return Job(
        kernel=kernel,
        outcomes=outcomes,
        units=solution.units,
        rounds=rounds // session_rounds * session_rounds,
        seed=seed,
        block_rounds=BLOCK // session_rounds * session_rounds,
        session=PlayerSession(session_rounds, bankroll_cents, ante_cents, marks),
    )


def run(job: Job, block: int) -> RoundCounts:
    """Deal and settle one block; the same whoever does it, and when."""
    rounds = min(job.block_rounds, job.rounds - block * job.block_rounds)
    chance = chance_of(job.seed, block)
    found = RoundCounts(0, ())
    kept = []
    for start in range(0, rounds, CHUNK):
        many = min(CHUNK, rounds - start)
        seats = job.kernel.settle(deal(chance, many, job.kernel.cards))
        counts = np.sum([np.bincount(each, minlength=len(job.outcomes)) for each in seats], axis=0)
        together = _together(job, seats) if len(seats) > 1 else (0, ())
        found = add(found, RoundCounts(many, tuple(counts.tolist()), *together))
        if job.session is not None:
            kept += seats
    if job.session is None:
        return found
    ruined, bankrolls = _sessions(job, job.session, np.concatenate(kept))
    return msgspec.structs.replace(found, ruined=ruined, bankrolls=bankrolls)


def _together(job: Job, seats: list[Numbers]) -> tuple[int, tuple[int, ...]]:
    """Return what tells how far the seats of a table share their luck."""
    nets = np.array([each.net_units for each in job.outcomes])
    events = np.array([job.events.index(each.event) for each in job.outcomes])
    both = np.sum([nets[each] for each in seats], axis=0)
    # Cut so that no sum of squares outgrows sixty-four bits.
    pieces = 1 + (int(np.abs(both).max()) ** 2 * len(both) >> 62)
    squares = sum(int((part * part).sum()) for part in np.array_split(both, pieces))
    met = [events[each] for each in seats]
    same = np.zeros(len(job.events), np.int64)
    for at, one in enumerate(met):
        for other in met[:at]:
            same += np.bincount(one[one == other], minlength=len(same))
    return squares, tuple(same.tolist())


def _sessions(
    job: Job, session: PlayerSession, ended: Numbers
) -> tuple[tuple[int, ...], tuple[dict[int, int], ...]]:
    """Play sessions, one after the other; who is ruined plays no more."""
    nets = np.array([each.net_units for each in job.outcomes])
    held = session.bankroll_cents + nets[ended].reshape(-1, session.rounds).cumsum(axis=1)
    short = held < session.ante_cents
    left = np.where(short.any(axis=1), short.argmax(axis=1), session.rounds)
    ruined, bankrolls = [], []
    for mark in session.marks:
        at = np.minimum(left, mark - 1)
        values, counts = np.unique(held[np.arange(len(held)), at], return_counts=True)
        bankrolls.append(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        ruined.append(int((left < mark).sum()))
    return tuple(ruined), tuple(bankrolls)


def add(one: RoundCounts, other: RoundCounts) -> RoundCounts:
    return RoundCounts(
        rounds=one.rounds + other.rounds,
        counts=_sum(one.counts, other.counts),
        squares=one.squares + other.squares,
        twins=_sum(one.twins, other.twins),
        ruined=_sum(one.ruined, other.ruined),
        bankrolls=_sum(tuple(map(Counter, one.bankrolls)), tuple(map(Counter, other.bankrolls))),
    )


def total(job: Job, tallies: Iterable[RoundCounts]) -> RoundCounts:
    return reduce(add, tallies, RoundCounts(0, (0,) * len(job.outcomes)))


def _sum(one: tuple[T, ...], other: tuple[T, ...]) -> tuple[T, ...]:
    """Add place by place; what was not counted is empty."""
    if not one or not other:
        return one or other
    return tuple(a + b for a, b in zip(one, other, strict=True))


# What it says -----------------------------------------------------------------------------------


class EventAgreement(msgspec.Struct, frozen=True):
    """How often something happened, beside how often it should."""

    event: str
    count: int
    frequency: float
    exact: float
    z: float | None
    """None where it is too rare to say."""


class Agreement(msgspec.Struct, frozen=True):
    """A simulation beside the exact value, in antes."""

    mean: float
    standard_deviation: float
    """Of one seat's round."""
    standard_error: float
    """Of the mean; seats of one round share its luck."""
    interval: tuple[float, float]
    """The mean lies here, 95 times of a hundred."""
    exact: Fraction
    z: float
    events: tuple[EventAgreement, ...]

    @property
    def worst(self) -> float:
        """The z-score furthest from nothing."""
        return max((self.z, *(e.z for e in self.events if e.z is not None)), key=abs)


RARE = 10
"""An event that is expected less often has no z-score."""


def agreement(job: Job, tally: RoundCounts) -> Agreement:
    seats, hands = job.kernel.seats, tally.rounds * job.kernel.seats
    counted = [
        msgspec.structs.replace(outcome, deals=many)
        for outcome, many in zip(job.outcomes, tally.counts, strict=True)
    ]
    found = statistics(counted, hands, job.units)
    exact = statistics(job.outcomes, job.deals, job.units)
    error, z_error = found.variance / hands, exact.variance / hands
    if seats > 1:
        squares = Fraction(tally.squares, tally.rounds * job.units**2 * seats**2)
        error = z_error = (squares - found.value**2) / tally.rounds
    mean, deviation = float(found.value), sqrt(error)
    return Agreement(
        mean=mean,
        standard_deviation=found.standard_deviation,
        standard_error=deviation,
        interval=(mean - 1.96 * deviation, mean + 1.96 * deviation),
        exact=exact.value,
        z=float(found.value - exact.value) / sqrt(z_error) if z_error else 0.0,
        events=tuple(_event(job, tally, number) for number in range(len(job.events))),
    )


def _event(job: Job, tally: RoundCounts, number: int) -> EventAgreement:
    event, seats = job.events[number], job.kernel.seats
    hands = tally.rounds * seats
    count = sum(
        n for ending, n in zip(job.outcomes, tally.counts, strict=True) if ending.event == event
    )
    exact = sum(o.deals for o in job.outcomes if o.event == event) / job.deals
    variance = hands * exact * (1 - exact)
    if seats > 1:
        pairs = tally.rounds * seats * (seats - 1) / 2
        variance += 2 * (tally.twins[number] - pairs * exact**2)
    # What exact counting rules out must not happen once.
    told = hands * exact >= RARE or (exact == 0 and count > 0)
    z = (count - hands * exact) / sqrt(max(variance, 1.0)) if told else None
    return EventAgreement(event, count, count / hands, exact, z)


def percentile(counts: dict[int, int], part: float) -> int:
    """Return the value that this part of all values do not exceed.

    >>> percentile({1: 5, 2: 4, 9: 1}, 0.5), percentile({1: 5, 2: 4, 9: 1}, 0.95)
    (1, 9)
    """
    wanted, upto, value = part * sum(counts.values()), 0, 0
    for value in sorted(counts):
        upto += counts[value]
        if upto >= wanted:
            break
    return value
