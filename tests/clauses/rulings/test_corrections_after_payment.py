"""R54: what was recorded wrongly is put right after it was paid, by two people; and any round."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.cards import cards, shuffled
from pitboss.errors import Refused
from pitboss.house.books import ledger
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.house.table.payoffs import can_pay
from pitboss.round import Round, due
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.rulebook.pit_rules import Corrections
from pitboss.settle import Player
from pitboss.web.pages.table_status import credit_lines
from tests.clauses.rulings.test_corrections_before_payment import (
    TEN,
    correct,
    royal,
    works,
    written,
)
from tests.helpers import BOOKS, DIAMOND_JO, SENECA
from tests.house.floor import Floor, happened, opens_betting, with_real_cards
from tests.round.test_redo import other

HEARTS = Facts(piles={"board": (None, None, *cards("Th"))})


def put_right(number: int, facts: Facts, role: str) -> c.CorrectPaid:
    return c.CorrectPaid(role, "it is the ten of diamonds", facts.seats, facts.piles, round=number)


def adjusts(floor: Floor, number: int, facts: Facts) -> h.RoundAdjusted:
    floor.do(put_right(number, facts, "shift-manager"), "max")
    unit = floor.do(put_right(number, facts, "surveillance"), "sue")
    found: list[h.RoundAdjusted] = happened(unit, h.RoundAdjusted)
    return found[0]


def paid_royal() -> Floor:
    floor = royal()
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.papers().do(a.Pay(), "dan")
    return floor


def account(floor: Floor, kind: str, who: str) -> int:
    return floor.accounts[f"{kind}:{who}"]


def test_w11_r54__a_mistyped_card_is_put_right_after_it_was_paid():
    floor = paid_royal()
    assert floor.accounts["tax"] == 24 * 20_000_00 // 100
    before, lost = floor.chips("ann"), floor.chips("bob")
    event = adjusts(floor, 1, TEN)
    assert event.by == (("shift-manager", "max"), ("surveillance", "sue"))
    assert event.paid.seats[0].hand == "straight, ace high"
    assert (event.paid.seats[0].forms, event.paid.notify) == ((), ())
    assert event.paid.date == floor.rounds[1].paid.date
    # 20,000.00 less 24% was paid; 160.00 is what the straight wins.
    assert account(floor, "claims", "ann") == 20_000_00 * 76 // 100 - 160_00
    assert (floor.chips("ann"), floor.chips("bob")) == (before, lost), "nobody takes her chips"
    assert floor.accounts["tax"] == 0
    assert floor.table.last is not None
    assert floor.table.last.seats[0].hand == "straight, ace high"


def test_r54__who_puts_a_paid_round_right_is_said_by_the_rules_of_that_round():
    """The list of what waits goes by them, too, whatever the table has been opened with since."""
    floor = paid_royal()
    others = Corrections(after=(("general-manager",), ("shift-manager",)))
    late = replace(DIAMOND_JO.limits, late_by=("general-manager",))
    floor.book = replace(DIAMOND_JO, corrections=others, limits=late)
    found = floor.refused(put_right(1, TEN, "director-of-table-games"), "gus").code
    assert found == "role/not-yours"
    adjusts(floor, 1, Facts((SeatFacts(1, late={"ante": 200_00}),)))
    assert floor.rounds[1].paid.seats[0].lines[0].stake_cents == 200_00


def test_r54__what_was_paid_too_little_is_paid():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", toke=1_00, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh 2d")), times=1)
    floor.do(a.Pay(), "dan")
    assert floor.chips("ann") == -41_00
    straight = Facts(piles={"board": (None, None, *cards("Td"))})
    event = adjusts(floor, 1, straight)
    [moved] = event.seats
    assert (moved.chips_cents, moved.claim_cents) == (200_00, 0)
    assert moved.tokes_cents == 5_00
    assert floor.chips("ann") == 160_00 - 1_00
    [told] = credit_lines(floor.table, floor.book)
    assert told.endswith(
        "$200 was credited to the account of Ann, seat 1, and nothing is handed over."
    )
    assert floor.accounts[ledger.tokes("t")] == 5_00


def test_r54__what_is_put_right_can_be_put_right_again():
    floor = paid_royal()
    first = floor.rounds[1].paid
    before = dict(floor.accounts)
    adjusts(floor, 1, TEN)
    owed = account(floor, "claims", "ann")
    event = adjusts(floor, 1, HEARTS)
    assert event.paid == first
    assert (event.seats[0].chips_cents, event.seats[0].claim_cents) == (0, -owed)
    assert {**floor.accounts, "claims:ann": 0} == {**before, "claims:ann": 0}
    assert account(floor, "claims", "ann") == 0, "nobody is paid what they owe"


def test_r54__what_rises_pays_first_what_is_owed_of_the_same_round():
    floor = paid_royal()
    adjusts(floor, 1, TEN)
    owed, chips = account(floor, "claims", "ann"), floor.chips("ann")
    # Of what she owes 10,000.00 was given back, and 5,000.00 written off.
    past = floor.rounds[1]
    left = replace(past.owed[1], cents=owed - 15_000_00, written_off_cents=5_000_00)
    floor.rounds[1] = replace(past, owed={1: left})
    told = floor.claims.known["t-1-1"]
    told.cents, told.written_off = left.cents, left.written_off_cents
    floor.accounts["claims:ann"] -= 15_000_00
    floor.accounts["cage"] += 15_000_00
    [moved] = adjusts(floor, 1, HEARTS).seats
    assert moved.claim_cents == -(owed - 15_000_00)
    assert moved.written_off_cents == 5_000_00, "she has that"
    assert (moved.chips_cents, floor.chips("ann")) == (10_000_00, chips + 10_000_00)
    now = floor.rounds[1].owed[1]
    assert (now.cents, now.written_off_cents, account(floor, "claims", "ann")) == (0, 0, 0)


def test_r54__tokes_that_rise_pay_first_what_the_dealers_owe():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", toke=1_00, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Td")), times=1)
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    floor.do(a.Pay(), "dan")
    before = floor.accounts["tokes:t"]
    adjusts(floor, 1, Facts(piles={"board": (None, None, *cards("2d"))}))
    assert floor.accounts["claims:tokes:t"] == 5_00
    adjusts(floor, 1, Facts(piles={"board": (None, None, *cards("Td"))}))
    assert floor.accounts["claims:tokes:t"] == floor.table.tokes_owed_cents == 0
    assert floor.accounts["tokes:t"] == before


def test_r54__the_dealers_owe_what_their_toke_won_too_much():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", toke=1_00, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Td")), times=1)
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    floor.do(a.Pay(), "dan")
    adjusts(floor, 1, Facts(piles={"board": (None, None, *cards("2d"))}))
    assert floor.accounts["claims:tokes:t"] == floor.table.tokes_owed_cents == 5_00
    assert account(floor, "claims", "ann") == 200_00
    cage = floor.accounts["cage"]
    unit = floor.do(c.DropTokes(), "flo")
    assert happened(unit, h.TokesDropped) == [h.TokesDropped(5_00, owed_cents=5_00)]
    assert floor.accounts["claims:tokes:t"] == floor.table.tokes_owed_cents == 0
    assert floor.accounts["dealers"] == 0, "they have had it before"
    # The cage stood for the claim, and has now both that and the chips.
    assert floor.accounts["cage"] == cage + 10_00


def test_r54__what_the_dealers_owe_is_written_off_by_the_shift_manager():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", toke=1_00, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Td")), times=1)
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    floor.do(a.Pay(), "dan")
    assert floor.refused(c.WriteOffTokes("our mistake"), "max").code == "tokes/not-owed"
    adjusts(floor, 1, Facts(piles={"board": (None, None, *cards("2d"))}))
    floor.do(c.CloseTable("for the night"), "max")
    cage = floor.accounts["cage"]
    unit = floor.do(c.WriteOffTokes("our mistake"), "max")
    assert happened(unit, h.TokesWrittenOff) == [h.TokesWrittenOff(5_00, "our mistake")]
    assert floor.accounts["claims:tokes:t"] == floor.table.tokes_owed_cents == 0
    assert floor.accounts["cage"] == cage + 5_00


def test_r54__tokes_that_were_written_off_and_rise_again_are_not_paid_twice():
    """What the dealers kept of a round is no debt of another."""
    floor = with_real_cards("ann")
    for _ in range(2):
        if not floor.table.betting:
            opens_betting(floor)
        floor.bet(1, "dan", toke=1_00, ante=10_00)
        floor.do(a.CloseBets(), "dan")
        works(floor, iter(cards("Ah Kh Qh Jh Td")), times=1)
        floor.do(c.ApprovePayoff(1, "dealer"), "dan")
        floor.do(a.Pay(), "dan")
    paid, box = 5_00, "tokes:t"
    assert floor.accounts[box] == 2 * paid
    nothing, straight = (Facts(piles={"board": (None, None, *cards(x))}) for x in ("2d", "Td"))
    adjusts(floor, 1, nothing)
    floor.do(c.WriteOffTokes("our mistake"), "max")
    adjusts(floor, 2, nothing)
    adjusts(floor, 2, straight)
    assert (floor.accounts[box], floor.accounts[f"claims:{box}"]) == (2 * paid, 0)
    adjusts(floor, 1, straight)
    assert floor.accounts[box] == 2 * paid, "they have had it all the while"
    # And once it is even, what falls is owed again.
    adjusts(floor, 1, nothing)
    assert floor.accounts[f"claims:{box}"] == floor.table.tokes_owed_cents == paid


def test_r54__money_that_is_held_too_much_is_claimed_of_what_is_held():
    floor = royal()
    floor.players["ann"] = Player(identified=False)
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.do(c.HoldPayoff(1, "no papers"), "cay")
    floor.do(a.Pay(), "dan")
    assert account(floor, "held", "ann") == 20_000_00
    floor.players["ann"] = Player()
    event = adjusts(floor, 1, TEN)
    assert event.paid.players[1] == Player(identified=False), "as it was known then"
    [moved] = event.seats
    assert (moved.chips_cents, moved.claim_cents) == (160_00, 20_000_00)


def test_r54__a_meter_follows_and_never_owes():
    floor = with_real_cards("ann", book=SENECA, minimum_cents=10_00, maximum_cents=100_00)
    meter = floor.pool
    floor.bet(1, "dan", ante=10_00, progressive=1_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Th 2c 3d 4c 7h 9s")))
    floor.papers().do(a.Pay(), "dan")
    won = meter + 70
    assert floor.pool == meter, "the jackpot is won, and starts again"
    adjusts(floor, 1, Facts((SeatFacts(1, cards=(None,) * 4 + cards("Td")),)))
    assert floor.pool == won
    assert floor.table.meter_cents == won
    adjusts(floor, 1, Facts((SeatFacts(1, cards=(None,) * 4 + cards("Th")),)))
    assert floor.pool == meter


def test_r54__a_jackpot_that_somebody_else_has_won_since_is_the_houses_to_pay():
    floor = with_real_cards("ann", "bob", book=SENECA, minimum_cents=10_00, maximum_cents=100_00)
    meter = floor.pool
    for hands in ("Ah Kh Qh Jh Td", "As Ks Qs Js Ts"):
        if not floor.table.betting:
            floor.do(c.ShuffleCards(), "dan")
            floor.do(c.OpenBetting(), "dan")
        floor.bet(1, "dan", ante=10_00, progressive=1_00)
        floor.do(a.CloseBets(), "dan")
        works(floor, iter(cards(f"{hands} 2c 3d 4c 7h 9d")))
        floor.papers().do(a.Pay(), "dan")
    assert floor.pool == meter
    adjusts(floor, 1, Facts((SeatFacts(1, cards=(None,) * 4 + cards("Th")),)))
    assert floor.pool == meter


def test_r54__a_meter_that_was_shown_does_not_fall_below_what_it_starts_again_with():
    """A royal flush that was none: a tenth and fifty dollars would have come of the meter."""
    people = ("ann", "bob", "cid")
    floor = with_real_cards(*people, book=SENECA, minimum_cents=10_00, maximum_cents=100_00)
    for seat in (1, 2, 3):
        floor.bet(seat, "dan", ante=10_00, progressive=1_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Th 9s 8s 7s 6s 5s 2h 2d 4c 7d 9d 2c 3d 4d 7h 9c")))
    floor.papers().do(a.Pay(), "dan")
    event = adjusts(floor, 1, Facts((SeatFacts(1, cards=(None,) * 4 + cards("3h")),)))
    assert event.paid.meter_cents == 10_002_10 - 1_000_21 - 50_00
    assert floor.pool == event.meter_cents == 10_000_00, "the house pays the rest"
    assert event.lent_cents == 10_000_00 - event.paid.meter_cents


def test_r54__a_correction_and_its_opposite_leave_the_meter_as_it_was():
    """What the house put up where the meter could not fall comes back before it rises."""
    people = ("ann", "bob", "cid")
    floor = with_real_cards(*people, book=SENECA, minimum_cents=10_00, maximum_cents=100_00)
    for seat in (1, 2, 3):
        floor.bet(seat, "dan", ante=10_00, progressive=1_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh 3d 9s 8s 7s 6s 5d 2h 2d 4c 7d 9d 2c 3c 4d 7h 9c")))
    floor.papers().do(a.Pay(), "dan")
    meter = floor.pool
    assert meter == 10_002_10, "nobody won a part of it"
    for _ in range(2):
        event = adjusts(floor, 1, Facts((SeatFacts(2, cards=(None,) * 4 + cards("5s")),)))
        assert floor.pool == event.meter_cents == 10_000_00
        assert event.lent_cents == 10_000_00 - (event.paid.meter_cents or 0) > 0
        event = adjusts(floor, 1, Facts((SeatFacts(2, cards=(None,) * 4 + cards("5d")),)))
        assert (floor.pool, event.meter_cents, event.lent_cents) == (meter, meter, 0)


def test_r54__nobody_puts_a_paid_round_right_alone_or_in_another_role():
    floor = paid_royal()
    assert floor.refused(put_right(1, TEN, "dealer"), "dan").code == "role/not-yours"
    assert floor.refused(put_right(1, TEN, "floor-supervisor"), "flo").code == "role/not-yours"
    assert floor.refused(put_right(2, TEN, "shift-manager"), "max").code == "round/unknown"
    assert floor.refused(put_right(1, Facts(), "shift-manager"), "max").code == "correction/nothing"
    floor.do(put_right(1, TEN, "shift-manager"), "max")
    again = floor.refused(put_right(1, TEN, "shift-manager"), "max")
    assert again.code == "correction/second-role"
    assert floor.refused(put_right(1, TEN, "general-manager"), "gus").code == again.code
    floor.do(put_right(1, Facts(), "surveillance"), "sue")
    assert floor.table.adjustment is None


def test_r54__nobody_puts_right_a_round_that_they_played_or_dealt():
    floor = with_real_cards("pip", "ann")
    floor.bet(1, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh 2d")), times=1)
    floor.do(a.Pay(), "dan")
    no = floor.refused(put_right(1, TEN, "shift-manager"), "pip")
    assert no.code == "role/takes-part"


def test_r54__one_person_in_two_roles_does_not_agree_with_themselves():
    floor = paid_royal()
    floor.do(put_right(1, TEN, "shift-manager"), "ros")
    no = floor.refused(put_right(1, TEN, "surveillance"), "ros")
    assert no.code == "correction/second-role"
    [adjusted] = happened(floor.do(put_right(1, TEN, "surveillance"), "sue"), h.RoundAdjusted)
    assert adjusted.by == (("shift-manager", "ros"), ("surveillance", "sue"))


def test_r54__a_round_that_would_not_have_ended_is_refused():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("Ah Kh")), "dan")
    floor.do(a.Fold(1), "dan")
    floor.do(a.Pay(), "dan")
    raised = Facts((SeatFacts(1, decisions=(1,)),))
    assert (
        floor.refused(put_right(1, raised, "surveillance"), "sue").code == "correction/unfinished"
    )


def test_r54__it_waits_until_the_next_round_is_over_and_needs_no_open_table():
    floor = paid_royal()
    floor.do(c.ShuffleCards(), "dan")
    floor.do(c.OpenBetting(), "dan")
    floor.bet(1, "dan")
    assert floor.refused(put_right(1, TEN, "surveillance"), "sue").code == "table/round-under-way"
    floor.do(a.Bet(1, {}), "dan")
    floor.do(put_right(1, TEN, "surveillance"), "sue")
    floor.do(c.CloseTable("for the night"), "max")
    unit = floor.do(put_right(1, TEN, "shift-manager"), "max")
    assert len(happened(unit, h.RoundAdjusted)) == 1


def test_r69__what_is_put_right_is_made_of_the_chips_of_its_round():
    floor = with_real_cards("ann", smallest_chip_cents=5_00)
    floor.bet(1, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh 2d")), times=1)
    floor.do(a.Pay(), "dan")
    limits = floor.refused(c.ChangeLimits(12_00, 100_00, "a busy night"), "max")
    assert (limits.code, limits.place) == ("limits/chip", "minimum")
    floor.do(c.CloseTable("for the night"), "max")
    floor.do(c.OpenTable(DIAMOND_JO.id, dealing="entered"), "max")
    seven = Facts((SeatFacts(1, wagers={"ante": 7_00}),))
    no = floor.refused(put_right(1, seven, "surveillance"), "sue")
    assert (no.code, no.message) == (
        "bet/chips",
        "the smallest chip here is $5: no chips make that wager",
    )
    fifteen = Facts((SeatFacts(1, wagers={"ante": 15_00}),))
    floor.do(put_right(1, fifteen, "surveillance"), "sue")


def test_r54__only_what_was_entered_is_put_right():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    floor.folds(1)
    facts = Facts((SeatFacts(1, decisions=(1,)),))
    assert floor.refused(put_right(1, facts, "surveillance"), "sue").code == "correction/sealed"


def test_r54__others_are_told_neither_the_facts_nor_what_somebody_owes():
    floor = paid_royal()
    asked = floor.do(put_right(1, TEN, "shift-manager"), "max")
    event = adjusts_second(floor)
    for each in (*asked.events, event):
        for seat in (None, 2):
            told = written(visible(each, seat))
            assert b"diamonds" not in told
            assert b"claim_cents" not in told
    seen = visible(event, 1)
    assert isinstance(seen, h.RoundAdjusted)
    assert [each.person for each in seen.seats] == ["ann"]
    assert seen.paid.players == {}


def adjusts_second(floor: Floor) -> h.RoundAdjusted:
    unit = floor.do(put_right(1, TEN, "surveillance"), "sue")
    found: list[h.RoundAdjusted] = happened(unit, h.RoundAdjusted)
    return found[0]


# Any round, anything put right ------------------------------------------------------------------


STRICT = replace(SENECA, id="strict/caribbean-stud", approval=DIAMOND_JO.approval)
"""A house that has a jackpot, and large wins approved."""


@pytest.mark.parametrize("book", [*BOOKS, STRICT], ids=lambda book: book.id)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_r53__whatever_is_put_right_every_chip_is_where_it_belongs(book: Rulebook, seed: int):
    """The floor follows every chip and settles every round a second time."""
    chance = random.Random(seed)
    floor = with_real_cards(
        "ann", "bob", "cid", book=book, minimum_cents=5_00, maximum_cents=100_00, seed=seed
    )
    for seat in (1, 2, 3):
        down = {book.ante.name: 5_00 * chance.randint(1, 3)}
        for name, spot in book.opening.items():
            if name != book.ante.name and chance.random() < 0.5:
                down[name] = int(spot.fixed or 5_00)
        if seat == 1 or chance.random() < 0.7:
            toke = 1_00 if book.toke is not None and chance.random() < 0.5 else 0
            floor.do(a.Bet(seat, down, toke), "dan")
    floor.do(a.CloseBets(), "dan")
    deck = iter(shuffled(chance))
    put_right = 0
    while floor.table.under_way:
        if floor.table.round.phase == "playing":
            _one_step(floor, deck, chance)
        if chance.random() < 0.3 and put_right < 10:
            put_right += _tried(floor, chance)
        if chance.random() < 0.1 and floor.table.round.phase in ("playing", "settling"):
            floor.do(c.Undo(), "dan") if _own_last(floor) else None
        if floor.table.round.phase == "settling" and chance.random() < 0.5:
            if can_pay(book, floor.table) and chance.random() < 0.7:
                floor.do(a.Pay(), "dan")  # and the others wait, and may be put right meanwhile
            else:
                _paid(floor)
    assert floor.lies == 0
    for _ in range(4):
        _tried_after(floor, chance)


def _own_last(floor: Floor) -> bool:
    return floor.table.entering == "dan" and floor.table.undo != floor.table.happened


def _one_step(floor: Floor, deck: Any, chance: random.Random) -> None:
    step: Any = floor.book.script[floor.table.round.step]
    if waiting := due(floor.book, floor.table.round):
        seat = chance.choice(waiting)
        go = a.Raise(seat, chance.choice(step.times))
        floor.do(a.Fold(seat, confirmed=True) if chance.random() < 0.2 else go, "dan")
    elif isinstance(step, DealStep):
        out = floor.table.round.out
        card = next(card for card in deck if not out >> card & 1)
        floor.do(a.Deal((card,)), "dan")
    else:
        floor.do(a.Turn(), "dan")


class _Game:
    def __init__(self, floor: Floor) -> None:
        self.state = floor.table.round


def _tried(floor: Floor, chance: random.Random) -> int:
    game: Any = _Game(floor)
    facts = other(floor.book, game, chance)
    try:
        floor.do(correct(facts, "dealer"), "dan")
    except Refused:
        return 0
    floor.do(correct(facts, "floor-supervisor"), "flo")
    return 1


def _tried_after(floor: Floor, chance: random.Random) -> None:
    past = Round(floor.book, floor.rounds[1].events)
    facts = other(floor.book, past, chance)
    try:
        floor.do(put_right(1, facts, "surveillance"), "sue")
    except Refused:
        return
    floor.do(put_right(1, facts, "shift-manager"), "max")
    # All that anybody has, owes or is kept for them is what the round that was put right gives.
    paid = floor.rounds[1].paid
    for seat in paid.seats:
        who = past.state.seats[seat.seat].person if seat.seat in past.state.seats else ""
        if who:
            has = floor.chips(who) - account(floor, "claims", who) + account(floor, "held", who)
            staked = sum(line.stake_cents for line in seat.lines)
            assert has == seat.paid_cents + seat.held_cents - staked


def _paid(floor: Floor) -> None:
    for seat in floor.table.announced:
        for who, role in (("dan", "dealer"), ("fay", "floor-supervisor"), ("sue", "surveillance")):
            try:
                floor.do(c.ApprovePayoff(seat, role), who)
            except Refused:
                continue
    floor.papers().do(a.Pay(), "dan")


def test_r54__what_is_handed_over_is_told_until_bets_are_closed_or_its_patron_leaves():
    floor = with_real_cards()
    for seat in (1, 2):
        floor.do(c.SeatPatron(seat, f"jacket {seat}", 100_00), "flo")
        floor.do(a.Bet(seat, {"ante": 5_00}), "dan")
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Ad Kd 2c 3d 4s")), times=1)
    floor.do(a.Pay(), "dan")
    adjusts(floor, 1, Facts(piles={"board": (*cards("As"),)}))
    told = [
        f"Round 1 was put right: hand $40 in chips from the cage to jacket {seat}, seat {seat}."
        for seat in (1, 2)
    ]
    assert credit_lines(floor.table, floor.book) == told
    opens_betting(floor)
    floor.do(a.Bet(2, {"ante": 5_00}), "dan")
    assert credit_lines(floor.table, floor.book) == told, "who hands it over reads it still"
    floor.do(c.UnseatPatron(1), "dan")
    assert credit_lines(floor.table, floor.book) == told[1:]
    floor.do(a.CloseBets(), "dan")
    assert credit_lines(floor.table, floor.book) == []
