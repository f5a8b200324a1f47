"""The worth of each choice a second time, apart from the solvers: card by card, to check them.

It goes over all that can still come instead of reading a solved strategy, and so takes account of
every card that is known to be elsewhere, which a solution cannot. Pay tables are read by the same
functions as in the solvers.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import comb, perm

import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, Card
from pitboss.errors import Unreadable
from pitboss.hands import BY_SUIT, ranking
from pitboss.maths import board_games, dealer_games, pay_table_games, raise_or_fold
from pitboss.maths.decisions import CHECK, FOLD, TAKE_BACK, Street, main_table, plan, posted_minimum
from pitboss.maths.families import family
from pitboss.maths.hand_states import KEYS, SIZE, Ints, best, choices, roomy, strength
from pitboss.maths.seen import Seen
from pitboss.maths.showdown_cases import ShowdownDeal
from pitboss.maths.showdown_pay import ENDINGS, ending_nets
from pitboss.rulebook.deal_script import SEATS
from pitboss.rulebook.model import Rulebook


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
    rule, (places, _) = book.qualifier, book.main_hand
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
    known = [*seen.known, *gone]
    for index, card in enumerate(known):
        if card in known[:index]:
            raise Unreadable(f"{card} is there twice")
    left = np.array([card for card in DECK if card not in known])
    least = posted_minimum(book, ante_cents, minimum_cents)
    told = {
        pay_table_games: _by_table,
        dealer_games: _against_dealer,
        raise_or_fold: _raise_or_fold,
        board_games: board_games.advised,
    }
    return told[family(book)](book, seen, left, ante_cents, least)


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
        when = "with five cards and the upcard seen"
        raise Unreadable(f"there is one decision, {when}, and nothing is raised before it")
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


def _raise_or_fold(
    book: Rulebook, seen: Seen, left: Ints, ante_cents: int | None, minimum_cents: int
) -> dict[int, Fraction]:
    deal, street = raise_or_fold.shape(book)
    up = () if seen.upcard is None else (seen.upcard,)
    if (len(seen.cards), len(up)) != (deal.held, deal.up) or seen.raises or seen.board:
        raise raise_or_fold.misplaced(deal)
    coming = deal.dealt - deal.up
    _enough(left, coming)
    pay = ending_nets(book, street, deal.unseen, ante_cents, minimum_cents)
    under = (_suits_under if deal.ranking in BY_SUIT else _hands_under)(deal, left, up)
    mine, most = ranking(deal.ranking).strength(seen.cards), len(ranking(deal.ranking).classes) + 1
    qualifies = {False: (0, deal.weakest), True: (deal.weakest, most)}
    compares = {1: (0, mine), 0: (mine, mine + 1), -1: (mine + 1, most)}
    counts = []
    for qualified, better in ENDINGS:
        (low, high), (least, top) = qualifies[qualified], compares[better]
        first, last = max(low, least), min(high, top)
        counts.append(under(last) - under(first) if first < last else 0)
    ways = comb(len(left), coming) * pay.units
    found = {
        choice: Fraction(
            sum(
                many * int(net[pay.kind[mine]])
                for many, net in zip(counts, pay.net[at], strict=True)
            ),
            ways,
        )
        for at, choice in enumerate(pay.times)
        if mine >= pay.offered[at]
    }
    return {**found, FOLD: Fraction(pay.fold, pay.units)}


_Under = Callable[[int], int]
"""How many of the dealer's hands are under a strength."""


def _hands_under(deal: ShowdownDeal, left: Ints, up: Sequence[Card]) -> _Under:
    """Deal the dealer every hand there is."""
    keys = [*KEYS[left][choices(len(left), deal.dealt - len(up))].T, *KEYS[list(up)]]
    hands = combinations(keys, ranking(deal.ranking).size)
    sums = (sum(chosen[1:], chosen[0]) for chosen in hands)
    found = reduce(np.maximum, (strength(each, deal.ranking) for each in sums))
    return lambda limit: int((found < limit).sum())


def _suits_under(deal: ShowdownDeal, left: Ints, _up: Sequence[Card]) -> _Under:
    """Deal the dealer every holding of each suit; their cards come to as many as a hand has."""
    order = ranking(deal.ranking).by_suit
    suits = [[card >> 2 for card in left.tolist() if card & 3 == suit] for suit in range(4)]
    held = [
        [
            (many, order.get(sum(1 << rank for rank in chosen), 0))
            for many in range(min(deal.dealt, len(ranks)) + 1)
            for chosen in combinations(ranks, many)
        ]
        for ranks in suits
    ]

    def under(limit: int) -> int:
        found = [1] + [0] * deal.dealt
        for suit in held:
            few = [many for many, worth in suit if worth < limit]
            ways = [few.count(many) for many in range(deal.dealt + 1)]
            found = [
                sum(ways[many] * found[all_ - many] for many in range(all_ + 1))
                for all_ in range(deal.dealt + 1)
            ]
        return found[deal.dealt]

    return under
