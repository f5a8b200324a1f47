"""The maths in the site: the par sheet of a game, in the site's own looks."""

import asyncio
import re

import pytest

from pitboss import maths
from pitboss.maths.price import ratio
from pitboss.rulebook import Rulebook
from pitboss.web.pages.maths_page import ParSheets, par_sheet
from pitboss.web.pages.prices import price
from tests.browser.geometry import handsome
from tests.browser.player import see
from tests.browser.test_floor import looks, plain
from tests.browser.test_forms import Forms
from tests.browser.visitors import Site, Visitors, accessible
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI
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
        sheets = site.web.kept(ParSheets)
        return await asyncio.gather(*(sheets.of(site.house, HOLLYWOOD) for _ in range(5)))

    first, *others = site.run(several())
    assert all(each is first for each in others)
    assert first == par_sheet(HOLLYWOOD)


@pytest.mark.usefixtures("site")
def test_the_par_sheet_in_a_browser(new_person: Visitors) -> None:
    for width, dark in ((320, True), (390, False), (1366, False)):
        ann = new_person(width, dark=dark)
        for game in BOOKS:
            ann.page.goto(f"/rules/{game.id}")
            ann.page.get_by_role("link", name="the maths").click()
            see(ann.page.locator("h1")).to_have_text(f"{game.game}: the maths")
            accessible(ann.page)
            handsome(ann.page, f"{game.id} at {width}")
