"""Every refusal and every reason is on the pages, and is written once."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from pitboss.round import refusals
from pitboss.round.refusals import KindOfRefusal
from pitboss.settle import explain
from tests.docs.pages import DOCS, SOURCE, code, rows, without_repeats


def refusal_codes() -> Iterator[str]:
    """The codes of the machine's table, and the first argument of every other refusal."""
    yield from (kind.code for kind in kinds_of_refusal().values())
    for call, _ in refusals_in_place():
        yield from spelled(call.args[0])


def refusals_in_place() -> Iterator[tuple[ast.Call, ast.AST]]:
    """Every refusal outside the machine, and the function, class or module that it stands in."""
    for path in SOURCE.rglob("*.py"):
        if path.parent == SOURCE / "round" or path == SOURCE / "errors.py":
            continue
        around: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(tree := ast.parse(path.read_text("utf-8"))):
            for inner in ast.iter_child_nodes(node):
                scope = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                around[inner] = node if scope else around.get(node, tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Refusal", "refuse"):
                assert len(node.args) > 1, f"{path.name}:{node.lineno}: give code and sentence"
                yield node, around[node]


def sentence(call: ast.Call, scope: ast.AST) -> str:
    """What a refusal says, without what is filled in; a name stands for what it was given last."""
    said = call.args[1]
    if isinstance(said, ast.Name):
        given = [
            node
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign)
            and node.lineno < call.lineno
            and ast.unparse(node.targets[0]) == said.id
        ]
        said = max(given, key=lambda node: node.lineno).value
    parts = said.values if isinstance(said, ast.JoinedStr) else [said]
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in parts)


def test_the_sentence_of_a_refusal_is_written_once():
    written = Counter(
        f"{said}: {sentence(call, scope)}"
        for call, scope in refusals_in_place()
        for said in spelled(call.args[0])
    )
    assert [each for each, times in written.items() if times > 1] == []


def spelled(node: ast.expr) -> Iterator[str]:
    """Every code that an expression may stand for."""
    if isinstance(node, ast.IfExp):
        yield from (*spelled(node.body), *spelled(node.orelse))
    else:
        assert isinstance(node, ast.Constant), f"cannot tell the code: {ast.unparse(node)}"
        yield str(node.value)


def kinds_of_refusal() -> dict[str, KindOfRefusal]:
    named = vars(refusals).items()
    return {name: kind for name, kind in named if isinstance(kind, KindOfRefusal)}


def test_the_machine_refuses_by_its_table_and_each_row_is_used():
    used = set()
    for path in (SOURCE / "round").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Refusal"):
                assert path.name == "refusals.py", f"{path.name}:{node.lineno}: not from the table"
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "refusals":
                used.add(node.attr)
    assert used == set(kinds_of_refusal())


def test_every_refusal_is_documented_and_no_other():
    table = [
        *rows(DOCS["events.md"], "code", "when", "clause"),
        *rows(DOCS["api.md"], "code", "when"),
    ]
    assert without_repeats([code(row[0]) for row in table]) == set(refusal_codes())


def test_no_page_names_a_refusal_that_does_not_exist():
    known = set(refusal_codes())
    areas = "|".join(sorted({each.split("/")[0] for each in known} - {"round", "lab"}))
    for name, text in DOCS.items():
        for said in re.findall(rf"`((?:{areas})/[a-z-]+)`", text):
            assert said in known, f"{name}: no refusal {said}"


def test_every_reason_is_documented_in_its_own_words():
    table = rows(DOCS["events.md"], "code", "sentence")
    assert {code(row[0]): row[1] for row in table} == explain._SENTENCES
    assert [code(row[0]) for row in table] == explain.codes()
