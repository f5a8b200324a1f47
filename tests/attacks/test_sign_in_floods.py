"""Nobody keeps anybody else from signing in, however often they try."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pitboss.errors import Refused
from pitboss.house import password_queue
from pitboss.house.password_queue import PasswordQueue
from tests.attacks.test_fences import PASSWORD, code
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.passwords import quick_passwords
from tests.web.api.test_routes import is_problem
from tests.web.open_house import Caller, process, thread

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
MINUTE, DAY = 60_000, 24 * 60 * 60_000


def door(where: str, story: Callable[[ClockedHouse], Awaitable[None]]) -> None:
    """Ann has a password; somebody at the door means ill."""

    async def play() -> None:
        async with clocked_house(where) as here:
            await here.person("ann", "player")
            await here.sessions.set_password("house", "ann", PASSWORD)
            await story(here)

    with quick_passwords():
        asyncio.run(play())


def test_m3_wrong_passwords_lock_the_address_and_not_the_name(where: str) -> None:
    async def story(here: ClockedHouse) -> None:
        login = here.sessions.login
        for _ in range(3):
            assert await code(login("ann", "wrong", HERE)) == "login/wrong"
        assert await code(login("ann", PASSWORD, HERE)) == "login/locked"
        assert await code(here.sessions.change_password("ann", PASSWORD, "another one", HERE)) == (
            "login/locked"
        )
        assert (await login("ann", PASSWORD, ELSEWHERE)).person == "ann"
        # That Ann is in forgives nobody else.
        assert await code(login("ann", PASSWORD, HERE)) == "login/locked"

    door(where, story)


def test_m3_a_lock_grows_with_tries_and_ends(where: str) -> None:
    async def story(here: ClockedHouse) -> None:
        login = here.sessions.login
        for _ in range(2):
            assert await code(login("ann", "wrong", HERE)) == "login/wrong"
        for minutes in (1, 2, 4, 8, 16, 30, 30):
            assert await code(login("ann", "wrong", HERE)) == "login/wrong"
            here.at += minutes * MINUTE - 1
            assert await code(login("ann", PASSWORD, HERE)) == "login/locked"
            here.at += 1
        assert (await login("ann", PASSWORD, HERE)).person == "ann"
        # And the right password makes the count begin anew, as does a day.
        for wait in (0, DAY):
            here.at += wait
            for _ in range(2):
                assert await code(login("ann", "wrong", HERE)) == "login/wrong"
        assert (await login("ann", PASSWORD, HERE)).person == "ann"
        assert here.house.store.rows("SELECT COUNT(*) FROM failures") == [(0,)]

    door(where, story)


def test_m3_a_one_time_secret_is_never_locked(where: str) -> None:
    async def story(here: ClockedHouse) -> None:
        doors = here.sessions
        await doors.first_administrator()
        for _ in range(8):
            assert await code(doors.login("admin", "wrong", HERE)) == "login/wrong"
        secret = await doors.new_secret()
        for _ in range(8):
            assert await code(doors.login("admin", "wrong", HERE)) == "login/wrong"
        assert await code(doors.login("admin", secret, HERE)) == "login/one-time"
        await doors.change_password("admin", secret, PASSWORD, HERE)
        assert (await doors.login("admin", PASSWORD, HERE)).person == "admin"

    door(where, story)


class Crowd:
    """People who all want a password looked at, and for whom it takes until we say so."""

    def __init__(self) -> None:
        self.queue, self.over = PasswordQueue(), asyncio.Event()
        self.working: list[str] = []
        self.most = 0
        self.refused: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self, *several: str, staff: bool = False) -> None:
        self._tasks += [asyncio.create_task(self._one(each, staff=staff)) for each in several]
        for _ in range(5):
            await asyncio.sleep(0)

    async def _one(self, who: str, *, staff: bool) -> None:
        try:
            async with self.queue.turn(who, staff=staff):
                self.working.append(who)
                self.most = max(self.most, len(self.working))
                await self.over.wait()
                self.working.remove(who)
        except Refused:
            self.refused.append(who)

    async def leave(self) -> None:
        self.over.set()
        await asyncio.gather(*self._tasks)
        assert not self.working
        assert self.most <= 2


def test_m11_one_address_neither_fills_the_queue_nor_works_on_two() -> None:
    async def story() -> None:
        crowd = Crowd()
        await crowd.come(*[HERE] * 30)
        assert (crowd.working, len(crowd.refused)) == ([HERE], 30 - password_queue.MOST_EACH)
        await crowd.come(ELSEWHERE)
        assert crowd.working == [HERE, ELSEWHERE]
        await crowd.leave()
        await crowd.come(HERE)  # all are forgotten
        assert len(crowd.refused) == 30 - password_queue.MOST_EACH

    asyncio.run(story())


def test_m11_the_queue_is_bounded_and_staff_has_room_in_it() -> None:
    async def story() -> None:
        crowd = Crowd()
        many = [f"192.0.2.{number}" for number in range(password_queue.MOST + 10)]
        await crowd.come(*many)
        assert crowd.refused == many[-10:]
        await crowd.come("admin", staff=True)
        assert crowd.refused == many[-10:]
        await crowd.leave()

    asyncio.run(story())


def test_m11_whoever_is_turned_away_is_told_to_come_back(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with thread(quick_path) as house:
        monkeypatch.setattr(password_queue, "MOST", 0)
        asked = {"name": "admin", "password": "wrong-password"}
        answer = house.caller()("POST", "/api/sessions", asked)
        is_problem(answer, 503, "login/busy")
        assert answer.headers["retry-after"] == "1"
        assert house.guest()("GET", "/api/me").status == 200


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no socket has both kinds here")
def test_m11_a_proxy_on_this_machine_is_believed_on_a_socket_for_all_addresses(
    tmp_path: Path,
) -> None:
    """There it comes as ::ffff:127.0.0.1; where it was not believed, one visitor's wrong passwords
    kept out everybody else's."""
    with process(tmp_path, "--host", "::") as house:
        assert house.address.startswith("http://[::]:")
        wrong = {"name": "nobody", "password": "wrong-password"}
        for host in ("127.0.0.1", "[::1]"):
            address = house.address.replace("[::]", host)
            one, another = Caller(address), Caller(address)
            said = [one("POST", "/api/sessions", wrong).code for _ in range(4)]
            assert said == ["login/wrong"] * 3 + ["login/locked"]
            assert another("POST", "/api/sessions", wrong).code == "login/wrong"
            secure = another("POST", "/api/guests", headers={"X-Forwarded-Proto": "https"})
            assert secure.headers["set-cookie"].startswith("__Host-")
