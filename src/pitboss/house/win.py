"""A house's win: every seat's result taken apart, with its sign turned.

It is told from what is in the journal of rounds that are over, as each seat saw them; a round that
was put right afterwards counts as it stands.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from pitboss.house.luck import SeatRound, luck_and_skill
from pitboss.house.replay import FinishedRound
from pitboss.house.storage.past_rounds import own, put_right_by
from pitboss.house.table import events as h
from pitboss.house.table.evolve import visible
from pitboss.maths.luck import Parts
from pitboss.maths.solution import Solution
from pitboss.round import events as e
from pitboss.rulebook import Rulebook

TableEntry = tuple[str, int, tuple[h.TableEvent, ...]]
"""An entry of the journal: the table, its number there, what happened."""


class PaidRound(msgspec.Struct, frozen=True):
    """A round that is over, as it stands."""

    round: str
    book: Rulebook
    practice: bool
    day: datetime.date
    """The gaming day on which it was first paid."""
    seats: tuple[SeatRound, ...]

    @property
    def table(self) -> str:
        return self.round.rpartition("-")[0]


def paid_rounds(
    entries: Iterable[TableEntry], adjusted: Mapping[str, int], books: Callable[[str], Rulebook]
) -> Iterator[PaidRound]:
    """Return every round that is over, from the entries of tables in their order.

    ``adjusted`` has the entry that last put a round right, for each of those that were.
    """
    practice: dict[str, bool] = {}
    stories: dict[str, list[h.TableEvent]] = {}
    days: dict[str, datetime.date] = {}
    """Of rounds that are put right further on."""
    for table, seq, events in entries:
        for event in events:
            stories.setdefault(table, []).append(event)
            if isinstance(event, h.TableOpened):
                practice[table] = event.practice
            elif isinstance(event, h.DeckSealed):
                stories[table] = []
            elif isinstance(event, h.RoundPaid):
                name, story = f"{table}-{event.round}", stories.pop(table)
                if name in adjusted:
                    days[name] = event.date
                else:
                    yield _paid(name, books, practice[table], event.date, story, event)
            elif isinstance(event, h.RoundAdjusted):
                name = f"{table}-{event.round}"
                if adjusted.get(name) == seq:
                    day = days.pop(name)
                    yield _paid(name, books, practice[table], day, event.events, event.paid)


def _paid(
    name: str,
    books: Callable[[str], Rulebook],
    practice: bool,
    day: datetime.date,
    story: Sequence[h.TableEvent],
    paid: h.RoundPaid,
) -> PaidRound:
    opened = next(event for event in own(story) if isinstance(event, e.RoundOpened))
    book = books(opened.sha256)
    return PaidRound(name, book, practice, day, tuple(_seats(book, story, paid)))


def of_finished(whole: FinishedRound) -> PaidRound:
    """Return a finished round as it stands."""
    story = [event for _, body in whole.entries for event in body.events]
    first = paid = whole.paid()
    for _, body in whole.adjusted[-1:]:
        last = put_right_by(body)
        story, paid = [*last.events], last.paid
    seats = tuple(_seats(whole.book, story, paid))
    return PaidRound(whole.round, whole.book, whole.practice, first.date, seats)


def _seats(book: Rulebook, story: Sequence[h.TableEvent], paid: h.RoundPaid) -> Iterator[SeatRound]:
    for each in paid.seats:
        seen = tuple(visible(event, each.seat) for event in story)
        yield SeatRound(book, each.seat, seen, each.lines)


def house_win(paid: PaidRound, solution: Solution | None) -> Parts:
    """Take apart what a round brought the house; every hand counts as a round."""
    won = (luck_and_skill(each, solution).parts for each in paid.seats)
    return -sum(won, Parts())
