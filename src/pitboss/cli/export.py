"""``pitboss export``: rounds, ledger, events and tax forms as JSON lines or CSV."""

import csv
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

import click

from pitboss.audit import export
from pitboss.audit.snapshot import Snapshot
from pitboss.cli.common import database, db_option
from pitboss.errors import PitbossError, Unreadable

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would work out instead of showing."""


@click.command("export")
@db_option
@click.option("--rounds", metavar="FILE", help="Every paid round: .jsonl, or .csv by wager.")
@click.option("--ledger", metavar="FILE", help="Every posting: .jsonl or .csv.")
@click.option("--events", metavar="FILE", help="All that happened, and who did it: .jsonl or .csv.")
@click.option("--forms", metavar="FILE", help="Tax forms by payee, with totals: .jsonl or .csv.")
@click.option("--year", type=click.IntRange(2000, 9999), help="Of --forms: of this year alone.")
def command(
    where: str | None,
    *,
    rounds: str | None,
    ledger: str | None,
    events: str | None,
    forms: str | None,
    year: int | None,
) -> None:
    """Write a house's rounds, ledger, events and tax forms to files that other programs read.

    The kind of a FILE is told by its name: .jsonl holds one JSON object a line, .csv a table.
    Times are UTC, money is in cents.
    """
    files = [name for name in (rounds, ledger, events, forms) if name is not None]
    if not files:
        every = "--rounds FILE, --ledger FILE, --events FILE, --forms FILE"
        raise Unreadable(f"say what to write: {every} or several")
    if year is not None and forms is None:
        raise Unreadable("a year is for the forms alone: say --forms FILE", "--year")
    for name in files:
        _kind(name)
    if len({Path(name).resolve() for name in files}) < len(files):
        raise Unreadable("rounds, ledger, events and forms go to files of their own", "--ledger")
    with Snapshot(database(where)) as snapshot:
        try:
            if rounds is not None:
                _write(rounds, export.rounds(snapshot), export.wagers, "rounds")
            if ledger is not None:
                _write(ledger, export.ledger(snapshot), lambda row: [row], "postings")
            if events is not None:
                _write(events, export.events(snapshot), export.one_row, "events")
            if forms is not None:
                _write(forms, export.forms(snapshot, year), lambda row: [row], "rows of forms")
        except snapshot.failed as error:
            raise PitbossError(f"the database cannot be read: {error}") from None


def _kind(name: str) -> str:
    kind = Path(name).suffix.lower()
    if kind not in (".jsonl", ".csv"):
        raise Unreadable(f"{name[:80]!r} ends neither in .jsonl nor in .csv")
    return kind


def _write(
    name: str,
    rows: Iterable[dict[str, Any]],
    flat: Callable[[dict[str, Any]], Iterable[dict[str, Any]]],
    what: str,
) -> None:
    """Write the rows, and say how many; a file that is there is replaced once all is written."""
    count = 0

    def counted() -> Iterator[dict[str, Any]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    try:
        with _replacing(name) as file:
            if _kind(name) == ".jsonl":
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in counted())
            else:
                _write_csv(file, chain.from_iterable(flat(row) for row in counted()))
    except OSError as error:
        raise Unreadable(f"cannot write: {error.strerror}", name) from None
    click.echo(f"{name}: {count:,} {what}")


@contextmanager
def _replacing(name: str) -> Iterator[TextIO]:
    """Write a file that takes its place when it is whole, for its owner alone: hands that nobody
    showed are in it."""
    path = Path(name).resolve()
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise Unreadable("cannot write: it is no file", name)
    made, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(made, "w", encoding="utf-8", newline="") as file:
            yield file
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink()
        raise


def _write_csv(file: Any, rows: Iterator[dict[str, Any]]) -> None:
    writer = csv.writer(file)
    for number, row in enumerate(rows):
        if number == 0:
            writer.writerow(row)
        writer.writerow([safe(value) for value in row.values()])


def safe(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("ann"), safe(-500), safe(None)
    ("'=1+1", 'ann', -500, '')
    """
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
