"""The table page: what is on the felt, what you may do, and what came of it."""

from collections.abc import Callable
from typing import Any

import msgspec
from starlette.responses import Response

from pitboss import round as rounds
from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.books.ledger import chips
from pitboss.house.people.permissions import may, roles_at
from pitboss.house.replay import Replay, past
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import commands as c
from pitboss.house.table.events import Own
from pitboss.house.table.unit_of_work import OWNER
from pitboss.house.views import TableView, table_view
from pitboss.money import cents
from pitboss.round import actions as a
from pitboss.round.wagers import bounds
from pitboss.rulebook import Rulebook
from pitboss.rulebook.sign import sign
from pitboss.web import guards
from pitboss.web.pages import betting, coach, layout
from pitboss.web.pages.betting import Wrong
from pitboss.web.pages.narration import story
from pitboss.web.pages.site import Remembered, Site, Visit
from pitboss.web.pages.table_status import situation
from pitboss.web.streams import ChangePing, EventStream

LAST_WORDS = 30
SESSION = 100
"""Rounds that the coach looks back on."""
NOT_THERE = -1
"""Instead of a cost: they had no seat in that round."""

OWN_PACE_SECONDS = 600
YEAR = 365 * 24 * 3600
SHOWN_CLOCK_SECONDS = 120
"""A clock that runs longer than this is nobody's hurry, and is not shown."""


class TablePages:
    """Looking at a table, and doing something there."""

    def __init__(self, site: Site) -> None:
        self.site, self.house = site, site.house
        self._pasts: Remembered[tuple[str, str], Replay] = Remembered(500)
        self._costs_of: Remembered[tuple[str, str], int] = Remembered(50_000)

    # Looking ----------------------------------------------------------------------------------

    async def look(self, visit: Visit) -> Response:
        """Show a table."""
        return await self._show(visit, await self.house.table(visit.path("table")))

    async def changes(self, visit: Visit) -> Response:
        """Ring whenever something happens at a table."""
        live = await self.house.table(visit.path("table"))
        who = (
            visit.person.id
            or f"visitor {visit.request.client.host if visit.request.client else ''}"
        )
        stream = f"table:{live.table.id}"
        if self.site.web.hub.full(stream, who):
            raise Refused(Refusal("stream/too-many", "too many pages are open: close one"))

        async def still() -> bool:
            return not visit.token or await self.site.web.sessions.person(visit.token) is not None

        if visit.request.method == "HEAD":
            return guards.guarded(EventStream(None))
        bell = ChangePing(self.site.web.hub, stream, who, live.seq, still)
        return guards.guarded(EventStream(bell))

    async def past(self, name: str, person: str) -> Replay:
        """Return a finished round as somebody saw it; the last ones are remembered."""
        found = self._pasts.get((name, person))
        if found is None:
            found = await self.house.read(past, self.house.store, name, person)
            self._pasts.put((name, person), found)
        return found

    async def _show(self, visit: Visit, live: LoadedTable, wrong: Wrong | None = None) -> Response:
        book, table, who = live.book, live.table, visit.person
        now = self.house.clock()
        view = table_view(live, who.id, now)
        last = await self._last(live, who.id)
        now_in = situation(live, view, last)
        over = now_in.over
        balance = 0
        if who.id:
            account = chips(who.id, practice=table.practice)
            balance = await self.house.read(self.house.store.balance, account)
        roles = roles_at(table, who)
        advice = await self._advice(visit, live, view)
        return self.site.page(
            visit,
            "table.html",
            wrong.status if wrong and not visit.part else 200,
            book=book,
            table=table,
            view=view,
            felt=self._felt(live, view, who.id, over),
            said=self._words(live, who.id, over),
            sign=_sign(book, table.minimum_cents, table.maximum_cents),
            fields=betting.fields(live, view, last, wrong) if view.seat else (),
            toke=betting.toke(book, wrong),
            rack=betting.rack(live),
            last_bet=betting.last_bet(last),
            choices=layout.choices([o for o in view.options if o.action != "bet"]),
            bets=any(option.action == "bet" for option in view.options),
            balance=balance,
            last=last,
            now=now_in,
            over=over,
            wrong=wrong.refusal if wrong else None,
            place=wrong.refusal.place if wrong else "",
            shown_clock=SHOWN_CLOCK_SECONDS,
            left=max(0, (view.until - now + 999) // 1000) if view.until else None,
            owner=OWNER in roles,
            others=[
                (number, each)
                for number, each in table.sitters.items()
                if not each.bot and not each.leaving and each.person != who.id
            ],
            values={(each.action, each.times): each for each in advice.choices} if advice else {},
            costs=await self._costs(visit, live, view, last),
            session=await self._session(visit, live, view),
            low=await self._low(live, balance),
            can_sit=table.practice or (may(roles, "sit") and "player" in roles),
        )

    async def _last(self, live: LoadedTable, person: str) -> Replay | None:
        if live.table.last is None:
            return None
        return await self.past(f"{live.table.id}-{live.table.last.round}", person)

    def _felt(
        self, live: LoadedTable, view: TableView, person: str, over: Replay | None
    ) -> layout.Felt:
        sitters = live.table.sitters
        people = {n: layout.Person(s.name, bool(s.bot), s.away) for n, s in sitters.items()}
        if over is not None:
            then = {n: people.get(n, layout.Person("")) for n in over.names}
            people |= {n: msgspec.structs.replace(then[n], name=over.names[n]) for n in then}
            # Whoever has sat down since was not the one who played there.
            me = view.seat if view.seat not in over.names else over.seat
            return layout.draw(live.book, over.state, people, me, over.paid)
        held = next((n for n, s in live.table.round.seats.items() if s.person == person), None)
        state = rounds.view(live.book, live.table.happened, held)
        return layout.draw(live.book, state, people, view.seat)

    def _words(self, live: LoadedTable, person: str, over: Replay | None) -> list[tuple[str, str]]:
        """Say what happened lately, each sentence with a name that stays the same."""
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

    async def _low(self, live: LoadedTable, balance: int) -> bool:
        """Whether somebody may have more play chips, and may need them."""
        start = int(cents(self.house.settings["guest-play-chips"]))
        return live.table.practice and balance < start // 2

    # The coach --------------------------------------------------------------------------------

    async def _advice(
        self, visit: Visit, live: LoadedTable, view: TableView
    ) -> coach.Advice | None:
        if not visit.coached or view.seat is None or view.seat not in view.due:
            return None
        state = rounds.view(live.book, live.table.happened, view.seat)
        least = live.table.minimum_cents
        return await self.house.read(coach.advice, live.book, state, view.seat, least)

    async def _costs(
        self, visit: Visit, live: LoadedTable, view: TableView, last: Replay | None
    ) -> tuple[coach.Cost, ...]:
        """Return what your choices cost: in this round so far, or else in the last one."""
        if not visit.coached or view.seat is None:
            return ()
        if live.table.under_way:
            events = [rounds.visible(each, view.seat) for each in live.table.happened]
            return await self.house.read(coach.so_far, live.book, events, view.seat)
        return await self.house.read(coach.costs, last) if last is not None else ()

    async def _session(
        self, visit: Visit, live: LoadedTable, view: TableView
    ) -> tuple[int, int] | None:
        """Return how many of the last rounds you played here, and what their choices cost."""
        last = live.table.last
        if not visit.coached or last is None or view.seat is None:
            return None
        numbers = range(last.round, max(0, last.round - SESSION), -1)
        names = [f"{live.table.id}-{number}" for number in numbers]
        return await self.house.read(self._sum, names, visit.person.id)

    def _sum(self, names: list[str], person: str) -> tuple[int, int]:
        """On a thread: add up what choices cost, back to a round that they did not play."""
        costs: list[int] = []
        for name in names:
            cost = self._costs_of.get((name, person))
            if cost is None:
                try:
                    found = past(self.house.store, name, person)
                except Refused:
                    break
                cost = sum(each.cents for each in coach.costs(found)) if found.seat else NOT_THERE
                self._costs_of.put((name, person), cost)
            if cost == NOT_THERE:
                break
            costs.append(cost)
        return len(costs), sum(costs)

    async def coach(self, visit: Visit) -> Response:
        """Turn the coach on or off for this browser, and go back to the table."""
        table = await self.house.table(visit.field("table"))
        response = self.site.to(f"/tables/{table.table.id}")
        on = "on" if visit.field("coach") == "on" else "off"
        response.set_cookie("coach", on, max_age=YEAR, samesite="strict", httponly=True, path="/")
        return response

    # Doing ------------------------------------------------------------------------------------

    async def do(self, visit: Visit) -> Response:
        """Do what a form asks for, and show the table again."""
        live = await self.house.table(visit.path("table"))
        session = None
        stranger = not visit.person.id and visit.field("do") == "sit"
        if stranger and live.table.practice:  # from now on a guest
            session = await self.site.as_guest(visit)
        wrong: Wrong | None = None
        try:
            await self._do(visit, live)
        except Refused as refused:
            told = _FOR_PEOPLE.get(refused.refusal.code, refused.refusal.message)
            refusal = msgspec.structs.replace(refused.refusal, message=told)
            wrong = Wrong(refusal, visit.form, guards.status(refusal))
        except Unreadable as error:
            wrong = Wrong(
                Refusal("body/unreadable", error.message, "", error.place), visit.form, 400
            )
        live = await self.house.table(live.table.id)
        if wrong is not None or visit.part:
            response = await self._show(visit, live, wrong)
        else:
            response = self.site.to(f"/tables/{live.table.id}")
        if session is not None:
            guards.let_in(response, session, visit.request)
        return response

    async def _do(self, visit: Visit, live: LoadedTable) -> None:
        if not visit.person.id:
            message = "sign in first: your session has ended, or this table is for named players"
            raise Refused(Refusal("session/none", message))
        wanted, _, visit.form["times"] = visit.field("do").partition(":")
        if wanted == "fill-up":
            await self.site.web.fill_up(visit.person, visit.key)
            return
        asked = _ASKED.get(wanted)
        if asked is None:
            raise Unreadable("this form asks for nothing that is done here", "do")
        command = asked(visit, live.book)
        name, moment = live.table.id, visit.field("moment")
        await self.house.command(name, visit.person, command, visit.key, moment)


_FOR_PEOPLE = {
    "command/late": "the table has gone on since you looked; nothing was done, and here it is now",
    "command/key-reused": "this form was used before; here is the table as it stands",
}
"""Refusals that are worded for programs, in words for people."""


# What forms ask for ---------------------------------------------------------------------------


def _bet(visit: Visit, book: Rulebook) -> a.Bet:
    wagers = {}
    for name in book.opening:
        given = visit.field(f"wager-{name}").replace("$", "")
        if given and given != "0":
            wagers[name] = _amount(given, name)
    if not wagers:
        raise Unreadable(f"put a wager on {book.ante.title} first", book.ante.name)
    toke = visit.field("toke").replace("$", "")
    return a.Bet(visit.number("seat"), wagers, _amount(toke, "toke") if toke else 0)


def _amount(given: str, place: str) -> int:
    try:
        return int(cents(given))
    except Unreadable as error:
        raise error.at(place) from None


_ASKED: dict[str, Callable[[Visit, Rulebook], c.Command]] = {
    "bet": _bet,
    "take-down": lambda visit, _: a.Bet(visit.number("seat"), {}),
    "raise": lambda visit, _: a.Raise(visit.number("seat"), visit.number("times")),
    "fold": lambda visit, _: a.Fold(visit.number("seat"), bool(visit.field("confirmed"))),
    "check": lambda visit, _: a.Check(visit.number("seat")),
    "take-back": lambda visit, _: a.TakeBack(visit.number("seat")),
    "sit": lambda visit, _: c.Sit(visit.number("seat")),
    "leave": lambda _, __: c.Leave(),
    "sit-out": lambda _, __: c.SitOut(),
    "sit-in": lambda _, __: c.SitIn(),
    "seat-bot": lambda visit, _: c.SeatBot(visit.number("seat")),
    "free-seat": lambda visit, _: c.FreeSeat(
        visit.number("seat"), visit.field("person")[:40], "as the table's owner wishes"
    ),
    "close-table": lambda _, __: c.CloseTable("closed by its owner"),
}
"""What can be asked for on the table page."""


# What the page shows --------------------------------------------------------------------------


def _sign(book: Rulebook, minimum: int, maximum: int | None) -> Any:
    posted = {name: bounds(spot, minimum, maximum) for name, spot in book.opening.items()}
    takes = {name: betting.takes(*each) for name, each in posted.items()}
    return sign(book, minimum, maximum, takes)
