"""Who is asking: tokens, passwords, other sites, the first administrator, secrets."""

import hashlib
import sqlite3
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pitboss.house.clock import utc_now
from tests.house.clocked_house import turned
from tests.web.api.test_routes import is_problem
from tests.web.conftest import PASSWORD, Staff, administrator
from tests.web.mischief import BOOK, raw, two_at_a_table
from tests.web.open_house import Answer, Caller, Visited, process, thread

# Who is asking ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token", ["", "x", "x" * 5000, "../../etc", "' OR 1=1 --", "\xe9\xff", "null", "0" * 43]
)
def test_forged_tokens(house: Visited, token: str) -> None:
    stranger = house.caller()
    stranger.token = token
    is_problem(stranger("GET", "/api/me"), 401, "session/none")
    by_cookie = {"Cookie": f"pitboss={token}", "Authorization": ""}
    is_problem(stranger("GET", "/api/me", headers=by_cookie), 401, "session/none")


def test_every_route_that_is_not_public_wants_a_session(house: Visited) -> None:
    from pitboss.web.api.routes import ROUTES

    stranger = house.caller()
    for route in ROUTES:
        if not route.public:
            path = route.path.replace("{", "").replace("}", "")
            body: Any = None if route.body is None else {}
            answer = stranger(route.method, path, body)
            is_problem(answer, 401, "session/none")
            assert answer.headers["www-authenticate"] == "Bearer"


def test_a_hash_from_the_database_is_no_token(house: Visited, rows: sqlite3.Connection) -> None:
    house.guest()
    stranger = house.caller()
    for (hashed,) in rows.execute("SELECT token FROM sessions LIMIT 3").fetchall():
        stranger.token = hashed
        assert stranger("GET", "/api/me").status == 401


def test_sessions_end(house: Visited, rows: sqlite3.Connection) -> None:
    ann = house.guest()
    hashed = hashlib.sha256(ann.token.encode()).hexdigest()
    rows.execute("UPDATE sessions SET ends = 1 WHERE token = ?", (hashed,))
    is_problem(ann("GET", "/api/me"), 401, "session/none")
    bob = house.guest()
    assert bob("GET", "/api/me").status == 200
    assert bob("DELETE", "/api/sessions").status == 204
    is_problem(bob("GET", "/api/me"), 401, "session/none")
    is_problem(bob("DELETE", "/api/sessions"), 401, "session/none")


def test_a_stream_ends_with_its_session(house: Visited) -> None:
    ann, bob, table = two_at_a_table(house)
    stream = ann.stream(f"/api/tables/{table}/events")
    assert stream.until(b"retry")
    assert ann("DELETE", "/api/sessions").status == 204
    assert stream.until(b"event: end", 3)
    bob.do(table, "bet", seat=2, wagers={"ante": 500})
    stream.until(b"never", 0.3)
    assert b"bet-placed" not in stream.raw
    stream.close()


def test_streams_end_with_password_and_role(house: Visited, admin: Caller, staff: Staff) -> None:
    walt = staff("walt", "surveillance")
    floor = walt.stream("/api/floor/events")
    assert floor.until(b"retry")
    roles = {"key": "r", "command": {"action": "set-roles", "roles": ["player"], "why": "moved"}}
    assert admin("POST", "/api/people/walt", roles).status == 200
    assert floor.until(b"event: end", 3)
    floor.close()
    table = house.guest().open()
    walt.come(table)
    watching = walt.stream(f"/api/tables/{table}/events")
    assert watching.until(b"retry")
    new = {"name": "walt", "password": PASSWORD, "new": "another-long-password"}
    assert house.caller()("POST", "/api/password", new).status == 204
    assert watching.until(b"event: end", 3)
    watching.close()
    is_problem(walt("GET", "/api/me"), 401, "session/none")


def test_b17_a_guest_keeps_their_id_chips_rounds_and_links_under_a_name(
    house: Visited, admin: Caller, staff: Staff
) -> None:
    ann = house.guest()
    table = ann.open(betting_seconds=600, decision_seconds=600)
    ann.do(table, "sit", seat=1)
    ann.do(table, "bet", seat=1, wagers={"ante": 500})
    ann.do(table, "fold", seat=1)
    played = f"/api/rounds/{table}-1"
    before, about = ann("GET", played).json, ann("GET", "/api/me").json
    stream = ann.stream(f"/api/tables/{table}/events")
    assert stream.until(b"retry")
    proof = {"name": "annabel", "password": PASSWORD}
    kept = ann("POST", "/api/me/name", proof)
    assert (kept.status, kept.json["person"]) == (200, ann.person)
    assert stream.until(b"event: end", 3), "the session that it was asked in has ended"
    stream.close()
    is_problem(ann("GET", "/api/me"), 401, "session/none")
    ann.token = kept.json["token"]
    for each in (ann, house.caller().login("annabel", PASSWORD)):
        assert each.person == ann.person
        me = each("GET", "/api/me").json
        assert me["person"]["name"] == me["person"]["alias"] == "annabel"
        assert me["play_cents"] == about["play_cents"] == 995_00
        assert each("GET", played).json == before
    assert ann.do(table, "sit-out").status == 200, "the seat is still theirs"
    is_problem(ann("POST", "/api/me/name", {**proof, "name": "other"}), 409, "person/named")
    is_problem(house.guest()("POST", "/api/me/name", proof), 409, "person/taken")
    is_problem(staff("locke", "player")("POST", "/api/me/name", proof), 409, "person/named")
    # Staff finds them by either name, and means the same record.
    barred = {"key": "b", "command": {"action": "bar", "barred": True, "why": "a test"}}
    assert staff("wanda", "surveillance")("POST", "/api/people/annabel", barred).status == 200
    found = [admin("GET", f"/api/people/{name}").json for name in ("annabel", ann.person)]
    assert found[0] == found[1]
    assert found[0]["person"]["player"]["barred"]


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staff]:
    """Those who work in a house whose passwords take as long as anybody's."""
    with process(tmp_path_factory.mktemp("slow"), program="pitboss") as house:
        yield Staff(house, administrator(house))


def test_three_failures_lock_a_name(house: Visited, staff: Staff) -> None:
    staff("locke", "player")

    here, elsewhere = house.caller(), house.caller()

    def attempt(name: str, password: str) -> Answer:
        return here("POST", "/api/sessions", {"name": name, "password": password})

    for _ in range(2):
        is_problem(attempt("locke", "wrong-password"), 401, "login/wrong")
    assert attempt("locke", PASSWORD).status == 200  # and the count begins anew
    for _ in range(3):
        is_problem(attempt("locke", "wrong-password"), 401, "login/wrong")
    is_problem(attempt("locke", PASSWORD), 429, "login/locked")
    change = {"name": "locke", "password": PASSWORD, "new": "another-long-password"}
    is_problem(here("POST", "/api/password", change), 429, "login/locked")
    body = {"name": "locke", "password": PASSWORD}
    assert elsewhere("POST", "/api/sessions", body).status == 200
    # A name that nobody has is treated alike.
    for _ in range(3):
        is_problem(attempt("nobody-here", "wrong-password"), 401, "login/wrong")
    is_problem(attempt("nobody-here", "wrong-password"), 429, "login/locked")


def test_guesses_at_the_same_time_are_counted(slow: Staff) -> None:
    house = slow.house
    slow("swarm", "player")
    body = {"name": "swarm", "password": "wrong-password"}
    stranger = house.caller()
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(stranger, "POST", "/api/sessions", body) for _ in range(12)]
        codes = [each.result().code for each in asked]
    assert sorted(codes) == ["login/locked"] * 9 + ["login/wrong"] * 3


def test_a_lock_opens_after_a_minute(tmp_path: Path) -> None:
    ahead = [0]
    with thread(tmp_path, clock=turned(lambda: utc_now() + ahead[0])) as house:
        admin = administrator(house)
        body = {"name": "admin", "password": "wrong-password"}
        codes = [admin("POST", "/api/sessions", body).code for _ in range(4)]
        assert codes == ["login/wrong"] * 3 + ["login/locked"]
        right = {"name": "admin", "password": PASSWORD}
        ahead[0] = 50_000
        assert admin("POST", "/api/sessions", right).code == "login/locked"
        ahead[0] = 61_000
        admin.login("admin", PASSWORD)
        ahead[0] += 720 * 60_000 + 1
        is_problem(admin("GET", "/api/me"), 401, "session/none")


def test_an_unknown_name_takes_as_long_as_a_known_one(slow: Staff) -> None:
    house = slow.house
    for name in ("time-a", "time-b"):
        slow(name, "player")

    def took(name: str) -> float:
        begun = time.perf_counter()
        body = {"name": name, "password": "wrong-password"}
        assert house.caller()("POST", "/api/sessions", body).status == 401
        return time.perf_counter() - begun

    known = statistics.median(took(name) for name in ("time-a", "time-b") for _ in range(3))
    unknown = statistics.median(took(f"none-{n}") for n in range(6))
    assert 1 / 3 < known / unknown < 3


def test_the_door_is_not_open_all_at_once(house: Visited) -> None:
    stranger = house.caller()
    answers = [
        stranger("POST", "/api/sessions", {"name": "", "password": str(n)}) for n in range(34)
    ]
    assert answers[-1].code == "rate/too-much"
    is_problem(answers[-1], 429, "rate/too-much")
    assert answers[-1].headers["retry-after"] == "1"
    assert house.caller()("GET", "/health").status == 200


def test_nobody_asks_too_much_at_once(house: Visited) -> None:
    ann, bob = house.guest(), house.guest()
    parts = urlsplit(house.address)
    head = f"DELETE /api/me HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
    assert b" 405 " in raw(house, head.replace("HTTP/1.1\r\n", "HTTP/1.0\r\n", 1).encode())
    wrong = {"key": "k", "command": {"action": "leave"}}
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(ann, "POST", "/api/tables/none", wrong) for _ in range(700)]
        statuses = [each.result().status for each in asked]
    assert set(statuses) == {404, 429}
    assert bob("POST", "/api/tables/none", wrong).status == 404


# Cross-site requests ------------------------------------------------------------------------------


def test_a_cookie_alone_changes_nothing(house: Visited) -> None:
    ann = house.guest()
    browser = house.caller()
    body = {"key": "k", "command": {"action": "open-table", "rulebook": BOOK, "practice": True}}
    cookie = {"Cookie": f"pitboss={ann.token}"}
    assert browser("GET", "/api/me", headers=cookie).json["csrf"] == ann.csrf
    is_problem(browser("POST", "/api/tables", body, cookie), 403, "csrf/missing")
    for wrong in ("x", ann.csrf[:-1], ann.csrf.upper(), house.guest().csrf, "\xe9"):
        headers = {**cookie, "X-CSRF-Token": wrong}
        is_problem(browser("POST", "/api/tables", body, headers), 403, "csrf/missing")
    is_problem(browser("DELETE", "/api/sessions", headers=cookie), 403, "csrf/missing")
    right = {**cookie, "X-CSRF-Token": ann.csrf}
    assert browser("POST", "/api/tables", body, right).status == 200
    own = {**right, "Origin": house.address, "Sec-Fetch-Site": "same-origin"}
    assert browser("POST", "/api/tables", body, own).json["again"] is True


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "garbage"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "rubbish"},
    ],
)
def test_other_sites_change_nothing(house: Visited, headers: dict[str, str]) -> None:
    ann = house.guest()
    browser = house.caller()
    whole = {"Cookie": f"pitboss={ann.token}", "X-CSRF-Token": ann.csrf, **headers}
    body = {"key": "k", "command": {"action": "open-table", "rulebook": BOOK, "practice": True}}
    is_problem(browser("POST", "/api/tables", body, whole), 403, "csrf/origin")
    is_problem(browser("DELETE", "/api/sessions", headers=whole), 403, "csrf/origin")
    is_problem(browser("POST", "/api/guests", headers=headers), 403, "csrf/origin")
    login = {"name": "admin", "password": "wrong-password"}
    is_problem(browser("POST", "/api/sessions", login, headers), 403, "csrf/origin")
    assert ann("GET", "/api/me").status == 200


def test_no_other_site_may_read(house: Visited) -> None:
    ann = house.guest()
    answer = ann("GET", "/api/me", headers={"Origin": "https://evil.example"})
    assert not any(name.startswith("access-control") for name in answer.headers)
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


# The first administrator --------------------------------------------------------------------------


def test_a_database_without_its_secrets_gets_a_new_one(tmp_path: Path) -> None:
    with thread(tmp_path) as house:
        first = house.secret
    rows = sqlite3.connect(tmp_path / "thread.db")
    rows.execute("DELETE FROM secrets")  # as in a copy that leaves them out
    rows.commit()
    rows.close()
    with thread(tmp_path) as house:
        assert house.secret
        assert house.secret != first
        body = {"name": "admin", "password": house.secret, "new": PASSWORD}
        assert house.caller()("POST", "/api/password", body).status == 204
    with thread(tmp_path) as house:
        assert house.secret is None


# Secrets ------------------------------------------------------------------------------------------


def test_no_secret_is_in_a_log_or_in_the_database(house: Visited, staff: Staff) -> None:
    """Runs after the others of this page: their tokens and passwords are looked for."""
    walt = staff("secret-keeper", "player")
    ann = house.guest()
    house.caller()("GET", f"/api/me?token={ann.token}")  # whoever does this, it is not written down
    secrets = [house.secret, PASSWORD, "for-once-only", walt.token, ann.token, ann.csrf]
    secrets += [each.token for each in staff.known.values()]
    said = house.errors.read_text()
    assert "Traceback" not in said
    assert "Exception" not in said
    files = [house.db, *house.db.parent.glob("house.db-*")]
    kept = b"".join(each.read_bytes() for each in files)
    for each in secrets:
        assert each not in said
        assert each.encode() not in kept


def test_a_token_is_not_taken_from_the_address(house: Visited) -> None:
    ann, stranger = house.guest(), house.caller()
    for name in ("token", "access_token", "pitboss"):
        is_problem(stranger("GET", f"/api/me?{name}={ann.token}"), 401, "session/none")
