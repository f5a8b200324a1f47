"""The worth of each choice on a shared board a second time, card by card, to check the solver.

It deals every card that can still come, to the board and to the dealer, instead of counting kinds
of cards, and so takes account of every card that is known to be elsewhere. What endings pay is read
by the same functions as in the solver.
"""

from fractions import Fraction
from math import comb

import numpy as np

from pitboss.maths.board_kinds import BOARD
from pitboss.maths.board_pay import BoardPay
from pitboss.maths.board_play import HOLE, TURN
from pitboss.maths.decisions import Plan
from pitboss.maths.hand_states import KEYS, Ints, best, choices
from pitboss.maths.seen import Seen


def worths(plan: Plan, weakest: int, pay: BoardPay, seen: Seen, left: Ints) -> dict[int, Fraction]:
    """Return each choice with its value in antes; ``left`` are the cards that nobody has seen."""
    number, column = plan.at(seen.raises, len(seen.cards) + len(seen.board))
    coming, unseen = BOARD - len(seen.board), len(left)
    worth, ways = _at_the_end(weakest, pay, seen, left), comb(unseen - coming, HOLE)
    later = {street.seen - HOLE: street for street in plan.streets[number + 1 :]}
    now = plan.streets[number]
    if BOARD in later:
        worth = later[BOARD].options(worth, ways * pay.units).max(axis=2)
    if TURN in later:
        worth, ways = _by_turn(worth, unseen), ways * (unseen - 1)
        worth = later[TURN].options(worth, ways * pay.units).max(axis=2)
    ways *= len(worth)
    found = now.options(worth.sum(axis=0, keepdims=True), ways * pay.units)[0, column]
    return {
        choice: Fraction(int(each), ways * pay.units)
        for choice, each in zip(now.choices, found, strict=True)
    }


def _by_turn(worth: Ints, unseen: int) -> Ints:
    """Sum what two cards to come are worth over the second: for each first."""
    found = np.zeros((unseen, worth.shape[1]), worth.dtype)
    for cards in choices(unseen, 2).T:
        np.add.at(found, cards, worth)
    return found


def _at_the_end(weakest: int, pay: BoardPay, seen: Seen, left: Ints) -> Ints:
    """(cards to come, final): what ends there are worth over every hole of the dealer's."""
    coming, holes = BOARD - len(seen.board), choices(len(left), HOLE)
    own, up = ([KEYS[card] for card in cards] for cards in (seen.cards, seen.board))
    found = []
    for some in choices(len(left), coming):
        board = [*up, *KEYS[left[some]]]
        free = holes[~np.isin(holes, some).any(axis=1)]
        mine, theirs = int(best([*own, *board])), best([*KEYS[left[free]].T, *board])
        endings = [
            (qualified & beside).sum()
            for qualified in (theirs < weakest, theirs >= weakest)
            for beside in (theirs < mine, theirs == mine, theirs > mine)
        ]
        found.append(pay.nets[..., mine] @ endings)
    return np.array(found)
