"""What the forms of the table page ask for, as commands to the table."""

from collections.abc import Callable

import msgspec

from pitboss.errors import Refused, Unreadable, refuse
from pitboss.house.table import commands as c
from pitboss.house.table.state import Table
from pitboss.money import cents
from pitboss.round import actions as a
from pitboss.rulebook import Rulebook
from pitboss.web import guards
from pitboss.web.pages.bet_form import Wrong
from pitboss.web.pages.visit import Visit

FOR_PEOPLE = {
    "command/late": "the table has gone on since you looked; nothing was done, and here it is now",
    "command/key-reused": "this form was used before; here is the table as it stands",
}
"""Refusals that are worded for programs, in words for people."""


def wrong_form(visit: Visit, error: Refused | Unreadable) -> Wrong:
    """Return what is said of a form that came to nothing, and what had been filled in."""
    refusal = guards.refusal(error)
    message = FOR_PEOPLE.get(refusal.code, refusal.message)
    return Wrong(msgspec.structs.replace(refusal, message=message), visit.body)


def asked(visit: Visit, book: Rulebook) -> c.Command:
    wanted, _, visit.body["times"] = visit.field("do").partition(":")
    if wanted not in _ASKED:
        raise Unreadable("this form asks for nothing that is done here", "do")
    return _ASKED[wanted](visit, book)


def win_meant(visit: Visit, table: Table) -> int:
    """Return the seat whose win a form is about, as long as it still wins that."""
    seat = visit.number("seat")
    if visit.number("won") != table.announced.get(seat):
        message = f"seat {seat} does not win that any more: look at the table as it stands now"
        raise refuse("command/late", message, "", "won")
    return seat


def _bet(visit: Visit, book: Rulebook) -> a.Bet:
    wagers = {}
    for name in book.placed:
        given = visit.field(f"wager-{name}").removeprefix(book.sign)
        if given and given != "0":
            wagers[name] = _amount(book, given, name)
    if not wagers:
        raise Unreadable(f"put a wager on {book.ante.title} first", book.ante.name)
    toke = visit.field("toke").removeprefix(book.sign)
    tip = _amount(book, toke, "toke") if toke else 0
    return a.Bet(visit.number("seat"), book.with_equal(wagers), tip)


def _amount(book: Rulebook, given: str, place: str) -> int:
    try:
        return int(cents(given, book.currency))
    except Unreadable as error:
        raise error.at(place) from None


_ASKED: dict[str, Callable[[Visit, Rulebook], c.Command]] = {
    "bet": _bet,
    "take-down": lambda visit, _: a.Bet(visit.number("seat"), {}),
    "raise": lambda visit, _: a.Raise(visit.number("seat"), visit.number("times")),
    "fold": lambda visit, _: a.Fold(visit.number("seat"), visit.ticked("confirmed")),
    "check": lambda visit, _: a.Check(visit.number("seat")),
    "take-back": lambda visit, _: a.TakeBack(visit.number("seat")),
    "sit": lambda visit, _: c.Sit(visit.number("seat")),
    "leave": lambda _, __: c.Leave(),
    "sit-out": lambda _, __: c.SitOut(),
    "sit-in": lambda _, __: c.SitIn(),
    "cut-deck": lambda visit, _: c.CutDeck(visit.field("cut")[:64]),
    "seat-bot": lambda visit, _: c.SeatBot(visit.number("seat")),
    "free-seat": lambda visit, _: c.FreeSeat(
        visit.number("seat"), visit.field("person")[:60], "as the table's owner wishes"
    ),
    "close-table": lambda _, __: c.CloseTable("closed by its owner"),
}
"""What can be asked for on the table page."""
