"""Finished rounds that were looked at lately, and how well they were played."""

from functools import lru_cache

from pitboss.house.house import House
from pitboss.house.replay import Replay, past, played
from pitboss.house.storage.reader import Reader
from pitboss.web.pages import coach

MOST_REPLAYS, MOST_REVIEWS = 500, 50_000
"""That are remembered."""

SESSION = 100
"""Rounds of a person that are looked back on."""


class Replays:
    """Finished rounds as somebody saw them; the last ones are remembered."""

    def __init__(self) -> None:
        self._replays: dict[tuple[str, str], Replay] = {}
        self._review = lru_cache(MOST_REVIEWS)(_review)

    async def read(self, house: House, name: str, person: str) -> Replay:
        found = self._replays.get((name, person))
        if found is None:
            found = await house.look(past, house.archive, name, person)
            self._replays[name, person] = found
            if len(self._replays) > MOST_REPLAYS:
                del self._replays[next(iter(self._replays))]  # the oldest
        return found

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
