"""What was done is told again by its key, whatever its sender may do by now, and tells no news."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.house import house as house_module
from pitboss.house import practice
from pitboss.house.practice import Practice
from pitboss.house.table import commands as c
from tests.attacks.test_fences import code
from tests.house.clocked_house import clocked_house
from tests.web.api.test_routes import is_problem
from tests.web.conftest import PASSWORD, Staff, administrator
from tests.web.mischief import BOOK
from tests.web.open_house import Answer, Visited, thread

WHY = {"why": "for a test"}


@pytest.fixture
def house(quick_path: Path, where: str) -> Iterator[Visited]:
    with thread(quick_path, where=where) as found:
        yield found


@pytest.fixture
def staff(house: Visited) -> Staff:
    return Staff(house, administrator(house))


def asked(path: str, key: str, **command: Any) -> tuple[str, str, dict[str, Any]]:
    return "POST", path, {"key": key, "command": {**command, **WHY}}


def same(one: Answer, other: Answer) -> bool:
    return (one.status, one.raw) == (other.status, other.raw)


def dismiss(staff: Staff, name: str) -> None:
    roles = asked(f"/api/people/{name}", f"dismiss {name}", action="set-roles", roles=["guest"])
    assert staff.admin(*roles).status == 200


ACTS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "sell-chips": ("cage", {"cents": 500}, {"cents": 501}),
    "cash-chips": ("cage", {"cents": 500}, {"cents": 501}),
    "identify": (
        "cage",
        {"residence": "us", "identified": True, "tin": True},
        {"residence": "us", "identified": True, "tin": False},
    ),
    "bar": ("surveillance", {"barred": True}, {"barred": False}),
    "set-roles": ("administrator", {"roles": ["player"]}, {"roles": ["dealer"]}),
    "set-password": (
        "administrator",
        {"password": "a-password-for-once"},
        {"password": "another-one-for-once"},
    ),
}
"""Who does it, and with which values; and others."""


@pytest.mark.parametrize("act", ACTS)
def test_what_was_done_to_a_record_is_told_again(staff: Staff, act: str) -> None:
    role, first, other = ACTS[act]
    staff("nell", "player")
    cage, gone = staff("cashier", "cage"), staff("gone", role)
    path = "/api/people/nell"
    assert cage(*asked(path, "before", action="sell-chips", cents=1_000)).status == 200
    sent = asked(path, "k", action=act, **first)
    told = gone(*sent)
    assert told.status == 200, told
    dismiss(staff, "gone")
    assert same(gone(*sent), told)
    papers = {"residence": "foreign", "identified": True, "tin": False}
    assert cage(*asked(path, "papers", action="identify", **papers)).status == 200
    later = cage(*asked(path, "after", action="sell-chips", cents=77))
    moves = {"sell-chips": 500, "cash-chips": -500}
    assert later.json["chips_cents"] == 1_077 + moves.get(act, 0), "it was done once"
    assert same(gone(*sent), told), "nothing is told of what came after"
    is_problem(gone(*asked(path, "k", action=act, **other)), 409, "command/key-reused")
    for name in ("nell", "nobody"):
        fresh = asked(f"/api/people/{name}", "another", action=act, **first)
        is_problem(gone(*fresh), 403, "role/not-yours")


def test_nobody_sets_their_own_password_by_a_key_that_they_used(staff: Staff) -> None:
    nell = staff("nell", "player")
    table = nell.open()
    assert nell.do(table, "sit", seat=1).status == 200
    assert nell.do(table, "bet", seat=1, wagers={"ante": 5_00}).status == 200
    assert nell("POST", "/api/me/play-chips", {"key": "k"}).status == 200
    body = {"action": "set-password", "password": "a-password-for-once"}
    is_problem(nell(*asked("/api/people/nell", "k", **body)), 409, "command/key-reused")
    is_problem(nell(*asked("/api/people/nell", "another", **body)), 403, "role/not-yours")
    assert nell("GET", "/api/me").status == 200, "no session has ended"
    nell.login("nell", PASSWORD)


def test_a_setting_that_was_changed_is_told_again(house: Visited, staff: Staff) -> None:
    gone = staff("gone", "general-manager")

    def change(key: str, value: str) -> Any:
        body = {"key": key, "name": "timezone", "value": value, **WHY}
        return gone("POST", "/api/settings", body)

    told = change("k", "America/Chicago")
    assert told.status == 200
    dismiss(staff, "gone")
    assert same(change("k", "America/Chicago"), told)
    is_problem(change("k", "Europe/Berlin"), 409, "command/key-reused")
    is_problem(change("another", "Europe/Berlin"), 403, "role/not-yours")
    assert house.guest()("GET", "/api/settings").json["timezone"] == "America/Chicago"


CEILINGS = {
    "of a person": (practice, "MOST_TABLES", "table/too-many"),
    "of an address": (practice, "MOST_OF_ADDRESS", "table/too-many"),
    "of the house": (house_module, "MOST_PRACTICE_TABLES", "server/full"),
}


@pytest.mark.parametrize("ceiling", CEILINGS)
def test_a_table_that_was_opened_and_closed_is_told_again_at_every_ceiling(
    where: str, ceiling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, refused = CEILINGS[ceiling]
    monkeypatch.setattr(module, name, 3)

    async def story() -> None:
        async with clocked_house(where) as here:
            ann, rooms = await here.person("ann", "player"), Practice(here.house)

            async def opens(key: str, **more: Any) -> Any:
                command = c.OpenTable(BOOK, practice=True, **more)
                return await rooms.open_table("ann", command, key, "", "192.0.2.1")

            first = await opens("k")
            here.name = first.entry.stream.partition(":")[2]
            await here.do(ann, c.CloseTable("enough"))
            for number in range(3):
                await opens(f"another {number}")
            again = await opens("k")
            assert (again.entry, again.body, again.again) == (first.entry, first.body, True)
            assert await code(opens("k", decision_seconds=7)) == "command/key-reused"
            assert await code(opens("fresh")) == refused
            assert here.house.tables.count(practice=True) == 3

    asyncio.run(story())
