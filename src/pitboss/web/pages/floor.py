"""The floor: what waits for you first, then every table of the pit, and what you may do there."""

from collections.abc import Iterable, Sequence

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house import floor
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import ROLES
from pitboss.house.storage import codec
from pitboss.house.storage.projections import LoadedTable, open_notices
from pitboss.house.table import commands as c
from pitboss.house.table.evolve import evolve
from pitboss.house.table.payoffs import needs_second, notify_clause
from pitboss.house.table.state import CapNotice
from pitboss.house.table.unit_of_work import settled
from pitboss.house.waiting import TableLook, Task, waiting, waiting_for_others
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.dealer import may_deal
from pitboss.web.pages.evidence import Waiting, payoffs_waiting, seat_name
from pitboss.web.pages.floor_forms import asked
from pitboss.web.pages.floor_tables import FloorTable, floor_table, grounds
from pitboss.web.pages.people import spoken
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.table_status import credit_lines
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.wording import counted

MOST = 100
"""Tables that are listed."""

PAGES = {
    "correction": "/floor/{table}/correct",
    "adjustment": "/rounds/{table}-{round}/correct",
    "form": "/papers",
    "held": "/papers",
    "red-light": "/floor/{table}/misdeal",
    "dealer": "/tables/{table}/deal",
}
"""Where it is looked at before anything is done about it, by the kind of what waits."""


class TaskShown(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for you, with what there is to see of it."""

    task: Task
    live: LoadedTable
    book: Rulebook
    """Of the round that it is about."""
    rules: str
    key: str
    age: str
    """For how long it has waited, in words."""
    page: str
    """Where it is looked at first; empty, where it is done here."""
    evidence: Waiting | None
    ways: tuple[tuple[str, str], ...]
    """What each button says, and the command behind it as a program writes it."""
    whose: str
    """Who may do it, where that goes by roles."""


class NoticeShown(msgspec.Struct, frozen=True):
    """The use of a ceiling, of which others must still hear."""

    live: LoadedTable
    """The table as it is now; it may be closed."""
    book: Rulebook
    """Of the round."""
    rules: str
    clause: str
    round: int
    notice: CapNotice
    late: bool
    """The gaming day within which they must is over."""


async def look(
    web: Services, visit: Visit, wrong: Refusal | None = None, at: str = ""
) -> Page | Response:
    """What waits for you, and all tables of the pit."""
    if not visit.person.id:
        return to("/sign-in")
    _works_here(visit)
    house, who = web.house, visit.person
    real = house.tables.count(practice=False)
    shown = house.tables.busiest(max(MOST, real))  # of practice tables no more than are listed
    tables = [await floor_table(house, live, who) for live in shown]
    tasks, others = await _tasks(web, visit, shown)
    at_task = visit.field("task") if wrong else ""
    places = {each.key for each in tasks} if at_task else {each.live.table.id for each in tables}
    here = (at_task or at) in places
    return Page(
        "floor.html",
        guards.status(wrong) if wrong and not visit.part else 200,
        tasks=tasks,
        others=others,
        tables=sorted(tables, key=_order)[:MOST],
        notices=await _notices(web, visit),
        day=house.settings.day(house.clock()),
        wrong=wrong,
        at=at,
        at_task=at_task,
        nowhere=wrong is not None and not here,
        form=visit.field,
        deals_at=may_deal,
        credits=credit_lines,
    )


async def _tasks(
    web: Services, visit: Visit, tables: Sequence[LoadedTable]
) -> tuple[list[TaskShown], list[TaskShown]]:
    """Return what waits for who looks, and what waits for others."""
    house, who = web.house, visit.person
    looks = await floor.looks(house, who, tables)
    mine = waiting(looks, await floor.kept(house, who.id, frozenset(who.roles)))
    everywhere = await floor.kept(house, "", frozenset(ROLES))
    others = waiting_for_others(looks, everywhere, mine)
    return await _shown(web, visit, looks, mine), await _shown(web, visit, looks, others)


async def _shown(
    web: Services, visit: Visit, looks: Sequence[TableLook], tasks: Iterable[Task]
) -> list[TaskShown]:
    house, who = web.house, visit.person
    now = house.clock()
    since = {look.table.id: look.since for look in looks}
    played = {look.table.id: look.played_by for look in looks}
    found = []
    for task in tasks:
        live, asked_at = await house.table(task.table), since.get(task.table, {})
        times = {seat: asked_at.get(f"payoff {seat}", 0) for seat in live.table.announced}
        payoffs = payoffs_waiting(live, tuple(who.roles), times, house.settings.day(now))
        of_seat = (each for each in payoffs if each.seat == task.seat)
        book = played.get(task.table, {}).get(task.round, live.book)
        found.append(
            TaskShown(
                task=task,
                live=live,
                book=book,
                rules=rule_page.address(house.shelf, book),
                key=f"{task.table} {task.kind} {task.round} {task.seat}",
                age=_age(now - task.since) if task.since else "",
                page=PAGES.get(task.kind, "").format(table=task.table, round=task.round),
                evidence=next(of_seat, None) if task.kind == "payoff" else None,
                ways=tuple((way.says, codec.text(way.command)) for way in task.ways),
                whose=spoken({getattr(way.command, "role", "") for way in task.ways} - {""}),
            )
        )
    return found


def _age(ms: int) -> str:
    """Say for how long something has waited.

    >>> _age(20_000), _age(61_000), _age(7_500_000), _age(200_000_000)
    ('under a minute', 'for one minute', 'for two hours', 'for two days')
    """
    for name, long in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)):
        if ms >= long:
            return f"for {counted(ms // long, name)}"
    return "under a minute"


async def _notices(web: Services, visit: Visit) -> list[NoticeShown]:
    """Return what others must still hear of, the oldest first."""
    house, found = web.house, []
    for name, number, notice in await house.look(open_notices, house.archive):
        if {*notice.waits_for} <= {*visit.person.roles}:
            continue  # it is in the list of what waits for you
        live = await house.table(name)
        book = await house.look(floor.played_by, house.archive, live, number)
        found.append(
            NoticeShown(
                live=live,
                book=book,
                rules=rule_page.address(house.shelf, book),
                clause=notify_clause(book),
                round=number,
                notice=notice,
                late=house.settings.day(house.clock()) > notice.day,
            )
        )
    return sorted(found, key=lambda each: (each.notice.day, each.live.table.id))


def _works_here(visit: Visit) -> None:
    if not may(frozenset(visit.person.roles), "watch-floor"):
        raise refuse("role/not-yours", "the floor is for people who work in the pit")


async def misdeal(web: Services, visit: Visit) -> Page | Response:
    """On which ground a round is called off, and what goes back to whom."""
    if not visit.person.id:
        return to("/sign-in")
    _works_here(visit)
    house, live = web.house, await web.house.table(visit.path("table"))
    table, book = live.table, live.book
    possible = grounds(live, frozenset(visit.person.roles), visit.person.id)
    if not possible:
        raise refuse("misdeal/not-now", "there is no round here that you may call off now")
    called = e.MisdealCalled(possible[0].cause, "", "")  # what goes back is the same on any
    void = settled(book, evolve(book, table, called), house.settings.day(house.clock()))
    cause = visit.request.query_params.get("cause", "")
    chosen = next((each for each in possible if each.cause == cause), None)
    first = table.void if table.void is not None and not table.void.seat else None
    return Page(
        "misdeal.html",
        table=table,
        book=book,
        rules=rule_page.address(house.shelf, book),
        grounds=possible,
        chosen=chosen,
        first=first if first is not None and first.cause == cause else None,
        back=[(seat_name(table, each.seat), each) for each in void.seats],
        total_cents=sum(line.returned_cents for each in void.seats for line in each.lines),
        second=needs_second(table),
    )


async def act(web: Services, visit: Visit) -> Page | Response:
    """Do what a form of the floor asks for."""
    table = visit.path("table")
    try:
        live = await web.house.table(table)
        command = asked(visit, live)
        if visit.field("do") == "way":
            await _still_waits(web, visit, live, command)
        await web.house.command(table, visit.person.id, command, visit.key, session=visit.session)
    except (Refused, Unreadable) as error:
        return await look(web, visit, guards.refusal(error), table)
    return await look(web, visit) if visit.part else to("/floor")


async def _still_waits(web: Services, visit: Visit, live: LoadedTable, command: c.Command) -> None:
    """Refuse what is no button of the list by now: nothing else is asked for in this way."""
    looks = await floor.looks(web.house, visit.person, [live])
    tasks = waiting(look for look in looks if look.table.id == live.table.id)
    if command not in [way.command for task in tasks for way in task.ways]:
        message = "this does not wait for you any more: look at the list as it stands now"
        raise refuse("command/late", message)


def _order(each: FloorTable) -> tuple[bool, bool, str]:
    """Play chips come last, and tables at which nothing happens behind the others."""
    table = each.live.table
    return table.practice, not table.sitters, table.id
