"""Practice tables are private, at every server and for as long as somebody listens there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house import house as houses
from pitboss.house.books.ledger import chips
from pitboss.house.people import persons as p
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.rulebook.pit_rules import LEFT_ALONE
from pitboss.web.services import Services
from tests.attacks.test_fences import Servers, attack, code
from tests.helpers import DIAMOND_JO, MISSISSIPPI
from tests.house.clocked_house import clocked_house
from tests.house.floor import Floor, dealt_by
from tests.web.open_house import Visited

PLAY = p.ChipsBought(100_000, practice=True)

# Two servers: who was let in at one is let in at the other ----------------------------------------


async def anns_table(servers: Servers) -> str:
    """A practice table of a guest's that both servers know."""
    opens = c.OpenTable(MISSISSIPPI.id, practice=True, decision_seconds=600)
    name, _ = await servers.a.open_table("guest-0", opens, servers.key)
    await servers.heard()
    await servers.b.table(name)
    return name


@asynccontextmanager
async def unheard(servers: Servers, name: str) -> AsyncIterator[None]:
    """Within, B does not hear of what happens at a table."""
    before = await servers.b.table(name)
    yield
    await servers.heard()
    servers.b.tables.put(name, before)


def test_who_was_let_in_at_one_server_sees_the_table_at_the_other(where: str) -> None:
    async def story(servers: Servers) -> None:
        name = await anns_table(servers)
        web, bob, eve = Services(servers.b), *[await servers.b.person(f"guest-{n}") for n in (1, 2)]
        async with unheard(servers, name):
            await servers.a.enter(await servers.a.invite(name, "guest-0"), bob.id)
        assert await code(web.table(name, eve)) == "table/unknown"
        async with unheard(servers, name):
            await servers.a.enter(await servers.a.invite(name, "guest-0"), eve.id)
        for who in (eve, bob):
            assert (await web.table(name, who)).table.admitted == {bob.id: True, eve.id: True}

    attack(where, story, guests=3)


def test_an_invitation_that_one_server_made_leads_somewhere_at_the_other(where: str) -> None:
    async def story(servers: Servers) -> None:
        name = await anns_table(servers)
        first = await servers.a.invite(name, "guest-0")
        await servers.heard()
        async with unheard(servers, name):
            second = await servers.a.invite(name, "guest-0")
        assert await servers.b.enter(second, "guest-1") == name
        async with unheard(servers, name):
            await servers.a.invite(name, "guest-0")
        for old in (first, second):
            assert await code(servers.b.enter(old, "guest-2")) == "table/unknown"

    attack(where, story, guests=3)


def test_a_round_that_was_just_paid_is_shown_at_the_other_server(where: str) -> None:
    async def story(servers: Servers) -> None:
        name = await anns_table(servers)
        await servers.a.enter(await servers.a.invite(name, "guest-0"), "guest-1")
        await servers.a.record("guest-0", "guest-0", "", PLAY)
        await servers.a.command(name, "guest-0", c.Sit(1), servers.key)
        await servers.heard()
        web, bob = Services(servers.b), await servers.b.person("guest-1")
        assert await code(web.may_watch(bob, f"{name}-1", None)) == "round/unknown"
        async with unheard(servers, name):
            for command in (a.Bet(1, {"ante": 500}), a.Fold(1, confirmed=True)):
                moment = (await servers.a.table(name)).table.moment
                await servers.a.command(name, "guest-0", command, servers.key, moment)
        await web.may_watch(bob, f"{name}-1", None)
        assert await code(web.may_watch(bob, f"{name}-2", None)) == "round/unknown"

    attack(where, story, guests=2)


# Who was shown out stays out ----------------------------------------------------------------------


@pytest.mark.parametrize("practice", [True, False])
def test_a_seat_that_was_freed_is_not_kept_by_leaving_it(practice: bool) -> None:
    floor = Floor(DIAMOND_JO, practice=practice, decision_seconds=600).sit("ann", "bob")
    floor.bet(1)
    floor.bet(2)
    floor.raises(2, times=1)
    floor.do(c.FreeSeat(2, "bob", "rude"), "own" if practice else "max")
    for command in (c.Leave(), c.SitIn(), c.Leave(), c.SitOut()):
        assert floor.refused(command, "bob").code == "seat/freed"
    floor.raises(1, times=1)
    waits = due(floor.book, floor.table.round)
    assert [*waits] == ([1] if practice else [1, 2]), "whose practice it is waits for them no more"
    while floor.table.number == 1:
        floor.strikes()
    assert [*floor.table.sitters] == [1]
    assert floor.table.freed == {"bob": "rude"}


def test_whoever_leaves_before_their_seat_is_freed_is_shown_out_all_the_same(
    house: Visited,
) -> None:
    ann, bob, cat, eve = (house.guest() for _ in range(4))
    table = ann.open(betting_seconds=600)
    for seat, who in ((2, bob), (3, cat)):
        assert who.do(table, "sit", seat=seat).status == 200
    eve.come(table)
    assert bob.do(table, "leave").status == 200
    frees: dict[str, Any] = {"seat": 2, "person": bob.person, "why": "rude"}
    assert ann.do(table, "free-seat", **frees).status == 200
    assert ann.do(table, "free-seat", **frees).code == "seat/none", "once is enough"
    for who in (bob, eve):
        assert who.do(table, "sit", seat=2).code == "seat/uninvited", "nor who came with them"
        assert who("GET", f"/api/tables/{table}").status == 200
    assert cat.do(table, "sit-out").status == 200
    other: dict[str, Any] = {"seat": 2, "person": cat.person, "why": "in another seat"}
    assert ann.do(table, "free-seat", **other).code == "seat/none"
    shown = ann("POST", f"/api/tables/{table}/invitations").json
    assert bob("POST", "/api/invitations", shown).status == 200
    assert bob.do(table, "sit", seat=2).status == 200


# A table that nobody uses is closed ---------------------------------------------------------------

STAGES: dict[str, list[a.Action]] = {
    "a bet lies": [],
    "bets are closed": [a.CloseBets()],
    "cards are dealt": [a.CloseBets(), a.Deal(())],
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_round_that_its_dealer_left_alone_is_called_off(
    where: str, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would keep one of the house's practice tables for good."""
    monkeypatch.setattr(houses, "SWEEP_SECONDS", 0.02)

    async def play() -> None:
        async with clocked_house(where) as here:
            ann, bob = [await here.person(name, "guest") for name in ("ann", "bob")]
            await here.open(
                ann, MISSISSIPPI.id, practice=True, dealing="dealer", decision_seconds=1
            )
            for who, command in (
                (ann, c.StartDealing()),
                (ann, c.OpenBetting()),
                (bob, c.Sit(1)),
                (bob, a.Bet(1, {"ante": 5_00})),
                *((ann, each) for each in STAGES[stage]),
            ):
                await here.do(who, command)
            await here.until(lambda table: not table.until)
            assert here.table.under_way
            here.at += 11 * 60_000
            await here.until(lambda table: not table.open)
            assert here.house.store.balance(chips("bob", practice=True)) == 1_000_000

    asyncio.run(play())
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
        assert (found.broken, found.called_off) == ("", 1)


def test_nobody_but_the_clock_calls_a_round_off_that_was_left_alone() -> None:
    floor = dealt_by(practice=True).sit("ann")
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1)
    misdeal = a.CallMisdeal(LEFT_ALONE, "shift-manager")
    assert floor.refused(misdeal, "own").code == "misdeal/unknown-cause"
    assert floor.refused(c.CloseTable(), "own").code == "table/round-under-way"
    floor.do(c.CloseTable("nobody plays here"), "clock")
    assert (floor.chips("ann"), floor.table.open) == (0, False)
