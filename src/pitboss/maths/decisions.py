"""The decisions of a pay-table game: the cards seen at each, the choices, what may be staked."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from pitboss.errors import Unreadable, Unsolved
from pitboss.maths.hand_states import LARGEST, SIZE, Ints
from pitboss.maths.outcomes import NO_SUCH_PLAY
from pitboss.rulebook.deal_script import SEATS, DecideStep, arrivals
from pitboss.rulebook.model import Rulebook
from pitboss.rulebook.paytable import PayTable
from pitboss.wording import counted

FOLD = 0
CHECK = -1
TAKE_BACK = -2
"""Choices that are not multiples."""

NAMES = {FOLD: "fold", CHECK: "check", TAKE_BACK: "take-back"}


def choice_name(choice: int) -> str:
    return NAMES.get(choice, f"{choice}x")


OUT = -1
"""Where a fold leads."""


Worth = TypeVar("Worth", Ints, npt.NDArray[np.float64])
"""Exact, or of samples."""


class Street(msgspec.Struct, frozen=True):
    """A decision: how many cards are seen, and what may be done."""

    seen: int
    own: int
    """How many of them are the player's own."""
    choices: tuple[int, ...]
    """CHECK, multiples in rising order, TAKE_BACK, FOLD: as ties are broken."""
    stakes: tuple[int, ...]
    """The stakes, in antes, that may be on the table before it: a column each."""
    after: tuple[tuple[int, ...], ...]
    """(column, choice): the column of the next street, or of the end; OUT for a fold."""
    asked: tuple[bool, ...]
    """Whether a seat decides: not where its wager is down already, or was never there to take."""

    @property
    def plain(self) -> bool:
        """Whether every seat decides, and stakes only grow."""
        return all(self.asked) and TAKE_BACK not in self.choices

    def options(self, worth: Worth, ante: int | Ints) -> Worth:
        """Return (state, column, choice): the worth of each, where a lost ante weighs so much.

        That may be another weight for each state; before the states there may be more axes.
        """
        after = np.array(self.after)
        lost = np.array([-stake * ante for stake in self.stakes]).T[..., None]
        found: Worth = np.where(after == OUT, lost, worth[..., after])
        return found


class Plan(msgspec.Struct, frozen=True):
    """The decisions of a round, and the stakes that they may end with."""

    size: int
    """How many cards the hand grows to; the best five count."""
    streets: tuple[Street, ...]
    finals: tuple[int, ...]
    """The stakes, in antes, at the end."""

    def ahead(self, number: int, column: int) -> tuple[int, int]:
        """Return the first street from this one on where a seat decides, or the end; the column."""
        while number < len(self.streets) and not self.streets[number].asked[column]:
            number, column = number + 1, self.streets[number].after[column][0]
        return number, column

    def at(self, raises: Sequence[int], seen: int) -> tuple[int, int]:
        """Return the street and the column in which these choices put a seat that is to decide."""
        number, column = self.ahead(0, 0)
        for made, choice in enumerate(raises):
            found = self.streets[number].choices if number < len(self.streets) else ()
            if choice not in found or choice == FOLD:
                after = counted(made, "decision")
                raise Unreadable(f"after {after} nobody goes on with {choice_name(choice)}")
            to = self.streets[number].after[column][found.index(choice)]
            number, column = self.ahead(number + 1, to)
        after = counted(len(raises), "decision")
        if number == len(self.streets):
            raise Unreadable(f"nothing is decided any more after {after}")
        if self.streets[number].seen != seen:
            sees = f"sees {self.streets[number].seen} cards, not {seen}"
            raise Unreadable(f"after {after} a player {sees}")
        return number, column


def main_table(book: Rulebook) -> PayTable:
    """Return the table that pays every main wager, or say why this solver cannot take the game."""
    main = [spot for spot in book.spot if spot.kind == "main"]
    names = {spot.table for spot in main}
    if len(names) != 1 or any(spot.against for spot in main):
        raise Unsolved("the main wagers are not all on one pay table", book.id)
    table = book.tables[names.pop()]
    for fits, why in (
        (
            table.ranking == "five-card" and SEATS in table.cards,
            "only five-card hands with the player's cards are solved so far",
        ),
        (
            SIZE <= hand_size(book, table) <= LARGEST,
            "only the best five of up to seven cards are solved so far",
        ),
        (
            not any(spot.bonus for spot in main),
            "a bonus beside a wager that is not against the dealer is not solved yet",
        ),
        (
            not any(step.more for step in book.streets),
            "by pay table, multiples that depend on the hand are not solved yet",
        ),
        (
            all(spot.after_fold == "lost" for spot in main),
            "by pay table, a main wager that outlives a fold is not solved yet",
        ),
    ):
        if not fits:
            raise Unsolved(why, book.id)
    return table


def hand_size(book: Rulebook, table: PayTable) -> int:
    """Return how many cards a hand has of which the table pays the best."""
    return sum(book.dealt[place] for place in table.cards)


def plan(book: Rulebook, ties: str) -> Plan:
    """Return the decisions of a round: the cards seen, and what may be staked, at each.

    Main wagers that are placed before the deal are taken to be equal to the ante.
    """
    table = main_table(book)
    cards = arrivals(book.script, table.cards)
    asked = {step.into for step in book.streets}
    before = [name for name, spot in book.opening.items() if spot.kind == "main"]
    down = [(name, 1) for name in before if name in asked]
    columns: list[_Down] = [(len(before), tuple(sorted(down)))]
    streets = []
    for index, step in enumerate(book.script):
        if not isinstance(step, DecideStep):
            continue
        seen = [card for card in cards if card.step < index]
        choices = offered(step, ties)
        later = {each.into for each in book.script[index + 1 :] if isinstance(each, DecideStep)}
        moves = [[_moved(each, step, choice, later) for choice in choices] for each in columns]
        following = sorted({to for row in moves for to in row if to is not None})
        streets.append(
            Street(
                seen=len(seen),
                own=sum(card.place == SEATS for card in seen),
                choices=choices,
                stakes=tuple(stake for stake, _ in columns),
                after=tuple(
                    tuple(OUT if to is None else following.index(to) for to in row) for row in moves
                ),
                asked=tuple(_asked(each, step) for each in columns),
            )
        )
        columns = following
    return Plan(hand_size(book, table), tuple(streets), tuple(stake for stake, _ in columns))


_Down = tuple[int, tuple[tuple[str, int], ...]]
"""All that is staked, in antes, and how much of it on each spot that is decided about later."""


def _asked(down: _Down, step: DecideStep) -> bool:
    """Whether a seat with these wagers decides: a raise needs its spot free, take-back a wager."""
    return (step.into in dict(down[1])) != bool(step.times)


def _moved(down: _Down, step: DecideStep, choice: int, later: set[str]) -> _Down | None:
    """Return what is down after a choice; None after a fold."""
    stake, on = down[0], dict(down[1])
    if _asked(down, step):
        if choice == FOLD:
            return None
        if choice == TAKE_BACK:
            stake -= on.pop(step.into)
        elif choice != CHECK:
            stake, on[step.into] = stake + choice, choice
    return stake, tuple(sorted((spot, many) for spot, many in on.items() if spot in later))


def five_cards(book: Rulebook, ties: str) -> Plan:
    """Return the decisions of a game of exactly five cards, for those who follow each of them."""
    found = plan(book, ties)
    if found.size != SIZE:
        raise Unsolved("for hands of more than five cards this is not solved yet", book.id)
    return found


def streets(book: Rulebook, ties: str) -> tuple[Street, ...]:
    """Return the decisions of a game of exactly five cards whose stakes only grow.

    For those who follow cards or stakes in ways of their own, and take no other game.
    """
    found = five_cards(book, ties)
    if not all(street.plain for street in found.streets):
        said = "where wagers are taken back or a spot is asked for twice this is not solved yet"
        raise Unsolved(said, book.id)
    return found.streets


def offered(step: DecideStep, ties: str) -> tuple[int, ...]:
    """Return the choices of a decision in the order in which ties are broken."""
    stay = (*((CHECK,) if "check" in step.otherwise else ()), *step.times)
    ways_out = (("take-back", TAKE_BACK), ("fold", FOLD))
    leave = tuple(choice for name, choice in ways_out if name in step.otherwise)
    return (*reversed(leave), *stay) if ties == "fold" else (*stay, *leave)


def instead(choice: int, several: Sequence[int]) -> int:
    """Return what to choose of these instead of a choice: the same, or the nearest multiple.

    Of two that are as near it is the higher.

    >>> instead(3, (1, 2, FOLD)), instead(4, (5, 6, FOLD)), instead(FOLD, (1, FOLD))
    (2, 5, 0)
    """
    if choice in several:
        return choice
    multiples = [each for each in several if each > 0]
    if choice <= 0 or not multiples:
        raise Unsolved(NO_SUCH_PLAY)
    return min(multiples, key=lambda each: (abs(each - choice), -each))


def posted_minimum(book: Rulebook, ante_cents: int | None, minimum_cents: int | None) -> int:
    """Return the posted minimum, in cents: the lowest of the house's range, if none is given."""
    if ante_cents is not None and ante_cents <= 0:
        raise Unreadable("an ante is more than nothing")
    if minimum_cents is None:
        return book.limits.minimum.least()
    if minimum_cents <= 0:
        raise Unreadable("a posted minimum is more than nothing")
    return minimum_cents
