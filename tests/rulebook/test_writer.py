"""A rulebook that is written as a file is read back as the same book."""

import tomllib

import pytest
from msgspec.structs import replace

from pitboss.rulebook import ids, load, parse
from pitboss.rulebook.writer import toml
from tests.helpers import DIAMOND_JO


@pytest.mark.parametrize("name", ids())
def test_a_book_that_is_written_is_read_back_as_the_same(name: str) -> None:
    book = load(name)
    again = parse(toml(book, says="Two lines.\n\nAnd no more."))
    assert (again, again.sha256) == (book, book.sha256)


def test_whatever_stands_in_a_book_is_written_so_that_it_is_read_back() -> None:
    odd = 'A "quote", a \\ and a\ttab,\nanother line, \x7f, ♠ and an emoji: 🂡'
    written = toml(replace(DIAMOND_JO, house=odd))
    assert tomllib.loads(written)["house"] == odd
    assert parse(written).house == odd


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("limits", "changed_by"),
        ("limits", "late_by"),
        ("corrections", "before"),
        ("corrections", "after"),
    ],
)
def test_nobody_where_silence_means_somebody_is_written_down(table: str, key: str) -> None:
    nobody = replace(getattr(DIAMOND_JO, table), **{key: ()})
    book = replace(DIAMOND_JO, **{table: nobody})
    again = parse(toml(book))
    assert (again, again.sha256) == (book, book.sha256)


def test_what_it_says_stands_above_as_a_comment() -> None:
    assert toml(DIAMOND_JO, says="One.\n\nTwo.").startswith("# One.\n#\n# Two.\nformat = 1\n")
