"""Clocks and restarts: what is shown is what happens, to the millisecond and in any process."""

import asyncio
import time

from pitboss.house import house as houses
from pitboss.house.clocks import Clocks
from pitboss.house.house import House
from pitboss.house.people import permissions, persons
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.house.views import table_view
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.round import events as e
from tests.helpers import DIAMOND_JO, SENECA, tags
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.house.floor import NOON

ANTE = {"ante": 5_00}


async def two_at_a_table(here: ClockedHouse, book: str = DIAMOND_JO.id, **more: int) -> None:
    """Ann and Bob sit at a practice table that Ann opened."""
    ann = await here.person("ann", "player")
    bob = await here.person("bob", "player")
    await here.open(ann, book, practice=True, minimum_cents=5_00, **more)
    await here.do(ann, c.Sit(1))
    await here.do(bob, c.Sit(2))


async def known(house: House, *names: str) -> list[persons.Person]:
    return [await house.person(name) for name in names]


def test_the_shown_deadline_is_absolute_and_to_the_millisecond(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            await two_at_a_table(here, betting_seconds=20, decision_seconds=30)
            ann, bob = await known(here.house, "ann", "bob")
            await here.do(ann, a.Bet(1, ANTE))
            live = await here.house.table(here.name)
            for who in ("ann", "bob", "a stranger"):
                shown = table_view(live, who, here.at)
                assert (shown.until, shown.now) == (NOON + 20_000, NOON)
            here.at = NOON + 19_999
            await here.do(bob, a.Bet(2, ANTE))
            assert here.table.until == here.at + 30_000
            here.at += 30_000  # whatever a clock says: it is over when that is written
            await here.do(ann, a.Raise(1, 1))

    asyncio.run(play())


def test_a_clock_runs_out_by_itself(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            await two_at_a_table(here, betting_seconds=1, decision_seconds=1)
            ann, _ = await known(here.house, "ann", "bob")
            await here.do(ann, a.Bet(1, ANTE))
            here.at += 1_000
            await here.until(lambda table: table.round.phase == "playing")
            assert list(here.table.round.seats) == [1], "Bob bet nothing in time"
            here.at += 1_000
            await here.until(lambda table: table.number == 2)
            assert here.table.last is not None
            assert here.table.last.seats[0].paid_cents == 0

    asyncio.run(play())


def test_a_timer_rings_for_the_deadline_that_counts_by_then():
    """It is kept when the deadline changes: neither an old one nor a withdrawn one is rung for."""

    async def ring() -> list[tuple[str, int]]:
        rung: list[tuple[str, int]] = []
        clocks = Clocks(lambda: True, lambda name, until: rung.append((name, until)))
        for name, *deadlines in (
            ("later", (1, 20), (2, 90)),
            ("sooner", (1, 60_000), (2, 10)),
            ("withdrawn", (1, 20), (0, 0)),
            ("withdrawn and set", (1, 20), (0, 0), (2, 60)),
            ("far away", (1, 20), (2, 60_000)),
        ):
            for until, ms in deadlines:
                clocks.mind(name, until, ms)
        while ("later", 2) not in rung:
            await asyncio.sleep(0.01)
        clocks.begin_anew("later")
        while rung.count(("later", 2)) < 2:
            await asyncio.sleep(0.01)
        clocks.stop()
        return rung

    due = [("sooner", 2), ("withdrawn and set", 2), ("later", 2), ("later", 2)]
    assert asyncio.run(asyncio.wait_for(ring(), 20)) == due


def test_nobody_can_ask_for_the_clock():
    assert "tick" not in tags(c.Command)
    assert "tick" not in permissions.MAY


def test_after_a_restart_everybody_finds_the_exact_state(where):
    async def before() -> tuple[str, str, list[bytes]]:
        async with clocked_house(where) as here:
            await two_at_a_table(here, SENECA.id)
            ann, bob = await known(here.house, "ann", "bob")
            await here.do(ann, a.Bet(1, {**ANTE, "progressive": 1_00}))
            await here.do(bob, a.Bet(2, ANTE))
            await here.do(ann, a.Raise(1, 2))
            await here.do(bob, c.SitOut())
            return here.name, codec.text(here.table), await views(here)

    async def views(here: ClockedHouse) -> list[bytes]:
        live = await here.house.table(here.name)
        return [codec.encode(table_view(live, who, NOON)) for who in ("ann", "bob", "cid")]

    async def after(name: str, table: str, seen: list[bytes]) -> None:
        async with clocked_house(where) as here:
            here.name = name
            assert codec.text(here.table) == table
            assert await views(here) == seen
            _, bob = await known(here.house, "ann", "bob")
            await here.do(bob, a.Fold(2, confirmed=True))
            assert here.table.number == 2

    asyncio.run(after(*asyncio.run(before())))


def test_a_clock_begins_anew_where_nobody_was_there(where):
    async def before() -> str:
        async with clocked_house(where) as here:
            await two_at_a_table(here, decision_seconds=1)
            ann, bob = await known(here.house, "ann", "bob")
            await here.do(ann, a.Bet(1, ANTE))
            await here.do(bob, a.Bet(2, ANTE))
            assert due(DIAMOND_JO, here.table.round) == [1, 2]
            return here.name

    async def after(name: str) -> None:
        async with clocked_house(where, at=NOON + 3_600_000) as here:
            here.name = name
            begun = time.monotonic()
            assert here.table.number == 1
            await here.until(lambda table: table.number == 2)
            assert time.monotonic() - begun > 0.9

    asyncio.run(after(asyncio.run(before())))


def test_the_clock_of_a_table_strikes_once_however_many_processes_hear_it(where):
    async def play() -> None:
        async with clocked_house(where) as one, clocked_house(where) as two:
            await two_at_a_table(one, betting_seconds=600, decision_seconds=1)
            ann, bob = await known(one.house, "ann", "bob")
            await one.do(ann, a.Bet(1, ANTE))
            two.name = one.name
            await two.house.table(one.name)
            await one.do(bob, a.Bet(2, ANTE))
            await two.until(lambda table: table.until == one.table.until)
            await one.until(lambda table: table.number == 2)
            await two.until(lambda table: table.number == 2)
            assert codec.text(one.table) == codec.text(two.table)
            entries = await one.house.in_thread(one.house.store.entries, f"table:{one.name}")
            struck = [entry for entry in entries if entry.actor == "clock"]
            assert len(struck) == 1
            folds = [x for x in codec.body(struck[0].body).events if isinstance(x, e.Folded)]
            assert all(fold.timed_out for fold in folds)

    asyncio.run(play())


def test_a_decision_is_for_the_moment_that_was_seen(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            await two_at_a_table(here)
            ann, bob = await known(here.house, "ann", "bob")
            seen = here.table.moment
            await here.do(ann, a.Bet(1, ANTE))
            await here.do(bob, a.Bet(2, ANTE), seen)  # bets of the same round
            refusal = await here.refused(ann, a.Raise(1, 1), seen)
            assert (refusal.code, refusal.place) == ("command/late", "moment")
            assert (await here.refused(ann, a.Raise(1, 1), "")).code == "command/late"
            await here.do(ann, a.Raise(1, 1))

    asyncio.run(play())


def test_a_practice_table_that_nobody_uses_is_closed(where, monkeypatch):
    monkeypatch.setattr(houses, "SWEEP_SECONDS", 0.02)

    async def play() -> None:
        async with clocked_house(where) as here:
            await two_at_a_table(here, decision_seconds=1)
            ann, bob = await known(here.house, "ann", "bob")
            here.at += 9 * 60_000
            await asyncio.sleep(0.1)
            assert here.table.open
            await here.do(ann, a.Bet(1, ANTE))
            await here.do(bob, a.Bet(2, ANTE))
            here.at += 11 * 60_000
            await asyncio.sleep(0.1)
            assert here.table.number == 1, "nobody loses a round to it"
            await here.until(lambda table: not table.under_way)
            here.at += 11 * 60_000
            await here.until(lambda table: not table.open)
            last = here.house.store.entries(f"table:{here.name}")[-1]
            assert last.actor == "clock"

    asyncio.run(play())
