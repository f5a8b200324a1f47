"""Tables opened on the floor's page: by whom, with what, and what is wrong at its place."""

import re
from typing import Any

import pytest

from tests.browser.dealers import CAJUN, RealTable
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_floor import looks, plain, signed_in
from tests.browser.visitors import Site, Visitors, accessible

SENECA = "seneca-niagara/caribbean-stud"
OPENS = "/floor/open"


def asked(**more: str) -> dict[str, str]:
    return {"what": CAJUN, "dealing": "entered", **more}


@pytest.mark.parametrize(
    ("form", "place", "says"),
    [
        ({"minimum": "much"}, "minimum", "is not money"),
        ({"minimum": "1"}, "minimum", "$5"),
        ({"maximum": "500"}, "maximum", "$100"),
        ({"token": "1"}, "token", "token"),
        ({"smallest_chip": "3"}, "smallest_chip", "a chip here is worth"),
        ({"what": SENECA}, "maximum", "A table here opens with a posted maximum."),
        ({"what": "nowhere/nothing"}, "", "The rulebooks are"),
        ({"what": f"nosuchtable {CAJUN}"}, "", "no table"),
        ({"dealing": "by magic"}, "", "Say how the table is dealt."),
        ({"shuffler_device": "a shuffler"}, "shuffler_approval", "the number of its approval"),
        ({"dealing": "dealer", "shuffler_device": "x", "shuffler_approval": "y"}, "", "sealed"),
    ],
)
def test_what_is_wrong_stands_at_its_place_and_opens_nothing(
    site: Site, form: dict[str, str], place: str, says: str
) -> None:
    boss = signed_in(site, "max", "shift-manager")
    answer = boss.raw(OPENS, asked(**form))
    assert 400 <= answer.status < 500
    page = answer.raw.decode()
    alerts = re.findall(r'role="alert"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert len(alerts) == 1
    assert says.lower() in plain(alerts[0]).lower()
    if place:
        assert re.search(rf'name="{place}"[^>]*aria-invalid="true"', page)
    assert len(site.house.tables) == 0


def test_what_is_wrong_has_the_focus_and_a_red_edge_and_is_typed_anew(
    site: Site, new_person: Visitors
) -> None:
    site.person("max", "shift-manager", cents=0)
    boss = new_person()
    boss.forgive("status of 4")
    boss.sign_in("max")
    page = boss.page
    page.goto(OPENS)
    page.locator("#what").select_option(CAJUN)
    wrong = page.locator("#maximum")
    wrong.fill("x")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    see(alert).to_contain_text("is not money")
    see(wrong).to_be_focused()
    red = alert.evaluate("each => getComputedStyle(each).borderLeftColor")
    see(wrong).to_have_css("border-top-color", red)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("100")
    page.keyboard.press("Enter")
    page.wait_for_url("**/floor#table-*")


def test_it_is_for_the_floor_and_a_closed_table_keeps_its_jackpot(
    site: Site, new_person: Visitors
) -> None:
    site.person("dan", "dealer")
    assert signed_in(site, "dan").send("GET", OPENS).status == 403
    assert OPENS not in looks(signed_in(site, "dan"))
    assert signed_in(site, "dan").raw(OPENS, asked()).status == 403
    flo = signed_in(site, "flo", "floor-supervisor")
    assert f'href="{OPENS}"' in looks(flo)
    form: Any = asked(what=SENECA, minimum="$5", maximum="100", token="1", key="once")
    for _ in range(2):
        assert flo.raw(OPENS, form).status == 303
    [live] = site.house.tables
    table = live.table
    assert (table.dealing, table.minimum_cents, table.maximum_cents) == ("entered", 5_00, 100_00)
    assert flo.raw(f"/floor/{table.id}", {"do": "close", "round": "0"}).status == 303
    assert len(site.house.tables) == 0
    visitor = new_person()
    visitor.sign_in("flo")
    for width in (360, 1440):
        at_width(visitor.page, width)
        visitor.page.goto(OPENS)
        accessible(visitor.page)
        handsome(visitor.page, f"opening a table, {width} wide")
    page = visitor.page
    page.locator("#what").select_option(f"{table.id} {SENECA}")
    assert "jackpot $10,000" in page.locator("#what optgroup option").inner_text()
    page.locator("#maximum").fill("100")
    page.locator("#token").fill("1")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/floor#table-{table.id}")
    [again] = site.house.tables
    assert again.table.id == table.id


def test_the_dealer_is_led_to_a_correction_that_the_floor_asks_for(site: Site) -> None:
    at = RealTable(site, 1)
    at.did(at.dan, "shuffle-cards")
    at.did(at.dan, "open-betting")
    at.did(at.players[0], "bet", seat=1, wagers={"ante": 5_00})
    at.did(at.dan, "close-bets")
    at.did(at.dan, "deal", cards=["As", "Kd"])
    at.did(at.dan, "raise", seat=1, times=1)
    at.did(at.dan, "deal", cards=["Qc"])
    put_right = {"role": "floor-supervisor", "why": "misread", "piles": {"board": ["Qs"]}}
    at.did(at.flo, "correct", **put_right)
    page = looks(signed_in(site, "dan"), at.path)
    assert "The floor supervisor asks for a correction: misread." in plain(page)
    assert f'data-main data-first href="/floor/{at.table}/correct"' in page
