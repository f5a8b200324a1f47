"""The best play of a showdown cut down to bands of hands that are played alike.

Where a card of the dealer's is seen there are bands for each rank of it, with and without a card of
that rank in the own hand. A better hand is never raised less. Kickers, suits and cards that are no
part of the hand may decide otherwise for some hands: the bands are what is best on the whole, and
what playing by them alone is worth is exact.
"""

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.hands import ranking
from pitboss.maths import kept
from pitboss.maths.dealer_games import Choices
from pitboss.maths.hand_states import Ints
from pitboss.maths.raise_or_fold import RaiseOrFoldSolution, best, is_long, offered, worth
from pitboss.maths.showdown_cases import Showdowns, showdowns

Bools = npt.NDArray[np.bool_]

_LOW = 32
"""Worths are summed in two halves: in cents the whole may not fit sixty-four bits."""


class Cells(msgspec.Struct, frozen=True):
    """Hands of each strength, in one situation."""

    upcard: int | None
    """Its rank, 2 to 14; None where no card of the dealer's is seen."""
    matches: bool | None
    """Whether the player holds another card of that rank."""
    choice: Ints
    """(strength): the place of what is played; -1 where there is no such hand."""
    hands: Ints
    """(choice, strength): how many hands it is best for."""
    total: int
    """What playing by it is worth, in units over all deals."""


_Situation = tuple[int | None, bool | None]
"""The upcard's rank, and whether the player holds another of it."""


def cells(solved: RaiseOrFoldSolution) -> list[Cells]:
    """Return what to do with each strength in each situation."""
    if not is_long(solved.deal):
        return _count(solved)
    of = {"played": solved.key, "units": solved.units}
    return _read(kept.arrays("bands", of, lambda: _kept(_count(solved))))


def _count(solved: RaiseOrFoldSolution) -> list[Cells]:
    """Sum up all cases of each situation, and take what is best for them together."""
    most = len(ranking(solved.deal.ranking).classes) + 1
    shape = len(solved.choices), most
    found: dict[_Situation, tuple[Ints, Ints]] = {}
    for case in showdowns(solved.deal):
        picked = best(case, solved.deal, solved.pay, solved.choices)
        for situation, here in _situations(case):
            zeros = np.zeros(shape, object), np.zeros(shape, np.int64)
            sums, hands = found.setdefault(situation, zeros)
            _add(solved, case, picked, here, sums, hands)
    return [_decided(solved, *situation, *both) for situation, both in found.items()]


def _kept(found: list[Cells]) -> kept.Arrays:
    return {
        "situation": np.array([(each.upcard or 0, bool(each.matches)) for each in found]),
        "choice": np.array([each.choice for each in found]),
        "hands": np.array([each.hands for each in found]),
        "total": np.array([str(each.total) for each in found]),
    }


def _read(found: kept.Arrays) -> list[Cells]:
    return [
        Cells(
            int(upcard) or None, bool(matches) if upcard else None, choice, hands, int(str(total))
        )
        for (upcard, matches), choice, hands, total in zip(
            found["situation"], found["choice"], found["hands"], found["total"], strict=True
        )
    ]


def _situations(case: Showdowns) -> list[tuple[_Situation, Bools]]:
    """Return what a player sees besides the hand, and which cases that is so in."""
    if case.upcard is None:
        return [((None, None), np.ones(len(case.ways), np.bool_))]
    matched: Bools = (np.bitwise_or.reduce(case.suits) >> (case.upcard >> 2) & 1).astype(np.bool_)
    return [((case.upcard.rank, False), ~matched), ((case.upcard.rank, True), matched)]


def _add(
    solved: RaiseOrFoldSolution,
    case: Showdowns,
    picked: Choices,
    here: Bools,
    sums: Ints,
    hands: Ints,
) -> None:
    """Add the worth of each choice by strength, and how many hands it is best for."""
    ways = np.where(here, case.ways, 0)
    for place, choice in enumerate(solved.choices):
        each = worth(case, solved.deal, solved.pay, choice)
        for part, shift in ((each >> _LOW, _LOW), (each & ((1 << _LOW) - 1), 0)):
            summed = np.zeros(sums.shape[1], np.int64)
            np.add.at(summed, case.strength, part * ways)
            sums[place] += summed.astype(object) << shift
        np.add.at(hands[place], case.strength, np.where(picked == place, ways, 0))


def _decided(
    solved: RaiseOrFoldSolution, upcard: int | None, matches: bool | None, sums: Ints, hands: Ints
) -> Cells:
    """Take the choices that are best together, of those that raise a better hand no less.

    For each strength the best way to get there is kept for each choice that it may end with.
    """
    there = np.flatnonzero(hands.any(axis=0)).tolist()
    every = np.arange(sums.shape[1], dtype=np.int16)
    rising = sorted(range(len(solved.choices)), key=lambda place: solved.choices[place])
    may = {place: offered(solved.pay, solved.choices[place], every) for place in rising}
    total: dict[int, int] = dict.fromkeys(rising, 0)
    came: list[dict[int, int]] = []
    for strength in there:
        before: dict[int, int] = {}
        for place in rising:
            lower = [*before.values(), *([place] if place in total else [])]
            if lower:
                before[place] = max(lower, key=total.__getitem__)
        came.append({place: last for place, last in before.items() if may[place][strength]})
        total = {
            place: total[last] + int(sums[place, strength]) for place, last in came[-1].items()
        }
    choice = np.full(sums.shape[1], -1)
    at = end = max(total, key=total.__getitem__)
    for strength, step in zip(reversed(there), reversed(came), strict=True):
        choice[strength], at = at, step[at]
    return Cells(upcard, matches, choice, hands, total[end])
