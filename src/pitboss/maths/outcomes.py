"""What can happen and how often: the exact distribution that every statistic comes from."""

import math
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from pitboss.errors import Unreadable
from pitboss.maths.seen import Seen


class Outcome(msgspec.Struct, frozen=True):
    """One thing that can happen."""

    event: str
    """The row that paid, or such as ``fold-2``."""
    stake: int
    """The main wagers on the table, in antes."""
    net_units: int
    """What the player wins or loses, in units of the solution."""
    deals: int
    """In how many deals."""


class Replayed(msgspec.Struct, frozen=True):
    """A game played as was best in another: what happens then."""

    deals: int
    units: int
    outcomes: tuple[Outcome, ...]

    @property
    def total(self) -> int:
        return sum(each.deals * each.net_units for each in self.outcomes)

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Nothing is chosen here."""
        known = len(seen.known)
        raise Unreadable(f"with {known} cards seen nothing is chosen: what is played is given")


NO_SUCH_PLAY = "the best play of before does not fit this game"
"""Said of a book that differs by more than can be priced under it."""


class Statistics(msgspec.Struct, frozen=True):
    """What a distribution comes to, in antes."""

    value: Fraction
    """The player's expected value, per ante."""
    average_wager: Fraction
    variance: Fraction
    skew: float
    excess_kurtosis: float
    """How heavy the tails are; a normal distribution has none of it."""
    hit_frequency: Fraction
    """How often the player ends ahead."""

    @property
    def element_of_risk(self) -> Fraction:
        """The house's edge of all that is wagered on the game."""
        return -self.value / self.average_wager

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def n0(self) -> Fraction | None:
        """Rounds until what is expected is one standard deviation; None if nothing is."""
        return self.variance / self.value**2 if self.value else None


def statistics(outcomes: Sequence[Outcome], deals: int, units: int) -> Statistics:
    def moment(power: int) -> Fraction:
        return Fraction(sum(o.deals * o.net_units**power for o in outcomes), deals * units**power)

    mean, wager = moment(1), Fraction(sum(o.deals * o.stake for o in outcomes), deals)
    variance = moment(2) - mean**2
    third = moment(3) - 3 * mean * moment(2) + 2 * mean**3
    fourth = moment(4) - 4 * mean * moment(3) + 6 * mean**2 * moment(2) - 3 * mean**4
    deviation = math.sqrt(variance)
    return Statistics(
        value=mean,
        average_wager=wager,
        variance=variance,
        skew=float(third) / deviation**3 if deviation else 0.0,
        excess_kurtosis=float(fourth / variance**2) - 3 if variance else 0.0,
        hit_frequency=Fraction(sum(o.deals for o in outcomes if o.net_units > 0), deals),
    )
