"""The player's card: one page that says how a game goes and what it pays."""

import re

import pytest

from pitboss.rulebook import Rulebook
from pitboss.rulebook.rule_card import rule_card
from tests.browser.forms import Forms
from tests.browser.geometry import handsome
from tests.browser.test_floor import looks, plain
from tests.browser.visitors import Site, Visitors, accessible
from tests.helpers import BOOKS, DIAMOND_JO

each_book = pytest.mark.parametrize("game", BOOKS, ids=lambda game: game.id)


@each_book
def test_the_card_has_every_step_every_wager_and_every_row_that_pays(
    site: Site, game: Rulebook
) -> None:
    forms = Forms(site.guest())
    page = looks(forms, f"/card/{game.id}")
    assert f'href="/card/{game.id}"' in looks(forms, f"/rules/{game.id}")
    said = plain(page)
    for step in rule_card(game).section("round").items:
        assert step.text in said
    for spot in game.opening.values():
        assert spot.title in said
    for table in game.table:
        for row in table.rows:
            shown = f"{row.label} {game.pays(row)}" in said
            assert shown == (row.odds is None or row.odds >= 0), row
    for cap in game.cap:
        assert game.money(cap.cents(game.limits.minimum.least(5_00))) in said
    assert not re.search(r"\bR\d+\b", said)  # codes belong on the rule card


def test_the_posted_limits_are_those_of_a_table_for_which_nobody_says_others(site: Site) -> None:
    forms = Forms(site.guest())
    said = plain(looks(forms, f"/card/{DIAMOND_JO.id}"))
    view = forms.caller.view(forms.caller.open(DIAMOND_JO.id))
    assert (view["minimum_cents"], view["maximum_cents"]) == (5_00, 100_00)
    assert "Ante $5 to $100" in said
    assert forms.send("GET", "/card/no/such").status == 404


@pytest.mark.usefixtures("site")
def test_no_line_of_the_limits_stands_alone_in_the_next_column(new_person: Visitors) -> None:
    ann = new_person(1366)
    for game in BOOKS:
        ann.page.goto(f"/card/{game.id}")
        for part in ann.page.locator(".player-card section").all():
            lefts = part.locator("> *").evaluate_all(
                "all => all.map(each => each.getBoundingClientRect().x)"
            )
            assert len({*lefts}) == 1, (game.id, lefts)


@pytest.mark.usefixtures("site")
def test_it_is_one_page_on_either_paper_and_readable_on_any_screen(new_person: Visitors) -> None:
    for width, dark in ((320, True), (1366, False)):
        ann = new_person(width, dark=dark, javascript=width > 320)
        for game in BOOKS:
            ann.page.goto(f"/card/{game.id}")
            accessible(ann.page)
            handsome(ann.page, f"{game.id} at {width}")
            for paper in ("A4", "Letter"):
                printed = ann.page.pdf(format=paper, prefer_css_page_size=False)
                assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, (game.id, paper)
