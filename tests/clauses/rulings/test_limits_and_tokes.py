"""Rulings 23, 27a and 33 to 35: what may be wagered, by whom it is changed, tokes."""

import pytest

from pitboss.house.table.commands import CloseTable, DropTokes, OpenTable
from pitboss.house.table.events import TokesDropped
from pitboss.round import Round, actions, events
from pitboss.rulebook.sign import sign, sign_text
from pitboss.settle import of_round, settle
from tests.helpers import (
    BOOKS,
    DIAMOND_JO,
    HOLLYWOOD,
    SENECA,
    hand,
    line,
    opened,
    refused,
    settled,
    stacked,
    started,
)
from tests.house.floor import Floor, entered, with_real_cards

SIDES = [(DIAMOND_JO, "board-bonus"), (DIAMOND_JO, "lo-ball"), (HOLLYWOOD, "all-six")]


@pytest.mark.parametrize(
    ("minimum", "maximum", "posted"),
    [
        (5_00, 25_00, True),
        (15_00, 100_00, True),
        (4_99, 25_00, False),
        (15_01, 100_00, False),
        (5_00, 24_99, False),
        (5_00, 100_01, False),
    ],
)
def test_r23__diamond_jo_posts_5_to_15_and_25_to_100(minimum, maximum, posted):
    refusal = Round(DIAMOND_JO).refusal(actions.Open({1: "ann"}, minimum, maximum))
    assert (refusal is None) == posted
    assert refusal is None or refusal.code == "limits/out-of-range"


def test_r23__a_house_with_a_highest_maximum_posts_one_and_takes_no_larger_ante():
    unposted = actions.Open({1: "ann"}, 5_00)
    assert refused(Round(DIAMOND_JO), unposted).code == "limits/out-of-range"
    game = opened(DIAMOND_JO, {1: {"ante": 100_00}}, maximum=100_00)
    assert refused(game, actions.Bet(1, {"ante": 100_01})).code == "bet/above-maximum"


@pytest.mark.parametrize("book", [HOLLYWOOD, SENECA], ids=lambda book: book.id)
@pytest.mark.parametrize(("minimum", "maximum"), [(1, 1), (1_00, 5_000_00), (500_00, None)])
def test_r23__the_other_two_post_what_they_like(book, minimum, maximum):
    game = opened(book, {1: {"ante": minimum}}, minimum=minimum, maximum=maximum)
    assert refused(game, actions.Bet(1, {"ante": minimum - 1})).code.startswith("bet/")


@pytest.mark.parametrize(("book", "side"), SIDES)
def test_r23__side_wagers_take_1_dollar_up_to_the_posted_maximum(book, side):
    game = opened(book, {1: {"ante": 10_00}}, minimum=10_00, maximum=50_00)
    for cents, code in ((99, "bet/below-minimum"), (50_01, "bet/above-maximum")):
        assert refused(game, actions.Bet(1, {"ante": 10_00, side: cents})).code == code
    for cents in (1_00, 50_00):
        game.do(actions.Bet(1, {"ante": 10_00, side: cents}))


@pytest.mark.parametrize(("book", "side"), SIDES)
def test_r23__is_cited_once_where_the_wager_and_the_limits_both_cite_it(book, side):
    """A part of B16."""
    game = opened(book, {1: {"ante": 10_00}}, minimum=10_00, maximum=50_00)
    cited = refused(game, actions.Bet(1, {"ante": 10_00, side: 50_01})).clause.split(", ")
    assert cited.count("R23") == 1
    assert set(cited) == {*book.spots[side].cited.split(", "), *book.limits.cited.split(", ")}
    assert len(cited) == len(set(cited))


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD, SENECA], ids=lambda book: book.id)
def test_r23__six_seats(book):
    assert len(opened(book, {seat: {"ante": 5_00} for seat in range(1, 7)}).state.seats) == 6
    meter = None if book.progressive is None else 0
    assert refused(Round(book), actions.Open({7: "g"}, 5_00, 50_00, meter)).code == "seat/unknown"


def test_r27a__partners_antes_together_stay_within_the_maximum():
    bets = {1: {"ante": 70_00}, 2: {"ante": 30_00}, 3: {"ante": 100_00}}
    game = opened(SENECA, bets, maximum=100_00, partners=((1, 2),))
    refusal = refused(game, actions.Bet(2, {"ante": 30_01}))
    assert (refusal.code, "R27a" in refusal.clause) == ("bet/partners", True)
    unmarked = opened(SENECA, bets, maximum=100_00)
    unmarked.do(actions.Bet(2, {"ante": 100_00}))


def test_r33__what_lies_there_for_the_dealers_goes_to_them_at_a_relief():
    floor = Floor(DIAMOND_JO, opened=False).deck("Ks Kd 2c 7d 9h")
    floor.do(OpenTable(DIAMOND_JO.id), "max")
    floor.sit("ann")
    assert floor.refused(DropTokes(), "flo").code == "tokes/none"
    floor.bet(1, toke=2_00, ante=20_00)
    assert floor.refused(DropTokes(), "flo").code == "table/round-under-way"
    for _ in range(3):
        floor.raises(1, times=1)
    lay = floor.accounts["tokes:t"]
    assert lay == floor.table.tokes_cents == 4_00, "a pair of kings pays the toke 1 to 1"
    floor.do(CloseTable(), "flo")
    floor.do(OpenTable(DIAMOND_JO.id, "t"), "max")
    assert floor.table.tokes_cents == lay, "they still lie there"
    before = floor.bank
    unit = floor.do(DropTokes(), "flo")
    assert unit.events == [TokesDropped(lay)]
    assert unit.postings == [("tokes:t", -lay), ("dealers", lay)]
    assert (floor.accounts["tokes:t"], floor.accounts["dealers"], floor.bank) == (0, lay, before)
    assert floor.refused(DropTokes(), "flo").code == "tokes/none"


@pytest.mark.parametrize(
    ("ante", "maximum", "toke", "code"),
    [
        pytest.param(50_00, 100_00, 10_00, "", id="a tenth of the maximum"),
        pytest.param(50_00, 100_00, 10_01, "toke/above-maximum", id="a cent more"),
        pytest.param(5_00, 100_00, 5_00, "", id="as much as the player's own bet"),
        pytest.param(5_00, 100_00, 5_01, "toke/above-own-bet", id="more than that"),
        pytest.param(5_00, 100_00, -1, "toke/nothing", id="less than nothing"),
    ],
)
def test_r33__a_toke_is_at_most_a_tenth_of_the_maximum_and_at_most_the_players_bet(
    ante, maximum, toke, code
):
    game = opened(DIAMOND_JO, {1: {"ante": ante}}, maximum=maximum)
    refusal = game.refusal(actions.Bet(1, {"ante": ante}, toke))
    assert (refusal.code if refusal else "") == code


def test_r33__it_rides_the_ante_outside_the_cap_and_belongs_to_the_dealers():
    seat = hand(DIAMOND_JO, "Ah Kh", (3, 3, 3), ante=25_00, toke_cents=5_00)
    result = settled(DIAMOND_JO, seat, board="Qh Jh Th")
    toke = line(result, "toke")
    # 500 to 1 on 5.00 in full, while the player's 125,000.00 are cut to 25,000.00.
    assert (toke.won_cents, toke.returned_cents) == (2_500_00, 2_505_00)
    assert result.seats[0].won_cents == 25_000_00
    assert result.seats[0].returned_cents == 25_000_00 + 250_00


@pytest.mark.parametrize(
    ("held", "raises", "returned"),
    [("9h 9d", (1, 1, 1), 5_00), ("2h 3d", (1, 1, 1), 0), ("Ah Ad", (0,), 0)],
    ids=["a push goes back", "a loss is lost", "a fold is lost"],
)
def test_r33__it_shares_the_fate_of_the_ante(held, raises, returned):
    seat = hand(DIAMOND_JO, held, raises, toke_cents=5_00)
    assert line(settled(DIAMOND_JO, seat, board="Qh Jc 5s"), "toke").returned_cents == returned


def test_r34__an_out_of_limit_wager_is_refused_before_the_deal():
    game = opened(DIAMOND_JO, {1: {"ante": 10_00}}, minimum=5_00, maximum=25_00)
    assert refused(game, actions.Bet(1, {"ante": 25_01})).code == "bet/above-maximum"
    assert refused(game, actions.Bet(1, {"ante": 4_99})).code == "bet/below-minimum"


def test_r34__one_found_after_the_deal_stands_when_a_supervisor_records_it():
    deck = stacked("Jh Jd 2s 9c 3h")
    game = started(DIAMOND_JO, {1: {"ante": 25_00}}, deck, maximum=25_00)
    assert refused(game, actions.AcceptLate(1, "ante", 30_00, "dealer", "dan")).code == (
        "role/not-yours"
    )
    late = actions.AcceptLate(1, "ante", 30_00, "floor-supervisor", "flo")
    assert game.do(late) == (events.LateWagerAccepted(1, "ante", 30_00, "floor-supervisor", "flo"),)
    for _ in range(3):
        game.do(actions.Raise(1, 1))
        game.deal(deck)
    # Jacks pay even money on four times 30.00.
    assert settle(DIAMOND_JO, of_round(game.state)).seats[0].won_cents == 120_00


def test_r34a__limits_change_between_rounds_inside_the_range_and_the_cap_follows():
    royal = hand(DIAMOND_JO, "Ah Kh", (3, 3, 3), ante=25_00)
    caps = [
        settled(DIAMOND_JO, royal, minimum=minimum, board="Qh Jh Th").cap_cents
        for minimum in (5_00, 10_00, 15_00)
    ]
    assert caps == [25_000_00, 50_000_00, 75_000_00]
    assert "MAXIMUM AGGREGATE $50,000 " in sign_text(sign(DIAMOND_JO, 10_00, 100_00, {}))
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}})
    assert refused(game, actions.Open({1: "ann"}, 10_00, 100_00)).code == "round/already-open"
    assert [book.limits.changed_by for book in BOOKS] == [("shift-manager",)] * 4


@pytest.mark.parametrize("book", [HOLLYWOOD, SENECA], ids=lambda book: book.id)
def test_r34b__what_two_houses_leave_out_is_absent_or_taken_from_the_third(book):
    game = opened(book, {1: {"ante": 10_00}})
    assert refused(game, actions.Bet(1, {"ante": 10_00}, 1_00)).code == "toke/none"
    assert refused(game, actions.CallMisdeal("other", "floor-supervisor", "flo")).code == (
        "role/not-yours"
    )
    if book is SENECA:
        seat = hand(book, "Ah Kh Qh Jh Th", (2,), ante=2_000_00)
        result = settled(book, seat, dealer="Ac Kd 9h 3d 2c")
    else:
        seat = hand(book, "Ah Kh", (3, 3, 3), ante=2_000_00)
        result = settled(book, seat, board="Qh Jh Th")
    assert result.seats[0].won_cents > 1_000_00
    assert result.seats[0].approvals == ()


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_r35__a_spoken_wager_with_cash_is_refused(book):
    game = opened(book, {1: {"ante": 10_00}})
    assert refused(game, actions.Bet(1, {"ante": 15_00}, cash=True)).code == "bet/cash"


def test_r34b__a_floor_supervisor_calls_an_exposed_card_in_every_house():
    for book in (DIAMOND_JO, HOLLYWOOD, SENECA):
        (rule,) = (each for each in book.misdeal if each.cause == "exposed-card")
        assert {"floor-supervisor", "shift-manager"} <= set(rule.by)
        floor = with_real_cards("ann", book=book)
        floor.do(actions.Bet(1, {"ante": 5_00}), "ann")
        floor.do(actions.CloseBets(), "dan")
        early = floor.refused(actions.CallMisdeal("exposed-card", "floor-supervisor"), "flo")
        assert early.code == "misdeal/no-grounds"
        floor.do(actions.Deal(entered("As")), "dan")
        floor.do(actions.CallMisdeal("exposed-card", "floor-supervisor"), "flo")
        assert floor.table.last is not None
        assert floor.table.last.seats[0].paid_cents == 5_00
