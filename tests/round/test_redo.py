"""A round done again: the same facts give the same round, other facts the round that they give."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant

from pitboss.cards import DECK, Card, cards
from pitboss.errors import Refusal, Refused
from pitboss.round import Round, actions, next_action
from pitboss.round import events as e
from pitboss.round.redo import Facts, SeatFacts, redone, story
from pitboss.rulebook import Rulebook
from pitboss.settle import of_round
from tests.helpers import (
    BOOKS,
    CRAZY_4,
    DIAMOND_JO,
    HOLLYWOOD,
    LET_IT_RIDE,
    MISSISSIPPI,
    SENECA,
    THREE_CARD,
    ULTIMATE,
    stacked,
    started,
)
from tests.round.test_properties import Anybody, check_settlement, machine_for, play_out
from tests.small_books import TAKE_BACK

KINDS = (*BOOKS, TAKE_BACK, LET_IT_RIDE, THREE_CARD, ULTIMATE, CRAZY_4)


class Again(Anybody):
    """Random people at a table, whose round is done again after everything that they do."""

    @invariant()
    def its_own_facts_give_the_same_round(self):
        if self.game.events:
            assert redone(self.book, self.game.events, Facts()) == tuple(self.game.events)


TestDiamondJo = machine_for(DIAMOND_JO, Again)
TestHollywood = machine_for(HOLLYWOOD, Again)
TestSeneca = machine_for(SENECA, Again)
TestMississippi = machine_for(MISSISSIPPI, Again)
TestTakeBack = machine_for(TAKE_BACK, Again)


def refused(book: Rulebook, happened: list[e.Event], facts: Facts) -> Refusal:
    with pytest.raises(Refused) as caught:
        redone(book, happened, facts)
    return caught.value.refusal


def other(book: Rulebook, game: Round, chance: random.Random) -> Facts:
    """Put anything right, sensible or not."""
    seats = []
    for number in chance.sample(range(1, 8), chance.choice([0, 1, 1, 2])):
        held = game.state.seats.get(number)
        seats.append(
            SeatFacts(
                number,
                wagers=chance.choice(
                    [None, None, {}, {book.ante.name: 10_00}, held.stakes if held else None]
                ),
                toke_cents=chance.choice([None, None, None, 0, 1_00]),
                cards=tuple(chance.sample([*DECK, None], chance.choice([0, 0, 1, 2]))),
                decisions=tuple(
                    chance.choice([None, 1, 2, 3, "fold", "check", "take-back"])
                    for _ in range(chance.choice([0, 1, 2, 3]))
                ),
                late=chance.choice([{}, {}, {book.ante.name: 0}, {book.ante.name: 150_00}]),
            )
        )
    piles = {}
    for place, pile in game.state.piles.items():
        if chance.random() < 0.5:
            piles[place] = (None,) * chance.randrange(len(pile)) + (chance.choice(DECK),)
    return Facts(tuple(seats), piles)


@pytest.mark.parametrize("book", KINDS, ids=lambda book: book.id)
@given(seed=st.integers(0, 2**32), stop=st.integers(0, 40))
@settings(max_examples=150, deadline=None)
def test_r53__other_facts_are_refused_or_give_a_round_that_the_machine_plays(book, seed, stop):
    chance = random.Random(seed)
    game = play_out(book, seed, chance, stop)
    facts = other(book, game, chance)
    try:
        happened = redone(book, game.events, facts, ("floor-supervisor", "flo"))
    except Refused as error:
        event(error.refusal.code)
        return
    again = Round(book, happened)
    # Whatever it is, it is a round: its own facts give it once more.
    assert redone(book, happened, Facts()) == happened
    known = [c for s in again.state.seats.values() for c in s.cards if c is not None]
    known += [c for pile in again.state.piles.values() for c in pile if c is not None]
    assert len(known) == len(set(known))
    if again.state.phase == "settling":
        check_settlement(book, of_round(again.state))
    for seat in facts.seats:
        _is_as_it_was_put_right(book, again, seat)
    for place, held in facts.piles.items():
        for want, lies in zip(held, again.state.piles[place], strict=False):
            assert want in (None, lies)


def _is_as_it_was_put_right(book: Rulebook, again: Round, facts: SeatFacts) -> None:
    held = again.state.seats.get(facts.seat)
    if facts.wagers == {}:
        assert held is None or not held.stakes
        return
    if held is None:
        return
    if facts.wagers:
        found = {**facts.wagers, **{spot: cents for spot, cents in facts.late.items() if cents}}
        found = book.with_equal(found)  # a late find on one is a find on all that lie equal
        taken = {step.into for step in book.streets if not step.times} - held.stakes.keys()
        stood = {spot: cents for spot, cents in found.items() if spot not in taken}
        assert {spot: held.stakes[spot] for spot in stood} == stood
    if facts.toke_cents is not None:
        assert held.toke_cents == facts.toke_cents
    for want, lies in zip(facts.cards, held.cards, strict=False):
        assert want in (None, lies)
    for decision, did in zip(facts.decisions, held.raises, strict=False):
        if decision is not None:
            assert did == (decision if isinstance(decision, int) else 0)


# One by one -------------------------------------------------------------------------------------

DECK_OF_W11 = stacked("Ah Kh 2c 3d Qh Jh Th")


def to_the_end(game: Round, deck: Sequence[Card | None], *streets: dict[int, int]) -> Round:
    for street in streets:
        for seat, times in street.items():
            game.do(actions.Raise(seat, times) if times else actions.Fold(seat))
        while game.state.phase == "playing" and not game.due():
            action = next_action(game.book, game.state, deck)
            if action is None or game.refusal(action) is not None:
                break  # a hand that nobody has read is shown
            game.do(action)
    return game


def two_seats() -> Round:
    game = started(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, DECK_OF_W11)
    return to_the_end(game, DECK_OF_W11, {1: 1, 2: 0}, {1: 1}, {1: 1})


def test_w11_r53__a_card_read_wrong_is_another_card_and_nothing_else_changes():
    game = two_seats()
    assert game.state.piles["board"] == cards("Qh Jh Th")
    happened = redone(DIAMOND_JO, game.events, Facts(piles={"board": (None, None, *cards("Td"))}))
    again = Round(DIAMOND_JO, happened)
    assert again.state.piles["board"] == cards("Qh Jh Td")
    assert len(happened) == len(game.events)
    changed = [new for old, new in zip(game.events, happened, strict=True) if old != new]
    assert all(isinstance(each, e.CardsDealt | e.CardsTurned) for each in changed)


def test_r53__two_cards_that_were_taken_for_each_other_change_places():
    game = two_seats()
    facts = Facts((SeatFacts(1, cards=cards("Th")),), {"board": (None, None, *cards("Ah"))})
    again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
    assert again.state.seats[1].cards == cards("Th Kh")
    assert again.state.piles["board"] == cards("Qh Jh Ah")


def test_r53__a_card_that_lies_elsewhere_is_refused_at_its_place():
    no = refused(DIAMOND_JO, two_seats().events, Facts(piles={"board": cards("Kh")}))
    assert (no.code, no.place) == ("deal/card-twice", "piles.board")


def test_w11_r53__a_fold_entered_for_the_wrong_seat_goes_to_the_other():
    game = two_seats()
    facts = Facts((SeatFacts(1, decisions=("fold",)), SeatFacts(2, decisions=(3, 2, 1))))
    again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
    assert again.state.seats[1].folded == 1
    assert again.state.seats[2].raises == (3, 2, 1)
    assert again.state.seats[2].shown
    assert again.state.phase == "settling"


def test_r53__a_seat_that_did_not_fold_is_waited_for():
    game = two_seats()
    facts = Facts((SeatFacts(2, decisions=(3,)),))
    again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
    assert again.due() == [2], "seat 1 decided on the second street, and seat 2 did not"
    assert again.state.piles["board"] == cards("Qh"), "what came later is dealt once more"


def test_r53__a_seat_that_folded_earlier_decides_nothing_later():
    game = two_seats()
    facts = Facts((SeatFacts(1, decisions=(None, "fold")),))
    again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
    assert again.state.seats[1].raises == (1, 0)
    assert again.state.phase == "settling", "nobody is left, and no board is turned"


def test_r53__a_bet_entered_for_the_wrong_seat_goes_to_the_other_with_cards_and_decisions():
    deck = stacked("Ah Kh 2c 3d Qh Jh Th")
    game = Round(DIAMOND_JO)
    game.do(actions.Open({1: "ann", 2: "bob", 3: "cid"}, 5_00, 25_00))
    game.do(actions.Bet(1, {"ante": 5_00}))
    game.do(actions.Bet(2, {"ante": 10_00}, 1_00))
    game.do(actions.CloseBets())
    game.deal(deck)
    to_the_end(game, deck, {1: 1, 2: 3})
    facts = Facts(
        (
            SeatFacts(2, wagers={}, toke_cents=0),
            SeatFacts(3, {"ante": 10_00}, 1_00, cards("2c 3d"), (3,)),
        )
    )
    again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
    assert list(again.state.seats) == [1, 3]
    moved, was = again.state.seats[3], game.state.seats[2]
    for same in ("stakes", "toke_cents", "cards", "raises"):
        assert getattr(moved, same) == getattr(was, same)
    assert again.state.piles == game.state.piles
    missing = Facts((SeatFacts(2, wagers={}, toke_cents=0), SeatFacts(3, {"ante": 10_00})))
    waits = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, missing)).state
    assert (waits.step, waits.position) == (0, 2), "the cards of seat 3 are waited for"


def test_r53__an_ante_put_right_takes_its_raises_along():
    game = two_seats()
    facts = Facts((SeatFacts(1, wagers={"ante": 10_00}),))
    again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
    raises = {"raise-1": 10_00, "raise-2": 10_00, "raise-3": 10_00}
    assert again.state.seats[1].stakes == {"ante": 10_00, **raises}


def test_r53__a_late_find_is_changed_or_taken_back():
    game = two_seats()
    game.do(actions.AcceptLate(1, "ante", 150_00, "floor-supervisor", "flo"))
    for cents, stays in ((200_00, 200_00), (0, 5_00)):
        facts = Facts((SeatFacts(1, late={"ante": cents}),))
        again = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, facts))
        assert again.state.seats[1].stakes["ante"] == stays
    no = refused(DIAMOND_JO, game.events, Facts((SeatFacts(1, late={"raise-1": 0}),)))
    assert (no.code, no.place) == ("correction/not-late", "seats[0].late.raise-1")


def test_r53__a_fact_that_fits_nowhere_is_refused_at_its_place():
    happened = two_seats().events
    for facts, code, place in (
        (Facts((SeatFacts(1), SeatFacts(1))), "correction/seat-twice", "seats"),
        (Facts((SeatFacts(5, {"ante": 5_00}),)), "seat/not-in-round", "seats[0].wagers"),
        (Facts((SeatFacts(1, {"ante": 1}),)), "bet/below-minimum", "seats[0].wagers.ante"),
        (Facts((SeatFacts(1, toke_cents=99_00),)), "toke/above-maximum", "seats[0].toke"),
        (Facts((SeatFacts(1, decisions=(4,)),)), "raise/not-a-multiple", None),
        (Facts((SeatFacts(1, decisions=("check",)),)), "check/not-offered", None),
        (
            Facts((SeatFacts(2, decisions=(None, 1)),)),
            "correction/not-asked",
            "seats[0].decisions[1]",
        ),
        (Facts((SeatFacts(2, cards=(*cards("2h 2d 2s"),)),)), "correction/no-card", None),
        (Facts(piles={"nowhere": cards("2h")}), "correction/no-card", "piles.nowhere"),
    ):
        no = refused(DIAMOND_JO, happened, facts)
        assert no.code == code
        if place is not None:
            assert no.place == place


def test_r53__a_hand_that_nobody_had_read_is_entered_when_it_is_shown():
    unread = (None,) * 4 + cards("Qh Jh Th")
    game = started(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, unread)
    to_the_end(game, unread, {1: 1, 2: 0}, {1: 1}, {1: 1})
    game.do(actions.Turn(cards("Ah Kh")))
    assert game.state.phase == "settling"
    swapped = (SeatFacts(1, decisions=("fold",)), SeatFacts(2, decisions=(1, 1, 1)))
    waits = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, Facts(swapped)))
    assert waits.state.phase == "playing", "nobody has read what seat 2 holds"
    waits.do(actions.Turn(cards("2c 3d")))
    told = (swapped[0], SeatFacts(2, cards=cards("2c 3d"), decisions=(1, 1, 1)))
    whole = Round(DIAMOND_JO, redone(DIAMOND_JO, game.events, Facts(told)))
    assert whole.state == waits.state


def test_r53__a_fold_of_an_award_was_meant():
    deck = stacked("Ah Kh Qh Jh 2h 2c 3d 4c 7h 9s")
    game = started(SENECA, {1: {"ante": 10_00, "progressive": 1_00}}, deck)
    assert game.refusal(actions.Fold(1)) is not None
    game.do(actions.Fold(1, confirmed=True))
    held = Facts((SeatFacts(1, cards=(None,) * 4 + cards("Th")),))
    assert Round(SENECA, redone(SENECA, game.events, held)).state.seats[1].folded == 1


def test_a_round_that_was_opened_twice_is_the_last_one():
    game = two_seats()
    opened = [event for event in game.events if isinstance(event, e.RoundOpened)]
    assert story([*opened, *game.events]) == tuple(game.events)
