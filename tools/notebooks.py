"""The notebooks of docs/notebooks: their cells run in order, and written with what comes of them.

python -m tools.notebooks    runs them all and writes them anew

A cell does what it does in Jupyter: its last expression is what it brings. Nothing of Jupyter is
needed for that, and what is drawn is left to whoever opens it.
"""

import ast
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
FILES = tuple(sorted(FOLDER.glob("*.ipynb")))


def ran(file: Path) -> Any:
    """Return a notebook with what its cells bring now, as text."""
    notebook = json.loads(file.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        told = _told("".join(cell["source"]), names)
        cell["execution_count"] = number
        cell["outputs"] = [] if told is None else [_output(number, told)]
    return notebook


def _told(source: str, names: dict[str, Any]) -> str | None:
    """Run a cell; return what its last expression is, as it is shown."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        exec(compile(source, "cell", "exec"), names)
        return None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return None if shown is None else repr(shown)


def _output(number: int, told: str) -> dict[str, Any]:
    data = {"text/plain": told.splitlines(keepends=True)}
    return {
        "data": data,
        "execution_count": number,
        "metadata": {},
        "output_type": "execute_result",
    }


def text(notebook: Any) -> str:
    """Write a notebook as Jupyter does."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for each in FILES:
        each.write_text(text(ran(each)), "utf-8")
