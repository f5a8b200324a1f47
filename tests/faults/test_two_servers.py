"""Two servers on one PostgreSQL serve the same tables; one is killed, and the other goes on."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from pitboss.house.house import House
from pitboss.house.storage.store import Store
from pitboss.web.client import Client, Unreachable
from tests.faults.game import (
    ANN,
    BOB,
    NOON,
    ONE,
    ask,
    house_on,
    script,
    sound,
    written,
)
from tests.faults.servers import Player, Server, nothing_lost, sit_down

SEED = 11


class Watcher:
    """Somebody who hears everything of a table from one server, and from the other after that."""

    def __init__(self, urls: list[str], token: str) -> None:
        self.urls, self.token = urls, token
        self.heard: list[tuple[int, int]] = []
        """Number and position of each entry."""
        self.moved = 0

    async def watch(self, table: str) -> None:
        while True:
            after = self.heard[-1][0] if self.heard else 0
            client = Client(self.urls[0], self.token)
            with suppress(Unreachable, OSError):
                async for number, notice in client.events(f"/api/tables/{table}/events", after):
                    assert number == notice["seq"]
                    self.heard.append((number, notice["position"]))
            self.urls.reverse()
            self.moved += 1
            await asyncio.sleep(0.05)


@contextmanager
def both(where: str, folder: Path) -> Iterator[tuple[Server, Server]]:
    """Start two servers at the same moment on a database that is still empty."""
    with ThreadPoolExecutor(2) as threads, ExitStack() as open_now:
        started = [threads.submit(Server, where, folder) for _ in range(2)]
        wait(started)
        servers = [each.result() for each in started if each.exception() is None]
        one, *others = [open_now.enter_context(each) for each in servers]
        assert others, next(each.exception() for each in started if each.exception())
        yield one, others[0]


async def until(true: Callable[[], bool], seconds: float = 15) -> None:
    for _ in range(int(seconds / 0.05)):
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"it did not happen in {seconds} seconds")


def test_one_of_two_servers_is_killed(postgres: str, tmp_path: Path) -> None:
    chance = random.Random(SEED)

    async def work(one: Server, two: Server) -> None:
        urls = [one.url, two.url]
        players = [Player(urls, n, random.Random(f"{SEED}/{n}")) for n in range(1, 5)]
        table = await sit_down(players)
        watchers = [
            Watcher(urls[:], players[0].token),
            Watcher(urls[::-1], players[1].token),
        ]
        # Another table, opened where the killed server is, with a short clock and one player.
        alone = Player([two.url], 1, random.Random(f"{SEED}/alone"))
        short = await sit_down([alone], decision_seconds=1)
        watching = [asyncio.create_task(each.watch(table)) for each in watchers]
        playing = asyncio.gather(*(player.play(table, 8) for player in players))
        while (await players[0].view(table))["round"] < 3:
            await asyncio.sleep(0.01)
        view = await alone.view(short)
        assert await alone.do(short, alone.wants(view) or {}, view["moment"])
        await asyncio.sleep(chance.random() / 10)
        await asyncio.to_thread(two.kill)
        await playing
        entries = nothing_lost(postgres, table, players)
        await until(lambda: all(len(each.heard) >= len(entries) for each in watchers))
        for each in watching:
            each.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        for watcher in watchers:
            assert watcher.heard == [(entry.seq, entry.position) for entry in entries]
        assert watchers[1].moved
        assert not watchers[0].moved
        # Nobody asked for anything at the other table, and nobody served it but the clock.
        await until(
            lambda: any(e.actor == "clock" and e.stream.endswith(short) for e in written(postgres))
        )
        alone.urls, alone.at = [one.url], 0
        assert (await alone.view(short))["round"] == 2
        nothing_lost(postgres, short, [alone])

    with both(postgres, tmp_path) as (one, two):
        asyncio.run(work(one, two))
        assert one.stop() == 0
        assert one.errors == two.errors == ""
    sound(postgres)


@pytest.mark.parametrize("ahead", [0.0, 0.02])
def test_two_that_start_at_once_tell_one_secret(where: str, ahead: float) -> None:
    async def work() -> None:
        async with house_on(Store(where)) as one, house_on(Store(where)) as two:

            async def later() -> str | None:
                await asyncio.sleep(ahead)
                secret: str | None = await two.sessions.first_administrator()
                return secret

            told = await asyncio.gather(one.sessions.first_administrator(), later())
            (secret,) = [each for each in told if each is not None]
            await two.sessions.change_password("admin", secret, "another-secret")

    asyncio.run(work())
    sound(where)


def test_what_one_says_the_other_knows(where: str) -> None:
    """Somebody goes to another process with the very next command: it is not refused as unknown."""
    groups = script()

    async def work() -> None:
        async with house_on(Store(where)) as one, house_on(Store(where)) as two:
            for house in (one, two):  # neither hears of the other
                house.background.stopped.set()
            assert one.subscriber.thread is not None
            assert two.subscriber.thread is not None
            await asyncio.to_thread(one.subscriber.thread.join)
            await asyncio.to_thread(two.subscriber.thread.join)
            one.background.stopped.clear()
            two.background.stopped.clear()
            turn = 0
            for group in groups:
                for step in group:
                    turn += 1
                    await ask((one, two)[turn % 2], step)

    asyncio.run(work())
    assert len(written(where)) == sum(map(len, groups))
    sound(where)


@pytest.mark.parametrize("slow_ms", [0, 50])
def test_the_clock_runs_out_once_for_two_processes(where: str, slow_ms: int) -> None:
    """Both say so at the same time, or one whose own clock is behind; the table goes on once."""

    def fast() -> int:
        return NOON + int(1000 * time.monotonic())

    def slow() -> int:
        return fast() - slow_ms

    async def work() -> None:
        async with house_on(Store(where), fast) as one, house_on(Store(where), slow) as two:
            steps = [step for group in script() for step in group]
            opens = msgspec.structs.replace(steps[3].command, decision_seconds=1)
            for step in (*steps[:3], steps[3]._replace(command=opens)):
                await ask(one, step)
            sits = (("i", ANN), ("e", BOB), ("s1", ANN), ("s2", BOB))
            for key, person in (*sits, ("k1.bet", ANN), ("k1.bet", BOB)):
                await ask(one, next(s for s in steps if (s.key, s.person) == (key, person)))
            assert (await one.table(ONE)).table.moment == "1.2"

            def round_of(house: House) -> int:
                live = house.live.known(ONE)
                return live.table.number if live is not None else 0

            await until(lambda: round_of(one) == round_of(two) == 2)

    asyncio.run(work())
    ticks = [entry for entry in written(where) if entry.actor == "clock"]
    assert len(ticks) == 1
    sound(where)
