"""The lab in a real browser: turned by drag, by key and by typing, shared, saved and played."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pitboss.lab.controls import edited
from pitboss.maths import same_play, solve
from pitboss.maths.price import ratio
from pitboss.rulebook import Rulebook, load
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_maths import LETTERS
from tests.browser.visitors import Site, Visitors, accessible
from tests.helpers import MISSISSIPPI, SENECA

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

FLUSH = "table.main.rows.flush.odds"


def control(page: "Page", path: str) -> "Locator":
    return page.locator(f'[data-path="{path}"]')


def field(page: "Page", path: str) -> "Locator":
    return control(page, path).locator("input:not([type=range]), select")


def shows(page: "Page", book: Rulebook, **changes: str) -> None:
    """Wait until the page shows the exact edge of a book with these changes."""
    changed = edited(book, {each.replace("__", "."): value for each, value in changes.items()})
    edge = -solve(changed, 10_00 if book.cap else None).value
    see(page.locator(".lab-number")).to_have_text(f"{float(100 * edge):.4f}%")


@pytest.mark.usefixtures("site")
def test_a_value_is_dragged_typed_and_stepped_and_the_figures_follow(new_person: Visitors) -> None:
    ann = new_person()
    page = ann.page
    page.goto("/")
    page.locator(f'a[href="/lab/{MISSISSIPPI.id}"]').click(timeout=180_000)
    shows(page, MISSISSIPPI)
    # By drag: the slider goes over the steps that a sign would print.
    row, slider = control(page, FLUSH), control(page, FLUSH).locator("[type=range]")
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for part in (0.6, 0.7, 0.8, 0.9, 1.0):
        page.mouse.move(box["x"] + box["width"] * part, middle)
    page.mouse.up()
    see(field(page, FLUSH)).to_have_value("22 to 1")
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="22 to 1")
    see(row).to_contain_text("posted 6 to 1")
    see(page.locator(".lab-edge")).to_contain_text("for the player posted 4.9149%")
    assert page.url.endswith(f"?{FLUSH}=22+to+1")
    # Best play follows when one rests, and who listens is told.
    see(page.locator("#said")).to_contain_text("House edge")
    # By key, on the slider and in the field.
    slider.focus()
    page.keyboard.press("ArrowLeft")
    see(field(page, FLUSH)).to_have_value("20 to 1")
    field(page, FLUSH).focus()
    page.keyboard.press("PageDown")
    see(field(page, FLUSH)).to_have_value("13 to 1")
    page.keyboard.press("ArrowDown")
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="12 to 1")
    # By typing, as people write odds; nonsense is told at the place, and the rest stands.
    field(page, FLUSH).fill("7:2")
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="7 to 2")
    field(page, FLUSH).fill("lots")
    see(row).to_contain_text("'lots' is not odds; write 3 to 2")
    shows(page, MISSISSIPPI)
    # And back: this one, or all.
    field(page, FLUSH).fill("9 to 1")
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="9 to 1")
    row.get_by_role("button", name="Reset").click()
    shows(page, MISSISSIPPI)
    see(page.locator(".lab-by").first).to_have_text("as posted")
    assert page.url.endswith(f"/lab/{MISSISSIPPI.id}")


@pytest.mark.usefixtures("site")
def test_a_slow_game_shows_a_bound_at_once_and_then_its_exact_price(new_person: Visitors) -> None:
    """Of whatever is changed; nobody has to ask for either."""
    page, book = new_person().page, load("common/high-card-flush")
    page.goto(f"/lab/{book.id}")
    see(page.locator(".lab-number")).to_be_visible(timeout=180_000)  # it may be the first time
    changes = {"qualifier.hand": "three card flush 8", "script.1.more.1.times": "4"}
    made = edited(book, changes)
    bound = -same_play(solve(book), made).value
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for path, value in changes.items():
        field(page, path).fill(value)
        assert field(page, path).evaluate("it => it.scrollWidth <= it.clientWidth"), "it is cut"
    exactly = page.locator(".lab-exact")
    see(exactly).to_have_text(f"the bound, exactly {ratio(bound)}", timeout=90_000)
    see(page.locator(".lab-label").first).to_have_text("House edge, of the ante, at most")
    see(exactly).to_have_text(f"exactly {ratio(-solve(made).value)}", timeout=180_000)
    see(page.locator(".lab-label").first).to_have_text("House edge, of the ante")
    see(page.get_by_role("button", name="Work it out exactly")).to_have_count(0)


def test_what_one_sees_is_shared_saved_and_played(
    site: Site, new_person: Visitors, tmp_path: Path
) -> None:
    page = new_person().page
    page.goto(f"/lab/{SENECA.id}?table.bet.rows.flush.odds=6+to+1")
    page.locator("summary", has_text="The dealer's hand").click()
    field(page, "qualifier.hand").fill("pair")
    shows(page, SENECA, table__bet__rows__flush__odds="6 to 1", qualifier__hand="pair")
    # Somebody else sees the same at that address, without a script too.
    for javascript in (True, False):
        other = new_person(javascript=javascript).page
        other.goto(page.url)
        see(other.locator(".lab-number")).to_have_text(page.locator(".lab-number").inner_text())
        see(field(other, "qualifier.hand")).to_have_value("pair")
    page.get_by_role("link", name="What each change costs").click()
    see(page.locator("#view")).to_contain_text("The dealer qualifies with a pair of twos or better")
    assert "show=differences" in page.url
    # The file that is saved is a rulebook, and is these rules.
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a rulebook").click()
    file = tmp_path / "saved.toml"
    saved.value.save_as(file)
    assert tomllib.loads(file.read_text("utf-8"))["id"] == saved.value.suggested_filename[
        : -len(".toml")
    ].replace("seneca-niagara-", "seneca-niagara/", 1)
    wanted = edited(SENECA, {"table.bet.rows.flush.odds": "6 to 1", "qualifier.hand": "pair"})
    assert load(str(file)).sha256 == wanted.sha256
    # And a stranger sits down to it at once.
    page.get_by_role("button", name="Play it").click()
    page.wait_for_selector("#main[data-table]")
    table = page.url.rpartition("/")[2]
    live = site.run(site.house.table(table))
    assert (live.book.sha256, live.table.practice) == (wanted.sha256, True)
    page.get_by_role("link", name="What it costs").click()
    see(page.locator("h1")).to_have_text("Caribbean Stud: the maths")


@pytest.mark.usefixtures("site")
def test_the_essential_needs_no_script(new_person: Visitors) -> None:
    page = new_person(390, javascript=False).page
    page.goto("/lab")
    page.get_by_role("link", name="Mississippi Stud").click()
    field(page, FLUSH).fill("8:1")
    page.get_by_role("button", name="Price it").click()
    shows(page, MISSISSIPPI, table__main__rows__flush__odds="8 to 1")
    assert page.url.endswith(f"?{FLUSH}=8+to+1")
    see(control(page, FLUSH)).to_contain_text("posted 6 to 1")
    page.get_by_role("link", name="Exposed and marked cards").click()
    see(page.locator("#view")).to_contain_text("Community cards 1 and 2 known")
    page.get_by_role("link", name="Reset all").click()
    shows(page, MISSISSIPPI)


@pytest.mark.usefixtures("site")
def test_the_lab_is_handsome_and_for_everybody(new_person: Visitors) -> None:
    ann = new_person(360, dark=True)
    for path in (
        "/lab",
        f"/lab/{SENECA.id}",
        f"/lab/{SENECA.id}?qualifier.hand=pair&show=differences",
        f"/lab/{MISSISSIPPI.id}?{FLUSH}=lots&table.main.rows.straight.odds=5+to+1",
    ):
        ann.page.goto(path)
        see(ann.page.locator("h1")).to_be_visible()
        for width, dark in ((360, True), (768, False), (1440, True)):
            at_width(ann.page, width)
            ann.page.emulate_media(color_scheme="dark" if dark else "light")
            accessible(ann.page)
            handsome(ann.page, f"{path} at {width}")
            letters = ann.page.locator("#view .par-curve svg text").evaluate_all(LETTERS)
            assert bool(letters) == (path == f"/lab/{SENECA.id}"), path
            assert not [each for each in letters if each[1] < 8 or each[2] < 0], (width, letters)
