"""Every hand of the player's that there is, and how many of the dealer's are below it and equal.

Hands that differ only in the names of suits are one case. Where one of the dealer's cards is seen
it is of the first suit, and a case belongs to its rank. How the dealer's hands are counted depends
on what makes a hand: some of its cards (inclusion and exclusion over the player's cards, from the
tables of ``containing``), or its longest suit (a product over suits, in ``longest_suits``).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.cards import Card
from pitboss.hands import ranking
from pitboss.maths import kept, longest_suits
from pitboss.maths.card_sets import CHOOSE, LARGEST, CardNumbers, Masks, Sets, classes, names, place
from pitboss.maths.containing import Containing, best_of, containing
from pitboss.maths.hand_states import KEYS, Ints, choices
from pitboss.maths.qualifiers import levels
from pitboss.maths.side_by_side import each

LONGEST_SUIT = "flush-length"
"""The ranking by which the longest suit is the hand."""

_AT_ONCE = 2_000_000
"""Where the dealer has more hands than this, counting takes long enough to be kept."""
_ROOM = 600_000_000
"""Tables of more entries than this are not made."""


_KEPT = "showdowns"
"""By this name the cases of a deal are kept."""


class ShowdownDeal(msgspec.Struct, frozen=True):
    """What is compared, and what is seen of it."""

    ranking: str
    held: int
    """The player's cards."""
    dealt: int
    """The dealer's cards."""
    up: int
    """How many of them are seen: none or one."""
    weakest: int
    """The dealer qualifies with this strength."""

    @property
    def unseen(self) -> int:
        """In how many ways the rest of the dealer's cards can come."""
        return comb(52 - self.held - self.up, self.dealt - self.up)

    @property
    def deals(self) -> int:
        return comb(52, self.held) * comb(52 - self.held, self.up) * self.unseen


class Showdowns(msgspec.Struct, frozen=True):
    """Cases, each as one entry of these arrays."""

    suits: Masks
    """(suit, case): the ranks that the player holds in each, as bits."""
    upcard: Card | None
    """What is seen of the dealer's hand in all of these."""
    strength: npt.NDArray[np.int16]
    """Of the player's hand."""
    ways: Ints
    """How many pairs of hand and upcard are in this case."""
    unqualified: Ints | CardNumbers
    """Dealer's hands that do not qualify."""
    below: Ints | CardNumbers
    """Dealer's hands below the player's, whether they qualify or not."""
    equal: Ints | CardNumbers
    """Dealer's hands equal to it."""

    def hand(self, case: int) -> tuple[Card, ...]:
        """Return one hand of a case."""
        return tuple(
            Card(4 * rank + suit)
            for rank in range(12, -1, -1)
            for suit in range(4)
            if self.suits[suit, case] >> rank & 1
        )


def showdowns(deal: ShowdownDeal) -> Iterator[Showdowns]:
    """Yield all cases: by the upcard's rank, or in whatever parts they are counted."""
    if deal.ranking == LONGEST_SUIT:
        yield from _by_suits(deal)
    else:
        counted, unqualified = _by_cards(deal), _unqualified(deal)
        for number in range(counted.parts):
            yield counted.part(number, unqualified)


def lows(deal: ShowdownDeal) -> Iterator[tuple[npt.NDArray[np.int16], Ints]]:
    """Yield the strengths of all cases, and the deals of each where the dealer does not qualify."""
    if deal.ranking != LONGEST_SUIT or deal.up:
        for case in showdowns(deal):
            yield case.strength, case.unqualified * case.ways
        return
    for suits, ways in longest_suits.suits_of(deal.held):  # no more than that is counted of them
        low = longest_suits.below(suits, deal.dealt, _weakest_suit(deal))
        yield longest_suits.by_suit(deal.ranking)[suits[0]], low * ways


def why_not(deal: ShowdownDeal) -> str:
    """Say why such a deal is not counted; nothing where it is."""
    if deal.ranking == LONGEST_SUIT:
        return "" if deal.up <= 1 else "flushes by length with two cards up are not counted yet"
    small = 1 <= deal.held < LARGEST and deal.dealt <= LARGEST and deal.up <= 1
    entries = comb(52, max(deal.dealt - 1, 0)) // 20 * len(ranking(deal.ranking).classes)
    if not small or min(deal.held, deal.dealt) < ranking(deal.ranking).size or entries > _ROOM:
        seen = f"{deal.held} cards against {deal.dealt}, {deal.up} of them seen,"
        return f"{seen} are not counted yet by this ranking"
    return ""


def situation(deal: ShowdownDeal, cards: Sequence[Card], upcard: Card | None) -> Showdowns:
    """Return the one case that a player is in who holds these cards and sees the upcard."""
    suits = [sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)]
    if deal.ranking == LONGEST_SUIT:
        order = sorted(range(4), key=lambda at: (suits[at].bit_count(), suits[at]), reverse=True)
        one, two, three, four = (np.array([suits[at]]) for at in order)
        shown = None if upcard is None else (order.index(upcard & 3), upcard >> 2)
        return in_suits(deal, (one, two, three, four), np.ones(1, np.int64), shown)
    first = [] if upcard is None else [suits.pop(upcard & 3)]
    return _by_cards(deal).find([*first, *sorted(suits)], upcard, _unqualified(deal))


# The longest suit is the hand --------------------------------------------------------------------


def _by_suits(deal: ShowdownDeal) -> Iterator[Showdowns]:
    for suits, ways in longest_suits.suits_of(deal.held):
        if not deal.up:
            yield in_suits(deal, suits, ways)
            continue
        for shown in product(range(len(suits)), range(13)):
            place, rank = shown
            free = np.flatnonzero(suits[place] >> rank & 1 == 0)
            if len(free):
                one, two, three, four = (suit[free] for suit in suits)
                yield in_suits(deal, (one, two, three, four), ways[free], shown)


def in_suits(
    deal: ShowdownDeal,
    suits: longest_suits.HeldSuits,
    ways: Ints,
    shown: longest_suits.ShownCard | None = None,
) -> Showdowns:
    """Return the cases of hands that have equally many cards in their suits, longest first.

    The suit of a card that is shown comes first in the cases.
    """
    below = longest_suits.below(suits, deal.dealt, suits[0], shown=shown)
    upto = longest_suits.below(suits, deal.dealt, suits[0], upto=True, shown=shown)
    first = 0 if shown is None else shown[0]
    return Showdowns(
        suits=np.stack([suits[first], *suits[:first], *suits[first + 1 :]]).astype(np.int16),
        upcard=None if shown is None else Card(4 * shown[1]),
        strength=longest_suits.by_suit(deal.ranking)[suits[0]],
        ways=ways,
        unqualified=longest_suits.below(suits, deal.dealt, _weakest_suit(deal), shown=shown),
        below=below,
        equal=upto - below,
    )


def _weakest_suit(deal: ShowdownDeal) -> Ints:
    """Return the ranks of the weakest suit that qualifies, as bits."""
    ranks = ranking(deal.ranking).classes[deal.weakest - 1].ranks
    return np.array([sum(1 << rank - 2 for rank in ranks)])


# Some of the cards are the hand ------------------------------------------------------------------


class _Counted(msgspec.Struct, frozen=True):
    """All cases of a deal, whatever the dealer qualifies with, as they are kept."""

    up: int
    sets: Sets
    """(hand): one of those that it stands for; the weakest first, as neighbours then look at
    neighbours of the tables."""
    suits: Masks
    """(suit, hand)."""
    strength: npt.NDArray[np.int16]
    """(hand)."""
    ways: Ints
    """(hand): how many hands it stands for."""
    below: CardNumbers
    """For each part, hand after hand that leaves its upcard."""
    equal: CardNumbers
    under: Containing
    """The tables, for what dealers qualify with."""

    @property
    def parts(self) -> int:
        return 13 if self.up else 1

    def part(self, number: int, unqualified: CardNumbers) -> Showdowns:
        """Return the cases with an upcard of this rank, or all of them."""
        free = self._free(number)
        first = sum(len(self._free(before)) for before in range(number))
        here = slice(first, first + len(free))
        return Showdowns(
            suits=self.suits[:, free],
            upcard=Card(4 * number) if self.up else None,
            strength=self.strength[free],
            ways=self.ways[free] * (4 if self.up else 1),
            unqualified=unqualified[here],
            below=self.below[here],
            equal=self.equal[here],
        )

    def _free(self, rank: int) -> Ints:
        """Return the hands that leave an upcard of this rank."""
        if not self.up:
            return np.arange(len(self.ways))
        return np.flatnonzero(self.suits[0] >> rank & 1 == 0)

    def find(
        self, suits: Sequence[int], upcard: Card | None, unqualified: CardNumbers
    ) -> Showdowns:
        rank = 0 if upcard is None else upcard >> 2
        at = np.flatnonzero(names(self.suits) == names(np.array(suits)[:, None]))
        first = sum(len(self._free(before)) for before in range(rank))
        case = first + np.searchsorted(self._free(rank), at)
        return Showdowns(
            suits=self.suits[:, at],
            upcard=None if upcard is None else Card(4 * rank),
            strength=self.strength[at],
            ways=np.ones(1, np.int64),
            unqualified=unqualified[case],
            below=self.below[case],
            equal=self.equal[case],
        )


def _by_cards(deal: ShowdownDeal) -> _Counted:
    return _counted(deal.ranking, deal.held, deal.dealt, deal.up)


def counted_before(deal: ShowdownDeal) -> bool:
    """Whether all cases are kept."""
    return kept.has(_KEPT, [deal.ranking, deal.held, deal.dealt, deal.up])


@lru_cache(1)  # one deal takes up to a hundred megabytes
def _counted(order: str, held: int, dealt: int, up: int) -> _Counted:
    def count() -> kept.Arrays:
        return _count(order, held, dealt, up)

    large = comb(52, dealt) >= _AT_ONCE
    found = kept.arrays(_KEPT, [order, held, dealt, up], count) if large else count()
    under = tuple(found.pop(f"under{many}") for many in range(dealt))
    return _Counted(up=up, under=Containing(order, dealt, levels(order), under), **found)


def _count(order: str, held: int, dealt: int, up: int) -> kept.Arrays:
    tables = containing(order, dealt)
    every = classes(held, told_apart=up)
    strength = best_of(list(KEYS[every.sets].T), order)
    rising = np.argsort(strength, kind="stable")
    sets, strength = every.sets[rising], strength[rising]
    limit = strength.astype(np.int64)
    below, upto = _against(tables, sets, [limit, limit + 1], up)
    rows = np.searchsorted(tables.levels, levels(order))
    return {
        "sets": sets,
        "suits": every.suits[:, rising],
        "strength": strength,
        "ways": every.ways[rising],
        "below": below,
        "equal": upto - below,
        **{f"under{many}": table[rows] for many, table in enumerate(tables.below)},
    }


@lru_cache(1)
def _unqualified(deal: ShowdownDeal) -> CardNumbers:
    """Count the dealer's hands that do not qualify, part by part."""
    counted, weakest = _by_cards(deal), deal.weakest
    if weakest == 1:
        return np.zeros(len(counted.below), np.int32)
    known = weakest in counted.under.levels
    tables = counted.under if known else containing(deal.ranking, deal.dealt)
    [found] = _against(tables, counted.sets, [np.full(len(counted.sets), weakest)], deal.up)
    return found


def _against(tables: Containing, hands: Sets, limits: Sequence[Ints], up: int) -> list[CardNumbers]:
    """Count the dealer's hands below each limit: one after the other against each upcard."""

    def against(rank: int) -> list[CardNumbers]:
        upcard = Card(4 * rank) if rank >= 0 else None
        free = np.arange(len(hands)) if upcard is None else _without(hands, upcard)
        return _excluded(tables, hands[free], [limit[free] for limit in limits], upcard)

    # An upcard is one of the first suit; -1 stands for none.
    counted = each("showdowns", against, range(13)) if up else map(against, (-1,))
    return [np.concatenate(parts) for parts in zip(*counted, strict=True)]


def _without(hands: Sets, card: Card) -> Ints:
    return np.flatnonzero((hands != card).all(axis=1))


def _excluded(
    tables: Containing, hands: Sets, limits: list[Ints], upcard: Card | None
) -> list[CardNumbers]:
    """Count the dealer's hands below each limit that have the upcard and none of these cards."""
    rows = [np.searchsorted(tables.levels, limit) for limit in limits]
    seen = 0 if upcard is None else 1
    nothing = _classes_with(0, upcard)[np.zeros(len(hands), np.int32)]
    found = [_look_up(tables, seen, row, nothing) for row in rows]
    cards = hands.astype(np.intp)
    if upcard is not None:
        cards -= cards > upcard
    held = hands.shape[1]
    for many in range(1, min(held, tables.cards - seen) + 1):
        classed = _classes_with(many, upcard) if many + seen < tables.cards else None
        for chosen in combinations(range(held), many):
            places = sum(
                (CHOOSE[many - at][cards[:, which]] for at, which in enumerate(chosen)),
                np.zeros(len(hands), np.int32),
            )
            if classed is None:
                more = _whole_hands(tables, hands[:, chosen], limits, upcard)
            else:
                number = classed[places]
                more = [_look_up(tables, many + seen, row, number) for row in rows]
            for total, part in zip(found, more, strict=True):
                total += -part if many % 2 else part
    return found


def _look_up(tables: Containing, many: int, row: Ints, number: CardNumbers) -> CardNumbers:
    table = tables.below[many]
    found: CardNumbers = table.reshape(-1).take(row * table.shape[1] + number, mode="wrap")
    return found.astype(np.int32)


def _whole_hands(
    tables: Containing, hands: Sets, limits: list[Ints], upcard: Card | None
) -> list[CardNumbers]:
    """Return whether the dealer's one hand of all these cards, and the upcard, is below a limit."""
    keys = list(KEYS[hands].T)
    more = [] if upcard is None else [np.full(len(hands), KEYS[upcard])]
    strength = best_of([*keys, *more], tables.ranking)
    return [(strength < limit).astype(np.int32) for limit in limits]


def _classes_with(many: int, upcard: Card | None) -> CardNumbers:
    """Return the class of each set of so many cards, by its place; with the upcard, if there is.

    The other cards are then numbered as if it were not there.
    """
    if upcard is None:
        return classes(many).number
    sets = choices(51, many).astype(np.uint8)
    sets = sets + (sets >= upcard)
    grown = np.concatenate([sets, np.full((len(sets), 1), upcard, np.uint8)], axis=1)
    grown.sort(axis=1)
    return classes(many + 1).number[place(grown[:, ::-1])]
