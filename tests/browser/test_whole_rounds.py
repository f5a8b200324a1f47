"""Whole rounds of every game by mouse, by touch and by keyboard alone, in every window: what is
needed next lies in sight, and the main action stays where it is."""

import pytest

from tests.browser.geometry import SIZES, at_width, box, in_sight
from tests.browser.player import By, Player, journal, see
from tests.browser.scenes import PLAYS, Play, Scene
from tests.browser.visitors import Site, Visitors

BETTING = (".status", ".spot.takes", ".spot input", ".rack label", ".bet .go", ".posted", ".cap")
DECIDING = (".status", ".decide button", ".held .card", ".pile .card", ".posted")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.book)
@pytest.mark.parametrize("by", ["mouse", "touch", "keyboard"])
def test_a_whole_round_in_every_window(
    site: Site, new_person: Visitors, play: Play, by: By
) -> None:
    ann = new_person(touch=by == "touch")
    scene = Scene(site, ann, play, bots=0)
    player, page = Player(ann, by), scene.look()
    betting = BETTING if scene.book.cap else BETTING[:-1]
    for size in SIZES:
        at_width(page, *size)
        in_sight(page, *betting)
        stood, dock = box(page, ".bet .go"), box(page, ".panel")
        player.tool("clear")
        player.put(25, scene.book.ante.name)
        player.put(1, *(name for name in play.wagers if name != scene.book.ante.name))
        assert player.wagers.keys() == play.wagers.keys()
        scene.stack()
        player.deal()
        for times in play.raises:
            player.ready()
            in_sight(page, *DECIDING)
            assert box(page, ".decide .raise button")[1::2] == stood[1::2], size
            assert box(page, ".panel") == dock, size
            player.decide(f"raise:{times}")
        see(page.locator(".outcome .net")).to_be_visible()
        in_sight(page, ".outcome .net", ".held .card", ".pile .card", *betting)
        assert (box(page, ".bet .go"), box(page, ".panel")) == (stood, dock)
        assert page.evaluate("[scrollX, scrollY]") == [0, 0]
    assert journal(site, scene.table).count("round-paid") == len(SIZES)
