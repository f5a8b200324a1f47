"""What several commands share: reading input, writing JSON, arguments that hold money."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click

from pitboss import money
from pitboss.errors import PitbossError, Unreadable
from pitboss.rulebook.loader import LARGEST_FILE, read_text

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")
db_option = click.option(
    "--db", "where", help="A file, or a PostgreSQL URL; else a file in your data folder."
)


class Money(click.ParamType[int]):
    """An amount of money on the command line."""

    name = "money"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it, or say what would be right."""
        if isinstance(value, int):
            return value
        try:
            return int(money.cents(value))
        except Unreadable as error:
            self.fail(error.message, param, ctx)


MONEY = Money()


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


def data_folder() -> Path:
    """Return the user's folder for what Pitboss keeps."""
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
    """Return where a house is kept when nobody says."""
    return os.environ.get("PITBOSS_DB") or str(data_folder() / "pitboss.db")


def database(where: str | None) -> str:
    """Return where a house is kept: a file, or a server's URL."""
    found = default_db() if where is None else where
    scheme, url, rest = found.partition("://")
    ours = scheme in ("postgresql", "postgres") or (scheme == "sqlite" and rest.startswith("/"))
    if found.strip() in ("", ":memory:") or (url and not ours):
        raise Unreadable("name a file, or a postgresql:// URL", "--db")
    return found


@contextmanager
def opening(where: str) -> Iterator[str]:
    """Say of a house that cannot be opened which one it is, and why."""
    from pitboss.house.storage.store import Unavailable

    try:
        yield where
    except Unavailable as error:
        # A URL may hold a password: it is not repeated.
        place = "--db" if "://" in where else where
        raise PitbossError(f"{place}: the house cannot be opened: {error}") from None


def write_json(value: Any) -> None:
    """Write JSON on standard output."""
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
