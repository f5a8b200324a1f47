"""Pages that everybody can use: by eye, by ear, by keyboard, and in large letters."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.geometry import at_width, handsome, in_sight, wide_letters
from tests.browser.player import LATER, Player, see
from tests.browser.scenes import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA, Play, Scene, payoff
from tests.browser.visitors import Site, Visitor, Visitors, accessible

if TYPE_CHECKING:
    from playwright.sync_api import Page

# By any eye and any ear ---------------------------------------------------------------------------


def clean(page: "Page", *, by_night: int = 360) -> None:
    """See that axe has no complaint, on a telephone and on a desk, one by day, one by night."""
    size = page.viewport_size
    for width in (360, 1440) if size and size["width"] == 360 else (1440, 360):
        at_width(page, width)
        page.emulate_media(color_scheme="dark" if width == by_night else "light")
        accessible(page)


def test_the_table_in_all_its_states(site: Site, new_person: Visitors) -> None:
    ann, bob = new_person(), new_person()
    scene = Scene(site, ann, DIAMOND_JO)
    clean(scene.look())
    scene.bet()
    clean(scene.look(), by_night=1440)
    bob.come(scene.table)
    bob.page.goto(scene.path)
    clean(bob.page)
    scene.again()
    scene.coach()
    clean(scene.look())
    scene.stack()
    scene.to_the_end()
    scene.look().locator("details.receipt summary").click()
    clean(scene.page, by_night=1440)
    scene.bet()
    scene.fold()
    clean(scene.look())


def test_a_table_with_a_jackpot_and_free_seats(site: Site, new_person: Visitors) -> None:
    ann, bob = new_person(), new_person()
    scene = Scene(site, ann, SENECA, bots=1)
    scene.bet()
    clean(scene.look())
    bob.come(scene.table)
    bob.page.goto(scene.path)
    see(bob.page.get_by_role("button", name="Sit down at seat 3")).to_be_visible()
    clean(bob.page)


def test_what_waits_for_the_floor(site: Site, new_person: Visitors) -> None:
    pip, flo = new_person(), new_person()
    site.person("pip", "player")
    table = payoff(site, pip.sign_in("pip"))
    pip.page.goto(f"/tables/{table}")
    see(pip.page.get_by_role("status").first).to_contain_text("waits for floor supervisor")
    clean(pip.page)
    flo.sign_in("flo")
    flo.page.goto("/floor")
    see(flo.page.get_by_role("button", name="Approve as floor supervisor")).to_be_visible()
    clean(flo.page)


def test_every_other_page(site: Site, new_person: Visitors) -> None:
    ann, bob = new_person(), new_person()
    ann.forgive("status of 404")
    scene = Scene(site, ann, HOLLYWOOD, bots=1)
    scene.bet()
    scene.to_the_end()
    last = f"/rounds/{scene.table}-1"
    paths = ("/", "/rounds", last, f"{last}?step=5", f"/rules/{DIAMOND_JO.book}", "/rules/no")
    for number, path in enumerate(paths):
        ann.page.goto(path)
        clean(ann.page, by_night=(360, 1440)[number % 2])
    bob.forgive("status of 401")
    bob.page.goto("/sign-in")
    clean(bob.page)
    bob.page.get_by_label("Name").fill("nobody")
    bob.page.get_by_label("Password").fill("not the password")
    bob.page.get_by_role("button", name="Sign in").click()
    see(bob.page.get_by_role("alert")).to_have_text("Name or password is wrong.")
    clean(bob.page, by_night=1440)


# By keyboard --------------------------------------------------------------------------------------

CONTROLS = """
() => {
    const every = 'a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]';
    const chosen = (each) => {  // of several the one that is, or else the first
        const several = [...document.querySelectorAll(`input[name="${each.name}"]`)];
        return each === (several.find((one) => one.checked) ?? several[0]);
    };
    const found = [...document.querySelectorAll(every)].filter((each) => !each.disabled
        && each.checkVisibility() && (each.type !== 'radio' || chosen(each)));
    window.controls = found.filter((each) => !each.matches('.skip'));
    return window.controls.map((each) => each.outerHTML.slice(0, 120));
}
"""

FOCUSED = """
() => {
    const at = document.activeElement;
    const shown = at.type === 'radio' ? at.parentElement : at;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const { left, top, width, height } = shown.getClientRects()[0];
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return {
        number: window.controls.indexOf(at),
        ring: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
        seen: !!there && (shown.contains(there) || there.contains(shown)),
        what: at.outerHTML.slice(0, 120),
    };
}
"""


def tab_through(page: "Page") -> None:
    """Go round the page with the Tab key, in its own letters and in wide ones."""
    page.keyboard.press("Tab")  # to the skip link
    go_round(page)
    with wide_letters(page):
        page.locator(".skip").focus()
        go_round(page)


def go_round(page: "Page") -> None:
    """Go on with the Tab key from the skip link: everything is reached, seen and left again."""
    controls = page.evaluate(CONTROLS)
    reached = []
    for _ in controls:
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        assert at["ring"], f"it cannot be seen that this has the focus: {at['what']}"
        assert at["seen"], f"something lies over what has the focus: {at['what']}"
        reached.append(at["number"])
    assert reached == [*range(len(controls))], [
        controls[n] for n in {*range(len(controls))} - {*reached}
    ]
    page.keyboard.press("Tab")
    assert page.evaluate("window.controls.indexOf(document.activeElement)") == -1, "a trap"


@pytest.mark.parametrize("width", [360, 1440])
def test_everything_is_reached_with_the_tab_key(
    site: Site, new_person: Visitors, width: int
) -> None:
    ann, eve = new_person(width), new_person(width)
    scene = Scene(site, ann, DIAMOND_JO, bots=2)
    scene.coach()
    tab_through(scene.look())
    scene.again()
    scene.bet()
    tab_through(scene.look())
    scene.again()
    scene.to_the_end()
    scene.look().locator("details.receipt").evaluate("each => { each.open = true }")
    tab_through(scene.page)
    ann.page.goto(f"/rounds/{scene.table}-1?step=5")
    tab_through(ann.page)
    eve.come(scene.table)
    for path in ("/", "/sign-in", scene.path):
        eve.page.goto(path)
        tab_through(eve.page)


def test_the_skip_link_leads_past_the_bar(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, MISSISSIPPI, bots=0)
    for path in (scene.path, "/", "/rounds", f"/rules/{SENECA.book}"):
        ann.page.goto(path)
        ann.page.keyboard.press("Tab")
        skip = ann.page.get_by_role("link", name="Skip to the page")
        see(skip).to_be_focused()
        see(skip).to_be_in_viewport()
        ann.page.keyboard.press("Enter")
        see(ann.page.locator("#main")).to_be_focused()
        ann.page.keyboard.press("Tab")
        assert ann.page.evaluate("document.activeElement.closest('#main') !== null")


INSIDE = "where => document.activeElement.closest(where) !== null"
AT = "() => { const at = document.activeElement; return at.value || at.className || at.tagName }"


def test_the_focus_is_never_lost(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, MISSISSIPPI, bots=0)
    page, player = scene.look(), Player(ann)
    page.locator(".bet .go").focus()
    page.keyboard.press("Enter")
    for times in scene.play.raises:
        player.ready()
        assert page.evaluate(INSIDE, ".decide"), page.evaluate(AT)
        player.choice(f"raise:{times}").focus()
        moment = player.moment
        page.keyboard.press("Enter")
        page.wait_for_function(LATER, arg=moment)
    see(page.locator(".bet")).to_be_visible()
    assert page.evaluate(INSIDE, ".bet"), page.evaluate(AT)
    page.locator("details.receipt summary").focus()
    scene.bet()
    player.ready()
    assert page.evaluate(INSIDE, "#main"), page.evaluate(AT)


# By ear -------------------------------------------------------------------------------------------

LISTEN = """
() => {
    window.heard = [];
    const changes = { childList: true, characterData: true, subtree: true };
    const listen = (selector, change) => new MutationObserver((all) => all.forEach(change))
        .observe(document.querySelector(selector), changes);
    listen('[role=log]', (each) => each.addedNodes.forEach((node) => {
        const said = node.cloneNode(true);
        said.querySelectorAll?.('[aria-hidden]').forEach((each) => each.remove());
        if (said.textContent.trim()) window.heard.push(said.textContent.trim());
    }));
    listen('.panel [role=status]', ({ target }) => window.heard.push(`(${target.textContent})`));
}
"""


def test_all_that_happens_is_said(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, MISSISSIPPI, bots=0)
    page = scene.look()
    page.evaluate(LISTEN)
    status = page.locator(".panel").get_by_role("status")
    see(status).to_have_text("Place your bets.")
    scene.bet()
    scene.look()
    see(status).to_have_text("It is your decision.")
    scene.to_the_end()
    scene.look()
    see(status).to_have_text("Place your bets.")
    heard = page.evaluate("window.heard")
    said = [each for each in heard if not each.startswith("(")]
    assert said == [
        "Betting is open.",
        "You bet $25 on Ante and $5 on 3 Card Bonus.",
        "No more bets.",
        "The board gets three cards face down.",
        "You get the king of hearts and the king of diamonds.",
        "You raise 3 times: $75.",
        "The first board card is the queen of spades.",
        "You raise 1 time: $25.",
        "The second board card is the king of spades.",
        "You raise 3 times: $75.",
        "The third board card is the seven of diamonds.",
        "You show the king of hearts and the king of diamonds.",
        "You are paid $800: three of a kind, kings.",
    ], heard
    assert "(It is your decision.)" in heard


def test_a_card_has_a_name_and_so_has_every_control(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, SENECA, bots=1)
    page = scene.look()
    for name in ("$1", "$5", "$25"):
        see(page.get_by_role("radio", name=name, exact=True)).to_have_count(1)
    for name in ("Ante: $5. Add a chip", "Progressive: no chips. Add a chip", "Undo", "Deal $5"):
        see(page.get_by_role("button", name=name)).to_have_count(1)
    for name in ("Ante", "Progressive"):
        see(page.get_by_role("textbox", name=name)).to_have_count(1)
    scene.bet()
    scene.look()
    mine, dealer = page.locator(".held"), page.locator(".pile")
    for name in ("seven of hearts", "eight of hearts", "nine of hearts", "ten of hearts"):
        see(mine.get_by_role("img", name=name)).to_have_count(1)
    see(dealer.get_by_role("img", name="ace of clubs")).to_have_count(1)
    see(dealer.get_by_role("img", name="a card face down")).to_have_count(4)
    see(page.get_by_role("button", name="Raise 2\N{MULTIPLICATION SIGN} $50")).to_have_count(1)


# In large letters ---------------------------------------------------------------------------------


def plays_a_round(who: Visitor, play: Play, site: Site) -> None:
    """Play a round with the mouse; nothing is cut off or covered on the way."""
    scene, player = Scene(site, who, play), Player(who)
    scene.coach()
    page = scene.look()
    handsome(page, "betting")
    tall = page.evaluate("innerHeight") >= 400
    if tall:  # else there is no room beside the felt
        in_sight(page, ".bet .go")
    page.locator("input[name=wager-ante]").fill("25")
    for spot in set(play.wagers) - {"ante"}:
        page.locator(f'[data-spot="{spot}"]').click()
    player.deal()
    for times in play.raises:
        player.ready()
        handsome(page, "deciding")
        if tall:
            in_sight(page, ".decide button")
        player.decide(f"raise:{times}")
    page.locator("details.receipt summary").click()
    handsome(page, "paid")
    for path in ("/", f"/rounds/{scene.table}-1", f"/rules/{play.book}"):
        page.goto(path)
        handsome(page, path)


@pytest.mark.parametrize(
    ("width", "height", "text"),
    [
        (360, 740, 200),
        (390, 844, 200),
        (1024, 768, 200),
        (1366, 657, 200),
        (1440, 900, 200),
        (320, 256, 100),
    ],
)
def test_in_large_letters_and_in_a_small_window(
    site: Site, new_person: Visitors, width: int, height: int, text: int
) -> None:
    ann = new_person(width, text_size=text)
    at_width(ann.page, width, height)
    plays_a_round(ann, HOLLYWOOD, site)
