"""One list of what waits for somebody on the floor: for them, with age, deadline and commands."""

import datetime

from pitboss.cards import cards
from pitboss.house.books.papers import HeldWinnings
from pitboss.house.paper_list import HeldSum
from pitboss.house.table import commands as c
from pitboss.house.waiting import TableLook, Task, held, waiting, waiting_for_others
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.settle import Player
from tests.clauses.rulings.test_corrections_after_payment import paid_royal, put_right
from tests.clauses.rulings.test_corrections_before_payment import TEN, correct, royal
from tests.house.floor import DAY, NOON, ROLES, Floor, with_real_cards
from tests.house.table.test_payoffs import DIRECTOR, GM, capped

MIDNIGHT = NOON + 12 * 3600_000


def ends(day: datetime.date) -> int:
    return MIDNIGHT + (day - DAY).days * 24 * 3600_000


def waits_for(floor: Floor, who: str, **since: int) -> list[Task]:
    return waiting([looked(floor, who, **since)])


def others_of(floor: Floor, who: str) -> list[Task]:
    return waiting_for_others([looked(floor, who)], [], waits_for(floor, who))


def looked(floor: Floor, who: str, **since: int) -> TableLook:
    return TableLook(
        book=floor.book,
        table=floor.table,
        person=who,
        roles=frozenset(ROLES.get(who, {"player"})),
        now=floor.at,
        day=floor.day,
        ends=ends,
        since={name.replace("_", " "): at for name, at in since.items()},
    )


def does(floor: Floor, who: str) -> list[str]:
    """Do the first thing that waits for somebody: what the list leads to is done, not refused."""
    [first, *_] = waits_for(floor, who)
    floor.do(first.ways[0].command, who)
    return [task.kind for task in waits_for(floor, who)]


def test_c_1_t__a_payoff_waits_for_each_who_must_see_it_and_for_nobody_else():
    floor = royal().papers()
    [called] = waits_for(floor, "dan")
    assert (called.says, called.kind) == ("Call out $20,000 for Ann, seat 1", "payoff")
    [approval] = waits_for(floor, "flo", payoff_1=NOON - 60_000)
    assert approval.says == "Approve $20,000 for Ann, seat 1"
    assert (approval.since, approval.clause) == (NOON - 60_000, "C.1.t, R31")
    assert [way.command for way in approval.ways] == [c.ApprovePayoff(1, "floor-supervisor")]
    assert waits_for(floor, "sue")[0].says == "Verify $20,000 for Ann, seat 1"
    # R65: somebody who stands above may act, and hears that it is another's.
    assert [task.stands_in for task in waits_for(floor, "gus")] == [True]
    assert waits_for(floor, "pip") != [], "a supervisor who does not play"
    assert waits_for(floor, "ann") == waits_for(floor, "bob") == []
    for who in ("dan", "flo", "sue"):
        assert does(floor, who) == []
    assert waits_for(floor, "max") == waits_for(floor, "gus") == []


def test_r65__who_verified_approves_in_anothers_stead_once_surveillance_verifies():
    floor = royal().papers()
    for who, role in (("dan", "dealer"), ("max", "shift-manager")):
        floor.do(c.ApprovePayoff(1, role), who)
    assert [task.says for task in waits_for(floor, "flo")] == ["Approve $20,000 for Ann, seat 1"]
    assert [task.says for task in waits_for(floor, "sue")] == ["Verify $20,000 for Ann, seat 1"]
    assert does(floor, "sue") == []
    floor.do(a.Pay(), "dan")
    assert floor.table.last is not None


def test_r57__a_payoff_waits_for_papers_and_for_whoever_may_take_them():
    floor = royal()
    papers = {who: [each for each in waits_for(floor, who) if each.kind == "form"] for who in ROLES}
    assert {who for who, found in papers.items() if not found} == {"dan", "sue"}
    [task] = [each for each in waits_for(floor, "flo", form_1=NOON) if each.kind == "form"]
    assert task.says == "The payoff of Ann, seat 1 waits for papers, for form W-2G"
    assert (task.since, task.cents, task.clause) == (NOON, 20_000_00, "M.1, R57")
    assert task.ways == (), "papers are taken on a page of their own"
    floor.do(c.HoldPayoff(1, "none shown"), "cay")
    assert "form" not in {each.kind for each in waits_for(floor, "flo")}
    assert "form" not in {each.kind for each in waits_for(royal().papers(), "flo")}


def test_r56__what_is_kept_waits_with_its_age_for_who_may_pay_it_out_or_turn_it_over():
    def kept(name: str, days: int, waits_for: str, to: str = "") -> HeldSum:
        item = HeldWinnings(
            id=f"t{days}-7-{days}-main",
            person=name,
            day=DAY - datetime.timedelta(days=days),
            cents=100_00,
            wager="Ante",
            won_cents=100_00,
            staked_cents=5_00,
            dropped_cents=0,
            why="unidentified",
            rulebook="",
            sha256="",
        )
        return HeldSum(
            held=item,
            name=name.capitalize(),
            days=days,
            waits_for=waits_for,
            turned_over_to=to,
            clause="M.2, R56",
        )

    sums = [kept("ann", 3, ""), kept("ann", 1, ""), kept("bob", 2, "barred")]
    manager = frozenset({"shift-manager"})
    [task] = held(sums, "max", manager, {"t3-7": NOON})
    assert task.says == "200.00 is held for Ann"
    assert (task.table, task.round, task.seat, task.clause) == ("t3", 7, 3, "M.2, R56")
    assert task.since == NOON, "since the oldest was won"
    assert [*held(sums, "ann", manager, {"t3-7": NOON})] == [], "nobody pays themselves"
    assert [*held(sums, "flo", frozenset({"floor-supervisor", "cage"}), {})] == []
    [bob] = held([kept("bob", 2, "barred", "the state")], "max", manager, {"t3-7": NOON})
    assert bob.says == "100.00 is held for Bob: they are barred"
    [cy] = held([kept("cy", 1, "papers")], "max", manager, {"t3-7": NOON})
    [nameless] = held([kept("patron-t-3", 1, "")], "max", manager, {})
    assert nameless.says == "100.00 is held for Patron-t-3, seat 1"
    assert cy.says == "100.00 is held for Cy: they have shown no papers"
    assert waiting([], [cy, task]) == [task, cy], "the older comes first"


def test_j_5__a_notice_waits_until_the_gaming_day_ends_and_then_it_is_overdue():
    floor = capped()
    assert waits_for(floor, "max") == []
    [notice] = waits_for(floor, "gus", notice_1=NOON)
    assert (notice.kind, notice.since, notice.until) == ("notice", NOON, MIDNIGHT)
    assert notice.says.endswith(": $25,000 was paid of $500,000"), notice.says
    assert notice.ways[0].command == c.AcknowledgeNotice(1, GM)
    assert not notice.overdue
    floor.day += datetime.timedelta(days=1)
    assert waits_for(floor, "dot")[0].overdue
    floor.do(c.CloseTable(), "max")
    assert does(floor, "dot") == []
    assert floor.table.notices[1].waits_for == (GM,)
    assert DIRECTOR not in floor.table.notices[1].waits_for


def test_r53__a_correction_waits_for_the_other_of_the_two():
    floor = royal()
    floor.do(correct(TEN, "dealer"), "dan")
    assert "correction" not in {task.kind for task in waits_for(floor, "dan")}
    assert "correction" not in {task.kind for task in waits_for(floor, "sue")}
    task = next(each for each in waits_for(floor, "flo") if each.kind == "correction")
    assert task.says == "The dealer asks for a correction: it is the ten of diamonds"
    floor.do(task.ways[0].command, "flo")
    assert floor.table.correction is None
    assert floor.table.round.piles["board"] == cards("Qh Jh Td")


def test_r54__a_correction_of_a_paid_round_waits_for_surveillance():
    floor = paid_royal()
    floor.do(put_right(1, TEN, "shift-manager"), "max")
    kinds = {who: [task.kind for task in waits_for(floor, who)] for who in ("max", "flo", "sue")}
    assert kinds["max"] == kinds["flo"] == []
    assert kinds["sue"] == ["adjustment"]
    assert does(floor, "sue") == []
    assert floor.table.adjustment is None
    fourth = Facts((SeatFacts(2, decisions=(None, None, 2)),))
    floor.do(put_right(1, fourth, "shift-manager"), "own")
    assert waits_for(floor, "own") == [], "nobody is two people, whatever they are"


def test_r31__a_payoff_that_one_rules_void_waits_for_another_role():
    floor = royal()
    floor.do(a.CallMisdeal("information", "floor-supervisor"), "flo")
    assert "void" not in {task.kind for task in waits_for(floor, "flo")}
    task = next(each for each in waits_for(floor, "max") if each.kind == "void")
    assert task.says.startswith("The floor supervisor rules that the round is a misdeal: ")
    floor.do(task.ways[0].command, "max")
    assert not floor.table.under_way


def test_c_b__cards_wait_for_whoever_may_do_what_comes_next():
    floor = Floor(with_real_cards("ann").book, dealing="entered")
    [dealer] = waits_for(floor, "dan")
    assert (dealer.kind, dealer.ways[0].command) == ("dealer", c.StartDealing())
    [bring] = waits_for(floor, "flo")
    assert (bring.kind, bring.says, bring.ways) == ("cards", "New cards come each gaming day", ())
    assert waits_for(floor, "sue") == []
    floor.do(c.BringCards(("red",)), "flo")
    floor.do(c.StartDealing(), "dan")
    assert does(floor, "flo") == []
    assert does(floor, "dan") == ["cards"], "the dealer has looked, and washes"
    assert does(floor, "dan") == ["cards"]
    assert does(floor, "dan") == [], "and has shuffled"


def test_r21__a_seat_that_does_not_answer_where_no_clock_runs():
    floor = with_real_cards("ann", "bob", decision_seconds=30)
    floor.do(c.SeatPatron(3, "tall", 500_00), "flo")
    for seat in (1, 2, 3):
        floor.bet(seat, "dan")
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(cards("Ah Kh 2c 3d 4c 5d")), "dan")
    assert waits_for(floor, "flo", last=NOON - 20_000) == []
    [task] = waits_for(floor, "flo", last=NOON - 40_000)
    assert task.says == "Ann, seat 1 and Bob, seat 2 have not decided"
    assert (task.overdue, task.since, task.clause) == (False, NOON - 40_000, "R21")
    assert waits_for(floor, "sue", last=NOON - 40_000) == []
    floor.do(c.CallFloor(), "dan")
    found = [each.kind for each in waits_for(floor, "flo", last=NOON - 40_000)]
    assert found == ["call", "silent-seat"], "the dealer minds the time, and it is never red"


def test_r51__who_is_barred_and_sits_there():
    floor = with_real_cards("ann", "bob")
    floor.players["bob"] = Player(barred=True)
    floor.bet(1, "dan")
    [task] = waits_for(floor, "flo")
    assert task.kind == "barred"
    floor.do(task.ways[0].command, "flo")
    assert waits_for(floor, "flo") == []


def test_r47__a_red_light_waits_for_the_floor():
    floor = with_real_cards("ann", shuffler=True)
    floor.bet(1, "dan")
    floor.do(a.Light("red"), "dan")
    [task] = waits_for(floor, "flo")
    assert (task.kind, task.says) == ("red-light", "The shuffler shows red with no card out")
    assert waits_for(floor, "dan") == []


def test_a_dealer_who_calls_waits_for_whoever_of_the_floor_comes():
    floor = with_real_cards("ann")
    floor.at += 5_000
    floor.do(c.CallFloor("a dispute"), "dan")
    [task] = waits_for(floor, "flo")
    assert (task.says, task.since) == ("The dealer calls the floor: a dispute", NOON + 5_000)
    assert waits_for(floor, "dan") == waits_for(floor, "sue") == waits_for(floor, "ann") == []
    assert does(floor, "max") == []
    assert waits_for(floor, "flo") == []


def test_who_watches_sees_what_waits_for_others_and_why_a_card_is_wrong_is_for_who_agrees():
    floor = royal().papers()
    [called] = others_of(floor, "aud")
    assert (called.kind, called.says) == ("payoff", "Approve $20,000 for Ann, seat 1")
    assert {"Approve as floor supervisor", "Verify as surveillance"} <= {
        way.says for way in called.ways
    }
    assert others_of(floor, "sue") == [], "it is in her own list"
    assert others_of(floor, "ann") == others_of(floor, "dan") == [], "who plays or deals there"
    floor.do(correct(TEN, "dealer"), "dan")
    says = {task.says for task in others_of(floor, "sue")}
    assert says == {"The dealer asks for a correction"}
    floor = with_real_cards("ann")
    floor.do(c.CallFloor("a dispute"), "dan")
    [call] = others_of(floor, "sue")
    assert call.says == "The dealer calls the floor: a dispute"
    assert {task.kind for task in others_of(capped(), "aud")}.isdisjoint({"notice"})


def test_the_most_pressing_comes_first():
    floor = capped()
    floor.day += datetime.timedelta(days=1)
    looks = [
        TableLook(
            book=each.book,
            table=each.table,
            person="gus",
            roles=frozenset(ROLES["gus"]),
            now=NOON,
            day=floor.day,
            ends=ends,
        )
        for each in (royal().papers(), floor)
    ]
    assert [task.kind for task in waiting(looks)] == ["notice", "payoff"]
