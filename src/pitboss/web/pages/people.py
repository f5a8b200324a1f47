"""People, in the browser: their accounts, roles and papers, and what each role may do.

Whatever is changed here is one of the API's own commands, done by the API's own handlers.
"""

import re
import secrets
import types
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, get_args, get_origin

import msgspec
from starlette.responses import Response

from pitboss import money
from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.people import permissions
from pitboss.house.people.persons import GUEST, ROLES
from pitboss.house.storage.projections import PEOPLE_LISTED, list_people, name_of
from pitboss.house.storage.store import KEY_REUSED
from pitboss.house.table import commands as c
from pitboss.house.table.state import is_patron, sat_down
from pitboss.house.table.unit_of_work import OWNER
from pitboss.rulebook.base import ABOVE_DEALER
from pitboss.web import guards
from pitboss.web.api import people as api
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.pipeline import Call
from pitboss.web.services import Services

DONE = {
    "set-roles": "The roles are written down and count from now on.",
    "bar": "It is written down: at every table it counts from now on.",
    "identify": "The papers are written down; the next payment goes by them.",
    "end-sessions": "They are signed out wherever they were signed in.",
}
"""What is said when it was done; a new secret is shown instead."""

NAME_PART = re.compile(r"[a-z0-9.-]*")

SPENT = "this was done already, and its secret was shown then: make another if it was lost"

# What a role may do -------------------------------------------------------------------------------

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("everybody", ROLES),
    ("the pit", permissions.PIT),
    ("the floor", ABOVE_DEALER),
)
"""Roles that are spoken of together."""

OTHER_ACTS = {
    "open-practice": "Open a table for practice, with play chips.",
    "play-chips": "Fill up one's own play chips.",
    "keep-name": "Keep a guest's chips and rounds under a name.",
    "add-person": "Make an account for somebody.",
    "watch-floor": "See all tables, and what waits there for whom.",
    "see-people": "See people's records.",
    "see-win": "See what the house has won today, and how much of it was luck.",
    "see-papers": "See forms, what waits for papers, and winnings that are held.",
    "change-setting": "Change a setting of the house.",
    "adopt-rulebook": "Put a rulebook on the house's shelf.",
}
"""What is permitted besides the commands, which say in their first sentence what they ask for."""


class Permission(msgspec.Struct, frozen=True):
    """A row of the permission matrix, in words."""

    act: str
    says: str
    who: str


def _members(union: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs of a union, unions inside it taken apart."""
    for each in get_args(union):
        yield from _members(each) if get_origin(each) is types.UnionType else (each,)


def _first_sentence(doc: str) -> str:
    return " ".join(doc.split()).partition(". ")[0].removesuffix(".") + "."


ACTS = {
    str(kind.__struct_config__.tag): _first_sentence(kind.__doc__ or "")
    for kind in _members(c.OpenTable | c.Command | c.Invitation | api.PersonAct)
} | OTHER_ACTS
"""What each act of the matrix is, in words."""


def spoken(roles: Iterable[str]) -> str:
    """Say who these are, groups of them together.

    >>> spoken(("surveillance", *ABOVE_DEALER)), spoken(["cage", "shift-manager"])
    ('the floor, surveillance', 'shift manager, cage')
    """
    left, found = sorted(roles, key=[*ROLES, OWNER].index), []
    for name, group in GROUPS:
        if set(group) <= set(left):
            found.append(name)
            left = [each for each in left if each not in group]
    alone = (
        each.replace("-", " ") if each != OWNER else "a practice table's owner" for each in left
    )
    return ", ".join((*found, *alone))


def matrix(roles: Iterable[str] = (), *, common: bool = True) -> list[Permission]:
    """Return the permission matrix as rows to read, whole or for these roles."""
    wanted = frozenset(roles)
    return [
        Permission(act, ACTS[act], spoken(by))
        for act, by in permissions.MAY.items()
        if (not wanted or permissions.may(wanted, act)) and (common or not set(ROLES) <= set(by))
    ]


# Pages --------------------------------------------------------------------------------------------


class Wanted(msgspec.Struct, frozen=True):
    """Whom a list is about."""

    q: str = ""
    """A part of their name."""
    role: str = ""
    after: str = ""
    """The last name of the page before."""


async def look(
    web: Services, visit: Visit, wrong: Refusal | None = None, status: int = 200
) -> Page | Response:
    """Everybody whom the house knows by name, to be searched."""
    if not visit.person.id:
        return to("/sign-in")
    permissions.allow(visit.person.roles, "see-people")
    wanted = visit.query(Wanted) if visit.request.method == "GET" else Wanted()
    part = wanted.q.strip().lower()[:40]
    amiss = "" if NAME_PART.fullmatch(part) else "A name has letters, digits, dots and hyphens."
    role = wanted.role if wanted.role in ROLES else ""
    after = wanted.after[:40].replace("\0", "")
    found: list[str] = []
    if not amiss:
        found = await web.house.look(list_people, web.house.archive, part, role, after)
    shown = [
        (name, await web.house.people.known_as(name), await _label(web, name))
        for name in found[:PEOPLE_LISTED]
    ]
    return Page(
        "people.html",
        400 if amiss else status,
        people=shown,
        more=found[PEOPLE_LISTED - 1] if len(found) > PEOPLE_LISTED else "",
        part=part,
        role=role,
        amiss=amiss,
        wrong=wrong,
        roles=ROLES,
        adds=permissions.may(frozenset(visit.person.roles), "add-person"),
    )


async def _label(web: Services, name: str) -> str:
    """Say who it was that has no account: by their label, and where they sat."""
    if not is_patron(name):
        return ""
    label = await web.house.look(name_of, web.house.archive, name)
    return f"{label}, table {sat_down(name)[0][:8]}"


async def roles(_web: Services, visit: Visit) -> Page | Response:
    """Who may do what: the permission matrix, whole or for one role."""
    if not visit.person.id:
        return to("/sign-in")
    role = visit.query(Wanted).role
    chosen = role if role in ROLES else ""
    rows = matrix((chosen,) if chosen else ())
    return Page("roles.html", chosen=chosen, roles=ROLES, rows=rows)


async def somebody(
    web: Services, visit: Visit, wrong: Refusal | None = None, *, at: str = "", secret: str = ""
) -> Page | Response:
    """One person: what is known of them, what they may do, and what you may change."""
    if not visit.person.id:
        return to("/sign-in")
    name = at or visit.path("person")
    about = await api.see_person(web, _call(visit, None, name))
    return await _record(web, visit, about, wrong, secret=secret)


async def _record(
    web: Services,
    visit: Visit,
    about: api.PersonAnswer,
    wrong: Refusal | None = None,
    *,
    secret: str = "",
) -> Page:
    who, me = about.person, visit.person
    own = who.id == me.id
    mine = frozenset(me.roles)
    done = visit.request.query_params.get("done", "") if visit.request.method == "GET" else ""
    return Page(
        "person.html",
        guards.status(wrong) if wrong else 200,
        who=who,
        label=await _label(web, who.id),
        about=about,
        own=own,
        may_do={act for act in api_acts() if permissions.may(mine, act, own=own)},
        permitted=[(role, matrix((role,), common=False)) for role in who.roles],
        offered=("guest", "player") if who.id.startswith(GUEST) else ROLES,
        sessions=await web.sessions.count(who.id),
        done=DONE.get(done, ""),
        wrong=wrong,
        asked=visit.field("do"),
        one_time=secret,
        money=partial(money.text, currency=web.house.shelf.currency),
    )


def api_acts() -> tuple[str, ...]:
    return tuple(str(kind.__struct_config__.tag) for kind in _members(api.PersonAct))


# What is changed ----------------------------------------------------------------------------------


async def add(web: Services, visit: Visit) -> Page | Response:
    """Make an account; its one-time secret is shown in the answer, and never again."""
    secret, name = secrets.token_urlsafe(12), visit.field("name").lower()
    try:
        await _shown_once(web, visit, name)
        fields = {"key": visit.key, "name": name, "roles": _roles(visit), "why": _why(visit)}
        body = _read(api.NewPerson, {**fields, "password": secret})
        await api.add_person(web, _call(visit, body))
    except (Refused, Unreadable) as error:
        refusal = _told_once(guards.refusal(error))
        return await look(web, visit, refusal, guards.status(refusal))
    return await somebody(web, visit, at=name, secret=secret)


async def change(web: Services, visit: Visit) -> Page | Response:
    """Change somebody's record: roles, papers, bars, sessions, a one-time secret."""
    name, act = visit.path("person"), visit.field("do")
    secret = secrets.token_urlsafe(12) if act == "set-password" else ""
    try:
        if secret:
            await _shown_once(web, visit, name)
        fields = {"action": act, **_fields(visit, act, secret), "why": _why(visit)}
        body = _read(api.PersonCommand, {"key": visit.key, "command": fields})
        about = await api.person(web, _call(visit, body, name))
    except (Refused, Unreadable) as error:
        return await somebody(web, visit, _told_once(guards.refusal(error)), at=name)
    if secret:
        return await _record(web, visit, about, secret=secret)
    return to(f"/people/{name}?done={act}")


async def _shown_once(web: Services, visit: Visit, name: str) -> None:
    """Refuse a form that was sent before: the secret that it would show now is not theirs."""
    who = (await web.house.people.known_as(name[:40])).id
    if await web.house.people.done_before(f"person:{who}", visit.person.id, visit.key):
        raise Refused(KEY_REUSED)


def _fields(visit: Visit, act: str, secret: str) -> dict[str, Any]:
    """Read what a form says besides the reason."""
    match act:
        case "set-roles":
            return {"roles": _roles(visit)}
        case "bar":
            return {"barred": visit.answer("barred")}
        case "identify":
            papers = {name: visit.ticked(name) for name in ("identified", "tin")}
            return {"residence": visit.field("residence"), **papers}
        case "set-password":
            return {"password": secret}
        case "end-sessions":
            return {}
        case _:
            raise Unreadable("this form asks for nothing that is done here", "do")


def _roles(visit: Visit) -> list[str]:
    return [role for role in ROLES if visit.ticked(f"role-{role}")]


def _why(visit: Visit) -> str:
    why = visit.field("why")
    if not why:
        raise Unreadable("say why, for the record", "why")
    if len(why) > 200:
        raise Unreadable("at most 200 letters", "why")
    return why


def _read(kind: Any, fields: dict[str, Any]) -> Any:
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        place = str(error).rpartition("$.")[2].strip("`").removeprefix("command.")
        raise Unreadable("this cannot be chosen here", place) from None


def _told_once(refusal: Refusal) -> Refusal:
    """Say what it means that a form which makes a secret was sent before."""
    if refusal.code != "command/key-reused":
        return refusal
    return msgspec.structs.replace(refusal, message=SPENT)


class _Asked(Call[Any]):
    """What a form asks of the API, of somebody who is named by it or by the address."""

    about: str = ""

    def path(self, name: str) -> str:
        return self.about or super().path(name)


def _call(visit: Visit, body: Any, about: str = "") -> _Asked:
    return _Asked(visit.request, visit.person, visit.token, body, None, about)
