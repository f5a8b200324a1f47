"""What every part of a rulebook is made of: strict tables that cite their clause."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

import msgspec

from pitboss.cards import RANKS

PitRole = Literal[
    "dealer",
    "floor-supervisor",
    "shift-manager",
    "surveillance",
    "director-of-table-games",
    "general-manager",
]
"""Who works in the pit."""

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]*\Z")]
"""A short name in small letters, digits and hyphens."""

Text = Annotated[str, msgspec.Meta(min_length=1)]
"""Words that are there."""

ABOVE_DEALER: tuple[PitRole, ...] = (
    "floor-supervisor",
    "shift-manager",
    "director-of-table-games",
    "general-manager",
)
"""A floor supervisor or above, in the order in which one stands above another."""


def acts_for(role: str, named: Iterable[str]) -> bool:
    """Whether a role is among those that a rule names, or stands above one of them in its line.

    Surveillance and the dealer stand in no line: nobody is above them, and they above nobody.

    >>> acts_for("general-manager", ["floor-supervisor"]), acts_for("surveillance", ABOVE_DEALER)
    (True, False)
    """
    line: tuple[str, ...] = ABOVE_DEALER
    above = line[: line.index(role) + 1] if role in line else (role,)
    return any(each in above for each in named)


class Ranks:
    """A range of ranks, such as ``6-10`` or ``A``.

    No struct: a file writes it as text, and msgspec reads structs from tables only.
    """

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranks) and (self.low, self.high) == (other.low, other.high)

    def __hash__(self) -> int:
        return hash((self.low, self.high))

    def __contains__(self, rank: int) -> bool:
        return self.low <= rank <= self.high

    def __str__(self) -> str:
        low, high = RANKS[self.low - 2], RANKS[self.high - 2]
        return low if low == high else f"{low}-{high}"


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file in which every key is known."""


def codes(*written: str) -> tuple[str, ...]:
    """Return the codes of clauses and rulings in what is cited, each once.

    >>> codes("C.1.m, C.1.l(1)", "R18 C.1.m")
    ('C.1.m', 'C.1.l(1)', 'R18')
    """
    return tuple(dict.fromkeys(" ".join(written).replace(",", " ").split()))


CITING = ("clause", "ruling", "clauses")
"""The keys of every table that say where it comes from."""


class Cited(Strict, frozen=True, kw_only=True):
    """Something the house's document says, and where."""

    clause: Text
    """The clause of the house's document, or a ruling where the document is silent."""
    ruling: str = ""
    """Rulings that say how the clause is read."""
    clauses: dict[str, str] = msgspec.field(default_factory=dict)
    """Clauses or rulings on one key of the table each, or on one of its ``points``."""

    points: ClassVar[tuple[str, ...]] = ()
    """What ``clauses`` may cite for that is no key of the table."""

    def __post_init__(self) -> None:
        citable = {*self.__struct_encode_fields__, *self.points}.difference(CITING)
        for name in self.clauses:
            if name not in citable:
                from difflib import get_close_matches  # only where something is wrong

                close = get_close_matches(name, sorted(citable), n=1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise ValueError(f"clauses: nothing here is called {name!r}{hint}")

    def clause_on(self, name: str) -> str:
        """Return what is cited for one key or point alone; empty where that has no clause."""
        return ", ".join(self.clauses.get(name, "").split())

    @property
    def cited(self) -> str:
        """Clause and rulings together."""
        return ", ".join(f"{self.clause} {self.ruling}".split())
