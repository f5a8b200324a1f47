"""Request guards: session cookie, bearer token, cross-site requests (CSRF), body size, and the
headers of every answer, with its content security policy (CSP).
"""

import asyncio
import datetime
from functools import cache, lru_cache
from ipaddress import IPv6Address
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pitboss.errors import Refusal, Refused, Unreadable, refuse
from pitboss.house.sessions import Session
from pitboss.web.timeouts import WHOLE

R = TypeVar("R", bound=Response)

LARGEST_BODY = 64 * 1024
LONGEST_BODY = 10.0
"""Seconds in which it must be here."""

COOKIE = "pitboss"
"""Over HTTPS its name begins with __Host-, so that no other host of the domain can plant one."""

POLICY = "default-src 'none'; frame-ancestors 'none'"

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"same-origin"),
]
"""What goes with every answer."""

_CODES = {
    400: "body/unreadable",
    401: "session/none login/wrong",
    403: "login/one-time role/not-yours role/own-record seat/not-yours person/barred"
    " csrf/missing csrf/origin guest/closed",
    404: "table/unknown round/unknown person/unknown form/unknown path/unknown",
    405: "path/method",
    408: "body/too-slow",
    413: "body/too-large",
    415: "body/not-json body/not-form",
    429: "login/locked rate/too-much stream/too-many lab/busy",
    500: "server/broken",
    503: "store/gone login/busy lab/ended lab/too-long",
}
STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}
"""Refusals that are not simply 409: not now, or not by the rules."""


def refusal(error: Refused | Unreadable) -> Refusal:
    """Return what is wrong, in one shape for all."""
    if isinstance(error, Refused):
        return error.refusal
    return Refusal("body/unreadable", error.message, "", error.place[:100])


def status(refusal: Refusal) -> int:
    return STATUS.get(refusal.code, 409)


def guarded(response: R, policy: str = POLICY, kept: str = "no-store") -> R:
    """Add what goes with every answer; the policy says what a browser may load for it."""
    response.raw_headers.extend(_guards(policy, kept))
    return response


@cache
def _guards(policy: str, kept: str) -> list[tuple[bytes, bytes]]:
    own = (b"content-security-policy", policy.encode()), (b"cache-control", kept.encode())
    return [*own, *HEADERS]


def cookie_name(request: Request) -> str:
    return f"__Host-{COOKIE}" if _https(request) else COOKIE


def forget_session_cookie(response: Response, request: Request) -> None:
    secure = _https(request)
    response.delete_cookie(cookie_name(request), secure=secure, httponly=True, samesite="strict")


def _https(request: Request) -> bool:
    return bool(request.scope.get("scheme") == "https")


def set_session_cookie(response: Response, session: Session, request: Request) -> None:
    response.set_cookie(
        cookie_name(request),
        session.token,
        expires=datetime.datetime.fromtimestamp(session.ends // 1000, datetime.UTC),
        httponly=True,
        samesite="strict",
        secure=_https(request),
        path="/",
    )


def header(request: Request, name: bytes) -> str:
    """Return a header; three of them in 5 us, where Starlette's own look-up takes 15."""
    for each, value in request.scope["headers"]:
        if each == name:
            return str(value, "latin-1")
    return ""


def address(request: Request) -> str:
    """Return whence a request comes, as it is counted."""
    client = request.scope.get("client")
    return network(client[0]) if client else ""


@lru_cache(100_000)
def network(host: str) -> str:
    """Return an address, or the network of an IPv6 address: whoever has one has all of it.

    >>> network("192.0.2.7"), network("2001:db8:1:2:3:4:5:6"), network("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7')
    """
    try:
        found = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> 64 << 64))


def token(request: Request, *, bearer: bool) -> tuple[str, bool]:
    """Return the session's token, and whether it came as a cookie."""
    kind, _, given = header(request, b"authorization").partition(" ")
    if bearer and kind.lower() == "bearer":
        return given.strip()[:200], False
    return request.cookies.get(cookie_name(request), "")[:200], True


def same_site(request: Request) -> None:
    """Refuse cross-site requests (CSRF): what another site's page makes a browser send."""
    origin, site = header(request, b"origin"), header(request, b"sec-fetch-site")
    other = site not in ("", "same-origin", "none")
    if other or (origin and origin.partition("://")[2] != header(request, b"host")):
        raise refuse("csrf/origin", "this comes from another site")


def content_type(request: Request) -> str:
    return header(request, b"content-type").partition(";")[0].strip().lower()


async def whole_body(request: Request) -> bytes:
    """Read a body that is neither too large nor too slow; most are here before anybody asks."""
    if WHOLE in request.scope.get("state", ()):
        return await _body(request)
    try:
        async with asyncio.timeout(LONGEST_BODY):
            return await _body(request)
    except TimeoutError:
        raise refuse("body/too-slow", f"within {LONGEST_BODY:.0f} seconds") from None


async def _body(request: Request) -> bytes:
    found, more = b"", True
    while more:
        piece = await request.receive()
        if piece["type"] == "http.disconnect":
            raise ClientDisconnect
        found += piece.get("body", b"")
        more = piece.get("more_body", False)
        if len(found) > LARGEST_BODY:
            raise refuse("body/too-large", f"at most {LARGEST_BODY // 1024} KiB")
    return found
