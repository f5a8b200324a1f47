"""Commands that come to nothing hold nobody up: M10 and L11."""

import asyncio
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.errors import Refused
from pitboss.house import live_tables, practice
from pitboss.house.practice import Practice
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import START, Entry, following
from pitboss.house.storage.projections import read_table
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from tests.attacks.test_fences import Servers, attack, code
from tests.attacks.test_private_tables import anns_table, unheard
from tests.helpers import MISSISSIPPI


def draft(stream: str, taken: dict[str, int], key: str = "", seq: int = 1) -> EntryDraft:
    """Something that takes chips from people and puts them on a layout."""
    before = START if seq == 1 else "1" * 64
    entry = following(stream, seq - 1, before, at=1, actor="x", key=key, body="{}")
    postings = tuple((account, -cents) for account, cents in taken.items())
    return EntryDraft(entry, (*postings, ("layout:t", sum(taken.values()))))


def batch(store: Store, drafts: list[EntryDraft]) -> tuple[list[str], int]:
    """Write them together: what became of each, and how often a batch was tried."""
    tries = 0
    writes = store.database.write

    def counted(cursor: Any, values: dict[str, str]) -> bool:
        nonlocal tries
        tries += 1
        return writes(cursor, values)

    work = [(each, number) for number, each in enumerate(drafts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.database, "write", counted)
        connection, done = store._commit(None, work)
    connection.close()
    found = dict(done)
    assert sorted(found) == list(range(len(drafts)))
    return [_became(found[number]) for number in range(len(drafts))], tries


def _became(result: Any) -> str:
    return result.refusal.code if isinstance(result, Refused) else type(result).__name__


@pytest.fixture
def purses(where: str) -> Iterator[Store]:
    """A store in which a hundred people have 1,000 cents each."""
    store = Store(where)
    for number in range(100):
        entry = following(f"bought:{number}", 0, START, at=1, actor="x", key="", body="{}")
        store.append(EntryDraft(entry, ((f"play:{number}", 1_000), ("cage:play", -1_000)))).result()
    yield store
    store.close()


def test_m10_overdrawn_commands_do_not_take_a_batch_apart(purses: Store) -> None:
    rng = random.Random(10)
    cents = [rng.choice((400, 1_000, 1_001, 5_000)) for _ in range(100)]
    drafts = [draft(f"table:{n}", {f"play:{n}": each}) for n, each in enumerate(cents)]
    said, tries = batch(purses, drafts)
    assert said == ["Entry" if each <= 1_000 else "chips/not-enough" for each in cents]
    assert tries == 2  # and not 150
    for number, each in enumerate(cents):
        left = 1_000 - each if each <= 1_000 else 1_000
        assert purses.balance(f"play:{number}") == left


def test_m10_what_others_take_before_in_the_same_batch_counts(purses: Store) -> None:
    def bets(name: str, person: int, cents: int, **more: Any) -> EntryDraft:
        return draft(f"table:{name}", {f"play:{person}": cents}, **more)

    assert batch(purses, [bets("a", 1, 100, key="used")])[0] == ["Entry"]
    purse = {n: purses.balance(f"play:{n}") for n in range(4)}
    said, _ = batch(
        purses,
        [
            bets("b", 2, 600),
            bets("c", 2, 600),  # 400 are left
            bets("d", 2, 400),
            bets("a", 1, 5_000, key="used", seq=2),  # done before, whatever is left
            bets("a", 3, 700),  # that place is taken, so that nothing is taken from the purse
            bets("e", 3, 700),
            bets("f", 3, 700),
        ],
    )
    assert said == [
        *("Entry", "chips/not-enough", "Entry"),
        *("AlreadyDone", "Conflict"),
        *("Entry", "chips/not-enough"),
    ]
    after = {n: purses.balance(f"play:{n}") for n in range(4)}
    assert {n: purse[n] - after[n] for n in purse} == {0: 0, 1: 0, 2: 1_000, 3: 700}


def test_l11_nobody_waits_while_it_is_read_why_a_command_is_refused(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(servers: Servers) -> None:
        house, table = servers.a, servers.table
        reading, read = threading.Event(), threading.Event()
        by_key = house.store.by_key

        def slowly(*asked: str) -> Entry | None:
            reading.set()
            assert read.wait(20)
            return by_key(*asked)

        monkeypatch.setattr(house.store, "by_key", slowly)
        refused = asyncio.create_task(code(house.command(table, "ann", c.Leave(), "k")))
        try:
            assert await asyncio.to_thread(reading.wait, 20)
            done = house.command(table, "flo", c.MarkPartners((), "none"), "p")
            assert not (await asyncio.wait_for(done, 20)).again
            assert not refused.done()
        finally:
            read.set()
        assert await refused == "seat/none"

    attack(where, story)


def test_l11_a_key_is_looked_up_without_reading_the_stream(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(quick_path / "house.db"))
    plans: list[str] = []
    rows = store._rows

    def planned(sql: str, values: Any) -> list[tuple[Any, ...]]:
        plans.extend(row[3] for row in rows(f"EXPLAIN QUERY PLAN {sql}", values))
        return rows(sql, values)

    monkeypatch.setattr(store, "_rows", planned)
    assert store.by_key("table:t", "ann", "k") is None
    store._why([(draft("table:t", {}, key="k"), None)], Exception())
    looked = [plan for plan in plans if plan.startswith("SEARCH journal")]
    assert [plan.rpartition("(")[2] for plan in looked] == [
        "stream=? AND actor=? AND key=?)",
        "stream=? AND seq=?)",
        "stream=? AND actor=? AND key=?)",
    ]
    store.close()


def test_m10_what_is_refused_at_a_busy_table_is_decided_twice_and_has_nothing_read_anew(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others write whenever it is looked how far the table goes: who is refused is told why."""

    async def story(servers: Servers) -> None:
        house, table, loop = servers.a, servers.table, asyncio.get_running_loop()
        last, looked, read = house.store.last, list[int](), list[str]()

        def busily(stream: str) -> tuple[int, str]:
            marks = house.command(table, "flo", c.MarkPartners((), "none"), servers.key)
            asyncio.run_coroutine_threadsafe(marks, loop).result(20)
            looked.append(last(stream)[0])
            return last(stream)

        def counted(store: Store, name: str) -> Any:
            read.append(name)
            return read_table(store, name)

        monkeypatch.setattr(house.store, "last", busily)
        monkeypatch.setattr(live_tables, "read_table", counted)
        for asked in range(1, 4):
            before = await house.table(table)
            assert await code(house.command(table, "ann", c.Leave(), servers.key)) == "seat/none"
            assert await house.table_if(table, lambda known: bool(known.sitters)) is None
            assert len(looked) == 2 * asked
            assert looked[-2:] == [before.seq + 1, before.seq + 2]
        assert not read
        monkeypatch.undo()

    attack(where, story)


def test_m10_what_we_hear_of_while_we_look_how_far_a_table_goes_is_not_refused(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(servers: Servers) -> None:
        name, last = await anns_table(servers), servers.b.store.last
        async with unheard(servers, name):
            before = await servers.a.table(name)
            await servers.a.enter(await servers.a.invite(name, "guest-0"), "guest-1")
        after = await servers.a.table(name)
        assert before.seq < after.seq

        def heard(stream: str) -> tuple[int, str]:
            servers.b.tables.put(name, after)
            return last(stream)

        monkeypatch.setattr(servers.b.store, "last", heard)
        await servers.b.command(name, "guest-1", c.Sit(1), servers.key)
        monkeypatch.undo()

    attack(where, story, guests=2)


def test_m10_a_table_that_is_read_anew_is_listed_meanwhile(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(servers: Servers) -> None:
        house, name = servers.b, await anns_table(servers)
        async with unheard(servers, name):
            await servers.a.enter(await servers.a.invite(name, "guest-0"), "guest-1")
        reading, go_on = threading.Event(), threading.Event()

        def slowly(store: Store, name: str) -> Any:
            reading.set()
            assert go_on.wait(20)
            return read_table(store, name)

        monkeypatch.setattr(live_tables, "read_table", slowly)
        sits = asyncio.create_task(house.command(name, "guest-1", c.Sit(1), "sit"))
        try:
            assert await asyncio.to_thread(reading.wait, 20)
            assert house.tables.opened_by("guest-0") == {name}
        finally:
            go_on.set()
        assert not (await sits).again
        monkeypatch.undo()

    attack(where, story, guests=2)


def test_m10_a_table_that_is_looked_at_anew_counts_for_its_address(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "MOST_OF_ADDRESS", 1)

    async def story(servers: Servers) -> None:
        given = Practice(servers.a)

        async def one(number: int) -> str:
            opens = c.OpenTable(MISSISSIPPI.id, practice=True)
            done = await given.open_table(f"guest-{number}", opens, "k", "", "192.0.2.1")
            return done.entry.stream.removeprefix("table:")

        name = await one(0)
        for _ in range(2):
            servers.a.live.forget(name)
            assert await code(one(1)) == "table/too-many"
            await servers.a.caught_up(servers.a.position)
        await servers.a.command(name, "guest-0", c.CloseTable("enough"), "close")
        await one(1)

    attack(where, story, guests=2)
