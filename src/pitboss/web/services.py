"""What every handler may use: the house, and what the web keeps beside it while it serves."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Protocol, TypeVar, cast, runtime_checkable
from weakref import WeakValueDictionary

from starlette.requests import Request

from pitboss.errors import Refused, refuse
from pitboss.house.house import House
from pitboss.house.people.permissions import may, sees
from pitboss.house.people.persons import Person
from pitboss.house.practice import Practice
from pitboss.house.storage import codec
from pitboss.house.storage.gate import Gate
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.state import Table, unknown_round, unknown_table
from pitboss.house.views import seat_then
from pitboss.web.guards import address
from pitboss.web.rate_limit import Limit, limits
from pitboss.web.streams import Audience, Hub

T = TypeVar("T")

COMMANDS_HERE, COMMANDS = 64, 128
"""Commands of strangers that are done at a time, of one address and in all: whoever is let in waits
for no more than these, however many wait outside."""

LOOKS_HERE, LOOKS = 8, 16
"""What they look at, likewise."""


@runtime_checkable
class Closes(Protocol):
    """Something that is kept here and ends with the server."""

    def close(self) -> None: ...


class Services:
    """A house on the web: its sessions, streams, rate limits, request counts and caches."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.practice = Practice(house)
        self.sessions = house.sessions
        self.hub = Hub(house)
        self.limits = limits()
        self.counts: dict[tuple[str, int], int] = {}
        """Answers by route and status, for the metrics."""
        self.commands = Gate(COMMANDS_HERE, COMMANDS)
        self.looks = Gate(LOOKS_HERE, LOOKS)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._kept: dict[Callable[[], Any], Any] = {}

    def kept(self, kind: Callable[[], T]) -> T:
        """Return the one thing of this kind that is kept here, made when it is first asked for."""
        return cast(T, self._kept.get(kind) or self._kept.setdefault(kind, kind()))

    def close(self) -> None:
        """End streams, and whatever of what is kept here runs in processes of its own."""
        self.hub.close()
        for each in self._kept.values():
            if isinstance(each, Closes):
                each.close()

    def count(self, name: str, status: int) -> None:
        self.counts[name, status] = self.counts.get((name, status), 0) + 1

    def turn(self, who: Audience, *, changes: bool) -> AbstractAsyncContextManager[None]:
        """Return what lets somebody do or look at one thing at a time, and strangers together at no
        more than their share; people with a name do as many things as their rate limit lets them.
        """
        if who.address:
            return (self.commands if changes else self.looks).place(who.person, who.address)
        return nullcontext() if changes else self._turns.setdefault(who.person, asyncio.Lock())

    async def table(self, name: str, person: Person) -> LoadedTable:
        """Return a table that is there for somebody; of any other, what is said of none."""
        live = await self.house.table_if(name, lambda table: sees(table, person))
        if live is None:
            raise unknown_table(name)
        return live

    async def may_watch(self, person: Person, name: str, seat: int | None) -> None:
        """Refuse a finished round that somebody neither played in nor could be watching: the floor
        sees any, others the last one of a table that is there for them."""
        if seat is not None or may(frozenset(person.roles), "watch-floor"):
            return
        table, _, number = name.rpartition("-")

        def shows(found: Table) -> bool:
            last = found.last
            return last is not None and str(last.round) == number and sees(found, person)

        if await self.house.table_if(table, shows) is None:
            raise unknown_round(name)

    async def told_after(self, person: Person, live: LoadedTable, known: int) -> int:
        """Return the number of the entry after which a table's past is there for somebody who knows
        it up to an entry: with real chips from its last round on, but for the floor, and for
        whoever sits there and sat there then."""
        table = live.table
        if table.practice or may(frozenset(person.roles), "watch-floor"):
            return 0
        if table.seat_of(person.id) is not None and await self._took_part(person, live, known):
            return 0
        if table.last is None:  # since it was opened
            return table.begun - 1 if table.begun else live.seq
        house, name = self.house, f"{table.id}-{table.last.round}"
        span = await house.look(house.archive.kept, "round", name)
        return int(span.split()[0]) - 1 if span is not None else live.seq

    async def _took_part(self, person: Person, live: LoadedTable, known: int) -> bool:
        """Whether somebody acted in the next entry that they do not know, or played then."""
        house, stream = self.house, f"table:{live.table.id}"
        return any(
            entry.actor == person.id or seat_then(codec.body(entry.body), person.id) is not None
            for entry in await house.look(house.archive.entries, stream, known, 1)
        )

    def bound(self, limit: Limit, request: Request, person: str = "", cost: int = 1) -> None:
        """Refuse what exceeds the rate limit of a person, or else of an address."""
        who = person or address(request)
        if not self.limits[limit].allows(who, self.house.clock.elapsed(), cost):
            raise refuse("rate/too-much", "too much at once: wait a moment")


def unpriced(why: str) -> Refused:
    """Say that there is no price, or none yet; the caller raises what this returns."""
    return refuse("price/none", f"there is no exact price here: {why}")
