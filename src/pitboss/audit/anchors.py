"""Anchors: what an earlier audit said of the journal, kept where the house cannot write.

An anchor is ``N:HASH``, how many entries there were and one hash over all of them. A journal that
has grown since must still begin with those entries: whoever writes history anew, however well,
meets the hash that was written down elsewhere.
"""

import os
import re
from pathlib import Path

import msgspec

from pitboss.errors import Unreadable


class Anchor(msgspec.Struct, frozen=True):
    """A journal as it stood once."""

    entries: int
    hash: str
    """Over all of them, in order."""

    def __str__(self) -> str:
        return f"{self.entries}:{self.hash}"


def anchor(written: str, place: str) -> Anchor:
    """Read one.

    >>> anchor("12:" + "ab" * 32, "--anchor").entries
    12
    """
    if not re.fullmatch(r"[1-9][0-9]{0,17}:[0-9a-f]{64}", written):
        message = f"{written[:80]!r} is no anchor; write N:HASH, as the audit's last line has it"
        raise Unreadable(message, place)
    entries, _, link = written.partition(":")
    return Anchor(int(entries), link)


def read(name: str) -> tuple[Anchor, ...]:
    """Read a file of anchors, one a line."""
    path = Path(name)
    try:
        if not path.is_file():
            raise Unreadable("there is no such file of anchors", name)
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot read these anchors: {error}", name) from None
    found = tuple(
        anchor(line.strip(), f"{name}: line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    )
    if not found:
        raise Unreadable("this file has no anchor", name)
    return found


def appendable(name: str) -> Path:
    """Return where anchors can be appended: a file, or a place for one."""
    path = Path(name)
    if not (path.is_file() if path.exists() else path.parent.is_dir()):
        raise Unreadable("anchors are appended to a file: here is none, and can be none", name)
    return path


def append(name: str, latest: Anchor) -> None:
    """Write one at a file's end, on a line of its own; the file is made where there is none."""
    try:
        with appendable(name).open("ab+") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - 1, 0))
            begun = file.read(1) not in (b"", b"\n")
            file.write(b"\n" * begun + f"{latest}\n".encode())
    except OSError as error:
        raise Unreadable(f"cannot write: {error.strerror}", name) from None
