"""What pages load: style, script, drawings and typefaces, each under an address with its hash."""

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path

import msgspec
from starlette.responses import Response

from pitboss.errors import refuse
from pitboss.lab import par_page
from pitboss.web import guards
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services

HERE = Path(__file__).parent

TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "woff2": "font/woff2",
}

NAMES = {
    "text/css": re.compile(rb"(?<=url\().+?(?=\))"),
    "text/javascript": re.compile(rb'(?<= from ")[^"]+(?=";)'),
}
"""Where files name others, which name none: browsers know each by its address."""

FOREVER = "public, max-age=31536000, immutable"


class StaticFile(msgspec.Struct, frozen=True):
    """Something that pages load: it never changes under its address."""

    url: str
    kind: str
    body: bytes
    packed: bytes
    """Empty where it does not get smaller: a typeface is packed already."""


@cache
def files() -> dict[str, StaticFile]:
    static = (*(HERE / "static").iterdir(), par_page.STYLE)
    found = {each.name: _file(each.name, each.read_bytes()) for each in static}
    for name, file in found.items():
        if file.kind in NAMES:
            body = NAMES[file.kind].sub(lambda at: found[at[0].decode()].url.encode(), file.body)
            found[name] = _file(name, body)
    return found


def _file(name: str, body: bytes) -> StaticFile:
    mark = hashlib.sha256(body).hexdigest()[:12]
    packed = gzip.compress(body, 9, mtime=0)
    kind = TYPES[name.rpartition(".")[2]]
    smaller = packed if len(packed) < len(body) else b""
    return StaticFile(f"/static/{mark}/{name}", kind, body, smaller)


def static_url(name: str) -> str:
    return files()[name].url


async def send(_web: Services, visit: Visit) -> Response:
    """Style, script, cards and chips."""
    found = files().get(visit.path("name"))
    if found is None or visit.request.url.path != found.url:
        raise refuse("path/unknown", "there is no such file")
    packed = bool(found.packed) and visit.gzip
    response = Response(found.packed if packed else found.body, media_type=found.kind)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    return guards.guarded(response, kept=FOREVER)
