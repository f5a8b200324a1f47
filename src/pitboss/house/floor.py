"""The floor as one person sees it: the tables of the pit, and what waits for them there."""

from collections.abc import Iterable

from pitboss.house.house import House
from pitboss.house.paper_list import held_sums
from pitboss.house.people.permissions import may, roles_at
from pitboss.house.people.persons import Person
from pitboss.house.storage import codec
from pitboss.house.storage.past_rounds import past_round
from pitboss.house.storage.projections import LoadedTable, asked_adjustments, open_notices
from pitboss.house.storage.reader import Reader
from pitboss.house.table import events as h
from pitboss.house.waiting import TableLook, Task, held, waiting
from pitboss.rulebook import Rulebook

MOST_ENTRIES = 2_000
"""Of a table's journal that are searched for when something was asked there."""


async def tasks(house: House, who: Person) -> list[Task]:
    """Return what waits for somebody in the whole house."""
    mine = await kept(house, who.id, frozenset(who.roles))
    return waiting(await looks(house, who, house.tables), mine)


async def kept(house: House, person: str, roles: frozenset[str]) -> list[Task]:
    """Return the winnings that are kept and wait for somebody, wherever they were won."""
    if not (may(roles, "release-held") or may(roles, "turn-over-held")):
        return []
    sums = await held_sums(house)
    won = {each.held.round for each in sums}
    since = {each: await house.look(_paid_at, house.archive, each) for each in won}
    return [*held(sums, person, roles, since, house.shelf.currency)]


async def looks(house: House, who: Person, tables: Iterable[LoadedTable]) -> list[TableLook]:
    """Look at these tables, and at those that are closed and still have somebody wait."""
    by_name = {live.table.id: live for live in tables if not live.table.practice}
    for name in await house.look(_waiting_still, house.archive):
        if name not in by_name:
            by_name[name] = await house.table(name)
    now = house.clock()
    return [
        TableLook(
            book=live.book,
            table=live.table,
            person=who.id,
            roles=frozenset(roles_at(live.table, who)),
            now=now,
            day=house.settings.day(now),
            ends=house.settings.ends,
            since=await house.look(asked_at, house.archive, live),
            played_by=await house.look(_played_by, house.archive, live),
        )
        for live in by_name.values()
    ]


def played_by(store: Reader, live: LoadedTable, number: int) -> Rulebook:
    """Return the rules of a round: its table may have been opened again with others since."""
    past = past_round(store, live.table.id, number)
    return past.book if past is not None else live.book


def _played_by(store: Reader, live: LoadedTable) -> dict[int, Rulebook]:
    asked = live.table.adjustment
    numbers = [*live.table.notices, *([asked.round] if asked is not None else [])]
    return {number: played_by(store, live, number) for number in numbers}


def _waiting_still(store: Reader) -> set[str]:
    """Return the tables with something that outlasts their being closed."""
    return {name for name, _, _ in open_notices(store)} | {*asked_adjustments(store)}


def asked_at(store: Reader, live: LoadedTable) -> dict[str, int]:
    """Return when it came to what a table waits for, by what that is; no more is read than is
    waited for."""
    table, found = live.table, dict[str, int]()
    stream = f"table:{table.id}"
    if table.announced or table.forms or table.void or table.correction or table.adjustment:
        for entry in store.entries(stream, max(table.begun - 1, live.seq - MOST_ENTRIES)):
            asked = (_asked(event) for event in codec.body(entry.body).events)
            found |= {what: entry.at for what in asked if what}
    if table.open and table.dealing == "entered":
        [last] = store.entries(stream, live.seq - 1, 1)
        found["last"] = last.at
    notices = {number: _paid_at(store, f"{table.id}-{number}") for number in table.notices}
    return found | {f"notice {number}": at for number, at in notices.items() if at}


def _asked(event: h.TableEvent) -> str:
    match event:
        case h.PayoffAnnounced():
            return f"payoff {event.seat}"
        case h.FormsDue():
            return f"form {event.seat}"
        case h.VoidAsked():
            return "void"
        case h.CorrectionAsked():
            return "correction"
        case h.AdjustmentAsked():
            return "adjustment"
    return ""


def _paid_at(store: Reader, name: str) -> int:
    """Return when a round was paid; 0 where it is not known."""
    span = store.kept("round", name)
    if span is None:
        return 0
    stream = f"table:{name.rpartition('-')[0]}"
    [paid] = store.entries(stream, int(span.split()[1]) - 1, 1)
    return paid.at


def announced_at(store: Reader, live: LoadedTable) -> dict[int, int]:
    """Return when each payoff that a table waits with was announced, by its seat."""
    found = asked_at(store, live)
    times = ((seat, found.get(f"payoff {seat}", 0)) for seat in live.table.announced)
    return {seat: at for seat, at in times if at}
