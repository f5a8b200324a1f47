"""Who may act is fenced by the write: what was so when it was asked must be so when it is written.

Two houses on one database stand for two servers; one that has not heard of something yet is given
its old knowledge back.
"""

import asyncio
import itertools
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import PitbossError, Refused
from pitboss.house.books.ledger import chips
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.practice import Practice
from pitboss.house.sessions import Sessions, token_hash
from pitboss.house.storage import codec
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import START, Entry, following
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from tests.helpers import DIAMOND_JO
from tests.passwords import quick_passwords

PASSWORD = "a long enough one"
STAFF: dict[str, tuple[p.Role, ...]] = {
    "admin": ("administrator",),
    "boss": ("administrator",),
    "flo": ("floor-supervisor",),
    "cay": ("cage",),
    "ann": ("player",),
}


class Servers:
    """Two servers of one house, and their people."""

    def __init__(self, where: str) -> None:
        self.a, self.b = House(Store(where)), House(Store(where))
        self._keys = itertools.count()
        self.table = ""

    @property
    def key(self) -> str:
        return f"k{next(self._keys)}"

    async def heard(self) -> None:
        """Wait until each has heard of everything, and has read the tables that it heard of."""
        for house in (self.a, self.b):
            while house.position < house.store.position() or house.live.unseen:
                await asyncio.sleep(0.01)

    async def dismiss(self, name: str, by: str = "admin") -> None:
        await self.a.record(by, name, self.key, p.RolesSet(("guest",), "left us"))

    @asynccontextmanager
    async def stale(self, name: str) -> AsyncIterator[None]:
        """Within, B has not heard of what happens to somebody."""
        await self.b.person(name)
        before = self.b.people._cache._known[name]
        yield
        await self.heard()
        self.b.people._cache._known[name] = before


def attack(where: str, story: Callable[[Servers], Awaitable[None]], guests: int = 0) -> None:
    """Play a story at two servers, with guests; whatever came of it, the audit finds nothing."""

    async def play() -> None:
        servers = Servers(where)
        await servers.a.start()
        await servers.b.start()
        try:
            for name, roles in STAFF.items():
                await servers.a.record("house", name, "", p.PersonAdded(name, roles))
            for number in range(guests):
                added = p.PersonAdded(f"Guest {number}", ("guest",))
                await servers.a.record("house", f"guest-{number}", "", added)
            servers.table, _ = await servers.a.open_table("flo", c.OpenTable(DIAMOND_JO.id), "open")
            await servers.heard()
            await story(servers)
        finally:
            await servers.b.stop()
            await servers.a.stop()

    with quick_passwords():
        asyncio.run(play())
    with Snapshot(where) as snapshot:
        assert audit(snapshot).broken == ""


async def code(asked: Awaitable[Any]) -> str:
    with pytest.raises(Refused) as caught:
        await asked
    return caught.value.refusal.code


def test_h1_nothing_is_written_for_somebody_after_their_role_was_taken_away(where: str) -> None:
    """A hundred commands wait for their turn at a table when the demotion comes."""

    async def story(servers: Servers) -> None:
        async def closes(number: int) -> str:
            limits = c.ChangeLimits(500, 10_000 - 10 * number, "busy")
            try:
                await servers.a.command(servers.table, "flo", limits, servers.key)
            except Refused as refused:
                return refused.refusal.code
            return "done"

        await servers.a.record(
            "admin", "flo", servers.key, p.RolesSet(("shift-manager",), "promoted")
        )
        waiting = [asyncio.create_task(closes(number)) for number in range(100)]
        await asyncio.sleep(0)
        await servers.dismiss("flo")
        said = await asyncio.gather(*waiting)
        entries = list(servers.a.store.everything())
        gone = max(e.position for e in entries if e.stream == "person:flo")
        assert not [e for e in entries if e.actor == "flo" and e.position > gone]
        assert set(said) <= {"done", "role/not-yours"}
        assert "role/not-yours" in said

    attack(where, story)


@pytest.mark.parametrize("what", ["a table", "somebody's record", "a setting"])
def test_h1_a_server_that_has_not_heard_of_it_is_refused_by_the_database(
    where: str, what: str
) -> None:
    async def story(servers: Servers) -> None:
        who = {"a table": "flo", "somebody's record": "cay", "a setting": "boss"}[what]
        async with servers.stale(who):
            await servers.dismiss(who)
        sold = p.ChipsBought(100_000, practice=False, why="cash")
        asked: dict[str, Callable[[], Awaitable[Any]]] = {
            "a table": partial(servers.b.command, servers.table, "flo", c.CloseTable("late"), "k"),
            "somebody's record": partial(servers.b.record, "cay", "ann", "k", sold),
            "a setting": partial(servers.b.change_setting, "boss", "guests", "no", "late", "k"),
        }
        before = servers.b.store.position()
        assert await code(asked[what]()) == "role/not-yours"
        assert servers.b.store.position() == before

    attack(where, story)


@pytest.mark.parametrize("ended", ["signed out", "password set"])
def test_h1_a_session_that_has_ended_elsewhere_does_nothing_more(where: str, ended: str) -> None:
    async def story(servers: Servers) -> None:
        await servers.a.sessions.set_password("house", "flo", PASSWORD)
        session = await servers.a.sessions.login("flo", PASSWORD)
        assert await servers.b.sessions.person(session.token) is not None
        if ended == "signed out":
            await servers.a.sessions.end(session.token)
        else:
            await servers.a.sessions.set_password("admin", "flo", PASSWORD + "!", "k", why="lost")
        hashed = token_hash(session.token)
        closes = servers.b.command(servers.table, "flo", c.CloseTable("late"), "k", session=hashed)
        assert await code(closes) == "session/none"
        assert (await servers.a.table(servers.table)).table.open

    attack(where, story)


def test_h1_a_password_set_elsewhere_ends_what_is_remembered_here_at_once(where: str) -> None:
    async def story(servers: Servers) -> None:
        await servers.a.sessions.set_password("house", "flo", PASSWORD)
        session = await servers.a.sessions.login("flo", PASSWORD)
        assert await servers.b.sessions.person(session.token) is not None
        await servers.a.sessions.set_password("admin", "flo", PASSWORD + "!", "k", why="lost")
        await servers.heard()
        assert await servers.b.sessions.person(session.token) is None

    attack(where, story)


def test_h1_a_session_begun_with_the_old_password_does_not_outlive_it(where: str) -> None:
    """One server looks at the password, the other changes it, and then the session begins."""

    async def story(servers: Servers) -> None:
        await servers.a.sessions.set_password("house", "flo", PASSWORD)
        stored, _ = await servers.a.sessions._verify("flo", PASSWORD)
        await servers.b.sessions.set_password("admin", "flo", PASSWORD + "!", "k", why="lost")
        session = await servers.a.sessions.begin("flo", stored)
        for house in (servers.a, servers.b):
            assert await house.sessions.person(session.token) is None
        hashed = token_hash(session.token)
        closes = servers.a.command(servers.table, "flo", c.CloseTable("late"), "k", session=hashed)
        assert await code(closes) == "session/none"

    attack(where, story)


def test_h1_a_session_whose_time_is_over_does_nothing_more(where: str) -> None:
    async def story(servers: Servers) -> None:
        await servers.a.sessions.set_password("house", "flo", PASSWORD)
        session = await servers.a.sessions.login("flo", PASSWORD)
        over = "UPDATE sessions SET ends = 1 WHERE person = ?"
        servers.a.store.execute((over, ("flo",)))
        hashed = token_hash(session.token)
        closes = servers.a.command(servers.table, "flo", c.CloseTable("late"), "k", session=hashed)
        assert await code(closes) == "session/none"

    attack(where, story)


def test_h1_a_sign_out_at_the_worst_moment_hurts_nobody_else(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes after the store has looked what is stale, and before it writes the others."""

    async def story(servers: Servers) -> None:
        store, now = servers.a.store, servers.a.clock()
        ((*before,),) = store.rows("SELECT position, whole FROM head")
        tokens = [f"{name}-session" for name in ("ann", "flo", "cay")]
        begin = "INSERT INTO sessions VALUES (?, ?, ?, '')"
        store.execute(*((begin, (each, each[:3], now + 10**6)) for each in tokens[1:]))
        looks = store.database.stale
        looked: list[set[tuple[str, int]]] = []

        def signs_out(cursor: Any, batch: dict[str, str]) -> set[tuple[str, int]]:
            found = looks(cursor, batch)
            if not looked:
                servers.b.store.execute(("DELETE FROM sessions WHERE token = ?", (tokens[1],)))
            looked.append(found)
            return found

        monkeypatch.setattr(store.database, "stale", signs_out)
        drafts = [
            EntryDraft(
                following(f"test:{each}", 0, START, at=now, actor="house", key="", body="{}"),
                session=each,
            )
            for each in tokens
        ]
        work = [(draft, Future[Any]()) for draft in drafts]
        store._head = (0, "")  # as if another had written last
        connection, done = await asyncio.to_thread(store._commit, None, work)
        connection.close()
        kinds = [type(result) for _, result in done]
        assert kinds == [Refused, Refused, Entry]
        assert len(looked) == 2
        sql = "DELETE FROM journal WHERE stream LIKE 'test:%'", ()
        head = "UPDATE head SET position = ?, whole = ?", before
        store.execute(sql, head)

    attack(postgres, story)


def test_a_password_is_changed_whatever_else_happens_to_that_person(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(servers: Servers) -> None:
        doors = servers.a.sessions
        await doors.set_password("house", "ann", PASSWORD)
        hashes = doors._secret

        async def slowly(*new: Any, **how: Any) -> Any:
            await Practice(servers.b).fill_up("ann", "f")
            return await hashes(*new, **how)

        monkeypatch.setattr(doors, "_secret", slowly)
        await doors.change_password("ann", PASSWORD, "another long one")
        assert (await doors.login("ann", "another long one")).person == "ann"

    attack(where, story)


def test_adding_somebody_twice_with_one_key_is_the_same_whatever_they_start_with(
    where: str,
) -> None:
    async def story(servers: Servers) -> None:
        add = servers.a.sessions.add
        await add("admin", "zoe", ("player",), PASSWORD, "k")
        await servers.a.change_setting("admin", "guest-play-chips", "5.00", "thrift", "s")
        assert (await add("admin", "zoe", ("player",), PASSWORD, "k")).id == "zoe"

    attack(where, story)


@pytest.mark.parametrize("other", ["another administrator", "a guest"])
def test_a_name_is_given_once_however_long_its_password_takes(
    where: str, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    async def story(servers: Servers) -> None:
        doors = servers.a.sessions
        hashes, guest = doors._secret, await doors.guest()

        async def first(*new: Any, **how: Any) -> Any:
            monkeypatch.setattr(doors, "_secret", hashes)
            if other == "a guest":
                await doors.keep(guest.person, "zoe", PASSWORD)
            else:
                await doors.add("boss", "zoe", ("dealer",), PASSWORD, "k")
            return await hashes(*new, **how)

        monkeypatch.setattr(doors, "_secret", first)
        added = doors.add("admin", "zoe", ("cage",), "another long one", "k")
        assert await code(added) == "person/taken"
        assert len(servers.a.store.entries("person:zoe")) == 1
        zoe = await servers.a.people.known_as("zoe")
        assert zoe.roles == (("guest",) if other == "a guest" else ("dealer",))

    attack(where, story)


def test_h8_two_administrators_who_dismiss_each_other_are_not_both_gone(where: str) -> None:
    async def story(servers: Servers) -> None:
        none = p.RolesSet(("player",), "a quarrel")
        said = await asyncio.gather(
            servers.a.record("admin", "boss", "k", none),
            servers.b.record("boss", "admin", "k", none),
            return_exceptions=True,
        )
        assert sorted(isinstance(each, Refused) for each in said) == [False, True]
        await servers.heard()
        roles = {name: (await servers.a.person(name)).roles for name in ("admin", "boss")}
        assert sorted("administrator" in each for each in roles.values()) == [False, True]

    attack(where, story)


def test_h8_the_consoles_secret_leads_back_in_whatever_became_of_the_role(where: str) -> None:
    async def story(servers: Servers) -> None:
        await servers.dismiss("admin", by="boss")
        secret = await servers.a.sessions.new_secret()
        await servers.a.sessions.change_password("admin", secret, PASSWORD)
        session = await servers.a.sessions.login("admin", PASSWORD)
        admin = await servers.a.sessions.person(session.token)
        assert admin is not None
        assert "administrator" in admin.roles

    attack(where, story)


def test_m8_a_password_is_not_changed_without_its_entry(quick_path: Path) -> None:
    where = str(quick_path / "house.db")

    async def story(servers: Servers) -> None:
        await servers.a.sessions.set_password("house", "cay", PASSWORD)
        with sqlite3.connect(where) as connection:
            connection.execute(
                "CREATE TRIGGER fails BEFORE INSERT ON journal"
                " BEGIN SELECT RAISE(ABORT, 'the power went out'); END"
            )
        with pytest.raises((PitbossError, AssertionError)):
            await servers.a.sessions.set_password("admin", "cay", "another one", "k", why="lost")
        with sqlite3.connect(where) as connection:
            connection.execute("DROP TRIGGER fails")
        session = await servers.a.sessions.login("cay", PASSWORD)
        assert session.person == "cay"

    attack(where, story)


def test_l2_the_same_key_with_another_password_is_refused(where: str) -> None:
    async def story(servers: Servers) -> None:
        doors = servers.a.sessions
        for what in ("set", "add"):
            await _password(doors, what, PASSWORD)
            await _password(doors, what, PASSWORD)  # as one that was sent twice
            other = _password(doors, what, "another long one")
            assert await code(other) == "command/key-reused"

    attack(where, story)


def test_l2_a_password_that_another_followed_was_set_all_the_same(where: str) -> None:
    """Two administrators help one person, at once or one after the other: neither is refused."""

    async def story(servers: Servers) -> None:
        for what, name in (("set", "cay"), ("add", "zoe")):
            await _password(servers.a.sessions, what, PASSWORD)
            await servers.b.sessions.set_password("boss", name, "another long one", "k", once=True)
            await _password(servers.a.sessions, what, PASSWORD)

    attack(where, story)


async def _password(doors: Sessions, what: str, password: str) -> None:
    if what == "set":
        await doors.set_password("admin", "cay", password, "k", once=True, why="lost")
    else:
        await doors.add("admin", "zoe", ("player",), password, "add")


def test_a_key_that_was_used_is_answered_though_the_role_is_gone(where: str) -> None:
    async def story(servers: Servers) -> None:
        sold = p.ChipsBought(100_000, practice=False, why="cash")
        first = await servers.a.record("cay", "ann", "k", sold)
        changed = await servers.a.change_setting("boss", "guests", "no", "closed", "k")
        closed = await servers.a.command(servers.table, "flo", c.CloseTable("late"), "k")
        for name in ("cay", "boss", "flo"):
            await servers.dismiss(name)
        assert await servers.a.record("cay", "ann", "k", sold) == first
        again = await servers.a.change_setting("boss", "guests", "no", "closed", "k")
        assert again == changed
        repeated = await servers.a.command(servers.table, "flo", c.CloseTable("late"), "k")
        assert (repeated.entry, repeated.again) == (closed.entry, True)

    attack(where, story)


def test_l9_play_chips_are_filled_up_once_however_many_servers_are_asked(where: str) -> None:
    async def story(servers: Servers) -> None:
        both = (Practice(servers.a), Practice(servers.b))
        fills = (each.fill_up("ann", f"f{n}") for n in range(5) for each in both)
        await asyncio.gather(*fills)
        assert servers.a.store.balance(chips("ann", practice=True)) == 100_000

    attack(where, story)


def test_m2_a_table_of_play_chips_never_becomes_one_of_real_chips(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever name a key leads to: here every key leads to the same."""

    async def story(servers: Servers) -> None:
        monkeypatch.setattr(codec, "short_name", lambda _: "collision")
        opens = c.OpenTable(DIAMOND_JO.id, practice=True)
        name, _ = await servers.a.open_table("flo", opens, "k1")
        await servers.a.command(name, "flo", c.CloseTable("done"), "k2")
        real = servers.a.open_table("flo", c.OpenTable(DIAMOND_JO.id), "k3")
        assert await code(real) == "table/other-money"

    attack(where, story)
