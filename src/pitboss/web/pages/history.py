"""Finished rounds that were looked at lately, and what the choices in them cost."""

from collections import OrderedDict
from typing import TypeVar

from pitboss.errors import Refused
from pitboss.house.house import House
from pitboss.house.replay import Replay, past
from pitboss.house.storage.store import Store
from pitboss.web.pages import coach

K = TypeVar("K")
V = TypeVar("V")

SESSION = 100
"""Rounds that the coach looks back on."""

_NOT_THERE = -1
"""Instead of a cost: they had no seat in that round."""


class Cache(OrderedDict[K, V]):
    """What was worked out lately; the oldest is forgotten."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        while len(self) > self.most:
            self.popitem(last=False)


class Replays:
    """Finished rounds as somebody saw them; the last ones are remembered."""

    def __init__(self) -> None:
        self._replays: Cache[tuple[str, str], Replay] = Cache(500)
        self._costs: Cache[tuple[str, str], int] = Cache(50_000)

    async def read(self, house: House, name: str, person: str) -> Replay:
        found = self._replays.get((name, person))
        if found is None:
            found = await house.read(past, house.store, name, person)
            self._replays[name, person] = found
        return found

    async def session(self, house: House, table: str, last: int, person: str) -> tuple[int, int]:
        """Return how many of a table's last rounds somebody played, and what their choices cost."""
        names = [f"{table}-{number}" for number in range(last, max(0, last - SESSION), -1)]
        return await house.read(self._sum, house.store, names, person)

    def _sum(self, store: Store, names: list[str], person: str) -> tuple[int, int]:
        """On a thread: add up what choices cost, back to a round that they did not play."""
        costs: list[int] = []
        for name in names:
            cost = self._costs.get((name, person))
            if cost is None:
                try:
                    found = past(store, name, person)
                except Refused:
                    break
                cost = sum(each.cents for each in coach.costs(found)) if found.seat else _NOT_THERE
                self._costs[name, person] = cost
            if cost == _NOT_THERE:
                break
            costs.append(cost)
        return len(costs), sum(costs)
