"""The course of the round that lies on the felt, as somebody sees it: what happened one after the
other, in words and in how the felt came to look as it does."""

from collections.abc import Collection, Sequence

import msgspec

from pitboss import round as rounds
from pitboss.house.replay import Replay
from pitboss.house.storage.past_rounds import own
from pitboss.house.storage.projections import LoadedTable
from pitboss.house.table.events import RoundPaid, TableEvent
from pitboss.house.table.felt import Appearance, Felt, appearances, draw
from pitboss.house.views import TableView
from pitboss.rulebook.model import Rulebook
from pitboss.web.pages.log_lines import LogLine, log_lines

LAST_LINES = 30

MOST_STEPS = 100
"""That are played; what came before them is there at once."""


class RoundCourse(msgspec.Struct, frozen=True):
    """The round that lies on the felt, as somebody sees it."""

    book: Rulebook
    number: str
    events: Sequence[TableEvent]
    """The round's own and its payment: each keeps its place when the round is over."""
    names: dict[int, str]
    """Who played it."""
    seat: int | None
    """At which whoever looks played it."""
    here: dict[int, str]
    """Who sits there now."""
    me: int | None
    """Where whoever looks is drawn."""
    away: Collection[int]

    @property
    def told(self) -> str:
        return f"{self.number}.{len(self.events)}"

    @property
    def felt(self) -> Felt:
        """How it lies now."""
        return self.felts(len(self.events))[-1]

    def felts(self, first: int) -> list[Felt]:
        """Draw how it lay after so many events, and after each one more."""
        state, paid, found = rounds.State(), None, []
        for number, event in enumerate([None, *self.events]):
            if isinstance(event, RoundPaid):
                paid = event
            elif isinstance(event, rounds.events.Event):
                state = rounds.evolve(self.book, state, event)
            if number >= first:
                names = self.here | self.names
                found.append(draw(self.book, state, names, self.me, paid, self.away))
        return found

    def appearances(self, number: str, shown: int) -> dict[str, Appearance]:
        """Say what came to the felt since so many events of a round were shown."""
        if not number:
            return {}
        first = min(shown, len(self.events)) if number == self.number else 0
        first = max(first, len(self.events) - MOST_STEPS)
        return appearances(self.felts(first), first)

    def said(self) -> list[tuple[str, LogLine]]:
        """Tell the last of what happened."""
        lines = log_lines(self.book, self.events, self.names, self.seat, int(self.number))
        told = [(f"{self.number}.{n}", each) for n, each in enumerate(lines) if each.says]
        return told[-LAST_LINES:]


def shown_round(
    live: LoadedTable, view: TableView, person: str, over: Replay | None
) -> RoundCourse:
    """Return the round that lies on the felt: the one under way, or the one that is over."""
    table = live.table
    here = {n: sitter.name for n, sitter in table.sitters.items()}
    if over is not None:
        number, names, seat = over.round.rpartition("-")[2], over.names, over.seat
        # Whoever has sat down since was not the one who played there.
        me = view.seat if view.seat not in names else seat
        events = [*own(over.events), over.paid]
    else:
        number, names, me = str(table.number), here, view.seat
        seat = next((n for n, s in table.round.seats.items() if s.person == person), None)
        events = [rounds.visible(each, seat) for each in table.happened]
    return RoundCourse(
        book=live.book,
        number=number,
        events=events,
        names=names,
        seat=seat,
        here=here,
        me=me,
        away={n for n, sitter in table.sitters.items() if sitter.away},
    )
