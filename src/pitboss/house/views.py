"""What somebody sees of a table: built from the events they may see, never cut out of the whole."""

from functools import lru_cache
from typing import cast

import msgspec

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.storage.store import Store
from pitboss.house.table import events as h
from pitboss.house.table import state as tables
from pitboss.house.table.fair import Proof, Sealed, proof
from pitboss.house.table.procedure import unapproved
from pitboss.round import Option
from pitboss.round.events import Event, RoundOpened
from pitboss.round.state import deal_order
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.settle.approvals import label


class SeatView(msgspec.Struct, frozen=True):
    """A seat as somebody sees it."""

    seat: int
    person: str
    name: str
    bot: bool = False
    away: bool = False
    leaving: bool = False
    in_round: bool = False
    stakes: dict[str, int] = {}
    toke_cents: int = 0
    cards: tuple[str | None, ...] = ()
    raises: tuple[int, ...] = ()
    folded: int = 0
    dead: str = ""
    shown: bool = False


class TableView(msgspec.Struct, frozen=True):
    """A table as somebody sees it."""

    table: str
    seq: int
    """The last entry of the journal that this view knows."""
    rulebook: str
    sha256: str
    open: bool
    practice: bool
    dealing: str
    dealer: str
    minimum_cents: int
    maximum_cents: int | None
    phase: str
    round: int
    moment: str
    """To be sent back with a bet or decision."""
    until: int
    """When the clock runs out, in milliseconds since 1970, UTC; 0 while none runs."""
    now: int
    commitment: str
    meter_cents: int | None
    seats: tuple[SeatView, ...]
    piles: dict[str, tuple[str | None, ...]]
    seat: int | None
    """Yours."""
    options: tuple[Option, ...]
    """What you may do in the round."""
    due: tuple[int, ...]
    """Seats whose decision the table waits for."""
    approvals: dict[int, tuple[str, ...]]
    """Seats whose payoff waits, and for whom."""
    last: h.RoundPaid | None
    """How the last round ended; what the tax desk did is in your own record of it."""
    cap_cents: int | None
    """The ceiling on winnings at these limits."""
    partners: tuple[tuple[int, ...], ...]
    betting_seconds: int
    """How long a table that deals by itself takes bets once there is one."""
    decision_seconds: int
    shuffler: bool
    light: str
    """That the shuffler showed last in this round."""
    cards: tables.Cards | None
    """The record of the real cards; None where they are none."""
    deals: tuple[str, ...]
    """Where the dealer's next cards go, in order: to seats by their numbers, or to a pile."""


def table_view(live: LoadedTable, person: str, now: int) -> TableView:
    """Return a table as this person sees it."""
    table, book = live.table, live.book
    mine = table.seat_of(person)
    held = next((n for n, s in table.round.seats.items() if s.person == person), None)
    state = rounds.view(book, table.happened, held)
    return TableView(
        table.id,
        live.seq,
        table.rulebook,
        table.sha256,
        table.open,
        table.practice,
        table.dealing,
        table.dealer,
        table.minimum_cents,
        table.maximum_cents,
        _phase(table),
        table.number,
        table.moment,
        table.until,
        now,
        table.commitment,
        table.meter_cents,
        tuple(_seat(n, sitter, state) for n, sitter in table.sitters.items()),
        {
            place: tuple(None if card is None else str(card) for card in pile)
            for place, pile in state.piles.items()
        },
        mine,
        _options(book, table, mine),
        tuple(rounds.due(book, table.round)),
        {
            seat: tuple(label(rule) for rule in unapproved(book, table, seat))
            for seat in table.announced
        },
        None if table.last is None else paid_as_seen(table.last, None),
        book.cap[0].cents(table.minimum_cents) if book.cap else None,
        table.partners,
        table.betting_seconds,
        table.decision_seconds,
        table.shuffler,
        table.round.light,
        table.cards if table.dealing == "entered" else None,
        _deals(book, table.round),
    )


def _deals(book: Rulebook, state: rounds.State) -> tuple[str, ...]:
    step = book.script[state.step] if state.phase == "playing" else None
    if not isinstance(step, DealStep):
        return ()
    order = deal_order(step, state.seats)[state.position :]
    return tuple(str(seat) if seat else place for place, seat, _ in order)


def _phase(table: tables.Table) -> str:
    if not table.open:
        return "closed"
    if table.round.phase == "new":
        return "betting" if table.betting else "waiting"
    return table.round.phase


def _seat(number: int, sitter: tables.Sitter, state: rounds.State) -> SeatView:
    held = state.seats.get(number)
    view = SeatView(
        number, sitter.person, sitter.name, bool(sitter.bot), sitter.away, sitter.leaving
    )
    if held is None or held.person != sitter.person:
        return view
    return msgspec.structs.replace(
        view,
        in_round=True,
        stakes=held.stakes,
        toke_cents=held.toke_cents,
        cards=tuple(None if card is None else str(card) for card in held.cards),
        raises=held.raises,
        folded=held.folded,
        dead=held.dead,
        shown=held.shown,
    )


def _options(book: Rulebook, table: tables.Table, seat: int | None) -> tuple[Option, ...]:
    if seat is None:
        return ()
    if table.betting and not table.under_way:
        empty = rounds.State(
            phase="betting",
            minimum_cents=table.minimum_cents,
            maximum_cents=table.maximum_cents,
            seats={seat: rounds.Seat(seat, "")},
        )
        return rounds.legal(book, empty, seat)
    return rounds.legal(book, table.round, seat)


class Notice(msgspec.Struct, frozen=True):
    """An entry of a table's journal as somebody sees it."""

    table: str
    seq: int
    position: int
    at: int
    actor: str
    events: tuple[h.TableEvent, ...]


def seat_then(body: codec.Body, person: str) -> int | None:
    """Return the seat that somebody held in the round that an entry tells of."""
    return next((seat for seat, each in body.people.items() if each == person), None)


def _visible(event: h.TableEvent, seat: int | None, *, staff: bool) -> h.TableEvent:
    if staff and isinstance(event, h.RoundPaid | h.SeatLeft):
        return event
    if isinstance(event, h.RoundPaid):
        return paid_as_seen(event, seat)
    return tables.visible(event, seat)


def paid_as_seen(event: h.RoundPaid, seat: int | None) -> h.RoundPaid:
    """Return what was paid as a seat sees it: tax is between a person and the house."""
    return msgspec.structs.replace(
        event, seats=tuple(each if each.seat == seat else _untaxed(each) for each in event.seats)
    )


def _untaxed(paid: h.SeatPaid) -> h.SeatPaid:
    whole = paid.paid_cents + paid.held_cents + paid.withheld_cents
    return h.SeatPaid(paid.seat, paid.hand, paid.lines, whole)


def notice(entry: Entry, body: codec.Body, seat: int | None, *, staff: bool = False) -> Notice:
    """Return an entry as a seat sees it; staff pay it out, and see what is held and withheld.

    That a person's record has changed is nobody's business at the table.
    """
    told = (each for each in body.events if not isinstance(each, h.PlayerKnown))
    return Notice(
        entry.stream.partition(":")[2],
        entry.seq,
        entry.position,
        entry.at,
        entry.actor,
        tuple(_visible(event, seat, staff=staff) for event in told),
    )


class RoundRecord(msgspec.Struct, frozen=True):
    """A round that is over, as somebody sees it."""

    round: str
    rulebook: str
    sha256: str
    practice: bool
    notices: tuple[Notice, ...]
    proof: Proof | None
    """Lets them check every card that they saw; None where the cards were real ones."""


def round_record(store: Store, name: str, person: str) -> RoundRecord:
    """Put a round's story together for somebody, by the rules that were in force then."""
    whole = finished(store, name)
    seat, book = whole.seat_of(person), whole.book
    shown = whole.proof(whole.view(seat))
    return RoundRecord(name, book.id, book.sha256, whole.practice, whole.notices(seat), shown)


class Finished(msgspec.Struct, frozen=True):
    """All that happened in a finished round. It holds secrets: only what a seat sees is sent."""

    round: str
    book: Rulebook
    """The rules that were in force."""
    practice: bool
    entries: tuple[tuple[Entry, codec.Body], ...]
    """Entries of the journal, each with those events alone that belong to the round."""
    people: dict[int, str]
    """Who held which seat."""
    sealed: h.DeckSealed
    """The deck that was dealt from."""

    def seat_of(self, person: str) -> int | None:
        """Return the seat that somebody held."""
        return next((seat for seat, each in self.people.items() if each == person), None)

    def notices(self, seat: int | None) -> tuple[Notice, ...]:
        """Return the entries as a seat saw them."""
        return tuple(notice(entry, body, seat) for entry, body in self.entries)

    def view(self, seat: int | None) -> rounds.State:
        """Return the round as a seat saw it in the end."""
        everything = (event for _, body in self.entries for event in body.events)
        own = (cast(Event, event) for event in everything if type(event) not in tables.OWN)
        return rounds.view(self.book, own, seat)

    def proof(self, view: rounds.State) -> Proof | None:
        """Return what proves the cards in a view; None where the cards were real ones."""
        if not self.sealed.cards:
            return None
        places = (*(seat.cards for seat in view.seats.values()), *view.piles.values())
        seen = {card for cards in places for card in cards if card is not None}
        return proof(Sealed(self.sealed.cards, self.sealed.seed), seen)


def unknown_round(name: str) -> Refused:
    """Return a refusal to raise."""
    return Refused(Refusal("round/unknown", f"there is no finished round {name[:60]!r}"))


def finished(store: Store, name: str) -> Finished:
    """Read a finished round from the journal."""
    table, _, written = name.rpartition("-")
    span, kept = store.kept("round", name), store.kept("table", table)
    if span is None or kept is None:
        raise unknown_round(name)
    first, last = map(int, span.split())
    entries = store.entries(f"table:{table}", first - 1, last - first + 1)
    bodies = [codec.body(entry.body) for entry in entries]
    everything = [event for body in bodies for event in body.events]
    number = int(written)
    seals = [e for e in everything if isinstance(e, h.DeckSealed) and e.round == number]
    paid = next(e for e in everything if isinstance(e, h.RoundPaid) and e.round == number)
    # The story begins with its own sealed deck and ends with its own payment.
    story = everything[everything.index(seals[0]) : everything.index(paid) + 1]
    opened = next(event for event in story if isinstance(event, RoundOpened))
    inside = set(map(id, story))
    return Finished(
        name,
        _rulebook(store.kept("rulebook", opened.sha256) or ""),
        codec.snapshot(kept).table.practice,
        tuple(
            (entry, codec.Body(tuple(event for event in body.events if id(event) in inside)))
            for entry, body in zip(entries, bodies, strict=True)
        ),
        next((body.people for body in reversed(bodies) if body.people), {}),
        seals[-1],  # after a red light it was shuffled again
    )


_rulebook = lru_cache(maxsize=32)(codec.rulebook)
"""Reading the same rules anew, and laying out their pay tables, takes longer than all the rest."""
