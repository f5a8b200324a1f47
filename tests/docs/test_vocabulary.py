"""Commands, events, permissions, routes, settings: what a program can say is on the pages."""

import re
import types
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec
import pytest

from pitboss.house import settings
from pitboss.house.people import permissions, persons
from pitboss.house.table import commands
from pitboss.house.table import events as house_events
from pitboss.round import actions, events, notation
from pitboss.web.api import people, routes
from pitboss.web.pages import routes as page_routes
from tests.docs.pages import DOCS, code, rows, without_repeats


def members(union: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs of a union, unions inside it taken apart."""
    for each in get_args(union):
        yield from members(each) if get_origin(each) is types.UnionType else (each,)


def shapes(*kinds: type[msgspec.Struct]) -> dict[str, list[str]]:
    return {str(each.__struct_config__.tag): list(each.__struct_fields__) for each in kinds}


def documented(page: str, *columns: str) -> dict[str, list[str]]:
    table = rows(DOCS[page], *columns)
    without_repeats([row[0] for row in table])
    return {code(row[0]): re.findall(r"`(\w+)`", row[1]) for row in table}


def test_every_command_of_a_table_is_documented_with_its_fields_and_who_may():
    columns = ("command", "fields", "what it asks for", "who")
    wanted = shapes(commands.OpenTable, *members(commands.Command))
    assert documented("api.md", *columns) == wanted
    for row in rows(DOCS["api.md"], *columns):
        assert spoken_roles(row[3]) == set(permissions.MAY[code(row[0])]), row[0]


def spoken_roles(said: str) -> set[str]:
    """The roles that a cell of the page stands for."""
    groups = {
        "everybody": set(persons.ROLES),
        "owner": {"owner"},
        "the floor": {each for each in permissions.PIT if each not in ("dealer", "surveillance")},
        "the pit": set(permissions.PIT),
    }
    found: set[str] = set()
    for each in said.split(", "):
        found |= groups[each] if each in groups else {code(each)}
    return found


def test_every_act_on_a_person_is_documented():
    columns = ("act", "fields", "what it does", "who")
    assert documented("api.md", *columns) == shapes(*members(people.PersonAct))
    for row in rows(DOCS["api.md"], *columns):
        assert spoken_roles(row[3]) == set(permissions.MAY[code(row[0])]), row[0]


def test_every_other_permission_is_documented():
    table = rows(DOCS["api.md"], "permission", "who")
    acts = {*shapes(commands.OpenTable, *members(commands.Command), *members(people.PersonAct))}
    assert {code(row[0]) for row in table} == set(permissions.MAY) - acts
    for row in table:
        assert spoken_roles(row[1]) == set(permissions.MAY[code(row[0])]), row[0]


def test_every_event_of_the_house_is_documented_with_its_fields():
    wanted = shapes(*members(house_events.HouseEvent), *members(persons.PersonEvent))
    assert documented("api.md", "event", "fields", "meaning") == wanted


def test_every_route_and_setting_is_documented():
    table = rows(DOCS["api.md"], "route", "what it does", "session")
    assert [code(row[0]) for row in table] == [f"{r.method} {r.path}" for r in routes.ROUTES]
    assert [row[2] == "no" for row in table] == [r.public for r in routes.ROUTES]
    told = rows(DOCS["pages.md"], "page", "what it is")
    assert [(code(row[0]), row[1]) for row in told] == [
        (f"{page.method} {page.path}", f"{page.says}.") for page in page_routes.PAGES
    ]
    defaults = {name: f"`{each.default}`" for name, each in settings.SETTINGS.items()}
    table = rows(DOCS["api.md"], "setting", "default", "meaning")
    assert {code(row[0]): row[1] for row in table} == defaults


@pytest.mark.parametrize(("column", "union"), [("action", actions.Action), ("event", events.Event)])
def test_every_action_and_event_is_documented_with_its_fields(column, union):
    says = "when, and what it asks for" if column == "action" else "meaning"
    table = rows(DOCS["events.md"], column, "fields", says, "clause")
    documented = {code(row[0]): re.findall(r"`(\w+)`", row[1]) for row in table}
    assert documented == {
        kind.__struct_config__.tag: list(kind.__struct_fields__) for kind in get_args(union)
    }


def test_every_event_has_a_line_that_reads_and_writes_itself():
    table = rows(DOCS["events.md"], "event", "line")
    tags = {kind.__struct_config__.tag for kind in get_args(events.Event)}
    assert without_repeats([code(row[0]) for row in table]) == tags
    for row in table:
        for line in re.findall(r"`([^`]+)`", row[1]):
            (event,) = notation.read(line)
            assert event.__struct_config__.tag == code(row[0])
            assert notation.write([event]) == f"{line}\n"
