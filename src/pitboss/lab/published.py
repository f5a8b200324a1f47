"""Figures that others have printed, beside ours: do they agree, can they be explained, or are they
wrong? What was printed, and where, is in ``published.toml``; ours are worked out, not written down.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import groupby
from math import isqrt
from pathlib import Path
from typing import Literal

import msgspec

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.lab import protect
from pitboss.maths import Solution
from pitboss.maths.strategies import named
from pitboss.money import odds, text
from pitboss.rulebook import Rulebook, load
from pitboss.rulebook.base import Strict
from pitboss.rulebook.variants import with_pays

Judgement = Literal["agrees", "explained", "wrong"]


class InPrint(Strict, frozen=True, kw_only=True):
    """A figure in print."""

    book: str
    what: str
    """Which figure of ours it is compared with."""
    says: str
    """As it was printed: its digits say how exact it means to be."""
    by: str
    pay: tuple[str, ...] = ()
    ties: str = "stay"
    means: str = ""
    """What it is instead of what it is called."""
    why: str = ""
    """How it came about, where it does not agree."""

    @property
    def printed(self) -> Fraction:
        """Its number; a percentage as a part of one."""
        return Fraction(self.says.rstrip("%").replace(",", "")) / self._parts

    @property
    def last_digit(self) -> Fraction:
        """What one of its last digit is worth."""
        return Fraction(1, 10**self.digits) / self._parts

    @property
    def digits(self) -> int:
        """How many stand behind the point."""
        return len(self.says.rstrip("%").partition(".")[2])

    @property
    def _parts(self) -> int:
        return 100 if self.says.endswith("%") else 1


class Compared(msgspec.Struct, frozen=True):
    """A figure in print, ours, and what is to be said of the two."""

    figure: InPrint
    ours: Fraction
    verdict: Judgement


def figures() -> tuple[InPrint, ...]:
    """Return everything in print that we know of."""
    written = Path(__file__).with_suffix(".toml").read_text("utf-8")
    return msgspec.toml.decode(written, type=_File).figure


class _File(Strict, frozen=True):
    figure: tuple[InPrint, ...]


def compared(figure: InPrint) -> Compared:
    """Work out ours, and hold what was printed against it."""
    ours = worked_out(figure, figure.what)
    if _rounds_to(ours, figure):
        return Compared(figure, ours, "agrees")
    same = figure.means and _rounds_to(worked_out(figure, figure.means), figure)
    cut_off = 0 <= ours - figure.printed < figure.last_digit
    return Compared(figure, ours, "explained" if same or cut_off else "wrong")


def _rounds_to(ours: Fraction, figure: InPrint) -> bool:
    return abs(ours - figure.printed) * 2 <= figure.last_digit


def worked_out(figure: InPrint, what: str) -> Fraction:
    """Return our own figure of this name."""
    kind, *names = what.split()
    found = _KINDS.get(kind)
    if found is None:
        raise Unreadable(f"{what!r} is none of {', '.join(_KINDS)}")
    return found(_game(figure.book, figure.pay, figure.ties), *names)


class _Game:
    """A game as a figure is about it; what is worked out of it is kept for the next figure."""

    def __init__(self, book: Rulebook, ties: str) -> None:
        self.book, self.ties = book, ties
        self.evaluated = cache(lambda name: maths.evaluate(book, named(book, name)))

    @cached_property
    def solved(self) -> Solution:
        return maths.solve(self.book, ties=self.ties)


@lru_cache(maxsize=8)
def _game(name: str, pay: tuple[str, ...], ties: str) -> _Game:
    pays = dict(each.split("=") for each in pay)
    return _Game(with_pays(load(name), {row: odds(at) for row, at in pays.items()}), ties)


def _deviation(game: _Game) -> Fraction:
    """Nine digits of a root: more than anybody prints."""
    variance = game.solved.statistics.variance
    return Fraction(isqrt(variance.numerator * 10**18 // variance.denominator), 10**9)


def _strategy(game: _Game, name: str, of: str = "") -> Fraction:
    found = game.evaluated(name)
    figures = {
        "": -found.value,
        "element-of-risk": found.element_of_risk,
        "return": 1 - found.element_of_risk,
    }
    return figures[of]


def _break_even(game: _Game) -> Fraction:
    jackpot = maths.jackpot(game.book)
    if jackpot is None:
        raise Unreadable(f"{game.book.id} has no progressive")
    return Fraction(jackpot.break_even_cents, 100)


_KINDS: dict[str, Callable[..., Fraction]] = {
    "edge": lambda game: -game.solved.value,
    "element-of-risk": lambda game: game.solved.statistics.element_of_risk,
    "average-wager": lambda game: game.solved.statistics.average_wager,
    "deviation": _deviation,
    "side": lambda game, spot: -maths.side_wager(game.book, game.book.spots[spot]).value,
    "strategy": _strategy,
    "known": lambda game, key: protect.known(game.book, key),
    "sorted": lambda game, ranks: protect.told(game.book, protect.group(ranks)),
    "break-even": _break_even,
}


# As a page -------------------------------------------------------------------------------------

HEAD = """# Published figures, beside ours

Every figure in print that we know of for a game on the shelf. `pitboss published` makes this page:
ours are worked out anew from the rulebook, as fractions. A figure *agrees* when ours rounds to its
last printed digit; it is *explained* when it was cut off instead of rounded, or is another figure
than it is called; else it is *wrong*.
"""


def as_markdown(found: Iterable[Compared]) -> str:
    """Write the page."""
    return "\n".join((HEAD, *_sections(found)))


def _sections(found: Iterable[Compared]) -> Iterator[str]:
    for name, several in groupby(found, key=lambda each: each.figure.book):
        book = load(name)
        yield f"## {book.game}, {book.house}\n"
        yield "| figure | printed | ours | exactly | | by |\n|---|--:|--:|---|---|---|"
        yield from (_row(each) for each in several)
        yield ""


def _row(each: Compared) -> str:
    figure = each.figure
    variant = [*figure.pay, *([f"ties {figure.ties}"] if figure.ties != "stay" else [])]
    what = f"{figure.what} ({', '.join(variant)})" if variant else figure.what
    verdict = each.verdict if not figure.why else f"{each.verdict}: {figure.why}"
    ours = _like(figure, each.ours)
    return f"| {what} | {figure.says} | {ours} | {_exactly(each)} | {verdict} | {figure.by} |"


def _like(figure: InPrint, ours: Fraction) -> str:
    """Write ours in the way of the other, with two digits more."""
    if figure.says.endswith("%"):
        return f"{float(ours * 100):.{figure.digits + 2}f}%"
    if figure.what == "break-even":
        return text(int(ours * 100))
    return f"{float(ours):.6f}"


def _exactly(each: Compared) -> str:
    return "its square is a fraction" if each.figure.what == "deviation" else str(each.ours)
