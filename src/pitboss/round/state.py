"""The state of a round, and how each event changes it.

``evolve`` never decides anything and never fails on an event that the machine made: it is the one
fold that live play, replay, the auditor and every player's view share.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, assert_never

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.hands import ranking
from pitboss.round import events as e
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, ShowStep, TurnStep
from pitboss.rulebook.model import Rulebook

TOKE = "toke"
"""What a wager for the dealers is called where others are called by their spot."""

Phase = Literal["new", "betting", "playing", "settling", "paying", "misdealt"]


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One player's part of the round."""

    seat: int
    person: str
    stakes: dict[str, int] = {}
    """Spot to cents, as they lie on the layout. Never changed in place."""
    toke_cents: int = 0
    cards: tuple[Card | None, ...] = ()
    shown: bool = False
    raises: tuple[int, ...] = ()
    """The multiple of each street's raise; 0 where it did something else or was not asked."""
    acted: int = -1
    """The step of the script at which it last decided."""
    folded: int = 0
    """The street on which it folded; 0 while it has not."""
    timed_out: bool = False
    tucked: str = ""
    kept: str = ""
    """The wager that a fold by the clock did not lose."""
    dead: str = ""
    """The cause for which the hand is dead."""
    ended: bool = False
    """Its part of the deal is over: it gets no more cards."""
    late: tuple[str, ...] = ()
    """Spots whose wager was found late and stands."""

    @property
    def live(self) -> bool:
        """The hand can still decide and win its main wagers."""
        return not (self.folded or self.dead)


class State(msgspec.Struct, frozen=True, gc=False):
    """A round as it stands."""

    phase: Phase = "new"
    step: int = 0
    """Where in the script we are."""
    position: int = 0
    """How far this step has come: cards turned, or places in the order of dealing."""
    minimum_cents: int = 0
    maximum_cents: int | None = None
    meter_cents: int | None = None
    shuffler: bool = False
    light: str = ""
    partners: tuple[tuple[int, ...], ...] = ()
    token_cents: int | None = None
    """What a token is worth here, where the table posts another value than the book's."""
    seats: dict[int, Seat] = {}
    piles: dict[str, tuple[Card | None, ...]] = {}
    """Cards on the table by place, in dealing order."""
    up: dict[str, tuple[bool, ...]] = {}
    """Which of them lie face up."""
    out: int = 0
    """One bit for each card that is known to have left the deck."""
    dealt: int = 0
    """How many cards have left the deck."""
    misdeal: str = ""
    stood: tuple[str, ...] = ()

    @property
    def posted(self) -> tuple[int, int | None, int | None]:
        """The posted minimum and maximum, and what a token is worth where that is posted."""
        return self.minimum_cents, self.maximum_cents, self.token_cents


def deal_order(step: DealStep, seats: Iterable[int]) -> tuple[tuple[str, int, bool], ...]:
    """Return who gets each card of this step among these seats: (place, seat or 0, face up)."""
    return _deal_order(step.to, step.cards, step.packet, step.face_up, tuple(seats))


@lru_cache(maxsize=512)
def _deal_order(
    to: tuple[str, ...],
    cards: int,
    packet: int,
    up: tuple[tuple[str, int], ...],
    seats: tuple[int, ...],
) -> tuple[tuple[str, int, bool], ...]:
    targets = [(place, seat) for place in to for seat in (seats if place == SEATS else (0,))]
    return tuple(
        (place, seat, (place, lap * packet + index + 1) in up)
        for lap in range(cards // packet)
        for place, seat in targets
        for index in range(packet)
    )


def coming(book: Rulebook, state: State) -> tuple[tuple[str, int, bool], ...]:
    """Return who gets each card that is still to be dealt in the step that the round is at."""
    step = book.script[state.step]
    if not isinstance(step, DealStep):
        return ()
    left = deal_order(step, state.seats)[state.position :]
    ended = _ended(state) if left else ()
    return tuple(each for each in left if each[1] not in ended) if ended else left


def _ended(state: State) -> list[int]:
    return [seat.seat for seat in state.seats.values() if seat.ended]


def _come(book: Rulebook, state: State, cards: int) -> int:
    """Return how far the step has come with so many more cards: past all who get none any more."""
    step, ended = book.script[state.step], _ended(state)
    if not ended or not isinstance(step, DealStep):
        return state.position + cards
    position, order = state.position, deal_order(step, state.seats)
    while position < len(order) and (cards or order[position][1] in ended):
        cards -= order[position][1] not in ended
        position += 1
    return position


def awaits_green(step: DealStep, state: State) -> bool:
    """Whether these cards stay in the deck until the shuffler shows green."""
    return step.after_green_light and state.shuffler and state.light != "green"


def due(book: Rulebook, state: State) -> list[int]:
    """Return the seats whose decision the round is waiting for."""
    if state.phase != "playing":
        return []
    step = book.script[state.step]
    if not isinstance(step, DecideStep):
        return []
    raising, ante = bool(step.times), book.ante.name
    return [
        seat.seat
        for seat in state.seats.values()
        if seat.acted < state.step
        and not seat.folded
        and not seat.dead
        and ante in seat.stakes
        and (step.into in seat.stakes) != raising
    ]


def multiples(book: Rulebook, step: DecideStep, seat: Seat) -> tuple[int, ...]:
    """Return the multiples that a seat may raise by here.

    A hand that nobody has read is taken at its player's word: it is turned over in the end.
    """
    if not step.more:
        return step.times
    held = [card for card in seat.cards if card is not None]
    read = len(held) == len(seat.cards)
    strength = ranking(book.main_hand[1]).strength(held) if read else None
    earned = (m for m in step.more if strength is None or strength >= book.needed_for(m))
    return (*step.times, *(each for more in earned for each in more.times))


def living_sides(book: Rulebook, seat: Seat) -> list[str]:
    """Return the wagers of a folded hand that live on, in layout order."""
    if seat.dead:
        return []
    return [
        name
        for name, spot in book.spots.items()
        if (spot.after_fold == "lives" or name == seat.kept) and name in seat.stakes
    ]


def to_show(book: Rulebook, state: State) -> list[Seat]:
    """Return the hands that are still to be turned up, in the order of the house."""
    hands = [
        seat
        for seat in state.seats.values()
        if not seat.shown and not seat.dead and (not seat.folded or living_sides(book, seat))
    ]
    step = book.script[-1]
    assert isinstance(step, ShowStep)
    return sorted(hands, key=lambda each: each.seat, reverse=step.order == "right-to-left")


def evolve(book: Rulebook, state: State, event: e.Event) -> State:
    after = _after(book, state, event)
    return _forward(book, after) if after.phase == "playing" else after


def _forward(book: Rulebook, state: State) -> State:
    """Move past every step of the script that is complete."""
    if not any(seat.live or living_sides(book, seat) for seat in state.seats.values()):
        return replace(state, phase="settling", position=0)
    while _complete(book, state):
        if state.step + 1 == len(book.script):
            return replace(state, phase="settling", position=0)
        state = replace(state, step=state.step + 1, position=0)
    return state


def _complete(book: Rulebook, state: State) -> bool:
    step = book.script[state.step]
    if isinstance(step, DecideStep):
        return not due(book, state)
    if isinstance(step, DealStep):
        return not coming(book, state)
    if isinstance(step, TurnStep):
        return state.position == step.cards
    return not to_show(book, state)


def _bits(cards: Iterable[Card | None]) -> int:
    bits = 0
    for card in cards:
        if card is not None:
            bits |= 1 << card
    return bits


def _with_seat(state: State, number: int, **changes: Any) -> State:
    return replace(state, seats={**state.seats, number: replace(state.seats[number], **changes)})


def _decided(book: Rulebook, state: State, number: int, times: int = 0, **changes: Any) -> State:
    """Let a seat have decided this step: by a raise of so many times, or without one."""
    before = state.seats[number].raises
    passed = book.street_at[state.step] - 1 - len(before)
    raises = (*before, *(0,) * passed, times)
    return _with_seat(state, number, raises=raises, acted=state.step, **changes)


def _after(book: Rulebook, state: State, event: e.Event) -> State:
    """Return the state after an event, before the script moves on; the most frequent come first."""
    match event:
        case e.RaisePlaced():
            stakes = {**state.seats[event.seat].stakes, event.spot: event.cents}
            return _decided(book, state, event.seat, event.times, stakes=stakes)
        case e.CardsDealt():
            return _dealt(book, state, event)
        case e.BetPlaced():
            return _with_seat(state, event.seat, stakes=event.wagers, toke_cents=event.toke_cents)
        case e.HandShown():
            after = _with_seat(state, event.seat, cards=event.cards, shown=True)
            return replace(after, out=state.out | _bits(event.cards))
        case e.CardsTurned():
            return _turned(state, event)
        case e.Folded():
            return _decided(
                book,
                state,
                event.seat,
                folded=event.street,
                tucked=event.tucked,
                timed_out=event.timed_out,
                kept=event.kept,
            )
        case e.RoundOpened():
            return State(
                phase="betting",
                minimum_cents=event.minimum_cents,
                maximum_cents=event.maximum_cents,
                meter_cents=event.meter_cents,
                shuffler=event.shuffler,
                partners=event.partners,
                token_cents=event.token_cents,
                seats={seat: Seat(seat, person) for seat, person in sorted(event.seats.items())},
            )
        case e.BettingClosed():
            playing = {number: seat for number, seat in state.seats.items() if seat.stakes}
            return replace(state, phase="playing", seats=playing, meter_cents=event.meter_cents)
        case e.PayingBegan():
            return replace(state, phase="paying")
        case e.LightSeen():
            return replace(state, light=event.colour)
        case e.Checked():
            return _decided(book, state, event.seat, timed_out=event.timed_out)
        case e.WagerTakenBack():
            before = state.seats[event.seat].stakes.items()
            stakes = {spot: cents for spot, cents in before if spot != event.spot}
            return _decided(book, state, event.seat, stakes=stakes, timed_out=event.timed_out)
        case e.LateWagerAccepted():
            return _found_late(book, state, event)
        case e.HandDied():
            rules = (rule for rule in book.dead if rule.cause == event.cause)
            ended = any(rule.ends_deal for rule in rules)
            after = _with_seat(state, event.seat, dead=event.cause, ended=ended)
            return replace(after, position=_come(book, after, 0))
        case e.MisdealCalled():
            return replace(state, phase="misdealt", misdeal=event.cause)
        case e.IrregularityStood():
            cleared = "" if event.cause == book.deck.red_light else state.light
            return replace(state, stood=(*state.stood, event.cause), light=cleared)
        case _:
            assert_never(event)


def _dealt(book: Rulebook, state: State, event: e.CardsDealt) -> State:
    many, out = len(event.cards), state.out | _bits(event.cards)
    counts = {"position": _come(book, state, many), "dealt": state.dealt + many}
    if event.place == SEATS:
        seat = state.seats[event.seat]
        seats = {**state.seats, event.seat: replace(seat, cards=seat.cards + event.cards)}
        # A green light from before the players' cards says nothing of the deal that follows it.
        return replace(state, seats=seats, out=out, light="", **counts)
    pile = state.piles.get(event.place, ()) + event.cards
    faces = state.up.get(event.place, ()) + (event.up,) * many
    piles, up = {**state.piles, event.place: pile}, {**state.up, event.place: faces}
    return replace(state, piles=piles, up=up, out=out, **counts)


def _found_late(book: Rulebook, state: State, event: e.LateWagerAccepted) -> State:
    seat = state.seats[event.seat]
    late = tuple(dict.fromkeys((*seat.late, event.spot)))
    if event.spot == TOKE:
        return _with_seat(state, event.seat, toke_cents=event.cents, late=late)
    stakes, raises = {**seat.stakes, event.spot: event.cents}, list(seat.raises)
    for street, step in enumerate(book.streets[: len(raises)]):
        if raises[street] and step.into == event.spot:
            raises[street] = event.cents // stakes[step.of]
    return _with_seat(state, event.seat, stakes=stakes, raises=tuple(raises), late=late)


def _turned(state: State, event: e.CardsTurned) -> State:
    pile, faces = list(state.piles[event.place]), list(state.up[event.place])
    for card in event.cards:
        index = faces.index(False)
        pile[index], faces[index] = card, True
    return replace(
        state,
        piles={**state.piles, event.place: tuple(pile)},
        up={**state.up, event.place: tuple(faces)},
        position=state.position + len(event.cards),
        out=state.out | _bits(event.cards),
    )
