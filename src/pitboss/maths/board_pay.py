"""What each ending on a shared board nets: every wager by its own rules, in whole units or cents."""

from collections.abc import Iterator, Sequence
from math import lcm

import msgspec
import numpy as np

from pitboss.hands import ranking
from pitboss.maths.dealer_games import net_cents
from pitboss.maths.hand_states import Ints, whole
from pitboss.money import Odds
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Spot

Wagers = tuple[tuple[str, int], ...]
"""The main wagers on the table and how many antes each is."""

WIN, TIE, LOSE = range(3)


class BoardPay(msgspec.Struct, frozen=True):
    """What each ending nets, in whole units."""

    units: int
    """How many of them an ante is."""
    nets: Ints
    """(final, qualified or not, WIN to LOSE, strength)."""
    names: tuple[str, ...]
    """(strength): what a win is called."""


def payoffs(
    book: Rulebook, finals: Sequence[Wagers], ante_cents: int | None, minimum_cents: int
) -> BoardPay:
    """Return what every ending nets; without an ante in units that leave no fractions."""
    main = [spot for spot in book.spot if spot.kind == "main"]
    tables = [book.tables[name] for spot in main for name in (spot.table, spot.bonus) if name]
    odds = [row.odds for table in tables for row in table.rows] + [spot.odds for spot in main]
    odds += [spot.unqualified.odds for spot in main if spot.unqualified is not None]
    units = ante_cents or lcm(*(each.denominator for each in odds if each is not None))
    # One hand of each set of rows is enough: wagers are paid by these alone.
    classes = ranking("five-card").classes
    alike = [tuple(table.row_for(hand.strength).row for table in tables) for hand in classes]
    like = dict(zip(alike, (hand.strength for hand in classes), strict=True))
    place = {rows: at for at, rows in enumerate(like)}
    few = [
        [
            [
                [
                    _net(book, wagers, units, strength, weak, result, ante_cents and minimum_cents)
                    for strength in like.values()
                ]
                for result in (WIN, TIE, LOSE)
            ]
            for weak in (False, True)
        ]
        for wagers in finals
    ]
    rows = [place[rows] for rows in alike]
    return BoardPay(
        units=units,
        nets=whole(few)[..., [rows[0], *rows]],
        names=("", *(_name(book, tables, hand.strength) for hand in classes)),
    )


def _name(book: Rulebook, tables: Sequence[PayTable], strength: int) -> str:
    row = tables[0].row_for(strength) if tables else None
    return row.row if row is not None and row.odds else "player-wins"


def _net(
    book: Rulebook,
    wagers: Wagers,
    ante: int,
    strength: int,
    weak: bool,
    result: int,
    minimum_cents: int | None,
) -> int:
    """Return what these wagers net together; with a posted minimum in cents, cut by the caps."""
    paid = [
        (name, row, odds, ante * many)
        for name, many in wagers
        for row, odds in _paid(book, book.spots[name], strength, weak=weak, result=result)
    ]
    if minimum_cents is None:
        return sum(int(stake * odds) for _, _, odds, stake in paid)
    return net_cents(book, paid, minimum_cents)


def _paid(
    book: Rulebook, spot: Spot, strength: int, *, weak: bool, result: int
) -> Iterator[tuple[str, Odds]]:
    """Yield by which row and at which odds a wager is paid; a bonus beside it comes second."""
    rule = book.qualifier
    assert rule is not None
    row = book.tables[spot.table].row_for(strength) if spot.table else None
    by_row = (row.row, row.odds) if row is not None else ("", spot.odds)
    lost, back = ("", Odds(-1)), ("", Odds(0))
    how = spot.unqualified if weak and not rule.always else None
    if how is not None and how.by == "odds":
        yield "", how.odds or Odds(0)
    elif spot.rows == "first":
        yield by_row if (by_row[1] or 0) > 0 else lost if result == LOSE else back
    elif (how is not None and how.by == "table") or result == WIN:
        yield by_row
    elif result == TIE:
        yield {"win": by_row, "lose": lost, "push": back}[rule.tie]
    else:
        yield lost
    if spot.bonus:
        beside = book.tables[spot.bonus].row_for(strength)
        yield beside.row, max(beside.odds, Odds(0))


def gains(nets: Ints, weakest: int) -> Ints:
    """Return what the cards need to know of nets: see :class:`Game`."""
    (win, tie, lose), (weak_win, weak_tie, weak_lose) = np.moveaxis(nets, (1, 2), (0, 1))
    good = np.arange(nets.shape[3]) >= weakest
    strong = [lose, win - lose, tie - lose, weak_win - win]
    weak = [lose, weak_win - weak_lose, weak_tie - weak_lose, weak_lose - lose]
    return np.moveaxis(np.where(good, np.array(strong), np.array(weak)), 1, 0)
