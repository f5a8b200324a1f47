"""Payoffs that wait for approval, the progressive, and winnings that are held."""

import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import settle
from pitboss.house.books.ledger import held
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.payoffs import FLOAT_CENTS, unapproved
from pitboss.house.table.state import CapNotice
from pitboss.house.views import table_view
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from pitboss.rulebook import Rulebook
from pitboss.settle import Player
from pitboss.settle.approvals import label
from tests.helpers import DIAMOND_JO, SENECA
from tests.house.floor import BOSS, ROLES, Floor, dealt_by, entered, happened, with_real_cards

# Notices ----------------------------------------------------------------------------------------

GM, DIRECTOR = "general-manager", "director-of-table-games"


def capped(**opening: Any) -> Floor:
    """A royal flush on a thousand dollars, of which the whole table wins 25,000."""
    floor = big_win(_opened("As Ks Qs Js Ts", **opening), 100_00)
    if not opening.get("practice"):
        floor.do(approve("floor-supervisor"), "flo")
        floor.do(approve("surveillance"), "sue")
    return floor


SUMS = 500_000_00, 25_000_00
"""What was won without the ceiling, and with it."""


def test_j_5_a_used_ceiling_waits_for_both_who_must_hear_of_it():
    floor = capped()
    assert floor.table.notices == {1: CapNotice(floor.day, (GM, DIRECTOR), *SUMS)}
    refusal = floor.refused(c.AcknowledgeNotice(1, GM), "max")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "J.5, K.2, R32")
    assert floor.refused(c.AcknowledgeNotice(2, GM), "gus").code == "notice/none"
    assert floor.refused(c.AcknowledgeNotice(1, "shift-manager"), "max").code == "notice/none"
    unit = floor.do(c.AcknowledgeNotice(1, GM), "gus")
    assert unit.events == [h.NoticeAcknowledged(1, GM, "gus")]
    assert floor.refused(c.AcknowledgeNotice(1, GM), "gus").code == "notice/none"
    assert floor.table.notices == {1: CapNotice(floor.day, (DIRECTOR,), *SUMS)}
    floor.do(c.AcknowledgeNotice(1, DIRECTOR), "dot")
    assert floor.table.notices == {}


def test_r32_who_holds_both_offices_hears_of_it_in_each(monkeypatch):
    """A notice approves nothing: nobody has to be found who does not exist."""
    monkeypatch.setitem(ROLES, "gil", {GM, DIRECTOR})
    floor = capped()
    for role in (GM, DIRECTOR):
        floor.do(c.AcknowledgeNotice(1, role), "gil")
    assert floor.table.notices == {}


def test_k_2_who_hears_of_it_after_the_gaming_day_is_on_record_as_late():
    floor = capped()
    floor.do(c.AcknowledgeNotice(1, DIRECTOR), "dot")
    floor.day += datetime.timedelta(days=1)
    unit = floor.do(c.AcknowledgeNotice(1, GM), "gus")
    assert unit.events == [h.NoticeAcknowledged(1, GM, "gus", late=True)]


def test_r32_a_notice_outlasts_its_table():
    floor = capped()
    floor.do(c.CloseTable("the shift is over"), "max")
    assert floor.refused(c.Sit(2), "bob").code == "table/closed"
    floor.do(c.AcknowledgeNotice(1, GM), "gus")
    floor.do(c.OpenTable(DIAMOND_JO.id), "max")
    assert floor.table.notices == {1: CapNotice(floor.day, (DIRECTOR,), *SUMS)}
    floor.do(c.AcknowledgeNotice(1, DIRECTOR), "dot")
    assert floor.table.notices == {}


def test_r32_nobody_need_hear_of_play_chips():
    floor = capped(practice=True)
    assert floor.table.last is not None
    assert floor.table.last.notify == (GM, DIRECTOR)
    assert floor.table.notices == {}


# Approvals --------------------------------------------------------------------------------------

QUADS = "As Ad Ac Ah 2h"


def _opened(*deck: str, **opening: Any) -> Floor:
    floor = Floor(DIAMOND_JO, opened=False).deck(*deck)
    who = "own" if opening.get("practice") else "max"
    floor.do(c.OpenTable(DIAMOND_JO.id, **opening), who)
    return floor


def big_win(floor: Floor, ante: int, who: str = "ann") -> Floor:
    """Four aces: 40 to 1 on ten times the ante."""
    floor.sit(who).bet(1, ante=ante)
    floor.pays_everybody_who_stays(1)
    return floor


def approve(role: str, seat: int = 1) -> c.ApprovePayoff:
    return c.ApprovePayoff(seat, role)


def test_r31_a_payoff_stops_the_table_until_the_needed_roles_approve():
    floor = big_win(_opened(QUADS), 5_00)
    assert floor.table.round.phase == "settling"
    assert floor.table.announced == {1: 2_000_00}
    assert floor.events[-1] == h.PayoffAnnounced(
        1,
        2_000_00,
        ("call-out", "floor-supervisor", "surveillance-or-shift-manager"),
        ("C.1.t, R31",) * 3,
    )
    assert floor.refused(approve("floor-supervisor", 2), "flo").code == "approval/none"
    assert floor.refused(approve("shift-manager"), "flo").code == "role/not-yours"
    floor.do(approve("floor-supervisor"), "fay")
    refusal = floor.refused(approve("shift-manager"), "fay")
    assert (refusal.code, refusal.clause) == ("approval/not-needed", "R31, R65")
    assert floor.refused(approve("floor-supervisor"), "flo").code == "approval/not-needed"
    assert floor.table.round.phase == "settling"
    unit = floor.do(approve("surveillance"), "sue")
    assert happened(unit, h.RoundPaid)
    assert floor.chips("ann") == 2_000_00


@pytest.mark.parametrize(
    ("held", "ante", "needs"),
    [
        ("As Ad 2c 7h 9d", 10_00, 0),  # 100.00 is not over 100.00
        ("As Ad 2c 7h 9d", 11_00, 1),  # called out; nobody deals here, so the table does
        ("As Ad Ac 7h 9d", 10_00, 1),  # 300.00
        ("As Ad Ac 7h 9d", 11_00, 2),
        ("As Ad Ac 7h 7d", 10_00, 2),  # 1,000.00
        ("As Ad Ac 7h 7d", 11_00, 3),
    ],
)
def test_r31_strictly_over_each_threshold(held, ante, needs):
    floor = big_win(_opened(held), ante)
    announced = [event for event in floor.events if isinstance(event, h.PayoffAnnounced)]
    assert [len(each.needs) for each in announced] == ([needs] if needs else [])
    assert (floor.table.round.phase == "settling") == (needs > 1)


def test_a_practice_table_approves_by_itself_and_its_record_says_so():
    floor = big_win(_opened(QUADS, practice=True), 5_00)
    assert h.PayoffApproved(1, "", "automatic") in floor.events
    assert next(e for e in floor.events if isinstance(e, h.TableOpened)).practice
    assert floor.accounts["play:ann"] == 2_000_00
    assert floor.accounts["cage"] == 0


def settling_by_hand(book: Rulebook = DIAMOND_JO) -> Floor:
    """Dan deals four aces to Ann; the table waits for approvals."""
    floor = dealt_by(book).deck(QUADS).sit("ann")
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(()), "dan")
    for _ in range(3):
        floor.raises(1)
        floor.do(a.Deal(()), "dan")
    floor.do(a.Turn(), "dan")
    return floor


def test_r31_the_dealer_calls_out_and_nobody_approves_what_they_dealt():
    floor = settling_by_hand()
    refusal = floor.refused(a.Pay(), "dan")
    assert (refusal.code, refusal.clause) == ("pay/not-approved", "C.1.t, R31")
    floor.do(approve("dealer"), "dan")
    floor.do(c.StartDealing(), "eve")
    assert floor.refused(approve("floor-supervisor"), "eve").code == "approval/own-deal"
    floor.do(c.StopDealing(), "eve")
    assert floor.refused(approve("floor-supervisor"), "eve").code == "approval/own-deal"
    floor.do(approve("floor-supervisor"), "flo")
    floor.do(approve("shift-manager"), "max")
    floor.do(c.StartDealing(), "dan")
    floor.do(a.Pay(), "dan")
    assert floor.chips("ann") == 2_000_00


def test_r31_without_a_dealer_nobody_has_called_out():
    floor = settling_by_hand()
    floor.do(c.StopDealing(), "dan")
    floor.do(approve("floor-supervisor"), "flo")
    floor.do(approve("shift-manager"), "max")
    floor.do(c.StartDealing(), "dan")
    assert "call-out" in floor.refused(a.Pay(), "dan").message


def test_r31_who_approves_and_then_deals_has_approved_nothing():
    floor = settling_by_hand()
    floor.do(approve("floor-supervisor"), "eve")
    floor.do(approve("shift-manager"), "max")
    floor.do(c.StartDealing(), "eve")
    floor.do(c.StartDealing(), "dan")
    floor.do(approve("dealer"), "dan")
    assert "floor-supervisor" in floor.refused(a.Pay(), "dan").message
    floor.do(approve("floor-supervisor"), "flo")
    floor.do(a.Pay(), "dan")


def test_r31_who_dealt_the_last_round_may_approve_in_this_one():
    floor = dealt_by().deck(QUADS)
    floor.do(c.StopDealing(), "dan")
    floor.do(c.StartDealing(), "eve")
    floor.sit("ann")
    floor.do(c.OpenBetting(), "eve")
    floor.bet(1)
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    floor.do(c.StartDealing(), "dan")
    assert floor.table.dealers == ("dan",)


def test_r31_nobody_approves_in_a_round_that_they_play_in():
    floor = big_win(_opened(QUADS), 5_00, "pip")
    assert floor.refused(approve("floor-supervisor"), "pip").code == "approval/own-round"


def test_r31_an_approval_is_of_a_figure_and_void_for_another():
    floor = with_real_cards("ann")
    floor.bet(1, ante=11_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As Ad")), "dan")
    for card in ("Ac", "7h", "7d"):
        floor.raises(1)
        floor.do(a.Deal(entered(card)), "dan")
    floor.do(a.Turn(), "dan")
    floor.do(approve("floor-supervisor"), "flo")
    late = (SeatFacts(1, late={"ante": 150_00}),)
    floor.do(c.Correct("dealer", "the Ante was more", late), "dan")
    unit = floor.do(c.Correct("floor-supervisor", "the Ante was more", late), "fay")
    (again,) = happened(unit, h.PayoffAnnounced)
    assert again.won_cents == 150_00 * (1 + 3 + 3 + 3) * 10, "raises keep their multiple"
    assert floor.table.approved == ()
    floor.do(approve("floor-supervisor"), "flo")
    floor.do(approve("surveillance"), "sue")
    floor.do(approve("dealer"), "dan")
    floor.do(a.Pay(), "dan")
    assert floor.chips("ann") == again.won_cents


def test_r31_a_payoff_that_falls_away_waits_for_nobody():
    """A hand dies after its win was announced: then nothing is left to approve."""
    floor = settling_by_hand(replace(DIAMOND_JO, dead=SENECA.dead))
    assert floor.table.announced == {1: 2_000_00}
    floor.do(approve("floor-supervisor"), "flo")
    floor.do(a.KillHand(1, "information", "shift-manager"), "max")
    unit = floor.do(a.KillHand(1, "information", "floor-supervisor"), "flo")
    assert happened(unit, h.PayoffAnnounced) == [h.PayoffAnnounced(1, 0, (), ())]
    assert (floor.table.announced, floor.table.approved) == ({}, ())
    assert floor.refused(approve("floor-supervisor"), "flo").code == "approval/none"
    floor.do(a.Pay(), "dan")
    assert floor.chips("ann") == -50_00, "what was shared is lost"


def test_who_must_approve_is_known_without_settling(monkeypatch):
    floor = settling_by_hand()
    floor.do(approve("floor-supervisor"), "flo")

    def never(*_given: Any) -> Any:
        raise AssertionError("a look at the table settles its round")

    monkeypatch.setattr(settle, "settle", never)
    assert [label(rule) for rule in unapproved(floor.book, floor.table, 1)] == [
        "call-out",
        "surveillance-or-shift-manager",
    ]
    view = table_view(LoadedTable(floor.book, floor.table, 1, ""), "ann", 0)
    assert view.approvals == {1: ("call-out", "surveillance-or-shift-manager")}


# The progressive --------------------------------------------------------------------------------

ROYAL = ("Ts Js Qs Ks As", "Th Jh Qh Kh Ah")


def jackpot(*hands: str, sides: tuple[int, ...] = (1, 2)) -> Floor:
    floor = Floor(SENECA, opened=False).deck(*hands, "2c 3d 5h 7s 9c")
    floor.do(c.OpenTable(SENECA.id, "", 10_00, 100_00), BOSS)
    floor.sit(*("ann", "bob")[: len(hands)])
    for seat in range(1, len(hands) + 1):
        tokens = {"progressive": 1_00} if seat in sides else {}
        floor.do(a.Bet(seat, {"ante": 10_00, **tokens}), floor.table.sitters[seat].person)
    assert floor.table.round.meter_cents == 10_000_00 + 70 * len(sides)
    floor.raises(*range(1, len(hands) + 1))
    return floor.papers()


def won(floor: Floor, seat: int) -> int:
    assert floor.table.last is not None
    lines = {each.seat: each.lines for each in floor.table.last.seats}[seat]
    return next(line.won_cents for line in lines if line.spot == "progressive")


def test_r36_two_royals_share_the_locked_meter_and_it_is_reseeded():
    floor = jackpot(*ROYAL)
    assert (won(floor, 1), won(floor, 2)) == (5_000_70, 5_000_70)
    assert floor.pool == floor.table.meter_cents == 10_000_00


def test_r36_two_straight_flushes_get_ten_percent_each():
    floor = jackpot("9s Ts Js Qs Ks", "9h Th Jh Qh Kh")
    assert (won(floor, 1), won(floor, 2)) == (1_000_14, 1_000_14)
    assert floor.pool == 10_001_40 - 2_000_28


def test_r37_awards_come_from_the_pool():
    floor = jackpot("2s 2d 2h 3c 3h", sides=(1,))
    assert won(floor, 1) == 100_00
    assert floor.pool == 10_000_70 - 100_00


def test_r39_a_folded_hand_forfeits_the_award_and_says_so_first():
    floor = Floor(SENECA, opened=False).deck(ROYAL[0])
    floor.do(c.OpenTable(SENECA.id, maximum_cents=100_000_00), BOSS)
    floor.sit("ann").bet(1, ante=5_00, progressive=1_00)
    assert floor.refused(a.Fold(1), "ann").code == "fold/confirm"
    floor.folds(1)
    assert floor.chips("ann") == -6_00


def test_the_cage_brings_more_when_the_bank_cannot_pay():
    floor = Floor(SENECA, opened=False).deck("As Ad 4c 6d 8h", "2c 3d 5h 7s 9c")
    floor.do(c.OpenTable(SENECA.id, maximum_cents=100_000_00), BOSS)
    floor.sit("ann").bet(1, ante=60_000_00)
    unit = floor.do(a.Raise(1, 2), "ann")
    assert happened(unit, h.BankFilled) == [h.BankFilled(FLOAT_CENTS)]
    assert (floor.chips("ann"), floor.bank) == (60_000_00, 2 * FLOAT_CENTS - 60_000_00)


# People whom the house bars ---------------------------------------------------------------------


def test_r51_who_is_barred_while_a_dealer_enters_what_they_do():
    floor = with_real_cards("ann", "bob")
    floor.do(a.Bet(1, {"ante": 5_00}), "dan")
    floor.players |= {"ann": Player(barred=True), "bob": Player(barred=True)}
    refusal = floor.refused(a.Bet(2, {"ante": 5_00}), "dan")
    assert (refusal.code, refusal.clause) == ("person/barred", "M.2, R51")
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As Ad")), "dan")
    for card in ("Kc", "7h", "2d"):
        floor.do(a.Raise(1, 1), "dan")
        floor.do(a.Deal(entered(card)), "dan")
    floor.do(a.Turn(), "dan")
    floor.do(a.Pay(), "dan")
    assert floor.chips("ann") == 0, "the stakes go back"
    assert floor.accounts[held("ann", practice=False)] == 20_00, "a pair of aces: even money"


def test_r51_what_is_known_when_the_clock_runs_out_or_somebody_approves_counts():
    floor = big_win(_opened(QUADS), 5_00)
    floor.players["ann"] = Player(barred=True)
    floor.do(approve("floor-supervisor"), "flo")
    unit = floor.do(approve("surveillance"), "sue")
    (paid,) = happened(unit, h.RoundPaid)
    assert (paid.seats[0].held_cents, floor.chips("ann")) == (2_000_00, 0)


def test_r51_who_is_barred_bets_no_more_and_what_they_win_is_held():
    floor = _opened("As Ad 2c 7h 9d").sit("ann")
    floor.bet(1)
    floor.players["ann"] = Player(barred=True)
    floor.pays_everybody_who_stays(1)
    assert floor.chips("ann") == 0, "the stake came back"
    assert floor.accounts[held("ann", practice=False)] == 50_00
    refusal = floor.refused(a.Bet(1, {"ante": 5_00}), "ann")
    assert (refusal.code, refusal.clause) == ("person/barred", "M.2, R51")
    floor.do(c.Leave(), "ann")
