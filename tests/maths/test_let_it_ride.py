"""Wagers that are taken back: one pay table, two decisions, and three equal wagers."""

from fractions import Fraction

from pitboss import maths
from pitboss.cards import cards
from pitboss.lab import protect
from pitboss.maths import strategies
from pitboss.maths.decisions import CHECK, TAKE_BACK
from pitboss.rulebook import load, parse
from pitboss.rulebook.loader import HOUSES

RIDE = load("common/let-it-ride")


def test_value_is_exact_and_ties_change_only_the_wager() -> None:
    ridden, taken = (maths.solve(RIDE, ties=ties) for ties in ("stay", "fold"))
    assert ridden.value == taken.value == Fraction(-37963, 1082900)
    assert round(float(ridden.statistics.average_wager), 6) == 1.232084
    assert round(float(taken.statistics.average_wager), 6) == 1.223707
    assert round(float(ridden.statistics.element_of_risk), 6) == 0.028453
    assert round(float(taken.statistics.element_of_risk), 6) == 0.028648


def test_a_tie_is_four_to_an_outside_straight_without_a_high_card() -> None:
    seen = maths.Seen(cards("9s 8d 7c"), cards("6h"), None, (TAKE_BACK,))
    found = maths.solve(RIDE).worth(seen)
    assert found[CHECK] == found[TAKE_BACK]
    assert maths.solve(RIDE, ties="stay").choice(seen) == CHECK
    assert maths.solve(RIDE, ties="fold").choice(seen) == TAKE_BACK


def test_the_published_strategy_is_best() -> None:
    assert maths.evaluate(RIDE, strategies.NAMED["ride"]).value == maths.solve(RIDE).value


def test_community_cards_that_are_known() -> None:
    assert protect.keys(RIDE) == ("10", "01", "11")
    first, second, both = (protect.known(RIDE, key) for key in protect.keys(RIDE))
    assert second == Fraction(66142, 270725)
    assert round(float(second), 8) == 0.24431434
    assert maths.solve(RIDE).value < first < second < both


def test_all_known_by_going_through_every_hand() -> None:
    """Who knows both cards leaves both wagers up on a win, and takes both back otherwise."""
    table = RIDE.tables["main"]
    counts = maths.side_wagers.ways_by_strength("five-card", 5)
    total = Fraction(0)
    for strength, ways in enumerate(counts[1:], start=1):
        paid = table.row_for(strength).odds
        assert paid is not None
        total += ways * (3 * paid if paid > 0 else paid)
    assert protect.known(RIDE, "11") == Fraction(total, sum(counts))


def test_marked_backs_are_priced() -> None:
    tens = protect.told(RIDE, protect.group("TJQKA"))
    assert maths.solve(RIDE).value < tens < protect.known(RIDE, "11")


def test_an_equal_wager_that_nobody_may_take_back_is_staked_too() -> None:
    third = '[[spot]]\nname = "bet-3"'
    fourth = (
        '[[spot]]\nname = "bet-4"\ntitle = "Bet 4"\nkind = "main"\nrequired = true\n'
        'equals = "bet-3"\ntable = "main"\nclause = "2"\n\n'
    )
    text = (HOUSES / f"{RIDE.id}.toml").read_text("utf-8")
    more = maths.solve(parse(text.replace(third, fourth + third, 1)))
    counted, hands = maths.side_wagers.rows_counted(RIDE, RIDE.tables["main"])
    rides = sum(
        Fraction(counted[row.row], hands) * row.odds
        for row in RIDE.tables["main"].rows
        if row.odds is not None
    )
    assert more.value == maths.solve(RIDE).value + rides
    assert more.statistics.average_wager == maths.solve(RIDE).statistics.average_wager + 1
