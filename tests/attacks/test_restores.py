"""No card that anybody may have seen before a restore is dealt after it: H6."""

import asyncio
import os
import shutil
import signal
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from pitboss.audit.audit import audit
from pitboss.audit.snapshot import Snapshot
from pitboss.errors import Unreadable
from pitboss.house.high_water import HighWater, open_mark
from pitboss.house.house import House
from pitboss.house.people import persons as p
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.journal import START, Entry, linked
from pitboss.house.storage.store import Store
from pitboss.house.table import commands as c
from pitboss.house.table.state import Table
from pitboss.round import actions as a
from pitboss.web.server import Opened, serve
from tests.attacks.restored import at_work, copied, put_back
from tests.helpers import DIAMOND_JO
from tests.house.clocked_house import seed
from tests.house.shelves import OURS, changed, file
from tests.passwords import quick_passwords
from tests.web.open_house import Caller, process, rigged


@pytest.mark.parametrize("betting", [True, False])
def test_h6_no_deck_that_was_sealed_before_a_restore_is_dealt(where: str, betting: bool) -> None:
    async def before() -> tuple[str, str, int]:
        house = House(Store(where))
        await house.start()
        name = await at_work(house, betting=betting)
        table = (await house.table(name)).table
        await house.stop()
        return name, table.commitment, table.number

    async def after(name: str, commitment: str, number: int) -> None:
        house = House(Store(where))
        await house.start(restored=True)
        table = (await house.table(name)).table
        assert table.number == number + 1
        assert table.commitment not in ("", commitment)
        assert table.locked
        assert not table.under_way
        chips = await house.in_thread(house.store.balance, "play:ann")
        assert chips == 1_000_00, "every bet went back"
        await house.command(name, "ann", a.Bet(1, {"ante": 5_00}), "bet again", table.moment)
        assert (await house.table(name)).table.under_way
        await house.stop()

    asyncio.run(after(*asyncio.run(before())))
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
    assert (found.broken, found.called_off) == ("", int(not betting))


def test_h6_a_round_of_which_a_seat_was_paid_is_paid_to_its_end(where: str) -> None:
    """No card of it is still to come, and nobody calls off what was paid: nothing is claimed."""

    async def story() -> None:
        house = House(Store(where), deck=rigged("As 7s Ad Jc Ac Ah Jd"))
        await house.start()
        for name in ("ann", "bob"):
            await seed(house, name, ("player",), 1_000_00)
        await house.record("house", "flo", "", p.PersonAdded("Flo", ("floor-supervisor",)))
        opens = c.OpenTable(DIAMOND_JO.id, minimum_cents=5_00, maximum_cents=100_00)
        table, _ = await house.open_table("flo", opens, "open")

        async def does(who: str, command: Any, key: str) -> Table:
            moment = (await house.table(table)).table.moment
            await house.command(table, who, command, key, moment)
            return (await house.table(table)).table

        sitters = {1: "ann", 2: "bob"}
        for seat, who in sitters.items():
            await does(who, c.Sit(seat), "sit")
        for seat, who in sitters.items():
            await does(who, a.Bet(seat, {"ante": 5_00}), "bet")
        for street in range(3):
            for seat, who in sitters.items():
                await does(who, a.Raise(seat, 3), f"raise {street}")
        before = (await house.table(table)).table
        assert [*before.paid] == [1], "bob's five hundred wait for approval"
        await house.stop()
        house = House(Store(where))
        await house.start(restored=True)
        assert (await house.table(table)).table == before
        after = await does("flo", c.ApprovePayoff(2, "floor-supervisor"), "approve")
        assert (after.number, after.locked != before.locked) == (before.number + 1, True)
        held = [
            await house.in_thread(house.store.balance, account)
            for account in ("chips:ann", "chips:bob", "claims:ann", "layout:" + table)
        ]
        assert held == [1_150_00, 1_500_00, 0, 0]
        await house.stop()

    asyncio.run(story())
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
    assert (found.broken, found.called_off) == ("", 0)


def test_h6_bets_that_were_taken_back_before_a_restore_are_no_round(where: str) -> None:
    async def work() -> None:
        house = House(Store(where))
        await house.start()
        name = await at_work(house, betting=True)
        await house.enter(await house.invite(name, "ann"), "bob")
        await house.command(name, "bob", c.Sit(2), "sit")  # whose bet is waited for
        for wagers, key in (({"ante": 5_00}, "down"), ({}, "taken back")):
            moment = (await house.table(name)).table.moment
            await house.command(name, "ann", a.Bet(1, wagers), key, moment)
        await house.stop()
        again = House(Store(where))
        await again.start(restored=True)
        await again.stop()

    asyncio.run(work())
    with Snapshot(where) as snapshot:
        found = audit(snapshot)
    assert (found.broken, found.called_off) == ("", 0)


def test_h6_a_house_that_was_not_restored_goes_on_as_it_stood(where: str) -> None:
    async def work() -> None:
        house = House(Store(where))
        await house.start()
        name = await at_work(house, betting=False)
        noted = (await house.table(name)).table
        await house.stop()
        again = House(Store(where))
        await again.start()
        assert (await again.table(name)).table == noted
        await again.stop()

    asyncio.run(work())


def test_h6_a_mark_that_was_taken_away_holds_up_nobody_who_stops(tmp_path: Path) -> None:
    folder = tmp_path / "marks"
    mark = HighWater(folder / "house.seen")
    mark.note((1, "a" * 64))
    mark.note((2, "b" * 64))  # not yet brought to the disk
    shutil.rmtree(folder)
    folder.write_text("no folder any more")
    mark.note((3, "c" * 64))
    stops = threading.Thread(target=mark.close, daemon=True)
    stops.start()
    stops.join(10)
    assert not stops.is_alive()


def test_h6_the_mark_tells_a_journal_that_was_put_back(where: str, tmp_path: Path) -> None:
    async def work() -> None:
        path = tmp_path / "house.seen"
        mark, store = HighWater(path), Store(where)
        assert not mark.restored(store), "nothing was seen yet"
        mark.note((0, ""))
        assert not path.exists(), "nor is anything noted of it"
        house = House(store)
        await house.start()
        house.subscriber.seen = mark.note
        await seed(house, "ann", ("player",), 100)
        mark.close()
        written = list(store.everything())
        mark = HighWater(path)
        assert not mark.restored(store), "all that was seen is there"
        lost = written[-1]
        mark.note((lost.position + 1, lost.hash))
        mark.close()
        mark = HighWater(path)
        assert mark.restored(store), "it ends too early"
        mark.note((lost.position, "0" * 64))
        mark.close()
        mark = HighWater(path)
        assert mark.restored(store), "it goes on otherwise"
        mark.close()
        await house.stop()

    asyncio.run(work())


def test_h6_a_disk_that_takes_no_mark_stops_nobody(
    where: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        mark, house = HighWater(tmp_path / "house.seen"), House(Store(where))
        await house.start()
        heard: list[int] = []
        house.subscriber.seen = mark.note
        house.subscriber.listeners.append(lambda entry: heard.append(entry.position))
        mark.close()
        mark._file = os.open("/dev/full", os.O_RDWR)
        await seed(house, "ann", ("player",), 100)
        assert heard[-1] == house.position == house.store.position()
        await house.stop()
        mark.close()

    asyncio.run(work())
    why = "No space left on device; after a restore say serve --restored"
    assert [each.message for each in caplog.records] == [f"the high-water mark is not kept: {why}"]


def test_h6_a_start_that_is_cut_short_is_a_restored_one_again(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is noted before every deck is sealed anew."""

    async def work() -> None:
        house = House(Store(where))
        await house.start()
        await house.sessions.first_administrator()
        await at_work(house, betting=True)
        lost = next(iter(reversed(list(house.store.everything()))))
        mark = open_mark(tmp_path, house.store)
        assert mark is not None
        await house.stop()
        mark.note((lost.position + 7, lost.hash))
        mark.close()

    async def cut_short(house: House, *, restored: bool) -> int:
        await start(house, restored=restored)
        await house.stop()
        raise InterruptedError

    asyncio.run(work())
    (seen,) = tmp_path.glob("*.seen")
    before, start = seen.read_text(), House.start
    with monkeypatch.context() as patch:
        patch.setattr(House, "start", cut_short)
        with pytest.raises(InterruptedError):
            _opened(where, tmp_path)
    assert seen.read_text() == before
    assert [_opened(where, tmp_path).restored for _ in range(2)] == [True, False]
    assert seen.read_text() != before


def _opened(where: str, marks: Path, *, restored: bool = False) -> Opened:
    """Open a house and close it again: what is told of it."""
    told = list[Opened]()

    def started(opened: Opened) -> None:
        assert [*marks.glob("*.seen")], "before anybody is let in"
        told.append(opened)
        signal.raise_signal(signal.SIGTERM)

    handlers = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    asyncio.run(
        serve(
            where,
            "127.0.0.1",
            0,
            started,
            signing=None,
            marks=marks,
            restored=restored,
            new_secret=False,
        )
    )
    for each, handler in handlers.items():
        signal.signal(each, handler)
    return told[0]


@pytest.mark.parametrize("spoilt", ["NULs", "half", "nothing", "more"])
def test_h6_a_file_that_is_no_mark_is_refused_and_written_anew_after_a_restore(
    where: str, tmp_path: Path, spoilt: str
) -> None:
    """As a power cut or a full disk leaves it."""
    _opened(where, tmp_path)
    (seen,) = tmp_path.glob("*.seen")
    good = seen.read_bytes()
    left = {"NULs": bytes(len(good)), "half": good[:40], "nothing": b"", "more": 3 * good}[spoilt]
    seen.write_bytes(left)
    for _ in range(2):
        with pytest.raises(Unreadable, match=r"no high-water mark.*: serve --restored"):
            _opened(where, tmp_path)
        assert seen.read_bytes() == left
    assert _opened(where, tmp_path, restored=True).restored
    store = Store(where)
    position, link = store.newest()
    store.close()
    assert seen.read_text() == f"seen up to entry {position:18}: {link}\n"
    assert not _opened(where, tmp_path).restored
    assert [*tmp_path.glob("*.seen*")] == [seen]


def test_h6_a_folder_is_no_mark(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot keep"):
        HighWater(tmp_path)


def test_h6_who_opens_an_old_house_without_a_mark_is_told(where: str, tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    assert not _opened(where, first).unmarked, "it is new"
    assert not _opened(where, first).unmarked
    assert _opened(where, second).unmarked
    assert not _opened(where, second).unmarked, "now it has one there"
    assert not _opened(where, third, restored=True).unmarked, "nobody has to be told"
    assert not _opened(where, third).unmarked


def test_h6_a_house_that_only_has_its_rulebooks_was_not_open_before(tmp_path: Path) -> None:
    with process(tmp_path, "--rulebook", file(tmp_path, changed(*OURS))) as house:
        assert "high-water" not in house.errors.read_text("utf-8")


def test_h6_serve_says_that_there_is_no_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with process(tmp_path) as house:
        assert "high-water" not in house.errors.read_text("utf-8")
    monkeypatch.setenv("PITBOSS_DATA", str(tmp_path / "fresh"))
    with process(tmp_path, "--new-secret") as house:
        assert house.errors.read_text("utf-8") == (
            f"{tmp_path / 'fresh'}: no high-water mark of this house lies here, and nobody can tell"
            " whether its database was put back: if it was, stop and say serve --restored\n"
        )


def _seen(path: Path) -> int:
    return int(path.read_text().split()[4].removesuffix(":"))


@pytest.mark.parametrize("gone", ["file", "folder", "replaced"])
def test_h6_a_mark_that_is_taken_away_under_a_server_comes_back(tmp_path: Path, gone: str) -> None:
    path, link = tmp_path / "marks" / "house.seen", f"{7:064x}"
    marks = [HighWater(path) for _ in range(2)]  # of two servers
    for mark in marks:
        mark.note((7, link))
    if gone == "replaced":
        (tmp_path / "old").write_bytes(path.read_bytes().replace(b" 7:", b" 3:"))
        (tmp_path / "old").replace(path)
    else:
        path.unlink()
    if gone == "folder":
        path.parent.rmdir()
    for number, noted, stays in ((0, 8, 8), (1, 9, 9), (0, 10, 10), (1, 9, 10)):
        marks[number].note((noted, link))
        assert _seen(path) == stays
    assert path.stat().st_mode & 0o777 == 0o600 or gone == "replaced"
    for mark in marks:
        mark.close()


def test_h6_a_copy_that_is_put_back_deals_other_cards(tmp_path: Path) -> None:
    """As it is done at the console: copy, play on, put the copy back, open."""
    copy = tmp_path / "copy.db"
    with process(tmp_path) as house:
        ann = house.guest()
        table = ann.open(DIAMOND_JO.id)
        assert ann.do(table, "sit", seat=1).status == 200
        noted = ann.view(table)["commitment"]
        with sqlite3.connect(house.db) as source, sqlite3.connect(copy) as target:
            source.backup(target)
        source.close()
        target.close()
        assert ann.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
    with process(tmp_path, "--new-secret") as house:
        assert "put back" not in house.said
        ann.address = house.address
        assert ann.view(table)["commitment"] == noted
    for each in ("-wal", "-shm"):
        house.db.with_name(house.db.name + each).unlink(missing_ok=True)
    copy.replace(house.db)
    with process(tmp_path, "--new-secret") as house:
        assert "The database was put back" in house.said
        ann.address = house.address
        view = ann.view(table)
        assert view["commitment"] not in ("", noted)
    with process(tmp_path, "--new-secret") as house:
        assert "put back" not in house.said
        ann.address = house.address
        assert ann.view(table)["commitment"] == view["commitment"]
    with process(tmp_path, "--new-secret", "--restored") as house:
        assert "The database was put back" in house.said
        ann.address = house.address
        assert ann.view(table)["commitment"] != view["commitment"]
    with Snapshot(str(house.db)) as snapshot:
        assert audit(snapshot).broken == ""


def test_h6_a_copy_is_the_same_house_by_whatever_name_it_is_opened(
    where: str, tmp_path: Path
) -> None:
    key = ("--signing-key", str(tmp_path / "house.key"), "--new-secret")
    with process(tmp_path, "--db", where, *key) as house:
        ann = house.guest()
        table = ann.open(DIAMOND_JO.id)
        ann.do(table, "sit", seat=1)
        noted = [ann.view(table)["commitment"]]
    places = [copied(where, tmp_path / "copy.db")]
    with process(tmp_path, "--db", where, *key) as house:
        assert "put back" not in house.said
        ann.address = house.address
        assert ann.do(table, "bet", seat=1, wagers={"ante": 500}).status == 200
    if "://" not in where:
        (tmp_path / "folder").mkdir()
        link, hard = tmp_path / "folder" / "link.db", tmp_path / "folder" / "hard.db"
        put_back(where, tmp_path / "copy.db")
        link.symlink_to(where)
        places += [str(link), copied(places[0], tmp_path / "again.db")]
        hard.hardlink_to(tmp_path / "again.db")
        places[-1] = str(hard)
    for place in places:
        with process(tmp_path, "--db", place, *key) as house:
            assert "The database was put back: " in house.said
            ann.address = house.address
            noted.append(ann.view(table)["commitment"])
    assert len({*noted}) == 1 + len(places)


def test_h6_two_houses_of_one_name_are_not_taken_for_one_another(
    where: str, tmp_path: Path
) -> None:
    """As two clusters that are reached by sockets, or a file where another was."""
    name = urlsplit(where).path[1:]

    def call(one: str, other: str) -> None:
        if "://" not in where:
            Path(f"{where}{one}").rename(f"{where}{other}")
            return
        with psycopg.connect(where.replace(f"/{name}?", "/postgres?"), autocommit=True) as server:
            server.execute(f"ALTER DATABASE {name}{one} RENAME TO {name}{other}".encode())
            if other == "_first":
                server.execute(f"CREATE DATABASE {name}".encode())

    keys = [("--signing-key", str(tmp_path / f"{n}.key"), "--new-secret") for n in (1, 2)]
    with process(tmp_path, "--db", where, *keys[0]) as house:
        ann = house.guest()
        table = ann.open(DIAMOND_JO.id, betting_seconds=600, decision_seconds=600)
        ann.do(table, "sit", seat=1)
        ann.do(table, "bet", seat=1, wagers={"ante": 500})
        under_way = ann.view(table)
    call("", "_first")
    with process(tmp_path, "--db", where, *keys[1]) as house:
        assert "put back" not in house.said
        house.guest().open(DIAMOND_JO.id)
    call("", "_second")
    call("_first", "")
    with process(tmp_path, "--db", where, *keys[0]) as house:
        assert "put back" not in house.said
        ann.address = house.address
        view = ann.view(table)
    assert [view[each] for each in ("seq", "round", "seats")] == [
        under_way[each] for each in ("seq", "round", "seats")
    ]


def test_h6_two_houses_of_one_moment_have_two_marks(tmp_path: Path) -> None:
    """Their first entries are the same; whoever signed them is not."""
    stores = [Store(str(tmp_path / f"{n}.db"), signing=tmp_path / f"{n}.key") for n in (1, 2)]
    for store in stores:
        assert open_mark(tmp_path, store) is None
        assert not [*tmp_path.glob("*.seen")]
    first = linked(Entry("house", 1, 0, "house", "first", "{}"), START)
    for store in stores:
        store.append(EntryDraft(first)).result(10)
    for _ in range(2):
        for store in stores:
            mark = open_mark(tmp_path, store)
            assert mark is not None
            mark.note((1, first.hash))
            mark.close()
        assert len([*tmp_path.glob("*.seen")]) == 2
    for store in stores:
        store.close()


def test_h6_a_server_that_is_behind_does_not_take_the_mark_back(tmp_path: Path) -> None:
    path, links = tmp_path / "house.seen", {n: f"{n:064x}" for n in (5, 7, 10, 11)}
    quick, slow = HighWater(path), HighWater(path)
    for mark, noted, stays in ((quick, 10, 10), (slow, 5, 10), (slow, 10, 10), (slow, 11, 11)):
        mark.note((noted, links[noted]))
        assert _seen(path) == stays
    slow.go_back()
    for noted, stays in ((7, 7), (5, 7), (10, 10)):
        slow.note((noted, links[noted]))
        assert _seen(path) == stays
    quick.close()
    slow.close()


def test_h6_a_power_cut_takes_a_second_of_the_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody waits for the disk: many notes are brought there at once, on another thread."""
    synced, sync = list[tuple[str, bool]](), os.fsync

    def fsync(file: int) -> None:
        synced.append((threading.current_thread().name, b" 300: " in os.pread(file, 99, 0)))
        sync(file)

    mark = HighWater(tmp_path / "house.seen")
    mark.note((1, f"{1:064x}"))  # a new one is laid there whole, when the house opens
    monkeypatch.setattr(os, "fsync", fsync)
    for number in range(2, 301):
        mark.note((number, f"{number:064x}"))
    ends = time.monotonic() + 10
    while ("high water", True) not in synced and time.monotonic() < ends:
        time.sleep(0.05)
    mark.note((300, f"{300:064x}"))  # which is there
    mark.close()
    assert synced in ([("high water", True)], [("high water", False), ("high water", True)])


def test_h6_a_folder_that_takes_no_mark_is_named_before_a_house_begins(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = Store(str(tmp_path / "house.db"))
    with pytest.raises(Unreadable, match=r"cannot keep the high-water mark.*PITBOSS_DATA"):
        open_mark(tmp_path / "file", store)
    assert store.position() == 0
    store.close()


def test_h6_a_session_that_was_ended_does_not_come_back_with_a_copy(where: str) -> None:
    """Nobody knows which of them were; guests have no other way back to what is theirs."""
    new = "another-long-password"

    async def before() -> tuple[str, str]:
        house = House(Store(where))
        await house.start()
        secret = await house.sessions.first_administrator()
        assert secret is not None
        await house.sessions.change_password("admin", secret, new)
        stolen, guest = await house.sessions.login("admin", new), await house.sessions.guest()
        await house.stop()
        return stolen.token, guest.token

    async def after(stolen: str, guest: str, *, restored: bool) -> list[bool]:
        house = House(Store(where))
        await house.start(restored=restored)
        found = [await house.sessions.person(each) for each in (stolen, guest)]
        again = await house.sessions.login("admin", new)
        assert await house.sessions.person(again.token) is not None
        await house.stop()
        return [each is not None for each in found]

    with quick_passwords():
        tokens = asyncio.run(before())
        assert asyncio.run(after(*tokens, restored=False)) == [True, True]
        assert asyncio.run(after(*tokens, restored=True)) == [False, True]


def test_h6_who_restores_is_told_of_sessions_and_passwords(tmp_path: Path) -> None:
    copy, old = tmp_path / "copy.db", "a-long-enough-password"
    with process(tmp_path) as house:
        admin = house.caller()
        body = {"name": "admin", "password": house.secret, "new": old}
        assert admin("POST", "/api/password", body).status == 204
        stolen = admin.login("admin", old).token
        put_back(str(copy), house.db)
        body = {"name": "admin", "password": old, "new": "another-long-password"}
        assert admin("POST", "/api/password", body).status == 204
        assert Caller(house.address, stolen)("GET", "/api/me").status == 401
    put_back(str(house.db), copy)
    with process(tmp_path, "--new-secret") as house:
        assert house.said.splitlines()[1] == (
            "Passwords are those of the copy: set them again;"
            " sessions that began with one have ended"
        )
        assert Caller(house.address, stolen)("GET", "/api/me").status == 401


# A database that is put back under a server that runs --------------------------------------------
