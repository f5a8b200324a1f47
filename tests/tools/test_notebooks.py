"""The notebooks run from top to bottom, and bring what stands in them."""

from pathlib import Path

import pytest

from tools.notebooks import FILES, ran, text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_runs_and_brings_what_stands_in_it(file: Path) -> None:
    assert text(ran(file)) == file.read_text("utf-8"), "python -m tools.notebooks writes it anew"


def test_there_are_two() -> None:
    assert [each.stem for each in FILES] == ["design-and-risk", "price-a-game"]
