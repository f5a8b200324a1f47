"""No card reaches anybody who may not see it: all that was ever sent, held against the journal."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitboss.house.table import fair
from pitboss.rulebook import Rulebook, load
from pitboss.web.client import Client, Declined
from tests.web import secrecy
from tests.web.conftest import Staff, administrator
from tests.web.open_house import Caller, Visited, rigged, run, thread
from tests.web.secrecy import Stories, Story, read_stories

BOOKS = (
    "common/mississippi-stud",
    "diamond-jo-worth/cajun-stud",
    "hollywood-penn-national/cajun-stud",
    "seneca-niagara/caribbean-stud",
)
ROUNDS = 9


def read_journal(db: Path) -> Stories:
    """Read all rounds of all tables."""
    connection = sqlite3.connect(db)
    rows = connection.execute("SELECT stream, seq, body FROM journal ORDER BY position")
    found = read_stories((stream, seq, json.loads(body)["events"]) for stream, seq, body in rows)
    connection.close()
    return found


def check(ear: "Ear", stories: Stories) -> int:
    return secrecy.check(ear.person, ear.heard, stories)


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
        others = [each.client for each in self.everybody if each is not owner]
        await owner.client.invite(self.table, *others)
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
    played = [each for told in stories.values() for each in told.values() if each.paid is not None]
    assert len(played) >= len(BOOKS) * ROUNDS


def test_this_page_would_notice() -> None:
    """The checks above fail on what they are there for."""
    seed = "5eed" * 16
    sealed = {"round": 1, "locked": "key:c2VjcmV0", "entry": 1, "commitment": ""}
    opened = {"event": "deck-opened", "cards": "As Kd", "seed": seed}
    story = Story(sealed)
    story.hear({"event": "round-opened", "seats": {"1": "ann"}}, 2)
    story.hear({"event": "cards-dealt", "place": "seats", "seat": 1, "cards": ["As"]}, 3)
    story.hear(opened, 4)
    stories = {"t": {1: story}}
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
        ("bob", "other", {"message": seed}),
        ("bob", "other", {"message": sealed["locked"]}),
        ("ann", "notice", {"table": "t", "seq": 4, "events": [opened]}),
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
        watching = bob.come(table).stream(f"/api/tables/{table}/events", 0)
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


def test_a_toke_that_goes_back_is_the_players_in_what_others_hear(tmp_path: Path) -> None:
    """A misdeal gives it back: a sum of what others are told is not the tax that was kept of it."""
    with thread(tmp_path) as house:
        ann, bob = house.guest(), house.guest()
        table = ann.open("diamond-jo-worth/cajun-stud")
        bob.come(table)
        for who, seat in ((ann, 1), (bob, 2)):
            assert who.do(table, "sit", seat=seat).status == 200
        for who, seat in ((ann, 1), (bob, 2)):
            bet: dict[str, Any] = {"wagers": {"ante": 5_00}, "toke_cents": 5_00}
            assert who.do(table, "bet", seat=seat, **bet).status == 200
        misdeal = {"cause": "integrity", "role": "shift-manager"}
        told = ann.do(table, "call-misdeal", **misdeal)
        assert told.status == 200, told
        paid = next(each for each in told.json["notice"]["events"] if each["event"] == "round-paid")
        assert [each["paid_cents"] for each in paid["seats"]] == [10_00, 10_00]
        heard = [("notice", told.json["notice"])]
        secrecy.check(ann.person, heard, read_journal(Path(house.db)))


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
