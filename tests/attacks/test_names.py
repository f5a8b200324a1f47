"""Names that somebody else must not be able to hit upon: of tables and of guests."""

import asyncio
import base64
import hashlib
import re
from pathlib import Path
from typing import get_args

import pytest

from pitboss.errors import Refused, Unreadable
from pitboss.house.people import persons as p
from pitboss.house.storage.codec import short_name
from pitboss.house.storage.journal import Entry
from pitboss.house.table import commands as c
from tests.attacks.test_fences import PASSWORD, Servers, attack, code
from tests.house.clocked_house import clocked_house

STAFF_ROLES: list[p.Role] = [role for role in get_args(p.Role) if role not in ("guest", "player")]


def test_m2_a_tables_name_has_128_bits() -> None:
    for seed in (f"flo/{number}" for number in range(1_000)):
        name = short_name(seed)
        bits = base64.b32decode(name.upper() + "======")
        assert bits == hashlib.sha256(seed.encode()).digest()[:16]


def test_m2_a_guests_name_has_128_bits(quick_path) -> None:
    async def enter() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            names = [(await here.sessions.guest()).person for _ in range(20)]
            assert len(set(names)) == 20
            assert all(re.fullmatch("guest-[0-9a-f]{32}", name) for name in names)
            for name in names:
                await here.sessions.join(name)
            # On the felt a guest is still called briefly.
            assert {len((await here.house.person(name)).name) for name in names} == {10}

    asyncio.run(enter())


def test_m2_two_keys_that_once_led_to_one_table_lead_to_two(quick_path) -> None:
    """With names of 50 bits these two were found in 87 seconds."""

    async def open_both() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            await here.person("flo", "floor-supervisor")
            keys = {"dcb735": True, "1d244af": False}
            names = []
            for key, practice in keys.items():
                opens = c.OpenTable(
                    "seneca-niagara/caribbean-stud", maximum_cents=500_00, practice=practice
                )
                name, _ = await here.house.open_table("flo", opens, key)
                await here.house.command(name, "flo", c.CloseTable("done"), f"close-{key}")
                names.append(name)
            assert len(set(names)) == 2

    asyncio.run(open_both())


def test_a_guest_who_asks_for_many_names_at_once_has_one(where: str) -> None:
    """At two servers and from sixteen addresses; the other names are still there for others."""

    async def story(servers: Servers) -> None:
        heard: list[Entry] = []
        servers.a.subscriber.listeners.append(heard.append)
        names = [f"name-{number}" for number in range(16)]
        asked = [
            (servers.a, servers.b)[number % 2].sessions.keep("guest-0", name, PASSWORD, f"{number}")
            for number, name in enumerate(names)
        ]
        got = await asyncio.gather(*asked, return_exceptions=True)
        lost = [each for each in got if isinstance(each, Refused)]
        assert {each.refusal.code for each in lost} == {"person/named"}
        assert len(lost) == 15
        await servers.heard()
        [kept] = [name for name in names if servers.a.store.entries(f"person:{name}")]
        assert (await servers.b.person("guest-0")).alias == kept
        assert (await servers.b.sessions.login(kept, PASSWORD)).person == "guest-0"
        told = [entry.stream for entry in heard if entry.actor == "guest-0"]
        assert told == [f"person:{kept}", "person:guest-0"], "each was told of both"
        other = next(name for name in names if name != kept)
        assert (await servers.a.sessions.keep("guest-1", other, PASSWORD)).person == "guest-1"

    attack(where, story, guests=2)


@pytest.mark.parametrize(
    "name",
    [
        *STAFF_ROLES,
        "admin2",
        "cashier",
        "dealer-7",
        "floor",
        "pitboss",
        "pit-boss",
        "security.desk",
    ],
)
def test_m2_no_guest_keeps_a_name_that_begins_like_a_role(quick_path: Path, name: str) -> None:
    async def keep() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            guest = (await here.sessions.guest()).person
            with pytest.raises(Unreadable, match="like a role"):
                await here.sessions.keep(guest, name, PASSWORD)
            kept = await here.sessions.keep(guest, "rosa", PASSWORD)
            assert kept.person == guest

    asyncio.run(keep())


def test_m2_whoever_came_as_a_guest_becomes_a_player_at_most(where: str) -> None:
    async def story(servers: Servers) -> None:
        await servers.a.sessions.keep("guest-0", "rosa", PASSWORD)
        for role in STAFF_ROLES:
            each: list[tuple[p.Role, ...]] = [(role,), ("player", role)]
            for roles in each:
                given = servers.a.record("admin", "guest-0", servers.key, p.RolesSet(roles, "new"))
                assert await code(given) == "role/guest"
        await servers.a.record("admin", "guest-0", servers.key, p.RolesSet(("player",), "known"))
        assert (await servers.a.person("guest-0")).roles == ("player",)
        await servers.a.record("admin", "flo", servers.key, p.RolesSet(("dealer",), "moves"))

    attack(where, story, guests=1)
