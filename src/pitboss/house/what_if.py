"""What if: a finished round played once more, with another choice at one decision of its seat.

Nothing goes into it but what that seat saw of the round: a card that was never shown to it is not
known here, either. The round's machine plays it and ``settle`` settles it, as at the table.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.errors import Refused, Unreadable
from pitboss.house.bots import Choose, decide
from pitboss.house.receipt import WagerGroup, groups
from pitboss.house.replay import Replay, dealt
from pitboss.house.storage.past_rounds import own
from pitboss.house.table.events import Redone, SeatPaid
from pitboss.house.table.payoffs import seat_paid
from pitboss.round import Round, State, evolve
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.rulebook.model import Rulebook
from pitboss.settle import of_round, settle

_Dealers = e.CardsDealt | e.CardsTurned | e.HandShown | e.PayingBegan
"""What the dealer does, who follows the script."""


class Ending(msgspec.Struct, frozen=True):
    """How a round would have ended for its seat."""

    net_cents: int
    """What it would have won or lost, before tax."""
    instead_cents: int
    """What it did win or lose, before tax."""
    changed: tuple[WagerGroup, ...]
    """The lines of its receipt that it has not got."""
    added: tuple[e.Decided, ...]
    """What the strategy decided where the seat had nothing more to decide."""


def ending(past: Replay, number: int, action: a.Action, choose: Choose) -> Ending | None:
    """Say how the round would have ended had the seat done this instead of its event ``number``.

    All else is as it was; what the seat never came to decide is decided by a strategy. None where
    that takes a card that the seat was never shown, or where the round was put right afterwards.
    """
    assert past.seat is not None
    if any(isinstance(each, Redone) for each in past.events[number - 1 :]):
        return None
    again = _Again(past, past.seat, choose)
    try:
        state = again.play(number, action)
    except (Refused, Unreadable):  # the dealer cannot deal or turn a card that nobody has read
        return None
    if state.phase != "settling":
        return None
    book = past.book
    settled = settle(book, of_round(state, date=past.paid.date))
    seats = [seat_paid(book, each) for each in settled.seats]
    mine = next(each for each in seats if each.seat == past.seat)
    was = next(each for each in past.paid.seats if each.seat == past.seat)
    told = past.receipt.groups if past.receipt is not None else ()
    return Ending(
        net_cents=_before_tax(mine),
        instead_cents=_before_tax(was),
        changed=tuple(g for g in groups(book, mine, seats, past.names) if g not in told),
        added=tuple(again.added),
    )


class _Again:
    """A round that is played again."""

    def __init__(self, past: Replay, seat: int, choose: Choose) -> None:
        self.book, self.seat, self.choose = past.book, seat, choose
        self.events = past.events
        self.deck = tuple(dealt(own(past.events), past.state))
        self.made = dict(_made(past.book, own(past.events), seat))
        self.added: list[e.Decided] = []
        self.game = Round(past.book)

    def play(self, number: int, action: a.Action) -> State:
        before = own(self.events[: number - 1])
        self.game = Round(self.book, _read(before, self.deck))
        self.game.do(action)
        self._go_on()
        for event in own(self.events[number:]):
            own_choice = isinstance(event, e.Decided) and event.seat == self.seat
            if isinstance(event, e.LateWagerAccepted):
                self._found_late(event)
            elif not own_choice and not isinstance(event, _Dealers):
                # What others decided stands, though it may rest on cards that are not known here.
                self.game = Round(self.book, (*self.game.events, event))
            self._go_on()
        return self.game.state

    def _found_late(self, event: e.LateWagerAccepted) -> None:
        """Find it again, where it still lies; a raise of one's own is what one chooses now."""
        late = a.AcceptLate(event.seat, event.spot, event.cents, event.role, event.person)
        chosen = event.seat == self.seat and event.spot in self.book.raised
        if not chosen and self.game.refusal(late) is None:
            self.game.do(late)

    def _go_on(self) -> None:
        """Deal, and decide where nobody else has to, until others do or the round is over."""
        self.game.deal(self.deck)
        while self.game.due() == [self.seat]:
            self._decide()
            self.game.deal(self.deck)

    def _decide(self) -> None:
        made = self.made.get(self.game.state.step)
        again = _action(made) if made is not None else None
        if again is not None and self.game.refusal(again) is None:
            self.game.do(again)
            return
        view = self.game.view(self.seat)
        [done] = self.game.do(decide(self.book, view, self.seat, self.choose))
        assert isinstance(done, e.Decided)
        self.added.append(done)


def _made(
    book: Rulebook, happened: Iterable[e.Event], seat: int
) -> Iterator[tuple[int, e.Decided]]:
    """Return what a seat decided, each with the step of the script that it was asked at."""
    state = State()
    for event in happened:
        if isinstance(event, e.Decided) and event.seat == seat:
            yield state.step, event
        state = evolve(book, state, event)


def _read(happened: Iterable[e.Event], deck: Iterable[Card | None]) -> Iterator[e.Event]:
    """Return events in which every card is known that comes out of this deck known."""
    cards = iter(deck)
    for event in happened:
        if isinstance(event, e.CardsDealt):
            yield replace(event, cards=tuple(islice(cards, len(event.cards))))
        else:
            yield event


def _action(event: e.Decided) -> a.Action:
    """Return what was asked for when this was decided, or that nothing was in time."""
    match event:
        case (
            e.Folded(timed_out=True) | e.Checked(timed_out=True) | e.WagerTakenBack(timed_out=True)
        ):
            return a.TimeOut(event.seat)
        case e.RaisePlaced():
            return a.Raise(event.seat, event.times)
        case e.Folded():
            return a.Fold(event.seat, confirmed=True)
        case e.Checked():
            return a.Check(event.seat)
        case e.WagerTakenBack():
            return a.TakeBack(event.seat)


def _before_tax(paid: SeatPaid) -> int:
    return paid.net_cents + paid.held_cents + paid.withheld_cents
