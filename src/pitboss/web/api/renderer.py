"""The pipeline's renderer for programs: JSON bodies, JSON answers, problems as JSON."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pitboss.errors import Refusal, Unreadable, refuse
from pitboss.house.storage import codec
from pitboss.web import guards
from pitboss.web.api.types import Problem
from pitboss.web.pipeline import Call, Route

_LATER = ("Retry-After", "1")
HEADERS = {401: ("WWW-Authenticate", "Bearer"), 429: _LATER, 503: _LATER}
"""What a client is told to do about a status."""


class JsonRenderer:
    """Reads and writes JSON."""

    call: type[Call[Any]] = Call
    bearer = True
    csrf_missing = Refusal("csrf/missing", "X-CSRF-Token is not this session's")
    store_gone = Refusal("store/gone", "nothing can be written now: try again")
    broken = Refusal("server/broken", "this is our mistake, and it is logged")

    def counted(self, route: Route) -> str:
        return route.name

    async def body(self, route: Route, request: Request) -> Any:
        """Decode what the route takes, and nothing else."""
        kind = route.body
        if kind is None:
            return None
        if guards.content_type(request) != "application/json":
            raise refuse("body/not-json", "send application/json")
        body = await guards.whole_body(request)
        if rb"\u0000" in body:  # text that not every database can keep
            raise Unreadable("no text has a NUL in it")
        return codec.command(kind, body)

    def csrf(self, call: Call[Any]) -> str:
        return guards.header(call.request, b"x-csrf-token")

    def render(self, _call: Call[Any], answer: Any) -> Response:
        """Write an answer; None has no content."""
        return _json(answer, 200) if answer is not None else guards.guarded(Response(None, 204))

    def problem(self, _call: Call[Any], refusal: Refusal) -> Response:
        """Write a problem, with what can be done about it in the headers."""
        problem = Problem(refusal.code, refusal.message[:500], refusal.clause, refusal.place)
        status = guards.status(refusal)
        response = _json(problem, status)
        if status in HEADERS:
            response.headers.append(*HEADERS[status])
        return response


JSON = JsonRenderer()


class _Json(Response):
    """JSON with its headers; Starlette's own way to write two of them takes longer than ours."""

    media_type = "application/json"

    def init_headers(self, _headers: Any = None) -> None:
        length = b"content-length", b"%d" % len(self.body)
        self.raw_headers = [length, (b"content-type", b"application/json")]


def _json(answer: Any, status: int) -> Response:
    return guards.guarded(_Json(codec.encode(answer), status))
