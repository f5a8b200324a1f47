"""A table as a page shows it: everything in it was read from what one person may see."""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.cards import Card
from pitboss.hands import ranking
from pitboss.house.table.events import RoundPaid
from pitboss.money import chips
from pitboss.round import Option, Seat, State, due, made_hands
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.paytable import PayTable
from pitboss.settle import Line

TALLEST = 8
"""Chips that a stack shows; the figure beside it says the rest."""

TOKE = "toke"
TIMES = "\N{MULTIPLICATION SIGN}"


class WagerSpot(msgspec.Struct, frozen=True):
    """A marked place on the layout, and what lies there."""

    name: str
    title: str
    cents: int = 0
    chips: tuple[int, ...] = ()
    """Denominations, the lowest of the stack first."""
    outcome: str = ""
    won_cents: int = 0
    won_chips: tuple[int, ...] = ()
    tucked: bool = False
    """Folded cards lie under this wager."""


class Place(msgspec.Struct, frozen=True):
    """A seat."""

    number: int
    name: str = ""
    """Empty where nobody sits."""
    mine: bool = False
    bot: bool = False
    away: bool = False
    due: bool = False
    gone: bool = False
    """Folded or dead."""
    says: str = ""
    cards: tuple[str | None, ...] = ()
    hand: str = ""
    spots: tuple[WagerSpot, ...] = ()
    net_cents: int | None = None
    """What the round brought, once it is paid."""


class Pile(msgspec.Struct, frozen=True):
    """Cards on the table."""

    title: str
    says: str
    cards: tuple[str | None, ...]
    missing: int
    """Cards that are still to come."""


class Pays(msgspec.Struct, frozen=True):
    """A pay table on the layout."""

    title: str
    rows: tuple[tuple[str, str, str, bool], ...]
    """(hand, what it pays, clause, whether it is made)."""


class Felt(msgspec.Struct, frozen=True):
    """The layout with all that lies on it."""

    places: tuple[Place, ...]
    piles: tuple[Pile, ...]
    pays: tuple[Pays, ...]
    me: Place | None


class SeatedPerson(msgspec.Struct, frozen=True):
    """Who sits somewhere, as the layout shows them."""

    name: str
    bot: bool = False
    away: bool = False


def stack(cents: int, denominations: Sequence[int]) -> tuple[int, ...]:
    """Return the chips of a stack from the lowest up, large ones below.

    >>> stack(3_100, (100, 500, 2_500))
    (2500, 500, 100)
    """
    piles, _ = chips(cents, denominations)
    return tuple(each for each, count in piles for _ in range(count))[:TALLEST]


def draw(
    book: Rulebook,
    state: State,
    people: Mapping[int, SeatedPerson],
    me: int | None,
    paid: RoundPaid | None = None,
) -> Felt:
    """Draw what somebody sees of a round; ``me`` is the seat they hold."""
    places = tuple(
        _place(book, state, number, people.get(number), me, paid)
        for number in range(1, book.seats.most + 1)
    )
    mine = next((each for each in places if each.mine), None)
    pays = tuple(_pays(book, table, state, me) for table in book.table)
    return Felt(places, _piles(book, state), pays, mine)


def _place(
    book: Rulebook,
    state: State,
    number: int,
    who: SeatedPerson | None,
    me: int | None,
    paid: RoundPaid | None,
) -> Place:
    held = state.seats.get(number)
    if who is None and (held is None or not held.stakes):
        return Place(number, spots=_spots(book, None, {}))
    named = who or SeatedPerson("")
    playing = held is not None and bool(held.stakes)
    settled = next((each for each in paid.seats if each.seat == number), None) if paid else None
    lines = {line.spot: line for line in settled.lines} if settled else {}
    found = made_hands.hand(book, state, number) if playing and _all_known(held) else None
    return Place(
        number=number,
        name=named.name or f"Seat {number}",
        mine=number == me,
        bot=named.bot,
        away=named.away,
        due=number in due(book, state),
        gone=held is not None and not held.live,
        says=_says(held, named, settled.hand if settled else ""),
        cards=tuple(None if card is None else str(card) for card in held.cards) if held else (),
        hand=found.name if found else "",
        spots=_spots(book, held, lines),
        net_cents=_net(lines) if settled else None,
    )


def _all_known(held: Seat | None) -> bool:
    return held is not None and None not in held.cards


def _net(lines: Mapping[str, Line]) -> int:
    return sum(line.returned_cents - line.stake_cents for line in lines.values())


def _says(held: Seat | None, who: SeatedPerson, hand: str) -> str:
    if held is None or not held.stakes:
        return "sits out" if who.away else ""
    if held.dead:
        return "dead hand"
    if held.folded:
        return "tucked" if held.tucked else "folded"
    if hand:
        return hand
    last = held.raises[-1] if held.raises else None
    return "" if last is None else f"raised {last}{TIMES}" if last else "stayed"


def _spots(book: Rulebook, held: Seat | None, lines: Mapping[str, Line]) -> tuple[WagerSpot, ...]:
    stakes = dict(held.stakes) if held else {}
    found = [
        _spot(book, spot.name, spot.title, stakes.get(spot.name, 0), held, lines)
        for spot in book.spot
    ]
    if held is not None and held.toke_cents:
        found.append(_spot(book, TOKE, "Dealers", held.toke_cents, held, lines))
    return tuple(found)


def _spot(
    book: Rulebook,
    name: str,
    title: str,
    cents: int,
    held: Seat | None,
    lines: Mapping[str, Line],
) -> WagerSpot:
    if not cents:
        return WagerSpot(name, title)
    line = lines.get(name)
    tucked = held is not None and held.tucked == name and not held.shown
    lies = stack(cents, book.chips)
    if line is None:
        return WagerSpot(name, title, cents, lies, tucked=tucked)
    won = stack(line.won_cents, book.chips)
    return WagerSpot(
        name=name,
        title=title,
        cents=cents,
        chips=lies,
        outcome=line.outcome,
        won_cents=line.won_cents,
        won_chips=won,
        tucked=tucked,
    )


def _piles(book: Rulebook, state: State) -> tuple[Pile, ...]:
    found = []
    for place, count in book.dealt.items():
        if place == SEATS:
            continue
        lie = state.piles.get(place, ())
        named = book.place_name(place)
        title = f"{named[0].upper()}{named[1:]}"
        cards = tuple(None if card is None else str(card) for card in lie)
        found.append(Pile(title, _dealers(book, place, lie), cards, count - len(cards)))
    return tuple(found)


def _dealers(book: Rulebook, place: str, cards: Sequence[Card | None]) -> str:
    rule = book.qualifier
    if rule is not None and rule.place == place and all(card is None for card in cards):
        return "Qualifies with " + rule_says(book)
    return made_hands.dealers_hand(book, place, cards)


def rule_says(book: Rulebook) -> str:
    """Name the weakest hand with which the dealer qualifies."""
    rule = book.qualifier
    assert rule is not None
    order = ranking(rule.ranking)
    return f"{order.classes[rule.weakest - 1].name} or better"


def _pays(book: Rulebook, table: PayTable, state: State, me: int | None) -> Pays:
    row = None
    if me is not None and me in state.seats:
        row = made_hands.made_row(book, table, made_hands.seen(state, me, table.cards))
    return Pays(
        table.title,
        tuple(
            (each.label, book.pays(each), each.cited, row is not None and row.row == each.row)
            for each in table.rows
            if not made_hands.loses(each)
        ),
    )


class Button(msgspec.Struct, frozen=True):
    """A button: something that a seat may do now."""

    do: str
    words: str
    key: str
    cents: int = 0
    times: int = 0
    clause: str = ""


_WORDS = {"fold": ("Fold", "f"), "check": ("Check", "c"), "take-back": ("Take back", "t")}


def buttons(options: Sequence[Option]) -> tuple[Button, ...]:
    """Return the decisions that are offered, raises first."""
    found = [
        Button(
            do="raise",
            words=f"Raise {n}{TIMES}",
            key=str(n),
            cents=each.cents,
            times=n,
            clause=each.clause,
        )
        for each in options
        if each.action == "raise" and (n := each.times)
    ]
    for each in options:
        if each.action in _WORDS:
            words, key = _WORDS[each.action]
            found.append(Button(each.action, words, key, each.cents, clause=each.clause))
    return tuple(found)
