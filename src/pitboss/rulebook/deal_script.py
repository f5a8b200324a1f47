"""What happens in a round, in order: cards are dealt and turned, seats decide, hands are shown."""

from collections.abc import Container, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from pitboss.rulebook.base import Cited, Name, Ranks

SEATS = "seats"
"""The place name that means every seat in play; any other place is one pile on the table."""


class DealStep(Cited, frozen=True, kw_only=True, dict=True, tag_field="do", tag="deal"):
    """Cards leave the deck."""

    to: tuple[Name, ...]
    """Who gets them, in dealing order: ``seats`` or the name of a place on the table."""
    cards: int
    """How many each one gets."""
    packet: int = 1
    """How many at once before the deal moves on."""
    up: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Which of a place's cards (1 is the first) come face up; all others lie face down."""
    after_green_light: bool = False
    """With a shuffler: only after its green light."""

    @cached_property
    def face_up(self) -> tuple[tuple[str, int], ...]:
        """Which card of which place comes face up."""
        return tuple((place, each) for place, positions in self.up.items() for each in positions)


class More(Cited, frozen=True, kw_only=True):
    """Multiples for good hands."""

    times: tuple[int, ...]
    """Offered besides the step's own."""
    hand: str
    """To a hand of this category or better, in the ranking of the main hand."""
    of: Ranks | None = None
    """Its deciding rank."""
    kicker: Ranks | None = msgspec.field(default=None, name="with")
    """Its second rank."""


class DecideStep(Cited, frozen=True, kw_only=True, tag_field="do", tag="decide"):
    """Every seat still in makes up its mind."""

    points = ("fold",)
    """That a fold loses its wagers."""
    into: str
    """The spot that a raise fills, or that ``take-back`` empties."""
    times: tuple[int, ...] = ()
    """The offered multiples of the wager named by ``of``."""
    of: str = "ante"
    """The wager that the raise is a multiple of."""
    more: tuple[More, ...] = ()
    """Multiples that depend on the player's own cards."""
    otherwise: tuple[Literal["fold", "check", "take-back"], ...] = ("fold",)
    """What a seat may do instead of raising."""
    timeout: Literal["fold", "check", "take-back"] = "fold"
    """What a seat does that does not answer in time."""

    @property
    def every(self) -> tuple[int, ...]:
        """All multiples that some hand may raise by."""
        return (*self.times, *(each for more in self.more for each in more.times))


class TurnStep(Cited, frozen=True, kw_only=True, tag_field="do", tag="turn"):
    """Cards that lie face down on the table are turned up."""

    place: str
    """Which pile."""
    cards: int
    """How many, from the first that is still face down."""


class ShowStep(Cited, frozen=True, kw_only=True, tag_field="do", tag="show"):
    """The hands are turned up and settled, seat by seat."""

    order: Literal["right-to-left", "left-to-right"] = "right-to-left"
    """From the dealer's right, or from the left."""


Step = DealStep | DecideStep | TurnStep | ShowStep


class Arrival(msgspec.Struct, frozen=True):
    """A card that a player gets to see."""

    place: str
    """Where it lies: ``seats`` for the player's own."""
    number: int | None
    """Which of all cards dealt to these places on the table, 0 the first; None for one's own."""
    step: int
    """The step of the script that shows it; where only the end does, one more than the last."""


def arrivals(script: Sequence[Step], places: Container[str]) -> tuple[Arrival, ...]:
    """Return the cards of these places in the order in which a player sees them."""
    found: list[Arrival] = []
    down: dict[str, list[int]] = {}
    dealt = 0
    for at, step in enumerate(script):
        if isinstance(step, DealStep):
            for place in step.to:
                if place == SEATS and place in places:
                    found += [Arrival(place, None, at)] * step.cards
                elif place in places:
                    cards = range(dealt, dealt + step.cards)
                    up = [cards[which - 1] for which in step.up.get(place, ())]
                    found += [Arrival(place, card, at) for card in up]
                    down.setdefault(place, []).extend(card for card in cards if card not in up)
                    dealt += step.cards
        elif isinstance(step, TurnStep) and step.place in down:
            hidden = down[step.place]
            found += [Arrival(step.place, card, at) for card in hidden[: step.cards]]
            down[step.place] = hidden[step.cards :]
    for place, hidden in down.items():
        found += [Arrival(place, card, len(script)) for card in hidden]
    return tuple(found)
