"""The reports that papers are made of: each is worked out once."""

from functools import cache

from pitboss import maths
from pitboss.lab.report import Report, report
from pitboss.rulebook import load


@cache
def reported(book: str) -> Report:
    """A whole report, at an ante where a cap bites."""
    found = load(book)
    return report(maths.solve(found, 100_00 if found.cap else None), whole=True)
