"""The register of people: who somebody is, and writing down what changes about them."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import chain

from pitboss.errors import Refused, refuse
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.background import Background
from pitboss.house.storage.batch import EntryDraft, fence
from pitboss.house.storage.journal import Entry, following
from pitboss.house.storage.projections import PeopleCache, Record, kept_person, read_record
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import AlreadyDone, Conflict, Stale, Store, optimistically

Decision = Callable[[], Awaitable[tuple[persons.PersonEvent, ...]]]
"""What happens to somebody's record, decided anew at every try."""


def _signs_out(events: Sequence[persons.PersonEvent]) -> bool:
    return any(isinstance(event, persons.SessionsEnded) for event in events)


def name_taken(name: str) -> Refused:
    return refuse("person/taken", f"the name {name} is taken", "", "name")


class Registry:
    """Everybody whom a house knows; each has a stream of their own."""

    def __init__(self, store: Store, background: Background, clock: Callable[[], int]) -> None:
        self._store, self._clock, self._in_thread = store, clock, background.in_thread
        self._cache = PeopleCache(partial(background.in_thread, read_record, store))
        self.hear, self.forget = self._cache.hear, self._cache.forget

    async def person(self, name: str) -> Person:
        return (await self._cache.of(name))[0]

    async def known_as(self, name: str) -> Person:
        """Return who goes by this name: it may be the one that a guest keeps."""
        person = await self.person(name)
        kept = person.alias and not name.startswith(persons.GUEST)
        return await self.person(person.alias) if kept else person

    async def version(self, name: str) -> tuple[Person, int]:
        """Return who somebody is, and the number of the entry that says so."""
        who, seq, _ = await self._cache.of(name)
        return who, seq

    async def allowed(self, actor: str, stream: str, key: str, *events: persons.PersonEvent) -> int:
        """Return the version of the actor's record that allows this; raises ``Refused`` where it
        does not, and ``AlreadyDone`` where it was done before, whatever they may do now."""
        known, record = await self.version(actor)
        name = stream.partition(":")[2]
        try:
            for event in events:
                permissions.allow_event(known, name, event)
                if isinstance(event, persons.Identified):
                    persons.papers_agree(await self.person(name), event)
        except Refused as refused:
            before = await self.refuse_unless_done(refused, stream, actor, key)
            raise AlreadyDone(before) from None
        return record

    async def refuse_unless_done(
        self, refused: Refused, stream: str, actor: str, key: str
    ) -> Entry:
        """Raise this refusal, unless the key says that it was done before: return what was done."""
        before = await self.done_before(stream, actor, key)
        if before is None:
            raise refused
        return before

    async def done_before(self, stream: str, actor: str, key: str) -> Entry | None:
        """Return what was done with an idempotency key, if it was used."""
        return await self._in_thread(self._store.by_key, stream, actor, key) if key else None

    async def record(
        self,
        actor: str,
        name: str,
        key: str,
        *events: persons.PersonEvent,
        session: str = "",
        secret: tuple[str, int] | None = None,
    ) -> Entry:
        """Write something of a person; raises ``Refused`` where the actor may not, or an account
        does not hold it."""

        async def the_same() -> tuple[persons.PersonEvent, ...]:
            return events

        return await self.transact(actor, name, key, the_same, session=session, secret=secret)

    async def transact(
        self,
        actor: str,
        name: str,
        key: str,
        decision: Decision,
        *,
        session: str = "",
        secret: tuple[str, int] | None = None,
        takes: str = "",
        relied: Callable[[], Awaitable[tuple[tuple[str, int], ...]]] | None = None,
        refresh: Callable[[Stale], Awaitable[None]] | None = None,
    ) -> Entry:
        """Decide and write, anew while others are quicker, in a session of the actor's.

        ``secret`` is the hash of a new password, and when it was set. ``takes`` is a name that is
        theirs from then on: the first event stands in its own stream, too. None of this is written
        without the rest. ``relied`` says what else it is decided by; ``refresh`` looks at it again.
        """

        async def attempt() -> Entry:
            before = await self._cache.of(name)
            taken = await self._cache.of(takes) if takes else None
            fenced = await relied() if relied is not None else ()
            events = await decision()
            record = await self.allowed(actor, f"person:{name}", key, *events)
            entry, kept = self._following(before, events, actor, key, record)
            also: tuple[Entry, ...] = ()
            if taken is not None:
                claim, rows = self._following(taken, events[:1], actor, "", record)
                also, kept = (claim,), (*rows, *kept)
            draft = EntryDraft(
                entry=entry,
                postings=tuple(chain(*(persons.postings(name, event) for event in events))),
                kept=kept,
                relied=(*fenced, *fence({actor: record})),
                session=session,
                secrets=((name, *secret),) if secret is not None else (),
                signed_out=(name,) if _signs_out(events) else (),
                also=also,
            )
            try:
                return await self._store.write(draft)
            except Stale as stale:
                self._cache.forget(actor)
                if refresh is not None:
                    await refresh(stale)
                raise
            except (Conflict, Unavailable) as error:
                self._cache.forget(name)
                self._cache.forget(takes)
                added = any(isinstance(each, persons.PersonAdded) for each in events)
                if added and isinstance(error, Conflict):
                    raise name_taken(name) from None
                raise

        try:
            return await optimistically(attempt)
        except AlreadyDone as done:
            self._cache.forget(name)
            return done.entry

    def _following(
        self,
        before: Record,
        events: Sequence[persons.PersonEvent],
        actor: str,
        key: str,
        record: int,
    ) -> tuple[Entry, tuple[tuple[str, str, str], ...]]:
        """Return the next entry of somebody's stream, and what is kept of them after it."""
        person, seq, link = before
        for event in events:
            person = persons.evolve(person, event)
        at, body = self._clock(), codec.recorded(*events, record=record)
        stream = f"person:{person.id}"
        entry = following(stream, seq, link, at=at, actor=actor, key=key, body=body)
        return entry, kept_person(entry, person, events)
