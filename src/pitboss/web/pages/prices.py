"""The price of a game, from ``maths.price``, in figures that a page shows: as text, and exactly."""

from collections.abc import Callable
from fractions import Fraction
from typing import ParamSpec, TypeVar

import msgspec

from pitboss import maths
from pitboss.errors import Unsolved
from pitboss.maths import Solution
from pitboss.maths.price import USUAL_ANTE_CENTS, house_edge, per_hour
from pitboss.money import text
from pitboss.rulebook import Rulebook
from pitboss.rulebook.once import once
from pitboss.rulebook.paytable import Spot

P = ParamSpec("P")
T = TypeVar("T")


def _known(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T | None:
    """Work something out; None where that is not solved yet."""
    try:
        return work(*given, **named)
    except Unsolved:
        return None


_AT_HAND: set[str] = set()


def at_hand(book: Rulebook) -> bool:
    """Whether a page may wait for a game to be solved: it takes a second, or was done before."""
    if book.sha256 not in _AT_HAND and maths.at_hand(book):
        _AT_HAND.add(book.sha256)
    return book.sha256 in _AT_HAND


def solved(book: Rulebook) -> Solution | None:
    """Return the exact solution, caps left out; None for a game that is not solved yet."""
    return _solved(book) if at_hand(book) else None


def has_bots(book: Rulebook) -> bool:
    """Whether bots can play a game: what takes long to solve they play by a simple strategy."""
    return not at_hand(book) or solved(book) is not None


@once
def _solved(book: Rulebook) -> Solution | None:
    return _known(maths.solve, book)


class Figure(msgspec.Struct, frozen=True):
    """A number as it is shown, and exactly."""

    text: str
    exact: Fraction


class SidePrice(msgspec.Struct, frozen=True):
    """What a side wager costs."""

    spot: str
    title: str
    edge: Figure | None
    """Of what is wagered; None where it depends on how the hand is played, or is not counted."""


class ProgressivePrice(msgspec.Struct, frozen=True):
    """What a token costs, for a player who never folds a hand that wins something."""

    spot: str
    title: str
    meter_cents: int
    """What the house puts on the meter to begin with."""
    edge: Figure
    """Of a token, at that meter."""
    break_even_cents: int
    """The meter at which a token is worth its price."""


class Price(msgspec.Struct, frozen=True):
    """What a game costs whoever plays it as well as it can be played, alone and for the usual ante:
    a ceiling that bites there is in it."""

    edge: Figure
    """The house's, of the ante."""
    risk: Figure
    """The element of risk: the same, of all that is wagered on the game."""
    deviation: Figure
    """The standard deviation of a round, in antes; what is exact is its square."""
    hour: Figure
    """The house's win in an hour, as money; exactly, in cents."""
    hour_hands: int
    hour_ante_cents: int
    """The hands of that hour, and the ante on each."""
    sides: tuple[SidePrice, ...]
    progressive: ProgressivePrice | None


def price(book: Rulebook) -> Price | None:
    """Price a game and its side wagers; None for a game that is not solved yet."""
    return _price(book) if at_hand(book) else None


@once
def _price(book: Rulebook) -> Price | None:
    solution = _known(maths.solve, book, USUAL_ANTE_CENTS) if book.cap else solved(book)
    if solution is None:
        return None
    figures, hour = solution.statistics, per_hour(solution, ante_cents=USUAL_ANTE_CENTS)
    return Price(
        edge=_percent(-figures.value),
        risk=_percent(figures.element_of_risk),
        deviation=Figure(f"{figures.standard_deviation:.2f}", figures.variance),
        hour=Figure(text(hour.win_cents, book.currency), hour.win),
        hour_hands=hour.hands,
        hour_ante_cents=hour.ante_cents,
        sides=tuple(_side(book, spot) for spot in book.spot if spot.kind == "side"),
        progressive=_progressive(book),
    )


def _percent(part: Fraction) -> Figure:
    """Write a part of the whole in percent with two decimals, rounded from the exact value."""
    return Figure(f"{text(round(part * 100_00))}%", part)


def _side(book: Rulebook, spot: Spot) -> SidePrice:
    edge = _known(house_edge, book, spot.name)
    return SidePrice(spot.name, spot.title, None if edge is None else _percent(edge))


def _progressive(book: Rulebook) -> ProgressivePrice | None:
    rule, found = book.progressive, _known(maths.jackpot, book)
    if rule is None or found is None:
        return None
    spot, meter = book.spots[rule.spot], int(rule.reseed)
    edge = _percent(1 - found.at(meter))
    return ProgressivePrice(spot.name, spot.title, meter, edge, found.break_even_cents)
