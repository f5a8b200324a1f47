"""The status of a table to one person: what is waited for, and what their bet would do."""

from collections.abc import Iterable

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


def status_line(live: LoadedTable, view: TableView, *, bet_down: bool) -> str:
    names = {seat.seat: seat.name for seat in view.seats}
    if view.approvals:
        return _approvals(view)
    if view.seat in view.due:
        return "It is your decision."
    if view.due:
        return f"Waiting for {listed(names.get(seat, f'seat {seat}') for seat in view.due)}."
    if view.phase == "waiting":
        waits = "The dealer has not opened the betting yet."
        return waits if view.dealer else "There is no dealer at this table yet."
    if view.phase == "betting" and bet_down:
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


def bet_word(live: LoadedTable, view: TableView, *, bet_down: bool) -> str:
    """Return the word on the button that bets."""
    if bet_down:
        return "Change the bet"
    alone = all(seat.bot or seat.away for seat in view.seats if seat.seat != view.seat)
    return "Deal" if alone and live.table.dealing == AUTOMATIC else "Bet"
