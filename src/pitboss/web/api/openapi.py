"""OpenAPI 3.1 from the routes' own types."""

import re
from functools import cache
from types import NoneType
from typing import Any

import msgspec
from starlette.responses import Response

from pitboss import __version__
from pitboss.cards import Card
from pitboss.house.views import EntryView
from pitboss.money import Odds
from pitboss.web.api.types import Problem
from pitboss.web.pipeline import Route
from pitboss.web.streams import EventStream

PROBLEMS = {
    "400": "Not readable",
    "401": "No session",
    "403": "Not yours to do",
    "404": "No such thing",
    "408": "Too slow",
    "409": "Not now, or not by the rules: the clause says why",
    "413": "Too large",
    "415": "Not JSON",
    "429": "Too much at once",
    "503": "The database cannot be reached: try again with the same key",
}


@cache
def document(routes: tuple[Route, ...]) -> dict[str, Any]:
    kinds = [kind for route in routes for kind in (route.body, _answer(route)) if kind is not None]
    schemas, parts = msgspec.json.schema_components(
        [*kinds, EntryView, Problem],
        schema_hook=_schema,
        ref_template="#/components/schemas/{name}",
    )
    by_kind = {str(kind): schema for kind, schema in zip(kinds, schemas, strict=False)}
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pitboss", "version": __version__, "summary": "House-banked stud poker"},
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "pitboss"},
            },
        },
    }


def _operation(route: Route, schemas: dict[str, Any]) -> dict[str, Any]:
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers: dict[str, Any] = {
        code: {"description": PROBLEMS[code], "content": problem} for code in _problems(route)
    }
    if route.answer is EventStream:
        answers["200"] = {
            "description": "Server-sent events; the data of each is one notice",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    elif route.text:
        content = {route.text: {"schema": {"type": "string"}}}
        answers["200"] = {"description": "To be read", "content": content}
    elif _answer(route) is None:
        answers["204"] = {"description": "Done"}
    else:
        content = {"application/json": {"schema": schemas[str(route.answer)]}}
        answers["200"] = {"description": "Done", "content": content}
    found: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.says,
        "responses": dict(sorted(answers.items())),
        "parameters": _parameters(route),
    }
    if not route.public:
        found["security"] = [{"bearer": []}, {"cookie": []}]
    if route.body is not None:
        found["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schemas[str(route.body)]}},
        }
    return found


def _answer(route: Route) -> Any:
    """Return the type of the JSON in the answer; None where there is none."""
    response = isinstance(route.answer, type) and issubclass(route.answer, Response | NoneType)
    return None if response else route.answer


def _problems(route: Route) -> list[str]:
    follows = {
        ("429",): True,
        ("503",): not route.memory,
        ("401",): not route.public,
        ("403",): route.method != "GET",
        ("404",): "{" in route.path,
        ("400", "408", "413", "415"): route.body is not None,
    }
    found = {code for codes, holds in follows.items() if holds for code in codes}
    return sorted(found | {*map(str, route.also)})


def _parameters(route: Route) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": each, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for each in re.findall(r"\{(\w+)\}", route.path)
    ]
    if route.query is not None:
        (_, parts) = msgspec.json.schema_components([route.query])
        fields = parts[route.query.__name__]["properties"]
        found += ({"name": each, "in": "query", "schema": fields[each]} for each in fields)
    if route.answer is EventStream:
        says = "The id of the last event that you have heard; 0 tells everything"
        number = {"type": "string", "pattern": "^[0-9]{1,17}$"}
        found.append(_header("Last-Event-ID", says, number))
    if route.method != "GET" and not route.public:
        says = "With the cookie: what came with it as csrf"
        found.append(_header("X-CSRF-Token", says, {"type": "string"}))
    return found


def _header(name: str, says: str, schema: dict[str, str]) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": says, "schema": schema}


def _schema(kind: type[Any]) -> dict[str, Any]:
    if issubclass(kind, Odds):
        return {"type": "string", "examples": ["3 to 2"]}
    assert issubclass(kind, Card), f"how is {kind} written in JSON?"
    return {"type": "string", "pattern": "^(?:[2-9TJQKA]|10)[cdhs]$", "examples": ["As", "10h"]}
