"""Tables found and risk told in the lab, in a real browser: by key alone, and without a script."""

from typing import TYPE_CHECKING

import pytest

from pitboss.lab.controls import edited
from pitboss.maths import solve
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_lab import control, field, shows
from tests.browser.visitors import Visitors, accessible
from tests.helpers import MISSISSIPPI, SENECA

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

FLUSH = "table.main.rows.flush.odds"
DESIGN = f"/lab/{MISSISSIPPI.id}?show=design"
RISK = f"/lab/{SENECA.id}?ante=25&show=risk"


def ask(page: "Page", name: str) -> "Locator":
    return page.locator(f'[name="{name}"]:not([type=hidden])')


@pytest.mark.usefixtures("site")
def test_a_pay_table_is_found_and_taken_by_key_alone(new_person: Visitors) -> None:
    page = new_person().page
    page.goto(DESIGN)
    ask(page, "design.near.edge").focus()
    page.keyboard.type("4.1")
    ask(page, "design.free.main.flush").focus()
    page.keyboard.type("5..7")
    # What is typed stays while a rule is changed beside it.
    field(page, "table.main.rows.straight.odds").fill("5 to 1")
    shows(page, MISSISSIPPI, table__main__rows__straight__odds="5 to 1")
    see(page.locator('input[name="state"]').last).to_have_value(
        "table.main.rows.straight.odds=5+to+1&show=design"
    )
    see(ask(page, "design.free.main.flush")).to_have_value("5..7")
    ask(page, "design.free.main.flush").press("Enter")
    head = page.locator("#found-head")
    see(head).to_have_text("The 3 nearest", timeout=90_000)
    accessible(page)
    first = page.locator(".lab-found a").first
    first.focus()
    said = first.inner_text()
    page.keyboard.press("Enter")
    see(page.locator(".lab-found .is-now")).to_have_count(1)
    odds = field(page, FLUSH).input_value()
    assert f"Flush {odds}" in said
    shows(
        page,
        MISSISSIPPI,
        table__main__rows__straight__odds="5 to 1",
        table__main__rows__flush__odds=odds,
    )
    see(control(page, FLUSH)).to_contain_text("posted 6 to 1")
    # All that was found is still there; the wager's own rows follow the wager.
    see(head).to_have_text("The 3 nearest")
    page.locator(".lab-ask summary").click()
    ask(page, "design.wager").select_option("three-card-bonus")
    see(page.locator(".lab-rows")).to_contain_text("Mini royal")


@pytest.mark.usefixtures("site")
def test_whoever_chooses_a_view_stays_where_they_are(new_person: Visitors) -> None:
    page = new_person().page
    page.goto(f"/lab/{MISSISSIPPI.id}?{FLUSH}=7+to+1")
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url))
    for name in ("differences", "known-cards", "best-play"):
        page.locator(f'[data-show="{name}"]').focus()
        page.keyboard.press("Enter")
        see(page.locator(f'[data-show="{name}"][aria-current]')).to_be_focused()
    # Each was asked for once, and nothing was taken for a lost connection.
    assert len(asked) == 3
    see(page.locator("#lost")).to_be_hidden()


@pytest.mark.usefixtures("site")
def test_where_there_is_too_much_to_do_the_page_asks_again(new_person: Visitors) -> None:
    ann = new_person()
    ann.forgive("status of 429")
    page = ann.page
    page.goto(f"/lab/{MISSISSIPPI.id}")
    busy = '<p class="wrong">The lab has more to do than it can.</p>'
    refused: list[str] = []

    def once(route: "Route") -> None:
        if refused:
            return route.continue_()
        refused.append(route.request.url)
        return route.fulfill(status=429, content_type="text/html", body=busy)

    page.route("**/figures?*", once)
    field(page, FLUSH).fill("7 to 1")
    told = page.locator("#figures .wrong")
    see(told).to_have_text("The lab has more to do than it can.")
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="7 to 1")
    see(told).to_have_count(0)
    assert refused


@pytest.mark.usefixtures("site")
def test_tables_and_risk_need_no_script(new_person: Visitors) -> None:
    page = new_person(390, javascript=False).page
    page.goto(DESIGN)
    ask(page, "design.least.edge").fill("4")
    ask(page, "design.most.edge").fill("5%")
    ask(page, "design.free.main.flush").fill("around")
    page.get_by_role("button", name="Find tables").click()
    for _ in range(100):
        page.locator("#found-head, [data-wait]").first.wait_for(state="attached")
        if page.locator("#found-head").count():
            break
        page.get_by_role("link", name="Look again").click()
        page.wait_for_timeout(200)
    see(page.locator("#found-head")).to_have_text("2 tables fit, lowest edge first")
    page.locator(".lab-found a").first.click()
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="7 to 1")
    page.goto(RISK)
    ask(page, "risk.bankroll").fill("500")
    page.get_by_role("button", name="Work it out").click()
    see(page.locator("#view")).to_contain_text("A bankroll of $500")
    assert "risk.bankroll=500" in page.url


@pytest.mark.usefixtures("site")
def test_what_may_happen_follows_whoever_drags(new_person: Visitors) -> None:
    page = new_person().page
    page.goto(RISK)
    view = page.locator("#view")

    def n0(**changes: str) -> str:
        book = edited(SENECA, {each.replace("__", "."): value for each, value in changes.items()})
        told = solve(book, 25_00).statistics.n0
        assert told is not None
        return f"one deviation{float(told):,.0f}"

    see(view).to_contain_text(n0())
    field(page, "table.bet.rows.flush.odds").fill("9 to 1")
    see(view).to_contain_text(n0(table__bet__rows__flush__odds="9 to 1"))
    assert "show=risk" in page.url


@pytest.mark.usefixtures("site")
def test_both_are_handsome_and_for_everybody(new_person: Visitors) -> None:
    ann = new_person(360, dark=True)
    ann.page.goto(DESIGN)
    many = "&risk.bankroll=500&risk.goal=900&risk.bonus=100&risk.turnover=2000"
    for path in (DESIGN, f"{RISK}{many}&risk.until=2031-01-01", f"{RISK}&risk.seats=40"):
        ann.page.goto(path)
        see(ann.page.locator("#view")).to_be_visible()
        for width, dark in ((360, True), (768, False), (1440, True)):
            at_width(ann.page, width)
            ann.page.emulate_media(color_scheme="dark" if dark else "light")
            accessible(ann.page)
            handsome(ann.page, f"{path} at {width}")
