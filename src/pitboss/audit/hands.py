"""What cards are worth, read off the cards themselves: for the second settlement alone.

No table of hands is made and nothing is looked up: ranks are counted and sorted.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from pitboss.cards import Card
from pitboss.rulebook.paytable import Row

WORDS = ["one", "two", "three", "four", "five", "six", "seven"]
ORDER = {
    "five-card": "high-card pair two-pair three-of-a-kind straight flush full-house four-of-a-kind"
    " straight-flush royal-flush",
    "four-card": "high-card pair two-pair straight flush three-of-a-kind straight-flush"
    " four-of-a-kind",
    "three-card": "high-card pair flush straight three-of-a-kind straight-flush mini-royal",
    "two-card": "unsuited suited pair",
    "flush-length": " ".join(f"{word}-card-flush" for word in WORDS),
    "straight-flush-length": " ".join(f"{word}-card-straight-flush" for word in WORDS),
}
"""The categories of each ranking, weakest first."""
SIZE = {"five-card": 5, "four-card": 4, "three-card": 3, "two-card": 2}
"""How many cards make a hand; in the other rankings one suit does."""
ROYAL = {5: "royal-flush", 3: "mini-royal"}
SHAPES = {
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

Value = tuple[int, list[int]]
"""Place of the category, and the ranks that decide: two of them compare as they are."""


def name_and_ranks(cards: Sequence[Card]) -> tuple[str, list[int]]:
    """Name exactly this many cards, and give the deciding ranks, most important first.

    >>> from pitboss.cards import cards
    >>> name_and_ranks(cards("Kh 6c Kd 6d Ks")), name_and_ranks(cards("As 2s 3s"))
    (('full-house', [13, 6]), ('straight-flush', [3, 2, 1]))
    """
    counts = Counter(card.rank for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(counts[rank] for rank in ranks)
    if shape in SHAPES:
        return SHAPES[shape], ranks
    size = len(cards)
    suited = len({card.suit for card in cards}) == 1
    if size == 2:
        return "suited" if suited else "unsuited", ranks
    run = [*ranks[1:], 1] if ranks[:2] == [14, size] else ranks
    if run[0] - run[-1] != size - 1:
        return "flush" if suited else "high-card", ranks
    if not suited:
        return "straight", run
    return (ROYAL.get(size, "straight-flush") if run[0] == 14 else "straight-flush"), run


def _of_one_suit(cards: Sequence[Card], ranking: str) -> list[int]:
    """Return the ranks of the longest suit, or of the longest run in a suit, from the top.

    >>> from pitboss.cards import cards
    >>> _of_one_suit(cards("9h 4h 2h As Ks Qd Jd"), "flush-length")
    [9, 4, 2]
    >>> _of_one_suit(cards("9h 8h 6h As 2s 3s Jd"), "straight-flush-length")
    [3, 2, 1]
    """
    found: list[list[int]] = []
    for suit in {card.suit for card in cards}:
        ranks = {card.rank for card in cards if card.suit == suit}
        if ranking == "flush-length":
            found.append(sorted(ranks, reverse=True))
            continue
        low = ranks | ({1} if 14 in ranks else set())
        for top in ranks:
            run = [top]
            while run[-1] - 1 in low:
                run.append(run[-1] - 1)
            found.append(run)
    return max(found, key=lambda ranks: (len(ranks), ranks))


def best(cards: Sequence[Card | None], ranking: str) -> tuple[Value, str, list[int]]:
    """Return the best hand in these cards: its value, name and deciding ranks."""
    order = ORDER[ranking].split()
    held = [card for card in cards if card is not None]
    if ranking not in SIZE:
        ranks = _of_one_suit(held, ranking)
        return (len(ranks) - 1, ranks), order[len(ranks) - 1], ranks
    hands = []
    for chosen in combinations(held, SIZE[ranking]):
        name, ranks = name_and_ranks(chosen)
        hands.append(((order.index(name), ranks), name, ranks))
    return max(hands)


def row_of(rows: Iterable[Row], name: str, ranks: Sequence[int]) -> Row:
    """Return the row that pays a hand; a royal one without a row is a straight flush."""
    rows = list(rows)
    if name in ROYAL.values() and name not in [row.hand for row in rows]:
        name = "straight-flush"
    fitting = [
        row
        for row in rows
        if row.hand in ("any", name)
        and (row.of is None or row.of.low <= ranks[0] <= row.of.high)
        and (row.kicker is None or row.kicker.low <= (ranks[1:] or [0])[0] <= row.kicker.high)
    ]
    return max(
        fitting,
        key=lambda row: (
            *(row.meter or 0, row.award or 0, row.odds or 0),
            (row.hand == name) + (row.of is not None) + (row.kicker is not None),
        ),
    )
