"""Live tables: loaded, decided upon, written and moved on, by optimistic concurrency.

A command is decided on the table as this process knows it and written at the next number of the
table's stream; if another process was there first, the table is looked at anew and the command is
decided again. What it relies on besides (who asks, in which session, who sits there, the house's
settings) is fenced by the same write. Nobody hears of anything before it is written.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol
from weakref import WeakValueDictionary

import msgspec

from pitboss.errors import Refused, refuse
from pitboss.house.open_tables import OpenTables
from pitboss.house.storage import codec
from pitboss.house.storage.background import Background
from pitboss.house.storage.batch import EntryDraft, fence
from pitboss.house.storage.journal import START, Entry, following
from pitboss.house.storage.past_rounds import fenced_round
from pitboss.house.storage.projections import LoadedTable, kept, read_table
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import (
    KEY_REUSED,
    AlreadyDone,
    Conflict,
    Stale,
    Store,
    optimistically,
)
from pitboss.house.table import commands as c
from pitboss.house.table import procedure
from pitboss.house.table.fair import LockedDeck
from pitboss.house.table.state import Table, unknown_table
from pitboss.house.table.unit_of_work import Actor, Context, UnitOfWork
from pitboss.rulebook import Rulebook


class Asker(Protocol):
    """Somebody who asks something of a table: whether they may is looked at whenever it is decided,
    by their record as it stands then."""

    @property
    def person(self) -> str: ...

    async def allowed(self, live: LoadedTable, command: Any) -> Actor:
        """Return what they are there; raises ``Refused`` where they may not ask this."""


Who = Actor | Asker

_UNHEARD = "we had not heard of something yet"


class CommandResult(msgspec.Struct, frozen=True):
    """A command that was done: the entry, what it holds, and whether it had been done before."""

    entry: Entry
    body: codec.Body
    again: bool = False


class _Doubt(msgspec.Struct):
    """How far a table went when something was first to be refused there: once decided on all of
    that, it is refused. At a busy table there would always be more."""

    seq: int | None = None


class LiveTables:
    """The open tables, each a fold over its stream of the journal."""

    def __init__(
        self,
        store: Store,
        background: Background,
        *,
        elapsed: Callable[[], int],
        context: Callable[[Table, int], Awaitable[Context]],
        find: Callable[[c.OpenTable], Rulebook],
        changed: Callable[[str, LoadedTable], None],
        refresh: Callable[[Stale], Awaitable[None]],
    ) -> None:
        self._in_thread, self._schedule = background.in_thread, background.schedule
        self._store, self._elapsed = store, elapsed
        self._context, self._find, self._changed = context, find, changed
        self._refresh = refresh
        self.open = OpenTables()
        self.unseen: set[str] = set()
        """Tables that are to be looked at anew."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By table, while somebody has to do with it."""
        self._decided: dict[str, tuple[str, LoadedTable]] = {}
        """By table: the hash of what is being written, and the table as it will stand then."""

    # Loading ----------------------------------------------------------------------------------

    def known(self, name: str) -> LoadedTable | None:
        return self.open.get(name)

    async def table(self, name: str) -> LoadedTable:
        return self.open.get(name) or await self._load(name)

    async def table_if(self, name: str, fits: Callable[[Table], bool]) -> LoadedTable | None:
        """Return a table of which this is so; nothing where it is not, whoever wrote there last."""
        live = await self.table(name)
        if not fits(live.table) and await self._behind(name, live, _Doubt()):
            live = await self.table(name)
        return live if fits(live.table) else None

    async def _behind(self, name: str, live: LoadedTable, doubt: _Doubt) -> bool:
        """Whether more was written there than we had heard of; by now we know of it.

        It is asked before somebody is refused what we may only not know of.
        """
        if doubt.seq is None:
            doubt.seq = (await self._in_thread(self._store.last, f"table:{name}"))[0]
        if live.seq >= doubt.seq:
            return False
        now = self.open.get(name)
        if now is None or now.seq < doubt.seq:
            await self._load(name)  # until it is read, others see what we knew
        return True

    async def _load(self, name: str) -> LoadedTable:
        found = await self._in_thread(read_table, self._store, name)
        if found is None:
            raise unknown_table(name)
        live = self.open.get(name)
        if live is None or live.seq < found.seq:
            live = found
            self.remember(name, live)
        return live

    def remember(self, name: str, live: LoadedTable) -> None:
        """Know a table as it stands now; a closed one is forgotten: other rules may open it."""
        if live.table.open:
            self.open.put(name, live)
            live.changed = self._elapsed()
        else:
            self.open.drop(name)
        self._changed(name, live)

    def forget(self, name: str) -> None:
        """Look at a table anew, soon: its clock must run here even where nobody asks for it."""
        self.open.drop(name)
        self.unseen.add(name)
        self._schedule(partial(self._look_at, name))

    async def _look_at(self, name: str) -> None:
        try:
            with contextlib.suppress(Refused):
                await self._load(name)
        except Unavailable:
            raise  # it is tried again
        except BaseException:
            self.unseen.discard(name)
            raise
        self.unseen.discard(name)

    def hear(self, name: str, entry: Entry) -> None:
        """Let a table go on by an entry that was written, by this process or by another."""
        live = self.open.get(name)
        if live is not None and entry.seq <= live.seq:
            return
        decided = self._decided.get(name)
        if decided is not None and decided[0] == entry.hash:
            self.remember(name, decided[1])
        elif live is not None and entry.seq == live.seq + 1:
            self.remember(name, live.after(entry))
        else:
            self.forget(name)

    # Deciding and writing ---------------------------------------------------------------------

    async def do(
        self, name: str, who: Who, command: Any, key: str, moment: str | None = None
    ) -> CommandResult:
        """Decide a command and write what comes of it, as often as others are quicker.

        ``key`` is the actor's idempotency key: the same key is never done twice. ``moment`` is an
        optimistic-concurrency token: what the table was waiting for when they asked.
        """
        return await optimistically(partial(self._try, name, who, command, key, moment, _Doubt()))

    async def rehearse(self, name: str, who: Who, command: Any, moment: str | None = None) -> None:
        """Raise ``Refused`` where ``do`` would; nothing is written."""

        doubt = _Doubt()

        async def attempt() -> None:
            live = await self._for(name, command)
            try:
                await self._decide(live, who, command, moment, spend=False)
            except Refused:
                if await self._behind(name, live, doubt):
                    raise Conflict(_UNHEARD) from None
                raise

        await optimistically(attempt)

    async def _try(
        self, name: str, who: Who, command: Any, key: str, moment: str | None, doubt: _Doubt
    ) -> CommandResult:
        """Do it once; raises ``Conflict`` where another was there first."""
        async with self._locks.setdefault(name, asyncio.Lock()):
            live = await self._for(name, command)
            try:
                unit = await self._decide(live, who, command, moment)
            except Refused as error:
                refused = error
            else:
                return await self._write(name, live, unit, command, key)
        # Nobody else waits for what is read of a command that comes to nothing.
        if key:
            before = await self._in_thread(self._store.by_key, f"table:{name}", who.person, key)
            if before is not None:
                return _same(before, command)
        if await self._behind(name, live, doubt):
            raise Conflict(_UNHEARD)
        raise refused

    async def _decide(
        self, live: LoadedTable, who: Who, command: Any, moment: str | None, *, spend: bool = True
    ) -> UnitOfWork:
        actor = who if isinstance(who, Actor) else await who.allowed(live, command)
        if moment is not None and moment != live.table.moment:
            asked, now = moment[:20] or "?", live.table.moment
            message = f"this was meant for moment {asked}, and the table is at {now}"
            raise refuse("command/late", message, "", "moment")
        context = await self._context(live.table, live.seq + 1)
        if isinstance(command, c.OpenTable) and self._find(command) != live.book:
            raise Conflict("another version of these rules was adopted meanwhile")
        if not spend:  # no deck is shuffled for what is not written
            context = msgspec.structs.replace(context, seal=lambda _round: LockedDeck("", ""))
        if isinstance(command, c.CorrectPaid):
            past, relied = await self._in_thread(
                fenced_round, self._store, live.table.id, command.round
            )
            context = msgspec.structs.replace(context, past=past, relied=relied)
        return procedure.do(live.book, live.table, command, actor, context)

    async def _for(self, name: str, command: Any) -> LoadedTable:
        if not isinstance(command, c.OpenTable):
            return await self.table(name)
        book = self._find(command)
        try:
            live = await self.table(name)
        except Refused:
            return LoadedTable(book, Table(name), 0, START)
        return LoadedTable(book, live.table, live.seq, live.link)

    async def _write(
        self, name: str, live: LoadedTable, unit: UnitOfWork, command: Any, key: str
    ) -> CommandResult:
        body = codec.decided(unit, command)
        at, actor, written = unit.now.at, unit.who.person, codec.text(body)
        entry = following(
            f"table:{name}", live.seq, live.link, at=at, actor=actor, key=key, body=written
        )
        after = LoadedTable(live.book, unit.table, entry.seq, entry.hash)
        rows = kept(live.book, entry, live.table, unit)
        draft = EntryDraft(
            entry=entry,
            postings=tuple(unit.postings),
            kept=rows,
            relied=_relied(unit),
            session=unit.who.session,
        )
        self._decided[name] = (entry.hash, after)
        try:
            return CommandResult(await self._store.write(draft), body)
        except AlreadyDone as done:
            if done.entry.seq > live.seq:
                self.forget(name)  # we had not heard of it yet
            return _same(done.entry, command)
        except Stale as stale:
            await self._refresh(stale)
            raise
        except (Conflict, Unavailable):
            self.forget(name)
            raise
        finally:
            self._decided.pop(name, None)


def _relied(unit: UnitOfWork) -> tuple[tuple[str, int], ...]:
    """Return the streams by which something was decided, with the numbers that they had."""
    people = fence({**unit.now.records, unit.who.person: unit.who.record})
    return (("house", unit.now.settings), *people, *unit.now.relied)


def _same(before: Entry, command: Any) -> CommandResult:
    body = codec.body(before.body)
    if bytes(body.command) != codec.encode(command):
        raise Refused(KEY_REUSED)
    return CommandResult(before, body, again=True)
