"""What must hold of a journal, whatever was done to the house: each promise by a few lines of our
own, which read rows and JSON, and then by the audit."""

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from pitboss.audit.audit import audit, audit_round
from pitboss.audit.snapshot import Snapshot
from pitboss.house.storage import signing
from pitboss.house.storage.signing import SigningKey
from tests.adversary.cast import FLOOR, PIT
from tests.adversary.records import Record
from tests.web import secrecy

API = Path(__file__).parents[2] / "docs" / "api.md"
WORDS = {"the floor": FLOOR, "the pit": {*PIT}, "owner": {"owner"}}
"""Groups of roles, as the documents call them."""
PERSON_ACTS = {
    "person-added": "add-person",
    "roles-set": "set-roles",
    "barred": "bar",
    "identified": "identify",
    "password-set": "set-password",
    "sessions-ended": "end-sessions",
    "chips-bought": "sell-chips",
    "chips-cashed": "cash-chips",
    "held-released": "release-held",
    "held-turned-over": "turn-over-held",
    "claim-collected": "collect-claim",
    "claim-written-off": "write-off-claim",
    "setting-changed": "change-setting",
}


class Row(NamedTuple):
    """An entry of the journal."""

    position: int
    stream: str
    seq: int
    at: int
    actor: str
    key: str
    hash: str
    body: dict[str, Any]

    @property
    def events(self) -> list[dict[str, Any]]:
        return list(self.body["events"])


class Checked(NamedTuple):
    """A house's database, and what the adversary knows of it."""

    snapshot: Snapshot
    rows: list[Row]
    record: Record
    keys: tuple[SigningKey, ...] = ()
    """With which entries were signed."""


def findings(where: str, key: Path, record: Record) -> list[str]:
    """Hold a database against what was answered; whatever is wrong with it."""
    with Snapshot(where) as snapshot:
        rows = rows_of(snapshot)
        house = Checked(snapshot, rows, record, (signing.read(key),))
        found = [f"{check.__name__}: {what}" for check in CHECKS for what in check(house)]
    record.hashes = [row.hash for row in rows]
    record.counts["entries"] = max(record.counts["entries"], len(rows))
    return found


def rows_of(snapshot: Snapshot) -> list[Row]:
    read = snapshot.rows(_JOURNAL)
    return [Row._make([*row[:-1], msgspec.json.decode(row[-1])]) for row in read]


_JOURNAL = "SELECT position, stream, seq, at, actor, key, hash, body FROM journal ORDER BY position"


def chips_are_conserved(house: Checked) -> Iterator[str]:
    each: Counter[int] = Counter()
    accounts: Counter[str] = Counter()
    for position, account, cents in house.snapshot.rows(
        "SELECT position, account, cents FROM ledger"
    ):
        each[position] += cents
        accounts[account] += cents
    yield from (
        f"entry {position} makes {cents} cents" for position, cents in each.items() if cents
    )
    kept = dict(house.snapshot.rows("SELECT account, cents FROM balances"))
    for name in kept.keys() | accounts:
        if kept.get(name, 0) != accounts[name]:
            yield f"{name} holds {kept.get(name, 0)}, and {accounts[name]} were posted"
    for name, cents in kept.items():
        if cents < 0 and name not in ("cage", "cage:play", "outstanding"):
            yield f"{name} owes {-cents}"


def what_was_acknowledged_is_there_once(house: Checked) -> Iterator[str]:
    places = Counter((row.stream, row.actor, row.key) for row in house.rows if row.key)
    yield from (f"{place} is there {times} times" for place, times in places.items() if times > 1)
    by_place = {(row.stream, row.actor, row.key): row for row in house.rows if row.key}
    for place, done in house.record.done.items():
        row = by_place.get(place)
        if row is None:
            if set(done.command) != {"key"}:  # one may ask for play chips and need none
                yield f"{place} was acknowledged and is lost"
        elif done.entry is not None and done.entry != (row.seq, row.position, row.at):
            yield f"{place} was entry {done.entry}, and is {(row.seq, row.position, row.at)}"
        elif not _told(done.command, row):
            yield f"{place} says {row.body}, and {done.command} was asked for"
    for place, code in house.record.refused.items():
        if place in by_place:
            yield f"{place} was refused ({code}) and is there: {by_place[place].body}"


def _told(body: dict[str, Any], row: Row) -> bool:
    """Whether an entry says what was asked for."""
    asked = body.get("command") or {name: value for name, value in body.items() if name != "key"}
    told = row.body.get("command") or row.events[0]
    secret = {"action", "password"} - ({"action"} if row.stream.startswith("table:") else set())
    return all(told.get(name) == value for name, value in asked.items() if name not in secret)


def nothing_is_ever_changed(house: Checked) -> Iterator[str]:
    for number, row in enumerate(house.rows, start=1):
        if row.position != number:
            yield f"position {number} is missing"
            return
    now = [row.hash for row in house.rows]
    before = house.record.hashes
    if now[: len(before)] != before:
        yield f"of {len(before)} entries that were read before, some are others"
    numbers: Counter[str] = Counter()
    for row in house.rows:
        numbers[row.stream] += 1
        if row.seq != numbers[row.stream]:
            yield f"{row.stream} {row.seq} comes as number {numbers[row.stream]}"


def streams_told_everything_in_order(house: Checked) -> Iterator[str]:
    tables = [row for row in house.rows if row.stream.startswith("table:")]
    for stream, heard in house.record.listened:
        ought = [(row.seq, row.position) for row in tables if stream in ("", row.stream)]
        if not heard:
            continue
        first = ought.index(heard[0]) if heard[0] in ought else None
        if first is None or ought[first : first + len(heard)] != heard:
            yield f"the stream of {stream or 'the floor'} did not tell what was written, in order"


def whoever_acted_had_the_role(house: Checked) -> Iterator[str]:
    """By the journal's own order, and by the documents' own tables."""
    allowed = _documented()
    roles: dict[str, set[str]] = {}
    opener: dict[str, str] = {}
    """Of each practice table."""
    for row in house.rows:
        kind, _, name = row.stream.partition(":")
        has = roles.get(row.actor, set())
        if opener.get(name) == row.actor:
            has = {*has, "owner", *PIT}
        may = _may_ask if kind == "table" else _may_record
        if not may(allowed, row, has):
            acts = [event["event"] for event in row.events]
            yield f"{row.actor} ({', '.join(sorted(has))}) did {acts}: entry {row.position}"
        for event in row.events:
            if event["event"] in ("person-added", "roles-set"):
                roles[name] = {*event["roles"]}
            elif event["event"] == "table-opened" and event.get("practice"):
                opener[name] = event["opener"]


def _may_ask(allowed: dict[str, set[str]], row: Row, has: set[str]) -> bool:
    """Whether somebody with these roles may have asked this of a table."""
    act, role = row.body["command"]["action"], row.body["command"].get("role")
    if row.actor == "house":
        return bool(act == "seal-anew")
    if row.actor == "clock":
        return act in ("tick", "close-table")
    if row.actor.startswith("bot-"):
        return act in ("bet", "raise", "fold", "check", "take-back")
    if act == "open-table" and row.body["command"].get("practice"):
        act = "open-practice"
    return bool(has & allowed[act]) and (not role or role in has)


def _may_record(allowed: dict[str, set[str]], row: Row, has: set[str]) -> bool:
    """Whether somebody with these roles may have done this to a record, or to the house."""
    first = row.events[0]
    joins = first["event"] == "person-added" and first["roles"] == ["guest"]
    plays = first["event"] == "chips-bought" and first["practice"]
    if first["event"] == "name-kept":
        theirs = row.stream in (f"person:{row.actor}", f"person:{first['name']}")
        return theirs and first["person"] == row.actor and row.actor.startswith("guest-")
    if row.stream == f"person:{row.actor}":
        return bool(joins or plays) or first["event"] == "password-set"
    return row.actor == "house" or bool(has & allowed[PERSON_ACTS[first["event"]]])


def _documented() -> dict[str, set[str]]:
    """Read who may do what from the documents: the last cell of each line that names an act."""
    found: dict[str, set[str]] = {}
    everybody = {"guest", "player", *PIT, "cage", "auditor", "administrator"}
    for line in API.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if not line.startswith("| `") or len(cells) not in (2, 4) or cells[0].count("`") != 2:
            continue
        who: set[str] = set()
        for word in cells[-1].split(", "):
            who |= everybody if word == "everybody" else WORDS.get(word, {word.strip("`")})
        found.setdefault(cells[0].strip("`"), who)
    return found


class _Deck:
    """A deck that was sealed, and what was dealt from it."""

    def __init__(self, sealed: dict[str, Any], at: int) -> None:
        self.sealed, self.at = sealed, at
        self.cuts: dict[int, str] = {}
        self.bets: dict[int, dict[str, int]] = {}
        self.dealt: list[str | None] = []
        self.down: dict[str, list[int]] = {}
        self.opened: dict[str, Any] | None = None

    def is_told(self, event: dict[str, Any]) -> bool:
        """Whether this is the same deck, told once more."""
        return self.sealed | {"entry": 0} == event | {"entry": 0}

    def hear(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "deck-cut":
            self.cuts[event["seat"]] = event["cut"]
        elif kind == "seat-taken":
            self.cuts.pop(event["seat"], None)
        elif kind == "bet-placed":
            self.bets[event["seat"]] = event["wagers"]
        elif kind == "betting-closed":
            self.cuts = {seat: cut for seat, cut in self.cuts.items() if self.bets.get(seat)}
        elif kind == "deck-opened":
            self.opened = {"cards": event["cards"].split(), "seed": event["seed"]}
        elif kind == "cards-dealt":
            if not (event["seat"] or event.get("up")):
                first = len(self.dealt)
                places = range(first, first + len(event["cards"]))
                self.down.setdefault(event["place"], []).extend(places)
            self.dealt += event["cards"]
        elif kind == "cards-turned":
            for card in event["cards"]:
                self.dealt[self.down[event["place"]].pop(0)] = card

    def wrong(self, misdeal: str) -> str:
        """Why it was not sealed, cut, dealt and opened as it had to be."""
        if not self.sealed.get("locked") or (misdeal == "sealed-anew" and not self.opened):
            return ""
        if self.opened is None:
            return "its deck was never opened"
        cards, seed = self.opened["cards"], self.opened["seed"]
        if self.sealed["commitment"] != _commitment(cards, seed):
            return "another deck was opened than the one that was sealed"
        places = list(range(52))
        if self.cuts:
            cuts = "/".join(f"{seat}:{cut}" for seat, cut in sorted(self.cuts.items()))
            hashes = [_sha256(f"{self.sealed['commitment']}/{cuts}/{n}") for n in range(52)]
            places.sort(key=hashes.__getitem__)
        unread = {at for each in self.down.values() for at in each}
        ought = [None if n in unread else cards[at] for n, at in enumerate(places)]
        return "" if self.dealt == ought[: len(self.dealt)] else "it was not dealt from its deck"


def decks_are_sealed_and_dealt(house: Checked) -> Iterator[str]:
    """Sealed before bets, dealt as they were cut, none twice and none of before a restore."""
    used: Counter[str] = Counter()
    decks: dict[str, _Deck] = {}
    misdeal: dict[str, str] = {}
    for row in house.rows:
        for event in row.events:
            kind, table = event["event"], row.stream
            if kind == "deck-sealed":
                before = decks.get(table)
                if before is not None and before.is_told(event):
                    continue
                if before is not None and before.sealed["round"] == event["round"]:
                    yield f"{table} round {event['round']}: another deck was sealed for it"
                decks[table], misdeal[table] = _Deck(event, row.position), ""
                used[event["commitment"] or f"real cards {row.position}"] += 1
            elif kind in ("round-opened", "bet-placed") and table not in decks:
                yield f"entry {row.position}: a bet without a sealed deck"
            elif kind == "misdeal-called":
                misdeal[table] = event["cause"]
            elif kind == "round-paid":
                over = decks.pop(table, None)
                if over is not None and over.opened is not None:
                    used["".join(over.opened["cards"])] += 1
                    used[over.opened["seed"]] += 1
                wrong = over.wrong(misdeal[table]) if over is not None else ""
                if wrong:
                    yield f"{table} round {event['round']}: {wrong}"
            elif table in decks and decks[table].sealed.get("locked"):
                deck = decks[table]
                deck.hear(event)
                for last in house.record.restores if kind == "cards-dealt" else ():
                    if deck.at <= last < row.position:
                        yield f"entry {row.position} deals what was sealed before a restore"
    yield from (f"a deck was used {n} times: {what}" for what, n in used.items() if n > 1)


def _commitment(deck: list[str], seed: str) -> str:
    drawn = hashlib.shake_256(seed.encode()).hexdigest(32 * len(deck))
    salts = [drawn[64 * n : 64 * n + 64] for n in range(len(deck))]
    leaves = [_sha256(f"{salt}/{card}") for salt, card in zip(salts, deck, strict=True)]
    return _sha256("".join(leaves))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def nobody_saw_what_they_may_not(house: Checked) -> Iterator[str]:
    stories = secrecy.read_stories((row.stream, row.seq, row.events) for row in house.rows)
    for person, several in house.record.heard.items():
        heard = [_read(kind, raw) for kind, raw in several]
        try:
            shown = secrecy.check(person, heard, stories, staff=person in house.record.staff)
        except (AssertionError, KeyError) as error:
            line = traceback.extract_tb(error.__traceback__)[-1].line
            yield f"{person}: {type(error).__name__} {str(error)[:2000]} ({line})"
        else:
            house.record.counts["cards looked at"] += shown


def _read(kind: str, raw: bytes) -> tuple[str, Any]:
    told = msgspec.json.decode(raw)
    return ("notice", told["notice"]) if kind == "answer" else (kind, told)


def every_tenth_round_holds_alone(house: Checked) -> Iterator[str]:
    names = "SELECT name FROM kept WHERE kind = 'round' ORDER BY name"
    for name in [name for (name,) in house.snapshot.rows(names)][::10]:
        broken = audit_round(house.snapshot, name).broken
        if broken:
            yield f"{name}: {broken}"


def the_audit_holds(house: Checked) -> Iterator[str]:
    found = audit(house.snapshot, keys=house.keys)
    house.record.counts["rounds"] = max(house.record.counts["rounds"], found.promises[6].count)
    yield from (f"{each.says}: {each.broken}" for each in found.promises if each.broken)


CHECKS: tuple[Callable[[Checked], Iterator[str]], ...] = (
    chips_are_conserved,
    what_was_acknowledged_is_there_once,
    nothing_is_ever_changed,
    streams_told_everything_in_order,
    whoever_acted_had_the_role,
    decks_are_sealed_and_dealt,
    nobody_saw_what_they_may_not,
    every_tenth_round_holds_alone,
    the_audit_holds,
)
