"""The rules of play as PDF: the rule card, which is the one wording of a book, on paper."""

from typing import Any

from pitboss.lab.papers.par_paper import named
from pitboss.lab.papers.typesetting import typeset
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.parts import HandTable, Item, Sourced

TEMPLATE = "lab/papers/rules.typ"


def rules_paper(book: Rulebook) -> bytes:
    """Set the rules of play."""
    card = rule_card(book)
    values = {
        **named(book),
        "sections": [
            {
                "title": section.title,
                "numbered": section.numbered,
                "lead": _item(section.lead) if section.lead else None,
                "items": [_item(each) for each in section.items],
                "tables": [_table(each) for each in section.tables],
            }
            for section in card.sections
        ],
        "rulings": [{"number": each.number, "text": each.text} for each in card.rulings],
    }
    return typeset(TEMPLATE, values)


def _sourced(each: Sourced) -> dict[str, Any]:
    return {"clauses": each.clauses, "rulings": [ruling.number for ruling in each.rulings]}


def _item(item: Item) -> dict[str, Any]:
    more = [_item(each) for each in item.more]
    return {**_sourced(item), "text": item.text, "label": item.label, "more": more}


def _table(table: HandTable) -> dict[str, Any]:
    return {
        **_sourced(table),
        "title": table.title,
        "says": table.says,
        "ranks": len(table.heads) < 3,
        "lines": [
            {**_sourced(line), "hand": line.hand, "says": line.says, "outcome": line.outcome}
            for line in table.lines
        ],
    }
