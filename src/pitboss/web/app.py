"""The web application: sessions, checks and errors in one place, and one handler for each route."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.books.ledger import chips, held
from pitboss.house.house import CommandResult, House
from pitboss.house.people import permissions, persons
from pitboss.house.people.persons import Person
from pitboss.house.people.sessions import Session, Sessions, csrf, same_command
from pitboss.house.replay import round_record
from pitboss.house.settings import SETTINGS, checked
from pitboss.house.storage import codec
from pitboss.house.storage.store import Unavailable
from pitboss.house.table import commands as c
from pitboss.house.views import notice, seat_then, table_view
from pitboss.money import cents
from pitboss.rulebook import ids, load
from pitboss.web import guards
from pitboss.web import routes as r
from pitboss.web.guards import COOKIE, content_type, guarded, header, let_in, same_site, whole_body
from pitboss.web.openapi import document
from pitboss.web.pages.routes import page_routes
from pitboss.web.pages.site import Site
from pitboss.web.rate_limit import TokenBucket
from pitboss.web.streams import FLOOR, EventStream, Hub, Listener

MOST_PRACTICE = 10
"""Practice tables that one person may have open."""

WATCH = "watch-floor"
BUSIEST = "/api/tables/{table}"
"""Looked for first: Starlette tries one route after the other."""


class Call(msgspec.Struct):
    """One request, checked and read."""

    request: Request
    person: Person
    token: str
    body: Any

    def path(self, name: str) -> str:
        """Return a part of the path."""
        found = str(self.request.path_params[name])
        if "\0" in found:  # text that not every database can be asked for
            raise Refused(Refusal("path/unknown", f"there is no {name} with such a name"))
        return found


Handler = Callable[[Call], Awaitable[Any]]


class Guarded(Starlette):
    """Starlette without the pages that it has for what goes wrong: ours are the same everywhere."""

    def __init__(self, site: Site, routes: list[StarletteRoute]) -> None:
        super().__init__(routes=routes)
        self.router.redirect_slashes = False
        self.site = site

    def build_middleware_stack(self) -> ASGIApp:
        """Let requests go straight to their route."""
        return self._guard

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.router(scope, receive, send)
            return
        except HTTPException as error:
            response = _no_route(self.site, Request(scope), error)
        except Exception:
            logging.getLogger("pitboss").exception("%s %s", scope["method"], scope["path"])
            message = "this is our mistake, and it is logged"
            response = _problem(Refusal("server/broken", message), 500)
        with contextlib.suppress(RuntimeError):  # an answer had been begun
            await response(scope, receive, send)


class _Endpoint:
    """A route, for Starlette to call without more ado."""

    def __init__(self, web: "Web", route: r.Route) -> None:
        self.web, self.route = web, route
        self.handler: Handler = getattr(web, f"_{route.name}")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.web.answer(self.route, self.handler, Request(scope, receive))
        await response(scope, receive, send)


class Web:
    """A house on the web."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.sessions = Sessions(house)
        self.hub = Hub(house)
        self.counts: dict[str, int] = {}
        self._commands = TokenBucket(200, 100)
        self._looks = TokenBucket(1_000, 500)
        self._doors = TokenBucket(3_000, 5)
        self._strangers = TokenBucket(100, 0.2)
        self._passwords = TokenBucket(30, 0.5)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def app(self) -> Starlette:
        """Return the application."""
        site = Site(self)
        routes = [
            StarletteRoute(route.path, _Endpoint(self, route), methods=[route.method])
            for route in sorted(r.ROUTES, key=lambda each: each.path != BUSIEST)
        ]
        return Guarded(site, routes + page_routes(site))

    # Every request passes here ----------------------------------------------------------------

    async def answer(self, route: r.Route, handler: Handler, request: Request) -> Response:
        """Answer a request: whatever is refused has the same shape."""
        try:
            answer = await handler(await self._call(route, request))
        except Refused as refused:
            response = _problem(refused.refusal)
        except Unreadable as error:
            refusal = Refusal("body/unreadable", error.message, "", error.place[:100])
            response = _problem(refusal, 400)
        except ClientDisconnect:
            response = guarded(Response(status_code=400))  # nobody is there to read it
        except Unavailable:
            refusal = Refusal("store/gone", "nothing can be written now: try again")
            response = _problem(refusal, 503)
        else:
            if isinstance(answer, Response):
                response = answer
            elif answer is None:
                response = guarded(Response(status_code=204))
            else:
                response = _json(answer)
        if response.status_code == 401:
            response.headers["WWW-Authenticate"] = "Bearer"
        elif response.status_code in (429, 503):
            response.headers["Retry-After"] = "1"
        self.count(route.name, response.status_code)
        return response

    def count(self, name: str, status: int) -> None:
        """Count an answer, for the figures."""
        key = f"{name} {status}"
        self.counts[key] = self.counts.get(key, 0) + 1

    async def _call(self, route: r.Route, request: Request) -> Call:
        changes = request.method not in ("GET", "HEAD")
        token, by_cookie = guards.token(request)
        if changes:
            same_site(request)
        person = Person("")
        if not route.public:
            found = await self.sessions.person(token) if token else None
            if found is None:
                self._bounded(self._looks, request)  # guessing tokens has its bounds, too
                raise Refused(Refusal("session/none", "sign in, or enter as a guest, first"))
            if changes and by_cookie:
                shown = header(request, b"x-csrf-token")
                if not secrets.compare_digest(shown.encode(), csrf(token).encode()):
                    raise Refused(Refusal("csrf/missing", "X-CSRF-Token is not this session's"))
            person = found
        self._bounded(self._rate(route, changes=changes), request, person.id)
        body = await _body(route, request) if route.body is not None else None
        if body is not None and person.id:
            person = await self.house.person(person.id)  # it may have taken its time
        return Call(request, person, token, body)

    def bounded_look(self, request: Request, person: str) -> None:
        """Refuse more looks than anybody needs."""
        self._bounded(self._looks, request, person)

    def bounded_change(self, request: Request, person: str, *, password: bool) -> None:
        """Refuse more forms than anybody can fill in; passwords are counted by address."""
        if password:
            self._bounded(self._passwords, request)
        else:
            self._bounded(self._commands if person else self._strangers, request, person)

    def _bounded(self, rate: TokenBucket, request: Request, person: str = "") -> None:
        """Refuse what is too much, of a person or else of an address."""
        who = person or (request.client.host if request.client else "")
        if not rate.allows(who, self.house.clock()):
            raise Refused(Refusal("rate/too-much", "too much at once: wait a moment"))

    def _rate(self, route: r.Route, *, changes: bool) -> TokenBucket:
        if not changes:
            return self._looks
        if not route.public:
            return self._commands
        return self._doors if route.body is None else self._passwords

    def _turn(self, person: str) -> asyncio.Lock:
        """Return what has a person's requests wait for each other: what is counted must be done
        before the next is counted."""
        return self._turns.setdefault(person, asyncio.Lock())

    # Handlers ---------------------------------------------------------------------------------

    async def _health(self, _call: Call) -> r.Health:
        await self.house.read(self.house.store.position)
        return r.Health(True, self.house.position)

    async def _metrics(self, _call: Call) -> Response:
        figures = {
            "pitboss_journal_position": self.house.position,
            "pitboss_tables_open": len(self.house.tables()),
            "pitboss_listeners": self.hub.count,
            "pitboss_write_queue": self.house.store.waiting,
        }
        lines = [
            line
            for name, value in figures.items()
            for line in (f"# TYPE {name} gauge", f"{name} {value}")
        ]
        lines.append("# TYPE pitboss_requests_total counter")
        for key, count in sorted(self.counts.items()):
            name, status = key.split()
            lines.append(f'pitboss_requests_total{{name="{name}",status="{status}"}} {count}')
        text = "\n".join([*lines, ""])
        return guarded(Response(text, media_type=f"{r.PLAIN}; version=0.0.4"))

    async def _openapi(self, _call: Call) -> dict[str, Any]:
        return document()

    async def _guest(self, call: Call) -> Response:
        return _entered(await self.sessions.guest(), call.request)

    async def _login(self, call: Call) -> Response:
        session = await self.sessions.login(call.body.name, call.body.password)
        return _entered(session, call.request)

    async def _logout(self, call: Call) -> Response:
        await self.sessions.end(call.token)
        self.hub.look(call.person.id)
        response = guarded(Response(status_code=204))
        response.delete_cookie(COOKIE)
        return response

    async def _password(self, call: Call) -> None:
        body = call.body
        await self.sessions.change_password(body.name, body.password, body.new)

    async def _me(self, call: Call) -> r.Me:
        return await self._about(call.person, csrf(call.token))

    async def _about(self, person: Person, token: str = "") -> r.Me:
        accounts = [
            chips(person.id, practice=False),
            chips(person.id, practice=True),
            held(person.id, practice=False),
        ]
        found = [await self.house.read(self.house.store.balance, each) for each in accounts]
        return r.Me(person, found[0], found[1], found[2], token)

    async def _play_chips(self, call: Call) -> r.Me:
        await self.fill_up(call.person, call.body.key)
        return await self._me(call)

    async def fill_up(self, who: Person, key: str) -> None:
        """Give somebody play chips up to what everybody starts with."""
        permissions.allow(who.roles, "play-chips")
        async with self._turn(who.id):
            has = await self.house.read(self.house.store.balance, chips(who.id, practice=True))
            missing = int(cents(self.house.settings["guest-play-chips"])) - has
            if missing > 0:
                bought = persons.ChipsBought(missing, practice=True)
                await self.house.record(who.id, who.id, key, bought)

    async def _rulebooks(self, _call: Call) -> list[r.Book]:
        books = [load(each) for each in ids()]
        return [r.Book(book.id, book.house, book.game, book.sha256) for book in books]

    async def _lobby(self, _call: Call) -> list[r.Lobby]:
        return self.tables()

    def tables(self) -> list[r.Lobby]:
        """Return the open tables."""
        return [
            r.Lobby(
                live.table.id,
                live.table.rulebook,
                live.book.game,
                live.book.house,
                live.table.minimum_cents,
                live.table.maximum_cents,
                live.table.practice,
                live.table.dealing,
                live.book.seats.most,
                len(live.table.sitters),
                live.table.number,
                live.table.meter_cents,
            )
            for live in self.house.tables()
        ]

    async def _open_table(self, call: Call) -> r.Done:
        done = await self.open_table(call.person, call.body.command, call.body.key)
        return _done(done, call.person)

    async def open_table(self, who: Person, command: c.OpenTable, key: str) -> CommandResult:
        """Open a table, one after the other for each person: what is counted must be done first."""
        async with self._turn(who.id):
            same = codec.short_name(f"{who.id}/{key}")
            mine = [
                each.table.id
                for each in self.house.tables()
                if each.table.practice and each.table.opener == who.id
            ]
            if command.practice and len(mine) >= MOST_PRACTICE and same not in mine:
                message = f"you have {MOST_PRACTICE} practice tables open: close one first"
                raise Refused(Refusal("table/too-many", message))
            _, done = await self.house.open_table(who, command, key)
            return done

    async def _table(self, call: Call) -> Any:
        live = await self.house.table(call.path("table"))
        return table_view(live, call.person.id, self.house.clock())

    async def _command(self, call: Call) -> r.Done:
        body = call.body
        done = await self.house.command(
            call.path("table"), call.person, body.command, body.key, body.moment
        )
        return _done(done, call.person)

    async def _table_events(self, call: Call) -> Response:
        live = await self.house.table(call.path("table"))
        return self._stream(call, f"table:{live.table.id}")

    async def _floor_events(self, call: Call) -> Response:
        permissions.allow(call.person.roles, WATCH)
        return self._stream(call, FLOOR)

    def _stream(self, call: Call, stream: str) -> Response:
        given = header(call.request, b"last-event-id")
        if given and not (given.isascii() and given.isdigit() and len(given) < 18):
            raise Unreadable("write the id of the last event", "Last-Event-ID")
        if self.hub.full(stream, call.person.id):
            raise Refused(Refusal("stream/too-many", "too many streams are open: close one"))
        if call.request.method == "HEAD":
            return guarded(EventStream(None))

        async def still() -> bool:
            person = await self.sessions.person(call.token)
            watches = stream != FLOOR or (
                person is not None and permissions.may({*person.roles}, WATCH)
            )
            return person is not None and watches

        after = int(given) if given else None
        return guarded(EventStream(Listener(self.hub, stream, call.person.id, after, still)))

    async def _round(self, call: Call) -> Any:
        name = call.path("round")
        return await self.house.read(round_record, self.house.store, name, call.person.id)

    async def _add_person(self, call: Call) -> Person:
        permissions.allow(call.person.roles, "add-person")
        body = call.body
        return await self.sessions.add(
            call.person.id, body.name, body.roles, body.password, body.key, body.why
        )

    async def _somebody(self, name: str) -> Person:
        found = await self.house.person(name)
        if not found.exists:
            raise Refused(Refusal("person/unknown", f"there is nobody called {name[:40]!r}"))
        return found

    async def _see_person(self, call: Call) -> r.Me:
        permissions.allow(call.person.roles, "see-people")
        return await self._about(await self._somebody(call.path("person")))

    async def _person(self, call: Call) -> r.Me:
        act, key = call.body.command, call.body.key
        tag, own = str(act.__struct_config__.tag), call.path("person") == call.person.id
        permissions.allow(call.person.roles, tag, own=own)
        someone = await self._somebody(call.path("person"))
        if isinstance(act, r.SetPassword):
            await self.sessions.set_password(
                call.person.id, someone.id, act.password, key, once=True, why=act.why
            )
        else:
            event = _person_event(act)
            same_command(await self.house.record(call.person.id, someone.id, key, event), event)
        return await self._about(await self.house.person(someone.id))

    async def _settings(self, _call: Call) -> dict[str, str]:
        return {name: self.house.settings[name] for name in SETTINGS}

    async def _setting(self, call: Call) -> dict[str, str]:
        permissions.allow(call.person.roles, "change-setting")
        body = call.body
        value = checked(body.name, body.value)
        done = await self.house.change_setting(call.person.id, body.name, value, body.why, body.key)
        same_command(done, persons.SettingChanged(body.name, value, body.why))
        return await self._settings(call)


def _person_event(act: Any) -> persons.PersonEvent:
    if isinstance(act, r.SetRoles):
        return persons.RolesSet(act.roles, act.why)
    if isinstance(act, r.Bar):
        return persons.Barred(act.barred, act.why)
    if isinstance(act, r.Identify):
        return persons.Identified(act.residence, act.identified, act.tin, act.why)
    if isinstance(act, r.SellChips):
        return persons.ChipsBought(act.cents, practice=False, why=act.why)
    if isinstance(act, r.CashChips):
        return persons.ChipsCashed(act.cents, act.why)
    return persons.HeldReleased(act.cents, act.why)


def _done(done: Any, person: Person) -> r.Done:
    body = done.body
    staff = permissions.may({*person.roles}, WATCH)
    return r.Done(notice(done.entry, body, seat_then(body, person.id), staff=staff), done.again)


def _json(answer: Any, status: int = 200) -> Response:
    return guarded(Response(codec.encode(answer), status, media_type="application/json"))


def _no_route(site: Site, request: Request, error: HTTPException) -> Response:
    """Say that nothing is there, or not with this method: to a person on a page."""
    where, method = request.scope["path"][:80], request.method[:20]
    refusal = Refusal("path/unknown", f"there is nothing at {where}")
    if error.status_code == 405:
        refusal = Refusal("path/method", f"{method} is not for {where}")
    browses = "text/html" in header(request, b"accept")
    response = site.lost(request, refusal) if browses else _problem(refusal)
    response.headers.update(error.headers or {})
    return response


def _problem(refusal: Refusal, status: int | None = None) -> Response:
    problem = r.Problem(refusal.code, refusal.message[:500], refusal.clause, refusal.place)
    return _json(problem, status or guards.status(refusal))


def _entered(session: Session, request: Request) -> Response:
    entered = r.Entered(session.token, session.csrf, session.person, session.ends)
    return let_in(_json(entered), session, request)


async def _body(route: r.Route, request: Request) -> Any:
    if content_type(request) != "application/json":
        raise Refused(Refusal("body/not-json", "send application/json"))
    found = await whole_body(request)
    if rb"\u0000" in found:  # text that not every database can keep
        raise Unreadable("no text has a NUL in it")
    return codec.command(route.body, found)
