"""A finished round as one person saw it, ready to be shown, and the keys that show it to others."""

import hashlib
import hmac
from collections.abc import Iterable
from typing import cast

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss import settle
from pitboss.house.books.ledger import chips
from pitboss.house.storage import codec
from pitboss.house.storage.store import Store
from pitboss.house.table import events as h
from pitboss.house.table.fair import Proof
from pitboss.house.table.state import OWN
from pitboss.house.views import Finished, finished, paid_as_seen, unknown_round
from pitboss.round.events import Event, RoundOpened
from pitboss.rulebook import Rulebook
from pitboss.settle import Line, Player, SeatSettlement, sentence, sentences
from pitboss.settle.approvals import label

KEY_LENGTH = 32
"""Hexadecimal digits of a key."""

CHANGED = ("cap", "cap-shared", "meter-shared")
"""Codes of reasons for which a win is not what the pay table says."""


class Happened(msgspec.Struct, frozen=True):
    """An event as somebody saw it."""

    at: int
    """Milliseconds since 1970, UTC."""
    actor: str
    """Who did what it followed from."""
    event: h.TableEvent


class ReceiptLine(msgspec.Struct, frozen=True):
    """What became of one wager."""

    spot: str
    title: str
    stake_cents: int
    outcome: str
    odds: str
    """In words; empty where it was not won by odds."""
    nominal_cents: int
    """What the pay table says it wins."""
    won_cents: int
    returned_cents: int
    clause: str
    sentences: tuple[str, ...]
    """Every reason, in the order of work."""
    changed: tuple[str, ...]
    """Those by which a ceiling or a share made the win smaller than the pay table says."""


class Approved(msgspec.Struct, frozen=True):
    """Somebody approved the payoff."""

    role: str
    """Empty where it approved itself."""
    name: str


class SeatReceipt(msgspec.Struct, frozen=True):
    """What a seat got, and why."""

    hand: str
    lines: tuple[ReceiptLine, ...]
    staked_cents: int
    """The toke left out: it is the dealers'."""
    paid_cents: int
    net_cents: int
    """What was paid less what was staked."""
    held_cents: int
    withheld_cents: int
    approvals: tuple[str, ...]
    """Who had to approve it."""
    approved: tuple[Approved, ...]
    """Who did."""
    forms: tuple[str, ...]
    """Tax forms; the sentences say what they are about."""


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
    events: tuple[Happened, ...]
    state: rounds.State
    """How it stood in the end."""
    paid: h.RoundPaid
    receipt: SeatReceipt | None
    """None without a seat, and where a settlement today would not say what was paid then."""
    proof: Proof | None
    """None where the cards were real ones."""
    commitment: str
    """What was published of the deck before anybody bet; empty where the cards were real ones."""
    share: str | None
    """The key that shows this to others; None without a seat, and where the cards were real."""


def past(store: Store, name: str, person: str) -> Replay:
    """Return a finished round as this person saw it."""
    whole = finished(store, name)
    return _seen(store, whole, whole.seat_of(person))


def shared(store: Store, name: str, key: str) -> Replay:
    """Return a finished round as the seat saw it that this key is for."""
    whole = finished(store, name)
    keys = {seat: share_key(name, seat, whole.sealed.seed) for seat in whole.people}
    # Every key is looked at, each for as long as any other: time tells nothing of them.
    fits = [n for n, own in keys.items() if own and hmac.compare_digest(_bytes(own), _bytes(key))]
    if not fits:
        raise unknown_round(name)
    return _untaxed(_seen(store, whole, fits[0]))


def _untaxed(seen: Replay) -> Replay:
    """Leave out what is between a person and the tax desk: a link may go anywhere."""
    paid, told = paid_as_seen(seen.paid, None), seen.receipt
    taxed = told is not None and bool(told.forms or told.held_cents or told.withheld_cents)
    last = replace(seen.events[-1], event=paid)
    return replace(
        seen,
        paid=paid,
        events=(*seen.events[:-1], last),
        receipt=None if taxed else told,
    )


class Played(msgspec.Struct, frozen=True):
    """A finished round in which somebody bet."""

    round: str
    at: int
    """When they last put chips down in it."""
    position: int
    """Of that in the journal: the next page goes on before it."""


def played(store: Store, person: str, before: int = 2**62, most: int = 20) -> list[Played]:
    """Return the finished rounds in which somebody bet, the last first, from a position back.

    A look goes through a bounded part of the ledger: whoever moved many chips looks again.
    """
    accounts = [chips(person, practice=practice) for practice in (True, False)]
    found: list[Played] = []
    begun: dict[str, int] = {}
    """By table: where the round begins that was looked at last."""
    for stream, seq in store.rows("SELECT stream, seq FROM journal WHERE position = ?", before):
        begun[stream] = _first(store, _round_at(store, stream, seq), stream)  # the page before
    for stream, seq, at, position in store.rows(_CHIPS_DOWN, *accounts, before):
        if len(found) == most:
            break
        if seq >= begun.get(stream, seq + 1):
            continue  # an earlier bet of the same round
        name = _round_at(store, stream, seq)
        begun[stream] = _first(store, name, stream)
        # Where it is not over yet, or the bet was taken back before the deal, it was not played.
        if name is not None and finished(store, name).seat_of(person) is not None:
            found.append(Played(name, at, position))
    return found


_CHIPS_DOWN = """SELECT journal.stream, journal.seq, journal.at, journal.position
    FROM ledger JOIN journal ON journal.position = ledger.position
    WHERE ledger.account IN (?, ?) AND ledger.cents < 0 AND ledger.position < ?
    AND journal.stream LIKE 'table:%' ORDER BY ledger.position DESC LIMIT 2000"""

_PAID = """SELECT body FROM journal WHERE stream = ? AND seq >= ?
    AND body LIKE '%"event":"round-paid"%' ORDER BY seq LIMIT 1"""


def _round_at(store: Store, stream: str, seq: int) -> str | None:
    """Return the round to which an entry belongs; None where it is not over yet."""
    for (body,) in store.rows(_PAID, stream, seq):
        for event in codec.body(body).events:
            if isinstance(event, h.RoundPaid):
                return f"{stream.partition(':')[2]}-{event.round}"
    return None


def _first(store: Store, name: str | None, stream: str) -> int:
    """Return the first entry of a round; of one that is not over, what follows the one before."""
    if name is not None:
        return int((store.kept("round", name) or "0 0").split()[0])
    kept = store.kept("table", stream.partition(":")[2])
    return codec.snapshot(kept).seq + 1 if kept is not None else 0


def share_key(name: str, seat: int | None, seed: str) -> str | None:
    """Return the key to a round as a seat saw it; without the deck's secret seed there is none.

    >>> share_key("t-1", 1, "5eed"), share_key("t-1", 1, "")
    ('2c37c166060a9dff438381e5b10c37c2', None)
    """
    if seat is None or not seed:
        return None
    return hashlib.sha256(_bytes(f"share/{name}/{seat}/{seed}")).hexdigest()[:KEY_LENGTH]


def state_after(past: Replay, number: int) -> rounds.State:
    """Return the round as it stood after so many of its events."""
    state = rounds.State()
    for each in past.events[: max(0, number)]:
        if type(each.event) not in OWN:
            state = rounds.evolve(past.book, state, cast(Event, each.event))
    return state


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _seen(store: Store, whole: Finished, seat: int | None) -> Replay:
    events = tuple(
        Happened(told.at, told.actor, event)
        for told in whole.notices(seat)
        for event in told.events
    )
    state, paid = whole.view(seat), events[-1].event
    assert isinstance(paid, h.RoundPaid)  # every story ends with it
    return Replay(
        whole.round,
        whole.book,
        whole.practice,
        seat,
        _names(store, whole, events),
        events,
        state,
        paid,
        None if seat is None else _receipt(store, whole, seat, state, events, paid),
        whole.proof(state),
        whole.sealed.commitment,
        share_key(whole.round, seat, whole.sealed.seed),
    )


def _names(store: Store, whole: Finished, events: Iterable[Happened]) -> dict[int, str]:
    """Name everybody who was there when bets were made, those who did not bet included."""
    people: dict[int, str] = {}
    for each in events:
        if isinstance(each.event, RoundOpened):
            people |= each.event.seats
    return {seat: _name(store, who) for seat, who in sorted({**people, **whole.people}.items())}


def _name(store: Store, person: str) -> str:
    """Return what somebody is called: names are given once, and do not change."""
    kept = store.kept("person", person)
    name = codec.person(kept)[0].name if kept is not None else ""
    bot, _, seat = person.rpartition("-")
    return name or (f"Bot {seat}" if bot.startswith("bot-") else person)


# Receipts -------------------------------------------------------------------------------------


def _receipt(
    store: Store,
    whole: Finished,
    seat: int,
    state: rounds.State,
    events: Iterable[Happened],
    paid: h.RoundPaid,
) -> SeatReceipt | None:
    """Settle what the seat saw: every hand that has a part in a settlement has been shown."""
    was = next(each for each in paid.seats if each.seat == seat)
    players = {seat: _player(store, whole, was)}
    settled = settle.settle(whole.book, settle.of_round(state, players, paid.date))
    mine = next(each for each in settled.seats if each.seat == seat)
    if not _agrees(mine, was):
        return None
    given = tuple(Approved(each.role, _name(store, each.person)) for each in _given(events, seat))
    return SeatReceipt(
        mine.hand,
        tuple(_line(whole.book, line) for line in mine.lines),
        mine.staked_cents,
        mine.paid_cents,
        mine.paid_cents - mine.staked_cents,
        mine.held_cents,
        mine.withheld_cents,
        tuple(label(rule) for rule in mine.approvals),
        given,
        tuple(form.form for form in mine.forms),
    )


def _player(store: Store, whole: Finished, paid: h.SeatPaid) -> Player:
    """Return what the tax desk knew of who sat there when the round was paid.

    Where it filled in no form and held nothing, nothing that it may have known made a difference.
    """
    if not paid.forms and not paid.held_cents:
        return Player()
    last = whole.entries[-1][0]
    wanted = [f'%"event":"{tag}","seat":{paid.seat},%' for tag in ("seat-taken", "player-known")]
    sql = "SELECT body FROM journal WHERE stream = ? AND seq <= ? AND (body LIKE ? OR body LIKE ?)"
    found = store.rows(f"{sql} ORDER BY seq DESC LIMIT 1", last.stream, last.seq, *wanted)
    taken = [
        event
        for (body,) in found
        for event in codec.body(body).events
        if isinstance(event, h.SeatTaken | h.PlayerKnown) and event.seat == paid.seat
    ]
    return taken[-1].player


def _agrees(settled: SeatSettlement, paid: h.SeatPaid) -> bool:
    """Whether a settlement says what was paid."""
    sums = (settled.paid_cents, settled.held_cents, settled.withheld_cents)
    lines = [(each.spot, each.outcome, each.returned_cents) for each in settled.lines]
    return sums == (paid.paid_cents, paid.held_cents, paid.withheld_cents) and lines == [
        (each.spot, each.outcome, each.returned_cents) for each in paid.lines
    ]


def _given(events: Iterable[Happened], seat: int) -> list[h.PayoffApproved]:
    """Return the approvals of what was paid: those of an earlier figure are void."""
    given: list[h.PayoffApproved] = []
    for each in events:
        if isinstance(each.event, h.PayoffAnnounced) and each.event.seat == seat:
            given.clear()
        elif isinstance(each.event, h.PayoffApproved) and each.event.seat == seat:
            given.append(each.event)
    return given


def _line(book: Rulebook, line: Line) -> ReceiptLine:
    spot = book.spots.get(line.spot)
    return ReceiptLine(
        line.spot,
        spot.title if spot is not None else line.spot.capitalize(),
        line.stake_cents,
        line.outcome,
        "" if line.odds is None else str(line.odds),
        line.nominal_cents,
        line.won_cents,
        line.returned_cents,
        line.clause,
        tuple(sentences(line)),
        tuple(sentence(why) for why in line.reasons if why.code in CHANGED),
    )
