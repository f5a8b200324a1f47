"""The rulebook as values: what a house's document says, in a vocabulary that fits every stud game.

Nothing here names a house. A TOML key is a field of one of these structs; a key that is not a field
is refused. Everything that rests on the house's document carries its ``clause``, and its ``ruling``
where the document had to be read one way or the other.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from pitboss.hands import ranking
from pitboss.money import Cents, label, short, sign, signed
from pitboss.rulebook.base import Strict, acts_for
from pitboss.rulebook.deal_script import SEATS, DealStep, DecideStep, More, Step
from pitboss.rulebook.money_rules import Cap, Limits, Progressive, Tax, Toke
from pitboss.rulebook.paytable import Menu, PayTable, Qualifier, Row, Spot, weakest
from pitboss.rulebook.pit_rules import (
    Approval,
    Corrections,
    DeadHand,
    DeckCare,
    Misdeal,
    Notice,
    Procedure,
    Rulings,
    Seats,
)
from pitboss.wording import held

DEFAULT_CHIPS = tuple(Cents(each) for each in (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100))


class Rulebook(Strict, frozen=True, kw_only=True, dict=True):
    """One house's rules for one game. What a table of it holds is said by its own struct."""

    format: Literal[1]
    """The version of this vocabulary."""
    id: str
    """``house/game``."""
    house: str
    game: str
    document: str
    """Which document it was read from."""
    currency: str = "USD"
    """What money is counted in."""
    seats: Seats
    deck: DeckCare
    script: tuple[Step, ...]
    """What happens in a round, in order."""
    spot: tuple[Spot, ...]
    """Wagers in their order on the layout."""
    table: tuple[PayTable, ...]
    limits: Limits
    qualifier: Qualifier | None = None
    menu: tuple[Menu, ...] = ()
    cap: tuple[Cap, ...] = ()
    progressive: Progressive | None = None
    toke: Toke | None = None
    approval: tuple[Approval, ...] = ()
    misdeal: tuple[Misdeal, ...] = ()
    dead: tuple[DeadHand, ...] = ()
    corrections: Corrections = Corrections()
    tax: Tax
    procedure: tuple[Procedure, ...] = ()
    notice: tuple[Notice, ...] = ()
    rounding: Literal["down", "up", "nearest"] = "down"
    """What becomes of a fraction of a cent."""
    rulings: Rulings = Rulings()
    stand_in: Literal["above", "nobody"] = "above"
    """Who may act for a role that a rule names, besides those who have it."""
    paying: Literal["seat-by-seat", "together"] = "seat-by-seat"
    """Whether seats that are done are paid while another waits."""
    chips: tuple[Cents, ...] = DEFAULT_CHIPS
    """Denominations in the rack."""

    @cached_property
    def sha256(self) -> str:
        """Names exactly these rules: comments and layout of the file do not change it."""
        return hashlib.sha256(canonical(self)).hexdigest()

    @cached_property
    def spots(self) -> dict[str, Spot]:
        """Spots by name, in layout order."""
        return {each.name: each for each in self.spot}

    @cached_property
    def tables(self) -> dict[str, PayTable]:
        return {each.name: each for each in self.table}

    @cached_property
    def streets(self) -> tuple[DecideStep, ...]:
        return tuple(step for step in self.script if isinstance(step, DecideStep))

    @cached_property
    def street_at(self) -> dict[int, int]:
        """Which street (1 is the first) each deciding step of the script is."""
        at = [index for index, step in enumerate(self.script) if isinstance(step, DecideStep)]
        return {index: street for street, index in enumerate(at, start=1)}

    @cached_property
    def raised(self) -> frozenset[str]:
        """Spots that are filled by a decision, not before the deal."""
        return frozenset(step.into for step in self.streets if step.times)

    @cached_property
    def opening(self) -> dict[str, Spot]:
        """Spots that are bet on before the deal."""
        return {name: each for name, each in self.spots.items() if name not in self.raised}

    @cached_property
    def ante(self) -> Spot:
        """The required wager that every other follows."""
        return next(each for each in self.spot if each.required and not each.equals)

    @cached_property
    def equal(self) -> tuple[str, ...]:
        """The spots that lie equal before the deal: the required wager and those that follow it."""
        following = (each.name for each in self.spot if each.equals)
        return (self.ante.name, *following)

    @cached_property
    def placed(self) -> dict[str, Spot]:
        """Spots on which somebody puts chips before the deal; what equals another follows it."""
        return {name: each for name, each in self.opening.items() if not each.equals}

    @cached_property
    def bonuses(self) -> dict[str, Spot]:
        """Tables that pay beside a wager, and the spot of that wager."""
        return {each.bonus: each for each in self.spot if each.bonus}

    def wager_table(self, name: str) -> PayTable | None:
        """Return the pay table of a settled wager, or of a bonus, where there is one."""
        return self.tables.get(name if name in self.bonuses else self.spots[name].table)

    def is_main(self, wager: str) -> bool:
        """Whether a settled wager is the game's own: a bonus is part of what it stands beside."""
        spot = self.spots.get(wager) or self.bonuses.get(wager)
        return spot is not None and spot.kind == "main"

    @cached_property
    def main_table(self) -> PayTable | None:
        """The pay table that the main wagers are about, where there is one."""
        named = (spot.table for spot in self.spot if spot.kind == "main" and spot.table)
        return next((self.tables[name] for name in named if name in self.tables), None)

    @cached_property
    def main_hand(self) -> tuple[tuple[str, ...], str]:
        """Whose cards make the hand that the main wagers are about, and its ranking."""
        if self.qualifier is not None:
            return (SEATS, *self.qualifier.shared), self.qualifier.ranking
        assert self.main_table is not None, "a main wager without a table is against the dealer"
        return self.main_table.cards, self.main_table.ranking

    @cached_property
    def dealers_hand(self) -> tuple[tuple[str, ...], str]:
        """Whose cards make the hand that main wagers are against, and its ranking."""
        assert self.qualifier is not None, "nothing is against the dealer here"
        return (self.qualifier.place, *self.qualifier.shared), self.qualifier.ranking

    def needed_for(self, more: More) -> int:
        """Return the strength of the main hand from which more multiples are offered."""
        return weakest(self.main_hand[1], more.hand, more.of, more.kicker)

    def needed_words(self, more: More) -> str:
        """Say from which hand on more multiples are offered."""
        name = ranking(self.main_hand[1]).classes[self.needed_for(more) - 1].name
        return f"{held(name if more.of is not None else name.partition(',')[0])} or better"

    @cached_property
    def dealt(self) -> dict[str, int]:
        """How many cards each place gets, and each seat under ``seats``."""
        counts: dict[str, int] = {}
        for step in self.script:
            if isinstance(step, DealStep):
                for place in step.to:
                    counts[place] = counts.get(place, 0) + step.cards
        return counts

    @property
    def seat_cards(self) -> int:
        return self.dealt.get(SEATS, 0)

    @property
    def cards_needed(self) -> int:
        """How many cards a full table takes."""
        return sum(self.dealt.values()) + self.seat_cards * (self.seats.most - 1)

    def allows(self, role: str, named: Iterable[str]) -> bool:
        """Whether somebody in this role may do what a rule has these roles do."""
        return acts_for(role, named) if self.stand_in == "above" else role in named

    @property
    def smallest_chip(self) -> int:
        return int(self.limits.smallest_chip or min(self.chips))

    @property
    def sign(self) -> str:
        return sign(self.currency)

    def money(self, cents: int) -> str:
        return short(cents, self.currency)

    def label(self, cents: int) -> str:
        return label(cents, self.currency)

    def signed(self, cents: int) -> str:
        return signed(cents, self.currency)

    def pays(self, row: Row) -> str:
        """Say what a row pays, a sum of money in the house's own currency."""
        return row.pays if row.award is None else self.money(row.award)

    def printed(self, table: PayTable) -> tuple[Row, ...]:
        """Return the rows to print: beside a wager there is no stake that a hand could lose."""
        beside = table.name in self.bonuses
        return tuple(row for row in table.rows if not beside or row.odds != -1)

    def posted(self, row: Row) -> str:
        """Say on a sign what a row pays, and what everybody else gets."""
        envy = f"; {self.money(row.others)} to everybody else with it" if row.others else ""
        return self.pays(row) + envy

    def place_name(self, place: str) -> str:
        """Name a pile on the table: by its wager's title, where one is called like it."""
        return self.spots[place].title if place in self.spots else place.replace("-", " ")

    def with_equal(self, wagers: Mapping[str, int]) -> dict[str, int]:
        """Return wagers in which all that must equal the required one do, if it is there."""
        down = wagers.get(self.ante.name)
        return {**wagers, **dict.fromkeys(self.equal if down else (), down or 0)}

    def wager_name(self, spot: str) -> str:
        """Name a wager on a receipt; one on no spot of the layout is a bonus or a toke."""
        if spot in self.bonuses:
            return self.tables[spot].title
        return self.spots[spot].title if spot in self.spots else spot.capitalize()

    def notices(self, *where: str) -> tuple[str, ...]:
        """The house's words for any of these places."""
        return tuple(each.text for each in self.notice if not {*where}.isdisjoint(each.where))

    def citations(self) -> Iterator[tuple[str, str]]:
        """Every place in the book that cites something, with the id: (path, clause or ruling)."""
        yield from _citations(self, "")


def _citations(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            where = f"{path}.{name}" if path else name
            if name in ("clause", "ruling") or isinstance(value, Rulings):
                yield from ((where, each) for each in inner.replace(",", " ").split())
            elif name == "clauses":
                for point, cited in inner.items():
                    yield from ((f"{where}.{point}", each) for each in cited.split())
            else:
                yield from _citations(inner, where)
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _citations(inner, f"{path}[{index}]")


def plain(value: Any) -> str:
    """Write a rank range, money, odds or percentage as the file would; for encoders."""
    return str(value)


def canonical(book: Rulebook) -> bytes:
    """Return the rules as one line of JSON with sorted keys and without defaults."""
    return msgspec.json.encode(_without_empty(as_plain(book)), order="sorted")


def as_plain(book: Rulebook) -> Any:
    """Return a book as plain values, to be written down."""
    return _without_later(msgspec.to_builtins(book, enc_hook=plain))


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_empty(inner) for key, inner in value.items() if inner not in _EMPTY}
    return [_without_empty(inner) for inner in value] if isinstance(value, list) else value


def _without_later(value: Any) -> Any:
    """Leave out what a book of an earlier release could not say, where it says nothing: so the
    vocabulary grows, and the hash of a book that was adopted stays what it is."""
    if isinstance(value, dict):
        return {
            key: _without_later(inner)
            for key, inner in value.items()
            if key not in _LATER or inner != _LATER[key]
        }
    return tuple(map(_without_later, value)) if isinstance(value, tuple) else value


_EMPTY: tuple[Any, ...] = (None, "", [], {}, False)
_LATER = {
    **dict.fromkeys(("bonus", "equals"), ""),
    **dict.fromkeys(("menu", "more", "shared"), ()),
    **dict.fromkeys(("others", "rows")),
    "alone": False,
}
