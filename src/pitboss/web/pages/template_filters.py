"""Times and sentences as people read them: what templates call."""

import datetime

from pitboss.cards import card
from pitboss.web.pages import narration, static_files


def sentence(said: str) -> str:
    """Write what a refusal says as a sentence of its own.

    >>> sentence("seat 3 is taken"), sentence("Try again.")
    ('Seat 3 is taken.', 'Try again.')
    """
    return said[:1].upper() + said[1:] + ("" if said[-1:] in (".", "!", "?") else ".")


def moment(at: int) -> str:
    """Write a time: milliseconds since 1970.

    >>> moment(1_763_179_200_000)
    '2025-11-15T04:00:00+00:00'
    """
    return datetime.datetime.fromtimestamp(at // 1000, datetime.UTC).isoformat()


def card_name(written: str | None) -> str:
    """Name a card, or that it is not to be seen."""
    return "a card face down" if written is None else narration.card_name(card(written))


def chip(cents: int) -> str:
    """Return the name of a chip's picture; of one without a picture of its own, a plain one."""
    name = f"chip-{int(cents)}"
    drawn = static_files.files()["chips.svg"].body
    return name if f'id="{name}"'.encode() in drawn else "chip"
