"""The audit: a house that was played holds, and whatever is changed in it is found."""

import asyncio
import contextlib
import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.audit.audit import Audit, audit, audit_round
from pitboss.audit.promises import (
    CONSERVED,
    NOTHING_LOST,
    ONCE,
    ROLES,
    SAME_BYTES,
    SEALED,
    SETTLED,
)
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import PitbossError, Refused
from pitboss.house.people.persons import Barred, Identified, PersonAdded
from pitboss.house.storage.journal import START, Entry, joined, linked
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from tests.command import complaint, run
from tests.house.evening import Evening, play, play_a_little


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small house with rows of every kind: it is audited some two hundred times."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    asyncio.run(play_a_little(str(path)))
    return in_one_file(path)


def in_one_file(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path


@pytest.fixture
def copy(original: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    found = tmp_path / "copy.db"
    shutil.copy(original, found)
    return found


def found(path: Path | str) -> dict[int, str]:
    """What an audit finds broken: promise to place."""
    with Snapshot(str(path)) as moment:
        return broken(audit(moment))


def broken(result: Audit) -> dict[int, str]:
    return {each.promise: each.broken for each in result.promises if each.broken}


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


# A house that holds -----------------------------------------------------------------------------


def test_a_played_house_holds(where):
    asyncio.run(play(where))
    with Snapshot(where) as moment:
        result = audit(moment)
        assert broken(result) == {}
        assert all(each.count for each in result.promises), result
        assert [(1, result.entries, result.hash)] == list(moment.rows("SELECT * FROM head"))
        names = [name for (name,) in moment.rows("SELECT name FROM kept WHERE kind = 'round'")]
        assert len(names) > 20
        for name in names[::5]:
            one = audit_round(moment, name)
            assert one.told.name == name
            assert (one.broken, one.told.difference) == ("", "")


def test_an_empty_house_holds(tmp_path):
    path = tmp_path / "empty.db"
    Store(str(path)).close()
    assert found(path) == {}


def test_an_audit_sees_one_moment_of_a_house_that_goes_on(where):
    async def going_on() -> None:
        played = Evening(where)
        await played.house.start()
        await played.everybody()
        with Snapshot(where) as moment:
            before = next(moment.rows("SELECT position FROM head"))[0]
            await played.practice()
            seen: list[int] = []
            assert broken(audit(moment, seen.append)) == {}
            assert seen == list(range(1, before + 1))
        await played.house.stop()

    asyncio.run(going_on())
    assert found(where) == {}


def test_whoever_approved_and_then_deals_has_not_approved(tmp_path):
    """Nobody approves what they dealt, in whichever order they do it."""

    async def settling() -> None:
        played = Evening(str(tmp_path / "house.db"))
        await played.house.start()
        await played.everybody()
        both: tuple[Any, ...] = ("dealer", "floor-supervisor")
        await played.house.record("admin", "max", "add-max", PersonAdded("max", both))
        name = await played.to_be_approved()
        for seat in (await played.house.table(name)).table.announced:
            await played.do(name, "dan", c.ApprovePayoff(seat, "dealer"))
            await played.do(name, "max", c.ApprovePayoff(seat, "floor-supervisor"))
            await played.do(name, "sue", c.ApprovePayoff(seat, "surveillance"))
        for who in ("max", "dan"):
            await played.do(name, who, c.StartDealing())
        with pytest.raises(Refused, match="floor-supervisor"):
            await played.do(name, "dan", a.Pay())
        await played.approve(name)
        await played.do(name, "dan", a.Pay())
        await played.house.stop()

    asyncio.run(settling())
    assert found(tmp_path / "house.db") == {}


@pytest.mark.parametrize("freed", [False, True], ids=["stays", "leaves with the round"])
def test_a_table_that_does_not_know_who_is_barred_is_found(tmp_path, monkeypatch, freed):
    """R51: who is barred does not win, whoever enters what they do."""

    async def playing() -> None:
        played = Evening(str(tmp_path / "house.db"))
        await played.house.start()
        await played.everybody()
        name = await played.open("sam", "diamond-jo-worth/cajun-stud", decision_seconds=600)
        await played.do(name, "ann", c.Sit(1))
        await played.do(name, "ann", a.Bet(1, {"ante": 500}))
        if freed:
            await played.do(name, "sam", c.FreeSeat(1, "ann", "asleep"))
        await played.house.record("flo", "ann", "bar", Barred(True, "counts aloud"))
        played.now += 60_000
        known = played.house.live._context

        async def nobody(table: Any, entry: int) -> Any:
            return replace(await known(table, entry), players={})

        monkeypatch.setattr(played.house.live, "_context", nobody)
        await played.do(name, "ann", a.Fold(1, confirmed=True))
        await played.house.stop()

    asyncio.run(playing())
    assert [*found(tmp_path / "house.db")] == [ROLES]


def test_two_processes_and_a_record_that_changes_twice(tmp_path):
    """What another process knew a moment ago is no finding, however often it changed since."""

    async def playing() -> None:
        played = Evening(str(tmp_path / "house.db"))
        await played.house.start()
        await played.everybody()
        name = await played.open("sam", "diamond-jo-worth/cajun-stud")
        await played.do(name, "ann", c.Sit(1))
        before = played.house.people._cache._known["ann"]
        papers = Identified("foreign", True, True, "a passport")
        await played.house.record("cay", "ann", "papers", papers)
        await played.house.record("flo", "ann", "bar", Barred(True, "counts aloud"))
        played.house.people._cache._known["ann"] = before  # as a process that has not heard of it
        await played.do(name, "sam", c.ChangeLimits(1000, 10_000, "busy"))
        await played.house.stop()

    asyncio.run(playing())
    assert found(tmp_path / "house.db") == {}


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


# Forgers who mend the chain ---------------------------------------------------------------------


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


def test_a_payment_that_was_changed_with_all_hashes_mended_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            paid["seats"][0]["paid_cents"] += 100
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert f"journal {position} (" in result[SAME_BYTES]
    assert f"journal {position} (" in result[SETTLED]
    assert "a second settlement says" in result[SETTLED]


def test_a_reason_that_was_changed_with_all_hashes_mended_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            [why, *_] = paid["seats"][0]["lines"][0]["reasons"]
            why["clause"] = "Z.9"
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert set(result) == {SAME_BYTES}
    assert result[SAME_BYTES].startswith(f"journal {position} (")
    assert "does not lead to these events" in result[SAME_BYTES]


@pytest.mark.parametrize("field", ["odds", "nominal_cents", "row"])
def test_a_second_settlement_finds_what_a_line_says_of_a_win(copy, field):
    other = {"odds": "7 to 3", "nominal_cents": 1, "row": "high-card"}

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            for line in (line for seat in paid["seats"] for line in seat["lines"]):
                if line["outcome"] == "win":
                    line[field] = other[field]
                    return with_body(entry, body)
        return None

    position = forge(copy, alter)
    assert f"journal {position} (" in found(copy)[SETTLED]


def test_an_announced_figure_that_was_changed_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for said in events(body, "payoff-announced"):
            said["won_cents"] += 1
            return with_body(entry, body)
        return None

    forge(copy, alter)
    assert "was announced" in found(copy)[ROLES]


def test_an_entry_of_a_procedure_that_is_not_known_is_said_to_be_one(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        if entry.position < 40 or "procedure" not in body:
            return None
        body["procedure"] = 99
        body["events"] = [{"event": "something-new"}]
        return with_body(entry, body)

    position = forge(copy, alter)
    said = found(copy)[SAME_BYTES]
    assert said.startswith(f"journal {position} (")
    assert "procedure 99 decided it, and this Pitboss knows 2" in said


def test_a_deck_that_is_not_the_one_committed_to_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for sealed in events(body, "deck-sealed"):
            sealed["cards"][50:] = reversed(sealed["cards"][50:])  # never dealt, and yet
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert f"journal {position} (" in result[SEALED]
    assert "commitment" in result[SEALED]


def test_a_card_that_did_not_come_from_the_deck_is_found(copy):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for dealt in events(body, "cards-dealt"):
            dealt["cards"].reverse()
            return with_body(entry, body)
        return None

    forge(copy, alter)
    assert "sealed deck" in found(copy)[SEALED]


@pytest.mark.parametrize(
    ("kind", "by"), [("misdeal-called", "ann"), ("payoff-approved", "dan"), ("barred", "ann")]
)
def test_an_act_of_somebody_else_is_found(copy, kind, by):
    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        if events(body, kind) and entry.actor not in (by, "guest-1"):
            for event in events(body, kind):
                event.update({"person": by} if "person" in event else {})
            return msgspec.structs.replace(with_body(entry, body), actor=by)
        return None

    position = forge(copy, alter)
    assert f"journal {position} (" in found(copy)[ROLES]


def test_a_key_that_was_used_twice_is_found(copy):
    # Where the database itself no longer looks after it.
    with changing(copy) as connection:
        connection.execute("DROP INDEX journal_key")
    stream = rows(copy, "SELECT stream FROM journal WHERE key = 'k50'")[0][0]
    with changing(copy) as connection:
        connection.execute(
            "UPDATE journal SET key = 'k50', actor = 'ann' WHERE stream = ?", [stream]
        )
    assert "key k50 of ann" in found(copy)[ONCE]


def test_money_from_nowhere_is_found(copy):
    """Balanced, with its balances mended, and yet the journal knows nothing of it."""
    change(copy, "INSERT INTO ledger VALUES (3, 90, 'chips:ann', 500)")
    change(copy, "INSERT INTO ledger VALUES (3, 91, 'cage', -500)")
    change(copy, "UPDATE balances SET cents = cents + 500 WHERE account = 'chips:ann'")
    change(copy, "UPDATE balances SET cents = cents - 500 WHERE account = 'cage'")
    assert found(copy)[CONSERVED].startswith("ledger 3")


# A file that is not whole -----------------------------------------------------------------------


def test_any_byte_of_the_file_may_be_changed_and_nothing_falls_over(tmp_path):
    original, copy = tmp_path / "house.db", tmp_path / "copy.db"
    asyncio.run(play(str(original)))
    size = in_one_file(original).stat().st_size
    chance = random.Random(5)
    codes = []
    for _ in range(40):
        whole = bytearray(original.read_bytes())
        whole[chance.randrange(size)] ^= 1 << chance.randrange(8)
        copy.write_bytes(whole)
        ran = run("audit", "--db", str(copy))
        assert "Traceback" not in ran.err
        codes.append(ran.code)
    assert set(codes) <= {0, 1, 2}
    assert codes.count(1) > 20  # what is left lies where nothing is written


def test_half_a_file_is_a_finding(original, copy):
    copy.write_bytes(original.read_bytes()[: original.stat().st_size // 8192 * 4096])
    assert run("audit", "--db", str(copy)).code in (1, 2)


# The command ------------------------------------------------------------------------------------


def test_the_command_says_one_line_for_each_promise(original):
    ran = run("audit", "--db", str(original))
    assert ran.code == 0, ran
    *lines, last = ran.out.splitlines()
    assert [line[0] for line in lines] == list("12345678")
    assert all(line.endswith("holds") for line in lines)
    assert last.split()[-1] == rows(original, "SELECT whole FROM head")[0][0]
    told = run("audit", "--db", f"sqlite:///{original}", "--json").json
    assert told["holds"] is True
    assert [each["promise"] for each in told["promises"]] == list(range(1, 9))
    assert [(told["entries"], told["hash"])] == rows(original, "SELECT position, whole FROM head")


def test_the_command_fails_and_names_the_place(copy):
    change(copy, "UPDATE kept SET value = '04:00' WHERE name = 'gaming-day-starts'")
    ran = run("audit", "--db", str(copy))
    assert ran.code == 1
    assert "BROKEN kept setting gaming-day-starts" in ran.out
    told = json.loads(run("audit", "--db", str(copy), "--json").out)
    assert told["holds"] is False
    assert told["broken"].startswith("kept setting gaming-day-starts")


def test_one_round_by_its_name(original, copy):
    names = [n for (n,) in rows(original, "SELECT name FROM kept WHERE kind = 'round'")]
    for name in names[::6]:
        ran = run("audit", "--db", str(original), "--round", name)
        assert ran.code == 0, ran
        assert ran.out.startswith(f"round {name}: ")
        assert "second settlement: the same" in ran.out
        assert run("audit", "--db", str(original), "--round", name, "--json").json["holds"]

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for paid in events(body, "round-paid"):
            paid["seats"][0]["lines"][0]["won_cents"] += 1
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    stream, seq = rows(copy, "SELECT stream, seq FROM journal WHERE position = ?", position)[0]
    spans = rows(copy, "SELECT name, value FROM kept WHERE kind = 'round'")
    table = stream.removeprefix("table:")
    (name,) = [n for n, v in spans if n.startswith(table) and v.endswith(f" {seq}")]
    ran = run("audit", "--db", str(copy), "--round", name)
    assert ran.code == 1
    assert "a second settlement says" in ran.out
    assert run("audit", "--db", str(copy), "--round", name, "--json").code == 1


def test_what_cannot_be_audited_is_said_in_one_line(original, tmp_path):
    assert "no database at" in complaint("audit", "--db", str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()
    other = tmp_path / "other.db"
    other.write_text("this is no database, and it is long enough to be read as a header " * 3)
    assert complaint("audit", "--db", str(other))
    sqlite3.connect(tmp_path / "bare.db").execute("CREATE TABLE a (b)").connection.close()
    assert "no house's database" in complaint("audit", "--db", str(tmp_path / "bare.db"))
    assert "no finished round" in complaint("audit", "--db", str(original), "--round", "x-1")
    assert complaint("audit", "--db", "postgresql://127.0.0.1:1/none?connect_timeout=2")


def test_an_audit_writes_nothing(original, tmp_path):
    folder = tmp_path / "only"
    folder.mkdir()
    path = folder / "house.db"
    shutil.copy(original, path)
    before = path.read_bytes()
    assert found(path) == {}
    assert path.read_bytes() == before
    with Snapshot(str(path)) as moment, pytest.raises(moment.failed):
        list(moment.rows("UPDATE head SET position = 0 RETURNING position"))


def test_a_later_schema_is_not_guessed_at(copy):
    change(copy, "UPDATE schema_version SET version = 99")
    with pytest.raises(PitbossError, match="schema 99"):
        Snapshot(str(copy))
