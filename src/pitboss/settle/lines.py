"""What goes into a settlement and what comes out of it: plain values, explanations included."""

import datetime
from typing import Any, Literal

import msgspec

from pitboss.cards import Card
from pitboss.money import Odds
from pitboss.rulebook.pit_rules import Approval

Outcome = Literal["win", "lose", "push"]


class Player(msgspec.Struct, frozen=True, gc=False):
    """What the tax desk must know of a person."""

    residence: Literal["us", "foreign"] = "us"
    identified: bool = True
    tin: bool = True
    """Has given a taxpayer identification number."""
    barred: bool = False


class SeatPlay(msgspec.Struct, frozen=True, gc=False):
    """One seat's round, ready to be settled."""

    seat: int
    cards: tuple[Card, ...]
    stakes: dict[str, int]
    """Spot to cents."""
    folded: int = 0
    """The street on which the hand was folded; 0 if it was not."""
    dead: str = ""
    """The cause for which the hand is dead."""
    toke_cents: int = 0
    player: Player = Player()
    late: bool = False
    """A wager out of limits was found late and stands."""


class Play(msgspec.Struct, frozen=True, gc=False):
    """A whole table's round, ready to be settled."""

    seats: tuple[SeatPlay, ...]
    minimum_cents: int
    """The posted minimum; a cap may grow with it."""
    piles: dict[str, tuple[Card, ...]] = {}
    """The cards on the table by place."""
    meter_cents: int | None = None
    """The progressive meter as it was locked when betting closed."""
    misdeal: str = ""
    """The cause for which the round was called off."""
    date: datetime.date | None = None
    """When it is paid, for dated tax figures; the latest figures where it is not given."""


class Reason(msgspec.Struct, frozen=True, gc=False):
    """One step of an explanation: data, turned to words only when somebody asks."""

    code: str
    clause: str
    facts: dict[str, Any] = {}


class Line(msgspec.Struct, frozen=True, gc=False):
    """What became of one wager."""

    spot: str
    stake_cents: int
    outcome: Outcome
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


class Form(msgspec.Struct, frozen=True, gc=False):
    """A tax form that is due before the money is handed over."""

    form: str
    wager: str
    """The wager it is about: ``main``, or a side wager's spot."""
    reportable_cents: int
    withheld_cents: int
    clause: str


class SeatSettlement(msgspec.Struct, frozen=True, gc=False):
    """What one seat gets, and why."""

    seat: int
    hand: str
    """What people call the hand; empty where it was never made or never shown."""
    lines: tuple[Line, ...]
    won_cents: int
    """All winnings but the toke's, before tax."""
    returned_cents: int
    """All that goes back to the player, before tax and holding."""
    approvals: tuple[Approval, ...]
    forms: tuple[Form, ...]
    held_cents: int
    """Winnings that are kept as a liability."""

    @property
    def withheld_cents(self) -> int:
        """Tax kept back."""
        return sum(form.withheld_cents for form in self.forms)

    @property
    def paid_cents(self) -> int:
        """What is pushed over to the player now."""
        return self.returned_cents - self.withheld_cents - self.held_cents

    @property
    def staked_cents(self) -> int:
        """What the player had down, the toke left out."""
        return sum(line.stake_cents for line in self.lines if line.spot != "toke")


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


class Draft:
    """A line while it is being worked out; frozen into a :class:`Line` at the end."""

    __slots__ = (
        "clause",
        "nominal_cents",
        "odds",
        "outcome",
        "reasons",
        "returns_stake",
        "row",
        "spot",
        "stake_cents",
        "won_cents",
    )

    def __init__(
        self,
        spot: str,
        stake_cents: int,
        outcome: Outcome,
        reason: Reason,
        odds: Odds | None = None,
        row: str = "",
    ) -> None:
        self.spot = spot
        self.stake_cents = stake_cents
        self.outcome = outcome
        self.odds = odds
        self.nominal_cents = 0
        self.won_cents = 0
        self.clause = reason.clause.partition(",")[0].partition(" ")[0]
        self.reasons = [reason]
        self.row = row
        self.returns_stake = outcome != "lose"

    def wins(self, cents: int) -> None:
        """Set what the pay table says."""
        self.nominal_cents = self.won_cents = cents

    def line(self) -> Line:
        """Freeze it."""
        stake = self.stake_cents if self.returns_stake else 0
        return Line(
            self.spot,
            self.stake_cents,
            self.outcome,
            self.odds,
            self.nominal_cents,
            self.won_cents,
            stake + self.won_cents,
            self.clause,
            tuple(self.reasons),
            self.row,
        )
