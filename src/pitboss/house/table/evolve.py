"""How each event changes a table, and who sees what of it: one fold live, loaded and audited."""

import datetime
from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

from msgspec.structs import asdict, replace

from pitboss import round as rounds
from pitboss.house.books.ledger import Posting, bank, chips, tokes
from pitboss.house.table import events as h
from pitboss.house.table.postings import (
    cleared_by,
    dropped,
    meter_after,
    postings,
    redone,
    tokens_down,
)
from pitboss.house.table.state import (
    CapNotice,
    CardRecord,
    CreditedSeat,
    DeckRecord,
    Sitter,
    Table,
    among,
)
from pitboss.round import events as e
from pitboss.round.redo import Facts
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Player
from pitboss.settle.caps import CAPS

MOST_ADMITTED = 100
"""People who have come to a practice table by invitation."""

MOST_FREED = 20
"""People who are told why their seat was freed."""

REOPENED = ("number", "meter_cents", "tokes_cents", "toke_debts", "notices", "adjustment")
"""What a table that is opened again goes on with."""
LASTING = (
    *("id", "rulebook", "sha256", "minimum_cents", "maximum_cents", "token_cents"),
    *("practice", "opener", "admitted", *REOPENED),
)
"""What is still known of a table that was closed."""


def evolve(book: Rulebook, table: Table, event: h.TableEvent) -> Table:
    return moved(book, table, event, postings(book, table, event))


def asked(table: Table, person: str) -> Table:
    """Return the table when somebody has something done, before anything of it happens."""
    if not table.betting:
        return table
    counts = {**table.asked, person: table.asked.get(person, 0) + 1}
    if table.dealing != "entered":
        return replace(table, asked=counts)
    return replace(table, asked=counts, entering=person, undo=table.happened)


def moved(book: Rulebook, table: Table, event: h.TableEvent, lines: Sequence[Posting]) -> Table:
    """Return the table after one more event that moves money like this."""
    if lines:
        table = _with_money(table, lines)
    if isinstance(event, h.Own):
        return _after(book, table, event)
    after = rounds.evolve(book, table.round, event)
    match event:  # the most frequent come first
        case e.CardsDealt() | e.RaisePlaced():
            pass
        case e.BetPlaced() if not any(seat.stakes for seat in after.seats.values()):
            return replace(table, round=rounds.State(), happened=())  # no round is open
        case e.BettingClosed():
            tokens = tokens_down(book, table.round)
            cuts = {seat: cut for seat, cut in table.cuts.items() if seat in after.seats}
            changes = {"meter_cents": after.meter_cents, "dropped_cents": tokens, "cuts": cuts}
            table = replace(table, until=0, credited=(), **changes)
        case e.HandDied() | e.MisdealCalled():
            table = replace(table, void=None)
    return replace(table, round=after, happened=(*table.happened, event))


def _with_money(table: Table, lines: Sequence[Posting]) -> Table:
    """Follow what is the table's own, and what lies before those who have no account: nothing else
    says what they have. Most chips move between others."""
    own, changes = _own_accounts(table.id), dict[str, int]()
    for account, cents in lines:
        if account in own:
            name = own[account]
            changes[name] = changes.get(name, getattr(table, name)) + cents
    for seat, sitter in table.patrons.items():
        theirs = chips(sitter.person, practice=table.practice)
        came = sum(cents for account, cents in lines if account == theirs)
        if came:
            table = _with_sitter(table, seat, chips_cents=sitter.chips_cents + came)
    return replace(table, **changes) if changes else table


@lru_cache(maxsize=1024)
def _own_accounts(table: str) -> dict[str, str]:
    """Return a table's own accounts, and what the table calls what lies there."""
    return {bank(table): "bank_cents", tokes(table): "tokes_cents"}


def _after(book: Rulebook, table: Table, event: h.HouseEvent) -> Table:
    """Return the table after an event of its own; the most frequent come first."""
    match event:
        case h.ClockSet():
            return replace(table, until=event.until, clock_ms=event.ms)
        case h.DeckSealed():
            return replace(
                table,
                cutters=table.cutters if event.round == table.number else {},
                number=event.round,
                betting=True,
                locked=event.locked,
                commitment=event.commitment,
                cuts={},
                asked={},
                begun=event.entry,
            )
        case h.BettingWithdrawn():
            left = (table.dealer,) if table.dealer else ()
            return replace(table, betting=False, asked={}, dealers=left)
        case h.DeckOpened():
            return table
        case h.DeckCut():
            cutters = {**table.cutters, table.sitters[event.seat].person: event.cut}
            return replace(table, cuts={**table.cuts, event.seat: event.cut}, cutters=cutters)
        case h.SeatsPaid():
            paid = {**table.paid, **{each.seat: each for each in event.seats}}
            cleared = sum(cleared_by(book, table, each.seat) for each in event.seats)
            return replace(table, paid=paid, cleared_cents=table.cleared_cents + cleared)
        case h.RoundPaid():
            return _paid(table, event)
        case h.PayoffAnnounced():
            return _announced(table, event)
        case h.PayoffApproved():
            given = (event.seat, event.role, event.person)
            return replace(table, approved=(*table.approved, given))
        case h.FormsDue():
            others = {seat: forms for seat, forms in table.forms.items() if seat != event.seat}
            due = {event.seat: event.forms} if event.forms else {}
            return replace(table, forms={**others, **due})
        case h.PapersTaken():
            holds = {seat: why for seat, why in table.holds.items() if seat != event.seat}
            return replace(table, papers={**table.papers, event.seat: event}, holds=holds)
        case h.PayoffHeld():
            return replace(table, holds={**table.holds, event.seat: event.why})
        case h.VoidAsked():
            return replace(table, void=event)
        case h.NoticeAcknowledged():
            return _acknowledged(table, event)
        case h.CorrectionAsked():
            return replace(table, correction=event if event.facts != Facts() else None)
        case h.AdjustmentAsked():
            return replace(table, adjustment=event if event.facts != Facts() else None)
        case h.RoundAdjusted():
            return _adjusted(table, event)
        case h.RoundCorrected():
            return replace(_redone(book, table, event), correction=None)
        case h.EntryUndone():
            return _redone(book, table, event)
        case h.SeatTaken():
            sitter = Sitter(event.person, event.name, event.player, event.bot)
            sitters = {**table.sitters, event.seat: sitter}
            freed = {who: why for who, why in table.freed.items() if who != event.person}
            cuts = {seat: cut for seat, cut in table.cuts.items() if seat != event.seat}
            return replace(table, sitters=dict(sorted(sitters.items())), freed=freed, cuts=cuts)
        case h.PlayerKnown():
            return _with_sitter(table, event.seat, player=event.player)
        case h.SeatAway():
            return _with_sitter(table, event.seat, away=event.away, leaving=False)
        case h.SeatLeft():
            gone = table.sitters[event.seat].person
            if event.why and gone in table.admitted:
                table = _shown_out(table, gone)
            table = _with_sitter(table, event.seat, leaving=True, away=True, freed=event.why)
            held = table.round.seats.get(event.seat)
            stays = table.sitters[event.seat].patron or (held is not None and held.stakes)
            return table if stays else _without(table, {event.seat})
        case h.PatronBoughtIn():
            bought = event.cash_cents, event.chips_cents
            sold_by = tuple(dict.fromkeys(filter(None, (event.by, table.dealer))))
            after = _with_sitter(table, event.seat, bought=bought, sold_by=sold_by)
            return replace(after, entering="", undo=())
        case h.BuyInVoided():
            after = _with_sitter(table, event.seat, bought=(0, 0), sold_by=())
            return replace(after, entering="", undo=())
        case h.ChipsChanged():
            return replace(table, entering="", undo=())
        case h.PatronLeft():
            credited = tuple(each for each in table.credited if each.person != event.person)
            return replace(_without(table, {event.seat}), entering="", undo=(), credited=credited)
        case h.InvitationMade():
            return replace(table, invitation=event.invitation)
        case h.PersonAdmitted():
            return replace(table, admitted=_admitted(table, event.person))
        case h.PersonShownOut():
            return _told(_shown_out(table, event.person), {event.person: event.why})
        case h.PartnersMarked():
            return replace(table, partners=event.partners)
        case h.DealerChanged():
            # Between rounds nobody has dealt any of the next one yet.
            before = table.dealers if table.betting else ()
            dealers = tuple(filter(None, dict.fromkeys((*before, event.person))))
            sold = [seat for seat, each in table.patrons.items() if each.sold_by and event.person]
            for seat in sold:
                by = dict.fromkeys((*table.sitters[seat].sold_by, event.person))
                table = _with_sitter(table, seat, sold_by=tuple(by))
            return replace(table, dealer=event.person, dealers=dealers)
        case h.FloorCalled():
            return replace(table, call=event)
        case h.FloorAnswered():
            return replace(table, call=None)
        case h.LimitsChanged():
            limits = {"minimum_cents": event.minimum_cents, "maximum_cents": event.maximum_cents}
            return replace(table, **limits)
        case h.ShufflerChanged():
            return replace(
                table,
                shuffler=event.shuffler,
                shuffler_device=event.shuffler_device,
                shuffler_approval=event.shuffler_approval,
            )
        case h.BankFilled():
            return table
        case h.TokesDropped():
            return replace(table, toke_debts=table.toke_debts.paid(event.owed_cents))
        case h.TokesWrittenOff():
            return replace(table, toke_debts=table.toke_debts.given_up())
        case h.MeterSeeded():
            return replace(table, meter_cents=(table.meter_cents or 0) + event.cents)
        case h.CardsBrought():
            came = (DeckRecord(colour, event.day) for colour in event.colours)
            return replace(table, cards=CardRecord((*table.cards.decks, *came)))
        case h.CardsInspected() | h.CardsWashed() | h.CardReplaced():
            decks = (
                _handled(deck, event) if deck.colour == event.colour else deck
                for deck in table.cards.decks
            )
            return replace(table, cards=CardRecord(tuple(decks)))
        case h.CardsShuffled():
            return replace(table, cards=replace(table.cards, shuffled=True))
        case h.CardsRetired():
            stay = (deck for deck in table.cards.decks if deck.colour not in event.colours)
            return replace(table, cards=CardRecord(tuple(stay)))
        case h.TableOpened():
            lasting = {name: getattr(table, name) for name in REOPENED}
            return replace(Table(table.id, open=True, **lasting), **asdict(event))
        case h.TableClosed():
            lasting = {name: getattr(table, name) for name in LASTING}
            return Table(**lasting, closed=event.day)
        case _:
            assert_never(event)


def _handled(
    deck: DeckRecord, event: h.CardsInspected | h.CardsWashed | h.CardReplaced
) -> DeckRecord:
    match event:
        case h.CardsInspected(found="in-order"):
            return replace(deck, inspected=(*deck.inspected, (event.role, event.person)))
        case h.CardsInspected():
            return replace(deck, fault=event.found)
        case h.CardsWashed():
            return replace(deck, washed=True)
        case h.CardReplaced():
            return DeckRecord(deck.colour, deck.day, replaced=deck.replaced + 1)
        case _:
            assert_never(event)


def _redone(book: Rulebook, table: Table, event: h.Redone) -> Table:
    after = redone(book, event.events)
    return replace(
        table,
        round=after,
        happened=event.events,
        meter_cents=meter_after(table, after),
        dropped_cents=dropped(book, after),
        announced={n: won for n, won in table.announced.items() if n not in event.void},
        approved=tuple(each for each in table.approved if each[0] not in event.void),
        forms={},
        holds={seat: why for seat, why in table.holds.items() if seat in after.seats},
        void=None,
        entering="",
        undo=(),
    )


def _adjusted(table: Table, event: h.RoundAdjusted) -> Table:
    more = (
        CreditedSeat(event.round, each.seat, each.person, each.chips_cents)
        for each in event.seats
        if each.chips_cents
    )
    tokes = sum(each.tokes_cents for each in event.seats)
    after = replace(
        table,
        meter_cents=event.meter_cents,
        toke_debts=table.toke_debts.put_right(event.round, tokes)[0],
        adjustment=None,
        credited=(*table.credited, *more),
    )
    after = _notified(after, event.paid, event.date)
    if table.last is None or table.last.round != event.round:
        return after
    return replace(after, last=paid_as_seen(event.paid, None))


def _admitted(table: Table, person: str) -> dict[str, bool]:
    """Return who has come, with one more: where there is no room, in place of who came first and
    has no seat, so that nobody keeps others out by staying."""
    before = {who: may for who, may in table.admitted.items() if who != person}
    if len(before) >= MOST_ADMITTED:
        del before[next(who for who in before if table.seat_of(who) is None)]
    return {**before, person: True}


def _shown_out(table: Table, person: str) -> Table:
    """The link by which they came is worth nothing, also to those who would sit in their place:
    another lets them sit."""
    sit = {each.person for each in table.sitters.values()} - {person}
    admitted = {who: may and who in sit for who, may in table.admitted.items()}
    return replace(table, admitted=admitted, invitation="")


def _told(table: Table, why: dict[str, str]) -> Table:
    freed = dict([*{**table.freed, **why}.items()][-MOST_FREED:])
    return replace(table, freed=freed)


def _with_sitter(table: Table, seat: int, **changes: object) -> Table:
    return replace(table, sitters={**table.sitters, seat: replace(table.sitters[seat], **changes)})


def _without(table: Table, seats: set[int]) -> Table:
    """Let seats go; who was freed is told why for as long as it is remembered."""
    sitters = {n: each for n, each in table.sitters.items() if n not in seats}
    gone = [table.sitters[n] for n in seats]
    table = _told(table, {each.person: each.freed for each in gone if each.freed})
    return replace(table, sitters=sitters, partners=among(table.partners, sitters))


def _announced(table: Table, event: h.PayoffAnnounced) -> Table:
    # Whoever approved another payoff has not approved this one.
    approved = tuple(each for each in table.approved if each[0] != event.seat)
    announced = {**table.announced, event.seat: event.won_cents}
    if not event.needs:
        del announced[event.seat]
    return replace(table, announced=announced, approved=approved)


def _notified(table: Table, paid: h.RoundPaid, day: datetime.date) -> Table:
    """Have some hear of a round within the gaming day, once more where it was put right."""
    if not (paid.notify or table.notices):  # most rounds
        return table
    others = {each: notice for each, notice in table.notices.items() if each != paid.round}
    if paid.notify and not table.practice:
        capped = [
            line
            for seat in paid.seats
            for line in seat.lines
            if any(reason.code in CAPS for reason in line.reasons)
        ]
        won = sum(line.nominal_cents for line in capped)
        others[paid.round] = CapNotice(
            day, paid.notify, won, sum(line.won_cents for line in capped)
        )
    return replace(table, notices=others)


def _acknowledged(table: Table, event: h.NoticeAcknowledged) -> Table:
    notice = table.notices[event.round]
    left = tuple(role for role in notice.waits_for if role != event.role)
    others = {number: each for number, each in table.notices.items() if number != event.round}
    return replace(
        table, notices={**others, event.round: replace(notice, waits_for=left)} if left else others
    )


def _paid(table: Table, event: h.RoundPaid) -> Table:
    after = replace(
        table,
        round=rounds.State(),
        happened=(),
        cards=replace(table.cards, shuffled=False),
        betting=False,
        locked="",
        commitment="",
        cuts={},
        cutters={},
        asked={},
        until=0,
        announced={},
        forms={},
        papers={},
        holds={},
        void=None,
        correction=None,
        entering="",
        undo=(),
        approved=(),
        dropped_cents=0,
        paid={},
        cleared_cents=0,
        dealers=(table.dealer,) if table.dealer else (),
        meter_cents=event.meter_cents,
        last=paid_as_seen(event, None),
    )
    after = _notified(after, event, event.date)
    played = {
        n: replace(each, bought=(0, 0), sold_by=())
        for n, each in table.sitters.items()
        if each.patron
    }
    after = replace(after, sitters={**table.sitters, **played}) if played else after
    gone = {n for n, each in table.sitters.items() if each.leaving and not each.patron}
    return _without(after, gone) if gone else after


def visible(event: h.TableEvent, seat: int | None) -> h.TableEvent:
    """Return the event as this seat sees it; None watches without a seat.

    The deck stays secret, and so do invitations, what the tax desk knows of a person, what it did,
    why their seat was freed, and what is put right: what they may see of it they see in the round.
    The most frequent events come first.
    """
    if not isinstance(event, h.Own):
        return rounds.visible(event, seat)
    match event:
        case h.ClockSet():
            return event
        case h.DeckSealed():
            return replace(event, locked="")
        case h.DeckOpened():
            return replace(event, cards="", seed="")
        case h.SeatTaken() | h.PlayerKnown():
            return replace(event, player=Player())
        case h.FloorCalled():
            return replace(event, why="")
        case h.SeatLeft():
            return event if event.seat == seat else replace(event, why="")
        case h.InvitationMade():
            return replace(event, invitation="")
        case h.PersonShownOut():
            return replace(event, why="")
        case h.SeatsPaid():
            return replace(event, seats=_as_seen(event.seats, seat))
        case h.RoundPaid():
            return paid_as_seen(event, seat)
        case h.TableOpened() | h.TableClosed() | h.LimitsChanged() | h.SeatAway():
            return event
        case h.ShufflerChanged() | h.TokesDropped() | h.BettingWithdrawn():
            return event
        case h.PartnersMarked() | h.DealerChanged() | h.BankFilled() | h.MeterSeeded():
            return event
        case h.FloorAnswered():
            return event
        case h.BuyInVoided() | h.TokesWrittenOff():
            return replace(event, why="")
        case h.PersonAdmitted() | h.PatronBoughtIn() | h.ChipsChanged() | h.PatronLeft():
            return event
        case h.CardsBrought() | h.CardsInspected() | h.CardsWashed() | h.CardReplaced():
            return event
        case h.CardsShuffled() | h.CardsRetired():
            return event
        case h.DeckCut() | h.PayoffAnnounced() | h.PayoffApproved() | h.VoidAsked():
            return event
        case h.FormsDue():
            return event if event.seat == seat else replace(event, forms=())
        case h.PapersTaken():
            return replace(event, papers=None)
        case h.PayoffHeld():
            return event if event.seat == seat else replace(event, why="")
        case h.NoticeAcknowledged():
            return event
        case h.CorrectionAsked() | h.AdjustmentAsked():
            return replace(event, facts=Facts(), why="")
        case h.RoundAdjusted():
            mine = tuple(each for each in event.seats if each.seat == seat)
            paid = paid_as_seen(event.paid, seat)
            told = replace(event, events=_seen(event, seat), paid=paid, seats=mine)
            return replace(told, facts=Facts(), why="", released=())
        case h.RoundCorrected():
            return replace(event, events=_seen(event, seat), facts=Facts(), why="")
        case h.EntryUndone():
            return replace(event, events=_seen(event, seat))
        case _:
            assert_never(event)


def _seen(event: h.Redone | h.RoundAdjusted, seat: int | None) -> tuple[e.Event, ...]:
    return tuple(rounds.visible(each, seat) for each in event.events)


def paid_as_seen(event: h.RoundPaid, seat: int | None) -> h.RoundPaid:
    return replace(event, seats=_as_seen(event.seats, seat), players={})


def _as_seen(paid: Sequence[h.SeatPaid], seat: int | None) -> tuple[h.SeatPaid, ...]:
    return tuple(each if each.seat == seat else _others(each) for each in paid)


def _others(paid: h.SeatPaid) -> h.SeatPaid:
    """Return what one seat got as others see it: reasons and tax are for its own eyes."""
    whole = paid.paid_cents + paid.held_cents + paid.withheld_cents
    lines = tuple(replace(line, reasons=()) for line in paid.lines)
    return h.SeatPaid(paid.seat, paid.hand, lines, whole)
