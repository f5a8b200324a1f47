"""What goes wrong in a round, and rounds that end early."""

import pytest
from msgspec.structs import replace

from pitboss.house.table import commands as c
from pitboss.house.table.payoffs import FLOAT_CENTS
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.round import events as e
from tests.helpers import BOOKS, DIAMOND_JO, SENECA
from tests.house.floor import (
    BOSS,
    Floor,
    dealt_by,
    entered,
    happened,
    seneca,
    with_real_cards,
)
from tests.small_books import TAKE_BACK

# Misdeals, dead hands, late wagers --------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "who", "role", "may"),
    [
        ("information", "flo", "floor-supervisor", True),
        ("information", "max", "shift-manager", True),
        ("integrity", "flo", "floor-supervisor", False),
        ("integrity", "max", "shift-manager", True),
        ("other", "gus", "general-manager", True),
        ("information", "dan", "dealer", False),
        ("information", "sue", "surveillance", False),
    ],
)
def test_r41_who_calls_a_misdeal(cause, who, role, may):
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    call = a.CallMisdeal(cause, role)
    if may:
        unit = floor.do(call, who)
        assert unit.events[0] == e.MisdealCalled(cause, role, who)
    else:
        refusal = floor.refused(call, who)
        assert refusal.code == "role/not-yours"
        assert refusal.clause.startswith("L.")


def test_r41_nobody_calls_it_in_a_role_or_a_name_that_is_not_theirs():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    call = a.CallMisdeal("information", "shift-manager", person="max")
    assert floor.refused(call, "flo").code == "role/not-yours"
    assert floor.refused(call, "ann").code == "role/not-yours"
    unit = floor.do(a.CallMisdeal("information", "floor-supervisor", person="max"), "flo")
    assert unit.events[0] == e.MisdealCalled("information", "floor-supervisor", "flo")


def test_r41_who_deals_or_plays_in_a_round_does_not_rule_on_it():
    floor = dealt_by().sit("ann", "pip")
    floor.do(c.StartDealing(), "eve")
    floor.do(c.OpenBetting(), "eve")
    floor.bet(1)
    floor.bet(2)
    floor.do(a.CloseBets(), "eve")
    floor.do(c.StartDealing(), "dan")
    for who in ("eve", "pip"):
        refusal = floor.refused(a.CallMisdeal("information", "floor-supervisor"), who)
        assert (refusal.code, refusal.clause[:5]) == ("role/takes-part", "L.1.c")
    floor.do(a.CallMisdeal("information", "floor-supervisor"), "flo")


def test_r42_letting_it_stand_is_recorded_with_cause_and_person():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    unit = floor.do(a.LetStand("information", "floor-supervisor"), "flo")
    assert unit.events == [e.IrregularityStood("information", "floor-supervisor", "flo")]
    assert floor.table.round.phase == "playing"


def test_r43_a_misdeal_gives_everything_back_folded_hands_side_wagers_and_tokes_too():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1, ante=10_00, lo_ball=5_00, toke=1_00)
    floor.bet(2, ante=10_00, board_bonus=5_00)
    floor.folds(2)
    floor.raises(1)
    floor.do(a.CallMisdeal("information", "floor-supervisor"), "flo")
    assert (floor.chips("ann"), floor.chips("bob")) == (0, 0)
    assert floor.accounts["tokes:t"] == 0
    assert floor.bank == FLOAT_CENTS
    assert floor.table.until == 0


def test_r43_a_misdeal_while_bets_are_made_leaves_meter_and_bank_alone():
    floor = seneca().sit("ann", "bob")
    floor.bet(1, ante=10_00, progressive=1_00)
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    assert (floor.chips("ann"), floor.pool, floor.bank) == (0, 10_000_00, FLOAT_CENTS)


def test_r43_the_token_goes_back_and_the_meter_keeps_what_it_had():
    floor = seneca().sit("ann")
    floor.bet(1, ante=10_00, progressive=1_00)
    assert (floor.pool, floor.bank) == (10_000_70, FLOAT_CENTS + 30)
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    assert (floor.chips("ann"), floor.pool, floor.bank) == (0, 10_000_70, FLOAT_CENTS - 70)


def test_no_misdeal_where_no_round_is_under_way():
    floor = Floor(DIAMOND_JO).sit("ann")
    for action in (a.CallMisdeal("other", "shift-manager"), a.LetStand("other", "shift-manager")):
        refusal = floor.refused(action, BOSS)
        assert (refusal.code, refusal.clause[:3]) == ("misdeal/not-now", "L.2")


@pytest.mark.parametrize(("cause", "back"), [("count", True), ("information", False)])
def test_r44_r45_a_dead_hand_gets_its_money_back_or_forfeits_it(cause, back):
    dead = tuple(replace(rule, real_cards=False) for rule in SENECA.dead)  # what it costs, alone
    floor = Floor(replace(SENECA, dead=dead), minimum_cents=10_00).sit("ann", "bob")
    floor.bet(1, ante=10_00, progressive=1_00)
    floor.bet(2, ante=10_00)
    floor.raises(1)
    refusal = floor.refused(a.KillHand(1, cause, "dealer"), "dan")
    assert (refusal.code, refusal.clause[:14]) == ("role/not-yours", "irregularities")
    floor.do(a.KillHand(1, cause, "floor-supervisor"), "flo")
    assert floor.refused(a.Fold(1), "ann").code == "seat/dead"
    assert due(SENECA, floor.table.round) == [2]
    floor.folds(2)
    assert floor.chips("ann") == (0 if back else -31_00)
    assert floor.pool == 10_000_70


def test_when_the_last_hand_that_is_waited_for_dies_the_round_goes_on():
    floor = seneca().sit("ann", "bob")
    floor.bet(1)
    floor.bet(2)
    floor.raises(1)
    floor.do(a.KillHand(2, "information", "floor-supervisor"), "flo")
    assert floor.table.last is not None
    assert floor.table.last.round == 1
    assert floor.table.until == 0


def test_r34_an_out_of_limit_wager_that_is_found_late_stands_and_is_paid_for():
    floor = with_real_cards("ann")
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As 10h")), "dan")
    refusal = floor.refused(a.AcceptLate(1, "ante", 150_00, "dealer"), "eve")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "R34, R52")
    assert floor.refused(a.AcceptLate(1, "ante", 50_00, "floor-supervisor"), "flo").code == (
        "late/within-limits"
    )
    unit = floor.do(a.AcceptLate(1, "ante", 150_00, "floor-supervisor"), "flo")
    assert unit.events == [e.LateWagerAccepted(1, "ante", 150_00, "floor-supervisor", "flo")]
    assert floor.chips("ann") == -150_00
    assert floor.refused(a.AcceptLate(1, "ante", 2_00, "floor-supervisor"), "flo").code == (
        "late/lower"
    )
    floor.do(a.AcceptLate(1, "ante", 200_00, "floor-supervisor"), "flo")
    assert floor.chips("ann") == -200_00
    floor.folds(1)


def test_r34_a_table_that_takes_the_wagers_itself_finds_none_late():
    for floor in (Floor(DIAMOND_JO).sit("ann"), dealt_by().sit("ann")):
        if floor.table.dealer:
            floor.do(c.OpenBetting(), "dan")
        floor.bet(1)
        refusal = floor.refused(a.AcceptLate(1, "ante", 150_00, "floor-supervisor"), "flo")
        assert (refusal.code, refusal.clause) == ("late/none", "R34, R52")
        assert floor.chips("ann") == -5_00


def test_r46_once_it_is_paid_nothing_is_undone():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    floor.folds(1)
    for action, code in (
        (a.CallMisdeal("other", "shift-manager"), "misdeal/not-now"),
        (a.AcceptLate(1, "ante", 150_00, "shift-manager"), "late/none"),
    ):
        assert floor.refused(action, BOSS).code == code


# Rounds that end early, and another kind of game ------------------------------------------------


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_r20a_when_everybody_folds_nothing_more_is_turned(book):
    floor = Floor(book).sit("ann", "bob")
    floor.bet(1)
    unit = floor.bet(2)
    floor.folds(1)
    unit = floor.do(a.Fold(2, confirmed=True), "bob")
    assert not happened(unit, e.CardsTurned)
    assert not happened(unit, e.HandShown)
    assert floor.table.number == 2
    assert floor.chips("ann") == -floor.table.minimum_cents


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_r21_when_nobody_answers_everybody_folds_at_the_shown_moment(book):
    floor = Floor(book, decision_seconds=7).sit("ann", "bob", "cid")
    for seat in (1, 2, 3):
        floor.bet(seat)
    assert floor.table.until == floor.at + 7_000
    for other in (0, floor.table.until - 1):
        refusal = floor.refused(c.Tick(other), "clock")
        assert (refusal.code, refusal.clause) == ("clock/not-yet", "R21")
    floor.at = floor.table.until
    unit = floor.strikes()
    folds = happened(unit, e.Folded)
    assert [(each.seat, each.timed_out) for each in folds] == [(1, True), (2, True), (3, True)]
    assert floor.table.number == 2


def test_r21_a_decision_counts_until_the_end_is_written():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    floor.bet(2)
    floor.at = floor.table.until
    floor.raises(1)
    unit = floor.strikes()
    assert [each.seat for each in happened(unit, e.Folded)] == [2]
    assert floor.table.until == floor.at + 30_000, "the next street has a clock of its own"


def test_the_betting_window_ends_at_the_shown_moment():
    floor = Floor(DIAMOND_JO, betting_seconds=9).sit("ann", "bob")
    assert floor.table.until == 0, "no clock runs before the first bet"
    floor.bet(1)
    assert floor.table.until == floor.at + 9_000
    floor.at = floor.table.until
    floor.strikes()
    assert floor.refused(a.Bet(2, {"ante": 5_00}), "bob").code == "bet/closed"
    assert list(floor.table.round.seats) == [1]


def test_wagers_are_taken_back_by_choice_or_by_the_clock():
    floor = Floor(TAKE_BACK).sit("ann", "bob")
    for seat in (1, 2):
        floor.bet(seat, ante=5_00, first=5_00, second=5_00)
    floor.do(a.TakeBack(1), "ann")
    floor.do(a.Check(2), "bob")
    assert (floor.chips("ann"), floor.chips("bob")) == (-10_00, -15_00)
    for back in ((5_00, 10_00), (5_00, 10_00)):
        floor.at = floor.table.until
        floor.strikes()
        assert floor.table.last is not None or (-floor.chips("ann"), -floor.chips("bob")) == back
    assert floor.table.number == 2
