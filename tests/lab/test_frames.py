"""What was worked out, as frames: whatever it is, or a sentence."""

import pytest

from pitboss import solve
from pitboss.errors import Unreadable
from pitboss.lab import figures
from pitboss.lab.clause_costs import clause_cost
from pitboss.lab.clause_prices import Pricing
from pitboss.lab.frames import to_frame
from pitboss.lab.report import report
from pitboss.lab.risk import Bankroll, as_json, risk
from pitboss.maths.price import At
from tests.helpers import DIAMOND_JO, HOLLYWOOD, MISSISSIPPI, SENECA


def test_whatever_is_asked_of_risk_is_a_frame() -> None:
    made = risk(solve(DIAMOND_JO, 25_00), bankroll=Bankroll(500_00, 900_00), seats=2)
    told = as_json(made)
    for frame in (to_frame(made), to_frame(made.spans)):
        assert [*frame["rounds"]] == [each["rounds"] for each in told["spans"]]
        assert [*frame["ahead"]] == [each["ahead"] for each in told["spans"]]
        worst = [each["percentiles_cents"][5] for each in told["spans"]]
        assert [*frame["percentile_5_cents"]] == worst
    assert float(to_frame(made.fate)["ruined"][0]) == told["bankroll"]["ruined"]
    assert sum(to_frame(made.round)["contribution"]) == made.solution.value
    assert len(to_frame(made.seats)) == len(made.seats.distribution.nets) if made.seats else False
    assert to_frame(made.statistics)["value"][0] == made.solution.value


def test_differences_of_two_books_stay_exact_in_a_frame() -> None:
    pricing = Pricing(DIAMOND_JO, HOLLYWOOD, At())
    frame = to_frame(pricing.totals({}))
    ante = frame.set_index("wager").loc["ante"]
    assert ante["theirs"] - ante["ours"] == solve(HOLLYWOOD).value - solve(DIAMOND_JO).value


def test_what_has_no_frame_is_said() -> None:
    for nonsense in ("x", [1, 2], None):
        with pytest.raises(Unreadable, match="what was worked out, not of"):
            to_frame(nonsense)
    assert "why" in to_frame(clause_cost(DIAMOND_JO, "K.1")), "it bites only at a stake"


def test_a_price_that_no_ceiling_bends_is_not_drawn_by_ante() -> None:
    for book, whole, why in (
        (MISSISSIPPI, True, "no payout cap binds it"),
        (SENECA, False, "ask for report(solution, whole=True)"),
    ):
        with pytest.raises(Unreadable) as told:
            figures.by_ante(report(solve(book, 25_00), whole=whole))
        assert why in told.value.message
    drawn = figures.by_ante(report(solve(SENECA, 25_00), whole=True)).to_dict()
    assert drawn["mark"] == {"type": "line", "point": True}
