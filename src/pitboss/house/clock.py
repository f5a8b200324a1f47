"""The house's clock: UTC as the database tells it, counted on by a counter that nobody can set.

What is written down bears this time. It is set once against the database's clock, so that all
servers of a house agree, and a step of a computer's clock, forward or back, is not seen in it.
Deadlines, rates and caches do not even use it: they count what has elapsed.
"""

import time
from collections.abc import Callable
from functools import partial

DIFFERENT_MS = 1_000
"""From here on our clock and the database's are two."""

STEADY = 12
"""Comparisons with one and the same difference, after which the database's clock is believed."""


def utc_now() -> int:
    """Return the time by this computer's own clock: milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


_elapsed_ns = (
    partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic_ns
)


def elapsed_ms() -> int:
    """Return a count of milliseconds that goes on in sleep, where the system has such a one."""
    return _elapsed_ns() // 1_000_000


class HouseClock:
    """Tells the time, and whether the database agrees."""

    def __init__(
        self, database: Callable[[], int], elapsed: Callable[[], int] = elapsed_ms
    ) -> None:
        self._database, self.elapsed = database, elapsed
        self._zero = utc_now() - elapsed()
        self._steady = 0
        self.difference_ms = 0
        """How far the database's clock is ahead of ours, where they are two; else 0."""

    def __call__(self) -> int:
        """Return the time: milliseconds since 1970, UTC."""
        return self._zero + self.elapsed()

    def set(self) -> None:
        """Take the time from the database."""
        self._zero += self._ask()

    def compare(self) -> bool:
        """Ask the database for the time: whether we agree again, after a while in which we did not.

        A difference that stays is believed in the end: it was set right there, or we slept.
        """
        difference = self._ask()
        if abs(difference) <= DIFFERENT_MS:
            difference = 0
        before, self.difference_ms = self.difference_ms, difference
        same = difference != 0 and abs(difference - before) <= DIFFERENT_MS
        self._steady = self._steady + 1 if same else 0
        if self._steady >= STEADY:
            self._zero += difference
            self.difference_ms = self._steady = 0
        return bool(before and not self.difference_ms)

    def _ask(self) -> int:
        """Return by how much the database is ahead; the time that an answer takes says nothing."""
        before = self()
        theirs = self._database()
        after = self()
        return min(0, theirs - before) or max(0, theirs - after)
