"""Books compared, and with other odds: any hand of any table may be named, and no more changes."""

from fractions import Fraction

import pytest

from pitboss.audit.hands import row_of
from pitboss.errors import Unreadable
from pitboss.money import odds
from pitboss.rulebook import Rulebook, ids, load, parse
from pitboss.rulebook.loader import source
from pitboss.rulebook.variants import diff, with_pays
from tests.helpers import (
    CASINO_HOLDEM,
    CRAZY_4,
    FOUR_CARD,
    HIGH_CARD_FLUSH,
    HOLDEM_BONUS,
    LET_IT_RIDE,
    MISSISSIPPI,
    SENECA,
    THREE_CARD,
    ULTIMATE,
)

HANDS = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair",
)
TABLES = [
    (THREE_CARD, "ante-bonus"),
    (THREE_CARD, "pair-plus"),
    (ULTIMATE, "blind"),
    (ULTIMATE, "trips"),
    (CASINO_HOLDEM, "ante"),
    (HOLDEM_BONUS, "ante"),
    (FOUR_CARD, "ante-bonus"),
    (FOUR_CARD, "aces-up"),
    (CRAZY_4, "super-bonus"),
    (LET_IT_RIDE, "main"),
]


@pytest.mark.parametrize("at", ["30 to 1", "1 to 2", "push"])
@pytest.mark.parametrize(("book", "name"), TABLES, ids=lambda each: getattr(each, "game", each))
def test_every_hand_of_a_table_takes_other_odds(book: Rulebook, name: str, at: str) -> None:
    before, wanted = book.tables[name], odds(at)
    nothing = odds("lose") if name in book.bonuses else odds("push")
    for hand in (each for each in HANDS if each in before.order.categories):
        rows = [row for row in before.rows if row.hand == hand]
        limited = len(rows) == 1 and (rows[0].of or rows[0].kicker)
        if len(rows) > 1 or (limited and at == "1 to 2"):
            continue  # by the row's own name
        after = with_pays(book, {f"{name}.{hand}": wanted}).tables[name]
        for each in before.order.classes:
            then, now = before.row_for(each.strength), after.row_for(each.strength)
            kind = "straight-flush" if each.category in ("royal-flush", "mini-royal") else ""
            named = {row.hand for row in before.rows} | {hand}
            called = each.category if each.category in named or not kind else kind
            if called == hand and (not limited or then.hand == hand):
                assert now.odds == (wanted or nothing), each.name
            else:
                assert now.odds == then.odds, each.name


def test_a_royal_comes_apart_from_the_straight_flush_that_it_is() -> None:
    after = with_pays(THREE_CARD, {"pair-plus.mini-royal": odds("50 to 1")}).tables["pair-plus"]
    assert [(row.row, str(row.odds)) for row in after.rows][:2] == [
        ("mini-royal", "50 to 1"),
        ("straight-flush", "40 to 1"),
    ]


@pytest.mark.parametrize(
    ("book", "name", "says"),
    [
        (MISSISSIPPI, "pair", "the main table has royal-flush, .*jacks-or-better"),
        (ULTIMATE, "trips.strait", "trips has royal-flush, .*three-of-a-kind, nothing"),
        (ULTIMATE, "tripps.straight", "tables are blind, trips"),
        (SENECA, "progressive.flush", "pays awards, not odds"),
    ],
)
def test_what_there_is_none_of_is_told_with_what_there_is(
    book: Rulebook, name: str, says: str
) -> None:
    with pytest.raises(Unreadable, match=says):
        with_pays(book, {name: odds("2 to 1")})


@pytest.mark.parametrize(("row", "at"), [("four-aces", "30 to 1"), ("four-of-a-kind", "200 to 1")])
def test_four_aces_may_pay_as_any_four_do(row: str, at: str) -> None:
    after = with_pays(CRAZY_4, {f"super-bonus.{row}": odds(at)}).tables["super-bonus"]
    fours = [each for each in after.order.classes if each.category == "four-of-a-kind"]
    assert {after.row_for(each.strength).odds for each in fours} == {odds(at)}
    by_name = {after.row_for(each.strength).row: each.ranks[0] for each in fours}
    assert by_name == {"four-aces": 14, "four-of-a-kind": 13}  # the best that each row pays
    for each in fours:
        row_paid = row_of(after.rows, each.category, each.ranks)
        assert row_paid == after.row_for(each.strength)


def test_several_at_once() -> None:
    pays = {"ante.pair": odds("push"), "ante.straight": odds("4 to 1")}
    rows = with_pays(load("common/casino-holdem"), pays).tables["ante"].rows
    assert {row.row: row.odds for row in rows if row.odds in (0, 4)} == {
        "pair": Fraction(0),
        "straight": Fraction(4),
    }


@pytest.mark.parametrize("hand", ["three-card-flush", "two-card-flush"])
def test_a_hand_gets_a_row_where_others_are_none_that_its_cards_can_make(hand: str) -> None:
    """Of seven cards two at least are of a suit: no row is made for one alone."""
    after = with_pays(HIGH_CARD_FLUSH, {f"flush.{hand}": odds("push")}).tables["flush"]
    before = HIGH_CARD_FLUSH.tables["flush"]
    for each in after.order.classes:
        if after.order.can_make(each, 7):
            then = before.row_for(each.strength).odds
            assert after.row_for(each.strength).odds == (0 if each.category == hand else then)
    with pytest.raises(Unreadable, match="no hand ever reaches 'one-card-flush'"):
        with_pays(HIGH_CARD_FLUSH, {"flush.one-card-flush": odds("push")})


@pytest.mark.parametrize("turned", [False, True])
def test_everything_else_may_pay_more_while_a_better_hand_pays_less(turned: bool) -> None:
    pays = {"bet.straight": odds("push"), "bet.one-pair-or-less": odds("5 to 2")}
    order = reversed(pays) if turned else pays
    after = with_pays(load("common/caribbean-stud"), {row: pays[row] for row in order}).tables[
        "bet"
    ]
    by_hand = {each.category: after.row_for(each.strength).odds for each in after.order.classes}
    assert by_hand["straight"] == 0
    assert {by_hand[hand] for hand in ("pair", "high-card")} == {Fraction(5, 2)}
    assert by_hand["three-of-a-kind"] == 3


@pytest.mark.parametrize("name", ids())
def test_the_same_text_read_twice_differs_in_nothing(name: str) -> None:
    assert diff(parse(source(name)), parse(source(name))) == []


def test_multiples_for_good_hands_are_compared_in_the_words_of_the_file() -> None:
    text = source(CRAZY_4.id)
    kings = parse(text.replace('hand = "pair", of = "A"', 'hand = "pair", of = "K-A"'))
    (found,) = diff(CRAZY_4, kings)
    said = "decide: into play, times 1, of ante, more (times 2, 3, hand pair, of {})"
    assert found.path == "script.1"
    assert found.ours == said.format("A") + ", otherwise fold, timeout fold"
    assert found.theirs == said.format("K-A") + ", otherwise fold, timeout fold"
