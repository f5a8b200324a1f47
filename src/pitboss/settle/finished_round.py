"""What goes into a settlement: a finished round, whether it was played here or read from a file."""

import datetime
from typing import Annotated, Literal

import msgspec

from pitboss.cards import Card
from pitboss.round.state import State

MOST_PARTS = 1_000_000
"""Into how many parts a win may be divided for one of several winners."""


class Share(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the tax desk must know of one of several winners of the same wagers."""

    parts: Annotated[int, msgspec.Meta(ge=1, le=MOST_PARTS)]
    """How many of all parts are theirs."""
    residence: Literal["us", "foreign"] = "us"
    tin: bool = True


class Player(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the tax desk must know of a person."""

    residence: Literal["us", "foreign"] = "us"
    identified: bool = True
    tin: bool = True
    """Has given a taxpayer identification number."""
    barred: bool = False
    shared: tuple[Share, ...] = ()
    """Those who win together, this person too; nobody else, where it is empty."""


class SeatPlay(msgspec.Struct, frozen=True, gc=False):
    """One seat's round, ready to be settled."""

    seat: int
    cards: tuple[Card, ...]
    stakes: dict[str, int]
    """Spot to cents."""
    folded: int = 0
    """The street on which the hand was folded; 0 if it was not."""
    kept: str = ""
    """The wager that a fold by the clock did not lose."""
    dead: str = ""
    """The cause for which the hand is dead."""
    toke_cents: int = 0
    player: Player = Player()


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


_ANYBODY = Player()


def of_round(
    state: State,
    players: dict[int, Player] | None = None,
    date: datetime.date | None = None,
) -> Play:
    """Take from a round what its settlement needs; players and date matter for tax."""
    known = players or {}
    return Play(
        seats=tuple(
            SeatPlay(
                seat=seat.seat,
                cards=tuple(card for card in seat.cards if card is not None),
                stakes=seat.stakes,
                folded=seat.folded,
                kept=seat.kept,
                dead=seat.dead,
                toke_cents=seat.toke_cents,
                player=known.get(seat.seat, _ANYBODY),
            )
            for seat in state.seats.values()
        ),
        minimum_cents=state.minimum_cents,
        piles={
            place: tuple(card for card in pile if card is not None)
            for place, pile in state.piles.items()
        },
        meter_cents=state.meter_cents,
        misdeal=state.misdeal,
        date=date,
    )
