"""What the dealer takes and pays at the end of a round: seat by seat, in chips, and what waits."""

from collections.abc import Sequence

import msgspec

from pitboss import money
from pitboss.house.table.payoffs import unapproved
from pitboss.house.table.state import Table
from pitboss.round.state import TOKE
from pitboss.rulebook import Rulebook
from pitboss.rulebook.pit_rules import Approval
from pitboss.settle import Line, SeatSettlement, Settlement
from pitboss.settle.approvals import needed
from pitboss.web.pages.dealer_prompt import in_house_order
from pitboss.web.pages.evidence import seat_name
from pitboss.web.pages.table_status import approvers


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
    kept_cents: int
    """Winnings that are held or withheld."""
    dealers_cents: int
    """What goes to the dealers for a toke."""
    waits: tuple[tuple[Approval, str, bool], ...]
    """What has to be done before it is paid, by whom, and whether they did."""


def payoffs(book: Rulebook, table: Table, settlement: Settlement) -> tuple[SeatPayoff, ...]:
    """Return what is taken and paid at each seat, in the house's order."""
    by_seat = {each.seat: each for each in settlement.seats}
    return tuple(_payoff(book, table, by_seat[seat]) for seat in in_house_order(book, by_seat))


def _payoff(book: Rulebook, table: Table, paid: SeatSettlement) -> SeatPayoff:
    take = _named(book, [line for line in paid.lines if line.outcome == "lose"])
    own = [line for line in paid.lines if line.spot != TOKE]
    stacks, coin = money.chips(paid.payoff_cents, book.chips)
    left = unapproved(book, table, paid.seat) if paid.seat in table.announced else ()
    return SeatPayoff(
        seat=paid.seat,
        name=seat_name(table, paid.seat),
        hand=paid.hand,
        take=take,
        take_cents=sum(cents for _, cents in take),
        stay=_named(book, [line for line in own if line.outcome == "push"]),
        won=tuple(line for line in own if line.won_cents),
        pay_cents=paid.payoff_cents,
        stacks=tuple(stacks),
        coin_cents=coin,
        kept_cents=paid.held_cents + paid.withheld_cents,
        dealers_cents=sum(line.returned_cents for line in paid.lines if line.spot == TOKE),
        waits=tuple(
            (rule, approvers(rule), rule not in left) for rule in needed(book, paid.won_cents)
        ),
    )


def _named(book: Rulebook, lines: Sequence[Line]) -> tuple[tuple[str, int], ...]:
    return tuple((book.wager_name(line.spot), line.stake_cents) for line in lines)
