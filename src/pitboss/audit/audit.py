"""The audit: the whole journal once more, from the first entry to the last.

Every command is done again with the person, the time and the sealed deck that the journal names,
and must give the same bytes. What the database holds besides the journal (the ledger, balances,
tables, meters, people, settings) is worked out anew and compared. Whatever a changed byte does to a
row, it is a finding with its place, and never an end of the audit.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.audit.anchors import Anchor
from pitboss.audit.ledger_lines import LedgerLines, of_kinds
from pitboss.audit.paper_checks import PaperChecks
from pitboss.audit.people_checks import PeopleChecks
from pitboss.audit.promises import (
    CONSERVED,
    NOTHING_LOST,
    ONCE,
    ROLES,
    SAME_BYTES,
    Findings,
    Promise,
)
from pitboss.audit.signatures import ROWS, Signatures
from pitboss.audit.snapshot import Snapshot
from pitboss.audit.table_checks import PlayedRound, TableChecks
from pitboss.cards import DECK
from pitboss.errors import PitbossError, Refused
from pitboss.house.books.ledger import MAY_OWE, Posting, chips, pool
from pitboss.house.deck_safe import DeckSafe
from pitboss.house.people import permissions
from pitboss.house.storage import codec
from pitboss.house.storage.database_rules import differences, expected
from pitboss.house.storage.journal import COLUMNS, START, Entry, joined, linked
from pitboss.house.storage.past_rounds import read_past
from pitboss.house.storage.projections import kept
from pitboss.house.storage.signing import SigningKey
from pitboss.house.storage.store import LARGEST_BATCH
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import procedure
from pitboss.house.table.dealing import dealt
from pitboss.house.table.fair import LockedDeck, Sealed, order
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import CLOCK, Actor, Context, UnitOfWork
from pitboss.rulebook import Rulebook

PROCEDURES = {procedure.VERSION: procedure.do}
"""By version: what does a command of an entry again."""

EARLY_MS = 1_000
"""A time-out that is written so much before the deadline that was shown is no rounding."""

BATCH_MS = 60_000
"""Entries that were written this far apart were not written together."""


class Audit(msgspec.Struct, frozen=True):
    """What was found of a whole house."""

    promises: tuple[Promise, ...]
    entries: int
    """How many entries the journal has."""
    hash: str
    """One hash over all of them, worked out anew."""
    anchors: int
    """How many earlier anchors it was compared with."""
    signatures: int
    """How many signatures fit."""
    called_off: int
    """How many rounds with a sealed deck were void after bets were down."""
    early: int
    """How many time-outs were written more than a second before the deadline that was shown: the
    house's time was set back meanwhile, for tables wait by what has elapsed."""
    unchecked: tuple[str, ...]
    """What could not be looked at, and why."""
    broken: str
    """The place that was found broken first; empty where all holds."""

    @property
    def anchor(self) -> Anchor:
        """Keep it elsewhere, and nothing before it can change unseen, not even all at once."""
        return Anchor(self.entries, self.hash)


def audit(
    snapshot: Snapshot,
    heard: Callable[[int], None] = lambda _: None,
    anchors: Iterable[Anchor] = (),
    keys: Sequence[SigningKey] = (),
) -> Audit:
    """Audit a whole house; ``heard`` is told of every entry's position."""
    walk = _Walk(snapshot, heard, anchors, keys)
    walk.database()
    walk.journal(_JOURNAL, _LEDGER)
    walk.end()
    return Audit(
        promises=walk.findings.promises(),
        entries=walk.entries,
        hash=walk.whole,
        anchors=walk.anchored,
        signatures=walk.signatures.count,
        called_off=walk.findings.called_off,
        early=walk.findings.early,
        unchecked=tuple(walk.unchecked),
        broken=walk.findings.first,
    )


class RoundAudit(msgspec.Struct, frozen=True):
    """What was found of one round."""

    told: PlayedRound
    table: Table
    entries: int
    broken: str
    """The first broken place of the table's story up to this round; empty where all holds."""


def audit_round(snapshot: Snapshot, name: str) -> RoundAudit:
    """Audit one round (``TABLE-NUMBER``), with all that led to it."""
    table, _, number = name.rpartition("-")
    found = list(snapshot.rows("SELECT value FROM kept WHERE kind = 'round' AND name = ?", name))
    try:
        first, last = map(int, found[0][0].split())
    except (IndexError, ValueError, AttributeError):
        raise PitbossError(f"there is no finished round {name[:60]!r}") from None
    stream = f"table:{table}"
    walk = _Walk(snapshot, only=f"{table}-")
    mine = _JOURNAL.replace("ORDER", f"WHERE {_UP_TO} ORDER")
    lines = _LEDGER.replace("ORDER", f"WHERE {_POSTED_UP_TO} ORDER")
    walk.journal(mine, lines, stream, stream, last, gaps=False)
    known = walk.tables.get(table)
    told = known.story.last if known is not None else None
    if known is None or told is None or told.name != f"{table}-{number}":
        why = walk.findings.first or "its story ends elsewhere"
        raise PitbossError(f"round {name[:60]} cannot be retold: {why}")
    return RoundAudit(told, known.table, last - first + 1, walk.findings.first)


class _Known(msgspec.Struct):
    """A table as far as it was replayed."""

    table: Table
    story: TableChecks
    book: Rulebook | None = None


class _Walk:
    """The audit on its way through the journal."""

    def __init__(
        self,
        snapshot: Snapshot,
        heard: Callable[[int], None] = lambda _: None,
        anchors: Iterable[Anchor] = (),
        keys: Sequence[SigningKey] = (),
        only: str = "",
    ) -> None:
        self.snapshot, self.heard = snapshot, heard
        self.findings = found = Findings()
        self._count, self._check, self._broke = found.count, found.check, found.broke
        self._only = only
        self.tables: dict[str, _Known] = {}
        self._books: dict[str, Rulebook] = {}
        self.papers = PaperChecks(found, only)
        self.people = PeopleChecks(found, self.papers, self._books, self.worked_out)
        self._links: dict[str, tuple[int, str, str]] = {}
        """By stream: number and hash of the last entry, and that hash worked out anew."""
        self._kept: dict[tuple[str, str], str] = {}
        """What ought to be kept besides the journal."""
        self._sums: Counter[str] = Counter()
        self._owing: dict[str, tuple[int, int]] = {}
        """By account that holds less than nothing: since which entry, and when that was."""
        self.unchecked = [] if keys else ["signatures: name the key's file with --signing-key"]
        self._safes = {key.id: DeckSafe(key) for key in keys}
        self.signatures = Signatures(snapshot.rows(ROWS), keys, found, snapshot.failed)
        self.entries = 0
        self.whole = ""
        self._anchors: dict[int, set[str]] = {}
        """By entries: hashes that must still be so; those that were met are taken out."""
        for each in anchors:
            self._anchors.setdefault(each.entries, set()).add(each.hash)
        self.anchored = sum(map(len, self._anchors.values()))
        self._read_books()

    # The database -------------------------------------------------------------------------------

    def database(self) -> None:
        """Let a file look after itself, and see that no key was used twice, nor can be."""
        with self._reading(SAME_BYTES, "database"):
            if self.snapshot.is_file:
                for (said,) in self.snapshot.rows("PRAGMA integrity_check"):
                    self._check(SAME_BYTES, said == "ok", str(said))
        with self._reading(ONCE, "journal"):
            for stream, actor, key, times in self.snapshot.rows(_KEYS_TWICE):
                why = f"key {key} of {actor} was used {times} times"
                self._broke(ONCE, why, f"journal {stream}")
        try:
            ought = expected(self.snapshot.database)
        except self.snapshot.failed as error:
            self.unchecked.append(f"the database's own rules: {' '.join(str(error).split())}")
            return
        with self._reading(ONCE, "database"):
            for table, wrong in differences(ought, self.snapshot.rules()):
                promise = CONSERVED if table in ("ledger", "balances") else ONCE
                self._broke(promise, wrong, f"database {table}")

    @contextmanager
    def _reading(self, promise: int, place: str) -> Iterator[None]:
        """Make a finding of rows that the database itself cannot read."""
        self.findings.place = place
        try:
            yield
        except self.snapshot.failed as error:
            self._broke(promise, f"cannot be read: {error}", place)

    def _read_books(self) -> None:
        with self._reading(SAME_BYTES, "kept rulebook"):
            for name, value in self.snapshot.rows(_RULEBOOKS):
                try:
                    self._books[str(name)] = codec.rulebook(value, name)
                except Exception as error:
                    self._broke(SAME_BYTES, f"unreadable: {error}", f"kept rulebook {name}")

    # The journal and the ledger -----------------------------------------------------------------

    def journal(self, journal: str, ledger: str, *values: Any, gaps: bool = True) -> None:
        """Walk through both at once; ``gaps`` says whether every position must be there."""
        lines = LedgerLines(
            self.snapshot.rows(ledger, *values), self.findings, self.snapshot.failed
        )
        position = 0
        with self._reading(NOTHING_LOST, "journal"):
            for row in self.snapshot.rows(journal, *values):
                self.entries += 1
                self._count(NOTHING_LOST)
                self._count(SAME_BYTES)
                self.findings.place = f"journal {row[-1]} ({row[0]} {row[1]})"
                if not of_kinds(row, (str, int, int, str, str, str, str, int)):
                    self._broke(SAME_BYTES, "a value is not of its kind")
                    position += 1
                    continue
                entry = Entry(*row)
                follows = not gaps or entry.position == position + 1
                self._check(NOTHING_LOST, follows, f"the position after {position} is missing")
                position = entry.position
                self._hear(entry, lines.of(position))
                self.signatures.hear(position, self.whole)
                for hash_ in self._anchors.pop(position, ()):
                    why = f"the journal up to here was {hash_} once, and is {self.whole} now"
                    self._check(SAME_BYTES, hash_ == self.whole, why, f"anchor {position}")
                self.heard(position)
        lines.end()

    def _hear(self, entry: Entry, posted: list[Posting]) -> None:
        for account, cents in posted:
            self._sums[account] += cents
        self._overdrawn(entry, posted)
        self._count(ONCE, bool(entry.key))
        ledger = f"ledger {entry.position}"
        try:
            self._chain(entry)
            expected = self._replay(entry, posted)
        except Exception as error:
            self._broke(SAME_BYTES, f"cannot be replayed: {type(error).__name__} {error}")
            # Whoever spoils one entry on purpose hides no line of the ledger behind it.
            for line, theirs in enumerate(posted, start=1):
                why = f"{_said(theirs)}, and its entry cannot be replayed"
                self._broke(CONSERVED, why, f"{ledger} line {line}")
            return
        self._count(CONSERVED, len(posted))
        for line, (theirs, ours) in enumerate(zip(posted, expected, strict=False), start=1):
            if theirs != ours:
                why = f"{_said(theirs)}, not {_said(ours)}"
                self._broke(CONSERVED, why, f"{ledger} line {line}")
        why = f"{len(posted)} lines, and the journal says {len(expected)}"
        self._check(CONSERVED, len(posted) == len(expected), why, ledger)
        self._check(CONSERVED, sum(c for _, c in posted) == 0, "is not balanced", ledger)

    def _overdrawn(self, entry: Entry, posted: list[Posting]) -> None:
        """See that nothing is filled that was overdrawn before; the database holds a batch to its
        sums, so that between its entries that may be. What still is in the end is seen there."""
        if self._only:  # what other tables paid is not heard
            return
        for account in {account for account, _ in posted} - {*MAY_OWE}:
            if self._sums[account] < 0:
                self._owing.setdefault(account, (entry.position, entry.at))
            elif account in self._owing:
                since, at = self._owing.pop(account)
                batch = entry.position - since < 2 * LARGEST_BATCH and entry.at - at < BATCH_MS
                self._check(CONSERVED, batch, f"was overdrawn from entry {since} on", account)

    def _chain(self, entry: Entry) -> None:
        """Look at its link alone, so that a change is found where it was made; what is joined to
        the hash over all is worked out from the first entry on, and takes no stored hash for true.
        """
        seq, stored, link = self._links.get(entry.stream, _NO_LINK)
        anew = linked(entry, link)
        self._links[entry.stream] = (entry.seq, entry.hash, anew.hash)
        self.whole = joined(self.whole, anew)
        self._check(NOTHING_LOST, entry.seq == seq + 1, f"comes after number {seq} of its stream")
        alone = anew if link == stored else linked(entry, stored)
        self._check(SAME_BYTES, alone.hash == entry.hash, "the hash is not that of this entry")

    def _replay(self, entry: Entry, posted: list[Posting]) -> list[Posting]:
        """Do it again; return what it must have posted."""
        kind, _, name = entry.stream.partition(":")
        self.people.follows(entry.stream)
        version = codec.procedure(entry.body)
        if version not in PROCEDURES:
            known = ", ".join(map(str, PROCEDURES))
            raise PitbossError(f"procedure {version} decided it, and this Pitboss knows {known}")
        if kind == "table" and name:
            return self._table(name, entry, posted)
        body = codec.person_body(entry.body)
        same = codec.text(body) == entry.body
        self._check(SAME_BYTES, same, "is not written as we write it")
        self._relied(entry, f"person:{entry.actor}", body.record)
        self.people.allowed(entry.actor, name, body.events)
        if kind == "person" and name:
            moved, rows = self.people.person(name, entry, body.events)
            self._keep(rows)
            return moved
        self._check(SAME_BYTES, entry.stream == "house", "no such stream")
        self._keep(self.people.house(entry, body.events))
        return []

    def _relied(self, entry: Entry, stream: str, version: int) -> None:
        """See that something was decided by what was so when it was written."""
        last = self._links.get(stream, _NO_LINK)[0] - (stream == entry.stream)
        why = f"decided by {stream} {version}, which stood at {last}"
        self._check(ROLES, version == last, why)

    # Tables -------------------------------------------------------------------------------------

    def _table(self, name: str, entry: Entry, posted: list[Posting]) -> list[Posting]:
        known = self.tables.get(name)
        if known is None:
            story = TableChecks(name, self.findings, self._safes, self.papers)
            known = self.tables[name] = _Known(Table(name), story)
        body = codec.body(entry.body)
        command = codec.command(c.Asked, bytes(body.command))
        for event in body.events:
            if isinstance(event, h.TableOpened):
                known.book = self._books.get(event.sha256)
                self.people.opened(event)
        if known.book is None:
            raise PitbossError("its rulebook is not kept")
        self._relied(entry, "house", body.settings)
        who = self._allowed(known.table, entry, body, command)
        before = known.table
        if isinstance(command, c.Tick):
            self.findings.early += before.until - entry.at > EARLY_MS
        now = self._then(before, entry, body)
        if isinstance(command, c.CorrectPaid):
            past = read_past(_Archive(self), name, command.round, self._books.__getitem__)
            now = replace(now, past=past)
        unit = self._again(known.book, before, entry, body, command, who, now)
        if unit is None:
            self._broke(SAME_BYTES, "this command does not lead to these events")
            unit = UnitOfWork(known.book, before, who, now)
            unit.add(*body.events)
        known.table = unit.table
        self.people.known_players(before, body.events)
        self._keep(kept(known.book, entry, before, unit))
        known.story.hear(
            known.book,
            body.events,
            posted,
            entry.actor,
            who.roles,
            now.day,
            now.past,
            entry.seq,
        )
        self._lies_before(known.table)
        return unit.postings

    def _lies_before(self, table: Table) -> None:
        """See that what a table says lies before a patron is what their account holds."""
        for each in table.patrons.values():
            own = chips(each.person, practice=table.practice)
            why = f"{each.chips_cents} lie before {each.person}, and {own} holds {self._sums[own]}"
            self._check(CONSERVED, each.chips_cents == self._sums[own], why)

    def _allowed(self, table: Table, entry: Entry, body: codec.Body, command: Any) -> Actor:
        """Return who asked, as they were then; a finding where they might not."""
        self._count(ROLES)
        if isinstance(command, c.SealAnew) or entry.actor == permissions.HOUSE:
            right = entry.actor == permissions.HOUSE and isinstance(command, c.SealAnew)
            self._check(ROLES, right, f"{entry.actor} is not the house")
            return Actor(entry.actor)
        if isinstance(command, c.Tick) or entry.actor == CLOCK:
            idle = isinstance(command, c.CloseTable) and table.practice
            right = entry.actor == CLOCK and (isinstance(command, c.Tick) or idle)
            self._check(ROLES, right, f"{entry.actor} is not the clock")
            return Actor(entry.actor)
        if entry.actor.startswith("bot-"):
            sitter = table.sitters.get(getattr(command, "seat", 0))
            right = isinstance(command, c.SeatAction) and table.practice
            right = right and sitter is not None and sitter.person == entry.actor
            self._check(ROLES, right, f"{entry.actor} has no seat to play")
            return Actor(entry.actor)
        self._relied(entry, f"person:{entry.actor}", body.record)
        who = self.people.now(entry.actor)
        try:
            roles = permissions.allow_at(table, who, command)
        except Refused:
            roles = permissions.roles_at(table, who)
            tag = command.__struct_config__.tag
            self._broke(ROLES, f"{entry.actor} may not do this: {tag}")
        return permissions.actor(who, roles, record=body.record)

    def _then(self, table: Table, entry: Entry, body: codec.Body) -> Context:
        """Return what the command was decided with: the same time, settings and decks."""
        decks = (
            LockedDeck(event.commitment, event.locked)
            for event in body.events
            if isinstance(event, h.DeckSealed) and event.locked
        )
        players = {
            table.sitters[event.seat].person: event.player
            for event in body.events
            if isinstance(event, h.PlayerKnown) and event.seat in table.sitters
        }
        return Context(
            at=entry.at,
            day=self.people.settings.day(entry.at),
            seal=lambda _: next(decks),
            unlock=partial(_deck_of, table, body.events),
            entry=entry.seq,
            players=players,
            settings=body.settings,
        )

    def _again(
        self,
        book: Rulebook,
        table: Table,
        entry: Entry,
        body: codec.Body,
        command: Any,
        who: Actor,
        now: Context,
    ) -> UnitOfWork | None:
        """Do the command again; None where it comes out otherwise."""
        try:
            unit = PROCEDURES[body.procedure](book, table, command, who, now)
        except (Refused, StopIteration):
            return None
        again = replace(codec.decided(unit, command), procedure=body.procedure)
        return unit if codec.text(again) == entry.body else None

    def _keep(self, rows: tuple[tuple[str, str, str], ...]) -> None:
        for kind, name, value in rows:
            self._kept[kind, name] = value

    def worked_out(self, kind: str, name: str) -> str | None:
        """Return what ought to be kept by now."""
        return self._kept.get((kind, name))

    # What is kept besides -----------------------------------------------------------------------

    def end(self) -> None:
        """Compare what the database holds besides the journal with what it ought to hold."""
        self.signatures.end(self.entries)
        self.findings.place = f"journal {self.entries}"
        self.people.follows("")
        for entries in sorted(self._anchors):
            why = f"the journal had so many entries once, and has {self.entries} now"
            self._broke(NOTHING_LOST, why, f"anchor {entries}")
        with self._reading(NOTHING_LOST, "head"):
            head = list(self.snapshot.rows("SELECT one, position, whole FROM head"))
            ought = (1, self.entries, self.whole)
            for row in head:
                self._check(NOTHING_LOST, row == ought, f"{row}, not {ought}")
            self._check(NOTHING_LOST, len(head) == 1, f"{len(head)} rows, not one")
        with self._reading(CONSERVED, "balances"):
            self._balances()
        with self._reading(SAME_BYTES, "kept"):
            self._rows()

    def _balances(self) -> None:
        left = dict(self._sums)
        for account, cents in self.snapshot.rows("SELECT account, cents FROM balances"):
            ought = left.pop(account, None)
            why = f"{cents}, posted were {ought}"
            self._check(CONSERVED, cents == ought, why, f"balances {account}")
        for account in left:
            self._broke(CONSERVED, "is missing", f"balances {account}")
        for account, cents in self._sums.items():
            may_owe = account in MAY_OWE
            self._check(CONSERVED, cents >= 0 or may_owe, f"owes {-cents}", account)
        self._check(CONSERVED, not sum(self._sums.values()), "is not balanced", "ledger")
        self.papers.balances(self._sums)
        for name, known in self.tables.items():
            held, meter = self._sums[pool(name)], known.table.meter_cents or 0
            why = f"holds {held}, and the meter stands at {meter}"
            self._check(CONSERVED, held == meter, why, pool(name))
            self._lies_before(known.table)

    def _rows(self) -> None:
        left = dict(self._kept)
        for kind, name, value in self.snapshot.rows("SELECT kind, name, value FROM kept"):
            self._count(SAME_BYTES)
            ought = left.pop((kind, name), None)
            unknown = "the journal knows nothing of it"
            why = unknown if ought is None else "is not what the journal says"
            same = ought is not None and value == ought
            self._check(SAME_BYTES, same, why, f"kept {kind} {name}")
        for kind, name in left:
            self._broke(SAME_BYTES, "is missing", f"kept {kind} {name}")


class _Archive:
    """What an audit reads a past round from: its own knowledge of where it stands, and the journal
    that it has heard up to here."""

    def __init__(self, walk: _Walk) -> None:
        self._walk = walk

    def kept(self, kind: str, name: str) -> str | None:
        return self._walk.worked_out(kind, name)

    def entries(self, stream: str, after: int = 0, limit: int = 1_000_000) -> list[Entry]:
        sql = f"{COLUMNS} WHERE stream = ? AND seq > ? ORDER BY seq LIMIT {int(limit)}"
        return [Entry(*row) for row in self._walk.snapshot.rows(sql, stream, after)]


def _deck_of(before: Table, happened: Sequence[h.TableEvent], table: Table) -> Sealed:
    """Return the deck at a table as far as one entry shows it: whole where its round was paid, or
    with the cards that were read up to then. Whether it is the sealed one is seen in the end."""
    for event in happened:
        deck = event.deck if isinstance(event, h.DeckOpened) else None
        if deck is not None and len(deck.cards) == len(DECK):
            return deck
    own = (event for event in happened if not isinstance(event, h.Own))
    shown = dealt((*before.happened, *own)).cards
    places = order(table.commitment, table.cuts)
    known = {place: each for place, each in zip(places, shown, strict=False) if each is not None}
    others = (each for each in DECK if each not in shown)
    cards = (known[place] if place in known else next(others) for place in range(len(DECK)))
    return Sealed(tuple(cards), "")


def _said(posting: Posting) -> str:
    return f"{posting[1]} to {posting[0]}"


_NO_LINK = (0, START, START)
_JOURNAL = f"{COLUMNS} ORDER BY position"
_LEDGER = "SELECT position, line, account, cents FROM ledger ORDER BY position, line"
_RULEBOOKS = "SELECT name, value FROM kept WHERE kind = 'rulebook' ORDER BY name"
_KEYS_TWICE = (
    "SELECT stream, actor, key, COUNT(*) FROM journal WHERE key <> ''"
    " GROUP BY stream, actor, key HAVING COUNT(*) > 1"
)
# People and settings belong to a round: who they were then decides what they might do.
_UP_TO = (
    "(stream = ? OR SUBSTR(stream, 1, 6) <> 'table:') AND position <="
    " (SELECT position FROM journal WHERE stream = ? AND seq = ?)"
)
_POSTED_UP_TO = f"position IN (SELECT position FROM journal WHERE {_UP_TO})"
