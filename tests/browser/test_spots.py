"""Spots for every machine: on the felt without a script, whole words and none over another."""

import pytest

from tests.browser.geometry import BROKEN, SIZES, at_width, handsome, in_sight, wide_letters
from tests.browser.player import see
from tests.browser.scenes import DIAMOND_JO, PLAYS, Play, Scene
from tests.browser.test_felt import ORDER
from tests.browser.visitors import Site, Visitors

each_game = pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.book)

INSIDE = """([what, where]) => {
    const outer = document.querySelector(where).getBoundingClientRect();
    return [...document.querySelectorAll(what)].filter(each => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < outer.left || right > outer.right || top < outer.top || bottom > outer.bottom;
    }).map(each => each.id || each.className);
}"""
"""Those of some elements that are not inside another."""

OVER = """() => {
    const boxes = [...document.querySelectorAll('.yours .spot')]
        .map(each => [each.dataset.key, each.getBoundingClientRect()]);
    return boxes.flatMap(([a, one], at) => boxes.slice(at + 1)
        .filter(([, other]) => one.left < other.right - .5 && other.left < one.right - .5
            && one.top < other.bottom - .5 && other.top < one.bottom - .5)
        .map(([b]) => `${a} over ${b}`));
}"""


@each_game
def test_b7_without_scripts_the_wagers_are_on_the_felt_and_deal_is_in_the_window(
    site: Site, new_person: Visitors, play: Play
) -> None:
    ann = new_person(1440, javascript=False)
    scene = Scene(site, ann, play, bots=0)
    ann.page.goto(scene.path)
    for size in ((1440, 900), (1366, 657), (1024, 768)):
        at_width(ann.page, *size)
        in_sight(ann.page, ".spot.takes", ".spot input", ".bet .go", ".status")
        assert ann.page.evaluate(INSIDE, [".spot input", ".felt"]) == []
        form, dock = (
            ann.page.locator(each).bounding_box() for each in ("form.bet", "section.panel")
        )
        assert form is not None
        assert dock is not None
        assert form["width"] > 0.9 * dock["width"], "no column beside an empty rack"
        spots = ann.page.locator(".spot.takes").count()
        see(ann.page.locator(".spot input:visible")).to_have_count(spots)
    ann.page.get_by_label(scene.book.ante.title, exact=True).fill("10")
    ann.page.get_by_role("button", name="Deal").click()
    see(ann.page.locator(".decide button").first).to_be_visible()
    see(ann.page.locator("#balance")).to_have_text("$990")


ROWS = """several => {
    const rows = {};
    for (const each of several) {
        const { left, right, top } = each.getBoundingClientRect();
        (rows[Math.round(top)] ??= []).push([left, right]);
    }
    const felt = document.querySelector('.felt').getBoundingClientRect();
    return Object.values(rows).map((row) => [row.length, Math.round(
        Math.min(...row.map(([left]) => left)) - felt.left
        - (felt.right - Math.max(...row.map(([, right]) => right))))]);
}"""
"""Of each row of spots: how many there are, and how much more room is on the left of them."""


@each_game
def test_b8_spots_lie_apart_and_in_the_middle_with_whole_words_and_circles_inside(
    site: Site, new_person: Visitors, play: Play
) -> None:
    """No row has one alone; where there is no room for all circles, the least alone is there."""
    scene = Scene(site, new_person(), play)
    found: list[str] = []

    def look(phase: str) -> None:
        page = scene.look()
        for size in SIZES:
            at_width(page, *size)
            if phase == "betting":
                for spots, aside in page.locator(".yours .spot").evaluate_all(ROWS):
                    assert spots > 1, size
                    assert abs(aside) <= 1, (size, aside)
            elif phase == "deciding":
                circles = page.locator(".lit .ghost").evaluate_all(ORDER)
                least = page.locator(".decide .raise button").first.get_attribute("value")
                assert circles[-1][0] == least
                assert len(circles) in (1, page.locator(".lit .ghost").count())
            if size not in ((1024, 768), (390, 844)):
                continue
            wrong = page.evaluate(BROKEN) + page.evaluate(OVER)
            with wide_letters(page):
                wrong += [f"{each} in wide letters" for each in page.evaluate(OVER)]
                wrong += [f"{each} in wide letters" for each in page.evaluate(BROKEN)]
            found.extend(f"{phase} at {size}: {each}" for each in wrong)

    look("betting")
    scene.bet()
    look("deciding")
    scene.to_the_end()
    look("paid")
    assert not found, "\n".join(found)


def test_without_scripts_a_phone_is_told_whole_what_a_bet_waits_for(
    site: Site, new_person: Visitors
) -> None:
    ann, bob = new_person(javascript=False), new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    guest = bob.enter()
    bob.come(scene.table)
    assert guest.do(scene.table, "sit", seat=1).status == 200
    scene.bet()
    ann.page.goto(scene.path)
    see(ann.page.locator(".status [role=status]")).to_contain_text("Your bet is down: waiting for")
    for size in SIZES:
        at_width(ann.page, *size)
        in_sight(ann.page, ".status", ".status button", ".status a", ".balance", ".bet .go")
        handsome(ann.page, f"waiting at {size}")


BESIDE = """several => several.map((each) => {
    const [spot, input] = [each.closest('.spot'), each.closest('.spot').querySelector('input')];
    const style = getComputedStyle(input, '::placeholder'), field = getComputedStyle(input);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { left, right } = input.getBoundingClientRect(), inner = parseFloat;
    const middle = (left + inner(field.paddingLeft) + right - inner(field.paddingRight)) / 2;
    const limits = middle + pen.measureText(input.placeholder).width / 2;
    return input.value || !each.checkVisibility() ? 99 : each.getBoundingClientRect().left - limits;
})"""
"""How far the key of each spot is from the limits that stand there."""


@each_game
def test_the_key_of_a_spot_does_not_lie_on_its_limits(
    site: Site, new_person: Visitors, play: Play
) -> None:
    page = Scene(site, new_person(), play, bots=0).look()
    for size in SIZES:
        at_width(page, *size)
        apart = page.locator(".place kbd").evaluate_all(BESIDE)
        assert apart, size
        assert min(apart) > 1, (size, apart)
