"""A short game that is always the same, command by command, and what must hold whenever it ends."""

import asyncio
import random
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house.house import House
from pitboss.house.people import persons
from pitboss.house.storage.codec import short_name
from pitboss.house.storage.journal import Entry
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table.fair import Sealed, seal
from pitboss.round import actions as a
from tests.house.clocked_house import turned

BOOK = "common/mississippi-stud"
ANTE_CENTS = 500
NOON = 1_763_208_000_000
ANN, BOB, CY = "guest-ann", "guest-bob", "guest-cy"


class Step(NamedTuple):
    """Something that one person asks for."""

    person: str
    table: str
    """Empty: it is about somebody's record."""
    command: Any
    """None: they join the house."""
    key: str
    moment: str = ""
    about: str = ""
    """Whose record it is, where it is not their own."""

    @property
    def place(self) -> tuple[str, str, str]:
        """Where the journal has it: the stream, who did it, and their key."""
        stream = f"table:{self.table}" if self.table else f"person:{self.about or self.person}"
        return stream, self.person, self.key


NOW = "now"
"""A moment: whatever the table waits for."""
ONE, TWO = short_name(f"{ANN}/one"), short_name(f"{BOB}/two")
STREETS = ("bet", "2", "4", "6")
HASH = "5eed" * 16
"""Of the invitation to either table."""


def script(rounds: int = 2) -> list[list[Step]]:
    """Return groups of steps: those of one group are asked for at the same time.

    Two people play at one table and a third, meanwhile, at another, so that one transaction holds
    several commands. In the last round everybody folds at once.
    """
    opens = c.OpenTable(BOOK, practice=True)
    groups = [
        [Step(each, "", None, "join") for each in (ANN, BOB, CY)],
        [Step(ANN, ONE, opens, "one"), Step(BOB, TWO, opens, "two")],
        [Step(ANN, ONE, c.Invite(HASH), "i"), Step(BOB, TWO, c.Invite(HASH), "i")],
        [Step(BOB, ONE, c.Enter(HASH), "e"), Step(CY, TWO, c.Enter(HASH), "e")],
        [Step(ANN, ONE, c.Sit(1), "s1"), Step(CY, TWO, c.Sit(1), "s1")],
        [Step(BOB, ONE, c.Sit(2), "s2"), Step(CY, TWO, c.SitOut(), "out")],
        [Step(CY, TWO, c.SitIn(), "in")],
    ]
    for number in range(1, rounds + 1):
        last = number == rounds
        for street in STREETS[:2] if last else STREETS:
            moment = f"{number}.{street}"

            def step(
                person: str, table: str, seat: int, moment: str = moment, last: bool = last
            ) -> Step:
                act: Any = a.Fold(seat, confirmed=True) if last else a.Raise(seat, 1)
                if moment.endswith("bet"):
                    act = a.Bet(seat, {"ante": ANTE_CENTS})
                return Step(person, table, act, f"k{moment}", moment)

            groups.append([step(ANN, ONE, 1), step(BOB, ONE, 2), step(CY, TWO, 1)])
    return groups


def same_deck() -> Sealed:
    """The same deck, always."""
    return seal(random.Random(7).randbytes)


@asynccontextmanager
async def house_on(store: Store, clock: Callable[[], int] = lambda: NOON) -> Any:
    """A house whose clock stands still and whose cards are always the same."""
    found = House(store, clock=turned(clock), deck=same_deck)
    await found.start()
    try:
        yield found
    finally:
        await found.stop()


async def ask(house: House, step: Step) -> Entry:
    """Ask for one step; the entry that it became, now or before."""
    if callable(step.command):
        told: Entry = await step.command(house, step)
        return told
    if not step.table:
        joins = persons.PersonAdded(step.person, ("guest",))
        chips = persons.ChipsBought(100_000, practice=True)
        return await house.record(step.person, step.person, step.key, joins, chips)
    if isinstance(step.command, c.OpenTable):
        name, done = await house.open_table(step.person, step.command, step.key)
        assert name == step.table
        return done.entry
    moment = step.moment
    if moment == NOW:
        moment = (await house.table(step.table)).table.moment
    done = await house.command(step.table, step.person, step.command, step.key, moment)
    return done.entry


async def play(
    house: House, groups: list[list[Step]], acknowledged: Callable[[Step, Entry], None]
) -> None:
    """Ask for everything; whatever is answered is told."""

    for group in groups:
        await asyncio.gather(*(_in_turn(house, steps, acknowledged) for steps in apart(group)))


async def _in_turn(
    house: House, steps: list[Step], acknowledged: Callable[[Step, Entry], None]
) -> None:
    for step in steps:
        acknowledged(step, await ask(house, step))


def apart(group: list[Step]) -> list[list[Step]]:
    """Return a group's steps by stream: those of one stream come one after the other."""
    found: dict[str, list[Step]] = {}
    for step in group:
        found.setdefault(step.place[0], []).append(step)
    return list(found.values())


async def one_more_round(house: House, table: str, people: dict[int, str]) -> None:
    """The table goes on: everybody bets and folds."""
    before = (await house.table(table)).table
    for act in ("bet", "fold"):
        live = await house.table(table)
        for seat, person in people.items():
            bets = a.Bet(seat, {"ante": live.table.minimum_cents})
            command = bets if act == "bet" else a.Fold(seat, confirmed=True)
            key, moment = f"more-{live.table.moment}", live.table.moment
            await ask(house, Step(person, table, command, key, moment))
    after = (await house.table(table)).table
    assert (after.number, after.under_way) == (before.number + 1, False)


def written(where: str) -> list[Entry]:
    """Return the whole journal."""
    with Snapshot(where) as snapshot:
        return _entries(snapshot)


def _entries(snapshot: Snapshot) -> list[Entry]:
    return [Entry(*row) for row in snapshot.rows(_JOURNAL)]


_JOURNAL = "SELECT stream, seq, at, actor, key, body, hash, position FROM journal ORDER BY position"


def stories(where: str) -> dict[str, list[str]]:
    """Return the hashes of each stream: the same where the same happened, and only there."""
    found: dict[str, list[str]] = {}
    for entry in written(where):
        found.setdefault(entry.stream, []).append(entry.hash)
    return found


def places(entries: list[Entry]) -> dict[tuple[str, str, str], Entry]:
    """Return entries by where and under which key; no key is there twice."""
    found = {(e.stream, e.actor, e.key): e for e in entries if e.key}
    assert len(found) == sum(1 for entry in entries if entry.key), "a key was used twice"
    return found


def sound(where: str) -> list[Entry]:
    """Everything in this database holds together: the audit finds nothing, chips sum to zero.

    Return the whole journal, as ``written`` does.
    """
    with Snapshot(where) as snapshot:
        assert audit(snapshot).broken == ""
        for sql in ("SELECT SUM(cents) FROM balances", "SELECT SUM(cents) FROM ledger"):
            assert next(snapshot.rows(sql))[0] in (0, None)
        entries = next(snapshot.rows("SELECT COUNT(*), MAX(position) FROM journal"))
        head = next(snapshot.rows("SELECT position FROM head"))[0]
        assert entries in ((head, head), (0, None))
        return _entries(snapshot)
