"""Time is taken from the right clock: no step of a computer's clock folds, ends or locks anything.

H4 and L7. A computer's clock is stepped by patching what Python reads of it; what counts elapsed
time is left alone, as it is on a real computer.
"""

import asyncio
import datetime
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.house import house as houses
from pitboss.house.clock import STEADY, HouseClock, elapsed_ms, utc_now
from pitboss.house.house import House
from pitboss.house.sessions import CACHE_MS, token_hash
from pitboss.house.settings import Settings
from pitboss.house.storage.databases import Dialect
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.round import actions as a
from tests.command import run
from tests.helpers import DIAMOND_JO, MISSISSIPPI
from tests.house.clocked_house import ClockedHouse, clocked_house, seed
from tests.web.open_house import Visited, thread

HOUR, DAY = 3_600_000, 86_400_000
ANTE = {"ante": 5_00}

Step = Callable[[int], None]


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Step:
    """Sets the computer's clock ahead, or back, by so many milliseconds."""
    right = time.time_ns

    def set_to(ms: int) -> None:
        monkeypatch.setattr(time, "time_ns", lambda: right() + ms * 1_000_000)
        monkeypatch.setattr(time, "time", lambda: right() / 1e9 + ms / 1e3)

    return set_to


@pytest.fixture
def house(quick_path: Path, step: Step) -> Iterator[Visited]:
    """A house whose database has its time from the same computer."""
    assert step is not None
    with thread(quick_path, clock=HouseClock(utc_now)) as found:
        yield found


STEPS = [-DAY, -HOUR, HOUR, DAY]


@pytest.mark.parametrize("ms", STEPS)
def test_h4_after_a_step_everybody_is_served_as_before(house: Visited, step: Step, ms: int) -> None:
    ann = house.guest()
    table = ann.open(DIAMOND_JO.id)
    assert ann.do(table, "sit", seat=1).status == 200
    assert ann.do(table, "bet", seat=1, wagers=ANTE).status == 200
    step(ms)
    # Nobody is shut out, at sign-in neither.
    assert {ann("GET", "/api/me").status for _ in range(50)} == {200}
    assert house.caller()("GET", "/health").json["ready"]
    body = {"name": "admin", "password": "not-the-password"}
    assert house.caller()("POST", "/api/sessions", body).code == "login/wrong"
    # Nobody is folded, and no session ends, not even when somebody else enters now.
    assert house.guest()("GET", "/api/me").status == 200
    assert ann.do(table, "raise", seat=1, times=1).status == 200
    step(0)
    assert ann("GET", "/api/me").status == 200
    assert {ann("GET", "/api/me").status for _ in range(50)} == {200}
    new = {"name": "admin", "password": house.secret, "new": "a-long-enough-password"}
    assert house.caller()("POST", "/api/password", new).status == 204, "no lock in the future"


def test_h4_sessions_that_ended_by_a_clock_ahead_are_not_gone(where: str) -> None:
    async def work() -> None:
        here = ClockedHouse(where)
        await here.house.start()
        await here.person("ann", "player")
        session = await here.sessions.begin("ann")
        here.at += 13 * HOUR
        assert await here.sessions.person(session.token) is None
        await here.sessions.begin("ann")
        await here.house.stop()
        later = ClockedHouse(where)  # by the right time
        await later.house.start()
        assert (await later.sessions.person(session.token)) is not None
        await later.house.stop()

    asyncio.run(work())


def test_h4_a_session_that_was_ended_elsewhere_is_not_believed_longer(where: str) -> None:
    async def work() -> None:
        count = [0]
        house = House(Store(where), clock=HouseClock(utc_now, lambda: count[0]))
        await house.start()
        await seed(house, "ann", ("player",), 100)
        session = await house.sessions.begin("ann")
        assert await house.sessions.person(session.token) is not None
        ended = ("DELETE FROM sessions WHERE token = ?", (token_hash(session.token),))
        await house.in_thread(house.store.execute, ended)
        house.clock._zero -= HOUR  # as if the clock were set back
        assert await house.sessions.person(session.token) is not None, "it is remembered a little"
        count[0] += CACHE_MS + 1
        assert await house.sessions.person(session.token) is None
        await house.stop()

    asyncio.run(work())


async def waits(here: House, seconds: int) -> str:
    """Open a table at which somebody has so long to decide; its name."""
    await seed(here, "ann", ("player",), 1_000_00)
    opens = c.OpenTable(DIAMOND_JO.id, practice=True, decision_seconds=seconds)
    name, _ = await here.open_table("ann", opens, "open")
    await here.command(name, "ann", c.Sit(1), "sit")
    await here.command(name, "ann", a.Bet(1, ANTE), "bet", "1.bet")
    return name


async def number(here: House, name: str) -> int:
    return (await here.table(name)).table.number


def test_h4_a_server_whose_clock_is_ahead_folds_nobody(where: str) -> None:
    """Two servers: B's clock goes ahead by 45 seconds while A waits for a decision."""

    async def work() -> None:
        ahead = [0]
        one, other = Store(where), Store(where)
        a_house = House(one)
        b_house = House(other, clock=HouseClock(other.now, lambda: elapsed_ms() + ahead[0]))
        await a_house.start()
        await b_house.start()
        assert abs(a_house.clock() - b_house.clock()) < 1_000, "both have the database's time"
        name = await waits(a_house, 2)
        while b_house.live.known(name) is None or (await b_house.table(name)).seq < 3:
            await asyncio.sleep(0.01)
        a_house._clocks.stop()  # B alone could say that the time is over
        ahead[0] = 45_000
        await asyncio.sleep(0.3)
        assert await number(b_house, name) == 1
        assert not await b_house.in_thread(b_house.clock.compare)
        assert abs(b_house.clock.difference_ms + 45_000) < 500
        await asyncio.sleep(2.2)
        assert await number(b_house, name) == 1, "it does not trust itself"
        ahead[0] = 0
        assert await b_house.in_thread(b_house.clock.compare)
        b_house._clocks.begin_anew()
        await asyncio.sleep(0.3)
        assert await number(b_house, name) == 1, "everybody has all of their time again"
        while await number(b_house, name) == 1:
            await asyncio.sleep(0.02)
        await a_house.stop()
        await b_house.stop()

    asyncio.run(asyncio.wait_for(work(), 30))


def test_h4_a_server_that_was_stopped_for_a_while_folds_nobody_at_once(where: str) -> None:
    async def work() -> None:
        house = House(Store(where))
        await house.start()
        name = await waits(house, 1)
        time.sleep(2.2)  # nothing runs, as after SIGSTOP
        await asyncio.sleep(0.3)
        assert await number(house, name) == 1
        moment = (await house.table(name)).table.moment
        await house.command(name, "ann", a.Raise(1, 1), "in time", moment)
        await house.stop()

    asyncio.run(work())


def test_h4_a_database_that_is_gone_for_a_while_folds_nobody(where: str) -> None:
    async def work() -> None:
        store = Store(where)
        house = House(store)
        await house.start()
        name = await waits(house, 2)
        moment = (await house.table(name)).table.moment
        gone = Gone(store.database)
        store.database = gone
        with pytest.raises(Unavailable):
            await house.command(name, "ann", a.Raise(1, 1), "too early", moment)
        await asyncio.sleep(2.5)  # all the time that Ann has
        gone.back = True
        await asyncio.sleep(0.4)
        assert await number(house, name) == 1
        while True:
            try:
                await house.command(name, "ann", a.Raise(1, 1), "in time", moment)
                break
            except Unavailable:
                await asyncio.sleep(0.02)
        await house.stop()

    asyncio.run(work())


class Gone:
    """A database to which nothing can be written until it is back."""

    def __init__(self, inner: Dialect) -> None:
        self.inner, self.back = inner, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def write(self, cursor: Any, batch: dict[str, str]) -> bool:
        if not self.back:
            raise self.inner.failed("gone on purpose")
        return self.inner.write(cursor, batch)


def test_h4_a_server_that_slept_gives_everybody_all_of_their_time(quick_path: Path) -> None:
    """Its deadline is still ahead, but it could not be used."""

    async def work() -> None:
        slept = [0]
        store = Store(str(quick_path / "house.db"))
        clock = HouseClock(lambda: store.now() + slept[0], lambda: elapsed_ms() + slept[0])
        house = House(store, clock=clock)
        await house.start()
        name = await waits(house, 2)
        await asyncio.sleep(1.2)
        slept[0] += 60_000
        await asyncio.sleep(1.5)
        assert await number(house, name) == 1
        await house.stop()

    asyncio.run(work())


def test_h4_health_says_that_clocks_differ(quick_path: Path) -> None:
    ahead = [0]
    with thread(quick_path, clock=HouseClock(lambda: utc_now() + ahead[0])) as house:
        assert house.web is not None
        assert house.caller()("GET", "/health").json["clock_differs_ms"] == 0
        ahead[0] = HOUR
        house.web.house.clock.compare()
        told = house.caller()("GET", "/health").json
        assert told["ready"]
        assert abs(told["clock_differs_ms"] - HOUR) < 1_000


def test_h4_a_glitch_is_waited_out_and_a_clock_that_was_set_right_is_believed() -> None:
    database, count = [1_000_000], [0]
    clock = HouseClock(lambda: database[0] + count[0], lambda: count[0])
    clock.set()
    database[0] += HOUR
    assert not clock.compare()
    assert (clock(), clock.difference_ms) == (1_000_000, HOUR)
    database[0] -= HOUR
    assert clock.compare(), "they agree again"
    assert (clock(), clock.difference_ms) == (1_000_000, 0)
    database[0] += HOUR
    for _ in range(STEADY):
        assert not clock.compare()
        count[0] += 5_000
        assert clock() == 1_000_000 + count[0]
    assert clock.compare()
    assert (clock(), clock.difference_ms) == (1_000_000 + HOUR + count[0], 0)
    assert not clock.compare()


def test_h4_an_answer_that_takes_long_is_no_difference() -> None:
    count = [0]

    def slow() -> int:
        count[0] += 9_000
        then = count[0]
        count[0] += 9_000
        return then

    clock = HouseClock(slow, lambda: count[0])
    clock._zero = 0
    assert not clock.compare()
    assert clock.difference_ms == 0


@pytest.mark.parametrize(("ms", "early"), [(-HOUR, 1), (0, 0), (HOUR, 0)])
def test_h4_the_audit_counts_time_outs_before_the_deadline_that_was_shown(
    where: str, ms: int, early: int
) -> None:
    """Ann has all of her time, and the database's clock is set while she thinks."""

    async def work() -> None:
        store, moved = Store(where), [0]
        house = House(store, clock=HouseClock(lambda: store.now() + moved[0]))
        await house.start()
        name = await waits(house, 2)
        moved[0] = ms
        for _ in range(STEADY + 1):  # until it is believed
            await house.in_thread(house.clock.compare)
        while await number(house, name) == 1:
            await asyncio.sleep(0.02)
        await house.stop()

    asyncio.run(asyncio.wait_for(work(), 30))
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
        [(shown,)] = snapshot.rows("SELECT at + 2000 FROM journal WHERE key = 'bet'")
        [(at,)] = snapshot.rows("SELECT at FROM journal WHERE actor = 'clock'")
    assert (shown - at > 1_000) == bool(early)
    assert (found.broken, found.early, found.called_off) == ("", early, 0)
    line = "time-outs were written more than a second before the deadline that was shown"
    assert (f"1 {line}" in run("audit", "--db", where).out.splitlines()) == bool(early)
    assert run("audit", "--db", where, "--json").json["early"] == early


@pytest.mark.parametrize(
    ("zone", "year"),
    [
        # All of these still changed their clocks then: in the morning, at midnight, a minute past.
        ("America/Chicago", 2017),
        ("Europe/Berlin", 2017),
        ("America/Sao_Paulo", 2017),
        ("America/St_Johns", 2010),
    ],
)
@pytest.mark.parametrize("starts", ["00:00", "00:30", "01:30", "02:30", "06:00", "23:30"])
def test_l7_the_gaming_day_never_goes_back(zone: str, year: int, starts: str) -> None:
    settings = Settings({"timezone": zone, "gaming-day-starts": starts})
    begin = datetime.datetime(year, 1, 1, tzinfo=datetime.UTC)
    days = [
        settings.day(int((begin + datetime.timedelta(minutes=15 * n)).timestamp() * 1000))
        for n in range(366 * 96)
    ]
    changes = [(one, two) for one, two in itertools.pairwise(days) if one != two]
    assert all(two - one == datetime.timedelta(days=1) for one, two in changes)
    assert len(changes) == (days[-1] - days[0]).days


# L7: idle practice tables -------------------------------------------------------------------------


def test_l7_a_table_where_somebody_plays_again_is_not_closed(where: str) -> None:
    """Between the look at what is idle and the closing somebody bets: their round goes on."""

    async def play() -> None:
        async with clocked_house(where) as here:
            ann = await here.person("ann", "guest")
            await here.open(ann, MISSISSIPPI.id, practice=True, decision_seconds=600)
            await here.do(ann, c.Sit(1))
            here.at += 11 * 60_000
            live = await here.house.table(here.name)
            assert here.house.idle(live)
            sweeper = houses._Sweeper(here.house)
            await here.do(ann, a.Bet(1, {"ante": 5_00}))
            await here.house._close(here.name, sweeper, c.CloseTable("nobody plays here"))
            assert here.table.open
            assert here.table.under_way

    asyncio.run(play())


def test_l7_what_a_server_slept_through_is_no_idleness(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(houses, "SWEEP_SECONDS", 0.02)
    monkeypatch.setattr(houses, "PAUSE_SECONDS", 0.5)

    async def play() -> None:
        async with clocked_house(where) as here:
            ann = await here.person("ann", "guest")
            await here.open(ann, MISSISSIPPI.id, practice=True)
            await here.do(ann, c.Sit(1))
            here.at += 11 * 60_000
            time.sleep(1)
            await asyncio.sleep(0.2)
            assert here.table.open
            here.at += 11 * 60_000
            await here.until(lambda table: not table.open)

    asyncio.run(play())
