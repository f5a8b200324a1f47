"""One pipeline for programs and browsers: each is answered in its own way, come what may."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable
from pitboss.house.house import House
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from pitboss.web.api.renderer import JSON
from pitboss.web.api.types import Problem
from pitboss.web.pages.renderer import HTML, Page
from pitboss.web.pipeline import Call, Handler, Pipeline, Renderer, Route
from pitboss.web.services import Services

SECRET = "the-key-of-a-shared-round"


def raising(error: Exception) -> Handler:
    async def broken(_web: Services, _call: Call[None]) -> None:
        raise error

    return broken


def with_services(path: Path, work: Callable[[Services], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        house = House(Store(str(path / "house.db")))
        await house.start()
        try:
            return await work(Services(house))
        finally:
            await house.stop()

    return asyncio.run(run())


def asked(
    path: Path, renderer: Renderer[Any], handler: Handler, **more: Any
) -> tuple[Response, dict[tuple[str, int], int]]:
    """Answer one GET without a session."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/rounds/{SECRET}",
        "query_string": b"",
        "headers": [],
        "client": ("10.0.0.1", 1),
    }

    async def work(web: Services) -> tuple[Response, dict[tuple[str, int], int]]:
        route = Route("GET", "/rounds/{key}", handler, session="unused", **more)
        return await Pipeline(web, renderer).answer(route, Request(scope)), web.counts

    found: tuple[Response, dict[tuple[str, int], int]] = with_services(path, work)
    return found


ERRORS = [
    (Refused(Refusal("seat/not-yours", "that seat is not yours")), 403, "hat seat is not yours"),
    (Refused(Refusal("chips/not-enough", "there are too few")), 409, "here are too few"),
    (Unreadable("this is no number", "seat"), 400, "his is no number"),
    (Unavailable("gone"), 503, "try again"),
    (RuntimeError("a mistake"), 500, "his is our mistake, and it is logged"),
]


@pytest.mark.parametrize("renderer", [JSON, HTML], ids=["json", "html"])
@pytest.mark.parametrize(("error", "status", "words"), ERRORS, ids=lambda each: str(each)[:20])
def test_whatever_goes_wrong_is_said_in_the_clients_own_way(
    tmp_path, caplog, renderer, error, status, words
):
    caplog.set_level(logging.ERROR)
    response, counts = asked(tmp_path, renderer, raising(error))
    text = bytes(response.body).decode()
    name = "broken" if renderer is JSON else "page"
    assert (response.status_code, counts) == (status, {(name, status): 1})
    assert words in text
    kind = "application/json" if renderer is JSON else "text/html; charset=utf-8"
    assert response.headers["content-type"] == kind
    assert "a mistake" not in text
    assert response.headers.get("retry-after") == (
        "1" if renderer is JSON and status == 503 else None
    )
    # A mistake of ours is logged with the route, and not with what may be a secret in the path.
    assert ("/rounds/{key}" in caplog.text) == (status == 500)
    assert SECRET not in caplog.text


def test_a_form_that_cannot_be_read_says_where(tmp_path):
    response, _ = asked(tmp_path, HTML, raising(Unreadable("this is no number", "seat")))
    assert "Seat: this is no number." in bytes(response.body).decode()


def test_somebody_who_has_hung_up_is_not_told_anything(tmp_path):
    for renderer in (JSON, HTML):
        response, _ = asked(tmp_path, renderer, raising(ClientDisconnect()))
        assert (response.status_code, response.body) == (400, b"")


def test_what_a_handler_returns_is_rendered(tmp_path):
    async def nothing(_web: Services, _call: Call[None]) -> None:
        return None

    async def something(_web: Services, _call: Call[None]) -> Problem:
        return Problem("a/b", "c")

    async def page(_web: Services, _call: Call[None]) -> Page:
        return Page("problem.html", 418, answer=418, refusal=Refusal("a/b", "so it is"))

    assert asked(tmp_path, JSON, nothing)[0].status_code == 204
    assert b'"message":"c"' in bytes(asked(tmp_path, JSON, something)[0].body)
    shown, _ = asked(tmp_path, HTML, page)
    assert (shown.status_code, b"So it is." in bytes(shown.body)) == (418, True)


def test_a_route_is_what_its_handler_says_and_takes():
    async def change(_web: Services, _call: Call[Problem]) -> dict[str, str]:
        """Change a thing.

        And more.
        """
        return {}

    route = Route("POST", "/things", change)
    assert (route.name, route.says) == ("change", "Change a thing")
    assert (route.body, route.answer, route.public) == (Problem, dict[str, str], False)
