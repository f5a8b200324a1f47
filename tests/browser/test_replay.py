"""The replay of a round: what it opens at, how one walks through it, and who sees what of it."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from pitboss.house.replay import past
from pitboss.web.pages import coach
from pitboss.wording import TIMES
from tests.browser.geometry import at_width, handsome, in_sight
from tests.browser.player import cards_in, see
from tests.browser.visitors import Site, Visitor, Visitors
from tests.web.open_house import Caller

if TYPE_CHECKING:
    from playwright.sync_api import Route

SVG = "{http://www.w3.org/2000/svg}"
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


def invited(site: Site, who: Visitor, where: str) -> None:
    """Let somebody come to the table of a round."""
    table = where.removeprefix("/rounds/").rpartition("-")[0]
    assert who.enter()("POST", "/api/invitations", site.invitation(table)).status == 200


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
    invited(site, eve, where)
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


# Walking through it -------------------------------------------------------------------------------

HOLDS = (
    "Checked by this page: all 5 cards that were seen were dealt as the sealed deck says,"
    " and the house signed it."
)


def alone(site: Site, caller: Caller) -> str:
    """Play a round of Mississippi Stud; return where its replay is."""
    site.stack("2c 7d 9h  Ks Kd")
    table = caller.open(betting_seconds=600, decision_seconds=600)
    caller.do(table, "sit", seat=1)
    caller.do(table, "bet", seat=1, wagers={"ante": 10_00})
    for times in (1, 3, 1):
        assert caller.do(table, "raise", seat=1, times=times).status == 200
    return f"/rounds/{table}-1"


def at(who: Visitor) -> str:
    """Which step it is."""
    return who.page.locator(".steps span").inner_text()


def test_a_replay_opens_at_your_first_decision_and_goes_from_one_to_the_next_by_keys(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    ann.page.goto(alone(site, ann.enter()))
    says, board = ann.page.locator(".status"), ann.page.locator(".piles")
    see(ann.page.locator("#fair")).to_have_text(HOLDS)
    back = ann.page.get_by_role("link", name="Back to the table").get_attribute("href")
    assert ann.page.url.startswith(f"{site.address}/rounds/{str(back).removeprefix('/tables/')}-")
    see(says).to_have_text("You raise 1 time: $10.")
    assert cards_in(board) == ["back"] * 3
    told, steps = [], ann.page.locator(".log li").count()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Shift+ArrowLeft", "Home"):
        before = at(ann)
        ann.page.keyboard.press(key)
        see(ann.page.locator(".steps span")).not_to_have_text(before)
        told.append(says.inner_text())
    assert told == [
        "You raise 3 times: $30.",
        "You raise 1 time: $10.",
        "You are paid $120: pair of kings.",
        "You raise 1 time: $10.",
        "The second board card is the seven of diamonds.",
        told[-1],
    ]
    assert at(ann) == f"1 of {steps}"
    ann.page.keyboard.press("Shift+ArrowRight")
    see(ann.page.locator(".steps span")).to_have_text(f"2 of {steps}")
    ann.page.keyboard.press("End")
    see(ann.page.locator(".steps span")).to_have_text(f"{steps} of {steps}")
    see(ann.page.locator(".receipt")).to_contain_text("+$60")
    ann.page.locator(".log").get_by_role("link", name="The second board card").click()
    see(says).to_contain_text("The second board card")
    assert cards_in(board) == ["2c", "7d", "back"]
    ann.page.get_by_role("link", name="One step on").click()
    see(says).to_have_text("You raise 1 time: $10.")
    ann.page.reload()  # the address is that of the step
    see(says).to_have_text("You raise 1 time: $10.")
    see(ann.page.locator("#fair")).to_have_text(HOLDS)


def test_who_did_not_play_sees_a_round_from_its_end(site: Site, new_person: Visitors) -> None:
    ann, eve = new_person(), new_person()
    where = alone(site, ann.enter())
    invited(site, eve, where)
    eve.page.goto(where)
    see(eve.page.locator(".status")).to_contain_text("is paid $120")
    see(eve.page.locator(".timeline")).to_have_count(0)
    ann.page.goto(where)
    eve.page.goto(str(ann.page.locator(".share a").get_attribute("href")))
    see(eve.page.locator(".status")).to_contain_text("Jacks or better paid 1 to 1: +$60")
    see(eve.page.locator(".timeline .dot")).to_have_count(3)  # of the seat whose view it is


@pytest.mark.parametrize("javascript", [True, False])
def test_b15_steps_that_lead_nowhere_are_disabled(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    where = alone(site, ann.enter())
    names = ("First step", "One step back", "One step on", "Last step")
    for step, live in ((1, (0, 0, 1, 1)), (5, (1, 1, 1, 1)), (99, (1, 1, 0, 0))):
        ann.page.goto(f"{where}?step={step}")
        for name, leads in zip(names, live, strict=True):
            link = ann.page.get_by_role("link", name=name)
            told = (link.get_attribute("href") is not None, link.get_attribute("aria-disabled"))
            assert told == ((True, None) if leads else (False, "true")), (step, name)
    before = at(ann)
    ann.page.get_by_role("link", name="Last step").click(force=True)
    for key in ("ArrowRight", "Shift+ArrowRight", "End"):
        ann.page.keyboard.press(key)
    assert at(ann) == before


def test_each_decision_shows_what_it_cost_and_what_the_others_were_worth(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person()
    caller = ann.enter()
    where = alone(site, caller)
    found = past(site.house.archive, where.rpartition("/")[2], caller.person)
    decisions = coach.decisions(found)
    grades = [each.cost.grade for each in decisions if each.cost is not None]
    assert grades == ["mistake", "best", "mistake"]  # a pair of kings raises all it can
    ann.page.goto(where)
    dots = ann.page.locator(".timeline .dot")
    for number, decision in enumerate(decisions):
        dot = dots.nth(number)
        dot.click()
        see(dot).to_have_attribute("aria-current", "step")
        assert decision.cost is not None
        lost = found.book.signed(-decision.cost.cents) if decision.cost.cents else "best"
        see(dot).to_have_text(f"Decision {number + 1} {lost}", use_inner_text=False)
        see(dot).to_have_class(f"dot {decision.cost.grade}")
        shown = ann.page.locator(".weighed li").evaluate_all(
            "all => all.map(each => [...each.querySelectorAll('b, small, span')]"
            ".map(part => part.innerText.trim()))"
        )
        assert shown == [
            [
                each.says.capitalize(),
                *(["your choice"] if each == decision.made else []),
                "best" if each.best else found.book.signed(-each.less_cents),
                f"nets {each.text} on average",
            ]
            for each in reversed(decision.choices)  # as they lie in the dock
        ]
        said = f"{decision.cost.best.capitalize()} was best: {decision.cost.why}."
        see(ann.page.locator(".weighing")).to_contain_text(said)
    ann.page.keyboard.press("Home")
    see(ann.page.locator(".weighed")).to_have_count(0)


@pytest.mark.parametrize("javascript", [True, False])
def test_another_choice_says_how_this_very_round_would_have_ended(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    ann.page.goto(alone(site, ann.enter()))
    answer, choices = ann.page.locator(".what-if"), ann.page.locator(".weighed")
    see(answer).to_be_empty()
    see(choices.get_by_role("link")).to_have_count(3)  # and not what was done
    choices.get_by_role("link", name="Raise 3").click()
    # Kings pay even money on 10 and raises of 30, 30 and 10.
    see(answer.locator(".came")).to_have_text(f"Raise 3{TIMES}: +$80 instead of +$60")
    see(answer).to_contain_text("3rd Street $30")
    see(answer).to_contain_text("all other decisions as they were made.")
    see(choices.locator("[aria-current]")).to_contain_text("Raise 3")
    choices.get_by_role("link", name="Fold").click()
    see(answer.locator(".came")).to_have_text("Fold: -$10 instead of +$60")
    ann.page.locator(".timeline .dot").nth(1).click()
    see(answer).to_be_empty()  # it was about the other decision


FOLDED = "6h 6d 2c 9s Jd  3c 4d 8h Th Qc"
"""A pair of sixes for the only seat at Caribbean Stud."""


def folded(site: Site, caller: Caller) -> str:
    """Fold it; return where its replay is."""
    site.stack(FOLDED)
    table = caller.open("seneca-niagara/caribbean-stud", betting_seconds=600, decision_seconds=600)
    caller.do(table, "sit", seat=1)
    caller.do(table, "bet", seat=1, wagers={"ante": 10_00})
    assert caller.do(table, "fold", seat=1, confirmed=True).status == 200
    return f"/rounds/{table}-1"


@pytest.mark.parametrize("round_of", [alone, folded])
def test_the_choices_and_what_comes_of_another_lie_inside_the_window(
    site: Site, new_person: Visitors, round_of: Callable[[Site, Caller], str]
) -> None:
    ann = new_person()
    where = round_of(site, ann.enter())
    for size in ((1440, 900), (1366, 657), (390, 844), (844, 390)):
        at_width(ann.page, *size)
        ann.page.goto(where)
        in_sight(ann.page, ".steps .button", ".dot", ".held .card")
        if size != (844, 390):  # there the choices lie below the felt
            in_sight(ann.page, ".weighed li")
        see(ann.page.locator(".posted")).to_contain_text("Replay round 1")
        handsome(ann.page, f"a decision at {size}")
        ann.page.locator(".weighed a").last.click()
        see(ann.page.locator(".what-if p").first).to_be_in_viewport(ratio=1)
        handsome(ann.page, f"what if at {size}")


def test_it_plays_by_itself_to_the_end_unless_movement_is_not_wanted(
    site: Site, new_person: Visitors
) -> None:
    still, ann = new_person(), new_person(reduced_motion=False)
    where = alone(site, ann.enter())
    invited(site, still, where)
    still.page.goto(where)
    see(still.page.locator("[data-play]")).to_be_hidden()
    ann.page.clock.install()
    ann.page.goto(where)
    play, last = ann.page.locator("[data-play]"), ann.page.locator(".log li").count()
    see(play).to_have_text("Play")
    play.click()
    see(play).to_have_text("Pause")
    begun = int(at(ann).partition(" ")[0])
    for step in range(begun + 1, last + 1):
        see(ann.page.locator(".steps span")).to_have_text(f"{step} of {last}")
        ann.page.clock.run_for(1_200)
    see(play).to_have_text("Play")  # it has come to its end
    play.click()  # and begins anew
    see(ann.page.locator(".steps span")).to_have_text(f"1 of {last}")
    ann.page.keyboard.press("ArrowRight")  # whoever takes a step goes on alone
    see(play).to_have_text("Play")


# The sealed deck ----------------------------------------------------------------------------------


def test_the_deck_is_checked_card_by_card(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    where = alone(site, ann.enter())
    ann.page.goto(where)
    ann.page.locator(".deck summary").click()
    see(ann.page.locator(".deck li")).to_have_count(52)
    see(ann.page.locator(".deck .holds")).to_have_count(5)
    assert cards_in(ann.page.locator(".deck")) == ["2c", "7d", "9h", "Ks", "Kd"]
    places = ann.page.locator(".deck li b").all_text_contents()
    # Nobody has cut it: it is dealt from the top.
    assert places == [f"at place {place}" for place in range(1, 6)]
    both = ann.page.locator("code.hash").all_inner_texts()
    assert len(both) == 2
    assert both[0] == both[1]  # the one that was sealed, and the one that the page made
    ann.page.keyboard.press("End")
    see(ann.page.locator(".receipt")).to_be_visible()
    see(ann.page.locator(".deck .holds")).to_have_count(5)  # they stay from step to step

    def forge(route: "Route") -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("[&#34;Ks&#34;", "[&#34;As&#34;"))

    ann.page.route(f"**{where}", forge)
    ann.page.goto(where)
    see(ann.page.locator(".deck .fails")).to_have_attribute("data-place", "3")
    see(ann.page.locator(".deck .holds")).to_have_count(4)


def test_without_a_script_the_cards_lie_at_their_places_unchecked(
    site: Site, new_person: Visitors
) -> None:
    ann = new_person(javascript=False)
    ann.page.goto(alone(site, ann.enter()))
    ann.page.locator(".deck summary").click()
    assert cards_in(ann.page.locator(".deck")) == ["2c", "7d", "9h", "Ks", "Kd"]
    see(ann.page.locator(".deck .holds")).to_have_count(0)
    see(ann.page.locator("[data-play]")).to_be_hidden()
    see(ann.page.locator("[data-copy]")).to_be_hidden()


# Sharing ------------------------------------------------------------------------------------------


def test_a_shared_round_shows_its_seat_large_and_under_its_own_name(
    site: Site, new_person: Visitors
) -> None:
    ann, eve = new_person(), new_person()
    site.person("ann", "player", cents=20_000_00)
    ann.page.goto(play(site, ann.sign_in("ann"), site.person("ben", "player")))
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = ann.page.locator(".share a")
    ann.page.get_by_role("button", name="Copy the link").click()
    see(ann.page.locator("[data-copied]")).to_have_text("Copied.")
    copied = str(ann.page.evaluate("navigator.clipboard.readText()"))
    assert copied == f"{site.address}{link.get_attribute('href')}"

    eve.page.goto(copied)
    assert cards_in(eve.page.locator(".yours")) == ["Ah", "Kh"]
    see(eve.page.locator(".posted")).to_contain_text("round 1, as Ann saw it")
    see(eve.page.locator(".yours .net")).to_have_text("+$24,774.74")
    headline = "Royal flush paid 500 to 1: +$24,779.74, round +$24,774.74"
    see(eve.page.locator(".status")).to_have_text(headline)
    see(eve.page.get_by_role("link", name="Back to the table")).to_have_count(0)
    assert "Your " not in eve.page.locator("main").inner_text()
    told = dict(
        eve.page.locator("meta[property^='og:']").evaluate_all(
            "all => all.map(each => [each.getAttribute('property'), each.content])"
        )
    )
    assert told == {
        "og:type": "website",
        "og:title": headline,
        "og:description": "Cajun Stud at Diamond Jo Worth, round 1, as it was seen from seat 1",
        "og:url": copied,
        "og:image": f"{copied}/felt.svg",
        "og:image:type": "image/svg+xml",
    }
    eve.page.locator(".log").get_by_role("link", name="Ben gets two cards").click()
    see(eve.page.locator(".status")).to_have_text("Ben gets two cards.")
    assert "Your " not in eve.page.locator("main").inner_text()  # whose turn it was is not hers
    see(ann.page.locator("meta[property^='og:']")).to_have_count(0)  # her own page is hers


def test_the_picture_of_a_shared_round_shows_what_the_link_may_see(
    site: Site, new_person: Visitors
) -> None:
    ann, eve = new_person(), new_person()
    site.stack("2c 7d  9h 8h  Th Jh Qh")
    caller, ben = ann.enter(), site.guest()
    table = caller.open("diamond-jo-worth/cajun-stud", betting_seconds=600, decision_seconds=600)
    both = ((caller, 1), (ben, 2))
    for who, seat in both:
        assert who.do(table, "sit", seat=seat).status == 200
    for who, seat in both:
        assert who.do(table, "bet", seat=seat, wagers={"ante": 5_00}).status == 200
    assert caller.do(table, "raise", seat=1, times=1).status == 200
    assert ben.do(table, "fold", seat=2).status == 200
    for _ in range(2):
        assert caller.do(table, "raise", seat=1, times=1).status == 200
    ann.page.goto(f"/rounds/{table}-1")
    link = str(ann.page.locator(".share a").get_attribute("href"))

    answer = eve.context.request.get(f"{link}/felt.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    said = [each.text for each in ElementTree.fromstring(answer.text()).iter(f"{SVG}text")]
    assert said == [
        *("Cajun Stud", "Diamond Jo Worth", "Pitboss"),
        *("10", "♥", "J", "♥", "Q", "♥", "2", "♣", "7", "♦"),
        *("queen high", "Ante $5", "lost", "First Raise $5", "lost"),
        *("Second Raise $5", "lost", "Third Raise $5", "lost", "-$20"),
    ]
    wrong = eve.context.request.get(f"{link[:-1]}{'0' if link[-1] != '0' else '1'}/felt.svg")
    assert wrong.status == 404


def test_a_folded_hand_of_five_is_drawn_whole_and_says_that_it_was_folded(
    site: Site, new_person: Visitors
) -> None:
    """Four of five cards lay half under the next, with "pair of sixes" above them."""
    ann = new_person()
    ann.page.goto(folded(site, ann.enter()))
    link = str(ann.page.locator(".share a").get_attribute("href"))
    drawn = ElementTree.fromstring(ann.context.request.get(f"{link}/felt.svg").text())
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert "folded" in texts
    assert "pair of sixes" not in texts
    for card in ("6", "6", "2", "9", "J", "Q"):
        texts.remove(card)
    rows: dict[float, list[tuple[float, float]]] = {}
    for group in drawn.iter(f"{SVG}g"):
        moved = re.fullmatch(
            r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", group.get("transform", "")
        )
        if moved:
            x, y, scale = map(float, moved.groups())
            rows.setdefault(y, []).append((x, x + 100 * scale))
    assert [len(row) for row in rows.values()] == [5, 5]
    for row in rows.values():
        assert all(right < left for (_, right), (left, _) in pairwise(row)), (
            "none lies over another"
        )
    wagers = [float(e.get("x", "")) for e in drawn.iter(f"{SVG}text") if e.text == "Ante $10"]
    assert max(right for _, right in rows[380]) < wagers[0]


def test_the_picture_is_shown_small_and_can_be_saved(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    where = alone(site, ann.enter())
    ann.page.goto(where)
    link = ann.page.get_by_role("link", name="Save the picture")
    link.scroll_into_view_if_needed()
    image = link.locator("img")
    see(image).to_have_js_property("naturalWidth", 1200)
    assert int(image.evaluate("each => each.clientWidth")) < 400
    with ann.page.expect_download() as saved:
        link.click()
    assert saved.value.suggested_filename == f"{where.rpartition('/')[2]}.svg"
