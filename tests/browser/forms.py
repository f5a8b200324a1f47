"""Forms as somebody sends them whose browser has no scripts, and what a page says to them."""

import html
import re
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pitboss.house.sessions import csrf
from tests.browser.scenes import SENECA, Play
from tests.web.open_house import Answer, Caller

FORM = "application/x-www-form-urlencoded"


class Said(NamedTuple):
    """What a page answers to a form."""

    status: int
    alert: str
    amiss: dict[str, str]
    """Fields that are to blame, each with the sentence that stands at it."""
    values: dict[str, str]
    """What stands in the fields."""


class Forms:
    """Somebody whose browser has no scripts, and does not check what is filled in either."""

    def __init__(self, caller: Caller) -> None:
        self.caller, self.count = caller, 0
        self.more: dict[str, str] = {}
        """Headers that a script would add."""

    def cents(self) -> int:
        """What they have in play chips."""
        found: int = self.caller("GET", "/api/me").json["play_cents"]
        return found

    def raw(self, path: str, fields: dict[str, Any]) -> Answer:
        """Send a form; where it does not say so itself, with this session's secret and a key."""
        self.count += 1
        token = self.caller.token
        base = {"csrf": csrf(token) if token else "", "key": f"form-{self.count}"}
        return self.send("POST", path, urlencode({**base, **fields}).encode())

    def send(self, method: str, path: str, body: bytes | None = None, kind: str = FORM) -> Answer:
        """Send anything, as a browser would."""
        cookie = f"pitboss={self.caller.token}" if self.caller.token else ""
        headers = {"Content-Type": kind, "Authorization": "", "Cookie": cookie}
        return self.caller(method, path, body, {**headers, "Accept": "text/html", **self.more})

    def __call__(self, path: str, fields: dict[str, Any]) -> Said:
        """Send a form that must be refused in words."""
        return refused(self.raw(path, fields))


def refused(answer: Answer) -> Said:
    """Read a page that refuses something."""
    page = answer.raw.decode()
    assert 400 <= answer.status < 500, (answer.status, page[:300])
    found = re.search(r'role="alert"[^>]*>(.*?)(?:<form|</p>|</div>|</small>)', page, re.DOTALL)
    assert found, f"nothing is said: {page}"
    alert = html.unescape(" ".join(re.sub(r"<[^>]+>", "", found[1]).split()))
    assert re.fullmatch(r".*[.!?]( [\w., ()-]+)?", alert), f"no sentence: {alert}"
    fields = re.findall(r'<li class="spot[^"]* takes [^"]*".*?</li>', page, re.DOTALL)
    amiss, values = {}, {}
    for each in fields:
        name, value = re.findall(
            r'<input form="bet" id="(?:wager-)?([\w-]+)" name="[^"]*" value="([^"]*)"', each
        )[0]
        values[name] = html.unescape(value)
        said = re.findall(r"<small[^>]*>(.*?)\.?(?: <span.*?)?</small>", each)[0]
        if "amiss" in each:
            assert 'aria-invalid="true"' in each or "aria-invalid=true" in each
            amiss[name] = html.unescape(said)
    return Said(answer.status, alert, amiss, values)


def seated(forms: Forms, play: Play = SENECA) -> str:
    """Open a table, and sit down there."""
    caller = forms.caller
    table = caller.open(play.book, betting_seconds=600, decision_seconds=600)
    assert caller.do(table, "sit", seat=2).status == 200
    return table
