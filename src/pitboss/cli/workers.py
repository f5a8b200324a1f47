"""Work that several threads or processes share, and that may be stopped in the middle."""

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def as_completed(
    pool: Executor, workers: int, work: Callable[[T], R], items: Iterable[T]
) -> Generator[tuple[T, R], None, None]:
    """Yield each item with what came of it, as it is done; few wait, however many there are.

    Whoever stops early closes this, and what is not begun is left.
    """
    waiting = iter(items)
    try:
        pending = {pool.submit(work, item): item for item in islice(waiting, 2 * workers)}
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                yield pending.pop(future), future.result()
                pending |= {pool.submit(work, item): item for item in islice(waiting, 1)}
    finally:
        pool.shutdown(cancel_futures=True)
