"""Times, sentences, cards and chips as pages show them: what templates call."""

import datetime
from collections.abc import Mapping
from functools import lru_cache

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pitboss import money
from pitboss.cards import SUITS, Card
from pitboss.house.table.felt import Appearance
from pitboss.round.made_hands import loses
from pitboss.rulebook import Rulebook
from pitboss.rulebook.base import codes
from pitboss.rulebook.once import once
from pitboss.rulebook.rule_card import rule_card
from pitboss.web.pages import narration, static_files

TALLEST = 8
"""Chips that a stack shows; the figure beside it says the rest."""


def sentence(said: str) -> str:
    """Write what a refusal says as a sentence of its own.

    >>> sentence("seat 3 is taken"), sentence("Try again.")
    ('Seat 3 is taken.', 'Try again.')
    """
    return said[:1].upper() + said[1:] + ("" if said[-1:] in (".", "!", "?") else ".")


def cited(written: str, book: Rulebook) -> list[tuple[str, str]]:
    """Return the clauses and rulings in a text, each once, with what the rule card says of them.

    >>> from pitboss import rulebook
    >>> cited("L.2, L.2", rulebook.load("diamond-jo-worth/cajun-stud"))
    [('L.2', 'Circumstances that no other cause covers. Called by the shift manager.')]
    """
    told = _sentences(book)
    return [(code, told.get(code, "")) for code in codes(written)]


@once
def _sentences(book: Rulebook) -> dict[str, str]:
    """Return what the rule card says of each clause and each ruling."""
    card = rule_card(book)
    return {code: place.sentence for code, place in card.places().items()} | {
        ruling.number: ruling.text for ruling in card.rulings
    }


def timestamp(at: int) -> str:
    """Write a time: milliseconds since 1970.

    >>> timestamp(1_763_179_200_000)
    '2025-11-15T04:00:00+00:00'
    """
    return datetime.datetime.fromtimestamp(at // 1000, datetime.UTC).isoformat()


def clock(at: int, *, day: bool = False) -> Markup:
    """Write a time of day, or when that was, in UTC; the script makes it the reader's own.

    >>> print(clock(1_763_179_200_000), clock(1_763_179_200_000, day=True))
    <time datetime="2025-11-15T04:00:00+00:00">04:00 UTC</time> \
<time datetime="2025-11-15T04:00:00+00:00">2025-11-15 04:00 UTC</time>
    """
    exact = timestamp(at)
    shown = exact[:16].replace("T", " ") if day else exact[11:16]
    return Markup('<time datetime="{}">{} UTC</time>').format(exact, shown)


@pass_context
def came(page: Context, part: str) -> Markup:
    """Mark when part of the felt came to look as it does, where the script plays it."""
    arrives: Mapping[str, Appearance] = page.get("arrives") or {}
    when = arrives.get(part)
    lay = " data-lay" if when is not None and when.lay else ""
    return Markup("") if when is None else Markup(f' data-at="{when.step}"{lay}')


def card_name(card: Card | None) -> str:
    """Name a card, or that it is not to be seen."""
    return "a card face down" if card is None else narration.card_name(card)


def mini(card: Card) -> str:
    """Write a card as small as it goes.

    >>> mini(Card(0)), mini(Card(47))
    ('2♣', 'K♠')
    """
    return str(card)[0].replace("T", "10") + _SUITS[card.suit]


_SUITS = dict(zip(SUITS, "♣♦♥♠", strict=True))


@lru_cache(4_096)
def stack(cents: int, denominations: tuple[int, ...]) -> tuple[int, ...]:
    """Return the chips of a stack from the lowest up, large ones below.

    >>> stack(3_100, (100, 500, 2_500))
    (2500, 500, 100)
    """
    piles, _ = money.chips(cents, denominations)
    return tuple(each for each, count in piles for _ in range(count))[:TALLEST]


def chip(cents: int) -> str:
    """Return the name of a chip's picture; of one without a picture of its own, a plain one."""
    name = f"chip-{int(cents)}"
    drawn = static_files.files()["chips.svg"].body
    return name if f'id="{name}"'.encode() in drawn else "chip"


@once
def pay_rows(book: Rulebook) -> dict[str, list[tuple[str, str, str, str]]]:
    """Return the rows of each pay table that win or push: name, hand, what it pays, clause."""
    return {
        table.name: [
            (row.row, row.label, book.posted(row), row.cited)
            for row in table.rows
            if not loses(row)
        ]
        for table in book.table
    }
