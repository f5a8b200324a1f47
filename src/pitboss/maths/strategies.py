"""Strategies that people have published, to be priced against the best."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from pitboss.cards import Card
from pitboss.errors import Unreadable
from pitboss.hands import ranking
from pitboss.maths import raise_or_fold
from pitboss.maths.at_least import AtLeast
from pitboss.maths.board_strategies import SIMPLE
from pitboss.maths.decisions import CHECK, TAKE_BACK
from pitboss.maths.evaluation import Evaluation, Strategy, evaluate
from pitboss.maths.families import family
from pitboss.maths.seen import Seen
from pitboss.maths.solution import solve
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import Qualifier


def blind(seen: Seen) -> int:
    """Always raise the least: what playing without looking costs."""
    return 2 if seen.upcard is not None else 1


def any_pair(seen: Seen) -> int:
    """Against a dealer: raise on any pair or better."""
    _with_upcard(seen)
    return 2 if _look(seen.cards)[0] else 0


def three_rules(seen: Seen) -> int:
    """Against a dealer: any pair or better; ace-king by the upcard, in three rules of thumb."""
    upcard, (made, ranks) = _with_upcard(seen), _look(seen.cards)
    if made:
        return 2
    if ranks[:2] != (14, 13):
        return 0
    up = upcard.rank
    matches = up in ranks
    if matches and up <= 12:
        return 2
    if up >= 13 and (12 in ranks or 11 in ranks):
        return 2
    return 2 if not matches and 12 in ranks and up < ranks[3] else 0


def _with_upcard(seen: Seen) -> Card:
    if seen.upcard is None:
        raise Unreadable("this strategy is made for games against a dealer")
    return seen.upcard


@lru_cache(maxsize=1)
def _look(cards: tuple[Card, ...]) -> tuple[bool, tuple[int, ...]]:
    """Whether five cards are a pair or better, and their ranks, highest first.

    Kept for the next question, which is mostly about the same hand and another upcard.
    """
    ranks = tuple(sorted((card.rank for card in cards), reverse=True))
    run = ranks[0] - ranks[-1] == 4 or ranks == (14, 5, 4, 3, 2)
    flush = len({card & 3 for card in cards}) == 1
    return run or flush or len(set(ranks)) < len(ranks), ranks


def _points(rank: int) -> int:
    if rank >= 11:
        return 2
    return 1 if rank >= 6 else 0


def published_community(seen: Seen) -> int:
    """Against the common pay table: points for high and middle cards, made hands, draws."""
    if seen.upcard is not None or not 2 <= len(seen.known) <= 4:
        raise Unreadable("this strategy is made for hands that a pay table settles")
    ranks = sorted((card.rank for card in (*seen.cards, *seen.board)), reverse=True)
    suited = len({card.suit for card in (*seen.cards, *seen.board)}) == 1
    pairs = [rank for rank in set(ranks) if ranks.count(rank) > 1]
    points = sum(_points(rank) for rank in ranks)
    return (_two, _three, _four)[len(ranks) - 2](ranks, suited, pairs, points, seen)


def _two(ranks: list[int], suited: bool, pairs: list[int], points: int, _seen: Seen) -> int:
    if pairs:
        return 3
    return 1 if points >= 2 or (suited and ranks == [6, 5]) else 0


def _made(ranks: list[int], pairs: list[int]) -> bool:
    return len(pairs) == 2 or any(p >= 6 or ranks.count(p) > 2 for p in pairs)


def _gaps(ranks: list[int]) -> int:
    """Gaps inside a run of different ranks; many where there is none."""
    if len(set(ranks)) < len(ranks):
        return 9
    low_ace = sorted(1 if rank == 14 else rank for rank in ranks)
    return min(max(each) - min(each) - (len(each) - 1) for each in (ranks, low_ace))


def _three(ranks: list[int], suited: bool, pairs: list[int], points: int, _seen: Seen) -> int:
    high = sum(rank >= 11 for rank in ranks)
    gaps = _gaps(ranks)
    if _made(ranks, pairs) or (suited and min(ranks) >= 10):
        return 3
    if suited and gaps <= 2:
        low = min(1 if rank == 14 else rank for rank in ranks)
        if (gaps == 0 and low >= 5) or (gaps == 1 and high >= 1) or (gaps == 2 and high >= 2):
            return 3
    middle = sum(_points(rank) >= 1 for rank in ranks)
    straight = (gaps == 0 and min(ranks) >= 4) or (gaps == 1 and middle >= 2)
    return 1 if suited or pairs or points >= 3 or straight else 0


def _four(ranks: list[int], suited: bool, pairs: list[int], points: int, seen: Seen) -> int:
    if _made(ranks, pairs) or suited:
        return 3
    gaps = _gaps(ranks)
    if gaps == 0 and 8 <= max(ranks) <= 13 and min(ranks) > 1 and 14 not in ranks:
        return 3
    middle = sum(_points(rank) >= 1 for rank in ranks)
    if gaps <= 1 or pairs or points >= 4:
        return 1
    return 1 if middle >= 3 and 3 in seen.raises else 0


def published_ride(seen: Seen) -> int:
    """Against tens or better: leave a wager up with a sure win, or a good draw."""
    if seen.upcard is not None:
        raise Unreadable("this strategy is made for hands that a pay table settles")
    cards = (*seen.cards, *seen.board)
    ranks = sorted((card.rank for card in cards), reverse=True)
    suited = len({card.suit for card in cards}) == 1
    high, gaps = sum(rank >= 10 for rank in ranks), _gaps(ranks)
    pairs = [rank for rank in set(ranks) if ranks.count(rank) > 1]
    made = len(pairs) > 1 or any(rank >= 10 or ranks.count(rank) > 2 for rank in pairs)
    if len(ranks) == 3:
        low = 1 if 14 in ranks and ranks[1] <= 5 else min(ranks)
        run, draw = gaps == 0 and low >= 3, 0 < gaps <= min(high, 2) and low > 1
        ride = made or (suited and (run or draw))
    else:
        outside = gaps == 0 and 14 not in ranks
        ride = made or suited or (outside and high >= 1) or (gaps <= 1 and high == 4)
    return CHECK if ride else TAKE_BACK


NAMED: dict[str, Strategy] = {
    "blind": blind,
    "any-pair": any_pair,
    "three-rules": three_rules,
    "points": published_community,
    "simple": SIMPLE,
    "ride": published_ride,
    "q-6-4": AtLeast("three-card", ((1, "high-card", (12, 6, 4)),)),
    "basic": AtLeast("four-card", ((3, "pair", (10,)), (1, "pair", (3,)))),
    "k-q-8-4": AtLeast("four-card", ((3, "pair", (14,)), (1, "high-card", (13, 12, 8, 4)))),
    "t-8-6": AtLeast(
        "flush-length",
        (
            (3, "six-card-flush", ()),
            (2, "five-card-flush", ()),
            (1, "three-card-flush", (10, 8, 6)),
        ),
    ),
}
"""Strategies by name."""


def never_fold(book: Rulebook) -> Strategy:
    """Raise the least with every hand."""
    return _with_strength(book, 1)


def mimic(book: Rulebook) -> Strategy:
    """Play as the dealer does: raise the least with a hand that would qualify, fold others."""
    return _with_strength(book, _rule(book).weakest)


def _with_strength(book: Rulebook, strength: int) -> Strategy:
    weakest = ranking(_rule(book).ranking).classes[strength - 1]
    return AtLeast(
        _rule(book).ranking, ((book.streets[0].times[0], weakest.category, weakest.ranks),)
    )


def _rule(book: Rulebook) -> Qualifier:
    if book.qualifier is None or book.qualifier.shared:
        raise Unreadable("this strategy is made for games against a dealer's own hand")
    return book.qualifier


MADE: dict[str, Callable[[Rulebook], Strategy]] = {"never-fold": never_fold, "mimic": mimic}
"""Strategies by name that are made for each book."""


_BY_TABLE = ("points", "ride")
"""Made for hands that a pay table settles, whatever a dealer has."""


def named(book: Rulebook, name: str) -> Strategy:
    """Return the strategy of this name, for a book."""
    if name in _BY_TABLE and book.qualifier is not None:
        raise Unreadable("this strategy is made for hands that a pay table settles")
    return MADE[name](book) if name in MADE else NAMED[name]


def evaluated(
    book: Rulebook, ante_cents: int | None = None, minimum_cents: int | None = None
) -> dict[str, Evaluation]:
    """Return what each named strategy that this game can be played by comes to, exactly.

    Ante and minimum are as ``solve`` has them.
    """
    found = {}
    for name in (*NAMED, *MADE):
        try:
            strategy = named(book, name)
            if family(book) is raise_or_fold and not isinstance(strategy, AtLeast):
                continue  # made for other games, and asked millions of times
            found[name] = evaluate(book, strategy, ante_cents, minimum_cents)
        except Unreadable:  # made for another game, or for other multiples than this one offers
            continue
    return found


def costs(
    book: Rulebook, ante_cents: int | None = None, minimum_cents: int | None = None
) -> dict[str, Fraction]:
    """Return what each of them loses to best play, per ante."""
    best = solve(book, ante_cents, minimum_cents).value
    every = evaluated(book, ante_cents, minimum_cents)
    return {name: best - found.value for name, found in every.items()}
