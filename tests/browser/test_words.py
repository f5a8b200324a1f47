"""Plain words beside the felt: the cap, a log one can scan, the keys, the first round."""

import pytest

from tests.browser.geometry import at_width, handsome
from tests.browser.player import Player, journal, see
from tests.browser.scenes import DIAMOND_JO, MISSISSIPPI, PLAYS, Play, Scene
from tests.browser.visitors import Site, Visitors, accessible


def test_the_cap_says_at_which_ante_it_bites_and_its_clauses_are_links(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    page = Scene(site, ann, DIAMOND_JO, bots=0).look()
    card = page.locator(".cap-card")
    see(card.locator("h2")).to_have_text("Payout cap: $25,000 a round, whole table")
    see(card).to_contain_text("It bites above an Ante of $5 on a royal flush")
    card.get_by_role("link", name="J.2", exact=True).click()
    see(page.locator("#main")).to_contain_text("at most $25,000 a round for the whole table")
    assert page.url.endswith("#J.2")
    free = Scene(site, new_person(), MISSISSIPPI, bots=0).look()
    see(free.locator(".notes")).to_be_visible()
    see(free.locator(".cap-card")).to_have_count(0)


def test_the_log_is_scanned_by_eyes_and_read_aloud_in_sentences(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=1)
    scene.bet()
    scene.to_the_end()
    page = scene.look()
    lines = page.locator("#log p")
    see(lines.locator(".act b")).to_have_text(
        ["Round 1", "First Raise", "Second Raise", "Third Raise", "Showdown", "Paid"]
    )
    mine = lines.filter(has_text="You get the king of hearts and the king of diamonds.")
    see(mine.locator(".act")).to_have_text("You K♥ K♦")
    see(mine.locator(".act .red")).to_have_count(2)
    keys = lines.evaluate_all("several => several.map(each => each.dataset.key)")
    numbers = [int(each.removeprefix("1.")) for each in keys]
    assert numbers == sorted(set(numbers)), "each has the number of its event"
    heard = page.locator("#log").aria_snapshot()
    assert "You raise 3 times: $75.00." in heard
    assert "K♥" not in heard, "what is for eyes alone is not read aloud"
    page.goto(f"/rounds/{scene.table}-1")
    step = page.locator(".log").get_by_role("link", name="The first board card is the queen of")
    see(step.locator(".act")).to_contain_text("Board Q♠")


# The sheet of keys --------------------------------------------------------------------------------

HOTKEYS = "several => several.map(each => each.dataset.hotkey.toUpperCase())"
FIXED = {"SHIFT", "ENTER", "SPACE", "TAB", "ESC"}


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.book)
def test_the_sheet_has_every_key_of_the_controls_and_no_other(
    site: Site, new_person: Visitors, play: Play
) -> None:
    ann = new_person()
    scene = Scene(site, ann, play, bots=0)
    page = scene.look()
    keys = page.locator("[data-hotkey]:visible, .rack [data-hotkey]")
    working = set(keys.evaluate_all(HOTKEYS))
    scene.bet()
    scene.look()
    working |= set(keys.evaluate_all(HOTKEYS))
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    see(sheet).to_be_visible()
    assert {each.upper() for each in sheet.locator("kbd").all_inner_texts()} == working | FIXED
    for size in ((1366, 657), (390, 844), (320, 568)):
        at_width(page, *size)
        handsome(page, f"the sheet at {size}")
    accessible(page)


def test_while_the_sheet_is_open_no_key_reaches_the_table_and_the_focus_comes_back(
    site: Site, new_person: Visitors
) -> None:
    ann = Player(new_person())
    table = ann.sit_down("Diamond Jo")
    ann.deal()
    ann.ready()
    sheet, button = ann.page.get_by_role("dialog"), ann.page.get_by_role("button", name="All keys")
    button.click()
    see(sheet).to_be_visible()
    for key in "qfwe":
        ann.page.keyboard.press(key)
    ann.page.keyboard.press("Escape")
    see(sheet).to_be_hidden()
    see(button).to_be_focused()
    ann.page.keyboard.press("?")
    see(sheet).to_be_visible()
    ann.page.keyboard.press("?")
    see(sheet).to_be_hidden()
    assert not {"raise-placed", "folded"} & set(journal(site, table))
    ann.page.keyboard.press("f")
    ann.page.wait_for_function("() => !document.querySelector('.decide button:not(.quiet)')")


def test_where_there_is_no_keyboard_nothing_is_said_of_keys(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person(390)
    page = Scene(site, ann, DIAMOND_JO, bots=0).look()
    see(page.locator("[data-sheet]")).to_be_visible()
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    session = ann.context.new_cdp_session(page)
    session.send("Emulation.setDeviceMetricsOverride", phone)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert page.evaluate("matchMedia('(hover: none)').matches")
    see(page.locator("[data-sheet]")).to_be_hidden()
    see(page.locator("[data-setting=keys]")).to_be_hidden()
