"""Live updates: server-sent events, each as the listener may see it, and keep-alives between."""

import asyncio
import itertools
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Self

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pitboss.errors import Refused, refuse
from pitboss.house.house import House
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.reader import Unavailable
from pitboss.house.table.events import PersonAdmitted, TableOpened
from pitboss.house.views import notice, seat_then
from pitboss.web.guards import guarded

WAITING = 256
"""Notices that may wait for a slow listener before it is let go; it can resume."""

KEEPALIVE_SECONDS = 15.0
"""Seconds between signs of life; then we look, too, whether they may still listen."""

AT_ONCE = 25
"""Listeners who are woken at once; then whatever else waits has its turn, then the next of them:
nobody waits until the last of thousands has heard. People with a name are woken first."""

TURNS = 15
"""In so many turns: not to everybody at once."""

MOST_EACH = 20
"""Streams that one person may have open; visitors, who have no session, are not told apart."""

MOST_OF_ADDRESS = 2_000
"""Streams that guests and visitors at one address may have open. Where there is no room for one
more, the visitor who has listened longest is let go: nobody keeps others out by staying."""

MOST_OF_STRANGERS = 8_000
"""Streams that all guests and visitors may have open: people with a name have room of their own."""

MOST = 10_000
"""Streams that may be open in all, besides those of the floor."""

FILES = 16_000
"""Files that a process may have open for all of these ceilings, and for whoever asks something
besides: a connection is one. Where it may have fewer, the ceilings are as much lower."""

BACKLOG = 1_000
"""Entries that a listener who comes back is told; after more it must look at the table anew."""

PAGE = 50
"""Entries of it that are read at once, the next ones when these were sent."""

RESET = b"event: reset\ndata: {}\n\n"
STILL = b": still here\n\n"
KEEPALIVE = b"event: still\ndata: 0\n\n"
"""The same for a script, which hears no comments."""
END = b"event: end\ndata: {}\n\n"

SHUTS_OUT = (TableOpened, PersonAdmitted)
"""After these a practice table may not be there any more for somebody: it is looked at before they
are told."""

FLOOR = "floor"
"""The stream of all tables; that of one table is ``table:`` and its id."""


class Message:
    """An entry, written out once for each seat that sees it differently."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.body = codec.body(entry.body)
        self._written: dict[tuple[int | None, bool], bytes] = {}

    def number(self, *, floor: bool) -> int:
        """Return its number in the table's stream, or on the floor's."""
        return self.entry.position if floor else self.entry.seq

    def bytes_for(self, person: str, *, floor: bool) -> bytes:
        """Return the message for somebody; on the floor's stream it is numbered by position."""
        seat = seat_then(self.body, person)
        found = self._written.get((seat, floor))
        if found is None:
            number = self.number(floor=floor)
            data = codec.encode(notice(self.entry, self.body, seat, staff=floor))
            found = b"id: %d\ndata: %b\n\n" % (number, data)
            self._written[seat, floor] = found
        return found


class Audience(msgspec.Struct, frozen=True):
    """For whom a stream is."""

    person: str
    """Or else a name for whoever looks from this address."""
    address: str
    """Where guests and visitors come from; people with a name are not counted by it."""
    visitor: bool = False
    """Without a session."""


class Listener:
    """Somebody with a stream open."""

    def __init__(
        self,
        hub: "Hub",
        stream: str,
        who: Audience,
        after: int | None,
        still: Callable[[], Awaitable[bool]],
        first: int = 0,
    ) -> None:
        self.hub, self.stream, self.who, self.after = hub, stream, who, after
        self.still = still
        """Whether they may still listen."""
        self.first = first
        """The number after which what happened before is there for them."""
        self._waiting: deque[Message | None] = deque()
        self._lost = False
        """Gone, or too slow."""
        self.awake = asyncio.Event()

    def tell(self, told: Message | None) -> None:
        """Put it in their queue; None has us look whether they may go on."""
        if len(self._waiting) >= WAITING:
            self._lost = True
        if not self._lost:
            if not self._waiting:
                self.hub.wake(self)
            self._waiting.append(told)

    def gone(self) -> None:
        self.tell(None)
        self._lost = True

    async def told(self) -> AsyncIterator[bytes]:
        """Yield what happens, from a number on that they know, as long as they may."""
        if self.hub.full(self.stream, self.who):  # others came in between
            yield END
            return
        self.hub.add(self)
        try:
            yield b"retry: 1000\n\n"
            async for each in self._told():
                yield each
        except (Unavailable, Refused):
            pass  # they come back, and hear then how things are
        finally:
            self.hub.remove(self)
        yield END

    async def _told(self) -> AsyncIterator[bytes]:
        floor, after, person = self.stream == FLOOR, self.after, self.who.person
        if after is not None:
            last = await self.hub.last(self.stream)
            if after < self.first or not 0 <= last - after <= BACKLOG:
                after = last
                yield RESET
            while after < last:
                for entry in await self.hub.page(self.stream, after):
                    after = entry.position if floor else entry.seq
                    if entry.stream.startswith("table:"):
                        yield Message(entry).bytes_for(person, floor=floor)
        async for several in self._heard():
            new = (each for each in several if after is None or each.number(floor=floor) > after)
            yield b"".join([each.bytes_for(person, floor=floor) for each in new]) or STILL

    async def _heard(self) -> AsyncIterator[list[Message]]:
        """Yield all that came meanwhile; nothing now and then, as a sign of life."""
        while not (self.hub.closing or (self._lost and not self._waiting)):
            await self.awake.wait()
            several: list[Message] = []
            looks = False
            while self._waiting and not looks:
                each = self._waiting.popleft()
                looks = each is None
                several += [] if each is None else [each]
            if not self._waiting:
                self.awake.clear()
            if several:
                yield several
            if looks:
                if not await self.still():
                    return
                yield []


class ChangePing(Listener):
    """A page that is told only that something happened, by number: it looks at the table itself."""

    async def _told(self) -> AsyncIterator[bytes]:
        yield b"data: %d\n\n" % (self.after or 0)
        async for several in self._heard():
            yield b"data: %d\n\n" % several[-1].entry.seq if several else KEEPALIVE


_Listeners = defaultdict[str, dict[Listener, None]]
"""In the order in which they came."""


class Hub:
    """Who listens to what."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._by_stream: _Listeners = defaultdict(dict)
        self._by_person: _Listeners = defaultdict(dict)
        self._by_address: _Listeners = defaultdict(dict)
        self._visitors: _Listeners = defaultdict(dict)
        """By address."""
        self._by_turn: list[set[Listener]] = [set() for _ in range(TURNS)]
        self._came = itertools.count()
        self._named: deque[Listener] = deque()
        self._strangers: deque[Listener] = deque()
        """Whom to wake."""
        self._ticking: asyncio.Task[None] | None = None
        self.closing = False
        self.files = FILES
        """How many this process may have open."""
        house.subscriber.listeners.append(self._heard)

    @property
    def count(self) -> int:
        return sum(map(len, self._by_turn))

    def full(self, stream: str, who: Audience) -> bool:
        """Whether there is no room for them to listen to one more stream."""
        if not who.visitor and len(self._by_person.get(who.person, ())) >= MOST_EACH:
            return True
        if stream == FLOOR:
            return False
        if not who.address:
            return self.count >= self._fits(MOST)
        return self._crowded(who.address) and who.address not in self._visitors

    def _crowded(self, address: str) -> bool:
        strangers = self.count - len(self._by_address.get("", ()))
        here = len(self._by_address.get(address, ()))
        few, many = self._fits(MOST_OF_ADDRESS), self._fits(MOST_OF_STRANGERS)
        return here >= few or strangers >= many

    def _fits(self, most: int) -> int:
        """Return so much of a ceiling as leaves connections for others."""
        return min(most, most * self.files // FILES)

    def add(self, listener: Listener) -> None:
        """Let somebody listen, in a visitor's place where there is no other."""
        address = listener.who.address
        if address in self._visitors and self._crowded(address):
            longest = next(iter(self._visitors[address]))
            self.remove(longest)
            longest.gone()
        for several, name in self._places(listener):
            several[name][listener] = None
        self._by_turn[next(self._came) % TURNS].add(listener)
        if self._ticking is None:
            self._ticking = asyncio.ensure_future(self._tick())

    def remove(self, listener: Listener) -> None:
        for several, name in self._places(listener):
            several[name].pop(listener, None)
            if not several[name]:
                del several[name]
        for each in self._by_turn:
            each.discard(listener)

    def _places(self, listener: Listener) -> tuple[tuple[_Listeners, str], ...]:
        """Return where somebody is counted."""
        who = listener.who
        everybody = (
            (self._by_stream, listener.stream),
            (self._by_person, who.person),
            (self._by_address, who.address),
        )
        return (*everybody, (self._visitors, who.address)) if who.visitor else everybody

    async def _tick(self) -> None:
        for turn in itertools.cycle(self._by_turn):
            await asyncio.sleep(KEEPALIVE_SECONDS / TURNS)
            for listener in tuple(turn):
                listener.tell(None)

    def _heard(self, entry: Entry) -> None:
        kind, _, name = entry.stream.partition(":")
        if kind == "person":
            self.look(name)
        elif kind == "table":
            listeners = self._by_stream
            several = [*listeners.get(entry.stream, ()), *listeners.get(FLOOR, ())]
            if several:
                told = Message(entry)
                anew = any(isinstance(event, SHUTS_OUT) for event in told.body.events)
                for listener in several:
                    if anew:
                        listener.tell(None)
                    listener.tell(told)

    def wake(self, listener: Listener) -> None:
        """Have somebody hear what waits for them, in their turn."""
        if not (self._named or self._strangers):
            asyncio.get_running_loop().call_soon(self._wake_some)
        (self._strangers if listener.who.address else self._named).append(listener)

    def _wake_some(self) -> None:
        for _ in range(AT_ONCE):
            if not (self._named or self._strangers):
                return
            (self._named or self._strangers).popleft().awake.set()
        if self._named or self._strangers:
            asyncio.get_running_loop().call_soon(self._wake_some)

    def look(self, person: str) -> None:
        """Look whether somebody may still listen."""
        for listener in self._by_person.get(person, ()):
            listener.tell(None)

    def close(self) -> None:
        self.closing = True
        if self._ticking is not None:
            self._ticking.cancel()
        for person in self._by_person:
            self.look(person)

    async def last(self, stream: str) -> int:
        """Return the number of a stream's last entry; what another process wrote may be known to
        the listener and not yet to us."""
        store, read = self.house.archive, self.house.look
        return (
            await read(store.position) if stream == FLOOR else (await read(store.last, stream))[0]
        )

    async def page(self, stream: str, after: int) -> list[Entry]:
        """Return the next entries of a stream; those of all streams for the floor's."""
        store, read = self.house.archive, self.house.look
        if stream == FLOOR:
            return await read(store.since, after, PAGE)
        return await read(store.entries, stream, after, PAGE)


class EventStream(Response):
    """Server-sent events, with as little as possible between an event and the wire."""

    media_type = "text/event-stream"

    def __init__(self, listener: Listener | None) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self.listener = listener

    @classmethod
    def answering(cls, request: Request, listener: Listener, what: str) -> Self:
        """Answer a request with what a listener is told; HEAD hears nothing of it."""
        if listener.hub.full(listener.stream, listener.who):
            raise refuse("stream/too-many", f"too many {what} are open: close one")
        return guarded(cls(None if request.method == "HEAD" else listener))

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if self.listener is not None:
            leaves = asyncio.ensure_future(_hung_up(receive, self.listener))
            try:
                async for piece in self.listener.told():
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            finally:
                leaves.cancel()
        await send({"type": "http.response.body", "body": b""})


async def _hung_up(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.gone()
