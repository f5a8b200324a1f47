"""What the floor's page offers at a table is what can be done there now, by who looks."""

from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.errors import Refused
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table.procedure import do
from pitboss.round import actions as a
from pitboss.round.state import TOKE
from pitboss.rulebook import Rulebook
from pitboss.settle import Player
from pitboss.web.pages.dealer_besides import besides
from pitboss.web.pages.floor_tables import acting, dead_hands, grounds, late_finds
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA
from tests.house.floor import ROLES, Floor, entered, with_real_cards
from tests.house.test_waiting import waits_for

PIT = ("dan", "eve", "flo", "max", "sue", "ros", "gus", "dot", "cay", "pip")
"""Eve deals, too, and pip plays."""

DEALT = {
    DIAMOND_JO.id: ("As Kd 9c 9d 2h 2d", ("7c", "7d", "7h")),
    HOLLYWOOD.id: ("7c 7d 7h 8s As Kd 9c 9d 2h 2d", ("", "", "")),
    SENECA.id: ("9h 8h 7h 6h 5h As Ks Qs Js Ts 2c 2d 2h 3c 4d Kc Kd 8c 8d 3h", ()),
}
RAISES = {"raise-1", "raise-2", "raise-3"}
FOUND = {
    DIAMOND_JO.id: {"ante", "board-bonus", TOKE, *RAISES},
    HOLLYWOOD.id: RAISES,
    SENECA.id: {"ante"},
}
"""What can be found late in that round: no token is worth another sum, and without a posted maximum
no Ante is too much."""
SIDES = {DIAMOND_JO.id: "board-bonus", HOLLYWOOD.id: "all-six", SENECA.id: "progressive"}


def moments(book: Rulebook) -> Iterator[Floor]:
    """A round of three seats; the first folds, and the second has a side wager and, where there
    are some, a toke."""
    floor = with_real_cards("ann", "bob", "pip", book=book, minimum_cents=5_00)
    dealt, turned = DEALT[book.id]
    yield floor
    toke = 1_00 if book.toke is not None else 0
    for seat in (1, 2, 3):
        wagers = {"ante": 10_00} | ({SIDES[book.id]: 1_00} if seat < 3 else {})
        floor.do(a.Bet(seat, wagers, toke if seat == 2 else 0), "dan")
    floor.do(a.CloseBets(), "dan")
    yield floor
    cards = entered(dealt)
    while cards and floor.table.round.phase == "playing":
        many = 4 if book is HOLLYWOOD and len(cards) == 10 else len(cards)
        many = 3 if many == 4 and not floor.table.round.dealt else many
        many = 1 if book is HOLLYWOOD and len(cards) == 7 else many
        floor.do(a.Deal(cards[:many]), "dan")
        cards = cards[many:]
        yield floor
    for street in range(len(book.streets)):
        if not street:
            floor.do(a.Fold(1, confirmed=True), "dan")
        for seat in (2, 3):
            floor.do(a.Raise(seat, book.streets[street].times[0]), "dan")
            yield floor
        if turned:
            floor.do(a.Deal(entered(turned[street])) if turned[street] else a.Turn(), "dan")
            yield floor
    while floor.table.round.phase == "playing":
        floor.do(a.Turn(), "dan")
        yield floor


def answer(floor: Floor, command: Any, who: str) -> str:
    """The code with which it is refused; nothing, where it would be done."""
    try:
        do(floor.book, floor.table, command, floor._actor(who), floor._now(command))
    except Refused as error:
        return error.refusal.code
    return ""


@pytest.mark.parametrize("book", [DIAMOND_JO, HOLLYWOOD, SENECA], ids=lambda book: book.id)
def test_r64__what_is_offered_is_done_and_what_is_not_offered_is_refused(book: Rulebook) -> None:
    looked, told = 0, set()
    for floor in moments(book):
        looked += 1
        live = LoadedTable(floor.book, floor.table, 0, "")
        state = floor.table.round
        for who in PIT:
            roles = frozenset(ROLES[who])
            offered = {rule.cause for rule in grounds(live, roles, who)}
            for rule in book.misdeal if state.phase in ("playing", "settling") else ():
                role = acting(live, roles, rule.by)
                refused = answer(floor, a.CallMisdeal(rule.cause, role), who)
                assert (rule.cause in offered) == (not refused), (who, rule.cause, refused)
            dead = {(seat, cause) for seat, cause, _ in dead_hands(live, roles, who)}
            for dying in book.dead:
                role = acting(live, roles, dying.by)
                for seat in state.seats:
                    refused = answer(floor, a.KillHand(seat, dying.cause, role), who)
                    assert ((seat, dying.cause) in dead) == (not refused), (who, seat, refused)
            late = {(seat, spot) for seat, spot, _ in late_finds(live, roles, who)}
            role = acting(live, roles, book.limits.late_by)
            for held in state.seats.values():
                lies = {**held.stakes, TOKE: held.toke_cents}
                for spot in [*book.spots, TOKE]:
                    sizes = (lies.get("ante", 0) * times for times in (1, 2, 3, 60))
                    asked = (a.AcceptLate(held.seat, spot, cents, role) for cents in sizes)
                    done = any(not answer(floor, each, who) for each in asked)
                    assert ((held.seat, spot) in late) == done, (who, held.seat, spot)
                    told |= {spot} if done else set()
    assert looked > 5
    assert told == FOUND[book.id]


def test_r46__a_hand_that_was_paid_while_another_waits_dies_no_more() -> None:
    *_, floor = moments(SENECA)  # a royal flush at seat 2 waits for papers
    for person in ("flo", "dan"):
        dying = besides(SENECA, floor.table, person, ROLES[person]).deaths
        assert {*dying} == ({1, 2, 3} if person == "flo" else set())
    floor.do(a.Pay(), "dan")
    assert 3 in floor.table.paid
    assert {*besides(SENECA, floor.table, "flo", ROLES["flo"]).deaths} == {2}
    assert answer(floor, a.KillHand(3, "information", "floor-supervisor"), "flo") == "misdeal/paid"


def test_a_buy_in_of_which_some_lies_as_a_wager_is_not_offered_to_be_taken_back() -> None:
    floor = with_real_cards("ann", book=SENECA, minimum_cents=5_00)
    floor.do(c.SeatPatron(2, cash_cents=100_00), "dan")
    assert besides(SENECA, floor.table, "flo", ROLES["flo"]).voids == (2,)
    floor.do(a.Bet(2, {"ante": 5_00}), "dan")
    assert answer(floor, c.VoidBuyIn(2, "too much"), "flo") == "chips/spent"
    assert besides(SENECA, floor.table, "flo", ROLES["flo"]).voids == ()
    floor.do(a.Bet(2, {}), "dan")
    assert besides(SENECA, floor.table, "flo", ROLES["flo"]).voids == (2,)


def test_r51__who_deals_frees_no_seat_of_who_is_barred_and_is_not_told_to() -> None:
    floor = with_real_cards("ann", "bob")
    for seat in (1, 2):
        floor.bet(seat, "dan")
    floor.players["ann"] = Player(barred=True)
    floor.do(c.StartDealing(), "eve")
    floor.do(a.CloseBets(), "eve")
    assert [task.kind for task in waits_for(floor, "flo")] == ["barred"]
    assert waits_for(floor, "eve") == []
