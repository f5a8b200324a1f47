"""The status of a table to one person: what is waited for, and what their bet would do."""

import datetime
from collections.abc import Mapping

import msgspec
from markupsafe import Markup

from pitboss.house.replay import Replay
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table import paperwork
from pitboss.house.table.deck_handling import cards_refusal
from pitboss.house.table.paperwork import lacks
from pitboss.house.table.payoffs import unapproved
from pitboss.house.table.state import Table, is_patron
from pitboss.house.table.unit_of_work import AUTOMATIC, settled
from pitboss.house.views import TableView
from pitboss.round.state import awaits_green
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import DealStep, TurnStep
from pitboss.rulebook.pit_rules import Approval
from pitboss.web.pages.narration import grounds
from pitboss.web.pages.template_filters import clock, sentence
from pitboss.wording import counted, listed, spaced

SAYS = {
    "closed": "This table is closed.",
    "betting": "Place your bets.",
    "playing": "The dealer deals.",
    "settling": "The dealer settles.",
}
"""What a table waits for, where it is nobody in particular."""

WATCHED = {**SAYS, "betting": "Bets are being placed."}
"""The same, for somebody who has no seat."""


def status_line(
    live: LoadedTable,
    view: TableView,
    person: str,
    *,
    bet_down: bool,
    over: Replay | None,
    since: Mapping[int, int],
    day: datetime.date,
) -> Markup:
    """Say what somebody must know now.

    ``over`` is the last round while it lies on the felt, ``since`` says when payoffs that wait were
    announced, and ``day`` is the gaming day.
    """
    freed = sentence(f"your seat here was freed: {view.freed}") if view.freed else ""
    deals = bool(person) and person == view.dealer
    waits = _dealers(live, view, day) if deals else _waits(live, view, bet_down, since, day)
    off = called_off(over) if over else None
    told = "A misdeal: every bet went back." if off and not off.back else ""  # else the felt tells
    return Markup(" ").join(filter(None, (freed, told, waits)))


class CalledOff(msgspec.Struct, frozen=True):
    """A misdeal."""

    why: str
    back: str
    """What went back to the seat whose view it is; empty where it had no bet down."""


def called_off(over: Replay) -> CalledOff | None:
    """Return why a round was a misdeal, and what went back; None of any other round."""
    if not over.state.misdeal:
        return None
    lines = over.receipt.paid.lines if over.receipt is not None else ()
    back = sum(line.returned_cents for line in lines)  # a toke goes back, too
    why = grounds(over.book, over.state.misdeal)
    return CalledOff(why, over.book.money(back) if back else "")


def _waits(
    live: LoadedTable, view: TableView, bet_down: bool, since: Mapping[int, int], day: datetime.date
) -> str:
    """Say what is waited for to who plays or watches."""
    names = _names(view)
    if view.approvals or view.papers:
        return _approval(live, view, since, day)
    if view.seat in view.due:
        return "It is your decision."
    if view.due:
        return f"Waiting for {listed(names.get(seat, f'seat {seat}') for seat in view.due)}."
    if view.phase == "waiting":
        waits = "The dealer has not opened the betting yet."
        return waits if view.dealer else "There is no dealer at this table yet."
    if view.phase == "betting" and bet_down:
        others = [names[seat] for seat in _without_bet(live) if seat != view.seat]
        waits = f": waiting for {listed(others)}" if others else ""
        return f"Your bet is down{waits}."
    return (WATCHED if view.seat is None else SAYS).get(view.phase, "")


def _names(view: TableView) -> dict[int, str]:
    return {seat.seat: seat.name for seat in view.seats}


def _without_bet(live: LoadedTable) -> list[int]:
    """Return the seats of those who are here and have not bet."""
    down = {number for number, seat in live.table.round.seats.items() if seat.stakes}
    return [n for n, each in live.table.sitters.items() if n not in down and not each.away]


# A payoff that waits --------------------------------------------------------------------------


def approvers(rule: Approval) -> str:
    """Say who may act on a payoff."""
    if rule.act == "call-out":
        return "the dealer's call"
    return listed((spaced(role) for role in rule.by), "or")


def _approval(
    live: LoadedTable, view: TableView, since: Mapping[int, int], day: datetime.date
) -> str:
    """Tell a player what is looked at of their own win, by whom and why; others, who looks."""
    book, table = live.book, live.table
    waits = {seat: unapproved(book, table, seat) for seat in table.announced}
    mine = waits.get(view.seat or 0)
    if mine:
        paid = next(each for each in settled(book, table, day).seats if each.seat == view.seat)
        won = book.money(paid.won_cents) + (f" ({paid.hand})" if paid.hand else "")
        looks = listed(f"{approvers(rule)} (over {book.money(rule.over)})" for rule in mine)
        called = Markup(", since {}").format(clock(since[paid.seat])) if paid.seat in since else ""
        return Markup("Your win of {} waits for {}{}.").format(won, looks, called)
    needed = dict.fromkeys(approvers(rule) for rules in waits.values() for rule in rules)
    yours = "You are paid. " if view.seat in table.paid else ""
    if needed:
        return f"{yours}A payoff waits for {listed(needed)}."
    left = lacks(table, view.seat or 0)
    if left:
        return f"Your payoff waits for {left}: show them at the cage or to the floor."
    if paperwork.waits(table):
        return f"{yours}A payoff waits for papers."
    return "The payoff is approved; the dealer pays."


# What a dealer has to do ----------------------------------------------------------------------


def _dealers(live: LoadedTable, view: TableView, day: datetime.date) -> str:
    """Say what the script, the players or the cards want of the dealer next."""
    book, table, names = live.book, live.table, _names(view)
    match view.phase:
        case "waiting":
            entered = table.dealing == "entered"
            first = cards_refusal(book, table, day) if entered else None
            return (
                f"Before you open the betting: {first.message}." if first else "Open the betting."
            )
        case "betting":
            others = [names[seat] for seat in _without_bet(live)]
            if not table.under_way:
                return "Betting is open, and nobody has bet yet."
            waits = f"; {listed(others)} {'has' if len(others) == 1 else 'have'} not bet yet"
            return f"Close the bets{waits if others else ''}."
        case "playing" if view.due:
            who = listed(names.get(seat, f"seat {seat}") for seat in view.due)
            return f"Waiting for {who}{': enter it' if table.dealing == 'entered' else ''}."
        case "playing":
            return _script(live, view)
        case "settling":
            return _settling(live, names)
    return SAYS.get(view.phase, "")


def seat_freed(table: Table, seat: int, person: str) -> str:
    """Say what came of freeing somebody's seat."""
    there = table.sitters.get(seat)
    if there is None or there.person != person:
        return f"Seat {seat} is free."
    held = table.round.seats.get(seat)
    hand = "Their hand is folded, and they" if held is not None and held.folded else "They"
    return f"{hand} get up when this round is over. Nobody waits for them any more."


def _script(live: LoadedTable, view: TableView) -> str:
    book, state = live.book, live.table.round
    step = book.script[state.step]
    if state.light == "red":
        return "The shuffler shows red: no card leaves it."
    if isinstance(step, DealStep):
        if awaits_green(step, state):
            return "Wait for the shuffler's green light."
        places = dict.fromkeys(view.deals)
        to = listed(
            f"seat {each}" if each.isdecimal() else f"the {book.place_name(each)}"
            for each in places
        )
        return f"Deal {counted(len(view.deals), 'card')} to {to}."
    if isinstance(step, TurnStep):
        cards = counted(step.cards - state.position, "card")
        return f"Turn up {cards} of the {book.place_name(step.place)}."
    return "Turn up the hands."


def _settling(live: LoadedTable, names: Mapping[int, str]) -> str:
    book, table = live.book, live.table
    waits = [
        f"{names.get(seat, f'seat {seat}')}'s {book.money(won)} waits for "
        + listed(approvers(rule) for rule in rules)
        for seat, won in table.announced.items()
        if (rules := unapproved(book, table, seat))
    ]
    waits += [
        f"seat {seat} waits for {left}" for seat in table.forms if (left := lacks(table, seat))
    ]
    return sentence("; ".join(waits)) if waits else "Pay the round."


# The bet --------------------------------------------------------------------------------------


def bet_word(live: LoadedTable, view: TableView, *, bet_down: bool) -> str:
    """Return the word on the button that bets."""
    if bet_down:
        return "Change the bet"
    alone = all(seat.bot or seat.away for seat in view.seats if seat.seat != view.seat)
    return "Deal" if alone and live.table.dealing == AUTOMATIC else "Bet"


def dead_words(book: Rulebook, cause: str) -> str:
    """Say why a hand is dead."""
    return f"dead: {next(rule.says for rule in book.dead if rule.cause == cause)}"


def credit_lines(table: Table, book: Rulebook) -> list[str]:
    """Say what players got when a paid round was put right: what lies before a patron is handed
    over, and what others have is in their account."""
    found = []
    for each in table.credited:
        sitter = table.sitters.get(each.seat)
        here = sitter is not None and sitter.person == each.person
        whom = f"{sitter.name}, seat {each.seat}" if sitter and here else f"seat {each.seat}"
        cents = book.money(each.cents)
        done = (
            f"hand {cents} in chips from the cage to {whom}"
            if is_patron(each.person)
            else f"{cents} was credited to the account of {whom}, and nothing is handed over"
        )
        found.append(f"Round {each.round} was put right: {done}.")
    return found
