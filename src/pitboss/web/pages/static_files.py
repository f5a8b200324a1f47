"""What pages load: style, script and drawings, each under an address with its hash in it."""

import gzip
import hashlib
from functools import cache
from pathlib import Path

import msgspec
from starlette.responses import Response

from pitboss.errors import Refusal, Refused
from pitboss.web import guards
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

HERE = Path(__file__).parent

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

FOREVER = "public, max-age=31536000, immutable"


class StaticFile(msgspec.Struct, frozen=True):
    """Something that pages load: it never changes under its address."""

    url: str
    kind: str
    body: bytes
    packed: bytes


@cache
def files() -> dict[str, StaticFile]:
    """Return every file by name."""
    return {each.name: _file(each.name, each.read_bytes()) for each in (HERE / "static").iterdir()}


def _file(name: str, body: bytes) -> StaticFile:
    mark = hashlib.sha256(body).hexdigest()[:12]
    kind = TYPES[name.rpartition(".")[2]]
    return StaticFile(f"/static/{mark}/{name}", kind, body, gzip.compress(body, 9, mtime=0))


def static_url(name: str) -> str:
    """Return the address of a file."""
    return files()[name].url


async def send(_web: Services, visit: Visit) -> Response:
    """Style, script, cards and chips."""
    found = files().get(visit.path("name"))
    if found is None or visit.request.url.path != found.url:
        raise Refused(Refusal("path/unknown", "there is no such file"))
    response = Response(found.packed if visit.gzip else found.body, media_type=found.kind)
    if visit.gzip:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    return guards.guarded(response, cache=FOREVER)
