"""Tables as a casino runs them: limits, seats, partners, bots."""

from typing import Any

from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.round import events as e
from pitboss.settle import Player
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA
from tests.house.floor import BOSS, DAY, Floor, happened, seneca

# Opening, limits, closing -----------------------------------------------------------------------


def test_a_table_posts_what_the_house_may_post():
    assert Floor(DIAMOND_JO).table.minimum_cents == 5_00
    assert Floor(DIAMOND_JO).table.maximum_cents == 100_00
    floor = Floor(DIAMOND_JO, opened=False)
    for limits in ((4_99, None), (15_01, None), (5_00, 24_99), (5_00, 100_01)):
        refusal = floor.refused(c.OpenTable(DIAMOND_JO.id, "", *limits), BOSS)
        assert (refusal.code, refusal.clause) == ("limits/out-of-range", "H, R23")
    refusal = Floor(HOLLYWOOD, opened=False).refused(
        c.OpenTable(HOLLYWOOD.id, "", 50_00, 10_00), BOSS
    )
    assert refusal.code == "limits/crossed"


def test_a_table_is_opened_once_and_a_closed_one_takes_nothing():
    floor = Floor(DIAMOND_JO)
    assert floor.refused(c.OpenTable(DIAMOND_JO.id), BOSS).code == "table/open"
    floor.do(c.CloseTable(), "flo")
    assert floor.table == Table(
        "t",
        rulebook=DIAMOND_JO.id,
        sha256=DIAMOND_JO.sha256,
        minimum_cents=5_00,
        maximum_cents=100_00,
        opener=floor.table.opener,
        closed=DAY,
        number=1,
    )
    assert floor.refused(c.Sit(1), "ann").code == "table/closed"
    assert floor.bank == 0
    floor.do(c.OpenTable(DIAMOND_JO.id, "t", 10_00), BOSS)
    assert (floor.table.minimum_cents, floor.table.number) == (10_00, 2)


def test_lights_need_a_shuffler_and_real_cards():
    shuffler: dict[str, Any] = {"shuffler": True, "dealing": "entered"}
    refusal = Floor(SENECA, opened=False).refused(
        c.OpenTable(SENECA.id, maximum_cents=100_00, **shuffler), BOSS
    )
    assert refusal.code == "light/no-shuffler"
    for dealing in ("automatic", "dealer"):
        refusal = Floor(DIAMOND_JO, opened=False).refused(
            c.OpenTable(DIAMOND_JO.id, shuffler=True, dealing=dealing), BOSS
        )
        assert (refusal.code, refusal.clause) == ("table/no-lights", "C.1.h")


def test_r34a_the_shift_manager_changes_limits_between_rounds_and_the_cap_follows():
    floor = Floor(DIAMOND_JO).sit("ann")
    change = c.ChangeLimits(15_00, 100_00, "a quiet evening")
    refusal = floor.refused(change, "flo")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "H.1, R34a, R60")
    assert floor.refused(change, "sue").code == "role/not-yours"  # Surveillance stands for nobody
    assert floor.refused(c.ChangeLimits(16_00, 100_00, "?"), BOSS).code == "limits/out-of-range"
    floor.bet(1)
    refusal = floor.refused(change, BOSS)
    assert (refusal.code, refusal.clause) == ("table/round-under-way", "H.1, R34a, R60")
    assert DIAMOND_JO.cap[0].cents(floor.table.round.minimum_cents) == 25_000_00
    floor.folds(1)
    floor.do(change, BOSS)
    assert floor.refused(a.Bet(1, {"ante": 5_00}), "ann").code == "bet/below-minimum"
    floor.bet(1)
    assert DIAMOND_JO.cap[0].cents(floor.table.round.minimum_cents) == 75_000_00


def test_the_owner_of_a_practice_table_changes_its_limits():
    floor = Floor(DIAMOND_JO, practice=True)
    floor.do(c.ChangeLimits(10_00, 50_00, "to see the sign"), "own")
    assert floor.table.minimum_cents == 10_00


def test_a_closed_table_keeps_its_jackpot_and_gives_it_to_no_other_game():
    floor = seneca().sit("ann")
    floor.bet(1, ante=10_00, progressive=1_00)
    floor.folds(1)
    floor.do(c.CloseTable(), BOSS)
    assert (floor.table.meter_cents, floor.pool, floor.bank) == (10_000_70, 10_000_70, 0)
    other = Floor(DIAMOND_JO, opened=False)
    other.table, other.accounts = floor.table, floor.accounts
    assert other.refused(c.OpenTable(DIAMOND_JO.id, "t"), BOSS).code == "table/jackpot"
    unit = floor.do(c.OpenTable(SENECA.id, "t", 10_00, 100_00), BOSS)
    assert not happened(unit, h.MeterSeeded)
    floor.sit("ann").bet(1, ante=10_00, progressive=1_00)
    assert floor.table.meter_cents == 10_001_40


def test_a_table_without_a_jackpot_may_be_opened_for_one():
    floor = Floor(DIAMOND_JO)
    floor.do(c.CloseTable(), BOSS)
    floor.book = SENECA
    floor.do(c.OpenTable(SENECA.id, "t", maximum_cents=100_00), BOSS)
    assert floor.pool == 10_000_00


# Seats ------------------------------------------------------------------------------------------


def test_r22_one_seat_for_each_person():
    floor = Floor(DIAMOND_JO).sit("ann")
    for command, who, code in (
        (c.Sit(1), "bob", "seat/taken"),
        (c.Sit(2), "ann", "seat/one-each"),
        (c.Sit(0), "bob", "seat/unknown"),
        (c.Sit(7), "bob", "seat/unknown"),
        (c.Leave(), "bob", "seat/none"),
        (c.SitOut(), "bob", "seat/none"),
        (c.SitIn(), "bob", "seat/none"),
    ):
        refusal = floor.refused(command, who)
        assert (refusal.code, refusal.clause) == (code, "H.3, R22, R23")


def test_nobody_plays_the_seat_of_another():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    for action in (a.Bet(1, {"ante": 5_00}), a.Fold(1), a.Raise(1, 1), a.Check(1), a.Bet(3, {})):
        assert floor.refused(action, "bob").code == "seat/not-yours"


def test_who_sits_down_while_bets_are_made_may_bet():
    floor = Floor(SENECA, minimum_cents=10_00).sit("ann", "bob")
    floor.bet(1, ante=20_00, progressive=1_00)
    until = floor.table.until
    floor.do(c.Sit(4), "dee")
    unit = floor.bet(4, ante=30_00)
    assert [type(event) for event in unit.events] == [
        e.BetPlaced,  # Ann's wagers are taken up,
        e.RoundOpened,
        e.BetPlaced,  # and put down again.
        e.BetPlaced,
    ]
    assert {n: seat.stakes for n, seat in floor.table.round.seats.items()} == {
        1: {"progressive": 1_00, "ante": 20_00},
        2: {},
        4: {"ante": 30_00},
    }
    assert floor.table.until == until, "the window stays as it was shown"
    assert (floor.chips("ann"), floor.chips("dee")) == (-21_00, -30_00)
    floor.bet(2)
    assert list(floor.table.round.seats) == [1, 2, 4]
    assert floor.table.round.phase == "playing"
    assert floor.table.meter_cents == 10_000_70


def test_who_sits_down_after_the_deal_waits():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    floor.do(c.Sit(2), "bob")
    assert floor.refused(a.Bet(2, {"ante": 5_00}), "bob").code == "bet/closed"
    assert floor.refused(a.Fold(2), "bob").code == "seat/not-in-round"
    floor.folds(1)
    floor.bet(2)
    assert floor.table.round.phase == "betting"


def test_a_seat_that_changes_hands_while_bets_are_made_plays_with_the_new_persons_chips():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    floor.do(c.SitOut(), "ann")
    floor.do(c.Sit(3), "cid")
    floor.do(c.Leave(), "bob")
    floor.do(c.Sit(2), "dee")
    floor.bet(2, ante=10_00)
    assert floor.table.round.seats[1].stakes == {"ante": 5_00}, "who sits out later still plays"
    floor.bet(3)
    assert [seat.person for seat in floor.table.round.seats.values()] == ["ann", "dee", "cid"]
    assert (floor.chips("bob"), floor.chips("dee")) == (0, -10_00)


def test_who_leaves_before_the_deal_takes_the_wagers_along():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1, ante=10_00, lo_ball=1_00, toke=1_00)
    floor.do(c.Leave(), "ann")
    assert floor.chips("ann") == 0
    assert 1 not in floor.table.sitters
    assert not floor.table.under_way
    assert floor.table.until == 0


def test_who_leaves_after_the_deal_goes_when_the_round_is_over():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    floor.bet(2)
    floor.do(c.Leave(), "ann")
    assert floor.table.sitters[1].leaving
    assert floor.refused(c.Sit(1), "cid").code == "seat/taken"
    assert floor.refused(c.Sit(3), "ann").code == "seat/one-each"
    floor.raises(1, 2)
    floor.folds(1, 2)
    assert list(floor.table.sitters) == [2]
    floor.do(c.Sit(1), "cid")


def test_who_wanted_to_leave_may_stay_after_all():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    floor.do(c.Leave(), "ann")
    floor.do(c.SitIn(), "ann")
    floor.folds(1)
    floor.bet(1)


def test_when_the_betting_clock_ran_out_nobody_takes_a_wager_along():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    floor.at = floor.table.until
    floor.strikes()
    floor.do(c.Leave(), "ann")
    assert floor.chips("ann") == -5_00
    assert floor.table.sitters[1].leaving
    assert due(DIAMOND_JO, floor.table.round) == [1]


def test_who_sits_out_is_not_waited_for():
    floor = Floor(DIAMOND_JO).sit("ann", "bob", "cid")
    floor.do(c.SitOut(), "cid")
    refusal = floor.refused(a.Bet(3, {"ante": 5_00}), "cid")
    assert refusal.code == "seat/away"
    floor.bet(1)
    assert floor.table.until
    floor.do(c.SitOut(), "bob")
    assert floor.table.round.phase == "playing"
    assert list(floor.table.round.seats) == [1]
    floor.folds(1)
    floor.do(c.SitIn(), "bob")
    floor.bet(2)


def test_who_sits_in_while_bets_are_made_may_bet():
    floor = Floor(DIAMOND_JO).sit("ann", "bob", "cid")
    floor.do(c.SitOut(), "bob")
    floor.bet(1)
    floor.do(c.SitIn(), "bob")
    floor.bet(2)
    floor.bet(3)
    assert list(floor.table.round.seats) == [1, 2, 3]


def test_a_round_on_which_nobody_bets_is_not_open():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    floor.do(a.Bet(1, {}), "ann")
    assert (floor.table.under_way, floor.table.until, floor.lies) == (False, 0, 0)
    floor.do(c.ChangeLimits(10_00, 100_00, "nobody bets"), BOSS)
    assert floor.bet(2).table.round.minimum_cents == 10_00
    floor.do(c.Leave(), "bob")
    floor.do(c.CloseTable(), BOSS)
    assert floor.accounts["chips:bob"] == 0


# Partners ---------------------------------------------------------------------------------------


def partners(*groups: tuple[int, ...]) -> c.MarkPartners:
    return c.MarkPartners(groups, "they say so")


def test_r27a_partners_stay_within_the_maximum_together():
    floor = seneca().sit("ann", "bob", "cid")
    floor.do(partners((1, 2)), "flo")
    floor.bet(1, ante=60_00)
    refusal = floor.refused(a.Bet(2, {"ante": 50_00}), "bob")
    assert (refusal.code, refusal.clause) == ("bet/partners", "limits, R23, R27a")
    floor.bet(3, ante=100_00)
    floor.bet(2, ante=40_00)
    assert floor.table.round.phase == "playing"


def test_r27a_partners_are_marked_between_rounds_two_or_more_and_each_once():
    floor = seneca().sit("ann", "bob", "cid")
    for groups in (((1,),), ((),), ((1, 4),), ((1, 2), (2, 3)), ((1, 1),)):
        refusal = floor.refused(partners(*groups), "flo")
        assert (refusal.code, refusal.clause) == ("seat/unknown", "limits, R23, R27a")
    floor.do(partners((1, 2)), "flo")
    floor.do(partners(), "flo")
    assert not floor.table.partners
    floor.bet(1)
    assert floor.refused(partners((1, 2)), "flo").code == "table/round-under-way"


def test_r27a_when_one_partner_leaves_the_others_remain_partners():
    floor = seneca().sit("ann", "bob", "cid", "dee")
    floor.do(partners((1, 2, 3)), "flo")
    floor.do(c.Leave(), "bob")
    assert floor.table.partners == ((1, 3),)
    floor.do(c.Sit(2), "bob")
    floor.bet(1, ante=100_00)
    floor.bet(2, ante=100_00)
    assert floor.refused(a.Bet(3, {"ante": 10_00}), "cid").code == "bet/partners"
    floor.do(c.Leave(), "cid")
    assert not floor.table.partners


def test_r27a_a_partner_who_sits_out_does_not_free_the_others():
    floor = seneca().sit("ann", "bob", "cid")
    floor.do(partners((1, 2, 3)), "flo")
    floor.do(c.SitOut(), "cid")
    floor.bet(1, ante=100_00)
    assert floor.refused(a.Bet(2, {"ante": 10_00}), "bob").code == "bet/partners"
    floor.do(c.SitIn(), "cid")
    assert floor.refused(a.Bet(3, {"ante": 10_00}), "cid").code == "bet/partners"
    assert floor.table.round.seats[1].stakes == {"ante": 100_00}


# Bots -------------------------------------------------------------------------------------------


def test_bots_sit_at_practice_tables_only():
    assert Floor(DIAMOND_JO).refused(c.SeatBot(1), BOSS).code == "bot/practice-only"


def test_a_bot_gives_way_to_a_person_between_rounds():
    floor = Floor(DIAMOND_JO, practice=True)
    for seat in range(1, 7):
        floor.do(c.SeatBot(seat), "own")
    assert floor.refused(c.SeatBot(1), "own").code == "seat/taken"
    floor.do(c.Sit(3), "ann")
    assert floor.table.sitters[3].person == "ann"
    floor.bet(3)
    floor.bet(1)
    assert floor.refused(c.Sit(1), "bob").code == "seat/taken", "it has wagers down"
    floor.do(c.Sit(2), "bob")
    floor.bet(2)
    assert floor.chips("bob") == -5_00


def test_bots_do_not_play_alone_when_the_last_person_goes():
    floor = Floor(DIAMOND_JO, practice=True).sit("ann", "bob")
    floor.do(c.SeatBot(3), "own")
    floor.bet(1)
    floor.bet(3)
    floor.do(c.Leave(), "ann")
    assert not floor.table.under_way
    assert floor.lies == 0


# Seats that are freed ---------------------------------------------------------------------------


def test_a_seat_is_freed_between_rounds_and_the_wager_goes_back():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    unit = floor.do(c.FreeSeat(1, "ann", "barred"), "flo")
    assert h.SeatLeft(1, "barred") in unit.events
    assert (floor.chips("ann"), [*floor.table.sitters]) == (0, [2])
    assert floor.refused(c.FreeSeat(1, "ann", "gone"), "flo").code == "seat/none"
    assert floor.refused(c.FreeSeat(99, "ann", "gone"), "flo").code == "seat/none"


def test_a_seat_that_is_freed_in_a_round_plays_it_to_the_end():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    floor.do(c.FreeSeat(1, "ann", "asleep"), "flo")
    assert floor.table.sitters[1].leaving
    for command in (c.SitIn(), c.SitOut(), c.Leave()):
        assert floor.refused(command, "ann").code == "seat/freed"
    assert floor.refused(c.FreeSeat(1, "ann", "again"), "flo").code == "seat/freed"
    assert floor.refused(c.FreeSeat(1, "bob", "another"), "flo").code == "seat/none"
    floor.at = floor.table.until
    floor.strikes()
    assert floor.table.last is not None
    assert floor.table.sitters == {}


def test_nobody_frees_a_seat_in_a_round_that_they_play_in():
    floor = Floor(DIAMOND_JO).sit("ann", "flo")
    floor.bet(2)
    refusal = floor.refused(c.FreeSeat(1, "ann", "slow"), "flo")
    assert refusal.code == "role/takes-part"
    floor.do(c.FreeSeat(1, "ann", "slow"), "fay")


def test_a_barred_person_keeps_nobody_waiting():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.players["bob"] = Player(barred=True)
    floor.bet(1)
    assert floor.table.round.phase == "playing"


def test_why_a_seat_was_freed_is_for_them_and_the_floor():
    event = h.SeatLeft(1, "counts aloud")
    assert [visible(event, seat) for seat in (1, 2, None)] == [
        event,
        h.SeatLeft(1),
        h.SeatLeft(1),
    ]
