"""The rule card: one wording of a rulebook, each rule with its clause and its rulings.

The page of a game shows it in the browser, and ``rules show`` as text. Nothing here knows a house
or a game; a card is made of what the book holds.

>>> from pitboss import rulebook
>>> card = rule_card(rulebook.load("seneca-niagara/caribbean-stud"))
>>> [section.title for section in card.sections][:3]
['How a round goes', 'Wagers', 'What the wagers pay']
>>> card.section("dealer").items[0].text
'The dealer qualifies with ace-king high or better.'
>>> card.section("dealer").items[0].rulings[0].number
'R13'
"""

import textwrap
from collections.abc import Iterator

from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.rule_card import house, play
from pitboss.rulebook.rule_card.parts import CardSection, Item, RuleCard, Sourced

WIDTH = 78


def rule_card(book: Rulebook) -> RuleCard:
    """Return the card of a rulebook: what a player asks first comes first."""
    every = (*play.sections(book), *house.sections(book))
    return RuleCard(
        id=book.id,
        sha256=book.sha256,
        house=book.house,
        game=book.game,
        document=book.document,
        sections=tuple(each for each in every if each.items or each.tables),
    )


def card_text(card: RuleCard) -> str:
    """Return the card as text, within 80 columns."""
    out = [f"{card.game}, {card.house}", f"{card.id}  sha256 {card.sha256}", card.document]
    for section in card.sections:
        out += ["", section.title, *_section(section)]
    if card.rulings:
        out += ["", "Rulings"]
        out += [line for each in card.rulings for line in _wrapped(f"{each.number}: {each.text}")]
    return "\n".join(out)


def _section(section: CardSection) -> Iterator[str]:
    if section.lead:
        yield from _wrapped(_cited(section.lead.text, section.lead))
    for number, item in enumerate(section.items, 1):
        yield from _wrapped((f"{number}. " if section.numbered else "") + _rule(item))
    for table in section.tables:
        yield from _wrapped(f"{table.title}: {_cited(table.says, table)}")
        for line in table.lines:
            yield from _wrapped(_cited(f"{line.hand}: {line.says}", line), "    ")


def _rule(item: Item) -> str:
    label = f"{item.label}: " if item.label else ""
    return label + " ".join(_cited(each.text, each) for each in (item, *item.more))


def _cited(words: str, sourced: Sourced) -> str:
    return f"{words} [{', '.join(sourced.cites)}]" if sourced.cites else words


def _wrapped(words: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(
        words,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}    ",
        break_on_hyphens=False,
    )
