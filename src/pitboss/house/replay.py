"""A finished round: one value with all that happened, and what a seat sees of it.

Its receipt is what was journaled when it was paid, rendered; nothing is settled again.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.cards import Card
from pitboss.house.receipt import SumLine, WagerGroup, deductions, groups
from pitboss.house.storage import codec, projections
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.past_rounds import adjustments, own, put_right_by
from pitboss.house.storage.reader import Reader
from pitboss.house.table import events as h
from pitboss.house.table.evolve import paid_as_seen, visible
from pitboss.house.table.fair import Proof, Sealed, proof
from pitboss.house.table.state import unknown_round
from pitboss.house.views import EntryView, notice
from pitboss.round.events import CardsDealt, Event, RoundOpened
from pitboss.rulebook import Rulebook

KEY_LENGTH = 32
"""Hexadecimal digits of a key."""


# What a seat sees -----------------------------------------------------------------------------


class Approved(msgspec.Struct, frozen=True):
    """Somebody approved the payoff."""

    role: str
    """Empty where it approved itself."""
    name: str


class SeatReceipt(msgspec.Struct, frozen=True):
    """What a seat got, and why."""

    paid: h.SeatPaid
    groups: tuple[WagerGroup, ...]
    """Its wagers, those together that fared alike for the same reason."""
    deductions: tuple[SumLine, ...]
    """What tax and holding took of it."""
    approvals: tuple[str, ...]
    """Who had to approve it."""
    approved: tuple[Approved, ...]
    """Who did."""


class Adjustment(msgspec.Struct, frozen=True):
    """A round was put right after it was paid, as somebody sees it."""

    at: int
    """When."""
    event: h.RoundAdjusted
    receipt: SeatReceipt | None
    """What the seat ought to have got, beside the receipt of what it was paid; None without one."""


class Replay(msgspec.Struct, frozen=True):
    """A finished round as somebody saw it."""

    round: str
    """The table's name and the round's number."""
    book: Rulebook
    """The rules that were in force."""
    practice: bool
    seat: int | None
    """The one whose view this is; None watched without a seat."""
    names: dict[int, str]
    """Who held which seat, as people call them."""
    events: tuple[h.TableEvent, ...]
    state: rounds.State
    """How it stood in the end."""
    paid: h.RoundPaid
    receipt: SeatReceipt | None
    """None without a seat."""
    proof: Proof | None
    """None where the cards were real ones, and where the house itself called the round off."""
    commitment: str
    """What was published of the deck before anybody bet; empty where the cards were real ones."""
    share: str | None
    """The key that shows this to others; None without a seat, and where the cards were real."""
    adjusted: tuple[Adjustment, ...] = ()
    """How it was put right after it was paid, one after the other."""

    @property
    def stands(self) -> h.SeatPaid | None:
        """What the seat came to in the version that stands; None without a seat."""
        if self.seat is None or self.receipt is None:
            return None
        last = self.adjusted[-1].event.paid if self.adjusted else None
        return self.receipt.paid if last is None else _of_seat(last, self.seat)


class RoundRecord(msgspec.Struct, frozen=True):
    """A round that is over, as somebody sees it, entry by entry."""

    round: str
    rulebook: str
    sha256: str
    practice: bool
    notices: tuple[EntryView, ...]
    adjusted: tuple[EntryView, ...]
    """How it was put right after it was paid."""
    proof: Proof | None
    """Lets them check every card that they saw; None where there is no sealed deck to check."""


# All that happened ----------------------------------------------------------------------------


class FinishedRound(msgspec.Struct, frozen=True):
    """All that happened in a finished round. It holds secrets: only what a seat sees is sent."""

    round: str
    book: Rulebook
    """The rules that were in force."""
    practice: bool
    entries: tuple[tuple[Entry, codec.Body], ...]
    """Entries of the journal, each with those events alone that belong to the round."""
    people: dict[int, str]
    """Who played at which seat."""
    names: dict[str, str]
    """What everybody is called who was there, or approved something."""
    sealed: h.DeckSealed
    """How the deck that was dealt from was sealed."""
    adjusted: tuple[tuple[Entry, codec.Body], ...]
    """Entries that put it right after it was paid, in their order."""
    deck: Sealed | None
    """The deck that was dealt from; None where the cards were real ones, or it stayed locked."""

    @property
    def seed(self) -> str:
        """The deck's secret, for keys; empty where no deck was opened."""
        return self.deck.seed if self.deck is not None else ""

    def seat_of(self, person: str) -> int | None:
        return next((seat for seat, each in self.people.items() if each == person), None)

    def record(self, seat: int | None) -> RoundRecord:
        return RoundRecord(
            round=self.round,
            rulebook=self.book.id,
            sha256=self.book.sha256,
            practice=self.practice,
            notices=tuple(notice(entry, body, seat) for entry, body in self.entries),
            adjusted=tuple(notice(entry, body, seat) for entry, body in self.adjusted),
            proof=self._proof(self._view(seat)),
        )

    def seen_by(self, seat: int | None) -> Replay:
        """Return the round as a seat saw it; None watched without one."""
        notices = (notice(entry, body, seat) for entry, body in self.entries)
        events = tuple(event for told in notices for event in told.events)
        state, paid = self._view(seat), events[-1]
        assert isinstance(paid, h.RoundPaid)  # every story ends with it
        return Replay(
            round=self.round,
            book=self.book,
            practice=self.practice,
            seat=seat,
            names=self._seat_names(),
            events=events,
            state=state,
            paid=paid,
            receipt=None if seat is None else self._receipt(seat, paid),
            proof=self._proof(state),
            commitment=self.sealed.commitment,
            adjusted=tuple(self._adjustments(seat)),
            share=share_key(self.round, seat, self.seed),
        )

    def _events(self) -> Iterator[h.TableEvent]:
        return (event for _, body in self.entries for event in body.events)

    def _view(self, seat: int | None) -> rounds.State:
        return rounds.view(self.book, own(self._events()), seat)

    def _proof(self, view: rounds.State) -> Proof | None:
        """Return what proves the cards in a view; None where no deck was opened."""
        if self.deck is None:
            return None
        cards = tuple(dealt(own(self._events()), view))
        return proof(self.round, self.deck, self._cuts(), cards)

    def _cuts(self) -> dict[int, str]:
        """Return what those who played cut the deck with."""
        cuts: dict[int, str] = {}
        for event in self._events():
            if isinstance(event, h.DeckCut):
                cuts[event.seat] = event.cut
            elif isinstance(event, h.SeatTaken):
                cuts.pop(event.seat, None)  # it was somebody else's
        return {seat: cut for seat, cut in cuts.items() if seat in self.people}

    def _adjustments(self, seat: int | None) -> Iterator[Adjustment]:
        for entry, body in self.adjusted:
            for event in body.events:
                if isinstance(event, h.RoundAdjusted):
                    seen = visible(event, seat)
                    assert isinstance(seen, h.RoundAdjusted)
                    yield Adjustment(entry.at, seen, self._put_right(event, seen.paid, seat))

    def _put_right(
        self, event: h.RoundAdjusted, seen: h.RoundPaid, seat: int | None
    ) -> SeatReceipt | None:
        """Return the receipt that a seat ought to have had, with those who put it right."""
        if seat is None:
            return None
        told, mine = (_of_seat(paid, seat) for paid in (seen, event.paid))
        return SeatReceipt(
            paid=told,
            groups=groups(self.book, mine, event.paid.seats, self._seat_names()),
            deductions=deductions(self.book, told),
            approvals=(),
            approved=tuple(Approved(role, self.names[who]) for role, who in event.by),
        )

    def _seat_names(self) -> dict[int, str]:
        there = _there(self._events()) | self.people
        return {n: self.names[who] for n, who in sorted(there.items())}

    def receipts(self) -> dict[int, SeatReceipt]:
        """Return what each seat got, and why, but for what is between it and the tax desk."""
        seen = paid_as_seen(self.paid(), None)
        return {each.seat: self._receipt(each.seat, seen) for each in seen.seats}

    def _receipt(self, seat: int, seen: h.RoundPaid) -> SeatReceipt:
        """Return a seat's receipt for somebody who sees this of the payment."""
        told, mine = (_of_seat(paid, seat) for paid in (seen, self.paid()))
        needs: tuple[str, ...] = ()
        given: list[Approved] = []
        for event in self._events():
            if isinstance(event, h.PayoffAnnounced) and event.seat == seat:
                needs, given = event.needs, []  # what was approved of an earlier figure is void
            elif isinstance(event, h.PayoffApproved) and event.seat == seat:
                given.append(Approved(event.role, self.names[event.person]))
        return SeatReceipt(
            paid=told,
            groups=groups(self.book, mine, self.paid().seats, self._seat_names()),
            deductions=deductions(self.book, told),
            approvals=needs,
            approved=tuple(given),
        )

    def paid(self) -> h.RoundPaid:
        """Return what was journaled of the payment, every seat's reasons included."""
        *_, paid = self._events()
        assert isinstance(paid, h.RoundPaid)  # every story ends with it
        return paid


def _of_seat(paid: h.RoundPaid, seat: int) -> h.SeatPaid:
    """Return what a seat came to: nothing, where it has no wager in this version of the round."""
    found = (each for each in paid.seats if each.seat == seat)
    return next(found, h.SeatPaid(seat, "", (), 0))


def dealt(events: Iterable[Event], view: rounds.State) -> Iterator[Card | None]:
    """Return the cards in the order in which they were dealt, as a view knows them in the end."""
    taken: Counter[tuple[str, int]] = Counter()
    for event in events:
        if isinstance(event, CardsDealt):
            held = view.seats[event.seat].cards if event.seat else view.piles[event.place]
            first = taken[event.place, event.seat]
            taken[event.place, event.seat] += len(event.cards)
            yield from held[first : first + len(event.cards)]


# Reading --------------------------------------------------------------------------------------


def finished(store: Reader, name: str) -> FinishedRound:
    table, _, written = name.rpartition("-")
    span, kept = store.kept("round", name), store.kept("table", table)
    if span is None or kept is None:
        raise unknown_round(name)
    first, last = map(int, span.split())
    entries = store.entries(f"table:{table}", first - 1, last - first + 1)
    bodies = [codec.body(entry.body) for entry in entries]
    everything = [event for body in bodies for event in body.events]
    number = int(written)
    sealed = next(e for e in everything if isinstance(e, h.DeckSealed) and e.round == number)
    paid = next(e for e in everything if isinstance(e, h.RoundPaid) and e.round == number)
    # The story begins with its own sealed deck and ends with its own payment.
    story = everything[everything.index(sealed) : everything.index(paid) + 1]
    opened = next(event for event in story if isinstance(event, RoundOpened))
    inside = set(map(id, story))
    adjusted = tuple(
        (entry, replace(body, events=(put_right_by(body),)))
        for entry, body in adjustments(store, name, last)
    )
    # Who had a wager in it once it was put right has played it, too.
    people = next((body.people for body in reversed(bodies) if body.people), {})
    for event in (put_right_by(body) for _, body in adjusted):
        there = _there(event.events)
        people = people | {seat.seat: there[seat.seat] for seat in event.paid.seats}
    approved = [event.person for event in story if isinstance(event, h.PayoffApproved)]
    approved += (who for _, body in adjusted for _, who in put_right_by(body).by)
    return FinishedRound(
        round=name,
        book=projections.rulebook(store, opened.sha256),
        practice=codec.snapshot(kept).table.practice,
        entries=tuple(
            (entry, replace(body, events=tuple(e for e in body.events if id(e) in inside)))
            for entry, body in zip(entries, bodies, strict=True)
        ),
        people=people,
        names={
            who: projections.name_of(store, who)
            for who in {*_there(story).values(), *people.values(), *approved}
        },
        sealed=sealed,
        adjusted=adjusted,
        deck=next((event.deck for event in story if isinstance(event, h.DeckOpened)), None),
    )


EARLIER = 20
"""So many numbers are tried: a round that nobody bet on has one, and never was."""


def round_before(store: Reader, name: str) -> str:
    """Return the round before one at the same table; nothing, if there is none."""
    table, _, number = name.rpartition("-")
    names = (f"{table}-{each}" for each in range(int(number) - 1, int(number) - EARLIER, -1))
    return next((each for each in names if store.kept("round", each) is not None), "")


def _there(events: Iterable[h.TableEvent]) -> dict[int, str]:
    """Return who was there when bets were made, those who did not bet included."""
    people: dict[int, str] = {}
    for event in events:
        if isinstance(event, RoundOpened):
            people |= event.seats
    return people


def past(store: Reader, name: str, person: str) -> Replay:
    whole = finished(store, name)
    return whole.seen_by(whole.seat_of(person))


def receipts(store: Reader, name: str) -> dict[int, SeatReceipt]:
    """Return every seat's receipt of a round, for those who work in the pit."""
    return finished(store, name).receipts()


def state_after(past: Replay, number: int) -> rounds.State:
    state = rounds.State()
    for event in own(past.events[: max(0, number)]):
        state = rounds.evolve(past.book, state, event)
    return state


class Played(msgspec.Struct, frozen=True):
    """A finished round in which somebody bet."""

    round: str
    at: int
    """When it was paid."""
    key: str
    """The next page goes on before it."""


def played(store: Reader, person: str, before: str = "", most: int = 20) -> list[Played]:
    """Return the finished rounds in which somebody bet, the last first, from a key back."""
    kind = projections.played(person)
    found = store.rows(_PLAYED, kind, before or LATEST, most)
    return [Played(name, int(key.partition("-")[0]), key) for key, name in found]


def played_after(store: Reader, person: str, after: str, most: int) -> list[Played]:
    """Return the finished rounds in which somebody bet, the first first, from a key on."""
    found = store.rows(_PLAYED_AFTER, projections.played(person), after, most)
    return [Played(name, int(key.partition("-")[0]), key) for key, name in found]


def put_right(store: Reader) -> tuple[int, int]:
    """Return what changes whenever a round is put right after it was paid, and never otherwise."""
    [(many, entries)] = store.rows(_PUT_RIGHT)
    return int(many), int(entries or 0)


def rounds_played(store: Reader, person: str) -> int:
    """Return in how many finished rounds somebody bet."""
    sql = "SELECT COUNT(*) FROM kept WHERE kind = ?"
    return int(store.rows(sql, projections.played(person))[0][0])


LATEST = "9"
"""Comes after the key of every round."""

_PLAYED = "SELECT name, value FROM kept WHERE kind = ? AND name < ? ORDER BY name DESC LIMIT ?"
_PLAYED_AFTER = "SELECT name, value FROM kept WHERE kind = ? AND name > ? ORDER BY name LIMIT ?"
_PUT_RIGHT = "SELECT COUNT(*), SUM(CAST(value AS BIGINT)) FROM kept WHERE kind = 'adjusted'"


# Sharing --------------------------------------------------------------------------------------


def shared(store: Reader, name: str, key: str) -> Replay:
    """Return a finished round as the seat saw it that this key is for."""
    whole = finished(store, name)
    keys = {seat: share_key(name, seat, whole.seed) for seat in whole.people}
    # Every key is looked at, each for as long as any other: time tells nothing of them.
    fits = [n for n, own in keys.items() if own and hmac.compare_digest(_bytes(own), _bytes(key))]
    if not fits:
        raise unknown_round(name)
    return _untaxed(whole.seen_by(fits[0]))


def _untaxed(seen: Replay) -> Replay:
    """Leave out what is between a person and the tax desk: a link may go anywhere."""
    paid, told = paid_as_seen(seen.paid, None), seen.receipt
    desk = told and (told.paid.forms or told.paid.held_cents or told.paid.withheld_cents)
    return replace(
        seen, paid=paid, events=(*seen.events[:-1], paid), receipt=None if desk else told
    )


def share_key(name: str, seat: int | None, seed: str) -> str | None:
    """Return the key to a round as a seat saw it; without the deck's secret seed there is none.

    >>> share_key("t-1", 1, "5eed"), share_key("t-1", 1, "")
    ('2c37c166060a9dff438381e5b10c37c2', None)
    """
    if seat is None or not seed:
        return None
    return hashlib.sha256(_bytes(f"share/{name}/{seat}/{seed}")).hexdigest()[:KEY_LENGTH]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
