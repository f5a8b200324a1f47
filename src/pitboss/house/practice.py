"""What the house gives for nothing: practice tables and play chips, each within its bounds."""

import asyncio
from contextlib import suppress
from weakref import WeakValueDictionary

from pitboss.errors import Refusal, Refused, refuse
from pitboss.house.books.ledger import chips
from pitboss.house.house import House
from pitboss.house.live_tables import CommandResult
from pitboss.house.people import persons
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.money import cents

MOST_TABLES = 10
"""Practice tables that one person may have open."""

MOST_OF_ADDRESS = 500
"""Practice tables that guests at one address may have open."""


_TOO_MANY = Refusal(
    "table/too-many", f"you have {MOST_TABLES} practice tables open: close one first"
)


class _Enough(Exception):
    """There is nothing to fill up."""


class Practice:
    """One request of a person waits for the other: what is counted must be done before the next is
    counted."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._addresses: dict[str, str] = {}
        """Where the guests were who opened these tables."""

    async def open_table(
        self, who: str, command: c.OpenTable, key: str, session: str = "", address: str = ""
    ) -> CommandResult:
        """Open a table; practice tables are counted, those of guests by their address, too."""
        if not command.practice:
            return (await self.house.open_table(who, command, key, session))[1]
        async with self._turn(who), self._turn(f"at {address or who}"):
            mine = self.house.tables.opened_by(who)
            same = command.table or codec.short_name(f"{who}/{key}")
            refused: Refused | None = None
            if len(mine) >= MOST_TABLES and same not in mine:
                refused = Refused(_TOO_MANY)
            elif address and self._opened_at(address) >= MOST_OF_ADDRESS and same not in mine:
                message = f"{MOST_OF_ADDRESS} practice tables of your address are open: wait"
                refused = refuse("table/too-many", message)
            if refused is not None:
                await self.house.people.refuse_unless_done(refused, f"table:{same}", who, key)
            name, done = await self.house.open_table(who, command, key, session)
            if address:
                self._addresses[name] = address
        if not done.again:
            await self._counted_everywhere(who, name, done)
        return done

    def _opened_at(self, address: str) -> int:
        """Return how many open tables this process has opened for guests at an address."""
        tables, unseen = self.house.tables, self.house.live.unseen
        self._addresses = {
            name: where
            for name, where in self._addresses.items()
            if tables.get(name) is not None or name in unseen
        }
        return sum(each == address for each in self._addresses.values())

    async def _counted_everywhere(self, who: str, name: str, done: CommandResult) -> None:
        """Close it again where somebody opened others elsewhere before we had heard of them."""
        await self.house.caught_up(done.entry.position)
        if len(self.house.tables.opened_by(who)) > MOST_TABLES:
            await self.house.close_practice(name, _TOO_MANY.message)
            raise Refused(_TOO_MANY)

    @property
    def start_cents(self) -> int:
        """What everybody starts with."""
        return int(cents(self.house.settings["guest-play-chips"]))

    async def balance(self, who: str) -> int:
        """Return somebody's play chips: what they will start with, while they have done nothing."""
        if not (await self.house.person(who)).exists:
            return self.start_cents
        return await self.house.look(self.house.archive.balance, chips(who, practice=True))

    async def fill_up(self, who: str, key: str, session: str = "") -> None:
        """Give somebody play chips up to what everybody starts with, as a new guest will."""
        if await self.house.sessions.newcomer(who) is not None:
            return

        async def missing() -> tuple[persons.PersonEvent, ...]:
            has = await self.house.in_thread(self.house.store.balance, chips(who, practice=True))
            cents_missing = self.start_cents - has
            if cents_missing <= 0:
                raise _Enough
            return (persons.ChipsBought(cents_missing, practice=True),)

        with suppress(_Enough):
            await self.house.people.transact(who, who, key, missing, session=session)

    def _turn(self, who: str) -> asyncio.Lock:
        return self._turns.setdefault(who, asyncio.Lock())
