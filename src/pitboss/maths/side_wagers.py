"""Side wagers and the progressive, counted exactly: every hand that a table's cards can make.

What they are worth is per unit wagered, for a player who never folds a hand that wins something.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import msgspec
import numpy as np

from pitboss.errors import Unsolved
from pitboss.hands import RANK_KEYS, ranking
from pitboss.maths.hand_states import SIZE, levels, strengths
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
    """The player's, per unit wagered."""
    rows: tuple[SideRow, ...]


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
    kind = ranking(order)
    if (order, cards) == ("five-card", SIZE):
        return _five_cards()
    counts = [0] * (len(kind.classes) + 1)
    if cards not in (kind.size, kind.size + 1) or (cards > kind.size and order != "five-card"):
        raise Unsolved(f"{cards} cards by a {order} ranking are not counted exactly yet")
    for ranks in combinations_with_replacement(range(13), cards):
        held = {rank: ranks.count(rank) for rank in ranks}
        if max(held.values()) <= 4:
            keys = [RANK_KEYS[rank] for rank in ranks]
            whole = sum(keys)
            totals = [whole] if cards == kind.size else [whole - key for key in keys]
            plain = max(kind.of_ranks(total, suited=False) for total in totals)
            suited = _suited(kind.size, held, cards)
            counts[plain] += prod(comb(4, many) for many in held.values()) - sum(suited.values())
            for out, ways in suited.items():
                left = sorted(held) if out is None else [rank for rank in held if rank != out]
                counts[_best_flush(order, tuple(sorted(left)))] += ways
    return tuple(counts)


def _five_cards() -> tuple[int, ...]:
    level = levels()[SIZE]
    choose = np.array([comb(4, many) for many in range(5)])
    ways = np.where(level.suited, 4, choose[level.counts].prod(axis=1))
    # Hands of five different ranks that are of one suit are states of their own.
    ways -= np.where(~level.suited & (level.counts.max(axis=1) == 1), 4, 0)
    counts = np.zeros(len(ways) + 1, np.int64)
    counts[strengths()] = ways
    return tuple(counts.tolist())


def _suited(size: int, held: dict[int, int], cards: int) -> dict[int | None, int]:
    """Return the hands with ``size`` or more cards of one suit: the odd rank out, and the ways."""
    if len(held) < size:
        return {}
    if cards == size:
        return {None: 4}
    if len(held) == cards:
        # All of one suit, or all but one card, which is then of another.
        return {None: 4, **dict.fromkeys(held, 12)}
    # A pair: one of its cards in the suit, the other not.
    return {None: 12}


@cache
def _best_flush(order: str, ranks: tuple[int, ...]) -> int:
    kind = ranking(order)
    if len(ranks) == kind.size:
        return kind.of_ranks(sum(RANK_KEYS[rank] for rank in ranks), suited=True)
    fewer = (tuple(rank for rank in ranks if rank != out) for out in ranks)
    return max(_best_flush(order, each) for each in fewer)


def _counted(book: Rulebook, table: PayTable) -> tuple[dict[str, int], int]:
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
    counted, total = _counted(book, table)
    worth = sum(counted[row.row] * row.odds for row in table.rows if row.odds is not None)
    rows = tuple(SideRow(row.row, counted[row.row], row.pays) for row in table.rows)
    return Side(spot.name, Fraction(worth, total), rows)


def jackpot(book: Rulebook) -> Jackpot | None:
    """Price the progressive, for a player who never folds a hand that wins something."""
    rule = book.progressive
    if rule is None:
        return None
    spot = book.spots[rule.spot]
    table = book.tables[spot.table]
    counted, total = _counted(book, table)
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
