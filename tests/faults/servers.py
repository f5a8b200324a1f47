"""Real server processes, to be stopped, killed and started again; and people who play there."""

import asyncio
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from pitboss.house.storage.journal import Entry
from pitboss.web.client import Client, Declined, Unreachable
from tests.faults.game import ANTE_CENTS, BOOK, places, written

ROOT = Path(__file__).parents[2]

LATE = {"command/late", "decide/already", "decide/not-now", "bet/closed"}
"""What is said to somebody for whom another was too quick."""


class Server:
    """``pitboss serve``, as anybody would run it."""

    def __init__(self, where: str, folder: Path, port: int = 0) -> None:
        self._errors = folder / f"stderr-{os.urandom(4).hex()}"
        command = [sys.executable, "-m", "pitboss", "serve", "--db", where, "--port", str(port)]
        command += ["--signing-key", str(folder / "house.key")]
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            )
        assert self.process.stdout is not None
        watch = threading.Timer(30, self.process.kill)
        watch.start()
        said = self.process.stdout.readline()
        watch.cancel()
        if not said.startswith("Pitboss is open at "):
            self.kill()
            raise AssertionError(self.errors)
        self.url = said.split()[-1]
        self.port = int(self.url.rpartition(":")[2])

    @property
    def errors(self) -> str:
        return self._errors.read_text()

    def kill(self) -> None:
        """As by a power cut."""
        self.process.kill()
        self._over()

    def stop(self) -> int:
        """Tell it to stop; the exit code."""
        self.process.terminate()
        return self._over()

    def _over(self) -> int:
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            assert self.process.stdout is not None
            self.process.stdout.close()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self._over()


class Player:
    """Somebody at a table who does what is due, always with a raise of one."""

    def __init__(self, urls: list[str], seat: int, chance: random.Random) -> None:
        self.urls, self.seat, self.random = urls, seat, chance
        self.at = chance.randrange(len(urls))
        self.token = self.person = ""
        self.done: list[tuple[str, int]] = []
        """Keys that were acknowledged, and the number of the entry that was named then."""
        self.sent: set[str] = set()
        self.numbers = 0

    async def once(self, method: str, path: str, body: Any = None) -> Any:
        """Send something once; to another server, if this one does not answer."""
        for _ in range(200):
            client = Client(self.urls[self.at], self.token, patience=0)
            try:
                return await client.send(method, path, body)
            except Unreachable:
                self.at = (self.at + 1) % len(self.urls)
                await asyncio.sleep(0.05)
            finally:
                client.close()
        raise AssertionError("no server answers")

    async def enter(self) -> None:
        found = await self.once("POST", "/api/guests")
        self.token, self.person = found["token"], found["person"]

    def key(self) -> str:
        self.numbers += 1
        return f"{self.seat}-{self.numbers}"

    async def do(self, table: str, command: dict[str, Any], moment: str = "") -> bool:
        """Ask for something until it is answered; whether it was done."""
        key = self.key()
        self.sent.add(key)
        body = {"key": key, "command": command, "moment": moment}
        try:
            found = await self.once("POST", f"/api/tables/{table}", body)
        except Declined as no:
            if no.code not in LATE:
                raise
            return False
        self.done.append((key, found["notice"]["seq"]))
        return True

    async def view(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = await self.once("GET", f"/api/tables/{table}")
        return found

    async def play(self, table: str, rounds: int) -> None:
        """Play until so many rounds are over; each request goes to any of the servers."""
        while (view := await self.view(table))["round"] <= rounds:
            self.at = self.random.randrange(len(self.urls))
            command = self.wants(view)
            if command is None or not await self.do(table, command, view["moment"]):
                await asyncio.sleep(0.005)

    def wants(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Return what is to be done now, if anything."""
        mine = next(each for each in view["seats"] if each["seat"] == self.seat)
        if view["phase"] == "betting" and not mine["stakes"]:
            return {"action": "bet", "seat": self.seat, "wagers": {"ante": ANTE_CENTS}}
        if self.seat in view["due"]:
            return {"action": "raise", "seat": self.seat, "times": 1}
        return None


async def sit_down(players: list[Player], **options: Any) -> str:
    """Enter, open a table and sit down at it; its name."""
    for player in players:
        await player.enter()
    command = {"action": "open-table", "rulebook": BOOK, "practice": True, **options}
    found = await players[0].once("POST", "/api/tables", {"key": "open", "command": command})
    table: str = found["notice"]["table"]
    await invite(players[0], table, players)
    for player in players:
        assert await player.do(table, {"action": "sit", "seat": player.seat})
    return table


async def invite(owner: Player, table: str, others: list[Player]) -> None:
    """Let others come to a practice table."""
    shown = await owner.once("POST", f"/api/tables/{table}/invitations")
    for each in others:
        await each.once("POST", "/api/invitations", shown)


def nothing_lost(where: str, table: str, players: list[Player]) -> list[Entry]:
    """What was acknowledged is there, where it was said to be; nothing is there twice.

    The journal's entries of the table are returned.
    """
    entries = [entry for entry in written(where) if entry.stream == f"table:{table}"]
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    found = places(entries)
    for player in players:
        for key, seq in player.done:
            entry = found.get((f"table:{table}", player.person, key))
            assert entry is not None, f"{player.person} {key} was acknowledged and is lost"
            assert entry.seq == seq
        keys = {
            key for _, person, key in found if person == player.person and key not in ("open", "")
        }
        assert keys <= player.sent
    return entries
