"""Playing in a browser: people at a table, by mouse or by keys, and what their page says."""

import re
import time
from typing import TYPE_CHECKING, Any, Literal

from pitboss.cards import card, cards
from pitboss.web.pages.narration import card_name
from pitboss.web.pages.template_filters import mini
from tests.browser.visitors import Site, Visitor

if TYPE_CHECKING:  # loaded only where there is a browser
    from playwright.sync_api import Locator, Page

By = Literal["mouse", "touch", "keyboard"]

LITTLE_MS = 300
"""What is pressed sooner than a quarter of a second after the table changed or asked is ignored."""

PATIENCE_MS = 15_000

GAMES = {"Common rules": "Mississippi Stud"}
"""Of a house with many games, the one that is meant where nothing else is said."""

LATER = """moment => {
    const main = document.querySelector('#main');
    const waits = main.querySelector('.decide, .bet .go');
    const sure = document.activeElement?.closest('.decide') && main.querySelector('.wrong form');
    return main.dataset.moment !== moment || !waits || sure
        || waits.innerText.includes('Change the bet');
}"""
"""Whether the table has gone on, waits for somebody else, or asks whether one is sure."""


def see(what: "Locator") -> Any:
    """Wait until something is to be seen on a page."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE_MS)
    return expect(what)


def on_a_phone(visitor: Visitor) -> None:
    """Make somebody's browser a phone's: there is a finger and no pointer."""
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Emulation.setDeviceMetricsOverride", phone)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert visitor.page.evaluate("matchMedia('(hover: none)').matches")


class Player:
    """Somebody at a table with a browser, who uses the mouse, a finger or the keyboard alone."""

    def __init__(self, visitor: Visitor, by: By = "mouse") -> None:
        self.visitor, self.by = visitor, by
        self._seen = ("", 0.0)
        """The moment that the page shows, and since when."""

    @property
    def page(self) -> "Page":
        """The page that they look at."""
        return self.visitor.page

    # Hands ------------------------------------------------------------------------------------

    def press(self, what: "Locator", *, beside_figure: bool = False) -> None:
        """Press a button or follow a link: with the mouse, with a finger, with its key, or with
        Tab and Enter. On the figure of a spot a mouse types, and a finger puts a chip."""
        if self.by == "touch":
            what.tap()
            return
        if self.by == "mouse":
            what.click(position={"x": 12, "y": 8} if beside_figure else None)
            return
        see(what).to_be_visible()
        key = what.get_attribute("data-hotkey")
        if key is None:
            self.tab_to(what)
            key = "Enter"
        self.page.keyboard.press(key)

    def tab_to(self, what: "Locator") -> None:
        """Go on with the Tab key until this has the focus."""
        for _ in range(400):
            if what.evaluate("each => each === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {what}")

    # The lobby --------------------------------------------------------------------------------

    def sit_down(self, house: str, bots: int | None = 0) -> str:
        """Sit down at a house's game, as a guest; without a number of bots, in one click."""
        self.page.goto("/")
        game = self.page.locator("li.game", has_text=GAMES.get(house, house))
        several = game.locator("select")
        if bots is not None and self.by != "keyboard":
            several.select_option(str(bots))
        elif bots is not None:
            self.tab_to(several)
            for _ in range(2 - bots):
                self.page.keyboard.press("ArrowUp")
            self.page.keyboard.press("Shift+Tab")
            see(several).to_have_value(str(bots))
        self.press(game.get_by_role("button", name="Sit down"))
        self._seated()
        return self.table

    @property
    def table(self) -> str:
        """The table that they look at."""
        return self.page.url.partition("/tables/")[2]

    def take_seat(self, table: str, seat: int) -> None:
        """Find a table to which one is invited in the lobby, and take a free seat there."""
        self.visitor.come(table)
        self.page.goto("/")
        self.press(self.page.locator(f'tr[data-key="{table}"] a'))
        self.press(self.page.get_by_role("button", name=f"Sit down at seat {seat}"))
        self._seated()

    def _seated(self) -> None:
        see(self.page.locator("form.bet.placing")).to_be_visible()
        self._seen = (self.moment, 0.0)  # the page has not changed since it was loaded

    # Betting ----------------------------------------------------------------------------------

    def put(self, dollars: int, *spots: str) -> None:
        """Put a chip on each of these spots."""
        self.calm()
        chip = self.page.locator(f'.rack input[value="{dollars}00"]')
        if self.by != "keyboard":
            self.press(chip.locator(".."))
        else:
            self.page.keyboard.press(chip.get_attribute("data-hotkey") or "")
        see(chip).to_be_checked()
        for each in spots:
            self.press(self.page.locator(f'[data-spot="{each}"]'), beside_figure=True)

    def tool(self, name: str) -> None:
        """Undo, clear or repeat."""
        self.calm()
        self.press(self.page.locator(f'[data-tool="{name}"]'))

    @property
    def wagers(self) -> dict[str, str]:
        """What stands in the fields of the betting form, by wager, where anything does."""
        found: dict[str, str] = self.page.locator("form.bet").evaluate(
            """form => Object.fromEntries([...form.elements]
                .filter(each => each.name.startsWith('wager-') && each.value)
                .map(each => [each.name.slice(6), each.value]))"""
        )
        return found

    def deal(self) -> None:
        """Bet what is placed, and wait until the page has gone on."""
        self.calm()
        if self.by != "keyboard":
            self.press(self.page.locator(".bet .go"))
        else:
            self.page.keyboard.press("Enter")
        self.page.wait_for_function(LATER, arg=self._seen[0])

    def bet(self, **wagers: int) -> None:
        """Write these wagers, in dollars, into the form, and bet them."""
        for each in self.page.locator(".yours [name^=wager-]").all():
            name = (each.get_attribute("name") or "")[6:]
            each.fill(str(wagers.get(name.replace("-", "_"), "")))
        self.deal()

    # Deciding ---------------------------------------------------------------------------------

    def choice(self, do: str) -> "Locator":
        """Return the button for a decision: ``raise:3``, ``fold``."""
        return self.page.locator(f'.decide button[value="{do}"]')

    def asked(self) -> None:
        """Wait until it is their decision."""
        see(self.page.locator(".decide")).to_be_visible()
        self._look()

    def ready(self) -> None:
        """Wait until it is their decision, and until they have seen it."""
        self.asked()
        self.calm()

    def calm(self) -> None:
        """Wait a little after the table has changed: nobody acts faster than they see."""
        self._look()
        passed = 1000 * (time.monotonic() - self._seen[1])
        self.page.wait_for_timeout(max(0, LITTLE_MS - passed))

    def _look(self) -> None:
        """Remember since when the page has shown what it shows."""
        moment = self.moment
        if self._seen[0] != moment:
            self._seen = (moment, time.monotonic())

    def decide(self, *several: str) -> None:
        """Decide, each time that it is their turn, and wait until the page has gone on."""
        for do in several:
            self.ready()
            self.press(self.choice(do))
            self.page.wait_for_function(LATER, arg=self._seen[0])
            sure = self.page.get_by_role("button", name="Fold all the same")
            if do == "fold" and sure.count():
                self.page.wait_for_timeout(LITTLE_MS)
                self.press(sure)
                self.page.wait_for_function(LATER, arg=self._seen[0])

    # What the page says -----------------------------------------------------------------------

    @property
    def main(self) -> "Locator":
        """All of the page that changes."""
        return self.page.locator("#main")

    @property
    def moment(self) -> str:
        """What the page thinks the table waits for."""
        return self.main.get_attribute("data-moment") or ""

    @property
    def status(self) -> "Locator":
        """What the table waits for, in words."""
        return self.page.locator(".panel .status [role=status]")

    @property
    def balance(self) -> "Locator":
        """What they have."""
        return self.page.locator("#balance")

    @property
    def wrong(self) -> "Locator":
        """What could not be done."""
        return self.page.locator(".wrong")

    @property
    def log(self) -> "Locator":
        """What happened, in sentences."""
        return self.page.locator("#log")

    def meter(self) -> str:
        """Return what the jackpot stands at; empty where there is none."""
        found = self.page.locator("[data-meter]")
        return found.inner_text() if found.count() else ""

    def values(self) -> dict[str, str]:
        """Return what the coach says to each choice."""
        found: dict[str, str] = self.page.locator(".decide .choice").evaluate_all(
            """several => Object.fromEntries(several.filter(each => each.querySelector('.value'))
                .map(each => ['button', '.value'].map(name => each.querySelector(name)))
                .map(([button, value]) => [button.value, value.innerText]))"""
        )
        return found

    def spot(self, name: str) -> "Locator":
        """Return a place for a wager, as it lies before them."""
        return self.page.locator(f'.yours .spot[data-key="{name}"]')

    def hand(self) -> list[str]:
        """Return their cards."""
        return cards_in(self.page.locator(".yours .held"))

    def piles(self) -> list[str]:
        """Return the cards on the table, "back" for one that lies face down."""
        return cards_in(self.page.locator(".piles"))

    def seat_cards(self, seat: int) -> list[str]:
        """Return the cards of another seat."""
        return cards_in(self.page.locator(f'.seat[data-key="seat-{seat}"]'))

    def open_receipt(self) -> list[str]:
        """Open the receipt of the last round, and read it."""
        self.press(self.page.locator("details.receipt summary"))
        see(self.page.locator("details.receipt .lines")).to_be_visible()
        return self.receipt()

    def receipt(self) -> list[str]:
        """Read the receipt: each group of wagers, what it won or lost and why, the sum last."""
        found: list[list[str]] = self.page.locator("details.receipt .lines").evaluate(
            """table => [...table.querySelectorAll('tbody, tfoot')].map(group =>
                [...group.querySelectorAll('th, p, td:not(:has(p))')]
                    .map(each => each.innerText.trim().replace(/\\s+/g, ' '))
            )"""
        )
        return [" | ".join(each) for each in found]

    def state(self) -> dict[str, Any]:
        """Return all that can be seen, and all that can be done."""
        found: dict[str, Any] = self.main.evaluate(
            """main => ({
                text: main.innerText,
                moment: main.dataset.moment,
                cards: [...main.querySelectorAll('.card')].map(each => each.dataset.key ?? ''),
                chips: [...main.querySelectorAll('.chips use')].map(each => each.href.baseVal),
                buttons: [...main.querySelectorAll('button')].map(each => each.value),
            })"""
        )
        return found


def cards_in(where: "Locator") -> list[str]:
    """Return the cards that lie somewhere: as they are drawn, once what is read aloud agrees."""
    found = where.locator("svg.face").evaluate_all(
        """several => several.map(each =>
            [each.querySelector('use').href.baseVal.split('#')[1], each.ariaLabel])"""
    )
    for drawn, words in found:
        assert words == ("a card face down" if drawn == "back" else card_name(card(drawn)))
    return [drawn for drawn, _ in found]


# What somebody was told ---------------------------------------------------------------------------


SECRET = re.compile(r"(?<![\w-])([\w-]{22}|[\w-]{43})(?![\w-])")
"""As long as an invitation's, or a session's: letters at random, among which may be -Ks-."""


def told(visitor: Visitor, written: str) -> set[str]:
    """Return those of some cards of which anything was ever sent to somebody, in any form.

    The pictures of all cards are the same for everybody, and so is every other file.
    """
    answers = [each for each in visitor.wire.answers if not each.path.startswith("/static/")]
    text = SECRET.sub("", "\n".join(each.text() for each in answers))
    return {
        str(each)
        for each in cards(written)
        if card_name(each) in text.lower() or re.search(rf"\b{each}\b", text) or mini(each) in text
    }


def every_card(written: str) -> set[str]:
    """Return some cards as ``told`` does."""
    return {str(each) for each in cards(written)}


# The house's own word -----------------------------------------------------------------------------


def journal(site: Site, table: str) -> list[str]:
    """Return the names of all that happened at a table."""
    from pitboss.house.storage import codec

    store = site.house.store
    entries = site.run(site.house.in_thread(store.entries, f"table:{table}", 0))
    found = [event for each in entries for event in codec.body(each.body).events]
    return [str(event.__struct_config__.tag) for event in found]
