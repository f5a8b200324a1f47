"""What a pay table should come to: bounds that it keeps, targets that it comes near to.

Five figures are asked for: the house's ``edge``, how often the player is ahead (``hit``), the
highest odds paid (``top``), the standard ``deviation`` in antes, and the element of ``risk``. All
are compared exactly, a deviation by its square.
"""

import math
import re
from collections.abc import Iterable
from fractions import Fraction

import msgspec

from pitboss.errors import Unreadable

FIGURES = ("edge", "hit", "top", "deviation", "risk")
"""What may be asked of a table."""

Window = tuple[Fraction | None, Fraction | None]
"""What a figure is at least and at most; None where nothing is said."""

NEAREST = 20
MOST_NEAREST = 1000
_NUMBER = re.compile(r"(-?)(\d{1,30})(?:\.(\d{1,12}))?(?:/(\d{1,30}))?(%?)", re.ASCII)


class PricedTable(msgspec.Struct, frozen=True):
    """A wager with one pay table, worked out exactly: in antes, or in units of a side wager."""

    value: Fraction
    """The player's."""
    average_wager: Fraction
    variance: Fraction
    hit: Fraction
    """How often the player ends ahead."""
    top: Fraction
    """The highest odds that are paid."""
    folds: tuple[Fraction, ...] = ()
    """How often best play folds, at each decision."""
    stakes: dict[int, Fraction] = {}
    """How often so many antes are on the table at the end, unfolded."""

    @property
    def edge(self) -> Fraction:
        return -self.value

    @property
    def risk(self) -> Fraction:
        """The element of risk: the edge of all that is wagered."""
        return -self.value / self.average_wager

    @property
    def deviation(self) -> float:
        return math.sqrt(self.variance)


class Progress(msgspec.Struct, frozen=True):
    """How far a search is."""

    solved: int
    ahead: int
    """How many it means to solve next, as far as it sees."""


class Bound(msgspec.Struct, frozen=True):
    """What a figure must lie in, ends included."""

    figure: str
    least: Fraction | None = None
    most: Fraction | None = None

    def holds(self, table: PricedTable) -> bool:
        squared = self.figure == "deviation"
        told = table.variance if squared else getattr(table, self.figure)
        least, most = (
            each**2 if squared and each is not None else each for each in (self.least, self.most)
        )
        return (least is None or told >= least) and (most is None or told <= most)


class Target(msgspec.Struct, frozen=True):
    """What a figure should be near to."""

    figure: str
    at: Fraction

    def distance(self, table: PricedTable) -> Fraction:
        return abs(Fraction(getattr(table, self.figure)) - self.at)


class Targets(msgspec.Struct, frozen=True):
    """All that is asked of a table. Bounds say what fits; targets say in which order."""

    bounds: tuple[Bound, ...] = ()
    targets: tuple[Target, ...] = ()
    nearest: int | None = None
    """Only so many, the nearest to the targets; None for all that fit."""

    def fits(self, table: PricedTable) -> bool:
        return all(bound.holds(table) for bound in self.bounds)

    def distance(self, table: PricedTable) -> Fraction:
        """Return how far a table is from its target; of several targets, in parts of each."""
        return sum((self.weight(each) * each.distance(table) for each in self.targets), Fraction(0))

    def weight(self, target: Target) -> Fraction:
        return Fraction(1) if len(self.targets) == 1 else 1 / abs(target.at)

    def window(self, figure: str) -> Window:
        """Return what the bounds let a figure be."""
        bounds = [bound for bound in self.bounds if bound.figure == figure]
        least = [bound.least for bound in bounds if bound.least is not None]
        most = [bound.most for bound in bounds if bound.most is not None]
        return max(least, default=None), min(most, default=None)


def asked(
    bounds: Iterable[str] = (), targets: Iterable[str] = (), nearest: int | None = None
) -> Targets:
    """Read what is asked of a table, as the command line writes it.

    Where there are targets and no bounds, the twenty nearest are meant if nobody says how many.

    >>> asked(["edge=4%..5%", "hit=20%.."]).window("edge")
    (Fraction(1, 25), Fraction(1, 20))
    >>> asked(["edge=5%+-0.5%"]).bounds[0].most
    Fraction(11, 200)
    """
    limits, aims = tuple(map(_bound, bounds)), tuple(map(_target, targets))
    if not limits and not aims:
        raise Unreadable("ask for something: --target edge=5%, or --bound edge=4%..6%")
    if nearest is not None and not aims:
        raise Unreadable("the nearest to what? Give --target", "--nearest")
    if nearest is not None and not 1 <= nearest <= MOST_NEAREST:
        raise Unreadable(f"1 to {MOST_NEAREST:,} tables, not {nearest}", "--nearest")
    if len({each.figure for each in aims}) < len(aims):
        raise Unreadable("a figure has one target", "--target")
    if len(aims) > 1 and not all(each.at for each in aims):
        raise Unreadable("a target of nothing stands alone: parts of it are not compared")
    return Targets(limits, aims, NEAREST if nearest is None and not limits else nearest)


def _target(written: str) -> Target:
    figure, at = _split(written, "--target", "edge=5%")
    return Target(figure, _number(at, f"--target {figure}"))


def _bound(written: str) -> Bound:
    figure, said = _split(written, "--bound", "edge=4%..6%, hit=20%.. or edge=5%+-0.1%")
    place = f"--bound {figure}"
    around, sign, by = said.replace("±", "+-").partition("+-")
    if sign:
        middle, reach = _number(around, place), _number(by, place)
        least, most = middle - reach, middle + reach
        return Bound(figure, least, most)
    low, dots, high = said.partition("..")
    if not dots or not (low or high):
        raise Unreadable(f"{said[:40]!r} is no range such as 4%..6%, 4%.. or 5%+-0.1%", place)
    bound = Bound(
        figure, _number(low, place) if low else None, _number(high, place) if high else None
    )
    if bound.least is not None and bound.most is not None and bound.least > bound.most:
        raise Unreadable(f"nothing lies from {low} up to {high}", place)
    return bound


def _split(written: str, option: str, such: str) -> tuple[str, str]:
    figure, equals, said = (each.strip() for each in written.partition("="))
    if not equals:
        raise Unreadable(f"{written[:40]!r} is not FIGURE=..., such as {such}", option)
    if figure not in FIGURES:
        raise Unreadable(f"no figure {figure[:20]!r}; there are {', '.join(FIGURES)}", option)
    return figure, said


def _number(written: str, place: str) -> Fraction:
    found = _NUMBER.fullmatch(written.strip())
    if found is None or found[4] == "0" * len(found[4] or "-"):
        raise Unreadable(f"{written[:20]!r} is no number such as 5%, 0.05 or 1/20", place)
    minus, whole, part, under, percent = found.groups(default="")
    worth = Fraction(f"{whole}.{part or 0}") / int(under or 1) / (100 if percent else 1)
    if minus and place.split()[-1] not in ("edge", "risk"):
        raise Unreadable("only edge and risk can be below nothing", place)
    return -worth if minus else worth
