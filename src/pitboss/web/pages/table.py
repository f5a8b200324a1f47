"""The table page: what is on the felt, what you may do, and what came of it."""

from collections.abc import Mapping, Sequence

import msgspec
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.errors import Refused, Unreadable, refuse
from pitboss.house.books.ledger import chips
from pitboss.house.people.permissions import may, roles_at, sees
from pitboss.house.replay import Replay, announced_at
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.commands import FreeSeat
from pitboss.house.table.state import Sitter
from pitboss.house.table.unit_of_work import OWNER
from pitboss.house.views import TableView, table_view
from pitboss.round.made_hands import made_row, seen
from pitboss.round.wagers import bounds
from pitboss.rulebook.sign import sign
from pitboss.web import guards
from pitboss.web.pages import bet_form, coach, rule_page
from pitboss.web.pages.bet_form import Wrong
from pitboss.web.pages.history import Replays
from pitboss.web.pages.prices import solved
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.round_course import shown_round
from pitboss.web.pages.table_forms import asked
from pitboss.web.pages.table_status import bet_word, seat_freed, status_line
from pitboss.web.pages.visit import Visit
from pitboss.web.pages.wins import told_win
from pitboss.web.services import Services
from pitboss.web.streams import ChangePing, EventStream

YEAR = 365 * 24 * 3600
SHOWN_CLOCK_SECONDS = 120
"""A clock that runs longer than this is nobody's hurry, and is not shown."""

FOR_PEOPLE = {
    "command/late": "the table has gone on since you looked; nothing was done, and here it is now",
    "command/key-reused": "this form was used before; here is the table as it stands",
}
"""Refusals that are worded for programs, in words for people."""


class Coached(msgspec.Struct):
    """What the coach says; nothing where it is off."""

    values: Mapping[tuple[str, int], coach.ValuedChoice] = {}
    """What each choice is worth, if it is your turn."""
    costs: Sequence[coach.Cost] = ()
    """What your choices cost: in this round so far, or else in the last one."""
    session: tuple[int, int] | None = None
    """How many of the last rounds you played here, and what their choices cost."""


# Looking --------------------------------------------------------------------------------------


async def look(web: Services, visit: Visit) -> Page:
    """A table as you see it."""
    return await _show(web, visit, await web.table(visit.path("table"), visit.person))


async def _show(
    web: Services, visit: Visit, live: LoadedTable, wrong: Wrong | None = None, told: str = ""
) -> Page:
    """Show a table to whoever looks, and what was wrong with what they asked for or came of it."""
    book, table, who, house = live.book, live.table, visit.person, web.house
    clock, limits = house.clock(), (table.minimum_cents, table.maximum_cents)
    view, roles, last = (
        table_view(live, who.id, clock, web.house.safe.signed),
        roles_at(table, who),
        None,
    )
    if table.last is not None:
        name = f"{table.id}-{table.last.round}"
        last = await web.kept(Replays).read(house, name, who.id)
    over = None if table.under_way else last  # as long as it lies on the felt
    course = shown_round(live, view, who.id, over)
    mine = table.round.seats.get(view.seat or 0)
    bet_down = mine is not None and bool(mine.stakes) and table.round.phase != "new"
    posted = {name: bounds(spot, *limits) for name, spot in book.opening.items()}
    balance = 0
    if who.id and table.practice:
        balance = await web.practice.balance(who.id)
    elif who.id:
        balance = await house.look(house.archive.balance, chips(who.id, practice=False))
    owner = OWNER in roles
    return Page(
        "table.html",
        guards.status(wrong.refusal) if wrong and not visit.part else 200,
        book=book,
        rules=rule_page.address(house.shelf, book),
        table=table,
        view=view,
        felt=course.felt,
        said=course.said(),
        course=course.told,
        arrives=course.appearances(*visit.shown),
        sign=sign(book, *limits, posted),
        last=last,
        over=over,
        win=await house.look(told_win, over) if over is not None else None,
        status_line=status_line(
            live,
            view,
            who.id,
            bet_down=bet_down,
            over=over,
            since=await house.look(announced_at, house.archive, table) if view.approvals else {},
            day=house.settings.day(clock),
        ),
        free=frozenset(range(1, book.seats.most + 1)) - table.sitters.keys(),
        left=max(0, (view.until - clock + 999) // 1000) if view.until else None,
        shown_clock=SHOWN_CLOCK_SECONDS,
        # The betting form, and the buttons for decisions.
        bets=any(option.action == "bet" for option in view.options),
        bet_down=bet_down,
        bet_word=bet_word(live, view, bet_down=bet_down),
        fields={each.name: each for each in bet_form.fields(live, view, last, wrong)}
        if view.seat
        else {},
        to_stay=bet_form.to_stay(book),
        down_cents=sum(mine.stakes.values()) + mine.toke_cents if mine and bet_down else 0,
        toke=bet_form.toke(book, wrong),
        rack=bet_form.rack(live),
        last_bet=bet_form.last_bet(last),
        choices=bet_form.choices(view.options),
        wrong=wrong.refusal if wrong else None,
        told=told,
        # What you have and may do.
        balance=balance,
        low=table.practice and balance < web.practice.start_cents // 2,
        sitter=table.sitters.get(view.seat or 0, Sitter("", "")),
        can_sit=table.admitted.get(who.id, table.practice)
        or (may(roles, "sit") and "player" in roles and not table.practice),
        can_seat_bots=owner and table.open and await house.look(solved, book) is not None,
        owner=owner,
        freeable=[
            (number, each)
            for number, each in table.sitters.items()
            if not each.bot and not each.leaving and each.person != who.id
        ],
        coach=await _coached(web, visit, live, view, last),
    )


async def changes(web: Services, visit: Visit) -> EventStream:
    """Rings when something happens."""
    live = await web.table(visit.path("table"), visit.person)
    stream = f"table:{live.table.id}"

    async def still() -> bool:
        person = await web.sessions.person(visit.token) if visit.token else visit.person
        now = (await web.house.table(live.table.id)).table
        return person is not None and sees(now, person)

    ping = ChangePing(web.hub, stream, visit.audience, live.seq, still)
    return EventStream.answering(visit.request, ping, "pages")


# The coach ------------------------------------------------------------------------------------


async def _coached(
    web: Services, visit: Visit, live: LoadedTable, view: TableView, last: Replay | None
) -> Coached:
    table, seat, read = live.table, view.seat, web.house.look
    found = Coached()
    if not visit.coached or seat is None:
        return found
    if seat in view.due:
        state = rounds.view(live.book, table.happened, seat)
        advice = await read(coach.advice, live.book, state, seat, table.minimum_cents)
        choices = advice.choices if advice else ()
        found.values = {(each.action, each.times): each for each in choices}
    if table.under_way:
        events = [rounds.visible(each, seat) for each in table.happened]
        found.costs = await read(coach.so_far, live.book, events, seat)
    elif last is not None:
        found.costs = await read(coach.costs, last)
    if table.last is not None:
        replays, number = web.kept(Replays), table.last.round
        found.session = await replays.session(web.house, table.id, number, visit.person.id)
    return found


async def switch_coach(web: Services, visit: Visit) -> Response:
    """Turn the coach on or off in this browser."""
    live = await web.table(visit.field("table"), visit.person)
    response = to(f"/tables/{live.table.id}")
    on = "on" if visit.field("coach") == "on" else "off"
    response.set_cookie("coach", on, max_age=YEAR, samesite="strict", httponly=True, path="/")
    return response


# Doing ----------------------------------------------------------------------------------------


def _ask_before_folding(live: LoadedTable, person: str) -> None:
    """Refuse once to give up a hand that wins whatever else is dealt."""
    book, happened = live.book, live.table.happened
    held = (n for n, seat in live.table.round.seats.items() if seat.person == person)
    for seat in held:
        state = rounds.view(book, happened, seat)
        for table in book.table:
            if table.name != book.ante.table or book.ante.against:
                continue
            row = made_row(book, table, seen(state, seat, table.cards))
            if row is not None and row.odds:
                message = f"this hand already pays {book.pays(row)}, and folding gives it up"
                raise refuse("fold/confirm", message, row.cited)


async def do(web: Services, visit: Visit) -> Page | Response:
    """Bet, decide, sit down, get up."""
    live = await web.table(visit.path("table"), visit.person)
    wrong: Wrong | None = None
    told = ""
    try:
        if not visit.person.id:
            message = "sign in first: your session has ended, or this table is for named players"
            raise refuse("session/none", message)
        if visit.field("do") == "fold" and not visit.field("confirmed"):
            _ask_before_folding(live, visit.person.id)
        if visit.field("do") == "fill-up":
            await web.practice.fill_up(visit.person.id, visit.key, visit.session)
        else:
            command, moment = asked(visit, live.book), visit.field("moment")
            await web.house.command(
                live.table.id, visit.person.id, command, visit.key, moment, visit.session
            )
            if isinstance(command, FreeSeat):
                after = await web.house.table(live.table.id)
                told = seat_freed(after.table, command.seat, command.person)
    except (Refused, Unreadable) as error:
        refusal = guards.refusal(error)
        told = FOR_PEOPLE.get(refusal.code, refusal.message)
        wrong = Wrong(msgspec.structs.replace(refusal, message=told), visit.body)
    if not (wrong or told or visit.part):
        return to(f"/tables/{live.table.id}")
    return await _show(web, visit, await web.house.table(live.table.id), wrong, told)
