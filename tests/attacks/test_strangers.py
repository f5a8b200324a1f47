"""What strangers may neither see nor hold up, and a session that no neighbour can plant."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pitboss import round as rounds
from pitboss.house.people import persons as p
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from tests.attacks.test_fences import Servers, attack, code
from tests.helpers import MISSISSIPPI
from tests.web.api.test_routes import is_problem
from tests.web.conftest import Staff, administrator
from tests.web.mischief import dealt, two_at_a_table
from tests.web.open_house import Answer, Caller, thread

# L1: past rounds ----------------------------------------------------------------------------------


def test_l1_the_api_shows_no_round_that_the_page_hides(quick_path: Path) -> None:
    with thread(quick_path) as house:
        walt = Staff(house, administrator(house))("walt", "surveillance")
        ann, bob, table = two_at_a_table(house)
        for _ in range(2):
            dealt(ann, bob, table)
            for seat, each in enumerate((ann, bob), start=1):
                assert each.do(table, "fold", seat=seat, confirmed=True).status == 200
        carl = house.guest()

        def by_page(who: Caller, number: int) -> int:
            headers = {"Cookie": f"pitboss={who.token}", "Authorization": ""}
            return who("GET", f"/rounds/{table}-{number}", headers=headers).status

        for who, number, status in (
            *((each, number, 200) for each in (ann, bob, walt) for number in (1, 2)),
            (carl, 2, 200),  # it lies on the felt
            (carl, 1, 404),
            (carl, 3, 404),
            (ann, 3, 404),
        ):
            answer = who("GET", f"/api/rounds/{table}-{number}")
            assert (answer.status, by_page(who, number)) == (status, status)
        is_problem(carl("GET", f"/api/rounds/{table}-1"), 404, "round/unknown")
        assert ann.do(table, "close-table").status == 200
        assert carl("GET", f"/api/rounds/{table}-1").status == 404


# L5: seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("practice", [True, False])
def test_l5_a_practice_table_does_not_wait_for_whoever_was_sent_away(
    where: str, practice: bool
) -> None:
    async def story(servers: Servers) -> None:
        house = servers.a
        for name in ("ann", "ben"):
            if name == "ben":
                await house.record("house", name, "", p.PersonAdded(name, ("player",)))
            await house.record("house", name, "", p.ChipsBought(100_000, practice=True))
            await house.record("cay", name, "", p.ChipsBought(100_000, practice=False, why="cash"))
        owner = "ann" if practice else "flo"
        opened = c.OpenTable(MISSISSIPPI.id, practice=practice, decision_seconds=600)
        table, _ = await house.open_table(owner, opened, "o")

        async def do(who: str, command: Any) -> Any:
            moment = (await house.table(table)).table.moment
            return await house.command(table, who, command, servers.key, moment)

        async def due() -> tuple[int, ...]:
            live = await house.table(table)
            return tuple(rounds.due(live.book, live.table.round))

        for seat, name in ((1, "ann"), (2, "ben")):
            await do(name, c.Sit(seat))
        for seat, name in ((1, "ann"), (2, "ben")):
            await do(name, a.Bet(seat, {"ante": 500}))
        await do("ann", a.Raise(1, 1))
        assert await due() == (2,)
        await do(owner, c.FreeSeat(2, "ben", "does not decide"))
        if not practice:  # real chips lie there, and their owner decides
            assert await due() == (2,)
            await do("ben", a.Raise(2, 1))
            assert await due() == (1, 2)
            return
        assert await due() == (1,)
        for _ in range(2):
            assert await due() == (1,)
            await do("ann", a.Raise(1, 1))
        after = (await house.table(table)).table
        assert (after.last and after.last.round, list(after.sitters)) == (1, [1])

    attack(where, story)


# L6: bots -----------------------------------------------------------------------------------------


def test_l6_no_bot_sits_where_people_enter_the_cards(where: str) -> None:
    async def story(servers: Servers) -> None:
        opened = partial(c.OpenTable, MISSISSIPPI.id, practice=True)
        for dealing in ("automatic", "dealer"):
            table, _ = await servers.a.open_table("guest-0", opened(dealing=dealing), servers.key)
            await servers.a.command(table, "guest-0", c.SeatBot(1), servers.key)
        table, _ = await servers.a.open_table("guest-0", opened(dealing="entered"), servers.key)
        seats = servers.a.command(table, "guest-0", c.SeatBot(1), servers.key)
        assert await code(seats) == "bot/real-cards"

    attack(where, story, guests=1)


# L12: the cookie ----------------------------------------------------------------------------------


def test_l12_over_https_no_other_host_of_the_domain_can_plant_a_session(quick_path: Path) -> None:
    with thread(quick_path) as house:

        def enters(scheme: str) -> Answer:
            caller = house.caller()
            return caller("POST", "/api/guests", headers={"X-Forwarded-Proto": scheme})

        def me(scheme: str, cookie: str) -> int:
            headers = {"X-Forwarded-Proto": scheme, "Cookie": cookie}
            return house.caller()("GET", "/api/me", headers=headers).status

        safe, plain = enters("https"), enters("http")
        token = safe.json["token"]
        cookie = safe.headers["set-cookie"]
        assert cookie.startswith(f"__Host-pitboss={token}; ")
        parts = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"secure", "httponly", "path=/", "samesite=strict"} <= parts
        assert not any(part.startswith("domain") for part in parts)
        assert plain.headers["set-cookie"].startswith(f"pitboss={plain.json['token']}; ")
        assert me("https", f"__Host-pitboss={token}") == 200
        assert me("https", f"pitboss={token}") == 401
        assert me("https", f"__Host-pitboss={token}; pitboss={plain.json['token']}") == 200
        assert me("http", f"pitboss={token}") == 200
        headers = {
            "X-Forwarded-Proto": "https",
            "Cookie": f"__Host-pitboss={token}",
            "X-CSRF-Token": safe.json["csrf"],
        }
        gone = house.caller()("DELETE", "/api/sessions", headers=headers)
        assert gone.status == 204
        assert gone.headers["set-cookie"].startswith('__Host-pitboss=""; ')
        assert "Secure" in gone.headers["set-cookie"]
