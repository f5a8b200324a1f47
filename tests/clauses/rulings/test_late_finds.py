"""R34, R52, R53: one supervisor records what is found late while cards are to come; two, after."""

from typing import Any

import pytest

from pitboss.audit import late_checks, resettle
from pitboss.audit.promises import Findings
from pitboss.audit.table_checks import TableChecks
from pitboss.cards import cards
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.unit_of_work import players
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.redo import SeatFacts
from pitboss.round.state import due
from pitboss.rulebook.deal_script import DealStep
from tests.clauses.rulings.test_corrections_before_payment import works
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA, ULTIMATE
from tests.house.floor import Floor, happened, with_real_cards

FLOOR = "floor-supervisor"
ALONE = late_checks.alone


def played(deck: str, ante: int = 10_00, times: int = 1, **opening: Any) -> Floor:
    """A round that is shown, with one seat."""
    floor = with_real_cards("ann", **opening)
    floor.bet(1, "dan", ante=ante)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards(deck)), times=times)
    return floor


@pytest.mark.parametrize(
    ("ante", "times", "deck", "found"),
    [
        (100_00, 3, "2c 4d 7h 9s Jc", {"ante": 1_00}),
        (10_00, 1, "Ah Kh Ad 2c 7s", {"raise-1": 30_00, "raise-2": 30_00, "raise-3": 30_00}),
        (10_00, 3, "2c 4d 7h 9s Jc", {"raise-1": 10_00}),
    ],
    ids=["a lost stack shrinks", "a winner raises", "a loser raises less"],
)
def test_r53__nobody_alone_finds_a_wager_once_every_card_lies_open(ante, times, deck, found):
    floor = played(deck, ante, times)
    before = floor.chips("ann")
    for spot, cents in found.items():
        no = floor.refused(a.AcceptLate(1, spot, cents, FLOOR), "flo")
        assert (no.code, no.clause) == ("late/shown", "R34, R52, R53")
        event = e.LateWagerAccepted(1, spot, cents, FLOOR, "flo")
        assert ALONE(DIAMOND_JO, floor.table.happened, event), "the audit says so, too"
    assert floor.chips("ann") == before


def test_r53__the_last_card_is_enough_though_no_hand_is_shown():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("Ah Kh")), "dan")
    for card in ("Ad", "2c", "7s"):
        floor.raises(1, times=1)
        event = e.LateWagerAccepted(1, "ante", 150_00, FLOOR, "flo")
        assert ALONE(DIAMOND_JO, floor.table.happened, event) == ""
        floor.do(a.Deal(cards(card)), "dan")
    assert floor.table.round.phase == "playing"
    assert floor.refused(a.AcceptLate(1, "raise-3", 30_00, FLOOR), "flo").code == "late/shown"


def test_r53__a_dealers_hand_that_is_face_down_is_still_to_come():
    floor = with_real_cards("ann", book=SENECA, minimum_cents=5_00, maximum_cents=25_00)
    floor.bet(1, "dan", ante=25_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("As Ah Ad 2c 3c Ks Kd 4h 5h 7h")), "dan")
    floor.raises(1)
    late = e.LateWagerAccepted(1, "ante", 50_00, FLOOR, "flo")
    assert ALONE(SENECA, floor.table.happened, late) == ""
    floor.do(a.Turn(), "dan")
    assert floor.refused(a.AcceptLate(1, "ante", 50_00, FLOOR), "flo").code == "late/shown"
    assert "lay open" in ALONE(SENECA, floor.table.happened, late)


def test_r34__a_late_find_takes_nothing_down():
    floor = with_real_cards("ann", maximum_cents=25_00)
    floor.bet(1, "dan", toke=2_00, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("Ah Kh")), "dan")
    floor.raises(1, times=3)
    for spot, cents in (("ante", 1_00), ("raise-1", 10_00)):
        no = floor.refused(a.AcceptLate(1, spot, cents, FLOOR), "flo")
        assert (no.code, no.place) == ("late/lower", "cents")
        event = e.LateWagerAccepted(1, spot, cents, FLOOR, "flo")
        assert "down from" in ALONE(DIAMOND_JO, floor.table.happened, event)
    floor.do(a.AcceptLate(1, "toke", 5_00, FLOOR), "flo")
    event = e.LateWagerAccepted(1, "toke", 4_00, FLOOR, "flo")
    assert "down from" in ALONE(DIAMOND_JO, floor.table.happened, event)


def test_r53__two_people_say_what_lay_there_when_every_card_is_open():
    floor = played("2c 4d 7h 9s Jc", 10_00, 3)
    facts = (SeatFacts(1, late={"ante": 2_00}),)
    floor.do(c.Correct("dealer", "two dollars lay there", facts), "dan")
    unit = floor.do(c.Correct(FLOOR, "two dollars lay there", facts), "flo")
    assert happened(unit, h.RoundCorrected)
    stakes = floor.table.round.seats[1].stakes
    assert stakes == {"ante": 2_00, "raise-1": 6_00, "raise-2": 6_00, "raise-3": 6_00}
    floor.do(a.Pay(), "dan")


def test_r34__who_recorded_a_late_find_has_somebody_else_approve_it():
    floor = with_real_cards("ann", maximum_cents=25_00)
    floor.bet(1, "dan", ante=25_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("As Ad")), "dan")
    floor.do(a.AcceptLate(1, "ante", 50_00, FLOOR), "flo")
    works(floor, iter(cards("Ac 7h 7d")), times=1)
    no = floor.refused(c.ApprovePayoff(1, FLOOR), "flo")
    assert (no.code, no.clause) == ("approval/own-find", floor.book.rulings.approvals)
    findings = Findings()
    checks = TableChecks("t", findings, {})
    checks.dealing, checks.dealers = "entered", {"dan"}
    checks.events = list(floor.table.happened)
    seat = resettle.settled(DIAMOND_JO, checks.events, players(floor.table), floor.day).seats[1]
    others = [(1, "dealer", "dan"), (1, "surveillance", "sue")]
    checks.announced = {1: seat.won_cents}
    for who, found in (("fay", ""), ("flo", ": seat 1 was not approved")):
        checks.approved = [*others, (1, FLOOR, who)]
        checks._may_be_paid(DIAMOND_JO, seat)
        assert findings.first == found
    for who, role in (("dan", "dealer"), ("fay", FLOOR), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.do(a.Pay(), "dan")


def test_r53__a_card_on_which_a_wager_does_not_hang_keeps_no_late_find_open():
    """At Hollywood the card of the All Six is turned last, and the Ante's hand is known by then."""
    floor = with_real_cards("ann", book=HOLLYWOOD, minimum_cents=5_00, maximum_cents=100_00)
    floor.bet(1, "dan", **{"ante": 10_00, "all-six": 5_00})
    floor.do(a.CloseBets(), "dan")
    deck = iter(cards("Kh Jh Ac 2c As Ad"))
    while HOLLYWOOD.script[floor.table.round.step] != HOLLYWOOD.script[-2]:
        if due(HOLLYWOOD, floor.table.round):
            floor.do(a.Raise(1, 1), "dan")
        elif isinstance(HOLLYWOOD.script[floor.table.round.step], DealStep):
            floor.do(a.Deal((next(deck),)), "dan")
        else:
            floor.do(a.Turn(), "dan")
    before = list(floor.table.happened)
    for spot in ("ante", "raise-1"):
        assert floor.refused(a.AcceptLate(1, spot, 150_00, FLOOR), "flo").code == "late/shown"
        forged = e.LateWagerAccepted(1, spot, 150_00, FLOOR, "flo")
        assert "every card lay open" in ALONE(HOLLYWOOD, before, forged)
    assert happened(floor.do(a.AcceptLate(1, "all-six", 150_00, FLOOR), "flo"), e.LateWagerAccepted)


@pytest.mark.parametrize("spot", ["ante", "blind"])
def test_r53__what_is_compared_with_the_dealers_hand_hangs_on_its_last_card(spot):
    """Also where a table says what it pays, and that table's cards all lie open."""
    floor = with_real_cards("ann", book=ULTIMATE, minimum_cents=5_00, maximum_cents=100_00)
    floor.bet(1, "dan", **ULTIMATE.with_equal({"ante": 10_00}), trips=5_00)
    floor.do(a.CloseBets(), "dan")
    deck = iter(cards("Kh Jh Ac 2c As Ad 7d 8s 9c"))
    while ULTIMATE.script[floor.table.round.step] != ULTIMATE.script[-2]:
        if due(ULTIMATE, floor.table.round):
            floor.do(a.Raise(1, 4), "dan")
        elif isinstance(ULTIMATE.script[floor.table.round.step], DealStep):
            floor.do(a.Deal((next(deck),)), "dan")
        else:
            floor.do(a.Turn(), "dan")
    assert floor.refused(a.AcceptLate(1, "trips", 150_00, FLOOR), "flo").code == "late/shown"
    before = list(floor.table.happened)
    late = a.AcceptLate(1, spot, 150_00, FLOOR)
    found = happened(floor.do(late, "flo"), e.LateWagerAccepted)
    assert {each.spot for each in found} == {"ante", "blind", "play"}
    for at, event in enumerate(found):
        assert ALONE(ULTIMATE, [*before, *found[:at]], event) == ""
    floor.do(a.Turn(), "dan")
    assert floor.refused(a.AcceptLate(1, spot, 200_00, FLOOR), "flo").code == "late/shown"
    forged = e.LateWagerAccepted(1, spot, 200_00, FLOOR, "flo")
    assert "every card lay open" in ALONE(ULTIMATE, floor.table.happened, forged)
