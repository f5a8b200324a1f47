"""A dealer at the console: one hand on a number pad, the other with the cards."""

from typing import TYPE_CHECKING, Any, Protocol

from pitboss.house.people.persons import Role
from tests.browser.player import LITTLE_MS, see
from tests.browser.visitors import Site, Visitor
from tests.house.floor import SHUFFLER
from tests.web.open_house import Caller

if TYPE_CHECKING:
    from playwright.sync_api import Page

CAJUN = "diamond-jo-worth/cajun-stud"
PLAYERS = ("ann", "bob", "cid", "deb", "eli", "fay")


class RealTable:
    """A table with real cards that are in order, and people in its first seats."""

    def __init__(self, site: Site, seats: int, rulebook: str = CAJUN, **options: Any) -> None:
        self.site = site
        self.boss, self.flo = (
            self.staff("max", "shift-manager"),
            self.staff("flo", "floor-supervisor"),
        )
        self.dan = self.staff("dan", "dealer")
        self.shuffler = bool(options.get("shuffler"))
        if self.shuffler:
            options |= SHUFFLER
        opened_only = options.pop("opened_only", False)
        self.table = self.boss.open(rulebook, practice=False, dealing="entered", **options)
        self.players = [site.person(name, "player") for name in PLAYERS[:seats]]
        for seat, player in enumerate(self.players, start=1):
            self.did(player, "sit", seat=seat)
        if opened_only:
            return
        colours = ["red", "blue"] if self.shuffler else ["red"]
        self.did(self.flo, "bring-cards", colours=colours)
        self.did(self.dan, "start-dealing")
        if site.house.shelf.find(rulebook).deck.inspection is not None:
            self.did(self.dan, "inspect-cards", role="dealer")
            self.did(self.flo, "inspect-cards", role="floor-supervisor")
        self.did(self.dan, "wash-cards")

    def staff(self, name: str, role: Role) -> Caller:
        return self.site.person(name, role)

    def did(self, who: Caller, action: str, **more: Any) -> None:
        """Do something that must succeed."""
        answer = who.do(self.table, action, **more)
        assert answer.status == 200, answer

    @property
    def path(self) -> str:
        """Where it is dealt."""
        return f"/tables/{self.table}/deal"

    def chips(self) -> list[int]:
        """What the players have, in cents, by their seats."""
        return [each("GET", "/api/me").json["chips_cents"] for each in self.players]


class Dealt(Protocol):
    """A table that is dealt."""

    @property
    def path(self) -> str:
        """Where that is done."""


class Console:
    """Somebody who deals in a browser by keys alone, and how many they pressed."""

    def __init__(self, visitor: Visitor, at: Dealt) -> None:
        self.visitor, self.pressed = visitor, 0
        visitor.sign_in("dan")
        self.page.goto(at.path)

    @property
    def page(self) -> "Page":
        return self.visitor.page

    def sees(self, step: str) -> None:
        """Wait for the step; what is pressed right after it came is not meant for it."""
        see(self.page.locator(".does b")).to_have_text(f"{step}.")
        self.page.wait_for_timeout(LITTLE_MS)

    def press(self, *keys: str) -> None:
        """Press keys of the number pad."""
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def scan(self, cards: str) -> None:
        """Let a scanner read cards one after the other: each ends with Enter, no hand is lifted."""
        for card in cards.split():
            self.page.keyboard.type(card)
            self.page.keyboard.press("Enter")
