"""Papers to take along: a par sheet as workbook or PDF, the rules of play as PDF."""

from collections.abc import Callable

from starlette.responses import Response

from pitboss.errors import Unsolved, refuse
from pitboss.lab.papers.par_paper import paper
from pitboss.lab.papers.par_workbook import workbook
from pitboss.lab.papers.rules_paper import rules_paper
from pitboss.lab.questions import SLOW
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.maths_page import par_report
from pitboss.web.pages.prices import at_hand
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services, unpriced

BEGUN_THERE = f"{SLOW}: that begins where its maths is looked at"


def _par_workbook(book: Rulebook) -> bytes:
    return workbook(par_report(book))


def _par_paper(book: Rulebook) -> bytes:
    return paper(par_report(book))


PAPERS: dict[str, Callable[[Rulebook], bytes]] = {
    "par.xlsx": _par_workbook,
    "par.pdf": _par_paper,
    "rules.pdf": rules_paper,
}
"""What is made of a book, by its file's name."""

_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
}


async def send(web: Services, visit: Visit) -> Response:
    """A par sheet as XLSX or PDF, or the rules of play as PDF, to take along."""
    name, book = visit.path("name"), await rule_page.asked(web, visit)
    if name not in PAPERS:
        raise refuse("path/unknown", f"there are {', '.join(PAPERS)}")
    try:
        if name.startswith("par.") and not at_hand(book):
            raise Unsolved(BEGUN_THERE)
        made = await web.kept(WorkedOut).of(web.house, PAPERS[name], book)
    except Unsolved as error:
        raise unpriced(error.message) from None
    response = Response(made, media_type=_TYPES[name.rpartition(".")[2]])
    saved = f"{book.id.replace('/', '-')}-{name}"
    response.headers["Content-Disposition"] = f'attachment; filename="{saved}"'
    return guards.guarded(response)
