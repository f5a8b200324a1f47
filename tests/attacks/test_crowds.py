"""Many strangers together: what they ask for has a share of the house, and nobody who plays waits
for all of them. Nothing here measures time: it is counted who was let in before whom."""

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage import gate as gates
from pitboss.house.storage.background import ASKER
from pitboss.house.storage.gate import Gate
from pitboss.house.table import commands as c
from pitboss.web import streams
from pitboss.web.streams import Audience, Hub, Listener
from tests.attacks.test_fences import code
from tests.attacks.test_floods import within
from tests.web.conftest import Staff, administrator
from tests.web.mischief import BOOK
from tests.web.open_house import Caller, Visited


class Door:
    """People at a gate who stay inside until they are let out."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.inside: dict[str, asyncio.Event] = {}
        self.order: list[str] = []
        self.tasks: dict[str, asyncio.Task[str]] = {}

    async def ask(self, *people: str, address: str = "192.0.2.1") -> None:
        for person in people:
            self.tasks[person] = asyncio.create_task(code(self._stay(person, address)))
            await asyncio.sleep(0)
        await self.settle()

    async def _stay(self, person: str, address: str) -> None:
        async with self.gate.place(person.partition("/")[0], address):
            self.order.append(person)
            out = self.inside[person] = asyncio.Event()
            try:
                await out.wait()
            finally:
                del self.inside[person]

    async def let_out(self, *people: str) -> None:
        for person in people:
            self.inside[person].set()
            await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    async def empty(self) -> None:
        while self.inside:
            await self.let_out(*self.inside)


def at_a_gate(here: int, most: int, story: Callable[[Door], Awaitable[None]]) -> None:
    async def play() -> None:
        door = Door(Gate(here, most))
        await story(door)
        await door.empty()
        assert door.gate.waiting == 0
        assert not door.gate._inside  # nothing is kept of an address at which nobody is
        assert not door.gate._lines

    asyncio.run(play())


def test_h7_whoever_came_first_waits_for_nobody_who_came_later() -> None:
    async def story(door: Door) -> None:
        await door.ask("ann")
        await door.let_out("ann")
        crowd = [f"guest-{n}" for n in range(400)]
        await door.ask(*crowd)
        assert door.order == ["ann", *crowd[:2]]
        await door.ask("ann")
        await door.let_out(crowd[0])
        assert door.order[-1] == "ann"
        for _ in range(20):  # and so it stays, though hundreds asked before her
            let_in = len(door.order)
            await door.let_out("ann")
            await door.ask("ann")
            while "ann" not in door.inside:
                await door.let_out(next(each for each in door.inside if each != "ann"))
            assert len(door.order) - let_in <= 3

    at_a_gate(2, 2, story)


def test_h7_a_crowd_that_came_first_keeps_no_newcomer_out() -> None:
    async def story(door: Door) -> None:
        crowd = [f"guest-{n}" for n in range(10)]
        await door.ask(*crowd)
        await door.empty()
        await door.ask(*crowd)
        await door.ask("ann")
        for _ in range(40):
            inside = next(iter(door.inside))
            if inside == "ann":
                break
            await door.let_out(inside)
            await door.ask(inside)  # they come again and again
        assert "ann" in door.inside

    at_a_gate(1, 1, story)


def test_h7_addresses_take_turns_and_none_has_all_places() -> None:
    async def story(door: Door) -> None:
        await door.ask(*(f"here-{n}" for n in range(9)), address="192.0.2.1")
        await door.ask("there", address="192.0.2.2")
        assert sorted(door.inside) == ["here-0", "here-1", "there"]  # a place was left
        await door.ask("there-too", "there-three", address="192.0.2.2")
        assert len(door.inside) == 3
        await door.let_out("here-0", "here-1")
        first, second = door.order[3:]
        assert {first.partition("-")[0], second.partition("-")[0]} == {"here", "there"}

    at_a_gate(2, 3, story)


def test_h7_somebody_does_one_thing_at_a_time() -> None:
    async def story(door: Door) -> None:
        await door.ask(*(f"eve/{n}" for n in range(5)))
        await door.ask("ann")
        assert list(door.inside) == ["eve/0", "ann"]

    at_a_gate(4, 4, story)


def test_h7_whoever_waits_too_long_or_among_too_many_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gates, "PATIENCE", 0.05)
    monkeypatch.setattr(gates, "MOST_WAITING_HERE", 2)

    async def story(door: Door) -> None:
        await door.ask("ann", "bob", "cay", "dan")
        assert await door.tasks["dan"] == "rate/too-much"  # at once
        assert await door.tasks["bob"] == await door.tasks["cay"] == "rate/too-much"
        assert list(door.inside) == ["ann"]
        await door.let_out("ann")
        await door.ask("bob")
        assert list(door.inside) == ["bob"]

    at_a_gate(1, 1, story)


def test_h7_whoever_is_called_and_gone_takes_no_place() -> None:
    async def story(door: Door) -> None:
        await door.ask("ann", "bob", "cay", "dan")
        door.tasks["cay"].cancel()  # while they wait
        await door.settle()
        door.inside["ann"].set()
        await asyncio.sleep(0)
        door.tasks["bob"].cancel()  # as they are called
        await door.settle()
        assert list(door.inside) == ["dan"]
        await door.ask("eve", "fay", "guy")
        for each in ("eve", "fay"):
            door.tasks[each].cancel()  # and nobody has noticed when the place is free
        door.inside["dan"].set()
        await door.settle()
        assert list(door.inside) == ["guy"]
        await door.ask("hal")
        door.tasks["hal"].cancel()
        await door.let_out("guy")
        await door.ask("ian")
        assert list(door.inside) == ["ian"]

    at_a_gate(1, 1, story)


@pytest.mark.parametrize("changes", [True, False])
def test_h7_strangers_have_a_share_and_people_with_a_name_do_not_wait_for_it(
    house: Visited, changes: bool
) -> None:
    web = house.web
    assert web is not None

    async def work(_house: Any) -> None:
        inside: Counter[str] = Counter()
        out = asyncio.Event()

        async def asks(person: str, address: str) -> None:
            async with web.turn(Audience(person, address), changes=changes):
                inside[address] += 1
                await out.wait()

        tasks = [
            asyncio.create_task(asks(f"guest-{net}-{n}", f"192.0.2.{net}"))
            for net in range(4)
            for n in range(200)
        ]
        await asyncio.sleep(0.05)
        here, most = (64, 128) if changes else (8, 16)
        assert (max(inside.values()), inside.total()) == (here, most)
        named = (web.turn(Audience(f"named-{n}", ""), changes=changes) for n in range(300))
        await asyncio.wait_for(asyncio.gather(*map(_once, named)), 5)
        out.set()
        await asyncio.gather(*tasks)
        assert inside.total() == 800

    within(house, work)


async def _once(turn: Any) -> None:
    async with turn:
        pass


def test_h7_where_strangers_have_no_place_left_others_play_on(
    house: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "PATIENCE", 0.05)
    web = house.web
    assert web is not None
    bob = Staff(house, administrator(house))("bob", "player")
    ann = house.guest()
    tables = {each: each.open() for each in (ann, bob)}

    def told(who: Caller) -> tuple[int, int]:
        body = {"key": who.key(), "command": {"action": "sit", "seat": 1}, "moment": ""}
        path = f"/api/tables/{tables[who]}"
        return who("POST", path, body).status, who("GET", path).status

    web.commands, web.looks = Gate(0, 0), Gate(1, 1)
    assert told(ann) == (429, 200)
    tables[ann] = ann.open()  # which has a queue of its own
    web.commands, web.looks = Gate(1, 1), Gate(0, 0)
    assert told(ann) == (200, 429)
    web.commands = Gate(0, 0)
    assert told(bob) == (200, 200)
    assert house.caller()("GET", "/health").status == 200
    assert house.guest()("GET", "/api/me").status == 429  # they come in, and wait there


def test_h2_listeners_are_woken_a_few_at_a_time_and_people_with_a_name_first(
    house: Visited,
) -> None:
    async def work(house: House) -> None:
        hub, heard = Hub(house), Counter[str]()
        added = p.PersonAdded("Ann", ("player",)), p.ChipsBought(100_000, practice=True)
        await house.record("house", "ann", "", *added)
        table, _ = await house.open_table("ann", c.OpenTable(BOOK, practice=True), "open")
        await house.command(table, "ann", c.Sit(1), "sit")

        async def listens(who: Audience) -> None:
            listener = Listener(hub, f"table:{table}", who, None, _still)
            async for each in listener.told():
                heard[who.person] += each.count(b"data: {") if each != streams.END else 0

        crowd = [Audience(f"guest-{n}", "192.0.2.1") for n in range(500)]
        tasks = [asyncio.create_task(listens(who)) for who in (*crowd, Audience("bob", ""))]
        await asyncio.sleep(0.05)
        house.subscriber.listeners.remove(hub._heard)  # it is told here, and when
        entry = (await house.command(table, "ann", c.SitOut(), "out")).entry
        heard.clear()
        hub._heard(entry)
        hub._heard(entry)
        before, most = 0, 0
        while heard.total() < 2 * len(tasks):
            await asyncio.sleep(0)
            if heard:
                assert heard["bob"] == 2, "before the crowd, and both at once"
            most, before = max(most, len(heard) - before), len(heard)
        assert most <= streams.AT_ONCE
        hub.close()
        await asyncio.gather(*tasks)

    within(house, work)


async def _still() -> bool:
    return True


def test_h3_strangers_leave_threads_for_others_who_look(house: Visited) -> None:
    async def work(house: House) -> None:
        over, looking = threading.Event(), Counter[str]()

        def endless(address: str) -> None:
            looking[address] += 1
            assert over.wait(20)

        async def look(person: str, address: str) -> None:
            ASKER.set((person, address))
            await house.look(endless, address)

        people = [(f"guest-{net}-{n}", f"192.0.2.{net}") for net in range(3) for n in range(6)]
        tasks = [asyncio.create_task(look(*each)) for each in people]
        try:
            await asyncio.sleep(0.05)
            assert (max(looking.values()), looking.total()) == (2, 3)
            assert await asyncio.wait_for(house.look(lambda: "seen"), 10) == "seen"
        finally:
            over.set()
        await asyncio.gather(*tasks)
        assert looking.total() == len(people)

    within(house, work)


def test_h3_a_guests_look_is_known_for_one(house: Visited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "PATIENCE", 0.05)
    assert house.web is not None
    bob = Staff(house, administrator(house))("bob", "player")
    ann = house.guest()
    assert ann("GET", "/api/me").status == 200
    house.web.house.background._strangers = Gate(0, 0)
    assert (ann("GET", "/api/me").status, bob("GET", "/api/me").status) == (429, 200)
