"""What happens at a table in plain sentences: for ears, for a live region, and for a replay.

Nothing is said of a card that the reader of the event may not see: there it is None.

>>> from pitboss import rulebook
>>> from pitboss.cards import cards
>>> from pitboss.round import events
>>> book = rulebook.load("diamond-jo-worth/cajun-stud")
>>> dealt = events.CardsDealt("seats", 1, cards("Ks Th"))
>>> said(book, dealt, {1: "Ann"}, me=1)
'You get the king of spades and the ten of hearts.'
>>> said(book, events.RaisePlaced(2, "raise-1", 3, 3000), {2: "Bob"}, me=1)
'Bob raises 3 times: $30.'
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

import msgspec

from pitboss.cards import SUITS, Card
from pitboss.hands import ranking
from pitboss.house.table import events as h
from pitboss.round import events as e
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.pit_rules import OWN_CAUSES
from pitboss.wording import NUMBERS, capital, counted, holder, listed, ordinal, spaced

Faces = Mapping[str, tuple[Card, ...]]
"""The cards that lie face up on the table, by place."""


# Words that pages share -----------------------------------------------------------------------

_SUITS = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
_RANKS = [*NUMBERS[2:11], "jack", "queen", "king", "ace"]
_THIRD_PERSON = {"are": "is", "have": "has"}


def card_name(card: Card) -> str:
    """Name a card.

    >>> card_name(Card(47))
    'king of spades'
    """
    return f"{_RANKS[card.rank - 2]} of {_SUITS[card.suit]}"


# Sentences ------------------------------------------------------------------------------------


def said(
    book: Rulebook,
    event: h.TableEvent,
    names: Mapping[int, str],
    me: int | None,
    up: Faces | None = None,
) -> str:
    """Say one event in a sentence; empty where it needs no words.

    ``names`` has who sits where, and ``me`` is the seat of whoever listens. With ``up``, the cards
    that lay face up before, a community card is counted and the dealer's hand is named.
    """
    tell = Telling(book, names, me, up)
    return _of_round(tell, event) if isinstance(event, e.Event) else _of_table(tell, event)


def story(
    book: Rulebook, happened: Iterable[h.TableEvent], names: Mapping[int, str], me: int | None
) -> Iterator[str]:
    """Say one event after the other, each knowing what lay on the table before it."""
    up: Faces = {}
    for event in happened:
        yield said(book, event, names, me, up)
        up = faces(up, event)


def faces(up: Faces, event: h.TableEvent) -> Faces:
    """Return the cards that lie face up on the table after one more event."""
    if isinstance(event, h.Redone):
        for each in event.events:
            up = faces(up, each)
        return up
    if isinstance(event, e.RoundOpened):
        return {}
    if isinstance(event, e.CardsTurned) or (isinstance(event, e.CardsDealt) and event.up):
        seen = tuple(card for card in event.cards if card is not None)
        return {**up, event.place: (*up.get(event.place, ()), *seen)}
    return up


class Telling(msgspec.Struct, frozen=True):
    """Who listens, and what they know."""

    book: Rulebook
    names: Mapping[int, str]
    me: int | None
    up: Faces | None

    def who(self, seat: int, *, inside: bool = False) -> str:
        """Name a seat at the start of a sentence, or inside it."""
        if seat == self.me:
            return "you" if inside else "You"
        return self.names.get(seat) or f"{'seat' if inside else 'Seat'} {seat}"

    def does(self, seat: int, verb: str, *, inside: bool = False) -> str:
        form = verb if seat == self.me else _THIRD_PERSON.get(verb, f"{verb}s")
        return f"{self.who(seat, inside=inside)} {form}"

    def acts(self, event: e.Folded | e.Checked | e.WagerTakenBack, verb: str) -> str:
        """Say that a seat decides, or that its clock ran out."""
        if event.timed_out:
            return f"Time is up: {self.does(event.seat, verb, inside=True)}"
        return self.does(event.seat, verb)

    def whose(self, seat: int) -> str:
        return "Your" if seat == self.me else f"{self.who(seat)}'s"

    def pay(self, cents: int) -> str:
        return self.book.money(cents)

    def spot(self, name: str) -> str:
        known = name in self.book.spots or name in self.book.bonuses
        return self.book.wager_name(name) if known else spaced(name)

    def limits(self, least: int, most: int | None) -> str:
        ante = self.book.ante.title
        if most is None:
            return f"{ante} {self.pay(least)} or more"
        return f"{ante} {self.pay(least)} to {self.pay(most)}"

    @property
    def meter(self) -> str:
        rule = self.book.progressive
        return f"{self.spot(rule.spot)} meter" if rule is not None else "meter"


def _cards(cards: Sequence[Card | None]) -> str:
    """List the cards that may be seen, and count the others."""
    known = [f"the {card_name(card)}" for card in cards if card is not None]
    hidden = len(cards) - len(known)
    if not known:
        return counted(hidden, "card")
    return listed([*known, *([f"{counted(hidden, 'card')} face down"] if hidden else [])])


# Of the round ---------------------------------------------------------------------------------


def _of_round(tell: Telling, event: e.Event) -> str:
    match event:
        case e.RoundOpened():
            return "Betting is open."
        case e.BetPlaced():
            return _bet(tell, event)
        case e.BettingClosed(meter_cents=int(cents)):
            return f"No more bets; the {tell.meter} stands at {tell.pay(cents)}."
        case e.BettingClosed():
            return "No more bets."
        case e.CardsDealt():
            return _dealt(tell, event)
        case e.CardsTurned():
            return _shown(tell, event.place, event.cards, "turns up")
        case e.LightSeen():
            again = ": the cards are shuffled again" if event.reshuffle else ""
            return f"The shuffler shows {event.colour}{again}."
        case e.RaisePlaced():
            times = f"{event.times} time{'' if event.times == 1 else 's'}"
            return f"{tell.does(event.seat, 'raise')} {times}: {tell.pay(event.cents)}."
        case e.Folded():
            tucked = f"; the cards wait under {tell.spot(event.tucked)}" if event.tucked else ""
            kept = f"; {tell.spot(event.kept)} is paid all the same" if event.kept else ""
            return f"{tell.acts(event, 'fold')}{tucked}{kept}."
        case e.Checked():
            return f"{tell.acts(event, 'check')}."
        case e.WagerTakenBack():
            back = f"{tell.pay(event.cents)} back from {tell.spot(event.spot)}"
            return f"{tell.acts(event, 'take')} {back}."
        case e.HandShown():
            return f"{tell.does(event.seat, 'show')} {_cards(event.cards)}."
        case e.LateWagerAccepted():
            bet = f"bet of {tell.pay(event.cents)} on {tell.spot(event.spot)}"
            return f"{tell.whose(event.seat)} {bet} was found late and stands."
        case e.HandDied():
            rule = next((each for each in tell.book.dead if each.cause == event.cause), None)
            why = f"{rule.says}, and {_FATE[rule.money]}" if rule else event.cause
            return f"{tell.whose(event.seat)} hand is dead: {why}."
        case e.MisdealCalled():
            return f"Misdeal: {grounds(tell.book, event.cause)}. Every bet goes back."
        case e.IrregularityStood():
            why = grounds(tell.book, event.cause)
            return f"The round stands in spite of an irregularity: {why}."
        case e.PayingBegan():  # what is paid is said when it has been paid
            return ""
    assert_never(event)


def _bet(tell: Telling, event: e.BetPlaced) -> str:
    """Say what is down: main wagers first."""
    spots = sorted(event.wagers, key=lambda name: tell.book.spots[name].kind != "main")
    down = [f"{tell.pay(event.wagers[name])} on {tell.spot(name)}" for name in spots]
    if event.toke_cents:
        down.append(f"{tell.pay(event.toke_cents)} for the dealers")
    if not down:
        return f"{tell.does(event.seat, 'have')} no bet down."
    return f"{tell.does(event.seat, 'bet')} {listed(down)}."


def _dealt(tell: Telling, event: e.CardsDealt) -> str:
    if event.place == SEATS:
        return f"{tell.does(event.seat, 'get')} {_cards(event.cards)}."
    if event.up:
        return _shown(tell, event.place, event.cards, "shows")
    where = tell.book.place_name(event.place)
    spot = " spot" if event.place in tell.book.spots else ""
    return f"The {where}{spot} gets {counted(len(event.cards), 'card')} face down."


def _shown(tell: Telling, place: str, cards: Sequence[Card | None], does: str) -> str:
    """Say which cards of a pile can be seen now."""
    where = tell.book.place_name(place)
    rule = tell.book.qualifier
    if rule is not None and rule.place == place:
        return f"The {where} {does} {_cards(cards)}{_named(tell, cards)}."
    if len(cards) > 1:
        return f"The {where} cards are {_cards(cards)}."
    which = "next " if tell.up is None else f"{ordinal(len(tell.up.get(place, ())) + 1)} "
    return f"The {which if tell.book.dealt.get(place) != 1 else ''}{where} card is {_cards(cards)}."


def _named(tell: Telling, cards: Sequence[Card | None]) -> str:
    hand = dealers_hand(tell, cards)
    return f": {hand}" if hand else ""


def dealers_hand(tell: Telling, cards: Sequence[Card | None]) -> str:
    """Name the dealer's hand once all of it can be seen, and say if it does not qualify."""
    rule = tell.book.qualifier
    assert rule is not None
    places, order = tell.book.dealers_hand
    every = [each for place in places for each in (tell.up or {}).get(place, ())]
    every += [each for each in cards if each is not None]
    if len(every) < sum(tell.book.dealt[place] for place in places):
        return ""
    hand = ranking(order).best(every)
    fails = ", which does not qualify" if hand.strength < rule.weakest else ""
    return f"{hand.name}{fails}"


_FATE = {"return": "its bets go back", "forfeit": "its bets are lost"}


def grounds(book: Rulebook, cause: str) -> str:
    """Say why a round was called off."""
    rules = (each.says for each in book.misdeal if each.cause == cause)
    return OWN_CAUSES.get(cause) or next(rules, spaced(cause))


# Of the table ---------------------------------------------------------------------------------


def _of_table(tell: Telling, event: h.HouseEvent) -> str:
    match event:
        case h.TableOpened():
            chips = ", with play chips" if event.practice else ""
            limits = tell.limits(event.minimum_cents, event.maximum_cents)
            return f"The table is open{chips}: {limits}."
        case h.TableClosed():
            return "The table is closed."
        case h.LimitsChanged():
            limits = tell.limits(event.minimum_cents, event.maximum_cents)
            return f"The limits are now {limits}."
        case h.SeatTaken():
            if event.seat == tell.me:
                return f"You take seat {event.seat}."
            return f"{event.name or 'Somebody'} takes seat {event.seat}."
        case h.SeatAway(away=True):
            return f"{tell.does(event.seat, 'sit')} out."
        case h.SeatAway():
            return f"{tell.does(event.seat, 'are')} back."
        case h.SeatLeft():
            why = f": {event.why}" if event.why else ""
            return f"{tell.does(event.seat, 'leave')} the table{why}."
        case h.PatronBoughtIn():
            cash = f"{tell.pay(event.cash_cents)} in cash" if event.cash_cents else ""
            chips = f"{tell.pay(event.chips_cents)} in chips" if event.chips_cents else ""
            return f"{tell.does(event.seat, 'buy')} in with {listed(filter(None, [cash, chips]))}."
        case h.BuyInVoided():
            whose = tell.whose(event.seat)
            return f"{whose} buy-in of {tell.pay(event.cents)} is taken back."
        case h.ChipsChanged():
            worth = sum(each * count for each, count in event.given.items())
            return f"{tell.does(event.seat, 'change')} {tell.pay(worth)} in chips."
        case h.PatronLeft():
            took = tell.pay(event.cents) if event.cents else "nothing"
            return f"{tell.does(event.seat, 'take')} {took} along."
        case h.InvitationMade():
            return "Others are invited to this table."
        case h.PersonAdmitted():
            return "Somebody comes by invitation."
        case h.PersonShownOut():
            return "Somebody is shown out."
        case h.PartnersMarked():
            groups = [f"seats {listed(map(str, group))} are partners" for group in event.partners]
            every = "; ".join(groups) or "nobody here is a partner"
            return f"{capital(every)}."
        case h.DealerChanged(person=""):
            return "The dealer leaves the table."
        case h.DealerChanged():
            return "A new dealer takes the table."
        case h.FloorCalled():
            return "The dealer calls the floor."
        case h.FloorAnswered():
            return "The floor is at the table."
        case h.BankFilled():
            return f"The cage brings {tell.pay(event.cents)} in chips to the table."
        case h.MeterSeeded():
            return f"The house puts {tell.pay(event.cents)} on the {tell.meter}."
        case h.CardsBrought():
            colours = f": {listed(event.colours)}" if event.colours else ""
            return f"New cards come to the table{colours}."
        case h.CardsInspected():
            found = "" if event.found == "in-order" else f": a card is {event.found}"
            return f"{capital(holder(event.role))} looks through the {event.colour} deck{found}."
        case h.CardsWashed():
            return f"The {event.colour} deck is washed."
        case h.CardsShuffled():
            return f"The cards are shuffled{' and cut' if event.cut else ''}."
        case h.CardReplaced():
            return f"The {card_name(event.card)} of the {event.colour} deck is replaced."
        case h.CardsRetired():
            return f"Cards leave the table for good: {listed(event.colours)}."
        case h.ShufflerChanged(shuffler=True):
            device = f", {event.shuffler_device}" if event.shuffler_device else ""
            return f"The cards are shuffled by a machine from now on{device}."
        case h.ShufflerChanged():
            return "The cards are shuffled by hand from now on."
        case h.TokesDropped():
            owed = f", {tell.pay(event.owed_cents)} of it owed" if event.owed_cents else ""
            return f"{tell.pay(event.cents)} in tokes leave the table for the dealers{owed}."
        case h.TokesWrittenOff():
            return f"{tell.pay(event.cents)} that the dealers owed for tokes is written off."
        case h.BettingWithdrawn():
            return "Betting is closed again: nobody has bet."
        case h.DeckSealed(commitment=""):  # real cards lie on the table
            return f"Round {event.round} begins."
        case h.DeckSealed():
            return f"The deck of round {event.round} is shuffled and sealed."
        case h.DeckCut():
            return f"{tell.does(event.seat, 'cut')} the deck."
        case h.PayoffAnnounced(needs=()):
            return f"{tell.whose(event.seat)} payoff needs no approval any more."
        case h.PayoffAnnounced():
            return (
                f"{tell.whose(event.seat)} win of {tell.pay(event.won_cents)} waits for approval."
            )
        case h.PayoffApproved(role="dealer"):
            return f"The dealer calls out {tell.whose(event.seat).replace('Your', 'your')} payoff."
        case h.PayoffApproved():
            by = f" by {holder(event.role)}" if event.role else ""
            return f"{tell.whose(event.seat)} payoff is approved{by}."
        case h.FormsDue():
            whose = tell.whose(event.seat)
            if not event.forms:  # whose it is not hears no more of it
                return f"The tax desk looks at {whose.replace('Your', 'your')} payoff."
            names = listed(dict.fromkeys(f"form {form.form}" for form in event.forms))
            return f"{whose} payoff waits for papers: {names}."
        case h.PapersTaken():
            return f"{tell.whose(event.seat)} papers were seen."
        case h.PayoffHeld():
            why = f": {event.why}" if event.why else ""
            return f"{tell.whose(event.seat)} winnings that need a form are held{why}."
        case h.VoidAsked():
            ruled = f"{capital(holder(event.role))} rules that it is void"
            return f"{ruled}: {grounds(tell.book, event.cause)}. Another role must agree."
        case h.AdjustmentAsked():
            asks = f"{capital(holder(event.role))} asks for a correction of round {event.round}"
            return f"{asks}; another role must agree."
        case h.RoundAdjusted():
            return f"Round {event.round} is put right, and the difference is settled."
        case h.CorrectionAsked():
            return f"{capital(holder(event.role))} asks for a correction; another role must agree."
        case h.RoundCorrected():
            again = ", and what was approved of it is asked for again" if event.void else ""
            return f"What was recorded wrongly is put right{again}."
        case h.EntryUndone():
            return "The dealer takes the last entry back."
        case h.RoundPaid() | h.SeatsPaid():  # a player hears of their own pay, others of all
            mine = [seat for seat in event.seats if seat.seat == tell.me]
            return " ".join(_seat_paid(tell, seat) for seat in mine or event.seats)
        # A clock is seen; papers, whole decks and who was told what are nobody's business.
        case h.ClockSet() | h.PlayerKnown() | h.DeckOpened() | h.NoticeAcknowledged():
            return ""
    assert_never(event)


def _seat_paid(tell: Telling, seat: h.SeatPaid) -> str:
    hand = f": {seat.hand}" if seat.hand else ""
    held = f"; {tell.pay(seat.held_cents)} is held" if seat.held_cents else ""
    tax = f" after {tell.pay(seat.withheld_cents)} of tax" if seat.withheld_cents else ""
    if seat.paid_cents and not any(line.won_cents for line in seat.lines):
        return f"{tell.does(seat.seat, 'get')} {tell.pay(seat.paid_cents)} back{hand}."
    sum_ = tell.pay(seat.paid_cents) if seat.paid_cents else "nothing"
    return f"{tell.does(seat.seat, 'are')} paid {sum_}{tax}{held}{hand}."
