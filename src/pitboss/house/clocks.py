"""The clocks of tables: a timer for each, that counts from when its deadline was heard of here."""

import asyncio
from collections.abc import Callable

import msgspec

AWAY_SECONDS = 1.0
"""A timer that rings later than this rings in a process that was stopped, or drowned in work."""


class _Timer(msgspec.Struct):
    until: int
    """Which deadline of the table this is; 0 while none runs."""
    ms: int
    due: float
    """When it runs out, by the loop's time."""
    ring: asyncio.TimerHandle | None
    """Rings then, or earlier: few deadlines are met, and whoever rings looks."""


class Clocks:
    """One timer for each table whose clock runs."""

    def __init__(self, trusted: Callable[[], bool], ran_out: Callable[[str, int], None]) -> None:
        self._trusted, self._ran_out = trusted, ran_out
        self._timers: dict[str, _Timer] = {}

    def mind(self, name: str, until: int, ms: int) -> None:
        """Let a table's clock run for so long; where it runs for this deadline already, let it."""
        known = self._timers.get(name)
        if until != (known.until if known is not None else 0):
            self._wind(name, until, ms)

    def begin_anew(self, *names: str) -> None:
        """Give these tables, or else every one, all of their time: nobody can tell how much of it
        has passed, or could use it."""
        for name in names or list(self._timers):
            if name in self._timers:
                timer = self._timers[name]
                self._wind(name, timer.until, timer.ms)

    def stop(self) -> None:
        for timer in self._timers.values():
            if timer.ring is not None:
                timer.ring.cancel()

    def _wind(self, name: str, until: int, ms: int) -> None:
        loop, known = asyncio.get_running_loop(), self._timers.get(name)
        due, ring = loop.time() + ms / 1000, known.ring if known is not None else None
        if until and ring is not None and ring.when() > due:
            ring.cancel()
            ring = None
        if until and ring is None:
            ring = loop.call_at(due, self._ring, name)
        if until or ring is not None:
            self._timers[name] = _Timer(until, ms, due, ring)
        else:
            self._timers.pop(name, None)

    def _ring(self, name: str) -> None:
        timer, loop = self._timers[name], asyncio.get_running_loop()
        timer.ring = None
        late = loop.time() - timer.due
        if not timer.until:
            del self._timers[name]
        elif late < 0:
            timer.ring = loop.call_at(timer.due, self._ring, name)
        elif late > AWAY_SECONDS:
            self._wind(name, timer.until, timer.ms)
        elif self._trusted():
            self._ran_out(name, timer.until)
