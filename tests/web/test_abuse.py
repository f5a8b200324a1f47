"""What people try who mean ill, and that it comes to nothing."""

import asyncio
import contextlib
import hashlib
import json
import socket
import sqlite3
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pitboss.house.house import utc_now
from pitboss.web import app, hurry, streams
from pitboss.web.client import Client, Declined, Unreachable
from pitboss.web.limits import Rate
from tests.web.conftest import PASSWORD, Staff
from tests.web.serving import Answer, Caller, Visited, run, thread
from tests.web.test_api import is_problem

BOOK = "common/mississippi-stud"


def two_at_a_table(house: Visited, **options: Any) -> tuple[Caller, Caller, str]:
    """Ann in seat 1, who opened the table, and Bob in seat 2."""
    ann, bob = house.guest(), house.guest()
    table = ann.open(BOOK, **options)
    assert ann.do(table, "sit", seat=1).status == 200
    assert bob.do(table, "sit", seat=2).status == 200
    return ann, bob, table


def dealt(ann: Caller, bob: Caller, table: str) -> None:
    for seat, each in enumerate((ann, bob), start=1):
        assert each.do(table, "bet", seat=seat, wagers={"ante": 500}).status == 200
    assert ann.view(table)["due"] == [1, 2]


def raw(house: Visited, sent: bytes, seconds: float = 5) -> bytes:
    """Send bytes, and return all that comes back until the end or for so long."""
    parts = urlsplit(house.address)
    found = b""
    with socket.create_connection((str(parts.hostname), parts.port or 80), seconds) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(sent)
        with contextlib.suppress(OSError):
            while piece := connection.recv(65536):
                found += piece
    return found


# At the table -------------------------------------------------------------------------------------


def test_nobody_acts_for_another_seat(house: Visited) -> None:
    ann, bob, table = two_at_a_table(house)
    carl = house.guest()
    for thief in (bob, carl):
        is_problem(thief.do(table, "bet", seat=1, wagers={"ante": 500}), 403, "seat/not-yours")
    dealt(ann, bob, table)
    for action in ("fold", "raise", "check", "take-back"):
        more: dict[str, Any] = {"times": 1} if action == "raise" else {}
        is_problem(bob.do(table, action, seat=1, **more), 403, "seat/not-yours")
        is_problem(carl.do(table, action, seat=1, **more), 403, "seat/not-yours")
        is_problem(carl.do(table, action, seat=99, **more), 403, "seat/not-yours")
    for action in ("leave", "sit-out", "sit-in"):
        is_problem(carl.do(table, action), 409, "seat/none")
    is_problem(carl.do(table, "sit", seat=1), 409, "seat/taken")
    is_problem(bob.do(table, "sit", seat=3), 409, "seat/one-each")


def test_a_guest_does_nothing_that_is_the_pits_at_anothers_table(house: Visited) -> None:
    ann, bob, table = two_at_a_table(house)
    dealt(ann, bob, table)
    misdeal = {"cause": "other", "role": "floor-supervisor"}
    privileged: dict[str, dict[str, Any]] = {
        "close-table": {},
        "change-limits": {"minimum_cents": 1, "maximum_cents": None, "why": "w"},
        "seat-bot": {"seat": 3},
        "mark-partners": {"partners": [], "why": "w"},
        "start-dealing": {},
        "open-betting": {},
        "close-bets": {},
        "deal": {"cards": []},
        "turn": {},
        "pay": {},
        "call-misdeal": misdeal,
        "kill-hand": {**misdeal, "seat": 1},
        "approve-payoff": {"seat": 1, "role": "floor-supervisor"},
        "bring-cards": {"colours": ["red"]},
        "replace-card": {"card": "As", "role": "floor-supervisor", "why": "w"},
    }
    for action, more in privileged.items():
        is_problem(bob.do(table, action, **more), 403, "role/not-yours")
    # Not even the clock can be asked for.
    assert bob.do(table, "tick").status == 400
    assert bob.do(table, "time-out", seat=1).status == 400
    assert bob.do(table, "open", seats={}, minimum_cents=1).status == 400


def test_out_of_turn_twice_and_stale(house: Visited) -> None:
    ann, bob, table = two_at_a_table(house)
    is_problem(ann.do(table, "raise", seat=1, times=1), 409, "seat/not-in-round")
    early = ann.view(table)["moment"]
    dealt(ann, bob, table)
    is_problem(ann.do(table, "bet", seat=1, wagers={"ante": 500}), 409, "bet/closed")
    first = ann.view(table)["moment"]
    assert ann.do(table, "raise", seat=1, times=1).status == 200
    is_problem(ann.do(table, "raise", seat=1, times=1), 409, "decide/already")
    is_problem(ann.do(table, "fold", seat=1), 409, "decide/already")
    assert bob.do(table, "raise", seat=2, times=1).status == 200
    for stale in (first, early, "0.bet", "999.9", "nonsense"):
        is_problem(ann.do(table, "raise", stale, seat=1, times=3), 409, "command/late")
    missing = {"key": "m", "command": {"action": "raise", "seat": 1, "times": 3}}
    is_problem(ann("POST", f"/api/tables/{table}", missing), 409, "command/late")


def test_after_the_deadline(house: Visited) -> None:
    ann, bob, table = two_at_a_table(house, decision_seconds=1)
    dealt(ann, bob, table)
    moment = ann.view(table)["moment"]
    time.sleep(1.2)
    late = ann.do(table, "raise", moment, seat=1, times=3)
    assert late.status == 409
    assert late.code in ("command/late", "clock/ran-out", "decide/already")
    assert ann.view(table)["last"]["seats"][0]["lines"][0]["outcome"] == "lose"


def test_a_key_means_one_command(house: Visited, rows: sqlite3.Connection) -> None:
    ann, bob, table = two_at_a_table(house)
    once = ann.do(table, "bet", key="one", seat=1, wagers={"ante": 500})
    again = ann.do(table, "bet", key="one", seat=1, wagers={"ante": 500})
    assert (once.json["again"], again.json["again"]) == (False, True)
    assert once.json["notice"] == again.json["notice"]
    other = ann.do(table, "bet", key="one", seat=1, wagers={"ante": 1000})
    is_problem(other, 409, "command/key-reused")
    # A key is its sender's own.
    assert bob.do(table, "bet", key="one", seat=2, wagers={"ante": 500}).status == 200
    # Repeated after the moment has passed, and all at once.
    late = ann.do(table, "bet", "1.bet", key="one", seat=1, wagers={"ante": 500})
    assert late.json["notice"] == once.json["notice"]
    moment = ann.view(table)["moment"]
    with ThreadPoolExecutor(8) as pool:
        work = lambda _: ann.do(table, "raise", moment, key="two", seat=1, times=1)  # noqa: E731
        answers = list(pool.map(work, range(16)))
    assert [answer.status for answer in answers] == [200] * 16
    assert len({json.dumps(answer.json["notice"]) for answer in answers}) == 1
    assert sum(not answer.json["again"] for answer in answers) == 1
    count = "SELECT COUNT(*) FROM journal WHERE stream = ? AND actor = ? AND key = 'two'"
    assert rows.execute(count, (f"table:{table}", ann.person)).fetchone() == (1,)


def test_the_same_key_opens_the_same_table(house: Visited) -> None:
    ann = house.guest()
    command = {"action": "open-table", "rulebook": BOOK, "practice": True}
    body = {"key": "t", "command": command}
    several = [ann("POST", "/api/tables", body).json for _ in range(2)]
    assert several[0]["notice"] == several[1]["notice"]
    body["command"] = {**command, "decision_seconds": 5}
    is_problem(ann("POST", "/api/tables", body), 409, "command/key-reused")


def test_nobody_fills_the_house_with_tables(house: Visited) -> None:
    ann = house.guest()
    opened = [ann.open() for _ in range(app.MOST_PRACTICE)]
    body = {
        "key": "more",
        "command": {"action": "open-table", "rulebook": BOOK, "practice": True},
    }
    is_problem(ann("POST", "/api/tables", body), 409, "table/too-many")
    assert ann("POST", "/api/tables", {**body, "key": "k1"}).json["again"] is True
    assert ann.do(opened[0], "close-table").status == 200
    assert ann("POST", "/api/tables", body).status == 200


def test_many_requests_at_once_have_no_more_than_one_after_the_other(house: Visited) -> None:
    """What is left is counted and used up before it is counted again."""

    async def at_once() -> tuple[list[str], list[int]]:
        async with Client(house.address) as first:
            await first.enter()
            several = [Client(house.address, first.token) for _ in range(2 * app.MOST_PRACTICE)]

            async def opens(client: Client) -> str:
                try:
                    return await client.open_table(BOOK, practice=True)
                except Declined as no:
                    return no.code

            async def fills(client: Client) -> int:
                found = await client.send("POST", "/api/me/play-chips", {"key": client.key()})
                has: int = found["play_cents"]
                return has

            tables = await asyncio.gather(*map(opens, several))
            mine = next(each for each in tables if "/" not in each)
            await first.do(mine, {"action": "sit", "seat": 1})
            await first.do(mine, {"action": "bet", "seat": 1, "wagers": {"ante": 500}}, "1.bet")
            chips = await asyncio.gather(*map(fills, several))
            for client in several:
                client.close()
            return tables, chips

    tables, chips = run(at_once())
    assert tables.count("table/too-many") == app.MOST_PRACTICE
    assert set(chips) == {100_000}


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
    from pitboss.web.routes import ROUTES

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
    watching = walt.stream(f"/api/tables/{table}/events")
    assert watching.until(b"retry")
    new = {"name": "walt", "password": PASSWORD, "new": "another-long-password"}
    assert house.caller()("POST", "/api/password", new).status == 204
    assert watching.until(b"event: end", 3)
    watching.close()
    is_problem(walt("GET", "/api/me"), 401, "session/none")


def test_three_failures_lock_a_name(house: Visited, staff: Staff) -> None:
    staff("locke", "player")

    def attempt(name: str, password: str) -> Answer:
        return house.caller()("POST", "/api/sessions", {"name": name, "password": password})

    for _ in range(2):
        is_problem(attempt("locke", "wrong-password"), 401, "login/wrong")
    assert attempt("locke", PASSWORD).status == 200  # and the count begins anew
    for _ in range(3):
        is_problem(attempt("locke", "wrong-password"), 401, "login/wrong")
    is_problem(attempt("locke", PASSWORD), 429, "login/locked")
    change = {"name": "locke", "password": PASSWORD, "new": "another-long-password"}
    is_problem(house.caller()("POST", "/api/password", change), 429, "login/locked")
    # A name that nobody has is treated alike.
    for _ in range(3):
        is_problem(attempt("nobody-here", "wrong-password"), 401, "login/wrong")
    is_problem(attempt("nobody-here", "wrong-password"), 429, "login/locked")


def test_guesses_at_the_same_time_are_counted(house: Visited, staff: Staff) -> None:
    staff("swarm", "player")
    body = {"name": "swarm", "password": "wrong-password"}
    with ThreadPoolExecutor(12) as pool:
        work = lambda _: house.caller()("POST", "/api/sessions", body).code  # noqa: E731
        codes = list(pool.map(work, range(12)))
    assert sorted(codes) == ["login/locked"] * 9 + ["login/wrong"] * 3


def test_a_lock_opens_after_half_an_hour(tmp_path: Path) -> None:
    ahead = [0]
    with thread(tmp_path, clock=lambda: utc_now() + ahead[0]) as house:
        body = {"name": "admin", "password": "wrong-password"}
        codes = [house.caller()("POST", "/api/sessions", body).code for _ in range(4)]
        assert codes == ["login/wrong"] * 3 + ["login/locked"]
        new = {"name": "admin", "password": house.secret, "new": PASSWORD}
        ahead[0] = 29 * 60_000
        assert house.caller()("POST", "/api/password", new).code == "login/locked"
        ahead[0] = 30 * 60_000 + 1000
        assert house.caller()("POST", "/api/password", new).status == 204
        admin = house.caller().login("admin", PASSWORD)
        ahead[0] += 720 * 60_000 + 1
        is_problem(admin("GET", "/api/me"), 401, "session/none")


def test_an_unknown_name_takes_as_long_as_a_known_one(house: Visited, staff: Staff) -> None:
    for name in ("time-a", "time-b"):
        staff(name, "player")

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
        work = lambda _: ann("POST", "/api/tables/none", wrong).status  # noqa: E731
        statuses = list(pool.map(work, range(700)))
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


# Bodies and heads ---------------------------------------------------------------------------------

KEYED = "/api/me/play-chips"


@pytest.mark.parametrize(
    ("sent", "headers", "status"),
    [
        (b'{"key":"k"}', {"Content-Type": "text/plain"}, 415),
        (b'{"key":"k"}', {"Content-Type": ""}, 415),
        (b'{"key":"k"}', {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (b"key=k", {"Content-Type": "multipart/form-data; boundary=x"}, 415),
        (b"", {"Content-Type": "application/json"}, 400),
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b'"k"', {}, 400),
        (b"null", {}, 400),
        (b'{"key":1}', {}, 400),
        (b'{"key":null}', {}, 400),
        (b'{"key":""}', {}, 400),
        (b'{"key":"' + b"k" * 81 + b'"}', {}, 400),
        (b'{"key":"k","more":1}', {}, 400),
        (b'{"key":NaN}', {}, 400),
        (b'{"key":Infinity}', {}, 400),
        (b'{"key":"\xff\xfe"}', {}, 400),
        (b'{"key":"\\ud800"}', {}, 400),
        (b'{"key":"\\u0000"}', {}, 400),
        (b'{"key":"\x00"}', {}, 400),
        (b"[" * 60_000, {}, 400),
        (b'{"a":' * 10_000, {}, 400),
        (b'{"key":' + b"9" * 5_000 + b"}", {}, 400),
        (b'{"key":"' + b"k" * 70_000 + b'"}', {}, 413),
        (b"\xef\xbb\xbf" + b'{"key":"k"}', {}, 400),
    ],
)
def test_rubbish_in_bodies(
    house: Visited, sent: bytes, headers: dict[str, str], status: int
) -> None:
    answer = house.guest()("POST", KEYED, sent, headers)
    assert answer.status == status, answer
    assert set(answer.json) == {"code", "message", "clause", "place"}


@pytest.mark.parametrize("number", [-1, 0, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 10**300])
def test_numbers_of_any_size_are_refused_or_fit(house: Visited, number: int) -> None:
    ann = house.guest()
    table = ann.open("diamond-jo-worth/cajun-stud")
    ann.do(table, "sit", seat=1)
    assert ann.do(table, "sit", seat=number).status == 409
    assert ann.do(table, "bet", seat=1, wagers={"ante": number}).status == 409
    assert ann.do(table, "bet", seat=number, wagers={"ante": 500}).status == 403
    toke = ann.do(table, "bet", seat=1, wagers={"ante": 500}, toke_cents=number)
    assert toke.status == (200 if number == 0 else 409)
    limits: dict[str, Any] = {"minimum_cents": number, "maximum_cents": number, "why": "w"}
    assert ann.do(table, "change-limits", **limits).status == 409
    late: dict[str, Any] = {"seat": 1, "spot": "ante", "cents": number, "role": "floor-supervisor"}
    assert ann.do(table, "accept-late", **late).status in (400, 409)
    command = {
        "action": "open-table",
        "rulebook": BOOK,
        "practice": True,
        "minimum_cents": number,
        "maximum_cents": number,
    }
    opened = ann("POST", "/api/tables", {"key": "n", "command": command})
    assert opened.status in (200, 409)
    assert house.caller()("GET", "/api/tables").status == 200
    assert ann.view(table)["open"]


def test_the_last_of_two_equal_keys_counts(house: Visited, rows: sqlite3.Connection) -> None:
    ann = house.guest()
    ann("POST", KEYED, b'{"key":"first","key":"last"}')
    ann.open()
    found = rows.execute("SELECT key FROM journal WHERE actor = ?", (ann.person,)).fetchall()
    assert ("first",) not in found


def test_endless_bodies_are_cut(house: Visited) -> None:
    ann = house.guest()
    head = (
        f"POST {KEYED} HTTP/1.1\r\nHost: {urlsplit(house.address).netloc}\r\n"
        f"Authorization: Bearer {ann.token}\r\nContent-Type: application/json\r\n"
    ).encode()
    endless = b"1000\r\n" + b" " * 4096 + b"\r\n"
    found = raw(house, head + b"Transfer-Encoding: chunked\r\n\r\n" + endless * 100)
    assert found.startswith(b"HTTP/1.1 413 ")
    found = raw(house, head + b"Content-Length: 999999999\r\n\r\n" + b" " * 400_000)
    assert found.startswith(b"HTTP/1.1 413 ")


def test_heads_without_end_are_cut(house: Visited) -> None:
    begun = b"GET /health HTTP/1.1\r\nHost: x\r\n"
    parts = urlsplit(house.address)
    for flood in (b"X-A: " + b"a" * 1000 + b"\r\n", b"a"):
        with socket.create_connection((str(parts.hostname), parts.port or 80), 10) as connection:
            connection.sendall(begun)
            sent = 0
            with contextlib.suppress(OSError):
                while sent < 10_000_000:
                    sent += connection.send(flood * (20_000 // len(flood)))
            assert sent < 10_000_000
    assert b" 400 " in raw(house, b"GET / HTTP/1.1\r\nNo colon here\r\n\r\n")
    assert house.caller()("GET", "/health").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/%00",
        "/api/tables/%ff%fe",
        "/api/tables/..%2f..%2fetc%2fpasswd",
        "/api/tables/%2e%2e",
        "/api/tables/' OR 1=1 --".replace(" ", "%20"),
        "/api/rounds/%00-1",
        "/api/rounds/-",
        "/api/rounds/x-" + "9" * 400,
        "//api/tables",
        "/api//tables",
        "/API/TABLES",
        "/api/tables/x/events/",
        "/api/tables/" + "x" * 20_000,
        "/api/people",
        "/./api/tables/..",
        "/static/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
    ],
)
def test_path_tricks(house: Visited, path: str) -> None:
    answer = house.guest()("GET", path)
    assert answer.status in (404, 405), answer
    assert set(answer.json) == {"code", "message", "clause", "place"}
    assert "location" not in answer.headers


def test_nothing_odd_in_requests_stops_the_house(house: Visited) -> None:
    host = f"Host: {urlsplit(house.address).netloc}\r\n"
    for odd in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET /caf\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        f"GET /health HTTP/1.1\r\n{host}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n".encode(),
        f"POST /api/guests HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n".encode(),
        f"POST /api/guests HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nZZ\r\n".encode(),
        f"GET /api/me HTTP/1.1\r\n{host}Cookie: pitboss=\xff; =; ;;\r\n\r\n".encode("latin-1"),
    ):
        raw(house, odd, 0.5)
    assert house.caller()("GET", "/health").status == 200


@pytest.mark.parametrize("after", ["-1", "1e3", "x", "9" * 30, "\xb2", "0x10"])
def test_last_event_id_is_a_number(house: Visited, after: str) -> None:
    ann = house.guest()
    table = ann.open()
    answer = ann(
        "GET",
        f"/api/tables/{table}/events",
        headers={"Last-Event-ID": after},
    )
    is_problem(answer, 400, "body/unreadable")
    assert answer.json["place"] == "Last-Event-ID"


# A house whose limits are small -------------------------------------------------------------------


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visited]:
    """A house that waits for nobody and has few streams."""
    monkeypatch.setattr(hurry, "SECONDS", 0.4)
    monkeypatch.setattr(app, "LONGEST_BODY", 0.4)
    monkeypatch.setattr(streams, "STILL_HERE", 0.3)
    monkeypatch.setattr(streams, "MOST_EACH", 3)
    monkeypatch.setattr(streams, "MOST", 5)
    with thread(tmp_path) as found:
        yield found


def drip(house: Visited, begun: bytes, each: bytes) -> tuple[float, bytes]:
    """Send a little at a time: how long the connection lasts, and what came back."""
    parts = urlsplit(house.address)
    start, found = time.monotonic(), b""
    with socket.create_connection((str(parts.hostname), parts.port or 80), 5) as connection:
        connection.settimeout(0.05)
        with contextlib.suppress(BrokenPipeError, ConnectionError):
            connection.sendall(begun)
            while time.monotonic() - start < 8:
                connection.sendall(each)
                with contextlib.suppress(TimeoutError):
                    piece = connection.recv(65536)
                    if not piece:
                        break
                    found += piece
    return time.monotonic() - start, found


def test_a_client_that_is_told_to_wait_waits(hasty: Visited) -> None:
    assert hasty.web is not None
    hasty.web._doors = Rate(1, 4)

    async def enter(patience: float) -> str:
        async with Client(hasty.address, patience=patience) as client:
            return await client.enter()

    async def several() -> list[str]:
        return [await enter(20) for _ in range(3)]

    assert len(set(run(several()))) == 3
    hasty.web._doors = Rate(1, 0)
    run(enter(0))
    with pytest.raises(Unreachable, match="too much at once"):
        run(enter(0.1))


def test_slow_requests_are_not_waited_for(hasty: Visited) -> None:
    ann = hasty.guest()
    took, found = drip(hasty, b"GET /health HTTP/1.1\r\n", b"X")
    assert (took < 4, found) == (True, b"")
    took, found = drip(hasty, b"", b"\r\n")
    assert (took < 4, found) == (True, b"")
    whole = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    took, found = drip(hasty, whole, b"\r\n")  # a second request that never comes
    assert took < 4
    assert found.startswith(b"HTTP/1.1 200 ")
    head = (
        f"POST {KEYED} HTTP/1.1\r\nHost: {urlsplit(hasty.address).netloc}\r\n"
        f"Authorization: Bearer {ann.token}\r\nContent-Type: application/json\r\n"
        "Content-Length: 60000\r\n\r\n"
    ).encode()
    took, found = drip(hasty, head, b" ")
    assert took < 4
    assert found.startswith(b"HTTP/1.1 408 ")


def test_silent_connections_are_closed(hasty: Visited) -> None:
    begun = time.monotonic()
    assert raw(hasty, b"") == b""
    assert time.monotonic() - begun < 4


def test_streams_are_counted(hasty: Visited) -> None:
    ann, bob = hasty.guest(), hasty.guest()
    path = f"/api/tables/{ann.open()}/events"
    mine = [ann.stream(path) for _ in range(3)]
    assert [each.status for each in mine] == [200] * 3
    for each in mine:
        assert each.until(b"retry")
    is_problem(ann("GET", path), 429, "stream/too-many")
    his = [bob.stream(path) for _ in range(2)]
    for each in his:
        assert each.until(b"retry")
    is_problem(bob("GET", path), 429, "stream/too-many")  # five in all
    # One that hangs up makes room.
    mine[0].close()
    deadline = time.monotonic() + 5
    again = bob.stream(path)
    while again.status != 200 and time.monotonic() < deadline:
        again.close()
        time.sleep(0.05)
        again = bob.stream(path)
    assert again.status == 200
    # Many at the very same time are counted, too.
    for each in (*mine[1:], *his, again):
        each.close()
    time.sleep(0.5)
    gate = threading.Barrier(8)

    def rush(_: int) -> bool:
        gate.wait()
        stream = ann.stream(path)
        lives = stream.status == 200 and not stream.until(b"event: end", 1)
        stream.close()
        return lives

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(rush, range(8))) == 3
    web = hasty.web
    assert web is not None
    deadline = time.monotonic() + 5
    while web.hub.count and time.monotonic() < deadline:
        time.sleep(0.05)
    assert web.hub.count == 0


def test_a_session_that_another_process_ended(hasty: Visited) -> None:
    """Nobody tells us: it is seen at the next look."""
    ann = hasty.guest()
    stream = ann.stream(f"/api/tables/{ann.open()}/events")
    assert stream.until(b": still here", 3)
    with sqlite3.connect(hasty.db) as rows:
        rows.execute("DELETE FROM sessions")
    rows.close()
    assert stream.until(b"event: end", 10)
    stream.close()


def test_a_listener_that_does_not_keep_up_is_let_go(
    hasty: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "WAITING", 4)
    web = hasty.web
    assert web is not None
    ann = hasty.guest()
    table = ann.open()
    ann.do(table, "sit", seat=1)
    stream = ann.stream(f"/api/tables/{table}/events")
    assert stream.until(b"retry")

    def flood() -> None:  # more than anybody hears at once
        for _ in range(6):
            web.hub.look(ann.person)

    web.house._loop.call_soon_threadsafe(flood)
    assert stream.until(b"event: end", 3)
    stream.close()
    again = ann.stream(f"/api/tables/{table}/events", after=1)
    assert again.until(b"id: 2\n")
    again.close()


# The first administrator --------------------------------------------------------------------------


def test_a_first_start_that_was_cut_short_is_made_good(tmp_path: Path) -> None:
    with thread(tmp_path) as house:
        first = house.secret
    rows = sqlite3.connect(tmp_path / "thread.db")
    rows.execute("DELETE FROM secrets")  # the person was written, the password not yet
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
