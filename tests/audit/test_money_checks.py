"""The audit's own telling of what a round moved finds a cent that went elsewhere."""

from collections import Counter

import pytest

from pitboss.audit import resettle
from pitboss.audit.claim_checks import Claims
from pitboss.audit.money_checks import (
    AdjustedMoney,
    MeterStory,
    TokesStory,
    adjusted_difference,
    round_difference,
)
from pitboss.audit.promises import Findings
from pitboss.house.books.ledger import Posting
from pitboss.house.table import events as h
from pitboss.house.table.unit_of_work import PastRound, UnitOfWork
from pitboss.round import events as e
from tests.clauses.rulings.test_corrections_after_payment import paid_royal, put_right
from tests.clauses.rulings.test_corrections_before_payment import TEN
from tests.house.floor import Floor, happened

HOUSE = {"bank:t", "cage"}
"""Whatever is left is the house's own."""


def settled(past: PastRound) -> resettle.RetoldRound:
    return resettle.settled(past.book, past.events, past.paid.players, past.paid.date)


def test_whoever_is_paid_a_cent_more_or_less_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    money: Counter[str] = Counter()
    follow = Floor._follow

    def follows(floor: Floor, unit: UnitOfWork) -> None:
        if happened(unit, e.RoundOpened):
            money.clear()
        for account, cents in unit.postings:
            money[account] += cents
        follow(floor, unit)

    monkeypatch.setattr(Floor, "_follow", follows)
    again = settled(paid_royal().rounds[1])
    assert round_difference("t", again, {}, money, practice=False) == ""
    for account in {*money, "held:bob", "claims:ann"} - HOUSE:
        wrong = Counter(money)
        wrong[account] += 1
        said = round_difference("t", again, {}, wrong, practice=False)
        assert said.startswith(f"{account} moved by {money[account] + 1}"), account


def test_r54__of_a_correction_only_the_difference_moves() -> None:
    floor = paid_royal()
    past = floor.rounds[1]
    floor.do(put_right(1, TEN, "shift-manager"), "max")
    unit = floor.do(put_right(1, TEN, "surveillance"), "sue")
    [event] = happened(unit, h.RoundAdjusted)
    both = settled(past), settled(floor.rounds[1])

    def tell(posted: list[Posting]) -> str:
        known = AdjustedMoney("t", False, (), MeterStory(), TokesStory(), Claims(Findings()), {})
        return adjusted_difference(known, past, both, event, posted)

    assert tell(unit.postings) == ""
    for account in (
        "chips:ann",
        "claims:ann",
        "held:ann",
        "tax",
        "tokes:t",
        "bank:t",
        "pool:t",
        "turned-over",
    ):
        assert tell([*unit.postings, (account, 1)]).startswith(f"{account} moved by "), account
