"""Whatever is changed in a row, or which rows there are, is found."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.promises import NOTHING_LOST, SAME_BYTES
from tests.audit.forgery import change, found, rows

# One change in any row --------------------------------------------------------------------------

NUMBERS = {"position", "seq", "at", "line", "cents", "one"}


def sampled() -> Iterator[tuple[str, str, str]]:
    """(table, column, which row) for every column of every kind of row."""
    entries = {
        "a table's": "stream LIKE 'table:%' AND position > 60",
        "one that paid": "body LIKE '%round-paid%'",
        "one that opened": "body LIKE '%table-opened%'",
        "a person's": "stream LIKE 'person:%'",
        "the house's": "stream = 'house'",
        "the last": "position = (SELECT MAX(position) FROM journal)",
    }
    for condition in entries.values():
        for column in ("position", "stream", "seq", "at", "actor", "key", "body", "hash"):
            yield "journal", column, condition
    for condition in ("account LIKE 'chips:%'", "account LIKE 'pool:%'", "account = 'cage'"):
        for column in ("position", "line", "account", "cents"):
            yield "ledger", column, condition
    for condition in ("account LIKE 'bank:%'", "account = 'cage:play'", "cents = 0"):
        for column in ("account", "cents"):
            yield "balances", column, condition
    for kind in ("rulebook", "table", "meter", "round", "person", "setting"):
        for column in ("kind", "name", "value"):
            yield "kept", column, f"kind = '{kind}'"
    for column in ("one", "position", "whole"):
        yield "head", column, "one = 1"


@pytest.mark.parametrize(("table", "column", "condition"), list(sampled()))
def test_one_changed_value_is_found(copy, table, column, condition):
    rowid, value = rows(copy, f"SELECT rowid, {column} FROM {table} WHERE {condition}")[0]
    if column in NUMBERS:
        # Not the next number: another row has that, and the database would refuse it.
        new: Any = value + (1 if column in ("cents", "at", "one") else 1_000)
    else:
        at = len(value) * 2 // 3
        new = value[:at] + chr(ord(value[at]) ^ 64) + value[at + 1 :] if value else "x"
    change(copy, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", new, rowid)
    result = found(copy)
    assert result, f"{value!r} became {new!r}"
    place = " ".join(result.values())
    assert table in place
    if table == "journal" and column not in ("position", "stream"):
        (position,) = rows(copy, "SELECT position FROM journal WHERE rowid = ?", rowid)[0]
        assert f"journal {position} (" in place
    if table == "kept" and column == "value":
        kind, name = rows(copy, "SELECT kind, name FROM kept WHERE rowid = ?", rowid)[0]
        assert f"kept {kind} {name}" in place


def test_every_byte_of_a_setting_a_meter_and_a_posting_counts(copy):
    """All of them, not a sample."""
    changes = [
        ("kept", "value", "kind IN ('setting', 'meter', 'round')"),
        ("balances", "cents", "1 = 1"),
    ]
    for table, column, condition in changes:
        for rowid, value in rows(copy, f"SELECT rowid, {column} FROM {table} WHERE {condition}"):
            other = value + 1 if isinstance(value, int) else chr(ord(value[0]) ^ 1) + value[1:]
            change(copy, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", other, rowid)
            assert found(copy), (table, value)
            change(copy, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", value, rowid)
    assert found(copy) == {}


UNREADABLE = ["", "{", "null", '{"events": 7}', b"\xff\xfe", 12, "\x00", "[" * 5_000, "é"]


@pytest.mark.parametrize("value", UNREADABLE)
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("journal", "body"),
        ("journal", "at"),
        ("journal", "hash"),
        ("journal", "stream"),
        ("ledger", "account"),
        ("ledger", "cents"),
        ("balances", "cents"),
        ("kept", "value"),
        ("head", "position"),
    ],
)
def test_a_value_of_any_kind_is_a_finding_and_no_accident(copy, table, column, value):
    if (table, column, value) == ("journal", "at", 12):
        value = 13.5
    condition = next(where for name, _, where in sampled() if name == table)
    rowid = rows(copy, f"SELECT rowid FROM {table} WHERE {condition}")[0][0]
    change(copy, f"UPDATE {table} SET {column} = ? WHERE rowid = ?", value, rowid)
    assert found(copy)


def test_text_that_is_no_text_is_a_finding(copy):
    change(copy, "UPDATE journal SET body = CAST(x'7bff7d' AS TEXT) WHERE position = 70")
    assert "journal 70 (" in found(copy)[SAME_BYTES]


# Rows taken away, put in, swapped ---------------------------------------------------------------


@pytest.mark.parametrize("table", ["journal", "ledger", "balances", "kept", "head"])
def test_a_row_taken_away_is_found(original, copy, table):
    ids = [each for (each,) in rows(copy, f"SELECT rowid FROM {table}")]
    for rowid in {ids[0], ids[len(ids) // 2], ids[-1]}:
        shutil.copy(original, copy)
        change(copy, f"DELETE FROM {table} WHERE rowid = ?", rowid)
        assert table in " ".join(found(copy).values())


ADDED = {
    "journal": "SELECT position + 1, stream, seq + 1, at, actor, '', body, hash FROM journal"
    " ORDER BY position DESC LIMIT 1",
    "ledger": "SELECT position, line + 1, 'chips:ann', 0 FROM ledger"
    " ORDER BY position DESC, line DESC LIMIT 1",
    "balances": "SELECT 'chips:mallory', 0",
    "kept": "SELECT 'setting', 'timezone', 'UTC'",
    "head": "SELECT 2, position, whole FROM head",
}


@pytest.mark.parametrize("table", sorted(ADDED))
def test_a_row_put_in_is_found(copy, table):
    change(copy, f"INSERT INTO {table} {ADDED[table]}")
    assert table in " ".join(found(copy).values())


def swap(path: Path, table: str, column: str, first: int, second: int) -> None:
    """Swap a column of two rows, by way of a value that nobody has."""
    one, other = (
        rows(path, f"SELECT {column} FROM {table} WHERE rowid = ?", each)[0][0]
        for each in (first, second)
    )
    update = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
    change(path, update, -1 if isinstance(one, int) else "between", first)
    change(path, update, one, second)
    change(path, update, other, first)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("journal", "position"),
        ("journal", "body"),
        ("journal", "hash"),
        ("ledger", "cents"),
        ("ledger", "account"),
        ("balances", "cents"),
        ("kept", "value"),
    ],
)
def test_two_rows_swapped_are_found(original, copy, table, column):
    chance = random.Random(column)
    ids = [each for (each,) in rows(copy, f"SELECT rowid FROM {table}")]
    for _ in range(3):
        shutil.copy(original, copy)
        one, other = chance.sample(ids, 2)
        values = rows(copy, f"SELECT {column} FROM {table} WHERE rowid IN (?, ?)", one, other)
        swap(copy, table, column, one, other)
        assert bool(found(copy)) == (values[0] != values[1])


def test_entries_without_money_that_changed_places_are_found(copy):
    """No stream's own chain is touched: only the hash over all of them tells."""
    quiet = rows(
        copy,
        "SELECT one.rowid, two.rowid FROM journal one JOIN journal two"
        " ON two.position = one.position + 1 AND two.stream <> one.stream"
        " WHERE one.position NOT IN (SELECT position FROM ledger)"
        " AND two.position NOT IN (SELECT position FROM ledger) AND one.stream LIKE 'person:%'",
    )
    swap(copy, "journal", "position", *quiet[-1])
    assert found(copy)[NOTHING_LOST].startswith("head")
