"""A night: people and trouble at a house for a while, and what is found of it afterwards."""

import asyncio
import random
import time
import traceback
from pathlib import Path

from tests.adversary import checks
from tests.adversary.cast import CAST, GUESTS, PIT
from tests.adversary.disturbances import Premises, Trouble
from tests.adversary.people import live
from tests.adversary.program import Starter
from tests.adversary.records import Record
from tests.adversary.somebody import Somebody


class Night:
    """One seed, one house."""

    def __init__(self, seed: int, where: str, folder: Path, starter: Starter) -> None:
        self.seed = seed
        servers = random.Random(f"{seed}/servers").choice([1, 2, 2])
        self.premises = Premises(where, folder, starter, servers)
        self.record = Record()
        self.steps, self.seconds = 0, 0.0
        """How much was asked for, in which time; not counted what comes before and after."""
        self.over, self.epoch = False, 0
        """An epoch ends when a backup is put in place."""
        self.gate = asyncio.Event()
        """Closed while there is no house."""
        self.tables: list[str] = []
        self.shut: set[str] = set()
        self.patrons: set[str] = set()
        """Who had no account and sat at a table: what they are called there."""
        self.invitations: dict[str, str] = {}
        """To practice tables: everybody passes them on."""
        self.listeners = 0
        self.needs_secret = False
        self._lost: list[Somebody] = []
        self.people = [Somebody(self, name, roles) for name, roles in CAST.items()]
        self.guests = [Somebody(self, f"g{number}", ("guest",)) for number in range(GUESTS)]

    # What people tell each other ----------------------------------------------------------------

    def somebody(self, chance: random.Random, *, guests: bool = False) -> Somebody:
        return chance.choice([*self.people, *self.guests] if guests else self.people)

    @property
    def private(self) -> list[str]:
        """Practice tables, as far as others were told of them."""
        return [each for each in self.tables if each in self.invitations]

    def opened(self, table: str) -> None:
        self.shut.discard(table)
        if table not in self.tables:
            self.tables.append(table)

    def closed(self, table: str) -> None:
        self.shut.add(table)
        if table in self.tables:
            self.tables.remove(table)

    def seen_as(self, person: str, roles: set[str]) -> None:
        if roles & {*PIT, "auditor"}:
            self.record.staff.add(person)

    def lost(self, somebody: Somebody) -> None:
        """Somebody has no password that serves: an administrator helps, or else the console."""
        if somebody.name == "admin":
            self.needs_secret = True
        elif somebody not in self._lost:
            self._lost.append(somebody)

    def to_help(self) -> Somebody | None:
        return self._lost.pop() if self._lost else None

    def told_secret(self, secret: str) -> None:
        admin = self.people[0]
        admin.passwords, admin.token, self.needs_secret = [secret], "", False

    def leave_behind(self, since: float, position: int) -> None:
        """The house is an earlier one again."""
        self.epoch += 1
        self.record.forget(since, position)
        self.tables.clear()
        self.shut.clear()
        for each in [*self.people, *self.guests]:
            each.token = ""
            each.opened.clear()

    # The night ----------------------------------------------------------------------------------

    async def run(self, seconds: float) -> None:
        """Let it happen, and look what is to be found afterwards."""
        try:
            for server in self.premises.servers:
                where, key, first = self.premises.where, self.premises.key, not server.number
                secret = await asyncio.to_thread(server.start, where, key, first=first)
                if secret:
                    self.told_secret(secret)
            self.gate.set()
            await self._staff()
            await self._live(seconds)
        finally:
            said = await asyncio.to_thread(self.premises.close)
        self.record.findings += [f"a server said: {each[-3000:]}" for each in said]
        self.record.findings += await asyncio.to_thread(self.findings)

    def findings(self) -> list[str]:
        """What is wrong with the database as it stands, no server running."""
        return checks.findings(self.premises.where, self.premises.key, self.record)

    async def _live(self, seconds: float) -> None:
        everybody = [*self.people, *self.guests]
        begun, before = time.monotonic(), self.record.counts["steps"]
        living = [asyncio.create_task(live(each)) for each in everybody]
        troubling = asyncio.create_task(Trouble(self).go_on())
        # Whoever ends before the time has failed, and says why below.
        await asyncio.wait([troubling, *living], timeout=seconds, return_when="FIRST_COMPLETED")
        self.over = True
        self._ended(*await asyncio.gather(troubling, return_exceptions=True))
        self.gate.set()
        self._ended(*await asyncio.gather(*living, return_exceptions=True))
        self.steps = self.record.counts["steps"] - before
        self.seconds = time.monotonic() - begun
        streams = [each.listening for each in everybody if each.listening is not None]
        for stream in streams:
            stream.cancel()
        self._ended(*await asyncio.gather(*streams, return_exceptions=True))

    def _ended(self, *how: BaseException | None) -> None:
        for each in how:
            if each is not None and not isinstance(each, asyncio.CancelledError):
                self.record.found("".join(traceback.format_exception(each)))

    async def _staff(self) -> None:
        """Make the people with names; each of them sets a password of their own later."""
        admin, *others = self.people
        while not await admin.enter():
            pass
        for each in others:
            body = {"name": each.name, "roles": each.own_roles, "why": "to begin with"}
            body |= {"key": admin.key(), "password": f"{each.name}-for-once"}
            status, told = 0, None
            while not status:  # a machine that is busy with other work may take its time
                status, told = await admin.ask("POST", "/api/people", body)
            assert status == 200, told
            each.passwords = [f"{each.name}-for-once"]
            self.seen_as(each.name, each.roles)
