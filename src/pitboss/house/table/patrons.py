"""Patrons without an account: seated by the dealer or the floor, who enter what they buy and do.

What lies before one is theirs, in an account of its own from sitting down to leaving; what they
take along is outstanding.
"""

from collections.abc import Mapping
from typing import assert_never

from pitboss.errors import refuse
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import seats
from pitboss.house.table.payoffs import fill_for
from pitboss.house.table.state import PATRON, Sitter, Table
from pitboss.house.table.unit_of_work import OWNER, UnitOfWork, is_dealer
from pitboss.rulebook.base import ABOVE_DEALER
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Player

UNKNOWN = Player(identified=False, tin=False)
"""What the tax desk knows of somebody whom nobody has asked for papers."""


def do(unit: UnitOfWork, command: c.PatronCommand) -> None:
    """Do what the dealer or the floor asks for."""
    _handles(unit)
    match command:
        case c.SeatPatron():
            _seat(unit, command)
        case c.BuyIn():
            _patron(unit, command.seat)
            _bought(unit, command)
        case c.VoidBuyIn():
            _void_buy_in(unit, command)
        case c.ColourUp():
            _colour_up(unit, command)
        case c.UnseatPatron():
            _patron(unit, command.seat)
            seats.not_freed(unit, command.seat)
            seats.goes(unit, command.seat)
        case _:
            assert_never(command)


def _seat(unit: UnitOfWork, command: c.SeatPatron) -> None:
    if unit.table.dealing != "entered":
        message = "a patron without an account sits where real cards are dealt, to see their hand"
        raise refuse("patron/real-cards", message, unit.book.seats.cited)
    seats.free(unit, command.seat)
    label = command.label.strip() or f"Patron {command.seat}"
    if not label.isprintable():
        raise refuse("patron/label", "a label is a few words on one line", "", "label")
    person = f"{PATRON}{unit.table.id}-{unit.now.entry}"
    player = Player() if unit.table.practice else UNKNOWN
    unit.add(h.SeatTaken(command.seat, person, label, player))
    if command.cash_cents or command.chips_cents:
        _bought(unit, command)


def _void_buy_in(unit: UnitOfWork, command: c.VoidBuyIn) -> None:
    """Whoever is above the dealer takes it back, and has neither entered it nor dealt since: nobody
    alone takes money out of the box."""
    sitter = _patron(unit, command.seat)
    _before_the_deal(unit)
    if unit.who.person in (*sitter.sold_by, unit.table.dealer) and not unit.table.practice:
        message = "who entered a buy-in, or has dealt since, has somebody else take it back"
        raise refuse("patron/own-entry", message)
    cash, chips = sitter.bought
    if not cash + chips:
        message = f"no buy-in of seat {command.seat} is left to be taken back"
        raise refuse("patron/no-buy-in", message, "", "seat")
    if cash + chips > sitter.chips_cents:
        message = f"less than {unit.book.money(cash + chips)} lies before seat {command.seat}"
        raise refuse("chips/spent", message, "", "seat")
    event = h.BuyInVoided(
        seat=command.seat,
        person=sitter.person,
        cash_cents=cash,
        chips_cents=chips,
        why=command.why,
    )
    unit.add(event)


def _colour_up(unit: UnitOfWork, command: c.ColourUp) -> None:
    sitter = _patron(unit, command.seat)
    _before_the_deal(unit)
    taken, given = _worth(unit, command.taken, "taken"), _worth(unit, command.given, "given")
    if taken != given or command.taken == command.given:
        worth, money = unit.book.money(taken), unit.book.money(given)
        message = f"{worth} in chips are changed for other chips of the same worth, not {money}"
        raise refuse("chips/not-equal", message, "", "given")
    if taken > sitter.chips_cents:
        lies = unit.book.money(sitter.chips_cents)
        raise refuse("chips/too-few", f"{lies} lie before seat {command.seat}", "", "taken")
    unit.add(h.ChipsChanged(command.seat, sitter.person, command.taken, command.given))


def see_off(unit: UnitOfWork) -> None:
    """Let those go who leave and have nothing in the round any more."""
    for number, sitter in unit.table.patrons.items():
        if sitter.leaving and not seats.down(unit, number):
            unit.add(h.PatronLeft(number, sitter.person, sitter.chips_cents))


def can_pay(book: Rulebook, table: Table) -> None:
    """Refuse what takes more of a patron than lies before them."""
    for number, sitter in table.patrons.items():
        if sitter.chips_cents < 0:
            short = book.money(-sitter.chips_cents)
            raise refuse("chips/patron", f"{short} too little lies before seat {number} for that")


def _bought(unit: UnitOfWork, command: c.SeatPatron | c.BuyIn) -> None:
    _before_the_deal(unit)
    sitter, cash, brought = (
        unit.table.sitters[command.seat],
        command.cash_cents,
        command.chips_cents,
    )
    for cents, place in ((cash, "cash_cents"), (brought, "chips_cents")):
        if cents % min(unit.book.chips):
            message = f"no chips make {unit.book.money(cents)}"
            raise refuse("chips/none-such", message, "", place)
        if cents > c.MOST_CENTS:
            most = unit.book.money(c.MOST_CENTS)
            raise refuse("patron/too-much", f"at most {most} come to a table at once", "", place)
    if not cash + brought:
        raise refuse("patron/nothing", "say with how much they buy in", "", "cash_cents")
    if command.given and _worth(unit, command.given, "given") != cash:
        message = f"the chips given are not worth the cash, {unit.book.money(cash)}"
        raise refuse("chips/not-the-cash", message, "", "given")
    event = h.PatronBoughtIn(
        seat=command.seat,
        person=sitter.person,
        cash_cents=cash,
        chips_cents=brought,
        given=command.given,
        by=unit.who.person,
    )
    fill_for(unit, event)
    unit.add(event)


def _handles(unit: UnitOfWork) -> None:
    """Refuse who is neither the dealer here nor above one, or plays here."""
    if unit.table.seat_of(unit.who.person) is not None:
        raise refuse("patron/own-table", "nobody handles chips at a table that they play at")
    if unit.who.roles.isdisjoint((OWNER, *ABOVE_DEALER)):
        is_dealer(unit)


def _patron(unit: UnitOfWork, number: int) -> Sitter:
    sitter = unit.table.sitters.get(number)
    if sitter is None or not sitter.patron:
        message = f"nobody without an account sits at seat {number}"
        raise refuse("patron/none", message, unit.book.seats.cited, "seat")
    return sitter


def _before_the_deal(unit: UnitOfWork) -> None:
    """What lies before somebody when bets are closed is what they play with."""
    if unit.table.round.phase not in seats.BEFORE_THE_DEAL:
        raise refuse("patron/playing", "chips are bought and changed before the deal")


def _worth(unit: UnitOfWork, stacks: Mapping[int, int], place: str) -> int:
    """Return what chips are worth; raises where the house has no such chip."""
    for worth in stacks:
        if worth not in unit.book.chips:
            message = f"there is no chip of {unit.book.money(worth)} here"
            raise refuse("chips/no-such-chip", message, "", place)
    return sum(worth * count for worth, count in stacks.items())
