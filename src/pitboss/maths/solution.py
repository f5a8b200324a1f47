"""A rulebook solved: the value of its game, what can happen, and the best choice everywhere."""

from fractions import Fraction
from functools import cached_property, lru_cache

from pitboss.errors import Unreadable, Unsolved
from pitboss.maths import kept
from pitboss.maths.decisions import FOLD, TAKE_BACK, posted_minimum
from pitboss.maths.families import Solved, family, takes_long
from pitboss.maths.outcomes import NO_SUCH_PLAY, Statistics, statistics
from pitboss.maths.seen import Seen
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.once import once

REMEMBERED = 256
"""Situations of which the worths are remembered: on a shared board they take a second."""

TIES = ("stay", "fold")
"""What a player does when staying in and folding are worth exactly the same."""


def solve(
    book: Rulebook,
    ante_cents: int | None = None,
    minimum_cents: int | None = None,
    ties: str = "stay",
) -> "Solution":
    """Solve a rulebook exactly.

    Without an ante the price ignores caps; with one they bite as for one player alone at a table
    with this posted minimum (the lowest of the house's range, if none is given).
    """
    if ties not in TIES:
        raise Unreadable(f"ties are broken by {' or '.join(TIES)}, not {ties!r}")
    return Solution(book, ante_cents, posted_minimum(book, ante_cents, minimum_cents), ties)


def same_play(
    solution: "Solution", book: Rulebook, table: tuple[int | None, int | None] | None = None
) -> "Solution":
    """Price a book as another is best played: at once.

    It may be for a table with another ante and posted minimum.
    """
    ante, least = table or (solution.ante_cents, solution.minimum_cents)
    least = posted_minimum(book, ante, least)
    if family(book) is not family(solution.book):
        raise Unsolved(NO_SUCH_PLAY, book.id)
    solved = family(book).repriced(solution.solved, book, ante, least)
    return Solution(book, ante, least, solution.ties, solved)


def at_hand(
    book: Rulebook, ante_cents: int | None = None, minimum_cents: int | None = None
) -> bool:
    """Whether a game is solved in a moment: a small one, or one that was solved here before."""
    if not takes_long(book):
        return True
    try:
        least = posted_minimum(book, ante_cents, minimum_cents)
        return kept.has(*_best_play(book, ante_cents, least))
    except Unsolved:  # which is said in a moment
        return True


@once
def _best_play(book: Rulebook, ante_cents: int | None, minimum_cents: int) -> tuple[str, object]:
    """Return by what name the best play of a game that takes long is kept, and what it is of."""
    found: tuple[str, object] = family(book).best_play_kept(book, ante_cents, minimum_cents)
    return found


def at_once(book: Rulebook) -> bool:
    """Whether so much is kept of a game that takes long that any price of it takes a moment."""
    return takes_long(book) and bool(family(book).at_once(book))


class Solution:
    """A game solved: its value, its outcomes, and the best choice in every situation."""

    def __init__(
        self,
        book: Rulebook,
        ante_cents: int | None,
        minimum_cents: int,
        ties: str,
        solved: Solved | None = None,
    ) -> None:
        self.book = book
        self.ante_cents = ante_cents
        self.minimum_cents = minimum_cents
        self.ties = ties
        self.solved: Solved = solved or family(book).solve(book, ante_cents, minimum_cents, ties)
        """As the game's own family has it."""
        self.deals = self.solved.deals
        """How many deals there are."""
        self.units = self.solved.units
        """How many of the outcomes' units an ante is."""
        self.value = Fraction(self.solved.total, self.deals * self.units)
        """The player's, per ante."""
        self.outcomes = self.solved.outcomes
        """What can happen, and in how many deals."""
        self._worth = lru_cache(REMEMBERED)(self.solved.worth)

    @cached_property
    def statistics(self) -> Statistics:
        return statistics(self.outcomes, self.deals, self.units)

    @cached_property
    def folds(self) -> tuple[Fraction, ...]:
        return tuple(
            Fraction(sum(o.deals for o in self.outcomes if o.event == f"fold-{n}"), self.deals)
            for n in range(1, len(self.book.streets) + 1)
        )

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice (0 folds, -1 checks, -2 takes back) with its value in antes."""
        return dict(self._worth(seen))

    def choice(self, seen: Seen) -> int:
        """Return the best choice, as `worth` names them; ties as solved."""
        found = self.worth(seen)
        leave = (FOLD, TAKE_BACK)
        order = sorted(found, key=lambda choice: (choice in leave) ^ (self.ties == "fold"))
        return max(order, key=lambda choice: found[choice])
