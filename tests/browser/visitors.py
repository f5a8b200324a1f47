"""People with a browser: what they see, all that they are sent, and what must never happen."""

import asyncio
import contextlib
import itertools
import random
import re
import zlib
from collections.abc import Coroutine, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.house.clock import utc_now
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.rulebook_shelf import adopt
from pitboss.house.table.fair import Sealed, seal
from tests.browser.geometry import at_rest
from tests.helpers import stacked
from tests.house.clocked_house import seed
from tests.house.shelves import book
from tests.web.mischief import eventually
from tests.web.open_house import Caller, Visited, thread

if TYPE_CHECKING:  # loaded only where there is a browser
    from playwright.sync_api import Browser, BrowserContext, Page

T = TypeVar("T")

PASSWORD = "a-long-enough-password"


# What goes over the wire --------------------------------------------------------------------------


class Sent:
    """One answer to a visitor: finished, or a stream that still runs."""

    def __init__(self, method: str, path: str) -> None:
        self.method, self.path = method, path
        self.status = 0
        self.head = ""
        self.encoding = ""
        self._pieces: list[bytes] = []

    def keep(self, message: Message) -> None:
        """Keep what the server sends next."""
        if message["type"] == "http.response.start":
            headers = [(k.decode(), v.decode("latin-1")) for k, v in message.get("headers", ())]
            self.status = message["status"]
            self.head = "".join(f"{name}: {value}\n" for name, value in headers)
            self.encoding = dict(headers).get("content-encoding", "")
        elif message["type"] == "http.response.body":
            self._pieces.append(bytes(message.get("body", b"")))

    @property
    def body(self) -> bytes:
        """What the browser makes of it."""
        raw = b"".join(self._pieces)
        if not self.encoding:
            return raw
        assert self.encoding in ("gzip", "deflate"), f"{self.path}: cannot read {self.encoding}"
        return zlib.decompressobj(wbits=47).decompress(raw)

    def text(self) -> str:
        """Return all of it as text, the head too."""
        body = self.body.decode("utf-8", "replace")
        return f"{self.method} {self.path} {self.status}\n{self.head}\n{body}"


class Wire:
    """All that a visitor was ever sent, in the order of asking."""

    def __init__(self) -> None:
        self.answers: list[Sent] = []

    def text(self) -> str:
        """Return every byte so far, streams included, as text."""
        return "\n\n".join(each.text() for each in [*self.answers])


class Tap:
    """Sits between a house and the net, and keeps what goes out to whom.

    A browser forgets what it received when it goes to another page, never tells the body of a
    redirect, and has workers with connections of their own. So it is kept where it leaves the
    house, and a visitor is known by the browser's name: each has one of their own. A worker that
    several pages share has none; what it asks for counts as gone wrong, not as never sent.
    """

    def __init__(self) -> None:
        self.wires: dict[str, Wire] = {}
        self.strangers: list[str] = []
        """What browsers asked for under a name that we did not give them."""

    def __call__(self, app: ASGIApp) -> ASGIApp:
        async def tapped(scope: Scope, receive: Receive, send: Send) -> None:
            agent = dict(scope["headers"]).get(b"user-agent", b"").decode("latin-1")
            wire = self.wires.get(agent)
            if wire is None:  # a program, one hopes
                if agent.startswith("Mozilla"):
                    self.strangers.append(f"nobody we know asked for {scope['path']}")
                await app(scope, receive, send)
                return
            query = scope["query_string"].decode("latin-1")
            sent = Sent(scope["method"], scope["path"] + (f"?{query}" if query else ""))
            wire.answers.append(sent)

            async def keep(message: Message) -> None:
                sent.keep(message)
                await send(message)

            await app(scope, receive, keep)

        return tapped


# The house ----------------------------------------------------------------------------------------


class Site:
    """A house that is open, in this process: its address, and a hand on its decks and people."""

    def __init__(
        self, visited: Visited, decks: list[Sealed], tap: Tap, chance: random.Random
    ) -> None:
        assert visited.web is not None
        assert visited.loop is not None
        self.visited, self.web, self.tap = visited, visited.web, tap
        self.address = visited.address
        self._loop, self._decks, self._chance = visited.loop, decks, chance

    @property
    def house(self) -> House:
        """The house itself; its coroutines are for ``run``."""
        return self.web.house

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Have the house do something, in its own thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def stack(self, *first: str) -> None:
        """Let the next deck that is sealed deal these cards first.

        A deck is sealed when betting opens: stack it before a table is opened, or before the end
        of the round that comes before. Once those that were stacked are used up, decks are
        shuffled.
        """
        self._decks.append(Sealed(stacked(*first), self._chance.randbytes(32).hex()))

    def adopt(self, text: str) -> None:
        """Put a rulebook on the shelf from outside, and wait until the house has heard of it."""
        ours = book(text)
        adopt(self.house.store, ours, at=utc_now())
        eventually(lambda: ours.sha256 in {each.sha256 for each in self.house.shelf.books}, 20)

    def person(self, name: str, *roles: p.Role, cents: int = 1_000_000) -> Caller:
        """Make somebody with these roles, chips of both kinds and ``PASSWORD``; signed in."""
        return self.run(self._person(name, roles, cents))

    async def _person(self, name: str, roles: tuple[p.Role, ...], cents: int) -> Caller:
        await seed(self.house, name, roles, cents)
        await self.web.sessions.set_password("house", name, PASSWORD)
        session = await self.web.sessions.login(name, PASSWORD)
        caller = Caller(self.address, session.token, name)
        caller.csrf = session.csrf
        return caller

    def guest(self) -> Caller:
        """Return a guest without a browser."""
        return self.visited.guest()

    def invitation(self, table: str) -> dict[str, str]:
        """Return an invitation to a practice table, as it is sent."""
        opener = self.run(self.house.table(table)).table.opener
        return {"invitation": self.run(self.house.invite(table, opener))}


@contextlib.contextmanager
def open_site(folder: Path, name: str = "") -> Iterator[Site]:
    """A house on a free port, with a database of its own; it shuffles as it always does for this
    name, so that what a test meets once it meets every time."""
    decks: list[Sealed] = []
    shuffler = random.Random(name)
    tap = Tap()
    with thread(
        folder, deck=lambda: decks.pop(0) if decks else seal(shuffler.randbytes), tap=tap
    ) as visited:
        yield Site(visited, decks, tap, random.Random(f"{name}, stacked"))


# The visitors -------------------------------------------------------------------------------------


class Visitor:
    """Somebody with a browser of their own, and everything that went wrong in it."""

    def __init__(self, site: Site, context: "BrowserContext", wire: Wire) -> None:
        self.site, self.context, self.wire = site, context, wire
        self._wrong: list[str] = []
        self._forgiven: list[str] = []
        context.on("console", lambda said: self._hear(said.type, said.text))
        context.on("weberror", lambda error: self._wrong.append(f"page error: {error.error}"))
        context.on("request", lambda request: self._leaves(request.url))
        context.on("response", lambda answer: self._answered(answer.status, answer.url))
        context.on("page", self._watch)
        self.page = context.new_page()

    def _watch(self, page: "Page") -> None:
        page.on("websocket", lambda socket: self._leaves(socket.url))
        page.on("crash", lambda _: self._wrong.append("the page crashed"))

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self._wrong.append(f"console {kind}: {text}")

    def _leaves(self, url: str) -> None:
        parts, own = urlsplit(url), urlsplit(self.site.address)
        here = parts.netloc == own.netloc and parts.scheme in ("http", "ws")
        if not here and parts.scheme not in ("about", "blob", "data"):
            self._wrong.append(f"a request left the house: {url}")

    def _answered(self, status: int, url: str) -> None:
        if status >= 500:
            self._wrong.append(f"{status} from {url}")

    # What a test does -------------------------------------------------------------------------

    def enter(self) -> Caller:
        """Enter as a guest; the same person without a browser."""
        return self._let_in("/api/guests")

    def sign_in(self, name: str, password: str = PASSWORD) -> Caller:
        """Sign in, but not through a page; the same person without a browser."""
        return self._let_in("/api/sessions", {"name": name, "password": password})

    def _let_in(self, path: str, body: dict[str, str] | None = None) -> Caller:
        answer = self.context.request.post(path, data=body)  # it shares the browser's cookies
        assert answer.ok, answer.text()
        found = answer.json()
        caller = Caller(self.site.address, found["token"], found["person"])
        caller.csrf = found["csrf"]
        return caller

    def come(self, table: str) -> None:
        """Come to somebody's practice table by their invitation, but not through a page."""
        if not self.site.run(self.site.house.table(table)).table.practice:
            return
        if not self.context.cookies():
            self.enter()
        shown = self.site.invitation(table)
        me = self.context.request.get("/api/me").json()
        answer = self.context.request.post(
            "/api/invitations", data=shown, headers={"X-CSRF-Token": me["csrf"]}
        )
        assert answer.ok, answer.text()

    def forgive(self, pattern: str) -> None:
        """Let what matches go by in this test: "status of 409" where a page is to be refused."""
        self._forgiven.append(pattern)

    def check(self) -> None:
        """See that nothing went wrong since the last time; done after each test in any case."""
        from playwright.sync_api import Error

        for page in self.context.pages:
            with contextlib.suppress(Error):  # it may be on its way elsewhere
                page.evaluate("0")  # what was said before this is heard before its answer
        wrong = [*self._wrong, *self.site.tap.strangers]
        self._wrong.clear()
        self.site.tap.strangers.clear()
        left = [
            each for each in wrong if not any(re.search(known, each) for known in self._forgiven)
        ]
        assert not left, "\n".join(left)


class Visitors:
    """Lets people in with browsers of their own."""

    def __init__(self, browser: "Browser", site: Site) -> None:
        self.browser, self.site = browser, site
        self.all: list[Visitor] = []
        self._numbers = itertools.count(1)

    def __call__(
        self,
        width: int = 1440,
        *,
        dark: bool = False,
        javascript: bool = True,
        reduced_motion: bool = True,
        touch: bool = False,
        text_size: int = 100,
    ) -> Visitor:
        """Return somebody new; ``text_size`` is per cent of what a browser starts with."""
        name = f"visitor {next(self._numbers)} of a test"
        wire = self.site.tap.wires[name] = Wire()
        context = self.browser.new_context(
            base_url=self.site.address,
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            has_touch=touch,
            user_agent=name,
        )
        context.set_default_timeout(60_000)  # several may start at once on a busy machine
        visitor = Visitor(self.site, context, wire)
        self.all.append(visitor)
        if text_size != 100:
            sizes = {"standard": 16 * text_size // 100, "fixed": 13 * text_size // 100}
            context.new_cdp_session(visitor.page).send("Page.setFontSizes", {"fontSizes": sizes})
        return visitor

    def leave(self) -> None:
        """Close every browser, and see that nothing went wrong in any of them."""
        wrong = []
        for number, visitor in enumerate(self.all, start=1):
            try:
                visitor.check()
            except AssertionError as error:
                wrong.append(f"visitor {number}: {error}")
            for page in visitor.context.pages:
                page.goto("about:blank")  # what it still asks for, it asks under its own name
            visitor.context.close()
        assert not wrong, "\n".join(wrong)


# What a page must be like -------------------------------------------------------------------------


TIMERS = "() => { window.setTimeout = work => { Promise.resolve().then(work); return 0 } }"

REMEMBER_COLOURS = """
() => {
    const { Color } = axe.commons.color, { parseString } = Color.prototype, known = new Map();
    Color.prototype.parseString = function (text) {
        if (!known.has(text)) known.set(text, parseString.call(new Color(), text));
        const { r, g, b, alpha } = known.get(text);
        return Object.assign(this, { r, g, b, alpha });
    };
}
"""
"""A page has a dozen colours, and axe reads each anew for every word: a third of its time."""


@at_rest
def accessible(page: "Page") -> None:
    """See that axe finds nothing to complain of in the page as it is now."""
    if page.evaluate("matchMedia('(scripting: none)').matches"):
        page.evaluate(TIMERS)  # axe uses them, and where scripts are off they do not run
    if page.evaluate("!window.axe"):
        # A debugger's script, not the page's: no policy of the page forbids it.
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
        page.evaluate(REMEMBER_COLOURS)
    # It need not fetch style sheets: no rule that is on by default looks at them.
    found = page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], preload: false})"
        ".then(({ violations }) => violations)"  # what is well is much to send, and never read
    )
    lines = [
        f"{rule['id']} ({rule['impact']}): {' '.join(map(str, node['target']))}: {rule['help']}"
        for rule in found
        for node in rule["nodes"]
    ]
    assert not lines, f"{page.url}\n" + "\n".join(lines)
