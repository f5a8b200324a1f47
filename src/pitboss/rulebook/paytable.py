"""Wagers and what they pay: rows, pay tables, spots on the layout, the qualifying hand."""

from functools import cached_property
from itertools import groupby
from typing import Literal

import msgspec

from pitboss.hands import Hand, Ranking, ranking
from pitboss.money import Cents, Odds, Percent
from pitboss.rulebook.base import Cited, Name, Ranks


class Row(Cited, frozen=True, kw_only=True):
    """One line of a pay table."""

    row: Name
    """Its name, such as ``jacks-or-better``."""
    hand: str
    """A category of the table's ranking, or ``any``."""
    of: Ranks | None = None
    """The deciding rank lies in this range (the pair's rank, the highest card)."""
    kicker: Ranks | None = msgspec.field(default=None, name="with")
    """The second deciding rank lies in this range."""
    odds: Odds | None = None
    """What it pays to one: ``3 to 2``, ``push`` or ``lose``."""
    meter: Percent | None = None
    """Or: this part of the progressive meter."""
    award: Cents | None = None
    """Or: this sum."""
    title: str = ""
    """The words on the layout, where they differ from the row's name."""

    def fits(self, hand: Hand) -> bool:
        return (
            self.hand in (hand.category, "any")
            and (self.of is None or hand.ranks[0] in self.of)
            and (self.kicker is None or (len(hand.ranks) > 1 and hand.ranks[1] in self.kicker))
        )

    @property
    def worth(self) -> tuple[Percent | int, int, Odds]:
        """For comparing two rows that fit the same hand: the larger one pays."""
        return self.meter or 0, self.award or 0, self.odds or Odds(0)

    @property
    def pays(self) -> str:
        if self.meter is not None:
            return f"{self.meter} of the meter"
        return str(self.odds if self.award is None else self.award)

    @property
    def label(self) -> str:
        return self.title or self.row.replace("-", " ").capitalize()


class PayTable(Cited, frozen=True, kw_only=True, dict=True):
    """Hands and what they pay."""

    name: Name
    """How spots refer to it."""
    title: str
    """Its heading on the layout."""
    cards: tuple[str, ...]
    """Whose cards make the hand: ``seats`` for the player's own, and places on the table."""
    ranking: Literal["five-card", "three-card", "two-card"]
    """How the cards are valued; where there are more cards, the best count."""
    rows: tuple[Row, ...]
    """As printed, best first."""

    @property
    def order(self) -> Ranking:
        return ranking(self.ranking)

    def fitting(self, hand: Hand) -> list[Row]:
        """Rows that would pay this hand: of those that fit, the highest paying."""
        alike = ([row for row in rows if row.fits(hand)] for rows in self._by_worth)
        return next(filter(None, alike), [])

    @cached_property
    def _by_worth(self) -> list[list[Row]]:
        order = sorted(self.rows, key=lambda row: row.worth, reverse=True)
        return [list(alike) for _, alike in groupby(order, key=lambda row: row.worth)]

    @cached_property
    def by_look(self) -> tuple[list[Row], ...]:
        """The rows that would pay each look of hands of the ranking."""
        return tuple(self.fitting(hand) for hand in self.order.looks[0])

    @cached_property
    def by_strength(self) -> tuple[Row | None, ...]:
        """The row of each strength of the ranking; index 0 is unused."""
        one = [rows[0] if len(rows) == 1 else None for rows in self.by_look]
        return (None, *(one[look] for look in self.order.looks[1]))

    def row_for(self, strength: int) -> Row:
        """Return the one row that pays a hand of this strength."""
        row = self.by_strength[strength]
        assert row is not None, f"{self.name} has a gap that loading should have refused"
        return row


class Spot(Cited, frozen=True, kw_only=True):
    """A marked place on the layout that takes a wager."""

    points = ("tuck",)
    """That a folded hand is tucked under this wager, if it is the first that lives on."""
    name: Name
    """Such as ``ante``, ``raise-1``, ``board-bonus``."""
    title: str
    """The words on the layout."""
    kind: Literal["main", "side", "progressive"]
    """Main wagers fall with the hand and are one wager for tax; each side wager stands alone."""
    required: bool = False
    """Whoever plays must place it."""
    table: str = ""
    """The pay table that settles it."""
    against: str = ""
    """Settled against the hand lying at this place (the dealer's), not against a table alone."""
    odds: Odds | None = None
    """What it pays for beating that hand, where no table says so."""
    unqualified: Odds | None = None
    """What it pays when that hand does not qualify."""
    after_fold: Literal["lost", "lives"] = "lost"
    """What becomes of it when the player folds."""
    fixed: Cents | None = None
    """It takes exactly this much: a token."""
    least: Cents | None = None
    """Its own minimum; the posted minimum where it has none."""
    most: Cents | None = None
    """Its own maximum; the posted maximum where it has none."""


class Qualifier(Cited, frozen=True, kw_only=True, dict=True):
    """The hand that the dealer must hold for the showdown to count."""

    place: str
    """Where the dealer's hand lies."""
    ranking: Literal["five-card", "three-card"]
    """How both hands are valued."""
    hand: str
    """The weakest qualifying category."""
    of: Ranks | None = None
    """Its deciding rank."""
    kicker: Ranks | None = msgspec.field(default=None, name="with")
    """Its second rank."""
    tie: Literal["push", "lose", "win"] = "push"
    """What equal hands mean for the player's main wagers."""

    @cached_property
    def weakest(self) -> int:
        row = Row(row="qualifier", hand=self.hand, of=self.of, kicker=self.kicker, clause="-")
        return next((each.strength for each in ranking(self.ranking).classes if row.fits(each)), 0)
