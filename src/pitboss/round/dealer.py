"""The dealer's part: what the script wants next, from a shuffled deck."""

from collections.abc import Sequence

from pitboss.cards import Card
from pitboss.round import actions as a
from pitboss.round.state import State, awaits_green, coming, due
from pitboss.rulebook.deal_script import DealStep
from pitboss.rulebook.model import Rulebook


def next_action(book: Rulebook, state: State, deck: Sequence[Card | None]) -> a.Action | None:
    """Return what an automatic dealer does now, or None while the round waits for players.

    It waits, too, for the shuffler's light where the step does, and once every hand is shown:
    paying needs a settlement first.
    """
    if state.phase != "playing" or state.light == "red":
        return None
    step = book.script[state.step]
    if not isinstance(step, DealStep):
        return None if due(book, state) else a.Turn()
    if awaits_green(step, state):
        return None
    wanted = len(coming(book, state))
    return a.Deal(tuple(deck[state.dealt : state.dealt + wanted]))
