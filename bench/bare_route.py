"""The most that is to be had: a bare route that only writes an entry, as a house would."""

import asyncio
import sys
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import START, Entry, linked
from pitboss.house.storage.store import Store, deliver
from pitboss.web.server import listening, run_loop

BODY = msgspec.json.encode({"events": ["x" * 700]}).decode()


class Bare:
    """A store behind one route."""

    def __init__(self, where: str) -> None:
        self.store = Store(where)
        self.loop = asyncio.get_running_loop()
        self.store.committed = self._committed
        self._heads: dict[int, tuple[int, str]] = {}

    def _committed(self, done: Any) -> None:
        self.loop.call_soon_threadsafe(deliver, done)

    async def ready(self, _request: Request) -> Response:
        """Say so."""
        return Response(b"{}", media_type="application/json")

    async def write(self, request: Request) -> Response:
        """Write one entry with two postings."""
        table: int = msgspec.json.decode(await request.body())["table"]
        seq, link = self._heads.get(table, (0, START))
        entry = linked(Entry(f"bare:{table}", seq + 1, 0, "bench", str(seq), BODY), link)
        future: asyncio.Future[Entry] = self.loop.create_future()
        self.store.append(EntryDraft(entry, (("cage", -500), (f"layout:{table}", 500))), future)
        await future
        self._heads[table] = (entry.seq, entry.hash)
        return Response(b'{"done":true}', media_type="application/json")


async def serve(where: str) -> None:
    """Serve until told to stop."""
    bare, sock = Bare(where), listening("127.0.0.1", 0)
    app = Starlette(
        routes=[Route("/health", bare.ready), Route("/write", bare.write, methods=["POST"])]
    )
    print(f"http://127.0.0.1:{sock.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    await uvicorn.Server(config).serve(sockets=[sock])
    bare.store.close()


if __name__ == "__main__":
    run_loop(serve(sys.argv[sys.argv.index("--db") + 1]))
