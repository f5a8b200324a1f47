"""The rooms of the program: what may use what, where the world is touched, what is never named."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Collection, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from pitboss import rulebook

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "pitboss"
FILES = sorted(SOURCE.rglob("*.py"))

GROUND = {"errors", "cards", "digest", "hands", "money", "wording"}
ENGINE = {"ground", "rulebook", "round", "settle"}
HOUSE = {"house.table", "house.books", "house.people", "house.storage"}
MAY_USE = {
    "ground": set[str](),
    "rulebook": {"ground"},
    "round": {"ground", "rulebook"},
    "settle": {"ground", "rulebook", "round"},
    "maths": {"ground", "rulebook"},
    "lab": {"ground", "rulebook", "maths"},
    "lab.papers": {*ENGINE, "maths", "lab"},
    "house.books": set(ENGINE),
    "house.table": {*ENGINE, "house.books"},
    "house.people": {*ENGINE, "house.books", "house.table"},
    "house.storage": {*ENGINE, "house.books", "house.table", "house.people"},
    "house": {*ENGINE, "maths", *HOUSE},
    "audit": {*ENGINE, "house", *HOUSE},
    "web": {*ENGINE, "maths", "lab", "lab.papers", "house", *HOUSE},
    "cli": {*ENGINE, "maths", "lab", "lab.papers", "house", *HOUSE, "audit", "web"},
}
"""Imports point downward only. A new room says here what it may use."""

PURE = (
    "rulebook",
    "round",
    "settle",
    "maths",
    "lab",
    "house/books",
    "house/table",
    "house/people",
)
READS_FILES = {
    "lab/papers/clause_tests.py",
    "lab/papers/layout_drawing.py",
    "lab/papers/typesetting.py",
    "lab/par_page.py",
    "lab/published.py",
    "rulebook/loader.py",
    "rulebook/rulings.py",
    "settle/tax.py",
    "settle/tax_forms.py",
}
"""They read what is shipped with the program, or the one file that a person names."""

KEEPS_FILES = {"maths/kept.py", "maths/side_by_side.py"}
"""They keep what took long to count on disk, and count on all cores; what comes of it is the same
with and without them."""

PURE_MODULES = {
    "__future__",
    "altair",  # these two are an extra, for notebooks
    "bisect",
    "collections",
    "csv",
    "datetime",  # dates are values; asking what day it is is not, see below
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "io",  # for files that are written in memory
    "itertools",
    "numpy",
    "pandas",
    "json",
    "math",
    "msgspec",
    "pitboss",
    "re",
    "textwrap",
    "tomllib",
    "types",
    "typing",
    "xlsxwriter",
    "zipfile",
}
"""All that a pure room may import: no clock, no randomness, no system, no network, no files."""

WORLDLY_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}
WORLDLY_METHODS = {"now", "today", "utcnow", "read_text", "read_bytes", "write_text", "write_bytes"}


def name(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def room(module: str) -> str:
    """The room of a module such as ``rulebook.check``."""
    first, _, rest = module.partition(".")
    inner = f"{first}.{rest.partition('.')[0]}"
    return "ground" if first in GROUND else inner if inner in MAY_USE else first


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Everything in a file: it is gone through for one question after the other."""
    return [*ast.walk(parsed(path))]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, wherever in the file: (line, dotted name)."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}:{node.lineno}: write imports from pitboss"
            module = node.module or ""
            # `from pitboss import money` imports a module; what it says of itself is no module.
            names = [f"pitboss.{each.name}" for each in node.names if each.name[:2] != "__"]
            yield from (
                (node.lineno, each) for each in (names if module == "pitboss" else [module])
            )


def test_no_two_rooms_use_each_other():
    TopologicalSorter(MAY_USE).prepare()  # names the ring, where there is one


def test_imports_point_downward_only():
    found = []
    for path in FILES:
        here = room(name(path).removesuffix(".py").replace("/", "."))
        if here in ("__init__", "__main__"):  # above all rooms
            continue
        assert here in MAY_USE, f"a new room, {here}: say in MAY_USE what it may use"
        for line, module in imports(path):
            if module.split(".")[0] == "pitboss":
                there = room(module.removeprefix("pitboss.").removeprefix("pitboss"))
                if there not in {here, *MAY_USE[here]}:
                    found.append(f"{name(path)}:{line}: {here} imports {module}")
    assert found == []


def test_the_tests_folders_mirror_the_programs():
    tests = ROOT / "tests"
    rooms = [path.parent.relative_to(SOURCE) for path in FILES if path.name == "__init__.py"]
    assert [str(each) for each in rooms if not [*(tests / each).glob("test_*.py")]] == []


def test_the_package_stands_without_the_clone():
    found = [
        f"{name(path)}:{line}: {module} is not in the package"
        for path in FILES
        for line, module in imports(path)
        if module.split(".")[0] in ("bench", "tools", "tests")
    ]
    assert found == []


def test_no_module_needs_itself_not_even_for_its_types():
    """What is imported for types alone, or late, in a function, counts too: it is coupling."""
    modules = {
        ".".join(("pitboss", *re.split("[/.]", name(path))[:-1])).removesuffix(".__init__"): path
        for path in FILES
        if name(path) not in ("__init__.py", "__main__.py")  # above all rooms
    }
    uses = {
        module: {
            used for node in nodes(path) for used in imported(node, modules) if used in modules
        }
        for module, path in modules.items()
    }
    TopologicalSorter(uses).prepare()  # names the ring, where there is one


def imported(node: ast.AST, modules: Collection[str]) -> Iterator[str]:
    """The modules that a statement imports; ``from a import b`` may name one, or something in a."""
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        inner = (f"{node.module}.{each.name}" for each in node.names)
        yield from (each if each in modules else str(node.module) for each in inner)


def test_pure_rooms_touch_nothing_outside():
    pure = [path for path in FILES if name(path).startswith(PURE)]
    assert [each for path in pure for each in touched(path)] == []


def touched(path: Path) -> Iterator[str]:
    """Where a file of a pure room touches the world."""
    if name(path) in KEEPS_FILES:
        return
    reads = name(path) in READS_FILES
    for line, module in imports(path):
        allowed = module.split(".")[0] in PURE_MODULES or (
            reads and module in ("pathlib", "jinja2", "typst")
        )
        if not allowed:
            yield f"{name(path)}:{line}: a pure room imports {module}"
    if reads:
        return
    for node in nodes(path):
        if isinstance(node, ast.Call):
            called = node.func
            plain = isinstance(called, ast.Name) and called.id in WORLDLY_CALLS
            method = isinstance(called, ast.Attribute) and called.attr in WORLDLY_METHODS
            if plain or method:
                yield f"{name(path)}:{node.lineno}: {ast.unparse(called)}"


def test_the_exceptions_are_still_there():
    assert {name(path) for path in FILES} >= READS_FILES | KEEPS_FILES
    assert {room(name(path).removesuffix(".py").replace("/", ".")) for path in FILES} == {
        *MAY_USE,
        "__init__",
        "__main__",
    }


@cache
def types_named() -> dict[str, list[str]]:
    """Every public name of a type, a class or one that stands for others, and where it is given."""
    found: dict[str, list[str]] = {}
    for path in FILES:
        for node in parsed(path).body:
            named = node.name if isinstance(node, ast.ClassDef) else ""
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named = node.targets[0].id
            if named[:1].isupper() and not named.isupper():
                found.setdefault(named, []).append(f"{name(path)}:{node.lineno}")
    return found


def test_no_two_types_have_one_name():
    assert len(types_named()) > 300
    assert {each: where for each, where in types_named().items() if len(where) > 1} == {}


# No house in code ------------------------------------------------------------------------------


@cache
def house_names() -> tuple[set[str], set[str]]:
    """What houses are called, and the ids of their books; lower case."""
    books = [rulebook.load(each) for each in rulebook.ids()]
    names = {" ".join(book.house.lower().split()[:2]) for book in books}
    ids = {book.id for book in books}
    # "common" is an ordinary word; a house's slug of several words is not.
    return names, ids | {house for each in ids if "-" in (house := each.split("/")[0])}


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, holders) and ast.get_docstring(node) is not None:
            assert isinstance(node.body[0], ast.Expr)
            yield node.body[0].value


def defaults(tree: ast.Module) -> Iterator[ast.expr]:
    """The book that a command takes when none is named: a constant, or ``default=``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
            yield node.value
        if isinstance(node, ast.keyword) and node.arg == "default":
            yield node.value


def test_no_house_is_named_in_code():
    assert [each for path in FILES for each in houses_named(path)] == []


def houses_named(path: Path) -> Iterator[str]:
    """A house's name anywhere; a book's id, but in a docstring or as the default of a command."""
    text, tree = path.read_text("utf-8"), parsed(path)
    names, ids = house_names()
    # What a whole file does not say, none of its words says: most are read no further.
    if not any(each in " ".join(text.lower().split()) for each in names | ids):
        return
    places = [*docstrings(tree), *(defaults(tree) if name(path).startswith("cli/") else ())]
    allowed = {(node.lineno, node.col_offset) for node in places}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        said = " ".join(token.string.lower().split())
        where = f"{name(path)}:{token.start[0]}"
        if any(each in said for each in names):
            yield f"{where} names a house"
        if token.start not in allowed and any(each in said for each in ids):
            yield f"{where} names a house's book"


def test_rulings_come_from_rulebooks_and_not_from_code():
    assert [each for path in FILES for each in rulings_cited(path)] == []


def rulings_cited(path: Path) -> Iterator[str]:
    """Where a file cites a ruling, but in a docstring."""
    told = set(map(id, docstrings(parsed(path))))
    for node in nodes(path):
        if isinstance(node, ast.Constant) and id(node) not in told:
            for _ in re.findall(r"\bR\d+[a-z]?\b", str(node.value)):
                yield f"{name(path)}:{node.lineno} cites a ruling"


# No machine in files ----------------------------------------------------------------------------


def tracked() -> list[Path]:
    """The files of the project: those that git has or would take."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone, so nothing is tracked")
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = done.stdout.decode("utf-8").split("\0")
    return [ROOT / each for each in names if each and (ROOT / each).is_file()]


# Put together from parts, so that this file does not name what it looks for.
FOLDERS = "|".join(("home", "root", "Users", "work", "mnt", "opt", "srv", "private", "workspace"))
ABSOLUTE = re.compile(rf"(?<![\w.~*-])/(?:{FOLDERS})/[\w.]|(?<!\w)[A-Za-z]:\\\\?Users")
INDEX = re.compile(
    r"\bpy" + r"pi\.|python" + r"hosted|[/+]sim" + r"ple\b|--(?:extra-)?index" + r"-url[ =]"
)


def test_no_file_names_a_machine_or_an_index():
    found = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        for pattern in (ABSOLUTE, INDEX):
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{path.relative_to(ROOT)}:{line}: {match[0]}")
    assert not found, "\n".join(found)
