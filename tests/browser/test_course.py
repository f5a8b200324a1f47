"""The round as an event: what happened is played step by step, and wins are told by their size."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.geometry import SIZES, at_width, handsome
from tests.browser.player import journal, see
from tests.browser.scenes import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, Play, Scene
from tests.browser.visitors import Site, Visitors
from tests.house.shelves import OURS, changed

if TYPE_CHECKING:
    from playwright.sync_api import Page

WATCH = """() => {
    window.seen = [];
    const shown = each => each.checkVisibility({ visibilityProperty: true });
    const look = () => {
        const turned = [...document.querySelectorAll('.pile .card:not(.slot, .yet, .back)')].length;
        const told = ['.pile .says', '.yours .outcome .net', '.yours .tag', '.yours .won',
            '#log [data-key]', '.plate .net', '.status [role=status]'].join();
        const words = [...document.querySelectorAll(told)].filter(shown);
        const busy = document.querySelector('.panel').inert;
        seen.push([turned, words.map(each => each.textContent).join(' | '), busy]);
        requestAnimationFrame(look);
    };
    look();
}"""


def watched(page: "Page") -> list[tuple[int, str, bool]]:
    """Return what was seen frame by frame: cards turned up on the table, words, a busy dock."""
    return [tuple(each) for each in page.evaluate("window.seen")]


def test_b18_nothing_is_told_before_its_card_is_turned(site: Site, new_person: Visitors) -> None:
    ann = new_person(reduced_motion=False)
    scene = Scene(site, ann, SENECA)
    scene.bet()
    page = scene.look()
    page.evaluate(WATCH)
    page.locator(".decide .raise button").first.click()
    see(page.locator(".bet .go")).to_be_visible()
    frames = watched(page)
    counts = [turned for turned, _, _ in frames]
    assert sorted(set(counts)) == [1, 2, 3, 4, 5], "the dealer's cards are turned one by one"
    assert counts == sorted(counts)
    for turned, words, busy in frames:
        told = [each for each in ("king high", "qualif", "lost", "+$", "paid") if each in words]
        if turned < 5:
            assert not told, (turned, words)
            assert busy or turned == 1  # no button takes a click that is meant for another moment
    assert "ace-king high" in frames[-1][1]
    assert "flush" in page.locator("#log").inner_text()


@pytest.mark.parametrize(
    "skip",
    [
        lambda page: page.keyboard.press("Space"),
        lambda page: page.locator(".felt .head").click(),
    ],
    ids=["space", "click"],
)
def test_space_and_a_click_on_the_felt_skip(
    site: Site, new_person: Visitors, skip: "Callable[[Page], None]"
) -> None:
    ann = new_person(reduced_motion=False)
    scene = Scene(site, ann, SENECA)
    scene.bet()
    page = scene.look()
    page.locator(".decide .raise button").first.click()
    see(page.locator(".panel.busy")).to_be_visible()
    skip(page)
    page.wait_for_function("!document.querySelector('.yet, .busy')", timeout=1_000)
    see(page.locator(".outcome .net")).to_be_visible()
    assert journal(site, scene.table).count("round-paid") == 1


@pytest.mark.parametrize(
    ("pace", "reduced"), [("off", False), ("casino", True)], ids=["off", "reduced motion"]
)
def test_whoever_wants_no_course_sees_the_end_at_once(
    site: Site, new_person: Visitors, pace: str, reduced: bool
) -> None:
    ann = new_person(reduced_motion=reduced)
    scene = Scene(site, ann, SENECA)
    scene.bet()
    page = scene.look()
    page.evaluate("pace => { localStorage.pace = pace; }", pace)
    page.evaluate(WATCH)
    page.locator(".decide .raise button").first.click()
    see(page.locator(".outcome .net")).to_be_visible()
    assert {turned for turned, _, _ in watched(page)} <= {1, 5}
    assert not any(busy for _, _, busy in watched(page))


def test_pace_and_sound_are_set_at_the_table_and_kept(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    page = Scene(site, ann, SENECA).look()
    for name, values in (("Pace", ("casino", "fast", "off")), ("Sound", ("off", "on"))):
        for now, then in zip(values, (*values[1:], values[0]), strict=True):
            page.get_by_role("button", name=f"{name}: {now}", exact=True).click()
            see(page.get_by_role("button", name=f"{name}: {then}", exact=True)).to_be_visible()
    page.get_by_role("button", name="Pace: casino").click()
    page.reload()
    see(page.get_by_role("button", name="Pace: fast")).to_be_visible()


ROYAL: dict[str, Any] = {"mine": "As Ks", "piles": {"board": "Qs Js Ts"}}


@pytest.mark.parametrize(
    ("play", "told"),
    [
        (MISSISSIPPI._replace(wagers={"ante": 25_00}), None),
        (SENECA._replace(wagers={"ante": 25_00}), "Flush · 5 to 1 · +$250 · round +$275"),
        (SENECA, "Flush · $50 · about 1 in 509 deals · +$50 · round +$324 · Share"),
        (
            DIAMOND_JO._replace(**ROYAL),
            (
                "Royal flush · 500 to 1 · 1 in 649,740 deals · payout cap $25,000"
                " · +$25,000 · round +$25,295 · Share"
            ),
        ),
    ],
    ids=["small", "large", "huge", "capped"],
)
def test_wins_have_three_sizes(
    site: Site, new_person: Visitors, play: Play, told: str | None
) -> None:
    ann = new_person()
    scene = Scene(site, ann, play)
    scene.bet()
    scene.to_the_end()
    page = scene.look()
    see(page.locator(".outcome .net")).to_be_visible()
    found = page.locator(".win-told")
    assert found.count() == (told is not None)
    if told is not None:
        assert told in " ".join(found.inner_text().split())


def test_b4_payoffs_of_eight_digits_and_cents_fit(site: Site, new_person: Visitors) -> None:
    """Also in letters that are wider than ours."""
    ann, house = new_person(), site.house
    site.run(house.change_setting("admin", "guest-play-chips", "9,000,000.00", "a feast", "feast"))
    limits = 'highest = "25,000.00" }\nsmallest_chip = "0.01"'
    site.adopt(changed(*OURS, ('highest = "200.00" }', limits)))
    play = MISSISSIPPI._replace(book="my-house/stud", wagers={"ante": 23_456_78}, **ROYAL)
    scene = Scene(site, ann, play, minimum_cents=5_00, maximum_cents=25_000_00)
    scene.bet()
    scene.to_the_end()
    page = scene.look()
    won = page.locator(".yours .won .worth").all_inner_texts()
    assert won == ["$11.73M", "$35.19M", "$11.73M", "$35.19M"]
    for size in SIZES:
        at_width(page, *size)
        handsome(page, f"at {size}")


def test_thousands_fit_at_every_decision_of_a_first_round(site: Site, new_person: Visitors) -> None:
    """Of stakes, winnings and what the coach says, in eight spots; also in wider letters."""
    ann, house = new_person(), site.house
    site.run(house.change_setting("admin", "guest-play-chips", "90,000.00", "a feast", "feast"))
    play = HOLLYWOOD._replace(wagers={**HOLLYWOOD.wagers, "ante": 2_500_00})
    scene = Scene(site, ann, play, minimum_cents=5_00, maximum_cents=5_000_00)
    scene.coach()
    scene.bet()
    for moment in ("first", "second", "third", "paid"):
        page = scene.look()
        if moment == "paid":
            see(page.locator(".yours .won .worth").last).to_have_text("$15,000")
        for size in SIZES:
            at_width(page, *size)
            handsome(page, f"{moment} at {size}")
        if moment != "paid":
            scene.raise_(3)


def test_nobody_is_disturbed_who_is_placing_chips(new_person: Visitors) -> None:
    """What others do at the table is there at once, and the bet that one is placing stays."""
    ann, bob = new_person(reduced_motion=False), new_person()
    caller, other = ann.enter(), bob.enter()
    table = caller.open(DIAMOND_JO.book, betting_seconds=600)
    caller.do(table, "sit", seat=1)
    other.come(table)
    other.do(table, "sit", seat=2)
    page = ann.page
    page.goto(f"/tables/{table}")
    page.locator("#wager-ante").fill("25")
    page.locator('[data-spot="board-bonus"]').click()
    assert other.do(table, "bet", seat=2, wagers={"ante": 5_00}).status == 200
    see(page.locator('.seat[data-key="seat-2"] .chips')).to_be_visible()
    assert page.locator("#wager-ante").input_value() == "25"
    assert page.locator("#wager-board-bonus").input_value() == "5"
    assert not page.evaluate("document.querySelector('.panel').inert")
    see(page.locator(".bet .go")).to_contain_text("$30")


def test_the_first_chip_begins_anew(site: Site, new_person: Visitors) -> None:
    """And nothing of the last round is left on the felt, raises included."""
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO)
    scene.bet()
    scene.to_the_end()
    page = scene.look()
    see(page.locator(".bet .go")).to_contain_text("$40")
    page.wait_for_timeout(300)
    page.locator('.rack input[value="2500"]').locator("..").click()
    page.locator('[data-spot="ante"]').click()
    see(page.locator(".bet .go")).to_contain_text("$25")
    assert page.locator("#wager-board-bonus").input_value() == ""
    assert not [each for each in page.locator(".yours .result").all() if each.is_visible()]
    page.locator('[data-tool="undo"]').click()
    see(page.locator(".bet .go")).to_contain_text("$40")


def test_a_slow_double_click_is_one_click(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    page = scene.look()
    at = page.locator(".bet .go").bounding_box()
    assert at is not None
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    # The page's own time stands still, so that a busy machine does not make the second click late.
    page.evaluate("window.at = performance.now(); performance.now = () => window.at")
    for clicks in (1, 2):
        page.mouse.down(click_count=clicks)
        page.mouse.up(click_count=clicks)
        see(page.locator(".decide")).to_be_visible()
        page.evaluate("window.at += 400")
    page.wait_for_timeout(400)
    assert "raise-placed" not in journal(site, scene.table)


def test_a_spot_shows_what_it_takes_and_an_example_that_it_would_take(
    site: Site, new_person: Visitors
) -> None:
    scene = Scene(site, new_person(), DIAMOND_JO, bots=0)
    page = scene.look()
    # A tenth of the posted maximum of $100.
    see(page.locator("#toke")).to_have_attribute("placeholder", "to $10")
    see(page.locator("#toke")).to_have_accessible_description("up to $10, if you like")
    for title, spot, example in (
        ("Ante", "wager-ante", "$5"),
        ("Board Bonus", "wager-board-bonus", "$1"),
        ("For the dealers", "toke", "$1"),
    ):
        for written in ("abc", "2.5"):
            page.locator(f"#{spot}").fill(written)
            see(page.locator(".note")).to_have_text(f"{title}: an amount such as {example}")
        page.locator(f"#{spot}").fill(example)
        see(page.locator(".note")).not_to_contain_text("an amount")
    page.locator(".bet .go").click()
    see(page.locator(".decide")).to_be_visible()


def test_a_toke_is_clamped_where_it_is_put(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    page = scene.look()
    page.locator('.rack input[value="10000"]').locator("..").click()
    for _ in range(3):
        page.locator('[data-spot="toke"]').click()
    most = page.locator('[data-spot="toke"]').get_attribute("data-most")
    assert page.locator("#toke").input_value() == str(int(most or 0) // 100)
    see(page.locator("#takes-toke")).to_contain_text("At most $")
