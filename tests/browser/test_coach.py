"""The coach in a browser: it is silent until it is asked, warns once, or shows every value."""

import pytest

from pitboss import round as rounds
from pitboss.house.replay import past
from pitboss.maths.luck import total
from pitboss.web.pages import coach
from pitboss.web.pages.history import luck
from pitboss.web.pages.luck_words import result_line
from tests.browser.geometry import SIZES, at_width, box, handsome, in_sight
from tests.browser.player import Player, journal, see
from tests.browser.scenes import DIAMOND_JO, SENECA, Play, Scene
from tests.browser.test_accessible import clean
from tests.browser.visitors import Site, Visitors

SEVEN_TWO = DIAMOND_JO._replace(mine="7h 2c", wagers={"ante": 25_00})
ACE_KING = SENECA._replace(
    mine="As Kd 9c 8h 6d", piles={"dealer": "Qc Kh 9h 5d 5s"}, wagers={"ante": 25_00}
)


def advised(site: Site, table: str) -> coach.Valuation:
    """Return what the coach says to the only one at a table."""
    live = site.run(site.house.table(table))
    (seat,) = live.table.sitters
    state = rounds.view(live.book, live.table.happened, seat)
    found = coach.advice(live.book, state, seat, live.table.minimum_cents)
    assert found is not None
    return found


def test_the_coach_speaks_when_asked_and_is_right(site: Site, new_person: Visitors) -> None:
    site.stack("2c 7d 9h  3s 8d")
    site.stack("2c 7d 9h  Ks Kd")
    ann = Player(new_person())
    table = ann.sit_down("Common rules")
    ann.bet(ante=10)
    ann.ready()
    pressed = ann.page.locator(".modes [aria-pressed=true]")
    see(pressed).to_have_text("Off")
    assert ann.values() == {}
    see(ann.page.locator("meter, .best, .coach")).to_have_count(0)
    ann.page.get_by_role("button", name="Show values").click()
    see(pressed).to_have_text("Show values")

    several = []
    for number, decisions in ((1, ("raise:3", "raise:1", "fold")), (2, ("fold",))):
        if number == 2:
            ann.bet(ante=10)
        for do in decisions:
            ann.asked()
            found = advised(site, table)
            values = {
                f"{each.action}:{each.times}".removesuffix(":0"): each.less
                for each in found.choices
            }
            assert ann.values() == values
            best = [name for name, value in values.items() if value == "best"]
            marked = ann.page.locator(".decide button.best")
            assert marked.evaluate_all("several => several.map(each => each.value)") == best
            said = f"{found.best().says.capitalize()} is best: {found.why}."
            see(ann.page.locator(".coach")).to_contain_text(said)
            ann.decide(do)
        house = site.house
        (sitter,) = site.run(house.table(table)).table.sitters.values()
        seen = site.run(house.in_thread(past, house.store, f"{table}-{number}", sitter.person))
        found_luck = luck(seen)
        assert found_luck is not None
        assert found_luck.parts.decisions == len(decisions)
        assert found_luck.parts.mistakes < 0
        several.append(found_luck.parts)
        whole = total(several)
        line = result_line(seen.book, found_luck)
        assert line.startswith("You lost $")
        see(ann.page.locator(".coach")).to_contain_text(f"{line} {coach.mattered(seen)}")
        see(ann.page.locator(".session dd")).to_have_text(
            [
                whole.accuracy,
                seen.book.money(-whole.cents["mistakes"]),
                seen.book.signed(whole.cents["luck"]),
            ]
        )
    ann.calm()
    ann.page.get_by_role("button", name="Off", exact=True).click()
    see(pressed).to_have_text("Off")
    see(ann.page.locator(".coach")).to_have_count(0)


@pytest.mark.parametrize("javascript", [True, False], ids=["scripts", "no scripts"])
def test_whoever_errs_is_asked_once_and_whoever_does_not_is_not(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    ann.forgive("status of 4")
    scene = Scene(site, ann, SEVEN_TWO, bots=0)
    player, page = Player(ann), ann.page
    page.goto(scene.path)
    page.get_by_role("button", name="Warn me").click()
    see(page.locator(".modes [aria-pressed=true]")).to_have_text("Warn me")
    scene.bet()
    page.goto(scene.path)
    see(page.locator("meter, .value, .best")).to_have_count(0)
    page.wait_for_timeout(300)
    player.choice("raise:2").click()
    alert = page.get_by_role("alert")
    see(alert).to_contain_text("on average: fold is better (two cards, no pair, one point;")
    see(page.locator(".told")).to_have_count(0)  # it is said once
    assert "raise-placed" not in journal(site, scene.table)
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Raise 2\N{MULTIPLICATION SIGN} all the same").click()
    see(player.balance).to_have_text("$925")
    see(alert).to_have_count(0)
    page.wait_for_timeout(300)
    worths = {each.action: each for each in advised(site, scene.table).choices if each.best}
    assert worths.keys() == {"raise"}  # a queen, and so much in already
    player.choice(f"raise:{worths['raise'].times}").click()
    see(player.balance).to_have_text("$900")
    assert journal(site, scene.table).count("raise-placed") == 2


@pytest.mark.parametrize("play", [SEVEN_TWO, ACE_KING], ids=lambda play: play.book)
def test_the_question_is_in_the_window_and_moves_nothing(
    site: Site, new_person: Visitors, play: Play
) -> None:
    ann = new_person()
    scene = Scene(site, ann, play)
    scene.coach("warn")
    scene.look()
    scene.bet()
    page, placed = scene.look(), {}
    for size in SIZES:
        at_width(page, *size)
        placed[size] = [box(page, each) for each in (".panel", ".decide .raise button")]
    page.wait_for_timeout(300)
    before = journal(site, scene.table)
    page.keyboard.press("e")
    see(page.get_by_role("button", name="all the same")).to_be_visible()
    for size in SIZES:
        at_width(page, *size)
        in_sight(page, ".ask span", ".ask button", ".decide button", ".yours .spot", ".ghost")
        assert placed[size] == [box(page, each) for each in (".panel", ".decide .raise button")]
        handsome(page, f"asked at {size}")
    clean(page)
    assert journal(site, scene.table) == before
    page.keyboard.press("e")  # says yes
    see(page.locator(".ask")).to_have_count(0)
    see(page.locator(".coach")).to_be_visible()
    clean(page, by_night=1440)
