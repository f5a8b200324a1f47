"""The par sheet of a game: what analysts ask of its rules."""

from pitboss import maths
from pitboss.errors import Unsolved
from pitboss.lab.par_page import sheet
from pitboss.lab.report import Report, report
from pitboss.maths.price import USUAL_ANTE_CENTS
from pitboss.rulebook import Rulebook
from pitboss.web.pages import rule_page
from pitboss.web.pages.prices import at_hand
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services

ASK_IN_LOBBY = "it takes up to a minute to work out, once: ask for it in the lobby"


def par_report(book: Rulebook) -> Report:
    """Price a book at the ante that the lobby's price is for."""
    return report(maths.solve(book, USUAL_ANTE_CENTS if book.cap else None), whole=True)


def par_sheet(book: Rulebook) -> str:
    return sheet(par_report(book))


async def look(web: Services, visit: Visit) -> Page:
    """The exact price of a game: edge, best play, outcomes, side wagers."""
    book = await rule_page.asked(web, visit)
    found, why = "", ""
    try:
        if not at_hand(book):
            raise Unsolved(ASK_IN_LOBBY)
        found = await web.kept(WorkedOut).of(web.house, par_sheet, book)
    except Unsolved as error:
        why = error.message
    shelf = web.house.shelf
    return Page(
        "maths.html",
        book=book,
        sheet=found,
        why=why,
        rules=rule_page.address(shelf, book),
        lab=rule_page.address(shelf, book, "lab"),
        workbook=rule_page.address(shelf, book, "download/par.xlsx"),
        paper=rule_page.address(shelf, book, "download/par.pdf"),
    )
