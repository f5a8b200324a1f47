"""The HTTP pipeline: every request, of a program or a browser, goes through ``Pipeline.answer``.

Same-site check, session, rate limit, body, CSRF token, handler, renderer; and where one of them
fails, the error ladder. Programs and browsers differ in their renderer alone: ``api.renderer``
speaks JSON, ``pages.renderer`` HTML. A handler is a function of the services and the call.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, Generic, Literal, Protocol, TypeVar, get_args, get_type_hints

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.people.persons import Person
from pitboss.house.sessions import Session, csrf, token_hash
from pitboss.house.storage.background import ASKER
from pitboss.house.storage.reader import Unavailable
from pitboss.rulebook.loader import explained
from pitboss.web import guards
from pitboss.web.rate_limit import Limit
from pitboss.web.services import Services
from pitboss.web.streams import Audience

B = TypeVar("B")
Q = TypeVar("Q", bound=msgspec.Struct)

PROMPT_MS = 100
"""Who asks is not looked at again where a body comes as fast as this."""

NOBODY = Person("")
_NOTHING: Any = None


class Call(msgspec.Struct, Generic[B]):
    """One request, checked and read."""

    request: Request
    person: Person = NOBODY
    """With an empty id: somebody without a session."""
    token: str = ""
    """Of the session."""
    body: B = _NOTHING
    begun: Session | None = None
    """A session that began with this request: the answer brings its cookie."""

    @property
    def session(self) -> str:
        """The hash of the session: what is asked in it is not done once it has ended."""
        return token_hash(self.token) if self.token else ""

    @property
    def audience(self) -> Audience:
        """For whom a stream is that is asked for here."""
        where = guards.address(self.request)
        person, elsewhere = self.person, "" if self.person.named else where
        return Audience(person.id or f"visitor {where}", elsewhere, visitor=not person.id)

    def query(self, kind: type[Q]) -> Q:
        """Read what is said behind the question mark."""
        try:
            return msgspec.convert(dict(self.request.query_params), kind, strict=False)
        except msgspec.ValidationError as error:
            raise Unreadable(*explained(kind, str(error))) from None

    def path(self, name: str) -> str:
        part = str(self.request.path_params[name])
        if "\0" in part:  # text that not every database can be asked for
            raise refuse("path/unknown", f"there is no {name} with such a name")
        return part


C = TypeVar("C", bound=Call[Any])

Handler = Callable[[Services, Any], Awaitable[Any]]
"""Takes a ``Call`` of its renderer's kind; returns what the renderer writes, or a response."""


class Route(msgspec.Struct, frozen=True):
    """One endpoint; what it takes, answers and says is read off its handler."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    handler: Handler
    session: Literal["required", "optional", "unused"] = "required"
    limit: Limit = "command"
    """The rate limit; for GET it is always that for looking."""
    queues: bool = False
    """Strangers of an address do this one after the other in any case: who waits for that takes no
    place of those who do something else."""
    text: str = ""
    """The kind of text that it answers with, where it is no JSON."""
    query: type[msgspec.Struct] | None = None
    """What may be said behind a question mark."""
    memory: bool = False
    """Needs no database."""
    also: tuple[int, ...] = ()
    """What can go wrong besides what follows from all this."""

    @property
    def name(self) -> str:
        """The handler's name: the operation in the OpenAPI document."""
        return str(getattr(self.handler, "__name__", ""))

    @property
    def says(self) -> str:
        """What it does, in the first line of the handler's docstring."""
        return (self.handler.__doc__ or "").partition("\n")[0].removesuffix(".")

    @property
    def body(self) -> Any:
        """The type of the JSON in the request; None where there is none."""
        return _types(self.handler)[0]

    @property
    def answer(self) -> Any:
        return _types(self.handler)[1]

    @property
    def public(self) -> bool:
        return self.session != "required"


@cache
def _types(handler: Handler) -> tuple[Any, Any]:
    """Return what a handler takes and returns, by its annotations."""
    _web, call, answer = get_type_hints(handler).values()
    (body,) = get_args(call) or (None,)
    return (None if body is type(None) else body), answer


class Renderer(Protocol[C]):
    """How one kind of client is read and answered."""

    call: type[C]
    bearer: bool
    """Whether a session may come as a bearer token, besides the session cookie."""
    csrf_missing: Refusal
    store_gone: Refusal
    broken: Refusal
    """What this client is told where the pipeline itself refuses."""

    def counted(self, route: Route, /) -> str:
        """Return the name under which answers are counted."""

    async def body(self, route: Route, request: Request, /) -> Any:
        """Read the body of a request that changes something."""

    def csrf(self, call: C, /) -> str:
        """Return the CSRF token that the client shows."""

    def render(self, call: C, answer: Any, /) -> Response: ...
    def problem(self, call: C, refusal: Refusal, /) -> Response: ...


class Pipeline(Generic[C]):
    """Answers the requests of one kind of client."""

    def __init__(self, web: Services, renderer: Renderer[C]) -> None:
        self.web, self.renderer = web, renderer

    def routes(self, table: Iterable[Route]) -> list[StarletteRoute]:
        return [StarletteRoute(r.path, _Endpoint(self, r), methods=[r.method]) for r in table]

    async def answer(self, route: Route, request: Request) -> Response:
        """Answer a request; whatever is refused has the same shape."""
        call = self.renderer.call(request)
        try:
            call = await self._checked(route, request)
            answer = await self._handled(route, call)
            rendered = isinstance(answer, Response)
            response = answer if rendered else self.renderer.render(call, answer)
        except ClientDisconnect:
            response = guards.guarded(Response(status_code=400))  # nobody is there to read it
        except Exception as error:
            response = self.renderer.problem(call, self._refusal(route, request, error))
        if call.begun is not None:
            guards.set_session_cookie(response, call.begun, request)
        self.web.count(self.renderer.counted(route), response.status_code)
        return response

    async def _handled(self, route: Route, call: C) -> Any:
        """Let the handler answer when it is this visitor's turn, so that nobody has all that others
        need; passwords and new tables have a queue of their own."""
        if route.session == "unused" or route.limit == "password" or route.queues:
            return await route.handler(self.web, call)
        who = call.audience
        if who.address:
            ASKER.set((who.person, who.address))
        async with self.web.turn(who, changes=route.method != "GET"):
            return await route.handler(self.web, call)

    def _refusal(self, route: Route, request: Request, error: Exception) -> Refusal:
        """The error ladder."""
        if isinstance(error, Refused | Unreadable):
            return guards.refusal(error)
        if isinstance(error, Unavailable):
            return self.renderer.store_gone
        # Not the path as it was asked for: it may hold the key of a shared round.
        logging.getLogger("pitboss").error("%s %s", request.method, route.path, exc_info=error)
        return self.renderer.broken

    async def _checked(self, route: Route, request: Request) -> C:
        """Find out who asks, that it is they who ask, and what."""
        changes = request.method not in ("GET", "HEAD")
        if changes:
            guards.same_site(request)
        token, by_cookie = guards.token(request, bearer=self.renderer.bearer)
        person = await self._person(route, request, token)
        self._bound(route, request, person, changes=changes)
        call = self.renderer.call(request, person, token if person.id else "")
        if not changes:
            return call
        asked = self.web.house.clock.elapsed()
        call.body = await self.renderer.body(route, request)
        if person.id and by_cookie:
            shown = self.renderer.csrf(call)
            if not secrets.compare_digest(shown.encode(), csrf(token).encode()):
                raise Refused(self.renderer.csrf_missing)
        if person.id and self.web.house.clock.elapsed() - asked > PROMPT_MS:
            call.person = await self._person(route, request, token)
        return call

    async def _person(self, route: Route, request: Request, token: str) -> Person:
        if route.session == "unused":
            return NOBODY
        person = await self.web.sessions.person(token) if token else None
        if person is None and route.session == "required":
            self.web.bound("look", request)  # guessing tokens has its bounds, too
            raise refuse("session/none", "sign in, or enter as a guest, first")
        return person or NOBODY

    def _bound(self, route: Route, request: Request, person: Person, *, changes: bool) -> None:
        """Apply the rate limit: by person, and by address for passwords and strangers."""
        if not changes:
            self.web.bound("look", request, person.id)
        elif route.limit == "command":
            self.web.bound("command" if person.id else "stranger", request, person.id)
        else:
            self.web.bound(route.limit, request)


class _Endpoint:
    """A route as an ASGI application, which Starlette calls without wrapping it once more."""

    def __init__(self, pipeline: Pipeline[Any], route: Route) -> None:
        self.pipeline, self.route = pipeline, route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.pipeline.answer(self.route, Request(scope, receive))
        await response(scope, receive, send)
