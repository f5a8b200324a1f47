"""Promises lean on the database's own rules: without them no server opens, and audits say so."""

import contextlib
import sqlite3

import psycopg
import pytest

from pitboss.audit.audit import audit
from pitboss.audit.promises import CONSERVED, ONCE
from pitboss.audit.snapshot import Snapshot
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from tests.audit.forgery import broken
from tests.command import complaint

BALANCES = "CREATE TABLE balances (account TEXT PRIMARY KEY, cents BIGINT NOT NULL"
OWES = "CHECK (cents >= 0 OR account IN ('cage', 'cage:play', 'outstanding', 'chips:eve'))"
TRIGGER = """CREATE TRIGGER planted AFTER INSERT ON ledger BEGIN
    UPDATE balances SET cents = cents + 1 WHERE account = 'chips:eve'; END"""
FUNCTION_TRIGGER = """CREATE TRIGGER planted BEFORE UPDATE ON balances FOR EACH ROW
    EXECUTE FUNCTION suppress_redundant_updates_trigger()"""
SOME_KEYS = """DROP INDEX journal_key;
    CREATE UNIQUE INDEX journal_key ON journal (stream, actor, key)
    WHERE key <> '' AND actor <> 'cay'"""

ANYWHERE: dict[str, tuple[int, str, str]] = {
    "a key can be used again": (ONCE, "index journal_key is missing", "DROP INDEX journal_key"),
    "another index for it": (
        ONCE,
        "index journal_key is ",
        "DROP INDEX journal_key; CREATE INDEX journal_key ON journal (stream, actor, key)",
    ),
    "an index for some keys only": (
        ONCE,
        "index journal_key is ",
        SOME_KEYS,
    ),
    "one index too many": (
        CONSERVED,
        "index planted is none of ours",
        "CREATE UNIQUE INDEX planted ON ledger (account)",
    ),
    "accounts can be overdrawn": (CONSERVED, "balances", f"DROP TABLE balances; {BALANCES})"),
    "one more account may owe": (
        CONSERVED,
        "balances",
        f"DROP TABLE balances; {BALANCES}, {OWES})",
    ),
    "a table is a view": (
        CONSERVED,
        "balances",
        "DROP TABLE balances; CREATE VIEW balances AS SELECT 'x' AS account, 1 AS cents",
    ),
    "a column more": (ONCE, "journal", "ALTER TABLE journal ADD COLUMN note TEXT"),
}
SQLITE = {
    "a trigger": (
        CONSERVED,
        "trigger planted is none of ours",
        TRIGGER,
    ),
}
POSTGRES = {
    "a trigger": (
        CONSERVED,
        "trigger planted is none of ours",
        FUNCTION_TRIGGER,
    ),
    "a check that is gone": (
        CONSERVED,
        "constraint balances_check is missing",
        "ALTER TABLE balances DROP CONSTRAINT balances_check",
    ),
    "numbers can be used again": (
        ONCE,
        "constraint journal_stream_seq_key is missing",
        "ALTER TABLE journal DROP CONSTRAINT journal_stream_seq_key",
    ),
    "nothing at all is something": (
        CONSERVED,
        "column cents is 'bigint', not 'bigint not null'",
        "ALTER TABLE ledger ALTER COLUMN cents DROP NOT NULL",
    ),
    "a table that forgets": (
        CONSERVED,
        "table is 'r unlogged', not 'r'",
        "ALTER TABLE ledger SET UNLOGGED",
    ),
    "a rule that swallows": (
        CONSERVED,
        "rule planted is none of ours",
        "CREATE RULE planted AS ON UPDATE TO balances DO INSTEAD NOTHING",
    ),
    "rows of another table": (
        ONCE,
        "table is 'r with relatives', not 'r'",
        "CREATE TABLE more () INHERITS (journal)",
    ),
    "an index that is not written": (
        ONCE,
        "index journal_key is ",
        "UPDATE pg_index SET indisready = false WHERE indexrelid = 'journal_key'::regclass",
    ),
    "an index that is on its way out": (
        ONCE,
        "index journal_key is ",
        "UPDATE pg_index SET indislive = false WHERE indexrelid = 'journal_key'::regclass",
    ),
    "another order of texts": (
        ONCE,
        "column key is 'text collate C not null', not 'text not null'",
        'ALTER TABLE journal ALTER COLUMN key TYPE text COLLATE "C"',
    ),
    "numbers that come by themselves": (
        ONCE,
        "column position is 'bigint not null identity', not 'bigint not null'",
        "ALTER TABLE journal ALTER COLUMN position ADD GENERATED ALWAYS AS IDENTITY",
    ),
    "rows that are hidden": (
        CONSERVED,
        "table is 'r with policies', not 'r'",
        "ALTER TABLE ledger ENABLE ROW LEVEL SECURITY",
    ),
}


def tamper(where: str, statements: str) -> None:
    if where.startswith("postgres"):
        with psycopg.connect(where, autocommit=True) as server:
            server.execute(statements.encode())
        return
    with contextlib.closing(sqlite3.connect(where)) as file:
        file.executescript(statements)


def made(where: str) -> str:
    Store(where).close()
    return where


def found(where: str) -> dict[int, str]:
    with Snapshot(where) as snapshot:
        return broken(audit(snapshot))


def refused(where: str, what: str) -> None:
    with pytest.raises(Unavailable, match="its own rules are not those that Pitboss made") as told:
        Store(where)
    assert what in str(told.value)
    assert what in complaint("serve", "--db", where, "--port", "0")


@pytest.mark.parametrize("which", ANYWHERE)
def test_m9_no_server_opens_where_a_rule_is_another_and_the_audit_says_so(
    where: str, which: str
) -> None:
    promise, what, statements = ANYWHERE[which]
    tamper(made(where), statements)
    refused(where, what)
    assert what in found(where)[promise]


@pytest.mark.parametrize("which", SQLITE)
def test_m9_rules_of_sqlite(tmp_path, which: str) -> None:
    promise, what, statements = SQLITE[which]
    where = made(str(tmp_path / "house.db"))
    tamper(where, statements)
    refused(where, what)
    assert what in found(where)[promise]


@pytest.mark.parametrize("which", POSTGRES)
def test_m9_rules_of_postgresql(postgres: str, which: str) -> None:
    promise, what, statements = POSTGRES[which]
    tamper(made(postgres), statements)
    refused(postgres, what)
    assert what in found(postgres)[promise]


def test_m9_a_rule_that_was_put_back_is_as_good_as_ever(where: str) -> None:
    tamper(made(where), "DROP INDEX journal_key")
    refused(where, "index journal_key is missing")
    index = "CREATE UNIQUE INDEX journal_key ON journal (stream, actor, key) WHERE key <> ''"
    tamper(where, index)
    assert found(made(where)) == {}


def test_m9_what_is_not_ours_is_nobodys_business(where: str) -> None:
    """Figures for the query planner, a table beside ours and its rules change no promise."""
    statements = (
        "ANALYZE; CREATE TABLE notes (day TEXT UNIQUE); CREATE INDEX notes_day ON notes (day)"
    )
    tamper(made(where), statements)
    assert found(made(where)) == {}


def test_m9_an_auditor_who_may_make_nothing_is_told_what_was_not_checked(postgres: str) -> None:
    made(postgres)
    tamper(
        postgres,
        "CREATE ROLE looker LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker;"
        " DO $$ BEGIN EXECUTE 'REVOKE TEMP ON DATABASE ' || current_database() || ' FROM PUBLIC';"
        " END $$",
    )
    with Snapshot(postgres.replace("//postgres", "//looker")) as snapshot:
        [_, unchecked] = audit(snapshot).unchecked
    assert unchecked.startswith("the database's own rules: permission denied")
