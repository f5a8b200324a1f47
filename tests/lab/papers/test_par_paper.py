"""The par sheet on paper: every figure is on it, beside what it is about."""

from fractions import Fraction

import pytest

from pitboss.lab.papers.par_paper import paper
from pitboss.lab.report import by_event
from pitboss.maths.price import ratio
from pitboss.maths.side_wagers import rows_counted
from tests.helpers import DIAMOND_JO, HOLLYWOOD, LET_IT_RIDE, SENECA
from tests.lab.papers.reports import reported
from tests.pdf import pages_of, words_of

GAMES = [DIAMOND_JO.id, HOLLYWOOD.id, SENECA.id, LET_IT_RIDE.id, "common/caribbean-stud-envy"]


def percent(value: Fraction) -> str:
    """Rounded from the exact value, by whole numbers alone."""
    millionths = round(value * 10**8)
    return f"{'-' * (millionths < 0)}{abs(millionths) // 10**6}.{abs(millionths) % 10**6:06}%"


def decimal(value: Fraction) -> str:
    millionths = round(value * 10**6)
    return f"{abs(millionths) // 10**6}.{abs(millionths) % 10**6:06}"


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_is_on_it(game):
    made = reported(game)
    solution, statistics, book = made.solution, made.solution.statistics, made.solution.book
    words = words_of(paper(made))

    def says(*parts: str) -> None:
        assert " ".join(parts) in words, parts

    says("House edge, of the ante", percent(-solution.value), "exactly", ratio(-solution.value))
    says("Element of risk", percent(statistics.element_of_risk))
    says("Average wager, antes", decimal(statistics.average_wager))
    says("Standard deviation, antes", f"{statistics.standard_deviation:.6f}")
    says("Variance", decimal(statistics.variance))
    says("Skew", f"{statistics.skew:.4f}")
    says("Hit frequency", percent(statistics.hit_frequency))
    says(f"element of risk {ratio(statistics.element_of_risk)}")
    hour = made.per_hour
    says(f"House wins in {hour.hands} hands at {book.money(hour.ante_cents)}")
    says(book.money(hour.win_cents), "Standard deviation of that hour")
    says("Standard deviation of that hour", book.money(hour.deviation_cents))
    for event, deals, worth in by_event(solution):
        share = percent(Fraction(deals, solution.deals))
        folds = event.replace("fold-", "folds, decision ").replace("-", " ")
        says(folds, f"{deals:,}", share)
        says(f"{'+' if worth >= 0 else '-'}{decimal(worth)}")
    says(f"All {solution.deals:,} deals")
    for side in made.sides:
        spot = book.spots[side.spot]
        says(f"{spot.title}: house edge {percent(-side.value)} exactly {ratio(-side.value)}")
        whole = sum(row.ways for row in side.rows)
        for counted, row in zip(side.rows, book.tables[spot.table].rows, strict=True):
            share = percent(Fraction(counted.ways, whole))
            says(row.label, book.posted(row), f"{counted.ways:,}", share)
    for point in made.curve:
        says(book.money(point.ante_cents), percent(-point.value), ratio(-point.value))
    says("Its sha256", book.sha256)
    says("stay in, at the smallest best stake")
    for each in book.notice:
        says(each.text)


def test_what_belongs_together_is_on_one_page():
    """No heading is left behind by its chart, and no sheet says in two halves where it is from."""
    for game, first, last in (
        ("common/three-card-poker", "Where this comes from", "Exact figures"),
        (DIAMOND_JO.id, "Best play", "Suited above the diagonal"),
    ):
        pages = pages_of(paper(reported(game)))
        assert any(first in page and last in page for page in pages), game


def test_the_progressive_is_on_it():
    made, words = reported(SENECA.id), words_of(paper(reported(SENECA.id)))
    token = made.jackpot
    assert token is not None
    assert f"Fixed awards return, per token {decimal(token.fixed_return)}" in words
    assert f"Break-even meter {SENECA.money(token.break_even_cents)}" in words
    counted, _ = rows_counted(SENECA, SENECA.tables["progressive"])
    for row in SENECA.tables["progressive"].rows:
        assert f"{row.label} {SENECA.posted(row)} {counted[row.row]:,}" in words


@pytest.mark.parametrize("game", [DIAMOND_JO.id, SENECA.id])
def test_the_strategy_is_on_it(game):
    made, words = reported(game), words_of(paper(reported(game)))
    chart = made.chart
    assert chart is not None
    for band in chart.bands:
        assert f"{band.weakest} to {band.best}" in words
    if chart.grid:
        raised = [choice for row in chart.grid for choice in row if choice]
        assert words.count("3×") >= raised.count(3) > 0  # noqa: RUF001 - the sign of a raise
        assert words.count("1×") >= raised.count(1) > 0  # noqa: RUF001 - likewise


def test_a_second_time_it_is_the_same():
    assert paper(reported(SENECA.id)) == paper(reported(SENECA.id))
