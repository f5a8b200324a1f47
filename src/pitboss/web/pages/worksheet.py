"""The pro-rata worksheet of a capped round, as one shows it to a patron: seats, no names."""

from collections.abc import Iterable, Sequence

import msgspec
from starlette.responses import Response

from pitboss.errors import Refused, refuse
from pitboss.house.people.permissions import may
from pitboss.house.storage.past_rounds import past_round
from pitboss.house.table.events import SeatPaid
from pitboss.house.table.payoffs import seat_paid
from pitboss.house.table.state import unknown_round
from pitboss.house.table.unit_of_work import settled
from pitboss.round.refusals import NOT_PAYING
from pitboss.rulebook import Rulebook
from pitboss.settle import Line
from pitboss.settle.caps import CAPS
from pitboss.web.pages import rule_page
from pitboss.web.pages.renderer import Page, to
from pitboss.web.pages.visit import Visit
from pitboss.web.services import Services


class Claim(msgspec.Struct, frozen=True):
    """What one seat would have won, and what a cap leaves of it."""

    seat: int
    hand: str
    lines: tuple[tuple[str, Line], ...]
    """Its wagers under the cap, by their names."""
    nominal_cents: int
    share_cents: int
    exact: bool
    """The share comes out in whole cents."""


class CapSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One use of a payout cap."""

    table_wide: bool
    cap_cents: int
    total_cents: int
    """What counts toward it."""
    clause: str
    claims: tuple[Claim, ...]


def sheets(book: Rulebook, paid: Iterable[SeatPaid]) -> list[CapSheet]:
    """Return how each ceiling that bit was shared: of the whole table, or of one player."""
    groups: dict[tuple[int, int], list[Claim]] = {}
    facts, clauses = {}, {}
    for seat in paid:
        under: dict[int, list[Line]] = {}
        for line in seat.lines:
            for why in line.reasons:
                if why.code in CAPS:
                    number = int(why.facts["ceiling"])
                    under.setdefault(number, []).append(line)
                    table_wide = book.cap[number].scope == "table"
                    of = (number, 0 if table_wide else seat.seat)
                    facts[of, seat.seat], clauses[of] = why.facts, why.clause
        for number, lines in under.items():
            of = (number, 0 if book.cap[number].scope == "table" else seat.seat)
            groups.setdefault(of, []).append(_claim(book, seat, lines, facts[of, seat.seat]))
    return [
        CapSheet(
            table_wide=not of[1],
            cap_cents=facts[of, claims[0].seat]["cap_cents"],
            total_cents=facts[of, claims[0].seat]["total_cents"],
            clause=clauses[of],
            claims=tuple(claims),
        )
        for of, claims in groups.items()
    ]


def _claim(book: Rulebook, seat: SeatPaid, lines: Sequence[Line], facts: dict[str, int]) -> Claim:
    nominal, share = facts["nominal_cents"], facts["share_cents"]
    exact = share * facts["total_cents"] == facts["cap_cents"] * nominal
    named = tuple((book.wager_name(line.spot), line) for line in lines)
    return Claim(seat.seat, seat.hand, named, nominal, share, exact)


async def of_table(web: Services, visit: Visit) -> Page | Response:
    """How the payout cap is shared in the round that is being settled."""
    if not visit.person.id:
        return to("/sign-in")
    _works_here(visit)
    house = web.house
    live = await house.table(visit.path("table"))
    book, table = live.book, live.table
    if table.round.phase != "settling":
        raise Refused(NOT_PAYING())
    day = house.settings.day(house.clock())
    paid = [seat_paid(book, each) for each in settled(book, table, day).seats]
    return _page(web, book, f"{table.id}-{table.number}", paid, "/floor")


async def of_round(web: Services, visit: Visit) -> Page | Response:
    """How the payout cap was shared in a round that was paid."""
    if not visit.person.id:
        return to("/sign-in")
    _works_here(visit)
    name, house = visit.path("round"), web.house
    table, _, number = name.rpartition("-")
    digits = number.isascii() and number.isdigit() and len(number) < 10
    past = await house.look(past_round, house.archive, table, int(number)) if digits else None
    if past is None:
        raise unknown_round(name)
    return _page(web, past.book, name, past.paid.seats, f"/rounds/{name}")


def _works_here(visit: Visit) -> None:
    if not may(frozenset(visit.person.roles), "watch-floor"):
        raise refuse("role/not-yours", "a worksheet is shown by people who work in the pit")


def _page(web: Services, book: Rulebook, name: str, paid: Sequence[SeatPaid], back: str) -> Page:
    return Page(
        "worksheet.html",
        book=book,
        rules=rule_page.address(web.house.shelf, book),
        name=name,
        number=name.rpartition("-")[2],
        sheets=sheets(book, paid),
        back=back,
    )
