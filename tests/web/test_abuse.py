"""What people try at a table who mean ill, or too much of, and that it comes to nothing."""

import asyncio
import contextlib
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pitboss.house import practice
from pitboss.web import guards, streams, timeouts
from pitboss.web.client import Client, Declined, Unreachable
from pitboss.web.rate_limit import TokenBucket
from tests.web.api.test_routes import is_problem
from tests.web.mischief import BOOK, KEYED, dealt, eventually, raw, two_at_a_table
from tests.web.open_house import Visited, run, thread

# At the table -------------------------------------------------------------------------------------


def test_nobody_acts_for_another_seat(house: Visited) -> None:
    ann, bob, table = two_at_a_table(house)
    carl = house.guest().come(table)
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
        "acknowledge-notice": {"round": 1, "role": "general-manager"},
        "bring-cards": {"colours": ["red"]},
        "shuffle-cards": {},
        "retire-cards": {"why": "w"},
        "change-shuffler": {"shuffler": False, "why": "w"},
        "drop-tokes": {},
        "write-off-tokes": {"why": "w"},
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
    eventually(lambda: ann.view(table)["moment"] != moment)
    late = ann.do(table, "raise", moment, seat=1, times=3)
    assert late.status == 409
    assert late.code in ("command/late", "decide/already")
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
        asked = [
            pool.submit(ann.do, table, "raise", moment, key="two", seat=1, times=1)
            for _ in range(16)
        ]
        answers = [each.result() for each in asked]
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
    opened = [ann.open() for _ in range(practice.MOST_TABLES)]
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
            several = [Client(house.address, first.token) for _ in range(2 * practice.MOST_TABLES)]

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
    assert tables.count("table/too-many") == practice.MOST_TABLES
    assert set(chips) == {100_000}


# A house whose limits are small -------------------------------------------------------------------


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visited]:
    """A house that waits for nobody and has few streams."""
    monkeypatch.setattr(timeouts, "SECONDS", 0.4)
    monkeypatch.setattr(guards, "LONGEST_BODY", 0.4)
    monkeypatch.setattr(streams, "KEEPALIVE_SECONDS", 0.3)
    monkeypatch.setattr(streams, "MOST_EACH", 3)
    monkeypatch.setattr(streams, "MOST_OF_STRANGERS", 5)
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
    hasty.web.limits["guest"] = TokenBucket(1, 4)

    async def enter(patience: float) -> str:
        async with Client(hasty.address, patience=patience) as client:
            return await client.enter()

    async def several() -> list[str]:
        return [await enter(20) for _ in range(3)]

    assert len(set(run(several()))) == 3
    hasty.web.limits["guest"] = TokenBucket(1, 0)
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
    table = ann.open()
    bob.come(table)
    path = f"/api/tables/{table}/events"
    mine = [ann.stream(path) for _ in range(3)]
    assert [each.status for each in mine] == [200] * 3
    for each in mine:
        assert each.until(b"retry")
    is_problem(ann("GET", path), 429, "stream/too-many")
    his = [bob.stream(path) for _ in range(2)]
    for each in his:
        assert each.until(b"retry")
    is_problem(bob("GET", path), 429, "stream/too-many")  # five of strangers
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
    web = hasty.web
    assert web is not None
    eventually(lambda: web.hub.count == 0)
    gate = threading.Barrier(8)

    def rush(_: int) -> bool:
        gate.wait()
        stream = ann.stream(path)
        lives = stream.status == 200 and not stream.until(b"event: end", 1)
        stream.close()
        return lives

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(rush, range(8))) == 3
    eventually(lambda: web.hub.count == 0)


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

    web.house.background.loop.call_soon_threadsafe(flood)
    assert stream.until(b"event: end", 3)
    stream.close()
    again = ann.stream(f"/api/tables/{table}/events", after=1)
    assert again.until(b"id: 2\n")
    again.close()
