"""What the house gives for nothing: practice tables and play chips, each within its bounds."""

import asyncio
from weakref import WeakValueDictionary

from pitboss.errors import Refusal, Refused
from pitboss.house.books.ledger import chips
from pitboss.house.house import House
from pitboss.house.live_tables import CommandResult
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.money import cents

MOST_TABLES = 10
"""Practice tables that one person may have open."""


class Practice:
    """One request of a person waits for the other: what is counted must be done before the next is
    counted."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open_table(self, who: Person, command: c.OpenTable, key: str) -> CommandResult:
        async with self._turn(who):
            same = codec.short_name(f"{who.id}/{key}")
            mine = [
                each.table.id
                for each in self.house.tables()
                if each.table.practice and each.table.opener == who.id
            ]
            if command.practice and len(mine) >= MOST_TABLES and same not in mine:
                message = f"you have {MOST_TABLES} practice tables open: close one first"
                raise Refused(Refusal("table/too-many", message))
            _, done = await self.house.open_table(who, command, key)
            return done

    async def fill_up(self, who: Person, key: str) -> None:
        """Give somebody play chips up to what everybody starts with."""
        permissions.allow(who.roles, "play-chips")
        async with self._turn(who):
            has = await self.house.read(self.house.store.balance, chips(who.id, practice=True))
            missing = int(cents(self.house.settings["guest-play-chips"])) - has
            if missing > 0:
                bought = persons.ChipsBought(missing, practice=True)
                await self.house.record(who.id, who.id, key, bought)

    def _turn(self, who: Person) -> asyncio.Lock:
        return self._turns.setdefault(who.id, asyncio.Lock())
