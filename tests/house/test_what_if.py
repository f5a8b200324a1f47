"""What if: each other choice of a finished round, beside the same round with all its cards open."""

import asyncio
import datetime
import random
from collections.abc import Callable, Iterator

import pytest

from pitboss import maths
from pitboss.audit import resettle
from pitboss.cards import Card, shuffled
from pitboss.house.bots import BEST, chooser
from pitboss.house.receipt import groups
from pitboss.house.replay import Replay, SeatReceipt
from pitboss.house.table import events as h
from pitboss.house.table.events import ClockSet, Own, RoundPaid
from pitboss.house.table.payoffs import seat_paid
from pitboss.house.what_if import Ending, ending
from pitboss.maths import at_hand
from pitboss.round import Option, Round, actions, visible
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.settle import Player, of_round, settle
from tests.helpers import BOOKS, DIAMOND_JO, MISSISSIPPI, SENECA, played, stacked, started
from tests.house import evening
from tests.house.test_replay import Kept, receipt
from tests.small_books import TAKE_BACK

DAY = datetime.date(2026, 11, 16)
ROUNDS = 30
"""Of each book."""

Deck = tuple[Card, ...]
Decide = Callable[[Round, int], actions.Action]


def action(seat: int, option: Option) -> actions.Action:
    match option.action:
        case "raise":
            return actions.Raise(seat, option.times)
        case "check":
            return actions.Check(seat)
        case "take-back":
            return actions.TakeBack(seat)
        case _:
            return actions.Fold(seat, confirmed=True)


def dealt(book: Rulebook, deck: Deck, chance: random.Random) -> Round:
    """A round up to its first decision, with one to three seats and whatever they may bet."""
    bets, sides = {}, chance.choice((0, 0.5))
    for seat in sorted(chance.sample(range(1, book.seats.most + 1), chance.choice((1, 1, 2, 3)))):
        ante = chance.choice((10_00, 25_00, 100_00))
        bets[seat] = {
            name: ante if spot.kind == "main" else int(spot.fixed or spot.least or 10_00)
            for name, spot in book.opening.items()
            if spot.kind == "main" or chance.random() < sides
        }
    tokes = {seat: 1_00 for seat in bets if book.toke and chance.random() < 0.3}
    return started(book, bets, deck, tokes=tokes)


def went_on(game: Round, deck: Deck, decide: Decide) -> Round:
    while game.due():
        for seat in game.due():
            game.do(decide(game, seat))
        game.deal(deck)
    return game


def finished(book: Rulebook, number: int) -> tuple[Round, Deck]:
    """A whole round: two decisions in five are folds, where one is offered."""
    chance = random.Random(f"{book.id}/{number}")
    deck = shuffled(chance)

    def decide(game: Round, seat: int) -> actions.Action:
        *others, last = game.legal(seat)
        return action(seat, last if chance.random() < 0.4 else chance.choice(others))

    return went_on(dealt(book, deck, chance), deck, decide), deck


def seen_by(game: Round, seat: int) -> Replay:
    """A finished round as a seat saw it, without a house around it."""
    paid = [seat_paid(game.book, each) for each in settle(game.book, of_round(game.state)).seats]
    mine = next(each for each in paid if each.seat == seat)
    names = {number: f"player {number}" for number in game.state.seats}
    told = (ClockSet(0), *(visible(event, seat) for event in game.events))
    return Replay(
        round="t-1",
        book=game.book,
        practice=True,
        seat=seat,
        names=names,
        events=told,
        state=game.view(seat),
        paid=RoundPaid(1, DAY, tuple(paid)),
        receipt=SeatReceipt(mine, groups(game.book, mine, paid, names), (), (), ()),
        proof=None,
        commitment="",
        share=None,
    )


def cards_seen(events: list[e.Event], seat: int) -> set[Card | None]:
    """What somebody saw: their own cards, and those that were dealt up, turned or shown."""
    found: set[Card | None] = set()
    for event in events:
        if isinstance(event, e.CardsDealt):
            found |= set(event.cards) if event.up or event.seat == seat else set()
        elif isinstance(event, e.CardsTurned | e.HandShown):
            found |= set(event.cards)
    return found


# A second way to it --------------------------------------------------------------------------


def counted_best(game: Round, seat: int) -> actions.Action:
    """The best choice, card by card, as ``pitboss advise`` counts it."""
    view = game.view(seat)
    own = tuple(card for card in view.seats[seat].cards if card is not None)
    up = tuple(card for pile in view.piles.values() for card in pile if card is not None)
    worths = maths.worths(game.book, maths.Seen(own, up, None, view.seats[seat].raises))
    return action(seat, max(game.legal(seat), key=lambda each: worths[each.times]))


def with_open_cards(game: Round, deck: Deck, seat: int, at: int, done: actions.Action) -> Round:
    """The same round from its deck, with something else at step ``at``: this knows every card."""
    done_at: dict[tuple[int, int], actions.Action] = {}
    before = Round(game.book)
    for event in game.events:
        if isinstance(event, e.RaisePlaced):
            done_at[event.seat, before.state.step] = actions.Raise(event.seat, event.times)
        elif isinstance(event, e.Folded):
            done_at[event.seat, before.state.step] = actions.Fold(event.seat, confirmed=True)
        before = Round(game.book, [*before.events, event])

    def decide(now: Round, who: int) -> actions.Action:
        if (who, now.state.step) == (seat, at):
            return done
        return done_at.get((who, now.state.step)) or counted_best(now, who)

    first = [event for event in game.events if isinstance(event, e.RoundOpened | e.BetPlaced)]
    again = Round(game.book, first)
    again.do(actions.CloseBets())
    again.deal(deck)
    return went_on(again, deck, decide)


def net(game: Round, seat: int) -> int:
    """By the audit's own settlement."""
    players = dict.fromkeys(game.state.seats, Player())
    mine = resettle.settled(game.book, game.events, players, DAY).seats[seat]
    back = sum(wager.returned_cents for wager in mine.wagers)
    return back - sum(mine.stakes.values())


def decisions(found: Replay, seat: int) -> Iterator[tuple[int, Round]]:
    """Each decision of a seat: the number of its event, and the round as it saw it before."""
    for number, event in enumerate(found.events, start=1):
        if isinstance(event, e.Decided) and event.seat == seat:
            before = [one for one in found.events[: number - 1] if not isinstance(one, Own)]
            yield number, Round(found.book, before)


def answers(found: Replay, seat: int) -> Iterator[tuple[int, Option, Ending | None]]:
    # What is not worked out yet is decided somehow: here nothing hangs on it.
    choose = chooser(found.book, BEST) if at_hand(found.book) else lambda _seen: 1
    for number, before in decisions(found, seat):
        for option in before.legal(seat):
            yield number, option, ending(found, number, action(seat, option), choose)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_it_ends_as_the_same_round_with_open_cards_and_the_audits_settlement(book):
    told = hidden = added = 0
    for number in range(ROUNDS):
        game, deck = finished(book, number)
        for seat in game.state.seats:
            found, seen = seen_by(game, seat), cards_seen(game.events, seat)
            at = {n: before.state.step for n, before in decisions(found, seat)}
            for decision, option, came in answers(found, seat):
                right = with_open_cards(game, deck, seat, at[decision], action(seat, option))
                if cards_seen(right.events, seat) <= seen:
                    assert came is not None
                    assert (came.net_cents, came.instead_cents) == (
                        net(right, seat),
                        net(game, seat),
                    )
                    told, added = told + 1, added + len(came.added)
                else:
                    assert came is None
                    hidden += 1
    assert told > ROUNDS
    assert hidden
    assert bool(added) == (len(book.streets) > 1)


KINDS = {e.Folded: "fold", e.Checked: "check", e.WagerTakenBack: "take-back"}


def made(found: Replay, number: int) -> tuple[str, int]:
    event = found.events[number - 1]
    if isinstance(event, e.RaisePlaced):
        return "raise", event.times
    return KINDS[type(event)], 0


def check_made(found: Replay, seat: int, was: int) -> int:
    """See that what was done ends as it did; return how many decisions there were."""
    same = [
        came
        for number, option, came in answers(found, seat)
        if made(found, number) == (option.action, option.times)
    ]
    assert same == [Ending(was, was, (), ())] * len(list(decisions(found, seat)))
    return len(same)


@pytest.mark.parametrize("book", [*BOOKS, TAKE_BACK], ids=lambda book: book.id)
def test_what_was_done_ends_as_it_did_with_the_same_receipt(book):
    for number in range(ROUNDS):
        game, _ = finished(book, number)
        for seat in game.state.seats:
            assert check_made(seen_by(game, seat), seat, net(game, seat))


def test_what_was_done_ends_as_it_did_wherever_something_happened(where):
    """Dead hands, lights, late wagers and cards that people read: a table's real evening."""
    asyncio.run(evening.play(where))
    kept, known = Kept(where), 0
    for _, seat, found in kept.everybody():
        if any(isinstance(each, h.Redone) for each in found.events):
            # What was put right since is not the round in which it was decided.
            assert {came for _, _, came in answers(found, seat)} <= {None}
        elif not found.state.misdeal:
            paid = receipt(found).paid
            before_tax = paid.net_cents + paid.held_cents + paid.withheld_cents
            known += check_made(found, seat, before_tax)
    kept.store.close()
    assert known > 50


# Secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_no_card_that_was_not_shown_changes_an_answer(book):
    """The same round with other cards wherever the seat saw none is the same to it in all."""
    chance, changed = random.Random(book.id), 0
    for number in range(ROUNDS):
        game, deck = finished(book, number)
        for seat in game.state.seats:
            seen = cards_seen(game.events, seat)
            hidden = [card for card in deck if card not in seen]
            others = iter(chance.sample(hidden, len(hidden)))
            swapped = [card if card in seen else next(others) for card in deck]
            other = with_cards(game, swapped)
            changed += cards_dealt(game) != cards_dealt(other)
            mine, theirs = seen_by(game, seat), seen_by(other, seat)
            assert list(answers(mine, seat)) == list(answers(theirs, seat))
    assert changed


def cards_dealt(game: Round) -> list[Card | None]:
    return [c for event in game.events if isinstance(event, e.CardsDealt) for c in event.cards]


def with_cards(game: Round, deck: list[Card]) -> Round:
    """The same events with other cards; what was shown comes out the same, since it lay there."""
    cards = iter(deck)
    told: list[e.Event] = []
    for event in game.events:
        if isinstance(event, e.CardsDealt):
            dealt = tuple(next(cards) for _ in event.cards)
            told.append(e.CardsDealt(event.place, event.seat, dealt, event.up))
        else:
            told.append(event)
    return Round(game.book, told)


# By hand ----------------------------------------------------------------------------------------


def came_of(game: Round, seat: int, decision: int, times: int) -> Ending | None:
    found = seen_by(game, seat)
    number = [number for number, _ in decisions(found, seat)][decision - 1]
    done = actions.Raise(seat, times) if times else actions.Fold(seat, confirmed=True)
    return ending(found, number, done, chooser(game.book, BEST))


def test_a_fold_beside_somebody_who_stayed_is_told_with_the_board_that_was_turned():
    deck = stacked("9h 4s 3c", "Ks 2c Kd 7d")
    game = started(MISSISSIPPI, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, deck)
    came = came_of(played(game, deck, {1: 0, 2: 1}, {2: 1}, {2: 1}), 1, 1, 3)
    assert came is not None
    # A pair of kings pays even money; on each later street it raises all it can.
    assert [each.times for each in came.added if isinstance(each, e.RaisePlaced)] == [3, 3]
    assert (came.net_cents, came.instead_cents) == (5_00 + 3 * 15_00, -5_00)
    [line] = came.changed
    assert (line.net_cents, len(line.wagers)) == (50_00, 4)


def test_a_fold_at_a_table_where_nobody_stayed_is_not_told():
    deck = stacked("9h 4s 3c", "Ks Kd")
    game = started(MISSISSIPPI, {1: {"ante": 5_00}}, deck)
    assert came_of(played(game, deck, {1: 0}), 1, 1, 3) is None
    hand = stacked("Ks Kd 2c 3c 4c", "9h 4s 3d 7d 8d")
    alone = started(SENECA, {1: {"ante": 10_00}}, hand)
    assert came_of(played(alone, hand, {1: 0}), 1, 1, SENECA.streets[0].times[0]) is None


def test_later_decisions_stay_as_they_were():
    deck = stacked("Ks Kd", "9h 4s 3c")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, deck)
    whole = played(game, deck, {1: 1}, {1: 2}, {1: 0})
    came = came_of(whole, 1, 1, 3)
    assert came is not None
    assert (came.net_cents, came.instead_cents, came.added) == (-30_00, -20_00, ())
    early = came_of(whole, 1, 2, 0)
    assert early is not None
    assert (early.net_cents, early.instead_cents) == (-10_00, -20_00)
    assert [each.net_cents for each in early.changed] == [-10_00]
