"""How much one address or person may ask for: buckets that fill up again."""

from collections import OrderedDict

MOST = 100_000
"""Buckets that are remembered; the least used are forgotten."""


class TokenBucket:
    """So many at once, and so many a second."""

    def __init__(self, burst: int, per_second: float) -> None:
        self.burst, self.per_second = burst, per_second
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def allows(self, who: str, now: int) -> bool:
        """Take one, if there is one left.

        >>> rate = Rate(2, 1)
        >>> [rate.allows("ann", 0) for _ in range(3)], rate.allows("ann", 1000)
        ([True, True, False], True)
        """
        left, then = self._left.pop(who, (float(self.burst), now))
        left = min(self.burst, left + (now - then) / 1000 * self.per_second)
        allowed = left >= 1
        self._left[who] = (left - allowed, now)
        if len(self._left) > MOST:
            self._left.popitem(last=False)
        return allowed
