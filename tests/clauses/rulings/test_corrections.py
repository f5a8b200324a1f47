"""R53, R54: what was recorded wrongly is put right, before and after it is paid, by two people."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.cards import cards, shuffled
from pitboss.errors import Refused
from pitboss.house.books import ledger
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.round import Round, due
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.redo import Facts, SeatFacts
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep
from pitboss.settle import Player
from tests.helpers import BOOKS, DIAMOND_JO, SENECA
from tests.house.floor import Floor, happened, with_real_cards
from tests.round.test_redo import other


def works(floor: Floor, deck: Any, *, times: int = 0, fold: Any = lambda: False) -> None:
    """Work the script with cards of this deck until the round is settled."""
    while floor.table.round.phase == "playing":
        step: Any = floor.book.script[floor.table.round.step]
        if waiting := due(floor.book, floor.table.round):
            no = a.Fold(waiting[0], confirmed=True)
            go = a.Raise(waiting[0], times or max(step.times))
            floor.do(no if fold() else go, "dan")
        elif isinstance(step, DealStep):
            floor.do(a.Deal((next(deck),)), "dan")
        else:
            floor.do(a.Turn(), "dan")


def royal(**opening: Any) -> Floor:
    """W11: Th entered for Td makes a royal flush, and the payoff waits for approval."""
    floor = with_real_cards("ann", "bob", **opening)
    floor.bet(1, "dan", ante=10_00)
    floor.bet(2, "dan", ante=5_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh 2c 3d Qh Jh Th")), times=1)
    return floor


TEN = Facts(piles={"board": (None, None, *cards("Td"))})


def correct(facts: Facts, role: str) -> c.Correct:
    return c.Correct(role, "it is the ten of diamonds", facts.seats, facts.piles)


def test_w11_r53__a_mistyped_card_is_put_right_before_it_is_paid():
    floor = royal()
    assert list(floor.table.announced) == [1]
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    asked = floor.do(correct(TEN, "dealer"), "dan")
    assert isinstance(asked.events[0], h.CorrectionAsked)
    assert floor.table.round.piles["board"] == cards("Qh Jh Th"), "one alone changes nothing"
    unit = floor.do(correct(TEN, "floor-supervisor"), "flo")
    [put_right] = happened(unit, h.RoundCorrected)
    assert put_right.by == (("dealer", "dan"), ("floor-supervisor", "flo"))
    assert put_right.void == (1,), "what was approved of the royal is void"
    assert floor.table.round.piles["board"] == cards("Qh Jh Td")
    assert floor.table.approved == ()
    assert floor.table.correction is None
    assert floor.table.announced == {1: 160_00}, "a straight is called out, and no more"
    assert floor.refused(a.Pay(), "dan").code == "pay/not-approved"
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    floor.do(a.Pay(), "dan")
    [paid] = [each for each in floor.events if isinstance(each, h.RoundPaid)]
    assert paid.seats[0].hand == "straight, ace high"
    # Ante and three raises of 10.00 each at 4 to 1, with what lay there: seat 2 lost its 20.00.
    odds = next(row.odds for row in DIAMOND_JO.table[0].rows if row.row == "straight")
    assert odds is not None
    assert floor.chips("ann") == 40_00 * int(odds)
    assert floor.chips("bob") == -20_00


def test_r53__the_first_version_stays_in_the_journal():
    floor = royal()
    before = [each for each in floor.events if isinstance(each, e.Event)]
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    floor.do(correct(TEN, "dealer"), "dan")
    assert [each for each in floor.events if isinstance(each, e.Event)] == before


def test_r53__a_payoff_that_the_change_does_not_touch_stays_approved():
    floor = royal()
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor")):
        floor.do(c.ApprovePayoff(1, role), who)
    approved = floor.table.approved
    facts = Facts((SeatFacts(2, decisions=(None, None, "fold")),))
    floor.do(correct(facts, "dealer"), "dan")
    unit = floor.do(correct(facts, "shift-manager"), "max")
    [put_right] = happened(unit, h.RoundCorrected)
    assert put_right.void == ()
    assert floor.table.approved == approved
    assert floor.chips("bob") == -15_00, "the last raise went back"


def test_r53__a_payoff_that_is_another_now_is_announced_again():
    floor = royal()
    facts = Facts((SeatFacts(1, wagers={"ante": 5_00}),))
    floor.do(c.ApprovePayoff(1, "floor-supervisor"), "flo")
    floor.do(correct(facts, "dealer"), "dan")
    unit = floor.do(correct(facts, "floor-supervisor"), "flo")
    [announced] = happened(unit, h.PayoffAnnounced)
    assert announced.won_cents == floor.table.announced[1]
    assert floor.table.approved == ()
    assert floor.chips("ann") == -20_00


def test_r53__a_round_that_waits_again_goes_on():
    floor = royal()
    floor.do(c.ApprovePayoff(1, "floor-supervisor"), "flo")
    facts = Facts((SeatFacts(2, decisions=(None, "fold")), SeatFacts(1, decisions=(None, 2, 3))))
    floor.do(correct(facts, "dealer"), "dan")
    floor.do(correct(facts, "floor-supervisor"), "flo")
    assert floor.table.round.seats[1].raises == (1, 2, 3)
    folded = Facts((SeatFacts(1, decisions=("fold",)),))
    floor.do(correct(folded, "dealer"), "dan")
    floor.do(correct(folded, "floor-supervisor"), "flo")
    assert floor.table.announced == {}
    assert floor.table.round.seats[2].folded == 2
    again = Facts((SeatFacts(2, decisions=(None, 1)),))
    floor.do(correct(again, "dealer"), "dan")
    floor.do(correct(again, "floor-supervisor"), "flo")
    assert floor.table.round.phase == "playing", "the third card is dealt once more"
    floor.do(a.Deal(cards("Jh")), "dan")
    works(floor, iter(cards("Td")))
    floor.do(a.Pay(), "dan")


def test_r53__nobody_puts_anything_right_alone_or_twice_or_in_another_role():
    floor = royal()
    assert floor.refused(correct(TEN, "dealer"), "flo").code == "role/not-yours"
    assert floor.refused(correct(TEN, "surveillance"), "sue").code == "role/not-yours"
    assert floor.refused(correct(TEN, "dealer"), "eve").code == "dealer/not-you"
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    assert floor.refused(correct(TEN, "floor-supervisor"), "flo").code == "correction/second-role"
    assert floor.refused(correct(TEN, "shift-manager"), "max").code == "correction/second-role"
    floor.do(correct(TEN, "dealer"), "dan")


def test_r53__nobody_puts_right_a_round_that_they_play_in_or_dealt():
    floor = with_real_cards("ann", "pip")
    floor.bet(1, "dan")
    floor.bet(2, "dan")
    floor.do(a.CloseBets(), "dan")
    facts = Facts((SeatFacts(1, wagers={"ante": 10_00}),))
    assert floor.refused(correct(facts, "floor-supervisor"), "pip").code == "role/takes-part"
    floor.do(c.StopDealing(), "dan")
    floor.do(c.StartDealing(), "eve")
    floor.do(c.StopDealing(), "eve")
    floor.do(c.StartDealing(), "dan")
    assert floor.refused(correct(facts, "floor-supervisor"), "eve").code == "role/takes-part"


def test_r53__another_fact_is_another_correction_and_none_takes_it_back():
    floor = royal()
    assert floor.refused(correct(Facts(), "dealer"), "dan").code == "correction/nothing"
    same = Facts(piles={"board": cards("Qh")})
    assert floor.refused(correct(same, "dealer"), "dan").code == "correction/nothing"
    floor.do(correct(TEN, "dealer"), "dan")
    nine = Facts(piles={"board": (None, None, *cards("9h"))})
    unit = floor.do(correct(nine, "floor-supervisor"), "flo")
    assert happened(unit, h.RoundCorrected) == []
    assert floor.table.correction is not None
    assert floor.table.correction.person == "flo"
    assert floor.refused(a.Pay(), "dan").code == "pay/correction"
    floor.do(correct(Facts(), "floor-supervisor"), "flo")
    assert floor.table.correction is None
    assert floor.refused(a.Pay(), "dan").code == "pay/not-approved"


def test_r53__only_what_was_entered_can_have_been_entered_wrongly():
    sealed = Floor(DIAMOND_JO).sit("ann")
    sealed.bet(1)
    facts = Facts((SeatFacts(1, wagers={"ante": 10_00}),))
    assert sealed.refused(correct(facts, "floor-supervisor"), "flo").code == "correction/sealed"
    empty = with_real_cards("ann")
    assert empty.refused(correct(facts, "floor-supervisor"), "flo").code == "correction/not-now"
    empty.bet(1, "dan")
    assert empty.refused(correct(facts, "floor-supervisor"), "flo").code == "correction/not-now"


def test_r53__at_a_practice_table_its_owner_is_enough():
    floor = Floor(DIAMOND_JO, dealing="entered", practice=True)
    floor.do(c.Sit(1), "ann")
    floor.do(c.StartDealing(), "own")
    floor.do(c.BringCards(("red",)), "own")
    for role in ("dealer", "floor-supervisor"):
        floor.do(c.InspectCards(role), "own")
    floor.do(c.WashCards(), "own")
    floor.do(c.ShuffleCards(), "own")
    floor.do(c.OpenBetting(), "own")
    floor.bet(1, "own")
    floor.do(a.CloseBets(), "own")
    floor.do(a.Deal(cards("Ah Kh")), "own")
    facts = Facts((SeatFacts(1, cards=cards("Ad")),))
    floor.do(correct(facts, "dealer"), "own")
    assert floor.table.round.seats[1].cards == cards("Ad Kh")


def test_r53__nobody_is_sent_a_card_that_is_put_right_before_they_may_see_it():
    floor = with_real_cards("ann", "bob")
    floor.bet(1, "dan")
    floor.bet(2, "dan")
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("Ah Kh 2c 3d")), "dan")
    facts = Facts((SeatFacts(1, cards=cards("Ad")),))
    asked = floor.do(correct(facts, "dealer"), "dan")
    unit = floor.do(correct(facts, "floor-supervisor"), "flo")
    for event in (*asked.events, *unit.events):
        for seat in (None, 2):
            assert b"Ad" not in _written(visible(event, seat))
            assert b"Kh" not in _written(visible(event, seat))
    [put_right] = happened(unit, h.RoundCorrected)
    assert b"Ad" in _written(visible(put_right, 1))


def _written(event: h.TableEvent) -> bytes:
    return codec.encode(event)


def test_r53__a_token_put_right_goes_to_the_meter_or_comes_back():
    floor = with_real_cards("ann", "bob", book=SENECA, minimum_cents=10_00, maximum_cents=100_00)
    meter = floor.pool
    floor.bet(1, "dan", ante=10_00, progressive=1_00)
    floor.bet(2, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    assert floor.pool == meter + 70
    facts = Facts(
        (
            SeatFacts(1, wagers={"ante": 10_00}),
            SeatFacts(2, wagers={"ante": 10_00, "progressive": 1_00}),
        )
    )
    floor.do(correct(facts, "dealer"), "dan")
    floor.do(correct(facts, "floor-supervisor"), "flo")
    assert (floor.chips("ann"), floor.chips("bob")) == (-10_00, -11_00)
    assert floor.pool == meter + 70
    facts = Facts((SeatFacts(2, wagers={"ante": 10_00}),))
    floor.do(correct(facts, "floor-supervisor"), "flo")
    floor.do(correct(facts, "dealer"), "dan")
    assert floor.pool == meter
    assert floor.table.meter_cents == meter


# Undo -------------------------------------------------------------------------------------------


def test_r53__the_dealer_takes_back_the_last_entry_and_nothing_before_it():
    floor = with_real_cards("ann", "bob")
    for command in (
        a.Bet(1, {"ante": 5_00}),
        a.Bet(2, {"ante": 5_00}, 1_00),
        a.CloseBets(),
        a.Deal(cards("Ah Kh 2c")),
        a.Deal(cards("3d")),
        a.Raise(1, 3),
        a.Fold(2),
        a.Deal(cards("Qh")),
    ):
        before, chips = floor.table.round, floor.chips("ann")
        floor.do(command, "dan")
        unit = floor.do(c.Undo(), "dan")
        assert len(happened(unit, h.EntryUndone)) == 1
        assert (floor.table.round, floor.chips("ann")) == (before, chips)
        # With the next card known, nobody decides otherwise than they did.
        gone = floor.refused(c.Undo(), "dan").code
        assert gone == ("undo/nothing" if floor.table.under_way else "correction/not-now")
        floor.do(command, "dan")


def test_r53__what_somebody_else_has_seen_or_done_is_not_undone():
    floor = with_real_cards("ann", "bob")
    floor.bet(1, "ann")
    assert floor.refused(c.Undo(), "dan").code == "undo/nothing"
    floor.bet(2, "dan")
    floor.do(c.SitOut(), "ann")
    assert floor.refused(c.Undo(), "dan").code == "undo/nothing"
    assert floor.refused(c.Undo(), "flo").code == "dealer/not-you"
    floor.do(a.CloseBets(), "dan")
    floor.do(c.Undo(), "dan")
    assert floor.table.round.phase == "betting"
    floor.do(c.StopDealing(), "dan")
    floor.do(c.StartDealing(), "eve")
    assert floor.refused(c.Undo(), "eve").code == "undo/nothing"


def test_r53__an_undone_entry_takes_its_announcement_along():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Th")), times=1)
    assert floor.table.announced
    floor.do(c.Undo(), "dan")  # the hand is not shown yet
    assert floor.table.announced == {}
    floor.do(a.Turn(), "dan")
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    assert floor.refused(c.Undo(), "dan").code == "undo/nothing", "that changed nothing of it"
    for who, role in (("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.do(a.Pay(), "dan")
    assert floor.refused(c.Undo(), "dan").code == "correction/not-now"


def test_r53__a_correction_is_not_undone():
    floor = royal()
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    floor.do(correct(TEN, "dealer"), "dan")
    assert floor.refused(c.Undo(), "dan").code == "undo/nothing"


# After payment ----------------------------------------------------------------------------------


def put_right(number: int, facts: Facts, role: str) -> c.CorrectPaid:
    return c.CorrectPaid(number, role, "it is the ten of diamonds", facts.seats, facts.piles)


def adjusts(floor: Floor, number: int, facts: Facts) -> h.RoundAdjusted:
    floor.do(put_right(number, facts, "shift-manager"), "max")
    unit = floor.do(put_right(number, facts, "surveillance"), "sue")
    found: list[h.RoundAdjusted] = happened(unit, h.RoundAdjusted)
    return found[0]


def paid_royal() -> Floor:
    floor = royal()
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.do(a.Pay(), "dan")
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
    assert floor.accounts[ledger.tokes("t")] == 5_00


def test_r54__what_is_put_right_can_be_put_right_again():
    floor = paid_royal()
    first = floor.rounds[1].paid
    adjusts(floor, 1, TEN)
    owed = account(floor, "claims", "ann")
    event = adjusts(floor, 1, Facts(piles={"board": (None, None, *cards("Th"))}))
    assert event.paid == first
    assert event.seats[0].chips_cents == owed, "the claim stays until it is collected"
    assert account(floor, "claims", "ann") == owed


def test_r54__the_dealers_owe_what_their_toke_won_too_much():
    floor = with_real_cards("ann")
    floor.bet(1, "dan", toke=1_00, ante=10_00)
    floor.do(a.CloseBets(), "dan")
    works(floor, iter(cards("Ah Kh Qh Jh Td")), times=1)
    floor.do(c.ApprovePayoff(1, "dealer"), "dan")
    floor.do(a.Pay(), "dan")
    adjusts(floor, 1, Facts(piles={"board": (None, None, *cards("2d"))}))
    assert floor.accounts["claims:tokes:t"] == 5_00
    assert account(floor, "claims", "ann") == 200_00


def test_r54__money_that_is_held_too_much_is_claimed_of_what_is_held():
    floor = royal()
    floor.players["ann"] = Player(identified=False)
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
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
    floor.do(a.Pay(), "dan")
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
        floor.do(a.Pay(), "dan")
    assert floor.pool == meter
    adjusts(floor, 1, Facts((SeatFacts(1, cards=(None,) * 4 + cards("Th")),)))
    assert floor.pool == meter


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
            told = _written(visible(each, seat))
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


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
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
        for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
            try:
                floor.do(c.ApprovePayoff(seat, role), who)
            except Refused:
                continue
    floor.do(a.Pay(), "dan")
