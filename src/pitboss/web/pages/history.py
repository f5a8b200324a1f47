"""Finished rounds that were looked at lately, and what their results were made of."""

import time

from pitboss.house.house import House
from pitboss.house.luck import UNSOLVED, RoundLuck, as_seen, card_by_card, luck_and_skill
from pitboss.house.replay import Replay, past, played, put_right
from pitboss.house.storage.reader import Reader
from pitboss.maths.luck import Parts, total
from pitboss.web.pages.prices import solved

MOST_EVENTS, MOST_LUCKS = 25_000, 10_000
"""That are remembered: events of rounds that somebody saw, and results that were taken apart."""

SESSION = 100
"""Rounds of a person that are looked back on."""


PATIENCE = 1.5
"""Seconds for which results are taken apart while somebody waits: on a shared board one takes half
of that. A later look goes on."""


class Replays:
    """Finished rounds as somebody saw them; the last ones are remembered, but for those with real
    cards, which may still be put right."""

    def __init__(self) -> None:
        self._replays: dict[tuple[str, str], Replay] = {}
        self._events = 0
        self._lucks: dict[tuple[str, str], RoundLuck | None] = {}
        self._put_right = (0, 0)

    async def read(self, house: House, name: str, person: str) -> Replay:
        found = self._replays.get((name, person))
        if found is None:
            found = await house.look(past, house.archive, name, person)
            if found.commitment:
                self._remember((name, person), found)
        return found

    def _remember(self, key: tuple[str, str], found: Replay) -> None:
        """Keep it, and let the oldest go while there are too many events."""
        if key not in self._replays:
            self._replays[key] = found
            self._events += len(found.events)
        while self._events > MOST_EVENTS:
            oldest = self._replays.pop(next(iter(self._replays)))
            self._events -= len(oldest.events)

    async def session(self, house: House, table: str, person: str) -> Parts | None:
        """Add up those of somebody's last rounds in which they decided something at a table; None
        where there are none."""
        return await house.look(self._session, house.archive, table, person)

    def _session(self, store: Reader, table: str, person: str) -> Parts | None:
        """On a thread."""
        names = [each.round for each in played(store, person, most=SESSION)]
        here = [name for name in names if name.rpartition("-")[0] == table]
        found = self.lucks(store, here, person)
        known = [each.parts for each in found if each is not None and each.parts.decisions]
        return total(known) if known else None

    def lucks(self, store: Reader, names: list[str], person: str) -> list[RoundLuck | None]:
        """Take apart what rounds came to for somebody, on a thread: None where there was no time
        for it. What is known is remembered until any round is put right."""
        now, began = put_right(store), time.monotonic()
        if now != self._put_right:
            self._lucks, self._put_right = {}, now
        return [
            self._luck(store, name, person)
            if (name, person) in self._lucks or time.monotonic() - began < PATIENCE
            else None
            for name in names
        ]

    def _luck(self, store: Reader, name: str, person: str) -> RoundLuck | None:
        known, key = self._lucks, (name, person)
        if key in known:
            return known[key]
        found = luck(past(store, name, person))
        if found is None or found.why != UNSOLVED:  # which it may be soon
            while len(known) >= MOST_LUCKS:
                known.pop(next(iter(known)), None)
            known[key] = found
        return found


def luck(found: Replay) -> RoundLuck | None:
    """Take apart what a round came to for the seat whose view this is; None without one."""
    told = as_seen(found)
    return luck_and_skill(told, solved(found.book)) if told is not None else None


def luck_by_card(found: Replay) -> RoundLuck | None:
    """Likewise, with the first cards told one by one, where that is done at once."""
    told, taken, solution = as_seen(found), luck(found), solved(found.book)
    if told is None or taken is None or solution is None:
        return taken
    return card_by_card(told, solution, taken)
