"""The table page: what is on the felt, what you may do, and what came of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.books.ledger import chips
from pitboss.house.people.permissions import may, roles_at
from pitboss.house.replay import Replay
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.events import Own
from pitboss.house.table.state import Sitter, Table
from pitboss.house.table.unit_of_work import OWNER
from pitboss.house.views import TableView, table_view
from pitboss.money import cents
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.sign import Sign, sign
from pitboss.web import guards
from pitboss.web.pages import bet_form, coach, layout, rule_page
from pitboss.web.pages.bet_form import Wrong
from pitboss.web.pages.history import Replays
from pitboss.web.pages.narration import story
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.table_forms import asked
from pitboss.web.pages.table_status import TableStatus, table_status
from pitboss.web.pages.visit import Visit, as_guest
from pitboss.web.services import Services
from pitboss.web.streams import ChangePing, EventStream

LAST_WORDS = 30
YEAR = 365 * 24 * 3600
SHOWN_CLOCK_SECONDS = 120
"""A clock that runs longer than this is nobody's hurry, and is not shown."""

FOR_PEOPLE = {
    "command/late": "the table has gone on since you looked; nothing was done, and here it is now",
    "command/key-reused": "this form was used before; here is the table as it stands",
}
"""Refusals that are worded for programs, in words for people."""


class TablePage(msgspec.Struct, frozen=True, kw_only=True):
    """All that the template shows."""

    book: Rulebook
    rules: str
    """Where their rule card is."""
    table: Table
    view: TableView
    felt: layout.Felt
    said: list[tuple[str, str]]
    """What happened lately, each sentence with a name that stays the same."""
    sign: Sign
    last: Replay | None
    over: Replay | None
    """The last round, as long as it lies on the felt."""
    now: TableStatus
    left: int | None
    """Seconds on the clock."""
    shown_clock: int = SHOWN_CLOCK_SECONDS
    # The betting form, and the buttons for decisions
    bets: bool
    fields: tuple[bet_form.Field, ...]
    toke: str | None
    rack: list[int]
    last_bet: dict[str, str]
    choices: tuple[layout.Button, ...]
    wrong: Refusal | None
    place: str
    """The field at which it is wrong."""
    # What you have and may do
    balance: int
    low: bool
    """You may have more play chips, and may need them."""
    owner: bool
    others: list[tuple[int, Sitter]]
    """Those whose seat the owner may free."""
    can_sit: bool
    # The coach
    values: Mapping[tuple[str, int], coach.ValuedChoice]
    costs: Sequence[coach.Cost]
    session: tuple[int, int] | None
    """How many of the last rounds you played here, and what their choices cost."""


# Looking --------------------------------------------------------------------------------------


async def look(web: Services, visit: Visit) -> Page:
    """A table as you see it."""
    return await _show(web, visit, await web.house.table(visit.path("table")))


async def _show(web: Services, visit: Visit, live: LoadedTable, wrong: Wrong | None = None) -> Page:
    status = guards.status(wrong.refusal) if wrong and not visit.part else 200
    shown = await _table_page(web, visit, live, wrong)
    return Page("table.html", status, **msgspec.structs.asdict(shown))


async def _table_page(
    web: Services, visit: Visit, live: LoadedTable, wrong: Wrong | None
) -> TablePage:
    book, table, who, house = live.book, live.table, visit.person, web.house
    clock = house.clock()
    view = table_view(live, who.id, clock)
    last = await _last(web, live, who.id)
    now = table_status(live, view, last)
    balance = 0
    if who.id:
        balance = await house.read(house.store.balance, chips(who.id, practice=table.practice))
    roles = roles_at(table, who)
    return TablePage(
        book=book,
        rules=rule_page.address(house.shelf, book),
        table=table,
        view=view,
        felt=_felt(live, view, who.id, now.over),
        said=_said(live, who.id, now.over),
        sign=_sign(book, table.minimum_cents, table.maximum_cents),
        last=last,
        over=now.over,
        now=now,
        left=max(0, (view.until - clock + 999) // 1000) if view.until else None,
        bets=any(option.action == "bet" for option in view.options),
        fields=bet_form.fields(live, view, last, wrong) if view.seat else (),
        toke=bet_form.toke(book, wrong),
        rack=bet_form.rack(live),
        last_bet=bet_form.last_bet(last),
        choices=layout.buttons([o for o in view.options if o.action != "bet"]),
        wrong=wrong.refusal if wrong else None,
        place=wrong.refusal.place if wrong else "",
        balance=balance,
        low=table.practice and balance < int(cents(house.settings["guest-play-chips"])) // 2,
        owner=OWNER in roles,
        others=[
            (number, each)
            for number, each in table.sitters.items()
            if not each.bot and not each.leaving and each.person != who.id
        ],
        can_sit=table.practice or (may(roles, "sit") and "player" in roles),
        values=await _values(web, visit, live, view),
        costs=await _costs(web, visit, live, view, last),
        session=await _session(web, visit, live, view),
    )


async def _last(web: Services, live: LoadedTable, person: str) -> Replay | None:
    if live.table.last is None:
        return None
    name = f"{live.table.id}-{live.table.last.round}"
    return await web.kept(Replays).read(web.house, name, person)


def _felt(live: LoadedTable, view: TableView, person: str, over: Replay | None) -> layout.Felt:
    sitters = live.table.sitters
    people = {n: layout.SeatedPerson(s.name, bool(s.bot), s.away) for n, s in sitters.items()}
    if over is not None:
        then = {n: people.get(n, layout.SeatedPerson("")) for n in over.names}
        people |= {n: msgspec.structs.replace(then[n], name=over.names[n]) for n in then}
        # Whoever has sat down since was not the one who played there.
        me = view.seat if view.seat not in over.names else over.seat
        return layout.draw(live.book, over.state, people, me, over.paid)
    held = next((n for n, s in live.table.round.seats.items() if s.person == person), None)
    state = rounds.view(live.book, live.table.happened, held)
    return layout.draw(live.book, state, people, view.seat)


def _said(live: LoadedTable, person: str, over: Replay | None) -> list[tuple[str, str]]:
    book, table = live.book, live.table
    if over is not None:
        number, seat, names = over.round.rpartition("-")[2], over.seat, over.names
        # The round's own events and its payment: each keeps its number when the round is over.
        told = over.events
        events: list[Any] = [e for e in told if not isinstance(e, Own) or e == over.paid]
    else:
        number, names = str(table.number), {n: s.name for n, s in table.sitters.items()}
        seat = next((n for n, s in table.round.seats.items() if s.person == person), None)
        events = [rounds.visible(each, seat) for each in table.happened]
    words = enumerate(story(book, events, names, seat))
    return [(f"{number}.{n}", each) for n, each in words if each][-LAST_WORDS:]


def _sign(book: Rulebook, minimum: int, maximum: int | None) -> Sign:
    posted = {name: bounds(spot, minimum, maximum) for name, spot in book.opening.items()}
    return sign(book, minimum, maximum, posted)


async def changes(web: Services, visit: Visit) -> EventStream:
    """Rings when something happens."""
    live = await web.house.table(visit.path("table"))
    address = visit.request.client.host if visit.request.client else ""
    who, stream = visit.person.id or f"visitor {address}", f"table:{live.table.id}"

    async def still() -> bool:
        return not visit.token or await web.sessions.person(visit.token) is not None

    ping = ChangePing(web.hub, stream, who, live.seq, still)
    return EventStream.answering(visit.request, ping, "pages")


# The coach ------------------------------------------------------------------------------------


async def _values(
    web: Services, visit: Visit, live: LoadedTable, view: TableView
) -> dict[tuple[str, int], coach.ValuedChoice]:
    """Return what each choice is worth, if it is your turn."""
    if not visit.coached or view.seat is None or view.seat not in view.due:
        return {}
    state = rounds.view(live.book, live.table.happened, view.seat)
    least = live.table.minimum_cents
    advice = await web.house.read(coach.advice, live.book, state, view.seat, least)
    return {(each.action, each.times): each for each in advice.choices} if advice else {}


async def _costs(
    web: Services, visit: Visit, live: LoadedTable, view: TableView, last: Replay | None
) -> tuple[coach.Cost, ...]:
    """Return what your choices cost: in this round so far, or else in the last one."""
    if not visit.coached or view.seat is None:
        return ()
    if live.table.under_way:
        events = [rounds.visible(each, view.seat) for each in live.table.happened]
        return await web.house.read(coach.so_far, live.book, events, view.seat)
    return await web.house.read(coach.costs, last) if last is not None else ()


async def _session(
    web: Services, visit: Visit, live: LoadedTable, view: TableView
) -> tuple[int, int] | None:
    last = live.table.last
    if not visit.coached or last is None or view.seat is None:
        return None
    replays = web.kept(Replays)
    return await replays.session(web.house, live.table.id, last.round, visit.person.id)


async def switch_coach(web: Services, visit: Visit) -> Response:
    """Turn the coach on or off in this browser."""
    live = await web.house.table(visit.field("table"))
    response = to(f"/tables/{live.table.id}")
    on = "on" if visit.field("coach") == "on" else "off"
    response.set_cookie("coach", on, max_age=YEAR, samesite="strict", httponly=True, path="/")
    return response


# Doing ----------------------------------------------------------------------------------------


async def do(web: Services, visit: Visit) -> Page | Response:
    """Bet, decide, sit down, get up."""
    live = await web.house.table(visit.path("table"))
    if live.table.practice and not visit.person.id and visit.field("do") == "sit":
        await as_guest(web, visit)
    wrong: Wrong | None = None
    try:
        await _do(web, visit, live)
    except (Refused, Unreadable) as error:
        refusal = guards.refusal(error)
        told = FOR_PEOPLE.get(refusal.code, refusal.message)
        wrong = Wrong(msgspec.structs.replace(refusal, message=told), visit.body)
    if wrong is None and not visit.part:
        return to(f"/tables/{live.table.id}")
    return await _show(web, visit, await web.house.table(live.table.id), wrong)


async def _do(web: Services, visit: Visit, live: LoadedTable) -> None:
    if not visit.person.id:
        message = "sign in first: your session has ended, or this table is for named players"
        raise Refused(Refusal("session/none", message))
    if visit.field("do") == "fill-up":
        await web.practice.fill_up(visit.person, visit.key)
        return
    command, moment = asked(visit, live.book), visit.field("moment")
    await web.house.command(live.table.id, visit.person, command, visit.key, moment)
