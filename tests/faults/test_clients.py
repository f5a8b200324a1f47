"""Clients that repeat, reorder, delay and duplicate what they send: each effect happens once."""

import asyncio
import random
import socket
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.errors import Refused
from pitboss.house.house import House
from pitboss.house.storage.store import Store
from pitboss.web.client import Client, Declined, Unreachable
from tests.faults.game import Step, apart, ask, house_on, play, script, sound, stories, written
from tests.faults.servers import LATE, Player, Server, nothing_lost, sit_down

STEPS = [step for group in script() for step in group]


@pytest.mark.parametrize("seed", range(6))
def test_the_story_is_that_of_clients_who_behave(where: str, quick_path: Path, seed: int) -> None:
    """Copies at the same time, old commands again and later ones too early change nothing."""
    chance = random.Random(f"clients/{seed}")
    behaved = str(quick_path / "behaved.db")

    async def refused(house: House, step: Step) -> None:
        await asyncio.sleep(chance.random() / 500)
        with pytest.raises(Refused):
            await ask(house, step)

    async def repeated(house: House, step: Step) -> None:
        await asyncio.sleep(chance.random() / 500)
        entry = await ask(house, step)
        assert (entry.stream, entry.actor, entry.key) == step.place

    async def misbehave(house: House, steps: list[Step], known: list[Step]) -> None:
        for step in steps:
            others = [repeated(house, step) for _ in range(chance.randrange(3))]
            others += [repeated(house, each) for each in chance.choices(known or [step], k=2)]
            early = [each for each in STEPS if each.table == step.table and each.moment > "2"]
            if early and "1" < step.moment < "1.6":
                others.append(refused(house, chance.choice(early)))
            await asyncio.gather(repeated(house, step), *others)

    async def work() -> None:
        async with house_on(Store(behaved)) as house:
            await play(house, script(), lambda _step, _entry: None)
        async with house_on(Store(where)) as house:
            known: list[Step] = []
            for group in script():
                await asyncio.gather(*(misbehave(house, steps, known) for steps in apart(group)))
                known += group

    asyncio.run(work())
    assert stories(where) == stories(behaved), f"seed {seed}"
    sound(where)


class Unruly(Player):
    """Sends everything several times over, at any time, and often hangs up before the answer."""

    def __init__(self, urls: list[str], seat: int, chance: random.Random) -> None:
        super().__init__(urls, seat, chance)
        self.old: list[tuple[str, Any]] = []
        self.answers: dict[str, int] = {}
        self.again = 0

    async def once(self, method: str, path: str, body: Any = None) -> Any:
        if not path.startswith("/api/tables/") or body is None:
            return await super().once(method, path, body)
        several = [(path, body)] * self.random.randrange(1, 4)
        if self.old:
            several += self.random.choices(self.old, k=self.random.randrange(3))
        self.random.shuffle(several)
        self.old.append((path, body))
        cut = [self._hangs_up(*each) for each in several if self.random.random() < 0.4]
        sent = [self._sends(*each) for each in several]
        await asyncio.gather(*cut, *sent)
        return await self._sends(path, body)

    async def _sends(self, path: str, body: Any) -> Any:
        await asyncio.sleep(self.random.random() / 50)
        try:
            found = await super().once("POST", path, body)
        except Declined as no:
            if no.code not in LATE or body["key"] in self.answers or body is self.old[-1][1]:
                raise  # what has been done before is never refused later
            return None
        self.again += found["again"]
        assert (
            self.answers.setdefault(body["key"], found["notice"]["seq"]) == (found["notice"]["seq"])
        )
        return found

    async def _hangs_up(self, path: str, body: Any) -> None:
        await asyncio.sleep(self.random.random() / 50)
        client = Client(self.urls[0], self.token, patience=0)
        _, writer = await client._connect()
        sent = msgspec.json.encode(body)
        head = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
        writer.write(client._head("POST", path, head).encode() + sent)
        await asyncio.sleep(self.random.random() / 200)
        writer.close()


@pytest.mark.parametrize("seed", range(2))
def test_unruly_clients_at_a_real_server(quick_path: Path, seed: int) -> None:
    where = str(quick_path / "house.db")

    async def work(server: Server) -> tuple[str, list[Unruly]]:
        players = [Unruly([server.url], n, random.Random(f"{seed}/{n}")) for n in (1, 2, 3)]
        table = await sit_down(list(players))
        await asyncio.gather(*(player.play(table, 4) for player in players))
        return table, players

    with Server(where, quick_path) as server:
        table, players = asyncio.run(work(server))
        assert server.stop() == 0
        assert server.errors == ""
    entries = nothing_lost(where, table, list(players))
    for player in players:
        assert player.again > 10, f"seed {seed}: nothing was ever repeated"
        for key, seq in player.answers.items():
            assert (entries[seq - 1].actor, entries[seq - 1].key) == (player.person, key)
    # Each seat bet once and raised three times in each of four rounds.
    acts = [entry for entry in entries if '"action":"raise"' in entry.body]
    assert len(acts) == 3 * 3 * 4, f"seed {seed}"
    sound(where)


def test_a_client_knows_when_nobody_answers() -> None:
    async def work() -> None:
        client = Client("http://127.0.0.1:9", patience=0.1)
        with pytest.raises(Unreachable):
            await client.enter()

    asyncio.run(work())


def test_a_client_does_not_wait_for_ever() -> None:
    """A server that takes the connection and says nothing is as good as none."""

    async def work() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            async with asyncio.timeout(5):
                with pytest.raises(Unreachable):
                    await Client(address, patience=0.2, answer=0.1).enter()

    asyncio.run(work())


def test_written_in_the_end(quick_path: Path) -> None:
    """A key that was refused is free: the same command with it is done when its time has come."""
    where = str(quick_path / "house.db")

    async def work() -> None:
        async with house_on(Store(where)) as house:
            bet = next(step for step in STEPS if step.key == "k1.bet")
            for step in STEPS:
                if step == bet:
                    break
                if step.table == bet.table and step.key == "s1":
                    with pytest.raises(Refused):
                        await ask(house, bet)
                await ask(house, step)
            first = await ask(house, bet)
            assert await ask(house, bet) == first

    asyncio.run(work())
    assert sum(entry.key == "k1.bet" for entry in written(where)) == 1
