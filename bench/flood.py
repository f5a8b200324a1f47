"""What a seated player feels while strangers do their worst, and how much memory they take.

The strangers are a process of their own, this file with an address and a book: it says when all
of them are busy, and once its input ends what they were told.
"""

import asyncio
import contextlib
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec

from pitboss.errors import PitbossError
from pitboss.web.client import Client, Declined
from pitboss.web.server import run_loop

CALM_SECONDS = 3.0
MOST_SECONDS = 120.0
"""Until strangers of every kind are busy."""

BACKLOG = 900
"""Entries that each listener asks for and does not read."""

STRANGERS = {
    "listener": 200,
    "listener that reads": 400,
    "page": 16,
    "sign-in": 16,
    "table": 16,
    "overdrawn bet": 16,
    "changed bet": 8,
    "command": 200,
}
"""How many of each kind there are, all at once."""

EARS = 30
"""Guests who listen, each over several connections."""

TALK_SECONDS = 0.02
"""Between two events at the table that all of them listen to."""

TOGGLE = ({"action": "sit-out"}, {"action": "sit-in"})

PAGES = ("/", "/rounds", "/sign-in", "/api/tables?limit=500")

Commands = Iterator[tuple[dict[str, Any], str]]


class Flood:
    """Strangers at one address, as quick as they are let."""

    def __init__(self, address: str, book: str) -> None:
        self.address, self.book = address, book
        self.told: Counter[str] = Counter()
        """What became of what they asked for."""
        self._storm = asyncio.Event()

    def busy(self) -> bool:
        """Whether strangers of every kind were told something."""
        return STRANGERS.keys() <= {told.rpartition(" ")[0] for told in self.told}

    async def rage(self) -> None:
        kinds: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "listener": self._listen,
            "listener that reads": self._hear,
            "page": self._load_pages,
            "sign-in": self._sign_in,
            "table": self._open_tables,
            "overdrawn bet": self._overdraw,
            "changed bet": self._change_bets,
            "command": self._command,
        }
        async with asyncio.TaskGroup() as group:
            ready = asyncio.get_running_loop().create_future()
            group.create_task(self._talk(ready))
            self._heard = await ready
            self._tokens = itertools.cycle([await self._guest() for _ in range(EARS)])
            self._pairs = iter([await self._pair() for _ in range(STRANGERS["changed bet"])])
            # They sit down before the storm: tables of an address are opened one after the other.
            self._crowd = iter([await self._sitter() for _ in range(STRANGERS["command"])])
            self._storm.set()
            for kind, count in STRANGERS.items():
                for _ in range(count):
                    group.create_task(kinds[kind]())

    async def _guest(self) -> str:
        """Let a guest in: the token."""
        async with Client(self.address) as client:
            await client.enter()
            await client.send("POST", "/api/invitations", self._invitation)
            return client.token

    async def _talk(self, ready: asyncio.Future[str]) -> None:
        """Make a table with much to tell, say the path of its stream, and let it tell more."""
        commands = itertools.cycle(TOGGLE)
        async with self._seated() as (client, table):
            client.patience = MOST_SECONDS
            for command in itertools.islice(commands, BACKLOG):
                await client.do(table, command)
            self._invitation = await client.send("POST", f"/api/tables/{table}/invitations")
            ready.set_result(f"/api/tables/{table}/events")
            await self._storm.wait()
            for command in commands:
                await asyncio.sleep(TALK_SECONDS)
                await client.do(table, command)

    @contextlib.asynccontextmanager
    async def _get(
        self, what: str, path: str, *headers: str
    ) -> AsyncIterator[asyncio.StreamReader]:
        """Ask for a page, or a stream, and look at no more of the answer than the status."""
        parts = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=4096)
        lines = (f"GET {path} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close", *headers)
        try:
            writer.write("\r\n".join((*lines, "", "")).encode())
            status = await reader.readline()
            self.told[f"{what} {status[9:12].decode()}"] += 1
            yield reader
        finally:
            writer.close()

    async def _listen(self) -> None:
        who = f"Authorization: Bearer {next(self._tokens)}"
        async with self._get("listener", self._heard, who, "Last-Event-ID: 1"):
            await asyncio.Event().wait()  # and reads no more

    async def _hear(self) -> None:
        who = f"Authorization: Bearer {next(self._tokens)}"
        while True:
            async with self._get("listener that reads", self._heard, who) as reader:
                while await reader.read(65536):
                    pass
            await asyncio.sleep(0.2)

    async def _load_pages(self) -> None:
        for path in itertools.cycle(PAGES):
            async with self._get("page", path) as reader:
                while await reader.read(65536):
                    pass

    async def _again(self, what: str, asked: Callable[[], Awaitable[Any]]) -> None:
        while True:
            try:
                await asked()
                self.told[f"{what} 200"] += 1
            except Declined as no:
                self.told[f"{what} {no.status}"] += 1
            except PitbossError:  # too much at once, or busy
                self.told[f"{what} 429"] += 1
                await asyncio.sleep(0.05)

    async def _sign_in(self) -> None:
        async with Client(self.address, patience=0) as client:
            await self._again("sign-in", lambda: client.login("admin", "wrong-password"))

    async def _open_tables(self) -> None:
        async with Client(self.address) as client:
            await client.enter()
            client.patience = 0
            await self._again("table", lambda: client.open_table(self.book, practice=True))

    @contextlib.asynccontextmanager
    async def _seated(self, **options: Any) -> AsyncIterator[tuple[Client, str]]:
        """Let a guest sit at a table of their own: they are patient until they do."""
        async with Client(self.address) as client:
            await client.enter()
            table = await client.open_table(self.book, practice=True, **options)
            await client.do(table, {"action": "sit", "seat": 1})
            client.patience = 0
            yield client, table

    async def _overdraw(self) -> None:
        async with self._seated(minimum_cents=500, betting_seconds=600) as (client, table):
            bet = {"action": "bet", "seat": 1, "wagers": {"ante": 10_000_000}}
            await self._again("overdrawn bet", lambda: client.do(table, bet, "1.bet"))

    async def _command(self) -> None:
        """Ask for what is allowed, one thing after the other."""
        table, token = next(self._crowd)
        commands = itertools.cycle(TOGGLE)
        async with Client(self.address, token, patience=0) as client:
            await self._again("command", lambda: client.do(table, next(commands)))

    async def _sitter(self) -> tuple[str, str]:
        async with self._seated() as (client, table):
            return table, client.token

    async def _pair(self) -> tuple[str, str]:
        """Seat two at a table: its name, and the first one's token."""
        async with Client(self.address) as one, Client(self.address) as other:
            await one.enter()
            table = await one.open_table(
                self.book, practice=True, minimum_cents=500, betting_seconds=600
            )
            invitation = await one.send("POST", f"/api/tables/{table}/invitations")
            await other.enter()
            await other.send("POST", "/api/invitations", invitation)
            for seat, each in ((1, one), (2, other)):
                await each.do(table, {"action": "sit", "seat": seat})
            return table, one.token

    async def _change_bets(self) -> None:
        """Change a bet over and over while another never bets, and look at all of it each time."""
        table, token = next(self._pairs)
        antes = itertools.cycle((500, 1000))
        looks = (f"Cookie: pitboss={token}", "X-Part: 1", "X-Shown: 1.0")
        async with Client(self.address, token, patience=0) as one:

            async def change() -> None:
                async with self._get("its page", f"/tables/{table}", *looks) as reader:
                    while await reader.read(65536):
                        pass
                bet = {"action": "bet", "seat": 1, "wagers": {"ante": next(antes)}}
                await one.do(table, bet, "1.bet")

            await self._again("changed bet", change)


async def _flood(address: str, book: str) -> None:
    flood, loop = Flood(address, book), asyncio.get_running_loop()
    rages = asyncio.create_task(flood.rage())
    ends = loop.time() + MOST_SECONDS
    while not flood.busy() and not rages.done() and loop.time() < ends:
        await asyncio.sleep(0.1)
    print("busy" if flood.busy() else f"not busy: {flood.told}", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    print(msgspec.json.encode(flood.told).decode(), flush=True)
    os._exit(rages.done())  # nobody says goodbye


async def flooded(
    address: str, book: str, seconds: float, player: Client, table: str, commands: Commands
) -> tuple[list[float], list[float], dict[str, int]]:
    """Let somebody play at a table before a flood and in it: how long each command took, in
    seconds, and what the strangers were told."""

    async def play(until: float) -> list[float]:
        took = []
        while time.perf_counter() < until:
            command, moment = next(commands)
            begun = time.perf_counter()
            await player.do(table, command, moment)
            took.append(time.perf_counter() - begun)
            await asyncio.sleep(0.02)
        return sorted(took)

    calm = await play(time.perf_counter() + CALM_SECONDS)
    pipe = asyncio.subprocess.PIPE
    started = sys.executable, "-P", __file__, address, book
    flood = await asyncio.create_subprocess_exec(*started, stdin=pipe, stdout=pipe)
    assert flood.stdout is not None
    said = await flood.stdout.readline()
    assert said == b"busy\n", said
    worst = await play(time.perf_counter() + seconds)
    told, _ = await flood.communicate(b"")  # which ends its input
    assert flood.returncode == 0
    return calm, worst, msgspec.json.decode(told, type=dict[str, int])


if __name__ == "__main__":
    run_loop(_flood(*sys.argv[1:]))
