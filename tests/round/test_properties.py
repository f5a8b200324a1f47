"""Whatever anybody does, in whatever order: chips, cards, views and replay hold."""

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pitboss.cards import DECK, Card, shuffled
from pitboss.errors import Refused
from pitboss.round import Round, State, actions, codec, events, next_action, notation
from pitboss.rulebook import Rulebook
from pitboss.settle import Play, Settlement, of_round, settle
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, MORE_BOOKS, SENECA
from tests.small_books import TAKE_BACK

ALL = (*BOOKS, *MORE_BOOKS, TAKE_BACK)
ROLES = ("dealer", "floor-supervisor", "shift-manager", "general-manager", "", "stranger")


@cache
def any_of(*values: Any) -> st.SearchStrategy[Any]:
    """One of these; made once, since Hypothesis looks at every new strategy from all sides."""
    return st.sampled_from(values)


@cache
def any_wagers(*spots: str) -> st.SearchStrategy[dict[str, int]]:
    amount = any_of(-1, 0, 1_00, 5_00, 10_00, 12_34, 15_00, 99_99, 200_00)
    return st.dictionaries(any_of(*spots), amount, max_size=4)


LATE_CENTS = st.integers(-5, 900_00) | any_of(5_00, 10_00, 15_00, 30_00)


def cards_in(state: State) -> list[Card]:
    held = [card for seat in state.seats.values() for card in seat.cards]
    piles = [card for pile in state.piles.values() for card in pile]
    return [card for card in held + piles if card is not None]


def may_see(game: Round, seat: int | None) -> set[Card]:
    """Worked out from the whole state, independently of how views are made."""
    seen: set[Card] = set()
    for number, each in game.state.seats.items():
        if number == seat or each.shown:
            seen.update(card for card in each.cards if card is not None)
    for place, pile in game.state.piles.items():
        faces = game.state.up[place]
        seen.update(c for c, up in zip(pile, faces, strict=True) if up and c is not None)
    return seen


class Anybody(RuleBasedStateMachine):
    """Random people at a table, sensible and not."""

    book: Rulebook

    def __init__(self) -> None:
        super().__init__()
        self.game = Round(self.book)
        self.deck: tuple[Card, ...] = DECK
        self.wallets: dict[int, int] = {}
        self.unread = False

    def try_(self, action: actions.Action) -> None:
        before, count = self.game.state, len(self.game.events)
        refusal = self.game.refusal(action)
        if refusal is None:
            self.game.do(action)
            for event in self.game.events[count:]:
                self.move_chips(before, event)
            return
        with pytest.raises(Refused) as caught:
            self.game.do(action)
        assert caught.value.refusal == refusal
        assert refusal.code
        assert refusal.message
        assert refusal.clause
        assert self.game.state is before
        assert len(self.game.events) == count

    def move_chips(self, before: State, event: events.Event) -> None:
        """Follow the chips by the events alone."""
        if isinstance(event, events.BetPlaced):
            old = before.seats[event.seat]
            taken = sum(old.stakes.values()) + old.toke_cents
            put = sum(event.wagers.values()) + event.toke_cents
            self.wallets[event.seat] = self.wallets.get(event.seat, 0) + taken - put
        elif isinstance(event, events.RaisePlaced):
            self.wallets[event.seat] -= event.cents
        elif isinstance(event, events.WagerTakenBack):
            self.wallets[event.seat] += event.cents
        elif isinstance(event, events.LateWagerAccepted):
            seat = before.seats[event.seat]
            lay = seat.toke_cents if event.spot == "toke" else seat.stakes[event.spot]
            self.wallets[event.seat] += lay - event.cents

    @precondition(lambda self: self.game.state.phase == "new")
    @rule(data=st.data(), seats=st.integers(1, 7), seed=st.integers(0, 2**32))
    def open(self, data, seats, seed):
        self.deck = shuffled(random.Random(seed))
        self.unread = data.draw(st.booleans())
        meter = data.draw(any_of(None, 0, 12_345_67, 100_000_00))
        maximum = data.draw(any_of(None, 50_00, 100_00))
        if maximum is None and self.book.limits.maximum.highest is not None:
            maximum = 50_00
        shuffler = data.draw(st.booleans()) and self.book.deck.shuffler
        action = actions.Open(
            {n: f"p{n}" for n in range(1, seats + 1)},
            data.draw(any_of(5_00, 10_00, 15_00)),
            maximum,
            (meter or 0) if self.book.progressive else None,
            shuffler,
            data.draw(any_of((), ((1,),))),
        )
        self.try_(action)

    @rule(seat=st.integers(0, 8), data=st.data())
    def bet(self, seat, data):
        wagers = data.draw(any_wagers(*self.book.spots, "nowhere"))
        if data.draw(st.integers(0, 3)):
            # Mostly bets that may stand, or nothing would ever be dealt.
            ante = self.game.state.minimum_cents * data.draw(any_of(1, 2))
            wagers = {self.book.ante.name: ante}
            for name, spot in self.book.opening.items():
                if name not in wagers and data.draw(st.booleans()):
                    wagers[name] = spot.fixed or 5_00
            wagers = self.book.with_equal(wagers)
            alone = [name for name in wagers if self.book.spots[name].alone]
            if alone and not data.draw(st.integers(0, 3)):
                wagers = {name: wagers[name] for name in alone}
            if self.book is TAKE_BACK:
                wagers["first"] = wagers["second"] = ante
        toke = data.draw(any_of(0, 0, 1_00, 500_00))
        self.try_(actions.Bet(seat, wagers, toke))

    @precondition(lambda self: any(s.stakes for s in self.game.state.seats.values()))
    @rule()
    def close(self):
        self.try_(actions.CloseBets())

    @precondition(lambda self: self.game.state.phase == "playing")
    @rule(count=st.integers(0, 40))
    def deal(self, count):
        at = self.game.state.dealt
        cards: tuple[Card | None, ...] = self.deck[at : at + count]
        self.try_(actions.Deal((None,) * len(cards) if self.unread and count % 2 else cards))

    @precondition(lambda self: self.game.state.phase == "playing")
    @rule()
    def deal_on(self):
        while not self.unread and self.game.state.light != "red":
            action = next_action(self.book, self.game.state, self.deck)
            if action is None or self.game.refusal(action) is not None:
                break
            self.game.do(action)

    @precondition(lambda self: self.game.state.phase == "playing")
    @rule(count=st.integers(0, 5))
    def turn(self, count):
        known = set(cards_in(self.game.state))
        spare = tuple(card for card in self.deck if card not in known)[:count]
        self.try_(actions.Turn(spare if self.unread else ()))

    @rule(seat=st.integers(0, 8), times=st.integers(-1, 5))
    def raise_(self, seat, times):
        self.try_(actions.Raise(seat, times))

    @precondition(lambda self: bool(self.game.due()))
    @rule(data=st.data())
    def decide(self, data):
        seat = data.draw(any_of(*self.game.due()))
        option = data.draw(st.sampled_from(self.game.legal(seat)))
        self.try_(chosen(seat, option))

    @rule(seat=st.integers(0, 8), data=st.data())
    def other(self, seat, data):
        kind = any_of(actions.Fold, actions.Check, actions.TakeBack, actions.TimeOut)
        self.try_(data.draw(kind)(seat))

    @rule(colour=st.sampled_from(["green", "red", "blue"]))
    def light(self, colour):
        self.try_(actions.Light(colour))

    @rule(data=st.data(), role=st.sampled_from(ROLES))
    def irregularity(self, data, role):
        causes = [each.cause for each in self.book.misdeal] + ["count", "information", "nonsense"]
        cause = data.draw(any_of(*causes))
        seat = data.draw(st.integers(0, 8))
        spot = data.draw(any_of(*self.book.spots, "toke", "nowhere"))
        late = actions.AcceptLate(seat, spot, data.draw(LATE_CENTS), role, "x")
        kinds = [
            actions.LetStand(cause, role, 'a "quoted" name'),
            actions.KillHand(seat, cause, role, "x"),
            late,
        ]
        if data.draw(st.integers(0, 9)) == 0:
            kinds = [actions.CallMisdeal(cause, role, "x")]
        self.try_(data.draw(st.sampled_from(kinds)))

    @rule()
    def pay(self):
        self.try_(actions.Pay())

    @invariant()
    def chips_are_conserved(self):
        for number, seat in self.game.state.seats.items():
            down = sum(seat.stakes.values()) + seat.toke_cents
            assert self.wallets.get(number, 0) + down == 0

    @invariant()
    def a_raise_is_an_offered_multiple_of_the_wager_that_counts(self):
        for seat in self.game.state.seats.values():
            for street, times in zip(self.book.streets, seat.raises, strict=False):
                if times:
                    good = [each for more in street.more for each in more.times]
                    assert times in (*street.times, *good)
                    assert seat.stakes[street.into] == times * seat.stakes[street.of]

    @invariant()
    def settlement_adds_up(self):
        if self.game.state.phase in ("settling", "paying", "misdealt"):
            check_settlement(self.book, of_round(self.game.state))

    @invariant()
    def no_card_is_there_twice(self):
        known = cards_in(self.game.state)
        assert len(known) == len(set(known))
        assert self.game.state.dealt <= 52

    @invariant()
    def no_view_leaks(self):
        for seat in (None, *self.game.state.seats):
            assert set(cards_in(self.game.view(seat))) <= may_see(self.game, seat)

    @invariant()
    def own_cards_are_seen(self):
        for number, seat in self.game.state.seats.items():
            assert self.game.view(number).seats[number].cards == seat.cards

    @invariant()
    def replay_gives_the_same_state(self):
        happened = self.game.events
        assert Round(self.book, happened).state == self.game.state
        assert [codec.event(codec.encode(event)) for event in happened] == happened
        assert notation.read(notation.write(happened)) == happened

    @invariant()
    def everything_legal_is_allowed(self):
        if self.game.state.phase == "playing":
            for seat in self.game.state.seats:
                for option in self.game.legal(seat):
                    assert self.game.refusal(chosen(seat, option)) is None


def chosen(seat: int, option) -> actions.Action:
    if option.action == "raise":
        return actions.Raise(seat, option.times)
    if option.action == "fold":
        return actions.Fold(seat, confirmed=True)
    return actions.Check(seat) if option.action == "check" else actions.TakeBack(seat)


def check_settlement(book: Rulebook, play: Play) -> Settlement:
    """What any settlement of any round must satisfy."""
    done = settle(book, play)
    for seat, went in zip(done.seats, play.seats, strict=True):
        beside = [line for line in seat.lines if line.spot in book.bonuses]
        assert all(not line.stake_cents and line.won_cents for line in beside)
        lines = [line for line in seat.lines if line.spot != "toke" and line not in beside]
        back = 0  # a toke, where all goes back
        if play.misdeal or went.dead:
            back = sum(line.returned_cents for line in seat.lines if line.spot == "toke")
        assert sorted(line.spot for line in lines) == sorted(went.stakes)
        assert all(line.stake_cents == went.stakes[line.spot] for line in lines)
        assert seat.won_cents == sum(line.won_cents for line in (*lines, *beside))
        returned = sum(line.returned_cents for line in (*lines, *beside))
        assert seat.returned_cents == returned + back
        assert 0 <= seat.held_cents <= seat.won_cents
        assert 0 <= seat.paid_cents <= seat.returned_cents
        for line in seat.lines:
            drops = line.spot in book.spots and book.spots[line.spot].kind == "progressive"
            drops |= {"row-lose", "others"} <= {why.code for why in line.reasons}
            kept = 0 if line.outcome == "lose" or (drops and line.outcome == "win") else 1
            assert line.returned_cents == kept * line.stake_cents + line.won_cents
            assert 0 <= line.won_cents <= line.nominal_cents
            assert (line.won_cents > 0) <= (line.outcome == "win")
            assert line.reasons
            assert line.clause
    for cap in book.cap:
        counted = [
            sum(
                line.won_cents
                for line in seat.lines
                if line.spot in cap.spots
                and (cap.above is None or (line.odds or 0) > cap.above)
                and (not cap.rows or line.row in cap.rows)
            )
            for seat in done.seats
        ]
        most = sum(counted) if cap.scope == "table" else max(counted)
        assert most <= cap.cents(play.minimum_cents)
    return done


def machine_for(book: Rulebook, base: type[Anybody] = Anybody, examples: int = 60):
    kind: Any = type(f"{base.__name__}_{book.id}", (base,), {"book": book})
    case = kind.TestCase
    case.settings = settings(
        max_examples=examples,
        stateful_step_count=60,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    return case


TestDiamondJo = machine_for(DIAMOND_JO)
TestHollywood = machine_for(HOLLYWOOD)
TestSeneca = machine_for(SENECA)
TestMississippi = machine_for(MISSISSIPPI)
TestTakeBack = machine_for(TAKE_BACK)
for more in MORE_BOOKS:
    globals()[f"Test_{more.id}"] = machine_for(more, examples=12)


def play_out(book: Rulebook, seed: int, order: random.Random, stop: int = 1000) -> Round:
    """Play a round whose bets, cards and decisions depend on the seed and only their order within
    a street on ``order``; stop after so many decisions."""
    chance = random.Random(seed)
    deck = shuffled(chance)
    seats = list(range(1, book.seats.most + 1))
    plan = {(seat, street): chance.random() for seat in seats for street in range(1, 9)}
    bets = {}
    for seat in seats:
        bets[seat] = {book.ante.name: 5_00 * chance.randint(1, 3)}
        for name, spot in book.opening.items():
            if name != book.ante.name and (book is TAKE_BACK or chance.random() < 0.5):
                bets[seat][name] = spot.fixed or 5_00
        bets[seat] = book.with_equal(bets[seat])
        alone = {name: cents for name, cents in bets[seat].items() if book.spots[name].alone}
        if alone and chance.random() < 0.3:
            bets[seat] = alone
    game = Round(book)
    maximum = None if book.limits.maximum.highest is None else 50_00
    meter = 54_321_09 if book.progressive else None
    game.do(actions.Open({seat: f"p{seat}" for seat in seats}, 5_00, maximum, meter))
    for seat in order.sample(seats, len(seats)):
        game.do(actions.Bet(seat, bets[seat]))
    game.do(actions.CloseBets())
    game.deal(deck)
    street = 0
    while due := game.due():
        street += 1
        for seat in order.sample(due, len(due)):
            if not stop:
                return game
            stop -= 1
            options = game.legal(seat)
            option = options[int(plan[seat, street] * len(options))]
            game.do(chosen(seat, option))
        game.deal(deck)
    return game


@pytest.mark.parametrize("book", ALL, ids=lambda book: book.id)
@given(seed=st.integers(0, 2**32), one=st.randoms(), other=st.randoms())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_order_of_messages_within_a_street_does_not_matter(book, seed, one, other):
    first, second = play_out(book, seed, one), play_out(book, seed, other)
    assert check_settlement(book, of_round(first.state)) == settle(book, of_round(second.state))


@pytest.mark.parametrize("book", ALL, ids=lambda book: book.id)
@given(seed=st.integers(0, 2**32), stop=st.integers(0, 20), chance=st.randoms())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_hidden_cards_cannot_be_told_from_a_view(book, seed, stop, chance):
    """Exchange all cards that a seat may not see: its view is the same to the last byte."""
    game = play_out(book, seed, random.Random(seed), stop)
    for seat in (None, *game.state.seats):
        seen = may_see(game, seat)
        hidden = [card for card in DECK if card not in seen]
        mixed = chance.sample(hidden, len(hidden))
        swap = {**{card: card for card in seen}, **dict(zip(hidden, mixed, strict=True))}
        other = Round(book, [exchanged(event, swap) for event in game.events])
        assert other.view(seat) == game.view(seat)


def exchanged(event: events.Event, swap: dict[Card, Card]) -> events.Event:
    if isinstance(event, events.CardsDealt):
        cards = tuple(None if card is None else swap[card] for card in event.cards)
        return events.CardsDealt(event.place, event.seat, cards, event.up)
    if isinstance(event, events.HandShown | events.CardsTurned):
        assert all(swap[card] == card for card in event.cards)
    return event
