"""The floor: payoffs with what there is to verify, notices to be heard of, misdeals in two steps,
seats to be freed."""

from collections.abc import Collection

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.house import House
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import Person
from pitboss.house.replay import announced_at
from pitboss.house.storage.projections import LoadedTable, open_notices
from pitboss.house.table import commands as c
from pitboss.house.table.evolve import evolve
from pitboss.house.table.payoffs import PIT_ROLES, needs_second, notify_clause
from pitboss.house.table.state import CapNotice, Sitter
from pitboss.house.table.unit_of_work import settled
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round.machine import missing_grounds
from pitboss.rulebook.pit_rules import Misdeal
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.dealer import may_deal
from pitboss.web.pages.evidence import Waiting, payoffs_waiting, seat_name
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.table_forms import win_meant
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

MOST = 100
"""Tables that are listed."""


class Watched(msgspec.Struct, frozen=True):
    """A table as the floor sees it."""

    live: LoadedTable
    rules: str
    """Where its rule card is."""
    waiting: tuple[Waiting, ...]
    misdeals: tuple[Misdeal, ...]
    """Grounds on which you may call one now."""
    seats: tuple[tuple[int, Sitter], ...]
    """Those that you may free, and who sits there."""


class NoticeShown(msgspec.Struct, frozen=True):
    """The use of a ceiling, of which somebody must still hear."""

    live: LoadedTable
    """The table as it is now; it may be closed."""
    rules: str
    clause: str
    round: int
    notice: CapNotice
    late: bool
    """The gaming day within which they must is over."""
    roles: tuple[str, ...]
    """Those of yours for which it waits."""


async def look(
    web: Services, visit: Visit, wrong: Refusal | None = None, at: str = ""
) -> Page | Response:
    """Payoffs that wait, rounds that can be called off."""
    if not visit.person.id:
        return to("/sign-in")
    _works_here(visit)
    real = web.house.tables.count(practice=False)
    shown = web.house.tables.busiest(max(MOST, real))  # of practice tables no more than are listed
    tables = sorted([await _watched(web.house, live, visit.person) for live in shown], key=_urgency)
    status = guards.status(wrong) if wrong else 200
    notices = await _notices(web.house, visit.person)
    return Page(
        "floor.html",
        status,
        tables=tables[:MOST],
        notices=notices,
        wrong=wrong,
        at=at,
        deals_at=may_deal,
    )


async def _notices(house: House, who: Person) -> list[NoticeShown]:
    """Return what somebody must still hear of, the oldest first, and what waits for you before."""
    found = []
    for name, number, notice in await house.look(open_notices, house.archive):
        live = await house.table(name)
        told = NoticeShown(
            live=live,
            rules=rule_page.address(house.shelf, live.book),
            clause=notify_clause(live.book),
            round=number,
            notice=notice,
            late=house.settings.day(house.clock()) > notice.day,
            roles=tuple(role for role in notice.waits_for if role in who.roles),
        )
        found.append(told)
    return sorted(found, key=lambda each: (not each.roles, each.notice.day, each.live.table.id))


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
    grounds = _grounds(live, visit.person.roles)
    if not grounds:
        raise refuse("misdeal/not-now", "there is no round here that you may call off now")
    called = e.MisdealCalled(grounds[0].cause, "", "")  # what goes back is the same on any
    void = settled(book, evolve(book, table, called), house.settings.day(house.clock()))
    chosen = visit.request.query_params.get("cause", "")
    return Page(
        "misdeal.html",
        table=table,
        book=book,
        rules=rule_page.address(house.shelf, book),
        grounds=grounds,
        chosen=next((each for each in grounds if each.cause == chosen), None),
        back=[(seat_name(table, each.seat), each) for each in void.seats],
        total_cents=sum(line.returned_cents for each in void.seats for line in each.lines),
        second=needs_second(table),
    )


async def act(web: Services, visit: Visit) -> Page | Response:
    """Approve a payoff, acknowledge a notice, call a misdeal, free a seat."""
    table = visit.path("table")
    try:
        command = _asked(visit, await web.house.table(table))
        await web.house.command(table, visit.person.id, command, visit.key, session=visit.session)
    except (Refused, Unreadable) as error:
        return await look(web, visit, guards.refusal(error), table)
    return await look(web, visit) if visit.part else to("/floor")


def _urgency(each: Watched) -> tuple[bool, bool, bool, str]:
    """What waits comes first, and play chips last."""
    table = each.live.table
    return table.practice, not each.waiting, not each.misdeals, table.id


async def _watched(house: House, live: LoadedTable, who: Person) -> Watched:
    table, book, roles = live.table, live.book, tuple(who.roles)
    since = await house.look(announced_at, house.archive, table) if table.announced else {}
    seats = [(number, each) for number, each in table.sitters.items() if not each.leaving]
    return Watched(
        live=live,
        rules=rule_page.address(house.shelf, book),
        waiting=tuple(payoffs_waiting(live, roles, since, house.settings.day(house.clock()))),
        misdeals=_grounds(live, roles),
        seats=tuple(seats) if may({*roles}, "free-seat") else (),
    )


def _grounds(live: LoadedTable, roles: Collection[str]) -> tuple[Misdeal, ...]:
    """Return the grounds on which somebody may call the round off now."""
    table = live.table
    if table.round.phase not in ("playing", "settling"):
        return ()
    agreed = table.void.cause if table.void is not None else ""
    return tuple(
        rule
        for rule in live.book.misdeal
        if (any(live.book.allows(role, rule.by) for role in roles) or rule.cause == agreed)
        and not (rule.real_cards and table.locked)
        and not missing_grounds(live.book, table.round, rule)
    )


def _asked(visit: Visit, live: LoadedTable) -> c.Command:
    """Read what a form asks for; a ruling must be about the round that is being played now."""
    table = live.table
    if visit.field("do") == "free":
        number, _, person = visit.field("seat").partition(" ")
        why = visit.field("why")[:200]
        if not (why and number.isdecimal()):
            raise Unreadable("say whose seat is freed, and why", "why")
        return c.FreeSeat(int(number[:9]), person[:40], why)
    if visit.field("do") == "acknowledge":
        return c.AcknowledgeNotice(visit.number("round"), visit.field("role")[:40])
    if visit.number("round") != table.number:
        message = "this was about another round: look at the table as it stands now"
        raise refuse("command/late", message, "", "round")
    if visit.field("do") == "misdeal":
        cause = visit.field("cause")[:40]
        callers = next((rule.by for rule in live.book.misdeal if rule.cause == cause), ())
        said = table.void.role if table.void is not None else ""
        pit = [each for each in visit.person.roles if each in PIT_ROLES]
        roles = [each for each in pit if each != said] or pit
        able = (each for each in roles if live.book.allows(each, callers))
        role = next(able, roles[0] if roles else "")
        return a.CallMisdeal(cause, role)
    if visit.field("do") != "approve":
        raise Unreadable("this form asks for nothing that is done here", "do")
    return c.ApprovePayoff(win_meant(visit, table), visit.field("role"))
