"""Reads a chart as a player does: the first line that fits counts."""

from collections.abc import Sequence

from pitboss.cards import Card
from pitboss.hands import ranking
from pitboss.lab.chart import (
    Band,
    Chart,
    ChartLine,
    ChartSection,
    against_features,
    features,
    group_of,
    hand_name,
    written,
)
from pitboss.maths.decisions import TAKE_BACK
from pitboss.maths.seen import Seen


def read(made: Chart, seen: Seen) -> int:
    """Return what the chart says: a multiple, 0 to fold, -1 to check, -2 to take back."""
    return _read_upcard(made, seen) if made.bands else _read_street(made, seen)


def _read_street(made: Chart, seen: Seen) -> int:
    known = (*seen.cards, *seen.board)
    ranks = sorted((card.rank for card in known), reverse=True)
    suited = len({card.suit for card in known}) == 1
    if len(known) == 2 and made.grid is not None:
        high, low = (rank - 2 for rank in ranks)
        return made.grid[low][high] if suited else made.grid[high][low]
    group = group_of(ranks, suited=suited)
    section = next(s for s in made.sections if (s.seen, s.group) == (len(known), group))
    opening = made.sections[0].stakes[0] if made.grid is None else 1
    moved = (-1 if choice == TAKE_BACK else max(0, choice) for choice in seen.raises)
    column = section.stakes.index(opening + sum(moved))
    return _first(section, features(ranks, made.points), written(ranks)).choices[column]


def _read_upcard(made: Chart, seen: Seen) -> int:
    five = ranking("five-card")
    assert seen.upcard is not None
    strength = five.strength(seen.cards)
    hand = five.classes[strength - 1]
    choice = _band(made, strength).choice
    if choice is not None:
        return choice
    for each in made.suits:
        if (each.hand, each.upcard) == (hand_name(hand), written([seen.upcard.rank])):
            return each.choices[written(_in_suit(seen.cards, seen.upcard))]
    ranks = sorted((card.rank for card in seen.cards), reverse=True)
    found = against_features(hand.ranks, ranks, seen.upcard.rank)
    name = f"{hand_name(hand)} against {written([seen.upcard.rank])}"
    return _first(made.sections[0], found, name).choices[0]


def _band(made: Chart, strength: int) -> Band:
    places = {hand_name(hand): hand.strength for hand in ranking("five-card").classes}
    return next(band for band in made.bands if strength <= places[band.best])


def _in_suit(cards: Sequence[Card], upcard: Card) -> list[int]:
    return sorted((card.rank for card in cards if card.suit == upcard.suit), reverse=True)


def _first(section: ChartSection, found: dict[str, int], name: str) -> ChartLine:
    for line in section.lines:
        named = name in line.hands if line.hands else True
        if named and all(each.holds(found[each.feature]) for each in line.when):
            return line
    raise AssertionError("the last line fits everything")
