"""What the dealer takes and pays at the end of a round: seat by seat, in chips, and what waits."""

from collections.abc import Sequence

import msgspec

from pitboss import money
from pitboss.house.replay import FinishedRound
from pitboss.house.table.events import SeatPaid
from pitboss.house.table.paperwork import lacks
from pitboss.house.table.payoffs import in_house_order, unapproved
from pitboss.house.table.state import Table
from pitboss.round.state import TOKE
from pitboss.rulebook import Rulebook
from pitboss.rulebook.pit_rules import Approval
from pitboss.settle import Line, SeatSettlement, Settlement
from pitboss.settle.approvals import needed
from pitboss.web.pages.evidence import seat_name
from pitboss.web.pages.table_status import approvers

Waits = tuple[tuple[Approval, str, bool], ...]


class SeatPayoff(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with the chips of one seat."""

    seat: int
    name: str
    hand: str
    take: tuple[tuple[str, int], ...]
    """Wagers that are lost."""
    take_cents: int
    stay: tuple[tuple[str, int], ...]
    """Wagers that push."""
    won: tuple[Line, ...]
    pay_cents: int
    """What of the winnings is paid in chips now."""
    stacks: tuple[tuple[int, int], ...]
    """In the fewest chips: which, and how many."""
    coin_cents: int
    """What is less than the smallest chip."""
    held_cents: int
    """Winnings that are kept for them."""
    withheld_cents: int
    """Tax."""
    papers: str
    """What it waits for besides approvals; empty, if it does not."""
    dealers_cents: int
    """What goes to the dealers for a toke."""
    done: bool
    """It is paid, while another waits."""
    waits: Waits
    """What has to be done before it is paid, by whom, and whether they did."""


def payoffs(book: Rulebook, table: Table, settlement: Settlement) -> tuple[SeatPayoff, ...]:
    """Return what is taken and paid at each seat, in the house's order."""
    by_seat = {each.seat: each for each in settlement.seats}
    return tuple(
        _payoff(
            book,
            seat_name(table, seat),
            by_seat[seat],
            _waits(book, table, by_seat[seat]),
            lacks(table, seat),
            done=seat in table.paid,
        )
        for seat in in_house_order(book, by_seat)
    )


def paid(over: FinishedRound) -> tuple[SeatPayoff, ...]:
    """Return the same of a round that was paid: the dealer may look at it once more."""
    book, names = over.book, over.seen_by(None).names
    by_seat = {each.seat: each for each in over.paid().seats}
    return tuple(
        _payoff(book, names.get(seat, f"Seat {seat}"), by_seat[seat])
        for seat in in_house_order(book, by_seat)
    )


def _waits(book: Rulebook, table: Table, settled: SeatSettlement) -> Waits:
    left = unapproved(book, table, settled.seat) if settled.seat in table.announced else ()
    rules = needed(book, settled.won_cents)
    return tuple((rule, approvers(rule), rule not in left) for rule in rules)


def _payoff(
    book: Rulebook,
    name: str,
    seat: SeatSettlement | SeatPaid,
    waits: Waits = (),
    papers: str = "",
    *,
    done: bool = False,
) -> SeatPayoff:
    take = _named(book, [line for line in seat.lines if line.outcome == "lose"])
    own = [line for line in seat.lines if line.spot != TOKE]
    pay = sum(line.won_cents for line in own) - seat.held_cents - seat.withheld_cents
    stacks, coin = money.chips(pay, book.chips)
    return SeatPayoff(
        seat=seat.seat,
        name=name,
        hand=seat.hand,
        take=take,
        take_cents=sum(cents for _, cents in take),
        stay=_named(book, [line for line in own if line.outcome == "push"]),
        won=tuple(line for line in own if line.won_cents),
        pay_cents=pay,
        stacks=tuple(stacks),
        coin_cents=coin,
        held_cents=seat.held_cents,
        withheld_cents=seat.withheld_cents,
        papers=papers,
        dealers_cents=sum(line.returned_cents for line in seat.lines if line.spot == TOKE),
        done=done,
        waits=waits,
    )


def _named(book: Rulebook, lines: Sequence[Line]) -> tuple[tuple[str, int], ...]:
    return tuple((book.wager_name(line.spot), line.stake_cents) for line in lines)
