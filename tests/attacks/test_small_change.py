"""Chips that a house's own settings or an odd rulebook could make vanish or pile up."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.house.settings import checked
from pitboss.house.storage.store import MOST_CENTS
from pitboss.house.table import commands as c
from pitboss.money import text
from pitboss.round import actions as a
from pitboss.round.wagers import wagers_refusal
from tests.helpers import DIAMOND_JO
from tests.house.clocked_house import clocked_house


@pytest.mark.parametrize(("own", "code"), [(True, "toke/above-own-bet"), (False, "toke/alone")])
def test_m12_no_toke_without_the_wager_that_a_hand_needs(own: bool, code: str) -> None:
    """Also where a house lets a toke be more than the player's own bet."""
    toke = DIAMOND_JO.toke
    assert toke is not None
    book = replace(DIAMOND_JO, toke=replace(toke, at_most_own_bet=own))
    refusal = wagers_refusal(book, 5_00, 100_00, {}, 5_00)
    assert refusal is not None
    assert (refusal.code, refusal.clause) == (code, toke.cited)
    assert wagers_refusal(book, 5_00, 100_00, {"ante": 5_00}, 5_00) is None
    assert wagers_refusal(book, 5_00, 100_00, {}, 0) is None


def test_m12_chips_stay_with_a_player_who_bets_a_toke_alone(quick_path: Path) -> None:
    async def bets() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            sam, ann = await here.person("sam", "shift-manager"), await here.person("ann", "player")
            await here.open(sam, DIAMOND_JO.id)
            await here.do(ann, c.Sit(1))
            refusal = await here.refused(ann, a.Bet(1, {}, 5_00))
            assert refusal.code == "toke/above-own-bet"
            assert here.house.store.balance("chips:ann") == 1_000_000

    asyncio.run(bets())


@pytest.mark.parametrize("zone", ["localtime", "posixrules", "right/UTC", "Europe", "", "../UTC"])
def test_l10_the_house_is_in_a_place_that_every_computer_knows(zone: str) -> None:
    """Of two servers each has its own `localtime`, and would count other gaming days."""
    assert checked("timezone", "Europe/Berlin") == "Europe/Berlin"
    with pytest.raises(Unreadable, match="write a zone such as America/Chicago"):
        checked("timezone", zone)


def test_l10_guests_start_with_no_more_than_one_posting_moves(quick_path: Path) -> None:
    most, more = text(MOST_CENTS), text(MOST_CENTS + 1)
    assert checked("guest-play-chips", most) == most
    for wrong in (more, "99,999,999,999.00"):
        with pytest.raises(Unreadable, match=r"write at most 10,000,000,000\.00"):
            checked("guest-play-chips", wrong)

    async def enters() -> None:
        async with clocked_house(str(quick_path / "house.db")) as here:
            await here.person("gus", "general-manager")
            await here.house.change_setting("gus", "guest-play-chips", most, "a feast", "k")
            guest = await here.sessions.guest()
            await here.sessions.join(guest.person)
            assert here.house.store.balance(f"play:{guest.person}") == MOST_CENTS

    asyncio.run(enters())
