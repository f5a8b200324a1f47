"""The main game's pay tables: each is solved, unless bounds say that its edge is another.

Under one strategy a game's value is linear in what its rows pay, and best play takes the highest of
all strategies: the value is convex. So a strategy that was best somewhere bounds the value from
below everywhere, and values at the corners of a part of the box bound it from above in between.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable
from pitboss.lab.table_box import Places, TableBox, looked_up
from pitboss.lab.targets import PricedTable, Progress, Targets, Window
from pitboss.maths.hand_states import Ints
from pitboss.maths.solution import Solution, same_play, solve
from pitboss.money import Odds

SLACK = 1e-9
"""Bounds are floats, and rule out nothing that is nearer than this; what is told is exact."""

FloatArray = npt.NDArray[np.float64]


class FixedPlay(msgspec.Struct, frozen=True):
    """What one strategy is worth, whatever the free rows pay."""

    base: Fraction
    slopes: tuple[Fraction, ...]
    """By free row: how many antes it pays on, per round."""

    def value(self, paid: Sequence[Fraction]) -> Fraction:
        return self.base + sum(
            (slope * odds for slope, odds in zip(self.slopes, paid, strict=True)), Fraction(0)
        )


class Known(msgspec.Struct):
    """All that a search has worked out so far: with it, it goes on where it was stopped."""

    solved: dict[Places, PricedTable] = {}
    plays: dict[Places, FixedPlay] = {}
    """Strategies that are best at a table; the posted one's is under no point at all."""


Work = Callable[[Callable[[Places], PricedTable], Sequence[Places]], Iterable[PricedTable]]
"""How tables are solved: ``map``, or something like it with several processes."""


class PlayedTables:
    """The main game: each table is solved, unless bounds say that its edge is another."""

    def __init__(
        self, box: TableBox, targets: Targets, known: Known, most: int, work: Work
    ) -> None:
        self.box, self.targets, self.known, self.most, self.work = box, targets, known, most, work
        self.odds = [[float(each) for each in row.odds] for row in box.rows]

    def span(self) -> Generator[Progress, None, tuple[Fraction, Fraction]]:
        """Return the lowest and the highest edge that the box may have."""
        ends = tuple(len(row.odds) - 1 for row in self.box.rows), (0,) * len(self.box.rows)
        yield from self._solve(ends)
        low, high = (self.known.solved[end].edge for end in ends)
        return low, high

    def priced(self, window: Window) -> Generator[Progress, None, list[tuple[Places, PricedTable]]]:
        """Return solved tables, among them all whose edge lies in the window."""
        every = np.concatenate([*self.box.points()])
        points = self.box.with_top(every, self.targets.window("top"))
        if window != (None, None) and not self.box.menu:
            points = yield from self._sifted(points, window)
        wanted = sorted(map(tuple, points.tolist()))
        yield from self._solve(wanted)
        found = [(point, self.known.solved[point]) for point in wanted]
        least, most = window
        return [
            (point, table)
            for point, table in found
            if (least is None or table.edge >= least) and (most is None or table.edge <= most)
        ]

    def _sifted(self, points: Ints, window: Window) -> Generator[Progress, None, Ints]:
        """Leave out tables whose edge cannot lie in the window, part by part of the box.

        A part whose corners would be as many as its tables is solved table by table.
        """
        least = -np.inf if window[1] is None else float(-window[1]) - SLACK
        most = np.inf if window[0] is None else float(-window[0]) + SLACK
        plays = [(yield from self._play(()))]
        kept, parts = [points[:0]], [points]
        while parts:
            part = parts.pop()
            paid = looked_up(self.odds, part)
            low = _below(plays, paid)
            part, paid = part[low <= most], paid[low <= most]
            if not len(part):
                continue
            first, last = part.min(axis=0), part.max(axis=0)
            corners = 1 << int((first < last).sum())
            if len(part) <= 2 * corners:
                kept.append(part)
                continue
            middle = tuple(((first + last) // 2).tolist())
            plays.append((yield from self._play(middle)))
            high = yield from self._above(first, last, paid)
            low = _below(plays, paid)
            may = (high >= least) & (low <= most)
            doubtful = may & ((low < least) | (high > most))
            part = part[may]
            if int(doubtful.sum()) <= corners:
                kept.append(part)
                continue
            at = self._widest(first, last, plays[-1])
            under = part[:, at] < (first[at] + last[at] + 1) // 2
            parts += [part[under], part[~under]]
        return np.concatenate(kept)

    def _widest(self, first: Ints, last: Ints, play: FixedPlay) -> int:
        """Return the row that moves the value most between its ends here."""
        moves = [
            (float(slope) + SLACK) * (row[end] - row[begin])
            for slope, row, begin, end in zip(play.slopes, self.odds, first, last, strict=True)
        ]
        return int(np.argmax(moves))

    def _above(
        self, first: Ints, last: Ints, paid: FloatArray
    ) -> Generator[Progress, None, FloatArray]:
        """Bound values from above: by those at the corners, each as near as it is."""
        free = np.nonzero(first < last)[0]
        ends = [[int(a)] if a == b else [int(a), int(b)] for a, b in zip(first, last, strict=True)]
        corners = [tuple(each) for each in product(*ends)]
        yield from self._solve(corners)
        values = np.array([float(self.known.solved[each].value) for each in corners])
        found = np.empty(len(paid))
        room = max(1, (1 << 22) // len(corners))
        for begin in range(0, len(paid), room):
            some = paid[begin : begin + room]
            weighed = np.broadcast_to(values, (len(some), len(values)))
            for at in free:
                low, high = self.odds[at][first[at]], self.odds[at][last[at]]
                share = ((some[:, at] - low) / (high - low))[:, None]
                half = weighed.shape[1] // 2
                weighed = weighed[:, :half] * (1 - share) + weighed[:, half:] * share
            found[begin : begin + room] = weighed[:, 0]
        return found

    def _solve(self, points: Iterable[Places]) -> Iterator[Progress]:
        """Solve what is not known yet; refuse what would be more than is allowed."""
        solved = self.known.solved
        wanted = [point for point in dict.fromkeys(points) if point not in solved]
        self._allow(len(wanted))
        for at, table in enumerate(self.work(Solver(self.box), wanted), start=1):
            solved[wanted[at - 1]] = table
            yield Progress(len(solved), len(wanted) - at)

    def _allow(self, more: int) -> None:
        """Refuse to solve so many more where that is too many."""
        many = len(self.known.solved) + more
        if many > self.most:
            raise Unreadable(
                f"{many:,} tables would have to be solved, and no more than {self.most:,} are:"
                " ask for less, or allow more"
            )

    def _play(self, point: Places) -> Generator[Progress, None, FixedPlay]:
        """Return what the strategy is worth that is best at a table; at the posted one for ()."""
        if point not in self.known.plays:
            self._allow(point != () and point not in self.known.solved)
            book = self.box.paying(self.box.odds(point)) if point else self.box.book
            solution = solve(book)
            if point:
                self.known.solved.setdefault(point, _priced(self.box, point, solution))
            self.known.plays[point] = _fixed(self.box, solution)
            yield Progress(len(self.known.solved), 0)
        return self.known.plays[point]

    def old_play(self) -> Generator[Progress, None, FixedPlay | None]:
        """Return what best play of the posted table is worth at others."""
        return None if self.box.menu else (yield from self._play(()))


class Solver(msgspec.Struct, frozen=True):
    """Solves one table of a box after the other: a value, so that a process can be given it."""

    box: TableBox

    def __call__(self, point: Places) -> PricedTable:
        return _priced(self.box, point, solve(self.box.paying(self.box.odds(point))))


def _priced(box: TableBox, point: Places, solution: Solution) -> PricedTable:
    told, rows = solution.statistics, box.rows_paying(box.odds(point))
    stakes: dict[int, int] = {}
    for each in solution.outcomes:
        if not each.event.startswith("fold-"):
            stakes[each.stake] = stakes.get(each.stake, 0) + each.deals
    return PricedTable(
        value=solution.value,
        average_wager=told.average_wager,
        variance=told.variance,
        hit=told.hit_frequency,
        top=max(Fraction(row.odds) for row in rows if row.odds is not None),
        folds=solution.folds,
        stakes={many: Fraction(stakes[many], solution.deals) for many in sorted(stakes)},
    )


def _fixed(box: TableBox, solution: Solution) -> FixedPlay:
    """Return what a strategy is worth as a line: priced where every free row pays a lot.

    There no row is paid as another, or not at all, whatever it pays in the box.
    """
    paid = [row.odds or Odds(0) for row in box.rows_paying(box.odds((-1,) * len(box.rows)))]
    high = Odds(1 + max(paid))

    def value(at: int | None) -> Fraction:
        several = [high + 1 if number == at else high for number in range(len(box.rows))]
        return same_play(solution, box.paying([Odds(each) for each in several])).value

    base = value(None)
    slopes = tuple(value(at) - base for at in range(len(box.rows)))
    return FixedPlay(base - high * sum(slopes), slopes)


def _below(plays: Sequence[FixedPlay], paid: FloatArray) -> FloatArray:
    """Bound values from below: by what the best of these strategies is worth."""
    found = np.full(len(paid), -np.inf)
    for play in plays:
        slopes = np.array([float(each) for each in play.slopes])
        found = np.maximum(found, float(play.base) + paid @ slopes)
    return found
