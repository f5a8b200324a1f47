"""Processes for work that takes a while, each bounded in time, so that no table ever waits for it.

A ``Lane`` is one process that is asked one thing at a time; its gate says who waits, and how many.
``LongWork`` is what takes minutes: begun, and looked at again later.
"""

import asyncio
import logging
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import msgspec

from pitboss.errors import Refusal, Refused
from pitboss.house.storage.gate import Gate

COMMAND = (sys.executable, "-P", "-m", "pitboss.web.lab_worker")

WAITING_HERE, WAITING = 8, 48
"""Questions that wait for a lane, of one address and in all."""

BUSY = Refusal("lab/busy", "the lab has more to do than it can: ask again in a moment")
TOO_LONG = Refusal("lab/too-long", "this takes longer than the lab lets anything take")
ENDED = Refusal("lab/ended", "the lab's process ended before it had an answer: ask again")
SUPERSEDED = Refusal("lab/superseded", "a newer question of yours goes before this one")


class Worker:
    """One process that answers a line with a line; started when it is first asked."""

    def __init__(self, niceness: int = 10) -> None:
        self._command = (*COMMAND, str(niceness))
        self._threads = ThreadPoolExecutor(1, "lab")
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()
        self._ends = 0
        """How often it was ended: what was asked before is not begun any more."""

    async def ask(self, line: bytes, seconds: float) -> bytes:
        """Return the answer; a process that takes longer, or for which nobody waits, is ended."""
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(self._threads, self._ask, line, self._ends)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(answer)
        except TimeoutError:
            raise Refused(TOO_LONG) from None
        finally:
            if not answer.done():
                self.end()
                with suppress(Refused):
                    await answer

    def _ask(self, line: bytes, ends: int) -> bytes:
        """On a thread: write and read."""
        with self._starting:
            if self._ends != ends:
                raise Refused(ENDED)
            process = self._process
            if process is None or process.poll() is not None:
                pipe = subprocess.PIPE
                process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe)
                self._process = process
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None
        found = b""
        with suppress(OSError, ValueError):
            stdin.write(line + b"\n")
            stdin.flush()
            found = stdout.readline()
        if not found.endswith(b"\n"):
            self.end()
            raise Refused(ENDED)
        return found

    def end(self) -> None:
        """End the process, whatever it does."""
        with self._starting:
            self._ends += 1
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):
                    pipe.close()

    def close(self) -> None:
        self.end()
        self._threads.shutdown(wait=False)


class Lane:
    """A worker and those who wait for it: the newest question of somebody replaces an older one."""

    def __init__(self, niceness: int) -> None:
        self.worker = Worker(niceness)
        self.gate = Gate(1, 1, waiting_here=WAITING_HERE, waiting=WAITING)
        self._newest: dict[str, int] = {}
        self._count = 0

    async def ask(self, who: str, address: str, line: bytes, seconds: float) -> bytes:
        self._count += 1
        mine = self._newest[who] = self._count
        try:
            async with self.gate.place(who, address):
                if self._newest[who] != mine:
                    raise Refused(SUPERSEDED)
                return await self.worker.ask(line, seconds)
        except Refused as refused:
            busy = refused.refusal.code == "rate/too-much"
            raise Refused(BUSY) if busy else refused from None
        finally:
            if self._newest.get(who) == mine:
                del self._newest[who]

    def close(self) -> None:
        self.worker.close()


Next = Callable[[bytes], bytes | None]
"""By an answer, the line with which the work goes on; None where it is the last."""


class _Begun(msgspec.Struct):
    key: str
    line: bytes
    who: str
    page: str
    following: Next
    stopped: bool = False

    @property
    def whose(self) -> tuple[str, str]:
        return self.who, self.page


MOST_QUEUED = 8
MOST_OF_ONE = 3
"""Things that wait, in all and of one person's pages."""

MOST_KEPT = 64
LONGEST = 1800.0
"""Seconds."""


T = TypeVar("T")


def _keep(several: OrderedDict[str, T], key: str, value: T) -> None:
    """Put something last, and let go of the first where there are too many."""
    several[key] = value
    several.move_to_end(key)
    if len(several) > MOST_KEPT:
        several.popitem(last=False)


class LongWork:
    """What takes minutes: one at a time, each in a process of its own, whose answer is kept.

    Work that is done in parts lets whoever waits go first after each, and goes on from its last
    answer, also if it was stopped in between.
    """

    def __init__(self) -> None:
        self.answers: OrderedDict[str, bytes] = OrderedDict()
        """By key, of what is done, or of how far it is."""
        self.failed: OrderedDict[str, None] = OrderedDict()
        """The keys of what ended without an answer: it is begun again when somebody says so."""
        self._waiting: OrderedDict[str, _Begun] = OrderedDict()
        self._now: _Begun | None = None
        self._worker: Worker | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def under_way(self) -> tuple[str, ...]:
        """The keys of what is done now and next."""
        return tuple(each.key for each in self._begun())

    def works_for(self, who: str) -> bool:
        """Whether anything of somebody's is done now, or waits."""
        return any(each.who == who for each in self._begun())

    def is_of(self, key: str, who: str) -> bool:
        """Whether this is done now, or waits, because somebody has begun it: they may stop it."""
        return any((each.key, each.who) == (key, who) for each in self._begun())

    def _begun(self) -> tuple[_Begun, ...]:
        now = () if self._now is None else (self._now,)
        return (*now, *self._waiting.values())

    def begin(
        self,
        key: str,
        line: bytes,
        who: str,
        following: Next = lambda _answer: None,
        page: str = "",
    ) -> None:
        """Have something done, in place of what somebody had asked for before on the same page."""
        if key in self.under_way:
            return
        if key in self.answers:
            more = following(self.answers[key])
            if more is None:
                return
            line = more
        for older in [each for each in self._waiting.values() if each.whose == (who, page)]:
            del self._waiting[older.key]
        theirs = sum(each.who == who for each in self._waiting.values())
        if len(self._waiting) >= MOST_QUEUED or theirs >= MOST_OF_ONE:
            raise Refused(BUSY)
        self._waiting[key] = _Begun(key, line, who, page, following)
        if self._now is not None and self._now.whose == (who, page):
            self._stop_now()
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    def stop(self, key: str, who: str) -> None:
        """End what somebody has begun; the answer to its last part is kept."""
        waits = self._waiting.get(key)
        if waits is not None and waits.who == who:
            del self._waiting[key]
        if self._now is not None and (self._now.key, self._now.who) == (key, who):
            self._stop_now()

    def _stop_now(self) -> None:
        if self._now is not None and self._worker is not None:
            self._now.stopped = True
            self._worker.end()

    async def _run(self) -> None:
        last = ""
        while self._waiting:
            _, now = self._waiting.popitem(last=False)
            if self._worker is None or now.key != last:
                self._end_worker()
                self._worker = Worker()
            self._now, last = now, now.key
            try:
                answer = await self._worker.ask(now.line, LONGEST)
                _keep(self.answers, now.key, answer)
                more = now.following(answer)
                if more is not None and not now.stopped:
                    now.line = more
                    self._waiting[now.key] = now
            except Refused as refused:
                if not now.stopped:
                    logging.getLogger("pitboss").warning("%s: %s", now.key, refused)
                    _keep(self.failed, now.key, None)
            finally:
                self._now = None
        self._end_worker()

    def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def close(self) -> None:
        self._waiting.clear()
        self._stop_now()
        if self._task is not None:
            self._task.cancel()
        self._end_worker()
