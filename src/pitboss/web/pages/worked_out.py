"""What takes a while to work out of rulebooks, and is then the same for everybody."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from pitboss.house.house import House
from pitboss.rulebook import Rulebook

T = TypeVar("T")

MOST = 64
"""That is remembered."""


class WorkedOut:
    """Each is worked out once, on a thread, one at a time; all who ask meanwhile wait for it."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], asyncio.Task[Any]] = {}
        self._turn = asyncio.Lock()

    async def of(self, house: House, work: Callable[..., T], *given: Any) -> T:
        """Return what comes of some books, which are known by their hashes, and of whatever else is
        asked with them; raises what the work raises."""
        key = work, *map(_known_by, given)
        found = self._known.get(key)
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            found = self._known[key] = asyncio.ensure_future(self._do(house, work, given))
            if len(self._known) > MOST:
                del self._known[next(iter(self._known))]  # the oldest
        done: T = await asyncio.shield(found)
        return done

    async def _do(self, house: House, work: Callable[..., T], given: tuple[Any, ...]) -> T:
        async with self._turn:
            return await house.background.look_for_all(work, *given)


def _known_by(given: Any) -> Any:
    if isinstance(given, tuple):
        return tuple(map(_known_by, given))
    return given.sha256 if isinstance(given, Rulebook) else given
