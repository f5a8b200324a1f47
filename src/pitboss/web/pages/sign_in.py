"""Signing in by name, signing out, and what a guest can keep."""

import contextlib
import secrets

from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.people.permissions import may
from pitboss.house.replay import rounds_played
from pitboss.house.table import commands as c
from pitboss.money import short
from pitboss.web import guards
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services


async def look(
    _web: Services, visit: Visit, wrong: Refusal | None = None, *, once: bool = False
) -> Page:
    """The form for people with a name."""
    status = guards.status(wrong) if wrong else 200
    return Page("sign-in.html", status, wrong=wrong, once=once, name=visit.field("name")[:40])


async def sign_in(web: Services, visit: Visit) -> Page | Response:
    """Sign in; with a one-time secret, set a password."""
    name, password, new = (visit.body.get(each, "") for each in ("name", "password", "new"))
    where = guards.address(visit.request)
    try:
        if new:
            await web.sessions.change_password(name[:40], password[:200], new[:201], where)
        session = await web.sessions.login(name[:40], new or password[:200], where)
    except (Refused, Unreadable) as error:
        refusal = guards.refusal(error)
        once = bool(new) or refusal.code == "login/one-time"
        return await look(web, visit, refusal, once=once)
    if visit.token:  # whoever they were here before
        await web.sessions.end(visit.token)
    visit.begun = session
    person = await web.house.person(session.person)
    return to("/floor" if may(frozenset(person.roles), "watch-floor") else "/")


async def ask(web: Services, visit: Visit, wrong: Refusal | None = None) -> Page | Response:
    """What a guest loses who signs out, and how to keep it."""
    who = visit.person.id
    if not visit.person.fleeting:
        return to("/")
    seats = web.house.tables.where_sits(who)
    return Page(
        "sign-out.html",
        guards.status(wrong) if wrong else 200,
        wrong=wrong,
        name=visit.field("name")[:40],
        play_chips=short(await web.practice.balance(who)),
        rounds=await web.house.look(rounds_played, web.house.archive, who),
        back=f"/tables/{seats[0].table.id}" if seats else "/",
    )


async def keep(web: Services, visit: Visit) -> Page | Response:
    """Keep a guest's chips and rounds under a name and a password."""
    name, password = (visit.body.get(each, "") for each in ("name", "password"))
    who, where = visit.person.id, guards.address(visit.request)
    if not who:
        return to("/sign-in")
    try:
        visit.begun = await web.sessions.keep(who, name, password, where, visit.session)
    except (Refused, Unreadable) as error:
        return await ask(web, visit, guards.refusal(error))
    web.hub.look(who)
    return to("/")


async def sign_out(web: Services, visit: Visit) -> Response:
    """End the session; of a guest, once they have said that they know what is lost."""
    if visit.person.fleeting and not visit.field("sure"):
        return to("/sign-out")
    if visit.token:
        who = visit.person.id
        for live in web.house.tables.where_sits(who):  # others do not wait for who has gone
            leaves = web.house.command(
                live.table.id, who, c.Leave(), secrets.token_hex(8), session=visit.session
            )
            with contextlib.suppress(Refused):
                await leaves
        await web.sessions.end(visit.token)
        web.hub.look(visit.person.id)
    response = to("/")
    guards.forget_session_cookie(response, visit.request)
    return response
