"""Files packed into one: the same files give the same bytes."""

import io
import zipfile
from collections.abc import Mapping

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""When every file in it was made: the earliest time that the format knows."""


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by their names, in this order.

    Nothing is compressed, since what that comes to differs between machines.

    >>> packed({"a": b"1"}) == packed({"a": b"1"})
    True
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, written in files.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.create_system = 3  # as on Unix, wherever it is made
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, written)
    return out.getvalue()


def unpacked(written: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
