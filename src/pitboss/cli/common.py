"""What several commands share: reading input, writing JSON, arguments that hold money."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

import click

from pitboss import money
from pitboss.errors import PitbossError, Unreadable
from pitboss.rulebook.loader import LARGEST_FILE, read_text

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
db_option = click.option(
    "--db", "where", help="A file, or a PostgreSQL URL; else a file in your data folder."
)


def signing_option(**more: Any) -> Callable[[F], F]:
    """Let a command sign entries, or look at signatures."""
    words = "The file of the key that entries are signed with"
    return click.option(
        "--signing-key",
        "signing",
        type=click.Path(),
        metavar="FILE",
        envvar="PITBOSS_SIGNING_KEY",
        help=f"{words}; for a database in a file it lies beside it.",
        **more,
    )


class Money(click.ParamType[int]):
    """An amount of money on the command line."""

    name = "money"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return int(money.cents(value))
        except Unreadable as error:
            self.fail(error.message, param, ctx)


MONEY = Money()


def stake_options(command: F) -> F:
    """Let a command price a game at a stake: --ante and --minimum, both in cents or None."""
    minimum = click.option(
        "--minimum", type=MONEY, help="The posted minimum, which a cap may grow with."
    )
    ante = click.option("--ante", type=MONEY, help="Apply caps at this ante, for one player alone.")
    return ante(minimum(command))


def whole_number(do: str, what: str, least: int, most: int) -> Callable[[str], int]:
    """Return a reader of large whole numbers: ``1e9``, ``20,000``, ``1_000_000``."""

    def read(written: str) -> int:
        try:
            number = Decimal(written.replace(",", ""))
        except InvalidOperation:
            raise click.BadParameter(f"{written[:20]!r} is not a number such as 1e7") from None
        if not number.is_finite() or not least <= number <= most or number % 1:
            right = f"{do} {least:,} to {most:.0e} whole {what}"
            raise click.BadParameter(f"{right}, not {written[:20]}")
        return int(number)

    return read


MOST_HOURS = 1000


def hours_of(written: str) -> Decimal:
    """Read a time at the table: ``4h``, ``90m``."""
    try:
        hours = Decimal(written[:-1]) / {"h": 1, "m": 60}[written[-1:].lower()]
    except (InvalidOperation, KeyError):
        raise click.BadParameter(f"{written[:20]!r} is not a time such as 4h or 90m") from None
    if not (hours.is_finite() and 0 < hours <= MOST_HOURS):
        what = f"a time here is up to {MOST_HOURS:,} hours long, not {written[:20]}"
        raise click.BadParameter(what)
    return hours


def date_of(written: str) -> date:
    """Read a day: ``2027-12-31``."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise Unreadable(f"{written[:20]!r} is not a date such as 2027-12-31") from None


def read_as(read: Callable[[str], T], written: str, place: str) -> T:
    """Read what was written in a place, which an error names."""
    try:
        return read(written)
    except Unreadable as error:
        raise Unreadable(error.message, place) from None


def data_folder() -> Path:
    named = os.environ.get("PITBOSS_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        data = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        data = str(Path.home() / "Library" / "Application Support")
    else:
        data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "pitboss"


def default_db() -> str:
    return os.environ.get("PITBOSS_DB") or str(data_folder() / "pitboss.db")


def database(where: str | None) -> str:
    """Return where a house is kept: a file, or a server's URL."""
    found = default_db() if where is None else where
    scheme, url, rest = found.partition("://")
    ours = scheme in ("postgresql", "postgres") or (scheme == "sqlite" and rest.startswith("/"))
    if found.strip() in ("", ":memory:") or (url and not ours):
        raise Unreadable("name a file, or a postgresql:// URL", "--db")
    return found


def signing_file(where: str, named: str | None) -> Path | None:
    """Return the file of the key that a house's entries are signed with; None for no signatures."""
    from pitboss.house.storage.signing import beside

    return Path(named) if named else beside(where)


@contextmanager
def opening(where: str) -> Iterator[str]:
    """Say of a house that cannot be opened which one it is, and why."""
    from pitboss.house.storage.reader import Unavailable

    try:
        yield where
    except Unavailable as error:
        # A URL may hold a password: it is not repeated.
        place = "--db" if "://" in where else where
        raise PitbossError(f"{place}: the house cannot be opened: {error}") from None


def progress(what: str, steps: Iterable[T] | None = None, length: int | None = None) -> Any:
    """Return a bar for a person who waits; programs see nothing of it."""
    hidden = not sys.stderr.isatty()
    return click.progressbar(steps, length, what, file=sys.stderr, hidden=hidden)


def watched(what: str, steps: Iterable[T], length: int | None = None) -> Iterator[T]:
    """Go through steps that take their time, with a bar."""
    with progress(what, steps, length) as bar:
        yield from bar


STDOUT = "-"
"""The name of no file: what is written comes here."""


def write_file(name: str, written: str | bytes, option: str) -> None:
    """Write a file that somebody named; an error names the option."""
    if name == STDOUT:
        click.echo(written, nl=False)
        return
    try:
        Path(name).write_bytes(written.encode() if isinstance(written, str) else written)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Unreadable(f"cannot write {name}: {why}", option) from None


def write_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, default=str))


def read_input(name: str, what: str) -> tuple[str, str]:
    """Read a named file, or standard input for ``-``: its text, and what to call the place."""
    if name != "-":
        return read_text(Path(name), what=what), name
    found = b"" if sys.stdin is None else sys.stdin.buffer.read(LARGEST_FILE + 1)
    if len(found) > LARGEST_FILE:
        raise Unreadable(f"larger than any {what}", "standard input")
    try:
        return found.decode("utf-8-sig"), "standard input"
    except UnicodeDecodeError:
        raise Unreadable(f"not text, so not a {what}", "standard input") from None
