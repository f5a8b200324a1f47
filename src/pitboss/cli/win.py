"""``pitboss win``: what a house has won, and how much of it was edge, mistakes and luck."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import click

from pitboss import maths
from pitboss.audit.snapshot import Snapshot
from pitboss.cli.common import (
    database,
    date_of,
    db_option,
    json_option,
    read_as,
    watched,
    write_json,
)
from pitboss.errors import PitbossError, Unreadable, Unsolved
from pitboss.house.storage import codec
from pitboss.house.win import PaidRound, TableEntry, house_win, paid_rounds
from pitboss.maths.luck import KINDS, Parts
from pitboss.money import text
from pitboss.rulebook import Rulebook

BY: dict[str, Callable[[PaidRound], str]] = {
    "game": lambda paid: paid.book.id,
    "table": lambda paid: paid.table,
    "day": lambda paid: str(paid.day),
}
"""What a win is told by."""


@click.command("win")
@db_option
@click.option("--by", type=click.Choice([*BY]), default="game", help="What it is told by.")
@click.option("--from", "first", metavar="DATE", help="The first gaming day.")
@click.option("--to", "last", metavar="DATE", help="The last gaming day.")
@click.option("--practice", is_flag=True, help="Of play chips, instead of real ones.")
@json_option
def command(
    where: str | None,
    by: str,
    first: str | None,
    last: str | None,
    practice: bool,
    as_json: bool,
) -> None:
    """Say what a house has won of its players, and of what it was made.

    The edge is what its games bring when they are played as well as can be, mistakes are what
    players gave away beyond that, and luck is the rest, which is nothing on average. Taken from
    rounds that are over, as each seat saw them, before tax; to the cent they add up. A game that
    takes minutes to work out is told apart once `pitboss par` has priced it here.
    """
    begins = date.min if first is None else read_as(date_of, first, "--from")
    ends = date.max if last is None else read_as(date_of, last, "--to")
    if begins > ends:
        raise Unreadable("the first day comes after the last", "--from")

    def counts(paid: PaidRound) -> bool:
        return paid.practice == practice and begins <= paid.day <= ends

    sums: dict[str, dict[str, Parts]] = {}
    with Snapshot(database(where)) as snapshot:
        try:
            for paid in filter(counts, _rounds(snapshot)):
                own = sums.setdefault(paid.book.currency, {})
                name = BY[by](paid)
                own[name] = own.get(name, Parts()) + house_win(paid, _solution(paid.book))
        except snapshot.failed as error:
            raise PitbossError(f"the database cannot be read: {error}") from None
    if as_json:
        write_json([_json(currency, by, several) for currency, several in sums.items()])
        return
    for currency, several in sums.items():
        click.echo(_text(currency, several))
    if not sums:
        click.echo("no rounds")


_solved: dict[str, maths.Solution | None] = {}


def _solution(book: Rulebook) -> maths.Solution | None:
    if book.sha256 not in _solved:
        try:
            _solved[book.sha256] = maths.solve(book) if maths.at_hand(book) else None
        except Unsolved:
            _solved[book.sha256] = None
    return _solved[book.sha256]


def _rounds(snapshot: Snapshot) -> Iterator[PaidRound]:
    books = {sha256: codec.rulebook(text, sha256) for sha256, text in snapshot.rows(_BOOKS)}
    adjusted = {name: int(entry) for name, entry in snapshot.rows(_ADJUSTED)}
    [(many,)] = snapshot.rows(_MANY)
    entries = watched("reading", _entries(snapshot), many)
    return paid_rounds(entries, adjusted, books.__getitem__)


def _entries(snapshot: Snapshot) -> Iterator[TableEntry]:
    for stream, seq, position, body in snapshot.rows(_TABLES):
        try:
            events = codec.body(body).events
        except Exception as error:
            raise PitbossError(f"entry {position} cannot be read; audit first: {error}") from None
        yield stream.removeprefix("table:"), seq, events


def _text(currency: str, several: dict[str, Parts]) -> str:
    whole = sum(several.values(), Parts())
    cents = whole.cents
    shown = [name for name in KINDS if cents[name] or name in ("edge", "mistakes", "luck")]
    told = ", ".join(f"{text(cents[name])} {KINDS[name]}" for name in shown)
    won = text(abs(whole.net_cents), currency)
    out = [f"{'won' if whole.net_cents >= 0 else 'lost'} {won}: {told}"]
    heads = ["", "hands", "won", *(KINDS[name] for name in shown)]
    rows = [
        [name, f"{each.rounds:,}", text(each.net_cents), *(text(each.cents[n]) for n in shown)]
        for name, each in sorted(several.items())
    ]
    widths = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
    for row in (heads, *rows):
        first, *rest = (
            each.ljust(wide) if at == 0 else each.rjust(wide)
            for at, (each, wide) in enumerate(zip(row, widths, strict=True))
        )
        out.append("  ".join((first, *rest)).rstrip())
    return "\n".join(out)


def _json(currency: str, by: str, several: dict[str, Parts]) -> dict[str, Any]:
    whole = sum(several.values(), Parts())
    named = [{by: name} | _parts(each) for name, each in sorted(several.items())]
    return {"currency": currency} | _parts(whole) | {f"by_{by}": named}


def _parts(parts: Parts) -> dict[str, Any]:
    return {
        "hands": parts.rounds,
        "won_cents": parts.net_cents,
        **{f"{name}_cents": cents for name, cents in parts.cents.items()},
        "exact": {name: str(getattr(parts, name)) for name in KINDS},
    }


_BOOKS = "SELECT name, value FROM kept WHERE kind = 'rulebook'"
_ADJUSTED = "SELECT name, value FROM kept WHERE kind = 'adjusted'"
_MANY = "SELECT COUNT(*) FROM journal WHERE SUBSTR(stream, 1, 6) = 'table:'"
_TABLES = (
    "SELECT stream, seq, position, body FROM journal"
    " WHERE SUBSTR(stream, 1, 6) = 'table:' ORDER BY position"
)
