"""The documents as tests read them: their sections, tables, cells and examples."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pitboss"
DOCS = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    level = heading.split(" ")[0]
    after = text.split(f"{heading}\n", 1)[1]
    return re.split(rf"^#{{1,{len(level)}}} ", after, maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str, *columns: str) -> list[list[str]]:
    """The rows of every table whose heading has exactly these columns."""
    found: list[list[str]] = []
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells == list(columns):
            inside = True
        elif inside and not set(line) <= set("|-"):
            found.append(cells)
    return found


def code(cell: str) -> str:
    """What a cell has in backticks, and nothing else beside it."""
    found = re.fullmatch(r"`([^`]+)`", cell)
    assert found, f"write {cell!r} in backticks"
    return found[1]


def without_repeats(names: list[str]) -> set[str]:
    assert len(names) == len(set(names)), f"{names} names something twice"
    return set(names)


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
