"""Signatures: every batch is signed with a key that is not in the database.

The chain shows that nothing was changed; whoever can write to the database can append to it as a
server would. A signature says that somebody with the key did. It is an HMAC: whoever checks it has
the same key, and could sign too. It covers a batch, from the journal's head before to that after,
so that entries put in between two batches are covered by none.
"""

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from pitboss.errors import Unreadable
from pitboss.house.storage.databases import Sqlite, dialect

Head = tuple[int, str]
"""How far the journal goes, and the hash over all of it."""

LONGEST = 200
"""Bytes of a key's file."""

_WRITTEN = re.compile(r"pitboss signing key, from entry (\d{1,18}) on: ([0-9a-f]{64})\s*", re.ASCII)


class SigningKey:
    """A key, and after which entry everything is signed."""

    def __init__(self, secret: bytes, since: int) -> None:
        self._secret, self.since = secret, since
        self.id = hashlib.sha256(b"pitboss signing key " + secret).hexdigest()[:16]
        """By which signatures say which key made them; it tells nothing of the key."""

    def derive(self, purpose: str) -> bytes:
        """Return a key for another purpose, which tells nothing of this one."""
        return hmac.digest(self._secret, f"pitboss key for {purpose}".encode(), "sha256")

    def sign(self, before: Head, after: Head) -> str:
        """Sign what leads from one head to the other.

        >>> key = SigningKey(bytes(32), 0)
        >>> key.sign((0, ""), (1, "ab")) == key.sign((0, "a"), (1, "b"))
        False
        """
        text = "/".join(map(str, (*before, *after)))
        # Not hmac.digest: letting other threads run meanwhile, it would wait for them afterwards.
        return hmac.new(self._secret, text.encode(), "sha256").hexdigest()


def beside(where: str) -> Path | None:
    """Return where the key of a house in a file lies, if nothing else is said."""
    found = dialect(where)
    return Path(f"{found.path}.key") if isinstance(found, Sqlite) else None


def read(path: Path) -> SigningKey:
    found = b""
    try:
        if path.is_file():
            with path.open("rb") as file:
                found = file.read(LONGEST)
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot read this key: {error}", str(path)) from None
    written = _WRITTEN.fullmatch(found.decode("ascii", "replace"))
    if written is None:
        raise Unreadable("this is no signing key's file", str(path))
    return SigningKey(bytes.fromhex(written[2]), int(written[1]))


def make(path: Path, since: int) -> SigningKey:
    """Make a key for what follows an entry, in a new file for its owner alone."""
    line = f"pitboss signing key, from entry {since} on: {secrets.token_hex(32)}\n"
    try:
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Unreadable(f"cannot write a signing key: {error.strerror}", str(path)) from None
    return read(path)
