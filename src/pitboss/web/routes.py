"""Every endpoint as data: the router, the checks and the OpenAPI document are made from this."""

from typing import Annotated, Any, Literal

import msgspec

from pitboss.house.people.persons import Person, Role
from pitboss.house.replay import RoundRecord
from pitboss.house.table import commands as c
from pitboss.house.views import Notice, TableView

PLAIN = "text/plain"

Key = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
"""The sender's own name for a command: repeated with the same key it is done once."""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all request bodies share: unknown keys are refused."""


class Problem(msgspec.Struct, frozen=True):
    """What is wrong, where, and the clause behind it."""

    code: str
    message: str
    clause: str = ""
    place: str = ""


class NameAndPassword(Body, frozen=True):
    """A person's proof."""

    name: Annotated[str, msgspec.Meta(max_length=40)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class NewPassword(Body, frozen=True):
    """A password to take the place of another."""

    name: Annotated[str, msgspec.Meta(max_length=40)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    new: Annotated[str, msgspec.Meta(max_length=200)]


class Entered(msgspec.Struct, frozen=True):
    """A session."""

    token: str
    """For programs: send it as ``Authorization: Bearer``. Browsers have it as a cookie."""
    csrf: str
    """For browsers: send it as ``X-CSRF-Token`` with everything that changes something."""
    person: str
    ends: int


class Me(msgspec.Struct, frozen=True):
    """Who you are, and what you have."""

    person: Person
    chips_cents: int
    play_cents: int
    held_cents: int
    csrf: str = ""


class Keyed(Body, frozen=True):
    """Nothing but a key."""

    key: Key


class NewTable(Body, frozen=True):
    """A table to open."""

    key: Key
    command: c.OpenTable


class TableCommand(Body, frozen=True):
    """Something asked of a table."""

    key: Key
    command: c.Command
    moment: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """From the view: what the table waited for. Bets and decisions need it."""


class Done(msgspec.Struct, frozen=True):
    """What was done, as you may see it."""

    notice: Notice
    again: bool
    """It had been done before with the same key."""


class Lobby(msgspec.Struct, frozen=True):
    """A table in the list."""

    table: str
    rulebook: str
    game: str
    house: str
    minimum_cents: int
    maximum_cents: int | None
    practice: bool
    dealing: str
    seats: int
    taken: int
    round: int
    meter_cents: int | None


class Book(msgspec.Struct, frozen=True):
    """A rulebook in the list."""

    id: str
    house: str
    game: str
    sha256: str


class NewPerson(Body, frozen=True):
    """Somebody to be known by name."""

    key: Key
    name: Annotated[str, msgspec.Meta(max_length=40)]
    roles: Annotated[tuple[Role, ...], msgspec.Meta(max_length=12)]
    password: Annotated[str, msgspec.Meta(max_length=200)]
    """For once: that person must change it."""
    why: c.Words


class SetRoles(Body, frozen=True, tag_field="action", tag="set-roles"):
    """Give somebody these roles, and no others."""

    roles: Annotated[tuple[Role, ...], msgspec.Meta(max_length=12)]
    why: c.Words


class Bar(Body, frozen=True, tag_field="action", tag="bar"):
    """Bar somebody from every table, or let them back."""

    barred: bool
    why: c.Words


class Identify(Body, frozen=True, tag_field="action", tag="identify"):
    """Record what papers somebody has shown; the next payment goes by it."""

    residence: Literal["us", "foreign"]
    identified: bool
    tin: bool
    """A taxpayer identification number was given."""
    why: c.Words


class SellChips(Body, frozen=True, tag_field="action", tag="sell-chips"):
    """Give out chips for money at the cage."""

    cents: Annotated[int, msgspec.Meta(ge=1, le=10**11)]
    why: c.Words


class CashChips(Body, frozen=True, tag_field="action", tag="cash-chips"):
    """Take chips back for money at the cage."""

    cents: Annotated[int, msgspec.Meta(ge=1, le=10**11)]
    why: c.Words


class ReleaseHeld(Body, frozen=True, tag_field="action", tag="release-held"):
    """Pay out winnings that were kept."""

    cents: Annotated[int, msgspec.Meta(ge=1, le=10**11)]
    why: c.Words


class SetPassword(Body, frozen=True, tag_field="action", tag="set-password"):
    """Give somebody a password for once."""

    password: Annotated[str, msgspec.Meta(max_length=200)]
    why: c.Words


PersonAct = SetRoles | Bar | Identify | SellChips | CashChips | ReleaseHeld | SetPassword


class PersonCommand(Body, frozen=True):
    """Something done with a person's record."""

    key: Key
    command: PersonAct


class ChangeSetting(Body, frozen=True):
    """Another value for a setting."""

    key: Key
    name: Annotated[str, msgspec.Meta(max_length=40)]
    value: Annotated[str, msgspec.Meta(max_length=100)]
    why: c.Words


class Health(msgspec.Struct, frozen=True):
    """Ready."""

    ready: bool
    position: int


class Route(msgspec.Struct, frozen=True):
    """One endpoint."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    name: str
    """Of the handler."""
    says: str
    answer: Any = None
    body: Any = None
    public: bool = False
    """Needs no session."""
    stream: bool = False
    """Answers with server-sent events."""
    text: str = ""
    """The kind of text that it answers with, where it is no JSON."""
    memory: bool = False
    """Needs no database."""
    also: tuple[int, ...] = ()
    """What can go wrong besides what follows from all this."""


ROUTES: tuple[Route, ...] = (
    Route("GET", "/health", "health", "Whether the house is ready", Health, public=True),
    Route(
        "GET", "/metrics", "metrics", "Figures for Prometheus", public=True, text=PLAIN, memory=True
    ),
    Route(
        "GET", "/openapi.json", "openapi", "This document", dict[str, Any], public=True, memory=True
    ),
    Route("POST", "/api/guests", "guest", "Play at once, with play chips", Entered, public=True),
    Route(
        "POST",
        "/api/sessions",
        "login",
        "Sign in by name",
        Entered,
        NameAndPassword,
        public=True,
        also=(401,),
    ),
    Route("DELETE", "/api/sessions", "logout", "Sign out"),
    Route(
        "POST",
        "/api/password",
        "password",
        "Change your password, or a one-time secret for one",
        None,
        NewPassword,
        public=True,
        also=(401,),
    ),
    Route("GET", "/api/me", "me", "Who you are and what you have", Me),
    Route("POST", "/api/me/play-chips", "play_chips", "Fill up your play chips", Me, Keyed),
    Route(
        "GET", "/api/rulebooks", "rulebooks", "The rulebooks", list[Book], public=True, memory=True
    ),
    Route("GET", "/api/tables", "lobby", "The open tables", list[Lobby], public=True, memory=True),
    Route("POST", "/api/tables", "open_table", "Open a table", Done, NewTable, also=(404, 409)),
    Route("GET", "/api/tables/{table}", "table", "A table as you see it", TableView),
    Route(
        "POST",
        "/api/tables/{table}",
        "command",
        "Ask something of it",
        Done,
        TableCommand,
        also=(409,),
    ),
    Route(
        "GET",
        "/api/tables/{table}/events",
        "table_events",
        "What happens there, live; resume with Last-Event-ID",
        Notice,
        stream=True,
        also=(400,),
    ),
    Route(
        "GET",
        "/api/floor/events",
        "floor_events",
        "What happens at all tables, live, for staff; resume with Last-Event-ID",
        Notice,
        stream=True,
        also=(400, 403),
    ),
    Route("GET", "/api/rounds/{round}", "round", "A finished round as you saw it", RoundRecord),
    Route(
        "POST", "/api/people", "add_person", "Make a named person", Person, NewPerson, also=(409,)
    ),
    Route(
        "GET", "/api/people/{person}", "see_person", "What is known of somebody", Me, also=(403,)
    ),
    Route(
        "POST",
        "/api/people/{person}",
        "person",
        "Change their record",
        Me,
        PersonCommand,
        also=(409,),
    ),
    Route("GET", "/api/settings", "settings", "The settings of the house", dict[str, str]),
    Route(
        "POST",
        "/api/settings",
        "setting",
        "Change one",
        dict[str, str],
        ChangeSetting,
        also=(409,),
    ),
)
