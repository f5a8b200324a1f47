"""One command being done at a table: who asks, when, and what has happened so far."""

import datetime
from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss import settle
from pitboss.cards import Card
from pitboss.errors import Refusal, Refused, refuse
from pitboss.house.books.papers import ReleasedWinnings, RoundClaim
from pitboss.house.table import events as h
from pitboss.house.table.evolve import moved
from pitboss.house.table.fair import LockedDeck, Sealed, order
from pitboss.house.table.postings import postings
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Player, SeatSettlement, Settlement

AUTOMATIC = "automatic"
"""Who approves at a practice table, and who calls out where nobody deals."""

CLOCK = "clock"
"""Who acts when time has passed."""

OWNER = "owner"
"""What the person who opened a practice table is there."""


_SEATING = e.BetPlaced | e.BettingClosed | h.RoundCorrected | h.EntryUndone
"""After which others may be in the round than before."""


class Actor(msgspec.Struct, frozen=True):
    """Who asks, and what the table must know of them."""

    person: str
    name: str = ""
    roles: frozenset[str] = frozenset()
    player: Player = Player()
    record: int = 0
    """The version of their record that says so; 0 for the clock and for bots, who have none."""
    session: str = ""
    """The hash of the session in which they ask."""


class PastRound(msgspec.Struct, frozen=True):
    """A round that was paid, as it stands by now."""

    book: Rulebook
    """The rules that were in force."""
    events: tuple[e.Event, ...]
    """The round's own."""
    first: h.RoundPaid
    """As it was paid at first."""
    paid: h.RoundPaid
    entered: bool
    """With real cards."""
    dealers: frozenset[str]
    """Who dealt it."""
    entry: int
    """The entry of the journal that says so."""
    papers: dict[int, h.PapersTaken] = {}
    """What winners showed before they were paid, and who saw it."""
    owed: dict[int, RoundClaim] = {}
    """By seat: what is owed of it, or was and is written off."""
    released: tuple[ReleasedWinnings, ...] = ()
    """What was kept of it and paid out since with a form, or turned over."""
    lent_cents: int = 0
    """What the house has put up on the meter for it."""
    paid_at: int = 0
    """When it was paid at first."""

    @property
    def opened(self) -> e.RoundOpened:
        opened = self.events[0]
        assert isinstance(opened, e.RoundOpened)
        return opened

    @property
    def people(self) -> dict[int, str]:
        """Who sat where."""
        return self.opened.seats


class Context(msgspec.Struct, frozen=True):
    """The moment of asking: chance and time are arguments."""

    at: int
    """Milliseconds since 1970, UTC."""
    day: datetime.date
    """The gaming day."""
    seal: Callable[[str], LockedDeck]
    """Shuffles, seals and locks the deck of the round of this name."""
    unlock: Callable[[Table], Sealed]
    """Opens the deck that lies at a table."""
    entry: int = 0
    """The number that the journal's entry will have."""
    players: Mapping[str, Player] = {}
    """What the house knows of those who sit at the table."""
    records: Mapping[str, int] = {}
    """The versions of their records that say so."""
    settings: int = 0
    """The version of the house's settings."""
    past: PastRound | None = None
    """The round that was paid, where one is put right: what is written of it does not change."""
    relied: tuple[tuple[str, int], ...] = ()
    """Other streams by which this is decided, with the numbers of their last entries."""


def settled(book: Rulebook, table: Table, day: datetime.date) -> Settlement:
    """Settle a table's round as it stands, on this gaming day."""
    return settle.settle(book, settle.of_round(table.round, players(table), day))


def players(table: Table) -> dict[int, Player]:
    """Return what the tax desk knows of those who sit at a table: by the papers that they showed
    for this payoff, or, where it is said that they have none, without."""
    known = {n: each.player for n, each in table.sitters.items()}
    for seat, taken in table.papers.items():
        known[seat] = taken.shown.player(barred=known[seat].barred)
    return known | {seat: replace(known[seat], identified=False) for seat in table.holds}


class UnitOfWork:
    """One command being done: the table as it changes, and what has happened so far."""

    def __init__(self, book: Rulebook, table: Table, who: Actor, now: Context) -> None:
        self.book, self.table, self.who, self.now = book, table, who, now
        self.before = table
        self.events: list[h.TableEvent] = []
        self.postings: list[tuple[str, int]] = []
        self.people: dict[int, str] = {}
        """Who held which seat in the round: their cards are for their eyes."""
        self._remember_people()
        self._settled: tuple[tuple[Any, ...], Settlement] | None = None
        self._opened: tuple[str, Sealed] | None = None

    def add(self, *happened: h.TableEvent) -> None:
        for event in happened:
            lines = postings(self.book, self.table, event)
            self.postings.extend(lines)
            self.table = moved(self.book, self.table, event, lines)
            self.events.append(event)
            if isinstance(event, _SEATING) and self.table.round.seats:
                self._remember_people()

    def _remember_people(self) -> None:
        self.people = {n: seat.person for n, seat in self.table.round.seats.items()}

    def settled(self) -> Settlement:
        """Settle the round as it stands: once, though it is looked at before and after approval."""
        now = self.table.round
        known = (now.seats, now.piles, now.misdeal, self.table.papers, self.table.holds)
        if self._settled is None or self._settled[0] != known:
            self._settled = (known, settled(self.book, self.table, self.now.day))
        return self._settled[1]

    def settled_as(self, trial: Table, seat: int) -> SeatSettlement:
        """Settle a seat as if the table were another."""
        found = settled(self.book, trial, self.now.day).seats
        return next(each for each in found if each.seat == seat)

    def sealed(self) -> Sealed:
        """Open the deck that lies here, once."""
        if self._opened is None or self._opened[0] != self.table.locked:
            self._opened = (self.table.locked, self.now.unlock(self.table))
        return self._opened[1]

    def deck(self) -> tuple[Card, ...]:
        """Return its cards in the order in which they are dealt."""
        cards, table = self.sealed().cards, self.table
        if not table.cuts:
            return cards
        return tuple(cards[place] for place in order(table.commitment, table.cuts))

    def play(self, action: a.Action) -> None:
        self.add(*rounds.step(self.book, self.table.round, action))


def unless(refused: Refusal | None) -> None:
    """Go on, unless there is a reason not to."""
    if refused is not None:
        raise Refused(refused)


def between_rounds(unit: UnitOfWork, clause: str = "") -> None:
    if unit.table.under_way:
        raise refuse("table/round-under-way", "this is done between rounds", clause)


def has_role(unit: UnitOfWork, role: str, clause: str) -> None:
    """Refuse what somebody says that they do in a role that is not theirs."""
    if role not in unit.who.roles:
        message = f"you are no {role[:40]}" if role.strip() else "say in which role you do this"
        raise refuse("role/not-yours", message, clause, "role")


def is_dealer(unit: UnitOfWork) -> None:
    if unit.table.dealer != unit.who.person:
        raise refuse("dealer/not-you", "only the dealer of this table does this")


def takes_no_part(unit: UnitOfWork, clause: str) -> None:
    rules_on(unit, [*unit.people.values(), *unit.table.dealers], clause)


def rules_on(unit: UnitOfWork, part: Collection[str], clause: str) -> None:
    """Refuse whoever takes part in the round that they would rule on."""
    if not unit.table.practice and unit.who.person in part:
        raise refuse("role/takes-part", "nobody rules on a round that they play or deal in", clause)
