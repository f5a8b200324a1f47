"""A par sheet as one plain value, for any renderer; the price itself is in ``maths.price``."""

from fractions import Fraction
from typing import Any

import msgspec

from pitboss.errors import Unreadable
from pitboss.lab.chart import Chart, chart, drawn
from pitboss.maths.price import HANDS_PER_HOUR, PerHour, per_hour, ratio
from pitboss.maths.side_wagers import Jackpot, Side, jackpot, side_wager
from pitboss.maths.solution import Solution, solve
from pitboss.rulebook.model import Rulebook

_ANTES = (1, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500)
_HIGHEST_ANTE_CENTS = 500_00
"""How far the curve goes where the house posts no highest maximum."""


class Meter(msgspec.Struct, frozen=True):
    """The progressive at a meter, for one token in every round."""

    rounds_to_top: Fraction
    """Rounds until the top award, on average."""
    hours_to_top: float
    meter_cents: int | None = None
    meter_return: Fraction | None = None
    """What a token returns at this meter, per token."""


class Point(msgspec.Struct, frozen=True):
    """The price at one ante, the cap applied."""

    ante_cents: int
    value: Fraction


class Report(msgspec.Struct, frozen=True):
    """Everything a par sheet says."""

    solution: Solution
    sides: tuple[Side, ...]
    jackpot: Jackpot | None
    per_hour: PerHour
    meter: Meter | None = None
    chart: Chart | None = None
    curve: tuple[Point, ...] = ()


def report(
    solution: Solution,
    *,
    meter_cents: int | None = None,
    hands_per_hour: int = HANDS_PER_HOUR,
    with_chart: bool = True,
    with_curve: bool = False,
) -> Report:
    """Price the main game, every side wager and the progressive.

    The chart, where one is drawn, takes a tenth of a second, the curve one solution for every ante.
    """
    book = solution.book
    return Report(
        solution=solution,
        sides=tuple(side_wager(book, spot) for spot in book.spot if spot.kind == "side"),
        jackpot=jackpot(book),
        per_hour=per_hour(solution, hands_per_hour),
        meter=meter(book, meter_cents, hands_per_hour),
        chart=chart(solution) if with_chart and drawn(solution) else None,
        curve=curve(solution) if with_curve else (),
    )


def meter(book: Rulebook, meter_cents: int | None, hands: int) -> Meter | None:
    found = jackpot(book)
    if found is None and meter_cents is not None:
        raise Unreadable(f"{book.id} has no progressive", "--meter")
    if found is None or found.rounds_to_top is None:
        return None
    whole = None if meter_cents is None else found.at(meter_cents)
    return Meter(found.rounds_to_top, float(found.rounds_to_top / hands), meter_cents, whole)


def antes(book: Rulebook, minimum_cents: int) -> tuple[int, ...]:
    """Return the antes of the curve: from the posted minimum to the highest maximum."""
    least = max(minimum_cents, int(book.limits.minimum.lowest or _ANTES[1] * 100))
    most = max(least, int(book.limits.maximum.highest or _HIGHEST_ANTE_CENTS))
    return tuple(sorted({least, most, *(a * 100 for a in _ANTES if least <= a * 100 <= most)}))


def curve(solution: Solution) -> tuple[Point, ...]:
    book, least = solution.book, solution.minimum_cents
    if not book.cap:
        return ()
    return tuple(
        Point(ante, solve(book, ante, least, solution.ties).value) for ante in antes(book, least)
    )


def as_json(made: Report) -> dict[str, Any]:
    """Return the report as the par contract has it; statistics are numbers in antes."""
    solution, figures = made.solution, made.solution.statistics
    written: dict[str, Any] = {
        "rulebook": solution.book.id,
        "sha256": solution.book.sha256,
        "ties": solution.ties,
        "ante_cents": solution.ante_cents,
        "main": {
            "value": ratio(solution.value),
            "deals": solution.deals,
            "house_edge": float(-solution.value),
            "average_wager": float(figures.average_wager),
            "element_of_risk": float(figures.element_of_risk),
            "standard_deviation": figures.standard_deviation,
            "skew": figures.skew,
            "hit_frequency": float(figures.hit_frequency),
            "fold": [float(each) for each in solution.folds],
            "outcomes": [
                {
                    "event": outcome.event,
                    "stake": outcome.stake,
                    "net": _number(Fraction(outcome.net_units, solution.units)),
                    "deals": outcome.deals,
                }
                for outcome in solution.outcomes
            ],
        },
        "side": {
            side.spot: {
                "value": ratio(side.value),
                "rows": [msgspec.structs.asdict(row) for row in side.rows],
            }
            for side in made.sides
        },
    }
    hour = ("hands", "ante_cents", "win_cents", "deviation_cents")
    written["main"]["per_hour"] = {key: getattr(made.per_hour, key) for key in hour}
    if made.chart is not None:
        written["main"]["strategy"] = msgspec.to_builtins(made.chart)
    if made.curve:
        written["main"]["curve"] = [
            {
                "ante_cents": point.ante_cents,
                "value": ratio(point.value),
                "house_edge": float(-point.value),
            }
            for point in made.curve
        ]
    if made.jackpot is not None:
        written["progressive"] = {
            "fixed_return": float(made.jackpot.fixed_return),
            "break_even_cents": made.jackpot.break_even_cents,
            **_meter_json(made.meter),
        }
    return written


def _meter_json(found: Meter | None) -> dict[str, Any]:
    if found is None:
        return {}
    at = {"rounds_to_top": float(found.rounds_to_top), "hours_to_top": found.hours_to_top}
    if found.meter_return is None:
        return at
    return {**at, "meter_cents": found.meter_cents, "meter_return": float(found.meter_return)}


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def by_event(solution: Solution) -> list[tuple[str, int, Fraction]]:
    """Return what can happen: the event, in how many deals, and what it adds to the value."""
    found: dict[str, tuple[int, int]] = {}
    for outcome in solution.outcomes:
        deals, net = found.get(outcome.event, (0, 0))
        found[outcome.event] = (deals + outcome.deals, net + outcome.deals * outcome.net_units)
    whole = solution.deals * solution.units
    return [(event, deals, Fraction(net, whole)) for event, (deals, net) in found.items()]
