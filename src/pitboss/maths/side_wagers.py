"""Side wagers and the progressive, counted exactly: every hand that a table's cards can make.

What they are worth is per unit wagered, for a player who never folds a hand that wins something.
"""

from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unsolved
from pitboss.hands import BY_SUIT, ranking
from pitboss.maths import kept
from pitboss.maths.hand_states import KEYS, LARGEST, SIZE, choices, hands, strength, strengths
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Spot


class SideRow(msgspec.Struct, frozen=True):
    """One row of a side wager's table."""

    hand: str
    ways: int
    odds: str


class Side(msgspec.Struct, frozen=True):
    """A side wager and what it is worth."""

    spot: str
    value: Fraction
    """The player's, per unit wagered, alone at the table."""
    rows: tuple[SideRow, ...]
    others: Fraction | None = None
    """What every other hand with this wager adds, by awards to others; None where there are none,
    or where they are not priced since the wager may be of any size."""


class Jackpot(msgspec.Struct, frozen=True):
    """The progressive: what is fixed, and what the meter must reach."""

    fixed_return: Fraction
    """What the fixed awards return per token."""
    meter_return: Fraction
    """The part of the meter that a token is worth."""
    token_cents: int
    rounds_to_top: Fraction | None
    """Rounds until the top award, on average; None where nothing is paid from the meter."""

    def at(self, meter_cents: int) -> Fraction:
        """Return what a token returns at this meter, per token."""
        return self.fixed_return + self.meter_return * meter_cents / self.token_cents

    @property
    def break_even_cents(self) -> int:
        """The meter at which a token is worth its price."""
        if not self.meter_return:
            return 0
        return round((1 - self.fixed_return) * self.token_cents / self.meter_return)


@cache
def ways_by_strength(order: str, cards: int) -> tuple[int, ...]:
    """Return in how many ways so many cards make each strength of a ranking; index 0 is unused.

    >>> sum(ways_by_strength("five-card", 5)), sum(ways_by_strength("five-card", 6))
    (2598960, 20358520)
    """
    most, size = len(ranking(order).classes) + 1, ranking(order).size
    found: npt.NDArray[Any]
    if order in BY_SUIT:
        from pitboss.maths import longest_suits  # few games are of these

        return longest_suits.ways_by_strength(order, cards)
    if order == "five-card" and SIZE <= cards <= LARGEST:
        found = _five_of(cards)
    elif cards == size:
        found = np.bincount(strength(KEYS[choices(52, cards)].sum(axis=1), order), minlength=most)
    elif size < cards <= SIZE:
        made = kept.arrays("ways", [order, cards], lambda: {"ways": _best_of(order, cards, most)})
        found = made["ways"]
    else:
        raise Unsolved(f"{cards} cards by a {order} ranking are not counted exactly yet")
    # Every count is far below 2**53, so that sums of floats are exact.
    return tuple(map(int, found))


def _five_of(cards: int) -> npt.NDArray[Any]:
    def count() -> kept.Arrays:
        return {"ways": np.bincount(strengths(cards), hands(cards))}

    # All states of a growing hand take a while, and are needed for nothing else here.
    return count()["ways"] if cards == SIZE else kept.arrays("ways", cards, count)["ways"]


def _best_of(order: str, cards: int, most: int) -> npt.NDArray[Any]:
    from pitboss.maths.card_sets import classes
    from pitboss.maths.containing import best_of

    every = classes(cards)
    return np.bincount(best_of(list(KEYS[every.sets].T), order), every.ways, most)


def rows_counted(book: Rulebook, table: PayTable) -> tuple[dict[str, int], int]:
    """Return in how many ways each row is made, and in how many all are."""
    cards = sum(book.dealt[place] for place in table.cards)
    ways = ways_by_strength(table.ranking, cards)
    rows = {row.row: 0 for row in table.rows}
    for row, many in zip(table.by_strength, ways, strict=True):
        if row is not None:  # None is at index 0 alone
            rows[row.row] += many
    return rows, sum(ways)


def side_wager(book: Rulebook, spot: Spot) -> Side:
    """Count a side wager that its own table settles, whatever becomes of the hand."""
    table = book.tables[spot.table]
    counted, total = rows_counted(book, table)
    worth = sum(counted[row.row] * row.odds for row in table.rows if row.odds is not None)
    rows = tuple(SideRow(row.row, counted[row.row], row.pays) for row in table.rows)
    # Each of the others is dealt a hand like any: what all of them win for one adds up.
    awards = sum(counted[row.row] * row.others for row in table.rows if row.others is not None)
    others = Fraction(awards, total * spot.fixed) if awards and spot.fixed else None
    return Side(spot.name, Fraction(worth, total), rows, others)


def jackpot(book: Rulebook) -> Jackpot | None:
    """Price the progressive, for a player who never folds a hand that wins something."""
    rule = book.progressive
    if rule is None:
        return None
    spot = book.spots[rule.spot]
    table = book.tables[spot.table]
    counted, total = rows_counted(book, table)
    token = spot.fixed
    if token is None:
        raise Unsolved("a progressive without a fixed token is not priced", book.id)
    awards = sum(counted[row.row] * row.award for row in table.rows if row.award is not None)
    parts = sum(counted[row.row] * row.meter for row in table.rows if row.meter is not None)
    shares = [row.meter for row in table.rows if row.meter is not None]
    top = sum(counted[row.row] for row in table.rows if shares and row.meter == max(shares))
    return Jackpot(
        Fraction(awards, total * token),
        Fraction(parts, total),
        int(token),
        Fraction(total, top) if top else None,
    )
