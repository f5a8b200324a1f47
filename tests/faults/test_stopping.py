"""Stopping and starting again: streams are told, nothing acknowledged is lost, players go on."""

import asyncio
import random
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from pitboss.cli.bots import Crew, Tally
from pitboss.rulebook import load
from pitboss.web.client import Client
from tests.faults.game import BOOK, sound, written
from tests.faults.servers import Player, Server, invite, nothing_lost, sit_down

SEED = 3
STREAMS = 50


async def listen(player: Player, url: str, table: str, reads: bool) -> bytes:
    """Open a stream and read it to its end; or open it and never read."""
    client = Client(url, player.token)
    reader, writer = await client._connect()
    writer.write(client._head("GET", f"/api/tables/{table}/events", "").encode())
    found = b""
    try:
        if not reads:
            assert isinstance(writer.transport, asyncio.Transport)
            writer.transport.pause_reading()
            await asyncio.sleep(60)
        with suppress(OSError):
            while piece := await reader.read(65536):
                found += piece
    finally:
        writer.close()
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_with_streams_open(quick_path: Path, number: signal.Signals) -> None:
    where = str(quick_path / "house.db")

    async def work(server: Server) -> tuple[str, list[Player], float]:
        players = [Player([server.url], n, random.Random(f"{SEED}/{n}")) for n in (1, 2, 3)]
        table = await sit_down(players)
        guests = [Player([server.url], 0, random.Random()) for _ in range(STREAMS // 5)]
        for guest in guests:
            await guest.enter()
        await invite(players[0], table, guests)
        streams = [
            asyncio.create_task(listen(guests[n // 5], server.url, table, n % 5 > 0))
            for n in range(STREAMS)
        ]
        playing = [asyncio.create_task(player.play(table, 1000)) for player in players]
        while (await players[0].view(table))["round"] < 4:
            await asyncio.sleep(0.01)
        begun = time.monotonic()
        server.process.send_signal(number)
        assert await asyncio.to_thread(server.process.wait, 10) == 0, server.errors
        took = time.monotonic() - begun
        for each in playing:
            each.cancel()
        for n, stream in enumerate(streams):
            if n % 5 > 0:
                heard = await stream
                assert heard.endswith(b"event: end\ndata: {}\n\n\r\n0\r\n\r\n"), heard[-100:]
            else:
                stream.cancel()
        await asyncio.gather(*playing, *streams, return_exceptions=True)
        return table, players, took

    with Server(where, quick_path) as server:
        table, players, took = asyncio.run(work(server))
        assert took < 5
        assert server.errors == ""
    nothing_lost(where, table, players)
    sound(where)


def test_crews_play_on_through_restarts(quick_path: Path) -> None:
    """The server is stopped, killed and started again; every crew plays all its rounds."""
    where = str(quick_path / "house.db")
    tally = Tally()

    async def work(servers: ExitStack) -> Server:
        server = servers.enter_context(Server(where, quick_path))
        crews = [
            Crew(server.url, load(BOOK), 3, "points", random.Random(f"{SEED}/{n}"))
            for n in range(3)
        ]
        playing = [asyncio.create_task(crew.play(30, tally)) for crew in crews]
        for rounds, killed in ((20, False), (50, True)):
            while tally.rounds < rounds:
                await asyncio.sleep(0.01)
                assert not any(each.done() for each in playing)
            await asyncio.to_thread(server.kill if killed else server.stop)
            await asyncio.sleep(0.3)
            again = await asyncio.to_thread(Server, where, quick_path, server.port)
            server = servers.enter_context(again)
        await asyncio.gather(*playing)
        for crew in crews:
            crew.close()
        return server

    with ExitStack() as servers:
        server = asyncio.run(work(servers))
        assert server.stop() == 0
        assert server.errors == ""
    assert tally.rounds == 90
    assert set(tally.refusals) <= {"command/late"}
    sound(where)
    assert len(written(where)) > 90
