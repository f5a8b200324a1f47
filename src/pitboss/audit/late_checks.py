"""Wagers found late, told again from events alone: what one person may record, and who did."""

from collections import Counter
from collections.abc import Sequence

from pitboss.audit.resettle import TOKE, RetoldRound, retold
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS, DealStep, TurnStep


def alone(book: Rulebook, before: Sequence[e.Event], event: e.LateWagerAccepted) -> str:
    """Say why nobody alone might record this after what had happened."""
    told = retold(book, before)
    seat = told.seats[event.seat]
    lay = seat.toke_cents if event.spot == TOKE else seat.stakes.get(event.spot, 0)
    if event.cents < lay:
        return f"a late find took {event.spot} down from {lay} to {event.cents}"
    shown = _all_open(book, told, event.spot)
    return "a late find was recorded when every card lay open" if shown else ""


def _all_open(book: Rulebook, told: RetoldRound, spot: str) -> bool:
    """Whether nothing on the table on which a wager hangs lies face down or in the deck; where it
    hangs on nothing there, nothing at all."""
    named = [each for each in book.spot if each.name == spot]
    [wager, *_] = named or [each for each in book.spot if each.required]
    tables = () if wager.against else book.table
    hangs = {place for each in tables if each.name == wager.table for place in each.cards} - {SEATS}
    own, up = 0, Counter[str]()
    for step in book.script:
        if isinstance(step, DealStep):
            own += step.cards if SEATS in step.to else 0
            up.update({place: len(step.up.get(place, ())) for place in step.to if place != SEATS})
        elif isinstance(step, TurnStep):
            up[step.place] += step.cards
    hands = (seat for seat in told.seats.values() if not (seat.folded or seat.dead))
    return all(len(seat.cards) >= own for seat in hands) and all(
        sum(told.faces.get(place, ())) >= cards
        for place, cards in up.items()
        if not hangs or place in hangs
    )


def recorded(events: Sequence[e.Event], seat: int, person: str) -> bool:
    """Whether somebody recorded a late find of this seat: they approve nothing of it."""
    late = (each for each in events if isinstance(each, e.LateWagerAccepted))
    return any((each.seat, each.person) == (seat, person) for each in late)
