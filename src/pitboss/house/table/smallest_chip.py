"""Wagers that chips can make, however they come to be recorded: bet, found late or put right."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from pitboss.errors import Refused, refuse
from pitboss.round.redo import Facts
from pitboss.round.state import TOKE
from pitboss.round.wagers import most_toke
from pitboss.rulebook.model import Rulebook


class PostedLimits(Protocol):
    """A table, or what one had posted when a round was played."""

    @property
    def smallest_chip_cents(self) -> int | None: ...

    @property
    def maximum_cents(self) -> int | None: ...


class PostedThen(msgspec.Struct, frozen=True):
    """What a table had posted when a round was played: it may have changed since."""

    smallest_chip_cents: int | None
    maximum_cents: int | None


def made_of_chips(
    book: Rulebook, table: PostedLimits, wagers: Mapping[str, int], place: str = ""
) -> None:
    """Refuse a wager that is no whole number of the table's smallest chip. A toke is one of any in
    the rack, or all that may be given, which may take change."""
    chip = table.smallest_chip_cents or book.smallest_chip
    for spot, cents in wagers.items():
        if spot == TOKE and book.toke is not None:
            if cents % min(book.chips) and cents != most_toke(book.toke, table.maximum_cents):
                raise _none(book, min(book.chips), "toke", place + spot)
        elif cents % chip:
            raise _none(book, chip, "wager", place + spot)


def facts_of_chips(book: Rulebook, table: PostedLimits, facts: Facts) -> None:
    for at, seat in enumerate(facts.seats):
        place = f"seats[{at}]."
        made_of_chips(book, table, seat.wagers or {}, f"{place}wagers.")
        made_of_chips(book, table, seat.late, f"{place}late.")
        made_of_chips(book, table, {TOKE: seat.toke_cents or 0}, place)


def _none(book: Rulebook, chip: int, what: str, place: str) -> Refused:
    message = f"the smallest chip here is {book.money(chip)}: no chips make that {what}"
    clause = book.limits.clause_on("smallest_chip") or book.ante.cited
    return refuse("bet/chips", message, clause, place)
