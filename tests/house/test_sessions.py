"""Sessions: passwords, how people show that it is they, and how long it is believed."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

import pytest

from pitboss.errors import Refused, Unreadable
from pitboss.house.people import persons as p
from pitboss.house.sessions import CACHE_MS, SHORTEST_LOCK_MS, Sessions, token_hash
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import Entry
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.passwords import quick_passwords


@pytest.fixture(autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Argon2 with next to no work; the tests of the web pay its full price."""
    with quick_passwords():
        yield


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


def test_three_failures_lock_the_door_for_a_minute(where):
    async def story(here: ClockedHouse) -> None:
        await ann_with_a_password(here)
        for name in ("ann", "nobody-at-all"):
            for _ in range(3):
                assert await refuses(here.sessions.login(name, "wrong")) == "login/wrong"
            assert await refuses(here.sessions.login(name, SECRET)) == "login/locked"
        here.at += SHORTEST_LOCK_MS - 1
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
        door, read = here.sessions, here.house.in_thread
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
        monkeypatch.setattr(door, "_in_thread", late)
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
        here.house.subscriber.listeners.append(breaks)
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
        with pytest.raises(Unreadable, match="begin with guest-, patron-, bot-"):
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


# A guest who keeps what they have -----------------------------------------------------------------


async def a_guest(here: ClockedHouse, cents: int = 123_45) -> tuple[str, str]:
    """A guest with play chips: who they are, and the token of their session."""
    session = await here.sessions.guest()
    await here.sessions.join(session.person)
    bought = p.ChipsBought(cents, practice=True)
    await here.house.record(session.person, session.person, "", bought)
    return session.person, session.token


def test_b17_a_guest_keeps_everything_under_a_name(where):
    async def story(here: ClockedHouse) -> None:
        doors, account = here.sessions, here.house.store.balance
        who, before = await a_guest(here)
        had = account(f"play:{who}")
        assert had == 1_000_00 + 123_45
        session = await doors.keep(who, "rosa", SECRET, "here", token_hash(before))
        assert session.person == who
        assert await doors.person(before) is None, "it went on without a password"
        for token in (session.token, (await doors.login("rosa", SECRET)).token):
            rosa = await doors.person(token)
            assert rosa is not None
            assert (rosa.id, rosa.name, rosa.roles, rosa.fleeting) == (
                who,
                "rosa",
                ("guest",),
                False,
            )
        assert account(f"play:{who}") == had
        assert await here.house.people.known_as("rosa") == await here.house.person(who)
        written = "".join(entry.body for entry in here.house.store.everything())
        assert SECRET not in written
        await doors.change_password("rosa", SECRET, "another long one")
        assert await refuses(doors.login("rosa", SECRET)) == "login/wrong"
        assert (await doors.login("rosa", "another long one")).person == who
        assert await refuses(doors.keep(who, "rose", SECRET)) == "person/named"
        assert not (await here.house.person("rose")).exists, "nor is it taken"

    with_house(where, story)


def test_three_failures_at_a_kept_name_lock_it_by_whatever_name(quick_path):
    async def story(here: ClockedHouse) -> None:
        who, _ = await a_guest(here)
        await here.sessions.keep(who, "rosa", SECRET)
        for name in ("rosa", who, "rosa"):
            assert await refuses(here.sessions.login(name, "wrong")) == "login/wrong"
        for name in ("rosa", who):
            assert await refuses(here.sessions.login(name, SECRET)) == "login/locked"

    with_house(str(quick_path / "house.db"), story)


def test_a_guest_without_a_role_is_known_by_either_name(where):
    """What is done to the record was once done to the name's, and led to a second person."""

    async def story(here: ClockedHouse) -> None:
        people, (who, _) = here.house.people, await a_guest(here)
        await here.person("admin", "administrator")
        await here.sessions.keep(who, "rosa", SECRET)
        await here.house.record("admin", who, "k", p.RolesSet((), "to be seen"))
        for name in ("rosa", who):
            assert (await people.known_as(name)).id == who
        assert (await here.sessions.login(who, SECRET)).person == who

    with_house(where, story)


def test_a_name_to_keep_follows_the_rules_of_names(quick_path):
    async def story(here: ClockedHouse) -> None:
        await ann_with_a_password(here)
        doors, (who, _) = here.sessions, await a_guest(here)
        for bad in ("short", "x" * 201):
            assert await unreadable(doors.keep(who, "rosa", bad)) == "password"
        for bad in ("", "x", "Rosa", "rosa m", "guest-1", "bot-t-1", "house", "clock", "é" * 5):
            assert await unreadable(doors.keep(who, bad, SECRET)) == "name"
        assert await refuses(doors.keep(who, "ann", SECRET)) == "person/taken"
        assert await refuses(doors.keep("ann", "rosa", SECRET)) == "person/named"
        assert not (await here.house.person("rosa")).exists
        await doors.keep(who, "rosa", SECRET)
        other, _ = await a_guest(here)
        assert await refuses(doors.keep(other, "rosa", SECRET)) == "person/taken"
        add = doors.add("admin", "rosa", ("player",), SECRET, "k2")
        assert await refuses(add) == "person/taken"

    with_house(str(quick_path / "house.db"), story)


def test_of_all_who_want_a_name_at_once_one_has_it(where):
    async def story(here: ClockedHouse) -> None:
        await here.person("admin", "administrator")
        guests = [(await a_guest(here))[0] for _ in range(4)]
        asked = [
            here.sessions.keep(who, "rosa", SECRET, f"at {number}")
            for number, who in enumerate(guests)
        ]
        added = here.sessions.add("admin", "rosa", ("player",), SECRET, "k")
        got = await asyncio.gather(*asked, added, return_exceptions=True)
        lost = [each for each in got if isinstance(each, Refused)]
        assert [each.refusal.code for each in lost] == ["person/taken"] * 4
        entries = here.house.store.entries("person:rosa")
        assert len(entries) == 1
        named = [who for who in guests if (await here.house.person(who)).alias]
        assert named == [each for each in guests if each == entries[0].actor]

    with_house(where, story)


def test_nobody_gives_somebody_else_a_name(quick_path):
    async def story(here: ClockedHouse) -> None:
        admin = await here.person("admin", "administrator")
        (who, _), (other, _) = await a_guest(here), await a_guest(here)
        for actor, stream, person in (
            (other, "rosa", who),
            (other, who, who),
            (who, other, who),
            (admin.id, "rosa", who),
            (admin.id, "rosa", admin.id),
        ):
            kept = p.NameKept("rosa", person)
            assert await refuses(here.house.record(actor, stream, "", kept)) == "role/not-yours"

    with_house(str(quick_path / "house.db"), story)


def test_a_name_is_not_kept_in_a_session_that_has_ended(where):
    async def story(here: ClockedHouse) -> None:
        who, token = await a_guest(here)
        await here.sessions.end(token)
        asked = here.sessions.keep(who, "rosa", SECRET, session=token_hash(token))
        assert await refuses(asked) == "session/none"
        assert not (await here.house.person("rosa")).exists

    with_house(where, story)
