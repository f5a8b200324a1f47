"""Two rulebooks side by side, with what each difference is worth."""

from pitboss.house.storage import codec
from pitboss.lab.comparison import compared
from pitboss.lab.questions import Experiment
from pitboss.maths import takes_long
from pitboss.web.pages import rule_page
from pitboss.web.pages.awaited import Awaited, awaited
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services


async def look(web: Services, visit: Visit) -> Page:
    """Two rulebooks side by side, with what each difference is worth."""
    house, chosen = web.house, []
    for name in ("a", "b"):
        wanted = visit.request.query_params.get(name, "")
        if wanted:
            chosen.append(await rule_page.known(web, wanted))
    told = None
    if len(chosen) == 2 and any(map(takes_long, chosen)):
        asked = Experiment(beside=codec.rulebook_text(chosen[1]))
        told = awaited(web, visit, "comparison", chosen[0], asked)
    elif len(chosen) == 2:
        told = Awaited(await web.kept(WorkedOut).of(house, compared, *chosen))
    return Page(
        "compare.html",
        books=sorted(house.shelf.books, key=lambda book: (book.game, book.house)),
        chosen=chosen,
        names=[book.house for book in chosen]
        if len({book.house for book in chosen}) > 1
        else [book.game for book in chosen],
        rules=[rule_page.address(house.shelf, book) for book in chosen],
        told=told,
    )
