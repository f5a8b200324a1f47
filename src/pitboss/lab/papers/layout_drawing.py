"""The layout of a table as a drawing (SVG): seats, wagers, cards and rack, as the book has them."""

from collections.abc import Iterator
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pitboss.lab.papers.par_paper import named
from pitboss.lab.papers.typesetting import typeset
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.rule_card import rule_card
from pitboss.wording import capital

TEMPLATE = "lab/papers/layout.typ"

_CENTRE, _DEALER = (500.0, -40.0), (500.0, 40.0)
_EDGE, _RAIL = (425.0, 592.0), (486.0, 652.0)
"""The ellipses on which the last mark of each seat lies, and its number."""
_STEP = 37.0
"""From one mark to the next towards the dealer."""
_SPAN = (27, 153)
"""Between which angles players sit."""


def layout_svg(book: Rulebook) -> str:
    """Draw the layout of a full table."""
    made_by = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    legend = [*_legend(book)]
    return made_by.get_template("layout.svg").render(
        book=book,
        high=662 + 34 * len(legend) + 26,
        centre=_CENTRE[1],
        chips=[book.label(worth) for worth in book.chips],
        boxes=[*_boxes(book)],
        piles=[*_piles(book)],
        lines=_lines(book),
        seats=[_seat(book, number) for number in range(1, book.seats.most + 1)],
        legend=legend,
    )


def layout_paper(book: Rulebook) -> bytes:
    """Set the drawing as PDF."""
    return typeset(TEMPLATE, {**named(book), "drawing": layout_svg(book)})


def _seat(book: Rulebook, number: int) -> dict[str, Any]:
    """Return the marks of a seat: wagers on the game towards the dealer, the others across."""
    first, last = _SPAN
    step = (last - first) / max(1, book.seats.most - 1)
    angle = radians(first + step * (number - 1) if book.seats.most > 1 else 90)

    def on(ellipse: tuple[float, float]) -> tuple[float, float]:
        return _CENTRE[0] + ellipse[0] * cos(angle), _CENTRE[1] + ellipse[1] * sin(angle)

    edge = on(_EDGE)
    far = hypot(_DEALER[0] - edge[0], _DEALER[1] - edge[1])
    towards = ((_DEALER[0] - edge[0]) / far, (_DEALER[1] - edge[1]) / far)

    def at(steps: int, across: float = 0) -> tuple[float, float]:
        x = edge[0] + _STEP * steps * towards[0] - across * towards[1]
        y = edge[1] + _STEP * steps * towards[1] + across * towards[0]
        return round(x, 1), round(y, 1)

    numbers = {spot.name: at_ for at_, spot in enumerate(book.spot, start=1)}
    main = [spot for spot in book.spot if spot.kind == "main"]
    beside = [spot for spot in book.spot if spot.kind != "main"]
    marks = []
    for place, spot in enumerate(reversed(main)):
        x, y = at(place)
        marks.append({"x": x, "y": y, "main": True, "number": numbers[spot.name]})
    for place, spot in enumerate(beside):
        x, y = at(len(main), 32 * (place - (len(beside) - 1) / 2))
        marks.append({"x": x, "y": y, "main": False, "number": numbers[spot.name]})
    x, y = on(_RAIL)
    return {"number": number, "x": round(x, 1), "y": round(y + 5, 1), "marks": marks}


def _piles(book: Rulebook) -> Iterator[dict[str, Any]]:
    """Return the piles on the table, side by side in the middle."""
    piles = {place: many for place, many in book.dealt.items() if place != SEATS}
    wide = sum(many * 40 for many in piles.values()) + 30 * (len(piles) - 1)
    left = 500 - wide / 2
    for place, many in piles.items():
        title = capital(book.place_name(place))
        cards = [round(left + 3 + 40 * each, 1) for each in range(many)]
        yield {"title": title, "cards": cards, "x": round(left + 20 * many, 1)}
        left += many * 40 + 30


def _boxes(book: Rulebook) -> Iterator[dict[str, Any]]:
    """Return what stands beside the rack."""
    if book.deck.shuffler:
        yield {"title": "Shuffler", "x": 224}
    if any("discard" in each.says for each in book.procedure):
        yield {"title": "Discards", "x": 672}
    if book.progressive is not None:
        yield {"title": "Meter", "x": 796}


def _lines(book: Rulebook) -> list[str]:
    """Return what is printed under the game's name: when the dealer's hand counts, and the cap."""
    sections = {section.name: section for section in rule_card(book).sections}
    named_ = [sections[name] for name in ("dealer", "caps") if name in sections]
    return [section.items[0].text for section in named_ if len(section.items[0].text) < 110]


def _legend(book: Rulebook) -> Iterator[dict[str, Any]]:
    """Say what each mark is for, as the rule card does."""
    items = rule_card(book).section("wagers").items
    said = {topic: each for each in items for topic in each.topics}
    for number, spot in enumerate(book.spot, start=1):
        each = said[spot.title]
        yield {
            "number": number,
            "main": spot.kind == "main",
            "title": spot.title,
            "says": each.text.partition(". ")[0].removesuffix("."),
            "clause": ", ".join(each.clauses),
        }
