"""A database that fails now and then, at any statement, and leaves open what became of it."""

import random
import sqlite3
import threading
from typing import Any

from psycopg.pq import TransactionStatus

from pitboss.house.storage.databases import Dialect, Sqlite

COMMITS = ("COMMIT", "INSERT INTO batch", "WITH ours")
"""How statements begin after which something is written for good."""


class Failing:
    """A dialect whose connections break by chance, before or after a statement was done."""

    def __init__(self, inner: Dialect, seed: object, chance: float) -> None:
        self.inner, self.seed, self.chance = inner, seed, chance
        self.failures: list[str] = []
        self._randoms: dict[str, random.Random] = {}
        self._left_open = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def connect(self, *limits: Any) -> Any:
        self.maybe("connect")
        return _Shaky(self.inner.connect(*limits), self)

    def maybe(self, what: str) -> None:
        """Fail, by chance; a commit is the likeliest, because it is the worst.

        Threads have chances of their own, so that the writer's do not depend on the others.
        """
        thread = threading.current_thread().name
        chance = self._randoms.setdefault(thread, random.Random(f"{self.seed}/{thread}"))
        if chance.random() < self.chance * (4 if any(each in what for each in COMMITS) else 1):
            self.failures.append(what)
            raise self.inner.failed(f"{what}: broken on purpose")

    def after_commit(self, what: str) -> None:
        """Fail, by chance; the first time in any case: how often a house commits is up to how busy
        the machine is, and no run is to go without the worst."""
        if self.chance and not self._left_open:
            self._left_open = True
            self.failures.append(what)
            raise self.inner.failed(f"{what}: broken on purpose")
        self.maybe(what)


class _Shaky:
    """A connection, or a cursor, that breaks."""

    def __init__(self, inner: Any, failing: Failing, connection: Any = None) -> None:
        self._inner, self._failing = inner, failing
        self._connection = connection or inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def cursor(self) -> Any:
        return _Shaky(self._inner.cursor(), self._failing, self._inner)

    def execute(self, sql: str, *values: Any) -> Any:
        return self._do("execute", sql, values)

    def executemany(self, sql: str, *values: Any) -> Any:
        return self._do("executemany", sql, values)

    @property
    def _committed(self) -> bool:
        """Whether no transaction is open any more."""
        if isinstance(self._connection, sqlite3.Connection):
            return not self._connection.in_transaction
        return bool(self._connection.info.transaction_status == TransactionStatus.IDLE)

    def _do(self, how: str, sql: str, values: Any) -> Any:
        try:
            self._failing.maybe(f"before {sql[:20]}")
            done = getattr(self._inner, how)(sql, *values)
            if sql.startswith("BEGIN"):
                self._failing.maybe(f"after {sql[:20]}")
            elif sql.startswith(COMMITS) and self._committed:
                self._failing.after_commit(f"after {sql[:20]}")
        except self._failing.inner.failed:
            if not isinstance(self._failing.inner, Sqlite):
                self._connection.close()  # a line that is cut tells nobody anything more
            raise
        return done
