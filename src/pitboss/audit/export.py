"""Rounds, ledger, events and forms as plain rows, for programs and spreadsheets of others."""

import datetime
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.audit.snapshot import Snapshot
from pitboss.cards import text
from pitboss.errors import PitbossError
from pitboss.house.books.papers import FormRecord, Payee
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
        self.names: dict[str, str] = {}
        """What those who sat down were called."""
        self.times: dict[int, tuple[int, int]] = {}
        """When each round was opened and paid."""
        self.corrected: list[dict[str, Any]] = []
        """What was put right of the round before it was paid: by whom, and why."""
        self.put_right: dict[int, list[dict[str, Any]]] = {}
        """The same of each round that was paid, with what was put right since."""
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
            elif isinstance(event, h.SeatTaken):
                table.names[event.person] = event.name
            elif isinstance(event, h.DeckSealed) and event.round != table.number:
                table.number, table.betting_at, table.corrected = event.round, at, []
            elif isinstance(event, h.RoundCorrected):
                table.corrected.append(_agreed(event))
            elif isinstance(event, h.RoundPaid):
                table.times[event.round] = table.betting_at, at
                table.put_right[event.round] = table.corrected
                yield _round(table, event, at)
            elif isinstance(event, h.RoundAdjusted):
                yield _adjusted(table, read, event, at)
            for each in own((event,)):
                table.state = evolve(read[table.opened.sha256], table.state, each)


def _agreed(event: h.RoundCorrected | h.RoundAdjusted) -> dict[str, Any]:
    return {"by": dict(event.by), "why": event.why}


def _adjusted(
    table: _Table, books: dict[str, Rulebook], event: h.RoundAdjusted, at: int
) -> dict[str, Any]:
    """Tell a round once more as it was put right, with what had to move for it."""
    again = _Table(table.name)
    again.opened, again.names = table.opened, table.names
    again.corrected = table.put_right[event.round] = [
        *table.put_right[event.round],
        _agreed(event),
    ]
    opened = event.events[0]
    assert isinstance(opened, RoundOpened)
    for each in event.events:
        again.state = evolve(books[opened.sha256], again.state, each)
    again.betting_at, first_paid = table.times[event.round]
    told = _round(again, event.paid, first_paid)
    told |= {"rulebook": opened.rulebook, "sha256": opened.sha256}
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
        "seats": [_seat(table, told.seats[each.seat], each) for each in paid.seats],
        "meter_cents": paid.meter_cents,
        "notify": list(paid.notify),
        "corrected": list(table.corrected),
        "adjusted": "",
        "difference": [],
    }


def _seat(table: _Table, told: Seat, paid: h.SeatPaid) -> dict[str, Any]:
    return {
        "seat": paid.seat,
        "person": told.person,
        "name": table.names.get(told.person, ""),
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


FORM = ("id", "form", "state", "person", "wager", "staked_cents")
SUMS = ("reportable_cents", "withheld_cents")
WHOSE = ("payee", "tin", "address", "country")


def forms(snapshot: Snapshot, year: int | None = None) -> Iterator[dict[str, Any]]:
    """Return the forms of a year payee by payee, one row each, and after them what they come to.
    A payee is one by the taxpayer's number, and without one by name and address.

    A statement of shared winners is a row; what it says stands in the winners' own forms as well,
    and only those count.
    """
    found = [codec.form(value) for (value,) in snapshot.rows(_FORMS)]
    chosen = [each for each in found if year in (None, each.day.year)]
    chosen.sort(key=lambda each: (each.payee.name, each.payee.tin))
    payees: dict[tuple[str, ...], list[FormRecord]] = {}
    for each in chosen:
        payees.setdefault(_whose(each.payee), []).append(each)
    for several in payees.values():
        rows = [_form(each) for each in sorted(several, key=lambda one: (one.day, one.id))]
        yield from rows
        counted = [row for row in rows if row["forms"]]
        sums = {name: sum(row[name] for row in counted) for name in (*SUMS, "forms")}
        whose = {name: rows[-1][name] for name in WHOSE}
        yield dict.fromkeys(rows[-1], "") | whose | {"form": "total", **sums}


def _form(form: FormRecord) -> dict[str, Any]:
    return {
        "payee": form.payee.name,
        "tin": form.payee.tin,
        "address": form.payee.address,
        "country": form.payee.country,
        "date": str(form.day),
        **{name: getattr(form, name) for name in (*FORM, *SUMS)},
        "forms": int(not form.parts),
        "completed_by": form.by,
        "rulebook": form.rulebook,
        "clause": form.clause,
    }


def _whose(payee: Payee) -> tuple[str, ...]:
    return (payee.number,) if payee.number else payee.known_by


PRIVATE = {"tin", "address", "proofs", "locked"}
"""What papers say of somebody beside their name, and decks under lock: the forms have the one, and
nobody the other. Whether there is a taxpayer's number is told."""
UNTOLD = {"clock-set", "deck-opened"}
"""Of these there is nothing to tell; whole decks are for those who audit alone."""


def events(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """Walk through all that happened, at tables, with people and in the house itself, in its order:
    when, who asked for what and in which role, and the event as the journal has it."""
    roles: dict[str, str] = {}
    under_way: dict[str, int] = {}
    for position, at, stream, seq, actor, body in snapshot.rows(_JOURNAL):
        try:
            read = msgspec.json.decode(body)
            asked, happened = read.get("command") or {}, read["events"]
        except (ValueError, KeyError) as error:
            raise PitbossError(f"entry {position} cannot be read; audit first: {error}") from None
        kind, _, name = stream.partition(":")
        for event in happened:
            tag = event.pop("event")
            if tag in ("deck-sealed", "betting-withdrawn"):
                under_way[name] = event.get("round", 0)
            if tag not in UNTOLD:
                number = event.get("round") or under_way.get(name)
                yield {
                    "position": position,
                    "time": utc(at),
                    "stream": stream,
                    "seq": seq,
                    "table": name if kind == "table" else "",
                    "round": f"{name}-{number}" if kind == "table" and number else "",
                    "actor": actor,
                    "roles": roles.get(actor, ""),
                    "role": asked.get("role", ""),
                    "asked": asked.get("action", ""),
                    "event": tag,
                    "seat": event.get("seat") or None,
                    "fields": _open(event),
                }
            if tag == "round-paid":
                under_way[name] = 0
            elif tag in ("person-added", "roles-set"):
                roles[name] = " ".join(event["roles"])


def _open(value: Any) -> Any:
    """Leave out what is private, however deep it lies."""
    if isinstance(value, dict):
        told = {name: _open(each) for name, each in value.items()}
        return {k: each for k, each in told.items() if k not in PRIVATE or isinstance(each, bool)}
    return [_open(each) for each in value] if isinstance(value, list) else value


def one_row(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Write an event flat: its fields in one cell, as JSON."""
    yield event | {"fields": msgspec.json.encode(event["fields"]).decode()}


def wagers(round_: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Take a round apart into flat rows, one for each wager."""
    apart = ("cards", "seats", "difference", "corrected")
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
_JOURNAL = "SELECT position, at, stream, seq, actor, body FROM journal ORDER BY position"
_TABLES = (
    "SELECT stream, position, at, body FROM journal"
    " WHERE SUBSTR(stream, 1, 6) = 'table:' ORDER BY position"
)
_FORMS = "SELECT value FROM kept WHERE kind = 'form' ORDER BY name"
_RULEBOOKS = "SELECT name, value FROM kept WHERE kind = 'rulebook'"
