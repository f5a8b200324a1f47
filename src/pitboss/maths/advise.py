"""The coach: what each choice is worth now, given every card that is known to be elsewhere.

Worked out card by card over all that can still come, not from the solved strategy: an independent
way to the same numbers, and the only one when other cards have been seen.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import msgspec
import numpy as np

from pitboss.cards import DECK, Card
from pitboss.errors import Unreadable
from pitboss.maths import community, showdown
from pitboss.maths.ladder import SIZE, Ints
from pitboss.maths.vector import KEYS, strength
from pitboss.rulebook.model import Rulebook


class Seen(msgspec.Struct, frozen=True):
    """What a player knows when deciding."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...] = ()
    upcard: Card | None = None
    raises: tuple[int, ...] = ()
    """The multiples so far."""


def worths(
    book: Rulebook,
    seen: Seen,
    gone: Sequence[Card] = (),
    ante_cents: int | None = None,
    minimum_cents: int = 1,
) -> dict[int, Fraction]:
    """Return each legal choice (a multiple; 0 folds) with its value in antes from here on."""
    known = [*seen.cards, *seen.board, *gone, *([seen.upcard] if seen.upcard is not None else [])]
    for index, card in enumerate(known):
        if card in known[:index]:
            raise Unreadable(f"{card} is there twice")
    left = np.array([card for card in DECK if card not in known])
    if book.qualifier is not None:
        return _against_dealer(book, seen, left, ante_cents, minimum_cents)
    return _by_table(book, seen, left, ante_cents, minimum_cents)


def _by_table(
    book: Rulebook, seen: Seen, left: Ints, ante_cents: int | None, minimum_cents: int
) -> dict[int, Fraction]:
    streets = community.streets(book, "stay")
    number = len(seen.raises)
    have = len(seen.cards) + len(seen.board)
    if number >= len(streets) or have != streets[number].seen:
        raise Unreadable(f"after {number} raises a player sees {_seen_at(streets, number)} cards")
    last = streets[-1]
    finals = sorted({s + max(0, c) for s in last.stakes for c in last.choices if c})
    pay, units = community.payoffs(book, finals, ante_cents, minimum_cents)
    rows = community.row_numbers(community.main_table(book))
    coming = SIZE - have
    sums = np.array(KEYS[[*seen.cards, *seen.board]].sum())
    fresh = np.ones((1,) * coming, np.bool_)
    for axis in range(coming):
        shape = [1] * coming
        shape[axis] = len(left)
        sums = sums + KEYS[left].reshape(shape)
        for other in range(axis):
            apart = ~np.eye(len(left), dtype=np.bool_)
            pair = [1] * coming
            pair[other] = pair[axis] = len(left)
            fresh = fresh & apart.reshape(pair)
    worth = pay[rows[strength(np.where(fresh, sums, sums.flat[0]))]] * fresh[..., None]
    stakes: Sequence[int] = finals
    for at in range(len(streets) - 1, number - 1, -1):
        street = streets[at]
        # What comes after this street is summed up; what came before it still varies.
        worth = worth.sum(axis=tuple(range(street.seen - have, worth.ndim - 1)))
        ways = _orders(len(left) - (street.seen - have), SIZE - street.seen)
        options = {}
        for choice in street.choices:
            if choice == community.FOLD:
                lost = -np.array(street.stakes) * (ways * units)
                options[choice] = np.broadcast_to(lost, (*worth.shape[:-1], len(lost)))
            else:
                columns = [stakes.index(stake + max(0, choice)) for stake in street.stakes]
                options[choice] = worth[..., columns]
        if at == number:
            mine = street.stakes.index(1 + sum(seen.raises))
            return {c: Fraction(int(w[mine]), ways * units) for c, w in options.items()}
        before = street.seen - have
        worth = np.max(np.stack(list(options.values())), axis=0)
        worth = worth * _apart(len(left), before)[..., None]
        stakes = street.stakes
    raise AssertionError("a street was asked about that is not there")


def _seen_at(streets: Sequence[community.Street], number: int) -> int:
    return streets[min(number, len(streets) - 1)].seen


def _orders(cards: int, places: int) -> int:
    ways = 1
    for taken in range(places):
        ways *= cards - taken
    return ways


def _apart(cards: int, axes: int) -> Ints:
    """Return 1 where so many cards are all different, 0 where one is there twice."""
    apart = np.ones((cards,) * axes, np.int64)
    for one, other in combinations(range(axes), 2):
        shape = [1] * axes
        shape[one] = shape[other] = cards
        apart = apart * (1 - np.eye(cards, dtype=np.int64)).reshape(shape)
    return apart


@lru_cache(maxsize=4)
def _fours(cards: int) -> Ints:
    """Return every choice of four from so many cards, a column each."""
    return np.array(list(combinations(range(cards), SIZE - 1))).T


def _against_dealer(
    book: Rulebook, seen: Seen, left: Ints, ante_cents: int | None, minimum_cents: int
) -> dict[int, Fraction]:
    rule, street = showdown.shape(book)
    if len(seen.cards) != SIZE or seen.upcard is None or seen.raises or seen.board:
        raise Unreadable("before the one decision a player sees five cards and the upcard")
    pay, units = showdown.payoffs(book, street, street.times, ante_cents, minimum_cents)
    mine = int(strength(KEYS[list(seen.cards)].sum()))
    fours = KEYS[left][_fours(len(left))].sum(axis=0)
    theirs = strength(fours + KEYS[seen.upcard])
    total = len(theirs)
    unqualified = int((theirs < rule.weakest).sum())
    below = int(((theirs >= rule.weakest) & (theirs < mine)).sum())
    equal = int((theirs == mine).sum()) if mine >= rule.weakest else 0
    found = {
        choice: Fraction(
            unqualified * int(pay.unqualified[at])
            + below * int(pay.win[at][mine])
            + equal * int(pay.tie[at])
            + (total - unqualified - below - equal) * int(pay.lose[at]),
            total * units,
        )
        for at, choice in enumerate(street.times)
    }
    return {**found, community.FOLD: Fraction(pay.fold, units)}
