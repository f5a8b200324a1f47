"""``./pit bench house``: how much a house takes, beside what its parts could take at most."""

import asyncio
import contextlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from bench.flood import flooded
from pitboss.cli.bots import Crew, Tally
from pitboss.cli.common import json_option, write_json
from pitboss.house.house import House
from pitboss.house.people import persons
from pitboss.house.storage import codec
from pitboss.house.storage.store import Store
from pitboss.house.table.commands import Command, OpenTable, Sit
from pitboss.rulebook import Rulebook, load
from pitboss.web.client import Client, Declined
from pitboss.web.server import run_loop
from pitboss.web.streams import MOST_EACH

BOOK = "diamond-jo-worth/cajun-stud"

RATES = {"sqlite": 2_000, "postgresql": 1_500}
"""Commands a second that a house is asked to take."""

TURNS = 16
"""Pairs of turns of two houses beside each other."""


@click.command("house")
@click.option("--db", "where", help="A PostgreSQL URL with an empty database; else a new file.")
@click.option("--connections", type=click.IntRange(1, 1000), default=64, show_default=True)
@click.option("--rate", type=click.IntRange(1), help="Commands a second besides as fast as it can.")
@click.option("--seconds", type=click.FloatRange(1, 3600), default=10.0, show_default=True)
@click.option("--listeners", type=click.IntRange(0, 5000), default=1000, show_default=True)
@click.option("--events", type=click.IntRange(0), default=0, help="Start up on so many events.")
@click.option("--soak", type=click.IntRange(0), default=0, help="Minutes of 200 tables of six.")
@click.option("--flood", is_flag=True, help="Play on while strangers do their worst.")
@click.option(
    "--beside",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Another clone that ./pit has set up: its house by turns with this one, and nothing else.",
)
@json_option
def command(
    where: str | None,
    connections: int,
    rate: int | None,
    seconds: float,
    listeners: int,
    events: int,
    soak: int,
    flood: bool,
    beside: Path | None,
    as_json: bool,
) -> None:
    """Load a house through its API; beside it a bare route with the same store transaction."""
    found: dict[str, Any] = {}
    if beside:
        _say(by_turns(beside, connections, seconds), as_json)
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-bench") as folder:
        place = where or str(Path(folder) / "house.db")
        limit = None if where else str(Path(folder) / "limit.db")
        found["database"] = database = "postgresql" if where else "sqlite"
        with serving("bench.bare_route", limit or place) as address:
            found["limit"] = run_loop(load_limit(address, connections, seconds))
        with serving("pitboss", place) as address:
            found["house"] = run_loop(load_house(address, connections, seconds))
            asked = rate or RATES[database]
            paced = run_loop(load_house(address, connections, seconds, asked))
            found["paced"] = {"asked_per_second": asked, **paced}
            if listeners:
                found["listeners"] = run_loop(listen(address, listeners))
        per_second = found["house"]["commands_per_second"]
        found["ratio"] = round(per_second / found["limit"]["commands_per_second"], 3)
        if events:
            found["start_up"] = start_up(str(Path(folder) / "long.db"), events)
        if flood:
            found["flood"] = stormed(str(Path(folder) / "flood.db"), seconds)
        if soak:
            found["soak"] = soaked(str(Path(folder) / "soak.db"), soak)
    _say(found, as_json)


def _say(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        write_json(found)
        return
    for part, figures in found.items():
        if isinstance(figures, dict):
            click.echo(part + ": " + ", ".join(f"{k} {v}" for k, v in figures.items()))
        else:
            click.echo(f"{part}: {figures}")


def by_turns(beside: Path, connections: int, seconds: float) -> dict[str, Any]:
    """Load this house and another clone's by turns: on a noisy machine neighbours are alike.

    Whoever begins a pair changes with each; both servers are new for each pair, so that neither
    has the longer journal.
    """
    pythons = {"this": sys.executable, "beside": str(beside.resolve() / ".venv/bin/python")}
    told: dict[str, list[float]] = {name: [] for name in pythons}
    for turn in range(TURNS):
        for name in sorted(pythons, reverse=bool(turn % 2)):
            with (
                tempfile.TemporaryDirectory(prefix="pitboss-bench") as folder,
                serving("pitboss", str(Path(folder) / "house.db"), pythons[name]) as address,
            ):
                figures = run_loop(load_house(address, connections, seconds / TURNS))
                told[name].append(figures["commands_per_second"])
    ratios = sorted(round(ours / theirs, 3) for ours, theirs in zip(*told.values(), strict=True))
    return {**told, "ratios": ratios, "median_ratio": statistics.median(ratios)}


@contextlib.contextmanager
def serving(module: str, where: str, python: str = sys.executable) -> Iterator[str]:
    """Run a server in a process of its own; its address."""
    started = [python, "-P", "-m", module, "serve", "--db", where, "--port", "0"]
    with subprocess.Popen(started, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            run_loop(_ready(address))
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


async def _ready(address: str) -> None:
    async with Client(address, patience=20) as client:
        await client.send("GET", "/health")


class Clocked:
    """Latencies of what is done over and over by many at once."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def each(self, work: Awaitable[Any], due: float | None = None) -> Any:
        """Do it and remember how long it took, or how long after it was due it was done."""
        begun = due or time.perf_counter()
        found = await work
        self.seconds.append(time.perf_counter() - begun)
        return found

    def report(self, took: float) -> dict[str, float]:
        """Return rate and latencies."""
        several = sorted(self.seconds)
        return {
            "commands_per_second": round(len(several) / took, 1),
            **{f"p{p}_ms": percentile(several, p) for p in (50, 99)},
        }


def percentile(several: list[float], part: int) -> float:
    """Return a percentile of sorted seconds, in milliseconds."""
    return round(1000 * several[min(len(several) - 1, len(several) * part // 100)], 2)


async def _together(
    connections: int,
    seconds: float,
    work: Callable[[int, Clocked, float], Coroutine[Any, Any, None]],
) -> dict[str, float]:
    clocked, begun = Clocked(), time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(connections):
            group.create_task(work(number, clocked, begun + seconds))
    return clocked.report(time.perf_counter() - begun)


async def load_limit(address: str, connections: int, seconds: float) -> dict[str, float]:
    """Write entries through the bare route."""

    async def work(number: int, clocked: Clocked, until: float) -> None:
        async with Client(address) as client:
            while time.perf_counter() < until:
                await clocked.each(client.send("POST", "/write", {"table": number}))

    return await _together(connections, seconds, work)


async def load_house(
    address: str, connections: int, seconds: float, rate: int | None = None
) -> dict[str, float]:
    """Play at as many tables as there are connections, one command after the other.

    With a rate, commands are due at even times, and one that has to wait for the one before it
    waits at the server's cost: a server that pauses does not thereby have less to do.
    """
    book = load(BOOK)
    clients = [Client(address) for _ in range(connections)]
    tables = [await _seated(client) for client in clients]
    rounds = [_rounds(book) for _ in clients]
    # Tables are not in step: not all of them pay at once.
    for number, (client, table) in enumerate(zip(clients, tables, strict=True)):
        for command, moment in islice(rounds[number], number % (1 + len(book.street_at))):
            await client.do(table, command, moment)

    async def work(number: int, clocked: Clocked, until: float) -> None:
        client, table = clients[number], tables[number]
        due, begun = None, until - seconds
        for count, (command, moment) in enumerate(rounds[number]):
            if rate is not None:
                due = begun + (count + number / connections) * connections / rate
                await asyncio.sleep(due - time.perf_counter())
            if time.perf_counter() > until:
                return
            try:
                await clocked.each(client.do(table, command, moment), due)
            except Declined as no:
                if no.code != "chips/not-enough":
                    raise
                await client.send("POST", "/api/me/play-chips", {"key": client.key()})
                await client.do(table, command, moment)

    found = await _together(connections, seconds, work)
    for client in clients:
        client.close()
    return found


async def _seated(client: Client) -> str:
    await client.enter()
    table = await client.open_table(BOOK, practice=True, decision_seconds=600)
    await client.do(table, {"action": "sit", "seat": 1})
    return table


def _rounds(book: Rulebook) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the commands of a seat alone, round after round, with their moments."""
    number = 0
    while True:
        number += 1
        yield {"action": "bet", "seat": 1, "wagers": {book.ante.name: 500}}, f"{number}.bet"
        for step in book.street_at:
            yield {"action": "raise", "seat": 1, "times": 1}, f"{number}.{step}"


async def listen(address: str, listeners: int) -> dict[str, float]:
    """Let many listen to one table: how long after a command is sent each of them hears of it."""
    player = Client(address)
    table = await _seated(player)
    heard: list[float] = []
    sent: dict[int, float] = {}
    ready = asyncio.Semaphore(0)

    guests = [Client(address) for _ in range(-(-listeners // MOST_EACH))]
    for guest in guests:
        await guest.enter()
    await player.invite(table, *guests)

    async def one(guest: Client) -> None:
        client = Client(address, guest.token)
        ready.release()
        # What is measured is the server: the client does not read what it gets.
        async for number, _ in client.events(f"/api/tables/{table}/events", read=len):
            if number in sent:
                heard.append(time.perf_counter() - sent[number])

    tasks = [asyncio.create_task(one(guests[n // MOST_EACH])) for n in range(listeners)]
    for _ in range(listeners):
        await ready.acquire()
    await asyncio.sleep(2)
    seq = int((await player.view(table))["seq"])
    for command, moment in _rounds(load(BOOK)):
        seq += 1
        sent[seq] = time.perf_counter()
        await player.do(table, command, moment)
        await asyncio.sleep(0.25)
        if len(sent) >= 40:
            break
    await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    heard.sort()
    return {
        "listeners": listeners,
        "heard": round(len(heard) / (listeners * len(sent)), 4),
        "p50_ms": percentile(heard, 50),
        "p99_ms": percentile(heard, 99),
    }


def start_up(where: str, events: int) -> dict[str, float]:
    """Play until the journal is long, then start a server on it."""
    entries = run_loop(_long_journal(where, events))
    begun = time.perf_counter()
    with serving("pitboss", where):
        took = time.perf_counter() - begun
    return {"events": events, "entries": entries, "ready_s": round(took, 2)}


async def _long_journal(where: str, events: int) -> int:
    house = House(Store(where))
    await house.start()
    book, count = load(BOOK), 0

    async def one(number: int) -> None:
        nonlocal count
        name = f"guest-{number}"
        joined = persons.PersonAdded(name, ("guest",)), persons.ChipsBought(10**10, practice=True)
        await house.record(name, name, "join", *joined)
        opened = OpenTable(BOOK, practice=True, decision_seconds=600)
        table, _ = await house.open_table(name, opened, "open")
        await house.command(table, name, Sit(1), "sit")
        for written, moment in _rounds(book):
            asked = codec.command(Command, codec.encode(written))
            done = await house.command(table, name, asked, "", moment)
            count += len(codec.body(done.entry.body).events)
            if count >= events:
                return

    await asyncio.gather(*(one(number) for number in range(200)))
    position = house.position
    await house.stop()
    return position


def soaked(where: str, minutes: int) -> dict[str, Any]:
    """Let 200 tables of six bots play for minutes: memory at the start and the end, an audit."""
    tally, book = Tally(), load(BOOK)

    async def play(address: str, process_memory: Callable[[], int]) -> list[int]:
        crews = [Crew(address, book, 6, "points", random.Random(n)) for n in range(200)]
        tasks = [asyncio.create_task(crew.play(10**9, tally)) for crew in crews]
        memory = []
        for _ in range(minutes * 6):
            await asyncio.sleep(10)
            memory.append(process_memory())
            broken = [t for t in tasks if t.done()]
            if broken:
                await broken[0]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return memory

    begun = time.perf_counter()
    with serving("pitboss", where) as address:
        memory = run_loop(play(address, lambda: _memory(where)))
    took = time.perf_counter() - begun
    audit = [sys.executable, "-P", "-m", "pitboss", "audit", "--db", where]
    clean = subprocess.run(audit, check=False, stdout=subprocess.DEVNULL).returncode == 0
    half = memory[len(memory) // 2 :] or [0]
    return tally.report(took) | {
        "memory_mb_half": half[0] // 1024,
        "memory_mb_end": half[-1] // 1024,
        "audit_clean": clean,
    }


def stormed(where: str, seconds: float) -> dict[str, Any]:
    """Let a seated player play on in a flood: latencies before it and in it, and memory."""

    async def storm(address: str) -> tuple[list[float], list[float], dict[str, int]]:
        async with Client(address) as player:
            table = await _seated(player)
            return await flooded(address, BOOK, seconds, player, table, _rounds(load(BOOK)))

    with serving("pitboss", where) as address:
        calm, worst, told = run_loop(storm(address))
        memory = _memory(where)
    return {
        "calm_p99_ms": percentile(calm, 99),
        "p50_ms": percentile(worst, 50),
        "p99_ms": percentile(worst, 99),
        "memory_mb": memory // 1024,
        "strangers": dict(sorted(told.items())),
    }


def _memory(where: str) -> int:
    """Return the resident memory, in KiB, of the server that has this database (Linux)."""
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            if where.encode() in status.with_name("cmdline").read_bytes():
                lines = status.read_text().splitlines()
                return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
    return 0
