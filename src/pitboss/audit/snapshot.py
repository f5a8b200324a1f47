"""One moment of a house's database, to be read and never written: for audits and exports.

Everything is read in one transaction, so that a house may go on meanwhile; what it writes then is
not seen. Rows come one by one, so that a journal of any length fits into little memory.
"""

import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Self

from pitboss.errors import PitbossError
from pitboss.house.storage.databases import Dialect, Rules, Sqlite, dialect
from pitboss.house.storage.schema import LATEST, refusal


class Snapshot:
    """A database as it stands at one moment."""

    def __init__(self, where: str) -> None:
        self.database: Dialect = dialect(where)
        self.failed = self.database.failed
        """What is raised when rows cannot be read."""
        self._connection: Any = None
        try:
            if isinstance(self.database, Sqlite):
                self._connection = _opened(self.database.path)
            else:
                self._connection = self.database.connect()
                self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        except self.failed as error:
            raise PitbossError(f"the database cannot be read: {error}") from None
        self._names = count(1)
        self._check()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    @property
    def is_file(self) -> bool:
        return isinstance(self.database, Sqlite)

    def rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        if self.is_file:
            yield from self._connection.execute(sql, values)
            return
        with self._connection.cursor(name=f"rows_{next(self._names)}") as cursor:
            cursor.itersize = 2_000
            yield from cursor.execute(self.database.sql(sql), values)

    def rules(self) -> Rules:
        """Return the database's own rules."""
        return self.database.rules(self._connection)

    def _check(self) -> None:
        try:
            found = list(self.rows("SELECT MAX(version) FROM schema_version"))
            version = found[0][0]
        except self.failed as error:
            self.close()
            raise PitbossError(f"this is no house's database: {error}") from None
        if version != LATEST:
            self.close()
            older = f"this database has schema {version}, and this Pitboss reads {LATEST}"
            raise PitbossError((isinstance(version, int) and refusal(version)) or older)


def _opened(path: str) -> sqlite3.Connection:
    """Open a file that is there, so that nothing can be written to it."""
    if not Path(path).is_file():
        raise PitbossError(f"there is no database at {path}")
    address = Path(path).resolve().as_uri()
    try:
        return _connected(f"{address}?mode=ro")
    except sqlite3.OperationalError:
        # In a folder where nothing can be written, nobody else writes either.
        return _connected(f"{address}?immutable=1")


def _connected(address: str) -> sqlite3.Connection:
    found = sqlite3.connect(address, uri=True, isolation_level=None, timeout=10)
    # Text that is no text must not stop us: it is what we look for.
    found.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    found.execute("BEGIN")
    found.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    return found
