"""The lines of the program by room, as docs/architecture.md has them.

python -m tools.count_lines    writes them there
"""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
SOURCE = ROOT / "src" / "pitboss"
BEGIN, END = "<!-- lines by room -->\n", "<!-- end -->\n"

ROOMS = (
    "rulebook",
    "round",
    "settle",
    "maths",
    "lab/papers",
    "lab",
    "house/table",
    "house/books",
    "house/people",
    "house/storage",
    "house",
    "audit",
    "web/pages",
    "web",
    "cli",
)
"""A file belongs to the first of these it lies in; what lies in none is the ground floor."""


def room(path: Path) -> str:
    """The room of a file."""
    name = path.relative_to(SOURCE).as_posix()
    return next((each for each in ROOMS if name.startswith(f"{each}/")), "ground")


def table() -> str:
    """The table, as Markdown."""
    files = sorted(SOURCE.rglob("*.py"))
    lines: Counter[str] = Counter()
    for path in files:
        lines[room(path)] += len(path.read_text("utf-8").splitlines())
    many = Counter(map(room, files))
    rows = [f"| `{each}` | {many[each]} | {lines[each]:,} |" for each in ("ground", *ROOMS)]
    whole = f"| **all of `src/pitboss`** | **{len(files)}** | **{lines.total():,}** |"
    return "\n".join(["| room | files | lines |", "|---|--:|--:|", *rows, whole, ""])


def written(page: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
