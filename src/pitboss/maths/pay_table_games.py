"""The pay-table family, solved exactly: a hand that grows to five cards or more, street by street.

Backward induction over every state of the ladder and everything that may be staked. The worth of a
state is a sum over all deals that pass through it, so it is an integer and nothing is rounded.
"""

from collections.abc import Sequence
from math import factorial, lcm, perm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.maths.hand_states import (
    LARGEST,
    SIZE,
    Ints,
    levels,
    step_back,
    step_on,
    strengths,
    whole,
)
from pitboss.maths.outcomes import Outcome
from pitboss.money import times
from pitboss.rulebook.check import counts
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, TurnStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row

FOLD = 0
CHECK = -1
TAKE_BACK = -2
"""Choices that are not multiples."""

OUT = -1
"""Where a fold leads."""


class Street(msgspec.Struct, frozen=True):
    """A decision: how many cards are seen, and what may be done."""

    seen: int
    own: int
    """How many of them are the player's own."""
    choices: tuple[int, ...]
    """Multiples in rising order, CHECK, TAKE_BACK, FOLD: as ties are broken."""
    stakes: tuple[int, ...]
    """The stakes, in antes, that may be on the table before it: a column each."""
    after: tuple[tuple[int, ...], ...]
    """(column, choice): the column of the next street, or of the end; OUT for a fold."""
    asked: tuple[bool, ...]
    """Whether a seat decides: not where its wager is down already, or was never there to take."""

    @property
    def plain(self) -> bool:
        """Whether every seat decides, and stakes only grow."""
        return all(self.asked) and TAKE_BACK not in self.choices

    def options(self, worth: Ints, ante: int) -> Ints:
        """Return (state, column, choice): the worth of each, where a lost ante weighs so much."""
        after = np.array(self.after)
        lost = np.array([[-stake * ante] for stake in self.stakes])
        found: Ints = np.where(after == OUT, lost, worth[:, after])
        return found


class Plan(msgspec.Struct, frozen=True):
    """The decisions of a round, and the stakes that they may end with."""

    size: int
    """How many cards the hand grows to; the best five count."""
    streets: tuple[Street, ...]
    finals: tuple[int, ...]
    """The stakes, in antes, at the end."""

    def ahead(self, number: int, column: int) -> tuple[int, int]:
        """Return the first street from this one on where a seat decides, or the end; the column."""
        while number < len(self.streets) and not self.streets[number].asked[column]:
            number, column = number + 1, self.streets[number].after[column][0]
        return number, column

    def at(self, raises: Sequence[int], seen: int) -> tuple[int, int]:
        """Return the street and the column in which these choices put a seat that is to decide."""
        number, column = self.ahead(0, 0)
        for choice in raises:
            offered = self.streets[number].choices if number < len(self.streets) else ()
            if choice not in offered or choice == FOLD:
                raise Unreadable(f"after these decisions nobody goes on with {choice}")
            to = self.streets[number].after[column][offered.index(choice)]
            number, column = self.ahead(number + 1, to)
        if number == len(self.streets):
            raise Unreadable(f"nothing is decided after {len(raises)} decisions like these")
        if self.streets[number].seen != seen:
            sees = f"sees {self.streets[number].seen} cards, not {seen}"
            raise Unreadable(f"after {len(raises)} decisions a player {sees}")
        return number, column


class Solved(msgspec.Struct, frozen=True):
    """The best play of every state, and what it comes to."""

    plan: Plan
    best: tuple[Ints, ...]
    """For each street, (state, column): the choice."""
    worth: tuple[Ints, ...]
    """For each street, (state, column, choice): its worth summed over all boards from there."""
    total: int
    """The whole game's worth over all deals, in units."""
    deals: int
    units: int
    """How many units an ante is."""
    outcomes: tuple[Outcome, ...]

    @property
    def streets(self) -> tuple[Street, ...]:
        """The decisions of a round."""
        return self.plan.streets


def main_table(book: Rulebook) -> PayTable:
    """Return the table that pays every main wager, or say why this solver cannot take the game."""
    main = [spot for spot in book.spot if spot.kind == "main"]
    names = {spot.table for spot in main}
    if len(names) != 1 or any(spot.against for spot in main):
        raise Unreadable("the main wagers are not all on one pay table", book.id)
    table = book.tables[names.pop()]
    if table.ranking != "five-card" or SEATS not in table.cards:
        raise Unreadable("only five-card hands with the player's cards are solved so far", book.id)
    if not SIZE <= hand_size(book, table) <= LARGEST:
        raise Unreadable("only the best five of up to seven cards are solved so far", book.id)
    return table


def hand_size(book: Rulebook, table: PayTable) -> int:
    """Return how many cards a hand has of which the table pays the best."""
    return sum(book.dealt[place] for place in table.cards)


def plan(book: Rulebook, ties: str) -> Plan:
    """Return the decisions of a round: the cards seen, and what may be staked, at each.

    Main wagers that are placed before the deal are taken to be equal to the ante.
    """
    table = main_table(book)
    asked = {step.into for step in book.streets}
    down = [(name, 1) for name in book.opening if name in asked]
    columns: list[_Down] = [(1 + len(down), tuple(sorted(down)))]
    seen = own = 0
    streets = []
    for index, step in enumerate(book.script):
        if isinstance(step, DealStep):
            for place in step.to:
                if place == SEATS:
                    seen, own = seen + step.cards, own + step.cards
                elif place in table.cards:
                    seen += len(step.up.get(place, ()))
        elif isinstance(step, TurnStep):
            seen += step.cards if step.place in table.cards else 0
        elif isinstance(step, DecideStep):
            choices = _choices(step, ties)
            later = {each.into for each in book.script[index + 1 :] if isinstance(each, DecideStep)}
            moves = [[_moved(each, step, choice, later) for choice in choices] for each in columns]
            following = sorted({to for row in moves for to in row if to is not None})
            after = (
                tuple(OUT if to is None else following.index(to) for to in row) for row in moves
            )
            streets.append(
                Street(
                    seen,
                    own,
                    choices,
                    tuple(stake for stake, _ in columns),
                    tuple(after),
                    tuple(_asked(each, step) for each in columns),
                )
            )
            columns = following
    return Plan(hand_size(book, table), tuple(streets), tuple(stake for stake, _ in columns))


_Down = tuple[int, tuple[tuple[str, int], ...]]
"""All that is staked, in antes, and how much of it on each spot that is decided about later."""


def _asked(down: _Down, step: DecideStep) -> bool:
    """Whether a seat with these wagers decides: a raise needs its spot free, take-back a wager."""
    return (step.into in dict(down[1])) != bool(step.times)


def _moved(down: _Down, step: DecideStep, choice: int, later: set[str]) -> _Down | None:
    """Return what is down after a choice; None after a fold."""
    stake, on = down[0], dict(down[1])
    if _asked(down, step):
        if choice == FOLD:
            return None
        if choice == TAKE_BACK:
            stake -= on.pop(step.into)
        elif choice != CHECK:
            stake, on[step.into] = stake + choice, choice
    return stake, tuple(sorted((spot, many) for spot, many in on.items() if spot in later))


def streets(book: Rulebook, ties: str) -> tuple[Street, ...]:
    """Return the decisions of a game of exactly five cards whose stakes only grow.

    For those who follow cards or stakes in ways of their own, and take no other game.
    """
    found = plan(book, ties)
    if found.size != SIZE:
        raise Unreadable("for hands of more than five cards this is not solved yet", book.id)
    if not all(street.plain for street in found.streets):
        said = "where wagers are taken back or a spot is asked for twice this is not solved yet"
        raise Unreadable(said, book.id)
    return found.streets


def _choices(step: DecideStep, ties: str) -> tuple[int, ...]:
    stay = (*step.times, *((CHECK,) if "check" in step.otherwise else ()))
    offered = (("take-back", TAKE_BACK), ("fold", FOLD))
    leave = tuple(choice for name, choice in offered if name in step.otherwise)
    return (*reversed(leave), *stay) if ties == "fold" else (*stay, *leave)


def solve(book: Rulebook, ante_cents: int | None, minimum_cents: int, ties: str) -> Solved:
    """Solve the game; with an ante the cap bites as it does for one player alone."""
    planned = plan(book, ties)
    size, ladder = planned.size, levels(planned.size)
    pay, units = payoffs(book, planned.finals, ante_cents, minimum_cents)
    rows = row_numbers(main_table(book))
    worth = pay[rows[strengths(size)]]
    best, worths = [], []
    at = size
    for street in reversed(planned.streets):
        while at > street.seen:
            at -= 1
            worth = step_back(ladder[at], worth)
        options = street.options(worth, perm(52 - at, size - at) * units)
        picked = options.argmax(axis=2)
        worth = np.take_along_axis(options, picked[:, :, None], axis=2)[:, :, 0]
        best.append(np.array(street.choices)[picked])
        worths.append(options)
    while at > 0:
        at -= 1
        worth = step_back(ladder[at], worth)
    held = factorial(book.seat_cards)
    solved = Solved(
        planned,
        tuple(reversed(best)),
        tuple(reversed(worths)),
        int(worth[0, 0]) // held,
        perm(52, size) // held,
        units,
        (),
    )
    counted = outcomes(book, planned, solved.best, pay, rows, units)
    return msgspec.structs.replace(solved, outcomes=counted)


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
                raise Unreadable("a cap on some of the main wagers is not priced yet", book.id)
            ceiling = cap.cents(minimum_cents)
            won = won if won <= ceiling else ceiling // cap.unit * cap.unit
    return won


def outcomes(
    book: Rulebook, planned: Plan, best: Sequence[Ints], pay: Ints, rows: Ints, units: int
) -> tuple[Outcome, ...]:
    """Follow every deal through these choices: how often each thing happens."""
    found: dict[tuple[str, int, int], int] = {}
    reached = np.ones((1, 1), np.int64)
    size, ladder, finals = planned.size, levels(planned.size), planned.finals
    at, held = 0, factorial(book.seat_cards)
    widths = [len(street.stakes) for street in planned.streets[1:]] + [len(finals)]
    for number, (street, chosen) in enumerate(zip(planned.streets, best, strict=True)):
        while at < street.seen:
            reached = step_on(ladder[at], reached)
            at += 1
        moved = np.zeros((len(reached), widths[number]), np.int64)
        ways = perm(52 - at, size - at)
        for which, choice in enumerate(street.choices):
            here = np.where(chosen == choice, reached, 0)
            for column, stake in enumerate(street.stakes):
                to = street.after[column][which]
                if to == OUT:
                    deals = int(here[:, column].sum()) * ways // held
                    _add(found, (f"fold-{number + 1}", stake, -stake * units), deals)
                else:
                    moved[:, to] += here[:, column]
        reached = moved
    while at < size:
        reached = step_on(ladder[at], reached)
        at += 1
    table = main_table(book)
    by_row: npt.NDArray[np.int64] = np.zeros((len(table.rows), len(finals)), np.int64)
    np.add.at(by_row, rows[strengths(size)], reached)
    for number, row in enumerate(table.rows):
        for column, stake in enumerate(finals):
            deals = int(by_row[number, column]) // held
            _add(found, (row.row, stake, int(pay[number, column])), deals)
    return tuple(Outcome(*key, deals) for key, deals in found.items())


def _add(found: dict[tuple[str, int, int], int], key: tuple[str, int, int], deals: int) -> None:
    if deals:
        found[key] = found.get(key, 0) + deals
