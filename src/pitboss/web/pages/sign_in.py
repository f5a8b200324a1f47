"""Signing in by name, signing out, and what a guest can keep."""

import contextlib
import secrets

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.people.permissions import may
from pitboss.house.replay import played, rounds_played
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.money import short
from pitboss.web import guards
from pitboss.web.pages.history import Replays
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services


class GuestAssets(msgspec.Struct, frozen=True):
    """What a guest has, and nobody can reach once their session has ended."""

    chips: str
    """As they saw them last: in the currency of their table, or of their last round."""
    rounds: int
    seat: str
    """The table at which they sit; empty where they sit at none."""
    touched: bool
    """Whether there is more than what every guest begins with."""


async def _assets(web: Services, visit: Visit) -> GuestAssets | None:
    """Return what a guest has to lose; None for somebody with a name, and for a stranger."""
    who = visit.person.id
    if not visit.person.fleeting:
        return None
    seats = web.house.tables.where_sits(who)
    cents = await web.practice.balance(who)
    rounds = await web.house.look(rounds_played, web.house.archive, who)
    currency = seats[0].book.currency if seats else ""
    if rounds and not seats:
        (last,) = await web.house.look(played, web.house.archive, who, "", 1)
        currency = (await web.kept(Replays).read(web.house, last.round, who)).book.currency
    at_stake = sum(_staked(live, who) for live in seats)
    staked = f" (and {short(at_stake, currency)} at stake)" if at_stake else ""
    return GuestAssets(
        chips=f"{short(cents, currency)}{' in' if currency else ''} play chips{staked}",
        rounds=rounds,
        seat=seats[0].table.id if seats else "",
        touched=bool(seats or rounds) or cents != web.practice.start_cents,
    )


def _staked(live: LoadedTable, who: str) -> int:
    """Return what somebody has down in the round that is under way at a table."""
    mine = {number for number, sitter in live.table.sitters.items() if sitter.person == who}
    held = [seat for number, seat in live.table.round.seats.items() if number in mine]
    return sum(sum(seat.stakes.values()) + seat.toke_cents for seat in held)


async def look(
    web: Services,
    visit: Visit,
    wrong: Refusal | None = None,
    *,
    once: bool = False,
    asked: bool = False,
) -> Page:
    """The form for people with a name; a guest is told what signing in gives up."""
    return Page(
        "sign-in.html",
        guards.status(wrong) if wrong else 409 if asked else 200,
        wrong=wrong,
        once=once,
        asked=asked,
        name=visit.field("name")[:40],
        sure=visit.field("sure") == "yes",
        has=await _assets(web, visit),
    )


async def sign_in(web: Services, visit: Visit) -> Page | Response:
    """Sign in, a guest once they know what is lost; with a one-time secret, set a password."""
    name, password, new = (visit.body.get(each, "") for each in ("name", "password", "new"))
    where = guards.address(visit.request)
    has = await _assets(web, visit)
    try:
        if has is not None and has.touched and not visit.ticked("sure"):
            return await look(web, visit, once=bool(new), asked=True)
        if new:
            await web.sessions.change_password(name[:40], password[:200], new[:201], where)
        session = await web.sessions.login(name[:40], new or password[:200], where)
    except (Refused, Unreadable) as error:
        refusal = guards.refusal(error)
        once = bool(new) or refusal.code == "login/one-time"
        return await look(web, visit, refusal, once=once)
    await _end(web, visit, stays=session.person == visit.person.id)
    visit.begun = session
    roles = frozenset((await web.house.person(session.person)).roles)
    places = (("watch-floor", "/floor"), ("see-people", "/people"))
    return to(next((path for act, path in places if may(roles, act)), "/"))


async def ask(web: Services, visit: Visit) -> Page | Response:
    """What a guest loses who signs out, and the way to keep it."""
    has = await _assets(web, visit)
    return to("/") if has is None else Page("sign-out.html", has=has)


async def offer(web: Services, visit: Visit, wrong: Refusal | None = None) -> Page | Response:
    """The form for a guest who keeps chips and rounds."""
    has = await _assets(web, visit)
    if has is None:
        return to("/")
    status = guards.status(wrong) if wrong else 200
    return Page("keep.html", status, wrong=wrong, name=visit.field("name")[:40], has=has)


async def keep(web: Services, visit: Visit) -> Page | Response:
    """Keep a guest's chips and rounds under a name and a password."""
    name, password = (visit.body.get(each, "") for each in ("name", "password"))
    who, where = visit.person.id, guards.address(visit.request)
    if not who:
        return to("/sign-in")
    try:
        visit.begun = await web.sessions.keep(who, name, password, where, visit.session)
    except (Refused, Unreadable) as error:
        return await offer(web, visit, guards.refusal(error))
    web.hub.look(who)
    return to("/")


async def sign_out(web: Services, visit: Visit) -> Response:
    """End the session; of a guest, once they have said that they know what is lost."""
    if visit.person.fleeting and not visit.ticked("sure"):
        return to("/sign-out")
    await _end(web, visit)
    response = to("/")
    guards.forget_session_cookie(response, visit.request)
    return response


async def _end(web: Services, visit: Visit, *, stays: bool = False) -> None:
    """End the session of whoever it was, who gets up unless the same person stays."""
    if not visit.token:
        return
    who = visit.person.id
    for live in [] if stays else web.house.tables.where_sits(who):  # others do not wait for them
        leaves = web.house.command(
            live.table.id, who, c.Leave(), secrets.token_hex(8), session=visit.session
        )
        with contextlib.suppress(Refused):
            await leaves
    await web.sessions.end(visit.token)
    web.hub.look(who)
