"""Live updates: server-sent events, each as the one who listens may see it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from time import monotonic

from pitboss.errors import Refused
from pitboss.house import codec
from pitboss.house.house import House
from pitboss.house.journal import Entry
from pitboss.house.store import Gone
from pitboss.house.view import notice, seat_then

WAITING = 256
"""Notices that may wait for a slow listener before it is let go; it can resume."""

STILL_HERE = 5.0
"""Seconds between signs of life; then we look, too, whether they may still listen."""

MOST_EACH = 20
"""Streams that one person may have open."""

MOST = 10_000
"""Streams that may be open in all, besides those of the floor."""

BACKLOG = 1_000
"""Entries that a listener who comes back is told; after more it must look at the table anew."""

RESET = b"event: reset\ndata: {}\n\n"
END = b"event: end\ndata: {}\n\n"


class Told:
    """An entry, written out once for each seat that sees it differently."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.body = codec.body(entry.body)
        self._written: dict[tuple[int | None, bool], bytes] = {}

    def bytes_for(self, person: str, *, floor: bool) -> bytes:
        """Return the message for somebody; on the floor's stream it is numbered by position."""
        seat = seat_then(self.body, person)
        found = self._written.get((seat, floor))
        if found is None:
            number = self.entry.position if floor else self.entry.seq
            data = codec.encode(notice(self.entry, self.body, seat))
            found = b"id: %d\ndata: %b\n\n" % (number, data)
            self._written[seat, floor] = found
        return found


class Listener:
    """Somebody with a stream open."""

    def __init__(self) -> None:
        self.waiting: asyncio.Queue[Told | None] = asyncio.Queue(WAITING + 1)
        self.lost = False

    def tell(self, told: Told | None) -> None:
        """Put it in their queue; one that does not keep up is let go."""
        if self.waiting.qsize() >= WAITING:
            self.lost = True
        if not self.lost:
            self.waiting.put_nowait(told)

    async def next(self) -> Told | None:
        """Return what comes next; None now and then, to look whether they may go on."""
        try:
            async with asyncio.timeout(STILL_HERE):
                return await self.waiting.get()
        except TimeoutError:
            return None


class Hub:
    """Who listens to what."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._by_stream: defaultdict[str, set[Listener]] = defaultdict(set)
        self._by_person: defaultdict[str, set[Listener]] = defaultdict(set)
        self.closing = False
        house.listeners.append(self._heard)

    @property
    def count(self) -> int:
        """How many listen."""
        return sum(map(len, self._by_person.values()))

    def full(self, stream: str, person: str) -> bool:
        """Whether this person may not listen to one more stream."""
        if len(self._by_person.get(person, ())) >= MOST_EACH:
            return True
        return stream != FLOOR and self.count >= MOST

    def _heard(self, entry: Entry) -> None:
        kind, _, name = entry.stream.partition(":")
        if kind == "person":
            self.look(name)
        elif kind == "table":
            several = [
                *self._by_stream.get(entry.stream, ()),
                *self._by_stream.get(FLOOR, ()),
            ]
            if several:
                told = Told(entry)
                for listener in several:
                    listener.tell(told)

    def look(self, person: str) -> None:
        """Look whether somebody may still listen."""
        for listener in self._by_person.get(person, ()):
            listener.tell(None)

    def close(self) -> None:
        """Say goodbye to everybody."""
        self.closing = True
        for person in self._by_person:
            self.look(person)

    async def listen(
        self, stream: str, person: str, after: int | None, still: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[bytes]:
        """Yield what happens, from a number on that the listener knows, as long as they may."""
        if self.full(stream, person):  # others came in between
            yield END
            return
        listener = Listener()
        self._by_stream[stream].add(listener)
        self._by_person[person].add(listener)
        try:
            async for each in self._told(listener, stream, person, after, still):
                yield each
        except (Gone, Refused):
            pass  # they come back, and hear then how things are
        finally:
            for several, name in ((self._by_stream, stream), (self._by_person, person)):
                several[name].discard(listener)
                if not several[name]:
                    del several[name]
        yield END

    async def _told(
        self,
        listener: Listener,
        stream: str,
        person: str,
        after: int | None,
        still: Callable[[], Awaitable[bool]],
    ) -> AsyncIterator[bytes]:
        floor = stream == FLOOR
        yield b"retry: 1000\n\n"
        told = after
        if after is not None:
            missed = await self._missed(stream, after)
            if missed is None:
                told = None
                yield RESET
            for entry in missed or ():
                told = entry.position if floor else entry.seq
                yield Told(entry).bytes_for(person, floor=floor)
        looked = monotonic()
        while not (self.closing or (listener.lost and listener.waiting.empty())):
            each = await listener.next()
            if each is None or monotonic() - looked > STILL_HERE:
                if not await still():
                    return
                looked = monotonic()
            if each is None:
                yield b": still here\n\n"
                continue
            number = each.entry.position if floor else each.entry.seq
            if told is None or number > told:
                yield each.bytes_for(person, floor=floor)

    async def _missed(self, stream: str, after: int) -> list[Entry] | None:
        """Return the entries since then; None where there are too many, or none so late."""
        store = self.house.store
        if stream == FLOOR:
            if after > await self.house.read(store.position):
                return None
            found = await self.house.read(store.since, after, BACKLOG + 1)
            tables = [entry for entry in found if entry.stream.startswith("table:")]
            return tables if len(found) <= BACKLOG else None
        # What another process wrote may be known to the listener and not yet to us.
        if after > await self.house.read(store.last, stream):
            return None
        found = await self.house.read(store.entries, stream, after, BACKLOG + 1)
        return found if len(found) <= BACKLOG else None


FLOOR = "floor"
