"""The ledger's lines, taken position by position as the journal goes on."""

from collections.abc import Iterator
from typing import Any

from pitboss.audit.promises import CONSERVED, Findings
from pitboss.house.books.ledger import Posting


class LedgerLines:
    """What is still to be taken."""

    def __init__(
        self, rows: Iterator[tuple[Any, ...]], findings: Findings, failed: type[Exception]
    ) -> None:
        self._rows, self._failed = rows, failed
        self._check, self._broke = findings.check, findings.broke
        self._next = self._take()

    def _take(self) -> tuple[Any, ...] | None:
        while True:
            try:
                row = next(self._rows, None)
            except self._failed as error:
                self._broke(CONSERVED, f"cannot be read: {error}", "ledger")
                return None
            if row is None or of_kinds(row, (int, int, str, int)):
                return row
            self._broke(CONSERVED, "a value is not of its kind", f"ledger {row[0]} line {row[1]}")

    def of(self, position: int) -> list[Posting]:
        """Return the lines of an entry; lines that belong to none are findings."""
        found: list[Posting] = []
        while self._next is not None and self._next[0] <= position:
            at, line, account, cents = self._next
            place = f"ledger {at} line {line}"
            if self._check(CONSERVED, at == position, "there is no such entry", place):
                found.append((account, cents))
                self._check(CONSERVED, line == len(found), "a line is missing", place)
            self._next = self._take()
        return found

    def end(self) -> None:
        while self._next is not None:
            place = f"ledger {self._next[0]} line {self._next[1]}"
            self._broke(CONSERVED, "there is no such entry", place)
            self._next = self._take()


def of_kinds(row: tuple[Any, ...], kinds: tuple[type, ...]) -> bool:
    """Whether each value of a row is what its column holds."""
    return all(type(value) is kind for value, kind in zip(row, kinds, strict=True))
