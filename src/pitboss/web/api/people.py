"""People: their sessions, what they have, and what staff does with their records."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from starlette.responses import Response

from pitboss.errors import Refused, refuse
from pitboss.house.books.ledger import chips, claims, held
from pitboss.house.books.papers import Payee
from pitboss.house.held_desk import HeldDesk
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person, Role
from pitboss.house.sessions import Session, csrf, same_command
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.projections import name_of, read_person_after
from pitboss.house.table import commands as c
from pitboss.house.table.state import is_patron
from pitboss.web.api.types import Key, Keyed, RequestBody, says_why
from pitboss.web.guards import address, forget_session_cookie, guarded
from pitboss.web.pipeline import Call
from pitboss.web.services import Services

# Sessions -------------------------------------------------------------------------------------


class NameAndPassword(RequestBody, frozen=True):
    """A person's proof."""

    name: Annotated[str, msgspec.Meta(max_length=40)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class NewPassword(NameAndPassword, frozen=True):
    """A password to take the place of another."""

    new: Annotated[str, msgspec.Meta(max_length=200)]


class SessionAnswer(msgspec.Struct, frozen=True):
    """A session."""

    token: str
    """For programs: send it as ``Authorization: Bearer``. Browsers have it as a cookie."""
    csrf: str
    """For browsers: send it as ``X-CSRF-Token`` with everything that changes something."""
    person: str
    ends: int


async def guest(web: Services, call: Call[None]) -> SessionAnswer:
    """Play at once, with play chips."""
    return _begun(call, await web.sessions.guest())


async def login(web: Services, call: Call[NameAndPassword]) -> SessionAnswer:
    """Sign in by name."""
    body, where = call.body, address(call.request)
    return _begun(call, await web.sessions.login(body.name, body.password, where))


def _begun(call: Call[Any], session: Session) -> SessionAnswer:
    call.begun = session
    return SessionAnswer(session.token, session.csrf, session.person, session.ends)


async def logout(web: Services, call: Call[None]) -> Response:
    """Sign out."""
    await web.sessions.end(call.token)
    web.hub.look(call.person.id)
    response = guarded(Response(status_code=204))
    forget_session_cookie(response, call.request)
    return response


async def keep_name(web: Services, call: Call[NameAndPassword]) -> SessionAnswer:
    """Keep what you have as a guest under a name and a password."""
    body, who = call.body, call.person.id
    session = await web.sessions.keep(
        who, body.name, body.password, address(call.request), call.session
    )
    web.hub.look(who)
    return _begun(call, session)


async def password(web: Services, call: Call[NewPassword]) -> None:
    """Change your password, or a one-time secret for one."""
    body = call.body
    await web.sessions.change_password(body.name, body.password, body.new, address(call.request))


# Yourself and others --------------------------------------------------------------------------


class PersonAnswer(msgspec.Struct, frozen=True):
    """Who somebody is, and what they have."""

    person: Person
    chips_cents: int
    play_cents: int
    held_cents: int
    owes_cents: int
    """What they were paid too much, until it is collected or written off."""
    csrf: str = ""
    """Of your own session, where it is you."""


async def me(web: Services, call: Call[None]) -> PersonAnswer:
    """Who you are and what you have."""
    return await _about(web, call.person, csrf(call.token))


async def play_chips(web: Services, call: Call[Keyed]) -> PersonAnswer:
    """Fill up your play chips."""
    await web.practice.fill_up(call.person.id, call.body.key, call.session)
    return await _about(web, call.person, csrf(call.token))


async def see_person(web: Services, call: Call[None]) -> PersonAnswer:
    """What is known of somebody."""
    permissions.allow(call.person.roles, "see-people")
    person = await web.house.people.known_as(call.path("person"))
    await _has_something(web, person.id)
    return await _about(web, person)


async def _about(web: Services, person: Person, token: str = "") -> PersonAnswer:
    house = web.house
    real, kept, owes = [
        await house.look(house.archive.balance, account(person.id, practice=False))
        for account in (chips, held, claims)
    ]
    play = 0 if is_patron(person.id) else await web.practice.balance(person.id)
    return PersonAnswer(await _shown(web, person), real, play, kept, owes, token)


async def _shown(web: Services, person: Person) -> Person:
    """Return somebody as they are shown: what their papers say stands on forms alone, and who has
    no account has the label that they had at their table."""
    name = person.name
    if is_patron(person.id):
        name = await web.house.look(name_of, web.house.archive, person.id)
    return msgspec.structs.replace(person, name=name, payee=None)


async def _somebody(web: Services, name: str) -> Person:
    person = await web.house.people.known_as(name)
    if not person.exists:
        raise refuse("person/unknown", f"there is nobody called {name[:40]!r}")
    return person


# What staff does ------------------------------------------------------------------------------


class NewPerson(RequestBody, frozen=True):
    """Somebody to be known by name."""

    key: Key
    name: Annotated[str, msgspec.Meta(max_length=40)]
    roles: Annotated[tuple[Role, ...], msgspec.Meta(max_length=12)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    """For once: that person must change it."""
    why: c.Words


class SetRoles(RequestBody, frozen=True, tag_field="action", tag="set-roles"):
    """Give somebody these roles, and no others."""

    roles: Annotated[tuple[Role, ...], msgspec.Meta(max_length=12)]
    why: c.Words


class Bar(RequestBody, frozen=True, tag_field="action", tag="bar"):
    """Bar somebody from every table, or let them back."""

    barred: bool
    why: c.Words


class Identify(RequestBody, frozen=True, tag_field="action", tag="identify"):
    """Record what papers somebody has shown; the next payment goes by it."""

    residence: Literal["us", "foreign"]
    identified: bool
    tin: bool
    """A taxpayer identification number was given."""
    why: c.Words
    payee: Payee | None = None
    """What the papers say: a form is made out by it."""


class _Amount(RequestBody, frozen=True):
    """What the cage's commands share."""

    cents: Annotated[int, msgspec.Meta(ge=1, le=10**11)]
    why: c.Words


class SellChips(_Amount, frozen=True, tag_field="action", tag="sell-chips"):
    """Give out chips for money at the cage."""


class CashChips(_Amount, frozen=True, tag_field="action", tag="cash-chips"):
    """Take chips back for money at the cage."""


class _Held(_Amount, frozen=True):
    """What is done with winnings that are kept; ``cents`` says what they come to."""

    of: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=120)], ...], msgspec.Meta(max_length=100)
    ] = ()
    """Which, each as a whole; all, where none is named."""


class ReleaseHeld(_Held, frozen=True, tag_field="action", tag="release-held"):
    """Pay out winnings that were kept, by the tax rules of the day."""


class TurnOverHeld(_Held, frozen=True, tag_field="action", tag="turn-over-held"):
    """Send winnings that nobody claimed where the house's rules say."""


class CollectClaim(_Amount, frozen=True, tag_field="action", tag="collect-claim"):
    """Take back what somebody was paid too much."""

    source: Literal["chips", "held", "cash"]
    """Their chips, what is kept for them, or money at the cage."""


class WriteOffClaim(_Amount, frozen=True, tag_field="action", tag="write-off-claim"):
    """Give up what somebody was paid too much."""


class SetPassword(RequestBody, frozen=True, tag_field="action", tag="set-password"):
    """Give somebody a password for once."""

    password: Annotated[str, msgspec.Meta(max_length=200)]
    why: c.Words


class EndSessions(RequestBody, frozen=True, tag_field="action", tag="end-sessions"):
    """Sign somebody out wherever they are signed in."""

    why: c.Words


MoneyAct = SellChips | CashChips | ReleaseHeld | TurnOverHeld | CollectClaim | WriteOffClaim
PersonAct = SetRoles | Bar | Identify | MoneyAct | SetPassword | EndSessions

EVENTS: dict[type[PersonAct], Callable[..., persons.PersonEvent]] = {
    SetRoles: persons.RolesSet,
    Bar: persons.Barred,
    Identify: persons.Identified,
    SellChips: partial(persons.ChipsBought, practice=False),
    CashChips: persons.ChipsCashed,
    EndSessions: persons.SessionsEnded,
}
"""What is journaled of a command: an event with the same fields. A password is kept apart, and
what is kept for somebody has a desk of its own."""


class PersonCommand(RequestBody, frozen=True):
    """Something done with a person's record."""

    key: Key
    command: PersonAct


async def add_person(web: Services, call: Call[NewPerson]) -> Person:
    """Make a named person."""
    body = call.body
    says_why(body, "$.why")
    return await web.sessions.add(
        actor=call.person.id,
        name=body.name,
        roles=body.roles,
        password=body.password,
        key=body.key,
        why=body.why,
        session=call.session,
    )


async def person(web: Services, call: Call[PersonCommand]) -> PersonAnswer:
    """Change their record."""
    body, name = call.body, call.path("person")
    says_why(body.command, "$.command.why")
    return await _about_after(web, await change(web, call, name, body.command, body.key))


async def change(web: Services, call: Call[Any], who: str, act: PersonAct, key: str) -> Entry:
    """Do something with somebody's record, once for each key."""
    actor, session = call.person, call.session
    name = (await web.house.people.known_as(who)).id
    try:
        permissions.allow(actor.roles, str(act.__struct_config__.tag), own=name == actor.id)
        await _has_something(web, name)
    except Refused as refused:
        await web.house.people.refuse_unless_done(refused, f"person:{name}", actor.id, key)
    desk = HeldDesk(web.house, actor.id, name, key, session)
    match act:
        case SetPassword():
            return await web.sessions.set_password(
                actor.id, name, act.password, key, once=True, why=act.why, session=session
            )
        case ReleaseHeld():
            return await desk.release(act.cents, act.of, act.why)
        case TurnOverHeld():
            return await desk.turn_over(act.cents, act.of, act.why)
        case CollectClaim():
            return await desk.collect(act.cents, act.source, act.why)
        case WriteOffClaim():
            return await desk.write_off(act.cents, act.why)
        case _:
            event = EVENTS[type(act)](**msgspec.structs.asdict(act))
            done = await web.house.record(actor.id, name, key, event, session=session)
            same_command(done, event)
            return done


async def _has_something(web: Services, name: str) -> None:
    """Refuse a name that nobody has and nothing lies under: a patron without an account has no
    record, and yet winnings may be kept for them, or they may owe some."""
    for account in (held, claims, chips):
        if await web.house.in_thread(web.house.store.balance, account(name, practice=False)):
            return
    await _somebody(web, name)


async def _about_after(web: Services, done: Entry) -> PersonAnswer:
    """Tell of somebody as they were once this was done: whoever asks for it again, with another
    role by now, hears nothing new."""
    look, archive = web.house.look, web.house.archive
    person = await look(read_person_after, archive, done)
    accounts = (
        chips(person.id, practice=False),
        chips(person.id, practice=True),
        held(person.id, practice=False),
        claims(person.id, practice=False),
    )
    after = [await look(archive.balance_after, each, done.position) for each in accounts]
    real, play, kept, owes = after
    return PersonAnswer(await _shown(web, person), real, play, kept, owes)
