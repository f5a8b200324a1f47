"""What rulebooks cite is on the pages: each ruling, and each clause of a house's document."""

import ast
import re
from functools import cache

import pytest

from pitboss import rulebook
from tests.docs.pages import DOCS, ROOT, code, rows, section, without_repeats

RULING = re.compile(r"R\d+[a-z]?")


def rulings() -> set[str]:
    found = re.findall(r"^### (R\d+[a-z]?)\. \S", DOCS["rulings.md"], re.MULTILINE)
    return without_repeats(found)


def cited(book_id: str) -> tuple[set[str], set[str]]:
    """The clauses and the rulings that a rulebook cites."""
    every = {each for _, each in rulebook.load(book_id).citations()}
    of_rulings = {each for each in every if RULING.fullmatch(each)}
    return every - of_rulings, of_rulings


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_every_cited_ruling_is_on_the_page(book_id):
    _, said = cited(book_id)
    assert said <= rulings(), f"{book_id}: no ruling {said - rulings()}"


def test_a_ruling_says_which_key_holds_it():
    for name in rulings():
        text = re.split(rf"^### {name}\. ", DOCS["rulings.md"], flags=re.MULTILINE)[1]
        assert re.search(r"^Key: \S", text.split("\n#")[0], re.MULTILINE), name


def test_no_page_names_a_ruling_that_does_not_exist():
    for name, text in DOCS.items():
        assert set(re.findall(r"\bR\d+[a-z]?\b", text)) <= rulings(), name


COLUMNS = ("#", "clause", "what it says", "where it lives", "class", "test")
STATEMENTS = {
    "diamond-jo-worth/cajun-stud": 148,
    "hollywood-penn-national/cajun-stud": 65,
    "seneca-niagara/caribbean-stud": 48,
}
"""How many statements each document makes at the least, counted one by one."""


def statements(book_id: str) -> list[list[str]]:
    return rows(section(DOCS["coverage.md"], f"## {book_id}"), *COLUMNS)


@cache
def existing_tests() -> set[str]:
    return {
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_every_statement_has_a_class_a_place_and_existing_tests(book_id):
    table = statements(book_id)
    assert [row[0] for row in table] == [str(number + 1) for number in range(len(table))]
    assert len(table) >= STATEMENTS.get(book_id, 1)
    for number, _clause, says, where, kind, tests in table:
        assert kind in ("a", "people"), number
        assert says, number
        reason = "hands" in where or "asks nothing" in where
        assert reason if kind == "people" else where, f"{number}: say why no program can do it"
        named = [code(each) for each in tests.split(", ")]
        assert set(named) <= existing_tests(), f"{number}: {set(named) - existing_tests()}"


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_every_clause_that_a_book_cites_has_a_statement(book_id):
    clauses, _ = cited(book_id)
    assert clauses <= {code(row[1]) for row in statements(book_id)}


def test_together_they_are_261_or_more():
    told = sum(len(statements(book_id)) for book_id in STATEMENTS)
    assert told >= 261
    assert f", {told} in all." in DOCS["coverage.md"]


def test_every_input_that_once_came_out_wrong_is_a_test_of_its_name():
    told = section(DOCS["coverage.md"], "## Inputs that once came out wrong")
    table = rows(told, "#", "input", "once", "now, and why", "test")
    assert [row[0] for row in table] == [f"W{number}" for number in range(1, 16)]
    for number, *_, tests in table:
        for name in map(code, tests.split(", ")):
            assert name in existing_tests(), name
            assert name.startswith(f"test_{number.lower()}_")


def test_coverage_has_a_section_for_every_book_and_no_other():
    headings = re.findall(r"^## (\S+/\S+)$", DOCS["coverage.md"], re.MULTILINE)
    assert sorted(headings) == rulebook.ids()
