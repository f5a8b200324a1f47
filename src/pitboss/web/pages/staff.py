"""Signing in, and the least that the floor needs: payoffs, misdeals, seats to be freed."""

import contextlib
import secrets

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import Person
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table.payoffs import unapproved
from pitboss.house.table.state import Sitter
from pitboss.round import actions as a
from pitboss.rulebook.pit_rules import Misdeal
from pitboss.settle.approvals import label
from pitboss.web import guards
from pitboss.web.pages.narration import listed, role_name
from pitboss.web.pages.site import Site, Visit


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
    waiting: tuple[Waiting, ...]
    misdeals: tuple[Misdeal, ...]
    """Grounds on which you may call one now."""
    seats: tuple[tuple[int, Sitter], ...]
    """Those that you may free, and who sits there."""


class StaffPages:
    """The door for people with a name, and the floor."""

    def __init__(self, site: Site) -> None:
        self.site, self.house = site, site.house

    # The door ---------------------------------------------------------------------------------

    async def door(self, visit: Visit) -> Response:
        """Show the form for signing in."""
        return self._form(visit)

    def _form(self, visit: Visit, wrong: Refusal | None = None, *, once: bool = False) -> Response:
        status = guards.status(wrong) if wrong else 200
        name = visit.field("name")[:40]
        return self.site.page(visit, "sign-in.html", status, wrong=wrong, once=once, name=name)

    async def sign_in(self, visit: Visit) -> Response:
        """Let somebody in by name; who has a one-time secret sets a password of their own first."""
        name, password, new = (visit.form.get(each, "") for each in ("name", "password", "new"))
        sessions = self.site.web.sessions
        try:
            if new:
                await sessions.change_password(name[:40], password[:200], new[:201])
            session = await sessions.login(name[:40], new or password[:200])
        except Refused as refused:
            once = bool(new) or refused.refusal.code == "login/one-time"
            return self._form(visit, refused.refusal, once=once)
        except Unreadable as error:
            refusal = Refusal("body/unreadable", error.message, "", error.place)
            return self._form(visit, refusal, once=bool(new))
        if visit.token:  # whoever they were here before
            await sessions.end(visit.token)
        person = await self.house.person(session.person)
        where = "/floor" if may(frozenset(person.roles), "watch-floor") else "/"
        return guards.let_in(self.site.to(where), session, visit.request)

    async def sign_out(self, visit: Visit) -> Response:
        """End the session."""
        if visit.token:
            await self._get_up(visit.person)
            await self.site.web.sessions.end(visit.token)
            self.site.web.hub.look(visit.person.id)
        response = self.site.to("/")
        response.delete_cookie(guards.COOKIE)
        return response

    async def _get_up(self, who: Person) -> None:
        """Leave every seat: others do not wait for somebody who has gone."""
        for live in self.house.tables():
            if live.table.seat_of(who.id) is not None:
                with contextlib.suppress(Refused):
                    await self.house.command(live.table.id, who, c.Leave(), secrets.token_hex(8))

    # The floor --------------------------------------------------------------------------------

    async def floor(self, visit: Visit) -> Response:
        """Show every table where something is to be done."""
        return self._floor(visit)

    def _floor(self, visit: Visit, wrong: Refusal | None = None, at: str = "") -> Response:
        if not visit.person.id:
            return self.site.to("/sign-in")
        if not may(frozenset(visit.person.roles), "watch-floor"):
            raise Refused(Refusal("role/not-yours", "the floor is for people who work in the pit"))
        tables = [_watched(live, visit.person) for live in self.house.tables()]
        tables.sort(key=_urgency)
        status = guards.status(wrong) if wrong else 200
        return self.site.page(visit, "floor.html", status, tables=tables[:100], wrong=wrong, at=at)

    async def act(self, visit: Visit) -> Response:
        """Approve a payoff, call a misdeal, or free a seat."""
        table = visit.path("table")
        try:
            command = _asked(visit, await self.house.table(table))
            await self.house.command(table, visit.person, command, visit.key)
        except Refused as refused:
            return self._floor(visit, refused.refusal, table)
        except Unreadable as error:
            return self._floor(visit, Refusal("body/unreadable", error.message), table)
        return self._floor(visit) if visit.part else self.site.to("/floor")


def _urgency(each: Watched) -> tuple[bool, bool, bool, str]:
    """What waits comes first, and play chips last."""
    table = each.live.table
    return table.practice, not each.waiting, not each.misdeals, table.id


def _watched(live: LoadedTable, who: Person) -> Watched:
    table, book, roles = live.table, live.book, tuple(who.roles)
    misdeals: tuple[Misdeal, ...] = ()
    if table.under_way and table.round.phase in ("playing", "settling"):
        misdeals = tuple(rule for rule in book.misdeal if set(rule.by) & set(roles))
    waiting = tuple(
        Waiting(
            seat,
            table.sitters[seat].name if seat in table.sitters else f"Seat {seat}",
            won,
            listed(role_name(label(rule)) for rule in needed),
            tuple(role for role in roles if any(role in rule.by for rule in needed)),
        )
        for seat, won in table.announced.items()
        if (needed := unapproved(book, table, seat))
    )
    seats = [(number, each) for number, each in table.sitters.items() if not each.leaving]
    return Watched(live, waiting, misdeals, tuple(seats) if may({*roles}, "free-seat") else ())


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
        raise Refused(Refusal("command/late", message, "", "round"))
    if visit.field("do") == "misdeal":
        cause = visit.field("cause")[:40]
        return a.CallMisdeal(cause, _role_for(live, cause, visit.person))
    if visit.field("do") != "approve":
        raise Unreadable("this form asks for nothing that is done here", "do")
    seat = visit.number("seat")
    if visit.number("won") != table.announced.get(seat):
        message = f"seat {seat} does not win that any more: look at the table as it stands now"
        raise Refused(Refusal("command/late", message, "", "won"))
    return c.ApprovePayoff(seat, visit.field("role"))


def _role_for(live: LoadedTable, cause: str, who: Person) -> str:
    """Return the role in which somebody calls a misdeal for this cause."""
    callers = next((rule.by for rule in live.book.misdeal if rule.cause == cause), ())
    return next((role for role in who.roles if role in callers), who.roles[0] if who.roles else "")
