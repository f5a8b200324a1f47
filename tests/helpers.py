"""Shared by the tests: rounds in a few words, read like the house's document."""

from collections.abc import Sequence
from typing import Any, get_args

from pitboss import rulebook
from pitboss.cards import DECK, Card, cards
from pitboss.errors import Refusal, Refused
from pitboss.round import Round, actions
from pitboss.rulebook import Rulebook
from pitboss.settle import Line, Play, SeatPlay, Settlement, settle

DIAMOND_JO = rulebook.load("diamond-jo-worth/cajun-stud")
HOLLYWOOD = rulebook.load("hollywood-penn-national/cajun-stud")
SENECA = rulebook.load("seneca-niagara/caribbean-stud")
MISSISSIPPI = rulebook.load("common/mississippi-stud")
BOOKS = (DIAMOND_JO, HOLLYWOOD, SENECA, MISSISSIPPI)
"""The first four books, each of another kind."""
LET_IT_RIDE = rulebook.load("common/let-it-ride")
THREE_CARD = rulebook.load("common/three-card-poker")
ULTIMATE = rulebook.load("common/ultimate-texas-holdem")
CASINO_HOLDEM = rulebook.load("common/casino-holdem")
HOLDEM_BONUS = rulebook.load("common/texas-holdem-bonus")
FOUR_CARD = rulebook.load("common/four-card-poker")
CRAZY_4 = rulebook.load("common/crazy-4-poker")
HIGH_CARD_FLUSH = rulebook.load("common/high-card-flush")
_KNOWN = [book.id for book in BOOKS]
MORE_BOOKS = tuple(rulebook.load(each) for each in rulebook.ids() if each not in _KNOWN)
"""All others that come with Pitboss."""


def tags(union: Any) -> tuple[str, ...]:
    """The names by which the members of a union are written."""
    return tuple(each.__struct_config__.tag for each in get_args(union))


def hand(
    book: Rulebook,
    held: str,
    raises: Sequence[int] = (),
    *,
    seat: int = 1,
    ante: int = 10_00,
    side: dict[str, int] | None = None,
    **more: Any,
) -> SeatPlay:
    """A seat as it stands at the end: ``raises`` by street, 0 folds; money in cents."""
    stakes = {**book.with_equal({book.ante.name: ante}), **(side or {})}
    folded = 0
    for street, (times, step) in enumerate(zip(raises, book.streets, strict=False), start=1):
        if times:
            stakes[step.into] = ante * times
        else:
            folded = street
    return SeatPlay(seat, cards(held), stakes, folded, **more)


def settled(
    book: Rulebook, *seats: SeatPlay, minimum: int = 5_00, meter: int | None = None, **piles: str
) -> Settlement:
    """Settle: piles by name, ``board="Th Jh Qh"``, ``dealer=...``, ``all_six="2c"``."""
    table = {name.replace("_", "-"): cards(held) for name, held in piles.items()}
    return settle(book, Play(tuple(seats), minimum, table, meter))


def line(settlement: Settlement, spot: str, seat: int = 1) -> Line:
    """The line of one wager."""
    found = next(each for each in settlement.seats if each.seat == seat)
    return next(each for each in found.lines if each.spot == spot)


def stacked(*first: str) -> tuple[Card, ...]:
    """A whole deck that deals these cards first."""
    top = cards(" ".join(first))
    return (*top, *(card for card in DECK if card not in top))


def opened(
    book: Rulebook,
    bets: dict[int, dict[str, int]],
    *,
    minimum: int = 5_00,
    maximum: int | None = None,
    meter: int | None = None,
    tokes: dict[int, int] | None = None,
    **more: Any,
) -> Round:
    """A round with these bets down (seat to spot to cents), betting still open."""
    game = Round(book)
    if book.progressive is not None and meter is None:
        meter = 100_000_00
    if maximum is None:
        maximum = book.limits.maximum.highest
    seats = {seat: f"player {seat}" for seat in bets}
    game.do(actions.Open(seats, minimum, maximum, meter, **more))
    for seat, wagers in bets.items():
        game.do(actions.Bet(seat, wagers, (tokes or {}).get(seat, 0)))
    return game


def started(
    book: Rulebook, bets: dict[int, dict[str, int]], deck: Sequence[Card | None], **more: Any
) -> Round:
    """A round with betting closed and dealt up to the first decision."""
    game = opened(book, bets, **more)
    game.do(actions.CloseBets())
    game.deal(deck)
    return game


def refused(game: Round, action: actions.Action) -> Refusal:
    """Do something that must be refused, see that nothing changed, return the refusal."""
    before, events = game.state, list(game.events)
    try:
        game.do(action)
    except Refused as error:
        assert game.state == before
        assert game.events == events
        return error.refusal
    raise AssertionError(f"{action} was not refused")


def played(game: Round, deck: Sequence[Card], *streets: dict[int, int]) -> Round:
    """Decide street by street, seat to multiple, where 0 folds; the dealer goes on after each."""
    for street in streets:
        for seat, times in street.items():
            game.do(actions.Raise(seat, times) if times else actions.Fold(seat))
        game.deal(deck)
    return game
