"""One real server for all tests that do not need one of their own."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.open_house import LONG_DAY, Caller, Visited, process

PASSWORD = "a-long-enough-password"


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    """A house, open for as long as the tests run."""
    with process(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="session")
def admin(house: Visited) -> Caller:
    """The administrator, with a password of their own."""
    return administrator(house)


def administrator(house: Visited) -> Caller:
    """The administrator of any house that has just been opened."""
    admin = house.caller()
    body = {"name": "admin", "password": house.secret, "new": PASSWORD}
    assert admin("POST", "/api/password", body).status == 204
    admin.login("admin", PASSWORD)
    if house.web is None:  # a process of its own
        name, value = LONG_DAY
        setting = {"key": "long-day", "name": name, "value": value, "why": "for a test"}
        assert admin("POST", "/api/settings", setting).status == 200
    return admin


class Staff:
    """Makes people with roles as they are needed."""

    def __init__(self, house: Visited, admin: Caller) -> None:
        self.house, self.admin = house, admin
        self.known: dict[str, Caller] = {}

    def __call__(self, name: str, *roles: str) -> Caller:
        """Return somebody of this name, signed in."""
        if name not in self.known:
            body = {"key": f"add-{name}", "name": name, "roles": roles, "why": "for a test"}
            body["password"] = "for-once-only"
            assert self.admin("POST", "/api/people", body).status == 200
            change = {"name": name, "password": "for-once-only", "new": PASSWORD}
            assert self.house.caller()("POST", "/api/password", change).status == 204
            self.known[name] = self.house.caller().login(name, PASSWORD)
        return self.known[name]


@pytest.fixture(scope="session")
def staff(house: Visited, admin: Caller) -> Staff:
    """Whoever works here."""
    return Staff(house, admin)


@pytest.fixture
def rows(house: Visited) -> Iterator[sqlite3.Connection]:
    """The house's own database."""
    connection = sqlite3.connect(Path(house.db), isolation_level=None, timeout=20)
    yield connection
    connection.close()
