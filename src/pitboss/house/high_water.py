"""The high-water mark: how far a server has seen the journal go, in a file outside the database.

A database that was put back from a copy, or a replica that lost its last seconds, does not hold the
last entry that was seen, and would deal cards once more that people have seen since.
"""

import logging
import os
import re
from pathlib import Path

from pitboss.errors import Unreadable
from pitboss.house.storage.signing import Head
from pitboss.house.storage.store import Store

_WRITTEN = re.compile(r"seen up to entry +(\d{1,18}): ([0-9a-f]{64})\n", re.ASCII)
LONGEST = 200


class HighWater:
    """The mark of one server, open as long as it runs."""

    def __init__(self, path: Path) -> None:
        try:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._file = os.open(path, flags, 0o600)
            written = os.read(self._file, LONGEST).decode("ascii", "replace")
        except OSError as error:
            message = f"cannot keep the high-water mark: {error.strerror}"
            raise Unreadable(message, str(path)) from None
        self._failing = False
        self._last = _WRITTEN.fullmatch(written)
        if written and self._last is None:
            os.close(self._file)
            raise Unreadable("this is no high-water mark of Pitboss", str(path))

    def restored(self, store: Store) -> bool:
        """Whether the journal does not hold the last entry that was seen."""
        if self._last is None:
            return False
        position, link = self._last.groups()
        found = store.rows("SELECT hash FROM journal WHERE position = ?", int(position))
        return found != [(link,)]

    def note(self, last: Head) -> None:
        """Remember that this was seen; a disk that takes it no more stops nobody's game."""
        position, link = last
        if not position:
            return  # a batch that could not be written, before anything was
        line = f"seen up to entry {position:18}: {link}\n".encode()
        try:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, line)
            self._failing = False
        except OSError as error:
            if not self._failing:
                said = "the high-water mark is not kept: %s; after a restore say serve --restored"
                logging.getLogger("pitboss").error(said, error.strerror)
            self._failing = True

    def close(self) -> None:
        os.close(self._file)
