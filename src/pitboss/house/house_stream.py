"""The house's own stream of the journal: what it changes about itself, one entry after the other.

Writing to it is optimistic: whoever finds that another was there first looks and decides again.
"""

from pitboss.house.people.persons import PersonEvent
from pitboss.house.storage import codec
from pitboss.house.storage.journal import Entry, following
from pitboss.house.storage.store import Store

STREAM = "house"


def next_entry(
    store: Store,
    at: int,
    actor: str,
    key: str,
    event: PersonEvent,
    record: int,
) -> Entry:
    """Return the entry that follows the last one; it is not written yet."""
    body = codec.recorded(event, record=record)
    return following(STREAM, *store.last(STREAM), at=at, actor=actor, key=key, body=body)
