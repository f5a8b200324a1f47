"""What a rule card is made of: rules in sentences, each with its clauses and its rulings."""

from collections.abc import Iterable, Iterator
from typing import Any, Self

import msgspec

from pitboss.rulebook.base import codes
from pitboss.rulebook.rulings import RULING, rulings

_UNKNOWN = "A ruling of the house's own, of which its book says no more."


class Ruling(msgspec.Struct, frozen=True):
    """How we read the document where it is silent or says two things."""

    number: str
    text: str


class Sourced(msgspec.Struct, frozen=True, kw_only=True):
    """Where something is written, and the rulings by which it is read."""

    clauses: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()

    @classmethod
    def citing(cls, *written: str, **fields: Any) -> Self:
        """Return one of these that cites clauses of the document and rulings, each once.

        >>> each = Sourced.citing("C.1.m, C.1.l(1)", "R18 C.1.m")
        >>> each.clauses, [ruling.number for ruling in each.rulings]
        (('C.1.m', 'C.1.l(1)'), ['R18'])
        """
        every = codes(*written)
        ours = [each for each in every if RULING.fullmatch(each)]
        return cls(
            clauses=tuple(each for each in every if each not in ours),
            rulings=tuple(Ruling(each, rulings().get(each, _UNKNOWN)) for each in ours),
            **fields,
        )

    @property
    def ours(self) -> bool:
        """Whether the document says nothing of it: it stands here by our ruling alone."""
        return bool(self.rulings) and not self.clauses

    @property
    def cites(self) -> tuple[str, ...]:
        return (*self.clauses, *(each.number for each in self.rulings))


class Item(Sourced, frozen=True, kw_only=True):
    """One rule."""

    text: str
    label: str = ""
    topics: tuple[str, ...] = ()
    """What it is about, each in a word or two; by these it finds its like on another card."""
    more: tuple["Item", ...] = ()
    """What belongs to it and is written elsewhere."""

    @property
    def sentence(self) -> str:
        return f"{self.label}: {self.text}" if self.label else self.text


class HandLine(Sourced, frozen=True, kw_only=True):
    """One line of a table: a hand, and what it pays or is."""

    hand: str
    says: str
    row: str = ""
    """What the book calls it."""
    outcome: str = ""
    """``win``, ``push`` or ``lose``; empty where nothing is paid."""
    run: int = 1
    """How many lines from here on have the same clauses; 0 below the first of them."""

    @property
    def sentence(self) -> str:
        return f"{self.hand}: {self.says}"


class HandTable(Sourced, frozen=True, kw_only=True):
    """A table of hands."""

    name: str
    """What the book calls it."""
    title: str
    says: str
    heads: tuple[str, ...]
    lines: tuple[HandLine, ...]

    @property
    def sentence(self) -> str:
        return f"{self.title}: {self.says}"


class CardSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the card under a heading."""

    name: str
    """For links to it."""
    title: str
    items: tuple[Item, ...] = ()
    tables: tuple[HandTable, ...] = ()
    lead: Item | None = None
    """What holds for all of its items."""
    numbered: bool = False


class RuleCard(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook as people read it."""

    id: str
    sha256: str
    house: str
    game: str
    document: str
    sections: tuple[CardSection, ...]

    def section(self, name: str) -> CardSection:
        return next(each for each in self.sections if each.name == name)

    def sourced(self) -> Iterator[Item | HandTable | HandLine]:
        """Everything on the card that cites something."""
        for section in self.sections:
            leads = [section.lead] if section.lead else []
            for item in (*leads, *section.items):
                yield item
                yield from item.more
            for table in section.tables:
                yield table
                yield from table.lines

    def places(self) -> dict[str, Item | HandTable | HandLine]:
        """Where each clause is to be looked up: what cites it before all others, or else first."""
        every = [each for each in self.sourced() if each.clauses]
        first = {each.clauses[0]: each for each in reversed(every)}
        return {code: first.get(code, each) for each in reversed(every) for code in each.clauses}

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every ruling that is cited, once, in the order of their numbers."""
        cited = {ruling for each in self.sourced() for ruling in each.rulings}
        return tuple(sorted(cited, key=lambda each: _number(each.number)))


def _number(ruling: str) -> tuple[int, str]:
    found = RULING.fullmatch(ruling)
    assert found is not None
    return int(found[1]), found[2]


def item(
    text: str, *cited: str, label: str = "", topic: str = "", more: Iterable[Item] = ()
) -> Item:
    return Item.citing(*cited, text=text, label=label, topics=(topic or label,), more=tuple(more))
