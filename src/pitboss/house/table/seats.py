"""Seats: who sits down, gets up, sits out or is shown out, and who are partners."""

from pitboss.errors import refuse
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import paperwork
from pitboss.house.table.state import among, unknown_table
from pitboss.house.table.unit_of_work import UnitOfWork, between_rounds, takes_no_part
from pitboss.round import actions as a
from pitboss.settle import Player

BEFORE_THE_DEAL = ("new", "betting")
"""The phases of a round in which bets, and cuts of its deck, are taken."""


def free(unit: UnitOfWork, seat: int) -> None:
    if not 1 <= seat <= unit.book.seats.most:
        most = unit.book.seats.most
        raise refuse("seat/unknown", f"seats here are numbered 1 to {most}", unit.book.seats.cited)
    if seat in unit.table.sitters:
        raise refuse("seat/taken", f"seat {seat} is taken", unit.book.seats.cited)


def sit(unit: UnitOfWork, command: c.Sit) -> None:
    there = unit.table.sitters.get(command.seat)
    if there is not None and there.bot and not down(unit, command.seat):
        unit.add(h.SeatLeft(command.seat))  # a bot gives way to a person
    free(unit, command.seat)
    who = unit.who
    held = unit.table.seat_of(who.person)
    if held is not None:
        message = f"you hold seat {held}: one seat a person"
        raise refuse("seat/one-each", message, unit.book.seats.cited)
    if who.person == unit.table.dealer:
        raise refuse("dealer/seated", "nobody deals to themselves: stop dealing first")
    player = paperwork.known(unit, who.player)
    unit.add(h.SeatTaken(command.seat, who.person, who.name, player))
    cut = unit.table.cutters.get(who.person)
    if cut is not None and unit.table.round.phase in BEFORE_THE_DEAL:
        unit.add(h.DeckCut(command.seat, cut))  # once a round, and it stays theirs


def seat_bot(unit: UnitOfWork, command: c.SeatBot) -> None:
    free(unit, command.seat)
    if not unit.table.practice:
        raise refuse("bot/practice-only", "bots play at practice tables only")
    if unit.table.dealing == "entered":
        raise refuse("bot/real-cards", "a bot cannot see the cards that people enter here")
    person = f"bot-{unit.table.id}-{command.seat}"
    unit.add(h.SeatTaken(command.seat, person, f"Bot {command.seat}", Player(), command.strategy))


def mine(unit: UnitOfWork) -> int:
    seat = unit.table.seat_of(unit.who.person)
    if seat is None:
        raise refuse("seat/none", "you hold no seat at this table", unit.book.seats.cited)
    return seat


def down(unit: UnitOfWork, seat: int) -> dict[str, int]:
    held = unit.table.round.seats.get(seat)
    return held.stakes if held is not None else {}


def free_seat(unit: UnitOfWork, command: c.FreeSeat) -> None:
    table, person = unit.table, command.person
    sitter = table.sitters.get(command.seat)
    if table.seat_of(person) is None and table.admitted.get(person):
        unit.add(h.PersonShownOut(person, command.why))  # they were quicker, and may not come back
        return
    if sitter is None or sitter.person != person:
        message = f"{command.person} does not hold seat {command.seat}"
        raise refuse("seat/none", message, unit.book.seats.cited)
    not_freed(unit, command.seat)
    takes_no_part(unit, unit.book.seats.cited)
    goes(unit, command.seat, command.why)


def leave(unit: UnitOfWork) -> None:
    seat = mine(unit)
    not_freed(unit, seat)
    goes(unit, seat)


def not_freed(unit: UnitOfWork, seat: int) -> None:
    if unit.table.sitters[seat].freed:
        raise refuse("seat/freed", f"seat {seat} is freed when the round is over")


def goes(unit: UnitOfWork, seat: int, why: str = "") -> None:
    if unit.table.round.phase == "betting" and down(unit, seat):
        unit.play(a.Bet(seat, {}))  # who goes before the deal takes the wagers along
    unit.add(h.SeatLeft(seat, why))


def sit_out(unit: UnitOfWork, command: c.SitOut | c.SitIn) -> None:
    seat = mine(unit)
    not_freed(unit, seat)
    unit.add(h.SeatAway(seat, away=isinstance(command, c.SitOut)))


def enter(unit: UnitOfWork, command: c.Enter) -> None:
    table = unit.table
    if not table.invitation or command.invitation != table.invitation:
        raise unknown_table(table.id)
    unit.add(h.PersonAdmitted(unit.who.person))


def mark_partners(unit: UnitOfWork, command: c.MarkPartners) -> None:
    clause = unit.book.limits.cited
    between_rounds(unit, clause)
    marked = [seat for group in command.partners for seat in group]
    if len(set(marked)) < len(marked) or command.partners != among(
        command.partners, unit.table.sitters
    ):
        message = "partners are two or more who sit at this table, each in one group"
        raise refuse("seat/unknown", message, clause)
    unit.add(h.PartnersMarked(command.partners, command.why))
