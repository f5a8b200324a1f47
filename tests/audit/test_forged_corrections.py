"""Forgers of corrections who mend the chain, and yet are found."""

import asyncio
import shutil
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.promises import ROLES, SAME_BYTES, SETTLED, VIEWS
from pitboss.cards import cards
from pitboss.house.storage.journal import Entry
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from pitboss.round.redo import SeatFacts
from tests.audit.forgery import events, forge, found, in_one_file, with_body
from tests.house.evening import Evening
from tests.house.test_corrections import TEN, paid, royal, with_bets

TWICE = SeatFacts(1, decisions=(2,))


@pytest.fixture(scope="module")
def put_right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house in which a round was put right before and after it was paid."""
    path = tmp_path_factory.mktemp("put-right") / "house.db"

    async def play() -> None:
        here = Evening(str(path))
        await here.house.start()
        name = await royal(here)
        await here.do(name, "dan", a.Pay())  # of the seat that waits for nobody
        for who, role in (("dan", "dealer"), ("flo", "floor-supervisor")):
            await here.do(name, who, c.Correct(role, "misread", piles=TEN))
        await paid(here, name)
        for who, role in (("sam", "shift-manager"), ("sue", "surveillance")):
            await here.do(name, who, c.CorrectPaid(role, "bets", (TWICE,), round=1))
        await here.house.stop()

    asyncio.run(play())
    return in_one_file(path)


@pytest.fixture(scope="module")
def found_late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house in which a supervisor found a bet late, while cards were to come."""
    path = tmp_path_factory.mktemp("found-late") / "house.db"

    async def play() -> None:
        here = Evening(str(path))
        await here.house.start()
        name = await with_bets(here)
        await here.do(name, "dan", a.CloseBets())
        await here.do(name, "dan", a.Deal(cards("2c 4d 7h 9s")))
        await here.do(name, "flo", a.AcceptLate(1, "ante", 150_00, "floor-supervisor"))
        deck = iter(cards("Jc Qd Ks"))
        await here.work(name, lambda count: tuple(islice(deck, count)))
        await here.do(name, "dan", a.Pay())
        await here.house.stop()

    asyncio.run(play())
    return in_one_file(path)


def test_r34__a_late_find_that_takes_a_wager_down_is_found(found_late: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    shutil.copy(found_late, copy)
    assert found(copy) == {}

    def lower(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for event in events(body, "late-wager-accepted"):
            event["cents"] = 1_00
            return with_body(entry, body)
        return None

    position = forge(copy, lower)
    assert found(copy)[ROLES].startswith(f"journal {position} (")


def test_m7__a_payoff_that_was_voided_by_who_dealt_since_is_found(tmp_path: Path):
    path = tmp_path / "house.db"

    async def play() -> None:
        here = Evening(str(path))
        await here.house.start()
        name = await royal(here)
        await here.do(name, "flo", a.CallMisdeal("information", "floor-supervisor"))
        await here.do(name, "dan", c.StopDealing())
        await here.do(name, "dan", c.StartDealing())
        await here.do(name, "sam", a.CallMisdeal("information", "shift-manager"))
        await here.house.stop()

    asyncio.run(play())
    copy = in_one_file(path)
    assert found(copy) == {}

    def deals(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for event in events(body, "dealer-changed") if entry.seq > 10 else ():
            if event["person"]:
                event["person"] = "flo"
                return with_body(entry, body)
        return None

    forge(copy, deals)
    assert "flo takes part in the round" in found(copy)[ROLES]


def add_one(event: dict[str, Any]) -> None:
    event["paid"]["seats"][0]["paid_cents"] += 1


def too_much(event: dict[str, Any]) -> None:
    event["seats"][0]["paid_cents"] += 1


def alone(event: dict[str, Any]) -> None:
    event["by"] = [event["by"][-1], event["by"][-1]]


def another_day(event: dict[str, Any]) -> None:
    event["paid"]["date"] = "2020-01-01"


@pytest.mark.parametrize(
    ("kind", "change", "promise"),
    [
        ("seats-paid", too_much, SETTLED),
        ("round-adjusted", add_one, SETTLED),
        ("round-adjusted", another_day, SETTLED),
        ("round-adjusted", alone, ROLES),
        ("round-corrected", alone, ROLES),
    ],
)
def test_r54__a_correction_that_was_forged_is_found(
    put_right: Path,
    tmp_path: Path,
    kind: str,
    change: Callable[[dict[str, Any]], None],
    promise: int,
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(put_right, copy)
    assert found(copy) == {}

    def alter(entry: Entry, body: dict[str, Any]) -> Entry | None:
        for event in events(body, kind):
            change(event)
            return with_body(entry, body)
        return None

    position = forge(copy, alter)
    result = found(copy)
    assert f"journal {position} (" in result[SAME_BYTES]
    assert f"journal {position} (" in result[promise]
    assert VIEWS not in result
