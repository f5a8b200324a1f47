"""When a jackpot falls: the chance by a date, the date to expect it, and the meter by then.

Every token has the same exact chance of the top award. Hands of one round come from one deck and
are taken here as if each had its own: a round's chance is off by less than its square.
"""

from datetime import date, timedelta
from fractions import Fraction
from math import ceil, expm1, log1p

import msgspec

from pitboss.errors import Unreadable, Unsolved
from pitboss.maths.price import At
from pitboss.maths.side_wagers import jackpot, rows_counted
from pitboss.rulebook.model import Rulebook

MOST_DAYS = 36_525
"""A hundred years: what comes later has no date here."""
MOST_TOKENS_A_DAY = 10**7
PARTS = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))
"""How likely the jackpot has fallen by the dates that are told."""


class Pace(msgspec.Struct, frozen=True):
    """How many tokens a day are played for one meter."""

    rounds_per_hour: int
    hours_per_day: Fraction
    tokens: int = 1
    """In a round, at all tables on the meter."""

    @property
    def per_day(self) -> Fraction:
        return self.rounds_per_hour * self.hours_per_day * self.tokens


class JackpotDates(msgspec.Struct, frozen=True):
    """When the top award is won."""

    chance: Fraction
    """Of one token."""
    tokens_per_day: Fraction
    days: int
    """From the beginning of the first day to the end of the last."""
    by_then: float
    """How likely it is won in these days."""
    expected: date | None
    """The day on which it is won on average; None where that is a hundred years off."""
    dates: tuple[tuple[Fraction, date | None], ...]
    """By which day it has been won with these chances."""
    meter_cents: int
    """Where the meter is expected at the end if it has not been won."""


def fallen(chance: Fraction, tokens: Fraction | int) -> float:
    """Return how likely one of so many tokens wins.

    >>> fallen(Fraction(1, 2), 3)
    0.875
    """
    return -expm1(float(tokens) * log1p(-float(chance)))


def dates(
    book: Rulebook, start: date, until: date, pace: Pace, meter_cents: int | None = None
) -> JackpotDates:
    """Say when the top award of a book's progressive is won, from the start's morning on."""
    token = jackpot(book)
    if token is None or token.rounds_to_top is None:
        raise Unsolved("no award here takes the meter, so none has a date", book.id)
    days, per_day = (until - start).days + 1, pace.per_day
    if not 1 <= days <= MOST_DAYS:
        raise Unreadable(f"a date is 0 to {MOST_DAYS - 1:,} days off, not {days - 1:,}")
    if not 0 < per_day <= MOST_TOKENS_A_DAY:
        raise Unreadable(f"more than 0 and up to {MOST_TOKENS_A_DAY:,} tokens are played a day")
    chance = 1 / token.rounds_to_top

    def on(tokens: float) -> date | None:
        day = max(1, ceil(tokens / float(per_day)))
        return start + timedelta(days=day - 1) if day <= MOST_DAYS else None

    quantiles = [(part, on(log1p(-float(part)) / log1p(-float(chance)))) for part in PARTS]
    return JackpotDates(
        chance=chance,
        tokens_per_day=per_day,
        days=days,
        by_then=fallen(chance, days * per_day),
        expected=on(float(token.rounds_to_top)),
        dates=tuple(quantiles),
        meter_cents=meter_after(book, At(meter_cents=meter_cents).meter(book), days * per_day),
    )


def meter_after(book: Rulebook, meter_cents: int, tokens: Fraction | int) -> int:
    """Return the meter expected after so many tokens none of which won the top award.

    A token adds its part; smaller parts of the meter, and fixed awards where the pool pays them,
    take theirs. The pool is taken to be large enough for these.
    """
    added, taken = growth(book)
    if not taken:
        return round(meter_cents + float(tokens * added))
    level, kept = float(added / taken), 1 - fallen(taken, tokens)
    return round(level + (meter_cents - level) * kept)


def growth(book: Rulebook) -> tuple[Fraction, Fraction]:
    """Return what a token that does not win the top award adds, in cents, and the part it takes."""
    rule = book.progressive
    assert rule is not None, "a jackpot has a progressive"
    spot = book.spots[rule.spot]
    table = book.tables[spot.table]
    counted, total = rows_counted(book, table)
    shares = [row.meter for row in table.rows if row.meter is not None]
    others = [row for row in table.rows if row.meter is None or row.meter != max(shares)]
    left = total - sum(counted[row.row] for row in table.rows if row not in others)
    awards = sum(counted[row.row] * int(row.award) for row in others if row.award is not None)
    parts = sum(counted[row.row] * row.meter for row in others if row.meter is not None)
    paid = Fraction(awards, left) if rule.awards_from == "pool" else Fraction(0)
    assert spot.fixed is not None, "a priced token is fixed"
    token = rule.contribution * int(spot.fixed)
    part = Fraction(parts, left)
    return token * (1 - part) - paid, part
