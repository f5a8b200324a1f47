"""Password work, which is slow on purpose: two at once, and a bounded queue in fair shares."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from pitboss.errors import refuse

AT_ONCE = 2
MOST_EACH, MOST = 8, 64
"""Tries that wait, of one address or member of staff, and in all."""


class PasswordQueue:
    """One try of an address waits for the other, so that every failure counts for the next one."""

    def __init__(self) -> None:
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[str] = Counter()
        """By address, and by member of staff."""

    @asynccontextmanager
    async def turn(self, who: str, *, staff: bool = False) -> AsyncIterator[None]:
        """Wait for one's turn; strangers leave room for staff, who are known and bounded."""
        full = not staff and self._waiting.total() >= MOST
        who = f"staff {who}" if staff else who
        if full or self._waiting[who] >= MOST_EACH:
            raise refuse("login/busy", "too many passwords are being looked at: try again soon")
        self._waiting[who] += 1
        lock = self._turns.setdefault(who, asyncio.Lock())
        try:
            async with lock, self._at_once:
                yield
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]
