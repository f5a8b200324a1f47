"""Work that several threads or processes share, and that may be stopped in the middle."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import resource_tracker
from typing import Any, TypeVar

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
        with interrupted_later():
            pending = {pool.submit(work, item): item for item in islice(waiting, 2 * workers)}
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                yield pending.pop(future), future.result()
                with interrupted_later():
                    pending |= {pool.submit(work, item): item for item in islice(waiting, 1)}
    finally:
        pool.shutdown(cancel_futures=True)


def processes(workers: int, task: Callable[[Any], Any]) -> ProcessPoolExecutor:
    """Return a pool of processes for one task, which is sent to each of them once.

    What they are given to do is ``do_task``.
    """
    # Threads may be running here, so processes start afresh.
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, fresh, _begin, (task,))


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Set Ctrl-C aside while work is given out: processes that begin then never hear of it."""
    if sys.platform == "win32":  # where nothing is inherited
        yield
        return
    resource_tracker.ensure_running()  # beginning with a worker it would let Ctrl-C in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def do_task(item: Any) -> Any:
    """Do a worker's own task for one item."""
    return _TASKS[0](item)


_TASKS: list[Callable[[Any], Any]] = []
"""A worker's own."""


def _begin(task: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Once something this large was freed, the allocator keeps memory instead of giving it back
    # after every step; without it a worker spends a third of its time on that.
    bytearray(1 << 24)
    _TASKS[:] = [task]


def _end_with_parent() -> None:
    """Leave no worker behind that waits for a parent who was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
