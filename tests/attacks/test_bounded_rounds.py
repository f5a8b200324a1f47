"""What one round is made of is bounded, so that every look at it is: variations of H2 and H3."""

import asyncio
import urllib.request
from typing import Any

import pytest

from pitboss.house.table.procedure import MOST_BETS, MOST_LIGHTS
from pitboss.web.pages import history
from pitboss.web.pages.history import Replays
from pitboss.web.pages.round_course import MOST_STEPS
from tests.web.open_house import Caller, Visited

CAJUN = "diamond-jo-worth/cajun-stud"


def tried(caller: Caller, table: str, action: str, **more: Any) -> str:
    """Return why somebody's command was refused; empty, if it was not."""
    answer = caller.do(table, action, **more)
    return "" if answer.status == 200 else answer.code


def bet(caller: Caller, table: str, cents: int, seat: int = 1) -> str:
    return tried(caller, table, "bet", seat=seat, wagers={"ante": cents} if cents else {})


@pytest.fixture
def restless(house: Visited) -> tuple[Caller, str]:
    """A guest who has changed their bet as often as they may; another sits there and has none."""
    ann, bob = house.guest(), house.guest()
    table = ann.open(betting_seconds=600)
    ann.do(table, "sit", seat=1)
    bob.come(table)
    bob.do(table, "sit", seat=2)
    done = [bet(ann, table, 5_00 + 5_00 * (n % 2)) for n in range(MOST_BETS + 2)]
    assert done == [""] * MOST_BETS + ["bet/too-often"] * 2
    assert bet(ann, table, 0) == "bet/too-often", "nor is it taken down and placed again"
    assert bet(bob, table, 5_00, seat=2) == "", "whoever has no bet down is not kept from it"
    return ann, table


def test_h2_a_bet_is_not_changed_for_ever(restless: tuple[Caller, str]) -> None:
    ann, table = restless
    for seat in (1, 2):
        held = next(each for each in ann.view(table)["seats"] if each["seat"] == seat)
        assert held["stakes"] == {"ante": 10_00 if seat == 1 else 5_00}, held


def test_h2_a_script_that_says_it_has_seen_nothing_is_drawn_a_hundred_steps(
    restless: tuple[Caller, str],
) -> None:
    ann, table = restless
    headers = {"Cookie": f"pitboss={ann.token}", "X-Shown": "1.0", "X-Part": "1"}
    request = urllib.request.Request(f"{ann.address}/tables/{table}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        page = answer.read().decode()
    first = min(int(each.partition('"')[0]) for each in page.split('data-at="')[1:])
    told = int(page.partition('data-told="')[2].partition('"')[0].partition(".")[2])
    assert first >= told - MOST_STEPS > 0


def test_h2_nobody_looks_through_the_cards_for_ever(house: Visited) -> None:
    """Once in each role at a practice table: the pairs of those who did are gone through."""
    ann = house.guest()
    table = ann.open(CAJUN, dealing="entered")
    ann.do(table, "start-dealing")
    assert ann.do(table, "bring-cards", colours=["red"]).status == 200
    looked = [tried(ann, table, "inspect-cards", role="dealer") for _ in range(3)]
    assert looked == ["", "cards/inspected-twice", "cards/inspected-twice"]
    assert tried(ann, table, "inspect-cards", role="floor-supervisor") == ""
    ann.do(table, "wash-cards")
    assert ann.do(table, "open-betting").status == 200


def test_h2_the_shuffler_does_not_show_lights_for_ever(house: Visited) -> None:
    ann = house.guest()
    table = ann.open(CAJUN, dealing="entered", shuffler=True)
    ann.do(table, "start-dealing")
    ann.do(table, "bring-cards", colours=["red", "blue"])
    for role in ("dealer", "floor-supervisor"):
        ann.do(table, "inspect-cards", role=role)
    ann.do(table, "wash-cards")
    assert tried(house.guest().come(table), table, "sit", seat=1) == ""
    assert ann.do(table, "open-betting").status == 200
    assert bet(ann, table, 5_00) == ""
    assert ann.do(table, "close-bets").status == 200
    lights = [tried(ann, table, "light", colour="red") for _ in range(MOST_LIGHTS + 2)]
    assert lights == [""] * MOST_LIGHTS + ["light/too-often"] * 2


def test_h3_what_is_remembered_of_rounds_is_bounded_by_their_events(
    house: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_EVENTS", 60)
    assert house.web is not None
    assert house.loop is not None
    kept = house.web.kept(Replays)
    ann = house.guest()
    table = ann.open(betting_seconds=600)
    ann.do(table, "sit", seat=1)
    for number in range(1, 9):
        assert bet(ann, table, 5_00) == ""
        assert ann.do(table, "fold", seat=1, confirmed=True).status == 200
        look = kept.read(house.web.house, f"{table}-{number}", ann.person)
        asyncio.run_coroutine_threadsafe(look, house.loop).result(30)
        held = sum(len(each.events) for each in kept._replays.values())
        assert 0 < held == kept._events <= 60
    assert (f"{table}-8", ann.person) in kept._replays
    assert (f"{table}-1", ann.person) not in kept._replays
