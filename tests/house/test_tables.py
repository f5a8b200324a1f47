"""Tables as a casino runs them: people, limits, dealers, cards, irregularities, money."""

import datetime
from typing import Any

import pytest

from pitboss.house import commands as c
from pitboss.house import events as h
from pitboss.house.ledger import held
from pitboss.house.procedure import FLOAT_CENTS
from pitboss.house.table import Table
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.round import events as e
from pitboss.settle import Player
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, SENECA
from tests.house.floor import Floor, entered, happened
from tests.small_books import TAKE_BACK

BOSS = "max"
"""The shift manager."""


def seneca(**opening: Any) -> Floor:
    return Floor(SENECA, minimum_cents=10_00, maximum_cents=100_00, **opening)


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
        number=1,
    )
    assert floor.refused(c.Sit(1), "ann").code == "table/closed"
    assert floor.bank == 0
    floor.do(c.OpenTable(DIAMOND_JO.id, "t", 10_00), BOSS)
    assert (floor.table.minimum_cents, floor.table.number) == (10_00, 2)


def test_lights_need_a_shuffler_and_somebody_to_see_them():
    shuffler: dict[str, Any] = {"shuffler": True, "dealing": "dealer"}
    refusal = Floor(SENECA, opened=False).refused(c.OpenTable(SENECA.id, **shuffler), BOSS)
    assert refusal.code == "light/no-shuffler"
    refusal = Floor(DIAMOND_JO, opened=False).refused(
        c.OpenTable(DIAMOND_JO.id, shuffler=True), BOSS
    )
    assert (refusal.code, refusal.clause) == ("table/no-lights", "C.1.h")


def test_r34a_the_shift_manager_changes_limits_between_rounds_and_the_cap_follows():
    floor = Floor(DIAMOND_JO).sit("ann")
    change = c.ChangeLimits(15_00, 100_00, "a quiet evening")
    refusal = floor.refused(change, "flo")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "H.1 R34a")
    assert floor.refused(change, "gus").code == "role/not-yours"  # the document names one role
    assert floor.refused(c.ChangeLimits(16_00, 100_00, "?"), BOSS).code == "limits/out-of-range"
    floor.bet(1)
    refusal = floor.refused(change, BOSS)
    assert (refusal.code, refusal.clause) == ("table/round-under-way", "H.1 R34a")
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
    deed = floor.do(c.OpenTable(SENECA.id, "t", 10_00, 100_00), BOSS)
    assert not happened(deed, h.MeterSeeded)
    floor.sit("ann").bet(1, ante=10_00, progressive=1_00)
    assert floor.table.meter_cents == 10_001_40


def test_a_table_without_a_jackpot_may_be_opened_for_one():
    floor = Floor(DIAMOND_JO)
    floor.do(c.CloseTable(), BOSS)
    floor.book = SENECA
    floor.do(c.OpenTable(SENECA.id, "t"), BOSS)
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
    deed = floor.bet(4, ante=30_00)
    assert [type(event) for event in deed.events] == [
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
    floor.do(c.Leave(), "ann")
    assert floor.chips("ann") == -5_00
    assert floor.table.sitters[1].leaving
    floor.do(c.Tick(), "clock")
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


# The dealer and real cards ----------------------------------------------------------------------


def dealt_by(book: Any = DIAMOND_JO, **opening: Any) -> Floor:
    floor = Floor(book, dealing="dealer", **opening)
    floor.do(c.StartDealing(), "dan")
    return floor


def test_a_dealer_works_the_steps_of_the_script():
    floor = dealt_by().deck("As Kd 7h 7c 7d").sit("ann")
    assert floor.refused(a.Bet(1, {"ante": 5_00}), "ann").code == "bet/not-open"
    floor.do(c.OpenBetting(), "dan")
    assert floor.refused(c.OpenBetting(), "dan").code == "bet/open"
    floor.bet(1)
    assert floor.table.until == 0, "the dealer closes the bets, not a clock"
    for command in (a.CloseBets(), a.Deal(()), a.Turn(), a.Pay(), a.Light("red"), c.OpenBetting()):
        assert floor.refused(command, "eve").code == "dealer/not-you"
    assert floor.refused(a.Deal(()), "dan").code == "deal/not-now"
    floor.do(a.CloseBets(), "dan")
    assert floor.refused(a.Turn(), "dan").code == "turn/not-now"
    assert floor.refused(a.Deal(entered("As Kd")), "dan").code == "deal/not-entered"
    floor.do(a.Deal(()), "dan")
    for _ in range(3):
        assert floor.table.until
        assert floor.refused(a.Deal(()), "dan").code == "deal/not-now"
        floor.raises(1, times=1)
        floor.do(a.Deal(()), "dan")
    assert floor.refused(a.Pay(), "dan").code == "pay/not-now"
    floor.do(a.Turn(), "dan")
    floor.do(a.Pay(), "dan")
    assert floor.chips("ann") == 60_00  # three of a kind pays 3 to 1 on 20.00
    assert not floor.table.betting, "the dealer opens the next round"


def test_nobody_deals_to_themselves():
    floor = dealt_by().sit("ann", "eve")
    assert floor.refused(c.StartDealing(), "eve").code == "dealer/seated"
    assert floor.refused(c.Sit(3), "dan").code == "dealer/seated"
    floor.do(c.StopDealing(), "dan")
    floor.do(c.Sit(3), "dan")


def test_an_automatic_table_needs_no_dealer():
    floor = Floor(DIAMOND_JO)
    for command in (c.StartDealing(), c.StopDealing(), c.OpenBetting(), a.CloseBets(), a.Deal(())):
        assert floor.refused(command, "dan").code == "dealer/automatic"


def new_cards(floor: Floor) -> Floor:
    floor.do(c.BringCards(("red",)), "flo")
    floor.do(c.InspectCards("dealer"), "dan")
    floor.do(c.InspectCards("floor-supervisor"), "flo")
    floor.do(c.WashCards(), "dan")
    return floor


def with_real_cards(*people: str) -> Floor:
    floor = new_cards(Floor(DIAMOND_JO, dealing="entered")).sit(*people)
    floor.do(c.StartDealing(), "dan")
    floor.do(c.OpenBetting(), "dan")
    return floor


def test_real_cards_are_entered_one_by_one_and_checked_against_the_script():
    floor = with_real_cards("ann", "bob")
    assert floor.table.deck is None
    floor.do(a.Bet(1, {"ante": 5_00}), "dan")  # the dealer enters what lies on the layout
    floor.bet(2)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As")), "dan")
    refusal = floor.refused(a.Deal(entered("As")), "dan")
    assert refusal.code == "deal/card-twice"
    assert floor.refused(a.Deal(entered("2c 3c 4c 5c")), "dan").code == "deal/wrong-count"
    floor.do(a.Deal(entered("10h")), "dan")
    floor.do(a.Deal((None, None)), "dan")  # Bob's cards lie face down, unread
    assert [len(seat.cards) for seat in floor.table.round.seats.values()] == [2, 2]
    for card in ("Ac", "Ad", "2s"):
        floor.do(a.Raise(1, 1), "dan")
        floor.do(a.Raise(2, 1), "bob")
        assert floor.refused(a.Deal(entered("10h")), "dan").code == "deal/card-twice"
        assert floor.refused(a.Deal((None,)), "dan").code == "deal/unread"
        floor.do(a.Deal(entered(card)), "dan")
    assert floor.refused(a.Turn(), "dan").code == "turn/wrong-count"
    assert floor.refused(a.Turn(entered("As Kd")), "dan").code == "deal/card-twice"
    floor.do(a.Turn(entered("Ks Kd")), "dan")
    floor.do(a.Pay(), "dan")
    assert (floor.chips("ann"), floor.chips("bob")) == (60_00, 40_00)


def test_new_cards_come_each_gaming_day_and_two_people_look_through_them():
    floor = Floor(DIAMOND_JO, dealing="entered").sit("ann")
    floor.do(c.StartDealing(), "dan")

    def why() -> tuple[str, str]:
        refusal = floor.refused(c.OpenBetting(), "dan")
        return refusal.code, refusal.clause

    assert why() == ("cards/new-day", "C.1.b")
    for command in (c.InspectCards("dealer"), c.WashCards()):
        assert floor.refused(command, "dan").code == "cards/none", "no cards are here yet"
    floor.do(c.BringCards(("red",)), "flo")
    assert why() == ("cards/not-inspected", "C.1.c")
    floor.do(c.InspectCards("floor-supervisor"), "eve")
    assert floor.refused(c.InspectCards("dealer"), "eve").code == "cards/inspected-twice"
    floor.do(c.InspectCards("floor-supervisor"), "flo")
    assert why() == ("cards/not-inspected", "C.1.c")  # two of one group are not one of each
    assert floor.refused(c.InspectCards("surveillance"), "sue").code == "role/not-yours"
    assert floor.refused(c.InspectCards("dealer"), "max").code == "role/not-yours"
    floor.do(c.InspectCards("dealer"), "dan")
    assert why() == ("cards/not-washed", "B.1.d C.1.e C.1.f")
    floor.do(c.WashCards(), "dan")
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1)
    assert floor.refused(c.BringCards(("blue",)), "flo").code == "table/round-under-way"
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    floor.day += datetime.timedelta(days=1)
    assert why() == ("cards/new-day", "C.1.b")
    new_cards(floor).do(c.OpenBetting(), "dan")


def test_two_colours_with_a_shuffler_and_one_without():
    by_hand = Floor(DIAMOND_JO, dealing="entered")
    shuffled = Floor(DIAMOND_JO, dealing="entered", shuffler=True)
    for floor, wrong, right in (
        (by_hand, ("red", "blue"), ("red",)),
        (shuffled, ("red",), ("red", "blue")),
        (shuffled, ("red", "red"), ("blue", "red")),
    ):
        refusal = floor.refused(c.BringCards(wrong), "flo")
        assert (refusal.code, refusal.clause) == ("cards/colours", "C.1.b")
        floor.do(c.BringCards(right), "flo")


def test_a_damaged_card_is_replaced_by_the_right_person_and_recorded():
    floor = new_cards(Floor(DIAMOND_JO, dealing="entered"))
    (card,) = entered("9c")
    refusal = floor.refused(c.ReplaceCard(card, "dealer", "torn"), "dan")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "C.1.d")
    deed = floor.do(c.ReplaceCard(card, "floor-supervisor", "torn"), "flo")
    assert deed.events == [h.CardReplaced(card, "floor-supervisor", "flo", "torn")]
    assert floor.table.cards.replaced == 1


def test_a_house_that_asks_nobody_to_look_says_so():
    floor = Floor(SENECA, dealing="entered")
    floor.do(c.BringCards(("red",)), "flo")
    assert floor.refused(c.InspectCards("dealer"), "dan").code == "cards/no-inspection"
    (card,) = entered("9c")
    assert "nobody" in floor.refused(c.ReplaceCard(card, "dealer", "torn"), "dan").message


def test_no_real_cards_where_none_are_used():
    floor = Floor(DIAMOND_JO)
    for command in (c.BringCards(("red",)), c.InspectCards("floor-supervisor"), c.WashCards()):
        assert floor.refused(command, "flo").code == "cards/none"


def test_a_trainee_with_real_cards_stands_for_both_who_look():
    floor = Floor(DIAMOND_JO, dealing="entered", practice=True)
    floor.do(c.BringCards(("red",)), "own")
    floor.do(c.InspectCards("dealer"), "own")
    floor.do(c.InspectCards("floor-supervisor"), "own")
    floor.do(c.WashCards(), "own")
    floor.do(c.StartDealing(), "own")
    floor.do(c.OpenBetting(), "own")


# The shuffler's lights --------------------------------------------------------------------------


def lit() -> Floor:
    floor = dealt_by(shuffler=True).sit("ann", "bob")
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1)
    return floor


def test_r47_red_before_any_card_is_out_means_another_shuffle():
    floor = lit()
    before = floor.table
    deed = floor.do(a.Light("red"), "dan")
    seen, sealed = deed.events
    assert seen == e.LightSeen("red", reshuffle=True)
    assert isinstance(sealed, h.DeckSealed)
    assert sealed.round == before.number
    assert sealed.commitment != before.commitment
    assert floor.table.begun == before.begun  # the round's story goes on
    floor.bet(2)  # the light is still red when somebody else bets
    floor.do(a.CloseBets(), "dan")
    assert floor.refused(a.Deal(()), "dan").code == "deal/red-light"
    refusal = floor.refused(a.CallMisdeal("shuffler", "floor-supervisor"), "flo")
    assert (refusal.code, refusal.clause[:5]) == ("misdeal/no-grounds", "L.1.d")
    floor.do(a.Light("green"), "dan")
    floor.do(a.Deal(()), "dan")


def test_r47_the_light_that_was_seen_stays_when_somebody_joins_the_betting():
    floor = lit()
    floor.do(a.Light("red"), "dan")
    floor.do(c.Sit(3), "cid")
    floor.bet(3)
    assert floor.table.round.light == "red"


def test_r47_no_community_card_before_the_green_light():
    floor = lit()
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(()), "dan")
    floor.raises(1)
    refusal = floor.refused(a.Deal(()), "dan")
    assert (refusal.code, refusal.clause) == ("deal/no-green-light", "C.1.h, C.1.k, R14, R47")
    floor.do(a.Light("green"), "dan")
    floor.do(a.Deal(()), "dan")


@pytest.mark.parametrize("stands", [True, False])
def test_r47_red_after_cards_are_out_is_called_or_let_stand(stands):
    floor = lit()
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(()), "dan")
    floor.do(a.Light("red"), "dan")
    floor.raises(1)
    assert floor.refused(a.Deal(()), "dan").code == "deal/red-light"
    assert floor.refused(a.Light("green"), "dan").code == "light/grounds"
    assert floor.refused(a.LetStand("shuffler", "dealer"), "dan").code == "role/takes-part"
    if stands:
        deed = floor.do(a.LetStand("shuffler", "floor-supervisor"), "flo")
        assert deed.events == [e.IrregularityStood("shuffler", "floor-supervisor", "flo")]
        floor.do(a.Light("green"), "dan")
        floor.do(a.Deal(()), "dan")
    else:
        floor.do(a.CallMisdeal("shuffler", "floor-supervisor"), "flo")
        assert floor.chips("ann") == 0


# Misdeals, dead hands, late wagers --------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "who", "role", "may"),
    [
        ("information", "flo", "floor-supervisor", True),
        ("information", "max", "shift-manager", True),
        ("integrity", "flo", "floor-supervisor", False),
        ("integrity", "max", "shift-manager", True),
        ("other", "gus", "general-manager", False),
        ("information", "dan", "dealer", False),
        ("information", "sue", "surveillance", False),
    ],
)
def test_r41_who_calls_a_misdeal(cause, who, role, may):
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    call = a.CallMisdeal(cause, role)
    if may:
        deed = floor.do(call, who)
        assert deed.events[0] == e.MisdealCalled(cause, role, who)
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
    deed = floor.do(a.CallMisdeal("information", "floor-supervisor", person="max"), "flo")
    assert deed.events[0] == e.MisdealCalled("information", "floor-supervisor", "flo")


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
    deed = floor.do(a.LetStand("exposed-card", "floor-supervisor"), "flo")
    assert deed.events == [e.IrregularityStood("exposed-card", "floor-supervisor", "flo")]
    assert floor.table.round.phase == "playing"


def test_r43_a_misdeal_gives_everything_back_folded_hands_side_wagers_and_tokes_too():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1, ante=10_00, lo_ball=5_00, toke=1_00)
    floor.bet(2, ante=10_00, board_bonus=5_00)
    floor.folds(2)
    floor.raises(1)
    floor.do(a.CallMisdeal("exposed-card", "floor-supervisor"), "flo")
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
    floor.do(a.CallMisdeal("dealer-count", "floor-supervisor"), "flo")
    assert (floor.chips("ann"), floor.pool, floor.bank) == (0, 10_000_70, FLOAT_CENTS - 70)


def test_no_misdeal_where_no_round_is_under_way():
    floor = Floor(DIAMOND_JO).sit("ann")
    for action in (a.CallMisdeal("other", "shift-manager"), a.LetStand("other", "shift-manager")):
        refusal = floor.refused(action, BOSS)
        assert (refusal.code, refusal.clause[:3]) == ("misdeal/not-now", "L.2")


@pytest.mark.parametrize(("cause", "back"), [("count", True), ("information", False)])
def test_r44_r45_a_dead_hand_gets_its_money_back_or_forfeits_it(cause, back):
    floor = seneca().sit("ann", "bob")
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
    floor.do(a.KillHand(2, "count", "floor-supervisor"), "flo")
    assert floor.table.last is not None
    assert floor.table.last.round == 1
    assert floor.table.until == 0


def test_r34_an_out_of_limit_wager_that_is_found_late_stands_and_is_paid_for():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    refusal = floor.refused(a.AcceptLate(1, "ante", 150_00, "dealer"), "dan")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "R34")
    assert floor.refused(a.AcceptLate(1, "ante", 50_00, "floor-supervisor"), "flo").code == (
        "late/within-limits"
    )
    deed = floor.do(a.AcceptLate(1, "ante", 150_00, "floor-supervisor"), "flo")
    assert deed.events == [e.LateWagerAccepted(1, "ante", 150_00, "floor-supervisor", "flo")]
    assert floor.chips("ann") == -150_00
    floor.do(a.AcceptLate(1, "ante", 2_00, "floor-supervisor"), "flo")
    assert floor.chips("ann") == -2_00
    floor.folds(1)


def test_r46_once_it_is_paid_nothing_is_undone():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    floor.folds(1)
    for action, code in (
        (a.CallMisdeal("other", "shift-manager"), "misdeal/not-now"),
        (a.AcceptLate(1, "ante", 150_00, "shift-manager"), "late/not-now"),
    ):
        assert floor.refused(action, BOSS).code == code


# Rounds that end early, and another kind of game ------------------------------------------------


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_r20a_when_everybody_folds_nothing_more_is_turned(book):
    floor = Floor(book).sit("ann", "bob")
    floor.bet(1)
    deed = floor.bet(2)
    floor.folds(1)
    deed = floor.do(a.Fold(2, confirmed=True), "bob")
    assert not happened(deed, e.CardsTurned)
    assert not happened(deed, e.HandShown)
    assert floor.table.number == 2
    assert floor.chips("ann") == -floor.table.minimum_cents


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_r21_when_nobody_answers_everybody_folds_at_the_shown_moment(book):
    floor = Floor(book, decision_seconds=7).sit("ann", "bob", "cid")
    for seat in (1, 2, 3):
        floor.bet(seat)
    assert floor.table.until == floor.at + 7_000
    floor.at = floor.table.until - 1
    assert floor.refused(c.Tick(), "clock").code == "clock/not-yet"
    floor.at = floor.table.until
    refusal = floor.refused(a.Raise(1, 1), "ann")
    assert (refusal.code, refusal.clause) == ("clock/ran-out", "R21")
    deed = floor.do(c.Tick(), "clock")
    folds = happened(deed, e.Folded)
    assert [(each.seat, each.timed_out) for each in folds] == [(1, True), (2, True), (3, True)]
    assert floor.table.number == 2


def test_r21_a_decision_one_millisecond_before_the_end_counts():
    floor = Floor(DIAMOND_JO).sit("ann", "bob")
    floor.bet(1)
    floor.bet(2)
    floor.at = floor.table.until - 1
    floor.raises(1)
    floor.at += 1
    deed = floor.do(c.Tick(), "clock")
    assert [each.seat for each in happened(deed, e.Folded)] == [2]
    assert floor.table.until == floor.at + 30_000, "the next street has a clock of its own"


def test_the_betting_window_ends_at_the_shown_moment():
    floor = Floor(DIAMOND_JO, betting_seconds=9).sit("ann", "bob")
    assert floor.table.until == 0, "no clock runs before the first bet"
    floor.bet(1)
    assert floor.table.until == floor.at + 9_000
    floor.at = floor.table.until
    assert floor.refused(a.Bet(2, {"ante": 5_00}), "bob").code == "clock/ran-out"
    floor.do(c.Tick(), "clock")
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
        floor.do(c.Tick(), "clock")
        assert floor.table.last is not None or (-floor.chips("ann"), -floor.chips("bob")) == back
    assert floor.table.number == 2


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
    assert (refusal.code, refusal.clause) == ("approval/not-needed", "R31")
    assert floor.refused(approve("floor-supervisor"), "flo").code == "approval/not-needed"
    assert floor.table.round.phase == "settling"
    deed = floor.do(approve("surveillance"), "sue")
    assert happened(deed, h.RoundPaid)
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


def settling_by_hand() -> Floor:
    """Dan deals four aces to Ann; the table waits for approvals."""
    floor = dealt_by().deck(QUADS).sit("ann")
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
    floor = big_win(_opened("As Ad Ac 7h 7d"), 11_00)
    floor.do(approve("floor-supervisor"), "flo")
    deed = floor.do(a.AcceptLate(1, "ante", 150_00, "floor-supervisor"), "fay")
    (again,) = happened(deed, h.PayoffAnnounced)
    assert again.won_cents == (150_00 + 99_00) * 10
    assert floor.table.approved == ()
    floor.do(approve("floor-supervisor"), "flo")
    floor.do(approve("surveillance"), "sue")
    assert floor.chips("ann") == again.won_cents


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
    return floor


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
    floor.do(c.OpenTable(SENECA.id), BOSS)
    floor.sit("ann").bet(1, ante=5_00, progressive=1_00)
    assert floor.refused(a.Fold(1), "ann").code == "fold/confirm"
    floor.folds(1)
    assert floor.chips("ann") == -6_00


def test_the_cage_brings_more_when_the_bank_cannot_pay():
    floor = Floor(SENECA, opened=False).deck("As Ad 4c 6d 8h", "2c 3d 5h 7s 9c")
    floor.do(c.OpenTable(SENECA.id), BOSS)
    floor.sit("ann").bet(1, ante=60_000_00)
    deed = floor.do(a.Raise(1, 2), "ann")
    assert happened(deed, h.BankFilled) == [h.BankFilled(FLOAT_CENTS)]
    assert (floor.chips("ann"), floor.bank) == (60_000_00, 2 * FLOAT_CENTS - 60_000_00)


# People whom the house bars ---------------------------------------------------------------------


def test_r51_who_is_barred_bets_no_more_and_what_they_win_is_held():
    floor = _opened("As Ad 2c 7h 9d").sit("ann")
    floor.bet(1)
    floor.players["ann"] = Player(barred=True)
    floor.pays_everybody_who_stays(1)
    assert floor.chips("ann") == 0, "the stake came back"
    assert floor.accounts[held("ann", practice=False)] == 50_00
    refusal = floor.refused(a.Bet(1, {"ante": 5_00}), "ann")
    assert (refusal.code, refusal.clause) == ("person/barred", "R51")
    floor.do(c.Leave(), "ann")


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
