"""The notebooks run from top to bottom, and bring what stands in them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.notebooks import FILES, ran, text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_runs_and_brings_what_stands_in_it(file: Path) -> None:
    assert text(ran(file)) == file.read_text("utf-8"), "python -m tools.notebooks writes it anew"


def test_there_are_two() -> None:
    assert [each.stem for each in FILES] == ["design-and-risk", "price-a-game"]


@pytest.mark.parametrize(
    ("lacking", "module", "says"),
    [
        ("pandas", "frames", "frames are made by pandas"),
        ("pandas", "figures", "frames are made by pandas"),
        ("altair", "figures", "charts are drawn by Altair"),
    ],
)
def test_without_the_extra_a_sentence_says_how_to_get_it(
    lacking: str, module: str, says: str
) -> None:
    tries = f"import sys; sys.modules[{lacking!r}] = None; import pitboss.lab.{module}"
    ran = subprocess.run([sys.executable, "-c", tries], capture_output=True, text=True)
    last = ran.stderr.splitlines()[-1]
    assert says in last
    assert "which comes with an extra: pip install 'pitboss[notebook]'" in last
