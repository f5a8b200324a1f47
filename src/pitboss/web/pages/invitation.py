"""Invitations to practice tables: a link for others, and the page that it leads to.

The secret stands behind the link's ``#``, which no browser sends: it is in no log and no referrer.
"""

from starlette.responses import Response

from pitboss.errors import Refusal, Refused, refuse
from pitboss.web import guards
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit, as_guest
from pitboss.web.services import Services

LONGEST = 100


async def invite(web: Services, visit: Visit) -> Page:
    """Make a link to your practice table for others; an earlier one is worth nothing."""
    live = await web.table(visit.path("table"), visit.person)
    made = await web.house.invite(live.table.id, visit.person.id, visit.session)
    host = guards.header(visit.request, b"host")
    link = f"{visit.request.url.scheme}://{host}/invited#{made}"
    return Page("invitation.html", book=live.book, table=live.table.id, link=link)


async def look(_web: Services, _visit: Visit, wrong: Refusal | None = None) -> Page:
    """Where an invitation leads: to the table, at once or with a click."""
    return Page("invited.html", guards.status(wrong) if wrong else 200, wrong=wrong)


async def enter(web: Services, visit: Visit) -> Page | Response:
    """Come to a practice table by an invitation."""
    shown = visit.field("invitation").rpartition("#")[2][:LONGEST]
    try:
        if not visit.person.id:
            await as_guest(web, visit)
        return to(f"/tables/{await web.house.enter(shown, visit.person.id, visit.session)}")
    except Refused as refused:
        wrong = refused.refusal
        if wrong.code == "table/unknown":
            message = "this invitation leads nowhere: the table is closed, or the link is another"
            wrong = refuse("table/unknown", f"{message} by now. Ask for a new one").refusal
        return await look(web, visit, wrong)
