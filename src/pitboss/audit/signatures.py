"""Signatures, looked at as the journal goes on: whoever wrote an entry had the key."""

import hmac
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pitboss.audit.promises import SAME_BYTES, Findings
from pitboss.house.storage.signing import Head, SigningKey

ROWS = "SELECT after, position, key, signature FROM signatures ORDER BY position"


class _Signature(msgspec.Struct, frozen=True, array_like=True):
    after: int
    position: int
    key: str
    signature: str


class Signatures:
    """What is signed so far; without keys nothing is looked at."""

    def __init__(
        self,
        rows: Iterator[tuple[Any, ...]],
        keys: Sequence[SigningKey],
        findings: Findings,
        failed: type[Exception],
    ) -> None:
        self._rows, self._broke, self._failed = rows, findings.broke, failed
        self._keys = {key.id: key for key in keys}
        self._since = min((key.since for key in keys), default=0)
        self._signed = 0
        """Up to here every entry is signed, or older than the keys."""
        self._before: Head = (0, "")
        """The head at which the next signature begins, where it was met."""
        self.count = 0
        """How many fit."""
        self._next = self._take() if keys else None

    def _take(self) -> _Signature | None:
        while True:
            try:
                row = next(self._rows, None)
            except self._failed as error:
                self._broke(SAME_BYTES, f"cannot be read: {error}", "signatures")
                return None
            if row is None:
                return None
            try:
                return msgspec.convert(row, _Signature)
            except msgspec.ValidationError:
                self._broke(SAME_BYTES, "a value is not of its kind", f"signatures {row[1]}")

    def hear(self, position: int, whole: str) -> None:
        """Hear how the journal stands after one more entry."""
        if not self._keys:
            return
        while self._next is not None and self._next.position <= position:
            self._look(self._next, (position, whole))
            self._next = self._take()
        if position <= self._since:
            self._signed = position
        if self._next is not None and self._next.after == position:
            self._before = (position, whole)

    def _look(self, row: _Signature, head: Head) -> None:
        if row.position <= self._since:
            return  # of a key before these
        key = self._keys.get(row.key)
        later = [each.since for each in self._keys.values() if each.since <= row.after]
        why = ""
        if row.position != head[0]:
            why = "there is no such entry"
        elif key is None:
            why = f"signed with key {row.key}, which was not given"
        elif key.since < max(later, default=0):
            why = f"signed with key {row.key}, which another took the place of after {max(later)}"
        elif row.after != self._before[0] or not _same(key.sign(self._before, head), row.signature):
            why = "is not the signature of these entries"
        if why:
            self._broke(SAME_BYTES, why, f"signatures {row.position}")
            return
        self._unsigned(row.after)
        self._signed = row.position
        self.count += 1

    def _unsigned(self, until: int) -> None:
        if self._signed < until:
            place = f"journal {self._signed + 1} to {until}"
            self._broke(SAME_BYTES, "nobody with the key signed this", place)

    def end(self, entries: int) -> None:
        """See that nothing is left: no entry without a signature, and none without an entry."""
        if self._keys:
            self._unsigned(entries)
        while self._next is not None:
            place = f"signatures {self._next.position}"
            self._broke(SAME_BYTES, "there is no such entry", place)
            self._next = self._take()


def _same(ours: str, theirs: str) -> bool:
    return hmac.compare_digest(ours.encode(), theirs.encode("utf-8", "replace"))
