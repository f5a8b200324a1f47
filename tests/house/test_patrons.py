"""Patrons without an account: every chip that comes, moves and goes with them is posted."""

import asyncio
import itertools
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.audit import export
from pitboss.audit.patron_checks import PatronChecks
from pitboss.audit.promises import CONSERVED, ROLES, SAME_BYTES, Findings
from pitboss.audit.snapshot import Snapshot
from pitboss.cards import cards, shuffled
from pitboss.errors import Refused
from pitboss.house.held_desk import HeldDesk
from pitboss.house.people import permissions
from pitboss.house.people import persons as p
from pitboss.house.replay import finished
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import form_records
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.unit_of_work import UnitOfWork
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from tests.audit.forgery import events, forge, found, in_one_file, with_body
from tests.helpers import DIAMOND_JO
from tests.house.evening import CAJUN, Evening
from tests.house.floor import Floor, actor, new_cards, opens_betting
from tests.house.papers import PAYEE
from tests.house.test_corrections import both, in_a_house, paid, written

CASH = 500_00


async def with_cards(here: Evening) -> str:
    """A table with real cards, with its dealer and nobody at it."""
    await here.everybody()
    name = await here.open("sam", CAJUN, dealing="entered")
    await here.do(name, "dan", c.StartDealing())
    await here.do(name, "flo", c.BringCards(("red",)))
    await here.do(name, "dan", c.InspectCards("dealer"))
    await here.do(name, "flo", c.InspectCards("floor-supervisor"))
    await here.do(name, "dan", c.WashCards())
    return name


async def begins(here: Evening, name: str) -> None:
    await here.do(name, "dan", c.ShuffleCards())
    await here.do(name, "dan", c.OpenBetting())


async def plays(here: Evening, name: str, deck: str = "") -> None:
    """Deal what was bet on, and pay it."""
    await here.do(name, "dan", a.CloseBets())
    first = cards(deck)
    rest = [card for card in shuffled(here.chance) if card not in first]
    coming = iter((*first, *rest))
    await here.work(name, lambda count: tuple(itertools.islice(coming, count)))
    await paid(here, name)


async def approved(here: Evening, name: str, seat: int) -> None:
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
        await here.do(name, who, c.ApprovePayoff(seat, role))


async def balance(here: Evening, account: str) -> int:
    return await here.house.in_thread(here.house.store.balance, account)


async def refused(here: Evening, name: str, who: str, command: Any) -> str:
    with pytest.raises(Refused) as no:
        await here.do(name, who, command)
    return no.value.refusal.code


def test_cash_and_chips_come_to_the_table_and_go_again(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        bank = (await here.house.table(name)).table.bank_cents
        await here.do(name, "dan", c.SeatPatron(2, "red jacket", CASH, given={25_00: 20}))
        await here.do(name, "flo", c.BuyIn(2, chips_cents=25_00))
        table = (await here.house.table(name)).table
        patron = table.sitters[2]
        assert (patron.name, patron.chips_cents) == ("red jacket", CASH + 25_00)
        assert table.bank_cents == bank - CASH
        assert await balance(here, f"chips:{patron.person}") == CASH + 25_00
        assert await balance(here, f"drop:{name}") == CASH
        assert await balance(here, "outstanding") == -25_00
        await here.do(name, "dan", c.ColourUp(2, {25_00: 4}, {100_00: 1}))
        await here.do(name, "dan", c.UnseatPatron(2))
        assert (await here.house.table(name)).table.sitters == {}
        assert await balance(here, f"chips:{patron.person}") == 0
        assert await balance(here, "outstanding") == CASH
        # Another in the same seat is somebody else.
        await here.do(name, "dan", c.SeatPatron(2))
        other = (await here.house.table(name)).table.sitters[2]
        assert (other.name, other.chips_cents) == ("Patron 2", 0)
        assert other.person != patron.person

    in_a_house(where, play)


def test_both_kinds_play_one_round_and_who_leaves_takes_the_winnings_along(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, "red jacket", CASH))
        await here.do(name, "ann", c.Sit(2))
        await begins(here, name)
        await here.bet(name, 1, "dan", sides=False)
        await here.bet(name, 2, "ann", sides=False)
        person = (await here.house.table(name)).table.sitters[1].person
        await here.do(name, "dan", a.CloseBets())
        await here.do(name, "dan", c.UnseatPatron(1))
        assert (await here.house.table(name)).table.sitters[1].leaving
        deck = iter(cards("Js Jd 2c 3d 4h 9s Qh"))
        await here.work(name, lambda count: tuple(itertools.islice(deck, count)))
        await paid(here, name)
        assert [*(await here.house.table(name)).table.sitters] == [2]
        assert await balance(here, "outstanding") == CASH + 50_00  # a pair of jacks on ten units
        assert await balance(here, f"chips:{person}") == 0
        replay = finished(here.house.store, f"{name}-1")
        assert replay.seen_by(None).names == {1: "red jacket", 2: "ann"}

    in_a_house(where, play)
    with Snapshot(where) as snapshot:
        [told] = export.rounds(snapshot)
    assert [(each["seat"], each["name"]) for each in told["seats"]] == [
        (1, "red jacket"),
        (2, "ann"),
    ]


def test_nobody_plays_with_more_than_lies_there_and_chips_are_bought_before_the_deal(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, cash_cents=12_00))
        await begins(here, name)
        assert await refused(here, name, "dan", a.Bet(1, {"ante": 15_00})) == "chips/patron"
        await here.do(name, "dan", a.Bet(1, {"ante": 5_00}))
        await here.do(name, "dan", c.BuyIn(1, chips_cents=5_00))
        assert await refused(here, name, "dan", c.Undo()) == "undo/nothing"
        await here.do(name, "dan", a.CloseBets())
        assert await refused(here, name, "dan", c.BuyIn(1, 5_00)) == "patron/playing"
        assert await refused(here, name, "dan", c.SeatPatron(2, "", 5_00)) == "patron/playing"
        await here.do(name, "dan", c.SeatPatron(2))
        await here.do(name, "dan", a.Deal(cards("As Kd")))
        assert await refused(here, name, "dan", a.Raise(1, 3)) == "chips/patron"
        await here.do(name, "dan", a.Raise(1, 2))
        assert (await here.house.table(name)).table.sitters[1].chips_cents == 2_00
        await here.do(name, "dan", a.Deal(cards("2h")))
        await here.do(name, "dan", a.Fold(1))
        await here.do(name, "dan", a.Pay())
        await here.do(name, "flo", c.CloseTable())
        assert await balance(here, "outstanding") == 2_00 - 5_00
        assert await balance(here, f"drop:{name}") == 12_00

    in_a_house(where, play)


def test_r55__what_needs_a_form_is_held_for_a_patron_of_whom_nobody_saw_papers(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, "red jacket", CASH))
        await begins(here, name)
        await here.bet(name, 1, "dan", sides=False)
        person = (await here.house.table(name)).table.sitters[1].person
        await plays(here, name, "Ah Kh Qh Jh Th")
        assert (await here.house.table(name)).table.sitters[1].chips_cents == CASH
        assert await balance(here, f"held:{person}") == 25_000_00

    in_a_house(where, play)


def test_r56__a_patron_who_comes_back_with_papers_is_paid_at_the_cage(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, "red jacket", CASH))
        await begins(here, name)
        await here.bet(name, 1, "dan", sides=False)
        person = (await here.house.table(name)).table.sitters[1].person
        await plays(here, name, "Ah Kh Qh Jh Th")
        await here.do(name, "dan", c.UnseatPatron(1))
        shown = p.Identified("us", True, True, "a passport", PAYEE)
        await here.house.record("cay", person, "", shown)
        cage = await balance(here, "cage")
        await HeldDesk(here.house, "sam", person, "r", "").release(25_000_00, (), "came back")
        assert await balance(here, "cage") == cage + 19_000_00
        assert (await balance(here, f"held:{person}"), await balance(here, "tax")) == (0, 6_000_00)
        [form] = form_records(here.house.store)
        assert (form.person, form.payee) == (person, PAYEE)

    in_a_house(where, play)


def test_r57__papers_of_a_patron_without_an_account_are_taken_at_the_payoff(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, "red jacket", CASH))
        await begins(here, name)
        await here.bet(name, 1, "dan", sides=False)
        await here.do(name, "dan", a.CloseBets())
        deck = iter(cards("Ah Kh Qh Jh Th"))
        await here.work(name, lambda count: tuple(itertools.islice(deck, count)))
        await here.do(name, "flo", c.CompleteForm(1, PAYEE))
        for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("sue", "surveillance")):
            await here.do(name, who, c.ApprovePayoff(1, role))
        await here.do(name, "dan", a.Pay())
        sitter = (await here.house.table(name)).table.sitters[1]
        assert sitter.chips_cents == CASH + 19_000_00
        [form] = form_records(here.house.store)
        assert (form.person, form.payee, form.withheld_cents) == (sitter.person, PAYEE, 6_000_00)

    in_a_house(where, play)


def test_r57__a_form_that_is_complete_is_paid_while_another_waits(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        for seat in (1, 2):
            await here.do(name, "dan", c.SeatPatron(seat, "", CASH))
        await begins(here, name)
        for seat in (1, 2):
            await here.bet(name, seat, "dan", sides=False)
        await here.do(name, "dan", a.CloseBets())
        deck = iter(cards("Ah Kh 9h 8h Qh Jh Th"))  # a royal flush, and a straight flush
        await here.work(name, lambda count: tuple(itertools.islice(deck, count)))
        await here.do(name, "cay", c.CompleteForm(1, PAYEE))
        await approved(here, name, 1)
        await here.do(name, "dan", a.Pay())
        table = (await here.house.table(name)).table
        assert ([*table.paid], table.paid[1].filed[0].withheld_cents > 0) == ([1], True)
        assert await refused(here, name, "cay", c.CompleteForm(1, PAYEE)) == "form/none"
        await approved(here, name, 2)
        await here.do(name, "dan", a.Pay())

    in_a_house(where, play)


def test_a_buy_in_entered_wrongly_is_taken_back_by_somebody_above_before_it_is_played(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, cash_cents=1_000_00))
        await here.do(name, "dan", c.BuyIn(1, 5_000_00, 100_00))
        slip = c.VoidBuyIn(1, "five hundred")
        assert await refused(here, name, "dan", slip) == "role/not-yours"
        await here.do(name, "flo", slip)
        assert await refused(here, name, "flo", slip) == "patron/no-buy-in"
        assert (await here.house.table(name)).table.sitters[1].chips_cents == 1_000_00
        assert await balance(here, f"drop:{name}") == 1_000_00
        assert await balance(here, "outstanding") == 0
        await here.do(name, "dan", c.BuyIn(1, CASH))
        await begins(here, name)
        await here.do(name, "dan", a.Bet(1, {"ante": 100_00}))
        await plays(here, name, "2s 3d 4h 9s Qh")
        assert await refused(here, name, "flo", slip) == "patron/no-buy-in"

    in_a_house(where, play)


@pytest.mark.parametrize("seller", ["dan", "eve", "flo"])
def test_nobody_who_entered_a_buy_in_or_dealt_since_takes_it_back(seller):
    """Eve is dealer and supervisor: that she stops dealing first changes nothing."""
    floor = Floor(DIAMOND_JO, dealing="entered")
    findings = Findings()
    checks = PatronChecks("t", findings)
    slip = c.VoidBuyIn(1, "a slip")

    def does(command: Any, who: str) -> None:
        dealer = floor.table.dealer
        hears(floor.do(command, who), who, dealer)

    def hears(unit: Any, who: str, dealer: str) -> None:
        checks.hear(
            unit.events,
            unit.postings,
            practice=False,
            handles=True,
            above=True,
            actor=who,
            dealer=dealer,
            dealt=False,
        )

    does(c.StartDealing(), "dan")
    does(c.SeatPatron(1), "dan")
    if seller == "eve":
        does(c.StartDealing(), "eve")
    does(c.BuyIn(1, CASH), seller)
    does(c.StartDealing(), "eve")
    does(c.StopDealing(), "eve")
    does(c.StartDealing(), "dan")
    assert floor.refused(slip, "eve").code == "patron/own-entry"
    if seller == "flo":
        assert floor.refused(slip, "flo").code == "patron/own-entry"
    assert findings.first == ""
    before = floor.table
    voided = h.BuyInVoided(1, before.sitters[1].person, CASH, 0, "a slip")
    forged = UnitOfWork(DIAMOND_JO, before, actor("eve"), floor._now(slip))
    forged.add(voided)
    hears(forged, "eve", "dan")
    assert "handled chips" in findings.first, "the audit would find it"
    floor.do(slip, "max")


@pytest.mark.parametrize("stays", [True, False])
def test_r54__what_is_put_right_later_comes_to_a_patron_or_is_kept_for_one_who_left(where, stays):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, "", CASH))
        person = (await here.house.table(name)).table.sitters[1].person
        await begins(here, name)
        await here.bet(name, 1, "dan", sides=False)
        await plays(here, name, "Js 3d 4h 9s Qh")
        if not stays:
            await here.do(name, "dan", c.UnseatPatron(1))
        jacks = (SeatFacts(1, cards=cards("Js Jd")),)
        for who, role in (("sam", "shift-manager"), ("sue", "surveillance")):
            await here.do(name, who, c.CorrectPaid(role, "misread", jacks, round=1))
        held, chips = [await balance(here, f"{kind}:{person}") for kind in ("held", "chips")]
        assert (held, chips) == ((0, CASH + 50_00) if stays else (100_00, 0))

    in_a_house(where, play)


def test_of_two_who_seat_somebody_at_once_one_comes_second(where):
    async def play(here: Evening) -> None:
        name = await with_cards(here)
        came = await both(
            here, name, ("dan", c.SeatPatron(1, "tall", CASH)), ("flo", c.SeatPatron(1, "short"))
        )
        [no] = [each for each in came if isinstance(each, Exception)]
        assert isinstance(no, Refused)
        assert no.refusal.code == "seat/taken"

    in_a_house(where, play)


def test_for_practice_its_owner_does_all_of_it_with_play_chips(where):
    async def play(here: Evening) -> None:
        await here.everybody()
        name = await here.open("guest-1", CAJUN, practice=True, dealing="entered")
        await here.do(name, "guest-1", c.SeatPatron(1, "me", CASH, 25_00))
        await here.do(name, "guest-1", c.StartDealing())
        await here.do(name, "guest-1", c.VoidBuyIn(1, "a slip"))
        await here.do(name, "guest-1", c.BuyIn(1, CASH))
        await here.do(name, "guest-1", c.CallFloor())
        await here.do(name, "guest-1", c.AnswerFloor())
        await here.do(name, "guest-1", c.CloseTable())
        assert await balance(here, "outstanding") == 0
        assert await balance(here, f"drop:{name}") == CASH

    in_a_house(where, play)


def test_conservation_whatever_patrons_buy_play_and_take_along(where):
    """At random, with an audit of every promise at the end."""

    async def play(here: Evening) -> None:
        chance = random.Random(7)
        name = await with_cards(here)
        await here.do(name, "ann", c.Sit(6))

        async def anything() -> None:
            seat, cash = chance.randrange(1, 6), chance.choice([5_00, 40_00, 300_00])
            sitter = (await here.house.table(name)).table.sitters.get(seat)
            if sitter is None:
                command: Any = c.SeatPatron(seat, "", cash, chance.choice([0, 25_00]))
            else:
                several = [c.BuyIn(seat, cash), c.BuyIn(seat, 0, cash), c.UnseatPatron(seat)]
                if sitter.chips_cents >= 25_00:
                    several.append(c.ColourUp(seat, {5_00: 5}, {25_00: 1}))
                command = chance.choice(several)
            await here.do(name, chance.choice(["dan", "flo"]), command)

        for _ in range(6):
            for _ in range(4):
                await anything()
            await begins(here, name)
            table = (await here.house.table(name)).table
            for seat, sitter in table.sitters.items():
                if not sitter.patron or sitter.chips_cents >= 5_00 * 10:
                    await here.bet(name, seat, "dan", sides=False)
            await anything()
            if not (await here.house.table(name)).table.under_way:
                await here.bet(name, 6, "ann", sides=False)
            await plays(here, name)
        await here.do(name, "flo", c.CloseTable())
        rows = await here.house.in_thread(
            lambda: [*here.house.store.rows("SELECT account, cents FROM balances")]
        )
        books = dict(rows)
        assert sum(books.values()) == 0
        patrons = [cents for account, cents in books.items() if "patron-" in account]
        assert len(patrons) > 5
        assert not any(cents for cents in patrons)
        bought = [event for _, event in written(here, name, h.PatronBoughtIn)]
        cash = sum(each.cash_cents for each in bought)
        brought = sum(each.chips_cents for each in bought)
        taken = sum(event.cents for _, event in written(here, name, h.PatronLeft))
        assert books[f"drop:{name}"] == cash
        assert books["outstanding"] == taken - brought

    in_a_house(where, play)


def test_who_seats_and_buys_is_the_dealer_or_above_and_never_who_plays_there():
    floor = new_cards(Floor(DIAMOND_JO, dealing="entered"))
    assert floor.refused(c.SeatPatron(1), "dan").code == "dealer/not-you"
    floor.do(c.SeatPatron(1, "tall", 25_00), "flo")
    floor.do(c.StartDealing(), "dan")
    floor.do(c.BuyIn(1, 25_00), "dan")
    floor.do(c.Sit(2), "pip")
    assert floor.refused(c.BuyIn(1, 25_00), "pip").code == "patron/own-table"
    assert floor.refused(c.BuyIn(2, 25_00), "dan").code == "patron/none"
    assert floor.refused(c.BuyIn(1), "dan").code == "patron/nothing"
    assert floor.refused(c.BuyIn(1, 25_50), "dan").code == "chips/none-such"
    assert floor.refused(c.BuyIn(1, 25_00, given={5_00: 4}), "dan").code == "chips/not-the-cash"
    assert floor.refused(c.ColourUp(1, {5_00: 5}, {3_00: 5}), "dan").code == "chips/no-such-chip"
    assert floor.refused(c.ColourUp(1, {5_00: 5}, {5_00: 4}), "dan").code == "chips/not-equal"
    assert floor.refused(c.ColourUp(1, {5_00: 20}, {100_00: 1}), "dan").code == "chips/too-few"
    assert floor.refused(c.SeatPatron(3, "two\nlines"), "dan").code == "patron/label"
    assert floor.refused(c.SeatPatron(1), "dan").code == "seat/taken"
    sealed = Floor(DIAMOND_JO, dealing="dealer")
    assert sealed.refused(c.SeatPatron(1), "flo").code == "patron/real-cards"


def test_the_floor_is_called_once_and_answers():
    floor = new_cards(Floor(DIAMOND_JO, dealing="entered"))
    assert floor.refused(c.AnswerFloor(), "flo").code == "floor/not-called"
    floor.do(c.StartDealing(), "dan")
    floor.do(c.CallFloor("a card is torn"), "dan")
    opens_betting(floor)
    assert floor.table.call == h.FloorCalled("dan", floor.at, "a card is torn")
    assert floor.refused(c.CallFloor(), "dan").code == "floor/called"
    floor.do(c.AnswerFloor(), "flo")
    assert floor.table.call is None


# Forgers ----------------------------------------------------------------------------------------


def test_chips_taken_behind_the_table_are_found_and_none_can_be(tmp_path, monkeypatch):
    """The cage took what lay before a patron: then nobody could have left, nor the table closed."""

    async def play() -> None:
        here = Evening(str(tmp_path / "house.db"))
        await here.house.start()
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, "", CASH))
        person = (await here.house.table(name)).table.sitters[1].person
        cashed = p.ChipsCashed(CASH)
        with pytest.raises(Refused, match=f"chips lie at table {name}"):
            await here.house.record("cay", person, "k", cashed)
        with monkeypatch.context() as lax:
            lax.setattr(permissions, "allow_event", lambda *_: None)
            await here.house.record("cay", person, "k", cashed)
        await here.house.stop()

    asyncio.run(play())
    wrong = found(in_one_file(tmp_path / "house.db"))
    assert [*wrong] == [CONSERVED, ROLES]
    assert f"{CASH} lie before patron-" in wrong[CONSERVED]


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house where patrons played."""
    path = tmp_path_factory.mktemp("patrons") / "house.db"

    async def play() -> None:
        here = Evening(str(path))
        await here.house.start()
        await here.everybody()
        await here.patrons()
        await here.house.stop()

    asyncio.run(play())
    return in_one_file(path)


def more_cash(event: dict[str, Any]) -> None:
    event["cash_cents"] += 100


def less_along(event: dict[str, Any]) -> None:
    event["cents"] -= 100


def better_chips(event: dict[str, Any]) -> None:
    event["given"] = {"10000": 2}


def papers(event: dict[str, Any]) -> None:
    event["player"] = {**event["player"], "identified": True}


def another(event: dict[str, Any]) -> None:
    event["person"] = "eve"


@pytest.mark.parametrize(
    ("kind", "change", "promise"),
    [
        ("patron-bought-in", more_cash, CONSERVED),
        ("patron-left", less_along, CONSERVED),
        ("buy-in-voided", more_cash, CONSERVED),
        ("chips-changed", better_chips, CONSERVED),
        ("seat-taken", papers, ROLES),
        ("floor-called", another, ROLES),
        ("floor-answered", another, ROLES),
    ],
)
def test_what_was_forged_of_a_patron_is_found(
    visited: Path,
    tmp_path: Path,
    kind: str,
    change: Callable[[dict[str, Any]], None],
    promise: int,
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(visited, copy)
    assert found(copy) == {}

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for event in events(body, kind):
            change(event)
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert f"journal {position} (" in result[SAME_BYTES]
    assert f"journal {position} (" in result[promise]


def test_a_buy_in_by_somebody_else_is_found(visited: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(visited, copy)

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        return replace(entry, actor="ann") if events(body, "patron-bought-in") else None

    position = forge(copy, alter)
    assert f"journal {position} (" in found(copy)[ROLES]


def test_r53__what_a_patron_cannot_pay_is_not_asked_for_since_nobody_could_agree(where):
    """It would hold up the payment, though it can only be taken back."""

    async def play(here: Evening) -> None:
        name = await with_cards(here)
        await here.do(name, "dan", c.SeatPatron(1, cash_cents=20_00))
        await begins(here, name)
        await here.do(name, "dan", a.Bet(1, {"ante": 5_00}))
        await here.do(name, "dan", a.CloseBets())
        await here.do(name, "dan", a.Deal(cards("As Kd")))
        await here.do(name, "dan", a.Raise(1, 1))
        more = (SeatFacts(1, wagers={"ante": 15_00}),)
        asked = c.Correct("dealer", "three chips", more)
        assert await refused(here, name, "dan", asked) == "chips/patron"
        assert (await here.house.table(name)).table.correction is None
        await here.do(name, "dan", replace(asked, seats=(SeatFacts(1, wagers={"ante": 10_00}),)))

    in_a_house(where, play)
