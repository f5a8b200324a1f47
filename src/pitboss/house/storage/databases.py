"""What differs between databases: SQLite in a file, and PostgreSQL by its URL."""

import contextlib
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

from pitboss.errors import Unreadable

PATIENCE = 5.0
"""Seconds after which a connection, a statement or a lock is given up."""

OLDEST_SQLITE = (3, 38)
"""That reads JSON without being built for it."""

Rows = Callable[[str, str], str]
"""A query for the rows of a part of a batch: its name, and the kinds of its columns, an i for each
of integers and a t for each of text; they are called c0, c1 and so on."""

Rules = dict[tuple[str, str], str]
"""The text of each rule of a database, by its table and its name."""

OURS = {"schema_version", "journal", "head"}
"""Tables by which a house's database is known."""

BATCH = (
    *("before", "before_whole", "position", "whole"),
    *("relied", "sessions", "entries", "signatures", "lines", "sums", "kept", "secrets"),
    "signed_out",
)
"""What a batch consists of, as text: the head that it begins at, the head that it makes, and then
JSON arrays of rows."""


GOES_ON = """sessions.password =
    COALESCE((SELECT password FROM secrets WHERE secrets.person = sessions.person), '')"""
"""Whether a session was begun with the password as it is now; one without, where there is none."""


def _stale(rows: Rows) -> str:
    """Return a query for what a batch relies on that is no longer so: streams that have gone on
    after the number that was relied on, and sessions that have ended by then."""
    return f"""SELECT fence.c0, fence.c1 FROM ({rows("relied", "ti")}) AS fence
        JOIN journal ON journal.stream = fence.c0 AND journal.seq = fence.c1 + 1
        UNION ALL SELECT fence.c0, fence.c1 FROM ({rows("sessions", "ti")}) AS fence
        WHERE NOT EXISTS
        (SELECT 1 FROM sessions WHERE token = fence.c0 AND ends > fence.c1 AND {GOES_ON})"""


def _parts(rows: Rows) -> tuple[str, ...]:
    """Return what is written of a batch once the head is ours.

    They may be carried out one after the other, or all on the tables as they were before.
    """
    return (
        f"""INSERT INTO journal (stream, seq, at, actor, key, body, hash, position)
        {rows("entries", "tiitttti")}""",
        f"""INSERT INTO signatures (after, position, key, signature)
        {rows("signatures", "iitt")}""",
        f"INSERT INTO ledger (position, line, account, cents) {rows('lines', 'iiti')}",
        f"""UPDATE balances SET cents = balances.cents + moved.c1
        FROM ({rows("sums", "ti")}) AS moved WHERE balances.account = moved.c0""",
        f"""INSERT INTO balances (account, cents) SELECT c0, c1 FROM ({rows("sums", "ti")}) AS fresh
        WHERE NOT EXISTS (SELECT 1 FROM balances WHERE account = c0)""",
        f"""INSERT INTO kept (kind, name, value) {rows("kept", "ttt")}
        ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value""",
        f"""INSERT INTO secrets (person, password, changed) {rows("secrets", "tti")}
        ON CONFLICT (person) DO UPDATE
        SET password = excluded.password, changed = excluded.changed""",
        f"DELETE FROM failures WHERE name IN (SELECT c0 FROM ({rows('secrets', 'tti')}) AS own)",
        f"DELETE FROM sessions WHERE person IN (SELECT c0 FROM ({rows('signed_out', 't')}) AS own)",
    )


class Dialect(Protocol):
    """What differs between databases; what a database need not do for us is nothing here."""

    begin: str
    time: str
    """Asks for the time by the database's clock: milliseconds since 1970, UTC."""
    broken: tuple[type[Exception], ...]
    """A rule of the database was broken by what was to be written."""
    failed: type[Exception]
    """Anything else that went wrong."""

    def connect(self, patience: float | None = None) -> Any:
        """Open a connection on which nothing is committed unless we say so.

        Where patience is given, every statement ends or fails within so many seconds.
        """

    def tables(self, cursor: Any) -> set[str]:
        """Return the names of all tables that are here."""

    def rules(self, cursor: Any) -> Rules:
        """Return the database's own rules."""

    def empty(self) -> AbstractContextManager[Any]:
        """Lend a cursor on an empty database of the same kind, of which nothing stays."""

    def ready(self, _connection: Any, /) -> None:
        """Make a connection ready to write batches."""
        return

    def alone(self, _cursor: Any, /) -> None:
        """Let no other process begin this transaction's work until it is over."""
        return

    def sql(self, text: str) -> str:
        """Return a statement, written with question marks, as this database wants it."""
        return text

    def write(self, cursor: Any, batch: dict[str, str]) -> bool:
        """Write a batch and tell other processes of it, in one statement; nothing, and False, where
        the journal's head is not the one that the batch begins at, or something is stale."""

    def stale(self, cursor: Any, batch: dict[str, str]) -> set[tuple[str, int]]:
        """Return what a batch relies on that is no longer so."""

    def listen(self, _connection: Any, /) -> None:
        """Hear on this connection what is announced."""
        return

    def heard(self, connection: Any, stopped: threading.Event, /) -> None:
        """Wait until another process may have written, and at most a moment."""


class Sqlite(Dialect):
    """One file."""

    begin = "BEGIN IMMEDIATE"
    time = "SELECT CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
    broken: tuple[type[Exception], ...] = (sqlite3.IntegrityError, UnicodeError)
    failed: type[Exception] = sqlite3.Error

    def __init__(self, path: str) -> None:
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            least = ".".join(map(str, OLDEST_SQLITE))
            raise Unreadable(f"this Python has SQLite {sqlite3.sqlite_version}: {least} is needed")
        self.path = path

    def connect(self, patience: float | None = None) -> sqlite3.Connection:
        try:
            _make_file(Path(self.path))
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from None
        found = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=patience or 60
        )
        try:
            names = self.tables(found)
            if not names or names >= OURS:  # another program's file stays as it is
                _write_ahead(found, time.monotonic() + PATIENCE)
            found.execute("PRAGMA synchronous = FULL")
            found.execute("PRAGMA temp_store = MEMORY")  # not everywhere is a folder for them
        except BaseException:
            found.close()
            raise
        return found

    def tables(self, cursor: Any) -> set[str]:
        return {name for (name,) in cursor.execute("SELECT name FROM sqlite_master").fetchall()}

    def rules(self, cursor: Any) -> Rules:
        found = cursor.execute("SELECT tbl_name, type, name, sql FROM sqlite_master").fetchall()
        return {
            (table, kind if name == table else f"{kind} {name}"): " ".join((text or "").split())
            for table, kind, name, text in found
        }

    @contextlib.contextmanager
    def empty(self) -> Iterator[Any]:
        """In memory."""
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            yield connection.cursor()

    def ready(self, connection: Any) -> None:
        """A trigger takes a batch apart; migrations must not meet it."""
        for statement in _MAKE_BATCH:
            connection.execute(statement)

    def write(self, cursor: Any, batch: dict[str, str]) -> bool:
        """Insert it into a view whose trigger does the rest; nobody listens: other processes look.

        Every statement of its own would make this thread wait once more for its turn at Python.
        """
        try:
            cursor.execute(_INSERT_BATCH, batch)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_TRIGGER:
                return False
            raise
        return True

    def stale(self, cursor: Any, batch: dict[str, str]) -> set[tuple[str, int]]:
        return set(cursor.execute(_FIND_STALE_SQLITE, batch).fetchall())

    def heard(self, _connection: Any, stopped: threading.Event, /) -> None:
        """Look again in a moment."""
        stopped.wait(0.2)


def _sqlite_rows(part: str, kinds: str, of: str = "NEW.") -> str:
    columns = (f"json_extract(value, '$[{n}]') AS c{n}" for n in range(len(kinds)))
    # Without a condition, ON CONFLICT after it would be read as a part of a join.
    return f"SELECT {', '.join(columns)} FROM json_each({of}{part}) WHERE true"


_MAKE_BATCH = (
    f"CREATE TEMP VIEW batch AS SELECT {', '.join(f'0 AS {name}' for name in BATCH)}",
    "CREATE TEMP TRIGGER batch_written INSTEAD OF INSERT ON batch BEGIN "
    "SELECT RAISE(ABORT, 'moved') WHERE NOT EXISTS (SELECT 1 FROM head "
    "WHERE position = CAST(NEW.before AS INTEGER) AND whole = NEW.before_whole) "
    f"OR EXISTS ({_stale(_sqlite_rows)}); "
    "UPDATE head SET position = CAST(NEW.position AS INTEGER), whole = NEW.whole; "
    + "".join(f"{part}; " for part in _parts(_sqlite_rows))
    + "END",
)
_FIND_STALE_SQLITE = _stale(partial(_sqlite_rows, of=":"))
_INSERT_BATCH = f"INSERT INTO batch VALUES ({', '.join(f':{name}' for name in BATCH)})"


_MAKING = threading.Lock()


def _make_file(path: Path) -> None:
    """Make the file where there is none, for its owner alone: the next round's deck will be in it.

    A file that is there is not touched: closing it, a process would lose its locks on it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _MAKING, contextlib.suppress(FileExistsError):
        os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


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


class Postgres(Dialect):
    """A server."""

    begin = "BEGIN"
    time = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)"

    def __init__(self, url: str) -> None:
        import psycopg

        self.url = url
        self.name = secrets.token_hex(8)
        """By which its own notices are known."""
        self.broken: tuple[type[Exception], ...] = (psycopg.IntegrityError, psycopg.DataError)
        self.failed: type[Exception] = psycopg.Error
        # A command that breaks a rule is nothing to warn the house of: whoever sent it is told.
        logging.getLogger("psycopg").setLevel(logging.ERROR)
        try:
            host = str(psycopg.conninfo.conninfo_to_dict(url).get("host", ""))
        except psycopg.Error:
            host = "@"
        if "@" in host:
            # What is wrong with it may be the password: none of it is repeated.
            message = "this URL cannot be read: write % @ / in a password as %25 %40 %2F"
            raise Unreadable(message, "--db")

    def connect(self, patience: float | None = None) -> Any:
        """Connect, with TCP keep-alive, and give up soon where nobody answers."""
        found = _impatient().connect(
            self.url,
            autocommit=True,
            connect_timeout=int(PATIENCE),
            keepalives_idle=int(PATIENCE),
            tcp_user_timeout=int(1000 * PATIENCE),
        )
        found.execute("SET synchronous_commit = on")
        found.execute("SET default_transaction_isolation = 'read committed'")
        if patience is not None:
            # The server gives up first: then it is certain that nothing was done. And a process
            # that is frozen or cut off within a transaction does not keep all others waiting.
            limit = int(900 * patience)
            found.execute(f"SET statement_timeout = {limit}")
            found.execute(f"SET idle_in_transaction_session_timeout = {limit}")
            found.patience = patience
        return found

    def tables(self, cursor: Any) -> set[str]:
        sql = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        return {name for (name,) in cursor.execute(sql).fetchall()}

    def rules(self, cursor: Any) -> Rules:
        found = cursor.execute(_RULES).fetchall()
        return {(table, what): " ".join(text.split()) for table, what, text in found}

    @contextlib.contextmanager
    def empty(self) -> Iterator[Any]:
        """Among this connection's temporary tables, in a transaction that is rolled back."""
        with contextlib.closing(self.connect(PATIENCE)) as connection:
            connection.execute("BEGIN")
            connection.execute("SET LOCAL search_path = pg_temp")
            with connection.cursor() as cursor:
                yield cursor

    def alone(self, cursor: Any) -> None:
        """Take an advisory lock, which is let go with the transaction."""
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('pitboss'))")

    def sql(self, text: str) -> str:
        return text.replace("%", "%%").replace("?", "%s")

    def write(self, cursor: Any, batch: dict[str, str]) -> bool:
        """One statement, prepared once; one notice, and listeners read the journal themselves."""
        cursor.execute(_WRITE_BATCH, {**batch, "by": self.name})
        return cursor.fetchone() is not None

    def stale(self, cursor: Any, batch: dict[str, str]) -> set[tuple[str, int]]:
        return set(cursor.execute(_FIND_STALE_POSTGRES, batch).fetchall())

    def listen(self, connection: Any) -> None:
        """Notices come to this connection alone: on others they would pile up unread."""
        connection.execute("LISTEN pitboss")

    def heard(self, connection: Any, stopped: threading.Event, /) -> None:
        """Wait for a notice of another; our own news we hear otherwise."""
        for _ in range(10):
            if stopped.is_set():
                return
            for each in connection.notifies(timeout=0.05):
                if each.payload != self.name:
                    return


_RULES = """SELECT ours.relname, rule.what, rule.text FROM pg_class AS ours, LATERAL (
    SELECT 'table', ours.relkind::text
    || CASE WHEN ours.relpersistence = 'u' THEN ' unlogged' ELSE '' END
    || CASE WHEN ours.relrowsecurity THEN ' with policies' ELSE '' END
    || CASE WHEN EXISTS (SELECT 1 FROM pg_inherits WHERE ours.oid IN (inhparent, inhrelid))
    THEN ' with relatives' ELSE '' END
    UNION ALL SELECT 'column ' || attname, format_type(atttypid, atttypmod)
    || COALESCE(' collate ' || NULLIF(collname, 'default'), '')
    || CASE WHEN attnotnull THEN ' not null' ELSE '' END
    || CASE WHEN attidentity <> '' THEN ' identity' ELSE '' END
    || COALESCE(' default ' || pg_get_expr(adbin, adrelid), '')
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE attrelid = ours.oid AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT 'constraint ' || conname, pg_get_constraintdef(oid, true)
    FROM pg_constraint WHERE conrelid = ours.oid AND contype <> 'n'
    UNION ALL SELECT 'index ' || relname, pg_get_indexdef(indexrelid, 0, true)
    || CASE WHEN indisvalid AND indisready AND indislive THEN '' ELSE ' not valid' END
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = ours.oid
    UNION ALL SELECT 'trigger ' || tgname, pg_get_triggerdef(oid, true) || tgenabled::text
    FROM pg_trigger WHERE tgrelid = ours.oid AND NOT tgisinternal
    UNION ALL SELECT 'rule ' || rulename, pg_get_ruledef(oid, true)
    FROM pg_rewrite WHERE ev_class = ours.oid
    UNION ALL SELECT 'policy ' || polname, ''
    FROM pg_policy WHERE polrelid = ours.oid
) AS rule (what, text)
WHERE ours.relkind IN ('r', 'p', 'v', 'm', 'f')
AND ours.relnamespace = current_schema()::regnamespace"""
"""Keys and checks are constraints; the other rules are PostgreSQL's own word for what it does
instead of what it is told. That a column is not null is said of the column: newer servers count
it among the constraints, too. Each part asks for our tables alone: to spell out the hundreds of
rules of PostgreSQL's own tables, and then leave them out, takes forty times as long."""


def _postgres_rows(part: str, kinds: str, and_ours: str = "") -> str:
    casts = {"t": "", "i": "::bigint"}
    columns = (f"(value->>{n}){casts[kind]} AS c{n}" for n, kind in enumerate(kinds))
    return f"SELECT {', '.join(columns)} FROM json_array_elements(%({part})s::json){and_ours}"


_FIND_STALE_POSTGRES = _stale(_postgres_rows)
_WRITE_BATCH = (
    f"""WITH ours AS (
        UPDATE head SET position = %(position)s::bigint, whole = %(whole)s
        WHERE position = %(before)s::bigint AND whole = %(before_whole)s
        AND NOT EXISTS ({_stale(_postgres_rows)}) RETURNING position
    )"""
    + "".join(
        f", part{n} AS ({part})"
        for n, part in enumerate(_parts(partial(_postgres_rows, and_ours=", ours")))
    )
    + "SELECT pg_notify('pitboss', %(by)s) FROM ours"
)


@cache
def _impatient() -> Any:
    """Return a kind of connection that does not wait for ever for a server that is frozen."""
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        patience: float | None = None

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            return super().wait(gen, interval, self.patience if timeout is None else timeout)

    return Impatient


def readable_by_others(where: str, *more: Path) -> list[Path]:
    """Return which of a house's files, and of others, somebody else here can read or write."""
    if os.name == "nt":
        return []
    found = dialect(where)
    path = found.path if isinstance(found, Sqlite) else ""
    own = [Path(f"{path}{end}") for end in ("", "-wal", "-shm")] if path else []
    return [each for each in (*own, *more) if each.exists() and each.stat().st_mode & 0o077]


def dialect(where: str) -> Dialect:
    if where.startswith(("postgresql://", "postgres://")):
        return Postgres(where)
    return Sqlite(where.removeprefix("sqlite:///"))
