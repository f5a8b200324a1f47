"""Practice tables are private: who opened one says who else may come (B9)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pitboss.errors import Refused
from pitboss.house.people.permissions import sees
from pitboss.house.storage.projections import read_table
from pitboss.house.table import commands as c
from pitboss.house.table.evolve import MOST_ADMITTED
from pitboss.round import actions as a
from tests.helpers import DIAMOND_JO
from tests.house.clocked_house import ClockedHouse, clocked_house


def with_anns_table(where: str, story: Callable[[ClockedHouse], Awaitable[None]]) -> None:
    async def play() -> None:
        async with clocked_house(where) as here:
            ann = await here.person("ann", "guest")
            await here.person("bob", "guest")
            await here.open(ann, DIAMOND_JO.id, practice=True, decision_seconds=600)
            await here.do(ann, c.Sit(1))
            await story(here)

    asyncio.run(play())


async def said(asked: Awaitable[Any]) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        await asked
    return caught.value.refusal.code, caught.value.refusal.message


def test_b9_for_a_stranger_there_is_no_such_table(where):
    async def story(here: ClockedHouse) -> None:
        house, unknown = here.house, "xyz"
        before = len(house.store.entries(f"table:{here.name}"))
        for command in (c.Sit(2), c.CloseTable(), c.SeatBot(3), a.Bet(2, {"ante": 5_00})):
            nowhere = await said(house.command(unknown, "bob", command, "k"))
            there = await said(house.command(here.name, "bob", command, "k"))
            assert nowhere == ("table/unknown", f"there is no table {unknown!r}")
            assert there == ("table/unknown", f"there is no table {here.name!r}")
        again = c.OpenTable(DIAMOND_JO.id, table=here.name, practice=True)
        assert (await said(house.open_table("bob", again, "k")))[0] == "table/unknown"
        assert (await said(house.invite(here.name, "bob")))[0] == "table/unknown"
        assert len(house.store.entries(f"table:{here.name}")) == before

    with_anns_table(where, story)


def test_b9_an_invitation_lets_somebody_see_and_sit(where):
    async def story(here: ClockedHouse) -> None:
        house = here.house
        bob = await house.person("bob")
        made = await house.invite(here.name, "ann")
        assert not sees(here.table, bob)
        assert await house.enter(made, "bob") == here.name
        assert sees(here.table, bob)
        assert await house.enter(made, "bob") == here.name, "twice is once"
        assert here.table.admitted == {"bob": True}
        await house.command(here.name, "bob", c.Sit(2), "sit")
        assert await house.enter(made, "ann") == here.name, "she needs none"
        # The secret is nowhere in the books, and who listens does not hear its hash either.
        secret = made.partition(".")[2]
        assert len(secret) == 22
        assert not any(secret in entry.body for entry in house.store.everything())

    with_anns_table(where, story)


def test_b9_only_the_last_invitation_leads_anywhere(quick_path):
    async def story(here: ClockedHouse) -> None:
        house = here.house
        first = await house.invite(here.name, "ann")
        second = await house.invite(here.name, "ann")
        for wrong in (first, "", here.name, f"{here.name}.", f"{here.name}.x", f"xyz.{second}"):
            assert (await said(house.enter(wrong, "bob")))[0] == "table/unknown"
        assert here.table.admitted == {}
        assert await house.enter(second, "bob") == here.name
        assert (await said(house.invite(here.name, "bob")))[0] == "role/not-yours"
        await here.do(await house.person("ann"), c.CloseTable())
        await here.person("eve", "guest")
        assert (await said(house.enter(second, "eve")))[0] == "table/unknown"
        closed = (await house.table(here.name)).table
        assert sees(closed, await house.person("bob")), "he may read that it is closed"

    with_anns_table(str(quick_path / "house.db"), story)


def test_b9_the_owner_frees_a_seat_in_the_middle_of_a_round(where):
    async def story(here: ClockedHouse) -> None:
        ann, bob = await here.house.person("ann"), await here.house.person("bob")
        made = await here.house.invite(here.name, "ann")
        await here.house.enter(made, "bob")
        await here.do(bob, c.Sit(2))
        for who, seat in ((ann, 1), (bob, 2)):
            await here.do(who, a.Bet(seat, {"ante": 5_00}))
        await here.do(ann, a.Raise(1, 1))
        moment = here.table.moment
        await here.do(ann, c.FreeSeat(2, "bob", "gone"))
        assert here.table.round.seats[2].folded, "nobody waits for him"
        assert here.table.moment != moment, "and the round has gone on"
        assert here.table.sitters[2].leaving
        for _ in range(2):
            await here.do(ann, a.Raise(1, 1))
        assert 2 not in here.table.sitters
        assert here.table.last is not None
        # He may look on, and does not sit down again unless he is invited again.
        assert sees(here.table, bob)
        assert (await here.refused(bob, c.Sit(2))).code == "seat/uninvited"
        assert (await said(here.house.enter(made, "bob")))[0] == "table/unknown"
        await here.house.enter(await here.house.invite(here.name, "ann"), "bob")
        await here.do(bob, c.Sit(2))

    with_anns_table(where, story)


def test_the_floor_may_look_and_real_chips_are_for_everybody(quick_path):
    async def story(here: ClockedHouse) -> None:
        flo = await here.person("flo", "floor-supervisor")
        admin = await here.person("admin", "administrator")
        bob = await here.house.person("bob")
        assert (sees(here.table, flo), sees(here.table, admin), sees(here.table, bob)) == (
            *(True, False, False),
        )
        assert (await here.refused(flo, c.Sit(2))).code == "seat/uninvited"
        await here.house.command(here.name, flo.id, c.FreeSeat(1, "ann", "asleep"), "k")
        await here.do(await here.house.person("ann"), c.Sit(1))
        await here.house.enter(await here.house.invite(here.name, "ann"), flo.id)
        await here.do(flo, c.Sit(2))
        await here.open(flo, DIAMOND_JO.id)
        assert sees(here.table, bob)
        assert (await said(here.house.invite(here.name, "flo")))[0] == "role/not-yours"

    with_anns_table(str(quick_path / "house.db"), story)


def test_where_a_hundred_have_come_the_first_without_a_seat_gives_way(quick_path):
    async def story(here: ClockedHouse) -> None:
        made = await here.house.invite(here.name, "ann")
        everybody = [f"guest-{number}" for number in range(MOST_ADMITTED)]
        for who in everybody:
            assert await here.house.enter(made, who)
        await here.house.command(here.name, "guest-0", c.Sit(2), "sit")
        await here.house.enter(made, "guest-7")
        assert [*here.table.admitted] == everybody, "who has come is let in, in no new place"
        made = await here.house.invite(here.name, "ann")
        assert await here.house.enter(made, "bob")
        assert [*here.table.admitted] == ["guest-0", *everybody[2:], "bob"]
        assert here.table.admitted == dict.fromkeys(here.table.admitted, True)
        read = read_table(here.house.store, here.name)
        assert read is not None
        assert [*read.table.admitted] == [*here.table.admitted], "wherever it is looked at"

    with_anns_table(str(quick_path / "house.db"), story)


def test_after_a_seat_was_freed_nobody_sits_down_who_came_before(where):
    async def story(here: ClockedHouse) -> None:
        ann, made = await here.house.person("ann"), await here.house.invite(here.name, "ann")
        bob = await here.house.person("bob")
        friend, cy = [await here.person(name, "guest") for name in ("friend", "cy")]
        for who in (bob, friend, cy):
            await here.house.enter(made, who.id)
        await here.do(bob, c.Sit(2))
        await here.do(cy, c.Sit(3))
        await here.do(ann, c.FreeSeat(2, "bob", "gone"))
        for each in (bob, friend):
            assert (await here.refused(each, c.Sit(2))).code == "seat/uninvited"
            assert sees(here.table, each), "they may look on"
        await here.do(cy, c.Leave())
        await here.do(cy, c.Sit(2))
        await here.house.enter(await here.house.invite(here.name, "ann"), friend.id)
        await here.do(friend, c.Sit(3))

    with_anns_table(where, story)


def test_tables_are_found_by_whom_they_are_there_for(quick_path):
    async def story(here: ClockedHouse) -> None:
        def found(who: str) -> list[str]:
            return [live.table.id for live in here.house.tables.practice_of(who)]

        anns = here.name
        assert (found("ann"), found("bob"), found("")) == ([anns], [], [])
        await here.house.enter(await here.house.invite(anns, "ann"), "bob")
        assert found("bob") == [anns]
        await here.open(await here.house.person("bob"), DIAMOND_JO.id, practice=True)
        assert found("bob") == sorted([anns, here.name])
        here.name = anns
        await here.do(await here.house.person("ann"), c.Leave())
        await here.do(await here.house.person("ann"), c.CloseTable())
        assert found("ann") == []

    with_anns_table(str(quick_path / "house.db"), story)
