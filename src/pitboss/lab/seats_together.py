"""Several seats of one round: what they come to together, since they share a board or a dealer.

In games by pay table two seats are counted exactly: every board up to the names of suits, in every
order, with every two hands that have no card in common. The variance of any number of seats
follows, since it is made of pairs. What more than two seats come to net by net, and seats against a
dealer, is dealt at random, and how many rounds is said.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, factorial

import msgspec
import numpy as np

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab import simulation_tables
from pitboss.lab.distributions import Distribution, one_round
from pitboss.lab.random_deals import CHUNK, chance_of, deal
from pitboss.lab.simulation_tables import TableKernel, tabulated
from pitboss.maths import kept
from pitboss.maths.card_sets import classes
from pitboss.maths.decisions import five_cards
from pitboss.maths.hand_states import SIZE, Ints, choices
from pitboss.maths.outcomes import Outcome
from pitboss.maths.pay_table_games import PayTableSolution
from pitboss.maths.solution import Solution

SAMPLE = 1 << 20
"""Rounds that are dealt where they cannot be counted."""


class SeatsTogether(msgspec.Struct, frozen=True):
    """What the seats of a round come to together, main wagers alone."""

    seats: int
    distribution: Distribution
    """Of all seats' net in a round, the players' side."""
    variance: Fraction
    """Of the same, in antes; exact where a correlation is, also where the rest is dealt."""
    correlation: Fraction
    """Of two seats' nets."""
    exact_variance: bool
    sampled: int = 0
    """How many rounds were dealt for the distribution; 0 where all were counted."""


def seated(solution: Solution, seats: int, *, sample: int = SAMPLE, seed: int = 7) -> SeatsTogether:
    """Return what so many seats come to, each at best play by what it sees itself."""
    most = solution.book.seats.most
    if not 1 <= seats <= most:
        raise Unreadable(f"a table here has 1 to {most} seats, not {seats}")
    alone, one = solution.statistics.variance, one_round(solution.outcomes, solution.units)
    if seats == 1:
        return SeatsTogether(1, one, alone, Fraction(0), True)
    try:
        pairs = two_seats(solution)
    except Unsolved:
        found, variance = _dealt(solution, seats, sample, seed)
        correlation = Fraction(variance / alone - seats) / (seats * (seats - 1))
        return SeatsTogether(seats, found, variance, correlation, False, sample)
    mean = solution.value
    product = sum(ways * a * b for (a, b), ways in pairs.items())
    covariance = Fraction(product, sum(pairs.values()) * solution.units**2) - mean**2
    variance = seats * alone + seats * (seats - 1) * covariance
    if seats == 2:
        sums = [Outcome("", 0, a + b, ways) for (a, b), ways in pairs.items()]
        found = one_round(sums, solution.units)
        return SeatsTogether(2, found, variance, covariance / alone, True)
    found, _ = _dealt(solution, seats, sample, seed)
    return SeatsTogether(seats, found, variance, covariance / alone, True, sample)


def two_seats(solution: Solution) -> Counter[tuple[int, int]]:
    """Count in how many deals two seats net this and that, in units: hands of each, and the board.

    Of all pairs of hands those with a card in common are taken away: for each card, all pairs that
    both have it; a hand with itself would be taken away as often as it has cards.
    """
    book = solution.book
    if not isinstance(solution.solved, PayTableSolution) or book.seat_cards != 2:
        raise Unsolved("only hands of two cards on a shared board are counted two at a time")
    if five_cards(book, solution.ties).streets[0].own < book.seat_cards:
        raise Unsolved("hands that grow after the first decision are not gone through")
    kernel, outcomes = tabulated(solution, None, 2)
    assert isinstance(kernel, TableKernel)
    nets = sorted({each.net_units for each in outcomes})
    number = np.array([nets.index(each.net_units) for each in outcomes])
    found = kept.arrays(
        "two-seats",
        [book.sha256, solution.ante_cents, solution.minimum_cents, solution.ties],
        lambda: {"deals": _through(kernel, number, len(nets))},
        by=(__file__, simulation_tables.__file__),
    )["deals"]
    return Counter({(nets[a], nets[b]): int(found[a, b]) for a, b in np.argwhere(found).tolist()})


def _through(kernel: TableKernel, number: Ints, kinds: int) -> Ints:
    """Count (net, net) over every board, in every order."""
    table = sum(kernel.shared)
    found = np.zeros((kinds, kinds), np.int64)
    boards, holes = classes(table), choices(52 - table, SIZE - table)
    for board, ways in zip(boards.sets, boards.ways.tolist(), strict=True):
        own = np.setdiff1d(np.arange(52, dtype=np.uint8), board)[holes].T
        for order in permutations(board):
            mine, lies = iter(own), iter(order)
            cards = [
                np.full(own.shape[1], next(lies), np.uint8) if shared else next(mine)
                for shared in kernel.shared
            ]
            ended = number[kernel.walk.follow(cards)]
            found += ways * _apart(ended, holes.astype(np.int64), 52 - table, kinds)
    return found


def _apart(ended: Ints, holes: Ints, cards: int, kinds: int) -> Ints:
    """Count (net, net) over ordered pairs of hands without a common card."""
    by_hand = np.bincount(ended, minlength=kinds)
    by_card = np.zeros((cards, kinds))
    for column in holes.T:
        by_card += np.bincount(column * kinds + ended, minlength=cards * kinds).reshape(
            cards, kinds
        )
    # Every count is far below 2**53, so that products of floats are exact.
    common = (by_card.T @ by_card).astype(np.int64)
    return np.outer(by_hand, by_hand) - common + np.diag(by_hand)


def pairs_of_seats(board: int = 3) -> int:
    """Return in how many ways a board in order and two hands of two can lie.

    >>> pairs_of_seats()
    168568545600
    """
    return comb(52, board) * factorial(board) * comb(52 - board, 2) * comb(50 - board, 2)


def _dealt(solution: Solution, seats: int, rounds: int, seed: int) -> tuple[Distribution, Fraction]:
    """Deal rounds to so many seats: what they come to together, and its variance in antes."""
    kernel, outcomes = tabulated(solution, None, seats)
    if kernel.cards > 52:
        raise Unreadable(f"{seats} seats need more cards than a deck has")
    nets = np.array([each.net_units for each in outcomes])
    found: Counter[int] = Counter()
    for block in range(-(-rounds // CHUNK)):
        many = min(CHUNK, rounds - block * CHUNK)
        ended = kernel.settle(deal(chance_of(seed, block), many, kernel.cards))
        values, counts = np.unique(
            np.sum([nets[each] for each in ended], axis=0), return_counts=True
        )
        found.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    sums = [Outcome("", 0, net, count) for net, count in found.items()]
    square = Fraction(sum(net**2 * count for net, count in found.items()), rounds)
    # The mean is known; only what varies around it is told by the deals.
    mean = solution.value * solution.units * seats
    total = Fraction(sum(net * count for net, count in found.items()), rounds)
    variance = (square - 2 * mean * total + mean**2) / solution.units**2
    return one_round(sums, solution.units), variance
