"""A whole shift in browsers: everybody at their own page, real cards, and the books at the end."""

from typing import Any

from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.shift import Shift
from tests.browser.test_dealer_console import DECIDES, SHUFFLED, X
from tests.browser.visitors import Site, Visitors, accessible
from tests.pdf import pages_of

BUY_INS = {1: 200_00, 2: 200_00, 3: 200_00, 4: 100_00, 5: 100_00, 6: 100_00}


def test_a_shift_of_cajun_stud_at_diamond_jo_worth(site: Site, new_person: Visitors) -> None:
    shift = Shift(site, new_person)
    shift.hire_a_dealer()
    shift.opens(
        "Diamond Jo Worth, Cajun Stud", shuffler_device="a shuffler", shuffler_approval="no. 1"
    )
    shift.new_cards("red", "blue")
    console, page = shift.console, shift.console.page
    console.sees("Open the betting")
    for seat, cents in BUY_INS.items():
        shift.buys_in(seat, cents)
    shift.picture(page, "six-patrons")

    # Round 1. Seat 1: three kings pay 3 to 1 on 4 x $5. Seat 2 folds its Ante of $5, and the pair
    # in its hand pays 5 to 1 on the Pocket Bonus of $5.
    shift.opens_betting()
    shift.bets(1, "5")
    shift.bets(2, "5", **{"pocket-bonus": "5"})
    shift.deals("Deal two cards each to seats 1 and 2")
    shift.street(1, "10", "Ks", green=True)
    shift.street(1, "1", "7h")
    shift.street(1, "1", "3s")
    console.sees("Turn up the hand of seat 2")
    console.scan("9s 9c Kh Kd")
    shift.pays("Open the betting")
    shift.chips(1, 200_00 + 60_00)
    shift.chips(2, 200_00 - 5_00 + 25_00)

    a_capped_royal(shift)
    a_misdeal(shift)
    a_shuffler_fails(shift)

    # Round 5, shuffled by hand: seat 5 folds.
    console.sees(SHUFFLED)
    console.press("Enter")
    shift.opens_betting()
    shift.bets_alone(5, "5")
    shift.deals("Deal two cards to seat 5")
    console.sees(f"Seat 5 {DECIDES}")
    console.press("0")
    shift.pays(SHUFFLED)

    a_correction_after_payment(shift)
    left = {
        1: 200_00 + 60_00 - 1_00 + 15_000_00 + 140_00,
        2: 220_00 - 5_00 + 5_263_16,
        3: 200_00 - 5_00,
        4: 100_00 + 120_00,
        5: 100_00 - 5_00,
        6: 100_00,
    }
    for seat, cents in left.items():
        shift.chips(seat, cents)
    shift.drops_tokes(1_00 + 500_00)
    shift.leaves(1, left[1])
    shift.closes()
    the_books(shift, left)


def a_capped_royal(shift: Shift) -> None:
    """Round 2: a card that is misread and put right before payment makes a royal flush and a
    straight flush, which share the payout cap.

    Seat 1: 500 to 1 on 10 + 10 + 10 + 30 dollars, 30,000. Seat 2: 100 to 1 on 4 x $20, 8,000.
    Of 25,000 they get 30/38 and 8/38: 19,736.84 and 5,263.16. Seat 1 wins 328 times its wager, so
    that a form is due and 24% of it is withheld: 4,736.84, which leaves 15,000. Seat 4: a flush
    pays 6 to 1 on $20. The toke of $1 rides the Ante at 500 to 1, outside the cap.
    """
    console, page = shift.console, shift.console.page
    shift.opens_betting()
    shift.bets(1, "10", toke="1")
    shift.bets(2, "20")  # and the Pocket Bonus of the last round, which loses
    shift.bets(3, "5")
    shift.bets(4, "5")
    shift.deals("Deal two cards each to seats 1, 2, 3 and 4")
    shift.street(1, "1101", "Qh", green=True)
    shift.street(1, "111", "Jh")
    shift.street(1, "311", "Td")
    console.sees("Turn up the hand of seat 4")
    console.scan("7h 2h 9h 8h Ah Kh")
    console.sees("Call out the win of seat 2: $320")
    console.press("Enter")
    console.sees("Call out the win of seat 1: $240")
    page.get_by_role("link", name="Put something right").click()
    page.locator("[name='pile.board']").fill("Qh Jh Th")
    page.keyboard.press("Enter")
    outcome = page.get_by_role("region", name="What it changes")
    see(outcome).to_contain_text("$240 less is paid; $19,736.84 more is held unless papers")
    see(outcome).to_contain_text("$5,263.16 at seat 2: the dealer's call, floor supervisor and")
    page.get_by_label("because").fill("the ten was of hearts")
    shift.picture(page, "correction")
    page.get_by_role("button", name="Ask for it as dealer").click()
    waits = "What you put right waits for the floor to agree"
    shift.calls_floor(waits)
    shift.picture(page, "correction-waits")
    flo = shift.answers()
    shift.task(flo, "asks for a correction").get_by_role("link", name="Look at it").click()
    flo.get_by_role("button", name="Agree as floor supervisor").click()

    for seat, won in ((4, "$120"), (2, "$5,263.16"), (1, "$19,736.84")):
        console.sees(f"Call out the win of seat {seat}: {won}")
        console.press("Enter")
    console.sees("Pay seats 4 and 3: another waits")
    shift.picture(page, "royal", telephone=True)
    console.press("Enter")
    shift.calls_floor("The win of seat 2 waits for floor supervisor")
    flo = shift.answers()
    sue = shift.at("sue")
    for who, does in ((flo, "Approve"), (sue, "Verify")):
        for won in ("$5,263.16", "$19,736.84"):
            task = shift.task(who, f"{does} {won}")
            see(task).to_contain_text("of $8,000" if won == "$5,263.16" else "of $30,000")
            shift.picture(who, f"{does}-royal".lower(), telephone=True)
            task.get_by_role("button").first.click()
            see(task).to_have_count(0)
    flo.goto(f"/floor/{shift.table}/worksheet")
    see(flo.locator("main")).to_contain_text(f"$25,000 {X} $30,000 / $38,000, in whole cents")
    shift.picture(flo, "worksheet", telephone=True)
    console.sees("Pay seat 2: another waits")
    console.press("Enter")

    # Papers, and the form.
    console.sees("Seat 1 waits for papers, for form W-2G")
    shift.picture(page, "royal-papers")
    cay = shift.at("cay", "/papers")
    see(cay.locator(".due")).to_contain_text("Patron 1, seat 1")
    for label, value in PAPERS.items():
        cay.get_by_label(label, exact=True).first.fill(value)
    shift.picture(cay, "papers")
    cay.get_by_role("button", name="Complete the form").click()
    see(cay.locator(".due")).to_contain_text("form W-2G on $19,736.84, $4,736.84 withheld")
    see(cay.get_by_text("the payoff waits for nothing here")).to_be_visible()
    see(cay.get_by_role("button", name="Complete the form")).to_be_hidden()
    shift.pays("Open the betting")
    see(page.locator(".payoffs")).to_contain_text("$4,736.84 is withheld as tax")
    shift.picture(page, "royal-paid")
    cay.reload()
    link = cay.get_by_role("link", name="W-2G of Pat Winner as PDF").get_attribute("href")
    [words] = pages_of(cay.request.get(f"{shift.site.address}{link}").body())
    assert all(
        each in words for each in ("Pat Winner", "19,736.84", "4,736.84", "passport 1", "licence 2")
    )

    # The two who must hear of it.
    for name, role in (("gus", "general manager"), ("dee", "director of table games")):
        notice = shift.task(shift.at(name), "A payout cap was used in round 2")
        see(notice).to_contain_text("due by")
        shift.picture(shift.people[name].page, f"notice-{name}")
        notice.get_by_role("button", name=f"Acknowledge as {role}").click()
        see(notice).to_have_count(0)


PAPERS = {
    "Name": "Pat Winner",
    "Address": "1 Main Street, Worth",
    "First proof of identity": "passport 1",
    "Second, if tax is withheld": "licence 2",
    "Taxpayer's number": "123-45-6789",
}


def a_misdeal(shift: Shift) -> None:
    """Round 3: a card of the board was exposed while seat 5 could still bet."""
    console, page = shift.console, shift.console.page
    shift.opens_betting()
    shift.bets_alone(5, "5")
    shift.deals("Deal two cards to seat 5")
    console.sees(f"Seat 5 {DECIDES}")
    console.press("f")
    see(page.locator(".called")).to_contain_text("called the floor")
    flo = shift.answers()
    flo.get_by_role("link", name="Call a misdeal").click()
    see(flo.get_by_role("heading", name="Call a misdeal")).to_be_visible()
    for width in (1440, 360):
        at_width(flo, width)
        handsome(flo, f"the grounds of a misdeal, {width} wide")
        accessible(flo)
    shift.misdeal(flo, "A community card was exposed before bets were final.", "$5")
    console.sees("Open the betting")
    see(page.locator(".payoffs h2")).to_have_text("A misdeal: everything goes back in round 3")
    see(page.locator(".payoffs li")).to_contain_text("Give back Ante $5")
    shift.picture(page, "misdeal")
    shift.chips(5, 100_00)


def a_shuffler_fails(shift: Shift) -> None:
    """Round 4: it shows red with cards out, the floor calls a misdeal and has cards shuffled by
    hand from then on; those in use leave, and one new deck comes."""
    console, page = shift.console, shift.console.page
    shift.opens_betting()
    shift.bets_alone(6, "5")
    shift.deals("Deal two cards to seat 6")
    console.sees(f"Seat 6 {DECIDES}")
    console.press("1")
    console.sees("Wait for the shuffler's green light")
    page.get_by_role("button", name="Red", exact=True).click()
    red = "The shuffler shows red: call the floor, which calls a misdeal or lets the round stand"
    shift.calls_floor(red)
    shift.picture(page, "red-light")
    flo = shift.answers()
    shift.picture(flo, "red-light-floor")
    shift.task(flo, "The shuffler shows red with two cards out").get_by_role("link").last.click()
    shift.misdeal(flo, "The shuffler showed red or failed after cards were out.", "$10")
    console.sees("Open the betting")
    shift.chips(6, 100_00)
    flo.goto(shift.path)
    flo.locator("details.care summary").click()
    flo.locator("#change-shuffler-why").fill("it jams")
    flo.keyboard.press("Enter")
    see(flo.locator(".does b")).to_have_text("Bring new cards.")
    shift.new_cards("red")


def a_correction_after_payment(shift: Shift) -> None:
    """The film of round 1 shows a seven where a three was read: kings full pay 10 to 1 on $20."""
    boss = shift.at("max")
    boss.get_by_role("link", name="Last round").click()
    for number in (4, 3, 2, 1):
        boss.get_by_role("link", name="The round before").click()
        see(boss.locator("h1")).to_contain_text(f"Round {number} of")
    boss.get_by_role("link", name="Put this round right").click()
    boss.locator("[name='pile.board']").fill("Ks 7h 7c")
    boss.keyboard.press("Enter")
    see(boss.locator(".versions")).to_contain_text("Patron 1")
    see(boss.locator(".versions")).to_contain_text("$140 is paid to them")
    boss.get_by_label("because").fill("the film shows a seven")
    shift.picture(boss, "correction-after")
    boss.get_by_role("button", name="Ask for it as shift manager").click()
    sue = shift.at("sue")
    asked = shift.task(sue, "asks for a correction of paid round 1")
    asked.get_by_role("link", name="Look at it").click()
    sue.get_by_role("button", name="Agree as surveillance").click()
    see(sue.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    boss.goto(f"/rounds/{shift.table}-1")
    see(boss.locator("main")).to_contain_text("Put right after it was paid")
    shift.picture(boss, "replay-of-both")


def the_books(shift: Shift, left: dict[int, int]) -> None:
    """The audit finds nothing, and the export tells all that happened."""
    shift.audited()
    rounds = shift.exported("rounds")
    assert [(each["round"][-1], each["misdeal"]) for each in rounds] == [
        ("1", ""),
        ("2", ""),
        ("3", "exposed-card"),
        ("4", "shuffler"),
        ("5", ""),
        ("1", ""),
    ]
    royal, again = rounds[1], rounds[5]
    assert royal["notify"] == ["general-manager", "director-of-table-games"]
    assert royal["corrected"] == [
        {"by": {"dealer": "dan", "floor-supervisor": "flo"}, "why": "the ten was of hearts"}
    ]
    seats = {each["seat"]: each for each in royal["seats"]}
    assert [sums(seats[seat], "nominal_cents") for seat in (1, 2)] == [30_000_00, 8_000_00]
    assert [sums(seats[seat], "won_cents") for seat in (1, 2)] == [19_736_84, 5_263_16]
    assert (seats[1]["forms"], seats[1]["withheld_cents"]) == (["W-2G"], 4_736_84)
    assert seats[3]["folded"]
    assert again["adjusted"]
    assert again["cards"] == {"board": "Ks 7h 7c"}
    assert [(each["seat"], each["chips_cents"]) for each in again["difference"]] == [(1, 140_00)]
    form, total = shift.exported("forms")
    assert (form["payee"], form["form"], form["reportable_cents"]) == (
        "Pat Winner",
        "W-2G",
        19_736_84,
    )
    assert (total["form"], total["withheld_cents"]) == ("total", 4_736_84)
    ledger = shift.exported("ledger")
    assert sum(each["cents"] for each in ledger) == 0
    drop, tax = (moved(ledger, name) for name in (f"drop:{shift.table}", "tax"))
    assert drop == list(BUY_INS.values())
    assert tax == [4_736_84]
    assert moved(ledger, "dealers") == [501_00]
    assert sorted(moved(ledger, "outstanding")) == sorted(left.values())  # they took it along
    assert told_of(shift) == [
        ("table-opened", "max", None),
        *[("cards-inspected", "flo", None)] * 2,
        *[("cards-inspected", "dan", None)] * 2,
        *(("patron-bought-in", "dan", seat) for seat in BUY_INS),
        ("payoff-approved", "dan", 2),  # of a hand that was misread
        ("round-corrected", "flo", None),
        *(("payoff-approved", "dan", seat) for seat in (4, 2, 1)),
        *(("payoff-approved", who, seat) for who in ("flo", "sue") for seat in (2, 1)),
        ("papers-taken", "cay", 1),
        ("notice-acknowledged", "gus", None),
        ("notice-acknowledged", "dee", None),
        *[("misdeal-called", "flo", None)] * 2,
        ("shuffler-changed", "flo", None),
        ("cards-inspected", "flo", None),
        ("cards-inspected", "dan", None),
        ("cards-shuffled", "dan", None),  # by hand from now on
        ("round-adjusted", "sue", None),
        ("patron-left", "dan", 1),
        *(("patron-left", "flo", seat) for seat in (2, 3, 4, 5, 6)),
        ("table-closed", "flo", None),
    ]


TOLD = (
    *("table-opened", "cards-inspected", "patron-bought-in", "payoff-approved", "round-corrected"),
    *("papers-taken", "notice-acknowledged", "misdeal-called", "shuffler-changed", "hand-died"),
    *("round-adjusted", "patron-left", "table-closed", "payoff-held", "cards-shuffled"),
)


def told_of(shift: Shift) -> list[tuple[str, str, int | None]]:
    """What the export tells of the table's main moments: what, by whom, at which seat."""
    events = [each for each in shift.exported("events") if each["table"] == shift.table]
    told = [(each["event"], each["actor"], each["seat"]) for each in events]
    return [each for each in told if each[0] in TOLD]


def moved(ledger: list[dict[str, Any]], account: str) -> list[int]:
    return [each["cents"] for each in ledger if each["account"] == account]


def sums(seat: dict[str, Any], name: str) -> int:
    """What all wagers of a seat come to; a toke is the dealers'."""
    return sum(line[name] for line in seat["lines"] if line["spot"] != "toke")


CALLS = f"decides: fold or raise 2{X}"
CUT = "The cards are shuffled and cut for each round"


def test_a_shift_of_caribbean_stud_at_seneca_niagara(site: Site, new_person: Visitors) -> None:
    """A royal flush and a straight flush share the jackpot, and a hand of six cards is dead.

    Two tokens of $1 bring 70% of it to the meter of $10,000: 10,001.40. All of it and a tenth are
    claimed, so that it is shared 100 to 10: 9,092.18 and 909.22. The Ante of $5 pays 1 to 1, since
    the dealer qualifies; the Bet of $10 pays 100 to 1 and 50 to 1.
    """
    shift = Shift(site, new_person)
    shift.hire_a_dealer()
    shift.opens("Seneca Niagara, Caribbean Stud", minimum="5", maximum="100", token="1")
    console, page = shift.console, shift.console.page
    console.sees(CUT)
    for seat in (1, 2, 3, 4, 5, 6):
        shift.buys_in(seat, 100_00)
    console.sees(CUT)
    shift.picture(page, "seneca-six")
    console.press("Enter")
    shift.opens_betting()
    shift.bets(1, "5", progressive="1")
    shift.bets(2, "5", progressive="1")
    shift.bets(3, "5")
    shift.deals("Deal five cards each to seats 1, 2 and 3 and the dealer")
    console.sees("Deal one card to the dealer, face up")
    console.scan("2s")
    console.sees(f"Seat 1 {CALLS}")
    console.press("f")
    see(page.locator(".called")).to_contain_text("called the floor")
    shift.answers()
    flo = shift.at("flo", shift.path)
    dead = flo.locator("[data-key=dead-3]")
    dead.locator("summary").click()
    dead.locator("[name=count]").fill("6")
    shift.picture(flo, "seneca-dead")
    dead.get_by_role("button", name="wrong number").click()
    see(page.locator("[data-key=seat-3]")).to_contain_text("dead")
    console.sees(f"Seat 1 {CALLS}")
    console.press("2", "2")
    console.sees("Turn up four cards of the dealer")
    console.scan("Ac Kd 9c 4d")
    console.sees("Turn up the hand of seat 2")
    console.scan("9h 8h 7h 6h 5h As Ks Qs Js Ts")
    console.sees("Pay seats 3 and 2: another waits")
    shift.picture(page, "seneca-jackpot", telephone=True)
    console.press("Enter")
    shift.chips(2, 100_00 - 1_00 + 5_00 + 500_00 + 909_22)
    shift.chips(3, 100_00)
    # Nothing lies there any more of a seat that is paid, nor on the floor's page.
    see(page.locator("[data-key=seat-2] .down")).to_have_text("paid")
    see(page.locator("[data-key=seat-1] .down")).to_contain_text("Ante $5")
    lies = shift.at("flo").locator(".seated .n")
    see(lies).to_have_text(["$16", "", "", "", "", ""])

    # Seat 1 has no papers: what needs a form is held, the rest is paid.
    console.sees("Seat 1 waits for papers, for form W-2G")
    cay = shift.at("cay", "/papers")
    cay.get_by_label("No papers, because").fill("left at home")
    cay.get_by_role("button", name="Hold the payoff").click()
    shift.pays(CUT)
    shift.picture(page, "seneca-held")
    shift.chips(1, 100_00 - 1_00 + 5_00 + 1_000_00)
    see(page.locator(".of")).to_contain_text("jackpot $10,000")
    # Somebody has seen papers: paid by the tax rules of the day.
    boss = shift.at("max", "/papers")
    see(boss.locator(".due")).to_contain_text("9,092.18 is held for Patron 1")
    for label, value in {**PAPERS, "What was shown": "a passport"}.items():
        boss.get_by_label(label, exact=True).fill(value)
    shift.picture(boss, "seneca-identify")
    boss.get_by_role("button", name="Identify").click()
    boss.get_by_label("Because", exact=True).fill("papers shown")
    boss.get_by_role("button", name="Pay out by today's tax rules").click()
    see(boss.get_by_text("Nothing is held.")).to_be_visible()
    shift.picture(boss, "seneca-released")

    # Round 2: the dealer's hand has a wrong number of cards, and all goes back.
    a_call_of(shift, 3)
    console.press("f")
    flo = shift.answers()
    flo.get_by_role("link", name="Call a misdeal").click()
    shift.misdeal(flo, "The dealer's hand has a wrong number of cards.", "$5")
    shift.chips(3, 100_00)

    # Round 3: a pair of tens loses to the dealer's queens. A ten was a queen in truth: two say so
    # before it is paid, and queens with an ace beat the dealer's. After it is paid the film shows
    # that it was a jack, and that nothing was won.
    a_call_of(shift, 3)
    console.press("2")
    console.sees("Turn up four cards of the dealer")
    console.scan("Qc Qd 9c 4d")
    console.sees("Turn up the hand of seat 3")
    console.scan("Qs Th Ts Ac 3d")
    console.sees("Pay")
    page.get_by_role("link", name="Put something right").click()
    page.locator("[name='3.cards']").fill("Qs Qh Ts Ac 3d")
    page.keyboard.press("Enter")
    see(page.get_by_role("region", name="What it changes")).to_contain_text("$30 more is paid")
    page.get_by_label("because").fill("the ten was a queen")
    page.get_by_role("button", name="Ask for it as dealer").click()
    shift.calls_floor("What you put right waits for the floor to agree")
    flo = shift.answers()
    shift.task(flo, "asks for a correction").get_by_role("link", name="Look at it").click()
    flo.get_by_role("button", name="Agree as floor supervisor").click()
    shift.pays(CUT)
    shift.chips(3, 100_00 + 15_00)
    boss = shift.at("max")
    boss.get_by_role("link", name="Last round").click()
    boss.get_by_role("link", name="Put this round right").click()
    boss.locator("[name='3.cards']").fill("Qs Jh Ts Ac 3d")
    boss.keyboard.press("Enter")
    see(boss.locator(".versions")).to_contain_text("$30 is claimed from them")
    boss.get_by_label("because").fill("the film shows a jack")
    boss.get_by_role("button", name="Ask for it as shift manager").click()
    sue = shift.at("sue")
    shift.task(sue, "asks for a correction of paid round 3").get_by_role("link").last.click()
    sue.get_by_role("button", name="Agree as surveillance").click()
    see(sue.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    shift.closes()

    shift.audited()
    paid, misdealt, corrected, adjusted = shift.exported("rounds")
    assert misdealt["misdeal"] == "dealer-count"
    assert corrected["corrected"] == [
        {"by": {"dealer": "dan", "floor-supervisor": "flo"}, "why": "the ten was a queen"}
    ]
    assert [(each["seat"], each["claim_cents"]) for each in adjusted["difference"]] == [(3, 30_00)]
    assert paid["meter_cents"] == 10_000_00
    wins = {seat["seat"]: {each["spot"]: each for each in seat["lines"]} for seat in paid["seats"]}
    jackpot = [wins[seat]["progressive"] for seat in (1, 2)]
    assert [each["nominal_cents"] for each in jackpot] == [10_001_40, 1_000_14]
    assert [each["won_cents"] for each in jackpot] == [9_092_18, 909_22]
    assert [seat["dead"] for seat in paid["seats"]] == ["", "", "count"]
    assert [seat["held_cents"] for seat in paid["seats"]] == [9_092_18, 0, 0]
    # 24% of what it is more than the token: 9,091.18.
    form, _ = shift.exported("forms")
    assert (form["reportable_cents"], form["withheld_cents"]) == (9_092_18, 2_181_88)
    assert told_of(shift) == [
        ("table-opened", "max", None),
        *(("patron-bought-in", "dan", seat) for seat in range(1, 7)),
        ("cards-shuffled", "dan", None),
        ("hand-died", "flo", 3),
        ("payoff-held", "cay", 1),
        ("cards-shuffled", "dan", None),
        ("misdeal-called", "flo", None),
        ("cards-shuffled", "dan", None),
        ("round-corrected", "flo", None),
        ("round-adjusted", "sue", None),
        *(("patron-left", "flo", seat) for seat in range(1, 7)),
        ("table-closed", "flo", None),
    ]
    ledger = shift.exported("ledger")
    assert sum(moved(ledger, f"pool:{shift.table}")) == 10_000_00  # the house fills it up again
    assert moved(ledger, "tax") == [2_181_88]


def a_call_of(shift: Shift, seat: int) -> None:
    """One seat bets, cards are dealt face down, and it is to decide."""
    console = shift.console
    console.sees(CUT)
    console.press("Enter")
    shift.opens_betting()
    shift.bets_alone(seat, "5")
    shift.deals(f"Deal five cards each to seat {seat} and the dealer")
    console.sees("Deal one card to the dealer, face up")
    console.scan("2s")
    console.sees(f"Seat {seat} {CALLS}")
