"""The clocks of tables: a timer for each, that rings at the latest when its time runs out."""

import asyncio
from collections.abc import Callable


class Clocks:
    """One timer for each table whose clock runs."""

    def __init__(
        self, now: Callable[[], int], until: Callable[[str], int], ran_out: Callable[[str], None]
    ) -> None:
        self._now, self._until, self._ran_out = now, until, ran_out
        self._timers: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        """By table: when it is looked at next."""

    def mind(self, name: str, until: int) -> None:
        """Look at a table when its clock runs out; a timer that rings earlier is wound up then."""
        known = self._timers.get(name)
        if known is None or known[0] > until:
            if known is not None:
                known[1].cancel()
            seconds = max(0, until - self._now()) / 1000
            timer = asyncio.get_running_loop().call_later(seconds, self._ring, name)
            self._timers[name] = until, timer

    def _ring(self, name: str) -> None:
        del self._timers[name]
        until = self._until(name)
        if until > self._now():
            self.mind(name, until)
        elif until:
            self._ran_out(name)

    def stop(self) -> None:
        for _, timer in self._timers.values():
            timer.cancel()
