"""Things that happen at the same time, in the order that is worst."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pitboss.house import bots
from pitboss.house.people import persons
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import START, Entry, linked
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from tests.faults.game import ANN, ONE, Step, ask, house_on, script

STEPS = [step for group in script() for step in group]


async def until(true: Callable[[], bool], seconds: float = 10) -> None:
    for _ in range(int(seconds / 0.01)):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"it did not happen in {seconds} seconds")


def test_a_bot_that_is_thinking_hears_what_happens_meanwhile(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks at the table before somebody bets and finds nothing to do: it looks again."""
    thinks: Any = bots.move

    def slowly(*known: Any) -> Any:
        time.sleep(0.05)
        return thinks(*known)

    monkeypatch.setattr(bots, "move", slowly)

    async def work() -> None:
        async with house_on(Store(str(quick_path / "house.db"))) as house:
            wanted = [(ANN, "join"), (ANN, "one"), (ANN, "s1")]
            for person, key in wanted:
                await ask(house, next(s for s in STEPS if (s.person, s.key) == (person, key)))
            await ask(house, Step(ANN, ONE, c.SeatBot(2, "blind"), "bot"))
            await asyncio.sleep(0.02)  # the bot has begun to think
            await ask(house, next(step for step in STEPS if step.key == "k1.bet"))
            await until(lambda: [live.table.moment for live in house.tables] == ["1.2"])

    asyncio.run(work())


def test_what_is_read_of_a_person_is_not_remembered_when_it_is_old(where: str) -> None:
    """Somebody is barred in another process while this one reads who they are."""
    read, go_on = threading.Event(), threading.Event()

    async def work() -> None:
        async with house_on(Store(where)) as one, house_on(Store(where)) as two:
            await ask(two, STEPS[0])
            boss = persons.PersonAdded("boss", ("floor-supervisor",))
            await two.record("house", "boss", "", boss)
            await until(lambda: one.position == 2)
            reads = one.people._cache._read

            async def slowly(name: str) -> Any:
                found = await reads(name)
                read.set()
                assert await asyncio.to_thread(go_on.wait, 10)
                return found

            one.people._cache._read = slowly
            reading = asyncio.create_task(one.person(ANN))
            await asyncio.to_thread(read.wait, 10)
            await two.record("boss", ANN, "bar", persons.Barred(True, "a test"))
            await until(lambda: one.position == 3)
            go_on.set()
            await reading
            assert (await one.person(ANN)).player.barred

    asyncio.run(work())


def test_a_store_that_closes_answers_everybody(quick_path: Path) -> None:
    """Whatever is asked for while it closes is written or refused, and never left waiting."""
    for number in range(20):
        store = Store(str(quick_path / f"{number}.db"))
        asked: list[Future[Entry]] = []
        begun = threading.Event()

        def ask_on(store: Store = store, asked: list[Any] = asked, begun: Any = begun) -> None:
            for name in range(300):
                entry = linked(Entry(f"table:{name}", 1, 0, "ann", "", "{}"), START)
                asked.append(store.append(EntryDraft(entry)))
                begun.set()

        thread = threading.Thread(target=ask_on)
        thread.start()
        begun.wait()
        store.close()
        thread.join()
        found = [each.exception(10) for each in asked]
        assert all(each is None or isinstance(each, Unavailable) for each in found)


def test_too_much_at_once_is_refused(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue has an end: whoever comes then is told at once, and all others are served."""
    monkeypatch.setattr("pitboss.house.storage.store.LONGEST_QUEUE", 10)
    store = Store(str(quick_path / "house.db"))
    hold = threading.Event()
    deliver = store.committed

    def slowly(done: Any) -> None:
        hold.wait(10)
        deliver(done)

    store.committed = slowly
    entries = [linked(Entry(f"table:{n}", 1, 0, "ann", "", "{}"), START) for n in range(40)]
    asked = [store.append(EntryDraft(entry)) for entry in entries]
    refused = [each for each in asked if each.done()]
    hold.set()
    found = [each.exception(10) for each in asked]
    assert len(refused) == sum(isinstance(each, Unavailable) for each in found) >= 10
    assert sum(each is None for each in found) == len(store.since(0))
    store.close()
