"""Links, files and commands that a page names exist."""

import ast
import re

import pytest

from pitboss import cli
from tests.docs.pages import ROOT, SOURCE
from tools import count_lines

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


def test_the_lines_of_every_room_are_counted():
    page = count_lines.PAGE.read_text("utf-8")
    assert page == count_lines.written(page), "run: python -m tools.count_lines"
