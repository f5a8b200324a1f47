"""Rounds of the games that came as files, one for each book: bets, hands and decisions."""

from typing import Any

from pitboss.cards import Card
from pitboss.rulebook import Rulebook
from tests.helpers import stacked

Playthrough = tuple[str, dict[int, dict[str, int]], tuple[Card, ...], list[dict[int, Any]]]


def one_by_one(*hands: str) -> str:
    """The order in which hands come that are dealt a card at a time."""
    return " ".join(card for cards in zip(*map(str.split, hands), strict=True) for card in cards)


HOLDEM = stacked(one_by_one("Ah Kh", "7c 2d", "Qs 9c"), "Qh Jh Th 3s 4d")
CARIBBEAN = stacked("9h 8h 7h 6h 5h", "Ac Jd 8c 4s 3d", "As Kc 9d 7c 2s")
BETS = {"ante": 10_00}
TWO = {1: BETS, 2: BETS}

_ULTIMATE: Playthrough = (
    "A royal flush raised four times; a folded hand keeps its Trips",
    {1: {**BETS, "trips": 5_00}, 2: {**BETS, "trips": 5_00}},
    HOLDEM,
    [{1: 4, 2: "check"}, {2: "check"}, {2: 0}],
)
_CARIBBEAN: Playthrough = (
    "A straight flush against ace-king; a folded hand keeps its bonus",
    {1: {**BETS, "five-card-bonus": 5_00}, 2: {**BETS, "five-card-bonus": 5_00}},
    CARIBBEAN,
    [{1: 2, 2: 0}],
)
PLAYTHROUGHS: dict[str, Playthrough] = {
    "common/let-it-ride": (
        "Three tens ride; two bets of a worse hand are taken back",
        {1: {"bet-3": 10_00, "three-card-bonus": 5_00}, 2: {"bet-3": 10_00}},
        stacked(one_by_one("Ts Td 4c", "9h 7d 2s"), "Th 2c"),
        [{1: "check", 2: "take-back"}, {1: "check", 2: "take-back"}],
    ),
    "common/three-card-poker": (
        "The dealer does not qualify: the bonus and Pair Plus are paid all the same",
        {1: {**BETS, "pair-plus": 5_00}, 2: {"pair-plus": 5_00}, 3: {**BETS, "pair-plus": 5_00}},
        stacked("Qs Js Ts", "8h 8d 2c", "9c 5d 2h", "Jd 9h 4s"),
        [{1: 1, 3: 0}],
    ),
    "common/ultimate-texas-holdem": _ULTIMATE,
    "pennsylvania/ultimate-texas-holdem-a": _ULTIMATE,
    "pennsylvania/ultimate-texas-holdem-c": _ULTIMATE,
    "common/casino-holdem": (
        "The dealer does not qualify: the Ante is paid by its table, the Call goes back",
        {1: {**BETS, "aa-bonus": 5_00}, 2: BETS},
        stacked(one_by_one("Ah Ad", "9c 8c", "3s 5d"), "As 7h 2c", "Kd Jd"),
        [{1: 2, 2: 0}],
    ),
    "common/texas-holdem-bonus": (
        "Three kings win the bets, and the Ante goes back",
        {1: {**BETS, "bonus": 5_00}, 2: BETS},
        stacked(one_by_one("Ks Kd", "Ah 5c", "Jc Jd"), "Kh 9s 4d 2c 7h"),
        [{1: 2, 2: 2}, {1: 1, 2: "check"}, {1: 1, 2: "check"}],
    ),
    "common/four-card-poker": (
        "Three nines beat two pair; a hand is folded",
        {1: {**BETS, "aces-up": 5_00}, 2: BETS},
        stacked("9c 9d 9h 4s 2d", "Ah Qd 8s 5c 3h", "As Ac Kd Kc 7h", "2s"),
        [{1: 3, 2: 0}],
    ),
    "common/crazy-4-poker": (
        "Aces raise three times and a flush once; the dealer does not qualify",
        {1: {**BETS, "queens-up": 5_00}, 2: BETS},
        stacked("Ac Ad 7h 5s 2c", "Kh Jh 9h 4h 3d", "Qd Js 8c 6d 2h"),
        [{1: 3, 2: 1}],
    ),
    "common/high-card-flush": (
        "Five hearts raise twice; three hearts lose to three spades",
        {1: {**BETS, "flush": 5_00}, 2: {**BETS, "straight-flush": 5_00}},
        stacked(one_by_one("Ah Jh 9h 4h 2h Kc 7d", "Th 8h 6h Js Ad Qd Jc", "Ks 8s 3s Qc Tc 5d 6d")),
        [{1: 2, 2: 1}],
    ),
    "common/caribbean-stud": _CARIBBEAN,
    "common/caribbean-stud-royal": _CARIBBEAN,
    "common/caribbean-stud-envy": _CARIBBEAN,
}


def with_equal(book: Rulebook, bets: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
    return {seat: book.with_equal(wagers) for seat, wagers in bets.items()}
