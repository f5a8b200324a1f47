"""What the adversary writes down of its own: what was asked, what was answered, what was shown."""

import re
import time
from collections import Counter, defaultdict
from typing import Any, NamedTuple

import msgspec

from tests.web.secrecy import CARD

Place = tuple[str, str, str]
"""Where the journal has a command: the stream, who asked, and their key."""

UNNAMED = {
    "/api/people": "add-person",
    "/api/settings": "change-setting",
    "/api/me/play-chips": "play-chips",
}
"""What is asked for by its address alone."""

NAMES_CARD = re.compile(CARD.pattern.encode())
BY_CHANCE = re.compile(rb'"(?:invitation|token|secret)":"[^"]*"')
"""Letters that mean nothing, and may look like a card."""


class Asked(NamedTuple):
    """A command as it was sent."""

    path: str
    place: Place
    command: dict[str, Any]
    body: bytes

    @property
    def act(self) -> str:
        """What the house calls it."""
        found: str = self.command.get("command", {}).get("action", "")
        return found or UNNAMED.get(self.path, "")


class Done(NamedTuple):
    """A command that was acknowledged."""

    command: dict[str, Any]
    entry: tuple[int, int, int] | None
    """Number, position and time of the entry, where the answer names them."""
    when: float


class Listened(NamedTuple):
    """What came over one stream, from one server after the other."""

    stream: str
    """A table's, or the floor's."""
    entries: list[tuple[int, int]]
    """Number and position of each entry."""


class Record:
    """All of it, from the beginning or from the last restore on."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        """What was refused, by its code."""
        self.acts: Counter[str] = Counter()
        """What was done, by its name."""
        self.findings: list[str] = []
        self.done: dict[Place, Done] = {}
        self.refused: dict[Place, str] = {}
        """With the code of the last refusal."""
        self.open: set[Place] = set()
        """Asked for, and nobody knows what became of it."""
        self.heard: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
        """By person: what they received, and of which kind it is."""
        self.listened: list[Listened] = []
        self.staff: set[str] = set()
        """Whoever was of the pit for a while: they see what is held and withheld."""
        self.hashes: list[str] = []
        """The journal's, as far as it was read: it is never another."""
        self.restores: list[int] = []
        """Last entries of copies that were put in place of more."""
        self._viewed: set[tuple[str, str, int]] = set()

    def found(self, what: str) -> None:
        self.findings.append(what)

    # Answers ----------------------------------------------------------------------------------

    def answered(self, asked: Asked, status: int, answer: bytes) -> str:
        """Note what was said to a command; the refusal's code, if it was one."""
        place = asked.place
        if status in (0, 429, 503):
            self.open.add(place)
            self.refused.pop(place, None)
            return ""
        if status >= 400:
            return self._refused(asked, status, answer)
        told = msgspec.json.decode(answer) if answer else {}
        entry = None
        if place[0].startswith("table:"):
            notice = told["notice"]
            entry = notice["seq"], notice["position"], notice["at"]
            self.heard[place[1]].append(("answer", answer))
        before = self.done.get(place)
        if before is not None and before.entry != entry:
            self.found(f"{place} was entry {before.entry} and then {entry}")
        self.counts["done"] += before is None
        self.acts[asked.act] += before is None
        self.done.setdefault(place, Done(asked.command, entry, time.monotonic()))
        self.refused.pop(place, None)
        return ""

    def _refused(self, asked: Asked, status: int, answer: bytes) -> str:
        code = self.problem(asked.path, status, answer, asked.body)
        before = self.done.get(asked.place)
        if before is None:
            if asked.place not in self.open:
                self.refused[asked.place] = code
        elif before.entry and before.command == asked.command and code not in AT_THE_DOOR:
            self.found(f"{asked.place} was done, and sent again it is refused: {code}")
        return code

    def problem(self, path: str, status: int, answer: bytes, sent: bytes = b"") -> str:
        """Note a refusal; its code. One that is not in words, or names a card, is a finding."""
        try:
            told = msgspec.json.decode(answer)
            code = str(told["code"])
        except (msgspec.DecodeError, KeyError, TypeError):
            self.found(f"{path} answers {status} without a code: {answer[:200]!r}")
            return ""
        if status >= 500 and status != 503:
            self.found(f"{path} {sent[:300]!r} answers {status}: {answer[:300]!r}")
        self.codes[code] += 1
        self.other(path, answer, sent)
        return code

    def other(self, path: str, answer: bytes, sent: bytes = b"") -> None:
        """See that nothing but a table, an entry or a record names a card, except to who did."""
        told = BY_CHANCE.sub(b"", answer)
        cards = set(NAMES_CARD.findall(told)) - set(NAMES_CARD.findall(sent + path.encode()))
        if cards:
            self.found(f"{path} names {cards}: {answer[:300]!r}")

    def waits(self, path: str, tasks: list[dict[str, Any]]) -> None:
        """See that a list of what waits names no card but in what its reader may agree to."""
        rest = [each for each in tasks if each["kind"] not in ("correction", "adjustment")]
        self.other(path, msgspec.json.encode(rest))

    def viewed(self, person: str, answer: bytes, table: str, seq: int) -> None:
        if (person, table, seq) not in self._viewed:
            self._viewed.add((person, table, seq))
            self.heard[person].append(("view", answer))

    # A restore --------------------------------------------------------------------------------

    def forget(self, since: float, position: int) -> None:
        """Go on from a copy that was begun then and has so many entries."""
        kept = {place: done for place, done in self.done.items() if done.when < since}
        # Of all others nobody knows whether they are in it.
        self.open |= (self.done.keys() - kept.keys()) | self.refused.keys()
        self.done = kept
        self.refused.clear()
        self.heard.clear()
        self.listened.clear()
        self._viewed.clear()
        self.restores = [last for last in self.restores if last < position]
        if len(self.hashes) > position:
            self.restores.append(position)
        del self.hashes[position:]


AT_THE_DOOR = {"session/none", "body/unreadable"}
"""What is said before anybody knows what is asked for."""
