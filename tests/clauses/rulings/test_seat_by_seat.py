"""R66: seats that are done are paid while another waits, and the round ends with the last."""

import pytest
from msgspec.structs import replace

from pitboss.cards import cards
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.views import table_view
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.settle import Player
from tests.clauses.rulings.test_corrections_before_payment import TEN, correct, royal, works
from tests.helpers import DIAMOND_JO, SENECA
from tests.house.floor import Floor, happened, with_real_cards

APPROVES = (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance"))


def three() -> Floor:
    """Ann's royal flush waits; Bob and Cid have a pair of queens each, which pays and waits not."""
    floor = with_real_cards("ann", "bob", "cid")
    for seat in (1, 2, 3):
        floor.bet(seat, "dan", ante=5_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qc 2c Qd 2d Qh Jh Th")), times=1)
    return floor


def test_r66__seats_that_are_done_are_paid_from_the_right_while_another_waits():
    floor = three()
    bank = floor.bank
    [event] = happened(floor.do(a.Pay(), "dan"), h.SeatsPaid)
    assert [each.seat for each in event.seats] == [3, 2]
    won = [each.paid_cents for each in event.seats]
    assert floor.chips("bob") == won[1] - 20_00
    assert floor.lies == 20_00, "only what waits lies there"
    assert floor.bank == bank + 40_00 - sum(won)
    view = table_view(LoadedTable(floor.book, floor.table, 1, ""), "bob", 0)
    assert (view.paid, view.phase) == ((3, 2), "settling")
    refusal = floor.refused(a.Pay(), "dan")
    assert (refusal.code, "seat 1" in refusal.message) == ("pay/not-approved", True)
    for who, role in APPROVES:
        floor.do(c.ApprovePayoff(1, role), who)
    [paid] = happened(floor.papers().do(a.Pay(), "dan"), h.RoundPaid)
    assert [each.seat for each in paid.seats] == [1, 2, 3], "the round's record has all of them"
    assert floor.chips("bob") == won[1] - 20_00, "nobody is paid twice"
    assert (floor.table.paid, floor.lies) == ({}, 0)


def test_r66__a_table_that_deals_by_itself_pays_who_is_done_at_once():
    floor = Floor(DIAMOND_JO, opened=False).deck("As Ks 2c 3d Qs Js Ts")
    floor.do(c.OpenTable(DIAMOND_JO.id), "max")
    floor.sit("ann", "bob")
    for seat in (1, 2):
        floor.bet(seat, ante=5_00)
    floor.pays_everybody_who_stays(1, 2)
    assert [*floor.table.paid] == [2]
    floor.do(c.ApprovePayoff(1, "floor-supervisor"), "flo")
    floor.papers()
    assert happened(floor.do(c.ApprovePayoff(1, "surveillance"), "sue"), h.RoundPaid)


def test_r66__a_house_may_pay_all_seats_together():
    floor = with_real_cards("ann", "bob", book=replace(DIAMOND_JO, paying="together"))
    for seat in (1, 2):
        floor.bet(seat, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh 2c 3d Qh Jh Th")), times=1)
    assert floor.refused(a.Pay(), "dan").code == "pay/not-approved"
    assert floor.table.paid == {}


def test_r46__a_round_of_which_a_seat_was_paid_is_not_called_off():
    floor = three()
    floor.do(a.Pay(), "dan")
    refusal = floor.refused(a.CallMisdeal("other", "shift-manager"), "max")
    assert (refusal.code, refusal.clause) == ("misdeal/paid", "R66")
    late = a.AcceptLate(2, "ante", 10_00, "floor-supervisor")
    assert floor.refused(late, "flo").code == "misdeal/paid"


def test_r66__what_a_paid_seat_had_too_much_is_claimed_when_the_round_is_paid():
    floor = three()
    floor.do(a.Pay(), "dan")
    before = floor.chips("bob"), floor.chips("cid")
    # Bob's queen was a nine: what he was paid for the pair is too much, and his chips stay his.
    nine = Facts((SeatFacts(2, cards=cards("9c 2c")),))
    floor.do(correct(nine, "dealer"), "dan")
    floor.do(correct(nine, "floor-supervisor"), "flo")
    assert [*floor.table.paid] == [3, 2]
    floor.do(correct(TEN, "dealer"), "dan")
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    floor.do(a.Pay(), "dan")
    assert (floor.chips("bob"), floor.chips("cid")) == before
    assert floor.accounts["claims:bob"] == before[0] + 20_00 == 40_00
    assert floor.accounts["claims:cid"] == 0


def test_r66__a_seat_that_was_paid_stays_in_the_round():
    floor = royal()
    floor.do(a.Pay(), "dan")
    gone = Facts((SeatFacts(2, wagers={}),))
    assert floor.refused(correct(gone, "dealer"), "dan").code == "correction/paid-seat"


def test_r53__nothing_is_paid_while_a_correction_waits():
    floor = royal()
    floor.do(correct(TEN, "dealer"), "dan")
    assert floor.refused(a.Pay(), "dan").code == "pay/correction"


def test_r66__what_the_meter_pays_an_early_seat_comes_to_the_bank_with_the_last():
    """A house with a jackpot that has large wins approved: a flush is paid while a royal waits."""
    book = replace(SENECA, approval=DIAMOND_JO.approval)
    floor = with_real_cards("ann", "bob", book=book, minimum_cents=10_00, maximum_cents=100_00)
    for seat in (1, 2):
        floor.bet(seat, "dan", ante=10_00, progressive=1_00)
    floor.do(a.CloseBets(), "dan")
    meter, tokens = floor.pool, 2_00
    royal_, flush, dealers = "Ah Kh Qh Jh Th", "2c 4c 6c 8c Tc", "2d 3d 5s 7s 9d"
    deck = iter(cards(f"{royal_} {flush} {dealers}"))
    floor.do(a.Deal(tuple(deck)), "dan")
    works(floor, deck)
    assert floor.table.announced.keys() == {1}
    bank = floor.bank
    [early] = happened(floor.do(a.Pay(), "dan"), h.SeatsPaid)[0].seats
    assert (early.seat, floor.pool) == (2, meter), "the meter stands until the round is over"
    award = next(line for line in early.lines if line.spot == "progressive").won_cents
    assert award == 50_00
    paid = bank - floor.bank
    for who, role in APPROVES:
        floor.do(c.ApprovePayoff(1, role), who)
    floor.papers().do(a.Pay(), "dan")
    assert floor.lies == 0
    assert floor.chips("bob") == early.paid_cents - early.staked_cents
    assert floor.table.meter_cents == floor.pool
    assert paid == early.paid_cents - (early.staked_cents - tokens // 2)


@pytest.mark.parametrize("barred", [True, False])
def test_r66__what_is_known_of_a_seat_is_what_was_known_when_it_was_paid(barred):
    """Somebody is barred, or lost their papers, when their seat was paid and another's waits."""
    floor = three()
    before = floor.players["bob"] = Player()
    floor.do(a.Pay(), "dan")
    won = floor.chips("bob")
    floor.players["bob"] = Player(barred=barred, identified=False, tin=False)
    for who, role in APPROVES:
        floor.do(c.ApprovePayoff(1, role), who)
    assert floor.table.sitters[2].player == before
    [paid] = happened(floor.papers().do(a.Pay(), "dan"), h.RoundPaid)
    assert [each.held_cents for each in paid.seats if each.seat == 2] == [0]
    assert floor.chips("bob") == won
    assert floor.accounts["held:bob"] == floor.accounts["claims:bob"] == 0
