"""The price of a rulebook as one plain value, for any renderer."""

from fractions import Fraction
from typing import Any

import msgspec

from pitboss.maths import Solution, jackpot, price
from pitboss.maths.side import Jackpot, Side


class Report(msgspec.Struct, frozen=True):
    """Everything a par sheet says."""

    solution: Solution
    sides: tuple[Side, ...]
    jackpot: Jackpot | None


def report(solution: Solution) -> Report:
    """Price the main game, every side wager and the progressive."""
    book = solution.book
    sides = tuple(price(book, spot) for spot in book.spot if spot.kind == "side")
    return Report(solution, sides, jackpot(book))


def ratio(value: Fraction) -> str:
    """Write a fraction as ``n/d``, also where d is 1."""
    return f"{value.numerator}/{value.denominator}"


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
            "average_wager": figures.average_wager,
            "element_of_risk": figures.element_of_risk,
            "standard_deviation": figures.standard_deviation,
            "skew": figures.skew,
            "hit_frequency": figures.hit_frequency,
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
    if made.jackpot is not None:
        written["progressive"] = {
            "fixed_return": float(made.jackpot.fixed_return),
            "break_even_cents": made.jackpot.break_even_cents,
        }
    return written


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def as_text(made: Report) -> str:
    """Return the report for people, within 80 columns."""
    solution, figures = made.solution, made.solution.statistics
    book = solution.book
    stake = "caps left out"
    if solution.ante_cents is not None:
        stake = f"ante {solution.ante_cents / 100:,.2f}, caps applied for one player alone"
    out = [f"{book.game}, {book.house}", f"rules {book.sha256[:16]}, {stake}"]
    stays = "stay in, at the smallest best raise" if solution.ties == "stay" else "fold"
    out += [f"ties between staying in and folding: {stays}", ""]
    for label, value in (
        ("House edge, of the ante", f"{float(-solution.value):.6%}"),
        ("  exactly", ratio(-solution.value)),
        ("Element of risk", f"{figures.element_of_risk:.6%}"),
        ("Average wager, antes", f"{figures.average_wager:.6f}"),
        ("Standard deviation, antes", f"{figures.standard_deviation:.6f}"),
        ("Skew", f"{figures.skew:.4f}"),
        ("Hit frequency", f"{figures.hit_frequency:.4%}"),
        ("Folds, by street", ", ".join(f"{float(each):.4%}" for each in solution.folds)),
        ("Deals", f"{solution.deals:,}"),
    ):
        out.append(f"{label:<28}{value:>24}")
    out += ["", f"{'what happens':<26}{'deals':>22}{'share':>12}{'return':>14}"]
    for event, deals, worth in _by_event(solution):
        share, back = deals / solution.deals, float(worth)
        out.append(f"{event:<26}{deals:>22,}{share:>12.4%}{back:>+14.6f}")
    for side in made.sides:
        out += ["", f"{book.spots[side.spot].title}: house edge {float(-side.value):.4%}"]
        out += [f"  {row.hand:<30}{row.ways:>16,}{row.odds:>14}" for row in side.rows]
    if made.jackpot is not None:
        fixed = f"{float(made.jackpot.fixed_return):.6f}"
        even = f"{made.jackpot.break_even_cents / 100:,.2f}"
        out += ["", f"Progressive: fixed awards return {fixed} of a token; break-even at {even}"]
    return "\n".join(out)


def _by_event(solution: Solution) -> list[tuple[str, int, Fraction]]:
    found: dict[str, tuple[int, int]] = {}
    for outcome in solution.outcomes:
        deals, net = found.get(outcome.event, (0, 0))
        found[outcome.event] = (deals + outcome.deals, net + outcome.deals * outcome.net_units)
    whole = solution.deals * solution.units
    return [(event, deals, Fraction(net, whole)) for event, (deals, net) in found.items()]
