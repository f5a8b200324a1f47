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
'Bob raises 3 times: $30.00.'
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pitboss.cards import SUITS, Card
from pitboss.hands import ranking
from pitboss.house.table import events as h
from pitboss.money import text
from pitboss.round import events as e
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook

Faces = Mapping[str, tuple[Card, ...]]
"""The cards that lie face up on the table, by place."""

SILENT: frozenset[type[Any]] = frozenset({h.ClockSet, h.PlayerKnown, e.PayingBegan})
"""What needs no words: a clock is seen, and what is paid is said when it has been paid."""


# Words that pages share -----------------------------------------------------------------------

_SUITS = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
_COUNTS = "no one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = _COUNTS.split(" ")
_RANKS = [*_NUMBERS[2:11], "jack", "queen", "king", "ace"]
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = _PLACES.split(" ")
_SIGNS = {"USD": "$", "CAD": "$", "EUR": "€", "GBP": "£"}
_THIRD_PERSON = {"are": "is", "have": "has"}


def card_name(card: Card) -> str:
    """Name a card.

    >>> card_name(Card(47))
    'king of spades'
    """
    return f"{_RANKS[card.rank - 2]} of {_SUITS[card.suit]}"


def pay(book: Rulebook, cents: int) -> str:
    """Write money with its sign, in the currency of the house."""
    sign = _SIGNS.get(book.currency, f"{book.currency} ")
    return f"{'-' if cents < 0 else ''}{sign}{text(abs(cents))}"


def listed(several: Iterable[str], word: str = "and") -> str:
    """Write a list as it is spoken.

    >>> listed(["Ante", "First Raise", "Lo Ball"])
    'Ante, First Raise and Lo Ball'
    """
    items = list(several)
    return f" {word} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def number(count: int) -> str:
    """Write a small number in letters."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(count: int, what: str) -> str:
    """Write how many of something there are.

    >>> counted(1, "card"), counted(5, "card")
    ('one card', 'five cards')
    """
    return f"{number(count)} {what}{'' if count == 1 else 's'}"


def ordinal(place: int) -> str:
    """Write which one of several it is, 1 being the first."""
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"{place}th"


def place_name(book: Rulebook, place: str) -> str:
    """Name a pile on the table: by its wager's title, where one is called like it."""
    return book.spots[place].title if place in book.spots else place.replace("-", " ")


def role_name(role: str) -> str:
    """Name somebody who works in the pit."""
    return role.replace("-", " ")


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
    if type(event) in SILENT:
        return ""
    return _SAID[type(event)](_Telling(book, names, me, up), event)


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
    if isinstance(event, e.RoundOpened):
        return {}
    if isinstance(event, e.CardsTurned) or (isinstance(event, e.CardsDealt) and event.up):
        seen = tuple(card for card in event.cards if card is not None)
        return {**up, event.place: (*up.get(event.place, ()), *seen)}
    return up


class _Telling(msgspec.Struct, frozen=True):
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
        """Say that a seat does something."""
        form = verb if seat == self.me else _THIRD_PERSON.get(verb, f"{verb}s")
        return f"{self.who(seat, inside=inside)} {form}"

    def acts(self, event: e.Folded | e.Checked | e.WagerTakenBack, verb: str) -> str:
        """Say that a seat decides, or that its clock ran out."""
        if event.timed_out:
            return f"Time is up: {self.does(event.seat, verb, inside=True)}"
        return self.does(event.seat, verb)

    def whose(self, seat: int) -> str:
        """Say whose something is."""
        return "Your" if seat == self.me else f"{self.who(seat)}'s"

    def pay(self, cents: int) -> str:
        """Write money."""
        return pay(self.book, cents)

    def spot(self, name: str) -> str:
        """Name a wager."""
        return self.book.spots[name].title if name in self.book.spots else name.replace("-", " ")

    def limits(self, least: int, most: int | None) -> str:
        """Write the posted limits."""
        ante = self.book.ante.title
        if most is None:
            return f"{ante} {self.pay(least)} or more"
        return f"{ante} {self.pay(least)} to {self.pay(most)}"

    @property
    def meter(self) -> str:
        """Name the jackpot's meter."""
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


def _bet(tell: _Telling, event: e.BetPlaced) -> str:
    """Say what is down: main wagers first."""
    spots = sorted(event.wagers, key=lambda name: tell.book.spots[name].kind != "main")
    down = [f"{tell.pay(event.wagers[name])} on {tell.spot(name)}" for name in spots]
    if event.toke_cents:
        down.append(f"{tell.pay(event.toke_cents)} for the dealers")
    if not down:
        return f"{tell.does(event.seat, 'have')} no bet down."
    return f"{tell.does(event.seat, 'bet')} {listed(down)}."


def _closed(tell: _Telling, event: e.BettingClosed) -> str:
    if event.meter_cents is None:
        return "No more bets."
    return f"No more bets; the {tell.meter} stands at {tell.pay(event.meter_cents)}."


def _dealt(tell: _Telling, event: e.CardsDealt) -> str:
    if event.place == SEATS:
        return f"{tell.does(event.seat, 'get')} {_cards(event.cards)}."
    if event.up:
        return _shown(tell, event.place, event.cards, "shows")
    where = place_name(tell.book, event.place)
    spot = " spot" if event.place in tell.book.spots else ""
    return f"The {where}{spot} gets {counted(len(event.cards), 'card')} face down."


def _turned(tell: _Telling, event: e.CardsTurned) -> str:
    return _shown(tell, event.place, event.cards, "turns up")


def _shown(tell: _Telling, place: str, cards: Sequence[Card | None], does: str) -> str:
    """Say which cards of a pile can be seen now."""
    where = place_name(tell.book, place)
    rule = tell.book.qualifier
    if rule is not None and rule.place == place:
        return f"The {where} {does} {_cards(cards)}{_dealers(tell, cards)}."
    if len(cards) > 1:
        return f"The {where} cards are {_cards(cards)}."
    return f"The {_which(tell, place)}{where} card is {_cards(cards)}."


def _which(tell: _Telling, place: str) -> str:
    if tell.book.dealt.get(place) == 1:
        return ""
    return "next " if tell.up is None else f"{ordinal(len(tell.up.get(place, ())) + 1)} "


def _dealers(tell: _Telling, cards: Sequence[Card | None]) -> str:
    """Name the dealer's hand once all of it can be seen."""
    rule = tell.book.qualifier
    assert rule is not None
    every = [*(tell.up or {}).get(rule.place, ()), *(each for each in cards if each is not None)]
    if len(every) < tell.book.dealt[rule.place]:
        return ""
    hand = ranking(rule.ranking).best(every)
    fails = ", which does not qualify" if hand.strength < rule.weakest else ""
    return f": {hand.name}{fails}"


def _light(_tell: _Telling, event: e.LightSeen) -> str:
    again = ": the cards are shuffled again" if event.reshuffle else ""
    return f"The shuffler shows {event.colour}{again}."


def _raised(tell: _Telling, event: e.RaisePlaced) -> str:
    times = f"{event.times} time{'' if event.times == 1 else 's'}"
    return f"{tell.does(event.seat, 'raise')} {times}: {tell.pay(event.cents)}."


def _folded(tell: _Telling, event: e.Folded) -> str:
    tucked = f"; the cards wait under {tell.spot(event.tucked)}" if event.tucked else ""
    return f"{tell.acts(event, 'fold')}{tucked}."


def _took_back(tell: _Telling, event: e.WagerTakenBack) -> str:
    return f"{tell.acts(event, 'take')} {tell.pay(event.cents)} back from {tell.spot(event.spot)}."


def _hand_shown(tell: _Telling, event: e.HandShown) -> str:
    return f"{tell.does(event.seat, 'show')} {_cards(event.cards)}."


def _late(tell: _Telling, event: e.LateWagerAccepted) -> str:
    bet = f"{tell.whose(event.seat)} bet of {tell.pay(event.cents)} on {tell.spot(event.spot)}"
    return f"{bet} stands, though it is outside the limits."


_FATE = {"return": "its bets go back", "forfeit": "its bets are lost"}


def _died(tell: _Telling, event: e.HandDied) -> str:
    rule = next((each for each in tell.book.dead if each.cause == event.cause), None)
    why = f"{rule.says}, and {_FATE[rule.money]}" if rule else event.cause
    return f"{tell.whose(event.seat)} hand is dead: {why}."


def _grounds(tell: _Telling, cause: str) -> str:
    rules = (each.says for each in tell.book.misdeal if each.cause == cause)
    return next(rules, cause.replace("-", " "))


def _misdeal(tell: _Telling, event: e.MisdealCalled) -> str:
    return f"Misdeal: {_grounds(tell, event.cause)}. Every bet goes back."


def _stood(tell: _Telling, event: e.IrregularityStood) -> str:
    return f"The round stands in spite of an irregularity: {_grounds(tell, event.cause)}."


# Of the table ---------------------------------------------------------------------------------


def _opened(tell: _Telling, event: h.TableOpened) -> str:
    chips = ", with play chips" if event.practice else ""
    return f"The table is open{chips}: {tell.limits(event.minimum_cents, event.maximum_cents)}."


def _limits(tell: _Telling, event: h.LimitsChanged) -> str:
    return f"The limits are now {tell.limits(event.minimum_cents, event.maximum_cents)}."


def _taken(tell: _Telling, event: h.SeatTaken) -> str:
    if event.seat == tell.me:
        return f"You take seat {event.seat}."
    return f"{event.name or 'Somebody'} takes seat {event.seat}."


def _away(tell: _Telling, event: h.SeatAway) -> str:
    if event.away:
        return f"{tell.does(event.seat, 'sit')} out."
    return f"{tell.does(event.seat, 'are')} back."


def _left(tell: _Telling, event: h.SeatLeft) -> str:
    why = f": {event.why}" if event.why else ""
    return f"{tell.does(event.seat, 'leave')} the table{why}."


def _partners(_tell: _Telling, event: h.PartnersMarked) -> str:
    groups = [f"seats {listed(map(str, group))} are partners" for group in event.partners]
    every = "; ".join(groups) or "nobody here is a partner"
    return f"{every[0].upper()}{every[1:]}."


def _dealer(_tell: _Telling, event: h.DealerChanged) -> str:
    return "A new dealer takes the table." if event.person else "The dealer leaves the table."


def _filled(tell: _Telling, event: h.BankFilled) -> str:
    return f"The cage brings {tell.pay(event.cents)} in chips to the table."


def _seeded(tell: _Telling, event: h.MeterSeeded) -> str:
    return f"The house puts {tell.pay(event.cents)} on the {tell.meter}."


def _brought(_tell: _Telling, event: h.CardsBrought) -> str:
    colours = f": {listed(event.colours)}" if event.colours else ""
    return f"New cards come to the table{colours}."


def _inspected(_tell: _Telling, event: h.CardsInspected) -> str:
    return f"The {role_name(event.role)} looks through the new cards."


def _replaced(_tell: _Telling, event: h.CardReplaced) -> str:
    return f"The {card_name(event.card)} is damaged, and another takes its place."


def _sealed(_tell: _Telling, event: h.DeckSealed) -> str:
    if not event.commitment:  # real cards lie on the table
        return f"Round {event.round} begins."
    return f"The deck of round {event.round} is shuffled and sealed."


def _announced(tell: _Telling, event: h.PayoffAnnounced) -> str:
    if not event.needs:
        return f"{tell.whose(event.seat)} payoff needs no approval any more."
    return f"{tell.whose(event.seat)} win of {tell.pay(event.won_cents)} waits for approval."


def _approved(tell: _Telling, event: h.PayoffApproved) -> str:
    if event.role == "dealer":
        return f"The dealer calls out {tell.whose(event.seat).replace('Your', 'your')} payoff."
    by = f" by the {role_name(event.role)}" if event.role else ""
    return f"{tell.whose(event.seat)} payoff is approved{by}."


def _paid(tell: _Telling, event: h.RoundPaid) -> str:
    """Tell a player of their own pay, and everybody else of all."""
    mine = [seat for seat in event.seats if seat.seat == tell.me]
    return " ".join(_seat_paid(tell, seat) for seat in mine or event.seats)


def _seat_paid(tell: _Telling, seat: h.SeatPaid) -> str:
    hand = f": {seat.hand}" if seat.hand else ""
    held = f"; {tell.pay(seat.held_cents)} is held" if seat.held_cents else ""
    tax = f" after {tell.pay(seat.withheld_cents)} of tax" if seat.withheld_cents else ""
    if seat.paid_cents and not any(line.won_cents for line in seat.lines):
        return f"{tell.does(seat.seat, 'get')} {tell.pay(seat.paid_cents)} back{hand}."
    sum_ = tell.pay(seat.paid_cents) if seat.paid_cents else "nothing"
    return f"{tell.does(seat.seat, 'are')} paid {sum_}{tax}{held}{hand}."


_SAID: dict[type[Any], Callable[[_Telling, Any], str]] = {
    e.RoundOpened: lambda _tell, _event: "Betting is open.",
    e.BetPlaced: _bet,
    e.BettingClosed: _closed,
    e.CardsDealt: _dealt,
    e.LightSeen: _light,
    e.RaisePlaced: _raised,
    e.Folded: _folded,
    e.Checked: lambda tell, event: f"{tell.acts(event, 'check')}.",
    e.WagerTakenBack: _took_back,
    e.CardsTurned: _turned,
    e.HandShown: _hand_shown,
    e.LateWagerAccepted: _late,
    e.HandDied: _died,
    e.MisdealCalled: _misdeal,
    e.IrregularityStood: _stood,
    h.TableOpened: _opened,
    h.TableClosed: lambda _tell, _event: "The table is closed.",
    h.LimitsChanged: _limits,
    h.SeatTaken: _taken,
    h.SeatAway: _away,
    h.SeatLeft: _left,
    h.PartnersMarked: _partners,
    h.DealerChanged: _dealer,
    h.BankFilled: _filled,
    h.MeterSeeded: _seeded,
    h.CardsBrought: _brought,
    h.CardsInspected: _inspected,
    h.CardsWashed: lambda _tell, _event: "The new cards are washed.",
    h.CardReplaced: _replaced,
    h.DeckSealed: _sealed,
    h.PayoffAnnounced: _announced,
    h.PayoffApproved: _approved,
    h.RoundPaid: _paid,
}
