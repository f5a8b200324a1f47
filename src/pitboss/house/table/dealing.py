"""Dealing from a sealed deck: what lies face down for everybody is not read before it is turned.

So nothing that is written down shows such a card before players see it: until then it is in the
locked deck alone, and in the events it is None, as a real card is that nobody has looked at.
"""

from collections.abc import Iterable, Sequence

import msgspec

from pitboss import round as rounds
from pitboss.cards import Card
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.state import coming
from pitboss.rulebook.deal_script import TurnStep
from pitboss.rulebook.model import Rulebook


class Dealt(msgspec.Struct):
    """What has left the deck."""

    cards: list[Card | None]
    """In the order of dealing; None for what was not read."""
    down: dict[str, list[int]]
    """By pile: which of them lie face down."""


def dealt(happened: Iterable[e.Event]) -> Dealt:
    found = Dealt([], {})
    for event in happened:
        if isinstance(event, e.CardsDealt):
            if not (event.seat or event.up):
                first = len(found.cards)
                down = range(first, first + len(event.cards))
                found.down.setdefault(event.place, []).extend(down)
            found.cards.extend(event.cards)
        elif isinstance(event, e.CardsTurned):
            for card in event.cards:
                found.cards[found.down[event.place].pop(0)] = card
    return found


def next_action(book: Rulebook, table: Table, deck: Sequence[Card]) -> a.Action | None:
    """Return what an automatic dealer does now, or None while the table waits."""
    state = table.round
    action = rounds.next_action(book, state, deck)
    step = book.script[state.step] if action is not None else None
    if isinstance(action, a.Deal):
        known = zip(action.cards, coming(book, state), strict=True)
        return a.Deal(tuple([card if seat or up else None for card, (_, seat, up) in known]))
    if isinstance(step, TurnStep):
        down = dealt(table.happened).down[step.place][: step.cards - state.position]
        return a.Turn(tuple(deck[place] for place in down))
    return action
