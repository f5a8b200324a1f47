"""Serving a house until it is told to stop, streams open or not."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import uvicorn

from pitboss.errors import PitbossError, Unreadable
from pitboss.house.high_water import open_mark
from pitboss.house.house import House
from pitboss.house.people.persons import FIRST
from pitboss.house.storage.store import Store
from pitboss.web.app import App
from pitboss.web.pages import lobby, renderer
from pitboss.web.services import Services
from pitboss.web.streams import FILES
from pitboss.web.timeouts import TimeoutProtocol

T = TypeVar("T")

QUIET = 1.0
"""Seconds in which nothing happened: then something may be done ahead."""

GRACE = 3
"""Seconds that answers under way may take once we are told to stop."""


class Opened(NamedTuple):
    """What is told once a house is open."""

    address: str
    secret: str | None
    """The administrator's one-time secret, where it was made just now."""
    restored: bool
    """Whether the database was put back."""
    unmarked: bool
    """Whether that cannot be told: the house was open before, and no mark of it lies here."""
    anew: int
    """How many decks were sealed anew."""


class _Server(uvicorn.Server):
    """Leaves signals to us: uvicorn would wait for streams for ever, and die of the signal."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    where: str,
    host: str,
    port: int,
    started: Callable[[Opened], None],
    *,
    signing: Path | None,
    marks: Path,
    restored: bool,
    new_secret: bool,
) -> None:
    """Open the house and serve it."""
    sock = listening(host, port)
    try:
        store = await asyncio.to_thread(Store, where, signing=signing)
        mark = await asyncio.to_thread(open_mark, marks, store)
        if mark is not None and not restored:
            restored = await asyncio.to_thread(mark.restored, store)
        house = House(store)
        anew = await house.start(restored=restored)
    except BaseException:
        sock.close()
        raise
    opened_before = (await house.person(FIRST)).exists
    unmarked = mark is not None and mark.missing and opened_before and not restored
    web = Services(house)
    web.hub.files = most_files()
    secret = await web.sessions.first_administrator()
    if secret is None and new_secret:
        secret = await web.sessions.new_secret()
    if mark is None:  # this was the first entry
        mark = await asyncio.to_thread(open_mark, marks, store)
        assert mark is not None
    if restored:
        mark.go_back()
    # Not before: what is cut short while decks are sealed anew is done again at the next start.
    mark.note(store.furthest)
    house.subscriber.seen = mark.note
    # Rulebooks and code stay, and what a request leaves behind is seldom a ring.
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    config = uvicorn.Config(
        App(web),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE,
        http=TimeoutProtocol,
    )
    server, loop = _Server(config), asyncio.get_running_loop()

    def stop() -> None:
        server.should_exit = True
        web.close()

    put_back = asyncio.Event()

    def gone() -> None:
        put_back.set()
        stop()

    store.put_back = partial(loop.call_soon_threadsafe, gone)

    for each in (signal.SIGTERM, signal.SIGINT):
        # Windows knows no such handlers: there an interrupt comes between two steps of the loop.
        signal.signal(each, lambda *_: loop.call_soon_threadsafe(stop))
    named = f"[{host}]" if ":" in host else host
    address = f"http://{named}:{sock.getsockname()[1]}"
    started(Opened(address, secret, restored, unmarked, anew))
    warming = asyncio.ensure_future(_warm_when_quiet(house))
    await server.serve(sockets=[sock])
    warming.cancel()
    await house.stop()
    mark.close()
    if put_back.is_set():
        raise PitbossError(
            "the database was put back to an earlier state under this server, which stopped:"
            " start it again, and no card that was seen is dealt once more"
        )


async def _warm_when_quiet(house: House) -> None:
    """Have pages ready before the first visitor waits for them, while nobody waits for anything."""
    before = -1
    while house.position != before:
        before = house.position
        await asyncio.sleep(QUIET)
    await asyncio.to_thread(renderer.warm)
    await asyncio.to_thread(lobby.warm, tuple(house.shelf.books), {})


def listening(host: str, port: int) -> socket.socket:
    """Bind an address, saying TCP outright: only then are small answers sent without delay."""
    if not host:
        raise Unreadable("name an address to listen at, such as 127.0.0.1", "--host")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(2048)
    except OSError as error:
        found.close()
        raise Unreadable(f"cannot listen at {host}:{port}: {error.strerror}") from None
    return found


def most_files() -> int:
    """Let this process have as many files open as all ceilings take, if it may; how many it may.

    Where nobody says otherwise it is 1,024, and visitors of one address may listen over 2,000.
    """
    if sys.platform == "win32":  # where they are not counted
        return FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, wanted = (
        FILES if each == resource.RLIM_INFINITY else min(each, FILES) for each in (soft, hard)
    )
    if soft == wanted:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # a system may have a ceiling of its own
        return soft
    return wanted


def run_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run something to its end on the quickest loop that there is."""
    make: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with contextlib.suppress(ImportError):  # there is none for Windows
        import uvloop

        make = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=make) as runner:
        return runner.run(work)
