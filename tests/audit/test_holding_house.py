"""A house that was played holds, whoever else writes to it and whatever it went through."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit.audit import audit, audit_round
from pitboss.audit.claim_checks import Claims
from pitboss.audit.promises import ROLES, Findings
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Refused
from pitboss.house.books.papers import RoundClaim
from pitboss.house.people.persons import Barred, ClaimWrittenOff, Identified, PersonAdded
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from tests.audit.forgery import broken, found
from tests.house.evening import CAJUN, PLAYERS, Evening, play


def test_a_played_house_holds(where):
    asyncio.run(play(where))
    with Snapshot(where) as snapshot:
        result = audit(snapshot)
        assert broken(result) == {}
        assert all(each.count for each in result.promises), result
        assert [(1, result.entries, result.hash)] == list(snapshot.rows("SELECT * FROM head"))
        names = [name for (name,) in snapshot.rows("SELECT name FROM kept WHERE kind = 'round'")]
        assert len(names) > 20
        for name in names[::5]:
            one = audit_round(snapshot, name)
            assert one.told.name == name
            assert (one.broken, one.told.difference) == ("", "")


def test_a_round_holds_whatever_left_the_house_of_what_was_won_at_another_table(where):
    async def story() -> None:
        played = Evening(where)
        await played.house.start()
        await played.everybody()
        first = await played.open("sam", CAJUN)
        await played.sit(first, *PLAYERS)
        await played.capped(first)
        other = await played.open("sam", CAJUN)
        await played.sit(other, "ann")
        await played.afterwards()
        await played.round(other, "ann")
        await played.house.stop()

    asyncio.run(story())
    with Snapshot(where) as snapshot:
        assert broken(audit(snapshot)) == {}
        names = [name for (name,) in snapshot.rows("SELECT name FROM kept WHERE kind = 'round'")]
        assert len(names) > 1
        assert {audit_round(snapshot, name).broken for name in names} == {""}


@pytest.mark.parametrize(("table", "said"), [("t", "t-1-1 is not owed by ann"), ("u", "")])
def test_what_is_owed_of_other_tables_is_nothing_to_the_rounds_of_one(table, said):
    findings = Findings()
    owed = RoundClaim(id=f"{table}-1-1", person="ann", since=0, cents=5_00)
    Claims(findings, "t-").closed("ann", ClaimWrittenOff(10_00, "given up", (owed,)))
    assert said in findings.first
    assert findings.first.removeprefix(": ") == said


def test_an_empty_house_holds(tmp_path):
    path = tmp_path / "empty.db"
    Store(str(path)).close()
    assert found(path) == {}


def test_an_audit_sees_one_moment_of_a_house_that_goes_on(where):
    async def going_on() -> None:
        played = Evening(where)
        await played.house.start()
        await played.everybody()
        with Snapshot(where) as snapshot:
            before = next(snapshot.rows("SELECT position FROM head"))[0]
            await played.practice()
            seen: list[int] = []
            assert broken(audit(snapshot, seen.append)) == {}
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
        await played.do(name, "dan", a.Pay())  # of the seat that waits for nobody
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
