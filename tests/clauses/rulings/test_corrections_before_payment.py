"""R53: what was recorded wrongly is put right before it is paid, by two people."""

from typing import Any

from msgspec.structs import replace

from pitboss.audit.agreement_checks import disagreement
from pitboss.cards import cards
from pitboss.house.storage import codec
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.round import actions as a
from pitboss.round import due
from pitboss.round import events as e
from pitboss.round.redo import Facts, SeatFacts
from pitboss.rulebook.deal_script import DealStep
from tests.helpers import DIAMOND_JO, SENECA
from tests.house.floor import Floor, happened, with_real_cards


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


def test_r53__two_who_name_the_seats_in_another_order_say_the_same():
    floor = royal()
    both = (SeatFacts(1, cards=cards("Ah Ks")), SeatFacts(2, cards=cards("2c 4d")))
    [asked] = happened(floor.do(correct(Facts(both), "dealer"), "dan"), h.CorrectionAsked)
    unit = floor.do(correct(Facts(both[::-1]), "floor-supervisor"), "flo")
    [put_right] = happened(unit, h.RoundCorrected)
    assert [*disagreement(put_right, floor.book.corrections.before, asked)] == []


def test_r53__what_stays_as_it_was_recorded_may_be_said_or_left_out():
    floor = royal()
    short = Facts((SeatFacts(2, decisions=("fold",)),), {"board": (None, None, *cards("Td"))})
    long = Facts(
        (SeatFacts(1), SeatFacts(2, cards=(None, None), decisions=("fold", None, None))),
        {"board": (None, None, *cards("Td"))},
    )
    assert short.same(long)
    assert not short.same(replace(short, piles={}))
    floor.do(correct(short, "dealer"), "dan")
    unit = floor.do(correct(long, "floor-supervisor"), "flo")
    [put_right] = happened(unit, h.RoundCorrected)
    assert put_right.by == (("dealer", "dan"), ("floor-supervisor", "flo"))


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
    floor.do(a.Pay(), "dan")
    assert [*floor.table.paid] == [2], "only the seat that is done is paid"
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
    floor.do(a.Pay(), "dan")
    assert floor.refused(a.Pay(), "dan").code == "pay/not-approved"


def test_r53__no_wager_of_a_seat_that_made_none_is_nothing_put_right():
    floor = with_real_cards("ann", "pip")
    floor.bet(1, "dan")
    floor.do(a.CloseBets(), "dan")
    nothing = Facts((SeatFacts(2, wagers={}),))
    assert floor.refused(correct(nothing, "dealer"), "dan").code == "correction/nothing"


def test_r53_r54__what_is_said_as_it_was_recorded_is_nothing_put_right():
    """Also where others have put their wagers down since, or it was put down twice."""
    floor = with_real_cards("ann", "bob", "cid")
    for seat, ante in ((1, 10_00), (2, 5_00), (1, 5_00), (3, 5_00)):
        floor.bet(seat, "dan", toke=1_00 if seat == 1 else 0, ante=ante, lo_ball=1_00)
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("As Kd 9c 9d 2h 2d")), "dan")
    as_recorded = [
        SeatFacts(1, wagers={"lo-ball": 1_00, "ante": 5_00}),
        SeatFacts(2, wagers={"ante": 5_00, "lo-ball": 1_00}, cards=cards("9c 9d")),
        SeatFacts(1, toke_cents=1_00),
        SeatFacts(2, toke_cents=0),
    ]
    for facts in as_recorded:
        said = correct(Facts((facts,)), "dealer")
        assert floor.refused(said, "dan").code == "correction/nothing", facts
    other = correct(Facts((SeatFacts(1, wagers={"ante": 5_00}),)), "dealer")
    floor.do(other, "dan")
    floor.do(c.Correct("dealer", "it was right"), "dan")
    works(floor, iter(cards("2c 7s 8d")), times=1)
    floor.do(a.Pay(), "dan")
    for facts in as_recorded:
        again = c.CorrectPaid("surveillance", "to see", (facts,), round=1)
        assert floor.refused(again, "sue").code == "correction/nothing", facts


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
            assert b"Ad" not in written(visible(event, seat))
            assert b"Kh" not in written(visible(event, seat))
    [put_right] = happened(unit, h.RoundCorrected)
    assert b"Ad" in written(visible(put_right, 1))


def written(event: h.TableEvent) -> bytes:
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
    floor.papers().do(a.Pay(), "dan")
    assert floor.refused(c.Undo(), "dan").code == "correction/not-now"


def test_r53__a_correction_is_not_undone():
    floor = royal()
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    floor.do(correct(TEN, "dealer"), "dan")
    assert floor.refused(c.Undo(), "dan").code == "undo/nothing"


def test_r53_r54__nobody_who_left_before_the_deal_is_put_into_the_round():
    """Their chips have left with them, and nothing is known of their papers."""
    floor = with_real_cards("ann", "bob")
    for seat in (1, 2):
        floor.do(a.Bet(seat, {"ante": 5_00}), "dan")
    floor.do(c.Leave(), "bob")
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("Ah Kh")), "dan")
    bet = (SeatFacts(2, wagers={"ante": 5_00}),)
    no = floor.refused(c.Correct("dealer", "he had bet", bet), "dan")
    assert (no.code, no.clause) == ("correction/left", "R53")
    # Nor is another who sits there by now.
    floor.do(c.Sit(2), "cid")
    assert floor.refused(c.Correct("dealer", "he had bet", bet), "dan").code == "correction/left"
    floor.do(c.Leave(), "cid")
    floor.do(a.CallMisdeal(floor.book.misdeal[-1].cause, "shift-manager"), "max")
    later = c.CorrectPaid("surveillance", "he had bet", bet, round=1)
    assert floor.refused(later, "sue").code == "correction/left"


def test_r53__who_asked_and_deals_since_has_somebody_else_ask():
    floor = royal()
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    for dealer in ("flo", "dan"):
        floor.do(c.StartDealing(), dealer)
    [asked] = floor.do(correct(TEN, "dealer"), "dan").events
    assert asked == h.CorrectionAsked(TEN, "dealer", "dan", "it is the ten of diamonds")
    assert floor.refused(correct(TEN, "floor-supervisor"), "flo").code == "role/takes-part"
    [put_right] = happened(floor.do(correct(TEN, "shift-manager"), "max"), h.RoundCorrected)
    assert put_right.by == (("dealer", "dan"), ("shift-manager", "max"))


def test_r53__what_who_deals_since_had_asked_for_is_taken_back_by_another():
    floor = royal()
    floor.do(correct(TEN, "floor-supervisor"), "flo")
    for dealer in ("flo", "dan"):
        floor.do(c.StartDealing(), dealer)
    assert floor.refused(a.Pay(), "dan").code == "pay/correction"
    floor.do(correct(Facts(), "dealer"), "dan")
    assert floor.table.correction is None
