"""A round as a file: TOML or JSON, read strictly into values."""

import datetime
import json
import tomllib
from typing import Any, Literal

import msgspec

from pitboss.cards import Card, cards
from pitboss.errors import Unreadable
from pitboss.money import Cents
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.base import Strict
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.loader import explained, read_value
from pitboss.settle.finished_round import Player


class Cards(tuple[Card, ...]):
    """Cards as a file writes them, such as ``As Kd``."""


class SeatFile(Strict, frozen=True):
    """One seat of the file."""

    seat: int
    ante: Cents | None = None
    raises: tuple[int | Literal["fold", "check", "take-back"], ...] = ()
    cards: Cards = Cards()
    side: dict[str, Cents] = msgspec.field(default_factory=dict)
    toke: Cents = Cents(0)
    player: Player = Player()
    accepted: bool = False
    timed_out: bool = False
    dead: str = ""


class RoundFile(Strict, frozen=True):
    """What every game's file may hold; each game adds a key for each pile on its table."""

    rulebook: str
    seat: tuple[SeatFile, ...]
    minimum: Cents | None = None
    maximum: Cents | None = None
    meter: Cents | None = None
    token: Cents | None = None
    date: datetime.date | None = None
    upcard: Cards = Cards()
    misdeal: str = ""


def read(text: str) -> tuple[Rulebook, dict[str, Any]]:
    """Return the rulebook that a file names, and what else it says."""
    raw = _raw(text)
    name = raw.get("rulebook")
    if not isinstance(name, str):
        raise Unreadable("say which rules: rulebook = 'house/game' or a file's path")
    try:
        return load(name), raw
    except Unreadable as error:
        raise Unreadable(str(error), "rulebook") from None


def typed(book: Rulebook, raw: dict[str, Any]) -> tuple[RoundFile, dict[str, Cards]]:
    """Return a round of this game, and the cards of each of its piles, from plain values."""
    keys = {pile: key(pile) for pile in book.dealt if pile != SEATS}
    piles = [(name, Cards, Cards()) for name in keys.values()]
    kind = msgspec.defstruct("RoundFile", piles, bases=(RoundFile,), kw_only=True)
    try:
        file: Any = msgspec.convert(raw, kind, dec_hook=_read_value)
    except msgspec.ValidationError as error:
        message, where = explained(kind, str(error))
        raise Unreadable(message, where.removeprefix("$").removeprefix(".")) from None
    return file, {pile: getattr(file, name) for pile, name in keys.items()}


def _raw(text: str) -> dict[str, Any]:
    tidy = text.strip()
    if not tidy:
        raise Unreadable("empty; a round to settle is TOML or JSON")
    is_json = tidy.startswith(("{", "[{"))
    try:
        raw = json.loads(tidy, object_pairs_hook=_once) if is_json else tomllib.loads(tidy)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not {'JSON' if is_json else 'TOML'}: {error}") from None
    if not isinstance(raw, dict):
        raise Unreadable("a round is a table of keys, not a list or text")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _read_value(kind: type[Any], written: Any) -> Any:
    if kind is not Cards:
        return read_value(kind, written)
    if not isinstance(written, str):
        raise ValueError("write cards as text, such as 'As Kd'")
    try:
        return Cards(cards(written))
    except Unreadable as error:
        raise ValueError(error.message) from None


def key(pile: str) -> str:
    return pile.replace("-", "_")
