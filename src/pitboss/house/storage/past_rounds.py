"""A round that was paid, read from the journal for whoever puts it right."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import rulebook
from pitboss.house.storage.reader import Reader
from pitboss.house.table import events as h
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


def read_past(
    store: Archive, table: str, number: int, books: Callable[[str], Rulebook]
) -> PastRound | None:
    """Return it from any archive: as it was paid, or as it was last put right."""
    name, stream = f"{table}-{number}", f"table:{table}"
    span = store.kept("round", name)
    if span is None:
        return None
    first, last = map(int, span.split())
    told = [
        (entry.actor, event)
        for entry in store.entries(stream, first - 1, last - first + 1)
        for event in codec.body(entry.body).events
    ]
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
    entry, first_paid = last, paid
    adjusted = store.kept("adjusted", name)
    if adjusted is not None:
        entry = int(adjusted)
        [written] = store.entries(stream, entry - 1, 1)
        put_right = codec.body(written.body).events
        [again] = [each for each in put_right if isinstance(each, h.RoundAdjusted)]
        events, paid = again.events, again.paid
    opened = events[0]
    assert isinstance(opened, e.RoundOpened)
    return PastRound(
        book=books(opened.sha256),
        events=events,
        first=first_paid,
        paid=paid,
        entered=entered,
        dealers=frozenset(dealers),
        entry=entry,
        papers={event.seat: event for _, event in inside if isinstance(event, h.PapersTaken)},
    )


def own(events: Iterable[h.TableEvent]) -> Iterator[e.Event]:
    """Return what happened in the round itself; one that was put right begins anew."""
    for event in events:
        if isinstance(event, h.Redone):
            yield from event.events
        elif not isinstance(event, h.Own):
            yield event
