"""Patrons without an account who have left: what is kept for them, and what they owe."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from tests.audit.forgery import found
from tests.house.papers import ONE_PROOF, PAYEE
from tests.web.conftest import Staff, administrator
from tests.web.open_house import Answer, Caller, Visited, thread
from tests.web.pages.test_people import see, send, words

CAJUN = "diamond-jo-worth/cajun-stud"
PAPERS = {
    "name": PAYEE.name,
    "address": PAYEE.address,
    "proof_1": PAYEE.proofs[0],
    "proof_2": PAYEE.proofs[1],
    "residence": "us",
    "tin": PAYEE.tin,
}


@pytest.fixture
def house(quick_path: Path) -> Iterator[Visited]:
    with thread(quick_path) as here:
        yield here
    assert found(here.db) == {}, "whatever was done, the audit is clean"


@pytest.fixture
def staff(house: Visited) -> Staff:
    return Staff(house, administrator(house))


def ask(who: Caller, person: str, action: str, **more: Any) -> Answer:
    command = {"action": action, "why": "for a test", **more}
    return who("POST", f"/api/people/{person}", {"key": who.key(), "command": command})


def done(answer: Answer) -> Any:
    assert answer.status == 200, answer
    return answer.json


def balances(house: Visited, *accounts: str) -> list[int]:
    assert house.web is not None
    return [house.web.house.store.balance(account) for account in accounts]


def four_who_left(staff: Staff, *, they_stay: bool = False, toke_cents: int = 0) -> list[str]:
    """The first won 10,000.00 and showed no papers; the second was paid 40.00 that were not won;
    the others won 20.00 each that they were not paid."""
    dan, flo = staff("dan", "dealer"), staff("flo", "floor-supervisor")
    sam, sue = staff("sam", "shift-manager"), staff("sue", "surveillance")
    table = flo.open(CAJUN, practice=False, dealing="entered")

    def do(who: Caller, action: str, **more: Any) -> None:
        done(who.do(table, action, **more))

    do(dan, "start-dealing")
    do(flo, "bring-cards", colours=["red"])
    do(dan, "inspect-cards", role="dealer")
    do(flo, "inspect-cards", role="floor-supervisor")
    for action in ("wash-cards", "shuffle-cards"):
        do(dan, action)
    seats = (1, 2, 3, 4)
    for seat in seats:
        do(dan, "seat-patron", seat=seat, cash_cents=20_00 + toke_cents, label=f"hat {seat}")
    people = [seat["person"] for seat in dan.view(table)["seats"]]
    do(dan, "open-betting")
    for seat in seats:
        toke = toke_cents if seat == 2 else 0
        do(dan, "bet", seat=seat, wagers={"ante": 5_00}, toke_cents=toke)
    do(dan, "close-bets")
    do(dan, "deal", cards=["Ah", "Kh", "Js", "3d", "4c", "5d", "6c", "7d"])
    for card in ("Qh", "Jh", "Th"):
        for seat in seats:
            do(dan, "raise", seat=seat, times=1)
        do(dan, "deal", cards=[card])
    do(dan, "turn")
    waits = "aits for papers, for form W-2G; without, $10,000 is held"
    assert waits in words(see(flo, "/floor")), "the wagers of a payoff together"
    console = words(see(dan, f"/tables/{table}/deal"))
    assert "$10,000</b> is won, and held unless papers are shown" in console
    assert "Waits: papers, for form W-2G" in console
    do(staff("cay", "cage"), "hold-payoff", seat=1, why="none shown")
    floor = words(see(flo, "/floor"))
    assert "$10,000 is held, the player has no identification" in floor
    assert "$0 withheld" not in floor
    assert "$10,000</b> is held" in words(see(dan, f"/tables/{table}/deal"))
    for who, role in ((dan, "dealer"), (flo, "floor-supervisor"), (sue, "surveillance")):
        do(who, "approve-payoff", seat=1, role=role)
    do(dan, "pay")
    for seat in seats if not they_stay else ():
        do(dan, "unseat-patron", seat=seat)
    right = {2: ["2s", "3d"], 3: ["Jc", "5d"], 4: ["Jd", "7d"]}
    facts = [{"seat": seat, "cards": cards} for seat, cards in right.items()]
    for who, role in ((sam, "shift-manager"), (sue, "surveillance")):
        do(who, "correct-paid", role=role, why="misread", seats=facts, round=1)
    return people


def test_r54_r56__what_is_kept_or_owed_of_who_has_no_account_is_paid_turned_over_and_collected(
    house: Visited, staff: Staff
) -> None:
    first, second, third, fourth = four_who_left(staff)
    cay, sam = staff("cay", "cage"), staff("sam", "shift-manager")
    assert balances(house, f"held:{first}", f"claims:{second}") == [10_000_00, 40_00]
    assert balances(house, f"held:{third}", f"held:{fourth}") == [40_00, 40_00]
    [cage] = balances(house, "cage")
    waiting = sam("GET", "/api/floor/waiting").json
    kept = [(task["kind"], task["cents"], task["seat"]) for task in waiting]
    assert kept == [("held", 10_000_00, 1), ("held", 40_00, 3), ("held", 40_00, 4)]
    floor = words(see(sam, "/floor"))
    assert "$10,000.00 is held for hat 1, seat 1: they have shown no papers" in floor
    assert all(task["since"] for task in waiting)
    assert floor.count('class="button go" href="/papers"') == 3

    # R56: identified on the page of papers, and paid by the tax rules of the day.
    release = {"cents": 10_000_00}
    assert ask(sam, first, "release-held", **release).code == "held/unidentified"
    table = first.split("-")[1]
    told = words(see(cay, "/papers"))
    assert f"$10,000.00</b> is held for hat 1, seat 1 of table {table[:8]}, since today" in told
    assert f"$40.00</b> is owed by hat 2 of table {table[:8]}, since today" in told
    assert "hat 2" in words(see(sam, f"/rounds/{table}-1/correct?1.cards=Ah+Kh")), "by their label"
    [owed] = cay("GET", "/api/papers").json["claims"]
    assert (owed["person"], owed["name"], owed["table"]) == (second, "hat 2", table)
    assert (owed["cents"], owed["days"]) == (40_00, 0)
    assert send(cay, "/papers", do="identify", person=first, **PAPERS).status == 303
    done(ask(sam, first, "release-held", **release))
    assert balances(house, f"held:{first}", f"chips:{first}", "tax") == [0, 0, 2_400_00]
    assert balances(house, "cage") == [cage + 7_600_00], "they are paid in money"
    [form] = cay("GET", "/api/papers").json["forms"]
    assert (form["person"], form["withheld_cents"]) == (first, 2_400_00)

    # What was put right for somebody who had left is theirs, and needs no form.
    [kept] = [
        each["held"]["id"]
        for each in cay("GET", "/api/papers").json["held"]
        if each["held"]["person"] == third
    ]
    assert "-left-" in kept
    shown = {"residence": "us", "identified": True, "tin": False}
    done(ask(cay, third, "identify", **shown))
    # What contradicts itself is not written down: the form would go by one, the tax by the other.
    says = to_builtins(ONE_PROOF)
    abroad = {**says, "residence": "foreign"}
    for wrong, place in (
        ({"residence": "foreign", "payee": says}, "residence"),
        ({"residence": "foreign", "payee": abroad}, "country"),
        ({"identified": False, "payee": says}, "identified"),
        ({"tin": True, "payee": says}, "tin"),
        ({"payee": {**says, "name": "   "}}, "payee"),
    ):
        no = ask(cay, third, "identify", **{**shown, **wrong})
        assert (no.status, no.json["place"]) == (409, place), no
    done(ask(cay, third, "identify", **{**shown, "payee": says}))
    later = send(cay, f"/people/{third}", do="identify", residence="foreign", identified="yes")
    assert later.status == 409
    assert "Their papers say that they live in the United States" in words(later)
    done(ask(sam, third, "release-held", cents=40_00, of=[kept]))
    assert balances(house, f"held:{third}", "cage") == [0, cage + 7_640_00]
    assert len(cay("GET", "/api/papers").json["forms"]) == 1
    assert send(sam, "/papers", do="turn-over", person=fourth, cents="4000").status == 303
    assert balances(house, f"held:{fourth}", "turned-over") == [0, 40_00]
    # Where it was never won it is asked back where it went: who left never had it.
    back: dict[str, Any] = {
        "round": 1,
        "seats": [{"seat": 4, "cards": ["6c", "7d"]}],
        "why": "misread again",
    }
    preview = words(see(sam, f"/rounds/{table}-1/correct?4.cards=6c+7d&see=yes"))
    assert "$40 is asked back from the state, by its racing and gaming regulations" in preview
    for who, role in ((sam, "shift-manager"), (staff("sue", "surveillance"), "surveillance")):
        done(who.do(table, "correct-paid", role=role, **back))
    assert balances(house, f"held:{fourth}", f"claims:{fourth}", "turned-over") == [0, 0, 0]

    # What somebody owes comes in cash or is given up; there are no chips to take.
    collect = {"source": "chips", "cents": 30_00}
    assert ask(cay, second, "collect-claim", **collect).code == "person/no-account"
    owes = {"do": "collect", "person": second, "amount": "30.00"}
    assert send(cay, "/papers", **owes, source="chips").status == 409
    assert "not money" in words(send(cay, "/papers", **{**owes, "amount": "x"}, source="cash"))
    assert send(cay, "/papers", **owes, source="cash").status == 303
    assert ask(cay, second, "collect-claim", source="cash", cents=30_00).status == 409
    assert cay("GET", f"/api/people/{second}").json["owes_cents"] == 10_00
    told = words(see(cay, f"/people/{second}"))
    assert f"hat 2, table {table[:8]}" in told
    assert "<dt>Owes</dt><dd>$10.00" in told
    assert "play chips" not in told, "there are none without an account"
    assert send(cay, "/papers", **{**owes, "do": "write-off"}, source="cash").status == 403
    assert send(sam, "/papers", do="write-off", person=second, amount="10").status == 303
    assert balances(house, f"claims:{second}") == [0]
    assert cay("GET", "/api/papers").json["claims"] == []
    # Whose record the house has is listed by what they were called.
    assert f"hat 1, table {table[:8]}" in words(see(cay, "/people"))


def test_r56__a_proof_that_the_release_lacks_is_taken_down_on_the_page(
    house: Visited, staff: Staff
) -> None:
    first, *_ = four_who_left(staff)
    cay, sam = staff("cay", "cage"), staff("sam", "shift-manager")
    shown = {"do": "identify", "person": first, **PAPERS}
    assert send(cay, "/papers", **{**shown, "proof_2": ""}).status == 303
    release = {"do": "release", "person": first, "cents": "1000000"}
    no = send(sam, "/papers", **release)
    assert no.status == 409
    assert "identify them with a second proof of identity" in words(no)
    for who in (cay, sam):
        forms = re.findall(r"<form.*?</form>", words(see(who, "/papers")))
        [form] = [each for each in forms if 'value="identify"' in each and f'"{first}"' in each]
        assert f'name="proof_1" value="{PAPERS["proof_1"]}"' in form
    assert send(cay, "/papers", **shown).status == 303
    assert send(sam, "/papers", **release).status == 303
    assert balances(house, f"held:{first}", "tax") == [0, 2_400_00]


def test_r54__what_comes_to_who_has_left_is_said_to_be_held_before_it_is(staff: Staff) -> None:
    people = four_who_left(staff)
    table = people[0].split("-")[1]
    sam = staff("sam", "shift-manager")
    preview = f"/rounds/{table}-1/correct?"
    assert "$40 that they owe is owed no longer" in words(see(sam, f"{preview}2.cards=Js+3d"))
    more = words(see(sam, f"{preview}3.cards=Jc+Qd"))  # two pair, in place of one
    assert "$20 is held for them" in more
    assert "is paid to them" not in more


def test_r54__whoever_deals_is_told_to_hand_over_what_was_put_right(staff: Staff) -> None:
    _, _, third, _ = four_who_left(staff, they_stay=True)
    table = third.split("-")[1]
    dan, flo = staff("dan", "dealer"), staff("flo", "floor-supervisor")
    over = "Round 1 was put right: hand $40 in chips from the cage to hat 3, seat 3."
    for page in ("/floor", f"/tables/{table}/deal"):
        assert over in words(see(flo, page))
        assert "to hat 4, seat 4." in words(see(flo, page))
        assert "to hat 2" not in words(see(flo, page)), "who was paid too much gets nothing"
    console = f"/tables/{table}/deal"
    assert over in words(see(dan, console))

    # It ends with whom it is for, or when the next round's bets are closed.
    def do(action: str, **more: Any) -> None:
        done(dan.do(table, action, **more))

    do("unseat-patron", seat=4)
    assert "to hat 4" not in words(see(dan, console))
    for action in ("shuffle-cards", "open-betting"):
        do(action)
    do("bet", seat=3, wagers={"ante": 5_00})
    assert over in words(see(dan, console)), "they may still bet with it"
    do("close-bets")
    for who, page in ((dan, console), (flo, "/floor")):
        assert "was put right" not in words(see(who, page))


def test_r54__what_the_dealers_owe_is_written_off_on_the_page_of_papers(
    house: Visited, staff: Staff
) -> None:
    table = four_who_left(staff, toke_cents=1_00)[0].split("-")[1]
    cay, sam = staff("cay", "cage"), staff("sam", "shift-manager")
    assert balances(house, f"claims:tokes:{table}") == [2_00]
    assert "$2.00</b> is owed by the dealers" in words(see(sam, "/papers"))
    off = {"do": "write-off-tokes", "table": table}
    assert 'value="write-off-tokes"' in words(see(sam, "/papers"))
    assert 'value="write-off-tokes"' not in words(see(cay, "/papers"))
    assert send(cay, "/papers", **off).status == 403
    assert send(sam, "/papers", **off).status == 303
    assert balances(house, f"claims:tokes:{table}") == [0]
    assert "the dealers" not in words(see(sam, "/papers"))
    assert send(sam, "/papers", **off).status == 409


def test_chips_that_lie_before_a_patron_are_the_table_s_and_it_can_be_closed(
    house: Visited, staff: Staff
) -> None:
    flo, cay = staff("flo", "floor-supervisor"), staff("cay", "cage")
    table = flo.open(CAJUN, practice=False, dealing="entered")
    done(flo.do(table, "seat-patron", seat=1, cash_cents=1_000_00))
    [person] = [seat["person"] for seat in flo.view(table)["seats"]]
    collect = {"action": "collect-claim", "source": "chips"}
    for act in ({"action": "cash-chips"}, {"action": "sell-chips"}, collect):
        no = ask(cay, person, cents=1_000_00, **act)
        assert (no.status, no.code) == (409, "person/no-account")
        assert f"their chips lie at table {table}" in no.json["message"]
    done(flo.do(table, "close-table"))
    assert balances(house, f"chips:{person}", "outstanding") == [0, 1_000_00]


def test_nobody_has_chips_or_a_role_under_the_name_of_who_has_no_account(staff: Staff) -> None:
    """What lies before them is the table's to count: the cage would take it from there."""
    first, *_ = four_who_left(staff)
    cay, admin = staff("cay", "cage"), staff.admin
    assert ask(cay, first, "sell-chips", cents=5_00).code == "person/no-account"
    assert ask(cay, first, "cash-chips", cents=5_00).code == "person/no-account"
    assert ask(admin, first, "set-roles", roles=["player"]).code == "person/no-account"
    secret = {"password": "for-once-only"}
    assert ask(admin, first, "set-password", **secret).code == "person/no-account"
    shown = {"residence": "us", "identified": True, "tin": False}
    assert ask(cay, "patron-none-1", "identify", **shown).code == "person/unknown"
