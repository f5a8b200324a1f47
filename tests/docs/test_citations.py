"""What rulebooks cite is on the pages: each ruling, and each clause of a house's document."""

import re

import pytest

from pitboss import rulebook
from tests.docs.pages import DOCS, code, rows, section, without_repeats

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


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_coverage_tells_exactly_the_cited_clauses_from_the_others(book_id):
    table = rows(
        section(DOCS["coverage.md"], f"## {book_id}"),
        "clause",
        "what it says",
        "where it lives",
        "status",
    )
    assert {row[3] for row in table} <= {"cited", "part", "people"}
    covered = {code(row[0]) for row in table if row[3] == "cited"}
    others = {code(row[0]) for row in table if row[3] in ("part", "people")}
    clauses, _ = cited(book_id)
    assert covered == clauses
    assert not covered & others


def test_coverage_has_a_section_for_every_book_and_no_other():
    headings = re.findall(r"^## (\S+/\S+)$", DOCS["coverage.md"], re.MULTILINE)
    assert sorted(headings) == rulebook.ids()
