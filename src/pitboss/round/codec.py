"""Actions and events as JSON, cards as text."""

from typing import Any, TypeVar

import msgspec

from pitboss.cards import Card, card
from pitboss.errors import Unreadable
from pitboss.round.actions import Action
from pitboss.round.events import Event

T = TypeVar("T")


def write_value(value: Any) -> str | int:
    """Cards become text; money that was read from a rulebook or a file is an integer again."""
    return str(value) if isinstance(value, Card) else int(value)


def read_value(kind: type[Any], written: Any) -> Any:
    """Read a card; for msgspec's decoders."""
    if kind is not Card or not isinstance(written, str):
        raise ValueError("a card is text such as As")
    try:
        return card(written)
    except Unreadable as error:
        raise ValueError(error.message) from None


_ENCODER = msgspec.json.Encoder(enc_hook=write_value)
_EVENTS: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event, dec_hook=read_value)
_ACTIONS: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action, dec_hook=read_value)


def encode(value: Action | Event) -> bytes:
    """Write an action or event as JSON; an event of the machine always gives the same bytes."""
    return _ENCODER.encode(value)


def event(written: bytes | str) -> Event:
    return _decoded(_EVENTS, written)


def action(written: bytes | str) -> Action:
    return _decoded(_ACTIONS, written)


def _decoded(decoder: msgspec.json.Decoder[T], written: bytes | str) -> T:
    try:
        return decoder.decode(written)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from None
