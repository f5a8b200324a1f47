"""What a payoff that waits is made of, for whoever approves it: cards, wagers, odds, ceilings.

It is settled once more as it stands: what is paid then is what was announced, and is shown here.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from pitboss import round as rounds
from pitboss.cards import Card
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.paperwork import lacks
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
    papers: tuple[tuple[str, str], ...]
    """What it waits for, what is held or which forms it needs, in words, with clauses."""
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
            papers=tuple(_papers(live, paid)),
            passed=tuple(
                (rule, approvers(rule), rule not in left) for rule in needed(book, paid.won_cents)
            ),
        )


def _won(live: LoadedTable, paid: SeatSettlement) -> Iterator[WagerWon]:
    book = live.book
    for line in paid.lines:
        if line.won_cents:
            told = (each for each in line.reasons if each.code not in ("held", "form"))
            reasons = tuple((words(book, each), each.clause) for each in told)
            yield WagerWon(book.wager_name(line.spot), line, reasons)


def _papers(live: LoadedTable, paid: SeatSettlement) -> Iterator[tuple[str, str]]:
    """Say what the payoff waits for, what of all its wagers is held, or which forms it needs."""
    book, left = live.book, lacks(live.table, paid.seat)
    reasons = [reason for line in paid.lines for reason in line.reasons]
    held = [reason for reason in reasons if reason.code == "held"]
    if left:
        without = f"; without, {book.money(paid.held_cents)} is held" if held else ""
        yield f"It waits for {left}{without}", book.tax.clause_on("forms") or book.tax.cited
    elif held:
        whole = replace(held[0], facts={**held[0].facts, "won_cents": paid.held_cents})
        yield words(book, whole), whole.clause
    else:
        yield from ((words(book, each), each.clause) for each in reasons if each.code == "form")
