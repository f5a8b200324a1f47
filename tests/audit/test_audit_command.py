"""``pitboss audit``: what it says and answers, even of a file that is not whole."""

import asyncio
import json
import random
import shutil
import sqlite3
from typing import Any

import pytest

from pitboss.audit.snapshot import Snapshot
from pitboss.errors import PitbossError
from pitboss.house.storage.journal import Entry
from tests.audit.forgery import change, events, forge, found, in_one_file, rows, with_body
from tests.command import complaint, run
from tests.house.evening import play

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


# The command ----------------------------------------------------------------------------------


def test_the_command_says_one_line_for_each_promise(original):
    ran = run("audit", "--db", str(original))
    assert ran.code == 0, ran
    *lines, called_off, unchecked, last = ran.out.splitlines()
    assert [line[0] for line in lines] == list("12345678")
    assert all(line.endswith("holds") for line in lines)
    misdeal = '%"event":"misdeal-called"%'
    [(number,)] = rows(original, "SELECT COUNT(*) FROM journal WHERE body LIKE ?", misdeal)
    assert called_off == f"{number} rounds with sealed decks were called off after bets"
    assert unchecked == "not checked: signatures: name the key's file with --signing-key"
    [(entries, whole)] = rows(original, "SELECT position, whole FROM head")
    assert last == f"{entries} entries, anchor {entries}:{whole}"
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
    with Snapshot(str(path)) as snapshot, pytest.raises(snapshot.failed):
        list(snapshot.rows("UPDATE head SET position = 0 RETURNING position"))


def test_a_later_schema_is_not_guessed_at(copy):
    change(copy, "UPDATE schema_version SET version = 99 WHERE version = 3")
    with pytest.raises(PitbossError, match="schema 99"):
        Snapshot(str(copy))
