"""Two rule cards beside each other: what they say differently, under the card's own headings."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

import msgspec

from pitboss.rulebook.rule_card.parts import CardSection, RuleCard


class CardEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a card says, with what it cites."""

    title: str
    says: str
    cites: tuple[str, ...]
    table: str = ""
    """The title of the table that it is about, or of which it is a line."""
    row: str = ""
    """What the book calls the table, or table and line."""

    @property
    def key(self) -> str:
        return self.row or self.title


class CardDifference(msgspec.Struct, frozen=True):
    """What two cards say differently, or only one of them says."""

    ours: CardEntry | None
    theirs: CardEntry | None


def beside(ours: RuleCard, theirs: RuleCard) -> dict[str, tuple[CardDifference, ...]]:
    """Return what two cards say differently by the name of its section, in the card's order.

    >>> from pitboss.rulebook import load
    >>> from pitboss.rulebook.rule_card import rule_card
    >>> books = "diamond-jo-worth/cajun-stud", "hollywood-penn-national/cajun-stud"
    >>> found = beside(*(rule_card(load(book)) for book in books))["pays"]
    >>> [(each.ours.title, each.ours.says, each.theirs.says) for each in found[:2]]
    [('Full house', '10 to 1', '11 to 1'), ('Flush', '6 to 1', '7 to 1')]
    """
    left, right = ({each.name: each for each in card.sections} for card in (ours, theirs))
    names = [*left]
    for before, name in pairwise(["", *right]):  # cards have their sections in one order
        if name not in left:
            names.insert(names.index(before) + 1 if before else 0, name)
    found = {
        name: tuple(_differences(_entries(left.get(name)), _entries(right.get(name))))
        for name in names
    }
    return {name: several for name, several in found.items() if several}


def _differences(
    ours: Sequence[CardEntry], theirs: Sequence[CardEntry]
) -> Iterator[CardDifference]:
    """Leave out what both say; of the rest put what is about the same beside each other."""
    left, right = ([(e.key, e.title, e.says) for e in side] for side in (ours, theirs))
    for same, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if same != "equal":
            yield from _paired(ours[a:b], theirs[c:d])


def _paired(ours: Sequence[CardEntry], theirs: Sequence[CardEntry]) -> Iterator[CardDifference]:
    left, right = ([each.key for each in side] for side in (ours, theirs))
    for same, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if same == "equal":
            yield from map(CardDifference, ours[a:b], theirs[c:d])
        else:
            yield from (CardDifference(each, None) for each in ours[a:b])
            yield from (CardDifference(None, each) for each in theirs[c:d])


def _entries(section: CardSection | None) -> list[CardEntry]:
    found = []
    for item in section.items if section else ():
        parts = (item, *item.more)
        says = " ".join(each.text for each in parts)
        cites = tuple(dict.fromkeys(code for each in parts for code in each.cites))
        found += [CardEntry(title=each, says=says, cites=cites) for each in item.topics]
    for table in section.tables if section else ():
        name, title = table.name, table.title
        found.append(
            CardEntry(title="Cards", says=table.says, cites=table.cites, table=title, row=name)
        )
        found += [
            CardEntry(
                title=line.hand,
                says=line.says,
                cites=line.cites,
                table=title,
                row=f"{name}.{line.row}",
            )
            for line in table.lines
        ]
    return found
