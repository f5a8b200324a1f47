"""The lab: every number of a rulebook to turn, and its exact price beside it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from pitboss.lab.controls import Control, edited, variant_file
from pitboss.lab.questions import SLOW, Experiment
from pitboss.lab.report import antes
from pitboss.maths import takes_long
from pitboss.money import short
from pitboss.rulebook import Rulebook
from pitboss.rulebook.money_rules import USUAL_MINIMUM_CENTS
from pitboss.web import guards, lab_desk
from pitboss.web.lab_desk import NO_ANTE, LabState
from pitboss.web.pages import lab_design, lab_figures, lab_views, rule_page
from pitboss.web.pages.lab_views import books, viewed
from pitboss.web.pages.lab_visit import LabVisit, address, looked, read, tab_of, turning
from pitboss.web.pages.lobby import sit_down
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit, as_guest
from pitboss.web.services import Services
from pitboss.web.workers import LongWork


class Turned(msgspec.Struct, frozen=True):
    """A control as it stands."""

    control: Control
    value: str
    changed: bool
    wrong: str = ""


# Pages --------------------------------------------------------------------------------------------


async def choose(web: Services, visit: Visit) -> Page | Response:
    """The rulebooks that the lab takes apart."""
    wanted = visit.request.query_params.get("book", "")
    if wanted:
        return to(f"/lab/{(await rule_page.known(web, wanted)).id}")
    return Page("lab-choice.html", books=books(web), slow=[*map(takes_long, books(web))])


async def look(web: Services, visit: Visit) -> Page | Response:
    """A rulebook in the lab, with what is changed and what that comes to."""
    seen = await looked(web, visit)
    if lab_desk.query(seen.typed) != lab_desk.query(seen.state) and not seen.now.refused:
        return to(seen.address)
    view, board = await viewed(web, visit, seen), _board(seen)
    return Page(
        "lab.html",
        **_told(web, seen, board),
        groups=_grouped(_turned(seen)),
        table=_table(seen),
        rules=rule_page.address(web.house.shelf, seen.book),
        **view,
    )


async def figures(web: Services, visit: Visit) -> Page:
    """The figures alone: what the script asks for while somebody drags."""
    seen = await looked(web, visit)
    return Page("lab-figures.html", **_told(web, seen, _board(seen)))


async def view(web: Services, visit: Visit) -> Page:
    """What stands below the figures, alone."""
    seen = await looked(web, visit)
    return Page("lab-view.html", **_told(web, seen, None), **await viewed(web, visit, seen))


async def save(web: Services, visit: Visit) -> Response:
    """A rulebook with its changes, as a file that stands."""
    web.bound("lab", visit.request, visit.person.id, cost=4)
    book, state = await read(web, visit)
    changed = await web.house.look(edited, book, state.changes)
    name = changed.id.replace("/", "-")
    response = Response(variant_file(book, changed), media_type="application/toml")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.toml"'
    return guards.guarded(response)


async def act(web: Services, visit: Visit) -> Page | Response:
    """Play a rulebook with its changes at a practice table, or begin or stop what takes long."""
    do = visit.field("do")
    filled = {name: said for name, said in visit.body.items() if name.startswith("design.")}
    book, state = await read(web, visit, visit.field("state"), filled)
    if do == "play":
        return await _play(web, visit, book, state)
    web.bound("lab", visit.request, visit.person.id, cost=4)
    long, who = web.kept(LongWork), visit.audience.person
    question = do if do in _LONG else "design" if do == "stop" else ""
    if question:
        asked = _LONG[question](book, state)
        if do == "stop":
            lab_desk.stop(long, question, book, asked, who)
        elif question != "design" or asked.design is not None:
            lab_desk.begin(long, question, book, asked, who, tab_of(visit))
    return to(address(book, state) + ("#view" if state.show else ""))


_LONG: Mapping[str, Callable[[Rulebook, LabState], Experiment]] = {
    "exact": lambda book, state: Experiment(state.changes, lab_desk.at(state, book)),
    "known-cards": lambda book, state: Experiment(
        state.changes, lab_desk.at(state, book), backs=lab_views.backs(state.backs)
    ),
    "design": lab_design.asked,
}
"""What takes long, and what is asked then."""


async def _play(web: Services, visit: Visit, book: Rulebook, state: LabState) -> Response:
    web.bound("variant", visit.request)
    changed = await web.house.look(edited, book, state.changes)
    if not visit.person.id:
        await as_guest(web, visit)
    if changed is not book:
        web.house.offer(changed)
    seats = await sit_down(web, visit, changed.id, bots=2)
    return to(seats)


# What is shown ------------------------------------------------------------------------------------


def _told(web: Services, seen: LabVisit, board: lab_figures.Board | None) -> dict[str, Any]:
    long = web.kept(LongWork)
    return {
        "book": seen.book,
        "seen": seen,
        "board": board,
        "query": lab_desk.query(seen.state),
        "working": lab_desk.place(long, "exact", seen.book, seen.asked),
        "first": lab_desk.place(long, "exact", seen.book, lab_desk.POSTED) if board is None else 0,
        "slow": seen.now.why == SLOW,
        "changes": _changes(seen),
    }


def _board(seen: LabVisit) -> lab_figures.Board | None:
    return lab_figures.board(seen.book, seen.now, seen.posted)


def _changes(seen: LabVisit) -> list[tuple[Control, str]]:
    taken = seen.now.taken
    return [(each, taken[each.path]) for each in turning(seen.book) if each.path in taken]


def _turned(seen: LabVisit) -> list[Turned]:
    now = seen.now
    return [
        Turned(
            each,
            seen.typed.changes[each.path]
            if each.path in now.refused
            else now.taken.get(each.path, each.posted),
            each.path in now.taken,
            now.refused.get(each.path, ""),
        )
        for each in turning(seen.book)
    ]


def _grouped(several: Iterable[Turned]) -> dict[str, list[Turned]]:
    found: dict[str, list[Turned]] = {}
    for each in several:
        found.setdefault(each.control.group, []).append(each)
    return found


def _table(seen: LabVisit) -> list[Turned]:
    """Return the controls of the table at which it is priced."""
    book, state, wrong = seen.book, seen.state, seen.now.refused
    least = book.limits.minimum.least(USUAL_MINIMUM_CENTS)
    sums = tuple(short(each) for each in antes(book, 1_00))
    usual = lab_desk.usual_ante(book)
    posted = NO_ANTE if usual is None else short(usual)
    found = [("ante", "Ante", posted, (NO_ANTE, *sums), state.ante)]
    if any(cap.growth for cap in book.cap):
        found.append(("minimum", "Posted minimum", short(least), sums, state.minimum))
    if book.progressive is not None:
        reseed = next(each for each in turning(book) if each.path == "progressive.reseed")
        steps = tuple(each.removesuffix(".00") for each in reseed.steps)
        seed = reseed.posted.removesuffix(".00")
        found.append(("meter", "Meter", seed, steps, state.meter))
    return [
        Turned(
            Control(name, "The table", title, "", "money", posted, _with(steps, posted)),
            getattr(seen.typed, name) if name in wrong else value or posted,
            bool(value),
            wrong.get(name, ""),
        )
        for name, title, posted, steps, value in found
    ]


def _with(steps: tuple[str, ...], posted: str) -> tuple[str, ...]:
    return steps if posted in steps else (posted, *steps)
