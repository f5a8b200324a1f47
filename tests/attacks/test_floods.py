"""A stranger cannot stop the house: whatever is asked of it, the work and the room are bounded.

Nothing here measures time: bounds are shown by rows that are read, and places that are left.
"""

import asyncio
import random
import socket
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pitboss.errors import Refused
from pitboss.house import house as house_module
from pitboss.house import practice
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.practice import Practice
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import closed_tables, open_tables
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.web import streams, timeouts
from pitboss.web.guards import network
from pitboss.web.pages import lobby
from pitboss.web.rate_limit import TokenBucket
from pitboss.web.server import listening
from pitboss.web.streams import FLOOR, Audience, Hub, Listener
from tests.attacks.test_fences import STAFF, Servers, attack, code
from tests.house.clocked_house import clocked_house
from tests.web import open_house
from tests.web.api.test_routes import is_problem
from tests.web.conftest import Staff, administrator
from tests.web.mischief import BOOK, eventually
from tests.web.open_house import Caller, Stream, Visited, process, thread


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
        archive = house.archive
        wanted = [e.hash for e in archive.everything() if e.stream.startswith("table:")]
        for name in ("entries", "since"):
            setattr(archive, name, counting(getattr(archive, name)))
        listener = Listener(hub, FLOOR if floor else stream, Audience("ann", ""), 0, _still)
        heard = listener.told()
        assert await anext(heard) == b"retry: 1000\n\n"
        assert sum(rows) == 0
        for number in range(1, len(wanted) + 1):
            assert b"data: " in await anext(heard)
            assert max(rows) <= streams.PAGE <= 50
            read = sum(rows) - (1 if floor else 0)  # Ann's own entry is no table's
            assert number <= read + 1 <= number + streams.PAGE
        hub.close()
        assert [each async for each in heard] == [streams.END]

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


def test_h2_no_visitor_keeps_others_out(house: Visited, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has no session is not known apart from others at the same address."""
    monkeypatch.setattr(streams, "MOST_OF_ADDRESS", streams.MOST_EACH + 5)
    assert house.web is not None
    hub, ann = house.web.hub, house.guest()
    staff = Staff(house, administrator(house))
    table = staff("flo", "floor-supervisor").open(practice=False)

    def watches(token: str = "") -> Stream:
        path = f"/api/tables/{table}/events" if token else f"/tables/{table}/changes"
        found = Stream(house.address, path, token)
        assert found.status == 200, found.raw
        assert found.until(b"retry: 1000")
        return found

    sits = [watches() for _ in range(streams.MOST_OF_ADDRESS)]
    assert hub.count == streams.MOST_OF_ADDRESS
    comes, guest = watches(), watches(ann.token)
    assert all(each.until(streams.END) for each in sits[:2])
    assert hub.count == streams.MOST_OF_ADDRESS
    assert staff("pat", "player").do(table, "sit", seat=1).status == 200
    assert all(each.until(b"data: 2") for each in (*sits[2:], comes))
    assert guest.until(b"id: 2")
    assert not any(streams.END in each.raw for each in (*sits[2:], comes, guest))
    for each in (*sits, comes, guest):
        each.close()


@pytest.mark.parametrize("for_good", [False, True])
def test_h2_visitors_leave_connections_for_others_where_files_are_few(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch, for_good: bool
) -> None:
    """A connection is an open file, and a process has 1,024 of them where nobody says otherwise:
    fewer than visitors of one address may listen over."""
    resource = pytest.importorskip("resource")
    files = resource.RLIMIT_NOFILE
    hard = 300 if for_good else resource.getrlimit(files)[1]
    limit = partial(resource.setrlimit, files, (300, hard))
    started = partial(subprocess.Popen, preexec_fn=limit)
    monkeypatch.setattr(subprocess, "Popen", started)
    with process(quick_path) as house:
        admin = administrator(house)
        table = Staff(house, admin)("flo", "floor-supervisor").open(practice=False)
        parts = urlsplit(house.address)
        head = f"GET /tables/{table}/changes HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
        with ExitStack() as visitors:
            for _ in range(320):
                visitor = visitors.enter_context(socket.socket())
                visitor.connect((str(parts.hostname), parts.port))
                visitor.sendall(head.encode())

            def served() -> bool:
                with suppress(OSError, HTTPException):  # nobody was let in
                    return admin("GET", "/api/me").status == 200
                return False

            eventually(served, 10)
            assert [served() for _ in range(20)] == [True] * 20


def test_h2_whoever_has_a_session_is_let_go_for_nobody(
    house: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MOST_OF_ADDRESS", 3)
    monkeypatch.setattr(streams, "MOST_OF_STRANGERS", 4)

    async def work(house: House) -> None:
        hub = Hub(house)
        here: list[str] = []

        def listens(name: str, address: str = "192.0.2.1") -> bool:
            who = Audience(name, address, visitor=name.startswith("visitor"))
            if hub.full("table:t", who):
                return False
            hub.add(Listener(hub, "table:t", who, None, _still))
            here[:] = [each.who.person for each in hub._by_stream["table:t"]]
            return True

        assert [listens(f"visitor {n}") for n in range(4)] == [True] * 4
        assert here == ["visitor 1", "visitor 2", "visitor 3"]
        assert [listens(f"guest-{n}") for n in range(4)] == [True] * 3 + [False]
        assert here == ["guest-0", "guest-1", "guest-2"]
        assert not listens("visitor 4")
        # The same where all strangers together are too many: each address has its own to let go.
        assert [listens("visitor 5", "192.0.2.2"), listens("visitor 6", "192.0.2.2")] == [True] * 2
        assert not listens("visitor 7", "192.0.2.3")
        assert here == ["guest-0", "guest-1", "guest-2", "visitor 6"]
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


# H7: tables ---------------------------------------------------------------------------------------


def opens(house: House, who: str, key: str, **more: Any) -> Awaitable[Any]:
    return Practice(house).open_table(who, c.OpenTable(BOOK, **more), key)


def test_h7_practice_tables_leave_room_for_real_ones(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "MOST_PRACTICE_TABLES", 3)
    monkeypatch.setattr(house_module, "MOST_REAL_TABLES", 2)

    async def story(servers: Servers) -> None:
        house = servers.a  # one real table is open
        for number in range(3):
            await opens(house, f"guest-{number}", "k", practice=True)
        assert await code(opens(house, "flo", "p", practice=True)) == "server/full"
        assert (await opens(house, "guest-1", "k", practice=True)).again
        await opens(house, "flo", "r")
        assert await code(opens(house, "flo", "s")) == "server/full"
        assert house.tables.count(practice=True) == 3
        assert house.tables.count(practice=False) == 2

    attack(where, story, guests=4)


def test_h7_an_address_has_its_share_of_practice_tables(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "MOST_OF_ADDRESS", 3)

    async def story(servers: Servers) -> None:
        given = Practice(servers.a)

        async def one(number: int, address: str) -> Any:
            command = c.OpenTable(BOOK, practice=True)
            return await given.open_table(f"guest-{number}", command, "k", "", address)

        done = [await one(number, "192.0.2.1") for number in range(3)]
        assert await code(one(3, "192.0.2.1")) == "table/too-many"
        assert (await one(0, "192.0.2.1")).again
        await one(3, "192.0.2.2")
        closes = c.CloseTable("enough")
        first = done[0].entry.stream.partition(":")[2]
        await servers.a.command(first, "guest-0", closes, "close")
        await one(4, "192.0.2.1")

    attack(where, story, guests=5)


def test_l9_somebody_has_ten_practice_tables_at_two_servers_together(where: str) -> None:
    async def story(servers: Servers) -> None:
        doors = Practice(servers.a), Practice(servers.b)
        command = c.OpenTable(BOOK, practice=True)
        asked = (door.open_table("ann", command, servers.key) for _ in range(10) for door in doors)
        said = await asyncio.gather(*asked, return_exceptions=True)
        refused = [each.refusal.code for each in said if isinstance(each, Refused)]
        assert set(refused) == {"table/too-many"}
        await servers.heard()
        for house in (servers.a, servers.b):
            left = house.tables.opened_by("ann")
            assert len(left) == len(said) - len(refused)
            assert 0 < len(left) <= practice.MOST_TABLES

    attack(where, story)


def test_h7_nobody_reads_through_the_practice_tables_that_were_closed(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start, and where the floor opens a table: whoever opens tables and closes them again
    would make both take as long as they like."""
    read: list[int] = []

    def counted(store: Store, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        found = rows(store, sql, *values)
        if threading.current_thread() is threading.main_thread():  # others go on to follow
            read.append(len(found))
        return found

    async def story(servers: Servers) -> None:
        house = servers.a
        for number in range(30):
            await opens(house, "ann", f"practice {number}", practice=True)
            (mine,) = house.tables.opened_by("ann")
            await house.close_practice(mine, "enough")
        name, _ = await house.open_table("flo", c.OpenTable(BOOK), "real")
        await house.command(name, "flo", c.CloseTable("enough"), "close")
        monkeypatch.setattr(Store, "rows", counted)
        assert open_tables(house.store) == [servers.table]
        assert closed_tables(house.store) == [name]
        assert read == [1, 1]
        monkeypatch.undo()

    rows = Store.rows
    attack(where, story)


def test_h7_the_list_of_tables_is_paged(house: Visited, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = administrator(house)
    flo = Staff(house, admin)("flo", "floor-supervisor")
    ann = house.guest()
    mine = sorted(ann.open() for _ in range(5))
    real = flo.open(practice=False)

    def page(query: str, who: Caller = ann) -> Any:
        return who("GET", f"/api/tables{query}")

    def names(query: str, who: Caller = ann) -> list[str]:
        return [each["table"] for each in page(query, who).json]

    assert names("") == names("", flo) == [real, *mine]  # real chips first
    assert names("", house.guest()) == names("", house.caller()) == [real], "theirs is no other"
    assert names("?limit=2") == [real, mine[0]]
    assert names(f"?limit=2&after={mine[0]}") == mine[1:3]
    assert ann.do(mine[2], "close-table").status == 200
    assert names(f"?after={mine[2]}&limit=500") == mine[3:]  # closed since
    assert names(f"?after={mine[4]}") == []
    for wrong in ("0", "501", "x", "-1", "1.5", "", "9" * 30):
        is_problem(page(f"?limit={wrong}"), 400, "body/unreadable")
    is_problem(page("?after=nowhere"), 404, "table/unknown")
    monkeypatch.setattr(lobby, "MOST", 3)
    for _ in range(4):
        flo.open(practice=False)
    shown = ann("GET", "/", headers={"Accept": "text/html"}).raw.decode()
    assert shown.count("<tr data-key=") == 3
    assert "And 2 more." in shown


def test_h7_open_tables_are_filed_as_they_change(where: str) -> None:
    """Against a look through all of them, after every step."""

    async def story(servers: Servers) -> None:
        house, tables = servers.a, servers.a.tables

        def agree() -> None:
            every = list(tables)
            here = [live.table for live in every]
            assert len(tables) == len(every)
            for person in (*STAFF, "guest-0", "guest-1"):
                sits = {each.id for each in here if each.seat_of(person) is not None}
                assert {live.table.id for live in tables.where_sits(person)} == sits
                own = {each.id for each in here if each.practice and each.opener == person}
                assert tables.opened_by(person) == own
            by_name = sorted(every, key=lambda live: (live.table.practice, live.table.id))
            assert tables.page((False, ""), 100) == by_name
            by_company = sorted(by_name, key=lambda live: not live.table.sitters)
            by_company.sort(key=lambda live: live.table.practice)
            assert tables.busiest(100) == by_company
            for kind in (True, False):
                assert tables.count(practice=kind) == sum(each.practice == kind for each in here)

        rng = random.Random(5)
        for step in range(120):
            live = rng.choice([*tables])
            who = rng.choice(("guest-0", "guest-1", "flo", "ann"))
            command = rng.choice(
                (c.Sit(rng.randint(1, 6)), c.Leave(), c.SitOut(), c.CloseTable("x"), c.SeatBot(2))
            )
            with suppress(Refused):
                if rng.random() < 0.3 or live.table.id == servers.table:
                    await opens(house, who, f"o{step}", practice=rng.random() < 0.8)
                else:
                    await house.command(live.table.id, who, command, f"c{step}")
            agree()
        assert len(tables) > 3

    attack(where, story, guests=2)


def test_h7_a_table_that_is_opened_again_by_name_has_one_key_too(where: str) -> None:
    """Repeated at the ceiling of a person's tables, it is answered and not refused."""

    async def story() -> None:
        async with clocked_house(where) as here:
            ann, rooms = await here.person("ann", "player"), Practice(here.house)
            for number in range(practice.MOST_TABLES):
                await rooms.open_table("ann", c.OpenTable(BOOK, practice=True), f"k{number}")
            here.name = next(iter(here.house.tables)).table.id
            await here.do(ann, c.CloseTable("for a while"))
            opens = c.OpenTable(BOOK, table=here.name, practice=True)
            assert not (await rooms.open_table("ann", opens, "again")).again
            assert (await rooms.open_table("ann", opens, "again")).again

    asyncio.run(story())
