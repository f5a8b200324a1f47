"""Processes that end themselves in the middle of a write, as by a power cut.

Run as a program, this waits for orders on standard input, one JSON object a line, and forks for
each. A whole game has been played there before, so that what is slow to import or to work out is
not done anew by every process.
"""

import asyncio
import gc
import importlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from pitboss.house.storage.databases import Dialect, dialect
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.store import Store
from tests.faults import pit_game
from tests.faults.game import Step, house_on, play, script
from tests.passwords import quick_passwords

ROOT = Path(__file__).parents[2]
WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "CREATE", "COMMIT", "WITH OURS")
STEPS = 100
"""How much SQLite does between two places to die at, within one statement."""


class Killing:
    """A dialect whose process dies at its n-th chance: before, in the middle of, or after a write.

    A SQLite statement is left in the middle of its work. One for PostgreSQL has been sent, and what
    becomes of it is never heard.
    """

    def __init__(self, inner: Dialect, at: int) -> None:
        self.inner, self.at = inner, at
        self.points = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def connect(self, *limits: Any) -> Any:
        return _Watched(self.inner.connect(*limits), _Writing(self))

    def point(self) -> None:
        """One more place to die at."""
        self.points += 1
        if self.points == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


class _Writing:
    """Whether a connection is in the middle of a write."""

    def __init__(self, killing: Killing) -> None:
        self.killing, self.now = killing, False

    def meanwhile(self) -> None:
        """One more place to die at, if it is."""
        if self.now:
            self.killing.point()

    def sent(self, wait: Any) -> Any:
        """Return how an answer is waited for, with a place to die at when the question is sent."""

        def asking(answering: Any) -> Any:
            try:
                asked = next(answering)
                self.meanwhile()
                while True:
                    asked = answering.send((yield asked))
            except StopIteration as end:
                return end.value

        return lambda answering, *limits, **more: wait(asking(answering), *limits, **more)


class _Watched:
    """A connection, or a cursor, of which every write is counted."""

    def __init__(self, inner: Any, writing: _Writing) -> None:
        self._inner, self._writing = inner, writing
        if isinstance(inner, sqlite3.Connection):
            inner.set_progress_handler(writing.meanwhile, STEPS)
        elif hasattr(inner, "wait"):
            inner.wait = writing.sent(inner.wait)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def cursor(self) -> Any:
        return _Watched(self._inner.cursor(), self._writing)

    def execute(self, sql: str, *values: Any) -> Any:
        return self._do("execute", sql, values)

    def executemany(self, sql: str, *values: Any) -> Any:
        return self._do("executemany", sql, values)

    def _do(self, how: str, sql: str, values: Any) -> Any:
        if not sql.lstrip().upper().startswith(WRITES):
            return getattr(self._inner, how)(sql, *values)
        self._writing.now = True
        self._writing.meanwhile()
        try:
            return getattr(self._inner, how)(sql, *values)
        finally:
            self._writing.meanwhile()
            self._writing.now = False


def _child(where: str, at: int, answers: str, what: str) -> None:
    file = os.open(answers, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def say(**values: Any) -> None:
        os.write(file, json.dumps(values).encode() + b"\n")

    def acknowledged(step: Step, entry: Entry) -> None:
        say(place=step.place, seq=entry.seq, hash=entry.hash)

    killing = Killing(dialect(where), at)

    async def work() -> None:
        async with house_on(Store(where, database=killing)) as house:
            if what == "game":
                await play(house, script(), acknowledged)
            elif what == "pit":
                await play(house, pit_game.script(), acknowledged)
            elif what == "game with others":
                # Another process has always written in between.
                async with house_on(Store(where)) as other:
                    for number, group in enumerate(script()):
                        await play((house, other)[number % 2], [group], acknowledged)
            else:
                say(secret=await house.sessions.first_administrator())

    asyncio.run(work())
    say(points=killing.points)


def _warm_up() -> None:
    importlib.import_module("psycopg")  # or each child would load it anew
    with tempfile.TemporaryDirectory() as folder:
        for what in ("game", "pit"):
            _child(f"{folder}/{what}.db", at=0, answers=f"{folder}/answers", what=what)
    for each in set(threading.enumerate()) - {threading.current_thread()}:
        each.join()  # nothing else runs when a process is forked


def _serve() -> None:
    _warm_up()
    gc.freeze()  # a child would otherwise copy all of this memory to look for garbage in it
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _child(**order)
                code = 0
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


class Killer:
    """Has processes killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.killer"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, where: str, at: int, what: str = "game") -> tuple[int, list[dict[str, Any]]]:
        """Let a process run until it dies at this point: its exit code, and what it said."""
        answers = self._folder / f"answers-{what}-{at}"
        answers.unlink(missing_ok=True)
        order = {"where": where, "at": at, "answers": str(answers), "what": what}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        code = int(self._process.stdout.readline())
        return code, [json.loads(line) for line in answers.read_text().splitlines()]

    def close(self) -> None:
        self._process.communicate()


if __name__ == "__main__":
    with quick_passwords():
        _serve()
