"""The price of a game: its expected value, house edge and element of risk, and what an hour costs.

Whoever names a price takes it from here: the lobby, the par sheet, the comparison of rulebooks. The
expected value is the player's, per unit wagered; the house edge is the same with its sign turned.
The element of risk, the edge of all that is wagered on the game, is in a solution's statistics.
"""

from fractions import Fraction

import msgspec

from pitboss.errors import Unsolved
from pitboss.maths.side_wagers import jackpot, side_wager
from pitboss.maths.solution import Solution, solve
from pitboss.rulebook.model import Rulebook

HANDS_PER_HOUR = 40
USUAL_ANTE_CENTS = 10_00
"""The average ante where neither anyone nor the rulebook says."""


class At(msgspec.Struct, frozen=True):
    """The table at which a wager is priced."""

    ante_cents: int | None = None
    """None leaves caps and the rounding of cents out."""
    minimum_cents: int | None = None
    """None stands for the lowest of the house's range."""
    meter_cents: int | None = None
    """None stands for the book's own seed."""
    players: int = 1
    """How many have the wager: awards to others are worth something among several."""

    def meter(self, book: Rulebook) -> int:
        if self.meter_cents is not None:
            return self.meter_cents
        return 0 if book.progressive is None else int(book.progressive.reseed)


def expected_value(book: Rulebook, wager: str, at: At | None = None) -> Fraction:
    """Return what a wager is worth to the player; the main game goes by the name of its ante."""
    at = at or At()
    spot = book.spots[wager]
    if spot.kind == "main":
        return solve(book, at.ante_cents, at.minimum_cents).value
    if spot.kind == "progressive":
        token = jackpot(book)
        if token is None:
            raise Unsolved("a token without a progressive is not priced", book.id)
        return token.at(at.meter(book)) - 1
    if spot.after_fold == "lost":
        raise Unsolved("what a fold loses of a side wager depends on play", book.id)
    if at.ante_cents is not None and any(wager in cap.spots for cap in book.cap):
        raise Unsolved("a payout cap on a side wager is not priced yet", book.id)
    side = side_wager(book, spot)
    if at.players == 1 or all(row.others is None for row in book.tables[spot.table].rows):
        return side.value
    if side.others is None:
        raise Unsolved("awards to others, on a wager of any size, are not priced", book.id)
    return side.value + (at.players - 1) * side.others


def house_edge(book: Rulebook, wager: str, at: At | None = None) -> Fraction:
    """Return the house's part of what is wagered."""
    return -expected_value(book, wager, at)


class PerHour(msgspec.Struct, frozen=True):
    """What an hour at the table comes to, for one seat."""

    hands: int
    ante_cents: int
    """The average ante."""
    win: Fraction
    """The house's theoretical win, in cents."""
    deviation_cents: int
    """The standard deviation of an hour."""

    @property
    def win_cents(self) -> int:
        return round(self.win)


def per_hour(
    solution: Solution, hands: int = HANDS_PER_HOUR, ante_cents: int | None = None
) -> PerHour:
    """Return what an hour comes to; at the ante that was solved or the lowest, if none is given."""
    least = solution.book.limits.minimum.least(USUAL_ANTE_CENTS)
    ante = ante_cents or solution.ante_cents or least
    deviation = solution.statistics.standard_deviation * hands**0.5 * ante
    return PerHour(hands, ante, -solution.value * ante * hands, round(deviation))


def ratio(value: Fraction) -> str:
    """Write a fraction as ``n/d``, also where d is 1."""
    return f"{value.numerator}/{value.denominator}"
