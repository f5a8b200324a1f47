"""People at the same table: what they never learn of each other, and what the floor does."""

import pytest

from tests.browser.geometry import SIZES, at_width, box, handsome, in_sight
from tests.browser.player import Player, cards_in, every_card, see, told
from tests.browser.scenes import DIAMOND_JO, Scene, payoff
from tests.browser.visitors import PASSWORD, Site, Visitor, Visitors, accessible

# Cards that are nobody else's ---------------------------------------------------------------------

ANNS, BOBS, BOARD, SIXTH = "Ah Kd", "Qs Jc", "Tc Kh As", "Jd"
DECK = f"{BOARD} {SIXTH} {ANNS} {BOBS}"  # the table's cards come first here


def two_at_hollywood(new_person: Visitors) -> tuple[Player, Player, Visitor, str]:
    """Two guests at one table, one of whom opened it, and a stranger who watches."""
    ann, bob, eve = Player(new_person()), Player(new_person()), new_person()
    table = ann.sit_down("Hollywood")  # seat 4, the middle one
    bob.take_seat(table, 5)
    eve.come(table)
    eve.page.goto(f"/tables/{table}")
    see(eve.page.locator(".invite")).to_contain_text("You are watching.")
    return ann, bob, eve, table


def test_nobody_is_sent_a_card_before_it_is_shown(site: Site, new_person: Visitors) -> None:
    site.stack(DECK)
    ann, bob, eve, _ = two_at_hollywood(new_person)
    ann.bet(ante=5)
    bob.bet(ante=5)
    for street in range(3):
        see(eve.page.locator(".status")).to_contain_text("Waiting for Guest")
        for each, own, others in ((ann, ANNS, BOBS), (bob, BOBS, ANNS)):
            each.asked()
            assert each.hand() == own.split()
            assert each.piles() == [*BOARD.split()[:street], *["back"] * (4 - street)]
            assert told(each.visitor, own) == every_card(own)
            assert told(each.visitor, others) == set()
        hidden = " ".join([*BOARD.split()[street:], SIXTH])
        for visitor in (ann.visitor, bob.visitor, eve):
            assert told(visitor, hidden) == set()
        assert told(eve, f"{ANNS} {BOBS}") == set()
        assert ann.seat_cards(5) == bob.seat_cards(4) == ["back", "back"]
        ann.decide("raise:1")
        bob.decide("raise:1")

    # Now they show.
    everything = every_card(DECK)
    for visitor in (ann.visitor, bob.visitor, eve):
        see(visitor.page.locator(".felt.over")).to_be_visible()
        assert told(visitor, DECK) == everything
    assert ann.seat_cards(5) == BOBS.split()
    assert cards_in(eve.page.locator('.seat[data-key="seat-4"]')) == ANNS.split()


def test_a_folded_hand_stays_with_whom_it_was_dealt_to(site: Site, new_person: Visitors) -> None:
    site.stack(DECK)
    ann, bob, eve, table = two_at_hollywood(new_person)
    ann.bet(ante=5)
    bob.bet(ante=5)
    bob.decide("fold")
    ann.decide("raise:1", "raise:1", "raise:1")
    see(bob.page.locator(".felt.over")).to_be_visible()
    assert told(bob.visitor, ANNS) == every_card(ANNS)  # she showed them
    where = f"/rounds/{table}-1"
    for visitor in (ann.visitor, eve):
        see(visitor.page.locator(".felt.over")).to_be_visible()
        visitor.page.goto(where)
        assert cards_in(visitor.page.locator('.seat[data-key="seat-5"]')) == ["back", "back"]
        assert told(visitor, f"{BOBS} {ANNS}") == every_card(ANNS)
    for step in range(1, 1 + ann.page.locator(".log li").count()):
        assert ann.visitor.context.request.get(f"{where}?step={step}").ok
    assert f"{where}?step=1" in [each.path for each in ann.visitor.wire.answers]
    assert told(ann.visitor, BOBS) == set()
    see(eve.page.locator(".receipt")).to_have_count(0)
    see(eve.page.locator("#fair.proved")).to_contain_text("all 6 cards")

    # His link shows what he saw, to anybody; without the key there is nothing to be had.
    bob.page.goto(where)
    see(bob.page.locator("#fair.proved")).to_contain_text("all 8 cards")
    shared = bob.page.locator(".share a").get_attribute("href")
    assert shared is not None
    eve.page.goto(shared)
    assert cards_in(eve.page.locator(".yours")) == BOBS.split()
    see(eve.page.locator(".log")).not_to_contain_text("You")  # it was not she who played
    see(eve.page.locator(".receipt")).to_contain_text("-$5")
    see(eve.page.locator("#fair.proved")).to_contain_text("all 8 cards")
    fay = new_person()
    fay.forgive("status of 404")
    key = shared.rpartition("/")[2]
    forged = ("0" if key[0] != "0" else "1") + key[1:]
    answer = fay.page.goto(f"{where}/{forged}")
    assert answer is not None
    assert answer.status == 404
    assert told(fay, f"{ANNS} {BOBS}") == set()


def test_watching_needs_no_seat_and_is_live(site: Site, new_person: Visitors) -> None:
    site.stack("2c 7d 9h  Ks Kd")
    boss, player = site.person("boss", "shift-manager"), site.person("pat", "player")
    table = boss.open(practice=False, betting_seconds=600, decision_seconds=600)
    player.do(table, "sit", seat=3)
    eve = new_person()
    page = eve.page
    page.goto(f"/tables/{table}")
    page.evaluate("window.same = true")
    see(page.locator("form.bet, form.decide, #balance")).to_have_count(0)
    player.do(table, "bet", seat=3, wagers={"ante": 10_00})
    seat = page.locator('.seat[data-key="seat-3"]')
    see(seat.locator(".card.back")).to_have_count(2)
    see(seat).to_contain_text("$10")
    shown = (["2c", "back", "back"], ["2c", "7d", "back"], ["2c", "7d", "9h"])
    for number, cards in enumerate(shown, start=1):
        player.do(table, "raise", seat=3, times=1)
        see(page.locator(".piles .card.back")).to_have_count(3 - number)
        assert cards_in(page.locator(".piles")) == cards
    assert cards_in(seat) == ["Ks", "Kd"]
    see(seat).to_contain_text("+$40")
    see(page.locator("#log")).to_contain_text("raises 1 time: $10.")
    assert page.evaluate("window.same")  # it was never loaded anew
    assert eve.context.cookies() == []


# The floor ----------------------------------------------------------------------------------------


def sign_in(visitor: Visitor, name: str, password: str = PASSWORD) -> None:
    """Sign in through the page."""
    visitor.page.goto("/sign-in")
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_label("Password").fill(password)
    visitor.page.get_by_role("button", name="Sign in").click()


def real_table(site: Site, deck: str) -> str:
    """Open a table with real chips at Diamond Jo Worth."""
    site.stack(deck)
    rose = site.person("rose", "shift-manager")
    return rose.open(
        "diamond-jo-worth/cajun-stud", practice=False, betting_seconds=600, decision_seconds=600
    )


def pat_sits(site: Site, new_person: Visitors, table: str) -> Player:
    """A player with 10,000 dollars signs in and sits down."""
    site.person("pat", "player")
    pat = Player(new_person())
    sign_in(pat.visitor, "pat")
    see(pat.page.locator(".who .name")).to_have_text("Pat")
    pat.take_seat(table, 2)
    see(pat.balance).to_have_text("$10,000")
    return pat


def pat_plays(site: Site, new_person: Visitors, table: str) -> Player:
    """The same, who bets a hundred of them."""
    pat = pat_sits(site, new_person, table)
    pat.bet(ante=100)
    return pat


def test_a_large_payoff_waits_until_the_floor_approves_it(site: Site, new_person: Visitors) -> None:
    table = real_table(site, "Ks Kd  Kh 7d 2c")
    site.person("flo", "floor-supervisor")
    site.person("sue", "surveillance")
    pat = pat_plays(site, new_person, table)
    pat.decide("raise:3", "raise:3", "raise:3")
    # Three kings pay 3 to 1 on 1,000 dollars: over 300 and over 1,000, so two people look at it.
    see(pat.status).to_contain_text(
        "Your win of $3,000 (three of a kind, kings) waits for floor supervisor (over $300) and "
        "surveillance or shift manager (over $1,000), since "
    )
    see(pat.balance).to_have_text("$9,000")

    flo, sue = new_person(), new_person(javascript=False)
    flo.forgive("status of 401")
    sign_in(flo, "flo", "not-her-password")
    see(flo.page.locator(".wrong")).to_have_text("Name or password is wrong.")
    see(flo.page.get_by_label("Name")).to_have_value("flo")
    flo.page.get_by_label("Password").fill(PASSWORD)
    flo.page.get_by_role("button", name="Sign in").click()
    see(flo.page.locator("h1")).to_have_text("Floor")
    see(flo.page.locator(".task")).to_contain_text("Approve $3,000 for Pat, seat 2.")
    tile = flo.page.locator(".tile .status")
    see(tile).to_have_text("A payoff waits for floor supervisor and surveillance or shift manager.")
    flo.page.get_by_role("button", name="Approve as floor supervisor").click()
    see(flo.page.locator(".task")).to_have_count(0)
    see(tile).to_have_text("A payoff waits for surveillance or shift manager.")
    accessible(flo.page)
    see(flo.page.get_by_role("button", name="Approve")).to_have_count(0)
    see(pat.status).to_contain_text("waits for surveillance or shift manager (over $1,000), since ")
    see(pat.balance).to_have_text("$9,000")

    sign_in(sue, "sue")
    sue.page.get_by_role("button", name="Verify as surveillance").click()
    see(sue.page.locator("h1")).to_have_text("Floor")
    see(sue.page.locator(".task")).to_have_count(0)
    see(pat.balance).to_have_text("$13,000")
    see(pat.page.locator(".yours .net")).to_have_text("+$3,000")
    assert pat.open_receipt()[-1] == "Together $1,000 staked, $4,000 paid | +$3,000"
    see(pat.page.locator("details.receipt")).to_contain_text("Approved by floor supervisor.")
    see(pat.page.locator("details.receipt")).to_contain_text("Approved by surveillance.")
    see(tile).to_have_text("Bets are being placed.")  # her page goes along by itself


def call_misdeal(who: Visitor) -> None:
    """Choose the ground, and then say so once more."""
    who.page.get_by_label("Players spoke of their hands").check()
    who.page.get_by_role("button", name="Go on").click()
    who.page.get_by_role("button", name="Call the misdeal").click()


def test_a_misdeal_called_by_the_floor_gives_every_bet_back(
    site: Site, new_person: Visitors
) -> None:
    table = real_table(site, "Ks Kd  Kh 7d 2c")
    site.person("flo", "floor-supervisor")
    pat, docks = pat_sits(site, new_person, table), {}
    for size in SIZES:
        at_width(pat.page, *size)
        docks[size] = box(pat.page, ".panel")
    pat.bet(ante=100)
    pat.decide("raise:3")
    see(pat.balance).to_have_text("$9,600")
    flo = new_person()
    sign_in(flo, "flo")
    flo.page.get_by_role("link", name="Call a misdeal").click()
    causes = flo.page.get_by_role("radio")
    see(causes).to_have_count(1)  # others are for real cards, or for her boss
    see(causes).not_to_be_checked()
    accessible(flo.page)
    call_misdeal(flo)
    see(flo.page.locator(".tasks")).to_contain_text("Nothing waits for you")

    see(pat.balance).to_have_text("$10,000")
    why = "players spoke of their hands, or in a foreign language, while bets could still be made"
    see(pat.log).to_contain_text(f"Misdeal: {why}. Every bet goes back.")
    felt = pat.page.locator(".yours")
    see(felt.locator(".outcome")).to_have_text(f"Misdeal: {why}. $400 returned.")
    see(felt).not_to_contain_text("push")
    see(felt).not_to_contain_text("$0")
    see(felt.locator(".tag")).to_have_text(["returned", "returned"])
    for size in SIZES:
        at_width(pat.page, *size)
        see(felt.locator(".why")).to_be_visible(visible=size not in SIZES[-2:])  # the log has it
        handsome(pat.page, f"a misdeal at {size}")
        in_sight(pat.page, ".outcome .off", ".bet .go", ".spot.takes")
        assert box(pat.page, ".panel") == docks[size]
    see(pat.page.locator("form.bet")).to_be_visible()  # and the next round can begin
    both, together = pat.open_receipt()
    assert both.startswith(
        f"Ante $100, First Raise $300 | push | Misdeal, {why}: every wager of the round goes back "
    )
    assert together == "Together $400 staked, $400 paid | $0"


def test_a_win_that_is_announced_takes_two_roles_to_void(site: Site, new_person: Visitors) -> None:
    table = real_table(site, "Ks Kd  Kh 7d 2c")
    site.person("flo", "floor-supervisor")
    site.person("max", "shift-manager")
    pat = pat_plays(site, new_person, table)
    pat.decide("raise:3", "raise:3", "raise:3")
    flo, boss = new_person(), new_person()
    said = "The floor supervisor rules that it is void. Another role must agree."
    for who, name in ((flo, "flo"), (boss, "max")):
        sign_in(who, name)
        see(who.page.locator(".tasks")).to_contain_text("$3,000 for Pat, seat 2")
        who.page.get_by_role("link", name="Call a misdeal").click()
        call_misdeal(who)
        if who is flo:
            see(flo.page.locator(".tile")).to_contain_text(said)
            see(pat.balance).to_have_text("$9,000")
    see(boss.page.locator(".tasks")).to_contain_text("Nothing waits for you")
    see(pat.balance).to_have_text("$10,000")


# Seats that are freed -----------------------------------------------------------------------------


@pytest.mark.usefixtures("site")
def test_whoever_opened_a_practice_table_frees_a_seat_there(new_person: Visitors) -> None:
    owner, other = Player(new_person()), Player(new_person())
    table = owner.sit_down("Hollywood")
    other.take_seat(table, 6)
    see(owner.page.get_by_role("button", name="Free seat 6")).to_be_visible()
    see(other.page.get_by_role("button", name="Free seat")).to_have_count(0)
    owner.page.get_by_role("button", name="Free seat 6").click()
    see(owner.page.get_by_role("button", name="Free seat")).to_have_count(0)
    see(owner.page.locator(".told")).to_have_text("Seat 6 is free.")
    see(other.page.locator(".invite")).to_contain_text("You are watching. Your seat was freed")
    see(other.page.get_by_role("button", name="Sit down")).to_have_count(0)


def test_b9_the_owner_frees_a_seat_in_a_round_and_is_told_what_came_of_it(
    site: Site, new_person: Visitors
) -> None:
    site.stack(DECK)
    owner, other = Player(new_person()), Player(new_person())
    table = owner.sit_down("Hollywood")
    other.take_seat(table, 5)
    owner.bet(ante=5)
    other.bet(ante=5)
    owner.decide("raise:1")
    see(owner.status).to_contain_text("Waiting for Guest")
    owner.page.get_by_role("button", name="Free seat 5").click()
    see(owner.page.locator(".told")).to_have_text(
        "Their hand is folded, and they get up when this round is over."
        " Nobody waits for them any more."
    )
    see(owner.status).to_contain_text("It is your decision.")
    accessible(owner.page)


def test_a_payoff_waits_since_a_time_of_the_readers_own_clock(
    site: Site, new_person: Visitors
) -> None:
    table = payoff(site, site.person("pip", "player"))
    flo, pip = new_person(), new_person()
    flo.page.clock.install()
    for who, name, path in ((flo, "flo", "/floor"), (pip, "pip", f"/tables/{table}")):
        who.sign_in(name)
        who.page.goto(path)
        time = who.page.locator("main time")
        exact = str(time.get_attribute("datetime"))
        own = who.page.evaluate(
            "exact => new Date(exact).toLocaleTimeString([], { timeStyle: 'short' })", exact
        )
        see(time).to_have_text(own)
        see(time).to_have_attribute("title", f"{exact[11:16]} UTC")
    with flo.page.expect_response("**/floor"):
        flo.page.clock.fast_forward(4_000)  # the page looks again by itself
    see(flo.page.locator("main time")).not_to_contain_text("UTC")


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without one"])
def test_a_clause_opens_beside_the_hand_in_play(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    scene = Scene(site, ann, DIAMOND_JO, bots=0)
    scene.bet()
    table = scene.look()
    code = table.locator(".cap-card .clause a").first
    with ann.context.expect_page() as opened:
        code.click()
    opened.value.wait_for_load_state()
    assert opened.value.url.endswith(f"/rules/{DIAMOND_JO.book}#{code.inner_text()}")
    assert opened.value.evaluate("window.opener") is None
    assert table.url.endswith(scene.path)
    see(table.locator(".decide")).to_be_visible()


# Invitations --------------------------------------------------------------------------------------


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without one"])
def test_b9_a_table_is_for_whom_its_owner_sends_a_link(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    owner, bob = Player(new_person()), new_person(javascript=javascript)
    bob.forgive("status of 404")
    table = owner.sit_down("Hollywood")
    bob.page.goto(f"/tables/{table}")
    see(bob.page.get_by_role("alert")).to_have_text(f"There is no table '{table}'.")
    owner.page.get_by_role("button", name="Invite").click()
    accessible(owner.page)
    link = owner.page.get_by_label("The link").input_value()
    secret = link.partition("#")[2]
    assert link.startswith(f"{site.address}/invited#{table}.")
    bob.page.goto(link)
    if not javascript:
        accessible(bob.page)
        bob.page.get_by_label("The link that you were sent").fill(link)
        bob.page.get_by_role("button", name="Go to the table").click()
    bob.page.wait_for_url(f"**/tables/{table}")
    see(bob.page.locator(".invite")).to_contain_text("You are watching. Take any free seat")
    bob.page.get_by_role("button", name="Sit down at seat 5").click()
    see(bob.page.locator("form.bet")).to_be_visible()
    # Neither an address that was asked for nor an answer to him ever held it.
    assert secret not in bob.wire.text()
    owner.page.get_by_role("link", name="Back to the table").click()
    see(owner.page.locator('.seat[data-key="seat-5"]')).to_contain_text("Guest")


def test_b9_an_old_link_leads_nowhere_and_says_so(site: Site, new_person: Visitors) -> None:
    owner, bob = Player(new_person()), new_person()
    bob.forgive("status of 404")
    table = owner.sit_down("Hollywood")
    opener = site.run(site.house.table(table)).table.opener
    old = site.run(site.house.invite(table, opener))
    site.run(site.house.invite(table, opener))
    bob.page.goto(f"/invited#{old}")
    see(bob.page.get_by_role("alert")).to_contain_text("This invitation leads nowhere")
    accessible(bob.page)


def test_the_floor_frees_a_seat_and_says_why(site: Site, new_person: Visitors) -> None:
    table = real_table(site, "Ks Kd  Kh 7d 2c")
    site.person("flo", "floor-supervisor")
    pat = pat_plays(site, new_person, table)
    flo = new_person()
    flo.page.clock.install()
    sign_in(flo, "flo")
    section = flo.page.locator(f'.tile[data-key="{table}"]')
    section.get_by_text("See to this table").click()
    see(section.locator("select[name=seat]")).to_have_text("seat 2, Pat")
    section.get_by_label("because", exact=True).fill("asleep")
    flo.page.clock.fast_forward(4_000)  # the page looks again by itself, and keeps what was written
    flo.page.wait_for_timeout(500)
    section.get_by_role("button", name="Free the seat").click()
    see(section.get_by_role("button", name="Free the seat")).to_have_count(0)
    accessible(flo.page)
    see(pat.status).to_contain_text("You get up when this round is over: asleep.")
    see(pat.page.get_by_role("button", name="Sit")).to_have_count(0)
    pat.decide("fold")
    see(pat.page.locator(".invite")).to_contain_text("You are watching.")


# Accounts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "javascript"), [(1440, True), (360, False)])
def test_an_administrator_makes_an_account_by_keyboard_and_its_owner_sets_a_password(
    site: Site, new_person: Visitors, width: int, javascript: bool
) -> None:
    site.person("boss", "administrator")
    boss = new_person(width, javascript=javascript, dark=not javascript)
    boss.sign_in("boss")
    boss.forgive("status of 400")
    page = boss.page
    page.goto("/people")
    page.locator("#name").focus()
    page.keyboard.type("D")
    page.keyboard.press("Tab")
    see(page.get_by_label("guest", exact=True)).to_be_focused()
    page.get_by_label("dealer", exact=True).focus()
    page.keyboard.press("Space")
    page.locator("#why-add").focus()
    page.keyboard.type("starts on Monday")
    page.keyboard.press("Enter")
    see(page.locator("#amiss-name")).to_contain_text("2 to 30 small letters")
    see(page.get_by_label("dealer", exact=True)).to_be_checked()
    handsome(page, "what is wrong with a new account")
    accessible(page)
    page.locator("#name").fill("dora")
    page.keyboard.press("Enter")
    secret = page.locator(".secret code").inner_text()
    see(page.locator("h1")).to_have_text("dora")
    see(page.locator("details.may summary")).to_have_text("What one may do as dealer")
    handsome(page, "a new account")
    accessible(page)
    assert secret not in page.url
    page.goto("/people/dora")
    see(page.locator(".secret")).to_have_count(0)
    assert [secret in each.text() for each in boss.wire.answers].count(True) == 1
    page.get_by_role("link", name="What one may do as dealer").click()
    see(page.locator("#open-betting")).to_contain_text("Open the betting")
    handsome(page, "who may do what")
    accessible(page)

    dora = new_person(width, javascript=javascript)
    dora.forgive("status of 4")
    dora.page.goto("/sign-in")
    dora.page.locator("#name").fill("dora")
    dora.page.locator("#password").fill(secret)
    dora.page.keyboard.press("Enter")
    dora.page.locator("#password").fill(secret)
    dora.page.locator("#new").fill(PASSWORD)
    dora.page.keyboard.press("Enter")
    see(dora.page.locator("h1")).to_have_text("Floor")
