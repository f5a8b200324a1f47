"""``pitboss par``: the exact price of a rulebook."""

import csv
import io
from collections.abc import Callable, Iterator
from fractions import Fraction

import click

from pitboss.cli.common import (
    MONEY,
    STDOUT,
    json_option,
    read_as,
    stake_options,
    watched,
    write_file,
    write_json,
)
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
@click.option("--xlsx", "xlsx_file", metavar="FILE", help="Write a workbook with live formulas.")
@click.option("--pdf", "pdf_file", metavar="FILE", help="Write it to be printed.")
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
    xlsx_file: str | None,
    pdf_file: str | None,
    as_json: bool,
) -> None:
    """Price a RULEBOOK exactly: edge, best play, outcomes, side wagers, progressive."""
    options = {"--csv": csv_file, "--html": html_file, "--xlsx": xlsx_file, "--pdf": pdf_file}
    files = {option: name for option, name in options.items() if name is not None}
    if [as_json, *(name == STDOUT for name in files.values())].count(True) > 1:
        raise Unreadable("only one of --json, --csv -, --html -, --xlsx - and --pdf - can be here")
    if len({*files.values()}) < len(files):
        raise Unreadable("each file is written to a place of its own", " and ".join(files))
    if same_play and not pay:
        raise Unreadable("play is kept where odds change: give --pay", "--same-play")
    book = load(rulebook)
    changed = with_pays(book, dict(map(_pay, pay)))
    whole = full or bool(files.keys() - {"--csv"}) or not (as_json or files)
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
    for option, name in files.items():
        write_file(name, _WRITTEN[option](made), option)
    if as_json:
        write_json(report_json(made))
    elif not files:
        click.echo(as_text(made))


def _pay(written: str) -> tuple[str, Odds]:
    row, equals, at = written.partition("=")
    if not equals:
        raise Unreadable(f"{written[:40]!r} is not ROW=ODDS, such as straight=5:1", "--pay")
    return row.strip(), read_as(odds, at, f"--pay {row[:40]}")


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


def _page(made: Report) -> str:
    from pitboss.lab.par_page import page

    return page(made)


def _workbook(made: Report) -> bytes:
    from pitboss.lab.papers.par_workbook import workbook

    return workbook(made)


def _paper(made: Report) -> bytes:
    from pitboss.lab.papers.par_paper import paper

    return paper(made)


_WRITTEN: dict[str, Callable[[Report], str | bytes]] = {
    "--csv": as_csv,
    "--html": _page,
    "--xlsx": _workbook,
    "--pdf": _paper,
}
"""What writes each kind of file; imported when it is asked for."""
