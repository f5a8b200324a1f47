"""The register of people: who somebody is, and writing down what changes about them."""

from collections.abc import Callable
from functools import partial

from pitboss.errors import Refusal, Refused
from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.background import Background
from pitboss.house.storage.journal import Entry, linked
from pitboss.house.storage.projections import PeopleCache, kept_person, read_record
from pitboss.house.storage.store import (
    TRIES,
    AlreadyDone,
    Conflict,
    Draft,
    Overdrawn,
    Store,
    Unavailable,
)


class Registry:
    """Everybody whom a house knows; each has a stream of their own."""

    def __init__(self, store: Store, background: Background, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self._cache = PeopleCache(partial(background.read, read_record, store))

    async def person(self, name: str) -> Person:
        return (await self._cache.of(name))[0]

    def hear(self, name: str, entry: Entry) -> None:
        self._cache.hear(name, entry)

    async def record(self, actor: str, name: str, key: str, *events: persons.PersonEvent) -> Entry:
        """Write something of a person; raises ``Refused`` where an account does not hold it."""
        for _ in range(TRIES):
            try:
                return await self._store.write(await self._draft(actor, name, key, events))
            except Overdrawn:
                message = "the account does not hold so much"
                raise Refused(Refusal("chips/not-enough", message)) from None
            except AlreadyDone as done:
                self._cache.forget(name)
                return done.entry
            except Unavailable:
                self._cache.forget(name)
                raise
            except Conflict:
                self._cache.forget(name)
                if any(isinstance(each, persons.PersonAdded) for each in events):
                    message = f"the name {name} is taken"
                    raise Refused(Refusal("person/taken", message)) from None
        raise Unavailable("others are quicker all the time; try again")

    async def _draft(
        self, actor: str, name: str, key: str, events: tuple[persons.PersonEvent, ...]
    ) -> Draft:
        after, seq, link = await self._cache.of(name)
        moved: list[tuple[str, int]] = []
        for event in events:
            after = persons.evolve(after, event)
            moved += persons.postings(name, event)
        entry = Entry(
            stream=f"person:{name}",
            seq=seq + 1,
            at=self._clock(),
            actor=actor,
            key=key,
            body=codec.recorded(*events),
        )
        entry = linked(entry, link)
        return Draft(entry, tuple(moved), kept_person(entry, after))
