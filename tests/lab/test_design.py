"""``pitboss design``: every table of a box that fits, held against solving all of them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.lab.design import Design, DesignedTable, search, steps
from pitboss.lab.played_tables import Known, PlayedTables
from pitboss.lab.sign_odds import free_row
from pitboss.lab.table_box import FreeRow, TableBox, box, menu_box
from pitboss.lab.targets import Target, Targets, asked
from pitboss.money import Odds
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.paytable import Menu, MenuOption
from pitboss.rulebook.variants import with_pays
from tests.command import complaint, run
from tests.helpers import (
    CRAZY_4,
    DIAMOND_JO,
    HOLLYWOOD,
    LET_IT_RIDE,
    MISSISSIPPI,
    SENECA,
    THREE_CARD,
)

Figures = dict[str, Any]

PENNSYLVANIA = load("pennsylvania/ultimate-texas-holdem-a")


def around(book: Rulebook, *rows: str, wager: str = "", any_order: bool = False) -> TableBox:
    return box(book, dict(map(free_row, rows)), wager, any_order=any_order)


# By solving everything ---------------------------------------------------------------------------


def every_table(among: TableBox) -> dict[tuple[Odds, ...], Figures]:
    """All tables of a box and what they come to: by the ways that ``par`` goes."""
    found = {}
    for paid in product(*(row.odds for row in among.rows)):
        named = {row.name: odds for row, odds in zip(among.rows, paid, strict=True)}
        book = with_pays(among.book, named)
        if among.any_order or all(map(in_order, book.table)):
            found[paid] = figures(book, among.wager)
    return found


def in_order(table: Any) -> bool:
    paid = [row.odds for row in table.rows if row.odds is not None]
    return paid == sorted(paid, reverse=True)


def figures(book: Rulebook, wager: str) -> Figures:
    if book.spots[wager].kind == "side":
        side = maths.side_wager(book, book.spots[wager])
        table, total = book.tables[book.spots[wager].table], sum(row.ways for row in side.rows)
        odds = [row.odds for row in table.rows]
        ways = [row.ways for row in side.rows]
        second = sum((o**2 * w for o, w in zip(odds, ways, strict=True) if o is not None), Odds(0))
        hit = sum(w for o, w in zip(odds, ways, strict=True) if o is not None and o > 0)
        variance = Fraction(second, total) - side.value**2
        return {"edge": -side.value, "hit": Fraction(hit, total), "variance": variance}
    solved = maths.solve(book)
    told = solved.statistics
    return {
        "edge": -solved.value,
        "hit": told.hit_frequency,
        "variance": told.variance,
        "risk": told.element_of_risk,
        "average_wager": told.average_wager,
        "folds": solved.folds,
    }


def told(table: DesignedTable) -> tuple[tuple[Odds, ...], Figures]:
    names = ("edge", "hit", "variance", "risk", "average_wager", "folds")
    return tuple(table.odds.values()), {name: getattr(table.priced, name) for name in names}


def same(design: Design, brute: Mapping[tuple[Odds, ...], Figures]) -> None:
    """The design has found exactly these, each with exactly these figures."""
    found = dict(map(told, design.found))
    assert set(found) == set(brute)
    for paid, expected in brute.items():
        assert {name: found[paid][name] for name in expected} == expected
    assert design.ruled_out + design.solved == design.tables


BOXES = [
    pytest.param(
        around(
            MISSISSIPPI, "full-house=8,10,12", "flush=4..8/2", "straight=3..5", "two-pair=3:2,2"
        ),
        id="by table",
    ),
    pytest.param(
        around(LET_IT_RIDE, "flush=6..9", "tens-or-better=push,1:2,even", "two-pair=1..3"),
        id="with pushes and halves",
    ),
    pytest.param(
        around(SENECA, "flush=4..6", "straight=3:2,4,5", "two-pair=1..3"), id="against a dealer"
    ),
    pytest.param(
        around(THREE_CARD, "straight-flush=3..8", "three-of-a-kind=2..6", "straight=1..3"),
        id="a bonus",
    ),
    pytest.param(
        around(
            HOLLYWOOD, "nine-high=12,15", "ten-high=3..8", "jack-high=1..3/0.5", wager="lo-ball"
        ),
        id="a side wager",
    ),
    pytest.param(
        around(
            DIAMOND_JO,
            "aces=10,12,25",
            "ace-face-unsuited=8..10",
            "pair=4..10/2",
            wager="pocket-bonus",
        ),
        id="with hands that make two rows",
    ),
    pytest.param(
        around(MISSISSIPPI, "straight=5,7", "flush=5,9", "two-pair=2,6", any_order=True),
        id="in any order",
    ),
]


@pytest.mark.parametrize("among", BOXES)
def test_the_search_agrees_with_solving_every_table(among):
    brute = every_table(among)
    edges = sorted(each["edge"] for each in brute.values())
    assert among.size == len(brute)
    # A narrow window, one that a table's own edge ends, and a target with what else is asked.
    middle = edges[len(edges) // 2]
    for low, high in ((middle, middle), (edges[2], edges[len(edges) // 3])):
        design = search(among, asked([f"edge={low}..{high}"]))
        same(design, {paid: each for paid, each in brute.items() if low <= each["edge"] <= high})
        assert [each.priced.edge for each in design.found] == sorted(
            each.priced.edge for each in design.found
        )
    hits = sorted(each["hit"] for each in brute.values())[len(brute) // 2]
    deviation = 12
    nearest = search(
        among,
        asked([f"hit={hits}..", f"deviation=..{deviation}"], [f"edge={middle + edges[1] / 9}"], 3),
    )
    fits = {
        paid: abs(each["edge"] - middle - edges[1] / 9)
        for paid, each in brute.items()
        if each["hit"] >= hits and each["variance"] <= deviation**2
    }
    assert [each.distance for each in nearest.found] == sorted(fits.values())[:3]
    assert all(fits[tuple(each.odds.values())] == each.distance for each in nearest.found)


@pytest.mark.parametrize("edge", ["10%", "20%", "60%"])
def test_two_targets_at_once_are_compared_in_parts_of_each(edge):
    """Those that are nearest to both may be far from one of them."""
    rows = ["straight=5..7", "flush=3..5", "pair=lose,push,1"]
    among = around(THREE_CARD, *rows, wager="pair-plus")
    design = search(among, asked(targets=[f"edge={edge}", "hit=25.6%"], nearest=5))
    wanted = Fraction(edge[:-1]) / 100
    far = sorted(
        abs(each["edge"] / wanted - 1) + abs(each["hit"] / Fraction("0.256") - 1)
        for each in every_table(among).values()
    )
    assert [each.distance for each in design.found] == far[:5]


def test_what_is_ruled_out_is_not_solved():
    among = around(MISSISSIPPI, "four-of-a-kind=30..50", "full-house=8..12", "flush=4..8")
    done: list[Any] = []

    def work(solve, points):
        done.extend(points)
        return map(solve, points)

    design = ended(steps(among, asked(["edge=4.9%..5%"]), Known(), None, work))
    assert design.found
    assert design.ruled_out > 3 * design.solved
    # Besides, one strategy is looked at in the middle of each part.
    assert design.solved + design.besides >= len(set(done)) == len(done)


# Bounds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "among",
    [
        around(MISSISSIPPI, "full-house=8..12", "flush=4..8", "sixes-to-tens=lose,push,even"),
        around(SENECA, "flush=4..8", "one-pair=1,3:2,2"),
        around(THREE_CARD, "straight-flush=3..8", "three-of-a-kind=2..6", "straight=1..3"),
    ],
    ids=lambda among: among.book.id,
)
def test_a_strategy_is_worth_what_it_is_worth_everywhere_and_never_more_than_best_play(among):
    """What rules tables out, by another way: the price under the play of before."""
    random = Random(16)
    solver = PlayedTables(among, Targets(), Known(), 100, map)
    posted = maths.solve(among.book)
    (line,) = ended_with(solver.old_play())
    for _ in range(4):
        paid = [random.choice(row.odds) for row in among.rows]
        named = {row.name: odds for row, odds in zip(among.rows, paid, strict=True)}
        changed = with_pays(among.book, named)
        assert line.value(paid) == maths.same_play(posted, changed).value
        assert line.value(paid) <= maths.solve(changed).value


def ended_with(going: Any) -> tuple[Any]:
    while True:
        try:
            next(going)
        except StopIteration as end:
            return (end.value,)


def ended(going: Any) -> Design:
    (design,) = ended_with(going)
    assert isinstance(design, Design)
    return design


def test_a_box_counts_its_tables_without_making_them():
    random = Random(7)
    for _ in range(40):
        rows = tuple(
            FreeRow(
                random.choice(("main", "other")),
                f"row-{number}",
                Odds(1),
                tuple(
                    sorted({Odds(random.randrange(9), 1 + random.randrange(2)) for _ in range(5)})
                ),
            )
            for number in range(random.randrange(1, 6))
        )
        rows = tuple(sorted(rows, key=lambda row: row.table))
        among = TableBox(MISSISSIPPI, "ante", rows, any_order=random.random() < 0.2)
        points = [tuple(each) for block in among.points() for each in block.tolist()]
        every = product(*(range(len(row.odds)) for row in rows))
        assert sorted(points) == [each for each in every if among.holds(each)]
        assert among.size == len(points)


# A posted table ----------------------------------------------------------------------------------

POSTED = [
    (MISSISSIPPI, "", ["full-house=9..11", "flush=5..7", "straight=3..5", "three-of-a-kind=2..4"]),
    (SENECA, "", ["flush=4..6", "straight=3..5", "full-house"]),
    (THREE_CARD, "", ["ante-bonus"]),
    (HOLLYWOOD, "all-six", ["all-six"]),
    (HOLLYWOOD, "lo-ball", ["lo-ball"]),
    (DIAMOND_JO, "pocket-bonus", ["pocket-bonus"]),
]


@pytest.mark.parametrize(
    ("book", "wager", "rows"), POSTED, ids=[f"{b.id} {w}" for b, w, _ in POSTED]
)
def test_a_posted_table_is_found_from_its_own_figures(book, wager, rows):
    among = around(book, *rows, wager=wager)
    edge = figures(book, among.wager)["edge"]
    design = search(among, Targets(targets=(Target("edge", edge),), nearest=3))
    first = design.found[0]
    assert first.posted
    assert not first.distance
    assert not first.old_play_costs
    assert list(first.odds.values()) == [row.posted for row in among.rows]


# Order, tops, menus ------------------------------------------------------------------------------


def test_a_better_hand_never_pays_less_unless_somebody_says_so():
    rows = ["flush=4..6", "straight=4..7"]
    kept = search(around(MISSISSIPPI, *rows), asked(["edge=..20%"]))
    free = search(around(MISSISSIPPI, *rows, any_order=True), asked(["edge=..20%"]))
    assert (kept.tables, free.tables) == (6, 12)
    assert not any(each.inversions for each in kept.found)
    upside_down = {tuple(map(int, each.odds.values())): each.inversions for each in free.found}
    assert upside_down[4, 7] == (("flush", "straight"),)
    assert upside_down[6, 6] == ()


def test_the_highest_odds_need_no_price():
    rows = ["royal-flush=200..500", "flush=5..7"]
    design = search(around(MISSISSIPPI, *rows), asked(["top=250..300"]))
    assert {each.priced.top for each in design.found} == {250, 300}
    assert design.solved == 6
    assert search(around(MISSISSIPPI, "flush=5..7"), asked(["top=..499"])).found == ()
    side = around(MISSISSIPPI, "mini-royal=40..60", wager="three-card-bonus")
    assert [each.priced.top for each in search(side, asked(["top=60.."])).found] == [60]


def test_a_menu_is_priced_option_by_option():
    design = search(menu_box(PENNSYLVANIA, "trips"), asked(targets=["edge=2%"]))
    assert {each.option for each in design.found} == {"A", "B", "C", "D"}
    assert [each.option for each in design.found if each.posted] == ["A"]
    for each in design.found:
        named = {f"trips.{name.partition('.')[2]}": odds for name, odds in each.odds.items()}
        book = with_pays(PENNSYLVANIA, named)
        assert book.menu[1].choice == each.option
        assert each.priced.edge == figures(book, "trips")["edge"]
    assert [each.distance for each in design.found] == sorted(
        each.distance for each in design.found
    )


def test_a_menu_of_the_main_game_is_solved_option_by_option():
    pays = {row.row: row.odds for row in MISSISSIPPI.tables["main"].rows if row.odds is not None}
    dear = pays | {"flush": Odds(5), "sixes-to-tens": Odds(-1)}
    options = MenuOption(name="A", pays=pays), MenuOption(name="B", pays=dear)
    menu = Menu(table="main", choice="A", options=options, clause="-")
    design = search(menu_box(replace(MISSISSIPPI, menu=(menu,))), asked(["edge=..99%"]))
    other = with_pays(MISSISSIPPI, {"flush": Odds(5), "sixes-to-tens": Odds(-1)})
    assert [(each.option, each.priced.edge) for each in design.found] == [
        ("A", figures(MISSISSIPPI, "ante")["edge"]),
        ("B", figures(other, "ante")["edge"]),
    ]


# Stopping and going on ---------------------------------------------------------------------------

LONG = around(MISSISSIPPI, "full-house=9..11", "flush=5..7", "straight=3..5")
LONG_LINE = (
    *("design", MISSISSIPPI.id, "--free", "full-house=9..11", "--free", "flush=5..7"),
    *("--free", "straight=3..5", "--target", "edge=5%", "--nearest", "4", "--json"),
)


@pytest.mark.parametrize("stop", [1, 4, 9])
def test_a_search_that_was_stopped_ends_as_it_would_have(stop):
    targets = asked(targets=["edge=5%"], nearest=4)
    whole = search(LONG, targets)
    known, solved = Known(), []

    def work(solve, points):
        solved.extend(points)
        return map(solve, points)

    going = steps(LONG, targets, known, None, work)
    for _ in range(stop):
        next(going)
    going.close()
    before = set(known.solved)
    assert before
    solved.clear()
    assert ended(steps(LONG, targets, known, None, work)) == whole
    assert not before & set(solved)


@pytest.fixture
def stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the sixth table."""
    calls = iter(range(1000))

    def interrupted(book: Rulebook) -> Any:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return maths.solve(book)

    monkeypatch.setattr("pitboss.lab.played_tables.solve", interrupted)


@pytest.mark.usefixtures("stops_early")
@pytest.mark.parametrize("where", [True, False], ids=["in a file", "where nobody says"])
def test_an_interrupted_command_goes_on(where, tmp_path, monkeypatch):
    monkeypatch.setenv("PITBOSS_DATA", str(tmp_path / "data"))
    saved = str(tmp_path / "saved.json")
    named = ("--resume", saved) if where else ()
    stopped = run(*LONG_LINE, *named)
    assert (stopped.code, stopped.out) == (130, "")
    assert "the same command goes on" in stopped.err
    gone_on = run(*LONG_LINE, *named)
    assert ("going on where this was interrupted" in gone_on.err) is not where
    assert gone_on.json == run(*LONG_LINE).json
    assert [*(tmp_path / "data" / "designs").iterdir()] == []
    if where:
        other = (*LONG_LINE[:-3], "--nearest", "5", "--resume", saved)
        assert "holds another search: targets differ" in complaint(*other)


def test_a_search_that_was_refused_goes_on_when_more_is_allowed(tmp_path, monkeypatch):
    monkeypatch.setenv("PITBOSS_DATA", str(tmp_path))
    monkeypatch.setattr("pitboss.cli.design.SAVE_SECONDS", 0)
    refused = complaint(*LONG_LINE, "--most", "5")
    assert "tables would have to be solved, and no more than 5 are: ask for less, or" in refused
    gone_on = run(*LONG_LINE)
    assert "going on where this was interrupted" in gone_on.err
    assert gone_on.json == run(*LONG_LINE).json


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{}", "not a saved search"),
        (b"\xff", "not a saved search"),
        (b'{"format":1,"search":{},"solved":[],"plays":[]}', "holds another search: version"),
    ],
)
def test_a_spoilt_file_is_refused(text, says, tmp_path):
    path = tmp_path / "saved.json"
    path.write_bytes(text)
    assert says in complaint(*LONG_LINE, "--resume", str(path))


def test_a_folder_is_no_saved_search(tmp_path):
    said = complaint(*LONG_LINE, "--resume", str(tmp_path))
    assert "cannot read this search: Is a directory" in said


def test_the_same_from_one_process_and_two(monkeypatch):
    from pitboss.cli import design as command

    monkeypatch.setattr(command, "FEW", 1)
    assert run(*LONG_LINE, "--workers", "2").json == run(*LONG_LINE, "--workers", "1").json


# For people --------------------------------------------------------------------------------------


def test_what_is_found_is_said():
    said = run(*LONG_LINE[:-1], "--bound", "edge=4.9%..5.1%", "--bound", "hit=10%..").out
    assert "asked for: edge near 5%, edge from 4.9% to 5.1% and hit of at least 10%" in said
    assert "Tables: 27 in the box" in said
    assert "full-house 10, flush 6, straight 4" in said
    assert "posted" in said
    assert "folds 31.07%, 7.67%, 4.85%" in said
    assert all(len(line) <= 80 for line in said.splitlines())
    none = run("design", SENECA.id, "--free", "flush=5", "--bound", "edge=50%..").out
    assert "None of them fits." in none


def test_where_nobody_folds_no_folds_are_told() -> None:
    out = run("design", LET_IT_RIDE.id, "--target", "edge=3.5%", "--free", "flush=8,9").out
    assert "folds" not in out
    assert "1.2321 antes a round" in out


def test_a_side_wager_for_people():
    line = ("design", HOLLYWOOD.id, "--wager", "lo-ball", "--free", "lo-ball")
    said = run(*line, "--bound", "edge=4%..6%", "--show", "2").out
    assert "Lo Ball" in said
    assert "more: --show" in said
    assert "folds" not in said


ROWS = ("--free", "flush=5..7")
MS = MISSISSIPPI.id
POCKET = (DIAMOND_JO.id, "--wager", "pocket-bonus", "--target", "edge=5%")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((MS, *ROWS), "ask for something: --target edge=5%"),
        ((MS, *ROWS, "--target", "5%"), "--target: '5%' is not FIGURE=..., such as edge=5%"),
        ((MS, *ROWS, "--target", "luck=5"), "no figure 'luck'; there are edge, hit, top"),
        ((MS, *ROWS, "--target", "edge=lots"), "--target edge: 'lots' is no number such as 5%"),
        ((MS, *ROWS, "--target", "edge=1/0"), "--target edge: '1/0' is no number"),
        ((MS, *ROWS, "--target", "edge=1e9"), "--target edge: '1e9' is no number"),
        ((MS, *ROWS, "--target", "edge=5%", "--target", "edge=4%"), "a figure has one target"),
        ((MS, *ROWS, "--target", "edge=0", "--target", "hit=5%"), "target of nothing stands alone"),
        ((MS, *ROWS, "--bound", "edge=5%"), "--bound edge: '5%' is no range such as"),
        ((MS, *ROWS, "--bound", "edge=6%..5%"), "nothing lies from 6% up to 5%"),
        ((MS, *ROWS, "--bound", "hit=-1%.."), "--bound hit: only edge and risk can be below"),
        ((MS, *ROWS, "--bound", "edge=..5%", "--nearest", "3"), "the nearest to what?"),
        ((MS, *ROWS, "--target", "edge=5%", "--nearest", "0"), "--nearest: 1 to 1,000 tables"),
        ((MS, "--target", "edge=5%"), "free a row: main"),
        ((MS, "--free", "", "--target", "edge=5%"), "--free: '' is not ROW=ODDS"),
        ((MS, "--free", "flush=", "--target", "edge=5%"), "'flush=' is not ROW=ODDS"),
        ((MS, "--free", "flush=x", "--target", "edge=5%"), "--free flush: 'x' is not odds"),
        ((MS, "--free", "flush=8..4", "--target", "edge=5%"), "nothing lies from 8 to 1 up to"),
        ((MS, "--free", "flush=4..8/0", "--target", "edge=5%"), "a step is more than nothing"),
        ((MS, "--free", "flush=1..900/1", "--target", "edge=5%"), "there are 200 at most"),
        ((MS, "--free", "blush=1..2", "--target", "edge=5%"), "no row 'blush'; main has royal"),
        ((MS, "--free", "x.flush=5", "--target", "edge=5%"), "no table 'x'; this wager has main"),
        ((MS, "--free", "flush=20..30", "--target", "edge=5%"), "so it pays 4 to 1 up to 10 to 1"),
        ((MS, "--free", "nothing=push", "--target", "edge=5%"), "what all other hands get"),
        ((SENECA.id, "--free", "flush=push,1", "--target", "edge=5%"), "odds above a push"),
        ((SENECA.id, "--free", "progressive.flush=5", "--target", "edge=5%"), "no table 'progr"),
        ((MS, *ROWS, "--wager", "luck", "--target", "edge=5%"), "'luck' is no side wager; there"),
        ((SENECA.id, *ROWS, "--wager", "progressive", "--target", "edge=5%"), "is no side wager"),
        ((*POCKET, "--free", "pair", "--any-order"), "some hands make aces, too, and the larger"),
        ((CRAZY_4.id, "--free", "super-bonus.four-aces", "--target", "edge=5%"), "make four-of-a"),
        ((MS, "--menu", "--target", "edge=5%"), "--menu: ante has no menu; there is one for no"),
        ((MS, "--menu", *ROWS, "--target", "edge=5%"), "a menu has its own tables"),
        ((MS, *ROWS, "--target", "edge=5%", "--most", "1"), "3 tables would have to be solved"),
        ((MS, *ROWS, "--target", "edge=5%", "--most", "x"), "'x' is not a number"),
        ((MS, *ROWS, "--target", "edge=5%", "--resume", "/no/such/file"), "cannot be written"),
    ],
)
def test_bad_input_gets_a_sentence(arguments, says):
    assert says in complaint("design", *arguments)


def test_a_box_is_bounded():
    names = [row.row for row in MISSISSIPPI.tables["main"].rows if row.odds and row.odds > 0]
    rows = [f"{name}=1..1000" for name in names]
    with pytest.raises(Unreadable, match="tables are in this box, and 1,000,000 are the most"):
        search(around(MISSISSIPPI, *rows), asked(["edge=4%..5%"]))
    rows = [f"{name}=1..100/1" for name in ("full-house", "flush", "straight")]
    with pytest.raises(Unreadable, match="more than 100,000 tables would be looked at one by one"):
        search(around(HOLLYWOOD, *rows, wager="all-six", any_order=True), asked(["edge=-99..99"]))
