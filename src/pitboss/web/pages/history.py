"""Finished rounds that were looked at lately, and how well they were played."""

from functools import lru_cache

from pitboss.house.house import House
from pitboss.house.replay import Replay, past, played
from pitboss.house.storage.reader import Reader
from pitboss.web.pages import coach

MOST_EVENTS, MOST_REVIEWS = 25_000, 50_000
"""That are remembered: events of rounds that somebody saw, and reviews."""

SESSION = 100
"""Rounds of a person that are looked back on."""


class Replays:
    """Finished rounds as somebody saw them; the last ones are remembered, but for those with real
    cards, which may still be put right."""

    def __init__(self) -> None:
        self._replays: dict[tuple[str, str], Replay] = {}
        self._events = 0
        self._review = lru_cache(MOST_REVIEWS)(_review)

    async def read(self, house: House, name: str, person: str) -> Replay:
        found = self._replays.get((name, person))
        if found is None:
            found = await house.look(past, house.archive, name, person)
            if found.commitment:
                self._remember((name, person), found)
        return found

    def _remember(self, key: tuple[str, str], found: Replay) -> None:
        """Keep it, and let the oldest go while there are too many events."""
        if key not in self._replays:
            self._replays[key] = found
            self._events += len(found.events)
        while self._events > MOST_EVENTS:
            oldest = self._replays.pop(next(iter(self._replays)))
            self._events -= len(oldest.events)

    async def session(self, house: House, table: str, person: str) -> coach.SessionReview | None:
        """Review those of somebody's last rounds that they played at a table."""
        return await house.look(self._session, house.archive, table, person)

    def _session(self, store: Reader, table: str, person: str) -> coach.SessionReview | None:
        """On a thread."""
        names = [each.round for each in played(store, person, most=SESSION)]
        here = (name for name in names if name.rpartition("-")[0] == table)
        found = (self._review(store, name, person) for name in here)
        return coach.session([each for each in found if each is not None])


def _review(store: Reader, name: str, person: str) -> coach.RoundReview | None:
    return coach.reviewed(past(store, name, person))
