"""A cache of bounded size."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """What was worked out lately; the oldest is forgotten."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._known: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return it, where it is remembered."""
        return self._known.get(key)

    def put(self, key: K, value: V) -> None:
        """Remember it."""
        self._known[key] = value
        while len(self._known) > self.most:
            self._known.popitem(last=False)
