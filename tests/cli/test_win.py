"""What a house has won, held against what its books say and what each player was paid."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.snapshot import Snapshot
from pitboss.house.luck import as_seen, luck_and_skill
from pitboss.house.replay import finished
from pitboss.house.storage.reader import Reader
from pitboss.house.storage.store import Store
from pitboss.house.win import house_win, of_finished
from pitboss.maths import at_hand, solve
from pitboss.maths.luck import KINDS, Parts, total
from pitboss.money import text
from tests.command import complaint, run
from tests.house.evening import play


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening with dead hands, misdeals, tokes, ceilings, and a round that was put right."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    asyncio.run(play(str(path)))
    return path


@pytest.fixture(scope="module")
def rounds(house: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Every round as it stands, by the export."""
    out = tmp_path_factory.mktemp("exported") / "rounds.jsonl"
    assert run("export", "--db", str(house), "--rounds", str(out)).code == 0
    told = (json.loads(line) for line in out.read_text("utf-8").splitlines())
    return list({each["round"]: each for each in told}.values())


def lost(round_: dict[str, Any]) -> int:
    """What players lost in a round, before tax; what lay there for the dealers is theirs."""
    return sum(
        line["stake_cents"] - line["returned_cents"]
        for seat in round_["seats"]
        for line in seat["lines"]
        if line["spot"] != "toke"
    )


@pytest.mark.parametrize("practice", [False, True])
def test_the_win_is_what_players_lost_and_its_parts_add_up(
    house: Path, rounds: list[dict[str, Any]], practice: bool
) -> None:
    chips = ("--practice",) if practice else ()
    mine = [each for each in rounds if each["practice"] == practice]
    assert mine
    for by, key in (("table", "table"), ("game", "rulebook"), ("day", "gaming_day")):
        [found] = run("win", "--db", str(house), "--json", "--by", by, *chips).json
        assert found["won_cents"] == sum(map(lost, mine))
        assert found["hands"] == sum(len(each["seats"]) for each in mine)
        for each in (found, *found[f"by_{by}"]):
            assert sum(each[f"{name}_cents"] for name in KINDS) == each["won_cents"]
            assert sum(map(Fraction, each["exact"].values())) == each["won_cents"]
            assert Fraction(each["exact"]["mistakes"]) >= 0
        names = {each[by]: each["won_cents"] for each in found[f"by_{by}"]}
        assert names == {
            name: sum(lost(each) for each in mine if each[key] == name)
            for name in {each[key] for each in mine}
        }


def test_a_house_wins_what_its_players_lose_part_by_part(house: Path) -> None:
    """Seat by seat, as each saw its own replay, and as a page reads one round."""
    put_right = 0
    with reading(house) as store:
        with Snapshot(str(house)) as snapshot:
            names = [n for (n,) in snapshot.rows("SELECT name FROM kept WHERE kind = 'round'")]
        wins = {False: Parts(), True: Parts()}
        for name in names:
            whole = finished(store, name)
            solution = solve(whole.book) if at_hand(whole.book) else None
            seen = [as_seen(whole.seen_by(seat)) for seat in whole.people]
            parts = [luck_and_skill(each, solution).parts for each in seen if each is not None]
            won = house_win(of_finished(whole), solution)
            assert won == -total(parts)
            wins[whole.practice] += won
            put_right += bool(whole.adjusted)
    assert put_right
    for practice, won in wins.items():
        chips = ("--practice",) if practice else ()
        [found] = run("win", "--db", str(house), "--json", *chips).json
        assert {name: Fraction(exact) for name, exact in found["exact"].items()} == {
            name: getattr(won, name) for name in KINDS
        }


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    store = Store(str(path))
    try:
        yield store.archive
    finally:
        store.close(1.0)


def test_it_is_said_in_a_line_and_a_table(house: Path, rounds: list[dict[str, Any]]) -> None:
    ran = run("win", "--db", str(house))
    assert ran.code == 0, ran
    [found] = run("win", "--db", str(house), "--json").json
    line, heads, *rows = ran.out.splitlines()
    cents = found["won_cents"]
    assert line.startswith(f"{'won' if cents >= 0 else 'lost'} {text(abs(cents), 'USD')}: ")
    assert f"{text(found['edge_cents'])} edge, {text(found['mistakes_cents'])} mistakes, " in line
    assert f"{text(found['luck_cents'])} luck" in line
    assert heads.split()[:5] == ["hands", "won", "edge", "mistakes", "luck"]
    assert [row.split()[0] for row in rows] == [each["game"] for each in found["by_game"]]
    days = sorted({each["gaming_day"] for each in rounds})
    within = ("--from", days[0], "--to", days[-1])
    assert run("win", "--db", str(house), *within).out == ran.out
    assert run("win", "--db", str(house), "--to", "2000-01-01").out == "no rounds\n"


def test_no_card_and_nobody_is_named(house: Path, rounds: list[dict[str, Any]]) -> None:
    told = run("win", "--db", str(house), "--json").out
    people = {seat["person"] for each in rounds for seat in each["seats"]}
    cards = {card for each in rounds for seat in each["seats"] for card in seat["cards"].split()}
    assert people
    assert cards
    assert not [each for each in (*people, *cards) if f'"{each}"' in told]


def test_what_is_asked_wrongly_is_said(house: Path, tmp_path: Path) -> None:
    where = ("win", "--db", str(house))
    assert "first day" in complaint(*where, "--from", "2026-02-02", "--to", "2026-02-01")
    assert "no database" in complaint("win", "--db", str(tmp_path / "none.db"))
    assert "seat" in complaint(*where, "--by", "seat")
    wrong = complaint(*where, "--from", "2026-13-01")
    assert "--from: '2026-13-01' is not a date such as" in wrong
