"""The high-water mark: how far servers have seen the journal go, in a file outside the database.

A database that was put back from a copy, or a replica that lost its last seconds, does not hold the
last entry that was seen, and would deal cards once more that people have seen since.
"""

import contextlib
import hashlib
import logging
import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from pitboss.errors import Unreadable
from pitboss.house.storage.reader import Reader
from pitboss.house.storage.signing import Head

_WRITTEN = re.compile(rb"seen up to entry +(\d{1,18}): ([0-9a-f]{64})\n")
LONGEST = 200

SYNC_SECONDS = 1.0
"""So much of the mark a power cut may take."""

_FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)

_FIRST = """SELECT hash, COALESCE(
    (SELECT signature FROM signatures WHERE after = 0 ORDER BY position LIMIT 1), '')
    FROM journal WHERE position = 1"""

if sys.platform == "win32":  # which has neither

    def pread(file: int, length: int, at: int) -> bytes:
        os.lseek(file, at, os.SEEK_SET)
        return os.read(file, length)

    def pwrite(file: int, data: bytes, at: int) -> int:
        os.lseek(file, at, os.SEEK_SET)
        return os.write(file, data)
else:
    from os import pread, pwrite


def open_mark(folder: Path, store: Reader) -> "HighWater | None":
    """Open the mark of a house, wherever its database lies and whatever it is called by now; None
    where nothing is written yet.

    A house is known by its first entry. One that begins in the same millisecond may have the same;
    the signature is by another key.
    """
    with _keeping(folder):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()  # said before a new house has its first entry
    for first in store.rows(_FIRST):
        house = hashlib.sha256("/".join(first).encode()).hexdigest()[:32]
        return HighWater(folder / f"{house}.seen")
    return None


@contextlib.contextmanager
def _keeping(path: Path) -> Iterator[None]:
    """Say where a mark cannot be kept, and why."""
    try:
        yield
    except OSError as error:
        message = f"cannot keep the high-water mark: {error.strerror}"
        raise Unreadable(f"{message}; PITBOSS_DATA names a folder for it", str(path)) from None


def _open(path: Path) -> int | None:
    try:
        return os.open(path, _FLAGS)
    except FileNotFoundError:
        return None


def _make(path: Path, line: bytes) -> None:
    """Lay a mark there that is whole from the first: a power cut leaves it or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / path.name
        with open(os.open(made, _FLAGS | os.O_CREAT, 0o600), "wb") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)


class HighWater:
    """The mark of a house, open as long as a server runs; servers with the same folder share it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _keeping(path):
            self._file = _open(path)
            written = pread(self._file, LONGEST, 0) if self._file is not None else b""
        self.missing = self._file is None
        """Whether there was none."""
        self._last = _WRITTEN.fullmatch(written)
        self._failing = self._may_go_back = False
        self._noted: Head = (0, "")
        self._unsynced, self._closed = False, threading.Event()
        self._syncing = threading.Thread(target=self._sync, name="high water", daemon=True)
        self._syncing.start()

    def restored(self, store: Reader) -> bool:
        """Whether the journal does not hold the last entry that was seen; ``Unreadable`` where what
        lies there does not tell."""
        if self.missing:
            return False
        if self._last is None:
            message = (
                "this is no high-water mark of Pitboss, and nobody can tell whether the database"
                " was put back: serve --restored takes it that it was, and writes the mark anew"
            )
            raise Unreadable(message, str(self._path))
        position, link = self._last.groups()
        return not store.holds((int(position), link.decode()))

    def go_back(self) -> None:
        """The database was put back: what is noted next counts, however far it was before."""
        self._may_go_back = True

    def note(self, last: Head) -> None:
        """Remember that this was seen, unless another server has seen more; a disk that takes it no
        more stops nobody's game."""
        position, link = last
        if not position or last == self._noted:
            return  # a batch that could not be written, or what is heard of twice
        line = b"seen up to entry %18d: %s\n" % (position, link.encode())
        try:
            # Two servers may come between each other's reading and writing: both hear of every
            # entry, and the one that was behind notes it then.
            file = self._found(line)
            written = pread(file, LONGEST, 0)
            further = _WRITTEN.fullmatch(written)
            if self._may_go_back or further is None or int(further[1]) <= position:
                if written != line:
                    pwrite(file, line, 0)
                    if len(written) > len(line):
                        os.ftruncate(file, len(line))
                    self._unsynced = True
                self._may_go_back = False
            self._failing, self._noted = False, last
        except OSError as error:
            if not self._failing:
                said = "the high-water mark is not kept: %s; after a restore say serve --restored"
                logging.getLogger("pitboss").error(said, error.strerror)
            self._failing = True

    def _found(self, line: bytes) -> int:
        """Return the file that lies there; where there is none, or none any more, with this."""
        if self._file is None or not os.fstat(self._file).st_nlink:
            self._hang_up()
            self._file = _open(self._path)
        if self._file is None:
            _make(self._path, line)
            self._file = os.open(self._path, _FLAGS)
        return self._file

    def _hang_up(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _sync(self) -> None:
        """Bring what was noted to the disk now and then: nobody waits for it."""
        while not self._closed.wait(SYNC_SECONDS) or self._unsynced:
            file, unsynced = self._file, self._unsynced
            self._unsynced = False
            if unsynced and file is not None:  # taken away meanwhile: there is nothing to bring
                with contextlib.suppress(OSError):  # whoever notes the next one says so
                    os.fsync(file)

    def close(self) -> None:
        self._closed.set()
        self._syncing.join()
        self._hang_up()
