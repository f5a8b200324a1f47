"""The maths in the site: the par sheet of a game, in the site's own looks."""

import asyncio
import html
import json
import re
from fractions import Fraction

import pytest

from pitboss import maths
from pitboss.maths import at_hand
from pitboss.maths.price import ratio
from pitboss.money import odds
from pitboss.rulebook import Rulebook, ids, load
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.beside import beside
from pitboss.rulebook.variants import with_pays
from pitboss.web.pages.maths_page import par_sheet
from pitboss.web.pages.prices import price
from pitboss.web.pages.worked_out import WorkedOut
from tests.browser.forms import Forms
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.scenes import PLAYS, Scene
from tests.browser.test_floor import looks, plain
from tests.browser.test_your_rounds import evening
from tests.browser.visitors import Site, Visitors, accessible
from tests.command import run
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA
from tests.house.shelves import BETTER, MY_HOUSE, UNSOLVED, book


@pytest.mark.parametrize("game", [DIAMOND_JO, MISSISSIPPI], ids=lambda game: game.id)
def test_the_par_sheet_says_what_the_lobby_says_and_exactly(site: Site, game: Rulebook) -> None:
    forms = Forms(site.guest())
    page = looks(forms, f"/maths/{game.id}")
    priced, value = price(game), maths.solve(game, 10_00).value
    assert priced is not None
    assert f"exactly {ratio(-value)}" in plain(page)
    assert f"{float(-100 * value):.4f} %" in plain(page)
    assert priced.edge.text == f"{float(-100 * value):.2f}%"
    assert f'href="/rules/{game.id}"' in page
    assert f'href="/maths/{game.id}"' in looks(forms, f"/rules/{game.id}")
    assert f'href="/maths/{game.id}"' in looks(forms, "/")
    assert not re.search(r"<style| style=|<script(?! type=.module)", page)


def test_a_game_that_is_not_solved_says_so_and_why(site: Site) -> None:
    site.adopt(UNSOLVED)
    forms = Forms(site.guest())
    said = plain(looks(forms, "/maths/new-game/stud"))
    why = "the main wagers are not all on one pay table"
    assert f"Not priced This game has no exact price: {why}. It is dealt and settled" in said
    assert 'href="/maths/new-game/stud"' not in looks(forms, "/")
    assert forms.send("GET", "/maths/no/such").status == 404


def test_a_replaced_version_keeps_its_price(site: Site) -> None:
    forms, old = Forms(site.guest()), book(MY_HOUSE)
    site.adopt(MY_HOUSE)
    forms.caller.open("my-house/stud")
    site.adopt(BETTER)
    now = looks(forms, "/maths/my-house/stud")
    before = looks(forms, f"/maths/my-house/stud?version={old.sha256}")
    assert ratio(-maths.solve(book(BETTER)).value) in now
    assert ratio(-maths.solve(old).value) in before
    assert f'href="/rules/my-house/stud?version={old.sha256}"' in before


def test_a_sheet_is_worked_out_once_for_all_who_ask_at_the_same_time(site: Site) -> None:
    async def several() -> list[str]:
        known = site.web.kept(WorkedOut)
        return await asyncio.gather(*(known.of(site.house, par_sheet, HOLLYWOOD) for _ in range(5)))

    first, *others = site.run(several())
    assert all(each is first for each in others)
    assert first == par_sheet(HOLLYWOOD)


LETTERS = """several => several.map((each) => {
    const [text, svg] = [each, each.closest('svg')].map((one) => one.getBoundingClientRect());
    return [each.textContent, text.height, Math.min(text.left - svg.left, svg.right - text.right)];
})"""
"""What stands at the axes of a drawing: how high it is, and how far inside."""


@pytest.mark.usefixtures("site")
def test_the_par_sheet_in_a_browser(new_person: Visitors) -> None:
    ann = new_person(320, dark=True)
    for game in BOOKS:
        at_width(ann.page, 320)
        ann.page.goto(f"/rules/{game.id}")
        # Worked out the first time, which on a busy machine takes its time.
        ann.page.get_by_role("link", name="the maths").click(timeout=180_000)
        see(ann.page.locator("h1")).to_have_text(f"{game.game}: the maths")
        for width, dark in ((320, True), (390, False), (1366, False)):
            at_width(ann.page, width)
            ann.page.emulate_media(color_scheme="dark" if dark else "light")
            accessible(ann.page)
            handsome(ann.page, f"{game.id} at {width}")
            letters = ann.page.locator(".par-curve svg text").evaluate_all(LETTERS)
            assert not [each for each in letters if each[1] < 8 or each[2] < 0], (width, letters)


def test_every_price_is_a_link_to_the_maths(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    evening(site, ann)
    page = ann.page
    prices = {
        "/": page.locator(".cost a"),
        "/rounds": page.locator(".totals a", has_text="edge"),
        f"/compare?a={DIAMOND_JO.id}&b={HOLLYWOOD.id}": page.locator(".beside").first.locator("a"),
    }
    for path, links in prices.items():
        page.goto(path)
        see(links.first).to_be_visible()
        led = {each.get_attribute("href") for each in links.all()}
        quick = {f"/maths/{each}" for each in ids() if at_hand(load(each))}
        assert led <= quick
        assert len(led) == links.count() == (len(quick) if path == "/" else 2)
    table = Scene(site, new_person(), PLAYS[0], bots=0).look()
    table.get_by_role("link", name="What it costs").click()
    see(table.locator("h1")).to_have_text("Mississippi Stud: the maths")


# Two books ----------------------------------------------------------------------------------------


def test_two_books_are_compared_in_the_words_of_their_rule_cards(site: Site) -> None:
    forms = Forms(site.guest())
    ours, theirs = DIAMOND_JO, HOLLYWOOD
    page = looks(forms, f"/compare?a={ours.id}&b={theirs.id}")
    found = beside(rule_card(ours), rule_card(theirs))
    titles = {each.name: each.title for each in rule_card(ours).sections}
    sections = re.findall(
        r'<table class="beside" id="(.*?)"><caption>(.*?)</caption>(.*?)</table>', page, re.S
    )
    assert [(name, html.unescape(title)) for name, title, _ in sections] == [
        (name, titles[name]) for name in found
    ]
    for name, _, inside in sections:
        rows = re.findall(
            r'<tr><th scope="row">(.*?)</th><td.*?>(.*?)</td><td.*?>(.*?)</td>', inside
        )
        for (what, *sides), each in zip(rows, found[name], strict=True):
            entries = (each.ours, each.theirs)
            assert plain(what).startswith(next(entry.title for entry in entries if entry))
            for shown, entry in zip(sides, entries, strict=True):
                if entry is None:
                    assert plain(shown) == "nothing"
                else:
                    assert " ".join(entry.says.split()) in plain(shown)
    told = json.loads(run("rules", "diff", ours.id, theirs.id, "--json").out)
    assert not [each["path"] for each in told if each["path"] in page], "a book's own keys"
    # Each book's clauses lead to its own rule card.
    [full] = re.findall(r"<tr><th scope=\"row\">Full house <.*?</tr>", page)
    assert f'href="/rules/{ours.id}#I.2.d"' in full
    assert f'href="/rules/{theirs.id}#ante-and-raise-wagers"' in full
    # Eleven to one instead of ten, on the hands that are a full house: worked out by itself.
    price = next(e["price"] for e in told if e["path"] == "table.main.rows.full-house.odds")
    assert f"{float(Fraction(price)):+.4%} of the Ante" in plain(full)
    with_eleven = with_pays(ours, {"full-house": odds("11 to 1")})
    assert Fraction(price) == maths.solve(with_eleven).value - maths.solve(ours).value


def test_a_comparison_asks_for_two_books_of_the_shelf(site: Site) -> None:
    forms = Forms(site.guest())
    for path in ("/compare", f"/compare?a={DIAMOND_JO.id}"):
        page = looks(forms, path)
        assert page.count("<select") == 2
        assert "differences" not in page
    assert forms.send("GET", "/compare?a=no/such").status == 404
    same = plain(looks(forms, f"/compare?a={SENECA.id}&b={SENECA.id}"))
    assert "0 differences between" in same
    assert f'href="/compare?a={SENECA.id}"' in looks(forms, f"/maths/{SENECA.id}")


@pytest.mark.usefixtures("site")
def test_a_comparison_in_a_browser(new_person: Visitors) -> None:
    for width, dark in ((320, True), (1366, False)):
        ann = new_person(width, dark=dark, javascript=width > 320)
        ann.page.goto(f"/compare?a={SENECA.id}")
        ann.page.get_by_label("against those of").select_option(HOLLYWOOD.id)
        ann.page.get_by_role("button", name="Compare").click()
        see(ann.page.locator("main")).to_contain_text("differences between")
        accessible(ann.page)
        handsome(ann.page, f"a comparison at {width}")


@pytest.mark.usefixtures("site")
def test_the_maths_in_letters_twice_as_large_on_a_small_screen(new_person: Visitors) -> None:
    ann = new_person(390, text_size=200)
    for path in (
        f"/maths/{DIAMOND_JO.id}",
        f"/compare?a={DIAMOND_JO.id}&b={MISSISSIPPI.id}",
        f"/card/{DIAMOND_JO.id}",
    ):
        ann.page.goto(path)
        handsome(ann.page, path)


# What a clause costs ------------------------------------------------------------------------------


def test_a_clause_of_the_card_leads_to_what_it_costs(site: Site) -> None:
    forms = Forms(site.guest())
    card = html.unescape(looks(forms, f"/rules/{DIAMOND_JO.id}"))
    led = re.findall(r'href="(/clause/.*?)"', card)
    assert len(set(led)) == len(rule_card(DIAMOND_JO).places())
    assert f"/clause/{DIAMOND_JO.id}?clause=I.2.e" in led
    said = plain(looks(forms, f"/clause/{DIAMOND_JO.id}?clause=K.1"))
    gain = maths.solve(DIAMOND_JO).value - maths.solve(DIAMOND_JO, 10_00).value
    assert f"No such payout cap {float(gain):+.4%} of the Ante" in said
    assert "This clause has no price of its own" in plain(
        looks(forms, f"/clause/{DIAMOND_JO.id}?clause=C.1.a")
    )
    for wrong in ("?clause=Z.9", "", "?clause=%00", "?clause=K.1&table=nowhere"):
        assert forms.send("GET", f"/clause/{DIAMOND_JO.id}{wrong}").status == 404


def test_a_slow_games_clause_is_there_by_itself_once_it_is_worked_out(
    new_person: Visitors,
) -> None:
    page = new_person().page
    page.goto("/clause/common/high-card-flush?clause=4")
    see(page.get_by_text("The dealer qualifies with a three-card flush")).to_be_visible()
    accessible(page)  # whether it is there yet or not
    see(page.locator("caption")).to_have_text(
        ["The wager that it sets out", "Without it"], timeout=180_000
    )
    see(page.locator("[data-wait]")).to_have_count(0)
    accessible(page)


def test_at_a_table_a_clause_costs_what_it_does_there(site: Site, new_person: Visitors) -> None:
    table = Scene(site, new_person(), PLAYS[0], bots=0)
    page = table.look()
    page.get_by_role("link", name="The rules, clause by clause").click()
    page.get_by_role("link", name="4", exact=True).first.click()
    see(page.locator("h1")).to_have_text("What clause 4 costs")
    see(page.get_by_role("link", name="the table")).to_be_visible()
    for width, dark in ((320, True), (1366, False)):
        at_width(page, width)
        page.emulate_media(color_scheme="dark" if dark else "light")
        accessible(page)
        handsome(page, f"a clause at {width}")
