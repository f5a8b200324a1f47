"""Tables that a person deals: the script, real cards and their care, the shuffler's lights."""

import datetime

import pytest

from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.views import TableView, table_view
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.rulebook.sign import sign
from tests.helpers import DIAMOND_JO, SENECA
from tests.house.floor import (
    BOSS,
    Floor,
    dealt_by,
    entered,
    new_cards,
    opens_betting,
    with_real_cards,
)

# The dealer and real cards ----------------------------------------------------------------------


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


def test_real_cards_are_entered_one_by_one_and_checked_against_the_script():
    floor = with_real_cards("ann", "bob")
    assert not floor.table.locked
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
    assert why() == ("cards/not-washed", "B.1.d, C.1.e")
    floor.do(c.WashCards(), "dan")
    assert why() == ("cards/not-shuffled", "C.1.f, C.1.g")
    floor.do(c.ShuffleCards(), "dan")
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1)
    assert floor.refused(c.BringCards(("blue",)), "flo").code == "table/round-under-way"
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    floor.day += datetime.timedelta(days=1)
    assert why() == ("cards/new-day", "C.1.b")
    opens_betting(new_cards(floor))


def test_two_colours_with_a_shuffler_and_one_without():
    by_hand = Floor(DIAMOND_JO, dealing="entered")
    shuffled = Floor(DIAMOND_JO, dealing="entered", shuffler=True)
    for floor, wrong, right in (
        (by_hand, ("red", "blue"), ("red",)),
        (shuffled, ("red",), ("red", "blue")),
        (shuffled, ("red", "red"), ("blue", "red")),
        (shuffled, ("red", " Red"), ("blue", "red")),
    ):
        refusal = floor.refused(c.BringCards(wrong), "flo")
        assert (refusal.code, refusal.clause) == ("cards/colours", "C.1.b")
        floor.do(c.BringCards(right), "flo")


def test_a_damaged_card_is_replaced_by_the_right_person_and_recorded():
    floor = new_cards(Floor(DIAMOND_JO, dealing="entered"))
    (card,) = entered("9c")
    refusal = floor.refused(c.ReplaceCard(card, "dealer", "torn"), "dan")
    assert (refusal.code, refusal.clause) == ("role/not-yours", "C.1.d")
    unit = floor.do(c.ReplaceCard(card, "floor-supervisor", "torn"), "flo")
    assert unit.events == [h.CardReplaced(card, "floor-supervisor", "flo", "torn", "red")]
    assert [deck.replaced for deck in floor.table.cards.decks] == [1]


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
    opens_betting(floor, "own")


# The shuffler's lights --------------------------------------------------------------------------


def lit() -> Floor:
    floor = with_real_cards("ann", "bob", shuffler=True)
    floor.bet(1)
    return floor


def test_r47_red_before_any_card_is_out_means_another_shuffle():
    floor = lit()
    unit = floor.do(a.Light("red"), "dan")
    assert unit.events == [e.LightSeen("red", reshuffle=True)]
    floor.bet(2)  # the light is still red when somebody else bets
    floor.do(a.CloseBets(), "dan")
    assert floor.refused(a.Deal(entered("2c")), "dan").code == "deal/red-light"
    refusal = floor.refused(a.CallMisdeal("shuffler", "floor-supervisor"), "flo")
    assert (refusal.code, refusal.clause[:5]) == ("misdeal/no-grounds", "L.1.d")
    floor.do(a.Light("green"), "dan")
    floor.do(a.Deal(entered("2c")), "dan")


def test_r47_the_light_that_was_seen_stays_when_somebody_joins_the_betting():
    floor = lit()
    floor.do(a.Light("red"), "dan")
    floor.do(c.Sit(3), "cid")
    floor.bet(3)
    assert floor.table.round.light == "red"


def test_r47_no_community_card_before_the_green_light():
    floor = lit()
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("2c 9d")), "dan")
    floor.raises(1)
    refusal = floor.refused(a.Deal(entered("Ts")), "dan")
    assert (refusal.code, refusal.clause) == ("deal/no-green-light", "C.1.h, C.1.k, R14, R47")
    floor.do(a.Light("green"), "dan")
    floor.do(a.Deal(entered("Ts")), "dan")


@pytest.mark.parametrize("stands", [True, False])
def test_r47_red_after_cards_are_out_is_called_or_let_stand(stands):
    floor = lit()
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("2c 9d")), "dan")
    floor.do(a.Light("red"), "dan")
    floor.raises(1)
    assert floor.refused(a.Deal(entered("Ts")), "dan").code == "deal/red-light"
    assert floor.refused(a.Light("green"), "dan").code == "light/grounds"
    assert floor.refused(a.LetStand("shuffler", "dealer"), "dan").code == "role/takes-part"
    if stands:
        unit = floor.do(a.LetStand("shuffler", "floor-supervisor"), "flo")
        assert unit.events == [e.IrregularityStood("shuffler", "floor-supervisor", "flo")]
        floor.do(a.Light("green"), "dan")
        floor.do(a.Deal(entered("Ts")), "dan")
    else:
        floor.do(a.CallMisdeal("shuffler", "floor-supervisor"), "flo")
        assert floor.chips("ann") == 0


# What a dealer is told --------------------------------------------------------------------------


def seen(floor: Floor, who: str = "dan") -> TableView:
    return table_view(LoadedTable(floor.book, floor.table, 1, ""), who, floor.at)


def test_a_dealer_is_told_where_the_next_cards_go():
    floor = with_real_cards("ann", "bob")
    floor.bet(1)
    floor.bet(2)
    assert seen(floor).deals == ()
    floor.do(a.CloseBets(), "dan")
    assert seen(floor).deals == ("1", "1", "2", "2")
    floor.do(a.Deal(entered("As")), "dan")
    assert seen(floor).deals == ("1", "2", "2")
    floor.do(a.Deal(entered("Kd 7h 2c")), "dan")
    assert seen(floor).deals == (), "the players decide"
    floor.raises(1, 2)
    assert seen(floor).deals == ("board",)


def test_everybody_sees_what_is_posted_and_on_record():
    floor = with_real_cards("ann", "bob")
    view = seen(floor, "ann")
    assert view.cards is not None
    assert [(deck.colour, deck.washed) for deck in view.cards.decks] == [("red", True)]
    assert view.cards.shuffled
    assert view.cap_cents == sign(floor.book, 5_00, 100_00, {}).cap_cents
    automatic = Floor(DIAMOND_JO, minimum_cents=10_00).sit("ann", "bob")
    automatic.do(c.MarkPartners(((1, 2),), "brothers"), "flo")
    view = seen(automatic, "ann")
    assert (view.cards, view.partners, view.betting_seconds) == (None, ((1, 2),), 20)
    assert view.cap_cents == sign(automatic.book, 10_00, 100_00, {}).cap_cents
