"""A rulebook with other pay-table odds: what if a row paid something else?"""

from collections.abc import Mapping

from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.money import Odds
from pitboss.rulebook.check import errors
from pitboss.rulebook.model import Rulebook


def with_pays(book: Rulebook, pays: Mapping[str, Odds]) -> Rulebook:
    """Return the book with these rows paying these odds, if a table can still run on it.

    A bare row is the main table's; ``lo-ball.seven-high`` is a side wager's.
    """
    if not pays:
        return book
    main = next(spot.table for spot in book.spot if spot.kind == "main" and spot.table)
    wanted = {tuple(name.split(".", 1)) if "." in name else (main, name): name for name in pays}
    metered = {spot.table for spot in book.spot if spot.kind == "progressive"}
    tables = []
    for table in book.table:
        rows = []
        for row in table.rows:
            name = wanted.pop((table.name, row.row), None)
            if name is not None and table.name in metered:
                raise Unreadable(f"{name!r} is a progressive's: it pays awards, not odds", "--pay")
            rows.append(row if name is None else replace(row, odds=pays[name]))
        tables.append(replace(table, rows=tuple(rows)))
    for name in wanted.values():
        rows_of = ", ".join(
            row.row for table in book.table if table.name == main for row in table.rows
        )
        raise Unreadable(f"no row {name!r}; the main table has {rows_of}", "--pay")
    changed = replace(book, table=tuple(tables))
    for finding in errors(changed):
        raise Unreadable(finding.message, "--pay")
    return changed
