"""The workbook, opened by two other programs: one reads what is written, one works it out again."""

import io
import zipfile
from fractions import Fraction
from functools import cache
from math import isclose
from pathlib import Path
from xml.etree import ElementTree

import ironcalc
import openpyxl
import pytest
from msgspec.structs import replace

from pitboss.lab.papers.par_workbook import workbook
from pitboss.maths.outcomes import Outcome, Replayed
from pitboss.maths.price import ratio
from pitboss.maths.side_wagers import rows_counted
from pitboss.maths.solution import Solution
from pitboss.rulebook import load
from tests.helpers import DIAMOND_JO, HOLLYWOOD, LET_IT_RIDE, SENECA
from tests.lab.papers.reports import reported

GAMES = [DIAMOND_JO.id, HOLLYWOOD.id, SENECA.id, "common/caribbean-stud-envy"]
CLOSE = 1e-12


class Recalculated:
    """A workbook with what was written in its cells, and what a spreadsheet works out of them."""

    def __init__(self, written: bytes, folder: Path) -> None:
        path = folder / "par.xlsx"
        path.write_bytes(written)
        self.formulas = openpyxl.load_workbook(path)
        self.cached = openpyxl.load_workbook(path, data_only=True)
        self.engine = ironcalc.load_from_xlsx(str(path))
        self.names = [each["name"] for each in self.engine.get_worksheets_properties()]

    def change(self, sheet: str, cell: str, number: float) -> None:
        at = self.formulas[sheet][cell]
        self.engine.update_cell_with_number(self.names.index(sheet), at.row, at.column, number)

    def forget(self) -> None:
        """Empty every formula and write it anew: what was cached is gone."""
        for sheet in self.formulas:
            for row in sheet.iter_rows():
                for cell in row:
                    if isinstance(cell.value, str) and cell.value.startswith("="):
                        at = (self.names.index(sheet.title), cell.row, cell.column)
                        self.engine.clear_cell_contents(*at)
                        self.engine.set_user_input(*at, cell.value)
        self.engine.evaluate()

    def worth(self, sheet: str, row: int, column: int) -> float:
        found = self.engine.get_cell_value(self.names.index(sheet), row, column)
        assert isinstance(found, float), (sheet, row, column, found)
        return found

    def row(self, sheet: str, label: str, after: str = "") -> int:
        """The first row that begins with these words, below another."""
        begun = not after
        for number, (cell,) in enumerate(self.cached[sheet].iter_rows(max_col=1), start=1):
            if begun and cell.value == label:
                return number
            begun = begun or cell.value == after
        raise AssertionError(f"{sheet} has no {label!r}")

    def figure(self, sheet: str, label: str, column: int = 2) -> float:
        return self.worth(sheet, self.row(sheet, label), column)


@pytest.fixture
def opened(tmp_path: Path):
    def open_(written: bytes) -> Recalculated:
        found = Recalculated(written, tmp_path)
        found.forget()
        return found

    return open_


@pytest.mark.parametrize("game", GAMES)
def test_every_formula_comes_to_what_was_written_with_it(opened, game):
    found = opened(workbook(reported(game)))
    formulas = 0
    for sheet in found.formulas:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and cell.value.startswith("="):
                    cached = found.cached[sheet.title][cell.coordinate].value
                    worth = found.worth(sheet.title, cell.row, cell.column)
                    same = isclose(worth, cached, rel_tol=CLOSE, abs_tol=1e-15)
                    assert same, (sheet.title, cell.coordinate, cell.value, worth, cached)
                    formulas += 1
    assert formulas > 3 * len(reported(game).solution.outcomes)


@pytest.mark.parametrize("game", GAMES)
def test_the_counts_give_the_exact_price(opened, game):
    made = reported(game)
    solution, statistics = made.solution, made.solution.statistics
    found = opened(workbook(made))
    deals = found.figure("Main game", "all deals", 4)
    assert deals == solution.deals
    first = found.row("Main game", "event") + 1
    counted = [
        tuple(cell.value for cell in row[:4])
        for row in found.cached["Main game"].iter_rows(
            min_row=first, max_row=first + len(solution.outcomes) - 1
        )
    ]
    assert counted == [
        (each.event.replace("-", " "), each.stake, each.net_units, each.deals)
        for each in solution.outcomes
    ]
    exact: dict[str, Fraction | float] = {
        "House edge, of the ante": -solution.value,
        "Element of risk": statistics.element_of_risk,
        "Average wager, antes": statistics.average_wager,
        "Variance, square antes": statistics.variance,
        "Standard deviation, antes": statistics.standard_deviation,
        "Skew": statistics.skew,
        "N0, rounds": statistics.variance / solution.value**2,
        "Hit frequency": statistics.hit_frequency,
        **{f"Folds at decision {n}": part for n, part in enumerate(solution.folds, start=1)},
        "The house's theoretical win": made.per_hour.win / 100,
    }
    for label, value in exact.items():
        assert isclose(found.figure("Summary", label), value, rel_tol=CLOSE), label
        if isinstance(value, Fraction) and not label.startswith("The house"):
            row = found.row("Summary", label)
            assert found.cached["Summary"].cell(row, 3).value == ratio(value)
    for side in made.sides:
        title = solution.book.spots[side.spot].title
        assert isclose(found.figure("Summary", title), -side.value, rel_tol=CLOSE)
        row = found.row("Side wagers", title) + 1
        ways = [found.cached["Side wagers"].cell(row + n, 4).value for n in range(len(side.rows))]
        assert ways == [each.ways for each in side.rows]


def test_the_progressive_follows_its_meter(opened):
    made, book = reported(SENECA.id), SENECA
    token = made.jackpot
    assert token is not None
    assert book.progressive is not None
    found = opened(workbook(made))
    table = book.tables[book.spots[book.progressive.spot].table]
    counted, whole = rows_counted(book, table)
    first = found.row("Progressive", "hand") + 1
    ways = [found.cached["Progressive"].cell(first + n, 5).value for n in range(len(table.rows))]
    assert ways == list(counted.values())
    assert found.figure("Progressive", "all hands", 5) == whole
    assert isclose(
        found.figure("Progressive", "Fixed awards return, per token"), token.fixed_return
    )
    even = (1 - token.fixed_return) * token.token_cents / token.meter_return
    found.change("Progressive", f"B{found.row('Progressive', 'Meter')}", float(even / 100))
    found.engine.evaluate()
    assert isclose(found.figure("Progressive", "A token returns at this meter"), 1, rel_tol=1e-9)


def test_another_count_gives_another_price(opened):
    """Formulas are live: what is not a fold any more is worth something else."""
    made = reported(LET_IT_RIDE.id)
    found = opened(workbook(made))
    outcome = made.solution.outcomes[0]
    row = found.row("Main game", "event") + 1
    found.change("Main game", f"D{row}", outcome.deals + 1000)
    found.engine.evaluate()
    units, deals = made.solution.units, made.solution.deals
    total = made.solution.value * deals + Fraction(1000 * outcome.net_units, units)
    edge = -total / (deals + 1000)
    assert isclose(found.figure("Summary", "House edge, of the ante"), edge, rel_tol=CLOSE)


@cache
def large() -> bytes:
    """A workbook of a game with more deals than a spreadsheet counts."""
    made = reported(LET_IT_RIDE.id)
    old = made.solution
    counts = tuple(
        Outcome(each.event, each.stake, each.net_units, each.deals * 10**12 + 1)
        for each in old.outcomes
    )
    deals = sum(each.deals for each in counts)
    solved = Replayed(deals, old.units, counts)
    solution = Solution(old.book, None, old.minimum_cents, "stay", solved)
    return workbook(replace(made, solution=solution, chart=None))


def test_a_count_that_no_spreadsheet_holds_stands_beside_it_in_full(opened):
    found = opened(large())
    first = found.row("Main game", "event") + 1
    for number, outcome in enumerate(reported(LET_IT_RIDE.id).solution.outcomes):
        said = found.cached["Main game"].cell(first + number, 8).value
        assert said == f"{outcome.deals * 10**12 + 1:,}"
    assert any("15 digits" in str(row[0].value) for row in found.cached["Main game"].iter_rows())
    small = workbook(reported(LET_IT_RIDE.id))
    heads = [cell.value for cell in openpyxl.load_workbook(io.BytesIO(small))["Main game"][4]]
    assert "deals, in full" not in heads


def test_it_names_the_rules_and_says_every_clause(opened):
    found, book = opened(workbook(reported(SENECA.id))), load(SENECA.id)
    facts = {row[0].value: row[1].value for row in found.cached["Summary"].iter_rows()}
    assert facts["Its sha256"] == book.sha256
    assert facts["Ties between staying in and folding"] == "stay in, at the smallest best stake"
    cited = " ".join(str(row[2].value) for row in found.cached["Rules"].iter_rows())
    for _, each in book.citations():
        if each in ("odds", "progressive", "limits", "irregularities"):
            assert each in cited
    curve = found.cached["By ante"]
    antes = [row[0].value for row in curve.iter_rows(min_row=4) if isinstance(row[0].value, int)]
    assert antes == [point.ante_cents / 100 for point in reported(SENECA.id).curve]


def test_it_is_a_whole_archive_and_says_nothing_of_when_it_was_made():
    written = workbook(reported(SENECA.id))
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        assert archive.testzip() is None
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = ElementTree.fromstring(archive.read("docProps/core.xml"))
        said = [each.text for each in core.iter() if each.text and each.text[:4].isdigit()]
        assert {each[:10] for each in said} == {"1980-01-01"}
    assert written == workbook(reported(SENECA.id))
