"""R55 to R57: who is identified, what a payoff waits for, how held winnings leave the house."""

import asyncio
import datetime
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit import resettle
from pitboss.cards import cards
from pitboss.errors import Refused
from pitboss.house.books import ledger
from pitboss.house.books.papers import Payee, Winner
from pitboss.house.held_desk import HeldDesk
from pitboss.house.people import persons as p
from pitboss.house.storage.projections import form_records, held_winnings
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import records
from pitboss.house.table.evolve import visible
from pitboss.house.table.patrons import UNKNOWN
from pitboss.round import actions as a
from pitboss.round.redo import Facts, SeatFacts
from pitboss.settle import Player
from pitboss.settle.finished_round import Share
from tests.audit.forgery import found
from tests.clauses.rulings.test_corrections_after_payment import adjusts, paid_royal
from tests.clauses.rulings.test_corrections_before_payment import TEN
from tests.clauses.rulings.test_corrections_before_payment import royal as entered_royal
from tests.helpers import DIAMOND_JO, HOLLYWOOD, SENECA, hand, settled
from tests.house.clocked_house import ClockedHouse, clocked_house
from tests.house.evening import STAFF
from tests.house.floor import Floor, happened
from tests.house.papers import ABROAD, ONE_PROOF, PAYEE
from tests.web.open_house import rigged

ROYAL = "As Ks Qs Js Ts"
TAX = ledger.tax(practice=False)


def royal(book: Any = HOLLYWOOD, **opening: Any) -> Floor:
    """Ann wins 500 times 20.00 at a table that asks for no approval: 10,000.00."""
    deck = "Ts Js Qs 2c As Ks" if book is HOLLYWOOD else ROYAL
    floor = Floor(book, opened=False).deck(deck)
    who = "own" if opening.get("practice") else "max"
    floor.do(c.OpenTable(book.id, minimum_cents=5_00, maximum_cents=100_00, **opening), who)
    floor.sit("ann").bet(1, ante=5_00)
    while floor.table.round.phase == "playing":
        floor.raises(1, times=1)
    return floor


def paid_seats(floor: Floor) -> tuple[h.SeatPaid, ...]:
    [done] = [event for event in floor.events if isinstance(event, h.RoundPaid)]
    return done.seats


def paid(floor: Floor) -> h.SeatPaid:
    return paid_seats(floor)[0]


# R55: nobody is identified until somebody has seen papers ----------------------------------------


def test_r55__nobody_is_identified_until_somebody_said_so():
    assert p.Person("ann").player == p.PersonAdded("Ann", ("player",)).player == UNKNOWN
    assert not UNKNOWN.identified


def test_r55__a_payoff_that_needs_a_form_waits_for_papers_and_says_so():
    floor = royal()
    assert floor.table.round.phase == "settling"
    assert [form.form for form in floor.table.forms[1]] == ["W-2G"]
    assert floor.refused(c.CompleteForm(2, PAYEE), "cay").code == "form/none"
    unit = floor.do(c.CompleteForm(1, PAYEE), "cay")
    assert happened(unit, h.RoundPaid), "the table deals by itself, and pays at once"
    assert (paid(floor).withheld_cents, paid(floor).held_cents) == (2_400_00, 0)
    assert (floor.chips("ann"), floor.accounts[TAX]) == (10_000_00 - 2_400_00, 2_400_00)


def test_w11_r55__a_dealer_who_would_pay_is_told_what_is_lacking():
    floor = entered_royal()
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.do(a.Pay(), "dan")  # bob is done
    refusal = floor.refused(a.Pay(), "dan")
    assert (refusal.code, refusal.clause) == ("pay/form", "M.1, R57")
    assert refusal.message == "seat 1 waits for papers, for form W-2G; without, it is held"
    floor.papers().do(a.Pay(), "dan")
    assert floor.chips("ann") == 20_000_00 * 76 // 100


@pytest.mark.parametrize(
    ("first", "who"),
    [
        pytest.param(a.Pay(), "dan", id="the dealer pays, and only who waits for nobody"),
        pytest.param(c.CompleteForm(1, PAYEE), "cay", id="she shows papers"),
        pytest.param(c.HoldPayoff(1, "none with her"), "flo", id="she has none"),
    ],
)
def test_r55__who_is_barred_no_more_when_they_are_paid_shows_papers_first(first, who):
    """All that a barred player wins is kept, without a form; nobody hears at once that it ended."""
    floor = entered_royal()
    floor.players["ann"] = Player(barred=True)
    for approver, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), approver)
    assert not floor.table.forms
    floor.players["ann"] = UNKNOWN
    assert floor.refused(c.CompleteForm(2, PAYEE), "cay").code == "form/none"
    due = happened(floor.do(first, who), h.FormsDue)[0]
    assert (due.seat, [form.form for form in due.forms]) == (1, ["W-2G"])
    if first == a.Pay():
        assert list(floor.table.paid) == [2]
        assert floor.refused(a.Pay(), "dan").code == "pay/form"
        floor.papers()
    floor.do(a.Pay(), "dan")
    seat = next(each for each in paid_seats(floor) if each.seat == 1)
    held = isinstance(first, c.HoldPayoff)
    assert [form.form for form in seat.filed] == ([] if held else ["W-2G"])
    assert seat.held_cents == (20_000_00 if held else 0)


def test_r57__a_form_follows_a_round_that_is_put_right_after_payment():
    floor = paid_royal()
    assert [form.reportable_cents for form in floor.rounds[1].paid.seats[0].filed] == [20_000_00]
    event = adjusts(floor, 1, TEN)
    assert event.paid.seats[0].filed == ()


def test_r57__a_form_that_a_correction_makes_first_is_completed_and_not_corrected():
    floor = paid_royal()
    past = floor.rounds[1]
    event = adjusts(floor, 1, TEN)
    [record] = records._corrected("t", past, event)
    assert (record.state, record.reportable_cents) == ("corrected", 0)
    unfiled = replace(past.paid, seats=tuple(replace(each, filed=()) for each in past.paid.seats))
    again = replace(event, paid=past.paid)
    for first, state in ((unfiled, "completed"), (past.paid, "corrected")):
        [record] = records._corrected("t", replace(past, first=first, paid=unfiled), again)
        assert (record.state, record.reportable_cents) == (state, 20_000_00)


def test_r55__who_has_shown_papers_is_not_held_for_want_of_them():
    floor = royal(DIAMOND_JO).papers()
    refusal = floor.refused(c.HoldPayoff(1, "left them at home"), "cay")
    assert (refusal.code, refusal.clause) == ("form/none", "M.1, R57")
    for role, who in (("floor-supervisor", "flo"), ("surveillance", "sue")):
        floor.do(c.ApprovePayoff(1, role), who)
    assert (paid(floor).held_cents, paid(floor).withheld_cents) == (0, 2_400_00)


def test_r55__without_papers_it_is_held_and_the_rest_is_paid():
    floor = royal()
    floor.do(c.HoldPayoff(1, "left them at home"), "flo")
    assert (paid(floor).held_cents, paid(floor).withheld_cents) == (10_000_00, 0)
    assert paid(floor).filed == ()
    assert floor.accounts["held:ann"] == 10_000_00
    assert floor.chips("ann") == 0, "the stakes go back"


def test_r55__a_correction_leaves_another_seat_held():
    floor = entered_royal()
    floor.do(c.HoldPayoff(1, "left them at home"), "cay")
    other = Facts((SeatFacts(2, cards=(*cards("2d"), None)),))
    floor.do(c.Correct("dealer", "the deuce of diamonds", other.seats), "dan")
    floor.do(c.Correct("floor-supervisor", "so it is", other.seats), "flo")
    assert floor.table.holds == {1: "left them at home"}
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        floor.do(c.ApprovePayoff(1, role), who)
    floor.do(a.Pay(), "dan")
    assert floor.accounts["held:ann"] == 20_000_00


def test_r55__papers_come_in_time_as_long_as_it_is_not_paid():
    floor = royal(DIAMOND_JO)
    floor.do(c.HoldPayoff(1, "left them at home"), "cay")
    assert floor.refused(c.HoldPayoff(1, "again"), "cay").code == "form/held"
    floor.papers()
    for role, who in (("floor-supervisor", "flo"), ("surveillance", "sue")):
        floor.do(c.ApprovePayoff(1, role), who)
    assert (paid(floor).held_cents, paid(floor).withheld_cents) == (0, 2_400_00)


def test_r55__at_play_chips_nothing_is_asked():
    floor = royal(practice=True)
    assert floor.table.round.phase == "new"
    assert (paid(floor).withheld_cents, paid(floor).filed) == (2_400_00, ())
    floor.players["ann"] = UNKNOWN
    unit = floor.do(c.SitOut(), "ann")
    assert happened(unit, h.PlayerKnown) == [], "what the tax desk knows is no matter there"


def test_r55__what_needs_no_form_waits_for_nobody():
    floor = Floor(HOLLYWOOD, opened=False).deck("2s 7d 9c 2c As Ad")
    floor.do(c.OpenTable(HOLLYWOOD.id), "max")
    floor.players["ann"] = UNKNOWN
    floor.sit("ann").bet(1, ante=5_00)
    floor.pays_everybody_who_stays(1)
    assert floor.table.last is not None
    assert (floor.table.forms, paid(floor).held_cents) == ({}, 0)


def test_r55__who_plays_or_deals_sees_no_papers_of_the_round():
    floor = royal()
    refusal = floor.refused(c.CompleteForm(1, PAYEE), "ann")
    assert refusal.code == "role/takes-part"


# R57: a form is a record, complete before the payment -------------------------------------------


def test_r57__something_withheld_takes_two_proofs_of_identity():
    floor = royal()
    refusal = floor.refused(c.CompleteForm(1, ONE_PROOF), "cay")
    assert (refusal.code, refusal.place) == ("form/proofs", "proofs")
    small = Floor(SENECA, opened=False).deck("9s Ts Js Qs Ks", "2c 3d 5h 7s 9c")
    small.do(c.OpenTable(SENECA.id, "", 10_00, 100_00), "max")
    small.sit("ann").bet(1, ante=10_00, progressive=1_00)
    small.raises(1)
    assert small.table.forms == {}, "1,000.07 needs no form since 2026"


@pytest.mark.parametrize(
    ("payee", "code"),
    [
        (replace(ABROAD, country=""), "form/country"),
        (replace(ABROAD, country="ZZ"), "form/country"),
        (replace(ABROAD, country="US"), "form/country"),
        (replace(PAYEE, country="XQ"), "form/country"),
        (replace(PAYEE, country="CA"), "form/country"),  # which of the two is it?
        (replace(PAYEE, name="   "), "form/blank"),
        (replace(PAYEE, proofs=("  ", "x1")), "form/blank"),
        (replace(PAYEE, proofs=("passport 1", "Passport  1 ")), "form/proofs"),
    ],
)
def test_r57__papers_that_no_form_can_be_made_out_by_are_refused(payee: Payee, code: str):
    assert royal().refused(c.CompleteForm(1, payee), "cay").code == code


def test_r57__a_form_has_its_wager_and_sums():
    floor = royal()
    floor.do(c.CompleteForm(1, ABROAD), "cay")
    [form] = paid(floor).filed
    assert (form.form, form.wager, form.staked_cents) == ("1042-S", "main", 20_00)
    assert (form.reportable_cents, form.withheld_cents) == (10_000_00, 3_000_00)


def test_r57__several_winners_have_a_form_each_and_tax_by_their_own_papers():
    winners = (Winner(PAYEE), Winner(ABROAD, 2), Winner(ONE_PROOF))
    floor = royal()
    assert floor.refused(c.CompleteForm(1, PAYEE, winners[1:]), "cay").code == "form/winners"
    assert floor.refused(c.CompleteForm(1, PAYEE, winners[:1]), "cay").code == "form/winners"
    two = replace(ONE_PROOF, proofs=("licence 5", "card 6"))
    floor.do(c.CompleteForm(1, PAYEE, (*winners[:2], Winner(two))), "cay")
    filed = [(f.form, f.winner, f.reportable_cents, f.withheld_cents) for f in paid(floor).filed]
    assert filed == [
        ("W-2G", 1, 2_500_00, 600_00),  # of a win over 5,000.00, whatever the share
        ("1042-S", 2, 5_000_00, 1_500_00),
        ("W-2G", 3, 2_500_00, 600_00),
    ]
    assert floor.chips("ann") == 10_000_00 - 2_700_00


@pytest.mark.parametrize(
    ("other", "twice"),
    [
        (replace(PAYEE, tin="123456789", name="A Winner"), True),
        (replace(PAYEE, tin=""), True),
        (replace(PAYEE, tin="", name="a. winner", address="1 MAIN STREET"), True),
        (replace(PAYEE, tin="987-65-4321"), False),  # father and son at one address
        (replace(PAYEE, tin="", name="B. Winner"), False),
    ],
)
def test_r57__nobody_is_two_of_those_who_win_together(other: Payee, twice: bool):
    floor, command = royal(), c.CompleteForm(1, PAYEE, (Winner(PAYEE), Winner(other)))
    if not twice:
        floor.do(command, "cay")
        return
    no = floor.refused(command, "cay")
    assert (no.code, no.place) == ("form/winners", "winners")
    assert "named twice" in no.message


def test_r57__a_shared_win_is_settled_alike_a_second_time():
    shared = Player(shared=(Share(1), Share(1, "foreign"), Share(1, "us", False)))
    done = settled(
        HOLLYWOOD,
        hand(HOLLYWOOD, "As Ks", (1, 1, 1), ante=1_00, player=shared),
        board="Ts Js Qs",
        all_six="2c",
    )
    parts = [form.reportable_cents for form in done.seats[0].forms]
    assert parts == [666_67, 666_67, 666_66], "cents by largest remainder"
    assert [f.withheld_cents for f in done.seats[0].forms] == [0, 200_00, 159_99]


def test_r57__nobody_is_sent_what_papers_say():
    floor = royal()
    unit = floor.do(c.CompleteForm(1, PAYEE), "cay")
    [taken] = happened(unit, h.PapersTaken)
    for eyes in (None, 1, 2):
        told = visible(taken, eyes)
        assert isinstance(told, h.PapersTaken)
        assert told.papers is None
    due = h.FormsDue(1, floor.rounds[1].paid.seats[0].filed)
    told_due = visible(due, 2)
    assert isinstance(told_due, h.FormsDue)
    assert told_due.forms == ()


def test_w4_r55__a_player_whom_nobody_identified_is_not_paid_what_needs_a_form(tmp_path: Path):
    async def play(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
        await approve(here, staff)
        assert here.table.round.phase == "settling"
        assert here.table.forms
        assert await balance(here, "held:ann") == await balance(here, TAX) == 0
        await here.do(staff["cay"], c.HoldPayoff(1, "none shown"))
        assert await balance(here, "held:ann") == 10_000_00

    evening(tmp_path, play, DIAMOND_JO)


# R56: what is held leaves by the rules of the day -------------------------------------------------

Play = Callable[[ClockedHouse, dict[str, p.Person]], Awaitable[None]]
CREW = ("cay", "sam", "sue", "flo")
SHOWN = p.Identified("foreign", True, False, "a passport", ABROAD)


def evening(where: Path, play: Play, book: Any = HOLLYWOOD) -> None:
    """Ann is to be paid 10,000.00 for a royal; whatever happens then, the audit is clean."""

    async def go() -> None:
        deck = "Ts Js Qs 2c As Ks" if book is HOLLYWOOD else ROYAL
        path = str(where / "house.db")
        async with clocked_house(path, deck=rigged(deck)) as here:
            staff = {name: await here.person(name, *STAFF[name]) for name in CREW}
            ann = await here.person("ann", "player")
            await here.open(staff["sam"], book.id, minimum_cents=5_00, maximum_cents=100_00)
            await here.do(ann, c.Sit(1))
            await here.do(ann, a.Bet(1, {"ante": 5_00}))
            while here.table.round.phase == "playing":
                await here.do(ann, a.Raise(1, 1))
            await play(here, staff)

    asyncio.run(go())
    assert found(where / "house.db") == {}


async def balance(here: ClockedHouse, account: str) -> int:
    return await here.house.in_thread(here.house.store.balance, account)


def desk(here: ClockedHouse, key: str) -> HeldDesk:
    return HeldDesk(here.house, "sam", "ann", key, "")


async def refused(asked: Awaitable[Any]) -> str:
    with pytest.raises(Refused) as caught:
        await asked
    return caught.value.refusal.code


async def hold(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
    await here.do(staff["cay"], c.HoldPayoff(1, "none shown"))
    await approve(here, staff)


async def approve(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
    for role, who in (("floor-supervisor", "flo"), ("surveillance", "sue")):
        if here.table.announced:
            await here.do(staff[who], c.ApprovePayoff(1, role))


def test_w3_r56__a_release_goes_by_the_papers_and_the_tax_rules_of_its_day(tmp_path: Path):
    async def play(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
        unseen = p.Identified("foreign", False, False, "none shown")
        await here.house.record("cay", "ann", "", unseen)
        await hold(here, staff)
        record, before = here.house.record, await balance(here, "chips:ann")
        assert await refused(desk(here, "a").release(10_000_00, (), "w")) == "held/unidentified"
        await record("cay", "ann", "", p.Identified("foreign", True, True, "seen"))
        assert await refused(desk(here, "b").release(10_000_00, (), "w")) == "held/payee"
        await record("cay", "ann", "", SHOWN)
        await record("sue", "ann", "", p.Barred(True, "counting"))
        assert await refused(desk(here, "c").release(10_000_00, (), "w")) == "held/barred"
        await record("sue", "ann", "", p.Barred(False, "a mistake"))
        assert await refused(desk(here, "d").release(9_000_00, (), "w")) == "held/amount"
        assert await refused(desk(here, "e").release(10_000_00, ("x",), "w")) == "held/none"
        assert await balance(here, "held:ann") == 10_000_00, "nothing has left so far"
        await desk(here, "f").release(10_000_00, (), "papers shown")
        await desk(here, "f").release(10_000_00, (), "papers shown")  # once
        assert await refused(desk(here, "f").release(1, (), "w")) == "command/key-reused"
        assert await refused(desk(here, "g").release(10_000_00, (), "w")) == "held/none"
        assert await balance(here, "chips:ann") == before + 7_000_00
        assert (await balance(here, TAX), await balance(here, "held:ann")) == (3_000_00, 0)
        [form] = await here.house.in_thread(form_records, here.house.store)
        assert (form.form, form.reportable_cents, form.withheld_cents) == (
            "1042-S",
            10_000_00,
            3_000_00,
        )
        assert (form.payee, form.by, form.wager) == (ABROAD, "sam", form.wager)
        assert await here.house.in_thread(held_winnings, here.house.store) == []

    evening(tmp_path, play, DIAMOND_JO)


def test_r56__of_two_who_release_at_once_one_does(tmp_path: Path):
    async def play(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
        await hold(here, staff)
        await here.house.record("cay", "ann", "", SHOWN)
        both = (desk(here, key).release(10_000_00, (), "papers shown") for key in ("a", "b"))
        done = await asyncio.gather(*both, return_exceptions=True)
        [no] = [each for each in done if isinstance(each, Refused)]
        assert no.refusal.code == "held/none"
        assert await balance(here, TAX) == 3_000_00

    evening(tmp_path, play)


def test_r56__held_winnings_are_listed_with_their_day_and_wager(tmp_path: Path):
    async def play(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
        await hold(here, staff)
        [kept] = await here.house.in_thread(held_winnings, here.house.store)
        assert (kept.person, kept.cents, kept.staked_cents) == ("ann", 10_000_00, 20_00)
        assert kept.id == f"{here.name}-1-1-main"
        assert (kept.why, kept.day) == ("unidentified", here.house.settings.day(here.at))

    evening(tmp_path, play)


def test_r56__what_nobody_claims_is_turned_over_under_a_clause_and_never_to_the_house(
    tmp_path: Path,
):
    async def play(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
        await hold(here, staff)
        house = await balance(here, ledger.CAGE)
        assert await refused(desk(here, "a").turn_over(1, (), "w")) == "held/amount"
        done = await desk(here, "b").turn_over(10_000_00, (), "unclaimed for a year")
        assert '"clause":"M.2, R56"' in done.body
        assert await balance(here, ledger.TURNED_OVER) == 10_000_00
        assert (await balance(here, "held:ann"), await balance(here, ledger.CAGE)) == (0, house)

    evening(tmp_path, play, DIAMOND_JO)


def test_r56__where_no_clause_names_anybody_it_stays_a_liability(tmp_path: Path):
    async def play(here: ClockedHouse, staff: dict[str, p.Person]) -> None:
        await hold(here, staff)
        assert await refused(desk(here, "a").turn_over(10_000_00, (), "w")) == "held/stays"

    evening(tmp_path, play)


def test_r56__the_day_of_release_decides_and_not_the_day_of_the_win():
    """Winnings that needed a form when they were won, and need none by the rules of a later day."""
    held = resettle.RetoldHeld("main", 1_500_00, 1_500_00, 5_00, 0)
    before, since = datetime.date(2025, 12, 31), datetime.date(2026, 1, 1)
    assert resettle.due_on(HOLLYWOOD, held, Player(), before) == ("W-2G", 0)
    assert resettle.due_on(HOLLYWOOD, held, Player(tin=False), before) == ("W-2G", 360_00)
    assert resettle.due_on(HOLLYWOOD, held, Player(), since) == ("", 0)
