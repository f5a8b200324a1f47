"""A browser's request: the form that it brings, and what the browser wants of the answer."""

import secrets
from collections.abc import Mapping

import msgspec

from pitboss.errors import Unreadable
from pitboss.web.guards import header
from pitboss.web.pipeline import Call
from pitboss.web.services import Services

COACH = {"off": "Off", "warn": "Warn me", "show": "Show values"}
"""What the coach does, as the buttons say it: nothing, speaks up before an error, or always."""


YES, NO = ("yes", "true"), ("no", "false", "")
"""How a form answers what is asked with yes or no."""

YES_OR_NO = "this is answered with yes or no"


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

    def ticked(self, name: str) -> bool:
        return ticked(self.body, name)

    def answer(self, name: str) -> bool:
        """Return what a form says that has to say yes or no: silence is neither."""
        if not self.field(name):
            raise Unreadable(YES_OR_NO, name)
        return self.ticked(name)

    @property
    def key(self) -> str:
        """The form's idempotency key: sent twice, it is done once."""
        return self.field("key")[:80] or secrets.token_hex(8)


def ticked(fields: Mapping[str, str], name: str) -> bool:
    """Return whether a form says yes here: of a box that is not ticked a browser sends nothing.

    >>> ticked({"sure": "yes"}, "sure"), ticked({"sure": "no"}, "sure"), ticked({}, "sure")
    (True, False, False)
    """
    said = fields.get(name, "").strip().lower()
    if said not in (*YES, *NO):
        raise Unreadable(YES_OR_NO, name)
    return said in YES


async def as_guest(web: Services, visit: Visit) -> None:
    """Let a stranger in with play chips, from this visit on."""
    visit.begun = await web.sessions.guest()
    person = await web.sessions.person(visit.begun.token)
    assert person is not None, "the session has just begun"
    visit.person, visit.token = person, visit.begun.token
