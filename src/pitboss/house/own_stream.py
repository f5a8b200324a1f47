"""The house's own stream of the journal: what it changes about itself, one entry after the other.

Writing to it is optimistic: whoever finds that another was there first looks and decides again.
"""

from pitboss.house.people.persons import PersonEvent
from pitboss.house.storage import codec
from pitboss.house.storage.journal import START, Entry, linked
from pitboss.house.storage.store import Store

STREAM = "house"

_LAST = "SELECT seq, hash FROM journal WHERE stream = ? ORDER BY seq DESC LIMIT 1"


def next_entry(store: Store, at: int, actor: str, key: str, event: PersonEvent) -> Entry:
    """Return the entry that follows the last one; it is not written yet."""
    found = store.rows(_LAST, STREAM)
    seq, link = found[0] if found else (0, START)
    body = codec.recorded(event)
    entry = Entry(stream=STREAM, seq=seq + 1, at=at, actor=actor, key=key, body=body)
    return linked(entry, link)
