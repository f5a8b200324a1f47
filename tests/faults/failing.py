"""A database that fails now and then, at any statement, and leaves open what became of it."""

import random
from typing import Any

from pitboss.house.store import Dialect


class Failing:
    """A dialect whose connections break by chance, before or after a statement was done."""

    def __init__(self, inner: Dialect, seed: object, chance: float) -> None:
        self.inner, self.random, self.chance = inner, random.Random(f"faults/{seed}"), chance
        self.failures: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def connect(self, *limits: Any) -> Any:
        self.maybe("connect")
        return _Shaky(self.inner.connect(*limits), self)

    def maybe(self, what: str) -> None:
        """Fail, by chance."""
        if self.random.random() < self.chance:
            self.failures.append(what)
            raise self.inner.failed(f"{what}: broken on purpose")


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

    def _do(self, how: str, sql: str, values: Any) -> Any:
        try:
            self._failing.maybe(f"before {sql[:20]}")
            done = getattr(self._inner, how)(sql, *values)
            if sql in ("BEGIN", "BEGIN IMMEDIATE", "COMMIT"):
                self._failing.maybe(f"after {sql}")
        except self._failing.inner.failed:
            self._connection.close()  # a line that is cut tells nobody anything more
            raise
        return done
