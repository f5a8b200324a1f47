"""Bands of hands that are played alike: what they say, and what playing by them costs."""

from fractions import Fraction

from pitboss import maths
from pitboss.cards import cards
from pitboss.hands import ranking
from pitboss.lab.chart import Chart, chart, drawn, hand_name
from pitboss.lab.chart_reasons import reason
from pitboss.lab.chart_words import as_lines, how_words
from pitboss.maths import Seen, strategies
from pitboss.rulebook import load
from pitboss.wording import TIMES

THREE = load("common/three-card-poker")
CRAZY = load("common/crazy-4-poker")


def by_bands(made: Chart, order: str, seen: Seen) -> int:
    """Play by the chart as a person reads it."""
    places = {hand_name(hand): hand.strength for hand in ranking(order).classes}
    mine = ranking(order).strength(seen.cards)
    found = [
        band.choice for band in made.bands if places[band.weakest] <= mine <= places[band.best]
    ]
    assert len(found) == 1
    assert found[0] is not None
    return found[0]


def test_queen_six_four_is_the_whole_chart_of_three_cards() -> None:
    solution = maths.solve(THREE)
    made = chart(solution)
    assert drawn(solution)
    assert [(band.weakest, band.best, band.choice) for band in made.bands] == [
        ("high card 5-3-2", "high card Q-6-3", 0),
        ("high card Q-6-4", "mini royal A-K-Q", 1),
    ]
    assert (made.splits, made.loses) == ((), "0/1")
    played = maths.evaluate(THREE, lambda seen: by_bands(made, "three-card", seen))
    assert played.value == solution.value
    assert as_lines(made)[1:] == [
        f"  1{TIMES}                    high card Q-6-4 to mini royal A-K-Q",
        "  fold                  high card 5-3-2 to high card Q-6-3",
    ]
    for hand, why in (("Qs 6d 4h", "high card Q-6-4 or better"), ("2s 6d 4h", "Q-6-3 or weaker")):
        assert reason(solution, made, Seen(cards(hand))).endswith(why)


def test_a_grid_alone_says_what_its_marks_are_and_speaks_of_no_lists() -> None:
    grid = tuple(
        tuple(0 if low < 2 else -1 if low < 5 else 4 for low in range(13)) for _ in "a" * 13
    )
    made = Chart((), grid, ())
    first, _, head, more, *_ = as_lines(made)
    assert first == "Best play"
    assert f"{head} {more}".startswith(
        "Two cards: suited right of the diagonal, unsuited left of it; "
    )
    assert f"{head} {more}".endswith("; '.' is a fold and '-' is a check")
    assert how_words(made) == "Exact, for the first two cards."


def test_playing_by_the_bands_costs_what_the_chart_says() -> None:
    solution = maths.solve(CRAZY)
    made = chart(solution)
    assert [band.weakest for band in made.bands[1:]] == ["high card K-Q-8-4", "pair A-5-3"]
    best = maths.evaluate(CRAZY, strategies.NAMED["k-q-8-4"]).value
    assert Fraction(made.loses) == solution.value - best > 0
    assert {split.hand for split in made.splits} == {"high card K-Q-7-6", "high card K-Q-8-4"}
    assert sum(min(split.choices.values()) for split in made.splits) > 0
    assert "cost 0.000089% of the ante" in " ".join(as_lines(made))
    seen = Seen(cards("Ks Qd 8h 4c 2s"))
    assert reason(solution, made, seen) == "high card K-Q-8-4, and all cards that are seen"
