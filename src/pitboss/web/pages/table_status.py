"""The status of a table to one person: what is waited for, and what their bet would do."""

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
        needed = dict.fromkeys(each for several in view.approvals.values() for each in several)
        who = ("the dealer's call" if each == "call-out" else spaced(each) for each in needed)
        waits = f"A payoff waits for {listed(who)}."
        return waits if needed else "The payoff is approved; the dealer pays."
    if view.seat in view.due:
        return "It is your decision."
    if view.due:
        return f"Waiting for {listed(names.get(seat, f'seat {seat}') for seat in view.due)}."
    if view.phase == "waiting":
        waits = "The dealer has not opened the betting yet."
        return waits if view.dealer else "There is no dealer at this table yet."
    if view.phase == "betting" and bet_down:
        down = {number for number, seat in live.table.round.seats.items() if seat.stakes}
        others = [s.name for s in view.seats if not s.away and s.seat not in {view.seat, *down}]
        waits = f": waiting for {listed(others)}" if others else ""
        return f"Your bet is down{waits}."
    return SAYS.get(view.phase, "")


def bet_word(live: LoadedTable, view: TableView, *, bet_down: bool) -> str:
    """Return the word on the button that bets."""
    if bet_down:
        return "Change the bet"
    alone = all(seat.bot or seat.away for seat in view.seats if seat.seat != view.seat)
    return "Deal" if alone and live.table.dealing == AUTOMATIC else "Bet"
