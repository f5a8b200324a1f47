"""What is kept beside the journal: all of it can be had from there, and the audit compares."""

from pitboss.house import codec
from pitboss.house import events as h
from pitboss.house.deed import Deed
from pitboss.house.journal import Entry
from pitboss.house.people import Person
from pitboss.house.table import Snapshot, Table
from pitboss.rulebook import Rulebook


def kept(
    book: Rulebook, entry: Entry, before: Table, deed: Deed
) -> tuple[tuple[str, str, str], ...]:
    """Return what is kept after an entry of a table, besides the journal."""
    rows: list[tuple[str, str, str]] = []
    table = deed.table
    for event in deed.events:
        if isinstance(event, h.TableOpened):
            rows.append(("rulebook", book.sha256, codec.rulebook_text(book)))
        elif isinstance(event, h.RoundPaid):
            span = f"{before.begun} {entry.seq}"
            rows.append(("round", f"{table.id}-{event.round}", span))
    if not table.under_way:
        snapshot = Snapshot(entry.seq, entry.hash, table)
        rows.append(("table", table.id, codec.text(snapshot)))
        if table.meter_cents is not None:
            rows.append(("meter", table.id, str(table.meter_cents)))
    return tuple(rows)


def kept_person(entry: Entry, person: Person) -> tuple[tuple[str, str, str], ...]:
    """Return what is kept after an entry of a person."""
    return (("person", person.id, codec.text((person, entry.seq, entry.hash))),)
