"""Rulebooks of houses that do not come with the program: one file each, as its owner wrote it."""

from functools import cache
from pathlib import Path

from pitboss import rulebook
from pitboss.rulebook import Rulebook
from pitboss.rulebook.loader import HOUSES

SHIPPED = (HOUSES / "common" / "mississippi-stud.toml").read_text("utf-8")


def changed(*changes: tuple[str, str], text: str = SHIPPED) -> str:
    """The common Mississippi Stud with these changes, as a file's text."""
    for old, new in changes:
        assert old in text, f"the file has no {old!r}"
        text = text.replace(old, new, 1)
    return text


OURS = (('"common/mississippi-stud"', '"my-house/stud"'), ('"Common rules"', '"My house"'))
MY_HOUSE = changed(*OURS)
BETTER = changed(*OURS, ('odds = "10 to 1"', 'odds = "11 to 1"'))
"""The next version of it: the full house pays more."""

EURO = changed(
    ('"common/mississippi-stud"', '"casino-am-see/stud"'),
    ('house = "Common rules"', 'house = "Casino am See"\ncurrency = "EUR"'),
)
UNSOLVED = changed(
    ('"common/mississippi-stud"', '"new-game/stud"'),
    ('"Common rules"', '"New game"'),
    (
        'title = "5th Street"\nkind = "main"\ntable = "main"',
        'title = "5th Street"\nkind = "main"\ntable = "three-card-bonus"',
    ),
)
"""A game of a kind that the maths does not solve: its main wagers are on two pay tables."""


@cache
def book(text: str) -> Rulebook:
    """The rulebook in a file's text, checked."""
    return rulebook.parse(text)


def file(folder: Path, text: str, name: str = "my-house.toml") -> str:
    """A file with this text; its path."""
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)
