"""What a clause of a rule card costs, at a table or for the usual ante."""

from pitboss.errors import refuse
from pitboss.house.storage import codec
from pitboss.lab.clause_costs import alike, clause_cost, sentences
from pitboss.lab.questions import Experiment
from pitboss.maths import takes_long
from pitboss.maths.price import HANDS_PER_HOUR, USUAL_ANTE_CENTS, At
from pitboss.money import Cents
from pitboss.rulebook.variants import put
from pitboss.web.pages import rule_page
from pitboss.web.pages.awaited import Awaited, awaited
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services


async def look(web: Services, visit: Visit) -> Page:
    """What a clause costs: the game without it, and as other houses word it."""
    book, shelf = await rule_page.asked(web, visit), web.house.shelf
    query = visit.request.query_params
    clause, table = query.get("clause", ""), query.get("table", "")
    says = sentences(book, clause)
    if not says:
        raise refuse("path/unknown", f"the rules of {book.game} cite no clause {clause[:40]!r}")
    at, priced = At(USUAL_ANTE_CENTS), book
    if table:
        live = (await web.table(table, visit.person)).table
        least = live.minimum_cents
        at = At(least, least, live.meter_cents)
        if book.progressive is not None and live.token_cents is not None:
            token = f"spot.{book.progressive.spot}.fixed"
            priced = put(book, token, Cents(live.token_cents))
    others = tuple(each for each in shelf.books if alike(book, each))
    if any(map(takes_long, (book, *others))):
        texts = tuple(map(codec.rulebook_text, others))
        asked = Experiment(at=at, clause=clause, others=texts)
        told = awaited(web, visit, "clause", priced, asked)
    else:
        worked_out = web.kept(WorkedOut).of(web.house, clause_cost, priced, clause, others, at)
        told = Awaited(await worked_out)
    return Page(
        "clause.html",
        book=book,
        clause=clause,
        says=says,
        told=told,
        table=table,
        ante_cents=at.ante_cents,
        hands=HANDS_PER_HOUR,
        rules=rule_page.address(shelf, book, table=table),
        theirs={each.id: rule_page.address(shelf, each) for each in others},
    )
