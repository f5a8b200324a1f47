"""SHA-256 of what is short: worked out at once, while no other thread gets its turn.

Python lets other threads run while it hashes two kilobytes or more, and then waits for them: for a
whole slice of their time, where the hash itself takes two microseconds.
"""

import hashlib

_AT_ONCE = 2047
"""Bytes for which Python keeps its turn."""


def sha256(text: str) -> str:
    """Return the hash of a text, in hexadecimal digits.

    >>> long = "pitboss" * 1000
    >>> sha256(long) == hashlib.sha256(long.encode()).hexdigest()
    True
    """
    data = text.encode()
    found = hashlib.sha256(data[:_AT_ONCE])
    for at in range(_AT_ONCE, len(data), _AT_ONCE):
        found.update(data[at : at + _AT_ONCE])
    return found.hexdigest()
