"""Which tests show each clause: the matrix of a rulebook that comes with Pitboss.

The package has no tests in it. ``clause_tests.json`` is made of ``docs/coverage.md`` by a tool, and
a test holds that both say the same.
"""

from pathlib import Path

import msgspec

from pitboss.rulebook import ids, load
from pitboss.rulebook.model import Rulebook

FILE = Path(__file__).with_name("clause_tests.json")


class ClauseTests(msgspec.Struct, frozen=True, array_like=True):
    """One statement of a house's document, and the tests that fail without it."""

    clause: str
    says: str
    kind: str
    """``a``: the program does it; ``people``: no program can."""
    tests: tuple[str, ...]


def clause_tests(book: Rulebook) -> tuple[ClauseTests, ...]:
    """Return the matrix of a book; nothing, where it is not exactly one that comes with Pitboss:
    its clauses were tested by nobody here."""
    if book.id not in ids() or load(book.id).sha256 != book.sha256:
        return ()
    every = msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[ClauseTests, ...]])
    return every.get(book.id, ())
