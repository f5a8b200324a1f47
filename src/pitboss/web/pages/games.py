"""A game as the lobby tells of it: what it costs, of what kind it is, how it is played and how its
layout looks. All of it comes from the rulebook and its price."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import inf, isqrt
from typing import Any, Literal

import msgspec

from pitboss.money import short
from pitboss.rulebook import Rulebook
from pitboss.rulebook.deal_script import SEATS, DecideStep
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.play import equal_wagers, multiple
from pitboss.web.pages.prices import Price, at_hand, price
from pitboss.web.pages.template_filters import pay_rows
from pitboss.wording import capital, counted, listed, number

DEAR = Fraction(8, 100)
"""Of an ante: a game of which the house keeps more is marked."""

WIDTH = 120
"""Of a drawing of a layout."""


class HourlyCost(msgspec.Struct, frozen=True, kw_only=True):
    """What an hour at a game costs."""

    hour: str
    ante: str
    swing: str
    """How far an hour may be from that: one standard deviation of all its rounds."""
    bar: int
    """In percent of what the dearest game of the lobby costs."""
    dear: bool


class Layout(msgspec.Struct, frozen=True):
    """A drawing of a layout, each with its places from left to right, in a width of 120."""

    piles: tuple[float, ...]
    """Cards on the table that are nobody's own."""
    spots: tuple[tuple[str, float], ...]
    """Where wagers lie: ``ante``, ``raise`` or ``side``."""
    hand: tuple[float, ...]


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game on the shelf."""

    book: Rulebook
    price: Price | None
    """None where it cannot be solved, or is not worked out yet."""
    unknown: bool
    """It is not worked out yet."""
    slow: bool
    """That takes long, and somebody has to ask for it."""
    cost: HourlyCost | None
    kind: str
    how: tuple[str, ...]
    layout: Layout


Prices = Mapping[str, Price | None]
"""By the hash of the rulebook: None for one that cannot be solved."""


def priced(books: Sequence[Rulebook]) -> Iterator[tuple[str, Price | None]]:
    """Work out the price of every game that is at hand, those with few cards first."""
    for book in sorted(books, key=lambda each: sum(each.dealt.values())):
        if at_hand(book):
            yield book.sha256, price(book)


def games(books: Sequence[Rulebook], prices: Prices) -> list[Game]:
    """Tell of every game, with the costs that are known on one scale."""
    dearest = max(
        (_antes(each) for each in prices.values() if each is not None), default=Fraction(0)
    )
    return [
        Game(
            book=book,
            price=found,
            unknown=book.sha256 not in prices,
            slow=book.sha256 not in prices and not at_hand(book),
            cost=None if found is None else _cost(book, found, dearest),
            kind=kind(book),
            how=tuple(how_to(book)),
            layout=layout(book),
        )
        for book in books
        for found in [prices.get(book.sha256)]
    ]


# Which of them, and in which order ------------------------------------------------------------


class GamesWanted(msgspec.Struct, frozen=True):
    """What somebody wants to see of the games."""

    find: str = ""
    """A part of the name of a game or its house."""
    sort: Literal["price", "game", "house"] = "price"


_GROUPS = {True: "Against the dealer", False: "Against a pay table"}


def groups(found: Sequence[Game], wanted: GamesWanted) -> dict[str, list[Game]]:
    """Return the games that somebody looks for, by what one plays against."""
    words = _sought(wanted.find).split()
    some = [each for each in found if all(word in _sought(_name(each)) for word in words)]
    orders: dict[str, Callable[[Game], Any]] = {
        "price": lambda each: (_antes(each.price) if each.price else inf, _name(each)),
        "game": _name,
        "house": lambda each: (each.book.house.casefold(), _name(each)),
    }
    some.sort(key=orders[wanted.sort])
    grouped = {
        title: [each for each in some if _against_dealer(each.book) == dealer]
        for dealer, title in _GROUPS.items()
    }
    return {title: each for title, each in grouped.items() if each}


def _name(game: Game) -> str:
    return f"{game.book.game} {game.book.house}".casefold()


def _sought(words: str) -> str:
    """Leave out what telephones write in their own way, and others not at all.

    >>> _sought("Jo\N{RIGHT SINGLE QUOTATION MARK}s"), _sought("Jo's")
    ('jos', 'jos')
    """
    return words.casefold().translate(_APOSTROPHES)


_APOSTROPHES = dict.fromkeys(
    map(ord, "'\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}")
)


def _antes(found: Price) -> Fraction:
    """Return what an hour costs, in antes: currencies may differ."""
    return found.hour.exact / found.hour_ante_cents


def _cost(book: Rulebook, found: Price, dearest: Fraction) -> HourlyCost:
    ante, part = found.hour_ante_cents, _antes(found)
    swing = isqrt(int(found.deviation.exact * found.hour_hands * ante**2))
    return HourlyCost(
        hour=found.hour.text,
        ante=book.money(ante),
        swing=short(round(swing, -2), book.currency),
        bar=round(100 * max(part, Fraction(0)) / dearest) if dearest > 0 else 0,
        dear=found.edge.exact > DEAR,
    )


def kind(book: Rulebook) -> str:
    """Say against what one plays, and how often one may raise."""
    other = "dealer" if _against_dealer(book) else "pay table"
    raises = len(book.raised)
    back = sum("take-back" in step.otherwise for step in book.streets)
    many, what = (raises, "raise") if raises else (back, "bet")
    asked = f"{many} {what}{'' if many == 1 else 's'}"
    return f"You v {other}, {asked}" + ("" if raises else " to take back")


def _against_dealer(book: Rulebook) -> bool:
    return any(spot.against for spot in book.spot if spot.kind == "main")


# How it is played -----------------------------------------------------------------------------


def how_to(book: Rulebook) -> Iterator[str]:
    """Say in a few sentences what one has to know to sit down."""
    piles = [each for each in book.dealt.items() if each[0] != SEATS and each[0] not in book.spots]
    others = [f"{number(count)} go to the {book.place_name(place)}" for place, count in piles]
    more = f", and {listed(others)}" if others else ""
    yield f"Bet {equal_wagers(book)}. You get {counted(book.seat_cards, 'card')}{more}."
    asked: list[tuple[bool, str]] = []
    for at, step in enumerate(book.streets):
        again = any(each.times and each.into == step.into for each in book.streets[:at])
        asked.append((again, _choices(book, step)))
    for (again, choices), several in groupby(asked):
        count = len(list(several))
        often = _OFTEN.get(count, f"{capital(number(count))} times")
        when = f"{often}, if you have only checked" if again else often
        yield f"{when}, you {choices}."
    yield _wins(book)


_OFTEN = {1: "Once", 2: "Twice"}
_INSTEAD = {"fold": "fold", "check": "check", "take-back": "take a wager back"}


def _choices(book: Rulebook, step: DecideStep) -> str:
    raises = [f"put {multiple(book, step)} beside it"] if step.times else []
    return ", or ".join((*raises, *(_INSTEAD[each] for each in step.otherwise)))


def _wins(book: Rulebook) -> str:
    if _against_dealer(book):
        needs = rule_card(book).section("dealer").items[:1] if book.qualifier else ()
        return " ".join(("Beat the dealer's hand to win.", *(each.text for each in needs)))
    assert book.main_table is not None, "what is not against the dealer is paid by a table"
    paid = [
        f"{pays} ({hand[:1].lower()}{hand[1:]})"
        for _, hand, pays, _ in reversed(pay_rows(book)[book.main_table.name])
        if pays != "push"
    ]
    return f"The table pays {' up to '.join(dict.fromkeys((*paid[:1], *paid[-1:])))}."


# How it looks ---------------------------------------------------------------------------------


def layout(book: Rulebook) -> Layout:
    """Draw the spots in their order, the cards on the table above them and one's own below."""
    lies = [count for place, count in book.dealt.items() if place != SEATS]
    spots = [
        "ante" if spot.required else "raise" if spot.name in book.raised else "side"
        for spot in book.spot
    ]
    return Layout(
        piles=_row(sum(lies), 11),
        spots=tuple(zip(spots, _row(len(spots), 14), strict=True)),
        hand=_row(book.seat_cards, 11),
    )


def _row(count: int, pitch: float) -> tuple[float, ...]:
    """Return the middles of so many things side by side, closer together where there are many.

    >>> _row(3, 11)
    (49.0, 60.0, 71.0)
    """
    pitch = min(pitch, WIDTH / max(count, 1))
    return tuple(round(WIDTH / 2 + (n - (count - 1) / 2) * pitch, 1) for n in range(count))
