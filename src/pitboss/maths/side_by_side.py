"""Long work in parts: done side by side on all cores, while somebody may watch how far it is.

Threads are enough: nearly all of the time is spent in numpy, which lets others run meanwhile.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

Watch = Callable[[str, Iterable[Any], int], Iterable[Any]]
"""Told what is done, its parts as they are done, and how many there are; hands the parts on."""

_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Let somebody watch all long work that is done here."""
    token = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(token)


def each(
    what: str, work: Callable[[T], R], parts: Sequence[T], at_once: int | None = None
) -> Iterator[R]:
    """Yield what comes of each part, in order; few at once where each takes much memory."""
    from concurrent.futures import ThreadPoolExecutor  # only where work is long

    with ThreadPoolExecutor(at_once or os.cpu_count()) as pool:
        done: Iterable[R] = pool.map(work, parts)
        watch = _WATCH.get()
        yield from done if watch is None else watch(what, done, len(parts))
