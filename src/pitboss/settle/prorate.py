"""A ceiling shared pro rata over wins that somebody names: `pitboss prorate`, and a page."""

from collections.abc import Iterable

import msgspec

from pitboss.errors import Unreadable
from pitboss.money import Odds, cents, divide, odds


class SharedWin(msgspec.Struct, frozen=True):
    """A win, and what is left of it."""

    nominal_cents: int
    """What the pay table says."""
    odds: Odds
    counted: bool
    """It was paid at more than the odds from which on wins are capped."""
    won_cents: int


def prorated(
    cap: int, wins: Iterable[tuple[int, Odds]], over: Odds | None, unit: int = 1
) -> tuple[SharedWin, ...]:
    """Share a ceiling by largest remainder, in whole units; without odds every win counts.

    >>> wins = [(150, Odds(99)), (50, Odds(99)), (7, Odds(1))]
    >>> [each.won_cents for each in prorated(100, wins, Odds(50))]
    [75, 25, 7]
    """
    counted = [(win, at, over is None or at > over) for win, at in wins]
    shares = iter(divide(cap, [win for win, _, counts in counted if counts], unit))
    return tuple(
        SharedWin(win, at, counts, next(shares) if counts else win) for win, at, counts in counted
    )


def read_odds(written: str) -> Odds:
    """Read odds to one: ``500``, or as they are written elsewhere, such as ``3:2``."""
    return odds(f"{written}:1" if written.strip().isdecimal() else written)


def read_win(written: str) -> tuple[int, Odds]:
    """Read a win with the odds that it was paid at.

    >>> worth, at = read_win("20000@500")
    >>> print(worth, at)
    2000000 500 to 1
    """
    worth, at, paid_at = written.partition("@")
    if not at:
        raise Unreadable(f"{written[:20]!r} is not WIN@ODDS, such as 20000@500")
    return int(cents(worth)), read_odds(paid_at)
