"""The register of people: who somebody is, and writing down what changes about them."""

from collections.abc import Callable
from functools import partial

from pitboss.errors import Refusal, Refused
from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.background import Background
from pitboss.house.storage.journal import Entry, following
from pitboss.house.storage.projections import PeopleCache, kept_person, read_record
from pitboss.house.storage.store import (
    AlreadyDone,
    Conflict,
    EntryDraft,
    Overdrawn,
    Store,
    Unavailable,
    optimistically,
)


class Registry:
    """Everybody whom a house knows; each has a stream of their own."""

    def __init__(self, store: Store, background: Background, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self._cache = PeopleCache(partial(background.read, read_record, store))
        self.hear = self._cache.hear

    async def person(self, name: str) -> Person:
        return (await self._cache.of(name))[0]

    async def record(self, actor: str, name: str, key: str, *events: persons.PersonEvent) -> Entry:
        """Write something of a person; raises ``Refused`` where an account does not hold it."""
        return await optimistically(partial(self._write, actor, name, key, events))

    async def _write(
        self, actor: str, name: str, key: str, events: tuple[persons.PersonEvent, ...]
    ) -> Entry:
        after, seq, link = await self._cache.of(name)
        moved: list[tuple[str, int]] = []
        for event in events:
            after = persons.evolve(after, event)
            moved += persons.postings(name, event)
        body, stream = codec.recorded(*events), f"person:{name}"
        entry = following(stream, seq, link, at=self._clock(), actor=actor, key=key, body=body)
        draft = EntryDraft(entry, tuple(moved), kept_person(entry, after))
        try:
            return await self._store.write(draft)
        except Overdrawn:
            message = "the account does not hold so much"
            raise Refused(Refusal("chips/not-enough", message)) from None
        except AlreadyDone as done:
            self._cache.forget(name)
            return done.entry
        except (Conflict, Unavailable) as error:
            self._cache.forget(name)
            added = any(isinstance(each, persons.PersonAdded) for each in events)
            if added and isinstance(error, Conflict):
                refusal = Refusal("person/taken", f"the name {name} is taken")
                raise Refused(refusal) from None
            raise
