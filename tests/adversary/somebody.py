"""One of the random people: their connections, what they send, and how they come in."""

import asyncio
import random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from pitboss.house.storage import codec
from pitboss.web.client import Client
from tests.adversary.cast import PASSWORD
from tests.adversary.records import Asked

if TYPE_CHECKING:
    from tests.adversary.run import Night

ANSWER = 3.0
"""Seconds for which somebody waits."""
WAITING = "/api/floor/waiting"
"""What waits for somebody of the pit."""


class Line(Client):
    """Somebody's connection to one server, from an address of their own."""

    def __init__(self, url: str, token: str, comes_from: str) -> None:
        super().__init__(url, token, patience=0, answer=ANSWER)
        self.comes_from = comes_from

    def _head(self, method: str, path: str, extra: str) -> str:
        return super()._head(method, path, f"X-Forwarded-For: {self.comes_from}\r\n{extra}")

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send it once: status and answer, or 0 where none came."""
        try:
            async with asyncio.timeout(ANSWER):
                return await self._once(method, path, body)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            return 0, b""


class Somebody:
    """One person, who does one thing after the other."""

    def __init__(self, night: "Night", name: str, roles: tuple[str, ...]) -> None:
        self.night, self.name, self.own_roles = night, name, roles
        self.random = random.Random(f"{night.seed}/{name}")
        self.roles = set(roles)
        """What they believe to be."""
        self.person = name
        self.token = ""
        self.passwords = [PASSWORD]
        """The last is the likeliest; others where nobody knows which it is."""
        self.lines: dict[str, Line] = {}
        self.sent: list[Asked] = []
        self.opened: set[str] = set()
        self.screen, self.numbers = "", 0
        """What they are at, and how much they have asked for there."""
        self.table = ""
        self.listening: asyncio.Task[None] | None = None
        self.comes_from = f"10.{'.'.join(str(self.random.randrange(256)) for _ in range(3))}"

    @property
    def guest(self) -> bool:
        return self.own_roles == ("guest",)

    def key(self) -> str:
        self.numbers += 1
        return f"{self.name}{self.screen}-{self.night.epoch}-{self.numbers}"

    def beside(self, screen: str) -> "Somebody":
        """Return the same person at another screen as well, in the same session."""
        other = Somebody(self.night, self.name, self.own_roles)
        other.roles, other.person, other.token = self.roles, self.person, self.token
        other.screen = screen
        return other

    # Sending ----------------------------------------------------------------------------------

    def line(self, server: int | None = None) -> Line:
        urls = self.night.premises.urls
        url = urls[self.random.randrange(len(urls)) if server is None else server % len(urls)]
        if url not in self.lines:
            self.lines[url] = Line(url, self.token, self.comes_from)
        self.lines[url].token = self.token
        return self.lines[url]

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Ask for something that is no keyed command; status, and what was told."""
        sent = b"" if body is None else msgspec.json.encode(body)
        status, answer = await self.raw(method, path, sent)
        if status >= 400:
            code = self.night.record.problem(path, status, answer, sent)
            self.heed(code)
            return status, code
        told: Any = msgspec.json.decode(answer) if answer else None
        if status == 200 and path.startswith("/api/rounds/"):
            self.night.record.heard[self.person].append(("record", answer))
        elif status == 200 and path.startswith("/api/tables/") and "seq" in told:
            self.night.record.viewed(self.person, answer, told["table"], told["seq"])
        elif status == 200 and path == WAITING:
            self.night.record.waits(path, told)
        elif isinstance(told, dict) and "token" not in told:
            self.night.record.other(path, answer)
        return status, told

    async def raw(
        self, method: str, path: str, body: bytes, server: int | None = None
    ) -> tuple[int, bytes]:
        self.night.record.counts["steps"] += 1
        epoch = self.night.epoch
        status, answer = await self.line(server).ask(method, path, body)
        if epoch != self.night.epoch:
            return 0, b""  # that house is gone
        self.night.record.counts["answers" if status else "no answer"] += 1
        return status, answer

    def asked(self, path: str, stream: str, command: Any, **more: Any) -> Asked:
        key = self.key()
        body = msgspec.json.encode({"key": key, **command, **more})
        sent = Asked(path, (stream, self.person, key), msgspec.json.decode(body), body)
        self.sent = [*self.sent[-40:], sent]
        return sent

    async def send(self, asked: Asked, server: int | None = None) -> str:
        """Send a command, once; the refusal's code, if it was one."""
        status, answer = await self.raw("POST", asked.path, asked.body, server)
        code = self.night.record.answered(asked, status, answer)
        self.heed(code)
        return code

    def heed(self, code: str) -> None:
        """Take a refusal's code to heart."""
        if code == "session/none":
            self.token = ""

    async def command(self, table: str, command: Any, moment: str = "") -> str:
        path, raw = f"/api/tables/{quote(table)}", msgspec.Raw(codec.encode(command))
        return await self.send(self.asked(path, f"table:{table}", {"command": raw}, moment=moment))

    # Coming in --------------------------------------------------------------------------------

    async def enter(self) -> bool:
        """Come in, as a guest or by name; whether it was possible."""
        if self.guest:
            status, told = await self.ask("POST", "/api/guests")
            if status == 200:
                self.token, self.person = told["token"], told["person"]
                self.sent = []
            return status == 200
        for password in self.passwords[::-1][:2]:
            status, told = await self.ask(
                "POST", "/api/sessions", {"name": self.name, "password": password}
            )
            if status == 200:
                self.token, self.passwords = told["token"], [password]
                return True
            if told == "login/one-time":
                await self.new_password(password)
                return False
            if told not in ("login/wrong", "login/locked"):
                return False  # nobody answers
        self.night.lost(self)
        await asyncio.sleep(0.2)
        return False

    async def keep_name(self, name: str) -> None:
        """Go on in the session that is told; where nobody tells, it may have ended."""
        body = {"name": name, "password": PASSWORD}
        status, told = await self.ask("POST", "/api/me/name", body)
        if status == 200:
            self.token = told["token"]
        elif status in (0, 503):
            self.token = ""

    async def new_password(self, old: str) -> None:
        new = f"{PASSWORD}-{self.key()}"
        body = {"name": self.name, "password": old, "new": new}
        status, _ = await self.ask("POST", "/api/password", body)
        if status == 204:
            self.passwords, self.token = [new], ""
        elif status in (0, 503):
            self.passwords, self.token = [old, new], ""
