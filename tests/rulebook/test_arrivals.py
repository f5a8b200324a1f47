"""When a player sees which card: one walk over the script for all who ask."""

from msgspec.structs import replace

from pitboss.rulebook.deal_script import Arrival, DealStep, TurnStep, arrivals
from tests.helpers import DIAMOND_JO, SENECA


def shown(script, places):
    return [(each.place, each.number, each.step) for each in arrivals(script, places)]


def test_community_cards_are_seen_as_they_come():
    deals = [at for at, step in enumerate(DIAMOND_JO.script) if isinstance(step, DealStep)]
    found = arrivals(DIAMOND_JO.script, ("seats", "board"))
    assert [each.place for each in found] == ["seats"] * 2 + ["board"] * 3
    assert [each.number for each in found] == [None, None, 0, 1, 2]
    assert [each.step for each in found] == [deals[0], *deals]


def test_a_card_that_is_dealt_up_is_seen_at_once_and_the_others_when_they_are_turned():
    deal = next(at for at, step in enumerate(SENECA.script) if isinstance(step, DealStep))
    turn = next(at for at, step in enumerate(SENECA.script) if isinstance(step, TurnStep))
    found = shown(SENECA.script, ("dealer",))
    assert found == [("dealer", 4, deal), *(("dealer", card, turn) for card in range(4))]


def test_what_nothing_turns_is_seen_at_the_end():
    script = tuple(step for step in SENECA.script if not isinstance(step, TurnStep))
    assert [each.step for each in arrivals(script, ("dealer",))][1:] == [len(script)] * 4


def test_two_piles_are_counted_in_the_order_of_the_deal():
    one = DealStep(to=("left", "right"), cards=2, up={"right": (2,)}, clause="A")
    script = (one, TurnStep(place="left", cards=1, clause="A"), replace(one, to=("left",), up={}))
    assert arrivals(script, ("left", "right")) == (
        Arrival("right", 3, 0),
        Arrival("left", 0, 1),
        Arrival("left", 1, 3),
        Arrival("left", 4, 3),
        Arrival("left", 5, 3),
        Arrival("right", 2, 3),
    )
