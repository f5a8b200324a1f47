"""Houses to be visited by tests: a process of its own, or a thread whose clock we set."""

import asyncio
import contextlib
import datetime
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import uvicorn
from starlette.types import ASGIApp

from pitboss.cards import DECK, cards
from pitboss.house.clock import HouseClock
from pitboss.house.deck_safe import fresh_deck
from pitboss.house.house import House
from pitboss.house.storage.store import Store
from pitboss.house.table.fair import Sealed
from pitboss.web.app import App
from pitboss.web.server import listening
from pitboss.web.services import Services
from pitboss.web.timeouts import TimeoutProtocol
from tests.eager_lab import eager_lab
from tests.passwords import quick_passwords

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

QUICK = "tests.quick_program"
"""The program with passwords that take no time; how long they take is for tests at the door."""


_STARTS = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=12)
LONG_DAY = ("gaming-day-starts", f"{_STARTS:%H}:00")
"""A setting by which no gaming day ends while tests run: cards that came are those of the day."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw) if self.raw else None

    @property
    def code(self) -> str:
        found: str = self.json["code"]
        return found


_OPENED: dict[str, "Caller"] = {}
"""Who opened a practice table, and can invite others."""


class Caller:
    """Somebody who sends single requests, each as nasty as need be."""

    def __init__(self, address: str, token: str = "", person: str = "") -> None:
        self.address, self.token, self.person = address, token, person
        self.csrf = ""
        self.count = 0
        # Each comes from elsewhere: the server believes a proxy on its own machine.
        self.comes_from = f"10.{'.'.join(str(part) for part in os.urandom(3))}"

    def __call__(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request: bytes as they are, anything else as JSON."""
        given = {"X-Forwarded-For": self.comes_from}
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            given["Content-Type"] = "application/json"
        given.update(headers or {})
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
        try:
            connection.request(method, path, sent, {k: v for k, v in given.items() if v})
            found = connection.getresponse()
            return Answer(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        finally:
            connection.close()

    def key(self) -> str:
        """Return a key that was not used before."""
        self.count += 1
        return f"k{self.count}"

    def enter(self) -> "Caller":
        """Enter as a guest."""
        found = self("POST", "/api/guests").json
        self.token, self.person, self.csrf = found["token"], found["person"], found["csrf"]
        return self

    def login(self, name: str, password: str) -> "Caller":
        """Sign in."""
        answer = self("POST", "/api/sessions", {"name": name, "password": password})
        assert answer.status == 200, answer
        found = answer.json
        self.token, self.person, self.csrf = found["token"], found["person"], found["csrf"]
        return self

    def open(self, rulebook: str = "common/mississippi-stud", **options: Any) -> str:
        """Open a table; practice unless it is said otherwise."""
        command = {"action": "open-table", "rulebook": rulebook, "practice": True, **options}
        if not command["practice"] and rulebook.startswith("seneca-niagara/"):
            command.setdefault("maximum_cents", 1_000_00)
        answer = self("POST", "/api/tables", {"key": self.key(), "command": command})
        assert answer.status == 200, answer
        found: str = answer.json["notice"]["table"]
        if command["practice"]:
            _OPENED[found] = self
        return found

    def come(self, table: str) -> "Caller":
        """Come to a practice table that another opened, by their invitation."""
        opener = _OPENED[table]
        if opener.person != self.person and self("GET", f"/api/tables/{table}").status == 404:
            shown = opener("POST", f"/api/tables/{table}/invitations").json
            assert self("POST", "/api/invitations", shown).json == {"table": table}
        return self

    def do(self, table: str, action: str, moment: str = "", key: str = "", **more: Any) -> Answer:
        """Ask something of a table; the moment is the present one unless it is said otherwise.

        Whoever sits down at another's practice table was invited.
        """
        if action == "sit" and table in _OPENED:
            self.come(table)
        body = {
            "key": key or self.key(),
            "command": {"action": action, **more},
            "moment": moment or self.view(table)["moment"],
        }
        return self("POST", f"/api/tables/{table}", body)

    def view(self, table: str) -> Any:
        """Look at a table."""
        return self("GET", f"/api/tables/{table}").json

    def stream(self, path: str, after: int | None = None) -> "Stream":
        """Open a stream."""
        return Stream(self.address, path, self.token, after)


class Stream:
    """An open stream, read from a bare socket."""

    def __init__(self, address: str, path: str, token: str, after: int | None = None) -> None:
        parts = urlsplit(address)
        self.socket = socket.create_connection((str(parts.hostname), parts.port or 80), 20)
        resume = f"Last-Event-ID: {after}\r\n" if after is not None else ""
        head = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self.socket.sendall(f"{head}{resume}\r\n".encode())
        self.raw = b""
        self.until(b"\r\n\r\n")
        self.status = int(self.raw.split()[1])

    def until(self, wanted: bytes, seconds: float = 20) -> bool:
        """Read until this has come; False where it did not."""
        deadline = time.monotonic() + seconds
        with contextlib.suppress(TimeoutError):
            while wanted not in self.raw:
                self.socket.settimeout(max(0.01, deadline - time.monotonic()))
                piece = self.socket.recv(65536)
                if not piece:
                    return False
                self.raw += piece
                if time.monotonic() > deadline:
                    break
        return wanted in self.raw

    def close(self) -> None:
        self.socket.close()


class Visited(NamedTuple):
    """A house that is open."""

    address: str
    db: Path
    secret: str
    """The administrator's, for once."""
    errors: Path
    """What the process said on standard error."""
    web: Services | None = None
    loop: asyncio.AbstractEventLoop | None = None
    """Where the house of a thread runs."""
    said: str = ""
    """What a process said until it was open."""

    def caller(self) -> Caller:
        return Caller(self.address)

    def guest(self) -> Caller:
        return Caller(self.address).enter()


@contextlib.contextmanager
def process(folder: Path, *more: str, program: str = QUICK) -> Iterator[Visited]:
    """A real server on a free port, with a database of its own and more arguments."""
    db, errors = folder / "house.db", folder / "stderr.txt"
    command = [sys.executable, "-m", program, "serve", "--db", str(db), "--port", "0"]
    command += more
    with errors.open("wb") as stderr:
        running = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{SOURCE}:{ROOT}", "PYTHONUNBUFFERED": "1"},
        )
        assert running.stdout is not None
        try:
            said = ""
            while "Pitboss is open at " not in said:
                line = running.stdout.readline()
                assert line, errors.read_text("utf-8")
                said += line
            address = said.split()[-1]
            secret = running.stdout.readline().split()[-1]
            _wait(address)
            yield Visited(address, db, secret, errors, said=said)
        finally:
            running.send_signal(signal.SIGTERM)
            try:
                assert running.wait(20) == 0
            finally:
                running.kill()
                running.stdout.close()


def _wait(address: str) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError):
            if Caller(address)("GET", "/health").status == 200:
                return
        threading.Event().wait(0.05)
    raise AssertionError(f"nobody answers at {address}")


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.contextmanager
def thread(
    folder: Path,
    clock: HouseClock | None = None,
    deck: Callable[[], Sealed] = fresh_deck,
    tap: Callable[[ASGIApp], ASGIApp] = lambda app: app,
    where: str = "",
) -> Iterator[Visited]:
    """A server in a thread of this process; ``tap`` may sit between it and the net."""
    sock = listening("127.0.0.1", 0)
    address = f"http://127.0.0.1:{sock.getsockname()[1]}"
    known: list[Any] = []

    async def serve() -> None:
        store = Store(where or str(folder / "thread.db"), signing=folder / "thread.key")
        house = House(store, clock=clock, deck=deck)
        await house.start()
        web = Services(house)
        secret = await web.sessions.first_administrator()
        if clock is None:
            await house.change_setting("admin", *LONG_DAY, "for a test", "long-day")
        config = uvicorn.Config(
            tap(App(web)),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            http=TimeoutProtocol,
            lifespan="off",
        )
        server = _Server(config)
        known.extend([asyncio.get_running_loop(), server, web, secret])
        await server.serve(sockets=[sock])
        await house.stop()

    runs = threading.Thread(target=lambda: asyncio.run(serve()), name="server")
    with quick_passwords(), eager_lab():
        runs.start()
        try:
            _wait(address)
            loop, _, web, secret = known
            yield Visited(address, folder / "thread.db", secret, folder / "none", web, loop)
        finally:
            loop, server, web = known[:3]

            def stop() -> None:
                web.close()
                server.should_exit = True

            loop.call_soon_threadsafe(stop)
            runs.join(20)
            assert not runs.is_alive()


def rigged(top: str) -> Callable[[], Sealed]:
    """Return a shuffle that always puts these cards on top."""
    first = cards(top)
    rest = [each for each in DECK if each not in first]
    return lambda: Sealed((*first, *rest), "5eed" * 16)


def run(work: Any) -> Any:
    """Run a coroutine to its end."""
    return asyncio.run(work)
