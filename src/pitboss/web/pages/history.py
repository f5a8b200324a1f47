"""Finished rounds that were looked at lately, and what the choices in them cost."""

from functools import lru_cache

from pitboss.errors import Refused
from pitboss.house.house import House
from pitboss.house.replay import Replay, past
from pitboss.house.storage.reader import Reader
from pitboss.web.pages import coach

MOST_REPLAYS, MOST_COSTS = 500, 50_000
"""That are remembered."""

SESSION = 100
"""Rounds that the coach looks back on."""


class Replays:
    """Finished rounds as somebody saw them; the last ones are remembered."""

    def __init__(self) -> None:
        self._replays: dict[tuple[str, str], Replay] = {}
        self._cost = lru_cache(MOST_COSTS)(_cost)

    async def read(self, house: House, name: str, person: str) -> Replay:
        found = self._replays.get((name, person))
        if found is None:
            found = await house.look(past, house.archive, name, person)
            self._replays[name, person] = found
            if len(self._replays) > MOST_REPLAYS:
                del self._replays[next(iter(self._replays))]  # the oldest
        return found

    async def session(self, house: House, table: str, last: int, person: str) -> tuple[int, int]:
        """Return how many of a table's last rounds somebody played, and what their choices cost."""
        names = [f"{table}-{number}" for number in range(last, max(0, last - SESSION), -1)]
        return await house.look(self._sum, house.archive, names, person)

    def _sum(self, store: Reader, names: list[str], person: str) -> tuple[int, int]:
        """On a thread: add up what choices cost, back to a round that they did not play."""
        costs: list[int] = []
        for name in names:
            try:
                cost = self._cost(store, name, person)
            except Refused:
                break
            if cost is None:
                break
            costs.append(cost)
        return len(costs), sum(costs)


def _cost(store: Reader, name: str, person: str) -> int | None:
    """Say what somebody's choices in a round cost; None where they had no seat in it."""
    found = past(store, name, person)
    return sum(each.cents for each in coach.costs(found)) if found.seat else None
