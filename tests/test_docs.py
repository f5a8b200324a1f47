"""Code and documents say the same: what one of them has, the other has too."""

import ast
import contextlib
import doctest
import re
import subprocess
import sys
import time
import tomllib
import types
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest

from pitboss import cli, rulebook
from pitboss.audit.audit import audit
from pitboss.audit.promises import PROMISES
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Unreadable
from pitboss.house import settings
from pitboss.house.people import permissions, persons
from pitboss.house.table import commands
from pitboss.house.table import events as house_events
from pitboss.round import actions, events, notation, refusals
from pitboss.round.refusals import KindOfRefusal
from pitboss.rulebook.base import CITING, Cited
from pitboss.rulebook.loader import HOUSES, convert
from pitboss.rulebook.model import Rulebook
from pitboss.settle import explain
from pitboss.web.api import people, routes
from pitboss.web.pages import routes as page_routes
from tests.web.open_house import Visited, process
from tools import count_lines

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "pitboss"
DOCS = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
RULING = re.compile(r"R\d+[a-z]?")


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


# The rulebook's keys --------------------------------------------------------------------------


def structs(kind: Any) -> list[type[msgspec.Struct]]:
    """The structs that a field of this type may hold."""
    if get_origin(kind) in (tuple, types.UnionType):
        return [each for inner in get_args(kind) for each in structs(inner)]
    return [kind] if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else []


def keys(kind: type[msgspec.Struct], path: str = "") -> Iterator[tuple[str, str]]:
    """Every key below a struct with its default in words; what all tables cite is left to ``*``."""
    for field in msgspec.structs.fields(kind):
        if issubclass(kind, Cited) and field.name in CITING:
            continue
        yield f"{path}{field.encode_name}", default(field)
        for inner in structs(field.type):
            config = inner.__struct_config__
            if config.tag:
                yield f"{path}{field.encode_name}.{config.tag_field}", "required"
            tag = f"{config.tag}." if config.tag else ""
            yield from keys(inner, f"{path}{field.encode_name}.{tag}")
    if issubclass(kind, Cited):
        yield from ((f"{path}clauses.{point}", "none") for point in kind.points)


def default(field: msgspec.structs.FieldInfo) -> str:
    """A default as the reference writes it."""
    if field.required:
        return "required"
    made = field.default_factory is not msgspec.NODEFAULT
    value = field.default_factory() if made else field.default
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if not value or isinstance(value, msgspec.Struct):
        return "none"
    return ", ".join(f"`{each}`" for each in (value if isinstance(value, tuple) else (value,)))


ALL_KEYS = {
    "*.clause": "required",
    "*.ruling": "none",
    "*.clauses": "none",
    **dict(keys(Rulebook)),
}


def test_every_key_is_in_the_reference_with_its_default():
    table = rows(DOCS["rulebook.md"], "key", "type", "default", "meaning")
    without_repeats([row[0] for row in table])
    assert {code(row[0]): row[2] for row in table} == ALL_KEYS


def test_a_key_has_a_type_and_a_meaning():
    for row in rows(DOCS["rulebook.md"], "key", "type", "default", "meaning"):
        assert row[1]
        assert row[3].endswith(".")


def test_no_page_names_a_key_that_does_not_exist():
    top = {key.split(".")[0] for key in ALL_KEYS if "." in key} - {"*"}
    steps = {"script.deal", "script.decide", "script.turn", "script.show"}
    for name, text in DOCS.items():
        for said in re.findall(r"`([a-z]+(?:\.[a-z_]+)+)`", text):
            if said.split(".")[0] in top:
                known = said in ALL_KEYS or said.replace(".clauses", "") in ALL_KEYS
                assert known or said in steps, f"{name}: no key {said}"


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_examples_of_the_reference_can_be_read():
    parts = {field.encode_name: field.type for field in msgspec.structs.fields(Rulebook)}
    shown = set()
    for example in fenced(DOCS["rulebook.md"], "toml"):
        for name, value in tomllib.loads(example).items():
            convert(value, parts[name], name)
            shown.add(name)
    tables = {name for name in parts if structs(parts[name])}
    assert tables <= shown, f"no example of {tables - shown}"


# Actions, events, refusals, reasons ------------------------------------------------------------


def members(union: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs of a union, unions inside it taken apart."""
    for each in get_args(union):
        yield from members(each) if get_origin(each) is types.UnionType else (each,)


def shapes(*kinds: type[msgspec.Struct]) -> dict[str, list[str]]:
    return {str(each.__struct_config__.tag): list(each.__struct_fields__) for each in kinds}


def documented(page: str, *columns: str) -> dict[str, list[str]]:
    table = rows(DOCS[page], *columns)
    without_repeats([row[0] for row in table])
    return {code(row[0]): re.findall(r"`(\w+)`", row[1]) for row in table}


def test_every_command_of_a_table_is_documented_with_its_fields_and_who_may():
    columns = ("command", "fields", "what it asks for", "who")
    wanted = shapes(commands.OpenTable, *members(commands.Command))
    assert documented("api.md", *columns) == wanted
    for row in rows(DOCS["api.md"], *columns):
        assert spoken_roles(row[3]) == set(permissions.MAY[code(row[0])]), row[0]


def spoken_roles(said: str) -> set[str]:
    """The roles that a cell of the page stands for."""
    groups = {
        "everybody": set(persons.ROLES),
        "owner": {"owner"},
        "the floor": {each for each in permissions.PIT if each not in ("dealer", "surveillance")},
        "the pit": set(permissions.PIT),
    }
    found: set[str] = set()
    for each in said.split(", "):
        found |= groups[each] if each in groups else {code(each)}
    return found


def test_every_act_on_a_person_is_documented():
    columns = ("act", "fields", "what it does", "who")
    assert documented("api.md", *columns) == shapes(*members(people.PersonAct))
    for row in rows(DOCS["api.md"], *columns):
        assert spoken_roles(row[3]) == set(permissions.MAY[code(row[0])]), row[0]


def test_every_other_permission_is_documented():
    table = rows(DOCS["api.md"], "permission", "who")
    acts = {*shapes(commands.OpenTable, *members(commands.Command), *members(people.PersonAct))}
    assert {code(row[0]) for row in table} == set(permissions.MAY) - acts
    for row in table:
        assert spoken_roles(row[1]) == set(permissions.MAY[code(row[0])]), row[0]


def test_every_event_of_the_house_is_documented_with_its_fields():
    wanted = shapes(*members(house_events.HouseEvent), *members(persons.PersonEvent))
    assert documented("api.md", "event", "fields", "meaning") == wanted


def test_every_route_and_setting_is_documented():
    table = rows(DOCS["api.md"], "route", "what it does", "session")
    assert [code(row[0]) for row in table] == [f"{r.method} {r.path}" for r in routes.ROUTES]
    assert [row[2] == "no" for row in table] == [r.public for r in routes.ROUTES]
    told = rows(DOCS["pages.md"], "page", "what it is")
    assert [(code(row[0]), row[1]) for row in told] == [
        (f"{page.method} {page.path}", f"{page.says}.") for page in page_routes.PAGES
    ]
    defaults = {name: f"`{each.default}`" for name, each in settings.SETTINGS.items()}
    table = rows(DOCS["api.md"], "setting", "default", "meaning")
    assert {code(row[0]): row[1] for row in table} == defaults


@pytest.mark.parametrize(("column", "union"), [("action", actions.Action), ("event", events.Event)])
def test_every_action_and_event_is_documented_with_its_fields(column, union):
    says = "when, and what it asks for" if column == "action" else "meaning"
    table = rows(DOCS["events.md"], column, "fields", says, "clause")
    documented = {code(row[0]): re.findall(r"`(\w+)`", row[1]) for row in table}
    assert documented == {
        kind.__struct_config__.tag: list(kind.__struct_fields__) for kind in get_args(union)
    }


def test_every_event_has_a_line_that_reads_and_writes_itself():
    table = rows(DOCS["events.md"], "event", "line")
    tags = {kind.__struct_config__.tag for kind in get_args(events.Event)}
    assert without_repeats([code(row[0]) for row in table]) == tags
    for row in table:
        for line in re.findall(r"`([^`]+)`", row[1]):
            (event,) = notation.read(line)
            assert event.__struct_config__.tag == code(row[0])
            assert notation.write([event]) == f"{line}\n"


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
    areas = "|".join(sorted({each.split("/")[0] for each in known} - {"round"}))
    for name, text in DOCS.items():
        for said in re.findall(rf"`((?:{areas})/[a-z-]+)`", text):
            assert said in known, f"{name}: no refusal {said}"


def test_every_reason_is_documented_in_its_own_words():
    table = rows(DOCS["events.md"], "code", "sentence")
    assert {code(row[0]): row[1] for row in table} == explain._SENTENCES
    assert [code(row[0]) for row in table] == explain.codes()


# Promises ---------------------------------------------------------------------------------------

PEOPLE = ("stranger", "player", "dealer", "supervisor", "administrator")
HOLDERS = ("reads the database", "writes to the database", "has the machine")


def test_every_promise_says_what_enforces_it_and_which_test_breaks_with_it():
    columns = ("#", "promise", "what enforces it", "the test that breaks with it")
    table = rows(DOCS["promises.md"], *columns)
    assert [row[0] for row in table] == [str(number) for number in range(1, len(PROMISES) + 1)]
    assert all(all(row) for row in table)


def test_every_promise_says_against_whom_it_holds_and_why_where_it_does_not():
    page, columns = DOCS["promises.md"], (*PEOPLE, *HOLDERS)
    table = rows(page, "#", "promise", *columns)
    numbered = enumerate(PROMISES, start=1)
    assert [row[:2] for row in table] == [[str(number), says] for number, (says, _) in numbered]
    words = {code(row[0]) for row in rows(page, "word", "meaning")}
    assert {cell for row in table for cell in row[2:]} == words
    explained = {
        (number, who)
        for number, several, why, shown in rows(page, "#", "who", "why", "shown by")
        for who in several.split(", ")
        if why and shown
    }
    assert {who for _, who in explained} <= set(columns)
    for number, _, *cells in table:
        for who, cell in zip(columns, cells, strict=True):
            assert cell == "holds" or (number, who) in explained, f"{number}, {who}: say why"


# Clauses and rulings ---------------------------------------------------------------------------


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


# Files, links, commands -------------------------------------------------------------------------


README = ROOT / "README.md"
PAGES = [*sorted((ROOT / "docs").glob("*.md")), *([README] if README.exists() else [])]


def test_there_is_a_readme():
    assert README in PAGES, "README.md is missing, so nothing below looks at it"


def anchors(text: str) -> set[str]:
    """The anchors of a page, as web sites make them from headings."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), f"{page.name}: no {target}"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there.read_text("utf-8")), f"{page.name}: no {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_of_the_program_that_is_named_exists(page):
    text = page.read_text("utf-8")
    in_program = r"`((?:[\w-]+/)*\w+\.py|[\w-]+/[\w/-]+\.toml)(?:::(\w+))?`"
    for path, name in re.findall(in_program, text):
        if "my-house/" in path:  # what a reader would write
            continue
        found = next((p for p in (SOURCE / path, ROOT / path) if p.exists()), None)
        assert found is not None, f"{page.name}: no {path}"
        if name:
            tree = ast.parse(found.read_text("utf-8"))
            assert name in {getattr(node, "name", "") for node in tree.body}, f"no {name} in {path}"


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_is_documented(command):
    written = "\n".join(page.read_text("utf-8") for page in PAGES)
    assert re.search(rf"(\./pit|pitboss) {command}\b", written), f"say what {command} does"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_a_command_that_does_not_exist(page):
    known = {*cli.COMMANDS, "test", "bench"}  # these two are a clone's alone
    for said in re.findall(r"\./pit ([a-z-]+)", page.read_text("utf-8")):
        assert said in known, f"{page.name}: no command {said}"


# The guide is followed ---------------------------------------------------------------------------

GUIDE = DOCS["add-a-house.md"]
ORIGINAL = (HOUSES / "common" / "mississippi-stud.toml").read_text("utf-8")


def replaced(text: str, old: str, new: str) -> str:
    assert old in text, f"the guide changes {old!r}, which the file does not have"
    return text.replace(old, new, 1)


MINE = "my-house/mississippi-stud"


def test_the_guide_works_as_it_is_written(tmp_path, monkeypatch):
    book = ORIGINAL
    for old, new in rows(GUIDE, "in the copy", "in your file"):
        book = replaced(book, code(old), code(new))
    (tmp_path / "my-house.toml").write_text(book, "utf-8")
    (round_file,) = fenced(GUIDE, "toml")
    (tmp_path / "round.toml").write_text(round_file, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_DB", str(tmp_path / "house.db"))
    followed = 0
    house: Visited | None = None
    with contextlib.ExitStack() as opened:
        for block in fenced(GUIDE, "console"):
            for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                if command.startswith(("cp ", "./pit play")):
                    continue
                if command.startswith("./pit serve "):
                    house = opened.enter_context(process(tmp_path, *command.split()[2:]))
                    told = f"{house.said}...\n".replace(house.address, "http://127.0.0.1:8000")
                    sat_down_and_played(house, MINE, "My house")
                else:
                    told = followed_command(command)
                same = doctest.OutputChecker().check_output(wanted, told, doctest.ELLIPSIS)
                assert same, f"{command} says\n{told}"
                followed += 1
        assert house is not None
        # What was adopted while the house was open is there for visitors, once the house heard it.
        visitor, ends = house.caller(), time.monotonic() + 20
        while "approved on 2026-11-01" not in visitor("GET", f"/rules/{MINE}").raw.decode():
            assert time.monotonic() < ends, "the house never heard of the adoption"
            time.sleep(0.05)
    assert followed == 8
    with Snapshot(str(house.db)) as snapshot:
        assert audit(snapshot).broken == ""


def followed_command(command: str) -> str:
    """What a command of the guide says."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "pitboss", *command.split()[1:]],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout


def sat_down_and_played(house: Visited, book: str, name: str) -> None:
    """Look around as a browser does, sit down with two bots, and play a round to its end."""
    visitor = house.caller()
    lobby = visitor("GET", "/").raw.decode()
    game = lobby.partition(f"<small>{name}</small>")[2].partition('<li class="game')[0]
    assert "House edge" in game
    assert f'href="/rules/{book}"' in game
    assert f"{name}</" in visitor("GET", f"/rules/{book}").raw.decode()
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": house.address}
    sent = visitor("POST", "/practice", f"rulebook={book}&bots=2".encode(), form)
    assert sent.status == 303, sent
    cookie = sent.headers["set-cookie"].partition(";")[0]
    table = sent.headers["location"].removeprefix("/tables/")
    page = visitor("GET", f"/tables/{table}", headers={"Cookie": cookie}).raw.decode()
    assert name in page
    assert f'href="/rules/{book}"' in page
    assert 'name="wager-ante"' in page
    visitor.token = cookie.partition("=")[2]
    seat = visitor.view(table)["seat"]
    bet = visitor.do(table, "bet", seat=seat, wagers={"ante": 1000})
    assert bet.status == 200, bet
    until = time.monotonic() + 60
    while (seen := visitor.view(table))["last"] is None:
        assert time.monotonic() < until, seen
        if seat in seen["due"]:
            done = visitor.do(table, "raise", seat=seat, times=1)
            assert done.status == 200, done
        time.sleep(0.05)
    assert seen["last"]["round"] == 1
    assert seen["rulebook"] == book


@pytest.mark.parametrize(
    ("old", "new", "complaint"), rows(GUIDE, "instead of", "somebody wrote", "complaint")
)
def test_the_guide_quotes_real_complaints(old, new, complaint):
    broken = replaced(ORIGINAL, code(old), code(new) if new else "")
    with pytest.raises(Unreadable) as caught:
        rulebook.parse(broken, place="my-house.toml")
    assert str(caught.value) == f"my-house.toml: {complaint}"


def test_the_lines_of_every_room_are_counted():
    page = count_lines.PAGE.read_text("utf-8")
    assert page == count_lines.written(page), "run: python -m tools.count_lines"
