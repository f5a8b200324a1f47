"""The par sheet of a game, and two books side by side: what analysts ask of the rules."""

import asyncio

from pitboss import maths
from pitboss.errors import Unsolved
from pitboss.house.house import House
from pitboss.lab.par_page import sheet
from pitboss.lab.report import report
from pitboss.maths.price import USUAL_ANTE_CENTS
from pitboss.rulebook import Rulebook
from pitboss.web.pages import rule_page
from pitboss.web.pages.prices import MOST_BOOKS
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services


class ParSheets:
    """Par sheets by the hash of their book: each is worked out once, on a thread, one at a time."""

    def __init__(self) -> None:
        self._made: dict[str, asyncio.Task[str]] = {}
        self._turn = asyncio.Lock()

    async def of(self, house: House, book: Rulebook) -> str:
        """Return a sheet, which may take seconds the first time; raises ``Unsolved``."""
        made = self._made.get(book.sha256)
        if made is None or (made.done() and (made.cancelled() or made.exception())):
            made = self._made[book.sha256] = asyncio.ensure_future(self._make(house, book))
            if len(self._made) > MOST_BOOKS:
                del self._made[next(iter(self._made))]  # the oldest
        return await asyncio.shield(made)

    async def _make(self, house: House, book: Rulebook) -> str:
        async with self._turn:
            return await house.look(par_sheet, book)


def par_sheet(book: Rulebook) -> str:
    """Price a book at the ante that the lobby's price is for."""
    solution = maths.solve(book, USUAL_ANTE_CENTS if book.cap else None)
    return sheet(report(solution, whole=True))


async def look(web: Services, visit: Visit) -> Page:
    """The exact price of a game: edge, best play, outcomes, side wagers."""
    book = await rule_page.asked(web, visit)
    found, why = "", ""
    try:
        found = await web.kept(ParSheets).of(web.house, book)
    except Unsolved as error:
        why = error.message
    return Page(
        "maths.html",
        book=book,
        sheet=found,
        why=why,
        rules=rule_page.address(web.house.shelf, book),
        others=[each for each in web.house.shelf.books if each.id != book.id],
    )
