"""A process killed at every write: nothing acknowledged is lost, nothing is doubled."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.house.storage.journal import Entry
from pitboss.house.storage.store import Store
from tests.faults import pit_game
from tests.faults.game import (
    ANN,
    BOB,
    CY,
    ONE,
    TWO,
    ask,
    house_on,
    one_more_round,
    places,
    play,
    script,
    sound,
    stories,
)
from tests.faults.killer import Killer
from tests.passwords import quick_passwords

STEPS = [step for group in script() for step in group]


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    found = Killer(tmp_path_factory.mktemp("killed"))
    with quick_passwords():
        yield found
    found.close()


async def go_on(store: Store) -> None:
    """Repeat every command with its key, then play another round."""
    async with house_on(store) as house:
        for step in STEPS:
            entry = await ask(house, step)
            assert (entry.stream, entry.actor, entry.key) == step.place
        await one_more_round(house, ONE, {1: ANN, 2: BOB})
        await one_more_round(house, TWO, {1: CY})


def kept(store: Store, answers: list[dict[str, Any]], at: int) -> list[Entry]:
    """Return what is written; all that was acknowledged is there as it was."""
    before = list(store.everything())
    after_crash = places(before)
    for each in answers:
        found = after_crash.get(tuple(each["place"]))
        assert found is not None, f"point {at}: {each['place']} was acknowledged and is lost"
        assert (found.seq, found.hash) == (each["seq"], each["hash"]), f"point {at}"
    return before


def check(killer: Killer, where: str, at: int, what: str = "game") -> bool:
    """Kill a game at this point and go on; whether there was such a point."""
    code, answers = killer.run(where, at, what)
    assert code in (-signal.SIGKILL, 0), f"point {at}: the child failed"
    if code == 0:
        return False
    store = Store(where)  # the tables themselves may not have been made yet
    before = kept(store, answers, at)
    assert set(places(before)) <= {step.place for step in STEPS}
    asyncio.run(go_on(store))
    entries = sound(where)
    assert entries[: len(before)] == before, f"point {at}: what was written has changed"
    # One entry for each command, and three seats' bets and folds after them.
    assert len(entries) == len(STEPS) + 6, f"point {at}: doubled"
    assert {step.place for step in STEPS} <= set(places(entries))
    return True


def test_sqlite_killed_at_every_write(killer: Killer, quick_path: Path) -> None:
    at = 1
    while check(killer, str(quick_path / f"{at}.db"), at):
        at += 1
    assert at > 100  # so many writes there are


def test_the_pit_killed_at_every_kind_of_write(killer: Killer, quick_path: Path) -> None:
    """Cards are minded, patrons seated, a round entered, put right, paid and put right again, what
    is owed and kept seen to: the same evening comes of it, whatever it was killed in.

    Not at every write, but at each place of one in some of the commands: a command has six or seven
    such places, or more.
    """

    async def evening(store: Store) -> None:
        async with house_on(store) as house:
            await play(house, pit_game.script(), lambda *_: None)

    whole = str(quick_path / "whole.db")
    asyncio.run(evening(Store(whole)))
    assert len(sound(whole)) == sum(map(len, pit_game.script()))
    at, cut = 40, set()  # after those in which the tables are made
    while True:
        where = str(quick_path / f"{at}.db")
        code, answers = killer.run(where, at, "pit")
        if code == 0:
            break
        assert code == -signal.SIGKILL, f"point {at}: the child failed"
        store = Store(where)
        before = kept(store, answers, at)
        asyncio.run(evening(store))
        assert sound(where)[: len(before)] == before, f"point {at}: what was written has changed"
        assert stories(where) == stories(whole), f"point {at}: another evening came of it"
        cut.add(len(before))
        at += 5
    assert len(cut) > 35  # so many commands were the last; fewer where more are written at once


def test_sqlite_killed_while_another_process_writes_too(killer: Killer, quick_path: Path) -> None:
    """Then the journal's head is never where the process thought, and is held first."""
    at = 40  # after those in which the tables are made
    while check(killer, str(quick_path / f"{at}.db"), at, "game with others"):
        at += 1
    assert at > 80


@pytest.mark.parametrize("what", ["game", "game with others"])
def test_postgres_killed_at_every_write(killer: Killer, postgres: str, what: str) -> None:
    Store(postgres).close()  # making the tables is SQLite's test
    more, at = True, 0
    while more:
        at += 1
        more = check(killer, postgres, at, what)
        empty(postgres)
    assert at > 30


def empty(where: str) -> None:
    """Begin again with the tables as they were made: a new database would take a third longer."""
    import psycopg

    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    with psycopg.connect(where, autocommit=True) as connection:
        names = {name for (name,) in connection.execute(tables)} - {"schema_version", "head"}
        rows = [f"DELETE FROM {name}" for name in names]
        connection.execute("; ".join([*rows, "UPDATE head SET position = 0, whole = ''"]))


def test_killed_while_the_first_administrator_is_made(killer: Killer, quick_path: Path) -> None:
    """Whoever starts the house next is told a secret, and it opens the door."""

    async def start_again(where: str, told: str | None) -> None:
        async with house_on(Store(where)) as house:
            stored = house.store.rows("SELECT 1 FROM secrets")
            secret = await house.sessions.first_administrator()
            assert (secret is None) == bool(stored)
            if secret or told:
                change = house.sessions.change_password
                await change("admin", secret or str(told), "another-secret")

    code, at = -1, 32  # after those in which the tables are made
    told: list[str] = []
    while code:
        where = str(quick_path / f"{at}.db")
        code, answers = killer.run(where, at, "administrator")
        told = [each["secret"] for each in answers if "secret" in each]
        asyncio.run(start_again(where, told[0] if told else None))
        sound(where)
        at += 2
    assert told
    assert 40 < at < 100
