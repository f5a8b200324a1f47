"""Rate limit: how much one person or address may ask for, in token buckets that fill up again."""

from collections import OrderedDict
from typing import Literal

MOST = 100_000
"""Buckets that are remembered; the least used are forgotten."""

Limit = Literal["look", "command", "guest", "stranger", "password", "backlog", "lab", "variant"]


class TokenBucket:
    """So many at once, and so many a second."""

    def __init__(self, burst: int, per_second: float) -> None:
        self.burst, self.per_second = burst, per_second
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def allows(self, who: str, now: int, cost: int = 1) -> bool:
        """Take so many, if there are so many left; ``now`` is a count of milliseconds that nobody
        can set.

        >>> bucket = TokenBucket(2, 1)
        >>> [bucket.allows("ann", 0) for _ in range(3)], bucket.allows("ann", 1000)
        ([True, True, False], True)
        >>> bucket.allows("bob", 0, cost=3), bucket.allows("bob", 0, cost=2)
        (False, True)
        """
        left, then = self._left.pop(who, (float(self.burst), now))
        left = min(self.burst, left + (now - then) / 1000 * self.per_second)
        allowed = left >= cost
        self._left[who] = (left - cost * allowed, now)
        if len(self._left) > MOST:
            self._left.popitem(last=False)
        return allowed


def limits() -> dict[Limit, TokenBucket]:
    return {
        "look": TokenBucket(1_000, 500),
        "command": TokenBucket(200, 100),
        "guest": TokenBucket(3_000, 5),  # whole crowds of programs come from one address
        "stranger": TokenBucket(100, 0.2),  # forms of people without a session
        "password": TokenBucket(30, 0.5),
        "backlog": TokenBucket(20_000, 1_000),  # entries that listeners of an address had missed
        "lab": TokenBucket(200, 40),  # somebody drags, and the figures follow
        "variant": TokenBucket(30, 0.05),  # tables with rules that are then kept for good
    }
