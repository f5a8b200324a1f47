"""What a replay says of a choice that was not made: how this very round would have ended by it."""

import msgspec

from pitboss import round as rounds
from pitboss.house.bots import act
from pitboss.house.decisions import choice_of
from pitboss.house.replay import Replay, state_after
from pitboss.house.what_if import Ending, ending
from pitboss.round import events as e
from pitboss.web.pages.coach import DecisionReview
from pitboss.web.pages.prices import solved
from pitboss.wording import TIMES, capital, listed, spaced

MOST_REPEATED = 40
"""Letters of what somebody asked for that are said back."""


class WhatIf(msgspec.Struct, frozen=True):
    """An answer."""

    says: str
    """In a sentence; with an ending, what it rests on."""
    choice: str = ""
    ending: Ending | None = None


def what_if(found: Replay, decision: DecisionReview | None, asked: str) -> WhatIf:
    """Answer what would have come of a choice, as an address names it, at a decision of a seat."""
    seat, solution = found.seat, solved(found.book)
    if decision is None or not decision.choices or seat is None or solution is None:
        return WhatIf("Nothing can be tried at this step: go to one of the decisions.")
    choice = next((each for each in decision.choices if each.key == asked), None)
    if choice is None:
        there = listed((each.says for each in decision.choices), "or")
        return WhatIf(f"{asked[:MOST_REPEATED]!r} is none of the choices here: try {there}.")
    if choice == decision.made:
        return WhatIf(f"{capital(choice.says)} is what was done.")
    before = state_after(found, decision.number - 1)
    number = choice_of(choice.action, choice.times)
    action = act(seat, number, rounds.legal(found.book, before, seat))
    came = ending(found, decision.number, action, solution.choice)
    if came is None:
        return WhatIf(
            f"{capital(choice.says)} would have taken cards that were never shown here, and they"
            f" stay sealed: nobody is told how it would have ended. On average it nets"
            f" {choice.text}."
        )
    rest = "With the cards that were shown here, and all other decisions as they were made"
    if came.added:
        rest += f"; where none was made, the best strategy's: {listed(map(_says, came.added))}"
    return WhatIf(f"{rest}.", capital(choice.says), came)


def _says(event: e.Decided) -> str:
    match event:
        case e.RaisePlaced():
            return f"raise {event.times}{TIMES}"
        case e.Folded():
            return "fold"
        case e.Checked():
            return "check"
        case e.WagerTakenBack():
            return spaced("take-back")
