"""Every endpoint of the API with its handler: the router, the checks and OpenAPI come from this."""

from typing import Any

from pitboss.web.api import dealing, lab, papers, people, system, tables
from pitboss.web.api.openapi import document
from pitboss.web.pipeline import Call, Route
from pitboss.web.services import Services


async def openapi(_web: Services, _call: Call[None]) -> dict[str, Any]:
    """This document."""
    return document(ROUTES)


ROUTES: tuple[Route, ...] = (
    Route("GET", "/health", system.health, session="unused"),
    Route("GET", "/metrics", system.metrics, session="unused", text=system.PLAIN, memory=True),
    Route("GET", "/openapi.json", openapi, session="unused", memory=True),
    Route("POST", "/api/guests", people.guest, session="unused", limit="guest"),
    Route("POST", "/api/sessions", people.login, session="unused", limit="password", also=(401,)),
    Route("DELETE", "/api/sessions", people.logout),
    Route(
        "POST", "/api/password", people.password, session="unused", limit="password", also=(401,)
    ),
    Route("GET", "/api/me", people.me),
    Route("POST", "/api/me/play-chips", people.play_chips),
    Route("POST", "/api/me/name", people.keep_name, limit="password", also=(409, 503)),
    Route("GET", "/api/rulebooks", tables.rulebooks, session="unused", memory=True),
    Route(
        "GET",
        "/api/lab/{house}/{game}",
        lab.lab_price,
        session="optional",
        queues=True,
        query=lab.LabQuery,
        also=(400, 404, 409),
    ),
    Route(
        "GET",
        "/api/tables",
        tables.lobby,
        session="optional",
        query=tables.TablesQuery,
        also=(400, 404),
    ),
    Route("POST", "/api/tables", tables.open_table, queues=True, also=(404, 409)),
    Route("GET", "/api/tables/{table}", tables.table),
    Route("POST", "/api/tables/{table}", tables.command, also=(409,)),
    Route("GET", "/api/tables/{table}/deal", dealing.console, also=(403,)),
    Route("POST", "/api/tables/{table}/invitations", tables.invite, also=(409,)),
    Route("POST", "/api/invitations", tables.enter, also=(404, 409)),
    Route("GET", "/api/tables/{table}/events", tables.table_events, also=(400,)),
    Route("GET", "/api/floor/events", tables.floor_events, also=(400, 403)),
    Route("GET", "/api/floor/notices", tables.notices, also=(403,)),
    Route("GET", "/api/floor/waiting", tables.waiting, also=(403,)),
    Route("GET", "/api/papers", papers.papers, also=(403,)),
    Route("GET", "/api/forms/{form}", papers.form, text=papers.PDF, also=(403,)),
    Route("GET", "/api/rounds/{round}", tables.finished_round),
    Route("POST", "/api/people", people.add_person, also=(409,)),
    Route("GET", "/api/people/{person}", people.see_person, also=(403,)),
    Route("POST", "/api/people/{person}", people.person, also=(409,)),
    Route("GET", "/api/settings", system.settings),
    Route("POST", "/api/settings", system.setting, also=(409,)),
)
