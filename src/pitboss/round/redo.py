"""A round done again from what lay on the table, where something of it was recorded wrongly.

Events become the actions that they came of; facts that are put right take the place of those that
were recorded; and the one machine plays it all once more. What nobody is asked for any more is
left out, and where something is missing now the round waits for it.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Annotated, Literal, TypeVar, assert_never

import msgspec
from msgspec.structs import astuple, replace

from pitboss.cards import Card
from pitboss.errors import Refused
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round import refusals
from pitboss.round.machine import apply, step
from pitboss.round.state import State, coming, due, evolve, to_show
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook

T = TypeVar("T")

StreetChoice = Annotated[int, msgspec.Meta(ge=1)] | Literal["fold", "check", "take-back"]
"""What a seat did on a street: the multiple by which it raised, or something else."""

PlaceCards = Annotated[tuple[Card | None, ...], msgspec.Meta(max_length=10)]
"""Cards of one place in the order of dealing; None stands for what was recorded."""


class SeatFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is put right of one seat; what is left out stays as it was recorded."""

    seat: int
    wagers: dict[str, int] | None = None
    """All that it wagered before the deal, spot to cents; none of it, where it is empty."""
    toke_cents: int | None = None
    cards: PlaceCards = ()
    decisions: Annotated[tuple[StreetChoice | None, ...], msgspec.Meta(max_length=20)] = ()
    """By street; None stands for what was recorded."""
    late: dict[str, int] = {}
    """Wagers that were found late, spot to cents; 0 takes such a find back."""


class Facts(msgspec.Struct, frozen=True):
    """What is put right of a round."""

    seats: tuple[SeatFacts, ...] = ()
    piles: dict[str, PlaceCards] = {}
    """Cards on the table by place."""

    def same(self, other: "Facts") -> bool:
        """Whether another says as much, in whatever order of the seats, and whatever either says
        of cards and decisions that stay as they were recorded."""
        return self._said() == other._said()

    def _said(self) -> tuple[list[SeatFacts], dict[str, PlaceCards]]:
        seats = [
            replace(each, cards=_to_last(each.cards), decisions=_to_last(each.decisions))
            for each in self.seats
        ]
        piles = {place: _to_last(held) for place, held in self.piles.items()}
        return (
            sorted(
                (each for each in seats if each != SeatFacts(each.seat)), key=lambda one: one.seat
            ),
            {place: held for place, held in piles.items() if held},
        )


def _to_last(several: tuple[T | None, ...]) -> tuple[T | None, ...]:
    """Return these up to the last that is put right."""
    found = (at for at, each in enumerate(several, start=1) if each is not None)
    return several[: max(found, default=0)]


Named = tuple[str, str]
"""A role, and who acts in it."""


def redone(
    book: Rulebook, happened: Sequence[e.Event], facts: Facts, by: Named = ("", "")
) -> tuple[e.Event, ...]:
    """Return a round's events as they are once these facts are put right.

    ``by`` records late finds that nobody had recorded. Raises :class:`Refused` with what the
    machine says and the place among the facts.
    """
    again = _Redo(book, happened, facts, by)
    again.play()
    return tuple(again.events)


def same_round(one: Sequence[e.Event], other: Sequence[e.Event]) -> bool:
    """Whether both tell of the same round, in whatever order its wagers were put down."""
    return _without_bets(one) == _without_bets(other) and _lay(one) == _lay(other)


def _without_bets(happened: Sequence[e.Event]) -> list[e.Event]:
    return [event for event in happened if not isinstance(event, e.BetPlaced)]


def _lay(happened: Sequence[e.Event]) -> dict[int, e.BetPlaced]:
    """Return what each seat had put down in the end."""
    last = {event.seat: event for event in happened if isinstance(event, e.BetPlaced)}
    return {seat: bet for seat, bet in last.items() if bet.wagers}


def story(happened: Sequence[e.Event]) -> tuple[e.Event, ...]:
    """Return the events of the round that was played: it may have been opened more than once."""
    first = max(at for at, event in enumerate(happened) if isinstance(event, e.RoundOpened))
    return tuple(happened[first:])


_Cards = e.CardsDealt | e.CardsTurned | e.HandShown
_Asked = _Cards | e.Decided
"""What the script asks for, at one of its steps alone."""
_Stands = e.LateWagerAccepted | e.HandDied | e.IrregularityStood | e.MisdealCalled
"""What stays true wherever the round waits."""

_Place = tuple[str, int]
"""A pile and 0, or ``seats`` and the seat."""


class _Waits(Exception):
    """The round waits for somebody or something here."""


class _Redo:
    """A round that is done again."""

    def __init__(
        self, book: Rulebook, happened: Sequence[e.Event], facts: Facts, by: Named
    ) -> None:
        self.book, self.by = book, by
        self.state = State()
        self.events: list[e.Event] = []
        self.seats = {each.seat: (f"seats[{at}]", each) for at, each in enumerate(facts.seats)}
        if len(self.seats) < len(facts.seats):
            raise Refused(refusals.SEAT_TWICE(place="seats"))
        self.recorded, ended = _steps(book, happened)
        self.shown = {each.seat for _, each in self.recorded if isinstance(each, e.HandShown)}
        self.bets = {each.seat: each for _, each in self.recorded if isinstance(each, e.BetPlaced)}
        """What each seat had wagered when betting was closed."""
        self.decisions = {
            (seat, street): (f"{place}.decisions[{street - 1}]", decision)
            for seat, (place, each) in self.seats.items()
            for street, decision in enumerate(each.decisions, start=1)
            if decision is not None
        }
        self.late = {
            (seat, spot): (f"{place}.late.{spot[:40]}", cents)
            for seat, (place, each) in self.seats.items()
            for spot, cents in each.late.items()
        }
        self.wagers = {
            seat: (f"{place}.wagers" if each.wagers is not None else place, self._bet(each))
            for seat, (place, each) in self.seats.items()
            if each.wagers is not None or each.toke_cents is not None
        }
        """Those three are taken out as they are used."""
        self.places: dict[_Place, tuple[str, PlaceCards]] = {}
        """Where cards are put right, and which."""
        self.dealt: dict[_Place, list[Card | None]] = {}
        """Cards as they were read when they were dealt."""
        self.read: dict[_Place, list[Card | None]] = {}
        """And as they were read in the end."""
        self._read_cards(ended, facts)

    def _bet(self, facts: SeatFacts) -> a.Bet:
        before = self.bets.get(facts.seat, e.BetPlaced(facts.seat, {}))
        wagers = before.wagers if facts.wagers is None else facts.wagers
        toke = before.toke_cents if facts.toke_cents is None else facts.toke_cents
        return a.Bet(facts.seat, wagers, toke)

    def _read_cards(self, ended: State, facts: Facts) -> None:
        for _, event in self.recorded:
            if isinstance(event, e.CardsDealt):
                self.dealt.setdefault((event.place, event.seat), []).extend(event.cards)
        self.read = {(SEATS, n): list(seat.cards) for n, seat in ended.seats.items()}
        self.read |= {(place, 0): list(pile) for place, pile in ended.piles.items()}
        for number, (where, seat) in self.seats.items():
            if seat.cards:
                self._put_right((SEATS, number), seat.cards, f"{where}.cards")
        for place, held in facts.piles.items():
            self._put_right((place, 0), held, f"piles.{place[:40]}")

    def _put_right(self, place: _Place, held: PlaceCards, where: str) -> None:
        if place not in self.read and place[1]:  # it had no part in the round
            self.read[place], self.dealt[place] = list(held), list(held)
        read, dealt = self.read.get(place, []), self.dealt.get(place, [])
        self.places[place] = where, held
        for at, card in enumerate(held):
            if card is not None and at >= len(read):
                raise Refused(refusals.NO_SUCH_CARD(place=where, number=at + 1))
            if card is not None:
                read[at], dealt[at] = card, card if dealt[at] is not None else None

    # Doing it again -----------------------------------------------------------------------------

    def play(self) -> None:
        waiting = False
        for at, event in self.recorded:
            if waiting and not isinstance(event, _Stands):
                continue
            try:
                self._decide_up_to(at)
            except _Waits:
                waiting = True
            if isinstance(event, e.MisdealCalled | e.PayingBegan):
                self._find_late()
            try:
                if not waiting or isinstance(event, _Stands):
                    self._again(event, at)
            except _Waits:
                waiting = True
        if self.state.phase == "betting":
            self._bet_instead()
        if not waiting:
            self._decide_up_to(len(self.book.script))
        self._find_late()
        self._nothing_is_left()

    def _decide_up_to(self, end: int) -> None:
        """Let seats decide, as the facts say, that were not asked before this step of the script;
        raises where the round does not come to it."""
        while self.state.phase == "playing" and self.state.step < end:
            street = self.book.street_at.get(self.state.step)
            seat = next(
                (n for n in due(self.book, self.state) if (n, street) in self.decisions), None
            )
            if street is None or seat is None:
                if end == len(self.book.script):
                    return
                raise _Waits
            where, decision = self.decisions.pop((seat, street))
            self._do(_decision(seat, decision), where)

    def _do(self, action: a.Action, where: str = "") -> None:
        try:
            self.state, happened = apply(self.book, self.state, action)
        except Refused as error:
            said = error.refusal
            inside = f"{where}.{said.place}" if where and said.place else where or said.place
            raise Refused(replace(said, place=inside)) from None
        self.events.extend(happened)

    def _again(self, event: e.Event, at: int) -> None:
        """Do again what this came of, unless nobody asks for it any more."""
        passed = self.state.phase != "playing" or self.state.step > at
        if isinstance(event, _Asked) and passed:
            return
        match event:
            case e.RaisePlaced() | e.Folded() | e.Checked() | e.WagerTakenBack():
                self._decided(event)
            case e.CardsDealt():
                self._deal(event)
            case e.CardsTurned():
                self._turn(event)
            case e.HandShown():
                self._show(event)
            case e.BetPlaced():
                if event.seat not in self.wagers:
                    self._do(a.Bet(event.seat, event.wagers, event.toke_cents))
            case e.BettingClosed():
                self._bet_instead()
                self._do(a.CloseBets())
            case e.RoundOpened():
                self._do(_open(event))
            case e.LightSeen():
                if self.state.phase in ("betting", "playing"):
                    self._do(a.Light(event.colour))
            case e.LateWagerAccepted():
                self._found_late(event)
            case e.HandDied():
                self._do(a.KillHand(*astuple(event)))
            case e.IrregularityStood():
                self._do(a.LetStand(event.cause, event.role, event.person))
            case e.MisdealCalled(role=""):  # the house did, and nobody has to be allowed to
                self.state = evolve(self.book, self.state, event)
                self.events.append(event)
            case e.MisdealCalled():
                self._do(a.CallMisdeal(event.cause, event.role, event.person))
            case e.PayingBegan():
                if self.state.phase != "settling":
                    raise _Waits
                self._do(a.Pay())
            case _:
                assert_never(event)

    def _bet_instead(self) -> None:
        """Bet what is put right, once everything else lies there; less before more, so that
        partners who change places stay within their limit."""
        less_first = sorted(self.wagers.values(), key=lambda each: sum(each[1].wagers.values()))
        for where, bet in less_first:
            if bet.wagers or bet.toke_cents or bet.seat in self.bets:
                self._do(bet, where)
        self.wagers = {}

    def _decided(self, event: e.Decided) -> None:
        if event.seat not in due(self.book, self.state):
            return
        street = self.book.street_at[self.state.step]
        where, decision = self.decisions.pop((event.seat, street), ("", None))
        self._do(_made(event) if decision is None else _decision(event.seat, decision), where)

    def _deal(self, event: e.CardsDealt) -> None:
        """Deal the same places their cards; where other seats play now, all that is known."""
        places = [(place, seat) for place, seat, _ in coming(self.book, self.state)]
        many = len(event.cards)
        if places[:many] != [(event.place, event.seat)] * many:
            many = len(places)
        taken = {place: len(self._lie(place)) for place in places}
        cards: list[Card | None] = []
        for place in places[:many]:
            if taken[place] == len(self.dealt.get(place, ())):
                break
            cards.append(self.dealt[place][taken[place]])
            taken[place] += 1
        if not cards:
            raise _Waits
        self._do(a.Deal(tuple(cards)), self._put_right_at(places[: len(cards)]))
        if len(cards) < many:
            raise _Waits

    def _lie(self, place: _Place) -> tuple[Card | None, ...]:
        """Return the cards of a place by now."""
        name, number = place
        seat = self.state.seats.get(number)
        return self.state.piles.get(name, ()) if seat is None else seat.cards

    def _turn(self, event: e.CardsTurned) -> None:
        place = (event.place, 0)
        pile, up = self.state.piles[event.place], self.state.up[event.place]
        down = [at for at, shown in enumerate(up) if not shown][: len(event.cards)]
        self._enter([(self.read[place][at], pile[at]) for at in down], place)

    def _show(self, event: e.HandShown) -> None:
        """Show this hand, and before it those that were not shown, as far as they are read."""
        hands: list[tuple[Card | None, Card | None]] = []
        for seat in to_show(self.book, self.state):
            read = self.read.get((SEATS, seat.seat), [])
            later = seat.seat in self.shown - {event.seat} and None in seat.cards
            if later or None in read:
                break
            hands += zip(read, seat.cards, strict=True)
            if seat.seat == event.seat:
                break
        if hands:
            self._enter(hands, *((SEATS, seat) for seat in self.state.seats))

    def _enter(self, cards: list[tuple[Card | None, Card | None]], *places: _Place) -> None:
        """Turn cards up, and enter those that nobody had read: (what it is, what is known)."""
        unread = tuple(card for card, known in cards if known is None and card is not None)
        self._do(a.Turn(unread), self._put_right_at(places))

    def _put_right_at(self, places: Sequence[_Place]) -> str:
        """Return which fact the cards of these places may come of."""
        return next((self.places[place][0] for place in places if place in self.places), "")

    def _found_late(self, event: e.LateWagerAccepted) -> None:
        where, cents = self.late.pop((event.seat, event.spot), ("", event.cents))
        if cents:
            self._do(replace(_late(event), cents=cents), where)

    def _find_late(self) -> None:
        """Record late finds that nobody had recorded."""
        for (seat, spot), (where, cents) in self.late.items():
            if not cents:
                raise Refused(
                    refusals.NOT_FOUND_LATE(
                        place=where, seat=seat, spot=self.book.wager_name(spot)[:40]
                    )
                )
            self._do(a.AcceptLate(seat, spot, cents, *self.by), where)
        self.late = {}

    def _nothing_is_left(self) -> None:
        """Refuse a decision for which nobody asks, and a card that nobody has turned."""
        for (seat, street), (where, _) in self.decisions.items():
            raise Refused(refusals.NOT_ASKED(place=where, seat=seat, street=street))
        for place, (where, held) in self.places.items():
            for at, (card, lies) in enumerate(zip_longest(held, self._lie(place)), start=1):
                if card is not None and lies is None:
                    raise Refused(refusals.NO_SUCH_CARD(place=where, number=at))


def _steps(book: Rulebook, happened: Sequence[e.Event]) -> tuple[list[tuple[int, e.Event]], State]:
    """Return the first event of every action with the step of the script at which it happened, and
    how they all left the round."""
    state = State()
    found: list[tuple[int, e.Event]] = []
    same = 0
    for event in happened:
        if same:
            same -= 1
        else:
            found.append((state.step if state.phase == "playing" else -1, event))
            same = _together(book, state, event) - 1
        state = evolve(book, state, event)
    return found, state


def _together(book: Rulebook, state: State, event: e.Event) -> int:
    """Return how many events came of the action that this came of first."""
    if isinstance(event, e.LateWagerAccepted):
        return len(step(book, state, _late(event)))
    if isinstance(event, e.HandShown):
        held = zip(event.cards, state.seats[event.seat].cards, strict=True)
        return len(step(book, state, a.Turn(tuple(card for card, known in held if known is None))))
    return 1


def _late(event: e.LateWagerAccepted) -> a.AcceptLate:
    return a.AcceptLate(event.seat, event.spot, event.cents, event.role, event.person)


def _open(event: e.RoundOpened) -> a.Open:
    return a.Open(
        seats=event.seats,
        minimum_cents=event.minimum_cents,
        maximum_cents=event.maximum_cents,
        meter_cents=event.meter_cents,
        shuffler=event.shuffler,
        partners=event.partners,
        token_cents=event.token_cents,
    )


def _made(event: e.Decided) -> a.Action:
    """Return what was asked for when this was decided: whoever folded meant it."""
    if isinstance(event, e.RaisePlaced):
        return a.Raise(event.seat, event.times)
    if event.timed_out:
        return a.TimeOut(event.seat)
    match event:
        case e.Folded():
            return a.Fold(event.seat, confirmed=True)
        case e.Checked():
            return a.Check(event.seat)
        case e.WagerTakenBack():
            return a.TakeBack(event.seat)


def _decision(seat: int, decision: StreetChoice) -> a.Action:
    match decision:
        case "fold":
            return a.Fold(seat, confirmed=True)
        case "check":
            return a.Check(seat)
        case "take-back":
            return a.TakeBack(seat)
        case _:
            return a.Raise(seat, decision)
