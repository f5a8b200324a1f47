"""The exact maths: what the posted rules are worth, and how they are best played.

>>> from pitboss import maths, rulebook
>>> from pitboss.cards import cards
>>> book = rulebook.load("diamond-jo-worth/cajun-stud")
>>> solution = maths.solve(book)
>>> solution.value
Fraction(-53223, 1082900)
>>> solution.choice(maths.Seen(cards("Ks Kd")))
3
"""

from fractions import Fraction
from functools import cached_property
from math import perm

from pitboss.errors import Unreadable
from pitboss.maths import dealer_games, dealers_hands, pay_table_games
from pitboss.maths.advise import Seen, worths
from pitboss.maths.evaluate import Evaluation, Strategy, evaluate
from pitboss.maths.hand_states import levels
from pitboss.maths.outcomes import Outcome, Statistics, statistics
from pitboss.maths.side_wagers import Jackpot, Side, jackpot, price
from pitboss.maths.stakes import posted_minimum
from pitboss.rulebook.model import Rulebook

__all__ = [
    "Evaluation",
    "Jackpot",
    "Outcome",
    "Seen",
    "Side",
    "Solution",
    "Statistics",
    "Strategy",
    "evaluate",
    "jackpot",
    "price",
    "solve",
    "worths",
]

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
        self._solved: pay_table_games.Solved | dealer_games.Solved
        if book.qualifier is None:
            self._solved = pay_table_games.solve(book, ante_cents, minimum_cents, ties)
        else:
            self._solved = dealer_games.solve(book, ante_cents, minimum_cents, ties)
        self.deals = self._solved.deals
        """How many deals there are."""
        self.units = self._solved.units
        """How many of the outcomes' units an ante is."""
        self.value = Fraction(self._solved.total, self.deals * self.units)
        """The player's, per ante."""
        self.outcomes = self._solved.outcomes
        """What can happen, and in how many deals."""

    @cached_property
    def statistics(self) -> Statistics:
        """Edge, wager, deviation and the rest."""
        return statistics(self.outcomes, self.deals, self.units)

    @cached_property
    def folds(self) -> tuple[Fraction, ...]:
        """How often the hand is folded, street by street."""
        return tuple(
            Fraction(sum(o.deals for o in self.outcomes if o.event == f"fold-{n}"), self.deals)
            for n in range(1, len(self.book.streets) + 1)
        )

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice (0 folds, -1 checks, -2 takes back) with its value in antes."""
        solved = self._solved
        if isinstance(solved, dealer_games.Solved):
            if seen.board or seen.raises or self.book.qualifier is None:
                raise Unreadable("there is one decision, without a board, and nothing raised yet")
            case = dealer_games.situation(self.book.qualifier.weakest, seen.cards, seen.upcard)
            stay = self.book.streets[0].times
            return {
                choice: Fraction(
                    int(dealer_games.worth(case, solved.pay, stay, choice)[0]),
                    dealers_hands.UNSEEN * self.units,
                )
                for choice in solved.choices
            }
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

    def choice(self, seen: Seen) -> int:
        """Return the best choice, as `worth` names them; ties as solved."""
        found = self.worth(seen)
        leave = (pay_table_games.FOLD, pay_table_games.TAKE_BACK)
        order = sorted(found, key=lambda choice: (choice in leave) ^ (self.ties == "fold"))
        return max(order, key=lambda choice: found[choice])
