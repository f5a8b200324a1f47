"""What single differences between two rulebooks are worth to the player, exactly."""

import re
from collections.abc import Iterable
from fractions import Fraction

import msgspec

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.rulebook import Rulebook
from pitboss.rulebook.change import with_pays
from pitboss.rulebook.compare import Difference

_ODDS = re.compile(r"table\.([^.]+)\.rows\.([^.]+)\.odds")


class Price(msgspec.Struct, frozen=True):
    """What the player gains if the first book alone took the second's odds for a row."""

    value: Fraction
    of: str
    """What it is a part of: the ante, or the side wager."""


def prices(
    ours: Rulebook, theirs: Rulebook, found: Iterable[Difference]
) -> dict[str, Price | None]:
    """Price each difference by its path; None for what cannot be priced on its own."""
    base: dict[str, Fraction | None] = {}
    return {each.path: _price(ours, theirs, each, base) for each in found}


def _price(
    ours: Rulebook, theirs: Rulebook, each: Difference, base: dict[str, Fraction | None]
) -> Price | None:
    path = _ODDS.fullmatch(each.path)
    if path is None or each.ours is None or each.theirs is None:
        return None
    table, name = path[1], path[2]
    odds = next(row.odds for row in theirs.tables[table].rows if row.row == name)
    assert odds is not None
    try:
        changed = with_pays(ours, {f"{table}.{name}": odds})
    except Unreadable:
        return None  # no table could run on the first book with this row alone changed
    if table not in base:
        base[table] = _value(ours, table)
    before, after = base[table], _value(changed, table)
    if before is None or after is None:
        return None
    return Price(after - before, _wager(ours, table))


def _value(book: Rulebook, table: str) -> Fraction | None:
    """Return the player's value of the wager that a table settles, if it can be worked out."""
    kinds = {spot.kind: spot for spot in book.spot if spot.table == table}
    try:
        if "main" in kinds:
            return maths.solve(book).value
        return maths.price(book, kinds["side"]).value if "side" in kinds else None
    except Unreadable:
        return None


def _wager(book: Rulebook, table: str) -> str:
    main = any(spot.table == table and spot.kind == "main" for spot in book.spot)
    return "the ante" if main else "the wager"
