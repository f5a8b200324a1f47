"""No room on the disk: commands are told so, nothing is half done, and with room all goes on."""

import asyncio
import random
import resource
from pathlib import Path
from typing import Any

import pytest

from pitboss.house.storage.databases import Sqlite
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from pitboss.web.client import Client, Unreachable
from tests.faults.game import (
    ANN,
    BOB,
    ONE,
    ask,
    house_on,
    one_more_round,
    script,
    sound,
    written,
)
from tests.faults.servers import Player, Server, nothing_lost, sit_down

STEPS = [step for group in script() for step in group]
SEED = 4


class Small(Sqlite):
    """A file that may not grow."""

    full = False

    def connect(self, patience: float | None = None) -> Any:
        found = super().connect(patience)
        if self.full:
            # As many pages as there are: the least that SQLite lets anybody ask for.
            found.execute("PRAGMA max_page_count = 1")
        return found


def test_a_file_that_may_not_grow(quick_path: Path) -> None:
    """At every step of a game the file is full once; with room the same command is done."""
    where = str(quick_path / "house.db")
    small = Small(where)
    refused = 0

    async def work() -> None:
        nonlocal refused
        for number, step in enumerate(STEPS):
            store = Store(where, database=small)
            async with house_on(store) as house:
                small.full = True
                before = len(written(where))
                try:
                    for more in range(40):  # free room on the last page is used up first
                        await ask(house, step)
                        await house.sessions.begin(f"{ANN}-{number}-{more}")
                        if more:
                            await ask(house, step)
                except Unavailable as error:
                    refused += "full" in str(error)
                assert len(written(where)) in (before, before + 1)
                small.full = False
                await ask(house, step)
                assert len(written(where)) == before + 1
        async with house_on(Store(where, database=small)) as house:
            await one_more_round(house, ONE, {1: ANN, 2: BOB})

    asyncio.run(work())
    assert refused > len(STEPS) // 2
    assert len(written(where)) == len(STEPS) + 4
    sound(where)


def test_a_real_disk_that_is_full_for_a_while(tmp_path: Path) -> None:
    """No file of the server's may grow: its commands get 503, and those who repeat them go on."""
    where = str(tmp_path / "house.db")
    players = [Player([""], seat, random.Random(f"{SEED}/{seat}")) for seat in (1, 2)]

    async def work(server: Server) -> None:
        for player in players:
            player.urls = [server.url]
        table = await sit_down(players)
        await asyncio.gather(*(player.play(table, 2) for player in players))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        try:
            before = len(written(where))
            async with Client(server.url, players[0].token, patience=0) as client:
                with pytest.raises(Unreachable, match="cannot write"):
                    await client.do(table, {"action": "sit-out"}, key="never")
                with pytest.raises(Unreachable, match="cannot write"):
                    await client.enter()
                assert (await client.view(table))["round"] == 3  # looking goes on
            playing = asyncio.gather(*(player.play(table, 5) for player in players))
            await asyncio.sleep(1)
            assert len(written(where)) == before
        finally:
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        await playing
        nothing_lost(where, table, players)

    with Server(where, tmp_path) as server:
        asyncio.run(work(server))
        assert server.stop() == 0, server.errors
        assert server.errors == ""
    sound(where)
    assert not any(entry.key == "never" for entry in written(where))
