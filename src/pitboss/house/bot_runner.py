"""Bots at live tables: whoever sees a table with bots that have something to do lets them do it."""

from functools import partial

from pitboss.errors import Refused
from pitboss.house.live_tables import LiveTables
from pitboss.house.people.persons import ChipsBought
from pitboss.house.registry import Registry
from pitboss.house.storage.background import Background
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.storage.reader import Unavailable
from pitboss.house.table.unit_of_work import Actor

BOT_CENTS = 10_000_000
"""What a bot gets when it has no play chips left."""


class BotRunner:
    """Lets the bots of one table after the other decide; they may not know more than a seat."""

    def __init__(self, tables: LiveTables, people: Registry, background: Background) -> None:
        self._tables, self._people, self._background = tables, people, background
        self._at_work: set[str] = set()
        """Tables whose bots are at work."""

    def look(self, name: str, live: LoadedTable) -> None:
        if name not in self._at_work and any(each.bot for each in live.table.sitters.values()):
            self._at_work.add(name)
            self._background.schedule(partial(self._play, name))

    async def _play(self, name: str) -> None:
        try:
            while (live := self._tables.known(name)) is not None:
                if await self._move(name, live):
                    return
        except Unavailable:
            self._tables.forget(name)  # they go on when the table is seen again
        finally:
            self._at_work.discard(name)

    async def _move(self, name: str, live: LoadedTable) -> bool:
        """Let one of them do something; whether nothing is left to do until the table changes."""
        from pitboss.house import bots  # the maths is loaded only where bots play

        found = await self._background.look(bots.move, live.book, live.table)
        if found is None:
            return self._tables.known(name) is live  # else somebody did something meanwhile
        seat, action = found
        bot = live.table.sitters[seat].person
        try:
            await self._tables.do(name, Actor(bot), action, "", live.table.moment)
        except Refused as no:
            if no.refusal.code != "chips/not-enough":
                return self._tables.known(name) is live
            await self._people.record("house", bot, "", ChipsBought(BOT_CENTS, practice=True))
        return False
