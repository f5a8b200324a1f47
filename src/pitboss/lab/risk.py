"""What may happen to the money: hours, bankrolls, seats, jackpots and bonuses, as one plain value.

Each part is a function of its own, in a module named after it; here they are asked together, for a
command or a page.

>>> from pitboss import maths, rulebook
>>> solution = maths.solve(rulebook.load("seneca-niagara/caribbean-stud"), ante_cents=10_00)
>>> made = risk(solution, hours=(Fraction(1), Fraction(4)))
>>> [(span.rounds, span.quantile_cents(5), round(span.after.ahead, 4)) for span in made.spans]
[(40, -24000, 0.394), (160, -54000, 0.3586)]
>>> ruined = risk(solution, bankroll=Bankroll(500_00, goal_cents=800_00)).fate
>>> round(float(ruined.ruined), 6), round(float(ruined.reached), 6)
(0.321263, 0.297404)
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec

from pitboss.errors import Unreadable
from pitboss.lab.distributions import MOST_ROUNDS, Distribution, after, one_round
from pitboss.lab.jackpot_dates import JackpotDates
from pitboss.lab.offers import Counts, OfferWorth, offer
from pitboss.lab.ruin import Fate, LongRun, forever, within
from pitboss.lab.seats_together import SeatsTogether, seated
from pitboss.lab.wagers_together import WagersTogether, together
from pitboss.maths.outcomes import Statistics
from pitboss.maths.price import HANDS_PER_HOUR, ratio
from pitboss.maths.solution import Solution

HOURS = (Fraction(1), Fraction(4), Fraction(8))
"""An hour, a session, a shift."""
PARTS = (1, 5, 25, 50, 75, 95, 99)
"""Percentiles of what is won or lost."""
WORST = (5, 1)
"""Of a hundred: the worst ends whose mean is told."""


class Span(msgspec.Struct, frozen=True):
    """So many hours at the table, and what they come to."""

    hours: Fraction
    rounds: int
    after: Distribution
    mean_cents: Fraction
    deviation_cents: float

    def quantile_cents(self, part: int) -> int | None:
        """Return what this many of a hundred do not exceed."""
        return self.after.quantile(Fraction(part, 100))


class Bankroll(msgspec.Struct, frozen=True):
    """What somebody sits down with, and gets up at."""

    start_cents: int
    goal_cents: int | None = None


class Bonus(msgspec.Struct, frozen=True):
    """A bonus that must be played through."""

    bonus_cents: int
    deposit_cents: int
    turnover_cents: int
    counts: Counts = "all"


class Risk(msgspec.Struct, frozen=True, kw_only=True):
    """All that was asked; what was not is None."""

    solution: Solution
    stakes_cents: Mapping[str, int]
    round: WagersTogether
    statistics: Statistics
    """Of a round with all its wagers, in antes."""
    spans: tuple[Span, ...]
    fate: Fate | None = None
    long_run: LongRun | None = None
    bankroll: Bankroll | None = None
    seats: SeatsTogether | None = None
    house: tuple[Span, ...] = ()
    """What the seats come to together, hour by hour: the players' side."""
    bonus: Bonus | None = None
    worth: OfferWorth | None = None
    jackpot: JackpotDates | None = None


def risk(
    solution: Solution,
    *,
    stakes_cents: Mapping[str, int] | None = None,
    meter_cents: int | None = None,
    hours: Sequence[Fraction] = HOURS,
    hands_per_hour: int = HANDS_PER_HOUR,
    bankroll: Bankroll | None = None,
    seats: int = 1,
    bonus: Bonus | None = None,
    jackpot: JackpotDates | None = None,
) -> Risk:
    """Say what may happen at the ante that was solved; a bankroll is followed the longest."""
    ante = solution.ante_cents
    if ante is None:
        raise Unreadable("what may happen to money is told at an ante")
    stakes = dict(stakes_cents or {})
    if seats > 1 and stakes:
        raise Unreadable("what seats come to together is told of the main wagers alone")
    told = together(solution, stakes, meter_cents)
    one = one_round(told.outcomes, told.units)
    rounds = [_rounds(each, hands_per_hour) for each in hours]
    fate = long_run = None
    if bankroll is not None:
        start, goal = bankroll.start_cents, bankroll.goal_cents
        fate = within(one, bankroll=start, ante=ante, rounds=max(rounds), goal=goal)
        long_run = forever(one, bankroll=start, ante=ante, goal=goal)
    shared = seated(solution, seats) if seats != 1 else None
    figures = told.statistics
    return Risk(
        solution=solution,
        stakes_cents=stakes,
        round=told,
        statistics=figures,
        spans=_spans(one, figures.value, figures.variance, hours, rounds),
        fate=fate,
        long_run=long_run,
        bankroll=bankroll,
        seats=shared,
        house=()
        if shared is None
        else _spans(shared.distribution, seats * solution.value, shared.variance, hours, rounds),
        bonus=bonus,
        worth=None
        if bonus is None
        else offer(
            solution.outcomes,
            solution.units,
            bonus=bonus.bonus_cents,
            deposit=bonus.deposit_cents,
            turnover_antes=-(-bonus.turnover_cents // ante),
            counts=bonus.counts,
        ),
        jackpot=jackpot,
    )


def _rounds(hours: Fraction, hands_per_hour: int) -> int:
    found = int(hours * hands_per_hour)
    if not 1 <= found <= MOST_ROUNDS:
        raise Unreadable(f"1 to {MOST_ROUNDS:,} rounds are added up, not {found:,}")
    return found


def _spans(
    one: Distribution,
    value: Fraction,
    variance: Fraction,
    hours: Sequence[Fraction],
    rounds: Sequence[int],
) -> tuple[Span, ...]:
    return tuple(
        Span(
            hours=each,
            rounds=many,
            after=after(one, many),
            mean_cents=value * one.units * many,
            deviation_cents=sqrt(variance * many) * one.units,
        )
        for each, many in zip(hours, rounds, strict=True)
    )


# As JSON ----------------------------------------------------------------------------------------


def as_json(made: Risk, lose_cents: Sequence[int] = ()) -> dict[str, Any]:
    """Return it as plain values; money in cents, chances as numbers."""
    solution, figures = made.solution, made.statistics
    written: dict[str, Any] = {
        "rulebook": solution.book.id,
        "sha256": solution.book.sha256,
        "ante_cents": solution.ante_cents,
        "wagers_cents": dict(made.stakes_cents),
        "sampled_rounds": made.round.sampled,
        "value": ratio(figures.value),
        "variance": ratio(figures.variance),
        "standard_deviation": figures.standard_deviation,
        "skew": figures.skew,
        "excess_kurtosis": figures.excess_kurtosis,
        "n0": None if figures.n0 is None else float(figures.n0),
        "spans": [_span(each, lose_cents) for each in made.spans],
    }
    if made.fate is not None and made.long_run is not None and made.bankroll is not None:
        written["bankroll"] = {
            **msgspec.to_builtins(made.bankroll),
            "rounds": made.fate.rounds,
            "ruined": float(made.fate.ruined),
            "reached": _number(made.fate.reached),
            "error": made.fate.error,
            "curve": [{"rounds": at, "ruined": chance} for at, chance in made.fate.curve],
            "for_ever": msgspec.to_builtins(made.long_run),
        }
    if made.seats is not None:
        written["house"] = {
            "seats": made.seats.seats,
            "variance": float(made.seats.variance),
            "correlation": float(made.seats.correlation),
            "exact_variance": made.seats.exact_variance,
            "sampled_rounds": made.seats.sampled,
            "spans": [_span(each, ()) for each in made.house],
        }
    if made.worth is not None and made.bonus is not None:
        told = {key: float(value) for key, value in msgspec.structs.asdict(made.worth).items()}
        cents = {f"{key}_cents": told.pop(key) for key in ("rule_of_thumb", "worth", "deviation")}
        written["bonus"] = {**msgspec.to_builtins(made.bonus), **cents, **told}
    if made.jackpot is not None:
        fell = made.jackpot
        written["jackpot"] = {
            "chance": ratio(fell.chance),
            "tokens_per_day": float(fell.tokens_per_day),
            "days": fell.days,
            "by_then": fell.by_then,
            "expected": fell.expected,
            "dates": {f"{float(part):.0%}": day for part, day in fell.dates},
            "meter_cents": fell.meter_cents,
        }
    return written


def _number(chance: Fraction | float | None) -> float | None:
    return None if chance is None else float(chance)


def _span(span: Span, lose_cents: Sequence[int]) -> dict[str, Any]:
    found = span.after
    return {
        "hours": float(span.hours),
        "rounds": span.rounds,
        "mean_cents": float(span.mean_cents),
        "deviation_cents": span.deviation_cents,
        "ahead": found.ahead,
        "behind": found.below(0),
        "percentiles_cents": {part: span.quantile_cents(part) for part in PARTS},
        "shortfall_cents": {part: found.shortfall(Fraction(part, 100)) for part in WORST},
        "loses_more": [{"cents": each, "chance": found.below(-each)} for each in lose_cents],
        "error": found.error,
    }
