"""What was worked out, as pandas frames for notebooks: exact figures stay exact.

An extra, ``pip install 'pitboss[notebook]'``: nothing else here needs pandas. A column of exact
figures holds fractions; ``astype(float)`` makes numbers of them.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import msgspec

from pitboss.errors import Unreadable
from pitboss.lab.clause_costs import ClauseCost, Exchange
from pitboss.lab.design import Design
from pitboss.lab.distributions import Distribution
from pitboss.lab.report import Report
from pitboss.lab.risk import PARTS, Risk, Span
from pitboss.lab.seats_together import SeatsTogether
from pitboss.lab.wagers_together import WagersTogether
from pitboss.maths.luck import KINDS, Parts
from pitboss.maths.side_wagers import Side
from pitboss.maths.solution import Solution

try:
    import pandas as pd
except ModuleNotFoundError as missing:
    said = "frames are made by pandas, which comes with an extra: pip install 'pitboss[notebook]'"
    raise ModuleNotFoundError(said, name=missing.name) from None

_Rows = Iterable[dict[str, Any]]


def to_frame(told: object) -> pd.DataFrame:
    """Return as a frame: a solution's outcomes, a par sheet's wagers, a clause's price, the tables
    of a design, hours at the table, what rounds or seats come to, what a result is made of; or
    anything else that was worked out, in a row, and in several where it comes in several alike,
    such as the curve of a report.

    >>> from pitboss import load, solve
    >>> frame = to_frame(solve(load("diamond-jo-worth/cajun-stud")))
    >>> frame.groupby("event")["chance"].sum()["royal-flush"]
    Fraction(1, 649740)
    """
    rows = next((rows for kind, rows in _KINDS.items() if isinstance(told, kind)), _several)
    return pd.DataFrame(list(rows(told)))


def _outcomes(told: Solution | WagersTogether) -> _Rows:
    deals = sum(each.deals for each in told.outcomes)
    for each in told.outcomes:
        net, chance = Fraction(each.net_units, told.units), Fraction(each.deals, deals)
        yield {
            "event": each.event,
            "stake": each.stake,
            "net": net,
            "deals": each.deals,
            "chance": chance,
            "contribution": net * chance,
        }


def _rows(side: Side) -> _Rows:
    ways = sum(each.ways for each in side.rows)
    for each in side.rows:
        yield {**msgspec.structs.asdict(each), "chance": Fraction(each.ways, ways)}


def _wagers(report: Report) -> _Rows:
    book, figures = report.solution.book, report.solution.statistics
    yield {"wager": book.ante.name, "value": figures.value, "house_edge": -figures.value}
    for side in report.sides:
        yield {"wager": side.spot, "value": side.value, "house_edge": -side.value}


def _costs(cost: ClauseCost) -> _Rows:
    def worths(source: str, exchange: Exchange) -> _Rows:
        told = {"as": source, "instead": exchange.instead, "why": exchange.why}
        for each in exchange.gains or (None,):
            yield told if each is None else {**told, **msgspec.structs.asdict(each)}

    yield from worths("it stands", Exchange("", cost.wagers)) if cost.wagers else ()
    for exchange in cost.without:
        yield from worths("without it", exchange)
    for wording in cost.wordings:
        for exchange in wording.exchanges:
            yield from worths(wording.rulebook, exchange)


def _tables(design: Design) -> _Rows:
    for each in design.found:
        paid = {name: str(odds) for name, odds in each.odds.items()}
        figures = {"edge": each.priced.edge, "hit": each.priced.hit, "top": each.priced.top}
        yield {**paid, **figures, "deviation": each.priced.deviation, "distance": each.distance}


def _nets(found: Distribution) -> _Rows:
    for net, ways in zip(found.nets, found.ways, strict=True):
        chance = Fraction(ways) / Fraction(found.whole)
        yield {"net": Fraction(net, found.units), "chance": chance}


def _hours(made: Risk) -> _Rows:
    return (_span(each) for each in made.spans)


def _span(span: Span) -> dict[str, Any]:
    parts = {f"percentile_{part}_cents": span.quantile_cents(part) for part in PARTS}
    return {
        "hours": span.hours,
        "rounds": span.rounds,
        "mean_cents": span.mean_cents,
        "deviation_cents": span.deviation_cents,
        "ahead": span.after.ahead,
        "behind": span.after.below(0),
        **parts,
    }


def _parts(parts: Parts) -> _Rows:
    for name, title in KINDS.items():
        yield {"part": title, "cents": getattr(parts, name)}


def _several(told: Any) -> _Rows:
    several = (told,) if isinstance(told, msgspec.Struct) else told
    try:
        return [_span(e) if isinstance(e, Span) else msgspec.structs.asdict(e) for e in several]
    except TypeError:
        raise Unreadable(
            f"a frame is made of what was worked out, not of {type(told).__name__}", "to_frame"
        ) from None


_KINDS: dict[type, Callable[[Any], _Rows]] = {
    Solution: _outcomes,
    Side: _rows,
    Report: _wagers,
    ClauseCost: _costs,
    Design: _tables,
    Distribution: _nets,
    Risk: _hours,
    WagersTogether: _outcomes,
    SeatsTogether: lambda seats: _nets(seats.distribution),
    Parts: _parts,
}
