"""The decisions of a seat that stand in a round, and what a solution is asked about each."""

from collections.abc import Iterable, Iterator

import msgspec

from pitboss import round as rounds
from pitboss.errors import Unreadable
from pitboss.house.table.events import Own, Redone, TableEvent
from pitboss.maths.advise import history, seen
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK
from pitboss.maths.seen import Seen
from pitboss.round import Seat, State
from pitboss.round import events as e
from pitboss.rulebook import Rulebook

_CHOICES = {"fold": FOLD, "check": CHECK, "take-back": TAKE_BACK}
_DECIDED: dict[type, int] = {e.Folded: FOLD, e.Checked: CHECK, e.WagerTakenBack: TAKE_BACK}


class SeatDecision(msgspec.Struct, frozen=True):
    """Something that a seat decided, and how the round stood before."""

    number: int
    """How many of the events had happened, itself the last."""
    state: State
    event: e.Decided


def numbered(happened: Iterable[TableEvent]) -> Iterator[tuple[int, e.Event]]:
    """Return what happened in a round, each with its number among these events of a table: a round
    that was put right begins anew, and all that is told of it then has the same number."""
    for number, event in enumerate(happened, start=1):
        if isinstance(event, Redone):
            yield from ((number, each) for each in event.events)
        elif not isinstance(event, Own):
            yield number, event


def decided(book: Rulebook, happened: Iterable[TableEvent], seat: int) -> list[SeatDecision]:
    """Return the decisions of a seat that stand, from events as it saw them."""
    state, found = State(), list[SeatDecision]()
    for number, event in numbered(happened):
        if isinstance(event, e.RoundOpened):
            found.clear()
        if isinstance(event, e.Decided) and event.seat == seat:
            found.append(SeatDecision(number, state, event))
        state = rounds.evolve(book, state, event)
    return found


def choice_of(action: str, times: int) -> int:
    """Return the number by which solutions name something that a seat may do."""
    return _CHOICES.get(action, times)


def choice_made(event: e.Decided) -> int:
    """Return the number by which solutions name what a seat did."""
    return event.times if isinstance(event, e.RaisePlaced) else _DECIDED[type(event)]


def situation(book: Rulebook, state: State, seat: int, ante_cents: int) -> Seen | None:
    """Return what a seat knows that decides; None where its cards or wagers are not those that
    solutions are about."""
    held = state.seats[seat]
    if not usual(book, held, ante_cents):
        return None
    try:
        return seen(book, held.cards, state.piles, history(book, held.raises, held.stakes))
    except Unreadable:
        return None


def usual(book: Rulebook, held: Seat, ante_cents: int) -> bool:
    """Whether a seat's wagers are those that solutions are about: multiples of the ante."""
    decided = history(book, held.raises, held.stakes)
    main = {name for name, spot in book.spots.items() if spot.kind == "main"}
    antes = {name: 1 for name in book.opening if name in main}
    for step, choice in zip(book.streets, decided, strict=False):
        if choice > 0:
            antes[step.into] = choice
        elif choice == TAKE_BACK:
            antes.pop(step.into, None)
    down = {name: cents for name, cents in held.stakes.items() if name in main}
    return down == {name: many * ante_cents for name, many in antes.items()}
