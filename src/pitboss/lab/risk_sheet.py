"""What may happen to the money as a page asks for it, with distributions to be drawn."""

from datetime import date
from fractions import Fraction
from typing import Any

import msgspec

from pitboss.lab import jackpot_dates
from pitboss.lab.distributions import Distribution, step_of
from pitboss.lab.risk import HOURS, Bankroll, Bonus, as_json, risk
from pitboss.maths.price import HANDS_PER_HOUR, At
from pitboss.maths.solution import Solution

BINS = 48
"""Bars of a distribution that is drawn."""


class RiskRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is asked besides hours at the table; what is not asked is None."""

    hands_per_hour: int = HANDS_PER_HOUR
    bankroll: Bankroll | None = None
    seats: int = 1
    bonus: Bonus | None = None
    start: date | None = None
    """From when on a jackpot is awaited."""
    until: date | None = None
    hours_per_day: int = 12
    tokens: int = 1


class DrawnSpan(msgspec.Struct, frozen=True):
    """What a span comes to, in bars from the least net to the most that are drawn."""

    least_cents: int
    most_cents: int
    bars: tuple[float, ...]
    """The chance of each, from the least up."""


class RiskSheet(msgspec.Struct, frozen=True):
    """What may happen to the money."""

    told: dict[str, Any]
    """As ``pitboss risk --json`` has it for the saved book."""
    drawn: tuple[DrawnSpan, ...]
    house: tuple[DrawnSpan, ...] = ()
    """Of all seats together."""


def sheet(solution: Solution, at: At, request: RiskRequest) -> RiskSheet:
    """Work out what is asked, at the ante that was solved."""
    book, falls = solution.book, None
    if request.start is not None and request.until is not None:
        hours = Fraction(request.hours_per_day)
        pace = jackpot_dates.Pace(request.hands_per_hour, hours, request.tokens)
        falls = jackpot_dates.dates(book, request.start, request.until, pace, at.meter_cents)
    made = risk(
        solution,
        hours=HOURS,
        hands_per_hour=request.hands_per_hour,
        bankroll=request.bankroll,
        seats=request.seats,
        bonus=request.bonus,
        jackpot=falls,
    )
    return RiskSheet(
        told=as_json(made),
        drawn=tuple(drawn(each.after) for each in made.spans),
        house=tuple(drawn(each.after) for each in made.house),
    )


def drawn(found: Distribution, bins: int = BINS) -> DrawnSpan:
    """Put nets together in bars of one width, from the worst of 200 ends to the best of 100.

    Money is won and lost in steps, and often every other one is rare: each bar is as many steps
    wide, and an even number of them.
    """
    least = found.quantile(Fraction(1, 200))
    most = found.quantile(Fraction(99, 100))
    if least is None:
        least = found.nets[0]
    most = found.nets[-1] if most is None else most
    step = step_of([each for each in found.nets if least <= each <= most])
    width = 2 * step * -(-(most - least + step) // (2 * step * bins))
    ends = range(least, most + width, width)
    chances = [found.below(end + width) - found.below(end) for end in ends if end <= most]
    return DrawnSpan(least, least + width * len(chances), tuple(chances))
