"""People: who may do what, who may sit, and how they show that it is they."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from argon2 import PasswordHasher

import pitboss
from pitboss.errors import Refused, Unreadable
from pitboss.house.people import permissions, sessions
from pitboss.house.people import persons as p
from pitboss.house.people.sessions import CACHE_MS, LOCKED_MS, Sessions
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.store import EntryDraft
from pitboss.house.table import commands as c
from pitboss.house.table.unit_of_work import OWNER
from pitboss.round import actions as a
from pitboss.settle import Player
from pitboss.web.api import people
from tests.helpers import DIAMOND_JO, tags
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.house.table.test_anybody_at_a_table import anything


@pytest.fixture(autouse=True)
def _quick_passwords(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Argon2 with next to no work; the tests of the web pay its full price."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(sessions, "_hasher", lambda: quick)
    sessions._nobody.cache_clear()
    yield
    sessions._nobody.cache_clear()


# The permission matrix ------------------------------------------------------------------------

PLAY = {"sit", "leave", "sit-out", "sit-in", "bet", "raise", "fold", "check", "take-back"}
PLAY |= {"open-practice", "play-chips"}
DEAL = {"start-dealing", "stop-dealing", "open-betting", "close-bets"}
DEAL |= {"deal", "turn", "light", "pay"}
RULE = {"accept-late", "kill-hand", "call-misdeal", "let-stand", "approve-payoff"}
RULE |= {"inspect-cards", "replace-card", "watch-floor"}
FLOOR = {"open-table", "close-table", "seat-bot", "mark-partners", "bring-cards", "wash-cards"}
FLOOR |= {"bar", "see-people", "free-seat"}

MATRIX = {
    "guest": PLAY,
    "player": PLAY,
    "dealer": PLAY | DEAL | RULE | {"wash-cards"},
    "floor-supervisor": PLAY | RULE | FLOOR,
    "shift-manager": PLAY | RULE | FLOOR | {"change-limits", "release-held", "identify"},
    "surveillance": PLAY | RULE | {"bar", "see-people"},
    "cage": PLAY | {"sell-chips", "cash-chips", "see-people", "identify"},
    "general-manager": PLAY | RULE | FLOOR | {"change-limits", "change-setting", "adopt-rulebook"},
    "director-of-table-games": PLAY | RULE | FLOOR | {"change-limits", "adopt-rulebook"},
    "auditor": PLAY | {"watch-floor", "see-people"},
    "administrator": PLAY
    | {"add-person", "set-roles", "set-password", "see-people", "change-setting"}
    | {"adopt-rulebook"},
    "owner": DEAL | {"close-table", "change-limits", "seat-bot", "mark-partners", "free-seat"},
}
"""The same matrix the other way round: what each role may do, said a second time."""

ASKED = re.compile(r'allow\([^"\n]*"([a-z-]+)"(?: if [^"\n]*"([a-z-]+)")?')


def asked_for() -> set[str]:
    """Everything whose permission is asked for, anywhere."""
    source = Path(pitboss.__file__).parent
    texts = [
        path.read_text("utf-8")
        for room in ("house", "web")
        for path in source.glob(f"{room}/**/*.py")
    ]
    named = {act for text in texts for found in ASKED.findall(text) for act in found if act}
    named |= {*permissions.ACTS.values()}
    return named | set(tags(c.Command)) | set(tags(people.PersonAct))


def test_every_act_has_a_row():
    assert {"open-practice", "add-person", "bar", "bet", "call-misdeal"} <= asked_for()
    assert asked_for() <= set(permissions.MAY)


def test_every_row_names_roles_that_exist():
    assert {role for by in permissions.MAY.values() for role in by} <= {*p.ROLES, OWNER}
    assert set(MATRIX) == {*p.ROLES, OWNER}


@pytest.mark.parametrize("role", sorted(MATRIX))
def test_each_role_may_do_this_and_nothing_else(role):
    assert {act for act in permissions.MAY if permissions.may({role}, act)} == MATRIX[role]


def test_nobody_looks_after_their_own_record():
    own = {
        act
        for act in permissions.MAY
        if permissions.may({*p.ROLES}, act) != permissions.may({*p.ROLES}, act, own=True)
    }
    assert own == {"set-roles", "bar", "identify", "sell-chips", "cash-chips", "release-held"}


def test_nobody_may_do_what_has_no_row():
    assert not permissions.may(set(p.ROLES), "tick")
    assert not permissions.may(set(), "sit")


def test_the_matrix_is_asked_for_every_command(quick_path):
    """Each command, asked by somebody of each role that may not: refused, and nothing written."""

    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            boss = await here.person("boss", "shift-manager")
            await here.open(boss, DIAMOND_JO.id)
            people = {role: await here.person(f"a-{role}", role) for role in get_args(p.Role)}
            people["nobody"] = p.Person("nobody")
            live = await here.house.table(here.name)
            kinds = anything(DIAMOND_JO, Random(1))
            for act in tags(c.Command):
                for role, who in people.items():
                    if not permissions.may({role}, act):
                        refusal = await here.refused(who, kinds[act]())
                        assert refusal.code == "role/not-yours"
                        assert refusal.message.startswith(f"{act} is done by ")
            for who in people.values():
                if not permissions.may({*who.roles}, "open-table"):
                    with pytest.raises(Refused, match="open-table is done by"):
                        await here.house.open_table(who.id, c.OpenTable(DIAMOND_JO.id), "k")
            assert await here.house.table(here.name) is live

    asyncio.run(play())


def test_who_opened_a_practice_table_looks_after_it_and_no_other(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            ann = await here.person("ann", "guest")
            bob = await here.person("bob", "guest")
            boss = await here.person("boss", "shift-manager")
            await here.open(ann, DIAMOND_JO.id, practice=True)
            await here.do(ann, c.ChangeLimits(10_00, 50_00, "to learn"))
            assert (await here.refused(bob, c.CloseTable())).code == "role/not-yours"
            await here.do(bob, c.Sit(2))
            await here.do(bob, a.Bet(2, {"ante": 10_00}))
            await here.do(ann, a.CallMisdeal("other", "shift-manager"))
            await here.open(boss, DIAMOND_JO.id)
            misdeal = a.CallMisdeal("other", "shift-manager")
            assert (await here.refused(ann, misdeal)).code == "role/not-yours"

    asyncio.run(play())


def test_privileged_acts_are_recorded_with_who_when_and_why(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            boss = await here.person("boss", "shift-manager")
            await here.open(boss, DIAMOND_JO.id)
            here.at += 5_000
            done = await here.do(boss, c.ChangeLimits(10_00, 50_00, "a busy evening"))
            assert (done.entry.actor, done.entry.at) == ("boss", here.at)
            assert "a busy evening" in done.entry.body
            await here.person("ann", "player")
            entry = await here.house.record("boss", "ann", "k", p.Barred(True, "threw chips"))
            assert (entry.actor, entry.at) == ("boss", here.at)
            assert "threw chips" in entry.body
            await here.person("admin", "administrator")
            await here.house.record("admin", "ann", "k2", p.RolesSet(("guest",), "no more chips"))
            assert (await here.house.person("ann")).roles == ("guest",)

    asyncio.run(play())


def test_a_role_that_is_taken_away_is_gone_at_once(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            boss = await here.person("boss", "shift-manager")
            dan = await here.person("dan", "dealer")
            await here.open(boss, DIAMOND_JO.id, dealing="dealer")
            await here.do(dan, c.StartDealing())
            await here.person("admin", "administrator")
            await here.house.record("admin", "dan", "k", p.RolesSet(("guest",), "left us"))
            dan = await here.house.person("dan")
            assert (await here.refused(dan, c.OpenBetting())).code == "role/not-yours"

    asyncio.run(play())


# Who may sit ----------------------------------------------------------------------------------


def test_r51_a_barred_person_sits_nowhere_and_bets_no_more(where):
    async def play() -> None:
        async with clocked_house(where) as here:
            boss = await here.person("boss", "floor-supervisor")
            ann = await here.person("ann", "player")
            await here.open(boss, DIAMOND_JO.id)
            await here.do(ann, c.Sit(1))
            await here.house.record("boss", "ann", "k", p.Barred(True, "counts aloud"))
            ann = await here.house.person("ann")
            refusal = await here.refused(ann, a.Bet(1, {"ante": 5_00}))
            assert (refusal.code, refusal.clause) == ("person/barred", "M.2, R51")
            await here.do(ann, c.Leave())
            for practice in (False, True):
                await here.open(boss, DIAMOND_JO.id, practice=practice)
                refusal = await here.refused(ann, c.Sit(1))
                assert (refusal.code, refusal.clause) == ("person/barred", "M.2, R51")
            await here.house.record("boss", "ann", "k2", p.Barred(False, "apologised"))
            await here.do(await here.house.person("ann"), c.Sit(1))

    asyncio.run(play())


def test_real_chips_are_for_named_players(quick_path):
    async def play() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            boss = await here.person("boss", "floor-supervisor")
            guest = await here.person("guest-1", "guest")
            await here.open(boss, DIAMOND_JO.id)
            for who in (guest, boss):
                assert (await here.refused(who, c.Sit(1))).code == "person/play-chips"
            await here.open(guest, DIAMOND_JO.id, practice=True)
            await here.do(guest, c.Sit(1))

    asyncio.run(play())


# Passwords and sessions -----------------------------------------------------------------------

SECRET = "correct horse battery"


def with_house(where: str, story: Callable[[ClockedHouse], Awaitable[None]]) -> None:
    async def play() -> None:
        async with clocked_house(where) as here:
            await story(here)

    asyncio.run(play())


async def refuses(asked: Awaitable[Any]) -> str:
    with pytest.raises(Refused) as caught:
        await asked
    return caught.value.refusal.code


async def unreadable(asked: Awaitable[Any]) -> str:
    with pytest.raises(Unreadable) as caught:
        await asked
    return caught.value.place


async def ann_with_a_password(here: ClockedHouse) -> None:
    await here.person("admin", "administrator")
    await here.sessions.add("admin", "ann", ("player",), "for-once-only", "k")
    await here.sessions.change_password("ann", "for-once-only", SECRET)


def test_the_first_administrator_gets_a_secret_that_works_once(where):
    async def story(here: ClockedHouse) -> None:
        doors = here.sessions
        secret = await doors.first_administrator()
        assert secret is not None
        assert await doors.first_administrator() is None
        assert await refuses(doors.login("admin", secret)) == "login/one-time"
        await doors.change_password("admin", secret, SECRET)
        assert await refuses(doors.login("admin", secret)) == "login/wrong"
        session = await doors.login("admin", SECRET)
        admin = await doors.person(session.token)
        assert admin is not None
        assert admin.roles == ("administrator",)
        assert secret not in "".join(entry.body for entry in here.house.store.everything())

    with_house(where, story)


def test_three_failures_lock_the_door_for_half_an_hour(where):
    async def story(here: ClockedHouse) -> None:
        await ann_with_a_password(here)
        for name in ("ann", "nobody-at-all"):
            for _ in range(3):
                assert await refuses(here.sessions.login(name, "wrong")) == "login/wrong"
            assert await refuses(here.sessions.login(name, SECRET)) == "login/locked"
        here.at += LOCKED_MS - 1
        assert await refuses(here.sessions.login("ann", SECRET)) == "login/locked"
        here.at += 1
        await here.sessions.login("ann", SECRET)

    with_house(where, story)


def test_a_right_password_forgives_and_an_administrator_unlocks(quick_path):
    async def story(here: ClockedHouse) -> None:
        await ann_with_a_password(here)
        for _ in range(3):
            for _ in range(2):
                await refuses(here.sessions.login("ann", "wrong"))
            await here.sessions.login("ann", SECRET)
        for _ in range(3):
            await refuses(here.sessions.login("ann", "wrong"))
        await here.sessions.set_password("admin", "ann", "a fresh start", once=True)
        assert await refuses(here.sessions.login("ann", "a fresh start")) == "login/one-time"

    with_house(str(quick_path / "house.db"), story)


def test_sessions_end(where):
    async def story(here: ClockedHouse) -> None:
        await ann_with_a_password(here)
        doors = here.sessions
        one, two = await doors.login("ann", SECRET), await doors.login("ann", SECRET)
        assert one.ends == here.at + 720 * 60_000
        await doors.end(one.token)
        assert await doors.person(one.token) is None, "signed out"
        assert await doors.person(two.token) is not None
        here.at = two.ends - 1
        assert await doors.person(two.token) is not None
        here.at = two.ends
        assert await doors.person(two.token) is None, "its time is over"
        three = await doors.login("ann", SECRET)
        await doors.change_password("ann", SECRET, "another long one")
        assert await doors.person(three.token) is None, "the password is another"
        assert await doors.person("") is None
        assert await doors.person("no such token") is None

    with_house(where, story)


def at_once(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What it returns without waiting for anything."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    return None


def test_a_session_that_is_used_all_the_time_ends_soon_after_another_process_ends_it(where):
    async def story(here: ClockedHouse) -> None:
        house, door = here.house, here.sessions
        other = Sessions(
            house.store,
            house.background,
            house.people,
            house.clock,
            {"session-minutes": "720"}.__getitem__,
        )
        session = await door.begin((await here.person("ann", "player")).id)
        assert await door.person(session.token)
        for _ in range(20):
            here.at += CACHE_MS // 5
            assert at_once(door.person(session.token)), "nobody waits for the database"
            while door._asking:
                await asyncio.sleep(0.01)
        await other.end(session.token)
        until = here.at + CACHE_MS
        while await door.person(session.token):
            here.at += CACHE_MS // 5
            assert here.at < until
            while door._asking:
                await asyncio.sleep(0.01)

    with_house(where, story)


@pytest.mark.parametrize("age", [CACHE_MS - 1, CACHE_MS + 1], ids=["meanwhile", "by a request"])
def test_a_session_that_ends_while_it_is_asked_about_has_ended(where, monkeypatch, age):
    async def story(here: ClockedHouse) -> None:
        door, read = here.sessions, here.house.read
        is_found, is_told = asyncio.Event(), asyncio.Event()

        async def late(function: Callable[..., Any], *values: Any) -> Any:
            found = await read(function, *values)
            if function == here.house.store.rows and not is_told.is_set():
                is_found.set()
                await is_told.wait()
            return found

        session = await door.begin((await here.person("ann", "player")).id)
        assert await door.person(session.token)
        here.at += age
        monkeypatch.setattr(here.house.background, "read", late)
        asked = asyncio.create_task(door.person(session.token))
        await is_found.wait()
        await door.end(session.token)
        is_told.set()
        assert await asked
        while door._asking:
            await asyncio.sleep(0.01)
        assert await door.person(session.token) is None

    with_house(where, story)


def test_a_session_that_is_looked_up_while_a_password_changes_has_ended(where, monkeypatch):
    async def story(here: ClockedHouse) -> None:
        door, write = here.sessions, here.house.store.write
        await ann_with_a_password(here)
        session = await door.login("ann", SECRET)
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def held(draft: EntryDraft) -> Entry:
            begun.set()
            await go_on.wait()
            return await write(draft)

        monkeypatch.setattr(here.house.store, "write", held)
        change = asyncio.create_task(door.set_password("admin", "ann", "another long one"))
        await begun.wait()
        assert await door.person(session.token)
        go_on.set()
        await change
        assert await door.person(session.token) is None

    with_house(where, story)


def test_what_is_known_of_a_person_goes_on_whoever_listens(quick_path):
    def breaks(_entry: Any) -> None:
        raise RuntimeError("a listener's mistake")

    async def story(here: ClockedHouse) -> None:
        ann = await here.person("ann", "player")
        await here.person("boss", "floor-supervisor")
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        here.house.hearing.listeners.append(breaks)
        await here.house.record("boss", "ann", "", p.Barred(True, "counts aloud"))
        assert not ann.player.barred
        assert (await here.house.person("ann")).player.barred

    with_house(str(quick_path / "house.db"), story)


def test_passwords_and_names_follow_rules(quick_path):
    async def story(here: ClockedHouse) -> None:
        await ann_with_a_password(here)
        doors = here.sessions
        for bad in ("short", "x" * 9, "x" * 201):
            assert await unreadable(doors.change_password("ann", SECRET, bad)) == "new"
            assert await unreadable(doors.add("admin", "bob", ("player",), bad, "k")) == "password"
        assert await unreadable(doors.change_password("ann", SECRET, SECRET)) == "new"
        for bad in ("", "x", "Ann", "ann smith", "guest-1", "bot-t-1", "house", "clock", "é" * 5):
            assert await unreadable(doors.add("admin", bad, ("player",), SECRET, "k")) == "name"
        with pytest.raises(Unreadable, match="begin with guest-, bot-"):
            await doors.add("admin", "bot-1", ("player",), SECRET, "k")
        assert await refuses(doors.add("admin", "ann", ("player",), SECRET, "other")) == (
            "person/taken"
        )

    with_house(str(quick_path / "house.db"), story)


def test_a_guest_plays_at_once_where_guests_are_welcome(quick_path):
    async def story(here: ClockedHouse) -> None:
        session = await here.sessions.guest()
        guest = await here.sessions.person(session.token)
        assert guest is not None
        assert guest.roles == ("guest",)
        await here.person("admin", "administrator")
        await here.house.change_setting("admin", "guests", "no", "closed evening", "k")
        assert await refuses(here.sessions.guest()) == "guest/closed"

    with_house(str(quick_path / "house.db"), story)


def test_what_is_known_of_a_person_is_a_fold_over_their_events():
    events: tuple[p.PersonEvent, ...] = (
        p.PersonAdded("Ann", ("player",)),
        p.RolesSet(("player", "dealer"), "works here now"),
        p.Barred(True, "for a day"),
        p.Identified("foreign", True, False, "a passport"),
        p.ChipsBought(5_00, practice=False),
    )
    person = p.Person("ann")
    assert not person.exists
    for event in codec.person_body(codec.recorded(*events)).events:
        moved = p.postings("ann", event)
        assert sum(cents for _, cents in moved) == 0
        person = p.evolve(person, event)
    assert person.exists
    assert person.roles == ("player", "dealer")
    assert person.player == Player("foreign", True, False, True)
