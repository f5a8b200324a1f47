"""Pay tables found in the lab: by a form, in parts, stopped and gone on with, and taken over."""

import asyncio
import html
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from pitboss.errors import Unreadable
from pitboss.lab import design_request
from pitboss.lab.controls import edited
from pitboss.lab.design import search, steps
from pitboss.lab.design_report import as_json
from pitboss.lab.design_request import DesignPart, DesignRequest, packed, searched, unpacked
from pitboss.lab.played_tables import Known
from pitboss.lab.questions import Experiment
from pitboss.maths import solve
from pitboss.maths.price import ratio
from pitboss.rulebook import Rulebook, load, parse
from pitboss.web.lab_desk import begin, done, key_of, place, read, stop
from pitboss.web.pages import lab_design
from pitboss.web.workers import LongWork
from tests.browser.forms import Forms
from tests.browser.test_floor import looks, plain
from tests.command import complaint, run
from tests.helpers import MISSISSIPPI, SENECA
from tests.web.open_house import Visited, thread

MENU = load("pennsylvania/ultimate-texas-holdem-a")
ROWS = {"design.free.main.full-house": "9..11", "design.free.main.flush": "5..7"}
WIDE = DesignRequest(
    bounds=("edge=-50%..50%",),
    free=("full-house=8..12", "flush=4..8", "straight=3..6", "three-of-a-kind=2,3"),
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    """A house of which the lab is visited."""
    with thread(tmp_path_factory.mktemp("lab")) as found:
        yield found


@pytest.fixture
def forms(lab: Visited) -> Forms:
    return Forms(lab.guest())


def found(forms: Forms, book: Rulebook, fields: dict[str, str], state: str = "") -> str:
    """Send the form, and look again as often as its link says so."""
    asked = {"do": "design", "state": f"{state}&show=design".lstrip("&"), **fields}
    sent = forms.raw(f"/lab/{book.id}", asked)
    assert sent.status == 303, sent
    where = sent.headers["location"].partition("#")[0]
    for _ in range(1200):
        page = looks(forms, where)
        if "data-wait" not in page:
            return page
        assert f'href="{html.escape(where)}">Look again' in page
        time.sleep(0.1)
    raise AssertionError("it takes too long")


def links(page: str) -> list[str]:
    return [html.unescape(each) for each in re.findall(r'<li[^>]*><a href="([^"#]+)#view"', page)]


def test_what_the_form_finds_is_what_the_command_finds_for_the_saved_book(
    forms: Forms, tmp_path: Path
) -> None:
    changes = {"table.main.rows.straight.odds": "5 to 1"}
    state = "table.main.rows.straight.odds=5+to+1"
    page = found(forms, MISSISSIPPI, {**ROWS, "design.near.edge": "4"}, state)
    answer = forms.send("GET", f"/lab/{MISSISSIPPI.id}/rulebook.toml?{state}")
    (tmp_path / "saved.toml").write_bytes(answer.raw)
    free = ("--free", "full-house=9..11", "--free", "flush=5..7")
    line = ("design", str(tmp_path / "saved.toml"), *free, "--target", "edge=4%")
    told = run(*line, "--json").json
    assert "The 9 nearest" in plain(page)
    for each, where in zip(told["found"], links(page), strict=True):
        assert f"Edge {each['house_edge']:.4%} Ends ahead {each['hit_frequency']:.4%}" in plain(
            page
        )
        taken = read(parse_qsl(where.partition("?")[2])).changes
        assert ratio(solve(edited(MISSISSIPPI, taken)).value) == each["value"]
        assert taken.items() >= changes.items()
    # Whoever takes one sees its price, and all that was found.
    chosen = plain(taken_page := looks(forms, links(page)[0]))
    assert f"{100 * told['found'][0]['house_edge']:.4f} %" in chosen
    assert "The 9 nearest" in chosen
    assert 'aria-current="true"><span class="sr">Take this table' in taken_page


def test_what_cannot_be_searched_is_said_at_the_form(forms: Forms) -> None:
    for fields, says in (
        ({**ROWS}, "Ask for something: an edge near 5, or one from 4 to 6."),
        ({"design.near.edge": "5", "design.free.main.flush": "x"}, "'x' is not odds"),
    ):
        page = plain(found(forms, MISSISSIPPI, fields))
        assert says.lower() in page.lower(), (fields, page[-900:])
        assert "Find tables" in page


@pytest.mark.parametrize(
    ("fields", "at", "says"),
    [
        ({"free.main.flush": "zzz"}, "free.main.flush", "'zzz' is not odds"),
        ({"near.edge": "lots"}, "near.edge", "'lots' is no number"),
        ({"most.hit": "much"}, "most.hit", "'much' is no number"),
    ],
)
def test_what_is_wrong_stands_at_its_field(
    forms: Forms, fields: dict[str, str], at: str, says: str
) -> None:
    asks = {"near.edge": "5", "free.main.flush": "5..7"} | fields
    page = found(forms, MISSISSIPPI, {f"design.{name}": said for name, said in asks.items()})
    assert re.findall(r'name="design\.([^"]*)"[^>]*aria-invalid', page) == [at]
    here = page[page.index("aria-invalid") :]
    alert = re.search(r'id="design-wrong">(.*?)</p>', here, re.DOTALL)
    assert alert is not None
    assert says in html.unescape(alert[1])
    assert here.index('id="design-wrong"') < 1_000
    assert page.count('role="alert"') == 1


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"near.edge": "5"}, "free a row"),
        ({"near.edge": "lots", "free.flush": "4..8"}, "'lots' is no number"),
        ({"least.edge": "6", "most.edge": "4", "free.flush": "4..8"}, "nothing lies from 6% up"),
        ({"near.edge": "5", "free.main.no-such": "4"}, "no row 'no-such'"),
        ({"near.edge": "5", "wager": "x", "free.flush": "4"}, "'x' is no side wager"),
        ({"near.edge": "5", "menu": "yes"}, "has no menu"),
    ],
)
def test_a_form_is_read_as_the_command_line_is(fields: dict[str, str], says: str) -> None:
    asked = lab_design.request(fields)
    assert asked is not None
    with pytest.raises(Unreadable) as told:
        searched(MISSISSIPPI, asked)
    assert says in told.value.message
    assert "--" not in told.value.message


def test_a_side_wager_is_designed_from_a_menu_too(forms: Forms) -> None:
    page = found(
        forms, MENU, {"design.wager": "trips", "design.menu": "yes", "design.near.edge": "2"}
    )
    line = ("design", MENU.id, "--wager", "trips", "--menu", "--target", "edge=2%", "--json")
    told = run(*line).json
    assert len(links(page)) == len(told["found"]) > 1
    for each in told["found"]:
        assert f"Edge {each['house_edge']:.4%}" in plain(page)
        assert each["option"] in plain(page)


def test_what_is_out_of_order_is_said() -> None:
    asks = {"near.edge": "5", "free.main.flush": "3", "any-order": "on"}
    asked = lab_design.request(asks)
    assert asked is not None
    [table] = searched(MISSISSIPPI, asked).tables
    assert table.inverted == "out of order: flush pays less than straight"
    assert table.changes == {"table.main.rows.flush.odds": "3 to 1"}


# In parts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [1, 7])
def test_a_search_in_parts_ends_as_it_would_have_in_one_go(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(design_request, "PART", part)
    request = DesignRequest(targets=("edge=5%",), free=("full-house=9..11", "flush=5..7"))
    whole = search(request.among(MISSISSIPPI), request.wanted)
    now, parts = DesignPart(), 0
    while now.design is None:
        before = now.known
        now, parts = searched(MISSISSIPPI, request, now.known), parts + 1
        assert now.design is not None or len(now.known) > len(before), "each part brings it further"
    assert now.design == as_json(whole)
    assert parts > 9 // part


def test_nobody_is_offered_to_stop_what_somebody_else_has_begun(lab: Visited, forms: Forms) -> None:
    fields = {f"design.free.main.{row}": "1..20" for row in ("flush", "straight", "two-pair")}
    fields |= {"design.least.edge": "-99", "design.any-order": "on"}
    asked = {"state": "show=design", **fields}
    where = forms.raw(f"/lab/{MISSISSIPPI.id}", {"do": "design", **asked}).headers["location"]
    bob = Forms(lab.guest())
    offered, alone = '<button id="design-stop"', "Somebody else asks for the same, and alone may"
    mine, theirs = looks(forms, where), looks(bob, where)
    assert (offered in mine, alone in plain(mine)) == (True, False)
    assert (offered in theirs, alone in plain(theirs)) == (False, True)
    forms.raw(f"/lab/{MISSISSIPPI.id}", {"do": "stop", **asked})


def test_what_is_known_is_written_and_read_back() -> None:
    request = DesignRequest(targets=("edge=5%",), free=("flush=5..7",))
    known = Known()
    for _ in steps(request.among(MISSISSIPPI), request.wanted, known):
        pass
    assert known.solved
    assert known.plays
    assert unpacked(packed(known)) == known


def test_what_free_rows_pay_now_plays_no_part() -> None:
    def asked(*fields: tuple[str, str]) -> Experiment:
        return lab_design.asked(MISSISSIPPI, read([*fields, ("design.near.edge", "5")]))

    free = ("design.free.main.flush", "4..8")
    flush, straight = "table.main.rows.flush.odds", "table.main.rows.straight.odds"
    assert asked(free, (flush, "7 to 1")) == asked(free)
    assert asked(free, (straight, "5 to 1")).changes == {straight: "5 to 1"}
    assert asked((flush, "7 to 1")).changes == {flush: "7 to 1"}
    # A whole table is free by its name, and paths that lead nowhere are told of by the search.
    assert (
        asked(("design.free.main", "4..8"), (flush, "7 to 1"), (straight, "5 to 1")).changes == {}
    )
    for path in ("table", "table.main", "table.main.odds", "spot.main.rows.flush.odds"):
        assert asked(free, (path, "5")).changes == {path: "5"}


def test_a_search_is_stopped_by_whoever_began_it_and_goes_on_where_it_was() -> None:
    asked = Experiment(design=WIDE)
    other = Experiment({"table.main.rows.flush.odds": "7 to 1"})

    async def until(condition: Any) -> None:
        for _ in range(6000):
            if condition():
                return
            await asyncio.sleep(0.02)
        raise AssertionError("it takes too long")

    async def story() -> tuple[int, DesignPart]:
        long = LongWork()
        begin(long, "design", MISSISSIPPI, asked, "ann")
        begin(long, "exact", MISSISSIPPI, other, "bob")
        await until(lambda: done(long, "exact", MISSISSIPPI, other))
        # Bob waited for one part of it, not for all.
        part = done(long, "design", MISSISSIPPI, asked)
        assert part.known
        assert part.ahead
        stop(long, "design", MISSISSIPPI, asked, "bob")
        assert place(long, "design", MISSISSIPPI, asked)
        stop(long, "design", MISSISSIPPI, asked, "ann")
        await until(lambda: not long.under_way)
        stopped = done(long, "design", MISSISSIPPI, asked)
        assert stopped.known
        begin(long, "design", MISSISSIPPI, asked, "ann")
        await until(lambda: not long.under_way)
        ended = long.answers[key_of("design", MISSISSIPPI, asked)]
        begin(long, "design", MISSISSIPPI, asked, "ann")
        assert not long.under_way, "what is done is not done again"
        assert long.answers[key_of("design", MISSISSIPPI, asked)] is ended
        finished = done(long, "design", MISSISSIPPI, asked)
        long.close()
        return stopped.solved, finished

    before, part = asyncio.run(story())
    assert before > design_request.PART // 2
    whole = search(WIDE.among(MISSISSIPPI), WIDE.wanted)
    assert part.solved == whole.solved + whole.besides > before
    assert part.design is not None
    assert part.design["fitting"] == whole.fitting
    told = as_json(whole)["found"][: design_request.MOST_TOLD]
    assert [each["value"] for each in part.design["found"]] == [each["value"] for each in told]


# The command --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "rows"), [(MISSISSIPPI, "flush=5..7"), (SENECA, "flush=4..6")], ids=["table", "dealer"]
)
def test_a_table_that_was_found_is_saved_as_a_rulebook(
    book: Rulebook, rows: str, tmp_path: Path
) -> None:
    file = tmp_path / "found.toml"
    line = ("design", book.id, "--free", rows, "--target", "edge=4.5%", "--json")
    told = run(*line, "--save", "3", str(file)).json
    assert told == run(*line).json
    assert run("rules", "check", str(file)).code == 0
    assert run("par", str(file), "--json").json["main"]["value"] == told["found"][2]["value"]
    assert parse(file.read_text("utf-8")).house.endswith("changed in the lab")
    assert "3 tables were found, so there is no number 4" in complaint(
        *line, "--save", "4", str(tmp_path / "none.toml")
    )
    assert not (tmp_path / "none.toml").exists()
