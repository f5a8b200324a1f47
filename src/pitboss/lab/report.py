"""A par sheet as one plain value, and as JSON and text; the price itself is in ``maths.price``."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.errors import Unreadable
from pitboss.maths.decisions import choice_name
from pitboss.maths.outcomes import Replayed
from pitboss.maths.price import HANDS_PER_HOUR, PerHour, per_hour, ratio
from pitboss.maths.side_wagers import Jackpot, Side, jackpot, side_wager
from pitboss.maths.solution import Solution, solve
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.money_rules import USUAL_MINIMUM_CENTS

if TYPE_CHECKING:
    from pitboss.lab.chart import Chart
    from pitboss.maths.evaluation import Evaluation

_ANTES = (1, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500)
_HIGHEST_ANTE_CENTS = 500_00
"""How far the curve goes where the house posts no highest maximum."""


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
    meter_cents: int | None = None
    """At which the progressive is priced besides."""
    whole: bool = False
    """With a chart, where one is drawn, and with how each hand is played on a shared board."""
    chart: "Chart | None" = None
    curve: tuple[Point, ...] = ()
    strategies: "dict[str, Evaluation]" = {}
    """By name: what others than best play come to."""
    same_play: bool = False
    """Played as is best before the book's odds, or other rules, were changed."""

    @property
    def progressive(self) -> dict[str, Any]:
        """What there is to say of the jackpot, with what a token returns at the given meter."""
        token = self.jackpot
        if token is None:
            return {}
        told = {
            "fixed_return": float(token.fixed_return),
            "break_even_cents": token.break_even_cents,
        }
        rounds, meter = token.rounds_to_top, self.meter_cents
        if rounds is not None:
            hours = float(rounds / self.per_hour.hands)
            told |= {"rounds_to_top": float(rounds), "hours_to_top": hours}
            if meter is not None:
                told |= {"meter_cents": meter, "meter_return": float(token.at(meter))}
        return told


def report(
    solution: Solution,
    *,
    meter_cents: int | None = None,
    hands_per_hour: int = HANDS_PER_HOUR,
    whole: bool = False,
    strategies: bool = False,
    same_play: bool = False,
) -> Report:
    """Price the main game, every side wager and the progressive.

    The whole has a chart, where one is drawn, and the curve, which takes a solution for every ante;
    neither is of a play that is not best.
    """
    whole = whole and not same_play
    book, token = solution.book, jackpot(solution.book)
    if token is None and meter_cents is not None:
        raise Unreadable(f"{book.id} has no progressive", "--meter")
    return Report(
        solution=solution,
        sides=tuple(side_wager(book, spot) for spot in book.spot if spot.kind == "side"),
        jackpot=token,
        per_hour=per_hour(solution, hands_per_hour),
        meter_cents=meter_cents,
        whole=whole,
        chart=_chart(solution) if whole else None,
        curve=curve(solution) if whole else (),
        strategies=_named(solution) if strategies else {},
        same_play=same_play,
    )


def _chart(solution: Solution) -> "Chart | None":
    from pitboss.lab.chart import chart, drawn  # a sheet of figures has no use for it

    return chart(solution) if drawn(solution) else None


def _named(solution: Solution) -> "dict[str, Evaluation]":
    from pitboss.maths.strategies import evaluated

    return evaluated(solution.book, solution.ante_cents, solution.minimum_cents)


def antes(book: Rulebook, minimum_cents: int) -> tuple[int, ...]:
    """Return the antes of the curve: from the posted minimum to the highest maximum."""
    least = max(minimum_cents, book.limits.minimum.least(USUAL_MINIMUM_CENTS))
    most = max(least, int(book.limits.maximum.highest or _HIGHEST_ANTE_CENTS))
    return tuple(sorted({least, most, *(a * 100 for a in _ANTES if least <= a * 100 <= most)}))


def curve(solution: Solution) -> tuple[Point, ...]:
    book, least = solution.book, solution.minimum_cents
    if not book.cap:
        return ()
    return tuple(
        Point(ante, solve(book, ante, least, solution.ties).value) for ante in antes(book, least)
    )


_FIGURES = ("average_wager", "element_of_risk", "standard_deviation", "skew", "hit_frequency")


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
            **{name: float(getattr(figures, name)) for name in _FIGURES},
            "n0": None if figures.n0 is None else float(figures.n0),
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
                **({} if side.others is None else {"others": ratio(side.others)}),
            }
            for side in made.sides
        },
    }
    if made.same_play:
        written["same_play"] = True
    if made.strategies:
        written["main"]["strategies"] = {
            name: {
                "value": ratio(each.value),
                "house_edge": float(-each.value),
                "average_wager": float(each.average_wager),
                "element_of_risk": float(each.element_of_risk),
                "fold": [float(part) for part in each.fold],
            }
            for name, each in made.strategies.items()
        }
    if decisions(solution):
        written["main"]["decisions"] = decisions(solution)
    hour = ("hands", "ante_cents", "win_cents", "deviation_cents")
    written["main"]["per_hour"] = {key: getattr(made.per_hour, key) for key in hour}
    if made.chart is not None:
        written["main"]["strategy"] = msgspec.to_builtins(made.chart)
    if made.curve:
        written["main"]["curve"] = [
            {"ante_cents": at.ante_cents, "value": ratio(at.value), "house_edge": float(-at.value)}
            for at in made.curve
        ]
    if made.progressive:
        written["progressive"] = made.progressive
    return written


def decisions(solution: Solution) -> list[dict[str, Any]]:
    """Return on a shared board what is best how often at each decision, of all deals."""
    rule = solution.book.qualifier
    if rule is None or not rule.shared or isinstance(solution.solved, Replayed):
        return []
    from pitboss.maths.board_games import BoardSolution

    solved = solution.solved
    assert isinstance(solved, BoardSolution), "of a book whose cards are shared"
    found: list[dict[str, Any]] = [
        {"board": street.seen - street.own} for street in solved.game.streets
    ]
    for (number, choice), deals in solved.shares.items():
        found[number][choice_name(choice)] = deals / solved.deals
    for number, hand, choices in solved.held:
        shares = {choice_name(choice): many / solved.deals for choice, many in choices.items()}
        found[number].setdefault("hands", []).append({"hand": hand, **shares})
    return found


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


# For people --------------------------------------------------------------------------------------


def as_text(made: Report) -> str:
    """Return the report for people, within 80 columns."""
    solution, figures = made.solution, made.solution.statistics
    book = solution.book
    stake = "caps left out"
    if solution.ante_cents is not None:
        stake = f"ante {book.money(solution.ante_cents)}, caps applied for one player alone"
    out = [f"{book.game}, {book.house}", f"rules {book.sha256[:16]}, in {book.currency}, {stake}"]
    stays = "stay in, at the smallest best stake" if solution.ties == "stay" else "fold"
    out += [f"ties between staying in and folding: {stays}"]
    out += ["played as is best at the book's own odds, not at these"] * made.same_play + [""]
    for label, value in (
        ("House edge, of the ante", f"{float(-solution.value):.6%}"),
        ("  exactly", ratio(-solution.value)),
        ("Element of risk", f"{float(figures.element_of_risk):.6%}"),
        ("Average wager, antes", f"{float(figures.average_wager):.6f}"),
        ("Standard deviation, antes", f"{figures.standard_deviation:.6f}"),
        ("Skew", f"{figures.skew:.4f}"),
        ("N0, rounds", "none" if figures.n0 is None else f"{float(figures.n0):,.0f}"),
        ("Hit frequency", f"{float(figures.hit_frequency):.4%}"),
        ("Folds, by decision", ", ".join(f"{float(each):.4%}" for each in solution.folds)),
        ("Deals", f"{solution.deals:,}"),
        (
            f"Win in {made.per_hour.hands} hands at {book.money(made.per_hour.ante_cents)}",
            f"{book.money(made.per_hour.win_cents)} +- {book.money(made.per_hour.deviation_cents)}",
        ),
    ):
        out.append(f"{label:<28}{value:>24}")
    if made.strategies:
        heads = ("house edge", "average wager", "element of risk", "loses")
        out += ["", f"{'by name':<16}" + "".join(f"{head:>16}" for head in heads)]
    for name, each in made.strategies.items():
        edge, loses = float(-each.value), float(solution.value - each.value)
        wager, risk = float(each.average_wager), float(each.element_of_risk)
        out.append(f"{name:<16}{edge:>16.6%}{wager:>16.6f}{risk:>16.6%}{loses:>16.6%}")
    out += ["", f"{'what happens':<26}{'deals':>22}{'share':>12}{'return':>14}"]
    for event, deals, worth in by_event(solution):
        share, back = deals / solution.deals, float(worth)
        out.append(f"{event:<26}{deals:>22,}{share:>12.4%}{back:>+14.6f}")
    played = decision_lines(made)
    out += ["", *played] if played else []
    for side in made.sides:
        out += ["", f"{book.spots[side.spot].title}: house edge {float(-side.value):.4%}"]
        out += [f"  {row.hand:<30}{row.ways:>16,}{row.odds:>14}" for row in side.rows]
        if side.others is not None:
            out.append(f"  every other hand with it gives the player {float(side.others):+.4%}")
    out += _jackpot_lines(book, made.progressive)
    if made.curve:
        out += ["", curve_title(solution), *curve_lines(book, made.curve)]
    if made.chart is not None:
        from pitboss.lab.chart_words import as_lines

        out += ["", *as_lines(made.chart)]
    return "\n".join(out)


def decision_lines(made: Report) -> list[str]:
    """Say on a shared board what is chosen how often; on a whole sheet also with which hands."""
    return [
        line
        for each in decided(made)
        for line in (
            f"{each.where}: {each.shares}",
            *(f"  {hand:<47}{said}" for hand, said in each.hands),
        )
    ]


class StreetPlay(msgspec.Struct, frozen=True):
    """What is chosen at one decision, in words."""

    where: str
    shares: str
    """Of all deals."""
    hands: tuple[tuple[str, str], ...]
    """What hands are called, best first, with how they are played: always so, or how often."""


def decided(made: Report) -> list[StreetPlay]:
    """Return what is chosen on a shared board; on a whole sheet also with which hands."""
    found = []
    for number, shares in enumerate(decisions(made.solution), start=1):
        board, hands = shares.pop("board"), shares.pop("hands", [])
        where = f"Decision {number}, {board} cards on the board"
        said = ", ".join(f"{name} {share:.4%}" for name, share in shares.items())
        played = tuple(map(_how_played, hands)) if made.whole else ()
        found.append(StreetPlay(where, said, played))
    return found


def _how_played(held: dict[str, Any]) -> tuple[str, str]:
    hand, choices = held["hand"], {name: each for name, each in held.items() if name != "hand"}
    whole = sum(choices.values())
    return hand, ", ".join(
        name if share == whole else f"{name} {share / whole:.2%}" for name, share in choices.items()
    )


def _jackpot_lines(book: Rulebook, told: dict[str, Any]) -> list[str]:
    if not told:
        return []
    fixed, even = f"{told['fixed_return']:.6f}", book.money(told["break_even_cents"])
    out = ["", f"Progressive: fixed awards return {fixed} of a token; break-even at {even}"]
    if "rounds_to_top" in told:
        top = f"top award once in {told['rounds_to_top']:,.0f} rounds"
        out.append(f"  {top}, {told['hours_to_top']:,.0f} hours for one seat")
    if "meter_return" in told:
        meter, back = book.money(told["meter_cents"]), f"{told['meter_return']:.6f}"
        out.append(f"  at a meter of {meter} a token returns {back}")
    return out


def curve_title(solution: Solution) -> str:
    book, least = solution.book, solution.minimum_cents
    grows = any(cap.growth for cap in book.cap)
    at = f" at a posted minimum of {book.money(least)}" if grows else ""
    return f"House edge by ante, caps applied{at}"


def curve_lines(book: Rulebook, points: Sequence[Point]) -> list[str]:
    """Draw the curve with one line for each ante; bars start at the lowest edge."""
    edges = [-point.value for point in points]
    low, span = min(edges), max(edges) - min(edges)
    out = []
    for point, edge in zip(points, edges, strict=True):
        bar = "#" * (1 + round((edge - low) / span * 40) if span else 1)
        out.append(f"{book.money(point.ante_cents):>12}{float(edge):>12.4%}  {bar}".rstrip())
    return out
