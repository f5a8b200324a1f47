"""Names that somebody else must not be able to hit upon: of tables and of guests."""

import asyncio
import base64
import hashlib
import re

from pitboss.house.storage.codec import short_name
from pitboss.house.table import commands as c
from tests.house.clocked_house import clocked_house


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
                opens = c.OpenTable("seneca-niagara/caribbean-stud", practice=practice)
                name, _ = await here.house.open_table("flo", opens, key)
                await here.house.command(name, "flo", c.CloseTable("done"), f"close-{key}")
                names.append(name)
            assert len(set(names)) == 2

    asyncio.run(open_both())
