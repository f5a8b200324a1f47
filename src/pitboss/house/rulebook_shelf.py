"""The shelf: the rulebooks that tables of this house can be opened with, shipped and adopted.

A book is adopted by an entry of the house's own stream, which names it by its hash; the shelf is a
projection of that stream. The books themselves are kept by hash and for good, so that tables that
are open, replays and audits go on with the version that they began with. An adopted book stands in
the place of a shipped one of the same id.
"""

import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict

from pitboss.errors import refuse
from pitboss.house.house_stream import next_entry
from pitboss.house.people import permissions
from pitboss.house.people.persons import RulebookAdopted
from pitboss.house.storage import codec
from pitboss.house.storage.batch import EntryDraft, fence
from pitboss.house.storage.journal import COLUMNS, Entry
from pitboss.house.storage.projections import read_record, rulebook
from pitboss.house.storage.reader import Reader, Unavailable
from pitboss.house.storage.store import TRIES, Conflict, Store
from pitboss.rulebook import Rulebook, ids, load

MOST_BOOKS = 50
"""Ids that a house may have adopted books for; versions of one are not counted."""

CONSOLE = permissions.HOUSE
"""Who adopts a book at the console in nobody's name."""

Query = Callable[..., Any]
"""What answers a query: a store's ``rows``, or an audit's."""


class Adoption(msgspec.Struct, frozen=True):
    """How a book came to the shelf."""

    rulebook: str
    sha256: str
    approved: datetime.date | None
    """When the regulator approved it, where the house says so."""
    why: str
    actor: str
    at: int
    """When it was adopted: milliseconds since 1970, UTC."""


class Shelf:
    """Every rulebook of a house by id, as it stands now."""

    def __init__(self, adopted: Mapping[str, tuple[Adoption, Rulebook]] | None = None) -> None:
        found = adopted or {}
        self.adoptions = {name: adoption for name, (adoption, _) in found.items()}
        shipped = {name: load(name) for name in ids() if name not in found}
        books = shipped | {name: book for name, (_, book) in found.items()}
        self._books = dict(sorted(books.items()))

    @property
    def books(self) -> list[Rulebook]:
        """All of them, in the order of their ids."""
        return [*self._books.values()]

    @property
    def currency(self) -> str:
        """The house's own: that of its books, where all have one."""
        several = {book.currency for book in self.books}
        return several.pop() if len(several) == 1 else ""

    def find(self, name: str) -> Rulebook:
        if name not in self._books:
            known = ", ".join(self._books)
            raise refuse("rulebook/unknown", f"the rulebooks are {known}", "", "rulebook")
        return self._books[name]

    def version(self, name: str) -> str:
        """Return the hash of the book of this id; empty where there is none."""
        return self._books[name].sha256 if name in self._books else ""

    def holds(self, book: Rulebook) -> bool:
        """Whether this very version is the one on the shelf."""
        return self.version(book.id) == book.sha256


def read_shelf(store: Reader) -> Shelf:
    adopted = {}
    for name, written in store.all_kept("shelf").items():
        adoption = _DECODER.decode(written)
        adopted[name] = adoption, rulebook(store, adoption.sha256)
    return Shelf(adopted)


def read_version(store: Reader, name: str, sha256: str) -> Rulebook:
    """Read a version of a book that was adopted, or that a table was opened with."""
    known = _SHA256.fullmatch(sha256) and store.kept("rulebook", sha256) is not None
    if not known or (found := rulebook(store, sha256)).id != name:
        message = f"there is no such version of {name[:60]!r} here"
        raise refuse("rulebook/unknown", message, "", "rulebook")
    return found


def history(rows: Query) -> list[Adoption]:
    return [
        _adoption(Entry(*row), event)
        for row in rows(_HOUSE)
        for event in codec.person_body(row[5]).events
        if isinstance(event, RulebookAdopted)
    ]


def adopt(
    store: Store,
    book: Rulebook,
    *,
    at: int,
    actor: str = CONSOLE,
    approved: datetime.date | None = None,
    why: str = "",
) -> Adoption | None:
    """Put a book that was checked on the shelf; None where this version stands there already."""
    for _ in range(TRIES):
        event = RulebookAdopted(book.id, book.sha256, approved, why)
        who, record, _ = read_record(store, actor)
        permissions.allow_event(who, "", event)
        entry = next_entry(store, at, actor, "", event, record)
        kept = store.all_kept("shelf")
        before = _DECODER.decode(kept[book.id]) if book.id in kept else None
        if before is not None:
            if before.sha256 == book.sha256 and approved in (None, before.approved):
                return None
        elif len(kept) >= MOST_BOOKS:
            raise refuse("shelf/full", f"the shelf holds {MOST_BOOKS} adopted rulebooks")
        try:
            shelved, relied = kept_adoption(entry, event, book), fence({actor: record})
            store.append(EntryDraft(entry, kept=shelved, relied=relied)).result()
        except Conflict:
            continue
        return _adoption(entry, event)
    raise Unavailable("others are quicker all the time; try again")


def kept_adoption(
    entry: Entry, event: RulebookAdopted, book: Rulebook
) -> tuple[tuple[str, str, str], ...]:
    """Return what is kept after an adoption, besides the journal."""
    return (
        ("rulebook", event.sha256, codec.rulebook_text(book)),
        ("shelf", event.rulebook, codec.text(_adoption(entry, event))),
    )


def _adoption(entry: Entry, event: RulebookAdopted) -> Adoption:
    return Adoption(**asdict(event), actor=entry.actor, at=entry.at)


_SHA256 = re.compile("[0-9a-f]{64}")
_DECODER = msgspec.json.Decoder(Adoption)
_HOUSE = f"{COLUMNS} WHERE stream = 'house' ORDER BY seq"
