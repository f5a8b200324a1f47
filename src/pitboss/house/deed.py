"""One command being done at a table: who asks, when, and what has happened so far."""

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from pitboss import round as rounds
from pitboss import settle
from pitboss.errors import Refusal, Refused
from pitboss.house import events as h
from pitboss.house.fair import Sealed
from pitboss.house.ledger import postings
from pitboss.house.people import PIT, Person
from pitboss.house.table import Table, moved
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Player, Settlement

AUTOMATIC = "automatic"
"""Who approves at a practice table, and who calls out where nobody deals."""

OWNER = "owner"
"""What the person who opened a practice table is there."""


class Asker(msgspec.Struct, frozen=True):
    """Who asks, and what the table must know of them."""

    person: str
    name: str = ""
    roles: frozenset[str] = frozenset()
    player: Player = Player()


class Now(msgspec.Struct, frozen=True):
    """The moment of asking: chance and time are arguments."""

    at: int
    """Milliseconds since 1970, UTC."""
    day: datetime.date
    """The gaming day."""
    seal: Callable[[], Sealed]
    """Shuffles and seals the next deck."""
    entry: int = 0
    """The number that the journal's entry will have."""
    players: Mapping[str, Player] = {}
    """What the house knows of those who sit at the table."""


def no(*said: str) -> Refused:
    """Return a refusal to raise: code, message, clause, place."""
    return Refused(Refusal(*said))


class Deed:
    """One command being done: the table as it changes, and what has happened so far."""

    def __init__(self, book: Rulebook, table: Table, who: Asker, now: Now) -> None:
        self.book, self.table, self.who, self.now = book, table, who, now
        self.events: list[h.TableEvent] = []
        self.postings: list[tuple[str, int]] = []
        self.people: dict[int, str] = {}
        """Who held which seat in the round: their cards are for their eyes."""
        self._remember_people()
        self._settled: tuple[tuple[Any, ...], Settlement] | None = None

    def add(self, *happened: h.TableEvent) -> None:
        """Let this happen."""
        for event in happened:
            lines = postings(self.book, self.table, event)
            self.postings.extend(lines)
            self.table = moved(self.book, self.table, event, lines)
            self.events.append(event)
            if isinstance(event, e.BetPlaced | e.BettingClosed) and self.table.round.seats:
                self._remember_people()

    def _remember_people(self) -> None:
        self.people = {n: seat.person for n, seat in self.table.round.seats.items()}

    def settled(self) -> Settlement:
        """Settle the round as it stands: once, though it is looked at before and after approval."""
        now = self.table.round
        known = (now.seats, now.piles, now.misdeal)
        if self._settled is None or self._settled[0] != known:
            self._settled = (known, settlement(self.book, self.table, self.now.day))
        return self._settled[1]

    def play(self, action: a.Action) -> None:
        """Let the round's machine do it."""
        self.add(*rounds.step(self.book, self.table.round, action))


def settlement(book: Rulebook, table: Table, day: datetime.date | None) -> Settlement:
    """Settle the round as it stands."""
    players = {n: each.player for n, each in table.sitters.items()}
    return settle.settle(book, settle.of_round(table.round, players, day))


def between_rounds(deed: Deed, clause: str = "") -> None:
    """Refuse what is not done while a round is under way."""
    if deed.table.under_way:
        raise no("table/round-under-way", "this is done between rounds", clause)


def roles_at(table: Table, who: Person) -> set[str]:
    """Return what somebody is at a table: who opened a practice table is all of the pit there."""
    owner = table.practice and table.opener == who.id
    return {*who.roles, OWNER, *PIT} if owner else set(who.roles)


def asker(who: Person, roles: Iterable[str] | None = None) -> Asker:
    """Return what a table must know of somebody who asks."""
    known = frozenset(who.roles if roles is None else roles)
    return Asker(who.id, who.name, known, who.player)


def may_sit(who: Person, *, practice: bool) -> None:
    """Refuse a seat to whom the house bars, and to whom it does not know where chips are real."""
    if who.player.barred:
        raise Refused(Refusal("person/barred", "you may not sit at any table here", "R51"))
    if not practice and "player" not in who.roles:
        raise Refused(Refusal("person/play-chips", "this table is for named players with chips"))
