"""The journal's entries, and the chain that holds them together: event sourcing.

What tables, people and the house are is worked out from these entries and kept nowhere else first.
Each entry belongs to one stream (a table, a person, the house itself) and carries the hash of the
entry before it in that stream, so that nothing can be changed, left out or put in without breaking
every hash that follows.
"""

import hashlib

import msgspec

from pitboss.digest import sha256

START = "0" * 64
"""The hash that comes before a stream's first entry."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """Everything that one command did, as one row."""

    stream: str
    """Whose story it is: ``table:ID``, ``person:ID`` or ``house``."""
    seq: int
    """Its number in the stream; the first is 1."""
    at: int
    """When: milliseconds since 1970, UTC."""
    actor: str
    """Who did it."""
    key: str
    """The actor's idempotency key, their own name for the command: it is never done twice."""
    body: str
    """The command and its events, as JSON."""
    hash: str = ""
    """The link of the chain, over all of the above and the hash before."""
    position: int = 0
    """Its place among the entries of all streams, without gaps."""


COLUMNS = "SELECT stream, seq, at, actor, key, body, hash, position FROM journal"
"""Reads rows from which entries are made."""


def following(
    stream: str, seq: int, link: str, *, at: int, actor: str, key: str, body: str
) -> Entry:
    """Return a stream's next entry, after the one with this number and hash; it is not written yet.

    Whoever writes it finds out whether somebody else has used its number first.
    """
    entry = Entry(stream=stream, seq=seq + 1, at=at, actor=actor, key=key, body=body)
    return linked(entry, link)


def linked(entry: Entry, previous: str) -> Entry:
    """Return the entry with its hash.

    >>> first = linked(Entry("house", 1, 0, "ann", "k", "{}"), START)
    >>> linked(first, START).hash == first.hash, linked(first, first.hash).hash == first.hash
    (True, False)
    """
    parts = (previous, entry.stream, str(entry.seq), str(entry.at), entry.actor, entry.key)
    # Lengths go in too: no two different entries give the same text.
    text = "".join([f"{len(part)}:{part}" for part in (*parts, entry.body)])
    return msgspec.structs.replace(entry, hash=sha256(text))


def joined(whole: str, entry: Entry) -> str:
    """Return the hash over the entries of all streams, in order, after one more.

    A stream's own chain says nothing of what happened elsewhere before or after; this does.
    """
    return hashlib.sha256(f"{whole}/{entry.position}/{entry.hash}".encode()).hexdigest()
