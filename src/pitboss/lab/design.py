"""Design: every pay table of a box that comes to what is asked for, each priced exactly.

Bounds rule tables out that cannot fit (``played_tables``), or counting does (``counted_tables``);
whatever is told of a table was worked out for that table.
"""

from collections.abc import Generator
from fractions import Fraction

import msgspec

from pitboss.errors import Unreadable
from pitboss.lab.counted_tables import CountedTables
from pitboss.lab.played_tables import FixedPlay, Known, PlayedTables, Work
from pitboss.lab.table_box import Places, TableBox
from pitboss.lab.targets import PricedTable, Progress, Targets, Window
from pitboss.maths.families import takes_long
from pitboss.money import Odds

MOST_SOLVED = 5_000
MOST_SOLVED_SLOWLY = 40
"""So many tables are solved if nobody allows more; the second where one takes half a minute."""

MOST_TABLES = 1_000_000
"""No box of the main game has more tables."""


class DesignedTable(msgspec.Struct, frozen=True):
    """A table that fits."""

    point: Places
    odds: dict[str, Odds]
    """What each free row pays."""
    priced: PricedTable
    distance: Fraction
    """How far it is from the targets."""
    option: str = ""
    """What the menu calls it."""
    posted: bool = False
    """It is the posted one."""
    old_play_costs: Fraction | None = None
    """What it costs to play on as was best at the posted table; 0 where that is best here, too."""
    inversions: tuple[tuple[str, str], ...] = ()
    """Rows of which the better pays less."""


class Design(msgspec.Struct, frozen=True):
    """What a search has found."""

    box: TableBox
    targets: Targets
    tables: int
    """How many are in the box."""
    solved: int
    """How many of them were worked out one by one; the others were ruled out."""
    besides: int
    """Tables out of order that were solved too, for bounds alone."""
    fitting: int
    """How many fit; where only the nearest are wanted, of those that were looked at."""
    found: tuple[DesignedTable, ...]
    """Nearest to the targets first, or with the lowest edge."""

    @property
    def ruled_out(self) -> int:
        return self.tables - self.solved


def search(box: TableBox, targets: Targets, most: int | None = None) -> Design:
    """Search to the end.

    >>> from pitboss.lab.sign_odds import free_row
    >>> from pitboss.lab.table_box import box
    >>> from pitboss.lab.targets import asked
    >>> from pitboss.rulebook import load
    >>> rows = ["full-house=9..11", "flush=5..7", "straight=4,5"]
    >>> around = box(load("common/mississippi-stud"), dict(map(free_row, rows)))
    >>> design = search(around, asked(targets=["edge=4%"], nearest=2))
    >>> design.tables, [f"{float(each.priced.edge):.4%}" for each in design.found]
    (18, ['4.0625%', '3.9200%'])
    >>> {name: str(odds) for name, odds in design.found[0].odds.items()}
    {'main.full-house': '10 to 1', 'main.flush': '7 to 1', 'main.straight': '4 to 1'}
    """
    going = steps(box, targets, Known(), most)
    while True:
        try:
            next(going)
        except StopIteration as end:
            design: Design = end.value
            return design


def steps(
    box: TableBox, targets: Targets, known: Known, most: int | None = None, work: Work = map
) -> Generator[Progress, None, Design]:
    """Search step by step: what is worked out is put into ``known``, and the end is the design.

    Whoever stops early closes this. Begun again with what was known then, it solves nothing twice
    and ends as it would have.
    """
    if not box.is_main:
        return (yield from _steps(box, targets, CountedTables(box, targets), known))
    if box.size > MOST_TABLES:
        many = f"{box.size:,} tables are in this box, and {MOST_TABLES:,} are the most"
        raise Unreadable(f"{many}: free fewer rows, or fewer odds")
    if most is None:
        most = MOST_SOLVED_SLOWLY if takes_long(box.book) else MOST_SOLVED
    return (yield from _steps(box, targets, PlayedTables(box, targets, known, most, work), known))


def _steps(
    box: TableBox, targets: Targets, wager: CountedTables | PlayedTables, known: Known
) -> Generator[Progress, None, Design]:
    """Take all tables whose edge may be as asked; for the nearest, those around the target first.

    While some of the nearest are farther than was looked, there may be nearer ones outside.
    """
    aim = next((each for each in targets.targets if each.figure == "edge"), None)
    reach = farthest = Fraction(0)
    if targets.nearest and aim is not None and box.size > 2 * targets.nearest:
        lowest, highest = yield from wager.span()
        farthest = max(abs(lowest - aim.at), abs(highest - aim.at))
        reach = (highest - lowest) * targets.nearest / box.size
    while True:
        whole = aim is None or reach >= farthest
        window = targets.window("edge")
        if aim is not None and not whole:
            window = _both(window, (aim.at - reach, aim.at + reach))
        priced = yield from wager.priced(window)
        fitting = [(point, table) for point, table in priced if targets.fits(table)]
        ranked = sorted(fitting, key=lambda each: _rank(box, targets, *each))[: targets.nearest]
        if aim is None or whole:
            break
        enough = len(ranked) == targets.nearest
        if enough and targets.distance(ranked[-1][1]) <= reach * targets.weight(aim):
            break
        reach *= 4
    old = yield from wager.old_play()
    in_box = sum(map(box.holds, known.solved)) if box.is_main else len(priced)
    return Design(
        box=box,
        targets=targets,
        tables=box.size,
        solved=in_box,
        besides=len(known.solved) - in_box if box.is_main else 0,
        fitting=len(fitting),
        found=tuple(_told(box, targets, point, table, old) for point, table in ranked),
    )


def _both(one: Window, other: Window) -> Window:
    """Return where two windows are open."""
    least, most = zip(one, other, strict=True)
    return (
        max((each for each in least if each is not None), default=None),
        min((each for each in most if each is not None), default=None),
    )


def _rank(
    box: TableBox, targets: Targets, point: Places, table: PricedTable
) -> tuple[Fraction, int, Places]:
    """Order tables by distance, or by edge; of equals, those come first that change fewer rows."""
    changed = sum(row.posted != odds for row, odds in zip(box.rows, box.odds(point), strict=True))
    return targets.distance(table) if targets.targets else table.edge, changed, point


def _told(
    box: TableBox, targets: Targets, point: Places, table: PricedTable, old: FixedPlay | None
) -> DesignedTable:
    paid = box.odds(point)
    return DesignedTable(
        point=point,
        odds={row.name: odds for row, odds in zip(box.rows, paid, strict=True)},
        priced=table,
        distance=targets.distance(table),
        option=box.menu.get(point, ""),
        posted=all(row.posted == odds for row, odds in zip(box.rows, paid, strict=True)),
        old_play_costs=None if old is None else table.value - old.value(paid),
        inversions=tuple(box.inversions(point)),
    )
