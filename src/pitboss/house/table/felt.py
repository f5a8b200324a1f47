"""The felt: what lies where, who says what and which rows are made, as one seat sees it.

Built from what somebody may see of a round and from nothing else; a page and a terminal draw it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from pitboss.cards import Card
from pitboss.hands import ranking
from pitboss.house.table.events import RoundPaid
from pitboss.round import Seat, State, due, made_hands
from pitboss.round.state import TOKE
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook
from pitboss.settle import Line
from pitboss.wording import TIMES, capital


class Wager(msgspec.Struct, frozen=True):
    """A marked place on the layout, and what lies there."""

    spot: str
    title: str
    cents: int = 0
    outcome: str = ""
    won_cents: int = 0
    tucked: bool = False
    """Folded cards lie under it."""


class Place(msgspec.Struct, frozen=True):
    """A seat."""

    number: int
    wagers: tuple[Wager, ...]
    name: str = ""
    """Empty where nobody sits."""
    mine: bool = False
    due: bool = False
    gone: bool = False
    """Folded or dead."""
    says: str = ""
    cards: tuple[Card | None, ...] = ()
    hand: str = ""
    net_cents: int | None = None
    """What the round brought, once it is paid."""


class Pile(msgspec.Struct, frozen=True):
    """Cards on the table."""

    title: str
    cards: tuple[Card | None, ...]
    missing: int
    """Cards that are still to come."""
    hand: str
    """The dealer's, once all of it is turned up."""
    needs: str
    """What the dealer qualifies with, while none of it is."""


class Felt(msgspec.Struct, frozen=True):
    """The layout with all that lies on it."""

    places: tuple[Place, ...]
    piles: tuple[Pile, ...]
    made: dict[str, str]
    """By pay table: the row that your cards have made."""

    @property
    def me(self) -> Place | None:
        return next((each for each in self.places if each.mine), None)

    @property
    def sides(self) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """The others as they sit to your left and to your right, the farthest first.

        >>> felt = Felt(tuple(Place(n, (), mine=n == 3) for n in range(1, 7)), (), {})
        >>> [[each.number for each in side] for side in felt.sides]
        [[6, 1, 2], [5, 4]]
        """
        mine = next((at for at, each in enumerate(self.places) if each.mine), None)
        others = self.places if mine is None else self.places[mine + 1 :] + self.places[:mine]
        right = len(others) // 2
        return others[right:], others[:right][::-1]


def draw(
    book: Rulebook,
    state: State,
    names: Mapping[int, str],
    me: int | None,
    paid: RoundPaid | None = None,
    away: Collection[int] = (),
) -> Felt:
    """Draw what somebody sees of a round; ``me`` is the seat they hold, ``names`` who sits where.

    What it paid is there once the round is over; ``away`` are the seats that sit out.
    """
    settled = {each.seat: each for each in paid.seats} if paid is not None else {}
    asked, places = due(book, state), []
    for number in range(1, book.seats.most + 1):
        seat, ended = state.seats.get(number, Seat(number, "")), settled.get(number)
        here = number in names or bool(seat.stakes)
        lines = {line.spot: line for line in ended.lines} if ended is not None else {}
        known = seat.stakes and None not in seat.cards
        hand = made_hands.hand(book, state, number) if known else None
        places.append(
            Place(
                number=number,
                wagers=_wagers(book, seat, lines),
                name=(names.get(number) or f"Seat {number}") if here else "",
                mine=here and number == me,
                due=number in asked,
                gone=not seat.live,
                says=_says(seat, ended.hand if ended is not None else "", away=number in away),
                cards=seat.cards,
                hand=hand.name if hand is not None else "",
                net_cents=ended.net_cents if ended is not None else None,
            )
        )
    made = {}
    if me is not None and me in state.seats:
        own = settled[me].lines if me in settled else ()
        # What was lost, or pushed though it made a row: the dealer did not qualify.
        out = {each.spot for each in own if each.outcome == "lose" or _unpaid(each)}
        folded = not state.seats[me].live
        lost = {
            spot.table for spot in book.spot if spot.name in out or (folded and spot.kind == "main")
        }
        for table in book.table:
            row = made_hands.made_row(book, table, made_hands.seen(state, me, table.cards))
            made[table.name] = row.row if row is not None and table.name not in lost else ""
    return Felt(tuple(places), _piles(book, state), made)


def _unpaid(line: Line) -> bool:
    return line.outcome == "push" and not line.row


class Appearance(msgspec.Struct, frozen=True):
    """How part of a felt came to look as it does."""

    step: int
    """With which of several felts."""
    lay: bool
    """Something lay there before: a card was turned, and not dealt."""


def appearances(several: Iterable[Felt], first: int = 0) -> dict[str, Appearance]:
    """Return when each part of a felt came to look as it does, by its name: one felt is drawn after
    the other, the second is step ``first``. What looks as it did on the first is left out.

    >>> down, up = (Pile("Dealer", (card,), 0, "", "") for card in (None, Card(47)))
    >>> appearances([Felt((), (), {}), Felt((), (down,), {}), Felt((), (up,), {})])
    {'pile-1-1': Appearance(step=1, lay=True), 'pile-1-says': Appearance(step=0, lay=False)}
    """
    looked: dict[str, object] = {}
    found: dict[str, Appearance] = {}
    for step, felt in enumerate(several, start=first - 1):
        looks = dict(_parts(felt))
        for name, look in looks.items():
            if step >= first and looked.get(name, ...) != look:
                found[name] = Appearance(step, name in looked)
        looked = looks
    return found


def _parts(felt: Felt) -> Iterator[tuple[str, object]]:
    """Name everything on a felt that changes, and say how it looks."""
    for number, pile in enumerate(felt.piles, start=1):
        for at, each in enumerate(pile.cards, start=1):
            yield f"pile-{number}-{at}", each
        yield f"pile-{number}-says", (pile.hand, pile.needs)
    for place in felt.places:
        seat = f"seat-{place.number}"
        for at, each in enumerate(place.cards, start=1):
            yield f"{seat}-{at}", each
        yield f"{seat}-says", place.says
        yield f"{seat}-hand", place.hand
        yield f"{seat}-net", place.net_cents
        yield f"{seat}-staked", sum(wager.cents for wager in place.wagers)
        for wager in place.wagers:
            if wager.cents or wager.won_cents:
                yield f"{seat}-{wager.spot}", wager.cents
                yield f"{seat}-{wager.spot}-paid", (wager.outcome, wager.won_cents)


def _says(seat: Seat, hand: str, *, away: bool) -> str:
    if not seat.stakes:
        return "sits out" if away else ""
    if seat.dead:
        return "dead hand"
    if seat.folded:
        return "folded"
    if hand or not seat.raises:
        return hand
    return f"raised {seat.raises[-1]}{TIMES}" if seat.raises[-1] else "stayed"


def _wagers(book: Rulebook, seat: Seat, lines: Mapping[str, Line]) -> tuple[Wager, ...]:
    lie = {spot.name: (spot.title, seat.stakes.get(spot.name, 0)) for spot in book.spot}
    beside = {name: (book.wager_name(name), 0) for name in book.bonuses if name in lines}
    lie |= beside
    if seat.toke_cents:
        lie[TOKE] = ("Dealers' tip", seat.toke_cents)
    found = []
    for spot, (title, cents) in lie.items():
        tucked = bool(cents) and seat.tucked == spot and not seat.shown
        line = lines.get(spot)
        outcome, won = (line.outcome, line.won_cents) if line is not None else ("", 0)
        found.append(
            Wager(
                spot=spot, title=title, cents=cents, outcome=outcome, won_cents=won, tucked=tucked
            )
        )
    return tuple(found)


def _piles(book: Rulebook, state: State) -> tuple[Pile, ...]:
    rule, found = book.qualifier, []
    for place, count in book.dealt.items():
        if place == SEATS:
            continue
        cards, needs = state.piles.get(place, ()), ""
        dealers = rule is not None and rule.place == place
        if rule is not None and dealers and not rule.always and all(card is None for card in cards):
            needs = f"{ranking(rule.ranking).classes[rule.weakest - 1].name} or better"
        hand = made_hands.dealers_hand(book, state.piles) if dealers else ""
        title = capital(book.place_name(place))
        found.append(Pile(title, cards, count - len(cards), hand, needs))
    return tuple(found)
