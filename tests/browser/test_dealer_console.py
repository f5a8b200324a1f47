"""The dealer's console: whole rounds with real cards by keys, refusals, and what it never shows."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.cards import DECK
from pitboss.wording import TIMES
from tests.browser.dealers import CAJUN, Console, RealTable
from tests.browser.forms import Forms
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_floor import links, looks, plain, signed_in
from tests.browser.visitors import Site, Visitor, Visitors, accessible

if TYPE_CHECKING:
    from playwright.sync_api import Page

X = "\N{MULTIPLICATION SIGN}"
ALIKE = "Ante {}, First Raise {}, Second Raise {}, Third Raise {}"
DECIDES = f"decides: fold or raise 1{X}, 2{X}, 3{X}"


def clean(page: "Page", what: str) -> None:
    """See that the page is accessible and nothing lies over anything, on each kind of screen."""
    for width in (360, 1440, 1024):
        at_width(page, width)
        accessible(page)
        handsome(page, f"{what} at {width}")


SHUFFLED = "The cards are shuffled for each round"


def opens(console: Console) -> None:
    """Tick that the cards were shuffled, and open the betting."""
    for step in (SHUFFLED, "Open the betting"):
        console.sees(step)
        console.press("Enter")


# By keys ----------------------------------------------------------------------------------------


def test_a_whole_round_with_real_cards_by_keys(site: Site, new_person: Visitors) -> None:
    at = RealTable(site, 3)
    console = Console(new_person(1024), at)
    page = console.page
    console.sees(SHUFFLED)
    clean(page, "before the betting")
    console.press("Enter")
    console.sees("Open the betting")
    console.press("Enter")
    console.sees("Enter the wagers of seat 1")
    clean(page, "wagers")
    see(page.locator("#wager-1-ante")).to_be_focused()
    page.locator("#wager-1-pocket-bonus").fill("5")
    page.locator("#toke-1").fill("1")
    page.locator("#wager-1-ante").focus()
    page.locator("#wager-1-ante").select_text()
    console.press("1", "0", "Enter")
    console.sees("Enter the wagers of seat 2, or close the betting")
    page.locator("#wager-2-lo-ball").fill("5")
    page.locator("#wager-2-ante").focus()
    console.press("Enter")  # the least ante stands ready
    console.sees("Enter the wagers of seat 3, or close the betting")
    console.press("2", "5", "Enter")
    console.sees("Close the betting")
    console.press("Enter")
    console.sees("Deal two cards each to seats 1, 2 and 3")
    clean(page, "dealing")
    console.scan("Kh")
    console.sees("Deal one card to seat 1, then four cards more")
    console.scan("Kd 2c 4d 9s 9c")
    console.sees(f"Seat 1 {DECIDES}")
    clean(page, "deciding")
    console.press("3")
    console.sees(f"Seat 2 {DECIDES}")
    console.press("0", "1")  # faster than the table answers
    console.sees("Deal one card to the board, face up")
    console.scan("Ks")
    for card in ("7h", "3s"):
        console.sees(f"Seat 1 {DECIDES}")
        console.press("1", "1")
        console.sees("Deal one card to the board, face up")
        console.scan(card)
    console.sees("Turn up the hands of seats 3, 2 and 1")
    console.press("Enter")
    # Three kings pay 3 to 1 on 10 + 30 + 10 + 10 dollars, the pocket pair 5 to 1 on 5: 205.
    console.sees("Call out the win of seat 1: $205")
    clean(page, "settling")
    paid = page.locator(".payoffs li")
    assert [plain(each.inner_html()) for each in paid.all()] == [
        # A pair of nines pushes: nothing is taken, nothing is paid.
        f"Seat 3 Cid, pair of nines Leave {ALIKE.format(*['$25'] * 4)}",
        # Folded, and a king makes the Lo Ball lose.
        "Seat 2 Bob, king high Take $10 Ante $5, Lo Ball $5",
        (
            f"Seat 1 Ann, three of a kind, kings Pay $205 "
            f"{ALIKE.format('$30', '$90', '$30', '$30')}, Pocket Bonus $25 "
            f"2 {X} $100 1 {X} $5 $4 to the dealers "
            "Waits: over $100, the dealer's call C.1.t , R31"
        ),
    ]
    console.press("Enter")
    console.sees("Pay")
    console.press("Enter")
    console.sees(SHUFFLED)
    see(page.locator(".prompts")).to_contain_text("Rack the community cards last")
    assert at.chips() == [1_000_000 + 205_00 - 1_00, 1_000_000 - 10_00, 1_000_000]


def test_six_hands_of_seven_cards_fit_where_they_lie(site: Site, new_person: Visitors) -> None:
    at = RealTable(site, 6, "common/high-card-flush", maximum_cents=100_00)
    at.did(at.dan, "open-betting")
    for seat, player in enumerate(at.players, start=1):
        wagers = {"ante": 25_00, "flush": 5_00, "straight-flush": 5_00}
        at.did(player, "bet", seat=seat, wagers=wagers)
    at.did(at.dan, "close-bets")
    at.did(at.dan, "deal", cards=[str(card) for card in DECK[:49]])
    page = Console(new_person(), at).page
    for seat, player in enumerate(at.players, start=1):
        at.did(player, "raise", seat=seat, times=1)
    at.did(at.dan, "turn", cards=[])
    at.did(at.dan, "turn", cards=[])
    see(page.locator(".does b")).to_have_text("Pay.")
    for width, height in ((1366, 657), (390, 844)):
        at_width(page, width, height)
        handsome(page, f"seven cards at {width}")


SIX = ("2c 7d", "3c 8d", "4c 9d", "2h 7s", "3h 8s", "5c Jd")
"""Nobody has as much as a pair of sixes."""


def test_a_key_that_is_held_or_bounces_does_one_thing(site: Site, new_person: Visitors) -> None:
    at = RealTable(site, 3)
    console = Console(new_person(1024), at)
    opens(console)
    console.sees("Enter the wagers of seat 1")
    for _ in range(8):
        console.page.keyboard.down("Enter")  # the browser says from the second on that it is held
    console.page.keyboard.up("Enter")
    console.sees("Enter the wagers of seat 2, or close the betting")
    console.press(*["Enter"] * 6)  # two are meant
    console.sees("Close the betting")


def test_a_full_table_of_six_takes_few_keys(site: Site, new_person: Visitors) -> None:
    """Cards come from a scanner, and everybody bets the least or what they bet before."""
    at = RealTable(site, 6)
    console = Console(new_person(1024), at)
    for _ in range(2):
        console.pressed = 0
        console.sees(SHUFFLED)
        console.press("Enter")
        console.sees("Open the betting")
        console.press("Enter")
        console.sees("Enter the wagers of seat 1")
        console.press(*["Enter"] * 6)
        console.sees("Close the betting")
        console.press("Enter")
        console.sees("Deal two cards each to seats 1, 2, 3, 4, 5 and 6")
        console.press("Enter")  # face down, unread
        for card in ("Qh", "Kc", "Td"):
            console.sees(f"Seat 1 {DECIDES}")
            console.press(*"111111")
            console.sees("Deal one card to the board, face up")
            console.scan(card)
        console.sees("Turn up the hand of seat 6")
        console.scan(" ".join(reversed(SIX)))
        console.sees("Pay")
        console.press("Enter")
        console.sees(SHUFFLED)
        assert console.pressed == 29  # of which 18 are the players' decisions
    assert at.chips() == [1_000_000 - 2 * 20_00] * 6


def test_the_plus_key_goes_from_wager_to_wager_and_minus_closes(
    site: Site, new_person: Visitors
) -> None:
    at = RealTable(site, 2)
    console = Console(new_person(1024), at)
    opens(console)
    console.sees("Enter the wagers of seat 1")
    console.press(*"+1+2++5", "Enter")
    console.sees("Enter the wagers of seat 2, or close the betting")
    see(console.page.locator(".hands li").first).to_contain_text("Lo Ball $5")
    see(console.page.locator(".hands li").first).to_contain_text("Board Bonus $2")
    see(console.page.locator(".hands li").first).to_contain_text("Toke $1")
    console.press("-")
    console.sees("Deal two cards to seat 1")


def test_r53__the_dealers_own_last_entry_is_taken_back_with_one_key(
    site: Site, new_person: Visitors
) -> None:
    decides = f"Seat {{}} decides: fold or raise 1{TIMES}, 2{TIMES}, 3{TIMES}"
    at = RealTable(site, 2)
    console = Console(new_person(1024), at)
    opens(console)
    console.sees("Enter the wagers of seat 1")
    console.press("5", "Enter")
    console.sees("Enter the wagers of seat 2, or close the betting")
    console.press("1", "0", "Enter")
    console.sees("Close the betting")
    before = at.chips()
    console.press("Enter")
    console.sees("Deal two cards each to seats 1 and 2")
    console.page.locator("#cards").press_sequentially("AsKs2c2d")
    console.press("Enter")
    console.sees(decides.format(1))
    console.press("3")  # a slip: it was one time
    console.sees(decides.format(2))
    assert at.chips() == [before[0] - 15_00, before[1]]
    console.press("*")
    console.sees(decides.format(1))
    assert at.chips() == before
    see(console.page.get_by_role("button", name="Undo my last entry")).to_have_count(0)
    console.press("1")
    console.sees(decides.format(2))
    assert at.chips() == [before[0] - 5_00, before[1]]
    # Once somebody else has acted, it takes a correction.
    at.did(at.players[1], "fold", seat=2)
    see(console.page.locator(".does b")).not_to_contain_text("decides")
    see(console.page.get_by_role("button", name="Undo my last entry")).to_have_count(0)


def test_what_is_being_typed_stays_while_others_act(site: Site, new_person: Visitors) -> None:
    at = RealTable(site, 2)
    console = Console(new_person(1024), at)
    page = console.page
    opens(console)
    console.sees("Enter the wagers of seat 1")
    page.locator("#wager-1-ante").fill("15")
    page.locator("#wager-1-lo-ball").fill("3")
    at.did(at.players[1], "bet", seat=2, wagers={"ante": 10_00})  # from a browser of their own
    console.sees("Enter the wagers of seat 1, or close the betting")
    assert page.locator("#wager-1-ante").input_value() == "15"
    assert page.locator("#wager-1-lo-ball").input_value() == "3"
    console.press("Enter")
    console.sees("Close the betting")


def test_a_card_from_the_grid_or_the_field_that_cannot_be_is_told_at_the_field(
    site: Site, new_person: Visitors
) -> None:
    at = RealTable(site, 1)
    console = Console(new_person(1024), at)
    page = console.page
    for step in (SHUFFLED, "Open the betting", "Enter the wagers of seat 1", "Close the betting"):
        console.sees(step)
        console.press("Enter")
    console.sees("Deal two cards to seat 1")
    console.press("Enter")
    console.sees(f"Seat 1 {DECIDES}")
    console.press("1")
    console.sees("Deal one card to the board, face up")
    amiss = page.locator("#amiss-cards")
    for typed, said in (
        ("", "Enter the card that lies face up at the board."),
        ("1x", "'1x' is not a card; write rank and suit, such as As, Td or 10h."),
        ("As Kd", "This step deals one card more."),
    ):
        page.locator("#cards").fill(typed)
        page.keyboard.press("Enter")
        see(amiss).to_contain_text(said)
        assert page.locator("#cards").input_value() == typed
    clean(page, "a card that is refused")
    page.locator("#cards").fill("")
    page.get_by_role("button", name="ace of spades").click()
    see(page.locator("#cards")).to_have_value("As")
    page.keyboard.press("Enter")
    console.sees(f"Seat 1 {DECIDES}")
    console.press("1")
    console.sees("Deal one card to the board, face up")
    see(page.get_by_role("button", name="ace of spades")).to_be_disabled()  # it is out
    see(page.locator(".grid button:disabled")).to_have_count(1)
    console.scan("as")
    see(amiss).to_contain_text("As is out already.")


def test_no_card_that_lies_face_down_is_shown_to_who_entered_it(
    site: Site, new_person: Visitors
) -> None:
    at = RealTable(site, 1)
    console = Console(new_person(1024), at)
    page = console.page
    for step in (SHUFFLED, "Open the betting", "Enter the wagers of seat 1", "Close the betting"):
        console.sees(step)
        console.press("Enter")
    console.sees("Deal two cards to seat 1")
    console.scan("As")
    console.sees("Deal one card to seat 1")
    see(page.locator(".grid button:disabled")).to_have_count(0)
    console.scan("Kd")
    console.sees(f"Seat 1 {DECIDES}")
    see(page.locator(".cards-of .back")).to_have_count(2)
    page.goto(at.path)
    told = page.content()
    for name in ("ace of spades", "king of diamonds", "#As", "#Kd"):
        assert name not in told
    # The API tells its dealer no more.
    assert at.dan.view(at.table)["seats"][0]["cards"] == [None, None]


# Without a script -------------------------------------------------------------------------------


class PlainDealer:
    """Fills in the console's forms as a browser without scripts sends them."""

    def __init__(self, visitor: Visitor, at: RealTable) -> None:
        self.page, self.at = visitor.page, at
        visitor.sign_in("dan")
        self.page.goto(at.path)

    def sees(self, step: str) -> None:
        see(self.page.locator(".does b")).to_have_text(f"{step}.")

    def goes_on(self) -> None:
        self.page.locator("[data-main]").click()

    def cards(self, written: str) -> None:
        self.page.locator("#cards").fill(written)
        self.goes_on()


def test_a_round_without_a_script(site: Site, new_person: Visitors) -> None:
    at = RealTable(site, 2)
    visitor = new_person(360, javascript=False)
    visitor.forgive("status of 4(00|09)")
    dealer = PlainDealer(visitor, at)
    page = dealer.page
    assert page.locator(".grid").is_hidden()
    dealer.sees(SHUFFLED)
    dealer.goes_on()
    dealer.sees("Open the betting")
    dealer.goes_on()
    dealer.sees("Enter the wagers of seat 1")
    page.locator("#wager-1-ante").fill("500")
    dealer.goes_on()
    see(page.locator("#amiss-1-ante")).to_contain_text("Ante takes at most $100, not $500.")
    inputs = page.locator("#wagers-1 input:not([type=hidden])")
    at_width(page, 1366)
    tall = inputs.evaluate_all("all => all.map(each => each.offsetHeight)")
    assert len({*tall}) == 1, "what is wrong with one field stretches no other"
    at_width(page, 360)
    assert page.locator("#wager-1-ante").input_value() == "500"
    page.locator("#wager-1-ante").fill("20")
    dealer.goes_on()
    dealer.sees("Enter the wagers of seat 2, or close the betting")
    page.get_by_role("button", name="Close the betting").click()
    dealer.sees("Deal two cards to seat 1")
    dealer.cards("Ah Ah")
    see(page.locator("#amiss-cards")).to_contain_text("Ah appears twice.")
    accessible(page)
    dealer.cards("Ah10d")
    dealer.sees(f"Seat 1 {DECIDES}")
    for written in ("Ac", "Ad", "As"):
        page.get_by_role("button", name=f"Raise 3{X}").click()
        dealer.sees("Deal one card to the board, face up")
        dealer.cards(written)
    dealer.sees("Turn up the hand of seat 1")
    dealer.goes_on()
    # Four aces: 40 to 1 on 20 + 3 x 60 dollars.
    dealer.sees("Call out the win of seat 1: $8,000")
    dealer.goes_on()
    dealer.sees("The win of seat 1 waits for floor supervisor")
    dealer.goes_on()  # and the floor is called
    dealer.sees("The win of seat 1 waits for floor supervisor; the floor is called")
    assert page.locator("[data-main]").count() == 0
    at.did(at.flo, "answer-floor")
    at.did(at.flo, "approve-payoff", seat=1, role="floor-supervisor")
    at.did(at.boss, "approve-payoff", seat=1, role="shift-manager")
    page.goto(at.path)
    dealer.goes_on()
    dealer.sees(SHUFFLED)
    assert at.chips() == [1_000_000 + 8_000_00, 1_000_000]


# By plain forms ---------------------------------------------------------------------------------


def fields(page: str, do: str) -> dict[str, str]:
    """What the form that asks for something carries."""
    forms = re.findall(r"<form.*?</form>", page, re.DOTALL)
    found = next(each for each in forms if f'name="do" value="{do}"' in each)
    carried = dict(re.findall(r'type="hidden" name="([\w-]+)" value="([^"]*)"', found))
    return {**carried, "do": do}


def dealing(site: Site, seats: int = 1, **options: Any) -> tuple[RealTable, Forms]:
    at = RealTable(site, seats, **options)
    return at, Forms(at.dan)


def to_the_deal(at: RealTable) -> None:
    if not at.shuffler:
        at.did(at.dan, "shuffle-cards")
    at.did(at.dan, "open-betting")
    for seat, player in enumerate(at.players, start=1):
        at.did(player, "bet", seat=seat, wagers={"ante": 5_00})
    at.did(at.dan, "close-bets")


def test_it_is_for_who_may_deal_here(site: Site) -> None:
    at, dan = dealing(site)
    path = at.path
    assert Forms(at.players[0]).send("GET", path).status == 403
    beside = Forms(at.flo).send("GET", path)
    assert beside.status == 200
    assert f"The dealer's step: {SHUFFLED}." in plain(beside.raw.decode())
    assert Forms(at.players[0]).raw(path, {"do": "open-betting", "at": "0.bet.0.0"}).status == 403
    assert f'href="{path}"' in looks(dan, f"/tables/{at.table}")
    assert f'href="{path}"' in looks(dan)  # on the floor
    for forms, words in ((dan, "Deal"), (Forms(at.flo), "Console")):
        assert f'href="{path}">{words}<' in looks(forms, "/")
    assert f'href="{path}"' in looks(Forms(at.flo), f"/tables/{at.table}")
    assert f'href="{path}"' not in looks(Forms(at.players[0]), "/")
    assert f'href="{path}"' not in looks(Forms(at.flo))
    by_itself = at.boss.open(CAJUN, practice=False)
    assert dan.send("GET", f"/tables/{by_itself}/deal").status == 403
    eve = signed_in(site, "eve", "dealer")
    page = looks(eve, path)
    assert "Relieve the dealer" in page
    assert "Dan deals" in plain(page)
    assert eve.raw(path, fields(page, "start-dealing")).status == 303
    assert "Relieve the dealer" in looks(dan, path)


def test_a_form_that_comes_late_does_nothing_and_one_that_comes_twice_does_it_once(
    site: Site,
) -> None:
    at, dan = dealing(site, seats=2)
    to_the_deal(at)
    stale = fields(looks(dan, at.path), "deal")
    assert dan.raw(at.path, {**stale, "cards": "As Kd"}).status == 303
    assert dan.raw(at.path, {**stale, "cards": "As Kd"}).status == 303  # the same key
    before = at.dan.view(at.table)
    late = dan.raw(at.path, {**stale, "key": "another", "cards": "Qs Jd"})
    assert late.status == 409
    assert "gone on since you looked" in late.raw.decode()
    assert at.dan.view(at.table)["seq"] == before["seq"]
    assert before["deals"] == ["2", "2"]


@pytest.mark.parametrize(
    ("form", "status", "says"),
    [
        ({"do": "deal", "cards": "As;DROP"}, 400, "is not a card"),
        ({"do": "deal", "cards": "As " * 50}, 400, "As appears twice"),
        ({"do": "deal", "cards": "As Kd Qc"}, 409, "This step deals two cards more."),
        ({"do": "turn", "cards": "As"}, 409, "Nothing is turned up now."),
        ({"do": "light:blue"}, 409, "No shuffler is at work now."),
        ({"do": "pay"}, 409, "Paying begins when every hand is decided and shown."),
        ({"do": "call-out", "seat": "1", "won": "5"}, 409, "gone on since you looked"),
        ({"do": "raise:2", "seat": "1"}, 409, "There is nothing to decide now."),
        ({"do": "bet", "seat": "1", "wager-ante": "5"}, 409, "Bets are made before the deal."),
        ({"do": "bet", "seat": "x", "wager-ante": "5"}, 400, "This is no whole number."),
        ({"do": "misdeal"}, 400, "asks for nothing that is done here"),
        ({}, 400, "asks for nothing that is done here"),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(
    site: Site, form: dict[str, str], status: int, says: str
) -> None:
    at, dan = dealing(site)
    to_the_deal(at)
    before = at.dan.view(at.table)["seq"]
    known = fields(looks(dan, at.path), "deal")
    carried = {name: known[name] for name in ("at", "moment")}
    answer = dan.raw(at.path, {**carried, **form})
    assert answer.status == status
    alerts = re.findall(r'role="alert"[^>]*>(.*?)</', answer.raw.decode(), re.DOTALL)
    assert len(alerts) == 1, alerts
    assert says in plain(alerts[0])
    assert at.dan.view(at.table)["seq"] == before


def test_c_1_k__the_shufflers_light_is_the_next_step_where_the_board_waits_for_it(
    site: Site,
) -> None:
    at, dan = dealing(site, shuffler=True)
    to_the_deal(at)
    for do, more in (("deal", {"cards": "As Kd"}), ("raise:1", {"seat": "1"})):
        page = looks(dan, at.path)
        known = fields(page, "light:red")
        assert dan.raw(at.path, {**known, **more, "do": do}).status == 303
    page = looks(dan, at.path)
    assert "Wait for the shuffler's green light." in plain(page)
    assert links(page)["C.1.h"][0].endswith("#C.1.h")
    assert dan.raw(at.path, fields(page, "light:green")).status == 303
    assert "Deal one card to the board, face up." in plain(looks(dan, at.path))
    known = fields(looks(dan, at.path), "light:red")
    assert dan.raw(at.path, known).status == 303
    assert "call the floor" in plain(looks(dan, at.path))


def test_a_fold_that_gives_up_the_jackpot_is_confirmed_where_it_is_entered(site: Site) -> None:
    at, dan = dealing(site, rulebook="seneca-niagara/caribbean-stud")
    at.did(at.dan, "shuffle-cards")
    at.did(at.dan, "open-betting")
    at.did(at.players[0], "bet", seat=1, wagers={"ante": 5_00, "progressive": 1_00})
    at.did(at.dan, "close-bets")
    royal = fields(looks(dan, at.path), "deal")
    written = "As Ks Qs Js Ts 2c 3d 4h 5s 7c"
    assert dan.raw(at.path, {**royal, "cards": written}).status == 303
    moment = at.dan.view(at.table)["moment"]
    asked = dan.raw(at.path, {"do": "fold", "seat": "1", "moment": moment})
    assert asked.status == 409
    assert "folding forfeits it" in plain(asked.raw.decode())
    sure = fields(asked.raw.decode(), "fold")
    assert sure["confirmed"] == "yes"
    assert dan.raw(at.path, sure).status == 303
    assert "folded" in plain(looks(dan, at.path))


def test_the_owner_of_a_practice_table_deals_the_sealed_deck_with_one_button(site: Site) -> None:
    owner = Forms(site.guest())
    table = owner.caller.open(CAJUN, dealing="dealer", decision_seconds=600)
    pip = site.guest()
    assert pip.do(table, "sit", seat=2).status == 200
    path = f"/tables/{table}/deal"
    assert f'href="{path}"' in looks(owner, f"/tables/{table}")
    assert Forms(pip).send("GET", path).status == 403

    def goes_on(do: str) -> None:
        page = looks(owner, path)
        assert 'id="cards"' not in page
        assert owner.raw(path, fields(page, do)).status == 303

    goes_on("start-dealing")
    site.stack("Kh Kd Qs Ks 7d")
    goes_on("open-betting")
    assert "Nobody has bet yet." in plain(looks(owner, path))
    assert pip.do(table, "bet", seat=2, wagers={"ante": 5_00}).status == 200
    goes_on("close-bets")
    for _ in range(3):
        goes_on("deal")
        assert "Seat 2 decides" in plain(looks(owner, path))
        assert 'value="raise:1"' not in looks(owner, path)  # it is theirs
        assert pip.do(table, "raise", seat=2, times=1).status == 200
    goes_on("deal")
    assert "Turn up the hand of seat 2." in plain(looks(owner, path))
    goes_on("turn")
    words = plain(looks(owner, path))
    # Three kings, 3 to 1 on 20 dollars.
    assert (
        f"Pay $60 Ante $15, First Raise $15, Second Raise $15, Third Raise $15 2 {X} $25 2 {X} $5"
        in words
    )
    goes_on("pay")
    assert "Open the betting." in plain(looks(owner, path))
