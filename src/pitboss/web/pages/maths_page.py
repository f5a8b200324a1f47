"""The par sheet of a game: what analysts ask of its rules."""

from pitboss import maths
from pitboss.errors import Unsolved
from pitboss.lab.par_page import sheet
from pitboss.lab.report import Report, report
from pitboss.maths.price import USUAL_ANTE_CENTS
from pitboss.rulebook import Rulebook
from pitboss.web.lab_desk import POSTED
from pitboss.web.pages import rule_page
from pitboss.web.pages.awaited import Awaited, awaited
from pitboss.web.pages.prices import at_hand
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services

NOT_KEPT = "what takes this long to work out cannot be kept on this machine"


def par_report(book: Rulebook) -> Report:
    """Price a book at the ante that the lobby's price is for."""
    return report(maths.solve(book, USUAL_ANTE_CENTS if book.cap else None), whole=True)


def par_sheet(book: Rulebook) -> str:
    return sheet(par_report(book))


async def look(web: Services, visit: Visit) -> Page:
    """The exact price of a game: edge, best play, outcomes, side wagers."""
    book = await rule_page.asked(web, visit)
    told = Awaited() if at_hand(book) else awaited(web, visit, "exact", book, POSTED)
    found, why = "", told.why if told.never else ""
    if at_hand(book):
        try:
            found = await web.kept(WorkedOut).of(web.house, par_sheet, book)
        except Unsolved as error:
            why = error.message
    elif told.found is not None:
        why = NOT_KEPT
    shelf = web.house.shelf
    return Page(
        "maths.html",
        book=book,
        told=told,
        sheet=found,
        why=why,
        rules=rule_page.address(shelf, book),
        lab=rule_page.address(shelf, book, "lab"),
        workbook=rule_page.address(shelf, book, "download/par.xlsx"),
        paper=rule_page.address(shelf, book, "download/par.pdf"),
    )
