"""What strangers share: so much of it at a time, whoever else asks waits, and nobody for ever."""

import asyncio
import itertools
from bisect import bisect_left, insort
from collections import OrderedDict, deque

from pitboss.errors import refuse

PATIENCE = 10.0
"""Seconds that somebody waits for a place."""

MOST_WAITING_HERE, MOST_WAITING = 2_000, 8_000
"""How many wait, of one address and in all."""

REMEMBERED = 100_000
"""People of whom it is known when they came; the least active are forgotten."""

_Place = tuple[int, int]
"""Who came before whom, and then who asked before whom."""


class Gate:
    """So many places for each address, and so many in all; a person has one of them at a time.

    Addresses take turns. In an address every other place is for whoever came there first, so that
    a crowd that comes later holds up nobody who plays already; the places between are for whoever
    has waited longest, so that newcomers are not kept out either.
    """

    def __init__(
        self,
        here: int,
        most: int,
        *,
        waiting_here: int | None = None,
        waiting: int | None = None,
    ) -> None:
        self.here, self.most = here, most
        self.most_waiting_here = MOST_WAITING_HERE if waiting_here is None else waiting_here
        self.most_waiting = MOST_WAITING if waiting is None else waiting
        self._inside: dict[str, int] = {}
        """By address."""
        self._all = 0
        """Inside, of all addresses."""
        self._lines: OrderedDict[str, _Line] = OrderedDict()
        """Who waits, by address; the address whose turn is next comes first."""
        self._came: OrderedDict[str, int] = OrderedDict()
        self._turns: dict[str, deque[asyncio.Future[None]]] = {}
        """People who have a place or wait for one, and what else of theirs waits until then."""
        self._count = itertools.count()

    def place(self, person: str, address: str) -> "GatePlace":
        """Return a place to be entered: ``Refused`` where none is free for long."""
        return GatePlace(self, person, address)

    def enter_at_once(self, person: str, address: str) -> bool:
        """Enter if that takes no waiting."""
        if person in self._turns or not self._free(address):
            return False
        self._turns[person] = deque()
        self._arrived(person)
        self._let_in(address)
        return True

    async def enter(self, person: str, address: str) -> None:
        """Wait for one's turn, and then for a place."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._own_turn(person)
                try:
                    await self._in_line(person, address)
                except BaseException:
                    self._next_turn(person)
                    raise
        except TimeoutError:
            raise refuse("rate/too-much", "too many ask at once: wait a moment") from None

    def leave(self, person: str, address: str) -> None:
        self._let_out(address)
        self._next_turn(person)

    async def _own_turn(self, person: str) -> None:
        others = self._turns.get(person)
        if others is None:
            self._turns[person] = deque()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        others.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it came, and nobody is there any more
                self._next_turn(person)
            raise

    def _next_turn(self, person: str) -> None:
        others = self._turns[person]
        while others:
            turn = others.popleft()
            if not turn.cancelled():
                turn.set_result(None)
                return
        del self._turns[person]

    def _arrived(self, person: str) -> int:
        """Return when somebody came here first."""
        came = self._came.get(person)
        if came is None:
            came = self._came[person] = next(self._count)
            if len(self._came) > REMEMBERED:
                self._came.popitem(last=False)
        else:
            self._came.move_to_end(person)
        return came

    async def _in_line(self, person: str, address: str) -> None:
        came = self._arrived(person)
        if self._free(address):
            self._let_in(address)
            return
        line = self._lines.setdefault(address, _Line())
        if len(line) >= self.most_waiting_here or self.waiting >= self.most_waiting:
            self._tidy(address)
            raise TimeoutError
        place = came, next(self._count)
        called = line.add(place)
        try:
            await called
        except asyncio.CancelledError:
            if called.cancelled():
                line.remove(place)
                self._tidy(address)
            else:  # called, and gone already
                self._let_out(address)
            raise

    @property
    def waiting(self) -> int:
        return sum(map(len, self._lines.values()))

    def _free(self, address: str) -> bool:
        """Whether there is a place; nobody waits while there is one for them."""
        return self._all < self.most and self._inside.get(address, 0) < self.here

    def _let_in(self, address: str) -> None:
        self._inside[address] = self._inside.get(address, 0) + 1
        self._all += 1

    def _let_out(self, address: str) -> None:
        self._inside[address] -= 1
        self._all -= 1
        for each, line in self._lines.items():
            if self._free(each) and line.call():
                self._let_in(each)
                self._lines.move_to_end(each)
                self._tidy(each)
                break
        self._tidy(address)

    def _tidy(self, address: str) -> None:
        """Keep nothing of an address at which nobody is."""
        if not self._lines.get(address, True):
            del self._lines[address]
        if not self._inside.get(address, True):
            del self._inside[address]


class GatePlace:
    """One place at a gate, had as long as something is done."""

    def __init__(self, gate: Gate, person: str, address: str) -> None:
        self._gate, self._person, self._address = gate, person, address

    async def __aenter__(self) -> None:
        if not self._gate.enter_at_once(self._person, self._address):
            await self._gate.enter(self._person, self._address)

    async def __aexit__(self, *_: object) -> None:
        self._gate.leave(self._person, self._address)


class _Line:
    """Those of one address who wait."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[_Place, asyncio.Future[None]] = OrderedDict()
        """Who has waited longest comes first."""
        self._eldest: list[_Place] = []
        """Who came first comes first."""
        self._first = True

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, place: _Place) -> asyncio.Future[None]:
        insort(self._eldest, place)
        found = self._waiting[place] = asyncio.get_running_loop().create_future()
        return found

    def remove(self, place: _Place) -> asyncio.Future[None] | None:
        """Take somebody out of the line; None where they are not in it any more."""
        found = self._waiting.pop(place, None)
        if found is not None:
            del self._eldest[bisect_left(self._eldest, place)]
        return found

    def call(self) -> bool:
        """Let the next one in, if there is one who has not just given up."""
        while self._waiting:
            place = self._eldest[0] if self._first else next(iter(self._waiting))
            self._first = not self._first
            called = self.remove(place)
            if called is not None and not called.cancelled():
                called.set_result(None)
                return True
        return False
