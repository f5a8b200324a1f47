"""Hearing of what was written, by this process and by others: every entry once, in order."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from pitboss.house.storage.background import Background
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.signing import Head
from pitboss.house.storage.store import Store, deliver


class JournalSubscriber:
    """Follows the journal, from its end at the start on."""

    def __init__(
        self, store: Store, background: Background, advance: Callable[[Entry], None]
    ) -> None:
        self._store, self._background, self._advance = store, background, advance
        self.position = 0
        """How much of the journal this process has heard of."""
        self.listeners: list[Callable[[Entry], None]] = []
        """Who hears of every entry, in order, once it is written."""
        self.seen: Callable[[Head], object] = lambda _: None
        """Who hears how far the journal goes by now, before anybody is answered."""
        self.thread: threading.Thread | None = None
        self._behind = self._catching_up = False

    def begin(self, last: Head) -> None:
        self._loop = asyncio.get_running_loop()
        self.position, self._store.known = last[0], last
        # On the writer's thread: the results of a whole batch are brought over at once.
        self._store.committed = partial(self._soon, self._deliver)

    def follow(self, stopped: threading.Event) -> None:
        """Hear of others, too, until stopped."""
        wake = partial(self._soon, self._notified)
        self.thread = threading.Thread(
            target=self._store.follow, args=(wake, stopped), name="follower", daemon=True
        )
        self.thread.start()

    def _deliver(self, done: list[tuple[Any, Entry | Exception]]) -> None:
        written = [result for _, result in done if isinstance(result, Entry)]
        written.sort(key=lambda entry: entry.position)
        if written and written[0].position > self.position + 1:
            self._notified()  # others wrote in between: listeners hear of everything in order
        try:
            for entry in written:
                self._advance(entry)
                self._hear(entry)
        finally:
            self.seen(self._store.furthest)
            deliver((future, result) for future, result in done if future and not future.done())

    def _soon(self, function: Callable[..., None], *values: Any) -> None:
        """Do this on the loop's thread; called on any."""
        with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
            self._loop.call_soon_threadsafe(function, *values)

    def _notified(self) -> None:
        self._behind = True
        if not self._catching_up:
            self._catching_up = True
            self._background.schedule(self._catch_up)

    async def _catch_up(self) -> None:
        try:
            while self._behind:
                self._behind = False
                for entry in await self._background.in_thread(self._store.news, self._store.known):
                    self._advance(entry)
                    self._behind |= self._hear(entry)  # there may be more than one page
                self.seen(self._store.furthest)
        except Unavailable:
            return  # once it is back, we are woken again
        finally:
            self._catching_up = False

    def _hear(self, entry: Entry) -> bool:
        """Tell those who listen, in order; whether it was the next one."""
        if entry.position != self.position + 1:
            return False
        self.position, self._store.known = entry.position, (entry.position, entry.hash)
        for listener in self.listeners:
            listener(entry)
        return True
