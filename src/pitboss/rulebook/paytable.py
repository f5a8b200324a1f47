"""Wagers and what they pay: rows, pay tables, spots on the layout, the qualifying hand."""

from functools import cache, cached_property
from itertools import groupby
from typing import Literal

import msgspec
from msgspec.structs import replace

from pitboss.errors import Unreadable
from pitboss.hands import KIND_OF, Hand, Ranking, ranking
from pitboss.money import Cents, Odds, Percent, odds
from pitboss.rulebook.base import Cited, Name, Ranks, Strict

RankingName = Literal[
    "five-card",
    "four-card",
    "three-card",
    "two-card",
    "flush-length",
    "straight-flush-length",
]


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
    others: Cents | None = None
    """Besides: everybody else with this wager down gets this sum."""
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
    def detail(self) -> int:
        """How much it says of a hand: four aces more than four of a kind, and that than any."""
        return (self.hand != "any") + (self.of is not None) + (self.kicker is not None)

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
    ranking: RankingName
    """How the cards are valued; where there are more cards, the best count."""
    rows: tuple[Row, ...]
    """As printed, best first."""

    @property
    def order(self) -> Ranking:
        return ranking(self.ranking)

    def fitting(self, hand: Hand) -> list[Row]:
        """Rows that would pay this hand: of those that fit, the highest paying.

        Of those that pay the same, the one that says most of the hand. A royal flush is a straight
        flush to a table that has no row for it.
        """
        if hand.category in KIND_OF and hand.category not in self._named:
            hand = replace(hand, category=KIND_OF[hand.category])
        alike = ([row for row in rows if row.fits(hand)] for rows in self._by_worth)
        found = next(filter(None, alike), [])
        most = max((row.detail for row in found), default=0)
        return [row for row in found if row.detail == most]

    @cached_property
    def for_others(self) -> dict[str, Row]:
        """The rows that win something for everybody else with the wager, by name."""
        return {row.row: row for row in self.rows if row.others is not None}

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(row.hand for row in self.rows)

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


class Unqualified:
    """What a wager does when the dealer's hand does not qualify: odds, or how it is settled.

    No struct: a file writes it as text, such as ``push``, ``table`` or ``showdown``.
    """

    __slots__ = ("by", "odds")

    def __init__(self, written: str) -> None:
        self.by = written if written in ("table", "showdown") else "odds"
        """``odds``; ``table``: its own table pays the hand, whoever is better; ``showdown``: the
        hands are compared as if the dealer's qualified."""
        try:
            self.odds: Odds | None = odds(written) if self.by == "odds" else None
        except Unreadable as error:
            raise Unreadable(f"{error.message}; or table, or showdown") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unqualified) and (self.by, self.odds) == (other.by, other.odds)

    def __hash__(self) -> int:
        return hash((self.by, self.odds))

    def __str__(self) -> str:
        return self.by if self.odds is None else str(self.odds)


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
    equals: str = ""
    """It takes exactly what lies on this required spot."""
    alone: bool = False
    """It may be placed without the required wagers: such a seat decides nothing."""
    table: str = ""
    """The pay table that settles it."""
    against: str = ""
    """Settled against the hand lying at this place (the dealer's), not against a table alone."""
    odds: Odds | None = None
    """What it pays for beating that hand, where no table says so."""
    rows: Literal["first"] | None = None
    """When its table pays: only a hand that beats the dealer's, where this is not said; ``first``:
    any hand with a row that pays, and other hands lose when they are beaten and else push."""
    unqualified: Unqualified | None = None
    """What it does when that hand does not qualify."""
    bonus: str = ""
    """The pay table that pays beside this wager, whatever the dealer holds, unless one folds."""
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
    shared: tuple[str, ...] = ()
    """Places whose cards belong to both hands; the best of them all count."""
    ranking: RankingName
    """How both hands are valued."""
    hand: str
    """The weakest qualifying category; ``any`` where every hand of the dealer's counts."""
    of: Ranks | None = None
    """Its deciding rank."""
    kicker: Ranks | None = msgspec.field(default=None, name="with")
    """Its second rank."""
    tie: Literal["push", "lose", "win"] = "push"
    """What equal hands mean for the player's main wagers."""

    @cached_property
    def weakest(self) -> int:
        return weakest(self.ranking, self.hand, self.of, self.kicker)

    @property
    def always(self) -> bool:
        """Every hand of the dealer's qualifies."""
        return self.weakest == 1


@cache
def weakest(order: str, hand: str, of: Ranks | None = None, kicker: Ranks | None = None) -> int:
    """Return the strength of the weakest hand like that; 0 where there is none."""
    row = Row(row="weakest", hand=hand, of=of, kicker=kicker, clause="-")
    return next((each.strength for each in ranking(order).classes if row.fits(each)), 0)


class MenuOption(Strict, frozen=True, kw_only=True):
    """One of the pay tables among which a house chooses."""

    name: str
    """What the document calls it."""
    pays: dict[str, Odds]
    """Rows of the table and their odds; rows that lose may be left out."""

    def is_of(self, table: PayTable) -> bool:
        """Whether the table pays as this says."""
        paid = {row.row: row.odds for row in table.rows}
        return all(paid.get(row) == odds for row, odds in self.pays.items()) and all(
            row in self.pays or odds == -1 for row, odds in paid.items()
        )


class Menu(Cited, frozen=True, kw_only=True):
    """The pay tables of which the house has chosen one."""

    table: str
    """The table that is chosen from it."""
    choice: str
    """The name of the chosen one."""
    options: tuple[MenuOption, ...]
