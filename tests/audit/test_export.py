"""Rounds, ledger, events and forms as files that other programs read."""

import asyncio
import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.export import UNTOLD
from pitboss.audit.snapshot import Snapshot
from pitboss.cli.common import default_db
from pitboss.cli.export import safe
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.rulebook import load
from tests.command import complaint, run
from tests.house.clocked_house import clocked_house
from tests.house.evening import CAJUN, PLAYERS, STAFF, play
from tests.house.papers import PAYEE
from tests.web.open_house import rigged


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
    for each in again:
        assert (each["opened"], each["paid"]) == (paid["opened"], paid["paid"])
        assert each["opened"] < each["paid"] < each["adjusted"]
    assert any(seat["claim_cents"] for each in again for seat in each["difference"])
    for each in again:
        [*_, (by, why)] = [tuple(one.values()) for one in each["corrected"]]
        assert by == {"shift-manager": "sam", "surveillance": "sue"}
        assert why in ("misread", "folded")
    assert [len(each["corrected"]) for each in again] == [2, 3], "the first before it was paid"
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
        assert (each["meter_cents"] is None) == (load(each["rulebook"]).progressive is None)
        for seat in each["seats"]:
            lines = {line["spot"]: line["stake_cents"] for line in seat["lines"]}
            lines.pop("toke", None)
            assert lines == seat["stakes"]
            returned = sum(x["returned_cents"] for x in seat["lines"] if x["spot"] != "toke")
            assert seat["paid_cents"] == returned - seat["held_cents"] - seat["withheld_cents"]


def test_w12_r32__it_is_told_that_a_ceiling_was_used_what_was_won_before_it_and_who_hears_of_it(
    tmp_path: Path,
):
    async def evening() -> None:
        where = str(tmp_path / "house.db")
        async with clocked_house(where, deck=rigged("As Ks Qs Js Ts")) as here:
            staff = {name: await here.person(name, *STAFF[name]) for name in ("sam", "flo", "sue")}
            ann = await here.person("ann", "player")
            await here.open(staff["sam"], CAJUN, minimum_cents=5_00, maximum_cents=100_00)
            await here.do(ann, c.Sit(1))
            await here.do(ann, a.Bet(1, {"ante": 100_00}))
            while here.table.round.phase == "playing":
                await here.do(ann, a.Raise(1, 3))
            for who, role in (("flo", "floor-supervisor"), ("sue", "surveillance")):
                await here.do(staff[who], c.ApprovePayoff(1, role))

    asyncio.run(evening())
    out = tmp_path / "rounds.jsonl"
    assert run("export", "--db", str(tmp_path / "house.db"), "--rounds", str(out)).code == 0
    [told] = json_lines(out)
    assert told["notify"] == ["general-manager", "director-of-table-games"]
    lines = told["seats"][0]["lines"]
    assert [line["nominal_cents"] for line in lines] == [50_000_00] + 3 * [150_000_00]
    assert sum(line["won_cents"] for line in lines) == 25_000_00


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


def test_r57_a_years_forms_are_listed_by_payee_with_totals(house, tmp_path):
    out, again, flat = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.csv"))
    ran = run("export", "--db", str(house), "--forms", str(out), "--year", "2026")
    assert ran.code == 0, ran
    run("export", "--db", str(house), "--forms", str(again))
    assert out.read_bytes() == again.read_bytes(), "all are of this year, and in one order"
    rows = json_lines(out)
    assert {row["form"] for row in rows} == {"W-2G", "1042-S", "5754", "total"}
    assert [row["payee"] for row in rows] == sorted(row["payee"] for row in rows)
    for payee in {row["payee"] for row in rows}:
        *several, total = [row for row in rows if row["payee"] == payee]
        forms = [row for row in several if row["form"] != "5754"]
        assert total["form"] == "total"
        assert total["forms"] == len(forms)
        for name in ("reportable_cents", "withheld_cents"):
            assert total[name] == sum(form[name] for form in forms) > 0
    with Snapshot(str(house)) as snapshot:
        [(posted,)] = snapshot.rows("SELECT cents FROM balances WHERE account = 'tax'")
    assert sum(row["withheld_cents"] for row in rows if row["form"] == "total") == posted
    assert run("export", "--db", str(house), "--forms", str(flat)).code == 0
    assert [row["id"] for row in table(flat)] == [row["id"] for row in rows]
    none = run("export", "--db", str(house), "--forms", str(flat), "--year", "2025")
    assert none.out == f"{flat}: 0 rows of forms\n"
    assert "--forms" in complaint(
        "export", "--db", str(house), "--ledger", "l.csv", "--year", "2026"
    )


def test_the_events_tell_who_did_what_in_which_role_and_when(house, tmp_path):
    out, same, flat = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.csv"))
    ran = run("export", "--db", str(house), "--events", str(out))
    assert ran.code == 0, ran
    run("export", "--db", str(house), "--events", str(same), "--ledger", str(tmp_path / "l.csv"))
    assert out.read_bytes() == same.read_bytes()
    rows = json_lines(out)
    assert ran.out == f"{out}: {len(rows):,} events\n"
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_kind.setdefault(row["event"], []).append(row)
    with Snapshot(str(house)) as snapshot:
        happened = [
            event["event"]
            for (body,) in snapshot.rows("SELECT body FROM journal ORDER BY position")
            for event in json.loads(body)["events"]
        ]
    assert [row["event"] for row in rows] == [x for x in happened if x not in UNTOLD]
    assert [row["position"] for row in rows] == sorted(row["position"] for row in rows)
    # Who, in which role, at which table and in which round.
    approved = by_kind["payoff-approved"][0]
    assert (approved["actor"], approved["role"]) == ("flo", "floor-supervisor")
    assert approved["roles"] == "floor-supervisor"
    assert approved["round"].startswith(f"{approved['table']}-")
    assert {row["round"] for row in by_kind["patron-left"] + by_kind["table-opened"]} >= {""}
    died, called = by_kind["hand-died"][0], by_kind["misdeal-called"][0]
    assert (died["actor"], died["fields"]["cause"], died["seat"]) == ("flo", "information", 2)
    assert (called["actor"], called["role"]) == ("sam", "shift-manager")
    # Both versions of what was put right, who asked and agreed, and why.
    asked, corrected = by_kind["correction-asked"][0], by_kind["round-corrected"][0]
    assert (asked["actor"], corrected["actor"]) == ("dan", "flo")
    assert corrected["fields"]["why"] == "misread"
    assert len(corrected["fields"]["by"]) == 2
    (board,) = corrected["fields"]["facts"]["piles"].values()
    (first, *_) = [
        row["fields"]["cards"]
        for row in by_kind["cards-dealt"]
        if row["round"] == corrected["round"] and row["fields"]["place"] == "board"
    ]
    (again, *_) = [x["cards"] for x in corrected["fields"]["events"] if x.get("place") == "board"]
    assert first != again == board
    adjusted = by_kind["round-adjusted"][0]
    assert adjusted["round"] == f"{adjusted['table']}-{adjusted['fields']['round']}"
    # Cards and their care, patrons, papers and what is kept.
    assert by_kind["card-replaced"][0]["fields"]["why"] == "bent"
    assert by_kind["patron-bought-in"][0]["fields"]["cash_cents"] == 500_00
    assert by_kind["buy-in-voided"][0]["actor"] == "flo"
    assert by_kind["payoff-held"][0]["actor"] == "cay"
    released = by_kind["held-released"][0]
    assert (released["stream"], released["table"], released["actor"]) == ("person:eve", "", "sam")
    # The forms say what papers say; here there is the name alone, and that there is a number.
    assert by_kind["identified"][0]["fields"]["payee"]["name"] == PAYEE.name
    assert by_kind["identified"][0]["fields"]["tin"] is True
    written = out.read_text("utf-8")
    for private in (PAYEE.tin, PAYEE.address, *PAYEE.proofs, '"locked"', '"seed"'):
        assert private not in written
    assert run("export", "--db", str(house), "--events", str(flat)).code == 0
    cells = table(flat)
    assert [json.loads(row["fields"]) for row in cells] == [row["fields"] for row in rows]
    assert all(row["fields"].startswith("{") for row in cells)
