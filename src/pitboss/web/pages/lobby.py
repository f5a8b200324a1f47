"""The lobby: every game with its true price, every open table, and a seat in one click."""

import asyncio

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused
from pitboss.house.people.persons import Person
from pitboss.house.table import commands as c
from pitboss.rulebook import Rulebook, ids, load
from pitboss.web import guards
from pitboss.web.pages.prices import Price, price
from pitboss.web.pages.site import Site, Visit
from pitboss.web.pages.table import OWN_PACE_SECONDS
from pitboss.web.routes import Lobby

MOST = 50
"""Tables that are listed; the API has them all."""

MOST_BOTS = 4


class Game(msgspec.Struct, frozen=True):
    """A game of a house, with what it costs."""

    book: Rulebook
    price: Price | None


class LobbyPages:
    """Looking around, and sitting down."""

    def __init__(self, site: Site) -> None:
        self.site, self.house = site, site.house
        self._prices: asyncio.Task[list[Game]] | None = None

    async def games(self) -> list[Game]:
        """Return every game with its price; they are worked out once, on the first look."""
        if self._prices is None:
            self._prices = asyncio.ensure_future(self.house.read(_games))
        return await asyncio.shield(self._prices)

    async def look(self, visit: Visit) -> Response:
        """Show the lobby."""
        return await self.show(visit)

    async def show(self, visit: Visit, wrong: Refusal | None = None) -> Response:
        """Show the lobby, and what could not be done."""
        mine = self._mine(visit.person)
        tables = sorted(self.site.web.tables(), key=lambda each: _rank(each, mine))
        return self.site.page(
            visit,
            "lobby.html",
            guards.status(wrong) if wrong else 200,
            games=await self.games(),
            tables=tables[:MOST],
            more=max(0, len(tables) - MOST),
            mine=mine,
            wrong=wrong,
        )

    def _mine(self, who: Person) -> set[str]:
        """Return the tables at which somebody holds a seat."""
        if not who.id:
            return set()
        return {t.table.id for t in self.house.tables() if t.table.seat_of(who.id) is not None}

    async def practice(self, visit: Visit) -> Response:
        """Open a practice table, with bots if wished, and sit down there."""
        bots = min(visit.number("bots"), MOST_BOTS) if visit.field("bots") else 0
        session = None
        if not visit.person.id:
            session = await self.site.as_guest(visit)
        try:
            response = self.site.to(await self._practice(visit, bots))
        except Refused as refused:
            response = await self.show(visit, refused.refusal)
        if session is not None:
            guards.let_in(response, session, visit.request)
        return response

    async def _practice(self, visit: Visit, bots: int) -> str:
        name, key = visit.field("rulebook"), visit.key
        # Alone nobody waits for anybody; where others sit down, their bets are not waited for long.
        opened = c.OpenTable(name, practice=True, decision_seconds=OWN_PACE_SECONDS)
        done = await self.site.web.open_table(visit.person, opened, key)
        table = done.entry.stream.partition(":")[2]
        most = load(name).seats.most
        middle = most // 2 + 1
        seats = [seat for seat in _around(middle, most) if seat != middle][: min(bots, most - 1)]
        await self._ask(visit, table, c.Sit(middle), f"{key}-sit")
        for seat in sorted(seats):
            await self._ask(visit, table, c.SeatBot(seat), f"{key}-bot-{seat}")
        return f"/tables/{table}"

    async def _ask(self, visit: Visit, table: str, command: c.Command, key: str) -> None:
        await self.house.command(table, visit.person, command, key)


def warm() -> None:
    """On a thread: work out the prices before anybody asks for them."""
    _games()


def _games() -> list[Game]:
    return [Game(book, price(book)) for book in map(load, ids())]


def _rank(table: Lobby, mine: set[str]) -> tuple[bool, bool, bool, str]:
    """Your own first, then real tables, then those with company."""
    return table.table not in mine, table.practice, table.taken == 0, table.table


def _around(middle: int, most: int) -> list[int]:
    """Return seats from the middle outwards.

    >>> _around(4, 6)
    [4, 3, 5, 2, 6, 1]
    """
    return sorted(range(1, most + 1), key=lambda seat: (abs(seat - middle), seat))
