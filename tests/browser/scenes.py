"""Tables brought to a moment worth looking at, through the API; every deck is stacked."""

import time
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from pitboss.cards import DECK, Card, cards
from pitboss.round.state import deal_order, due
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS, DealStep
from tests.browser.visitors import Site, Visitor
from tests.web.open_house import Caller

if TYPE_CHECKING:
    from playwright.sync_api import Page


SHOWN = "seq => Number(document.querySelector('#main').dataset.seq) >= seq"


class Play(NamedTuple):
    """A game with every wager down that it has, on hands that are the same each time."""

    book: str
    wagers: dict[str, int]
    mine: str
    piles: dict[str, str]
    raises: tuple[int, ...]


BOARD = {"board": "Qs Ks 7d"}

MISSISSIPPI = Play(
    "common/mississippi-stud", {"ante": 25_00, "three-card-bonus": 5_00}, "Kh Kd", BOARD, (3, 1, 3)
)
DIAMOND_JO = Play(
    "diamond-jo-worth/cajun-stud",
    {"ante": 25_00, "board-bonus": 5_00, "pocket-bonus": 5_00, "lo-ball": 5_00},
    "Kh Kd",
    BOARD,
    (3, 3, 3),
)
HOLLYWOOD = Play(
    "hollywood-penn-national/cajun-stud",
    {"ante": 25_00, "board-bonus": 5_00, "pocket-bonus": 5_00, "lo-ball": 5_00, "all-six": 5_00},
    "Kh Kd",
    {**BOARD, "all-six": "Kc"},
    (3, 3, 3),
)
SENECA = Play(
    "seneca-niagara/caribbean-stud",
    {"ante": 25_00, "progressive": 1_00},
    "7h 8h 9h Th 2h",
    {"dealer": "Ks Jd 4c 9c Ac"},
    (2,),
)
ULTIMATE = Play(
    "common/ultimate-texas-holdem",
    {"ante": 25_00, "blind": 25_00, "trips": 5_00},
    "Ah Kh",
    {"dealer": "Qs 9c", "board": "Qh Js Td 3h 4d"},
    (4,),
)
HIGH_CARD = Play(
    "common/high-card-flush",
    {"ante": 25_00, "flush": 5_00, "straight-flush": 5_00},
    "Ah Kh Qh Jh 9h 2c 3d",
    {"dealer": "As 9s 4s 2d 5d 8c 6c"},
    (2,),
)
PLAYS = (MISSISSIPPI, DIAMOND_JO, HOLLYWOOD, SENECA)


def dealing(book: Rulebook, seats: list[int], mine: int, play: Play) -> str:
    """Return the deck's first cards so that a seat and the piles get theirs; the others get any."""
    wanted = {place: list(cards(held)) for place, held in play.piles.items()}
    held = list(cards(play.mine))
    kept = {*held, *(each for several in wanted.values() for each in several)}
    # Spread over ranks and suits, so that whoever sits there has hands as people have them.
    others = iter([each for each in (DECK[17 * n % 52] for n in range(52)) if each not in kept])
    out: list[Card] = []
    for step in book.script:
        if isinstance(step, DealStep):
            for place, seat, _ in deal_order(step, seats):
                several = held if (place, seat) == (SEATS, mine) else wanted.get(place)
                out.append(several.pop(0) if several else next(others))
    return " ".join(map(str, out))


class Scene:
    """A practice table with bots in every other seat, and somebody in the middle."""

    def __init__(
        self, site: Site, who: Visitor, play: Play, bots: int = 9, name: str = "", **limits: int
    ) -> None:
        self.site, self.who, self.play = site, who, play
        self.book = site.house.shelf.find(play.book)
        most = self.book.seats.most
        self.seat = most // 2 + 1
        others = [each for each in range(1, most + 1) if each != self.seat][:bots]
        self.seats = sorted([self.seat, *others])
        self.stack()
        self.caller: Caller = who.sign_in(name) if name else who.enter()
        clocks = {"betting_seconds": 600, "decision_seconds": 600}
        self.table = self.caller.open(play.book, **clocks, **limits)
        self.did("sit", seat=self.seat)
        for each in others:
            self.did("seat-bot", seat=each)

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/tables/{self.table}"

    @property
    def page(self) -> "Page":
        """The browser's page."""
        return self.who.page

    def did(self, action: str, **more: Any) -> None:
        """Do something that must succeed."""
        answer = self.caller.do(self.table, action, **more)
        assert answer.status == 200, answer
        self.quiet()

    def quiet(self) -> None:
        """Wait until every bot has done what it has to do."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            table = self.site.run(self.site.house.table(self.table)).table
            bots = {number for number, sitter in table.sitters.items() if sitter.bot}
            held = {number for number, seat in table.round.seats.items() if seat.stakes}
            betting = table.round.phase == "betting"
            if not (bots - held if betting else bots.intersection(due(self.book, table.round))):
                return
            time.sleep(0.005)  # in the same process: who looks without a pause is in their way
        raise AssertionError("the bots are asleep")

    def stack(self) -> None:
        """Let the deck that is sealed next deal the same hands again."""
        self.site.stack(dealing(self.book, self.seats, self.seat, self.play))

    def bet(self, **wagers: int) -> None:
        """Bet everything that there is, or these."""
        named = {name.replace("_", "-"): worth for name, worth in wagers.items()}
        self.did("bet", seat=self.seat, wagers=named or self.play.wagers)

    def raise_(self, times: int) -> None:
        """Raise."""
        self.did("raise", seat=self.seat, times=times)

    def fold(self) -> None:
        """Fold."""
        self.did("fold", seat=self.seat, confirmed=True)

    def last_decision(self) -> None:
        """Go as far as the last decision."""
        for times in self.play.raises[:-1]:
            self.raise_(times)

    def to_the_end(self) -> None:
        """Raise to the end, and be paid."""
        for times in self.play.raises:
            self.raise_(times)

    def look(self) -> "Page":
        """Open the table in the browser; if it is open, wait until it shows the present moment."""
        if urlsplit(self.page.url).path != self.path:
            self.page.goto(self.path)
        live = self.site.run(self.site.house.table(self.table))
        self.page.wait_for_function(SHOWN, arg=live.seq)
        return self.page

    def again(self) -> None:
        """Leave the page, so that the next look opens it anew."""
        self.page.goto("about:blank")

    def coach(self, mode: str = "show") -> None:
        """Have the coach show values, or warn, before the table is looked at."""
        self.who.context.add_cookies([{"name": "coach", "value": mode, "url": self.site.address}])


def payoff(site: Site, player: Caller) -> str:
    """Bring a real table to where four aces wait to be paid; who approves are Flo and Sue."""
    boss = site.person("max", "shift-manager", cents=0)
    site.person("flo", "floor-supervisor", cents=0)
    site.stack("As Ad Ac Ah 2h")
    options = {"practice": False, "betting_seconds": 600, "decision_seconds": 600}
    table = boss.open("diamond-jo-worth/cajun-stud", **options)
    answers = [
        player.do(table, "sit", seat=1),
        player.do(table, "bet", seat=1, wagers={"ante": 5_00}),
        *(player.do(table, "raise", seat=1, times=3) for _ in range(3)),
    ]
    assert [each.status for each in answers] == [200] * 5, answers
    return table
