"""``pitboss par``: the exact price of a rulebook."""

import click

from pitboss.cli.common import MONEY, json_option, write_json
from pitboss.errors import Unreadable
from pitboss.maths import TIES, solve
from pitboss.maths.report import as_json as report_json
from pitboss.maths.report import as_text, report
from pitboss.money import Odds, odds
from pitboss.rulebook import load
from pitboss.rulebook.change import with_pays


@click.command("par")
@click.argument("rulebook")
@click.option("--ante", type=MONEY, help="Apply caps at this ante, for one player alone.")
@click.option("--minimum", type=MONEY, help="The posted minimum, which a cap may grow with.")
@click.option("--pay", multiple=True, metavar="ROW=ODDS", help="Let a row pay other odds; repeats.")
@click.option("--ties", type=click.Choice(TIES), default="stay", show_default=True)
@json_option
def command(
    rulebook: str,
    ante: int | None,
    minimum: int | None,
    pay: tuple[str, ...],
    ties: str,
    as_json: bool,
) -> None:
    """Price a RULEBOOK exactly: edge, best play's outcomes, side wagers, progressive."""
    book = with_pays(load(rulebook), dict(map(_pay, pay)))
    made = report(solve(book, ante, minimum, ties))
    if as_json:
        write_json(report_json(made))
    else:
        click.echo(as_text(made))


def _pay(written: str) -> tuple[str, Odds]:
    row, equals, at = written.partition("=")
    if not equals:
        raise Unreadable(f"{written[:40]!r} is not ROW=ODDS, such as straight=5:1", "--pay")
    try:
        return row.strip(), odds(at)
    except Unreadable as error:
        raise Unreadable(error.message, f"--pay {row[:40]}") from None
