"""Rounds and ledger as files that other programs read."""

import asyncio
import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.snapshot import Snapshot
from pitboss.cli.common import default_db
from pitboss.cli.export import safe
from tests.command import complaint, run
from tests.house.evening import PLAYERS, play


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "house.db"
    asyncio.run(play(str(path)))
    return path


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_round_is_there_with_all_that_it_paid(house, tmp_path):
    out = tmp_path / "rounds.jsonl"
    ran = run("export", "--db", str(house), "--rounds", str(out))
    assert ran.code == 0, ran
    rounds = json_lines(out)
    with Snapshot(str(house)) as snapshot:
        kept = {name for (name,) in snapshot.rows("SELECT name FROM kept WHERE kind = 'round'")}
    assert {each["round"] for each in rounds} == kept
    again = [each for each in rounds if each["adjusted"]]
    assert len(again) == 2, "one was put right twice after it was paid"
    assert ran.out == f"{out}: {len(kept) + len(again)} rounds\n"
    first, second = again
    paid = next(each for each in rounds if each["round"] == first["round"])
    assert paid["cards"] != first["cards"] == second["cards"]
    assert any(seat["claim_cents"] for each in again for seat in each["difference"])
    rounds = [each for each in rounds if not each["adjusted"]]
    assert {each["rulebook"] for each in rounds} >= {"seneca-niagara/caribbean-stud"}
    assert {each["practice"] for each in rounds} == {True, False}
    assert any(each["misdeal"] for each in rounds)
    assert any(seat["dead"] for each in rounds for seat in each["seats"])
    first = rounds[0]
    assert first["opened"] < first["paid"]
    assert first["paid"].endswith("Z")
    assert len(first["gaming_day"]) == 10
    assert [seat["person"] for seat in first["seats"]] == list(PLAYERS)
    for each in rounds:
        assert (each["meter_cents"] is None) == ("caribbean" not in each["rulebook"])
        for seat in each["seats"]:
            lines = {line["spot"]: line["stake_cents"] for line in seat["lines"]}
            lines.pop("toke", None)
            assert lines == seat["stakes"]
            returned = sum(x["returned_cents"] for x in seat["lines"] if x["spot"] != "toke")
            assert seat["paid_cents"] == returned - seat["held_cents"] - seat["withheld_cents"]


def test_the_ledger_is_there_line_by_line_and_sums_to_nothing(where, tmp_path):
    asyncio.run(play(where))
    lines, cells = tmp_path / "ledger.jsonl", tmp_path / "ledger.CSV"
    assert run("export", "--db", where, "--ledger", str(lines)).code == 0
    assert run("export", "--db", where, "--ledger", str(cells)).code == 0
    posted = json_lines(lines)
    assert list(posted[0]) == ["position", "time", "stream", "seq", "actor", "account", "cents"]
    assert [each["position"] for each in posted] == sorted(each["position"] for each in posted)
    sums: Counter[str] = Counter()
    for each in posted:
        sums[each["account"]] += each["cents"]
    assert sum(sums.values()) == 0
    assert sums["dealers"] > 0, "tokes were dropped"
    with Snapshot(where) as snapshot:
        assert sums == dict(snapshot.rows("SELECT account, cents FROM balances"))
    assert table(cells) == [{key: str(value) for key, value in each.items()} for each in posted]


def test_a_table_of_rounds_has_one_row_for_each_wager(house, tmp_path):
    lines, cells = tmp_path / "rounds.jsonl", tmp_path / "rounds.csv"
    assert run("export", "--db", str(house), "--rounds", str(lines)).code == 0
    assert run("export", "--db", str(house), "--rounds", str(cells)).code == 0
    wagers = [
        (each["round"], seat["person"], line["spot"], str(line["won_cents"]))
        for each in json_lines(lines)
        for seat in each["seats"]
        for line in seat["lines"]
    ]
    rows = table(cells)
    assert wagers == [(r["round"], r["person"], r["spot"], r["won_cents"]) for r in rows]
    assert all(row["gaming_day"] and row["sha256"] for row in rows)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1"])
def test_no_cell_is_taken_for_a_formula(cell):
    assert safe(cell) == f"'{cell}"


def test_what_cannot_be_written_is_said_in_one_line(house, tmp_path):
    where = ("--db", str(house))
    assert "--rounds FILE" in complaint("export", *where)
    assert ".jsonl" in complaint("export", *where, "--ledger", str(tmp_path / "ledger.xls"))
    same = ("--rounds", str(tmp_path / "a.csv"), "--ledger", str(tmp_path / "." / "a.csv"))
    assert "files of their own" in complaint("export", *where, *same)
    assert "cannot write" in complaint("export", *where, "--ledger", str(tmp_path / "no" / "a.csv"))
    missing = str(tmp_path / "none.db")
    assert "no database" in complaint("export", "--db", missing, "--ledger", "a.csv")


def test_where_a_house_is_when_nobody_says(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("PITBOSS_DB", raising=False)
    monkeypatch.delenv("PITBOSS_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Path(default_db()) == tmp_path / "pitboss" / "pitboss.db"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Path(default_db()) == tmp_path / ".local" / "share" / "pitboss" / "pitboss.db"
    assert "no database" in complaint("audit")
    monkeypatch.setenv("PITBOSS_DB", str(tmp_path / "other.db"))
    assert "other.db" in complaint("audit")
