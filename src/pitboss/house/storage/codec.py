"""Tables, people and settings as JSON: what the journal keeps and what it is read back from."""

from base64 import b32encode
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.house.books.papers import FormRecord, HeldWinnings, RoundClaim
from pitboss.house.people.persons import Person, PersonEvent
from pitboss.house.table.commands import Asked
from pitboss.house.table.events import TableEvent
from pitboss.house.table.procedure import VERSION
from pitboss.house.table.state import CapNotice, TableSnapshot
from pitboss.house.table.unit_of_work import UnitOfWork
from pitboss.money import Odds, odds
from pitboss.round import codec as rounds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.loader import convert, explained
from pitboss.rulebook.model import as_plain


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of a table's stream holds."""

    procedure: int
    """The version of the procedure that decided it."""
    events: tuple[TableEvent, ...]
    command: msgspec.Raw = msgspec.Raw(b"null")
    """What was asked for."""
    people: dict[int, str] = {}
    """Who held which seat in the round: whose eyes the cards are for."""
    record: int = 0
    """The version of the actor's record by which it was allowed: that entry of their stream."""
    settings: int = 0
    """The version of the house's settings by which it was decided, likewise."""


class PersonBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of a person's stream, or of the house's own, holds."""

    procedure: int
    """The version of the procedure that decided it."""
    events: tuple[PersonEvent, ...]
    record: int = 0
    """The version of the actor's record by which it was allowed: that entry of their stream."""


class _Decided(msgspec.Struct, frozen=True):
    """All that is read of an entry before it is known who can read the rest."""

    procedure: int


def write_value(value: Any) -> str | int:
    """Cards and odds become text; money that was read from a rulebook is an integer again."""
    return str(value) if isinstance(value, _AS_TEXT) else int(value)


_AS_TEXT = (Card, Odds)


def read_value(kind: type[Any], written: Any) -> Any:
    if kind is not Odds or not isinstance(written, str):
        return rounds.read_value(kind, written)
    try:
        return odds(written)
    except Unreadable as error:
        raise ValueError(error.message) from None


encode = msgspec.json.Encoder(enc_hook=write_value).encode
"""Writes any of our values; the same value always gives the same bytes."""
body = msgspec.json.Decoder(Body, dec_hook=read_value).decode
"""Reads an entry of a table's stream."""
person_body = msgspec.json.Decoder(PersonBody).decode
"""Reads an entry of a person's stream, or of the house's own."""
notice = msgspec.json.Decoder(CapNotice).decode
held = msgspec.json.Decoder(HeldWinnings).decode
form = msgspec.json.Decoder(FormRecord).decode
claim = msgspec.json.Decoder(RoundClaim).decode

snapshot = msgspec.json.Decoder(TableSnapshot, dec_hook=read_value).decode
"""Reads a table that was kept."""
person = msgspec.json.Decoder(tuple[Person, int, str]).decode
"""Reads a person that was kept, with the number and hash of the last entry."""
_DECIDED = msgspec.json.Decoder(_Decided)


def text(value: Any) -> str:
    return encode(value).decode()


def decided(unit: UnitOfWork, command: Asked) -> Body:
    asked = msgspec.Raw(encode(command))
    return Body(
        procedure=VERSION,
        events=tuple(unit.events),
        command=asked,
        people=unit.people,
        record=unit.who.record,
        settings=unit.now.settings,
    )


def recorded(*events: PersonEvent, record: int = 0) -> str:
    """Write what happened to a person, or to the house's own settings."""
    return text(PersonBody(VERSION, events, record))


def procedure(written: str) -> int:
    """Return the version of the procedure that decided an entry, whatever else is in it."""
    return _DECIDED.decode(written).procedure


def rulebook_text(book: Rulebook) -> str:
    return msgspec.json.encode(as_plain(book)).decode()


@lru_cache(maxsize=128)  # a house and its audit read the same few books again and again
def rulebook(written: str, sha256: str) -> Rulebook:
    """Read a rulebook that was kept, and check that it still is the one of this name."""
    found: Rulebook = convert(msgspec.json.decode(written), Rulebook, "rulebook")
    if found.sha256 != sha256:
        raise Unreadable(f"other rules: they are those of {found.sha256}", f"rulebook {sha256}")
    return found


def short_name(seed: str) -> str:
    """Return a short name that the same seed always gives: 128 bits, since whoever chooses seeds
    may look for two that give the same.

    >>> short_name("ann/1") == short_name("ann/1"), len(short_name("ann/2"))
    (True, 26)
    """
    return b32encode(sha256(seed.encode()).digest()[:16]).decode().rstrip("=").lower()


def command(kind: Any, written: bytes) -> Any:
    try:
        return msgspec.json.decode(written, type=kind, dec_hook=read_value)
    except (ValueError, RecursionError) as error:  # bytes that are no UTF-8, too
        raise Unreadable(*explained(kind, str(error))) from None
