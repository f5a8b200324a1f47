"""Plain words beside the felt: the cap, a log one can scan, the keys, the first round."""

import pytest

from tests.browser.geometry import SIZES, at_width, handsome
from tests.browser.player import Player, journal, on_a_phone, see
from tests.browser.scenes import DIAMOND_JO, MISSISSIPPI, PLAYS, SENECA, Play, Scene
from tests.browser.visitors import Site, Visitors, accessible


def test_the_cap_says_at_which_ante_it_bites_and_its_clauses_are_links(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    page = Scene(site, ann, DIAMOND_JO, bots=0).look()
    see(page.locator(".posted .cap")).to_contain_text("payout cap $25,000")
    assert "ceiling" not in page.locator("#main").inner_text().lower(), "one word for one thing"
    card = page.locator(".cap-card")
    see(card.locator("h2")).to_have_text("Payout cap: $25,000 a round, whole table")
    see(card).to_contain_text("It bites above an Ante of $5 on a royal flush")
    with page.expect_popup() as opened:  # beside the table, where a hand may be in play
        card.get_by_role("link", name="J.2", exact=True).click()
    rules = opened.value
    see(rules.locator("#main")).to_contain_text("at most $25,000 a round for the whole table")
    assert rules.url.endswith("#J.2")
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
    assert "You raise 3 times: $75." in heard
    assert "K♥" not in heard, "what is for eyes alone is not read aloud"
    page.goto(f"/rounds/{scene.table}-1")
    step = page.locator(".log").get_by_role("link", name="The first board card is the queen of")
    see(step.locator(".act")).to_contain_text("Board Q♠")


def test_clauses_of_pay_tables_and_decisions_are_links_and_the_card_to_print_is_near(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    scene.coach()
    scene.bet()
    page = scene.look()
    rules = f"/rules/{DIAMOND_JO.book}#"
    for where in (".pay[open] .by", ".coach", "#keys h3"):
        found = page.locator(f"{where} .clause a").evaluate_all(
            "several => several.map(each => [each.getAttribute('href'), each.innerText])"
        )
        assert found, where
        assert all(href == rules + code for href, code in found), where
    rows = page.locator(".pay[open] tr[title]").evaluate_all("all => all.map(each => each.title)")
    linked = page.locator(".pay[open] .by").inner_text()
    assert all(code in linked for title in rows for code in title.split(", ")), "of every row"
    page.get_by_role("link", name="One page to print").click()
    see(page.locator("h1")).to_have_text("Cajun Stud")
    assert page.url.endswith(f"/card/{DIAMOND_JO.book}")


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
    see(page.locator(".rack .any")).to_be_hidden()
    on_a_phone(ann)
    see(page.locator("[data-sheet]")).to_be_hidden()
    see(page.locator("[data-setting=keys]")).to_be_hidden()


# The first round ----------------------------------------------------------------------------------

PANEL = "() => Math.round(document.querySelector('.panel').getBoundingClientRect().height)"
SMALL, SIDEWAYS = (320, 568), (844, 390)
NEXT = """() => [...document.querySelectorAll('.first li')]
    .filter(each => each.checkVisibility() && getComputedStyle(each).fontWeight === '650')
    .map(each => each.innerText.replace(/\\s+/g, ' '))"""


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.book)
def test_the_first_steps_move_nothing_and_name_what_is_next(
    site: Site, new_person: Visitors, play: Play
) -> None:
    ann = new_person()
    scene = Scene(site, ann, play)
    scene.coach()
    page, ante = scene.look(), scene.book.ante
    assert page.evaluate(NEXT) == ["2 Deal"], "the ante lies there already"
    page.locator(f"#wager-{ante.name}").fill("")
    see(page.locator(".first")).to_be_hidden()  # Deal says what is lacking: one thing at a time
    page.locator(f"#wager-{ante.name}").fill("5")
    heights: dict[tuple[str, bool], list[int]] = {}
    for phase, next_one in (("betting", "2 Deal"), ("deciding", "3 Raise or fold")):
        if phase == "deciding":
            scene.bet()
            scene.look()
        for size in SIZES:
            at_width(page, *size)
            told = [] if (phase, size) == ("deciding", SIDEWAYS) else [next_one]
            assert page.evaluate(NEXT) == told, (phase, size)
            if size not in (SMALL, SIDEWAYS):
                handsome(page, f"{phase} at {size}")
            heights.setdefault((phase, True), []).append(page.evaluate(PANEL))
        page.evaluate("document.body.classList.replace('learns', 'knows')")
        for size in SIZES:
            at_width(page, *size)
            heights.setdefault((phase, False), []).append(page.evaluate(PANEL))
        page.evaluate("document.body.classList.replace('knows', 'learns')")
    for phase in ("betting", "deciding"):
        assert heights[phase, True] == heights[phase, False], phase
    scene.to_the_end()
    scene.look()
    see(page.locator(".first")).to_have_count(0)


def test_the_first_steps_are_gone_for_good_when_hidden_or_once_a_round_was_played(
    new_person: Visitors,
) -> None:
    ann = Player(new_person())
    ann.sit_down("Diamond Jo")
    ann.page.get_by_role("button", name="Hide these steps").click()
    see(ann.page.locator(".first")).to_be_hidden()
    see(ann.page.locator(".bet .go")).to_be_focused()
    ann.deal()
    see(ann.page.locator(".first")).to_be_hidden()
    ann.page.reload()
    see(ann.page.locator(".decide")).to_be_visible()
    see(ann.page.locator(".first")).to_be_hidden()

    bob = Player(new_person())
    bob.sit_down("Diamond Jo")
    see(bob.page.locator(".first")).to_be_visible()
    bob.deal()
    bob.decide("fold")
    see(bob.page.locator(".first")).to_have_count(0)
    bob.sit_down("Hollywood")
    see(bob.page.locator(".first")).to_have_count(0)


def test_without_scripts_the_first_steps_are_a_plain_line(site: Site, new_person: Visitors) -> None:
    ann = new_person(1366, javascript=False)
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    ann.page.goto(scene.path)
    see(ann.page.locator(".first")).to_contain_text("1 Put chips on Ante2 Deal3 Raise or fold")
    see(ann.page.locator(".first button")).to_be_hidden()
    assert ann.page.evaluate(NEXT) == ["2 Deal"]
    ann.page.locator("#wager-ante").fill("")
    assert ann.page.evaluate(NEXT) == ["1 Put chips on Ante"]
    scene.bet()
    ann.page.goto(scene.path)
    assert ann.page.evaluate(NEXT) == ["3 Raise or fold"]
    accessible(ann.page)
    scene.to_the_end()
    ann.page.goto(scene.path)
    see(ann.page.locator(".first")).to_have_count(0)


def test_an_invitation_is_copied_with_a_button(site: Site, new_person: Visitors) -> None:
    ann = Player(new_person())
    table = ann.sit_down("Diamond Jo")
    ann.visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.get_by_role("button", name="Invite").click()
    ann.page.get_by_role("button", name="Copy the link").click()
    see(ann.page.locator("[data-copied]")).to_have_text("Copied.")
    copied = str(ann.page.evaluate("navigator.clipboard.readText()"))
    assert copied == ann.page.locator("#link").input_value()
    assert copied.startswith(f"{site.address}/invited#{table}.")
    handsome(ann.page, "the invitation")
    accessible(ann.page)


@pytest.mark.parametrize(
    ("bots", "said"), [(0, "You K♥ K♦"), (1, "Bot 1 two cards face down")], ids=["alone", "a bot"]
)
def test_while_a_round_is_played_the_dock_says_what_happens_in_short(
    site: Site, new_person: Visitors, bots: int, said: str
) -> None:
    """As the log has it for eyes, so that it fits a phone; ears hear the log."""
    ann = new_person(reduced_motion=False)
    scene = Scene(site, ann, DIAMOND_JO, bots=bots)
    page = scene.look()
    page.evaluate(
        """() => {
            window.heard = [];
            const status = document.querySelector('.status [role=status]');
            window.cut = [];
            new MutationObserver(() => {
                heard.push(status.textContent);
                if (status.scrollWidth > status.clientWidth) cut.push(status.textContent);
            })
                .observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )
    at_width(page, 390, 844)
    page.locator(".bet .go").click()
    see(page.locator(".decide")).to_be_visible()
    heard = page.evaluate("window.heard")
    assert page.evaluate("window.cut") == []
    assert said in heard
    assert heard[-1] == "It is your decision."
    assert "First Raise" not in heard, "a heading is no act"
    assert page.locator(".status [role=status]").get_attribute("aria-live") is None


def test_a_phone_is_led_to_what_pays_and_who_was_paid_to_the_next_deal(
    site: Site, new_person: Visitors
) -> None:
    scene = Scene(site, new_person(), SENECA, bots=0)
    page = scene.look()
    to_pays = page.get_by_role("link", name="What pays")
    see(to_pays).to_be_hidden()  # it is in sight beside the felt
    see(page.locator("#pays")).to_contain_text("The dealer qualifies with ace-king high or better")
    see(page.locator("#pays")).to_contain_text("the better hand wins Ante and Bet")
    at_width(page, 390, 844)
    to_pays.click()
    see(page.locator("#pays h2")).to_be_in_viewport()
    same = page.get_by_text("The same bets as before")
    see(same).to_have_count(0)
    scene.bet()
    scene.to_the_end()
    scene.look()
    see(same).to_be_visible()
    page.locator("#wager-ante").fill("30")
    see(same).to_be_hidden()
