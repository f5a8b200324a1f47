"""One conformance suite for the store: SQLite and PostgreSQL both pass it."""

import queue
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pitboss.errors import Refused, Unreadable
from pitboss.house.storage import store as store_module
from pitboss.house.storage.batch import EntryDraft
from pitboss.house.storage.databases import Postgres, Sqlite, dialect
from pitboss.house.storage.journal import START, Entry, joined, linked
from pitboss.house.storage.reader import Unavailable
from pitboss.house.storage.store import AlreadyDone, Conflict, Store


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    found = Store(where)
    yield found
    found.close()


def entry(stream: str = "table:a", seq: int = 1, key: str = "", body: str = "{}") -> Entry:
    return linked(Entry(stream, seq, 1_000, "ann", key, body), START)


def write(store: Store, draft: EntryDraft) -> Entry:
    future: Future[Entry] = store.append(draft)
    return future.result(timeout=30)


def test_what_is_written_is_read_back_byte_for_byte(store: Store) -> None:
    body = '{"says": "ünïcode, \\u0000 and \\"quotes\\""}'
    written = write(store, EntryDraft(entry(body=body, key="k")))
    assert store.entries("table:a") == [written]
    assert store.by_key("table:a", "ann", "k") == written
    assert store.since(0) == [written]
    assert written.position == 1 == store.position()


def test_a_number_of_a_stream_is_taken_once(store: Store) -> None:
    first = write(store, EntryDraft(entry(key="a")))
    with pytest.raises(Conflict):
        write(store, EntryDraft(entry(key="b", body='{"other": 1}')))
    assert store.entries("table:a") == [first]
    assert store.position() == 1


def test_a_key_is_used_once_and_says_what_was_done(store: Store) -> None:
    first = write(store, EntryDraft(entry(key="k")))
    with pytest.raises(AlreadyDone) as found:
        write(store, EntryDraft(entry(seq=2, key="k")))
    assert found.value.entry == first
    assert write(store, EntryDraft(entry("table:b", key="k"))).position == 2  # another stream


def test_entries_without_a_key_are_never_taken_for_each_other(store: Store) -> None:
    write(store, EntryDraft(entry()))
    assert write(store, EntryDraft(entry(seq=2))).seq == 2


def test_entries_of_two_streams_are_written_together_or_not_at_all(store: Store) -> None:
    bought = (("play:ann", 500), ("cage:play", -500))
    write(store, EntryDraft(entry("person:x")))
    written = write(store, EntryDraft(entry("person:ann"), bought, also=(entry("person:rosa"),)))
    assert [(each.position, each.stream) for each in store.everything()] == [
        (1, "person:x"),
        (2, "person:rosa"),
        (3, "person:ann"),
    ]
    assert written == store.entries("person:ann")[0]
    assert store.rows("SELECT DISTINCT position FROM ledger") == [(3,)], "it is the draft's own"
    taken = EntryDraft(entry("person:bob"), bought, also=(entry("person:rosa"),))
    with pytest.raises(Conflict):
        write(store, taken)
    assert store.position() == 3
    assert store.balance("play:ann") == 500


def test_nobody_but_the_cage_owes(store: Store) -> None:
    bought = (("cage", -100), ("chips:ann", 100))
    write(store, EntryDraft(entry(), bought))
    with pytest.raises(Refused, match="not enough chips"):
        write(store, EntryDraft(entry(seq=2), (("chips:ann", -101), ("chips:bob", 101))))
    assert store.balance("chips:ann") == 100
    assert store.balance("cage") == -100
    assert store.balance("chips:bob") == 0
    write(store, EntryDraft(entry(seq=2), (("chips:ann", -100), ("chips:bob", 100))))
    assert store.balance("chips:ann") == 0
    assert store.rows("SELECT SUM(cents) FROM balances") == [(0,)]
    assert store.rows("SELECT position, line, account, cents FROM ledger ORDER BY 1, 2") == [
        (1, 1, "cage", -100),
        (1, 2, "chips:ann", 100),
        (2, 1, "chips:ann", -100),
        (2, 2, "chips:bob", 100),
    ]


def test_entries_that_do_not_balance_never_get_there(store: Store) -> None:
    with pytest.raises(AssertionError):
        store.append(EntryDraft(entry(), (("cage", -100), ("chips:ann", 99))))


def test_one_bad_command_in_a_batch_does_not_hurt_the_others(store: Store) -> None:
    """Everything waits behind a slow first commit, so that it lands in one batch."""
    drafts = [EntryDraft(entry(f"table:{n}")) for n in range(50)]
    drafts.insert(25, EntryDraft(entry("table:3", body='{"second": 1}')))
    drafts.insert(40, EntryDraft(entry("table:x"), (("chips:nobody", -1), ("cage", 1))))
    futures = [store.append(draft) for draft in drafts]
    failed = [n for n, future in enumerate(futures) if future.exception(30) is not None]
    assert failed == [25, 40]
    written = store.since(0)
    assert [each.position for each in written] == list(range(1, 51))
    assert store.position() == 50


def test_what_is_kept_is_replaced(store: Store) -> None:
    write(store, EntryDraft(entry(), (), (("meter", "a", "1"), ("meter", "b", "2"))))
    write(store, EntryDraft(entry(seq=2), (), (("meter", "a", "3"),)))
    assert store.all_kept("meter") == {"a": "3", "b": "2"}
    assert store.kept("meter", "a") == "3"
    assert store.kept("meter", "c") is None


def test_many_threads_write_without_gaps(where: str) -> None:
    one, two = Store(where), Store(where)  # two processes would do the same

    def work(store: Store, name: str) -> None:
        link = START
        for seq in range(1, 41):
            made = linked(Entry(f"table:{name}", seq, 0, "ann", "", "{}"), link)
            write(store, EntryDraft(made, (("cage", -1), (f"chips:{name}", 1))))
            link = made.hash

    threads = [
        threading.Thread(target=work, args=(store, f"{number}-{each}"))
        for number, store in enumerate((one, two))
        for each in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.position for each in one.everything()] == list(range(1, 321))
    assert one.balance("cage") == -320
    one.close()
    two.close()


def test_two_processes_that_write_in_turn_make_one_journal(where: str) -> None:
    stores = one, two = Store(where), Store(where)
    for seq, store in enumerate([one, one, two, one, two, two, one], start=1):
        write(store, EntryDraft(entry(seq=seq), (("cage", -1), ("chips:ann", 1))))
    with pytest.raises(Conflict):
        write(two, EntryDraft(entry(seq=7, body='{"other": 1}')))
    write(two, EntryDraft(entry(seq=8)))
    whole = ""
    for number, each in enumerate(one.everything(), start=1):
        assert (each.position, each.seq) == (number, number)
        whole = joined(whole, each)
    assert one.rows("SELECT position, whole FROM head") == [(8, whole)]
    assert one.balance("chips:ann") == 7
    for store in stores:
        store.close()


def test_a_process_is_told_of_others_and_not_of_itself(postgres: str) -> None:
    one, two = Store(postgres), Store(postgres)
    told: queue.Queue[float] = queue.Queue()
    stopped = threading.Event()
    thread = threading.Thread(target=one.follow, args=(lambda: told.put(time.monotonic()), stopped))
    thread.start()
    begun = told.get(timeout=30)  # it listens
    for seq in range(1, 6):
        write(one, EntryDraft(entry(seq=seq)))
    assert told.get(timeout=30) - begun > 0.4  # half a second without news
    for seq in range(6, 12):
        begun = time.monotonic()
        write(two, EntryDraft(entry(seq=seq)))
        two.execute(("SELECT pg_notify('pitboss', 'nonsense')", ()))
        while told.get(timeout=30) < begun:
            pass
        if time.monotonic() - begun < 0.3:
            break
    else:
        raise AssertionError("it is not told at once")
    stopped.set()
    thread.join()
    one.close()
    two.close()


def test_what_no_database_could_keep_is_refused(store: Store) -> None:
    for each in (entry("table:\0"), entry(key="\0"), entry(body='"\0"')):
        with pytest.raises(Unreadable):
            write(store, EntryDraft(each))
    with pytest.raises(Unreadable):
        write(store, EntryDraft(entry(), (("cage", -(10**12) - 1), ("chips:ann", 10**12 + 1))))
    write(store, EntryDraft(entry(), (("cage", -(10**12)), ("chips:ann", 10**12))))
    assert store.balance("chips:ann") == 10**12


def test_a_journal_without_its_head_takes_nothing(store: Store) -> None:
    store.execute(("DELETE FROM head", ()))
    with pytest.raises(Unavailable):
        write(store, EntryDraft(entry()))
    assert store.entries("table:a") == []


def test_another_process_is_heard_of(where: str) -> None:
    one, two = Store(where), Store(where)
    woken, stopped = threading.Event(), threading.Event()
    thread = threading.Thread(target=one.follow, args=(woken.set, stopped))
    thread.start()
    for seq in range(1, 200):
        write(two, EntryDraft(entry(seq=seq)))
        if woken.wait(0.05):
            break
    stopped.set()
    thread.join()
    assert woken.is_set()
    one.close()
    two.close()


def test_a_closed_store_writes_nothing_more(where: str) -> None:
    store = Store(where)
    waiting = [store.append(EntryDraft(entry(f"table:{n}"))) for n in range(100)]
    store.close()
    assert all(future.exception(30) is None for future in waiting)
    with pytest.raises(Unavailable):
        write(store, EntryDraft(entry("table:late")))


def test_what_could_not_be_taken_back_takes_nothing_else_along(tmp_path: Path) -> None:
    """On a connection that is still in the middle of what broke a rule, what comes next would be
    told as written and never be there."""
    path, refused = str(tmp_path / "house.db"), [False]

    class NoWayBack(Sqlite):
        def connect(self, patience: float | None = None) -> sqlite3.Connection:
            def may(action: int, what: str | None, *_: str | None) -> int:
                back = action == sqlite3.SQLITE_TRANSACTION and what == "ROLLBACK"
                return sqlite3.SQLITE_DENY if back and refused[0] else sqlite3.SQLITE_OK

            found = super().connect(patience)
            found.set_authorizer(may)
            return found

    with closing(Store(path, database=NoWayBack(path))) as one, closing(Store(path)) as two:
        write(one, EntryDraft(entry()))
        write(two, EntryDraft(entry(seq=2)))  # so that the other has to look for the head
        refused[0] = True
        with pytest.raises((Conflict, Unavailable)):
            write(one, EntryDraft(entry()))
        written = write(one, EntryDraft(entry(seq=3)))
        assert two.entries("table:a")[-1] == written


def test_a_database_of_a_later_version_is_left_alone(where: str) -> None:
    store = Store(where)
    store.execute(("INSERT INTO schema_version VALUES (?)", (999,)))
    store.close()
    with pytest.raises(Unavailable, match="later"):
        Store(where)


def test_a_place_where_nothing_can_be_written_says_so() -> None:
    with pytest.raises(Unavailable):
        Store(f"{__file__}/house.db")
    with pytest.raises(Unavailable):
        Store("postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")


def test_another_process_that_comes_and_goes_takes_nothing_along(tmp_path: Path) -> None:
    """Whoever closes a SQLite file last tidies up. Another process must see that we are there."""
    where = str(tmp_path / "house.db")
    look = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
    look += "print(c.execute('SELECT COUNT(*) FROM journal').fetchone()[0]); c.close()"

    def seen_from_outside() -> int:
        command = [sys.executable, "-c", look, where]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    store = Store(where)
    for seq in range(1, 6):
        write(store, EntryDraft(entry(seq=seq)))
        store.execute(("DELETE FROM failures", ()))
        Store(where).close()
        assert seen_from_outside() == seq
    store.close()
    assert seen_from_outside() == 5


def test_an_old_sqlite_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(Unreadable, match=r"3\.38 is needed"):
        Store(str(tmp_path / "house.db"))


@contextmanager
def frozen(where: str) -> Iterator[None]:
    """Let every statement that would write wait."""
    database = dialect(where)
    with closing(database.connect()) as other:
        other.execute(database.begin)
        if isinstance(database, Postgres):
            other.execute("LOCK TABLE head, failures IN ACCESS EXCLUSIVE MODE")
        yield


def test_a_store_closes_in_time_when_its_queue_is_full(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "LONGEST_QUEUE", 10)
    monkeypatch.setattr(store_module, "LARGEST_BATCH", 3)
    store = Store(where)
    write(store, EntryDraft(entry("table:first")))
    with frozen(where):
        asked = [store.append(EntryDraft(entry("table:0")))]
        while store.waiting:  # until the writer has it
            time.sleep(0.01)
        asked += [store.append(EntryDraft(entry(f"table:{n}"))) for n in range(1, 13)]
        assert [n for n, each in enumerate(asked) if each.done()] == [11, 12]
        begun = time.monotonic()
        store.close(0.5)
        assert 0.5 <= time.monotonic() - begun < 3
        assert all(isinstance(each.exception(0), Unavailable) for each in asked[1:])
        assert not asked[0].done()
    assert asked[0].exception(30) is None
    other = Store(where)
    assert [each.stream for each in other.since(0)] == ["table:first", "table:0"]
    write(other, EntryDraft(entry("table:0", 2)))
    other.close()


def test_a_store_closes_in_time_while_somebody_else_waits_for_the_database(where: str) -> None:
    store = Store(where)
    store.try_writing()
    changes: list[Exception | None] = []

    def change() -> None:
        try:
            store.execute(("INSERT INTO failures VALUES (?, ?, ?)", ("ann", "here", 1)))
            changes.append(None)
        except Unavailable as error:
            changes.append(error)

    with frozen(where):
        several = [threading.Thread(target=change) for _ in range(2)]
        for each in several:
            each.start()
        while not store._changer._lock.locked():
            time.sleep(0.01)
        begun = time.monotonic()
        store.close(0.5)
        assert 0.5 <= time.monotonic() - begun < 3
    for each in several:
        each.join(30)
    # Whoever had begun is done; whoever came after is not, and no connection is left.
    assert sorted(map(str, changes)) == ["None", "the store is closed"]
    assert store._changer._connection is None
    other = Store(where)
    assert other.rows("SELECT name, address, at FROM failures") == [("ann", "here", 1)]
    other.close()
