"""The pay tables among which a design is searched: rows that are free, and what each may pay.

A table keeps its order, a better hand never paying less, unless
somebody says otherwise; and where a house chooses from a regulator's menu, the box is that menu.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.lab.sign_odds import MOST_ODDS, neighbours
from pitboss.lab.targets import Window
from pitboss.maths.hand_states import Ints, whole
from pitboss.money import Odds
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable, Row, Spot
from pitboss.wording import listed

Places = tuple[int, ...]
"""One table of a box: for each free row the place of what it pays."""

MOST_ROWS = 12
"""So many rows are free at the most."""
BLOCK = 1 << 18


class FreeRow(msgspec.Struct, frozen=True):
    """A row, and what it may pay."""

    table: str
    row: str
    posted: Odds
    odds: tuple[Odds, ...]
    """Rising."""

    @property
    def name(self) -> str:
        return f"{self.table}.{self.row}"


class TableBox(msgspec.Struct, frozen=True):
    """Pay tables for one wager of a book: all that free rows can make of the posted ones."""

    book: Rulebook
    wager: str
    """The name of its spot; the main game goes by its ante."""
    rows: tuple[FreeRow, ...]
    """Table by table, best first."""
    any_order: bool = False
    """A better hand may pay less."""
    menu: dict[Places, str] = {}
    """Where only these are meant: what the menu calls them."""

    @property
    def is_main(self) -> bool:
        return self.book.spots[self.wager].kind == "main"

    @property
    def size(self) -> int:
        """How many tables there are."""
        if self.menu:
            return len(self.menu)
        above: FreeRow | None = None
        many = [1]  # by what the last row pays
        for row in self.rows:
            if above is None or not self._after(above, row):
                many = [sum(many)] * len(row.odds)
            else:
                before = list(zip(above.odds, many, strict=True))
                many = [sum(ways for paid, ways in before if paid >= odds) for odds in row.odds]
            above = row
        return sum(many)

    def _after(self, above: FreeRow, row: FreeRow) -> bool:
        """Whether a row may not pay more than the free row before it."""
        return not self.any_order and above.table == row.table

    def holds(self, point: Places) -> bool:
        """Whether a point is one of the tables: they keep their order."""
        if self.menu:
            return point in self.menu
        paid = self.odds(point)
        return all(
            paid[at] <= paid[at - 1] or not self._after(self.rows[at - 1], self.rows[at])
            for at in range(1, len(paid))
        )

    def odds(self, point: Places) -> tuple[Odds, ...]:
        return tuple(row.odds[at] for row, at in zip(self.rows, point, strict=True))

    def paying(self, paid: Sequence[Odds]) -> Rulebook:
        """Return the book with the free rows paying this."""
        wanted = {(row.table, row.row): each for row, each in zip(self.rows, paid, strict=True)}

        def changed(table: PayTable, row: Row) -> Row:
            return replace(row, odds=wanted.get((table.name, row.row), row.odds))

        tables = (
            replace(table, rows=tuple(changed(table, row) for row in table.rows))
            if any(row.table == table.name for row in self.rows)
            else table
            for table in self.book.table
        )
        return replace(self.book, table=tuple(tables), menu=())

    def rows_paying(self, paid: Sequence[Odds]) -> Iterator[Row]:
        """Yield all rows of the wager's tables as they pay then."""
        book = self.paying(paid)
        for name in wager_tables(book, book.spots[self.wager]):
            yield from book.tables[name].rows

    def with_top(self, points: Ints, window: Window) -> Ints:
        """Leave out tables whose highest odds do not lie there: that needs no price."""
        least, most = window
        lowest = [row.odds for row in self.rows_paying([Odds(-1)] * len(self.rows))]
        fixed = max((each for each in lowest if each is not None), default=Odds(-1))
        if most is not None:
            low = [[each <= most for each in row.odds] for row in self.rows]
            points = points[looked_up(low, points).all(axis=1) & (fixed <= most)]
        if least is not None and fixed < least:
            high = [[each >= least for each in row.odds] for row in self.rows]
            points = points[looked_up(high, points).any(axis=1)]
        return points

    def inversions(self, point: Places) -> list[tuple[str, str]]:
        """Return rows next to each other of which the better pays less."""
        rows = list(self.rows_paying(self.odds(point)))
        return [
            (better.row, worse.row)
            for better, worse in pairwise(rows)
            if better.hand != "any" and (better.odds or 0) < (worse.odds or 0)
        ]

    def points(
        self,
        worth: Sequence[Sequence[int]] | None = None,
        least: int | None = None,
        most: int | None = None,
    ) -> Iterator[Ints]:
        """Yield the tables in blocks, (table, row): all, or those whose rows are worth so much.

        ``worth`` says by row and place what a row adds; tables whose sum cannot come to lie from
        ``least`` to ``most`` are left out as soon as that is seen. Blocks may be empty: each stands
        for some work done.
        """
        if self.menu:
            yield np.array(list(self.menu), np.int64).reshape(len(self.menu), len(self.rows))
            return
        adds = [whole(list(each), len(self.rows) + 1) for each in worth or ()]
        # From the last row up: low rows are won often, and weigh most.
        yield from self._grown(np.zeros((1, 0), np.int64), np.zeros(1, np.int64), adds, least, most)

    def _grown(
        self, found: Ints, sums: Ints, adds: Sequence[Ints], least: int | None, most: int | None
    ) -> Iterator[Ints]:
        at = len(self.rows) - found.shape[1] - 1
        if at < 0:
            yield found
            return
        here = np.arange(len(self.rows[at].odds))
        below = self.rows[at + 1] if at + 1 < len(self.rows) else None
        room = max(1, BLOCK // len(here))
        for first in range(0, len(found), room):
            part, summed = found[first : first + room], sums[first : first + room]
            keep = np.ones((len(part), len(here)), np.bool_)
            if below is not None and self._after(self.rows[at], below):
                fits = [[more >= less for more in self.rows[at].odds] for less in below.odds]
                keep &= np.array(fits)[part[:, 0]]
            grown = summed
            if adds:
                total = summed[:, None] + adds[at]
                if least is not None:
                    keep &= total + sum(int(each.max()) for each in adds[:at]) >= least
                if most is not None:
                    keep &= total + sum(int(each.min()) for each in adds[:at]) <= most
                grown = total[keep]
            source, place = np.nonzero(keep)
            if not adds:
                grown = np.zeros(len(source), np.int64)
            more = np.concatenate([here[place][:, None], part[source]], axis=1)
            if at:
                yield np.zeros((0, len(self.rows)), np.int64)  # a sign of life
            if len(more):
                yield from self._grown(more, grown, adds, least, most)


def looked_up(by_row: Sequence[Sequence[float]], points: Ints) -> npt.NDArray[Any]:
    """Return (table, row): what is said of each row at its place."""
    if not by_row:
        return np.zeros((len(points), 0), np.bool_)
    return np.stack([np.array(each)[points[:, at]] for at, each in enumerate(by_row)], axis=1)


def box(
    book: Rulebook, free: Mapping[str, Sequence[Odds]], wager: str = "", *, any_order: bool = False
) -> TableBox:
    """Return the box in which these rows are free, by name, and all others pay as posted.

    A bare row is the main table's; no odds stand for those posted and the next on a sign. The name
    of a table frees all of its rows that pay.

    >>> from pitboss.rulebook import load
    >>> from pitboss.lab.sign_odds import free_row
    >>> rows = dict(map(free_row, ["flush=4..8", "straight"]))
    >>> found = box(load("common/mississippi-stud"), rows)
    >>> [(row.name, [str(each) for each in row.odds]) for row in found.rows][1]
    ('main.straight', ['3 to 1', '4 to 1', '5 to 1'])
    >>> found.size
    14
    """
    spot = _spot(book, wager)
    tables = wager_tables(book, spot)
    if not tables:
        raise Unreadable(f"no pay table settles {spot.name} of {book.id}")
    if not free:
        raise Unreadable(f"free a row: {tables[0]}, or {tables[0]}.ROW=4..8", "--free")
    wanted: dict[tuple[str, str], tuple[Odds, ...]] = {}
    for name, several in free.items():
        table, rows = _rows(book, tables, name)
        for row in rows:
            assert row.odds is not None
            values = tuple(several) or neighbours(row.odds)
            _may_pay(book, spot, table, row, values, any_order=any_order)
            wanted[table.name, row.row] = tuple(sorted(set(values)))
    found: list[FreeRow] = []
    for name in tables:
        table = book.tables[name]
        for at, row in enumerate(table.rows):
            values = wanted.get((name, row.row), ())
            if not values:
                continue
            assert row.odds is not None
            if not any_order:
                values = _in_order(table, at, values, wanted)
            found.append(FreeRow(name, row.row, row.odds, values))
    if len(found) > MOST_ROWS:
        raise Unreadable(f"{len(found)} rows are free; search over {MOST_ROWS} at the most")
    return TableBox(book, spot.name, tuple(found), any_order)


def menu_box(book: Rulebook, wager: str = "") -> TableBox:
    """Return the box of all that a wager's menus offer."""
    spot = _spot(book, wager)
    menus = [menu for menu in book.menu if menu.table in wager_tables(book, spot)]
    if not menus:
        known = listed(each.table for each in book.menu) or "no table"
        raise Unreadable(f"{spot.name} has no menu; there is one for {known}", "--menu")
    named: dict[str, dict[tuple[str, str], Odds]] = {}
    for options in product(*(menu.options for menu in menus)):
        named[" ".join(each.name for each in options)] = {
            (menu.table, row.row): option.pays.get(row.row, Odds(-1))
            for menu, option in zip(menus, options, strict=True)
            for row in book.tables[menu.table].rows
        }
    rows = tuple(
        FreeRow(
            table,
            row.row,
            row.odds,
            tuple(sorted({each[table, row.row] for each in named.values()})),
        )
        for table in dict.fromkeys(menu.table for menu in menus)
        for row in book.tables[table].rows
        if row.odds is not None and len({each[table, row.row] for each in named.values()}) > 1
    )
    points = {
        tuple(row.odds.index(pays[row.table, row.row]) for row in rows): name
        for name, pays in reversed(named.items())
    }
    return TableBox(book, spot.name, rows, any_order=True, menu=dict(sorted(points.items())))


def wager_tables(book: Rulebook, spot: Spot) -> list[str]:
    """Return the tables that settle a wager; of the main game also those beside its wagers."""
    spots = [each for each in book.spot if each.kind == "main"] if spot.kind == "main" else [spot]
    named = (name for each in spots for name in (each.table, each.bonus) if name)
    return list(dict.fromkeys(named))


def _spot(book: Rulebook, wager: str) -> Spot:
    if not wager:
        return book.ante
    spot = book.spots.get(wager)
    if spot is None or spot.kind != "side":
        sides = listed((each.name for each in book.spot if each.kind == "side"), "or")
        none = f"there are {sides}" if sides else "this book has none"
        raise Unreadable(f"{wager[:40]!r} is no side wager; {none}", "--wager")
    return spot


def _rows(book: Rulebook, tables: Sequence[str], name: str) -> tuple[PayTable, list[Row]]:
    """Return the table and the rows that a name stands for."""
    where, dot, row = name.partition(".")
    if not dot and where not in tables:
        where, row = tables[0], name
    if where not in tables:
        raise Unreadable(f"no table {where[:40]!r}; this wager has {', '.join(tables)}", "--free")
    table = book.tables[where]
    if not row:
        return table, [each for each in table.rows if each.odds is not None and each.odds > 0]
    found = [each for each in table.rows if each.row == row and each.odds is not None]
    if not found:
        known = ", ".join(each.row for each in table.rows if each.odds is not None)
        raise Unreadable(f"no row {row[:40]!r}; {where} has {known}", "--free")
    return table, found


def _may_pay(
    book: Rulebook,
    spot: Spot,
    table: PayTable,
    row: Row,
    values: Sequence[Odds],
    *,
    any_order: bool,
) -> None:
    """Refuse odds that would change more than what this row's hands are paid.

    Of two rows that the same hands make the larger pays: beside the game that stays the one further
    up the sign, as long as rows keep their order.
    """
    place = f"--free {table.name}.{row.row}"
    if len(values) > MOST_ODDS:
        raise Unreadable(f"{len(values)} odds for a row; {MOST_ODDS} at the most", place)
    alone = spot.kind == "side" or book.qualifier is None
    if not alone and min(values) <= 0:
        raise Unreadable("against a dealer a free row pays something: odds above a push", place)
    rest = [each for each in table.rows if each.hand == "any" and each is not row]
    if row.hand == "any":
        raise Unreadable("what all other hands get is not free: it is no row of its own", place)
    if any(each.odds is not None and min(values) < each.odds for each in rest):
        raise Unreadable(f"it pays no less than {rest[0].row}, which is for any hand", place)
    keeps = spot.kind == "side" and not any_order
    for hand, pays in zip(table.order.looks[0], table.by_look, strict=True):
        alike = [each for each in table.rows if each.hand != "any" and each.fits(hand)]
        if row in alike and len(alike) > 1 and not (keeps and pays == alike[:1]):
            other = next(each.row for each in alike if each is not row)
            why = f"some hands make {other}, too, and the larger of both pays"
            raise Unreadable(why + ": keep their order" * (spot.kind == "side"), place)


def _in_order(
    table: PayTable,
    at: int,
    values: Sequence[Odds],
    wanted: Mapping[tuple[str, str], Sequence[Odds]],
) -> tuple[Odds, ...]:
    """Return the odds that lie between those of the fixed rows above and below."""

    def fixed(rows: Sequence[Row]) -> list[Odds]:
        return [
            each.odds
            for each in rows
            if each.odds is not None and (table.name, each.row) not in wanted
        ]

    most, least = (
        min(fixed(table.rows[:at]), default=None),
        max(fixed(table.rows[at + 1 :]), default=None),
    )
    found = tuple(
        each
        for each in values
        if (most is None or each <= most) and (least is None or each >= least)
    )
    if not found:
        fits = f"{least} up to {most}" if most is not None else f"{least} and more"
        why = f"a better hand never pays less, so it pays {fits}, or any order is allowed"
        raise Unreadable(why, f"--free {table.name}.{table.rows[at].row}")
    return found
