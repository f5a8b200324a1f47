"""The lobby: every game with its true price, every open table, and a seat in one click."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused
from pitboss.house.house import House
from pitboss.house.open_tables import OpenTables
from pitboss.house.people.persons import Person
from pitboss.house.rulebook_shelf import Shelf
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.lab.questions import Experiment
from pitboss.rulebook import Rulebook
from pitboss.rulebook.sign import takes
from pitboss.web import guards
from pitboss.web.lab_desk import begin, key_of
from pitboss.web.pages import rule_page
from pitboss.web.pages.dealer import may_deal, may_look_on
from pitboss.web.pages.games import Game, GamesWanted, games, groups, priced
from pitboss.web.pages.prices import Price, at_hand
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit, as_guest
from pitboss.web.services import Services
from pitboss.web.workers import LongWork

MOST = 50
"""Tables that are listed; the API has them all, page by page."""

FEW = 6
"""Games that one sees at a glance; more can be searched and sorted."""

MOST_BOTS = 4

OWN_PACE_SECONDS = 600


PATIENCE = 2.0
"""Seconds that a visitor waits for prices; what is not known by then is told at a later look."""


class Games:
    """Every game with its price, worked out on the first look at a shelf; all wait for the same."""

    def __init__(self) -> None:
        self._shelf: Shelf | None = None
        self._prices: dict[str, Price | None] = {}
        self._told: list[Game] = []
        self._work: asyncio.Future[None] | None = None

    async def all(self, house: House) -> list[Game]:
        """Return them with the prices that are known by now."""
        if self._shelf is not house.shelf:
            self._shelf, self._prices, self._told, self._work = house.shelf, {}, [], None
        books = tuple(house.shelf.books)
        new = [each for each in books if each.sha256 not in self._prices and at_hand(each)]
        if new and (self._work is None or self._work.done()):
            warming = house.background.look_for_all(warm, new, self._prices)
            self._work = asyncio.ensure_future(warming)
        if self._work is not None:
            await asyncio.wait([self._work], timeout=PATIENCE)
        if new or not self._told:
            self._told = games(books, dict(self._prices))
        return self._told


def warm(books: Sequence[Rulebook], prices: dict[str, Price | None]) -> None:
    """On a thread: work out prices, each once for as long as it is remembered."""
    prices.update(priced(books))


class OwnSeat(msgspec.Struct, frozen=True, order=True):
    """A seat of whoever looks; in their order hands that wait come first."""

    idle: bool
    """Nobody waits for them there."""
    table: str
    says: str


def _seat(live: LoadedTable, who: str) -> OwnSeat:
    book, table = live.book, live.table
    seat = table.seat_of(who) or 0
    held, where = table.round.seats.get(seat), f"{book.game} ({book.house})"
    stake = sum(held.stakes.values()) if held is not None and held.person == who else 0
    waits = seat in rounds.due(book, table.round)
    says = f"You have a seat at {where}."
    if waits:
        says = f"Your hand at {where} is waiting: {book.money(stake)} at stake."
    elif stake:
        says = f"Your bet at {where} is down: {book.money(stake)} at stake."
    return OwnSeat(not waits, table.id, says)


class Listed(msgspec.Struct, frozen=True):
    """An open table in the lobby."""

    table: str
    book: Rulebook
    name: str
    """That people can say."""
    practice: bool
    takes: str
    meter_cents: int | None
    people: int
    free: int
    """Seats without a person: a bot gives way."""
    console: str = ""
    """What you do at its dealer's console, if you have anything to do there."""


def _listed(live: LoadedTable, name: str) -> Listed:
    table, book = live.table, live.book
    people = sum(not each.bot for each in table.sitters.values())
    return Listed(
        table=table.id,
        book=book,
        name=name,
        practice=table.practice,
        takes=takes(book, (table.minimum_cents, table.maximum_cents)),
        meter_cents=table.meter_cents,
        people=people,
        free=book.seats.most - people,
    )


def _with_real_chips(tables: OpenTables) -> list[Listed]:
    """Return tables with real chips by their names: those of a game are numbered."""
    found, numbers = [], Counter[str]()
    for live in tables.page((False, ""), tables.count(practice=False)):
        numbers[live.table.rulebook] += 1
        found.append(_listed(live, f"{live.book.game} {numbers[live.table.rulebook]}"))
    return sorted(found, key=lambda each: not each.people)


async def _for_practice(house: House, who: str) -> list[Listed]:
    """Return others' practice tables to which somebody was invited, and where somebody sits."""
    found = []
    for live in house.tables.practice_of(who):
        opener = (await house.person(live.table.opener)).name
        each = _listed(live, f"{opener}'s table")
        if each.people and live.table.seat_of(who) is None:
            found.append(each)
    return found


def _for_staff(house: House, listed: Listed, who: Person) -> Listed:
    live = house.tables.get(listed.table)
    if live is None or not may_look_on(live.table, who):
        return listed
    return replace(listed, console="Deal" if may_deal(live.table, who) else "Console")


async def look(web: Services, visit: Visit, wrong: Refusal | None = None) -> Page:
    """The games with their prices, and the open tables."""
    house, who = web.house, visit.person.id
    wanted = visit.query(GamesWanted) if visit.request.method == "GET" else GamesWanted()
    found = await web.kept(Games).all(house)
    tables = [*await _for_practice(house, who), *_with_real_chips(house.tables)]
    return Page(
        "lobby.html",
        guards.status(wrong) if wrong else 200,
        groups=groups(found, wanted),
        wanted=wanted,
        many=len(found) > FEW,
        solving=[each.book.sha256 for each in found if _working_on(web, each.book)],
        seats=sorted(_seat(live, who) for live in house.tables.where_sits(who)),
        tables=[_for_staff(house, each, visit.person) for each in tables[:MOST]],
        more=max(0, len(tables) - MOST),
        wrong=wrong,
    )


def _working_on(web: Services, book: Rulebook) -> bool:
    return key_of("exact", book, Experiment()) in web.kept(LongWork).under_way


async def work_out(web: Services, visit: Visit) -> Page | Response:
    """Have the price of a game worked out that takes minutes."""
    try:
        book = await rule_page.asked(web, visit)
        if not at_hand(book):
            begin(web.kept(LongWork), "exact", book, Experiment(), f"the price of {book.id}")
    except Refused as refused:
        return await look(web, visit, refused.refusal)
    return to("/")


async def practice(web: Services, visit: Visit) -> Page | Response:
    """Open a practice table and sit down there."""
    bots = min(visit.number("bots"), MOST_BOTS) if visit.field("bots") else 0
    for live in web.house.tables.where_sits(visit.person.id):  # a hand may be waiting there
        table, sitter = live.table, live.table.sitters[live.table.seat_of(visit.person.id) or 0]
        if table.practice and table.rulebook == visit.field("rulebook") and not sitter.leaving:
            return to(f"/tables/{table.id}")
    if not visit.person.id:
        await as_guest(web, visit)
    try:
        return to(await sit_down(web, visit, visit.field("rulebook"), bots))
    except Refused as refused:
        return await look(web, visit, refused.refusal)


async def sit_down(web: Services, visit: Visit, name: str, bots: int) -> str:
    """Open a practice table of a game, with bots beside; return where it is."""
    key, who = visit.key, visit.person.id
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
