"""Whole rounds in a browser, from the lobby to the receipt, with money worked out by hand."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pitboss.wording import TIMES
from tests.browser.player import LITTLE_MS, By, Player, journal, see
from tests.browser.visitors import Site, Visitors

if TYPE_CHECKING:  # loaded only where there is a browser
    from playwright.sync_api import Route

# A round at each house ----------------------------------------------------------------------------


class Round(NamedTuple):
    """A round: what is dealt and done, and what the house's pay tables make of it."""

    house: str
    bots: int | None
    """None: as the lobby offers it, in one click."""
    deck: str
    hand: str
    side: dict[str, str]
    """Beside an Ante of 10 dollars."""
    decisions: tuple[tuple[str, str, str], ...]
    """What lies on the table, and the balance; then what is done."""
    end: tuple[str, str, str]
    """What lies on the table in the end, the balance, and what was won."""
    made: str
    receipt: list[str]
    meter: tuple[str, str, str] = ("", "", "")
    """The jackpot before, during and after; empty where there is none."""


FULL, BEST = "Full house, fours over nines", "Full house, nines over fours"
KINGS = f"Pair of kings pays 1 to 1 I.2.i | 1 {TIMES} $70 | $70"
SIXES = "Pair of sixes is a push: the wager goes back"
PAID = f"{FULL} pays 11 to 1 ante-and-raise-wagers, R3 | 11 {TIMES} $70 | $770"
BEATS = "Flush, ace high beats the dealer's ace-king high and pays"
TOKEN = (
    "Flush, ace high wins $50; the token has dropped and stays there progressive | "
    "A fixed award of $50: $50 from the jackpot pool, $0 from the house progressive"
)

DIAMOND_JO = Round(
    "Diamond Jo Worth",
    None,  # two bots: the first folds, the other has a pair of jacks
    "2d 7c  As Ks  Jd Jc  Kd 7h 2c",
    "As Ks",
    {"board-bonus": "5", "pocket-bonus": "5", "lo-ball": "5"},
    (("", "$975", "raise:3"), ("Kd", "$945", "raise:1"), ("Kd 7h", "$935", "raise:2")),
    ("Kd 7h 2c", "$1,160", "+$160"),
    "pair of kings",
    [
        f"Ante $10, First Raise $30, Second Raise $10, Third Raise $20 | +$70 | {KINGS}",
        "Board Bonus $5 | -$5 | King high does not win D",
        "Pocket Bonus $5 | +$100 | Ace-king suited pays 20 to 1 I.4.b, R9",
        "Lo Ball $5 | -$5 | Pair of kings does not win I.5.f, R5, R6",
        "Together $85 staked, $245 paid | +$160",
    ],
)
HOLLYWOOD = Round(
    "Hollywood Casino",
    0,
    "9c 9d 4h  9h  4s 4c",
    "4s 4c",
    {"board-bonus": "5", "pocket-bonus": "5", "lo-ball": "5", "all-six": "5"},
    (
        ("back back back back", "$970", "raise:1"),
        ("9c back back back", "$960", "raise:2"),
        ("9c 9d back back", "$940", "raise:3"),
    ),
    ("9c 9d 4h 9h", "$1,915", "+$915"),
    "full house, fours over nines",
    [
        f"Ante $10, First Raise $10, Second Raise $20, Third Raise $30 | +$770 | {PAID}",
        "Board Bonus $5 | +$5 | Pair of nines pays 1 to 1 board-bonus",
        "Pocket Bonus $5 | +$20 | Pair of fours pays 4 to 1 pocket-bonus",
        f"Lo Ball $5 | -$5 | {FULL} does not win lo-ball, R5, R6",
        f"All Six $5 | +$125 | {BEST} pays 25 to 1 all-six",
        "Together $90 staked, $1,005 paid | +$915",
    ],
)
MISSISSIPPI = Round(
    "Common rules",
    0,
    "9c Th Jd  6s 6d",
    "6s 6d",
    {"three-card-bonus": "5"},
    (
        ("back back back", "$985", "raise:3"),
        ("9c back back", "$955", "raise:2"),
        ("9c Th back", "$935", "raise:1"),
    ),
    ("9c Th Jd", "$1,030", "+$30"),
    "pair of sixes",
    [
        f"Ante $10, 3rd Street $30, 4th Street $20, 5th Street $10 | push | {SIXES} rule 4",
        "3 Card Bonus $5 | +$30 | Straight, jack high pays 6 to 1 rule 5",
        "Together $75 staked, $105 paid | +$30",
    ],
)
SENECA = Round(
    "Seneca Niagara",
    0,
    "Ah Kh Qh Jh 9h  As Kd 5c 4d 3s",
    "Ah Kh Qh Jh 9h",
    {"progressive": "1"},
    (("back back back back 3s", "$989", "raise:2"),),
    ("As Kd 5c 4d 3s", "$1,159", "+$159"),
    "flush, ace high",
    [
        f"Ante $10 | +$10 | {BEATS} 1 to 1 play",
        f"Bet $20 | +$100 | {BEATS} 5 to 1 odds",
        f"Progressive $1 | +$49 | {TOKEN}",
        "Together $31 staked, $190 paid | +$159",
    ],
    ("$10,000", "$10,000.70", "$9,950.70"),  # 70 cents of the token go in, the award comes out
)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
@pytest.mark.parametrize(
    "game", [DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA], ids=lambda each: each.house
)
def test_a_whole_round(site: Site, new_person: Visitors, game: Round, by: By) -> None:
    site.stack(game.deck)
    ann = Player(new_person(), by)
    ann.sit_down(game.house, game.bots)
    see(ann.balance).to_have_text("$1,000")
    assert ann.meter() == game.meter[0]

    # Chips: what was put there by mistake goes back one step, or altogether.
    assert ann.wagers == {"ante": "5"}
    ann.put(25, "ante")
    assert ann.wagers == {"ante": "30"}
    ann.tool("undo")
    assert ann.wagers == {"ante": "5"}
    ann.tool("clear")
    assert ann.wagers == {}
    ann.put(5, "ante", *game.side, "ante")
    placed = {"ante": "10", **game.side}
    assert ann.wagers == placed
    see(ann.page.locator("[data-total]")).to_have_text(f"${sum(map(int, placed.values()))}")
    ann.deal()

    for lies, balance, do in game.decisions:
        ann.asked()
        assert ann.hand() == game.hand.split()
        assert ann.piles() == lies.split()
        see(ann.balance).to_have_text(balance)
        assert ann.meter() == game.meter[1]
        ann.decide(do)

    # The end: everything lies open, and each wager is settled with its clause.
    lies, balance, net = game.end
    see(ann.page.locator(".yours .net")).to_have_text(net)
    see(ann.balance).to_have_text(balance)
    see(ann.page.locator("#held")).to_have_text(game.made)
    assert ann.piles() == lies.split()
    assert ann.meter() == game.meter[2]
    assert ann.open_receipt() == game.receipt

    # The same again in one go.
    ann.tool("clear")
    assert ann.wagers == {}
    ann.tool("repeat")
    assert ann.wagers == placed


# Folds and ceilings -------------------------------------------------------------------------------


def test_folded_cards_lie_under_a_side_wager_that_is_settled_in_the_end(
    site: Site, new_person: Visitors
) -> None:
    site.stack("7c 2d  Ts Th  Qh Qs 5d")
    ann = Player(new_person())
    table = ann.sit_down("Diamond Jo Worth")
    bob = site.guest()
    assert bob("POST", "/api/invitations", site.invitation(table)).status == 200
    assert bob.do(table, "sit", seat=5).status == 200
    ann.bet(ante=10, board_bonus=5, pocket_bonus=5)
    see(ann.status).to_contain_text("Your bet is down: waiting for")  # bob has not bet
    assert bob.do(table, "bet", seat=5, wagers={"ante": 5_00}).status == 200
    ann.decide("fold")

    see(ann.status).to_contain_text("Waiting for Guest")
    see(ann.page.locator("#held")).to_have_text("folded")
    see(ann.log).to_contain_text("You fold; the cards wait under Board Bonus.")
    tucked = ann.page.get_by_role("img", name="folded cards under the wager")
    see(ann.spot("board-bonus").locator(tucked)).to_be_visible()
    see(tucked).to_have_count(1)

    for _ in range(3):
        assert bob.do(table, "raise", seat=5, times=1).status == 200
    see(ann.page.locator(".yours .net")).to_have_text("-$10")
    see(ann.balance).to_have_text("$990")
    assert ann.open_receipt() == [
        "Ante $10 | -$10 | Folded at the First Raise: the wager is lost C.1.j, C.1.i(1)",
        "Board Bonus $5 | +$5 | Pair of queens pays 1 to 1 I.3.f",
        "Pocket Bonus $5 | -$5 | Seven-two unsuited does not win E.a",
        "Together $20 staked, $10 paid | -$10",
    ]


def test_folding_a_hand_that_wins_the_jackpot_is_asked_twice(
    site: Site, new_person: Visitors
) -> None:
    site.stack(SENECA.deck)
    ann = Player(new_person())
    ann.sit_down(SENECA.house)
    ann.bet(ante=10, progressive=1)
    ann.ready()
    ann.press(ann.choice("fold"))
    see(ann.wrong).to_contain_text("folding forfeits it: confirm the fold.")
    see(ann.balance).to_have_text("$989")
    ann.page.wait_for_timeout(LITTLE_MS)
    ann.press(ann.page.get_by_role("button", name="Fold all the same"))
    see(ann.page.locator(".yours .net")).to_have_text("-$11")
    see(ann.balance).to_have_text("$989")
    assert ann.meter() == "$10,000.70"


def test_a_receipt_says_what_a_ceiling_changed(site: Site, new_person: Visitors) -> None:
    site.stack("Ah Kh  Qh Jh Th")
    ann = Player(new_person())
    ann.sit_down("Diamond Jo Worth")
    see(ann.page.locator(".posted")).to_contain_text(
        "payout cap $25,000 a round for the whole table"
    )
    ann.bet(ante=100)
    ann.decide("raise:3", "raise:3")
    see(ann.balance).to_have_text("$300")
    ann.decide("raise:3")

    # 500 to 1 on 1,000 dollars is 500,000; the table pays 25,000 of it, pro rata to the stakes.
    see(ann.page.locator(".yours .net")).to_have_text("+$25,000")
    see(ann.balance).to_have_text("$26,000")
    lines = ann.open_receipt()
    main, together = lines
    assert main == (
        "Ante $100, First Raise $300, Second Raise $300, Third Raise $300 | +$25,000 | "
        f"Royal flush pays 500 to 1 I.2.a | 500 {TIMES} $1,000 | $500,000 | "
        "Payout cap for the whole table J.2, R25, R29, J.1, J.3 | $25,000"
    )
    assert together == "Together $1,000 staked, $26,000 paid | +$25,000"
    see(ann.page.locator("details.receipt .bit")).to_have_count(1)  # it stands out


# Once is once -------------------------------------------------------------------------------------

AT_ONCE = """([first, then]) => new Promise(done => {
    new MutationObserver((_, watches) => {
        watches.disconnect();
        document.querySelector(then).click();
        done();
    }).observe(document.querySelector('#main'), {attributeFilter: ['data-moment']});
    document.querySelector(first).click();
})"""
"""Presses a button, and another one as soon as the page has changed under the mouse."""


def test_a_double_click_does_it_once(site: Site, new_person: Visitors) -> None:
    site.stack("2c 7d 9h  Ks Kd")
    ann = Player(new_person())
    table = ann.sit_down("Common rules")
    ann.page.locator(".bet .go").dblclick()
    ann.ready()
    see(ann.balance).to_have_text("$995")
    for spent in ("$990", "$985"):
        ann.ready()
        ann.choice("raise:1").dblclick()
        see(ann.balance).to_have_text(spent)
    ann.ready()
    ann.choice("raise:3").dblclick()
    see(ann.balance).to_have_text("$1,030")  # a pair of kings: 30 dollars are doubled
    happened = journal(site, table)
    assert happened.count("bet-placed") == 1
    assert happened.count("raise-placed") == 3


def test_the_second_half_of_a_double_click_hits_nothing_else(
    site: Site, new_person: Visitors
) -> None:
    site.stack("2c 7d 9h  Ks Kd")
    ann = Player(new_person())
    table = ann.sit_down("Common rules")
    one, two, coach_, bot, clear = (
        '.decide [value="raise:1"]',
        '.decide [value="raise:2"]',
        '.purse [name="coach"][value="show"]',
        '.purse form:has([value="seat-bot"]) button',
        '[data-tool="clear"]',
    )
    for first, then in ((".bet .go", coach_), (one, two), (one, bot), (one, clear)):
        ann.calm()
        ann.page.evaluate(AT_ONCE, [first, then])
    see(ann.balance).to_have_text("$1,020")  # 5 dollars four times, doubled
    assert ann.wagers == {"ante": "5"}
    see(ann.page.locator(".modes [aria-pressed=true]")).to_have_text("Off")
    happened = journal(site, table)
    assert happened.count("raise-placed") == 3
    assert happened.count("seat-taken") == 1


@pytest.mark.parametrize("javascript", [True, False], ids=["scripts", "no scripts"])
def test_a_stale_page_is_told_so_and_nothing_is_done(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    site.stack("2c 7d 9h  Ks Kd")
    visitor = new_person(javascript=javascript)
    visitor.forgive("status of 409")  # without scripts that is how it is answered
    caller = visitor.enter()
    table = caller.open(betting_seconds=600, decision_seconds=600)
    caller.do(table, "sit", seat=1)
    caller.do(table, "bet", seat=1, wagers={"ante": 10_00})
    old = Player(visitor)
    old.page.route("**/changes", lambda _: None)  # an old tab that hears nothing any more
    old.page.goto(f"/tables/{table}")
    old.asked()
    assert caller.do(table, "raise", seat=1, times=1).status == 200
    old.press(old.choice("raise:3"))
    see(old.wrong).to_contain_text(
        "The table has gone on since you looked; nothing was done, and here it is now."
    )
    see(old.spot("third-street")).to_contain_text("$10")
    see(old.choice("raise:3")).to_be_visible()
    assert old.piles() == ["2c", "back", "back"]
    see(old.balance).to_have_text("$980")
    assert journal(site, table).count("raise-placed") == 1


# Without scripts ----------------------------------------------------------------------------------


def test_a_whole_round_without_scripts(site: Site, new_person: Visitors) -> None:
    site.stack("2c 7d 9h  Ks Kd")
    ann = Player(new_person(javascript=False))
    ann.visitor.forgive("status of 400")  # that is how a form is answered that cannot be read
    page = ann.page
    page.goto("/")
    game = page.locator("li.game", has_text="Mississippi Stud")
    game.locator("select").select_option("0")
    game.get_by_role("button", name="Sit down").click()

    see(page.locator(".rack")).to_be_hidden()  # chips are for scripts
    page.get_by_label("Ante", exact=True).fill("20")
    page.get_by_label("3 Card Bonus", exact=True).fill("five")
    page.locator(".bet .go").click()
    see(page.locator(".spot.amiss .takes")).to_be_visible()
    see(page.get_by_label("Ante", exact=True)).to_have_value("20")  # nothing is to be typed twice
    page.get_by_label("3 Card Bonus", exact=True).fill("5")
    page.locator(".bet .go").click()
    for left, do in (("$975", "Raise 1"), ("$955", "Raise 2"), ("$915", "Raise 3")):
        see(ann.balance).to_have_text(left)
        page.locator(".decide").get_by_role("button", name=do).click()

    see(page.locator(".yours .net")).to_have_text("+$135")  # 140 dollars doubled, less the bonus
    see(ann.balance).to_have_text("$1,135")
    assert ann.open_receipt()[-2:] == [
        "3 Card Bonus $5 | -$5 | Nine high does not win rule 5",
        "Together $145 staked, $280 paid | +$135",
    ]
    page.get_by_role("link", name="Replay this round").click()
    see(page.locator("#fair")).to_have_text("With a script, this page checks it for you.")
    page.get_by_role("link", name="First step").click()
    see(page.locator(".steps")).to_contain_text("1 of ")
    page.get_by_role("link", name="One step on").click()
    see(page.locator(".steps")).to_contain_text("2 of ")
    assert ann.hand() == []
    page.locator(".log").get_by_role("link", name="You raise 1 time").click()
    see(page.locator(".yours .held .card").first).to_be_visible()
    assert ann.hand() == ["Ks", "Kd"]
    assert ann.piles() == ["back"] * 3


# Looking back -------------------------------------------------------------------------------------


def played(site: Site, ann: Player) -> str:
    """Play a round through the API; where its replay is."""
    site.stack("2c 7d 9h  Ks Kd")
    caller = ann.visitor.enter()
    table = caller.open(betting_seconds=600, decision_seconds=600)
    caller.do(table, "sit", seat=1)
    caller.do(table, "bet", seat=1, wagers={"ante": 10_00})
    for _ in range(3):
        assert caller.do(table, "raise", seat=1, times=1).status == 200
    return f"/rounds/{table}-1"


FORGED = [
    (r'\["Ks"', '["As"', "card As did not lie at place 4"),
    (r'"2c","7d","9h"', '"2c","9h","7d"', "card 2 that was dealt is not the sealed deck's"),
    (r'"cuts":{}', '"cuts":{"1":"x"}', "card 1 that was dealt is not the sealed deck's"),
    (r'"dealt":\["2c"', '"dealt":[null', "card 1 that was dealt is not the sealed deck's"),
    (r'"signature":"\w{8}', '"signature":"00000000', "the house's signature is not of this hash"),
    (r'"0":\["2c"', '"0":["Ks"', "a card is there twice"),
    (
        r'"leaves":\["\w+"',
        f'"leaves":["{"0" * 64}"',
        "the hashes of the cards are not those that were sealed",
    ),
    (r'"commitment":"\w+"', f'"commitment":"{"0" * 64}"', "the proof is not of this deck"),
]
"""What is written otherwise in a proof, and what the page says to it."""


def forger(was: str, made: str) -> Callable[["Route"], None]:
    """Return what writes a page otherwise on its way to the browser."""
    pattern, forged = (each.replace('"', "&#34;") for each in (was, made))

    def forge(route: "Route") -> None:
        answer = route.fetch()
        body, count = re.subn(pattern, forged, answer.text())
        assert count == 1
        route.fulfill(response=answer, body=body)

    return forge


def test_a_page_finds_out_a_shuffle_that_does_not_hold(site: Site, new_person: Visitors) -> None:
    ann = Player(new_person())
    where = played(site, ann)
    for was, made, found in FORGED:
        ann.page.route(f"**{where}", forger(was, made))
        ann.page.goto(where)
        see(ann.page.locator("#fair.disproved")).to_have_text(f"This does not hold: {found}.")
        ann.page.unroute(f"**{where}")


def test_a_page_cuts_the_deck_and_sees_that_it_was_cut(new_person: Visitors) -> None:
    ann = Player(new_person())
    caller = ann.visitor.enter()
    table = caller.open(betting_seconds=600, decision_seconds=600)
    caller.do(table, "sit", seat=1)
    ann.page.goto(f"/tables/{table}")
    proposed = ann.page.locator("#cut").input_value()
    assert re.fullmatch("[0-9a-f]{32}", proposed)
    ann.page.get_by_role("button", name="Cut the deck").click()
    see(ann.page.locator(".notes")).to_contain_text(f"You cut it with {proposed[:16]}")
    caller.do(table, "bet", seat=1, wagers={"ante": 10_00})
    for _ in range(3):
        assert caller.do(table, "raise", seat=1, times=1).status == 200
    see(ann.page.locator(".outcome .net")).to_be_visible()  # it has heard of the end
    where, fair = f"/rounds/{table}-1", ann.page.locator("#fair")
    ann.page.goto(where)
    see(fair).to_have_text(
        "Checked by this page: all 5 cards that were seen were dealt as the sealed deck says,"
        " its hash is the one that was shown before the round,"
        " it was cut with what this page sent, and the house signed it."
    )
    for was, made, found in (
        (proposed, "7" * 32, f"it was not cut with {proposed}, which this page sent"),
        (r'{"round":"', '{"round":"another-', "the proof is of another round"),
    ):
        ann.page.route(f"**{where}", forger(was, made))
        ann.page.goto(where)
        see(ann.page.locator("#fair.disproved")).to_have_text(f"This does not hold: {found}.")
        ann.page.unroute(f"**{where}")


def test_a_key_that_is_held_down_decides_nothing(site: Site, new_person: Visitors) -> None:
    site.stack("7c 2d  4s 9h 5d")
    ann = Player(new_person())
    ann.sit_down("Common rules")
    keys = ann.page.keyboard
    ann.page.locator(".bet .go").focus()
    keys.down("Enter")
    ann.ready()
    moment = ann.moment
    for _ in range(5):
        keys.down("Enter")  # the system repeats it
        ann.page.wait_for_timeout(60)
    keys.up("Enter")
    keys.down(" ")
    keys.down(" ")
    keys.up(" ")
    assert ann.moment == moment
    see(ann.page.locator(".decide")).to_be_visible()
    # Whoever wants no single keys turns them off, and it stays so.
    ann.page.get_by_role("button", name="Keys: on").click()
    ann.page.reload()
    see(ann.page.get_by_role("button", name="Keys: off")).to_be_visible()
    keys.press("f")
    ann.calm()
    assert ann.moment == moment
    ann.page.get_by_role("button", name="Keys: off").click()
    keys.press("f")
    see(ann.page.locator(".felt.over")).to_be_visible()


def test_rounds_of_ones_own_are_listed_and_others_are_not_to_be_had(
    new_person: Visitors,
) -> None:
    ann = Player(new_person())
    table = ann.sit_down("Common rules")
    for _ in range(2):
        ann.bet(ante=5)
        ann.decide("fold")
        see(ann.page.locator(".felt.over")).to_be_visible()
    ann.page.get_by_role("link", name="Your rounds").click()
    see(ann.page.locator("tbody tr")).to_have_count(2)
    see(ann.page.locator("tbody tr").first).to_contain_text("round 2")
    see(ann.page.locator("tbody tr").first).to_contain_text("-$5")
    eve = new_person()
    eve.forgive("status of 404")
    eve.come(table)
    for number, status in ((1, 404), (2, 200), (3, 404)):  # the last one could be watched
        answer = eve.page.goto(f"/rounds/{table}-{number}")
        assert answer is not None
        assert answer.status == status, number
