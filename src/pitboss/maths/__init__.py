"""The exact maths: what the posted rules are worth, and how they are best played.

>>> from pitboss import maths, rulebook
>>> from pitboss.cards import cards
>>> book = rulebook.load("diamond-jo-worth/cajun-stud")
>>> solution = maths.solve(book)
>>> solution.value
Fraction(-53223, 1082900)
>>> solution.choice(maths.Seen(cards("Ks Kd")))
3

What knows all families of games is imported when it is first used.
"""

from typing import TYPE_CHECKING, Any

from pitboss.maths.families import takes_long
from pitboss.maths.outcomes import Outcome, Statistics
from pitboss.maths.seen import Seen
from pitboss.maths.side_wagers import Jackpot, Side, jackpot, side_wager
from pitboss.maths.solution import TIES, Solution, at_hand, at_once, same_play, solve

if TYPE_CHECKING:
    from pitboss.maths.advise import worths
    from pitboss.maths.evaluation import Evaluation, Strategy, evaluate

__all__ = [
    "TIES",
    "Evaluation",
    "Jackpot",
    "Outcome",
    "Seen",
    "Side",
    "Solution",
    "Statistics",
    "Strategy",
    "at_hand",
    "at_once",
    "evaluate",
    "jackpot",
    "same_play",
    "side_wager",
    "solve",
    "takes_long",
    "worths",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pitboss.maths import advise, evaluation

    return getattr(advise if name == "worths" else evaluation, name)
