"""What cards are worth: rankings of five, four, three and two cards, and of what one suit holds.

Each ranking numbers its classes from the weakest, so that two hands compare as integers, and
every class knows its category and the ranks that decide it:

>>> from pitboss.cards import cards
>>> five = ranking("five-card")
>>> five.best(cards("Kh Kd Ks 6c 6d")).name
'full house, kings over sixes'
>>> five.best(cards("Kh Kd Ks 6c 6d 6h")).name  # the best five of six
'full house, kings over sixes'
>>> len(five.classes)
7462
>>> ranking("three-card").best(cards("As 2s 3s")).name
'straight flush, three high'
>>> ranking("two-card").best(cards("As Js")).name
'ace-jack suited'
>>> ranking("four-card").best(cards("9h 8d 7s 6c Ad")).name
'straight, nine high'
>>> ranking("flush-length").best(cards("9h 4h 2h As Ks Qd Jd")).name
'three-card flush, nine high'
>>> ranking("straight-flush-length").best(cards("9h 8h 6h As 2s 3s Jd")).name
'three-card straight flush, three high'
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations

import msgspec

from pitboss.cards import RANKS, Card

_COUNTS = ("one", "two", "three", "four", "five", "six", "seven")
_FLUSHES = tuple(f"{count}-card-flush" for count in _COUNTS)
_STRAIGHT_FLUSHES = tuple(f"{count}-card-straight-flush" for count in _COUNTS)

ORDERS: dict[str, tuple[int, tuple[str, ...]]] = {
    "five-card": (
        5,
        (
            "high-card",
            "pair",
            "two-pair",
            "three-of-a-kind",
            "straight",
            "flush",
            "full-house",
            "four-of-a-kind",
            "straight-flush",
            "royal-flush",
        ),
    ),
    "four-card": (
        4,
        (
            "high-card",
            "pair",
            "two-pair",
            "straight",
            "flush",
            "three-of-a-kind",
            "straight-flush",
            "four-of-a-kind",
        ),
    ),
    "three-card": (
        3,
        (
            "high-card",
            "pair",
            "flush",
            "straight",
            "three-of-a-kind",
            "straight-flush",
            "mini-royal",
        ),
    ),
    "two-card": (2, ("unsuited", "suited", "pair")),
    "flush-length": (1, _FLUSHES),
    "straight-flush-length": (1, _STRAIGHT_FLUSHES),
}
"""Each ranking: how many cards at least, and its categories from the weakest."""

KIND_OF = {"royal-flush": "straight-flush", "mini-royal": "straight-flush"}
"""Categories that are a kind of another, for a pay table that does not name them."""

_ROYAL = {5: "royal-flush", 3: "mini-royal"}
"""What the highest straight flush of so many cards is, where it is a category of its own."""

_GROUPED = {
    (4, 1): "four-of-a-kind",
    (4,): "four-of-a-kind",
    (3, 2): "full-house",
    (3, 1, 1): "three-of-a-kind",
    (3, 1): "three-of-a-kind",
    (3,): "three-of-a-kind",
    (2, 2, 1): "two-pair",
    (2, 2): "two-pair",
    (2, 1, 1, 1): "pair",
    (2, 1, 1): "pair",
    (2, 1): "pair",
    (2,): "pair",
}

RANK_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""The sum of these over up to five cards names the multiset of their ranks."""

SUIT_SHIFT = 20
"""Above the rank keys' sum each suit counts in four bits of its own, so one sum tells both."""

_RANK_MASK = (1 << SUIT_SHIFT) - 1
CARD_KEYS = tuple(
    RANK_KEYS[index >> 2] + (1 << (SUIT_SHIFT + 4 * (index & 3))) for index in range(52)
)

_DOWNWARD = range(14, 1, -1)
_KEY_OF = dict(zip(range(2, 15), RANK_KEYS, strict=True))

_WORDS = "two three four five six seven eight nine ten jack queen king ace"
_ONE = tuple(_WORDS.split(" "))
MANY = tuple(f"{each}es" if each == "six" else f"{each}s" for each in _ONE)
"""Several cards of a rank as they are spoken, from twos to aces."""


class Hand(msgspec.Struct, frozen=True):
    """A class of hands that are worth the same."""

    strength: int
    """Its place in the ranking, 1 the weakest."""
    category: str
    """Such as ``full-house``."""
    ranks: tuple[int, ...]
    """The ranks that decide, most important first; in A-2-3-4-5 the ace is 1."""

    @property
    def name(self) -> str:
        return _NAMES[self.category](*self.ranks[:2])


def _one(rank: int) -> str:
    return _ONE[rank - 2]


def _many(rank: int) -> str:
    return MANY[rank - 2]


def _of_length(category: str) -> Callable[..., str]:
    count, _, what = category.partition("-card-")
    return lambda top, *_more: f"{count}-card {what.replace('-', ' ')}, {_one(top)} high"


_NAMES: dict[str, Callable[..., str]] = {
    "royal-flush": lambda _a, _b: "royal flush",
    "mini-royal": lambda _a, _b: "mini-royal",
    "straight-flush": lambda a, _b: f"straight flush, {_one(a)} high",
    "four-of-a-kind": lambda a, *_b: f"four of a kind, {_many(a)}",
    "full-house": lambda a, b: f"full house, {_many(a)} over {_many(b)}",
    "flush": lambda a, _b: f"flush, {_one(a)} high",
    "straight": lambda a, _b: f"straight, {_one(a)} high",
    "three-of-a-kind": lambda a, *_b: f"three of a kind, {_many(a)}",
    "two-pair": lambda a, b: f"two pair, {_many(a)} and {_many(b)}",
    "pair": lambda a, *_b: f"pair of {_many(a)}",
    "high-card": lambda a, b: "ace-king high" if (a, b) == (14, 13) else f"{_one(a)} high",
    "suited": lambda a, b: f"{_one(a)}-{_one(b)} suited",
    "unsuited": lambda a, b: f"{_one(a)}-{_one(b)} unsuited",
    **{name: _of_length(name) for name in (*_FLUSHES, *_STRAIGHT_FLUSHES)},
}


class Ranking:
    """One way to value cards; get it from :func:`ranking`."""

    classes: tuple[Hand, ...]
    """Every class of hands, weakest first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.size, self.categories = ORDERS[name]

    @cached_property
    def looks(self) -> tuple[tuple[Hand, ...], tuple[int, ...]]:
        """One hand for each category and first two ranks, which is all that pay tables look at.

        And for each class, weakest first, which of those hands it looks like.
        """
        first: dict[tuple[str, tuple[int, ...]], int] = {}
        like = tuple(first.setdefault((h.category, h.ranks[:2]), len(first)) for h in self.classes)
        hands = dict(zip(reversed(like), reversed(self.classes), strict=True))
        return tuple(hands[look] for look in range(len(first))), like

    def can_make(self, hand: Hand, cards: int) -> bool:
        """Whether so many cards can be such a hand."""
        return len(hand.ranks) <= cards

    def strength(self, held: Sequence[Card]) -> int:
        """Place in the ranking of these cards, or of the best of them where there are more."""
        raise NotImplementedError

    def by_ranks(self, *, suited: bool) -> dict[int, int]:
        """Return the strength of every multiset of ranks, by the sum of its keys."""
        raise NotImplementedError

    @property
    def by_suit(self) -> dict[int, int]:
        """The strength of every set of ranks, one bit each, that one suit can hold."""
        raise NotImplementedError

    def best(self, held: Sequence[Card]) -> Hand:
        """Return the class of these cards, or of the best of them."""
        return self.classes[self.strength(held) - 1]


class _OfSomeCards(Ranking):
    """So many cards make a hand: equal ranks, runs, one suit."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._suited_marks = {self.size << (4 * suit) for suit in range(4)}
        places = {category: place for place, category in enumerate(self.categories)}
        made = sorted(
            [
                (places[category], ranks, suited, key)
                for category, ranks, suited, key in self._every_class()
            ]
        )
        self.classes = tuple(
            Hand(index, self.categories[order], ranks)
            for index, (order, ranks, _, _) in enumerate(made, start=1)
        )
        self._tables: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for index, (_, _, suited, key) in enumerate(made, start=1):
            self._tables[suited][key] = index

    def _every_class(self) -> Iterator[tuple[str, tuple[int, ...], bool, int]]:
        """Yield category, deciding ranks, whether suited, and the sum of keys of every class."""
        for shape, category in _GROUPED.items():
            if sum(shape) == self.size:
                first = shape.count(shape[0])
                for top in combinations(_DOWNWARD, first):
                    key = shape[0] * sum(_KEY_OF[rank] for rank in top)
                    others = [rank for rank in _DOWNWARD if rank not in top]
                    for rest in combinations(others, len(shape) - first):
                        more = shape[-1] * sum([_KEY_OF[rank] for rank in rest])
                        yield category, top + rest, False, key + more
        for ranks in combinations(_DOWNWARD, self.size):
            key = sum(_KEY_OF[rank] for rank in ranks)
            for suited in (False, True):
                yield *self._distinct(ranks, suited=suited), suited, key

    def _distinct(self, ranks: tuple[int, ...], *, suited: bool) -> tuple[str, tuple[int, ...]]:
        if self.size == 2:
            return ("suited" if suited else "unsuited"), ranks
        run = ranks
        if ranks[0] == 14 and ranks[1] == self.size:
            run = (*ranks[1:], 1)
        if run[0] - run[-1] != self.size - 1:
            return ("flush" if suited else "high-card"), ranks
        if not suited:
            return "straight", run
        return (_ROYAL.get(self.size, "") if run[0] == 14 else "") or "straight-flush", run

    def strength(self, held: Sequence[Card]) -> int:
        keys = [CARD_KEYS[each] for each in held]
        if len(keys) == self.size:
            return self._of_sum(sum(keys))
        if len(keys) < self.size:
            raise ValueError(f"a {self.name} hand needs {self.size} cards, not {len(keys)}")
        return max(self._of_sum(sum(chosen)) for chosen in combinations(keys, self.size))

    def by_ranks(self, *, suited: bool) -> dict[int, int]:
        return dict(self._tables[suited])

    def _of_sum(self, total: int) -> int:
        return self._tables[(total >> SUIT_SHIFT) in self._suited_marks][total & _RANK_MASK]


class _OfOneSuit(Ranking):
    """What one suit holds is the hand: the more of its cards count, the better, then by rank.

    More cards never make it worse, so that any number of them is a hand.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._counting = _COUNTING[name]
        every = {self._counting(ranks) for ranks in range(1, 1 << 13)}
        made = sorted(each for each in every if len(each) <= len(self.categories))
        made.sort(key=len)
        self.classes = tuple(
            Hand(index, self.categories[len(ranks) - 1], ranks)
            for index, ranks in enumerate(made, start=1)
        )
        self._strengths = {hand.ranks: hand.strength for hand in self.classes}

    def can_make(self, hand: Hand, cards: int) -> bool:
        """Some suit has a fourth of the cards, or more; they need not follow each other."""
        fewest = -(-cards // 4) if self._counting is _all_ranks else 1
        return fewest <= len(hand.ranks) <= cards

    def strength(self, held: Sequence[Card]) -> int:
        if not 1 <= len(held) <= len(self.categories):
            raise ValueError(f"a {self.name} hand has up to {len(self.categories)} cards")
        suits = [0, 0, 0, 0]
        for card in held:
            suits[card & 3] |= 1 << (card >> 2)
        return max(self.by_suit[ranks] for ranks in suits if ranks)

    @cached_property
    def by_suit(self) -> dict[int, int]:
        counted = ((ranks, self._counting(ranks)) for ranks in range(1, 1 << 13))
        return {ranks: self._strengths[best] for ranks, best in counted if best in self._strengths}


def _all_ranks(ranks: int) -> tuple[int, ...]:
    """Return the ranks of a set of bits, from the top."""
    return tuple(rank for rank in _DOWNWARD if ranks >> (rank - 2) & 1)


def _longest_run(ranks: int) -> tuple[int, ...]:
    """Return the longest run of ranks, of several the highest; an ace is high or low."""
    held = _all_ranks(ranks)
    runs: list[list[int]] = []
    for rank in (*held, 1) if held[0] == 14 else held:
        if runs and runs[-1][-1] == rank + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    most = max(map(len, runs))
    return tuple(next(run for run in runs if len(run) == most))


_COUNTING = {"flush-length": _all_ranks, "straight-flush-length": _longest_run}
"""Which ranks of a suit count, for each ranking of what one suit holds."""

BY_SUIT = frozenset(_COUNTING)
"""The rankings by which what one suit holds is the hand."""


@cache
def ranking(name: str) -> Ranking:
    """Return the ranking of this name in ``ORDERS``."""
    return _OfOneSuit(name) if name in _COUNTING else _OfSomeCards(name)


def rank_of(symbol: str) -> int:
    """Read a rank: ``7``, ``10``, ``T``, ``J`` ... as 2 to 14; ValueError for anything else."""
    return RANKS.index("T" if symbol == "10" else symbol.upper() or "?") + 2
