"""A sealed deck has no shuffler, and nobody alone takes back what it paid: H5 and M7."""

import asyncio

import pytest
from msgspec.structs import replace

from pitboss.audit.audit import audit
from pitboss.audit.promises import ROLES, SEALED
from pitboss.audit.snapshot import Snapshot
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import payoffs
from pitboss.round import actions as a
from pitboss.round import events as e
from tests.audit.forgery import broken, events, forge, with_body
from tests.clauses.rulings.test_corrections_before_payment import royal
from tests.helpers import BOOKS, DIAMOND_JO, SENECA
from tests.house.evening import CAJUN, Evening
from tests.house.floor import BOSS, Floor, dealt_by, happened

FLOOR, SHIFT = "floor-supervisor", "shift-manager"


@pytest.mark.parametrize("dealing", ["automatic", "dealer"])
def test_h5_a_table_with_sealed_decks_has_no_shuffler(dealing):
    opens = c.OpenTable(DIAMOND_JO.id, dealing=dealing, shuffler=True)
    refusal = Floor(DIAMOND_JO, opened=False).refused(opens, BOSS)
    assert (refusal.code, refusal.clause) == ("table/no-lights", "C.1.h")


def test_h5_no_light_has_the_deck_sealed_anew():
    floor = dealt_by().sit("ann")
    floor.do(c.OpenBetting(), "dan")
    noted = floor.table.commitment
    floor.bet(1)
    for colour in ("red", "green"):
        assert floor.refused(a.Light(colour), "dan").code == "light/no-shuffler"
    floor.do(a.CloseBets(), "dan")
    floor.do(a.Deal(()), "dan")
    assert floor.refused(a.Light("red"), "dan").code == "light/no-shuffler"
    sealed = [each for each in floor.events if isinstance(each, h.DeckSealed)]
    assert [each.commitment for each in sealed] == [noted] == [floor.table.commitment]


def test_h5_the_audit_finds_a_second_deck_of_one_round(copy):
    def alter(entry, body):
        for sealed in events(body, "deck-sealed"):
            if sealed["locked"]:
                body["events"].append({**sealed, "commitment": "0" * 64})
                return with_body(entry, body)
        return None

    forge(copy, alter)
    with Snapshot(str(copy)) as snapshot:
        assert "another deck was sealed for round 1" in broken(audit(snapshot))[SEALED]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.house)
def test_m7_what_cannot_have_happened_to_a_sealed_deck_is_not_called(book):
    causes = [rule.cause for rule in book.misdeal if rule.real_cards]
    assert causes
    for table in (Floor(book), dealt_by(book)):
        floor = table.sit("ann")
        if floor.table.dealer:
            floor.do(c.OpenBetting(), "dan")
        floor.bet(1)
        for cause in causes:
            for ruling in (a.CallMisdeal(cause, SHIFT), a.LetStand(cause, SHIFT)):
                assert floor.refused(ruling, BOSS).code == "irregularity/sealed"
        for rule in book.dead:
            if rule.real_cards:
                kill = a.KillHand(1, rule.cause, FLOOR)
                assert floor.refused(kill, "flo").code == "irregularity/sealed"


def announced() -> Floor:
    """Ann's four aces wait for approval, at a table that deals by itself."""
    book = replace(DIAMOND_JO, dead=SENECA.dead)
    floor = Floor(book, opened=False).deck("As Ad Ac Ah Kd")
    floor.do(c.OpenTable(book.id, minimum_cents=5_00, maximum_cents=100_00), BOSS)
    floor.sit("ann").bet(1)
    for _ in range(3):
        floor.raises(1)
    return floor


RULINGS = [
    a.CallMisdeal("information", FLOOR),
    a.KillHand(1, "information", FLOOR),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=["misdeal", "dead"])
def test_m7_nobody_alone_voids_a_win_that_is_announced(ruling):
    floor = announced()
    won = dict(floor.table.announced)
    assert won
    unit = floor.do(ruling, "flo")
    (asked,) = unit.events
    assert isinstance(asked, h.VoidAsked)
    assert (asked.cause, asked.role, asked.person) == ("information", FLOOR, "flo")
    assert floor.table.announced == won, "it stands as long as nobody agrees"
    # Not once more, not by a colleague in the same role.
    for who in ("flo", "fay"):
        assert floor.refused(ruling, who).code == "approval/second-role"
    floor.do(replace(ruling, role=SHIFT), "max")
    assert floor.table.announced == {}
    called = [each for each in floor.events if isinstance(each, e.MisdealCalled | e.HandDied)]
    assert [(each.role, each.person) for each in called] == [(FLOOR, "flo")]


def test_m7_one_person_in_two_roles_is_one_person():
    floor = announced()
    floor.do(a.CallMisdeal("information", FLOOR), "fay")
    refusal = floor.refused(a.CallMisdeal("information", SHIFT), "fay")
    assert refusal.code == "approval/second-role"


def test_m7_who_ruled_and_deals_since_is_not_the_first_of_two():
    floor = royal()
    floor.do(a.CallMisdeal("information", FLOOR), "flo")
    for dealer in ("flo", "dan"):
        floor.do(c.StartDealing(), dealer)
    [asked] = floor.do(a.CallMisdeal("information", SHIFT), "max").events
    assert asked == h.VoidAsked("information", 0, SHIFT, "max")
    assert list(floor.table.announced) == [1], "it stands as long as nobody agrees"
    voids = floor.do(a.CallMisdeal("information", FLOOR), "fay")
    [called] = happened(voids, e.MisdealCalled)
    assert (called.role, called.person) == (SHIFT, "max")


def test_m7_only_a_role_of_the_pit_is_a_second_one():
    floor = announced()
    floor.do(a.CallMisdeal("information", FLOOR), "flo")
    refusal = floor.refused(a.CallMisdeal("information", "player"), "pip")
    assert refusal.code == "approval/second-role"


def test_m7_who_may_not_call_it_cannot_be_the_first_either():
    floor = announced()
    assert floor.refused(a.CallMisdeal("integrity", FLOOR), "flo").code == "role/not-yours"
    floor.do(a.CallMisdeal("integrity", SHIFT), "max")
    floor.do(a.CallMisdeal("integrity", FLOOR), "flo")  # a second role agrees
    assert floor.chips("ann") == 0


def test_m7_while_one_role_says_so_others_may_still_approve():
    floor = announced()
    floor.do(a.CallMisdeal("information", FLOOR), "flo")
    floor.do(c.ApprovePayoff(1, FLOOR), "fay")
    floor.do(c.ApprovePayoff(1, SHIFT), "max")
    assert floor.table.announced == {}
    assert floor.chips("ann") > 0
    assert floor.table.void is None


def test_m7_before_anything_is_announced_one_is_enough():
    floor = Floor(DIAMOND_JO).sit("ann")
    floor.bet(1)
    unit = floor.do(a.CallMisdeal("information", FLOOR), "flo")
    assert happened(unit, h.VoidAsked) == []
    assert floor.chips("ann") == 0


def test_m7_the_audit_finds_a_win_that_one_alone_voided(quick_path, monkeypatch):
    """By a server that was told otherwise; the audit asks for two by code of its own."""

    async def voids(where):
        here = Evening(where)
        await here.house.start()
        await here.everybody()
        here.stacked = ["As Ad Ac Ah Kd"]
        name = await here.open("sam", CAJUN)
        await here.sit(name, "ann")
        await here.bet(name, 1, "ann", sides=False)
        await here.decide(name, folds=False)
        assert list((await here.house.table(name)).table.announced) == [1]
        await here.do(name, "flo", a.CallMisdeal("information", FLOOR))
        assert (await here.house.table(name)).table.void is None
        await here.house.stop()

    where = str(quick_path / "house.db")
    with monkeypatch.context() as told:
        told.setattr(payoffs, "needs_second", lambda _table: False)
        asyncio.run(voids(where))
    with Snapshot(where) as snapshot:
        found = broken(audit(snapshot))
    assert "voided by one alone" in found[ROLES]


# After a restore --------------------------------------------------------------------------------
