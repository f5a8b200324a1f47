"""Two rule cards side by side: nothing that differs is left out, nothing that is alike is told."""

from collections import Counter
from itertools import permutations

import pytest

from pitboss.rulebook import Rulebook
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.beside import CardEntry, beside
from pitboss.rulebook.rule_card.parts import CardSection
from tests.helpers import BOOKS, DIAMOND_JO, HOLLYWOOD, SENECA

PAIRS = [
    pytest.param(*pair, id=" and ".join(b.house for b in pair)) for pair in permutations(BOOKS, 2)
]


def sentences(section: CardSection) -> Counter[tuple[str, str]]:
    """All that a section says, each with what it is about."""
    found = Counter[tuple[str, str]]()
    for each in section.items:
        for topic in each.topics:
            found[topic, " ".join([each.text, *(more.text for more in each.more)])] += 1
    for table in section.tables:
        found["Cards", table.says] += 1
        for line in table.lines:
            found[line.hand, line.says] += 1
    return found


def told(entries: list[CardEntry | None]) -> Counter[tuple[str, str]]:
    return Counter((each.title, each.says) for each in entries if each is not None)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_what_differs_is_told_and_what_is_left_out_is_said_by_both(
    ours: Rulebook, theirs: Rulebook
) -> None:
    cards = rule_card(ours), rule_card(theirs)
    found = beside(*cards)
    names = {section.name for card in cards for section in card.sections}
    for name in names:
        left, right = (
            sum((sentences(each) for each in card.sections if each.name == name), Counter())
            for card in cards
        )
        several = found.get(name, ())
        mine, other = told([d.ours for d in several]), told([d.theirs for d in several])
        assert mine <= left
        assert other <= right
        assert left - mine == right - other, "what is left out"
        for each in several:
            assert each.ours or each.theirs
            if each.ours and each.theirs:
                assert each.ours.key == each.theirs.key
                assert (each.ours.title, each.ours.says) != (each.theirs.title, each.theirs.says)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_a_card_beside_itself_says_nothing_and_all_of_it_has_a_title(book: Rulebook) -> None:
    card = rule_card(book)
    assert beside(card, card) == {}
    for section in card.sections:
        assert all(topic for each in section.items for topic in each.topics)
        rows = [line.row for table in section.tables for line in table.lines]
        assert all(rows)


def test_sections_that_only_one_card_has_stand_where_they_stand_on_it() -> None:
    for pair in ((SENECA, HOLLYWOOD), (HOLLYWOOD, SENECA)):
        found = [*beside(*map(rule_card, pair))]
        assert found == [each.name for each in rule_card(SENECA).sections if each.name in found]
        assert {"dealer", "progressive", "dead"} <= {*found}


def test_steps_of_a_round_that_both_have_are_left_out_in_whatever_order_others_come() -> None:
    steps = beside(rule_card(DIAMOND_JO), rule_card(HOLLYWOOD))["round"]
    assert [each.ours.title for each in steps if each.ours] == ["Bet", "Deal", "Deal", "Deal"]
    assert [each.theirs.title for each in steps if each.theirs] == [
        *("Bet", "Deal", "Deal"),
        *["Turn"] * 4,
    ]


def test_wagers_that_share_a_line_on_one_card_are_compared_one_by_one() -> None:
    [six] = beside(rule_card(DIAMOND_JO), rule_card(HOLLYWOOD))["wagers"]
    assert six.ours is None
    assert six.theirs is not None
    assert six.theirs.title == "All Six"
