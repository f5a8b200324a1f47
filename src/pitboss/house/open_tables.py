"""The open tables that a process knows, filed so that nobody goes through all of them to find some:
in order, by who sits there, by who opened them or was invited."""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.state import Table


class _Filed(msgspec.Struct, frozen=True):
    """Where a table is filed."""

    name: tuple[bool, str]
    """Real chips first."""
    company: tuple[bool, bool, str]
    """Real chips first, then those where somebody sits."""
    sitters: frozenset[str]
    opener: str
    """Of a practice table."""
    admitted: frozenset[str]


def _filed(table: Table) -> _Filed:
    return _Filed(
        name=(table.practice, table.id),
        company=(table.practice, not table.sitters, table.id),
        sitters=frozenset(each.person for each in table.sitters.values()),
        opener=table.opener if table.practice else "",
        admitted=frozenset(table.admitted),
    )


def _moved(before: Table, after: Table) -> bool:
    """Whether it must be filed elsewhere: what did not change is the same object."""
    return before.sitters is not after.sitters or before.admitted is not after.admitted


class OpenTables:
    """Tables by name; iterated, all of them."""

    def __init__(self) -> None:
        self._tables: dict[str, LoadedTable] = {}
        self._names: list[tuple[bool, str]] = []
        self._companies: list[tuple[bool, bool, str]] = []
        self._sitters: defaultdict[str, set[str]] = defaultdict(set)
        self._openers: defaultdict[str, set[str]] = defaultdict(set)
        self._admitted: defaultdict[str, set[str]] = defaultdict(set)

    def __iter__(self) -> Iterator[LoadedTable]:
        return iter([*self._tables.values()])

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, name: str) -> LoadedTable | None:
        return self._tables.get(name)

    def put(self, name: str, live: LoadedTable) -> None:
        before = self._tables.get(name)
        if before is None or _moved(before.table, live.table):
            self.drop(name)
            after = _filed(live.table)
            insort(self._names, after.name)
            insort(self._companies, after.company)
            for several, person in self._people(after):
                several[person].add(name)
        self._tables[name] = live

    def drop(self, name: str) -> None:
        live = self._tables.pop(name, None)
        if live is None:
            return
        filed = _filed(live.table)
        del self._names[bisect_left(self._names, filed.name)]
        del self._companies[bisect_left(self._companies, filed.company)]
        for several, person in self._people(filed):
            several[person].discard(name)
            if not several[person]:
                del several[person]

    def _people(self, filed: _Filed) -> Iterator[tuple[defaultdict[str, set[str]], str]]:
        """Yield under whom, and as what, a table is filed."""
        yield self._openers, filed.opener
        yield from ((self._sitters, person) for person in filed.sitters)
        yield from ((self._admitted, person) for person in filed.admitted)

    def count(self, *, practice: bool) -> int:
        real = bisect_left(self._names, (True, ""))
        return len(self) - real if practice else real

    def page(self, after: tuple[bool, str], most: int) -> list[LoadedTable]:
        """Return the next tables by name after one, those with real chips first."""
        first = bisect_right(self._names, after)
        return [self._tables[name] for _, name in self._names[first : first + most]]

    def practice_of(self, person: str) -> list[LoadedTable]:
        """Return the practice tables that somebody opened, sits at or was invited to, by name."""
        filed = (self._openers, self._sitters, self._admitted)
        names = {name for each in filed for name in each.get(person, ())} if person else ()
        found = [self._tables[name] for name in sorted(names)]
        return [live for live in found if live.table.practice]

    def busiest(self, most: int) -> list[LoadedTable]:
        """Return the first tables, those with real chips first and then those with company."""
        return [self._tables[name] for _, _, name in self._companies[:most]]

    def where_sits(self, person: str) -> list[LoadedTable]:
        return [self._tables[name] for name in sorted(self._sitters.get(person, ()))]

    def opened_by(self, person: str) -> set[str]:
        """Return the names of somebody's practice tables."""
        return {*self._openers.get(person, ())}
