"""The pay-table family, solved exactly: a hand that grows to five cards or more, street by street.

Backward induction over every state of the ladder and everything that may be staked. The worth of a
state is a sum over all deals that pass through it, so it is an integer and nothing is rounded.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import factorial, lcm, perm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable, Unsolved
from pitboss.maths.decisions import OUT, Plan, main_table, plan
from pitboss.maths.hand_states import Ints, back_to, levels, on_to, strengths, whole
from pitboss.maths.outcomes import NO_SUCH_PLAY, Outcome, Replayed
from pitboss.maths.seen import Seen
from pitboss.money import times
from pitboss.rulebook.check import counts
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row


class PayTableSolution(msgspec.Struct, frozen=True):
    """The best play of every state, and what it comes to."""

    plan: Plan
    pay: Ints
    """(row, final stake): the net in units."""
    rows: Ints
    """(strength): the number of the row that pays it."""
    best: tuple[Ints, ...]
    """For each street, (state, column): the choice."""
    worths: tuple[Ints, ...]
    """For each street, (state, column, choice): its worth summed over all boards from there."""
    total: int
    """The whole game's worth over all deals, in units."""
    deals: int
    units: int
    """How many units an ante is."""
    outcomes: tuple[Outcome, ...]

    def worth(self, seen: Seen) -> dict[int, Fraction]:
        """Return each choice (0 folds, -1 checks, -2 takes back) with its value in antes."""
        known, planned = (*seen.cards, *seen.board), self.plan
        number, column = planned.at(seen.raises, len(known))
        if len(set(known)) < len(known):
            raise Unreadable("a card is there twice")
        state = levels(planned.size)[len(known)].state(known)
        ways = perm(52 - len(known), planned.size - len(known)) * self.units
        found = self.worths[number][state, column]
        return {
            choice: Fraction(int(worth), ways)
            for choice, worth in zip(planned.streets[number].choices, found, strict=True)
        }


def takes_long(_book: Rulebook) -> bool:
    """Say that solving takes no more than about a second, where nothing of it is kept."""
    return False


def solve(
    book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str
) -> PayTableSolution:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    planned = plan(book, ties)
    size, ladder = planned.size, levels(planned.size)
    pay, units = payoffs(book, planned.finals, ante_cents, minimum_cents)
    rows = row_numbers(main_table(book))
    worth = pay[rows[strengths(size)]]
    best, worths = [], []
    at = size
    for street in reversed(planned.streets):
        worth, at = back_to(ladder, street.seen, at, worth), street.seen
        options = street.options(worth, perm(52 - at, size - at) * units)
        picked = options.argmax(axis=2)
        worth = np.take_along_axis(options, picked[:, :, None], axis=2)[:, :, 0]
        best.append(np.array(street.choices)[picked])
        worths.append(options)
    worth = back_to(ladder, 0, at, worth)
    held = factorial(book.seat_cards)
    best.reverse()
    return PayTableSolution(
        plan=planned,
        pay=pay,
        rows=rows,
        best=tuple(best),
        worths=tuple(reversed(worths)),
        total=int(worth[0, 0]) // held,
        deals=perm(52, size) // held,
        units=units,
        outcomes=outcomes(book, planned, best, pay, rows, units),
    )


def repriced(
    solved: PayTableSolution, book: Rulebook, ante_cents: int | None, minimum_cents: int
) -> Replayed:
    """Price a book with other odds, played as was best before."""
    planned, before = plan(book, "stay"), solved.plan
    if (planned.size, planned.finals) != (before.size, before.finals):
        raise Unsolved(NO_SUCH_PLAY, book.id)
    pay, units = payoffs(book, before.finals, ante_cents, minimum_cents)
    rows = row_numbers(main_table(book))
    return Replayed(solved.deals, units, outcomes(book, before, solved.best, pay, rows, units))


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
    return whole(net), units


def _net_cents(book: Rulebook, row: Row, stack_cents: int, minimum_cents: int) -> int:
    odds = row.odds
    if odds is None or odds <= 0:
        return 0 if odds == 0 else -stack_cents
    won = times(stack_cents, odds, book.rounding)
    main = {spot.name for spot in book.spot if spot.kind == "main"}
    for cap in book.cap:
        if counts(cap, row) and main & set(cap.spots):
            if not main <= set(cap.spots):
                raise Unsolved("a cap on some of the main wagers is not priced yet", book.id)
            ceiling = cap.cents(minimum_cents)
            won = won if won <= ceiling else ceiling // cap.unit * cap.unit
    return won


def outcomes(
    book: Rulebook, planned: Plan, best: Sequence[Ints], pay: Ints, rows: Ints, units: int
) -> tuple[Outcome, ...]:
    """Follow every deal through these choices: how often each thing happens."""
    found: Counter[tuple[str, int, int]] = Counter()
    reached = np.ones((1, 1), np.int64)
    size, ladder, finals = planned.size, levels(planned.size), planned.finals
    at, held = 0, factorial(book.seat_cards)
    widths = [len(street.stakes) for street in planned.streets[1:]] + [len(finals)]
    for number, (street, chosen) in enumerate(zip(planned.streets, best, strict=True)):
        reached, at = on_to(ladder, street.seen, at, reached), street.seen
        moved = np.zeros((len(reached), widths[number]), np.int64)
        ways = perm(52 - at, size - at)
        for which, choice in enumerate(street.choices):
            here = np.where(chosen == choice, reached, 0)
            for column, stake in enumerate(street.stakes):
                to = street.after[column][which]
                if to == OUT:
                    deals = int(here[:, column].sum()) * ways // held
                    found[f"fold-{number + 1}", stake, -stake * units] += deals
                else:
                    moved[:, to] += here[:, column]
        reached = moved
    reached = on_to(ladder, size, at, reached)
    table = main_table(book)
    by_row: npt.NDArray[np.int64] = np.zeros((len(table.rows), len(finals)), np.int64)
    np.add.at(by_row, rows[strengths(size)], reached)
    for number, row in enumerate(table.rows):
        for column, stake in enumerate(finals):
            found[row.row, stake, int(pay[number, column])] += int(by_row[number, column]) // held
    return tuple(Outcome(*ending, deals) for ending, deals in found.items() if deals)
