"""What each ending of a showdown nets: every wager by its own rules, in whole units or cents.

An ending is whether the dealer's hand qualifies, and whether the player's is better, equal or
worse; what it pays depends besides on the player's hand alone, and on how much was raised.
"""

from collections.abc import Iterator
from math import lcm

import msgspec
import numpy as np

from pitboss.errors import Unsolved
from pitboss.hands import ranking
from pitboss.maths.dealer_games import Paid, net_cents
from pitboss.maths.hand_states import Ints, whole
from pitboss.money import Odds
from pitboss.rulebook.deal_script import DecideStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Spot

ENDINGS = tuple((qualified, better) for qualified in (False, True) for better in (1, 0, -1))
"""Whether the dealer's hand qualifies; 1 where the player's is better, 0 equal, -1 worse."""

_LOSE, _PUSH = Odds(-1), Odds(0)


class EndingNets(msgspec.Struct, frozen=True):
    """What each ending nets, in whole units."""

    units: int
    """How many of them an ante is."""
    opening: int
    """What lies on the table before the deal, in antes."""
    times: tuple[int, ...]
    """The multiples."""
    offered: tuple[int, ...]
    """The strength from which each of them is offered."""
    net: Ints
    """(multiple, ending, kind of hand)."""
    kind: Ints
    """(strength): of hands of a kind every table pays the same."""
    events: tuple[str, ...]
    """What each ending is called."""

    @property
    def fold(self) -> int:
        return -self.opening * self.units


def ending_nets(
    book: Rulebook, street: DecideStep, most_hands: int, ante_cents: int | None, minimum_cents: int
) -> EndingNets:
    """Work out every ending; its net is summed over at most so many of the dealer's hands."""
    spots = [spot for spot in book.spot if spot.kind == "main"]
    tables = [book.tables[name] for spot in spots for name in (spot.table, spot.bonus) if name]
    odds = [row.odds for table in tables for row in table.rows]
    odds += [spot.odds for spot in spots]
    odds += [spot.unqualified.odds for spot in spots if spot.unqualified is not None]
    units = ante_cents or lcm(*(each.denominator for each in odds if each is not None))
    rule = book.qualifier
    assert rule is not None
    alike = [
        tuple(table.row_for(hand.strength).row for table in tables)
        for hand in ranking(rule.ranking).classes
    ]
    first = {rows: at for at, rows in reversed(list(enumerate(alike, start=1)))}
    number = {rows: at for at, rows in enumerate(first)}
    multiples = [(many, 1) for many in street.times]
    for more in street.more:
        multiples += [(many, book.needed_for(more)) for many in more.times]

    def net(multiple: int, ending: tuple[bool, int], strength: int) -> int:
        wagers = [
            each
            for spot in spots
            for each in paid(
                book, spot, units * (multiple if spot.name == street.into else 1), ending, strength
            )
        ]
        if ante_cents is None:
            return sum(int(odds * stake) for _, _, odds, stake in wagers)
        return net_cents(book, wagers, minimum_cents)

    nets = [
        [[net(many, ending, strength) for strength in first.values()] for ending in ENDINGS]
        for many, _ in multiples
    ]
    found = whole(nets, 2 * len(ENDINGS) * most_hands)
    if found.dtype == object:
        raise Unsolved("stakes this large, or odds this fine, are not counted exactly", book.id)
    return EndingNets(
        units=units,
        opening=len(book.equal),
        times=tuple(many for many, _ in multiples),
        offered=tuple(least for _, least in multiples),
        net=found,
        kind=np.array([0, *(number[rows] for rows in alike)]),
        events=tuple(event(ending, rule.tie) for ending in ENDINGS),
    )


def event(ending: tuple[bool, int], tie: str) -> str:
    qualified, better = ending
    if not qualified:
        return "dealer-does-not-qualify"
    if better == 0 and tie != "win":
        return "tie"
    return "dealer-wins" if better < 0 else "player-wins"


def paid(
    book: Rulebook, spot: Spot, stake: int, ending: tuple[bool, int], strength: int
) -> Iterator[Paid]:
    """Yield how a wager is paid, and what stands beside it."""
    row, odds = _odds(book, spot, ending, strength)
    yield spot.name, row, odds, stake
    if spot.bonus:
        beside = book.tables[spot.bonus].row_for(strength)
        if beside.odds is not None and beside.odds > 0:
            yield spot.bonus, beside.row, beside.odds, stake


def _odds(book: Rulebook, spot: Spot, ending: tuple[bool, int], strength: int) -> tuple[str, Odds]:
    """Return the row that decides about a wager, where one does, and the odds."""
    rule, (qualified, better) = book.qualifier, ending
    assert rule is not None
    row = book.tables[spot.table].row_for(strength) if spot.table else None
    name, odds = ("", spot.odds) if row is None else (row.row, row.odds)
    assert odds is not None
    if spot.rows == "first" and odds > 0:
        return name, odds
    fate = None if qualified else spot.unqualified
    if fate is not None and fate.odds is not None:
        return "", fate.odds
    if fate is not None and fate.by == "table":
        return name, odds
    if better < 0:
        return "", _LOSE
    if better == 0 and rule.tie != "win":
        return "", _PUSH if rule.tie == "push" else _LOSE
    return name, max(odds, _PUSH)  # a hand that wins loses nothing, whatever its row says


def by_ending(counts: Ints, weakest: int, dealers: int) -> Ints:
    """(..., ending, strength): tell apart what was counted as (..., 4, strength).

    Counted are the player's ways to be there, and the dealer's hands met that are below, are level
    and do not qualify; every way meets so many of the dealer's.
    """
    ways, below, level, low = np.moveaxis(counts, -2, 0)
    none, every = np.zeros_like(ways), ways * dealers
    strong = [low, none, none, below - low, level, every - below - level]
    weak = [below, level, low - below - level, none, none, every - low]
    good = np.arange(counts.shape[-1]) >= weakest
    return np.moveaxis(np.where(good, np.array(strong), np.array(weak)), 0, -2)


def requalified(ends: Ints, low: Ints, weakest: int) -> Ints:
    """Tell the same ways apart by another qualifier, under which so many do not qualify."""
    better, level, worse = np.moveaxis(ends.reshape(-1, 2, 3, ends.shape[-1]).sum(axis=1), 1, 0)
    return by_ending(np.stack([better + level + worse, better, level, low], axis=1), weakest, 1)
