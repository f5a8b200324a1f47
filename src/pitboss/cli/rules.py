"""``pitboss rules``: list, show, check, compare, post and adopt rulebooks."""

import sys

import click
import msgspec

from pitboss.cards import DECK
from pitboss.cli.adopt import adopt_, shelf_
from pitboss.cli.common import MONEY, STDOUT, json_option, write_file, write_json
from pitboss.cli.rules_cost import command as cost
from pitboss.cli.rules_diff import command as diff_
from pitboss.errors import Refused, Unreadable
from pitboss.round.wagers import bounds, posted_refusal
from pitboss.rulebook import check, ids, load
from pitboss.rulebook.check import Finding
from pitboss.rulebook.loader import load_unchecked
from pitboss.rulebook.model import plain
from pitboss.rulebook.rule_card import card_text, rule_card
from pitboss.rulebook.sign import sign, sign_text


@click.group("rules")
def command() -> None:
    """List, show, check, compare, post and adopt rulebooks.

    A RULEBOOK is an id or a file's path.
    """


@command.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the rulebooks that come with Pitboss."""
    books = [load(each) for each in ids()]
    if as_json:
        write_json(
            [{"id": b.id, "house": b.house, "game": b.game, "sha256": b.sha256} for b in books]
        )
        return
    for book in books:
        click.echo(f"{book.id:<38}{book.game}, {book.house}")


@command.command()
@click.argument("rulebook")
@click.option("--pdf", "pdf_file", metavar="FILE", help="Write the rules of play to be printed.")
@json_option
def show(rulebook: str, pdf_file: str | None, as_json: bool) -> None:
    """Show a whole rulebook as a rule card, each rule with its clause."""
    book = load(rulebook)
    if pdf_file is not None:
        if as_json and pdf_file == STDOUT:
            raise Unreadable("only one of --json and --pdf - can be written here")
        from pitboss.lab.papers.rules_paper import rules_paper

        write_file(pdf_file, rules_paper(book), "--pdf")
    if as_json:
        write_json({"sha256": book.sha256, **msgspec.to_builtins(book, enc_hook=plain)})
    elif pdf_file is None:
        click.echo(card_text(rule_card(book)))


@command.command("check")
@click.argument("rulebooks", nargs=-1, metavar="[RULEBOOK]...")
@json_option
def check_(rulebooks: tuple[str, ...], as_json: bool) -> None:
    """Prove that tables can run on these rulebooks (all that are shipped, if none is named).

    Exits with 1 when a book has an error; warnings leave it at 0.
    """
    found = {name: check(load_unchecked(name)) for name in rulebooks or ids()}
    if as_json:
        write_json({name: msgspec.to_builtins(several) for name, several in found.items()})
    else:
        for name, several in found.items():
            _print_findings(name, several)
    if any(each.level == "error" for several in found.values() for each in several):
        sys.exit(1)


def _print_findings(name: str, found: list[Finding]) -> None:
    for each in found:
        click.echo(f"{name}: {each.level}: {each.path}: {each.message}")
    if not any(each.level == "error" for each in found):
        book = load_unchecked(name)
        classes = sum(len(table.order.classes) for table in book.table)
        click.echo(
            f"{name}: ok: each of {classes:,} classes of hands reaches exactly one row of its "
            f"table ({len(book.table)} tables); a full table of {book.seats.most} needs "
            f"{book.cards_needed} of {len(DECK)} cards"
        )


command.add_command(cost)
command.add_command(diff_)
command.add_command(adopt_)
command.add_command(shelf_)


@command.command("sign")
@click.argument("rulebook")
@click.option("--minimum", type=MONEY, help="The posted minimum; else the lowest allowed.")
@click.option("--maximum", type=MONEY, help="The posted maximum; else the highest allowed.")
@json_option
def sign_(rulebook: str, minimum: int | None, maximum: int | None, as_json: bool) -> None:
    """Print the sign of a table: limits, cap and pay tables."""
    book = load(rulebook)
    least = minimum if minimum is not None else book.limits.minimum.lowest
    if least is None:
        raise Unreadable("this house posts any minimum: say which", "--minimum")
    most = maximum if maximum is not None else book.limits.maximum.highest
    least, most = int(least), None if most is None else int(most)
    refusal = posted_refusal(book, least, most)
    if refusal is not None:
        raise Refused(refusal)
    wagers = {name: bounds(spot, least, most) for name, spot in book.opening.items()}
    posted = sign(book, least, most, wagers)
    if as_json:
        write_json(msgspec.to_builtins(posted))
    else:
        click.echo(sign_text(posted))
