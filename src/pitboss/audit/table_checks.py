"""A table's story as an audit hears it: decks, cards, approvals and money, from events alone.

Nothing here uses the table's own fold: what was dealt, seen, approved and owed is worked out a
second time, in the plainest way, and compared.
"""

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pitboss.audit import late_checks, resettle
from pitboss.audit.agreement_checks import approved, disagreement
from pitboss.audit.card_checks import CardChecks
from pitboss.audit.money_checks import (
    AdjustedMoney,
    MeterStory,
    TokesStory,
    adjusted_difference,
    round_difference,
)
from pitboss.audit.paper_checks import PaperChecks, SeenPapers
from pitboss.audit.patron_checks import PatronChecks
from pitboss.audit.promises import CONSERVED, ONCE, ROLES, SEALED, SETTLED, VIEWS, Findings
from pitboss.audit.round_cards import WITH_CARDS, RoundCards, known
from pitboss.cards import Card
from pitboss.house.books import ledger
from pitboss.house.books.ledger import Posting
from pitboss.house.deck_safe import DeckSafe
from pitboss.house.people.permissions import HOUSE
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.house.table.fair import Sealed
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import AUTOMATIC, CLOCK, OWNER, PastRound
from pitboss.round import events as e
from pitboss.rulebook import Rulebook
from pitboss.rulebook.base import ABOVE_DEALER
from pitboss.rulebook.pit_rules import LEFT_ALONE, SEALED_ANEW
from pitboss.settle import Player

BY_ROLE = (
    e.LateWagerAccepted
    | e.HandDied
    | e.MisdealCalled
    | e.IrregularityStood
    | h.CardsInspected
    | h.CardReplaced
    | h.PayoffApproved
    | h.VoidAsked
    | h.NoticeAcknowledged
    | h.CorrectionAsked
    | h.AdjustmentAsked
)
"""What names the person who did it, and in which role."""


class PlayedRound(msgspec.Struct):
    """A round that was paid, and what the second settlement says of it."""

    name: str
    sealed: h.DeckSealed
    dealt: tuple[Card | None, ...]
    paid: h.RoundPaid
    again: resettle.RetoldRound
    difference: str


class TableChecks:
    """What has happened at one table."""

    def __init__(
        self,
        table: str,
        findings: Findings,
        safes: Mapping[str, DeckSafe],
        papers: PaperChecks | None = None,
    ) -> None:
        self.table, self._check, self._count = table, findings.check, findings.count
        self._findings, self._safes = findings, safes
        self.papers = papers or PaperChecks(findings)
        self.seen = SeenPapers()
        self.practice = False
        self.dealing = ""
        self.number = 0
        self.dealer = ""
        self.players: dict[int, Player] = {}
        self.cards = CardChecks()
        self.patrons = PatronChecks(table, findings)
        self.tokes_cents = self.tokes_owed = 0
        self.meter = MeterStory()
        self.tokes = TokesStory()
        self.adjustment: h.AdjustmentAsked | None = None
        self.called = False
        self.last: PlayedRound | None = None
        """The last round that was paid."""
        self._begin()

    def _begin(self) -> None:
        self.sealed: h.DeckSealed | None = None
        self.cuts: dict[int, str] = {}
        self.deck: Sealed | None = None
        self.bets_gone = False
        """Whether somebody's bet was taken back by another."""
        self._begin_round()
        self.dealers = {self.dealer} - {""}
        self.announced: dict[int, int] = {}
        self.void: h.VoidAsked | None = None
        self.correction: h.CorrectionAsked | None = None
        self.last_actor = ""
        self.approved: list[tuple[int, str, str]] = []
        self.seen = SeenPapers()
        self.money: Counter[str] = Counter()
        self.early: dict[int, resettle.RetoldSeat] = {}
        """Seats that were paid while another waited, as they were settled then."""

    def _begin_round(self) -> None:
        self.events: list[e.Event] = []
        self.seats: dict[int, str] = {}
        self.down: set[int] = set()
        self.out = RoundCards()

    def hear(
        self,
        book: Rulebook,
        happened: Sequence[h.TableEvent],
        posted: Sequence[Posting],
        actor: str,
        roles: frozenset[str],
        day: datetime.date,
        past: PastRound | None = None,
        entry: int = 0,
    ) -> None:
        """Hear one entry: what happened, what the ledger says of it, who did it, on which gaming
        day, which round it puts right that was paid, and its number in the table's stream."""
        self.entry = entry
        if not self.events and any(isinstance(event, e.RoundOpened) for event in happened):
            self.money.clear()  # what moved before belongs to no round
        for account, cents in posted:
            self.money[account] += cents
        above = not roles.isdisjoint((OWNER, *ABOVE_DEALER))
        self.money.subtract(
            self.patrons.hear(
                happened,
                posted,
                practice=self.practice,
                handles=actor == self.dealer or above,
                above=above,
                actor=actor,
                dealer=self.dealer,
                dealt=any(isinstance(each, e.BettingClosed) for each in self.events),
            )
        )
        tokes, box = self.tokes_cents, ledger.tokes(self.table)
        self.tokes_cents += sum(cents for account, cents in posted if account == box)
        owed, claim = self.tokes_owed, ledger.claims(box, practice=self.practice)
        self.tokes_owed += sum(cents for account, cents in posted if account == claim)
        fed = sum(cents for account, cents in posted if account == ledger.pool(self.table))
        deck, bets = self.sealed, {seat: self.seats.get(seat, "") for seat in self.down}
        for event in happened:
            self._real_cards(book, event, day)
            if isinstance(event, h.TokesDropped):
                whole = event.cents == tokes > 0 and not self.tokes_cents
                self._check(CONSERVED, whole, f"{event.cents} in tokes were taken of {tokes}")
                first = event.owed_cents == min(event.cents, owed) == owed - self.tokes_owed
                self._check(CONSERVED, first, f"{event.owed_cents} of {owed} owed came of tokes")
            if isinstance(event, h.TokesWrittenOff):
                whole = event.cents == owed > 0 and not self.tokes_owed
                self._check(CONSERVED, whole, f"{event.cents} of {owed} owed was written off")
            if isinstance(event, h.TokesDropped | h.TokesWrittenOff):
                self.tokes.hear(event)
            if isinstance(event, h.FloorEvent):
                self._floor_event(event, actor, roles)
            if isinstance(event, BY_ROLE):
                self._by_role(event, actor, roles)
            if isinstance(event, e.LateWagerAccepted):
                alone = late_checks.alone(book, self.events, event)
                self._check(ROLES, not alone, alone)
            if isinstance(event, h.PaperEvent):
                self._shown(event, actor)
            if isinstance(event, h.SeatsPaid):
                self._seats_paid(book, event, day)
                continue
            if isinstance(event, h.RoundPaid):
                self._paid(book, event)
                self._begin()
                continue
            if isinstance(event, h.RoundAdjusted):
                self._adjusted(book, event, past, posted, actor, roles)
                continue
            if isinstance(event, h.Redone):
                self._redone(book, event, actor, roles)
                continue
            self._own_event(event)
            if isinstance(event, e.Event):
                self.events.append(event)
                self._round_event(event)
                if isinstance(event, e.BetPlaced) and not self.down:
                    self.events, self.seats = [], {}  # nobody bets: no round is open
            self._seen(event)
        self.last_actor = actor
        self.meter.cents += fed
        gone = {who for seat, who in bets.items() if seat not in self.down} - {actor}
        if self.sealed is deck and any(not who.startswith("bot-") for who in gone):
            self.bets_gone = True

    def _floor_event(self, event: h.FloorEvent, actor: str, roles: frozenset[str]) -> None:
        """See that a dealer called, once, and that the floor came."""
        self._count(ROLES)
        calls = isinstance(event, h.FloorCalled)
        who = actor == self.dealer if calls else not roles.isdisjoint((OWNER, *ABOVE_DEALER))
        right = who and event.person == actor and calls is not self.called
        self._check(ROLES, right, f"{actor} neither called the floor nor came when it was called")
        self.called = calls

    # What happened ------------------------------------------------------------------------------

    def _real_cards(self, book: Rulebook, event: h.TableEvent, day: datetime.date) -> None:
        """See that cards are handled between rounds, and dealt when they are fit for it."""
        if isinstance(event, h.CardEvent):
            self._check(SEALED, self.sealed is None, "cards were handled while bets were taken")
        self.cards.hear(event)
        opens = isinstance(event, h.DeckSealed) and event.round != self.number
        deals = isinstance(event, e.CardsDealt) and not self.out.dealt
        if self.dealing == "entered" and (opens or deals):
            lacking = self.cards.lacks(book, day)
            self._check(SEALED, not lacking, lacking)

    def _shown(self, event: h.PaperEvent, actor: str) -> None:
        """Hear of papers: from who neither plays nor deals, and for nobody's eyes."""
        self.seen.hear(event)
        if not isinstance(event, h.FormsDue):
            self._count(ROLES)
            self._check(ROLES, event.person == actor, f"{actor} did not see these papers")
            self._takes_no_part({actor} & {*self.seats.values(), *self.dealers})
        for eyes in (None, *self.seats):
            told = visible(event, eyes)
            hidden = not getattr(told, "papers", None)
            hidden = hidden and (eyes == event.seat or not getattr(told, "forms", ()))
            self._check(VIEWS, hidden, f"seat {eyes or 'nobody'} is told of somebody's papers")

    def _own_event(self, event: h.TableEvent) -> None:
        if isinstance(event, h.TableOpened):
            same = not self.dealing or self.practice == event.practice
            self._check(ROLES, same, "a practice table stays one, and so does any other")
            self.practice, self.dealing = event.practice, event.dealing
            self.dealer, self.called = "", False
            self._begin()
        elif isinstance(event, h.SeatTaken | h.PlayerKnown):
            self.players[event.seat] = event.player
            if isinstance(event, h.SeatTaken):
                self.cuts.pop(event.seat, None)  # it was somebody else's
        elif isinstance(event, h.TableClosed):
            self._put_away()
        elif isinstance(event, h.DealerChanged):
            self.dealer = event.person
            # Who left before the bets has dealt nothing of this round.
            before = self.dealers if self.sealed is not None else set()
            self.dealers = (before | {event.person}) - {""}
        elif isinstance(event, h.DeckSealed):
            self._sealed(event)
        elif isinstance(event, h.BettingWithdrawn):
            self._check(ONCE, not self.down, "betting was closed with bets on the table")
            self._begin()
        elif isinstance(event, h.DeckCut):
            self._check(SEALED, not self.out.dealt, "a deck was cut that had been dealt from")
            self.cuts[event.seat] = event.cut
        elif isinstance(event, h.DeckOpened):
            self.deck = event.deck
        elif isinstance(event, h.PayoffAnnounced):
            self.announced[event.seat] = event.won_cents
            if not event.needs:
                del self.announced[event.seat]
            # What was approved of an earlier figure is void.
            self.approved = [each for each in self.approved if each[0] != event.seat]
        elif isinstance(event, h.PayoffApproved):
            self.approved.append((event.seat, event.role, event.person))
        elif isinstance(event, h.VoidAsked):
            self.void = event
        elif isinstance(event, h.CorrectionAsked):
            self.correction = event
        elif isinstance(event, h.AdjustmentAsked):
            self.adjustment = event

    def _redone(self, book: Rulebook, event: h.Redone, actor: str, roles: frozenset[str]) -> None:
        """Hear a round that was put right, from its first event on."""
        self._count(ROLES)
        self._check(ROLES, self.dealing == "entered", "a round was put right that nobody entered")
        if isinstance(event, h.EntryUndone):
            own = actor == self.dealer == self.last_actor
            self._check(ROLES, own, f"{actor} took back what somebody else did")
        else:
            self._agreed(event, book.corrections.before, self.correction, actor, roles)
            part = {who for role, who in event.by if role != "dealer"} & self.dealers
            part |= {who for _, who in event.by} & {*self.seats.values()}
            self._takes_no_part(part)
            self.correction = None  # what was asked for stays asked for when an entry is taken back
        self._begin_round()
        everybody = (None, *(n for each in event.events for n in _seated(each)))
        seen = {eyes: visible(event, eyes) for eyes in everybody}
        for at, each in enumerate(event.events):
            self.events.append(each)
            self._round_event(each)
            for eyes, told in seen.items():
                assert isinstance(told, h.Redone)
                self._may_see(told.events[at], eyes)
        for eyes, told in seen.items():
            self._may_see(told, eyes)
        self.void = None
        self.seen.redone(self.seats)
        self.announced = {n: won for n, won in self.announced.items() if n not in event.void}
        self.approved = [each for each in self.approved if each[0] not in event.void]

    def _agreed(
        self,
        event: h.RoundCorrected | h.RoundAdjusted,
        groups: Sequence[Sequence[str]],
        asked: h.CorrectionAsked | h.AdjustmentAsked | None,
        actor: str,
        roles: frozenset[str],
    ) -> None:
        role, person = event.by[-1]
        self._check(ROLES, person == actor and role in roles, f"{person} is no {role}")
        for why in () if self.practice else disagreement(event, groups, asked):
            self._check(ROLES, False, why)

    def _takes_no_part(self, part: set[str]) -> None:
        right = self.practice or not part
        self._check(ROLES, right, f"{', '.join(sorted(part))} takes part in the round")

    def _put_away(self) -> None:
        """Count a deck that was bet on and is not dealt, as a round that was called off."""
        self._findings.called_off += bool(self.sealed and self.sealed.locked and self.bets_gone)
        self.sealed, self.bets_gone = None, False

    def _sealed(self, event: h.DeckSealed) -> None:
        self._check(SEALED, not self.events, "a deck was sealed in the middle of a round")
        if self.sealed is not None and event.round == self.sealed.round:
            same = msgspec.structs.replace(event, entry=self.sealed.entry) == self.sealed
            self._check(SEALED, same, f"another deck was sealed for round {event.round}")
            return
        self._put_away()
        self._count(SEALED)
        in_order = event.round == self.number + 1
        self._check(ONCE, in_order, f"round {event.round} is out of order")
        self.number, self.sealed, self.cuts = event.round, event, {}
        if self.dealing == "entered":
            self._check(SEALED, not event.locked, "a deck was sealed, and cards are real")
            return
        self._check(SEALED, bool(event.locked), "no deck was sealed")

    def _round_event(self, event: e.Event) -> None:
        if isinstance(event, e.RoundOpened):
            self._check(SEALED, self.sealed is not None, "bets came before the sealed deck")
            self.seats, self.down = dict(event.seats), set()
        elif isinstance(event, e.BetPlaced):
            self.down = self.down | {event.seat} if event.wagers else self.down - {event.seat}
        elif isinstance(event, e.BettingClosed):
            self.seats = {seat: who for seat, who in self.seats.items() if seat in self.down}
            self.cuts = {seat: cut for seat, cut in self.cuts.items() if seat in self.seats}
        right = self.out.hear(event)
        self._check(SEALED, right, "a card was turned that was never dealt")

    def _seen(self, event: h.TableEvent) -> None:
        """See that nobody is sent a card, or what opens one, before they may see it."""
        if not isinstance(event, WITH_CARDS):
            return
        for eyes in (None, *self.seats):
            self._may_see(visible(event, eyes), eyes)

    def _may_see(self, seen: h.TableEvent, eyes: int | None) -> None:
        if not isinstance(seen, WITH_CARDS):
            return
        self._count(VIEWS)
        fair = self.out.fair(seen, eyes)
        self._check(VIEWS, fair, f"seat {eyes or 'nobody'} is sent what it may not see")

    def _by_role(self, event: Any, actor: str, roles: frozenset[str]) -> None:
        """See that who acts in a role has it, and that nobody approves what they dealt."""
        self._count(ROLES)
        approval = isinstance(event, h.PayoffApproved)
        if approval and event.person == AUTOMATIC and not event.role:
            self._check(ROLES, self.practice, "a payoff approved itself")
            return
        if isinstance(event, e.MisdealCalled) and not event.role:
            caller = {SEALED_ANEW: HOUSE, LEFT_ALONE: CLOCK}.get(event.cause)
            self._check(ROLES, actor == caller, "nobody called this misdeal")
            return
        misdealt = isinstance(event, e.MisdealCalled) and bool(self.early)
        died = isinstance(event, e.HandDied) and event.seat in self.early
        self._check(ROLES, not (misdealt or died), "what was paid was called off")
        if isinstance(event, e.MisdealCalled | e.HandDied) and self.announced and not self.practice:
            asked, seat = self.void, getattr(event, "seat", 0)
            said = h.VoidAsked(event.cause, seat, event.role, event.person)
            agreed = asked == said and actor != event.person
            self._check(ROLES, agreed, "a payoff that was announced was voided by one alone")
            self._takes_no_part({event.person, actor} & {*self.dealers, *self.seats.values()})
            return
        named = event.person == actor and event.role in roles
        self._check(ROLES, named, f"{event.person} is no {event.role}")
        ruling = not isinstance(event, h.NoticeAcknowledged)  # that is about a round long paid
        if ruling and self.events and not self.practice:
            part = event.person in self.seats.values()
            part = part or (event.role != "dealer" and event.person in self.dealers)
            self._check(ROLES, not part, f"{event.person} takes part in the round")

    def _adjusted(
        self,
        book: Rulebook,
        event: h.RoundAdjusted,
        past: PastRound | None,
        posted: Sequence[Posting],
        actor: str,
        roles: frozenset[str],
    ) -> None:
        """Settle a round again that was put right after it was paid, and follow the difference."""
        self._count(ROLES)
        rules = past.book if past is not None else book
        self._agreed(event, rules.corrections.after, self.adjustment, actor, roles)
        self.adjustment = None
        if not self._check(SETTLED, past is not None, f"round {event.round} was never paid"):
            return
        assert past is not None
        self._takes_no_part({who for _, who in event.by} & {*past.people.values(), *past.dealers})
        same = (past.entry, past.paid.date, past.paid.players) == (
            event.before,
            event.paid.date,
            event.paid.players,
        )
        self._check(SETTLED, same, "it was not settled as of the first payment")
        players, date = past.paid.players, past.paid.date
        first = resettle.settled(past.book, past.events, players, date)
        second = resettle.settled(past.book, event.events, players, date)
        self._count(SETTLED)
        name = f"{self.table}-{event.round}"
        known_before = AdjustedMoney(
            table=self.table,
            practice=self.practice,
            seated=self.patrons.seated.values(),
            meter=self.meter,
            tokes=self.tokes,
            claims=self.papers.claims,
            released=self.papers.released_again(name, (first, second), event),
        )
        different = resettle.difference(second, event.paid)
        moved = adjusted_difference(known_before, past, (first, second), event, posted)
        different = different or moved
        if not different and not self.practice:
            seen = SeenPapers({seat: each.shown for seat, each in past.papers.items()})
            different = seen.filed_difference(second, event.paid)
            self.papers.adjusted(past, name, (first, second), posted, self.entry)
        place = f"{self._findings.place}, round {self.table}-{event.round}"
        self._check(SETTLED, not different, different, place)
        for eyes in (None, *past.people):
            told = visible(event, eyes)
            assert isinstance(told, h.RoundAdjusted)
            self._may_see(told, eyes)
            whose = {each.seat for each in told.seats} <= {eyes} and not told.paid.players
            whose = whose and not told.released
            self._check(VIEWS, whose, f"seat {eyes or 'nobody'} is told what others owe")
            for each in told.events:
                hidden = isinstance(each, e.CardsDealt) and not each.up and each.seat != eyes
                unseen = not hidden or not known(getattr(each, "cards", ()))
                self._check(VIEWS, unseen, f"seat {eyes or 'nobody'} is sent what it may not see")

    # What was paid ------------------------------------------------------------------------------

    def _paid(self, book: Rulebook, paid: h.RoundPaid) -> None:
        name, sealed = f"{self.table}-{paid.round}", self.sealed or h.DeckSealed(0, "")
        self._count(ONCE)
        self._check(ONCE, paid.round == sealed.round, f"round {name} was paid, not begun")
        self._count(SETTLED)
        players = self.seen.players(self.players)
        again = resettle.settled(book, self.events, players, paid.date)
        later = players if self.practice else self.seen.later(players)
        known = all(later.get(seat) == each for seat, each in paid.players.items())
        self._check(ROLES, known, "what was known of the players is not what the table knew")
        self._findings.called_off += bool(sealed.locked and again.misdeal)
        self._opened(sealed, again.misdeal)
        different = resettle.difference(again, paid) or round_difference(
            self.table, again, self.early, self.money, practice=self.practice
        )
        self.papers.claims.paid(name, again, self.early, practice=self.practice)
        if not different and not self.practice:
            different = self.seen.difference(again, paid, players, self.early)
            self.papers.paid(book, name, again, self.early)
        self._check(SETTLED, not different, different, f"{self._findings.place}, round {name}")
        for seat in again.seats.values():
            self._may_be_paid(book, seat)
        self.last = PlayedRound(
            name=name,
            sealed=sealed,
            dealt=tuple(self.out.dealt),
            paid=paid,
            again=again,
            difference=different,
        )

    def _seats_paid(self, book: Rulebook, event: h.SeatsPaid, day: datetime.date) -> None:
        """Settle the seats again that were paid while another waited."""
        players = self.seen.players(self.players)
        again = resettle.settled(book, self.events, players, day)
        if not self.practice and {each.seat for each in event.seats} <= {*again.seats}:
            different = self.seen.difference(again, event, players)
            self._check(SETTLED, not different, different)
        for paid in event.seats:
            self._count(SETTLED)
            seat = again.seats.get(paid.seat)
            first = seat is not None and paid.seat not in self.early and not again.misdeal
            if not self._check(ONCE, first, f"seat {paid.seat} was paid out of its round"):
                continue
            assert seat is not None
            different = resettle.seat_difference(seat, paid)
            self._check(SETTLED, not different, different)
            self._may_be_paid(book, seat)
            self.early[paid.seat] = seat

    def _may_be_paid(self, book: Rulebook, seat: resettle.RetoldSeat) -> None:
        given = {(role, person) for number, role, person in self.approved if number == seat.seat}
        given = {x for x in given if not late_checks.recorded(self.events, seat.seat, x[1])}
        given |= {("dealer", AUTOMATIC)} if self.dealing == AUTOMATIC else set()
        right = self.practice or approved(book, seat, given, self.dealers)
        self._check(ROLES, right, f"seat {seat.seat} was not approved")
        if any(seat.won_cents > rule.over for rule in book.approval):
            said = self.announced.get(seat.seat)
            why = f"seat {seat.seat} wins {seat.won_cents}, and {said} was announced"
            self._check(ROLES, said == seat.won_cents, why)

    def _opened(self, sealed: h.DeckSealed, misdeal: str) -> None:
        """See that the deck that is open now is the one that was sealed, and the one dealt from."""
        deck = self.deck
        if not sealed.locked or misdeal == SEALED_ANEW:
            self._check(SEALED, deck is None, "a deck was opened, and none was dealt from")
            return
        if not self._check(SEALED, deck is not None, "the deck was not opened"):
            return
        assert deck is not None
        safe = self._safes.get(sealed.locked.partition(":")[0])
        if safe is not None:
            lay = Table(self.table, number=sealed.round, locked=sealed.locked)
            opens = safe.opens(lay) and safe.unlock(lay) == deck
            self._check(SEALED, opens, "the deck that was opened is not the one that was locked")
        for why in self.out.against(deck, sealed, self.cuts):
            self._check(SEALED, False, why)


def _seated(event: e.Event) -> Sequence[int]:
    return [*event.seats] if isinstance(event, e.RoundOpened) else ()
