"""Every endpoint of the API with its handler: the router, the checks and OpenAPI come from this."""

from typing import Any

from pitboss.house.people.persons import Person
from pitboss.house.views import Notice, RoundRecord, TableView
from pitboss.web.api import people, system, tables
from pitboss.web.api.openapi import document
from pitboss.web.api.types import Keyed
from pitboss.web.pipeline import Call, Route
from pitboss.web.services import Services


async def openapi(_web: Services, _call: Call) -> dict[str, Any]:
    """Return the OpenAPI document of the table below."""
    return document(ROUTES)


ROUTES: tuple[Route, ...] = (
    Route(
        "GET",
        "/health",
        system.health,
        "Whether the house is ready",
        answer=system.Health,
        session="unused",
    ),
    Route(
        "GET",
        "/metrics",
        system.metrics,
        "Figures for Prometheus",
        session="unused",
        text=system.PLAIN,
        memory=True,
    ),
    Route(
        "GET",
        "/openapi.json",
        openapi,
        "This document",
        answer=dict[str, Any],
        session="unused",
        memory=True,
    ),
    Route(
        "POST",
        "/api/guests",
        people.guest,
        "Play at once, with play chips",
        answer=people.SessionAnswer,
        session="unused",
        limit="guest",
    ),
    Route(
        "POST",
        "/api/sessions",
        people.login,
        "Sign in by name",
        answer=people.SessionAnswer,
        body=people.NameAndPassword,
        session="unused",
        limit="password",
        also=(401,),
    ),
    Route("DELETE", "/api/sessions", people.logout, "Sign out"),
    Route(
        "POST",
        "/api/password",
        people.password,
        "Change your password, or a one-time secret for one",
        body=people.NewPassword,
        session="unused",
        limit="password",
        also=(401,),
    ),
    Route("GET", "/api/me", people.me, "Who you are and what you have", answer=people.PersonAnswer),
    Route(
        "POST",
        "/api/me/play-chips",
        people.play_chips,
        "Fill up your play chips",
        answer=people.PersonAnswer,
        body=Keyed,
    ),
    Route(
        "GET",
        "/api/rulebooks",
        tables.rulebooks,
        "The rulebooks",
        answer=list[tables.RulebookSummary],
        session="unused",
        memory=True,
    ),
    Route(
        "GET",
        "/api/tables",
        tables.lobby,
        "The open tables",
        answer=list[tables.TableSummary],
        session="unused",
        memory=True,
    ),
    Route(
        "POST",
        "/api/tables",
        tables.open_table,
        "Open a table",
        answer=tables.CommandAnswer,
        body=tables.NewTable,
        also=(404, 409),
    ),
    Route("GET", "/api/tables/{table}", tables.table, "A table as you see it", answer=TableView),
    Route(
        "POST",
        "/api/tables/{table}",
        tables.command,
        "Ask something of it",
        answer=tables.CommandAnswer,
        body=tables.TableCommand,
        also=(409,),
    ),
    Route(
        "GET",
        "/api/tables/{table}/events",
        tables.table_events,
        "What happens there, live; resume with Last-Event-ID",
        answer=Notice,
        stream=True,
        also=(400,),
    ),
    Route(
        "GET",
        "/api/floor/events",
        tables.floor_events,
        "What happens at all tables, live, for staff; resume with Last-Event-ID",
        answer=Notice,
        stream=True,
        also=(400, 403),
    ),
    Route(
        "GET",
        "/api/rounds/{round}",
        tables.finished_round,
        "A finished round as you saw it",
        answer=RoundRecord,
    ),
    Route(
        "POST",
        "/api/people",
        people.add_person,
        "Make a named person",
        answer=Person,
        body=people.NewPerson,
        also=(409,),
    ),
    Route(
        "GET",
        "/api/people/{person}",
        people.see_person,
        "What is known of somebody",
        answer=people.PersonAnswer,
        also=(403,),
    ),
    Route(
        "POST",
        "/api/people/{person}",
        people.person,
        "Change their record",
        answer=people.PersonAnswer,
        body=people.PersonCommand,
        also=(409,),
    ),
    Route(
        "GET", "/api/settings", system.settings, "The settings of the house", answer=dict[str, str]
    ),
    Route(
        "POST",
        "/api/settings",
        system.setting,
        "Change one",
        answer=dict[str, str],
        body=system.ChangeSetting,
        also=(409,),
    ),
)
