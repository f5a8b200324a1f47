"""Prices that pages show, beside the oracles and everything else that prices the same games."""

from collections import Counter
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import isclose

import msgspec
import pytest
from msgspec.structs import replace

from pitboss import maths
from pitboss.errors import Unreadable
from pitboss.house.storage import codec
from pitboss.lab.clause_prices import Pricing
from pitboss.maths.price import HANDS_PER_HOUR, At, per_hour
from pitboss.money import cents
from pitboss.rulebook import Rulebook
from pitboss.web.pages.prices import Figure, Price, price, solved
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA
from tests.maths.test_oracles import counted, one_by_one, suit_blind, value
from tests.small_books import TAKE_BACK

EVERY = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)


def priced(book: Rulebook) -> Price:
    found = price(book)
    assert found is not None
    return found


def edge(book: Rulebook, spot: str) -> Fraction:
    found = next(each.edge for each in priced(book).sides if each.spot == spot)
    assert found is not None
    return found.exact


def percent(exact: Fraction) -> str:
    """Two decimals by way of long division."""
    whole = Decimal(exact.numerator * 100) / Decimal(exact.denominator)
    return f"{whole.quantize(Decimal('0.01'), ROUND_HALF_EVEN)}%"


@EVERY
def test_side_wagers_cost_what_counting_every_hand_says(book):
    sizes = {"pocket-bonus": 2, "board-bonus": 3, "three-card-bonus": 3, "lo-ball": 5, "all-six": 6}
    for side in priced(book).sides:
        spot = book.spots[side.spot]
        hands = one_by_one if sizes[spot.table] < 4 else suit_blind
        counts: Counter[str] = counted(book, spot.table, hands(sizes[spot.table]))
        assert edge(book, side.spot) == -value(book, spot.table, counts)
        assert side.title == spot.title
    assert len(priced(book).sides) == sum(spot.kind == "side" for spot in book.spot)


@pytest.mark.parametrize(
    ("book", "lost"),
    [
        (MISSISSIPPI, Fraction(53223, 1082900)),
        (HOLLYWOOD, Fraction(2911, 19110)),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_the_published_edges(book, lost):
    assert priced(book).edge == Figure(percent(lost), lost)


def test_a_ceiling_that_bites_at_ten_dollars_is_in_the_price():
    """A royal flush with every raise at its most would win 50,000 at 500 to 1: half is paid."""
    free = msgspec.structs.replace(DIAMOND_JO, cap=())
    lost = Fraction(53223, 1082900)
    assert priced(free).edge == Figure(percent(lost), lost)
    assert priced(DIAMOND_JO).edge.exact == -maths.solve(DIAMOND_JO, 10_00).value > lost


@EVERY
def test_everything_is_what_the_difference_of_books_has(book):
    """`rules diff` prices every wager in a way of its own."""
    other, found = Pricing(book, book, At(10_00)), priced(book)
    assert other.value(book, book.ante.name) == -found.edge.exact
    for side in found.sides:
        assert other.value(book, side.spot) == -edge(book, side.spot)
    if found.progressive is not None:
        assert other.value(book, found.progressive.spot) == -found.progressive.edge.exact
    assert (found.progressive is None) == (book.progressive is None)


@EVERY
def test_the_statistics_are_those_of_the_par_sheet(book):
    found, solution = priced(book), maths.solve(book, 10_00)
    figures = solution.statistics
    assert isclose(found.risk.exact, figures.element_of_risk)
    assert isclose(float(found.deviation.exact) ** 0.5, figures.standard_deviation)
    assert found.deviation.text == f"{figures.standard_deviation:.2f}"
    hour = per_hour(solution, HANDS_PER_HOUR)
    assert found.hour_hands == hour.hands
    assert round(found.hour.exact * hour.ante_cents / found.hour_ante_cents) == hour.win_cents
    assert found.hour_ante_cents == 10_00


@EVERY
def test_text_is_rounded_from_the_exact_value(book):
    found = priced(book)
    parts = [found.edge, found.risk, *(side.edge for side in found.sides if side.edge)]
    parts += [found.progressive.edge] if found.progressive else []
    for figure in parts:
        assert figure.text == percent(figure.exact)
    assert abs(cents(found.hour.text) - found.hour.exact) <= Fraction(1, 2)
    assert 0 < found.risk.exact < found.edge.exact


def test_at_the_break_even_meter_a_token_is_worth_its_price():
    found, jackpot, rule = priced(SENECA).progressive, maths.jackpot(SENECA), SENECA.progressive
    assert found is not None
    assert jackpot is not None
    assert rule is not None
    assert found.meter_cents == rule.reseed
    token = SENECA.spots[found.spot].fixed
    assert token is not None
    missing = found.break_even_cents - found.meter_cents
    assert abs(found.edge.exact - jackpot.meter_return * missing / token) < Fraction(1, 10_000)


def test_the_same_rules_are_priced_once(monkeypatch):
    again = codec.rulebook(codec.rulebook_text(DIAMOND_JO), DIAMOND_JO.sha256)
    assert again is not DIAMOND_JO
    found, solution = price(DIAMOND_JO), solved(DIAMOND_JO)
    monkeypatch.setattr(maths, "solve", None)
    assert price(again) is found
    assert solved(again) is solution
    dearer = replace(DIAMOND_JO, house="Another")
    with pytest.raises(TypeError):
        price(dearer)


def test_a_game_that_is_not_solved_has_no_price():
    streets = tuple(
        replace(step, otherwise=("fold", "check")) if step in SENECA.streets else step
        for step in SENECA.script
    )
    unsolved = replace(SENECA, script=streets)
    assert solved(unsolved) is None
    assert price(unsolved) is None
    assert price(TAKE_BACK) is not None


def test_a_side_wager_that_a_fold_loses_depends_on_play():
    spots = tuple(
        replace(spot, after_fold="lost") if spot.name == "board-bonus" else spot
        for spot in DIAMOND_JO.spot
    )
    found = priced(replace(DIAMOND_JO, spot=spots))
    assert [side.spot for side in found.sides if side.edge is None] == ["board-bonus"]


def test_a_side_wager_that_is_not_counted_has_no_price():
    """Three-card hands out of more than five cards are not counted yet."""
    more = ("seats", "all-six")
    tables = tuple(
        replace(table, cards=(*table.cards, *more)) if table.name == "board-bonus" else table
        for table in HOLLYWOOD.table
    )
    found = priced(replace(HOLLYWOOD, table=tables))
    assert [side.spot for side in found.sides if side.edge is None] == ["board-bonus"]


def test_a_fault_in_a_book_is_not_shown_as_a_game_without_a_price(monkeypatch):
    """What is not solved and what is not readable are different things."""

    def fault(*_: object) -> None:
        raise Unreadable("no such table", "spot[0].table")

    monkeypatch.setattr(maths, "solve", fault)
    for shown in (price, solved):
        with pytest.raises(Unreadable, match="no such table"):
            shown(replace(DIAMOND_JO, house="A fourth"))


def test_a_progressive_without_a_fixed_token_has_no_price():
    spots = tuple(
        replace(spot, fixed=None) if spot.kind == "progressive" else spot for spot in SENECA.spot
    )
    assert priced(replace(SENECA, spot=spots)).progressive is None
