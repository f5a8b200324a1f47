"""What strangers may neither see nor hold up, and a session that no neighbour can plant."""

import asyncio
import resource
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pitboss import round as rounds
from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house.people import persons as p
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.web import streams
from tests.attacks.test_fences import Servers, attack, code
from tests.faults.servers import Server
from tests.helpers import MISSISSIPPI
from tests.web.api.test_routes import is_problem
from tests.web.conftest import Staff, administrator
from tests.web.mischief import dealt, eventually, two_at_a_table
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
        carl, eve = house.guest().come(table), house.guest()

        def by_page(who: Caller, number: int) -> int:
            headers = {"Cookie": f"pitboss={who.token}", "Authorization": ""}
            return who("GET", f"/rounds/{table}-{number}", headers=headers).status

        for who, number, status in (
            *((each, number, 200) for each in (ann, bob, walt) for number in (1, 2)),
            (carl, 2, 200),  # it lies on the felt
            (eve, 2, 404),  # she was not invited
            (carl, 1, 404),
            (carl, 3, 404),
            (ann, 3, 404),
        ):
            answer = who("GET", f"/api/rounds/{table}-{number}")
            assert (answer.status, by_page(who, number)) == (status, status)
        is_problem(carl("GET", f"/api/rounds/{table}-1"), 404, "round/unknown")
        assert ann.do(table, "close-table").status == 200
        assert carl("GET", f"/api/rounds/{table}-1").status == 404


def test_l1_nor_does_a_stream_that_is_resumed(quick_path: Path) -> None:
    """At a table with real chips: who sees a practice table was invited there."""
    with thread(quick_path) as house:
        staff = Staff(house, administrator(house))
        flo, pat, eve = staff("flo", "floor-supervisor"), staff("pat", "player"), house.guest()
        sale = {"action": "sell-chips", "cents": 100_000, "why": "to play"}
        sold = staff("cay", "cage")("POST", "/api/people/pat", {"key": "1", "command": sale})
        assert sold.status == 200
        table = flo.open(practice=False)
        path = f"/api/tables/{table}/events"

        def told(who: Caller, after: int) -> bool:
            stream = who.stream(path, after)
            assert stream.until(b"data: ")
            stream.close()
            return streams.RESET not in stream.raw

        assert pat.do(table, "sit", seat=1).status == 200
        assert told(eve, 0)  # of what is no round that is over
        for number in (1, 2):
            bet = pat.do(table, "bet", f"{number}.bet", seat=1, wagers={"ante": 500})
            assert bet.status == 200
            moment = pat.view(table)["moment"]
            assert pat.do(table, "fold", moment, seat=1, confirmed=True).status == 200
        first = flo("GET", f"/api/rounds/{table}-2").json["notices"][0]["seq"]
        assert [told(who, 1) for who in (flo, pat, eve)] == [True, True, False]
        assert [told(eve, after) for after in (0, first - 2, first - 1)] == [False, False, True]
        zoe = staff("zoe", "player")
        assert zoe.do(table, "sit", seat=2).status == 200
        assert [told(zoe, after) for after in (0, 1, first - 1)] == [False, False, True]
        assert told(pat, 1), "who sat there then"
        assert flo.do(table, "close-table").status == 200
        assert not told(eve, first)
        assert told(flo, 0)


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

        if practice:
            await house.enter(await house.invite(table, "ann"), "ben")
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


# L3: whether the house is ready -------------------------------------------------------------------


def test_l3_a_house_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    """No file of the server's may grow for a while, as on a disk that is full."""
    server = Server(str(tmp_path / "house.db"), tmp_path)

    def answers(status: int) -> bool:
        return Caller(server.url)("GET", "/health").status == status

    def files_grow(most: int) -> None:
        limits = (most, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)

    try:
        eventually(lambda: answers(200), 20)
        files_grow(1)
        eventually(lambda: answers(503), 20)
        files_grow(resource.RLIM_INFINITY)
        eventually(lambda: answers(200), 20)
    finally:
        server.stop()


def test_l3_many_who_ask_whether_it_is_ready_make_one_try(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(servers: Servers) -> None:
        house, tries = servers.a, 0
        tried = house.store.try_writing

        def counted() -> None:
            nonlocal tries
            tries += 1
            tried()

        monkeypatch.setattr(house.store, "try_writing", counted)
        before = house.store.rows("SELECT position, whole FROM head")
        await asyncio.gather(*(house.ready() for _ in range(50)))
        assert tries == 1
        assert house.store.rows("SELECT position, whole FROM head") == before

    attack(where, story)


# L4: guests ---------------------------------------------------------------------------------------


def test_l4_of_guests_who_only_look_nothing_is_left(where: str, quick_path: Path) -> None:
    with thread(quick_path, where=where) as house:
        assert house.web is not None
        store = house.web.house.store
        before = store.position()
        guests = [house.guest() for _ in range(20)]
        table = guests[0].open()
        assert store.position() == before + 2  # the one who did something, and what they did
        for each in guests:
            me = each("GET", "/api/me").json
            assert me["person"]["roles"] == ["guest"]
            assert me["play_cents"] == 100_000
            status = 200 if each is guests[0] else 404
            assert each("GET", f"/api/tables/{table}").status == status
        is_problem(guests[2].do("nowhere", "leave", "1.bet"), 404, "table/unknown")
        assert guests[3]("DELETE", "/api/sessions").status == 204
        assert store.position() == before + 2
        # And each plays at once who wants to.
        assert guests[1].do(table, "sit", seat=2).status == 200
        assert guests[1].do(table, "bet", seat=2, wagers={"ante": 500}).status == 200
        assert guests[1]("GET", "/api/me").json["play_cents"] == 99_500
        filled = guests[4]("POST", "/api/me/play-chips", {"key": "f"}).json
        assert filled["play_cents"] == 100_000
        streams = [entry.stream for entry in store.everything() if entry.position > before]
        people = {each for each in streams if each.startswith("person:")}
        assert people == {f"person:{guests[n].person}" for n in (0, 1)}, "4 has play chips anyway"
    with Snapshot(where) as moment:
        assert audit(moment).broken == ""


def test_l4_of_guests_who_were_only_refused_nothing_is_left(where: str, quick_path: Path) -> None:
    with thread(quick_path, where=where) as house:
        assert house.web is not None
        store = house.web.house.store
        flo = Staff(house, administrator(house))("flo", "floor-supervisor")
        real, private = flo.open(practice=False), house.guest().open()
        sit, leave = {"action": "sit", "seat": 1}, {"action": "leave"}
        opens = {"action": "open-table", "rulebook": MISSISSIPPI.id}
        before = store.position()
        for path, body, wrong in (
            (f"/api/tables/{real}", {"key": "k", "command": leave}, "seat/none"),
            (f"/api/tables/{real}", {"key": "k", "command": sit}, "person/play-chips"),
            (f"/api/tables/{private}", {"key": "k", "command": leave}, "table/unknown"),
            (f"/api/tables/{private}/invitations", None, "table/unknown"),
            ("/api/tables", {"key": "k", "command": opens}, "role/not-yours"),
            ("/api/me/name", {"name": "flo", "password": "a long password"}, "person/taken"),
        ):
            assert house.guest()("POST", path, body).code == wrong
        assert store.position() == before
        ann = house.guest()
        assert ann("POST", f"/api/tables/{real}", {"key": "k", "command": leave}).status == 409
        ann.open()
        assert store.position() == before + 2
    with Snapshot(where) as moment:
        assert audit(moment).broken == ""


def test_l4_a_guest_whom_the_other_server_wrote_down_is_no_newcomer(where: str) -> None:
    async def story(servers: Servers) -> None:
        name = "guest-late"
        async with servers.stale(name):
            await servers.a.sessions.join(name)
            await servers.a.record("admin", name, servers.key, p.RolesSet(("player",), "known now"))
        await servers.b.command(servers.table, name, c.Sit(1), servers.key)
        assert (await servers.b.table(servers.table)).table.seat_of(name) == 1

    attack(where, story)


def test_l4_the_answer_to_a_guests_first_act_says_who_they_are(quick_path: Path) -> None:
    with thread(quick_path) as house:
        ann = house.guest()
        answers = (
            ann("GET", "/api/me"),
            ann("POST", "/api/me/play-chips", {"key": "join"}),
            ann("GET", "/api/me"),
        )
        known = [each.json["person"] for each in answers]
        assert [each["roles"] for each in known] == [["guest"]] * 3
        assert known[0]["name"] == known[1]["name"] == known[2]["name"] != ""
