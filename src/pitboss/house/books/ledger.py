"""Which chips an event moves: balanced entries between accounts, and nothing else moves money.

Wagers lie on the table's layout while they are undecided. The cage gives out every chip and may
owe; nobody else may.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pitboss.house.table import events as h
from pitboss.round import events as e
from pitboss.round.state import State
from pitboss.rulebook.model import Rulebook
from pitboss.settle.settlement import TOKE

if TYPE_CHECKING:
    from pitboss.house.table.state import Table

CAGE = "cage"
PLAY_CAGE = "cage:play"
"""Play chips are their own money: they come from here and never mix with the others."""
Posting = tuple[str, int]
"""An account, and the cents that come to it."""


def chips(person: str, *, practice: bool) -> str:
    """Return a person's account of chips, or of play chips."""
    return f"play:{person}" if practice else f"chips:{person}"


def cage(*, practice: bool) -> str:
    """Return where a table's chips come from."""
    return PLAY_CAGE if practice else CAGE


def bank(table: str) -> str:
    """Return the account of a table's rack."""
    return f"bank:{table}"


def layout(table: str) -> str:
    """Return the account of the wagers that lie on a table."""
    return f"layout:{table}"


def pool(table: str) -> str:
    """Return the account of a table's progressive."""
    return f"pool:{table}"


def tokes(table: str) -> str:
    """Return the account of a table's toke box."""
    return f"tokes:{table}"


def held(person: str, *, practice: bool) -> str:
    """Return the account of winnings that are kept for a person."""
    return f"held-play:{person}" if practice else f"held:{person}"


def tax(*, practice: bool) -> str:
    """Return the account of tax that was withheld."""
    return "tax:play" if practice else "tax"


def postings(book: Rulebook, table: "Table", event: h.TableEvent) -> list[Posting]:
    """Return what an event moves at a table that stands like this."""
    moves = _MOVES.get(type(event))
    moved = moves(book, table, event) if moves is not None else ()
    return [(account, cents) for account, cents in moved if cents]


def _bet(_book: Rulebook, table: "Table", event: e.BetPlaced) -> list[Posting]:
    new = sum(event.wagers.values()) + event.toke_cents
    return _to_layout(table, event.seat, new - _lies(table, event.seat))


def _raised(_book: Rulebook, table: "Table", event: e.RaisePlaced) -> list[Posting]:
    return _to_layout(table, event.seat, event.cents)


def _taken_back(_book: Rulebook, table: "Table", event: e.WagerTakenBack) -> list[Posting]:
    return _to_layout(table, event.seat, -event.cents)


def _late(_book: Rulebook, table: "Table", event: e.LateWagerAccepted) -> list[Posting]:
    before = table.round.seats[event.seat].stakes[event.spot]
    return _to_layout(table, event.seat, event.cents - before)


def _filled(_book: Rulebook, table: "Table", event: h.BankFilled) -> list[Posting]:
    return [(cage(practice=table.practice), -event.cents), (bank(table.id), event.cents)]


def _seeded(_book: Rulebook, table: "Table", event: h.MeterSeeded) -> list[Posting]:
    return [(cage(practice=table.practice), -event.cents), (pool(table.id), event.cents)]


def _closed(_book: Rulebook, table: "Table", event: h.TableClosed) -> list[Posting]:
    return [(bank(table.id), -event.bank_cents), (cage(practice=table.practice), event.bank_cents)]


def _to_layout(table: "Table", seat: int, cents: int) -> list[Posting]:
    person = table.round.seats[seat].person
    return [(chips(person, practice=table.practice), -cents), (layout(table.id), cents)]


def _lies(table: "Table", seat: int) -> int:
    """Return what a seat has on the layout before betting is closed."""
    state = table.round.seats[seat]
    return sum(state.stakes.values()) + state.toke_cents


def _tokens_drop(book: Rulebook, table: "Table", event: e.BettingClosed) -> list[Posting]:
    """Tokens leave the layout: a part of them goes to the meter, the rest to the bank."""
    if event.meter_cents is None:
        return []
    tokens = tokens_down(book, table.round)
    grown = event.meter_cents - (table.round.meter_cents or 0)
    return [
        (layout(table.id), -tokens),
        (pool(table.id), grown),
        (bank(table.id), tokens - grown),
    ]


def tokens_down(book: Rulebook, state: State) -> int:
    """Return what lies on the progressive's spots."""
    if book.progressive is None:
        return 0
    return sum(seat.stakes.get(book.progressive.spot, 0) for seat in state.seats.values())


def _paid(_book: Rulebook, table: "Table", event: h.RoundPaid) -> list[Posting]:
    moved: list[Posting] = []
    for paid in event.seats:
        seat = table.round.seats[paid.seat]
        person = seat.person
        toke = sum(line.returned_cents for line in paid.lines if line.spot == TOKE)
        # A toke belongs to the dealers once it is decided: not in a misdeal, not with a dead hand.
        back = toke if table.round.misdeal or seat.dead else 0
        moved.append((chips(person, practice=table.practice), paid.paid_cents + back))
        moved.append((tokes(table.id), toke - back))
        moved.append((held(person, practice=table.practice), paid.held_cents))
        moved.append((tax(practice=table.practice), paid.withheld_cents))
    lay = sum(_lies(table, seat) for seat in table.round.seats)
    moved.append((layout(table.id), table.dropped_cents - lay))
    moved.append((pool(table.id), (event.meter_cents or 0) - (table.meter_cents or 0)))
    moved.append((bank(table.id), -sum(cents for _, cents in moved)))
    return moved


_MOVES: dict[type[Any], Callable[[Rulebook, "Table", Any], list[Posting]]] = {
    e.BetPlaced: _bet,
    e.RaisePlaced: _raised,
    e.WagerTakenBack: _taken_back,
    e.LateWagerAccepted: _late,
    e.BettingClosed: _tokens_drop,
    h.RoundPaid: _paid,
    h.BankFilled: _filled,
    h.MeterSeeded: _seeded,
    h.TableClosed: _closed,
}
"""Only these events move money."""
