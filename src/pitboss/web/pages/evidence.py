"""What a payoff that waits is made of, for whoever approves it: cards, wagers, odds, ceilings.

It is settled once more as it stands: what is paid then is what was announced, and is shown here.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pitboss import round as rounds
from pitboss.cards import Card
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.payoffs import unapproved
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import settled
from pitboss.round.state import TOKE
from pitboss.rulebook.pit_rules import Approval
from pitboss.settle import Line, SeatSettlement
from pitboss.settle.approvals import needed
from pitboss.settle.explain import words
from pitboss.web.pages.table_status import approvers
from pitboss.wording import capital, listed


class WagerWon(msgspec.Struct, frozen=True):
    """A wager that wins: its stake times its odds, and what became of that."""

    title: str
    line: Line
    reasons: tuple[tuple[str, str], ...]
    """Each in words, with its clauses."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A payoff that waits for approval, with all that there is to verify."""

    seat: int
    name: str
    won_cents: int
    needs: str
    roles: tuple[str, ...]
    """Those of yours in which you may approve it."""
    since: int
    """When it was announced."""
    cards: tuple[Card | None, ...]
    piles: tuple[tuple[str, tuple[Card | None, ...]], ...]
    """Cards on the table, by what they are called."""
    hand: str
    wagers: tuple[WagerWon, ...]
    toke: WagerWon | None
    """What the dealers win."""
    passed: tuple[tuple[Approval, str, bool], ...]
    """The thresholds that it is over, who acts on each, and whether they did."""


def seat_name(table: Table, seat: int) -> str:
    return table.sitters[seat].name if seat in table.sitters else f"Seat {seat}"


def payoffs_waiting(
    live: LoadedTable, roles: Sequence[str], since: Mapping[int, int], day: datetime.date
) -> Iterator[Waiting]:
    """Return the payoffs of a table that wait, as somebody in these roles sees them."""
    book, table = live.book, live.table
    missing = {seat: unapproved(book, table, seat) for seat in table.announced}
    if not any(missing.values()):
        return
    state = rounds.view(book, table.happened, None)
    for paid in settled(book, table, day).seats:
        left = missing.get(paid.seat)
        if not left:
            continue
        won = {each.line.spot: each for each in _won(live, paid)}
        yield Waiting(
            seat=paid.seat,
            name=seat_name(table, paid.seat),
            won_cents=paid.won_cents,
            needs=listed(map(approvers, left)),
            roles=tuple(role for role in roles if any(book.allows(role, rule.by) for rule in left)),
            since=since.get(paid.seat, 0),
            cards=state.seats[paid.seat].cards,
            piles=tuple((capital(book.place_name(n)), pile) for n, pile in state.piles.items()),
            hand=paid.hand,
            toke=won.pop(TOKE, None),
            wagers=tuple(won.values()),
            passed=tuple(
                (rule, approvers(rule), rule not in left) for rule in needed(book, paid.won_cents)
            ),
        )


def _won(live: LoadedTable, paid: SeatSettlement) -> Iterator[WagerWon]:
    book = live.book
    for line in paid.lines:
        if line.won_cents:
            reasons = tuple((words(book, each), each.clause) for each in line.reasons)
            yield WagerWon(book.wager_name(line.spot), line, reasons)
