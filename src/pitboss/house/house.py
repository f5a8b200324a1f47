"""The live house: its tables, people, clocks and bots put together, everything durable first.

Any process can serve any table; what others write is heard of through the journal.
"""

import asyncio
import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from pitboss.errors import Refused, refuse
from pitboss.house.bot_runner import BotRunner
from pitboss.house.clock import HouseClock
from pitboss.house.clocks import AWAY_SECONDS, Clocks
from pitboss.house.deck_safe import DeckSafe, fresh_deck
from pitboss.house.house_stream import STREAM, next_entry
from pitboss.house.live_tables import CommandResult, LiveTables, Who
from pitboss.house.people import permissions, persons
from pitboss.house.registry import Registry
from pitboss.house.rulebook_shelf import Shelf, read_shelf, read_version
from pitboss.house.sessions import Sessions
from pitboss.house.settings import Settings
from pitboss.house.storage import codec
from pitboss.house.storage.background import Background
from pitboss.house.storage.batch import EntryDraft, fence
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import LoadedTable, open_tables
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import AlreadyDone, Stale, Store, optimistically
from pitboss.house.storage.subscriber import JournalSubscriber
from pitboss.house.table import commands as c
from pitboss.house.table.fair import Sealed
from pitboss.house.table.state import Table, unknown_table
from pitboss.house.table.unit_of_work import CLOCK, Actor, Context
from pitboss.rulebook import Rulebook

SWEEP_SECONDS = 60.0

PAUSE_SECONDS = 30.0
"""Whoever sweeps so much later than that was stopped, or asleep: nobody could play meanwhile."""

BEAT_SECONDS = 0.5
"""How often it is looked whether this process was stopped for a while, or its machine asleep."""

COMPARE_SECONDS = 5.0
"""How often our clock is compared with the database's."""

MOST_PRACTICE_TABLES, MOST_REAL_TABLES = 5_000, 1_000
"""How many may be open at once; neither can use up the other's room."""

MOST_OFFERED = 64
"""Books that are on no shelf; the oldest makes room."""

CAUGHT_UP_MS = 10_000
"""How long we wait to hear of what was written."""

TRIED_MS = 1_000
"""For how long one try to write tells whether the house is ready."""

LAST_SECONDS = 1.0
"""How long a house that stops waits for a database that does not answer."""


class House:
    """Everything that can be asked of a house; the web and the tests call nothing else."""

    def __init__(
        self,
        store: Store,
        *,
        clock: HouseClock | None = None,
        deck: Callable[[], Sealed] = fresh_deck,
    ) -> None:
        self.store, self.safe = store, DeckSafe(store.key, deck)
        self.clock = clock = clock or HouseClock(store.now)
        self.settings, self.shelf = Settings({}), Shelf()
        self._offered: dict[str, Rulebook] = {}
        """Books that are on no shelf, for practice tables that are opened now."""
        self._reloading = asyncio.Lock()
        """What is read later is news of later."""
        self._back = 0
        """When we last were stopped, or asleep: what nobody could do then counts from here."""
        self._trying = asyncio.Lock()
        self._tried: tuple[int, str] | None = None
        """When it was last tried to write, and why it could not be done."""
        self.background = Background()
        self.in_thread, self.schedule = self.background.in_thread, self.background.schedule
        self.look, self.archive = self.background.look, store.archive
        """For what visitors look at, and for bots."""
        self.people = Registry(store, self.background, clock)
        self.person, self.record = self.people.person, self.people.record
        self.live = LiveTables(
            store,
            self.background,
            elapsed=clock.elapsed,
            context=self._context,
            find=self._book_for,
            changed=self._changed,
            refresh=self.refresh,
        )
        self.table, self.table_if = self.live.table, self.live.table_if
        self.tables = self.live.open
        self._clocks = Clocks(
            lambda: not clock.difference_ms,
            lambda name, until: self.schedule(partial(self._tick, name, until)),
        )
        self._bots = BotRunner(self.live, self.people, self.background)
        self.sessions = Sessions(
            store, self.background, self.people, clock, lambda name: self.settings[name]
        )
        self.subscriber = JournalSubscriber(store, self.background, self._advance)

    # Starting and stopping --------------------------------------------------------------------

    async def start(self, *, restored: bool = False) -> int:
        """Load every open table and begin to follow the journal; how many decks were sealed anew.

        Where the database was put back, no card is dealt of a deck that was sealed before, and none
        of a deck that was locked with another key; a session that a password began may be one that
        was ended since, and all of them end.
        """
        self.background.start()
        await self.in_thread(self.clock.set)
        self.subscriber.begin(await self.in_thread(self.store.newest))
        await self._reload()
        if restored:
            await self.sessions.end_all()
        anew = 0
        for name in await self.in_thread(open_tables, self.store):
            live = await self.table(name)
            # A round of which a seat was paid is paid to its end: no card of it is still to come.
            if (restored and not live.table.paid) or not self.safe.opens(live.table):
                with contextlib.suppress(Refused):  # no deck lies there, or real cards are dealt
                    await self.live.do(name, Actor(permissions.HOUSE), c.SealAnew(), "")
                    anew += 1
        self.subscriber.follow(self.background.stopped)
        self.schedule(self._sweep)
        self.schedule(self._compare_clocks)
        return anew

    async def stop(self) -> None:
        """Finish what is being done, then close the store."""
        self._clocks.stop()
        await self.background.stop()
        if self.subscriber.thread is not None:
            await asyncio.to_thread(self.subscriber.thread.join, LAST_SECONDS)
        await asyncio.to_thread(self.store.close, LAST_SECONDS)
        self.background.close()

    async def ready(self) -> None:
        """Raise ``Unavailable`` where nothing can be read or written; one try is for everybody who
        asks within a second."""
        async with self._trying:
            if self._tried is None or self.clock.elapsed() - self._tried[0] >= TRIED_MS:
                why = ""
                try:
                    await self.in_thread(self.store.try_writing)
                except Unavailable as error:
                    why = str(error) or "nothing can be written"
                self._tried = self.clock.elapsed(), why
            if self._tried[1]:
                raise Unavailable(self._tried[1])

    @property
    def position(self) -> int:
        """How much of the journal this process has heard of."""
        return self.subscriber.position

    async def caught_up(self, position: int) -> None:
        """Wait until this process knows every table as of there, whoever wrote it."""
        ends = self.clock.elapsed() + CAUGHT_UP_MS
        unseen: set[str] | None = None
        while self.position < position or unseen is None or unseen & self.live.unseen:
            if self.clock.elapsed() > ends:
                raise Unavailable("what others wrote is not heard of")
            if self.position >= position and unseen is None:
                unseen = {*self.live.unseen}
                continue
            await asyncio.sleep(0.01)

    # What was written -------------------------------------------------------------------------

    def _advance(self, entry: Entry) -> None:
        """Let whoever's entry this is go on: a table, a person or the house itself."""
        kind, _, name = entry.stream.partition(":")
        if kind == "person":
            self.people.hear(name, entry)
            self.sessions.hear(name, entry)
        elif kind == "house":
            self.schedule(self._reload)
        else:
            self.live.hear(name, entry)

    async def _reload(self, after: int | None = None) -> None:
        """Read the house's own stream anew; no further where it is known to have gone on."""
        async with self._reloading:
            if after is not None and self.settings.version > after:
                return
            # In this order: settings may then be newer than their number, never older.
            version, _ = await self.in_thread(self.store.last, "house")
            known = await self.in_thread(self.store.all_kept, "setting")
            shelf = await self.in_thread(read_shelf, self.store)
            self.settings, self.shelf = Settings(known, version), shelf

    # Tables without anybody who asks ----------------------------------------------------------

    def _changed(self, name: str, live: LoadedTable) -> None:
        table = live.table
        self._clocks.mind(name, table.until if table.open else 0, table.clock_ms)
        if table.open:
            self._bots.look(name, live)

    async def _tick(self, name: str, until: int) -> None:
        """The clock of a table ran out: whichever process is first says so."""
        try:
            await self.live.do(name, Actor(CLOCK), c.Tick(until), "")
        except Refused:
            return  # somebody was quicker, and it runs no more
        except Unavailable:
            self._clocks.begin_anew(name)  # nobody could decide anything either

    async def _compare_clocks(self) -> None:
        """Now and then, see that the database has our time; while it has another, no clock of a
        table runs out here."""
        away, compared = False, 0.0
        while True:
            before = self.clock.elapsed()
            await asyncio.sleep(BEAT_SECONDS)
            slept = (self.clock.elapsed() - before) / 1000
            away = away or slept > BEAT_SECONDS + AWAY_SECONDS
            compared += slept
            if away or compared >= COMPARE_SECONDS:
                try:
                    away |= await self.in_thread(self.clock.compare)
                except Unavailable:  # nobody can decide anything meanwhile
                    away = True
                    continue
                if away:
                    self._clocks.begin_anew()
                away, compared = False, 0.0

    async def _sweep(self) -> None:
        """Now and then, close practice tables at which nothing has happened for long."""
        now = asyncio.get_running_loop().time
        while True:
            due = now() + SWEEP_SECONDS
            await asyncio.sleep(SWEEP_SECONDS)
            if now() > due + PAUSE_SECONDS:
                self._back = self.clock.elapsed()
            for live in self.tables:
                if self.idle(live):
                    close = c.CloseTable("nobody plays here")
                    self.schedule(partial(self._close, live.table.id, _Sweeper(self), close))

    def idle(self, live: LoadedTable) -> bool:
        """Whether nothing has happened for long at a practice table, of the time that we ran."""
        since = self.clock.elapsed() - 60_000 * int(self.settings["practice-idle-minutes"])
        happened = max(live.changed, self._back)
        return live.table.practice and not live.table.until and happened < since

    async def close_practice(self, name: str, why: str) -> None:
        """Close a practice table; a round that nobody goes on with is called off."""
        await self._close(name, Actor(CLOCK), c.CloseTable(why))

    async def _close(self, name: str, who: Who, close: c.CloseTable) -> None:
        with contextlib.suppress(Refused):
            await self.live.do(name, who, close, "")

    # Tables -----------------------------------------------------------------------------------

    async def open_table(
        self, who: str, command: c.OpenTable, key: str, session: str = ""
    ) -> tuple[str, CommandResult]:
        """Open a table, new or closed before; the same key always means the same table."""
        self._book_for(command)
        name = command.table or codec.short_name(f"{who}/{key}")
        most = MOST_PRACTICE_TABLES if command.practice else MOST_REAL_TABLES
        if self.tables.count(practice=command.practice) >= most and self.tables.get(name) is None:
            kind = "practice tables" if command.practice else "tables with real chips"
            full = refuse("server/full", f"{most:,} {kind} are open")
            await self.people.refuse_unless_done(full, f"table:{name}", who, key)
        if command.table:
            await self._opened_before(name)
        return name, await self._do(name, _Asker(self, who, session), command, key)

    async def _opened_before(self, name: str) -> None:
        try:
            await self.table(name)
        except Refused as refused:
            if refused.refusal.code != "table/unknown":
                raise
            message = (
                f"there is no table {name[:40]!r} to open again: `table` names one that was closed;"
                " without it a new one is opened, which gets its own name"
            )
            raise refuse("table/unknown", message, place="command.table") from None

    async def command(
        self,
        name: str,
        who: str,
        command: c.Command | c.Invitation,
        key: str,
        moment: str = "",
        session: str = "",
    ) -> CommandResult:
        """Do what somebody asks of a table, in a session of theirs.

        ``key`` is their idempotency key. ``moment`` is an optimistic-concurrency token, what the
        table was waiting for when they asked; a seat's bets and decisions need it, so that none is
        taken for something else when it comes late.
        """
        await self.table(name)
        asker = _Asker(self, who, session)
        if isinstance(command, c.SeatBot):
            from pitboss.house import bots

            live = await self.table(name)
            with contextlib.suppress(Refused):  # it is said below, unless it was done before
                await asker.allowed(live, command)
                await self.look(bots.chooser, live.book, command.strategy)
        timed = isinstance(command, c.SeatAction | c.CutDeck)
        return await self._do(name, asker, command, key, moment if timed else None)

    async def _do(
        self, name: str, asker: "_Asker", command: Any, key: str, moment: str | None = None
    ) -> CommandResult:
        """Do it; a guest's first act has them written down, unless it is refused."""
        newcomer = await self.sessions.newcomer(asker.person)
        if newcomer is not None:
            guest = msgspec.structs.replace(asker, newcomer=newcomer)
            await self.live.rehearse(name, guest, command, moment)
            await self.sessions.join(asker.person, asker.session)
        return await self.live.do(name, asker, command, key, moment)

    async def invite(self, name: str, who: str, session: str = "") -> str:
        """Make an invitation to somebody's practice table; an earlier one is worth nothing.

        The table keeps the hash of its secret alone: it is told once, here.
        """
        secret = secrets.token_urlsafe(16)
        await self.command(name, who, c.Invite(_hash(secret)), "", session=session)
        return f"{name}.{secret}"

    async def enter(self, invitation: str, who: str, session: str = "") -> str:
        """Let somebody come to a table by an invitation, and return the table's name."""
        name, _, secret = invitation.partition(".")
        enter = c.Enter(_hash(secret))
        live = await self.table_if(
            name, lambda table: hmac.compare_digest(enter.invitation, table.invitation)
        )
        if live is None:
            raise unknown_table(name)
        if who != live.table.opener and not live.table.admitted.get(who):
            await self.command(name, who, enter, "", session=session)
        return name

    async def refresh(self, stale: Stale) -> None:
        """Look again at what was no longer so when something was to be written."""
        for stream, relied in stale.streams.items():
            kind, _, name = stream.partition(":")
            if kind == "person":
                self.people.forget(name)
            elif kind == "house":
                await self._reload(after=relied)

    async def _context(self, table: Table, entry: int) -> Context:
        """Return what a command at this table is decided with, besides the table itself."""
        here = [each.person for each in table.sitters.values() if not (each.bot or each.patron)]
        known = {name: await self.people.version(name) for name in here}
        at = self.clock()
        return Context(
            at=at,
            day=self.settings.day(at),
            seal=self.safe.seal,
            unlock=self.safe.unlock,
            entry=entry,
            players={name: person.player for name, (person, _) in known.items()},
            records={name: record for name, (_, record) in known.items()},
            settings=self.settings.version,
        )

    # The house itself -------------------------------------------------------------------------

    async def rulebook(self, name: str, sha256: str = "") -> Rulebook:
        """Return a book of the shelf, or the version of it with this hash that tables once had."""
        if sha256 in ("", self.shelf.version(name)):
            return self.shelf.find(name)
        return await self.look(read_version, self.archive, name, sha256)

    def offer(self, book: Rulebook) -> None:
        """Let practice tables be opened with a book that was checked and is on no shelf."""
        self._offered[book.id] = book
        if len(self._offered) > MOST_OFFERED:
            self._offered.pop(next(iter(self._offered)))

    def _book_for(self, command: c.OpenTable) -> Rulebook:
        """Return the rules of a table that is to be opened: with real chips only the shelf's."""
        offered = self._offered.get(command.rulebook) if command.practice else None
        return offered or self.shelf.find(command.rulebook)

    async def change_setting(
        self, actor: str, name: str, value: str, why: str, key: str, session: str = ""
    ) -> Entry:
        event = persons.SettingChanged(name, value, why)

        async def attempt() -> Entry:
            record = await self.people.allowed(actor, STREAM, key, event)
            entry = await self.in_thread(
                next_entry, self.store, self.clock(), actor, key, event, record
            )
            draft = EntryDraft(
                entry=entry,
                kept=(("setting", name, value),),
                relied=fence({actor: record}),
                session=session,
            )
            try:
                return await self.store.write(draft)
            except Stale as stale:
                await self.refresh(stale)
                raise

        try:
            done = await optimistically(attempt)
        except AlreadyDone as before:
            done = before.entry
        await self._reload()
        return done


def _hash(secret: str) -> str:
    return hashlib.sha256(f"invitation/{secret}".encode()).hexdigest()


class _Asker(msgspec.Struct, frozen=True):
    """A person who asks something of a table, in a session of theirs."""

    house: House
    person: str
    session: str
    newcomer: persons.Person | None = None
    """Who they will be once they are written down."""

    async def allowed(
        self, live: LoadedTable, command: c.OpenTable | c.Command | c.Invitation
    ) -> Actor:
        """Return what they are there now; raises ``Refused`` where they may not ask this."""
        who, record = await self.house.people.version(self.person)
        who = self.newcomer or who
        clause = live.book.tax.clause_on("held")
        roles = permissions.allow_at(live.table, who, command, clause)
        return permissions.actor(who, roles, record=record, session=self.session)


class _Sweeper(msgspec.Struct, frozen=True):
    """Closes what nobody uses, if that is still so when it is decided."""

    house: House
    person: str = CLOCK

    async def allowed(self, live: LoadedTable, _command: Any) -> Actor:
        if not self.house.idle(live):
            raise refuse("command/late", "somebody plays here again")
        return Actor(CLOCK)
