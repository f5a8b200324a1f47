"""What a clause costs, asked for by hand, also of a game that takes long to change."""

import re
import time
from pathlib import Path

import pytest

from pitboss.house.storage import codec
from pitboss.lab.clause_costs import alike, clause_cost
from pitboss.lab.comparison import compared
from pitboss.lab.controls import edited
from pitboss.lab.questions import Experiment
from pitboss.maths.price import At
from pitboss.maths.side_wagers import jackpot
from pitboss.rulebook import ids, load
from pitboss.web.lab_desk import key_of
from pitboss.web.workers import LongWork
from tests.browser.forms import Forms
from tests.browser.test_floor import looks, plain
from tests.helpers import SENECA
from tests.web.open_house import Caller, Visited, thread

FLUSHES = load("common/high-card-flush")
"""It takes longest of those that take no more than a few seconds."""
CLAUSE = f"/clause/{FLUSHES.id}?clause=4"
WAITS = "Being worked out, exactly"


def test_a_clause_that_is_not_cited_is_not_found_whatever_the_game(house: Visited) -> None:
    for game in (FLUSHES.id, "common/mississippi-stud"):
        answer = house.caller()("GET", f"/clause/{game}?clause=Z.9")
        assert answer.status == 404
        assert "cite no clause &#39;Z.9&#39;" in answer.raw.decode()


def test_at_a_table_a_token_is_priced_as_that_table_posts_it(house: Visited) -> None:
    ann = house.guest()
    forms = Forms(ann)
    for token in (1_00, 5_00):
        table = ann.open(SENECA.id, token_cents=token)
        meter = int(ann.view(table)["meter_cents"])
        top = jackpot(SENECA)
        assert top is not None
        worth = top.at(meter) * top.token_cents / token - 1
        page = plain(looks(forms, f"/clause/{SENECA.id}?clause=progressive&table={table}"))
        hour = SENECA.signed(round(worth * token * 40))
        said = f"{float(worth * 100):+.4f}% of the Progressive {hour} at {SENECA.money(token)}"
        assert said in page


def told(caller: Caller, path: str) -> str:
    """Look again until it is there."""
    for _ in range(600):
        page = caller("GET", path).raw.decode()
        if "data-wait" not in page:
            return plain(page)
        time.sleep(0.2)
    raise AssertionError(f"{path} was never there")


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that never worked anything out."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    return tmp_path


def test_a_slow_games_clause_has_its_exact_price_as_soon_as_it_is_worked_out(cold: Path) -> None:
    with thread(cold) as visited:
        ann = visited.guest()
        assert WAITS in plain(ann("GET", CLAUSE).raw.decode())
        other = plain(ann("GET", CLAUSE.replace("=4", "=5")).raw.decode())
        assert "Something else that you asked for is worked out first." in other
        page = told(ann, CLAUSE)
        others = [book for book in map(load, ids()) if alike(FLUSHES, book)]
        found = clause_cost(FLUSHES, "4", others, At(10_00))
        assert found is not None
        gains = [gain for each in found.without for gain in each.gains]
        assert len(gains) == 4
        for each in (*found.wagers, *gains):
            assert f"{float(each.value * 100):+.4f}% of the {each.wager}" in page
        assert f"{float(found.wagers[0].value * 100):+.4f}%" in told(visited.caller(), CLAUSE)


def test_what_ended_without_an_answer_is_not_begun_again_by_whoever_looks(cold: Path) -> None:
    others = [codec.rulebook_text(book) for book in map(load, ids()) if alike(FLUSHES, book)]
    key = key_of("clause", FLUSHES, Experiment(at=At(10_00), clause="4", others=tuple(others)))
    with thread(cold) as visited:
        assert visited.web is not None
        assert visited.loop is not None
        long = visited.web.kept(LongWork)
        visited.loop.call_soon_threadsafe(long.begin, key, b"no question", "bob")
        page = told(visited.guest(), CLAUSE)
        assert "Not worked out: its process ended before it had an answer" in page
        assert [*long.failed] == [key]


def test_differences_of_slow_games_are_priced_on_both_pages_that_tell_them(cold: Path) -> None:
    flush = "table.flush.rows.five-card-flush.odds"
    changes = {"qualifier.hand": "three card flush 8", flush: "12 to 1"}
    made = edited(FLUSHES, changes)
    query = "&".join(f"{path}={value.replace(' ', '+')}" for path, value in changes.items())
    with thread(cold) as visited:
        ann = visited.guest()
        lab = f"/lab/{FLUSHES.id}/view?{query}&show=differences"
        assert "data-wait" in ann("GET", lab).raw.decode()
        page = told(ann, lab)
        [*totals] = compared(FLUSHES, made).totals
        assert [wager for wager, *_ in totals] == ["Ante", "Flush"]
        for wager, *worths in totals:
            assert f"{wager} {' '.join(worths)}" in page
        three = load("common/three-card-poker")
        beside = f"/compare?a={FLUSHES.id}&b={three.id}"
        assert WAITS in plain(ann("GET", beside).raw.decode())
        page = told(ann, beside)
        for wager, *worths in compared(FLUSHES, three).totals:
            assert re.sub(r"\s+", " ", f"{wager} {' '.join(worths)}".strip()) in page
