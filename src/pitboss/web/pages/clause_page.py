"""What a clause of a rule card costs, at a table or for the usual ante."""

import shlex

from pitboss.errors import refuse
from pitboss.lab.clause_costs import clause_cost
from pitboss.maths import takes_long
from pitboss.maths.price import HANDS_PER_HOUR, USUAL_ANTE_CENTS, At
from pitboss.rulebook.rule_card import rule_card
from pitboss.web.pages import rule_page
from pitboss.web.pages.renderer import Page
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.worked_out import WorkedOut
from pitboss.web.services import Services


async def look(web: Services, visit: Visit) -> Page:
    """What a clause costs: the game without it, and as other houses word it."""
    book, shelf = await rule_page.asked(web, visit), web.house.shelf
    query = visit.request.query_params
    clause, table = query.get("clause", ""), query.get("table", "")
    if clause not in rule_card(book).places():
        raise refuse("path/unknown", f"the rules of {book.game} cite no clause {clause[:40]!r}")
    at = At(USUAL_ANTE_CENTS)
    if table:
        live = (await web.table(table, visit.person)).table
        least = live.minimum_cents
        at = At(least, least, live.meter_cents)
    slow, found = takes_long(book), None
    if not slow:
        others = tuple(each for each in shelf.books if not takes_long(each))
        found = await web.kept(WorkedOut).of(web.house, clause_cost, book, clause, others, at)
    return Page(
        "clause.html",
        book=book,
        clause=clause,
        found=found,
        command=shlex.join(("pitboss", "rules", "cost", book.id, clause)),
        table=table,
        ante_cents=at.ante_cents,
        hands=HANDS_PER_HOUR,
        rules=rule_page.address(shelf, book, table=table),
        theirs={each.book.id: rule_page.address(shelf, each.book) for each in found.wordings}
        if found
        else {},
    )
