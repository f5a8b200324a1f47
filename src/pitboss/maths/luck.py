"""Luck and skill: what a result is made of, exactly, card by card and choice by choice.

Before the deal a wager is worth what the house's edge leaves of it. Every card that is seen changes
what the round is worth to somebody who plays on as well as can be: that is luck, and whoever plays,
and however, it is nothing on average. Every choice makes it worth what that choice is worth, which
is never more than the best of them: the difference is a mistake. In the end it is worth what it
brought, so that edge, mistakes and luck add up to that.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from pitboss.money import whole

NONE = Fraction()

FEW = 10
"""Decisions of which no percentage is told."""

KINDS = {
    "edge": "edge",
    "mistakes": "mistakes",
    "luck": "luck",
    "ceilings": "ceilings and shares",
    "rounding": "rounding",
    "apart": "not told apart",
}
"""The parts of a result, each as it is called."""


class Parts(msgspec.Struct, frozen=True):
    """What the results of rounds are made of, in cents: together they are what was won, before tax.

    A house's own have all signs turned.
    """

    rounds: int = 0
    decisions: int = 0
    """Of which the worth is known."""
    best: int = 0
    """Those than which nothing was worth more."""
    edge: Fraction = NONE
    mistakes: Fraction = NONE
    luck: Fraction = NONE
    ceilings: Fraction = NONE
    """What ceilings on winnings took, and sharing a meter with others."""
    rounding: Fraction = NONE
    """What cents are not divided into."""
    apart: Fraction = NONE
    """What is not told apart: of games that are not solved, and hands that the game did not end."""

    def __add__(self, other: "Parts") -> "Parts":
        return Parts(*(getattr(self, n) + getattr(other, n) for n in self.__struct_fields__))

    def __neg__(self) -> "Parts":
        counts = self.rounds, self.decisions, self.best
        return Parts(*counts, *(-getattr(self, name) for name in KINDS))

    @property
    def net_cents(self) -> int:
        found = sum((getattr(self, name) for name in KINDS), NONE)
        assert found.denominator == 1, "results are whole cents"
        return int(found)

    @property
    def cents(self) -> dict[str, int]:
        """Each part in whole cents, which still add up.

        >>> third = Fraction(1, 3)
        >>> Parts(edge=-4 * third, luck=10 * third).cents
        {'edge': -1, 'mistakes': 0, 'luck': 3, 'ceilings': 0, 'rounding': 0, 'apart': 0}
        """
        return dict(zip(KINDS, whole([getattr(self, name) for name in KINDS]), strict=True))

    @property
    def accuracy(self) -> str:
        """The share of decisions that were the best, in whole percent: 100 only if all were. Of
        few, how many: a percentage would say more than they do."""
        if self.decisions < FEW:
            return f"{self.best} of {self.decisions} best"
        return f"{100 * self.best // self.decisions}%"


def total(several: Iterable[Parts]) -> Parts:
    return sum(several, Parts())


class Choice(msgspec.Struct, frozen=True):
    """A decision: what each choice was worth, and which was made."""

    worths: Mapping[int, Fraction]
    """Those alone that could be made, in any unit."""
    made: int


class WorthCourse(msgspec.Struct, frozen=True):
    """How a round's worth went up and down."""

    edge: Fraction
    dealt: tuple[Fraction, ...]
    """What the cards changed before each decision, and after the last."""
    costs: tuple[Fraction, ...]
    """What each decision changed: never more than nothing."""

    @property
    def luck(self) -> Fraction:
        return sum(self.dealt, NONE)

    @property
    def mistakes(self) -> Fraction:
        return sum(self.costs, NONE)


def course(value: Fraction, choices: Sequence[Choice], came: Fraction) -> WorthCourse:
    """Follow a round from what it was worth at the deal to what came of it.

    >>> folded = Choice({0: Fraction(-1), 1: Fraction(2)}, made=0)
    >>> found = course(Fraction(-1, 4), [folded], Fraction(-1))
    >>> [str(each) for each in (found.edge, *found.dealt, *found.costs)]
    ['-1/4', '9/4', '0', '-3']
    """
    stands, dealt, costs = value, [], []
    for choice in choices:
        best, made = max(choice.worths.values()), choice.worths[choice.made]
        dealt.append(best - stands)
        costs.append(made - best)
        stands = made
    return WorthCourse(value, (*dealt, came - stands), tuple(costs))
