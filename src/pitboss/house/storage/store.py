"""The one small store: SQLite in a file, or PostgreSQL by its URL, with the same SQL.

Everything that happens is written by one thread, many commands in one transaction: a group commit.
One that breaks a rule of the database is taken apart until the one command that broke it is found;
the others are not hurt by it.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from pitboss.errors import PitbossError, Refusal, Unreadable, refuse
from pitboss.house.books.ledger import MAY_OWE
from pitboss.house.storage.batch import EntryDraft, batch, fences
from pitboss.house.storage.database_rules import differences, expected
from pitboss.house.storage.databases import OURS, PATIENCE, Dialect, dialect
from pitboss.house.storage.journal import COLUMNS, Entry
from pitboss.house.storage.reader import BREATH, Reader, SharedConnection, Unavailable, hang_up
from pitboss.house.storage.schema import migrate, refusal, version
from pitboss.house.storage.signing import Head, SigningKey, make, read

T = TypeVar("T")

LARGEST_BATCH = 256
LONGEST_QUEUE = 10_000
MOST_CENTS = 10**12
"""That one posting moves; so many of them that an account overflows there will never be."""

TRIES = 20
"""How often something is decided again when others are quicker (optimistic concurrency)."""

SHOWN = 3
"""So many of the database's rules that are not ours are named."""

LATELY = 5.0
"""Seconds for which a batch that could not be written tells how things stand."""

CLOSING_SECONDS = 60.0
"""How long a store that closes may write what is waiting, where nobody says how long."""


class Conflict(PitbossError):
    """Somebody else wrote to this stream first: look again and decide again."""


class Stale(Conflict):
    """What was relied on is no longer so: these streams have gone on."""

    def __init__(self, streams: Mapping[str, int]) -> None:
        super().__init__(f"no longer so: {', '.join(streams)}")
        self.streams = streams
        """Each with the number that was relied on."""


class AlreadyDone(PitbossError):
    """This key has been used: here is what was done."""

    def __init__(self, entry: Entry) -> None:
        super().__init__("this command was done before")
        self.entry = entry


KEY_REUSED = Refusal("command/key-reused", "this key was used for another command", "", "key")


class Store(Reader):
    """Reading from any thread, writing from one of its own."""

    def __init__(
        self,
        where: str,
        *,
        database: Dialect | None = None,
        signing: Path | None = None,
        new_key: bool = False,
    ) -> None:
        """Open it; with the file of a key, made where nothing was signed yet or another is to
        begin, every batch is signed."""
        super().__init__(database or dialect(where))
        self.archive = Reader(self.database)
        """For what visitors look at: the house's own questions do not wait for theirs."""
        self._changer = SharedConnection(self.database)
        self._queue: queue.SimpleQueue[tuple[EntryDraft, Any] | None] = queue.SimpleQueue()
        self._head: Head = (0, "")
        """How far the journal goes and its hash, if this process wrote last; where it did not,
        the database says so, and nothing is written."""
        self.known: Head = (0, "")
        """The last entry that this process has heard of: its place in the journal, and its hash."""
        self._written: Head = (0, "")
        """The last entry that this process has written; others may have written before it what is
        not heard of yet."""
        self.put_back: Callable[[], object] = lambda: None
        """Is told, on any thread, when the journal does not hold one of these any more."""
        self._failed = float("-inf")
        """When a batch could not be written, and none has been since."""
        self._closed = False
        self._closing = threading.Lock()
        self.committed: Callable[[list[tuple[Any, Entry | Exception]]], None] = deliver
        """Who hears of every batch, on the writer's thread: it must deliver the results. Nobody
        waits for an entry that was written with another."""
        self.key: SigningKey | None = None
        self._migrate(signing, new_key=new_key)
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
        self._thread.start()

    def execute(self, *statements: tuple[str, Sequence[Any]]) -> None:
        """Change secrets, sessions and failures: what is no part of the journal."""
        with self._changer.connection() as connection, self._transaction(connection) as cursor:
            for sql, values in statements:
                cursor.execute(self.database.sql(sql), values)

    def try_writing(self) -> None:
        """Write what is taken back at once; raises ``Unavailable`` where that cannot be done, and
        where it could not be done a moment ago."""
        if time.monotonic() - self._failed < LATELY:
            raise Unavailable("the last batch could not be written")
        # What sets a value to what it is would not be written at all.
        self.execute(
            ("INSERT INTO failures VALUES (?, ?, ?)", _NOBODYS),
            ("DELETE FROM failures WHERE name = ? AND address = ? AND at = ?", _NOBODYS),
        )

    @property
    def furthest(self) -> Head:
        """The furthest entry that this process knows of."""
        return max(self.known, self._written)

    def news(self, known: Head) -> list[Entry]:
        """Return the entries after one that is known; ``Unavailable`` where that is gone, or what
        we wrote after it."""
        position, ours = known[0], (known, self._written)
        found = self.since(position - 1)
        there = {(each.position, each.hash) for each in found}
        for head in ours:  # what we wrote may be on a later page
            if head[0] >= max(position, 1) and head not in there and not self.holds(head):
                raise self._gone()
        return [each for each in found if each.position > position]

    def follow(self, wake: Callable[[], None], stopped: threading.Event) -> None:
        """Call ``wake`` whenever somebody may have written, until stopped."""
        connection: Any = None
        while not stopped.is_set():
            try:
                if connection is None:
                    connection = self.database.connect(PATIENCE)
                    self.database.listen(connection)
                else:
                    self.database.heard(connection, stopped)
                wake()
            except (self.database.failed, Unavailable):
                hang_up(connection)
                connection = None
                stopped.wait(BREATH)
        hang_up(connection)

    # Writing ----------------------------------------------------------------------------------

    def append(self, draft: EntryDraft, future: Any = None) -> Any:
        """Have this written; the future tells where it went, or why not."""
        amounts = [cents for _, cents in draft.postings]
        assert sum(amounts) == 0, draft.postings
        future = future or Future()
        # A database could not keep it as it is: SQLite would cut text short and not say so.
        text = "".join((draft.entry.stream, draft.entry.actor, draft.entry.key, draft.entry.body))
        if "\0" in text or max(map(abs, amounts), default=0) > MOST_CENTS:
            future.set_exception(Unreadable("this has a NUL, or more money than there is"))
            return future
        with self._closing:
            full = self._closed or self._queue.qsize() >= LONGEST_QUEUE
            if not full:
                self._queue.put((draft, future))
        if full:
            future.set_exception(Unavailable("too much is waiting to be written"))
        return future

    async def write(self, draft: EntryDraft) -> Entry:
        """Have this written, and wait for it: where it went, or why not."""
        future: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        self.append(draft, future)
        return await future

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def close(self, patience: float = CLOSING_SECONDS) -> None:
        """Write what is waiting, then stop; after so many seconds, stop all the same: what is being
        written is written whole or not at all, and nothing after it."""
        with self._closing:
            first, self._closed = not self._closed, True
        if not first:
            return
        ends = time.monotonic() + patience
        self._queue.put(None)
        self._thread.join(patience)
        left = [each for each in self._take(self._queue.qsize()) if each is not None]
        self._queue.put(None)  # it may be what was taken last
        self.committed([(future, Unavailable("the store is closed")) for _, future in left])
        for line in (self._reader, self.archive._reader, self._changer):
            line.close(max(0, ends - time.monotonic()))

    def _take(self, most: int) -> list[tuple[EntryDraft, Any] | None]:
        """Take what waits, up to so many; None comes last of all."""
        taken: list[tuple[EntryDraft, Any] | None] = []
        with contextlib.suppress(queue.Empty):
            while len(taken) < most:
                taken.append(self._queue.get_nowait())
        return taken

    def _write(self) -> None:
        connection: Any = None
        last = False
        while not last:
            batch = [self._queue.get(), *self._take(LARGEST_BATCH - 1)]
            last = None in batch
            work = [each for each in batch if each is not None]
            if work:
                connection, done = self._commit(connection, work)
                self.committed(done)
        hang_up(connection)

    def _commit(
        self, connection: Any, work: list[tuple[EntryDraft, Any]]
    ) -> tuple[Any, list[tuple[Any, Entry | Exception]]]:
        """Write them all; the connection to go on with, and what became of each."""
        try:
            if connection is None:
                connection = self.database.connect(PATIENCE)
                self.database.ready(connection)
            done = self._insert(connection, work)
            self._failed = float("-inf")
            return connection, done
        except self.database.broken as error:
            if len(work) == 1:
                return connection, self._why(work, error)
            return self._commit_apart(connection, work, error)
        except Exception as error:
            self._failed = time.monotonic()
            hang_up(connection)
            return None, [(future, Unavailable(str(error))) for _, future in work]

    def _commit_apart(
        self, connection: Any, work: list[tuple[EntryDraft, Any]], error: Exception
    ) -> tuple[Any, list[tuple[Any, Entry | Exception]]]:
        """Write what can be written of a batch that broke a rule: those whose accounts hold too
        little are set aside, all at once; where there are none, each half is tried."""
        good, poor = self._split_overdrawn(work, together=True)
        if not poor:
            half = len(work) // 2
            connection, first = self._commit(connection, work[:half])
            connection, second = self._commit(connection, work[half:])
            return connection, first + second
        connection, done = self._commit(connection, good) if good else (connection, [])
        # Of those before them some may not have been written, and taken nothing.
        good, poor = self._split_overdrawn(poor, together=False)
        done += self._why(poor, error)
        if good:
            connection, rest = self._commit(connection, good)
            done += rest
        return connection, done

    def _split_overdrawn(
        self, work: list[tuple[EntryDraft, Any]], *, together: bool
    ) -> tuple[list[tuple[EntryDraft, Any]], list[tuple[EntryDraft, Any]]]:
        """Return those whose accounts hold what they take, one after the other or each alone, and
        those whose accounts do not."""
        accounts = {account for draft, _ in work for account, cents in draft.postings if cents < 0}
        sql = f"SELECT account, cents FROM balances WHERE account IN ({_marks(accounts)})"
        try:
            held = dict(self.rows(sql, *accounts)) if accounts else {}
        except PitbossError:
            return work, []  # whoever tries to write will see
        good, poor = [], []
        for each in work:
            sums: Counter[str] = Counter()
            for account, cents in each[0].postings:
                sums[account] += cents
            if any(held.get(a, 0) + cents < 0 for a, cents in sums.items() if a not in MAY_OWE):
                poor.append(each)
                continue
            good.append(each)
            for account in sums if together else ():
                held[account] = held.get(account, 0) + sums[account]
        return good, poor

    def _insert(
        self, connection: Any, work: Sequence[tuple[EntryDraft, Any]]
    ) -> list[tuple[Any, Entry | Exception]]:
        """Write at the end of the journal as this process knows it; where another has gone on, or
        something that was relied on has, keep everybody from it and look."""
        drafts = [draft for draft, _ in work]
        fresh, results = _split_stale(drafts)
        entries = None
        if self._head[0] >= self.known[0]:
            with contextlib.closing(connection.cursor()) as cursor:
                entries = self._put(cursor, fresh)
        if entries is None:
            with self._transaction(connection) as cursor:
                cursor.execute(_HOLD_HEAD)
                head = cursor.fetchone()
                self._still_there(cursor)
                self._head = head
                entries = self._put(cursor, fresh)
                for _ in range(TRIES):  # sessions end whoever holds the head
                    if entries is not None:
                        break
                    fresh, results = _split_stale(
                        drafts, self.database.stale(cursor, fences(drafts))
                    )
                    entries = self._put(cursor, fresh)
        if entries is None:
            raise Unavailable("sessions end all the time; try again")
        if entries:
            self._written = entries[-1].position, entries[-1].hash
        written = iter(entries)
        done: list[tuple[Any, Entry | Exception]] = []
        for (draft, future), wrong in zip(work, results, strict=True):
            if wrong is None:
                done += [(None, next(written)) for _ in draft.also]
            done.append((future, wrong or next(written)))
        return done

    def _still_there(self, cursor: Any) -> None:
        known, written = self.known, self._written
        sql = "SELECT position, hash FROM journal WHERE position IN (?, ?)"
        cursor.execute(self.database.sql(sql), (known[0], written[0]))
        if {*cursor.fetchall()} != {head for head in (known, written) if head[0]}:
            raise self._gone()

    def _gone(self) -> Unavailable:
        """A copy or a replica took the database's place: what people saw since would be dealt, paid
        and written once more."""
        self.put_back()
        return Unavailable("the database was put back to an earlier state: start this server again")

    def _put(self, cursor: Any, drafts: Sequence[EntryDraft]) -> list[Entry] | None:
        """Write after the head; None where it is another, or something is stale."""
        if not drafts:
            return []
        entries, head, values = batch(self._head, drafts, self.key)
        if not self.database.write(cursor, values):
            return None
        self._head = head
        return entries

    def _why(
        self, work: Sequence[tuple[EntryDraft, Any]], error: Exception
    ) -> list[tuple[Any, Entry | Exception]]:
        """Say which rule each of these broke; that an account is short is the last to be said."""
        places = [[(each.stream, each.seq) for each in draft.entries] for draft, _ in work]
        keys = [(draft.entry.stream, draft.entry.actor, draft.entry.key) for draft, _ in work]
        try:
            gone = {(each.stream, each.seq) for each in self._found(_BY_PLACE, [*chain(*places)])}
            found = self._found(_BY_KEY, keys)
        except PitbossError as another:
            return [(future, another) for _, future in work]
        done = {(each.stream, each.actor, each.key): each for each in found}
        short = isinstance(error, self.database.broken[0])

        def reason(several: list[tuple[str, int]], key: tuple[str, str, str]) -> Exception:
            if key in done:
                return AlreadyDone(done[key])
            if not gone.isdisjoint(several):
                return Conflict("this stream has gone on")
            if short:
                return refuse("chips/not-enough", "there are not enough chips for that")
            return Unreadable(str(error))

        reasons = map(reason, places, keys)
        return [(future, each) for (_, future), each in zip(work, reasons, strict=True)]

    def _found(self, sql: str, wanted: Sequence[tuple[Any, ...]]) -> list[Entry]:
        """Return the entries that a question about several finds."""
        if not wanted:
            return []
        rows = ", ".join(f"({_marks(each)})" for each in wanted)
        values = (value for each in wanted for value in each)
        return [Entry(*row) for row in self.rows(sql.format(rows), *values)]

    @contextlib.contextmanager
    def _transaction(self, connection: Any) -> Iterator[Any]:
        # SQLite keeps its lock as long as there is a cursor with a statement that failed.
        with contextlib.closing(connection.cursor()) as cursor:
            cursor.execute(self.database.begin)
            try:
                yield cursor
                cursor.execute("COMMIT")
            except self.database.broken:
                # This connection goes on to be used. Where nothing can be taken back, that is a
                # failure, and it is hung up: what came next would be taken back with this.
                cursor.execute("ROLLBACK")
                raise
            except BaseException:
                with contextlib.suppress(Exception):
                    cursor.execute("ROLLBACK")
                raise

    def _migrate(self, signing: Path | None, *, new_key: bool) -> None:
        try:
            with (
                contextlib.closing(self.database.connect()) as connection,
                self._transaction(connection) as cursor,
            ):
                self.database.alone(cursor)
                names = self.database.tables(cursor)
                if names and not names >= OURS:
                    raise Unavailable("this is another program's database")
                refused = refusal(version(cursor))
                if refused:
                    raise Unavailable(refused)
                migrate(cursor, self.database.sql)
                wrong = differences(expected(self.database), self.database.rules(cursor))
                if wrong:
                    first = "; ".join(f"on {table}, {what}" for table, what in wrong[:SHOWN])
                    more = f" (and {len(wrong) - SHOWN} more)" if len(wrong) > SHOWN else ""
                    raise Unavailable(
                        "its own rules are not those that Pitboss made, and promises lean on them: "
                        f"{first}{more}; put them back, or restore a backup that is whole"
                    )
                self.key = _signing_key(cursor, signing, begin=new_key)
        except self.database.failed as error:
            raise Unavailable(str(error)) from error


async def optimistically(attempt: Callable[[], Awaitable[T]]) -> T:
    """Decide and write, and again while others are quicker: optimistic concurrency."""
    for _ in range(TRIES):
        try:
            return await attempt()
        except Conflict:
            continue
    raise Unavailable("others are quicker all the time; try again")


def deliver(done: Iterable[tuple[Any, Entry | Exception]]) -> None:
    for future, result in done:
        if future is None:
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _split_stale(
    drafts: Sequence[EntryDraft], gone: Collection[tuple[str, int]] = ()
) -> tuple[list[EntryDraft], list[Exception | None]]:
    """Return the drafts that can be written together, and for each of all what keeps it from it:
    looking again helps where a stream has gone on, and not where the session has ended.

    What one writes may be what a later one relies on.
    """
    fresh: list[EntryDraft] = []
    results: list[Exception | None] = []
    written: set[tuple[str, int]] = set()
    for draft in drafts:
        streams = {
            stream: seq
            for stream, seq in draft.relied
            if (stream, seq) in gone or (stream, seq + 1) in written
        }
        if streams:
            results.append(Stale(streams))
        elif (draft.session, draft.entry.at) in gone:
            message = "this session has ended: sign in again"
            results.append(refuse("session/none", message))
        else:
            results.append(None)
            fresh.append(draft)
            written.update((entry.stream, entry.seq) for entry in draft.entries)
    return fresh, results


def _signing_key(cursor: Any, named: Path | None, *, begin: bool) -> SigningKey | None:
    """Return the key of a file, made where nothing was signed yet or another is to begin; nothing
    where entries are not signed."""
    key = read(named) if named is not None and named.exists() else None
    cursor.execute("SELECT position, key FROM signatures ORDER BY position DESC LIMIT 1")
    signed = cursor.fetchone()
    if begin and key is not None and signed is not None and signed[1] == key.id:
        raise Unavailable(
            f"{named} is the key that signs now: move it away, or name another file with"
            " --signing-key, for another to begin"
        )
    # One that was begun later has signed nothing yet.
    if key is not None and (signed is None or signed[1] == key.id or signed[0] <= key.since):
        return key
    if signed is not None and (key is not None or not begin):
        where = f"put it back at {named}, or name" if named is not None else "name"
        lost = "move what is there away, and `pitboss serve --new-key`" if key is not None else ""
        raise Unavailable(
            f"its entries are signed with key {signed[1]}, which is not here: {where} its file "
            f"with --signing-key; where it is lost, {lost or '`pitboss serve --new-key`'} begins "
            "another"
        )
    cursor.execute("SELECT position FROM head")
    return make(named, int(cursor.fetchone()[0])) if named is not None else None


def _marks(values: Collection[Any]) -> str:
    return ", ".join("?" * len(values))


_NOBODYS = ("", "", 0)
"""A failure that is none."""
_BY_PLACE = f"""WITH wanted (w0, w1) AS (VALUES {{}})
    {COLUMNS}, wanted WHERE stream = w0 AND seq = w1"""
_BY_KEY = f"""WITH wanted (w0, w1, w2) AS (VALUES {{}})
    {COLUMNS}, wanted WHERE stream = w0 AND actor = w1 AND key = w2 AND key <> ''"""
_HOLD_HEAD = "UPDATE head SET position = position RETURNING position, whole"
