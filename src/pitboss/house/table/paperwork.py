"""Forms before a payoff: what it waits for, whose papers were seen, what is kept without."""

from collections.abc import Collection
from itertools import combinations

from msgspec.structs import replace

from pitboss.errors import Refused, refuse
from pitboss.house.books.papers import Papers, Payee, lacking, unproved
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table.evolve import evolve
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import UnitOfWork, players, takes_no_part
from pitboss.settle import Player
from pitboss.settle.tax_forms import HERE, countries


def known(unit: UnitOfWork, player: Player) -> Player:
    """Return what a table knows of a person: where chips are for play nobody asks for papers."""
    return replace(player, identified=True, tin=True) if unit.table.practice else player


def announce(unit: UnitOfWork, seats: Collection[int] | None = None) -> None:
    """Say which payoffs, of these seats or of all, need forms, and again where those have changed
    since."""
    if unit.table.practice:
        return
    barred = {seat for seat, player in players(unit.table).items() if player.barred}
    for seat in unit.settled().seats:
        due = () if seat.seat in barred else seat.forms
        asked = seats is None or seat.seat in seats
        if asked and unit.table.forms.get(seat.seat, ()) != due:
            unit.add(h.FormsDue(seat.seat, due))


def lacks(table: Table, seat: int) -> str:
    """Say what a seat's payoff still waits for besides approvals; nothing, if it does not."""
    if seat in table.holds or seat in table.paid or seat not in table.forms:
        return ""
    taken = table.papers.get(seat)
    return lacking(taken.shown if taken is not None else None, table.forms[seat])


def waiting(table: Table) -> list[int]:
    """Return the seats whose payoff waits for papers."""
    return [seat for seat in table.forms if lacks(table, seat)]


def waits(table: Table) -> bool:
    return bool(waiting(table))


def incomplete(unit: UnitOfWork) -> Refused:
    """Say for which papers a payoff waits."""
    seat = waiting(unit.table)[0]
    message = f"seat {seat} waits for {lacks(unit.table, seat)}; without, it is held"
    return refuse("pay/form", message, _clause(unit))


def complete_form(unit: UnitOfWork, command: c.CompleteForm) -> None:
    _due(unit, command.seat)
    payee, winners = command.payee, command.winners
    named = payee in [each.payee for each in winners]
    if winners and (len(winners) == 1 or not named):
        message = "those who win together are two or more, and who is paid is one of them"
        raise refuse("form/winners", message, _clause(unit), "winners")
    complete(payee, _clause(unit))
    for at, winner in enumerate(winners):
        complete(winner.payee, _clause(unit), _of_winner(at))
    if any(_same(one.payee, other.payee) for one, other in combinations(winners, 2)):
        message = "somebody is named twice among those who win together: give them all their parts"
        raise refuse("form/winners", message, _clause(unit), "winners")
    taken = h.PapersTaken(command.seat, Papers(payee, winners), unit.who.person)
    trial = evolve(unit.book, unit.table, taken)
    forms = unit.settled_as(trial, command.seat).forms
    if form := unproved(taken.shown, forms):
        place = f"{_of_winner(form.winner - 1) if form.winner else ''}proofs"
        message = f"seat {command.seat} needs {lacking(taken.shown, forms)}"
        raise refuse("form/proofs", message, _clause(unit), place)
    unit.add(taken)


def _of_winner(at: int) -> str:
    return f"winners[{at}].payee."


def complete(payee: Payee, clause: str, of: str = "") -> None:
    """Refuse papers that no form can be made out by; ``of`` is where among others they stand."""
    if payee.residence == "foreign" and not payee.country:
        message = "who lives abroad has a country, in two letters"
        raise refuse("form/country", message, clause, f"{of}country")
    if payee.country and payee.country not in countries():
        message = f"{payee.country} is no country: two letters of ISO 3166, as CA or GB"
        raise refuse("form/country", message, clause, f"{of}country")
    if payee.country and (payee.country == HERE) == (payee.residence == "foreign"):
        lives = "abroad" if payee.residence == "foreign" else "in the United States"
        message = f"who lives {lives} does not live in {payee.country}: one of the two is wrong"
        raise refuse("form/country", message, clause, f"{of}country")
    if not (payee.name.strip() and payee.address.strip() and all(map(str.strip, payee.proofs))):
        message = "a form has a name, an address and a proof of identity"
        raise refuse("form/blank", message, clause, f"{of}payee")
    if len({" ".join(each.split()).casefold() for each in payee.proofs}) < len(payee.proofs):
        message = "one proof of identity that is named twice is one: name another, or none"
        raise refuse("form/proofs", message, clause, f"{of}proofs")


def _same(one: Payee, other: Payee) -> bool:
    """Whether two are one person: by their numbers, or, where one has none, by name and address."""
    if one.number and other.number:
        return one.number == other.number
    return one.known_by == other.known_by


def hold_payoff(unit: UnitOfWork, command: c.HoldPayoff) -> None:
    _due(unit, command.seat)
    if command.seat in unit.table.holds:
        message = f"what seat {command.seat} needs a form for is held already"
        raise refuse("form/held", message, _clause(unit))
    if not lacks(unit.table, command.seat):
        raise _none(unit, command.seat)
    unit.add(h.PayoffHeld(command.seat, unit.who.person, command.why))


def _due(unit: UnitOfWork, seat: int) -> None:
    """Refuse what is about no payoff that needs a form, or comes from who plays or deals."""
    if unit.table.round.phase == "settling" and seat not in unit.table.forms:
        announce(unit, [seat])  # more is known of them only now
    if seat not in unit.table.forms or seat in unit.table.paid:
        raise _none(unit, seat)
    takes_no_part(unit, _clause(unit))


def _none(unit: UnitOfWork, seat: int) -> Refused:
    return refuse("form/none", f"no payoff of seat {seat} waits for a form", _clause(unit))


def _clause(unit: UnitOfWork) -> str:
    return unit.book.tax.clause_on("forms") or unit.book.tax.cited
