"""Rulings 52 and 62 to 65: what people do around the round."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit import resettle
from pitboss.audit.agreement_checks import approved
from pitboss.cards import DECK
from pitboss.house.books import ledger
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.machine import step
from pitboss.rulebook import Rulebook
from pitboss.settle.approvals import missing, needed
from pitboss.settle.file import settle_file, settlement_json
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, opened, refused
from tests.house.floor import (
    Floor,
    entered,
    happened,
    new_cards,
    opens_betting,
    with_real_cards,
)

FLOOR = "floor-supervisor"


def dealt(floor: Floor, cards: str) -> None:
    floor.do(a.Deal(entered(cards)), "dan")


def of_file(**written: Any) -> dict[str, Any]:
    """The settlement of a round in a file."""
    return settlement_json(*settle_file(json.dumps(written), "a file"))


def paid(floor: Floor) -> dict[int, dict[str, int]]:
    """What each wager of the last round won, by seat and spot."""
    assert floor.table.last is not None
    return {
        seat.seat: {line.spot: line.won_cents for line in seat.lines}
        for seat in floor.table.last.seats
    }


def royal(**more: Any) -> dict[str, Any]:
    held = {"seat": 1, "cards": "Ah Kh Qh Jh Th", "ante": "100.00", "raises": [2]}
    return {
        "rulebook": SENECA.id,
        "minimum": "5.00",
        "maximum": "100.00",
        "dealer": "2c 3d 4c 7h 9s",
        "seat": [{**held, "side": {"progressive": "1.00"}, **more}],
    }


def won(settlement: dict[str, Any]) -> dict[int, dict[str, int]]:
    return {
        seat["seat"]: {line["spot"]: line["won_cents"] for line in seat["lines"]}
        for seat in settlement["seats"]
    }


LATE = {
    "rulebook": DIAMOND_JO.id,
    "minimum": "5.00",
    "maximum": "25.00",
    "board": "2c 2s 2h",
    "seat": [
        {"seat": 1, "cards": "As Ah", "ante": "50.00", "raises": [3, 2, 1], "toke": "2.50"}
        | {"side": {"board-bonus": "5.00"}, "accepted": True},
        {"seat": 2, "cards": "Kd 2d", "ante": "5.00", "raises": [0], "accepted": True}
        | {"side": {"board-bonus": "50.00"}},
    ],
}
"""The round of :func:`late` as a file."""


def late() -> Floor:
    """One seat has raised, the other has folded, and more lies there than was entered."""
    floor = with_real_cards("ann", "bob", book=DIAMOND_JO, minimum_cents=5_00, maximum_cents=25_00)
    floor.bet(1, toke=2_50, ante=25_00, board_bonus=5_00)
    floor.bet(2, ante=5_00, board_bonus=5_00)
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "As Ah Kd 2d")
    floor.raises(1, times=3)
    floor.folds(2)
    return floor


def paid_late(floor: Floor) -> dict[int, dict[str, int]]:
    """The rest of that round: what each wager won."""
    for card, times in (("2c", 2), ("2s", 1), ("2h", 0)):
        dealt(floor, card)
        if times:
            floor.raises(1, times=times)
    floor.do(a.Turn(), "dan")
    approvers = (("dan", "dealer"), ("fay", FLOOR), ("sue", "surveillance"))
    for seat, cents in floor.table.announced.items():
        for who, role in approvers[: len(needed(floor.book, cents))]:
            floor.do(c.ApprovePayoff(seat, role), who)
    floor.do(a.Pay(), "dan")
    return paid(floor)


def test_w1_r52__a_late_ante_takes_its_raises_along():
    floor = late()
    unit = floor.do(a.AcceptLate(1, "ante", 50_00, FLOOR), "flo")
    found = {each.spot: each.cents for each in happened(unit, e.LateWagerAccepted)}
    assert found == {"ante": 50_00, "raise-1": 150_00}
    assert floor.table.round.seats[1].raises == (3,)
    assert floor.chips("ann") == -(50_00 + 150_00 + 5_00 + 2_50)
    # A full house pays 10 to 1 on 50, 150, 100 and 50; trips on the board pay 30 to 1.
    main = {"ante": 500_00, "raise-1": 1_500_00, "raise-2": 1_000_00, "raise-3": 500_00}
    here = paid_late(floor)
    assert here[1] == {**main, "board-bonus": 150_00, "toke": 25_00}
    assert sum(main.values()) + 150_00 == 3_650_00
    assert won(of_file(**LATE))[1] == here[1]


def test_w2_r52__a_folded_hands_side_wager_is_found_late():
    floor = late()
    floor.do(a.AcceptLate(2, "board-bonus", 50_00, FLOOR), "flo")
    assert floor.chips("bob") == -(5_00 + 50_00)
    assert floor.refused(a.AcceptLate(2, "ante", 50_00, FLOOR), "flo").code == "seat/folded"
    here = paid_late(floor)
    assert here[2] == {"ante": 0, "board-bonus": 1_500_00}
    assert won(of_file(**LATE))[2] == here[2]


def test_w1_r52__a_bet_stays_exactly_twice_a_late_ante():
    floor = with_real_cards("ann", book=SENECA, minimum_cents=5_00, maximum_cents=25_00)
    floor.bet(1, ante=25_00)
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "As Ah Ad 2c 3c Ks Kd 4h 5h 7h")
    floor.raises(1)
    floor.do(a.AcceptLate(1, "ante", 50_00, FLOOR), "flo")
    floor.do(a.Turn(), "dan")
    floor.do(a.Turn(), "dan")
    floor.do(a.Pay(), "dan")
    assert paid(floor)[1] == {"ante": 50_00, "bet": 300_00}


def test_r52__a_raise_found_late_is_an_offered_multiple_and_a_toke_stands():
    floor = with_real_cards("ann", book=DIAMOND_JO, minimum_cents=5_00, maximum_cents=25_00)
    floor.bet(1, toke=2_50, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "As Ah")
    floor.raises(1, times=1)
    assert floor.refused(a.AcceptLate(1, "raise-1", 15_00, FLOOR), "flo").code == (
        "raise/not-a-multiple"
    )
    floor.do(a.AcceptLate(1, "raise-1", 30_00, FLOOR), "flo")
    floor.do(a.AcceptLate(1, "toke", 5_00, FLOOR), "flo")
    assert floor.chips("ann") == -(10_00 + 30_00 + 5_00)
    for card in ("2c", "3d"):
        dealt(floor, card)
        floor.raises(1, times=1)
    dealt(floor, "9h")
    floor.do(a.Turn(), "dan")
    here = floor.table
    again = of_file(
        rulebook=DIAMOND_JO.id,
        maximum="25.00",
        board="2c 3d 9h",
        seat=[
            {"seat": 1, "cards": "As Ah", "ante": "10.00", "raises": [3, 1, 1], "accepted": True}
            | {"toke": "5.00"},
        ],
    )
    floor.do(a.Pay(), "dan")
    assert here.round.seats[1].raises == (3, 1, 1)
    assert won(again) == paid(floor)


def silent(cards: str, book: Rulebook = SENECA) -> Floor:
    """The clock runs out on who has a token down and holds these cards."""
    floor = Floor(book, opened=False)
    floor.deck(cards, "2c 3d 4c 7h 9s")
    floor.do(c.OpenTable(book.id, minimum_cents=5_00, maximum_cents=100_00), "max")
    floor.sit("ann")
    floor.bet(1, ante=5_00, progressive=1_00)
    unit = floor.strikes()
    (folded,) = happened(unit, e.Folded)
    assert folded.timed_out
    return floor.papers()


@pytest.mark.parametrize(
    ("cards", "award", "meter"),
    [
        ("Ah Kh Qh Jh Th", 10_000_70, 10_000_00),
        ("Kh Qh Jh Th 9h", 1_000_07, 9_000_63),
        ("Ah Kh Qh Jh 2h", 50_00, 9_950_70),
        ("Ah Kd Qh Jh 2h", 0, 10_000_70),
    ],
    ids=["all of the meter", "a part of it", "a fixed award", "nothing"],
)
def test_w10_r62__the_clock_gives_up_no_award(cards, award, meter):
    floor = silent(cards)
    assert paid(floor)[1] == {"ante": 0, "progressive": award}
    assert floor.table.meter_cents == meter
    withheld = floor.accounts[ledger.tax(practice=False)]
    assert floor.chips("ann") == award - withheld - 5_00 - 1_00
    written = royal(cards=cards, ante="5.00", raises=[0], timed_out=True)
    assert won(of_file(**written, meter="10,000.70")) == paid(floor)
    confirmed = royal(cards=cards, ante="5.00", raises=[0])
    assert won(of_file(**confirmed, meter="10,000.70"))[1]["progressive"] == 0


def test_r62__a_house_may_read_it_otherwise():
    assert SENECA.progressive is not None
    strict = replace(SENECA, progressive=replace(SENECA.progressive, timeout="lost"))
    assert paid(silent("Ah Kh Qh Jh Th", strict))[1] == {"ante": 0, "progressive": 0}


def test_r62__its_hand_is_shown_before_the_award_is_paid_and_its_line_says_why():
    floor = silent("Ah Kh Qh Jh Th")
    (shown,) = [event for event in floor.events if isinstance(event, e.HandShown)]
    assert shown.cards == entered("Ah Kh Qh Jh Th")
    (done,) = [event for event in floor.events if isinstance(event, h.RoundPaid)]
    line = next(each for each in done.seats[0].lines if each.spot == "progressive")
    assert [why.code for why in line.reasons] == ["row-award", "kept", "meter", "form"]
    assert line.reasons[1].clause == "R62"


@pytest.mark.parametrize(
    ("cards", "award"),
    [("Ah Kh Qh Jh Th", 10_000_70), ("Ah Kh Qh Jh 2h", 50_00), ("Ah Kd Qh Jh 2h", 0)],
    ids=["all of the meter", "a fixed award", "nothing"],
)
def test_r62__a_hand_that_nobody_has_read_is_turned_over_before_its_token_is_lost(cards, award):
    floor = Floor(SENECA, dealing="entered", practice=True, maximum_cents=100_00).sit("ann", "bob")
    floor.do(c.StartDealing(), "dan")
    opens_betting(floor)
    floor.bet(1, ante=5_00, progressive=1_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal((None,) * 5), "dan")
    dealt(floor, "2c 3d 4c 7h 9s")
    unit = floor.do(c.FreeSeat(1, "ann", "nobody is there"), "own")
    (folded,) = happened(unit, e.Folded)
    assert (folded.timed_out, folded.kept) == (True, "progressive")
    floor.do(a.Turn(), "dan")
    floor.do(a.Turn(entered(cards)), "dan")
    floor.do(a.Pay(), "dan")
    assert paid(floor.papers())[1] == {"ante": 0, "progressive": award}


def test_w9_r63__a_hand_that_is_dead_for_its_count_gets_no_more_cards():
    floor = with_real_cards(
        "ann", "bob", "cat", book=SENECA, minimum_cents=5_00, maximum_cents=25_00
    )
    for seat in (1, 2, 3):
        floor.bet(seat, ante=5_00)
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "Ah Kh Qh Jh Th 9d 8d 7d 6d")
    (died,) = happened(floor.do(a.KillHand(2, "count", FLOOR), "flo"), e.HandDied)
    assert died.count == 4
    assert [each.seat for each in floor.table.round.seats.values() if each.ended] == [2]
    dealt(floor, "9c 8c 7c 6c 5c 2c 3d 4c 7h 9s")
    state = floor.table.round
    assert state.seats[3].cards == entered("9c 8c 7c 6c 5c"), "a straight flush"
    assert state.piles["dealer"] == entered("2c 3d 4c 7h 9s")
    floor.raises(1, 3)
    floor.do(a.Turn(), "dan")
    floor.do(a.Turn(), "dan")
    floor.do(a.Pay(), "dan")
    assert floor.chips("bob") == 0


@pytest.mark.parametrize("dead", [1, 2, 3])
@pytest.mark.parametrize("at", range(1, 9))
def test_r63__whatever_is_dealt_one_by_one_goes_past_who_is_dead(dead, at):
    """Cards go round one at a time; the places of the living get the cards in their order."""
    step = replace(SENECA.script[0], packet=1)
    book = replace(SENECA, script=(step, *SENECA.script[1:]))
    game = opened(book, {seat: {"ante": 5_00} for seat in (1, 2, 3)})
    game.do(a.CloseBets())
    for card in DECK[:at]:
        game.do(a.Deal((card,)))
    killed = game.refusal(a.KillHand(dead, "count", FLOOR, "flo")) is None
    assert killed == (at >= dead), "a hand without a card has no wrong number of them"
    if not killed:
        return
    game.do(a.KillHand(dead, "count", FLOOR, "flo"))
    held = game.state.seats[dead].cards
    places = [0, 1, 2, 3]  # the dealer is the last of each lap
    order = [place for _ in range(5) for place in (1, 2, 3, 0)]
    left = [place for place in order[at:] if place != dead]
    expected: dict[int, list[Any]] = {place: [] for place in places}
    for place, card in zip([*order[:at], *left], DECK, strict=False):
        expected[place].append(card)
    game.deal(DECK)
    got = {seat: list(each.cards) for seat, each in game.state.seats.items()}
    assert game.state.seats[dead].cards == held
    assert {**got, 0: list(game.state.piles["dealer"])} == expected


def test_r63__the_number_of_cards_is_on_record_though_none_was_entered():
    game = opened(SENECA, {1: {"ante": 5_00}, 2: {"ante": 5_00}})
    game.do(a.CloseBets())
    game.do(a.Deal(DECK[:5]))
    six = a.KillHand(1, "count", FLOOR, "flo", 6)
    assert refused(game, replace(six, count=11)).code == "dead/count"
    right = refused(game, replace(six, count=5))
    assert (right.code, "right number" in right.message) == ("dead/count", True)
    (unsaid,) = step(SENECA, game.state, replace(six, count=0))
    assert unsaid == e.HandDied(1, "count", FLOOR, "flo"), "five are entered, and were not five"
    assert game.do(six) == (e.HandDied(1, "count", FLOOR, "flo", 6),)


@pytest.mark.parametrize(
    ("book", "cause", "role"),
    [
        (DIAMOND_JO, "exposed-card", FLOOR),
        (DIAMOND_JO, "order-or-count", FLOOR),
        (HOLLYWOOD, "exposed-card", FLOOR),
        (SENECA, "dealer-count", FLOOR),
        (MISSISSIPPI, "order-or-count", FLOOR),
    ],
)
def test_r64__a_cause_is_called_only_when_it_can_have_happened(book, cause, role):
    call = a.CallMisdeal(cause, role, "flo")
    stand = a.LetStand(cause, role, "flo")
    game = opened(book, {1: {"ante": 5_00}})
    for action in (call, stand):
        said = refused(game, action)
        assert (said.code, "R64" in said.clause or book is MISSISSIPPI) == (
            "misdeal/no-grounds",
            True,
        )
        assert said.message.startswith("this cannot have happened yet: ")
    game.do(a.CloseBets())
    assert refused(game, call).code == "misdeal/no-grounds"
    game.deal(DECK)
    assert game.refusal(stand) is None
    game.do(call)
    assert game.state.misdeal == cause


def test_r64__a_dealers_hand_is_wrong_once_it_is_begun_and_a_hand_dies_that_has_cards():
    game = opened(SENECA, {1: {"ante": 5_00}, 2: {"ante": 5_00}})
    game.do(a.CloseBets())
    game.do(a.Deal(DECK[:5]))
    said = refused(game, a.CallMisdeal("dealer-count", FLOOR, "flo"))
    assert said.message == "this cannot have happened yet: the dealer has no card"
    said = refused(game, a.KillHand(2, "information", FLOOR, "flo"))
    assert (said.code, said.place) == ("dead/no-grounds", "")
    assert game.refusal(a.KillHand(1, "information", FLOOR, "flo")) is None
    # What may happen at any time is called at any time.
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}})
    assert game.refusal(a.CallMisdeal("information", FLOOR, "flo")) is None
    said = refused(game, a.CallMisdeal("shuffler", FLOOR, "flo"))
    assert said.message == "this cannot have happened yet: no shuffler is in use and no card is out"


LINE = (FLOOR, "shift-manager", "director-of-table-games", "general-manager")


@pytest.mark.parametrize("named", [*LINE, "surveillance", "dealer"])
def test_r65__whoever_stands_above_acts_for_a_role_and_surveillance_for_nobody(named):
    may = [role for role in (*LINE, "surveillance", "dealer") if DIAMOND_JO.allows(role, [named])]
    assert may == (list(LINE[LINE.index(named) :]) if named in LINE else [named])
    strict = replace(DIAMOND_JO, stand_in="nobody")
    assert [r for r in (*LINE, "surveillance", "dealer") if strict.allows(r, [named])] == [named]


def test_r65__a_payoff_is_approved_by_those_above_and_by_nobody_twice():
    floor = with_real_cards("ann", book=DIAMOND_JO)
    floor.bet(1, ante=11_00)
    floor.do(a.CloseBets(), "dan")
    dealt(floor, "As Ad")
    for card in ("Ac", "7h", "7d"):
        floor.raises(1)
        dealt(floor, card)
    floor.do(a.Turn(), "dan")
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    # The general manager stands for the floor supervisor, and not for the shift manager as well.
    floor.do(c.ApprovePayoff(1, "general-manager"), "gus")
    again = floor.refused(c.ApprovePayoff(1, "general-manager"), "gus")
    assert again.code == "approval/not-needed"
    assert floor.refused(a.Pay(), "dan").code == "pay/not-approved"
    floor.do(c.ApprovePayoff(1, "director-of-table-games"), "dot")
    floor.do(a.Pay(), "dan")
    seat = resettle.RetoldSeat(1, "ann", wagers=[resettle.RetoldWager("ante", "main", 11_00)])
    seat.wagers[0].won_cents = 1_100_00
    for given, enough in (
        ([("dealer", "dan"), ("general-manager", "gus"), ("shift-manager", "max")], True),
        ([("dealer", "dan"), ("general-manager", "gus"), ("director-of-table-games", "dot")], True),
        ([("dealer", "dan"), ("surveillance", "sue"), ("shift-manager", "max")], True),
        ([("dealer", "dan"), ("surveillance", "sue"), ("surveillance", "sal")], False),
        ([("dealer", "dan"), ("general-manager", "gus"), ("shift-manager", "gus")], False),
    ):
        assert approved(DIAMOND_JO, seat, given, {"dan"}) is enough
        rules = needed(DIAMOND_JO, seat.won_cents)
        assert (missing(DIAMOND_JO, rules, given, "dan") == ()) is enough


def test_r65__misdeals_late_finds_limits_and_cards():
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}})
    for role in (*LINE, "surveillance", "dealer"):
        called = game.refusal(a.CallMisdeal("other", role, "pat")) is None
        assert called is (role in LINE[1:])
    floor = Floor(replace(DIAMOND_JO, deck=replace(DIAMOND_JO.deck, replaced_by=(FLOOR,))))
    floor.do(c.ChangeLimits(10_00, 50_00, "busy"), "gus")
    floor = new_cards(Floor(floor.book, dealing="entered"))
    floor.do(c.ReplaceCard(DECK[0], "director-of-table-games", "bent"), "dot")
