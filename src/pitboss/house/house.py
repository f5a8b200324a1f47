"""The live house: tables in memory, each a fold over its journal, and everything durable first.

Any process can serve any table. A command is decided on the table as this process knows it and
written at the next number of the table's stream; if another process was there first, the table is
caught up and the command is decided again. Nobody hears of anything before it is written.
"""

import asyncio
import contextlib
import logging
import secrets
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import time_ns
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

from pitboss.errors import Refusal, Refused
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person
from pitboss.house.settings import Settings
from pitboss.house.storage import codec
from pitboss.house.storage.journal import START, Entry, linked
from pitboss.house.storage.projections import (
    LoadedTable,
    PeopleCache,
    kept,
    kept_person,
    open_tables,
    read_record,
    read_table,
)
from pitboss.house.storage.store import (
    BREATH,
    AlreadyDone,
    Conflict,
    Draft,
    Overdrawn,
    Store,
    Unavailable,
)
from pitboss.house.storage.subscriber import JournalSubscriber
from pitboss.house.table import commands as c
from pitboss.house.table import procedure
from pitboss.house.table.fair import Sealed, seal
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import Actor, Context, UnitOfWork
from pitboss.rulebook import ids, load
from pitboss.settle import Player

T = TypeVar("T")

TRIES = 20
"""How often a command is decided again when others are quicker."""

SWEEP_SECONDS = 60.0

MOST_TABLES = 5_000
"""How many may be open at once."""


BOT_CENTS = 10_000_000
"""What a bot gets when it has no play chips left."""

LAST_SECONDS = 1.0
"""How long a house that stops waits for a database that does not answer."""


def utc_now() -> int:
    """Return the time: milliseconds since 1970, UTC."""
    return time_ns() // 1_000_000


def fresh_deck() -> Sealed:
    """Shuffle with the operating system's randomness."""
    return seal(secrets.token_bytes)


class CommandResult(msgspec.Struct, frozen=True):
    """A command that was done: the entry, what it holds, and whether it had been done before."""

    entry: Entry
    body: codec.Body
    again: bool = False


class House:
    """Everything that can be asked of a house; the web and the tests call nothing else."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], int] = utc_now,
        deck: Callable[[], Sealed] = fresh_deck,
    ) -> None:
        self.store, self.clock, self.deck = store, clock, deck
        self.settings = Settings({})
        since = partial(self.read, store.since)
        self.hearing = JournalSubscriber(store, since, self._advance, self.schedule)
        self._tables: dict[str, LoadedTable] = {}
        self._records = PeopleCache(partial(self.read, read_record, store))
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By table, while somebody has to do with it."""
        self._decided: dict[str, tuple[str, LoadedTable]] = {}
        """By stream: the hash of what is being written, and the table as it will stand then."""
        self._timers: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        """By table: when it is looked at next, at the latest when its clock runs out."""
        self._botting: set[str] = set()
        """Tables whose bots are at work."""
        self._threads = ThreadPoolExecutor(4, "house")
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = threading.Event()

    # Starting and stopping --------------------------------------------------------------------

    async def start(self) -> None:
        """Load every open table and begin to follow the journal."""
        self._loop = asyncio.get_running_loop()
        self.hearing.begin(await self.read(self.store.position))
        self.settings = Settings(await self.read(self.store.all_kept, "setting"))
        for name in await self.read(open_tables, self.store):
            await self.table(name)
        self.hearing.follow(self._stopped)
        self.schedule(self._sweep)

    async def stop(self) -> None:
        """Finish what is being done, then close the store."""
        self._stopped.set()
        for _, timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.hearing.thread is not None:
            await asyncio.to_thread(self.hearing.thread.join, LAST_SECONDS)
        await asyncio.to_thread(self.store.close, LAST_SECONDS)
        self._threads.shutdown(wait=False, cancel_futures=True)

    @property
    def position(self) -> int:
        """How much of the journal this process has heard of."""
        return self.hearing.position

    async def read(self, function: Callable[..., T], *values: Any) -> T:
        """Ask the store something without keeping everybody else waiting."""
        return await self._loop.run_in_executor(self._threads, function, *values)

    def schedule(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Have this done soon, and again while the database is gone."""
        if not self._stopped.is_set():
            task = asyncio.ensure_future(self._until_done(work))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _until_done(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                return await work()
            except Unavailable:
                await asyncio.sleep(BREATH)
            except Exception:  # our mistake: it must be seen, and must not end anything else
                logging.getLogger("pitboss").exception("in the background: %r", work)
                return None

    async def _sweep(self) -> None:
        """Now and then, close practice tables at which nothing has happened for long."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            since = self.clock() - 60_000 * int(self.settings["practice-idle-minutes"])
            for live in self.tables():
                table = live.table
                if table.practice and not table.under_way and live.changed < since:
                    self.schedule(partial(self._close_idle, table.id))

    async def _close_idle(self, name: str) -> None:
        with contextlib.suppress(Refused):  # somebody came back at the last moment
            await self._do(name, Actor("clock"), c.CloseTable("nobody plays here"), "")

    # What was written -------------------------------------------------------------------------

    def _advance(self, entry: Entry) -> None:
        """Let the table or person whose entry this is go on."""
        kind, _, name = entry.stream.partition(":")
        if kind == "person":
            self._records.hear(name, entry)
        elif kind == "house":
            self.schedule(self._reload_settings)
        else:
            self._advance_table(name, entry)

    async def _reload_settings(self) -> None:
        self.settings = Settings(await self.read(self.store.all_kept, "setting"))

    def _advance_table(self, name: str, entry: Entry) -> None:
        live = self._tables.get(name)
        if live is not None and entry.seq <= live.seq:
            return
        decided = self._decided.get(entry.stream)
        if decided is not None and decided[0] == entry.hash:
            after = decided[1]
        elif live is not None and entry.seq == live.seq + 1:
            after = live.after(entry)
        else:
            self._forget(name)
            return
        self._remember(name, after)

    def _remember(self, name: str, live: LoadedTable) -> None:
        if not live.table.open:  # it may be opened again by other rules
            self._tables.pop(name, None)
            return
        self._tables[name] = live
        live.changed = self.clock()
        if name not in self._botting and any(each.bot for each in live.table.sitters.values()):
            self._botting.add(name)
            self.schedule(partial(self._play_bots, name))
        if live.table.until:
            self._mind_clock(name, live.table.until)

    def _mind_clock(self, name: str, until: int) -> None:
        """Look at a table when its clock runs out; a timer that rings earlier is wound up then."""
        known = self._timers.get(name)
        if known is None or known[0] > until:
            if known is not None:
                known[1].cancel()
            seconds = max(0, until - self.clock()) / 1000
            self._timers[name] = until, self._loop.call_later(seconds, self._ring, name)

    def _ring(self, name: str) -> None:
        del self._timers[name]
        live = self._tables.get(name)
        if live is None or not live.table.until:
            return
        if live.table.until > self.clock():
            self._mind_clock(name, live.table.until)
        else:
            self.schedule(partial(self._tick, name))

    def _forget(self, name: str) -> None:
        """Look at a table anew, soon: its clock must run here even where nobody asks for it."""
        self._tables.pop(name, None)
        self.schedule(partial(self._look_at, name))

    async def _look_at(self, name: str) -> None:
        with contextlib.suppress(Refused):
            await self._fetch(name)

    async def _tick(self, name: str) -> None:
        """The clock of a table ran out: whichever process is first says so."""
        try:
            await self._do(name, Actor("clock"), c.Tick(), "")
        except Refused as no:
            live = self._tables.get(name)
            if no.refusal.code == "clock/not-yet" and live is not None:
                self._remember(name, live)  # the computer's clock was set back, or another's is

    async def _play_bots(self, name: str) -> None:
        """Let the bots of a table do what they have to do; they may not know more than a seat."""
        from pitboss.house import bots  # the maths is loaded only where bots play

        try:
            while (live := self._tables.get(name)) is not None:
                found = await self.read(bots.move, live.book, live.table)
                if found is None:
                    if self._tables.get(name) is live:
                        return
                    continue  # somebody else did something meanwhile
                seat, action = found
                bot = live.table.sitters[seat]
                try:
                    await self._do(name, Actor(bot.person), action, "", live.table.moment)
                except Refused as no:
                    if no.refusal.code == "chips/not-enough":
                        await self.record("house", bot.person, "", _play_chips(BOT_CENTS))
                    elif self._tables.get(name) is live:
                        return
        except Unavailable:
            self._forget(name)  # they go on when the table is seen again
        finally:
            self._botting.discard(name)

    # Tables -----------------------------------------------------------------------------------

    async def table(self, name: str) -> LoadedTable:
        """Return a table as it stands."""
        return self._tables.get(name) or await self._fetch(name)

    async def _fetch(self, name: str) -> LoadedTable:
        found = await self.read(read_table, self.store, name)
        if found is None:
            raise Refused(Refusal("table/unknown", f"there is no table {name[:40]!r}"))
        live = self._tables.get(name)
        if live is None or live.seq < found.seq:
            live = found
            self._remember(name, live)
        return live

    def tables(self) -> list[LoadedTable]:
        """Return every open table that this process knows."""
        return [live for live in self._tables.values() if live.table.open]

    async def open_table(
        self, who: Person, command: c.OpenTable, key: str
    ) -> tuple[str, CommandResult]:
        """Open a table, new or closed before; the same key always means the same table."""
        permissions.allow(who.roles, "open-practice" if command.practice else "open-table")
        if command.rulebook not in ids():
            known = ", ".join(ids())
            raise Refused(Refusal("rulebook/unknown", f"the rulebooks are {known}", "", "rulebook"))
        if len(self.tables()) >= MOST_TABLES:
            raise Refused(Refusal("server/full", f"{MOST_TABLES} tables are open"))
        name = command.table or codec.short_name(f"{who.id}/{key}")
        if command.table:
            before = (await self.table(name)).table
            if before.practice != command.practice:
                message = "a practice table stays one, and so does any other"
                raise Refused(Refusal("table/other-money", message))
            if before.practice:
                permissions.allow(
                    permissions.roles_at(before, who), "close-table"
                )  # whoever may close it may open it
        return name, await self._do(name, permissions.actor(who), command, key)

    async def command(
        self, name: str, who: Person, command: c.Command, key: str, moment: str = ""
    ) -> CommandResult:
        """Do what somebody asks of a table.

        ``moment`` is what the table was waiting for when they asked; a seat's bets and decisions
        need it, so that none is taken for something else when it comes late.
        """
        live = await self.table(name)
        roles = permissions.roles_at(live.table, who)
        permissions.allow(roles, str(command.__struct_config__.tag))
        if isinstance(command, c.Sit):
            clause = live.book.tax.held_clause
            permissions.may_sit(who, practice=live.table.practice, clause=clause)
        if isinstance(command, c.SeatBot):
            from pitboss.house import bots

            await self.read(bots.chooser, live.book, command.strategy)
        timed = isinstance(command, c.SeatAction)
        return await self._do(
            name, permissions.actor(who, roles), command, key, moment if timed else None
        )

    async def _do(
        self, name: str, who: Actor, command: Any, key: str, moment: str | None = None
    ) -> CommandResult:
        stream = f"table:{name}"
        lock = self._locks.setdefault(name, asyncio.Lock())
        async with lock:
            for _ in range(TRIES):
                live = await self._for(name, command)
                try:
                    if moment is not None and moment != live.table.moment:
                        raise _late(moment, live.table.moment)
                    now = self._now(live.seq + 1, await self._players(live.table))
                    unit = procedure.do(live.book, live.table, command, who, now)
                except Refused:
                    before = await self._before(stream, who.person, key)
                    if before is not None:
                        return _same(before, command)
                    if await self.read(self.store.last, stream) > live.seq:
                        self._forget(name)  # we had not heard of something yet
                        continue
                    raise
                body = codec.decided(unit, command)
                draft, after = self._draft(stream, live, unit, body, key)
                self._decided[stream] = (draft.entry.hash, after)
                try:
                    return CommandResult(await self._append(draft), body)
                except AlreadyDone as done:
                    if done.entry.seq > live.seq:
                        self._forget(name)  # we had not heard of it yet
                    return _same(done.entry, command)
                except Conflict:
                    self._forget(name)
                except Overdrawn:
                    message = "there are not enough chips for that"
                    raise Refused(Refusal("chips/not-enough", message)) from None
                except Unavailable:
                    self._forget(name)
                    raise
                finally:
                    self._decided.pop(stream, None)
        raise Unavailable("others are quicker all the time; try again")

    async def _for(self, name: str, command: Any) -> LoadedTable:
        if isinstance(command, c.OpenTable):
            book = load(command.rulebook)
            try:
                live = await self.table(name)
            except Refused:
                return LoadedTable(book, Table(name), 0, START)
            return LoadedTable(book, live.table, live.seq, live.link)
        return await self.table(name)

    async def _players(self, table: Table) -> dict[str, Player]:
        """Return what is known of those who sit here."""
        here = [each.person for each in table.sitters.values() if not each.bot]
        return {name: (await self._records.of(name))[0].player for name in here}

    def _now(self, entry: int, players: dict[str, Player]) -> Context:
        at = self.clock()
        return Context(at, self.settings.day(at), self.deck, entry, players)

    async def _before(self, stream: str, actor: str, key: str) -> Entry | None:
        return await self.read(self.store.by_key, stream, actor, key) if key else None

    def _draft(
        self, stream: str, live: LoadedTable, unit: UnitOfWork, body: codec.Body, key: str
    ) -> tuple[Draft, LoadedTable]:
        entry = linked(
            Entry(
                stream=stream,
                seq=live.seq + 1,
                at=unit.now.at,
                actor=unit.who.person,
                key=key,
                body=codec.text(body),
            ),
            live.link,
        )
        after = LoadedTable(live.book, unit.table, entry.seq, entry.hash)
        return Draft(entry, tuple(unit.postings), kept(live.book, entry, live.table, unit)), after

    async def _append(self, draft: Draft) -> Entry:
        future: asyncio.Future[Entry] = self._loop.create_future()
        self.store.append(draft, future)
        return await future

    # People -----------------------------------------------------------------------------------

    async def person(self, name: str) -> Person:
        """Return what is known of somebody."""
        return (await self._records.of(name))[0]

    async def record(self, actor: str, name: str, key: str, *events: persons.PersonEvent) -> Entry:
        """Write something of a person; raises ``Refused`` where an account does not hold it."""
        for _ in range(TRIES):
            person, seq, link = await self._records.of(name)
            after = person
            moved: list[tuple[str, int]] = []
            for event in events:
                after = persons.evolve(after, event)
                moved += persons.postings(name, event)
            stream, body = f"person:{name}", codec.recorded(*events)
            at = self.clock()
            entry = Entry(stream=stream, seq=seq + 1, at=at, actor=actor, key=key, body=body)
            entry = linked(entry, link)
            rows = kept_person(entry, after)
            try:
                return await self._append(Draft(entry, tuple(moved), rows))
            except Overdrawn:
                message = "the account does not hold so much"
                raise Refused(Refusal("chips/not-enough", message)) from None
            except AlreadyDone as done:
                self._records.forget(name)
                return done.entry
            except Unavailable:
                self._records.forget(name)
                raise
            except Conflict:
                self._records.forget(name)
                if any(isinstance(each, persons.PersonAdded) for each in events):
                    message = f"the name {name} is taken"
                    raise Refused(Refusal("person/taken", message)) from None
        raise Unavailable("others are quicker all the time; try again")

    async def change_setting(self, actor: str, name: str, value: str, why: str, key: str) -> Entry:
        """Change a setting of the house."""
        for _ in range(TRIES):
            entries = await self.read(self.store.rows, _LAST_OF_HOUSE)
            seq, link = entries[0] if entries else (0, START)
            body = codec.recorded(persons.SettingChanged(name, value, why))
            at = self.clock()
            entry = Entry(stream="house", seq=seq + 1, at=at, actor=actor, key=key, body=body)
            entry = linked(entry, link)
            try:
                done = await self._append(Draft(entry, (), (("setting", name, value),)))
            except AlreadyDone as before:
                done = before.entry
            except Conflict:
                continue
            await self._reload_settings()
            return done
        raise Unavailable("others are quicker all the time; try again")


_LAST_OF_HOUSE = "SELECT seq, hash FROM journal WHERE stream = 'house' ORDER BY seq DESC LIMIT 1"


def _play_chips(cents: int) -> persons.ChipsBought:
    return persons.ChipsBought(cents, practice=True)


def _late(asked: str, now: str) -> Refused:
    message = f"this was meant for moment {asked[:20] or '?'}, and the table is at {now}"
    return Refused(Refusal("command/late", message, "", "moment"))


def _same(before: Entry, command: Any) -> CommandResult:
    """Return what was done before with this key, if it was the same command."""
    body = codec.body(before.body)
    if bytes(body.command) != codec.encode(command):
        message = "this key was used for another command"
        raise Refused(Refusal("command/key-reused", message, "", "key"))
    return CommandResult(before, body, again=True)
