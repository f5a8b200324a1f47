"""The replay of a round: what it opens at, how one walks through it, and who sees what of it."""

from tests.browser.player import see
from tests.browser.visitors import Site, Visitor, Visitors
from tests.web.open_house import Caller

DECK = "Ah Kh  9h 8h  Th Jh Qh"
"""A royal flush for seat 1 and a straight flush for seat 2, which share the ceiling."""


def play(site: Site, ann: Caller, ben: Caller, *, raises: tuple[int, ...] = (3, 3, 2)) -> str:
    """Play a round of Cajun Stud between two; return where its replay is."""
    site.stack(DECK)
    table = ann.open("diamond-jo-worth/cajun-stud", betting_seconds=600, decision_seconds=600)
    answers = [
        ann.do(table, "sit", seat=1),
        ben.do(table, "sit", seat=2),
        ann.do(table, "bet", seat=1, wagers={"ante": 100_00, "lo-ball": 5_00}),
        ben.do(table, "bet", seat=2, wagers={"ante": 10_00}),
    ]
    for times in raises:
        answers += [
            ann.do(table, "raise", seat=1, times=times),
            ben.do(table, "raise", seat=2, times=1),
        ]
    assert {each.status for each in answers} == {200}, answers
    return f"/rounds/{table}-1"


def receipts(who: Visitor) -> list[str]:
    """What the page says of each receipt while it is closed."""
    return who.page.locator("details.receipt summary").all_inner_texts()


def test_b21_the_pit_sees_every_seats_receipt_and_nobody_else_does(
    site: Site, new_person: Visitors
) -> None:
    ann, eve, flo = new_person(), new_person(), new_person()
    site.person("ann", "player", cents=20_000_00)
    site.person("flo", "floor-supervisor", cents=0)
    where = play(site, ann.sign_in("ann"), site.person("ben", "player"))
    eve.enter()
    flo.sign_in("flo")
    for each in (ann, eve, flo):
        each.page.goto(f"{where}?step=99")
    assert receipts(ann) == ["Your receipt: +$24,774.74"]
    assert receipts(eve) == []
    assert receipts(flo) == [
        "Receipt of Ann, seat 1: +$24,774.74",
        "Receipt of Ben, seat 2: +$220.26",
    ]
    ben = flo.page.locator("details.receipt").nth(1)
    ben.locator("summary").click()
    see(ben).to_contain_text("Share of it: $4,000 / $454,000")
    see(ben).to_contain_text("Shared with Ann at seat 1: $24,779.74")
    see(eve.page.locator(".lines")).to_have_count(0)
