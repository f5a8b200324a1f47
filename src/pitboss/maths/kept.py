"""What took long to count is kept on disk, so that it is counted once.

A file's name says what was counted, and a hash of what it was counted from and of the code that
counted: after a change of either it is simply not found. A file begins with the hash of all that
follows, so that no byte of it can change unnoticed. What cannot be read or written is counted anew;
nothing else depends on these files, and all of them may be deleted at any time. Where they would
take more than so much room, those go that were not read for the longest time.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]

MOST_BYTES = 4 * 2**30
"""Of all that is kept."""

_DIGEST = hashlib.sha256().digest_size


def arrays(what: str, of: object, make: Callable[[], Arrays], by: Iterable[str] = ()) -> Arrays:
    """Return arrays by name: as they were kept, or else made now and kept.

    ``of`` is all that they are made from: anything that JSON can hold. ``by`` are files of code
    outside this room that count, too.
    """
    file = _file(what, of, by)
    found = _read(file)
    if found is None:
        found = make()
        _write(file, found)
    return found


def has(what: str, of: object) -> bool:
    """Whether something is kept."""
    return _file(what, of).exists()


def folder() -> Path:
    """Return where it is kept: ``PITBOSS_CACHE``, or as each system has it.

    Whoever has no home keeps nothing: below a file that is no folder nothing is found, or written.
    """
    named = os.environ.get("PITBOSS_CACHE")
    if named:
        return Path(named)
    try:
        return _of_this_system()
    except RuntimeError:  # a container may run as a number that nobody has
        return Path(os.devnull) / "pitboss"


def _of_this_system() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(local) / "pitboss" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pitboss"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pitboss"


def _file(what: str, of: object, by: Iterable[str] = ()) -> Path:
    told = msgspec.json.encode(of, order="sorted")
    more = b"".join(Path(each).read_bytes() for each in by)
    return folder() / f"{what}-{hashlib.sha256(_code() + more + told).hexdigest()[:24]}.arrays"


@cache
def _code() -> bytes:
    """Return a hash of all that counting rests on: this room, cards and rankings."""
    here = Path(__file__).parent
    files = (*sorted(here.glob("*.py")), here.parent / "cards.py", here.parent / "hands.py")
    return hashlib.sha256(b"".join(each.read_bytes() for each in files)).digest()


def _read(file: Path) -> Arrays | None:
    """Return what a file holds; None where there is none, or what it holds is spoilt.

    One that is spoilt goes at once: nobody is told again that there is something.
    """
    try:
        data = file.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(memoryview(data)[_DIGEST:]).digest() != data[:_DIGEST]:
        with suppress(OSError):
            file.unlink()
        return None
    with suppress(OSError):
        os.utime(file)
    with np.load(BytesIO(memoryview(data)[_DIGEST:]), allow_pickle=False) as held:
        return dict(held)


def _write(file: Path, found: Arrays) -> None:
    """Keep it, if this disk lets us: whole or not at all, whoever else writes the same."""
    made = BytesIO()
    np.savez(made, allow_pickle=False, **found)
    data = made.getbuffer()
    part = file.with_name(f"{file.name}.{os.urandom(8).hex()}.part")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("xb") as out:
                out.write(hashlib.sha256(data).digest())
                out.write(data)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
        _make_room(file.parent)


def _make_room(where: Path) -> None:
    """Let go of what was not read for the longest time, until the rest is few enough bytes.

    Parts that somebody could not finish are among it.
    """
    with os.scandir(where) as found:
        files = [(each.stat(), each.path) for each in found if ".arrays" in each.name]
    files.sort(key=lambda each: each[0].st_mtime_ns)
    many = sum(about.st_size for about, _ in files)
    for about, path in files:
        if many <= MOST_BYTES:
            break
        Path(path).unlink(missing_ok=True)
        many -= about.st_size
