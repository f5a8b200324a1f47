"""Jackpots by date: the chance, the days, and the meter token by token."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from msgspec.structs import replace

from pitboss.errors import Unreadable, Unsolved
from pitboss.lab.jackpot_dates import Pace, dates, fallen, growth, meter_after
from pitboss.maths.side_wagers import rows_counted
from tests.helpers import DIAMOND_JO, SENECA

START = date(2027, 1, 1)
PACE = Pace(rounds_per_hour=40, hours_per_day=Fraction(12), tokens=5)


def test_so_many_tokens():
    assert fallen(Fraction(1, 4), 2) == pytest.approx(1 - 0.75**2)
    chance = Fraction(1, 649_740)
    assert fallen(chance, 1000) == pytest.approx(float(1 - (1 - chance) ** 1000), rel=1e-12)


def test_the_days():
    found = dates(SENECA, START, date(2027, 12, 31), PACE)
    assert found.chance == Fraction(4, 2_598_960)
    assert found.tokens_per_day == 2_400
    assert found.days == 365
    assert found.by_then == fallen(found.chance, 365 * 2_400)
    assert found.expected == START + timedelta(days=649_740 // 2_400)
    for part, day in found.dates:
        assert day is not None
        days = (day - START).days + 1
        until = [fallen(found.chance, 2_400 * many) for many in (days - 1, days)]
        assert until[0] < part <= until[1]
    slow = dates(SENECA, START, START, Pace(1, Fraction(1, 2)))
    assert (slow.days, slow.expected, slow.dates[0][1]) == (1, None, None)


def test_the_meter_token_by_token():
    """Each token adds 70 cents; what smaller awards take, they take on average."""
    table = SENECA.tables["progressive"]
    counted, total = rows_counted(SENECA, table)
    left = total - counted["royal-flush"]
    meter = Fraction(50_000_00)
    for _ in range(60):
        meter += 70
        meter -= meter / 10 * Fraction(counted["straight-flush"], left)
        for row in ("four-of-a-kind", "full-house", "flush"):
            award = next(int(each.award or 0) for each in table.rows if each.row == row)
            meter -= Fraction(award * counted[row], left)
    assert meter_after(SENECA, 50_000_00, 60) == round(meter)


def test_awards_that_the_house_pays_leave_the_meter_alone():
    assert SENECA.progressive is not None
    house = replace(SENECA, progressive=replace(SENECA.progressive, awards_from="house"))
    added, part = growth(house)
    assert added == 70 * (1 - part)
    assert growth(SENECA)[0] < added
    assert growth(SENECA)[1] == part


def test_what_has_no_date_is_refused():
    with pytest.raises(Unsolved, match="none has a date"):
        dates(DIAMOND_JO, START, START, PACE)
    for until in (START - timedelta(days=1), date(2999, 1, 1)):
        with pytest.raises(Unreadable, match="days off"):
            dates(SENECA, START, until, PACE)
    with pytest.raises(Unreadable, match="tokens are played a day"):
        dates(SENECA, START, START, Pace(1000, Fraction(24), 1000))
