"""``pitboss risk``: what may happen to the money, exactly."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import click

from pitboss.cli.common import (
    MONEY,
    date_of,
    hours_of,
    json_option,
    read_as,
    stake_options,
    watched,
    write_json,
)
from pitboss.errors import Unreadable
from pitboss.lab import jackpot_dates
from pitboss.lab import risk as lab
from pitboss.maths import solve
from pitboss.maths.price import HANDS_PER_HOUR, USUAL_ANTE_CENTS
from pitboss.maths.side_by_side import watched_by
from pitboss.money import cents
from pitboss.rulebook import Rulebook, load


@click.command("risk")
@click.argument("rulebook")
@stake_options
@click.option(
    "--wager", "wagers", multiple=True, metavar="SPOT=MONEY", help="A side wager, too; repeats."
)
@click.option("--meter", type=MONEY, help="The progressive's meter; where it begins, if not said.")
@click.option(
    "--hours",
    type=hours_of,
    multiple=True,
    default=("1h", "4h", "8h"),
    show_default=True,
    help="How long one plays; repeats.",
)
@click.option(
    "--hands-per-hour",
    "hands",
    type=click.IntRange(1, 1000),
    default=HANDS_PER_HOUR,
    show_default=True,
)
@click.option("--lose", type=MONEY, multiple=True, help="How likely more is lost; repeats.")
@click.option("--bankroll", type=MONEY, help="Its ruin, in the longest time and for ever.")
@click.option("--goal", type=MONEY, help="Where one gets up with the bankroll.")
@click.option("--seats", type=int, default=1, show_default=True, help="The house's side of them.")
@click.option("--bonus", type=MONEY, help="A bonus that must be played through.")
@click.option("--deposit", type=MONEY, default="0", help="What it is paid on top of.")
@click.option("--turnover", type=MONEY, help="What must be wagered for it.")
@click.option(
    "--counts",
    type=click.Choice(["all", "ante"]),
    default="all",
    show_default=True,
    help="What counts as turnover.",
)
@click.option(
    "--jackpot-by", "by", metavar="DATE", help="When the jackpot falls; such as 2027-12-31."
)
@click.option("--hours-per-day", type=hours_of, default="12h", show_default=True)
@click.option(
    "--tokens",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="In a round, at all tables on the meter.",
)
@json_option
def command(
    rulebook: str,
    ante: int | None,
    minimum: int | None,
    wagers: tuple[str, ...],
    meter: int | None,
    hours: tuple[Decimal, ...],
    hands: int,
    lose: tuple[int, ...],
    bankroll: int | None,
    goal: int | None,
    seats: int,
    bonus: int | None,
    deposit: int,
    turnover: int | None,
    counts: Any,
    by: str | None,
    hours_per_day: Decimal,
    tokens: int,
    as_json: bool,
) -> None:
    """Say what may happen to the money at a RULEBOOK's game: an hour, a shift, a bankroll."""
    book = load(rulebook)
    if goal is not None and bankroll is None:
        raise Unreadable("a goal is reached from a bankroll: give --bankroll", "--goal")
    if (bonus is None) != (turnover is None):
        raise Unreadable("a bonus has a turnover: --bonus 100 --turnover 3000", "--bonus")
    if deposit and bonus is None:
        raise Unreadable("a deposit is what a bonus is paid on: give --bonus", "--deposit")
    if ante == 0:
        raise Unreadable("an ante is more than nothing", "--ante")
    if meter is not None and book.progressive is None:
        raise Unreadable(f"{book.id} has no progressive", "--meter")
    falls = None
    if by is not None:
        pace = jackpot_dates.Pace(hands, Fraction(hours_per_day), tokens)
        falls = jackpot_dates.dates(
            book, date.today(), read_as(date_of, by, "--jackpot-by"), pace, meter
        )
    with watched_by(watched):
        made = lab.risk(
            solve(book, ante or book.limits.minimum.least(USUAL_ANTE_CENTS), minimum),
            stakes_cents=_stakes(wagers),
            meter_cents=meter,
            hours=[Fraction(each) for each in hours],
            hands_per_hour=hands,
            bankroll=None if bankroll is None else lab.Bankroll(bankroll, goal),
            seats=seats,
            bonus=None
            if bonus is None or turnover is None
            else lab.Bonus(bonus, deposit, turnover, counts),
            jackpot=falls,
        )
    told = lab.as_json(made, lose)
    if as_json:
        write_json(told)
    else:
        click.echo("\n".join(_text(book, told)))


def _stakes(wagers: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for written in wagers:
        name, equals, stake = written.partition("=")
        spot = name.strip()
        if not equals:
            raise Unreadable(f"{written[:40]!r} is not SPOT=MONEY, such as lo-ball=5", "--wager")
        if spot in found:
            raise Unreadable(f"{spot[:40]} has one stake", "--wager")
        found[spot] = int(read_as(cents, stake, f"--wager {spot[:40]}"))
    return found


# As text ----------------------------------------------------------------------------------------


def _text(book: Rulebook, told: dict[str, Any]) -> list[str]:
    beside = "".join(
        f", {book.money(stake)} on {book.spots[name].title}"
        for name, stake in told["wagers_cents"].items()
    )
    n0 = "none" if told["n0"] is None else f"{told['n0']:,.0f}"
    out = [
        f"{book.game}, {book.house}",
        f"rules {book.sha256[:16]}, caps as for one player alone",
        f"ante {book.money(told['ante_cents'])}{beside}",
        "",
        *(
            f"{label:<44}{value:>16}"
            for label, value in (
                ("Worth to the player, antes a round", f"{float(Fraction(told['value'])):+.6f}"),
                ("Standard deviation, antes", f"{told['standard_deviation']:.5f}"),
                ("Skew", f"{told['skew']:.3f}"),
                ("Excess kurtosis", f"{told['excess_kurtosis']:,.1f}"),
                ("Rounds until the edge is one deviation (N0)", n0),
            )
        ),
        "",
        *_spans(book, told["spans"], told["sampled_rounds"]),
    ]
    sections = (
        ("bankroll", _bankroll),
        ("house", _house),
        ("bonus", _bonus),
        ("jackpot", _jackpot),
    )
    for key, write in sections:
        if key in told:
            out += ["", *write(book, told[key])]
    return out


def _cents(book: Rulebook, worth: float | None) -> str:
    return "more" if worth is None else book.signed(round(worth))


def _spans(book: Rulebook, spans: list[dict[str, Any]], sampled: int) -> list[str]:
    """A column for each span."""

    def line(label: str, values: list[str]) -> str:
        return f"{label:<28}" + "".join(f"{value:>16}" for value in values)

    parts, worst = spans[0]["percentiles_cents"], spans[0]["shortfall_cents"]
    out = [
        line("hours", [f"{each['hours']:g}" for each in spans]),
        line("rounds", [f"{each['rounds']:,}" for each in spans]),
        line("on average", [_cents(book, each["mean_cents"]) for each in spans]),
        line("standard deviation", [book.money(round(each["deviation_cents"])) for each in spans]),
        line("ends ahead", [f"{each['ahead']:.4%}" for each in spans]),
        line("ends behind", [f"{each['behind']:.4%}" for each in spans]),
    ]
    for part in parts:
        values = [_cents(book, each["percentiles_cents"][part]) for each in spans]
        out.append(line(f"{part} of 100 end at or below", values))
    for part in worst:
        values = [_cents(book, each["shortfall_cents"][part]) for each in spans]
        out.append(line(f"worst {part} of 100, on average", values))
    for number, each in enumerate(spans[0]["loses_more"]):
        values = [f"{span['loses_more'][number]['chance']:.4%}" for span in spans]
        out.append(line(f"loses more than {book.money(each['cents'])}", values))
    return [*out, _how(sampled, max(each["error"] for each in spans))]


def _how(sampled: int, error: float) -> str:
    if sampled:
        return f"Simulated: from {sampled:,} rounds that were dealt, not counted."
    return f"Exact to {error:.0e}." if error else "Exact."


def _bankroll(book: Rulebook, told: dict[str, Any]) -> list[str]:
    start, goal, ever = told["start_cents"], told["goal_cents"], told["for_ever"]
    reached = "" if goal is None else f", {told['reached']:.4%} reach {book.money(goal)}"
    out = [
        f"A bankroll of {book.money(start)}, ruined when less than an ante is left",
        f"  in {told['rounds']:,} rounds {told['ruined']:.4%} are ruined{reached}. "
        + _how(0, told["error"]),
    ]
    then = "" if goal is None else f", {ever['reached']:.4%} reach the goal"
    off = f" (to {ever['tolerance']:.0e})" if ever["tolerance"] else ""
    out.append(f"  for as long as it takes {ever['ruined']:.4%} are ruined{off}{then}")
    if ever["rounds"]:
        least, most = ever["rounds"]
        span = f"{least:,.0f}" if least == most else f"{least:,.0f} to {most:,.0f}"
        out.append(f"  which takes {span} rounds on average")
    return out


def _house(book: Rulebook, told: dict[str, Any]) -> list[str]:
    how = "exact" if told["exact_variance"] else "simulated"
    return [
        f"{told['seats']} seats together, the players' side; main wagers alone",
        f"  variance of a round, in antes      {told['variance']:>14.4f} ({how})",
        f"  correlation of two seats           {told['correlation']:>14.5f} ({how})",
        *_spans(book, told["spans"], told["sampled_rounds"]),
    ]


def _bonus(book: Rulebook, told: dict[str, Any]) -> list[str]:
    counts = "all main wagers count" if told["counts"] == "all" else "the ante alone counts"
    return [
        f"A bonus of {book.money(told['bonus_cents'])} on top of "
        f"{book.money(told['deposit_cents'])}, to be wagered {book.money(told['turnover_cents'])}; "
        + counts,
        f"  bonus less turnover times edge     {_cents(book, told['rule_of_thumb_cents']):>12}",
        f"  worth, with all who go broke       {_cents(book, told['worth_cents']):>12}",
        f"  standard deviation                 {book.money(round(told['deviation_cents'])):>12}",
        f"  ends with more than the deposit    {told['ahead']:>12.4%}",
        f"  goes broke before it is done       {told['broke']:>12.4%}",
        f"  rounds, on average                 {told['rounds']:>12,.1f}",
        _how(0, told["error"]),
    ]


def _jackpot(book: Rulebook, told: dict[str, Any]) -> list[str]:
    later = "not in a hundred years"
    within = f"{told['days']:,} day{'' if told['days'] == 1 else 's'}"
    return [
        f"The jackpot, won by {told['chance']} of tokens, {told['tokens_per_day']:,.0f} a day",
        f"  won within {within:<23}{told['by_then']:>14.4%}",
        f"  won on average on                 {told['expected'] or later!s:>14}",
        *(
            f"  won with {part} by                   {day or later!s:>14}"
            for part, day in told["dates"].items()
        ),
        f"  the meter by then, if it is not   {book.money(told['meter_cents']):>14}",
    ]
