"""H: limits, chips, one hand each."""

import pytest

from pitboss.round import Round, actions
from pitboss.rulebook.sign import sign_text
from pitboss.web.pages.rule_page import posted
from tests.helpers import DIAMOND_JO, opened, refused, settled, stacked, started


def posting(minimum: int, maximum: int | None) -> actions.Open:
    """Open a table with these limits."""
    return actions.Open({1: "ann"}, minimum, maximum)


@pytest.mark.parametrize(
    ("minimum", "maximum"),
    [(5_00, 25_00), (5_00, 100_00), (15_00, 25_00), (15_00, 100_00)],
)
def test_h__a_table_posts_5_to_15_and_25_to_100(minimum, maximum):
    game = Round(DIAMOND_JO)
    game.do(posting(minimum, maximum))
    assert (game.state.minimum_cents, game.state.maximum_cents) == (minimum, maximum)


@pytest.mark.parametrize(
    ("minimum", "maximum", "place"),
    [
        (4_99, 100_00, "minimum"),
        (15_01, 100_00, "minimum"),
        (5_00, 24_99, "maximum"),
        (5_00, 100_01, "maximum"),
    ],
)
def test_h__one_cent_outside_the_range_is_not_posted(minimum, maximum, place):
    no = refused(Round(DIAMOND_JO), posting(minimum, maximum))
    assert (no.code, no.place) == ("limits/out-of-range", place)
    assert no.clause.split(",")[0] == "H"


def test_h__no_table_takes_an_ante_of_more_than_100_dollars():
    for none_or_more in (None, 100_01):  # a table posts a maximum, and at most this one
        assert refused(Round(DIAMOND_JO), posting(5_00, none_or_more)).place == "maximum"
    game = opened(DIAMOND_JO, {1: {}}, maximum=100_00)
    assert refused(game, actions.Bet(1, {"ante": 100_01})).code == "bet/above-maximum"


def test_h_1__the_posted_minimum_and_maximum_bound_the_ante():
    game = opened(DIAMOND_JO, {1: {}}, minimum=10_00, maximum=50_00)
    assert refused(game, actions.Bet(1, {"ante": 9_99})).code == "bet/below-minimum"
    assert refused(game, actions.Bet(1, {"ante": 50_01})).code == "bet/above-maximum"
    game.do(actions.Bet(1, {"ante": 10_00}))
    game.do(actions.Bet(1, {"ante": 50_00}))
    assert game.state.seats[1].stakes == {"ante": 50_00}


def test_h_1__limits_bound_the_ante_and_not_the_raises():
    game = started(DIAMOND_JO, {1: {"ante": 25_00}}, stacked(), maximum=25_00)
    game.do(actions.Raise(1, 3))
    assert game.state.seats[1].stakes["raise-1"] == 75_00


def test_h_1__only_the_shift_manager_changes_them_and_not_during_a_round():
    assert DIAMOND_JO.limits.changed_by == ("shift-manager",)
    assert "H.1" in DIAMOND_JO.limits.clauses["changed_by"].split()
    game = opened(DIAMOND_JO, {1: {"ante": 5_00}}, maximum=100_00)
    assert refused(game, posting(10_00, 100_00)).code == "round/already-open"


@pytest.mark.parametrize(
    ("minimum", "aggregate"),
    [(5_00, 25_000_00), (7_50, 37_500_00), (10_00, 50_000_00), (15_00, 75_000_00)],
)
def test_h_1__a_raised_minimum_raises_the_displayed_aggregate(minimum, aggregate):
    assert settled(DIAMOND_JO, minimum=minimum).cap_cents == aggregate


def test_h_2__a_spoken_wager_with_cash_is_not_accepted():
    game = opened(DIAMOND_JO, {1: {}}, maximum=100_00)
    spoken = refused(game, actions.Bet(1, {"ante": 5_00}, cash=True))
    assert spoken.code == "bet/cash"
    assert spoken.clause == "H.2, R35"
    game.do(actions.Bet(1, {"ante": 5_00}))


@pytest.mark.parametrize("spot", ["dealer", "all-six", "ANTE", ""])
def test_h_2__a_wager_lies_on_a_betting_area_of_the_layout(spot):
    game = opened(DIAMOND_JO, {1: {}}, maximum=100_00)
    assert refused(game, actions.Bet(1, {"ante": 5_00, spot: 5_00})).code == "bet/unknown-spot"


def test_h_3__a_player_holds_one_hand_in_a_round():
    both = actions.Open({1: "ann", 2: "bob", 5: "ann"}, 5_00, 100_00)
    no = refused(Round(DIAMOND_JO), both)
    assert no.code == "seat/one-hand-each"
    assert no.clause.split(",")[0] == "H.3"
    Round(DIAMOND_JO).do(actions.Open({1: "ann", 2: "bob", 5: "cy"}, 5_00, 100_00))


def test_h_3__nobody_bets_on_a_hand_that_is_not_in_the_round():
    game = started(DIAMOND_JO, {1: {"ante": 5_00}}, stacked(), maximum=100_00)
    assert refused(game, actions.Raise(2, 1)).code == "seat/not-in-round"
    assert refused(game, actions.Bet(2, {"ante": 5_00})).code == "bet/closed"


@pytest.mark.parametrize(("minimum", "aggregate"), [(5_00, "$25,000"), (15_00, "$75,000")])
def test_h_1__both_limits_are_posted_at_the_table(minimum, aggregate):
    sign = posted(DIAMOND_JO, minimum, 100_00, None, None)
    assert sign.ante == f"Ante ${minimum // 100} to $100"
    assert sign.ante.upper() in sign_text(sign)
    assert f"MAXIMUM AGGREGATE {aggregate}" in sign_text(sign)
