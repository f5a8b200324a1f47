"""``pitboss bots``: a crowd of players who come through the API, as anybody would."""

import asyncio
import random
import sys
import time
from typing import Any

import click
import msgspec

from pitboss.cards import card
from pitboss.cli.common import json_option, write_json
from pitboss.errors import Unreadable
from pitboss.house import bots
from pitboss.maths.advise import history, seen
from pitboss.maths.decisions import FOLD
from pitboss.round import Option, codec
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook, load
from pitboss.web.client import Client, Declined, Unreachable

PARTS = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1}

BROKE = "chips/not-enough"
QUICKER = ("command/late", "decide/already", "bet/closed")
"""Somebody, or the clock, was quicker: the next look at the table tells."""

SIDE = 1 / 3
"""How often a bot adds each of the side wagers."""


class Tally:
    """What a crowd did."""

    def __init__(self) -> None:
        self.rounds = self.commands = 0
        self.refusals: dict[str, int] = {}
        self.seconds: list[float] = []

    def report(self, took: float) -> dict[str, Any]:
        several = sorted(self.seconds) or [0.0]

        def at(part: float) -> float:
            return round(1000 * several[min(len(several) - 1, int(part * len(several)))], 3)

        return {
            "rounds": self.rounds,
            "commands": self.commands,
            "commands_per_second": round(self.commands / took, 1),
            "refusals": self.refusals,
            "latencies": {f"{name}_ms": at(part) for name, part in PARTS.items()},
            "seconds": round(took, 3),
        }


class Crew:
    """The bots of one table."""

    def __init__(
        self, url: str, book: Rulebook, seats: int, strategy: str, chance: random.Random
    ) -> None:
        self.book, self.chance = book, chance
        self.choose = bots.chooser(book, strategy)
        self.clients = [Client(url) for _ in range(seats)]
        self.table = ""

    async def play(self, rounds: int, tally: Tally, wait: float = 0.0) -> None:
        """Sit down and play so many rounds."""
        for client in self.clients:
            await client.enter()
        self.table = await self.clients[0].open_table(
            self.book.id, practice=True, betting_seconds=60, decision_seconds=60
        )
        await self.clients[0].invite(self.table, *self.clients[1:])
        for seat, client in enumerate(self.clients, start=1):
            await self._do(client, {"action": "sit", "seat": seat}, "", tally)
        played = 0
        while played < rounds:
            view = await self.clients[0].view(self.table)
            if view["phase"] == "betting":
                seats = range(1, len(self.clients) + 1)
                await asyncio.gather(*(self._bet(seat, view, tally) for seat in seats))
            else:
                await asyncio.gather(*(self._decide(n, tally) for n in view["due"]))
            if view["phase"] == "settling" or not view["open"]:
                raise Unreadable(f"table {self.table} waits for somebody else")
            now = await self.clients[0].view(self.table)
            if now["round"] > view["round"]:
                played += 1
                tally.rounds += 1
            await asyncio.sleep(wait)

    async def _bet(self, seat: int, view: dict[str, Any], tally: Tally) -> None:
        if any(each["seat"] == seat and each["stakes"] for each in view["seats"]):
            return
        limits = view["minimum_cents"], view["maximum_cents"], view["token_cents"]
        ante = self.book.ante.name
        wagers = {
            name: int(bounds(spot, *limits)[0])
            for name, spot in self.book.placed.items()
            if name == ante or self.chance.random() < SIDE
        }
        wagers = self.book.with_equal(wagers)
        client = self.clients[seat - 1]
        bet = {"action": "bet", "seat": seat, "wagers": wagers}
        if await self._do(client, bet, view["moment"], tally) == BROKE:
            await client.send("POST", "/api/me/play-chips", {"key": client.key()})

    async def _decide(self, seat: int, tally: Tally) -> None:
        client = self.clients[seat - 1]
        view = await client.view(self.table)
        if seat not in view["due"]:
            return
        mine = next(each for each in view["seats"] if each["seat"] == seat)
        piles = {place: _cards(pile) for place, pile in view["piles"].items()}
        decided = history(self.book, mine["raises"], mine["stakes"])
        known = seen(self.book, _cards(mine["cards"]), piles, decided)
        options = [msgspec.convert(each, Option) for each in view["options"]]
        action = bots.act(seat, self.choose(known), options)
        written = msgspec.json.decode(codec.encode(action))
        if await self._do(client, written, view["moment"], tally) == BROKE:
            least = msgspec.json.decode(codec.encode(bots.act(seat, FOLD, options)))
            await self._do(client, least, view["moment"], tally)

    async def _do(self, client: Client, command: dict[str, Any], moment: str, tally: Tally) -> str:
        """Ask for something; return the code of a refusal with which a bot goes on."""
        begun = time.perf_counter()
        try:
            await client.do(self.table, command, moment)
            return ""
        except Declined as no:
            tally.refusals[no.code] = tally.refusals.get(no.code, 0) + 1
            if no.code not in (BROKE, *QUICKER):
                raise
            return no.code
        finally:
            tally.commands += 1
            tally.seconds.append(time.perf_counter() - begun)

    async def clear(self) -> None:
        """Close the table: a house has room for so many."""
        await self.clients[0].do(self.table, {"action": "close-table", "why": "the bots go home"})

    def close(self) -> None:
        for client in self.clients:
            client.close()


def _cards(written: list[str | None]) -> list[Any]:
    return [None if each is None else card(each) for each in written]


async def crowd(
    url: str, book: Rulebook, tables: int, seats: int, rounds: int, seed: int, strategy: str
) -> dict[str, Any]:
    """Let a crowd play; what it did."""
    tally = Tally()
    crews = [Crew(url, book, seats, strategy, random.Random(f"{seed}/{n}")) for n in range(tables)]
    begun = time.perf_counter()
    try:
        async with asyncio.TaskGroup() as group:
            for crew in crews:
                group.create_task(crew.play(rounds, tally))
        took = time.perf_counter() - begun
        await asyncio.gather(*(crew.clear() for crew in crews))
    finally:
        for crew in crews:
            crew.close()
    return tally.report(took)


@click.command("bots")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The house.")
@click.option("--rulebook", required=True, help="The id of a rulebook.")
@click.option("--tables", type=click.IntRange(1, 2000), default=1, show_default=True)
@click.option("--seats", type=click.IntRange(1, 12), default=6, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=10, show_default=True, help="A table.")
@click.option("--seed", type=int, default=7, show_default=True, help="Of what is left to chance.")
@click.option("--strategy", default=bots.BEST, show_default=True, help="Best, or a named one.")
@json_option
def command(rulebook: str, seats: int, strategy: str, as_json: bool, **how: Any) -> None:
    """Let bots open practice tables through the API and play there."""
    book = load(rulebook)
    if seats > book.seats.most:
        raise Unreadable(f"this table has {book.seats.most} seats", "--seats")
    bots.chooser(book, strategy)
    try:
        found = asyncio.run(crowd(book=book, seats=seats, strategy=strategy, **how))
    except* (Unreachable, Declined, Unreadable) as several:
        click.echo(f"pitboss: {several.exceptions[0]}", err=True)
        sys.exit(1)
    if as_json:
        write_json(found)
        return
    for name in ("rounds", "commands", "commands_per_second", "seconds"):
        click.echo(f"{name.replace('_', ' '):<22}{found[name]}")
    for code, count in found["refusals"].items():
        click.echo(f"{'refused ' + code:<22}{count}")
    latencies = found["latencies"].items()
    said = ", ".join(f"{name.removesuffix('_ms')} {value} ms" for name, value in latencies)
    click.echo(f"{'latencies':<22}{said}")
