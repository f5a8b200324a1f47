"""Luck and skill in a browser: a line, a replay, a drawing, and the house's side of it."""

import re

import pytest

from pitboss.house.replay import past
from pitboss.money import cents, signed
from pitboss.web.pages.history import luck
from tests.browser.geometry import handsome
from tests.browser.player import see
from tests.browser.scenes import DIAMOND_JO, Scene
from tests.browser.test_accessible import clean
from tests.browser.visitors import Site, Visitors

WORSE = DIAMOND_JO._replace(raises=(3, 1, 2))


def worth(shown: str) -> int:
    """Money as it is shown, with its sign."""
    found = cents(shown.lstrip("+-"))
    return -int(found) if shown.startswith("-") else int(found)


def test_a_round_is_told_in_a_line_and_step_by_step(site: Site, new_person: Visitors) -> None:
    ann = new_person()
    scene = Scene(site, ann, WORSE, bots=1)
    scene.coach()
    scene.bet()
    scene.to_the_end()
    house, name = site.house, f"{scene.table}-1"
    seen = site.run(house.in_thread(past, house.archive, name, scene.caller.person))
    found = luck(seen)
    assert found is not None
    parts, net = found.parts.cents, found.parts.net_cents
    box = scene.look().locator(".coach")
    line = f"You won {seen.book.money(net)}: luck {seen.book.signed(parts['luck'])}, the edge "
    see(box).to_contain_text(line)
    see(box).to_contain_text(f"mistakes {seen.book.signed(parts['mistakes'])}. Decision ")
    told = re.findall(r"(?:luck|edge|mistakes) ([+-]\$[\d.,]*\d)", box.inner_text())
    assert sum(map(worth, told)) == net
    clean(ann.page)

    ann.page.goto(f"/rounds/{name}?step=99")
    rows = ann.page.locator("section.luck tbody tr")
    shown = [worth(each) for each in rows.locator("td:last-child").all_inner_texts()]
    assert sum(shown) == net
    see(ann.page.locator("section.luck tfoot")).to_contain_text(seen.book.signed(net))
    assert rows.filter(has_text="Mistakes").count() == 2
    clean(ann.page)
    luckiest = rows.filter(has=ann.page.get_by_role("link")).filter(has_text="Luck").first
    brought = luckiest.locator("td").last.inner_text()
    luckiest.get_by_role("link").click()
    see(ann.page.locator(".moment")).to_contain_text(f"King of hearts: {brought} of what")


@pytest.mark.parametrize("javascript", [False])
def test_the_drawing_has_a_line_for_each_and_a_lifetime_is_counted(
    site: Site, new_person: Visitors, javascript: bool
) -> None:
    ann = new_person(javascript=javascript)
    scene = Scene(site, ann, WORSE, bots=0)
    for number in range(12):
        scene.bet(ante=5_00, board_bonus=5_00)
        if number % 3:
            scene.to_the_end()
        else:
            scene.fold()
    ann.page.goto("/rounds")
    see(ann.page.locator(".curve polyline")).to_have_count(3)
    made = ann.page.locator(".made-of").first.locator("dd").all_inner_texts()
    came = ann.page.locator(".curve figcaption .net").inner_text()
    assert sum(map(worth, made)) == worth(came)
    handsome(ann.page, "your rounds")
    clean(ann.page)


def test_the_floor_sees_what_the_house_has_won_and_players_do_not(
    site: Site, new_person: Visitors
) -> None:
    pip, flo = new_person(), new_person()
    player = site.person("lou", "player")
    boss = site.person("meg", "shift-manager", cents=0)
    site.person("fay", "floor-supervisor", cents=0)
    site.stack("2c 7d 9h  Ks Kd")
    options = {"practice": False, "betting_seconds": 600, "decision_seconds": 600}
    table = boss.open("common/mississippi-stud", **options)
    for action, more in (
        ("sit", {}),
        ("bet", {"wagers": {"ante": 25_00, "three-card-bonus": 5_00}}),
        ("fold", {"confirmed": True}),
    ):
        assert player.do(table, action, seat=1, **more).status == 200
    flo.sign_in("fay")
    flo.page.goto("/floor")
    flo.page.get_by_role("link", name="Today's win").click()
    row = flo.page.locator(".wins li", has_text=table[:8])
    see(row).to_contain_text("+$30")
    parts = row.locator("dd").all_inner_texts()
    assert sum(map(worth, parts)) == 30_00
    assert worth(parts[1]) > 0, "folding kings is won from players"
    see(flo.page.locator(".won")).to_contain_text(f"{signed(worth(parts[1]), 'USD')} mistakes")
    assert not re.search(r"lou|K♠|Kd", flo.page.locator("main").inner_text())
    clean(flo.page)
    pip.forgive("status of 403")
    pip.sign_in("lou")
    pip.page.goto("/floor/win")
    see(pip.page.locator("main")).to_contain_text("See-win is done by auditor")
