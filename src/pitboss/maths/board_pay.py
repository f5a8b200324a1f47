"""What each ending on a shared board nets, with all that may lie on the table then."""

from collections.abc import Sequence
from math import gcd, lcm

import msgspec
import numpy as np
from msgspec.structs import replace

from pitboss.hands import ranking
from pitboss.maths.dealer_games import net_cents
from pitboss.maths.hand_states import Ints, whole
from pitboss.maths.showdown_pay import ENDINGS, event, paid
from pitboss.rulebook.model import Rulebook

Wagers = tuple[tuple[str, int], ...]
"""The main wagers on the table and how many antes each is."""


class BoardPay(msgspec.Struct, frozen=True):
    """What each ending nets, in whole units."""

    units: int
    """How many of them an ante is."""
    nets: Ints
    """(final column, ending, strength)."""
    events: tuple[tuple[str, ...], ...]
    """(ending, strength): what it is called."""

    @property
    def simplest(self) -> "BoardPay":
        """The same in the largest units: at any ante, where nothing is rounded or capped."""
        many = gcd(self.units, int(np.gcd.reduce(self.nets, axis=None)))
        return replace(self, units=self.units // many, nets=self.nets // many)


def payoffs(
    book: Rulebook, finals: Sequence[Wagers], ante_cents: int | None, minimum_cents: int
) -> BoardPay:
    """Return what every ending nets; without an ante in units that leave no fractions."""
    main = [spot for spot in book.spot if spot.kind == "main"]
    tables = [book.tables[name] for spot in main for name in (spot.table, spot.bonus) if name]
    odds = [row.odds for table in tables for row in table.rows] + [spot.odds for spot in main]
    odds += [spot.unqualified.odds for spot in main if spot.unqualified is not None]
    units = ante_cents or lcm(*(each.denominator for each in odds if each is not None))
    # One hand of each set of rows is enough: wagers are paid by these alone.
    classes = ranking("five-card").classes
    alike = [tuple(table.row_for(hand.strength).row for table in tables) for hand in classes]
    like = {rows: strength for strength, rows in enumerate(alike, start=1)}

    def net(wagers: Wagers, ending: tuple[bool, int], strength: int) -> int:
        every = [
            each
            for name, many in wagers
            for each in paid(book, book.spots[name], many * units, ending, strength)
        ]
        if ante_cents is None:
            return sum(int(odds * stake) for _, _, odds, stake in every)
        return net_cents(book, every, minimum_cents)

    few = [
        [[net(wagers, ending, strength) for strength in like.values()] for ending in ENDINGS]
        for wagers in finals
    ]
    place = {rows: at for at, rows in enumerate(like)}
    kind = [place[rows] for rows in alike]
    return BoardPay(units, whole(few)[..., [kind[0], *kind]], _events(book))


def _events(book: Rulebook) -> tuple[tuple[str, ...], ...]:
    """Name every ending; wins by the row that pays them, where one does."""
    rule = book.qualifier
    assert rule is not None
    main = [book.tables[spot.table] for spot in book.spot if spot.kind == "main" and spot.table]
    rows = main[0].by_strength[1:] if main else ()
    wins = [row.row if row is not None and row.odds else "player-wins" for row in rows]
    named = [event(ending, rule.tie) for ending in ENDINGS]
    many = len(ranking("five-card").classes)
    return tuple(
        ("", *wins) if name == "player-wins" and wins else (name,) * (many + 1) for name in named
    )


def gains(nets: Ints, weakest: int) -> Ints:
    """(final column, 4, strength): what each hole of the dealer's adds, and each that is below, is
    level, and does not qualify."""
    low_win, low_tie, low_lose, win, tie, lose = np.moveaxis(nets, 1, 0)
    good = np.arange(nets.shape[2]) >= weakest
    strong = [lose, win - lose, tie - lose, low_win - win]
    weak = [lose, low_win - low_lose, low_tie - low_lose, low_lose - lose]
    return np.moveaxis(np.where(good, np.array(strong), np.array(weak)), 1, 0)
