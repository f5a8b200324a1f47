"""The state of a table, and how each event changes it: the same fold live, at start-up, in audits.

Between rounds a table is a few numbers and names; in a round it also holds the round's own state.
"""

import datetime
from collections.abc import Callable, Collection, Iterable
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.house.books.ledger import bank, postings, tokens_down
from pitboss.house.table import events as h
from pitboss.house.table.fair import Sealed
from pitboss.round import events as e
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Player


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat."""

    person: str
    name: str
    player: Player = Player()
    bot: str = ""
    """The strategy, where it is a bot."""
    away: bool = False
    """Sits out from the next round on."""
    leaving: bool = False
    """Goes when the round is over."""
    freed: str = ""
    """Why, where that is not their own wish."""


class Cards(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of the real cards on the table."""

    colours: tuple[str, ...] = ()
    day: datetime.date | None = None
    """The gaming day on which they came."""
    inspected: tuple[tuple[str, str], ...] = ()
    """(role, person) of each who looked through them."""
    washed: bool = False
    replaced: int = 0


class Table(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A table as it stands."""

    id: str
    open: bool = False
    rulebook: str = ""
    sha256: str = ""
    """Names exactly the rules in force."""
    minimum_cents: int = 0
    maximum_cents: int | None = None
    practice: bool = False
    dealing: str = "automatic"
    shuffler: bool = False
    betting_seconds: int = 20
    decision_seconds: int = 30
    opener: str = ""
    sitters: dict[int, Sitter] = {}
    partners: tuple[tuple[int, ...], ...] = ()
    dealer: str = ""
    """The person who deals."""
    cards: Cards = Cards()
    number: int = 0
    """Of the round that is being bet on or played, or of the last one."""
    betting: bool = False
    """The next round takes bets."""
    deck: Sealed | None = None
    """Secret."""
    commitment: str = ""
    """What was published of it."""
    begun: int = 0
    """The entry of the journal in which its betting was opened."""
    last: h.RoundPaid | None = None
    """How the last round ended."""
    round: rounds.State = rounds.State()
    happened: tuple[e.Event, ...] = ()
    """The events of this round."""
    until: int = 0
    """When the clock runs out; 0 while none runs."""
    announced: dict[int, int] = {}
    """Seats whose payoff waits for approval, and what they win."""
    approved: tuple[tuple[int, str, str], ...] = ()
    """(seat, role, person)."""
    dealers: tuple[str, ...] = ()
    """Everybody who dealt in this round: they approve nothing of it."""
    dropped_cents: int = 0
    """Tokens of this round that have left the layout."""
    bank_cents: int = 0
    meter_cents: int | None = None

    @property
    def under_way(self) -> bool:
        """Whether a round has been opened and is not yet paid."""
        return self.round.phase != "new"

    @property
    def moment(self) -> str:
        """An optimistic-concurrency token: it names what the table waits for, so that a decision
        meant for one moment is not taken at another.

        >>> Table("t", number=3).moment
        '3.bet'
        """
        playing = self.round.phase not in ("new", "betting")
        return f"{self.number}.{self.round.step if playing else 'bet'}"

    def seat_of(self, person: str) -> int | None:
        """Return the seat that this person holds."""
        return next((n for n, each in self.sitters.items() if each.person == person), None)


class TableSnapshot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table between rounds, and the entry up to which this is true."""

    seq: int
    hash: str
    table: Table


def evolve(book: Rulebook, table: Table, event: h.TableEvent) -> Table:
    """Return the table after one more event."""
    return moved(book, table, event, postings(book, table, event))


def moved(
    book: Rulebook, table: Table, event: h.TableEvent, lines: Iterable[tuple[str, int]]
) -> Table:
    """Return the table after one more event that moves money like this."""
    if lines:
        own = bank(table.id)
        won = sum(cents for account, cents in lines if account == own)
        table = replace(table, bank_cents=table.bank_cents + won)
    change = _EVOLVE.get(type(event))
    if change is not None:
        return change(table, event)
    after = rounds.evolve(book, table.round, cast(e.Event, event))
    if isinstance(event, e.BetPlaced) and not any(seat.stakes for seat in after.seats.values()):
        return replace(table, round=rounds.State(), happened=())  # nobody bets: no round is open
    if isinstance(event, e.BettingClosed):
        tokens = tokens_down(book, table.round)
        table = replace(table, meter_cents=after.meter_cents, dropped_cents=tokens, until=0)
    return replace(table, round=after, happened=(*table.happened, event))


def _opened(table: Table, event: h.TableOpened) -> Table:
    return Table(
        table.id,
        True,
        event.rulebook,
        event.sha256,
        event.minimum_cents,
        event.maximum_cents,
        event.practice,
        event.dealing,
        event.shuffler,
        event.betting_seconds,
        event.decision_seconds,
        event.opener,
        number=table.number,
        meter_cents=table.meter_cents,
    )


def _closed(table: Table, _event: h.TableClosed) -> Table:
    kept = Table(table.id, number=table.number, meter_cents=table.meter_cents)
    names = ("rulebook", "sha256", "minimum_cents", "maximum_cents", "practice", "opener")
    return replace(kept, **{name: getattr(table, name) for name in names})


def _limits(table: Table, event: h.LimitsChanged) -> Table:
    return replace(table, minimum_cents=event.minimum_cents, maximum_cents=event.maximum_cents)


def _taken(table: Table, event: h.SeatTaken) -> Table:
    sitter = Sitter(event.person, event.name, event.player, event.bot)
    return replace(table, sitters=dict(sorted({**table.sitters, event.seat: sitter}.items())))


def _known(table: Table, event: h.PlayerKnown) -> Table:
    sitter = replace(table.sitters[event.seat], player=event.player)
    return replace(table, sitters={**table.sitters, event.seat: sitter})


def _away(table: Table, event: h.SeatAway) -> Table:
    changed = replace(table.sitters[event.seat], away=event.away, leaving=False)
    return replace(table, sitters={**table.sitters, event.seat: changed})


def _left(table: Table, event: h.SeatLeft) -> Table:
    held = table.round.seats.get(event.seat)
    if held is not None and held.stakes:
        going = replace(table.sitters[event.seat], leaving=True, away=True, freed=event.why)
        return replace(table, sitters={**table.sitters, event.seat: going})
    return _without(table, {event.seat})


def _without(table: Table, seats: set[int]) -> Table:
    sitters = {n: each for n, each in table.sitters.items() if n not in seats}
    return replace(table, sitters=sitters, partners=among(table.partners, sitters))


def among(
    partners: tuple[tuple[int, ...], ...], seats: Collection[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the partners among these seats; nobody is a partner alone.

    >>> among(((1, 2, 3), (4, 5)), {1, 3, 5})
    ((1, 3),)
    """
    groups = (tuple(seat for seat in group if seat in seats) for group in partners)
    return tuple(group for group in groups if len(group) > 1)


def _partners(table: Table, event: h.PartnersMarked) -> Table:
    return replace(table, partners=event.partners)


def _dealer(table: Table, event: h.DealerChanged) -> Table:
    # Between rounds nobody has dealt any of the next one yet.
    before = table.dealers if table.betting else ()
    dealers = tuple(filter(None, dict.fromkeys((*before, event.person))))
    return replace(table, dealer=event.person, dealers=dealers)


def _seeded(table: Table, event: h.MeterSeeded) -> Table:
    return replace(table, meter_cents=(table.meter_cents or 0) + event.cents)


def _brought(table: Table, event: h.CardsBrought) -> Table:
    return replace(table, cards=Cards(event.colours, event.day))


def _inspected(table: Table, event: h.CardsInspected) -> Table:
    who = (*table.cards.inspected, (event.role, event.person))
    return replace(table, cards=replace(table.cards, inspected=who))


def _washed(table: Table, _event: h.CardsWashed) -> Table:
    return replace(table, cards=replace(table.cards, washed=True))


def _replaced(table: Table, _event: h.CardReplaced) -> Table:
    return replace(table, cards=replace(table.cards, replaced=table.cards.replaced + 1))


def _sealed(table: Table, event: h.DeckSealed) -> Table:
    return replace(
        table,
        number=event.round,
        betting=True,
        deck=Sealed(event.cards, event.seed) if event.cards else None,
        commitment=event.commitment,
        begun=table.begun if event.round == table.number else event.entry,
    )


def _clock(table: Table, event: h.ClockSet) -> Table:
    return replace(table, until=event.until)


def _announced(table: Table, event: h.PayoffAnnounced) -> Table:
    # Whoever approved another payoff has not approved this one.
    approved = tuple(each for each in table.approved if each[0] != event.seat)
    announced = {**table.announced, event.seat: event.won_cents}
    return replace(table, announced=announced, approved=approved)


def _approved(table: Table, event: h.PayoffApproved) -> Table:
    given = (event.seat, event.role, event.person)
    return replace(table, approved=(*table.approved, given))


def _paid(table: Table, event: h.RoundPaid) -> Table:
    after = replace(
        table,
        round=rounds.State(),
        happened=(),
        betting=False,
        deck=None,
        commitment="",
        until=0,
        announced={},
        approved=(),
        dropped_cents=0,
        dealers=(table.dealer,) if table.dealer else (),
        meter_cents=event.meter_cents,
        last=event,
    )
    return _without(after, {n for n, each in table.sitters.items() if each.leaving})


def _same(table: Table, _event: h.TableEvent) -> Table:
    return table


_EVOLVE: dict[type[Any], Callable[[Table, Any], Table]] = {
    h.TableOpened: _opened,
    h.TableClosed: _closed,
    h.LimitsChanged: _limits,
    h.SeatTaken: _taken,
    h.PlayerKnown: _known,
    h.SeatAway: _away,
    h.SeatLeft: _left,
    h.PartnersMarked: _partners,
    h.DealerChanged: _dealer,
    h.BankFilled: _same,
    h.MeterSeeded: _seeded,
    h.CardsBrought: _brought,
    h.CardsInspected: _inspected,
    h.CardsWashed: _washed,
    h.CardReplaced: _replaced,
    h.DeckSealed: _sealed,
    h.ClockSet: _clock,
    h.PayoffAnnounced: _announced,
    h.PayoffApproved: _approved,
    h.RoundPaid: _paid,
}


OWN = frozenset(_EVOLVE)
"""Events of the table; all others are the round's."""


def visible(event: h.TableEvent, seat: int | None) -> h.TableEvent:
    """Return the event as this seat sees it; None watches without a seat.

    The deck stays secret, and so does what the tax desk knows of a person, and why their seat was
    freed.
    """
    if isinstance(event, h.DeckSealed):
        return replace(event, cards=(), seed="")
    if isinstance(event, h.SeatTaken | h.PlayerKnown):
        return replace(event, player=Player())
    if isinstance(event, h.SeatLeft) and event.seat != seat:
        return replace(event, why="")
    if type(event) in OWN:
        return event
    return rounds.visible(cast(e.Event, event), seat)
