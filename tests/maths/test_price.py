"""One price of a game, whoever names it: the lobby, the par sheet, the comparison of books."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from pitboss import maths
from pitboss.errors import Unreadable, Unsolved
from pitboss.lab.clause_prices import Pricing
from pitboss.lab.report import report
from pitboss.maths.price import USUAL_ANTE_CENTS, At, expected_value, house_edge, per_hour
from pitboss.web.pages.prices import price
from tests.helpers import BOOKS, DIAMOND_JO, SENECA


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_the_lobby_the_par_sheet_and_the_comparison_agree(book):
    shown, at = price(book), At(USUAL_ANTE_CENTS if book.cap else None)
    assert shown is not None
    made = report(maths.solve(book, at.ante_cents))
    compared = Pricing(book, book, at)
    edge = house_edge(book, book.ante.name, at)
    assert shown.edge.exact == -made.solution.value == edge
    assert compared.value(book, book.ante.name) == -edge
    assert shown.risk.exact == made.solution.statistics.element_of_risk
    assert shown.hour.exact == per_hour(made.solution, ante_cents=USUAL_ANTE_CENTS).win
    for mine, par in zip(shown.sides, made.sides, strict=True):
        assert mine.edge is not None
        assert mine.edge.exact == -par.value == -expected_value(book, mine.spot)
    if shown.progressive is not None:
        assert made.jackpot is not None
        token = expected_value(book, shown.progressive.spot)
        assert shown.progressive.edge.exact == -token == 1 - made.jackpot.at(at.meter(book))


def test_a_token_is_worth_its_price_where_the_meter_breaks_even():
    jackpot = maths.jackpot(SENECA)
    assert jackpot is not None
    assert jackpot.at(0) == jackpot.fixed_return
    assert abs(jackpot.at(jackpot.break_even_cents) - 1) < Fraction(1, 100_000)
    more = jackpot.at(2 * jackpot.token_cents) - jackpot.at(jackpot.token_cents)
    assert more == jackpot.meter_return


def test_a_meter_of_ones_own_and_the_seed_where_there_is_none():
    rule, jackpot = SENECA.progressive, maths.jackpot(SENECA)
    assert rule is not None
    assert jackpot is not None
    assert expected_value(SENECA, rule.spot) == jackpot.at(int(rule.reseed)) - 1
    assert expected_value(SENECA, rule.spot, At(meter_cents=7_00)) == jackpot.at(7_00) - 1


def test_what_depends_on_play_or_a_ceiling_is_not_solved_and_a_stake_of_nothing_not_readable():
    lost = tuple(replace(s, after_fold="lost") if s.kind == "side" else s for s in DIAMOND_JO.spot)
    with pytest.raises(Unsolved, match="depends on play"):
        expected_value(replace(DIAMOND_JO, spot=lost), "board-bonus")
    with pytest.raises(Unreadable, match="more than nothing"):
        expected_value(DIAMOND_JO, "ante", At(ante_cents=0))
