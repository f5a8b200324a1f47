"""The worth of each choice a second time, apart from the solvers: card by card, to check them.

It goes over all that can still come instead of reading a solved strategy, and so takes account of
every card that is known to be elsewhere, which a solution cannot. Pay tables are read by the same
functions as in the solvers.
"""

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from math import comb, perm

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, Card
from pitboss.errors import Unreadable
from pitboss.maths import dealer_games, pay_table_games
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK, Street, main_table, plan, posted_minimum
from pitboss.maths.hand_states import KEYS, SIZE, Ints, best, choices, roomy, strength
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook


class Seen(msgspec.Struct, frozen=True):
    """What a player knows when deciding."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...] = ()
    upcard: Card | None = None
    raises: tuple[int, ...] = ()
    """What was decided so far, where something was: multiples, -1 for a check, -2 taken back."""


def history(book: Rulebook, raises: Sequence[int], stakes: Container[str]) -> tuple[int, ...]:
    """Return what a seat decided street by street: multiples, and how it stayed in without one.

    ``raises`` are its multiples, 0 where there was none; ``stakes`` the spots with a wager of it.
    """
    return tuple(
        times or (CHECK if step.times or step.into in stakes else TAKE_BACK)
        for times, step in zip(raises, book.streets, strict=False)
    )


def seen(
    book: Rulebook,
    cards: Sequence[Card | None],
    piles: Mapping[str, Sequence[Card | None]],
    raises: Sequence[int],
) -> Seen:
    """Return what a seat knows when it decides; None is a card that it does not see."""
    table, rule = book.main_table, book.qualifier
    places = table.cards if table is not None and rule is None else ()
    board = [card for place in places if place != SEATS for card in piles.get(place, ())]
    shown = [card for card in piles.get(rule.place, ()) if card is not None] if rule else []
    return Seen(
        tuple(card for card in cards if card is not None),
        tuple(card for card in board if card is not None),
        shown[0] if shown else None,
        tuple(raises),
    )


def worths(
    book: Rulebook,
    seen: Seen,
    gone: Sequence[Card] = (),
    ante_cents: int | None = None,
    minimum_cents: int | None = None,
) -> dict[int, Fraction]:
    """Return each choice (0 folds, -1 checks, -2 takes back) with its value in antes."""
    known = [*seen.cards, *seen.board, *gone, *([seen.upcard] if seen.upcard is not None else [])]
    for index, card in enumerate(known):
        if card in known[:index]:
            raise Unreadable(f"{card} is there twice")
    left = np.array([card for card in DECK if card not in known])
    least = posted_minimum(book, ante_cents, minimum_cents)
    told = _by_table if book.qualifier is None else _against_dealer
    return told(book, seen, left, ante_cents, least)


def _by_table(
    book: Rulebook, seen: Seen, left: Ints, ante_cents: int | None, minimum_cents: int
) -> dict[int, Fraction]:
    planned = plan(book, "stay")
    known = [*seen.cards, *seen.board]
    if seen.upcard is not None:
        raise Unreadable("in this game no dealer's card is up")
    number, column = planned.at(seen.raises, len(known))
    _enough(left, planned.size - len(known))
    pay, units = pay_table_games.payoffs(book, planned.finals, ante_cents, minimum_cents)
    rows = pay_table_games.row_numbers(main_table(book))

    def options(street: Street, worth: Ints, later: int) -> Ints:
        """Step back from where ``later`` cards are seen: (set of cards, column, choice)."""
        coming = street.seen - len(known)
        for many in range(later - len(known), coming, -1):
            worth = _one_less(worth, len(left), many)
        return street.options(worth, perm(len(left) - coming, planned.size - street.seen) * units)

    at, (now, *after) = planned.size, planned.streets[number:]
    cards = (*KEYS[known], *KEYS[left][choices(len(left), at - len(known))].T)
    worth = pay[rows[best(cards)]].reshape(-1, len(planned.finals))
    for street in reversed(after):
        worth, at = options(street, worth, at).max(axis=2), street.seen
    ways = perm(len(left), planned.size - len(known)) * units
    found = options(now, worth, at)[0, column]
    return {c: Fraction(int(each), ways) for c, each in zip(now.choices, found, strict=True)}


def _enough(left: Ints, coming: int) -> None:
    if len(left) < coming:
        cards = f"{coming} are still to come, and only {len(left)} are left"
        raise Unreadable(f"too many cards are seen: {cards}")


_CHOOSE = np.array([[comb(card, many) for card in range(52)] for many in range(SIZE + 1)])


def _place(sets: npt.NDArray[np.uint8]) -> Ints:
    """Return the place of each row among all choices of so many cards."""
    many = sets.shape[1]
    found = np.zeros(len(sets), np.int64)
    for at in range(many):
        found += _CHOOSE[many - at, sets[:, at]]
    return found


def _one_less(worth: Ints, cards: int, many: int) -> Ints:
    """Sum the worth of sets of cards over the card that comes last: for each set without it."""
    sets = choices(cards, many)
    worth = roomy(worth, cards)
    found = np.zeros((comb(cards, many - 1), worth.shape[1]), worth.dtype)
    for last in range(many):
        np.add.at(found, _place(np.delete(sets, last, axis=1)), worth)
    return found


def _against_dealer(
    book: Rulebook, seen: Seen, left: Ints, ante_cents: int | None, minimum_cents: int
) -> dict[int, Fraction]:
    rule, street = dealer_games.shape(book)
    if len(seen.cards) != SIZE or seen.upcard is None or seen.raises or seen.board:
        raise Unreadable("before the one decision a player sees five cards and the upcard")
    _enough(left, SIZE - 1)
    pay = dealer_games.payoffs(book, ante_cents, minimum_cents)
    mine = int(strength(KEYS[list(seen.cards)].sum()))
    fours = KEYS[left][choices(len(left), SIZE - 1)].sum(axis=1)
    theirs = strength(fours + KEYS[seen.upcard])
    total = len(theirs)
    unqualified = int((theirs < rule.weakest).sum())
    below = int(((theirs >= rule.weakest) & (theirs < mine)).sum())
    equal = int((theirs == mine).sum()) if mine >= rule.weakest else 0
    found = {
        choice: Fraction(
            unqualified * int(pay.unqualified[at])
            + below * int(pay.win[at][mine])
            + equal * int(pay.tie[at][mine])
            + (total - unqualified - below - equal) * int(pay.lose[at]),
            total * pay.units,
        )
        for at, choice in enumerate(street.times)
    }
    return {**found, FOLD: Fraction(pay.fold, pay.units)}
