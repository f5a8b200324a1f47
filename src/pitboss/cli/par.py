"""``pitboss par``: the exact price of a rulebook."""

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import click

from pitboss.cli.common import MONEY, json_option, read_as, stake_options, watched, write_json
from pitboss.errors import Unreadable
from pitboss.lab.report import Report, as_text, report
from pitboss.lab.report import as_json as report_json
from pitboss.maths import TIES, solve
from pitboss.maths import same_play as played_the_same
from pitboss.maths.price import HANDS_PER_HOUR
from pitboss.maths.side_by_side import watched_by
from pitboss.money import Odds, odds
from pitboss.rulebook import load
from pitboss.rulebook.variants import with_pays

STDOUT = "-"


@click.command("par")
@click.argument("rulebook")
@stake_options
@click.option(
    "--pay",
    multiple=True,
    metavar="[TABLE.]ROW=ODDS",
    help="Let a row, or a hand, pay other odds; repeats.",
)
@click.option("--meter", type=MONEY, help="Price the progressive at this meter.")
@click.option(
    "--hands-per-hour",
    "hands",
    type=click.IntRange(1, 10_000),
    default=HANDS_PER_HOUR,
    show_default=True,
    help="For the theoretical win.",
)
@click.option("--ties", type=click.Choice(TIES), default="stay", show_default=True)
@click.option("--strategies", is_flag=True, help="What named strategies come to, too.")
@click.option("--same-play", is_flag=True, help="With --pay: played as is best without it.")
@click.option("--full", is_flag=True, help="In JSON, too: strategy and edge by ante.")
@click.option(
    "--csv", "csv_file", metavar="FILE", help="Write outcomes and side wagers; - is here."
)
@click.option("--html", "html_file", metavar="FILE", help="Write one page with charts; - is here.")
@json_option
def command(
    rulebook: str,
    ante: int | None,
    minimum: int | None,
    pay: tuple[str, ...],
    meter: int | None,
    hands: int,
    ties: str,
    strategies: bool,
    same_play: bool,
    full: bool,
    csv_file: str | None,
    html_file: str | None,
    as_json: bool,
) -> None:
    """Price a RULEBOOK exactly: edge, best play, outcomes, side wagers, progressive."""
    if [as_json, csv_file == STDOUT, html_file == STDOUT].count(True) > 1:
        raise Unreadable("only one of --json, --csv - and --html - can be written here")
    if csv_file is not None and csv_file == html_file:
        raise Unreadable("two files are written, each to a place of its own", "--csv and --html")
    if same_play and not pay:
        raise Unreadable("play is kept where odds change: give --pay", "--same-play")
    book = load(rulebook)
    changed = with_pays(book, dict(map(_pay, pay)))
    files = csv_file is not None or html_file is not None
    whole = full or html_file is not None or not (as_json or files)
    with watched_by(watched):
        solution = solve(book if same_play else changed, ante, minimum, ties)
        made = report(
            played_the_same(solution, changed) if same_play else solution,
            meter_cents=meter,
            hands_per_hour=hands,
            whole=whole,
            strategies=strategies,
            same_play=same_play,
        )
    if csv_file is not None:
        _write(csv_file, as_csv(made), "--csv")
    if html_file is not None:
        from pitboss.lab.par_page import page

        _write(html_file, page(made), "--html")
    if as_json:
        write_json(report_json(made))
    elif not files:
        click.echo(as_text(made))


def _pay(written: str) -> tuple[str, Odds]:
    row, equals, at = written.partition("=")
    if not equals:
        raise Unreadable(f"{written[:40]!r} is not ROW=ODDS, such as straight=5:1", "--pay")
    return row.strip(), read_as(odds, at, f"--pay {row[:40]}")


def _write(name: str, text: str, option: str) -> None:
    if name == STDOUT:
        click.echo(text, nl=False)
        return
    try:
        Path(name).write_text(text, "utf-8", newline="")
    except OSError as error:
        raise Unreadable(f"cannot write {name}: {error.strerror}", option) from None


COLUMNS = ("wager", "event", "stake", "net", "pays", "ways", "of")
"""Of the CSV: a row for each thing that can happen to each wager."""


def as_csv(made: Report) -> str:
    """Return outcomes and side wagers as one table; stakes and nets in antes or units."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows(_rows(made))
    return out.getvalue()


def _rows(made: Report) -> Iterator[tuple[object, ...]]:
    solution = made.solution
    for each in solution.outcomes:
        net = Fraction(each.net_units, solution.units)
        yield "main", each.event, each.stake, float(net), "", each.deals, solution.deals
    for side in made.sides:
        table = solution.book.tables[solution.book.spots[side.spot].table]
        whole = sum(row.ways for row in side.rows)
        for counted, row in zip(side.rows, table.rows, strict=True):
            net_odds = "" if row.odds is None else float(row.odds)
            yield side.spot, counted.hand, 1, net_odds, counted.odds, counted.ways, whole
