"""A pit with its people, each with a browser of their own, through a shift at one table."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.house.people.persons import Role
from tests.browser.dealers import Console
from tests.browser.player import LITTLE_MS, see
from tests.browser.test_dealer_console import DECIDES
from tests.browser.test_people import sign_in
from tests.browser.visitors import PASSWORD, Site, Visitor, Visitors
from tests.command import run

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PICTURES = os.environ.get("PITBOSS_PICTURES", "")
"""A folder for pictures of the main moments, to be looked at; a test needs none."""

STAFF: dict[str, Role] = {
    "flo": "floor-supervisor",
    "max": "shift-manager",
    "dee": "director-of-table-games",
    "gus": "general-manager",
    "sue": "surveillance",
    "cay": "cage",
}


def written(cents: int) -> str:
    return f"${cents / 100:,.2f}".removesuffix(".00")


class Shift:
    """The people of a pit at the pages where they work, and their one table."""

    def __init__(self, site: Site, new_person: Visitors) -> None:
        self.site, self._new = site, new_person
        self.people: dict[str, Visitor] = {}
        self.table = ""
        for name, role in STAFF.items():
            site.person(name, role, cents=0)

    def at(self, name: str, path: str = "/floor") -> "Page":
        """Somebody's browser, at a page."""
        if name not in self.people:
            self.people[name] = self._new()
            self.people[name].sign_in(name)
        page = self.people[name].page
        page.goto(path)
        return page

    def picture(self, page: "Page", name: str, *, telephone: bool = False) -> None:
        """Take pictures of a page, where somebody wants to look at them."""
        if not PICTURES:
            return
        sizes = {"": (1440, 900), **({"-telephone": (390, 844)} if telephone else {})}
        for kind, (width, height) in sizes.items():
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=Path(PICTURES, f"{name}{kind}.png"), full_page=True)
            if telephone:
                page.emulate_media(color_scheme="dark")
                page.screenshot(path=Path(PICTURES, f"{name}{kind}-dark.png"), full_page=True)
                page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1440, "height": 900})

    # Before the first round -------------------------------------------------------------------

    def hire_a_dealer(self) -> None:
        """The administrator makes the dealer's account; its secret serves once, at the door."""
        self.site.person("ada", "administrator", cents=0)
        page = self.at("ada", "/people")
        page.locator("#name").fill("dan")
        page.get_by_label("dealer", exact=True).check()
        page.locator("#why-add").fill("starts today")
        page.get_by_role("button", name="Make the account").click()
        secret = page.locator(".secret code").inner_text()
        dan = self.people["dan"] = self._new()
        dan.forgive("status of 403")  # the secret opens nothing before there is a password
        sign_in(dan, "dan", secret)
        dan.page.locator("#password").fill(secret)
        dan.page.locator("#new").fill(PASSWORD)
        dan.page.keyboard.press("Enter")
        see(dan.page.locator("h1")).to_have_text("Floor")

    def opens(self, rules: str, **posted: str) -> None:
        """The shift manager opens a table with real cards, and the dealer takes it over."""
        page = self.at("max")
        page.get_by_role("link", name="Open a table").click()
        page.locator("#what").select_option(label=rules)
        for name, value in posted.items():
            page.locator(f"#{name}").fill(value)
        self.picture(page, "open-table")
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_url("**/floor#table-*")
        self.table = page.url.partition("#table-")[2]
        dan = self.people["dan"].page
        dan.goto("/floor")
        self.task(dan, "Nobody deals at this table").get_by_role("link").last.click()
        self.console = Console(self.people["dan"], self)
        self.console.sees("Take the table over")
        self.console.press("Enter")

    @property
    def path(self) -> str:
        """Where the table is dealt."""
        return f"/tables/{self.table}/deal"

    def new_cards(self, *colours: str) -> None:
        """The floor is called and brings cards; both look through every deck; they are washed."""
        self.calls_floor("Have new cards brought")
        flo = self.answers()
        flo.get_by_role("link", name="See to the cards").click()
        see(flo.locator("[data-main]")).to_be_focused()
        self.picture(flo, "bring-cards")
        flo.keyboard.press("Enter")
        looks = [f"Look through the {each} deck" for each in colours]
        looks = looks if len(colours) > 1 else ["Look through the new cards"]
        for each in looks:
            see(flo.locator(".does b")).to_have_text(f"{each}.")
            flo.wait_for_timeout(LITTLE_MS)
            flo.keyboard.press("Enter")
        see(flo.locator(".does b")).to_have_text(f"The dealer's step: {looks[0]}.")
        self.picture(self.console.page, "look-through")
        for each in (*looks, "New cards are washed first"):
            self.console.sees(each)
            self.console.press("Enter")

    def buys_in(self, seat: int, cents: int) -> None:
        """A patron sits down and buys in, by keys."""
        self.console.press(*f"/+{cents // 100}", "Enter")
        self.chips(seat, cents)

    def chips(self, seat: int, cents: int) -> None:
        """See what lies before a patron."""
        row = self.console.page.locator(f"[data-key=seat-{seat}] h2")
        see(row).to_contain_text(f"Patron {seat} · ")
        see(row.locator("b")).to_have_text(written(cents))

    # A round ----------------------------------------------------------------------------------

    def opens_betting(self) -> None:
        self.console.sees("Open the betting")
        self.console.press("Enter")

    def bets(self, seat: int, ante: str, toke: str = "", **side: str) -> None:
        """Enter the wagers of a seat, the ante last."""
        console, page = self.console, self.console.page
        step = f"Enter the wagers of seat {seat}"
        console.sees(step if seat == 1 else f"{step}, or close the betting")
        for name, dollars in side.items():
            page.locator(f"#wager-{seat}-{name}").fill(dollars)
        if toke:
            page.locator(f"#toke-{seat}").fill(toke)
        field = page.locator(f"#wager-{seat}-ante")
        field.focus()
        field.select_text()
        console.press(*ante, "Enter")
        self._is_down(seat, ante)

    def _is_down(self, seat: int, ante: str) -> None:
        down = self.console.page.locator(f"[data-key=seat-{seat}] .down")
        see(down).to_contain_text(f"Ante ${ante}")

    def bets_alone(self, seat: int, ante: str) -> None:
        """Enter the wagers of one seat out of turn: nobody before it bets."""
        self.console.sees("Enter the wagers of seat 1")
        row = self.console.page.locator(f"[data-key=seat-{seat}]")
        row.locator(f"[data-key=bets-{seat}] summary").click()
        row.locator(f"#wager-{seat}-ante").fill(ante)
        self.console.page.keyboard.press("Enter")
        self._is_down(seat, ante)

    def deals(self, says: str) -> None:
        """Close the betting, and deal cards that nobody reads."""
        see(self.console.page.locator(".does b")).to_contain_text("lose the betting")
        self.console.page.wait_for_timeout(LITTLE_MS)
        self.console.press("-")
        self.console.sees(says)
        self.console.press("Enter")

    def street(self, seat: int, keys: str, card: str, *, green: bool = False) -> None:
        """Everybody decides by a key, the shuffler shows green once, a card is scanned."""
        self.console.sees(f"Seat {seat} {DECIDES}")
        self.console.press(*keys)
        if green:
            self.console.sees("Wait for the shuffler's green light")
            self.console.press("Enter")
        self.console.sees("Deal one card to the board, face up")
        self.console.scan(card)

    def pays(self, then: str) -> None:
        self.console.sees("Pay")
        self.console.press("Enter")
        self.console.sees(then)

    # The floor --------------------------------------------------------------------------------

    def task(self, page: "Page", says: str) -> "Locator":
        """What waits for somebody, by what it says."""
        return page.locator(".task").filter(has_text=says)

    def calls_floor(self, step: str) -> None:
        """The dealer's step waits for the floor, which is called by it."""
        self.console.sees(step)
        self.console.press("Enter")
        self.console.sees(f"{step}; the floor is called")

    def answers(self) -> "Page":
        """The floor supervisor comes."""
        flo = self.at("flo")
        calls = self.task(flo, "The dealer calls the floor")
        calls.get_by_role("button").click()
        see(calls).to_have_count(0)
        return flo

    def misdeal(self, page: "Page", ground: str, back: str) -> None:
        """Call a misdeal on its page."""
        page.get_by_label(ground).check()
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("button", name=f"Call the misdeal: {back} goes back").click()
        see(page.get_by_role("heading", name="Floor")).to_be_visible()

    # The end ----------------------------------------------------------------------------------

    def drops_tokes(self, cents: int) -> None:
        page = self.at("flo", self.path)
        drops = page.get_by_role("button", name=f"Take {written(cents)} in tokes")
        drops.click()
        see(drops).to_have_count(0)

    def leaves(self, seat: int, cents: int) -> None:
        row = self.console.page.locator(f"[data-key=seat-{seat}]")
        row.locator("summary").click()
        row.get_by_role("button", name=f"Leaves with {written(cents)}").click()
        see(row).to_have_count(0)

    def closes(self) -> None:
        page = self.at("flo")
        page.locator(".tile details summary").click()
        self.picture(page, "close")
        page.get_by_role("button", name="Close the table").click()
        see(page.get_by_text("No table is open.")).to_be_visible()
        see(self.console.page.locator(".does b")).to_have_text("This table is closed.")
        see(self.console.page.get_by_role("link", name="To the floor")).to_be_focused()
        self.picture(self.console.page, "closed")

    def audited(self) -> None:
        """See that the audit finds nothing broken."""
        ran = run("audit", "--db", str(self.site.visited.db))
        assert ran.code == 0, ran.out

    def exported(self, what: str) -> list[dict[str, Any]]:
        """Return what the export tells."""
        file = self.site.visited.db.parent / f"{what}.jsonl"
        ran = run("export", "--db", str(self.site.visited.db), f"--{what}", str(file))
        assert ran.code == 0, ran
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
