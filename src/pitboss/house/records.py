"""The records of people, as far as this process has read them."""

from collections.abc import Awaitable, Callable

from pitboss.house import codec, people
from pitboss.house.journal import START, Entry
from pitboss.house.people import Person
from pitboss.house.store import Store

MOST = 50_000
"""Records that are remembered at once."""

Record = tuple[Person, int, str]
"""Who somebody is, and the number and hash of the last entry that says so."""


class Records:
    """What is known of people; entries that are heard of keep it true."""

    def __init__(self, read: Callable[[str], Awaitable[Record]]) -> None:
        self._read = read
        self._known: dict[str, Record] = {}
        self._asked: dict[str, object] = {}
        """Who is being read; an entry that comes meanwhile makes it old news."""

    async def of(self, name: str) -> Record:
        """Return somebody's record."""
        known = self._known.get(name)
        if known is None:
            if len(self._known) > MOST:
                self._known.clear()
            asked = self._asked[name] = object()
            try:
                known = await self._read(name)
            finally:
                current = self._asked.get(name) is asked
                if current:
                    del self._asked[name]
            if current:
                self._known[name] = known
        return known

    def forget(self, name: str) -> None:
        """Something was written that we may not have heard of."""
        self._asked.pop(name, None)
        self._known.pop(name, None)

    def hear(self, name: str, entry: Entry) -> None:
        """Somebody's record goes on."""
        self._asked.pop(name, None)
        known = self._known.get(name)
        if known is None or known[1] >= entry.seq:
            return
        person, seq, _ = known
        del self._known[name]  # whatever happens here, it is old news
        if entry.seq == seq + 1:
            for event in codec.person_body(entry.body).events:
                person = people.evolve(person, event)
            self._known[name] = person, entry.seq, entry.hash


def read_record(store: Store, name: str) -> Record:
    """Read somebody's record from the database."""
    kept = store.kept("person", name)
    return codec.person(kept) if kept is not None else (Person(name), 0, START)
