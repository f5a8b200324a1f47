"""One pure machine that plays any rulebook.

>>> from pitboss import rulebook
>>> from pitboss.cards import cards
>>> from pitboss.round import Round, actions
>>> book = rulebook.load("diamond-jo-worth/cajun-stud")
>>> game = Round(book)
>>> deck = cards("As Kd Th Jh Qh")
>>> _ = game.do(actions.Open({1: "ann"}, minimum_cents=500, maximum_cents=10_000))
>>> _ = game.do(actions.Bet(1, {"ante": 500}))
>>> _ = game.do(actions.CloseBets())
>>> _ = game.deal(deck)
>>> [option.cents for option in game.legal(1) if option.action == "raise"]
[500, 1000, 1500]
>>> game.refusal(actions.Raise(1, times=4)).code
'raise/not-a-multiple'
>>> game.do(actions.Raise(1, times=3))[0].cents
1500
"""

from collections.abc import Iterable, Sequence

from pitboss.cards import Card
from pitboss.errors import Refusal
from pitboss.round import actions, events
from pitboss.round.dealer import next_action
from pitboss.round.machine import Option, apply, legal, refusal, step
from pitboss.round.state import Seat, State, due, evolve
from pitboss.round.view import view, visible
from pitboss.rulebook.model import Rulebook

__all__ = [
    "Option",
    "Round",
    "Seat",
    "State",
    "actions",
    "apply",
    "due",
    "events",
    "evolve",
    "legal",
    "next_action",
    "refusal",
    "step",
    "view",
    "visible",
]


class Round:
    """A round in memory: the machine's functions with book, state and events kept together."""

    def __init__(self, book: Rulebook, happened: Iterable[events.Event] = ()) -> None:
        self.book = book
        self.state = State()
        self.events: list[events.Event] = []
        for event in happened:
            self.state = evolve(book, self.state, event)
            self.events.append(event)

    def do(self, action: actions.Action) -> tuple[events.Event, ...]:
        """Do it and return what happened; raises ``Refused`` and changes nothing."""
        self.state, happened = apply(self.book, self.state, action)
        self.events.extend(happened)
        return happened

    def deal(self, deck: Sequence[Card | None]) -> list[events.Event]:
        """Let an automatic dealer go on until the round waits for players or is decided."""
        happened: list[events.Event] = []
        while (action := next_action(self.book, self.state, deck)) is not None:
            happened.extend(self.do(action))
        return happened

    def refusal(self, action: actions.Action) -> Refusal | None:
        return refusal(self.book, self.state, action)

    def legal(self, seat: int) -> tuple[Option, ...]:
        return legal(self.book, self.state, seat)

    def due(self) -> list[int]:
        return due(self.book, self.state)

    def view(self, seat: int | None) -> State:
        """Return the round as this seat sees it; None watches without a seat."""
        return view(self.book, self.events, seat)
