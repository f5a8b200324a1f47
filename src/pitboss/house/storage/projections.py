"""Projections: what is kept beside the journal, and the snapshots that a process holds in memory.

All of it can be had from the journal, and the audit compares. A table is kept as it stands between
rounds, a person as they stand now, so that start-up reads one row each and not the journal.
"""

from collections.abc import Awaitable, Callable

from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.journal import START, Entry
from pitboss.house.storage.reader import Reader
from pitboss.house.table import events as h
from pitboss.house.table.evolve import asked, evolve
from pitboss.house.table.state import CapNotice, Table, TableSnapshot
from pitboss.house.table.unit_of_work import UnitOfWork
from pitboss.rulebook import Rulebook

# Written with every entry -------------------------------------------------------------------


def kept(
    book: Rulebook, entry: Entry, before: Table, unit: UnitOfWork
) -> tuple[tuple[str, str, str], ...]:
    """Return what is kept after an entry of a table, besides the journal."""
    rows: list[tuple[str, str, str]] = []
    table = unit.table
    for event in unit.events:
        if isinstance(event, h.TableOpened):
            rows.append(("rulebook", book.sha256, codec.rulebook_text(book)))
        elif isinstance(event, h.RoundPaid):
            name = f"{table.id}-{event.round}"
            rows.append(("round", name, f"{before.begun} {entry.seq}"))
            people = (unit.people[seat.seat] for seat in event.seats)
            rows += (
                (played(who), f"{entry.at:015d}-{name}", name)
                for who in people
                if not who.startswith("bot-")
            )
        elif isinstance(event, h.RoundAdjusted):
            rows.append(("adjusted", f"{table.id}-{event.round}", str(entry.seq)))
    told = (each for each in unit.events if isinstance(each, _NOTIFIES))
    for number in (each.round for each in told):
        if number in before.notices or number in table.notices:
            notice = table.notices.get(number)
            rows.append(("notice", f"{table.id}-{number}", codec.text(notice) if notice else ""))
    if not table.under_way:
        snapshot = TableSnapshot(entry.seq, entry.hash, table)
        rows.append(("table", table.id, codec.text(snapshot)))
        if table.meter_cents is not None:
            rows.append(("meter", table.id, str(table.meter_cents)))
    return tuple(rows)


_NOTIFIES = h.RoundPaid | h.RoundAdjusted | h.NoticeAcknowledged


def played(person: str) -> str:
    """Return the kind of the rows that list a person's finished rounds by the time of payment."""
    return f"played:{person}"


def kept_person(entry: Entry, person: Person) -> tuple[tuple[str, str, str], ...]:
    return (("person", person.id, codec.text((person, entry.seq, entry.hash))),)


# Tables --------------------------------------------------------------------------------------


class LoadedTable:
    """A table that this process knows."""

    def __init__(self, book: Rulebook, table: Table, seq: int, link: str) -> None:
        self.book, self.table, self.seq, self.link = book, table, seq, link
        self.changed = 0
        """When this process saw something happen here."""

    def after(self, entry: Entry) -> "LoadedTable":
        table = asked(self.table, entry.actor)
        for event in codec.body(entry.body).events:
            table = evolve(self.book, table, event)
        return LoadedTable(self.book, table, entry.seq, entry.hash)


def open_tables(store: Reader) -> list[str]:
    kept = store.all_kept("table")
    return [name for name, written in kept.items() if codec.snapshot(written).table.open]


def read_table(store: Reader, name: str) -> LoadedTable | None:
    """Read a table: as it was kept between rounds, and what has happened since."""
    kept = store.kept("table", name)
    if kept is None:
        return None
    snapshot = codec.snapshot(kept)
    book = rulebook(store, snapshot.table.sha256)
    live = LoadedTable(book, snapshot.table, snapshot.seq, snapshot.hash)
    for entry in store.entries(f"table:{name}", live.seq):
        live = live.after(entry)
    return live


def open_notices(store: Reader) -> list[tuple[str, int, CapNotice]]:
    """Return the uses of a ceiling of which somebody must still hear: table, round, notice."""
    kept = store.all_kept("notice")
    names = ((name.rpartition("-"), written) for name, written in kept.items() if written)
    return [(table, int(number), codec.notice(written)) for (table, _, number), written in names]


_books: dict[str, Rulebook] = {}


def rulebook(store: Reader, sha256: str) -> Rulebook:
    """Read rules that are in force somewhere or once were: once for all tables and rounds.

    Reading them anew, and laying out their pay tables, takes longer than all the rest.
    """
    found = _books.get(sha256)
    if found is None:
        written = store.kept("rulebook", sha256)
        assert written is not None, "a table's rulebook is kept with it"
        found = _books[sha256] = codec.rulebook(written, sha256)
    return found


# People --------------------------------------------------------------------------------------

MOST_PEOPLE = 50_000
"""Records that are remembered at once."""

Record = tuple[Person, int, str]
"""Who somebody is, and the number and hash of the last entry that says so."""


class PeopleCache:
    """What is known of people; entries that are heard of keep it true."""

    def __init__(self, read: Callable[[str], Awaitable[Record]]) -> None:
        self._read = read
        self._known: dict[str, Record] = {}
        self._asked: dict[str, object] = {}
        """Who is being read; an entry that comes meanwhile makes it old news."""

    async def of(self, name: str) -> Record:
        known = self._known.get(name)
        if known is None:
            if len(self._known) > MOST_PEOPLE:
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
                person = persons.evolve(person, event)
            self._known[name] = person, entry.seq, entry.hash


def read_record(store: Reader, name: str) -> Record:
    kept = store.kept("person", name)
    return codec.person(kept) if kept is not None else (Person(name), 0, START)


def read_person_after(store: Reader, entry: Entry) -> Person:
    """Return who somebody was once this entry of theirs was written."""
    name = entry.stream.partition(":")[2]
    person, seq, _ = read_record(store, name)
    if seq != entry.seq:
        person = Person(name)
        for each in store.entries(entry.stream, limit=entry.seq):
            for event in codec.person_body(each.body).events:
                person = persons.evolve(person, event)
    return person
