"""Real servers, forked from a process that has loaded everything, on computers whose clocks are
set at will.

Run as a program, this waits for orders on standard input, one JSON object a line: the arguments of
``pitboss`` for a new process, or the number of one whose end is to be told.
"""

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from pitboss.cli import main
from pitboss.house.storage.databases import Sqlite
from tests.passwords import quick_passwords

ROOT = Path(__file__).parents[2]


class Computer:
    """What Python and SQLite are told of the time: a file says by how much it is wrong."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.ahead_ms = self.slept_ms = 0
        right, counter, asked = time.time_ns, time.clock_gettime_ns, Sqlite.time

        def time_ns() -> int:
            return right() + self.ahead_ms * 1_000_000

        def clock_gettime_ns(which: int) -> int:
            slept = self.slept_ms if which == time.CLOCK_BOOTTIME else 0
            return counter(which) + slept * 1_000_000

        changed: dict[str, Any] = {
            "time_ns": time_ns,
            "time": lambda: time_ns() / 1e9,
            "clock_gettime_ns": clock_gettime_ns,
        }
        for name, tells in changed.items():
            setattr(time, name, tells)
        sqlite: Any = Sqlite  # a file has the time of the computer that reads it
        sqlite.time = property(lambda _: f"{asked} + {self.ahead_ms}")
        signal.signal(signal.SIGUSR1, lambda *_: self.look())
        self.look()

    def look(self) -> None:
        self.ahead_ms, self.slept_ms = map(int, Path(self.path).read_text().split())


def _serve(arguments: list[str], out: str, err: str, clock: str) -> None:
    for path, number in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    Computer(clock)
    sys.argv = ["pitboss", *arguments]
    main()


def _wait_for_orders() -> None:
    for each in ("psycopg", "pitboss.cli.adopt", "pitboss.web.server"):
        importlib.import_module(each)
    gc.freeze()  # a child would otherwise copy all of this memory to look for garbage in it
    children: set[int] = set()
    for line in sys.stdin:
        order = json.loads(line)
        if "over" in order:
            children.discard(order["over"])
            _, status = os.waitpid(order["over"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _serve(**order)
                code = 0
            except SystemExit as end:
                code = int(end.code or 0)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        children.add(child)
        print(child, flush=True)
    for child in children:  # whoever gave the orders was killed
        os.kill(child, signal.SIGKILL)


class Starter:
    """Has servers started, and hears how they end."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.adversary.program"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _order(self, **order: Any) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def start(self, arguments: list[str], out: Path, err: Path, clock: Path) -> int:
        """Start ``pitboss`` with these arguments; the number of its process."""
        return self._order(arguments=arguments, out=str(out), err=str(err), clock=str(clock))

    def over(self, pid: int) -> int:
        """Wait for the end of a process; its exit code."""
        return self._order(over=pid)

    def close(self) -> None:
        self._process.communicate()


if __name__ == "__main__":
    with quick_passwords():
        _wait_for_orders()
