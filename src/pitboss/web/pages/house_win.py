"""What the house has won today at the tables that are open: edge, mistakes and luck.

Of rounds that are over alone, and without a card or a name. They are counted from the last one back
and remembered; what there is no time for is counted when somebody looks again. Of a very long day
the last rounds alone are counted, and the page says so.
"""

import datetime
import time

import msgspec
from starlette.responses import Response

from pitboss.house.people.permissions import allow
from pitboss.house.replay import finished, put_right
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.storage.reader import Reader
from pitboss.house.win import house_win, of_finished
from pitboss.maths.luck import Parts
from pitboss.maths.luck import total as add_up
from pitboss.rulebook import Rulebook
from pitboss.web.pages.history import PATIENCE
from pitboss.web.pages.luck_words import PartShown, shares
from pitboss.web.pages.prices import at_hand, solved
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

MOST_REMEMBERED = 20_000
"""Rounds."""

MOST_A_TABLE = 2_000
"""Rounds of a day that are counted at one table."""


class TableWin(msgspec.Struct, frozen=True):
    """What a table, or several with the same money, won today."""

    book: Rulebook
    table: str
    """Empty for several."""
    rounds: int
    parts: Parts
    """Every hand counts as a round."""
    whole: bool
    """Whether there was time for all that are counted."""
    cut: bool
    """Whether the day may have more rounds than are counted at one table."""

    @property
    def shares(self) -> tuple[PartShown, ...]:
        return shares(self.parts)


class HouseWins:
    """Rounds of today that are counted: the gaming day of each, and what it brought."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[datetime.date, Parts]] = {}
        self._put_right = (0, 0)

    def today(self, store: Reader, tables: list[LoadedTable], day: datetime.date) -> list[TableWin]:
        """On a thread."""
        now, ends = put_right(store), time.monotonic() + PATIENCE
        if now != self._put_right:
            self._known, self._put_right = {}, now
        return [self._table(store, live, day, ends) for live in tables]

    def _table(self, store: Reader, live: LoadedTable, day: datetime.date, ends: float) -> TableWin:
        name, last, found = live.table.id, live.table.last, list[Parts]()
        number = last.round if last is not None else 0
        whole, cut = True, number > MOST_A_TABLE
        for each in range(number, max(0, number - MOST_A_TABLE), -1):
            at = f"{name}-{each}"
            if at not in self._known and time.monotonic() > ends:
                whole = cut = False
                break
            told = self._round(store, at)
            if told is not None and told[0] != day:
                cut = False
                break
            if told is not None:
                found.append(told[1])
        return TableWin(live.book, name, len(found), add_up(found), whole, cut)

    def _round(self, store: Reader, name: str) -> tuple[datetime.date, Parts] | None:
        """Return a round's day and win; None where nobody bet, and there never was one."""
        if name in self._known:
            return self._known[name]
        if store.kept("round", name) is None:
            return None
        paid = of_finished(finished(store, name))
        found = paid.day, house_win(paid, solved(paid.book))
        if at_hand(paid.book):  # of others more may be known soon
            while len(self._known) >= MOST_REMEMBERED:
                self._known.pop(next(iter(self._known)), None)
            self._known[name] = found
        return found


async def look(web: Services, visit: Visit) -> Page | Response:
    """What the house has won today, and of what."""
    if not visit.person.id:
        return to("/sign-in")
    allow(visit.person.roles, "see-win")
    house = web.house
    day = house.settings.day(house.clock())
    real = house.tables.busiest(house.tables.count(practice=False))  # which come first
    wins = await house.look(web.kept(HouseWins).today, house.archive, real, day)
    played = [each for each in wins if each.rounds or not each.whole]
    money: dict[str, list[TableWin]] = {}
    for each in played:
        money.setdefault(each.book.currency, []).append(each)
    return Page("win.html", day=day, tables=played, sums=[_sum(each) for each in money.values()])


def _sum(several: list[TableWin]) -> TableWin:
    return TableWin(
        book=several[0].book,
        table="",
        rounds=sum(each.rounds for each in several),
        parts=add_up(each.parts for each in several),
        whole=all(each.whole for each in several),
        cut=any(each.cut for each in several),
    )
