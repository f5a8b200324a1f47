"""The tax desk: what waits for papers, what is kept, and the forms that were made out."""

import msgspec
from starlette.responses import Response

from pitboss.errors import refuse
from pitboss.house.books.papers import FormRecord
from pitboss.house.paper_list import (
    DueForms,
    HeldSum,
    OwedSum,
    claims,
    due_forms,
    held_sums,
    made_out,
)
from pitboss.house.people import permissions
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.web.form_sheet import sheet
from pitboss.web.guards import guarded
from pitboss.web.pipeline import Call
from pitboss.web.services import Services

PDF = "application/pdf"
MOST = 500
"""Forms that are listed, the newest."""


class FormSummary(msgspec.Struct, frozen=True):
    """A form that was made out, in the list; the whole of it is a page of PDF."""

    id: str
    form: str
    state: str
    """``completed``, or ``corrected`` since."""
    day: str
    person: str
    payee: str
    number_ends: str
    """The last digits of the taxpayer's number."""
    wager: str
    staked_cents: int
    reportable_cents: int
    withheld_cents: int


class PapersAnswer(msgspec.Struct, frozen=True):
    """What there is at the tax desk."""

    due: list[DueForms]
    held: list[HeldSum]
    claims: list[OwedSum]
    """What people were paid too much and owe."""
    forms: list[FormSummary]
    """The newest."""


async def papers(web: Services, call: Call[None]) -> PapersAnswer:
    """Payoffs that need forms, winnings that are kept and what is owed with their age, and forms,
    for staff."""
    return await look(web, call.person)


async def look(web: Services, who: Person) -> PapersAnswer:
    permissions.allow(who.roles, "see-papers")
    forms = (await made_out(web.house))[:MOST]
    return PapersAnswer(
        due=due_forms(web.house.tables),
        held=await held_sums(web.house),
        claims=await claims(web.house),
        forms=[_summary(form) for form in forms],
    )


_SAME = ("id", "form", "state", "person", "wager")
_SUMS = ("staked_cents", "reportable_cents", "withheld_cents")


def _summary(form: FormRecord) -> FormSummary:
    return FormSummary(
        **{name: getattr(form, name) for name in (*_SAME, *_SUMS)},
        day=str(form.day),
        payee=form.payee.name,
        number_ends=form.payee.tin[-4:],
    )


async def form(web: Services, call: Call[None]) -> Response:
    """A form with its boxes, as PDF, for staff."""
    permissions.allow(call.person.roles, "see-papers")
    name = call.path("form").removesuffix(".pdf")
    kept = await web.house.look(web.house.archive.kept, "form", name)
    if kept is None:
        raise refuse("form/unknown", f"there is no form {name[:120]!r}")
    written = await web.house.look(sheet, codec.form(kept))
    response = Response(written, media_type=PDF)
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return guarded(response)
