"""The floor's console: the list of what waits, the pit, corrections and the worksheet as pages."""

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.wording import TIMES
from tests.browser.dealers import RealTable
from tests.browser.forms import Forms, refused
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_accessible import clean, go_round
from tests.browser.test_floor import looks, plain, signed_in, way
from tests.browser.visitors import Site, Visitors, accessible

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHARED = f"$25,000 {TIMES} $500,000 / $600,000, in whole cents"


def capped(site: Site) -> RealTable:
    """A royal flush and a straight flush share the payout cap; the third seat has lost."""
    table = RealTable(site, 3)
    site.person("sue", "surveillance")
    dan = table.dan
    table.did(dan, "shuffle-cards")
    table.did(dan, "open-betting")
    for seat in (1, 2, 3):
        wagers = {"ante": 5_00 if seat == 3 else 100_00}
        table.did(dan, "bet", seat=seat, wagers=wagers, toke_cents=0)
    table.did(dan, "close-bets")
    table.did(dan, "deal", cards=["Ah", "Kh", "9h", "8h", "2c", "3d"])
    for card in ("Qh", "Jh", "Th"):
        for seat in (1, 2, 3):
            table.did(dan, "raise", seat=seat, times=1 if seat == 3 else 3)
        table.did(dan, "deal", cards=[card])
    table.did(dan, "turn")
    return table


def board(table: RealTable) -> list[str]:
    found: list[str] = table.dan("GET", f"/api/tables/{table.table}").json["piles"]["board"]
    return found


BELOW = """cells => {
    const heads = [...document.querySelectorAll('.evidence thead th')];
    const says = (each) => getComputedStyle(each, '::before').content.replaceAll('"', '');
    const right = (each) => each.getBoundingClientRect().right;
    return cells.filter((each) => each.checkVisibility() && !each.closest('tfoot'))
        .map((each) => [each, heads[each.cellIndex]])
        .filter(([each, head]) => says(each) !== head.textContent)
        .filter(([each, head]) => Math.abs(right(each) - right(head)) > 1)
        .map(([each]) => each.textContent);
}"""
"""Figures to be verified that neither stand under their heading nor say what they are."""

FOCUSED = """
() => {
    const at = document.activeElement;
    return at.matches("a, button, input, summary") ? at.textContent || at.name : "";
}
"""


def to_by_keys(page: "Page", words: str) -> None:
    """Walk with the Tab key alone to what says this."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if words in page.evaluate(FOCUSED):
            return
    raise AssertionError(f"no key leads to {words!r}")


def test_the_floor_works_off_its_list_and_puts_a_round_right_by_keys_alone(
    site: Site, new_person: Visitors
) -> None:
    table = capped(site)
    flo, dan = new_person(), new_person()
    flo.sign_in("flo")
    page = flo.page
    page.goto("/floor")
    first = page.locator(".task").first
    see(first).to_contain_text("Approve $4,166.67 for Bob, seat 2.")
    see(first).to_contain_text("waits under a minute, since")
    see(page.locator(".tile")).to_contain_text("A payoff waits for the dealer's call")
    page.locator(".tile details summary").click()
    clean(page)
    for width in (390, 1366):
        at_width(page, width)
        handsome(page, f"the floor at {width}")
        ways = [page.get_by_role("link", name=words) for words in ("Today's win", "Open a table")]
        assert len({each.evaluate("each => each.offsetTop") for each in ways}) == 1
        assert page.locator(".evidence td").evaluate_all(BELOW) == []
    to_by_keys(page, "Approve as floor supervisor: Approve $4,166.67")
    page.keyboard.press("Enter")
    see(page.locator(".task")).to_have_count(1)
    # A card was misread: its page is reached, filled in and sent by keys.
    to_by_keys(page, "Put something right")
    page.keyboard.press("Enter")
    see(page.get_by_role("heading", name="Put a round right")).to_be_visible()
    to_by_keys(page, "pile.board")
    page.keyboard.type("Qh Jh Xd")
    page.keyboard.press("Enter")
    see(page.get_by_role("alert")).to_contain_text("Xd")
    flo.forgive("status of 400")
    to_by_keys(page, "pile.board")
    page.keyboard.type("Qh Jh Td")
    page.keyboard.press("Enter")
    outcome = page.get_by_role("region", name="What it changes")
    see(outcome).to_contain_text("Board: Qh Jh Td instead of Qh Jh Th.")
    see(outcome).to_contain_text("$16,833.33 less is paid")
    see(outcome).to_contain_text("$4,000 at seat 1: the dealer's call, floor supervisor")
    clean(page, by_night=1440)
    to_by_keys(page, "why")
    page.keyboard.type("the ten was of diamonds")
    page.keyboard.press("Enter")
    see(page.get_by_role("heading", name="Floor")).to_be_visible()
    # The dealer finds it first in the list, and on the console as the next step: looks and agrees.
    dan.sign_in("dan")
    dan.page.goto("/floor")
    see(dan.page.locator(".task").first).to_contain_text("asks for a correction")
    dan.page.goto(f"/tables/{table.table}/deal")
    step = "The floor supervisor asks for a correction: the ten was of diamonds."
    see(dan.page.locator(".does b")).to_have_text(step)
    see(dan.page.get_by_role("link", name="Look at it")).to_be_focused()
    clean(dan.page)
    dan.page.keyboard.press("Enter")
    dan.page.get_by_role("button", name="Agree as dealer").click()
    see(dan.page.locator(".does b")).to_contain_text("Call out the win of")  # back at the table
    assert board(table) == ["Qh", "Jh", "Td"]
    see(page.locator(".task")).to_have_count(2)  # the page looks again by itself


def fields_of(page: str) -> dict[str, str]:
    """What the form of a correction holds."""
    return dict(re.findall(r'<input name="([\w.-]+)" value="([^"]*)"', page))


def facts(page: str) -> str:
    return html.unescape(re.findall(r'name="facts" value="([^"]*)"', page)[0])


def test_r53__a_correction_works_without_scripts_and_what_is_wrong_stands_at_its_place(
    site: Site,
) -> None:
    table = capped(site)
    flo, sue, dan = (signed_in(site, name) for name in ("flo", "sue", "dan"))
    path = f"/floor/{table.table}/correct"
    assert fields_of(looks(flo, path))["pile.board"] == "Qh Jh Th"
    for asked, place, says in (
        ("pile.board=Qh+Jh+Zz", "pile.board", "Zz"),
        ("1.wager.ante=abc", "1.wager.ante", "abc"),
        ("1.wager.ante=5000", "1.wager.ante", "$100"),
        ("1.wager.ante=10.50", "1.wager.ante", "no chips make that wager"),
        ("3.late.ante=150.50", "3.late.ante", "no chips make that wager"),
        ("2.toke=0.50", "2.toke", "no chips make that toke"),
        ("1.cards=9h+8h", "1.cards", "out already"),
        ("3.late.ante=-1", "3.late.ante", "-1"),
        ("3.late.raise-1=0", "3.late.raise-1", "no wager of seat 3 on First Raise"),
        ("2.street.9=1&2.street.1=7", "2.street.1", "nothing that could be decided"),
        ("pile.board=Qh+Jh+Th", "", "nothing is put right by this"),
    ):
        answer = flo.send("GET", f"{path}?{asked}")
        assert 400 <= answer.status < 500, asked
        shown = answer.raw.decode()
        alert = plain(re.findall(r'role="alert"[^>]*>(.*?)</span>', shown, re.DOTALL)[0])
        assert says.lower() in alert.lower(), (asked, alert)
        if place:
            assert re.search(rf'name="{re.escape(place)}"[^>]*aria-invalid="true"', shown), asked
    shown = looks(flo, f"{path}?pile.board=Qh+Jh+Td")
    assert "straight, ace high" in shown
    told = {"do": "ask", "role": "floor-supervisor", "facts": facts(shown)}
    assert "say why" in refused(flo.raw(path, told)).alert.lower()
    for rubbish in ("{", "1.5", "null"):
        said = refused(flo.raw(path, {**told, "why": "x", "facts": rubbish})).alert
        assert said == "This form asks for nothing that is done here."
    said = refused(flo.raw(path, {**told, "why": "x", "role": ""})).alert
    assert said.startswith("Say in which role you do this.")
    assert board(table) == ["Qh", "Jh", "Th"]
    # Surveillance looks at it and has no part in it before payment; a player sees none of it.
    seen = looks(sue, f"{path}?pile.board=Qh+Jh+Td")
    assert 'name="role"' not in seen
    assert refused(sue.raw(path, {**told, "role": "surveillance", "why": "film"})).alert
    assert signed_in(site, "ann").send("GET", path).status == 403
    # Asked for, taken back, asked for again; agreed to once, and only once.
    assert flo.raw(path, {**told, "why": "misread"}).status == 303
    assert "Take back what you asked for" in looks(flo, path)
    take_back = {"do": "take-back", "role": "floor-supervisor"}
    assert flo.raw(path, take_back).status == 303
    assert flo.raw(path, {**told, "why": "misread"}).status == 303
    agreed = {"do": "agree", "role": "dealer", "facts": facts(looks(dan, path))}
    for neither in ("", "perhaps"):  # a form that asks for nothing agrees to nothing
        assert refused(dan.raw(path, {**agreed, "do": neither})).alert
        assert board(table) == ["Qh", "Jh", "Th"]
    assert dan.raw(path, agreed).status == 303
    assert board(table) == ["Qh", "Jh", "Td"]
    assert refused(dan.raw(path, agreed)).alert


def felt_and_status(page: str) -> tuple[str, int]:
    """What lies on the felt of a replay and what its step says, and how many steps there are."""
    shown = page.partition('class="felt')[2].partition('<div class="walk">')[0]
    steps = re.search(r"<span>\d+ of (\d+)</span>", page)
    assert steps is not None
    return plain(re.sub(r'(aria-label|alt)="([^"]*)"', r">\2<", shown)), int(steps[1])


def test_r54__a_paid_round_is_put_right_from_its_replay_and_both_versions_are_shown(
    site: Site, new_person: Visitors
) -> None:
    table = capped(site)
    for who, role in (("dan", "dealer"), ("flo", "floor-supervisor"), ("max", "shift-manager")):
        for seat in (1, 2):
            caller = {"dan": table.dan, "flo": table.flo, "max": table.boss}[who]
            table.did(caller, "approve-payoff", seat=seat, role=role)
    table.did(table.dan, "pay")
    boss, sue, flo = (signed_in(site, name) for name in ("max", "sue", "flo"))
    name = f"{table.table}-1"
    assert f'href="/rounds/{name}/correct"' in looks(boss, f"/rounds/{name}")
    sheet = plain(looks(flo, f"/rounds/{name}/worksheet"))
    assert SHARED in sheet
    assert f"Seat 1, Ante 500 {TIMES} $100 $50,000 $2,083.33" in sheet
    assert "Ann" not in sheet
    path = f"/rounds/{name}/correct"
    shown = looks(boss, f"{path}?pile.board=Qh+Jh+Td")
    assert "$16,833.33 is claimed from them" in plain(shown)
    told = {"do": "ask", "role": "shift-manager", "why": "film", "facts": facts(shown)}
    assert boss.raw(path, told).status == 303
    assert "asks for a correction of paid round 1: film" in plain(looks(sue))
    agreed = {"do": "agree", "role": "surveillance", "facts": facts(looks(sue, path))}
    assert sue.raw(path, agreed).status == 303
    replay = plain(looks(boss, f"/rounds/{name}"))
    assert "Put right after it was paid" in replay
    assert "royal flush" in replay
    assert "straight, ace high" in replay
    # The version that stands is what its heading says, and what the desk begins with.
    heads = re.findall(r"<summary>Receipt of (.*?)</summary>", looks(boss, f"/rounds/{name}"))
    assert [plain(head) for head in heads] == [
        "Ann, seat 1: +$4,000 as it was put right; first paid as below, +$20,833.33",
        "Bob, seat 2: +$4,000 as it was put right; first paid as below, +$4,166.67",
        "Cid, seat 3: -$20",
    ]
    # So does the felt; the step before has what was paid first.
    last, steps = felt_and_status(looks(boss, f"/rounds/{name}"))
    assert "ten of diamonds" in last.lower()
    assert "ten of hearts" not in last.lower()
    assert "As it was put right: Ann is paid $5,000: straight, ace high." in last
    first, _ = felt_and_status(looks(boss, f"/rounds/{name}?step={steps - 1}"))
    assert "ten of hearts" in first.lower()
    assert "First paid: Ann is paid $" in first
    link = re.search(r'href="(/desk\?[^"]*)"', looks(boss, f"/rounds/{name}"))
    assert link is not None
    assert "board=Qh+Jh+Td" in link[1]
    pit = new_person()
    pit.sign_in("max")
    for width in (360, 390):
        at_width(pit.page, width)
        pit.page.goto(f"/rounds/{name}")
        accessible(pit.page)
        handsome(pit.page, f"a replay of a round put right, {width} wide")
        # Whoever sees to everything has five links: they stand in one line, none broken in two.
        in_bar = pit.page.locator(".bar nav > a:visible")
        assert in_bar.evaluate_all("all => new Set(all.map(each => each.offsetTop)).size") == 1
        one_line = "all => all.every(each => each.getClientRects().length === 1)"
        assert in_bar.evaluate_all(one_line)
        # On the felt is what was first paid, too: whole, so that it is not broken in two.
        pit.page.goto(f"/rounds/{name}?step={steps - 1}")
        won = pit.page.locator(".plate .net")
        see(won.filter(has_text="+$20,833")).to_have_count(1)
        assert won.evaluate_all(one_line)
    assert looks(signed_in(site, "ann"), f"/rounds/{name}").count("is owed") == 1, "her own alone"


def test_a_form_of_the_floor_says_at_its_place_what_is_wrong(site: Site) -> None:
    table = capped(site)
    flo, boss, sue = (signed_in(site, name) for name in ("flo", "max", "sue"))
    here = f"/floor/{table.table}"

    def said(who: Forms, **fields: Any) -> str:
        return refused(who.raw(here, {"round": "1", **fields})).alert

    assert "say whose seat is freed" in said(flo, do="free", seat="1 ann", why="").lower()
    assert said(boss, do="limits", minimum="x", maximum="", why="busy")
    assert "between rounds" in said(boss, do="limits", minimum="5", maximum="100", why="busy")
    assert "plus" in said(flo, do="partners", partners="1-2", why="they said so")
    assert said(flo, do="late", wager="1 ante", cents="much")
    assert said(flo, do="bring", colours="")
    assert said(flo, do="dead", hand="1 nothing")
    assert said(flo, do="no-such-thing")
    assert said(flo, do="way", command="{")
    approve = {"action": "approve-payoff", "seat": 1, "role": "floor-supervisor"}
    assert "does not win that any more" in refused(flo.raw(here, way(approve, won=1))).alert
    assert "another round" in refused(flo.raw(here, way(approve, 7, won=20_833_33))).alert
    seat = {"action": "sit", "seat": 4}
    assert "does not wait for you" in refused(flo.raw(here, way(seat))).alert, "no button's"
    # A program is led to the same commands.
    (task, *_) = table.flo("GET", "/api/floor/waiting").json
    assert (task["kind"], task["says"]) == ("payoff", "Approve $4,166.67 for Bob, seat 2")
    command = dict(task["ways"][0]["command"])
    table.did(table.flo, command.pop("action"), **command)
    assert len(table.flo("GET", "/api/floor/waiting").json) == 1
    assert signed_in(site, "ann").caller("GET", "/api/floor/waiting").status == 403
    # Surveillance sees the same pit, and what waits for others; it has its own confirmations alone.
    table.did(table.dan, "call-floor", why="a dispute")
    seen = looks(sue)
    others = plain(seen).partition("Waits for others")[2].partition("The pit")[0]
    assert "The dealer calls the floor: a dispute." in others
    assert plain(looks(flo)).count("The dealer calls the floor: a dispute.") == 1, "in her own list"
    table.did(table.flo, "answer-floor")
    assert set(re.findall(r'name="do" value="(\w+)"', seen)) == {"way"}
    assert set(re.findall(r"&#34;action&#34;:&#34;([a-z-]+)", seen)) == {"approve-payoff"}
    # What is done counts once, and a seat that is paid can no more be called off.
    assert 'misdeal"' in looks(boss)
    table.did(table.dan, "pay")
    assert 'misdeal"' not in looks(boss)
    assert "paying began" in said(boss, do="misdeal", cause="other").lower()
    (key,) = re.findall(r'name="task" value="([^"]*)"', looks(flo))
    pressed = {**way(approve, won=20_833_33), "task": html.unescape(key)}
    assert flo.raw(here, pressed).status == 303
    # Whoever presses the same button a moment later is told so, though it waits no more.
    assert "wait" in refused(flo.raw(here, pressed)).alert


@pytest.mark.parametrize("width", [1440, 360])
def test_every_page_of_the_pit_is_for_everybody(
    site: Site, new_person: Visitors, width: int
) -> None:
    """By axe, by geometry and by the Tab key; wide by day, narrow by night."""
    table = capped(site).table
    site.person("pip", "player")
    site.person("ada", "administrator", cents=0)
    played = "rulebook=diamond-jo-worth/cajun-stud&board=Qh+Jh+Th&1.cards=Ah+Kh&1.ante=5"
    pages = {
        "max": (
            *("/floor", "/floor/open", "/floor/win", f"/floor/{table}/misdeal"),
            *(f"/floor/{table}/misdeal?cause=other", f"/floor/{table}/worksheet"),
            *(f"/floor/{table}/correct?pile.board=Qh+Jh+Td", "/papers"),
        ),
        "dan": (f"/tables/{table}/deal",),
        "ada": ("/people", "/people/pip", "/people/roles?role=dealer"),
        "": (
            f"/desk?{played}&1.raise.1=1&1.raise.2=1&1.raise.3=1",
            "/prorate?cap=25000&over=50&wins=500000@500+10000@100",
            "/clause/diamond-jo-worth/cajun-stud?clause=I.2.f",
        ),
    }
    for name, paths in pages.items():
        who = new_person(width, dark=width == 360)
        if name:
            who.sign_in(name)
        for path in paths:
            who.page.goto(path)
            accessible(who.page)
            handsome(who.page, f"{path} at {width}")
            who.page.locator(".skip").focus()  # a console has its focus on the next step
            go_round(who.page)


def test_what_is_said_of_a_seat_never_lies_over_its_name(site: Site, new_person: Visitors) -> None:
    """However much there is to say: dead for a long cause, and about to leave."""
    table = RealTable(site, 2, "seneca-niagara/caribbean-stud", maximum_cents=100_00)
    dan, flo = table.dan, table.flo
    for _ in range(2):  # so that a table has a third of the page
        table.boss.open("diamond-jo-worth/cajun-stud", practice=False, dealing="entered")
    label = "Bartholomew Featherstonehaugh the Third"
    table.did(flo, "seat-patron", seat=3, label=label, cash_cents=100_00)
    table.did(dan, "shuffle-cards")
    table.did(dan, "open-betting")
    for seat in (1, 2, 3):
        table.did(dan, "bet", seat=seat, wagers={"ante": 5_00}, toke_cents=0)
    table.did(dan, "close-bets")
    table.did(dan, "deal", cards=[None] * 19 + ["Jc"])
    for seat in (1, 3):
        dead = {"seat": seat, "cause": "information", "role": "floor-supervisor"}
        table.did(flo, "kill-hand", **dead)
    table.did(flo, "unseat-patron", seat=3)
    visitor = new_person(1440)
    visitor.sign_in("flo")
    visitor.page.goto("/floor")
    see(visitor.page.locator(".seated")).to_contain_text("dead: the player exchanged information")
    for width in (1440, 1280, 800, 360):
        at_width(visitor.page, width)
        handsome(visitor.page, f"the floor at {width}")


def test_j_5__a_notice_is_red_once_its_gaming_day_is_over_and_old_days_are_named(
    site: Site, new_person: Visitors
) -> None:
    table = capped(site)
    site.person("gus", "general-manager", cents=0)
    for caller, role in (
        (table.dan, "dealer"),
        (table.flo, "floor-supervisor"),
        (table.boss, "shift-manager"),
    ):
        for seat in (1, 2):
            table.did(caller, "approve-payoff", seat=seat, role=role)
    table.did(table.dan, "pay")
    gus = signed_in(site, "gus")
    assert "due by" in plain(looks(gus))
    clock = site.house.clock
    clock._zero += 2 * 86_400_000
    visitor = new_person(360)
    visitor.sign_in("gus")
    page = visitor.page
    page.goto("/floor")
    notice, cards = page.locator(".task").nth(0), page.locator(".task").nth(1)
    see(notice).to_contain_text("Late A payout cap was used in round 1")
    see(notice).to_contain_text("was due by")
    assert re.search(r"for two days, since \w+ \d+, \d{4}", notice.inner_text())
    red = page.locator(".notices li").evaluate("each => getComputedStyle(each).color")
    assert red == page.locator(".flag").first.evaluate(
        "each => getComputedStyle(each).backgroundColor"
    )
    # Each thing that waits has one large button, whatever it is.
    see(cards).to_contain_text("New cards come each gaming day.")
    see(cards.locator(".go")).to_have_text(re.compile("See to the cards"))
    clean(page)
