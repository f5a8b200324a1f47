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

from pitboss.maths.advise import worths
from pitboss.maths.evaluate import Evaluation, Strategy, evaluate
from pitboss.maths.families import takes_long
from pitboss.maths.outcomes import Outcome, Statistics
from pitboss.maths.seen import Seen
from pitboss.maths.side_wagers import Jackpot, Side, jackpot, side_wager
from pitboss.maths.solution import TIES, Solution, at_hand, same_play, solve

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
    "evaluate",
    "jackpot",
    "same_play",
    "side_wager",
    "solve",
    "takes_long",
    "worths",
]
