"""How often a second something can be done."""

import time
from collections.abc import Callable


def per_second(play: Callable[[], object], seconds: float) -> float:
    """Do it over and over for so many seconds."""
    play()  # tables are built at first use
    count, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        play()
        count += 1
    return count / spent
