"""What waits at the tax desk: payoffs that need papers, winnings that are kept and for how long."""

import datetime
from collections.abc import Iterable

import msgspec

from pitboss.house.books.ledger import tokes
from pitboss.house.books.papers import FormRecord, HeldWinnings
from pitboss.house.house import House
from pitboss.house.people.persons import Person
from pitboss.house.storage.projections import (
    LoadedTable,
    OpenClaim,
    form_records,
    held_winnings,
    name_of,
    open_claims,
    rulebook,
)
from pitboss.house.table.paperwork import lacks
from pitboss.house.table.records import wager_title
from pitboss.settle import Form


class DueForms(msgspec.Struct, frozen=True):
    """A payoff that needs forms."""

    table: str
    round: int
    seat: int
    person: str
    name: str
    forms: tuple[Form, ...]
    wagers: tuple[str, ...]
    """The titles of the wagers that they are about."""
    waits_for: str
    """What is lacking; nothing, where the forms are complete or it is held."""
    held: bool
    """It is kept, as nobody showed papers; they can until it is paid."""
    clause: str


class HeldSum(msgspec.Struct, frozen=True, kw_only=True):
    """Winnings that are kept, and what may be done with them."""

    held: HeldWinnings
    name: str
    """Of whose they are, or what they were called at their table."""
    days: int
    """How long they have been kept."""
    waits_for: str
    """Why they are not paid out; nothing, where they may be."""
    turned_over_to: str
    """Who may get them if nobody claims them; empty, if nobody."""
    clause: str
    """That says so, or else that they are kept."""


class OwedSum(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody was paid too much, until it is collected or written off."""

    person: str
    """Empty, where dealers owe it for tokes: it is taken from the next that leave their table."""
    name: str
    table: str
    """Where they came to owe it."""
    cents: int
    day: datetime.date
    """The gaming day since which they owe it."""
    days: int
    """How long that is."""


def due_forms(tables: Iterable[LoadedTable]) -> list[DueForms]:
    """Return the payoffs of these tables that need forms, a table after the other."""
    return [
        DueForms(
            table=live.table.id,
            round=live.table.number,
            seat=seat,
            person=live.table.sitters[seat].person,
            name=live.table.sitters[seat].name,
            forms=forms,
            wagers=tuple(dict.fromkeys(wager_title(live.book, form.wager) for form in forms)),
            waits_for=lacks(live.table, seat),
            held=seat in live.table.holds,
            clause=live.book.tax.clause_on("forms"),
        )
        for live in sorted(tables, key=lambda each: each.table.id)
        for seat, forms in live.table.forms.items()
        if seat in live.table.sitters
    ]


async def held_sums(house: House) -> list[HeldSum]:
    """Return what is kept in the whole house, the oldest first."""
    today = house.settings.day(house.clock())
    kept = await house.look(held_winnings, house.archive)
    return [await _held_sum(house, each, today) for each in kept]


async def _held_sum(house: House, kept: HeldWinnings, today: datetime.date) -> HeldSum:
    rule = (await house.look(rulebook, house.archive, kept.sha256)).tax
    return HeldSum(
        held=kept,
        name=await house.look(name_of, house.archive, kept.person),
        days=(today - kept.day).days,
        waits_for=keeps(await house.person(kept.person)),
        turned_over_to=rule.turned_over_to,
        clause=rule.clause_on("turned_over_to") or rule.clause_on("held"),
    )


async def claims(house: House) -> list[OwedSum]:
    """Return what is owed to the house, the oldest first."""
    today = house.settings.day(house.clock())
    found = await house.look(open_claims, house.archive)
    return [await _claim(house, each, today) for each in found]


async def _claim(house: House, each: OpenClaim, today: datetime.date) -> OwedSum:
    dealers = each.owes.startswith(tokes(""))
    day = house.settings.day(each.since)
    name = "the dealers" if dealers else await house.look(name_of, house.archive, each.owes)
    return OwedSum(
        person="" if dealers else each.owes,
        name=name,
        table=each.stream.partition(":")[2],
        cents=each.cents,
        day=day,
        days=(today - day).days,
    )


def keeps(who: Person) -> str:
    """Say why nothing that is kept for somebody may be paid; nothing, if it may."""
    if who.player.barred:
        return "barred"
    return "" if who.player.identified and who.payee is not None else "papers"


async def made_out(house: House) -> list[FormRecord]:
    """Return the forms that were made out, the newest first."""
    return await house.look(form_records, house.archive)
