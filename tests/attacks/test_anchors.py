"""Whoever can write to the database cannot make an audit blind, nor write history anew unseen."""

import asyncio
import contextlib
import json
from pathlib import Path

from pitboss.house.house import House
from pitboss.house.practice import Practice
from pitboss.house.storage import codec
from pitboss.house.storage.store import Unavailable
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round import due
from tests.attacks.test_fences import Servers, attack
from tests.audit.forgery import change, rows
from tests.command import run

MISSISSIPPI = "common/mississippi-stud"


# M1: every broken place ------------------------------------------------------------------------


def test_m1_every_broken_place_is_reported(copy: Path) -> None:
    """One that was broken on purpose hides no other behind it."""
    house = "SELECT position FROM journal WHERE stream = 'house' ORDER BY position"
    early, late = (position for (position,) in rows(copy, house)[-2:])
    change(copy, "UPDATE journal SET at = at + 1 WHERE position = ?", early)
    poisoned = run("audit", "--db", str(copy))
    change(copy, "UPDATE journal SET at = at + 1 WHERE position = ?", late)
    ran = run("audit", "--db", str(copy))
    assert ran.code == 1
    for position in (early, late):
        assert f"journal {position} (house " in ran.out
    assert ran.out.splitlines()[-1] != poisoned.out.splitlines()[-1]


def test_m1_a_few_places_are_printed_and_all_are_in_the_json(copy: Path) -> None:
    moved = [position for (position,) in rows(copy, "SELECT position FROM journal")[:12]]
    for position in moved:
        change(copy, "UPDATE journal SET hash = 'f' || hash WHERE position = ?", position)
    promise = json.loads(run("audit", "--db", str(copy), "--json").out)["promises"][3]
    wrong = "the hash is not that of this entry"
    named = [place for place in promise["broken"] if place.endswith(wrong)]
    assert [int(place.split()[1]) for place in named[: len(moved)]] == moved
    text = run("audit", "--db", str(copy)).out.splitlines()
    at = next(n for n, line in enumerate(text) if line.startswith("4 "))
    assert text[at].endswith(f"BROKEN {promise['broken'][0]}")
    assert text[at + 1 : at + 5] == [f"  {place}" for place in promise["broken"][1:5]]
    of = len(promise["broken"])
    assert text[at + 5] == f"  and {of - 5} more of {of} broken places: --json names them all"
    assert text[at + 6].startswith("5 ")


def test_m1_the_printed_hash_is_worked_out_anew(copy: Path) -> None:
    """A row changed without its hash gives another line, and so does each row after it."""
    seen = {run("audit", "--db", str(copy)).out.splitlines()[-1]}
    for position in (20, 60, 70):
        change(copy, "UPDATE journal SET at = at + 3600000 WHERE position = ?", position)
        seen.add(run("audit", "--db", str(copy)).out.splitlines()[-1])
    assert len(seen) == 4
    change(copy, "UPDATE journal SET hash = 'f' || hash WHERE position = 80")
    assert run("audit", "--db", str(copy)).out.splitlines()[-1] in seen


def test_m1_settings_changed_in_a_loop_at_two_servers_break_nothing(where: str) -> None:
    """Two places of which one is always a day ahead of the other: every payment names the day."""

    async def story(servers: Servers) -> None:
        over = asyncio.Event()

        async def changes(house: House, places: tuple[str, str]) -> None:
            while not over.is_set():
                for place in places:
                    with contextlib.suppress(Unavailable):
                        await house.change_setting("boss", "timezone", place, "", servers.key)
                    await asyncio.sleep(0.02)

        far = ("Pacific/Kiritimati", "Pacific/Pago_Pago")
        loops = [
            asyncio.create_task(changes(servers.b, far)),
            asyncio.create_task(changes(servers.a, far[::-1])),
        ]
        await Practice(servers.a).fill_up("ann", "f")
        await asyncio.gather(*(_plays(servers, house) for house in (servers.a, servers.b)))
        over.set()
        await asyncio.gather(*loops)
        paid = "SELECT body FROM journal WHERE body LIKE '%round-paid%'"
        versions = {codec.body(body).settings for (body,) in servers.a.store.rows(paid)}
        assert len(versions) > 5

    attack(where, story)


async def _plays(servers: Servers, house: House, changes: int = 30) -> None:
    """Ann plays at a table of her own, and asks again where others are quicker."""

    async def do(command: c.Command, moment: str = "") -> None:
        for _ in range(50):
            with contextlib.suppress(Unavailable):
                await house.command(name, "ann", command, servers.key, moment)
                return

    opens = c.OpenTable(MISSISSIPPI, practice=True)
    name, _ = await house.open_table("ann", opens, servers.key)
    await do(c.Sit(1))
    while house.settings.version < changes:
        live = await house.table(name)
        book, table = live.book, live.table
        if due(book, table.round):
            await do(a.Fold(1, confirmed=True), table.moment)
        else:
            await do(a.Bet(1, {book.ante.name: table.minimum_cents}), table.moment)
