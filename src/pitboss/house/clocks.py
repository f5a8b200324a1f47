"""The clocks of tables: a timer for each, that counts from when its deadline was heard of here."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

AWAY_SECONDS = 1.0
"""A timer that rings later than this rings in a process that was stopped, or drowned in work."""


class _Timer(NamedTuple):
    until: int
    """Which deadline of the table this is."""
    ms: int
    ring: asyncio.TimerHandle


class Clocks:
    """One timer for each table whose clock runs."""

    def __init__(self, trusted: Callable[[], bool], ran_out: Callable[[str, int], None]) -> None:
        self._trusted, self._ran_out = trusted, ran_out
        self._timers: dict[str, _Timer] = {}

    def mind(self, name: str, until: int, ms: int) -> None:
        """Let a table's clock run for so long; where it runs for this deadline already, let it."""
        known = self._timers.get(name)
        if known is not None and known.until == until:
            return
        if known is not None:
            self._timers.pop(name).ring.cancel()
        if until:
            self._wind(name, until, ms)

    def begin_anew(self, *names: str) -> None:
        """Give these tables, or else every one, all of their time: nobody can tell how much of it
        has passed, or could use it."""
        for name in names or list(self._timers):
            if name in self._timers:
                timer = self._timers[name]
                timer.ring.cancel()
                self._wind(name, timer.until, timer.ms)

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.ring.cancel()

    def _wind(self, name: str, until: int, ms: int) -> None:
        ring = asyncio.get_running_loop().call_later(ms / 1000, self._ring, name)
        self._timers[name] = _Timer(until, ms, ring)

    def _ring(self, name: str) -> None:
        timer = self._timers[name]
        late = asyncio.get_running_loop().time() - timer.ring.when()
        if late > AWAY_SECONDS:
            self._wind(name, timer.until, timer.ms)
        elif self._trusted():
            self._ran_out(name, timer.until)
