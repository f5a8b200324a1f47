"""A database that is put back under a running server is noticed: H6."""

import asyncio
import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house.high_water import open_mark
from pitboss.house.house import House
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.signing import Head
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from tests.attacks.restored import at_work, put_back
from tests.house.clocked_house import seed
from tests.web.open_house import SOURCE, Caller, process


@pytest.mark.parametrize("forgotten", [True, False])
def test_h6_a_running_server_writes_nothing_to_a_database_that_was_put_back(
    tmp_path: Path, forgotten: bool
) -> None:
    """As after a failover to a replica that lost its last entries: what was seen is not dealt."""
    where, copy, gone = str(tmp_path / "house.db"), tmp_path / "copy.db", threading.Event()

    async def evening() -> None:
        house = House(Store(where))
        house.store.put_back = gone.set
        await house.start()
        name = await at_work(house, betting=False)
        with (
            contextlib.closing(sqlite3.connect(where)) as source,
            contextlib.closing(sqlite3.connect(copy)) as kept,
        ):
            source.backup(kept)
        early = (await house.table(name)).table
        await house.command(name, "ann", a.Raise(1, 1), "raise", early.moment)
        seen = (await house.table(name)).table.round.piles
        assert seen
        put_back(where, copy)
        if forgotten:  # as when a connection is lost
            house.live.forget(name)
        table = (await house.table(name)).table
        with pytest.raises(Unavailable, match="was put back"):
            await house.command(name, "ann", a.Raise(1, 3), "again", table.moment)
        assert gone.is_set()
        await house.stop()

    asyncio.run(evening())
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
    assert (found.broken, found.called_off) == ("", 0), "it is what the copy was, and no more"


def test_h6_who_only_listens_notices_as_well(tmp_path: Path) -> None:
    where, copy, gone = str(tmp_path / "house.db"), tmp_path / "copy.db", threading.Event()

    async def evening() -> None:
        house = House(Store(where))
        await house.start()
        await at_work(house, betting=True)
        other = House(Store(where))
        other.store.put_back = gone.set
        with (
            contextlib.closing(sqlite3.connect(where)) as source,
            contextlib.closing(sqlite3.connect(copy)) as kept,
        ):
            source.backup(kept)
        await seed(house, "cat", ("player",), 1_00)
        await other.start()
        await house.stop()
        put_back(where, copy)
        late = House(Store(where))  # goes on where the copy ends
        await late.start()
        await seed(late, "dan", ("player",), 1_00)
        await late.stop()
        assert await asyncio.to_thread(gone.wait, 10)
        await other.stop()

    asyncio.run(evening())


def test_h6_a_server_knows_what_it_wrote_before_it_has_heard_of_what_others_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server wrote in between, and the database goes down before that is read: what was
    answered is in the mark, and nothing is written to a copy without it, nor heard of one."""
    where, copy, gone = str(tmp_path / "house.db"), tmp_path / "copy.db", threading.Event()

    async def evening() -> None:
        house, other = House(Store(where)), House(Store(where))
        house.store.put_back = gone.set
        await house.start()
        await other.start()
        name = await at_work(house, betting=False)
        mark = open_mark(tmp_path / "marks", house.store)
        assert mark is not None
        house.subscriber.seen = mark.note
        while other.position < house.store.position():
            await asyncio.sleep(0.01)
        put_back(str(copy), Path(where))
        with monkeypatch.context() as down:
            down.setattr(house.store, "news", _down)
            await seed(other, "cat", ("player",), 1_00)
            early = (await house.table(name)).table
            done = await house.command(name, "ann", a.Raise(1, 1), "raise", early.moment)
            assert done.entry.position > house.position + 1
            (seen,) = (tmp_path / "marks").glob("*.seen")
            line = f"seen up to entry {done.entry.position:18}: {done.entry.hash}\n"
            assert seen.read_text() == line
            await other.stop()
            put_back(where, copy)
            later = open_mark(tmp_path / "marks", house.store)
            assert later is not None
            assert later.restored(house.store), "whoever starts next notices"
            later.close()
            house.live.forget(name)
            table = (await house.table(name)).table
            with pytest.raises(Unavailable, match="was put back"):
                await house.command(name, "ann", a.Raise(1, 3), "again", table.moment)
            assert gone.is_set()
            gone.clear()
        with pytest.raises(Unavailable, match="was put back"):
            house.store.news(house.store.known)
        assert gone.is_set()
        await house.stop()
        mark.close()

    asyncio.run(evening())
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
    assert (found.broken, found.called_off) == ("", 0), "it is what the copy was, and no more"


def _down(_known: Head) -> list[Entry]:
    raise Unavailable("the database is down")


def test_h6_two_servers_that_write_at_once_answer_nobody_before_the_mark_has_it(
    where: str, tmp_path: Path
) -> None:
    async def evening() -> None:
        houses = [House(Store(where)) for _ in range(2)]
        for house in houses:
            await house.start()
        name = await at_work(houses[0], betting=True)
        opens = c.OpenTable((await houses[0].table(name)).book.id, practice=True)
        tables = [name, (await houses[0].open_table("bob", opens, "open"))[0]]
        await houses[0].command(tables[1], "bob", c.Sit(1), "sit")
        marks = [open_mark(tmp_path / "marks", house.store) for house in houses]
        for house, mark in zip(houses, marks, strict=True):
            assert mark is not None
            house.subscriber.seen = mark.note
        late: list[int] = []

        async def play(house: House, who: str, table: str) -> None:
            for number in range(60):
                command = c.SitIn() if number % 2 else c.SitOut()
                position = (await house.command(table, who, command, f"k{number}")).entry.position
                (seen,) = (tmp_path / "marks").glob("*.seen")
                if int(seen.read_text().split()[4].removesuffix(":")) < position:
                    late.append(position)

        await asyncio.gather(*map(play, houses, ("ann", "bob"), tables))
        for house in houses:
            await house.stop()
        for mark in marks:
            assert mark is not None
            mark.close()
        assert not late

    asyncio.run(evening())


def test_h6_a_server_under_which_it_was_put_back_stops_and_starts_as_a_restored_one(
    tmp_path: Path,
) -> None:
    where, copy = str(tmp_path / "house.db"), tmp_path / "copy.db"
    command = [sys.executable, "-m", "pitboss", "serve", "--db", where, "--port", "0"]
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert running.stdout is not None
        guest = Caller(running.stdout.readline().split()[-1])
        guest.enter()
        table = guest.open(betting_seconds=600, decision_seconds=600)
        guest.do(table, "sit", seat=1)
        with (
            contextlib.closing(sqlite3.connect(where)) as source,
            contextlib.closing(sqlite3.connect(copy)) as kept,
        ):
            source.backup(kept)
        guest.do(table, "bet", seat=1, wagers={"ante": 5_00})
        put_back(where, copy)
        assert guest.do(table, "fold", moment="1.2", seat=1).status == 503
        assert running.wait(20) == 2
        _, said = running.communicate()
    finally:
        running.kill()
    assert "put back to an earlier state under this server" in said
    assert "Traceback" not in said
    with process(tmp_path, "--new-secret") as again:
        assert again.said.startswith("The database was put back: ")
