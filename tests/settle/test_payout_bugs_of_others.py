"""Payout bugs that others have shipped: each was a wager that was won and not paid.

The third of them, a win that is shown and not credited, is a test of the pages:
``tests/web/pages/test_more_games.py``.
"""

from itertools import product
from typing import Any

import pytest

from pitboss.rulebook import Rulebook
from pitboss.settle import Line
from tests.helpers import (
    CASINO_HOLDEM,
    CRAZY_4,
    FOUR_CARD,
    HIGH_CARD_FLUSH,
    HOLDEM_BONUS,
    LET_IT_RIDE,
    THREE_CARD,
    ULTIMATE,
    hand,
    line,
    settled,
)

BELOW, WORSE, BETTER = "Jd 9h 4s", "Qd 9h 4s", "As Ks Qs"
"""What the dealer has: jack high does not qualify, queen high does, a straight flush wins."""


@pytest.mark.parametrize(("dealer", "play"), [*product((BELOW, WORSE, BETTER), (1, 0))])
def test_pair_plus_is_paid_though_the_dealer_does_not_qualify(dealer: str, play: int) -> None:
    seat = hand(THREE_CARD, "7h 7d 2c", [play], side={"pair-plus": 5_00})
    assert line(settled(THREE_CARD, seat, dealer=dealer), "pair-plus").won_cents == 5_00


def lost(
    book: Rulebook, held: str, wager: str, raises: list[int], **piles: Any
) -> tuple[Line, Line]:
    """The ante of a hand that loses, and a wager or a bonus of 10 dollars beside it."""
    side = {} if wager in book.bonuses or wager in book.equal else {wager: 10_00}
    found = settled(book, hand(book, held, raises, side=side), **piles)
    return line(found, book.ante.name), line(found, wager)


BEATEN: list[tuple[Rulebook, str, dict[str, str], str, int]] = [
    # A straight loses to a straight flush: 1 to 1 beside the Ante, 6 to 1 on Pair Plus.
    (THREE_CARD, "9h 8d 7c", {"dealer": BETTER}, "ante-bonus", 10_00),
    (THREE_CARD, "9h 8d 7c", {"dealer": BETTER}, "pair-plus", 60_00),
    # Three aces lose to four twos: 2 to 1 beside the Ante, 8 to 1 on Aces Up.
    (FOUR_CARD, "As Ac Ad 7h 3s", {"dealer": "2d 2s 2c 2h 5d 3c"}, "ante-bonus", 20_00),
    (FOUR_CARD, "As Ac Ad 7h 3s", {"dealer": "2d 2s 2c 2h 5d 3c"}, "aces-up", 80_00),
    # A flush loses to three of a kind: the Super Bonus 3 to 2, Queens Up 4 to 1.
    (CRAZY_4, "Ah Jh 8h 3h 2c", {"dealer": "Kd Ks Kc 9d 2s"}, "super-bonus", 15_00),
    (CRAZY_4, "Ah Jh 8h 3h 2c", {"dealer": "Kd Ks Kc 9d 2s"}, "queens-up", 40_00),
    # Four hearts lose to five spades: 1 to 1 on Flush, and three in a row 7 to 1.
    (
        *(HIGH_CARD_FLUSH, "Ah Kh Qh 4h 2c 3d 8d", {"dealer": "As 9s 4s 3s 2s 8c 6c"}),
        *("flush", 10_00),
    ),
    (
        *(HIGH_CARD_FLUSH, "Ah Kh Qh 4h 2c 3d 8d", {"dealer": "As 9s 4s 3s 2s 8c 6c"}),
        *("straight-flush", 70_00),
    ),
    # Sevens full lose to kings full: 9 to 1 on Trips.
    (ULTIMATE, "7h 7d", {"board": "7s Kd Kc 2h 2d", "dealer": "Ks 2c"}, "trips", 90_00),
    # Aces with the flop lose to a straight: 7 to 1 on the bonus.
    (
        *(CASINO_HOLDEM, "Ah Kd"),
        {"flop": "As 5c 6d", "turn-and-river": "7h 8s", "dealer": "9c 2d"},
        *("aa-bonus", 70_00),
    ),
    # Ace-king suited loses to a pair: 25 to 1.
    (HOLDEM_BONUS, "As Ks", {"board": "2h 5d 9c Jd 7s", "dealer": "2c 3c"}, "bonus", 250_00),
    # A pair of twos wins nothing, and is a pair in three cards: 1 to 1.
    (LET_IT_RIDE, "2s 2d 4c", {"board": "9h Ks"}, "three-card-bonus", 10_00),
]
"""Hands that lose, and what is won beside them."""

FOLDED = [
    each
    for each in BEATEN
    if "fold" in each[0].streets[0].otherwise
    and each[3] in each[0].spots
    and each[0].spots[each[3]].after_fold == "lives"
]
"""Those which might have folded, with a wager that lives on then."""


@pytest.mark.parametrize(("book", "held", "piles", "wager", "won"), BEATEN)
def test_a_bonus_is_not_lost_with_the_hand(
    book: Rulebook, held: str, piles: dict[str, Any], wager: str, won: int
) -> None:
    ante, beside = lost(
        book, held, wager, [step.times[0] for step in book.streets if step.times], **piles
    )
    assert (ante.outcome, beside.won_cents) == ("lose", won)


@pytest.mark.parametrize(("book", "held", "piles", "wager", "won"), FOLDED)
def test_a_side_wager_is_not_lost_with_a_hand_that_folds(
    book: Rulebook, held: str, piles: dict[str, Any], wager: str, won: int
) -> None:
    ante, beside = lost(book, held, wager, [0], **piles)
    assert (ante.outcome, beside.won_cents) == ("lose", won)
