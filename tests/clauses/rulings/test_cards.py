"""Rulings 58 and 59: the care of real cards from their coming to their going, and the shuffler."""

import datetime
import random
from typing import Any

import pytest

from pitboss.audit.card_checks import CardChecks
from pitboss.errors import Refused
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.round import actions as a
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, SENECA
from tests.house.any_command import anything
from tests.house.floor import (
    BOSS,
    SHUFFLER,
    Floor,
    entered,
    new_cards,
    opens_betting,
    with_real_cards,
)

(ACE,) = entered("As")
TOMORROW = datetime.timedelta(days=1)


def bare(**opening: Any) -> Floor:
    """A table for real cards, with a dealer and without cards."""
    floor = Floor(DIAMOND_JO, dealing="entered", **opening).sit("ann")
    floor.do(c.StartDealing(), "dan")
    return floor


def looked(floor: Floor, colour: str = "") -> Floor:
    floor.do(c.InspectCards("dealer", colour), "dan")
    floor.do(c.InspectCards("floor-supervisor", colour), "flo")
    return floor


def why(floor: Floor) -> str:
    """Why no betting is opened."""
    return floor.refused(c.OpenBetting(), "dan").code


def tag(command: Any) -> str:
    return str(command.__struct_config__.tag)


def no_round(floor: Floor) -> Floor:
    """A round comes to its end."""
    floor.bet(1)
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    return floor


# When cards are handled -------------------------------------------------------------------------

HANDLING = (
    (c.BringCards(("blue",)), "flo"),
    (c.InspectCards("floor-supervisor", found="flawed"), "flo"),
    (c.WashCards(), "dan"),
    (c.ShuffleCards(), "dan"),
    (c.ReplaceCard(ACE, "floor-supervisor", "torn"), "flo"),
    (c.RetireCards("sticky"), "flo"),
    (c.ChangeShuffler(True, "a new one", **SHUFFLER), "flo"),
)


@pytest.mark.parametrize(
    ("command", "who"), HANDLING, ids=lambda each: each if isinstance(each, str) else tag(each)
)
def test_w5_r58__no_cards_are_handled_while_betting_is_open_or_a_round_runs(command, who):
    floor = with_real_cards("ann")
    record = floor.table.cards
    assert floor.refused(command, who).code == "cards/betting-open"
    floor.bet(1)
    assert floor.refused(command, who).code == "table/round-under-way"
    floor.do(a.CloseBets(), "dan")
    assert floor.refused(command, who).code == "table/round-under-way"
    floor.do(a.Deal(entered("As Ad")), "dan")
    assert floor.table.cards == record
    floor.folds(1)
    floor.do(a.Pay(), "dan")
    opens_betting(floor)


def test_r58__betting_that_nobody_bet_on_is_closed_again_and_the_cards_may_be_changed():
    floor = with_real_cards("ann")
    unit = floor.do(a.CloseBets(), "dan")
    assert unit.events == [h.BettingWithdrawn()]
    assert floor.table.dealers == ("dan",), "who deals the next round approves nothing of it"
    assert floor.refused(a.Bet(1, {"ante": 5_00}), "ann").code == "bet/not-open"
    floor.do(c.BringCards(("blue",)), "flo")
    assert why(floor) == "cards/not-inspected"
    looked(floor).do(c.WashCards(), "dan")
    opens_betting(floor)
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    assert floor.table.round.phase == "playing", "with a bet down they are closed, as ever"


def test_r58__a_sealed_deck_is_not_put_away_by_closing_the_bets():
    floor = Floor(DIAMOND_JO, dealing="dealer").sit("ann")
    floor.do(c.StartDealing(), "dan")
    floor.do(c.OpenBetting(), "dan")
    sealed = floor.table.commitment
    assert floor.refused(a.CloseBets(), "dan").code == "bet/closed"
    assert floor.table.commitment == sealed


def test_w5_r58__no_round_begins_with_yesterdays_cards():
    floor = with_real_cards("ann")
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    floor.day += TOMORROW
    refusal = floor.refused(a.Deal(entered("As Ad")), "dan")
    assert (refusal.code, refusal.clause) == ("cards/new-day", "C.1.b")
    assert "called off" in refusal.message
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    assert floor.chips("ann") == 0
    opens_betting(new_cards(floor))
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As Ad")), "dan")


def test_r58__a_day_that_turns_after_the_first_card_touches_the_next_round_only():
    floor = with_real_cards("ann")
    floor.bet(1)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(entered("As")), "dan")
    floor.day += TOMORROW
    floor.do(a.Deal(entered("Ad")), "dan")
    for card in ("2c", "7d", "9h"):
        floor.raises(1)
        floor.do(a.Deal(entered(card)), "dan")
    floor.do(a.Turn(), "dan")
    for role, who in (("dealer", "dan"), ("floor-supervisor", "flo"), ("shift-manager", "max")):
        if floor.table.announced and floor.table.round.phase == "settling":
            floor.do(c.ApprovePayoff(1, role), who)
    floor.do(a.Pay(), "dan")
    assert why(floor) == "cards/new-day"


# In which order ---------------------------------------------------------------------------------


def test_w6_r58__a_deck_is_looked_at_before_it_is_washed_and_washed_before_it_is_shuffled():
    floor = bare()
    floor.do(c.BringCards(("red",)), "flo")
    refusal = floor.refused(c.WashCards(), "dan")
    assert (refusal.code, refusal.clause) == ("cards/not-inspected", "C.1.c")
    floor.do(c.InspectCards("dealer"), "dan")
    assert floor.refused(c.WashCards(), "dan").code == "cards/not-inspected"
    assert floor.refused(c.ShuffleCards(), "dan").code == "cards/not-inspected"
    floor.do(c.InspectCards("floor-supervisor"), "flo")
    assert floor.refused(c.ShuffleCards(), "dan").code == "cards/not-washed"
    floor.do(c.WashCards(), "dan")
    assert why(floor) == "cards/not-shuffled"
    opens_betting(floor)


def test_w6_r58__after_a_replaced_card_the_deck_is_looked_at_washed_and_shuffled_again():
    floor = new_cards(bare())
    floor.do(c.ShuffleCards(), "dan")
    floor.do(c.ReplaceCard(ACE, "floor-supervisor", "torn"), "flo")
    assert why(floor) == "cards/not-inspected"
    assert floor.refused(c.WashCards(), "dan").code == "cards/not-inspected"
    looked(floor)
    assert why(floor) == "cards/not-washed"
    floor.do(c.WashCards(), "dan")
    assert why(floor) == "cards/not-shuffled"
    opens_betting(floor)


def test_r58__a_replaced_card_is_of_one_deck_and_the_other_is_left_alone():
    floor = new_cards(bare(shuffler=True))
    replaces = c.ReplaceCard(ACE, "floor-supervisor", "torn")
    for colour in ("", "pink"):
        refusal = floor.refused(c.ReplaceCard(ACE, "floor-supervisor", "torn", colour), "flo")
        assert (refusal.code, refusal.place) == ("cards/which-deck", "colour")
        assert "red and blue" in refusal.message
    assert floor.refused(replaces, "flo").code == "cards/which-deck"
    floor.do(c.ReplaceCard(ACE, "floor-supervisor", "torn", "blue"), "flo")
    red, blue = floor.table.cards.decks
    assert (red.washed, len(red.inspected), red.replaced) == (True, 2, 0)
    assert (blue.washed, len(blue.inspected), blue.replaced) == (False, 0, 1)
    unit = floor.do(c.InspectCards("dealer"), "dan")
    assert unit.events == [h.CardsInspected("dealer", "dan", "blue")], "red was looked at"
    assert floor.refused(c.InspectCards("dealer", "red"), "dan").code == "cards/inspected-twice"
    floor.do(c.InspectCards("floor-supervisor", "blue"), "flo")
    assert why(floor) == "cards/not-washed"
    floor.do(c.WashCards("blue"), "dan")
    opens_betting(floor)


# What is found ----------------------------------------------------------------------------------


@pytest.mark.parametrize("found", ["missing", "flawed"])
@pytest.mark.parametrize("cure", ["card", "deck"])
def test_r58__a_deck_with_a_fault_goes_no_further_until_card_or_deck_is_replaced(found, cure):
    floor = bare()
    floor.do(c.BringCards(("red",)), "flo")
    floor.do(c.InspectCards("dealer"), "dan")
    floor.do(c.InspectCards("floor-supervisor", found=found), "flo")
    faulty = (
        floor.refused(c.InspectCards("shift-manager"), BOSS),
        floor.refused(c.WashCards(), "dan"),
        floor.refused(c.ShuffleCards(), "dan"),
        floor.refused(c.OpenBetting(), "dan"),
    )
    for refusal in faulty:
        assert (refusal.code, refusal.clause) == ("cards/faulty", "C.1.c")
        assert refusal.message == f"a card of the red deck is {found}: replace the card or the deck"
    if cure == "card":
        floor.do(c.ReplaceCard(ACE, "floor-supervisor", found), "flo")
    else:
        unit = floor.do(c.BringCards(("red",)), "flo")
        assert [type(each) for each in unit.events] == [h.CardsRetired, h.CardsBrought]
    assert why(floor) == "cards/not-inspected"
    looked(floor).do(c.WashCards(), "dan")
    opens_betting(floor)


def test_r58__a_flaw_that_shows_between_rounds_stops_the_deck_too():
    floor = no_round(with_real_cards("ann"))
    floor.do(c.InspectCards("dealer", found="flawed"), "dan")
    assert why(floor) == "cards/faulty"


def test_r58__one_of_two_decks_is_retired_and_one_is_brought_in_its_place():
    floor = new_cards(bare(shuffler=True))
    found = c.InspectCards("dealer", found="missing")
    assert floor.refused(found, "dan").code == "cards/which-deck"
    floor.do(c.InspectCards("dealer", "red", "missing"), "dan")
    assert floor.refused(c.RetireCards("a card is gone", "pink"), "flo").code == "cards/which-deck"
    unit = floor.do(c.RetireCards("a card is gone", "red"), "flo")
    assert unit.events == [h.CardsRetired(("red",), "a card is gone")]
    assert why(floor) == "cards/colours"
    assert floor.refused(c.BringCards(("blue",)), "flo").code == "cards/colours"
    floor.do(c.BringCards(("green",)), "flo")
    assert floor.table.cards.colours == ("blue", "green")
    looked(floor, "green").do(c.WashCards("green"), "dan")
    opens_betting(floor)


# Every round is shuffled ------------------------------------------------------------------------


def test_r58__by_hand_the_dealer_ticks_every_rounds_shuffle():
    floor = no_round(with_real_cards("ann"))
    for _ in range(3):
        refusal = floor.refused(c.OpenBetting(), "dan")
        assert (refusal.code, refusal.clause) == ("cards/not-shuffled", "C.1.f, C.1.g")
        assert floor.refused(c.ShuffleCards(), "eve").code == "dealer/not-you"
        unit = floor.do(c.ShuffleCards(), "dan")
        assert unit.events == [h.CardsShuffled()]
        floor.do(c.OpenBetting(), "dan")
        no_round(floor)


def test_r58__with_a_shuffler_its_green_light_says_so():
    floor = with_real_cards("ann", shuffler=True)
    for number in (1, 2):
        assert floor.table.number == number
        floor.bet(1)
        floor.do(a.CloseBets(), "dan")
        floor.do(a.Deal(entered("As Ad")), "dan")
        floor.raises(1)
        assert floor.refused(a.Deal(entered("2c")), "dan").code == "deal/no-green-light"
        floor.do(a.Light("green"), "dan")
        floor.do(a.Deal(entered("2c")), "dan")
        floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
        refusal = floor.refused(c.ShuffleCards(), "dan")
        assert (refusal.code, refusal.clause) == ("cards/shuffler", "C.1.h")
        floor.do(c.OpenBetting(), "dan")


def test_r58__where_cards_are_cut_the_tick_says_that_they_were():
    floor = Floor(SENECA, dealing="entered").sit("ann")
    floor.do(c.StartDealing(), "dan")
    for _ in range(2):
        refusal = floor.refused(c.OpenBetting(), "dan")
        assert (refusal.code, refusal.clause) == ("cards/not-shuffled", "play")
        assert refusal.message == "the cards are shuffled and cut for each round"
        assert floor.do(c.ShuffleCards(), "dan").events == [h.CardsShuffled(cut=True)]
        floor.do(c.OpenBetting(), "dan")
        no_round(floor)
        floor.day += TOMORROW  # this house has no rule on new cards


def test_r58__a_house_that_says_nothing_of_cards_asks_nothing():
    floor = Floor(HOLLYWOOD, dealing="entered").sit("ann")
    floor.do(c.StartDealing(), "dan")
    for _ in range(2):
        floor.do(c.OpenBetting(), "dan")
        no_round(floor)
    floor.do(c.BringCards(("red",)), "flo")
    floor.do(c.WashCards(), "dan")
    floor.do(c.OpenBetting(), "dan")


@pytest.mark.parametrize("seed", range(12))
def test_r58__betting_opens_exactly_when_a_second_telling_finds_nothing_lacking(seed):
    """Anybody does anything with the cards; the audit's own account says the same as the table."""
    r = random.Random(seed)
    book = r.choice(BOOKS)
    shuffler = book.deck.shuffler and r.random() < 0.5
    floor = Floor(book, seed, dealing="entered", shuffler=shuffler).sit("ann")
    floor.do(c.StartDealing(), "dan")
    kinds = anything(book, r)
    names = [*("bring-cards", "wash-cards", "shuffle-cards"), *["inspect-cards"] * 3]
    names += ["replace-card", "retire-cards", "change-shuffler"]
    opened = 0
    for _ in range(400):
        who = r.choice(["dan", "flo", "eve", "max"])
        try:
            floor.do(kinds[r.choice(names)](), who)
        except Refused:
            if book.deck.inspection and not floor.table.cards.decks and r.random() < 0.3:
                new_cards(floor)  # and sometimes as it ought to be
        floor.day += TOMORROW * (r.random() < 0.02)
        again = CardChecks()
        for event in floor.events:
            again.hear(event)
        lacking = again.lacks(book, floor.day)
        if lacking:
            floor.refused(c.OpenBetting(), "dan")
        else:
            floor.do(c.OpenBetting(), "dan")
            no_round(floor)
            opened += 1
    assert opened


# The shuffler -----------------------------------------------------------------------------------


def test_r59__a_table_with_a_shuffler_says_which_it_is_and_that_it_was_approved():
    cases: list[tuple[Any, str]] = [
        ({}, "shuffler_device"),
        ({"shuffler_device": "Model 2", "shuffler_approval": " "}, "shuffler_approval"),
        ({"shuffler_approval": "no. 7"}, "shuffler_device"),
    ]
    for said, place in cases:
        opens = c.OpenTable(DIAMOND_JO.id, dealing="entered", shuffler=True, **said)
        refusal = Floor(DIAMOND_JO, opened=False).refused(opens, BOSS)
        assert (refusal.code, refusal.clause) == ("table/shuffler-unnamed", "C.1.h")
        assert refusal.place == place
    floor = Floor(DIAMOND_JO, dealing="entered", shuffler=True)
    [opened] = [each for each in floor.events if isinstance(each, h.TableOpened)]
    assert (opened.shuffler_device, opened.shuffler_approval) == tuple(SHUFFLER.values())
    by_hand = c.OpenTable(DIAMOND_JO.id, dealing="entered", shuffler_device="Model 2")
    refusal = Floor(DIAMOND_JO, opened=False).refused(by_hand, BOSS)
    assert refusal.code == "light/no-shuffler"
    practice = c.OpenTable(DIAMOND_JO.id, practice=True, dealing="entered", shuffler=True)
    Floor(DIAMOND_JO, opened=False).do(practice, "own")


def test_r59__a_supervisor_changes_to_hand_shuffling_and_back_between_rounds():
    floor = no_round(with_real_cards("ann", shuffler=True))
    unit = floor.do(c.ChangeShuffler(False, "it jams"), "flo")
    assert unit.events == [
        h.ShufflerChanged(False, "", "", "it jams"),
        h.CardsRetired(("red", "blue"), "it jams"),
    ]
    assert floor.table.sitters, "nobody loses the seat"
    assert why(floor) == "cards/new-day"
    assert floor.refused(c.BringCards(("red", "blue")), "flo").code == "cards/colours"
    new_cards(floor)
    assert floor.table.cards.colours == ("red",)
    assert why(floor) == "cards/not-shuffled"
    opens_betting(floor)
    floor.bet(1)
    assert not floor.table.round.shuffler
    assert floor.refused(a.Light("green"), "dan").code == "light/no-shuffler"
    floor.do(a.CallMisdeal("other", "shift-manager"), BOSS)
    back = c.ChangeShuffler(True, "repaired", shuffler_device="Model 2", shuffler_approval="no. 7")
    refusal = floor.refused(c.ChangeShuffler(True, "repaired"), "flo")
    assert (refusal.code, refusal.clause) == ("table/shuffler-unnamed", "C.1.h")
    floor.do(back, "flo")
    assert floor.refused(back, "flo").code == "table/same-shuffler"
    assert (floor.table.shuffler_device, floor.table.shuffler_approval) == ("Model 2", "no. 7")
    assert floor.refused(c.BringCards(("red",)), "flo").code == "cards/colours"
    opens_betting(new_cards(floor))
    floor.bet(1)
    floor.do(a.Light("green"), "dan")


def test_r59__no_shuffler_where_the_house_has_none_or_cards_are_sealed():
    machine = c.ChangeShuffler(True, "why not", **SHUFFLER)
    assert Floor(SENECA, dealing="entered").refused(machine, "flo").code == "light/no-shuffler"
    for dealing in ("dealer", "automatic"):
        assert Floor(DIAMOND_JO, dealing=dealing).refused(machine, "flo").code == "cards/none"
