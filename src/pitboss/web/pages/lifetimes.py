"""All that somebody ever played, taken apart: counted once, a few rounds at a time.

What is counted is remembered while this process serves, and a later look goes on from there. For a
moment it is counted at once; the rest beside everything else, at a quarter of a core at most, one
person at a time, and the page says how far it is.
"""

import asyncio
import threading
import time
from functools import partial

import msgspec

from pitboss.house.house import House
from pitboss.house.replay import Played, past, played_after, put_right, rounds_played
from pitboss.house.storage.reader import Reader
from pitboss.maths.luck import Parts
from pitboss.rulebook import Rulebook
from pitboss.web.pages.history import luck
from pitboss.web.pages.prices import at_hand

AT_ONCE, LATER = 0.5, 0.1
"""Seconds of counting while somebody waits, and in one go later."""

REST = 3
"""How many times as long as it works a count rests."""

A_PAGE = 50
"""Rounds that are listed at once."""

MOST = 2_000
"""People whose sums are remembered."""

Chips = tuple[str, bool]
"""The currency, and whether they are play chips: sums of different ones do not add up."""


class Lifetime(msgspec.Struct):
    """What somebody's rounds came to, as far as they are counted."""

    parts: dict[Chips, Parts] = {}
    counted: int = 0
    played: int = 0
    key: str = ""
    """Of the last round that is counted."""
    put_right: tuple[int, int] = (0, 0)
    unsolved: dict[str, Rulebook] = {}
    """Games of theirs that are not worked out here yet, by their hashes."""

    @property
    def whole(self) -> bool:
        return self.counted == self.played


class Lifetimes:
    """The sums of everybody who asked for theirs."""

    def __init__(self) -> None:
        self._known: dict[str, Lifetime] = {}
        self._turn, self._counting = asyncio.Lock(), threading.Lock()
        self._waiting: set[str] = set()

    async def of(self, house: House, person: str) -> Lifetime:
        """Return what is counted; where that is not all, the rest is counted from here on."""
        found = self._known.pop(person, None) or Lifetime()
        self._known[person] = found  # the last that was asked for
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        if person not in self._waiting:
            await house.look(self._count, house.archive, person, found, AT_ONCE)
            if not found.whole:
                self._waiting.add(person)
                house.schedule(partial(self._go_on, house, person, found))
        return found

    def _count(self, store: Reader, person: str, found: Lifetime, seconds: float) -> None:
        """One at a time: somebody may ask twice at once. Whoever waits too long goes without."""
        if not self._counting.acquire(timeout=AT_ONCE):
            found.played = rounds_played(store, person)
            return
        try:
            count(store, person, found, seconds)
        finally:
            self._counting.release()

    async def _go_on(self, house: House, person: str, found: Lifetime) -> None:
        try:
            async with self._turn:
                while not found.whole and self._known.get(person) is found:
                    began = time.monotonic()
                    await house.background.look_for_all(
                        self._count, house.archive, person, found, LATER
                    )
                    await asyncio.sleep(REST * (time.monotonic() - began))
        finally:
            self._waiting.discard(person)


def count(store: Reader, person: str, found: Lifetime, seconds: float) -> None:
    """Count for so long, at least one round; from the first on where one was put right since or
    paid by a clock that was behind, or where a game has been worked out that had not been."""
    ends, now = time.monotonic() + seconds, put_right(store)
    if found.put_right != now or any(map(at_hand, found.unsolved.values())):
        _begin(found, now)
    while True:
        found.played = rounds_played(store, person)
        coming = played_after(store, person, found.key, A_PAGE)
        if not coming and found.whole:
            return
        if not coming:
            _begin(found, now)
        for each in coming:
            _add(store, person, found, each)
            if time.monotonic() >= ends:
                return


def _add(store: Reader, person: str, found: Lifetime, each: Played) -> None:
    replay = past(store, each.round, person)
    chips, taken = (replay.book.currency, replay.practice), luck(replay)
    if taken is not None:
        found.parts = {**found.parts, chips: found.parts.get(chips, Parts()) + taken.parts}
    if not at_hand(replay.book):
        found.unsolved = {**found.unsolved, replay.book.sha256: replay.book}
    found.key, found.counted = each.key, found.counted + 1


def _begin(found: Lifetime, now: tuple[int, int]) -> None:
    found.parts, found.unsolved = {}, {}
    found.counted, found.key, found.put_right = 0, "", now
