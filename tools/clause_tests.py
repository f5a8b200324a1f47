"""Make the matrix of clauses and tests that the package carries, out of docs/coverage.md.

python -m tools.clause_tests    writes it there
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
COLUMNS = ["#", "clause", "what it says", "where it lives", "class", "test"]


def made(page: str) -> str:
    """Return the matrix as JSON, a line for each statement."""
    books: dict[str, list[list[object]]] = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        book = part.partition("\n")[0].strip()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.split("\n")]
        inside = (row for row in rows if len(row) == len(COLUMNS) and row[0].isdigit())
        books[book] = [
            [clause.strip("`"), says, kind, tests.replace("`", "").split(", ")]
            for _, clause, says, _, kind, tests in inside
        ]
    parts = [
        f"{json.dumps(book)}: [\n"
        + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        + "\n]"
        for book, rows in books.items()
        if rows
    ]
    return "{" + ",\n".join(parts) + "}\n"


def main() -> None:
    from pitboss.lab.papers.clause_tests import FILE

    FILE.write_text(made((ROOT / "docs" / "coverage.md").read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
