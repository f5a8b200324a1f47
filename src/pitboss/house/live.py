"""A table that is open in this process, and how it is read back from the database."""

from pitboss.house import codec
from pitboss.house import table as tables
from pitboss.house.journal import Entry
from pitboss.house.store import Store
from pitboss.house.table import Table
from pitboss.rulebook import Rulebook


class Live:
    """A table that this process knows."""

    def __init__(self, book: Rulebook, table: Table, seq: int, link: str) -> None:
        self.book, self.table, self.seq, self.link = book, table, seq, link
        self.changed = 0
        """When this process saw something happen here."""

    def after(self, entry: Entry) -> "Live":
        """Return the table after its next entry."""
        table = self.table
        for event in codec.body(entry.body).events:
            table = tables.evolve(self.book, table, event)
        return Live(self.book, table, entry.seq, entry.hash)


def open_tables(store: Store) -> list[str]:
    """Return the names of all tables that are open."""
    kept = store.all_kept("table")
    return [name for name, written in kept.items() if codec.snapshot(written).table.open]


def read_table(store: Store, name: str) -> Live | None:
    """Read a table: as it was kept between rounds, and what has happened since."""
    kept = store.kept("table", name)
    if kept is None:
        return None
    snapshot = codec.snapshot(kept)
    written = store.kept("rulebook", snapshot.table.sha256)
    assert written is not None, "a table's rulebook is kept with it"
    live = Live(_book(written), snapshot.table, snapshot.seq, snapshot.hash)
    for entry in store.entries(f"table:{name}", live.seq):
        live = live.after(entry)
    return live


_books: dict[str, Rulebook] = {}


def _book(written: str) -> Rulebook:
    """Read a rulebook once for all tables that use it."""
    found = _books.get(written)
    if found is None:
        found = _books[written] = codec.rulebook(written)
    return found
