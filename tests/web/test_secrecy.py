"""No card reaches anybody who may not see it: all that was ever sent, held against the journal.

The journal knows every card. From it this page works out, by its own few lines, which cards each
person could have seen at each moment, and then looks at every byte that each of them received.
"""

import asyncio
import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.house.table import fair
from pitboss.house.table.fair import Proof
from pitboss.rulebook import Rulebook, load
from pitboss.web.client import Client, Declined
from tests.web.conftest import Staff, administrator
from tests.web.open_house import Caller, Visited, rigged, run, thread

CARD = re.compile(r"(?<![0-9A-Za-z])(?:10|[2-9TJQKA])[cdhs](?![0-9A-Za-z])")
HASH = re.compile(r"[0-9a-f]{64}")
BOOKS = (
    "common/mississippi-stud",
    "diamond-jo-worth/cajun-stud",
    "hollywood-penn-national/cajun-stud",
    "seneca-niagara/caribbean-stud",
)
ROUNDS = 9


# What the journal says ----------------------------------------------------------------------------


class Story:
    """One round: which card was to be seen by whom from which entry on."""

    def __init__(self, sealed: dict[str, Any]) -> None:
        self.sealed = sealed
        self.seats: dict[str, str] = {}
        self.by_all: dict[str, int] = {}
        self.by_one: dict[tuple[str, str], int] = {}
        self.shown: set[int] = set()
        self.paid: int | None = None

    def hear(self, event: dict[str, Any], seq: int) -> None:
        kind = event["event"]
        if kind == "round-opened":
            self.seats = event["seats"]
        elif kind == "cards-dealt" and not event.get("up") and event["place"] == "seats":
            for card in event["cards"]:
                self.by_one[self.seats[str(event["seat"])], card] = seq
        elif kind in ("cards-turned", "hand-shown") or (kind == "cards-dealt" and event.get("up")):
            for card in event["cards"]:
                self.by_all.setdefault(card, seq)
            if kind == "hand-shown":
                self.shown.add(event["seat"])
        elif kind == "round-paid":
            self.paid = seq

    def seen(self, person: str, seq: int) -> set[str]:
        """Return what somebody could have seen up to an entry."""
        own = {card for (who, card), at in self.by_one.items() if who == person and at <= seq}
        return own | {card for card, at in self.by_all.items() if at <= seq}


Stories = dict[tuple[str, int], Story]


def read_journal(db: Path) -> Stories:
    """Read all rounds of all tables."""
    found: Stories = {}
    connection = sqlite3.connect(db)
    query = "SELECT stream, seq, body FROM journal WHERE stream LIKE 'table:%' ORDER BY position"
    now: dict[str, Story] = {}
    for stream, seq, body in connection.execute(query):
        table = stream.partition(":")[2]
        for event in json.loads(body)["events"]:
            shuffled = event["event"] == "deck-sealed"
            if shuffled and (table, event["round"]) in found:
                now[table].sealed = event  # once more, after a red light
            elif shuffled:
                now[table] = found[table, event["round"]] = Story(event)
            elif table in now:
                now[table].hear(event, seq)
    connection.close()
    return found


# What somebody received ---------------------------------------------------------------------------


class Ear:
    """Somebody at the door of the API who keeps every answer."""

    def __init__(self, url: str, token: str = "", person: str = "") -> None:
        self.client = Client(url, token)
        self.client.person = person
        self.heard: list[tuple[str, Any]] = []
        """(kind, JSON): view, notice, record, other."""
        self.listening: list[asyncio.Task[None]] = []

    @property
    def person(self) -> str:
        return self.client.person

    async def get(self, kind: str, path: str) -> Any:
        try:
            found = await self.client.send("GET", path)
        except Declined as no:
            self.heard.append(("other", {"message": str(no), "code": no.code}))
            return None
        self.heard.append((kind, found))
        return found

    async def view(self, table: str) -> Any:
        return await self.get("view", f"/api/tables/{table}")

    async def do(self, table: str, command: dict[str, Any], moment: str = "") -> bool:
        try:
            done = await self.client.do(table, command, moment)
        except Declined as no:
            self.heard.append(("other", {"message": str(no), "code": no.code}))
            return False
        self.heard.append(("notice", done["notice"]))
        return True

    def listen(self, path: str, after: int | None = None) -> None:
        async def keep() -> None:
            async for _, notice in self.client.events(path, after):
                if notice is not None:
                    self.heard.append(("notice", notice))

        self.listening.append(asyncio.create_task(keep()))

    async def hang_up(self) -> None:
        for task in self.listening:
            task.cancel()
        for result in await asyncio.gather(*self.listening, return_exceptions=True):
            assert isinstance(result, asyncio.CancelledError), result
        self.listening.clear()
        self.client.close()


def tokens(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from tokens(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from tokens(each)


def cards_in(value: Any) -> set[str]:
    """Return every card that is named anywhere in a JSON value, in sentences too."""
    return {card for text in tokens(value) for card in CARD.findall(text)}


def check(ear: Ear, stories: Stories) -> int:
    """Hold all that somebody received against the journal; how many cards they were shown."""
    person, shown = ear.person, 0
    for kind, found in ear.heard:
        seen: set[str] = set()
        if kind == "view":
            story = stories.get((found["table"], found["round"]))
            seen = story.seen(person, found["seq"]) if story else set()
            check_paid(found["last"], found["table"], "nobody", stories)
        elif kind == "notice":
            for event in found["events"]:
                check_event(event, found["table"], person, stories)
            # An entry may end one round and open the next one's betting: cards are of the first.
            several = [
                story.seen(person, found["seq"])
                for (table, _), story in stories.items()
                if table == found["table"] and begins(story) <= found["seq"]
                if story.paid is None or found["seq"] <= story.paid
            ]
            seen = several[0] if several else set()
        elif kind == "record":
            seen = check_record(found, person, stories)
        named = cards_in(found)
        assert named <= seen, (kind, person, named - seen, found)
        shown += len(named)
    check_hashes(ear, stories)
    return shown


def begins(story: Story) -> int:
    return int(story.sealed["entry"])


def check_event(event: dict[str, Any], table: str, person: str, stories: Stories) -> None:
    if event["event"] == "deck-sealed":
        assert not event.get("cards")
        assert not event.get("seed")
    elif event["event"] == "seat-taken":
        assert event["player"] == {
            "residence": "us",
            "identified": True,
            "tin": True,
            "barred": False,
        }
    elif event["event"] == "round-paid":
        check_paid(event, table, person, stories)


def check_paid(paid: Any, table: str, person: str, stories: Stories) -> None:
    """Hands that were not shown have no name, and tax is nobody else's business."""
    if paid is None:
        return
    story = stories[table, paid["round"]]
    for seat in paid["seats"]:
        assert not seat["hand"] or seat["seat"] in story.shown, (seat, story.shown)
        if story.seats[str(seat["seat"])] != person:
            assert (seat["held_cents"], seat["withheld_cents"], seat["forms"]) == (0, 0, [])
            lines = [line for line in seat["lines"] if line["spot"] != "toke"]
            assert seat["paid_cents"] == sum(line["returned_cents"] for line in lines)


def check_record(record: Any, person: str, stories: Stories) -> set[str]:
    table, _, number = record["round"].rpartition("-")
    story = stories[table, int(number)]
    assert story.paid is not None
    for notice in record["notices"]:
        for event in notice["events"]:
            check_event(event, table, person, stories)
        assert cards_in(notice) <= story.seen(person, notice["seq"])
    seen = story.seen(person, story.paid)
    proof = msgspec.convert(record["proof"], Proof, strict=False)
    assert fair.holds(proof)
    assert proof.commitment == story.sealed["commitment"]
    # Everything that was seen is opened, where it lay, and nothing else.
    assert {card for card, _ in proof.opened.values()} == seen
    assert all(story.sealed["cards"][n] == card for n, (card, _) in proof.opened.items())
    return seen


def check_hashes(ear: Ear, stories: Stories) -> None:
    """Neither a seed nor the salt of a card that was not seen has reached them."""
    raw = json.dumps(ear.heard)
    received = set(HASH.findall(raw))
    for story in stories.values():
        seed, deck = story.sealed["seed"], story.sealed["cards"]
        assert seed not in raw
        seen = story.seen(ear.person, story.paid or 0)
        salts = fair.salts(seed, len(deck))
        secret = {salt for salt, card in zip(salts, deck, strict=True) if card not in seen}
        assert not secret & received


# Playing ------------------------------------------------------------------------------------------


class Game:
    """A table with people around it who do all sorts of things."""

    def __init__(self, url: str, name: str, chance: random.Random, guests: list[Caller]) -> None:
        self.book: Rulebook = load(name)
        self.chance = chance
        self.players = [Ear(url, each.token, each.person) for each in guests[:4]]
        self.watcher = Ear(url, guests[4].token, guests[4].person)
        self.table = ""

    @property
    def everybody(self) -> list[Ear]:
        return [*self.players, self.watcher]

    async def play(self, floor: Ear, nobody: Ear) -> None:
        owner = self.players[0]
        self.table = await owner.client.open_table(
            self.book.id, practice=True, betting_seconds=600, decision_seconds=600
        )
        for each in [*self.everybody, floor]:
            each.listen(f"/api/tables/{self.table}/events", 0)
        for seat, each in enumerate(self.players[:3], start=1):
            await each.do(self.table, {"action": "sit", "seat": seat})
        for number in range(1, ROUNDS + 1):
            await self.bet()
            await self.decide(number, floor, nobody)
            await self.change_seats(number)
        for number in range(1, ROUNDS + 2):
            for each in [*self.everybody, floor, nobody]:
                await each.get("record", f"/api/rounds/{self.table}-{number}")

    async def bet(self) -> None:
        view = await self.watcher.view(self.table)
        seats = {each["person"]: each["seat"] for each in view["seats"]}
        for each in self.players:
            if each.person not in seats:
                continue
            await each.client.send("POST", "/api/me/play-chips", {"key": each.client.key()})
            mine = await each.view(self.table)
            wagers = {
                option["spot"]: option["least_cents"]
                for option in mine["options"]
                if option["spot"] == self.book.ante.name or self.chance.random() < 0.4
            }
            bet = {"action": "bet", "seat": mine["seat"], "wagers": wagers}
            assert await each.do(self.table, bet, mine["moment"]), each.heard[-1]

    async def decide(self, number: int, floor: Ear, nobody: Ear) -> None:
        """Raise, fold, peek at everything, and now and then call it all off."""
        while (now := await self.watcher.view(self.table))["round"] == number:
            assert now["phase"] != "settling"
            await self.peek(number, floor, nobody)
            if self.chance.random() < 0.06:
                cause = self.book.misdeal[-1]
                called = {"action": "call-misdeal", "cause": cause.cause, "role": cause.by[0]}
                await self.players[0].do(self.table, called)
                continue
            seat = self.chance.choice(now["due"])
            if self.book.dead and self.chance.random() < 0.2:
                rule = self.book.dead[0]
                kill = {"action": "kill-hand", "cause": rule.cause, "role": rule.by[0]}
                await self.players[0].do(self.table, {**kill, "seat": seat})
                continue
            person = next(each["person"] for each in now["seats"] if each["seat"] == seat)
            player = next(each for each in self.players if each.person == person)
            mine = await player.view(self.table)
            option = self.chance.choice(mine["options"])
            command = {"action": option["action"], "seat": seat}
            if option["action"] == "raise":
                command["times"] = option["times"]
            elif self.chance.random() < 0.5:
                command["confirmed"] = True
            if not await player.do(self.table, command, mine["moment"]):
                fold = {"action": "fold", "seat": seat, "confirmed": True}
                assert await player.do(self.table, fold, mine["moment"])

    async def peek(self, number: int, floor: Ear, nobody: Ear) -> None:
        """Everybody looks everywhere while cards are out."""
        for each in [*self.everybody, floor, nobody]:
            await each.view(self.table)
        thief = self.watcher
        await thief.get("record", f"/api/rounds/{self.table}-{number}")
        for seat in (1, 2, 3):
            for action in ("fold", "check", "take-back"):
                await thief.do(self.table, {"action": action, "seat": seat})
        await thief.do(self.table, {"action": "sit", "seat": 1})
        await nobody.get("other", "/api/tables")
        await floor.get("other", f"/api/people/{thief.person}")

    async def change_seats(self, number: int) -> None:
        """People go, and others take their very seats and look back."""
        view = await self.watcher.view(self.table)
        seats = {each["person"]: each["seat"] for each in view["seats"]}
        here = [each for each in self.players if each.person in seats]
        gone = self.chance.choice(here)
        assert await gone.do(self.table, {"action": "leave"})
        new = next(each for each in self.players if each.person not in seats)
        assert await new.do(self.table, {"action": "sit", "seat": seats[gone.person]})
        new.listen(f"/api/tables/{self.table}/events", 0)
        await new.get("record", f"/api/rounds/{self.table}-{number}")


def test_nobody_ever_receives_a_card_that_they_may_not_see(house: Visited, staff: Staff) -> None:
    supervisor = staff("floor-eyes", "floor-supervisor", "surveillance")
    guests = [[house.guest() for _ in range(5)] for _ in BOOKS]

    async def play() -> list[Ear]:
        floor = Ear(house.address, supervisor.token, supervisor.person)
        nobody = Ear(house.address)
        floor.listen("/api/floor/events", 0)
        games = [
            Game(house.address, name, random.Random(f"secrecy/{name}"), several)
            for name, several in zip(BOOKS, guests, strict=True)
        ]
        await asyncio.gather(*(game.play(floor, nobody) for game in games))
        # Once more from the beginning, after everything is over.
        for game in games:
            for each in game.everybody:
                each.listen(f"/api/tables/{game.table}/events", 0)
        floor.listen("/api/floor/events", 0)
        await asyncio.sleep(1)
        everybody = [each for game in games for each in game.everybody] + [floor, nobody]
        for each in everybody:
            await each.hang_up()
        return everybody

    everybody = run(play())
    stories = read_journal(house.db)
    shown = {each.person: check(each, stories) for each in everybody}
    assert shown.pop("") == 0  # without a session
    assert all(several > 50 for several in shown.values()), shown
    heard = [kind for each in everybody for kind, _ in each.heard]
    assert heard.count("view") > 1_000
    # Of each round three players, the floor, and whoever came next: to others it is not shown.
    assert heard.count("record") >= len(BOOKS) * ROUNDS * 5
    assert heard.count("notice") > 1_000
    played = [story for story in stories.values() if story.paid is not None]
    assert len(played) >= len(BOOKS) * ROUNDS


def test_this_page_would_notice() -> None:
    """The checks above fail on what they are there for."""
    seed = "5eed" * 16
    sealed = {"round": 1, "cards": ["As", "Kd"], "seed": seed, "entry": 1, "commitment": ""}
    story = Story(sealed)
    story.hear({"event": "round-opened", "seats": {"1": "ann"}}, 2)
    story.hear({"event": "cards-dealt", "place": "seats", "seat": 1, "cards": ["As"]}, 3)
    stories = {("t", 1): story}
    dealt = {"event": "cards-dealt", "place": "seats", "seat": 1, "cards": ["As"]}

    def received(person: str, kind: str, found: Any) -> Callable[[], int]:
        ear = Ear("http://127.0.0.1:1", person=person)
        ear.heard.append((kind, found))
        return lambda: check(ear, stories)

    notice = {"table": "t", "seq": 3, "events": [dealt]}
    assert received("ann", "notice", notice)() == 1
    paid = {
        "event": "round-paid",
        "round": 1,
        "seats": [{"seat": 1, "hand": "ace high", "lines": []}],
    }
    for someone, kind, bad in (
        ("bob", "notice", notice),
        ("ann", "notice", {**notice, "seq": 2}),
        ("bob", "other", {"message": "the As is out already"}),
        ("bob", "other", {"message": fair.salts(seed)[0]}),
        ("bob", "other", {"message": sealed["seed"]}),
        ("ann", "notice", {"table": "t", "seq": 1, "events": [{**sealed, "event": "deck-sealed"}]}),
        ("bob", "notice", {"table": "t", "seq": 4, "events": [paid]}),
    ):
        with pytest.raises(AssertionError):
            received(someone, kind, bad)()


# What only a known deck can show ------------------------------------------------------------------


def test_tax_is_between_a_person_and_the_house(tmp_path: Path) -> None:
    """A royal flush at 500 to 1: the form, and what is held, are on the winner's record alone."""
    with thread(tmp_path, deck=rigged("As Ks Qs Js 2c Ts 3d")) as house:
        ann, bob = house.guest(), house.guest()
        table = ann.open("common/mississippi-stud")
        watching = bob.stream(f"/api/tables/{table}/events", 0)
        for seat, each in enumerate((ann, bob), start=1):
            assert each.do(table, "sit", seat=seat).status == 200
        for seat, each in enumerate((ann, bob), start=1):
            assert each.do(table, "bet", seat=seat, wagers={"ante": 500}).status == 200
        while (view := ann.view(table))["due"]:
            for seat in view["due"]:
                if seat == 1:
                    ann.do(table, "raise", seat=1, times=3)
                else:
                    bob.do(table, "fold", seat=2)

        def paid(record: Any) -> Any:
            events = [event for notice in record["notices"] for event in notice["events"]]
            return next(e["seats"][0] for e in events if e["event"] == "round-paid")

        path = f"/api/rounds/{table}-1"
        own, other = paid(ann("GET", path).json), paid(bob("GET", path).json)
        assert own["forms"] == ["W-2G"]
        assert own["withheld_cents"] > 0
        assert (other["forms"], other["withheld_cents"], other["held_cents"]) == ([], 0, 0)
        assert other["paid_cents"] == own["paid_cents"] + own["withheld_cents"]
        assert watching.until(b'"round-paid"')
        assert b"W-2G" not in watching.raw
        assert "W-2G" not in json.dumps(bob.view(table))
        watching.close()


def test_who_pays_is_told_what_is_kept_for_the_tax(tmp_path: Path) -> None:
    """The floor's stream has what the dealer pushes, not what would have been without tax."""
    with thread(tmp_path, deck=rigged("As Ks Qs Js Ts")) as house:
        ann, dan = house.guest(), Staff(house, administrator(house))("dan", "dealer")
        table = ann.open("common/mississippi-stud")
        floor = dan.stream("/api/floor/events", 0)
        assert ann.do(table, "sit", seat=1).status == 200
        assert ann.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
        while ann.view(table)["due"]:
            ann.do(table, "raise", seat=1, times=3)
        assert floor.until(b'"round-paid"')
        assert b'"forms":["W-2G"]' in floor.raw
        floor.close()


def test_a_record_keeps_to_the_rules_of_its_round(tmp_path: Path) -> None:
    """A table that is opened again for another rulebook tells old rounds by the old one."""
    with thread(tmp_path) as house:
        ann = house.guest()
        table = ann.open("common/mississippi-stud")
        ann.do(table, "sit", seat=1)
        ann.do(table, "bet", seat=1, wagers={"ante": 500})
        assert ann.do(table, "fold", seat=1).status == 200
        before = ann("GET", f"/api/rounds/{table}-1").json
        assert ann.do(table, "close-table").status == 200
        again = ann.open("seneca-niagara/caribbean-stud", table=table)
        assert again == table
        assert ann.view(table)["rulebook"] == "seneca-niagara/caribbean-stud"
        after = ann("GET", f"/api/rounds/{table}-1").json
        assert after == before
        assert after["sha256"] == load("common/mississippi-stud").sha256
