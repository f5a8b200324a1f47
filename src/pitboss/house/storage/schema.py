"""The tables of the database, step by step: the same SQL for SQLite and PostgreSQL."""

from collections.abc import Callable
from typing import Any

FIRST = 2
"""The schema that the first step makes. 1 was that of Pitboss 0.1."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE journal (
            position BIGINT PRIMARY KEY,
            stream TEXT NOT NULL,
            seq BIGINT NOT NULL,
            at BIGINT NOT NULL,
            actor TEXT NOT NULL,
            key TEXT NOT NULL,
            body TEXT NOT NULL,
            hash TEXT NOT NULL,
            UNIQUE (stream, seq)
        )""",
        "CREATE UNIQUE INDEX journal_key ON journal (stream, actor, key) WHERE key <> ''",
        """CREATE TABLE ledger (
            position BIGINT NOT NULL,
            line BIGINT NOT NULL,
            account TEXT NOT NULL,
            cents BIGINT NOT NULL,
            PRIMARY KEY (position, line)
        )""",
        "CREATE INDEX ledger_account ON ledger (account, position)",
        # The cage gives out every chip there is, and every play chip: it alone may owe.
        """CREATE TABLE balances (
            account TEXT PRIMARY KEY,
            cents BIGINT NOT NULL,
            CHECK (cents >= 0 OR account IN ('cage', 'cage:play'))
        )""",
        # What is worth knowing without reading the whole journal; all of it can be had from there.
        """CREATE TABLE kept (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (kind, name)
        )""",
        # How far the journal goes, and one hash over all of it, in order.
        """CREATE TABLE head (
            one BIGINT PRIMARY KEY,
            position BIGINT NOT NULL,
            whole TEXT NOT NULL
        )""",
        "INSERT INTO head VALUES (1, 0, '')",
        # One for each batch: that somebody with the key wrote what follows one entry up to another.
        """CREATE TABLE signatures (
            position BIGINT PRIMARY KEY,
            after BIGINT NOT NULL,
            key TEXT NOT NULL,
            signature TEXT NOT NULL
        )""",
        # Secrets are kept apart from the journal: a password may be changed and forgotten.
        """CREATE TABLE secrets (
            person TEXT PRIMARY KEY,
            password TEXT NOT NULL,
            changed BIGINT NOT NULL
        )""",
        """CREATE TABLE sessions (
            token TEXT PRIMARY KEY,
            person TEXT NOT NULL,
            ends BIGINT NOT NULL,
            password TEXT NOT NULL
        )""",
        "CREATE INDEX sessions_person ON sessions (person)",
        "CREATE INDEX sessions_ends ON sessions (ends)",
        "CREATE TABLE failures (name TEXT NOT NULL, address TEXT NOT NULL, at BIGINT NOT NULL)",
        "CREATE INDEX failures_name ON failures (name, address, at)",
        "CREATE INDEX failures_at ON failures (at)",
    ),
    (
        # People without an account bring chips of which nobody wrote down that they have them.
        "CREATE TABLE balances_then AS SELECT account, cents FROM balances",
        "DROP TABLE balances",
        """CREATE TABLE balances (
            account TEXT PRIMARY KEY,
            cents BIGINT NOT NULL,
            CHECK (cents >= 0 OR account IN ('cage', 'cage:play', 'outstanding'))
        )""",
        "INSERT INTO balances SELECT account, cents FROM balances_then",
        "DROP TABLE balances_then",
    ),
)
"""A step is never changed once it has been released; a new one is added."""

LATEST = FIRST + len(MIGRATIONS) - 1


def version(cursor: Any) -> int:
    """Return how far a database has come, 0 of an empty one, which says so from now on."""
    cursor.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT)")
    cursor.execute("SELECT COALESCE(MAX(version), 0) FROM schema_version")
    return int(cursor.fetchone()[0])


def migrate(cursor: Any, sql: Callable[[str], str]) -> None:
    """Take every step that was not taken yet."""
    done = version(cursor)
    for number, step in enumerate(MIGRATIONS, start=FIRST):
        if number > done:
            for statement in step:
                cursor.execute(statement)
            cursor.execute(sql("INSERT INTO schema_version VALUES (?)"), (number,))


def refusal(version: int) -> str:
    """Say why this program does not open a database of another schema; nothing, if it does."""
    if version > LATEST:
        return f"this database is of a later Pitboss (schema {version})"
    if 0 < version < FIRST:
        return (
            "this database was written by Pitboss 0.1, whose journal does not say why payments "
            "were made nor by which procedure: keep it, read and audit it with Pitboss 0.1, and "
            "start this one with a new database"
        )
    return ""
