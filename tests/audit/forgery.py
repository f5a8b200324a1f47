"""Change a house's database behind its back, and ask an audit what it finds."""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from pitboss.audit.audit import Audit, audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house.storage.journal import START, Entry, joined, linked


def in_one_file(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


def found(path: Path | str) -> dict[int, str]:
    """What an audit finds broken: promise to its first place."""
    with Snapshot(str(path)) as snapshot:
        return broken(audit(snapshot))


def broken(result: Audit) -> dict[int, str]:
    return {each.promise: each.broken[0] for each in result.promises if each.broken}


@contextlib.contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open it to change what the database itself would not let pass."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    with connection:
        yield connection
    connection.close()


def change(path: Path, sql: str, *values: Any) -> None:
    """Change one row."""
    with changing(path) as connection:
        assert connection.execute(sql, values).rowcount == 1, sql


def rows(path: Path, sql: str, *values: Any) -> list[Any]:
    connection = sqlite3.connect(path)
    result = connection.execute(sql, values).fetchall()
    connection.close()
    return result


def forge(path: Path, alter: Callable[[Entry, dict[str, Any]], Entry | None]) -> int:
    """Change the first entry that ``alter`` changes, and mend every hash; its position."""
    names = "stream, seq, at, actor, key, body, hash, position"
    entries = [Entry(*row) for row in rows(path, f"SELECT {names} FROM journal ORDER BY position")]
    links: dict[str, str] = {}
    whole, position = "", 0
    with changing(path) as connection:
        for entry in entries:
            changed = None if position else alter(entry, json.loads(entry.body))
            position = position or (entry.position if changed is not None else 0)
            mended = linked(changed or entry, links.get(entry.stream, START))
            links[entry.stream] = mended.hash
            whole = joined(whole, mended)
            sql = "UPDATE journal SET actor = ?, body = ?, hash = ? WHERE position = ?"
            values = (mended.actor, mended.body, mended.hash, mended.position)
            connection.execute(sql, values)
        connection.execute("UPDATE head SET whole = ?", (whole,))
    assert position, "nothing was changed"
    return position


def with_body(entry: Entry, body: dict[str, Any]) -> Entry:
    written = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return msgspec.structs.replace(entry, body=written)


def events(body: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in body["events"] if event["event"] == kind]
