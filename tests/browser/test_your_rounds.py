"""Your own rounds: what they came to, worked out a second time from what was paid."""

from fractions import Fraction

import pytest

from pitboss.cards import cards
from pitboss.maths import Seen, worths
from pitboss.maths.luck import Parts
from pitboss.maths.price import house_edge
from pitboss.money import label, signed
from pitboss.web.pages.your_rounds import APART
from tests.browser.player import see
from tests.browser.visitors import Site, Visitor, Visitors
from tests.helpers import DIAMOND_JO, MISSISSIPPI

ALL = "all => all.map(each => each.innerText.replace(/\\s+/g, ' ').trim())"


def evening(site: Site, who: Visitor) -> None:
    """Play three rounds of one game and one of another."""
    caller = who.enter()
    for _ in range(3):
        site.stack("2c 7d 9h  Ks Kd")
    table = caller.open(MISSISSIPPI.id, betting_seconds=600, decision_seconds=600)
    assert caller.do(table, "sit", seat=1).status == 200
    for _ in range(2):
        assert caller.do(table, "bet", seat=1, wagers={"ante": 5_00}).status == 200
        assert caller.do(table, "fold", seat=1).status == 200
    wagers = {"ante": 5_00, "three-card-bonus": 5_00}
    assert caller.do(table, "bet", seat=1, wagers=wagers).status == 200
    for _ in range(3):
        assert caller.do(table, "raise", seat=1, times=1).status == 200
    site.stack("2c 7d  9h 8h Ts")
    other = caller.open(DIAMOND_JO.id, betting_seconds=600, decision_seconds=600)
    assert caller.do(other, "sit", seat=1).status == 200
    assert caller.do(other, "bet", seat=1, wagers={"ante": 10_00}).status == 200
    assert caller.do(other, "fold", seat=1).status == 200


LOST = house_edge(MISSISSIPPI, "ante"), house_edge(DIAMOND_JO, "ante")
BONUS = house_edge(MISSISSIPPI, "three-card-bonus")
EXPECTED = [
    -5_00 * LOST[0],
    -5_00 * LOST[0],
    -5_00 * (LOST[0] + BONUS),
    -10_00 * LOST[1],
]
"""What the edge takes of each round."""


def mistakes() -> list[Fraction]:
    """What the choices of each round cost, by the other way to every worth."""
    kings, sevens = Seen(cards("Ks Kd")), Seen(cards("2c 7d"))
    first, later = worths(MISSISSIPPI, kings), worths(DIAMOND_JO, sevens)
    found = [first[0] - max(first.values())] * 2
    third, board = Fraction(), cards("2c 7d 9h")
    for turned in range(3):
        seen = worths(MISSISSIPPI, Seen(kings.cards, board[:turned], None, (1,) * turned))
        third += seen[1] - max(seen.values())
    lost = later[0] - max(later.values())
    return [*(5_00 * each for each in (*found, third)), 10_00 * lost]


def points(who: Visitor, selector: str) -> list[tuple[int, int]]:
    """The points of a line of the drawing."""
    given = str(who.page.locator(f".curve polyline{selector}").get_attribute("points"))
    return [(int(x), int(y)) for x, y in (each.split(",") for each in given.split())]


def test_the_curve_and_the_totals_are_what_was_paid_and_its_parts(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    evening(site, ann)
    ann.page.goto("/rounds")
    stud, cajun = (
        f"{signed(round(each), 'USD')} edge" for each in (sum(EXPECTED[:3]), EXPECTED[3])
    )
    chips = "play chips"
    assert ann.page.locator(".totals li").evaluate_all(ALL) == [
        f"Cajun Stud Diamond Jo Worth · {chips} -$10 1 round, $10 staked, {cajun}",
        f"Mississippi Stud Common rules · {chips} +$5 3 rounds, $35 staked, {stud}",
    ]
    # From 0 by -5, -5, +15 and -10; the highest is 5, the lowest what so much folding cost.
    lost, heights = mistakes(), [Fraction(each) for each in (0, -5_00, -10_00, 5_00, -5_00)]
    meant = [sum(EXPECTED[:n], Fraction()) for n in range(5)]
    skill = [sum((*EXPECTED[:n], *lost[:n]), Fraction()) for n in range(5)]
    least = min(*skill, *heights)

    def down(cents: Fraction | int) -> int:
        return round(150 * (5_00 - Fraction(cents)) / (5_00 - least))

    for selector, values in ((".won", heights), (".meant", meant), (".skill", skill)):
        assert points(ann, selector) == [(150 * n, down(each)) for n, each in enumerate(values)]
    made = Parts(edge=meant[-1], mistakes=sum(lost, Fraction()), luck=-5_00 - skill[-1]).cents
    assert sum(made.values()) == -5_00
    see(ann.page.locator(".made-of dd")).to_have_text(
        [signed(made[name], "USD") for name in ("edge", "mistakes", "luck")]
    )
    see(ann.page.locator(".curve figcaption")).to_contain_text("last 4 rounds with play chips: -$5")
    # Beside it what lies there: the drawing begins 6 of its 162 units above the most.
    beside = ann.page.locator(".curve .amounts text").evaluate_all(
        "all => all.map(each => [each.textContent, each.getAttribute('y')])"
    )
    assert down(0) - down(5_00) < APART, "there is no room for the highest"
    labels = ((0, 0), (int(round(least, -2)), least), (-5_00, -5_00))
    assert beside == [
        [label(says, "USD"), f"{round((down(cents) + 6) / 1.62, 1)}%"] for says, cents in labels
    ]

    ann.page.locator(".totals").get_by_role("link", name="Mississippi Stud").click()
    see(ann.page.locator(".list tbody tr")).to_have_count(3)
    see(ann.page.locator(".curve figcaption")).to_contain_text("last 3 rounds with play chips: +$5")
    see(ann.page.locator(".list tbody tr").first).to_contain_text("pair of kings")
    see(ann.page.locator(".list tbody tr").last).to_contain_text("play chips · folded ·")
    link = ann.page.locator(".list").get_by_role("link", name="JSON of round 3").first
    record = ann.context.request.get(str(link.get_attribute("href"))).json()
    assert record["round"].endswith("-3")
    assert record["rulebook"] == MISSISSIPPI.id
    ann.page.get_by_role("link", name="All games").click()
    see(ann.page.locator(".list tbody tr")).to_have_count(4)
    ann.page.goto("/rounds?game=no/such")
    see(ann.page.locator("main")).to_contain_text("None of your last rounds is such a one.")


LOOK = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).borderTopColor]"


def test_the_filters_in_force_can_be_told_by_eye(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    evening(site, ann)
    ann.page.goto("/rounds?ended=lost")
    looks = [each.evaluate(LOOK) for each in ann.page.locator(".filters a").all()]
    names = ann.page.locator(".filters a").all_inner_texts()
    assert [name for name, look in zip(names, looks, strict=True) if looks.count(look) == 1] == [
        "Lost"
    ]
    with ann.page.expect_navigation():
        ann.page.locator(".totals").get_by_role("link", name="Cajun Stud").click()
    games = ann.page.locator(".totals li", has_text="staked")
    see(games).to_have_count(2)
    (cajun, stud) = [each.evaluate(LOOK)[1] for each in games.all()]
    assert cajun != stud


def test_no_table_is_called_by_a_code_and_one_round_is_no_curve(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    evening(site, ann)
    ann.page.goto("/rounds")
    codes = {href.split("/")[-1][:8] for href in hrefs(ann, ".list a.button")}
    assert len(codes) == 2
    said = ann.page.locator("main").inner_text()
    assert not [code for code in codes if code in said]
    ann.page.locator(".totals").get_by_role("link", name="Cajun Stud").click()
    see(ann.page.locator(".list tbody tr")).to_have_count(1)
    see(ann.page.locator(".curve")).to_have_count(0)


def hrefs(who: Visitor, selector: str) -> list[str]:
    """Where links lead."""
    found: list[str] = who.page.locator(selector).evaluate_all(
        "all => all.map(each => each.getAttribute('href'))"
    )
    return found


@pytest.mark.parametrize("javascript", [True, False])
def test_times_are_the_readers_own_and_utc_without_a_script(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    evening(site, ann)
    ann.page.goto("/rounds")
    time = ann.page.locator("time").first
    exact = str(time.get_attribute("datetime"))
    utc = f"{exact[:16].replace('T', ' ')} UTC"
    if javascript:
        see(time).to_have_attribute("title", utc)
        own = "{ dateStyle: 'medium', timeStyle: 'short' }"
        assert time.inner_text() == ann.page.evaluate(
            f"new Date('{exact}').toLocaleString([], {own})"
        )
    else:
        see(time).to_have_text(utc)
