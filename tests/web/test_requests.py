"""Requests that are none: bodies and heads that nobody should send."""

import contextlib
import socket
import sqlite3
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.web.api.test_routes import is_problem
from tests.web.mischief import BOOK, KEYED, raw
from tests.web.open_house import Visited

# Bodies and heads ---------------------------------------------------------------------------------


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
