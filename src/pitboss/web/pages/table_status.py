"""The status of a table to one person: which round lies there, what is waited for."""

from collections.abc import Iterable

import msgspec

from pitboss.house.replay import Replay
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.unit_of_work import AUTOMATIC
from pitboss.house.views import TableView
from pitboss.wording import listed, spaced

SAYS = {
    "closed": "This table is closed.",
    "betting": "Place your bets.",
    "playing": "The dealer deals.",
    "settling": "The dealer settles.",
}
"""What a table waits for, where it is nobody in particular."""


class TableStatus(msgspec.Struct, frozen=True):
    """What the page is about."""

    over: Replay | None
    """The last round, as long as it lies on the felt."""
    down: bool
    """You have a bet down."""
    free: frozenset[int]
    says: str
    """A sentence on what is waited for."""
    button: str
    """The word on the button that bets."""
    away: bool
    """You sit out."""
    leaving: bool
    """You get up when the round is over."""
    freed: str
    """Why, where that is not your own wish."""


def table_status(live: LoadedTable, view: TableView, last: Replay | None) -> TableStatus:
    table = live.table
    mine = table.round.seats.get(view.seat or 0)
    sitter = table.sitters.get(view.seat or 0)
    down = mine is not None and bool(mine.stakes) and table.round.phase != "new"
    return TableStatus(
        over=None if table.under_way else last,
        down=down,
        free=frozenset(range(1, live.book.seats.most + 1)) - table.sitters.keys(),
        says=_says(live, view, down=down),
        button=_button(live, view, down=down),
        away=sitter is not None and sitter.away,
        leaving=sitter is not None and sitter.leaving,
        freed=sitter.freed if sitter is not None else "",
    )


def _says(live: LoadedTable, view: TableView, *, down: bool) -> str:
    names = {seat.seat: seat.name for seat in view.seats}
    if view.approvals:
        return _approvals(view)
    if view.seat in view.due:
        return "It is your decision."
    if view.due:
        return f"Waiting for {listed(names.get(seat, f'seat {seat}') for seat in view.due)}."
    if view.phase == "waiting":
        return (
            "The dealer has not opened the betting yet."
            if view.dealer
            else "There is no dealer at this table yet."
        )
    if view.phase == "betting" and down:
        others = [names[seat] for seat in _still_to_bet(live, view)]
        waits = f": waiting for {listed(others)}" if others else ""
        return f"Your bet is down{waits}."
    return SAYS.get(view.phase, "")


def _still_to_bet(live: LoadedTable, view: TableView) -> Iterable[int]:
    seats = live.table.round.seats
    return (
        seat.seat
        for seat in view.seats
        if seat.seat != view.seat
        and not seat.away
        and not (seat.seat in seats and seats[seat.seat].stakes)
    )


def _approvals(view: TableView) -> str:
    needed = dict.fromkeys(each for several in view.approvals.values() for each in several)
    if not needed:
        return "The payoff is approved; the dealer pays."
    who = ("the dealer's call" if each == "call-out" else spaced(each) for each in needed)
    return f"A payoff waits for {listed(who)}."


def _button(live: LoadedTable, view: TableView, *, down: bool) -> str:
    if down:
        return "Change the bet"
    alone = all(seat.bot or seat.away for seat in view.seats if seat.seat != view.seat)
    return "Deal" if alone and live.table.dealing == AUTOMATIC else "Bet"
