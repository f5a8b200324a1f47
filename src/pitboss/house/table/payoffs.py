"""Payoffs: announced where somebody must approve them, approved, and paid with their reasons.

Who must approve is known from what was announced and the rulebook; nothing is settled for it.
"""

from collections.abc import Iterable, Iterator
from typing import get_args

from msgspec.structs import replace

from pitboss.cards import text
from pitboss.errors import Refusal, Refused, refuse
from pitboss.house.books.ledger import bank
from pitboss.house.table import commands as c
from pitboss.house.table import events as h
from pitboss.house.table import paperwork
from pitboss.house.table.evolve import evolve
from pitboss.house.table.postings import postings
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import AUTOMATIC, UnitOfWork, has_role, players
from pitboss.round import actions as a
from pitboss.round import events as e
from pitboss.round import refusal
from pitboss.round.refusals import PAID
from pitboss.rulebook.base import PitRole
from pitboss.rulebook.deal_script import ShowStep
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import SEALED_ANEW, Approval
from pitboss.settle import Player, SeatSettlement, plain
from pitboss.settle.approvals import label, missing, needed
from pitboss.wording import holder

PIT_ROLES = get_args(PitRole)

FLOAT_CENTS = 5_000_000
"""What the cage brings when a table opens, and each time its bank cannot pay."""


def announce(unit: UnitOfWork) -> None:
    """Say which payoffs wait for approval, and again where the figure has changed since."""
    announced = unit.table.announced
    for seat in unit.settled().seats:
        waits = seat.approvals or seat.seat in announced
        if not waits or announced.get(seat.seat) == seat.won_cents:
            continue
        needs = tuple(label(rule) for rule in seat.approvals)
        clauses = tuple(rule.cited for rule in seat.approvals)
        unit.add(h.PayoffAnnounced(seat.seat, seat.won_cents, needs, clauses))
        if needs and unit.table.practice:
            unit.add(h.PayoffApproved(seat.seat, "", AUTOMATIC))


def unapproved(book: Rulebook, table: Table, seat: int) -> tuple[Approval, ...]:
    rules = needed(book, table.announced[seat])
    given = [(role, person) for number, role, person in table.approved if number == seat]
    if ("", AUTOMATIC) in given:
        return ()
    if table.dealing == AUTOMATIC:
        return missing(book, rules, [*given, ("dealer", AUTOMATIC)], AUTOMATIC)
    # Who approved and took over as the dealer since has dealt, too.
    given = [each for each in given if each[0] == "dealer" or each[1] not in table.dealers]
    return missing(book, rules, given, table.dealer)


def waits(book: Rulebook, table: Table) -> bool:
    return any(_waiting(book, table)) or paperwork.waits(table)


def _waiting(book: Rulebook, table: Table) -> Iterator[tuple[int, tuple[Approval, ...]]]:
    """Return the seats whose payoff waits, and for what."""
    found = ((seat, unapproved(book, table, seat)) for seat in table.announced)
    return (each for each in found if each[1])


def approve(unit: UnitOfWork, command: c.ApprovePayoff) -> None:
    clause = unit.book.rulings.approvals
    if command.seat in unit.table.announced:
        has_role(unit, command.role, clause)
    no = approval_refusal(unit.book, unit.table, unit.who.person, command)
    if no is not None:
        raise Refused(no)
    unit.add(h.PayoffApproved(command.seat, command.role, unit.who.person))


def approval_refusal(
    book: Rulebook, table: Table, person: str, command: c.ApprovePayoff
) -> Refusal | None:
    """Say why somebody who has this role does not approve what a seat wins."""
    clause, seat = book.rulings.approvals, command.seat
    if seat not in table.announced:
        return Refusal("approval/none", f"nothing of seat {seat} waits for approval", clause)
    if person in table.dealers and command.role != "dealer":
        return Refusal("approval/own-deal", "nobody approves what they dealt", clause)
    if any(each.person == person for each in table.round.seats.values()):
        message = "nobody approves in a round that they play in"
        return Refusal("approval/own-round", message, clause)
    late = (each for each in table.happened if isinstance(each, e.LateWagerAccepted))
    if any((each.seat, each.person) == (seat, person) for each in late):
        message = "who recorded a late find has somebody else approve what it wins"
        return Refusal("approval/own-find", message, clause)
    before = unapproved(book, table, seat)
    trial = evolve(book, table, h.PayoffApproved(seat, command.role, person))
    if len(unapproved(book, trial, seat)) == len(before):
        needs = ", ".join(label(rule) for rule in before) or "nothing more"
        return Refusal("approval/not-needed", f"seat {seat} waits for {needs}", clause)
    return None


def acknowledge(unit: UnitOfWork, command: c.AcknowledgeNotice) -> None:
    notice, clause = unit.table.notices.get(command.round), notify_clause(unit.book)
    if notice is None or command.role not in notice.waits_for:
        message = f"round {command.round} waits for no {command.role[:40]} to hear of a ceiling"
        raise refuse("notice/none", message, clause)
    has_role(unit, command.role, clause)
    late = unit.now.day > notice.day
    unit.add(h.NoticeAcknowledged(command.round, command.role, unit.who.person, late))


def notify_clause(book: Rulebook) -> str:
    """Return what says who must hear of the use of a ceiling."""
    return next((cap.clause_on("notify") for cap in book.cap if cap.notify), "")


def needs_second(table: Table) -> bool:
    """Whether nobody alone may void what is won: it is announced, and for real."""
    return bool(table.announced) and not table.practice


def not_paid(unit: UnitOfWork, action: a.Action) -> None:
    """Refuse to call off what was paid: a round of which a seat was, a hand that was."""
    paid = unit.table.paid
    if (isinstance(action, a.CallMisdeal) and paid) or getattr(action, "seat", 0) in paid:
        raise Refused(PAID(unit.book.rulings.paying))


def ruled_out(unit: UnitOfWork, action: a.CallMisdeal | a.KillHand) -> None:
    """Void an announced payoff once two people in two roles have ruled so; note the first."""
    seat = action.seat if isinstance(action, a.KillHand) else 0
    asked = h.VoidAsked(action.cause, seat, action.role, action.person)
    first = unit.table.void
    if first is not None and first.person in unit.table.dealers:
        first = None  # who deals in the round since rules on nothing of it
    if first is None or (first.cause, first.seat) != (asked.cause, asked.seat):
        no = refusal(unit.book, unit.table.round, action)
        if no is not None:
            raise Refused(no)
        unit.add(asked)
    elif asked.person == first.person or asked.role == first.role or asked.role not in PIT_ROLES:
        message = f"a payoff is announced: besides {first.role} it takes another role to void it"
        raise refuse("approval/second-role", message, unit.book.rulings.approvals)
    else:
        unit.play(replace(action, role=first.role, person=first.person))


def pay(unit: UnitOfWork) -> None:
    """Pay all that may be paid now: the round, or the seats that are done while another waits."""
    asked = unit.table.correction
    if asked is not None:
        message = f"{holder(asked.role)} asks for a correction: it is agreed to or taken back first"
        raise refuse("pay/correction", message, unit.book.rulings.corrections)
    no = refusal(unit.book, unit.table.round, a.Pay())
    if no is not None:
        raise Refused(no)
    # What is known of whom may be news: nobody is paid without the form that it asks for.
    waiting = waits(unit.book, unit.table)
    paperwork.announce(unit, can_pay(unit.book, unit.table) if waiting else None)
    if not waits(unit.book, unit.table):
        unit.play(a.Pay())
    elif not pay_seats(unit):
        found = next(_waiting(unit.book, unit.table), None)
        if found is None:
            raise paperwork.incomplete(unit)
        seat, left = found
        needs = ", ".join(label(rule) for rule in left)
        raise refuse("pay/not-approved", f"seat {seat} waits for {needs}", left[0].cited)


def pay_seats(unit: UnitOfWork) -> bool:
    """Pay the seats that are done while another waits; say whether there were any."""
    book, table = unit.book, unit.table
    done = set(can_pay(book, table)) if waits(book, table) else set()
    if not done:
        return False
    settled = {each.seat: each for each in unit.settled().seats}
    seats = (seat for seat in in_house_order(book, settled) if seat in done)
    event = h.SeatsPaid(tuple(paid_seat(table, book, settled[seat]) for seat in seats))
    fill_for(unit, event)
    unit.add(event)
    return True


def can_pay(book: Rulebook, table: Table) -> list[int]:
    """Return the seats of a settled round that wait for nobody and are not paid yet."""
    if book.paying == "together" or table.correction is not None:
        return []
    stop = {*table.paid, *(seat for seat, _ in _waiting(book, table)), *paperwork.waiting(table)}
    return [seat for seat in table.round.seats if seat not in stop]


def in_house_order(book: Rulebook, seats: Iterable[int]) -> list[int]:
    """Return seats in the order in which the house settles them."""
    shows = book.script[-1]
    right_to_left = isinstance(shows, ShowStep) and shows.order == "right-to-left"
    return sorted(seats, reverse=right_to_left)


def pay_out(unit: UnitOfWork) -> None:
    """Pay the round; the cage fills a bank that is short first."""
    table = unit.table
    settled = unit.settled()
    paid = h.RoundPaid(
        table.number,
        unit.now.day,
        tuple(paid_seat(table, unit.book, each) for each in settled.seats),
        settled.meter_after_cents if table.meter_cents is not None else None,
        settled.notify,
        # Only what people enter may have to be settled again.
        players_shown(table) if not table.locked else {},
        table.smallest_chip_cents,
    )
    fill_for(unit, paid)
    if table.locked and table.round.misdeal != SEALED_ANEW:
        deck = unit.sealed()
        unit.add(h.DeckOpened(text(deck.cards), deck.seed))
    unit.add(paid)


def players_shown(table: Table) -> dict[int, Player]:
    """Return what may be known of players later on: whoever showed no papers for this payoff has to
    for any that it is put right to."""
    if table.practice:
        return players(table)
    return {
        seat: player if seat in table.papers else replace(player, identified=False)
        for seat, player in players(table).items()
    }


def paid_seat(table: Table, book: Rulebook, settled: SeatSettlement) -> h.SeatPaid:
    """Return what is journaled of a seat that is paid now, its forms included."""
    filed = settled.forms if settled.seat in table.papers and not settled.held_cents else ()
    paid = seat_paid(book, settled)
    return replace(paid, filed=filed) if filed else paid


def fill_for(unit: UnitOfWork, event: h.TableEvent) -> None:
    """Let the cage fill a bank that could not pay for what happens next."""
    table, own = unit.table, bank(unit.table.id)
    moved = sum(cents for account, cents in postings(unit.book, table, event) if account == own)
    short = -(table.bank_cents + moved)
    if short > 0:
        unit.add(h.BankFilled(-(-short // FLOAT_CENTS) * FLOAT_CENTS))


def seat_paid(book: Rulebook, settled: SeatSettlement) -> h.SeatPaid:
    """Return what is journaled of a seat's settlement: all that its receipt says."""
    return h.SeatPaid(
        seat=settled.seat,
        hand=settled.hand,
        lines=plain(book, settled.lines),
        paid_cents=settled.paid_cents,
        held_cents=settled.held_cents,
        withheld_cents=settled.withheld_cents,
        forms=tuple(form.form for form in settled.forms),
    )
