"""Tables and their rounds: looking, asking something of them, listening."""

from typing import Annotated, Any

import msgspec

from pitboss.errors import Unreadable
from pitboss.house import floor, replay, views
from pitboss.house.live_tables import CommandResult
from pitboss.house.people import permissions
from pitboss.house.people.persons import Person
from pitboss.house.replay import RoundRecord
from pitboss.house.storage.projections import LoadedTable, open_notices
from pitboss.house.table import commands as c
from pitboss.house.views import EntryView, TableView
from pitboss.house.waiting import Task
from pitboss.web.api.types import Key, RequestBody, names_colours, says_why
from pitboss.web.guards import header
from pitboss.web.pipeline import Call
from pitboss.web.services import Services
from pitboss.web.streams import BACKLOG, FLOOR, EventStream, Listener

WATCH = "watch-floor"

PAGE, MOST_LISTED = 100, 500
"""Tables on a page of the list: unless it is said otherwise, and at most."""


class TablesQuery(msgspec.Struct, frozen=True):
    """Which open tables are listed."""

    after: Annotated[str, msgspec.Meta(max_length=40, pattern="^[a-z0-9]*$")] = ""
    """The name of the last table that is known: those that follow it."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LISTED)] = PAGE


class NewTable(RequestBody, frozen=True):
    """A table to open."""

    key: Key
    command: c.OpenTable


class TableCommand(RequestBody, frozen=True):
    """Something asked of a table."""

    key: Key
    command: c.Command
    moment: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """From the view: what the table waited for. Bets and decisions need it."""


class CommandAnswer(msgspec.Struct, frozen=True):
    """What was done, as you may see it."""

    notice: EntryView
    again: bool
    """It had been done before with the same key."""


class TableSummary(msgspec.Struct, frozen=True):
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


class RulebookSummary(msgspec.Struct, frozen=True):
    """A rulebook in the list."""

    id: str
    house: str
    game: str
    sha256: str


async def rulebooks(web: Services, _call: Call[None]) -> list[RulebookSummary]:
    """The rulebooks on this house's shelf."""
    return [
        RulebookSummary(book.id, book.house, book.game, book.sha256)
        for book in web.house.shelf.books
    ]


async def lobby(web: Services, call: Call[None]) -> list[TableSummary]:
    """The open tables that are there for you, page by page, those with real chips first."""
    asked, last, tables = call.query(TablesQuery), (False, ""), web.house.tables
    if asked.after:
        table = (await web.table(asked.after, call.person)).table
        last = (table.practice, table.id)
    found = tables.page(last, asked.limit)
    if not permissions.may({*call.person.roles}, WATCH):
        mine = tables.practice_of(call.person.id)
        later = [live for live in mine if (True, live.table.id) > last]
        found = [*(live for live in found if not live.table.practice), *later][: asked.limit]
    return [summary(live) for live in found]


_SAME = ("rulebook", "minimum_cents", "maximum_cents", "practice", "dealing", "meter_cents")


def summary(live: LoadedTable) -> TableSummary:
    book, table = live.book, live.table
    return TableSummary(
        **{name: getattr(table, name) for name in _SAME},
        table=table.id,
        game=book.game,
        house=book.house,
        seats=book.seats.most,
        taken=len(table.sitters),
        round=table.number,
    )


async def open_table(web: Services, call: Call[NewTable]) -> CommandAnswer:
    """Open a table."""
    done = await web.practice.open_table(
        call.person.id, call.body.command, call.body.key, call.session, call.audience.address
    )
    return _done(done, call.person)


async def table(web: Services, call: Call[None]) -> TableView:
    """A table as you see it."""
    live = await web.table(call.path("table"), call.person)
    return views.table_view(live, call.person.id, web.house.clock(), web.house.safe.signed)


async def command(web: Services, call: Call[TableCommand]) -> CommandAnswer:
    """Ask something of it."""
    body = call.body
    says_why(body.command, "$.command.why")
    names_colours(body.command, "$.command.colours")
    done = await web.house.command(
        call.path("table"), call.person.id, body.command, body.key, body.moment, call.session
    )
    return _done(done, call.person)


def _done(done: CommandResult, person: Person) -> CommandAnswer:
    body, staff = done.body, permissions.may({*person.roles}, WATCH)
    seat = views.seat_then(body, person.id)
    return CommandAnswer(views.notice(done.entry, body, seat, staff=staff), done.again)


class InvitationAnswer(msgspec.Struct, frozen=True):
    """An invitation to a practice table."""

    invitation: str
    """A secret: whoever has it may come. The house keeps its hash alone."""


class ShownInvitation(RequestBody, frozen=True):
    """An invitation that somebody was given."""

    invitation: Annotated[str, msgspec.Meta(max_length=100)]


class Admitted(msgspec.Struct, frozen=True):
    """Where an invitation leads."""

    table: str


async def invite(web: Services, call: Call[None]) -> InvitationAnswer:
    """Make an invitation to your practice table; an earlier one is worth nothing."""
    name, who = call.path("table"), call.person.id
    return InvitationAnswer(await web.house.invite(name, who, call.session))


async def enter(web: Services, call: Call[ShownInvitation]) -> Admitted:
    """Come to a practice table by an invitation."""
    shown, who = call.body.invitation, call.person.id
    return Admitted(await web.house.enter(shown, who, call.session))


async def table_events(web: Services, call: Call[None]) -> EventStream:
    """What happens there, live; resume with Last-Event-ID."""
    live, known = await web.table(call.path("table"), call.person), _known(call)
    first = 0 if known is None else await web.told_after(call.person, live, known)
    return _stream(web, call, f"table:{live.table.id}", live.seq, known, first)


async def floor_events(web: Services, call: Call[None]) -> EventStream:
    """What happens at all tables, live, for staff; resume with Last-Event-ID."""
    permissions.allow(call.person.roles, WATCH)
    return _stream(web, call, FLOOR, web.house.position, _known(call))


class OpenNotice(msgspec.Struct, frozen=True):
    """The use of a ceiling, of which somebody must still hear."""

    table: str
    round: int
    gaming_day: str
    """Within which they must."""
    waits_for: tuple[str, ...]
    """The roles that have not acknowledged it."""
    late: bool


async def notices(web: Services, call: Call[None]) -> list[OpenNotice]:
    """The uses of a ceiling of which somebody must still hear, for staff."""
    permissions.allow(call.person.roles, WATCH)
    house = web.house
    today = house.settings.day(house.clock())
    return [
        OpenNotice(table, number, str(each.day), each.waits_for, today > each.day)
        for table, number, each in await house.look(open_notices, house.archive)
    ]


async def waiting(web: Services, call: Call[None]) -> list[Task]:
    """What waits for you on the floor, the most pressing first, with the commands that end it."""
    permissions.allow(call.person.roles, WATCH)
    return await floor.tasks(web.house, call.person)


def _known(call: Call[Any]) -> int | None:
    """Return the number of the last event that somebody knows who comes back."""
    given = header(call.request, b"last-event-id")
    if given and not (given.isascii() and given.isdigit() and len(given) < 18):
        raise Unreadable("write the id of the last event", "Last-Event-ID")
    return int(given) if given else None


def _stream(
    web: Services, call: Call[Any], stream: str, last: int, after: int | None, first: int = 0
) -> EventStream:
    if after is not None and after >= first and 0 < last - after <= BACKLOG:
        web.bound("backlog", call.request, cost=last - after)

    async def still() -> bool:
        person = await web.sessions.person(call.token)
        if person is None or stream == FLOOR:
            return person is not None and permissions.may({*person.roles}, WATCH)
        return permissions.sees((await web.house.table(call.path("table"))).table, person)

    listener = Listener(web.hub, stream, call.audience, after, still, first)
    return EventStream.answering(call.request, listener, "streams")


async def finished_round(web: Services, call: Call[None]) -> RoundRecord:
    """A finished round as you saw it."""
    name, house = call.path("round"), web.house
    whole = await house.look(replay.finished, house.archive, name)
    seat = whole.seat_of(call.person.id)
    await web.may_watch(call.person, name, seat)
    record = await house.look(whole.record, seat)
    return msgspec.structs.replace(record, proof=house.safe.vouched(record.proof))
