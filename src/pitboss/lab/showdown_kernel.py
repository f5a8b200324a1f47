"""Showdowns by any ranking as a kernel: both hands are valued, the choice is looked up.

Which cards come is all that is counted here; choices and payoffs are the solver's own.
"""

from functools import reduce
from itertools import combinations

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.hands import BY_SUIT, ranking
from pitboss.lab.random_deals import Bytes, Numbers
from pitboss.maths import longest_suits
from pitboss.maths.card_sets import names
from pitboss.maths.hand_states import KEYS, Ints, strength
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution, best
from pitboss.maths.showdown_cases import ShowdownDeal, in_suits
from pitboss.maths.showdown_pay import EndingNets

_ASK = -1


class Looked(msgspec.Struct, frozen=True):
    """Best play by every hand, up to the names of suits."""

    names: Ints
    """(hand): in rising order."""
    picked: npt.NDArray[np.int8]
    """(upcard's rank, hand): the place of the choice; one row where none is seen."""


class ShowdownKernel(msgspec.Struct, frozen=True):
    """The player's hand against the dealer's, of any number of cards."""

    seats: int
    deal: ShowdownDeal
    pay: EndingNets
    choices: tuple[int, ...]
    by_strength: npt.NDArray[np.int8]
    """The place of the choice, or -1 where the strength does not settle it."""
    looked: Looked | None
    """Where it then is looked up; else it is worked out."""
    ended: Numbers
    """(choice, ending, kind of hand): the ending's number, in one row."""

    @property
    def cards(self) -> int:
        """The dealer's, and each seat's."""
        return self.deal.dealt + self.seats * self.deal.held

    def settle(self, cards: Bytes) -> list[Numbers]:
        """Return how each seat's rounds end; the dealer's cards lead the deck, upcard first."""
        deal = self.deal
        theirs = strengths(deal.ranking, cards[: deal.dealt])
        hands = [cards[at : at + deal.held] for at in range(deal.dealt, self.cards, deal.held)]
        return [self._against(theirs, cards[0], hand) for hand in hands]

    def _against(self, theirs: Numbers, first: Bytes, hand: Bytes) -> Numbers:
        mine = strengths(self.deal.ranking, hand)
        better = np.where(mine > theirs, 0, np.where(mine == theirs, 1, 2))
        ending = better + 3 * (theirs >= self.deal.weakest)
        kinds = self.pay.net.shape[2]
        at = (self._choices(mine, first, hand) * 6 + ending) * kinds + self.pay.kind[mine]
        found: Numbers = self.ended[at]
        return found

    def _choices(self, mine: Numbers, first: Bytes, hand: Bytes) -> Ints:
        found = self.by_strength[mine].astype(np.int64)
        ask = np.flatnonzero(found == _ASK)
        if len(ask):
            suits = suits_of(hand[:, ask])
            found[ask] = self._ask(suits, first[ask]) if self.looked else self._work_out(suits)
        return found

    def _ask(self, suits: Ints, upcard: Bytes) -> Ints:
        """Look up hands, whose suits are named so that the upcard is of the first."""
        assert self.looked is not None
        rank = np.zeros(len(upcard), np.int64)
        if self.deal.up:
            turned = (np.arange(4)[:, None] + (upcard & 3)) & 3
            suits, rank = np.take_along_axis(suits, turned, axis=0), (upcard >> 2).astype(np.int64)
        told = self.deal.up
        ordered = np.concatenate([suits[:told], np.sort(suits[told:], axis=0)])
        at = np.searchsorted(self.looked.names, names(ordered))
        return self.looked.picked[rank, at].astype(np.int64)

    def _work_out(self, suits: Ints) -> Ints:
        """Count for each of these hands what best play is, those of equal lengths together."""
        by_length = (np.bitwise_count(suits).astype(np.int64) << 13) + suits
        order = np.argsort(-by_length, axis=0)
        suits = np.take_along_axis(suits, order, axis=0)
        lengths = reduce(lambda name, each: name * 14 + each, np.bitwise_count(suits).astype(int))
        found = np.zeros(suits.shape[1], np.int64)
        for length in np.unique(lengths):
            here = np.flatnonzero(lengths == length)
            one, two, three, four = suits[:, here]
            case = in_suits(self.deal, (one, two, three, four), np.ones(len(here), np.int64))
            found[here] = best(case, self.deal, self.pay, self.choices)
        return found


def strengths(order: str, cards: Bytes) -> Numbers:
    """Return the strength of the best of each round's cards, which are a column."""
    if order in BY_SUIT:
        worth = longest_suits.by_suit(order)[suits_of(cards)]
        found: Numbers = worth.max(axis=0)
        return found
    keys = [KEYS[row] for row in cards]
    sums = (sum(chosen[1:], chosen[0]) for chosen in combinations(keys, ranking(order).size))
    return reduce(np.maximum, (strength(each, order) for each in sums))


def suits_of(cards: Bytes) -> Ints:
    """Return (suit, round): the ranks held in each suit, as bits."""
    found = np.zeros((4, cards.shape[1]), np.int64)
    for row in cards:
        for suit in range(4):
            found[suit] |= np.where(row & 3 == suit, np.int64(1) << (row >> 2), 0)
    return found


def best_play(solved: RaiseOrFoldSolution) -> tuple[npt.NDArray[np.int8], Looked | None]:
    """Return best play by strength, and by hand where that does not settle it."""
    most = len(ranking(solved.deal.ranking).classes) + 1
    least, largest = np.full(most, 127, np.int8), np.full(most, -1, np.int8)
    every: list[tuple[Ints, npt.NDArray[np.int8]]] = []
    for case, picked in solved.parts():
        np.minimum.at(least, case.strength, picked.astype(np.int8))
        np.maximum.at(largest, case.strength, picked.astype(np.int8))
        if solved.deal.ranking not in BY_SUIT:
            every.append((names(case.suits), picked.astype(np.int8)))
    settled = np.where(least == largest, least, _ASK).astype(np.int8)
    if not every or (least >= largest).all():
        return settled, None
    named = np.unique(np.concatenate([each for each, _ in every]))
    table = np.full((len(every), len(named)), _ASK, np.int8)
    for row, (each, picked) in zip(table, every, strict=True):
        row[np.searchsorted(named, each)] = picked
    return settled, Looked(named, table)
