"""A side wager's pay tables, told apart by counting: its value is linear in what rows pay."""

from collections.abc import Generator
from fractions import Fraction
from math import lcm

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab.table_box import Places, TableBox
from pitboss.lab.targets import PricedTable, Progress, Targets, Window
from pitboss.maths.side_wagers import rows_counted

MOST_FITTING = 100_000
MOST_BLOCKS = 2_000
"""So many tables are looked at one by one, and so many blocks of their beginnings."""


class CountedTables:
    """A side wager: rows and in how many ways each is made decide, and nothing is chosen."""

    def __init__(self, box: TableBox, targets: Targets) -> None:
        self.box, self.targets = box, targets
        spot = box.book.spots[box.wager]
        if spot.after_fold == "lost":
            raise Unsolved("what a fold loses of a side wager depends on play", box.book.id)
        table = box.book.tables[spot.table]
        counted, self.total = rows_counted(box.book, table)
        self.ways = [counted[row.row] for row in box.rows]
        free = {row.row for row in box.rows}
        self.rest = [
            (row.odds, counted[row.row])
            for row in table.rows
            if row.odds is not None and row.row not in free
        ]
        """Rows that are not free: what each pays, and in how many ways it is made."""
        self.fixed = sum((odds * ways for odds, ways in self.rest), Fraction(0))
        self.units = lcm(*(each.denominator for row in box.rows for each in row.odds))
        self.worth = [
            [int(odds * self.units) * ways for odds in row.odds]
            for row, ways in zip(box.rows, self.ways, strict=True)
        ]

    def span(self) -> Generator[Progress, None, tuple[Fraction, Fraction]]:
        """Return the lowest and the highest edge that the box may have."""
        yield from ()
        ends = [sum(pick(each) for each in self.worth) for pick in (max, min)]
        low, high = (-(self.fixed + Fraction(each, self.units)) / self.total for each in ends)
        return low, high

    def priced(self, window: Window) -> Generator[Progress, None, list[tuple[Places, PricedTable]]]:
        """Return all tables whose edge lies in the window."""
        least, most = (
            None if each is None else (-each * self.total - self.fixed) * self.units
            for each in reversed(window)
        )
        low, high = None if least is None else -(-least // 1), None if most is None else most // 1
        found: list[Places] = []
        for number, block in enumerate(self.box.points(self.worth, low, high)):
            found += map(tuple, self.box.with_top(block, self.targets.window("top")).tolist())
            if len(found) > MOST_FITTING:
                many = f"more than {MOST_FITTING:,} tables"
                raise Unreadable(f"{many} would be looked at one by one: ask for less")
            if number > MOST_BLOCKS:
                raise Unreadable("there are too many tables to look at: free fewer rows, or odds")
            yield Progress(0, len(found))
        return [(point, self.table(point)) for point in found]

    def table(self, point: Places) -> PricedTable:
        rows = [*self.rest, *zip(self.box.odds(point), self.ways, strict=True)]
        first, second = (
            sum((odds**power * ways for odds, ways in rows), Fraction(0)) / self.total
            for power in (1, 2)
        )
        return PricedTable(
            value=first,
            average_wager=Fraction(1),
            variance=second - first**2,
            hit=Fraction(sum(ways for odds, ways in rows if odds > 0), self.total),
            top=Fraction(max(odds for odds, _ in rows)),
        )

    def old_play(self) -> Generator[Progress, None, None]:
        """Nothing is played here."""
        yield from ()
