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
from pitboss.house.house import House
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
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
