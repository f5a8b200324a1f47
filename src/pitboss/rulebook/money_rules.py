"""Rules about money: limits, ceilings, the jackpot, tokes, tax."""

from typing import Literal

from pitboss.money import Cents, Odds, Percent, times
from pitboss.rulebook.base import ABOVE_DEALER, Cited, PitRole, Strict

USUAL_MINIMUM_CENTS = 5_00
"""What a table posts where neither the house nor anybody else says."""

USUAL_MAXIMUM_TIMES = 20
"""How many times its minimum a practice table posts where a maximum is needed and nobody says."""


class Range(Strict, frozen=True, kw_only=True):
    """What a table may post."""

    lowest: Cents | None = None
    """Nothing lower may be posted."""
    highest: Cents | None = None
    """Nothing higher may be posted."""

    def least(self, otherwise: int = 1) -> int:
        """Return the lowest that may be posted, in cents; ``otherwise`` where any amount may be."""
        return int(self.lowest or otherwise)


class Limits(Cited, frozen=True, kw_only=True):
    """The limits a table may post, and who may change them."""

    minimum: Range = Range()
    """The posted minimum of the required wager."""
    maximum: Range = Range()
    """The posted maximum of the required wager."""
    maximum_required: bool = False
    """No table opens without a posted maximum."""
    smallest_chip: Cents | None = None
    """A wager at a table is a whole number of these; of the smallest in the rack, if not said."""
    changed_by: tuple[PitRole, ...] = ("shift-manager",)
    """Who may change the posted limits between rounds, or open a table again at others."""
    partners_share_maximum: bool = False
    """Seats marked as partners stay within the maximum together."""
    cash_speaks: bool = False
    """Whether a spoken wager with cash is taken."""
    late_by: tuple[PitRole, ...] = ABOVE_DEALER
    """Who records it."""


class Growth(Cited, frozen=True, kw_only=True):
    """How the cap follows the posted minimum."""

    units: int
    """The largest stack in units of the minimum."""
    odds: Odds
    """The factor."""


class Cap(Cited, frozen=True, kw_only=True):
    """A ceiling on winnings."""

    points = ("division",)
    """That those whom it binds share it pro rata."""
    scope: Literal["table", "seat"]
    """Over the whole table's round, or for each player."""
    most: Cents
    """The ceiling."""
    spots: tuple[str, ...]
    """Whose winnings count."""
    above: Odds | None = None
    """Only wins at more than these odds count."""
    rows: tuple[str, ...] = ()
    """Only wins by these rows count; all where none is named."""
    growth: Growth | None = None
    """The ceiling rises with the posted minimum."""
    unit: Cents = Cents(1)
    """The smallest piece that is shared out."""
    notify: tuple[PitRole, ...] = ()
    """Who must hear of its use within the gaming day."""

    def counts(self, odds: Odds, row: str) -> bool:
        return (self.above is None or odds > self.above) and (not self.rows or row in self.rows)

    def cents(self, minimum_cents: int) -> int:
        if self.growth is None:
            return int(self.most)
        return max(self.most, times(minimum_cents, self.growth.odds * self.growth.units))


class Progressive(Cited, frozen=True, kw_only=True):
    """A jackpot that grows with every token."""

    points = ("share",)
    """Several claims in one round."""
    spot: str
    """Where the token goes."""
    contribution: Percent
    """What part of a token the meter gets."""
    reseed: Cents
    """Where the meter starts again when it has been emptied."""
    token: Range | None = None
    """What a table may post as a token's value; the same as the book's spot takes, if not said."""
    awards_from: Literal["pool", "house"] = "pool"
    """Who pays the fixed awards."""
    confirm_fold: bool = True
    """Folding a hand with an award asks for confirmation."""
    timeout: Literal["paid", "lost"] = "paid"
    """What becomes of an award whose hand the clock folds: silence is no confirmed fold."""


class Toke(Cited, frozen=True, kw_only=True):
    """A wager for the dealers."""

    rides: str
    """The wager whose fate it shares."""
    most_of_maximum: Percent
    """At most this part of the posted maximum."""
    at_most_own_bet: bool = True
    """And at most what the player bets there."""


class Tax(Cited, frozen=True, kw_only=True):
    """What the house's document says of reporting; the dated federal figures are kept elsewhere."""

    points = ("held", "identified", "forms")
    """Winnings without identification, and barred patrons; who is identified; what waits."""
    over: Cents | None = None
    """The house's own floor: strictly more than this."""
    at_least_times: int = 300
    """And at least this many times the wager."""
    form_citizen: str = "W-2G"
    """The form for citizens and resident aliens."""
    form_foreign: str = "1042-S"
    """The form for non-resident aliens."""
    form_shared: str = "5754"
    """The statement of several who win one wager together."""
    turned_over_to: str = ""
    """Who gets held winnings that nobody claims; they stay a liability, where it is empty."""
