"""Settlement that explains itself: a pure function from a finished round to lines with reasons."""

import datetime

from pitboss.round.state import State
from pitboss.settle.explain import plain, sentence, sentences
from pitboss.settle.lines import (
    Form,
    Line,
    Play,
    Player,
    Reason,
    SeatPlay,
    SeatSettlement,
    Settlement,
)
from pitboss.settle.settlement import settle

__all__ = [
    "Form",
    "Line",
    "Play",
    "Player",
    "Reason",
    "SeatPlay",
    "SeatSettlement",
    "Settlement",
    "of_round",
    "plain",
    "sentence",
    "sentences",
    "settle",
]


def of_round(
    state: State,
    players: dict[int, Player] | None = None,
    date: datetime.date | None = None,
) -> Play:
    """Take from a round what its settlement needs; players and date matter for tax."""
    known = players or {}
    return Play(
        tuple(
            SeatPlay(
                seat.seat,
                tuple(card for card in seat.cards if card is not None),
                seat.stakes,
                seat.folded,
                seat.dead,
                seat.toke_cents,
                known.get(seat.seat, _ANYBODY),
                bool(seat.late),
            )
            for seat in state.seats.values()
        ),
        state.minimum_cents,
        {
            place: tuple(card for card in pile if card is not None)
            for place, pile in state.piles.items()
        },
        state.meter_cents,
        state.misdeal,
        date,
    )


_ANYBODY = Player()
