"""The rules of play on paper: all that the rule card says, with its clauses."""

import pytest

from pitboss.lab.papers.rules_paper import rules_paper
from pitboss.rulebook import load
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.parts import HandLine, HandTable
from tests.helpers import DIAMOND_JO, SENECA
from tests.pdf import words_of


@pytest.mark.parametrize("game", [DIAMOND_JO.id, SENECA.id, "common/high-card-flush"])
def test_every_rule_is_on_it_with_its_clauses(game):
    book = load(game)
    words = words_of(rules_paper(book))
    for each in rule_card(book).sourced():
        cited = " ".join(filter(None, [", ".join(each.clauses), *(r.number for r in each.rulings)]))
        match each:
            case HandTable():
                assert f"{each.title} {cited}".strip() in words
                assert each.says in words
            case HandLine():
                assert " ".join(filter(None, [each.hand, each.says, cited])) in words
            case _:
                # Clauses stand beside the first line of a rule that takes several; a line may end
                # with a hyphen of the words.
                told = words.replace("- ", "-")
                assert each.text in told.replace(f" {cited} ", " ") or each.text in told
                assert cited in words
    for ruling in rule_card(book).rulings:
        assert f"{ruling.number} {ruling.text}" in words
    assert book.sha256 in words
    assert book.document in words


def test_suits_are_letters_and_not_boxes():
    words = words_of(rules_paper(SENECA))
    assert words.startswith("SENECA NIAGARA Caribbean Stud Rules of play ♠ ♥ ♦ ♣")
    assert rules_paper(SENECA) == rules_paper(SENECA)
