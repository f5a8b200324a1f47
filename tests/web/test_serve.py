"""``pitboss serve`` where it cannot: one line that says what is wrong and what would be right."""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg

from pitboss.house.storage.store import Store
from tests.command import complaint
from tests.web.open_house import SOURCE, Caller, Visited


def serve(where: str, port: str = "0") -> str:
    """What a server says that does not start."""
    command = [sys.executable, "-m", "pitboss", "serve", "--port", port, "--db", where]
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr


def test_a_place_that_is_no_database_is_named(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("this is no database, and it is long enough to be read as a header " * 3)
    for place in (tmp_path, other):
        said = serve(str(place))
        assert f"{place}: the house cannot be opened" in said


def test_another_kind_of_database_is_not_taken_for_a_folder() -> None:
    for wrong in ("mysql://ann:hush@db.example/house", "sqlite://house.db", "", " ", ":memory:"):
        for command in (("serve", "--port", "0"), ("audit",), ("export", "--ledger", "a.csv")):
            said = complaint(*command, "--db", wrong)
            assert "postgresql://" in said
            assert "hush" not in said


def test_a_password_in_a_url_is_not_repeated() -> None:
    wrong = ("ann:hush@[none/none", "ann:hush%zz@none/none", "ann:hush it@none/x", "ann:a@hush@b/x")
    for url in ("postgresql://ann:hush@127.0.0.1:1/none", *(f"postgresql://{w}" for w in wrong)):
        assert "hush" not in serve(url)
        assert "hush" not in complaint("audit", "--db", url)


def test_another_programs_database_is_left_alone(tmp_path: Path, postgres: str) -> None:
    file = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
        assert "another program's" in serve(str(file))
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        other.execute("CREATE TABLE schema_version (version TEXT)")
        other.execute("INSERT INTO schema_version VALUES ('1.2')")
        other.commit()
        assert "another program's" in serve(str(file))
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute("CREATE TABLE recipes (name TEXT)")
        assert "another program's" in serve(postgres)
        tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        assert tables.fetchall() == [("recipes",)]


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The deck of the next round is in it."""
    where = tmp_path / "house.db"
    store = Store(str(where))
    store.execute(("DELETE FROM failures", ()))
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
    store.close()
    (tmp_path / "link.db").symlink_to(tmp_path / "linked.db")
    Store(str(tmp_path / "link.db")).close()
    assert (tmp_path / "linked.db").stat().st_mode & 0o777 == 0o600
    assert modes == dict.fromkeys(["house.db", "house.db-wal", "house.db-shm"], "0o600")


def test_no_address_is_not_every_address() -> None:
    assert "127.0.0.1" in complaint("serve", "--host", "", "--port", "0")
    for url in ("http://127.0.0.1:99999", "http://[", "127.0.0.1", "http://127.0.0.1:80/floor"):
        said = complaint("bots", "--url", url, "--rulebook", "common/mississippi-stud")
        assert "http://127.0.0.1:8000" in said


def test_an_address_that_is_taken_is_named(house: Visited, tmp_path: Path) -> None:
    port = house.address.rpartition(":")[2]
    said = serve(str(tmp_path / "another.db"), port)
    assert f"cannot listen at 127.0.0.1:{port}" in said
    assert not (tmp_path / "another.db").exists()


def test_a_lost_secret_is_replaced(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    line = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--db", where]
    secrets = []
    for more in ([], [], ["--new-secret"]):
        with subprocess.Popen([*line, *more], env=env, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            assert Caller(address)("GET", "/health").status == 200
            server.terminate()
            secrets.append("".join(server.stdout))
    first, second, third = (re.findall("secret: (.+)", each) for each in secrets)
    assert (len(first), second, len(third)) == (1, [], 1)
    assert first != third
