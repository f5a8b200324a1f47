"""The dispute desk in a browser: cards picked from a deck, and a page that everybody can read."""

import html
import re

import pytest

from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_floor import at_a_table, looks, plain, signed_in
from tests.browser.visitors import Site, Visitors, accessible


def test_cards_are_picked_from_a_deck_that_greys_what_is_out(
    site: Site, new_person: Visitors
) -> None:
    page = new_person().page
    page.goto(f"{site.address}/desk?rulebook=diamond-jo-worth/cajun-stud")
    accessible(page)
    handsome(page, "an empty desk")
    deck = page.get_by_label("Cards", exact=True).and_(page.locator(".deck"))
    page.get_by_label("Board", exact=True).focus()
    for name in ("10♥", "J♥", "Q♥"):
        deck.get_by_role("button", name=name, exact=True).click()
    first = page.get_by_role("group", name="Seat 1")
    first.get_by_label("Cards").fill("Kh")
    see(deck.get_by_role("button", name="K♥", exact=True)).to_be_disabled()
    deck.get_by_role("button", name="A♥", exact=True).click()
    see(first.get_by_label("Cards")).to_have_value("Kh Ah")
    first.get_by_label("Ante").fill("5")
    for street in ("First Raise", "Second Raise", "Third Raise"):
        first.get_by_label(street).select_option("1")
    page.get_by_role("button", name="Settle it").click()
    ruling = page.get_by_role("region", name="What is paid")
    see(ruling).to_contain_text("Seat 1: royal flush")
    see(ruling).to_contain_text("$7,620 paid")  # 500 times 20, less 24%, and the 20
    accessible(page)
    handsome(page, "a settled round")
    # What another card would change.
    first.get_by_label("Cards").fill("Kh As")
    page.get_by_role("button", name="Settle it").click()
    see(ruling).to_contain_text("Seat 1: straight, ace high -$7,520 against the version before")


@pytest.mark.usefixtures("site")
def test_what_is_wrong_stands_at_the_seat_and_the_page_goes_there(new_person: Visitors) -> None:
    who = new_person(390)
    who.forgive("status of 400")
    page = who.page
    page.goto("/desk?rulebook=diamond-jo-worth/cajun-stud")
    page.get_by_role("button", name="Settle it").click()
    see(page.get_by_role("alert")).to_have_text("Type what lay at one seat at least.")
    last = page.get_by_role("group", name="Seat 6")
    last.get_by_label("Cards").fill("Kh Xx")
    last.get_by_label("Ante").fill("5")
    page.get_by_role("button", name="Settle it").click()
    see(last.get_by_role("alert")).to_contain_text("'Xx' is not a card")
    see(last.get_by_role("alert")).to_be_in_viewport()
    see(page.get_by_role("alert")).to_have_count(1)
    described = last.get_by_label("Cards").get_attribute("aria-describedby")
    assert described == last.get_by_role("alert").get_attribute("id")
    page.get_by_label("Board", exact=True).fill("lots")
    last.get_by_label("Cards").fill("Kh Ks")
    page.get_by_role("button", name="Settle it").click()
    see(page.get_by_role("group", name="Cajun Stud").get_by_role("alert")).to_be_in_viewport()
    accessible(page)
    handsome(page, "what is wrong at the desk")
    page.get_by_label("Board", exact=True).fill("2c 7d 9s")
    last.get_by_label("First Raise").select_option("0")
    page.get_by_role("button", name="Settle it").click()
    see(page.get_by_role("heading", name="What is paid")).to_be_in_viewport()


def test_a_round_that_was_played_is_taken_to_the_desk(site: Site) -> None:
    table = at_a_table(site, 1, 2, 1, deck="Ks Kd 2c 7h 9d")
    for name in ("pip", "flo"):
        who = signed_in(site, name)
        replay = looks(who, f"/rounds/{table}-1")
        address = html.unescape(re.findall(r'href="(/desk[^"]*)"', replay)[0])
        said = plain(looks(who, address))
        # A pair of kings: even money on 25 dollars; Lo Ball is lost, and the toke is the dealers'.
        assert "$35 staked, $50 paid +$15" in said
        assert "Seat 1: pair of kings" in said
        assert "$2 to the dealers" in said


def test_a_payout_cap_is_shared_on_a_page(site: Site, new_person: Visitors) -> None:
    page = new_person().page
    page.goto(f"{site.address}/desk")
    page.get_by_role("link", name="Share a payout cap among wins").click()
    page.get_by_label("Payout cap").fill("25000")
    page.get_by_label("Each win and its odds").fill("500000@500 10000@100")
    page.get_by_role("button", name="Share it").click()
    see(page.get_by_role("region", name="What is paid")).to_contain_text("$24,509.80")
    accessible(page)
    for width in (1440, 360):
        at_width(page, width)
        handsome(page, f"a shared payout at {width}")
        rows = page.locator(".ruling table tr").evaluate_all(
            "rows => rows.slice(0, 2).map(row => [...row.cells].map(each => each.offsetLeft))"
        )
        assert rows[0] == rows[1] or width == 360, "each figure stands below what it is"
    said = (
        page.locator(".ruling tbody tr")
        .first.locator("td")
        .evaluate_all("cells => cells.map(each => getComputedStyle(each, '::before').content)")
    )
    assert said == ['"Win"', '"Odds"', '"Its part of the cap"', '"Paid"'], "or beside it"
