"""The layout of each tax form: which box has which number and what stands in it, by date."""

import datetime
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pitboss.errors import Unreadable
from pitboss.rulebook.base import Strict
from pitboss.rulebook.loader import convert


class FormLayout(Strict, frozen=True, kw_only=True, rename={"since": "from"}):
    """A form as it is from one day on."""

    name: str
    since: datetime.date
    title: str
    boxes: tuple[tuple[str, str, str], ...]
    """(number, title, what is filled in); a value that nobody fills in stands there itself."""


@cache
def _layouts() -> tuple[FormLayout, ...]:
    raw: dict[str, Any] = tomllib.loads(
        Path(__file__).with_name("tax-forms.toml").read_text("utf-8")
    )
    return tuple(convert(raw["form"], list[FormLayout], "tax-forms.toml"))


def layout(name: str, date: datetime.date) -> FormLayout:
    """Return a form's layout on a day.

    >>> layout("W-2G", datetime.date(2026, 1, 1)).boxes[3]
    ('1', 'Reportable winnings', 'reportable')
    """
    known = [each for each in _layouts() if each.name == name and each.since <= date]
    if not known:
        raise Unreadable(f"the boxes of form {name[:40]} on {date} are not known", "form")
    return max(known, key=lambda each: each.since)


HERE = "US"


@cache
def countries() -> frozenset[str]:
    """Return the countries that there are, in two letters."""
    raw = tomllib.loads(Path(__file__).with_name("countries.toml").read_text("utf-8"))
    return frozenset(raw["codes"])
