"""Work beside the requests: questions to the database on threads, and tasks tried until done."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, TypeVar

from pitboss.house.storage.gate import Gate
from pitboss.house.storage.reader import BREATH, Unavailable

T = TypeVar("T")

LOOKING_HERE, LOOKING, LOOKERS = 2, 3, 6
"""Threads that strangers of one address have, all strangers, and everybody who looks."""

ASKER: ContextVar[tuple[str, str] | None] = ContextVar("asker", default=None)
"""The stranger for whom something is looked up, and their address; None for anybody else."""


class Background:
    """The threads and tasks of one house."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._threads = ThreadPoolExecutor(4, "house")
        self._visitors = ThreadPoolExecutor(LOOKERS, "visitors")
        self._strangers = Gate(LOOKING_HERE, LOOKING)
        self._passwords = ThreadPoolExecutor(2, "passwords")
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()

    async def in_thread(self, function: Callable[..., T], *values: Any) -> T:
        """Read from the store, or work something out, while everybody else goes on."""
        return await self.loop.run_in_executor(self._threads, function, *values)

    async def look(self, function: Callable[..., T], *values: Any) -> T:
        """Read or work something out for a visitor: what the house itself asks goes on, and what
        strangers ask leaves threads for others."""
        asker = ASKER.get()
        if asker is None:
            return await self.look_for_all(function, *values)
        async with self._strangers.place(*asker):
            return await self.look_for_all(function, *values)

    async def look_for_all(self, function: Callable[..., T], *values: Any) -> T:
        """Likewise, whoever asked for it first: what is then the same for everybody."""
        return await self.loop.run_in_executor(self._visitors, function, *values)

    async def hashing(self, function: Callable[..., T], *values: Any) -> T:
        """Work on a password, which takes long: no question to the store waits for it."""
        return await self.loop.run_in_executor(self._passwords, function, *values)

    def schedule(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Have this done soon, and again while the database is gone."""
        if not self.stopped.is_set():
            task = asyncio.ensure_future(_until_done(work))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Take up nothing more, and end what is under way."""
        self.stopped.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        for each in (self._threads, self._visitors, self._passwords):
            each.shutdown(wait=False, cancel_futures=True)


async def _until_done(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            return await work()
        except Unavailable:
            await asyncio.sleep(BREATH)
        except Exception:  # our mistake: it must be seen, and must not end anything else
            logging.getLogger("pitboss").exception("in the background: %r", work)
            return None
