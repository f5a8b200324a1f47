"""Projections: what is kept beside the journal, and the snapshots that a process holds in memory.

All of it can be had from the journal, and the audit compares. A table is kept as it stands between
rounds, a person as they stand now, so that start-up reads one row each and not the journal.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

import msgspec

from pitboss.house.books.ledger import claims
from pitboss.house.books.papers import FormRecord, HeldWinnings, RoundClaim
from pitboss.house.people import persons
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.journal import START, Entry
from pitboss.house.storage.reader import Reader
from pitboss.house.table import events as h
from pitboss.house.table import records
from pitboss.house.table.evolve import asked, evolve
from pitboss.house.table.state import CapNotice, Table, TableSnapshot, is_patron
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
        if type(event) not in _KEEPS:  # most events
            continue
        if isinstance(event, h.TableOpened):
            rows.append(("rulebook", book.sha256, codec.rulebook_text(book)))
        elif isinstance(event, h.RoundPaid):
            name = f"{table.id}-{event.round}"
            rows.append(("round", name, f"{before.begun} {entry.seq}"))
            rows += _played(name, entry.at, event, unit.people)
        elif isinstance(event, h.SeatTaken) and is_patron(event.person):
            rows.append(("patron", event.person, event.name))
        elif isinstance(event, h.RoundAdjusted):
            name, past = f"{table.id}-{event.round}", unit.now.past
            rows.append(("adjusted", name, str(entry.seq)))
            if past is not None:  # whoever had a wager in it after all has played it, too
                rows += _played(name, past.paid_at, event.paid, past.people)
        if isinstance(event, h.RoundPaid | h.RoundAdjusted):
            owed = records.claims(before, unit, event).values()
            rows += (("claim", each.id, codec.text(each)) for each in owed)
        if isinstance(event, h.RoundPaid | h.RoundAdjusted) and not table.practice:
            forms, held = records.written(book, entry.seq, before, unit, event)
            rows += (("form", each.id, codec.text(each)) for each in forms)
            rows += (("held", each.id, codec.text(each)) for each in held)
    if table.notices is not before.notices:
        for number in {**before.notices, **table.notices}:
            now = table.notices.get(number)
            if now != before.notices.get(number):
                rows.append(("notice", f"{table.id}-{number}", codec.text(now) if now else ""))
    if before.adjustment != table.adjustment:
        asked_for = str(table.adjustment.round) if table.adjustment is not None else ""
        rows.append(("adjustment", table.id, asked_for))
    if not table.under_way:
        snapshot = TableSnapshot(entry.seq, entry.hash, table)
        rows.append(("table", table.id, codec.text(snapshot)))
        if table.meter_cents is not None:
            rows.append(("meter", table.id, str(table.meter_cents)))
    return tuple(rows)


_KEEPS = {h.TableOpened, h.RoundPaid, h.SeatTaken, h.RoundAdjusted}


def played(person: str) -> str:
    """Return the kind of the rows that list a person's finished rounds by the time of payment."""
    return f"played:{person}"


def _played(
    name: str, at: int, paid: h.RoundPaid, people: Mapping[int, str]
) -> Iterator[tuple[str, str, str]]:
    who = (people[seat.seat] for seat in paid.seats)
    return (
        (played(each), f"{at:015d}-{name}", name)
        for each in who
        if not (each.startswith("bot-") or is_patron(each))
    )


def kept_person(
    entry: Entry, person: Person, events: Sequence[persons.PersonEvent] = ()
) -> tuple[tuple[str, str, str], ...]:
    rows = [("person", person.id, codec.text((person, entry.seq, entry.hash)))]
    for event in events:
        if isinstance(event, persons.HeldEvent):
            rows += (("held", each, "") for each in event.of)
        if isinstance(event, persons.HeldReleased):
            rows += (("form", each.id, codec.text(each)) for each in event.forms)
        elif isinstance(event, persons.HeldTurnedOver):
            rows += (("turned-over", each.id, codec.text(each)) for each in event.left)
        elif isinstance(event, persons.ClaimCollected):
            left = event.left
            rows += (("held", each.id, codec.text(each) if each.cents else "") for each in left)
        if isinstance(event, persons.ClaimEvent):
            rows += (("claim", each.id, codec.text(each)) for each in event.claims)
    return tuple(rows)


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


MOST_CLOSED = 50
"""Tables that were closed, as they are offered to be opened again."""


def open_tables(store: Reader) -> list[str]:
    tables = _tables(store, "AND value LIKE ?", _OPEN)
    return [table.id for table in tables if table.open]


def closed_tables(store: Reader) -> list[str]:
    """Return the tables with real chips that were closed, the last ones first: at most a few."""
    tables = _tables(store, "AND value NOT LIKE ? AND value NOT LIKE ?", _OPEN, _PRACTICE)
    closed = [table for table in tables if not (table.open or table.practice)]
    latest = sorted(closed, key=lambda table: (str(table.closed), table.id), reverse=True)
    return [table.id for table in latest[:MOST_CLOSED]]


_OPEN, _PRACTICE = '%"open":true%', '%"practice":true%'
"""How a table is written of which this is so."""


def _tables(store: Reader, which: str, *values: str) -> list[Table]:
    """Return tables as they are kept; the database leaves the others out, since strangers may have
    closed any number of them."""
    sql = f"SELECT value FROM kept WHERE kind = 'table' {which} ORDER BY name"
    return [codec.snapshot(written).table for (written,) in store.rows(sql, *values)]


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


def held_winnings(store: Reader, person: str = "") -> list[HeldWinnings]:
    """Return what is kept for somebody, or for everybody, the oldest first."""
    kept = [codec.held(written) for written in store.all_kept("held").values() if written]
    mine = (each for each in kept if person in ("", each.person))
    return sorted(mine, key=lambda each: (each.day, each.id))


def claims_of(store: Reader, person: str) -> list[RoundClaim]:
    """Return what somebody owes, a round after the other, the oldest first."""
    kept = [codec.claim(written) for written in store.all_kept("claim").values()]
    mine = (each for each in kept if each.person == person and each.cents and not each.practice)
    return sorted(mine, key=lambda each: (each.since, each.id))


def tables_of(store: Reader, person: str) -> set[str]:
    """Return the tables at which somebody has played, or has something kept or owed."""
    names = [*store.all_kept(played(person)).values()]
    names += (each.round for each in held_winnings(store, person))
    names += (each.round for each in claims_of(store, person))
    return {name.rpartition("-")[0] for name in names}


def form_records(store: Reader) -> list[FormRecord]:
    """Return the forms that were made out, the newest first."""
    kept = [codec.form(written) for written in store.all_kept("form").values()]
    return sorted(kept, key=lambda each: (each.day, each.id), reverse=True)


def asked_adjustments(store: Reader) -> list[str]:
    """Return the tables of which a paid round waits to be put right; they may be closed."""
    return [name for name, number in store.all_kept("adjustment").items() if number]


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


def name_of(store: Reader, person: str) -> str:
    """Return what somebody is called by now: a guest may have kept a name since, and who has no
    account goes by a label."""
    if is_patron(person):
        return store.kept("patron", person) or person
    bot, _, seat = person.rpartition("-")
    return read_record(store, person)[0].name or (
        f"Bot {seat}" if bot.startswith("bot-") else person
    )


class OpenClaim(msgspec.Struct, frozen=True):
    """What somebody was paid too much and owes."""

    owes: str
    """A person; or the dealers, as ``tokes:TABLE``."""
    cents: int
    since: int
    """When they first owed of it: milliseconds since 1970, UTC."""
    stream: str
    """In which that was written."""


def open_claims(store: Reader) -> list[OpenClaim]:
    """Return what is owed in real chips, the oldest first."""
    prefix = claims("", practice=False)
    sql = "SELECT account, cents FROM balances WHERE account LIKE ? AND cents > 0"
    found = []
    for account, cents in store.rows(sql, f"{prefix}%"):
        owed = since = 0
        stream = ""
        for moved, at, where in store.rows(_MOVED, account):
            if not owed:
                since, stream = at, where
            owed += moved
        found.append(OpenClaim(account.removeprefix(prefix), cents, since, stream))
    return sorted(found, key=lambda each: (each.since, each.owes))


_MOVED = """SELECT ledger.cents, journal.at, journal.stream FROM ledger
    JOIN journal ON journal.position = ledger.position
    WHERE account = ? ORDER BY ledger.position, line"""

PEOPLE_LISTED = 50
"""Names on a page of the list of people."""


def list_people(store: Reader, part: str, role: str, after: str) -> list[str]:
    """Return names in their order after one of them, and one more than are listed if there are as
    many; guests without a name are found by theirs alone. The part is of letters that names have.
    """
    strangers = "" if part.startswith(persons.GUEST) else f"AND name NOT LIKE '{persons.GUEST}%'"
    sql = f"""SELECT name FROM kept WHERE kind = 'person' AND name > ? AND name LIKE ?
        AND value LIKE ? {strangers} ORDER BY name LIMIT {PEOPLE_LISTED + 1}"""
    has_role = f'%"{role}"%' if role else "%"
    return [name for (name,) in store.rows(sql, after, f"%{part}%", has_role)]
