"""A small client of the house's API: what bots, tests and benchmarks use, and anybody may.

One keep-alive connection; a command goes out again with its idempotency key until answered.

async with Client("http://127.0.0.1:8000") as client:
    await client.enter()
    table = await client.open_table("common/mississippi-stud", practice=True)
    await client.do(table, {"action": "sit", "seat": 1})
"""

import asyncio
import itertools
import random
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any, Self
from urllib.parse import quote, urlsplit

import msgspec

from pitboss.errors import PitbossError

PATIENCE = 60.0
"""Seconds for which a command is tried again while the server is away."""

ANSWER = 20.0
"""Seconds after which an answer is awaited no longer, and asked for again."""


class Unreachable(PitbossError):
    """The server does not answer."""


class Declined(PitbossError):
    """The server said no."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("message", status)))
        self.status = status
        self.code = str(problem.get("code", ""))
        self.clause = str(problem.get("clause", ""))


class Client:
    """One person's connection; whoever is told that it is too much at once waits a moment."""

    def __init__(
        self, url: str, token: str = "", *, patience: float = PATIENCE, answer: float = ANSWER
    ) -> None:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
            if not host or parts.scheme not in ("http", "https") or parts.path.strip("/"):
                raise ValueError(url)
        except ValueError:  # urlsplit's own, for a port or a host that is none
            wanted = "an address such as http://127.0.0.1:8000"
            raise PitbossError(f"{url[:80]!r} is not {wanted}") from None
        self._host, self._secure = host, parts.scheme == "https"
        self._port = port or (443 if self._secure else 80)
        self._name = parts.netloc
        self.token, self.person = token, ""
        self.patience, self.answer = patience, answer
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()
        self._keys = itertools.count(1)
        self._prefix = random.SystemRandom().randbytes(6).hex()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        if self._stream is not None:
            self._stream[1].close()
            self._stream = None

    # What a player does -----------------------------------------------------------------------

    async def enter(self) -> str:
        """Enter as a guest; the person's id."""
        return await self._session("/api/guests")

    async def login(self, name: str, password: str) -> str:
        return await self._session("/api/sessions", {"name": name, "password": password})

    async def _session(self, path: str, body: Any = None) -> str:
        found = await self.send("POST", path, body)
        self.token, self.person = found["token"], found["person"]
        return self.person

    async def open_table(self, rulebook: str, **options: Any) -> str:
        """Open a table; its id."""
        command = {"action": "open-table", "rulebook": rulebook, **options}
        body = {"key": self.key(), "command": command}
        return str((await self.send("POST", "/api/tables", body))["notice"]["table"])

    async def invite(self, table: str, *others: "Client") -> None:
        """Let others come to this client's practice table."""
        shown = await self.send("POST", f"/api/tables/{quote(table)}/invitations")
        for other in others:
            await other.send("POST", "/api/invitations", shown)

    async def view(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = await self.send("GET", f"/api/tables/{quote(table)}")
        return found

    async def do(
        self, table: str, command: dict[str, Any], moment: str = "", key: str = ""
    ) -> dict[str, Any]:
        body = {"key": key or self.key(), "command": command, "moment": moment}
        found: dict[str, Any] = await self.send("POST", f"/api/tables/{quote(table)}", body)
        return found

    def key(self) -> str:
        """Return an idempotency key that was never used before."""
        return f"{self._prefix}-{next(self._keys)}"

    async def events(
        self,
        path: str,
        after: int | None = None,
        read: Callable[[bytes], Any] = msgspec.json.decode,
    ) -> AsyncIterator[tuple[int, Any]]:
        """Yield (number, notice) from a stream until it ends; a reset is (0, None)."""
        reader, writer = await self._connect()
        try:
            extra = f"Last-Event-ID: {after}\r\n" if after is not None else ""
            writer.write(self._head("GET", path, extra).encode())
            status, headers = await _read_head(reader)
            if status != 200:
                raise Declined(status, msgspec.json.decode(await _read_body(reader, headers)))
            number, kind = 0, ""
            async for line in _lines(reader, headers):
                if line.startswith(b"id: "):
                    number = int(line[4:])
                elif line.startswith(b"event: "):
                    kind = line[7:].decode()
                elif line.startswith(b"data: "):
                    if kind == "end":
                        return
                    yield (0, None) if kind == "reset" else (number, read(line[6:]))
                    kind = ""
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Unreachable(str(error)) from None
        finally:
            writer.close()

    # HTTP -------------------------------------------------------------------------------------

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request until it is answered; raises ``Declined`` when the answer is no."""
        written = b"" if body is None else msgspec.json.encode(body)
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + self.patience, 0.05
        while True:
            status, answer = 503, b""
            why = "the server cannot write now"
            try:
                async with asyncio.timeout(self.answer):
                    status, answer = await self._once(method, path, written)
            except (OSError, asyncio.IncompleteReadError, ValueError) as error:
                why = str(error) or "no answer"
            if status == 429 and b'"rate/too-much"' in answer:
                why = "too much at once"
            elif status != 503:
                break
            if loop.time() > until:
                raise Unreachable(f"{self._name}: {why}")
            await asyncio.sleep(pause)
            pause = min(1.0, 2 * pause)
        try:
            found = msgspec.json.decode(answer) if answer else None
        except msgspec.DecodeError:
            raise Declined(status, {"message": f"{self._name} is no house of ours"}) from None
        if status >= 400:
            raise Declined(status, found or {})
        return found

    async def _once(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        async with self._turn:
            try:
                if self._stream is None:
                    self._stream = await self._connect()
                reader, writer = self._stream
                extra = f"Content-Length: {len(body)}\r\n"
                if body:
                    extra += "Content-Type: application/json\r\n"
                writer.write(self._head(method, path, extra).encode() + body)
                status, headers = await _read_head(reader)
                answer = await _read_body(reader, headers)
            except BaseException:
                self.close()
                raise
            if headers.get("connection", "").lower() == "close":
                self.close()
            return status, answer

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        context = ssl.create_default_context() if self._secure else None
        return await asyncio.open_connection(self._host, self._port, ssl=context, limit=1 << 22)

    def _head(self, method: str, path: str, extra: str) -> str:
        token = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        return f"{method} {path} HTTP/1.1\r\nHost: {self._name}\r\n{token}{extra}\r\n"


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in head[1:] if line)
    return int(head[0].split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") == "chunked":
        return b"".join([piece async for piece in _chunks(reader)])
    return await reader.readexactly(int(headers.get("content-length", 0)))


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int(await reader.readuntil(b"\r\n"), 16):
        piece = await reader.readexactly(size + 2)
        yield piece[:-2]
    await reader.readuntil(b"\r\n")


async def _lines(reader: asyncio.StreamReader, headers: dict[str, str]) -> AsyncIterator[bytes]:
    assert headers.get("transfer-encoding") == "chunked"
    left = b""
    async for piece in _chunks(reader):
        *whole, left = (left + piece).split(b"\n")
        for line in whole:
            yield line
