"""The pay-table family, solved exactly: a hand that grows to five cards, raised street by street.

Backward induction over every state of the ladder and every stake on the table. The worth of a state
is a sum over all deals that pass through it, so it is an integer and nothing is rounded.
"""

from collections.abc import Sequence
from math import factorial, lcm, perm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.maths.ladder import SIZE, Ints, levels, step_back, step_on, strengths
from pitboss.maths.outcomes import Outcome
from pitboss.money import times
from pitboss.rulebook.check import counts
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pays import PayTable, Row
from pitboss.rulebook.script import SEATS, DealStep, DecideStep, TurnStep

FOLD = 0
CHECK = -1
"""Choices that are not multiples."""


class Street(msgspec.Struct, frozen=True):
    """A decision: how many cards are seen, and what may be done."""

    seen: int
    choices: tuple[int, ...]
    """Multiples in rising order, CHECK, FOLD: as ties are broken."""
    stakes: tuple[int, ...]
    """The stakes, in antes, that may be on the table before it."""


class Solved(msgspec.Struct, frozen=True):
    """The best play of every state, and what it comes to."""

    streets: tuple[Street, ...]
    best: tuple[Ints, ...]
    """For each street, (state, stake): the choice."""
    worth: tuple[Ints, ...]
    """For each street, (state, stake, choice): its worth summed over all boards from there."""
    total: int
    """The whole game's worth over all deals, in units."""
    deals: int
    units: int
    """How many units an ante is."""
    outcomes: tuple[Outcome, ...]


def main_table(book: Rulebook) -> PayTable:
    """Return the table that pays every main wager, or say why this solver cannot take the game."""
    main = [spot for spot in book.spot if spot.kind == "main"]
    names = {spot.table for spot in main}
    if len(names) != 1 or any(spot.against for spot in main):
        raise Unreadable("the main wagers are not all on one pay table", book.id)
    table = book.tables[names.pop()]
    dealt = sum(book.dealt[place] for place in table.cards)
    if table.ranking != "five-card" or dealt != SIZE or SEATS not in table.cards:
        raise Unreadable("only hands of exactly five cards are solved exactly so far", book.id)
    return table


def streets(book: Rulebook, ties: str) -> tuple[Street, ...]:
    """Return the decisions of a round, with the cards seen and the stakes possible at each."""
    table = main_table(book)
    seen, stakes = 0, {1}
    found = []
    for step in book.script:
        if isinstance(step, DealStep):
            for place in step.to:
                if place in table.cards:
                    seen += step.cards if place == SEATS else len(step.up.get(place, ()))
        elif isinstance(step, TurnStep):
            seen += step.cards if step.place in table.cards else 0
        elif isinstance(step, DecideStep):
            choices = _choices(book, step, ties)
            found.append(Street(seen, choices, tuple(sorted(stakes))))
            stakes = {stake + max(0, choice) for stake in stakes for choice in choices if choice}
    return tuple(found)


def _choices(book: Rulebook, step: DecideStep, ties: str) -> tuple[int, ...]:
    if "take-back" in step.otherwise:
        raise Unreadable("games in which wagers are taken back are not solved yet", book.id)
    stay = (*step.times, *((CHECK,) if "check" in step.otherwise else ()))
    fold = (FOLD,) if "fold" in step.otherwise else ()
    return (*fold, *stay) if ties == "fold" else (*stay, *fold)


def solve(book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str) -> Solved:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    asked = streets(book, ties)
    last = asked[-1]
    finals = sorted({s + max(0, c) for s in last.stakes for c in last.choices if c})
    pay, units = payoffs(book, finals, ante_cents, minimum_cents)
    table = main_table(book)
    rows = row_numbers(table)
    worth = pay[rows[strengths()]]
    best, worths = [], []
    at, after = SIZE, finals
    for street in reversed(asked):
        while at > street.seen:
            at -= 1
            worth = step_back(levels()[at], worth)
        ways = perm(52 - at, SIZE - at)
        options = np.stack(
            [_option(worth, street, after, choice, ways, units) for choice in street.choices],
            axis=2,
        )
        picked = options.argmax(axis=2)
        worth = np.take_along_axis(options, picked[:, :, None], axis=2)[:, :, 0]
        best.append(np.array(street.choices)[picked])
        worths.append(options)
        after = list(street.stakes)
    while at > 0:
        at -= 1
        worth = step_back(levels()[at], worth)
    held = factorial(book.seat_cards)
    solved = Solved(
        asked,
        tuple(reversed(best)),
        tuple(reversed(worths)),
        int(worth[0, 0]) // held,
        perm(52, SIZE) // held,
        units,
        (),
    )
    counted = outcomes(book, solved.streets, solved.best, finals, pay, rows, units)
    return msgspec.structs.replace(solved, outcomes=counted)


def _option(
    worth: Ints, street: Street, after: Sequence[int], choice: int, ways: int, units: int
) -> Ints:
    if choice == FOLD:
        lost = -np.array(street.stakes, np.int64) * (ways * units)
        return np.broadcast_to(lost, (len(worth), len(lost)))
    return worth[:, [after.index(stake + max(0, choice)) for stake in street.stakes]]


def row_numbers(table: PayTable) -> Ints:
    """Return the place in the table of the row that pays each strength."""
    order = {row.row: number for number, row in enumerate(table.rows)}
    rows = [0, *(order[table.row_for(hand.strength).row] for hand in table.order.classes)]
    return np.array(rows, np.int64)


def payoffs(
    book: Rulebook, finals: Sequence[int], ante_cents: int | None, minimum_cents: int
) -> tuple[Ints, int]:
    """Return (row, stake): the net in whole units, and how many units an ante is."""
    table = main_table(book)
    if ante_cents is None:
        units = lcm(*(row.odds.denominator for row in table.rows if row.odds is not None))
        net = [[int((row.odds or 0) * stake * units) for stake in finals] for row in table.rows]
    else:
        units = ante_cents
        net = [
            [_net_cents(book, row, stake * ante_cents, minimum_cents) for stake in finals]
            for row in table.rows
        ]
    return np.array(net, np.int64), units


def _net_cents(book: Rulebook, row: Row, stack_cents: int, minimum_cents: int) -> int:
    odds = row.odds
    if odds is None or odds <= 0:
        return 0 if odds == 0 else -stack_cents
    won = times(stack_cents, odds, book.rounding)
    main = {spot.name for spot in book.spot if spot.kind == "main"}
    for cap in book.cap:
        if counts(cap, row) and main & set(cap.spots):
            if not main <= set(cap.spots):
                raise Unreadable("a cap on some of the main wagers is not priced yet", book.id)
            ceiling = cap.cents(minimum_cents)
            won = won if won <= ceiling else ceiling // cap.unit * cap.unit
    return won


def outcomes(
    book: Rulebook,
    asked: Sequence[Street],
    best: Sequence[Ints],
    finals: Sequence[int],
    pay: Ints,
    rows: Ints,
    units: int,
) -> tuple[Outcome, ...]:
    """Follow every deal through these choices: how often each thing happens."""
    found: dict[tuple[str, int, int], int] = {}
    reached = np.ones((1, 1), np.int64)
    at, held = 0, factorial(book.seat_cards)
    for number, (street, chosen) in enumerate(zip(asked, best, strict=True), start=1):
        while at < street.seen:
            reached = step_on(levels()[at], reached)
            at += 1
        following = list(asked[number].stakes) if number < len(asked) else list(finals)
        moved = np.zeros((len(reached), len(following)), np.int64)
        ways = perm(52 - at, SIZE - at)
        for choice in street.choices:
            here = np.where(chosen == choice, reached, 0)
            for column, stake in enumerate(street.stakes):
                if choice == FOLD:
                    deals = int(here[:, column].sum()) * ways // held
                    _add(found, (f"fold-{number}", stake, -stake * units), deals)
                else:
                    moved[:, following.index(stake + max(0, choice))] += here[:, column]
        reached = moved
    while at < SIZE:
        reached = step_on(levels()[at], reached)
        at += 1
    table = main_table(book)
    by_row: npt.NDArray[np.int64] = np.zeros((len(table.rows), len(finals)), np.int64)
    np.add.at(by_row, rows[strengths()], reached)
    for number, row in enumerate(table.rows):
        for column, stake in enumerate(finals):
            deals = int(by_row[number, column]) // held
            _add(found, (row.row, stake, int(pay[number, column])), deals)
    return tuple(Outcome(*key, deals) for key, deals in found.items())


def _add(found: dict[tuple[str, int, int], int], key: tuple[str, int, int], deals: int) -> None:
    if deals:
        found[key] = found.get(key, 0) + deals
