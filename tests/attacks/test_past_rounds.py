"""Looking at past rounds is bounded work, on every database: H3 and M5."""

import asyncio
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pitboss.house import replay
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from tests.attacks.test_fences import Servers, attack
from tests.attacks.test_floods import opens
from tests.web.open_house import Caller, Visited, thread


def test_h3_bets_that_were_taken_back_cost_a_look_at_past_rounds_nothing(where: str) -> None:
    async def story(servers: Servers) -> None:
        house = servers.a
        done = await opens(house, "guest-0", "o", practice=True, betting_seconds=600)
        table = done.entry.stream.partition(":")[2]
        do = partial(house.command, table, "guest-0")
        await house.record("guest-0", "guest-0", "", p.ChipsBought(1_000_000, practice=True))
        await do(c.Sit(1), "sit")
        await do(a.Bet(1, {"ante": 500}), "b", "1.bet")
        await do(a.Fold(1, confirmed=True), "f", (await house.table(table)).table.moment)
        await house.enter(await house.invite(table, "guest-0"), "guest-1")
        await house.command(table, "guest-1", c.Sit(2), "sit")  # whose bet is waited for
        looks(house, table)  # the rules are read once for all
        before = looks(house, table)
        for number in range(200):
            bet = a.Bet(1, {} if number % 2 else {"ante": 500})
            await do(bet, f"b{number}", "2.bet")
        assert looks(house, table) == before
        assert before[0] == [f"{table}-1"]
        assert before[1] < 20

    attack(where, story, guests=2)


def looks(house: House, table: str) -> tuple[list[str], int]:
    """Look at somebody's rounds: which there are, and how many rows were read for all of them."""
    archive, read = house.archive, 0
    rows = archive._rows

    def counted(sql: str, values: Any) -> list[tuple[Any, ...]]:
        nonlocal read
        found = rows(sql, values)
        read += len(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "_rows", counted)
        listed = [each.round for each in replay.played(archive, "guest-0")]
        for name in listed:
            assert replay.past(archive, name, "guest-0").round.startswith(table)
    return listed, read


def test_h3_a_visitor_looks_at_one_thing_at_a_time(
    house: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert house.web is not None
    now, most, look = 0, 0, house.web.house.look

    async def counted(*asked: Any) -> Any:
        nonlocal now, most
        now += 1
        most = max(now, most)
        try:
            await asyncio.sleep(0.05)  # so that others could come in between
            return await look(*asked)
        finally:
            now -= 1

    ann, bob = house.guest(), house.guest()
    monkeypatch.setattr(house.web.house, "look", counted)

    def rush(*several: Caller) -> int:
        nonlocal most
        most = 0
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(each, "GET", "/api/me") for each in several]
            assert {each.result().status for each in asked} == {200}
        return most

    assert rush(*[ann] * 8) == 1
    assert rush(*[ann, bob] * 4) == 2


def test_h3_what_visitors_look_at_keeps_no_session_and_no_command_waiting(where: str) -> None:
    """All threads and the connection of those who look are busy, and the house goes on."""

    async def story(servers: Servers) -> None:
        house, over = servers.a, threading.Event()

        def endless() -> None:
            with house.archive._reader.connection():
                assert over.wait(20)

        looking = [asyncio.create_task(house.look(endless)) for _ in range(20)]
        await asyncio.sleep(0.05)
        try:
            session = await house.sessions.guest()
            assert await house.sessions.person(session.token) is not None
            done = await opens(house, session.person, "k", practice=True)
            assert not done.again
            assert not any(each.done() for each in looking)
        finally:
            over.set()
        await asyncio.gather(*looking)

    attack(where, story)


def test_m5_a_percent_sign_is_one_on_every_database(where: str) -> None:
    store = Store(where)
    assert store.rows("SELECT 'ann' LIKE 'a%' AND 5 % 3 = 2, ?", "%s")[0][1] == "%s"
    store.close()


def test_m5_the_pages_of_past_rounds_are_there_on_every_database(
    where: str, quick_path: Path
) -> None:
    with thread(quick_path, where=where) as house:
        ann = house.guest()
        table = ann.open()
        assert ann.do(table, "sit", seat=1).status == 200
        cookie = {"Cookie": f"pitboss={ann.token}", "Authorization": ""}
        for number in range(1, 23):  # more than a page of them
            assert ann.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
            assert ann.do(table, "fold", seat=1, confirmed=True).status == 200
            assert ann("GET", f"/api/rounds/{table}-{number}").status == 200
        listed = ann("GET", "/rounds", headers=cookie)
        assert listed.status == 200
        assert set(re.findall(rf"/rounds/{table}-(\d+)", listed.raw.decode())) == {
            str(number) for number in range(3, 23)
        }
        [before] = re.findall(r"before=([^\"&]+)", listed.raw.decode())
        rest = ann("GET", f"/rounds?before={before}", headers=cookie)
        assert set(re.findall(rf"/rounds/{table}-(\d+)", rest.raw.decode())) == {"1", "2"}
        assert ann("GET", f"/rounds/{table}-7", headers=cookie).status == 200
        coached = {**cookie, "Cookie": f"{cookie['Cookie']}; coach=show"}
        assert ann("GET", f"/tables/{table}", headers=coached).status == 200
