"""Thousands of requests made from the API's own document: none breaks the house.

Half of them fit the document and half do not; each is sent by a guest who has tables of their own
and by the administrator. Whatever is answered is in the document, status, kind and shape.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pitboss.rulebook import ids, load
from pitboss.web.api.routes import ROUTES
from pitboss.web.pipeline import Route
from pitboss.web.streams import EventStream
from tests.web.conftest import PASSWORD
from tests.web.open_house import Caller, Visited, process

WANTED = 5_000
EACH = {"command": 240, "open_table": 120, "person": 120, "login": 20, "password": 20}
"""Cases of one kind for one person: a command has the most to say, a password takes long."""
OTHERS = 54

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    """A house of its own: settings and people are not the same afterwards."""
    with process(tmp_path_factory.mktemp("fuzzed")) as found:
        yield found


class Fuzz:
    """Sends cases, and counts them."""

    def __init__(self, house: Visited) -> None:
        self.house = house
        self.schema: Any = schemathesis.openapi.from_url(f"{house.address}/openapi.json")
        self.session = requests.Session()
        self.session.trust_env = False  # no proxy is asked about for every request
        self.sent: Counter[tuple[str, str]] = Counter()
        self.statuses: Counter[int] = Counter()
        self.admin = house.caller()
        body = {"name": "admin", "password": house.secret, "new": PASSWORD}
        assert self.admin("POST", "/api/password", body).status == 204
        self.admin.login("admin", PASSWORD)
        adding = {"key": "v", "name": "victim", "roles": ["player"], "password": "for-once-only"}
        adding["why"] = "to be played with"
        assert self.admin("POST", "/api/people", adding).status == 200
        self.guests = itertools.cycle([self._settled(name) for name in ids() * 2])
        self.turn = itertools.count()

    def _settled(self, rulebook: str) -> tuple[Caller, str]:
        """A guest with a table of their own, one finished round, and another under way."""
        guest = self.house.guest()
        table = guest.open(rulebook, decision_seconds=600, betting_seconds=600)
        guest.do(table, "sit", seat=1)
        for _ in range(2):
            down = {"ante": 500} | dict.fromkeys(load(rulebook).equal, 500)
            if load(rulebook).ante.name != "ante":
                del down["ante"]
            assert guest.do(table, "bet", seat=1, wagers=down).status == 200
            while guest.view(table)["round"] == 1 and guest.view(table)["options"]:
                options = {each["action"] for each in guest.view(table)["options"]}
                what = next(each for each in ("fold", "check", "take-back") if each in options)
                sure: Any = {"confirmed": True} if what == "fold" else {}
                assert guest.do(table, what, seat=1, **sure).status == 200
        return guest, table

    def run(self, route: Route, mode: GenerationMode, examples: int) -> None:
        """Send so many cases of one operation, or as many as there are, as each person."""
        operation = self.schema[route.path][route.method]

        @hypothesis.seed(4)
        @hypothesis.settings(
            max_examples=examples,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def cases(case: Any) -> None:
            guest, table = next(self.guests)
            if next(self.turn) % 4:  # mostly something that is there
                there = {"table": table, "round": f"{table}-1", "person": "victim"}
                there["form"] = f"{table}-1-1-main-0"
                there |= {"house": "common", "game": "mississippi-stud"}
                for name in re.findall(r"\{(\w+)\}", route.path):
                    case.path_parameters[name] = there[name]
            self.send(route, case, "guest", guest)
            self.send(route, case, "administrator", self.admin)

        cases()

    def send(self, route: Route, case: Any, who: str, caller: Caller) -> None:
        token = caller.token if route.name != "logout" else self.house.guest().token
        headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": caller.comes_from}
        response = case.call(session=self.session, headers=headers, timeout=10)
        self.sent[route.name, who] += 1
        self.statuses[response.status_code] += 1
        assert response.status_code != 503, response.content
        case.validate_response(response, checks=CHECKS)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_five_thousand_cases_without_a_500(house: Visited) -> None:
    fuzz = Fuzz(house)
    routes = [route for route in ROUTES if route.answer is not EventStream]
    for route in routes:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if mode is GenerationMode.NEGATIVE and route.body is None and "{" not in route.path:
                continue  # there is nothing to get wrong
            fuzz.run(route, mode, EACH.get(route.name, OTHERS))
    fuzz.session.close()
    assert fuzz.sent.total() >= WANTED, fuzz.sent
    assert {name for name, _ in fuzz.sent} == {route.name for route in routes}
    for who in ("guest", "administrator"):
        assert sum(n for (_, each), n in fuzz.sent.items() if each == who) > WANTED / 3
    # All kinds of answers came, and nobody was simply turned away.
    assert {200, 204, 400, 403, 404, 409} <= set(fuzz.statuses), fuzz.statuses
    assert fuzz.statuses[401] + fuzz.statuses[429] < fuzz.sent.total() / 5, fuzz.statuses
    assert "Traceback" not in house.errors.read_text()
