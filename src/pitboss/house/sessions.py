"""Who is asking: passwords, sessions that end, and locks that grow with failures."""

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.clock import HouseClock
from pitboss.house.password_queue import PasswordQueue
from pitboss.house.people import persons
from pitboss.house.people.permissions import HOUSE
from pitboss.house.people.persons import FIRST, GUEST, NAME, RESERVED, STAFF, Person
from pitboss.house.registry import Registry, name_taken
from pitboss.house.storage import codec
from pitboss.house.storage.background import Background
from pitboss.house.storage.databases import GOES_ON
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.reader import BREATH, Unavailable
from pitboss.house.storage.store import KEY_REUSED, AlreadyDone, Store
from pitboss.money import cents
from pitboss.wording import counted

if TYPE_CHECKING:
    from argon2 import PasswordHasher

FAILURES = 3
SHORTEST_LOCK_MS, LONGEST_LOCK_MS = 60 * 1000, 30 * 60 * 1000
"""After so many failures at one name from one address, and twice as long after each one more."""
REMEMBERED_MS = 24 * 60 * 60 * 1000
"""After so long a failure is forgotten."""
SHORTEST, LONGEST = 10, 200
CACHE_MS = 5_000
"""How long another process may go on to show things in a session that was ended here; whatever is
done in it is refused at once."""
JOIN = "join".ljust(81, ".")
"""A guest's own key for being written down: longer than any key of a request."""
KEPT_MS = 24 * 60 * 60 * 1000
"""How long one that has ended is kept: a clock that was ahead for a while ends none for good."""
MOST_AT_ONCE = 500
"""Sessions that one question is about."""


class Session(msgspec.Struct, frozen=True):
    """Somebody's leave to act in their own name for a while."""

    token: str
    """A secret; only its hash is stored."""
    csrf: str
    """What a page must show besides the cookie."""
    person: str
    ends: int


def csrf(token: str) -> str:
    """Return the second secret that goes with a session's cookie."""
    return hashlib.sha256(f"csrf/{token}".encode()).hexdigest()


def token_hash(token: str) -> str:
    """Return what is stored of a session's token."""
    return hashlib.sha256(token.encode()).hexdigest()


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher  # loaded only where somebody has a password

    return PasswordHasher()


class Sessions:
    """The door of a house."""

    def __init__(
        self,
        store: Store,
        background: Background,
        people: Registry,
        clock: HouseClock,
        setting: Callable[[str], str],
    ) -> None:
        self._in_thread, self._schedule = background.in_thread, background.schedule
        self._hashing = background.hashing
        self._store, self._people, self._clock, self._setting = store, people, clock, setting
        self._known: dict[str, tuple[str, int, int]] = {}
        """Hash to person, end, and for how long this is believed without asking."""
        self._due: set[str] = set()
        """Hashes to ask about again before that, all at once, while nobody waits."""
        self._asking = False
        self._ended = 0
        """How often sessions were ended here: what was read before is not to be believed."""
        self._passwords = PasswordQueue()

    async def guest(self) -> Session:
        """Let anybody in; of whoever only looks around nothing is left when the session is over."""
        if self._setting("guests") != "yes":
            raise refuse("guest/closed", "this house has no guests: sign in")
        return await self.begin(f"{GUEST}{secrets.token_hex(16)}")

    async def newcomer(self, name: str) -> Person | None:
        """Return a guest of whom nothing is written yet, here or elsewhere."""
        if not name.startswith(GUEST) or (await self._people.person(name)).exists:
            return None
        self._people.forget(name)
        return None if (await self._people.person(name)).exists else _newcomer(name)

    async def join(self, name: str, session: str = "") -> None:
        """Write a guest down who is about to do something for the first time."""
        guest = await self.newcomer(name)
        if guest is None:
            return
        start = int(cents(self._setting("guest-play-chips")))
        await self._people.record(
            name,
            name,
            JOIN,
            persons.PersonAdded(guest.name, guest.roles),
            persons.ChipsBought(start, practice=True),
            session=session,
        )

    async def begin(self, person: str, password: str = "") -> Session:
        """Begin a session that goes on while the stored password is this."""
        token = secrets.token_urlsafe(32)
        minutes = int(self._setting("session-minutes"))
        now = self._clock()
        ends = now + minutes * 60_000
        await self._in_thread(
            self._store.execute,
            ("DELETE FROM sessions WHERE ends < ?", (now - KEPT_MS,)),
            (
                "INSERT INTO sessions VALUES (?, ?, ?, ?)",
                (token_hash(token), person, ends, password),
            ),
        )
        return Session(token, csrf(token), person, ends)

    async def person(self, token: str) -> Person | None:
        hashed, elapsed = token_hash(token), self._clock.elapsed()
        known = self._known.get(hashed)
        if known is None or known[2] < elapsed:
            known = (await self._ask([hashed])).get(hashed)
            if known is None:
                return None
        elif known[2] < elapsed + CACHE_MS // 2:
            self._due.add(hashed)
            if not self._asking:
                self._asking = True
                self._schedule(self._ask_again)
        if known[1] <= self._clock():
            return None
        person = await self._people.person(known[0])
        return person if person.exists else _newcomer(known[0])

    async def _ask(self, several: list[str]) -> dict[str, tuple[str, int, int]]:
        """Read sessions; unless some were ended here meanwhile, what is read is believed."""
        ended, until = self._ended, self._clock.elapsed() + CACHE_MS
        sql = _FIND.format(", ".join("?" * len(several)))
        rows = await self._in_thread(self._store.rows, sql, *several)
        found = {hashed: (person, ends, until) for hashed, person, ends in rows}
        if ended == self._ended:
            if len(self._known) > 50_000:
                self._known.clear()
            for hashed in several:
                self._known.pop(hashed, None)
            self._known |= found
        return found

    async def _ask_again(self) -> None:
        """Look whether sessions that are used go on, many at once."""
        try:
            while self._due:
                due = list(islice(self._due, MOST_AT_ONCE))
                self._due.difference_update(due)
                try:
                    await self._ask(due)
                except Unavailable:  # they are believed no longer than before
                    await asyncio.sleep(BREATH)
        finally:
            self._asking = False

    async def count(self, person: str) -> int:
        """Return in how many sessions somebody is signed in."""
        sql = f"SELECT COUNT(*) FROM sessions WHERE person = ? AND ends > ? AND {GOES_ON}"
        ((found,),) = await self._in_thread(self._store.rows, sql, person, self._clock())
        return int(found)

    async def end(self, token: str) -> None:
        hashed = token_hash(token)
        with self._ending([hashed]):
            sql = ("DELETE FROM sessions WHERE token = ?", (hashed,))
            await self._in_thread(self._store.execute, sql)

    async def end_all(self) -> None:
        """End every session that a password began; guests without one could not come back."""
        with self._ending(self._known):
            sql = ("DELETE FROM sessions WHERE password <> ''", ())
            await self._in_thread(self._store.execute, sql)

    @contextmanager
    def _ending(self, several: Iterable[str]) -> Iterator[None]:
        """Believe nothing that was read of them before this is over, however it ends."""
        try:
            yield
        finally:
            self._forget(several)

    def _forget(self, several: Iterable[str]) -> None:
        self._ended += 1
        for hashed in list(several):  # those, too, that have come since
            self._known.pop(hashed, None)

    def hear(self, person: str, entry: Entry) -> None:
        """Somebody's password was changed, or they were signed out, here or elsewhere: their
        sessions have ended."""
        if _has(entry, persons.PasswordSet, persons.SessionsEnded):
            self._forget(hashed for hashed, known in self._known.items() if known[0] == person)

    async def login(self, name: str, password: str, address: str = "") -> Session:
        async with self._passwords.turn(address):
            name = (await self._people.known_as(name)).id
            stored, changed = await self._verify(name, password, address)
            if not changed:
                message = "this is a one-time secret: set a password of your own first"
                raise refuse("login/one-time", message)
            return await self.begin(name, stored)

    async def change_password(self, name: str, old: str, new: str, address: str = "") -> None:
        """Set a new password with the old one, or with a one-time secret."""
        async with self._passwords.turn(address):
            name = (await self._people.known_as(name)).id
            before, _ = await self._verify(name, old, address)
            if new == old:
                raise Unreadable("the new password is the old one", "new")

            async def decided() -> tuple[persons.PersonEvent, ...]:
                found = await self._in_thread(self._store.rows, _PASSWORD, name)
                if found[0][0] != before:  # another was set meanwhile
                    raise Refused(WRONG)
                return (persons.PasswordSet(),)

            secret = await self._secret(new)
            with self._ending(self._known):
                await self._people.transact(name, name, "", decided, secret=secret)

    async def keep(
        self, who: str, name: str, password: str, address: str = "", session: str = ""
    ) -> Session:
        """Let a guest keep what is theirs under a name and a password; they go on in the session
        that is returned, and all others of theirs end.

        The name is taken in its own stream, where whoever comes second fails, and with it the
        guest's own goes on: nobody takes two.
        """
        _check_name(name)
        if name.startswith(STAFF):
            raise Unreadable("names that begin like a role are for people who work here", "name")
        _check_password(password, "password")
        async with self._passwords.turn(address):
            kept = persons.NameKept(name, who)

            async def decided() -> tuple[persons.PersonEvent, ...]:
                guest = await self._people.person(who)
                if not guest.fleeting:
                    raise refuse("person/named", f"you have a name already: {guest.name}")
                if (await self._people.person(name)).exists:
                    raise name_taken(name)
                return kept, persons.PasswordSet()

            await decided()
            secret = await self._secret(password)
            await self.join(who, session)
            with self._ending(self._known):
                await self._people.transact(
                    who, who, "", decided, session=session, secret=secret, takes=name
                )
            return await self.begin(who, secret[0])

    async def set_password(
        self,
        actor: str,
        name: str,
        new: str,
        key: str = "",
        *,
        once: bool = False,
        why: str = "",
        session: str = "",
    ) -> Entry:
        """Set somebody's password; all their sessions end. One made for once must be changed."""
        event = persons.PasswordSet(why)
        async with self._passwords.turn(actor, staff=True):
            done = await self._people.done_before(f"person:{name}", actor, key)
            if done is None:
                secret = await self._secret(new, once=once)
                with self._ending(self._known):
                    done = await self._people.record(
                        actor, name, key, event, session=session, secret=secret
                    )
            await self._same(done, name, new, event)
        return done

    async def _secret(self, new: str, *, once: bool = False) -> tuple[str, int]:
        """Return a password's hash, and when it was set: 0 where it is for once."""
        _check_password(new, "new")
        return await self._hashing(_hasher().hash, new), 0 if once else self._clock()

    async def _same(
        self, done: Entry, name: str, password: str, *events: persons.PersonEvent
    ) -> None:
        """Refuse a key that was used for something else before, or with another password; once
        that person has set their own, or somebody another one, nobody can tell."""
        same_command(done, *events)
        for stored, changed in await self._in_thread(self._store.rows, _PASSWORD, name):
            if changed or await self._hashing(_matches, stored, password):
                continue
            later = await self._in_thread(self._store.entries, done.stream, done.seq)
            if not any(_has(each, persons.PasswordSet) for each in later):
                raise Refused(KEY_REUSED)

    async def _verify(self, name: str, password: str, address: str = "") -> tuple[str, int]:
        """Check a password: what is stored of it, and when it was set, 0 if it is for once.

        A one-time secret is never locked: whoever has it is let in, whatever others tried.
        """
        store, now = self._store, self._clock()
        who = (name[:40], address)
        found = await self._in_thread(store.rows, _PASSWORD, name)
        failed = await self._in_thread(store.rows, _FAILED, *who, now - REMEMBERED_MS, now)
        once = bool(found) and found[0][1] == 0
        left = locked_until(*failed[0]) - now
        if left > 0 and not once:
            wait = counted(-(-left // 60_000), "minute")
            message = f"too many failures from here: wait {wait}, or ask an administrator"
            raise refuse("login/locked", message)
        # Somebody unknown takes as long as somebody known.
        hashed = found[0][0] if found else await self._hashing(_nobody)
        right = await self._hashing(_matches, hashed, password[:LONGEST])
        if not (found and right):
            await self._in_thread(
                store.execute,
                ("DELETE FROM failures WHERE at <= ?", (now - REMEMBERED_MS,)),
                ("INSERT INTO failures VALUES (?, ?, ?)", (*who, now)),
            )
            raise Refused(WRONG)
        await self._in_thread(store.execute, (_FORGIVEN, who))
        return hashed, int(found[0][1])

    async def add(
        self,
        actor: str,
        name: str,
        roles: tuple[persons.Role, ...],
        password: str,
        key: str,
        why: str = "",
        session: str = "",
    ) -> Person:
        """Make a named person; the password is for once, to be changed by that person."""
        _check_name(name)
        _check_password(password, "password")
        start = int(cents(self._setting("guest-play-chips")))
        events = (
            persons.PersonAdded(name, roles, why=why),
            persons.ChipsBought(start, practice=True),
            persons.PasswordSet(why),
        )
        people = self._people

        async def decided() -> tuple[persons.PersonEvent, ...]:
            if (await people.person(name)).exists:
                taken = name_taken(name)
                before = await people.refuse_unless_done(taken, f"person:{name}", actor, key)
                raise AlreadyDone(before)
            return events

        async with self._passwords.turn(actor, staff=True):
            done = await people.done_before(f"person:{name}", actor, key)
            if done is None:
                if (await people.person(name)).exists:
                    raise name_taken(name)
                secret = await self._secret(password, once=True)
                # Meanwhile somebody else may have been given the name, or have kept it.
                done = await people.transact(
                    actor, name, key, decided, session=session, secret=secret
                )
            await self._same(done, name, password, events[0])
        return await self._people.person(name)

    async def new_secret(self) -> str:
        """Make another one-time secret for the first administrator: the old one was lost, or the
        role was."""
        secret = secrets.token_urlsafe(12)
        why = "asked for at the console"

        async def decided() -> tuple[persons.PersonEvent, ...]:
            roles = (await self._people.person(FIRST)).roles
            events: tuple[persons.PersonEvent, ...] = (persons.PasswordSet(why),)
            if "administrator" not in roles:
                events += (persons.RolesSet((*roles, "administrator"), why),)
            return events

        async with self._passwords.turn(HOUSE, staff=True):
            hashed = await self._secret(secret, once=True)
            with self._ending(self._known):
                await self._people.transact(HOUSE, FIRST, "", decided, secret=hashed)
        return secret

    async def first_administrator(self) -> str | None:
        """Make the first administrator: the one-time secret, or None where there is one already."""
        if await self._in_thread(self._store.rows, _PASSWORD, FIRST):
            return None
        if (await self._people.person(FIRST)).exists:  # the secrets were lost
            return await self.new_secret()
        secret = secrets.token_urlsafe(12)
        try:
            await self.add(HOUSE, FIRST, ("administrator",), secret, "first", "first start")
        except Refused:  # another process was quicker, and tells its own
            return None
        return secret


def _check_name(name: str) -> None:
    """Refuse what nobody can be called."""
    if not NAME.fullmatch(name):
        raise Unreadable("a name has 2 to 30 small letters, digits, dots and hyphens", "name")
    if name.startswith(RESERVED):
        own = ", ".join(RESERVED)
        raise Unreadable(f"names that begin with {own} are the house's own", "name")


def _check_password(password: str, place: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        raise Unreadable(f"a password has {SHORTEST} to {LONGEST} characters", place)


def _newcomer(name: str) -> Person:
    """Return a guest who has done nothing yet."""
    return Person(name, f"Guest {name.removeprefix(GUEST)[:4]}", ("guest",))


def locked_until(failures: int, last: int) -> int:
    """Return when somebody who failed so often, and then for the last time, may try again.

    >>> [locked_until(failures, 0) // 60_000 for failures in (2, 3, 4, 5, 9, 1000)]
    [0, 1, 2, 4, 30, 30]
    """
    if failures < FAILURES:
        return last
    return last + min(SHORTEST_LOCK_MS << min(failures - FAILURES, 10), LONGEST_LOCK_MS)


def _has(entry: Entry, *kinds: type[persons.PersonEvent]) -> bool:
    return any(isinstance(event, kinds) for event in codec.person_body(entry.body).events)


def same_command(before: Entry, *events: persons.PersonEvent) -> None:
    """Refuse a key that was used for something else before."""
    if codec.person_body(before.body).events[: len(events)] != events:
        raise Refused(KEY_REUSED)


WRONG = Refusal("login/wrong", "name or password is wrong")

_FIND = f"SELECT token, person, ends FROM sessions WHERE token IN ({{}}) AND {GOES_ON}"
_FAILED = """SELECT COUNT(*), COALESCE(MAX(at), 0) FROM failures
    WHERE name = ? AND address = ? AND at > ? AND at <= ?"""
_FORGIVEN = "DELETE FROM failures WHERE name = ? AND address = ?"
_PASSWORD = "SELECT password, changed FROM secrets WHERE person = ?"


@cache
def _nobody() -> str:
    return _hasher().hash(secrets.token_urlsafe(16))


def _matches(hashed: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        return _hasher().verify(hashed, password)
    except VerificationError:
        return False
