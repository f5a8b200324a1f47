"""A par sheet as HTML, charts drawn inline: a part of a page, or a page that needs nothing else.

The templates are beside this file; here is what their drawings and colours need.
"""

from collections.abc import Container, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pitboss.lab import chart_words
from pitboss.lab.chart import upcard_map, written
from pitboss.lab.report import Point, Report, by_event, curve_title, decided
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.maths.price import ratio
from pitboss.rulebook.model import Rulebook
from pitboss.wording import spaced

_HERE = Path(__file__).parent

STYLE = _HERE / "par_sheet.css"
"""How a sheet looks, in the colours and letters of the page that it stands in."""


PARTS = ("price", "events", "play", "grid", "curve", "sides", "progressive", "notices")
"""What a sheet says, in this order."""


def page(made: Report) -> str:
    """Write a page of its own: no network, no script."""
    return _written("par_page.html", made)


def sheet(made: Report, parts: Container[str] = PARTS) -> str:
    """Write what is inside of a page whose style sheets are its own and ``STYLE``."""
    return _written("par_sheet.html", made, parts)


@cache
def _templates() -> Environment:
    found = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    found.filters |= {"number": _number, "ratio": ratio, "said": event_words}
    return found


def _written(template: str, made: Report, parts: Container[str] = PARTS) -> str:
    book = made.solution.book
    dealer = isinstance(made.solution.solved, DealerSolution)
    between = upcard_map(made.solution) if made.chart and dealer else []
    return (
        _templates()
        .get_template(template)
        .render(
            made=made,
            parts=parts,
            book=book,
            events=by_event(made.solution),
            decided=decided(made),
            words=chart_words,
            written=written,
            shade=lambda choice: shade(book, choice),
            curve=_curve(book, made.curve, made.solution.ante_cents) if made.curve else None,
            curve_title=curve_title(made.solution),
            upcards=_upcards(between) if between else None,
        )
    )


def _number(value: Any, spec: str) -> str:
    return format(value if isinstance(value, int) else float(value), spec)


def event_words(event: str) -> str:
    """Name what happened.

    >>> event_words("fold-2"), event_words("dealer-wins")
    ('folds, decision 2', 'dealer wins')
    """
    decision = event.removeprefix("fold-")
    return f"folds, decision {decision}" if decision != event else spaced(event)


def shade(book: Rulebook, choice: int | None) -> str:
    """Return the class that colours a choice: the larger the raise, the deeper."""
    named = {None: "suits", FOLD: "fold", TAKE_BACK: "fold", CHECK: "check"}
    if choice in named:
        return named[choice]
    offered = sorted({times for street in book.streets for times in street.every})
    if choice == offered[-1]:
        return "m3"
    return "m1" if choice == offered[0] else "m2"


def _curve(book: Rulebook, points: Sequence[Point], here_cents: int | None) -> dict[str, Any]:
    """Return the drawing of the edge against the ante, from nothing up; the ante that was priced
    stands out."""
    wide, high, left, right, top, bottom = 640, 260, 86, 26, 14, 34
    edges = [float(-point.value) for point in points]
    least, most = min(0.0, *edges), max(0.001, *edges) * 1.1

    def y(edge: float) -> float:
        return top + (high - top - bottom) * (most - edge) / (most - least)

    across = (wide - left - right) / points[-1].ante_cents
    dots = [
        (left + across * point.ante_cents, y(edge), point, edge)
        for point, edge in zip(points, edges, strict=True)
    ]
    labels, free = [], 0.0
    for x, _, point, _ in dots:  # as many as have room
        if x >= free:
            labels.append((x, book.money(point.ante_cents)))
            free = x + 48
    grades = [least + (most - least) * step / 4 for step in range(5)]
    return {
        "wide": wide,
        "high": high,
        "left": left,
        "right": wide - right,
        "floor": high - bottom,
        "grades": [(y(edge), edge) for edge in grades],
        "labels": labels,
        "line": " ".join(f"{x:.1f},{y_:.1f}" for x, y_, *_ in dots),
        "dots": dots,
        "here": here_cents,
    }


def _upcards(rows: Sequence[tuple[str, Sequence[int | None]]]) -> dict[str, Any]:
    """Return the drawing of hands, the best on the left, against upcards from A (top) to 2."""
    across, down, left = max(4, 900 // len(rows)), 22, 34
    bars = []
    for upcard in range(12, -1, -1):
        cells = enumerate(choices[upcard] for _, choices in rows)
        for choice, run in groupby(cells, key=lambda each: each[1]):
            at = [index for index, _ in run]
            names = rows[at[0]][0] + (f" to {rows[at[-1]][0]}" if len(at) > 1 else "")
            place = left + at[0] * across, (12 - upcard) * down, across * len(at)
            bars.append((choice, *place, f"{names} against {written([upcard + 2])}"))
    # Named is the first hand of each group that shares its first three ranks.
    firsts = ["-".join(name.split(" ")[-1].split("-")[:3]) for name, _ in rows]
    marks, free, wide = [], 0, left + across * len(rows)
    for index, first in enumerate(firsts):
        if index == 0 or first != firsts[index - 1]:
            at_x = left + index * across
            room = free <= at_x <= wide - 40
            marks.append((at_x, first if room else ""))
            free = at_x + 64 if room else free
    kinds = {choice for _, choices in rows for choice in choices}
    return {
        "hands": len(rows),
        "kinds": sorted(kinds, key=lambda kind: -9 if kind is None else kind),
        "wide": wide,
        "high": down * 13 + 26,
        "down": down,
        "left": left,
        "bars": bars,
        "marks": marks,
    }
