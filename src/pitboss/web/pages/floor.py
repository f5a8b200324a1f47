"""The floor page, the least that staff needs: payoffs, misdeals, seats to be freed."""

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import Person
from pitboss.house.rulebook_shelf import Shelf
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table.payoffs import PIT_ROLES, unapproved
from pitboss.house.table.state import Sitter
from pitboss.round import actions as a
from pitboss.rulebook.pit_rules import Misdeal
from pitboss.settle.approvals import label
from pitboss.web import guards
from pitboss.web.pages import rule_page
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services
from pitboss.wording import listed, spaced

MOST = 100
"""Tables that are listed."""


class Waiting(msgspec.Struct, frozen=True):
    """A payoff that waits for approval."""

    seat: int
    name: str
    won_cents: int
    needs: str
    roles: tuple[str, ...]
    """Those of yours in which you may approve it."""


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


async def look(
    web: Services, visit: Visit, wrong: Refusal | None = None, at: str = ""
) -> Page | Response:
    """Payoffs that wait, rounds that can be called off."""
    if not visit.person.id:
        return to("/sign-in")
    if not may(frozenset(visit.person.roles), "watch-floor"):
        raise refuse("role/not-yours", "the floor is for people who work in the pit")
    real = web.house.tables.count(practice=False)
    shown = web.house.tables.busiest(max(MOST, real))  # of practice tables no more than are listed
    tables = sorted((_watched(web.house.shelf, live, visit.person) for live in shown), key=_urgency)
    status = guards.status(wrong) if wrong else 200
    return Page("floor.html", status, tables=tables[:MOST], wrong=wrong, at=at)


async def act(web: Services, visit: Visit) -> Page | Response:
    """Approve a payoff, call a misdeal, free a seat."""
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


def _watched(shelf: Shelf, live: LoadedTable, who: Person) -> Watched:
    table, book, roles = live.table, live.book, tuple(who.roles)
    misdeals: tuple[Misdeal, ...] = ()
    if table.under_way and table.round.phase in ("playing", "settling"):
        agreed = table.void.cause if table.void is not None else ""
        misdeals = tuple(
            rule
            for rule in book.misdeal
            if (set(rule.by) & set(roles) or rule.cause == agreed)
            and not (rule.real_cards and table.locked)
        )
    waiting = tuple(
        Waiting(
            seat,
            table.sitters[seat].name if seat in table.sitters else f"Seat {seat}",
            won,
            listed(spaced(label(rule)) for rule in needed),
            tuple(role for role in roles if any(role in rule.by for rule in needed)),
        )
        for seat, won in table.announced.items()
        if (needed := unapproved(book, table, seat))
    )
    seats = [(number, each) for number, each in table.sitters.items() if not each.leaving]
    return Watched(
        live=live,
        rules=rule_page.address(shelf, book),
        waiting=waiting,
        misdeals=misdeals,
        seats=tuple(seats) if may({*roles}, "free-seat") else (),
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
    if visit.number("round") != table.number:
        message = "this was about another round: look at the table as it stands now"
        raise refuse("command/late", message, "", "round")
    if visit.field("do") == "misdeal":
        cause = visit.field("cause")[:40]
        callers = next((rule.by for rule in live.book.misdeal if rule.cause == cause), ())
        said = table.void.role if table.void is not None else ""
        pit = [each for each in visit.person.roles if each in PIT_ROLES]
        roles = [each for each in pit if each != said] or pit
        role = next((each for each in roles if each in callers), roles[0] if roles else "")
        return a.CallMisdeal(cause, role)
    if visit.field("do") != "approve":
        raise Unreadable("this form asks for nothing that is done here", "do")
    seat = visit.number("seat")
    if visit.number("won") != table.announced.get(seat):
        message = f"seat {seat} does not win that any more: look at the table as it stands now"
        raise refuse("command/late", message, "", "won")
    return c.ApprovePayoff(seat, visit.field("role"))
