"""The felt: what page and terminal draw agrees with what the receipt says."""

import datetime
import random

import pytest
from msgspec.structs import replace

from pitboss.cards import shuffled
from pitboss.house.table import events as h
from pitboss.house.table import felt
from pitboss.house.table.payoffs import seat_paid
from pitboss.round import Round, State, actions, evolve, visible
from pitboss.rulebook import Rulebook
from pitboss.settle import of_round, settle
from tests.helpers import BOOKS, DIAMOND_JO, played, stacked, started

DAY = datetime.date(2026, 11, 16)


@pytest.mark.parametrize("top", ["As Ad Ac Kh 2s", "2s 7d 9c Jh Ks"], ids=["wins", "loses"])
def test_a_seats_net_is_that_of_its_receipt_and_a_toke_is_the_dealers(top: str) -> None:
    """It is what tax leaves; whatever a toke wins goes to the dealers."""
    game = Round(DIAMOND_JO)
    game.do(actions.Open({1: "ann"}, 500, 10_000))
    game.do(actions.Bet(1, {DIAMOND_JO.ante.name: 1_000}, 500))
    game.do(actions.CloseBets())
    deck = stacked(top)
    game.deal(deck)
    while game.due():
        game.do(actions.Raise(1, 1))
        game.deal(deck)
    game.do(actions.Pay())
    settlement = settle(DIAMOND_JO, of_round(game.state))
    paid = seat_paid(DIAMOND_JO, settlement.seats[0])
    net = sum(line.returned_cents - line.stake_cents for line in paid.lines if line.spot != "toke")
    taxed = replace(paid, paid_cents=paid.paid_cents - 300, withheld_cents=300)
    for was, comes_to in ((paid, net), (taxed, net - 300)):
        drawn = felt.draw(DIAMOND_JO, game.state, {1: "Ann"}, 1, h.RoundPaid(1, DAY, (was,)))
        assert drawn.me is not None
        assert drawn.me.net_cents == was.net_cents == comes_to != 0
        assert "toke" in [wager.spot for wager in drawn.me.wagers]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
@pytest.mark.parametrize("me", [1, None], ids=["a player", "a watcher"])
def test_a_card_appears_with_the_last_event_that_names_it(book: Rulebook, me: int | None) -> None:
    """And was turned, not dealt, where an earlier event laid it down."""
    deck = shuffled(random.Random(18))
    game = started(book, {seat: {book.ante.name: 10_00} for seat in (1, 2)}, deck)
    for street in book.streets:
        played(game, deck, dict.fromkeys(game.due(), street.times[0]))
    events = [visible(each, me) for each in game.events]
    state, felts = State(), [felt.draw(book, State(), {}, me)]
    for event in events:
        state = evolve(book, state, event)
        felts.append(felt.draw(book, state, {}, me))
    found = felt.appearances(felts)
    known = {}
    for step, event in enumerate(events):
        for card in getattr(event, "cards", ()):
            known[card] = step
    last = felts[-1]
    lying = {
        **{f"pile-{n}": pile.cards for n, pile in enumerate(last.piles, start=1)},
        **{f"seat-{place.number}": place.cards for place in last.places},
    }
    seen = 0
    for where, several in lying.items():
        for at, card in enumerate(several, start=1):
            if card is not None and f"{where}-{at}" in found and where != f"seat-{me}":
                seen += 1
                assert found[f"{where}-{at}"].step == known[card], (where, at)
    assert seen >= 3
    for first in range(len(events)):  # whoever has seen more of it is told the rest alone
        rest = felt.appearances(felts[first:], first)
        assert rest == {name: each for name, each in found.items() if each.step >= first}
