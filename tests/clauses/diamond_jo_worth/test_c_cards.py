"""C.1.a to C.1.h: the deck, its care, the shuffler and the first two cards."""

import datetime
import random
from itertools import permutations
from typing import Any

import pytest

from pitboss.cards import DECK, cards, shuffled
from pitboss.house.table import commands as c
from pitboss.round import Round, actions, events
from tests.helpers import DIAMOND_JO, opened, refused, stacked, started
from tests.house.floor import BOSS, Floor, new_cards, with_real_cards

SUPERVISOR_OR_ABOVE = (
    "floor-supervisor",
    "shift-manager",
    "director-of-table-games",
    "general-manager",
)
STACKED = stacked("Jh Jd", "As Ks", "2c 7d Ts")


def test_c_1_a__a_round_is_played_with_one_deck_of_52():
    assert DIAMOND_JO.deck.clause == "C.1.a"
    assert len(set(DECK)) == 52
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}, 2: {"ante": 5_00}}, maximum=100_00)
    game.do(actions.CloseBets())
    game.do(actions.Deal(cards("Jh Jd")))
    assert refused(game, actions.Deal(cards("Jh As"))).code == "deal/card-twice"


def test_c_1_b__new_cards_each_gaming_day_and_two_colours_with_a_shuffler():
    deck = DIAMOND_JO.deck
    assert (deck.new_each, deck.clauses["new_each"]) == ("gaming-day", "C.1.b")
    assert (deck.colours_by_hand, deck.colours_with_shuffler) == (1, 2)


def inspects(*roles):
    """Whether people with these roles make up the inspection."""
    rule = DIAMOND_JO.deck.inspection
    assert rule is not None
    assert len(rule.one_of_each) == rule.people
    return len(roles) == rule.people and any(
        all(role in group for role, group in zip(order, rule.one_of_each, strict=True))
        for order in permutations(roles)
    )


@pytest.mark.parametrize("above", SUPERVISOR_OR_ABOVE)
def test_c_1_c__a_dealer_and_a_supervisor_or_above_inspect_new_cards(above):
    assert inspects("dealer", above)
    assert inspects(above, "dealer")


@pytest.mark.parametrize(
    "roles",
    [
        ("dealer", "dealer"),
        ("dealer",),
        ("floor-supervisor", "shift-manager"),
        ("dealer", "surveillance"),
    ],
    ids="-".join,
)
def test_c_1_c__two_dealers_or_anyone_else_do_not_inspect(roles):
    assert not inspects(*roles)


def test_c_1_c__new_cards_are_spread_face_up_and_both_sides_checked():
    [reminder] = [each for each in DIAMOND_JO.procedure if each.clause == "C.1.c"]
    assert reminder.when == "new-cards"
    for word in ("left to right", "face up", "count", "faces and backs", "flaws"):
        assert word in reminder.says


def test_c_1_d__a_supervisor_or_higher_fetches_replacement_cards():
    assert DIAMOND_JO.deck.replaced_by == SUPERVISOR_OR_ABOVE
    assert DIAMOND_JO.deck.clauses["replaced_by"] == "C.1.d"


def test_c_1_e__new_cards_are_washed():
    assert DIAMOND_JO.deck.wash is True
    assert "C.1.e" in DIAMOND_JO.deck.clauses["wash"].split()


def test_c_1_f__after_the_wash_the_whole_deck_is_shuffled_at_random():
    assert "C.1.f" in DIAMOND_JO.deck.clauses["shuffle"].split()
    one, other = (shuffled(random.Random(seed)) for seed in (1, 2))
    assert sorted(one) == sorted(other) == list(DECK)
    assert len({one, other, DECK}) == 3


def test_c_1_g__the_deck_is_shuffled_after_each_round():
    assert DIAMOND_JO.deck.shuffle
    assert "C.1.g" in DIAMOND_JO.deck.clauses["shuffle"].split()
    first = started(DIAMOND_JO, {1: {"ante": 5_00}}, STACKED, maximum=100_00)
    again = started(DIAMOND_JO, {1: {"ante": 5_00}}, STACKED, maximum=100_00)
    assert first.state.seats[1].cards == again.state.seats[1].cards  # all 52 are there again


def live(**opening: Any) -> Floor:
    """A table at which Dan deals real cards, before any were brought."""
    floor = Floor(DIAMOND_JO, dealing="entered", **opening).sit("ann")
    floor.do(c.StartDealing(), "dan")
    return floor


def stopped(floor: Floor) -> tuple[str, str]:
    """Why no betting is opened, and by which clause."""
    refusal = floor.refused(c.OpenBetting(), "dan")
    return refusal.code, refusal.clause


@pytest.mark.parametrize("shuffler", [False, True])
def test_c_1_b__no_betting_without_the_days_cards_in_the_right_number(shuffler):
    floor = live(shuffler=shuffler)
    assert stopped(floor) == ("cards/new-day", "C.1.b")
    wrong = c.BringCards(("red",) if shuffler else ("red", "blue"))
    assert floor.refused(wrong, "flo").clause == "C.1.b"
    new_cards(floor)
    floor.day += datetime.timedelta(days=1)
    assert stopped(floor) == ("cards/new-day", "C.1.b")


def test_c_1_c__every_new_deck_is_found_in_order_by_both_or_not_used():
    floor = live(shuffler=True)
    floor.do(c.BringCards(("red", "blue")), "flo")
    floor.do(c.InspectCards("dealer"), "dan")
    floor.do(c.InspectCards("floor-supervisor", "red"), "flo")
    assert stopped(floor) == ("cards/not-inspected", "C.1.c")
    floor.do(c.InspectCards("floor-supervisor", "blue", "flawed"), "flo")
    assert stopped(floor) == ("cards/faulty", "C.1.c")


def test_c_1_d__a_dealer_does_not_fetch_the_card_and_the_deck_is_looked_at_again():
    floor = new_cards(live())
    (card,) = cards("9c")
    assert floor.refused(c.ReplaceCard(card, "dealer", "torn"), "dan").clause == "C.1.d"
    floor.do(c.ReplaceCard(card, "floor-supervisor", "torn"), "flo")
    assert stopped(floor) == ("cards/not-inspected", "C.1.c")


def test_c_1_e__a_wash_comes_after_the_inspection_and_before_the_first_shuffle():
    floor = live()
    floor.do(c.BringCards(("red",)), "flo")
    assert floor.refused(c.WashCards(), "dan").code == "cards/not-inspected"
    floor.do(c.InspectCards("dealer"), "dan")
    floor.do(c.InspectCards("floor-supervisor"), "flo")
    refusal = floor.refused(c.ShuffleCards(), "dan")
    assert (refusal.code, refusal.clause) == ("cards/not-washed", "B.1.d, C.1.e")


def test_c_1_f__washed_cards_are_shuffled_before_the_first_bet():
    assert stopped(new_cards(live())) == ("cards/not-shuffled", "C.1.f, C.1.g")


def test_c_1_g__real_cards_are_shuffled_after_each_round_before_the_next():
    floor = with_real_cards("ann")
    floor.bet(1)
    floor.do(actions.CallMisdeal("other", "shift-manager"), BOSS)
    assert stopped(floor) == ("cards/not-shuffled", "C.1.f, C.1.g")


def test_c_1_h__no_table_opens_with_a_shuffler_whose_approval_nobody_names():
    opens = c.OpenTable(DIAMOND_JO.id, dealing="entered", shuffler=True, shuffler_device="Model 2")
    refusal = Floor(DIAMOND_JO, opened=False).refused(opens, BOSS)
    assert (refusal.code, refusal.clause) == ("table/shuffler-unnamed", "C.1.h")


def test_c_1_h__two_cards_each_from_left_to_right():
    deck = stacked("2c 3c", "4c 5c", "6c 7c")
    game = started(DIAMOND_JO, {seat: {"ante": 5_00} for seat in (5, 1, 3)}, deck, maximum=100_00)
    assert [each for each in game.events if isinstance(each, events.CardsDealt)] == [
        events.CardsDealt("seats", 1, cards("2c 3c")),
        events.CardsDealt("seats", 3, cards("4c 5c")),
        events.CardsDealt("seats", 5, cards("6c 7c")),
    ]


def with_shuffler() -> Round:
    """Two seats with their antes down, and a shuffler at work."""
    bets = {1: {"ante": 5_00}, 2: {"ante": 5_00}}
    return opened(DIAMOND_JO, bets, maximum=100_00, shuffler=True)


def raised_with_shuffler() -> Round:
    """The same, dealt and raised: the first community card comes next."""
    game = with_shuffler()
    game.do(actions.CloseBets())
    game.do(actions.Deal(STACKED[:4]))
    game.do(actions.Raise(1, 1))
    game.do(actions.Raise(2, 1))
    return game


def test_c_1_h__with_a_shuffler_community_cards_wait_for_the_green_light():
    game = raised_with_shuffler()
    waits = refused(game, actions.Deal(STACKED[4:5]))
    assert waits.code == "deal/no-green-light"
    assert "C.1.h" in waits.clause
    game.do(actions.Light("green"))
    game.do(actions.Deal(STACKED[4:5]))
    assert game.state.piles["board"] == cards("2c")


def test_c_1_h__players_get_and_look_at_their_cards_before_the_green_light():
    game = with_shuffler()
    game.do(actions.CloseBets())
    game.do(actions.Deal(STACKED[:4]))
    assert game.view(2).seats[2].cards == cards("As Ks")


def test_c_1_h__by_hand_there_is_no_light_to_wait_for():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, STACKED, maximum=100_00)
    assert refused(game, actions.Light("green")).code == "light/no-shuffler"
    game.do(actions.Raise(1, 1))
    game.do(actions.Deal(STACKED[2:3]))
    assert game.state.piles["board"] == cards("As")


def test_c_1_h__red_before_any_card_is_out_means_another_shuffle():
    game = with_shuffler()
    assert game.do(actions.Light("red")) == (events.LightSeen("red", reshuffle=True),)
    game.do(actions.CloseBets())
    assert refused(game, actions.Deal(STACKED[:4])).code == "deal/red-light"
    game.do(actions.Light("green"))
    game.do(actions.Deal(STACKED[:4]))
    assert game.state.seats[1].cards == cards("Jh Jd")


def test_c_1_h__red_after_cards_are_out_stops_the_deal_and_is_no_reshuffle():
    game = raised_with_shuffler()
    assert game.do(actions.Light("red")) == (events.LightSeen("red", reshuffle=False),)
    assert refused(game, actions.Deal(STACKED[4:5])).code == "deal/red-light"
