"""Reading the database from any thread; a connection that was lost is made again."""

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from pitboss.errors import PitbossError, Unreadable
from pitboss.house.storage.databases import PATIENCE, Dialect
from pitboss.house.storage.journal import COLUMNS, START, Entry
from pitboss.house.storage.signing import Head

PAGE = 2_000
"""How many rows are read at once."""

BREATH = 0.5
"""Backoff: seconds in which nobody tries again to reach a database that could not be reached."""


class Unavailable(PitbossError):
    """The database cannot be reached or cannot write; whether the last command was done is unknown
    until it is back."""


class SharedConnection:
    """A connection for any thread, one at a time; made again when it was lost."""

    def __init__(self, database: Dialect) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._connection: Any = None
        self._again = 0.0
        """Until then the database is taken to be away: nobody waits for it in vain, one by one."""
        self._closed = False

    @contextlib.contextmanager
    def connection(self) -> Iterator[Any]:
        """Lend it; ``Unavailable`` where there is none or where it fails."""
        try:
            with self._lock:
                yield from self._lent()
        finally:
            if self._closed:
                self.close(0)  # whoever closed it may not have waited for us

    def _lent(self) -> Iterator[Any]:
        try:
            yield self._connected()
        except self._database.broken as error:
            raise Unreadable(str(error)) from error
        except self._database.failed as error:
            self._drop()
            raise Unavailable(str(error)) from error

    def _connected(self) -> Any:
        if self._closed:
            raise Unavailable("the store is closed")
        if self._connection is None:
            if time.monotonic() < self._again:
                raise Unavailable("the database was away a moment ago")
            try:
                self._connection = self._database.connect(PATIENCE)
            except self._database.failed:
                self._again = time.monotonic() + BREATH
                raise
        return self._connection

    def close(self, patience: float) -> None:
        """Hang up for good; whoever still uses it after so many seconds does so when they are done,
        and nobody is lent it any more."""
        self._closed = True
        if self._lock.acquire(timeout=patience):
            try:
                self._drop()
            finally:
                self._lock.release()

    def _drop(self) -> None:
        hang_up(self._connection)
        self._connection = None


def hang_up(connection: Any) -> None:
    if connection is not None:
        with contextlib.suppress(Exception):
            connection.close()


class Reader:
    """Reading from any thread, over one connection."""

    def __init__(self, database: Dialect) -> None:
        self.database = database
        self._reader = SharedConnection(database)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._rows(sql, values)
        except Unavailable:
            return self._rows(sql, values)  # only the connection may have been lost

    def _rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._reader.connection() as connection:
            return list(connection.execute(self.database.sql(sql), values).fetchall())

    def entries(self, stream: str, after: int = 0, limit: int = 1_000_000) -> list[Entry]:
        sql = f"{COLUMNS} WHERE stream = ? AND seq > ? ORDER BY seq LIMIT {int(limit)}"
        return [Entry(*row) for row in self.rows(sql, stream, after)]

    def last(self, stream: str) -> tuple[int, str]:
        """Return the number and hash of a stream's last entry, or of its start."""
        sql = "SELECT seq, hash FROM journal WHERE stream = ? ORDER BY seq DESC LIMIT 1"
        return next(((seq, link) for seq, link in self.rows(sql, stream)), (0, START))

    def holds(self, head: Head) -> bool:
        """Whether this entry is in the journal."""
        position, link = head
        return self.rows("SELECT hash FROM journal WHERE position = ?", position) == [(link,)]

    def since(self, position: int, limit: int = PAGE) -> list[Entry]:
        """Return entries of all streams after this position, in order."""
        sql = f"{COLUMNS} WHERE position > ? ORDER BY position LIMIT {int(limit)}"
        return [Entry(*row) for row in self.rows(sql, position)]

    def everything(self) -> Iterator[Entry]:
        position = 0
        while page := self.since(position):
            yield from page
            position = page[-1].position

    def by_key(self, stream: str, actor: str, key: str) -> Entry | None:
        # That it is not empty must be said: of empty keys there is no index.
        sql = f"{COLUMNS} WHERE stream = ? AND actor = ? AND key = ? AND key <> ''"
        found = self.rows(sql, stream, actor, key)
        return Entry(*found[0]) if found else None

    def kept(self, kind: str, name: str) -> str | None:
        found = self.rows("SELECT value FROM kept WHERE kind = ? AND name = ?", kind, name)
        return found[0][0] if found else None

    def all_kept(self, kind: str) -> dict[str, str]:
        return dict(self.rows("SELECT name, value FROM kept WHERE kind = ? ORDER BY name", kind))

    def balance(self, account: str) -> int:
        found = self.rows("SELECT cents FROM balances WHERE account = ?", account)
        return found[0][0] if found else 0

    def balance_after(self, account: str, position: int) -> int:
        """Return what an account held once the entry at this position was written."""
        sql = """SELECT cents - (SELECT COALESCE(SUM(cents), 0) FROM ledger
            WHERE ledger.account = balances.account AND position > ?)
            FROM balances WHERE account = ?"""
        found = self.rows(sql, position, account)
        return int(found[0][0]) if found else 0

    def position(self) -> int:
        return int(self.rows("SELECT position FROM head")[0][0])

    def newest(self) -> Head:
        """Return the place and the hash of the last entry."""
        found = self.rows("SELECT position, hash FROM journal ORDER BY position DESC LIMIT 1")
        return (int(found[0][0]), found[0][1]) if found else (0, "")

    def now(self) -> int:
        """Return the time by the database's clock: milliseconds since 1970, UTC."""
        return int(self.rows(self.database.time)[0][0])
