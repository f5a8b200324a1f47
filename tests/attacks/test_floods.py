"""A stranger cannot stop the house: whatever is asked of it, the work and the room are bounded.

Nothing here measures time: bounds are shown by rows that are read, and places that are left.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.web import streams, timeouts
from pitboss.web.guards import network
from pitboss.web.rate_limit import TokenBucket
from pitboss.web.server import listening
from pitboss.web.streams import FLOOR, Audience, Hub, Listener
from tests.web import open_house
from tests.web.mischief import BOOK, eventually
from tests.web.open_house import Caller, Visited, thread
from tests.web.test_api import is_problem


@pytest.fixture
def house(quick_path: Path) -> Iterator[Visited]:
    """A house whose insides can be looked at."""
    with thread(quick_path) as found:
        yield found


def within(house: Visited, work: Callable[[House], Awaitable[Any]]) -> Any:
    """Do something where the house runs."""
    assert house.web is not None
    assert house.loop is not None

    async def done() -> Any:
        assert house.web is not None
        return await work(house.web.house)

    return asyncio.run_coroutine_threadsafe(done(), house.loop).result(60)


async def make_entries(house: House, owner: str, table: str, count: int) -> None:
    """Let somebody who sits at a table sit out and in."""
    for number in range(count):
        command = c.SitIn() if number % 2 else c.SitOut()
        await house.command(table, owner, command, f"entry-{number}")


def told(house: House, work: Callable[[Hub, str], Awaitable[None]]) -> None:
    """Do something with the listeners at a table of more than two hundred entries."""

    async def play() -> None:
        await house.start()
        try:
            await house.record("house", "ann", "", p.PersonAdded("Ann", ("player",)))
            table, _ = await house.open_table("ann", c.OpenTable(BOOK, practice=True), "open")
            await house.command(table, "ann", c.Sit(1), "sit")
            await make_entries(house, "ann", table, 230)
            await work(Hub(house), f"table:{table}")
        finally:
            await house.stop()

    asyncio.run(play())


async def _still() -> bool:
    return True


# H2: listeners ------------------------------------------------------------------------------------


@pytest.mark.parametrize("floor", [False, True])
def test_h2_a_backlog_is_read_a_page_at_a_time(where: str, floor: bool) -> None:
    house = House(Store(where))
    rows: list[int] = []

    def counting(read: Callable[..., list[Entry]]) -> Callable[..., list[Entry]]:
        def counted(*asked: Any) -> list[Entry]:
            found = read(*asked)
            rows.append(len(found))
            return found

        return counted

    async def work(hub: Hub, stream: str) -> None:
        store = house.store
        wanted = [e.hash for e in store.everything() if e.stream.startswith("table:")]
        for name in ("entries", "since"):
            setattr(store, name, counting(getattr(store, name)))
        listener = Listener(hub, FLOOR if floor else stream, Audience("ann", ""), 0, _still)
        heard = listener.told()
        assert await anext(heard) == b"retry: 1000\n\n"
        assert sum(rows) == 0
        for number in range(1, len(wanted) + 1):
            assert b"data: " in await anext(heard)
            assert max(rows) <= streams.PAGE
            read = sum(rows) - (1 if floor else 0)  # Ann's own entry is no table's
            assert number <= read + 1 <= number + streams.PAGE
        await heard.aclose()

    told(house, work)


@pytest.fixture
def narrow(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visited]:
    """A house between which and its visitors the network holds little."""

    def narrowly(host: str, port: int) -> socket.socket:
        found = listening(host, port)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return found

    monkeypatch.setattr(open_house, "listening", narrowly)
    monkeypatch.setattr(timeouts, "READING_SECONDS", 0.5)
    with thread(quick_path) as found:
        yield found


def test_h2_a_listener_that_does_not_read_is_let_go(narrow: Visited) -> None:
    house = narrow
    ann = house.guest()
    table = ann.open()
    assert ann.do(table, "sit", seat=1).status == 200
    within(house, lambda house: make_entries(house, ann.person, table, 995))
    web, parts = house.web, urlsplit(house.address)
    assert web is not None
    silent = []
    for _ in range(5):
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((str(parts.hostname), parts.port))
        head = f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        head += f"Authorization: Bearer {ann.token}\r\nLast-Event-ID: 1\r\n\r\n"
        deaf.sendall(head.encode())
        silent.append(deaf)
    eventually(lambda: web.hub.count == 5)
    eventually(lambda: web.hub.count == 0)  # nothing happens there, and nobody hangs up
    for deaf in silent:
        deaf.close()


def test_h2_a_resume_counts_by_what_it_asks_for(house: Visited) -> None:
    assert house.web is not None
    ann = house.guest()
    table = ann.open()
    assert ann.do(table, "sit", seat=1).status == 200
    within(house, lambda house: make_entries(house, ann.person, table, 38))
    house.web.limits["backlog"] = TokenBucket(100, 0)
    path = f"/api/tables/{table}/events"

    def resumes(after: int | None) -> int:
        stream = ann.stream(path, after)
        stream.close()
        return stream.status

    # Forty entries: from the start twice, and then only the last twenty.
    assert [resumes(0), resumes(0), resumes(0), resumes(20), resumes(39)] == [
        200,
        200,
        429,
        200,
        429,
    ]
    assert [resumes(None), resumes(40)] == [200, 200]  # whoever missed nothing is not counted


def test_h2_no_stranger_holds_all_places(house: Visited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_OF_ADDRESS", 3)
    monkeypatch.setattr(streams, "MOST_OF_STRANGERS", 5)
    monkeypatch.setattr(streams, "MOST", 7)

    async def work(house: House) -> None:
        hub = Hub(house)

        def listens(person: str, address: str) -> bool:
            who = Audience(person, address)
            if not hub.full("table:t", who):
                hub.add(Listener(hub, "table:t", who, None, _still))
                return True
            return False

        same = [listens(f"guest-{n}", "192.0.2.1") for n in range(5)]
        assert same == [True] * 3 + [False] * 2  # of one address
        others = [listens(f"guest-{n}", f"192.0.2.{n}") for n in range(10, 14)]
        assert others == [True] * 2 + [False] * 2  # of all strangers
        named = [listens(name, "") for name in ("ann", "bob", "cay")]
        assert named == [True] * 2 + [False]  # of all
        assert not hub.full(FLOOR, Audience("flo", ""))
        hub.close()

    within(house, work)


def test_h2_whoever_has_an_ipv6_address_has_all_of_its_network(house: Visited) -> None:
    assert house.web is not None
    house.web.limits["password"] = TokenBucket(2, 0)
    wrong = {"name": "nobody", "password": "wrong-password"}

    def tries(address: str) -> str:
        caller = Caller(house.address)
        caller.comes_from = address
        return caller("POST", "/api/sessions", wrong).code

    said = [tries(f"2001:db8:1:2:{n}::7") for n in range(3)]
    assert said == ["login/wrong"] * 2 + ["rate/too-much"]
    assert tries("2001:db8:1:3::7") == "login/wrong"
    assert network("2001:db8:1:2:ffff::1") == network("2001:db8:1:2::2")
    is_problem(house.caller()("GET", "/api/me"), 401, "session/none")
