"""How the pages look: measured in the browser, for every game with every seat taken."""

import pytest

from tests.browser.geometry import SIZES, UGLY, at_width, handsome, in_sight
from tests.browser.player import see
from tests.browser.scenes import (
    HIGH_CARD,
    HOLLYWOOD,
    MISSISSIPPI,
    PLAYS,
    SENECA,
    ULTIMATE,
    Play,
    Scene,
    payoff,
)
from tests.browser.visitors import Site, Visitor, Visitors

WIDTHS = tuple((width, 800) for width in (360, 768, 1024, 1440))

CHIPS = """
for (let number = 0; number < 3; number++)
    for (const each of document.querySelectorAll('[data-spot]')) each.click();
"""
"""Put chips on every spot."""

REFUSE = """
for (const each of document.querySelectorAll('.spot.takes')) {
    each.classList.add('amiss');
    each.querySelector('small.takes').textContent =
        'The least that can be put here is $5, and the most is $1,000. A.2, R23';
}
"""
"""Say at every spot what is wrong with it, as the server does to a page without a script."""


class Looks:
    """Looks at a page at every width, and tells of all that is ugly at once."""

    def __init__(self, who: Visitor, sizes: tuple[tuple[int, int], ...] = WIDTHS) -> None:
        self.who, self.ugly, self.sizes = who, list[str](), sizes

    def __call__(self, what: str) -> None:
        """Look at the page as it is."""
        self.sizes = self.sizes[::-1]  # the window is already as large as the first
        for size in self.sizes:
            at_width(self.who.page, *size)
            try:
                handsome(self.who.page, f"{what} at {size}")
            except AssertionError as error:
                self.ugly.append(str(error))

    def check(self) -> None:
        """Tell of what was ugly."""
        assert not self.ugly, "\n\n".join(self.ugly)


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.book)
def test_a_full_table(site: Site, new_person: Visitors, play: Play) -> None:
    ann, bob = new_person(), new_person()
    scene, looks, watched = Scene(site, ann, play), Looks(ann, SIZES), Looks(bob)
    scene.coach()
    scene.look()
    looks("betting")
    scene.page.evaluate(CHIPS)
    looks("every spot has chips")
    scene.page.evaluate(REFUSE)
    looks("every spot says what is wrong")
    scene.bet()
    for number, times in enumerate(play.raises):
        circles = scene.look().locator(".lit .ghost:visible")
        looks(f"decision {number + 1}, with the coach")
        least = scene.page.locator(".decide .raise button").first.get_attribute("value")
        see(circles.first).to_have_attribute("value", least)  # where there is no room, it alone
        if number + 1 == len(play.raises):
            scene.stack()
        scene.raise_(times)
    scene.look().locator("details.receipt summary").click()
    looks("paid, with the receipt")
    bob.come(scene.table)
    bob.page.goto(scene.path)
    watched("paid, as somebody else sees it")
    scene.bet()
    for times in play.raises[:-1]:
        scene.raise_(times)
    scene.fold()
    scene.look()
    looks("folded")
    looks.check()
    watched.check()


@pytest.mark.parametrize("play", [ULTIMATE, HIGH_CARD], ids=lambda play: play.book)
def test_a_full_table_of_many_cards(site: Site, new_person: Visitors, play: Play) -> None:
    ann = new_person()
    scene, looks = Scene(site, ann, play), Looks(ann, SIZES)
    scene.bet()
    scene.look()
    looks("deciding")
    scene.to_the_end()
    scene.look()
    looks("paid")
    looks.check()


def test_a_table_with_three_piles(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    play = Play("common/casino-holdem", {"ante": 25_00}, "As Ks", {}, ())
    scene, looks = Scene(site, ann, play), Looks(ann, SIZES)
    scene.look()
    looks("where cards will lie")
    looks.check()


def test_a_table_with_free_seats_and_one_where_a_payoff_waits(
    site: Site, new_person: Visitors
) -> None:
    ann, pip, flo = new_person(), new_person(), new_person()
    scene, looks = Scene(site, ann, MISSISSIPPI, bots=2), Looks(ann)
    scene.look()
    looks("betting")
    scene.bet()
    scene.look()
    looks("deciding")
    looks.check()
    site.person("pip", "player")
    table = payoff(site, pip.sign_in("pip"))
    looks = Looks(pip)
    pip.page.goto(f"/tables/{table}")
    looks("a payoff waits")
    looks.check()
    flo.sign_in("flo")
    flo.page.goto("/floor")
    looks = Looks(flo)
    looks("the floor")
    looks.check()


def test_every_other_page(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    ann.forgive("status of 404")
    scene, looks = Scene(site, ann, HOLLYWOOD), Looks(ann)
    scene.bet()
    scene.to_the_end()
    last = f"/rounds/{scene.table}-1"
    books = [f"/rules/{play.book}" for play in PLAYS]
    for path in ("/", "/rounds", last, f"{last}?step=20", "/sign-in", "/rules/no/such", *books):
        ann.page.goto(path)
        looks(path)
    looks.check()


# What must be in sight ----------------------------------------------------------------------------


@pytest.mark.parametrize("play", [HOLLYWOOD, SENECA], ids=lambda play: play.book)
def test_what_one_needs_is_in_sight_without_scrolling(
    site: Site, new_person: Visitors, play: Play
) -> None:
    ann = new_person()
    scene = Scene(site, ann, play)
    scene.coach()
    page = scene.look()
    at_width(page, 1440, 900)
    in_sight(page, ".felt", ".rack", ".spot.takes", ".spot input", ".go", ".balance", ".purse")
    at_width(page, 360, 740)
    in_sight(page, ".status", ".rack label", ".spot.takes", ".bet .go")
    scene.bet()
    page = scene.look()
    in_sight(page, ".status", ".decide button", ".held .card", ".pile .card")
    at_width(page, 1440, 900)
    in_sight(page, ".felt", ".decide button", ".bar-of", ".purse")
    scene.to_the_end()
    scene.look()
    in_sight(page, ".felt", ".outcome .net", ".bet .go")
    at_width(page, 360, 740)
    in_sight(page, ".outcome .net", ".held .card", ".pile .card", ".bet .go")


# What watches over the looks must see it ----------------------------------------------------------


def test_what_is_ugly_is_told(site: Site, new_person: Visitors) -> None:
    scene = Scene(site, new_person(), MISSISSIPPI)
    scene.bet()
    page = scene.look()
    handsome(page, "as it should be")
    for rule, said in [
        (".yours .spot + .spot { margin-left: -1.5rem }", "one lies on the other | li.spot"),
        (".seats { translate: 25rem 0 }", "one lies on the other | "),
        (".held { margin-left: -60rem }", "the edge of the felt cuts it | span.card"),
        (".pile .title { margin-bottom: -1.2rem }", "a card hides words | p.title"),
        (".plate { max-width: 2rem; white-space: nowrap }", "words stick out | b"),
        (".balance { width: 3rem; overflow: hidden; white-space: nowrap }", "words are cut"),
        (".status > * { position: absolute; left: 2rem }", "words over words"),
        (".spot .label { margin-bottom: -2rem }", "chips hide a label"),
        (".ghost { translate: 4rem 0 }", "a circle sticks out of its spot"),
        (".ghosts { inset: 0 }", "a circle hides a label"),
        (".ghosts { gap: 0 }", "circles touch"),
        (".panel { width: 130vw }", "the page scrolls sideways"),
        (".purse button { min-height: 0; height: 1.2rem }", "too small to hit"),
    ]:
        undo = "document.styleSheets[0].deleteRule(0)"
        page.evaluate(
            "rule => document.styleSheets[0].insertRule(rule.replace(/;|}/g, ' !important$&'), 0)",
            rule,
        )
        found = page.evaluate(UGLY)
        page.evaluate(undo)
        assert any(said in each for each in found), (rule, found)
    handsome(page, "as it was")
