"""Somebody in the lab: what the address asks for, priced beside the posted rules."""

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.lab.controls import Control, controls
from pitboss.lab.questions import SLOW, Experiment, TrialFigures
from pitboss.rulebook import Rulebook
from pitboss.rulebook.once import once
from pitboss.web import guards, lab_desk
from pitboss.web.lab_desk import Lab, LabState
from pitboss.web.pages import rule_page
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.web.workers import LongWork

VIEWS = {
    "best-play": "Best play and price by ante",
    "differences": "What each change costs",
    "known-cards": "Exposed and marked cards",
    "design": "Find a pay table",
    "risk": "What may happen to the money",
}
"""What stands below the figures, one at a time: its name in the address, and its title."""

FIRST = next(iter(VIEWS))


class LabVisit(msgspec.Struct, frozen=True):
    """What somebody looks at in the lab."""

    book: Rulebook
    state: LabState
    """As the address has it, canonically."""
    asked: Experiment
    now: TrialFigures
    posted: TrialFigures
    typed: LabState
    """As it came."""

    @property
    def address(self) -> str:
        return address(self.book, self.state)

    def without(self, *names: str) -> str:
        """Return what a form carries along: all of the address but what it says itself."""
        plain = LabState()
        state = replace(self.state, **{each: getattr(plain, each) for each in names})
        return lab_desk.query(state)

    def hidden(self, *names: str) -> list[tuple[str, str]]:
        """Return the same as fields."""
        return parse_qsl(self.without(*names))


def address(book: Rulebook, state: LabState, page: str = "") -> str:
    """Return where a state of the lab is."""
    said = lab_desk.query(state)
    return f"/lab/{book.id}{page}" + (f"?{said}" if said else "")


@once
def turning(book: Rulebook) -> tuple[Control, ...]:
    return controls(book)


async def read(
    web: Services, visit: Visit, written: str = "", fields: Mapping[str, str] | None = None
) -> tuple[Rulebook, LabState]:
    """Read the address, or a form's: the state that it stands in, and what is filled in besides."""
    query = visit.request.query_params.multi_items()
    if written:
        query = parse_qsl(written)
    state = lab_desk.read([*query, *(fields or {}).items()])
    book = await rule_page.known(web, visit.path("book"), state.version)
    return book, state


async def looked(web: Services, visit: Visit) -> LabVisit:
    """Read the address and have it priced, beside the posted rules."""
    web.bound("lab", visit.request, visit.person.id)
    book, state = await read(web, visit)
    wrong = lab_desk.amiss(state, book)
    kept = replace(state, **dict.fromkeys(wrong, ""))
    table = lab_desk.at(kept, book)
    who, where = _whose(visit)
    lab, long, asked = web.kept(Lab), web.kept(LongWork), Experiment(state.changes, table)
    now, posted = await asyncio.gather(
        lab_desk.figures(lab, long, book, asked, who, where),
        lab_desk.figures(lab, long, book, Experiment({}, table), f"{who} posted", where),
    )
    if posted.par is None and posted.why == SLOW:
        lab_desk.begin_posted(long, book)
    if posted.bound:  # with cents and ceilings of this table: nothing is told apart from a bound
        posted = replace(posted, par=None, events=())
    for path in now.refused:
        if path not in {each.path for each in turning(book)}:
            raise Unreadable(now.refused[path], path[:100])
    clean = lab_desk.canonical(kept, now.taken, book)
    now = replace(now, refused=now.refused | wrong)
    if state.show == FIRST:
        clean = replace(clean, show="")
    return LabVisit(book, clean, Experiment(now.taken, table), now, posted, state)


async def ask(web: Services, visit: Visit, question: str, book: Rulebook, asked: Experiment) -> Any:
    """Have a question answered that is waited for."""
    return await web.kept(Lab).ask(question, book, asked, *_whose(visit))


def _whose(visit: Visit) -> tuple[str, str]:
    """Return whose question it is, page by page, and from where."""
    tab = tab_of(visit) or secrets.token_hex(4)
    return f"{visit.audience.person} {tab}", guards.address(visit.request)


def tab_of(visit: Visit) -> str:
    """Return which of somebody's pages it is, where its script says so."""
    return guards.header(visit.request, b"x-lab")[:20]
