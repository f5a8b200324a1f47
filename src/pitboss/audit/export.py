"""Rounds and ledger as plain rows, for programs and spreadsheets of others."""

import datetime
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.audit.snapshot import Snapshot
from pitboss.cards import text
from pitboss.errors import PitbossError
from pitboss.house.storage import codec
from pitboss.house.storage.past_rounds import own
from pitboss.house.table import events as h
from pitboss.round import Seat, State, evolve
from pitboss.round.events import RoundOpened
from pitboss.rulebook import Rulebook

LINE = ("spot", "stake_cents", "outcome", "nominal_cents", "won_cents", "returned_cents", "clause")
"""What is said of each wager."""


def utc(at: int) -> str:
    """Write a time of the journal.

    >>> utc(1_763_179_200_007)
    '2025-11-15T04:00:00.007Z'
    """
    whole = datetime.datetime.fromtimestamp(at // 1000, datetime.UTC)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{at % 1000:03d}Z"


def ledger(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    names = ("position", "time", "stream", "seq", "actor", "account", "cents")
    for position, at, *rest in snapshot.rows(_LEDGER):
        yield dict(zip(names, (position, utc(at), *rest), strict=True))


class _Table:
    """What is known of a table while its journal is read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.opened = h.TableOpened("", "", 0, None)
        self.number = self.betting_at = 0
        self.state = State()


def rounds(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """Walk through every round that was paid, in the order of payment."""
    books = dict(snapshot.rows(_RULEBOOKS))
    read: dict[str, Rulebook] = {}
    tables: dict[str, _Table] = {}
    for stream, position, at, body in snapshot.rows(_TABLES):
        name = stream.removeprefix("table:")
        table = tables.setdefault(name, _Table(name))
        try:
            happened = codec.body(body).events
        except Exception as error:
            raise PitbossError(f"entry {position} cannot be read; audit first: {error}") from None
        for event in happened:
            if isinstance(event, h.TableOpened):
                table.opened = event
                if event.sha256 not in read:
                    read[event.sha256] = codec.rulebook(books[event.sha256], event.sha256)
            elif isinstance(event, h.DeckSealed) and event.round != table.number:
                table.number, table.betting_at = event.round, at
            elif isinstance(event, h.RoundPaid):
                yield _round(table, event, at)
            elif isinstance(event, h.RoundAdjusted):
                yield _adjusted(table, read, event, at)
            for each in own((event,)):
                table.state = evolve(read[table.opened.sha256], table.state, each)


def _adjusted(
    table: _Table, books: dict[str, Rulebook], event: h.RoundAdjusted, at: int
) -> dict[str, Any]:
    """Tell a round once more as it was put right, with what had to move for it."""
    again = _Table(table.name)
    again.opened = table.opened
    opened = event.events[0]
    assert isinstance(opened, RoundOpened)
    for each in event.events:
        again.state = evolve(books[opened.sha256], again.state, each)
    told = _round(again, event.paid, at)
    told |= {"rulebook": opened.rulebook, "sha256": opened.sha256, "opened": "", "paid": ""}
    moved = [msgspec.to_builtins(each) for each in event.seats]
    return told | {"adjusted": utc(at), "difference": moved}


def _round(table: _Table, paid: h.RoundPaid, at: int) -> dict[str, Any]:
    told, opened = table.state, table.opened
    return {
        "round": f"{table.name}-{paid.round}",
        "table": table.name,
        "rulebook": opened.rulebook,
        "sha256": opened.sha256,
        "opened": utc(table.betting_at),
        "paid": utc(at),
        "gaming_day": str(paid.date),
        "practice": opened.practice,
        "misdeal": told.misdeal,
        "cards": {place: text(pile) for place, pile in told.piles.items()},
        "seats": [_seat(told.seats[each.seat], each) for each in paid.seats],
        "meter_cents": paid.meter_cents,
        "notify": list(paid.notify),
        "adjusted": "",
        "difference": [],
    }


def _seat(told: Seat, paid: h.SeatPaid) -> dict[str, Any]:
    return {
        "seat": paid.seat,
        "person": told.person,
        "cards": text(told.cards),
        "hand": paid.hand,
        "folded": bool(told.folded),
        "dead": told.dead,
        "stakes": told.stakes,
        "toke_cents": told.toke_cents,
        "lines": [{name: getattr(line, name) for name in LINE} for line in paid.lines],
        "paid_cents": paid.paid_cents,
        "held_cents": paid.held_cents,
        "withheld_cents": paid.withheld_cents,
        "forms": list(paid.forms),
    }


def wagers(round_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Take a round apart into flat rows, one for each wager."""
    apart = ("cards", "seats", "difference")
    common = {key: value for key, value in round_.items() if key not in apart}
    common["table_cards"] = ", ".join(f"{place} {pile}" for place, pile in round_["cards"].items())
    for seat in round_["seats"]:
        own = {key: value for key, value in seat.items() if key not in ("stakes", "lines", "forms")}
        own["forms"] = " ".join(seat["forms"])
        for line in seat["lines"]:
            yield {**common, **own, **line}


_LEDGER = (
    "SELECT journal.position, at, stream, seq, actor, account, cents"
    " FROM ledger JOIN journal ON journal.position = ledger.position"
    " ORDER BY ledger.position, line"
)
_TABLES = (
    "SELECT stream, position, at, body FROM journal"
    " WHERE SUBSTR(stream, 1, 6) = 'table:' ORDER BY position"
)
_RULEBOOKS = "SELECT name, value FROM kept WHERE kind = 'rulebook'"
