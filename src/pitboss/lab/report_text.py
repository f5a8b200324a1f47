"""A report for people, as plain text."""

from collections.abc import Sequence

from pitboss.lab.chart_words import as_lines
from pitboss.lab.report import Point, Report, by_event
from pitboss.maths.price import ratio
from pitboss.maths.solution import Solution
from pitboss.money import text


def as_text(made: Report) -> str:
    """Return the report for people, within 80 columns."""
    solution, figures = made.solution, made.solution.statistics
    book = solution.book
    stake = "caps left out"
    if solution.ante_cents is not None:
        stake = f"ante {solution.ante_cents / 100:,.2f}, caps applied for one player alone"
    out = [f"{book.game}, {book.house}", f"rules {book.sha256[:16]}, in {book.currency}, {stake}"]
    stays = "stay in, at the smallest best raise" if solution.ties == "stay" else "fold"
    out += [f"ties between staying in and folding: {stays}", ""]
    for label, value in (
        ("House edge, of the ante", f"{float(-solution.value):.6%}"),
        ("  exactly", ratio(-solution.value)),
        ("Element of risk", f"{float(figures.element_of_risk):.6%}"),
        ("Average wager, antes", f"{float(figures.average_wager):.6f}"),
        ("Standard deviation, antes", f"{figures.standard_deviation:.6f}"),
        ("Skew", f"{figures.skew:.4f}"),
        ("Hit frequency", f"{float(figures.hit_frequency):.4%}"),
        ("Folds, by street", ", ".join(f"{float(each):.4%}" for each in solution.folds)),
        ("Deals", f"{solution.deals:,}"),
        (
            f"Win in {made.per_hour.hands} hands at {text(made.per_hour.ante_cents)}",
            f"{text(made.per_hour.win_cents)} +- {text(made.per_hour.deviation_cents)}",
        ),
    ):
        out.append(f"{label:<28}{value:>24}")
    out += ["", f"{'what happens':<26}{'deals':>22}{'share':>12}{'return':>14}"]
    for event, deals, worth in by_event(solution):
        share, back = deals / solution.deals, float(worth)
        out.append(f"{event:<26}{deals:>22,}{share:>12.4%}{back:>+14.6f}")
    for side in made.sides:
        out += ["", f"{book.spots[side.spot].title}: house edge {float(-side.value):.4%}"]
        out += [f"  {row.hand:<30}{row.ways:>16,}{row.odds:>14}" for row in side.rows]
    out += _jackpot_lines(made)
    if made.curve:
        out += ["", curve_title(solution), *curve_lines(made.curve)]
    if made.chart is not None:
        out += ["", *as_lines(made.chart)]
    return "\n".join(out)


def _jackpot_lines(made: Report) -> list[str]:
    if made.jackpot is None:
        return []
    fixed = f"{float(made.jackpot.fixed_return):.6f}"
    even = text(made.jackpot.break_even_cents)
    out = ["", f"Progressive: fixed awards return {fixed} of a token; break-even at {even}"]
    if made.meter is not None:
        rounds, hours = float(made.meter.rounds_to_top), made.meter.hours_to_top
        out.append(f"  top award once in {rounds:,.0f} rounds, {hours:,.0f} hours for one seat")
        if made.meter.meter_cents is not None and made.meter.meter_return is not None:
            back = f"{float(made.meter.meter_return):.6f}"
            out.append(f"  at a meter of {text(made.meter.meter_cents)} a token returns {back}")
    return out


def curve_title(solution: Solution) -> str:
    least = solution.minimum_cents
    at = (
        f" at a posted minimum of {text(least)}" if any(c.growth for c in solution.book.cap) else ""
    )
    return f"House edge by ante, caps applied{at}"


def curve_lines(points: Sequence[Point]) -> list[str]:
    """Draw the curve with one line for each ante; bars start at the lowest edge."""
    edges = [-point.value for point in points]
    low, span = min(edges), max(edges) - min(edges)
    out = []
    for point, edge in zip(points, edges, strict=True):
        bar = "#" * (1 + round((edge - low) / span * 40) if span else 1)
        out.append(f"{text(point.ante_cents):>12}{float(edge):>12.4%}  {bar}".rstrip())
    return out
