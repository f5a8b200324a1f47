"""Long work that was interrupted is kept in a file, so that the same command goes on with it."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pitboss.cli.common import data_folder
from pitboss.errors import Unreadable

_Saved = TypeVar("_Saved")


def own_file(folder: str, what: dict[str, Any]) -> Path:
    """Return where work is kept when it is interrupted and nobody said where."""
    name = hashlib.sha256(msgspec.json.encode(what, order="sorted")).hexdigest()[:16]
    kept = data_folder() / folder
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError:  # a home that cannot be written to
        kept = Path(tempfile.gettempdir())
    return kept / f"pitboss-{name}.json"


def read(path: Path, what: str, kind: type[_Saved], **decoding: Any) -> _Saved:
    """Return the work of this kind that a file holds, or say why it holds none."""
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe might keep us waiting
        raise Unreadable(f"cannot read this {what}: it is no file", str(path))
    try:
        saved: _Saved = msgspec.json.decode(path.read_bytes(), type=kind, **decoding)
    except OSError as error:
        raise Unreadable(f"cannot read this {what}: {error.strerror}", str(path)) from None
    except msgspec.DecodeError as error:
        raise Unreadable(f"not a saved {what}: {error}", str(path)) from None
    return saved


def write(path: Path, written: bytes) -> None:
    """Write the file so that it is there whole or not at all."""
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise Unreadable(f"cannot be written: {error.strerror}", str(path)) from None
