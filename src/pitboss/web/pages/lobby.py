"""The lobby: every game with its true price, every open table, and a seat in one click."""

import asyncio
from functools import partial

from starlette.responses import Response

from pitboss.errors import Refusal, Refused
from pitboss.house.house import House
from pitboss.house.rulebook_shelf import Shelf
from pitboss.house.table import commands as c
from pitboss.rulebook import Rulebook
from pitboss.rulebook.sign import takes
from pitboss.web import guards
from pitboss.web.api.tables import summary
from pitboss.web.pages.prices import Price, price
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit, as_guest
from pitboss.web.services import Services

MOST = 50
"""Tables that are listed; the API has them all, page by page."""

MOST_BOTS = 4

OWN_PACE_SECONDS = 600


Game = tuple[Rulebook, Price | None]
"""A game of a house, with what it costs."""


class Games:
    """Every game with its price, worked out on the first look at a shelf; all wait for the same."""

    def __init__(self) -> None:
        self._known: tuple[Shelf, asyncio.Task[list[Game]]] | None = None

    async def all(self, house: House) -> list[Game]:
        shelf = house.shelf
        if self._known is None or self._known[0] is not shelf:
            self._known = shelf, asyncio.ensure_future(house.look(warm, shelf))
        return await asyncio.shield(self._known[1])


def warm(shelf: Shelf) -> list[Game]:
    """On a thread: work out the prices, each once for as long as it is remembered."""
    return [(book, price(book)) for book in shelf.books]


async def look(web: Services, visit: Visit, wrong: Refusal | None = None) -> Page:
    """The games with their prices, and the open tables."""
    open_tables, who = web.house.tables, visit.person.id
    mine = {live.table.id: live for live in open_tables.where_sits(who)}
    known = {live.table.id: live for live in open_tables.practice_of(who)}
    real = open_tables.count(practice=False)
    busiest = {live.table.id: live for live in open_tables.busiest(min(real, MOST))}
    tables = [*(mine | known | busiest).values()][:MOST]  # your own first
    return Page(
        "lobby.html",
        guards.status(wrong) if wrong else 200,
        games=await web.kept(Games).all(web.house),
        tables=[(summary(live), live.book) for live in tables],
        takes=takes,
        more=max(0, real - len(busiest)),
        mine=mine,
        wrong=wrong,
    )


async def practice(web: Services, visit: Visit) -> Page | Response:
    """Open a practice table and sit down there."""
    bots = min(visit.number("bots"), MOST_BOTS) if visit.field("bots") else 0
    if not visit.person.id:
        await as_guest(web, visit)
    try:
        return to(await _practice(web, visit, bots))
    except Refused as refused:
        return await look(web, visit, refused.refusal)


async def _practice(web: Services, visit: Visit, bots: int) -> str:
    name, key, who = visit.field("rulebook"), visit.key, visit.person.id
    do = partial(web.house.command, session=visit.session)
    # Alone nobody waits for anybody; where others sit down, their bets are not waited for long.
    opened = c.OpenTable(name, practice=True, decision_seconds=OWN_PACE_SECONDS)
    done = await web.practice.open_table(who, opened, key, visit.session, visit.audience.address)
    table = done.entry.stream.partition(":")[2]
    most = (await web.house.table(table)).book.seats.most
    middle = most // 2 + 1
    seats = [seat for seat in _around(middle, most) if seat != middle][: min(bots, most - 1)]
    await do(table, who, c.Sit(middle), f"{key}-sit")
    for seat in sorted(seats):
        await do(table, who, c.SeatBot(seat), f"{key}-bot-{seat}")
    return f"/tables/{table}"


def _around(middle: int, most: int) -> list[int]:
    """Return seats from the middle outwards.

    >>> _around(4, 6)
    [4, 3, 5, 2, 6, 1]
    """
    return sorted(range(1, most + 1), key=lambda seat: (abs(seat - middle), seat))
