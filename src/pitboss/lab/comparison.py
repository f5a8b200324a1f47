"""Two rule cards side by side: what differs, by which clauses, and what it is worth."""

from collections.abc import Container, Iterable, Mapping

import msgspec

from pitboss.lab.clause_prices import ClausePrice, Pricing, Total, percent
from pitboss.maths.price import At
from pitboss.rulebook import Rulebook
from pitboss.rulebook.rule_card import rule_card
from pitboss.rulebook.rule_card.beside import CardDifference, beside
from pitboss.rulebook.variants import diff

SECTIONS = {
    "script": "round",
    "spot": "wagers",
    "table": "pays",
    "limits": "limits",
    "qualifier": "dealer",
    "cap": "ceilings",
    "progressive": "progressive",
    "rounding": "paying",
}
"""The section of a rule card that words a part of a book on which a price can rest."""


class Section(msgspec.Struct, frozen=True):
    """What differs under one heading of the rule cards."""

    name: str
    title: str
    differences: tuple[CardDifference, ...]
    worth: Mapping[str, tuple[str, ...]]
    """What the player gains by a line of a pay table, or (under no name) by others of these."""


class Comparison(msgspec.Struct, frozen=True):
    """All that differs between two books."""

    count: int
    sections: tuple[Section, ...]
    totals: tuple[tuple[str, str, str, str], ...]
    """Each wager, what it is worth in both books, and what the player gains."""


def compared(ours: Rulebook, theirs: Rulebook, at: At | None = None) -> Comparison:
    """Work out the differences of two books and their prices; ceilings bite only at a stake."""
    pricing = Pricing(ours, theirs, at or At())
    prices = pricing.prices(diff(ours, theirs))
    wagers = {name: spot.title for book in (theirs, ours) for name, spot in book.spots.items()}
    cards = rule_card(ours), rule_card(theirs)
    titles = {each.name: each.title for card in cards for each in card.sections}
    found = beside(*cards)
    rows = {each.row for d in found.get("pays", ()) for each in (d.ours, d.theirs) if each}
    worths = _worths({price.part: price for price in prices.values()}, wagers, rows)
    return Comparison(
        count=sum(map(len, found.values())),
        sections=tuple(
            Section(name, titles[name], several, worths.get(name, {}))
            for name, several in found.items()
        ),
        totals=tuple(_totals(pricing.totals(prices), wagers)),
    )


def _worths(
    prices: Mapping[str, ClausePrice], wagers: Mapping[str, str], rows: Container[str]
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return by section, and by the line of a pay table, what the player gains."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for part, price in prices.items():
        top, *inside = part.split(".")
        line = ".".join((*inside[:1], *inside[2:3])) if top == "table" else ""
        gains = (
            f"{percent(change)} of the {wagers[wager]}"
            for wager, change in price.changes.items()
            if change
        )
        several, at = found.setdefault(SECTIONS.get(top, ""), {}), line if line in rows else ""
        several[at] = (*several.get(at, ()), *gains)
    return found


def _totals(
    totals: Iterable[Total], wagers: Mapping[str, str]
) -> Iterable[tuple[str, str, str, str]]:
    for each in totals:
        gain = "" if each.change is None else percent(each.change)
        yield wagers[each.wager], percent(each.ours), percent(each.theirs), gain
