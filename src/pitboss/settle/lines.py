"""What comes out of a settlement: plain values, explanations included."""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from pitboss.money import Odds
from pitboss.rulebook.pit_rules import Approval

WagerOutcome = Literal["win", "lose", "push"]


class Reason(msgspec.Struct, frozen=True, gc=False):
    """One step of an explanation: data, turned to words only when somebody asks."""

    code: str
    clause: str
    facts: dict[str, Any] = {}


class Line(msgspec.Struct, frozen=True, gc=False):
    """What became of one wager."""

    spot: str
    stake_cents: int
    outcome: WagerOutcome
    odds: Odds | None
    """What it was paid to one; None where it was not won by odds."""
    nominal_cents: int
    """What the pay table says it wins."""
    won_cents: int
    """What it wins after caps and shares."""
    returned_cents: int
    """What goes back to the player: the stake, where it goes back, and the winnings."""
    clause: str
    """The clause that decided it; the reasons cite all that had a part in it."""
    reasons: tuple[Reason, ...]
    row: str = ""
    """The pay-table row that decided."""
    dealers: bool = False
    """It is the dealers': a toke, once it is decided. One that goes back is the player's."""


def staked_cents(lines: Iterable[Line]) -> int:
    """Return what a player had down; a toke left out that is the dealers'."""
    return sum(line.stake_cents for line in lines if not line.dealers)


class Form(msgspec.Struct, frozen=True, gc=False):
    """A tax form that is due before the money is handed over."""

    form: str
    wager: str
    """The wager it is about: ``main``, or a side wager's spot."""
    reportable_cents: int
    withheld_cents: int
    clause: str
    staked_cents: int = 0
    """What lay on the wager."""
    winner: int = 0
    """Whose it is: 1 is the first of several who win together; 0, where one person does."""


class SeatSettlement(msgspec.Struct, frozen=True, gc=False):
    """What one seat gets, and why."""

    seat: int
    hand: str
    """What people call the hand; empty where it was never made or never shown."""
    lines: tuple[Line, ...]
    won_cents: int
    """All winnings but the toke's, before tax."""
    returned_cents: int
    """All that goes back to the player, before tax and holding; a toke only as it was put down."""
    approvals: tuple[Approval, ...]
    forms: tuple[Form, ...]
    held_cents: int
    """Winnings that are kept as a liability."""

    @property
    def withheld_cents(self) -> int:
        return sum(form.withheld_cents for form in self.forms)

    @property
    def paid_cents(self) -> int:
        """What is pushed over to the player now."""
        return self.returned_cents - self.withheld_cents - self.held_cents

    @property
    def payoff_cents(self) -> int:
        """What of the winnings is paid now."""
        return self.won_cents - self.withheld_cents - self.held_cents

    @property
    def staked_cents(self) -> int:
        return staked_cents(self.lines)

    @property
    def net_cents(self) -> int:
        return self.paid_cents - self.staked_cents


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """A whole round, settled."""

    rulebook: str
    sha256: str
    cap_cents: int | None
    """The ceiling in force, where the house has one."""
    notify: tuple[str, ...]
    """Who must hear of this round within the gaming day."""
    seats: tuple[SeatSettlement, ...]
    meter_after_cents: int | None = None
    """Where the progressive meter stands now."""
    untested: tuple[str, ...] = ()
    """What a table posts and a file leaves out, in sentences: nothing was held against it."""


class Draft(msgspec.Struct):
    """A line while it is being worked out; frozen into a :class:`Line` at the end."""

    spot: str
    stake_cents: int
    outcome: WagerOutcome
    reasons: list[Reason]
    """What decided it comes first."""
    odds: Odds | None = None
    row: str = ""
    nominal_cents: int = 0
    won_cents: int = 0
    dropped: bool = False
    """A token that has dropped stays there, whatever it wins."""
    dealers: bool = False
    beside_cents: int = 0
    """The wager that a bonus stands beside: it has no stake of its own."""

    @property
    def paid_on_cents(self) -> int:
        """What its odds are applied to."""
        return self.beside_cents or self.stake_cents

    @property
    def returns_stake(self) -> bool:
        """The stake goes back beside the winnings."""
        return self.outcome != "lose" and not self.dropped

    def wins(self, cents: int) -> None:
        """Set what the pay table says."""
        self.nominal_cents = self.won_cents = cents

    def line(self) -> Line:
        stake = self.stake_cents if self.returns_stake else 0
        return Line(
            spot=self.spot,
            stake_cents=self.stake_cents,
            outcome=self.outcome,
            odds=self.odds,
            nominal_cents=self.nominal_cents,
            won_cents=self.won_cents,
            returned_cents=stake + self.won_cents,
            clause=self.reasons[0].clause.partition(",")[0].partition(" ")[0],
            reasons=tuple(self.reasons),
            row=self.row,
            dealers=self.dealers,
        )
