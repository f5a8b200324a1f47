"""The front page, as people meet it: on a telephone and a desk, by day and by night."""

from itertools import groupby
from typing import TYPE_CHECKING

from tests.browser.player import see
from tests.browser.visitors import Site, Visitors, accessible

if TYPE_CHECKING:
    from playwright.sync_api import Locator


def test_it_opens_and_everybody_can_read_it(site: Site, new_person: Visitors) -> None:
    site.guest().open()
    for width in (360, 1440):
        ann = new_person(width)
        answer = ann.page.goto("/")
        assert answer is not None
        assert answer.status == 200
        assert "Pitboss" in ann.page.title()
        assert ann.page.get_by_text("Mississippi Stud").count()
        accessible(ann.page)
        ann.page.emulate_media(color_scheme="dark")
        accessible(ann.page)


def test_it_can_be_read_without_scripts_and_in_large_letters(new_person: Visitors) -> None:
    ann = new_person(360, javascript=False, text_size=200)
    ann.page.goto("/")
    accessible(ann.page)


def test_the_menu_behind_a_name_closes_by_escape_and_by_a_click_beside_it(
    new_person: Visitors,
) -> None:
    ann = new_person()
    ann.enter()
    ann.page.goto("/rounds")
    menu, name = ann.page.get_by_role("button", name="Sign out"), ann.page.locator(".who summary")
    name.click()
    see(menu).to_be_visible()
    ann.page.keyboard.press("Escape")
    see(menu).to_be_hidden()
    see(name).to_be_focused()
    name.click()
    ann.page.get_by_role("heading").first.click()
    see(menu).to_be_hidden()


EDGES = "all => all.map(each => each.getBoundingClientRect()).map(({top, bottom}) => [top, bottom])"


def rows(cards: "Locator") -> list[list[tuple[float, float]]]:
    """The upper and lower edges of cards that stand side by side."""
    found = [(top, bottom) for top, bottom in cards.evaluate_all(EDGES)]
    return [list(row) for _, row in groupby(found, key=lambda edges: edges[0])]


def test_a_card_that_is_opened_leaves_no_hole_beside_it(new_person: Visitors) -> None:
    ann = new_person(1366)
    ann.page.goto("/")
    cards = ann.page.locator("li.game")
    first, second = cards.first.locator("details").all()
    beside = [len(row) for row in rows(cards)]
    assert max(beside) > 2
    first.locator("summary").click()
    see(first.locator("ol")).to_be_visible()
    see(ann.page.locator("details[open]")).to_have_count(1)
    opened = rows(cards)
    assert [len(row) for row in opened] == beside
    assert all(len({*row}) == 1 for row in opened)
    # One at a time, so that a card does not grow without end.
    second.locator("summary").click()
    see(second.locator("dl")).to_be_visible()
    see(first.locator("ol")).to_be_hidden()


CONTRASTS = """
() => {
    const light = (colour) => {
        const part = (each) => each <= .03928 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4;
        const [r, g, b] = colour.match(/[\\d.]+/g).map((each) => part(each / 255));
        return .2126 * r + .7152 * g + .0722 * b;
    };
    return [...document.querySelectorAll('li.game')].flatMap((card) => {
        const ends = getComputedStyle(card).backgroundImage.match(/rgb\\([^)]*\\)/g).map(light);
        const words = [...card.querySelectorAll('*')].filter((each) => each.checkVisibility()
            && !each.closest('button, select, .much, .sr')
            && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
        return words.flatMap((each) => ends.map((end) => {
            const [low, high] = [light(getComputedStyle(each).color), end].sort((a, b) => a - b);
            return [(high + .05) / (low + .05), each.textContent.trim()];
        }));
    });
}
"""
"""Of all words on a card, against either end of its cloth: axe looks at no gradient."""


def test_every_word_on_a_card_can_be_read_and_their_buttons_are_in_line(
    new_person: Visitors,
) -> None:
    ann = new_person(1366)
    ann.page.goto("/")
    see(ann.page.locator("li.game .notice").first).to_be_visible()
    for scheme in ("light", "dark"):
        ann.page.emulate_media(color_scheme=scheme)
        found = ann.page.evaluate(CONTRASTS)
        assert len(found) > 50
        assert not [each for each in found if each[0] < 4.5]
    cards, buttons = ann.page.locator("li.game"), ann.page.locator(".game .go")
    assert [len({*row}) for row in rows(buttons)] == [1] * len(rows(cards))
