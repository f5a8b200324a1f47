"""A par sheet as PDF: the report's figures as they are printed."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pitboss import __version__
from pitboss.lab import chart_words
from pitboss.lab.chart import Chart, ChartSection, written
from pitboss.lab.papers.par_workbook import priced_at, tie_rule
from pitboss.lab.papers.typesetting import typeset
from pitboss.lab.par_page import event_words, shade
from pitboss.lab.report import Point, Report, by_event, curve_title, decision_lines
from pitboss.maths.decisions import FOLD
from pitboss.maths.price import ratio
from pitboss.maths.side_wagers import Side, rows_counted
from pitboss.rulebook.model import Rulebook
from pitboss.wording import capital

TEMPLATE = "lab/papers/par.typ"

RuleLine = tuple[list[tuple[str, str]], str]
"""A line of a strategy: what to do, each with its colour, and with which hands."""


def paper(made: Report) -> bytes:
    """Set a report as PDF."""
    return typeset(TEMPLATE, _values(made))


def named(book: Rulebook) -> dict[str, str]:
    """Return what every paper about a book says at its head and foot."""
    return {
        "id": book.id,
        "house": book.house,
        "game": book.game,
        "sha256": book.sha256,
        "document": book.document,
        "version": __version__,
    }


def _values(made: Report) -> dict[str, Any]:
    solution, statistics, hour = made.solution, made.solution.statistics, made.per_hour
    book = solution.book
    return {
        **named(book),
        "edge": percent(-solution.value),
        "exact_edge": ratio(-solution.value),
        "stake": f"Ante: {priced_at(made)}",
        "tiles": [
            ("Element of risk", percent(statistics.element_of_risk)),
            ("Average wager, antes", f"{float(statistics.average_wager):.6f}"),
            ("Standard deviation, antes", f"{statistics.standard_deviation:.6f}"),
            ("Variance", f"{float(statistics.variance):.6f}"),
            ("Skew", f"{statistics.skew:.4f}"),
            ("Hit frequency", percent(statistics.hit_frequency)),
            (
                f"House wins in {hour.hands} hands at {book.money(hour.ante_cents)}",
                book.money(hour.win_cents),
            ),
            ("Standard deviation of that hour", book.money(hour.deviation_cents)),
        ],
        "events": _events(made),
        "deals": f"{solution.deals:,}",
        "ties": tie_rule(made),
        "strategies": [
            (
                name,
                percent(-each.value),
                f"{float(each.average_wager):.6f}",
                percent(each.element_of_risk),
                percent(solution.value - each.value),
            )
            for name, each in made.strategies.items()
        ],
        "sides": [_side(book, side) for side in made.sides],
        "progressive": _progressive(made),
        "curve": _curve(made) if made.curve else None,
        "chart": _chart(book, made.chart) if made.chart is not None else None,
        "decisions": [re.sub(" {2,}", ": ", line.strip()) for line in decision_lines(made)],
        "notices": [each.text for each in book.notice],
        "facts": [
            ("Rulebook", book.id),
            ("Its sha256", book.sha256),
            ("Read from", book.document),
            ("Worked out by", f"Pitboss {__version__}, in whole numbers over every deal"),
            ("Exact figures", f"edge {ratio(-solution.value)}, {_exactly(made)}"),
            *([("Play", "as is best at the book's own odds, not at these")] * made.same_play),
        ],
    }


def percent(value: Fraction | float) -> str:
    return f"{float(value):.6%}"


def one_in(ways: int, whole: int) -> str:
    """Say how rare something is."""
    if not ways:
        return "never"
    return f"{whole / ways:,.1f}" if whole < 100 * ways else f"{round(Fraction(whole, ways)):,}"


def _exactly(made: Report) -> str:
    figures = made.solution.statistics
    return (
        f"element of risk {ratio(figures.element_of_risk)}, average wager"
        f" {ratio(figures.average_wager)}, hit frequency {ratio(figures.hit_frequency)}"
    )


def _events(made: Report) -> list[dict[str, Any]]:
    events, deals = by_event(made.solution), made.solution.deals
    worths = [0.0, *(float(worth) for *_, worth in events)]
    low, span = min(worths), (max(worths) - min(worths)) or 1.0
    most = max(many for _, many, _ in events)
    return [
        {
            "event": event_words(event),
            "deals": f"{many:,}",
            "share": percent(Fraction(many, deals)),
            "share_bar": many / most,
            "one_in": one_in(many, deals),
            "worth": f"{float(worth):+.6f}",
            "start": (min(float(worth), 0.0) - low) / span,
            "length": abs(float(worth)) / span,
            "gain": worth > 0,
        }
        for event, many, worth in events
    ]


def _side(book: Rulebook, side: Side) -> dict[str, Any]:
    spot = book.spots[side.spot]
    whole = sum(row.ways for row in side.rows)
    rows = []
    for counted, row in zip(side.rows, book.tables[spot.table].rows, strict=True):
        share = Fraction(counted.ways, whole)
        worth = share * (row.odds or 0)
        rows.append(
            (
                row.label,
                book.posted(row),
                f"{counted.ways:,}",
                percent(share),
                one_in(counted.ways, whole),
                f"{float(worth):+.6f}",
                row.cited,
            )
        )
    together = ("all hands", "", f"{whole:,}", percent(1), "", f"{float(side.value):+.6f}", "")
    return {
        "title": spot.title,
        "edge": percent(-side.value),
        "exact": ratio(-side.value),
        "others": "" if side.others is None else percent(side.others),
        "rows": [*rows, together],
    }


def _progressive(made: Report) -> dict[str, Any] | None:
    told, book = made.progressive, made.solution.book
    if not told or book.progressive is None:
        return None
    tiles = [
        ("Fixed awards return, per token", f"{told['fixed_return']:.6f}"),
        ("Break-even meter", book.money(told["break_even_cents"])),
    ]
    if "rounds_to_top" in told:
        tiles += [
            ("Rounds to the top award", f"{told['rounds_to_top']:,.0f}"),
            ("Hours to it, one seat", f"{told['hours_to_top']:,.0f}"),
        ]
    if "meter_return" in told:
        at = f"A token returns at {book.money(told['meter_cents'])}"
        tiles.append((at, f"{told['meter_return']:.6f}"))
    table = book.tables[book.spots[book.progressive.spot].table]
    counted, whole = rows_counted(book, table)
    rows = [
        (
            row.label,
            book.posted(row),
            f"{counted[row.row]:,}",
            one_in(counted[row.row], whole),
            row.cited,
        )
        for row in table.rows
    ]
    return {"tiles": tiles, "rows": rows}


def _curve(made: Report) -> dict[str, Any]:
    """Return the edge by ante as points of a drawing whose sides are 1."""
    book, points = made.solution.book, made.curve
    edges = [float(-point.value) for point in points]
    low, most = min(0.0, *edges), max(0.001, *edges) * 1.1
    grades = [low + (most - low) * step / 4 for step in range(5)]
    return {
        "title": curve_title(made.solution),
        "grades": [{"y": step / 4, "edge": f"{edge:.2%}"} for step, edge in enumerate(grades)],
        "dots": [
            {
                "x": point.ante_cents / points[-1].ante_cents,
                "y": (edge - low) / (most - low),
                "ante": book.money(point.ante_cents),
                "labelled": point in _spread(points),
            }
            for point, edge in zip(points, edges, strict=True)
        ],
        "rows": [
            (book.money(point.ante_cents), percent(-point.value), ratio(-point.value))
            for point in points
        ],
    }


def _spread(points: Sequence[Point]) -> list[Point]:
    """Return those points whose labels have room beside each other."""
    found: list[Point] = []
    for point in points:
        if not found or point.ante_cents - found[-1].ante_cents >= points[-1].ante_cents / 11:
            found.append(point)
    return found


def _chart(book: Rulebook, chart: Chart) -> dict[str, Any]:
    """Return the strategy: each line is what to do, coloured, and with which hands."""
    ranks = [written([rank]) for rank in range(14, 1, -1)]
    bands: list[RuleLine] = []
    for band in reversed(chart.bands):
        do, hands = chart_words.band_words(band)
        bands.append(([(shade(book, band.choice), do)], hands))
    for each in chart.by_upcard:
        which, what = chart_words.upcard_words(each)
        bands.append(([("suits", which)], what))
    return {
        "says": chart_words.how_words(chart),
        "bands": bands,
        "ranks": ranks,
        "grid": [
            [_square(book, chart.grid[column][row]) for column in range(12, -1, -1)]
            for row in range(12, -1, -1)
        ]
        if chart.grid
        else [],
        "grid_says": _grid_says(chart),
        "sections": [
            {"title": chart_words.title_of(section), "lines": _section(book, section)}
            for section in chart.sections
        ],
        "exceptions": [
            ([("suits", upcard)], f"{hands}: {do}")
            for upcard, do, hands in chart_words.suits_lines(chart)
        ],
    }


def _section(book: Rulebook, section: ChartSection) -> list[RuleLine]:
    said = zip(section.lines, chart_words.lines_of(section), strict=True)
    return [
        (
            [
                (shade(book, choice), do)
                for choice, do in chart_words.choice_runs(line.choices, section.stakes)
            ],
            when,
        )
        for line, (_, when) in said
    ]


def _square(book: Rulebook, choice: int) -> tuple[str, str]:
    return shade(book, choice), chart_words.choice_word(choice) if choice else ""


def _grid_says(chart: Chart) -> str:
    squares = chart_words.squares_words(chart.grid or (), {FOLD: "an empty square"})
    says = "Suited above the diagonal, unsuited below it; pairs on it."
    says += f" {capital(squares)}." if squares else ""
    if not any(chart.points):
        return says
    return (
        f"{says} Later: {chart_words.points_words(chart.points)}. From 4 in means with four antes"
        " or more on the table. A straight is in reach if the cards seen can still become it."
    )
