"""What each seat may see: a view is built from visible events, never by deleting from the whole."""

from collections.abc import Iterable

from msgspec.structs import replace

from pitboss.round import events as e
from pitboss.round.state import State, evolve
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook


def visible(event: e.Event, seat: int | None) -> e.Event:
    """Return the event as this seat sees it; None watches without a seat.

    Only dealt cards can be secret: a player's own are seen by that player, face-up ones by all, and
    face-down ones on the table by nobody. What is turned or shown is seen by all.
    """
    if not isinstance(event, e.CardsDealt) or event.up:
        return event
    if event.place == SEATS and event.seat == seat:
        return event
    return replace(event, cards=(None,) * len(event.cards))


def view(book: Rulebook, happened: Iterable[e.Event], seat: int | None) -> State:
    """Return the round as this seat sees it: a state that holds only cards it may see."""
    state = State()
    for event in happened:
        state = evolve(book, state, visible(event, seat))
    return state
