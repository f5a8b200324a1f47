"""What the differences between two rulebooks are worth to the player, each alone and exactly.

A price is the value of the first book with one part of the second's, less its own value. Each wager
has its own: the main game per ante, a side wager per unit, the progressive per token.
"""

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unsolved
from pitboss.maths.price import At, expected_value
from pitboss.rulebook import Rulebook
from pitboss.rulebook.base import CITING
from pitboss.rulebook.check import errors
from pitboss.rulebook.model import plain
from pitboss.rulebook.variants import Difference, parts, taking

PRICED = ("script", "spot", "table", "limits", "qualifier", "cap", "progressive", "rounding")
"""The parts of a book that a price can rest on; all others never change it."""

WORDS = (*CITING, "title", "notify")
"""Fields for people to read: no price rests on them."""


class ClausePrice(msgspec.Struct, frozen=True):
    """What the player gains if the first book alone took a part of the second."""

    part: str
    """What was exchanged: the difference itself, or as much around it as stands only together."""
    changes: dict[str, Fraction] = {}
    """By wager; one that is not named is worth what it was."""
    why: str = ""
    """Why there is no number."""


class Total(msgspec.Struct, frozen=True):
    """What one wager is worth in both books, or why that is not known."""

    wager: str
    ours: Fraction | str
    theirs: Fraction | str
    one_by_one: Fraction
    """What the prices of single differences add up to."""

    @property
    def change(self) -> Fraction | None:
        if isinstance(self.ours, str) or isinstance(self.theirs, str):
            return None
        return self.theirs - self.ours


def by_part(
    found: Iterable[Difference], prices: Mapping[str, ClausePrice]
) -> dict[str, list[Difference]]:
    """Put those together that are priced as one thing."""
    parts: dict[str, list[Difference]] = {}
    for each in found:
        parts.setdefault(prices[each.path].part, []).append(each)
    return parts


def said(price: ClausePrice) -> list[str]:
    """Say what the player gains of each wager, or why there is no number."""
    gains = [gain(change, wager) for wager, change in price.changes.items()]
    return gains or [price.why or "does not change the price"]


def gain(change: Fraction, wager: str) -> str:
    return f"{percent(change)} of the {wager} for the player"


def percent(value: Fraction | str) -> str:
    """Write a part of a wager; a reason why it is not known stays what it is."""
    return value if isinstance(value, str) else f"{float(value):+.4%}"


class Pricing:
    """Prices of two books at one table; nothing is solved twice."""

    def __init__(self, ours: Rulebook, theirs: Rulebook, at: At) -> None:
        self.ours, self.theirs, self.at = ours, theirs, at
        self._solved: dict[bytes, Fraction | str] = {}
        self._exchanged: dict[str, ClausePrice | str] = {}

    def prices(self, found: Iterable[Difference]) -> dict[str, ClausePrice]:
        """Price each difference by its path."""
        priced = {each.path: self._price(each.path) for each in found}
        # What lies within a part that was exchanged whole is not counted a second time.
        whole = sorted((p for p in priced.values() if not p.why), key=lambda p: len(p.part))
        return {
            path: next((p for p in whole if path.startswith(f"{p.part}.")), price)
            for path, price in priced.items()
        }

    def value(self, book: Rulebook, wager: str) -> Fraction | str:
        """Return what a wager of a book is worth to the player, or why that is not known."""
        if wager not in _wagers(book):
            return "no such wager"
        key = _rests_on(book, wager, self.at)
        if key not in self._solved:
            try:
                self._solved[key] = expected_value(book, wager, self.at)
            except Unsolved as error:
                self._solved[key] = f"not priced: {error.message}"
        return self._solved[key]

    def totals(self, prices: Mapping[str, ClausePrice]) -> list[Total]:
        """Compare the books by each wager that is not worth the same in both."""
        once = {price.part: price for price in prices.values()}.values()
        found = [
            Total(
                wager,
                self.value(self.ours, wager),
                self.value(self.theirs, wager),
                sum((price.changes.get(wager, Fraction(0)) for price in once), Fraction(0)),
            )
            for wager in dict.fromkeys((*_wagers(self.ours), *_wagers(self.theirs)))
        ]
        return [each for each in found if each.ours != each.theirs or each.one_by_one]

    def _price(self, path: str) -> ClausePrice:
        top = path.partition(".")[0]
        if top not in PRICED:
            return ClausePrice(top)
        tried = parts(self.ours, self.theirs, path)
        for part in tried:
            if part not in self._exchanged:
                self._exchanged[part] = self._exchange(part)
            price = self._exchanged[part]
            if isinstance(price, ClausePrice):
                return price
        return ClausePrice(tried[-1], why=f"not alone: {self._exchanged[tried[-1]]}")

    def _exchange(self, part: str) -> ClausePrice | str:
        """Price a part of the other book in ours, or say why no table can run on that."""
        lone = _lone(self.ours, self.theirs, part)
        if lone:
            return ClausePrice(part, why=lone)
        changed = taking(self.ours, self.theirs, part)
        for finding in errors(changed):
            return finding.message
        touched = self._touched(changed, self.at)
        changes = {}
        for wager in touched:
            before, after = self.value(self.ours, wager), self.value(changed, wager)
            if isinstance(before, str) or isinstance(after, str):
                return ClausePrice(part, why=str(before if isinstance(before, str) else after))
            changes[wager] = after - before
        changes = {wager: change for wager, change in changes.items() if change}
        return ClausePrice(part, changes, self.bites_only(changed))

    def bites_only(self, changed: Rulebook) -> str:
        """Say at which table a change would count, where it does not at this one."""
        for at, where in (
            (self.at, ""),
            (replace(self.at, ante_cents=self.at.ante_cents or 1), "at a stake: give --ante"),
            (replace(self.at, players=max(2, self.at.players)), "among several: give --players"),
        ):
            if self._touched(changed, at):
                return where and f"bites only {where}"
        return ""

    def _touched(self, changed: Rulebook, at: At) -> list[str]:
        return [
            wager
            for wager in _wagers(self.ours)
            if wager not in _wagers(changed)
            or _rests_on(changed, wager, at) != _rests_on(self.ours, wager, at)
        ]


def _wagers(book: Rulebook) -> list[str]:
    """Return what is priced on its own; the main game goes by the name of its required wager."""
    return [book.ante.name, *(spot.name for spot in book.spot if spot.kind != "main")]


def _lone(ours: Rulebook, theirs: Rulebook, part: str) -> str:
    """Say so if a part belongs to a side wager or a table that only one of the books has."""
    top, _, name = part.partition(".")
    for which, book, other in (("first", ours, theirs), ("second", theirs, ours)):
        lone = [s for s in book.spot if s.kind != "main" and s.name not in other.spots]
        if part in (
            *(f"spot.{spot.name}" for spot in lone),
            *(f"table.{spot.table}" for spot in lone if spot.table not in other.tables),
            *(["progressive"] if book.progressive and other.progressive is None else []),
        ):
            return f"only the {which} book has this wager"
        if top == "table" and name in book.tables.keys() - other.tables.keys():
            return f"not alone: only the {which} book has this table"
    return ""


def _rests_on(book: Rulebook, wager: str, at: At) -> bytes:
    """Return all that the price of a wager comes from, for comparing."""
    spot = book.spots[wager]
    main = spot.kind == "main"
    spots = [each for each in book.spot if each.kind == "main"] if main else [spot]
    paying = {name for each in spots for name in (each.table, each.bonus) if name}
    tables = [book.tables[name] for name in sorted(paying)]
    rests: list[Any] = [spots, tables, [book.script, book.qualifier] if main else book.dealt]
    if spot.kind == "progressive":
        rests.append(at.meter(book))
    elif at.ante_cents is not None:
        capped = {name for each in spots for name in (each.name, each.bonus)}
        caps = [cap for cap in book.cap if capped & set(cap.spots)]
        grows = at.minimum_cents is None and any(cap.growth for cap in caps)
        rests += [caps, book.limits.minimum.lowest if grows else None]
        rests += [book.rounding] if main else []
    idle = WORDS if at.players > 1 else (*WORDS, "others")
    told = _without(msgspec.to_builtins(rests, enc_hook=plain), idle)
    return msgspec.json.encode(told, order="sorted")


def _without(value: Any, idle: Container[str]) -> Any:
    """Leave out fields on which nothing rests."""
    if isinstance(value, dict):
        return {key: _without(inner, idle) for key, inner in value.items() if key not in idle}
    return [_without(inner, idle) for inner in value] if isinstance(value, list | tuple) else value
