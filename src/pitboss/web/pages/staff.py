"""Signing in, and the least that the floor needs: approving payoffs and calling misdeals."""

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house import commands as c
from pitboss.house.house import Live
from pitboss.house.people import Person, may
from pitboss.house.procedure import unapproved
from pitboss.round import actions as a
from pitboss.rulebook.pit import Approval, Misdeal
from pitboss.settle.approvals import label
from pitboss.web import door
from pitboss.web.pages.site import Site, Visit
from pitboss.web.pages.words import listed, role_name


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

    live: Live
    waiting: tuple[Waiting, ...]
    misdeals: tuple[Misdeal, ...]
    """Grounds on which you may call one now."""


class StaffPages:
    """The door for people with a name, and the floor."""

    def __init__(self, site: Site) -> None:
        self.site, self.house = site, site.house

    # The door ---------------------------------------------------------------------------------

    async def door(self, visit: Visit) -> Response:
        """Show the form for signing in."""
        return self._form(visit)

    def _form(self, visit: Visit, wrong: Refusal | None = None, *, once: bool = False) -> Response:
        status = door.status(wrong) if wrong else 200
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
        person = await self.house.person(session.person)
        where = "/floor" if may(frozenset(person.roles), "watch-floor") else "/"
        return door.let_in(self.site.to(where), session, visit.request)

    async def sign_out(self, visit: Visit) -> Response:
        """End the session."""
        if visit.token:
            await self.site.web.sessions.end(visit.token)
            self.site.web.hub.look(visit.person.id)
        response = self.site.to("/")
        response.delete_cookie(door.COOKIE)
        return response

    # The floor --------------------------------------------------------------------------------

    async def floor(self, visit: Visit) -> Response:
        """Show every table where something is to be done."""
        return self._floor(visit)

    def _floor(self, visit: Visit, wrong: Refusal | None = None, at: str = "") -> Response:
        if not visit.person.id:
            return self.site.to("/sign-in")
        self.house.allow(visit.person.roles, "watch-floor")
        tables = [_watched(live, visit.person) for live in self.house.tables()]
        tables.sort(key=lambda each: (not each.waiting, not each.misdeals, each.live.table.id))
        status = door.status(wrong) if wrong else 200
        return self.site.page(visit, "floor.html", status, tables=tables[:100], wrong=wrong, at=at)

    async def act(self, visit: Visit) -> Response:
        """Approve a payoff, or call a misdeal."""
        table, role = visit.path("table"), visit.field("role")
        try:
            if visit.field("do") == "approve":
                command: c.Command = c.ApprovePayoff(visit.number("seat"), role)
            else:
                cause = visit.field("cause")[:40]
                live = await self.house.table(table)
                command = a.CallMisdeal(cause, _role_for(live, cause, visit.person))
            await self.house.command(table, visit.person, command, visit.key)
        except Refused as refused:
            return self._floor(visit, refused.refusal, table)
        except Unreadable as error:
            return self._floor(visit, Refusal("body/unreadable", error.message), table)
        return self._floor(visit) if visit.part else self.site.to("/floor")


def _watched(live: Live, who: Person) -> Watched:
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
            tuple(role for role in roles if any(_takes(rule, role) for rule in needed)),
        )
        for seat, won in table.announced.items()
        if (needed := unapproved(book, table, seat))
    )
    return Watched(live, waiting, misdeals)


def _role_for(live: Live, cause: str, who: Person) -> str:
    """Return the role in which somebody calls a misdeal for this cause."""
    callers = next((rule.by for rule in live.book.misdeal if rule.cause == cause), ())
    return next((role for role in who.roles if role in callers), who.roles[0] if who.roles else "")


def _takes(rule: Approval, role: str) -> bool:
    return role in rule.by
