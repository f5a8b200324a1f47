"""Which family of games a rulebook belongs to: by what it says, never by its name.

A family is a module with ``solve(book, ante_cents, minimum_cents, ties)``. What comes back has
``deals``, ``units``, ``total`` and ``outcomes``, and says with ``worth(seen)`` what each choice is
worth in a situation; a family that cannot take a book raises ``Unsolved`` and says why. With
``repriced(solved, book, ante_cents, minimum_cents)`` it prices other rules under the same play, and
``takes_long(book)`` says whether solving takes more than seconds where nothing is kept. Then there
are ``best_play_kept(book, ante_cents, minimum_cents)``, by what name it is, and ``at_once(book)``,
whether all else that takes long is. A family is imported when a book of its own is met.
"""

from fractions import Fraction
from types import ModuleType
from typing import Protocol

from pitboss.errors import Unsolved
from pitboss.maths.outcomes import Outcome
from pitboss.maths.seen import Seen
from pitboss.rulebook.model import Rulebook


class Solved(Protocol):
    """A game as its own family has solved it."""

    @property
    def deals(self) -> int:
        """How many deals there are."""

    @property
    def units(self) -> int:
        """How many units an ante is."""

    @property
    def total(self) -> int:
        """The whole game's worth over all deals, in units."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What can happen, and in how many deals."""

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice (0 folds, -1 checks, -2 takes back) with its value in antes."""


def takes_long(book: Rulebook) -> bool:
    """Whether a game takes more than seconds to solve where nothing of it is kept."""
    try:
        return bool(family(book).takes_long(book))
    except Unsolved:  # which is said at once
        return False


def family(book: Rulebook) -> ModuleType:
    """Return the family that takes this book, or would say why it does not."""
    if book.qualifier is None:
        from pitboss.maths import pay_table_games

        return pay_table_games
    if book.qualifier.shared:
        from pitboss.maths import board_games

        return board_games
    from pitboss.maths import dealer_games

    try:
        dealer_games.shape(book)
    except Unsolved:
        from pitboss.maths import raise_or_fold

        return raise_or_fold
    return dealer_games
