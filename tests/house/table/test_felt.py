"""The felt: what page and terminal draw agrees with what the receipt says."""

import datetime

import pytest
from msgspec.structs import replace

from pitboss.house.table import events as h
from pitboss.house.table import felt
from pitboss.house.table.payoffs import seat_paid
from pitboss.round import Round, actions
from pitboss.settle import of_round, settle
from tests.helpers import DIAMOND_JO, stacked

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
