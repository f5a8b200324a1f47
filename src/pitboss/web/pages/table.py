"""The table page: what is on the felt, what you may do, and what came of it."""

from collections.abc import Mapping, Sequence

import msgspec
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.errors import Refused, Unreadable, refuse
from pitboss.house.books.ledger import chips
from pitboss.house.floor import announced_at
from pitboss.house.people.permissions import invited, may, roles_at, sees
from pitboss.house.replay import Replay, played
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.commands import Command, FreeSeat
from pitboss.house.table.state import Sitter
from pitboss.house.table.unit_of_work import OWNER
from pitboss.house.views import TableView, table_view
from pitboss.maths.luck import Parts
from pitboss.round.actions import Check, Fold, Raise, TakeBack
from pitboss.round.made_hands import made_row, seen
from pitboss.rulebook import Rulebook
from pitboss.rulebook.paytable import Row
from pitboss.web import guards
from pitboss.web.pages import bet_form, coach, rule_page
from pitboss.web.pages.bet_form import Wrong
from pitboss.web.pages.dealer import may_deal, may_look_on
from pitboss.web.pages.history import Replays, luck
from pitboss.web.pages.key_sheet import key_sheet
from pitboss.web.pages.luck_words import result_line
from pitboss.web.pages.prices import has_bots
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.round_course import shown_round
from pitboss.web.pages.table_forms import asked, wrong_form
from pitboss.web.pages.table_status import bet_word, called_off, seat_freed, status_line
from pitboss.web.pages.visit import COACH, Visit
from pitboss.web.pages.wins import told_win
from pitboss.web.services import Services
from pitboss.web.streams import ChangePing, EventStream

YEAR = 365 * 24 * 3600
SHOWN_CLOCK_SECONDS = 120
"""A clock that runs longer than this is nobody's hurry, and is not shown."""

DECISIONS = (Raise, Fold, Check, TakeBack)
CONFIRM = ("fold/confirm", "coach/confirm")
"""Refusals of a decision that may be made all the same."""


class Coached(msgspec.Struct):
    """What the coach says; nothing where it is off, and of a round under way where it warns."""

    values: Mapping[coach.Done, coach.ValuedChoice] = {}
    """What each choice is worth, if it is your turn."""
    best: str = ""
    """Which of them is the best, and why."""
    silent: str = ""
    """Why it has nothing to say in this game."""
    points: str = ""
    """What cards count where its reasons speak of points."""
    costs: Sequence[coach.Cost] = ()
    """What your choices in this round cost so far."""
    made_of: str = ""
    """What the last round came to, and of what."""
    mattered: str = ""
    """Which decision of it cost most."""
    session: Parts | None = None
    """Your last rounds here."""


# Looking --------------------------------------------------------------------------------------


async def look(web: Services, visit: Visit) -> Page:
    """A table as you see it."""
    return await _show(web, visit, await web.table(visit.path("table"), visit.person))


async def _show(
    web: Services, visit: Visit, live: LoadedTable, wrong: Wrong | None = None, told: str = ""
) -> Page:
    """Show a table to whoever looks, and what was wrong with what they asked for or came of it."""
    book, table, who, house = live.book, live.table, visit.person, web.house
    clock = house.clock()
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
    balance = await _balance(web, live, who.id)
    choices = bet_form.choices(view.options)
    owner = OWNER in roles
    return Page(
        "table.html",
        guards.status(wrong.refusal) if wrong and not visit.part else 200,
        book=book,
        rules=rule_page.address(house.shelf, book),
        rules_here=rule_page.address(house.shelf, book, table=table.id),
        table=table,
        view=view,
        felt=course.felt,
        said=course.said(),
        course=course.told,
        arrives=course.appearances(*visit.shown),
        sign=rule_page.posted(book, *table.posted, table.smallest_chip_cents),
        against=rule_page.against_dealer(book),
        last=last,
        over=over,
        win=await house.look(told_win, over) if over is not None else None,
        misdeal=called_off(over) if over else None,
        status_line=status_line(
            live,
            view,
            who.id,
            bet_down=bet_down,
            over=over,
            since=await house.look(announced_at, house.archive, live) if view.approvals else {},
            day=house.settings.day(clock),
        ),
        free=frozenset(range(1, book.seats.most + 1)) - table.sitters.keys(),
        left=max(0, (view.until - clock + 999) // 1000) if view.until else None,
        shown_clock=SHOWN_CLOCK_SECONDS,
        # The betting form, and the buttons for decisions.
        bets=any(option.action == "bet" for option in view.options),
        bet_down=bet_down,
        bet_word=bet_word(live, view, bet_down=bet_down),
        fields={
            each.name: each
            for each in bet_form.fields(live, view.seat, bet_form.last_bet(last), wrong)
        }
        if view.seat
        else {},
        first_steps=bet_form.first_steps(book, bet_word(live, view, bet_down=False))
        if view.seat and not await _has_played(web, who.id, last)
        else (),
        to_stay=bet_form.to_stay(book),
        down_cents=sum(mine.stakes.values()) + mine.toke_cents if mine and bet_down else 0,
        toke=bet_form.toke(live, wrong),
        rack=bet_form.rack(live),
        keys=key_sheet(book, bet_form.rack(live)) if not visit.part else {},
        last_bet=bet_form.last_bet(last),
        choices=choices,
        wrong=wrong.refusal if wrong else None,
        unsure=_unsure(wrong, choices),
        told=told,
        # What you have and may do.
        balance=balance,
        low=table.practice and balance < web.practice.start_cents // 2,
        sitter=table.sitters.get(view.seat or 0, Sitter("", "")),
        can_sit=invited(table, who.id)
        if table.practice
        else may(roles, "sit") and "player" in roles,
        can_seat_bots=owner and table.open and await house.look(has_bots, book),
        owner=owner,
        deals_here=may_deal(table, who),
        console_here=may_look_on(table, who),
        freeable=[
            (number, each)
            for number, each in table.sitters.items()
            if not each.bot and not each.leaving and each.person != who.id
        ],
        coach=await _coached(web, visit, live, view, last),
        coach_modes=COACH,
        maths=rule_page.address(house.shelf, book, "maths"),
        player_card=rule_page.address(house.shelf, book, "card"),
    )


async def _has_played(web: Services, person: str, last: Replay | None) -> bool:
    """Whether somebody has been paid a round, here or at another table."""
    if last is not None and last.seat is not None:
        return True
    return bool(await web.house.look(played, web.house.archive, person, "", 1))


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
    book, table, seat, read = live.book, live.table, view.seat, web.house.look
    found = Coached()
    if visit.coach == "off" or seat is None:
        return found
    found.silent = await read(coach.silent, book)
    found.points = await read(coach.points, book)
    if visit.coach == "show" and seat in view.due:
        state = rounds.view(book, table.happened, seat)
        advice = await read(coach.advice, book, state, seat, table.minimum_cents)
        if advice is not None:
            found.values = {(each.action, each.times): each for each in advice.choices}
            found.best = f"{advice.best().says} is best" + f": {advice.why}" * bool(advice.why)
    if visit.coach == "show" and table.under_way:
        events = [rounds.visible(each, seat) for each in table.happened]
        found.costs = await read(coach.so_far, book, events, seat)
    if last is not None and not table.under_way:
        found.made_of = result_line(book, await read(luck, last))
        found.mattered = await read(coach.mattered, last)
    if table.last is not None:
        found.session = await web.kept(Replays).session(web.house, table.id, visit.person.id)
    return found


async def switch_coach(web: Services, visit: Visit) -> Response:
    """Have the coach off, warning, or showing values in this browser."""
    live = await web.table(visit.field("table"), visit.person)
    response = to(f"/tables/{live.table.id}")
    wanted = visit.field("coach") if visit.field("coach") in COACH else "off"
    response.set_cookie("coach", wanted, max_age=YEAR, samesite="strict", httponly=True, path="/")
    return response


# Doing ----------------------------------------------------------------------------------------


async def _ask_once(web: Services, visit: Visit, live: LoadedTable, command: Command) -> None:
    """Refuse a decision that one may regret, once: confirmed, it is done.

    What cannot be done, was done before, or is late is not asked about: the table answers it.
    """
    book, table = live.book, live.table
    if not isinstance(command, DECISIONS) or visit.ticked("confirmed"):
        return
    held = table.round.seats.get(command.seat)
    if held is None or held.person != visit.person.id or visit.field("moment") != table.moment:
        return
    if rounds.refusal(book, table.round, command) is not None:
        return
    state = rounds.view(book, table.happened, command.seat)
    row = _certain(book, state, command.seat) if isinstance(command, Fold) else None
    if row is not None:
        message = f"this hand already pays {book.pays(row)}, and folding gives it up"
        raise refuse("fold/confirm", message, row.cited)
    if visit.coach == "warn":
        times = command.times if isinstance(command, Raise) else 0
        done = visit.field("do").partition(":")[0], times
        purse = await _balance(web, live, visit.person.id)
        warned = await web.house.look(
            coach.warning, book, state, command.seat, table.minimum_cents, done, purse
        )
        if warned is not None:
            raise refuse("coach/confirm", warned)


def _certain(book: Rulebook, state: rounds.State, seat: int) -> Row | None:
    """Return the row by which a hand wins whatever else is dealt."""
    table = book.tables[book.ante.table] if book.ante.table and not book.ante.against else None
    row = made_row(book, table, seen(state, seat, table.cards)) if table else None
    return row if row is not None and row.odds else None


async def _balance(web: Services, live: LoadedTable, person: str) -> int:
    if person and live.table.practice:
        return await web.practice.balance(person)
    account = chips(person, practice=False)
    return await web.house.look(web.house.archive.balance, account) if person else 0


def _unsure(
    wrong: Wrong | None, choices: Sequence[tuple[rounds.Option, str, str]]
) -> tuple[str, str, str] | None:
    """Return the decision that waits to be confirmed: as its form names it, in words, its key."""
    if wrong is None or wrong.refusal.code not in CONFIRM:
        return None
    wanted = wrong.form.get("do", "")
    named = ((f"{o.action}:{o.times}" if o.times else o.action, w, key) for o, w, key in choices)
    return next((each for each in named if each[0] == wanted), None)


async def do(web: Services, visit: Visit) -> Page | Response:
    """Bet, decide, sit down, get up."""
    live = await web.table(visit.path("table"), visit.person)
    wrong: Wrong | None = None
    told = ""
    try:
        if not visit.person.id:
            message = "sign in first: your session has ended, or this table is for named players"
            raise refuse("session/none", message)
        if visit.field("do") == "fill-up":
            await web.practice.fill_up(visit.person.id, visit.key, visit.session)
        else:
            command, moment = asked(visit, live.book), visit.field("moment")
            await _ask_once(web, visit, live, command)
            await web.house.command(
                live.table.id, visit.person.id, command, visit.key, moment, visit.session
            )
            if isinstance(command, FreeSeat):
                after = await web.house.table(live.table.id)
                told = seat_freed(after.table, command.seat, command.person)
    except (Refused, Unreadable) as error:
        wrong = wrong_form(visit, error)
    if not (wrong or told or visit.part):
        return to(f"/tables/{live.table.id}")
    return await _show(web, visit, await web.house.table(live.table.id), wrong, told)
