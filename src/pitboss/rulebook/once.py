"""What is worked out once for each rulebook: two copies of the same rules are one."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from pitboss.rulebook.model import Rulebook

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MOST_KEPT = 64
"""Of how many rulebooks, and what else is asked with them, something is remembered."""


class _Named:
    """A rulebook that is known by its hash."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book

    def __hash__(self) -> int:
        return hash(self.book.sha256)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and self.book.sha256 == other.book.sha256


def once_for(most: int) -> Callable[[Callable[[Rulebook, *Ts], T]], Callable[[Rulebook, *Ts], T]]:
    """Do something for a rulebook the first time it is asked for, and remember the latest answers.

    >>> from pitboss.rulebook import load
    >>> seats = once_for(2)(lambda book: [book.seats.most])
    >>> book = load("common/mississippi-stud")
    >>> seats(book) is seats(book)
    True
    """

    def remembering(work: Callable[[Rulebook, *Ts], T]) -> Callable[[Rulebook, *Ts], T]:
        @lru_cache(maxsize=most)
        def kept(named: _Named, *given: *Ts) -> T:
            return work(named.book, *given)

        @wraps(work)
        def found(book: Rulebook, *given: *Ts) -> T:
            return kept(_Named(book), *given)

        return found

    return remembering


once = once_for(MOST_KEPT)
