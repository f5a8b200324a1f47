"""Which chips an event moves at a table: balanced entries, and nothing else moves money."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec.structs import replace

from pitboss.house.books.ledger import (
    TURNED_OVER,
    Posting,
    bank,
    cage,
    chips,
    claims,
    dealers,
    drop,
    held,
    layout,
    outstanding,
    pool,
    tax,
    tokes,
)
from pitboss.house.books.papers import LEFT, ReleasedWinnings, RoundClaim
from pitboss.house.table import events as h
from pitboss.house.table.state import Table
from pitboss.round import events as e
from pitboss.round.state import TOKE, State, evolve
from pitboss.rulebook.model import Rulebook


def postings(book: Rulebook, table: Table, event: h.TableEvent) -> list[Posting]:
    moved = _own(book, table, event) if isinstance(event, h.Own) else _rounds(book, table, event)
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


def _own(book: Rulebook, table: Table, event: h.HouseEvent) -> list[Posting]:
    """Return what an event of the table itself moves; the most frequent come first."""
    match event:
        case h.ClockSet() | h.DeckSealed() | h.DeckOpened():
            return []
        case h.RoundPaid():
            return _paid(table, event)
        case h.SeatsPaid():
            return _seats_paid(book, table, event)
        case h.BankFilled():
            return [(cage(practice=table.practice), -event.cents), (bank(table.id), event.cents)]
        case h.MeterSeeded():
            return [(cage(practice=table.practice), -event.cents), (pool(table.id), event.cents)]
        case h.TableClosed():
            back = event.bank_cents
            return [(bank(table.id), -back), (cage(practice=table.practice), back)]
        case h.TokesDropped():
            return _tokes_dropped(table, event)
        case h.TokesWrittenOff():
            owed = claims(tokes(table.id), practice=table.practice)
            return [(owed, -event.cents), (cage(practice=table.practice), event.cents)]
        case h.PatronBoughtIn():
            return _bought_in(table, event)
        case h.BuyInVoided():
            return [(account, -cents) for account, cents in _bought_in(table, event)]
        case h.PatronLeft():
            theirs = chips(event.person, practice=table.practice)
            return [
                (theirs, -event.cents),
                (outstanding(practice=table.practice), event.cents),
            ]
        case h.ChipsChanged():
            return []
        case h.TableOpened() | h.LimitsChanged() | h.SeatTaken() | h.PlayerKnown() | h.SeatAway():
            return []
        case h.InvitationMade() | h.PersonAdmitted() | h.PersonShownOut():
            return []
        case h.SeatLeft() | h.PartnersMarked() | h.CardsBrought() | h.CardsInspected():
            return []
        case h.FloorCalled() | h.FloorAnswered():
            return []
        case h.CardsWashed() | h.CardReplaced() | h.DeckCut() | h.DealerChanged():
            return []
        case h.CardsShuffled() | h.CardsRetired() | h.ShufflerChanged() | h.BettingWithdrawn():
            return []
        case h.RoundCorrected() | h.EntryUndone():
            return _redone(book, table, event)
        case h.RoundAdjusted():
            return _adjusted(table, event)
        case h.PayoffAnnounced() | h.PayoffApproved() | h.VoidAsked():
            return []
        case h.FormsDue() | h.PapersTaken() | h.PayoffHeld():
            return []
        case h.NoticeAcknowledged() | h.CorrectionAsked() | h.AdjustmentAsked():
            return []
        case _:
            assert_never(event)


def _bought_in(table: Table, event: h.PatronBoughtIn | h.BuyInVoided) -> list[Posting]:
    """The table gives chips for cash, for which the cage stands; chips from a pocket only come."""
    practice = table.practice
    return [
        (cage(practice=practice), -event.cash_cents),
        (drop(table.id), event.cash_cents),
        (bank(table.id), -event.cash_cents),
        (outstanding(practice=practice), -event.chips_cents),
        (chips(event.person, practice=practice), event.cents),
    ]


def _tokes_dropped(table: Table, event: h.TokesDropped) -> list[Posting]:
    """The dealers get them, but for what they owe: the cage stood for that, and has it now."""
    box, practice, owed = tokes(table.id), table.practice, event.owed_cents
    return [
        (box, -event.cents),
        (dealers(practice=practice), event.cents - owed),
        (claims(box, practice=practice), -owed),
        (cage(practice=practice), 2 * owed),
    ]


def _to_layout(table: Table, seat: int, cents: int) -> list[Posting]:
    person = table.round.seats[seat].person
    return [(chips(person, practice=table.practice), -cents), (layout(table.id), cents)]


def _lies(table: Table, seat: int) -> int:
    """Return what a seat has on the layout before betting is closed."""
    return lies(table.round, seat)


def lies(state: State, number: int) -> int:
    """Return what a seat has wagered, its tokens and its toke too."""
    seat = state.seats.get(number)
    return sum(seat.stakes.values()) + seat.toke_cents if seat is not None else 0


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


def redone(book: Rulebook, happened: Iterable[e.Event]) -> State:
    state = State()
    for event in happened:
        state = evolve(book, state, event)
    return state


def dropped(book: Rulebook, state: State) -> int:
    """Return how much of a round's tokens has left the layout."""
    return tokens_down(book, state) if state.phase not in ("new", "betting") else 0


def meter_after(table: Table, state: State) -> int | None:
    """Return where the meter stands when this takes the place of a table's round."""
    if state.phase != "new":
        return state.meter_cents
    return next((x.meter_cents for x in table.happened if isinstance(x, e.RoundOpened)), None)


def _redone(book: Rulebook, table: Table, event: h.Redone) -> list[Posting]:
    """What lies on the layout, and on the meter, is what the round that was put right has there."""
    before, after = table.round, redone(book, event.events)
    moved: list[Posting] = []
    for number, seat in {**before.seats, **after.seats}.items():
        more = lies(after, number) - lies(before, number)
        moved.append((chips(seat.person, practice=table.practice), -more))
    lay = -sum(cents for _, cents in moved)
    moved.append((layout(table.id), lay - dropped(book, after) + table.dropped_cents))
    grown = (meter_after(table, after) or 0) - (table.meter_cents or 0)
    moved.append((pool(table.id), grown))
    moved.append((bank(table.id), -sum(cents for _, cents in moved)))
    return moved


def _paid(table: Table, event: h.RoundPaid) -> list[Posting]:
    moved: list[Posting] = []
    now = {each.seat: each for each in event.seats}
    for seat in sorted({*now, *table.paid}):
        moved += _rest(table, now.get(seat) or _nothing(seat), table.paid.get(seat))
    lay = sum(_lies(table, seat) for seat in table.round.seats)
    moved.append((layout(table.id), table.dropped_cents + table.cleared_cents - lay))
    moved.append((pool(table.id), (event.meter_cents or 0) - (table.meter_cents or 0)))
    moved.append((bank(table.id), -sum(cents for _, cents in moved)))
    return moved


def _seats_paid(book: Rulebook, table: Table, event: h.SeatsPaid) -> list[Posting]:
    """The bank pays these seats; what a meter puts up of it comes when the round is over."""
    moved: list[Posting] = []
    for paid in event.seats:
        moved += _rest(table, paid, None)
        moved.append((layout(table.id), -cleared_by(book, table, paid.seat)))
    moved.append((bank(table.id), -sum(cents for _, cents in moved)))
    return moved


def cleared_by(book: Rulebook, table: Table, seat: int) -> int:
    """Return what leaves the layout when a seat is paid: its token has left it before."""
    token = book.progressive.spot if book.progressive is not None else ""
    return _lies(table, seat) - table.round.seats[seat].stakes.get(token, 0)


def _rest(table: Table, paid: h.SeatPaid, before: h.SeatPaid | None) -> list[Posting]:
    """Return what moves when a seat is paid, of which it may have had this before the round was put
    right: what was too much then is claimed from it, since the chips are gone."""
    before, practice = before or _nothing(paid.seat), table.practice
    person, owed = table.round.seats[paid.seat].person, overpaid(paid, before)
    return [
        (chips(person, practice=practice), max(0, paid.paid_cents - before.paid_cents)),
        (tokes(table.id), _toke(paid) - _toke(before)),
        (held(person, practice=practice), max(0, paid.held_cents - before.held_cents)),
        (tax(practice=practice), paid.withheld_cents - before.withheld_cents),
        (claims(person, practice=practice), owed),
        (cage(practice=practice), -owed),
    ]


def overpaid(paid: h.SeatPaid, before: h.SeatPaid) -> int:
    """Return what a seat that was paid while another waited had too much then."""
    much = max(0, before.paid_cents - paid.paid_cents)
    return much + max(0, before.held_cents - paid.held_cents)


def _nothing(seat: int) -> h.SeatPaid:
    return h.SeatPaid(seat, "", (), 0)


def _toke(paid: h.SeatPaid) -> int:
    return sum(line.returned_cents for line in paid.lines if line.dealers)


SeatOutcome = tuple[h.SeatPaid, Sequence[ReleasedWinnings]]
"""How a seat was paid, and what of that was kept first and has left since."""


def difference(
    person: str, first: SeatOutcome, second: SeatOutcome, claim: RoundClaim | None
) -> h.SeatAdjusted:
    """Return what is still to move when a seat was paid the first and ought to have the second."""
    was, now = map(_came, (first, second))
    (chips0, held0, tax0, tokes0, over0), (chips1, held1, tax1, tokes1, over1) = was, now
    moved = h.SeatAdjusted(
        seat=second[0].seat,
        person=person,
        chips_cents=max(0, chips1 - chips0),
        claim_cents=max(0, chips0 - chips1) + max(0, held0 - held1),
        held_cents=max(0, held1 - held0),
        withheld_cents=tax1 - tax0,
        tokes_cents=tokes1 - tokes0,
        turned_over_cents=over1 - over0,
    )
    return _set_off(moved, claim) if claim is not None else moved


def _set_off(moved: h.SeatAdjusted, claim: RoundClaim) -> h.SeatAdjusted:
    """What rises pays first what is owed of the same round, or was until it was written off; what
    is kept comes first, since it stayed kept when it was claimed."""
    had = claim.cents + claim.written_off_cents
    kept = min(moved.held_cents, had)
    paid = min(moved.chips_cents, had - kept)
    owed = min(claim.cents, kept + paid)
    return replace(
        moved,
        held_cents=moved.held_cents - kept,
        chips_cents=moved.chips_cents - paid,
        claim_cents=moved.claim_cents - owed,
        written_off_cents=kept + paid - owed,
    )


def _came(version: SeatOutcome) -> tuple[int, int, int, int, int]:
    """Return what came of a seat's round: to the player's chips, to what is kept for them, to the
    tax desk, to the dealers, and to whom it was turned over. What was kept and released came to
    their chips, but for its tax."""
    paid, released = version
    of_chips = sum(each.cents for each in released if each.wager == LEFT)
    of_held = sum(each.cents for each in released) - of_chips
    over = sum(each.cents for each in released if each.form is None)
    tax = sum(each.form.withheld_cents for each in released if each.form is not None)
    came = in_chips(paid) + of_held - over - tax
    return came, paid.held_cents - of_held, paid.withheld_cents + tax, _toke(paid), over


def in_chips(paid: h.SeatPaid) -> int:
    """Return what a seat was paid in chips beyond what it wagered."""
    return paid.paid_cents - sum(line.stake_cents for line in paid.lines)


def _adjusted(table: Table, event: h.RoundAdjusted) -> list[Posting]:
    """The cage pays what was paid too little, and stands for what is claimed until it comes."""
    practice, moved = table.practice, []
    for seat in event.seats:
        moved.append((chips(seat.person, practice=practice), seat.chips_cents))
        moved.append((claims(seat.person, practice=practice), seat.claim_cents))
        moved.append((held(seat.person, practice=practice), seat.held_cents))
        moved.append((tax(practice=practice), seat.withheld_cents))
        moved.append((TURNED_OVER, seat.turned_over_cents))
    more = sum(seat.tokes_cents for seat in event.seats)
    debts, came = table.toke_debts.put_right(event.round, more)
    owed = debts.cents - table.toke_debts.cents
    moved.append((claims(tokes(table.id), practice=practice), owed))
    moved.append((tokes(table.id), came))
    moved.append((pool(table.id), (event.meter_cents or 0) - (table.meter_cents or 0)))
    moved.append((cage(practice=practice), -sum(cents for _, cents in moved)))
    return moved
