"""What stands below the figures of the lab: one view at a time, each with what its part needs."""

from typing import Any

from msgspec.structs import replace

from pitboss.errors import Refused, Unreadable, Unsolved
from pitboss.house.storage import codec
from pitboss.maths import takes_long
from pitboss.rulebook import Rulebook
from pitboss.web import lab_desk
from pitboss.web.pages import lab_design, lab_risk, rule_page
from pitboss.web.pages.awaited import Awaited, awaited
from pitboss.web.pages.lab_visit import FIRST, VIEWS, LabVisit, address, ask
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.web.workers import LongWork


def books(web: Services) -> list[Rulebook]:
    """Return the rulebooks of the house, by game."""
    return sorted(web.house.shelf.books, key=lambda book: (book.game, book.house))


async def viewed(web: Services, visit: Visit, seen: LabVisit) -> dict[str, Any]:
    """Return what the view needs that is looked at."""
    shown = seen.state.show or FIRST
    if shown not in VIEWS:
        raise Unreadable(f"the views are {', '.join(VIEWS)}", "show")
    found: dict[str, Any] = {"views": VIEWS, "shown": shown, "why": "", "busy": ""}
    found["books"] = books(web)
    for each in VIEWS:
        state = replace(seen.state, show="" if each == FIRST else each)
        found.setdefault("links", {})[each] = address(seen.book, state)
    try:
        found |= await _VIEWED[shown](web, visit, seen)
    except Unsolved as error:
        found["why"] = error.message
    except Refused as refused:
        found["busy"] = refused.refusal.message
    return found


async def _best_play(web: Services, visit: Visit, seen: LabVisit) -> dict[str, Any]:
    return {"sheet": await ask(web, visit, "best-play", seen.book, seen.asked)}


async def _differences(web: Services, visit: Visit, seen: LabVisit) -> dict[str, Any]:
    other = seen.book
    asked = seen.asked
    if seen.state.beside:
        other = await rule_page.known(web, seen.state.beside)
        asked = replace(asked, beside=codec.rulebook_text(other))
    elif not seen.now.taken:
        return {"told": None, "other": None}
    if takes_long(seen.book) or takes_long(other):
        told = awaited(web, visit, "comparison", seen.book, asked)
    else:
        told = Awaited(await ask(web, visit, "comparison", seen.book, asked))
    return {"told": told, "other": other if seen.state.beside else None}


async def _known_cards(web: Services, visit: Visit, seen: LabVisit) -> dict[str, Any]:
    asked = replace(seen.asked, backs=backs(seen.state.backs))
    found = {"known": None, "known_slow": seen.book.qualifier is not None, "place": 0, "wrong": ""}
    try:
        if not found["known_slow"]:
            return found | {"known": await ask(web, visit, "known-cards", seen.book, asked)}
        long = web.kept(LongWork)
        found["place"] = lab_desk.place(long, "known-cards", seen.book, asked)
        return found | {"known": lab_desk.done(long, "known-cards", seen.book, asked)}
    except Unreadable as error:
        return found | {"wrong": error.message}


def backs(written: str) -> tuple[str, ...]:
    """Read groups of ranks."""
    return tuple(written.replace(",", " ").split())


async def _design(web: Services, visit: Visit, seen: LabVisit) -> dict[str, Any]:
    return lab_design.shown(web.kept(LongWork), seen, visit.audience.person)


_VIEWED = {
    "best-play": _best_play,
    "differences": _differences,
    "known-cards": _known_cards,
    "design": _design,
    "risk": lab_risk.shown,
}
