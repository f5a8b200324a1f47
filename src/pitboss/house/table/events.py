"""What happens at a table around its rounds, in the past tense. Rounds have their own events."""

import datetime

import msgspec

from pitboss.cards import Card
from pitboss.round import events as rounds
from pitboss.round.events import Base
from pitboss.settle import Player


class TableOpened(Base, frozen=True, tag="table-opened"):
    """A table was opened for a rulebook."""

    rulebook: str
    sha256: str
    minimum_cents: int
    maximum_cents: int | None
    practice: bool = False
    """Play chips, and payoffs approve themselves; every record of the table says so."""
    dealing: str = "automatic"
    """``automatic``, ``dealer`` (a person works the script) or ``entered`` (with real cards)."""
    shuffler: bool = False
    betting_seconds: int = 20
    decision_seconds: int = 30
    opener: str = ""
    """Who opened it: at a practice table that person looks after it."""


class TableClosed(Base, frozen=True, tag="table-closed"):
    """The table was closed; its bank went back to the cage."""

    bank_cents: int
    why: str = ""


class LimitsChanged(Base, frozen=True, tag="limits-changed"):
    """The posted limits are now these."""

    minimum_cents: int
    maximum_cents: int | None
    why: str


class SeatTaken(Base, frozen=True, tag="seat-taken"):
    """Somebody sat down."""

    seat: int
    person: str
    name: str
    player: Player = Player()
    """What the tax desk knew of them."""
    bot: str = ""
    """The strategy, where the person is none."""


class PlayerKnown(Base, frozen=True, tag="player-known"):
    """The house knows something else of who sits there."""

    seat: int
    player: Player


class SeatAway(Base, frozen=True, tag="seat-away"):
    """Somebody sits out from the next round on, or is back."""

    seat: int
    away: bool


class SeatLeft(Base, frozen=True, tag="seat-left"):
    """A seat is free, at once or as soon as the round is over."""

    seat: int
    why: str = ""
    """Where it was not their own wish."""


class PartnersMarked(Base, frozen=True, tag="partners-marked"):
    """Seats are, or are no longer, partners."""

    partners: tuple[tuple[int, ...], ...]
    why: str


class DealerChanged(Base, frozen=True, tag="dealer-changed"):
    """Another person deals; nobody, where it is empty."""

    person: str


class BankFilled(Base, frozen=True, tag="bank-filled"):
    """The cage brought chips to the table."""

    cents: int


class MeterSeeded(Base, frozen=True, tag="meter-seeded"):
    """The house put the first money on the progressive."""

    cents: int


class CardsBrought(Base, frozen=True, tag="cards-brought"):
    """New cards came to the table."""

    colours: tuple[str, ...]
    day: datetime.date
    """The gaming day."""


class CardsInspected(Base, frozen=True, tag="cards-inspected"):
    """Somebody looked through the new cards."""

    role: str
    person: str


class CardsWashed(Base, frozen=True, tag="cards-washed"):
    """The new cards were washed."""


class CardReplaced(Base, frozen=True, tag="card-replaced"):
    """A damaged card was replaced."""

    card: Card
    role: str
    person: str
    why: str


class DeckSealed(Base, frozen=True, tag="deck-sealed"):
    """Betting is open: the next round's deck is fixed, and this names it without showing it."""

    round: int
    commitment: str
    cards: tuple[Card, ...] = ()
    """Never sent to anybody."""
    seed: str = ""
    """Never sent to anybody."""
    entry: int = 0
    """The number of the journal's entry that this is in: the round's story begins here."""


class ClockSet(Base, frozen=True, tag="clock-set"):
    """The table waits until then, and no longer; 0 stops the clock."""

    until: int
    """Milliseconds since 1970, UTC."""


class PayoffAnnounced(Base, frozen=True, tag="payoff-announced"):
    """A payoff waits for approval; what was approved of an earlier figure is void."""

    seat: int
    won_cents: int
    needs: tuple[str, ...]
    clauses: tuple[str, ...]


class PayoffApproved(Base, frozen=True, tag="payoff-approved"):
    """Somebody approved a payoff."""

    seat: int
    role: str
    person: str
    """``automatic`` at a practice table."""


class LinePaid(msgspec.Struct, frozen=True):
    """What became of one wager."""

    spot: str
    stake_cents: int
    outcome: str
    won_cents: int
    returned_cents: int
    clause: str


class SeatPaid(msgspec.Struct, frozen=True):
    """What one seat got."""

    seat: int
    hand: str
    lines: tuple[LinePaid, ...]
    paid_cents: int
    held_cents: int = 0
    withheld_cents: int = 0
    forms: tuple[str, ...] = ()


class RoundPaid(Base, frozen=True, tag="round-paid"):
    """The round is over, and the chips have moved."""

    round: int
    date: datetime.date
    """The gaming day."""
    seats: tuple[SeatPaid, ...]
    meter_cents: int | None = None
    """Where the progressive stands."""
    notify: tuple[str, ...] = ()
    """Who must hear of the use of a cap within the gaming day."""


HouseEvent = (
    TableOpened
    | TableClosed
    | LimitsChanged
    | SeatTaken
    | PlayerKnown
    | SeatAway
    | SeatLeft
    | PartnersMarked
    | DealerChanged
    | BankFilled
    | MeterSeeded
    | CardsBrought
    | CardsInspected
    | CardsWashed
    | CardReplaced
    | DeckSealed
    | ClockSet
    | PayoffAnnounced
    | PayoffApproved
    | RoundPaid
)

TableEvent = HouseEvent | rounds.Event
