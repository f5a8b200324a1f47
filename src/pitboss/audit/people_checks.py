"""The streams of people and of the house itself, told again: who everybody was at each entry, and
which settings held."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pitboss.audit.paper_checks import PaperChecks
from pitboss.audit.promises import ROLES, SAME_BYTES, Findings
from pitboss.audit.record_checks import KeptRow, impossible, misquoted, no_setting
from pitboss.errors import PitbossError, Refused
from pitboss.house.books.ledger import Posting
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person
from pitboss.house.rulebook_shelf import kept_adoption
from pitboss.house.settings import Settings
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import kept_person
from pitboss.house.table import events as h
from pitboss.house.table.state import PATRON, Table
from pitboss.rulebook import Rulebook

KeptRows = tuple[tuple[str, str, str], ...]
"""Rows that ought to be kept besides the journal."""


class PeopleChecks:
    """Everybody, and the settings, as far as the journal was heard."""

    def __init__(
        self,
        findings: Findings,
        papers: PaperChecks,
        books: Mapping[str, Rulebook],
        kept: KeptRow,
    ) -> None:
        self._check, self._count, self._broke = findings.check, findings.count, findings.broke
        self._papers, self._books, self._kept = papers, books, kept
        self._people: dict[str, Person] = {}
        self._shelf: dict[str, str] = {}
        """The hash of every book that was adopted, by its id."""
        self._keeps = ""
        """The guest who keeps a name that was just taken for them."""
        self.settings = Settings({})

    def now(self, name: str) -> Person:
        return self._people.get(name) or Person(name)

    def allowed(self, actor: str, name: str, events: Sequence[persons.PersonEvent]) -> None:
        """See that somebody may have all of this happen to a record."""
        self._check(SAME_BYTES, events, "an entry in which nothing happens")
        for event in events:
            self._count(ROLES)
            try:
                permissions.allow_event(self.now(actor), name, event)
            except Refused:
                tag = event.__struct_config__.tag
                self._broke(ROLES, f"{actor} may not do this: {tag}")

    def follows(self, stream: str) -> None:
        """Hear where the journal goes on: right after a name was taken its guest keeps it."""
        alone = self._keeps and stream != f"person:{self._keeps}"
        self._check(ROLES, not alone, f"a name was taken for {self._keeps}, who did not keep it")
        self._keeps = ""

    def person(
        self, name: str, entry: Entry, events: tuple[persons.PersonEvent, ...]
    ) -> tuple[list[Posting], KeptRows]:
        """Hear of a person; return what must have been posted, and what ought to be kept."""
        after = self.now(name)
        moved: list[Posting] = []
        for event in events:
            never = impossible(after, entry.actor, event)
            self._check(ROLES, not never, never)
            for each in misquoted(event, self._kept, self._books):
                self._check(SAME_BYTES, False, f"what is said of {each} is not what was kept")
            if isinstance(event, persons.NameKept):
                self._keeps = event.person if name == event.name else ""
                free = not after.exists
                own = not after.alias and self.now(event.name).alias == name
                right = free if name == event.name else own
                self._check(ROLES, right, f"the name {event.name} is not {event.person}'s to keep")
            if isinstance(event, persons.PersonAdded):
                self._check(ROLES, not after.exists, f"the name {name} was given before")
            self._papers.hear(after, event, self.settings.day(entry.at), entry.actor)
            after = persons.evolve(after, event)
            moved += persons.postings(name, event)
        self._people[name] = after
        return moved, kept_person(entry, after, events)

    def house(self, entry: Entry, events: tuple[persons.PersonEvent, ...]) -> KeptRows:
        """Hear what the house changes about itself; return what ought to be kept."""
        kept: KeptRows = ()
        for event in events:
            if isinstance(event, persons.RulebookAdopted):
                book = self._books.get(event.sha256)
                if book is None:
                    raise PitbossError("the rulebook that was adopted is not kept")
                if book.id != event.rulebook:
                    raise PitbossError(f"{event.rulebook} was adopted, and {book.id} is kept")
                self._shelf[event.rulebook] = event.sha256
                kept += kept_adoption(entry, event, book)
                continue
            assert isinstance(event, persons.SettingChanged), "an event of somebody's record"
            never = no_setting(event)
            self._check(ROLES, not never, never)
            self.settings = self.settings.changed(event.name, event.value, entry.seq)
            kept += (("setting", event.name, event.value),)
        return kept

    def opened(self, event: h.TableOpened) -> None:
        """See that chips are played for by the rules that stood on the shelf; those that were never
        adopted are what the program brought."""
        same = event.practice or self._shelf.get(event.rulebook, event.sha256) == event.sha256
        self._check(ROLES, same, f"{event.rulebook} was not on the shelf like this")

    def known_players(self, table: Table, events: Sequence[h.TableEvent]) -> None:
        """See that a table knew of who sat there, and who sits down, what the house knew; whose
        seat was paid is known as they were then."""
        sitters = ((n, each) for n, each in table.sitters.items() if n not in table.paid)
        known = {seat: (each.person, each.player) for seat, each in sitters}
        for event in events:
            if isinstance(event, h.PlayerKnown) and event.seat in known:
                known[event.seat] = known[event.seat][0], event.player
        sat = [each for each in events if isinstance(each, h.SeatTaken)]
        for person, player in [*known.values(), *((each.person, each.player) for each in sat)]:
            if not person.startswith(("bot-", PATRON)):  # of these nothing is on record
                ought = self.now(person).player
                if table.practice:  # nobody asks for papers there
                    ought = replace(ought, identified=True, tin=True)
                right = player == ought
                self._check(ROLES, right, f"what is known of {person} is not in their record")
