"""The two drawings of a par page: the edge by ante, and the hands that depend on the upcard."""

from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby

from pitboss.lab.chart import written
from pitboss.lab.report import Point
from pitboss.money import text

_WIDE, _HIGH = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 14, 34


def curve_svg(points: Sequence[Point], here_cents: int | None) -> str:
    """Draw the edge against the ante; the ante that was priced stands out."""
    edges = [float(-point.value) for point in points]
    low, high = min(edges), max(edges)
    low, high = low - (high - low or 0.001) * 0.15, high + (high - low or 0.001) * 0.1
    last = points[-1].ante_cents

    def x(cents: int) -> float:
        return _LEFT + (_WIDE - _LEFT - _RIGHT) * cents / last

    def y(edge: float) -> float:
        return _TOP + (_HIGH - _TOP - _BOTTOM) * (high - edge) / (high - low)

    places = [(x(p.ante_cents), y(e)) for p, e in zip(points, edges, strict=True)]
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    floor = _HIGH - _BOTTOM
    area = f"{places[0][0]:.1f},{floor} {line} {places[-1][0]:.1f},{floor}"
    dots = "".join(
        f'<circle class="{"now" if p.ante_cents == here_cents else "dot"}" cx="{a:.1f}" '
        f'cy="{b:.1f}" r="4"><title>{text(p.ante_cents)}: {-float(p.value):.4%}</title></circle>'
        for p, (a, b) in zip(points, places, strict=True)
    )
    return (
        f'<svg viewBox="0 0 {_WIDE} {_HIGH}" role="img" aria-label="House edge by ante">'
        f"{_lines(low, high, y)}{_antes(points, x)}"
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>'
        f"{dots}</svg>"
    )


def _lines(low: float, high: float, y: Callable[[float], float]) -> str:
    out = []
    for step in range(5):
        edge = low + (high - low) * step / 4
        at = y(edge)
        out.append(
            f'<line class="rule" x1="{_LEFT}" x2="{_WIDE - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
            f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end" font-size="12">'
            f"{edge:.2%}</text>"
        )
    return "".join(out)


def _antes(points: Sequence[Point], x: Callable[[int], float]) -> str:
    """Label as many antes as have room."""
    out, free = [], 0.0
    for point in points:
        at = x(point.ante_cents)
        if at >= free:
            label = text(point.ante_cents).removesuffix(".00")
            out.append(
                f'<text x="{at:.1f}" y="{_HIGH - 12}" text-anchor="middle" font-size="12">'
                f"{label}</text>"
            )
            free = at + 34
    return "".join(out)


def upcard_svg(
    rows: Sequence[tuple[str, Sequence[int | None]]], shade: Callable[[int | None], str]
) -> str:
    """Draw hands from the best (left) to the weakest, against upcards from A (top) to 2."""
    across, down, left = max(4, 900 // len(rows)), 22, 34
    wide, high = left + across * len(rows), down * 13 + 26
    out = []
    for upcard in range(12, -1, -1):
        top = (12 - upcard) * down
        out.append(
            f'<text x="{left - 8}" y="{top + 16}" text-anchor="end" font-size="14">'
            f"{written([upcard + 2])}</text>"
        )
        cells = enumerate(choices[upcard] for _, choices in rows)
        for choice, run in groupby(cells, key=lambda each: each[1]):
            at = [index for index, _ in run]
            names = rows[at[0]][0] + (f" to {rows[at[-1]][0]}" if len(at) > 1 else "")
            out.append(
                f'<rect class="{shade(choice)}" x="{left + at[0] * across}" y="{top}" '
                f'width="{across * len(at)}" height="{down - 1}">'
                f"<title>{escape(names)} against {written([upcard + 2])}</title></rect>"
            )
    out.append(_marks([name for name, _ in rows], across, left, high))
    return (
        f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="Raise or fold by upcard">'
        f"{''.join(out)}</svg>"
    )


def _marks(names: Sequence[str], across: int, left: int, high: int) -> str:
    """Name the first hand of each group that shares its first three ranks."""
    out, free = [], 0
    for index, name in enumerate(names):
        ranks = name.split(" ")[-1].split("-")
        before = names[index - 1].split(" ")[-1].split("-") if index else []
        if ranks[:3] != before[:3]:
            at = left + index * across
            out.append(f'<line class="rule" x1="{at}" x2="{at}" y1="0" y2="{high - 18}"/>')
            if free <= at <= left + across * len(names) - 40:
                label = "-".join(ranks[:3])
                out.append(f'<text x="{at + 2}" y="{high - 6}" font-size="13">{label}</text>')
                free = at + 64
    return "".join(out)
