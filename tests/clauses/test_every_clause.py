"""Every clause that a rulebook cites has a test named after it, in the folder of its house."""

import ast
import re
from pathlib import Path

import pytest

from pitboss import rulebook

HERE = Path(__file__).parent


def name_of_test(clause: str) -> str:
    """``C.1.j(2)`` is tested by functions called ``test_c_1_j_2__...``."""
    return "test_" + re.sub(r"[^a-z0-9]+", "_", clause.lower()).strip("_")


def names_in(folder: str) -> set[str]:
    """Names of the test functions in a folder, up to the double underscore.

    The number of an input that once came out wrong stands before its ruling: ``test_w7_r60__...``.
    """
    return {
        re.sub(r"^test_w\d+_", "test_", node.name).split("__")[0]
        for path in (HERE / folder).glob("test_*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize("book_id", rulebook.ids())
def test_every_clause_has_a_test(book_id):
    house = book_id.split("/")[0].replace("-", "_")
    here, rulings = names_in(house), names_in("rulings")
    missing = sorted(
        {
            clause
            for _, clause in rulebook.load(book_id).citations()
            if name_of_test(clause)
            not in (rulings if re.fullmatch(r"R\d+[a-z]?", clause) else here)
        }
    )
    assert not missing, f"{book_id}: no test for {', '.join(missing)}"
