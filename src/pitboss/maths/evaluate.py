"""What any strategy is worth, exactly: every situation is put to it once.

Suits have no rank, so situations that differ only in which suit is which are put to the strategy as
one; a strategy that tells suits apart by name is not evaluated rightly.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, perm

import msgspec

from pitboss.cards import DECK, Card
from pitboss.errors import Unreadable
from pitboss.maths import community, showdown
from pitboss.maths.advise import Seen
from pitboss.maths.ladder import SIZE, Ints, levels, step_back, strengths
from pitboss.rulebook.model import Rulebook

Strategy = Callable[[Seen], int]
"""From what is seen to the multiple to raise; 0 folds."""


class Evaluation(msgspec.Struct, frozen=True):
    """What a strategy comes to."""

    value: Fraction
    """Per ante."""
    average_wager: Fraction
    """In antes."""
    fold: tuple[Fraction, ...]
    """How often it folds, by street."""
    deals: int


def evaluate(
    book: Rulebook,
    strategy: Strategy,
    ante_cents: int | None = None,
    minimum_cents: int = 1,
) -> Evaluation:
    """Price a strategy for any book that can be solved."""
    if book.qualifier is not None:
        return _showdown(book, strategy, ante_cents, minimum_cents)
    return _community(book, strategy, ante_cents, minimum_cents)


def following(held: tuple[Card, ...], suits: int) -> Iterator[tuple[Card, int, int]]:
    """Yield the next card up to the names of unused suits: card, how many it stands for, suits."""
    for card in DECK:
        suit = card & 3
        if card not in held and suit <= suits and suit < 4:
            new = suit == suits
            yield card, (4 - suits if new else 1), suits + new


def _community(
    book: Rulebook, strategy: Strategy, ante_cents: int | None, minimum_cents: int
) -> Evaluation:
    streets = community.streets(book, "stay")
    last = streets[-1]
    finals = sorted({s + max(0, c) for s in last.stakes for c in last.choices if c})
    pay, units = community.payoffs(book, finals, ante_cents, minimum_cents)
    worth = pay[community.row_numbers(community.main_table(book))[strengths()]]
    for at in range(SIZE - 1, last.seen - 1, -1):
        worth = step_back(levels()[at], worth)
    walk = _Walk(book, strategy, streets, finals, worth, units)
    held = book.seat_cards
    for pocket, ways in hands(held):
        walk.street(pocket, (), (), _suits(pocket), ways)
    deals = perm(52, SIZE) // factorial(held)
    return Evaluation(
        Fraction(walk.total, deals * units),
        Fraction(walk.wagered, deals),
        tuple(Fraction(each, deals) for each in walk.folds),
        deals,
    )


def _ordered(
    held: tuple[Card, ...], suits: int, ways: int, cards: int
) -> Iterator[tuple[tuple[Card, ...], int, int]]:
    """Yield every way for so many more cards to come, in order, up to the names of suits."""
    if cards == 0:
        yield held, suits, ways
        return
    for card, times_, used in following(held, suits):
        yield from _ordered((*held, card), used, ways * times_, cards - 1)


class _Walk:
    """One pass through all situations, adding up."""

    def __init__(
        self,
        book: Rulebook,
        strategy: Strategy,
        streets: tuple[community.Street, ...],
        finals: list[int],
        worth: Ints,
        units: int,
    ) -> None:
        self.book, self.strategy, self.streets = book, strategy, streets
        self.finals, self.units = finals, units
        self.worth = worth.tolist()
        self.total = self.wagered = 0
        self.folds = [0] * len(streets)

    def street(
        self,
        cards: tuple[Card, ...],
        board: tuple[Card, ...],
        raises: tuple[int, ...],
        suits: int,
        ways: int,
    ) -> None:
        number = len(raises)
        street = self.streets[number]
        choice = self.strategy(Seen(cards, board, None, raises))
        if choice not in street.choices:
            raise Unreadable(f"a strategy answers one of {street.choices}, not {choice!r}")
        stake = 1 + sum(raises)
        rest = perm(52 - street.seen, SIZE - street.seen)
        if choice == community.FOLD:
            self.total -= stake * self.units * ways * rest
            self.wagered += stake * ways * rest
            self.folds[number] += ways * rest
        elif number + 1 == len(self.streets):
            seen = (*cards, *board)
            state = levels()[len(seen)].find(
                tuple(card.rank for card in seen), suited=len({card & 3 for card in seen}) == 1
            )
            column = self.finals.index(stake + choice)
            self.total += self.worth[state][column] * ways
            self.wagered += (stake + choice) * ways * rest
        else:
            more = self.streets[number + 1].seen - street.seen
            for seen, used, many in _ordered((*cards, *board), suits, ways, more):
                self.street(cards, seen[len(cards) :], (*raises, choice), used, many)


def _showdown(
    book: Rulebook, strategy: Strategy, ante_cents: int | None, minimum_cents: int
) -> Evaluation:
    rule, street = showdown.shape(book)
    pay, units = showdown.payoffs(book, street, street.times, ante_cents, minimum_cents)
    every = showdown.cases(rule.weakest)
    worth = {
        choice: showdown.worth(every, pay, street.times, choice).tolist()
        for choice in (*street.times, community.FOLD)
    }
    index = showdown.case_index(every)
    level = levels()[SIZE]
    total = wagered = folded = 0
    for hand, ways in hands(SIZE):
        state = level.find(
            tuple(card.rank for card in hand), suited=len({card & 3 for card in hand}) == 1
        )
        for upcard, many, _ in following(hand, _suits(hand)):
            choice = strategy(Seen(hand, (), upcard, ()))
            if choice not in worth:
                raise Unreadable(f"a strategy answers one of {tuple(worth)}, not {choice!r}")
            shared = sum(1 << (card >> 2) for card in hand if card & 3 == upcard & 3)
            case = index[state, upcard >> 2, shared]
            weight = ways * many
            total += worth[choice][case] * weight
            wagered += (1 + choice) * weight
            folded += weight if choice == community.FOLD else 0
    pairs = int(every.ways.sum())
    return Evaluation(
        Fraction(total, pairs * showdown.UNSEEN * units),
        Fraction(wagered, pairs),
        (Fraction(folded, pairs),),
        pairs * showdown.UNSEEN,
    )


def hands(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield hands of so many cards, alike up to the names of suits, and how many each stands for.

    >>> sum(ways for _, ways in hands(2)), len(list(hands(2)))
    (1326, 169)
    """
    for ranks in combinations_with_replacement(range(12, -1, -1), size):
        groups = [(rank, ranks.count(rank)) for rank in dict.fromkeys(ranks)]
        if max(many for _, many in groups) <= 4:
            yield from _suit_groups(groups, (), 0, 1)


def _suit_groups(
    groups: list[tuple[int, int]], held: tuple[Card, ...], used: int, ways: int
) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Give each rank its suits: some already there, each told apart, and some new, all alike."""
    if not groups:
        yield held, ways
        return
    (rank, many), *rest = groups
    for new in range(max(0, many - used), min(many, 4 - used) + 1):
        fresh = range(used, used + new)
        for old in combinations(range(used), many - new):
            cards = tuple(DECK[4 * rank + suit] for suit in (*old, *fresh))
            more = ways * comb(4 - used, new)
            yield from _suit_groups(rest, held + cards, used + new, more)


def _suits(cards: tuple[Card, ...]) -> int:
    return len({card & 3 for card in cards})
