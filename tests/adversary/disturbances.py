"""The servers of a house, and what befalls them: kills, pauses, slow and full databases, clocks
that are set, backups that are put in place of what was."""

import asyncio
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.audit.snapshot import Snapshot
from tests.adversary.program import Starter
from tests.conftest import fresh_database, postgres_program

if TYPE_CHECKING:
    from tests.adversary.run import Night

SECOND, HOUR = 1_000, 3_600_000
OPEN = "Pitboss is open at "
SECRET = "this one-time secret: "
STARTS = 30.0
"""Seconds in which a server must be open."""
STOPS = 20.0
"""Seconds in which one that is told to stop must be gone."""


class Server:
    """One server's process, at one address for as long as the house is there."""

    def __init__(self, starter: Starter, folder: Path, number: int) -> None:
        self.starter, self.folder, self.number = starter, folder, number
        self.pid = self.port = self.starts = 0
        self.url = ""
        self.clock, self.slept_ms = folder / f"clock-{number}", 0
        self.set_clock(0)

    @property
    def _err(self) -> Path:
        return self.folder / f"err-{self.number}-{self.starts}"

    def tell(self, sent: signal.Signals) -> None:
        assert self.pid > 0  # 0 would be ourselves
        os.kill(self.pid, sent)

    def set_clock(self, ahead_ms: int, sleeps_ms: int = 0) -> None:
        """Set its computer's clock to be wrong by so much, after some sleep of the computer."""
        self.slept_ms += sleeps_ms  # what counts that never goes back
        self.clock.write_text(f"{ahead_ms} {self.slept_ms}")
        if self.pid:
            self.tell(signal.SIGUSR1)

    def start(self, where: str, key: Path, *more: str, first: bool = False) -> str:
        """Open the house, for the first time or again; a one-time secret, if one is told."""
        self.starts += 1
        out = self.folder / f"out-{self.number}-{self.starts}"
        arguments = ["serve", "--db", where, "--signing-key", str(key)]
        arguments += ["--port", str(self.port), *more]
        self.pid = self.starter.start(arguments, out, self._err, self.clock)
        until = time.monotonic() + STARTS
        last = "/sign-in\n" if first or "--new-secret" in more else "\n"
        while not ((said := _read(out)).endswith(last) and OPEN in said):
            errors = _read(self._err)
            if time.monotonic() > until or errors:
                self.end(signal.SIGKILL)
                raise AssertionError(f"a server did not open: {errors or said}")
            time.sleep(0.01)
        self.url = said.partition(OPEN)[2].split()[0]
        self.port = int(self.url.rpartition(":")[2])
        return said.partition(SECRET)[2].split()[0] if SECRET in said else ""

    def end(self, sent: signal.Signals) -> str:
        """End it; what it complained of, or how it ended if that was not as it was told to."""
        if not self.pid:
            return ""
        for each in (signal.SIGCONT, sent):
            self.tell(each)
        watch = threading.Timer(STOPS, self.tell, [signal.SIGKILL])
        watch.start()
        code = self.starter.over(self.pid)
        watch.cancel()
        self.pid = 0
        said = self._err.read_text()
        right = 0 if sent == signal.SIGTERM else -sent
        return said or (f"exit code {code}, not {right}" if code != right else "")


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


class Copy(NamedTuple):
    """A backup."""

    at: Path
    begun: float


class Premises:
    """A house's database and its servers."""

    def __init__(self, where: str, folder: Path, starter: Starter, servers: int) -> None:
        self.where, self.folder, self.key = where, folder, folder / "signing.key"
        self.servers = [Server(starter, folder, number) for number in range(servers)]
        self.copy: Copy | None = None
        self._copies = 0

    @property
    def sqlite(self) -> bool:
        return "://" not in self.where

    @property
    def urls(self) -> list[str]:
        return [each.url for each in self.servers]

    def close(self) -> list[str]:
        """Stop all servers as one should; what they complained of."""
        return [said for each in self.servers if (said := each.end(signal.SIGTERM))]

    # Backups, as the documents say how ----------------------------------------------------------

    def back_up(self) -> None:
        """Copy the database while the house is open."""
        self._copies += 1
        begun, at = time.monotonic(), self.folder / f"copy-{self._copies}"
        at.touch(mode=0o600)
        if self.sqlite:
            connection = sqlite3.connect(self.where, timeout=20)
            connection.execute("VACUUM INTO ?", (str(at),))
            connection.close()
        else:
            self._program("pg_dump", "--format=custom", f"--file={at}", self.where)
        self.copy = Copy(at, begun)

    def put_back(self) -> tuple[float, int]:
        """Put the copy in place of the database, no server running: when it was begun, and how
        many entries it has."""
        assert self.copy is not None
        if self.sqlite:
            for beside in ("-wal", "-shm"):
                Path(f"{self.where}{beside}").unlink(missing_ok=True)
            shutil.copyfile(self.copy.at, self.where)
        else:
            self.where = fresh_database(self.where)
            self._program("pg_restore", f"--dbname={self.where}", str(self.copy.at))
        with Snapshot(self.where) as snapshot:
            return self.copy.begun, next(snapshot.rows("SELECT position FROM head"))[0]

    @staticmethod
    def _program(name: str, *arguments: str) -> None:
        subprocess.run([postgres_program(name), *arguments], check=True, capture_output=True)

    # Trouble with the database -------------------------------------------------------------------

    def hold(self, seconds: float) -> None:
        """Let nobody write for a while."""
        for connection in self._connected():
            with suppress(Exception):
                if self.sqlite:
                    connection.execute("BEGIN IMMEDIATE")
                else:
                    connection.execute("BEGIN; LOCK TABLE head IN ACCESS EXCLUSIVE MODE")
                time.sleep(seconds)
                connection.execute("ROLLBACK")
            connection.close()

    def cut(self) -> None:
        """Cut every line to the database that somebody else has."""
        for connection in self._connected():
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.close()

    def _connected(self) -> list[Any]:
        if self.sqlite:
            return [sqlite3.connect(self.where, timeout=2, isolation_level=None)]
        import psycopg

        return [psycopg.connect(self.where, autocommit=True)]

    def fill(self, server: Server, full: bool) -> None:
        """Let no file of a server's grow, or let them grow again."""
        most = 1 if full else resource.RLIM_INFINITY
        if server.pid:
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


# What befalls them --------------------------------------------------------------------------------


class Trouble:
    """Makes trouble, one after the other."""

    def __init__(self, night: "Night") -> None:
        self.night, self.premises = night, night.premises
        self.random = random.Random(f"{night.seed}/trouble")

    async def go_on(self) -> None:
        while not self.night.over:
            await asyncio.sleep(self.random.uniform(0.2, 1.2))
            if self.night.needs_secret:
                await self.restart(self.random.choice(self.premises.servers), "--new-secret")
                continue
            (trouble,) = self.random.choices([*TROUBLES], [*TROUBLES.values()])
            self.night.record.counts[trouble.__name__] += 1
            await trouble(self)

    def _one(self) -> Server:
        return self.random.choice(self.premises.servers)

    async def _end(self, server: Server, sent: signal.Signals) -> None:
        said = await asyncio.to_thread(server.end, sent)
        if said:
            self.night.record.found(f"server {server.number} said: {said[-3000:]}")

    async def restart(self, server: Server, *more: str, sent: Any = signal.SIGTERM) -> None:
        await self._end(server, sent)
        await self._start(server, *more)

    async def _start(self, server: Server, *more: str) -> None:
        secret = await asyncio.to_thread(
            server.start, self.premises.where, self.premises.key, *more
        )
        if secret:
            self.night.told_secret(secret)

    async def kills(self) -> None:
        await self.restart(self._one(), sent=signal.SIGKILL)

    async def stops(self) -> None:
        await self.restart(self._one())

    async def pauses(self) -> None:
        server = self._one()
        for _ in range(self.random.choice([1, 1, 10])):
            server.tell(signal.SIGSTOP)
            await asyncio.sleep(self.random.choice([0.02, 0.1, 1.2]))
            server.tell(signal.SIGCONT)
            await asyncio.sleep(0.02)

    async def slows(self) -> None:
        await asyncio.to_thread(self.premises.hold, self.random.choice([0.05, 0.3, 1.0]))

    async def breaks(self) -> None:
        """A file is full for a while; a line to PostgreSQL is cut."""
        if not self.premises.sqlite:
            await asyncio.to_thread(self.premises.cut)
            return
        server = self._one()
        self.premises.fill(server, full=True)
        await asyncio.sleep(self.random.choice([0.1, 0.5]))
        self.premises.fill(server, full=False)

    async def skews(self) -> None:
        ahead = self.random.choice([0, 0, SECOND // 2, 5 * SECOND, HOUR, 24 * HOUR])
        ahead *= self.random.choice([1, -1])
        self._one().set_clock(ahead, self.random.choice([0, 0, 0, 3 * SECOND, HOUR]))

    async def backs_up(self) -> None:
        with suppress(sqlite3.OperationalError):  # the database is held, or full
            await asyncio.to_thread(self.premises.back_up)

    async def restores(self) -> None:
        """Put an earlier copy in place of the database: all that was since is gone."""
        if self.premises.copy is None:
            await self.backs_up()
            return
        night = self.night
        night.gate.clear()
        for server in self.premises.servers:
            await self._end(server, self.random.choice([signal.SIGKILL, signal.SIGTERM]))
        found = await asyncio.to_thread(night.findings)
        night.record.findings += found
        night.leave_behind(*await asyncio.to_thread(self.premises.put_back))
        first, *others = self.premises.servers
        # It is told, or its own mark tells.
        told = self.random.choice([[], ["--restored"]])
        await self._start(first, "--new-secret", *told)
        for server in others:
            await self._start(server)
        self.premises.copy = None
        night.gate.set()


TROUBLES: dict[Callable[[Trouble], Awaitable[None]], float] = {
    Trouble.kills: 5,
    Trouble.stops: 1,
    Trouble.pauses: 4,
    Trouble.slows: 3,
    Trouble.breaks: 3,
    Trouble.skews: 4,
    Trouble.backs_up: 2,
    Trouble.restores: 1,
}
