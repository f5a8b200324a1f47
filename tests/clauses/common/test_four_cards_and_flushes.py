"""Four-card hands and long suits, by their files' numbered headings, money worked out by hand."""

import pytest

from pitboss.round import actions
from tests.helpers import (
    CRAZY_4,
    FOUR_CARD,
    HIGH_CARD_FLUSH,
    hand,
    line,
    refused,
    settled,
    stacked,
    started,
)

TWO_PAIR = "As Ac Kd Kc 7h 2s"


@pytest.mark.parametrize(
    ("held", "dealer", "back", "bonus"),
    [
        ("9c 9d 9h 4s 2d", TWO_PAIR, 20_00 + 60_00, 20_00),  # three of a kind beats two pair
        ("9c 9d 9h 4s 2d", "2s 2c 2d 2h 7h 8s", 0, 20_00),  # the bonus is paid on a loss too
        ("Ad Ah Ks Kh 3c", TWO_PAIR, 20_00 + 60_00, 0),  # as good as the dealer's wins
        ("Qd Qh Ks Kh 3c", TWO_PAIR, 0, 0),
        ("9c 8c 7c 6c 2d", TWO_PAIR, 20_00 + 60_00, 200_00),
        ("5c 5d 5h 5s 2d", TWO_PAIR, 20_00 + 60_00, 250_00),
    ],
)
def test_4__the_best_four_cards_are_compared(held, dealer, back, bonus):
    result = settled(FOUR_CARD, hand(FOUR_CARD, held, [3]), dealer=dealer)
    assert sum(line(result, spot).returned_cents for spot in ("ante", "play")) == back
    assert sum(x.won_cents for x in result.seats[0].lines if x.spot == "ante-bonus") == bonus
    assert result.seats[0].paid_cents == back + bonus


def test_2__the_dealers_sixth_card_lies_face_up():
    game = started(FOUR_CARD, {1: {"ante": 10_00}}, stacked("9c 9d 9h 4s 2d", "As Ac Kd Kc 7h 2s"))
    assert [str(card) for card in game.view(1).piles["dealer"] if card is not None] == ["2s"]
    assert [each.times for each in game.legal(1)] == [1, 2, 3, 0]


def test_6__aces_up_is_paid_by_the_players_own_cards():
    seat = hand(FOUR_CARD, "Ad Ah Ks 5h 3c", [0], side={"aces-up": 5_00})
    assert line(settled(FOUR_CARD, seat, dealer=TWO_PAIR), "aces-up").won_cents == 5_00


def crazy(held):
    return started(CRAZY_4, {1: {"ante": 10_00, "super-bonus": 10_00}}, stacked(held))


def test_3__more_than_one_ante_takes_a_pair_of_aces():
    game = crazy("Kc Kd 7h 5s 2c")
    assert [each.times or each.action for each in game.legal(1)] == [1, "fold"]
    said = refused(game, actions.Raise(1, 3))
    assert (said.code, said.clause) == ("raise/not-with-this-hand", "3")
    assert said.message == "3 times the ante takes a pair of aces or better"
    assert refused(game, actions.Raise(1, 4)).code == "raise/not-a-multiple"
    for held in ("Ac Ad 7h 5s 2c", "3c 3d 2h 2s 9c"):
        assert [each.times for each in crazy(held).legal(1)] == [1, 2, 3, 0]


def test_3__a_hand_that_nobody_has_read_is_taken_at_its_players_word():
    game = started(CRAZY_4, {1: {"ante": 10_00, "super-bonus": 10_00}}, [None] * 10)
    assert [each.times for each in game.legal(1)] == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("held", "dealer", "ante", "bonus", "play"),
    [
        ("Ac Ad 7h 5s 2c", "Qd Js 8c 6d 2h", 10_00, 10_00, 20_00),  # no king: Ante back, Play paid
        ("Jc Td 7h 5s 2c", "Qd Js 8c 6d 2h", 10_00, 0, 20_00),  # beaten by it all the same
        ("Kh Jh 9h 4h 3d", "Ad As 8c 6d 2h", 20_00, 25_00, 20_00),
        ("5d 4c 3h 2s Kc", "Ad Ah As 6d 2h", 0, 20_00, 0),  # a straight is paid though it loses
        ("Ac Ad Ah As 2c", "Kd Js 8c 6d 2h", 20_00, 2_010_00, 20_00),
        ("Kc Jd 9h 8s 2c", "Ad Js 8c 6d 2h", 0, 0, 0),
        ("Kc Jd 9h 8s 2c", "Kd Js 9c 8d 2h", 10_00, 10_00, 10_00),
    ],
)
def test_5__the_super_bonus_pays_its_rows_first(held, dealer, ante, bonus, play):
    result = settled(CRAZY_4, hand(CRAZY_4, held, [1]), dealer=dealer)
    paid = [line(result, spot).returned_cents for spot in ("ante", "super-bonus", "play")]
    assert paid == [ante, bonus, play]


def test_6__queens_up_begins_with_queens():
    for held, back in (
        ("Qc Qd 7h 5s 2c", 10_00),
        ("Jc Jd 7h 5s 2c", 0),
        ("2c 2d 2h 5s 7c", 9 * 5_00),  # eight to one, and the stake
    ):
        seat = hand(CRAZY_4, held, [1], side={"queens-up": 5_00})
        result = settled(CRAZY_4, seat, dealer="Kd Ts 8c 6d 2h")
        assert line(result, "queens-up").returned_cents == back


THREE_SPADES = "Ks 8s 3s Qc Tc 5d 6d"


@pytest.mark.parametrize(
    ("held", "dealer", "ante", "raised"),
    [
        ("Ah Jh 9h 4h 2h Kc 7d", THREE_SPADES, 20_00, 20_00),
        ("Ah Jh 9h Qd 2d Kc 7c", THREE_SPADES, 20_00, 20_00),
        ("Kh 8h 3h Qd 2d Jc 7c", THREE_SPADES, 10_00, 10_00),
        ("Th 8h 6h Js Ad Qd Jc", THREE_SPADES, 0, 0),
        ("7h 5h 2h Js Ad Qd Jc", "8s 7s 3s Qc Tc 5d 6d", 20_00, 10_00),  # eight high: no three
    ],
)
def test_4__the_longest_suit_counts(held, dealer, ante, raised):
    result = settled(HIGH_CARD_FLUSH, hand(HIGH_CARD_FLUSH, held, [1]), dealer=dealer)
    assert [line(result, spot).returned_cents for spot in ("ante", "raise")] == [ante, raised]


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        ("Ah Jh 9h 4h Kc 7d 2s", [1, 0]),
        ("Ah Jh 9h 4h 2h Kc 7d", [1, 2, 0]),
        ("Ah Jh 9h 4h 2h 3h 7d", [1, 2, 3, 0]),
        ("Ah Jh 9h 4h 2h 3h 5h", [1, 2, 3, 0]),
    ],
)
def test_3__longer_suits_raise_more(held, offered):
    deck = list(stacked(THREE_SPADES))
    cards = [each for pair in zip(stacked(held)[:7], deck, strict=False) for each in pair]
    game = started(HIGH_CARD_FLUSH, {1: {"ante": 10_00}}, cards)
    assert [each.times for each in game.legal(1)] == offered


def test_5__the_flush_wager_counts_cards():
    for held, won in (("Ah Jh 9h 4h 2h 3h 5h", 1500_00), ("Ah Jh 9h 4h Kc 7d 2s", 5_00)):
        seat = hand(HIGH_CARD_FLUSH, held, [0], side={"flush": 5_00})
        result = settled(HIGH_CARD_FLUSH, seat, dealer=THREE_SPADES)
        assert line(result, "flush").won_cents == won


def test_6__the_straight_flush_wager_counts_a_run():
    for held, won in (("Ah 2h 3h 9d Jc Kc 7d", 35_00), ("Ah Kh Qh Jh 2h 3h 5h", 300_00)):
        seat = hand(HIGH_CARD_FLUSH, held, [0], side={"straight-flush": 5_00})
        result = settled(HIGH_CARD_FLUSH, seat, dealer=THREE_SPADES)
        assert line(result, "straight-flush").won_cents == won
