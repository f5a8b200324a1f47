"""A shift of patrons without an account at the dealer's console, by keys and without a script."""

from typing import Any

import pytest

from tests.browser.dealers import Console, RealTable
from tests.browser.forms import Forms, refused
from tests.browser.player import see
from tests.browser.test_dealer_console import DECIDES, SHUFFLED, SIX, clean, fields
from tests.browser.test_floor import looks, plain
from tests.browser.visitors import Site, Visitors

SENECA = "seneca-niagara/caribbean-stud"


def test_six_patrons_buy_in_play_change_chips_and_leave_by_keys(
    site: Site, new_person: Visitors
) -> None:
    at = RealTable(site, 0)
    console = Console(new_person(1024), at)
    page = console.page
    console.sees(SHUFFLED)
    console.pressed = 0
    for seat in range(1, 7):
        console.press(*"/+100", "Enter")
        see(page.locator(f"[data-key=seat-{seat}]")).to_contain_text(f"Patron {seat} · $100")
    assert console.pressed == 36  # six for each, the amount among them
    clean(page, "patrons")
    # What cannot be is told where it stands, and changes nothing.
    console.press(*"/6+1.50", "Enter")
    see(page.locator("#amiss-patron-cash_cents")).to_have_text("No chips make $1.50.")
    page.goto(at.path)
    for _ in range(2):
        console.pressed = 0
        console.sees(SHUFFLED)
        console.press("Enter")
        console.sees("Open the betting")
        console.press("Enter")
        console.sees("Enter the wagers of seat 1")
        console.press(*["Enter"] * 6)
        console.sees("Close the betting")
        console.press("Enter")
        console.sees("Deal two cards each to seats 1, 2, 3, 4, 5 and 6")
        console.press("Enter")
        for card in ("Qh", "Kc", "Td"):
            console.sees(f"Seat 1 {DECIDES}")
            console.press(*"111111")
            console.sees("Deal one card to the board, face up")
            console.scan(card)
        console.sees("Turn up the hand of seat 6")
        console.scan(" ".join(reversed(SIX)))
        console.sees("Pay")
        console.press("Enter")
        console.sees(SHUFFLED)
        assert console.pressed == 29
    see(page.locator(".hands li").first).to_contain_text("Patron 1 · $60")
    # What was taken and paid can still be read, and chips are changed before somebody goes.
    see(page.locator(".payoffs h2")).to_have_text("Taken and paid in round 2")
    see(page.locator(".payoffs li")).to_have_count(6)
    first = page.locator(".hands li").first
    first.locator("[data-key=chips-1] summary").click()
    first.locator("[name=count]").fill("7")
    page.keyboard.press("Enter")
    see(first.locator(".wrong")).to_contain_text(
        "7 chips of $5 are no whole number of chips of $25"
    )
    first.locator("[name=count]").fill("10")
    page.keyboard.press("Enter")
    see(first.locator(".wrong")).to_have_count(0)
    first.get_by_role("button", name="Leaves with $60").click()
    see(page.locator(".hands li")).to_have_count(5)
    page.keyboard.press("f")
    see(page.locator(".called")).to_contain_text("Dan called the floor")
    clean(page, "what was paid")
    beside = new_person(1024)
    beside.sign_in("flo")
    beside.page.goto(at.path)
    see(beside.page.get_by_role("button", name="I am here")).to_be_focused()
    beside.page.evaluate("document.querySelectorAll('main details').forEach((e) => e.open = true)")
    clean(beside.page, "beside the dealer")
    beside.page.keyboard.press("Enter")
    see(beside.page.locator(".does b")).to_have_text(f"The dealer's step: {SHUFFLED}.")
    see(page.locator(".called")).to_have_count(0)


def test_the_floor_beside_it_brings_cards_and_answers_without_a_script(site: Site) -> None:
    at = RealTable(site, 0, opened_only=True)
    dan, flo = Forms(at.dan), Forms(at.flo)

    def does(forms: Forms, form: str, **more: str) -> str:
        asked = fields(looks(forms, at.path), form)
        answer = forms.raw(at.path, {**asked, **more})
        assert answer.status == 303, plain(answer.raw.decode())
        return plain(looks(forms, at.path)).lower()

    at.did(at.dan, "start-dealing")
    assert "the floor is called" in does(dan, "call-floor")
    assert "bring new cards" in does(flo, "answer-floor")
    assert "look through the new cards" in does(flo, "bring-cards", **{"colour-1": "red"})
    assert "the dealer's step: look through" in does(flo, "inspect-cards")
    assert "the red deck is flawed" in does(dan, "inspect-cards", do="inspect-cards:flawed")
    assert "look through the new cards" in does(flo, "replace-card", card="7h", why="bent")
    does(flo, "inspect-cards")
    assert "new cards are washed first" in does(dan, "inspect-cards")
    does(dan, "wash-cards")
    assert "patron 2 · $500" in does(dan, "patron", seat="2", cash_cents="$500")
    assert "take back the buy-in of $500" not in plain(looks(dan, at.path)).lower()
    assert "patron 2 · $0" in does(flo, "void-buy-in", why="fifty")
    assert "patron 2 · $50" in does(dan, "patron", seat="2", cash_cents="50")
    assert "open the betting" in does(dan, "shuffle-cards")
    assert "leaves with $50" in does(dan, "open-betting")


def test_of_two_who_seat_a_patron_at_once_one_does_and_no_cash_goes_to_another(site: Site) -> None:
    at = RealTable(site, 0)
    dan, flo = Forms(at.dan), Forms(at.flo)
    first = fields(looks(dan, at.path), "patron")
    first |= {"seat": "2", "label": "red jacket", "cash_cents": "100", "key": "first"}
    second = fields(looks(flo, at.path), "patron")
    second |= {"seat": "2", "label": "grey hat", "cash_cents": "500"}
    assert dan.raw(at.path, first).status == 303
    assert "seat 2 is taken" in refused(flo.raw(at.path, second)).alert.lower()
    assert dan.raw(at.path, first).status == 303  # sent once more
    (seat,) = at.dan.view(at.table)["seats"]
    assert (seat["name"], seat["chips_cents"]) == ("red jacket", 100_00)
    more = fields(looks(flo, at.path), "patron") | {"seat": "2", "cash_cents": "50"}
    assert flo.raw(at.path, more).status == 303
    assert at.dan.view(at.table)["seats"][0]["chips_cents"] == 150_00


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"do": "patron", "seat": "x"}, "This is no whole number."),
        ({"do": "patron", "seat": "1", "cash_cents": "a lot"}, "is not money"),
        ({"do": "patron", "seat": "9"}, "Seats here are numbered 1 to 6."),
        ({"do": "patron", "seat": "1", "cash_cents": "99999999"}, "At most"),
        ({"do": "colour-up", "seat": "1", "count": "3", "of": "500", "into": "0"}, "no whole"),
        ({"do": "unseat-patron", "seat": "1"}, "Nobody without an account"),
        ({"do": "kill-hand", "seat": "1", "round": "7", "cause": "count dealer"}, "gone on"),
        ({"do": "inspect-cards:eaten", "role": "dealer"}, "a deck is in order"),
        ({"do": "retire-cards"}, "Say why."),
        ({"do": "replace-card", "card": "As Ks", "why": "x"}, "Name the one card"),
        ({"do": "answer-floor"}, "done by"),
    ],
)
def test_bad_input_is_told_and_changes_nothing(site: Site, form: dict[str, str], says: str) -> None:
    at = RealTable(site, 0)
    dan = Forms(at.dan)
    asked = {**fields(looks(dan, at.path), "shuffle-cards"), **form}
    before = at.dan.view(at.table)["seq"]
    answer = dan.raw(at.path, asked)
    assert answer.status in (400, 403, 409), answer.status
    assert says.lower() in plain(answer.raw.decode()).lower()
    assert at.dan.view(at.table)["seq"] == before


def test_by_the_api_a_key_has_one_effect_and_what_cannot_be_is_refused(site: Site) -> None:
    at = RealTable(site, 1)
    dan = at.dan
    seats: Any = {"seat": 2, "label": "red jacket", "cash_cents": 100_00}
    first = dan.do(at.table, "seat-patron", key="k", given={"2500": 4}, **seats)
    again = dan.do(at.table, "seat-patron", key="k", given={"2500": 4}, **seats)
    assert (first.status, again.status, again.json["again"]) == (200, 200, True)
    seat = at.players[0].view(at.table)["seats"][1]
    assert (seat["name"], seat["patron"], seat["chips_cents"]) == ("red jacket", True, 100_00)
    for status, who, action, more in (
        (400, dan, "buy-in", {"seat": 2, "cash_cents": -5}),
        (400, dan, "buy-in", {"seat": 2, "cash_cents": 10**15}),
        (400, dan, "colour-up", {"seat": 2, "taken": {"x": 1}, "given": {}}),
        (409, dan, "colour-up", {"seat": 2, "taken": {}, "given": {}}),
        (403, dan, "void-buy-in", {"seat": 2, "why": "a slip"}),
        (403, at.players[0], "buy-in", {"seat": 2, "cash_cents": 5_00}),
        (409, at.flo, "buy-in", {"seat": 1, "cash_cents": 5_00}),
    ):
        assert who.do(at.table, action, **more).status == status, (action, more)
    assert at.players[0].view(at.table)["seats"][1] == seat
    assert at.players[0].view(at.table)["called"] == 0
    at.did(dan, "call-floor", why="a dispute")
    assert at.players[0].view(at.table)["called"] > 0


def test_r44__a_dead_hand_is_called_by_who_may_for_what_can_have_happened(site: Site) -> None:
    at = RealTable(site, 2, SENECA, maximum_cents=100_00)
    flo = Forms(at.flo)
    assert "Dead hand" not in looks(flo, at.path)
    at.did(at.dan, "shuffle-cards")
    at.did(at.dan, "open-betting")
    for seat in (1, 2):
        at.did(at.dan, "bet", seat=seat, wagers={"ante": 10_00}, moment="1.bet")
    at.did(at.dan, "close-bets")
    before = looks(flo, at.path)
    at.did(at.dan, "deal", cards=[None])
    told = looks(flo, at.path)
    assert "Dead hand" not in looks(Forms(at.dan), at.path)  # nobody rules on what they deal
    assert told.count('name="cause"') > before.count('name="cause"')
    dead = {**fields(told, "kill-hand"), "cause": "count floor-supervisor", "count": "6"}
    assert flo.raw(at.path, dead).status == 303
    assert "dead: the player was dealt a wrong number of cards" in plain(looks(flo, at.path))
