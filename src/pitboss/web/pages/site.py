"""The pages of a house: plain forms and links, which one small script makes quicker."""

import datetime
import gzip
import hashlib
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import parse_qs

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from pitboss.cards import card
from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.people.permissions import may
from pitboss.house.people.persons import Person
from pitboss.house.people.sessions import Session, csrf
from pitboss.house.storage.store import Unavailable
from pitboss.money import text
from pitboss.web import guards
from pitboss.web.pages import narration

if TYPE_CHECKING:
    from pitboss.web.app import Web

K = TypeVar("K")
V = TypeVar("V")

HERE = Path(__file__).parent
MOST_FIELDS = 100
SIGN_IN = "/sign-in"
"""Where a form holds a password."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""A page loads nothing but our own files, and no script or style stands in it."""

TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "woff2": "font/woff2",
}

FOREVER = "public, max-age=31536000, immutable"


class Remembered(Generic[K, V]):
    """What was worked out lately; the oldest is forgotten."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._known: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return it, where it is remembered."""
        return self._known.get(key)

    def put(self, key: K, value: V) -> None:
        """Remember it."""
        self._known[key] = value
        while len(self._known) > self.most:
            self._known.popitem(last=False)


class Visit(msgspec.Struct):
    """A browser's request, checked and read."""

    request: Request
    person: Person
    """With an empty id: a stranger, who may look around."""
    token: str
    form: dict[str, str]

    @property
    def part(self) -> bool:
        """Whether the script asks, and only needs what is inside ``main``."""
        return bool(guards.header(self.request, b"x-part"))

    @property
    def coached(self) -> bool:
        """Whether this browser has the coach on."""
        return self.request.cookies.get("coach") == "on"

    def path(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name]).replace("\0", "?")

    def field(self, name: str) -> str:
        """Return what was filled in; empty where nothing was."""
        return self.form.get(name, "").strip()

    def number(self, name: str) -> int:
        """Return a whole number that a form sends along."""
        given = self.field(name)
        if not (given.isascii() and given.isdigit() and len(given) < 10):
            raise Unreadable("this is no whole number", name)
        return int(given)

    @property
    def key(self) -> str:
        """The form's own key: sent twice, it is done once."""
        return self.field("key")[:80] or secrets.token_hex(8)


Handler = Callable[[Visit], Awaitable[Response]]


class Site:
    """What all pages share: reading a request, and writing an answer."""

    def __init__(self, web: "Web") -> None:
        self.web, self.house = web, web.house

    def route(self, method: str, path: str, handler: Handler) -> StarletteRoute:
        """Return a route for Starlette."""
        return StarletteRoute(path, _Endpoint(self, handler), methods=[method])

    async def answer(self, handler: Handler, request: Request) -> Response:
        """Answer a browser, and count it."""
        response = await self._answer(handler, request)
        self.web.count("page", response.status_code)
        return response

    async def _answer(self, handler: Handler, request: Request) -> Response:
        """Answer a browser: whatever is refused is said on a page."""
        visit = Visit(request, Person(""), "", {})
        try:
            visit = await self.visit(request)
            return await handler(visit)
        except Refused as refused:
            status = guards.status(refused.refusal)
            return self.problem(visit, refused.refusal, status)
        except Unreadable as error:
            return self.problem(visit, Refusal("body/unreadable", str(error)), 400)
        except ClientDisconnect:
            return guards.guarded(Response(status_code=400))  # nobody is there to read it
        except Unavailable:
            message = "The house's books cannot be reached just now. Nothing was lost: try again."
            return self.problem(visit, Refusal("store/gone", message), 503)
        except Exception:
            # Not the path: it may hold the key of a shared round.
            logging.getLogger("pitboss").exception("%s a page: %s", request.method, handler)
            message = "This is our mistake, and it is logged."
            return self.problem(visit, Refusal("server/broken", message), 500)

    async def visit(self, request: Request) -> Visit:
        """Find out who asks, and check that it is they who ask."""
        token, by_cookie = guards.token(request)
        person = (await self.web.sessions.person(token) if token and by_cookie else None) or Person(
            ""
        )
        if request.method not in ("GET", "HEAD"):
            guards.same_site(request)
            password = request.url.path == SIGN_IN
            self.web.bounded_change(request, person.id, password=password)
            form = await _form(request)
            if person.id and not secrets.compare_digest(
                form.get("csrf", "").encode(), csrf(token).encode()
            ):
                message = "this form is from an earlier session: look at the page again"
                raise Refused(Refusal("csrf/missing", message))
            if person.id:
                person = await self.house.person(person.id)  # it may have taken its time
        else:
            self.web.bounded_look(request, person.id)
            form = {}
        return Visit(request, person, token if person.id else "", form)

    def page(self, visit: Visit, template: str, status: int = 200, **values: Any) -> Response:
        """Write a page, or only what is inside ``main`` for the script."""
        written = (
            templates()
            .get_template(template)
            .render(
                visit=visit,
                me=visit.person,
                csrf=csrf(visit.token) if visit.token else "",
                base="part.html" if visit.part else "base.html",
                **values,
            )
        )
        body, packed = written.encode(), _takes_gzip(visit.request)
        if packed:
            body = gzip.compress(body, 5, mtime=0)
        response = Response(body, status, media_type="text/html")
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding, Cookie, X-Part"
        return guards.guarded(response, POLICY)

    def lost(self, request: Request, refusal: Refusal) -> Response:
        """Tell somebody whose browser asked for what is not there."""
        return self.problem(Visit(request, Person(""), "", {}), refusal, guards.status(refusal))

    def problem(self, visit: Visit, refusal: Refusal, status: int) -> Response:
        """Say on a page what went wrong."""
        return self.page(visit, "problem.html", status, refusal=refusal)

    async def as_guest(self, visit: Visit) -> Session:
        """Let a stranger in with play chips, from this visit on; the answer must say so."""
        session = await self.web.sessions.guest()
        visit.person, visit.token = await self.house.person(session.person), session.token
        return session

    def to(self, path: str) -> Response:
        """Send the browser on, after a form."""
        return guards.guarded(RedirectResponse(path, 303), POLICY)


@cache
def templates() -> Environment:
    """Return the templates, compiled as they are asked for."""
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.globals |= {
        "static": static_url,
        "may": lambda roles, act: may(frozenset(roles), act),
        "secret": secrets.token_hex,
        "card_name": _card_name,
        "chip": chip,
    }
    found.filters |= {"money": money, "signed": signed, "moment": moment, "sentence": sentence}
    return found


def warm() -> None:
    """On a thread: have ready what the first visitors would otherwise wait for."""
    files()
    for name in templates().list_templates():
        templates().get_template(name)


class _Endpoint:
    """A page, for Starlette to call without more ado."""

    def __init__(self, site: Site, handler: Handler) -> None:
        self.site, self.handler = site, handler

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.site.answer(self.handler, Request(scope, receive))
        await response(scope, receive, send)


async def _form(request: Request) -> dict[str, str]:
    """Read a form; of a field that comes twice, the first."""
    if guards.content_type(request) != "application/x-www-form-urlencoded":
        raise Refused(Refusal("body/not-form", "send a form"))
    body = await guards.whole_body(request)
    try:
        fields = parse_qs(
            body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Unreadable("this form cannot be read") from None
    return {name: values[0].replace("\0", "") for name, values in fields.items()}


def _takes_gzip(request: Request) -> bool:
    return "gzip" in guards.header(request, b"accept-encoding")


# Files ----------------------------------------------------------------------------------------


class File(msgspec.Struct, frozen=True):
    """Something that pages load: it never changes under its address."""

    url: str
    kind: str
    body: bytes
    packed: bytes
    """Empty where it does not get smaller: a typeface is packed already."""


@cache
def files() -> dict[str, File]:
    """Return every file by name."""
    static = (HERE / "static").iterdir()
    found = {each.name: _file(each.name, each.read_bytes()) for each in static}
    for name, file in found.items():
        if file.kind == "text/css":
            # A sheet names its typefaces, and browsers know them by their address.
            body = re.sub(rb"url\((.+?)\)", lambda named: _address(found, named[1]), file.body)
            found[name] = _file(name, body)
    return found


def _address(found: dict[str, File], name: bytes) -> bytes:
    return f"url({found[name.decode()].url})".encode()


def _file(name: str, body: bytes) -> File:
    mark = hashlib.sha256(body).hexdigest()[:12]
    packed = gzip.compress(body, 9, mtime=0)
    kind = TYPES[name.rpartition(".")[2]]
    return File(f"/static/{mark}/{name}", kind, body, packed if len(packed) < len(body) else b"")


def static_url(name: str) -> str:
    """Return the address of a file."""
    return files()[name].url


class FilePages:
    """What pages load."""

    async def send(self, visit: Visit) -> Response:
        """Send a file."""
        found = files().get(visit.path("name"))
        if found is None or visit.request.url.path != found.url:
            raise Refused(Refusal("path/unknown", "there is no such file"))
        packed = bool(found.packed) and _takes_gzip(visit.request)
        response = Response(found.packed if packed else found.body, media_type=found.kind)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        return guards.guarded(response, cache=FOREVER)


def _card_name(written: str | None) -> str:
    return "a card face down" if written is None else narration.card_name(card(written))


def chip(cents: int) -> str:
    """Return the name of a chip's picture; of one without a picture of its own, a plain one."""
    name = f"chip-{int(cents)}"
    return name if f'id="{name}"'.encode() in files()["chips.svg"].body else "chip"


# Money as people read it ----------------------------------------------------------------------


def money(cents: int) -> str:
    """Write money with its sign, without cents where there are none.

    >>> money(1_250), money(250_000), money(-500)
    ('$12.50', '$2,500', '-$5')
    """
    return ("-" if cents < 0 else "") + "$" + text(abs(cents)).removesuffix(".00")


def sentence(said: str) -> str:
    """Write what a refusal says as a sentence of its own.

    >>> sentence("seat 3 is taken"), sentence("Try again.")
    ('Seat 3 is taken.', 'Try again.')
    """
    return said[:1].upper() + said[1:] + ("" if said[-1:] in (".", "!", "?") else ".")


def moment(at: int) -> str:
    """Write a time: milliseconds since 1970.

    >>> moment(1_763_179_200_000)
    '2025-11-15T04:00:00+00:00'
    """
    return datetime.datetime.fromtimestamp(at // 1000, datetime.UTC).isoformat()


def signed(cents: int) -> str:
    """Write a win with a plus.

    >>> signed(500), signed(-500), signed(0)
    ('+$5', '-$5', '$0')
    """
    return ("+" if cents > 0 else "") + money(cents)
