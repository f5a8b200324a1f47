"""Random people of all roles: what they ask for, rightly, wrongly, in bad faith, and again."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from pitboss.cards import DECK
from pitboss.house.storage import codec
from pitboss.house.storage.codec import short_name
from pitboss.rulebook import load
from pitboss.web.client import Client, Declined, Unreachable
from tests.adversary.records import Asked, Listened
from tests.house.any_command import anything

if TYPE_CHECKING:
    from tests.adversary.run import Night

ANSWER = 3.0
"""Seconds for which somebody waits."""
IDLE = 0.01
"""Seconds for which somebody looks elsewhere where nothing is to be done."""
PASSWORD = "a-long-enough-password"
BOOKS = (
    "common/mississippi-stud",
    "diamond-jo-worth/cajun-stud",
    "hollywood-penn-national/cajun-stud",
    "seneca-niagara/caribbean-stud",
)
PIT = (
    "dealer",
    "floor-supervisor",
    "shift-manager",
    "director-of-table-games",
    "general-manager",
    "surveillance",
)
FLOOR = {*PIT[1:5]}
CAST: dict[str, tuple[str, ...]] = {
    "admin": ("administrator",),
    "boss": ("administrator", "general-manager"),
    "dora": ("director-of-table-games",),
    "max": ("shift-manager",),
    "mia": ("shift-manager", "player"),
    "flo": ("floor-supervisor",),
    "fay": ("floor-supervisor", "dealer"),
    "dan": ("dealer",),
    "eve": ("dealer",),
    "dov": ("dealer", "player"),
    "sue": ("surveillance",),
    "cay": ("cage",),
    "kit": ("cage", "player"),
    "aud": ("auditor",),
    **dict.fromkeys(("ann", "bob", "cid", "pip", "una", "vic"), ("player",)),
}
"""Named people with the roles that they begin with, and mostly have."""
BUSY = {"administrator", "cage"}
"""Roles that are for more than now and then."""
GUESTS = 8
TABLES = 12
"""More are not opened while so many are open."""
SETTINGS = {
    "gaming-day-starts": ("06:00", "00:30", "23:59", "6"),
    "timezone": ("UTC", "America/Chicago", "Europe/Berlin", "Mars/Olympus"),
    "guests": ("yes", "yes", "yes", "no", "perhaps"),
    "guest-play-chips": ("1,000.00", "500.00", "20.00", "-1"),
    "practice-idle-minutes": ("10", "1", "0"),
    "session-minutes": ("720", "1", "99999", "never"),
    "colour": ("blue",),
}

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


class Line(Client):
    """Somebody's connection to one server, from an address of their own."""

    def __init__(self, url: str, token: str, comes_from: str) -> None:
        super().__init__(url, token, patience=0, answer=ANSWER)
        self.comes_from = comes_from

    def _head(self, method: str, path: str, extra: str) -> str:
        return super()._head(method, path, f"X-Forwarded-For: {self.comes_from}\r\n{extra}")

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send it once: status and answer, or 0 where none came."""
        try:
            async with asyncio.timeout(ANSWER):
                return await self._once(method, path, body)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            return 0, b""


class Somebody:
    """One person, who does one thing after the other."""

    def __init__(self, night: "Night", name: str, roles: tuple[str, ...]) -> None:
        self.night, self.name, self.own_roles = night, name, roles
        self.random = random.Random(f"{night.seed}/{name}")
        self.roles = set(roles)
        """What they believe to be."""
        self.person = name
        self.token = ""
        self.passwords = [PASSWORD]
        """The last is the likeliest; others where nobody knows which it is."""
        self.lines: dict[str, Line] = {}
        self.sent: list[Asked] = []
        self.opened: set[str] = set()
        self.numbers = 0
        self.table = ""
        self.listening: asyncio.Task[None] | None = None
        self.comes_from = f"10.{'.'.join(str(self.random.randrange(256)) for _ in range(3))}"

    @property
    def guest(self) -> bool:
        return self.own_roles == ("guest",)

    def key(self) -> str:
        self.numbers += 1
        return f"{self.name}-{self.night.epoch}-{self.numbers}"

    # Sending ----------------------------------------------------------------------------------

    def line(self, server: int | None = None) -> Line:
        urls = self.night.premises.urls
        url = urls[self.random.randrange(len(urls)) if server is None else server % len(urls)]
        if url not in self.lines:
            self.lines[url] = Line(url, self.token, self.comes_from)
        self.lines[url].token = self.token
        return self.lines[url]

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Ask for something that is no keyed command; status, and what was told."""
        sent = b"" if body is None else msgspec.json.encode(body)
        status, answer = await self.raw(method, path, sent)
        if status >= 400:
            code = self.night.record.problem(path, status, answer, sent)
            self._heed(code)
            return status, code
        told: Any = msgspec.json.decode(answer) if answer else None
        if status == 200 and path.startswith("/api/rounds/"):
            self.night.record.heard[self.person].append(("record", answer))
        elif status == 200 and path.startswith("/api/tables/") and "seq" in told:
            self.night.record.viewed(self.person, answer, told["table"], told["seq"])
        elif isinstance(told, dict) and "token" not in told:
            self.night.record.other(path, answer)
        return status, told

    async def raw(
        self, method: str, path: str, body: bytes, server: int | None = None
    ) -> tuple[int, bytes]:
        self.night.record.counts["steps"] += 1
        epoch = self.night.epoch
        status, answer = await self.line(server).ask(method, path, body)
        if epoch != self.night.epoch:
            return 0, b""  # that house is gone
        self.night.record.counts["answers" if status else "no answer"] += 1
        return status, answer

    def asked(self, path: str, stream: str, command: Any, **more: Any) -> Asked:
        key = self.key()
        body = msgspec.json.encode({"key": key, **command, **more})
        sent = Asked(path, (stream, self.person, key), msgspec.json.decode(body), body)
        self.sent = [*self.sent[-40:], sent]
        return sent

    async def send(self, asked: Asked, server: int | None = None) -> str:
        """Send a command, once; the refusal's code, if it was one."""
        status, answer = await self.raw("POST", asked.path, asked.body, server)
        code = self.night.record.answered(asked, status, answer)
        self._heed(code)
        return code

    def _heed(self, code: str) -> None:
        if code == "session/none":
            self.token = ""

    async def command(self, table: str, command: Any, moment: str = "") -> str:
        path, raw = f"/api/tables/{quote(table)}", msgspec.Raw(codec.encode(command))
        return await self.send(self.asked(path, f"table:{table}", {"command": raw}, moment=moment))

    # Living -----------------------------------------------------------------------------------

    async def live(self) -> None:
        while not self.night.over:
            await self.night.gate.wait()
            if not self.token and not await self.enter():
                await asyncio.sleep(0.2)
                continue
            busy = bool(self.roles & BUSY) and self.random.random() < 0.3
            (act,) = [Somebody.duty] if busy else self.random.choices(_DOES, _WEIGHTS)
            await act(self)
            await asyncio.sleep(0)
        for line in self.lines.values():
            line.close()

    async def enter(self) -> bool:
        """Come in, as a guest or by name; whether it was possible."""
        if self.guest:
            status, told = await self.ask("POST", "/api/guests")
            if status == 200:
                self.token, self.person = told["token"], told["person"]
                self.sent = []
            return status == 200
        for password in self.passwords[::-1][:2]:
            status, told = await self.ask(
                "POST", "/api/sessions", {"name": self.name, "password": password}
            )
            if status == 200:
                self.token, self.passwords = told["token"], [password]
                return True
            if told == "login/one-time":
                await self.new_password(password)
                return False
            if told not in ("login/wrong", "login/locked"):
                return False  # nobody answers
        self.night.lost(self)
        await asyncio.sleep(0.2)
        return False

    async def new_password(self, old: str) -> None:
        new = f"{PASSWORD}-{self.key()}"
        body = {"name": self.name, "password": old, "new": new}
        status, _ = await self.ask("POST", "/api/password", body)
        if status == 204:
            self.passwords, self.token = [new], ""
        elif status in (0, 503):
            self.passwords, self.token = [old, new], ""

    # What they do -----------------------------------------------------------------------------

    async def play(self) -> None:
        """Look at a table and do what is due there."""
        tables = self.night.tables
        if not tables or (self.random.random() < 0.05 and len(tables) < TABLES):
            await self.open_table()
            return
        if self.table not in tables:
            self.table = self.random.choice(tables)
        status, view = await self.ask("GET", f"/api/tables/{self.table}")
        if view == "table/unknown" and self.table in self.night.invitations:
            shown = {"invitation": self.night.invitations[self.table]}
            if (await self.ask("POST", "/api/invitations", shown))[1] == "table/unknown":
                self.night.closed(self.table)
            return
        if status != 200 or view is None:
            return
        if not view["open"]:
            self.night.closed(self.table)
            return
        command = self.wants(view)
        if command is None:
            if self.random.random() < (0.3 if view["seat"] is None else 0.005):
                self.table = self.random.choice(tables)
            await asyncio.sleep(IDLE)
            return
        code = await self.command(self.table, command, view["moment"])
        if code == "chips/not-enough":
            me = f"person:{self.person}"
            await self.send(self.asked("/api/me/play-chips", me, {}))

    def wants(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Return what somebody of good faith asks for now, if anything."""
        chance, seat = self.random.random(), view["seat"]
        roles = self.roles | ({*PIT} if view["table"] in self.opened else set())
        if view["approvals"] and roles & {*PIT} and chance < 0.8:
            waits = int(self.random.choice(list(view["approvals"])))
            role = self.random.choice(sorted(roles & {*PIT}))
            return {"action": "approve-payoff", "seat": waits, "role": role}
        if view["dealing"] != "automatic" and seat is None:
            if view["dealer"] == self.person:
                return self.deals(view)
            if "dealer" in roles and chance < (0.1 if view["dealer"] else 0.8):
                return {"action": "start-dealing"}
            if view["cards"] is not None and roles & FLOOR and view["phase"] == "waiting":
                return self.minds_cards(view, sorted(roles & {*PIT}))
        if roles & FLOOR and chance > 0.96:
            return self.rules(view)
        if seat is None:
            plays = view["practice"] or "player" in roles
            free = sorted({*range(1, 7)} - {each["seat"] for each in view["seats"]})
            number = self.random.choice(free or [1])
            sits = plays and chance < (0.6 if free else 0.02)
            return {"action": "sit", "seat": number} if sits else None
        return self.decides(view, next(each for each in view["seats"] if each["seat"] == seat))

    def decides(self, view: dict[str, Any], mine: dict[str, Any]) -> dict[str, Any] | None:
        chance, seat, options = self.random.random(), mine["seat"], view["options"]
        if chance < 0.02:
            return {"action": self.random.choice(["leave", "sit-out"])}
        if mine["away"]:
            return {"action": "sit-in"}
        if view["phase"] == "betting" and chance > 0.8:
            return {"action": "cut-deck", "cut": self.random.choice(["7", "x" * 64, "no/", ""])}
        if view["phase"] == "betting" and not mine["stakes"] and options:
            ante = load(view["rulebook"]).ante.name
            wagers = {
                each["spot"]: each["least_cents"]
                for each in options
                if each["spot"] == ante or self.random.random() < 0.5
            }
            return {"action": "bet", "seat": seat, "wagers": wagers}
        if seat not in view["due"] or not options:
            return None
        option = options[0] if chance < 0.6 else self.random.choice(options)
        decision = {"action": option["action"], "seat": seat}
        more = {"raise": {"times": option["times"]}, "fold": {"confirmed": chance < 0.9}}
        return {**decision, **more.get(option["action"], {})}

    def deals(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """What whoever deals does next."""
        phase, chance = view["phase"], self.random.random()
        if chance < 0.01:
            return {"action": "stop-dealing"}
        if view["shuffler"] and view["light"] != "green" and phase in ("betting", "playing"):
            return {"action": "light", "colour": "red" if chance < 0.1 else "green"}
        if phase == "waiting":
            if view["cards"] is not None and chance < 0.5:
                return self.minds_cards(view, ["dealer"])
            return {"action": "open-betting"}
        if phase == "betting":
            return {"action": "close-bets"} if chance < 0.4 else None
        if phase == "settling":
            return {"action": "pay"}
        if phase != "playing":
            return None
        if view["due"]:
            seat = self.random.choice(view["due"])
            enters = view["dealing"] == "entered"
            return {"action": "fold", "seat": seat, "confirmed": True} if enters else None
        lies = [card for each in view["seats"] for card in each["cards"]]
        lies += [card for pile in view["piles"].values() for card in pile]
        deck = [str(card) for card in DECK]
        random.Random(f"{view['table']}/{view['round']}").shuffle(deck)
        if view["deals"]:
            count = self.random.choice([1, len(view["deals"])])
            read = [None if chance < 0.1 else card for card in deck[len(lies) :][:count]]
            return {"action": "deal", "cards": read if view["dealing"] == "entered" else []}
        unread = self.random.randrange(len(lies) + 1) if chance < 0.5 else 0
        entered = deck[len(lies) :][:unread] if view["dealing"] == "entered" else []
        return {"action": "turn", "cards": entered}

    def minds_cards(self, view: dict[str, Any], roles: list[str]) -> dict[str, Any]:
        cards, role = view["cards"], self.random.choice(roles)
        colours = ["red", "blue"] if view["shuffler"] else ["red"]
        if self.random.random() < 0.3 and not cards.get("colours"):
            return {"action": "bring-cards", "colours": colours}
        if self.random.random() < 0.1:
            card = str(self.random.choice(DECK))
            return {"action": "replace-card", "card": card, "role": role, "why": "torn"}
        if (
            cards.get("colours")
            and len(cards.get("inspected", ())) < 2
            and self.random.random() < 0.6
        ):
            return {"action": "inspect-cards", "role": role}
        if cards.get("colours") and not cards.get("washed"):
            return {"action": "wash-cards"}
        return {"action": "bring-cards", "colours": colours}

    def rules(self, view: dict[str, Any]) -> dict[str, Any]:
        """What a supervisor rules now and then."""
        choice, why = self.random.choice, "it is late"
        seats = [each["seat"] for each in view["seats"]] or [1]
        role, seat = choice(sorted(FLOOR)), choice(seats)
        person = next((each["person"] for each in view["seats"] if each["seat"] == seat), "ann")
        cause = choice(["count", "information", "shuffler", "exposed-card", "other"])
        return choice(
            [
                {"action": "kill-hand", "seat": seat, "cause": cause, "role": role},
                {"action": "call-misdeal", "cause": cause, "role": role},
                {"action": "let-stand", "cause": cause, "role": role},
                {"action": "change-limits", "minimum_cents": 500, "maximum_cents": 10_000}
                | {"why": why},
                {"action": "mark-partners", "partners": [seats[:2]], "why": why},
                {"action": "seat-bot", "seat": self.random.randrange(1, 7)},
                {"action": "free-seat", "seat": seat, "person": person, "why": why},
                {"action": "close-table", "why": why},
            ]
        )

    async def open_table(self) -> None:
        status, lobby = await self.ask("GET", "/api/tables")
        if status != 200:
            return
        listed = [each["table"] for each in lobby]
        private = [each for each in self.night.tables if each in self.night.invitations]
        self.night.tables[:] = dict.fromkeys((*listed, *private))
        if len(self.night.tables) >= TABLES:
            return
        practice = not self.roles & FLOOR or self.random.random() < 0.2
        dealing = self.random.choices(["automatic", "dealer", "entered"], [5, 3, 2])[0]
        command: dict[str, Any] = {
            "action": "open-table",
            "rulebook": self.random.choice(BOOKS),
            "practice": practice,
            "dealing": dealing,
            "shuffler": dealing == "entered" and self.random.random() < 0.3,
            "betting_seconds": self.random.choice([1, 2]),
            "decision_seconds": self.random.choice([1, 2, 3]),
        }
        if self.night.shut and self.random.random() < 0.3:
            command["table"] = self.random.choice(sorted(self.night.shut))
        asked = self.asked("/api/tables", "", {"command": command})
        table = command.get("table") or short_name(f"{self.person}/{asked.place[2]}")
        asked = asked._replace(place=(f"table:{table}", *asked.place[1:]))
        self.sent[-1] = asked
        if not await self.send(asked) and asked.place in self.night.record.done:
            self.night.opened(table)
            if practice:
                self.opened.add(table)
                status, made = await self.ask("POST", f"/api/tables/{table}/invitations")
                if status == 200:
                    self.night.invitations[table] = made["invitation"]

    async def try_anything(self) -> None:
        """Any command at any table: most are out of place."""
        tables = [*self.night.tables, *self.night.shut] or ["nowhere"]
        kinds = anything(load(self.random.choice(BOOKS)), self.random)
        kind = self.random.choice(sorted(kinds))
        moment = self.random.choice(["", "1.bet", "1.2", "99.bet"])
        await self.command(self.random.choice(tables), kinds[kind](), moment)

    async def repeat(self) -> None:
        """Send something again, as it was or otherwise."""
        if not self.sent:
            return
        asked = self.random.choice(self.sent)
        if self.random.random() < 0.2 and "command" in asked.command:
            other = {**asked.command, "command": {"action": "sit", "seat": 5}}
            asked = asked._replace(command=other, body=msgspec.json.encode(other))
            if asked.path == "/api/tables":
                return
        await self.send(asked)

    async def twice(self) -> None:
        """Send one and the same thing to all servers at once."""
        if not self.night.tables:
            return
        table = self.table or self.random.choice(self.night.tables)
        status, view = await self.ask("GET", f"/api/tables/{table}")
        command = self.wants(view) if status == 200 and view else None
        if command is None:
            return
        body = {"command": command, "moment": view["moment"]}
        asked = self.asked(f"/api/tables/{table}", f"table:{table}", body)
        answers = await asyncio.gather(
            *(self.raw("POST", asked.path, asked.body, server) for server in (0, 1))
        )
        for status, answer in sorted(answers, reverse=True):  # what was refused may come first
            self._heed(self.night.record.answered(asked, status, answer))

    async def mischief(self) -> None:
        """What no program of good faith sends: it is refused in words, and breaks nothing."""
        table = self.random.choice(self.night.tables or ["nowhere"])
        path = self.random.choice(PATHS).format(table=table, person="ann")
        method = self.random.choice(["POST", "POST", "GET", "DELETE"])
        if method == "GET" and path.endswith("/events"):
            return  # that would be listening
        body = self.random.choice(ODD) if method == "POST" else b""
        own, shown = self.token, self.random.choice(["", "no-such-token", self.token])
        self.token = shown
        status, answer = await self.raw(method, path, body)
        self.token = own
        if status >= 400:
            self.night.record.problem(path, status, answer, body)
        elif status and shown != own and (method, path) != ("GET", "/api/tables"):
            self.night.record.found(
                f"{method} {path} {body!r} is done for nobody: {answer[:300]!r}"
            )

    async def glance(self) -> None:
        """Look at anything, one's own or not."""
        table = self.random.choice(self.night.tables or ["nowhere"])
        path = self.random.choice(
            [
                *("/api/me", "/api/tables", "/api/settings", "/api/rulebooks", "/health"),
                f"/api/people/{self.random.choice(list(CAST))}",
                *(f"/api/rounds/{table}-{self.random.randrange(1, 30)}" for _ in range(4)),
            ]
        )
        await self.ask("GET", path)

    async def duty(self) -> None:
        """What one's roles are for; now and then, what others' are."""
        roles = self.roles if self.random.random() < 0.9 else {*PIT, "cage", "administrator"}
        duties = [each for role in sorted(roles) for each in DUTIES.get(role, ())]
        if duties:
            await self.random.choice(duties)(self)

    async def go(self) -> None:
        """Sign out, or change one's password."""
        if self.guest or self.random.random() < 0.5:
            status, _ = await self.ask("DELETE", "/api/sessions")
            if status == 204:
                self.token = ""
        else:
            await self.new_password(self.passwords[-1])

    async def listen(self) -> None:
        """Hear what happens at a table, or on the floor, from whichever server is there."""
        if self.listening is not None and self.listening.done():
            self.listening.result()
            self.listening = None
        if self.listening is None and self.night.tables and self.night.listeners < 8:
            floor = bool(self.roles & {*PIT, "auditor"}) and self.random.random() < 0.5
            table = self.random.choice(self.night.tables)
            self.listening = asyncio.create_task(self._listens("" if floor else table))

    async def _listens(self, table: str) -> None:
        path = f"/api/tables/{table}/events" if table else "/api/floor/events"
        listened = Listened(f"table:{table}" if table else "", [])
        record, epoch = self.night.record, self.night.epoch
        record.listened.append(listened)
        self.night.listeners += 1
        record.counts["streams"] += 1
        last = 0 if table else None
        try:
            while not self.night.over and epoch == self.night.epoch and self.token:
                person = self.person  # a guest who comes back is another one
                try:
                    async for number, raw in self.line().events(path, last, read=bytes):
                        if epoch != self.night.epoch:
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
            self.night.listeners -= 1

    # Records of people ------------------------------------------------------------------------

    async def act(self, person: str, command: dict[str, Any]) -> str:
        path = f"/api/people/{quote(person)}"
        return await self.send(self.asked(path, f"person:{person}", {"command": command}))

    async def set_roles(self) -> None:
        other = self.night.somebody(self.random)
        mostly = self.random.random() < 0.8
        roles = other.own_roles if mostly else (self.random.choice([*PIT, "cage", "player"]),)
        if other.name == "admin" and not mostly:
            return  # a house without an administrator is opened anew: that is another test's
        before = len(self.night.record.done)
        command = {"action": "set-roles", "roles": roles, "why": "as it is"}
        await self.act(other.person, command)
        if len(self.night.record.done) > before:
            other.roles = set(roles)
            self.night.seen_as(other.person, other.roles)

    async def set_password(self) -> None:
        other = self.night.to_help() or self.night.somebody(self.random)
        if other is self or other.name == "admin":
            return
        once = f"for-once-only-{self.key()}"
        command = {"action": "set-password", "password": once, "why": "forgotten"}
        asked = self.asked(
            f"/api/people/{other.name}", f"person:{other.name}", {"command": command}
        )
        self.sent.pop()  # the same key with the password of then would be another's business
        code = await self.send(asked)
        if not code:
            other.passwords, other.token = [other.passwords[-1], once], ""

    async def set_setting(self) -> None:
        name = self.random.choice(list(SETTINGS))
        value = self.random.choice(SETTINGS[name])
        body = {"name": name, "value": value, "why": "to see"}
        await self.send(self.asked("/api/settings", "house", body))

    async def bar(self) -> None:
        other = self.night.somebody(self.random, guests=True)
        barred = self.random.random() < 0.2
        await self.act(other.person, {"action": "bar", "barred": barred, "why": "to see"})

    async def identify(self) -> None:
        other = self.night.somebody(self.random, guests=True)
        command = {
            "action": "identify",
            "residence": self.random.choice(["us", "us", "foreign"]),
            "identified": self.random.random() < 0.8,
            "tin": self.random.random() < 0.7,
            "why": "papers",
        }
        await self.act(other.person, command)

    async def move_chips(self) -> None:
        other = self.night.somebody(self.random)
        action = self.random.choice(["sell-chips", "sell-chips", "cash-chips", "release-held"])
        cents = self.random.choice([1, 5_00, 500_00, 5_000_00])
        await self.act(other.person, {"action": action, "cents": cents, "why": "cash"})

    async def add_person(self) -> None:
        name = f"new-{self.random.randrange(40)}"
        key = self.key()
        body = {"key": key, "name": name, "roles": ["player"], "why": "new"}
        sent = msgspec.json.encode({**body, "password": "for-once-only"})
        asked = Asked("/api/people", (f"person:{name}", self.person, key), body, sent)
        self.sent = [*self.sent[-40:], asked]
        await self.send(asked)


Does = Callable[[Somebody], Awaitable[None]]

_TABLE: dict[Does, float] = {
    Somebody.play: 70,
    Somebody.try_anything: 7,
    Somebody.repeat: 7,
    Somebody.twice: 5,
    Somebody.mischief: 4,
    Somebody.glance: 5,
    Somebody.duty: 5,
    Somebody.listen: 0.3,
    Somebody.go: 0.3,
}
_DOES, _WEIGHTS = [*_TABLE], [*_TABLE.values()]

DUTIES: dict[str, tuple[Does, ...]] = {
    "administrator": (
        *(Somebody.set_roles, Somebody.set_roles, Somebody.set_password),
        *(Somebody.set_setting, Somebody.add_person),
    ),
    "general-manager": (Somebody.set_setting, Somebody.open_table),
    "director-of-table-games": (Somebody.open_table, Somebody.bar),
    "shift-manager": (Somebody.identify, Somebody.move_chips, Somebody.open_table),
    "floor-supervisor": (Somebody.open_table, Somebody.bar),
    "surveillance": (Somebody.bar,),
    "cage": (Somebody.move_chips, Somebody.move_chips, Somebody.identify),
}
