"""A browser's request: the form that it brings, and what the browser wants of the answer."""

import secrets

import msgspec

from pitboss.errors import Unreadable
from pitboss.web.guards import header
from pitboss.web.pipeline import Call
from pitboss.web.services import Services

COACH = {"off": "Off", "warn": "Warn me", "show": "Show values"}
"""What the coach does, as the buttons say it: nothing, speaks up before an error, or always."""


class Visit(Call[dict[str, str]]):
    """A browser's request, checked and read; its person may be a stranger, who may look around."""

    body: dict[str, str] = msgspec.field(default_factory=dict)
    """The form."""

    @property
    def part(self) -> bool:
        """Whether the script asks, and only needs what is inside ``main``."""
        return bool(header(self.request, b"x-part"))

    @property
    def shown(self) -> tuple[str, int]:
        """The round whose course the script plays, and how many of its events it has shown."""
        number, _, events = header(self.request, b"x-shown").partition(".")
        told = events.isascii() and events.isdigit() and len(events) < 6
        return (number, int(events)) if told else ("", 0)

    @property
    def gzip(self) -> bool:
        return "gzip" in header(self.request, b"accept-encoding")

    @property
    def coach(self) -> str:
        """What they want of the coach in this browser: one of ``COACH``."""
        wanted = self.request.cookies.get("coach", "")
        return wanted if wanted in COACH else "off"

    def field(self, name: str) -> str:
        """Return what was filled in; empty where nothing was."""
        return self.body.get(name, "").strip()

    def number(self, name: str) -> int:
        given = self.field(name)
        if not (given.isascii() and given.isdigit() and len(given) < 10):
            raise Unreadable("this is no whole number", name)
        return int(given)

    @property
    def key(self) -> str:
        """The form's idempotency key: sent twice, it is done once."""
        return self.field("key")[:80] or secrets.token_hex(8)


async def as_guest(web: Services, visit: Visit) -> None:
    """Let a stranger in with play chips, from this visit on."""
    visit.begun = await web.sessions.guest()
    person = await web.sessions.person(visit.begun.token)
    assert person is not None, "the session has just begun"
    visit.person, visit.token = person, visit.begun.token
