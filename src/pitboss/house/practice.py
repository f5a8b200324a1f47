"""What the house gives for nothing: practice tables and play chips, each within its bounds."""

import asyncio
from contextlib import suppress
from weakref import WeakValueDictionary

from pitboss.errors import refuse
from pitboss.house.books.ledger import chips
from pitboss.house.house import House
from pitboss.house.live_tables import CommandResult
from pitboss.house.people import persons
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.money import cents

MOST_TABLES = 10
"""Practice tables that one person may have open."""


class _Enough(Exception):
    """There is nothing to fill up."""


class Practice:
    """One request of a person waits for the other: what is counted must be done before the next is
    counted."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open_table(
        self, who: str, command: c.OpenTable, key: str, session: str = ""
    ) -> CommandResult:
        async with self._turns.setdefault(who, asyncio.Lock()):
            same = codec.short_name(f"{who}/{key}")
            mine = [
                each.table.id
                for each in self.house.tables()
                if each.table.practice and each.table.opener == who
            ]
            if command.practice and len(mine) >= MOST_TABLES and same not in mine:
                message = f"you have {MOST_TABLES} practice tables open: close one first"
                raise refuse("table/too-many", message)
            _, done = await self.house.open_table(who, command, key, session)
            return done

    async def fill_up(self, who: str, key: str, session: str = "") -> None:
        """Give somebody play chips up to what everybody starts with."""

        async def missing() -> tuple[persons.PersonEvent, ...]:
            has = await self.house.in_thread(self.house.store.balance, chips(who, practice=True))
            cents_missing = int(cents(self.house.settings["guest-play-chips"])) - has
            if cents_missing <= 0:
                raise _Enough
            return (persons.ChipsBought(cents_missing, practice=True),)

        with suppress(_Enough):
            await self.house.people.transact(who, who, key, missing, session=session)
