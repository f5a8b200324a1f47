"""The log beside the felt: one act a line, cards drawn small, and headings where a street begins.

It is for eyes; each line has the sentence of ``narration`` with it, for ears.

>>> from pitboss import rulebook
>>> from pitboss.cards import cards
>>> from pitboss.round import events
>>> book = rulebook.load("diamond-jo-worth/cajun-stud")
>>> happened = [events.BettingClosed(), events.CardsDealt("seats", 1, cards("Ks Th"))]
>>> for each in log_lines(book, happened, {1: "Ann"}, me=1, number=7):
...     print(each.heading, each.parts, each.says)
First Raise () No more bets.
 ('You', Ks, Th) You get the king of spades and the ten of hearts.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pitboss.cards import Card
from pitboss.house.table import events as h
from pitboss.round import events as e
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.web.pages.narration import Faces, Telling, dealers_hand, faces, story
from pitboss.wording import TIMES, capital, counted

Part = str | Card
"""Words, or a card."""


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """One act."""

    says: str
    """All of it, in a sentence; empty where there is nothing to say."""
    parts: tuple[Part, ...] = ()
    """The same in a few words and cards; empty where the heading is enough."""
    heading: str = ""
    """What begins here."""


def log_lines(
    book: Rulebook,
    happened: Sequence[h.TableEvent],
    names: Mapping[int, str],
    me: int | None,
    number: int,
) -> Iterator[LogLine]:
    """Return a line for each event of this round; ``names`` and ``me`` as in ``narration``."""
    up: Faces = {}
    street, decided = 0, False
    for event, says in zip(happened, story(book, happened, names, me), strict=True):
        heading = ""
        match event:
            case e.RoundOpened():
                street, decided, heading = 0, False, f"Round {number}"
            case e.BettingClosed():
                heading = _street(book, street)
            case e.CardsDealt() | e.CardsTurned() if decided:
                street, decided = street + 1, False
                heading = _street(book, street)
            case e.RaisePlaced() | e.Folded() | e.Checked() | e.WagerTakenBack():
                decided = True
            case h.RoundPaid():
                heading = "Paid"
        parts = _parts(Telling(book, names, me, up), event)
        yield LogLine(says=says, parts=(says,) if parts is None else parts, heading=heading)
        up = faces(up, event)


def _street(book: Rulebook, street: int) -> str:
    """Name a street by the wager that it asks for."""
    several = book.streets
    return book.spots[several[street].into].title if street < len(several) else "Showdown"


def _parts(tell: Telling, event: h.TableEvent) -> tuple[Part, ...] | None:
    """Return what a line shows; None where that is its sentence."""
    match event:
        case e.RoundOpened() | e.BettingClosed(meter_cents=None):
            return ()
        case e.BettingClosed(meter_cents=int(cents)):
            return (f"{capital(tell.meter)} {tell.book.money(cents)}",)
        case e.BetPlaced() if event.wagers:
            return (f"{tell.does(event.seat, 'bet')} {_bet(tell, event)}",)
        case e.CardsDealt(place=place) if place == SEATS:
            return (tell.who(event.seat), *_cards(event.cards))
        case e.CardsDealt() | e.CardsTurned():
            where, rule = tell.book.place_name(event.place), tell.book.qualifier
            dealers = rule is not None and rule.place == event.place
            hand = dealers_hand(tell, event.cards) if dealers else ""
            return (capital(where), *_cards(event.cards), *filter(None, [hand]))
        case e.RaisePlaced():
            by = f"{event.times}{TIMES} {tell.book.money(event.cents)}"
            return (f"{tell.does(event.seat, 'raise')} {by}",)
        case e.Folded() if not event.timed_out:
            tucked = f", cards under {tell.spot(event.tucked)}" if event.tucked else ""
            return (f"{tell.does(event.seat, 'fold')}{tucked}",)
        case e.Checked() if not event.timed_out:
            return (tell.does(event.seat, "check"),)
        case e.WagerTakenBack() if not event.timed_out:
            back = f"{tell.book.money(event.cents)} {tell.spot(event.spot)}"
            return (f"{tell.does(event.seat, 'take')} back {back}",)
        case e.HandShown():
            return (tell.does(event.seat, "show"), *_cards(event.cards))
        case h.RoundPaid():
            mine = [seat for seat in event.seats if seat.seat == tell.me]
            paid = [(seat, tell.book.signed(seat.net_cents)) for seat in mine or event.seats]
            each = [f"{tell.who(seat.seat)} {net} {seat.hand}".strip() for seat, net in paid]
            return (" · ".join(each),)
    return None


def _bet(tell: Telling, event: e.BetPlaced) -> str:
    """Say what is down in the order of the layout, the toke last."""
    down = [
        f"{tell.book.money(event.wagers[name])} {tell.spot(name)}"
        for name in tell.book.spots
        if name in event.wagers
    ]
    toke = [f"{tell.book.money(event.toke_cents)} for the dealers"] if event.toke_cents else []
    return ", ".join(down + toke)


def _cards(cards: Sequence[Card | None]) -> tuple[Part, ...]:
    known = [card for card in cards if card is not None]
    hidden = len(cards) - len(known)
    return (*known, *((f"{counted(hidden, 'card')} face down",) if hidden else ()))
