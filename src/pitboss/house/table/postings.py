"""Which chips an event moves at a table: balanced entries, and nothing else moves money."""

from typing import assert_never

from pitboss.house.books.ledger import (
    Posting,
    bank,
    cage,
    chips,
    dealers,
    held,
    layout,
    pool,
    tax,
    tokes,
)
from pitboss.house.table import events as h
from pitboss.house.table.state import Table
from pitboss.round import events as e
from pitboss.round.state import TOKE, State
from pitboss.rulebook.model import Rulebook


def postings(book: Rulebook, table: Table, event: h.TableEvent) -> list[Posting]:
    moved = _own(table, event) if isinstance(event, h.Own) else _rounds(book, table, event)
    return [each for each in moved if each[1]] if moved else moved


def _rounds(book: Rulebook, table: Table, event: e.Event) -> list[Posting]:
    """Return what an event of the round moves; the most frequent come first."""
    match event:
        case e.CardsDealt() | e.HandShown():
            return []
        case e.RaisePlaced():
            return _to_layout(table, event.seat, event.cents)
        case e.BetPlaced():
            new = sum(event.wagers.values()) + event.toke_cents
            return _to_layout(table, event.seat, new - _lies(table, event.seat))
        case e.CardsTurned() | e.Folded() | e.RoundOpened() | e.PayingBegan():
            return []
        case e.BettingClosed():
            return _tokens_drop(book, table, event)
        case e.WagerTakenBack():
            return _to_layout(table, event.seat, -event.cents)
        case e.LateWagerAccepted():
            seat = table.round.seats[event.seat]
            before = {**seat.stakes, TOKE: seat.toke_cents}[event.spot]
            return _to_layout(table, event.seat, event.cents - before)
        case e.Checked() | e.LightSeen() | e.HandDied() | e.MisdealCalled() | e.IrregularityStood():
            return []
        case _:
            assert_never(event)


def _own(table: Table, event: h.HouseEvent) -> list[Posting]:
    """Return what an event of the table itself moves; the most frequent come first."""
    match event:
        case h.ClockSet() | h.DeckSealed() | h.DeckOpened():
            return []
        case h.RoundPaid():
            return _paid(table, event)
        case h.BankFilled():
            return [(cage(practice=table.practice), -event.cents), (bank(table.id), event.cents)]
        case h.MeterSeeded():
            return [(cage(practice=table.practice), -event.cents), (pool(table.id), event.cents)]
        case h.TableClosed():
            back = event.bank_cents
            return [(bank(table.id), -back), (cage(practice=table.practice), back)]
        case h.TokesDropped():
            given = dealers(practice=table.practice)
            return [(tokes(table.id), -event.cents), (given, event.cents)]
        case h.TableOpened() | h.LimitsChanged() | h.SeatTaken() | h.PlayerKnown() | h.SeatAway():
            return []
        case h.InvitationMade() | h.PersonAdmitted() | h.PersonShownOut():
            return []
        case h.SeatLeft() | h.PartnersMarked() | h.CardsBrought() | h.CardsInspected():
            return []
        case h.CardsWashed() | h.CardReplaced() | h.DeckCut() | h.DealerChanged():
            return []
        case h.CardsShuffled() | h.CardsRetired() | h.ShufflerChanged() | h.BettingWithdrawn():
            return []
        case h.PayoffAnnounced() | h.PayoffApproved() | h.VoidAsked() | h.NoticeAcknowledged():
            return []
        case _:
            assert_never(event)


def _to_layout(table: Table, seat: int, cents: int) -> list[Posting]:
    person = table.round.seats[seat].person
    return [(chips(person, practice=table.practice), -cents), (layout(table.id), cents)]


def _lies(table: Table, seat: int) -> int:
    """Return what a seat has on the layout before betting is closed."""
    state = table.round.seats[seat]
    return sum(state.stakes.values()) + state.toke_cents


def _tokens_drop(book: Rulebook, table: Table, event: e.BettingClosed) -> list[Posting]:
    """Tokens leave the layout: a part of them goes to the meter, the rest to the bank."""
    if event.meter_cents is None:
        return []
    tokens = tokens_down(book, table.round)
    grown = event.meter_cents - (table.round.meter_cents or 0)
    return [(layout(table.id), -tokens), (pool(table.id), grown), (bank(table.id), tokens - grown)]


def tokens_down(book: Rulebook, state: State) -> int:
    if book.progressive is None:
        return 0
    return sum(seat.stakes.get(book.progressive.spot, 0) for seat in state.seats.values())


def _paid(table: Table, event: h.RoundPaid) -> list[Posting]:
    moved: list[Posting] = []
    for paid in event.seats:
        person = table.round.seats[paid.seat].person
        toke = sum(line.returned_cents for line in paid.lines if line.dealers)
        moved.append((chips(person, practice=table.practice), paid.paid_cents))
        moved.append((tokes(table.id), toke))
        moved.append((held(person, practice=table.practice), paid.held_cents))
        moved.append((tax(practice=table.practice), paid.withheld_cents))
    lay = sum(_lies(table, seat) for seat in table.round.seats)
    moved.append((layout(table.id), table.dropped_cents - lay))
    moved.append((pool(table.id), (event.meter_cents or 0) - (table.meter_cents or 0)))
    moved.append((bank(table.id), -sum(cents for _, cents in moved)))
    return moved
