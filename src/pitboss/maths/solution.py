"""A rulebook solved: the value of its game, what can happen, and the best choice everywhere."""

from fractions import Fraction
from functools import cached_property
from math import perm

from pitboss.errors import Unreadable
from pitboss.maths import dealer_games, dealers_hands, pay_table_games
from pitboss.maths.advise import Seen
from pitboss.maths.dealer_games import DealerSolution
from pitboss.maths.decisions import FOLD, TAKE_BACK, posted_minimum
from pitboss.maths.hand_states import levels
from pitboss.maths.outcomes import Statistics, statistics
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.rulebook.model import Rulebook

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


class Solution:
    """A game solved: its value, its outcomes, and the best choice in every situation."""

    def __init__(
        self, book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str
    ) -> None:
        self.book = book
        self.ante_cents = ante_cents
        self.minimum_cents = minimum_cents
        self.ties = ties
        self.solved: PayTableSolution | DealerSolution
        """As the game's own family has it."""
        if book.qualifier is None:
            self.solved = pay_table_games.solve(book, ante_cents, minimum_cents, ties)
        else:
            self.solved = dealer_games.solve(book, ante_cents, minimum_cents, ties)
        self.deals = self.solved.deals
        """How many deals there are."""
        self.units = self.solved.units
        """How many of the outcomes' units an ante is."""
        self.value = Fraction(self.solved.total, self.deals * self.units)
        """The player's, per ante."""
        self.outcomes = self.solved.outcomes
        """What can happen, and in how many deals."""

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
        solved = self.solved
        if isinstance(solved, DealerSolution):
            return self._against_dealer(solved, seen)
        known, planned = (*seen.cards, *seen.board), solved.plan
        number, column = planned.at(seen.raises, len(known))
        if len(set(known)) < len(known):
            raise Unreadable("a card is there twice")
        state = levels(planned.size)[len(known)].state(known)
        ways = perm(52 - len(known), planned.size - len(known)) * self.units
        found = solved.worth[number][state, column]
        return {
            choice: Fraction(int(worth), ways)
            for choice, worth in zip(planned.streets[number].choices, found, strict=True)
        }

    def _against_dealer(self, solved: DealerSolution, seen: Seen) -> dict[int, Fraction]:
        if seen.board or seen.raises:
            raise Unreadable("there is one decision, without a board, and nothing raised yet")
        case = dealer_games.situation(solved.weakest, seen.cards, seen.upcard)
        ways = dealers_hands.UNSEEN * self.units
        return {
            choice: Fraction(int(dealer_games.worth(case, solved.pay, choice)[0]), ways)
            for choice in solved.choices
        }

    def choice(self, seen: Seen) -> int:
        """Return the best choice, as `worth` names them; ties as solved."""
        found = self.worth(seen)
        leave = (FOLD, TAKE_BACK)
        order = sorted(found, key=lambda choice: (choice in leave) ^ (self.ties == "fold"))
        return max(order, key=lambda choice: found[choice])
