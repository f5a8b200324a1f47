"""The tax desk in a browser: a form completed, a payoff held, an identity taken, money released."""

import re

import pytest

from tests.browser.forms import refused
from tests.browser.geometry import at_width, handsome
from tests.browser.player import see
from tests.browser.test_floor import links, looks, plain, signed_in
from tests.browser.visitors import Site, Visitors, accessible
from tests.pdf import pages_of
from tests.web.open_house import Caller


def royal(site: Site, pip: Caller, table: str = "", **side: int) -> str:
    """Pip wins 500 times 20.00 at a real table that asks for no approval."""
    if not table:
        boss = site.person("max", "shift-manager", cents=0)
        for _ in range(2):
            site.stack("Ts Js Qs 2c As Ks")
        options = {"practice": False, "betting_seconds": 600, "decision_seconds": 600}
        table = boss.open("hollywood-penn-national/cajun-stud", **options)
        assert pip.do(table, "sit", seat=1).status == 200
    assert pip.do(table, "bet", seat=1, wagers={"ante": 5_00, **side}).status == 200
    for _ in range(3):
        assert pip.do(table, "raise", seat=1, times=1).status == 200
    return table


EMPTY = {"name": "", "address": "", "proof_1": "", "proof_2": "", "tin": "", "country": ""} | {
    "residence": "us",
    "parts": "1",
}
"""Fields of another winner as a browser sends them where nothing is filled in."""
OTHER = {"name3": "B. Winner", "address3": "2 High Street", "proof_13": "card 4", "proof_23": "six"}
AGAIN = {"name2": "pip  winner", "address2": "1 Main Street", "proof_12": "one", "proof_22": "two"}

HEADS = """cells => cells.map(each => getComputedStyle(each, '::before').content)
    .filter(each => each !== 'none').map(each => each.replaceAll('"', ''))"""
"""What stands over the figures themselves where a telephone has no room for columns."""


def test_r57__papers_from_the_payoff_to_the_release(site: Site, new_person: Visitors) -> None:
    pip = site.person("pip", "player")
    table = royal(site, pip)
    site.person("cay", "cage", cents=0)
    cay, boss = new_person(javascript=False), new_person()
    cay.forgive("status of 409")
    cay.sign_in("cay")
    page = cay.page
    page.goto("/papers")
    see(page.get_by_text("form W-2G on $10,000.00")).to_be_visible()
    page.get_by_label("Name", exact=True).first.fill("Pip Winner")
    page.get_by_label("Address").first.fill("1 Main Street, Worth")
    page.get_by_label("First proof of identity").first.fill("passport 1")
    page.get_by_role("button", name="Complete the form").click()
    see(page.locator(".due form").get_by_role("alert")).to_contain_text("needs a second proof of")
    see(page.get_by_label("Address").first).to_have_value("1 Main Street, Worth")
    second = page.get_by_label("Second, if tax is withheld").first
    see(second).to_have_attribute("aria-invalid", "true")
    second.fill("passport 1")  # once more
    page.get_by_role("button", name="Complete the form").click()
    see(page.locator(".due form").get_by_role("alert")).to_contain_text("named twice is one")
    second.fill("licence 2")
    page.get_by_role("button", name="Complete the form").click()
    see(page.get_by_text("No payoff waits for a form.")).to_be_visible()
    link = page.get_by_role("link", name="W-2G of Pip Winner as PDF").get_attribute("href")
    assert link is not None
    desk = signed_in(site, "cay")
    [words] = pages_of(desk.send("GET", link).raw)
    assert all(each in words for each in ("Pip Winner", "10,000.00", "2,400.00", "none given"))

    royal(site, pip, table)
    page.reload()
    page.get_by_label("No papers, because").fill("left at home")
    page.get_by_role("button", name="Hold the payoff").click()
    see(page.get_by_text("10,000.00 is held for Pip")).to_contain_text("no papers yet")
    assert page.get_by_role("button", name="Pay out").count() == 0
    boss.sign_in("max")
    for width in (360, 1440):  # with everything on it
        at_width(boss.page, width)
        boss.page.goto("/papers")
        accessible(boss.page)
        handsome(boss.page, f"papers, {width} wide")
        told = boss.page.locator(".sums td").evaluate_all(HEADS)
        assert told == [] if width > 360 else {"Held", "Since", "Withheld"} <= {*told}, told
    cay.check()
    page = boss.page
    page.get_by_label("Name", exact=True).fill("Pip Winner")
    page.get_by_label("Address").fill("1 Main Street, Worth")
    page.get_by_label("First proof of identity").fill("passport 1")
    page.get_by_label("Second, if tax is withheld").fill("licence 2")
    page.get_by_label("Taxpayer's number").fill("123-45-6789")
    page.get_by_label("What was shown").fill("a passport")
    page.get_by_role("button", name="Identify").click()
    page.get_by_label("Because", exact=True).fill("papers shown")
    page.get_by_role("button", name="Pay out by today's tax rules").click()
    see(page.get_by_text("Nothing is held.")).to_be_visible()
    assert plain(looks(desk, "/papers")).count("Pip Winner") == 2 + 2  # in its cell and its link
    assert signed_in(site, "pip").send("GET", "/papers").status == 403


def test_m_2__a_clause_among_the_papers_is_a_link_to_its_rule(site: Site) -> None:
    """Where a form is due, where it is refused, and where winnings are held."""
    pip = site.person("pip", "player")
    table = royal(site, pip)
    cay, rules = signed_in(site, "cay", "cage"), "/rules/hollywood-penn-national/cajun-stud"
    due = links(looks(cay, "/papers"))
    assert due
    assert all(to == f"{rules}#{code}" for code, (to, _) in due.items())
    form = {"do": "complete", "table": table, "seat": "1", "residence": "us", "name": "Pip Winner"}
    lacks = cay.raw("/papers", form | {"address": "1 Main Street, Worth", "proof_1": "passport 1"})
    alert = re.findall(r'role="alert".*?</p>', lacks.raw.decode(), re.DOTALL)[0]
    assert lacks.status == 409
    assert links(alert).items() <= due.items()
    assert links(alert)
    hold = {"do": "hold", "table": table, "seat": "1", "why": "left at home"}
    assert cay.raw("/papers", hold).status == 303
    held = links(looks(cay, "/papers"))
    assert held
    assert all(to == f"{rules}#{code}" for code, (to, _) in held.items())
    assert "[" not in plain(looks(cay, "/papers"))


@pytest.mark.parametrize(
    ("other", "at", "says"),
    [
        ({"address2": "2 High Street", "proof_12": "card 4"}, "name2", "a name has two to eighty"),
        ({"tin3": "987-65-4321"}, "name3", "a name has two to eighty"),
        ({"name2": "B. Winner", "address2": "2 High Street"}, "proof_12", "at least one proof"),
        ({"parts": "2"}, "name2", "name who else wins"),
        ({**OTHER, "proof_23": ""}, "proof_23", "needs a second proof of identity of winner 2"),
        ({**OTHER, "proof_23": "CARD 4"}, "proof_23", "named twice"),
        ({**OTHER, "residence3": "foreign"}, "country3", "has a country"),
        (AGAIN, "name2", "somebody is named twice"),
    ],
)
def test_r57__what_is_wrong_with_another_winner_is_said_there_and_nobody_is_left_out(
    site: Site, other: dict[str, str], at: str, says: str
) -> None:
    """Without a name, too, it is about somebody: all would be on the form of who is paid."""
    pip = site.person("pip", "player")
    form = {"do": "complete", "table": royal(site, pip), "seat": "1", "residence": "us"}
    shown = {"name": "Pip Winner", "address": "1 Main Street", "proof_1": "one", "proof_2": "two"}
    nobody = {f"{name}{n}": value for n in "234" for name, value in EMPTY.items()}
    cay = signed_in(site, "cay", "cage")
    no = cay.raw("/papers", form | shown | nobody | {"parts": "1"} | other)
    said = refused(no)
    assert says in said.alert.lower(), said
    page = no.raw.decode()
    [field] = re.findall(r'<input name="(\w+)"[^>]*aria-invalid', page)
    assert field == at
    assert re.search(r"<details open><summary>Others win", page)
    assert cay.raw("/papers", form | shown | nobody | {"parts": "1"}).status == 303


def test_r57__who_wins_together_does_so_in_all_wagers_of_a_payoff_and_the_form_says_so(
    site: Site,
) -> None:
    pip, cay = site.person("pip", "player"), signed_in(site, "cay", "cage")
    table = royal(site, pip)
    assert "Others win this wager, too" in looks(cay, "/papers")
    shown = {"name": "Pip Winner", "address": "1 Main Street", "proof_1": "one", "proof_2": "two"}
    form = {"do": "complete", "table": table, "seat": "1", "residence": "us"} | shown
    assert cay.raw("/papers", form).status == 303
    royal(site, pip, table, **{"all-six": 5_00})
    assert "Others win these wagers, too" in looks(cay, "/papers")
