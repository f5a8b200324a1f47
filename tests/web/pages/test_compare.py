"""Two rulebooks compared: every gain stands where people look for it."""

from itertools import permutations

import pytest

from pitboss.lab.clause_prices import PRICED, Pricing, percent
from pitboss.lab.comparison import SECTIONS, compared
from pitboss.maths.price import At
from pitboss.rulebook import Rulebook
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.variants import diff
from tests.helpers import BOOKS

PAIRS = [
    pytest.param(*pair, id=" and ".join(b.house for b in pair)) for pair in permutations(BOOKS, 2)
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_every_gain_is_told_once_under_its_heading(ours: Rulebook, theirs: Rulebook) -> None:
    found = compared(ours, theirs)
    pricing = Pricing(ours, theirs, At(None, None, None))
    prices = pricing.prices(diff(ours, theirs))
    gains = sorted(
        percent(change)
        for price in {each.part: each for each in prices.values()}.values()
        for change in price.changes.values()
        if change
    )
    shown = [
        gain.partition(" ")[0]
        for section in found.sections
        for several in section.worth.values()
        for gain in several
    ]
    assert sorted(shown) == gains
    for section in found.sections:
        rows = {each.row for d in section.differences for each in (d.ours, d.theirs) if each}
        assert {name for name in section.worth if name} <= rows
    assert found.count == sum(len(section.differences) for section in found.sections)


def test_every_part_that_is_priced_has_its_section() -> None:
    assert SECTIONS.keys() == {*PRICED}
    names = {each.name for book in BOOKS for each in rule_card(book).sections}
    assert {*SECTIONS.values()} <= names
