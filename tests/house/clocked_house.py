"""A house in this process, with a clock that only the test turns."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pitboss.errors import Refusal, Refused
from pitboss.house.clock import HouseClock
from pitboss.house.deck_safe import fresh_deck
from pitboss.house.house import House
from pitboss.house.live_tables import CommandResult
from pitboss.house.people import persons as p
from pitboss.house.people.permissions import sees
from pitboss.house.people.persons import Person, Role
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table.fair import Sealed
from pitboss.house.table.state import Table
from tests.house.floor import NOON

_keys = itertools.count(1)


async def seed(house: House, name: str, roles: tuple[Role, ...], cents: int) -> None:
    """Let somebody be known, with chips of both kinds; real ones come from the cage."""
    if not (await house.person(CAGE)).exists:
        await house.record("house", CAGE, "", p.PersonAdded("Cage", ("cage",)))
    added = p.PersonAdded(name.title(), roles)
    await house.record("house", name, "", added, p.ChipsBought(cents, practice=True))
    await house.record(CAGE, name, "", p.ChipsBought(cents, practice=False))


CAGE = "cashier"


def turned(now: Callable[[], int]) -> HouseClock:
    """A clock that only a test turns, the database's with it."""
    return HouseClock(now, now)


class ClockedHouse:
    """What tests ask of a house."""

    def __init__(self, where: str, at: int = NOON, deck: Callable[[], Sealed] = fresh_deck) -> None:
        self.at = at
        self.house = House(Store(where), clock=turned(lambda: self.at), deck=deck)
        self.sessions = self.house.sessions
        self.name = ""
        """The table."""

    async def person(self, name: str, *roles: Role, cents: int = 1_000_000) -> Person:
        """Somebody with these roles, and chips of both kinds."""
        await seed(self.house, name, roles, cents)
        return await self.house.person(name)

    async def open(self, who: Person, book: str, **more: Any) -> str:
        if not more.get("practice") and book.startswith("seneca-niagara/"):
            more.setdefault("maximum_cents", 1_000_00)
        command = c.OpenTable(book, **more)
        self.name, _ = await self.house.open_table(who.id, command, f"k{next(_keys)}")
        return self.name

    async def come(self, who: Person) -> None:
        """Let somebody come to a practice table, by its opener's invitation."""
        if not sees(self.table, await self.house.person(who.id)):
            await self.house.enter(await self.house.invite(self.name, self.table.opener), who.id)

    async def do(self, who: Person, command: Any, moment: str | None = None) -> CommandResult:
        """Ask something of the table; whoever sits down at another's was invited."""
        if isinstance(command, c.Sit):
            await self.come(who)
        now = self.table.moment if moment is None else moment
        return await self.house.command(self.name, who.id, command, f"k{next(_keys)}", now)

    async def refused(self, who: Person, command: Any, moment: str | None = None) -> Refusal:
        with pytest.raises(Refused) as caught:
            await self.do(who, command, moment)
        return caught.value.refusal

    @property
    def table(self) -> Table:
        return next(live.table for live in self.house.tables if live.table.id == self.name)

    async def until(self, reached: Callable[[Table], object], seconds: float = 20) -> None:
        """Wait for something that nobody here asks for."""
        for _ in range(int(seconds * 100)):
            if reached((await self.house.table(self.name)).table):
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never: {self.table}")


@asynccontextmanager
async def clocked_house(where: str, **more: Any) -> AsyncIterator[ClockedHouse]:
    """A house that is started, and stopped afterwards."""
    found = ClockedHouse(where, **more)
    await found.house.start()
    try:
        yield found
    finally:
        await found.house.stop()
