"""Figures in print: each is held against ours, and the page says what came of it."""

from fractions import Fraction
from typing import Any

import pytest

from pitboss.errors import Unreadable
from pitboss.lab import published
from pitboss.lab.published import InPrint, Judgement
from pitboss.maths import solve, takes_long
from pitboss.rulebook import load
from tests.docs.pages import DOCS
from tests.helpers import MISSISSIPPI

PAGE = DOCS["published.md"]
FIGURES = published.figures()
SLOW = {each.book for each in FIGURES if takes_long(load(each.book))}
"""Games that take minutes: their rows are made by the command alone."""


def figure(says: str, what: str = "edge", **more: Any) -> InPrint:
    return InPrint(book=MISSISSIPPI.id, what=what, says=says, by="somebody", **more)


def test_the_page_is_what_the_command_writes():
    found = [published.compared(each) for each in FIGURES if each.book not in SLOW]
    written = published.as_markdown(found)
    lines = [each for each in written.splitlines() if each.startswith("| ")]
    assert len(lines) > 20
    for line in lines:
        assert f"{line}\n" in PAGE
    assert sum(line.startswith("| ") for line in PAGE.splitlines()) == len(FIGURES) + len(
        {each.book for each in FIGURES}
    )
    for each in found:
        assert bool(each.figure.why) == (each.verdict != "agrees"), each.figure


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("4.91%", "agrees"),
        ("4.915%", "agrees"),
        ("5%", "agrees"),
        ("4.9%", "agrees"),
        ("4.9148%", "explained"),
        ("4.914%", "explained"),
        ("4%", "explained"),
        ("4.92%", "wrong"),
    ],
)
def test_a_figure_agrees_when_ours_rounds_to_its_last_digit(says: str, verdict: Judgement):
    edge = -solve(MISSISSIPPI).value
    assert published.compared(figure(says)) == published.Compared(figure(says), edge, verdict)


def test_what_is_called_by_another_name_is_explained():
    assert published.compared(figure("1.37%")).verdict == "wrong"
    assert published.compared(figure("1.37%", means="element-of-risk")).verdict == "explained"
    assert published.compared(figure("1.38%", means="element-of-risk")).verdict == "wrong"


def test_a_root_is_worked_out_to_nine_digits():
    found = published.compared(figure("9.84", "deviation"))
    assert found.verdict == "agrees"
    variance = solve(MISSISSIPPI).statistics.variance
    assert found.ours**2 <= variance < (found.ours + Fraction(1, 10**9)) ** 2


@pytest.mark.parametrize("what", ["luck", "break-even"])
def test_what_there_is_none_of_is_refused(what: str):
    with pytest.raises(Unreadable):
        published.compared(figure("1", what))
