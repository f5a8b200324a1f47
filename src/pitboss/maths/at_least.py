"""Strategies that look at how strong the own hand is, and at nothing else."""

from functools import cache

import msgspec

from pitboss.errors import Unreadable
from pitboss.hands import ranking
from pitboss.maths.decisions import FOLD
from pitboss.maths.seen import Seen

RankStep = tuple[int, str, tuple[int, ...]]
"""A multiple, and the weakest hand to raise by it: its category, and the ranks that decide it."""


class AtLeast(msgspec.Struct, frozen=True):
    """Raise by the first multiple for which the hand is good enough; fold all others.

    >>> from pitboss.cards import cards
    >>> queen_six_four = AtLeast("three-card", ((1, "high-card", (12, 6, 4)),))
    >>> [queen_six_four(Seen(cards(each))) for each in ("Qs 6d 4h", "Qs 6d 3h", "2s 2d 3h")]
    [1, 0, 1]
    """

    ranking: str
    steps: tuple[RankStep, ...]

    def __call__(self, seen: Seen) -> int:
        try:
            return self.choices()[ranking(self.ranking).strength(seen.cards)]
        except ValueError:
            raise Unreadable(f"this strategy is made for {self.ranking} hands") from None

    def choices(self) -> tuple[int, ...]:
        """Return what to do with each strength; the first is unused."""
        return _choices(self)


@cache
def _choices(strategy: AtLeast) -> tuple[int, ...]:
    order = ranking(strategy.ranking)
    place = {category: at for at, category in enumerate(order.categories)}
    steps = [(times, (place[category], ranks)) for times, category, ranks in strategy.steps]
    return (
        FOLD,
        *(
            next((times for times, least in steps if (place[h.category], h.ranks) >= least), FOLD)
            for h in order.classes
        ),
    )
