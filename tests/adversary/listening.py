"""What people look at and listen to, their own or not."""

import asyncio

import msgspec

from pitboss.web.client import Declined, Unreachable
from tests.adversary.cast import CAST, PIT
from tests.adversary.records import Listened
from tests.adversary.somebody import Somebody


async def glance(who: Somebody) -> None:
    """Look at anything, one's own or not."""
    table = who.random.choice(who.night.tables or ["nowhere"])
    path = who.random.choice(
        [
            *("/api/me", "/api/tables", "/api/settings", "/api/rulebooks", "/health"),
            f"/api/people/{who.random.choice(list(CAST))}",
            *(f"/api/rounds/{table}-{who.random.randrange(1, 30)}" for _ in range(4)),
        ]
    )
    await who.ask("GET", path)


async def listen(who: Somebody) -> None:
    """Hear what happens at a table, or on the floor, from whichever server is there."""
    if who.listening is not None and who.listening.done():
        who.listening.result()
        who.listening = None
    if who.listening is None and who.night.tables and who.night.listeners < 8:
        floor = bool(who.roles & {*PIT, "auditor"}) and who.random.random() < 0.5
        table = who.random.choice(who.night.tables)
        who.listening = asyncio.create_task(_listens(who, "" if floor else table))


async def _listens(who: Somebody, table: str) -> None:
    path = f"/api/tables/{table}/events" if table else "/api/floor/events"
    listened = Listened(f"table:{table}" if table else "", [])
    record, epoch = who.night.record, who.night.epoch
    record.listened.append(listened)
    who.night.listeners += 1
    record.counts["streams"] += 1
    last = 0 if table else None
    try:
        while not who.night.over and epoch == who.night.epoch and who.token:
            person = who.person  # a guest who comes back is another one
            try:
                async for number, raw in who.line().events(path, last, read=bytes):
                    if epoch != who.night.epoch:
                        return
                    if raw is None:
                        return  # too much was missed: somebody would look again
                    notice = msgspec.json.decode(raw)
                    last = number
                    listened.entries.append((notice["seq"], notice["position"]))
                    record.heard[person].append(("notice", raw))
            except (Unreachable, OSError, ValueError, asyncio.IncompleteReadError):
                await asyncio.sleep(0.1)
            except Declined as no:
                record.codes[no.code] += 1
                return
    finally:
        who.night.listeners -= 1
