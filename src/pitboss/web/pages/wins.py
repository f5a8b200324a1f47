"""A large win as it is told at the table: the hand, what it pays, how rare it is, its cap."""

from fractions import Fraction

import msgspec

from pitboss.errors import Unsolved
from pitboss.house.replay import Replay
from pitboss.maths.side_wagers import rows_counted
from pitboss.round.state import TOKE
from pitboss.rulebook import Rulebook
from pitboss.rulebook.paytable import Row
from pitboss.settle import Line
from pitboss.settle.caps import CAPS
from pitboss.wording import capital

LARGE, HUGE = 5, 50
"""Times the stake; what pays less is not told beyond its figure."""


class Win(msgspec.Struct, frozen=True):
    """The best win of a seat in a round."""

    huge: bool
    wager: str
    """The one that won it, if it is none of the game's own."""
    hand: str
    pays: str
    rare: str
    """How often the hand comes, of a huge one whose cards can be counted."""
    capped: str
    """Which payout cap it met."""
    won_cents: int
    """By the wagers that this hand won at these odds; the round as a whole may have lost."""


def best(lines: tuple[Line, ...]) -> Line | None:
    """Return the line that pays most for its stake."""
    won = [line for line in lines if line.outcome == "win" and line.spot != TOKE]
    return max(won, key=_rate, default=None)


def _rate(line: Line) -> Fraction:
    """Return what a line pays to one; a bonus has odds and no stake."""
    stake = line.stake_cents
    return Fraction(line.nominal_cents, stake) if stake else line.odds or Fraction(0)


def row_of(book: Rulebook, line: Line) -> Row | None:
    """Return the row of a pay table that a line was paid by."""
    table = book.wager_table(line.spot)
    rows = table.rows if table is not None else ()
    return next((row for row in rows if row.row == line.row), None)


def capped(book: Rulebook, line: Line) -> str:
    """Say which payout cap a line met; empty, if none."""
    met = (why.facts["cap_cents"] for why in line.reasons if why.code in CAPS)
    return next((f"payout cap {book.money(cents)}" for cents in met), "")


def told_win(found: Replay) -> Win | None:
    """Return the win to tell of a round; None where there is none that is large."""
    book, receipt = found.book, found.receipt
    line = best(receipt.paid.lines) if receipt is not None else None
    if receipt is None or line is None or _rate(line) < LARGE:
        return None
    row, huge = row_of(book, line), _rate(line) >= HUGE
    return Win(
        huge=huge,
        wager=side_wager(book, line),
        hand=row.label if row is not None else capital(receipt.paid.hand),
        pays=book.pays(row) if row is not None else str(line.odds or ""),
        rare=_rare(book, line) if huge else "",
        capped=capped(book, line),
        won_cents=won_alike(book, receipt.paid.lines, line),
    )


def side_wager(book: Rulebook, line: Line) -> str:
    """Return the title of a wager that is none of the game's own; empty, if it is one."""
    return "" if book.is_main(line.spot) else book.wager_name(line.spot)


def won_alike(book: Rulebook, lines: tuple[Line, ...], line: Line) -> int:
    """Return what all wagers won that were paid by the same row of the same table."""

    def paid_by(each: Line) -> tuple[str, str]:
        table = book.wager_table(each.spot)
        return table.name if table is not None else "", each.row

    won = [each for each in lines if each.outcome == "win" and each.spot != TOKE]
    return sum(each.won_cents for each in won if paid_by(each) == paid_by(line))


def _rare(book: Rulebook, line: Line) -> str:
    """Say how often so many cards make the hand of a row."""
    table = book.wager_table(line.spot)
    try:
        ways, deals = rows_counted(book, table) if table is not None else ({}, 0)
    except Unsolved:
        return ""
    if not ways.get(line.row):
        return ""
    once = Fraction(deals, ways[line.row])
    return f"{'' if once.denominator == 1 else 'about '}1 in {round(once):,} deals"
