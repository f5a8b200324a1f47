"""A table's story as an audit hears it: decks, cards, approvals and money, from events alone.

Nothing here uses the table's own fold: what was dealt, seen, approved and owed is worked out a
second time, in the plainest way, and compared.
"""

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import msgspec

from pitboss.audit import resettle
from pitboss.audit.card_checks import CardChecks
from pitboss.audit.promises import CONSERVED, ONCE, ROLES, SEALED, SETTLED, VIEWS, Findings
from pitboss.cards import DECK, Card
from pitboss.house.books import ledger
from pitboss.house.books.ledger import Posting
from pitboss.house.deck_safe import DeckSafe
from pitboss.house.people.permissions import HOUSE
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.house.table.fair import Sealed, order
from pitboss.house.table.state import Table
from pitboss.house.table.unit_of_work import AUTOMATIC, CLOCK, PastRound
from pitboss.round import events as e
from pitboss.round.redo import Facts
from pitboss.rulebook import Rulebook
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


_WITH_CARDS = (
    e.CardsDealt
    | e.CardsTurned
    | e.HandShown
    | h.DeckSealed
    | h.DeckOpened
    | h.CorrectionAsked
    | h.RoundCorrected
    | h.AdjustmentAsked
    | h.RoundAdjusted
)
"""What can show cards to somebody."""


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

    def __init__(self, table: str, findings: Findings, safes: Mapping[str, DeckSafe]) -> None:
        self.table, self._check, self._count = table, findings.check, findings.count
        self._findings, self._safes = findings, safes
        self.practice = False
        self.dealing = ""
        self.number = 0
        self.dealer = ""
        self.players: dict[int, Player] = {}
        self.cards = CardChecks()
        self.tokes_cents = 0
        self.adjustment: h.AdjustmentAsked | None = None
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
        self.money: Counter[str] = Counter()

    def _begin_round(self) -> None:
        self.events: list[e.Event] = []
        self.seats: dict[int, str] = {}
        self.down: set[int] = set()
        self.dealt: list[Card | None] = []
        """In the order of dealing; what nobody turned is None."""
        self.face_down: dict[str, list[int]] = {}
        """By pile: which of them those are."""
        self.open: set[Card] = set()
        self.own: dict[int, set[Card]] = {}

    def hear(
        self,
        book: Rulebook,
        happened: Sequence[h.TableEvent],
        posted: Sequence[Posting],
        actor: str,
        roles: frozenset[str],
        day: datetime.date,
        past: PastRound | None = None,
    ) -> None:
        """Hear one entry: what happened, what the ledger says of it, who did it, on which gaming
        day, and which round it puts right that was paid."""
        if not self.events and any(isinstance(event, e.RoundOpened) for event in happened):
            self.money.clear()  # what moved before belongs to no round
        for account, cents in posted:
            self.money[account] += cents
        tokes, box = self.tokes_cents, ledger.tokes(self.table)
        self.tokes_cents += sum(cents for account, cents in posted if account == box)
        deck, bets = self.sealed, {seat: self.seats.get(seat, "") for seat in self.down}
        for event in happened:
            self._real_cards(book, event, day)
            if isinstance(event, h.TokesDropped):
                whole = event.cents == tokes > 0 and not self.tokes_cents
                self._check(CONSERVED, whole, f"{event.cents} in tokes were taken of {tokes}")
            if isinstance(event, BY_ROLE):
                self._by_role(event, actor, roles)
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
            self._seen(event)
        self.last_actor = actor
        gone = {who for seat, who in bets.items() if seat not in self.down} - {actor}
        if self.sealed is deck and any(not who.startswith("bot-") for who in gone):
            self.bets_gone = True

    # What happened ------------------------------------------------------------------------------

    def _real_cards(self, book: Rulebook, event: h.TableEvent, day: datetime.date) -> None:
        """See that cards are handled between rounds, and dealt when they are fit for it."""
        if isinstance(event, h.CardEvent):
            self._check(SEALED, self.sealed is None, "cards were handled while bets were taken")
        self.cards.hear(event)
        opens = isinstance(event, h.DeckSealed) and event.round != self.number
        deals = isinstance(event, e.CardsDealt) and not self.dealt
        if self.dealing == "entered" and (opens or deals):
            lacking = self.cards.lacks(book, day)
            self._check(SEALED, not lacking, lacking)

    def _own_event(self, event: h.TableEvent) -> None:
        if isinstance(event, h.TableOpened):
            same = not self.dealing or self.practice == event.practice
            self._check(ROLES, same, "a practice table stays one, and so does any other")
            self.practice, self.dealing = event.practice, event.dealing
            self.dealer = ""
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
            self._check(SEALED, not self.dealt, "a deck was cut that had been dealt from")
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
        self.void = self.correction = None
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
        """See that one of each group of roles put it right, and that they are several people."""
        *first, last = event.by
        named = last[1] == actor and last[0] in roles
        self._check(ROLES, named, f"{last[1]} is no {last[0]}")
        if self.practice:
            return
        said = [(asked.role, asked.person)] if asked is not None else []
        same = asked is not None and asked.facts == event.facts
        self._check(ROLES, first == said and same, "it was not asked for what was put right")
        several = len({person for _, person in event.by}) == len(groups)
        stand = any(
            all(role in group for group, (role, _) in zip(groups, order, strict=False))
            for order in permutations(event.by)
        )
        self._check(ROLES, several and stand, "it was not put right by all who must agree")

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
            if not self.down:
                self.events, self.seats = [], {}  # nobody bets: no round is open
        elif isinstance(event, e.BettingClosed):
            self.seats = {seat: who for seat, who in self.seats.items() if seat in self.down}
            self.cuts = {seat: cut for seat, cut in self.cuts.items() if seat in self.seats}
        elif isinstance(event, e.CardsDealt):
            if not (event.seat or event.up):
                places = range(len(self.dealt), len(self.dealt) + len(event.cards))
                self.face_down.setdefault(event.place, []).extend(places)
            self.dealt.extend(event.cards)
            if event.up:
                self.open |= _known(event.cards)
            elif event.seat:
                self.own.setdefault(event.seat, set()).update(_known(event.cards))
        elif isinstance(event, e.CardsTurned | e.HandShown):
            self.open |= set(event.cards)
            if isinstance(event, e.CardsTurned):
                places_down = self.face_down.get(event.place, [])
                enough = len(event.cards) <= len(places_down)
                self._check(SEALED, enough, "a card was turned that was never dealt")
                for card in event.cards[: len(places_down)]:
                    self.dealt[places_down.pop(0)] = card

    def _seen(self, event: h.TableEvent) -> None:
        """See that nobody is sent a card, or what opens one, before they may see it."""
        if not isinstance(event, _WITH_CARDS):
            return
        for eyes in (None, *self.seats):
            self._may_see(visible(event, eyes), eyes)

    def _may_see(self, seen: h.TableEvent, eyes: int | None) -> None:
        if not isinstance(seen, _WITH_CARDS):
            return
        may = self.open | self.own.get(eyes or 0, set())
        fair = _known(getattr(seen, "cards", ())) <= may
        fair = fair and not getattr(seen, "locked", "") and not getattr(seen, "seed", "")
        fair = fair and getattr(seen, "facts", Facts()) == Facts()
        self._count(VIEWS)
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
        if isinstance(event, e.MisdealCalled | e.HandDied) and self.announced and not self.practice:
            asked, seat = self.void, getattr(event, "seat", 0)
            said = h.VoidAsked(event.cause, seat, event.role, event.person)
            agreed = asked == said and actor != event.person
            self._check(ROLES, agreed, "a payoff that was announced was voided by one alone")
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
        self._agreed(event, book.corrections.after, self.adjustment, actor, roles)
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
        different = resettle.difference(second, event.paid)
        different = different or self._adjusted_money(past, first, second, event, posted)
        place = f"{self._findings.place}, round {self.table}-{event.round}"
        self._check(SETTLED, not different, different, place)
        for eyes in (None, *past.people):
            told = visible(event, eyes)
            assert isinstance(told, h.RoundAdjusted)
            self._may_see(told, eyes)
            whose = {each.seat for each in told.seats} <= {eyes} and not told.paid.players
            self._check(VIEWS, whose, f"seat {eyes or 'nobody'} is told what others owe")
            for each in told.events:
                hidden = isinstance(each, e.CardsDealt) and not each.up and each.seat != eyes
                unseen = not hidden or not _known(getattr(each, "cards", ()))
                self._check(VIEWS, unseen, f"seat {eyes or 'nobody'} is sent what it may not see")

    def _adjusted_money(
        self,
        past: PastRound,
        first: resettle.RetoldRound,
        second: resettle.RetoldRound,
        event: h.RoundAdjusted,
        posted: Sequence[Posting],
    ) -> str:
        """Say where the money that moved is not the difference of the two settlements."""
        want: Counter[str] = Counter()
        for number, person in past.people.items():
            chips = _chips(second, number) - _chips(first, number)
            held = _held(second, number) - _held(first, number)
            want[ledger.chips(person, practice=self.practice)] += max(0, chips)
            want[ledger.held(person, practice=self.practice)] += max(0, held)
            owed = max(0, -chips) + max(0, -held)
            want[ledger.claims(person, practice=self.practice)] += owed
            tokes = _tokes(second, number) - _tokes(first, number)
            box = ledger.tokes(self.table)
            account = box if tokes > 0 else ledger.claims(box, practice=self.practice)
            want[account] += abs(tokes)
        withheld = (sum(s.withheld_cents for s in one.seats.values()) for one in (second, first))
        want[ledger.tax(practice=self.practice)] += next(withheld) - next(withheld)
        moved: Counter[str] = Counter()
        for account, cents in posted:
            moved[account] += cents
        house = {ledger.cage(practice=self.practice), ledger.pool(self.table)}
        for account in sorted({*want, *moved} - house):
            if want[account] != moved[account]:
                return f"{account} moved by {moved[account]}, the difference is {want[account]}"
        grown = (second.meter_cents or 0) - (first.meter_cents or 0)
        fed = moved[ledger.pool(self.table)]
        rule = past.book.progressive
        floor = rule is not None and (event.meter_cents or 0) <= int(rule.reseed)
        short = floor and grown < fed <= 0
        return "" if fed == grown or short else f"the meter moved by {fed}, not {grown}"

    # What was paid ------------------------------------------------------------------------------

    def _paid(self, book: Rulebook, paid: h.RoundPaid) -> None:
        name, sealed = f"{self.table}-{paid.round}", self.sealed or h.DeckSealed(0, "")
        self._count(ONCE)
        self._check(ONCE, paid.round == sealed.round, f"round {name} was paid, not begun")
        self._count(SETTLED)
        again = resettle.settled(book, self.events, self.players, paid.date)
        known = all(self.players.get(seat) == each for seat, each in paid.players.items())
        self._check(ROLES, known, "what was known of the players is not what the table knew")
        self._findings.called_off += bool(sealed.locked and again.misdeal)
        self._opened(sealed, again.misdeal)
        different = resettle.difference(again, paid) or self._money_difference(again)
        self._check(SETTLED, not different, different, f"{self._findings.place}, round {name}")
        for seat in again.seats.values():
            approved = self.practice or self._approved(book, seat)
            self._check(ROLES, approved, f"seat {seat.seat} was not approved")
            if any(seat.won_cents > rule.over for rule in book.approval):
                said = self.announced.get(seat.seat)
                why = f"seat {seat.seat} wins {seat.won_cents}, and {said} was announced"
                self._check(ROLES, said == seat.won_cents, why)
        self.last = PlayedRound(
            name=name,
            sealed=sealed,
            dealt=tuple(self.dealt),
            paid=paid,
            again=again,
            difference=different,
        )

    def _opened(self, sealed: h.DeckSealed, misdeal: str) -> None:
        """See that the deck that is open now is the one that was sealed, and the one dealt from."""
        deck = self.deck
        if not sealed.locked or misdeal == SEALED_ANEW:
            self._check(SEALED, deck is None, "a deck was opened, and none was dealt from")
            return
        cards = deck.cards if deck is not None else ()
        self._check(SEALED, sorted(cards) == list(DECK), "the deck is not 52 cards")
        if deck is None or len(cards) != len(DECK):
            return
        safe = self._safes.get(sealed.locked.partition(":")[0])
        if safe is not None:
            lay = Table(self.table, number=sealed.round, locked=sealed.locked)
            opens = safe.opens(lay) and safe.unlock(lay) == deck
            self._check(SEALED, opens, "the deck that was opened is not the one that was locked")
        committed = deck.commitment
        self._check(SEALED, sealed.commitment == committed, "the commitment is not this deck's")
        unread = {at for places in self.face_down.values() for at in places}
        whole = [cards[place] for place in order(committed, self.cuts)[: len(self.dealt)]]
        ought = [None if at in unread else card for at, card in enumerate(whole)]
        self._check(SEALED, self.dealt == ought, "the cards dealt are not the sealed deck's")
        self.dealt = [*whole]

    def _money_difference(self, again: resettle.RetoldRound) -> str:
        """Say where the money that moved in the round is not what the second settlement says."""
        want: Counter[str] = Counter()
        for seat in again.seats.values():
            chips = ledger.chips(seat.person, practice=self.practice)
            want[chips] += seat.paid_cents - seat.staked_cents
            if seat.toke is not None and not seat.toke_goes_back:
                want[ledger.tokes(self.table)] += seat.toke.returned_cents
            want[ledger.held(seat.person, practice=self.practice)] += seat.held_cents
            want[ledger.tax(practice=self.practice)] += seat.withheld_cents
        grown = (again.meter_cents or 0) - (again.meter_before_cents or 0)
        want[ledger.pool(self.table)] += grown
        # What is left is the house's own: it pays from the rack, which the cage fills.
        house = {ledger.bank(self.table), ledger.cage(practice=self.practice)}
        for account in sorted({*want, *self.money} - house):
            if want[account] != self.money[account]:
                moved = self.money[account]
                return f"{account} moved by {moved}, a second settlement says {want[account]}"
        return ""

    def _approved(self, book: Rulebook, seat: resettle.RetoldSeat) -> bool:
        """Whether different people stand for everything that this payoff needs."""
        rules = [rule for rule in book.approval if seat.won_cents > rule.over]
        given = {(role, person) for number, role, person in self.approved if number == seat.seat}
        dealers = self.dealers or {AUTOMATIC}
        given |= {("dealer", AUTOMATIC)} if self.dealing == AUTOMATIC else set()
        return any(
            len({person for _, person in several}) == len(rules)
            and all(
                _may(book, role, rule.by)
                and (person in dealers | {AUTOMATIC}) == (rule.act == "call-out")
                for rule, (role, person) in zip(rules, several, strict=True)
            )
            for several in permutations(given, len(rules))
        )


def _chips(told: resettle.RetoldRound, number: int) -> int:
    seat = told.seats.get(number)
    return seat.paid_cents - seat.staked_cents if seat is not None else 0


def _held(told: resettle.RetoldRound, number: int) -> int:
    seat = told.seats.get(number)
    return seat.held_cents if seat is not None else 0


def _tokes(told: resettle.RetoldRound, number: int) -> int:
    """Return what the dealers get of a seat's round."""
    seat = told.seats.get(number)
    if seat is None or seat.toke is None or seat.toke_goes_back:
        return 0
    return seat.toke.returned_cents


def _seated(event: e.Event) -> Sequence[int]:
    return [*event.seats] if isinstance(event, e.RoundOpened) else ()


def _known(cards: Sequence[Card | None]) -> set[Card]:
    return {card for card in cards if card is not None}


def _may(book: Rulebook, role: str, by: Sequence[str]) -> bool:
    """Whether a role is one of these, or one that is above one of them where that counts."""
    if role in by or book.stand_in != "above":
        return role in by
    ranks = {"floor-supervisor": 1, "shift-manager": 2, "director-of-table-games": 3}
    rank = {**ranks, "general-manager": 4}.get(role, 0)
    return any(rank > ranks.get(each, 4) for each in by)
