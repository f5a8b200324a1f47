"""A round that was paid, read from the journal for whoever puts it right."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from msgspec.structs import replace

from pitboss.house.books.papers import LEFT, ReleasedWinnings, RoundClaim
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import rulebook
from pitboss.house.storage.reader import Reader
from pitboss.house.table import events as h
from pitboss.house.table.records import held_names
from pitboss.house.table.unit_of_work import PastRound
from pitboss.round import events as e
from pitboss.round.redo import story
from pitboss.rulebook import Rulebook


class Archive(Protocol):
    """What a round is read from."""

    def kept(self, kind: str, name: str) -> str | None: ...

    def entries(self, stream: str, after: int = 0, limit: int = 1_000_000) -> list[Entry]: ...


def past_round(store: Reader, table: str, number: int) -> PastRound | None:
    """Return a round of a table that was paid; None where there is none of this number."""
    return read_past(store, table, number, lambda sha256: rulebook(store, sha256))


def fenced_round(
    store: Reader, table: str, number: int
) -> tuple[PastRound | None, tuple[tuple[str, int], ...]]:
    """Return it with a fence around what can still change of it: what its players owe, and what is
    kept for them, is in their own streams."""
    past = past_round(store, table, number)
    streams = {f"person:{who}" for who in past.people.values()} if past is not None else ()
    relied = tuple((stream, store.last(stream)[0]) for stream in sorted(streams))
    return past_round(store, table, number), relied


def read_past(
    store: Archive, table: str, number: int, books: Callable[[str], Rulebook]
) -> PastRound | None:
    """Return it from any archive: as it was paid, or as it was last put right."""
    name, stream = f"{table}-{number}", f"table:{table}"
    span = store.kept("round", name)
    if span is None:
        return None
    first, last = map(int, span.split())
    entries = store.entries(stream, first - 1, last - first + 1)
    told = [(entry.actor, event) for entry in entries for event in codec.body(entry.body).events]
    begins, entered, paid = 0, False, None
    for at, (_, event) in enumerate(told):
        if isinstance(event, h.DeckSealed) and event.round == number:
            begins, entered = at, not event.locked
        elif isinstance(event, h.RoundPaid) and event.round == number:
            paid = event
    assert paid is not None, "its span ends with its payment"
    inside = told[begins:]
    dealers = {actor for actor, event in inside if isinstance(event, e.CardsDealt | e.PayingBegan)}
    events = story([*own(event for _, event in inside)])
    opened = events[0]
    assert isinstance(opened, e.RoundOpened)
    past = PastRound(
        book=books(opened.sha256),
        events=events,
        first=paid,
        paid=paid,
        entered=entered,
        dealers=frozenset(dealers),
        entry=last,
        papers={event.seat: event for _, event in inside if isinstance(event, h.PapersTaken)},
        owed=_owed(store, name, opened),
        paid_at=entries[-1].at,
    )
    put_right = [(entry.seq, put_right_by(body)) for entry, body in adjustments(store, name, last)]
    for entry, event in put_right:
        past = adjusted(past, event, entry)
    by = [entry for entry, _ in put_right]
    return replace(past, released=tuple(_released(store, past, name, by)))


def adjusted(past: PastRound, event: h.RoundAdjusted, entry: int) -> PastRound:
    """Return a round as it stands once it was put right by this."""
    return replace(
        past,
        events=event.events,
        paid=event.paid,
        entry=entry,
        released=event.released,
        lent_cents=event.lent_cents,
    )


def adjustments(store: Archive, name: str, paid: int) -> list[tuple[Entry, codec.Body]]:
    """Return the entries that put a round right, which was paid by this one, from the first on."""
    kept, stream = store.kept("adjusted", name), f"table:{name.rpartition('-')[0]}"
    at, found = int(kept) if kept is not None else paid, []
    while at != paid:
        [entry] = store.entries(stream, at - 1, 1)
        body = codec.body(entry.body)
        found.append((entry, body))
        at = put_right_by(body).before
    return found[::-1]


def put_right_by(body: codec.Body) -> h.RoundAdjusted:
    """Return what an entry puts right."""
    [event] = [event for event in body.events if isinstance(event, h.RoundAdjusted)]
    return event


def _owed(store: Archive, name: str, opened: e.RoundOpened) -> dict[int, RoundClaim]:
    found = {seat: store.kept("claim", f"{name}-{seat}") for seat in opened.seats}
    return {seat: codec.claim(written) for seat, written in found.items() if written}


def _released(
    store: Archive, past: PastRound, name: str, entries: list[int]
) -> Iterator[ReleasedWinnings]:
    """Return what was kept and paid out with a form, or turned over: as it was when the round was
    last put right, or, since, as it left."""
    known = {each.id: each for each in past.released}
    for seat, wager, of in held_names(past, name, entries):
        form, over = store.kept("form", f"{of}-0"), store.kept("turned-over", of)
        if wager == LEFT:
            form = None  # theirs like chips
        if of in known:
            yield known[of]
        elif form or over:
            made_out = codec.form(form) if form else None
            cents = made_out.reportable_cents if made_out else codec.held(over or "").cents
            yield ReleasedWinnings(
                id=of, seat=seat, wager=wager, cents=cents, paid_cents=cents, form=made_out
            )


def own(events: Iterable[h.TableEvent]) -> Iterator[e.Event]:
    """Return what happened in the round itself; one that was put right begins anew."""
    for event in events:
        if isinstance(event, h.Redone):
            yield from event.events
        elif not isinstance(event, h.Own):
            yield event
