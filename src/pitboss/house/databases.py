"""What differs between databases: SQLite in a file, and PostgreSQL by its URL."""

import logging
import sqlite3
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any, Protocol

PATIENCE = 5.0
"""Seconds after which a connection, a statement or a lock is given up."""


class Dialect(Protocol):
    """What differs between databases."""

    begin: str
    broken: tuple[type[Exception], ...]
    """A rule of the database was broken by what was to be written."""
    failed: type[Exception]
    """Anything else that went wrong."""

    def connect(self, patience: float | None = None) -> Any:
        """Open a connection on which nothing is committed unless we say so.

        Where patience is given, every statement ends or fails within so many seconds.
        """

    def alone(self, cursor: Any) -> None:
        """Let no other process begin this transaction's work until it is over."""

    def sql(self, text: str) -> str:
        """Return a statement, written with question marks, as this database wants it."""

    def rows(self, kinds: str) -> str:
        """Return a query for the rows of a JSON array of arrays, its parameter, with columns c0, c1
        and so on; ``kinds`` has an i for each column of integers and a t for each of text."""

    def announce(self, cursor: Any, position: int) -> None:
        """Tell other processes, once this is committed, how far the journal goes."""

    def listen(self, connection: Any) -> None:
        """Hear on this connection what is announced."""

    def heard(self, connection: Any, stopped: threading.Event, /) -> int | None:
        """Wait at most a moment until somebody may have written: how far, where that is known."""


class Sqlite:
    """One file."""

    begin = "BEGIN IMMEDIATE"
    broken: tuple[type[Exception], ...] = (sqlite3.IntegrityError, OverflowError, UnicodeError)
    failed: type[Exception] = sqlite3.Error

    def __init__(self, path: str) -> None:
        self.path = path

    def connect(self, patience: float | None = None) -> sqlite3.Connection:
        """Open the file, and make it first where there is none."""
        try:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from None
        found = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=patience or 60
        )
        try:
            _write_ahead(found, time.monotonic() + PATIENCE)
            found.execute("PRAGMA synchronous = FULL")
        except BaseException:
            found.close()
            raise
        return found

    def alone(self, cursor: Any) -> None:
        """Whoever may write is alone."""

    def sql(self, text: str) -> str:
        """Question marks are its own."""
        return text

    def rows(self, kinds: str) -> str:
        """JSON's numbers are integers by themselves."""
        columns = (f"json_extract(value, '$[{n}]') AS c{n}" for n in range(len(kinds)))
        # Without a condition, ON CONFLICT after it would be read as a part of a join.
        return f"SELECT {', '.join(columns)} FROM json_each(?) WHERE true"

    def announce(self, cursor: Any, position: int) -> None:
        """Nobody listens: other processes look."""

    def listen(self, connection: Any) -> None:
        """There is nothing to hear."""

    def heard(self, _connection: Any, stopped: threading.Event, /) -> int | None:
        """Look again in a moment."""
        stopped.wait(0.2)
        return None


def _write_ahead(connection: sqlite3.Connection, until: float) -> None:
    """Let readers not wait for the writer; SQLite itself does not wait for others who say so."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


class Postgres:
    """A server."""

    begin = "BEGIN"

    def __init__(self, url: str) -> None:
        import psycopg

        self.url = url
        self.broken: tuple[type[Exception], ...] = (psycopg.IntegrityError, psycopg.DataError)
        self.failed: type[Exception] = psycopg.Error
        # A command that breaks a rule is nothing to warn the house of: whoever sent it is told.
        logging.getLogger("psycopg").setLevel(logging.ERROR)

    def connect(self, patience: float | None = None) -> Any:
        """Connect, and give up soon where nobody answers."""
        found = _impatient().connect(
            self.url,
            autocommit=True,
            connect_timeout=int(PATIENCE),
            keepalives_idle=int(PATIENCE),
            tcp_user_timeout=int(1000 * PATIENCE),
        )
        found.execute("SET synchronous_commit = on")
        if patience is not None:
            # The server gives up first: then it is certain that nothing was done. And a process
            # that is frozen or cut off within a transaction does not keep all others waiting.
            limit = int(900 * patience)
            found.execute(f"SET statement_timeout = {limit}")
            found.execute(f"SET idle_in_transaction_session_timeout = {limit}")
            found.patience = patience
        return found

    def alone(self, cursor: Any) -> None:
        """Take a lock that is let go with the transaction."""
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('pitboss'))")

    def sql(self, text: str) -> str:
        """Parameters are written %s here."""
        return text.replace("?", "%s")

    def rows(self, kinds: str) -> str:
        """Everything is text until it is said to be more."""
        casts = {"t": "", "i": "::bigint"}
        columns = (f"(value->>{n}){casts[kind]} AS c{n}" for n, kind in enumerate(kinds))
        return f"SELECT {', '.join(columns)} FROM json_array_elements(?::json)"

    def announce(self, cursor: Any, position: int) -> None:
        """One notice for each batch; listeners read the journal themselves."""
        cursor.execute("SELECT pg_notify('pitboss', %s)", (str(position),))

    def listen(self, connection: Any) -> None:
        """Notices come to this connection alone: on others they would pile up unread."""
        connection.execute("LISTEN pitboss")

    def heard(self, connection: Any, stopped: threading.Event, /) -> int | None:
        """Wait for a notice."""
        if stopped.is_set():
            return None
        several = [int(each.payload) for each in connection.notifies(timeout=0.5, stop_after=1)]
        return max(several, default=None)


@cache
def _impatient() -> Any:
    """Return a kind of connection that does not wait for ever for a server that is frozen."""
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        patience: float | None = None

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            """Wait for an answer, but not longer than we have patience."""
            return super().wait(gen, interval, self.patience if timeout is None else timeout)

    return Impatient


def dialect(where: str) -> Dialect:
    """Return the dialect of a path or URL."""
    if where.startswith(("postgresql://", "postgres://")):
        return Postgres(where)
    return Sqlite(where.removeprefix("sqlite:///"))
