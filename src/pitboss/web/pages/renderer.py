"""The pipeline's renderer for browsers: forms in; pages, redirects and a problem page out.

Every page goes out under a content security policy that lets it load our own files alone.
"""

import gzip
import secrets
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pitboss.errors import Refusal, Unreadable, refuse
from pitboss.house.people.permissions import may
from pitboss.house.sessions import csrf
from pitboss.web import guards
from pitboss.web.pages import static_files, template_filters
from pitboss.web.pages.visit import Visit
from pitboss.web.pipeline import Route
from pitboss.wording import capital, holder, wager

HERE = Path(__file__).parent
MOST_FIELDS = 100

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""A page loads nothing but our own files, and no script or style stands in it."""


class Page:
    """A template, the values that it shows, and with what status."""

    def __init__(self, template: str, status: int = 200, **values: Any) -> None:
        self.template, self.status, self.values = template, status, values


def to(path: str) -> Response:
    """Send the browser on, after a form."""
    return guards.guarded(RedirectResponse(path, 303), POLICY)


class PageRenderer:
    """Reads forms and writes HTML."""

    call = Visit
    bearer = False
    csrf_missing = Refusal(
        "csrf/missing", "this form is from an earlier session: look at the page again"
    )
    store_gone = Refusal(
        "store/gone", "The house's books cannot be reached just now. Nothing was lost: try again."
    )
    broken = Refusal("server/broken", "This is our mistake, and it is logged.")

    def counted(self, _route: Route) -> str:
        return "page"

    async def body(self, _route: Route, request: Request) -> dict[str, str]:
        """Read a form; of a field that comes twice, the first."""
        if guards.content_type(request) != "application/x-www-form-urlencoded":
            raise refuse("body/not-form", "send a form")
        body = await guards.whole_body(request)
        try:
            fields = parse_qs(
                body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"
            )
        except ValueError:
            raise Unreadable("this form cannot be read") from None
        return {name: values[0].replace("\0", "") for name, values in fields.items()}

    def csrf(self, visit: Visit) -> str:
        return visit.body.get("csrf", "")

    def render(self, visit: Visit, page: Page) -> Response:
        """Write a page, or only what is inside ``main`` for the script.

        Packed here and not by Starlette's middleware, around which every request goes.
        """
        written = (
            templates()
            .get_template(page.template)
            .render(
                visit=visit,
                me=visit.person,
                csrf=csrf(visit.token) if visit.token else "",
                base="part.html" if visit.part else "base.html",
                **page.values,
            )
        )
        body = gzip.compress(written.encode(), 5, mtime=0) if visit.gzip else written.encode()
        response = Response(body, page.status, media_type="text/html")
        if visit.gzip:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding, Cookie, X-Part"
        return guards.guarded(response, POLICY)

    def problem(self, visit: Visit, refusal: Refusal) -> Response:
        """Say on a page what went wrong; of a form that cannot be read, where."""
        status = guards.status(refusal)
        if status == 400 and refusal.place:
            message = f"{refusal.place}: {refusal.message}"
            refusal = msgspec.structs.replace(refusal, message=message)
        return self.render(visit, Page("problem.html", status, answer=status, refusal=refusal))


HTML = PageRenderer()


@cache
def templates() -> Environment:
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.globals |= {
        "static": static_files.static_url,
        "may": lambda roles, act: may(frozenset(roles), act),
        "secret": secrets.token_hex,
        "came": template_filters.came,
        "card_name": template_filters.card_name,
        "chip": template_filters.chip,
        "cited": template_filters.cited,
        "pay_rows": template_filters.pay_rows,
        "stack": template_filters.stack,
    }
    found.filters |= {
        "capital": capital,
        "clock": template_filters.clock,
        "holder": holder,
        "sentence": template_filters.sentence,
        "mini": template_filters.mini,
        "wager": wager,
    }
    return found


def warm() -> None:
    """On a thread: have ready what the first visitors would otherwise wait for."""
    static_files.files()
    for name in templates().list_templates():
        templates().get_template(name)
