"""Rulings 60, 61 and 67 to 70: what a table posts, the smallest chip, meters and tokes."""

import datetime
import json
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.cli.settle import receipt
from pitboss.errors import Refused, Unreadable
from pitboss.house.table import commands as c
from pitboss.money import Cents
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from pitboss.settle.file import settle_file
from pitboss.web.pages.rule_page import posted
from tests.clauses.rulings.test_around_the_round import FLOOR, dealt, of_file, paid, royal, won
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA
from tests.house.floor import Floor, with_real_cards


def test_w7_r60__opening_again_at_other_limits_on_the_same_day_is_a_change_of_limits():
    floor = Floor(DIAMOND_JO, minimum_cents=5_00, maximum_cents=25_00)
    said = floor.refused(c.ChangeLimits(10_00, 100_00, "busy"), "flo")
    floor.do(c.CloseTable(), "flo")
    again = c.OpenTable(DIAMOND_JO.id, "t", minimum_cents=10_00, maximum_cents=100_00)
    refusal = floor.refused(again, "flo")
    assert (refusal.code, refusal.message) == (said.code, said.message) != ("", "")
    assert refusal.clause == "H.1, R34a, R60"
    # As it was it may be opened by the floor; at others by the shift manager, or tomorrow.
    floor.do(replace(again, minimum_cents=5_00, maximum_cents=25_00), "flo")
    floor.do(c.CloseTable(), "flo")
    floor.day += datetime.timedelta(days=1)
    floor.do(again, "flo")
    floor.do(c.CloseTable(), "flo")
    floor.do(replace(again, maximum_cents=50_00), "max")
    assert (floor.table.minimum_cents, floor.table.maximum_cents) == (10_00, 50_00)


def test_w8_r61__a_table_posts_a_maximum_where_the_house_must():
    for who, command in (
        ("max", c.OpenTable(SENECA.id)),
        ("flo", c.OpenTable(SENECA.id, minimum_cents=10_00)),
    ):
        refusal = Floor(SENECA, opened=False).refused(command, who)
        assert (refusal.code, refusal.clause) == ("limits/no-maximum", "limits, R61")
    floor = Floor(SENECA, minimum_cents=5_00, maximum_cents=25_00).sit("ann", "bob")
    assert floor.refused(c.ChangeLimits(5_00, None, "busy"), "max").code == "limits/no-maximum"
    # So there is always something that partners stay within.
    floor.do(c.MarkPartners(((1, 2),), "they come together"), "flo")
    for seat, who in ((1, "ann"), (2, "bob")):
        assert floor.refused(a.Bet(seat, {"ante": 30_000_00}), who).code == "bet/above-maximum"
    floor.bet(1, ante=20_00)
    assert floor.refused(a.Bet(2, {"ante": 10_00}), "bob").code == "bet/partners"
    practice = Floor(SENECA, opened=False)
    practice.do(c.OpenTable(SENECA.id, practice=True), "own")
    assert practice.table.maximum_cents == 100_00
    assert Floor(HOLLYWOOD).table.maximum_cents is None, "this house leaves it open"


def test_w8_r61__a_file_without_a_maximum_says_that_nothing_was_held_against_one():
    """No table opens so. What lay there is paid all the same, as a late find is (R34)."""
    antes = {"ante": "30000.00", "raises": [2]}
    pair, two_pair = "Ah Ad Qh Jh Th", "Qs Qd Js Jd Ts"
    seats = [{"seat": 1, "cards": pair, **antes}, {"seat": 2, "cards": two_pair, **antes}]
    file = {"rulebook": SENECA.id, "minimum": "5.00", "dealer": "As Kd 4c 3h 2s", "seat": seats}
    says = "A table here posts a maximum, and none is given: Ante is held to none [limits, R61]"
    settled = of_file(**file)
    assert settled["untested"] == [says]
    assert says in " ".join(receipt(*settle_file(json.dumps(file), "a file")).split())
    # The ceiling is on two pair and better, by the pay table.
    assert [each["bet"] for each in won(settled).values()] == [60_000_00, 5_000_00]
    with pytest.raises(Refused, match=r"seat\[0\].ante: .*at most"):
        of_file(**file, maximum="100.00")
    of_hollywood: dict[str, Any] = {"rulebook": HOLLYWOOD.id, "board": "2c 3d 9h", "all_six": "4c"}
    of_hollywood["seat"] = [{"seat": 1, "cards": "As Ah", "ante": "5.00", "raises": [1, 1, 1]}]
    assert "untested" not in of_file(**of_hollywood)


def test_r61__a_table_posts_what_a_token_is_worth_and_the_meter_gets_its_part():
    for token, code in ((50, "limits/out-of-range"), (1_50, "limits/chip")):
        opening = c.OpenTable(SENECA.id, maximum_cents=100_00, token_cents=token)
        refusal = Floor(SENECA, opened=False).refused(opening, "max")
        assert (refusal.code, refusal.place) == (code, "token")
        assert "R61" in refusal.clause or "R69" in refusal.clause
    for book in (DIAMOND_JO, HOLLYWOOD):
        refusal = Floor(book, opened=False).refused(c.OpenTable(book.id, token_cents=5_00), "max")
        assert refusal.code == "limits/no-token"
    flush, low = "Kh Jh 9h 7h 2h", "2c 3d 4c 7d 9s"
    floor = Floor(SENECA, opened=False).deck(flush, low)
    floor.do(c.OpenTable(SENECA.id, maximum_cents=100_00, token_cents=5_00), "max")
    floor.sit("ann")
    assert floor.table.token_cents == 5_00
    sign = posted(SENECA, *floor.table.posted, None)
    assert dict(sign.wagers)["Progressive"] == "exactly $5"
    refusal = floor.refused(a.Bet(1, {"ante": 5_00, "progressive": 1_00}), "ann")
    assert refusal.message == "Progressive takes exactly $5, not $1"
    meter = floor.table.meter_cents
    assert meter is not None
    floor.bet(1, ante=5_00, progressive=5_00)
    assert floor.table.round.meter_cents == meter + 3_50
    floor.raises(1, times=2)
    assert paid(floor)[1]["progressive"] == 50_00, "an award is what it is"
    # It is posted like the limits: on the same day only the shift manager changes it (R60).
    floor.do(c.CloseTable(), "flo")
    again = c.OpenTable(SENECA.id, minimum_cents=5_00, maximum_cents=100_00)
    assert floor.refused(again, "flo").code == "role/not-yours"
    floor.do(replace(again, token_cents=5_00), "flo")
    assert floor.table.token_cents == 5_00
    seat = {"seat": 1, "cards": flush, "ante": "5.00", "raises": [2]}
    file = {"rulebook": SENECA.id, "maximum": "100.00", "dealer": low, "token": "5.00"}
    done = of_file(**file, seat=[{**seat, "side": {"progressive": "5.00"}}])
    assert won(done)[1]["progressive"] == 50_00
    with pytest.raises(Refused, match="takes exactly"):
        of_file(**file, seat=[{**seat, "side": {"progressive": "1.00"}}])


def test_r68__a_notice_is_found_by_where_it_is_shown_and_the_number_is_as_printed():
    everywhere = ("sign", "table", "lobby", "receipt", "replay")
    for book in (DIAMOND_JO, HOLLYWOOD, SENECA, MISSISSIPPI):
        for where in everywhere:
            wanted = [each.text for each in book.notice if where in each.where]
            assert list(book.notices(where)) == wanted
    for where in everywhere:
        assert any("1-800-GAMBLER" in words for words in HOLLYWOOD.notices(where))
    assert len(HOLLYWOOD.notices(*everywhere)) == 1, "once, wherever it is asked for"


def test_r69__a_wager_is_a_whole_number_of_the_smallest_chip_and_a_file_has_cents():
    floor = Floor(DIAMOND_JO).sit("ann")
    for cents in (5_01, 5_50):
        refusal = floor.refused(a.Bet(1, {"ante": cents}), "ann")
        assert (refusal.code, refusal.clause, refusal.place) == ("bet/chips", "H.2, R69", "ante")
    floor.bet(1, ante=6_00)
    halves = replace(DIAMOND_JO.limits, smallest_chip=Cents(50))
    Floor(replace(DIAMOND_JO, limits=halves)).sit("ann").bet(1, ante=5_50)
    # A table may post a larger one: it is on the sign, and wagers are made of it.
    floor = Floor(DIAMOND_JO, smallest_chip_cents=5_00).sit("ann")
    assert floor.refused(a.Bet(1, {"ante": 6_00}), "ann").code == "bet/chips"
    floor.bet(1, ante=10_00)
    table = floor.table
    assert posted(DIAMOND_JO, *table.posted, table.smallest_chip_cents).smallest_chip == "$5"
    for chip in (3_00, 25_00):
        opening = c.OpenTable(DIAMOND_JO.id, smallest_chip_cents=chip)
        refusal = Floor(DIAMOND_JO, opened=False).refused(opening, "max")
        assert (refusal.code, refusal.clause) == ("limits/chip", "H.2, R69")
    seat = {"seat": 1, "cards": "As Ah", "ante": "5.01", "raises": [1, 1, 1]}
    done = of_file(rulebook=DIAMOND_JO.id, board="2c 3d 9h", seat=[seat])
    assert done["seats"][0]["won_cents"] == 4 * 5_01


def test_r69__a_token_that_no_chips_of_the_table_make_is_not_posted_either():
    """Nor the book's own, where the table posts none: nobody could ever bet on the jackpot."""
    limits: dict[str, Any] = {"minimum_cents": 10_00, "maximum_cents": 100_00}
    limits["smallest_chip_cents"] = 5_00
    for token in (None, 1_00, 3_00):
        opening = c.OpenTable(SENECA.id, token_cents=token, **limits)
        refusal = Floor(SENECA, opened=False).refused(opening, "max")
        assert (refusal.code, refusal.clause, refusal.place) == ("limits/chip", "R69", "token")
    floor = Floor(SENECA, token_cents=5_00, **limits).sit("ann")
    floor.bet(1, ante=10_00, progressive=5_00)


def test_r69__tokes_late_finds_and_corrections_are_made_of_chips_too():
    floor = with_real_cards("ann", book=DIAMOND_JO, minimum_cents=5_00, maximum_cents=25_00)
    for toke in (1, 33, 1_50):
        no = floor.refused(a.Bet(1, {"ante": 25_00}, toke), "dan")
        assert (no.code, no.clause, no.place) == ("bet/chips", "H.2, R69", "toke")
    floor.bet(1, toke=2_50, ante=25_00)  # all that may be given, in change
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "As Ah")
    for spot, cents in (("ante", 50_01), ("toke", 7_77)):
        no = floor.refused(a.AcceptLate(1, spot, cents, FLOOR), "flo")
        assert (no.code, no.place) == ("bet/chips", spot)
    for facts, place in (
        (SeatFacts(1, wagers={"ante": 10_03}, toke_cents=0), "seats[0].wagers.ante"),
        (SeatFacts(1, toke_cents=33), "seats[0].toke"),
        (SeatFacts(1, late={"ante": 50_01}), "seats[0].late.ante"),
    ):
        no = floor.refused(c.Correct("dealer", "less lay there", (facts,)), "dan")
        assert (no.code, no.place) == ("bet/chips", place)
    floor.do(a.AcceptLate(1, "toke", 7_00, FLOOR), "flo")
    floor.folds(1)


def test_w15_r67__a_claim_on_a_meter_that_is_not_given_is_refused():
    with pytest.raises(Unreadable, match="meter: Royal flush wins 100% of the meter"):
        of_file(**royal())
    assert won(of_file(**royal(), meter="12,345.67"))[1]["progressive"] == 12_345_67
    # Nobody needs a meter to lose by it, or to be paid a fixed award.
    assert won(of_file(**royal(raises=[0])))[1]["progressive"] == 0
    assert won(of_file(**royal(cards="Ah Kh Qh Jh 2h")))[1]["progressive"] == 50_00
    assert won(of_file(**royal(side={})))[1] == {"ante": 100_00, "bet": 0}


def test_w14_r70__a_toke_goes_back_on_a_misdeal_live_and_in_a_file():
    floor = with_real_cards("ann", book=DIAMOND_JO)
    floor.bet(1, toke=2_00, ante=5_00, board_bonus=5_00)
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "2c 2d")
    floor.raises(1, times=1)
    dealt(floor, "Th")
    floor.folds(1)
    floor.do(a.CallMisdeal("exposed-card", FLOOR), "flo")
    assert floor.table.last is not None
    (mine,) = floor.table.last.seats
    assert (floor.chips("ann"), mine.paid_cents, mine.net_cents) == (0, 17_00, 0)
    seat = {"seat": 1, "cards": "2c 2d", "ante": "5.00", "raises": [0], "toke": "2.00"}
    done = of_file(
        rulebook=DIAMOND_JO.id,
        misdeal="exposed-card",
        board="Th",
        seat=[{**seat, "side": {"board-bonus": "5.00"}}],
    )
    (back,) = done["seats"]
    assert (back["returned_cents"], back["paid_cents"]) == (12_00, 12_00)
    toke = back["lines"][-1]
    assert (toke["spot"], toke["returned_cents"], toke["clause"]) == ("toke", 2_00, "L.1.e")
    assert "isdeal, a community card was exposed" in toke["reasons"][0]
