"""A table is opened, or one again that was closed: what there is to choose, and what is asked."""

from operator import attrgetter
from typing import Literal

from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.people.permissions import may
from pitboss.house.storage.projections import closed_tables
from pitboss.house.table import commands as c
from pitboss.money import cents
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

Dealing = Literal["entered", "dealer", "automatic"]

DEALING: dict[Dealing, str] = {
    "entered": "real cards, by a dealer",
    "dealer": "a sealed deck, by a dealer",
    "automatic": "a sealed deck, by the table itself",
}
"""How a table may be dealt, a pit's own way first."""


async def look(web: Services, visit: Visit, wrong: Refusal | None = None) -> Page | Response:
    """Which table is opened, how it is dealt, and what it posts."""
    if not visit.person.id:
        return to("/sign-in")
    if not may(frozenset(visit.person.roles), "open-table"):
        raise refuse("role/not-yours", "tables are opened by the floor")
    house = web.house
    closed = [await house.table(name) for name in await house.look(closed_tables, house.archive)]
    return Page(
        "open-table.html",
        guards.status(wrong) if wrong else 200,
        books=sorted(house.shelf.books, key=attrgetter("house", "game")),
        closed=closed,
        dealing=DEALING,
        wrong=wrong,
        form=visit.field,
    )


async def act(web: Services, visit: Visit) -> Page | Response:
    """Open it, and go where somebody sees to its cards."""
    who = visit.person.id
    try:
        name, _ = await web.house.open_table(who, _asked(web, visit), visit.key, visit.session)
    except (Refused, Unreadable) as error:
        return await look(web, visit, guards.refusal(error))
    return to(f"/floor#table-{name}")


def _asked(web: Services, visit: Visit) -> c.OpenTable:
    """Read the form; what is left empty is the book's own."""
    again, _, name = visit.field("what")[:240].rpartition(" ")
    book = web.house.shelf.find(name)
    dealing = next((each for each in DEALING if each == visit.field("dealing")), None)
    if dealing is None:
        raise Unreadable("say how the table is dealt", "dealing")
    device, approval = (visit.field(f"shuffler_{each}")[:80] for each in ("device", "approval"))
    return c.OpenTable(
        book.id,
        table=again,
        minimum_cents=_money(visit, book, "minimum"),
        maximum_cents=_money(visit, book, "maximum"),
        dealing=dealing,
        shuffler=bool(device or approval),
        shuffler_device=device,
        shuffler_approval=approval,
        token_cents=_money(visit, book, "token"),
        smallest_chip_cents=_money(visit, book, "smallest_chip"),
    )


def _money(visit: Visit, book: Rulebook, name: str) -> int | None:
    given = visit.field(name).removeprefix(book.sign)
    try:
        return int(cents(given, book.currency)) if given else None
    except Unreadable as error:
        raise error.at(name) from None
