"""A search for pay tables as somebody asks for it: in words, for a command, a page or a process.

It is done some tables at a time; what was worked out goes from one part to the next as text, so
that another process may go on.
"""

from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.lab.controls import edited
from pitboss.lab.design import Design, DesignedTable, steps
from pitboss.lab.design_report import as_json, table_words
from pitboss.lab.played_tables import FixedPlay, Known
from pitboss.lab.sign_odds import free_row
from pitboss.lab.table_box import Places, TableBox, box, menu_box
from pitboss.lab.targets import PricedTable, Targets, asked
from pitboss.maths.families import takes_long
from pitboss.rulebook.model import Rulebook

PART, PART_SLOWLY = 100, 1
"""Tables that are solved in one part; the second where one takes half a minute."""
MOST_SOLVED_HERE = 2_000
"""Tables that are solved one by one where nobody can allow more."""
MOST_TOLD = 100
"""Tables that are told of all that fit."""


class DesignRequest(msgspec.Struct, frozen=True):
    """What is asked for, as the command line writes it."""

    targets: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    wager: str = ""
    menu: bool = False
    any_order: bool = False
    nearest: int | None = None

    @property
    def wanted(self) -> Targets:
        return asked(self.bounds, self.targets, self.nearest)

    def among(self, book: Rulebook) -> TableBox:
        """Return the tables among which it is searched."""
        if not self.menu:
            free = dict(map(free_row, self.free))
            return box(book, free, self.wager, any_order=self.any_order)
        if self.free or self.any_order:
            said = "a menu has its own tables: leave --free and --any-order out"
            raise Unreadable(said, "--menu")
        return menu_box(book, self.wager)


class ToldTable(msgspec.Struct, frozen=True):
    """A table that fits, in words, and as changes of the posted book."""

    changes: dict[str, str]
    played: str
    inverted: str


class DesignPart(msgspec.Struct, frozen=True):
    """How far a search is: what is known, for going on; or what it found."""

    solved: int = 0
    ahead: int = 0
    known: str = ""
    """Empty at the end."""
    design: dict[str, Any] | None = None
    """As ``pitboss design --json`` has it, the first tables of it."""
    tables: tuple[ToldTable, ...] = ()
    """In the same order."""


def searched(book: Rulebook, request: DesignRequest, known: str = "") -> DesignPart:
    """Search for one part, from where it was; a side wager's tables are counted in one go."""
    among = request.among(book)
    so_far = unpacked(known) if known else Known()
    long = takes_long(book)
    going = steps(among, request.wanted, so_far, None if long else MOST_SOLVED_HERE)
    left = PART_SLOWLY if long else PART
    while True:
        try:
            step = next(going)
        except StopIteration as end:
            return _ended(end.value)
        left -= 1
        if among.is_main and not left:
            return DesignPart(step.solved, step.ahead, packed(so_far))


def _ended(design: Design) -> DesignPart:
    found = design.found[:MOST_TOLD]
    return DesignPart(
        solved=design.solved + design.besides,
        design=as_json(replace(design, found=found)),
        tables=tuple(ToldTable(changes(each), *table_words(each)[1:]) for each in found),
    )


def changes(table: DesignedTable) -> dict[str, str]:
    """Return what it pays as changes of a book, by the paths of its controls."""
    return {
        f"table.{each.partition('.')[0]}.rows.{each.partition('.')[2]}.odds": str(odds)
        for each, odds in table.odds.items()
    }


def with_table(design: Design, number: int) -> Rulebook:
    """Return the book with the table found at this place, from 1 on: a rulebook of its own."""
    if not 1 <= number <= len(design.found):
        many = len(design.found)
        raise Unreadable(f"{many} tables were found, so there is no number {number}", "--save")
    return edited(design.box.book, changes(design.found[number - 1]))


# As text ------------------------------------------------------------------------------------------


class _Packed(msgspec.Struct, frozen=True):
    solved: tuple[tuple[Places, PricedTable], ...]
    plays: tuple[tuple[Places, FixedPlay], ...]


def packed(known: Known) -> str:
    """Write what a search has worked out."""
    pairs = _Packed(tuple(known.solved.items()), tuple(known.plays.items()))
    return msgspec.json.encode(pairs, enc_hook=str).decode()


def unpacked(written: str) -> Known:
    pairs = msgspec.json.decode(written, type=_Packed, dec_hook=fraction)
    return Known(dict(pairs.solved), dict(pairs.plays))


def fraction(kind: type, written: Any) -> Fraction:
    """Read a fraction as it is written as text."""
    up, _, down = str(written).partition("/")
    if kind is not Fraction or down.strip("0") == "" != down:
        raise ValueError("not a fraction")
    return Fraction(int(up), int(down or 1))
