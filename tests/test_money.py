"""Money in words and in parts: what is rounded still adds up."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.money import label, signed, whole

CENTS = st.fractions(-1_000_000, 1_000_000, max_denominator=5000)


@given(st.lists(CENTS, min_size=1, max_size=8), st.integers(-1_000_000, 1_000_000))
def test_parts_of_whole_cents_are_rounded_so_that_they_add_up(
    parts: list[Fraction], cents: int
) -> None:
    several = [*parts, cents - sum(parts, Fraction())]
    rounded = whole(several)
    assert sum(rounded) == cents
    assert all(abs(each - part) < 1 for each, part in zip(rounded, several, strict=True))


@pytest.mark.parametrize(
    ("cents", "says"),
    [
        (99_950, "$999.50"),
        (100_000, "$1,000"),
        (789_474, "$7,895"),
        (-99_999_951, "-$1.00M"),
        (1_234_567_890, "$12.35M"),
    ],
)
def test_a_label_leaves_out_what_there_is_no_room_for(cents: int, says: str) -> None:
    assert label(cents, "USD") == says


def test_a_win_has_a_plus() -> None:
    assert [signed(each, "USD") for each in (500, -500, 0)] == ["+$5", "-$5", "$0"]
