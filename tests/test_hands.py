"""Cards, hands and money against textbook counts, a second evaluator and exact arithmetic."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.cards import DECK, RANKS, SUITS, Card, card, cards, shuffled, text
from pitboss.errors import Unreadable
from pitboss.hands import rank_of, ranking
from pitboss.money import (
    MOST_CENTS,
    Odds,
    Percent,
    cents,
    chips,
    divide,
    odds,
    percent,
    split,
    times,
)
from pitboss.money import text as money_text

in_any_time = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no fault."""

# Cards -------------------------------------------------------------------------------------------


def test_all_52_cards_write_and_read_themselves():
    assert len(set(DECK)) == 52
    assert [card(str(each)) for each in DECK] == list(DECK)
    assert [(RANKS[each.rank - 2], each.suit) for each in DECK] == [
        (rank, suit) for rank in RANKS for suit in SUITS
    ]
    assert cards(text(DECK)) == DECK


@pytest.mark.parametrize(
    ("written", "read"),
    [("10h", "Th"), ("th", "Th"), ("AS", "As"), (" kd ", "Kd"), ("2C", "2c"), ("10S", "Ts")],
)
def test_capitals_spaces_and_10_do_not_matter(written, read):
    assert str(card(written)) == read


@pytest.mark.parametrize(
    "written", ["", " ", "A", "s", "1s", "11h", "10", "Ax", "sA", "Ass", "A s", "??", "T0h", "0h"]
)
def test_what_is_not_a_card(written):
    with pytest.raises(Unreadable, match="is not a card"):
        card(written)


def test_cards_are_separated_by_spaces_or_commas_and_come_once():
    assert cards("As,Kd  10c") == (card("As"), card("Kd"), card("Tc"))
    assert cards("") == ()
    with pytest.raises(Unreadable, match="Th appears twice"):
        cards("Th Kd 10h")


def test_a_hidden_card_is_written_as_such():
    assert text((card("As"), None)) == "As ??"


def test_a_shuffle_is_a_whole_deck_and_follows_its_chance():
    assert sorted(shuffled(random.Random(1))) == list(DECK)
    assert shuffled(random.Random(1)) == shuffled(random.Random(1))
    assert shuffled(random.Random(1)) != shuffled(random.Random(2))


# What hands are worth ----------------------------------------------------------------------------

FIVE = {
    "royal-flush": (1, 4),
    "straight-flush": (9, 36),
    "four-of-a-kind": (156, 624),
    "full-house": (156, 3_744),
    "flush": (1_277, 5_108),
    "straight": (10, 10_200),
    "three-of-a-kind": (858, 54_912),
    "two-pair": (858, 123_552),
    "pair": (2_860, 1_098_240),
    "high-card": (1_277, 1_302_540),
}
THREE = {
    "mini-royal": (1, 4),
    "straight-flush": (11, 44),
    "three-of-a-kind": (13, 52),
    "straight": (12, 720),
    "flush": (274, 1_096),
    "pair": (156, 3_744),
    "high-card": (274, 16_440),
}
TWO = {"pair": (13, 78), "suited": (78, 312), "unsuited": (78, 936)}
BOOK = [("five-card", 5, FIVE), ("three-card", 3, THREE), ("two-card", 2, TWO)]


@cache
def frequencies(order: str, size: int) -> Counter[int]:
    """How many hands of the whole deck have each strength."""
    return Counter(map(ranking(order).strength, combinations(DECK, size)))


@pytest.mark.parametrize(("order", "size", "known"), BOOK, ids=[each[0] for each in BOOK])
def test_every_category_has_its_textbook_classes_and_frequency(order, size, known):
    classes = ranking(order).classes
    assert Counter(each.category for each in classes) == {
        category: count for category, (count, _) in known.items()
    }
    found: Counter[str] = Counter()
    for strength, how_many in frequencies(order, size).items():
        found[classes[strength - 1].category] += how_many
    assert found == {category: hands for category, (_, hands) in known.items()}
    assert list(known) == list(reversed(ranking(order).categories))


def test_there_are_7_462_five_card_classes_numbered_from_the_weakest():
    classes = ranking("five-card").classes
    assert [each.strength for each in classes] == list(range(1, 7_463))
    assert set(frequencies("five-card", 5)) == set(range(1, 7_463))
    assert (classes[0].ranks, classes[-1].category) == ((7, 5, 4, 3, 2), "royal-flush")


def test_every_class_of_a_category_is_equally_frequent():
    each_class = {
        "royal-flush": 4,
        "straight-flush": 4,
        "four-of-a-kind": 4,
        "full-house": 4 * 6,
        "flush": 4,
        "straight": 4**5 - 4,
        "three-of-a-kind": 4 * 4 * 4,
        "two-pair": 6 * 6 * 4,
        "pair": 6 * 4**3,
        "high-card": 4**5 - 4,
    }
    hands = frequencies("five-card", 5)
    for each in ranking("five-card").classes:
        assert hands[each.strength] == each_class[each.category]


def plain_five(held: tuple[Card, ...]) -> tuple[int, list[int]]:
    """A second evaluator: sort ranks by how often they come, then look at shape, run and suit."""
    ranks = sorted((each.rank for each in held), reverse=True)
    grouped = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    shape = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if ranks == [14, 5, 4, 3, 2]:
        ranks = grouped = [5, 4, 3, 2, 1]
    run = shape == [1] * 5 and ranks[0] - ranks[4] == 4
    flush = len({each.suit for each in held}) == 1
    if run and flush:
        return 8, grouped
    if run or flush:
        return (5 if flush else 4), grouped
    shapes = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [], [], [3, 2], [4, 1]]
    return shapes.index(shape), grouped


@pytest.mark.parametrize("size", [5, 6])
def test_strength_agrees_with_a_second_evaluator_on_20_000_hands(size):
    chance = random.Random(size)
    five = ranking("five-card")
    hands = [tuple(chance.sample(DECK, size)) for _ in range(20_000)]
    both = sorted(
        (max(map(plain_five, combinations(held, 5))), five.strength(held)) for held in hands
    )
    for (plain, strength), (next_plain, next_strength) in pairwise(both):
        assert (plain == next_plain) == (strength == next_strength)
        assert strength <= next_strength


def test_too_few_cards_are_no_hand():
    with pytest.raises(ValueError, match="needs 5 cards, not 4"):
        ranking("five-card").strength(cards("As Ks Qs Js"))


@pytest.mark.parametrize(
    ("order", "held", "name"),
    [
        ("five-card", "Ah Kh Qh Jh Th", "royal flush"),
        ("five-card", "5h 4h 3h 2h Ah", "straight flush, five high"),
        ("five-card", "6h 6d 6c 6s 2h", "four of a kind, sixes"),
        ("five-card", "Kh Kd Kc 6s 6h", "full house, kings over sixes"),
        ("five-card", "Qh 9h 7h 3h 2h", "flush, queen high"),
        ("five-card", "Ah Kd Qc Js Th", "straight, ace high"),
        ("five-card", "5h 4d 3c 2s Ah", "straight, five high"),
        ("five-card", "3h 3d 3c Js 2h", "three of a kind, threes"),
        ("five-card", "2h 2d Tc Ts Ah", "two pair, tens and twos"),
        ("five-card", "Jh Jd 9c 5s 2h", "pair of jacks"),
        ("five-card", "Ah Kd 9c 5s 2h", "ace-king high"),
        ("five-card", "Ah Qd 9c 5s 2h", "ace high"),
        ("three-card", "Qs Ks As", "mini-royal"),
        ("three-card", "As 2s 3s", "straight flush, three high"),
        ("three-card", "6s 6d 6h", "three of a kind, sixes"),
        ("three-card", "6s 6d Ah", "pair of sixes"),
        ("two-card", "As Js", "ace-jack suited"),
        ("two-card", "2d As", "ace-two unsuited"),
        ("two-card", "8d 8s", "pair of eights"),
    ],
)
def test_what_people_call_it(order, held, name):
    assert ranking(order).best(cards(held)).name == name


@pytest.mark.parametrize(
    ("symbol", "rank"), [("2", 2), ("10", 10), ("t", 10), ("J", 11), ("A", 14)]
)
def test_ranks_are_read(symbol, rank):
    assert rank_of(symbol) == rank


@pytest.mark.parametrize("symbol", ["", "1", "11", "X", "AA"])
def test_what_is_not_a_rank(symbol):
    with pytest.raises(ValueError, match="substring not found"):
        rank_of(symbol)


# Money -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "worth"),
    [
        ("5", 5_00),
        ("5.00", 5_00),
        ("$5", 5_00),
        ("0.01", 1),
        ("25,000.00", 25_000_00),
        ("$1,234,567.89", 1_234_567_89),
        (" 25000 ", 25_000_00),
        ("100,000,000,000.00", MOST_CENTS),
    ],
)
def test_money_is_read(written, worth):
    assert cents(written) == worth


@pytest.mark.parametrize(
    "written",
    [
        *("", "$", "-5.00", "5.0", "5.000", ".50", "5.", "1,00", "12,3456", "1,2345.00", "5 00"),
        *("1e3", "five", "5.00 USD", "0x10", "nan", "100,000,000,000.01", "9" * 39, "9" * 400),
    ],
)
def test_what_is_not_money(written):
    with pytest.raises(Unreadable):
        cents(written)


@in_any_time
@given(st.integers(0, MOST_CENTS))
def test_money_writes_and_reads_itself(worth):
    assert cents(money_text(worth)) == worth
    assert money_text(-worth) == ("-" if worth else "") + money_text(worth)


@pytest.mark.parametrize(
    ("written", "worth", "said"),
    [
        ("500 to 1", Fraction(500), "500 to 1"),
        ("3 to 2", Fraction(3, 2), "3 to 2"),
        ("3:2", Fraction(3, 2), "3 to 2"),
        ("Even", Fraction(1), "1 to 1"),
        ("push", Fraction(0), "push"),
        ("lose", Fraction(-1), "lose"),
    ],
)
def test_odds_are_read(written, worth, said):
    assert odds(written) == worth
    assert str(odds(written)) == said
    assert odds(str(odds(written))) == odds(written)


@pytest.mark.parametrize(
    "written",
    [
        *("", "3", "0 to 1", "3 to 0", "-3 to 2", "3/2", "1.5 to 1", "three to two", "3 for 3"),
        *("1234567 to 1", "3 to 2 to 1", "win"),
    ],
)
def test_what_is_not_odds(written):
    with pytest.raises(Unreadable, match=r"is not odds|no more than the stake"):
        odds(written)


@pytest.mark.parametrize(
    ("written", "worth"),
    [
        ("70%", Fraction(7, 10)),
        ("100 %", Fraction(1)),
        ("0%", Fraction(0)),
        ("12.3456%", Fraction(123_456, 1_000_000)),
    ],
)
def test_percentages_are_read(written, worth):
    assert percent(written) == worth
    assert percent(str(percent(written))) == worth


@pytest.mark.parametrize("written", ["", "70", "-1%", "101%", "100.0001%", "1.23456%", "a%", "%"])
def test_what_is_not_a_percentage(written):
    with pytest.raises(Unreadable):
        percent(written)


@pytest.mark.parametrize(
    ("worth", "factor", "down", "nearest", "up"),
    [
        (5_00, Odds(3, 2), 7_50, 7_50, 7_50),
        (5_01, Odds(3, 2), 7_51, 7_52, 7_52),
        (1_00, Fraction(1, 3), 33, 33, 34),
        (2_00, Fraction(1, 3), 66, 67, 67),
        (1, Percent(7, 10), 0, 1, 1),
        (0, Odds(500), 0, 0, 0),
    ],
)
def test_times_rounds_a_fraction_of_a_cent_as_told(worth, factor, down, nearest, up):
    assert times(worth, factor) == down
    assert [times(worth, factor, way) for way in ("down", "nearest", "up")] == [down, nearest, up]


CLAIMS = st.lists(st.integers(0, 10**9), min_size=1, max_size=8)


@in_any_time
@given(CLAIMS, st.integers(0, 10**10))
def test_shares_sum_to_the_total_and_never_exceed_a_claim(claims, total):
    shares = divide(total, claims)
    assert sum(shares) == min(total, sum(claims))
    assert all(0 <= share <= claim for share, claim in zip(shares, claims, strict=True))


@in_any_time
@given(CLAIMS, st.integers(0, 10**10), st.sampled_from([1, 5, 100, 500]))
def test_shares_lie_within_one_unit_of_the_exact_quota(claims, total, unit):
    claims, total = [claim * unit for claim in claims], total * unit
    whole = sum(claims)
    shares = divide(total, claims, unit)
    assert sum(shares) == min(total, whole)
    for share, claim in zip(shares, claims, strict=True):
        assert share % unit == 0
        quota = Fraction(min(total, whole) * claim, whole) if whole else 0
        assert abs(share - quota) < unit


@in_any_time
@given(CLAIMS, st.integers(0, 10**10), st.integers(1, 500))
def test_whatever_the_unit_nobody_gets_more_than_the_claim_or_the_total(claims, total, unit):
    shares = divide(total, claims, unit)
    assert sum(shares) <= total
    assert all(0 <= share <= claim for share, claim in zip(shares, claims, strict=True))


@in_any_time
@given(CLAIMS, st.integers(0, 10**10))
def test_a_larger_claim_or_an_equal_earlier_one_never_gets_less(claims, total):
    shares = divide(total, claims)
    for first, second in combinations(range(len(claims)), 2):
        if claims[first] >= claims[second]:
            assert shares[first] >= shares[second]
        else:
            assert shares[first] <= shares[second]


@in_any_time
@given(st.integers(0, 10**10), st.lists(st.fractions(Fraction(1, 100), 1), min_size=1, max_size=6))
def test_a_split_leaves_nothing_and_lies_within_a_cent_of_the_exact_parts(total, parts):
    shares = split(total, parts)
    assert sum(shares) == total
    for share, part in zip(shares, parts, strict=True):
        assert abs(share - total * part / sum(parts)) < 1


def test_equal_remainders_go_to_the_earlier_claim():
    assert divide(10, [10, 10, 10]) == [4, 3, 3]
    assert divide(11, [10, 10, 10]) == [4, 4, 3]
    assert divide(7, []) == []


RACK = [500_00, 100_00, 25_00, 5_00, 1_00]


def test_chips_are_counted_out_from_the_largest():
    assert chips(1_037_50, RACK) == ([(500_00, 2), (25_00, 1), (5_00, 2), (1_00, 2)], 50)
    assert chips(99, RACK) == ([], 99)
    assert chips(0, RACK) == ([], 0)
    assert chips(30_00, list(reversed(RACK))) == ([(25_00, 1), (5_00, 1)], 0)


@in_any_time
@given(st.integers(0, 10**9))
def test_chips_and_what_is_left_make_up_the_money(worth):
    stacks, left = chips(worth, RACK)
    assert sum(each * count for each, count in stacks) + left == worth
    assert 0 <= left < 1_00
    # No stack could be coloured up: what lies below a chip is always worth less than it.
    for each, _ in stacks:
        assert sum(small * count for small, count in stacks if small < each) + left < each


# Four cards, and long suits -------------------------------------------------------------------


def test_every_four_cards_are_counted_by_category():
    order = ranking("four-card")
    found = Counter(order.best(held).category for held in combinations(DECK, 4))
    assert found == {
        "four-of-a-kind": 13,
        "straight-flush": 11 * 4,
        "three-of-a-kind": 13 * 4 * 48,
        "flush": 4 * (715 - 11),
        "straight": 11 * (4**4 - 4),
        "two-pair": 78 * 6 * 6,
        "pair": 13 * 6 * 66 * 4 * 4,
        "high-card": (715 - 11) * (4**4 - 4),
    }


@pytest.mark.parametrize(
    ("name", "weaker", "better"),
    [
        ("four-card", "9c 9d 8h 8s", "5c 4d 3h 2s"),  # two pair, a straight
        ("four-card", "5c 4d 3h 2s", "9c 7c 4c 2c"),  # a straight, a flush
        ("four-card", "9c 7c 4c 2c", "2c 2d 2h 3s"),  # a flush, three of a kind
        ("four-card", "Ah 2d 3s 4c", "5c 4d 3h 2s"),  # an ace is low
        ("four-card", "Kc Kd Kh 2s", "Ad 4h 3h 2h Ah"),  # the best four of five
        ("flush-length", "Ac Kc Ad Kd", "4c 3c 2c Ah"),
        ("flush-length", "Kc Qc Jc Ah", "Ac 3c 2c Kh"),
        ("flush-length", "Kc Qc Jc 9h 8h 2h", "Kc Qc Jc Ah 3h 2h"),  # of two suits the better
        ("straight-flush-length", "Ac Qc Tc 8c", "3c 2c Ah"),
        ("straight-flush-length", "4c 3c 2c", "5c 4c 3c"),
        ("straight-flush-length", "Kc Ac 3d", "Ac 2c 3c"),
    ],
)
def test_which_is_better(name, weaker, better):
    order = ranking(name)
    assert order.strength(cards(weaker)) < order.strength(cards(better))


def test_a_suit_of_eight_cards_is_no_hand_here():
    with pytest.raises(ValueError, match="up to 7 cards"):
        ranking("flush-length").strength(cards("Ac Kc Qc Jc Tc 9c 8c 7c"))


def test_odds_for_one():
    assert (odds("40 for 1"), str(odds("40 for 1"))) == (odds("39 to 1"), "40 for 1")
    assert str(odds("3 for 2")) == "3 for 2"
