"""What is out of place, comes again, comes twice at once, or is no request at all."""

import asyncio

import msgspec

from pitboss.rulebook import load
from tests.adversary.at_a_table import wants
from tests.adversary.cast import BOOKS
from tests.adversary.somebody import Somebody
from tests.house.any_command import anything

ODD = (
    *(b"", b"null", b"[]", b"{", b"\xff\xfe", b'{"key": 1}', b"[" * 30_000, b'"' + b"x" * 70_000),
    b'{"key": "k", "command": {"action": "sit", "seat": 1e99}}',
    b'{"key": "k", "command": {"action": "sit", "seat": 1, "seat": 2}}',
    b'{"key": "\\u0000", "command": {"action": "sit", "seat": 1}}',
    b'{"key": "\\ud800", "command": {"action": "leave"}}',
    b'{"key": "k", "command": {"action": "bet", "seat": 1, "wagers": {"ante": 1e400}}}',
    b'{"key": "k", "command": {"action": "bet", "seat": 99999999999999999999, "wagers": {}}}',
    b'{"key": "k", "command": {"action": "tick", "until": 0}}',
    b'{"key": "k", "command": {"action": "seal-anew"}}',
    b'{"key": "' + b"k" * 81 + b'", "command": {"action": "leave"}}',
    b'{"key": "k", "command": {"action": "pay"}, "actor": "admin"}',
    b'{"key": "k", "name": "guests", "value": "\\u0000", "why": "x"}',
    b'{"key": "k", "command": {"action": "sell-chips", "cents": -5, "why": "x"}}',
    b'{"key": "k", "command": {"action": "set-roles", "roles": ["owner"], "why": "x"}}',
    b'{"name": "nobody-here", "password": "' + b"p" * 300 + b'"}',
)
"""Bodies that no program of good faith sends."""
PATHS = (
    "/api/tables/{table}",
    "/api/tables",
    "/api/people/{person}",
    "/api/people",
    "/api/settings",
    "/api/me/play-chips",
    "/api/guests/x",
    "/api/tables/..%2f..%2fetc",
    "/api/tables/%00",
    "/api/rounds/{table}-1e3",
    "/api/people/admin'%20OR%201=1--",
    "/api/tables/{table}/events",
    "/nowhere",
)


async def try_anything(who: Somebody) -> None:
    """Any command at any table: most are out of place."""
    tables = [*who.night.tables, *who.night.shut] or ["nowhere"]
    kinds = anything(load(who.random.choice(BOOKS)), who.random)
    kind = who.random.choice(sorted(kinds))
    moment = who.random.choice(["", "1.bet", "1.2", "99.bet"])
    await who.command(who.random.choice(tables), kinds[kind](), moment)


async def repeat(who: Somebody) -> None:
    """Send something again, as it was or otherwise."""
    if not who.sent:
        return
    asked = who.random.choice(who.sent)
    if who.random.random() < 0.2 and "command" in asked.command:
        other = {**asked.command, "command": {"action": "sit", "seat": 5}}
        asked = asked._replace(command=other, body=msgspec.json.encode(other))
        if asked.path == "/api/tables":
            return
    await who.send(asked)


async def twice(who: Somebody) -> None:
    """Send one and the same thing to all servers at once."""
    if not who.night.tables:
        return
    table = who.table or who.random.choice(who.night.tables)
    status, view = await who.ask("GET", f"/api/tables/{table}")
    command = wants(who, view) if status == 200 and view else None
    if command is None:
        return
    body = {"command": command, "moment": view["moment"]}
    asked = who.asked(f"/api/tables/{table}", f"table:{table}", body)
    answers = await asyncio.gather(
        *(who.raw("POST", asked.path, asked.body, server) for server in (0, 1))
    )
    for status, answer in sorted(answers, reverse=True):  # what was refused may come first
        who.heed(who.night.record.answered(asked, status, answer))


async def mischief(who: Somebody) -> None:
    """What no program of good faith sends: it is refused in words, and breaks nothing."""
    table = who.random.choice(who.night.tables or ["nowhere"])
    path = who.random.choice(PATHS).format(table=table, person="ann")
    method = who.random.choice(["POST", "POST", "GET", "DELETE"])
    if method == "GET" and path.endswith("/events"):
        return  # that would be listening
    body = who.random.choice(ODD) if method == "POST" else b""
    own, shown = who.token, who.random.choice(["", "no-such-token", who.token])
    who.token = shown
    status, answer = await who.raw(method, path, body)
    who.token = own
    if status >= 400:
        who.night.record.problem(path, status, answer, body)
    elif status and shown != own and (method, path) != ("GET", "/api/tables"):
        who.night.record.found(f"{method} {path} {body!r} is done for nobody: {answer[:300]!r}")
